class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print("prepare", name, [b.__name__ for b in bases], kw)
        return {"injected": 1}
    def __new__(mcs, name, bases, ns, **kw):
        print("new", name, sorted(k for k in ns if not k.startswith("__")), kw)
        ns["from_meta"] = name.lower()
        return super().__new__(mcs, name, bases, ns)
    def __init__(cls, name, bases, ns, **kw):
        print("init", name, kw)
        super().__init__(name, bases, ns)
    def __call__(cls, *a, **k):
        print("call", cls.__name__, a, k)
        return super().__call__(*a, **k)
    def __repr__(cls): return f"<Meta {cls.__name__}>"
    def __len__(cls): return 42
    def __iter__(cls): return iter("meta")
    def __getitem__(cls, k): return (cls.__name__, k)
    def __contains__(cls, x): return x == 1
    def __getattr__(cls, n): return f"meta attr {n}"
    def __instancecheck__(cls, o): return o == 5 or type.__instancecheck__(cls, o)
    def __subclasscheck__(cls, c): return c is int or type.__subclasscheck__(cls, c)
    def __add__(cls, o): return f"{cls.__name__}+{o}"
    @property
    def prop(cls): return "metaprop " + cls.__name__
    def mm(cls): return "meta method"
class A(metaclass=Meta, flag=True):
    x = injected + 1
    def f(self): return "f"
class B(A, other=2): pass
a = A()
print(A, repr(B), type(A), len(A), list(A), A["k"], 1 in A, A.zzz, A.x, A.injected, A.from_meta, B.from_meta, A.prop, A.mm(), a.f())
print(isinstance(5, A), isinstance(6, A), isinstance(a, A), issubclass(int, A), issubclass(str, A), issubclass(B, A), A + 1, hasattr(a, "mm"), hasattr(a, "prop"))
for f in (lambda: a.mm(), lambda: len(a), lambda: a["k"]):
    try: f()
    except Exception as e: print(type(e).__name__, e)
class Singleton(type):
    _inst = {}
    def __call__(cls, *a):
        if cls not in cls._inst: cls._inst[cls] = super().__call__(*a)
        return cls._inst[cls]
class S(metaclass=Singleton):
    def __init__(self, v=0): self.v = v
print(S(1) is S(2), S().v)
class M1(type): pass
class M2(type): pass
class M3(M1, M2): pass
class X(metaclass=M1): pass
class Y(metaclass=M2): pass
try:
    class Z(X, Y): pass
except TypeError as e: print(e)
class W(X, Y, metaclass=M3): pass
print(type(W).__name__)
def func_meta(name, bases, ns, **kw): return (name, bases, sorted(k for k in ns if k[0] != "_"), kw)
class F(int, metaclass=func_meta, q=1): y = 2
print(F)
