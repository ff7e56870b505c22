"""The profiler, its formats and the commands that look inside a program while it runs."""
import asyncio
import contextlib
import gzip
import json
import re
import subprocess
import sys
import time

import pytest

import kimi_runtime as kr
from kimi_runtime.profiling.profile import Profile

pytestmark = pytest.mark.unsteady

BUSY = "\n\ndef slow():\n    x = 0\n    for i in range(2_000_000):\n        x += i\n    return x\nslow()\n"


def spin(seconds):
    """A function of the host that takes so long."""
    def wait():
        time.sleep(seconds)
    return wait


def profiled(source, functions=None, **settings):
    rt = kr.Runtime(functions=functions or {}, limits=None)
    with rt.profile(**settings) as p:
        result = rt.run(source)
    assert result.ok, result.error
    return p


def cli(*arguments, **settings):
    return subprocess.run([sys.executable, "-m", "kimi_runtime", *arguments], capture_output=True, text=True, timeout=100, **settings)


def test_positions_are_those_of_the_program():
    p = profiled(BUSY, interval=0.002)
    assert p.hottest_line() in (5, 6)
    assert p.function("slow")["line"] == 3


def test_recursion_counts_once():
    p = profiled("def f(n):\n    return 1 if n < 2 else f(n - 1) + f(n - 2)\nf(24)", interval=0.001)
    row = p.function("f")
    assert row["cumulative_share"] <= 1.0 + 1e-9
    assert row["self_seconds"] <= p.seconds + 1e-9


def test_waiting_for_the_host_is_time_of_the_host():
    p = profiled("wait()", {"wait": spin(0.2)}, interval=0.005)
    assert p.samples_in("<host: wait>") > 0
    assert p.encode("html") and p.encode("collapsed")
    assert p.data["host_calls"][0]["calls"] == 1


def test_all_samples_add_up_to_the_time_of_the_run():
    p = profiled(BUSY, interval=0.002)
    data = p.data
    assert data["sampled_seconds"] + data["unsampled_seconds"] == pytest.approx(data["guest_seconds"], rel=0.05)


def test_native_code_counts_for_the_line_that_calls_it():
    # The program itself measures its parts, by the clock that the samples go by.
    source = (
        "import time\nnow = time.perf_counter\nsorts = loops = 0.0\n"
        "def loop():\n    for i in range(300_000): pass\n"
        "for k in range(8):\n    a = now()\n"
        "    sorted(range(400_000, 0, -1))\n"
        "    b = now()\n    loop()\n    loops += now() - b\n    sorts += b - a\n"
        "sorts / (sorts + loops)")
    rt = kr.Runtime(limits=None)
    with rt.profile(interval=0.0005) as p:
        share = rt.run(source).value
    sorting, looping = p.line(8)["seconds"], p.line(5)["seconds"]
    assert sorting / (sorting + looping) == pytest.approx(share, abs=0.15)
    assert p.line(8)["native_seconds"] > 0


def test_empty_profiles_are_written_in_every_format():
    p = profiled("1 + 1", interval=60)
    assert p.data["samples"] == []
    for kind in ("json", "text", "collapsed", "speedscope", "pprof", "html"):
        assert isinstance(p.encode(kind), bytes)
    with pytest.raises(ValueError):
        p.encode("pdf")


def test_names_are_escaped_in_collapsed_stacks():
    rt = kr.Runtime(limits=None)
    with rt.profile(interval=0.001) as p:
        for name in ("job 17", "a;b", "x 3"):
            rt.run("for i in range(1_000_000): pass", filename=name)
    text = p.format("collapsed")
    assert text and all(re.fullmatch(r"\S+ \d+", line) for line in text.splitlines())


def test_formats(tmp_path):
    p = profiled(BUSY, interval=0.002)
    scope = json.loads(p.encode("speedscope"))
    for each in scope["profiles"]:
        assert each["type"] == "sampled" and len(each["samples"]) == len(each["weights"])
        assert all(0 <= frame < len(scope["shared"]["frames"]) for stack in each["samples"] for frame in stack)
    assert gzip.decompress(p.encode("pprof")).startswith(b"\x0a")
    page = p.format("html")
    assert "http://" not in page and "https://" not in page
    p.save(tmp_path / "p.json")
    again = Profile.load(tmp_path / "p.json")
    assert again.data["samples"] == p.data["samples"]
    (tmp_path / "q.json").write_text("{}")
    with pytest.raises(ValueError):
        Profile.load(tmp_path / "q.json")


def test_arithmetic_is_not_charged_with_memory_of_the_runtime():
    p = profiled("z = 1.5\nfor _ in range(10 ** 6):\n    z = z * 0.5 + 1.0", interval=0.002, memory=True)
    assert p.line(3)["allocated"] < 64 * 1024


def test_allocations_by_line_and_type():
    p = profiled("a = []\nfor i in range(20_000):\n    b = str(i) * 50\n    a.append(b)", interval=0.005, memory=True)
    memory = p.data["memory"]
    assert memory["by_line"][0]["line"] == 3
    assert memory["by_type"][0]["type"] == "str"


def test_results_and_sessions_have_profiles_of_their_own():
    rt = kr.Runtime()
    with rt.profile(interval=0.002) as p:
        first = rt.run(BUSY)
        with rt.session() as s:
            second = s.run("sum(i for i in range(200_000))")
    assert first.profile.data["runs"] == second.profile.data["runs"] == 1
    assert len(first.profile.data["samples"]) + len(second.profile.data["samples"]) == len(p.data["samples"])
    assert rt.run("1").profile is None
    with pytest.raises(ValueError):
        rt.profile(interval=0)


def test_the_command_line(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("print('hello')\nfor i in range(3_000_000): pass\n")
    done = cli("--profile=cpu,memory", "--sample-interval=5ms", "--output-format=json", str(script))
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["format"], data["version"]) == ("kimi-profile", 1)
    assert data["samples"] and "hello" in done.stderr
    assert cli("--profile=nothing", str(script)).returncode == 2


def test_trace_and_coverage(tmp_path):
    script = tmp_path / "c.py"
    script.write_text("def f(x):\n    if x:\n        return 1\n    return 2\nf(0)\n")
    done = cli("trace", "--json", str(script))
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(each["event"], each["line"]) for each in events if each["function"] == "f"] == [
        ("call", 2), ("line", 2), ("line", 4), ("return", 4)]
    done = cli("coverage", "--lcov", str(tmp_path / "out.info"), "--html", str(tmp_path / "out.html"), "--json", str(script))
    row = json.loads(done.stderr)["files"][0]
    assert row["missing_lines"] == [3] and row["missing_branches"] == [[2, ["true"]]]
    assert "DA:3,0\n" in (tmp_path / "out.info").read_text()


def test_metrics_count_from_the_first_call_on():
    pytest.importorskip("prometheus_client")
    rt = kr.Runtime()
    rt.metrics()
    rt.run("1")
    rt.run("1 / 0")
    text = rt.metrics()
    assert 'kimi_runs_total{outcome="ok"} 1.0' in text and 'kimi_runs_total{outcome="error"} 1.0' in text


def watched(how, **settings):
    """A runtime that somebody looks on at, and a block in which that is so."""
    rt = kr.Runtime(functions={"f": lambda: 1}, **settings)
    if "metrics" in how:
        pytest.importorskip("prometheus_client")
        rt.metrics()
    return rt, rt.profile(interval=0.01) if "profile" in how else contextlib.nullcontext()


@pytest.mark.parametrize("how", ["metrics", "profile", "metrics and profile"])
def test_displays_are_in_the_result_when_others_look_on(how):
    rt, block = watched(how, displays=True)
    with block, rt.session() as s, contextlib.nullcontext() if "profile" in how else s.profile():
        for run in (rt.run, s.run):
            result = run("display(f()); 5")
            assert (result.displays, result.bundle) == ([{"text/plain": "1"}], {"text/plain": "5"})
            assert (result.profile is not None) == ("profile" in how or run == s.run)
        assert asyncio.run(rt.run_async("display(f()); 5")).displays == [{"text/plain": "1"}]


@pytest.mark.parametrize("how", ["metrics", "profile"])
def test_guests_get_no_display_from_those_who_look_on(how):
    rt, block = watched(how)
    with block, rt.session() as s:
        assert rt.run("display").error.type == s.run("f(); display").error.type == "NameError"


def test_calls_of_sessions_count():
    rt, _ = watched("metrics")
    with rt.session() as s:
        rt.run("f()")
        s.run("f(); f()")
        s.run("f()")
    assert 'kimi_host_calls_total{function="f"} 4.0' in rt.metrics()


def exporter():
    """What keeps spans, and a tracer that it gets them from."""
    exported = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter").InMemorySpanExporter()
    provider = pytest.importorskip("opentelemetry.sdk.trace").TracerProvider()
    provider.add_span_processor(pytest.importorskip("opentelemetry.sdk.trace.export").SimpleSpanProcessor(exported))
    return exported, provider.get_tracer("test")


def test_awaited_calls_count_when_they_end():
    """Calls that overlap, one of which the guest gives up."""
    exported, tracer = exporter()

    async def wait(seconds):
        await asyncio.sleep(seconds)

    rt = kr.Runtime(functions={"wait": wait})
    rt.metrics()
    rt.export_spans(tracer)
    source = ("import asyncio\nasync def main():\n    await asyncio.gather(wait(0.06), wait(0.01))\n"
              "    try: await asyncio.wait_for(wait(5), 0.01)\n    except TimeoutError: pass\nasyncio.run(main())")
    with rt.profile() as p:
        assert asyncio.run(rt.run_async(source)).ok
    assert 'kimi_host_calls_total{function="wait"} 3.0' in rt.metrics()
    assert [(row["name"], row["calls"]) for row in p.data["host_calls"]] == [("wait", 3)]
    spans = [each for each in exported.get_finished_spans() if each.name == "kimi.host_call"]
    assert len(spans) == 3
    longest = max(spans, key=lambda each: each.end_time - each.start_time)
    assert longest.start_time == min(each.start_time for each in spans) and longest.end_time - longest.start_time >= 60e6


def test_what_a_run_does_lies_in_its_span():
    export, tracer = exporter()
    rt = kr.Runtime(functions={"f": lambda: 1})
    rt.export_spans(tracer)
    for run in (rt.run, lambda source: asyncio.run(rt.run_async(source)), rt.session().run):
        export.clear()
        assert not run("f(); 1 / 0").ok
        spans = {each.name: each for each in export.get_finished_spans()}
        assert set(spans) == {"kimi.run", "kimi.host_call"} | ({"kimi.parse", "kimi.compile"} & set(spans))
        assert all(each.parent.span_id == spans["kimi.run"].context.span_id for name, each in spans.items() if name != "kimi.run")
        assert spans["kimi.run"].status.description == "ZeroDivisionError: division by zero"
    export.clear()
    with pytest.raises(TypeError):
        rt.run(5)
    assert [(each.name, each.events[0].name) for each in export.get_finished_spans()] == [("kimi.run", "exception")]
