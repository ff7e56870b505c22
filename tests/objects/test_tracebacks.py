"""Tracebacks of shadow frames: the text must be CPython's, for the same code, positions and exceptions."""
import gc
import random
import subprocess
import sys
import traceback
import weakref

import pytest

from kimi_runtime.objects import tracebacks

PROGRAMS = {
    "plain": "def f(x):\n    return 1 + (x / 0)\n\ndef g():\n    y = [f(1),\n         2]\n\ng()\n",
    "name": "foo = 1\ndef f():\n    counter = 1\n    return conter\nf()\n",
    "builtin": "prnt(1)\n",
    "attribute": "class A:\n    value = 1\nA().valeu\n",
    "none": "None.foo\n",
    "cause": "def f():\n    try:\n        {}['k']\n    except KeyError as e:\n        raise ValueError('bad') from e\nf()\n",
    "context": "try:\n    1/0\nexcept ZeroDivisionError:\n    undefined_name\n",
    "suppressed": "try:\n    1/0\nexcept ZeroDivisionError:\n    raise ValueError('x') from None\n",
    "notes": "e = ValueError('a\\nb')\ne.add_note('note one')\ne.add_note('two\\nlines')\nraise e\n",
    "recursion": "def f(n):\n    if n == 0:\n        raise ValueError(n)\n    f(n - 1)\nf(12)\n",
    "unicode": "def f(é):\n    return 'ñandú ☃' + é['schlüssel']\nf({})\n",
    "unicode_anchor": 'x = "é" + 1\n',
    "unicode_anchors": "def f(d):\n    return 'ñ' + d['é']['ü☃'] // 2\nf({'é': {'ü☃': 0}})\n",
    "unicode_subscript": "ä = {}\nü = ä['☃☃']['é'] + 1\n",
    "unicode_call": "print('ééé', int('ö'))\n",
    "unicode_wide": "s = None; t = ('漢字', s.漢 + '漢字')\n",
    "unicode_wide_anchor": "x = '漢字' + 1\n",
    "unicode_whole_line": "undéfined\n",
    "long": "def f():\n    return (1 +\n            2 +\n            None)\nf()\n",
    "group": "def f():\n    raise ExceptionGroup('eg', [ValueError(1), ExceptionGroup('in', [TypeError('t')])])\nf()\n",
    "group_nested": "es = []\nfor n in (1, 2):\n    try:\n        [][n]\n    except IndexError as e:\n        es.append(e)\n"
                    "raise BaseExceptionGroup('many', es + [KeyboardInterrupt()])\n",
    "syntax": "compile('a b', 'some file', 'exec')\n",
    "syntax_multi": "compile('x = (1,\\n  y z)\\n', '<other>', 'exec')\n",
    "own_class": "class E(Exception):\n    def __str__(self):\n        return 'text'\nraise E\n",
    "bad_str": "class E(Exception):\n    def __str__(self):\n        1/0\nraise E\n",
    "attribute_chain": "class A: pass\na = A()\na.b = A()\nx = a.b.c.d\n",
    "call": "def f(a, b): pass\nf(1,\n  2, 3)\n",
    "subscript": "d = {'a': {}}\nprint(d['a']['b']['c'])\n",
    "lambda": "f = lambda x: x.y\nf(2)\n",
    "key_error": "{}['a\\nb']\n",
    "exit": "raise SystemExit(3)\n",
    "empty": "raise ValueError\n",
    "assert": "assert 1 == 2, 'msg'\n",
    "tabs": "if 1:\n\tx = 1; y = x + 'a'\n",
}
if sys.version_info >= (3, 12):
    PROGRAMS["comprehension"] = "print([x / 0 for x in (1, 2)])\n"


def mirrored(exc, source, filename, codes):
    """Replaces the tracebacks of an exception raised by host code by tracebacks of shadow frames."""
    for e in links(exc):
        entries = []
        tb = e.__traceback__
        while tb is not None:
            entries.append(tb)
            tb = tb.tb_next
        e.__traceback__ = None
        for tb in reversed(entries):
            code = tb.tb_frame.f_code
            if code.co_filename != filename:
                continue
            if code not in codes:
                codes[code] = tracebacks.code_for_test(code, source)
            tracebacks.add_for_test(e, codes[code], tb.tb_frame.f_globals, tb.tb_lasti // 2)


def links(exc):
    found, waiting = [], [exc]
    while waiting:
        e = waiting.pop()
        if e is not None and e not in found:
            found.append(e)
            waiting += [e.__cause__, e.__context__, *getattr(e, "exceptions", ())]
    return found


def uncaught_text(source, tmp_path):
    """What the interpreter itself writes, in a process of its own."""
    path = tmp_path / "program.py"
    path.write_text(source, encoding="utf-8")
    done = subprocess.run([sys.executable, "-X", "utf8", str(path)], capture_output=True, timeout=60, encoding="utf-8")
    return str(path), done.stderr


@pytest.mark.parametrize("name", PROGRAMS)
def test_text(name, tmp_path):
    source = PROGRAMS[name]
    filename, expected = uncaught_text(source, tmp_path)
    space = {"__name__": "__main__"}
    codes = {}
    with pytest.raises(BaseException) as caught:
        exec(compile(source, filename, "exec"), space)
    exc = caught.value
    mirrored(exc, source, filename, codes)
    if name == "exit":
        return
    assert tracebacks.format_exception(exc) == expected


def test_positions_of_tb_lasti():
    rng = random.Random(5)
    for _ in range(30):
        positions = []
        line = 1
        for _ in range(rng.randrange(1, 300)):
            line = max(1, line + rng.choice([0, 0, 0, 1, -1, 5, -40, 700]))
            position = rng.choice([(line, line + rng.choice([0, 0, 2, 90]), rng.randrange(200), rng.randrange(5000)),
                                   (line, line, -1, -1), (-1, -1, -1, -1)])
            positions += [position] * rng.choice([1, 1, 1, 2, 9, 17])
        table = tracebacks.encode_positions(positions, 3)
        host = compile("", "f", "exec").replace(co_code=b"\x09\x00" * len(positions), co_linetable=table,
                                                co_firstlineno=3)
        found = [tuple(-1 if n is None else n for n in p) for p in host.co_positions()]
        # Without columns the host gives no end line of its own.
        assert [(p[0], p[0] if p[2] < 0 else p[1], *p[2:]) for p in positions] == found


def test_host_frames_are_hidden():
    source = "def f():\n    raise ValueError\n"
    space = {}
    exec(compile(source, "guest.py", "exec"), space)
    ours = tracebacks.code_for_test(space["f"].__code__, source)
    exc = ValueError()
    tracebacks.add_for_test(exc, ours, {}, 1)
    inner = exc.__traceback__
    with pytest.raises(ValueError):
        raise exc
    assert exc.__traceback__ is not inner
    before = exc.__traceback__
    text = tracebacks.format_exception(exc)
    assert exc.__traceback__ is before
    assert text.count("File ") == 1 and __file__ not in text
    assert tracebacks.guest_location(exc)[:2] == ("guest.py", inner.tb_lineno)
    tracebacks.add_for_test(exc, ours, {}, 1)
    assert exc.__traceback__.tb_next is inner
    with pytest.raises(ValueError):
        raise exc
    tracebacks.strip_host_frames(exc)
    assert exc.__traceback__.tb_next.tb_frame is inner.tb_frame and exc.__traceback__.tb_next.tb_next is None


def test_source_lookup_and_linecache_is_restored():
    import linecache
    source = "def f():\n    raise ValueError\n"
    space = {}
    exec(compile(source, "<cell>", "exec"), space)
    code = tracebacks.code_for_test(space["f"].__code__, None)
    exc = ValueError("x")
    pc = [p[0] for p in space["f"].__code__.co_positions()].index(2)
    tracebacks.add_for_test(exc, code, {}, pc)
    cached = dict(linecache.cache)
    assert "raise ValueError" in tracebacks.format_exception(exc, {"<cell>": source}.get)
    assert "raise ValueError" not in tracebacks.format_exception(exc)
    assert linecache.cache == cached


def test_format_imports_nothing():
    assert "antigravity" not in sys.modules and "this" not in sys.modules
    exc = ImportError("cannot import name 'x' from 'this'", name="this")
    if hasattr(exc, "name_from"):
        exc.name_from = "x"
    assert tracebacks.format_exception(exc) == "ImportError: cannot import name 'x' from 'this'\n"
    assert "this" not in sys.modules


def test_two_sources_of_one_name():
    exc = ValueError()
    for line in ("first", "second"):
        source = f"def f():\n    raise {line}\n"
        space = {}
        exec(compile(source, "<cell>", "exec"), space)
        pc = [p[0] for p in space["f"].__code__.co_positions()].index(2)
        tracebacks.add_for_test(exc, tracebacks.code_for_test(space["f"].__code__, source), {}, pc)
    text = tracebacks.format_exception(exc)
    assert "raise first" in text and "raise second" in text


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="comprehensions have no frames of their own")
def test_inlined_comprehension():
    source = "def f():\n    return [1/x for x in y]\n"
    space = {}
    exec(compile(source, "c.py", "exec"), space)
    code = tracebacks.code_for_test(space["f"].__code__, source, inlined=((2, 4, "<listcomp>", 2),))
    exc = ValueError()
    tracebacks.add_for_test(exc, code, {}, 3)
    names = [s.name for s in traceback.extract_tb(exc.__traceback__)]
    assert names == ["f", "<listcomp>"]
    exc = ValueError()
    tracebacks.add_for_test(exc, code, {}, 4)
    assert [s.name for s in traceback.extract_tb(exc.__traceback__)] == ["f"]


def test_namespaces_are_let_go():
    class Held:
        pass
    source = "def f(): pass\n"
    space = {}
    exec(source, space)
    code = tracebacks.code_for_test(space["f"].__code__, source)
    held = Held()
    ref = weakref.ref(held)
    tracebacks.add_for_test(ValueError(), code, {"held": held}, 0)
    del held
    tracebacks.drop_shadow_frames()
    gc.collect()
    assert ref() is None
    codes = [tracebacks.code_for_test(space["f"].__code__, source) for _ in range(600)]
    for each in codes:
        tracebacks.add_for_test(ValueError(), each, {}, 0)
    ref = weakref.ref(codes[0])
    del codes, each
    gc.collect()
    tracebacks.drop_shadow_frames()
    gc.collect()
    assert ref() is None
