class Frac:
    __slots__ = ("n", "d")
    def __new__(cls, n=0, d=1):
        if isinstance(n, str): n, _, d = n.partition("/"); n, d = int(n), int(d or 1)
        if d == 0: raise ZeroDivisionError(f"Frac({n}, 0)")
        a, b = abs(n), abs(d)
        while b: a, b = b, a % b
        self = super().__new__(cls)
        s = -1 if d < 0 else 1
        self.n, self.d = s * n // a, s * d // a
        return self
    def _op(f):
        def method(self, o):
            if isinstance(o, int): o = Frac(o)
            if isinstance(o, float): return f(float(self), o)
            if not isinstance(o, Frac): return NotImplemented
            return f(self, o)
        def reflected(self, o): return f(Frac(o), self) if isinstance(o, int) else f(o, float(self)) if isinstance(o, float) else NotImplemented
        return method, reflected
    __add__, __radd__ = _op(lambda a, b: Frac(a.n * b.d + b.n * a.d, a.d * b.d) if isinstance(a, Frac) else a + b)
    __sub__, __rsub__ = _op(lambda a, b: Frac(a.n * b.d - b.n * a.d, a.d * b.d) if isinstance(a, Frac) else a - b)
    __mul__, __rmul__ = _op(lambda a, b: Frac(a.n * b.n, a.d * b.d) if isinstance(a, Frac) else a * b)
    __truediv__, __rtruediv__ = _op(lambda a, b: Frac(a.n * b.d, a.d * b.n) if isinstance(a, Frac) else a / b)
    __eq__, _ = _op(lambda a, b: (a.n, a.d) == (b.n, b.d) if isinstance(a, Frac) else a == b)
    __lt__, __gt__ = _op(lambda a, b: a.n * b.d < b.n * a.d if isinstance(a, Frac) else a < b)
    __le__, __ge__ = _op(lambda a, b: a.n * b.d <= b.n * a.d if isinstance(a, Frac) else a <= b)
    del _op, _
    def __hash__(self): return hash(self.n) if self.d == 1 else hash((self.n, self.d))
    def __pow__(self, k): return Frac(self.n ** k, self.d ** k) if k >= 0 else Frac(self.d ** -k, self.n ** -k)
    def __float__(self): return self.n / self.d
    def __int__(self): return int(self.n / self.d)
    def __bool__(self): return self.n != 0
    def __abs__(self): return Frac(abs(self.n), self.d)
    def __neg__(self): return Frac(-self.n, self.d)
    def __repr__(self): return f"Frac({self.n}, {self.d})"
    def __str__(self): return f"{self.n}/{self.d}" if self.d != 1 else str(self.n)
    def __format__(self, s): return format(str(self), s) if s.endswith("s") or not s else format(float(self), s)
a, b = Frac(1, 3), Frac("3/-6")
print(a, b, a + b, a - b, a * b, a / b, a + 1, 1 + a, 2 - a, 2 / a, a * 0.5, 0.5 + a, a ** 3, a ** -2, -a, abs(b), float(a), int(Frac(7, 2)), bool(Frac()), a == Frac(2, 6), a == 1, Frac(4, 2) == 2, a < b, a > b, a <= 1, 0 < a, a >= 0.5)
print(f"{a:.3f} {a:>6s} {a} {a!r}", sorted([a, b, Frac(1, 4), 0]), sum([a, b, 1]), {Frac(2, 1): "two"}[2], max(a, b), hash(Frac(5)) == hash(5))
h = Frac()
for k in range(1, 16): h += Frac(1, k)
print(h, f"{h:.12f}", sum(Frac(1, k * (k + 1)) for k in range(1, 50)))
def cf(f):
    while True:
        i = f.n // f.d
        yield i
        f -= i
        if not f: return
        f = 1 / f
print(list(cf(Frac(415, 93))), list(cf(Frac(-7, 3))))
for f in (lambda: Frac(1, 0), lambda: a + "x", lambda: a / 0, lambda: "x" * a, lambda: Frac("1/x"), lambda: a < "s", lambda: a ** 0.5 if False else a.zz, lambda: setattr(a, "q", 1), lambda: Frac(0) ** -1):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
