def f():
    seq = range(3)
    return [(i, j) for i in seq for j in seq]
print(f())
def g(n):
    rows = [[i * j for j in range(n)] for i in range(n)]
    cols = {j: sum(r[j] for r in rows) for j in range(n)}
    return rows, cols, [(a, b) for a in rows for b in rows if a is not b][:1]
print(g(3))
def h(xs):
    xs = list(xs)
    pairs = list((a, b) for a in xs for b in xs if a < b)
    xs = "rebound"
    return pairs, xs, [xs for _ in xs][0]
print(h([3, 1, 2]))
class A:
    def f(self, x=0): return x
class B(A):
    def lam(self): return (lambda self: super().f(7))(self)
    def comp(self): return [super(B, self).f(i) for i in range(3)]
    def gen(self): return list(super(B, self).f(i) for i in range(2))
    def nested(self):
        def inner():
            def innermost(): return __class__.__name__
            return innermost()
        return inner()
    def default(self, f=lambda s: s): return f(self) is self
print(B().lam(), B().comp(), B().gen(), B().nested(), B().default())
def unbound():
    try: return [[j for j in [1]] + [k] for i in [1] if i for k in [j]]
    except NameError as e: return type(e).__name__
print(unbound())
def cells():
    a = 1
    b = [a for _ in range(2) if (lambda: a)() == a]
    a = 2
    return b, [lambda: a for _ in range(2)][1]()
print(cells())
