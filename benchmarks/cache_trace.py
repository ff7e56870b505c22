"""Hit rates of the parse cache on a trace of requests, against other policies of the same size.

    python benchmarks/cache_trace.py [--requests 100000] [--seed 1]

The trace: 5,000 sources of 200 bytes to 200 KB (log-normal, median 2 KB), of which 12 % get 68 % of the requests for them;
among all requests, 5 % are for sources that never come again, half of these in runs of 200. At most
2,048 entries. The weight of an entry is six times its source, about what compiled code
holds. All policies see the same requests and have the same bounds; the one of
ours is the product's own class, with the weights of the trace.

The bound is Belady's algorithm (what is needed last goes first), which knows the future and looks at the number of entries only.
"""
from __future__ import annotations

import argparse
import heapq
import itertools
import random
import sys
import time
from collections import OrderedDict

import cachetools

from kimi_runtime.cache.codes import CodeCache

SOURCES = 5000
HOT_SHARE, HOT_REQUESTS = 0.12, 0.68
SCAN_SHARE, SCAN_RUN = 0.05, 200
ENTRIES = 2048
WEIGHT_PER_BYTE = 6


def zipf_weights(exponent):
    return [1 / (rank + 1) ** exponent for rank in range(SOURCES)]


def fitted_exponent():
    """The exponent of a Zipf distribution in which the first 12 % get 68 %."""
    low, high = 0.1, 2.0
    for _ in range(50):
        middle = (low + high) / 2
        weights = zipf_weights(middle)
        share = sum(weights[: int(SOURCES * HOT_SHARE)]) / sum(weights)
        low, high = (middle, high) if share < HOT_REQUESTS else (low, middle)
    return low


def make_trace(requests, seed):
    """A list of (key, weight, zone): zone is "hot", "cold" or "scan"."""
    numbers = random.Random(seed)
    sizes = [min(max(int(numbers.lognormvariate(7.6, 1.3)), 200), 200_000) for _ in range(SOURCES)]
    weights = list(itertools.accumulate(zipf_weights(fitted_exponent())))
    fresh = itertools.count()
    trace = []
    run = 0
    while len(trace) < requests:
        if run or numbers.random() < SCAN_SHARE / 2:
            run = max(run - 1, 0)
            trace.append((("scan", next(fresh)), WEIGHT_PER_BYTE * sizes[numbers.randrange(SOURCES)], "scan"))
            continue
        if numbers.random() < SCAN_SHARE / 2 / SCAN_RUN:
            run = SCAN_RUN
        rank = numbers.choices(range(SOURCES), cum_weights=weights)[0]
        zone = "hot" if rank < SOURCES * HOT_SHARE else "cold"
        trace.append((rank, WEIGHT_PER_BYTE * sizes[rank], zone))
    return trace


class Ours:
    def __init__(self, weight):
        self.cache = CodeCache(ENTRIES, weight, lambda value: value)

    def ask(self, key, weight):
        if self.cache.get(key) is not None:
            return True
        self.cache.get_or_make(key, lambda: weight)
        return False


class Plain:
    """Least recently used goes, until number and weight fit."""

    def __init__(self, weight):
        self.entries, self.held, self.most = OrderedDict(), 0, weight

    def ask(self, key, weight):
        if key in self.entries:
            self.entries.move_to_end(key)
            return True
        self.entries[key] = weight
        self.held += weight
        while self.held > self.most or len(self.entries) > ENTRIES:
            self.held -= self.entries.popitem(last=False)[1]
        return False


class Tools:
    """One of cachetools' classes, weighted; what goes for the number of entries is what the class itself picks."""

    def __init__(self, cache):
        self.cache = cache

    def ask(self, key, weight):
        if self.cache.get(key) is not None:
            return True
        if weight <= self.cache.maxsize:
            self.cache[key] = weight
            while len(self.cache) > ENTRIES:
                self.cache.popitem()
        return False


def belady(trace, count_from):
    """Hits by zone of the algorithm that knows the future, for the number of entries only."""
    following = [0] * len(trace)
    last = {}
    for i in range(len(trace) - 1, -1, -1):
        following[i] = last.get(trace[i][0], sys.maxsize)
        last[trace[i][0]] = i
    order = itertools.count()           # keys of different kinds cannot be compared
    held, queue, hits = {}, [], {"hot": 0, "cold": 0, "scan": 0}
    for i, (key, _, zone) in enumerate(trace):
        if key in held:
            if i >= count_from:
                hits[zone] += 1
        elif len(held) >= ENTRIES:
            while queue:
                when, _, other = heapq.heappop(queue)
                if held.get(other) == -when:
                    break
            if -when <= following[i]:        # the newcomer is needed later than all others
                held[other] = -when
                heapq.heappush(queue, (when, next(order), other))
                continue
            del held[other]
        held[key] = following[i]
        heapq.heappush(queue, (-following[i], next(order), key))
    return hits


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--requests", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--weight", type=float, default=64, help="bytes of all entries, in MB")
    options = arguments.parse_args()
    trace = make_trace(options.requests, options.seed)
    weight = int(options.weight * 1e6)
    count_from = options.requests // 5          # the caches fill in the first fifth
    totals = {"hot": 0, "cold": 0, "scan": 0}
    for _, _, zone in trace[count_from:]:
        totals[zone] += 1
    known = totals["hot"] + totals["cold"]
    distinct = {key: size for key, size, zone in trace if zone != "scan"}
    print(f"{options.requests:,} requests, {len(distinct):,} sources of {sum(distinct.values()) / 1e6:.0f} MB compiled, "
          f"scan {totals['scan'] / (options.requests - count_from):.1%} of requests; at most {ENTRIES:,} entries and "
          f"{options.weight:g} MB; counted from request {count_from:,} on")
    print(f"{'policy':28} {'hot zone':>9} {'mean':>8} {'with scans':>11} {'µs/request':>11}")
    clock = itertools.count().__next__
    policies = [
        ("ours", Ours(weight)),
        ("plain LRU", Plain(weight)),
        ("cachetools.LFUCache", Tools(cachetools.LFUCache(weight, getsizeof=lambda value: value))),
        ("cachetools.TTLCache", Tools(cachetools.TTLCache(weight, 20_000, timer=clock, getsizeof=lambda value: value))),
    ]
    for name, policy in policies:
        hits = {"hot": 0, "cold": 0, "scan": 0}
        start = time.perf_counter()
        for i, (key, size, zone) in enumerate(trace):
            if policy.ask(key, size) and i >= count_from:
                hits[zone] += 1
        took = time.perf_counter() - start
        show(name, hits, totals, known, f"{took / len(trace) * 1e6:11.2f}")
    show("optimum (Belady, entries)", belady(trace, count_from), totals, known, "")


def show(name, hits, totals, known, cost):
    print(f"{name:28} {hits['hot'] / totals['hot']:9.1%} {(hits['hot'] + hits['cold']) / known:8.1%} "
          f"{sum(hits.values()) / sum(totals.values()):11.1%} {cost}")


if __name__ == "__main__":
    main()
