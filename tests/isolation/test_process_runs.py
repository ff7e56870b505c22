"""isolation="process": the API is that of inline runs, and what differs is said."""

from __future__ import annotations

import io
import sys
import threading
import time

import pytest

import kimi_runtime as kr

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="process isolation needs Linux")


@pytest.fixture(scope="module")
def rt():
    with kr.Runtime(isolation="process", workers=2) as runtime:
        yield runtime


PROGRAMS = [
    "1 + 1",
    "x = 1",
    "print('a'); print('b', end=''); import sys; print('c', file=sys.stderr); [1, 2]",
    "1/0",
    "def f(): return g()\ndef g(): raise ValueError('é\\U0001f600')\nf()",
    "total = (1 +",
    "import sys; sys.exit(3)",
    "import sys; sys.exit('bye')",
    "import json; json.loads('{')",
    "import dataclasses, enum, re, datetime, decimal; str(decimal.Decimal('1.1') + 1)",
    "import zoneinfo, datetime; str(datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin')))",
    "'é'.encode('cp850'), 'ä'.encode('shift_jis', 'replace'), b'abc'.decode('utf-16-le', 'ignore')",
    "import datetime; datetime.datetime.strptime('2024-02-03', '%Y-%m-%d').isoformat()",
    "import unicodedata; unicodedata.name('é')",
    "import time; time.strftime('%H:%M', time.localtime(86400 * 365))",
    "import asyncio\nasync def main():\n    await asyncio.sleep(0.01)\n    return 5\nasyncio.run(main())",
    "import threading\nfound = []\nthreads = [threading.Thread(target=found.append, args=(i,)) for i in range(4)]\n"
    "[t.start() for t in threads]; [t.join() for t in threads]; sorted(found)",
    "__name__, __builtins__ is not None, __file__ if '__file__' in globals() else None",
]


@pytest.mark.parametrize("source", PROGRAMS)
def test_same_result_as_inline(rt, source):
    expected = kr.run(source)
    found = rt.run(source)
    assert (found.ok, found.value, found.stdout, found.stderr) == (expected.ok, expected.value, expected.stdout, expected.stderr)
    if expected.error is None:
        assert found.error is None
    else:
        for name in ("type", "message", "traceback", "filename", "line", "column", "exit_code", "limit"):
            assert getattr(found.error, name) == getattr(expected.error, name), name
    assert found.stats.instructions > 0 or not expected.stats.instructions


def test_inputs_are_copies(rt):
    given = [1, {"a": (2.5, None, True, "é\ud800", b"\0", {3}, frozenset([4]), 10**40, -(10**40), 1j, range(3))}]
    result = rt.run("given.append(5); given", {"given": given})
    assert result.value == [*given, 5] and len(given) == 2


def test_shared_and_cyclic_values(rt):
    value = rt.run("a = [1]; b = {'self': None, 'x': a, 'y': a}; b['self'] = b; b").value
    assert value["self"] is value and value["x"] is value["y"]


def test_what_cannot_cross_is_named(rt):
    with pytest.raises(TypeError, match=r"f\['a'\]\[1\] cannot go to the guest: it is a generator"):
        rt.run("1", {"f": {"a": [1, (n for n in ())]}})
    with pytest.raises(TypeError, match="f cannot go to the guest: it is an object"):
        rt.run("1", {"f": object()})
    with pytest.raises(ValueError, match="host_modules"):
        kr.Runtime(isolation="process", host_modules={"sys": sys})


def test_limits_stop_by_themselves(rt):
    for source, limits in [("while True: pass", {"seconds": 0.1}), ("while True: print('x' * 1000)", {"output": 10_000}),
                           ("while True: pass", {"instructions": 10_000}), ("1" * 100, {"source_size": 50})]:
        result = rt.run(source, limits=kr.Limits(**limits))
        assert result.error.type == "LimitExceeded" and result.error.limit == next(iter(limits)), (source, result)
    with pytest.raises(kr.LimitExceeded):
        rt.run("while True: pass", limits=kr.Limits(seconds=0.1), check=True)
    assert rt.run("'x' * 5000", limits=kr.Limits(result_size=1000)).error.limit == "result_size"
    assert rt.run("while True: pass", limits=kr.Limits(seconds=None, instructions=1000)).error.limit == "instructions"
    assert rt.run("2", limits=None).value == 2


@pytest.mark.skipif(hasattr(sys, "gettotalrefcount"), reason="a debug build ends the process where the host's parser is refused memory, others raise SystemError")
def test_memory(rt):
    limits = kr.Limits(memory="40MB")
    assert rt.run("len('x' * 10**9)", limits=limits).error.type == "MemoryError"
    grown = rt.run("kept = []\nwhile True: kept.append([0] * 1000)", limits=limits)
    assert grown.error.type in ("MemoryError", "LimitExceeded") and not grown.error.crashed
    assert rt.run("len('x' * 10**7)", limits=limits).value == 10**7


def test_streams_and_input():
    out, err = io.StringIO(), io.StringIO()
    lines = iter(["Ada\n", "36"])
    with kr.Runtime(isolation="process", stdout=out, stderr=err, stdin=lambda: next(lines, None), argv=["prog", "a"]) as rt:
        result = rt.run("import sys\nname = input('name? ')\nage = int(input())\nprint(name, age, sys.argv, file=sys.stderr)\nsys.stdin.read()")
        assert (result.value, result.stdout, out.getvalue(), err.getvalue()) == ("", "", "name? ", "Ada 36 ['prog', 'a']\n"), result
    with kr.Runtime(isolation="process", stdin="1\n2\n") as rt:
        assert [rt.run("int(input()), int(input())").value for _ in range(2)] == [(1, 2), (1, 2)]


def test_output_is_streamed():
    seen = []

    class Target:
        def write(self, text):
            seen.append((time.monotonic(), text))

    with kr.Runtime(isolation="process", stdout=Target()) as rt:
        rt.run("import time\nprint('a')\ntime.sleep(0.3)\nprint('b')")
    times = {text.strip(): at for at, text in seen}
    assert times["b"] - times["a"] > 0.2


def test_modules_source(tmp_path):
    (tmp_path / "shapes.py").write_text("def area(a, b): return a * b\n")
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "inner.py").write_text("X = 7\n")
    for given in ({"shapes": "def area(a, b): return a * b\n", "pkg/inner.py": "X = 7\n"}, tmp_path):
        with kr.Runtime(isolation="process", modules_source=given) as rt:
            result = rt.run("import shapes, pkg.inner\nshapes.area(3, 4) + pkg.inner.X")
            assert result.value == 19, result.error
            assert rt.run("import nothing").error.type == "ModuleNotFoundError"
    with kr.Runtime(isolation="process", modules={"math"}) as rt:
        assert rt.run("import math; math.gcd(4, 6)").value == 2
        assert rt.run("import json").error.type == "ModuleNotFoundError"


def test_runs_share_no_state(rt):
    rt.run("import json; json.dumps = None; import sys; sys.x = 1; x = 5")
    assert rt.run("import json, sys; json.dumps([hasattr(sys, 'x'), 'x' in globals()])").value == "[false, false]"


def test_many_threads(rt):
    failures = []

    def work(n):
        for i in range(20):
            result = rt.run("print(n, i); n * 1000 + i", {"n": n, "i": i})
            if result.value != n * 1000 + i or result.stdout != f"{n} {i}\n":
                failures.append((n, i, result))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_closed_runtime():
    rt = kr.Runtime(isolation="process")
    assert rt.run("1").value == 1
    rt.close()
    rt.close()
    with pytest.raises(kr.IsolationError, match="closed"):
        rt.run("1")


def test_arguments():
    for settings, error in [({"isolation": "thread"}, ValueError), ({"workers": 2}, TypeError), ({"isolation": "process", "workers": 0}, ValueError),
                            ({"isolation": "process", "workers": "2"}, TypeError), ({"isolation": "process", "require": ["magic"]}, ValueError)]:
        with pytest.raises(error):
            kr.Runtime(**settings)
