"""Runs that stop at calls of the host and go on later."""
import gc
import threading
import time

import pytest

import kimi_runtime as kr


def drive(session, code, answer, names=("ask",), awaited=(), **settings):
    """Runs a program to its end: the calls that it made, and its result."""
    calls = []
    step = session.start(code, suspend_on=names, await_on=awaited, **settings)
    while isinstance(step, kr.Suspended):
        calls.append((step.name, step.args, step.kwargs))
        try:
            value = answer(*step.args, **step.kwargs)
        except Exception as error:
            step = step.throw(error)
        else:
            step = step.resume(value)
    return calls, step.result


def answer(value=0, *, times=2):
    if value == "fail":
        raise ValueError("the host fails")
    return value * times


PROGRAMS = {
    "expressions": "print(ask(1) + ask(2) * ask(ask(3)), [ask(4), (ask(5), {ask(6): ask(7)})])",
    "calls": """
def count(n):
    if not n:
        return ask(1)
    return n + count(n - 1) + ask(n)
print(count(5), ask(3, times=4), ask(*[2], **{"times": 5}), (lambda: ask())())
""",
    "loops": """
found = []
for i in range(5):
    if ask(i) > 4:
        found.append(i)
    while ask(i) < 3:
        i += 1
print(found, [ask(i) for i in range(4) if ask(i)], {i: ask(i) for i in (1, 2)}, {ask(i) for i in "ab"})
for key, value in {"a": 1, "b": 2}.items():
    print(key, ask(value))
for i, pair in enumerate(zip("xy", [1, 2])):
    print(ask(i), pair)
""",
    "exceptions": """
import sys
def inner():
    try:
        ask("fail")
    except ValueError as error:
        print("got", error, sys.exc_info()[1] is error)
        ask(1)
        print(sys.exc_info()[1] is error)
        try:
            raise KeyError(ask(2))
        except KeyError as other:
            print(repr(other.__context__))
            ask(3)
        print(sys.exc_info()[1] is error)
        raise
    finally:
        print("finally", ask(4))
try:
    inner()
except ValueError:
    print(ask(5))
print(sys.exc_info())
""",
    "generators": """
def numbers():
    for i in range(3):
        try:
            yield ask(i)
        finally:
            print("left", ask(10))
def all_numbers():
    total = yield from numbers()
    yield ask(7)
for n in all_numbers():
    print(n, ask(n))
print([n + ask(1) for n in numbers()])
g = (ask(i) for i in range(3))
for n in g:
    print(n)
    break
""",
    "classes": """
class Room:
    def __init__(self, name):
        self.name = ask(name)
    def __enter__(self):
        return ask(self.name)
    def __exit__(self, *details):
        print("exit", details[0], ask(1))
        return True
    def grow(self):
        return self.name + str(ask(2))
room = Room("r")
with room as name:
    print(name, room.grow())
    raise ValueError(ask(3))
def twice(f):
    print("decorates", ask(1))
    return lambda *args: f(*args) * 2
@twice
def plus(a, b=ask(5)):
    return a + b
print(plus(ask(1)))
match ask(2):
    case 4 if ask(0) == 0:
        print("four")
print(f"{ask(1)} {ask(2):>4}")
assert ask(1), "never"
""",
    "builtins": """
import functools
class It:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0: raise StopIteration
        self.n -= 1
        return ask(self.n)
class G:
    def __iter__(self):
        for i in range(3): yield ask(i)
class P:
    @property
    def x(self): return ask(5)
    @functools.cached_property
    def y(self): return 1
def gen():
    for i in range(4): yield ask(i)
print(list(map(ask2 := (lambda x: ask(x)), [1,2,3])), list(filter(lambda x: ask(x) > 4, range(5))))
for a in map(lambda x, y: ask(x) + y, [1, 2], (3, 4, 5)): print(a)
print(sorted([3, 1, 2], key=lambda x: -ask(x)), sorted("bac", key=lambda c: ask(1), reverse=True), sorted(gen(), reverse=True))
print(min([3, 1, 2], key=lambda x: ask(x)), max(gen(), key=lambda x: -ask(x)), min(gen()), max((i for i in ()), default=7), max(3, 4, key=lambda x: ask(x)))
try: min(x for x in ())
except ValueError as e: print(e)
try: max((x for x in ()), key=lambda x: 1)
except ValueError as e: print(e)
print(sum(gen()), sum((ask(i) for i in range(3)), 10), sum((ask(i) for i in range(3)), start=10), any(ask(i) > 3 for i in range(5)), all(ask(i) < 3 for i in range(5)))
print(list(gen()), tuple(gen()), set(gen()), frozenset(gen()) == {0, 2, 4, 6}, dict((i, ask(i)) for i in range(2)), dict(((i, ask(i)) for i in range(2)), z=1))
print(list(It(3)), [x for x in It(2)], list(G()), sum(G()), [x for x in G()])
print(P().x, [P().x for _ in range(3)])
for i, x in enumerate(gen()): print(i, x)
for x, y in zip(gen(), It(2)): print(x, y)
xs = [3, 1, 2]; xs.sort(key=lambda x: ask(x)); xs.extend(gen()); print(xs, ",".join(str(ask(i)) for i in range(3)))
s = set(); s.update(gen()); d = {}; d.update((i, ask(i)) for i in range(2)); print(s, d)
print(functools.reduce(lambda a, b: a + ask(b), [1, 2, 3]), functools.reduce(lambda a, b: a + ask(b), [1, 2, 3], 100))
g = gen(); print(next(g), next(g), next(g), next(g), next(g, "end")); print(next(It(1)), next(It(0), None))
try: next(It(0))
except StopIteration as e: print("stop", e.value)
print(next(map(lambda x: ask(x), [9])))
m = map(lambda x: ask(x), [1, 2, 3])
for x in m:
    print(x); break
print(list(m))
def bad():
    yield ask(1)
    raise KeyError("k")
try: list(bad())
except KeyError as e:
    import traceback; traceback.print_exc()
try: sorted([1, 2], key=lambda x: 1 / (ask(x) - 4))
except ZeroDivisionError as e: traceback.print_exc()
""",
    "uncaught": "x = 1\ndef f():\n    return ask('fail')\nf()\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_suspends_says_what_it_says_with_plain_functions(name):
    code = PROGRAMS[name]
    expected = kr.Runtime(functions={"ask": answer}).session().run(code)
    calls, result = drive(kr.Runtime().session(), code, answer)
    assert calls
    assert (result.stdout, result.stderr, result.value) == (expected.stdout, expected.stderr, expected.value)
    assert (result.error and result.error.traceback) == (expected.error and expected.error.traceback)
    # The same with a function that the runtime has anyway.
    calls_too, result = drive(kr.Runtime(functions={"ask": answer}).session(), code, answer)
    assert calls_too == calls and result.stdout == expected.stdout


def test_each_step_can_run_in_another_thread():
    session = kr.Runtime().session()
    step = session.start("def f(n):\n    return n and f(n - 1) + ask(n)\nprint(f(5))", suspend_on={"ask"})
    found = [step]

    def go_on():
        found.append(found[-1].resume(found[-1].args[0] * 10))

    while isinstance(found[-1], kr.Suspended):
        thread = threading.Thread(target=go_on)
        thread.start()
        thread.join()
    assert len(found) == 6 and found[-1].result.stdout == "150\n"


def test_a_suspended_session_serves_nothing_else():
    session = kr.Runtime().session()
    step = session.start("x = ask(1)\nprint(x)", suspend_on={"ask"})
    assert (step.name, step.args, step.kwargs) == ("ask", (1,), {})
    with pytest.raises(kr.SessionError, match=r"waits for ask\(\); resume that step, or close it"):
        session.run("1")
    with pytest.raises(kr.SessionError):
        session.start("1")
    assert step.resume(3).ok and session.run("x").value == 3
    with pytest.raises(kr.SessionError, match="has gone on already"):
        step.resume(3)
    with pytest.raises(kr.SessionError, match="has gone on already"):
        step.throw(ValueError())


def test_a_step_that_is_closed_or_dropped_leaves_the_session_usable():
    session = kr.Runtime().session()
    code = "seen = ['begun']\ntry:\n    ask(1)\nfinally:\n    seen.append('never')\n"
    step = session.start(code, suspend_on={"ask"})
    step.close()
    step.close()
    with pytest.raises(kr.SessionError, match="was closed"):
        step.resume()
    assert session.run("seen").value == ["begun"]
    step = session.start(code, suspend_on={"ask"})
    del step
    assert session.run("seen").value == ["begun"]
    step = session.start(code, suspend_on={"ask"})
    session.reset()
    assert session.names() == []
    with pytest.raises(kr.SessionError, match="closed or reset"):
        step.resume()
    step = session.start(code, suspend_on={"ask"})
    session.close()
    with pytest.raises(kr.SessionError):
        step.resume()
    with kr.Runtime().session() as session, session.start("ask(1)", suspend_on={"ask"}) as step:
        pass
    assert "closed" in repr(step)


def test_what_native_code_stands_between_is_named():
    session = kr.Runtime().session()
    for code, between in [
        ("class A:\n    def __eq__(self, other): return ask(1)\nA() == 1", "the operator =="),
        ("class A:\n    def __lt__(self, other): return ask(1)\n    __gt__ = __lt__\n[A(), A()].sort()", "list.sort()"),
        ("import re; re.sub('a', lambda m: ask(1), 'a')", "sub()"),
    ]:
        done = session.start(code, suspend_on={"ask"})
        assert isinstance(done, kr.Done) and done.result.error.type == "RuntimeError"
        assert "ask() cannot suspend the program here: it was called through" in done.result.error.message
        assert between in done.result.error.message
    assert session.run("ask(1)").error.type == "RuntimeError"


def test_time_while_suspended_does_not_count():
    session = kr.Runtime().session(limits=kr.Limits(seconds=0.5))
    step = session.start("x = 0\nfor i in range(3):\n    x += ask(i)\nx", suspend_on={"ask"})
    while isinstance(step, kr.Suspended):
        time.sleep(0.2)
        step = step.resume(1)
    assert step.value == 3


def test_what_the_steps_use_counts_together():
    session = kr.Runtime().session(limits=kr.Limits(instructions=300_000))
    step = session.start("while True:\n    for i in range(10000): pass\n    ask(1)", suspend_on={"ask"})
    steps = 0
    while isinstance(step, kr.Suspended):
        steps += 1
        step = step.resume(1)
    assert 5 < steps < 40 and step.result.error.limit == "instructions"
    step = session.start("ask(1)\nwhile True: pass", suspend_on={"ask"}, limits=kr.Limits(seconds=0.05))
    assert step.resume().result.error.limit == "seconds"
    step = session.start("while True: ask(1)", suspend_on={"ask"}, limits=kr.Limits(host_calls=3))
    for _ in range(3):
        step = step.resume(1)
    assert step.result.error.limit == "host_calls"


def test_values_are_converted_as_for_functions_of_the_host():
    session = kr.Runtime().session()
    step = session.start("ask(object())", suspend_on={"ask"})
    assert isinstance(step, kr.Done) and step.result.error.type == "TypeError"
    step = session.start("try:\n    ask([1], key={'a': (1, 2)})\nexcept TypeError as e:\n    print(e)", suspend_on={"ask"})
    assert (step.args, step.kwargs) == (([1],), {"key": {"a": (1, 2)}})
    assert "ask()" in step.resume(threading.Lock()).result.stdout
    step = session.start("ask(1)", suspend_on={"ask"})
    with pytest.raises(TypeError, match="needs an exception"):
        step.throw("text")
    with pytest.raises(SystemExit):
        step.throw(SystemExit(3))
    assert session.run("40 + 2").value == 42


def test_arguments_of_start():
    session = kr.Runtime(functions={"Wrong": KeyError}).session()
    for settings, error in [({"suspend_on": "ask"}, TypeError), ({"suspend_on": ["a b"]}, ValueError), ({"await_on": [1]}, (TypeError, ValueError)),
                            ({"suspend_on": {"Wrong"}}, TypeError)]:
        with pytest.raises(error):
            session.start("1", **settings)
    assert session.start("1 +").result.error.type == "SyntaxError"
    match session.start("ask(1, a=2)", suspend_on={"ask"}):
        case kr.Suspended("ask", (1,), {"a": 2}) as step:
            assert repr(step) == "<Suspended: 1: ask(1, a=2)>"
        case _:
            raise AssertionError
    match step.resume():
        case kr.Done(result):
            assert result.ok


def test_calls_that_are_awaited_are_pending_together():
    code = """
import asyncio
async def one(i):
    first = await fetch(i)
    return first + await fetch(first)
async def main():
    return await asyncio.gather(*(one(i) for i in range(3)))
print(asyncio.run(main()))
"""
    session = kr.Runtime().session()
    step = session.start(code, await_on={"fetch"})
    assert [(each.id, each.name, each.args) for each in step.pending] == [(i + 1, "fetch", (i,)) for i in range(3)]
    with pytest.raises(ValueError, match="3 calls are pending"):
        step.resume(1)
    step = step.resume_all({1: 10, 3: 30})
    assert [(each.id, each.args) for each in step.pending] == [(2, (1,)), (4, (10,)), (5, (30,))]
    step = step.resume(20, id=2).resume_all({4: 1, 5: 3})
    assert [each.args for each in step.pending] == [(20,)]
    assert step.resume(2).result.stdout == "[11, 22, 33]\n"
    step = session.start(code, await_on={"fetch"})
    done = step.throw(OSError("no"), id=2)
    assert done.result.error.type == "OSError"
    step = session.start("import asyncio\nasync def main():\n    async with asyncio.timeout(0.01):\n        await fetch(1)\n"
                         "asyncio.run(main())", await_on={"fetch"})
    step.close()
    assert session.start("fetch(1)", await_on={"fetch"}).result.error.type == "RuntimeError"


def test_nothing_is_left_of_runs_that_were_suspended():
    session = kr.Runtime().session()
    code = """
class Kept: pass
def gen(o):
    while True:
        try:
            raise ValueError(o)
        except ValueError:
            yield ask(1) + 1
def f(o):
    return [x for x in gen(Kept())]
f(Kept())
"""
    session.start(code, suspend_on={"ask"}).close()
    gc.collect()
    before = len(gc.get_objects())
    for i in range(50):
        step = session.start(code, suspend_on={"ask"})
        for _ in range(i % 3):
            step = step.resume(i)
        if i % 2:
            step.close()
        del step
    gc.collect()
    assert len(gc.get_objects()) - before < 50
    for i in range(20):
        session = kr.Runtime().session()
        step = session.start(code, suspend_on={"ask"})
        if i % 2:
            del session
        del step
    gc.collect()
    assert len(gc.get_objects()) - before < 200


@pytest.mark.parametrize("key", ["lambda n: ask(n)", "lambda n: (items.append(0), ask(n))[1]", "lambda n: ask(n) / (n - 1)",
                                 "lambda n: (len(items), ask(n))[1]"])
def test_list_sort_with_a_key_that_suspends_is_like_cpythons(key):
    code = f"""
items = [3, 1, 2]
sizes = []
try:
    items.sort(key={key}, reverse=True)
except Exception as error:
    print(type(error), error)
print(items)
"""
    _, result = drive(kr.Runtime().session(), code, answer)
    printed = []
    exec(code, {"ask": answer, "print": lambda *args: printed.append(" ".join(map(str, args)))})
    assert result.stdout.splitlines() == printed


def test_functions_go_by_the_names_that_the_host_gives_them():
    """Which may be others than their own, or those of several."""
    pytest.importorskip("lz4")

    def ask_user(question):
        raise AssertionError("the program is suspended instead")

    rt = kr.Runtime(functions={"approve": ask_user, "refuse": lambda why: None})
    step = rt.session().start("approve(1), refuse(2)", suspend_on={"approve", "refuse"})
    for _ in range(2):
        step = kr.load(step.dump(), rt)
        assert step.name == ("approve", "refuse")[step.args[0] - 1]
        step = step.resume(step.args[0] * 10)
    assert step.result.unwrap() == (10, 20)
