"""Checks of what the host passes: each returns the value in the form that a run needs, or raises TypeError.

The messages name the argument, because the caller often passes several from a configuration.
"""
from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType

from .limits import NONE, Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def jit(value: Any) -> Any:
    """The settings of the hot tier. Raises TypeError for what is neither that nor None."""
    if value is not None:
        from .jit import JIT

        if not isinstance(value, JIT):
            raise TypeError(f"jit must be a kimi_runtime.JIT or None, not {type(value).__name__}")
    return value


def seconds(argument: str, value: Any) -> float | None:
    """A time to wait, or None. Raises TypeError, ValueError when it is neither."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{argument} must be a number of seconds, not {type(value).__name__}")
    if not 0 <= value < float("inf"):
        raise ValueError(f"{argument} must be at least 0, not {value!r}")
    return float(value)


def library_modules(modules: Iterable[str]) -> frozenset[str]:
    """The set of names.

    Raises:
        TypeError: it is no collection of names.
        ValueError: the library does not have a module of that name.
    """
    from .library.catalog import ENTRIES, SAFE

    if isinstance(modules, str):
        raise TypeError(f"modules must be a collection of module names, not the string {modules!r}")
    if not isinstance(modules, Iterable):
        raise TypeError(f"modules must be a collection of module names, not {type(modules).__name__}")
    names = frozenset(modules)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"modules: names must be str, not {type(name).__name__}")
        if name not in SAFE:
            known = "is for library code only" if name in ENTRIES else "is not in the library"
            raise ValueError(f"modules: {name!r} {known}; a module of the host is handed over by host_modules")
    return names


def host_modules(given: Any) -> dict[str, ModuleType] | None:
    """A mapping of names to modules of the host; None when it is empty.

    Raises:
        TypeError: it is no mapping, or has a name or value of another type.
    """
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise TypeError(f"host_modules must be a mapping of names to modules, not {type(given).__name__}")
    for name, value in given.items():
        if not isinstance(name, str):
            raise TypeError(f"host_modules: names must be str, not {type(name).__name__}")
        if not isinstance(value, ModuleType):
            raise TypeError(f"host_modules[{name!r}] must be a module, not {type(value).__name__}")
    return dict(given) or None


def functions(given: Any) -> dict[str, Any] | None:
    """Functions of the host as guests get them, by name; None when there are none.

    Raises:
        TypeError: it is no mapping of names to callables.
        ValueError: a name is not one that a program could use.
    """
    from .bridge.crossing import wrap_functions

    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise TypeError(f"functions must be a mapping of names to callables, not {type(given).__name__}")
    names(given, "functions")
    return wrap_functions(given) or None


def files(given: Any, usual: Any = None, mounts: Any = None) -> Any:
    """What guests find as files: those of the runtime with what is given for a session or run.

    Raises:
        TypeError, ValueError, OSError: see ``files.given.check_files``.
    """
    from .files.given import check_files

    found = check_files(given, mounts)
    return found if usual is None else usual.with_more(found)


def limits(given: Any) -> Limits:
    """The limits; None stands for none at all. Raises TypeError for another type."""
    if given is None:
        return NONE
    if not isinstance(given, Limits):
        raise TypeError(f"limits must be a kimi_runtime.Limits or None, not {type(given).__name__}")
    return given


def policy(given: Any) -> Any:
    """A Policy, or None. Raises TypeError for anything else."""
    if given is not None:
        from .policies import Policy

        if not isinstance(given, Policy):
            raise TypeError(f"policy must be a kimi_runtime.Policy or None, not {type(given).__name__}")
    return given


def cache(given: Any) -> Any:
    """A ParseCache, or None. Raises TypeError for anything else."""
    if given is not None:
        from .cache.parse_cache import ParseCache

        if not isinstance(given, ParseCache):
            raise TypeError(f"cache must be a kimi_runtime.ParseCache or None, not {type(given).__name__}")
    return given


def output(argument: str, given: Any) -> Any:
    """An object with a ``write`` method, or None. Raises TypeError for anything else."""
    if given is not None and not callable(getattr(given, "write", None)):
        raise TypeError(f"{argument} must be an object with a write method, not {type(given).__name__}")
    return given


def callback(argument: str, given: Any) -> Any:
    """A function that gets output, or None. Raises TypeError for anything else, and for an async function."""
    if given is not None:
        from .bridge.functions import is_coroutine_function

        if not callable(given):
            raise TypeError(f"{argument} must be a callable that takes a text, not {type(given).__name__}")
        if is_coroutine_function(given):
            raise TypeError(f"{argument} is an async function, and nobody would await what it returns: give a function that "
                            "passes the text on, for example by loop.call_soon_threadsafe(queue.put_nowait, text)")
    return given


def callbacks(on_stdout: Any, on_stderr: Any, stdout: Any = None, stderr: Any = None) -> tuple[Any, Any]:
    """Both functions that get output.

    Raises:
        TypeError: one is not callable, or async.
        ValueError: there is a stream for the same output.
    """
    for name, function, stream in (("stdout", on_stdout, stdout), ("stderr", on_stderr, stderr)):
        callback(f"on_{name}", function)
        if function is not None and stream is not None:
            raise ValueError(f"{name} and on_{name} are given both: the output goes to one of them")
    return on_stdout, on_stderr


def texts(argument: str, given: Any) -> tuple[str, ...]:
    """A sequence of strings as a tuple. Raises TypeError for anything else, and for a single string."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise TypeError(f"{argument} must be a sequence of str, not {type(given).__name__}")
    for value in given:
        if not isinstance(value, str):
            raise TypeError(f"{argument}: {value!r} is {type(value).__name__}, not str")
    return tuple(given)


def names(inputs: Any, argument: str = "inputs") -> None:
    """Looks at the names of a program's inputs, or of another argument.

    Raises:
        TypeError: inputs is no mapping.
        ValueError: a name is not one that a program could refer to.
    """
    if type(inputs) is not dict and not isinstance(inputs, Mapping):
        raise TypeError(f"{argument} must be a mapping of names to values, not {type(inputs).__name__}")
    for name in inputs:
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
            raise ValueError(f"{argument}: {name!r} is not a name that a program could use")
        if name == "__builtins__":
            raise ValueError(f"{argument}: __builtins__ belongs to the interpreter")


def program(source: Any, filename: Any, inputs: Any) -> None:
    """Looks at what a run is given. inputs: None, or what ``names`` looks at.

    Raises:
        TypeError: the source, the file name or the inputs are of another type.
        ValueError: a name in inputs is not one that a program could refer to.
    """
    if not isinstance(source, (str, bytes)):
        raise TypeError(f"source must be str or bytes, not {type(source).__name__}")
    if not isinstance(filename, str):
        raise TypeError(f"filename must be str, not {type(filename).__name__}")
    if inputs is not None:
        names(inputs)
