class M:
    def __init__(self, n): self.n = n
    def __matmul__(self, o): return ("matmul", self.n, getattr(o, "n", o))
    def __rmatmul__(self, o): return ("rmatmul", self.n, o)
    def __imatmul__(self, o): self.n += 100; return self
a, b = M(1), M(2)
print(a @ b, a @ 5, 5 @ a, [1] @ b)
a @= 3
print(a.n)
for f in (lambda: 1 @ 2, lambda: [1] @ [2], lambda: "s" @ 1):
    try:
        f()
    except TypeError as e:
        print(e)
class Base:
    def __add__(self, o): return "Base.add"
    def __radd__(self, o): return "Base.radd"
class Sub(Base):
    def __radd__(self, o): return "Sub.radd"
class Same(Base):
    pass
print(Base() + Sub(), Sub() + Base(), Base() + Same(), 1 + Base(), Base() + 1)
class Not:
    def __add__(self, o): return NotImplemented
    def __sub__(self, o): return NotImplemented
    def __eq__(self, o): return NotImplemented
class Right:
    def __radd__(self, o): return "right"
    def __rsub__(self, o): return NotImplemented
print(Not() + Right(), Not() == Not(), Not() != 1)
for f in (lambda: Not() - Right(), lambda: Not() + 1, lambda: Not() + Not(), lambda: Right() - Not()):
    try:
        print(f())
    except TypeError as e:
        print(e)
