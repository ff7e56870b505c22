"""Troubles that users of comparable systems have reported, as scenarios of a host: sessions, limits, snapshots, output."""

from __future__ import annotations

import asyncio
import contextvars
import time

import pytest

import kimi_runtime as kr

request_id = contextvars.ContextVar("request_id")


# ---- sessions ----------------------------------------------------------------------------------------------
def test_functions_of_the_host_run_in_the_context_of_the_call():
    seen = []

    async def main():
        rt = kr.Runtime(functions={"log": lambda message: seen.append((request_id.get(), message))})
        for number in ("r-17", "r-18"):
            request_id.set(number)
            with rt.session() as s:
                await s.run_async("log('hi')", check=True)

    asyncio.run(main())
    assert seen == [("r-17", "hi"), ("r-18", "hi")]


def test_names_of_a_snippet_do_not_meet_functions_of_the_host():
    with kr.Runtime(functions={"lookup": lambda: "ok"}).session() as s:
        s.run("def helper(): pass")
        s.run("doubled = [p * 2 for p in (2, 3)]")
        assert s.run("lookup()").value == "ok"
        assert s.run("p").error.type == "NameError"


def test_a_closure_survives_the_snippet_that_failed():
    with kr.Runtime().session() as s:
        s.run("class Box: pass\nbox = Box()")
        assert s.run("box.f = lambda: 42\n1 / 0").error.type == "ZeroDivisionError"
        assert s.run("100\nbox.f()").value == 42


def test_what_one_session_changes_in_modules_no_other_sees():
    rt = kr.Runtime()
    with rt.session() as a, rt.session() as b:
        a.run("import math, json\nmath.pi = 3\njson.dumps = None\nimport builtins\nbuiltins.len = lambda x: 0")
        assert b.run("import math, json\n(round(math.pi, 2), json.dumps([1]), len('ab'))").value == (3.14, "[1]", 2)


def test_a_refused_import_is_refused_again():
    with kr.Runtime(modules=()).session() as s:
        for _ in range(3):
            assert s.run("import readline").error.type == "ModuleNotFoundError"


# ---- limits ------------------------------------------------------------------------------------------------
def test_a_limit_for_each_run_of_a_long_session():
    with kr.Runtime(limits=kr.Limits(seconds=5)).session() as s:
        for _ in range(8):
            assert s.run("sum(range(200_000))").ok
            time.sleep(0.01)
        assert s.run("'alive'").value == "alive"
    with kr.Runtime().session(total=kr.Limits(instructions=100_000)) as s:
        results = [s.run("for i in range(20_000): pass") for _ in range(8)]
        assert results[0].ok and results[-1].error.limit == "instructions"


def test_a_cancel_that_comes_before_the_run_is_none():
    with kr.Runtime().session() as s:
        assert s.cancel() is False
        assert s.run("1 + 1").value == 2


@pytest.mark.parametrize("clause", ["except:", "except BaseException:", "except Exception:", "finally:"])
def test_a_stop_cannot_be_caught(clause):
    source = f"print('step 1')\nwhile True:\n    try:\n        while True: pass\n    {clause}\n        print('caught')"
    result = kr.run(source, limits=kr.Limits(seconds=0.2))
    assert result.error.limit == "seconds" and result.stdout == "step 1\n" and result.error.line == 4


@pytest.mark.parametrize("source", ["import sys\nprint('a')\nsys.exit(0)", "raise SystemExit('bye')", "raise KeyboardInterrupt", "raise GeneratorExit"])
def test_exits_of_the_guest_are_results(source):
    assert kr.run(source).error.type in ("SystemExit", "KeyboardInterrupt", "GeneratorExit")


def test_every_way_to_set_a_limit_is_one():
    source = "[[0] * 100 for _ in range(1_000_000)]"
    for run in (kr.Runtime(limits=kr.Limits(memory="8MB")).run, lambda text: kr.run(text, limits=kr.Limits(memory=8_000_000)),
                lambda text: kr.Runtime().session(limits=kr.Limits(memory="8MB")).run(text)):
        assert run(source).error.limit == "memory"
    for wrong in ({"max_memroy": 1}, {"timeout": 30}, {"time": 1}):
        with pytest.raises(TypeError):
            kr.Limits(**wrong)


def test_the_limit_of_output_counts_for_callbacks():
    got = []
    result = kr.run("n = 0\nwhile n < 50_000:\n    print('row', n, '-' * 4000)\n    n += 1", limits=kr.Limits(output="64KB"), on_stdout=got.append)
    assert result.error.limit == "output" and sum(map(len, got)) <= 64_000 + 100


# ---- snapshots ---------------------------------------------------------------------------------------------
def test_a_restored_suspension_tells_its_call_once_more():
    pytest.importorskip("lz4")
    with kr.Runtime().session() as s:
        step = s.start("v = ask('q', n=2)\nprint(v)", suspend_on={"ask"})
        again = kr.load(step.dump())
        assert (again.name, again.args, again.kwargs) == ("ask", ("q",), {"n": 2})
        assert again.resume("yes").result.stdout == "yes\n"


def test_identity_survives_a_snapshot():
    pytest.importorskip("lz4")
    with kr.Runtime().session() as s:
        s.run("class P: pass\na = P(); pair = [a, a]; P.keep = a; ring = []; ring.append(ring)")
        with kr.load(s.dump()) as t:
            assert t.run("(pair[0] is pair[1], P.keep is pair[0], isinstance(a, P), ring[0] is ring)").value == (True,) * 4


def test_a_damaged_snapshot_is_refused():
    pytest.importorskip("lz4")
    with kr.Runtime().session() as s:
        s.run("x = [1, {'a': 2}]")
        data = s.dump()
    for at in range(0, len(data), 3):
        for bad in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:]):
            with pytest.raises(kr.SnapshotError):
                kr.load(bad)


# ---- errors and values -------------------------------------------------------------------------------------
def test_an_error_has_lines_and_source():
    error = kr.run("def a(v):\n    return v[3]\ndef b():\n    return a([1])\nb()").error
    assert error.type == "IndexError" and error.line == 2
    assert [f"line {n}" in error.traceback for n in (5, 4, 2)] == [True] * 3 and "return v[3]" in error.traceback


@pytest.mark.parametrize("source", ["dict", "lambda: 1", "(x for x in 'ab')", "object()", "{1: {2}}", "a = []; a.append(a); a"])
def test_every_last_expression_has_a_value_or_a_stand_in(source):
    result = kr.run(source)
    assert result.ok and repr(result.value)


def test_attribute_walks_inside_texts():
    for source in ("'{0.__class__.__base__.__subclasses__}'.format(1)", "'{0.__init__.__globals__}'.format(print)",
                   "import operator\noperator.attrgetter('__class__.__base__.__subclasses__')(1)()",
                   "import string\nstring.Formatter().format('{0.__globals__}', print)"):
        result = kr.run(source)
        assert not result.ok or "module" not in repr(result.value)
    assert kr.run("'{0.real}'.format(2)").value == "2"
