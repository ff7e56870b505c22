"""What the host gives the guests as files, and the file system that is made of it."""
from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping

from kimi_runtime.files import system
from kimi_runtime.files.loading import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["GivenFiles", "absolute", "check_files", "check_mounts", "contents_of", "make_system"]


class GivenFiles:
    """The files of a ``Runtime``, a session or a run, as they were checked.

    Args:
        files: absolute path -> bytes, or a ``Loader``.
        mounts: absolute path -> ``Mount``.
    """

    __slots__ = ("files", "mounts")

    def __init__(self, files: dict[str, Any], mounts: dict[str, Any]) -> None:
        self.files = files
        self.mounts = mounts

    def with_more(self, more: GivenFiles | None) -> GivenFiles:
        """These, and others that come in the place of those with the same path.

        Raises:
            ValueError: one is a file where another needs a folder.
        """
        if more is None:
            return self
        files = {**self.files, **more.files}
        mounts = {**self.mounts, **more.mounts}
        check_folders(files)
        check_places(files, mounts)
        return GivenFiles(files, mounts)


def absolute(path: Any, argument: str = "files") -> str:
    """A path of the guests, from the root.

    Raises:
        TypeError: it is neither str nor a path.
        ValueError: it cannot be one of a file.
    """
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        raise TypeError(f"{argument}: paths must be str, not {type(text).__name__}")
    if not text or "\0" in text or text.endswith("/"):
        raise ValueError(f"{argument}: {text!r} is not a path of a file")
    found = posixpath.normpath(posixpath.join(system.HOME, text))
    if found.startswith("//"):
        found = found[1:]
    if found == "/":
        raise ValueError(f"{argument}: {text!r} is not a path of a file")
    return found


def contents_of(path: str, value: Any) -> Any:
    """Bytes, or a ``Loader`` for them.

    Raises:
        TypeError: value is nothing that could be the contents of a file.
        OSError: value is a path of the host, and there is no file.
    """
    if isinstance(value, bytes):
        return bytes(value)
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, os.PathLike):
        source = os.path.abspath(os.fspath(value))
        with open(source, "rb"):  # what is missing is said at once
            pass

        def read() -> bytes:
            with open(source, "rb") as file:
                return file.read()

        return Loader(read, path)
    import inspect

    if callable(value) and inspect.iscoroutinefunction(value):
        raise TypeError(f"files[{path!r}] must not be an async function: files are read where nothing can be awaited")
    if callable(value):
        return Loader(value, path)
    raise TypeError(f"files[{path!r}] must be bytes, str, a path of the host or a function that returns bytes or str, not "
                    f"{type(value).__name__}")


def check_folders(files: Mapping[str, Any]) -> None:
    """ValueError when one of the paths is a file and a folder on the way to another."""
    folders = {}
    for path in files:
        above = posixpath.dirname(path)
        while above != "/":
            folders[above] = path
            above = posixpath.dirname(above)
    for path in files:
        if path in folders or path in system.FOLDERS:
            raise ValueError(f"files: {path!r} is a file, and a folder for {folders.get(path, path)!r}")


def check_places(files: Mapping[str, Any], mounts: Mapping[str, Any]) -> None:
    """ValueError when a file lies in a mounted folder that is not an overlay, or is in the way of one."""
    for each in files:
        for path in mounts:
            if path == each or path.startswith(each + "/"):
                raise ValueError(f"mounts: {each!r} is a file, and in the way of {path!r}")
        around = max((path for path in mounts if each.startswith(path + "/")), key=len, default=None)
        if around is not None and mounts[around].mode != "overlay":
            raise ValueError(f"files: {each!r} lies in the mounted folder {around!r}; its mode must be 'overlay' for that")


def check_mounts(given: Any) -> dict[str, Any]:
    """The mounted folders by path.

    Raises:
        TypeError: it is no sequence of ``Mount``.
        ValueError: two have the same place.
    """
    from kimi_runtime.files.mounts import Mount

    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise TypeError(f"mounts must be a sequence of kimi_runtime.Mount, not {type(given).__name__}")
    found: dict[str, Any] = {}
    for each in given:
        if not isinstance(each, Mount):
            raise TypeError(f"mounts must be a sequence of kimi_runtime.Mount, which {type(each).__name__} is not")
        if each.path in found:
            raise ValueError(f"mounts: {each.path!r} is there twice")
        found[each.path] = each
    return found


def check_files(given: Any, mounts: Any = None) -> GivenFiles | None:
    """What ``files=`` and ``mounts=`` were given; None when that is nothing.

    Raises:
        TypeError: it is no mapping of paths to what can be the contents of a file; see also ``check_mounts``.
        ValueError: a path cannot be that of a file.
        OSError: a path of the host leads to no file that can be read.
    """
    mounted = {} if mounts is None else check_mounts(mounts)
    if given is None:
        if not mounted:
            return None
        given = {}
    if not isinstance(given, Mapping):
        raise TypeError(f"files must be a mapping of paths to contents, not {type(given).__name__}")
    files: dict[str, Any] = {}
    for key, value in given.items():
        path = absolute(key)
        if path in files:
            raise ValueError(f"files: {path!r} is there twice")
        files[path] = contents_of(path, value)
    check_folders(files)
    check_places(files, mounted)
    return GivenFiles(files, mounted)


def make_system(given: GivenFiles | None) -> Any:
    """The file system of a new guest."""
    made = system.FileSystem()
    if given is not None:
        for path, mount in sorted(given.mounts.items()):        # what lies in another one after that
            made.mount(path, mount)
        for path, contents in given.files.items():
            made.put(path, contents)
            made.file(path).given = path
    return made


system.use_maker(make_system)
