"""Altered snapshots: the short form of fuzz_snapshots.py (there 100,000)."""
import sys

import pytest

import fuzz_snapshots


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="bounds the memory of a child")
@pytest.mark.timeout(300)
def test_altered_snapshots_are_refused_or_load():
    failures, loaded = fuzz_snapshots.run(0, 100, 1)
    assert not failures and loaded >= 1
