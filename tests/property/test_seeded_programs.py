"""Random programs from seeds agree with CPython: those that once differed, and as many others as the environment asks for.

KIMI_PROPERTY_EXAMPLES sets how many others run (100 unless said). They run in forked children, so that a crash is a failure
of its seed. `python tests/property/run_programs.py` runs any number of them.
"""

from __future__ import annotations

import os
import pathlib
import sys

import pytest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

from differential import MISSING_RUNTIME  # noqa: E402

if MISSING_RUNTIME is None:
    from run_programs import FAILED, outcomes  # noqa: E402
    from seeded_programs import ALL_FEATURES  # noqa: E402

pytestmark = [pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME)), pytest.mark.timeout(600)]


def failed_seeds() -> dict[tuple[str, ...], list[int]]:
    """Return the kept seeds by the features of their programs."""
    found: dict[tuple[str, ...], list[int]] = {}
    for line in FAILED.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            seed, features = line.split()
            found.setdefault(tuple(features.split(",")), []).append(int(seed))
    return found


#: Seeds that show a fault of that CPython: after `from m import *` a module's vars() is not its globals() in 3.12, when a variable of
#: a comprehension has the name of a global.
FAULTS_OF_CPYTHON = {(3, 12): {59}}


def differing(seeds: list[int], features: tuple[str, ...]) -> dict[int, str]:
    """Return what differs, by seed."""
    found = {seed: outcome for seed, outcome in outcomes(seeds, features) if outcome not in ("", "skip")}
    if sys.version_info < (3, 11, 4):   # the first releases of 3.11 differ in except* and in texts: nothing may crash there
        found = {seed: outcome for seed, outcome in found.items() if not outcome.startswith("--- CPython")}
    return found


def test_seeds_that_failed():
    for features, seeds in failed_seeds().items():
        assert not differing(seeds, features)


def test_seeds():
    count = int(os.environ.get("KIMI_PROPERTY_EXAMPLES", "100"))
    left_out = FAULTS_OF_CPYTHON.get(sys.version_info[:2], set())
    assert not differing([seed for seed in range(count) if seed not in left_out], ALL_FEATURES)
