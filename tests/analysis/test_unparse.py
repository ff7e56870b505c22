"""Postponed annotations have the text that the host gives them."""
import ast
import pathlib
import sysconfig
import warnings

from kimi_runtime.bytecode.compiler import compile_source
from kimi_runtime.bytecode.inspection import describe

LIBRARY = pathlib.Path(sysconfig.get_paths()["stdlib"])
FILES = ["typing.py", "dataclasses.py", "functools.py", "statistics.py", "textwrap.py", "collections/__init__.py", "inspect.py",
         "test/test_grammar.py", "test/test_fstring.py", "test/test_unpack_ex.py", "test/test_listcomps.py"]
EXTRA = [
    "(a, b)[c, d]", "a[b:c, ::d]", "-1 ** -x", "(-1) ** x", "a ** b ** c", "(a ** b) ** c", "not (a and b or c)", "(a if b else c) if d else e",
    "lambda *a, k=1, **kw: (a, k)", "lambda: (x, y)", "{**a, 'b': 1}", "[*a, b]", "f(*a, **b, c=d)", "f(x for x in y)", "(1).real", "1 .real", "1.5.real",
    "1e400", "-1e400j", "'a' 'b'", "b'x'", "u'x'", "...", "a < b < c is not d", "(a < b) < c", "a @ b // c % d", "~(a + b) << c | d ^ e & f", "x[()]",
    "x[a,]", "{a, b}", "{}", "[]", "()", "(a,)", "f'{x!r:>{w}} {{}} {y}'", "f'{ {1: 2}[1] }'", "a.b.c(d)[e]", "[x async for x in y]", "(a for b in c if d for e in f)",
    "{a: b for a, b in c}", "{a for a in b}", "a or (b and c)", "(a or b) and c", "not a == b", "(not a) == b", "a if (b if c else d) else e",
    "lambda a, /, b, *, c: 0", "(lambda: 0)()", "(a, *b)", "x[*a]", "'quote\\'s \"both\"'", "f'{x}' 'y'", "1 if True else None", "- - x", "+(-x)",
]


def expressions():
    """Sources of expressions, from the library and the list above."""
    for text in EXTRA:
        yield text
    for name in FILES:
        path = LIBRARY / name
        if not path.exists():
            continue
        source = path.read_text(encoding="utf-8")
        lines = source.encode().splitlines(True)     # ast.get_source_segment would split the file for each node
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.expr) and not isinstance(node, (ast.Name, ast.Constant, ast.Starred, ast.Slice)):
                text = segment(lines, node)
                if len(text) < 300:
                    yield text


def segment(lines, node):
    """Source text of a node; a long one may be cut off."""
    if node.lineno == node.end_lineno:
        return lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()
    if node.end_lineno - node.lineno > 20:
        return "x" * 300
    parts = [lines[node.lineno - 1][node.col_offset :], *lines[node.lineno : node.end_lineno - 1],
             lines[node.end_lineno - 1][: node.end_col_offset]]
    return b"".join(parts).decode()


def host_text(text):
    try:
        code = compile(f"x: (\n{text}\n)", "<case>", "exec", 0x1000000, dont_inherit=True)
        return code.co_consts[0]
    except SyntaxError:
        return None


def test_same_text_as_the_host():
    seen = set()
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in expressions():
            if text in seen:
                continue
            seen.add(text)
            expected = host_text(text)
            if expected is None or not isinstance(expected, str):
                continue
            code = compile_source(f"from __future__ import annotations\nx: (\n{text}\n)", "<case>")
            consts = describe(code)["consts"]
            if expected not in consts:
                wrong.append((text, expected, consts))
    assert not wrong[:10], f"{len(wrong)} of {len(seen)} differ"
    assert len(seen) > 1000
