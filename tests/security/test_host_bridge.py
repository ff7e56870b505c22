"""What a guest tries on what the host hands to it: inputs, host functions, exposed objects, and the way back."""
from __future__ import annotations

import dataclasses
import datetime
import time

import pytest

import kimi_runtime as kr

SECRET = "secret-of-the-host"


class Hidden(KeyError):
    def __init__(self, *args):
        super().__init__(*args)
        self.connection = SECRET


class Box:
    """A box."""

    def __init__(self):
        self.open_attr = 5
        self.rows = [1, 2]
        self._hidden = SECRET

    def double(self, n):
        return n * 2

    def me(self):
        return self

    def fail(self):
        local = SECRET
        raise Hidden("gone", local[:0])

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return self.rows[i]

    def __iter__(self):
        return iter(self.rows)


def tool(x=1):
    """A tool."""
    return x


def fail():
    local = SECRET
    try:
        raise OSError(local)
    except OSError as error:
        error.add_note(SECRET)
        raise Hidden("gone") from error


def given(box):
    return {"tool": tool, "fail": fail, "rows": [[1], {"a": [2]}], "box": kr.expose(
        box, attrs=["open_attr", "rows"], methods=["double", "me", "fail", "__len__", "__getitem__", "__iter__"])}


# Each has to fail in the guest, or to give None.
DENIED = """
box._hidden
getattr(box, '_hid' + 'den')
box.__dict__
vars(box)
box.open_attr = 3
setattr(box, 'open_attr', 3)
del box.open_attr
box.x = 1
object.__setattr__(box, 'open_attr', 1)
object.__getattribute__(box, '_hidden')
box.__class__ = int
box.__init__()
type(box)()
type(box).__new__(type(box))
object.__new__(type(box))
type(box).__base__.__new__(type(box))
type(box).__base__()
type(box).open_attr = 1
type(box).__dict__
type(box).__mro__[1].__dict__
type.__dict__['__dict__'].__get__(type(box))
class X(type(box)): pass
class X(type(box).__base__): pass
type('X', (type(box),), {})
type(box).open_attr.__get__(5)
type(box).open_attr.__get__(tool)
type(box).double('x', 1)
type(box).double.call
type(box).__rule__.rule
box.double.__func__.call
box.double.__globals__
box.double.__func__.__globals__
box.target
box.rule
box()
box + 1
box < box
box['x' * 3]
box[0] = 1
del box[0]
box.__reduce_ex__(4)
box.__reduce__()
box.__getstate__()['_hidden']
import pickle; pickle.dumps(box)
import pickle; pickle.dumps(tool)
import copy; copy.copy(box)._hidden
import copy; copy.deepcopy([box])[0]._hidden
import operator; operator.attrgetter('_hidden')(box)
import json; json.dumps(box)
import dataclasses; dataclasses.asdict(box)
'{0._hidden}'.format(box)
f'{box._hidden}'
'{0.__globals__}'.format(tool)
iter(box).target
iter(box).__reduce__()
type(iter(box))()
tool.__globals__
tool.__code__
tool.__closure__
tool.__defaults__
tool.__wrapped__
tool.__self__
tool.__func__
tool.call
tool.__dict__
tool.__get__(1)
tool.__call__.__self__.__globals__
tool.__name__ = 'x'
tool.__doc__ = 'x'
tool.x = 1
del tool.__doc__
tool.__class__ = int
type(tool)()
type(tool)(len)
type(tool).x = 1
class X(type(tool)): pass
tool(lambda: 1)
tool(object())
tool([object()])
tool({'a': (1, [tool, len.__class__, iter([])])})
tool(i for i in 'ab')
tool(x=type('C', (), {}))
tool(*[1, 2, 3])
tool(type(tool))
class S(str): pass\\ntool(S('x')).__class__.__mro__[-2].y
fail()
box.fail()
import ctypes
""".strip().splitlines()


@pytest.mark.parametrize("code", DENIED)
def test_denied(code):
    box = Box()
    result = kr.run(code.replace("\\n", "\n"), given(box))
    assert result.error is not None, result
    assert result.error.limit is None
    assert SECRET not in result.error.traceback + result.stdout + result.stderr
    assert vars(box) == {"open_attr": 5, "rows": [1, 2], "_hidden": SECRET}


# Allowed, and without effect on the host.
HARMLESS = {
    "box.open_attr, box.double(4), len(box), box[1], list(box), [*box]": (5, 8, 2, 2, [1, 2], [1, 2]),
    "box.me() is box, box == box, box != 1, box in [box], {box: 1}[box]": (True, True, True, True, 1),
    "import copy; copy.copy(box) is box, copy.deepcopy([box])[0] is box": (True, True),
    "repr(box), str(box), f'{box}', repr(tool), tool.__name__, tool.__doc__":
        ("<Box of the host>", "<Box of the host>", "<Box of the host>", "<host function tool>", "tool", "A tool."),
    "'0x' in repr(box) + repr(tool) + repr(iter(box)) + repr(type(box).open_attr)": False,
    "hash(box) == hash(box.me()), hash(box) == id(box)": (True, False),
    "sorted(dir(box))": sorted(["open_attr", "rows", "double", "me", "fail", "__len__", "__getitem__", "__iter__"]),
    "match box:\n    case object(open_attr=v): pass\nv": 5,
    "isinstance(box, type(box)), callable(box), callable(tool)": (True, False, True),
    "import weakref; weakref.ref(box)() is box": True,
    "box.rows.append(3); box.rows": [1, 2],
    "rows[0].append(9); rows[1]['a'].clear(); rows.append(1); rows": [[1, 9], {"a": []}, 1],
    "class S(str):\n    def __eq__(s, o): return True\n    __hash__ = str.__hash__\ntype(tool(S('x'))) is str": True,
    "class I(int):\n    def __index__(s): return 99\n    __int__ = __index__\ntool(I(5))": 5,
    "class D(dict):\n    def items(s): raise 1\n    def __iter__(s): raise 1\n    keys = items\ntool(D(a=1))": {"a": 1},
    "class L(list):\n    def __iter__(s): raise 1\n    def __len__(s): return 10**9\ntool(L([1, [2]]))": [1, [2]],
    "class F(frozenset):\n    def __iter__(s): raise 1\ntool(F([1])) == {1}": True,
    "import datetime\nclass T(datetime.datetime):\n    year = 1\nx = tool(T(2020, 1, 2))\ntype(x).__name__, x.year": ("datetime", 2020),
    "try:\n    fail()\nexcept KeyError as e:\n    v = type(e).__name__, e.args, e.__cause__, e.__context__, getattr(e, '__notes__', 0), "
    "hasattr(e, 'connection'), e.__traceback__.tb_next\nv": ("Hidden", ("gone",), None, None, 0, False, None),
    "try:\n    fail()\nexcept KeyError as e:\n    v = e\ntype(v).__mro__[1] is KeyError": True,
    "try:\n    box.fail()\nexcept LookupError as e:\n    v = e.args\nv": ("gone", ""),
    "try:\n    tool(object())\nexcept TypeError as e:\n    v = str(e)[:13]\nv": "argument 1 of",
}


@pytest.mark.parametrize("code", HARMLESS)
def test_harmless(code):
    box = Box()
    inputs = given(box)
    result = kr.run(code, inputs, check=True)
    assert result.value == HARMLESS[code]
    assert vars(box) == {"open_attr": 5, "rows": [1, 2], "_hidden": SECRET}
    assert inputs["rows"] == [[1], {"a": [2]}]


def test_the_host_gets_its_own_objects_back():
    box, seen = Box(), []
    result = kr.run("keep(box); [box, {'a': box}, tool]", {**given(box), "keep": seen.append})
    assert seen == [box] and result.value == [box, {"a": box}, tool]


def test_proxies_of_two_runs_are_apart():
    view = kr.expose(Box(), attrs=["open_attr"])
    assert kr.run("import builtins; builtins.kept = box", {"box": view}).ok
    assert kr.run("kept").error.type == "NameError"


def test_writable_attributes():
    box = Box()
    view = kr.expose(box, attrs=["open_attr"], readonly=False)
    assert kr.run("box.open_attr = [1]; box.open_attr.append(2); box.open_attr", {"box": view}).value == [1]
    assert box.open_attr == [1]
    assert kr.run("box.open_attr = lambda: 1", {"box": view}).error.type == "TypeError"


@pytest.mark.parametrize("arguments, kind", [
    ({"attrs": "name"}, TypeError), ({"attrs": [1]}, TypeError), ({"attrs": ["__dict__"]}, ValueError),
    ({"methods": ["__reduce__"]}, ValueError), ({"methods": ["__class__"]}, ValueError), ({"methods": ["__setitem__"]}, ValueError),
    ({"methods": ["__call__"]}, ValueError), ({"attrs": ["a"], "methods": ["a"]}, ValueError), ({"readonly": 1}, TypeError),
    ({"name": 5}, TypeError),
], ids=str)
def test_what_cannot_be_exposed(arguments, kind):
    with pytest.raises(kind, match="expose"):
        kr.expose(Box(), **arguments)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_is_not_for_the_guest_goes_to_the_host(error):
    def stop():
        raise error("host")

    seen = []
    code = "try:\n    stop()\nexcept BaseException:\n    seen(1)\nfinally:\n    seen(2)\nseen(3)"
    with pytest.raises(error):
        kr.run(code, {"stop": stop, "seen": seen.append})
    assert seen == []


def test_a_guest_cannot_end_the_host_through_a_callback():
    call = kr.host_function(lambda f: f(), guest_objects=True, name="call")
    for error in ("SystemExit", "KeyboardInterrupt"):
        result = kr.run(f"def f(): raise {error}('x')\ncall(f)", {"call": call})
        assert result.error.type == error
    code = "class E(Exception): pass\ndef f(): raise E('x')\ntry:\n    call(f)\nexcept E as e:\n    v = e.args\nv"
    assert kr.run(code, {"call": call}).value == ("x",)


def test_callbacks():
    kept = []
    keep = kr.host_function(kept.append, guest_objects=True)
    result = kr.run("def f(n):\n    return n + tool(1)\nkeep(f)\nkeep(lambda: [object()])\n"
                    "def loop():\n    while True: pass\nkeep(loop)", {"keep": keep, "tool": tool}, limits=kr.Limits(seconds=0.3))
    assert result.ok and kept[0](1) == 2 and isinstance(kept[1]()[0], kr.GuestObject)
    with pytest.raises(kr.LimitExceeded):
        kept[2]()
    with pytest.raises(TypeError, match="belongs to another guest"):
        kr.run("f(1)", {"f": kept[0]})


def test_guest_code_that_the_host_calls_is_metered():
    call = kr.host_function(lambda f: f(), guest_objects=True, name="call")
    start = time.monotonic()
    result = kr.run("def f():\n    while True: pass\ncall(f)", {"call": call}, limits=kr.Limits(seconds=0.2))
    assert result.error.limit == "seconds" and time.monotonic() - start < 5
    inner = kr.run("call()", {"call": lambda: kr.run("while True: pass").error.limit}, limits=kr.Limits(seconds=0.2))
    assert (inner.error.limit if inner.error else inner.value) == "seconds"


def test_the_clock_stands_still_in_host_calls():
    wait = kr.host_function(lambda: time.sleep(0.05), name="wait")
    assert kr.run("for _ in range(8): wait()", {"wait": wait}, limits=kr.Limits(seconds=0.2)).ok
    result = kr.run("for _ in range(8): wait()", {"wait": wait}, limits=kr.Limits(host_seconds=0.1))
    assert result.error.limit == "host_seconds"
    slow = kr.host_function(lambda: time.sleep(0.05), name="slow", timeout=0.1)
    error = kr.run("while True:\n    try: slow()\n    except BaseException: pass", {"slow": slow}).error
    assert error.limit == "host_seconds" and "slow()" in error.message


@pytest.mark.parametrize("code", [
    "while True: tool()", "while True: box.open_attr", "while True: len(box)", "while True: next(iter(box))", "list(map(tool, range(999)))",
    "while True:\n    try: tool()\n    except BaseException: pass",
])
def test_host_calls(code):
    result = kr.run(code, given(Box()), limits=kr.Limits(host_calls=50))
    assert result.error.limit == "host_calls"
    assert result.error.message.startswith("the run called host functions more often than its limit of 50 times")


@pytest.mark.parametrize("code", [
    "['x' * 1000] * 1000", "'x' * 10**6", "b'x' * 10**6", "list(range(10**5))", "{i: i for i in range(10**5)}", "set(range(10**5))",
    "bytearray(10**6)", "10**(10**6)", "a = [0]\nfor _ in range(40): a = [a, a]\na", "(('x' * 1000,) * 1000,)",
    "class L(list): pass\nL(range(10**5))", "memoryview(b'x' * 10**6)",
])
def test_result_size(code):
    limits = kr.Limits(result_size="100KB")
    result = kr.run(code, limits=limits)
    assert result.error.limit == "result_size" and "100,000 bytes" in result.error.message
    name = code.rpartition("\n")[2]
    if not name.startswith(("'", "b'", "10")):      # of immutable leaves nothing is copied
        result = kr.run(code.removesuffix(name) + f"tool({name})", {"tool": tool}, limits=limits)
        assert (result.error.type, result.error.limit) == ("ValueError", None) and "result_size" in result.error.message


def test_deep_and_cyclic_values():
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(ValueError, match="nested deeper than the 200 levels"):
        kr.run("1", {"deep": deep})
    assert kr.run("a = []\nfor _ in range(5000): a = [a]\na").value.type_name == "list"
    assert kr.run("a = []\nfor _ in range(5000): a = [a]\ntool(a)", {"tool": tool}).error.type == "ValueError"
    cycle: list = [1]
    cycle.append(cycle)
    assert kr.run("a[1] is a", {"a": cycle}).value is True
    back = kr.run("a = {'a': ()}\na['a'] = (a, [a])\na").value
    assert back["a"][0] is back and back["a"][1][0] is back
    shared = [1]
    assert kr.run("a is b, c[0] is a", {"a": shared, "b": shared, "c": [shared]}).value == (True, True)


def test_refusals_name_the_place_and_the_way_out():
    with pytest.raises(TypeError, match=r"orders\[1\]\['conn'\]\[0\] cannot go to the guest: it is an object.*kr\.expose"):
        kr.run("1", {"orders": [0, {"conn": (object(),)}]})
    with pytest.raises(TypeError, match="make a list of it"):
        kr.run("1", {"x": (i for i in "ab")})
    error = kr.run("f()", {"f": lambda: {"a": object()}}).error
    assert error.message.startswith("the result of <lambda>()['a'] cannot go to the guest: it is an object")

    async def later():
        return 1

    assert "run by run_async()" in kr.run("later()", {"later": later}).error.message
    with pytest.raises(TypeError, match="later is async or batched, which isolation='process' cannot await"):
        kr.Runtime(functions={"later": later}, isolation="process")


def test_zones_of_a_guest_do_not_reach_the_host():
    code = ("import datetime\nclass Z(datetime.tzinfo):\n    def utcoffset(s, d): return datetime.timedelta(0)\n"
            "tool(datetime.datetime(2020, 1, 1, tzinfo=Z()))")
    assert ".tzinfo cannot go to the host" in kr.run(code, {"tool": tool}).error.message
    moment = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    assert kr.run("x", {"x": moment}).value is moment


def test_exception_classes_as_inputs():
    code = "try:\n    fail()\nexcept Hidden as e:\n    v = str(e)\nv"
    assert kr.Runtime(functions={"fail": fail, "Hidden": Hidden}).run(code).value == "'gone'"
    assert kr.run("Hidden.x = 1", {"Hidden": Hidden}).error.type == "TypeError"
    assert not hasattr(Hidden, "x")


def test_functions_are_the_hosts_own_outside_runs():
    double = kr.host_function(lambda n: n * 2, name="double")
    marker = object()
    assert double(4) == 8 and kr.host_function(lambda x: x)(marker) is marker
    assert kr.run("f(3)", {"f": lambda n: double(n)}).value == 6


@pytest.mark.parametrize("what", ["f", "o.method", "type(o).method", "iter(o)", "o", "r", "print"])
def test_new_makes_nothing(what):
    """An instance without its contents would crash when it is used."""
    @dataclasses.dataclass
    class Data:
        x: int

    class Object:
        def method(self):
            return 1

        def __iter__(self):
            return iter(())

    given = {"f": len, "o": kr.expose(Object(), methods=["method", "__iter__"]), "r": Data(1)}
    source = f"""
x = {what}
for target in (x, getattr(x, "__func__", x)):
    kind = type(target)
    for make in (lambda: kind.__new__(kind), lambda: kind(), lambda: object.__new__(kind), lambda: kind.__new__(kind, 1, 2, 3)):
        try: made = make()
        except TypeError: continue
        for use in (repr, lambda m: m(), lambda m: m(1), iter, hash, dir, lambda m: m.__doc__):
            try: use(made)
            except Exception: pass
"""
    assert kr.run(source, given).error is None
