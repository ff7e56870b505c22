"""The hot tier: warm speed, total time from process start, and how a cold process warms up.

    python benchmarks/jit.py                 the twelve programs, warm, against the fastest CPython, and PyPy where it is there
    python benchmarks/jit.py --total         whole processes that take CPython 50 ms, 200 ms and 1 s
    python benchmarks/jit.py --warm-up       a service of mixed snippets: time of responses from the first one on
    python benchmarks/jit.py --compile       what compiling costs: milliseconds and bytes for each function

A ratio is the other one's time divided by ours: above 1 we are faster. Results are compared.
"""
from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

from engines import PROGRAMS, Engine, fastest_cpython, geometric_mean, host_for, program

ROUNDS, CALLS = 5, 8
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parents[1])}

#: Programs whose length is a number of rounds.
KERNELS = {
    "ints": "def main(n):\n    t = 0\n    for i in range(n):\n        t = (t * 3 + i) % 1000003\n    return t\n",
    "floats": "def main(n):\n    x = 0.5\n    for i in range(n):\n        x = 3.7 * x * (1.0 - x)\n    return x\n",
    "objects": ("class A:\n    def __init__(self):\n        self.n = 0\n"
                "    def add(self, k):\n        self.n += k\n        return self.n\n"
                "def main(n):\n    a = A()\n    for i in range(n):\n        a.add(i & 7)\n    return a.n\n"),
    "dicts": ("def main(n):\n    d = {}\n    for i in range(n):\n        k = i % 97\n        d[k] = d.get(k, 0) + i\n"
              "    return sum(d.values())\n"),
}
SNIPPETS = [
    "t = 0\nfor i in range({n}):\n    t += i * i % 7\nt",
    "def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\nf({small})",
    "words = {{}}\nfor i in range({n}):\n    w = 'w' + str(i % 13)\n    words[w] = words.get(w, 0) + 1\nlen(words)",
    "xs = [i * 3 % 101 for i in range({n})]\nsorted(xs)[len(xs) // 2]",
    "class P:\n    def __init__(self, x): self.x = x\n    def step(self, k):\n        self.x = (self.x * 31 + k) % 997\n"
    "p = P(1)\nfor i in range({n}): p.step(i)\np.x",
]


def with_tier(python: str) -> Engine:
    """A worker whose guests are compiled; the environment says so."""
    os.environ["KIMI_JIT"] = "1"
    try:
        return Engine("kimi", python)
    finally:
        del os.environ["KIMI_JIT"]


def warm(names: list[str]) -> None:
    base = fastest_cpython()
    host = host_for(base)
    engines = {"CPython": Engine("cpython", base), "interpreter": Engine("kimi", host), "hot tier": with_tier(host)}
    pypy = shutil.which("pypy3")
    if pypy:
        engines["PyPy"] = Engine("cpython", pypy)
    for name, engine in engines.items():
        print(f"{name}: {engine.description} at {engine.python}")
    heads = "".join(f"{name:>12}" for name in engines)
    print(f"\n{'milliseconds':14}{heads}   tier: of CPython" + ("  of PyPy" if pypy else ""))
    ratios: dict[str, list[float]] = {"CPython": [], "interpreter": [], "PyPy": []}
    for name in names:
        best = dict.fromkeys(engines, 1e9)
        results = set()
        for _ in range(ROUNDS):
            for each, engine in engines.items():
                seconds, result = engine.time(name, program(name), calls=CALLS)
                best[each] = min(best[each], seconds)
                results.add(result)
        if len(results) != 1:
            print(f"{name}: WRONG RESULT {results}")
            continue
        for each in ratios:
            if each in best:
                ratios[each].append(best[each] / best["hot tier"])
        line = f"{name:14}" + "".join(f"{seconds * 1e3:12.2f}" for seconds in best.values())
        print(line + f"{ratios['CPython'][-1]:19.2f}" + (f"{ratios['PyPy'][-1]:9.2f}" if pypy else ""))
    for each, values in ratios.items():
        if values:
            print(f"geometric mean, times as fast as {each}: {geometric_mean(values):.2f}; least {min(values):.2f}")


def process_seconds(command: list[str]) -> float:
    best = 1e9
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=ENVIRONMENT)
        best = min(best, time.perf_counter() - start)
    return best


def total(folder: pathlib.Path) -> None:
    """Whole processes: start, import, interpreting, compiling and running."""
    base = fastest_cpython()
    pypy = shutil.which("pypy3")
    print(f"milliseconds of whole processes; CPython is {base}")
    print(f"{'program':10}{'rounds':>10}{'CPython':>10}{'interpreter':>13}{'hot tier':>10}" + (f"{'PyPy':>8}" if pypy else ""))
    for name, source in KERNELS.items():
        space: dict = {}
        exec(source, space)     # noqa: S102 — programs of this file
        start = time.perf_counter()
        space["main"](50_000)
        each = (time.perf_counter() - start) / 50_000
        for seconds in (0.05, 0.2, 1.0):
            rounds = int(seconds / each)
            path = folder / f"{name}.py"
            path.write_text(f"{source}print(main({rounds}))\n")
            ways = [[base, str(path)], [sys.executable, "-m", "kimi_runtime", str(path)],
                    [sys.executable, "-m", "kimi_runtime", "run", "--jit", str(path)], *([[pypy, str(path)]] if pypy else [])]
            figures = [process_seconds(way) * 1e3 for way in ways]
            print(f"{name:10}{rounds:10}{figures[0]:10.0f}{figures[1]:13.0f}{figures[2]:10.0f}"
                  + (f"{figures[3]:8.0f}" if pypy else ""))


#: Runs in a process of its own: prints when each response came and how long it took.
SERVICE = """
import sys, time, json
start = time.perf_counter()
import kimi_runtime as kr
how, seconds, snippets = json.loads(sys.argv[1])
jit = {"off": lambda: None, "default": kr.JIT, "window": lambda: kr.JIT(warmup_window=0.5)}[how]()
runtime = kr.Runtime(jit=jit, limits=kr.Limits(seconds=20))
times = []
turn = 0
while time.perf_counter() - start < seconds:
    source = snippets[turn % len(snippets)].format(n=3000 + turn % 7 * 500, small=12 + turn % 5)
    began = time.perf_counter()
    runtime.run(source, check=True)
    times.append((began - start, time.perf_counter() - began))
    turn += 1
first = next((event["at"] for event in jit.log.events if event["event"] == "compiled"), None) if jit else None
print(json.dumps({"times": times, "first": first, "stats": runtime.jit_stats()}))
"""


def warm_up(seconds: float) -> None:
    import json

    found = {}
    for how in ("off", "default", "window"):
        command = [sys.executable, "-c", SERVICE, json.dumps([how, seconds, SNIPPETS])]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT)
        found[how] = json.loads(done.stdout)
    print(f"{'':10}{'responses':>10}{'median ms':>11}{'p99 ms':>9}{'first compilation, s':>22}{'compiled':>10}")
    for how, made in found.items():
        spent = sorted(took for _, took in made["times"])
        first = "-" if made["first"] is None else f"{made['first']:.3f}"
        late = spent[len(spent) * 99 // 100]
        print(f"{how:10}{len(spent):10}{statistics.median(spent) * 1e3:11.3f}{late * 1e3:9.3f}{first:>22}"
              f"{made['stats'].get('compiled', 0):10}")
    print("\nmedian milliseconds of responses over time (each # is 0.1 ms)")
    steps = 8
    for step in range(steps):
        low, high = seconds * step / steps, seconds * (step + 1) / steps
        for how, made in found.items():
            there = [took for at, took in made["times"] if low <= at < high]
            if there:
                median = statistics.median(there) * 1e3
                print(f"{low:5.2f} s {how:8}{median:8.3f} " + "#" * min(round(median * 10), 90))


def compile_cost(names: list[str]) -> None:
    sys.path.insert(0, ENVIRONMENT["PYTHONPATH"])
    import kimi_runtime as kr

    jit = kr.JIT(background=False, loop_threshold=2000, call_threshold=500)
    for name in names:
        with kr.Runtime(jit=jit, limits=kr.Limits(seconds=60)).session() as session:
            session.run(program(name))
            for _ in range(3):
                session.run("main()").unwrap()
    made = [event for event in jit.log.events if event["event"] == "compiled"]
    spent = sorted(event["milliseconds"] for event in made)
    print(f"{len(made)} functions and loops: median {statistics.median(spent):.1f} ms, 99th percentile "
          f"{spent[len(spent) * 99 // 100]:.1f} ms, {sum(event['bytes'] for event in made)} bytes")
    for event in made:
        print(f"  {event['function']}@{event['instruction']}: {event['milliseconds']:.1f} ms, {event['bytes']} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", nargs="*", default=list(PROGRAMS), metavar="PROGRAM")
    parser.add_argument("--total", action="store_true")
    parser.add_argument("--warm-up", action="store_true")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--seconds", type=float, default=4.0, help="of the warm-up benchmark")
    args = parser.parse_args()
    if args.total:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            total(pathlib.Path(folder))
    elif args.warm_up:
        warm_up(args.seconds)
    elif args.compile:
        compile_cost(args.only)
    else:
        warm(args.only)


if __name__ == "__main__":
    main()
