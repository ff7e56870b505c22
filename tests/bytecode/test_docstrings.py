"""Docstrings are the host's, which cleans them from 3.13 on."""
import pytest

from kimi_runtime.bytecode.compiler import compile_source
from kimi_runtime.bytecode.inspection import describe

TEXTS = ["one", "  one  ", "one\n    two\n      three\n    ", "one\n\ttwo\n\n   \n        three", "\n  a\n b\n", "", "a\n\n", "a\n   \n  b",
         "a\nb\n  c", "   "]


@pytest.mark.parametrize("text", TEXTS)
def test_docstring(text):
    source = f"def f():\n    {text!r}\n"
    namespace = {}
    exec(source, namespace)
    code = describe(compile_source(source, "<case>"))["consts"][0]
    assert describe(code)["docstring"] == namespace["f"].__doc__
