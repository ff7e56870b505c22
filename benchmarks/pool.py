"""A thousand tasks at once, or in a steady stream, through pools of fixed sizes and pools that follow the load.

    python benchmarks/pool.py [--tasks 1000] [--rate 80] [--svg sizes.svg] [--json]

A third of the tasks computes for 1 to 20 ms, a third waits for the host for 20 to 100 ms, a third does both. Each pool runs the
same tasks in a process of its own. Fixed sizes are ``concurrent.futures.ThreadPoolExecutor``; the guests of all thread pools
share one interpreter lock, so where the tasks together compute longer than they wait, no number of threads does more of them a
second: latency is what a size can change there. Latencies of a burst count from its beginning. Memory is what came to the process
(and its worker processes, by their shares) from before the pool was made.
"""
from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

import kimi_runtime as kr

COMPUTE = "n = 0\nwhile n < rounds: n += 1\n"
#: Programs by kind.
PROGRAMS = {"compute": COMPUTE, "wait": "nap(seconds)\n", "both": "nap(seconds / 2)\n" + COMPUTE + "nap(seconds / 2)\n"}
POOLS = {f"fixed {size}": ("fixed", size) for size in (4, 8, 16, 32, 64)} | {
    "dynamic": ("thread", 64), "process": ("process", 16)}


def rounds_per_ms() -> float:
    """How often the loop turns in a millisecond, alone."""
    best = 1e9
    for _ in range(5):
        begun = time.perf_counter()
        kr.run(COMPUTE, {"rounds": 200_000}, check=True)
        best = min(best, time.perf_counter() - begun)
    return 200_000 / best / 1000


def tasks(count: int, speed: float) -> list[tuple[str, dict[str, Any]]]:
    """The same tasks each time."""
    rng = random.Random(7)
    return [(PROGRAMS[rng.choice(list(PROGRAMS))],
             {"rounds": int(rng.uniform(1, 20) * speed), "seconds": rng.uniform(0.02, 0.1)}) for _ in range(count)]


def measure(kind: str, size: int, count: int, rate: float, speed: float) -> dict[str, Any]:
    """One pool, in this process. rate: tasks a second, or 0 for all at once."""
    settings: dict[str, Any] = {"functions": {"nap": time.sleep}}
    assert kr.Pool      # loaded in each of these processes: what is compared is what the pools take
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    pool: Executor
    if kind == "fixed":
        runtime = kr.Runtime(**settings)
        pool = ThreadPoolExecutor(size)
        submit: Any = lambda source, inputs: pool.submit(runtime.run, source, inputs)  # noqa: E731
    else:
        pool = kr.Pool(kind, max_workers=size, queue=None, **settings)
        submit = pool.submit
    submit("1", {"a": 1}).result()
    latencies, lock, left = [], threading.Lock(), threading.Semaphore(0)
    begun = time.perf_counter()

    def done(at: float) -> None:
        with lock:
            latencies.append(time.perf_counter() - at)
        left.release()

    for number, (source, inputs) in enumerate(tasks(count, speed)):
        if rate:
            time.sleep(max(0.0, begun + number / rate - time.perf_counter()))
        at = time.perf_counter() if rate else begun     # of a burst all are there at once
        submit(source, inputs).add_done_callback(lambda job, at=at: done(at) if job.result().ok else None)
    children = 0
    for number in range(count):
        if not left.acquire(timeout=120):
            raise RuntimeError("a task failed or is lost")
        if kind == "process" and number % 100 == 50:
            children = max(children, children_kb())
    seconds = time.perf_counter() - begun
    latencies.sort()
    sizes = [[round(change.seconds, 3), change.size] for change in pool.metrics().changes] if kind != "fixed" else [[0, size]]
    pool.shutdown()
    return {"seconds": seconds, "per_second": count / seconds, "mean_ms": 1000 * sum(latencies) / count,
            "p99_ms": 1000 * latencies[int(0.99 * count)], "sizes": sizes,
            "peak_mb": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before + children) / 1000}


def children_kb() -> int:
    """What the processes below this one hold by themselves, and their shares of what they have in common."""
    parents = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                with open(f"/proc/{entry.name}/stat") as file:
                    parents[int(entry.name)] = int(file.read().rpartition(")")[2].split()[1])
            except OSError:
                continue        # it has ended
    found, total = {os.getpid()}, 0
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    for child in found - {os.getpid()}:
        try:
            with open(f"/proc/{child}/smaps_rollup") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except OSError:
            continue
    return total


def chart(found: dict[str, Any]) -> str:
    """The sizes over time as SVG."""
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 320" font-family="sans-serif" font-size="11">']
    colours = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"]
    shown = [(name, mode, run) for name, modes in found.items() for mode, run in modes.items() if len(run["sizes"]) > 1]
    longest = max([run["seconds"] for _, _, run in shown] + [1])
    most = max([size for _, _, run in shown for _, size in run["sizes"]] + [1])
    for index, (name, mode, run) in enumerate(shown):
        points, last = [], 0
        for at, size in [*run["sizes"], [run["seconds"], run["sizes"][-1][1]]]:
            x = 50 + 570 * min(at, longest) / longest
            points += [f"{x:.1f},{280 - 260 * last / most:.1f}", f"{x:.1f},{280 - 260 * size / most:.1f}"]
            last = size
        colour = colours[index % len(colours)]
        lines.append(f'<polyline fill="none" stroke="{colour}" points="{" ".join(points)}"/>')
        lines.append(f'<text x="460" y="{30 + 14 * index}" fill="{colour}">{name}, {mode}</text>')
    lines.append(f'<text x="50" y="300">0 s</text><text x="590" y="300">{longest:.1f} s</text><text x="10" y="24">{most} workers'
                 '</text></svg>')
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=80.0, help="tasks a second of the steady stream")
    parser.add_argument("--svg")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(**json.loads(options.one))))
        return
    speed = rounds_per_ms()
    found: dict[str, Any] = {}
    for mode, rate in (("burst", 0.0), ("steady", options.rate)):
        for name, (kind, size) in POOLS.items():
            given = {"kind": kind, "size": size, "count": options.tasks, "rate": rate, "speed": speed}
            done = subprocess.run([sys.executable, __file__, "--one", json.dumps(given)], capture_output=True, text=True)
            if done.returncode:
                sys.exit(done.stderr)
            found.setdefault(name, {})[mode] = run = json.loads(done.stdout)
            if not options.json:
                print(f"{mode:<7} {name:<9} {run['per_second']:7.1f} tasks/s   mean {run['mean_ms']:8.1f} ms   p99 "
                      f"{run['p99_ms']:8.1f} ms   memory {run['peak_mb']:6.1f} MB   most workers "
                      f"{max(size for _, size in run['sizes'])}")
    if options.json:
        print(json.dumps(found, indent=2))
    if options.svg:
        with open(options.svg, "w") as file:
            file.write(chart(found))


if __name__ == "__main__":
    main()
