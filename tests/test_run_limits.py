"""Limits of a run: it ends in time, nothing of the guest runs after a stop, and the process and the host go on."""

from __future__ import annotations

import gc
import io
import os
import threading
import time

import pytest

import kimi_runtime as kr
from kimi_runtime import _core

pytestmark = pytest.mark.unsteady

SECONDS = 0.2


def stopped(source, **limits):
    """Runs a program that must be stopped. Returns the result and how much processor time it took: a machine that is busy
    with other things is no failure, a hang is one."""
    limits = {"seconds": SECONDS, **limits}
    start, used = time.monotonic(), time.process_time()
    result = kr.run(source, limits=kr.Limits(**limits))
    took, used = time.monotonic() - start, time.process_time() - used
    assert took < limits["seconds"] + 30
    assert result.error is not None and result.error.type == "LimitExceeded", (source, result)
    return result, used


# Each would go on for ever, or for hours.
ENDLESS = [
    "while True: pass",
    "def f():\n    while True: f2()\ndef f2(): pass\nf()",
    "[0 for _ in iter(int, 1)]",
    "sum(range(10**12))",
    "max(range(10**12))",
    "list(iter(int, 1))",
    "set(iter(int, 1))",
    "tuple(x for x in iter(int, 1))",
    "dict.fromkeys(iter(int, 1))",
    "10**9 in iter(int, 1)",
    "all(x >= 0 for x in range(10**12))",
    "a, *b = iter(int, 1)",
    "print(*iter(int, 1))",
    "next(filter(None, iter(int, 1)))",
    "for a, b in zip(iter(int, 1), iter(int, 1)): pass",
    "[].extend(iter(int, 1))",
    "' '.join(iter(str, 1))",
    "bytes(iter(int, 1))",
    "import itertools\n-1 in itertools.count()",
    "import itertools\nmin(itertools.cycle([1]))",
    "import itertools\nlist(itertools.repeat(1))",
    "import itertools\nlist(itertools.islice(itertools.count(), 10**12, None))",
    "import itertools\nfor _ in itertools.product(range(10**4), repeat=4): pass",
    "import itertools\nsum(1 for _ in itertools.permutations(range(20)))",
    "import itertools, collections\ncollections.deque(itertools.combinations(range(60), 30), 0)",
    "import functools, itertools\nfunctools.reduce(max, itertools.count())",
    "import heapq, itertools\nheapq.nlargest(2, itertools.count())",
    "import collections, itertools\ncollections.Counter(itertools.cycle('ab'))",
    "sorted(range(3), key=lambda k: sum(iter(int, 1)))",
    "class A:\n    def __eq__(self, o):\n        while True: pass\n    __hash__ = None\n[A()].index(1)",
    "class A:\n    def __hash__(self):\n        while True: pass\n{A(): 1}",
    "class A:\n    def __getattr__(self, n):\n        while True: pass\nhasattr(A(), 'x')",
    "class A:\n    def __del__(self):\n        while True: pass\nA()\n1",
    "def d(f):\n    while True: pass\n@d\ndef g(): pass",
    "import time\ntime.sleep(100)",
    "import time\ntry:\n    time.sleep(100)\nexcept BaseException:\n    time.sleep(100)",
    "import asyncio\nasync def f():\n    while True: await asyncio.sleep(0)\nasyncio.run(f())",
    "import asyncio\nasync def f():\n    await asyncio.sleep(100)\nasyncio.run(f())",
    "import asyncio\nasync def f():\n    await asyncio.get_running_loop().create_future()\nasyncio.run(f())",
    "exec('while True: pass')",
    "raise StopIteration if not sum(iter(int, 1)) else ValueError",
    "match [0]:\n    case [x] if sum(iter(int, 1)): pass",
    "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "while True:\n    try:\n        while True: pass\n    finally: continue",
    "def f():\n    try:\n        while True: pass\n    finally:\n        while True: pass\nf()",
    "class C:\n    def __enter__(self): return self\n    def __exit__(self, *a): return True\nwhile True:\n    with C():\n        while True: pass",
    "import threading\nt = threading.Thread(target=lambda: sum(iter(int, 1)))\nt.start()\nt.join()",
    "import threading\ndef f():\n    while True: pass\nfor _ in range(5): threading.Thread(target=f).start()\nf()",
    "import threading\nthreading.Event().wait(100)",
    "import queue\nqueue.Queue().get(timeout=100)",
    "import threading, time\nt = threading.Thread(target=time.sleep, args=(100,))\nt.start()\nt.join()",
    "def g():\n    while True:\n        try: yield\n        except GeneratorExit: pass\nfor x in g(): pass",
]


@pytest.mark.parametrize("source", ENDLESS)
def test_time(source):
    result, took = stopped(source)
    assert result.error.limit == "seconds"
    assert took < SECONDS + 2       # modules that are loaded for the first time do not count for the run
    assert kr.run("1 + 1").value == 2


WITNESSES = [
    "import threading\ndef f():\n    try:\n        {loop}\n    finally:\n        {seen}\nt = threading.Thread(target=f)\nt.start()\nt.join()\n{seen}",
    "import threading, time\ndef f():\n    try:\n        time.sleep(100)\n    finally:\n        {seen}\nthreading.Thread(target=f).start()\n"
    "time.sleep(0.001)\n{loop}",
    "try:\n    {loop}\nexcept BaseException:\n    {seen}",
    "try:\n    {loop}\nexcept:\n    {seen}",
    "try:\n    {loop}\nfinally:\n    {seen}",
    "try:\n    {loop}\nexcept* BaseException:\n    {seen}",
    "class C:\n    def __enter__(self): pass\n    def __exit__(self, *a):\n        {seen}\nwith C():\n    {loop}",
    "class A:\n    def __del__(self):\n        {seen}\na = A()\n{loop}",
    "class A:\n    def __del__(self):\n        {seen}\ndef f():\n    a = A()\n    {loop}\nf()",
    "def g():\n    try:\n        yield\n    finally:\n        {seen}\nx = g()\nnext(x)\n{loop}",
    "def g():\n    try:\n        yield\n    except GeneratorExit:\n        {seen}\nx = g()\nnext(x)\n{loop}",
    "def g():\n    try:\n        {loop}\n        yield\n    finally:\n        {seen}\nlist(g())",
    "def g():\n    try:\n        yield from h()\n    finally:\n        {seen}\ndef h():\n    {loop}\n    yield\nlist(g())",
    "import weakref\nclass A: pass\na = A()\nr = weakref.ref(a, lambda _: print('seen'))\n{loop}",
    "import weakref\nclass A: pass\na = A()\nweakref.finalize(a, print, 'seen')\n{loop}",
    "import atexit\natexit.register(print, 'seen')\n{loop}",
    "import sys\nsys.excepthook = lambda *a: print('seen')\n{loop}",
    "import sys\nsys.unraisablehook = lambda *a: print('seen')\nclass A:\n    def __del__(self): 1 / 0\na = A()\n{loop}",
    "import contextlib\nwith contextlib.ExitStack() as s:\n    s.callback(print, 'seen')\n    {loop}",
    "import contextlib\nwith contextlib.suppress(BaseException):\n    {loop}\n{seen}",
    "def f():\n    {loop}\nsorted([1, 2], key=lambda k: f())\n{seen}",
    "class A:\n    def __getattr__(self, n):\n        {loop}\nhasattr(A(), 'x')\n{seen}",
    "class A:\n    def __set_name__(self, o, n):\n        {loop}\ntry:\n    class B:\n        a = A()\nexcept BaseException:\n    {seen}",
    "import asyncio\nasync def f():\n    try:\n        {loop}\n    finally:\n        {seen}\nasyncio.run(f())",
    "import asyncio\nasync def f():\n    {loop}\nasync def g():\n    r = await asyncio.gather(f(), return_exceptions=True)\n    {seen}\nasyncio.run(g())",
    "import asyncio\nasync def f():\n    try:\n        await asyncio.sleep(100)\n    finally:\n        {seen}\nasync def g():\n    t = asyncio.create_task(f())\n"
    "    await asyncio.sleep(0)\n    {loop}\nasyncio.run(g())",
    "async def f():\n    try:\n        yield 1\n    finally:\n        {seen}\nasync def g():\n    async for x in f():\n        {loop}\nimport asyncio\nasyncio.run(g())",
]


@pytest.mark.parametrize("loop", ["while True: pass", "sum(range(10**12))"])
@pytest.mark.parametrize("source", WITNESSES)
def test_nothing_of_the_guest_runs_after_a_stop(source, loop):
    result, _ = stopped("print('before')\n" + source.format(loop=loop, seen="print('seen')"), seconds=0.05)
    assert result.stdout == "before\n"
    assert result.stderr == ""


def test_the_error_says_which_limit_and_where():
    result, _ = stopped("def f():\n    while True:\n        pass\n\nf()\n", seconds=0.05)
    error = result.error
    assert (error.limit, error.line, error.filename) in (("seconds", 2, "<guest>"), ("seconds", 3, "<guest>"))
    assert error.message == "the run took longer than its limit of 0.05 seconds (limits: seconds=0.05)"
    assert error.traceback.startswith("Traceback (most recent call last):\n  File \"<guest>\", line 5, in <module>\n    f()\n")
    assert error.traceback.endswith("\nLimitExceeded: " + error.message + "\n")
    with pytest.raises(kr.LimitExceeded, match="the run took longer than its limit of 0.05 seconds"):
        kr.run("while True: pass", limits=kr.Limits(seconds=0.05), check=True)
    with pytest.raises(kr.LimitExceeded):
        result.unwrap()


def test_an_error_of_the_guest_is_no_limit():
    assert kr.run("1 / 0").error.limit is None
    class_of_the_guest = kr.run("class LimitExceeded(Exception): pass\nraise LimitExceeded('x')").error
    assert (class_of_the_guest.type, class_of_the_guest.limit) == ("LimitExceeded", None)


@pytest.mark.parametrize("most", [1, 100, 1999, 2000, 2001, 12_345, 1_000_000])
def test_instructions(most):
    result, _ = stopped("n = 0\nwhile True:\n    n += 1\n    print(n)", seconds=20, instructions=most)
    assert result.error.limit == "instructions"
    assert most <= result.stats.instructions <= most + 50
    assert f"limit of {most:,} instructions" in result.error.message


LONG = "\n".join(f"    t = (t + {n}) & 1023" for n in range(600))      # 1200 instructions without a jump or a call


@pytest.mark.parametrize(
    "source",
    [
        f"t = 0\nwhile True:\n{LONG}",
        f"def f(t):\n{LONG}\n    return t\nwhile True: f(1)",
        f"def f(t):\n{LONG}\n    return t\nsorted(range(10 ** 5), key=f)",
        f"def f(t):\n{LONG}\n    yield t\nwhile True:\n    for v in f(1): pass",
        f"for n in range(100): pass\nt = 0\nwhile True:\n{LONG}",
    ],
)
def test_instructions_of_long_bodies(source):
    """Limits are looked at after so many jumps and calls: there are few of them here."""
    result, _ = stopped(source, seconds=20, instructions=200_000)
    assert result.error.limit == "instructions"
    assert 200_000 < result.stats.instructions <= 205_000


def test_instructions_of_native_calls_back_into_the_guest():
    source = "def key(k):\n    return -k\nwhile True:\n    sorted(range(100), key=key)"
    result, _ = stopped(source, seconds=20, instructions=50_000)
    assert result.error.limit == "instructions"
    assert result.stats.instructions < 100_000


@pytest.mark.parametrize(
    "source",
    [
        "for _ in map(abs, iter(int, 1)): pass",
        "sum(iter(int, 1))",
        "next(v for v in iter(int, 1) if v)",
        "sum(1 for _ in iter(int, 1))",
        "import itertools\nmin(itertools.count())",
    ],
)
def test_instructions_of_loops_over_native_iterators(source):
    result, _ = stopped(source, seconds=20, instructions=50_000)
    assert result.error.limit == "instructions"
    assert result.stats.instructions < 70_000


def test_instructions_of_all_threads():
    source = "import threading\ndef f():\n    while True: pass\nfor _ in range(8): threading.Thread(target=f).start()\nf()"
    result, took = stopped(source, seconds=20, instructions=3_000_000)
    assert result.error.limit == "instructions"
    assert took < 10


def test_a_run_within_its_instructions():
    source = "n = 0\nfor k in range(10_000):\n    n += k\nn"
    used = kr.run(source).stats.instructions
    assert kr.run(source, limits=kr.Limits(instructions=used), check=True).value == 49995000
    assert kr.run(source, limits=kr.Limits(instructions=used // 2)).error.limit == "instructions"


def test_processor_time():
    result, took = stopped("while True: pass", seconds=30, cpu_seconds=0.1)
    assert result.error.limit == "cpu_seconds"
    assert took < 10
    assert "0.1 seconds of processor time" in result.error.message
    assert kr.run("import time\ntime.sleep(0.2)", limits=kr.Limits(cpu_seconds=0.1)).ok


BURN = """
import threading, time
def burn():
    end = time.thread_time() + {each}
    while time.thread_time() < end: pass
threads = [threading.Thread(target=burn) for _ in range(3)]
for t in threads: t.start()
for t in threads: t.join()
'done'
"""


def test_processor_time_of_all_threads_counts_together():
    limits = kr.Limits(seconds=60, cpu_seconds=0.3)
    kr.run("import threading")
    assert kr.run(BURN.format(each=0.02), limits=limits, check=True).value == "done"
    used = time.process_time()
    result = kr.run(BURN.format(each=0.15), limits=limits)      # no thread alone uses so much
    used = time.process_time() - used
    assert result.error.limit == "cpu_seconds"
    assert 0.29 < used < 2


def test_processor_time_of_threads_that_take_turns():
    # Each turn is too short for a look at the clock.
    source = """
import threading
a, b = threading.Semaphore(1), threading.Semaphore(0)
def f(mine, other):
    while True:
        mine.acquire()
        for _ in range(200): pass
        other.release()
threading.Thread(target=f, args=(a, b)).start()
f(b, a)
"""
    used = time.process_time()
    result = kr.run(source, limits=kr.Limits(seconds=60, cpu_seconds=0.2))
    used = time.process_time() - used
    assert result.error.limit == "cpu_seconds"
    assert 0.15 < used < 2


def test_processor_time_of_a_run_inside_a_run():
    used = []

    def inner(seconds):
        begun = time.thread_time()
        limit = kr.run("while True: pass", limits=kr.Limits(seconds=60, cpu_seconds=seconds)).error.limit
        used.append(time.thread_time() - begun)
        return limit

    def work(seconds):
        begun = time.thread_time()
        while time.thread_time() < begun + seconds:
            pass

    source = "work(0.3)\nassert inner(0.05) == 'cpu_seconds'\ninner(9)\nwhile True: pass"
    result = kr.Runtime(functions={"inner": inner, "work": work}).run(source, limits=kr.Limits(seconds=60, cpu_seconds=0.2))
    assert result.error.limit == "cpu_seconds"          # what the inner runs have used is used of the outer one
    assert 0.05 <= used[0] < 0.12 < used[1] < 1          # and what the host's own code uses is not


def test_a_compilation_ends_with_its_run():
    sources = ["a = f(b, c * 2)[3]\n" * 100_000, "x = [" + "a + 1, " * 300_000 + "]", "def f(a, b=1):\n  for i in a: pass\n" * 50_000]
    for attack in ("compile(S, 'f', 'exec')", "import ast\nast.parse(S)"):
        kr.run("import ast")
        for source in sources:
            used = time.process_time()
            result = kr.run(attack, inputs={"S": source}, limits=kr.Limits(seconds=0.1, memory="1GB"))
            used = time.process_time() - used
            assert result.error.limit == "seconds", (attack, source[:20])
            assert used < 1.5
    # A short one is not refused, however little time is left.
    assert kr.run("compile('x = 1\\n' * 1000, 'f', 'exec')\n1", limits=kr.Limits(seconds=60, cpu_seconds=0.05)).value == 1


def test_output():
    result, _ = stopped("print('ab')\nwhile True: print('xyz')", output=20)
    assert result.error.limit == "output"
    assert result.stdout == "ab\nxyz\nxyz\nxyz\nxyz\nx\n[output stopped at the limit of 20 bytes]\n"
    result, _ = stopped("import sys\nprint('ä' * 5)\nwhile True: print('ö', file=sys.stderr)", output=15)
    assert (result.stdout, result.stderr) == ("äääää\n", "ö\n\n[output stopped at the limit of 15 bytes]\n")
    result, _ = stopped("import sys\nsys.stdout.write('x' * 10**6)", output="1KB")
    assert len(result.stdout) < 1100
    assert kr.run("print('x' * 9)", limits=kr.Limits(output=10), check=True).stdout == "x" * 9 + "\n"
    result, _ = stopped("try:\n    print('x' * 100)\nfinally:\n    print('seen')", output=10)
    assert "seen" not in result.stdout


def test_output_to_the_host():
    out = io.StringIO()
    result = kr.Runtime(stdout=out, limits=kr.Limits(output=10)).run("while True: print('abc')")
    assert result.error.limit == "output"
    assert out.getvalue() == "abc\nabc\nab\n[output stopped at the limit of 10 bytes]\n"


def test_recursion():
    source = "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\nf({})"
    limits = kr.Limits(recursion=100)
    assert kr.run(source.format(98), limits=limits, check=True).value == 98
    error = kr.run(source.format(101), limits=limits).error
    assert (error.type, error.limit) == ("RecursionError", None)
    assert kr.run("import sys\nsys.getrecursionlimit()", limits=limits).value == 100


def test_source_size():
    limits = kr.Limits(source_size=10)
    assert kr.run("x = 1\nx", limits=limits).value == 1
    error = kr.run("x = 1" + " " * 10, limits=limits).error
    assert (error.type, error.limit, error.line) == ("LimitExceeded", "source_size", None)
    assert error.message == "the source is longer than the limit of 10 allows (limits: source_size=10)"


def test_limits_of_a_runtime_and_of_a_run():
    rt = kr.Runtime(limits=kr.Limits(instructions=1000))
    assert rt.run("while True: pass").error.limit == "instructions"
    assert rt.run("n = 0\nwhile n < 10_000: n += 1\nn", limits=None).value == 10_000
    assert rt.run("while True: pass", limits=kr.Limits(seconds=0.05)).error.limit == "seconds"
    assert kr.Runtime(limits=None).run("1").value == 1


def test_limits_are_on_by_default():
    limits = kr.Limits()
    assert None not in (limits.seconds, limits.recursion, limits.output, limits.source_size)


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ({"seconds": 0}, ValueError, "seconds must be positive"),
        ({"seconds": float("nan")}, ValueError, "seconds must be positive"),
        ({"seconds": "1"}, TypeError, "seconds must be a number or None, not str"),
        ({"seconds": True}, TypeError, "seconds must be a number or None, not bool"),
        ({"output": "64 XB"}, ValueError, "output='64 XB' is not a size"),
        ({"output": "many"}, ValueError, "output='many' is not a size"),
        ({"output": -1}, ValueError, "output must be positive, not -1"),
        ({"output": 1.5}, TypeError, "output must be an int or a text such as '64MB', not float"),
        ({"instructions": 0}, ValueError, "instructions must be positive"),
        ({"recursion": 0}, ValueError, "recursion must be positive"),
        ({"recursion": 1.5}, TypeError, "recursion must be a number or None, not float"),
    ],
)
def test_limits_that_cannot_be(arguments, kind, words):
    with pytest.raises(kind, match=words):
        kr.Limits(**arguments)


def test_sizes():
    assert kr.Limits(output="64MB").output == 64_000_000
    assert kr.Limits(output="1.5KiB").output == 1536
    assert kr.Limits(output="10").output == 10
    assert kr.Limits(output=7).output == 7
    assert repr(kr.Limits()).startswith("Limits(seconds=30.0, ")
    with pytest.raises(TypeError, match="limits must be a kimi_runtime.Limits or None, not dict"):
        kr.run("1", limits={"seconds": 1})


def test_a_run_inside_a_run_ends_with_the_outer_one():
    seen = []

    def inner():
        seen.append(kr.run("while True: pass", limits=kr.Limits(seconds=20)).error.limit)

    start = time.monotonic()
    result = kr.run("call()\nwhile True: pass", {"call": inner}, limits=kr.Limits(seconds=0.1))
    took = time.monotonic() - start
    assert result.error.limit == "seconds" and seen == ["seconds"] and took < 5


def test_an_inner_run_may_be_stopped_alone():
    def inner():
        return kr.run("while True: pass", limits=kr.Limits(seconds=0.05)).error.limit

    assert kr.run("call(), 1 + 1", {"call": inner}, limits=kr.Limits(seconds=20)).value == ("seconds", 2)


def test_python_code_of_the_host_is_not_stopped_in_the_middle():
    def slow():
        total = sum(range(10**7))
        time.sleep(0.1)
        return total

    result = kr.run("call()\nwhile True: pass", {"call": slow}, limits=kr.Limits(seconds=0.05))
    assert result.error.limit == "seconds"
    assert kr.run("x = call()\nx", {"call": slow}, limits=kr.Limits(seconds=20)).value == sum(range(10**7))


def test_cancel():
    meter = _core.Meter()
    threading.Timer(0.05, meter.cancel).start()
    from kimi_runtime import engine
    from kimi_runtime.limits import Limits
    from kimi_runtime.objects.context import RunContext

    code = engine.compile_source("while True: pass", "<guest>", "exec")
    limits = Limits(seconds=None)
    _, error, _ = _core.call_metered(meter, engine.run_program, RunContext(), code, [0, 0, False], limits, None)
    assert (error.limit, error.message) == ("cancelled", "the host cancelled the run")
    assert meter.stopped == "cancelled"


def test_threads_have_limits_of_their_own():
    results = {}

    def work(name, seconds):
        results[name] = kr.run("while True: pass", limits=kr.Limits(seconds=seconds)).error.limit, time.monotonic()

    start = time.monotonic()
    threads = [threading.Thread(target=work, args=(name, seconds)) for name, seconds in (("a", 0.1), ("b", 0.4))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert results["a"][0] == results["b"][0] == "seconds"
    assert results["a"][1] - start < results["b"][1] - start


def test_native_iterators_of_the_host_go_on():
    """Their types are patched for the runs; without one, or in another thread, they do what they always did."""
    import itertools

    kr.run("1")
    assert sum(range(1000)) == 499500
    assert list(itertools.islice(itertools.count(5), 3)) == [5, 6, 7]
    stop = []
    thread = threading.Thread(target=lambda: stop.append(kr.run("while True: pass", limits=kr.Limits(seconds=0.3)).error.limit))
    thread.start()
    total = 0
    while thread.is_alive():
        total += sum(range(1000)) + len(list(itertools.repeat(1, 100)))
    thread.join()
    assert total and stop == ["seconds"]


def test_finalizers_after_the_run_have_a_limit_of_their_own():
    result = kr.run("class A:\n    def __del__(self):\n        print('gone')\n        while True: sum(iter(int, 1))\nA()")
    assert result.ok
    start = time.monotonic()
    del result
    assert time.monotonic() - start < 20
    result = kr.run("def g():\n    try:\n        yield\n    finally:\n        while True: pass\nx = g()\nnext(x)\nx")
    start = time.monotonic()
    del result
    assert time.monotonic() - start < 20


LONG_ARITHMETIC = [
    "2 ** (2 ** 40)",
    "7 ** 10 ** 9",
    "pow(3, 10 ** 12)",
    "pow(3, 10 ** 6, 7 ** 10 ** 6)",
    "x = 7 ** 100_000\nwhile True: x = x * x",
    "x = 7 ** 100_000\nwhile True: x *= x",
    "x = 3 << 80_000_000\nx // (x >> 40_000_000)",
    "x = 3 << 80_000_000\nx % (x >> 40_000_000)",
    "1 << 10 ** 12",
    "import math\nmath.factorial(10 ** 8)",
    "import math\nmath.comb(10 ** 7, 5 * 10 ** 6)",
    "import math\nmath.perm(10 ** 7)",
    "from fractions import Fraction\nx = Fraction(1, 3)\nwhile True: x = x * x + x",
]


@pytest.mark.parametrize("source", LONG_ARITHMETIC)
def test_arithmetic_that_takes_too_long(source):
    start = time.monotonic()
    error = kr.run(source, limits=kr.Limits(seconds=0.5)).error
    assert error is not None and (error.limit == "seconds" or error.type == "MemoryError")
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    "source",
    [
        "7 ** 1000 * 3 ** 2000 // 5 ** 900 % 11 ** 300",
        "pow(2, 100), pow(2, -1), pow(2.0, 3), pow(3, 1000, 7), pow(3, -1, 7), pow(True, 2), pow(base=2, exp=3, mod=5)",
        "(-1) ** (10 ** 100), 0 ** 10 ** 100, 1 ** 10 ** 100, 0 << 10 ** 100, 2 ** -5, -3 // 10 ** 50",
        "import math\nmath.factorial(3000) % 10 ** 9, math.comb(5000, 2500) % 10 ** 9, math.perm(3000, 20), math.comb(3, 5), math.perm(4)",
    ],
)
def test_arithmetic_that_does_not(source):
    expected = {}
    lines = source.rpartition("\n")
    exec(f"{lines[0]}\nresult = {lines[2]}", expected)
    assert kr.run(source, check=True).value == expected["result"]


@pytest.mark.parametrize(
    "call", ["pow('a', 2)", "pow(2)", "pow(1, 2, 0)", "pow(2, 3, 4, 5)", "math.factorial(-1)", "math.factorial(2.5)", "math.comb(1.5, 2)", "math.comb(-1, 2)",
             "math.perm(-1)", "math.perm(3, 'a')"])
def test_errors_of_guarded_functions(call):
    import math

    try:
        eval(call, {"math": math})
    except Exception as error:
        expected = type(error).__name__
    error = kr.run("import math\n" + call).error
    assert error.type == expected, error


def test_threads_of_a_stopped_guest_end():
    source = "import threading, time\ndef f():\n    while True: pass\ndef g():\n    try:\n        time.sleep(100)\n    finally:\n        print('seen')\n" \
             "for _ in range(3): threading.Thread(target=f).start(); threading.Thread(target=g).start()\nf()"
    before = threading.active_count()
    for _ in range(3):
        result, _ = stopped(source, seconds=0.1)
        assert result.stdout == ""
    tasks = "/proc/self/task"
    if os.path.isdir(tasks):
        deadline = time.monotonic() + 5
        while len(os.listdir(tasks)) > before + 2 and time.monotonic() < deadline:
            time.sleep(0.01)            # the last thread may still be on its way out
        assert len(os.listdir(tasks)) <= before + 2


@pytest.mark.parametrize("left", ["a = A()\ndel a", "x = g()\nnext(x)\ndel x", "r = weakref.ref(a := B(), A.__del__)\ndel a"])
def test_output_after_a_finalizer_that_was_stopped(left):
    source = ("import time, weakref\nclass B: pass\nclass A:\n    def __del__(self):\n        time.sleep(1000)\n"
              "def g():\n    try:\n        yield\n    finally:\n        time.sleep(1000)\n"
              f"{left}\nprint('seen', flush=True)\n")
    result, _ = stopped(source, seconds=0.05)
    assert result.stdout == ""


def test_finalizers_of_one_guest_before_the_code_of_another(monkeypatch):
    """The collector may run once a run's limits count and none of its frames is there yet, or none any more."""
    from kimi_runtime import engine

    called = []
    for name in ("new_namespace", "convert_result"):
        original = getattr(engine, name)

        def collect_first(*args, original=original):
            called.append(gc.collect())
            return original(*args)

        with monkeypatch.context() as patch:
            patch.setattr(engine, name, collect_first)
            gc.disable()
            try:
                kr.run("class A:\n    def __del__(self):\n        while True: pass\nx = [A()]\nx.append(x)\nx", check=True)
                start = time.monotonic()
                other = kr.run(f"1 + 1 # {name}", limits=kr.Limits(seconds=20))     # not the short way of known programs
            finally:
                gc.enable()
        assert (other.value, other.error) == (2, None)
        assert time.monotonic() - start < 10
    assert len(called) == 4


def test_finalizers_of_one_guest_while_another_runs():
    """Neither their time nor their errors are the other's, and they end, also while a library module is loaded."""
    left = ("class A:\n    def __del__(self):\n        {body}\n"
            "def g():\n    try: yield\n    finally:\n        {body}\n"
            "x = [A(), g()]\nnext(x[1])\nx.append(x)\nx")
    for body in ("while True: pass", "sum(iter(int, 1))", "1 / 0"):
        held = [kr.run(left.format(body=body), check=True)]
        start = time.monotonic()

        def collect():
            held.clear()
            gc.collect()

        other = kr.run("collect()\n'done'", {"collect": collect}, limits=kr.Limits(seconds=20))
        assert (other.value, other.stderr, other.error) == ("done", "", None)
        assert time.monotonic() - start < 5


@pytest.mark.parametrize("attack", [
    "try: raise e\nexcept* TypeError: pass",
    "raise e",
])
def test_the_text_of_a_million_exceptions_is_not_made(attack):
    with kr.Runtime().session() as session:
        limits = kr.Limits(seconds=20)
        session.run("e = ExceptionGroup('many', [ValueError(1)] * 1_000_000)", limits=limits, check=True)
        used = time.process_time()
        error = session.run(attack, limits=limits).error
        used = time.process_time() - used
    assert "ExceptionGroup: many (1000000 sub-exceptions)\n" in error.traceback
    assert len(error.traceback) < 1000
    assert used < 3


def test_json_that_takes_longer_than_the_run_may():
    for text in ("[" + "1," * 5_000_000 + "1]", "[" + "[]," * 5_000_000 + "1]"):
        kr.run("import json")
        used = time.process_time()
        result = kr.run("import json\njson.loads(S)", inputs={"S": text}, limits=kr.Limits(seconds=0.1, memory="1GB"))
        assert result.error.limit == "seconds"
        assert time.process_time() - used < 1.5


SWALLOWED = "class A:\n    def __del__(self):\n        while True: pass\nimport collections\nlog, box = [], {}\nclass B: pass\nb = B()\nit = iter([1, 2, 3])\n"
EFFECTS = [
    "log.append(1)", "box['seen'] = 1", "b.seen = 1", "seen = 1", "del it", "log += [1]", "next(it)", "x, y, z = it", "x = [*it]", "4 in it", "for x in it: pass", "b.__dict__['seen'] = 1",
    "setattr(b, 'seen', 1)", "globals()['seen'] = 1", "box.update(seen=1)", "log.extend(*[[1]])", "log[:] = [1]", "import seen_no_such", "box |= {'seen': 1}", "list(map(log.append, [1]))", "del box['here'], b",
]


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("shape", ["a = A()\ndel a\n{}", "def f():\n    global seen, it, b, log, box\n    a = A()\n    a = None\n    {}\nf()", "{{A(): 1}} and None\n{}"])
def test_nothing_has_an_effect_after_a_stop_that_a_finalizer_keeps_to_itself(shape, effect):
    with kr.Runtime(limits=kr.Limits(seconds=0.03)).session() as session:
        session.run(SWALLOWED + "box['here'] = 1", limits=kr.Limits(seconds=20), check=True)
        before = {name for name in session.names()}
        assert session.run(shape.format(effect)).error.limit == "seconds"
        state = session.run("log, box, 'seen' in vars(b), list(it)", limits=kr.Limits(seconds=20), check=True).value
        assert state == ([], {"here": 1}, False, [1, 2, 3])
        assert {name for name in session.names()} - before <= {"a", "f"}


def test_closures_keep_their_values_after_a_stop_that_a_finalizer_keeps_to_itself():
    with kr.Runtime(limits=kr.Limits(seconds=0.03)).session() as session:
        session.run(SWALLOWED + "def make():\n    n = 0\n    def change():\n        nonlocal n\n        a = A()\n        a = None\n        n = 1\n    return change, lambda: n\n"
                    "change, look = make()", limits=kr.Limits(seconds=20), check=True)
        assert session.run("change()").error.limit == "seconds"
        assert session.run("look()", limits=kr.Limits(seconds=20)).value == 0


@pytest.mark.parametrize("last", ["threading.Thread(target=len, args=('',)).start()", "threading.Thread(target=time.sleep, args=(0.05,)).start()",
                                  "threading.Thread(target=spin).start(); threading.Event().wait()", "threading.Event().wait()"])
def test_a_limit_holds_while_all_threads_wait(last):
    """Also when the thread that waits for the others has ended itself, and when another one than the main one was stopped."""
    source = "import threading, time\ndef spin():\n    while True: pass\nt = threading.Thread(target=time.sleep, args=(100,))\nt.start()\n"
    result, _ = stopped(f"{source}{last}\nt.join()", seconds=0.5)
    assert result.error.limit == "seconds"
