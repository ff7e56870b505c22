def f(*a): return a
def g(x, y=0): return x + y
print(f(f(1), f(2, f(3)), *f(4, 5)), g(g(g(1, 2), g(3, 4)), g(g(5), 6)), f(g(1), [g(2), {g(3): g(4)}], (g(5), *[g(6)])))
print(sum(map(lambda x: g(x, x), [g(1), g(2)])), max(g(1), min(g(5), g(3)), abs(g(-9))), len(str(sum([g(i, i) for i in range(5)]))), [g(*p) for p in zip(range(3), range(3))])
a = [g(1), g(2)][g(0)] + {g(1): 10}[g(1)] * (g(2) if g(0) else g(3)) - (lambda v: g(v) ** 2)(g(2))
print(a, (g(1), (g(2), (g(3),))), [[g(1)] * g(2)] * 2, f"{g(1)}{f'{g(2)}{g(3)}'}{f(g(4))!r}", "%d %s" % (g(1), f(g(2))))
print(((((1 + 2) * (3 + 4)) - ((5 - 6) * (7 + 8))) // ((9 - 2) or 1)), (1, 2, 3)[g(0)] < [4, 5][g(1)] < {"k": 6}["k"], not g(0) and g(1) or g(2))
def many(a, b, c, d, e): return [a, b, c, d, e]
print(many(g(1), many(*range(5))[g(2)], c=g(3), **{"e": g(5), "d": g(4)}), many(*many(1, 2, 3, 4, 5)))
x = 5
x = (x := x + 1) + x * (x := x + 2) + x
print(x)
def mutate(l): l.append(len(l)); return l
l = []
print(mutate(l)[-1] + mutate(l)[-1] * 10 + mutate(l)[-1] * 100, mutate(mutate(l)), l)
def inc(d, k): d[k] = d.get(k, 0) + 1; return d[k]
d = {}
print(inc(d, "a") + inc(d, "a") * inc(d, "b") - inc(d, "a"), d, [inc(d, "z") for _ in range(3)], (inc(d, "q"), inc(d, "q")))
def swap3(a, b, c):
    a, b, c = c, a, b
    b, c = c, b
    return a, b, c
print(swap3(1, 2, 3), [*reversed(swap3("x", "y", "z"))])
i = 0
arr = [0] * 3
i, arr[i] = 1, "first"; arr[i], i = "second", 2; arr[i] = i = "x" if i == 3 else 2
print(arr, i)
t = ()
for k in range(4): t = (*t, t[-1:] and t[-1] + k, k) if k else (k,)
print(t)
def dflt(v, seen=[]): seen = seen + [v]; return seen
print(dflt(1), dflt(2), (lambda a, b=(lambda: 3)(): a + b)(4), (lambda: (yield))().__class__.__name__)
r = [fn(3) for fn in [(lambda k: lambda x: x * k)(k) for k in range(3)]]
print(r, [(lambda: v)() for v in "ab"], [*map(lambda p: (lambda q: p + q)(1), [1, 2])])
