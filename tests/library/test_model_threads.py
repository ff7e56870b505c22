"""Threads of a guest: what differs from CPython's, by design."""

from __future__ import annotations

import threading

import kimi_runtime as kr


def out(source: str) -> str:
    result = kr.run(source)
    assert result.ok, result.error
    return result.stdout


def test_waiting_for_nobody_is_an_error():
    result = kr.run("import threading\nl = threading.Lock()\nl.acquire()\nl.acquire()")
    assert (result.error.type, "deadlock" in result.error.message) == ("RuntimeError", True)


def test_two_locks_the_wrong_way_round():
    assert out("""
import threading, time
a, b = threading.Lock(), threading.Lock()
def other():
    with b:
        time.sleep(0.01)
        with a:
            pass
t = threading.Thread(target=other)
t.start()
try:
    with a:
        time.sleep(0.02)
        with b:
            pass
except RuntimeError as error:
    print(error)
t.join()
print("went on")
""") == "deadlock: all threads of this guest wait for each other\nwent on\n"


def test_daemons_end_with_the_program():
    before = threading.active_count()
    assert out("""
import threading
def forever():
    try:
        threading.Event().wait()
    finally:
        print("unwound")
for _ in range(3):
    threading.Thread(target=forever, daemon=True).start()
print("main ends")
""") == "main ends\n" + 3 * "unwound\n"
    assert threading.active_count() == before


def test_an_exception_in_a_thread_goes_to_the_guests_stderr():
    result = kr.run("import threading\ndef bad():\n    raise ValueError('in thread')\n"
                    "t = threading.Thread(target=bad)\nt.start()\nt.join()\nprint('on')")
    assert result.stdout == "on\n"
    assert result.stderr.startswith("Exception in thread Thread-1 (bad):\nTraceback")
    assert result.stderr.endswith("ValueError: in thread\n")


def test_many_threads_are_refused():
    assert out("""
import threading
e = threading.Event()
made = []
try:
    while True:
        t = threading.Thread(target=e.wait)
        t.start()
        made.append(t)
except RuntimeError as error:
    print(error, len(made))
e.set()
for t in made:
    t.join()
""") == "can't start new thread 256\n"


def test_guests_in_several_host_threads():
    source = """
import threading
log = []
def work(n):
    for _ in range(50):
        log.append(n)
ts = [threading.Thread(target=work, args=(n,)) for n in range(4)]
for t in ts: t.start()
for t in ts: t.join()
print(len(log))
"""
    results = []
    threads = [threading.Thread(target=lambda: results.append(kr.run(source).stdout)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["200\n"] * 4


def test_a_thread_that_does_not_wait_lets_others_run():
    assert out("""
import threading
go = []
def spin():
    while not go:
        pass
t = threading.Thread(target=spin)
t.start()
go.append(1)
t.join()
def forever():
    n = 0
    while True:
        n += 1
threading.Thread(target=forever, daemon=True).start()
done = threading.Event()
threading.Thread(target=done.set).start()
while not done.is_set():
    pass
print("done")
""") == "done\n"
