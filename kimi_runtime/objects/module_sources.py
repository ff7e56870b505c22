"""Where the sources of a guest's own modules are: a mapping that the host made, or a folder of its."""
from __future__ import annotations

import os

from kimi_runtime.syntax.source import decode_source


def find_sources(modules_source):
    """The sources by dotted name.

    Args:
        modules_source: a mapping of names (``pkg.mod``, ``pkg/mod.py``, ``pkg/__init__.py``) to source text, or the
            path of a folder.

    Returns:
        An object with ``in`` and ``[]`` that gives (source or None, is package, file name) for a dotted name.

    Raises:
        NotADirectoryError: the path is not that of a folder.
        TypeError: a name or a source is not a string, or modules_source is of another kind.
    """
    if isinstance(modules_source, (SourceMap, SourceLookup)):
        return modules_source
    if isinstance(modules_source, (str, os.PathLike)):
        return SourceFolder(modules_source)
    if not hasattr(modules_source, "items"):
        raise TypeError("modules_source must be a mapping of names to source text, or the path of a folder, "
                        f"not {type(modules_source).__name__}")
    return from_mapping(modules_source)


class SourceMap(dict):
    """dotted name -> (source, is package, file name)"""


def from_mapping(modules_source):
    """The SourceMap of a mapping from names or paths to source text."""
    found = SourceMap()
    for name, source in modules_source.items():
        if not isinstance(name, str):
            raise TypeError(f"modules_source: names must be str, not {type(name).__name__}")
        if not isinstance(source, (str, bytes)):
            raise TypeError(f"modules_source: the source of {name!r} must be str or bytes, not {type(source).__name__}")
        path = name.replace("\\", "/")
        if path.endswith(".py"):
            path = path[:-3]
        elif "/" not in path:
            path = path.replace(".", "/")
        package = path == "__init__" or path.endswith("/__init__")
        dotted = path.replace("/", ".")
        if package:
            dotted = dotted[:-len(".__init__")]
        found[dotted] = (source, package, path + ".py")
    for dotted in list(found):
        parent, _, _ = dotted.rpartition(".")
        while parent:
            if parent not in found:
                found[parent] = (None, True, None)          # a package without a file of its own
            elif not found[parent][1]:
                source, _, path = found[parent]
                found[parent] = (source, True, path)
            parent, _, _ = parent.rpartition(".")
    return found


class SourceLookup:
    """Base of what looks a source up when it is imported: it has ``in``, and ``[]`` as in a SourceMap."""


class SourceFolder(SourceLookup):
    """The ``.py`` files under a folder, read when they are imported. Links that lead out of the folder are not followed."""

    def __init__(self, root):
        self.root = os.path.realpath(root)
        if not os.path.isdir(self.root):
            raise NotADirectoryError(f"modules_source: {os.fspath(root)!r} is not a folder")

    def __contains__(self, name):
        return self._locate(name) is not None

    def __getitem__(self, name):
        path, package = self._locate(name)
        if path is None:
            return None, True, None
        with open(path, "rb") as file:
            return decode_source(file.read(), path), package, path

    def _locate(self, name):
        """(path or None, is package) of a module, or None when there is none."""
        parts = name.split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        base = os.path.join(self.root, *parts)
        for path, package in ((os.path.join(base, "__init__.py"), True), (base + ".py", False)):
            if os.path.isfile(path) and self._inside(path):
                return path, package
        return (None, True) if os.path.isdir(base) and self._inside(base) else None

    def _inside(self, path):
        return os.path.commonpath([self.root, os.path.realpath(path)]) == self.root
