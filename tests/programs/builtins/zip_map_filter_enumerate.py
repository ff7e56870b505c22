def gen(n, name):
    for i in range(n):
        print(f"{name}{i}", end=" ")
        yield i
    print(f"{name}-end", end=" ")
print(list(zip(gen(2, "a"), gen(3, "b"))), list(zip(gen(3, "c"), gen(2, "d"))))
for a, b in ((2, 3), (3, 2)):
    try: print(list(zip(gen(a, "p"), gen(b, "q"), strict=True)))
    except ValueError as e: print(e)
print(list(zip([1, 2], [3, 4], strict=True)), list(zip(strict=True)), next(zip([1])), dict(zip("ab", zip([1, 2], [3, 4]))), list(zip(*zip([1, 2], [3, 4]))), list(zip("abc", range(10), [True] * 2)))
m = map(lambda x, y=10: x + y, [1, 2])
print(m.__class__.__name__, next(m), list(m), list(map(lambda *a: a, [1, 2], "ab", (None,))), list(map(None.__class__, [])) , list(map(int, ["1", "2"], [10, 16])) , list(map(str.upper, "ab")), list(map(divmod, [7, 8], [2, 3])))
print(list(filter(lambda x: x % 2, range(6))), list(filter(None, [0, 1, "", "x", [], [0]])), list(filter(str.isalpha, "a1b2")), next(filter(lambda v: v > 3, [1, 5, 9])), list(filter(bool, {0: 1, 2: 3})), list(filter({1, 2}.__contains__, [1, 2, 3])))
e = enumerate("abc", start=-1)
print(next(e), list(e), list(enumerate([])), dict(enumerate("xy", 2**65)), [i for i, _ in enumerate(iter("zz"))], list(enumerate(iterable="q")))
def bad(x):
    if x == 2: raise ValueError("two")
    return x
m = map(bad, [1, 2, 3])
print(next(m))
try: next(m)
except ValueError as ex: print(ex, list(m))
f = filter(bad, [1, 2, 3])
try: list(f)
except ValueError as ex: print(ex, list(f))
print(list(map(lambda p: p[0] * p[1], zip(range(3), range(3)))), sum(map(len, ["a", "bb"])), [*map(lambda f: f(3), (abs, float, str))], list(reversed(list(enumerate("ab")))), sorted(map(abs, [-3, 2])), max(map(str, [9, 10])), any(map(str.isdigit, "a1")), set(map(type, [1, "a", 1.0])) == {int, str, float})
it = iter([1, 2, 3, 4])
print(list(zip(it, it)), list(zip(*[iter(range(6))] * 3)))
z = zip([1, 2]); print(iter(z) is z, list(z), list(z)); r = reversed([1]); print(iter(r) is r, type(r).__name__)
