"""What natives call in a guest when an object dies runs for that guest only, and never without limits."""
import decimal
import gc
import io
import subprocess
import sys
import time

import kimi_runtime as kr
import pytest

LOOP = "\n    seen.append(1)\n    while True: pass\n"
HEAD = "import weakref, io, functools\nseen = []\nclass A: pass\ndef loop(*args):" + LOOP
#: Each leaves something in a cycle whose end calls loop().
LEFT = {
    "ref": "hold = []\na = A(); a.me = a\nhold.append(weakref.ref(a, loop))\ndel a",
    "proxy": "hold = []\na = A(); a.me = a\nhold.append(weakref.proxy(a, loop))\ndel a",
    "partial": "hold = []\na = A(); a.me = a\nhold.append(weakref.ref(a, functools.partial(loop, 1)))\ndel a",
    "subclass": "class R(weakref.ref): pass\nhold = []\na = A(); a.me = a\nhold.append(R(a, loop))\ndel a",
    "finalize": "a = A(); a.me = a\nweakref.finalize(a, loop)\ndel a",
    "del": "class B:\n    __del__ = loop\nb = B(); b.me = b\ndel b",
    "partial del": "class B:\n    __del__ = functools.partial(loop)\nb = B(); b.me = b\ndel b",
    "stream": "class S(io.StringIO):\n    close = loop\ns = S(); s.me = s\ndel s",
    "bytes": "class S(io.BytesIO):\n    def close(self):\n        loop()\ns = S(); s.me = s\ndel s",
    "generator": "def g():\n    try:\n        yield\n    finally:\n        loop()\nx = [g()]\nnext(x[0])\nx.append(x)\ndel x",
}


@pytest.fixture
def no_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("kind", LEFT)
def test_while_another_guest_runs(kind, no_collector):
    session = kr.Runtime().session()
    session.run(HEAD + LEFT[kind], check=True)
    start = time.monotonic()
    other = kr.run("collect()\nx = 0\nfor i in range(1000): x += i\nx", {"collect": gc.collect}, limits=kr.Limits(seconds=20))
    assert (other.value, other.error, other.stderr) == (499500, None, "")
    assert time.monotonic() - start < 10
    assert session.run("len(seen)", check=True).value == 1


@pytest.mark.parametrize("kind", LEFT)
def test_outside_any_run(kind, no_collector):
    session = kr.Runtime().session()
    session.run(HEAD + LEFT[kind], check=True)
    start = time.monotonic()
    gc.collect()
    assert time.monotonic() - start < 10
    assert session.run("len(seen)", check=True).value == 1


@pytest.mark.parametrize("kind", LEFT)
def test_of_a_stopped_run(kind, no_collector):
    session = kr.Runtime().session(limits=kr.Limits(seconds=0.2))
    error = session.run(HEAD + LEFT[kind] + "\nwhile True: pass").error
    assert error.limit == "seconds"
    gc.collect()
    kr.run("collect()", {"collect": gc.collect}, check=True)
    assert session.run("len(seen)").value == 0


ERRORS = [
    "import weakref\nclass A: pass\ndef f(r):\n    1 / 0\na = A()\nr = weakref.ref(a, f)\ndel a\nprint(r())",
    "import weakref\nclass A: pass\ndef f(r):\n    1 / 0\na = A()\nr = weakref.proxy(a, f)\ndel a\nprint('after')",
    "import weakref\nclass A: pass\na = A()\nr = weakref.ref(a, lambda r: missing)\nprint(r.__callback__.__name__)\ndel a",
    "import weakref\nclass A: pass\na = A()\nr = weakref.ref(a, lambda r: print('dead', r()))\nprint(callable(r.__callback__), weakref.ref(a).__callback__)\n"
    "print(weakref.getweakrefcount(a), r in weakref.getweakrefs(a))",
    "import weakref\nclass A: pass\nclass R(weakref.ref):\n    def __new__(cls, o, f=None, extra=1):\n        self = super().__new__(cls, o, f)\n"
    "        self.extra = extra\n        return self\n    def __init__(self, o, f=None, extra=1):\n        super().__init__(o, f)\na = A()\n"
    "r = R(a, lambda r: print('gone', r.extra), 5)\ndel a",
    "import weakref\nclass A: pass\ntry:\n    weakref.ref(A(), 1, 2)\nexcept TypeError as e: print(e)\na = A()\nr = weakref.ref(a, 5)\ndel a\nprint('x')",
]


@pytest.mark.parametrize("source", ERRORS)
def test_errors_go_to_the_guest(source, capfd):
    result = kr.run(source)
    assert capfd.readouterr() == ("", "")
    real = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert result.stdout == real.stdout

    def last_lines(text):
        return [line for line in text.splitlines() if not line.startswith((" ", "Exception ignored", "Traceback"))]

    assert last_lines(result.stderr) == last_lines(real.stderr)


def test_streams_of_the_host_are_left_alone():
    closed = []

    class Own(io.StringIO):
        def close(self):
            closed.append(kr.run("1 + 1").value)
            super().close()

    Own()
    kr.run("f()", {"f": lambda: bool(Own())}, check=True)
    assert closed == [2, 2]


def test_what_finalizers_raise_is_not_for_the_hosts_stderr(capfd):
    """Not in the run, where it is for the guest; not after it, where there is nobody to be told."""
    with kr.Runtime().session() as session:
        source = "def f():\n    try: yield 1\n    finally: 1 / 0\nclass A:\n    def __del__(self): 1 / 0\n"
        assert session.run(source + "x = f()\nnext(x)\ny = A()\ndel x, y").stderr.count("ZeroDivisionError") == 2
        session.run("x = f()\nnext(x)\ny = A()\nx, y, f", check=True)
        kept = [session[name] for name in ("x", "y")]
    del kept, session
    gc.collect()
    assert capfd.readouterr() == ("", "")


#: What a finalizer is, in a class body: a function, natives alone, natives that call what they are given, and a descriptor.
FINALIZERS = {
    "function": "def __del__(self): look()",
    "exec": "__del__ = functools.partial(exec, 'print(sorted(globals()))')",
    "names": "__del__ = functools.partial(seen.extend, map(operator.call, [globals]))",
    "locals": "__del__ = functools.partial(seen.extend, map(operator.call, [locals]))",
    "dir": "__del__ = functools.partial(seen.extend, map(operator.call, [dir]))",
    "eval": "__del__ = functools.partial(seen.extend, map(eval, ['[*globals()]']))",
    "super": "__del__ = functools.partial(seen.extend, map(operator.call, [super]))",
    "frame": "__del__ = functools.partial(seen.extend, map(operator.call, [sys._getframe]))",
    "stack": "__del__ = functools.partial(seen.extend, map(operator.call, [traceback.format_stack]))",
    "variables": "__del__ = functools.partial(seen.extend, map(operator.call, [decimal.getcontext]))",
    "main": "__del__ = functools.partial(seen.extend, map(vars, map(__import__, ['__main__'])))",
    "warning": "__del__ = functools.partial(warnings.warn, 'spam')",
    "format": "__del__ = functools.partial(seen.extend, map('{0.__globals__}'.format, [look]))",
    "output": "__del__ = functools.partial(print, 'spam')",
    "descriptor": "__del__ = Descriptor()",
    "library": "__del__ = staticmethod(functools.partial(textwrap.indent, 'spam', ' ', lambda line: look()))",
}
CURIOUS = """
import sys, traceback, warnings, functools, operator, contextvars, decimal, textwrap
if not hasattr(operator, "call"): operator.call = lambda f: f()
seen = []
def look():
    for f in (lambda: [v.name for v in contextvars.copy_context()], decimal.getcontext, sys.exc_info, lambda: sys._getframe(2), traceback.format_stack,
              lambda: [*__import__("__main__").__dict__], globals, lambda: decimal.getcontext().__setattr__("prec", 2), lambda: print("spam"),
              lambda: sys.stderr.write("spam"), lambda: warnings.warn("spam", stacklevel=2)):
        try: seen.append(f())
        except Exception as error: seen.append(error)
class Descriptor:
    def __get__(self, o, cls):
        look()
        return look
class B:
    FINALIZER
def leave():
    b = B()
    b.me = b
leave()
"""
PRIVATE = """
import contextvars, decimal
decimal.getcontext().prec = 7
contextvars.ContextVar("secret").set("secret")
def secret():
    private = "secret"
    try: 1 / 0
    except ZeroDivisionError: collect()
secret()
decimal.getcontext().prec
"""


@pytest.mark.parametrize("kind", FINALIZERS)
def test_what_a_finalizer_sees_of_another_guest(kind, no_collector, capfd):
    """No frames, names, exceptions or variables of the guest in whose run the collector came upon it; nor does it write there."""
    session = kr.Runtime().session()
    session.run(CURIOUS.replace("FINALIZER", FINALIZERS[kind]), check=True)
    session.run("seen.clear()", check=True)
    other = kr.run(PRIVATE, {"collect": gc.collect}, filename="secret.py")
    assert (other.value, other.stdout, other.stderr, other.error) == (7, "", "", None)
    told = session.run("[str(each) for each in seen]", check=True).value
    assert bool(told) == (kind in ("function", "descriptor", "library", "variables", "main", "stack")), told
    for word in ("secret", "private", "prec=7", "ZeroDivision"):
        assert not [each for each in told if word in each]
    session.run("leave()", check=True)
    precision = decimal.getcontext().prec
    gc.collect()                        # outside any run
    assert decimal.getcontext().prec == precision
    assert capfd.readouterr() == ("", "")
