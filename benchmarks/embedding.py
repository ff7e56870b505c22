"""All that embedding costs, in one table: beside its targets, CPython's `exec`, and other interpreters where they are installed.

    python benchmarks/embedding.py [--guests N] [--json]

Sessions, host calls, files, values, snapshots, and guests that wait under one event loop: what `peers.py`, `snapshots.py` and
`async_guests.py` measure, each in a process of its own, one after the other. Peers: ``pip install 'kimi-runtime[bench-peers]'``.
It wants a release build and a machine without other work, and takes about a minute and a half. The exit status is the number of
targets that are missed.
"""
from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
#: Row of the table -> (unit, the most that it may be, what `peers.py` calls it).
SMALL_THINGS = {
    "warm session, run('1+1')": ("us", 0.9, "warm session 1+1"),
    "fresh session, made and run('1+1')": ("us", 1.5, "fresh session 1+1"),
    "host call": ("us", 0.5, "host call"),
    "mounted file read": ("us", 20, "mounted file read"),
    "100,000 ints in and out": ("us", 1000, "100,000 ints in and out"),
}
WAITING = {
    "memory of all": ("MB", 100),
    "stall of the loop, median": ("ms", None),
    "stall of the loop, 99 %": ("ms", 5),
    "stall of the loop, longest": ("ms", 5),
}


def output_of(*arguments: str) -> str:
    """What a benchmark prints. Its exit status tells of missed targets, which are told here."""
    done = subprocess.run([sys.executable, *arguments], cwd=HERE.parent, capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(f"{' '.join(arguments)} has failed:\n{done.stderr}")
    return done.stdout


def measure(guests: int) -> tuple[list[tuple[str, str, float | None, dict[str, float | None]]], list[str]]:
    """Rows: name, unit, target, and the figures by engine; and why engines are missing."""
    found = json.loads(output_of(str(HERE / "peers.py"), "--json"))
    by_engine = found["microseconds"]
    rows = []
    for name, (unit, target, task) in SMALL_THINGS.items():
        figures = {engine: each.get(task) for engine, each in by_engine.items()}
        rows.append((name, unit, target, {key: each if isinstance(each, float) else None for key, each in figures.items()}))
    saved = json.loads(output_of("-c", f"import sys, json; sys.path.insert(0, {str(HERE)!r}); import snapshots; "
                                       "print(json.dumps(snapshots.measure()[0]))"))
    size, save, load = saved["a small program"]
    rows += [("suspended program: snapshot", "bytes", 2048, {"kimi_runtime": size}),
             ("suspended program: saved", "us", 20, {"kimi_runtime": save}),
             ("suspended program: loaded", "us", 40, {"kimi_runtime": load})]
    for name in ("1,000 instances", "1,000 dicts"):
        size, save, load, _ = saved[name]
        other = saved[f"{name}: pickle and lz4"]
        rows += [(f"{name}: snapshot", "bytes", 1.2 * other[0], {"kimi_runtime": size, "pickle, lz4": other[0]}),
                 (f"{name}: saved", "us", 1000, {"kimi_runtime": save, "pickle, lz4": other[1]}),
                 (f"{name}: loaded", "us", 1000, {"kimi_runtime": load, "pickle, lz4": other[2]})]
    waiting = json.loads(output_of(str(HERE / "async_guests.py"), str(guests), "--json"))["figures"]
    lost = guests - waiting["guests that finished"]
    rows.append((f"{guests:,} waiting guests: not finished", "", 1, {"kimi_runtime": lost}))
    rows += [(f"{guests:,} waiting guests: {name}", unit, target, {"kimi_runtime": waiting[name]})
             for name, (unit, target) in WAITING.items()]
    return rows, [f"{name}: {why}" for name, why in found["missing"].items()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--guests", type=int, default=10_000, metavar="N", help="that wait under one event loop")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows, missing = measure(options.guests)
    missed = [name for name, _, target, figures in rows if target is not None and figures["kimi_runtime"] >= target]
    if options.json:
        print(json.dumps({"rows": rows, "missed": missed, "missing": missing}, indent=1))
        return len(missed)
    engines = list(dict.fromkeys(engine for *_, figures in rows for engine in figures))
    print(f"{'':50}{'unit':>6}{'target':>9}" + "".join(f"{engine:>15}" for engine in engines))
    for name, unit, target, figures in rows:
        texts = ["–" if figures.get(engine) is None else f"{figures[engine]:,.2f}" for engine in engines]
        print(f"{name:50}{unit:>6}{'' if target is None else f'{target:,.4g}':>9}" + "".join(f"{text:>15}" for text in texts)
              + ("   MISSED" if name in missed else ""))
    for each in missing:
        print(each[:150])
    return len(missed)


if __name__ == "__main__":
    sys.exit(main())
