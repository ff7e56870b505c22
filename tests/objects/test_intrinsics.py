"""Type parameters and aliases."""
import sys
import typing

import pytest
from kimi_runtime.objects.intrinsics import intrinsic_for_test as call

TYPEVAR, CONSTRAINTS, PARAMSPEC, TUPLE, ALIAS, GENERIC = range(6)


def fails():
    raise NameError("later")


def test_type_variables():
    t = call(TYPEVAR, "T", None, None)
    assert isinstance(t, typing.TypeVar) and repr(t) == "T" and t.__name__ == "T" and t.__bound__ is None
    assert call(TYPEVAR, "T", lambda: int, None).__bound__ is int
    assert call(CONSTRAINTS, "T", lambda: (int, str), None).__constraints__ == (int, str)
    assert type(call(PARAMSPEC, "P", None)) is typing.ParamSpec
    assert type(call(TUPLE, "Ts", None)) is typing.TypeVarTuple


def test_bound_that_is_defined_later():
    known = []
    t = call(TYPEVAR, "T", lambda: known[0], None)
    known.append(int)
    assert t.__bound__ is int and isinstance(t, typing.TypeVar) and t.__constraints__ == ()
    assert repr(t) == "T" and (t | None)
    class Box(typing.Generic[t]):
        pass
    assert Box[int].__args__ == (int,)


def test_evaluation_waits():
    called = []
    t = call(TYPEVAR, "T", lambda: called.append(1) or int, None)
    c = call(CONSTRAINTS, "C", lambda: called.append(2) or (int, str), None)
    a = call(ALIAS, "A", lambda: called.append(3) or int, ())
    assert called == [] and t.__bound__ is int and t.__bound__ is int and called == [1]
    assert c.__constraints__ == (int, str) and a.__value__ is int and called == [1, 2, 3]


def test_generic():
    t, ts = call(TYPEVAR, "T", None, None), call(TUPLE, "Ts", None)
    class A(call(GENERIC, (t, ts))):
        pass
    assert A.__parameters__ == (t, ts) and A[int, str, float].__args__ == (int, str, float)


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
    if sys.version_info >= (3, 12):
        assert isinstance(plain, typing.TypeAliasType)
