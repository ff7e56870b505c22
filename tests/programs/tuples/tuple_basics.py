t = (1, "two", 3.0, None)
print(t, t[0], t[-1], t[1:3], t[::-1], len(t), t + (5,), t * 2, "two" in t, t.index(3.0), t.count(None), (), (1,), 1, tuple("abc"), tuple([1]), tuple())
a = 1, 2
b = 3,
print(a, b, type(b), (1, 2) < (1, 3), (1,) < (1, 0), (2,) > (1, 9), (1, 2) == (1, 2), (1, "a") != (1, "b"), hash((1, 2)) == hash((1, 2)), (1, 2) is (1, 2) if False else None)
print({(1, 2): "x"}[1, 2], max((3, 1), (2, 9)), sorted([(2, "b"), (1, "z")]), sum((1, 2, 3)), [*t, *t][-2:])
for f in (lambda: t[9], lambda: t["a"], lambda: exec("t[0] = 1", {"t": t}), lambda: exec("del t[0]", {"t": t}), lambda: t.append(1), lambda: t.index("x"), lambda: t + [1], lambda: hash(([],)), lambda: (1,) < ("a",), lambda: tuple(5), lambda: t.index(), lambda: tuple(1, 2), lambda: t[1.5]):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Point(tuple):
    __slots__ = ()
    def __new__(cls, x, y): return super().__new__(cls, (x, y))
    x = property(lambda s: s[0])
    y = property(lambda s: s[1])
    def __add__(self, o): return Point(self.x + o[0], self.y + o[1])
    def __repr__(self): return f"Point{tuple(self)!r}"
p = Point(1, 2)
x, y = p
print(p, p.x, p.y, p + (10, 20), x, y, p == (1, 2), hash(p) == hash((1, 2)), p[0:1], [p], "%s" % (p,), p * 2, {p: 1}[(1, 2)])
try:
    p.z = 1
except AttributeError as e:
    print(e)
