"""What a guest cannot reach, and that what it may reach works as in CPython."""
import pytest
from kimi_runtime.bytecode.compiler import compile_source

from kimi_runtime import _core
from kimi_runtime.bridge import gate
from kimi_runtime.objects import context

HOST_SECRET = "secret of the host"


def host_function():
    return HOST_SECRET


def run(source, **names):
    guest = context.RunContext()
    space = {"__name__": "__main__", "__builtins__": context.make_builtins(guest), **names}
    _core.run_code(compile_source(source, "<guest>"), space)
    return space


DENIED = [
    "len.__self__.len", "print.__self__.x", "getattr(len, '__self__').open",
    "object.__getattribute__(len, '__self__').__import__",
    "type.__dict__['__subclasses__'](object)", "object.__dict__['__getattribute__'](len, '__self__').eval",
    "host.__globals__", "host.__builtins__", "host.__code__", "getattr(host, '__globals__')", "host.__closure__",
    "object.__getattribute__(host, '__globals__')", "'{0.__globals__}'.format(host)", "'{x.__code__}'.format(x=host)",
    "'{0[a].__globals__}'.format({'a': host})", "'{:{0.__globals__}}'.format(host)", "'{x.__globals__}'.format_map({'x': host})",
    "type(host).__dict__['__globals__'].__get__(host)", "vars(type(host))['__globals__']",
    "(lambda: 0).__code__.replace(co_consts=())",
    "import sys\nsys.exit.__self__.modules", "import math\nmath.floor.__self__.floor",
    "try:\n    1/0\nexcept Exception as e:\n    e.__traceback__.tb_frame.f_back.f_back",
    "import socket", "import builtins\nbuiltins.open(0)", "open('x')", "__import__('socket')", "exec('import subprocess')",
    "[c for c in object.__subclasses__() if c.__name__ == '_wrap_close'][0]",
    "(x for x in ()).gi_frame.f_back.f_globals", "exec(host.__code__)", "type(lambda: 0)(host.__code__, {})",
]


@pytest.mark.parametrize("source", DENIED)
def test_denied(source):
    with pytest.raises((AttributeError, ImportError, NameError, IndexError, KeyError, TypeError, NotImplementedError,
                        PermissionError, ValueError)):
        run(source, host=host_function)


@pytest.mark.parametrize("source, expected", [
    ("x = [1].append.__self__", [1]),
    ("def f(): pass\nx = f.__globals__ is globals()", True),
    ("class A: pass\nclass B(A): pass\nx = [c.__name__ for c in A.__subclasses__()]", ["B"]),
    ("class A:\n    def __getattribute__(self, n): return object.__getattribute__(self, n)\na = A(); a.y = 2\nx = a.y", 2),
    ("class A:\n    def __getattribute__(self, n): return super().__getattribute__(n)\na = A(); a.y = 2\nx = a.__dict__",
     {"y": 2}),
    ("x = '{0.real:{w}} {y.imag}'.format(5, y=1, w=3)", "  5 0"),
    ("x = '{} {.2f}'.format", None),
    ("x = getattr(5, 'nothing', 'default')", "default"),
    ("x = hasattr([], '__self__'), hasattr([].pop, '__self__'), hasattr(len, '__self__')", (False, True, False)),
    ("class A:\n    __self__ = 5\nx = A().__self__", 5),
    ("class A:\n    __slots__ = ('s',)\na = A(); a.s = 4\nx = A.s.__get__(a)", 4),
    ("import traceback\ntry:\n    1/0\nexcept Exception as e:\n    x = traceback.extract_tb(e.__traceback__)[0].name",
     "<module>"),
    ("def f():\n    a = 1\n    return lambda: a\nx = f().__closure__[0].cell_contents", 1),
    ("x = int.__dict__['real'].__get__(5)", 5),
    ("x = 'a'.format.__self__", "a"),
])
def test_allowed(source, expected):
    found = run(source)["x"]
    if expected is not None:
        assert found == expected


def test_host_frames_do_not_show():
    def fails():
        raise ValueError("x")
    found = run("import traceback\ntry:\n    host()\nexcept ValueError as e:\n"
                "    names = [at.name for at in traceback.extract_tb(e.__traceback__)]", host=fails)
    assert found["names"] == ["<module>"]


def test_watched_names_are_few():
    assert not gate.watches(int, "real") and not gate.watches(type(self_test), "__name__")


def self_test():
    pass


def test_subclasses_of_other_guests_do_not_show():
    first = run("import abc\nclass A(abc.ABC): pass\nclass B(A): pass")
    second = run("import abc\nclass C(abc.ABC): pass\nx = [c.__name__ for c in abc.ABC.__subclasses__()]\n"
                 "y = hasattr(object, '__subclasses__')")
    assert "C" in second["x"] and not {"A", "B"} & set(second["x"]) and not second["y"] and first["B"]


def test_reduction_refers_to_the_guests_own_copyreg():
    space = run("import copyreg\nr = [object().__reduce_ex__(4)[0] is copyreg.__newobj__,\n"
                "     getattr(object, '__reduce_ex__')(object(), 4)[0] is copyreg.__newobj__,\n"
                "     object.__reduce_ex__(object(), 1)[0] is copyreg._reconstructor,\n"
                "     getattr(object(), '__reduce__')()[0] is copyreg._reconstructor]\nt = type(copyreg.__newobj__)")
    assert space["r"] == [True] * 4
    assert space["t"] is type(run("def f(): pass")["f"])


@pytest.mark.parametrize("source", [
    "import functools, collections.abc as c\n"
    "@functools.singledispatch\ndef g(o): return 'base'\n"
    "g.register(c.Sized, lambda o: 'sized'); g.register(c.Set, lambda o: 'set')\n"
    "class O(c.Sized):\n    def __len__(self): return 0\n"
    "x = [g(O())]\nc.Set.register(O)\nx.append(g(O()))",
    "x = []\nfor template, *args in [('{0.}',), ('{0.}', 1), ('{0.real}{0.}', 1), ('{0.real:{0.}}', 1)]:\n"
    "    try:\n        template.format(*args)\n    except (IndexError, ValueError) as error:\n        x.append(type(error).__name__)",
    "class S:\n    def __getitem__(self, i):\n        if i > 5: raise IndexError\n        return i\n"
    "at = iter(S())\nat.__setstate__(3)\nx = [at.__reduce__()[2], list(at)]",
    "class A:\n    async def __anext__(self): return 5\n    def __aiter__(self): return self\n"
    "at = anext(A(), 7)\ntry:\n    at.send(None)\nexcept StopIteration as error:\n    x = error.value",
])
def test_what_is_shown_works_as_in_cpython(source):
    expected = {}
    exec(source, expected)
    assert run(source)["x"] == expected["x"]
