"""Modules of the host that are loaded while a guest runs: whole, and not at the guest's cost."""
import gc
import os
import subprocess
import sys
import traceback

import pytest

import kimi_runtime as kr
from kimi_runtime import _core

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


ENDLESS = """
class A:
    def __del__(self):
        while True: pass
for _ in range(3):
    a = A()
    a.a = a
del a
"""


@pytest.mark.parametrize("needs", ["import pathlib; pathlib.PurePosixPath('a')", "import colorsys"])
def test_finalizers_wait_for_the_end_of_an_import(needs):
    """What the collector would run within it would count for nobody. In a process of its own, which loads these for the first time."""
    program = f"""
import gc, sys, time
import kimi_runtime as kr
rt = kr.Runtime(limits=kr.Limits(seconds=0.3))
rt.run("import pathlib", check=True)
gc.set_threshold(700)
gc.collect()
gc.set_threshold(1_000_000)
class Collecting:
    def find_spec(self, name, path=None, target=None):
        gc.set_threshold(1)
        for _ in range(3):
            [[] for _ in range(100)]
        gc.set_threshold(1_000_000)
sys.meta_path.insert(0, Collecting())
rt.run({ENDLESS!r} + {needs!r})
assert gc.isenabled()
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=20)


def test_the_collector_is_on_after_a_fork_within_an_import():
    def fork():
        child = os.fork()
        if not child:
            os._exit(0 if gc.isenabled() else 1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    class Forking:
        def find_spec(self, name, path=None, target=None):
            if name == "no_such_module":
                found.append(fork())

    found = []
    finder = Forking()
    sys.meta_path.insert(0, finder)
    try:
        with pytest.raises(ModuleNotFoundError):
            _core.call_metered(_core.Meter(1), _core.host_module, "no_such_module")
    finally:
        sys.meta_path.remove(finder)
    assert found == [0] and gc.isenabled()
