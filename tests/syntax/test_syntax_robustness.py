"""Hostile sources: a clean error, no crash, at most a second per megabyte."""
import gc
import sys
import threading
import time

import pytest
from kimi_runtime.syntax.parser import parse

pytestmark = pytest.mark.unsteady

N = 100_000
TOO_DEEP = (RecursionError, MemoryError, SyntaxError)

DEEP = {
    "parentheses": "(" * N + ")" * N,
    "open parentheses": "(" * N,
    "brackets": "[" * N,
    "braces": "{" * N,
    "dict values": "{1:" * N,
    "minus": "-" * N + "a",
    "not": "not " * N + "a",
    "tilde": "~" * N + "1",
    "await": "await " * N + "a",
    "attributes": "a" + ".b" * N,
    "calls of calls": "f" + "()" * N,
    "nested calls": "f(" * N,
    "subscripts": "a" + "[0]" * N,
    "sum": "+".join(["1"] * N),
    "power": "**".join(["1"] * N),
    "string sum": "+".join(["'a'"] * N),
    "mixed chain": "a" + "+b.c" * N,
    "chains in parentheses": "(" * 100 + "a" + "+b" * 2900 + (")" + "+b" * 2900) * 100,
    "lambda": "lambda:" * N + "a",
    "lambda defaults": "lambda a=" * N + "1",
    "conditional": "a if b else " * N + "c",
    "if": "".join(" " * i + "if x:\n" for i in range(2000)),
    "while": "".join(" " * i + "while x:\n" for i in range(2000)),
    "elif": "if a:\n pass\n" + "elif b:\n pass\n" * N,
    "f-strings": "f'{" * N,
    "f-string in f-string": "f'{" * 200 + "1" + "}'" * 200,
    "format specs": "f'{a:" + "{a:" * 300,
    "pattern": "match x:\n case " + "(" * N,
    "pattern name": "match x:\n case a" + ".b" * N + ": pass",
    "walrus": "(a:=" * N,
    "yield": "(yield " * N,
    "with": "with " + "(" * N,
}

# long, but not deep: these are fine
LONG = {
    "comparisons": "<".join(["1"] * N),
    "or": " or ".join(["1"] * N),
    "strings": "'a' " * N,
    "assignments": "a=" * N + "1",
    "statements": "a;" * N,
    "tuple": "a," * N,
    "arguments": "f(" + "a," * N + ")",
    "parameters": "def f(" + ",".join(f"a{i}" for i in range(N)) + "): pass",
    "comprehension": "[a " + "for a in b " * N + "]",
    "conditions": "[a for a in b " + "if c " * N + "]",
    "or-pattern": "match x:\n case " + "|".join("1" * N) + ": pass",
    "decorators": "@a\n" * N + "def f(): pass\n",
    "handlers": "try: pass\n" + "except a: pass\n" * N,
    "dotted": "import a" + ".a" * N,
    "dots": "from " + "." * N + " import a",
    "escapes": "'" + "\\x41" * N + "'",
    "blank lines": "\n" * N,
    "continued lines": "\\\n" * N + "1",
    "comment": "#" * N,
    "hex": "0x" + "f" * N,
    "name": "é" * N,
    "fields": "f'" + "{a}" * N + "'",
    "with items": "with (" + "a as b," * N + "): pass",
}

WRONG = {
    "tabs": "\t" * N + "a",
    "digits": "1" * N,
    "open triple quotes": '"' * (2 * N + 1),
    "open strings": "'\n" * N,
    "closers": ")" * N,
    "mixed brackets": "([{" * N,
    "bad escapes": "'" + "\\N" * N + "'",
    "bad characters": "€" * N,
    "else": "if 1: pass\n" + "else: pass\n" * N,
    "unfinished conditional": "a if " * N,
    "bare star": "*" * N,
    "equal signs": "x=" * N,
    "names": "a " * N,
    "comma mistakes": "f(" + "a b, " * N + ")",
    "keyword values": "f(a=" * 150 + "1" + ")" * 150 + "\nx y",
    "generators": "f(x for x in " * 90 + "y" + ")" * 90 + "\nx y",
    "generator arguments": "f(f(x) for x in " * 60 + "y" + ")" * 60 + "\nx y",
    "named in parentheses": "(" * 150 + "a=1" + ")" * 150,
    "print": "print " * N,
    "targets": "(a, b) = " * 5000 + "1 = 2",
    "fields": "f'{a b}'" * 5000,
    "starred": "f(*" * 150 + "a b" + ")" * 150,
    "not": "1 + not " * 5000,
    "dict keys": "{1: 1, " * 90 + "a" + "}" * 90,
}


def run(source):
    began = time.perf_counter()
    tree = error = None
    try:
        tree = parse(source)
    except (SyntaxError, RecursionError, MemoryError) as raised:
        error = raised
    del tree        # freeing the tree counts, and must not overflow the C stack either
    return error, time.perf_counter() - began


def check_time(source, seconds):
    # a generous second for a slow machine, on top of one per megabyte
    assert seconds < 1 + len(source) / 1e6


@pytest.mark.parametrize("name", DEEP)
def test_deep(name):
    error, seconds = run(DEEP[name])
    assert isinstance(error, TOO_DEEP)
    check_time(DEEP[name], seconds)


@pytest.mark.parametrize("name", LONG)
def test_long(name):
    error, seconds = run(LONG[name])
    assert error is None
    check_time(LONG[name], seconds)


@pytest.mark.parametrize("name", WRONG)
def test_wrong(name):
    error, seconds = run(WRONG[name])
    assert isinstance(error, SyntaxError)
    check_time(WRONG[name], seconds)


@pytest.mark.parametrize("source", [
    "-" * 2900 + "a", "a" + ".b" * 2900, "+".join(["1"] * 2900), "lambda:" * 2900 + "a", "a if b else " * 2900 + "c",
])
def test_allowed_depth(source):
    """About the depth that CPython allows, also in a thread with a small C stack."""
    threading.stack_size(4 << 20)
    try:
        found = []
        thread = threading.Thread(target=lambda: found.append(run(source)[0]))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    assert found == [None]


def test_ten_megabytes():
    line = "def f(a, b=1):\n    return [x * 2 + a for x in range(b) if x % 3 == 0], 'text', a.b.c(d, e=f)\n"
    source = line * (10_000_000 // len(line))
    error, seconds = run(source)
    assert error is None
    check_time(source, seconds)


def test_every_prefix_ends():
    """Every prefix of a source with all kinds of tokens gives a tree or an error."""
    source = (
        "@a\nclass B(C, d=1):\n    '''doc'''\n    x: int = 0x1f + 1_0.5e-3j\n    def f(self, /, *a, b=lambda: 1, **c):\n"
        "        try:\n            return f'{self!r:>{a[0]}} {b = } {{}}' rb'' \n        except* (D, E) as e:\n            pass\n"
        "match x:\n    case {'a': [1, *_], **r} | A(b=-1) if y: del z\nfor a, *b in c: print(*d, sep='')\n"
    )
    for end in range(len(source) + 1):
        run(source[:end])
        run(source[end:])
        run(source[:end] + "'")
        run(source[:end] + "}")


def test_nothing_leaks():
    sources = [
        "def f(a, *b, c=1, **d):\n    return [x for x in a if x], {**d}, f'{a!r:>{c}} {b = }' 'y'\n", "f(a b)", "f'{", "x = (1,",
        "'\\N{nothing}'", "a" + ".b" * 4000, "match x:\n  case [1, *_] | {'a': b}: pass\n", "x\n  y", "ñ = ﬁ", "1" * 5000,
        "class A[T: int = str](B): pass", "try: pass\nexcept* A as b: pass", "with (a as b, c): pass", "with (a, b).c: pass",
        "x = 12345678901234567890 + 1.5e3 + 2j", "f(x for x in y, 1)", "{1: 2, 3 4}", "print x", "f'{a b}'", "'\\d'",
    ]

    def run_all():
        for source in sources:
            run(source)

    def growth():
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(50):
            run_all()
        gc.collect()
        return sys.getallocatedblocks() - before

    for _ in range(5):
        run_all()
    assert min(growth() for _ in range(3)) < 25       # what leaks does so each time; other threads of the tests do not
