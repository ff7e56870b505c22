"""Jobs while workers are killed, jobs cancelled, sizes changed and functions of the host hang: none is lost, none done twice.

    python tests/pool/chaos.py [jobs] [kind]        100,000 jobs of kind thread, unless said otherwise

The suite runs a short form of it (test_chaos.py).
"""
from __future__ import annotations

import concurrent.futures
import random
import sys
import threading
import time
from collections import Counter

import kimi_runtime as kr


def run(jobs: int, kind: str, seed: int = 1) -> dict[str, int]:
    """Does it. Returns how many jobs ended in which way; AssertionError when one was lost or done twice."""
    rng = random.Random(seed)
    begun: Counter[int] = Counter()
    lock, release, stop = threading.Lock(), threading.Event(), threading.Event()

    def note(number: int) -> None:
        with lock:
            begun[number] += 1

    def host_job(number: int, seconds: float) -> int:
        note(number)
        time.sleep(seconds)
        return number

    def hang(number: int) -> int:
        note(number)
        release.wait()
        return number

    pool = kr.Pool(kind, max_workers=12 if kind == "thread" else 6, queue=200, sample_seconds=0.01, idle_seconds=0.05,
                   functions={"note": note, "nap": time.sleep})
    futures: dict[int, kr.pool.Job] = {}

    def disturb() -> None:
        mine = random.Random(seed + 1)
        while not stop.is_set():
            time.sleep(0.005)
            what = mine.random()
            if what < 0.4:
                least = mine.randrange(3)
                pool.resize(least, mine.randrange(max(least, 3), 13 if kind == "thread" else 7))
            elif what < 0.7:
                for number in mine.sample(range(max(1, len(futures))), min(2, len(futures))):
                    if number in futures:
                        futures[number].cancel()
            elif kind == "process":
                inside = pool._runtime._pool
                workers = [worker for worker in (*inside._busy, *inside._idle) if hasattr(worker, "process")]
                if workers:
                    mine.choice(workers).process.signal(9)

    disturber = threading.Thread(target=disturb)
    disturber.start()
    hanging = 0
    try:
        for number in range(jobs):
            what = rng.random()
            if what < 0.0005 and hanging < 2:
                hanging += 1
                futures[number] = pool.submit(hang, number)
            elif what < (0.5 if kind == "thread" else 0.2):
                futures[number] = pool.submit(host_job, number, 0.0005 if what < 0.05 else 0)
            elif what < 0.97:
                futures[number] = pool.submit("note(n); n", {"n": number}, priority=rng.randrange(3))
            else:
                futures[number] = pool.submit("note(n); nap(0.001)\nn", {"n": number})
        release.set()
        done, left = concurrent.futures.wait(list(futures.values()), 120)
        assert not left, f"{len(left)} jobs are lost"
    finally:
        release.set()
        stop.set()
        disturber.join()
        pool.shutdown()
    ends: Counter[str] = Counter()
    for number, future in futures.items():
        times = begun[number]
        assert times <= 1, f"job {number} was done {times} times"
        if future.cancelled():
            assert times == 0, f"job {number} was cancelled and done"
            ends["cancelled"] += 1
            continue
        result = future.result()
        if isinstance(result, int):
            assert result == number and times == 1
            ends["host"] += 1
        elif result.ok:
            assert result.value == number and times == 1
            ends["guest"] += 1
        else:
            assert result.error.crashed or result.error.limit == "cancelled", result.error
            ends["crashed" if result.error.crashed else "stopped"] += 1
    metrics = pool.metrics()
    assert metrics.submitted == jobs == metrics.completed + metrics.cancelled, metrics.to_dict()
    assert (metrics.size, metrics.queued) == (0, 0)
    return dict(ends)


if __name__ == "__main__":
    print(run(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, sys.argv[2] if len(sys.argv) > 2 else "thread"))
