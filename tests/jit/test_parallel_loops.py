"""Loops that touch no objects run without the interpreter lock: others run meanwhile, limits hold, and what they leave is right."""
from __future__ import annotations

import sys
import threading
import time

import pytest
import same_results

import kimi_runtime as kr
from kimi_runtime.jit import settings

pytestmark = pytest.mark.skipif(not settings.available(), reason="llvmlite is not installed")

NUMBERS = """
def main(n):
    x = 0.5
    t = 0
    for i in range(n):
        x = 3.7 * x * (1.0 - x)
        t = (t * 3 + i) % 1000003
    return x, t
"""
#: Slices are 2,000 ticks: all of these leave a loop that runs without the lock, in each way there is.
LEFT = {
    "objects around it": """
def work(n):
    out = []
    for k in range(4):
        t = 0
        for i in range(n):
            t = (t * 5 + i * k) % 9973
        out.append(f"{k}: {t}")
        x = 1.0
        while x < n: x += 0.5
        out.append(x)
    return out
print(work(9000))
""",
    "an overflow": """
def work(n):
    t = 1
    for i in range(n):
        t += i
        if i > 20000: t = t * 3
        if t > 10 ** 25: t = 1
    return t
print(work(20300))
""",
    "an error": """
def work(n):
    t = 0
    i = 0
    while True:
        t += 100 // (n - i)
        i += 1
work(9000)
""",
    "another kind": """
def work(n):
    t = 0.0
    c = None
    for i in range(n):
        t += i
        if i == 15000: c = [t]
        if i == 18000: t = c
        if i == 18000: t = t[0]
    return t, c
print(work(20000))
""",
    "an exception that is not made": """
def work(n):
    t = 0
    for i in range(n):
        try:
            if i % 3: raise ValueError(i)
            t += 1
        except ValueError:
            t += 2
    return t
print(work(20000))
""",
}


def warm(jit: kr.JIT, **more) -> kr.Session:
    session = kr.Runtime(jit=jit, **more).session()
    session.run(NUMBERS, check=True)
    for _ in range(3):
        session.run("main(30_000)", check=True)
    return session


@pytest.mark.parametrize("name", LEFT)
def test_same_results(name):
    assert same_results.difference(LEFT[name]) == ""


@pytest.mark.unsteady
def test_others_run_meanwhile():
    """With an endless switch interval a thread gets the lock only when it is let go of."""
    kr.run("import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()", check=True)     # other guests may have threads
    began = threading.Event()
    session = warm(kr.JIT(background=False, loop_threshold=2000, call_threshold=500), limits=kr.Limits(seconds=10), functions={"began": began.set})
    before = sys.getswitchinterval()
    thread = threading.Thread(target=session.run, args=("began()\nmain(10 ** 12)",))
    sys.setswitchinterval(600)
    try:
        thread.start()
        began.wait()
        ran = thread.is_alive()
    finally:
        sys.setswitchinterval(before)
        session.cancel()
        thread.join()
    assert ran


@pytest.mark.unsteady
def test_time_is_limited():
    session = warm(kr.JIT(background=False, loop_threshold=2000, call_threshold=500), limits=kr.Limits(seconds=0.3))
    start = time.perf_counter()
    result = session.run("main(10 ** 12)")
    assert not result.ok and result.error.type == "LimitExceeded"
    assert time.perf_counter() - start < 1.5


def test_instructions_are_limited_as_without():
    found = []
    for jit in (None, kr.JIT.eager()):
        result = kr.Runtime(jit=jit, limits=kr.Limits(instructions=300_000)).run(NUMBERS + "main(10 ** 9)")
        assert not result.ok and result.error.type == "LimitExceeded"
        found.append(result.stats.instructions)
    assert abs(found[0] - found[1]) < 20_000


@pytest.mark.unsteady
def test_runs_are_cancelled():
    session = warm(kr.JIT(background=False, loop_threshold=2000, call_threshold=500), limits=kr.Limits(seconds=60))
    threading.Timer(0.2, session.cancel).start()
    start = time.perf_counter()
    result = session.run("main(10 ** 12)")
    assert not result.ok and "cancelled" in result.error.message
    assert time.perf_counter() - start < 2


def test_many_threads():
    """Loops with and without the lock, in several threads, with what each leaves."""
    jit = kr.JIT(background=False, loop_threshold=2000, call_threshold=500)
    source = LEFT["objects around it"].replace("print(work(9000))", "work(9000)")
    expected = kr.Runtime(jit=None).run(source, check=True).value
    got = []

    def run() -> None:
        for _ in range(4):
            got.append(kr.Runtime(jit=jit).run(source, check=True).value)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [expected] * 16
