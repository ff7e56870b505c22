"""Troubles that users of comparable systems reported, rewritten small (tests/data/reported.jsonl), as guest programs.

Each gives the standard output and, where it fails on purpose, the type of the error. Programs that need library modules,
coroutines or files are strict expected failures until the issues that build those land.
"""

from __future__ import annotations

import json

import pytest
from conftest import TESTS, read_reasons
from differential import MISSING_RUNTIME, kr, run_guest
from guest_needs import waits_for

WITH_FILES = None if kr is None else kr.Runtime(files={})
CASES = [json.loads(line) for line in (TESTS / "data" / "reported.jsonl").read_text(encoding="utf-8").splitlines()]
KNOWN = read_reasons(TESTS / "data" / "reported_known_failures.txt")

pytestmark = pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME))


def case_parameters():
    """Return one pytest parameter per case, marked when it waits for a later issue or is a known failure."""
    for case in CASES:
        marks = []
        waiting = waits_for(case["code"])
        if waiting or case["id"] in KNOWN:
            reason = "waits for " + ", ".join(waiting) if waiting else KNOWN[case["id"]]
            marks.append(pytest.mark.xfail(reason=reason, strict=True))
        yield pytest.param(case, id=f"{case['id']}-{case['title'].replace(' ', '-')[:50]}", marks=marks)


@pytest.mark.parametrize("case", list(case_parameters()))
def test_reported(case):
    outcome = run_guest(case["code"], f"<{case['id']}>", WITH_FILES.run)
    assert (outcome.stdout, outcome.exception) == (case["stdout"], case.get("error")), case["correct"]
