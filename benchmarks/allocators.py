"""What each allocator costs and holds: programs that allocate a lot, a service that runs a hundred thousand small guests, and
switches under load.

    python benchmarks/allocators.py [--runs 100000] [--only pymalloc guest] [--json]
    python benchmarks/allocators.py --switches 100

Each allocator has a process of its own, with its library preloaded where it needs that. The runs have no limit of memory, since
with one they have a heap of their own whatever the allocator is. Times are the best of three; resident sizes are those of the
whole process (VmRSS, Linux only). The switches go from pymalloc to each other allocator and back while threads run guests.
"""
from __future__ import annotations

import argparse
import gc
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
from array import array
from typing import Any

import kimi_runtime as kr
from figures import resident
from kimi_runtime import allocator

PROGRAMS = sorted((pathlib.Path(__file__).parent / "allocation").glob("*.py"))
#: What a service runs for each request: rows in, grouped, sorted and shown.
REQUEST = """
rows = [{"id": n, "name": f"item {n}", "price": n * 1.5, "tags": [str(n % 7), "all"]} for n in range(seed % 40 + 20)]
groups = {}
for row in rows:
    for tag in row["tags"]:
        groups.setdefault(tag, []).append(row)
lines = [f"{tag}: {len(found)} {sum(row['price'] for row in found):.2f}" for tag, found in sorted(groups.items())]
"\\n".join(lines)
"""
THREADS = 2
PAUSE = 0.02            # seconds between two switches


def programs() -> dict[str, float]:
    """Best seconds of each program."""
    found = {}
    runtime = kr.Runtime(limits=kr.Limits(memory=None, seconds=None))
    for path in PROGRAMS:
        source, times = path.read_text(encoding="utf-8") + "\nmain()\n", []
        for _ in range(3):
            begun = time.perf_counter()
            runtime.run(source, check=True)
            times.append(time.perf_counter() - begun)
        found[path.stem] = min(times)
    return found


def service(runs: int) -> dict[str, float]:
    """Runs a second, and the resident megabytes after a tenth of them and at the end."""
    runtime = kr.Runtime(limits=kr.Limits(memory=None))
    begun = time.perf_counter()
    early = 0
    for n in range(runs):
        runtime.run(REQUEST, {"seed": n}, check=True)
        if n == runs // 10:
            early = resident()
    spent = time.perf_counter() - begun
    return {"runs_a_second": runs / spent, "resident_early_mb": early / 1e6, "resident_end_mb": resident() / 1e6}


def one(name: str, runs: int) -> dict[str, Any]:
    """The figures of an allocator, in this process."""
    allocator.use(name)
    times = programs()
    gc.collect()
    after = resident() / 1e6
    return {"seconds": times, "resident_after_programs_mb": after, **service(runs)}


def percentile(values: array[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]


def load(seconds: float, runtime: Any, between: Any) -> tuple[array[float], int]:
    """Latencies of runs in threads while between() is called, and how many runs failed."""
    stop, latencies, failed = threading.Event(), array("d"), []

    def work(seed: int) -> None:
        own = array("d")          # not a block for each
        while not stop.is_set():
            begun = time.perf_counter()
            result = runtime.run(REQUEST, {"seed": seed})
            own.append(time.perf_counter() - begun)
            if not result.ok:
                failed.append(result.error)
            seed += 1
        latencies.extend(own)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    try:
        between(seconds)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    return latencies, len(failed)


def switches(name: str, count: int) -> dict[str, Any]:
    """Switches from pymalloc to another allocator and back under load, beside the same load without any."""
    runtime = kr.Runtime(limits=kr.Limits(memory=None))
    allocator.use("pymalloc")
    allocator.prepare(name)
    taken = array("d")

    def switch(seconds: float) -> None:
        for _ in range(count):
            for each in (name, "pymalloc"):
                time.sleep(seconds / count / 2)
                begun = time.perf_counter()
                allocator.use(each)
                taken.append(time.perf_counter() - begun)

    seconds = 2 * PAUSE * count
    load(1.0, runtime, time.sleep)
    gc.collect()
    size = resident()
    normal, failed = load(seconds, runtime, time.sleep)
    under, failed_too = load(seconds, runtime, switch)
    again, failed_after = load(seconds, runtime, time.sleep)
    gc.collect()
    usual = max(percentile(normal, 0.99), percentile(again, 0.99))
    return {"runs": len(under), "failed": failed + failed_too + failed_after,
            "normal_p99_ms": usual * 1e3, "p99_ms": percentile(under, 0.99) * 1e3, "p99_ratio": percentile(under, 0.99) / usual,
            "over_twice_normal": sum(each > 2 * usual for each in normal + again) / (len(normal) + len(again)),
            "over_twice_under_switches": sum(each > 2 * usual for each in under) / len(under),
            "switch_us": percentile(taken, 0.5) * 1e6, "longest_switch_us": max(taken) * 1e6,
            "resident_more_mb": (resident() - size) / 1e6}


def in_process(name: str, arguments: list[str]) -> dict[str, Any] | str:
    """The figures of an allocator from a process of its own, or why there are none."""
    try:
        library = allocator.preloads(name)
    except allocator.AllocatorError as error:
        return str(error)
    environment = {**os.environ, **({"LD_PRELOAD": library} if library else {})}
    done = subprocess.run([sys.executable, __file__, "--one", name, *arguments], capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"allocator {name}: the process ended with {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def show_table(found: dict[str, Any]) -> None:
    names = [path.stem for path in PROGRAMS]
    heads = "".join(f"{name:>16}" for name in names)
    print(f"{'':<10}{heads}{'then':>10}{'runs/s':>10}{'after 10 %':>12}{'at the end':>12}")
    for name, row in found.items():
        if isinstance(row, str):
            print(f"{name:<10}{row}")
            continue
        print(f"{name:<10}" + "".join(f"{row['seconds'][each]:>14.3f} s" for each in names)
              + f"{row['resident_after_programs_mb']:>7.0f} MB{row['runs_a_second']:>10.0f}"
              + f"{row['resident_early_mb']:>9.1f} MB{row['resident_end_mb']:>9.1f} MB")


def show_switches(found: dict[str, Any]) -> None:
    for name, row in found.items():
        if isinstance(row, str):
            print(f"{name:<10}{row}")
            continue
        print(f"{name:<10}{row['runs']} runs, {row['failed']} failed; 99th percentile {row['p99_ms']:.2f} ms, normal "
              f"{row['normal_p99_ms']:.2f} ({row['p99_ratio']:.2f} of it); over twice it {row['over_twice_under_switches']:.3%}"
              f" of the runs, {row['over_twice_normal']:.3%} without switches; a switch takes {row['switch_us']:.1f} us, at most "
              f"{row['longest_switch_us']:.0f}; afterwards {row['resident_more_mb']:+.1f} MB")


def main(argv: list[str] | None = None) -> int:
    """The command line. Returns 1 when a run failed, or the latencies under switches are over twice the normal ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100_000, help="small guests that the service runs")
    parser.add_argument("--switches", type=int, metavar="N", help="switch N times there and back under load instead")
    parser.add_argument("--only", nargs="+", choices=allocator.NAMES, default=list(allocator.NAMES))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.one:
        print(json.dumps(switches(options.one, options.switches) if options.switches else one(options.one, options.runs)))
        return 0
    names = [name for name in options.only if not (options.switches and name == "pymalloc")]
    arguments = ["--switches", str(options.switches)] if options.switches else ["--runs", str(options.runs)]
    found = {name: in_process(name, arguments) for name in names}
    if options.json:
        print(json.dumps(found, indent=2))
    elif options.switches:
        show_switches(found)
    else:
        show_table(found)
    return any(isinstance(row, dict) and options.switches and (row["failed"] or row["p99_ratio"] > 2) for row in found.values())


if __name__ == "__main__":
    raise SystemExit(main())
