"""Runs in threads: the host goes on while a guest loops, runs do not mix, an interrupt stops a guest."""
import _thread
import signal
import subprocess
import sys
import threading
import time

import pytest

import kimi_runtime as kr

pytestmark = pytest.mark.unsteady

LOOP = "n = 0\nwhile n < limit:\n    n += 1\nn\n"


def in_threads(functions):
    """Runs each function in a thread of its own. Returns their results; re-raises the first failure."""
    results, failures = [None] * len(functions), []

    def work(index):
        try:
            results[index] = functions[index]()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
        assert not thread.is_alive()
    if failures:
        raise failures[0]
    return results


@pytest.mark.parametrize(
    "source",
    [
        "while not stop: pass",
        "def f():\n    pass\nwhile not stop: f()",
        "def g():\n    while not stop:\n        yield\nfor _ in g(): pass",
        "class A:\n    def m(self, n): return n + 1\na = A()\nn = 0\nwhile not stop: n = a.m(n)",
        "def f(n):\n    return n and f(n - 1)\nwhile not stop: f(50)",
        "while not stop: [x for x in range(100)]",
    ],
)
def test_host_thread_runs_on_while_a_guest_loops(source):
    session = kr.Runtime().session({"stop": False})
    thread = threading.Thread(target=session.run, args=[source])
    thread.start()
    turns, end = 0, time.monotonic() + 0.6
    while time.monotonic() < end:
        time.sleep(0.001)
        turns += 1
    assert session.cancel()
    thread.join(timeout=30)
    assert not thread.is_alive()
    # Sleeping 1 ms and waiting for the switch interval of 5 ms: about a hundred turns; a stalled host has one or two.
    assert turns >= 20


def test_longest_stall():
    """How long the host waits for a turn is near the switch interval, not the length of the run."""
    session, longest = kr.Runtime().session({"stop": False}), 0.0
    thread = threading.Thread(target=session.run, args=["while not stop: pass"])
    thread.start()
    end = time.monotonic() + 0.5
    last = time.monotonic()
    while last < end:
        time.sleep(0)
        now = time.monotonic()
        longest = max(longest, now - last)
        last = now
    assert session.cancel()
    thread.join(timeout=30)
    assert longest < 0.25


def test_two_guests_take_turns():
    # Each guest waits for the other's next step in a busy loop: it ends only if the loop hands over.
    order = []
    source = """
for n in range(40):
    append(name)
    while count(other) <= n:
        pass
"""
    inputs = [{"append": order.append, "count": order.count, "name": name, "other": other} for name, other in ("ab", "ba")]
    in_threads([lambda each=each: kr.run(source, each, check=True) for each in inputs])
    assert order.count("a") == order.count("b") == 40
    assert sum(x != y for x, y in zip(order, order[1:], strict=False)) >= 39


def test_runs_do_not_mix():
    source = """
class Box:
    pass

def fill(box, n):
    box.total = 0
    for k in range(n):
        box.total += k
        if k % 100 == 0:
            print(name, k)
    return box.total

[fill(Box(), n) for n in (300, 500)]
"""
    runtime = kr.Runtime()
    jobs = [lambda name=name: runtime.run(source, {"name": name}, check=True) for name in range(8)]
    for name, result in enumerate(in_threads(jobs)):
        assert result.value == [44850, 124750]
        assert {line.split()[0] for line in result.stdout.splitlines()} == {str(name)}
        assert len(result.stdout.splitlines()) == 8


def test_deep_recursion_in_threads():
    source = "def f(n):\n    return 1 + f(n - 1) if n else 0\nf(500)"
    assert [r.value for r in in_threads([lambda: kr.run(source, check=True)] * 4)] == [500] * 4


def test_errors_in_threads():
    jobs = [lambda n=n: kr.run(f"def f{n}(): return 1 / 0\nf{n}()") for n in range(6)]
    for n, result in enumerate(in_threads(jobs)):
        assert f"in f{n}\n" in result.error.traceback


def test_a_function_of_a_guest_called_from_other_threads():
    work = kr.run("def work(n):\n    return sum(k * n for k in range(2000))\nwork").value
    assert in_threads([lambda n=n: work(n) for n in range(6)]) == [1999000 * n for n in range(6)]


def test_a_generator_resumed_in_another_thread():
    generator = kr.run("def g():\n    total = 0\n    while True:\n        total += yield total\ng()").value.raw
    next(generator)
    for _ in range(5):
        last = in_threads([lambda: generator.send(2)])
    assert last == [10]


@pytest.fixture
def interrupt_soon():
    """Interrupts the main thread after a moment, as Ctrl-C does."""
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    yield
    timer.cancel()
    timer.join()
    signal.signal(signal.SIGINT, old)


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "def f():\n    while True:\n        pass\nf()",
        "def g():\n    while True:\n        yield 1\nfor _ in g(): pass",
        "for _ in iter(int, 1): pass",
        "try:\n    while True: pass\nexcept Exception: pass",
        "try:\n    while True: pass\nfinally: print('done')",
    ],
)
def test_interrupt_stops_a_guest_and_goes_on_to_the_host(source, interrupt_soon):
    with pytest.raises(KeyboardInterrupt):
        kr.run(source)


def test_a_guest_may_catch_an_interrupt(interrupt_soon):
    result = kr.run("try:\n    while True: pass\nexcept KeyboardInterrupt:\n    print('caught')")
    assert result.ok and result.stdout == "caught\n"


def test_the_interpreter_is_usable_after_an_interrupt(interrupt_soon):
    with pytest.raises(KeyboardInterrupt):
        kr.run("def f(n):\n    while True: n += 1\nf(0)")
    assert kr.run("1 + 1").value == 2
    assert kr.run("def f(n): return n and f(n - 1)\nf(100)").value == 0


def test_an_interrupt_raised_by_a_guest_in_a_thread_is_data():
    (result,) = in_threads([lambda: kr.run("raise KeyboardInterrupt")])
    assert result.error.type == "KeyboardInterrupt"


COLLECTED = '''
import gc, sys, threading
import kimi_runtime as kr

sys.setswitchinterval(1e-6)
gc.set_threshold(2)
SOURCE = """
class A:
    def __init__(self): self.me = self
    def __del__(self):
        try: {}['x']
        except KeyError: pass
def f(n):
    a = A()
    if n: return f(n - 1)
    raise ValueError(n)
for i in range(20):
    try: f(3)
    except ValueError as e: kept = e
"""

def work():
    for _ in range(40):
        kr.run(SOURCE, check=True)

threads = [threading.Thread(target=work) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
'''


def test_tracebacks_while_the_collector_runs():
    """The collector comes at every allocation, in all threads, and its finalizers raise exceptions themselves."""
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", COLLECTED], capture_output=True, text=True, timeout=280)
    assert (done.returncode, done.stderr) == (0, "")
