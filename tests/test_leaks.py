"""A sample of the golden programs leaves no memory behind when it runs again and again (all of them: tools/leak_check.py)."""

from __future__ import annotations

import gc
import sys

import pytest
from conftest import TESTS, parameters, read_reasons
from differential import MISSING_RUNTIME

sys.path.insert(0, str(TESTS.parent / "tools"))

import leak_check  # noqa: E402

SAMPLE = {str(path.relative_to(leak_check.PROGRAMS).with_suffix("")): path
          for path in sorted(leak_check.PROGRAMS.rglob("*.py"))[::9]}
KNOWN = read_reasons(TESTS / "leaks_known.txt")
RUNS = 12

pytestmark = pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME))


@pytest.fixture(autouse=True)
def only_new_objects():
    """What the test session holds is out of the collector's sight: it would take most of the time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("path", parameters(SAMPLE, {name: why for name, why in KNOWN.items() if name in SAMPLE}))
def test_program_does_not_leak(path):
    leak = leak_check.leak_of_program(path, RUNS)
    assert leak is None, "{:+} blocks, {:+} objects in {} runs".format(*leak)


def test_growth_is_seen():
    kept = []
    assert leak_check.leaks(*leak_check.growth(lambda: kept.append([object(), [], {}]), RUNS), RUNS)
    assert not leak_check.leaks(*leak_check.growth(lambda: [object()], RUNS), RUNS)
