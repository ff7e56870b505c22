"""What limits cost: the same programs with all limits, without that of memory, and without any, in interleaved rounds.

    python benchmarks/limits_cost.py                 the twelve programs, those that allocate much, and the cold path
    python benchmarks/limits_cost.py --only strings  some of them
    python benchmarks/limits_cost.py --check         exit code 1 when all limits cost more than 3 % on the twelve

Each setting has a process of its own: a process that never limits memory keeps CPython's allocators as they are. The
table shows seconds without limits, and for each setting time divided by that: below 1 it is faster.
"""

from __future__ import annotations

import argparse
import sys

from engines import HERE, PROGRAMS, Engine, geometric_mean, program

ALLOCATION = ("binary_trees", "lists_and_dicts", "strings", "simulation")
SETTINGS: dict[str, list[list[object]] | None] = {
    "none": None,
    "no memory limit": [["memory", None], ["instructions", 10**12], ["cpu_seconds", 1000]],
    "all": [["instructions", 10**12], ["cpu_seconds", 1000]],
}
TARGET = 1.03


def source_of(name: str) -> str:
    """Source of a program of either kind."""
    return program(name) if name in PROGRAMS else (HERE / "allocation" / f"{name}.py").read_text()


def measure(engines: dict[str, Engine], name: str, rounds: int) -> dict[str, float]:
    """Best seconds of a program for each setting. Raises ValueError when their results differ."""
    best = dict.fromkeys(SETTINGS, 1e9)
    results = set()
    for _ in range(rounds):
        for setting, limits in SETTINGS.items():
            reply = engines[setting].ask(
                do="time", key=name, source=source_of(name), entry="main", arguments=[], calls=3, limits=limits
            )
            best[setting] = min(best[setting], reply["seconds"])
            results.add(reply["result"])
    if len(results) != 1:
        raise ValueError(f"{name}: the results differ: {results}")
    return best


def measure_cold(engines: dict[str, Engine], rounds: int) -> dict[str, float]:
    best = dict.fromkeys(SETTINGS, 1e9)
    for _ in range(rounds * 3):
        for setting, limits in SETTINGS.items():
            best[setting] = min(best[setting], engines[setting].ask(do="one_plus_one", count=20_000, limits=limits)["seconds"])
    return best


def show(name: str, ratios: dict[str, float], seconds: str) -> None:
    print(f"{name:18} {seconds:>10} " + " ".join(f"{ratios[setting]:16.3f}" for setting in list(SETTINGS)[1:]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    engines = {setting: Engine("kimi") for setting in SETTINGS}
    means: dict[str, dict[str, float]] = {}
    print(f"{'':18} {'no limits':>10} " + " ".join(f"{setting:>16}" for setting in list(SETTINGS)[1:]))
    try:
        for title, names in (("the twelve", PROGRAMS), ("allocation", ALLOCATION)):
            chosen = [name for name in names if not options.only or name in options.only]
            rows = {name: measure(engines, name, options.rounds) for name in chosen}
            for name, best in rows.items():
                show(name, {setting: best[setting] / best["none"] for setting in SETTINGS}, f"{best['none'] * 1e3:.2f} ms")
            if rows:
                means[title] = {
                    setting: geometric_mean([best[setting] / best["none"] for best in rows.values()]) for setting in SETTINGS
                }
                show(title, means[title], "mean")
        if not options.only or "1+1" in options.only:
            best = measure_cold(engines, options.rounds)
            show("run('1+1')", {setting: best[setting] / best["none"] for setting in SETTINGS}, f"{best['none'] * 1e6:.2f} µs")
    finally:
        for engine in engines.values():
            engine.close()
    if options.check and means["the twelve"]["all"] > TARGET:
        print(f"all limits cost more than {TARGET - 1:.0%} on the twelve programs")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
