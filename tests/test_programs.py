"""Golden programs: each file under tests/programs/ behaves the same on CPython and on kimi_runtime.

Standard output, the exception that ended it (type and message) and the exit code are compared; the programs under
`uncaught/` also run as commands, where the traceback on standard error must be CPython's to the byte.
A first line `# requires: 3.12` keeps a program off older hosts, whose own parser cannot give the reference.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from conftest import TESTS, parameters, read_reasons
from differential import MISSING_RUNTIME, difference, run_guest, run_reference

PROGRAMS = TESTS / "programs"
FILES = {str(path.relative_to(PROGRAMS).with_suffix("")): path for path in sorted(PROGRAMS.rglob("*.py"))}
COMMANDS = {name: path for name, path in FILES.items() if name.startswith("uncaught/")}
KNOWN = read_reasons(PROGRAMS / "known_failures.txt")
KNOWN_COMMANDS = read_reasons(PROGRAMS / "known_command_failures.txt")

pytestmark = pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME))


def load(path) -> str:
    """Return the program's text; skip the test when the host is too old to be the reference."""
    source = path.read_text(encoding="utf-8")
    needed = re.match(r"# requires: 3\.(\d+)\n", source)
    if needed and sys.version_info < (3, int(needed[1])):
        pytest.skip(f"the reference needs Python 3.{needed[1]}")
    return source


def test_collection_is_large_enough():
    assert len(FILES) >= 300


@pytest.mark.parametrize("path", parameters(FILES, KNOWN))
def test_program(path):
    source = load(path)
    expected = run_reference(source, str(path))
    diff = difference(expected, run_guest(source, str(path)))
    assert not diff, f"{path} differs:\n{diff}"


def run_command(arguments: list[str], path) -> tuple[str, str, int]:
    """Run a command line on a program; return its streams and exit code."""
    environment = dict(os.environ, PYTHONPATH=str(TESTS.parent), PYTHONIOENCODING="utf-8")
    done = subprocess.run([sys.executable, *arguments, str(path)], cwd=path.parent, env=environment, timeout=60,
                          capture_output=True, encoding="utf-8", errors="replace")
    return done.stdout, done.stderr, done.returncode


@pytest.mark.parametrize("path", parameters(COMMANDS, KNOWN_COMMANDS))
def test_command(path):
    load(path)
    expected = run_command([], path)
    got = run_command(["-m", "kimi_runtime.cli.main"], path)
    assert got == expected
