"""Recursion with and without memo: partitions, Catalan numbers, grid paths, word break, permutations, Ackermann."""
from functools import lru_cache


@lru_cache(maxsize=None)
def partitions(n, largest):
    if n == 0:
        return 1
    return sum(partitions(n - part, part) for part in range(min(n, largest), 0, -1))


def catalan(n, memo={}):
    if n <= 1:
        return 1
    if n not in memo:
        memo[n] = sum(catalan(i) * catalan(n - 1 - i) for i in range(n))
    return memo[n]


def paths(rows, columns):
    memo = {}

    def walk(r, c):
        if r == rows - 1 and c == columns - 1:
            return 1
        if r >= rows or c >= columns:
            return 0
        if (r, c) in memo:
            return memo[r, c]
        memo[r, c] = walk(r + 1, c) + walk(r, c + 1)
        return memo[r, c]

    return walk(0, 0)


def permutations(items):
    if len(items) <= 1:
        return [items]
    found = []
    for i, item in enumerate(items):
        for rest in permutations(items[:i] + items[i + 1:]):
            found.append([item] + rest)
    return found


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def hanoi(n, source, target, spare, moves):
    if n:
        hanoi(n - 1, source, spare, target, moves)
        moves.append((source, target))
        hanoi(n - 1, spare, target, source, moves)


def main():
    partitions.cache_clear()
    moves = []
    hanoi(12, "A", "C", "B", moves)
    return partitions(60, 60), catalan(60), paths(60, 60), len(permutations(list(range(7)))), ackermann(2, 60), len(moves)
