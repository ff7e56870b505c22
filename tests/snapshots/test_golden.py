"""Snapshots of every version of the format load, and go on exactly, or are refused with what to do."""
import pathlib
import sys

import pytest

import kimi_runtime as kr
from kimi_runtime.snapshots import form

GOLDEN = pathlib.Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*.snapshot"))
HERE = f"py{sys.version_info[0]}{sys.version_info[1]}"
MADE_WITH = {(3, 11, 7), (3, 12, 1), (3, 13, 0)}


def to_the_end(step):
    while isinstance(step, kr.Suspended):
        step = step.resume(step.args[0] * 2 if step.args else None, id=step.pending[0].id)
    step.result.unwrap()
    return step.result.stdout


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_a_golden_snapshot_goes_on_or_is_refused(path):
    program, version, host = path.name.split(".")[:3]
    expected = (GOLDEN / f"{program}.txt").read_text()
    if not form.OLDEST <= int(version[1:]) <= form.VERSION:
        with pytest.raises(kr.SnapshotError, match=f"version {version[1:]} of the format"):
            kr.load(path.read_bytes())
        return
    try:
        step = kr.load(path.read_bytes())
    except kr.SnapshotError as error:
        # The library's code is the host's own, and another one in other patch releases.
        assert "with the version" in str(error) and (host != HERE or sys.version_info[:3] not in MADE_WITH)
        return
    assert to_the_end(step) == expected


def test_there_is_a_golden_snapshot_of_the_present_version():
    assert any(f".v{form.VERSION}." in path.name for path in FILES)
