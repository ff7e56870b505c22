def attempt(f, *args, **kwargs):
    try:
        print(f(*args, **kwargs))
    except TypeError as e:
        print(e)
def f1(a): pass
def f2(a, b): pass
def f3(a, b, c): pass
def f4(a, b, c, d): pass
def k1(*, a): pass
def k2(*, a, b): pass
def k3(*, a, b, c): pass
def p2(a, b, /, c): pass
def m(a, b, *, c, d): pass
def d2(a, b=1): pass
def d3(a, b=1, c=2): pass
def z(): pass
def zk(*, k=1): pass
for f in (f1, f2, f3, f4, k1, k2, k3, p2, m, d2, d3, z, zk):
    for n in range(6):
        attempt(f, *range(n))
    attempt(f, nope=1)
    attempt(f, 1, 2, 3, 4, 5, k=1, a=2)
    attempt(f, 1, 2, 3, 4, 5, c=1)
attempt(p2, 1, c=2, a=3, b=4); attempt(p2, a=1, b=2, c=3); attempt(m, 1, 2, c=1); attempt(m, 1, 2, 3, c=1, d=2); attempt(m, 1, 2, d=4, e=5)
class C:
    def __init__(self, x, y=0): pass
    def meth(self, a): pass
    @staticmethod
    def sm(a): pass
    @classmethod
    def cm(cls, a): pass
    def noself(): pass
attempt(C); attempt(C, 1, 2, 3); attempt(C, 1, z=2); attempt(C(1).meth); attempt(C(1).meth, 1, 2); attempt(C.meth); attempt(C.sm); attempt(C.cm); attempt(C.cm, 1, 2); attempt(C(1).noself); attempt(C(1).meth, b=1)
attempt(lambda x, y: 0, 1); attempt(lambda: 0, 1)
def outer():
    def inner(a, b): pass
    return inner
attempt(outer()); attempt(outer(), 1, 2, 3)
class Plain: pass
attempt(Plain, 1); attempt(Plain, x=1); attempt(object, 1); attempt(C(1), 5); attempt(None); attempt("str", 1); attempt(5); attempt([1], 0)
