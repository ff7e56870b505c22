"""``Result.has_value``, ``to_dict``, ``to_json``, ``GuestError.frames``, ``Session.restore``, ``Runtime.describe``."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import kimi_runtime as kr
import pytest


@pytest.mark.parametrize("source, has_value", [
    ("1", True), ("None", True), ("x = 1", False), ("", False), ("'text'", True), ("print()", True), ("1; 2", True), ("1\nx = 2", False), ("if True: 5", False),
    ("def f(): return 1", False), ("f'{1}'", True), ("(lambda: 1)()", True), ("[i for i in range(3)]", True), ("for i in (): i", False), ("1 if True else 2", True),
    ("1 / 0", False), ("x +", False), ("import sys\nsys.exit()", False), ("while False: pass", False), ("pass", False), ("# nothing", False), ("...", True),
    ("0 and (" + "a, " * 60_000 + ")\n1", True), ("0 and (" + "a, " * 60_000 + ")\nx = 1", False),
])
def test_has_value(source, has_value):
    assert kr.run(source, limits=None).has_value is has_value
    with kr.Runtime().session() as s:
        assert s.run(source, limits=None).has_value is has_value
        if len(source) < 100:
            assert s.start(source).result.has_value is has_value


def test_as_dictionary_and_json():
    result = kr.run("print('out')\n{'a': (1, 2.5, float('inf'), {3}), b'b': b'bytes', None: range(2), 'f': lambda: 1, 5: frozenset()}")
    found = result.to_dict()
    assert found["value"] is result.value and found["ok"] is True and found["stdout"] == "out\n" and found["error"] is None and found["files"] == {}
    assert found["stats"]["instructions"] == result.stats.instructions
    data = json.loads(result.to_json())
    assert data["value"] == {"a": [1, 2.5, "inf", [3]], "b'b'": "Ynl0ZXM=", "None": [0, 1], "f": "<guest function <lambda>>", "5": []}
    error = json.loads(kr.run("def f(): 1 / 0\nf()", filename="a.py").to_json(indent=1))["error"]
    assert error["type"] == "ZeroDivisionError" and [each["name"] for each in error["frames"]] == ["<module>", "f"]
    assert json.loads(kr.run("import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\nP(1), P").to_json())["value"] == [{"x": 1}, "<guest class P>"]
    assert json.loads(kr.run("x = [1]\nx.append(x)\nd = {'x': x}\nd['d'] = d\nx, d").to_json())["value"] == [[1, "[...]"], {"x": [1, "[...]"], "d": "{...}"}]
    assert json.loads(kr.run("x = []\n[x, x]").to_json())["value"] == [[], []]


SOURCE = '''
def outer(n):
    return inner(n) + "ä" + inner(n - 1)

def inner(n):
    for x in [1]:
        if n == 0:
            raise ValueError(
                "no")
    return ""

outer(1)
'''


def test_frames_are_those_of_cpython(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(SOURCE, encoding="utf-8")
    code = f"""
import traceback, json
try:
    exec(compile(open({str(path)!r}, encoding='utf-8').read(), 'program.py', 'exec'), {{}})
except ValueError as e:
    print(json.dumps([[code.co_filename, tb.lineno, code.co_name, tb.colno, tb.end_lineno, tb.end_colno] for tb, code in
          zip(traceback.extract_tb(e.__traceback__), [f[0].f_code for f in traceback.walk_tb(e.__traceback__)])][1:]))
"""
    expected = json.loads(subprocess.run([sys.executable, "-X", "utf8", "-c", code], capture_output=True, text=True, check=True).stdout)
    lines = SOURCE.split("\n")

    def characters(line, column):
        return len(lines[line - 1].encode()[:column].decode()) + 1

    expected = [[f, line, name, characters(line, c), end, characters(end, e)] for f, line, name, c, end, e in expected]
    error = kr.run(SOURCE, filename="program.py").error
    assert [[f.filename, f.line, f.name, f.column, f.end_line, f.end_column] for f in error.frames] == expected
    assert [f.source for f in error.frames] == [lines[f.line - 1] for f in error.frames]


def test_frames_of_cells_and_of_other_failures():
    with kr.Runtime().session() as s:
        s.run("def f(): return 1 / 0")
        frames = s.run("f()").error.frames
        assert [(f.filename, f.line, f.name, f.source) for f in frames] == [("<cell 2>", 1, "<module>", "f()"), ("<cell 1>", 1, "f", "def f(): return 1 / 0")]
    assert kr.run("x +").error.frames == [] and kr.run("def f(): f()\nf()").error.frames[-1].name == "f"
    assert [f.name for f in kr.run("import json\njson.loads('{')").error.frames][0] == "<module>"
    assert kr.run("while True: pass", limits=kr.Limits(seconds=0.05)).error.frames[0].line == 1
    with pytest.raises(kr.LimitExceeded) as caught:
        kr.run("x = 0\nwhile True: x += 1", limits=kr.Limits(instructions=1000), check=True)
    assert caught.value.error.frames[0].source == "while True: x += 1"
    frame = kr.run("1 / 0").error.frames[0]
    assert frame == kr.Frame(*frame.parts()) and frame.to_dict()["name"] == "<module>" and repr(frame) == "Frame('<guest>', 1, '<module>')"


def test_process_results_have_the_same():
    with kr.Runtime(isolation="process") as rt:
        assert rt.run("None").has_value and not rt.run("x = 1").has_value
        assert rt.run("def f(): 1 / 0\nf()").error.frames == kr.run("def f(): 1 / 0\nf()").error.frames
        assert rt.run("1 / 0").to_dict()["error"]["frames"][0]["source"] == "1 / 0"


# ---- sessions ----------------------------------------------------------------------------------------------
def test_restore():
    rt = kr.Runtime(functions={"ask": lambda: 7})
    with rt.session({"x": [1]}) as s:
        s.run("def add(n): x.append(n); return len(x)\ny = add")
        saved = s.dump()
        s.run("add(2); z = 1; del y; import atexit; atexit.register(print, 'bye')")
        s.restore(saved)
        assert s["x"] == [1] and s.names() == ["x", "add", "y"] and s.run("y(5), ask()").value == (2, 7)
        assert s.run("1 / 0").error.filename == "<cell 3>"
        for wrong in (b"", b"junk" * 50, saved[:-3], saved[:20] + b"\0\0" + saved[22:]):
            with pytest.raises(kr.SnapshotError):
                s.restore(wrong)
        assert s.run("add(0), x").value == (3, [1, 5, 0])
        with rt.session() as other:
            other.restore(saved)
            assert other.run("add(9), x").value == (2, [1, 9]) and s["x"] == [1, 5, 0]
        signed = s.dump(key=b"k" * 16)
        s.restore(signed, key=b"k" * 16)
        with pytest.raises(kr.SnapshotError):
            s.restore(signed, key=b"l" * 16)
        step = s.start("stop()", suspend_on={"stop"})
        with pytest.raises(kr.SnapshotError, match="suspended program"):
            s.restore(step.dump())
        assert s.run("1").value == 1
    with pytest.raises(kr.SessionError):
        s.restore(saved)


def test_functions_of_a_session():
    rt = kr.Runtime(functions={"who": lambda: "runtime", "kept": lambda: 1})
    with rt.session(functions={"who": lambda: "session", "own": lambda: 2}) as s, rt.session() as other:
        assert s.run("who(), kept(), own()").value == ("session", 1, 2)
        assert other.run("who()").value == "runtime" and other.run("own()").error.type == "NameError"
        assert rt.run("who()").value == "runtime"
        s.reset()
        assert s.run("who(), own()").value == ("session", 2)
        with s.fork() as copy:
            assert copy.run("who(), own()").value == ("session", 2)

    async def later():
        return 5

    async def main():
        with rt.session(functions={"later": later}) as s:
            return (await s.run_async("import asyncio\nasync def main(): return await later()\nasyncio.run(main())")).value

    assert asyncio.run(main()) == 5
    for wrong, error in ((5, TypeError), ({"a b": len}, ValueError), ({"a": 1}, TypeError)):
        with pytest.raises(error):
            rt.session(functions=wrong)


# ---- what guests may use -----------------------------------------------------------------------------------
async def fetch(url: str, *, retries: int = 3) -> str:
    """The text of a page.

    Follows redirects."""


def test_describe(tmp_path):
    rt = kr.Runtime(functions={"fetch": fetch, "waits": kr.host_function(fetch, name="waits", suspend=True), "many": kr.host_function(lambda calls: [], name="many", batched=True),
                               "size": len},
                    modules={"json", "collections"}, modules_source={"vat": "", "shop/tools.py": ""}, limits=kr.Limits(seconds=5, memory="1MB"), files={"a.csv": ""},
                    mounts=[kr.Mount(tmp_path, "/data")])
    found = rt.describe()
    by_name = {each.name: each for each in found.functions}
    assert by_name["fetch"].is_async and not by_name["waits"].is_async and by_name["many"].is_async and not by_name["size"].is_async
    assert by_name["fetch"].signature == "(url: 'str', *, retries: 'int' = 3) -> 'str'" and by_name["fetch"].doc == "The text of a page.\n\nFollows redirects."
    assert by_name["many"].signature == "(*args, **kwargs)" and by_name["size"].signature == "(obj, /)"
    assert found.modules == ["collections", "json"] and found.own_modules == ["shop", "shop.tools", "vat"]
    assert found.limits["seconds"] == 5 and "cpu_seconds" not in found.limits and found.files == ["/home/a.csv"] and found.folders == {"/data": "ro"}
    text = str(found)
    for part in ("async fetch(url: 'str', *, retries: 'int' = 3) -> 'str'\n    The text of a page.\n\n    Follows redirects.", "Only these modules", "5 seconds",
                 "1,000,000 bytes of memory", "/data (read-only folder), /home/a.csv"):
        assert part in text, text
    assert json.loads(json.dumps(found.to_dict()))["functions"][0]["name"] == "fetch"
    plain = str(kr.Runtime(limits=None).describe())
    assert "There are no files" in plain and "Limits" not in plain and "math" in plain


def test_check_knows_which_host_functions_are_awaited():
    rt = kr.Runtime(functions={"fetch": fetch, "waits": kr.host_function(fetch, name="waits", suspend=True), "many": kr.host_function(lambda calls: [], batched=True, name="many"),
                               "plain": lambda a: a})
    rules = [(each.rule, each.line) for each in rt.check("async def main():\n    fetch('a')\n    await fetch('a')\n    waits('a')\n    many(1, 2, x=3)\n    await many(1)\n    plain(1)\n    fetch()\n    plain()\n")]
    assert rules == [("missing-await", 2), ("missing-await", 5), ("missing-await", 8), ("wrong-arguments", 8), ("wrong-arguments", 9)]
    with rt.session(functions={"later": fetch}) as s:
        assert [each.rule for each in s.check("later('a')")] == ["missing-await"]
