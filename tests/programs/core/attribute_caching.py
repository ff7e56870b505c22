class A:
    x = 1
    def m(self): return "A.m"
class B(A): pass
def get(o): return o.x
def call(o): return o.m()
a, b = A(), B()
print([get(o) for o in (a, b, a, b)], call(a), call(b))
a.x = 10; print(get(a), get(b)); B.x = 20; print(get(b)); del a.x; print(get(a)); b.x = 30; print(get(b)); del B.x; print(get(b)); del b.x; print(get(b))
B.m = lambda self: "B.m"; print(call(a), call(b)); b.m = lambda: "inst"; print(call(b)); del b.m; del B.m; print(call(b))
A.x = property(lambda self: "prop"); print(get(a), get(b))
A.x = 5; a.y = 1; a.x = 6; print(get(a), get(b))
class C:
    def __init__(self, flip):
        if flip: self.a = 1; self.b = 2
        else: self.b = 3; self.a = 4
def ab(o): return o.a, o.b
print([ab(C(i % 2)) for i in range(4)])
o = C(1)
for i in range(3): setattr(o, f"z{i}", i)
del o.a; o.a = "again"
print(list(o.__dict__), ab(o))
class G:
    def __getattr__(self, n): return f"dyn {n}"
class P:
    x = property(lambda s: "P.x")
class S:
    __slots__ = ("x",)
s = S(); s.x = "slot"
class M:
    def __init__(s): s.x = "inst"
print([get(v) for v in (a, G(), P(), s, M(), A, a, G())])
for bad in (5, "s", None, object(), C(1), S()):
    try: get(bad)
    except AttributeError as e: print(e)
class Counter:
    total = 0
    def inc(self): self.total += 1; Counter.total += 100; return self.total, Counter.total
c = Counter(); print(c.inc(), c.inc(), Counter().inc(), c.__dict__)
class D: pass
d = D(); d.v = 0
def bump(o):
    for _ in range(5): o.v += 1
    return o.v
print(bump(d)); d.v = 1.5; print(bump(d)); d.v = 2**63 - 2; print(bump(d)); D.v = property(lambda s: 0, lambda s, v: None); print(bump(d))
x = a.m; A.m = lambda self: "replaced"; print(x(), a.m())
def g():
    class L: pass
    l = L(); l.q = len(L.__name__); return l.q
print([g() for _ in range(3)])
a.__dict__["x"] = "via dict"; print(get(a)); a.__dict__.clear()
print(get(a), a.__dict__); a.__class__ = C; print(type(a).__name__, hasattr(a, "m"))
