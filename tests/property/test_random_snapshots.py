"""Seeded random programs that are saved at each call of the host and go on from the bytes print what they print in one go."""
import pathlib
import re
import sys

import pytest

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from differential import MISSING_RUNTIME  # noqa: E402
from seeded_programs import make_program  # noqa: E402

pytestmark = pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME))
ADDRESS = re.compile(r"0x[0-9a-f]+")
SAVED = 20      # calls of a program at which it is saved; it goes on without that afterwards


def in_one_go(source):
    """What a program tells the host, and the type of the exception that ends it."""
    import kimi_runtime as kr

    told = []
    result = kr.Runtime(functions={"note": lambda *args: told.append(ADDRESS.sub("", repr(args)))}).session().run(source)
    return told, result.error and result.error.type


def step_by_step(source):
    """The same; also whether the program met native code that cannot be left, and whether all of it could be saved."""
    import kimi_runtime as kr

    told = []
    whole = True
    step = kr.Runtime().session().start(source, suspend_on={"note"})
    while isinstance(step, kr.Suspended):
        told.append(ADDRESS.sub("", repr(step.args)))
        if len(told) < SAVED and whole:
            try:
                saved = kr.load(step.dump())
            except kr.SnapshotError as error:
                assert "cannot be saved" in str(error)
                whole = False
            else:
                step.close()
                step = saved
        step = step.resume()
    error = step.result.error
    # A generator that is closed because nobody has it any more cannot be left: that is written to stderr.
    native = any("cannot suspend" in each for each in (*told, step.result.stderr, "" if error is None else error.message))
    return told, error and error.type, native, whole


@pytest.mark.parametrize("first", [0, 40, 80])
def test_programs_saved_at_each_call_go_on_exactly(first):
    compared = saved = 0
    for seed in range(first, first + 8):
        source = re.sub(r"\bprint\(", "note(", make_program(seed))
        expected = in_one_go(source)
        told, error, native, whole = step_by_step(source)
        if native:
            continue    # what the program does then depends on where
        compared += 1
        saved += whole
        assert (told, error) == expected, seed
    assert compared >= 2 and saved >= 1
