class Poly:
    def __init__(self, *coeffs):
        c = list(coeffs)
        while len(c) > 1 and c[-1] == 0: c.pop()
        self.c = tuple(c) or (0,)
    @property
    def degree(self): return len(self.c) - 1
    def __call__(self, x):
        r = 0
        for a in reversed(self.c): r = r * x + a
        return r
    def __add__(self, o):
        o = o if isinstance(o, Poly) else Poly(o)
        n = max(len(self.c), len(o.c))
        return Poly(*(a + b for a, b in zip(self.c + (0,) * (n - len(self.c)), o.c + (0,) * (n - len(o.c)))))
    __radd__ = __add__
    def __neg__(self): return Poly(*(-a for a in self.c))
    def __sub__(self, o): return self + -o
    def __rsub__(self, o): return -self + o
    def __mul__(self, o):
        o = o if isinstance(o, Poly) else Poly(o)
        out = [0] * (len(self.c) + len(o.c) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(o.c): out[i + j] += a * b
        return Poly(*out)
    __rmul__ = __mul__
    def __pow__(self, n):
        r = Poly(1)
        for _ in range(n): r *= self
        return r
    def __divmod__(self, o):
        q, r = Poly(0), self
        while r.degree >= o.degree and r != Poly(0):
            k = r.c[-1] / o.c[-1] if r.c[-1] % o.c[-1] else r.c[-1] // o.c[-1]
            t = Poly(*[0] * (r.degree - o.degree), k)
            q, r = q + t, r - t * o
        return q, r
    def __floordiv__(self, o): return divmod(self, o)[0]
    def __mod__(self, o): return divmod(self, o)[1]
    def __eq__(self, o): return self.c == (o.c if isinstance(o, Poly) else (o,))
    def __hash__(self): return hash(self.c)
    def __getitem__(self, i): return self.c[i] if i < len(self.c) else 0
    def __iter__(self): return iter(self.c)
    def derivative(self): return Poly(*(i * a for i, a in enumerate(self.c) if i)) if self.degree else Poly(0)
    def __str__(self):
        parts = []
        for i in range(self.degree, -1, -1):
            a = self.c[i]
            if a == 0 and self.degree: continue
            mag = "" if abs(a) == 1 and i else f"{abs(a):g}"
            var = "" if i == 0 else "x" if i == 1 else f"x^{i}"
            sign = ("-" if a < 0 else "") if not parts else (" - " if a < 0 else " + ")
            parts.append(sign + mag + var)
        return "".join(parts)
    def __repr__(self): return f"Poly{self.c}"
p, q = Poly(-1, 0, 1), Poly(1, 1)
print(p, "|", q, "|", p + q, "|", p - q, "|", p * q, "|", q ** 4, "|", 3 * p - 1, "|", 5 - q, "|", -p)
print(p // q, p % q, divmod(Poly(1, 2, 3, 4), Poly(1, 2)), p.derivative(), p(3), (q ** 3)(2), p[2], p[9], list(p), p == Poly(-1, 0, 1), Poly(5) == 5, len({p, Poly(-1, 0, 1, 0)}))
def newton(f, x, n=20):
    d = f.derivative()
    for _ in range(n):
        fx = f(x)
        if abs(fx) < 1e-12: break
        x -= fx / d(x)
    return x
print(f"{newton(Poly(-2, 0, 1), 1):.10f} {newton(Poly(-1, -1, 0, 1), 1.0):.8f}", sum([p, q], Poly(0)), [str(Poly(*c)) for c in ((0,), (0, 0, 0), (1.5,), (0, -1), (0.5, -2.25, 0, 1))])
