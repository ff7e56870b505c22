# requires: 3.12
"""What parameter lists make, and what typing does with it."""
import typing
class A[T, *Ts]: pass
print(A.__parameters__, A.__orig_bases__, A[int, str, float].__args__)
class B[T: int, *Ts]: pass
print(B.__parameters__, B.__orig_bases__, B[int, str, float].__args__, B[int, str, float])
def f[*Ts](*a: *Ts): pass
print(f.__annotations__, list(f.__type_params__))
Ts = f.__type_params__[0]
print(list(Ts), tuple[*Ts], typing.Unpack[Ts] == list(Ts)[0], type(list(Ts)[0]))
class C[**P]: pass
print(C[int, str], C[[int, str]], C[[int, str]].__args__)
P = C.__type_params__[0]
print(P, P.args, P.kwargs, P.args == P.args, P.args != P.kwargs, P.args.__origin__ is P, typing.Callable[P, int][[str]])
class D[T: (int, str)]: pass
print(D[int], D.__type_params__[0].__constraints__)
T = D.__type_params__[0]
print(T | int, int | T, list[T][int], typing.Union[T, int], typing.Optional[T])
class E[T: int](typing.Protocol): pass
print(E[int], E.__parameters__, E.__mro__)
type L[T: int] = list[T]
print(L[int], L.__value__, L.__value__[int], L.__type_params__, L.__parameters__)
class F[T: int](B[T, int]): pass
print(F[int], F.__orig_bases__, F.__mro__)
class G(typing.Generic[T]): pass
print(G[int], G.__parameters__, typing.get_type_hints(f))
print(repr(T), T.__name__, T.__module__, type(T), isinstance(T, typing.TypeVar), T.__bound__, T.__covariant__, T.__infer_variance__)
print(typing.TypeVar("Q").__module__, L.__module__, typing.TypeVar("Q", int, str).__constraints__, typing.TypeVar("Q", bound="int").__bound__)
print(typing.TypeVar("X", covariant=True), typing.ParamSpec("Y", contravariant=True), typing.TypeVarTuple("Z"), typing.TypeVar("W", infer_variance=True))
N = typing.TypeAliasType("N", dict[str, T], type_params=(T,))
print(N, N[int], N.__value__, N.__type_params__, N.__module__)
def show(*functions):
    for function in functions:
        try: print(function())
        except Exception as e: print(type(e).__name__, e)
show(lambda: L[int, int], lambda: A[()], lambda: B[int], lambda: D[int, int], lambda: D[1], lambda: T(), lambda: isinstance(1, T),
     lambda: isinstance(1, L), lambda: L(), lambda: T.x, lambda: setattr(T, "x", 1), lambda: T.x, lambda: T == T, lambda: hash(L) == hash(L),
     lambda: L | None, lambda: None | L, lambda: L | L, lambda: int | L | list[int], lambda: (int | L).__args__, lambda: L | 1,
     lambda: T | "int", lambda: T | 1, lambda: (T | None)[int], lambda: L[int].__value__, lambda: L[T].__parameters__, lambda: L[T][int],
     lambda: typing.TypeVar("T", int), lambda: typing.TypeVar("T", int, str, bound=int), lambda: typing.TypeVar("T", bound=1),
     lambda: typing.TypeVar("T", covariant=True, contravariant=True), lambda: typing.TypeVar("T", covariant=True, infer_variance=True),
     lambda: typing.TypeVar(1), lambda: typing.ParamSpec(1), lambda: typing.TypeVarTuple(None), lambda: typing.TypeAliasType("X", 1, type_params=[]),
     lambda: setattr(L, "__value__", 1), lambda: typing.TypeAliasType("X", 1)[int], lambda: C[int, str], lambda: C[1], lambda: A[int, *Ts])
for base in (T, P, Ts, P.args, P.kwargs):
    try:
        class H(base): pass
    except Exception as e: print(type(e).__name__, e)
