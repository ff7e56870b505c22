"""Files, mounted folders, displays, events and functions of sessions with isolation="process".

The tests of files and mounts run once more with guests in worker processes: what the host, the guest and the folder see is the same.
"""

from __future__ import annotations

import asyncio
import functools
import importlib.util
import os
import pathlib
import shutil
import sys
import types

import kimi_runtime as kr
import pytest

if sys.platform != "linux":
    pytest.skip("process isolation needs Linux", allow_module_level=True)

#: What is said of guests in the same process, or takes long and tests the side of the host that both have in common.
ELSEWHERE = {"test_files_under_an_event_loop", "test_contents_count_for_the_memory_of_the_guest", "test_no_limits",
             "test_descriptors_of_the_host_are_closed", "test_times_of_files_are_those_of_the_guests_clock"}


class Processes(types.ModuleType):
    """``kimi_runtime`` with runtimes whose guests are in worker processes."""

    Runtime = staticmethod(functools.partial(kr.Runtime, isolation="process", workers=1))

    def __getattr__(self, name):
        return getattr(kr, name)


def taken_from(file: str):
    """The tests of a file, and its fixtures, for guests in worker processes."""
    spec = importlib.util.spec_from_file_location(f"{file}_in_processes", pathlib.Path(__file__).parent.parent / "files" / f"{file}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.kr = Processes("kr")
    if hasattr(module, "WITH_FILES"):
        module.WITH_FILES = module.kr.Runtime(files={})
    return {name: each for name, each in vars(module).items()
            if (name.startswith("test_") or type(each).__name__ == "FixtureFunctionDefinition" or hasattr(each, "_pytestfixturefunction"))
            and name not in ELSEWHERE}


globals().update(taken_from("test_mounts"))
globals().update(taken_from("test_files_api"))


# ---- files of sessions ---------------------------------------------------------------------------------------
def test_only_what_has_changed_is_told_again():
    with kr.Runtime(isolation="process", files={}).session() as s:
        first = s.run("open('large', 'w').write('x' * 700_000)\nopen('small', 'w').write('1')").files
        assert {path: len(data) for path, data in first.items()} == {"/home/large": 700_000, "/home/small": 1}
        second = s.run("import os\nopen('small', 'a').write('2')\nos.link('small', 'name')").files
        assert second["/home/large"] is first["/home/large"] and second["/home/small"] == second["/home/name"] == b"12"
        assert first["/home/small"] == b"1"
        assert list(s.run("os.remove('large'); os.rename('name', 'other')").files) == ["/home/small", "/home/other"]


def test_a_file_of_the_host_is_read_when_it_is_needed():
    calls = []
    with kr.Runtime(isolation="process", files={"a": lambda: calls.append(1) or "A" * 100_000, "b": b"B" * 100_000}) as rt, rt.session() as s:
        assert s.run("1").ok and calls == []
        assert s.run("open('a').read()[:2], len(open('a').read() + open('b').read())").value == ("AA", 200_000) and calls == [1]
        s.files["a"] = lambda: calls.append(2) or "new"
        assert s.run("open('a').read()").value == "new" and calls == [1, 2] and s.run("1").files == {}


def test_files_that_are_closed_while_garbage_is_collected(tmp_path):
    """In the middle of other questions to the host, too."""
    rt = kr.Runtime(isolation="process", mounts=[kr.Mount(tmp_path, "/m", mode="rw")], functions={"ask": lambda n: [[] for _ in range(n)]})
    with rt:
        assert rt.run("""
import gc
class Ring:
    def __del__(self):
        self.file.close()       # what it holds may be lost, as in CPython, when the collector comes to the parts of the file first
        with open(f"/m/{self.i}", "a") as file:
            file.write(str(self.i))
for i in range(300):
    ring = Ring(); ring.self = ring; ring.i = i; ring.file = open(f"/m/{i}", "w"); del ring
    ask(50)
gc.collect()
""").ok
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {str(i): str(i) for i in range(300)}


def test_descriptors_of_the_host_are_closed_with_the_run(tmp_path):
    (tmp_path / "f").write_text("1")
    with kr.Runtime(isolation="process", workers=1, mounts=[kr.Mount(tmp_path, "/m", mode="rw")]) as rt:
        rt.run("1")
        before = len(os.listdir("/proc/self/fd"))
        assert rt.run("import os\nkept = [open('/m/f') for _ in range(20)]\nos.listdir('/m')").value == ["f"]
        assert len(os.listdir("/proc/self/fd")) == before
        with rt.session() as s:
            assert s.run("kept = [open('/m/f') for _ in range(20)]; kept[0].read()").value == "1"
            s.run("del kept; import os; os.listdir('/m')")
            assert len(os.listdir("/proc/self/fd")) <= before + 2
        assert len(os.listdir("/proc/self/fd")) == before


# ---- displays, events, functions -----------------------------------------------------------------------------
def test_displays():
    source = "class P:\n    def _repr_html_(self): return '<b>'\n    def __repr__(self): return 'P'\ndisplay(1, P())\nP() if ok else 1 / 0"
    with kr.Runtime(isolation="process", displays=True) as rt, kr.Runtime(displays=True) as inline, rt.session() as s:
        for run in (rt.run, s.run):
            for ok in (True, False):
                found, usual = run(source, {"ok": ok}), inline.run(source, {"ok": ok})
                assert (found.displays, found.bundle) == (usual.displays, usual.bundle) and found.displays
        assert s.run("2").displays == [] and s.run("display('x' * 5000)", limits=kr.Limits(output=100)).error.limit == "output"


def test_events_are_those_of_a_guest_inline():
    source = "print('one'); print('half', end=''); print(quick(2, by=3)); display('shown'); print('end', end='')\n40 + 2"

    async def told(**settings):
        with kr.Runtime(functions={"quick": lambda n, *, by=1: n * by}, **settings) as rt:
            return [(e.kind, e.text, e.name, e.args, e.kwargs, e.data, e.result and e.result.value) async for e in rt.events(source)]

    found = asyncio.run(told(isolation="process"))
    assert found == asyncio.run(told()) and [each[0] for each in found] == [
        "stdout", "stdout", "call", "stdout", "display", "stdout", "result"]


def test_functions_of_a_session():
    def twice(n):
        """Two times n."""
        return n * 2

    with kr.Runtime(isolation="process", functions={"one": lambda: 1, "twice": len}) as rt, rt.session({"x": 4}, functions={"twice": twice}) as s:
        assert s.run("import inspect\n[one(), twice(x), twice.__doc__, str(inspect.signature(twice))]").value == [1, 8, "Two times n.", "(n)"]
        s.reset()
        assert s.run("twice(3)").value == 6
        assert rt.run("twice('ab')").value == 2
        with pytest.raises(TypeError, match="twice is async"):
            rt.session(functions={"twice": asyncio.sleep})


# ---- a worker that is no more trusted than its guest -----------------------------------------------------------
@pytest.mark.parametrize("asked", [
    5, ("/m", "find"), ("/x", "root", ()), ("/m", "__init__", ()), ("/m", "perform", ()), ("/m", "find", ((), 0, 5)), ("/m", "find", ("a",)),
    ("/m", "read", (7, 0, 1)), ("/m", "read", ("a", 0, 1)), ("/m", "find", ((5,), 0, "a")), ("/m", "find", (("a",) * 6000, 0, "a")),
    ("/m", "write", (1, 0, b"x", 1 << 40)), ("/m", "resize", (1, -5, 0)), ("/m", "set_mode", ((), 0, "ok", -1)),
])
def test_nonsense_is_no_operation(tmp_path, asked):
    from kimi_runtime.files.given import check_files
    from kimi_runtime.isolation.codec import BadMessage
    from kimi_runtime.isolation.file_server import FileServer

    server = FileServer(check_files(None, [kr.Mount(tmp_path, "/m")]))
    with pytest.raises(BadMessage):
        server.perform(asked, kr.Limits())


def test_names_that_lead_out_are_refused_by_the_host(tmp_path):
    from kimi_runtime.files.given import check_files
    from kimi_runtime.isolation.file_server import FileServer

    (tmp_path / "secret").write_text("SECRET")
    (tmp_path / "m/sub").mkdir(parents=True)
    (tmp_path / "m/up").symlink_to("..")
    server = FileServer(check_files(None, [kr.Mount(tmp_path / "m", "/m", mode="rw", limit=100)]))
    limits = kr.Limits(open_files=3)

    def attempt(what, *args):
        return server.perform(("/m", what, args), limits)[0]

    for name in ("..", "../secret", "/etc/passwd", ".", "", "sub/../../secret", "up/secret"):
        for what, args in (("find", ((), 0, name)), ("open", ((), 0, name, os.O_RDWR, 0)), ("drop", ((), 0, name)), ("names", ((name,), 0)),
                           ("add_folder", ((), 0, name, 0o700)), ("take", ((), 0, name, (), 0, "sub")), ("add_name", ((), 0, "x", (), 0, name))):
            with pytest.raises(OSError):
                attempt(what, *args)
    with pytest.raises(NotADirectoryError):
        attempt("names", ("up",), 0)
    with pytest.raises(OSError):
        attempt("open", (), 0, "up", os.O_RDONLY, 0)
    with pytest.raises(PermissionError):
        attempt("add_link", (), 0, "link", "../secret")
    number, _ = attempt("add_file", (), 0, "new", 0o600)
    opened, _ = attempt("open", (), 0, "new", os.O_RDWR, number)
    assert attempt("write", opened, 0, b"x" * 90, 1 << 40) == 90
    for what, args in (("write", (opened, 90, b"x" * 20, 1 << 40)), ("resize", (opened, 1000, 1 << 40)), ("write", (opened, 90, b"xx", 1))):
        with pytest.raises(OSError, match="No space"):
            attempt(what, *args)
    attempt("open", (), 0, "new", os.O_RDONLY, 0), attempt("open", (), 0, "new", os.O_RDONLY, 0)
    with pytest.raises(OSError, match="Too many open files"):
        attempt("open", (), 0, "new", os.O_RDONLY, 0)
    assert (tmp_path / "secret").read_text() == "SECRET" and sorted(os.listdir(tmp_path)) == ["m", "secret"]


@pytest.mark.parametrize("messages", [
    [("end", "/a", b"x" * 3000)], [("part", "/a", b"x" * 1500), ("part", "/a", b"x" * 1500)], [("same", "/b", "/none")], [("end", 5, b"")],
    [("end", "/a" * 9000, b"")], [("name", "/a", 5)], [("end", f"/{n}", b"") for n in range(12)], ["end"], [("other", "/a", b"")],
    [("name", "/a", True)], [("part", "/a", b"")], [("end", "a", b"")], [("end", "", b"")], [("end", "/", b"")], [("end", "/a/", b"")], [("end", "//a", b"")],
    [("end", "/../a", b"")], [("end", "/a/./b", b"")], [("end", "/a/..", b"")], [("end", "/a\0b", b"")], [("gone", "../a", None)],
])
def test_what_is_told_of_changed_files_is_bounded(messages):
    from kimi_runtime.isolation.codec import BadMessage
    from kimi_runtime.isolation.file_server import ChangedFiles

    changed = ChangedFiles()
    changed.use(kr.Limits(files_size=1000, files_count=10))
    with pytest.raises(BadMessage):
        for each in messages:
            changed.take(each)


# ---- deep paths --------------------------------------------------------------------------------------------
DEEP = """
import os
path = "/w" + "/d" * 300
os.makedirs(path)
with open(path + "/f", "w") as file: file.write("x")
print(os.path.isdir(path), os.path.getsize(path + "/f"), sum(1 for _ in os.walk("/w")))
"""


@pytest.mark.parametrize("mode", ["rw", "overlay"])
def test_deep_folders(tmp_path, mode):
    """The host is asked for a whole path at once: name by name these took half a minute."""
    rt = kr.Runtime(isolation="process", workers=1, mounts=[kr.Mount(tmp_path, "/w", mode=mode)], limits=kr.Limits(seconds=15))
    with rt:
        assert rt.run(DEEP, check=True).stdout == "True 1 301\n"
    shutil.rmtree(tmp_path / "d", ignore_errors=True)


PATHS = """
import os
def shown(function, *args):
    try: value = function(*args)
    except OSError as error: print(function.__name__, *args, type(error).__name__, error.errno)
    else: print(function.__name__, *args, value if not isinstance(value, os.stat_result) else (value.st_mode, value.st_size))
for path in ("a/b/c/f", "a/b/c", "a/b/none/f", "a/none/c/f", "a/b/c/f/x", "a/b/c/f/x/y", "a/./b//c/f", "a/b/../b/c/f", "a/b/c/../../b/c/f", "l/c/f",
             "l/../b/c/f", "a/up/b/c/f", "loop/a/b", "a/gone/c/f", "out/x/y", "shut/a/b", "a/shut2/b", "a/b/c/in/f", "a/b/../../..", "a/b/c/in/../f"):
    shown(os.stat, "/w/" + path)
    shown(os.lstat, "/w/" + path)
os.chdir("/w/a/b")
shown(os.stat, "c/f")
shown(os.stat, "../b/c/f")
os.rename("/w/a/b/c", "/w/a/b/c2")
shown(os.stat, "/w/a/b/c/f")
shown(os.stat, "/w/a/b/c2/f")
shown(os.stat, "c2/f")
shown(os.listdir, "/w/a/b/c2")
"""


def test_paths_mean_the_same_in_a_worker(tmp_path):
    """Links, what is missing and what is shut, in the middle of paths."""
    outputs = []
    for isolation in ("inline", "process"):
        folder, inner = tmp_path / isolation, tmp_path / f"{isolation}-inner"
        (folder / "a/b/c/in").mkdir(parents=True)
        (folder / "a/b/c/f").write_text("text")
        (folder / "shut/a/b").mkdir(parents=True)
        (folder / "a/shut2/b").mkdir(parents=True)
        inner.mkdir()
        (inner / "f").write_text("inner")
        for name, target in (("l", "a/b"), ("a/up", ".."), ("loop", "loop"), ("a/gone", "nowhere"), ("out", "/etc")):
            (folder / name).symlink_to(target)
        (folder / "shut").chmod(0)
        (folder / "a/shut2").chmod(0)
        with kr.Runtime(isolation=isolation, mounts=[kr.Mount(folder, "/w", mode="rw"), kr.Mount(inner, "/w/a/b/c/in")]) as rt:
            outputs.append(rt.run(PATHS, check=True).stdout)
        (folder / "shut").chmod(0o700)
        (folder / "a/shut2").chmod(0o700)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") > 40


def test_what_the_host_changes_between_two_looks(tmp_path):
    """What was looked up for one path counts for no later one."""
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/b/c/f").write_text("1")

    def change() -> None:
        (tmp_path / "a/b/c/f").write_text("22")
        (tmp_path / "a/b/c").rename(tmp_path / "a/b/d")

    with kr.Runtime(isolation="process", workers=1, mounts=[kr.Mount(tmp_path, "/w")]) as rt:
        result = rt.run("import os\nos.chdir('/w/a')\nprint(os.path.getsize('b/c/f'), os.path.exists('b/c/none'))\nchange()\n"
                        "print(os.path.exists('b/c/f'), os.path.exists('/w/a/b/c/f'), os.path.getsize('b/d/f'), os.listdir('/w/a/b'))",
                        {"change": change}, check=True)
    assert result.stdout == "1 False\nFalse False 2 ['d']\n"
