class A:
    def __repr__(self): return "A-repr"
class B:
    def __str__(self): return "B-str"
class C(A):
    def __str__(self): return "C-str"
class D(str): pass
class E(int):
    def __repr__(self): return f"E({int(self)})"
for o in (A(), C(), D("d"), E(5)): print(str(o), repr(o), f"{o}", f"{o!r}", "%s %r" % (o, o), [o], {o: 1} if o.__hash__ else "", (o,), "{} {!r}".format(o, o))
print(str(B()), repr(B()).startswith("<__main__.B object at 0x"), f"{B()}", str([B()]).startswith("[<__main__.B"))
for o in (0, -1, 1.0, 1e20, 1j, "a'b", 'a"b', "a'b\"c", "\n", b"x'", None, True, ..., [], (), {}, set(), frozenset(), [1, [2]], (1,), {"a": [1]}, {1}, range(3), range(0, 5, 2), slice(1), len, int, type, NotImplemented, bytearray(b"q"), ValueError("m"), KeyError(), OSError(1, "x"), Exception, print, type(None), {}.keys(), {1: 2}.items(), str.upper, (lambda: 0).__name__):
    print(repr(o) == str(o), repr(o))
print(str(b"a"), str(b"abc", "ascii"), str(bytearray(b"z"), "utf8"), str(1), str([1, "a"]), str(None), str(object=3), str(b"\xff", "utf8", "replace"), bytes("x", "ascii"), ascii("é\n"), repr("é"), int(" 7\n"), float("1e3"), list("ab"), tuple("ab"), bool("0"), complex("1j"))
print([].__repr__(), (5).__str__(), "x".__repr__(), None.__repr__(), {}.__str__(), type.__repr__(int), object.__repr__(5).startswith("<int object"), (1).__format__("03"), "%r" % ("t",), "%s" % ((1, 2),), "%s" % [1], "%s %%" % None)
l = [1]; l.append(l); d = {}; d[1] = d; s = (l,)
print(l, d, s, repr(l), str(d))
class Rec:
    def __init__(self): self.me = self
    def __repr__(self): return f"Rec({'...' if self.me is self else self.me})"
print(Rec(), [Rec()])
def f(): pass
print(repr(f).startswith("<function f at 0x"), repr(lambda: 0).startswith("<function <lambda> at 0x"), repr(A().__repr__).startswith("<bound method A.__repr__ of A-repr>"), repr(f.__code__).startswith("<code object f at 0x"), repr((x for x in [])).startswith("<generator object <genexpr> at 0x"), repr([].append).startswith("<built-in method append of list object at 0x"), repr(A), repr(type(f)), repr(property()).startswith("<property object at 0x"), repr(object())[:18], repr(super(C, C()))[:20], repr(classmethod(f))[:14], repr(iter([]))[:20])
