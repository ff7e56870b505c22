"""asyncio of guests, where it meets the host: threads, contexts, streams, isolation. Its semantics are compared with
CPython in tests/programs/async_io, tests/property/test_random_tasks.py and tools/asyncio_tests.py."""

from __future__ import annotations

import contextvars
import gc
import os
import re
import subprocess
import sys
import threading
import time
import weakref

import pytest
from conftest import TESTS

import kimi_runtime as kr


def run(source, inputs=None, **options):
    return kr.Runtime(**options).run(source, inputs)


def value(source, inputs=None, **options):
    return run(source, inputs, **options).unwrap()


# ---- calls of the host in threads ------------------------------------------------------------------------
MEETING = """
import asyncio
async def main():
    ticks = 0
    async def ticker():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.0005)
    ticking = asyncio.create_task(ticker())
    results = await asyncio.gather(*(asyncio.to_thread(meet, i) for i in range(3)))
    ticking.cancel()
    return results, ticks > 1
asyncio.run(main())
"""


def test_host_functions_run_in_threads_at_the_same_time():
    barrier = threading.Barrier(3, timeout=10)
    idents = set()

    def meet(n):
        barrier.wait()
        idents.add(threading.get_ident())
        time.sleep(0.005)
        return n * 10

    assert value(MEETING, {"meet": meet}) == ([0, 10, 20], True)
    assert len(idents) == 3 and threading.get_ident() not in idents


def test_methods_of_host_objects_run_in_threads_too():
    class Service:
        def meet(self, n):
            return n, threading.get_ident()

    results, _ = value(MEETING, {"meet": Service().meet})
    assert {ident for _, ident in results}.isdisjoint({threading.get_ident()})


def test_guest_functions_run_in_threads_of_the_guest():
    source = """
import asyncio, time, threading
running = peak = 0
def own(n, *, factor):
    global running, peak
    running += 1
    peak = max(peak, running)
    time.sleep(0.01)
    running -= 1
    return n * factor, threading.current_thread() is threading.main_thread()
async def main():
    loop = asyncio.get_running_loop()
    products = await asyncio.gather(*(asyncio.to_thread(own, n, factor=2) for n in range(3)))
    return products, await asyncio.to_thread(sorted, [3, 1], key=lambda n: -n), await loop.run_in_executor(None, len, "abc"), peak
asyncio.run(main())
"""
    assert value(source) == ([(0, False), (2, False), (4, False)], [3, 1], 3, 3)


def test_loops_in_threads_of_the_guest():
    source = """
import asyncio, threading
async def pause(n):
    await asyncio.sleep(0.002)
    return n, asyncio.get_running_loop() is loops[n]
loops, results = {}, []
def run(n):
    loops[n] = asyncio.new_event_loop()
    results.append(loops[n].run_until_complete(pause(n)))
    loops[n].close()
threads = [threading.Thread(target=run, args=[n]) for n in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
loop = asyncio.new_event_loop()
thread = threading.Thread(target=loop.run_forever)
thread.start()
async def work(): await asyncio.sleep(0.001); return "from the other loop"
text = asyncio.run_coroutine_threadsafe(work(), loop).result(5)
loop.call_soon_threadsafe(loop.stop)
thread.join()
loop.close()
sorted(results), text
"""
    assert value(source) == ([(n, True) for n in range(4)], "from the other loop")


def test_executors_of_the_guest():
    source = """
import asyncio, time
from concurrent.futures import ThreadPoolExecutor, as_completed, wait, FIRST_COMPLETED
def slow(n):
    time.sleep(0.004 * n)
    return n * n
def fails(): raise LookupError("in a thread")
out = []
with ThreadPoolExecutor(max_workers=3) as pool:
    futures = [pool.submit(slow, n) for n in (3, 2, 1)]
    out.append(sorted(future.result() for future in as_completed(futures)))
    out.append(list(pool.map(slow, range(4))))
    one, two = pool.submit(slow, 1), pool.submit(slow, 50)
    done, waiting = wait([one, two], return_when=FIRST_COMPLETED)
    out.append((done == {one}, waiting == {two}))
    try: pool.submit(fails).result()
    except LookupError as error: out.append(str(error))
    try: pool.submit(slow, 50).result(timeout=0.001)
    except TimeoutError: out.append("timed out")
    async def main():
        loop = asyncio.get_running_loop()
        return await asyncio.gather(*(loop.run_in_executor(pool, slow, n) for n in range(3)))
    out.append(asyncio.run(main()))
try: pool.submit(slow, 1)
except RuntimeError as error: out.append(str(error))
out
"""
    assert value(source) == [[1, 4, 9], [0, 1, 4, 9], (True, True), "in a thread", "timed out", [0, 1, 4],
                             "cannot schedule new futures after shutdown"]


def test_errors_of_host_functions_arrive():
    def fails(text):
        raise LookupError(text)

    source = """
import asyncio
async def main():
    try:
        await asyncio.to_thread(fails, "no such thing")
    except LookupError as error:
        return repr(error)
asyncio.run(main())
"""
    assert value(source, {"fails": fails}) == "LookupError('no such thing')"


def test_the_run_waits_for_threads_and_a_cancelled_call_is_forgotten():
    done = []

    def slow():
        time.sleep(0.02)
        done.append(True)

    source = """
import asyncio
async def main():
    try:
        await asyncio.wait_for(asyncio.to_thread(slow), 0.001)
    except TimeoutError:
        return "timed out"
asyncio.run(main())
"""
    assert value(source, {"slow": slow}) == "timed out"
    assert done == [True]


def test_a_thread_of_the_host_wakes_a_waiting_loop():
    def later(function):
        threading.Timer(0.005, function.raw, args=["from the timer"]).start()

    source = """
import asyncio
async def main():
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    later(lambda text: loop.call_soon_threadsafe(future.set_result, text))
    return await asyncio.wait_for(future, 10)
asyncio.run(main())
"""
    assert value(source, {"later": kr.host_function(later, guest_objects=True)}) == "from the timer"


# ---- context variables -----------------------------------------------------------------------------------
host_variable = contextvars.ContextVar("host_variable", default="unset")


def test_guests_do_not_see_variables_of_the_host():
    token = host_variable.set("a secret")
    try:
        source = """
import contextvars, asyncio
own = contextvars.ContextVar("own")
own.set(1)
context = contextvars.copy_context()
async def main():
    return [var.name for var in contextvars.copy_context()], asyncio.current_task().get_context() is not None
[var.name for var in context], list(context.values()), len(context), asyncio.run(main())
"""
        assert value(source) == (["own"], [1], 1, (["own"], True))
    finally:
        host_variable.reset(token)


def test_host_functions_see_the_variables_of_the_call():
    token = host_variable.set("request 7")
    source = """
import asyncio
async def main():
    return [await asyncio.to_thread(read), read(), await asyncio.create_task(inner())]
async def inner():
    return read()
asyncio.run(main())
"""
    def read():
        return host_variable.get()

    try:
        assert value(source, {"read": read}) == ["request 7"] * 3
    finally:
        host_variable.reset(token)


def test_what_a_guest_sets_is_gone_after_the_run():
    before = len(contextvars.copy_context())
    value("import contextvars\nfor i in range(5): contextvars.ContextVar(str(i)).set(i)\n1")
    assert len(contextvars.copy_context()) == before


def test_decimal_contexts_belong_to_tasks():
    source = """
import asyncio, decimal
async def worker(digits):
    with decimal.localcontext() as context:
        context.prec = digits
        await asyncio.sleep(0)
        first = decimal.getcontext().prec
        await asyncio.sleep(0)
        return first, decimal.getcontext().prec
async def main():
    return await asyncio.gather(*(worker(n) for n in (5, 9, 13))), decimal.getcontext().prec
asyncio.run(main())
"""
    assert value(source) == ([(5, 5), (9, 9), (13, 13)], 28)


# ---- isolation -------------------------------------------------------------------------------------------
def test_a_guest_inside_the_task_of_another_has_a_loop_of_its_own():
    inner = "import asyncio\nasync def main(): return len(asyncio.all_tasks()), asyncio.current_task().get_name()\nasyncio.run(main())"

    def nested():
        return kr.run(inner).unwrap()

    source = """
import asyncio
async def main():
    found = nested()
    return found, len(asyncio.all_tasks()), asyncio.current_task().get_name()
asyncio.run(main())
"""
    assert value(source, {"nested": nested}) == ((1, "Task-1"), 1, "Task-1")


def test_a_guest_inside_a_loop_of_the_host():
    import asyncio

    async def serve():
        assert asyncio.get_running_loop() is not None
        return kr.run("import asyncio\nasync def main(): return 5\nasyncio.run(main())").unwrap()

    assert asyncio.run(serve()) == 5


def test_guests_in_two_threads():
    source = """
import asyncio
async def work(n):
    total = 0
    for i in range(50):
        await asyncio.sleep(0)
        total += i
    return total
async def main():
    return sum(await asyncio.gather(*(work(i) for i in range(20)))), len(asyncio.all_tasks())
asyncio.run(main())
"""
    results = []
    threads = [threading.Thread(target=lambda: results.append(value(source))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [(24500, 1)] * 3


def test_classes_of_the_library_cannot_be_changed():
    for source in ("import asyncio; asyncio.Task.cancel = 1", "import asyncio; asyncio.Future.x = 1",
                   "import asyncio; asyncio.BaseEventLoop.run_forever = 1", "import contextvars; contextvars.ContextVar.get = 1",
                   "import asyncio; asyncio.CancelledError.x = 1", "import asyncio; asyncio.Queue.get = 1"):
        assert run(source).error.type == "TypeError", source


def test_network_processes_and_signals_are_absent_and_say_so():
    for name in ("open_connection", "start_server", "StreamReader", "create_subprocess_exec", "Protocol"):
        error = run(f"import asyncio; asyncio.{name}").error
        assert error.type == "AttributeError" and "a guest has no" in error.message
    assert run("import asyncio; asyncio.nonsense").error.message == "module 'asyncio' has no attribute 'nonsense'"


@pytest.mark.parametrize("name", ["_asyncio", "_contextvars"])
def test_the_native_parts_are_closed(name):
    assert run(f"import {name}").error.type == "ModuleNotFoundError"


# ---- what is left behind ---------------------------------------------------------------------------------
def test_pending_tasks_and_lost_exceptions_are_told_on_stderr():
    source = """
import asyncio
async def forever(): await asyncio.get_running_loop().create_future()
async def fails(): raise ValueError("lost")
loop = asyncio.new_event_loop()
task = loop.create_task(forever())
failing = loop.create_task(fails())
loop.call_soon(loop.stop)
loop.run_forever()
loop.close()
del task, failing
import gc; gc.collect()
"""
    text = run(source).stderr
    assert "Task was destroyed but it is pending!\ntask: <Task pending name='Task-1' coro=<forever() " in text
    assert "Task exception was never retrieved\nfuture: <Task finished name='Task-2' coro=<fails() done, " in text
    assert text.count("ValueError: lost") == 1


TOLD = """
import asyncio, gc

async def forever():
    await asyncio.get_running_loop().create_future()

async def fails():
    raise ValueError("lost")

async def main():
    loop = asyncio.get_running_loop()
    lost = asyncio.create_task(fails(), name="lost one")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del lost
    future = loop.create_future()
    future.set_exception(OSError("nobody asked"))
    del future
    loop.call_exception_handler({"message": "said by hand", "number": 5, "exception": None})
    loop.call_exception_handler({})
    waiting = asyncio.create_task(forever(), name="left")
    await asyncio.sleep(0)

loop = asyncio.new_event_loop()
loop.run_until_complete(main())
loop.close()
gc.collect()
"""


def test_what_the_loop_says_is_cpythons_to_the_byte(tmp_path):
    path = tmp_path / "told.py"
    path.write_text(TOLD)
    texts = []
    for arguments in ([], ["-m", "kimi_runtime"]):
        environment = dict(os.environ, PYTHONPATH=str(TESTS.parent))
        done = subprocess.run([sys.executable, *arguments, str(path)], capture_output=True, text=True, timeout=60, env=environment)
        texts.append(re.sub(r" at 0x[0-9a-f]+", "", done.stderr))
    assert texts[1] == texts[0]
    assert "ValueError: lost" in texts[0] and "number: 5" in texts[0] and "Task was destroyed" in texts[0]


def test_logging_gets_what_the_loop_says_when_the_guest_uses_it():
    source = """
import asyncio, logging, io
stream = io.StringIO()
logging.basicConfig(stream=stream, format="%(levelname)s %(name)s %(message)s")
async def main():
    asyncio.get_running_loop().call_exception_handler({"message": "said by hand"})
asyncio.run(main())
stream.getvalue()
"""
    assert value(source) == "ERROR asyncio said by hand\n"


def test_nothing_of_a_run_stays_alive():
    class Marker:
        pass

    marker = Marker()
    reference = weakref.ref(marker)
    source = """
import asyncio, contextvars
var = contextvars.ContextVar("var")
async def hold(thing):
    var.set(thing)
    task = asyncio.current_task()
    task.me = task
    await asyncio.get_running_loop().create_future()
async def main():
    tasks = [asyncio.create_task(hold(marker)) for _ in range(5)]
    await asyncio.sleep(0)
    return len(tasks)
asyncio.run(main())
"""
    assert value(source, {"marker": kr.expose(marker)}) == 5
    loop_only = "import asyncio\nloop = asyncio.new_event_loop()\nt = loop.create_task(asyncio.sleep(9, marker))\nloop.call_soon(print, t)\n"
    run(loop_only, {"marker": kr.expose(marker)})
    del marker
    for _ in range(3):
        gc.collect()
    assert reference() is None


# ---- the loop from outside -------------------------------------------------------------------------------
def test_a_host_can_drive_the_turns_of_a_loop():
    """What a host loop needs: turns that do not wait, the time until the next one, and to be woken by threads."""
    from kimi_runtime.aio import core

    seen, woken = [], []
    loop = core.LoopCore()
    loop.call_soon(seen.append, 1)
    loop.call_later(0.002, seen.append, 2)
    loop.call_later(0.001, seen.append, "cancelled").cancel()
    previous = loop._begin()
    try:
        assert loop._delay() == 0
        assert loop._run_turns() is False and seen == [1]
        assert 0 < loop._delay() <= 0.002
        time.sleep(loop._delay())
        assert loop._run_turns() is False and seen == [1, 2]
        assert loop._delay() is None
        loop._set_waker(lambda: woken.append(True))
        loop.call_soon_threadsafe(seen.append, 3)
        assert woken == [True] and loop._delay() == 0
        loop.call_soon(lambda: loop.call_soon(seen.append, "next turn"))
        assert loop._run_turns(0) is False and seen == [1, 2, 3]
        assert loop._delay() == 0
        loop.stop()
        assert loop._run_turns() is True and seen[-1] == "next turn"
    finally:
        loop._end(previous)


def test_timers_of_one_time_come_out_as_heapq_gives_them():
    import asyncio
    import random

    from kimi_runtime.aio import core

    chance = random.Random(3)
    for count in (5, 50, 300):
        times = [chance.randrange(20) / 10 for _ in range(count)]
        cancelled = {i for i in range(count) if chance.random() < 0.7}
        traces = []
        for loop in (core.LoopCore(), asyncio.new_event_loop()):
            seen = []
            start = loop.time() - 100
            timers = [loop.call_at(start + when, seen.append, i) for i, when in enumerate(times)]
            for i in cancelled:
                timers[i].cancel()
            if isinstance(loop, core.LoopCore):
                previous = loop._begin()
                loop._run_turns()
                loop._end(previous)
            else:
                loop._run_once()
                loop.close()
            traces.append(seen)
        assert traces[0] == traces[1]
