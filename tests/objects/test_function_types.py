"""The types of guest functions and cells against CPython's own."""
import copy
import gc
import types
import weakref

import pytest
from kimi_runtime.bytecode.code import Code

from kimi_runtime.objects import function

Cell, Function, Generator = function.Cell, function.Function, function.Generator


def outcome(action):
    """What a call does: its value, or the type and text of its exception."""
    try:
        return ("value", action())
    except Exception as error:
        return (type(error), str(error))


def same(host, guest):
    assert outcome(guest) == outcome(host)


@pytest.fixture
def pair():
    def f():
        """doc"""
    code = Code()
    f.__module__ = "m"
    f.__qualname__ = "f"
    g = function.make_function(code, {"__name__": "m"}, "f")
    g.__doc__ = "doc"
    g.__qualname__ = "f"
    return f, g


def test_names_of_types():
    assert [t.__name__ for t in (Cell, Function, Generator)] == ["cell", "function", "generator"]
    assert [t.__module__ for t in (Cell, Function, Generator)] == ["builtins"] * 3


@pytest.mark.parametrize("t", [Cell, Function, Generator])
def test_types_are_closed(t):
    host = {Cell: types.CellType, Function: types.FunctionType, Generator: types.GeneratorType}[t]
    same(lambda: type("X", (host,), {}), lambda: type("X", (t,), {}))
    same(lambda: object.__new__(host), lambda: object.__new__(t))
    same(lambda: setattr(host, "x", 1), lambda: setattr(t, "x", 1))


def test_generator_cannot_be_made():
    same(lambda: types.GeneratorType(), lambda: Generator())
    assert "__new__" not in vars(Generator)


NAMES = ["__code__", "__defaults__", "__kwdefaults__", "__annotations__", "__name__", "__qualname__", "__doc__",
         "__module__", "__closure__", "__globals__", "__builtins__", "__dict__", "nothing"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [None, 1, "text", (1, 2), {"a": 1}, [1]])
def test_assign(pair, name, value):
    f, g = pair
    if name == "__dict__" and isinstance(value, dict):
        value = dict(value)
    same(lambda: setattr(f, name, value), lambda: setattr(g, name, value))
    if name not in ("__code__", "__globals__", "__builtins__"):
        same(lambda: getattr(f, name), lambda: getattr(g, name))


@pytest.mark.parametrize("name", NAMES)
def test_delete(pair, name):
    f, g = pair
    same(lambda: delattr(f, name), lambda: delattr(g, name))
    if name not in ("__code__", "__globals__", "__builtins__"):
        same(lambda: getattr(f, name), lambda: getattr(g, name))


def test_attributes_and_dict(pair):
    f, g = pair
    for x in pair:
        x.one = 1
        x.__dict__["two"] = 2
    assert g.__dict__ == f.__dict__ and vars(g) == vars(f) and g.two == 2
    assert g.__annotations__ is g.__annotations__


def test_repr(pair):
    f, g = pair
    assert repr(g).replace(hex(id(g)), "") == repr(f).replace(hex(id(f)), "")


def test_binding(pair):
    f, g = pair
    class C:
        m = g
    c = C()
    assert isinstance(c.m, types.MethodType) and c.m.__self__ is c and c.m.__func__ is g
    assert C.m is g and C.__dict__["m"].__get__(None, C) is g
    assert g.__get__(c).__self__ is c


def test_copy(pair):
    _, g = pair
    assert copy.copy(g) is g and copy.deepcopy([g])[0] is g


def test_weak_reference(pair):
    _, g = pair
    ref = weakref.ref(g)
    assert ref() is g


def test_collector_finds_cycles():
    g = function.make_function(Code(), {}, "f")
    g.me = g
    ref = weakref.ref(g)
    del g
    gc.collect()
    assert ref() is None


def test_collector_finds_cycles_through_cells():
    class Probe:
        pass
    probe = Probe()
    cell = Cell(probe)
    probe.cell = cell
    ref = weakref.ref(probe)
    del probe, cell
    gc.collect()
    assert ref() is None


def test_deep_chain_of_cells_is_freed():
    cell = None
    for _ in range(300_000):
        cell = Cell(cell)
    del cell


def test_call_wrapper(pair):
    _, g = pair
    assert callable(g) and callable(g.__call__) and "__call__" in dir(type(g))


CONTENTS = [None, 1, 2**70, 1.5, True, "s", [1]]


@pytest.mark.parametrize("value", CONTENTS)
def test_cell(value):
    ours, host = Cell(value), types.CellType(value)
    assert ours.cell_contents == host.cell_contents and type(ours.cell_contents) is type(value)
    assert repr(ours).split(" at ")[1].split(": ")[1] == repr(host).split(" at ")[1].split(": ")[1]
    del ours.cell_contents
    same(lambda: types.CellType().cell_contents, lambda: ours.cell_contents)
    assert repr(ours) == f"<cell at {id(ours):#x}: empty>"
    ours.cell_contents = value
    assert ours.cell_contents == value


def test_cell_compare():
    for t in (Cell, types.CellType):
        assert t(1) == t(1) and t(1) < t(2) and t() < t(1) and not t() < t() and t() == t()
    same(lambda: hash(types.CellType()), lambda: hash(Cell()))
    same(lambda: types.CellType(1, 2), lambda: Cell(1, 2))
    same(lambda: types.CellType(a=2), lambda: Cell(a=2))
    same(lambda: types.CellType(1) < 3, lambda: Cell(1) < 3)
    same(lambda: types.CellType(1) < types.CellType("a"), lambda: Cell(1) < Cell("a"))
