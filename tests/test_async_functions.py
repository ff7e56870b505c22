"""Async functions of the host under ``run_async``: awaited in the host's loop, while no thread waits with the guest."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time

import pytest

import kimi_runtime as kr


async def fetch(url, delay=0.0):
    """Fetches a page."""
    await asyncio.sleep(delay)
    if url == "bad":
        raise ValueError("no such page")
    return f"<{url}>"


def run(source, inputs=None, *, functions=None, limits=kr.limits.DEFAULT, **settings):
    """The result of a program with async functions."""
    rt = kr.Runtime(functions={"fetch": fetch} if functions is None else functions, **settings)
    return asyncio.run(asyncio.wait_for(rt.run_async(source, inputs, limits=limits), 60))


def value(source, **settings):
    return run(source, **settings).unwrap()


MAIN = "import asyncio\nasync def main():\n{}\nasyncio.run(main())"


def in_main(*lines):
    return MAIN.format("\n".join("    " + line for line in lines))


# ---- calls -------------------------------------------------------------------------------------------------
def test_await():
    assert value(in_main("return await fetch('a')")) == "<a>"


def test_gathered_calls_overlap():
    began = time.monotonic()
    source = in_main("return len(await asyncio.gather(*(fetch(str(i), 0.2) for i in range(100))))")
    assert value(source) == 100
    assert time.monotonic() - began < 10  # one after the other they take 20


def test_order_of_completion():
    assert value("""
import asyncio
order = []
async def one(n):
    await fetch("x", n / 20)
    order.append(n)
async def main():
    await asyncio.gather(*map(one, (5, 1, 3)))
asyncio.run(main())
order
""") == [1, 3, 5]


def test_exceptions_cross():
    assert value(in_main("try: await fetch('bad')", "except ValueError as error: return str(error)")) == "no such page"
    error = run(in_main("await fetch('bad')")).error
    assert (error.type, error.message) == ("ValueError", "no such page") and "test_async" not in error.traceback


def test_timers_and_calls_together():
    assert value(in_main(
        "async def tick():",
        "    for _ in range(3): await asyncio.sleep(0.01)",
        "    return 'ticked'",
        "return await asyncio.gather(tick(), fetch('a', 0.05), asyncio.sleep(0.02, 'slept'))")) == ["ticked", "<a>", "slept"]


def test_a_call_that_the_guest_gives_up_is_cancelled():
    events = []

    async def slow():
        events.append("begun")      # a task that is cancelled before its first step never gets into its try
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            events.append("cancelled")
            raise

    functions = {"slow": slow, "begun": lambda: events[-1:] == ["begun"]}
    begin = "task = asyncio.ensure_future(slow())", "while not begun(): await asyncio.sleep(0.001)"
    assert value(in_main(*begin, "try: await asyncio.wait_for(task, 0.05)", "except TimeoutError: pass", "await asyncio.sleep(0.01)",
                         "return 'late'"), functions=functions) == "late"
    assert events == ["begun", "cancelled"]
    assert value(in_main(*begin, "return 'left'"), functions=functions) == "left"
    assert events == ["begun", "cancelled"] * 2


def test_threads_of_the_host_wake_the_guest():
    def work(n):
        time.sleep(0.05)
        return n

    source = in_main("return await asyncio.gather(asyncio.to_thread(work, 1), fetch('a'), asyncio.to_thread(work, 2))")
    assert value(source, functions={"work": work, "fetch": fetch}) == [1, "<a>", 2]


def test_plain_functions_too():
    assert value(in_main("return plain(await fetch('a'))"), functions={"fetch": fetch, "plain": str.upper}) == "<A>"


def test_functions_among_the_inputs():
    async def double(n):
        return 2 * n

    rt = kr.Runtime()
    result = asyncio.run(rt.run_async(in_main("return await double(n)"), {"double": double, "n": 21}))
    assert result.unwrap() == 42


def test_context_variables():
    user = contextvars.ContextVar("user")

    async def who():
        await asyncio.sleep(0)
        return user.get()

    async def main():
        rt = kr.Runtime(functions={"who": who})
        found = []
        for name in ("ann", "bob"):
            user.set(name)
            found.append((await rt.run_async(in_main("return await asyncio.gather(who(), who())"))).unwrap())
        return found

    assert asyncio.run(main()) == [["ann", "ann"], ["bob", "bob"]]


def test_what_the_guest_sees():
    assert value("import inspect\nfetch.__name__, fetch.__doc__, str(inspect.signature(fetch))") == ("fetch", "Fetches a page.", "(url, delay=0.0)")


def test_calls_in_the_loop_and_results_are_converted():
    threads = set()

    async def note(given):
        threads.add(threading.current_thread())
        given.append(2)
        return given

    async def main():
        threads.add(threading.current_thread())
        rt = kr.Runtime(functions={"note": note})
        return (await rt.run_async(in_main("mine = [1]", "theirs = await note(mine)", "return mine, theirs"))).unwrap()

    assert asyncio.run(main()) == ([1], [1, 2]) and len(threads) == 1
    error = run(in_main("await fetch(object())")).error
    assert error.type == "TypeError" and "fetch()" in error.message


# ---- without await, and in batches -------------------------------------------------------------------------
@kr.host_function(suspend=True)
async def ask(question):
    await asyncio.sleep(0.01)
    return question.upper()


def test_calls_that_look_like_others():
    functions = {"ask": ask, "fetch": fetch}
    assert value("def f(): return [ask(c) for c in 'ab']\nf() + [ask('c')]", functions=functions) == ["A", "B", "C"]
    assert value("sorted(ask(c) for c in 'ba')", functions=functions) == ["A", "B"]
    error = run(in_main("return ask('a')"), functions=functions).error
    assert "cannot suspend the program here" in error.message


def test_batches():
    sizes = []

    @kr.host_function(batched=True)
    async def square(calls):
        sizes.append(len(calls))
        await asyncio.sleep(0.01)
        return [ValueError("negative") if call.args[0] < 0 else call.args[0] ** 2 for call in calls]

    functions = {"square": square}
    assert value(in_main("return sum(await asyncio.gather(*map(square, range(1000))))"), functions=functions) == sum(n * n for n in range(1000))
    assert len(sizes) <= 3
    assert value(in_main("return [type(r).__name__ for r in await asyncio.gather(square(2), square(-1), return_exceptions=True)]"),
                 functions=functions) == ["int", "ValueError"]

    @kr.host_function(batched=True)
    def plain(calls):
        return [call.kwargs["n"] for call in calls]

    assert value(in_main("return await asyncio.gather(plain(n=1), plain(n=2))"), functions={"plain": plain}) == [1, 2]

    @kr.host_function(batched=True)
    def wrong(calls):
        return []

    assert "wrong() was asked for 1 results and has returned 0" in run(in_main("await wrong()"), functions={"wrong": wrong}).error.message


# ---- limits and ends ---------------------------------------------------------------------------------------
def test_waiting_for_the_host_is_no_time_of_the_guest():
    assert value(in_main("return await fetch('a', 0.4)"), limits=kr.Limits(seconds=0.2)) == "<a>"


def test_waiting_for_nothing_is():
    error = run(in_main("await asyncio.get_running_loop().create_future()"), limits=kr.Limits(seconds=0.2)).error
    assert error.limit == "seconds"
    assert run(in_main("await asyncio.sleep(50)"), limits=kr.Limits(seconds=0.2)).error.limit == "seconds"


def test_time_of_the_host_has_a_limit():
    assert run(in_main("await fetch('a', 50)"), limits=kr.Limits(host_seconds=0.2)).error.limit == "host_seconds"

    @kr.host_function(timeout=0.05)
    async def slow():
        await asyncio.sleep(0.2)

    assert "more than 0.05 seconds in slow()" in run(in_main("await slow()"), functions={"slow": slow}).error.message


def test_number_of_calls_has_a_limit():
    source = in_main("for _ in range(5): await fetch('a')")
    assert run(source, limits=kr.Limits(host_calls=3)).error.limit == "host_calls"
    assert run(source, limits=kr.Limits(host_calls=5)).ok


def test_endless_code_between_calls():
    assert run(in_main("await fetch('a')", "while True: pass"), limits=kr.Limits(seconds=0.2)).error.limit == "seconds"


NEVER = in_main("try: await fetch('a', 100)", "finally: print('never')")


def test_cancelled_task():
    async def main():
        written = []
        rt = kr.Runtime(functions={"fetch": fetch}, on_stdout=written.append)
        task = asyncio.create_task(rt.run_async(NEVER))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1 and not written

    asyncio.run(main())


def test_cancelled_when_the_guest_has_just_begun_to_wait():
    async def main():
        failures = []
        with kr.Runtime(functions={"fetch": fetch}).session() as s:
            s.run("import asyncio")
            for i in range(40):
                task = asyncio.create_task(s.run_async(in_main("return await fetch('a', 60)")))
                await asyncio.sleep(0)
                time.sleep(i / 20_000)
                task.cancel()
                try:
                    await task
                except asyncio.CancelledError as error:
                    failures.append(error)      # and with it the frames that it went through
                assert s.run("1 + 1").value == 2
        assert len(failures) == 40

    asyncio.run(main())


def test_cancelled_session():
    async def main():
        with kr.Runtime(functions={"fetch": fetch}).session() as s:
            task = asyncio.create_task(s.run_async(NEVER))
            await asyncio.sleep(0.2)
            with pytest.raises(kr.SessionError):
                await s.run_async("1")
            assert s.cancel()
            result = await task
            assert result.error.limit == "cancelled" and result.stdout == ""
            assert (await s.run_async(in_main("return await fetch('b')"))).value == "<b>" and not s.cancel()

    asyncio.run(main())


def test_state_and_output_of_a_session():
    async def main():
        with kr.Runtime(functions={"fetch": fetch}).session({"n": 1}) as s:
            first = await s.run_async("import asyncio\nasync def get():\n    global n\n    n += 1\n    print(await fetch(n))\nasyncio.run(get())", check=True)
            second = await s.run_async("asyncio.run(get())\nn")
            assert (first.stdout, second.stdout, second.value, s["n"]) == ("<2>\n", "<3>\n", 3, 3)
            with pytest.raises(kr.GuestException):
                await s.run_async("1 / 0", check=True)

    asyncio.run(main())


def test_other_ways_to_run_say_what_to_do():
    rt = kr.Runtime(functions={"fetch": fetch})
    assert "has to be run by run_async()" in rt.run("fetch('a')").error.message
    assert "call it in a coroutine" in run("fetch('a')").error.message
    with pytest.raises(TypeError, match="async generator"):
        async def items():
            yield 1

        kr.Runtime(functions={"items": items})
    with pytest.raises(TypeError, match="suspend is for async functions"):
        kr.host_function(len, suspend=True)
    assert asyncio.run(ask("host")) == "HOST"


@pytest.mark.slow
def test_many_guests_wait_together():
    async def main():
        gate = asyncio.Event()
        arrived = 0

        async def wait():
            nonlocal arrived
            arrived += 1
            await gate.wait()
            return arrived

        rt = kr.Runtime(functions={"wait": wait})
        tasks = [asyncio.create_task(rt.run_async(in_main("return await wait()"))) for _ in range(1000)]
        while arrived < 1000:
            await asyncio.sleep(0.01)
        threads = threading.active_count()
        gate.set()
        return threads, [each.unwrap() for each in await asyncio.gather(*tasks)]

    threads, values = asyncio.run(asyncio.wait_for(main(), 120))
    assert values == [1000] * 1000 and threads < 100
