"""Attempts at what lies between host and guest beside plain calls: suspended runs, forks, snapshots, policies, displays, mounts, checks."""

from __future__ import annotations

import datetime

import pytest

import kimi_runtime as kr

SECRET = "canary-of-the-host-4711"
BURN = "while True: pass"
SHORT = kr.Limits(seconds=0.2)


class Held:
    def __init__(self):
        self._hidden = SECRET


def ended(step):
    while isinstance(step, kr.Suspended):
        step = step.resume(None)
    return step.result


# ---- suspended runs ----------------------------------------------------------------------------------------
LOOKS = [
    "ask.__globals__", "ask.__code__", "ask.__self__.__class__", "ask.__closure__", "ask.__wrapped__", "ask.__func__", "ask.__dict__['x']",
    "type(ask)()", "type(ask)(1)", "ask.x = 1", "del ask.__name__", "ask.__reduce__()", "ask.__reduce_ex__(4)",
    "import sys\nsys._getframe(1)", "import sys\nsys._getframe(5)", "import inspect\ninspect.getsource(ask)", "import copy\ncopy.deepcopy(ask).__globals__",
    "try: 1 / 0\nexcept Exception as e: e.__traceback__.tb_frame.f_back.f_back.f_back.f_locals",
]


@pytest.mark.parametrize("look", LOOKS)
def test_what_suspends_shows_nothing(look):
    session = kr.Runtime().session()
    step = session.start(f"ask(1)\n{look}", suspend_on={"ask"})
    result = ended(step)
    assert result.error is not None and result.error.limit is None
    assert SECRET not in f"{result.stdout}{result.error}"


@pytest.mark.parametrize("source", [
    f"try:\n    ask()\nfinally:\n    {BURN}",
    f"try:\n    ask()\nexcept BaseException:\n    {BURN}\n{BURN}",
    f"class C:\n    def __enter__(self): ask()\n    def __exit__(self, *a):\n        {BURN}\nwith C(): ask()",
    f"def g():\n    try: yield ask()\n    finally:\n        {BURN}\nfor _ in g(): break",
    "while True: ask()",
    "def f():\n    ask()\n    f()\nf()",
])
def test_limits_count_over_steps(source):
    # Without a limit of host calls: a fast machine makes a million of them in the time.
    session = kr.Runtime(limits=kr.Limits(seconds=0.1, recursion=200, host_calls=None)).session()
    step = session.start(source, suspend_on={"ask"})
    while isinstance(step, kr.Suspended):
        step = step.resume(None)
    assert step.result.error.limit in ("seconds", "recursion") or step.result.error.type == "RecursionError"
    # With time of its own: a busy machine may well be away for a tenth of a second.
    assert session.run("1 + 1", limits=kr.Limits(seconds=30)).value == 2


def test_nothing_runs_when_a_suspended_run_is_dropped():
    session = kr.Runtime().session()
    step = session.start("seen = []\nclass A:\n    def __del__(self): seen.append('del')\ndef f():\n    a = A()\n    try: ask()\n    finally: seen.append('finally')\nf()",
                         suspend_on={"ask"})
    step.close()
    assert "finally" not in session["seen"]         # finalizers of what is released run, in a time of their own
    assert session.run("'finally' in seen").value is False


@pytest.mark.parametrize("value", [Held(), Held, object(), open, __import__("os"), (n for n in "ab"), lambda: Held()])
def test_answers_are_converted(value):
    session = kr.Runtime().session()
    step = session.start("x = ask()\nprint(dir(x))\nx._hidden", suspend_on={"ask"})
    try:
        result = ended(step.resume(value))
    except TypeError:
        return
    assert result.error is not None
    assert SECRET not in f"{result.stdout}{result.error}"


def test_exceptions_that_are_thrown_bring_no_frames():
    def fail():
        secret = SECRET  # noqa: F841
        raise ValueError("no")

    session = kr.Runtime().session()
    step = session.start("import traceback\ntry: ask()\nexcept ValueError as e:\n    traceback.print_exc()\n    t = e.__traceback__\n"
                         "    while t:\n        print(t.tb_lineno, hasattr(t, 'tb_frame'))\n        t = t.tb_next", suspend_on={"ask"})
    try:
        fail()
    except ValueError as error:
        result = ended(step.throw(error))
    assert "fail" not in result.stdout + result.stderr and "secret" not in result.stdout
    assert result.ok


# ---- forks and snapshots -----------------------------------------------------------------------------------
def test_forks_share_nothing_that_changes():
    first = kr.Runtime().session()
    first.run("import json, decimal\nx = [1]\nclass A: n = 1\ndef f(d=[]):\n    d.append(1)\n    return len(d)\nf()\njson.own = 1\ndecimal.getcontext().prec = 9", check=True)
    second = first.fork()
    second.run("x.append(2)\nA.n = 5\nf()\nf()\njson.own = 2\ndecimal.getcontext().prec = 3", check=True)
    assert first.run("(x, A.n, f(), json.own, decimal.getcontext().prec)").value == ([1], 1, 2, 1, 9)


@pytest.mark.parametrize("hook", ["__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getattribute__", "__getnewargs__", "__hash__", "__eq__", "__len__", "__del__", "__class_getitem__"])
def test_saving_and_loading_run_no_code_of_the_guest(hook):
    session = kr.Runtime().session()
    session.run(f"class A:\n    def {hook}(self, *a):\n        globals()['ran'] = 1\n        raise ValueError\na = A.__new__(A)\nran = 0", check=True)
    session.run("ran = 0", check=True)
    data = session.dump()
    assert session["ran"] == 0
    assert kr.load(data)["ran"] == 0


# ---- policies ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("source", [
    "import time\nwhile True: time.sleep(1000)",
    "import asyncio\nasync def main():\n    while True: await asyncio.sleep(10**6)\nasyncio.run(main())",
    "import threading\nwhile True: threading.Event().wait(10**5)",
    "import queue\nwhile True:\n    try: queue.Queue().get(timeout=10**5)\n    except queue.Empty: pass",
    # beyond what a clock can be moved in all
    "import time\nwhile True: time.sleep(10**8)",
    "import asyncio\nasync def main():\n    while True: await asyncio.sleep(10**8)\nasyncio.run(main())",
    "import threading\nwhile True: threading.Event().wait(10**8)",
    "import threading, time\nthreading.Thread(target=lambda: [time.sleep(10**8) for _ in range(10**9)]).start()\nwhile True: time.sleep(3 * 10**8)",
])
def test_skipped_sleep_does_not_skip_limits(source):
    rt = kr.Runtime(policy=kr.Policy(clock=datetime.datetime(2024, 1, 1), moves=False, sleep="skip"), limits=SHORT)
    assert rt.run(source).error.limit == "seconds"


@pytest.mark.parametrize("wait", ["threading.Event().wait(9e8)", "threading.Lock().acquire(timeout=9e8) or l.acquire(timeout=9e8)", "q.get(timeout=9e8)", "time.sleep(9e8)"])
def test_waits_beyond_the_end_of_the_clock_end(wait):
    """A clock that skips stands still a hundred years on: nothing waits for what it will never show."""
    source = f"import threading, time, queue\nl = threading.Lock()\nl.acquire()\nq = queue.Queue()\nfor _ in range(12):\n    try: {wait}\n    except queue.Empty: pass\n'over'"
    rt = kr.Runtime(policy=kr.Policy(clock=datetime.datetime(2024, 1, 1), moves=False, sleep="skip"), limits=kr.Limits(seconds=0.6))
    result = rt.run(source)
    assert result.value == "over" or result.error.limit == "seconds"


# ---- displays ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("body", [BURN, "return 'x' * 10**9", "return self._repr_html_()", "raise SystemExit", "raise KeyboardInterrupt", "return [0] * 10**9", "return Liar()"])
def test_displays_are_bounded(body):
    source = ("class Liar(str):\n    def __len__(self): return -1\n    def __str__(self): return 1\n    def encode(self, *a): return 'no bytes'\n"
              f"class A:\n    def _repr_html_(self):\n        {body}\ndisplay(A())\nA()")
    rt = kr.Runtime(displays=True, limits=kr.Limits(seconds=0.3, memory="64MB", output=10_000))
    result = rt.run(source)
    assert sum(len(str(shown)) for shown in result.displays) < 20_000
    assert rt.run("1").value == 1


def test_displays_of_nothing_are_output_too():
    rt = kr.Runtime(displays=True, limits=kr.Limits(seconds=5, output=10_000))
    result = rt.run("while True: display({}, raw=True)")
    assert result.error.limit == "output" and len(result.displays) < 200


# ---- mounts ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", ["ro", "rw", "overlay"])
@pytest.mark.parametrize("path", ["/mnt/../secret", "/mnt/link", "/mnt/linked/secret", "/mnt/./../../secret", "//mnt//..//secret", "/mnt/made"])
def test_mounts_hold_what_they_are_given(tmp_path, path, mode):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret").write_text(SECRET)
    (inside / "link").symlink_to("../secret")
    (inside / "linked").symlink_to("..")
    source = f"""
import os
try: os.symlink({str(tmp_path / 'secret')!r}, '/mnt/made')
except OSError: pass
for path in ({path!r}, {str(tmp_path / 'secret')!r}):
    try: print(open(path).read())
    except OSError as error: print(type(error).__name__)
    try:
        with open(path, 'w') as f: f.write('x')
    except OSError: pass
"""
    result = kr.Runtime(mounts=[kr.Mount(str(inside), "/mnt", mode=mode)]).run(source)
    assert SECRET not in result.stdout + result.stderr
    assert (tmp_path / "secret").read_text() == SECRET


# ---- others ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("source", ["(" * 5000, "-" * 50_000 + "1", "a" + ".b" * 20_000, "[" * 150 + "]" * 150, "if 1:\n" * 3, "x = " + "1 + " * 50_000 + "1", "\0", "def f(): " * 200])
def test_checks_of_hostile_sources_end(source):
    kr.check(source)


def test_a_name_with_a_hash_of_its_own_does_not_crash():
    result = kr.run("import contextvars\nclass S(str):\n    def __hash__(self): raise ValueError('no hash')\n"
                    "v = contextvars.ContextVar(S('x'), default=3)\nv.set(4)\nr = repr(v)\ndel v\n'lives'")
    assert result.value == "lives" or result.error.type in ("ValueError", "TypeError")


@pytest.mark.parametrize("source", [
    "f = open('/a', 'wb')\nfor i in range(1, 2000):\n    f.seek(i * 1_000_000)\n    f.write(b'x'); f.flush()",
    "f = open('/a', 'wb')\nfor i in range(1, 2000): f.truncate(i * 1_000_000)",
    "import os\nfd = os.open('/a', os.O_CREAT | os.O_RDWR)\nos.lseek(fd, 10**11, 0)\nos.write(fd, b'x')",
    "for i in range(200):\n    with open(f'/a{i}', 'wb') as f: f.truncate(5_000_000)",
])
def test_sparse_files_count(source):
    error = kr.Runtime(limits=kr.Limits(memory="16MB"), files={}).run(source).error
    assert error.limit == "memory" or error.type == "OSError" and "No space left" in error.message


# ---- programs without jumps --------------------------------------------------------------------------------
@pytest.mark.parametrize("operation", ["s + s", "x = s; x += s", "f'{s}{s}'", "l[::-1]", "[*l, *l]", "(*l,)", "{**d}", "set(d)", "s < s[1:]", "not s + s", "l + l", "s + 'a'"])
def test_a_stop_comes_between_natives_in_a_row(operation):
    """Each takes some milliseconds, and neither jumps nor calls of the guest's functions lie between them."""
    head = "s = 'a' * 20_000_000\nl = [1] * 1_000_000\nd = dict.fromkeys(range(300_000))\n"
    result = kr.Runtime(limits=kr.Limits(seconds=0.1)).run(head + f"{operation}\n" * 1000)
    assert result.error.limit == "seconds"
    assert result.stats.run_seconds < 1.5


def test_a_stop_comes_while_callers_end():
    source = "s = 'a' * 20_000_000\ndef f(n):\n    if n: f(n - 1)\n    set(s) and s + s\nf(300)"
    result = kr.Runtime(limits=kr.Limits(seconds=0.1)).run(source)
    assert result.error.limit == "seconds" and result.stats.run_seconds < 1.5
