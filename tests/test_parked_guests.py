"""Guests that wait long for the host are kept as bytes meanwhile: ``Runtime(park_after=...)``."""

from __future__ import annotations

import asyncio
import contextvars
import gc

import pytest

import kimi_runtime as kr
from kimi_runtime.memory.heap import figures
from kimi_runtime.snapshots import parking

GATHERED = """
import asyncio, contextvars
seen = contextvars.ContextVar("seen")

class Order:
    def __init__(self, number):
        self.number = number
    def __del__(self):
        print("gone", self.number)

async def price(order):
    seen.set(order.number)
    first = await fetch(order.number)
    second = await fetch(first)
    return order, first + second, seen.get()

async def main():
    print("begun")
    found = await asyncio.gather(*(price(Order(n)) for n in range(3)))
    return [(order.number, total, number) for order, total, number in found]

print(asyncio.run(main()))
"""


@pytest.fixture
def parked(monkeypatch):
    """The number of times that a run was parked."""
    counts = [0]
    keep = parking.Parked.__init__

    def count(self, *args):
        keep(self, *args)
        counts[0] += 1

    monkeypatch.setattr(parking.Parked, "__init__", count)
    return counts


async def slow(n):
    await asyncio.sleep(0.02)
    return n + 1


def runtime(**settings):
    return kr.Runtime(**{"functions": {"fetch": slow}, "park_after": 0.0, **settings})


def test_a_parked_program_says_what_it_says_otherwise(parked):
    usual = asyncio.run(runtime(park_after=None).run_async(GATHERED, check=True))
    assert parked[0] == 0
    result = asyncio.run(runtime().run_async(GATHERED, check=True))
    assert parked[0] > 0
    assert result.stdout == usual.stdout
    assert result.stdout.splitlines()[0] == "begun" and result.stdout.count("gone") == 3


def test_calls_that_look_like_others_park_too(parked):
    rt = runtime(functions={"fetch": kr.host_function(slow, suspend=True)})
    result = asyncio.run(rt.run_async("def f(n):\n    try:\n        return fetch(n)\n    finally:\n        print('left', n)\n[f(n) for n in range(3)]"))
    assert (result.value, result.stdout, parked[0]) == ([1, 2, 3], "left 0\nleft 1\nleft 2\n", 3)
    failed = asyncio.run(rt.run_async("x = fetch(1)\nx / 0")).error
    assert (failed.type, failed.line) == ("ZeroDivisionError", 2) and "x / 0" in failed.traceback


def test_an_exception_of_the_host_comes_back(parked):
    async def fails(n):
        await asyncio.sleep(0.01)
        raise LookupError(f"no {n}")

    rt = runtime(functions={"fetch": kr.host_function(fails, suspend=True)})
    source = "try:\n    fetch(7)\nexcept LookupError as error:\n    found = str(error)\nfound"
    assert asyncio.run(rt.run_async(source)).value == "no 7" and parked[0] == 1


def test_what_cannot_be_saved_stays(parked):
    """Objects of the host, host functions among the inputs, and guests that are large are left as they are."""
    class Connection:
        url = "db://one"

    rt = runtime(functions={"fetch": kr.host_function(slow, suspend=True)})
    for source, inputs, value in [
        ("fetch(1), conn.url", {"conn": kr.expose(Connection(), attrs=["url"])}, (2, "db://one")),
        ("fetch(1), double(4)", {"double": lambda n: 2 * n}, (2, 8)),
        ("many = [str(n) for n in range(30_000)]\nfetch(1), len(many)", None, (2, 30_000)),
    ]:
        assert asyncio.run(rt.run_async(source, inputs)).unwrap() == value
    assert parked[0] == 0


def test_guests_that_have_something_to_do_stay(parked):
    source = "import asyncio\nasync def main():\n    return await asyncio.gather(fetch(1), asyncio.sleep(0.03, 5))\nasyncio.run(main())"
    assert asyncio.run(runtime().run_async(source)).unwrap() == [2, 5]
    assert parked[0] == 0


def test_limits_count_on(parked):
    rt = runtime(functions={"fetch": kr.host_function(slow, suspend=True)}, limits=kr.Limits(host_calls=3, instructions=200_000))
    result = asyncio.run(rt.run_async("for n in range(9): print(n, fetch(n))"))
    assert result.error.limit == "host_calls" and result.stdout == "0 1\n1 2\n2 3\n"
    result = asyncio.run(rt.run_async("for n in range(3):\n    fetch(n)\n    for _ in range(40_000): pass"))
    assert result.error.limit == "instructions" and parked[0] >= 3
    timed = kr.Runtime(functions={"fetch": kr.host_function(slow, suspend=True, max_calls=2)}, park_after=0.0)
    assert asyncio.run(timed.run_async("for n in range(3): fetch(n)")).error is not None


def test_variables_of_the_host_are_the_callers(parked):
    tenant = contextvars.ContextVar("tenant", default="none")

    async def main():
        tenant.set("ann")
        rt = runtime(functions={"fetch": kr.host_function(slow, suspend=True), "who": tenant.get, "leave": lambda name: tenant.set(name) and None})
        source = "import contextvars\nown = contextvars.ContextVar('own')\nown.set(5)\nfetch(1)\na = who()\nleave('bob')\nfetch(2)\na, who(), own.get()"
        return (await rt.run_async(source)).unwrap(), (await rt.run_async(source.replace("own", "o").replace("5", "6"))).unwrap()

    assert asyncio.run(main()) == (("ann", "bob", 5), ("ann", "bob", 6))
    assert parked[0] == 4


def test_output_goes_on(parked):
    lines = []
    rt = runtime(functions={"fetch": kr.host_function(slow, suspend=True)})
    result = asyncio.run(rt.run_async("print('a')\nfetch(1)\nprint('b')", on_stdout=lines.append))
    assert (lines, result.stdout) == (["a\n", "b\n"], "")
    assert parked[0] == 1


def test_cancelling_while_parked(parked):
    async def forever(n):
        await asyncio.sleep(60)

    async def main():
        rt = runtime(functions={"fetch": kr.host_function(forever, suspend=True)})
        task = asyncio.create_task(rt.run_async("try:\n    fetch(1)\nfinally:\n    print('left')"))
        while not parked[0]:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return (await rt.run_async("40 + 2")).value

    assert asyncio.run(main()) == 42


def test_time_of_the_host_has_a_limit_while_parked(parked):
    async def forever(n):
        await asyncio.sleep(60)

    rt = runtime(functions={"fetch": kr.host_function(forever, suspend=True)}, limits=kr.Limits(host_seconds=0.2))
    assert asyncio.run(rt.run_async("fetch(1)")).error.limit == "host_seconds"
    assert parked[0] == 1


def test_parked_guests_hold_no_memory_of_theirs(parked):
    async def main():
        answer = asyncio.Event()

        async def fetch(n):
            await answer.wait()
            return n

        rt = runtime(functions={"fetch": fetch})
        source = "import asyncio\nasync def main():\n    return await fetch(1)\nasyncio.run(main())"

        def held():
            gc.collect()
            return figures()["committed"]

        guests = [asyncio.create_task(rt.run_async(source))]
        while not parked[0]:
            await asyncio.sleep(0.001)
        before = held()
        guests += [asyncio.create_task(rt.run_async(source)) for _ in range(20)]
        while parked[0] < 21:
            await asyncio.sleep(0.001)
        after = held()
        answer.set()
        assert [each.value for each in await asyncio.gather(*guests)] == [1] * 21
        return after - before

    assert asyncio.run(main()) < 4 << 20         # each one held some 700 KB of addresses before it was parked


@pytest.mark.parametrize("value, kind", [(-1, ValueError), ("soon", TypeError), (True, TypeError), (float("nan"), ValueError)])
def test_arguments(value, kind):
    with pytest.raises(kind, match="park_after"):
        kr.Runtime(park_after=value)
