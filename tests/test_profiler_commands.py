"""The command line of the profiler and of what looks inside: literal commands, files by their endings, listings as JSON, help."""
import json
import os
import re
import subprocess
import sys

import pytest
from terminals import shown_by

pytestmark = pytest.mark.unsteady

# As long as several samples take, however fast the machine is.
BUSY = ("import sys, time\nprint('to standard output')\nend = time.process_time() + 0.4\nwhile time.process_time() < end:\n    for i in range(10_000): pass\n"
        "print('done', file=sys.stderr)\n")


def cli(*arguments, **settings):
    return subprocess.run([sys.executable, "-m", "kimi_runtime", *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          **settings)


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "analysis_script.py"
    path.write_text(BUSY)
    return path


def test_the_literal_command(script):
    # As a shell would run it, in the folder of the script.
    command = (f"{sys.executable} -m kimi_runtime --profile=cpu,memory --sample-interval=50ms --output-format=json "
               "./analysis_script.py > profile.json")
    done = subprocess.run(command, shell=True, cwd=script.parent, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [os.getcwd(), os.environ.get("PYTHONPATH")]))})
    assert done.returncode == 0 and done.stdout == ""
    assert done.stderr == "to standard output\ndone\n"
    data = json.loads((script.parent / "profile.json").read_text())
    assert (data["format"], data["version"], data["interval"]) == ("kimi-profile", 1, 0.05)
    assert "memory" in data
    assert set(data["samples"][0]) >= {"time", "cpu_share", "heap_live", "heap_allocated", "ast_nodes", "code_objects", "stack", "tier",
                                       "instructions_per_second", "collections"}


def test_the_output_of_the_program_goes_to_a_file(script, tmp_path):
    done = cli("--profile=cpu", "--stdout", tmp_path / "out.txt", "--output-format=collapsed", script)
    assert (tmp_path / "out.txt").read_text() == "to standard output\n"
    assert done.stderr == "done\n" and done.stdout.startswith("<module>_(")


@pytest.mark.parametrize("name, start", [
    ("p.json", b'{"format": "kimi-profile"'), ("p.speedscope.json", b'{"$schema"'), ("p.folded", b"<module>_("), ("p.pb.gz", b"\x1f\x8b"),
    ("p.txt", b""), ("p.HTML", b"<!doctype html>")])
def test_the_ending_of_a_file_tells_the_format(script, tmp_path, name, start):
    path = tmp_path / name
    assert cli("profile", "--no-summary", "-o", path, script).returncode == 0
    assert path.read_bytes().startswith(start) and path.stat().st_size > 100


@pytest.mark.parametrize("terminal", [True, False])
def test_work_over_two_seconds_shows_a_bar_on_a_terminal(terminal):
    """And nowhere else; the bar is taken away at the end."""
    command = [sys.executable, "-m", "kimi_runtime", "bench", "--no-compare", "--repeat", "6", "-c", "import time; time.sleep(0.5)"]
    status, table, shown = shown_by(command, terminal)
    assert status == 0 and b"fastest" in table
    bars = re.findall(r"running \[(█*)·*\] (\d+)/6", shown.decode())
    if terminal:
        assert bars and all(len(full) == 30 * int(done) // 6 for full, done in bars), shown
        assert shown.endswith(b"\r\x1b[K")
    else:
        assert shown == b""


@pytest.mark.parametrize("arguments", [["profile", "-o"], ["--profile=cpu", "--output"]])
@pytest.mark.parametrize("name", ["profile.foo", "profile", "json"])
def test_an_ending_that_names_no_format_is_an_error_before_the_program_runs(script, tmp_path, arguments, name):
    done = cli(*arguments, tmp_path / name, script)
    assert done.returncode == 2 and "to standard output" not in done.stdout + done.stderr
    assert not (tmp_path / name).exists()
    told = " ".join(done.stderr.replace("│", " ").split())
    for ending in (".json (json)", ".speedscope.json (speedscope)", ".html (html)", ".collapsed (collapsed)", ".pb.gz (pprof)", ".txt (text)"):
        assert ending in told, told
