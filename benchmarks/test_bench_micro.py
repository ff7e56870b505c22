"""Single operations, 10,000 iterations each."""

import pytest

from compare import micro_benchmarks

CASES = micro_benchmarks("")


@pytest.mark.parametrize("stem, function, source", CASES, ids=[f"{c[0]}.{c[1][6:]}" for c in CASES])
def test_micro(interleaved, benchmark, stem, function, source):
    benchmark.group = stem
    interleaved(f"{stem}.{function}", source, function, (10000,), rounds=5, calls=2)
