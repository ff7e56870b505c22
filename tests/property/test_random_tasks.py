"""Random programs of asyncio tasks leave the same trace on CPython and on kimi_runtime."""

from __future__ import annotations

import pathlib
import sys

import pytest

pytest.importorskip("hypothesis")
sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

from differential import MISSING_RUNTIME  # noqa: E402
from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from task_programs import PRELUDE, compare, program  # noqa: E402

pytestmark = pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME))


@given(st.integers(0, 2**32 - 1))
def test_tasks_agree(seed):
    source = program(seed)
    diff = compare(source)
    assert not diff, f"seed {seed}\n{diff}\n--- program\n{source.removeprefix(PRELUDE)}"
