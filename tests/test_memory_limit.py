"""Memory of a run: what it holds is counted, a request that does not fit is refused, and what grows past the limit is stopped."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap

import pytest

import kimi_runtime as kr
from kimi_runtime.memory import heap

LIMIT = 16_000_000
OVER = 16_000_000       # what the process may grow by beyond the limit
LIMITS = kr.Limits(seconds=20, memory=LIMIT, recursion=1000, output="1MB")

# Each asks for far more than it may have: at once, or bit by bit.
ATTACKS = [
    "[None] * 10**10",
    "x = [0]\nwhile True: x += x",
    "x = []\nwhile True: x.append(x)",
    "x = []\nwhile True: x = [x]",
    "x = ()\nwhile True: x = (x, x)",
    "[[0] * 1000 for _ in range(10**9)]",
    "list(range(10**9))",
    "tuple(range(10**9))",
    "set(range(10**8))",
    "frozenset(range(10**8))",
    "dict.fromkeys(range(10**8))",
    "{n: [n] for n in range(10**8)}",
    "d = {}\nn = 0\nwhile True:\n    d[n] = str(n) * 10; n += 1",
    "import collections\nx = collections.deque()\nwhile True: x.append(object())",
    "import collections\ncollections.Counter(range(10**8))",
    "import collections\nx = collections.defaultdict(list)\nn = 0\nwhile True:\n    x[n].append(n); n += 1",
    "'a' * 10**10",
    "x = 'ab'\nwhile True: x += x",
    "x = []\nwhile True: x.append('ab' * 50)",
    "','.join(['a' * 10**5] * 10**5)",
    "('a' * 10**4).replace('', 'b' * 10**5)",
    "'{:>9999999999}'.format(1)",
    "f'{1:{10**10}}'",
    "'%*d' % (10**9, 1)",
    "'a'.ljust(10**10)",
    "('a\\t' * 1000).expandtabs(10**8)",
    "'a'.translate({97: 'b' * 10**9})",
    "('\\U0001f600' * 10**6).encode('unicode_escape') * 10",
    "'a b ' * 10**6 and ('a b ' * 10**6).split()",
    "bytes(10**10)",
    "bytearray(10**10)",
    "x = bytearray(1)\nwhile True: x.extend(x)",
    "x = b'ab'\nwhile True: x += x",
    "(b'ab' * 10**6).hex() * 100",
    "import array\narray.array('d', [0]) * 10**10",
    "import array\nx = array.array('q')\nwhile True: x.extend(range(1000))",
    "memoryview(bytearray(10**6)).tolist() * 100",
    "1 << 10**9",
    "x = 3 << 10**7\nwhile True: x = x << 10**7",
    "int.to_bytes(1, 10**10, 'big')",
    "import struct\nstruct.pack('9999999999x')",
    "import itertools\nlist(itertools.repeat('x', 10**10))",
    "import itertools\na, b = itertools.tee(iter(object, 1))\nfor _ in a: pass",
    "import itertools\nx = list(itertools.permutations(range(12), 6))",
    "import itertools\nitertools.product(range(10**7), repeat=100)",
    "x = []\nwhile True: x.append(lambda n=len(x): n)",
    "x = []\nn = 0\nwhile True:\n    x.append(type('C', (), {'a': 1}))",
    "def g():\n    a = b = c = [0] * 100\n    yield a\nx = []\nwhile True:\n    x.append(g()); next(x[-1])",
    "import asyncio\nasync def z(): await asyncio.sleep(999)\nasync def m(): await asyncio.gather(*[z() for _ in range(10**6)])\nasyncio.run(m())",
    "x = []\nwhile True:\n    try: 1 / 0\n    except ZeroDivisionError as e: x.append(e)",
    "import json\njson.loads('[' + '[0,0,0],' * 10**6 + '0]')",
    "import copy\nx = [0]\nwhile True: x = [copy.deepcopy(x), x]",
    "import io\ns = io.StringIO()\nwhile True: s.write('x' * 10**5)",
    "import io\ns = io.BytesIO()\nwhile True: s.write(b'x' * 10**5)",
    "def f(n):\n    a = 'x' * 10**5 + str(n)\n    return f(n + 1)\nf(0)",
    "import zlib\nzlib.decompress(zlib.compress(bytes(10**7), 9) ) * 10",
    "import zlib\nx = []\nwhile True: x.append(zlib.compressobj())",
    "import bz2\nx = []\nwhile True: x.append(bz2.BZ2Compressor())",
    "import lzma\nx = []\nwhile True: x.append(lzma.LZMACompressor(preset=6))",
    "exec('x = \"' + 'a' * 10**8 + '\"')",
    "x = []\nwhile True: x.append(compile('a = [1, 2, b, c]' * 1 + '\\nd = a' * 100, 'x', 'exec'))",
    "import hashlib\nx = []\nwhile True: x.append(hashlib.sha256())",
    "import hmac\nx = []\nwhile True: x.append(hmac.new(b'a', b'b', 'sha256'))",
    "import threading\nx = []\ndef f():\n    while True: x.append([0] * 100)\nt = threading.Thread(target=f)\nt.start()\nt.join()",
    "import weakref\nclass A: pass\nx = []\nwhile True:\n    a = A(); x.append((a, weakref.ref(a, print)))",
    "class A: pass\na = A()\nn = 0\nwhile True:\n    setattr(a, f'name{n}', n); n += 1",
    "from dataclasses import dataclass\n@dataclass\nclass P:\n    a: int\n    b: list\nx = []\nwhile True: x.append(P(1, [2]))",
    "from fractions import Fraction\nx = []\nwhile True: x.append(Fraction(len(x), 7))",
    "import heapq\nx = []\nwhile True: heapq.heappush(x, [0] * 10)",
    "x = []\ntry:\n    while True: x.append('ab' * 50)\nfinally:\n    while True: x.append('ab' * 50)",
    "x = []\nwhile True:\n    try:\n        while True: x.append([0] * 100)\n    except MemoryError: pass",
    "x = []\nwhile True:\n    try:\n        while True: x.append(bytes(10**6))\n    except BaseException: pass",
]

CHILD = """
import sys
import kimi_runtime as kr
LIMITS = kr.Limits(seconds=20, memory={limit}, recursion=1000, output="1MB")
def status(what):
    for line in open("/proc/self/status"):
        if line.startswith(what):
            return int(line.split()[1]) * 1024
kr.run("import asyncio, json, re, collections, struct, array, io, copy, zlib, bz2, lzma, threading, dataclasses, fractions, weakref")
for index, source in enumerate({sources!r}):
    before = status("VmRSS:")
    open("/proc/self/clear_refs", "w").write("5")        # the peak begins anew
    result = kr.run(source, limits=LIMITS)
    error = result.error
    print(index, error and error.type, error and error.limit, status("VmHWM:") - before, flush=True)
    result = None
"""


def in_a_child(code, **environment):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **environment}, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout[-300:], done.stderr[-2000:])
    return done.stdout


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="needs the resident size of Linux")
@pytest.mark.parametrize(
    "sources", [ATTACKS[::12], *(pytest.param(ATTACKS[n::4], marks=pytest.mark.slow) for n in range(4))], ids=range(5)
)
def test_attacks_are_stopped_and_the_process_does_not_grow(sources):
    lines = in_a_child(CHILD.format(limit=LIMIT, sources=sources)).splitlines()
    assert len(lines) == len(sources)
    for line, source in zip(lines, sources, strict=True):
        _, kind, limit, grown = line.split()
        assert kind in ("LimitExceeded", "MemoryError", "RecursionError", "OverflowError", "ValueError"), (source, line)
        assert limit in ("memory", "None"), (source, line)
        assert int(grown) < LIMIT + OVER, (source, line)


def test_the_error_names_the_limit():
    error = kr.run("x = []\nwhile True:\n    x.append({})", limits=LIMITS).error
    assert error.limit == "memory" and "16,000,000 bytes" in error.message
    error = kr.run("\n\nbytes(10**10)", limits=LIMITS).error
    assert (error.type, error.limit, error.line) == ("MemoryError", "memory", 3)
    assert error.message == ("a request for memory would have brought the run over its limit of 16,000,000 bytes "
                             "(limits: memory=16000000)")
    assert error.traceback.endswith("MemoryError: " + error.message + "\n")


def test_one_refusal_may_be_caught_and_not_the_next():
    source = "try:\n    bytes(10**10)\nexcept MemoryError:\n    print('caught')\n"
    assert kr.run(source + "'on'", limits=LIMITS, check=True).value == "on"
    result = kr.run(source * 2 + "print('on')", limits=LIMITS)
    assert (result.stdout, result.error.type, result.error.limit) == ("caught\n", "LimitExceeded", "memory")


def test_nothing_runs_after_the_stop():
    result = kr.run("x = []\ntry:\n    while True: x.append({})\nexcept BaseException: print('seen')\nfinally: print('seen')", limits=LIMITS)
    assert result.stdout == "" and result.error.limit == "memory"


@pytest.mark.parametrize(
    "source",
    [
        "n = 0\nfor k in range(400):\n    n += len([str(i) for i in range(3000)])\nn",
        "for k in range(300): x = bytes(5 * 10**6)\nlen(x)",
        "for k in range(20000):\n    x = []\n    x.append(x)\n    y = [x, [0] * 500]\n    x.append(y)\nlen(x)",
        "x = ''\nfor k in range(100): x = 'ab' * (10**6 + k)\nlen(x)",
        "x = list(range(300_000))\nlen(x)",
        "x = bytes(14 * 10**6)\nlen(x)",
        "x = []\nfor k in range(200):\n    x = list(range(100_000))\nlen(x)",
    ],
)
def test_what_is_given_back_does_not_count(source):
    assert kr.run(source, limits=LIMITS).ok


@pytest.mark.parametrize(
    ("source", "size"),
    [
        ("x = [float(n) for n in range(300_000)]", 24 * 300_000 + 8 * 300_000),
        ("x = bytes(10_000_000)", 10_000_000),
        ("x = [(n, n) for n in range(1000, 100_000)]", 99_000 * (56 + 2 * 32 + 8)),
        ("x = ['a' * 100 + str(n) for n in range(100_000)]", 100_000 * (49 + 105 + 8)),
        ("x = [{} for n in range(100_000)]", 100_000 * (64 + 8)),
    ],
)
def test_what_is_counted_is_what_is_held(source, size):
    kept = heap.Heap()
    from kimi_runtime import _core, engine
    from kimi_runtime.limits import Limits
    from kimi_runtime.objects.context import RunContext

    context = RunContext()
    namespace = engine.new_namespace(context)
    limits = Limits(memory="100MB")
    code = engine.compile_source(source, "<guest>", "exec")
    meter = _core.Meter(memory=limits.memory, heap=kept)
    before = kept.live
    _core.call_metered(meter, engine.run_cell, context, code, [0, 0, False], limits, namespace)
    assert 0.95 * size - 100_000 < kept.live - before < 1.1 * size + 100_000
    assert kept.peak >= kept.live
    namespace.clear()
    gc.collect()
    assert kept.live - before < 500_000


def test_a_session_keeps_counting():
    with kr.Runtime(limits=LIMITS).session() as s:
        assert s.run("x = bytes(10 * 10**6)").ok
        assert s.run("y = bytes(10 * 10**6)").error.limit == "memory"
        assert s.run("del x").ok
        assert s.run("y = bytes(10 * 10**6)\nlen(y)").value == 10**7


def test_without_a_limit():
    assert kr.run("len(bytes(40 * 10**6))", limits=kr.Limits(memory=None), check=True).value == 40 * 10**6


def test_the_figure_of_a_run():
    peak = kr.run("x = bytes(10**7)\ndel x", limits=LIMITS, check=True).stats.peak_memory
    assert 10**7 < peak < 1.05 * 10**7
    assert kr.run("1", limits=kr.Limits(memory=None)).stats.peak_memory == 0


def test_namespaces_of_ended_runs_do_not_pile_up():
    """A program with functions leaves a cycle. The collector of the host counts objects, and would let them lie."""
    gc.collect()
    before = heap.figures()["committed"]
    rt = kr.Runtime(limits=LIMITS)
    for n in range(40):
        rt.run(f"def f(): return 1\nx = b'x' * 10_000_000\nf() / {n % 2}")
        assert heap.figures()["committed"] - before < 11_000_000
    for _ in range(10):
        with rt.session() as session:
            session.run("def f(): return 1\nx = b'x' * 10_000_000", check=True)
        del session
        assert heap.figures()["committed"] - before < 22_000_000
    kept = [rt.run("x = b'x' * 1_000_000\ndef f(): return x\nf()").value for _ in range(30)]      # these are not garbage
    assert 28_000_000 < heap.figures()["committed"] - before < 50_000_000
    del kept
    gc.collect()
    assert heap.figures()["committed"] - before < 2_000_000


def test_results_outlive_their_run():
    gc.collect()
    before = heap.figures()["committed"]        # other tests keep things too
    results = [kr.run("[[str(n) * 10, n * 1.5] for n in range(2000)]", limits=LIMITS, check=True).value for _ in range(30)]
    assert all(value == results[0] for value in results)
    results.clear()
    gc.collect()
    assert heap.figures()["committed"] - before < 20_000_000


SOAK = """
import gc, kimi_runtime as kr
def rss():
    for line in open("/proc/self/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1])
limits = kr.Limits(seconds=5, memory="16MB")
sources = ["x = [str(n) for n in range(200)]\\nlen(x)", "1 / 0", "bytes(10**9)", "class A:\\n    def f(self): return self\\nA().f()"]
def work(n):
    for k in range(n):
        kr.run(sources[k % 4], limits=limits)
work(2000)
gc.collect()
before = rss()
work({runs})
gc.collect()
print(rss() - before)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs the resident size of Linux")
def test_the_process_stays_as_large_as_it_was():
    assert int(in_a_child(SOAK.format(runs=6000))) < 1500


@pytest.mark.parametrize("allocator", ["debug", "malloc", "malloc_debug"])
def test_other_allocators_below(allocator):
    code = """
        import kimi_runtime as kr
        limits = kr.Limits(seconds=20, memory="16MB")
        kept = kr.run("import json\\njson.loads('[1, [2.5, \\"a\\"]]') * 1000", limits=limits, check=True).value
        print(len(kept), kr.run("x = []\\nwhile True: x.append({})", limits=limits).error.limit)
        import os
        pid = os.fork()
        if pid == 0:
            ok = kr.run("sum(range(10**5))", limits=limits).value == 4999950000
            del kept
            os._exit(0 if ok else 1)
        print(os.waitpid(pid, 0)[1])
    """
    assert in_a_child(code, PYTHONMALLOC=allocator).split() == ["2000", "memory", "0"]


SOURCES = """
import kimi_runtime as kr
def status(what):
    for line in open("/proc/self/status"):
        if line.startswith(what):
            return int(line.split()[1]) * 1024
kr.run("1")
for source in ("x = [" + "a+1," * 480_000 + "]", "def f(): 0\\n" * 180_000, "class A: 0\\n" * 180_000, "a<" * 900_000 + "a", "x = '" + "a" * 1_900_000 + "'"):
    before = status("VmRSS:")
    open("/proc/self/clear_refs", "w").write("5")
    error = kr.run(source, limits=kr.Limits(memory={limit})).error
    print(error and error.limit, status("VmHWM:") - before)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="needs the resident size of Linux")
def test_a_source_is_compiled_within_the_limit():
    lines = in_a_child(SOURCES.format(limit=LIMIT)).splitlines()
    assert [line.split()[0] for line in lines] == ["memory"] * 4 + ["None"]
    assert all(int(line.split()[1]) < LIMIT + OVER for line in lines), lines
    assert kr.run("a = 1\n" * 20_000 + "a", check=True).value == 1       # 120 KB, with the usual limit


def test_registers_are_memory_of_the_run():
    deep = "def f(n):\n    " + " = ".join(f"v{i}" for i in range(200)) + " = n\n    return f(n - 1) if n else 0\nf(3000)"
    names = ", ".join(f"a{i}" for i in range(60))
    for source in (f"def g({names}): return g({names})\ng({'1, ' * 60})", deep):
        small = kr.run(source, limits=kr.Limits(seconds=60, memory="4MB", recursion=10_000)).error
        assert small is not None and small.limit == "memory", source[:50]
        large = kr.run(source, limits=kr.Limits(seconds=60, memory="64MB", recursion=10_000))
        assert large.error is None or large.error.type == "RecursionError"
        assert large.stats.peak_memory > 5_000_000
    with kr.Runtime(limits=kr.Limits(memory="64MB", recursion=10_000)).session() as session:
        assert session.run(deep, check=True).value == 0
        assert session._heap.live < 2_000_000      # given back


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="blocks are moved by their pages on Linux only")
def test_addresses_are_used_again():
    """Blocks that grow in turn are moved over and over: each place of before serves later ones, and with it the tables."""
    source = "x = []\ny = []\nz = []\nfor i in range(300_000): x.append(None); y.append(None); z.append(None)"
    kr.run(source, limits=LIMITS, check=True)
    before = heap.figures()["reached"]
    for _ in range(20):
        kr.run(source, limits=LIMITS, check=True)
    assert heap.figures()["reached"] < before + 30_000_000      # 7 MB a run


@pytest.mark.parametrize("jit", [None, kr.JIT.eager()], ids=["interpreted", "compiled"])
@pytest.mark.parametrize("source", ["def f(n): return [n, f(n + 1)]\nf(0)", "def f(n, t): return f(n + 1, (n, t))\nf(0, ())"])
def test_nothing_left_for_the_error(source, jit):
    """Where the calls of a program take up all of its memory, there is none for the traceback of what is raised in describing the
    end of the run: the process crashed, and then the host got a MemoryError."""
    for limit in range(1 << 20, 10 << 20, 700_000):
        runtime = kr.Runtime(jit=jit, limits=kr.Limits(seconds=30, memory=limit, recursion=100_000))
        result = runtime.run(f"try:\n    exec({source!r})\nexcept ValueError: pass" if limit % 3 else source)
        assert result.error is not None
        assert result.error.limit in ("memory", "recursion") or result.error.type in ("MemoryError", "RecursionError")
        assert runtime.run("1 + 1").value == 2
