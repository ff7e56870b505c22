"""Run random programs from seeds on CPython and on kimi_runtime, in forked children, and keep the seeds that differ.

    python tests/property/run_programs.py [--kind KIND] [--start SEED] [--count N] [--seconds S] [--keep] [--show SEED] [--features a,b]

The kinds are `seeded` (seeded_programs.py), `tasks` (task_programs.py), `async` (async_programs.py) and `hot` (hot_programs.py,
aimed at the compiler of hot code). Each child runs a batch of programs, each on CPython and then on ours; when it crashes or uses up its processor time, the batch goes on behind the program
that did it. Programs that exhaust CPython's recursion, memory or time are left out, and those that CPython does not run twice
alike, such as by an address in a hash. `--keep` appends the failing seeds to failed_seeds.txt, which test_seeded_programs.py
runs again. The exit status is the number of seeds that differ, at most 100.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import os
import pathlib
import pickle
import re
import resource
import signal
import sys
import time
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent)]

import async_programs  # noqa: E402
import hot_programs  # noqa: E402
import task_programs  # noqa: E402
from differential import Outcome, difference, kr, run_guest, run_reference  # noqa: E402
from seeded_programs import ALL_FEATURES, PRELUDE, make_program  # noqa: E402

FAILED = HERE / "failed_seeds.txt"
ADDRESS = re.compile("0x[0-9a-f]{6,}", re.IGNORECASE)
REPEATED = re.compile(r"TypeError: [\"'][^\n]*? got multiple values for keyword argument \\?('\w+)\\?'[\"'] after")
REFERENCE_SECONDS, GUEST_SECONDS = 2.0, 6.0  # of processor time, for one program
WALL_SECONDS = 600  # for one that waits, also on a machine that has little time for it
MEMORY = 1500        # MB, beyond what is in use: a text times a large number ends at once
BATCH = 400
COLLECT = False     # whether the collector runs as often as it can
# The helpers are a module of the guest, so that they are compiled once and not with each program.
IMPORT = "from prelude import *\n"
PRELUDE_CODE = compile(PRELUDE, "prelude.py", "exec")
RUNTIME = kr.Runtime(modules_source={"prelude": PRELUDE})
KINDS = {"tasks": task_programs.program, "async": async_programs.make_program, "hot": hot_programs.make_program}


def program_of(seed: int, features: tuple[str, ...]) -> str:
    """Return the program of a seed; `features` may be the name of a kind."""
    return KINDS[features[0]](seed) if features[0] in KINDS else make_program(seed, features, IMPORT)


def reference(source: str) -> Outcome:
    """Run a program on CPython, with a fresh module of the helpers."""
    prelude = sys.modules["prelude"] = types.ModuleType("prelude")
    exec(PRELUDE_CODE, prelude.__dict__)
    return tidy(run_reference(source))


def tidy(outcome: Outcome) -> Outcome:
    """Take out what differs for good reasons."""
    outcome.stdout = ADDRESS.sub("0x", outcome.stdout)
    outcome.message = outcome.message and ADDRESS.sub("0x", outcome.message)
    if "got multiple values" in outcome.stdout and sys.version_info < (3, 12):
        # CPython's own fault: while an exception is handled, the KeyError behind this message comes through.
        outcome.stdout = REPEATED.sub(r"KeyError: \1' after", outcome.stdout)
    outcome.stderr = ""  # errors in finalizers: their text holds addresses, and lines of source only here
    return outcome


def judge(source: str, between=lambda: None) -> str:
    """Return how the two engines differ on a program: '' when they agree, 'skip' when CPython ran out of something.

    `between` is called when CPython is done.
    """
    expected = reference(source)
    between()
    if expected.exception in ("MemoryError", "RecursionError") or "RecursionError" in expected.stdout or "MemoryError" in expected.stdout:
        return "skip"
    got = run_guest(source, run=RUNTIME.run)
    repeated = sys.version_info < (3, 12) and "got multiple values" in got.stdout
    tidy(got)
    if expected.exception == "SyntaxError":  # the generator's fault; ours may know the syntax of later versions
        return "" if sys.version_info < (3, 12) or got.exception == "SyntaxError" else difference(expected, got)
    found = difference(expected, got)
    if found:
        if repeated:
            return "skip"  # the same fault of CPython's, which a handler or a text that quotes it shows
        shift = [bytes(size) for size in range(0, 480, 16) for _ in range(997)]  # so that addresses of all sizes are others
        if reference(source) != expected or any(reference_collecting(source, each) == tidy(got) for each in (1, 5, 20, 50)):
            return "skip"
        del shift
    return found


def reference_collecting(source: str, threshold: int) -> Outcome:
    """What CPython does when its collector runs at other moments: what that changes is promised by nobody."""
    usual = gc.get_threshold()
    # What earlier programs left would keep it from looking at older objects.
    gc.collect()
    gc.freeze()
    gc.collect()
    gc.set_threshold(threshold, 1, 1)  # older objects too
    try:
        return reference(source)
    finally:
        gc.set_threshold(*usual)


def collect() -> None:
    """Let go of what the last program left, so that its last words are not taken for output of the next."""
    with contextlib.redirect_stdout(io.StringIO()):
        sys.set_asyncgen_hooks(None, None)
        gc.collect()


def run_batch(seeds: list[int], features: tuple[str, ...], pipe: int) -> None:
    """Judge the programs of the seeds in this (child) process; write (seed, outcome) of each to the pipe."""
    # Beyond what is in use: where guests with a limit of memory ran before, their heaps' addresses are reserved.
    with open("/proc/self/statm") as file:
        most = int(file.read().split()[0]) * resource.getpagesize() + (MEMORY << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    gc.collect()
    gc.freeze()
    if COLLECT:
        gc.set_threshold(1)
    for seed in seeds:
        os.write(pipe, pickle.dumps((seed, None)))
        source = program_of(seed, features)
        signal.alarm(WALL_SECONDS)
        signal.setitimer(signal.ITIMER_PROF, REFERENCE_SECONDS)

        def between(seed: int = seed) -> None:
            signal.setitimer(signal.ITIMER_PROF, GUEST_SECONDS)
            os.write(pipe, pickle.dumps((seed, False)))
            if features[0] == "async":
                collect()

        outcome = judge(source, between)
        if features[0] == "async":
            collect()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        os.write(pipe, pickle.dumps((seed, outcome[:3500])))


def outcomes(seeds: list[int], features: tuple[str, ...]):
    """Yield (seed, outcome) for each seed; a crash or hang of the child is an outcome too."""
    while seeds:
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            status = 1
            try:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what CPython says of finalizers
                run_batch(seeds, features, writer)
                status = 0
            except BaseException as error:
                os.write(writer, pickle.dumps((seeds[-1], f"host error {type(error).__name__}: {error}"[:3500])))
            finally:
                os._exit(status)
        os.close(writer)
        pending, started, done = None, False, 0
        with os.fdopen(reader, "rb") as stream:
            while True:
                try:
                    seed, outcome = pickle.load(stream)
                except EOFError:
                    break
                if outcome is None or outcome is False:
                    pending, started = seed, outcome is False
                elif outcome.startswith("host error"):
                    yield pending if pending is not None else seed, outcome
                    pending, done = None, seeds.index(pending) + 1 if pending is not None else len(seeds)
                    seeds = [*seeds[:done], *seeds[done:]]
                else:
                    pending, done = None, done + 1
                    yield seed, outcome
        _, status = os.waitpid(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if pending is None and code == 0:
            return
        if pending is not None:
            hangs = code in (-signal.SIGALRM, -signal.SIGPROF)
            yield pending, "skip" if not started else "hangs" if hangs else f"crash: exit status {code}"
            done += 1
        seeds = seeds[done:]


def main() -> int:
    """Run the programs that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=("seeded", *KINDS), default="seeded")
    parser.add_argument("--start", type=int, default=0, help="first seed")
    parser.add_argument("--again", metavar="LOG", help="run the seeds that a log of an earlier run names")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=0, help="stop after this time")
    parser.add_argument("--keep", action="store_true", help="append the failing seeds to failed_seeds.txt")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the program of a seed and what differs")
    parser.add_argument("--features", default=",".join(ALL_FEATURES))
    parser.add_argument("--collect", action="store_true", help="run the collector at every chance")
    options = parser.parse_args()
    global COLLECT
    COLLECT = options.collect
    features = tuple(options.features.split(",")) if options.kind == "seeded" else (options.kind,)
    if options.show is not None:
        source = program_of(options.show, features)
        print(source)
        print("=" * 60, *(outcome for _, outcome in outcomes([options.show], features)), sep="\n")
        return 0
    start, ran, skipped, failed = time.monotonic(), 0, 0, []
    wanted: range | list[int] = range(options.start, options.start + options.count)
    if options.again:
        wanted = [int(seed) for seed in re.findall(r"^seed (\d+):", pathlib.Path(options.again).read_text(encoding="utf-8"), re.MULTILINE)]
    for first in range(0, len(wanted), BATCH):
        seeds = list(wanted[first:first + BATCH])
        for seed, outcome in outcomes(seeds, features):
            ran += 1
            skipped += outcome == "skip"
            if outcome and outcome != "skip":
                failed.append(seed)
                print(f"seed {seed}: {outcome}\n", flush=True)
        if first % 2000 < BATCH:
            print(f"... {ran} programs in {time.monotonic() - start:.0f} s, {len(failed)} differ", flush=True)
        if options.seconds and time.monotonic() - start > options.seconds:
            break
    print(f"{ran} programs in {time.monotonic() - start:.0f} s: {len(failed)} differ {failed[:50]}, {skipped} left out")
    if options.keep and failed:
        with open(FAILED, "a", encoding="utf-8") as file:
            file.writelines(f"{seed} {','.join(features)}\n" for seed in failed)
    return min(len(failed), 100)


if __name__ == "__main__":
    sys.exit(main())
