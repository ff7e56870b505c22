"""Generator pipelines: read, parse, filter, group, window, merge."""
import heapq
from itertools import accumulate, chain, groupby, islice, takewhile


def numbers(limit):
    n = 1
    while n < limit:
        yield n
        n += 1


def parse(lines):
    for line in lines:
        key, _, value = line.partition("=")
        if value:
            yield key.strip(), int(value)


def only_even(pairs):
    for key, value in pairs:
        if value % 2 == 0:
            yield key, value


def windows(items, size):
    window = []
    for item in items:
        window.append(item)
        if len(window) > size:
            del window[0]
        if len(window) == size:
            yield tuple(window)


def batches(items, size):
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def primes():
    found = []
    n = 2
    while True:
        if all(n % p for p in takewhile(lambda p: p * p <= n, found)):
            found.append(n)
            yield n
        n += 1


def tree(depth):
    if depth:
        yield from tree(depth - 1)
        yield depth
        yield from tree(depth - 1)


def main():
    lines = (f"key{n % 13} = {n * 3}" for n in numbers(12000))
    totals = {}
    for key, value in only_even(parse(lines)):
        totals[key] = totals.get(key, 0) + value
    smooth = [sum(window) / 5 for window in windows((n * n % 101 for n in range(8000)), 5)]
    sizes = [len(batch) for batch in batches(range(5000), 64)]
    runs = [(key, sum(1 for _ in group)) for key, group in groupby(sorted(n % 17 for n in range(4000)))]
    merged = list(heapq.merge(range(0, 6000, 3), range(0, 6000, 5), range(0, 6000, 7)))
    return (sorted(totals.items()), round(sum(smooth), 6), len(sizes), runs[:3], len(merged), sum(islice(primes(), 700)), sum(tree(11)),
            list(accumulate(chain(range(5), range(5))))[-1])
