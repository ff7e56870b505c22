print(hash(1) == hash(1.0) == hash(True) == hash(1 + 0j), hash(0) == hash(False) == hash(0.0), hash(-1) == hash(-2), hash(2**61 - 2), hash(-(2**61)), hash(10**30), hash(1.5), hash(-0.75), hash(1e-300), hash(float("inf")), hash(float("-inf")), hash(1j), hash(3 + 4j), hash(()), hash((1,)), hash((1, 2, (3,))), hash(None) == hash(None), hash(frozenset()), hash(frozenset([1, 2, 3])), hash(range(3)) == hash(range(0, 3)))
a = object(); b = object()
print(a == a, a == b, a is a, a != b, hash(a) == hash(a), id(a) == id(a), id(a) != id(b))
x = 1000; y = x; z = int("1000")
print(x is y, x == z, [] is [], [] == [], "a" "b" == "ab", None is None, (lambda: 0) == (lambda: 0), len is len, int is int, True is (1 == 1), (1 < 2) is True, not [] is True)
l = [1]; m = l; n = l[:]
print(l is m, l is n, l == n, [l] == [n], l in [n], [l][0] is l, (l,)[0] is m, {"k": l}["k"] is l)
s = "str"; t = s
print(s is t, s is str(s), tuple((1,)) == (1,), (tt := (1, 2)) is tuple(tt), (fs := frozenset([1])) is frozenset(fs), (bb := b"x") is bytes(bb), (st := "q") is str(st), list(l) is l, dict(d := {}) is d, int(x) is x, (f := 1.5) is float(f))
nan = float("nan")
print(nan == nan, nan is nan, nan != nan, nan in [nan], [nan] == [nan], (nan,) == (nan,), {nan: 1} == {nan: 1}, {nan} == {nan}, [nan].index(nan), [nan].count(nan), nan in {nan}, float("nan") in [nan], [float("nan")] == [nan], max(nan, 1) is nan, sorted([nan])[0] is nan)
i = float("inf") - float("inf")
print(i in [i], i == i, [i, 0 * float("inf")].count(i), {i: "a"}.get(i), nan is i)
class C:
    def m(self): pass
    @property
    def p(self): return []
c = C()
print(c.m is c.m, c.m == c.m, c.p is c.p, C.m is C.m, c.__dict__ is c.__dict__, c.__class__ is C, type(c) is type(C()), hash(c.m) == hash(c.m), {c.m: 1}[c.m])
def f(): pass
g = f
print(f is g, f == g, f is not None, f.__code__ is f.__code__, hash(f) == hash(g), f.__globals__ is globals())
small = [i is j for i, j in zip(range(5), range(5))]
print(small, 256 is int("256"), 5 is 5.0 if False else "skip", "" is "".join([]), () is tuple([]))
