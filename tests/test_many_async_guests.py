"""Many guests under one event loop: they begin in turn, and none keeps the others waiting."""
from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

import kimi_runtime as kr
from kimi_runtime import async_runs

pytestmark = pytest.mark.unsteady

AWAITS = "import asyncio\nasync def main():\n    return await fetch('a') + 1\nasyncio.run(main())"


def test_all_wait_at_once_and_all_finish():
    async def main():
        waiting, everybody, answer = [], asyncio.Event(), asyncio.Event()

        async def fetch(name):
            waiting.append(name)
            if len(waiting) == 100:
                everybody.set()
            await answer.wait()
            return 41

        rt = kr.Runtime(functions={"fetch": fetch})
        guests = [asyncio.create_task(rt.run_async(AWAITS)) for _ in range(100)]
        await asyncio.wait_for(everybody.wait(), 60)
        answer.set()
        assert [each.value for each in await asyncio.gather(*guests)] == [42] * 100

    asyncio.run(main())


def test_a_long_run_keeps_nobody_from_beginning():
    async def main():
        rt = kr.Runtime()
        long = asyncio.create_task(rt.run_async("while True: pass", limits=kr.Limits(seconds=60)))
        await asyncio.sleep(0)
        results = await asyncio.gather(*[rt.run_async(f"{n} + 1") for n in range(20)])
        assert [each.value for each in results] == list(range(1, 21))
        assert not long.done()
        long.cancel()
        assert await asyncio.gather(long, return_exceptions=True) != [None]
        assert (await rt.run_async("5")).value == 5

    asyncio.run(main())


def test_cancelled_before_its_turn():
    """The session is there for the next run, and what waits behind it has its turn."""
    async def main():
        rt = kr.Runtime()
        with rt.session() as first, rt.session() as second, rt.session() as third:
            tasks = [asyncio.create_task(each.run_async("x = 1\nfor n in range(20000): x += n\nx")) for each in (first, second, third)]
            await asyncio.sleep(0)
            tasks[1].cancel()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            assert isinstance(done[1], asyncio.CancelledError)
            assert done[0].value == done[2].value == 199990001
            assert second.run("1 + 1").value == 2
            assert (await second.run_async("1 + 2")).value == 3
            tasks = [asyncio.create_task(each.run_async("1")) for each in (first, second, third)]
            await asyncio.sleep(0)
            for each in tasks:
                each.cancel()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(each, asyncio.CancelledError) for each in done)
            assert [(await each.run_async("5")).value for each in (first, second, third)] == [5, 5, 5]

    asyncio.run(main())


def test_loops_are_not_kept():
    seen = []

    async def main():
        seen.append(weakref.ref(asyncio.get_running_loop()))
        assert (await kr.Runtime().run_async("2")).value == 2

    asyncio.run(main())
    gc.collect()
    assert seen[0]() is None
    assert all(not each.waiting and each.holder is None for each in async_runs.turns.values())
