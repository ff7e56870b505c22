"""Small programs of one feature each (tests/data/features.jsonl). Each asserts for itself, so it must end without an error.

A program that fails on the host's CPython too (it needs a newer version) must fail in the same way here. Programs that need
other packages or files wait for the issues that build them: they are strict expected
failures, computed from what the program imports and uses (guest_needs.py), and listed by `test_waiting_list`.
"""

from __future__ import annotations

import json

import pytest
from conftest import TESTS, read_reasons
from differential import MISSING_RUNTIME, kr, run_guest, run_reference
from guest_needs import waits_for

CASES = [json.loads(line) for line in (TESTS / "data" / "features.jsonl").read_text(encoding="utf-8").splitlines()]
WITH_FILES = None if kr is None else kr.Runtime(files={})
KNOWN = read_reasons(TESTS / "data" / "features_known_failures.txt")

pytestmark = pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME))


def case_parameters():
    """Return one pytest parameter per case, marked when it waits for a later issue or is a known failure."""
    for case in CASES:
        marks = []
        waiting = waits_for(case["code"])
        if waiting:
            marks.append(pytest.mark.xfail(reason="waits for " + ", ".join(waiting), strict=True))
        elif case["id"] in KNOWN:
            marks.append(pytest.mark.xfail(reason=KNOWN[case["id"]], strict=True))
        yield pytest.param(case, id=case["id"], marks=marks)


@pytest.mark.parametrize("case", list(case_parameters()))
def test_feature(case):
    outcome = run_guest(case["code"], f"<{case['id']}>", WITH_FILES.run)
    if outcome.exception is not None:
        reference = run_reference(case["code"], f"<{case['id']}>")
        if reference.exception is not None:
            assert (outcome.exception, outcome.message) == (reference.exception, reference.message)
            return
    assert outcome.exception is None, f"{outcome.exception}: {outcome.message} (line {outcome.line})\n{case['code']}"


def test_waiting_list():
    waiting = [case["id"] for case in CASES if waits_for(case["code"])]
    assert len(CASES) == 178
    assert len(waiting) <= 9, f"more cases wait than this version may leave out: {waiting}"
