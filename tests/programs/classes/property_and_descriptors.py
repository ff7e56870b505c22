class T:
    def __init__(self): self._c = 0
    @property
    def c(self):
        "celsius"
        return self._c
    @c.setter
    def c(self, v):
        if v < -273: raise ValueError(f"too cold: {v}")
        self._c = v
    @c.deleter
    def c(self): self._c = None
    ro = property(lambda self: "read only")
    wo = property(fset=lambda self, v: print("set", v))
    def getx(self): return "x"
    x = property(getx, doc="x doc")
t = T()
t.c = 5; t.c += 10
print(t.c, T.c.__doc__, T.x.__doc__, type(T.c).__name__, T.c.fget.__name__, T.ro.fset, t.ro, t.x)
del t.c
print(t.c)
t.wo = 3
for f in (lambda: setattr(t, "ro", 1), lambda: delattr(t, "ro"), lambda: t.wo, lambda: setattr(t, "c", -300), lambda: setattr(t, "x", 1)):
    try: f()
    except Exception as e: print(type(e).__name__, e)
class Data:
    def __set_name__(self, owner, name): self.name = name; print("set_name", owner.__name__, name)
    def __get__(self, o, t): print("get", o is None, t.__name__, end=" "); return self if o is None else o.__dict__.get(self.name, "unset")
    def __set__(self, o, v): print("set", v, end=" "); o.__dict__[self.name] = v
    def __delete__(self, o): print("delete", end=" "); o.__dict__.pop(self.name)
class NonData:
    def __get__(self, o, t=None): return "nondata"
class SetOnly:
    def __set__(self, o, v): o.__dict__["so"] = ("stored", v)
class H:
    d = Data(); nd = NonData(); so = SetOnly()
h = H()
print(h.d); h.d = 5; print(h.d, H.d is not None)
h.__dict__["d"] = "direct"
print(h.d); del h.d; print(h.d)
print(h.nd); h.nd = "inst"; print(h.nd, H.nd); del h.nd; print(h.nd)
print(type(h.so).__name__); h.so = 1; print(h.so)
class BadGet:
    def __get__(self, o, t): raise AttributeError("desc attr")
class U:
    b = BadGet()
    def __getattr__(self, n): return f"fallback {n}"
print(U().b)
class Lazy:
    def __init__(self, f): self.f, self.n = f, f.__name__
    def __get__(self, o, t):
        if o is None: return self
        print("compute", end=" ")
        v = o.__dict__[self.n] = self.f(o)
        return v
class Z:
    @Lazy
    def val(self): return 42
z = Z(); print(z.val, z.val, z.__dict__)
class Sub(T):
    @T.c.setter
    def c(self, v): self._c = v * 2
    @property
    def ro(self): return super().ro + "!"
s = Sub(); s.c = 4
print(s.c, s.ro, Sub.__dict__["c"] is not T.c)
