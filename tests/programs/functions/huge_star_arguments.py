def f(*a): return len(a)
n = 1100000
print(f(*range(n)), len([*range(n)]), max(*range(n)))
def g(*a, **k): return len(a), len(k)
print(g(*range(n), 1, 2, x=1))
print((lambda *a: len(a))(*range(n)))
class A:
    def __init__(self, *a): self.n = len(a)
    def m(self, *a): return len(a)
print(A(*range(n)).n, A().m(*range(n)))
def h(): return f(*range(n))
print(h())

def gen(*a):
    yield len(a)
print(next(gen(*range(n))))
import math
class Many:
    def __new__(cls, *a): return object.__new__(cls)
    def __init__(self, *a, key=0): self.n = len(a), key
    def __call__(self, a, *rest): return a, len(rest), rest[-1]
print(Many(*range(n), key=2).n, Many()(*range(n)))
def two(a, b): pass
for call in ("two(*range(n))", "f(*range(n), nope=1)", "Many(*range(n), nope=1)"):
    try: eval(call)
    except TypeError as e: print(e)
def captured(*a):
    return (lambda: len(a))()
print(captured(*range(n)))
