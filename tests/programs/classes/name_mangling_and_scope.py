class A:
    __priv = 1
    def __init__(self): self.__x = 2; self.__dunder__ = 3; self._single = 4
    def get(self): return self.__x, self.__priv, A.__priv
    def __hidden(self): return "hidden"
    def call(self): return self.__hidden()
    def arg(self, __a): return __a
    def loc(self):
        __v = 5
        return sorted(locals()), __v
    def kw(self): return dict(__k=1)
    def nested(self):
        class __Inner: pass
        def f(): return self.__x
        return __Inner.__name__, f()
a = A()
print(a.get(), a.call(), a.arg(9), a.loc()[0][0], a.kw(), a.nested(), sorted(a.__dict__), a._A__x, A._A__priv, a._A__hidden())
try: a.__x
except AttributeError as e: print(e)
class B(A):
    def get2(self): return self.__x
try: B().get2()
except AttributeError as e: print(e)
class _C:
    __v = 1
    v = __v
class __:
    __w = 2
print(_C._C__v, hasattr(__, "__w"), [k for k in vars(_C) if "v" in k])
x = "global"
class Scope:
    x = "class"
    y = x
    def f(self): return x
    z = [x for _ in "a"]
    l = lambda self: x
    if True: cond = "yes"
    for i in range(3): pass
    del i
    w = (lambda: x)()
    try: print(nope)
    except NameError as e: err = str(e)
    locs = sorted(k for k in locals() if not k.startswith("__"))
s = Scope()
print(Scope.y, s.f(), Scope.z, s.l(), Scope.cond, hasattr(Scope, "i"), Scope.w, Scope.err, Scope.locs)
def outer():
    v = "enclosing"
    class In:
        a = v
        def m(self): return v
    class In2:
        v = v if False else "own"
    class In3:
        nonlocal v
        v = "changed"
    return In.a, In().m(), In2.v, v
print(outer())
class Redef:
    def f(self): return 1
    g = f
    def f(self): return 2
print(Redef().f(), Redef().g(), Redef.g.__name__)
class Self:
    def me(self): return Self
    attr = [].append
print(Self().me() is Self)
class Order:
    b = 1; a = 2
    def c(self): pass
print([k for k in Order.__dict__ if not k.startswith("__")])
