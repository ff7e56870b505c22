"""Attempts to reach the host: each ends with an error inside the guest, and nothing of the host shows.

``escapes.jsonl`` holds the attempts by family, ``escapes_own.jsonl`` those that were thought of while the gate was built and
attacked, many after reports about other sandboxes. Three names are planted for them: ``tool``, a function of the host whose
globals hold a secret; ``box``, an object of the host with one open attribute and a hidden one; ``canary_path``, a file.
"""

from __future__ import annotations

import json
import pathlib
import sys

import kimi_runtime as kr
import pytest

SECRET = "canary-of-the-host-4711"
HERE = pathlib.Path(__file__).parent
CASES = [json.loads(line) for name in ("escapes.jsonl", "escapes_own.jsonl")
         for line in (HERE / name).read_text(encoding="utf-8").splitlines()]
POISON = "poisoning what others share"

# What a second guest finds, whatever the first one did.
PROBE = """
import collections, copy, enum, json, math, random, re, string, sys, typing, warnings
[len([1, 2]), json.dumps({"a": [1]}), collections.Counter("aab").most_common(1), hasattr(int, "x"), re.findall("a+", "aab"),
 len(warnings.filters), sys.getrecursionlimit(), sys.stdout is not None, copy.copy([1]), string.digits, math.sqrt(4),
 sorted(re.RegexFlag.__members__), typing.List[int], random.Random(1).random(), isinstance(3, collections.abc.Sequence)]
"""


def tool(x):
    """Gives back what it is given."""
    return x if SECRET else None


class Box:
    def __init__(self):
        self.open_attr = 5
        self._hidden = SECRET


@pytest.fixture(scope="module")
def canary_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("host") / "secret.txt"
    path.write_text(SECRET)
    return str(path)


def attempt(code, canary_path):
    """Runs an attempt; the result, and a new box."""
    box = Box()
    given = kr.expose(box, attrs=["open_attr"]) if hasattr(kr, "expose") else box
    return kr.run(code, inputs={"tool": tool, "box": given, "canary_path": canary_path}), box


def told(result):
    """All that the host is told about a run."""
    return f"{result.stdout}{result.stderr}{result.value!r}{result.error}"


# From 3.12 on the class that make_dataclass makes belongs to the module of its caller. So the guest's own code is what evaluates
# the annotation, and it sees the guest's own os.
OWN_LOOT = {"e866064e276": "loot {'x': 1}\n"} if sys.version_info >= (3, 12) else {}


@pytest.mark.parametrize("case", [each for each in CASES if each["family"] != POISON], ids=lambda case: case["id"])
def test_denied(case, canary_path, monkeypatch):
    monkeypatch.setenv("KIMI_CANARY", SECRET)
    before = dict(vars(tool)), tool.__code__, tool.__defaults__, tool.__doc__
    result, box = attempt(case["code"], canary_path)
    if case["id"] in OWN_LOOT:
        assert result.unwrap() is None and result.stdout == OWN_LOOT[case["id"]]
    else:
        assert result.error is not None, result.stdout
        assert result.error.limit is None
    assert SECRET not in told(result)
    assert vars(box) == {"open_attr": 5, "_hidden": SECRET}
    assert before == (dict(vars(tool)), tool.__code__, tool.__defaults__, tool.__doc__)


@pytest.mark.parametrize("case", [each for each in CASES if each["family"] == POISON], ids=lambda case: case["id"])
def test_poison_stays_in_its_sandbox(case, canary_path, monkeypatch):
    monkeypatch.setenv("KIMI_CANARY", SECRET)
    before = repr(kr.run(PROBE).unwrap())
    host = sys.getswitchinterval(), sys.getrecursionlimit(), sys.stdout, len([1]), int.__dict__.get("x")
    result, box = attempt(case["code"], canary_path)
    assert SECRET not in told(result)
    assert repr(kr.run(PROBE).unwrap()) == before
    assert host == (sys.getswitchinterval(), sys.getrecursionlimit(), sys.stdout, len([1]), int.__dict__.get("x"))
    assert vars(box) == {"open_attr": 5, "_hidden": SECRET}


def test_cases_are_apart():
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids))
    assert len(CASES) > 400
