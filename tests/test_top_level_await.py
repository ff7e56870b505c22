"""Programs that await at their top level, as cells of a notebook do: in sessions, and under an event loop of the host."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import sys

import pytest

import kimi_runtime as kr

#: What CPython makes of them with PyCF_ALLOW_TOP_LEVEL_AWAIT is what a session must make of them.
PROGRAMS = {
    "value": "import asyncio\nx = await asyncio.sleep(0, 'a')\nfound = x * 2, await asyncio.sleep(0, [1])",
    "loops": """
import asyncio
async def items(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
found = []
async for i in items(3):
    found.append(i)
else:
    found.append("else")
found += [each * 2 async for each in items(3) if each], {each async for each in items(2)}, {k: await asyncio.sleep(0, k) for k in "ab"}
found.append(list(range(i)))
""",
    "managers": """
import contextlib
found = []
@contextlib.asynccontextmanager
async def manager(n):
    found.append(n)
    try:
        yield -n
    finally:
        found.append("left")
async with manager(1) as a, manager(2) as b:
    found += a, b
try:
    async with manager(3):
        raise ValueError("inside")
except ValueError as e:
    found.append(str(e))
found.append("e" in globals())
""",
    "names": """
'The docstring.'
import asyncio
from math import *
n: int = await asyncio.sleep(0, 5)
def f(a, b=n): return a + b + n + len(inspected)
class C:
    n = n
    def m(self): return self.n, n
    class D: pass
inspected = [f.__qualname__, C.D.__qualname__, C.m.__qualname__, f.__module__, (lambda: 1).__qualname__]
if (walrus := await asyncio.sleep(0, 3)) > 2: n += walrus
squares = [y := n * k for k in (1, 2)]
del walrus
found = [f(1), C().m(), floor(pi), __doc__, __annotations__, locals() is globals(), "walrus" in globals(), squares, y, inspected, __name__,
         sorted(k for k in vars() if k in ("f", "C", "n")), eval("n + 1"), exec("n = 1") or n, (lambda: n)()]
""",
    "tasks": """
import asyncio
found = []
async def work(n):
    await asyncio.sleep(0)
    found.append(n)
    return n
task = asyncio.create_task(work(1))
found += await asyncio.gather(work(2), work(3)), task.done(), await task, asyncio.current_task().done(), asyncio.get_running_loop().is_running()
try:
    async with asyncio.timeout(0.001):
        await asyncio.sleep(60)
except TimeoutError:
    found.append("late")
""",
    "exceptions": """
import asyncio
found = []
async def fail(n): raise KeyError(n)
for n in range(2):
    try:
        await fail(n)
    except KeyError as e:
        found.append(repr(e))
        continue
    finally:
        found.append(n)
results = await asyncio.gather(fail(7), asyncio.sleep(0, 8), return_exceptions=True)
found.append([repr(each) for each in results])
match await asyncio.sleep(0, {"a": [1, 2]}):
    case {"a": [x, *rest]}: found += x, rest
with __import__("contextlib").suppress(KeyError): await fail(1)
found.append(f"{await asyncio.sleep(0, 5)!r:>3}" if await asyncio.sleep(0, True) and not await asyncio.sleep(0) else 0)
""",
}


def by_cpython(source):
    space = {"__name__": "__main__", "__doc__": None, "__annotations__": {}}
    code = compile(source, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    assert code.co_flags & inspect.CO_COROUTINE

    async def main():
        await eval(code, space)
        return space["found"]

    return asyncio.run(main())


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_cell_that_awaits_does_what_cpython_does(name):
    with kr.Runtime().session() as s:
        s.run(PROGRAMS[name], check=True)
        assert repr(s["found"]) == repr(by_cpython(PROGRAMS[name]))


def test_values_and_names():
    with kr.Runtime().session() as s:
        assert s.run("import asyncio").ok
        result = s.run("await asyncio.sleep(0, 'v')")
        assert (result.value, result.has_value, result.last_binding) == ("v", True, None)
        result = s.run("x = await asyncio.sleep(0, 'v')")
        assert (result.value, result.has_value, result.last_binding) == (None, False, "x")
        assert s.names() == ["asyncio", "x"] and s["x"] == "v"
        assert s.run("print(await asyncio.sleep(0, x))").stdout == "v\n"
        assert s.start("await asyncio.sleep(0, x)").result.value == "v"


def test_errors_name_the_cell_and_nothing_else():
    with kr.Runtime().session() as s:
        s.run("import asyncio\nasync def f(n):\n    await asyncio.sleep(0)\n    return 1 / n")
        error = s.run("x = 1\nawait f(\n    0)").error
        marks = "           ~~^~~\n"
        assert error.traceback == (
            'Traceback (most recent call last):\n  File "<cell 2>", line 2, in <module>\n    await f(\n'
            f'  File "<cell 1>", line 4, in f\n    return 1 / n\n{marks}ZeroDivisionError: division by zero\n')
        assert [(each.filename, each.line) for each in error.frames] == [("<cell 2>", 2), ("<cell 1>", 4)]
        assert s.run("x").value == 1
        error = s.run("await 5").error
        assert (error.type, error.filename, error.line) == ("TypeError", "<cell 4>", 1)
        assert error.message == "object int can't be used in 'await' expression" or "can't be awaited" in error.message


@pytest.mark.parametrize("source", ["await x", "async for i in x: pass", "async with x: pass", "[i async for i in x]", "f(1, await x)"])
def test_programs_outside_of_sessions_are_scripts(source):
    with pytest.raises(SyntaxError) as failure:
        compile(source, "<guest>", "exec")
    for _ in range(2):      # the second time its code is in the cache
        error = kr.run(source).error
        assert (error.type, error.message, error.line, error.column) == (
            "SyntaxError", failure.value.msg, failure.value.lineno, failure.value.offset)
    with kr.Runtime().session() as s:
        assert s.run(source).error.type == "NameError"
        assert s.run(f"def g():\n    {source}").error.type == "SyntaxError"
        assert s.run(f"class A:\n    {source}").error.type == "SyntaxError"
        assert s.run(f"eval('lambda: 0')\nexec({source!r})").error.type == "SyntaxError"


def test_tasks_go_on_while_later_cells_await():
    with kr.Runtime().session() as s:
        first = s.run("import asyncio\nasync def bg():\n    await asyncio.sleep(0.01)\n    print('late')\n    return 7\nt = asyncio.create_task(bg())", check=True)
        between = s.run("print(t.done())\nasyncio.run(asyncio.sleep(0))")
        second = s.run("await asyncio.sleep(0.05)\nprint('now')\nt.result()")
        assert (first.stdout, between.stdout, second.stdout, second.value) == ("", "False\n", "now\n", 7)
        assert (first.late_output, between.late_output, second.late_output) == ("late\n", "", "")
        # What the host gets by a callback of the session, it gets from all.
    lines = []
    with kr.Runtime().session(on_stdout=lines.append) as s:
        s.run("import asyncio\nasync def bg():\n    print('late')\nt = asyncio.create_task(bg())", check=True)
        s.run("await t\nprint('now')", check=True)
        assert lines == ["late\n", "now\n"]


def test_a_program_that_is_stopped_does_not_go_on_in_the_next():
    with kr.Runtime().session() as s:
        endless = "import asyncio\nn = 0\nwhile True:\n    n += 1\n    await asyncio.sleep(0)"
        assert s.run(endless, limits=kr.Limits(seconds=0.3)).error.limit == "seconds"
        before = s["n"]
        assert before > 10
        after = s.run("await asyncio.sleep(0.02)\nn")
        assert after.value == before and after.stderr == ""
        assert s.run("await asyncio.sleep(5)", limits=kr.Limits(seconds=0.05)).error.limit == "seconds"
        assert s.run("await asyncio.sleep(0, 1)").value == 1


@pytest.mark.parametrize("text, kind", [("import sys; sys.exit(3)", "SystemExit"), ("raise KeyboardInterrupt", "KeyboardInterrupt"),
                                        ("asyncio.current_task().cancel()\n    await asyncio.sleep(1)", "CancelledError")])
def test_exits(text, kind):
    with kr.Runtime().session() as s:
        s.run(f"import asyncio\nasync def end():\n    await asyncio.sleep(0)\n    {text}")
        result = s.run("await end()")
        assert result.error.type == kind and (kind != "SystemExit" or result.error.exit_code == 3)
        result = s.run("await asyncio.sleep(0, 5)")
        assert result.value == 5 and result.stderr == ""


def test_a_loop_within_a_loop():
    with kr.Runtime().session() as s:
        result = s.run("import asyncio\nawait asyncio.sleep(0)\nasyncio.run(asyncio.sleep(0))")
        assert result.error.message == "asyncio.run() cannot be called from a running event loop"
        assert s.run("asyncio.run(asyncio.sleep(0, 4))").value == 4 and s.run("await asyncio.sleep(0, 3)").value == 3
        assert s.run("loop = asyncio.get_running_loop()\nawait asyncio.sleep(0)\nloop is asyncio.get_event_loop()").value is True
        assert kr.run("import asyncio\nasync def f(): pass\nasyncio.create_task(f())").error.message == "no running event loop"


def test_the_modules_that_a_guest_has_do_not_matter():
    with kr.Runtime(modules={"math"}).session() as s:
        result = s.run("async def f():\n    return 5\nawait f()")
        assert result.value == 5
        assert s.run("import asyncio").error.type == "ModuleNotFoundError"


def test_code_of_generators_makes_generators():
    source = "def g(): yield 1\nasync def a(): yield\nasync def c(): return 3\nfound = [exec(each.__code__) for each in (g, a, c)], next(eval(g.__code__))"
    space = {}
    with pytest.warns(RuntimeWarning):
        exec(source, space)
    result = kr.run(source + "\nfound")
    assert result.value == space["found"] and "never awaited" in result.stderr


def test_code_of_a_cell_is_no_way_around():
    with kr.Runtime().session() as s:
        s.run("""
import asyncio, types
async def look():
    return asyncio.current_task().get_coro()
coro = await asyncio.create_task(look())
mine = asyncio.current_task().get_coro()
code = mine.cr_code
""", check=True)
        for source in ("exec(code)", "eval(code)", "types.FunctionType(code, globals())", "code.co_flags, code.co_name", "mine.send(None)"):
            s.run(source)
        assert s.run("1 + 1").value == 2


# ---- under a loop of the host -------------------------------------------------------------------------------
def test_functions_of_the_host_are_awaited_in_the_loop():
    async def fetch(name):
        await asyncio.sleep(0.01)
        return name.upper()

    async def main():
        rt = kr.Runtime(functions={"fetch": fetch})
        with rt.session() as s:
            assert (await s.run_async("await fetch('a')")).value == "A"
            source = "import asyncio\nawait asyncio.gather(*(fetch(c) for c in 'bc'))"
            assert (await s.run_async(source)).value == ["B", "C"]
            assert (await s.run_async("t = asyncio.create_task(fetch('d'))\nawait asyncio.sleep(0)")).ok
            # A call that is under way when its program ends is cancelled, and its task is told so.
            assert (await s.run_async("r = await asyncio.gather(t, return_exceptions=True)\ntype(r[0]).__name__")).value == "CancelledError"
            task = asyncio.create_task(s.run_async("await fetch('e')"))
            await asyncio.sleep(0)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            assert (await s.run_async("await fetch('f')")).value == "F"
            source = "async with asyncio.TaskGroup() as g:\n    t = g.create_task(fetch('x')), g.create_task(fetch('y'))\n[each.result() for each in t]"
            assert (await s.run_async(source)).value == ["X", "Y"]
            assert "async" in s.run("await fetch('g')").error.message
        assert (await rt.run_async("await fetch('h')")).value == "H"
        assert (await rt.run_async("await fetch(1)")).error.type == "AttributeError"
        plain = kr.Runtime()
        assert (await plain.run_async("import asyncio\nawait asyncio.sleep(0.001, 5)")).value == 5
        assert (await plain.run_async("import asyncio\nasync def f(): print('made')\nt = asyncio.create_task(f())\nawait t")).stdout == "made\n"
        kinds = [event.kind async for event in rt.events("print(await fetch('i'))")]
        assert kinds == ["call", "stdout", "result"]

    asyncio.run(main())


def test_parked_while_it_awaits():
    async def fetch(name):
        await asyncio.sleep(0.1)
        return name.upper()

    async def main():
        rt = kr.Runtime(functions={"fetch": fetch}, park_after=0.01)
        source = "x = [1]\ny = await fetch('a')\nx.append(y)\nx, await fetch('b')"
        return [each.value for each in await asyncio.gather(*(rt.run_async(source) for _ in range(3)))]

    assert asyncio.run(main()) == [([1, "A"], "B")] * 3


# ---- suspension and snapshots --------------------------------------------------------------------------------
def test_a_program_that_awaits_goes_on_from_a_snapshot():
    pytest.importorskip("lz4")
    s = kr.Runtime().session()
    s.run("import asyncio\nlog, go = [], asyncio.Event()\nasync def bg():\n    log.append('begun')\n    await go.wait()\n    log.append('gone on')\nt = asyncio.create_task(bg())")
    source = "total = 0\nfor n in range(3):\n    total += await fetch(n)\n    print(n)\nawait asyncio.sleep(0)\ntotal"
    step = s.start(source, await_on={"fetch"})
    for n in range(3):
        assert (step.name, step.args) == ("fetch", (n,))
        step = kr.load(step.dump())
        session = step.session
        step = step.resume(10 * n)
    assert step.result.unwrap() == 30 and step.result.stdout == "0\n1\n2\n"
    session = kr.load(session.dump())
    assert session.run("log, t.done()").value == (["begun"], False)
    assert session.run("go.set()\nawait t\nlog").value == ["begun", "gone on"]


def test_forks_have_loops_of_their_own():
    pytest.importorskip("lz4")
    with kr.Runtime().session() as s:
        s.run("import asyncio\nasync def bg(out):\n    await asyncio.sleep(0)\n    out.append(1)\nout = []\nt = asyncio.create_task(bg(out))")
        with s.fork() as other:
            assert other.run("await t\nout").value == [1] and s.run("out").value == [] and s.run("await t\nout").value == [1]


def test_in_worker_processes():
    if sys.platform != "linux":
        pytest.skip("process isolation needs Linux")
    with kr.Runtime(isolation="process") as rt, rt.session() as s:
        assert s.run("import asyncio\nx = await asyncio.sleep(0, 5)\nx + 1").value == 6
        assert asyncio.run(rt.run_async("import asyncio\nawait asyncio.sleep(0, 7)")).value == 7
        assert rt.run("await x").error.message == "'await' outside function"


def test_programs_that_are_too_long():
    source = "import asyncio\n" + "a.b\n" * 51_000 + "await asyncio.sleep(0)\n"
    with kr.Runtime().session() as s:
        error = s.run("a = b = 1\n" + source).error
    assert error.type == "SyntaxError" and "too long" in error.message
