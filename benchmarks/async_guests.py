"""Many guests that wait for the host under one event loop: memory, and how long the loop stalls.

    python benchmarks/async_guests.py [N] [--source TEXT] [--park SECONDS] [--collect] [--json]

N guests (10,000 unless said) each await a host function, which answers once all of them wait: one answer each half millisecond.
They are begun 16 at a time, as requests come to a service: ten thousand tasks that begin in one turn of the loop hold it up
without any guest. A task of the loop wakes every millisecond and notes how late it comes. Guests are parked after 10 ms
(`Runtime(park_after=...)`) unless `--park` says otherwise; a negative number turns that off. Full collections of CPython's
garbage collector look at all objects of the process, which takes longer than a stall may: they are left out, as services with
many objects do (`gc.set_threshold`), unless `--collect` is given.
"""
from __future__ import annotations

import argparse
import asyncio
import gc
import sys
from time import perf_counter

import kimi_runtime as kr
from figures import Targets, report, resident

__all__ = ["measure"]

SOURCE = "import asyncio\nasync def main():\n    return await fetch('a') + 1\nasyncio.run(main())"
TARGETS: Targets = {
    "guests that finished": ("", None),
    "memory of all": ("MB", 100.0),
    "memory of each": ("KB", None),
    "start of all": ("s", None),
    "end of all": ("s", None),
    "stall of the loop, median": ("ms", None),
    "stall of the loop, 99 %": ("ms", 5.0),
    "stall of the loop, longest": ("ms", 5.0),
}


async def tick(late: list[float]) -> None:
    """Notes how late it wakes."""
    while True:
        start = perf_counter()
        await asyncio.sleep(0.001)
        late.append(perf_counter() - start - 0.001)


async def run_all(count: int, source: str, park_after: float | None) -> dict[str, float]:
    waiting: list[asyncio.Future[None]] = []
    everybody = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def fetch(name: str) -> int:
        answer = loop.create_future()
        waiting.append(answer)
        if len(waiting) == count:
            everybody.set()
        await answer
        return 41

    rt = kr.Runtime(functions={"fetch": fetch}, park_after=park_after)
    first = asyncio.create_task(rt.run_async(source))
    while not waiting:
        await asyncio.sleep(0.001)
    waiting.pop().set_result(None)
    assert (await first).value == 42
    before = resident()
    late: list[float] = []
    ticker = asyncio.create_task(tick(late))
    start = perf_counter()
    guests = []
    while len(guests) < count:
        guests += [asyncio.create_task(rt.run_async(source)) for _ in range(min(16, count - len(guests)))]
        await asyncio.sleep(0)
    await everybody.wait()
    started = perf_counter() - start
    if park_after is not None:
        await asyncio.sleep(park_after + 1.0)       # until the last ones are parked
    memory = resident() - before
    start = perf_counter()
    for each in waiting:        # one after the other: to wake all of them at once would be a stall of the host's making
        each.set_result(None)
        await asyncio.sleep(0.0005)
    results = [await each for each in guests]
    ended = perf_counter() - start
    ticker.cancel()
    late.sort()
    figures = [sum(each.value == 42 for each in results), memory / 1e6, memory / 1024 / count, started, ended,
               1e3 * late[len(late) // 2], 1e3 * late[len(late) * 99 // 100], 1e3 * late[-1]]
    return dict(zip(TARGETS, figures, strict=True))


def measure(
    count: int = 10_000, source: str = SOURCE, park_after: float | None = 0.01, collect: bool = False
) -> dict[str, float]:
    """Return all figures in their units."""
    before = gc.get_threshold()
    if not collect:
        gc.set_threshold(before[0], before[1], 1_000_000)
    try:
        return asyncio.run(run_all(count, source, park_after))
    finally:
        gc.set_threshold(*before)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=10_000, metavar="N", help="guests")
    parser.add_argument("--source", default=SOURCE, help="what each of them runs; its value must be 42")
    parser.add_argument("--park", type=float, default=0.01, metavar="SECONDS", help="after which guests are parked")
    parser.add_argument("--collect", action="store_true", help="with full collections of garbage")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    found = measure(options.count, options.source, None if options.park < 0 else options.park, options.collect)
    lost = ["guests that finished"] if found["guests that finished"] != options.count else []
    return report(found, TARGETS, options.json, lost, 40)


if __name__ == "__main__":
    sys.exit(main())
