"""The summary that ``kimi-cli profile`` opens with: whole figures on any width, nothing that is empty, texts of programs as they are."""
import io
import re

import pytest

import kimi_runtime as kr
from kimi_runtime.profiling import formats, summary
from kimi_runtime.profiling.profile import Profile

console = pytest.importorskip("rich.console")

SOURCE = """
def a_function_whose_name_is_rather_long_for_a_terminal(rows):
    return [str(i) * 40 for i in range(20_000)] if rows else "[red]not markup[/red]"
for i in range(40): a_function_whose_name_is_rather_long_for_a_terminal(True) if i else "[bold]" + "a line that goes on and on and on"
"""


@pytest.fixture(scope="module")
def data():
    rt = kr.Runtime()
    with rt.profile(interval=0.0005, memory=True) as p:
        rt.run(SOURCE, filename="a/folder/with_a_program_of_a_long_name.py", check=True)
    return p.data


def shown(data, width):
    file = io.StringIO()
    summary.show(data, console.Console(file=file, width=width, highlight=False))
    return file.getvalue()


@pytest.mark.parametrize("width", [60, 80, 300])
def test_figures_are_whole(data, width):
    text = shown(data, width)
    assert all(len(line) <= width for line in text.splitlines())
    for heads in ("self   total  calls ≈", "time  native", "bytes  share"):
        assert re.search(heads.replace("  ", " +"), text), (heads, text)
    first = data["by_line"][0]
    assert re.search(rf"^ *{first['share']:.1%} +\d+%", text, re.MULTILINE), text
    assert f"{data['memory']['by_line'][0]['bytes']:,}" in text
    assert ("…" in text) == (width < 300)


def test_texts_of_the_program_are_no_markup(data):
    assert "[red]not markup[/red]" in shown(data, 400)


def test_what_is_empty_is_left_out(data):
    nothing = {**data, "samples": [], "by_function": [], "by_line": [], "by_stage": [], "hints": [], "memory": {"by_line": []}}
    text = shown(nothing, 80)
    assert "No sample was taken" in text
    for title in ("functions", "lines", "allocations", "stages"):
        assert title not in text


@pytest.mark.parametrize("samples, collections, told", [
    (1, 0, "1 sample, one every 5 ms, 0.000 s of 0.000 s (0.000 s of processor time), 0 garbage collections (0.000 s)"),
    (2000, 1, "2,000 samples, one every 5 ms, 0.000 s of 0.000 s (0.000 s of processor time), 1 garbage collection (0.250 s)")])
def test_the_first_line(samples, collections, told):
    made = {"samples": [None] * samples, "collections": [{"seconds": 0.25}] * collections, "interval": 0.005,
            "sampled_seconds": 0.0, "guest_seconds": 0.0, "guest_cpu_seconds": 0.0}
    assert formats.summary_line(made) == told


def test_show_of_a_saved_profile(data, tmp_path):
    Profile(data=data).save(tmp_path / "p.json")
    file = io.StringIO()
    Profile.load(tmp_path / "p.json").show(console.Console(file=file, width=100))
    assert "kimi_runtime profile" in file.getvalue()
