"""Programs that look at themselves: as commands they print on kimi_runtime what they print on CPython.

They cannot run in the test's own process, whose `__main__` is another program's.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = sorted((HERE / "model_programs").glob("*.py"))


def run(arguments: list[str], path: pathlib.Path) -> tuple[str, str, int]:
    environment = dict(os.environ, PYTHONPATH=str(HERE.parents[1]), PYTHONIOENCODING="utf-8", PYTHONHASHSEED="1")
    environment.pop("PYTHONWARNINGS", None)
    done = subprocess.run([sys.executable, *arguments, str(path)], env=environment, timeout=120, capture_output=True,
                          encoding="utf-8")
    return done.stdout, done.stderr, done.returncode


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_program(path):
    assert run(["-m", "kimi_runtime"], path) == run([], path)
