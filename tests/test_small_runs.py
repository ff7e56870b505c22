"""Runs of known programs take a short way through compiled code: they tell no difference, and share nothing between guests."""
from __future__ import annotations

import contextvars
import copy
import gc
import pickle
import sys
import threading
import time

import pytest

import kimi_runtime as kr

#: Programs that leave something behind, where the next guest could find it.
LEAVE = [
    "__builtins__ = 5",
    "import builtins; builtins.len = lambda x: 7; builtins.spam = 1",
    "def f(): return len\nglobals()['keep'] = f; f.me = f",
    "import sys; sys.modules['spam'] = 5",
    "p = print; c = [p]; c.append(c)",
    "class A:\n    def __del__(self): print('late')\na = A(); a.a = a",
    "g = (x for x in [1, 2]); next(g); c = [g]; c.append(c)",
    "print('out'); 5",
    "print('no end', end='')",
    "1 / 0",
    "raise SystemExit(3)",
    "import sys; sys.stdout.close()",
    "import sys; print('e', file=sys.stderr)",
    "input()",
    "print.__self__",
    "import atexit; atexit.register(print, 'bye')",
    "import threading; threading.Timer(0, print, ['x']).start()",
    "x = 1; y = x",
    "[1, 2, 3]",
    "'text'",
    "10 ** 30",
    "None",
    "True",
    "2.5",
    "float('nan')",
    "b'bytes'",
    "print",
    "exec('x = 3'); x",
    "import decimal; decimal.getcontext().prec = 3",
    "vars()['__annotations__']['x'] = 1; y: int = 3; __annotations__",
]
LOOK = ("import builtins, sys\n"
        "[sorted(set(vars(builtins))), len([1]), sorted(globals()), sorted(each for each in sys.modules if '.' not in each), "
        "sys.stdout.closed, __annotations__]")


def shown(result, source=""):
    """What a host sees of a result. Instructions do not count for programs that import: the first one loads the modules."""
    stats = result.stats
    return (repr(result), result.ok, repr(result.value), result.stdout, result.stderr,
            None if result.error is None else (result.error.traceback, result.error.line, result.error.type, result.error.limit),
            0 if "import" in source else stats.instructions, result.has_value, result.files, result.displays, result.bundle)


@pytest.mark.parametrize("source", LEAVE)
def test_nothing_is_left_for_the_next_guest(source):
    """The same three times: compiled at first, by the short way, and after other guests."""
    rt = kr.Runtime(stdin="line\n")
    look = shown(rt.run(LOOK))
    first = shown(rt.run(source), source)
    for _ in range(2):
        rt.run("1 + 1")
        assert shown(rt.run(source), source) == first
        assert shown(rt.run(LOOK)) == look
    assert rt.run("1 + 1").value == 2
    gc.collect()


@pytest.fixture
def no_collection():
    """What a collection ends within a cell, a generator say, counts in that cell."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("source", LEAVE)
def test_cells_are_as_the_long_way_runs_them(source, no_collection):
    """A cell whose text the cache has does the same as one with an argument that needs the long way."""
    kr.run(source)
    texts = []
    for arguments in ({}, {"limits": kr.Limits()}):
        with kr.Runtime(stdin="line\n").session() as s:
            s.run("before = 1")
            texts.append([shown(s.run(source, **arguments), source) for _ in range(3)] + [s.names()])
            if "stdout.close" not in source:
                texts[-1].append(shown(s.run("print(before, 'text'); before", **arguments)))
    short, long = texts
    assert [each[:-4] if isinstance(each, tuple) and "at 0x" in str(each) else each for each in short] \
        == [each[:-4] if isinstance(each, tuple) and "at 0x" in str(each) else each for each in long] or "0x" in str(long)


def test_errors_name_the_cell():
    with kr.Runtime().session() as s:
        for n in range(1, 4):
            error = s.run("\n1 / 0").error
            assert (error.filename, error.line) == (f"<cell {n}>", 2)
            assert f'File "<cell {n}>", line 2' in error.traceback
            assert "1 / 0" in error.traceback


def test_functions_of_cells_keep_their_names():
    source = "def f():\n    1 / 0\nfs.append(f)"
    with kr.Runtime().session() as s:
        s.run("fs = []")
        for _ in range(3):
            s.run(source)
        for n in range(3):
            assert f'File "<cell {n + 2}>", line 2, in f' in s.run(f"fs[{n}]()").error.traceback


def test_results_stay_as_they_were():
    with kr.Runtime().session() as s:
        kept = [s.run(f"print({n}) if {n} % 2 else {n}") for n in range(2) for _ in range(2)]
        kept += [s.run("1"), s.run("print('x')")]
        for _ in range(3):
            s.run("print('later')")
        assert [each.stdout for each in kept] == ["", "", "1\n", "1\n", "", "x\n"]
        assert [each.value for each in kept] == [0, 0, None, None, 1, None]


def test_results_can_be_copied_and_pickled():
    with kr.Runtime().session() as s:
        for source in ("print('a'); 5", "1 / 0", "7"):
            s.run(source)
            result = s.run(source)
            for made in (copy.copy(result), pickle.loads(pickle.dumps(result))):
                assert (made.stdout, made.value, repr(made)) == (result.stdout, result.value, repr(result))
                assert repr(made.stats) == repr(result.stats)
                assert made != result and result == result
        with pytest.raises(AttributeError):
            result.other = 1


def test_limits_that_are_changed_hold_for_the_next_run():
    limits = kr.Limits()
    rt = kr.Runtime(limits=limits)
    source = "print('x' * 100)"
    with rt.session() as s:
        assert s.run(source).ok and s.run(source).ok and rt.run(source).ok and rt.run(source).ok
        limits.output = 10
        assert s.run(source).error.limit == "output"
        assert rt.run(source).error.limit == "output"
        limits.output = None
        assert s.run(source).ok and rt.run(source).ok


@pytest.mark.parametrize("source, limit, given", [
    ("while True: pass", "seconds", {"seconds": 0.05}),
    ("while True: pass", "instructions", {"instructions": 10_000}),
    ("'x' * 20_000_000", "memory", {"memory": "10MB"}),
    ("x = []\nwhile True: x.append(bytes(1000))", "memory", {"memory": "4MB"}),
    ("while True: print('x' * 100)", "output", {"output": 1000}),
    ("'x' * 5000", "result_size", {"result_size": 1000}),
    ("12345678901234567890 ** 500", "result_size", {"result_size": 1000}),
    ("1 + 1 # long enough", "source_size", {"source_size": 10}),
    ("f()\nf()\nf()", "host_calls", {"host_calls": 2}),
])
def test_limits_hold(source, limit, given):
    """Each time anew, and the next run has the whole of its limits."""
    rt = kr.Runtime(limits=kr.Limits(**given), functions={"f": lambda: None})
    with rt.session() as s:
        s.run("y = 5")
        for _ in range(3):
            for one in (s, rt):
                assert one.run(source).error.limit == limit
                assert one.run("1 + 1").value == 2
        assert s.run("y").value == 5


def test_peak_memory_and_instructions():
    # A cache of its own: what the process shares may be full of programs that are asked for more often.
    with kr.Runtime(cache=kr.ParseCache()).session() as s:
        source = "x = bytes(1_000_000); del x"
        short = [s.run(source).stats for _ in range(3)]
        long = [s.run(source, limits=kr.Limits()).stats for _ in range(3)]
        assert all(each.peak_memory > 1_000_000 for each in short + long)
        assert {each.instructions for each in short} == {each.instructions for each in long}
        assert {each.peak_registers for each in short} == {each.peak_registers for each in long}
        assert all(each.cached and each.run_seconds > 0 for each in short[1:])


def test_one_run_at_a_time():
    entered, leave = threading.Event(), threading.Event()

    def wait():
        entered.set()
        leave.wait(20)

    with kr.Runtime(functions={"wait": wait}).session() as s:
        s.run("1")
        s.run("1 if True else wait()")
        found = []
        threads = threading.Thread(target=lambda: found.append(s.run("wait()")))
        threads.start()
        assert entered.wait(20)
        for call in (lambda: s.run("1"), lambda: s.set(x=1), s.reset, s.close):
            with pytest.raises(kr.SessionError, match="one run at a time"):
                call()
        leave.set()
        threads.join()
        assert found[0].ok and s.run("1").value == 1


def test_cancel_from_another_thread():
    with kr.Runtime().session() as s:
        kr.run("while True: pass", limits=kr.Limits(seconds=0.01))
        s.run("x = 1")
        for _ in range(3):
            def cancel():
                while not s.cancel():
                    time.sleep(0.001)
            thread = threading.Thread(target=cancel)
            thread.start()
            assert s.run("while True: pass").error.limit == "cancelled"
            thread.join()
            assert s.run("x").value == 1
        assert s.cancel() is False


def test_context_variables_of_the_host():
    """A run sees those of its call, in a session too, and does not change them."""
    variable = contextvars.ContextVar("variable", default=0)
    rt = kr.Runtime(functions={"get": variable.get, "put": lambda n: variable.set(n) and None})
    for n in range(3):
        variable.set(n)
        assert rt.run("get()").value == n
        assert rt.run("put(9); get()").value == 9
        assert variable.get() == n
        with rt.session() as s:
            variable.set(100)
            assert [s.run("get()").value for _ in range(2)] == [100, 100]
            assert s.run("put(7); get()").value == 7
            assert s.run("get()").value == 100
            assert variable.get() == 100


def test_host_exceptions_and_interrupts():
    """What a host function raises for its own side comes out of `run`, and the session can go on."""
    def fail(kind):
        raise {"exit": SystemExit, "value": ValueError}[kind]("why")

    rt = kr.Runtime(functions={"fail": fail})
    with rt.session() as s:
        for _ in range(3):
            for one in (s, rt):
                assert one.run("fail('value')").error.type == "ValueError"
                try:
                    result = one.run("fail('exit')")
                except SystemExit:
                    result = None
                assert result is None or not result.ok
                assert one.run("1 + 1").value == 2


def test_runs_within_runs():
    rt = kr.Runtime(functions={"again": lambda n: rt.run("1 + 1").value + n})
    for _ in range(3):
        assert rt.run("again(3)").value == 5
    with rt.session() as s:
        for _ in range(3):
            assert s.run("again(3)").value == 5


def test_many_threads():
    rt = kr.Runtime()
    failed = []

    def work(n):
        try:
            s = rt.session()
            for turn in range(60):
                assert rt.run("x = 20\nx * 2 + 2").value == 42
                assert rt.run("import builtins\nbuiltins.len = 5").ok
                assert rt.run("len('abc')").value == 3
                assert s.run(f"y{n} = {turn % 5}").ok
                assert s.run("print(1)").stdout == "1\n"
            assert s.names() == [f"y{n}"]
        except BaseException as error:
            failed.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failed


def test_sessions_that_run_nothing():
    """They are made when they are needed, and closed without that."""
    rt = kr.Runtime(functions={"f": lambda: 1})
    s = rt.session()
    s.close()
    with pytest.raises(kr.SessionError, match="closed"):
        s.run("1")
    assert repr(s) == "<Session: closed>"
    assert repr(rt.session()) == "<Session: 0 runs>"
    assert rt.session().names() == []
    assert "x" not in rt.session()
    s = rt.session()
    s["x"] = 5
    assert s["x"] == 5 and s.run("x + f()").value == 6
    s.reset()
    assert s.names() == []
    assert rt.session().fork().run("1 + 1").value == 2


def test_texts_of_many_cells():
    with kr.Runtime().session() as s:
        for _ in range(700):
            s.run("1 + 1")      # nobody can ask for the text of what holds no code
        assert s._context.cells == {}
        for _ in range(700):
            s.run("f = lambda: 1")
        kept = s._context.cells
        assert 512 <= len(kept) <= 512 + 64 and "<cell 1400>" in kept and "<cell 701>" not in kept
        s.run("def f(): return 1")
        assert "def f()" in s.run("import inspect; inspect.getsource(f)").value


def test_what_the_collector_finds_while_a_known_program_begins():
    """Finalizers of another guest, which never end, take none of its time."""
    rt = kr.Runtime(limits=kr.Limits(seconds=20))
    rt.run("1 + 1")
    threshold = gc.get_threshold()
    rt.run("class A:\n    def __del__(self):\n        while True: pass\nx = [A()]\nx.append(x)")
    start = time.monotonic()
    gc.set_threshold(1, 1, 1)
    try:
        assert rt.run("1 + 1").value == 2
        assert rt.session().run("1 + 1").value == 2
    finally:
        gc.set_threshold(*threshold)
    assert time.monotonic() - start < 10


LEFT_BEHIND = [
    "1 + 1",
    "x = 5",
    "print('left')",
    "import builtins\nbuiltins.len = lambda x: 0\nbuiltins.left = 1",
    "__builtins__.left = 1",
    "def f(): return f\nx = f",
    "class C:\n    def __del__(self): print('late')\nx = C()",
    "import json, sys\njson.dumps = None\nsys.stdout = None",
    "import decimal\ndecimal.getcontext().prec = 3",
    "import contextvars\nvar = contextvars.ContextVar('var')\nvar.set(1)",
    "import random\nrandom.seed(1)",
    "import warnings\nwarnings.warn('once')",
    "[0] * 1_000_000 and 1",
    "1 / 0",
    "while True: pass",
    "input",
    "host(1)",
]


@pytest.mark.parametrize("source", LEFT_BEHIND, ids=range(len(LEFT_BEHIND)))
@pytest.mark.parametrize("keep", [False, True])
def test_a_new_session_finds_nothing_of_an_earlier_one(source, keep):
    """What is made for a session goes to the next one when it is as it was."""
    rt = kr.Runtime(functions={"host": lambda n: n}, limits=kr.Limits(instructions=3_000_000))
    check = "(sorted(set(dir()) - {'__annotations__'}), len('ab'), 'left' in dir(__builtins__), host(3), bool(print), input)"
    expected = rt.session().run(check).unwrap()[:5]
    held = []
    for _ in range(3):
        old = rt.session()
        held.append(old.run(source) if keep else None)
        assert held[-1] is None or held[-1].ok == (source not in ("1 / 0", "while True: pass"))
        old.run("1 + 1")
        del old
        new = rt.session()
        result = new.run(check)
        assert (result.unwrap()[:5], result.stdout, result.stderr) == (expected, "", "")
        assert new.names() == [] and result.stats.peak_memory < 200_000 and not new._stopped
        assert new.run("import json, sys, decimal\njson.dumps([1]), sys.stdout is None, decimal.getcontext().prec").unwrap() == ("[1]", False, 28)
        assert new.run("1 / 0").error.frames[0].filename == "<cell 3>"
        held.append(new)


def test_the_parts_of_a_session_that_is_gone_are_used_again():
    rt = kr.Runtime(functions={"host": lambda n: n})
    for _ in range(3):
        rt.session().run("1 + 1")
    first = rt.session()
    first.run("1 + 1")
    context = first._context
    serial = context.serial
    del context, first
    second = rt.session()
    assert second.run("1 + 1").value == 2
    assert second._context.serial == serial + 1 and second.run("1 / 0").error.filename == "<cell 2>"


def test_files_of_a_session_that_is_gone_are_not_those_of_the_next():
    rt = kr.Runtime(files={"/a": "1"})
    for source in ("1 + 1", "open('/a').read()", "open('/a', 'w').write('2')", "1 + 1"):
        old = rt.session()
        old.run(source)
        del old
        assert rt.session().run("open('/a').read()").unwrap() == "1"
