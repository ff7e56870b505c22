"""What a host service waits for: start-up, worker processes, host calls, imports of guests.

    python benchmarks/host_surface.py [--json]

Each figure stands beside its target; the exit status is the number of those that are missed. Start-up is processor time in
processes of their own, the best of several. Medians are of wall time: they mean something on a machine without other work.
"""
from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time

import kimi_runtime as kr
from figures import Targets, command

__all__ = ["measure"]

TARGETS: Targets = {
    "import of the package, beyond bare Python": ("ms", 60.0),
    "memory after the import, beyond bare Python": ("MB", 12.0),
    "guest import of json, re, datetime, collections, warm": ("ms", 1.0),
    "run 1 + 1, inline": ("us", None),
    "host call, inline": ("us", None),
    "line to on_stdout, inline": ("us", None),
    "run 1 + 1, worker process, median": ("us", 150.0),
    "fresh worker from the warm template, median": ("ms", 5.0),
    "fresh worker from the warm template, best": ("ms", None),
    "run in a fresh worker, median": ("ms", None),
    "host call, worker process": ("us", None),
    "line to on_stdout, worker process": ("us", None),
    "template start, once in the process": ("ms", None),
}
MEMORY = "print(int(open('/proc/self/statm').read().split()[1]) * 4096)"


def best_of(times: int, program: str) -> float:
    """Processor seconds that a fresh interpreter needs for a program."""
    best = 1e9
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", program], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def memory(program: str) -> int:
    """Bytes that an interpreter has in use after a program."""
    command = [sys.executable, "-c", f"{program}\n{MEMORY}"]
    return min(int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(3))


def each_of(times: int, call) -> list[float]:
    """Seconds of each call."""
    clock, found = time.perf_counter, []
    for _ in range(times):
        start = clock()
        call()
        found.append(clock() - start)
    return found


def loop(rt: kr.Runtime, body: str, times: int, **settings) -> float:
    """Seconds of one turn of a guest's loop, without what the loop itself takes."""
    def seconds(what: str) -> float:
        source = f"for _ in range({times}): {what}"
        return min(each_of(5, lambda: rt.run(source, {"f": lambda: None}, limits=None, check=True, **settings)))

    return (seconds(body) - seconds("pass")) / times


def measure() -> dict[str, float]:
    """Return all figures in their units."""
    found: dict[str, float] = {}
    names = iter(TARGETS)
    bare = best_of(9, "pass")
    found[next(names)] = 1e3 * (best_of(9, "import kimi_runtime") - bare)
    found[next(names)] = (memory("import kimi_runtime") - memory("")) / 1e6
    imports = "import json, re, datetime, collections"
    kr.run(imports)
    found[next(names)] = 1e3 * statistics.median(each_of(200, lambda: kr.run(imports)))
    found[next(names)] = 1e6 * statistics.median(each_of(20_000, lambda: kr.run("1 + 1")))
    inline = kr.Runtime()
    found[next(names)] = 1e6 * loop(inline, "f()", 20_000)
    found[next(names)] = 1e6 * loop(inline, "print(1)", 20_000, on_stdout=lambda text: None)
    start = time.perf_counter()
    with kr.Runtime(isolation="process", workers=1) as rt:
        rt.run("1 + 1")
        template = time.perf_counter() - start
        found[next(names)] = 1e6 * statistics.median(each_of(3000, lambda: rt.run("1 + 1")))
        starts = each_of(60, rt.start_worker)
        found[next(names)] = 1e3 * statistics.median(starts)
        found[next(names)] = 1e3 * min(starts)
        with kr.Runtime(isolation="process", workers=1, fresh=True) as fresh:
            found[next(names)] = 1e3 * statistics.median(each_of(60, lambda: fresh.run("1 + 1")))
        found[next(names)] = 1e6 * loop(rt, "f()", 2000)
        found[next(names)] = 1e6 * loop(rt, "print(1)", 2000, on_stdout=lambda text: None)
    found[next(names)] = 1e3 * template
    return found


if __name__ == "__main__":
    sys.exit(command(__doc__, TARGETS, measure))
