class V:
    def __init__(self, *c): self.c = c
    def __eq__(self, o): return self.c == o.c if isinstance(o, V) else NotImplemented
    def __hash__(self): return hash(self.c)
    def __repr__(self): return "V" + repr(self.c)
    def __len__(self): return len(self.c)
    def __getitem__(self, i): return self.c[i] if not isinstance(i, slice) else V(*self.c[i])
    def __iter__(self): return iter(self.c)
    def __contains__(self, x): return x in self.c
    def __bool__(self): return any(self.c)
    def __add__(self, o): return V(*(a + b for a, b in zip(self, o)))
    def __mul__(self, k): return V(*(a * k for a in self)) if not isinstance(k, V) else sum(a * b for a, b in zip(self, k))
    __rmul__ = __mul__
    def __neg__(self): return V(*(-a for a in self))
    def __sub__(self, o): return self + -o
    def __abs__(self): return sum(a * a for a in self) ** 0.5
    def __lt__(self, o): return abs(self) < abs(o)
    def __reversed__(self): return V(*reversed(self.c))
    def __index__(self): return len(self.c)
    def __format__(self, spec): return "<" + ", ".join(format(a, spec) for a in self) + ">"
a, b = V(1, 2), V(3, 4)
print(a + b, a - b, a * 3, 3 * a, a * b, -a, abs(V(3, 4)), a == V(1, 2), a != b, a == (1, 2), {a: "x"}[V(1, 2)], len({a, V(1, 2), b}), a[0], b[-1], a[::-1], 2 in a, bool(V(0, 0)), list(a), reversed(a), sorted([b, a]), max(a, b), f"{a:.1f}", [10, 20, 30][a], sum([a, b], V(0, 0)), *a, tuple(b), hash(a) == hash((1, 2)))
x, y = a
print(x, y, a in [V(1, 2)], [V(1, 2), b].index(b), [a, V(1, 2)].count(a), {a, b} == {b, a}, a is V(1, 2), (a, 1) == (V(1, 2), 1))
class EqOnly:
    def __eq__(self, o): return True
class HashOnly:
    def __hash__(self): return 7
class Child(EqOnly):
    __hash__ = HashOnly.__hash__
for f in (lambda: hash(EqOnly()), lambda: {EqOnly(): 1}, lambda: hash(HashOnly()), lambda: hash(Child()), lambda: a[5], lambda: V(1)["x"], lambda: a + 5, lambda: a > 5, lambda: a <= b):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
print(EqOnly() != EqOnly(), EqOnly() == 5, 5 == EqOnly(), 5 in [EqOnly()], EqOnly.__hash__, HashOnly() == HashOnly())
class Big:
    def __hash__(self): return 2 ** 100
class Neg:
    def __hash__(self): return -1
print(hash(Big()) == hash(2 ** 100), hash(Neg()))
