class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
class Point3(Point):
    __match_args__ = ("x", "y", "z")
    def __init__(self, x, y, z): super().__init__(x, y); self.z = z
class NoArgs:
    a = 1
class Prop:
    __match_args__ = ("val",)
    @property
    def val(self): print("read", end=" "); return 42
def f(x):
    match x:
        case Point3(0, 0, 0): return "origin3"
        case Point(0, 0): return "origin"
        case Point(x=0, y=y): return f"y axis {y}"
        case Point(x, y=0): return f"x axis {x}"
        case Point3(z=z) if z > 5: return f"high {z}"
        case Point(x, y) as p if x == y: return f"diag {x} {type(p).__name__}"
        case Point(): return "some point"
        case NoArgs(a=1): return "noargs"
        case Prop(v): return f"prop {v}"
        case int(n) | float(n): return f"number {n}"
        case str(): return "str"
        case bool(): return "never: bool is int"
        case [Point(a), Point(b)]: return f"two points {a} {b}"
        case dict(d): return f"dict {d}"
        case list(l): return f"list {l}"
        case tuple((a, b)): return f"tuple {a} {b}"
        case bytes() | bytearray() | set() | frozenset(): return "other builtin"
        case type(): return "a type"
        case object(missing=_): return "?"
        case _: return "nothing"
for v in (Point(0, 0), Point3(0, 0, 0), Point(0, 5), Point(3, 0), Point3(1, 2, 9), Point(4, 4), Point3(4, 4, 1), Point(1, 2), NoArgs(), Prop(), 5, 2.5, True, "s", [Point(1, 1), Point(2, 2)], {"a": 1}, [1], (1, 2), (1, 2, 3), b"b", {1}, int, None):
    print(type(v).__name__, "->", f(v))
def attempt(label, v, src):
    try:
        exec(f"match v:\n case {src}: print('{label} matched')\n case _: print('{label} no')", {**globals(), "v": v})
    except TypeError as e: print(label, "TypeError", e)
attempt("too many", Point(1, 2), "Point(1, 2, 3)"); attempt("no match args", NoArgs(), "NoArgs(1)"); attempt("dup", Point(1, 2), "Point(1, x=1)"); attempt("not class", 1, "print()"); attempt("int 2", 1, "int(1, 2)"); attempt("missing attr", NoArgs(), "NoArgs(zz=1)"); attempt("inst", 5, "Point(1)")
class Bad:
    __match_args__ = ["x"]
class Bad2:
    __match_args__ = (1,)
attempt("list args", Bad(), "Bad(1)"); attempt("int args", Bad2(), "Bad2(1)")
class Meta(type):
    def __instancecheck__(cls, o): return o == "magic"
class Magic(metaclass=Meta): pass
attempt("magic", "magic", "Magic()"); attempt("magic2", "other", "Magic()")
class Raises:
    __match_args__ = ("boom",)
    @property
    def boom(self): raise AttributeError("gone")
    @property
    def worse(self): raise ValueError("worse")
attempt("attr error", Raises(), "Raises(1)")
try: attempt("value error", Raises(), "Raises(worse=1)")
except ValueError as e: print(e)
class IntSub(int): pass
attempt("intsub", IntSub(5), "int(5)"); attempt("nested", Point(Point(1, 2), [3, {"k": 4}]), "Point(Point(1), [3, {'k': 4}])")
