"""Programs of the pyperformance package that need no module but math, unmodified; skipped when it is not installed."""

import importlib.util

import pytest

from pyperformance_suite import package_folder, results

NAMES = [
    "barnes_hut",
    "deltablue",
    "fannkuch",
    "float",
    "nbody",
    "nqueens",
    "richards",
    "richards_super",
    "spectral_norm",
]


@pytest.mark.skipif(importlib.util.find_spec("pyperformance") is None, reason="pyperformance is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_pyperformance(benchmark, base, kimi, name):
    benchmark.group = "pyperformance"
    path = package_folder(None) / f"bm_{name}" / "run_benchmark.py"
    expected = results(base, path, [])
    found = benchmark.pedantic(lambda: results(kimi, path, []), rounds=1)
    assert {k: v[1] for k, v in found.items()} == {k: v[1] for k, v in expected.items()}
    benchmark.extra_info.update(baseline=base.description, ratio={k: round(expected[k][0] / found[k][0], 3) for k in expected})
