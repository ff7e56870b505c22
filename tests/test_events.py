"""What runs tell while they go on, and what they display: ``Session.events``, ``display``, ``Result.displays``."""

from __future__ import annotations

import asyncio
import base64
import time

import kimi_runtime as kr
import pytest


def events(source, inputs=None, functions=None, **settings):
    async def main():
        return [event async for event in kr.Runtime(functions=functions, **settings).events(source, inputs)]

    return asyncio.run(main())


def shown(source, **values):
    """What a program displays, and what its value looks like."""
    result = kr.Runtime(displays=True).run(source, values)
    assert result.ok, result.error.traceback
    return result


# ---- events ------------------------------------------------------------------------------------------------
def test_order():
    async def slow(n):
        await asyncio.sleep(0)
        return n

    def quick(n, *, by=1):
        return n * by

    found = events("""
import asyncio, sys
print("one"); print("half", end=""); quick(2, by=3); print("line"); print("err", file=sys.stderr)
display("shown")
async def main():
    print("in loop")
    print(sum(await asyncio.gather(slow(1), slow(2))))
asyncio.run(main())
print("end", end="")
42
""", functions={"slow": slow, "quick": quick})
    told = [(e.kind, e.text or e.name or (e.data.get("text/plain") if e.kind == "display" else e.result.value)) for e in found]
    assert told == [("stdout", "one\n"), ("stdout", "half"), ("call", "quick"), ("stdout", "line\n"), ("stderr", "err\n"), ("display", "'shown'"),
                    ("stdout", "in loop\n"), ("call", "slow"), ("call", "slow"), ("stdout", "3\n"), ("stdout", "end"), ("result", 42)]
    assert found[2].args == (2,) and found[2].kwargs == {"by": 3}
    assert found[-1].result.displays == [{"text/plain": "'shown'"}] and found[-1].result.bundle == {"text/plain": "42"}


def test_events_come_while_the_guest_runs():
    async def main():
        seen = []
        with kr.Runtime().session() as s:
            async for event in s.events("import time\nprint('now')\nwhile not done(): time.sleep(0.001)", {"done": lambda: bool(seen)}):
                seen.append(event.kind)
        return seen

    assert asyncio.run(main())[0] == "stdout"


def test_failure_and_stop_are_results():
    found = events("print('a')\n1 / 0")
    assert [e.kind for e in found] == ["stdout", "result"] and found[-1].result.error.type == "ZeroDivisionError"
    found = events("while True: pass", limits=kr.Limits(seconds=0.05))
    assert found[-1].result.error.limit == "seconds"
    assert events("x +")[-1].result.error.type == "SyntaxError"


def test_who_leaves_stops_the_program():
    async def main():
        with kr.Runtime().session() as s:
            stream = s.events("print('begun')\nwhile True: pass")
            async for event in stream:
                break
            await stream.aclose()
            return s.run("1 + 1").value  # it runs nothing any more

    assert asyncio.run(asyncio.wait_for(main(), 20)) == 2


def test_a_session_keeps_names_and_counts_cells():
    async def main():
        with kr.Runtime().session() as s:
            async for _ in s.events("x = 20\ndef f(): return nope"):
                pass
            *_, last = [event async for event in s.events("f()")]
            assert last.result.error.filename == "<cell 1>"
            assert s.run("x").value == 20 and s.run("x").bundle == {}
            with pytest.raises(kr.SessionError):
                one = s.events("while True: print()")
                await one.__anext__()
                try:
                    await s.events("1").__anext__()
                finally:
                    await one.aclose()

    asyncio.run(main())


def test_two_guests_at_a_time():
    async def one(n):
        return [e.text async for e in kr.Runtime().events("for i in range(50): print(name, i)", {"name": n}) if e.kind == "stdout"]

    async def main():
        return await asyncio.gather(one("a"), one("b"))

    a, b = asyncio.run(main())
    assert "".join(a) == "".join(f"a {i}\n" for i in range(50)) and "".join(b) == "".join(f"b {i}\n" for i in range(50))


# ---- displays ----------------------------------------------------------------------------------------------
CLASSES = '''
class Table:
    def _repr_html_(self): return "<table>"
    def _repr_markdown_(self): return "| |"
    def _repr_png_(self): return b"\\x89PNG", {"width": 3}
    def _repr_json_(self): return {"a": [1]}
    def _repr_latex_(self): return None
    def _repr_svg_(self): raise NotImplementedError
    def __repr__(self): return "Table()"
class Bad:
    def _repr_html_(self): return 1 / 0
    def _repr_json_(self): return {"fine": True}
    def _repr_markdown_(self): return 5
    def __repr__(self): return "Bad()"
class Worse:
    def __repr__(self): raise ValueError("no text")
    def _repr_html_(self): return "<b>"
class Bundle:
    def _repr_mimebundle_(self, include=None, exclude=None): return {"text/html": "own", "x/y": "z", "image/png": b"P"}, {"x/y": {"m": 1}}
    def _repr_html_(self): return "other"
    def __repr__(self): return "Bundle()"
class All:
    def __getattr__(self, name): return lambda *a, **k: "<anything>"
    def __repr__(self): return "All()"
'''


def test_formats():
    table = {"text/plain": "Table()", "text/html": "<table>", "text/markdown": "| |", "image/png": base64.b64encode(b"\x89PNG").decode(),
             "application/json": {"a": [1]}}
    result = shown(CLASSES + "display(Table(), 5)\nTable()")
    assert result.displays == [table, {"text/plain": "5"}] and result.bundle == table
    assert shown(CLASSES + "display(Table(), include=['text/html'])").displays == [{"text/html": "<table>"}]
    assert set(shown(CLASSES + "display(Table(), exclude=['image/png', 'text/plain'])").displays[0]) == {"text/html", "text/markdown", "application/json"}
    assert shown("display({'text/html': '<i>'}, raw=True)").displays == [{"text/html": "<i>"}]
    assert shown(CLASSES + "display(Bundle())").displays == [{"text/plain": "Bundle()", "text/html": "own", "x/y": "z", "image/png": "UA=="}]
    assert shown(CLASSES + "Table").bundle.keys() == {"text/plain"}  # a class is no instance
    assert shown(CLASSES + "All()").bundle == {"text/plain": "All()"}
    assert shown("None").bundle == {} and shown("x = 1").bundle == {} and shown("'a'").bundle == {"text/plain": "'a'"}
    [event] = [e for e in events(CLASSES + "display(Table(), metadata={'text/html': {'isolated': True}})") if e.kind == "display"]
    assert event.metadata == {"image/png": {"width": 3}, "text/html": {"isolated": True}}


def test_forms_that_fail():
    result = shown(CLASSES + "display(Bad())\nWorse()")
    assert result.displays == [{"text/plain": "Bad()", "application/json": {"fine": True}}] and result.bundle == {"text/html": "<b>"}
    assert result.value is not None and "ZeroDivisionError" in result.stderr and "ValueError: no text" in result.stderr
    assert "_repr_markdown_() of a Bad returned int" in result.stderr and "_display" not in result.stderr


def test_forms_count_for_the_limits():
    rt = kr.Runtime(displays=True, limits=kr.Limits(seconds=0.2, output=10_000, result_size="1MB"))
    start = time.monotonic()
    for source in ("class A:\n    def _repr_html_(self):\n        while True: pass\nA()", "class A:\n    def __repr__(self):\n        while True: pass\ndisplay(A())"):
        assert rt.run(source).error.limit == "seconds"
    assert time.monotonic() - start < 20
    result = rt.run("while True: display('x' * 1000)")
    assert result.error.limit == "output" and len(result.displays) == 9
    more = kr.Limits(seconds=20, result_size="1MB")
    assert rt.run("class A:\n    def _repr_html_(self): return 'x' * 10**7\n    def __repr__(self): return 'A'\nA()", limits=more).error.limit == "result_size"


def test_guests_have_no_display_unless_it_was_asked_for():
    assert kr.run("display(1)").error.type == "NameError"
    assert kr.Runtime(displays=True, functions={"display": lambda x: x * 2}).run("display(4)").value == 8
    with kr.Runtime(displays=True).session() as s:
        assert s.run("display(1)").displays == [{"text/plain": "1"}] and s.run("2").displays == []
        s.reset()
        assert s.run("display(3)").displays == [{"text/plain": "3"}]
        with s.fork() as other:
            assert other.run("display(4)").displays == [{"text/plain": "4"}]


def test_display_of_async_programs():
    async def fetch(n):
        return n

    result = asyncio.run(kr.Runtime(displays=True, functions={"fetch": fetch}).run_async(
        "import asyncio\nasync def main():\n    display(await fetch(3))\n    return 4\nasyncio.run(main())"))
    assert result.displays == [{"text/plain": "3"}] and result.bundle == {"text/plain": "4"} and result.value == 4


def test_events_of_a_worker():
    async def main():
        with kr.Runtime(isolation="process") as rt:
            return [(e.kind, e.text or e.result and e.result.value) async for e in rt.events("print('a')\nprint('b', end='')\n5")]

    assert asyncio.run(main()) == [("stdout", "a\n"), ("stdout", "b"), ("result", 5)]
