"""What profiling costs: ours, and cProfile and py-spy on the same programs under CPython.

    python benchmarks/profiler_overhead.py                      some programs, times and machine instructions
    python benchmarks/profiler_overhead.py --rounds 30 nbody    one of them, more patiently
    python benchmarks/profiler_overhead.py --no-instructions    without valgrind

Each program is warm in one process for each side. A round runs it once in each mode, in an order by chance, and before and
after each of these runs without a profiler: a run is compared with the mean of the two beside it, since a machine is not as fast
at one time as at another. The figure of a mode is the median of these ratios, and behind it how far it may be off by chance
(twice the standard error that bootstrapping gives). Ours is processor time, since all of its work is done in the profiled
thread; py-spy stops the process while it looks, so of CPython it is time on the clock. "off again" is a run without a profiler
like those that the others are compared with: what it is away from nothing is the machine's doing.

Instructions: callgrind counts a run with and without a profile. What is more, divided by the samples, is what one sample costs,
on whatever machine; how many a second there are follows from the interval. The kernel's share (a timer's interrupt and a signal)
is not in it: what that costs, with a handler that does nothing, is measured first.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from engines import PROGRAMS, SITE, everyday_program, program
from instructions import build_marks

ROOT = str(pathlib.Path(__file__).resolve().parent.parent)
NAMES = ("nbody", "methods", "json_wrangling", "text_statistics", "simulation")
OURS = {"50 ms": {"interval": 0.05}, "50 ms, memory": {"interval": 0.05, "memory": True},
        "1 ms": {"interval": 0.001}, "1 ms, memory": {"interval": 0.001, "memory": True}}
THEIRS = ("cProfile", "py-spy, 1 ms")

#: Runs in the measured process: reads a mode a line, answers with the seconds of the processor and of the clock.
CHILD = """
import contextlib, cProfile, json, sys, time
kind, path, seconds = sys.argv[1:4]
sys.path[:0] = sys.argv[4:5]
sys.path += sys.argv[5:6]
source = open(path).read()
if kind == "kimi":
    import kimi_runtime
    session = kimi_runtime.Runtime(limits=None).session()
    session.run(source, check=True)
    session.run("def repeat(n):\\n    for _ in range(n): main()", check=True)
    call = lambda n: session.run(f"repeat({n})", check=True)
else:
    space = {"__name__": "__bench__"}
    exec(compile(source, path, "exec"), space)
    def call(n):
        for _ in range(n): space["main"]()
call(1)
begun = time.process_time()
call(1)
times = max(round(float(seconds) / max(time.process_time() - begun, 1e-6)), 1)
call(times)
print(times, flush=True)
for line in sys.stdin:
    mode = json.loads(line)
    profile = None
    if mode == "cProfile":
        profile = cProfile.Profile()
        profile.enable()
    with session.profile(**mode) if isinstance(mode, dict) else contextlib.nullcontext() as profile_of_ours:
        cpu, wall = time.process_time(), time.perf_counter()
        call(times)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    if profile is not None:
        profile.disable()
    samples = 0 if profile_of_ours is None else len(profile_of_ours.data["samples"])
    print(json.dumps([cpu, wall, samples]), flush=True)
"""

#: Runs under callgrind: one warm run without a profile, then one with.
COUNTED = """
import ctypes, sys
marks, path, root, site = ctypes.CDLL(sys.argv[1]), *sys.argv[2:5]
sys.path[:0] = [root]
sys.path.append(site)
import kimi_runtime
session = kimi_runtime.Runtime(limits=None).session()
session.run(open(path).read(), check=True)
call = lambda: session.run("main()", check=True)
call(), call()
marks.begin()
call()
marks.end(b"off")
with session.profile(interval=0.001) as p:
    call()
    marks.begin()
    call()
    marks.end(b"on")
print(len(p.data["samples"]))
"""


class Child:
    """A warm program in a process of its own."""

    def __init__(self, kind: str, python: str, path: str, seconds: float) -> None:
        folders = [ROOT, SITE] if kind == "kimi" else []
        self.process = subprocess.Popen([python, "-c", CHILD, kind, path, str(seconds), *folders],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.times = int(self._answer())

    def _answer(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("a program failed")
        return line

    def run(self, mode: object) -> list[float]:
        """One run: seconds of the processor, of the clock, samples."""
        assert self.process.stdin is not None
        watcher = start_watcher(self.process.pid) if mode == "py-spy, 1 ms" else None
        self.process.stdin.write(json.dumps(mode) + "\n")
        self.process.stdin.flush()
        found: list[float] = json.loads(self._answer())
        if watcher is not None:
            watcher.send_signal(signal.SIGINT)
            watcher.wait()
        return found

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def start_watcher(process: int) -> subprocess.Popen[bytes]:
    """py-spy, once it looks at the process."""
    found = subprocess.Popen([spy(), "record", "-r", "1000", "-d", "600", "-f", "raw", "-o", os.devnull, "-p", str(process)],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1.0)
    return found


def spy() -> str:
    return shutil.which("py-spy") or str(pathlib.Path(sys.executable).with_name("py-spy"))


def compare(child: Child, modes: dict[str, object], rounds: int, figure: int) -> dict[str, dict[str, float]]:
    """Overhead of each mode. figure: 0 for processor time, 1 for the clock."""
    ratios: dict[str, list[float]] = {name: [] for name in modes}
    samples = dict.fromkeys(modes, 0.0)
    before = base = child.run(None)[figure]
    for _ in range(rounds):
        for name in random.sample(list(modes), len(modes)):
            answer = child.run(modes[name])
            after = child.run(None)[figure]
            ratios[name].append(2 * answer[figure] / (before + after) - 1)
            samples[name] = answer[2]
            before, base = after, min(after, base)
    return {name: {"median": statistics.median(each), "error": error_of(each), "samples": samples[name], "seconds": base}
            for name, each in ratios.items()}


def error_of(ratios: list[float]) -> float:
    """Twice the standard error of their median."""
    medians = [statistics.median(random.choices(ratios, k=len(ratios))) for _ in range(400)]
    return 2 * statistics.stdev(medians)


def cost_of_tick() -> float:
    """Microseconds that a signal of the kernel's timer costs, with a handler of one instruction or two."""
    library = ctypes.CDLL(None)
    library.signal.argtypes, library.signal.restype = (ctypes.c_int, ctypes.c_void_p), ctypes.c_void_p
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    library.signal(signal.SIGALRM, ctypes.cast(library.abs, ctypes.c_void_p))
    found = []
    for _ in range(20):
        times = []
        for interval in (0.0, 0.0001):
            signal.setitimer(signal.ITIMER_REAL, interval, interval)
            cpu = time.process_time()
            for _ in range(600_000):
                pass
            times.append(time.process_time() - cpu)
        signal.setitimer(signal.ITIMER_REAL, 0)
        found.append((times[1] - times[0]) / (times[1] / 0.0001))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    return statistics.median(found) * 1e6


def instructions(path: str, folder: pathlib.Path) -> tuple[float, float]:
    """Machine instructions of a run, and of a sample."""
    out = folder / "callgrind.out"
    for old in folder.glob("callgrind.out*"):
        old.unlink()
    done = subprocess.run(["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}", "-q",
                           sys.executable, "-c", COUNTED, build_marks(folder), path, ROOT, SITE],
                          capture_output=True, text=True, check=True)
    totals = [re.search(r"^(?:summary|totals): (\d+)", pathlib.Path(f"{out}.{i}").read_text(), re.MULTILINE) for i in (1, 2)]
    off, on = (int(each[1]) for each in totals if each is not None)
    return off, (on - off) / max(int(done.stdout) / 2, 1)       # half of the samples are of the run before, which warms up


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.1, help="of one run")
    parser.add_argument("--python", default=sys.executable, help="the CPython of cProfile and py-spy")
    parser.add_argument("--instructions", action=argparse.BooleanOptionalAction, default=shutil.which("valgrind") is not None)
    args = parser.parse_args()
    tick = cost_of_tick()
    print(f"a signal of the kernel's timer alone: {tick:.1f} us of processor time, so {tick / 1000:.1%} at 1 ms")
    print(f"{'':<18}{'':<16}{'median':>9}{'give or take':>14}{'samples':>9}")
    with tempfile.TemporaryDirectory() as temporary:
        for name in args.names or NAMES:
            folder = pathlib.Path(temporary)
            path = folder / f"{name}.py"
            path.write_text(program(name) if name in PROGRAMS else everyday_program(name))
            seconds = 0.0
            for kind, python, modes, figure in (("kimi", sys.executable, {**OURS, "off again": None}, 0),
                                                ("cpython", args.python, {each: each for each in THEIRS}, 1)):
                if kind == "cpython" and not os.path.exists(spy()):
                    del modes["py-spy, 1 ms"]
                child = Child(kind, python, str(path), args.seconds)
                rounds = args.rounds if kind == "kimi" else max(args.rounds // 8, 3)
                for mode, found in compare(child, modes, rounds, figure).items():
                    print(f"{name:<18}{mode:<16}{found['median']:>9.1%}{found['error']:>14.1%}{found['samples']:>9,.0f}",
                          flush=True)
                    if kind == "kimi":
                        seconds = found["seconds"] / child.times
                child.close()
            if args.instructions:
                off, sample = instructions(str(path), folder)
                print(f"{name:<18}{'instructions':<16}{sample:>9,.0f} a sample, so {sample / (off / seconds) * 1000:.2%} at 1 ms "
                      f"({off / 1e6:,.1f} million in {seconds * 1e3:.1f} ms)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
