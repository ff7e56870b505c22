class Matrix:
    def __init__(self, rows):
        self.rows = [list(map(float, r)) for r in rows]
        if len({len(r) for r in self.rows}) > 1: raise ValueError("ragged rows")
    @classmethod
    def identity(cls, n): return cls([[i == j for j in range(n)] for i in range(n)])
    @property
    def shape(self): return len(self.rows), len(self.rows[0])
    @property
    def T(self): return Matrix(zip(*self.rows))
    def __getitem__(self, k):
        match k:
            case (int(i), int(j)): return self.rows[i][j]
            case (slice() as s, int(j)): return [r[j] for r in self.rows[s]]
            case int(i): return self.rows[i]
        raise TypeError(f"bad index {k!r}")
    def __add__(self, o): return self._zip(o, lambda a, b: a + b)
    def __sub__(self, o): return self._zip(o, lambda a, b: a - b)
    def _zip(self, o, f):
        if not isinstance(o, Matrix): return NotImplemented
        if self.shape != o.shape: raise ValueError(f"shapes {self.shape} and {o.shape} differ")
        return Matrix([[f(a, b) for a, b in zip(r, s)] for r, s in zip(self.rows, o.rows)])
    def __mul__(self, k): return Matrix([[a * k for a in r] for r in self.rows])
    __rmul__ = __mul__
    def __matmul__(self, o):
        if self.shape[1] != o.shape[0]: raise ValueError(f"cannot multiply {self.shape} by {o.shape}")
        cols = list(zip(*o.rows))
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in cols] for r in self.rows])
    def __pow__(self, n):
        if n < 0: return self.inverse() ** -n
        result, base = Matrix.identity(self.shape[0]), self
        while n:
            if n & 1: result = result @ base
            base = base @ base
            n >>= 1
        return result
    def __eq__(self, o): return isinstance(o, Matrix) and self.rows == o.rows
    def __repr__(self): return "Matrix(" + "; ".join(" ".join(f"{a:g}" for a in r) for r in self.rows) + ")"
    def _eliminate(self):
        n = self.shape[0]
        a = [r[:] + i for r, i in zip(self.rows, Matrix.identity(n).rows)]
        det = 1.0
        for c in range(n):
            p = max(range(c, n), key=lambda r: abs(a[r][c]))
            if a[p][c] == 0: return 0.0, None
            if p != c: a[c], a[p] = a[p], a[c]; det = -det
            det *= a[c][c]
            a[c] = [v / a[c][c] for v in a[c]]
            for r in range(n):
                if r != c and a[r][c]:
                    f = a[r][c]
                    a[r] = [x - f * y for x, y in zip(a[r], a[c])]
        return det, Matrix([r[n:] for r in a])
    def det(self): return self._eliminate()[0]
    def inverse(self):
        d, inv = self._eliminate()
        if inv is None: raise ZeroDivisionError("singular matrix")
        return inv
a = Matrix([[2, 1], [5, 3]])
b = Matrix([[1, 2, 3], [4, 5, 6]])
print(a, a.T, b.T, a @ b, a + a, 2 * a - a * 3, a ** 5, a ** 0, a ** -1, a.det(), a @ a.inverse() == Matrix.identity(2))
print(b.shape, b[0, 1], b[:, 2], b[1], a == Matrix([(2, 1), (5, 3)]), Matrix([[2, 0, 1], [1, 3, 2], [1, 1, 1]]).det())
fibm = Matrix([[1, 1], [1, 0]])
print((fibm ** 30)[0, 1])
for f in (lambda: a + b, lambda: b @ b, lambda: Matrix([[1, 2], [2, 4]]).inverse(), lambda: Matrix([[1], [1, 2]]), lambda: a + 1, lambda: a["x"], lambda: a[5, 5]):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
