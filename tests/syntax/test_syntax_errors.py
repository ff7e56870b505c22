"""SyntaxErrors against CPython's: type, message, line and column, on the invalid sources of
its own tests, read from the host's ``test`` package when the test runs."""
import ast
import os
import pathlib
import random
import re

import error_cases
import pytest
from error_cases import facts, host_error, more_facts
from kimi_runtime.syntax.parser import parse
from known_differences import reason
from trees import difference, host_tree

from kimi_runtime.syntax.errors import syntax_error

pytest.importorskip("test.test_syntax", reason="the host has no test package")


def our_error(source, mode):
    try:
        parse(source, "<case>", mode)
    except SyntaxError as error:
        return error
    return None


@pytest.mark.parametrize("module", error_cases.MODULES + error_cases.MORE_MODULES)
def test_errors_of_cpythons_tests(module):
    cases = error_cases.collect(module)
    wrong = []
    agreed = ends = 0
    for source, mode in cases:
        theirs = host_error(source, mode)
        ours = our_error(source, mode)
        if ours is not None and facts(ours) == facts(theirs):
            agreed += 1
            ends += more_facts(ours) == more_facts(theirs)
        elif reason(source) is None:
            wrong.append(f"{source!r} ({mode})\n  want {facts(theirs)}\n  got  {ours and facts(ours)}")
    assert not wrong, "\n".join(wrong)
    if module in error_cases.MODULES:
        assert len(cases) > 50, "CPython's tests have moved"
    assert agreed >= 0.9 * len(cases)
    assert ends >= 0.8 * len(cases)


# ------------------------------------------------- sources with one mistake

WORD = re.compile(
    r'[A-Za-z_]\w*|\d+(?:\.\d+)?|"""|\'\'\'|"[^"\n]*"|\'[^\'\n]*\'|\*\*|//|->|:=|==|!=|\n[ \t]*|[ \t]+|.'
)
INSERTED = (
    "( ) [ ] { } : , = == if else for in not and lambda * ** . x 1 's' print import from as def class return yield "
    "await async with try except finally del global None True + - ~ @ ; := -> | ! $ is raise while pass break / ..."
).split() + ["\n", "\n    ", " ", "\\"]
MUTANTS = int(os.environ.get("KIMI_MUTANTS", "1500"))


def snippets(choose):
    """Statements of the host's library, without indentation."""
    library = pathlib.Path(os.__file__).parent
    files = sorted(library.glob("*.py"))
    kinds = (ast.FunctionDef, ast.ClassDef, ast.If, ast.Assign, ast.Expr, ast.For, ast.With, ast.Try, ast.Return)
    while True:
        source = choose(files).read_text(encoding="utf-8")
        tree = ast.parse(source)
        found = [n for n in ast.walk(tree) if isinstance(n, kinds) and n.end_lineno - n.lineno < 25]
        for _ in range(20 if found else 0):
            node = choose(found)
            lines = source.splitlines(True)[node.lineno - 1 : node.end_lineno]
            indent = len(lines[0]) - len(lines[0].lstrip())
            yield "".join(line[indent:] if not line[:indent].strip() else line for line in lines)


def mutate(source, chance):
    words = WORD.findall(source)
    place = chance.randrange(len(words))
    action = chance.random()
    if action < 0.35:
        del words[place]
    elif action < 0.75:
        words.insert(place, chance.choice(INSERTED))
    elif action < 0.9:
        words[place] = chance.choice(INSERTED)
    else:
        other = chance.randrange(len(words))
        words[place], words[other] = words[other], words[place]
    return "".join(words)


@pytest.mark.filterwarnings("ignore")
def test_mutated_sources():
    """Both accept or both refuse; 98 of 100 errors have the same message and place."""
    chance = random.Random(2024)
    source = snippets(chance.choice)
    refused = agreed = 0
    for _ in range(MUTANTS):
        mutant = mutate(next(source), chance)
        theirs = host_error(mutant, "exec")
        ours = our_error(mutant, "exec")
        if theirs is None:
            assert ours is None, (mutant, ours)
            assert difference(parse(mutant), host_tree(mutant)) is None, mutant
            continue
        if ours is None:
            assert reason(mutant), mutant
            continue
        refused += 1
        agreed += facts(ours) == facts(theirs)
    assert agreed >= 0.98 * refused


# ---------------------------------------------------------- ends of the source

ENDS = [
    "", " ", "  ", "\t", "\n", "\n ", "a\n ", "#c", " #c", " #c\n", "a b", "a b\n", "\n a b", "a\nb c", "a\rb c", "a;b c",
    "(a", "(a\n", "(a\n\n", "(a\nb", "(a\nb\n", "(a\n#c", "(a\n ", "(a #c\n", "x\n(a\n", "x\n(a\nb", "f(a b", "f(a b\n", "{", "x = (",
    "(\\", "(\\\n", "(\\\nb", "(a\n\\", "(a\n\\\n", "[a,\\", "\\", "\\\n", "\\\\", "a\\\n", "a\\b", "if 1:\\",
    "'abc", "'\\", "'\\\n", "'\\\n\n", "'\\\nb", "'a\\\n", "'\\\\\n", "'''abc", "'''\\\n", "'''a\n\n",
    "1 +", "1 +\n", "$", "1$", "a ? b", "for", "not", "lambda x: ", "x = 1", "a := 1", "print 1", "print >>", "**a", "yield = 1",
    "if 1:", "if 1:\n", "if 1: a b", "if 1:\n\ta\n  b", "if 1:\n  a\n b", "\ta\n  b", "  a", "class A", "def f():",
    "a #c", "a b #c", "é b", "a é b", "f'{a b}'", "f'{'", "f'{}'", "f(x for x in y, 1)", "{1:2, 3}", "1 2 3\r\n",
    "def f() -> : 1", "def f() -> \n: 1", "async def f() -> : 1", "def f() -> (1 2): 1", "def f() -> *a: 1", "def f() -> x y: 1",
    "def f() -> x[1 2]: 1", "def f() -> x.y(1 2): 1", "async def f() -> a + b[1:2 3]: 1", "def f() -> (a)(1 2)[3]: 1",
    "def f() -> (1", "def f() -> $: 1", "match x: 1", "match x, y: 1", "match x: case 1: 2", "match x:\n 1", "match (x): 1", "match x:",
]


@pytest.mark.parametrize("mode", ["exec", "eval", "single"])
def test_ends_of_sources(mode):
    """All fields, for sources that stop short: what has a newline, and which line is the last."""
    wrong = []
    for source in ENDS:
        theirs, ours = host_error(source, mode), our_error(source, mode)
        if theirs is None or ours is None:
            if theirs is not ours:
                wrong.append(f"{source!r}\n  want {theirs}\n  got  {ours}")
        elif ours.args != theirs.args or ours.text != theirs.text:
            wrong.append(f"{source!r}\n  want {theirs.args}\n  got  {ours.args}")
    assert not wrong, "\n".join(wrong)


# ------------------------------------------------------------------ helpers

def test_syntax_error_helper():
    source = "a\nñ = ñ x\n"
    made = syntax_error("no", "f.py", source, 2, 3, 2, 8)
    assert made.args == ("no", ("f.py", 2, 3, "ñ = ñ x\n", 2, 7))
    assert syntax_error("no", "f.py", source.splitlines(True), 2, 3, 2, 8).args == made.args
    assert syntax_error("no", "f.py", source.encode(), 2, 3, 2, 8).args == made.args
    assert syntax_error("no", "f.py", None, 7, 0).args == ("no", ("f.py", 7, 1, None, 7, -1))


BAD_BYTES = [
    b"# coding: foo\n", b"\xef\xbb\xbf# coding: latin-1\n", b"\xff = 1\n", b"x\0y", b"# coding: ascii\n'\xe9'\n",
]


@pytest.mark.parametrize("data", BAD_BYTES)
def test_bytes_that_are_no_text(data):
    theirs = host_error(data, "exec")
    ours = our_error(data, "exec")
    assert type(theirs) is SyntaxError and type(ours) is SyntaxError
    if data != BAD_BYTES[4]:
        assert facts(ours)[1:3] == facts(theirs)[1:3]


def test_lone_surrogate():
    with pytest.raises(UnicodeEncodeError):
        compile("'\ud800'", "f", "exec")
    with pytest.raises(UnicodeEncodeError):
        parse("'\ud800'")


def test_null_in_text():
    with pytest.raises(SyntaxError, match="null bytes"):
        parse("a\0b")
