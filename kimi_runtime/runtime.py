"""The public way to run guest code: ``run`` and ``Runtime``."""
from __future__ import annotations

import keyword
import threading
from collections.abc import Mapping
from time import perf_counter
from types import ModuleType
from typing import IO, Any

from . import engine
from .errors import GuestException
from .result import Result

__all__ = ["Runtime", "run"]


class Runtime:
    """Runs guest programs, each in a fresh namespace. May be used by several threads at a time.

    Args:
        modules_source: guest modules by name; ``import`` in a guest compiles and runs their source as guest code.
        host_modules: modules of the host by name that guests may import. They are trusted: a guest that holds one can
            call everything in it.
        stdout, stderr: objects with a ``write`` method that get what the guests print while they run; without them the
            text is collected in the ``Result``.
        argv: ``sys.argv`` of the guests.
    """

    __slots__ = ("_options", "_stdout", "_stderr")

    def __init__(
        self,
        *,
        modules_source: Mapping[str, str] | None = None,
        host_modules: Mapping[str, ModuleType] | None = None,
        stdout: IO[str] | None = None,
        stderr: IO[str] | None = None,
        argv: list[str] | None = None,
    ) -> None:
        self._options = engine.context_options(modules_source=modules_source, host_modules=host_modules, argv=argv)
        self._stdout = stdout
        self._stderr = stderr

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
            ValueError: a name in inputs is not an identifier.
            TypeError: source is neither str nor bytes.
        """
        context = engine.new_context(self._stdout, self._stderr, self._options)
        namespace = engine.new_namespace(context)
        if inputs:
            for name in inputs:
                if not (isinstance(name, str) and name.isidentifier()) or keyword.iskeyword(name):
                    raise ValueError(f"inputs: {name!r} is not a name that a program could use")
                if name == "__builtins__":
                    raise ValueError("inputs: __builtins__ belongs to the interpreter")
            namespace.update(inputs)
