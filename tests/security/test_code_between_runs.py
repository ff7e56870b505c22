"""Code of a guest that the host calls while no run is under way, such as the text of an exception that it has kept; and what the
host is told of runs that were stopped."""

from __future__ import annotations

import gc
import subprocess
import sys
import time

import kimi_runtime as kr
import pytest

ENDLESS = """
class E(Exception):
    def __str__(self):
        while True: pass
    __repr__ = __hash__ = __len__ = __bool__ = __call__ = __iter__ = __str__
    def __eq__(self, other):
        while True: pass
    __lt__ = __add__ = __getattr__ = __eq__
def endless():
    while True: yield
    while True: pass
def burns():
    while True: pass
    yield
async def waits():
    while True: pass
e, g, b, c, f = E(), endless(), burns(), waits(), lambda: list(iter(int, 1))
try: raise e
except E: pass
"""
USES = {
    "str": lambda o: str(o["e"]), "repr": lambda o: repr(o["e"]), "hash": lambda o: hash(o["e"]), "len": lambda o: len(o["e"]),
    "bool": lambda o: bool(o["e"]), "eq": lambda o: o["e"] == 1, "order": lambda o: sorted([o["e"], o["e"]]), "add": lambda o: o["e"] + 1,
    "format": lambda o: f"{o['e']}", "getattr": lambda o: o["e"].missing, "call": lambda o: o["f"](), "iter": lambda o: iter(o["e"]),
    "generator": lambda o: next(o["b"]), "throw": lambda o: o["b"].throw(ValueError), "coroutine": lambda o: o["c"].send(None),
    "in": lambda o: o["e"] in [1], "dict": lambda o: {o["e"]: 1}, "method": lambda o: type(o["e"]).__str__(o["e"]),
}


def objects_of(session: kr.Session) -> dict:
    """The guest's own objects, which a host does not get to see in any way that is meant for it."""
    session.run("marker_of_this_test = 1", check=True)
    return next(d for d in gc.get_objects() if type(d) is dict and "marker_of_this_test" in d and "burns" in d)


@pytest.mark.parametrize("name", USES)
def test_code_of_a_guest_has_a_limit_outside_its_runs(name):
    with kr.Runtime(limits=kr.Limits(seconds=5)).session() as session:
        session.run(ENDLESS, check=True)
        given = objects_of(session)
        began = time.monotonic()
        with pytest.raises((RuntimeError, ValueError, MemoryError)):
            USES[name](given)
        assert time.monotonic() - began < 3
        assert session.run("1 + 1").value == 2
        del given


def test_what_ends_by_itself_gives_its_value():
    with kr.Runtime().session() as session:
        session.run("class E(Exception):\n    def __str__(self): return 'text'\ne, burns = E(), None\n"
                    "def g():\n    yield 1\n    return 2\ng = g()\ndef fails(): raise KeyError('k')", check=True)
        given = objects_of(session)
        assert (str(given["e"]), list(given["g"])) == ("text", [1])
        with pytest.raises(KeyError, match="k"):
            given["fails"]()
        del given


CHAIN = """
import threading
import kimi_runtime as kr
def work():
    result = kr.run("class A:\\n    def __del__(self): A()\\nA()", limits=kr.Limits(seconds=1))
    print(result.error is None or result.error.limit == "seconds")
threading.stack_size(256 << 10)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


def test_finalizers_that_bring_each_other_about():
    """Deep ones are put off by CPython until the run is over; each leaves one behind, so that none of them takes long."""
    done = subprocess.run([sys.executable, "-c", CHAIN], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True\n"


def test_a_host_that_sets_no_limits_has_none_here():
    with kr.Runtime(limits=None).session() as session:
        session.run("import time\nburns = None\ndef long():\n    end = time.monotonic() + 0.3\n    while time.monotonic() < end: pass\n    return 5", check=True)
        given = objects_of(session)
        assert given["long"]() == 5
        del given


def test_nothing_of_a_stopped_run_is_called():
    session = kr.Runtime(limits=kr.Limits(seconds=0.1)).session()
    session.run("calls = []\ndef burns(): calls.append(1)", check=True)
    given = objects_of(session)
    assert session.run("while True: pass").error.limit == "seconds"
    with pytest.raises(RuntimeError, match="its run was stopped"):
        given["burns"]()
    assert given["calls"] == []
    del given
    session.close()


PROGRAMS = (
    "import enum, dataclasses\n@dataclasses.dataclass(slots=True)\nclass D:\n    x: int = 1\n    def f(self): return super().__eq__(1)\nD().f()",
    "import concurrent.futures, logging, weakref\nclass A:\n    def __init__(self): super().__init__()\nwhile True: A()",
    "class M(type):\n    def __new__(m, *a): return super().__new__(m, *a)\nwhile True:\n    class A(metaclass=M):\n        def f(self): return __class__\n    A().f()",
    "import threading\ndef w(): raise ValueError\nwhile True:\n    t = threading.Thread(target=w)\n    t.start()\n    t.join()",
    "import asyncio\nasync def f(): raise ValueError\nasync def main():\n    while True: await asyncio.gather(f(), f(), return_exceptions=True)\nasyncio.run(main())",
)


def test_the_host_is_told_nothing_of_stops(monkeypatch, capfd):
    """A stop that comes where a function of the interpreter cannot raise it is raised again later. As an unraisable exception
    it would bring the guest's exceptions, with their texts, to the host."""
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda given: told.append((given.exc_type.__name__, str(given.object))))
    for number in range(400):
        kr.run(PROGRAMS[number % len(PROGRAMS)], limits=kr.Limits(seconds=0.00002 + number % 80 * 0.00005))
    assert told == []
    assert "LimitExceeded" not in capfd.readouterr().err
