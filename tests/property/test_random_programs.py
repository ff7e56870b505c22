"""Random programs print the same, and end with the same exception, on CPython and on kimi_runtime.

KIMI_PROPERTY_EXAMPLES sets how many are tried (100 unless said; thousands before a release).
"""

from __future__ import annotations

import pathlib
import sys

import pytest

pytest.importorskip("hypothesis")
sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

from differential import MISSING_RUNTIME, difference, run_guest, run_reference  # noqa: E402
from hypothesis import assume, given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from programs import EPILOGUE, PRELUDE, expressions, programs  # noqa: E402
from typed_programs import typed_programs  # noqa: E402

pytestmark = pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME))


def agree(source: str) -> None:
    """Fail when the two interpreters differ on a program. Those that exhaust CPython are left out."""
    expected = run_reference(source)
    assume(expected.exception not in ("MemoryError", "RecursionError"))
    diff = difference(expected, run_guest(source))
    assert not diff, f"{diff}\n--- program\n{source.removeprefix(PRELUDE)}"


@given(programs)
def test_programs_agree(source):
    agree(source)


@given(typed_programs)
def test_typed_programs_agree(source):
    agree(source)


@given(st.lists(expressions(3), min_size=1, max_size=3))
def test_expressions_agree(sources):
    lines = "\n".join(f"try: show({source})\nexcept Exception as err: print(error(err))" for source in sources)
    agree(PRELUDE + lines + EPILOGUE)
