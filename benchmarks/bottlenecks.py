"""The bottlenecks that the interpreter was built to be free of, each as a ratio that shows whether it is.

    python benchmarks/bottlenecks.py

* **depth**: a global, a builtin and a variable of the outermost function, read in functions that are nested 1, 2, 4 ... 32
  deep: time of an access, divided by that at depth 1. No more than 1.10.
* **filter**: the peak of memory of ``[x for x in range(1_000_000) if x & 1]``, divided by what the result takes. No more
  than 1.25, which a list that grows leaves unused.
* **getattr**: ``getattr(module, name)`` and ``getattr(obj, name)`` with names from a list, divided by the same accesses
  written with a dot; the loop around both is taken off. No more than 1.5.

Processor time, the best of many rounds in turns. Asserts nothing.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import kimi_runtime as kr

DEPTHS = (1, 2, 4, 8, 16, 32)

CLOCK = """
from time import process_time

def best(function, *arguments):
    least = 1e9
    for _ in range(ROUNDS):
        start = process_time()
        function(*arguments)
        least = min(least, process_time() - start)
    return least
"""

GETATTR = """
import math

class Plain:
    def __init__(self):
        self.alpha = 1
        self.beta = 2

def empty(n):
    for i in range(n):
        pass

def module_dotted(n, m):
    for i in range(n):
        m.pi; m.pi; m.pi; m.pi; m.pi; m.pi; m.pi; m.pi

def module_getattr(n, m, name="pi"):
    for i in range(n):
        getattr(m, name); getattr(m, name); getattr(m, name); getattr(m, name)
        getattr(m, name); getattr(m, name); getattr(m, name); getattr(m, name)

def object_dotted(n, o):
    for i in range(n):
        o.alpha; o.beta; o.alpha; o.beta; o.alpha; o.beta; o.alpha; o.beta

def object_getattr(n, o, first="alpha", second="beta"):
    for i in range(n):
        getattr(o, first); getattr(o, second); getattr(o, first); getattr(o, second)
        getattr(o, first); getattr(o, second); getattr(o, first); getattr(o, second)

o = Plain()
idle = best(empty, 20000)
found = {}
for _ in range(3):
    for name, function, value in (("module", module_dotted, math), ("module getattr", module_getattr, math),
                                  ("object", object_dotted, o), ("object getattr", object_getattr, o)):
        found[name] = min(found.get(name, 1e9), best(function, 20000, value) - idle)
found
"""


def nested(depth: int) -> str:
    """Source whose main(n) reads names n times in a function that many levels deep."""
    lines = ["GLOBAL = 1", "def level_0(n):", "    outermost = 2"]
    for level in range(1, depth + 1):
        lines.append("    " * level + f"def level_{level}(n):")
    lines.append("    " * (depth + 1) + "for i in range(n):")
    lines.append("    " * (depth + 2) + "; ".join(["GLOBAL; outermost; len"] * 4))
    for level in range(depth, 0, -1):
        lines.append("    " * level + f"return level_{level}(n)")
    return "\n".join(lines) + "\n"


def depth_ratios(runtime: kr.Runtime) -> dict[int, float]:
    """Time of the accesses at each depth, relative to depth 1."""
    times = dict.fromkeys(DEPTHS, 1e9)
    for _ in range(4):
        for depth in DEPTHS:
            source = nested(depth) + CLOCK + "best(level_0, 20000)\n"
            times[depth] = min(times[depth], runtime.run(source, {"ROUNDS": 15}, check=True).value)
    return {depth: seconds / times[1] for depth, seconds in times.items()}


def filter_ratio(runtime: kr.Runtime) -> float:
    """Peak of a run that filters a million numbers, relative to the list and its numbers."""
    program = "import sys\nfound = [x for x in range(1_000_000) if x & 1]\nsys.getsizeof(found) + sum(map(sys.getsizeof, found))"
    idle = runtime.run("import sys\n0", check=True).stats.peak_memory
    result = runtime.run(program, check=True)
    return (result.stats.peak_memory - idle) / result.value


def main() -> int:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    runtime = kr.Runtime(limits=kr.Limits(seconds=600))
    ratios = depth_ratios(runtime)
    print("depth    " + "  ".join(f"{depth}: {ratio:.2f}" for depth, ratio in ratios.items()))
    print(f"filter   peak {filter_ratio(runtime):.2f} of the result's bytes")
    found = runtime.run(CLOCK + GETATTR, {"ROUNDS": 15}, check=True).value
    for kind in ("module", "object"):
        plain, dynamic = found[kind] / 160000 * 1e9, found[kind + " getattr"] / 160000 * 1e9
        print(f"getattr  {kind}: {dynamic:.1f} ns against {plain:.1f} ns, {dynamic / plain:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
