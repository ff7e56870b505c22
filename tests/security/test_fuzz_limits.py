"""Hostile programs with random limits, in one process: the short form of fuzz_limits.py.

KIMI_FUZZ_SECONDS sets how long it runs (a hundred programs unless said). It runs in a child, so that a crash or a hang is a failure of its seed.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
LATE = "0.5" if "PYTHONMALLOC" not in os.environ else "1.5"     # of processor time, on a slow machine
#: The same programs on every machine, unless it is to run longer.
COUNT = () if "KIMI_FUZZ_SECONDS" in os.environ else ("--count", "100")
SECONDS = float(os.environ.get("KIMI_FUZZ_SECONDS", "60"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.timeout(SECONDS * 4 + 240)
def test_limits_hold_for_hostile_programs():
    start = os.environ.get("KIMI_FUZZ_START", "0")
    done = subprocess.run([sys.executable, HERE / "fuzz_limits.py", "--seconds", str(SECONDS), "--start", start, "--late", LATE, *COUNT],
                          capture_output=True, text=True, timeout=SECONDS * 4 + 200)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
