class A:
    def who(self): return "A"
    def hello(self): return "hello " + self.who()
class B(A):
    def who(self): return "B>" + super().who()
class C(A):
    def who(self): return "C>" + super().who()
class D(B, C):
    def who(self): return "D>" + super().who()
class E(D):
    pass
print(D().hello(), E().who(), [k.__name__ for k in D.__mro__], D.mro() == list(D.__mro__), D.__bases__, D.__base__)
print(issubclass(D, A), isinstance(E(), C), issubclass(A, D), A.__subclasses__(), super(B, D()).who(), super(D, D()).who(), B.who(D()))
for src in ("class X(A, D): pass", "class X(A, A): pass", "class X(5): pass", "class X(int, str): pass", "class X(type(None)): pass", "class X(bool): pass", "class X(None): pass", "class X(range): pass", "class X(list, dict): pass", "class X(B, object, C): pass", "class X(undefined): pass", "class X(type(len)): pass", "class X(A, **{'z': 1}): pass"):
    try: exec(src)
    except Exception as e: print(src, "->", type(e).__name__, e)
class Init(A):
    def __init__(self, *a, **k): self.log = [("Init", a, k)]; super().__init__()
class M1(Init):
    def __init__(self, x, **k): super().__init__(x, **k); self.log.append("M1")
class M2(Init):
    def __init__(self, y=2, **k): super().__init__(y, **k); self.log.append("M2")
class Both(M1, M2):
    def __init__(self): super().__init__(1, z=3)
print(Both().log)
class Mixin:
    def __repr__(self): return f"<{type(self).__name__} {sorted(self.__dict__.items())}>"
    def __eq__(self, o): return type(self) is type(o) and self.__dict__ == o.__dict__
class V(Mixin, A):
    def __init__(self, v): self.v = v
print(V(1), V(1) == V(1), V(1) == V(2), V.__hash__, V(3).hello())
bases = (B,)
class Dyn(*bases, A): z = 1
print(Dyn.__mro__[1].__name__, Dyn().who())
B.__bases__ = (C,)
print(B().who(), [k.__name__ for k in B.__mro__])
x = B(); x.__class__ = C
print(x.who(), type(x).__name__)
try: x.__class__ = int
except TypeError as e: print(e)
try: x.__class__ = 5
except TypeError as e: print(e)
