"""SyntaxWarnings of the compiler stage are the host's."""
import warnings

import pytest
from kimi_runtime.bytecode.compiler import compile_source

CASES = [
    "assert (x, 'message')", "assert ()", "x is 1", "1 is not x", "x is 'a' is y", "x is None", "x is ...", "x is -1", "x is ()",
    "x is (1, 2)", "if x is 1: pass", "not x is 1", "1()", "'a'(1)", "[1](2)", "{}()", "{x}()", "(1, 2)(3)", "f'{x}'()",
    "[a for a in b]()", "(a for a in b)()", "None()", "1[2]", "None[0]", "{1}[0]", "(lambda: 0)[1]", "(a for a in b)[0]",
    "{a for a in b}[0]", "[1]['a']", "(1, 2)[1.5]", "'abc'['x']", "[1][1, 2]", "[1][None]", "[1][True]", "[1][x]", "[1][1:2]",
    "f'{x}'['a']", "b'a'[f'{x}']", "{1: 2}['a']", "[1][[2]]", "1 .x", "def f():\n  try: pass\n  finally:\n    x is 1",
]


@pytest.mark.parametrize("source", CASES)
def test_same_warnings_as_the_host(source):
    with warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        compile(source, "<case>", "exec", dont_inherit=True)
    expected = {(w.category.__name__, str(w.message), w.lineno) for w in recorded}
    found = []
    compile_source(source, "<case>", warnings=found)
    assert {row[:3] for row in found} == expected
