"""The twelve small programs, each against `exec` on the fastest CPython, in the same run."""

import pytest

from engines import PROGRAMS, program


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(interleaved, benchmark, name):
    benchmark.group = "programs"
    interleaved(name, program(name), rounds=7, calls=2)
