class A:
    v = "A.v"
    def f(self, x=0): return ("A.f", x)
    @classmethod
    def c(cls): return ("A.c", cls.__name__)
    @staticmethod
    def s(): return "A.s"
    @property
    def p(self): return "A.p"
    def __getitem__(self, i): return ("A[]", i)
    def __len__(self): return 3
class B(A):
    v = "B.v"
    def f(self, x=0): return ("B.f", super().f(x + 1), super(B, self).f(9))
    @classmethod
    def c(cls): return ("B.c", super().c())
    @staticmethod
    def s(): return "B.s" + super(B, B).s()
    @property
    def p(self): return "B.p" + super().p
    def __getitem__(self, i): return ("B[]", super().__getitem__(i))
    def g(self): return super().v, self.v
    def inner(self):
        def h(): return super(B, self).f(1)
        return h(), [super(B, self).f(i) for i in range(2)]
    def lam(self): return (lambda self: super().f(7))(self)
    def __len__(self): return super().__len__() * 2
b = B()
print(b.f(1), b.c(), B.c(), b.s(), b.p, b[5], b.g(), b.inner(), b.lam(), len(b))
s = super(B, b)
print(s.v, s.f(3), type(s).__name__, s.__thisclass__.__name__, s.__self__ is b, s.__self_class__.__name__)
def no_args(): super()
class C:
    def no_self(): return super()
    def deleted(self):
        del self
        return super()
    def bad(self): return super(5, self)
    def other(self): return super(B, self)
    def missing(self): return super().nope
    x = lambda self: super().__init__()
for f in (no_args, C.no_self, lambda: C().deleted(), lambda: C().bad(), lambda: C().other(), lambda: C().missing(), lambda: C().x(), lambda: super(B).f, lambda: super(B, int)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
try:
    class D:
        y = super()
except RuntimeError as e: print(e)
class Meta(type):
    def __call__(cls, *a): print("Meta.call", end=" "); return super().__call__(*a)
class M(metaclass=Meta):
    def __new__(cls, *a): return super().__new__(cls)
    def cl(self): return __class__
print(M().cl() is M)
class SetAttr:
    def __setattr__(self, k, v): super().__setattr__("_" + k, v)
o = SetAttr(); o.a = 1
print(o.__dict__)
