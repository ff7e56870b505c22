"""Programs that try to use up time, the C stack, memory or the host's output: each is stopped in time, in a process that lives on.

The programs of a family run one after another in one child process, so that a crash fails a test and does not end the
tests. `exhaustion.jsonl` holds them; those marked "may_end" may also end by themselves, in time.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.unsteady

SECONDS = 0.3
FILE = pathlib.Path(__file__).with_name("exhaustion.jsonl")
CASES = [json.loads(line) for line in FILE.read_text().splitlines()]
FAMILIES = sorted({case["family"] for case in CASES})

CHILD = """
import json, sys, time
import kimi_runtime as kr
limits = kr.Limits(seconds={seconds})
kr.run("import re, json, itertools, functools, collections, asyncio, logging, warnings, statistics, fractions, decimal, copy, pickle, pprint")
for line in sys.stdin:
    start, used = time.monotonic(), time.process_time()
    result = kr.run(json.loads(line), limits=limits)
    kind = None if result.error is None else result.error.limit or result.error.type
    result = None
    took, used = time.monotonic() - start, time.process_time() - used
    if took < {seconds} + 30:       # the machine is busy with other things
        took = used
    print(json.dumps([kind, took]), flush=True)
    assert kr.run("1 + 1").value == 2
"""


def run_all(codes):
    """Results of the programs, (limit or error type or None, seconds of processor time), from one process; fails when that does not survive."""
    child = subprocess.Popen([sys.executable, "-c", CHILD.format(seconds=SECONDS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    found = []
    try:
        for code in codes:
            child.stdin.write(json.dumps(code) + "\n")
            child.stdin.flush()
            line = child.stdout.readline()
            assert line, f"the process ended with {child.wait(timeout=10)} in:\n{code}"
            found.append(json.loads(line))
    finally:
        child.kill()
        child.communicate()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_stopped(family):
    cases = [case for case in CASES if case["family"] == family]
    late, not_stopped = [], []
    for case, (kind, took) in zip(cases, run_all([case["code"] for case in cases]), strict=True):
        if took > 2 * SECONDS + 1:        # a machine may be slow
            late.append((round(took, 2), kind, case["code"]))
        if kind is None and not case.get("may_end"):
            not_stopped.append(case["code"])
    assert not late
    assert not not_stopped
