"""What one side handles the other does not see: an exception that the host is handling when it starts a guest, and what a guest
was handling when it was stopped."""
import gc
import sys

import pytest

import kimi_runtime as kr

LOOK = """
import sys
seen = [sys.exc_info()[1]]
try: raise KeyError("mine")
except KeyError as e: seen.append(e.__context__)
def g():
    try: yield 1
    finally: seen.append(sys.exc_info()[1])
for _ in g(): break
try: exec("raise")
except RuntimeError as e: seen.append(str(e))
[repr(each) for each in seen]
"""
NOTHING = ["None", "None", "GeneratorExit()", "'No active exception to reraise'"]

STOPPED = {
    "handler": "try: raise Marked(1)\nexcept Marked:\n    while True: pass",
    "nested": "try: raise Marked(1)\nexcept Marked:\n    try: raise Marked(2)\n    except Marked:\n        while True: pass",
    "finally": "try: raise Marked(1)\nfinally:\n    while True: pass",
    "generator": "def g():\n    try: raise Marked(1)\n    except Marked:\n        yield 1\n        while True: pass\nfor x in g(): pass",
    "around a generator": "def g():\n    yield 1\n    while True: pass\ntry: raise Marked(1)\nexcept Marked:\n    for x in g(): pass",
    "group": "try: raise ExceptionGroup('g', [Marked(1)])\nexcept* Marked:\n    while True: pass",
    "with": "class C:\n    def __enter__(s): pass\n    def __exit__(s, *a):\n        while True: pass\nwith C(): raise Marked(1)",
    "sort key": "def k(x):\n    try: raise Marked(1)\n    except Marked:\n        while True: pass\nsorted([3, 1], key=k)",
    "finalizer": "class D:\n    def __del__(s):\n        try: raise Marked(1)\n        except Marked:\n            while True: pass\nd = D()\ndel d",
    "coroutine": "import asyncio\nasync def f():\n    try: raise Marked(1)\n    except Marked:\n        while True: pass\nasyncio.run(f())",
    "thread": "import threading\ndef f():\n    try: raise Marked(1)\n    except Marked:\n        while True: pass\nt = threading.Thread(target=f); t.start(); t.join()",
    "exit function": "import atexit\ndef f():\n    try: raise Marked(1)\n    except Marked:\n        while True: pass\natexit.register(f)",
    "host function": "try: raise Marked(1)\nexcept Marked: stop()",
    "callback of the host": "def f():\n    try: raise Marked(1)\n    except Marked:\n        while True: pass\ncall(f)",
    "thrown": "def g():\n    try: yield\n    except Marked:\n        while True: pass\nx = g(); next(x); x.throw(Marked(1))",
    "closing": "def g():\n    try: yield\n    finally:\n        while True: pass\nx = g(); next(x)\ntry: raise Marked(1)\nexcept Marked: x.close()",
    "class body": "try: raise Marked(1)\nexcept Marked:\n    class A:\n        while True: pass",
    "delegation": "def h():\n    try: yield\n    except Marked:\n        while True: pass\ndef g(): yield from h()\nx = g(); next(x); x.throw(Marked(1))",
}


def given():
    """What the programs may call."""
    def stop():
        raise SystemExit

    return {"stop": stop, "call": kr.host_function(lambda f: f(), guest_objects=True)}


@pytest.mark.parametrize("where", STOPPED)
def test_stopped_while_it_handled(where):
    source = "class Marked(Exception): pass\n" + STOPPED[where]
    limits = kr.Limits(seconds=0.05)
    session = kr.Runtime().session()
    for run in (kr.run, session.run) if where != "exit function" else (kr.run,):
        try:
            result = run(source, given(), limits=limits)
            assert result.error.limit == "seconds", result
        except SystemExit:
            assert where == "host function"
        assert sys.exc_info() == (None, None, None)
        assert kr.run(LOOK).value == NOTHING
        assert session.run(LOOK).value == NOTHING
        result = None
    session.close()
    del session, run
    gc.collect()
    assert not [each for each in gc.get_objects() if type(each).__name__ == "Marked" and isinstance(each, Exception)]


@pytest.mark.parametrize("limits", [kr.Limits(), None, kr.Limits(memory=None, seconds=None)], ids=["usual", "none", "some"])
def test_host_handles(limits):
    def through_a_generator():
        yield kr.run(LOOK, limits=limits).value

    session = kr.Runtime().session(limits=limits)
    seen = []
    try:
        raise KeyError("secret of the host")
    except KeyError as error:
        seen.append(kr.run(LOOK, limits=limits).value)
        seen.append(session.run(LOOK).value)
        seen += through_a_generator()
        seen.append(kr.run("f()", {"f": lambda: kr.run(LOOK, limits=limits).value}, limits=limits).value)
        text = kr.run("1 / 0", limits=limits).error.traceback
        with pytest.raises(kr.GuestException):
            kr.run("1 / 0", limits=limits, check=True)
        assert sys.exc_info()[1] is error
    assert seen == [NOTHING] * 4
    assert "secret" not in text
    assert sys.exc_info() == (None, None, None)
    session.close()


def test_guest_within_a_guests_handler():
    """A guest that a host function starts does not see what the guest handles that has called it."""
    seen = kr.run("try: raise KeyError('of the outer one')\nexcept KeyError: r = f()\nr", {"f": lambda: kr.run(LOOK).value}).value
    assert seen == NOTHING
    source = "import sys\ntry: raise KeyError(1)\nexcept KeyError:\n    f()\n    r = repr(sys.exc_info()[1])\nr, sys.exc_info()[1]"
    assert kr.run(source, {"f": lambda: kr.run("1 / 0").error.type}).value == ("KeyError(1)", None)


def test_cleared_for_later_objects():
    """A guest's finalizer that comes while the host handles an exception sees nothing of it."""
    session = kr.Runtime().session()
    session.run("import sys\nseen = []\nclass A:\n    def __del__(self): seen.append(repr(sys.exc_info()[1]))\na = A()", check=True)
    handle = session["a"]
    session.run("del a", check=True)
    try:
        raise KeyError("secret of the host")
    except KeyError:
        del handle
        gc.collect()
    assert session.run("seen").value == ["None"]
    session.close()
