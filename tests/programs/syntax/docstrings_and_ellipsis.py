"""Module doc."""
print(__doc__)
def f():
    """f doc"""
    return 1
def g():
    "single " "joined"
def h():
    x = 1
    """not doc"""
def i(): """inline doc"""
def j(): b"bytes"
def k(): f"formatted {1}"
def l(): ("parenthesised")
def m():
    # comment first
    r"""raw \n doc"""
class C:
    """class doc
    second line"""
    def m(self): """m doc"""
    @property
    def p(self): "p doc"
    @staticmethod
    def s(): "s doc"
    @classmethod
    def c(cls): "c doc"
class D: pass
class E: "E"; x = 1
for o in (f, g, h, i, j, k, l, m, C, C.m, C.p, C.s, C.c, D, E, lambda: "x"): print(repr(o.__doc__))
f.__doc__ = "changed"; C.__doc__ = 5; print(f.__doc__, C.__doc__, C().__doc__, D().__doc__)
def stub(x) -> int: ...
print(stub(1), Ellipsis is ..., repr(...), bool(...), type(...).__name__, ... == ..., {...: 1}[...], [..., ...], f"{...}", hash(...) == hash(...))
class Proto:
    def a(self): ...
    def b(self): raise NotImplementedError
    x: int = ...
print(Proto().a(), Proto.x)
def gen(): ...; yield ...
print(list(gen()))
if ...: print("truthy")
"expression statement"; 5; [1]; None; f; ...
print("ok")
