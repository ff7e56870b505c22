class C:
    def __init__(self, n): self.n = n
    def __lt__(self, o): print("lt", self.n, end=" "); return self.n < o.n if isinstance(o, C) else NotImplemented
    def __ge__(self, o): print("ge", self.n, end=" "); return NotImplemented
    def __eq__(self, o): print("eq", self.n, end=" "); return isinstance(o, C) and self.n == o.n
    def __hash__(self): return hash(self.n)
a, b = C(1), C(2)
print(a < b, a > b, a == b, a != b)
for f in (lambda: a <= b, lambda: a >= b, lambda: a < 1, lambda: 1 < a, lambda: 1 > a):
    try:
        print(f())
    except TypeError as e:
        print(e)
print(a == 1, 1 == a, a in [b, a], [a, b].index(b), [a] == [a], (a, b) < (a, b))
print([c.n for c in sorted([C(3), C(1), C(2)])])
print(max(C(1), C(5)).n, min([C(4), C(2)]).n)
class D(C):
    def __eq__(self, o): print("D.eq", end=" "); return "D!"
print(a == D(1), D(1) == a, a != D(1))
class NoHash:
    def __eq__(self, o): return True
try:
    {NoHash()}
except TypeError as e:
    print(e)
print(NoHash.__hash__)
