"""Good, failing, runaway and hostile programs on eight threads of one process share nothing: the short form of tools/soak.py.

KIMI_SOAK_RUNS sets how many run (160 unless said).
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RUNS = int(os.environ.get("KIMI_SOAK_RUNS", "160"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.timeout(300 + RUNS)
def test_no_cross_talk():
    done = subprocess.run([sys.executable, ROOT / "tools" / "soak.py", "--runs", str(RUNS)], capture_output=True, text=True, timeout=280 + RUNS)
    last = done.stdout.rstrip().rpartition("\n")[2]
    assert re.search(r": 0 problems", last), done.stdout[-4000:] + done.stderr[-2000:]
