"""What a host pays for small things, beside other embeddable interpreters where they are installed and have the same thing.

    python benchmarks/peers.py [--json]

Peers (extra ``bench-peers``): pydantic-monty, littrs, interpretthis. Each figure is the least of several rounds, in microseconds
of wall time; everything is measured in one process, round by round, so that a slow moment of the machine concerns all.
"""
from __future__ import annotations

import argparse
import importlib
import json
import pathlib
import tempfile
from time import perf_counter

import kimi_runtime as kr

ROUNDS = 10
TASKS = {
    "warm session 1+1": 500, "fresh session 1+1": 500, "host call": 20, "mounted file read": 100,
    "100,000 ints in and out": 2,
    "snapshot: dump": 200, "snapshot: load": 200,
}
SLOW = {"Monty", "interpretthis"}     # whose times are a hundred times ours
CALLS = 100         # of the host function in one program, so that what a run costs does not count
SUSPENDING = """
def work(items):
    total = 0
    for item in items:
        total += ask(item)
    return total
work([1, 2, 3])
"""


def kimi(folder, ints):
    rt = kr.Runtime(functions={"f": lambda x: x}, mounts=[kr.Mount(folder, "/data")])
    warm = rt.session()
    asking = kr.Runtime()
    step = asking.session().start(SUSPENDING, suspend_on={"ask"})
    blob = step.dump()

    def load():
        kr.load(blob, asking).session.close()

    return {
        "warm session 1+1": lambda: warm.run("1+1"),
        "fresh session 1+1": lambda: rt.session().run("1+1"),
        "host call": lambda: warm.run(f"for _ in range({CALLS}): f(1)"),
        "mounted file read": lambda: warm.run("open('/data/a.txt').read()"),
        "100,000 ints in and out": lambda: warm.run("x", {"x": ints}),
        "snapshot: dump": step.dump,
        "snapshot: load": load,
    }, {"snapshot bytes": len(blob)}, [warm.close, step.close]


def cpython(folder, ints):
    """CPython's own ``exec``, which bounds nothing: for comparison."""
    space = {"f": lambda x: x, "path": f"{folder}/a.txt", "ints": ints}
    loop = compile(f"for _ in range({CALLS}): f(1)", "<exec>", "exec")
    return {
        "warm session 1+1": lambda: exec("1+1", space),
        "fresh session 1+1": lambda: exec("1+1", {}),
        "host call": lambda: exec(loop, space),
        "mounted file read": lambda: exec("open(path).read()", space),
    }, {}, []


def monty(folder, ints):
    module = importlib.import_module("pydantic_monty")
    pool = module.Monty().__enter__()
    held = pool.checkout()
    session = held.__enter__()
    functions = {"f": lambda x: x}
    mount = module.MountDir(host_path=folder, virtual_path="/data", mode="read-only")
    reading = "from pathlib import Path\nPath('/data/a.txt').read_text()"

    def fresh():
        with pool.checkout() as one:
            one.feed_run("1+1")

    def call():     # it allows a session 1,000 calls
        with pool.checkout() as one:
            one.feed_run(f"for _ in range({CALLS}): f(1)", external_lookup=functions)

    return {
        "warm session 1+1": lambda: session.feed_run("1+1"),
        "fresh session 1+1": fresh,
        "host call": call,
        "mounted file read": lambda: session.feed_run(reading, mount=mount),
        "100,000 ints in and out": lambda: session.feed_run("x", inputs={"x": ints}),
    }, {}, [lambda: held.__exit__(None, None, None), lambda: pool.__exit__(None, None, None)]


def interpretthis(folder, ints):
    module = importlib.import_module("interpretthis")
    warm = module.Interpreter(tools={"f": lambda x: x})
    return {
        "warm session 1+1": lambda: warm.execute("1+1"),
        "fresh session 1+1": lambda: module.Interpreter().execute("1+1"),
        "host call": lambda: warm.execute(f"for _ in range({CALLS}): f(x=1)"),
        "100,000 ints in and out": lambda: (warm.execute("y = x", {"x": ints}), warm.get_variable("y")),
    }, {}, []


def littrs(folder, ints):
    module = importlib.import_module("littrs")
    warm = module.Sandbox()
    warm.register("f", lambda x: x)
    return {
        "warm session 1+1": lambda: warm.run("1+1"),
        "fresh session 1+1": lambda: module.Sandbox().run("1+1"),
        "host call": lambda: warm.run(f"for _ in range({CALLS}): f(1)"),
    }, {}, []


ENGINES = {"kimi_runtime": kimi, "CPython exec": cpython, "Monty": monty, "littrs": littrs, "interpretthis": interpretthis}


def measure():
    """Figures by engine and task; the names of engines that are not there, with the reason."""
    folder = tempfile.TemporaryDirectory()
    pathlib.Path(folder.name, "a.txt").write_text("hello\n" * 10)
    ints = list(range(100_000))
    found, missing, engines, ends = {}, {}, {}, []
    for name, make in ENGINES.items():
        try:
            engines[name], extra, closing = make(folder.name, ints)
        except Exception as error:  # a peer that is not installed, or has another interface than the one known here
            missing[name] = f"{type(error).__name__}: {error}"
            continue
        found[name] = dict(extra)
        ends += closing
    for _ in range(ROUNDS):
        for name, tasks in engines.items():
            for task, number in TASKS.items():
                if task not in tasks or found[name].get(task) == "failed":
                    continue
                try:
                    tasks[task]()
                    if name in SLOW:
                        number = max(number // 10, 1)
                    start = perf_counter()
                    for _ in range(number):
                        tasks[task]()
                    spent = (perf_counter() - start) / number * 1e6 / (CALLS if task == "host call" else 1)
                except Exception as error:
                    found[name][task] = "failed"
                    missing[f"{name}, {task}"] = f"{type(error).__name__}: {error}"
                    continue
                found[name][task] = min(found[name].get(task, 1e12), spent)
    for end in ends:
        end()
    folder.cleanup()
    return found, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found, missing = measure()
    if arguments.json:
        print(json.dumps({"microseconds": found, "missing": missing}, indent=1))
        return
    print(f"{'microseconds':26}" + "".join(f"{name:>15}" for name in found))
    for task in [*TASKS, "snapshot bytes"]:
        row = [found[name].get(task) for name in found]
        texts = ["–" if each is None else each if isinstance(each, str) else f"{each:,.2f}" for each in row]
        print(f"{task:26}" + "".join(f"{text:>15}" for text in texts))
    for name, why in missing.items():
        print(f"{name}: {why[:150]}")


if __name__ == "__main__":
    main()
