class G:
    def __init__(self): self.real = "real"
    def __getattr__(self, n):
        if n.startswith("dyn_"): return n[4:]
        raise AttributeError(f"no {n}!")
g = G()
print(g.real, g.dyn_abc, hasattr(g, "zzz"), getattr(g, "zzz", "default"), hasattr(g, "dyn_x"))
try: g.zzz
except AttributeError as e: print(e)
class GA:
    def __init__(self): self.a = 1
    def __getattribute__(self, n):
        if n == "secret": return "intercepted"
        if n == "blocked": raise AttributeError("blocked")
        return object.__getattribute__(self, n)
    def __getattr__(self, n): return f"fallback:{n}"
    def m(self): return self.secret
x = GA()
print(x.a, x.secret, x.blocked, x.other, x.m(), x.__class__.__name__)
class S:
    def __setattr__(self, k, v):
        print("set", k, v, end="; ")
        object.__setattr__(self, k, v)
    def __delattr__(self, k):
        print("del", k, end="; ")
        object.__delattr__(self, k)
s = S(); s.a = 1; s.a += 1; setattr(s, "b", 2); del s.b; delattr(s, "a")
print(s.__dict__)
try: del s.nope
except AttributeError as e: print(e)
class Proxy:
    def __init__(self, t): object.__setattr__(self, "_t", t)
    def __getattr__(self, n): return getattr(self._t, n)
    def __setattr__(self, n, v): setattr(self._t, n, v)
    def __delattr__(self, n): delattr(self._t, n)
class T: pass
t = T(); p = Proxy(t); p.z = 5
print(t.z, p.z, p.__dict__ != t.__dict__); del p.z; print(hasattr(t, "z"), Proxy([1]).append, Proxy("ab").upper()) if False else print(hasattr(t, "z"), Proxy("ab").upper())
class Dunder:
    def __getattr__(self, n): return lambda *a: ("called", n)
d = Dunder()
print(d.foo(1), d.__len__())
for f in (lambda: len(d), lambda: d + 1, lambda: d[0], lambda: d()):
    try: print(f())
    except TypeError as e: print(e)
class Frozen:
    def __init__(self, **k): self.__dict__.update(k)
    def __setattr__(self, k, v): raise AttributeError(f"{type(self).__name__} is frozen")
f = Frozen(a=1)
try: f.a = 2
except AttributeError as e: print(e, f.a)
class Raises:
    def __getattr__(self, n): raise ValueError("not attr error")
    @property
    def p(self): raise AttributeError("inside property")
for n in ("x", "p"):
    try: hasattr(Raises(), n)
    except ValueError as e: print(n, e)
class ClassGetattr(type):
    def __getattribute__(cls, n): return "meta:" + n if n == "hey" else super().__getattribute__(n)
class CG(metaclass=ClassGetattr): v = 1
print(CG.hey, CG.v)
