"""Syntax that is newer than the host, against dumps that CPython 3.13 wrote, and against
older spellings of the same tree.

Refresh the dumps: ``python3.13 tests/syntax/test_syntax_newer.py > tests/syntax/newer_dumps.json``.
"""
import ast
import json
import pathlib
import sys

DUMPS = pathlib.Path(__file__).with_name("newer_dumps.json")

NEWER = [
    "def f[T](a: T) -> T: pass", "def f[T: int, *Ts, **P](): pass", "class A[T: (int, str)](B[T]): pass",
    "class A[T = int, *Ts = *tuple[int], **P = [int]]: pass", "async def f[T](): pass", "type X = int",
    "type X[T, *Ts] = dict[T, *Ts]", "type = 1; type X = type", "@d\nclass A[T]: x: T", "type type = type",
    "f'{a['b']}'", "f\"{a[\"b\"]}\"", "f'{'\\n'.join(a)}'", "f'''{\na # comment\n}'''", "f'{a:{b:{c}}}'",
    "f'{f'{f'{1}'}'}'", "f'{x = # comment\n}'", "f'{\n1 + 2\n}'", "f'{a!r:{b}}' 'c' f'{d}'", "rf'\\{a}\\N'", "f'\\N{DIGIT ONE}{a}'",
    "f'{a:%H:%M}'", "f'{{{a}}}'", "f'{lambda_:x}'", "f'{(lambda: 1)}'", "f'{ {1: 2}[1] }'", "f'a' f'{b}' rf'\\d{c}'",
    "f'{yield_}'", "f'{a, b}'", "f'{*a, b}'", "f'{await_}'", "f'{x:=5}'", "f'{(x:=5)}'", "f'é{a}ü{b}'", "f'{a:\\n}'",
]


def dump_all():
    return {source: ast.dump(ast.parse(source), include_attributes=True) for source in NEWER}


if __name__ == "__main__":
    assert sys.version_info[:2] == (3, 13)
    print(json.dumps(dump_all(), indent=1))
    sys.exit()

import pytest  # noqa: E402
from kimi_runtime.syntax.parser import parse  # noqa: E402

from kimi_runtime.syntax.dump import dump  # noqa: E402

EXPECTED = json.loads(DUMPS.read_text())


def test_dumps_are_complete():
    assert sorted(EXPECTED) == sorted(NEWER)
    if sys.version_info[:2] == (3, 13):
        assert dump_all() == EXPECTED


@pytest.mark.parametrize("source", NEWER)
def test_newer(source):
    # before 3.12 the parts of an f-string have the position of the whole, as the host's have
    positions = sys.version_info >= (3, 12) or not any(quote in source for quote in ("f'", 'f"'))
    text = dump(parse(source), include_attributes=positions, version=(3, 13))
    if positions:
        assert text == EXPECTED[source]
    else:
        assert text == without_positions(EXPECTED[source])


def without_positions(text):
    import re

    return re.sub(r"(, )?(lineno|col_offset|end_lineno|end_col_offset)=\d+", "", text)


SAME = [
    ("try: pass\nexcept A, B: pass", "try: pass\nexcept (A, B): pass"),
    ("try: pass\nexcept* A, B, C: pass", "try: pass\nexcept* (A, B, C): pass"),
    ("try: pass\nexcept A,: pass", "try: pass\nexcept (A,): pass"),
]


@pytest.mark.parametrize(("newer", "older"), SAME)
def test_except_without_parentheses(newer, older):
    assert dump(parse(newer)) == ast.dump(ast.parse(older))


@pytest.mark.parametrize("source", ["try: pass\nexcept A, B as c: pass", "t'{x}'", "class A[]: pass", "f'{x!}'", "f'{}'"])
def test_still_wrong(source):
    with pytest.raises(SyntaxError):
        parse(source)
