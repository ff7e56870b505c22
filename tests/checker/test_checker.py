"""Findings before a run: each error is what CPython raises when it gets there, and what runs is not reported."""

from __future__ import annotations

import inspect
import pathlib
import sysconfig

import pytest

import kimi_runtime as kr
from kimi_runtime.checking import RULES

HARD = {"undefined-name", "unbound-name", "wrong-arguments", "unreachable-code", "missing-await", "syntax-error"}


def rules(source, **options):
    return [finding.rule for finding in kr.check(source, **options)]


def only(source, **options):
    found = kr.check(source, **options)
    assert len(found) == 1, [str(each) for each in found]
    return found[0]


def error_of_cpython(source):
    try:
        exec(compile(source, "<guest>", "exec"), {"__name__": "__main__"})
    except Exception as error:
        return error
    raise AssertionError(f"CPython runs it: {source!r}")


# ---- what fails --------------------------------------------------------------------------------------------
FAILING = [
    "print(nothing)",
    "def f(): return nothing\nf()",
    "class A:\n    def m(self): return nothing\nA().m()",
    "[x for y in [1] for z in [x]]",
    "x = 1\ndel x\nprint(x)",
    "print(later)\nlater = 1",
    "def f():\n    print(total)\n    total = 1\nf()",
    "total = 1\ndef f():\n    total += 1\nf()",
    "def f():\n    try: 1 / 0\n    except ZeroDivisionError as error: pass\n    return error\nf()",
    "def f():\n    del q\n    q = 1\nf()",
    "def f():\n    with open as g: pass\n    print(h)\n    h = g\nimport contextlib\nopen = contextlib.nullcontext()\nf()",
    "def f(): pass\nf(1)",
    "def f(a): pass\nf()",
    "def f(a, b): pass\nf()",
    "def f(a, b, c): pass\nf()",
    "def f(a, b=1): pass\nf(1, 2, 3)",
    "def f(a): pass\nf(1, a=2)",
    "def f(a): pass\nf(b=2)",
    "def f(a, /): pass\nf(a=2)",
    "def f(a, /, *, k): pass\nf(1, 2, k=3)",
    "def f(a, /, *, k, m): pass\nf(1, 2, k=3, m=4)",
    "def f(*, k): pass\nf()",
    "def f(*, k, m): pass\nf(1, k=1, m=2)",
    "def f(*, k, m): pass\nf()",
    "def f(a, b, *c): pass\nf(1)",
    "def outer():\n    def inner(a): pass\n    inner()\nouter()",
    "class P:\n    def __init__(self, a): pass\nP()",
    "class P:\n    def __init__(self, a): pass\nP(1, 2)",
    "class P:\n    def __init__(self, a): pass\n    def copy(self): return P()\nP(1).copy()",
    "class P:\n    def __init__(self, *, key): pass\nP(keys=1)",
]


@pytest.mark.parametrize("source", FAILING)
def test_an_error_is_what_cpython_raises(source):
    error = error_of_cpython(source)
    finding = only(source)
    assert finding.severity == "error"
    message = finding.message
    if isinstance(error, TypeError):
        assert str(error).startswith(message)   # later versions say what was meant
    else:
        # CPython may add what it found near; we say so in the hint.
        assert str(error).startswith(message)
        assert isinstance(error, NameError)
    line = error.__traceback__
    while line.tb_next is not None:
        line = line.tb_next
    assert finding.line == line.tb_lineno or isinstance(error, TypeError)


def test_builtin_functions_are_compared_too():
    for source in ("len()", "len(1, 2)", "print(1, ends='')", "isinstance(1)", "sorted()", "divmod(1)"):
        assert isinstance(error_of_cpython(source), TypeError)
        assert only(source).rule == "wrong-arguments"


# ---- what runs ---------------------------------------------------------------------------------------------
RUNNING = [
    "try:\n    unicode\nexcept NameError:\n    unicode = str\nunicode(1)",
    "import sys\nif len(sys.argv) > 99: x = 1\nelse: x = 2\nx",
    "for i in range(3):\n    if i: print(previous)\n    previous = i",
    "while True:\n    try: value\n    except NameError: value = 1\n    else: break",
    "def f():\n    global made\n    made = 1\nf()\nmade",
    "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n    g()\n    return n\nf()",
    "def f():\n    def g(): return later\n    later = 1\n    return g()\nf()",
    "def f(): return g()\ndef g(): return 1\nf()",
    "exec('made = 1')\nmade",
    "globals()['made'] = 1\nmade",
    "from math import *\npi * e",
    "class A:\n    x = 1\n    y = [z for z in range(x)]\n    def f(self): return __class__\nA().f()",
    "x = 1\nclass A:\n    x = x + 1\nA.x",
    "class A:\n    __slots__ = ()\n    z = __qualname__ + __module__",
    "def f(n):\n    match n:\n        case 1: r = 'a'\n        case [x, *y]: r = (x, y)\n        case _: r = None\n    return r\nf(1)",
    "def f():\n    if False: x = 1\n    [x := 2]\n    return x\nf()",
    "def f(a, *b, c=1, **d): return a\nf(1, 2, 3, c=4, e=5)\nf(*[1], **{'c': 2})",
    "def f(a): return a\ndef f(a, b): return b\nf(1, 2)",
    "def deco(f): return lambda *a: 0\n@deco\ndef f(): pass\nf(1, 2)",
    "class M(type):\n    def __call__(cls, *a): return 1\nclass A(metaclass=M):\n    def __init__(self): pass\nA(1, 2)",
    "class B:\n    def __new__(cls, *a): return object.__new__(cls)\n    def __init__(self, *a): pass\nB(1)",
    "def empty():\n    return\n    yield\nlist(empty())",
    "def f():\n    while True:\n        if f: break\n    return 1\nf()",
    "import contextlib\ndef f():\n    with contextlib.suppress(KeyError):\n        raise KeyError\n    return 1\nf()",
    "def f():\n    try:\n        return 1\n    finally:\n        print('end')\nf()",
    "x: int\ndef f():\n    y: undefined_type = 1\n    return y\nf()",
    "from __future__ import annotations\ndef f(a: undefined_type) -> also_not: return a\nf(1)",
    "len = lambda *a: 0\nlen(1, 2, 3)",
    "async def f(): pass\nasync def main(): await f()\nimport asyncio\nasyncio.run(main())",
    "try:\n    import no_such_module\nexcept ImportError:\n    no_such_module = None",
    "def f(x):\n    del x\n    x = 1\n    return x\nf(0)",
    "for x in []: pass\nelse: x = 1\nx",
    "__name__, __doc__, __builtins__",
    "class A:\n    def __secret(self): return 1\n    def call(self): return self.__secret()\nA().call()",
    "[(lambda: i)() for i in range(2)]",
    "lambda a, b=1: a\nprint(*[1], sep='')",
]


@pytest.mark.parametrize("source", RUNNING)
def test_what_runs_is_not_reported(source, capsys):
    exec(compile(source, "<guest>", "exec"), {"__name__": "__main__"})
    assert [str(each) for each in kr.check(source)] == []


@pytest.mark.slow
def test_the_standard_library_has_no_errors():
    folder = pathlib.Path(sysconfig.get_path("stdlib"))
    for name in ("argparse", "ast", "bdb", "calendar", "configparser", "copy", "csv", "dataclasses", "datetime", "difflib", "enum", "fractions",
                 "functools", "heapq", "inspect", "locale", "pickle", "platform", "pprint", "random", "shlex", "string", "tarfile", "textwrap",
                 "tokenize", "traceback", "typing", "uuid", "weakref", "zipfile", "json/decoder", "json/encoder", "asyncio/tasks",
                 "asyncio/base_events", "collections/__init__", "unittest/mock"):
        path = folder / f"{name}.py"
        if path.exists() and b"global_enum" not in path.read_bytes():     # it puts its members among the globals
            found = [str(each) for each in kr.check(path.read_bytes(), filename=str(path)) if each.rule in HARD]
            assert found == []


# ---- the other rules ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("def f():\n    return 1\n    print(2)\n    print(3)", (3, 4)),
        ("while True:\n    pass\nprint(1)", (3, 3)),
        ("for x in []:\n    continue\n    print(1)", (3, 3)),
        ("def f(x):\n    if x: return 1\n    else: raise ValueError\n    print(1)", (4, 4)),
        ("import sys\nsys.exit(1)\nprint(1)", (3, 3)),
        ("def f(x):\n    match x:\n        case 1: return 1\n        case _: return 2\n    return 3", (5, 5)),
        ("def f():\n    try: return 1\n    except ValueError: raise\n    return 2", (4, 4)),
        ("def f():\n    try: pass\n    finally: return 2\n    return 3", (4, 4)),
    ],
)
def test_unreachable(source, lines):
    finding = only(source)
    assert (finding.rule, finding.severity, finding.line, finding.end_line) == ("unreachable-code", "warning", *lines)


def test_exit_ends_a_program_that_has_it():
    assert only("exit()\nprint(1)", inputs=["exit"]).rule == "unreachable-code"
    assert rules("def exit(): pass\nexit()\nprint(1)", inputs=["exit"]) == []


def test_missing_await():
    source = "import asyncio\nasync def f(): pass\nasync def main():\n    f()\n    asyncio.sleep(1)\n    await f()\n    asyncio.create_task(f())\nmain()"
    found = kr.check(source)
    assert [(each.line, each.rule) for each in found] == [(4, "missing-await"), (5, "missing-await"), (8, "missing-await")]
    assert found[0].hint == "write await f(...)"
    assert found[2].hint == "run it by asyncio.run(main(...))"

    async def fetch(url): ...

    assert rules("fetch('a')", functions={"fetch": fetch}) == ["missing-await"]


def test_imports():
    assert only("import subprocess").message == kr.run("import subprocess").error.message
    assert only("import numpy_not_here.linalg").message == kr.run("import numpy_not_here").error.message.replace("_here", "_here.linalg")
    assert rules("import json, os.path, collections.abc\nfrom math import pi") == []
    assert rules("import json", modules={"math"}) == ["import-not-allowed"]
    assert rules("import mine, pkg.part\nfrom pkg import part", modules_source={"mine": "", "pkg/part.py": ""}) == []
    assert rules("import given", host_modules={"given": inspect}) == []
    assert rules("from . import x") == []


def test_syntax_errors_and_warnings():
    source = "x = (1,\nprint(2"
    finding = only(source)
    with pytest.raises(SyntaxError) as caught:
        compile(source, "<guest>", "exec")
    assert (finding.rule, finding.message, finding.line, finding.column) == (
        "syntax-error", caught.value.msg, caught.value.lineno, caught.value.offset)
    assert only("x = 1\nx is 5").rule == "syntax-warning"
    assert only("return 1").message == "'return' outside function"
    assert only(b"\xff").rule == "syntax-error"
    assert only("x = 1\n  y = 2").message.startswith("IndentationError: ")
    assert only("(" * 100_000).rule == "syntax-error"


def test_names_of_the_host():
    def f(a, /, b: int = 1, *, c): ...

    assert rules("f(1, c=2); rows[0]", inputs=["rows"], functions={"f": f}) == []
    assert only("f(1)", functions={"f": f}).message == "f() missing 1 required keyword-only argument: 'c'"
    assert rules("f(1, 2, 3)", inputs={"f": len}) == []
    assert rules("max(1, 2)", functions={"max": lambda a: a}) == ["wrong-arguments"]


def test_columns_count_characters():
    finding = only("x = 'é€😀'; print(yy)")
    assert (finding.column, finding.end_column) == (18, 20)
    assert str(finding) == "<guest>:1:18: error: name 'yy' is not defined [undefined-name]"


def test_hints():
    assert only("def f(customer): return custmer").hint == "did you mean 'customer'?"
    assert "global count" in only("count = 0\ndef f():\n    count += 1").hint


def test_long_programs():
    chain = "x = 1\nif x == 0: y = 0\n" + "".join(f"elif x == {i}: y = {i}\n" for i in range(1, 1500)) + "y\n" + "+".join(["x"] * 3000) + "\nz"
    assert [each.message for each in kr.check(chain)] == ["name 'z' is not defined"]


def test_arguments():
    with pytest.raises(TypeError, match="source must be str or bytes"):
        kr.check(5)
    with pytest.raises(TypeError, match="not the string 'abc'"):
        kr.check("", "abc")
    with pytest.raises(ValueError, match="'1x' is not a name"):
        kr.check("", ["1x"])
    with pytest.raises(TypeError, match="functions: 'f' is int, which cannot be called"):
        kr.check("", functions={"f": 5})
    assert {each.severity for each in kr.check("x\nx is 5")} == {"error", "warning"} and set(RULES) >= HARD


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_runtime_and_session(isolation):
    def f(a): ...

    with kr.Runtime(isolation=isolation, functions={"f": f}, modules={"math"}) as rt:
        assert [each.rule for each in rt.check("import json\nf()\nrows", ["rows"])] == ["import-not-allowed", "wrong-arguments"]
        with rt.session({"a": 1}) as s:
            s.run("def g(x): return x\nb = 2")
            assert [each.message for each in s.check("g(a + b + c); f(1)")] == ["name 'c' is not defined"]
        with pytest.raises(kr.SessionError):
            s.check("1")


def test_a_check_runs_nothing():
    def boom(*args): raise AssertionError("it ran")

    assert rules("boom()\nimport mine", functions={"boom": boom}, modules_source={"mine": "boom()"}) == []


# ---- the type checker --------------------------------------------------------------------------------------
def test_stub():
    from kimi_runtime.checker.stubs import make_stub

    def f(a: int, /, b: list[str] = [], *args: float, c: dict[str, int], d: pathlib.Path, **rest: int | None) -> None: ...  # noqa: B006
    async def g(x, *, y=1): ...

    stub = make_stub({"f": f, "g": g, "len": min}, {"n": 1, "rows": [1, 2], "mixed": [1, "a"], "by": {"a": 1.5}, "other": f})
    compile(stub, "stub", "exec")
    assert "def f(a: int, /, b: list[str] = ..., *args: float, c: dict[str, int], d: Any, **rest: int | None) -> None: ..." in stub
    assert "async def g(x: Any, *, y: Any = ...) -> Any: ..." in stub
    assert "n: int\n" in stub and "rows: list[int]" in stub and "mixed: list[Any]" in stub and "by: dict[str, float]" in stub


def test_types():
    from kimi_runtime.checker import type_checker

    try:
        type_checker.find()
    except ImportError as error:
        assert "pip install 'kimi-runtime[types]'" in str(error)
        with pytest.raises(ImportError):
            kr.check("1", types=True)
        return

    def lookup(key: str, n: int = 1) -> list[int]: ...

    found = kr.check("x: int = 'a'\nlookup(3)\nlookup()\nfor row in rows: row + 'a'\nlookup('a')[0].nothing\nok = rows[0] + 1",
                     {"rows": [1, 2]}, functions={"lookup": lookup}, types=True)
    assert [(each.line, each.rule) for each in found] == [
        (1, "type-error"), (2, "type-error"), (3, "wrong-arguments"), (4, "type-error"), (5, "type-error")]
