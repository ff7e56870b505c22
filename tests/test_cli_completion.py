"""What shells complete, and what the command line says before it runs a program for nothing."""
import json
import os
import shutil
import subprocess
import sys

import pytest
from terminals import shown_by

from kimi_runtime.cli import doctor

BASH = shutil.which("bash")


def cli(*arguments, **settings):
    return subprocess.run([sys.executable, "-m", "kimi_runtime", *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          **settings)


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    """A function: words on the command line, the last of which is completed; what bash would offer, and whether files too."""
    if BASH is None:
        pytest.skip("there is no bash")
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "kimi-cli"
    command.write_text(f"#!/bin/sh\nPYTHONPATH={os.getcwd()} exec {sys.executable} -m kimi_runtime \"$@\"\n")
    command.chmod(0o755)
    script = cli("completion", "bash").stdout

    def run(*words):
        text = (f"{script}\ncompopt() {{ echo option \"$@\"; }}\nCOMP_WORDS=(kimi-cli {' '.join(map(repr, words))})\n"
                f"COMP_CWORD={len(words)}\n_kimi_cli_completion kimi-cli\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n")
        done = subprocess.run([BASH, "-c", text], capture_output=True, text=True, timeout=60, check=True,
                              env={**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"})
        lines = done.stdout.split("\n")[:-1]
        return [each for each in lines if each and not each.startswith("option")], "option -o default" in lines

    return run


@pytest.mark.parametrize("words, offered, files", [
    (["pro"], ["profile"], True), (["ru"], ["run"], True), (["my_scr"], [], True), (["profile", "my_scr"], [], True),
    (["run", "--al"], ["--allocator"], False), (["run", "--allocator", "j"], ["jemalloc"], False), (["dis", "my_scr"], [], True),
    (["profile", "--format", "p"], ["pprof"], False), (["cache", "w"], ["warm"], False), (["doctor", "--n"], ["--numa"], False)])
def test_bash_completes(complete, words, offered, files):
    assert complete(*words) == (offered, files)


def test_help_of_run_is_that_of_its_options():
    from kimi_runtime.cli.commands import run_program

    told = cli("run", "--help").stdout
    assert cli("run", "-h").stdout == told and "kimi-cli run --allocator jemalloc script.py" in told
    for each in run_program.params:
        for name in each.opts if each.param_type_name == "option" else ():
            assert name in told
    assert "\n  run  " in cli("--help").stdout


@pytest.mark.parametrize("arguments", [
    ["profile", "-o", "FILE.json"], ["--profile=cpu", "--output", "FILE.json"], ["coverage", "--lcov", "FILE"], ["coverage", "--html", "FILE"]])
def test_a_folder_that_is_not_there_is_told_before_the_program_runs(tmp_path, arguments):
    missing = tmp_path / "missing"
    done = cli(*(each.replace("FILE", str(missing / "out")) for each in arguments), "-c", "print('has run')")
    assert done.returncode == 2 and "has run" not in done.stdout + done.stderr and "Traceback" not in done.stderr
    assert "there is no folder" in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.skipif(os.geteuid() == 0 and not os.path.exists("/dev/full"), reason="nothing that cannot be written")
def test_what_could_not_be_written_is_not_said_to_be(tmp_path):
    done = cli("profile", "--format", "json", "-o", "/dev/full", "-c", "print('has run')")
    assert done.returncode == 2 and "has run" in done.stdout
    assert "can't write '/dev/full'" in done.stderr and "written" not in done.stderr


@pytest.mark.unsteady       # compiled by a thread, while the program runs
def test_profiles_and_benchmarks_of_compiled_code(tmp_path):
    pytest.importorskip("llvmlite")
    script = tmp_path / "busy.py"
    script.write_text("def work(n):\n    t = 0\n    for i in range(n):\n        t += i & 3\n    return t\nfor k in range(60): work(3_000_000)\n")
    plain, compiled = (json.loads(cli("profile", *option, "--json", "--no-summary", "--interval", "1ms", script).stdout)
                       for option in ((), ("--jit",)))
    assert [row["tier"] for row in plain["by_tier"]] == ["interpreted"]
    assert "compiled" in [row["tier"] for row in compiled["by_tier"]]
    done = cli("bench", "--jit", "--no-compare", "--repeat", "1", "--json", script)
    assert done.returncode == 0 and json.loads(done.stdout)["kimi"]["runs"] == 1


def test_looks_of_doctor_are_told_one_by_one():
    told = []
    found = doctor.examine(lambda done, whole: told.append((done, whole)))
    assert told == [(number, len(found)) for number in range(len(found) + 1)]


def test_checking_many_files_shows_a_bar_on_a_terminal(tmp_path, monkeypatch):
    script = tmp_path / "a.py"
    script.write_text("x = 1\n")
    code = ("import sys, time\nfrom kimi_runtime.cli import diagnostics, main\n"
            "clock = [0.0]\ntime.monotonic = lambda: clock.append(clock[-1] + 1) or clock[-1]\n"
            f"sys.exit(main.main(['check'] + [{str(script)!r}] * 8))")
    status, _, shown = shown_by([sys.executable, "-c", code])
    assert status == 0 and b"checking [" in shown and shown.endswith(b"\r\x1b[K")


def test_an_allocator_that_must_be_loaded_first_is_no_missing_package(monkeypatch):
    from kimi_runtime import allocator

    there = {name: None for name in allocator.NAMES} | {"jemalloc": "allocator jemalloc: is there, but late"}
    monkeypatch.setattr(allocator, "available", lambda: there)
    monkeypatch.setattr(allocator, "preloads", lambda name: "libjemalloc.so.2")
    found = doctor.examine_allocators()["jemalloc"]
    assert found["reason"] == "is there, but late" and "LD_PRELOAD=libjemalloc.so.2" in found["remedy"]
    monkeypatch.setattr(allocator, "preloads", lambda name: (_ for _ in ()).throw(allocator.AllocatorError("none")))
    assert "apt install" in doctor.examine_allocators()["jemalloc"]["remedy"]
