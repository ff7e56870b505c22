def lcs(a, b):
    t = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            t[i + 1][j + 1] = t[i][j] + 1 if x == y else max(t[i][j + 1], t[i + 1][j])
    i, j, out = len(a), len(b), []
    while i and j:
        if a[i - 1] == b[j - 1]: out.append(a[i - 1]); i -= 1; j -= 1
        elif t[i - 1][j] >= t[i][j - 1]: i -= 1
        else: j -= 1
    return "".join(reversed(out))
def edit(a, b):
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        cur = [i]
        for j, y in enumerate(b, 1): cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (x != y)))
        prev = cur
    return prev[-1]
def knapsack(items, cap):
    best = [(0, ())] * (cap + 1)
    for name, w, v in items:
        for c in range(cap, w - 1, -1):
            cand = (best[c - w][0] + v, best[c - w][1] + (name,))
            if cand[0] > best[c][0]: best[c] = cand
    return best[cap]
def coins(amount, denoms):
    ways = [1] + [0] * amount
    fewest = [0] + [None] * amount
    for d in denoms:
        for a in range(d, amount + 1):
            ways[a] += ways[a - d]
    for a in range(1, amount + 1):
        opts = [fewest[a - d] for d in denoms if d <= a and fewest[a - d] is not None]
        fewest[a] = 1 + min(opts) if opts else None
    return ways[amount], fewest[amount]
def lis(xs):
    best = []
    for x in xs:
        lo, hi = 0, len(best)
        while lo < hi:
            mid = (lo + hi) // 2
            if best[mid] < x: lo = mid + 1
            else: hi = mid
        best[lo:lo + 1] = [x]
    return len(best)
def kadane(xs):
    best = cur = xs[0]
    for x in xs[1:]: cur = max(x, cur + x); best = max(best, cur)
    return best
def partitions(n, m=None, memo={}):
    m = n if m is None else m
    if n == 0: return 1
    if n < 0 or m == 0: return 0
    if (n, m) not in memo: memo[n, m] = partitions(n - m, m) + partitions(n, m - 1)
    return memo[n, m]
def matrix_chain(dims):
    n = len(dims) - 1
    cost = [[0] * n for _ in range(n)]
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i][j] = min(cost[i][k] + cost[k + 1][j] + dims[i] * dims[k + 1] * dims[j + 1] for k in range(i, j))
    return cost[0][-1]
def grid_paths(g):
    t = {}
    for r, row in enumerate(g):
        for c, ch in enumerate(row):
            t[r, c] = 0 if ch == "#" else 1 if (r, c) == (0, 0) else t.get((r - 1, c), 0) + t.get((r, c - 1), 0)
    return t[len(g) - 1, len(g[0]) - 1]
print(lcs("AGGTAB", "GXTXAYB"), lcs("", "x"), edit("kitten", "sitting"), edit("", "abc"), edit("same", "same"))
print(knapsack([("a", 1, 1), ("b", 3, 4), ("c", 4, 5), ("d", 5, 7)], 7), coins(100, [1, 5, 10, 25, 50]), coins(3, [2]), lis([10, 9, 2, 5, 3, 7, 101, 18]), kadane([-2, 1, -3, 4, -1, 2, 1, -5, 4]))
print(partitions(50), matrix_chain([40, 20, 30, 10, 30]), grid_paths(["..#.", "....", ".#..", "...."]), sum(partitions(k) for k in range(20)))
def word_break(s, words):
    ok = [[]] + [None] * len(s)
    for i in range(1, len(s) + 1):
        for w in words:
            if s.endswith(w, 0, i) and ok[i - len(w)] is not None:
                ok[i] = ok[i - len(w)] + [w]
                break
    return ok[-1]
print(word_break("catsanddog", ["cat", "cats", "and", "sand", "dog"]), word_break("xyz", ["x"]))
