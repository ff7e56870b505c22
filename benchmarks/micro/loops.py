"""Loops over the common iterables. Every bench_ function runs n iterations and returns a checkable value."""


def bench_empty_loop(n):
    i = 0
    while i < n:
        i += 1
    return i


def bench_for_range(n):
    x = 0
    for i in range(n):
        x = i
    return x


def bench_for_range_step(n):
    x = 0
    for i in range(0, n * 3, 3):
        x = i
    return x


def bench_for_list(n):
    items = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] * 100
    x = 0
    for _ in range(n // 1000):
        for item in items:
            x = item
    return x


def bench_for_dict(n):
    table = dict.fromkeys(range(1000))
    x = 0
    for _ in range(n // 1000):
        for key in table:
            x = key
    return x


def bench_for_dict_items(n):
    table = {i: i + 1 for i in range(1000)}
    x = 0
    for _ in range(n // 1000):
        for key, value in table.items():
            x = value
    return key, x


def bench_for_enumerate(n):
    items = list(range(1000))
    x = 0
    for _ in range(n // 1000):
        for i, item in enumerate(items):
            x = i
    return x, item


def bench_for_zip(n):
    left = list(range(1000))
    right = list(range(1000, 2000))
    x = 0
    for _ in range(n // 1000):
        for a, b in zip(left, right):
            x = b
    return a, x


def bench_for_str(n):
    text = "abcdefghij" * 100
    x = ""
    for _ in range(n // 1000):
        for ch in text:
            x = ch
    return x


def bench_for_pairs(n):
    pairs = [(i, i + 1) for i in range(1000)]
    x = 0
    for _ in range(n // 1000):
        for a, b in pairs:
            x = b
    return a, x


def bench_nested_break(n):
    found = 0
    for i in range(n // 4):
        for j in range(8):
            if j == 3:
                found += 1
                break
    return found


def bench_list_comp(n):
    out = []
    for _ in range(n // 100):
        out = [i for i in range(100)]
    return out[-1]


def bench_list_comp_filter(n):
    out = []
    for _ in range(n // 100):
        out = [i + 1 for i in range(100) if i & 1]
    return out[-1]


def bench_set_comp(n):
    out = set()
    for _ in range(n // 100):
        out = {i & 31 for i in range(100)}
    return len(out)


def bench_dict_comp(n):
    out = {}
    for _ in range(n // 100):
        out = {i: i for i in range(100)}
    return len(out)


def bench_genexpr_sum(n):
    total = 0
    for _ in range(n // 100):
        total += sum(i for i in range(100))
    return total


def bench_any_genexpr(n):
    hits = 0
    for _ in range(n // 100):
        hits += any(i == 99 for i in range(100))
    return hits
