# requires: 3.12
def first[T](xs: list[T]) -> T: return xs[0]
class Box[T]:
    def __init__(self, v: T): self.v = v
    def map[U](self, f) -> "Box[U]": return Box(f(self.v))
    def __repr__(self): return f"Box({self.v!r})"
class Pair[K, V: (int, str)](Box[K]):
    pass
type Alias = int | str
type Gen[T] = list[T]
print(first([1, 2]), Box(3).map(str), first.__type_params__, Box.__type_params__, Box[int], Pair.__type_params__[1].__constraints__)
print(Alias, Alias.__value__, Alias.__name__, Gen[int], Gen.__type_params__, Gen.__value__)
def bound[T: int, *Ts, **P](x: T) -> T: return x
print(bound.__type_params__, bound.__type_params__[0].__bound__, bound(5))
type Rec = dict[str, Rec] | None
print(Rec.__value__)
class Outer[T]:
    def m(self): return T.__name__
    class Inner[U]:
        def n(self): return U.__name__
print(Outer().m(), Outer.Inner().n(), Outer.__mro__[1].__name__)
try: print(T)
except NameError as e: print(e)
def deco(f): return f
@deco
def decorated[T](x: T = 3, *, k: T = 4) -> list[T]: return [x, k]
print(decorated(), decorated.__annotations__)
