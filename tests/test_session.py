"""Sessions: state from run to run, stops, cancellation, one run at a time."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import weakref

import pytest

import kimi_runtime as kr

FOREVER = "while True: pass"


@pytest.fixture
def session():
    with kr.Runtime(limits=kr.Limits(seconds=0.2)).session() as made:
        yield made


# ---- state -----------------------------------------------------------------------------------------------
def test_names_stay_from_run_to_run(session):
    assert session.run("def twice(n):\n    return n * 2\nx = 20").ok
    assert session.run("x += 1\ntwice(x)").value == 42
    assert session.names() == ["twice", "x"]
    assert session["x"] == 21 and "x" in session and "y" not in session
    with pytest.raises(KeyError):
        session["y"]
    with pytest.raises(KeyError):
        session["__builtins__"]
    session["y"] = 1
    session.set(z=2)
    assert session.run("x + y + z", {"x": 100}).value == 103
    assert session.run("x").value == 100


def test_what_a_run_imports_and_prints():
    rt = kr.Runtime(modules_source={"counter": "n = 0"})
    with rt.session() as s:
        assert s.run("import counter, json\ncounter.n += 1\nprint('one')").stdout == "one\n"
        second = s.run("import counter\nprint('two')\ncounter.n")
        assert (second.stdout, second.value) == ("two\n", 1)
        assert s.run("json.dumps([1])").value == "[1]"
    with rt.session() as s:
        assert s.run("import counter\ncounter.n").value == 0


def test_a_failing_run_leaves_what_was_there(session):
    session.run("a = 1")
    failed = session.run("b = 2\n1 / 0\nc = 3")
    assert failed.error.type == "ZeroDivisionError"
    assert session.names() == ["a", "b"]
    assert session.run("c = (").error.type == "SyntaxError"
    assert session.run("a + b").value == 3


def test_errors_name_the_cell_and_show_its_source(session):
    session.run("def f(x):\n    return 1 / x")
    error = session.run("f(1)\nf(0)").error
    assert 'File "<cell 2>", line 2, in <module>\n    f(0)' in error.traceback
    assert 'File "<cell 1>", line 2, in f\n    return 1 / x\n           ~~^~~' in error.traceback
    assert (error.filename, error.line) == ("<cell 1>", 2)
    assert session.run("import inspect\ninspect.getsource(f)", limits=kr.Limits()).value == "def f(x):\n    return 1 / x\n"
    assert session.run("1 / 0", filename="mine.py").error.filename == "mine.py"


def test_modules_classes_and_generators_live_on(session):
    session.run("import dataclasses, random\nrandom.seed(1)\n@dataclasses.dataclass\nclass P:\n    x: int\ndef g():\n"
                "    n = 0\n    while True:\n        n += (yield n) or 1\ni = g()\nnext(i)")
    assert session.run("i.send(10), next(i), P(3)").value[:2] == (10, 11)
    assert session.run("from decimal import *\ngetcontext().prec = 5").ok
    assert session.run("str(Decimal(1) / 3)").value == "0.33333"
    assert session.run("__main__ = __import__('__main__')\n__main__.P is P").value is True


def test_reset_and_close(session):
    session.run("x = 1")
    session.reset()
    assert session.names() == []
    assert session.run("x").error.type == "NameError"
    session.close()
    session.close()
    assert repr(session) == "<Session: closed>"
    for use in (lambda: session.run("1"), lambda: session["x"], session.names, lambda: session.set(x=1), session.reset,
                lambda: asyncio.run(session.run_async("1"))):
        with pytest.raises(kr.SessionError, match="the session is closed"):
            use()


def test_the_end_of_a_session_is_the_end_of_the_program():
    said = []

    class Log:
        write = staticmethod(said.append)

    with kr.Runtime(stdout=Log()).session() as s:
        s.run("import atexit\natexit.register(print, 'exit', end='')\nclass A:\n    def __del__(self):\n"
              "        print('del', end='')\na = A()")
        assert said == []
    assert [text for text in said if text] == ["exit", "del"]


def test_the_end_of_a_session_is_limited():
    with kr.Runtime(limits=kr.Limits(seconds=0.1)).session() as s:
        s.run("import atexit\n@atexit.register\ndef f():\n    while True: pass")
        start = time.monotonic()
    assert time.monotonic() - start < 20


def test_a_closed_session_is_gone():
    rt = kr.Runtime()
    references = []
    for _ in range(20):
        with rt.session() as s:
            s.run("import json, collections, asyncio\nclass A: pass\na = A()\na.a = a\ndef f(): return f")
            references.append(weakref.ref(s["A"]))
    gc.collect()
    assert [r for r in references if r() is not None] == []


def test_inputs_are_checked():
    rt = kr.Runtime()
    with pytest.raises(ValueError, match="is not a name"):
        rt.session({"a b": 1})
    with rt.session() as s:
        with pytest.raises(ValueError, match="belongs to the interpreter"):
            s.run("1", {"__builtins__": {}})
        with pytest.raises(TypeError, match="source must be str or bytes, not int"):
            s.run(1)
        with pytest.raises(TypeError, match="limits must be"):
            s.run("1", limits=5)
        assert s.run("1").value == 1        # none of them has taken the session


# ---- stops -----------------------------------------------------------------------------------------------
def test_a_stopped_session_goes_on(session):
    session.run("kept = []")
    result = session.run(f"kept.append(1)\nprint('before')\ntry:\n    {FOREVER}\nfinally:\n    kept.append(2)")
    assert (result.error.limit, result.stdout) == ("seconds", "before\n")
    assert session["kept"] == [1]
    again = session.run("kept.append(3)\nprint('after')\nkept")
    assert (again.value, again.stdout) == ([1, 3], "after\n")


def test_what_a_stopped_run_left_behind_is_never_finalized():
    with kr.Runtime(limits=kr.Limits(seconds=0.1)).session() as s:
        s.run("seen = []")
        s.run("class A:\n    def __del__(self): seen.append('del')\n"
              "def g():\n    try:\n        yield\n    finally:\n        seen.append('finally')\n"
              "def f():\n    a = A()\n    a.a = a\n    b = g()\n    next(b)\n    a.b = b\n    while True: pass\nf()")
        assert s.run("import gc\ngc.collect()\nseen", limits=None).value == []


def test_a_stop_at_the_end_means_no_exit_functions():
    said = []

    class Log:
        write = staticmethod(said.append)

    with kr.Runtime(stdout=Log(), limits=kr.Limits(seconds=0.1)).session() as s:
        s.run("import atexit\natexit.register(print, 'exit')\nclass A:\n    def __del__(self): print('del')\na = A()")
        s.run(FOREVER)
    gc.collect()
    assert said == []


@pytest.mark.parametrize("source", [
    FOREVER, "import time\ntime.sleep(100)", "sum(range(10**12))", "import threading\nthreading.Event().wait(100)",
    "import asyncio\nasyncio.run(asyncio.sleep(100))", "try:\n    while True: pass\nexcept BaseException:\n    seen = 1",
])
def test_cancel_from_another_thread(source):
    with kr.Runtime(limits=None).session() as s:
        assert s.cancel() is False
        answers = []
        timer = threading.Timer(0.05, lambda: answers.append(s.cancel()))
        timer.start()
        start = time.monotonic()
        result = s.run(source)
        assert time.monotonic() - start < 20
        timer.join()
        assert answers == [True]
        assert (result.error.type, result.error.limit, result.error.message) == (
            "LimitExceeded", "cancelled", "the host cancelled the run")
        assert "seen" not in s
        assert s.run("1 + 1").value == 2


def test_limits_of_all_runs_together():
    total = kr.Limits(seconds=0.3, instructions=10**9, output=100)
    with kr.Runtime().session(total=total) as s:
        assert s.run("print('x' * 59)").ok
        over = s.run("print('x' * 59)")
        assert (over.error.limit, over.error.message) == (
            "output", "the runs of the session together have used up their limit: output=100 in all")
        assert over.stdout.startswith("x" * 40)
    with kr.Runtime().session(total=total) as s:
        own = s.run(FOREVER, limits=kr.Limits(seconds=0.05))
        assert "limits: seconds=0.05" in own.error.message
        assert "together have used up their limit: seconds=0.3" in s.run(FOREVER).error.message
        start = time.monotonic()
        assert s.run(FOREVER).error.limit == "seconds"
        assert time.monotonic() - start < 20
    with kr.Runtime().session(total=kr.Limits(instructions=50_000)) as s:
        results = [s.run("for i in range(10_000): pass").ok for _ in range(10)]
        assert results[0] is True and results[-1] is False


# ---- one run at a time -----------------------------------------------------------------------------------
def test_one_run_at_a_time():
    with kr.Runtime().session() as s:
        entered, go_on = threading.Event(), threading.Event()

        def wait():
            entered.set()
            go_on.wait(10)

        thread = threading.Thread(target=s.run, args=("wait()\nx = 1", {"wait": wait}))
        thread.start()
        entered.wait(10)
        for use in (lambda: s.run("1"), s.reset, s.close, lambda: s.set(a=1)):
            with pytest.raises(kr.SessionError, match="serves one run at a time"):
                use()
        go_on.set()
        thread.join()
        assert s.run("x").value == 1


def test_many_threads_use_many_sessions():
    rt = kr.Runtime()
    wrong = []

    def work(number):
        with rt.session({"me": number}) as s:
            for i in range(50):
                result = s.run(f"n = {i}\nprint(me, n)\nme * 1000 + n")
                if result.value != number * 1000 + i or result.stdout != f"{number} {i}\n":
                    wrong.append(result)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_session_moves_between_threads():
    with kr.Runtime().session() as s:
        s.run("import threading\nlock = threading.RLock()\nlock.acquire()\nme = threading.get_ident()")
        results = []
        thread = threading.Thread(target=lambda: results.append(
            s.run("lock.acquire()\nlock.release()\nlock.release()\n(threading.get_ident() == me, "
                  "threading.current_thread() is threading.main_thread())")))
        thread.start()
        thread.join()
        assert results[0].unwrap() == (True, True)


# ---- under an event loop ---------------------------------------------------------------------------------
def test_run_async_lets_the_loop_go_on():
    async def main():
        rt = kr.Runtime()
        turns = 0

        async def tick():
            nonlocal turns
            while True:
                await asyncio.sleep(0.001)
                turns += 1

        ticking = asyncio.create_task(tick())
        with rt.session() as s:
            results = await asyncio.gather(
                s.run_async("import time\ntime.sleep(0.1)\n1"), rt.run_async("import time\ntime.sleep(0.1)\nx", {"x": 2}))
            assert [r.value for r in results] == [1, 2]
            assert (await s.run_async("1 / 0")).error.type == "ZeroDivisionError"
            with pytest.raises(kr.GuestException):
                await s.run_async("1 / 0", check=True)
        ticking.cancel()
        assert turns > 20

    asyncio.run(main())


@pytest.mark.parametrize("source", [FOREVER, "import time\ntime.sleep(100)"])
def test_cancelling_the_task_stops_the_guest(source):
    async def main():
        rt = kr.Runtime(limits=None)
        with rt.session() as s:
            for start in (s.run_async, rt.run_async):
                task = asyncio.create_task(start(f"try:\n    exec({source!r})\nfinally:\n    seen = 1"))
                await asyncio.sleep(0.05)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await asyncio.wait_for(task, 5)
            assert s.run("1 + 1").value == 2
            assert "seen" not in s
            with pytest.raises((asyncio.TimeoutError, TimeoutError)):
                await asyncio.wait_for(s.run_async(source), 0.05)
            assert s.run("1 + 1").value == 2

    asyncio.run(main())


def test_cells_of_the_same_text_share_their_code_and_keep_their_names():
    session = kr.Runtime(cache=kr.ParseCache()).session()
    program = "def fail(n):\n    return [1 // (n - n) for _ in 'a']\nfail(1)"
    for cell in (1, 2, 3):
        result = session.run(program)
        assert cell == 1 or result.stats.cached
        assert f'File "<cell {cell}>", line 2, in fail' in result.error.traceback
        assert result.error.traceback.count("return [1 // (n - n) for _ in 'a']") >= 1
    first = session.run("def one(): pass\none.__code__.co_filename").value
    second = session.run("def one(): pass\none.__code__.co_filename").value
    assert (first, second) == ("<cell 4>", "<cell 5>")
    assert 'File "<cell 6>", line 1' in session.run("1 +").error.traceback
    assert session.run("1 + 1", filename="<cell 99>").value == 2


def test_an_event_loop_that_was_stopped_runs_no_more():
    with kr.Runtime().session() as s:
        source = "import asyncio\nasync def main():\n    await asyncio.sleep(50)\nasyncio.run(main())"
        assert s.run(source, limits=kr.Limits(seconds=0.2)).error.limit == "seconds"
        assert s.run("asyncio.run(asyncio.sleep(0, 5))", check=True).value == 5
