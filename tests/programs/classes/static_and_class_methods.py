class A:
    n = 1
    @staticmethod
    def add(a, b=2): return a + b
    @classmethod
    def make(cls, *a, **k): return cls.__name__, a, k
    @classmethod
    def bump(cls): cls.n += 1; return cls.n
class B(A): pass
print(A.add(1), A().add(1, 5), A.make(1, x=2), B.make(), B().make(3), B.bump(), A.n, B.n, A.bump())
print(type(A.__dict__["add"]).__name__, type(A.__dict__["make"]).__name__, type(A.make).__name__, type(A.add).__name__, A.make.__self__ is A, B.make.__self__ is B, A.make.__func__.__name__)
sm = staticmethod(len)
print(sm([1, 2]), sm.__func__ is len, sm.__wrapped__ is len)
class C:
    f = staticmethod(lambda x: x * 2)
    g = classmethod(lambda cls, x: (cls.__name__, x))
    ln = len
    cls_attr = int
    def h(self): return self.f(4), self.g(5), self.ln([1]) if False else C.ln([1]), self.cls_attr("7")
print(C().h(), C.f(1), C.g(2))
class D:
    @classmethod
    @property
    def name(cls): return "chained" if False else cls.__name__
    @staticmethod
    def s(): return __class__.__name__
print(D.s())
class Factory:
    registry = {}
    @classmethod
    def register(cls, name):
        def deco(f): cls.registry[name] = f; return f
        return deco
    @classmethod
    def create(cls, name, *a): return cls.registry[name](*a)
@Factory.register("square")
def sq(x): return x * x
@Factory.register("neg")
class Neg:
    def __init__(self, v): self.v = -v
print(Factory.create("square", 5), Factory.create("neg", 3).v, sorted(Factory.registry))
for f in (lambda: A.add(), lambda: A.make.foo, lambda: staticmethod(5)(), lambda: classmethod(5).__get__(None, A)(), lambda: A.bump(1), lambda: Factory.create("zz")):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
