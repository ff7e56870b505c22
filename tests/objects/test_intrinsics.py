"""Type parameters and aliases."""
import kimi_runtime as kr
import pytest
from kimi_runtime.objects.intrinsics import intrinsic_for_test as call

from kimi_runtime.library.loader import import_shared

typing = import_shared("typing")      # whose classes guests see
TYPEVAR, CONSTRAINTS, PARAMSPEC, TUPLE, ALIAS, GENERIC = range(6)


def fails():
    raise NameError("later")


def test_type_variables():
    t = call(TYPEVAR, "T", None, None)
    assert isinstance(t, typing.TypeVar) and repr(t) == "T" and t.__name__ == "T" and t.__bound__ is None
    assert call(TYPEVAR, "T", lambda: int, None).__bound__ is int
    assert call(CONSTRAINTS, "T", lambda: (int, str), None).__constraints__ == (int, str)
    assert isinstance(call(PARAMSPEC, "P", None), typing.ParamSpec)
    assert isinstance(call(TUPLE, "Ts", None), typing.TypeVarTuple)


def test_bound_that_is_defined_later():
    known = []
    t = call(TYPEVAR, "T", lambda: known[0], None)
    known.append(int)
    assert t.__bound__ is int and isinstance(t, typing.TypeVar) and t.__constraints__ == ()
    assert repr(t) == "T" and (t | None)


def test_evaluation_waits():
    called = []
    t = call(TYPEVAR, "T", lambda: called.append(1) or int, None)
    c = call(CONSTRAINTS, "C", lambda: called.append(2) or (int, str), None)
    a = call(ALIAS, "A", lambda: called.append(3) or int, ())
    assert called == [] and t.__bound__ is int and t.__bound__ is int and called == [1]
    assert c.__constraints__ == (int, str) and a.__value__ is int and called == [1, 2, 3]


def test_generic():
    t, ts = call(TYPEVAR, "T", None, None), call(TUPLE, "Ts", None)
    base = call(GENERIC, (t, ts))
    assert base.__origin__ is typing.Generic and base.__parameters__ == (t, ts)


# On every host: 3.11 has no such syntax, and this is how much of it works there.
CLASSES = """
import typing
class Bound[T: int, *Ts]: pass
class Call[**P]: pass
class Derived[T](Bound[T, int]): pass
class Shape[T: (int, str)](typing.Protocol): pass
T = Shape.__type_params__[0]
class Old(typing.Generic[T]): pass
type Pair[T] = tuple[T, T]
[Bound.__parameters__ == Bound.__type_params__, Bound[int, str, float].__args__ == (int, str, float), Call[[int, str]].__args__,
 Derived[int].__args__, Shape[int].__args__, T.__constraints__, Old[str].__args__, list[T][int] == list[int], (T | None)[int] == typing.Optional[int],
 isinstance(T, typing.TypeVar), Pair[int].__value__ == tuple[T, T], repr(int | Pair), typing.get_args(Bound[int, str])]
"""


def test_classes():
    assert kr.run(CLASSES).unwrap() == [
        True, True, ((int, str),), (int,), (int,), (int, str), (str,), True, True, True, False, "int | Pair", (int, str)]


def test_alias():
    t = call(TYPEVAR, "T", None, None)
    alias = call(ALIAS, "L", lambda: list[t], (t,))
    assert alias.__name__ == "L" and alias.__value__ == list[t] and alias.__type_params__ == (t,)
    assert alias[int].__args__ == (int,) and repr(alias) == "L"
    plain = call(ALIAS, "X", fails, ())
    with pytest.raises(NameError):
        plain.__value__
    with pytest.raises(TypeError):
        plain[int]
    assert type(plain) is getattr(typing, "TypeAliasType", type(plain))
