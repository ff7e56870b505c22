"""What other tools read of a profile: speedscope's file format, collapsed stacks, pprof; and the schema of our own."""
import gzip
import json
import numbers
import re

import pytest

import kimi_runtime as kr

PROGRAM = """
def leaf(n):
    return sorted(range(n), key=lambda x: -x)
class Worker:
    def work(self, n):
        for i in range(n):
            leaf(1000); wait()
Worker().work(40)
"""


def wait():
    """A function of the host."""


@pytest.fixture(scope="module")
def profile():
    rt = kr.Runtime(functions={"wait": wait}, limits=None)
    with rt.profile(interval=0.0005, memory=True) as p:
        rt.run(PROGRAM, filename="a; b 7.py", check=True)
        rt.run("for i in range(300_000): pass", check=True)
    return p


# ---- speedscope ----------------------------------------------------------------------------------------------
#: What its schema (file-format-schema.json) says of a file with sampled profiles: field -> type; a question mark: may be missing.
UNITS = {"none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"}
FILE = {"$schema": str, "shared": dict, "profiles": list, "name?": str, "activeProfileIndex?": numbers.Real, "exporter?": str}
FRAME = {"name": str, "file?": str, "line?": numbers.Real, "col?": numbers.Real}
SAMPLED = {"type": str, "name": str, "unit": str, "startValue": numbers.Real, "endValue": numbers.Real, "samples": list, "weights": list}


def follows(value, schema):
    names = {name.rstrip("?"): kind for name, kind in schema.items()}
    assert set(value) <= set(names) and {name for name in schema if not name.endswith("?")} <= set(value)
    for name, each in value.items():
        assert isinstance(each, names[name]) and not isinstance(each, bool), name


def test_the_file_of_speedscope_follows_its_schema(profile):
    found = json.loads(profile.encode("speedscope"))
    follows(found, FILE)
    assert found["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = found["shared"]["frames"]
    for frame in frames:
        follows(frame, FRAME)
    assert len(found["profiles"]) == 2 and 0 <= found["activeProfileIndex"] < 2     # one for each run
    for each in found["profiles"]:
        follows(each, SAMPLED)
        assert each["type"] == "sampled" and each["unit"] in UNITS
        # What the schema cannot say, and speedscope's importer relies on.
        assert len(each["samples"]) == len(each["weights"]) and all(weight >= 0 for weight in each["weights"])
        assert all(isinstance(frame, int) and 0 <= frame < len(frames) for stack in each["samples"] for frame in stack)
        assert each["endValue"] - each["startValue"] == pytest.approx(sum(each["weights"]))
    assert sum(each["endValue"] for each in found["profiles"]) == pytest.approx(profile.seconds)
    stack = max((stack for each in found["profiles"] for stack in each["samples"]), key=len)
    assert [frames[number]["name"] for number in stack][:2] == ["<module>", "Worker.work"]


# ---- collapsed stacks ----------------------------------------------------------------------------------------
def test_collapsed_stacks_are_what_flamegraph_pl_reads(profile):
    weights = {}
    for line in profile.format("collapsed").splitlines():
        stack, count = re.fullmatch(r"(\S+) ([1-9]\d*)", line).groups()
        assert stack not in weights and all(stack.split(";")), "each stack once, no frame without a name"
        weights[stack] = int(count)
    within = sum(sample["seconds"] for sample in profile.data["samples"] if sample["stack"])     # not at the end of a run
    assert sum(weights.values()) == pytest.approx(within * 1e6, rel=0.01)
    assert any(stack.split(";")[0].startswith("<module>_(a,_b_7.py:") and ";leaf_(" in stack for stack in weights)


# ---- pprof ---------------------------------------------------------------------------------------------------
def fields(data):
    """``[(number, value)]`` of a message of protocol buffers."""
    found, at = [], 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        value = varint()
        if key & 7 == 2:
            at, value = at + value, data[at:at + value]
        else:
            assert key & 7 == 0
        found.append((key >> 3, value))
    return found


def varints(data):
    return [value for _, value in fields(b"".join(b"\x08" + bytes(each) for each in re.findall(rb"[\x80-\xff]*[\x00-\x7f]", data, re.DOTALL)))]


def test_pprof(profile):
    found = fields(gzip.decompress(profile.encode("pprof")))
    texts = [value.decode() for number, value in found if number == 6]
    assert texts[0] == ""
    types = [[texts[index] for _, index in fields(value)] for number, value in found if number == 1]
    assert types == [["samples", "count"], ["wall", "nanoseconds"], ["cpu", "nanoseconds"], ["alloc_space", "bytes"]]
    functions = {dict(fields(value))[1]: texts[dict(fields(value))[2]] for number, value in found if number == 5}
    places = {dict(fields(value))[1]: dict(fields(dict(fields(value))[4])) for number, value in found if number == 4}
    totals = [0, 0, 0, 0]
    seen = set()
    for number, value in found:
        if number == 2:
            sample = dict(fields(value))
            totals = [a + b for a, b in zip(totals, varints(sample[2]), strict=True)]
            seen.add(tuple(functions[places[each][1]] for each in varints(sample[1])))
    assert totals[0] == sum(sample["stack"] > 0 for sample in profile.data["samples"])
    assert totals[1] == pytest.approx(sum(sample["seconds"] for sample in profile.data["samples"] if sample["stack"] > 0) * 1e9, rel=0.001)
    assert any(stack[-2:] == ("Worker.work", "<module>") for stack in seen), "innermost first"


# ---- our own -------------------------------------------------------------------------------------------------
def test_the_schema_is_what_the_documentation_says(profile):
    from pathlib import Path

    text = (Path(__file__).parent.parent / "docs" / "profiling.md").read_text()
    documented = set(re.findall(r"`(\w+)`", text.partition("## The schema")[2].partition("\n## ")[0]))
    data = json.loads(profile.encode("json"))
    assert set(data) <= documented, set(data) - documented
    for row in ("samples", "functions", "frames", "stacks", "collections", "by_function", "by_line", "by_node_kind", "by_stage",
                "by_tier", "host_calls", "hints", "programs"):
        for each in data[row][:1]:
            assert set(each) <= documented, (row, set(each) - documented)
    assert set(data["caches"]) | set(data["memory"]) <= documented


def test_samples_refer_to_what_there_is(profile):
    data = profile.data
    assert data["stacks"][0] == {"parent": -1, "frame": -1}
    for number, stack in enumerate(data["stacks"][1:], 1):
        assert 0 <= stack["parent"] < number and 0 <= stack["frame"] < len(data["frames"])
    assert all(0 <= frame["function"] < len(data["functions"]) for frame in data["frames"])
    for sample in data["samples"]:
        assert 0 <= sample["stack"] < len(data["stacks"])
        assert sample["heap_live"] >= 0 and sample["heap_allocated"] >= 0 and sample["code_objects"] > 0
        assert sample["instructions"] >= 0 and sample["stage"] in ("interpret", "native", "host")
    assert data["host_calls"][0]["name"] == "wait" and data["host_calls"][0]["calls"] == 40
