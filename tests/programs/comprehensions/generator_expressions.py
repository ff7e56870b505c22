g = (x * 2 for x in range(3))
print(type(g).__name__, g.__name__, g.__qualname__, iter(g) is g, next(g), list(g), list(g), next(g, None))
def outer(): return (i for i in [1])
print(outer().__qualname__, sum(x * x for x in range(4)), max(len(w) for w in ("a", "bbb")), tuple(c for c in "ab"), set(c for c in "aa"), dict((i, i) for i in range(2)))
log = []
def src():
    for i in range(4):
        log.append(f"y{i}")
        yield i
pipe = (b + 1 for b in (a * 10 for a in src() if a % 2))
print(log, next(pipe), log, next(pipe), log)
a = [1, 2, 3]
lazy = (x for x in a)
a.append(4)
print(list(lazy))
gg = ((i, j) for i in range(2) for j in range(2))
print(next(gg), list(gg))
print(list(zip((i for i in range(3)), (i * i for i in range(3)))), "".join(chr(c) for c in (72, 105)), all(x for x in [1, 1]), 3 in (x for x in range(5)))
g = (i for i in range(5))
first, *rest = g
print(first, rest)
c = (i for i in range(3))
next(c); c.close()
print(list(c))
t = (i for i in range(3))
try:
    t.throw(ValueError("thrown"))
except ValueError as e:
    print(e, list(t))
print((lambda *a: a)(*(i for i in range(3))), sorted((-i for i in range(3))), list(i for i in range(3) if i), [list(j for j in range(i)) for i in range(3)])
