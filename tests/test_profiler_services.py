"""Spans and figures for services, the doctor, and listings as JSON."""
import asyncio
import json
import subprocess
import sys

import pytest

import kimi_runtime as kr


def cli(*arguments):
    return subprocess.run([sys.executable, "-m", "kimi_runtime", *arguments], capture_output=True, text=True, timeout=100)


@pytest.fixture
def exported():
    """A tracer of OpenTelemetry's SDK, and the spans that it has ended."""
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider.get_tracer("test"), exporter.get_finished_spans


def double(x):
    return 2 * x


def test_a_run_is_a_span_with_its_stages_and_calls(exported):
    tracer, spans = exported
    rt = kr.Runtime(functions={"double": double})
    rt.export_spans(tracer)
    assert rt.run("double(double(3))", filename="job.py").value == 12
    run = next(span for span in spans() if span.name == "kimi.run")
    inside = [span for span in spans() if span.parent is not None and span.parent.span_id == run.context.span_id]
    assert sorted(span.name for span in inside) == ["kimi.compile", "kimi.host_call", "kimi.host_call", "kimi.parse"]
    assert {span.context.trace_id for span in spans()} == {run.context.trace_id}
    assert run.attributes["kimi.filename"] == "job.py" and run.attributes["kimi.instructions"] > 0
    calls = [span for span in inside if span.name == "kimi.host_call"]
    assert all(span.attributes["kimi.function"] == "double" for span in calls)
    assert all(run.start_time <= span.start_time <= span.end_time <= run.end_time for span in calls)
    assert run.status.status_code.name == "UNSET"


def test_spans_say_how_a_run_has_failed(exported):
    tracer, spans = exported
    rt = kr.Runtime()
    rt.export_spans(tracer)
    rt.run("1 / 0")
    rt.run("while True: pass", limits=kr.Limits(instructions=10_000))
    with rt.session() as session:
        session.run("x = 1")
    first, second, third = (span for span in spans() if span.name == "kimi.run")
    assert first.status.status_code.name == "ERROR" and first.status.description == "ZeroDivisionError: division by zero"
    assert second.attributes["kimi.limit"] == "instructions"
    assert third.status.status_code.name == "UNSET" and third.attributes["kimi.cached"] in (True, False)


def test_calls_of_runs_that_await_each_other_stay_apart(exported):
    tracer, spans = exported
    rt = kr.Runtime(functions={"double": double})
    rt.export_spans(tracer)

    async def both():
        return await asyncio.gather(*(rt.run_async(f"double({number})") for number in (1, 2)))

    assert [result.value for result in asyncio.run(both())] == [2, 4]
    runs = {span.context.span_id for span in spans() if span.name == "kimi.run"}
    calls = [span.parent.span_id for span in spans() if span.name == "kimi.host_call"]
    assert len(runs) == 2 and set(calls) == runs


def test_spans_are_inside_the_span_of_the_host(exported):
    tracer, spans = exported
    rt = kr.Runtime()
    rt.export_spans(tracer)
    with tracer.start_as_current_span("request") as request:
        rt.run("1")
    run = next(span for span in spans() if span.name == "kimi.run")
    assert run.parent.span_id == request.get_span_context().span_id


def test_spans_and_a_profile_at_once(exported):
    tracer, spans = exported
    rt = kr.Runtime(functions={"double": double})
    rt.export_spans(tracer)
    with rt.profile(interval=0.001) as p:
        assert rt.run("double(4)").value == 8
    assert p.data["host_calls"][0]["calls"] == 1
    assert [span.name for span in spans()].count("kimi.host_call") == 1


def test_the_doctor_names_everything():
    found = json.loads(cli("doctor", "--json").stdout)
    assert {"python", "compiler", "cpu", "processors", "numa", "cgroup", "allocators", "jit", "profiler", "extras", "isolation"} <= set(found)
    assert found["cpu"]["model"] and found["numa"]["nodes"] and found["cgroup"]["processors"] >= 1
    assert found["allocators"]["pymalloc"]["ok"] and {"jemalloc", "mimalloc"} <= set(found["allocators"])
    assert found["profiler"]["ok"] and "seccomp" in found["isolation"]["layers"]
    for each in (found["jit"], found["compiler"], *found["allocators"].values(), *found["extras"].values()):
        assert each["ok"] or each["reason"] and each["cost"] and each["remedy"]


def test_the_doctor_says_what_a_missing_piece_costs(monkeypatch, capsys):
    from kimi_runtime.cli import doctor

    monkeypatch.setitem(doctor.EXTRAS, "no_such_package", ("cache", "nothing is fast"))
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    assert not doctor.examine_compiler()["ok"]
    monkeypatch.setattr(doctor, "examine_isolation", lambda: {"available": True, "error": None, "layers": {}, "template_start_seconds": 0.1,
                                                              "worker_start_seconds": 0.1})
    assert doctor.run(False) == 0
    text = capsys.readouterr().out
    assert "missing package no_such_package" in text and "costs:  nothing is fast" in text and "pip install 'kimi-runtime[cache]'" in text
    for name in ("CPU", "NUMA", "cgroup", "C compiler", "allocator mimalloc", "hot tier", "profiler"):
        assert name in text


def test_listings_are_json_too(tmp_path):
    script = tmp_path / "s.py"
    script.write_text("def f(x):\n    return x + 0.5\nf(1)\n")
    codes = json.loads(cli("dis", "--json", str(script)).stdout)
    assert [code["name"] for code in codes] == ["<module>", "f"]
    assert [(row["op"], row["line"]) for row in codes[1]["instructions"]] == [("ADD_K", 2), ("RETURN", 2)]
    tree = json.loads(cli("ast", "--json", str(script)).stdout)
    assert tree["body"][0]["body"][0]["value"] == {
        "node": "BinOp", "lineno": 2, "col_offset": 11, "end_lineno": 2, "end_col_offset": 18, "op": "Add",
        "left": {"node": "Name", "id": "x", "ctx": "Load", "lineno": 2, "col_offset": 11, "end_lineno": 2, "end_col_offset": 12},
        "right": {"node": "Constant", "value": 0.5, "kind": None, "lineno": 2, "col_offset": 15, "end_lineno": 2, "end_col_offset": 18}}


@pytest.mark.parametrize("command", [["profile"], ["trace"], ["coverage"], ["bench"], ["completion"], ["doctor"], ["dis"], ["ast"], ["check"],
                                     ["cache", "stats"], ["cache", "warm"], ["cache", "clear"], ["repl"]], ids=" ".join)
def test_help_has_examples(command):
    from click.testing import CliRunner
    from kimi_runtime.cli.commands import cli as group

    done = CliRunner().invoke(group, [*command, "--help"])
    assert done.exit_code == 0 and "Example" in done.output and f"kimi-cli {' '.join(command)}" in done.output
