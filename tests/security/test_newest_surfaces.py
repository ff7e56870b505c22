"""Attempts at awaited and batched host calls, events, profiles of hostile guests, ends of programs, pools of threads, dumps."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

import pytest

import kimi_runtime as kr

SECRET = "canary-of-the-host-4711"
BURN = "while True: pass"
QUICK = kr.Limits(seconds=0.3, memory="64MB", output=50_000)


def goes_on(session: kr.Session) -> None:
    assert session.run("1 + 1", limits=kr.Limits(seconds=30)).value == 2


# ---- host calls that are awaited together ------------------------------------------------------------------
AWAITING = {
    "a hash that burns": f"class K:\n    def __hash__(self):\n        {BURN}\nasync def m(): await asyncio.gather(*(fetch(i) for i in range(3)))\nasyncio.run(m())\n{{K(): 1}}",
    "endless calls": "async def m():\n    while True: await fetch(1)\nasyncio.run(m())",
    "many at once": "async def m(): await asyncio.gather(*(fetch(i) for i in range(100_000)))\nasyncio.run(m())",
    "cancels them": "async def m():\n    ts = [asyncio.create_task(fetch(i)) for i in range(5)]\n    await asyncio.sleep(0)\n    for t in ts: t.cancel()\n    await asyncio.gather(*ts, return_exceptions=True)\n    print('over')\nasyncio.run(m())",
    "does not wait": "async def m():\n    for i in range(5): asyncio.ensure_future(fetch(i))\nasyncio.run(m())\nprint('over')",
    "burns when one is answered": f"async def one():\n    await fetch(1)\n    try:\n        {BURN}\n    finally: print('never')\nasync def m(): await asyncio.gather(one(), one())\nasyncio.run(m())",
    "burns in a callback": f"def cb(t):\n    {BURN}\nasync def m():\n    t = asyncio.ensure_future(fetch(1))\n    t.add_done_callback(cb)\n    await t\n    await asyncio.sleep(1)\nasyncio.run(m())",
    "closes the coroutine": "async def m():\n    c = fetch(1)\n    try: c.send(None)\n    except BaseException as e: print(type(e).__name__)\n    c.cancel()\nasyncio.run(m())\nprint('over')",
    "awaits twice": "async def m():\n    c = fetch(1)\n    await c\n    try: await c\n    except RuntimeError as e: print(e)\nasyncio.run(m())\nprint('over')",
    "looks into it": "async def m():\n    c = fetch(1)\n    for n in ('cr_frame', 'cr_code', '__self__', '__globals__', 'cr_await', 'gi_frame', '__func__'):\n        print(n, str(getattr(c, n, None))[:40])\n    await c\nasyncio.run(m())\nprint('over')",
    "raises out of tasks": "async def one():\n    await fetch(1)\n    raise SystemExit(3)\nasync def m(): await asyncio.gather(one(), one())\nasyncio.run(m())",
    "a loop of its own": "loop = asyncio.new_event_loop()\nf = asyncio.ensure_future(fetch(1), loop=loop)\nloop.run_until_complete(f)\nloop.close()\nprint('over')",
}


@pytest.mark.parametrize("name", AWAITING)
def test_awaited_calls(name):
    secret = SECRET  # noqa: F841
    seen = []

    async def fetch(number):
        seen.append(number)
        await asyncio.sleep(0)
        return number

    runtime = kr.Runtime(functions={"fetch": fetch}, limits=QUICK)

    async def main():
        session = runtime.session()
        result = await session.run_async("import asyncio\n" + AWAITING[name])
        assert SECRET not in f"{result.stdout}{result.stderr}{result.error}" and "never" not in result.stdout
        assert result.error is None or result.error.limit is not None or result.error.type in ("SystemExit", "RuntimeError", "TypeError", "ValueError"), result.error
        await asyncio.sleep(0)
        assert (await session.run_async("1 + 1", limits=kr.Limits(seconds=30))).value == 2

    began = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - began < 20 and len(seen) < 1_000_000


@pytest.mark.parametrize("answer", [object(), open, sys, {"a": object()}, [lambda: 1], type("C", (), {"__reduce__": lambda self: (print, ())})(), float("nan"), "x" * 50_000_000])
def test_answers_to_pending_calls(answer):
    session = kr.Runtime(limits=kr.Limits(seconds=5, memory="32MB")).session()
    step = session.start("import asyncio\nasync def m(): return await asyncio.gather(fetch(1), fetch(2))\nx = asyncio.run(m())\nprint(type(x[0]).__mro__, dir(x[0])[:3])", await_on={"fetch"})
    try:
        step = step.resume_all({call.id: answer for call in step.pending})
    except TypeError:
        return
    while isinstance(step, kr.Suspended):
        step = step.resume_all({call.id: None for call in step.pending})
    assert "_io" not in step.result.stdout and SECRET not in step.result.stdout


@pytest.mark.parametrize("numbers", [{99: 1}, {-1: 1}, {"1": 1}, {}, {None: 2}])
def test_answers_to_no_call(numbers):
    session = kr.Runtime().session()
    step = session.start("import asyncio\nasync def m(): return await fetch(1)\nasyncio.run(m())", await_on={"fetch"})
    try:
        later = step.resume_all(numbers)
    except (kr.SessionError, LookupError, TypeError, ValueError):
        later = step
    assert isinstance(later, kr.Suspended)
    assert later.resume(5).result.value == 5


# ---- dumps of hostile states -------------------------------------------------------------------------------
STATES = [
    "x = []\nfor _ in range(100_000): x = [x]", "x = {}\nx['x'] = x\ny = (x, [x])\nx['y'] = y", "class M(type):\n    def __getattribute__(c, n): raise SystemExit\nclass A(metaclass=M): pass",
    "class A:\n    __slots__ = ('a', '__dict__')\na = A()\na.a = a", "class A:\n    def __eq__(s, o):\n        while True: pass\n    def __hash__(s): return 1\nd = {A(): 1}\nd[A] = 2",
    "def g():\n    x = yield\n    while True: x = yield x\na = g()\nnext(a)", "import threading\nl = threading.Lock()\nl.acquire()", "import weakref\nclass A: pass\na = A()\nr = weakref.ref(a, lambda r: 1 / 0)",
    "import functools\n@functools.lru_cache\ndef f(x): return f\nf(1)", "x = bytearray(50_000_000)", "import re\nm = re.match('(?P<a>.)*', 'abc')\np = re.compile('a' * 10_000)",
    "class A(Exception):\n    def __str__(s): return s.no\ntry: raise A from A()\nexcept A as e: x = e", "import decimal, datetime\nx = [decimal.Decimal('NaN123'), datetime.timezone(datetime.timedelta(0))]",
]


@pytest.mark.parametrize("number", range(len(STATES)))
def test_dumps(number):
    session = kr.Runtime(limits=kr.Limits(seconds=2, memory="128MB")).session()
    session.run(STATES[number])
    began = time.monotonic()
    try:
        data = session.dump()
        again = kr.load(data)
    except kr.SnapshotError:
        goes_on(session)
        return
    goes_on(again)
    goes_on(session)
    assert time.monotonic() - began < 20


# ---- events and profiles -----------------------------------------------------------------------------------
HOSTILE = {
    "names": "class A: pass\nA.__name__ = 'x' * 10**6\nA.__qualname__ = 'y' * 10**6\ndef f(): return [A() for _ in range(100)]\nf.__name__ = '<script>' * 1000\nf.__qualname__ = 'z' * 10**6\nfor _ in range(3000): f()",
    "many functions": "for i in range(3000): exec(f'def f{i}():\\n    return {i}\\nf{i}()')",
    "file names": "for i in range(300):\n    exec(compile('x = 1', f'<{i}' + 'n' * 5000, 'exec'))",
    "deep": "def f(n): return n and f(n - 1)\nfor _ in range(200): f(500)",
    "traces itself": "import sys\ndef tr(f, e, a):\n    f.f_lineno\n    return tr\nsys.settrace(tr)\nsys.setprofile(tr)\ndef g(): pass\nfor _ in range(2000): g()",
    "finalizers": "class A:\n    def __del__(self):\n        globals()['n'] = n + 1\nn = 0\nfor _ in range(5000): A()",
    "memory": "x = []\nwhile True: x.append(' ' * 10_000)",
    "burns": BURN,
    "exits": "import sys\nsys.exit('x' * 100_000)",
    "threads": "import threading\ndef w():\n    while True: pass\nfor _ in range(50): threading.Thread(target=w).start()",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_profiles_of_hostile_guests(name):
    runtime = kr.Runtime(limits=kr.Limits(seconds=0.5, memory="32MB", output=10_000))
    with runtime.profile(interval=0.001, memory=True):
        result = runtime.run(HOSTILE[name])
    assert result.error is None or result.error.type in ("LimitExceeded", "MemoryError", "RecursionError", "SystemExit") or "cannot trace" in result.error.message, result.error
    for kind in ("html", "json", "collapsed"):
        text = result.profile.encode(kind)
        text = text.decode() if isinstance(text, bytes) else text
        assert SECRET not in text and len(text) < 30_000_000
        if kind == "html":      # what the guest calls its functions is no part of the page's code
            assert "<script><script>" not in text
    assert runtime.run("2").value == 2


@pytest.mark.parametrize("name", HOSTILE)
def test_events_of_hostile_guests(name):
    runtime = kr.Runtime(limits=kr.Limits(seconds=0.5, memory="32MB", output=10_000))

    async def main():
        return [event async for event in runtime.events(HOSTILE[name])]

    events = asyncio.run(main())
    assert 0 < len(events) < 100_000
    assert sum(len(repr(event)) for event in events) < 30_000_000


# ---- ends of programs --------------------------------------------------------------------------------------
ENDS = {
    "excepthook burns": "import sys\ndef hook(*a):\n    {b}\nsys.excepthook = hook\n1 / 0",
    "excepthook recurses": "import sys\nsys.excepthook = lambda *a: sys.excepthook(*a)\n1 / 0",
    "exit functions add more": "import atexit\ndef again(): atexit.register(again)\nagain()",
    "finalizer of a global": "class A:\n    def __del__(self):\n        {b}\na = A()",
    "finalizer makes more": "class A:\n    def __del__(self): globals()['a'] = A()\na = A()",
    "stderr burns": "import sys\nclass E:\n    def write(self, t):\n        {b}\n    def flush(self): pass\nsys.stderr = E()\n1 / 0",
    "stdout burns in flush": "import sys\nclass E:\n    def write(self, t): pass\n    def flush(self):\n        {b}\nsys.stdout = E()",
    "generator left open": "def g():\n    try: yield\n    finally:\n        {b}\na = g()\nnext(a)",
    "threads left": "import threading\ndef w():\n    {b}\nthreading.Thread(target=w).start()",
    "daemons left": "import threading\ndef w():\n    {b}\nthreading.Thread(target=w, daemon=True).start()",
    "text of the exception": "class E(Exception):\n    def __str__(self):\n        {b}\nraise E",
    "exit code": "class C(int):\n    def __index__(self):\n        {b}\n    def __str__(self):\n        {b}\nraise SystemExit(C())",
    "pool left": "from concurrent.futures import ThreadPoolExecutor\np = ThreadPoolExecutor(3)\ndef w():\n    {b}\np.submit(w)",
    "initializer of a pool": "from concurrent.futures import ThreadPoolExecutor\ndef w():\n    {b}\np = ThreadPoolExecutor(3, initializer=w)\nlist(p.map(str, range(3)))",
    "callback of a future": "from concurrent.futures import ThreadPoolExecutor\ndef cb(f):\n    {b}\nwith ThreadPoolExecutor(2) as p: p.submit(len, 'a').add_done_callback(cb)",
    "a pool in its own task": "from concurrent.futures import ThreadPoolExecutor\np = ThreadPoolExecutor(1)\np.submit(lambda: p.submit(len, 'a').result()).result()",
    "weakref callback": "import weakref\nclass A: pass\na = A()\ndef cb(r):\n    {b}\nr = weakref.ref(a, cb)",
}


@pytest.mark.parametrize("name", ENDS)
def test_ends_of_runs(name):
    began = time.monotonic()
    session = kr.Runtime(limits=kr.Limits(seconds=0.3)).session()
    session.run(ENDS[name].format(b=BURN))
    session.close()
    result = kr.Runtime(limits=kr.Limits(seconds=0.3)).run(ENDS[name].format(b=BURN))
    assert time.monotonic() - began < 10
    assert result.error is None or result.error.limit is not None or result.error.type in ("ZeroDivisionError", "E", "SystemExit", "RecursionError", "RuntimeError", "BrokenThreadPool")


@pytest.mark.parametrize("name", ["excepthook recurses", "finalizer makes more", "exit functions add more", "a pool in its own task"])
def test_ends_of_programs_of_the_command(name):
    """Without limits: what does not go on for ever ends, and what does is left to Ctrl-C."""
    command = [sys.executable, "-m", "kimi_runtime", "run", "-c", ENDS[name].format(b="pass")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=8, check=False)
    except subprocess.TimeoutExpired:
        assert name in ("exit functions add more", "a pool in its own task")
        return
    assert done.returncode in (0, 1), done.stderr[-500:]
    assert not any(name in done.stderr for name in ("engine.py", "running.pyx", "programs.py")), done.stderr[-500:]
