"""Sources made by hypothesmith from the grammar: kimi_runtime compiles one exactly when CPython does."""

from __future__ import annotations

import pathlib
import sys
import warnings

import pytest

pytest.importorskip("hypothesmith")
sys.path[:0] = [str(pathlib.Path(__file__).parent.parent)]

import hypothesmith  # noqa: E402
from differential import MISSING_RUNTIME  # noqa: E402
from hypothesis import given, settings  # noqa: E402

pytestmark = pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME))


def verdict(compiler, source: str) -> str:
    """Return `ok` or the name of the error with which a compiler refuses a source."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compiler(source)
        except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError) as error:
            return type(error).__name__
    return "ok"


def check(source: str) -> None:
    """Compare the verdicts."""
    from kimi_runtime.engine import compile_source

    expected = verdict(lambda text: compile(text, "<guest>", "exec", dont_inherit=True), source)
    got = verdict(lambda text: compile_source(text, "<guest>", "exec"), source)
    assert got == expected, source


@settings(max_examples=max(20, settings.default.max_examples // 4))
@given(hypothesmith.from_grammar())
def test_compiles_when_cpython_does(source):
    check(source)


# Drawing a tree costs many times what a grammar sample costs, so there are fewer of them.
@settings(max_examples=max(10, settings.default.max_examples // 10))
@given(hypothesmith.from_node())
def test_compiles_formatted_source(source):
    check(source)
