"""The public way to run guest code: ``run`` and ``Runtime``."""
from __future__ import annotations

import keyword
from _thread import get_ident
from time import perf_counter

from . import engine
from .errors import GuestException
from .objects.context import RunContext
from .objects.module_sources import find_sources
from .result import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from types import ModuleType
    from typing import IO, Any

__all__ = ["Runtime", "run"]


class Runtime:
    """Runs guest programs, each in a fresh namespace. May be used by several threads at a time.

    Args:
        modules_source: the guests' own modules, which ``import`` compiles and runs as guest code: source text by name
            (``pkg.mod`` or ``pkg/mod.py``), or the path of a folder with their files.
        modules: names of the library modules that guests may import, a package's name for all that is in it; None for
            all of ``kimi_runtime.modules.SAFE``.
        host_modules: modules of the host by name that guests may import. They are trusted: a guest that holds one can
            call everything in it.
        stdout, stderr: objects with a ``write`` method that get what the guests print while they run; without them the
            text is collected in the ``Result``.
        argv: ``sys.argv`` of the guests.
    """

    __slots__ = ("_modules_source", "_modules", "_host_modules", "_stdout", "_stderr", "_argv")

    def __init__(
        self,
        *,
        modules_source: Mapping[str, str] | str | PathLike[str] | None = None,
        modules: Iterable[str] | None = None,
        host_modules: Mapping[str, ModuleType] | None = None,
        stdout: IO[str] | None = None,
        stderr: IO[str] | None = None,
        argv: Sequence[str] = ("",),
    ) -> None:
        self._modules_source = find_sources(modules_source) if modules_source else None
        self._modules = None if modules is None else check_modules(modules)
        self._host_modules = dict(host_modules) if host_modules else None
        self._stdout = stdout
        self._stderr = stderr
        self._argv = tuple(argv)

    def run(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str = "<guest>",
        check: bool = False,
    ) -> Result:
        """Runs a program.

        Args:
            source: the program's text; bytes are decoded by the encoding line, or as UTF-8.
            inputs: names and values that the program finds as globals.
            filename: the name that tracebacks show.
            check: raise when the program fails.

        Returns:
            The result; ``Result.value`` is the value of the last statement when that is an expression.

        Raises:
            GuestException: the program failed and ``check`` is true.
            KeyboardInterrupt: the host was interrupted while the program ran.
            ValueError: a name in inputs is not one that a program could use.
            TypeError: source is neither str nor bytes.
        """
        if not isinstance(source, (str, bytes)):
            raise TypeError(f"source must be str or bytes, not {type(source).__name__}")
        context = RunContext(self._stdout, self._stderr, self._argv, self._modules_source, self._host_modules,
                             self._modules)
        namespace = engine.new_namespace(context)
        if inputs:
            check_names(inputs)
            namespace.update(inputs)
        parse_seconds = compile_seconds = run_seconds = 0.0
        instructions = peak_registers = 0
        cached = False
        value = error = None
        try:
            code, parse_seconds, compile_seconds, cached = engine.load(source, filename)
            start = perf_counter()
            context.main_source = (filename, source)
            try:
                try:
                    value = engine.run_code(code, namespace)
                finally:
                    engine.end_program(context)
            finally:
                run_seconds = perf_counter() - start
                _, instructions, peak_registers = engine.last_run_stats()
        except BaseException as raised:  # a failing guest is data, whatever it raised
            if isinstance(raised, KeyboardInterrupt) and in_main_thread():
                # Signals reach the main thread only: the host was interrupted.
                raise raised.with_traceback(None) from None
            error = engine.describe(raised)
        result = Result(
            value,
            error,
            context.stdout_parts,
            context.stderr_parts,
            (parse_seconds, compile_seconds, run_seconds, instructions, peak_registers, cached),
        )
        if check and error is not None:
            raise GuestException(error, result)
        return result


def check_modules(modules: Iterable[str]) -> frozenset[str]:
    """The set of names; raises ValueError for one that the library does not have, TypeError for what is no name."""
    from .library.catalog import ENTRIES, SAFE

    if isinstance(modules, str):
        raise TypeError(f"modules must be a collection of module names, not the string {modules!r}")
    names = frozenset(modules)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"modules: names must be str, not {type(name).__name__}")
        if name not in SAFE:
            known = "is for library code only" if name in ENTRIES else "is not in the library"
            raise ValueError(f"modules: {name!r} {known}; a module of the host is handed over by host_modules")
    return names


def check_names(inputs: Mapping[str, Any]) -> None:
    """Raises ValueError for the first input that no program could refer to."""
    for name in inputs:
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
            raise ValueError(f"inputs: {name!r} is not a name that a program could use")
        if name == "__builtins__":
            raise ValueError("inputs: __builtins__ belongs to the interpreter")


def in_main_thread() -> bool:
    """Whether this is the thread that handles signals."""
    import threading

    return get_ident() == threading.main_thread().ident


# Runs a program in a fresh namespace, with no modules of the host's: see ``Runtime.run``.
run = Runtime().run
