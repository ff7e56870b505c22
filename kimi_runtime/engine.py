"""Joins the stages: source to code through the cache, code and namespace to a value, an exception to plain data.

Used by ``runtime`` (results as data) and by the command line (live streams, exit status).
"""
from __future__ import annotations

import sys
from _thread import allocate_lock
from contextvars import copy_context
from time import perf_counter

from . import _core, library
from .bridge import native_ticks
from .bytecode.compiler import compile_tree
from .errors import GuestError
from .limits import NONE, Limits
from .objects.builtins import make_builtins
from .objects.context import RunContext
from .objects.tracebacks import format_exception, guest_location
from .syntax.parser import parse
from .syntax.source import decode_source
from .vm.stopping import Stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextvars import Context
    from typing import Any

CACHE_ENTRIES = 512

run_code = _core.run_code
run_measured = _core.run_measured

_cache: Any = None
_cache_lock = allocate_lock()

library.connect()


# ---- source to code --------------------------------------------------------------------------------------
def compile_source(
    source: str | bytes, filename: str, mode: str, *, warnings: list[Any] | None = None, keep_source: bool = True
) -> Any:
    """Compiles a source without the cache.

    Args:
        source: the text; bytes are decoded by their encoding line.
        filename: the name that tracebacks show.
        mode: "exec", "eval" or "single".
        warnings: a list that gets (category name, text, line, column) of each warning.
        keep_source: whether tracebacks show source lines.

    Returns:
        The code.

    Raises:
        SyntaxError, ValueError, MemoryError, RecursionError: as the host's ``compile`` for the same source.
    """
    text = source if isinstance(source, str) else decode_source(source, filename)
    tree = parse(text, filename, mode, warnings)
    return compile_tree(tree, filename, source=text if keep_source else None, mode=mode, warnings=warnings)


def load(source: str | bytes, filename: str) -> tuple[Any, float, float, bool]:
    """Compiles a program, or takes its code from the cache.

    Args:
        source: the text; bytes are decoded by their encoding line.
        filename: the name that tracebacks show.

    Returns:
        The code, whose value is that of a last expression statement; seconds for the parser; seconds for the compiler;
        whether the cache had it.

    Raises:
        SyntaxError, ValueError, MemoryError, RecursionError: as the host's ``compile`` for the same source.
    """
    key = (source, filename)
    cache = _cache if _cache is not None else _make_cache()
    with _cache_lock:
        try:
            return cache[key], 0.0, 0.0, True
        except KeyError:
            pass
    start = perf_counter()
    text = source if type(source) is str else decode_source(source, filename)
    tree = parse(text, filename, "exec")
    middle = perf_counter()
    code = compile_tree(tree, filename, source=text, mode="notebook")
    end = perf_counter()
    with _cache_lock:
        cache[key] = code
    return code, middle - start, end - middle, False


def _make_cache() -> Any:
    """The cache of compiled sources; made when first needed, because a command-line run does without."""
    global _cache
    from cachetools import LRUCache

    with _cache_lock:
        if _cache is None:
            _cache = LRUCache(CACHE_ENTRIES)
    return _cache


# ---- namespace -------------------------------------------------------------------------------------------
def new_namespace(context: RunContext) -> dict[str, Any]:
    """The globals of a fresh ``__main__``, with builtins of its own that write to the context's streams."""
    return {
        "__name__": "__main__",
        "__doc__": None,
        "__package__": None,
        "__loader__": None,
        "__spec__": None,
        "__annotations__": {},
        "__builtins__": make_builtins(context),
    }


def execute(
    context: RunContext, code: Any, inputs: Mapping[str, Any] | None, figures: list[Any], limits: Limits
) -> tuple[Any, GuestError | None, BaseException | None]:
    """Runs a program to its end: its code, what it registered for its end, and the release of what it leaves behind.

    Args:
        context: of the run.
        code: of the program.
        inputs: names and values for its namespace, or None.
        figures: see ``_core.run_measured``.
        limits: what it may use.

    Returns:
        Its value; why it failed, or None; the exception when that is a KeyboardInterrupt, or None.
    """
    variables = guest_variables()
    if limits is NONE:
        return variables.run(run_program, context, code, inputs, figures, limits)
    meter = _core.Meter(limits.seconds or 0, limits.cpu_seconds or 0, limits.instructions or 0, limits.recursion or 0)
    native_ticks.install()
    value, error, interrupt = variables.run(
        _core.call_metered, meter, run_program, context, code, inputs, figures, limits)
    if meter.stopped is not None:
        context.stop()
        if error is None or error.limit is None:
            # Native code or a host function has swallowed the exception of the stop.
            value, error = None, refused(meter.stopped, limits)
    return value, error, interrupt


def run_program(
    context: RunContext, code: Any, inputs: Mapping[str, Any] | None, figures: list[Any], limits: Limits
) -> tuple[Any, GuestError | None, BaseException | None]:
    """The part of ``execute`` that counts for the limits: nothing of the guest is left when it returns but its value."""
    value = error = interrupt = None
    namespace = new_namespace(context)
    if inputs is not None:
        namespace.update(inputs)
    try:
        try:
            value = _core.run_measured(code, namespace, figures)
        finally:
            end_program(context)
    except BaseException as raised:  # a failing guest is data, whatever it raised
        if isinstance(raised, Stopped):
            context.stop()
            raised.args = (limits.explain(raised.limit),)
        elif type(raised) is KeyboardInterrupt:
            interrupt = raised.with_traceback(None)
        error = describe(raised)
    # Values of host types that take no part in garbage collection, such as datetime, would keep the namespace alive through
    # library classes, their modules' builtins, and this.
    context.modules.pop("__main__", None)
    return value, error, interrupt


def refused(limit: str, limits: Limits) -> GuestError:
    """The error of a run that was over a limit at no known place."""
    text = limits.explain(limit)
    return GuestError("LimitExceeded", text, f"LimitExceeded: {text}\n", limit=limit)


def end_program(context: RunContext) -> None:
    """Waits for the guest's threads, runs what it registered with `atexit`, and ends its daemon threads."""
    modules = context.modules
    try:
        if "atexit" in modules or "threading" in modules:
            run_exit_functions(context)
    finally:
        if context.kept is not None:
            from .library.threads import end_threads

            end_threads(context)


def run_exit_functions(context: RunContext) -> None:
    """Runs the guest's exit functions; what they raise goes to the guest's stderr."""
    from .library.loader import find

    run = find(context.library_side(), "atexit").__dict__.get("_run_exitfuncs")
    if run is not None:
        run()


def guest_variables() -> Context:
    """A copy of the host's context variables for a run, with a decimal context of its own.

    What the guest does to ``decimal.getcontext()``, or sets by a context variable, is gone for the host when it ends.
    """
    variables = copy_context()
    if len(variables):
        for variable in variables:
            if variable.name == "decimal_context":
                decimal = sys.modules["_decimal"]
                variables.run(decimal.setcontext, decimal.DefaultContext)  # which makes a copy of it
                break
    return variables


# ---- exceptions to data ----------------------------------------------------------------------------------
def describe(error: BaseException) -> GuestError:
    """An exception that left the guest, as plain data. Runs the guest's ``__str__`` when its class has one."""
    if isinstance(error, SyntaxError):
        filename, line, column = error.filename, error.lineno, error.offset
    else:
        filename, line, column = guest_location(error)
    return GuestError(
        type(error).__name__,
        _message(error),
        format_exception(error),
        filename if isinstance(filename, str) else None,
        line if isinstance(line, int) else None,
        column if isinstance(column, int) and column > 0 else None,
        exit_status(error)[0] if isinstance(error, SystemExit) else None,
        error.limit if isinstance(error, Stopped) else None,
    )


def _message(error: BaseException) -> str:
    """What a traceback shows after the colon."""
    try:
        return str(error.msg if isinstance(error, SyntaxError) else error)
    except BaseException:  # whatever the guest's __str__ raises; the host's traceback module words it so
        return "<exception str() failed>"


def exit_status(error: SystemExit) -> tuple[int, str | None]:
    """The status that a process ends with, and the text that it prints before that, or None."""
    code = error.code
    if code is None:
        return 0, None
    if isinstance(code, int):
        return int(code), None
    try:
        return 1, str(code)
    except BaseException:  # as above: the guest's own __str__
        return 1, ""
