"""Random programs about coroutines and asynchronous generators behave the same on CPython and on kimi_runtime.

KIMI_PROPERTY_EXAMPLES sets how many are tried (100 unless said; thousands before a release).
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import pathlib
import re
import sys

import pytest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

from async_programs import END, PRELUDE, make_program  # noqa: E402
from differential import MISSING_RUNTIME, difference, run_guest, run_reference  # noqa: E402

pytestmark = pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME))
EXAMPLES = int(os.environ.get("KIMI_PROPERTY_EXAMPLES", "100"))
FAILED = (130, 189, 320, 426, 6305079, 6306401, 6308103, 6308282, 6309837, 8000804)  # seeds that showed a difference once
ADDRESS = re.compile("0x[0-9a-f]{6,}")


def collect() -> None:
    """Let go of what the last program left, so that its last words are not taken for output of the next."""
    with contextlib.redirect_stdout(io.StringIO()):
        sys.set_asyncgen_hooks(None, None)
        gc.collect()


@pytest.fixture
def small_heap():
    """What the test session holds is kept out of the many collections."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("first", range(0, EXAMPLES, 50))
@pytest.mark.filterwarnings("ignore")
def test_programs_agree(first, small_heap):
    for seed in (*range(first, min(first + 50, EXAMPLES)), *(FAILED if first == 0 else ())):
        source = make_program(seed)
        expected = run_reference(source)
        collect()
        got = run_guest(source)
        collect()
        for outcome in (expected, got):
            outcome.stdout = ADDRESS.sub("0x", outcome.stdout)
            outcome.stderr = ""  # what finalizers say
        diff = difference(expected, got)
        assert not diff, f"seed {seed}: {diff}\n--- program\n{source.removeprefix(PRELUDE).removesuffix(END)}"
