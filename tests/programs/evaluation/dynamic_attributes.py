class A:
    x = 1
    def m(self): return "m"
a = A()
print(getattr(a, "x"), getattr(a, "m")(), getattr(a, "no", None), getattr(A, "m")(a), hasattr(a, "x"), hasattr(a, "no"))
setattr(a, "dyn", 5); setattr(A, "cls", 6); setattr(a, "with space", 7); setattr(a, "class", 8)
print(a.dyn, a.cls, getattr(a, "with space"), a.__dict__)
delattr(a, "dyn"); delattr(A, "cls")
for n in ("dyn", "cls"): print(n, hasattr(a, n))
for f in (lambda: getattr(a, "zz"), lambda: getattr(a), lambda: getattr(a, 5), lambda: setattr(a, 5, 1), lambda: setattr(a, "x"), lambda: delattr(a, "x"), lambda: delattr(a, "q"), lambda: hasattr(a), lambda: getattr(5, "upper"), lambda: setattr("s", "a", 1), lambda: setattr(int, "a", 1), lambda: delattr(int, "real"), lambda: setattr(a, "__class__", 1), lambda: setattr(None, "x", 1), lambda: getattr(a, "zz", 1, 2)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for name, obj in (("upper", "abc"), ("append", []), ("real", 5), ("__len__", "abcd"), ("__class__", 1.5), ("__doc__", A), ("__name__", A), ("__add__", 3), ("keys", {1: 2}), ("__module__", A), ("__eq__", 1), ("__hash__", "s")):
    v = getattr(obj, name)
    print(name, type(v).__name__, v() if name in ("upper", "__len__", "keys") else v(4) if name in ("__add__",) else "")
ops = {"__add__": 2, "__sub__": 2, "__mul__": 3, "__floordiv__": 2, "__mod__": 4, "__neg__": None, "__abs__": None, "__lt__": 9, "__divmod__": 3, "__pow__": 2, "__rsub__": 10, "__and__": 6, "__lshift__": 2, "__invert__": None, "__float__": None}
for op, arg in ops.items():
    m = getattr(7, op)
    print(op, m() if arg is None else m(arg), end=" ")
print()
class Chain:
    def __getattr__(self, n): c = Chain(); c.path = getattr(self, "path", "") + "." + n if "path" in self.__dict__ else n; return c
    def __call__(self, *a): return f"{self.path}{a}"
print(Chain().api.users.get(5), Chain().x("y"))
class Config:
    def __init__(self, **kw): self.__dict__.update(kw)
    def __repr__(self): return f"Config({', '.join(f'{k}={v!r}' for k, v in sorted(vars(self).items()))})"
c = Config(b=1, a="x")
for k in list(vars(c)): setattr(c, k + "2", getattr(c, k) * 2)
print(c)
m = a.m
A.m = lambda self: "patched"
print(m(), a.m(), a.__class__.__dict__["m"](a))
a.m = lambda: "instance patched"
print(a.m(), A().m()); del a.m; print(a.m())
