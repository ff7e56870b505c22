import os, os.path, posixpath, ntpath, pathlib, stat, sys
from pathlib import PurePath, PurePosixPath, PureWindowsPath, Path
print(os.path.join("a", "b", "/c", "d"), os.path.split("/a/b.txt"), os.path.splitext("a.tar.gz"), os.path.basename("/x/y/"), os.path.dirname("/x/y"), os.path.normpath("a//b/../c/./d"), os.path.commonpath(["/a/b", "/a/c"]), os.path.commonprefix(["abc", "abd"]), os.path.isabs("/a"), os.path.relpath("/a/b", "/a/c/d"), os.path.splitdrive("c:/x"), os.path is posixpath, os.path.normcase("A"))
print(os.fspath("x"), os.fsencode("é"), os.fsdecode(b"a"), os.sep, os.linesep, os.curdir, os.pardir, os.extsep, os.name, isinstance(Path("x"), os.PathLike), os.devnull, os.pathsep, repr(os.altsep))
class F:
    def __fspath__(self): return "/my/path"
print(os.fspath(F()), os.path.join(F(), "x"), isinstance(F(), os.PathLike), issubclass(F, os.PathLike), PurePath(F()))
try:
    os.fspath(1)
except TypeError as e:
    print(e)
p = PurePosixPath("/usr/lib/python3.11/site.tar.gz")
print(p.name, p.stem, p.suffix, p.suffixes, p.parent, list(p.parents)[:2], p.parts, p.anchor, p.root, p.is_absolute(), p.with_suffix(".x"), p.with_name("y"), p.relative_to("/usr"), p / "a" / "b", "x" / p, p.match("*.gz"), p.as_uri(), p.joinpath("c", "d"), repr(p), str(p), p == PurePosixPath("/usr/lib/python3.11/site.tar.gz"), hash(p) == hash(PurePosixPath(str(p))), p < PurePosixPath("/z"), p.is_relative_to("/usr"), p.with_stem("q"), bytes(p))
w = PureWindowsPath("c:\\Users\\x\\..\\f.TXT"); print(w, w.drive, w.root, w.parts, w.as_posix(), w == PureWindowsPath("C:/users/X/../F.txt"), w.suffix, w.is_reserved() if sys.version_info < (3, 13) else False, PureWindowsPath("//server/share/x").parts)
for f in [lambda: p.relative_to("/etc"), lambda: p.with_name(""), lambda: p.with_suffix("x"), lambda: PurePath(1), lambda: PurePosixPath("a").as_uri(), lambda: os.path.join("a", b"b"), lambda: os.path.commonpath(["a", "/b"]), lambda: os.path.relpath("")]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(type(Path("a")).__name__, Path("a/b").parent, Path(".") / "x", sorted([Path("b"), Path("a")]), Path("a").with_suffix(".py"), str(Path("a//b/./c")))
print(ntpath.join("a", "b"), ntpath.splitdrive("c:\\x"), ntpath.normpath("a/../b"), stat.S_ISDIR(0o40755), stat.filemode(0o100644), stat.S_IMODE(0o100644))
print(os.strerror(2), len(os.urandom(5)), os.path.expandvars("$NOT_THERE/x"), os.getenv("NOT_THERE_AT_ALL", "d"), os.environ.get("NOT_THERE_AT_ALL"))
os.environ["MY_VAR"] = "v"; print(os.environ["MY_VAR"], os.getenv("MY_VAR"), "MY_VAR" in os.environ, os.path.expandvars("$MY_VAR/${MY_VAR}x"), os.environ.pop("MY_VAR"))
for f in [lambda: os.environ["NOT_THERE_AT_ALL"], lambda: os.environ.__setitem__("a", 1), lambda: os.environ[1]]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
