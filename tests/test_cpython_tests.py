"""CPython's own language tests as guest source: no failure beyond tests/cpython/known_failures.txt.

A sample of quick files runs here; KIMI_CPYTHON_TESTS=1 runs all of them (`python tools/cpython_tests.py` prints the table).
"""

from __future__ import annotations

import os
import sys

import pytest
from conftest import TESTS
from differential import MISSING_RUNTIME

sys.path.insert(0, str(TESTS.parent / "tools"))

import cpython_tests  # noqa: E402

SAMPLE = "test_scope test_class test_with test_except_star test_named_expressions test_unpack test_dictcomps".split()
FILES = cpython_tests.FILES if os.environ.get("KIMI_CPYTHON_TESTS") else SAMPLE

pytestmark = [
    pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME)),
    pytest.mark.skipif(not (cpython_tests.HOST_TESTS / "test_grammar.py").exists(), reason="this host has no test package"),
    pytest.mark.timeout(300),
]


@pytest.mark.parametrize("name", FILES)
def test_file(name):
    if not (cpython_tests.HOST_TESTS / f"{name}.py").exists():
        pytest.skip("not in this host's test package")
    reference, ours = cpython_tests.run_file("cpython", name), cpython_tests.run_file("ours", name)
    known = cpython_tests.read_known()
    countable = [method for method, (status, _) in reference.items() if status == "pass"]
    failed = {method: ours.get(method, ("missing", "")) for method in countable if ours.get(method, ("missing",))[0] != "pass"}
    new = {method: outcome for method, outcome in failed.items() if f"{name} {method}" not in known}
    assert countable and not new


def test_known_failures_have_a_class():
    classes = ("denied on purpose: ", "implementation detail: ", "bug to fix: ")
    for key, reason in cpython_tests.read_known().items():
        assert reason.startswith(classes), f"{key}: {reason}"
        assert not (reason.startswith("bug to fix") and key.split()[0] in cpython_tests.LANGUAGE_FILES), key
