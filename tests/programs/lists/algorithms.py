def chunk(xs, n): return [xs[i:i + n] for i in range(0, len(xs), n)]
def rotate(xs, k): k %= len(xs) or 1; return xs[-k:] + xs[:-k] if k else xs[:]
def uniq(xs): seen = set(); return [x for x in xs if not (x in seen or seen.add(x))]
def partition(p, xs): a, b = [], []; [(a if p(x) else b).append(x) for x in xs]; return a, b
def transpose(m): return [list(r) for r in zip(*m)]
def spiral(m):
    out = []
    while m: out += m.pop(0); m = transpose(m)[::-1]
    return out
def two_sum(xs, t):
    seen = {}
    for i, x in enumerate(xs):
        if t - x in seen: return seen[t - x], i
        seen[x] = i
def merge_intervals(iv):
    out = []
    for lo, hi in sorted(iv):
        if out and lo <= out[-1][1]: out[-1][1] = max(out[-1][1], hi)
        else: out.append([lo, hi])
    return out
def runs(xs):
    out = []
    for x in xs:
        if out and out[-1][0] == x: out[-1][1] += 1
        else: out.append([x, 1])
    return out
def prefix(xs): t = 0; return [t := t + x for x in xs]
def pascal(n):
    row = [1]
    for _ in range(n): yield row; row = [a + b for a, b in zip([0] + row, row + [0])]
def next_perm(a):
    a = a[:]
    i = next((i for i in range(len(a) - 2, -1, -1) if a[i] < a[i + 1]), None)
    if i is None: return a[::-1]
    j = next(j for j in range(len(a) - 1, i, -1) if a[j] > a[i])
    a[i], a[j] = a[j], a[i]; a[i + 1:] = reversed(a[i + 1:])
    return a
def water(h): return sum(max(0, min(max(h[:i + 1]), max(h[i:])) - h[i]) for i in range(len(h)))
def product_except(xs):
    out, p = [1] * len(xs), 1
    for i in range(len(xs)): out[i] = p; p *= xs[i]
    p = 1
    for i in reversed(range(len(xs))): out[i] *= p; p *= xs[i]
    return out
def cartesian(*ls): return [[]] if not ls else [[x] + r for x in ls[0] for r in cartesian(*ls[1:])]
def josephus(n, k): xs, i, out = list(range(1, n + 1)), 0, []; 
print(chunk(list(range(7)), 3), rotate([1, 2, 3, 4], 1), rotate([1, 2, 3], -1), rotate([], 3), uniq("abcab"), partition(lambda x: x > 2, [1, 2, 3, 4]), transpose([[1, 2, 3], [4, 5, 6]]), spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]))
print(two_sum([2, 7, 11, 15], 26), two_sum([1], 5), merge_intervals([(1, 3), (8, 10), (2, 6), (15, 18), (17, 20)]), runs("aabccc"), prefix([1, 2, 3, 4]), list(pascal(5)), next_perm([1, 3, 2]), next_perm([3, 2, 1]), water([0, 1, 0, 2, 1, 0, 1, 3, 2, 1, 2, 1]), product_except([1, 2, 3, 4]), cartesian("ab", [1, 2], [True]))
def zip_longest(*its, fill=None):
    its = [iter(i) for i in its]
    while True:
        row, alive = [], 0
        for i in its:
            v = next(i, its); alive += v is not its; row.append(fill if v is its else v)
        if not alive: return
        yield tuple(row)
print(list(zip_longest("abc", [1], fill="-")), sum(([x] * n for x, n in runs("xxy")), []), [x for p in zip([1, 2], "ab") for x in p], sorted(range(-3, 4), key=lambda x: (abs(x), x)), [i for i, x in enumerate([5, 3, 5]) if x == 5], list(map(max, zip([1, 5], [4, 2]))), [*range(3), *[9] * 2], [a for a, *_ in ["xyz", "ab"]], max(enumerate([3, 9, 2]), key=lambda p: p[1]), any(a == b for a, b in zip("hello", "ello")), [[i * j for j in range(1, 4)] for i in range(1, 4)])
