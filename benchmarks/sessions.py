"""What small things cost: runs and sessions of a line or two, and how much of each a process can hold.

    python benchmarks/sessions.py [--json]

Each time is processor time, the best of many rounds, with CPython's `exec` in the same rounds: on a machine with other
work the ratio between the two means more than the microseconds. The exit status is the number of targets that are missed.
"""
from __future__ import annotations

import gc
import sys
from time import process_time_ns

import kimi_runtime as kr
from figures import Targets, command, resident

__all__ = ["measure"]

LINES = "x = 20\nx * 2 + 2"
CELL = "".join(f"v{n} = {n}\n" for n in range(45))
SESSIONS = 16_384
TARGETS: Targets = {
    "CPython, exec('1+1', {})": ("us", None),
    "warm session, run('1+1')": ("us", 0.9),
    "fresh session, made": ("us", 1.5),
    "fresh session, made and run('1+1')": ("us", None),
    "Runtime.run('1+1')": ("us", 4.0),
    "Runtime.run of two lines": ("us", 10.0),
    "45 lines, from the text to the first instruction": ("us", 2.0),
    "sessions that are new, each": ("KB", 4.0),
    "sessions that have run '1+1', each": ("KB", None),
}


def measure(rounds: int = 40, turns: int = 2000) -> dict[str, float]:
    """Return all figures in their units."""
    rt = kr.Runtime()
    session = rt.session()
    cache = kr.ParseCache()
    cache.load(CELL, "<guest>")
    calls = [
        lambda: exec("1+1", {}),
        lambda: session.run("1+1"),
        rt.session,
        lambda: rt.session().run("1+1"),
        lambda: rt.run("1+1"),
        lambda: rt.run(LINES),
        lambda: cache.load(CELL, "<guest>"),
    ]
    best = [1e9] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            start = process_time_ns()
            for _ in range(turns):
                call()
            best[i] = min(best[i], (process_time_ns() - start) / turns / 1000)
    found = dict(zip(TARGETS, best, strict=False))
    names = list(TARGETS)[len(calls):]
    for name, source in zip(names, (None, "1+1"), strict=True):
        gc.collect()
        before = resident()
        kept = [rt.session() for _ in range(SESSIONS)]
        if source is not None:
            for each in kept:
                each.run(source)
        found[name] = (resident() - before) / SESSIONS / 1024
        for each in kept:
            each.close()
        del kept
    return found


if __name__ == "__main__":
    sys.exit(command(__doc__, TARGETS, measure))
