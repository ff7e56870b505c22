"""Programs that pull objects away from under native code and the core: they end, and the process lives.

They run in a child process with CPython's debug allocator, which fills what was released and checks the ends of blocks.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

FILE = pathlib.Path(__file__).parent / "memory_attacks.jsonl"
CHILD = """
import json, sys
import kimi_runtime as kr
for line in open(sys.argv[1], encoding="utf-8"):
    case = json.loads(line)
    kr.run(case["code"], limits=kr.Limits(seconds=5))
    print(case["id"], flush=True)
"""


def test_programs_that_pull_objects_away():
    environment = {**os.environ, "PYTHONMALLOC": "debug"}
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", CHILD, str(FILE)], capture_output=True, text=True,
                          timeout=100, env=environment)
    assert done.returncode == 0, f"after {done.stdout.split()[-1:]}: {done.stderr[-2000:]}"
    assert len(done.stdout.split()) == len(FILE.read_text(encoding="utf-8").splitlines())
