"""Folders of the host in a guest's files: compared with CPython on a real folder, attacked, and their quotas."""

from __future__ import annotations

import os
import pathlib
import socket
import subprocess
import sys
import threading
import time

import kimi_runtime as kr
import pytest

BEGINNING = '''
import errno, glob, os, pathlib, shutil
def shown(function, *args, **kwargs):
    try:
        found = function(*args, **kwargs)
    except Exception as e:
        name = getattr(e, "filename", None)
        found = (type(e).__name__, getattr(e, "errno", None), str(name).replace(ROOT, "ROOT") if name else name,
                 str(e).replace(ROOT, "ROOT") if not isinstance(e, OSError) else None)
    print(repr(found).replace(ROOT, "ROOT"))
def text(path, mode="r", *data):
    with open(ROOT + "/" + path, mode) as f:
        return f.write(*data) if data else f.read()
def tree():
    return sorted((r.replace(ROOT, "ROOT"), tuple(sorted(d)), tuple(sorted(f))) for r, d, f in os.walk(ROOT))
'''
PROGRAMS = {
    "read": """
shown(text, "a.txt"); shown(text, "a.txt", "rb"); shown(text, "none"); shown(text, "sub"); shown(text, "a.txt/x"); shown(text, "sub/deep/c.bin", "rb")
with open(ROOT + "/a.txt") as f:
    print(f.readline(), f.tell(), f.seek(0), list(f), f.read())
with open(ROOT + "/sub/deep/c.bin", "rb", 0) as f:
    print(f.seek(-5, 2), f.read(3), f.read(), f.tell(), f.readable(), f.writable(), f.seekable(), f.isatty())
shown(text, "empty"); shown(text, "ünï.txt"); shown(open(ROOT + "/a.txt").write, "x")
""",
    "write": """
shown(text, "new.txt", "w", "one\\n"); shown(text, "new.txt", "a", "two\\n"); shown(text, "new.txt", "r+", "ONE"); shown(text, "new.txt")
shown(text, "new.txt", "x", "no"); shown(text, "sub/x", "x", "yes"); shown(text, "none/x", "w", "no"); shown(text, "sub", "w", "no")
with open(ROOT + "/a.txt", "r+b") as f:
    f.seek(3); f.write(b"___"); f.truncate(8); print(f.tell(), f.seek(20), f.write(b"!"))
shown(text, "a.txt", "rb")
with open(ROOT + "/both", "w+") as f, open(ROOT + "/both") as g:
    f.write("seen"); f.flush(); print(g.read())
shown(text, "new.txt", "w", ""); shown(os.path.getsize, ROOT + "/new.txt")
""",
    "stat": """
s = os.stat(ROOT + "/a.txt")
print(oct(s.st_mode), s.st_nlink, s.st_size, s.st_mtime_ns > 10**18)
print(os.path.isdir(ROOT), os.path.isfile(ROOT + "/a.txt"), os.path.exists(ROOT + "/none"), os.path.islink(ROOT + "/link"), os.path.getsize(ROOT + "/link"))
shown(os.stat, ROOT + "/none"); shown(os.stat, ROOT + "/a.txt/"); shown(os.lstat, ROOT + "/dangling/x"); shown(os.readlink, ROOT + "/a.txt"); shown(os.readlink, ROOT + "/link")
os.utime(ROOT + "/a.txt", ns=(10**18 + 5, 10**18 + 7)); s = os.stat(ROOT + "/a.txt"); print(s.st_atime_ns, s.st_mtime_ns)
os.utime(ROOT + "/sub", (5, 6)); print(os.stat(ROOT + "/sub").st_mtime)
os.chmod(ROOT + "/a.txt", 0o600); print(oct(os.stat(ROOT + "/a.txt").st_mode)); os.chmod(ROOT + "/sub", 0o700); print(oct(os.stat(ROOT + "/sub").st_mode))
shown(os.chmod, ROOT + "/none", 0o600); shown(os.utime, ROOT + "/none")
print(os.access(ROOT + "/a.txt", os.R_OK | os.W_OK), os.access(ROOT + "/none", os.F_OK), os.path.samefile(ROOT + "/a.txt", ROOT + "/link"))
fd = os.open(ROOT + "/a.txt", os.O_RDWR); os.write(fd, b"longer than before"); print(os.fstat(fd).st_size); os.ftruncate(fd, 3); print(os.fstat(fd).st_size); os.fsync(fd)
os.fchmod(fd, 0o644); print(oct(os.fstat(fd).st_mode)); os.close(fd); shown(os.fstat, fd)
""",
    "folders": """
shown(os.listdir, ROOT + "/sub"); shown(os.listdir, ROOT + "/a.txt"); shown(os.listdir, ROOT + "/none"); print(sorted(os.listdir(ROOT)))
shown(os.mkdir, ROOT + "/d"); shown(os.mkdir, ROOT + "/d"); shown(os.mkdir, ROOT + "/x/y"); shown(os.makedirs, ROOT + "/x/y/z"); shown(os.makedirs, ROOT + "/x/y", exist_ok=True)
shown(os.rmdir, ROOT + "/sub"); shown(os.rmdir, ROOT + "/x/y/z"); shown(os.rmdir, ROOT + "/a.txt"); shown(os.removedirs, ROOT + "/x/none")
shown(os.unlink, ROOT + "/none"); shown(os.unlink, ROOT + "/a.txt"); shown(os.unlink, ROOT + "/sub")
for r, d, f in sorted(os.walk(ROOT, topdown=False)): print(r.replace(ROOT, "R"), sorted(d), sorted(f))
with os.scandir(ROOT) as entries:
    for e in sorted(entries, key=lambda e: e.name):
        shown(e.is_dir); shown(e.is_file); shown(e.stat) if not e.is_dir(follow_symlinks=False) and e.name.startswith("loop") else None
        print(e.name, e.is_symlink(), e.is_dir(follow_symlinks=False), e.stat(follow_symlinks=False).st_size if e.is_file(follow_symlinks=False) else None)
os.chdir(ROOT + "/sub"); print(os.getcwd().replace(ROOT, "R"), os.listdir("."), os.path.exists("../empty")); os.mkdir("made"); os.chdir("made")
os.rename(ROOT + "/sub/made", ROOT + "/sub/moved"); print(os.getcwd().replace(ROOT, "R")); open("here", "w").close(); print(os.listdir(ROOT + "/sub/moved"))
os.chdir(ROOT); shutil.rmtree("sub/moved"); print(tree())
""",
    "rename": """
shown(os.rename, ROOT + "/a.txt", ROOT + "/b.txt"); shown(os.rename, ROOT + "/none", ROOT + "/c"); shown(os.rename, ROOT + "/b.txt", ROOT + "/sub"); shown(os.rename, ROOT + "/sub", ROOT + "/b.txt")
shown(os.rename, ROOT + "/sub", ROOT + "/sub/deep/in"); shown(os.replace, ROOT + "/b.txt", ROOT + "/empty"); shown(text, "empty")
shown(os.rename, ROOT + "/sub/deep", ROOT + "/deep"); shown(os.rename, ROOT + "/deep", ROOT + "/sub"); os.mkdir(ROOT + "/e"); shown(os.rename, ROOT + "/deep", ROOT + "/e"); shown(os.rename, ROOT + "/e", ROOT + "/e")
shown(os.rename, ROOT + "/empty", ROOT + "/sub/moved"); shown(os.renames, ROOT + "/sub/moved", ROOT + "/q/r/s"); print(tree())
""",
    "links": """
shown(os.link, ROOT + "/a.txt", ROOT + "/hard"); print(os.stat(ROOT + "/hard").st_nlink); text("hard", "a", "more"); shown(text, "a.txt"); os.unlink(ROOT + "/a.txt"); shown(text, "hard"); print(os.stat(ROOT + "/hard").st_nlink)
shown(os.link, ROOT + "/none", ROOT + "/h2"); shown(os.link, ROOT + "/hard", ROOT + "/empty"); shown(os.link, ROOT + "/sub", ROOT + "/h3")
shown(os.symlink, "hard", ROOT + "/soft"); shown(text, "soft"); shown(os.symlink, "hard", ROOT + "/soft"); shown(os.symlink, "sub/deep", ROOT + "/sd"); shown(os.listdir, ROOT + "/sd"); shown(text, "sd/c.bin", "rb")
shown(text, "soft", "w", "through"); shown(text, "hard"); os.unlink(ROOT + "/soft"); shown(text, "hard"); shown(text, "dangling"); shown(text, "loop1")
shown(os.path.realpath, ROOT + "/sd/c.bin"); shown(os.rename, ROOT + "/sd", ROOT + "/sub/sd"); shown(os.readlink, ROOT + "/sub/sd"); print(tree())
""",
    "pathlib": """
p = pathlib.Path(ROOT)
print(sorted(x.name for x in p.iterdir()), sorted(str(x.relative_to(p)) for x in p.rglob("*")), sorted(x.name for x in p.glob("*.txt")))
print((p / "a.txt").read_text(), (p / "a.txt").read_bytes(), (p / "n").write_text("12"), (p / "n").stat().st_size, (p / "link").is_symlink(), (p / "link").resolve().name)
(p / "n").rename(p / "m"); (p / "m").touch(); (p / "t").touch(); (p / "dir" / "in").mkdir(parents=True); print((p / "dir").is_dir(), (p / "none").exists())
shown((p / "dir").rmdir); shown((p / "none").unlink); (p / "none").unlink(missing_ok=True); shown((p / "dir").mkdir); (p / "dir").mkdir(exist_ok=True); (p / "t").unlink(); (p / "l").symlink_to("m"); print((p / "l").read_text()); print(tree())
""",
    "shutil": """
shown(lambda: shutil.copy(ROOT + "/a.txt", ROOT + "/copy")); shown(lambda: shutil.copy2(ROOT + "/a.txt", ROOT + "/sub")); shown(lambda: shutil.copytree(ROOT + "/sub", ROOT + "/tree")); shown(lambda: shutil.move(ROOT + "/copy", ROOT + "/sub/deep"))
shown(lambda: shutil.move(ROOT + "/tree", ROOT + "/sub")); shown(lambda: shutil.copyfile(ROOT + "/a.txt", ROOT + "/a.txt")); shown(lambda: shutil.rmtree(ROOT + "/none")); shown(lambda: shutil.rmtree(ROOT + "/sub/tree"))
print(os.stat(ROOT + "/sub/a.txt").st_mtime_ns == os.stat(ROOT + "/a.txt").st_mtime_ns)
print(sorted(glob.glob(ROOT + "/**/*", recursive=True)) == sorted(str(x) for x in pathlib.Path(ROOT).rglob("*")), sorted(os.path.basename(x) for x in glob.glob(ROOT + "/*.txt")), tree())
""",
    "descriptors": """
d = os.open(ROOT, os.O_RDONLY | os.O_DIRECTORY)
fd = os.open("sub/x", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o640, dir_fd=d); os.write(fd, b"12"); os.lseek(fd, 0, 0); os.write(fd, b"34"); os.close(fd); shown(text, "sub/x"); print(oct(os.stat("sub/x", dir_fd=d).st_mode))
os.mkdir("md", dir_fd=d); os.rename("md", "nd", src_dir_fd=d, dst_dir_fd=d); print(sorted(os.listdir(d))); os.rmdir("nd", dir_fd=d); os.unlink("sub/x", dir_fd=d); shown(os.stat, "sub/x", dir_fd=d); os.close(d)
fd = os.open(ROOT + "/a.txt", os.O_RDWR | os.O_TRUNC); print(os.pwrite(fd, b"abcdef", 2), os.pread(fd, 4, 1), os.read(fd, 100), os.lseek(fd, 0, 1)); e = os.dup(fd); os.close(fd); os.lseek(e, 0, 0); print(os.read(e, 3)); os.close(e)
shown(os.open, ROOT + "/a.txt", os.O_CREAT | os.O_EXCL); shown(os.open, ROOT + "/link", os.O_RDONLY | os.O_NOFOLLOW); shown(os.open, ROOT + "/a.txt", os.O_DIRECTORY); shown(os.open, ROOT + "/sub", os.O_WRONLY)
f = open(ROOT + "/gone", "w+"); os.unlink(ROOT + "/gone"); f.write("still"); f.seek(0); print(f.read(), os.fstat(f.fileno()).st_nlink); f.close()
os.truncate(ROOT + "/a.txt", 3); shown(text, "a.txt", "rb"); shown(os.truncate, ROOT + "/none", 3); shown(os.truncate, ROOT + "/sub", 3)
""",
    "modules": """
import csv, gzip, json, tempfile, zipfile, fileinput, filecmp
with open(ROOT + "/t.csv", "w", newline="") as f: csv.writer(f).writerows([["a", 1], ["b", 2]])
with open(ROOT + "/t.csv", newline="") as f: print(list(csv.reader(f)))
json.dump({"a": [1]}, open(ROOT + "/j", "w")); print(json.load(open(ROOT + "/j")))
with gzip.GzipFile(ROOT + "/g.gz", "wb", mtime=5) as f: f.write(b"packed" * 100)
print(gzip.open(ROOT + "/g.gz", "rt").read() == "packed" * 100)
with zipfile.ZipFile(ROOT + "/z.zip", "w") as z: z.writestr(zipfile.ZipInfo("in.txt"), open(ROOT + "/a.txt").read())
print(zipfile.ZipFile(ROOT + "/z.zip").read("in.txt"))
with tempfile.TemporaryDirectory(dir=ROOT) as t: open(t + "/x", "w").close(); print(os.listdir(t))
with tempfile.NamedTemporaryFile("w+", dir=ROOT) as t: t.write("1"); t.flush(); print(os.path.getsize(t.name))
print(filecmp.cmp(ROOT + "/a.txt", ROOT + "/link"), [line for line in fileinput.input([ROOT + "/a.txt", ROOT + "/j"])])
print(sorted(os.listdir(ROOT)))
""",
}


def make_tree(folder: pathlib.Path) -> pathlib.Path:
    (folder / "sub/deep").mkdir(parents=True)
    (folder / "a.txt").write_text("hello\nworld\n")
    (folder / "empty").write_text("")
    (folder / "ünï.txt").write_text("grün")
    (folder / "sub/deep/c.bin").write_bytes(bytes(range(256)) * 50)
    (folder / "link").symlink_to("a.txt")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "loop1").symlink_to("loop2")
    (folder / "loop2").symlink_to("loop1")
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def contents(folder: pathlib.Path) -> dict:
    return {str(path.relative_to(folder)): os.readlink(path) if path.is_symlink() else None if path.is_dir() else path.read_bytes()
            for path in folder.rglob("*")}


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What CPython prints for each program on a real folder, and what is there afterwards."""
    base = tmp_path_factory.mktemp("cpython")
    script = ["import sys, os"]
    for name, program in PROGRAMS.items():
        folder = make_tree(base / name)
        script += [f"print({'=' + name + '='!r}, flush=True)", f"os.chdir('/'); exec({'ROOT = ' + repr(str(folder)) + BEGINNING + program!r}, {{}})"]
    found = subprocess.run([sys.executable, "-W", "ignore", "-"], input="\n".join(script), capture_output=True, text=True,
                           env={**os.environ, "PYTHONUTF8": "1"}, preexec_fn=lambda: os.umask(0o022))
    assert found.returncode == 0, found.stderr
    printed = {}
    for line in found.stdout.splitlines(keepends=True):
        if line.startswith("=") and line.endswith("=\n") and line[1:-2] in PROGRAMS:
            name = line[1:-2]
            printed[name] = ""
        else:
            printed[name] += line
    return {name: (printed[name], contents(base / name)) for name in PROGRAMS}


@pytest.mark.parametrize("mode", ["rw", "overlay"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_cpython(name, mode, tmp_path, expected):
    folder = make_tree(tmp_path / "m")
    before = contents(folder)
    os.umask(0o022)
    rt = kr.Runtime(mounts=[kr.Mount(folder, "/mnt/data", mode=mode)])
    result = rt.run(f"ROOT = '/mnt/data'\n{BEGINNING}{PROGRAMS[name]}")
    assert result.error is None, result.error.traceback
    text, after = expected[name]
    assert result.stdout == text
    if mode == "rw":
        assert contents(folder) == after and result.files == {}
    else:
        assert contents(folder) == before
        changed = {path: data for path, data in after.items() if type(data) is bytes and before.get(path) != data}
        found = {path.removeprefix("/mnt/data/"): data for path, data in result.files.items()}
        assert found == {**found, **changed} and found == {path: after[path] for path in found}


def test_read_only(tmp_path):
    folder = make_tree(tmp_path / "m")
    before = contents(folder)
    rt = kr.Runtime(mounts=[kr.Mount(folder, "/d")])
    result = rt.run("""
import errno, os, shutil
found = []
def attempt(function, *args):
    try:
        function(*args)
    except OSError as e:
        found.append(errno.errorcode[e.errno])
    else:
        found.append("done")
for mode in ("w", "a", "r+", "x"):
    attempt(open, "/d/a.txt", mode)
    attempt(open, "/d/new", mode)
attempt(os.mkdir, "/d/x"); attempt(os.mkdir, "/d/sub"); attempt(os.rmdir, "/d/sub"); attempt(os.unlink, "/d/a.txt"); attempt(os.unlink, "/d/none")
attempt(os.rename, "/d/a.txt", "/d/b"); attempt(os.rename, "/d/none", "/d/b"); attempt(os.rename, "/d/a.txt", "/tmp/b"); attempt(os.link, "/d/a.txt", "/d/b")
attempt(os.symlink, "a", "/d/b"); attempt(os.chmod, "/d/a.txt", 0o777); attempt(os.utime, "/d/a.txt"); attempt(os.truncate, "/d/a.txt", 0); attempt(shutil.rmtree, "/d/sub")
attempt(os.rename, "/tmp", "/d/tmp"); attempt(os.chmod, "/d", 0o777); attempt(os.rmdir, "/d")
found.append(os.access("/d/a.txt", os.W_OK)); found.append(os.access("/d/a.txt", os.R_OK)); found.append(shutil.copy("/d/a.txt", "/tmp"))
found
""")
    assert result.unwrap() == [
        "EROFS", "EROFS", "EROFS", "EROFS", "EROFS", "ENOENT", "EEXIST", "EROFS",
        "EROFS", "EEXIST", "EROFS", "EROFS", "EROFS", "EROFS", "EROFS", "EXDEV", "EROFS", "EROFS", "EROFS", "EROFS", "EROFS", "EROFS",
        "EXDEV", "EROFS", "EBUSY", False, True, "/tmp/a.txt"]
    assert contents(folder) == before and result.files == {"/tmp/a.txt": b"hello\nworld\n"}


# ---- attacks -----------------------------------------------------------------------------------------------
@pytest.fixture
def place(tmp_path):
    """A folder to mount, with a secret beside it."""
    (tmp_path / "secret").write_text("SECRET")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/secret").write_text("SECRET")
    (tmp_path / "m/sub").mkdir(parents=True)
    (tmp_path / "m/ok").write_text("ok")
    return tmp_path


def attempts(place, mode, source, **values):
    with kr.Runtime(mounts=[kr.Mount(place / "m", "/m", mode=mode)]).session(values) as s:
        result = s.run("import os, pathlib, shutil\nfound = []\ndef attempt(f, *a):\n    try: found.append(f(*a))\n"
                       "    except OSError as e: found.append(e.errno)\n" + source + "\nfound")
        found = result.unwrap()
        assert "SECRET" not in repr(found) and b"SECRET" not in b"".join(result.files.values())
    assert (place / "secret").read_text() == (place / "out/secret").read_text() == "SECRET" and os.listdir(place / "out") == ["secret"]
    return found


@pytest.mark.parametrize("mode", ["ro", "rw", "overlay"])
def test_paths_and_links_that_lead_out(place, mode):
    m = place / "m"
    for name, target in {"abs": place / "secret", "rel": "../secret", "up": "..", "dir": place / "out", "root": "/", "sub/deep": "../../secret",
                         "proc": "/proc/self/root", "fd": "/proc/self/fd/0", "chain": "up/secret"}.items():
        (m / name).symlink_to(target)
    paths = ["/m/abs", "/m/rel", "/m/up/secret", "/m/dir/secret", f"/m/root/{place}/secret", "/m/sub/deep", "/m/proc" + str(place) + "/secret",
             "/m/fd", "/m/chain", "/m/../secret", "/m/sub/../../secret", "/m/./sub/.././../secret", f"/m/{place}/secret", "/m/..//../secret",
             f"{place}/secret", "/m/ok/../../secret", "/m/up/up/up" + str(place) + "/secret", "//m/../secret", "/m/sub//..//..//secret"]
    found = attempts(place, mode, """
for p in paths:
    for f in (lambda p: open(p).read(), lambda p: open(p, "rb", 0).read(), lambda p: os.stat(p).st_size, lambda p: shutil.copy(p, "/tmp/x") and open("/tmp/x").read(),
              lambda p: open(p, "r+").write("x"), lambda p: os.truncate(p, 0), lambda p: os.chmod(p, 0o777), lambda p: os.link(p, "/m/linked") or open("/m/linked").read()):
        attempt(f, p)
    attempt(lambda p: pathlib.Path(p).resolve().read_text(), p)
os.chdir("/m/sub"); attempt(lambda: open("../../secret").read()); d = os.open("/m", os.O_RDONLY)
attempt(lambda: os.open("../secret", os.O_RDONLY, dir_fd=d)); attempt(lambda: os.listdir("/m/root")); attempt(lambda: os.listdir("/m/proc/")); attempt(lambda: os.mkdir("../out/made", dir_fd=d))
attempt(lambda: os.rename("/m/ok", "/m/dir/ok")); attempt(lambda: shutil.rmtree("/m/dir/")); attempt(lambda: os.unlink("/m/dir/secret"))
""", paths=paths)
    assert all(type(each) is int or type(each) is list or each is None for each in found)


@pytest.mark.parametrize("mode", ["ro", "rw", "overlay"])
def test_devices_pipes_and_sockets_cannot_be_opened(place, mode):
    os.mkfifo(place / "m/pipe")
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(place / "m/sock"))
        try:
            os.mknod(place / "m/dev", 0o20666, os.makedev(1, 5))
        except PermissionError:  # only root may make one
            (place / "m/dev").symlink_to("/dev/zero")
        start = time.monotonic()
        found = attempts(place, mode, """
for p in ("/m/pipe", "/m/sock", "/m/dev"):
    for m in ("rb", "r+b", "wb", "ab"):
        attempt(lambda: open(p, m).read(5))
    attempt(lambda: os.truncate(p, 3)); attempt(lambda: os.mkdir(p))
""")
        assert time.monotonic() - start < 20  # an open pipe would wait for ever
    assert all(type(each) is int for each in found)


def test_other_file_systems_inside_cannot_be_entered():
    rt = kr.Runtime(mounts=[kr.Mount("/", "/all")])
    result = rt.run("""
import os
found = []
for p in ("/all/proc/self/environ", "/all/proc/version", "/all/proc/self/root/etc/passwd", "/all/sys/kernel"):
    try:
        found.append(open(p).read())
    except OSError as e:
        found.append(e.errno)
try: found.append(os.listdir("/all/proc"))
except OSError as e: found.append(e.errno)
found
""")
    assert result.unwrap() == [13] * 5


def test_hard_links_of_the_host_stay_as_they_are(place):
    os.link(place / "secret", place / "m/hard")
    found = attempts(place, "rw", """
attempt(lambda: open("/m/hard", "w")); attempt(lambda: open("/m/hard", "a")); attempt(lambda: os.truncate("/m/hard", 0)); attempt(lambda: os.chmod("/m/hard", 0o777))
attempt(lambda: os.utime("/m/hard")); attempt(lambda: os.link("/m/hard", "/m/hard2")); fd = os.open("/m/hard", os.O_RDONLY); attempt(lambda: os.fchmod(fd, 0o777)); attempt(lambda: os.utime(fd)); attempt(lambda: os.unlink("/m/hard"))
""")
    assert found == [1] * 8 + [None] and not (place / "m/hard").exists()


def test_a_guest_makes_no_links_that_lead_out_and_no_programs_of_the_owner(place):
    (place / "m/rel").symlink_to("../secret")
    found = attempts(place, "rw", """
for t in ("/etc/passwd", "../secret", "sub/../../secret", "..", "/"):
    attempt(os.symlink, t, "/m/made")
attempt(os.rename, "/m/rel", "/m/sub/rel"); attempt(os.rename, "/m/rel", "/m/rel2"); attempt(os.link, "/m/rel2", "/m/sub/x")
attempt(os.chmod, "/m/ok", 0o6777); attempt(os.mkdir, "/m/st", 0o7777); attempt(os.chmod, "/m/st", 0o7777); fd = os.open("/m/new", os.O_CREAT | os.O_WRONLY, 0o6777); attempt(os.fchmod, fd, 0o6777)
""")
    assert found == [1] * 5 + [1, None, 1] + [None] * 4
    assert not any((place / "m" / name).lstat().st_mode & 0o7000 for name in ("ok", "st", "new")) and not (place / "m/made").is_symlink()


@pytest.mark.parametrize("mode", ["ro", "rw", "overlay"])
def test_a_folder_that_is_swapped_for_a_link_meanwhile(place, mode):
    """A thread of the host swaps a folder and a link that leads out, as fast as it can."""
    m = place / "m"
    (m / "x").mkdir()
    (m / "x/secret").write_text("inside")
    (m / "f").write_text("inside")
    (m / "xl").symlink_to(place / "out")
    (m / "fl").symlink_to(place / "secret")
    stop = threading.Event()
    swaps = 0

    def swap():
        nonlocal swaps
        while not stop.is_set():
            for one, other in (("x", "xl"), ("f", "fl")):
                os.rename(m / one, m / "t")
                os.rename(m / other, m / one)
                os.rename(m / "t", m / other)
            swaps += 1
            if swaps % 2 == 0:
                time.sleep(0.001)       # all is in its place: else the guest may have its turns in the middle of swaps only

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        found = attempts(place, mode, """
import time
end = time.monotonic() + 0.7
seen = set()
while time.monotonic() < end:
    for f in (lambda: open("/m/x/secret").read(), lambda: open("/m/f").read(), lambda: os.listdir("/m/x"), lambda: [e.stat().st_size for e in os.scandir("/m/x")],
              lambda: open("/m/x/secret", "w").write("inside"), lambda: open("/m/x/new", "w").write("."), lambda: os.mkdir("/m/x/made"), lambda: os.rmdir("/m/x/made"),
              lambda: open("/m/f", "a").write(""), lambda: os.chmod("/m/f", 0o644), lambda: os.unlink("/m/x/new")):
        try: seen.add(repr(f()))
        except OSError as e: seen.add(e.errno)
found += sorted(map(str, seen))
""")
    finally:
        stop.set()
        thread.join()
    assert swaps > 10
    # What an overlay has found at a path stays, and that may be the link.
    assert "'inside'" in found or mode == "overlay" and "2" in found


def test_folders_that_go_away_or_are_other_folders(place):
    """The guest stands in a folder that the host moves and puts another in its place."""
    with kr.Runtime(mounts=[kr.Mount(place / "m", "/m", mode="rw")]).session() as s:
        s.run("import os; os.chdir('/m/sub')", check=True)
        os.rename(place / "m/sub", place / "m/gone")
        (place / "m/sub").symlink_to(place / "out")
        assert "SECRET" not in str(s.run("open('secret').read()").error)
        s.run("open('mine', 'w').close()")
        assert os.listdir(place / "out") == ["secret"]
        os.rename(place / "m", place / "renamed")
        assert s.run("open('/m/ok').read()").value == "ok"  # it is the folder that counts, not its path


# ---- quotas ------------------------------------------------------------------------------------------------
WRITE = "def w(name, n, mode='wb'):\n    try:\n        with open(name, mode, 0) as f: return f.write(b'x' * n)\n    except OSError as e: return e.errno\n"


@pytest.mark.parametrize("mode", ["rw", "overlay"])
def test_limit_of_bytes(tmp_path, mode):
    (tmp_path / "old").write_bytes(b"o" * 5000)
    rt = kr.Runtime(mounts=[kr.Mount(tmp_path, "/m", mode=mode, limit="10KB")])
    found = rt.run(WRITE + """
import os
def size(name, n):
    try: os.truncate(name, n)
    except OSError as e: return e.errno
[w("/m/a", 6000), w("/m/b", 6000), w("/m/b", 4000), w("/m/b", 1, "ab"), size("/m/a", 10**12), os.unlink("/m/a"), w("/m/c", 6000), w("/m/d", 1), size("/m/c", 100), w("/m/d", 5900), w("/tmp/z", 50000)]
""").unwrap()
    assert found == [6000, 28, 4000, 28, 28, None, 6000, 28, None, 5900, 50000]


def test_limit_is_that_of_all_guests_together(tmp_path):
    mount = kr.Mount(tmp_path, "/m", mode="rw", limit=1000)
    rt = kr.Runtime(mounts=[mount])
    assert rt.run(WRITE + "w('/m/a', 600)").value == 600 and mount.added == 600
    assert rt.run(WRITE + "w('/m/b', 600)").value == 28
    each = kr.Runtime(mounts=[kr.Mount(tmp_path, "/m", mode="overlay", limit=1000)])
    assert [each.run(WRITE + "w('/m/b', 600)").value for _ in range(3)] == [600] * 3


def test_open_files_that_were_removed_still_count(tmp_path):
    rt = kr.Runtime(mounts=[kr.Mount(tmp_path, "/m", mode="rw", limit=10_000)])
    found = rt.run("""
import os
kept, written = [], 0
for i in range(20):
    f = open("/m/x", "wb", 0)
    os.unlink("/m/x")
    kept.append(f)
    try: written += f.write(b"x" * 3000)
    except OSError as e: pass
kept.clear(); del f
with open("/m/y", "wb") as f: again = f.write(b"x" * 9000)
written, again
""").unwrap()
    assert found == (9000, 9000)


def test_limits_of_the_run_count_for_mounts(tmp_path):
    limits = kr.Limits(files_size=1000, files_count=10, open_files=4)
    for mode in ("rw", "overlay"):
        folder = tmp_path / mode
        folder.mkdir()
        rt = kr.Runtime(mounts=[kr.Mount(folder, "/m", mode=mode)], limits=limits)
        assert rt.run(WRITE + "w('/m/a', 900), w('/m/b', 200), w('/tmp/c', 200)").value == (900, 28, 28)
        assert rt.run("kept = []\ntry:\n    while True: kept.append(open('/m/' + str(len(kept)), 'w'))\nexcept OSError as e: r = len(kept), e.errno\nr").value == (4, 24)
        assert rt.run("import os\ntry:\n    for i in range(99): os.mkdir(f'/m/d{i}')\nexcept OSError as e: r = i < 10, e.errno\nr").value == (True, 28)


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("mode", ["ro", "rw", "overlay"])
def test_descriptors_of_the_host_are_closed(tmp_path, mode):
    deep = tmp_path
    for _ in range(100):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "f").write_text("deep")
    path = "/m" + "/d" * 100
    rt = kr.Runtime(mounts=[kr.Mount(tmp_path, "/m", mode=mode)])
    before = descriptors()
    with rt.session() as s:
        assert s.run(f"import os\nkept = [open('{path}/f') for _ in range(5)]\nscans = [os.scandir('{path}') for _ in range(300)]\n"
                     f"os.chdir('{path}')\nfds = [os.open('f', os.O_RDONLY) for _ in range(5)]\nopen('f').read(), os.path.exists('../../d/d/f')").value == ("deep", True)
        assert descriptors() - before < 100
    del s
    assert descriptors() <= before
    failed = rt.run("open('/m/d/none')").error.type
    assert failed == "FileNotFoundError" and descriptors() <= before


# ---- what the host gives -----------------------------------------------------------------------------------
def test_overlay_comes_back(tmp_path):
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    mount = kr.Mount(tmp_path, "/m", mode="overlay")
    with kr.Runtime(mounts=[mount]).session() as s:
        s.run("import os\nopen('/m/a', 'a').write('!')\nos.unlink('/m/b')\nopen('/m/new', 'w').write('n')\nopen('/tmp/t', 'w').write('t')", check=True)
        assert dict(s.files) == {"/m/a": b"a!", "/m/new": b"n", "/tmp/t": b"t"} and sorted(s.files.changed()) == ["/m/a", "/m/new", "/tmp/t"]
        s.files["/m/host"] = "given"
        assert s.run("open('/m/host').read(), sorted(os.listdir('/m'))").value == ("given", ["a", "host", "new"])
        s.reset()
        assert s.run("import os; sorted(os.listdir('/m')), open('/m/a').read()").value == (["a", "b"], "a")
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_overlay_reads_what_it_needs(tmp_path):
    with open(tmp_path / "large", "wb") as file:
        file.truncate(10**10)
    result = kr.Runtime(mounts=[kr.Mount(tmp_path, "/m", mode="overlay")], limits=kr.Limits(memory="50MB")).run(
        "with open('/m/large', 'rb') as f:\n    f.seek(5 * 10 ** 9)\n    n = len(f.read(1000))\ntry: open('/m/large', 'r+b', 0).write(b'x')\nexcept OSError as e: n += e.errno\nn")
    assert result.unwrap() == 1028


def test_mount_over_home_and_files_in_an_overlay(tmp_path):
    (tmp_path / "a").write_text("here")
    rt = kr.Runtime(mounts=[kr.Mount(tmp_path, "/home", mode="overlay")], files={"b": "given", "/x/y": "1"})
    assert rt.run("import os; os.getcwd(), open('a').read(), open('b').read(), open('/x/y').read()").value == ("/home", "here", "given", "1")
    assert rt.run("import os; sorted(os.listdir('/other'))", mounts=[kr.Mount(tmp_path, "/other")]).value == ["a"]
    assert rt.session(mounts=[kr.Mount(tmp_path, "/other")]).run("open('/other/a').read()").value == "here"


@pytest.mark.parametrize("arguments, error", [
    ((1, "/m"), TypeError), (("{}", 1), TypeError), (("{}", "m"), ValueError), (("{}", "/"), ValueError), (("{}", "/m", "w"), ValueError),
    (("{}", "/m", "rw", -1), ValueError), (("{}", "/m", "rw", "many"), ValueError), (("{}/none", "/m"), OSError), (("{}/file", "/m"), OSError),
    (("{}", "/dev"), ValueError), (("{}", "/m\0"), ValueError),
])
def test_what_cannot_be_mounted(tmp_path, arguments, error):
    (tmp_path / "file").write_text("")
    folder, *rest = arguments
    with pytest.raises(error):
        kr.Mount(folder.format(tmp_path) if type(folder) is str else folder, *rest)


def test_mounts_that_do_not_fit(tmp_path):
    one = kr.Mount(tmp_path, "/m")
    for mounts, files, error in ((["/m"], None, TypeError), ("/m", None, TypeError), ([one, one], None, ValueError),
                                 ([one], {"/m/a": ""}, ValueError), ([one], {"/m": ""}, ValueError)):
        with pytest.raises(error, match="mounts|files"):
            kr.Runtime(mounts=mounts, files=files)
