"""The public way to run guest code: ``run`` and ``Runtime``."""
from __future__ import annotations

from _thread import get_ident
from time import perf_counter

from . import checked, engine
from .errors import exception_for
from .limits import DEFAULT, Limits
from .objects.context import RunContext
from .objects.module_sources import find_sources
from .objects.streams import check_source
from .result import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
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
        limits: what each run may use, by default ``Limits()``; None for no limits at all.
        stdin: what ``input()`` and ``sys.stdin`` of the guests read: a text that each run reads from its beginning, a
            function that returns the next line and None at the end, or an object with a ``readline`` method. Without it
            the input is empty.

    Raises:
        TypeError: an argument is of another type.
        ValueError: modules has a name that the library does not have.
        NotADirectoryError: modules_source is a path, but not of a folder.
    """

    __slots__ = ("_modules_source", "_modules", "_host_modules", "_stdout", "_stderr", "_argv", "_stdin", "_limits")

    def __init__(
        self,
        *,
        modules_source: Mapping[str, str] | str | PathLike[str] | None = None,
        modules: Iterable[str] | None = None,
        host_modules: Mapping[str, ModuleType] | None = None,
        stdout: IO[str] | None = None,
        stderr: IO[str] | None = None,
        argv: Sequence[str] = ("",),
        stdin: str | Callable[[], str | None] | IO[str] | None = None,
        limits: Limits | None = DEFAULT,
    ) -> None:
        self._modules_source = None if modules_source is None else find_sources(modules_source)
        self._modules = None if modules is None else checked.library_modules(modules)
        self._host_modules = checked.host_modules(host_modules)
        self._stdout = checked.output("stdout", stdout)
        self._stderr = checked.output("stderr", stderr)
        self._argv = checked.texts("argv", argv)
        check_source(stdin)
        self._stdin = stdin
        self._limits = checked.limits(limits)

    def run(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str = "<guest>",
        check: bool = False,
        limits: Limits | None = DEFAULT,
    ) -> Result:
        """Runs a program.

        Args:
            source: the program's text; bytes are decoded by the encoding line, or as UTF-8.
            inputs: names and values that the program finds as globals.
            filename: the name that tracebacks show.
            check: raise when the program fails.
            limits: what this run may use, when it is not what the runtime says; None for no limits at all.

        Returns:
            The result; ``Result.value`` is the value of the last statement when that is an expression.

        Raises:
            GuestException: the program failed and ``check`` is true; ``LimitExceeded`` when it was stopped.
            KeyboardInterrupt: the host was interrupted while the program ran.
            ValueError: a name in inputs is not one that a program could use.
            TypeError: an argument is of another type.
        """
        if not isinstance(source, (str, bytes)):
            raise TypeError(f"source must be str or bytes, not {type(source).__name__}")
        if not isinstance(filename, str):
            raise TypeError(f"filename must be str, not {type(filename).__name__}")
        given = self._limits if limits is DEFAULT else checked.limits(limits)
        context = RunContext(self._stdout, self._stderr, self._argv, self._modules_source, self._host_modules,
                             self._modules, stdin=self._stdin, output_limit=given.output)
        if inputs is not None:
            checked.names(inputs)
        parse_seconds = compile_seconds = run_seconds = 0.0
        figures: list[Any] = [0, 0, False]
        cached = False
        value = error = None
        if given.source_size is not None and len(source) > given.source_size:
            error = engine.refused("source_size", given)
        else:
            try:
                code, parse_seconds, compile_seconds, cached = engine.load(source, filename)
            except BaseException as raised:
                reraise_interrupt(raised)
                error = engine.describe(raised)
            else:
                start = perf_counter()
                context.main_source = (filename, source)
                value, error, interrupt = engine.execute(context, code, inputs, figures, given)
                if interrupt is not None and not figures[2]:
                    reraise_interrupt(interrupt)
                run_seconds = perf_counter() - start
        result = Result(
            value,
            error,
            context.stdout_parts,
            context.stderr_parts,
            (parse_seconds, compile_seconds, run_seconds, figures[0], figures[1], cached),
        )
        if check and error is not None:
            raise exception_for(error, result)
        return result


def reraise_interrupt(raised: BaseException) -> None:
    """Raises an exception again when it is an interrupt of the host: signals reach the main thread only."""
    if type(raised) is KeyboardInterrupt and in_main_thread():
        raise raised.with_traceback(None) from None


def in_main_thread() -> bool:
    """Whether this is the thread that handles signals."""
    import threading

    return get_ident() == threading.main_thread().ident


# Runs a program in a fresh namespace, with no modules of the host's: see ``Runtime.run``.
run = Runtime().run
