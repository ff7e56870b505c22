"""Files of guests as the host gives and gets them: ``files=``, ``Result.files``, ``Session.files``, quotas."""

from __future__ import annotations

import asyncio

import kimi_runtime as kr
import pytest

WITH_FILES = kr.Runtime(files={})


def value(source: str, files=None, **settings):
    return kr.Runtime(files=files, **settings).run(source).unwrap()


# ---- what the host gives ---------------------------------------------------------------------------------
def test_contents_of_every_kind(tmp_path):
    (tmp_path / "host.txt").write_bytes(b"from disk")
    files = {"/data/bytes": b"\x00\xff", "/data/text": "grün\r\n", "/data/array": bytearray(b"ab"), "/data/view": memoryview(b"cd"),
             "/data/path": tmp_path / "host.txt", "/data/call": lambda: "called", "/data/call2": lambda: b"called"}
    assert value("import os\n{n: open(f'/data/{n}', 'rb').read() for n in os.listdir('/data')}", files) == {
        "bytes": b"\x00\xff", "text": "grün\r\n".encode(), "array": b"ab", "view": b"cd", "path": b"from disk",
        "call": b"called", "call2": b"called"}


def test_paths_start_where_guests_begin():
    assert value("open('a').read() + open('/home/b/c').read() + open('../d').read()", {"a": "1", "b/c": "2", "/d": "3"}) == "123"


def test_host_files_stay_as_they_are(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    data = b"old too"
    r = kr.Runtime(files={"a": path, "b": data}).run("for n in 'ab':\n    with open(n, 'r+') as f: f.write('new')\nopen('a').read()")
    assert r.unwrap() == "new" and path.read_text() == "old" and data == b"old too"
    assert r.files == {"/home/a": b"new", "/home/b": b"new too"}


def test_each_run_begins_with_what_was_given():
    rt = kr.Runtime(files={"a": "x"})
    assert rt.run("open('a', 'a').write('y'); open('b', 'w').write('z')").ok
    assert rt.run("import os\nopen('a').read(), os.listdir()").value == ("x", ["a"])


def test_function_is_called_once_and_only_when_needed():
    calls = []
    rt = kr.Runtime(files={"a": lambda: calls.append(1) or "text", "b": lambda: calls.append(2) or ""})
    assert rt.run("1").ok and calls == []
    assert rt.run("open('a').read() + open('a').read()").value == "texttext" and calls == [1]


def test_function_that_fails():
    def broken():
        raise LookupError("no such record")

    assert value("try:\n    open('a').read()\nexcept LookupError as e:\n    r = str(e)\nr", {"a": broken}) == "no such record"
    error = kr.Runtime(files={"a": lambda: 5}).run("open('a').read()").error
    assert error.type == "TypeError" and "must return bytes or str, not int" in error.message


def test_run_and_session_add_files():
    rt = kr.Runtime(files={"a": "1", "b": "2"})
    assert rt.run("open('a').read() + open('b').read() + open('c').read()", files={"b": "B", "c": "C"}).value == "1BC"
    assert rt.session(files={"a": "A"}).run("open('a').read()").value == "A"
    assert asyncio.run(rt.run_async("open('a').read()", files={"a": "q"})).value == "q"
    assert rt.run("open('a').read()").value == "1"


@pytest.mark.parametrize("files, error", [
    ([], TypeError), ({1: "a"}, TypeError), ({b"a": "a"}, TypeError), ({"a": 1}, TypeError), ({"a": None}, TypeError),
    ({"": "a"}, ValueError), ({"/": "a"}, ValueError), ({"a/": "a"}, ValueError), ({"a\0b": "a"}, ValueError),
    ({"/home/..": "a"}, ValueError), ({"a": "1", "/home/a": "2"}, ValueError), ({"a": "1", "a/b": "2"}, ValueError),
    ({"/tmp": "1"}, ValueError),
])
def test_what_cannot_be_given(files, error):
    with pytest.raises(error, match="files"):
        kr.Runtime(files=files)


def test_what_the_host_does_not_have(tmp_path):
    with pytest.raises(FileNotFoundError):
        kr.Runtime(files={"a": tmp_path / "nothing"})
    with pytest.raises(IsADirectoryError):
        kr.Runtime(files={"a": tmp_path})

    async def later():
        return ""

    with pytest.raises(TypeError, match="async"):
        kr.Runtime(files={"a": later})


# ---- what the host gets ----------------------------------------------------------------------------------
def test_result_has_what_was_written():
    rt = kr.Runtime(files={"in": "data", "gone": "x"})
    r = rt.run("import os\nopen('out', 'w').write(open('in').read()); os.remove('gone'); os.mkdir('d'); open('d/e', 'wb').write(b'1')")
    assert r.files == {"/home/out": b"data", "/home/d/e": b"1"}
    assert WITH_FILES.run("1").files == {} and WITH_FILES.run("open('nothing')").files == {}


def test_file_that_was_not_closed():
    assert WITH_FILES.run("f = open('a', 'w')\nf.write('text')").files == {"/home/a": b"text"}


def test_failed_run_has_files():
    r = WITH_FILES.run("with open('a', 'w') as f:\n    f.write('part')\n    1 / 0")
    assert r.error.type == "ZeroDivisionError" and r.files == {"/home/a": b"part"}


def test_session_files():
    with kr.Runtime(files={"a": "1"}).session() as s:
        assert s.files["a"] == s.files["/home/a"] == b"1" and list(s.files) == ["/home/a"] and s.files.changed() == []
        s.run("open('b', 'w').write('2')")
        assert dict(s.files) == {"/home/a": b"1", "/home/b": b"2"} and s.files.changed() == ["/home/b"]
        s.files["/new/c"] = "3"
        assert s.run("open('/new/c').read()").value == "3" and "/new/c" in s.files and s.files.changed() == ["/home/b"]
        del s.files["a"]
        assert s.run("import os\nos.path.exists('a')").value is False and "a" not in s.files
        with pytest.raises(KeyError):
            s.files["a"]
        with pytest.raises(KeyError):
            del s.files["/new"]
        with pytest.raises(OSError):
            s.files["/new"] = "a folder"
        with pytest.raises(NotADirectoryError):
            s.files["b/c"] = "a file above"
        s.reset()
        assert dict(s.files) == {"/home/a": b"1"}
        view = s.files
    with pytest.raises(kr.SessionError):
        view["a"]


def test_session_keeps_open_files_and_folder():
    with kr.Runtime(files={}).session() as s:
        s.run("import os\nos.mkdir('d'); os.chdir('d'); f = open('a', 'w+')")
        s.run("f.write('x'); f.flush()")
        assert s.run("os.getcwd(), open('a').read()").value == ("/home/d", "x")
        assert s.run("f.seek(0); f.read()").value == "x"


def test_guests_have_files_of_their_own():
    rt = kr.Runtime(files={})
    with rt.session() as one, rt.session() as two:
        one.run("open('/tmp/a', 'w').write('one')")
        assert two.run("import os\nos.listdir('/tmp')").value == []
        assert one.run("import os\nos.listdir('/tmp')").value == ["a"]


# ---- quotas ----------------------------------------------------------------------------------------------
def errno_of(source: str, **limits):
    return WITH_FILES.run(f"import os\ntry:\n    {source}\nexcept OSError as e:\n    found = e.errno, e.strerror\nfound",
                  limits=kr.Limits(**limits)).unwrap()


def test_bytes_are_bounded():
    full = (28, "No space left on device")
    assert errno_of("f = open('a', 'wb', 0); f.write(bytes(1000)); f.write(b'x')", files_size=1000) == full
    assert errno_of("open('a', 'wb', 0).truncate(1001)", files_size=1000) == full
    assert errno_of("f = open('a', 'wb', 0); f.seek(1000); f.write(b'x')", files_size=1000) == full
    source = "for i in range(100):\n    with open('a', 'wb') as f: f.write(bytes(1000))\n    os.remove('a')\nTrue"
    assert WITH_FILES.run("import os\n" + source, limits=kr.Limits(files_size=1000)).unwrap() is True


def test_what_the_host_gives_counts_once_it_is_changed():
    rt = kr.Runtime(files={"a": bytes(1000)}, limits=kr.Limits(files_size=500))
    assert rt.run("len(open('a', 'rb').read())").value == 1000
    assert rt.run("open('a', 'ab').write(b'x')").error is None     # the buffer is dropped at the end: nobody sees the error
    assert rt.run("f = open('a', 'ab', 0); f.write(b'x')").error.message.startswith("[Errno 28]")
    assert rt.run("f = open('a', 'wb', 0); f.write(bytes(500))").ok


def test_number_of_files_is_bounded():
    assert errno_of("[open(str(i), 'w').close() for i in range(100)]", files_count=50) == (28, "No space left on device")
    assert errno_of("[os.mkdir(str(i)) for i in range(100)]", files_count=50) == (28, "No space left on device")
    source = "for i in range(100):\n    open('a', 'w').close()\n    os.remove('a')\nTrue"
    assert WITH_FILES.run("import os\n" + source, limits=kr.Limits(files_count=50)).unwrap() is True


def test_open_files_are_bounded():
    assert errno_of("x = [open('a', 'w') for i in range(100)]", open_files=20) == (24, "Too many open files")
    assert errno_of("open('a', 'w').close(); x = [os.dup(os.open('a', 0)) for i in range(100)]", open_files=20) == (24, "Too many open files")
    assert WITH_FILES.run("for i in range(100): open('a', 'w')\nTrue", limits=kr.Limits(open_files=20)).unwrap() is True


def test_contents_count_for_the_memory_of_the_guest():
    r = WITH_FILES.run("f = open('a', 'wb', 0)\nwhile True: f.write(bytes(1_000_000))",
               limits=kr.Limits(memory="20MB", files_size=None, seconds=30))
    assert r.error.limit == "memory" or r.error.type == "MemoryError"


@pytest.mark.parametrize("size", [10**12, 10**17, 2**63 - 1])
def test_huge_sizes_are_refused_at_once(size):
    for source in (f"open('a', 'wb').truncate({size})", f"import os\nopen('a', 'w').close(); os.truncate('a', {size})",
                   f"f = open('a', 'wb', 0); f.seek({size}); f.write(b'x')"):
        assert WITH_FILES.run(source, limits=kr.Limits(seconds=5)).error.type in ("OSError", "OverflowError")


def test_no_limits():
    assert WITH_FILES.run("with open('a', 'w') as f: f.write('x')\nTrue", limits=None).unwrap() is True


# ---- guests without files, and what files do not go with -----------------------------------------------------
@pytest.mark.parametrize("call", ["open('a')", "open('a', 'w')", "os.listdir('/')", "os.stat('/')", "os.mkdir('a')", "io.FileIO('a')",
                                  "os.open('/etc/passwd', 0)", "pathlib.Path('a').read_text()", "os.fdopen(0)", "io.open_code('/etc/passwd')",
                                  "os.getcwd()", "os.scandir()", "zipfile.ZipFile('a')", "logging.FileHandler('a')"])
def test_none(call):
    error = kr.run(f"import io, os, pathlib, zipfile, logging\n{call}").error
    assert error.type in ("PermissionError", "OSError") and "to this guest" in error.message or "Bad file" in error.message


@pytest.mark.parametrize("name", ["tempfile", "shutil", "glob", "fileinput", "filecmp"])
def test_modules_that_are_only_for_files(name):
    error = kr.run(f"import {name}").error
    assert (error.type, error.message) == (
        "ModuleNotFoundError", f"No module named '{name}' (it is for files, and the host gives this guest none)")
    assert WITH_FILES.run(f"import {name}").ok
    assert [each.rule for each in kr.check(f"import {name}")] == ["import-not-allowed"] and WITH_FILES.check(f"import {name}") == []


def test_nothing_of_the_host_is_there(tmp_path):
    (tmp_path / "secret").write_text("canary")
    source = f"""
import os, glob, pathlib, shutil, tempfile
found = []
for call in (lambda: open({str(tmp_path / 'secret')!r}).read(), lambda: os.listdir({str(tmp_path)!r}), lambda: open('/proc/self/maps').read(),
             lambda: open('/etc/passwd').read(), lambda: os.open('/dev/mem', 0), lambda: os.symlink({str(tmp_path)!r}, 'l') or os.listdir('l'),
             lambda: pathlib.Path('../../../../etc/passwd').read_text(), lambda: shutil.copy('/etc/hosts', 'h'),
             lambda: os.readlink('/proc/self/exe'), lambda: os.stat({str(tmp_path)!r}), lambda: os.chdir('/root')):
    try: found.append(call())
    except OSError: pass
found, glob.glob('/*'), glob.glob('/*/*'), [each for each in os.walk('/tmp')]
"""
    found, top, second, temporary = WITH_FILES.run(source, check=True).value
    assert found == [] and sorted(top) == ["/dev", "/home", "/tmp"] and temporary == [("/tmp", [], [])]
    assert "canary" not in str(second)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["secret"]


def test_files_under_an_event_loop():
    async def double(n): return 2 * n

    rt = kr.Runtime(functions={"double": double}, files={"n": "21"})
    source = "import asyncio\nasync def main():\n    return await double(int(open('n').read()))\nasyncio.run(main())"
    assert asyncio.run(rt.run_async(source)).value == 42


@pytest.mark.parametrize("descriptor", [0, 1, 2])
def test_calls_on_the_standard_streams_end_in_an_error_or_a_value(descriptor):
    source = """
import os
calls = ["fstat(n)", "ftruncate(n, 5)", "posix_fallocate(n, 0, 10)", "posix_fadvise(n, 0, 1, 0)", "fsync(n)", "fdatasync(n)", "lseek(n, 0, 0)",
         "isatty(n)", "dup(n)", "dup2(n, 9)", "fchmod(n, 0)", "fchown(n, 1000, 1000)", "fchdir(n)", "fstatvfs(n)", "get_inheritable(n)",
         "set_inheritable(n, False)", "pread(n, 1, 0)", "pwrite(n, b'', 0)", "readv(n, [bytearray(1)])", "writev(n, [b''])", "sendfile(n, n, 0, 1)",
         "copy_file_range(n, n, 1)", "listdir(n)", "scandir(n)", "utime(n)", "truncate(n, 5)", "stat(n)", "chmod(n, 0)", "access('a', 0, dir_fd=n)",
         "read(n, 1)", "write(n, b'')", "fdopen(n)", "close(n)"]
ended = []
for call in calls:
    try:
        eval("os." + call, {"os": os, "n": descriptor})
    except (OSError, AttributeError, TypeError, ValueError):
        pass
    ended.append(call)
len(ended) == len(calls)
"""
    assert WITH_FILES.run(source, {"descriptor": descriptor}, check=True).value is True


def test_times_of_files_are_those_of_the_guests_clock():
    program = """
import os, time
began = time.time_ns()
open("a", "w").write("x")
time.sleep(5)
open("b", "w").write("x")
[os.stat(p).st_mtime_ns - began for p in ("a", "b")], os.stat("/home").st_mtime_ns
"""
    rt = kr.Runtime(files={"old": ""}, policy=kr.Policy(clock=1e9, moves=False, sleep="skip"))
    assert rt.run(program).value == rt.run(program).value
    (a, b), folder = rt.run(program).value
    assert a == 0 and 5e9 <= b <= 5e9 + 10 and folder >= 1e18


def test_home_is_the_folder_where_guests_begin():
    program = """
import os, pathlib
names = [os.path.expanduser(name) for name in ("~", "~/a", "~root/a", "~guest/b")], str(pathlib.Path.home()), str(pathlib.Path("~/c").expanduser())
os.environ["HOME"] = "/tmp"
*names, os.path.expanduser("~"), pathlib.Path("f").write_text("x"), pathlib.Path("f").owner()
"""
    assert WITH_FILES.run(program).value == (
        ["/home", "/home/a", "~root/a", "/home/b"], "/home", "/home/c", "/tmp", 1, "guest")
    refused = WITH_FILES.run("import pwd").error
    assert refused.type == "ModuleNotFoundError" and "'pwd'" in refused.message
