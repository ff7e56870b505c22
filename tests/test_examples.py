"""Guest examples print what CPython prints; embedding examples run."""
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUESTS = sorted((ROOT / "examples").glob("*.py"))
HOSTS = sorted((ROOT / "examples/embedding").glob("*.py"))


def run(*command):
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=120, cwd=ROOT)


@pytest.mark.parametrize("path", GUESTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("arguments", [(), ("north",), ("mars",)], ids=" ".join)
def test_guest_example(path, arguments):
    if arguments and path.stem != "orders_report":
        pytest.skip("takes no arguments")
    ours = run("-m", "kimi_runtime", str(path), *arguments)
    theirs = run(str(path), *arguments)
    assert (ours.stdout, ours.stderr, ours.returncode) == (theirs.stdout, theirs.stderr, theirs.returncode)
    assert ours.stdout or ours.stderr


EXPECTED = {
    "spreadsheet": ["net      147.3", "label    175.29 for 442 parts", "#NameError: name 'missing'", "#SyntaxError:"],
    "rules": ["order 1: accept", "order 2: review | log: large private order 2", "order 3: reject",
              "order 4: failed: KeyError: 'total' in line 5", "KeyError: 'total' (<rule>, line 5)"],
    "host_modules": ["[5, 0]", "[2]", "LookupError: 'piano' is not sold here (line 7)", "  cached"],
    "isolated": ["counts words: [('to', 2)]", "reads a file: PermissionError", "never ends: LimitExceeded, limit seconds", "limit output"],
    "human_approval": ["Pay 200 to bob? yes", "ann paid\nbob paid\ncid refused\n"],
    "agent_loop": ["not run: <cell>:1:9: error: name 'await_all' is not defined", "ran: {'Oslo': 3, 'Rome': 17, 'Cairo': 24}",
                   "answer: Cairo, 24 degrees"],
    "web_sessions": ['"value":"42"', "name 'total' is not defined", '"type":"LimitExceeded"', "at the same time: 200 409", '{"ended":true}'],
    "threads": ["300000 ", "600000 ", "the host had a turn: True"],
}


@pytest.mark.parametrize("path", HOSTS, ids=lambda path: path.stem)
def test_host_example(path):
    if path.stem == "web_sessions":
        pytest.importorskip("starlette")
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=120, cwd=ROOT, env=environment()
    )
    assert done.returncode == 0, done.stderr
    for part in EXPECTED[path.stem]:
        assert part in done.stdout


def environment():
    import os

    return {**os.environ, "PYTHONPATH": str(ROOT)}
