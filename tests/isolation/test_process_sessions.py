"""Sessions and awaited runs with isolation="process"."""

from __future__ import annotations

import asyncio
import sys
import threading
import time

import pytest

import kimi_runtime as kr

if sys.platform != "linux":
    pytest.skip("process isolation needs Linux", allow_module_level=True)

FOREVER = "while True: pass"


@pytest.fixture(scope="module")
def rt():
    with kr.Runtime(isolation="process", workers=2) as runtime:
        yield runtime


def test_state_stays(rt):
    with rt.session({"rate": 2}) as s:
        assert isinstance(s, kr.Session)
        assert s.run("def price(n): return n * rate\nclass A: pass\na = A()\nprint('one')").stdout == "one\n"
        assert s.run("a.x = price(21)\na.x").value == 42
        assert s.names() == ["rate", "price", "A", "a"] and "a" in s and "b" not in s and s["rate"] == 2
        with pytest.raises(TypeError, match="value is an object of type 'A'"):
            s["a"]
        with pytest.raises(KeyError, match="nothing"):
            s["nothing"]
        s["rate"] = 3
        s.set(more=[1, 2])
        assert s.run("price(1), more, extra", {"extra": 5}).value == (3, [1, 2], 5)
        assert s.run("1/0").error.filename == "<cell 4>"
        with pytest.raises(ValueError):
            s.run("1", {"a b": 1})
        with pytest.raises(TypeError, match="f cannot go to the guest: it is an object"):
            s.set(f=object())
        s.reset()
        assert s.names() == []
    with pytest.raises(kr.SessionError, match="closed"):
        s.run("1")
    s.close()


def test_sessions_do_not_share(rt):
    sessions = [rt.session({"n": n}) for n in range(4)]
    assert [s.run("n").value for s in sessions] == [0, 1, 2, 3]
    for s in sessions:
        s.close()
    assert rt.run("1").value == 1


def test_a_stopped_run_leaves_the_state(rt):
    with rt.session(limits=kr.Limits(seconds=0.1)) as s:
        s.run("x = 1")
        assert s.run(FOREVER).error.limit == "seconds"
        assert s.run("x").value == 1


def test_total(rt):
    with rt.session(total=kr.Limits(instructions=50_000)) as s:
        results = [s.run("for i in range(10_000): pass").ok for _ in range(10)]
        assert results[0] is True and results[-1] is False


def test_exit_functions(rt):
    seen = []

    class Log:
        write = staticmethod(seen.append)

    with kr.Runtime(isolation="process", stdout=Log()) as own:
        with own.session() as s:
            s.run("import atexit\natexit.register(print, 'bye')")
    assert "".join(seen) == "bye\n"


def test_a_lost_worker_is_said(rt):
    s = rt.session()
    s.run("x = 1")
    s._worker.process.signal(9)
    result = s.run("x")
    assert result.error.crashed
    with pytest.raises(kr.SessionError, match="lost its state"):
        s.run("x")
    s.close()


def test_cancel_from_another_thread(rt):
    with rt.session() as s:
        s.run("x = 1")
        for _ in range(3):
            timer = threading.Timer(0.05, s.cancel)
            timer.start()
            start = time.monotonic()
            result = s.run(FOREVER)
            assert result.error.limit == "cancelled" and time.monotonic() - start < 20
            timer.join()
        assert s.run("x").value == 1 and s.cancel() is False


def test_one_run_at_a_time(rt):
    entered = threading.Event()
    go_on = threading.Event()

    def line():
        entered.set()
        go_on.wait(10)
        return "7"

    with kr.Runtime(isolation="process", stdin=line) as own, own.session() as s:
        results = []
        thread = threading.Thread(target=lambda: results.append(s.run("int(input())")))
        thread.start()
        entered.wait(10)
        for use in (lambda: s.run("1"), s.reset, s.close, lambda: s.set(a=1), s.names):
            with pytest.raises(kr.SessionError, match="serves one run at a time"):
                use()
        go_on.set()
        thread.join()
        assert results[0].value == 7


def test_awaited_runs(rt):
    async def main():
        results = await asyncio.gather(*[rt.run_async("import time; time.sleep(0.05); n", {"n": n}) for n in range(4)])
        assert [r.value for r in results] == [0, 1, 2, 3]
        start = time.monotonic()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(rt.run_async(FOREVER), 0.1)
        assert time.monotonic() - start < 20
        with rt.session({"x": 5}) as s:
            task = asyncio.ensure_future(s.run_async(FOREVER))
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await s.run_async("x")).value == 5

    asyncio.run(main())
    assert rt.run("3").value == 3


def test_closing_the_runtime_ends_what_runs():
    rt = kr.Runtime(isolation="process", workers=1)
    s = rt.session()
    results, begun = [], threading.Event()

    def run():
        results.append(rt.run("print('begun', flush=True)\n" + FOREVER, on_stdout=lambda text: begun.set()))

    thread = threading.Thread(target=run)
    thread.start()
    assert begun.wait(60)
    rt.close()
    thread.join(60)
    assert results[0].error.crashed and results[0].error.message == "the runtime was closed"
    with pytest.raises(kr.WorkerCrashed, match="the runtime was closed"):
        s.run("1", check=True)
    with pytest.raises(kr.SessionError, match="lost its state"):
        s.run("1")
    with pytest.raises(kr.IsolationError, match="closed"):
        rt.session()
