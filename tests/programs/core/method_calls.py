class T:
    def __init__(self, v=0): self.v = v
    def inc(self, by=1): self.v += by; return self
    def get(self): return self.v
    @property
    def double(self): return self.v * 2
    @staticmethod
    def st(*a): return a
    @classmethod
    def cl(cls, *a): return cls.__name__, a
    def kw(self, *args, a=1, **k): return args, a, k
t = T()
for i in range(100): t.inc().inc(by=2)
print(t.get(), t.double, t.st(1, 2), t.cl(3), t.kw(1, b=2), t.kw(*[1, 2], **{"a": 9}))
m = t.inc
m(); m(10)
print(t.v, [f() for f in [t.get, T(5).get]], list(map(T.get, [T(1), T(2)])), T.inc(T(1), 5).v, sorted([T(3), T(1)], key=T.get)[0].v)
s = "abc"
print(s.upper().lower().title(), [1, 2].index(2), {"a": 1}.get("b", "d"), "a,b".split(",")[0].join(["x", "y"]), (5).bit_length(), [].append(1), "x".__add__("y"), {}.setdefault("k", []).append(1))
l = []
for i in range(5): l.append(i); l.insert(0, -i)
print(l, l.count(0), l.pop(), l)
d = {}
for w in "a b a".split(): d[w] = d.get(w, 0) + 1; d.setdefault("l", []).append(w)
print(d)
class Sub(list):
    def append(self, x): super().append(x * 2)
sl = Sub()
for i in range(3): sl.append(i)
print(sl)
class F:
    def __init__(self): self.f = lambda x: x * 10; self.g = len; self.h = T
    f2 = len
    f3 = staticmethod(len)
    f4 = lambda self: "bound"
    f5 = T
o = F()
print(o.f(2), o.g("abc"), o.h(3).v, o.f3("ab"), o.f4(), o.f5(7).v, F.f2("abcd"))
try: o.f2("x")
except TypeError as e: print(e)
print(o.f2.__name__)
class Chain:
    def __init__(self): self.ops = []
    def __getattr__(self, n): return lambda *a: (self.ops.append((n, a)), self)[1]
print(Chain().select("x").where(1).limit().ops)
def meth(self): return ("free function", self.v)
T.added = meth; t.own = meth
print(t.added())
try: t.own()
except TypeError as e: print(e)
import math
print(math.floor(2.7), [math.sqrt(x) for x in (4, 9)], getattr(math, "pi") > 3)
