"""What guests of a runtime may use: ``Description``."""
from __future__ import annotations

import inspect
import sys

from .checking import as_seen
from .limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .files.given import GivenFiles

__all__ = ["Description", "FunctionDescription"]

#: What each limit is called, in the order in which they are told.
NAMES = {
    "seconds": "{:g} seconds", "cpu_seconds": "{:g} seconds of processor time", "memory": "{:,} bytes of memory",
    "instructions": "{:,} instructions", "recursion": "{:,} nested calls", "output": "{:,} bytes of output",
    "result_size": "{:,} bytes of a result", "host_calls": "{:,} calls of host functions",
    "host_seconds": "{:g} seconds in host functions", "source_size": "{:,} characters of source",
}
FILE_LIMITS = {"files_size": "{:,} bytes in files", "files_count": "{:,} files", "open_files": "{:,} open files"}


class FunctionDescription:
    """A function of the host.

    Attributes:
        name: by which guests call it.
        signature: its parameters and what it returns, as text; "(...)" when it does not tell.
        doc: its documentation, "" when it has none.
        is_async: whether guests must await its calls.
    """

    __slots__ = ("name", "signature", "doc", "is_async")

    def __init__(self, name: str, signature: str, doc: str, is_async: bool) -> None:
        self.name = name
        self.signature = signature
        self.doc = doc
        self.is_async = is_async

    def to_dict(self) -> dict[str, Any]:
        """The attributes by name."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __str__(self) -> str:
        lines = [f"{'async ' if self.is_async else ''}{self.name}{self.signature}", *self.doc.splitlines()]
        return "\n".join(f"    {line}".rstrip() if i else line for i, line in enumerate(lines))

    def __repr__(self) -> str:
        return f"<{'async ' if self.is_async else ''}function {self.name}{self.signature}>"


class Description:
    """What the guests of a runtime may use: as data, and as text for the prompt of a language model (``str``).

    Attributes:
        functions: of the host, a list of ``FunctionDescription``.
        modules: names of the library's modules that may be imported.
        own_modules: names of further modules: the guests' own, and the host's.
        limits: what a run may use, by name; without those that do not bound anything.
        files: paths of the files that guests find, or None when they can have none.
        folders: mounted folders: path -> mode.
    """

    __slots__ = ("functions", "modules", "own_modules", "limits", "files", "folders", "_all_modules")

    def __init__(
        self, functions: Mapping[str, Any], modules: frozenset[str] | None, own_modules: list[str], limits: Limits,
        files: GivenFiles | None
    ) -> None:
        from .modules import SAFE

        self.functions = [describe_function(name, function) for name, function in functions.items()]
        self.modules = sorted(name for name in (SAFE if modules is None else modules) if "." not in name)
        self._all_modules = modules is None
        self.own_modules = sorted(own_modules)
        given = {name: getattr(limits, name) for name in (*NAMES, *(FILE_LIMITS if files is not None else ()))}
        self.limits: dict[str, float] = {name: value for name, value in given.items() if value is not None}
        self.files = None if files is None else sorted(files.files)
        self.folders = {} if files is None else {path: mount.mode for path, mount in files.mounts.items()}

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "functions": [each.to_dict() for each in self.functions],
            "modules": self.modules,
            "own_modules": self.own_modules,
            "limits": self.limits,
            "files": self.files,
            "folders": self.folders,
        }

    def __str__(self) -> str:
        parts = [f"Programs are Python {sys.version_info[0]}.{sys.version_info[1]}, in a sandbox without network and processes."]
        if self.functions:
            parts.append("Functions that are there without import:\n\n" + "\n\n".join(map(str, self.functions)))
        if any(each.is_async for each in self.functions):
            parts.append("Calls of async functions are awaited, in a coroutine that asyncio.run() runs.")
        kind = "These modules of the standard library" if self._all_modules else "Only these modules of the standard library"
        parts.append(f"{kind} can be imported: {', '.join(self.modules) or 'none'}.")
        if self.own_modules:
            parts.append(f"Further modules: {', '.join(self.own_modules)}.")
        if self.files is None:
            parts.append("There are no files: open() fails.")
        else:
            told = [f"{path} ({'read-only' if mode == 'ro' else 'writable'} folder)" for path, mode in self.folders.items()]
            parts.append("Files can be read and written in /home, where programs begin, and /tmp."
                         + (f" There are: {', '.join([*told, *self.files])}." if told or self.files else ""))
        if self.limits:
            names = {**NAMES, **FILE_LIMITS}
            parts.append("Limits: " + ", ".join(names[name].format(value) for name, value in self.limits.items()) + ".")
        return "\n\n".join(parts) + "\n"

    def __repr__(self) -> str:
        return f"<Description: {len(self.functions)} functions, {len(self.modules)} modules>"


def describe_function(name: str, function: Any) -> FunctionDescription:
    """What guests may know of a function."""
    seen = as_seen(function)
    try:
        signature = str(inspect.signature(seen))
    except (TypeError, ValueError):
        signature = "(...)"
    return FunctionDescription(name, signature, inspect.cleandoc(seen.__doc__ or ""), inspect.iscoroutinefunction(seen))
