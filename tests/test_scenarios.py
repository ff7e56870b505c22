"""Troubles that users of comparable systems have reported, as scenarios of a host: sessions, limits, snapshots, output."""

from __future__ import annotations

import asyncio
import contextvars
import json
import os
import pickle
import resource
import sys
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


@pytest.mark.unsteady
@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_idle_time_of_a_session_begins_when_its_run_ends(isolation):
    if isolation == "process" and sys.platform != "linux":
        pytest.skip("process isolation needs Linux")
    with kr.Runtime(session_idle_seconds=0.6, isolation=isolation, functions={"slow": lambda: time.sleep(1.2) or 7}) as rt:
        s = rt.session()
        assert s.run("import atexit\natexit.register(print, 'bye')\nresult = slow()").ok
        time.sleep(0.3)
        assert s.run("result").value == 7           # which is a use of it as well
        time.sleep(0.3)
        s.set(more=1)
        time.sleep(0.3)
        assert s.run("result + more").value == 8
        time.sleep(1.5)
        with pytest.raises(kr.SessionError, match="idle for 0.6 seconds"):
            s.run("result")
        s.close()
        with rt.session() as other:
            assert other.run("1 + 1").value == 2
        if isolation == "inline":
            waiting = rt.session()
            step = waiting.start("ask()", suspend_on={"ask"})
            time.sleep(1.5)
            assert step.resume(5).value == 5        # it has waited for the host


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


def framed(payload, like):
    """A snapshot with this for its frame, and a checksum that matches."""
    from kimi_runtime.snapshots import form

    head = like[:form.HEADER]
    return head + form.mark(head, payload, None) + payload


def test_a_frame_that_is_cut_off_ends_the_load_in_time():
    pytest.importorskip("lz4")
    from kimi_runtime.snapshots import form

    with kr.Runtime().session() as s:
        s.run("x = [n * 'ab' for n in range(300)]")
        data = s.dump()
    payload = data[form.HEADER + form.DIGEST:]
    for cut in range(0, len(payload), 3):
        begun = time.process_time()
        with pytest.raises(kr.SnapshotError):
            kr.load(framed(payload[:cut], data))
        assert time.process_time() - begun < 0.5


def test_the_size_in_a_frame_is_written_and_not_trusted():
    frame = pytest.importorskip("lz4.frame")
    from kimi_runtime.snapshots import form

    with kr.Runtime().session() as s:
        s.run("x = 'ab' * 5000")
        data = s.dump()
    payload = data[form.HEADER + form.DIGEST:]
    size = frame.get_frame_info(payload)["content_size"]
    assert size == len(form.unpack(data, None))
    for claimed in (size + 1, 1 << 30, 1 << 40):
        # Eight bytes behind magic number and flags, and one byte of a checksum of them, which is found by trying.
        for checksum in range(256):
            forged = payload[:6] + claimed.to_bytes(8, "little") + bytes([checksum]) + payload[15:]
            try:
                found = frame.get_frame_info(forged)["content_size"]
            except RuntimeError:
                continue
            break
        assert found == claimed
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with pytest.raises(kr.SnapshotError, match="damaged"):
            kr.load(framed(forged, data))
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64_000


def test_calls_of_limited_functions_count_over_a_snapshot():
    pytest.importorskip("lz4")

    def runtime():
        return kr.Runtime(functions={"look": kr.host_function(lambda: 1, name="look", max_calls=5), "nap": kr.host_function(time.sleep, name="nap", timeout=0.25), "ask": lambda: None})

    with runtime().session() as s:
        step = s.start("nap(0.15)\nfor _ in range(3): look()\nask()\nlook(), look()\nask()\nprint('here')\nask()\nlook()", suspend_on={"ask"})
        assert kr.load(step.dump(), kr.Runtime(functions={"ask": len, "look": len, "nap": len})).name == "ask"       # which have no limits there
        for _ in range(2):
            step = kr.load(step.dump(), runtime()).resume()
        assert isinstance(step, kr.Suspended) and step.stdout == "here\n"
        error = step.resume().result.error
        assert error.limit == "host_calls" and "look() more than 5 times" in error.message
    with runtime().session() as s:
        step = s.start("nap(0.15)\nask()\nnap(0.15)", suspend_on={"ask"})
        error = kr.load(step.dump(), runtime()).resume().result.error
        assert error.limit == "host_seconds" and "0.25 seconds in nap()" in error.message


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


@pytest.mark.parametrize("source", ["dict", "lambda: 1", "(x for x in 'ab')", "object()", "{1: {2}}", "a = []; a.append(a); a"])
def test_every_result_has_a_json_form(source):
    assert json.loads(kr.run(source).to_json())["ok"] is True


@pytest.mark.parametrize("source, names", [
    ("answer = 6 * 7", "answer"), ("a = b = [1]", "a, b"), ("a, (b, *c) = 1, (2, 3)", "a, b, c"), ("x = 1\nx += 1", "x"), ("n: int = 5", "n"), ("n: int", None),
    ("def f(): pass", "f"), ("class C: pass", "C"), ("import os.path, json as j", "os, j"), ("from math import pi as p, e", "p, e"), ("x = {}\nx[1] = 2", None),
    ("1 + 1", None), ("", None), ("x = 1\nif x: y = 2", None), ("x = 1 / 0", None),
])
@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_what_a_snippet_without_value_has_bound(source, names, isolation):
    if isolation == "process" and sys.platform != "linux":
        pytest.skip("process isolation needs Linux")
    with kr.Runtime(isolation=isolation) as rt, rt.session() as s:
        for result in (rt.run(source), s.run(source)):
            assert result.last_binding == names and (not names or result.value is None and not result.has_value)
        if isolation == "inline":
            assert s.start(source).result.last_binding == names == result.to_dict()["last_binding"] == pickle.loads(pickle.dumps(result)).last_binding


def test_output_takes_the_same_time_however_much_there_was():
    def seconds(count):
        times = []
        for _ in range(3):
            start = time.process_time()
            assert kr.run(f"for i in range({count}): print(i)").stdout.count("\n") == count
            times.append(time.process_time() - start)
        return min(times)

    assert seconds(80_000) < 8 * seconds(20_000)


def test_runs_of_a_session_wait_for_each_other_in_a_pool():
    with kr.Pool(max_workers=2) as pool, pool.session() as s:
        first, second = s.submit("x = 1"), s.submit("x += 1")
        assert first.result().ok and second.result().ok and s.submit("x").result().value == 2
        s.submit("1 / 0")
        assert s.submit("x").result().value == 2


def test_nested_calls_stay_in_the_context_of_the_run():
    local = contextvars.ContextVar("local", default="none")
    outer = kr.host_function(lambda function: function(), guest_objects=True)
    rt = kr.Runtime(functions={"outer": outer, "query": local.get}, limits=kr.Limits(host_calls=3))
    context = contextvars.copy_context()
    context.run(local.set, "db")
    assert context.run(rt.run, "def g(): return query()\nouter(g)").value == "db" and rt.run("outer(query)").value == "none"
    assert rt.run("outer(lambda: [query() for _ in range(3)])").error.limit == "host_calls"


@pytest.mark.parametrize("text", ["seen()", "\n".join(["x = 1"] * 20) + "\nseen()"], ids=["short", "long"])
@pytest.mark.parametrize("way", ["run", "run_async", "start"])
@pytest.mark.parametrize("with_own", [False, True])
def test_runs_of_a_session_see_the_variables_of_who_calls_them(text, way, with_own):
    tenant, trace = contextvars.ContextVar("tenant", default="none"), contextvars.ContextVar("trace", default=0)

    def call(s, source):
        if way == "run_async":
            return asyncio.run(s.run_async(source)).unwrap()
        return s.run(source).unwrap() if way == "run" else s.start(source).result.unwrap()

    with kr.Runtime(functions={"seen": lambda: (tenant.get(), trace.get()), "leave": lambda n: trace.set(n) and None}).session() as s:
        if with_own:
            assert call(s, "import contextvars, decimal\nown = contextvars.ContextVar('own')\ntoken = own.set(1)\n"
                           "decimal.getcontext().prec = 3") is None
        for name in ("ann", "bob", "none", "ann"):
            context = contextvars.copy_context()
            if name != "none":
                context.run(tenant.set, name)
            assert context.run(call, s, text) == (name, 0)
            assert context.run(call, s, "leave(7)\nseen()") == (name, 7)       # for this run alone
            assert context.get(trace) is None
        if with_own:
            assert call(s, "own.get(), str(decimal.Decimal(1) / 3)") == (1, "0.333")


def test_a_token_of_the_guest_is_good_in_later_runs():
    tenant = contextvars.ContextVar("tenant", default="none")
    with kr.Runtime(functions={"seen": tenant.get}).session() as s:
        tenant.set("ann")
        s.run("import contextvars\nown = contextvars.ContextVar('own', default=0)\ntoken = own.set(1)", check=True)
        tenant.set("bob")
        assert s.run("own.reset(token)\nown.get(), seen()").unwrap() == (0, "bob")


def test_output_of_a_run_never_goes_to_the_next():
    with kr.Runtime().session() as s:
        first = s.run("import threading, time\ndef bg():\n    time.sleep(0.02)\n    print('late')\nthreading.Thread(target=bg).start()")
        second = s.run("import asyncio\nasync def main():\n    asyncio.create_task(later())\n    print('now')\nasync def later():\n    await asyncio.sleep(0.01)\n    print('later')\nasyncio.run(main())")
        third = s.run("import time\ntime.sleep(0.03)\nprint('third')")
        # What still runs at the end of a run ends with it.
        assert (first.stdout, second.stdout, third.stdout) == ("", "now\n", "third\n")


def test_restore_replaces_the_whole_state():
    pytest.importorskip("lz4")
    with kr.Runtime().session() as s:
        s.run("x = 1")
        saved = s.dump()
        s.run("x = 2\ny = 3")
        s.restore(saved)
        assert s.run("x").value == 1 and s.run("y").error.type == "NameError"


# ---- files -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("isolation", ["inline", "process"])
@pytest.mark.parametrize("outer_mode", ["ro", "rw", "overlay"])
def test_a_folder_mounted_in_a_mounted_one(tmp_path, outer_mode, isolation):
    if sys.platform != "linux":
        pytest.skip("mounts need Linux")
    (tmp_path / "a/out").mkdir(parents=True)
    (tmp_path / "a/out/hidden").write_text("hidden")
    (tmp_path / "a/in").write_text("given")
    (tmp_path / "b").mkdir()
    inner, outer = kr.Mount(tmp_path / "b", "/data/out", mode="rw"), kr.Mount(tmp_path / "a", "/data", mode=outer_mode)
    with kr.Runtime(mounts=[inner, outer], isolation=isolation) as rt:
        found = rt.run("""
import os, pathlib, shutil
data = pathlib.Path("/data")
(data / "out" / "made").write_text((data / "in").read_text())
def attempt(f, *a):
    try: return f(*a)
    except OSError as e: return e.errno
os.chdir("/data/out")
(sorted(os.listdir("/data")), os.listdir("/data/out"), sorted((r, d, f) for r, d, f in os.walk("/data")), os.getcwd(), open("../in").read(), os.path.exists("../out/made"),
 attempt(os.rename, "/data/out", "/data/other"), attempt(os.rmdir, "/data/out"), attempt(os.rename, "/data/in", "/data/out/in"), attempt(os.stat, "/data/out/hidden"),
 [e.is_dir() for e in os.scandir("/data") if e.name == "out"])
""", check=True).value
    assert found == (["in", "out"], ["made"], [("/data", ["out"], ["in"]), ("/data/out", [], ["made"])], "/data/out", "given", True,
                     *([30, 30] if outer_mode == "ro" else [16, 16]), 18, 2, [True])
    assert (tmp_path / "b/made").read_text() == "given" and [outer.mode, inner.mode, outer.path, inner.path] == [outer_mode, "rw", "/data", "/data/out"]


def test_a_link_that_is_renamed_over_a_file_in_a_shared_folder(tmp_path):
    if sys.platform != "linux":
        pytest.skip("mounts need Linux")
    (tmp_path / "secret").write_text("outside")
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "x").write_text("inside")
    (shared / "spare").symlink_to(tmp_path / "secret")
    rt = kr.Runtime(mounts=[kr.Mount(shared, "/shared", mode="rw")], limits=kr.Limits(seconds=20))
    rename = """
import os, time
end = time.time() + 0.8
n = 0
while time.time() < end:
    n += 1
    os.rename("/shared/x", "/shared/t"); os.rename("/shared/spare", "/shared/x"); os.rename("/shared/t", "/shared/spare")
n
"""
    read = """
import time
end = time.time() + 0.8
found = {}
while time.time() < end:
    for mode in ("r", "r+"):
        try:
            with open("/shared/x", mode) as f: outcome = f.read()
        except OSError as e:
            outcome = "refused"
        found[outcome] = found.get(outcome, 0) + 1
found
"""
    async def main():
        return await asyncio.gather(asyncio.to_thread(rt.run, rename), asyncio.to_thread(rt.run, read), asyncio.to_thread(rt.run, read))

    renamed, *readers = [each.unwrap() for each in asyncio.run(main())]
    assert renamed > 10 and (tmp_path / "secret").read_text() == "outside"
    for found in readers:
        assert set(found) <= {"inside", "refused"} and sum(found.values()) > 20


def test_an_overlay_in_a_folder_that_is_only_read(tmp_path):
    if sys.platform != "linux":
        pytest.skip("mounts need Linux")
    (tmp_path / "a/out").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "b/old").write_text("old")
    rt = kr.Runtime(mounts=[kr.Mount(tmp_path / "a", "/data"), kr.Mount(tmp_path / "b", "/data/out", mode="overlay")], files={"/data/out/put": "put"})
    with rt.session() as s:
        result = s.run("import os\nopen('/data/out/new', 'w').write(open('/data/out/old').read() + open('/data/out/put').read())\nsorted(os.listdir('/data/out'))", check=True)
        assert result.value == ["new", "old", "put"] and result.files == {"/data/out/new": b"oldput"} and s.files["/data/out/put"] == b"put"
        assert s.run("os.mkdir('/data/x')").error.message.startswith("[Errno 30]")
    assert os.listdir(tmp_path / "b") == ["old"] and os.listdir(tmp_path / "a/out") == []
