class D(dict):
    def __init__(self, *a, **k): super().__init__(*a, **k); self.reads = 0
    def __getitem__(self, k): self.reads += 1; return super().__getitem__(k)
d = D(a=1, b=2)
print(d["a"], d.reads, d.get("b"), d.reads, sorted(d), d == {"a": 1, "b": 2}, "%(a)s" % d, "{a}".format(**d), "{a}".format_map(d), d.reads)
class T(tuple):
    def __new__(cls, *a): return super().__new__(cls, a)
    def __getitem__(self, i): return ("T", super().__getitem__(i))
t = T(1, 2, 3)
a, b, c = t
print(a, b, c, t[0], t[1:], list(t), len(t), t + (4,), T(1) == (1,), hash(t) == hash((1, 2, 3)), isinstance(t, tuple), "%s %s %s" % t)
class B(bytes):
    def hexed(self): return self.hex()
print(B(b"ab").hexed(), B(b"a") + b"b", B([1, 2]), B(b"x") == b"x", type(B(b"abc")[0:1]).__name__)
class S(set):
    def add(self, x): super().add(str(x))
s = S([1]); s.add(2)
print(sorted(s, key=str), len(s), s | {3} == {1, "2", 3}, type(s.copy()).__name__, type(s | s).__name__)
class C(complex):
    def __abs__(self): return "abs"
print(abs(C(3, 4)), C(1, 2) + 1, type(C(1) + C(1)).__name__, C(1, 2).imag)
class R(Exception, ): pass
class L(list):
    def __eq__(self, o): return "L.eq"
    __hash__ = lambda self: 5
print(L([1]) == [1], [1] == L([1]), {L([1]): "key"}[L([2])] if L([1]) else 0, hash(L()))
class I(int):
    def __eq__(self, o): return True
    def __lt__(self, o): return True
    def __hash__(self): return 1
    def __index__(self): return 99
    def __bool__(self): return False
print(I(5) == 7, 7 == I(5), I(5) < 1, 3 > I(9), bool(I(7)), [0, 1, 2, 3, 4, 5][I(3)], I(5) in [1], not I(1), I(5) != 5, sorted([3, I(1), 2]))
class P(property):
    def __get__(self, o, t=None): return "P:" + str(super().__get__(o, t)) if o is not None else self
class Uses:
    @P
    def v(self): return 1
print(Uses().v)
class St(staticmethod): pass
class Cl(classmethod): pass
class U2:
    @St
    def s(): return "St"
    @Cl
    def c(cls): return cls.__name__
print(U2.s(), U2.c(), U2().s())
class Ty(type):
    def __new__(m, n, b, d): d["added"] = True; return type.__new__(m, n, b, d)
print(Ty("Q", (), {}).added, type(Ty("Q", (), {})).__name__)
class En(enumerate):
    def __next__(self): i, v = super().__next__(); return (i * 10, v)
print(list(En("ab")), type(En("a")).__name__)
