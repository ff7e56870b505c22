"""What a guest does to the library, to builtins or to classes of the host changes nothing for the next guest.

A line of ``poison.txt`` is a program and, after the last `` | ``, an expression: its value in a fresh sandbox is the same before
and after the program ran in another one. The imports of the program come before the expression.
"""

from __future__ import annotations

import gc
import pathlib

import kimi_runtime as kr
import pytest

LINES = (pathlib.Path(__file__).parent / "poison.txt").read_text(encoding="utf-8").splitlines()


def parts(line):
    """(program, what looks at its effects)."""
    program, _, look = line.rpartition(" | ")
    statements = [each.strip() for each in program.split("; ")]
    imports = [each for each in statements if each.startswith("import ")]
    return "\n".join(statements), "\n".join([*imports, f"repr(({look}))"])


@pytest.mark.parametrize("line", LINES)
def test_nothing_is_shared(line):
    program, look = parts(line)
    before = kr.run(look).unwrap()
    result = kr.run(program)
    assert result.error is None or result.error.limit is None
    assert kr.run(look).unwrap() == before


def test_registrations_count_in_their_own_guest():
    source = """
import collections.abc as c, numbers
class Mine: pass
c.Sequence.register(Mine)
numbers.Number.register(int)
class Own(c.Sequence):
    def __len__(self): return 0
    def __getitem__(self, i): raise IndexError
[isinstance(Mine(), c.Sequence), isinstance(Mine(), c.Collection), isinstance(Own(), c.Reversible), isinstance([], c.Sequence),
 issubclass(Mine, c.Sized), issubclass(dict, c.Mapping), isinstance({}, c.MutableMapping), isinstance(3, numbers.Integral)]
"""
    assert kr.run(source).unwrap() == [True, True, True, True, True, True, True, True]


def test_nothing_is_kept_of_the_classes_of_runs_that_were_stopped():
    source = "class M(type): pass\nkept = [type(f'C{n}', (), {}) for n in range(50)]\nclass A(metaclass=M): pass\nkept.append(A)\nwhile True: pass"

    def count():
        for _ in range(3):
            gc.collect()
        return len(gc.get_objects())

    def runs():
        for _ in range(5):
            assert kr.run(source, limits=kr.Limits(seconds=0.02)).error.limit == "seconds"
            assert kr.run("class B: pass\ndef f():\n    while True: pass\nb = B()\nB.b = b\nf()", limits=kr.Limits(seconds=0.02)).error.limit == "seconds"

    def growth():
        before = count()
        runs()
        return count() - before

    runs()
    assert min(growth() for _ in range(3)) < 50       # what is kept is kept each time; threads of other tests come and go
