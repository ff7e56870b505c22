"""Our trees against ``ast.parse`` of the host, on the host's own library.

By default a sample of the files; ``KIMI_ALL_FILES=1`` takes them all.
"""
import ast
import os
import pathlib
import random
import warnings

import pytest
from kimi_runtime.syntax.parser import parse
from trees import difference, host_tree

from kimi_runtime.syntax.dump import dump

LIBRARY = pathlib.Path(os.__file__).parent
SAMPLE = 300
DUMPED = 40         # files whose dumps are compared as text too


def library_files():
    files = sorted(path for path in LIBRARY.rglob("*.py") if "site-packages" not in path.parts)
    if not os.environ.get("KIMI_ALL_FILES"):
        # always the files that use the most syntax, and a fixed sample of the rest
        important = [p for p in files if p.name.startswith(("test_patma", "test_fstring", "test_gram", "test_except_star"))]
        files = sorted(set(important + random.Random(11).sample(files, min(SAMPLE, len(files)))))
    return files


def host_parse(data):
    try:
        return host_tree(data)
    except (SyntaxError, ValueError):
        return None


def test_library_trees_are_equal():
    wrong = []
    for path in library_files():
        name = path.relative_to(LIBRARY).as_posix()
        data = path.read_bytes()
        theirs = host_parse(data)
        try:
            ours = parse(data, str(path))
        except SyntaxError as error:
            if theirs is not None:
                wrong.append(f"{name}: refused: {error}")
            continue
        if theirs is None:
            wrong.append(f"{name}: the host refuses it")
            continue
        found = difference(ours, theirs)
        if found:
            wrong.append(f"{name}: {found[-300:]}")
    assert not wrong, "\n".join(wrong)


def test_library_dumps_are_equal():
    files = [path for path in library_files() if path.stat().st_size < 40_000]
    for path in random.Random(5).sample(files, min(DUMPED, len(files))):
        theirs = host_parse(path.read_bytes())
        if theirs is None:
            continue
        ours = parse(path.read_bytes())
        assert dump(ours, include_attributes=True) == ast.dump(theirs, include_attributes=True), path


@pytest.mark.parametrize(
    "options",
    [{}, {"indent": 2}, {"annotate_fields": False}, {"annotate_fields": False, "indent": "\t"},
     {"include_attributes": True, "indent": 1}],
    ids=str,
)
def test_dump_options(options):
    source = pathlib.Path(ast.__file__).read_text(encoding="utf-8")
    assert dump(parse(source), **options) == ast.dump(ast.parse(source), **options)


def test_dump_refuses_other_objects():
    with pytest.raises(TypeError):
        dump("x")


SMALL = [
    "", "\n", "# only a comment", "x", "x;", "x; y\n", "if x: pass", "\f\nx", "x = (\n1,\n)\n", "a\\\n.b",
    "def f(): pass # end", "if x:\n    y\n\n\n# comment\n", "u'a' 'b'", "b'a' b'b'", "1_000 + 0x_ff + 0b1 + 0o7 + 1e3 + 1j + .5",
    "'\\N{DIGIT ONE}\\x41\\u0041\\U00000041\\101\\\n'", "'\\ud800'", "'é' 'ü'", "ﬁ = 1", "x = 𝔘𝔫𝔦", "a if b else c",
    "lambda *a, b=1, **c: (yield)", "f(*a, b, *c, d=1, **e)", "a[1:2, ::3, *b]", "x: int", "(x): int = 1", "a.b: int",
    "for x, *y in z: pass\nelse: pass", "with (a as b, c): pass", "with (a, b): pass", "with (a): pass", "with (a), b: pass",
    "with (yield): pass", "with (a := b): pass", "with (a, b) as c: pass", "with (a).b as c, d: pass", "with (): pass",
    "with (a for a in b): pass", "async def f():\n    async with a: await b\n    async for c in d: pass\n    [e async for e in f]",
    "match(x)", "match = case = type = _ = 1", "match[x] = 1", "match.x", "match, x", "match -x:\n  case -1: pass",
    "match x, *y:\n  case [1, *_] | (2 as z) if z: pass\n  case {'a': 1, **r}: pass\n  case A.B(c, d=1): pass\n  case -1+2j: pass\n  case None: pass",
    "try: pass\nexcept* A as b: pass\nfinally: pass", "not a in b is not c", "a < b == c not in d", "- - + ~a ** -b",
    "{**a, 'b': 1}", "{*a, b}", "[*a, *b]", "(*a,)", "print(*a, sep='')", "@a.b[c](d)\nclass E(f, g=h): pass",
    "global a, b\nnonlocal c", "from . import a as b, c", "from ...a.b import *", "from .... import (a, b,)", "import a.b.c as d, e",
    "assert a, b", "raise A from b", "del a, (b, [c]), d.e", "return_ = 1", "x = yield", "x = y = yield z", "x += yield",
    "f'{a}{b!r:>{w}.{p}}{c = }'", "rf'\\{a}\\n'", "f'''{\na}'''", "f'' ''", "'a' f'{b}' 'c'", "f'{{}}{a}}}'", "f'{a:x}'.x",
    "0_0", "1if x else 2", "[1for x in y]", "x = 1 \\\n + 2", "if x:\n\ty\n\tz\n", "class A:\n  def f(self): return 1\n  x = 2",
    "def f(a, /, b: int = 1, *c: int, d, e=2, **g) -> int: pass", "def f(*, a): pass", "lambda a, /, b: 1", "def f(*a: *b): pass",
]


@pytest.mark.parametrize("source", SMALL)
def test_small(source):
    assert dump(parse(source), include_attributes=True) == ast.dump(host_tree(source), include_attributes=True)


@pytest.mark.parametrize("source", ["x", " x ", "\tx", "(yield)", "a, b", "x # c", "lambda: 1\n\n"])
def test_eval_mode(source):
    theirs = ast.parse(source.lstrip(), mode="eval")
    assert dump(parse(source.lstrip(), mode="eval"), include_attributes=True) == ast.dump(theirs, include_attributes=True)


@pytest.mark.parametrize("source", ["x\n", "x = 1; y\n", "if x: pass\n", "def f():\n  pass\n\n", "x\n\n# c\n"])
def test_single_mode(source):
    theirs = ast.parse(source, mode="single")
    assert dump(parse(source, mode="single"), include_attributes=True) == ast.dump(theirs, include_attributes=True)


def test_unknown_mode():
    with pytest.raises(ValueError, match="mode"):
        parse("x", mode="func_type")


ENCODED = [
    b"\xef\xbb\xbfx = 'a'", b"# coding: latin-1\nx = '\xe9'", b"#!x\n# -*- coding: cp1252 -*-\nx = '\x80'",
    b"# vim: set fileencoding=utf-8 :\nx = '\xc3\xa9'", b"x = 1\r\ny = '''a\r\nb'''\rz", "# coding: iso-8859-15\nx='€'".encode("iso-8859-15"),
]


@pytest.mark.parametrize("data", ENCODED)
def test_encoded(data):
    assert dump(parse(data), include_attributes=True) == ast.dump(ast.parse(data), include_attributes=True)


WARNED = [
    "x = '\\d'\ny = b'\\q'\nz = '''\n\\w'''\n", "1if 1else 2", "x='\\d \\q'", "x='\\400'", "'\\d' '\\e'", "0xfor x", "1jif 2else 3",
    "f'\\d{x}\\q'", "[1for x in y]", "1_0and 2", "0_0in x", "1.5is x", "'\\\n\\d'",
]


@pytest.mark.parametrize("source", WARNED)
def test_warnings(source):
    with warnings.catch_warnings(record=True) as expected:
        warnings.simplefilter("always")
        ast.parse(source)
    found = []
    parse(source, warnings=found)
    assert [(name, text, line) for name, text, line, _ in found] == [
        (w.category.__name__, str(w.message), w.lineno) for w in expected
    ]
