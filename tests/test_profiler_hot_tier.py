"""Profiles, traces and the hot tier together: the same results, samples of compiled code with its line and tier, guards that count."""
import pytest

import kimi_runtime as kr
from kimi_runtime import jit

pytestmark = [pytest.mark.unsteady, pytest.mark.skipif(not jit.available(), reason="needs llvmlite")]

LOOPS = """
def turn(n):
    x = 1
    for i in range(n):
        x = (x * 3 + i) % 1009
    return x
def plain(rows):
    return ",".join([str(each) for each in rows])
total = 0
for k in range(60):
    total += turn(40_000)
    total += len(plain(range(2_000)))
total
"""

MIXED = """
out = []
def add(rows):
    total = 0
    for each in rows:
        total = total + each
    return total
for turn in range(300):
    out.append(add([turn] * 50))
    out.append(add([turn + 0.5] * 50))
    if turn % 100 == 0:
        out.append(add([2 ** 62] * 50))
        try:
            add([1, "a"])
        except TypeError as error:
            out.append(str(error))
out
"""


def run(source, profile, hot, interval=0.0005):
    rt = kr.Runtime(limits=None, jit=kr.JIT.eager() if hot else None)
    if not profile:
        return rt.run(source, check=True), None
    with rt.profile(interval=interval, memory=profile == "memory") as p:
        result = rt.run(source, check=True)
    return result, p


@pytest.mark.parametrize("source", [LOOPS, MIXED], ids=["loops", "mixed"])
def test_results_are_the_same_with_any_mix(source):
    expected, _ = run(source, None, False)
    for profile in (None, "cpu", "memory"):
        for hot in (False, True):
            found, _ = run(source, profile, hot)
            assert (found.value, found.stdout) == (expected.value, expected.stdout), (profile, hot)
            assert found.stats.instructions == expected.stats.instructions, (profile, hot)


def test_samples_of_compiled_code_have_their_tier_and_a_line_of_its_function():
    for _ in range(3):                  # a machine with other work may give few samples
        _, p = run(LOOPS, "cpu", True)
        compiled = [s for s in p.data["samples"] if s["tier"] == "compiled"]
        if compiled:
            break
    tiers = {row["tier"]: row["seconds"] for row in p.data["by_tier"]}
    assert tiers["compiled"] > 0 and tiers["interpreted"] > 0
    assert sum(tiers.values()) == pytest.approx(p.seconds)
    places = set()
    for sample in compiled:
        frame = p.data["frames"][p.data["stacks"][sample["stack"]]["frame"]]
        places.add((p.data["functions"][frame["function"]]["name"], frame["line"]))
        assert frame["tier"] == "compiled"
    assert ("turn", 4) in places or ("turn", 2) in places, places


def test_guards_count():
    source = MIXED + "# what was compiled for others has seen it all"
    _, p = run(source, "cpu", True)
    assert p.data["caches"]["guard_exits"] > 0
    _, p = run(source, "cpu", False)
    assert p.data["caches"]["guard_exits"] == 0
