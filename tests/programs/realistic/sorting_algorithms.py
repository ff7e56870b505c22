def bubble(a):
    a = a[:]
    for n in range(len(a) - 1, 0, -1):
        swapped = False
        for i in range(n):
            if a[i] > a[i + 1]: a[i], a[i + 1] = a[i + 1], a[i]; swapped = True
        if not swapped: break
    return a
def insertion(a):
    a = a[:]
    for i in range(1, len(a)):
        x, j = a[i], i - 1
        while j >= 0 and a[j] > x: a[j + 1] = a[j]; j -= 1
        a[j + 1] = x
    return a
def quick(a):
    if len(a) < 2: return a
    p, *r = a
    return quick([x for x in r if x < p]) + [p] + quick([x for x in r if not x < p])
def merge(a):
    if len(a) < 2: return a
    m = len(a) // 2
    l, r, out = merge(a[:m]), merge(a[m:]), []
    i = j = 0
    while i < len(l) and j < len(r):
        if r[j] < l[i]: out.append(r[j]); j += 1
        else: out.append(l[i]); i += 1
    return out + l[i:] + r[j:]
def heap(a):
    a = a[:]
    def sift(i, n):
        while (c := 2 * i + 1) < n:
            if c + 1 < n and a[c] < a[c + 1]: c += 1
            if not a[i] < a[c]: return
            a[i], a[c] = a[c], a[i]
            i = c
    for i in reversed(range(len(a) // 2)): sift(i, len(a))
    for n in range(len(a) - 1, 0, -1): a[0], a[n] = a[n], a[0]; sift(0, n)
    return a
def shell(a):
    a, gap = a[:], len(a) // 2
    while gap:
        for i in range(gap, len(a)):
            j = i
            while j >= gap and a[j] < a[j - gap]: a[j], a[j - gap] = a[j - gap], a[j]; j -= gap
        gap //= 2
    return a
def counting(a):
    lo = min(a)
    c = [0] * (max(a) - lo + 1)
    for x in a: c[x - lo] += 1
    return [i + lo for i, n in enumerate(c) for _ in range(n)]
def radix(a):
    base = 10
    shift = min(a)
    a = [x - shift for x in a]
    e = 1
    while max(a) // e:
        buckets = [[] for _ in range(base)]
        for x in a: buckets[x // e % base].append(x)
        a = [x for b in buckets for x in b]
        e *= base
    return [x + shift for x in a]
seed = 12345
def rnd():
    global seed
    seed = (1103515245 * seed + 12345) & 0x7FFFFFFF
    return seed % 201 - 100
data = [rnd() for _ in range(60)]
expected = sorted(data)
for f in (bubble, insertion, quick, merge, heap, shell, counting, radix): print(f.__name__, f(data) == expected, f(data)[:4], f([3, 1, 2]))
words = "the quick brown fox jumps over lazy dogs".split()
for f in (bubble, insertion, quick, merge, heap, shell): print(f.__name__, f(words)[:3])
def bisect(a, x):
    lo, hi = 0, len(a)
    while lo < hi:
        mid = lo + (hi - lo) // 2
        if a[mid] < x: lo = mid + 1
        else: hi = mid
    return lo
print([bisect(expected, v) for v in (-101, 0, 55, 101)], data[:5])
try: quick([1, "a"])
except TypeError as e: print(e)
