class P:
    """A point."""
    count = 0
    tags = []
    def __init__(self, x, y=0):
        self.x, self.y = x, y
        P.count += 1
        self.tags.append(x)
    def dist2(self): return self.x ** 2 + self.y ** 2
    def __repr__(self): return f"P({self.x}, {self.y})"
    def moved(self, dx=0, dy=0): return type(self)(self.x + dx, self.y + dy)
a, b = P(1, 2), P(3)
print(a, b, a.dist2(), P.dist2(b), a.moved(dx=5), P.count, a.tags is b.tags, a.tags, P.__name__, P.__doc__, P.__module__, P.__qualname__, a.__class__, type(a) is P, a.__dict__, P.__bases__, P.__dict__["count"], "dist2" in P.__dict__, a.__module__)
a.count = 99
a.extra = [1]
print(P.count, a.count, a.__dict__, vars(a) is a.__dict__, b.count)
del a.count
print(a.count, hasattr(a, "extra"), hasattr(b, "extra"), getattr(b, "zz", "d"))
P.late = lambda self: "late " + str(self.x)
P.shared = 5
print(a.late(), b.shared)
m = a.dist2
a.x = 10
print(m(), m.__self__ is a, m.__func__ is P.dist2, a.dist2 == a.dist2, a.dist2 is a.dist2)
a.dist2 = lambda: "instance"
print(a.dist2(), P.dist2(a))
for f in (lambda: a.nope, lambda: P.nope, lambda: P(), lambda: a.moved(1, 2, 3), lambda: a(), lambda: a < b, lambda: a + b, lambda: len(a), lambda: exec("del a.zz", {"a": a}), lambda: exec("del P.zz", {"P": P}), lambda: P.dist2(), lambda: a[0]):
    try: f()
    except Exception as e: print(type(e).__name__, e)
print(a == a, a == b, a != b, hash(a) == hash(a), a in [b, a], {a: 1}[a], bool(a), str(a), f"{a}", isinstance(a, P), callable(P), callable(a))
class Empty: pass
e = Empty(); e.a = 1
print(e.__dict__, Empty.__doc__, Empty.__mro__, repr(e).split(" object")[0], str(Empty))
