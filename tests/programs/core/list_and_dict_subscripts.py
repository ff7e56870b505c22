l = [10, 20, 30]
i = 0
total = 0
while i < len(l):
    l[i] += i
    l[i] *= 2
    total += l[i] - l[-1 - i]
    i += 1
print(l, total, l[True], l[-3], l[i - 1])
grid = [[(r, c) for c in range(3)] for r in range(2)]
print(grid[1][2], grid[-1][-1][0], [row[1] for row in grid], grid[0][1:][0])
for r in range(2):
    for c in range(3): grid[r][c] = r * 10 + c
grid[0][0], grid[1][2] = grid[1][2], grid[0][0]
print(grid)
d = {}
for k in (1, "1", 1.0, True, (1,), None, 2**64, -1, 1.5): d[k] = d.get(k, 0) + 1; d[k] += 1
print(d)
for k in (5, "x", None, (2,), 3.5, False):
    try: d[k]
    except KeyError as e: print(repr(e), end=" ")
print()
def idx(o, k):
    try: return o[k]
    except Exception as e: return f"{type(e).__name__}: {e}"
for o in ([1, 2], (1, 2), "ab", b"ab", {0: "z"}, range(2), 5, None, {1}, memoryview(b"ab")): print(type(o).__name__, [idx(o, k) for k in (0, -1, 2, -3, "a", 1.0, None, 2**65)])
def put(o, k, v):
    try: o[k] = v; return o
    except Exception as e: return f"{type(e).__name__}: {e}"
for o in ([1, 2], (1, 2), "ab", {0: 1}, bytearray(b"ab"), range(2), 5, None): print(put(o, 0, 65), put(o, 5, 1) if not isinstance(o, dict) else "", put(o, "k", 66) if not isinstance(o, dict) else "")
def rem(o, k):
    try: del o[k]; return o
    except Exception as e: return f"{type(e).__name__}: {e}"
for o in ([1, 2], (1, 2), "ab", {0: 1}, bytearray(b"ab"), 5): print(rem(o, 0), rem(o, 9))
x = [0] * 5
for j in range(-5, 5): x[j] += j
print(x, x[1:][::2][0], [1, 2, 3][-2:][0], (lambda: [9])()[0], {"a": [1, {"b": 2}]}["a"][1]["b"], "abc"[1][0][0], [[1, 2], [3]][0][1:], [*"abc"][1])
cache = {}
def memo(n, m): 
    if (n, m) not in cache: cache[n, m] = 1 if not n or not m else memo(n - 1, m) + memo(n, m - 1)
    return cache[n, m]
print(memo(8, 8), len(cache), cache[3, 4])
