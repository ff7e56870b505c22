"""Modules of the host that are loaded while a guest runs: whole, and not at the guest's cost."""
import subprocess
import sys
import traceback

import pytest

import kimi_runtime as kr

# It counts by what a stop would break off.
SLOW = """
import itertools, time
end = time.monotonic() + 0.2
for _ in itertools.count():
    if time.monotonic() > end:
        break
done = True
"""

FIRST_RUNS = """
import sys
import kimi_runtime as kr
name, before, program = sys.argv[1:]
rt = kr.Runtime(limits=kr.Limits(seconds=20, memory="64MB"))
if before:
    rt.run(before, check=True)
assert name not in sys.modules, name
first, second = rt.run(program, check=True), rt.run(program, check=True)
assert name in sys.modules, name
print(first.stats.peak_memory - second.stats.peak_memory)
"""


def test_the_end_of_a_run_does_not_break_an_import_off(tmp_path, monkeypatch):
    """What the text of an exception needs is loaded to its end, though the time of the run is over before."""
    (tmp_path / "loads_slowly.py").write_text(SLOW)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "loads_slowly", raising=False)
    plain = traceback.TracebackException

    class Loading(plain):
        def format(self, **settings):
            import loads_slowly

            assert loads_slowly.done
            return plain.format(self, **settings)

    monkeypatch.setattr(traceback, "TracebackException", Loading)
    kr.run("raise ValueError(1)", limits=kr.Limits(seconds=0.05))
    assert sys.modules["loads_slowly"].done


@pytest.mark.parametrize(("module", "before", "program"), [
    ("kimi_runtime.library.loader", "", "import math"),
    ("fractions", "import fractions", "import fractions; fractions.Fraction(1, 2)"),
    ("pathlib", "import pathlib", "import pathlib; pathlib.PurePosixPath('a')"),
])
def test_what_stays_is_no_memory_of_the_first_guest(module, before, program):
    more = int(subprocess.run([sys.executable, "-c", FIRST_RUNS, module, before, program], capture_output=True, text=True, check=True).stdout)
    assert more < 50_000
