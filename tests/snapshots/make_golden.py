"""Writes the golden snapshots of the present version of the format: once for each version, when it is released.

    python tests/snapshots/make_golden.py

A program is run up to one of its calls of the host, and saved: ``golden/<program>.v<version>.py<host>.snapshot``. What it prints when
it goes on from there is beside it. Files that are there already stay as they are.
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent)]

import kimi_runtime as kr  # noqa: E402
from kimi_runtime.snapshots import form  # noqa: E402

GOLDEN = HERE / "golden"


def answers(step):
    """Goes on to the end: the result."""
    while isinstance(step, kr.Suspended):
        step = step.resume(step.args[0] * 2 if step.args else None, id=step.pending[0].id)
    return step.result


def main():
    for program in sorted(GOLDEN.glob("*.program")):
        source = program.read_text()
        step = kr.Runtime().session().start(source, suspend_on={"ask"}, await_on={"fetch"}, filename=program.stem + ".py")
        for _ in range(2):
            assert isinstance(step, kr.Suspended), step
            data = step.dump()
            step = step.resume(step.args[0] * 2, id=step.pending[0].id)
        name = f"{program.stem}.v{form.VERSION}.py{sys.version_info[0]}{sys.version_info[1]}.snapshot"
        if not (GOLDEN / name).exists():
            (GOLDEN / name).write_bytes(data)
        result = answers(step)
        result.unwrap()
        (GOLDEN / f"{program.stem}.txt").write_text(result.stdout)


if __name__ == "__main__":
    main()
