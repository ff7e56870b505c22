class Meters(int):
    def __new__(cls, v, unit="m"):
        self = super().__new__(cls, v)
        self.unit = unit
        return self
    def __add__(self, o): return Meters(int(self) + int(o), self.unit)
    def __repr__(self): return f"{int(self)}{self.unit}"
    def __str__(self): return f"<{int(self)}>"
a = Meters(5)
b = Meters("7", unit="km")
print(a, b, repr(a + 2), repr(b + a), 2 + a, a * 3, type(a * 3), type(a + 1), a == 5, a < b, hash(a) == hash(5), {5: "five"}[a])
print(f"{a} {a!r} {a:d} {a:05}", "%d %s" % (a, a), [a, b], sum([a, b]), max(a, b), sorted([b, a]), isinstance(a, int), bool(Meters(0)), a is 5 if False else None)
print(-a, abs(Meters(-3)), a ** 2, a / 2, a // 2, divmod(a, 3), a << 1, ~a, range(a), [0, 1, 2, 3, 4, 5][a], "x" * a)
class Flag(int):
    __slots__ = ()
    def __or__(self, o): return Flag(int(self) | int(o))
    def __bool__(self): return int(self) == 4
print(Flag(1) | Flag(2), type(Flag(1) | 2), bool(Flag(4)), bool(Flag(1)), not Flag(4), 1 if Flag(3) else 2)
class F(float):
    def __eq__(self, o): return "eq"
    __hash__ = float.__hash__
    def twice(self): return F(self * 2)
f = F(1.5)
print(f == 1.5, 1.5 == f, f.twice(), type(f.twice()).__name__, f + 1, type(f + 1), repr(f), f.is_integer())
try:
    class S(bool): pass
except TypeError as e:
    print(e)
