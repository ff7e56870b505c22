class P:
    __slots__ = ("x", "y")
    def __init__(self, x, y=0): self.x, self.y = x, y
p = P(1)
print(p.x, p.y, P.__slots__, hasattr(p, "__dict__"), type(P.x).__name__, P.x.__get__(p))
p.x += 5; del p.y
for f in (lambda: p.y, lambda: setattr(p, "z", 1), lambda: p.z, lambda: delattr(p, "y"), lambda: p.__dict__, lambda: vars(p), lambda: setattr(p, "__class__", object)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
class Q(P):
    pass
q = Q(1, 2); q.z = 3
print(q.__dict__, q.x)
class R(P):
    __slots__ = ("z",)
r = R(1); r.z = 9
print(r.x, r.z, hasattr(r, "__dict__"))
class D:
    __slots__ = ["a", "__dict__"]
d = D(); d.a = 1; d.b = 2
print(d.a, d.b, d.__dict__)
class S:
    __slots__ = "single"
s = S(); s.single = 1; print(s.single, S.__slots__)
class Priv:
    __slots__ = ("__hidden",)
    def __init__(self): self.__hidden = 5
    def get(self): return self.__hidden
print(Priv().get(), hasattr(Priv(), "_Priv__hidden"))
for src in ("class A: __slots__ = ('x',); x = 1", "class A: __slots__ = ('1x',)", "class A: __slots__ = (5,)", "class A(int): __slots__ = ('x',)", "class A(P, S): pass", "class A: __slots__ = ('x', '__dict__', '__dict__')", "class A: __slots__ = 5", "class A(tuple): __slots__ = ('q',)"):
    try: exec(src); print("ok", src)
    except Exception as e: print(src, "->", type(e).__name__, e)
class Doc:
    __slots__ = {"a": "doc of a", "b": None}
print(Doc.a.__doc__, sorted(Doc.__slots__))
class Default:
    __slots__ = ()
    k = 1
try: Default().k = 2
except AttributeError as e: print(e)
