"""Joins the stages: source to code through the cache, code and namespace to a value, an exception to plain data.

Used by ``runtime`` (results as data) and by the command line (live streams, exit status).
"""
from __future__ import annotations

import sys
from _thread import allocate_lock, get_ident
from contextvars import copy_context
from time import perf_counter

from . import _core, library
from .bridge import crossing, guest_objects, late_calls, native_slots, native_warnings  # noqa: F401
from .bridge.conversion import LimitReached, convert_in, convert_inputs, convert_result
from .bytecode.compiler import compile_tree
from .errors import GuestError, exception_for
from .limits import DEFAULT, NONE, Limits
from .objects.builtins import make_builtins
from .objects.context import RunContext
from .objects.tracebacks import format_exception, guest_location, name_of_type
from .result import Result
from .syntax.parser import parse
from .syntax.source import decode_source
from .vm.stopping import Stopped

native_slots.install()
late_calls.install()

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextvars import Context
    from typing import Any

    from .cache.parse_cache import ParseCache
    from .memory.heap import Heap

run_code = _core.run_code
run_measured = _core.run_measured

_cache: ParseCache | None = None
_cache_lock = allocate_lock()

library.connect()
native_warnings.install()


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


def default_cache() -> ParseCache:
    """The cache of runtimes that were given none; made when first needed, because a command-line run does without."""
    global _cache
    if _cache is None:
        from .cache.parse_cache import ParseCache

        with _cache_lock:
            if _cache is None:
                _cache = ParseCache()
    return _cache


# ---- namespace -------------------------------------------------------------------------------------------
def new_namespace(context: RunContext) -> dict[str, Any]:
    """The globals of a fresh ``__main__``, with builtins of its own: they write to its streams; functions of the host are
    among them."""
    builtins = make_builtins(context)
    if context.functions is not None:
        builtins.update(context.functions)
    return {
        "__name__": "__main__",
        "__doc__": None,
        "__package__": None,
        "__loader__": None,
        "__spec__": None,
        "__annotations__": {},
        "__builtins__": builtins,
    }


def make_meter(limits: Limits, heap: Heap | None = None) -> Any:
    """The meter of a run, which can also be cancelled. heap: of a guest whose state lives on."""
    return _core.Meter(limits.seconds or 0, limits.cpu_seconds or 0, limits.instructions or 0, limits.recursion or 0,
                       limits.memory or 0, heap, limits.host_calls or 0, limits.host_seconds or 0, limits.result_size or 0)


def execute(
    context: RunContext, code: Any, figures: list[Any], limits: Limits, meter: Any, inputs: Mapping[str, Any] | None
) -> tuple[Any, GuestError | None, BaseException | None]:
    """Runs a program to its end: its code, what it registered for its end, and the release of what it leaves behind.

    Args:
        context: of the run.
        code: of the program.
        figures: see ``_core.run_measured``.
        limits: what it may use.
        meter: of the limits; None to make one where limits there are.
        inputs: names and values for its namespace, or None.

    Returns:
        Its value, converted for the host; why it failed, or None; the exception when that is a KeyboardInterrupt, or None.

    Raises:
        TypeError, ValueError: an input cannot be converted.
        BaseException: what code of the host raised that is not for guests, such as SystemExit.
    """
    if meter is None:
        if limits is NONE and inputs is None and context.functions is None and not context.tells_host:
            outcome: tuple[Any, GuestError | None, BaseException | None] = guest_variables().run(
                _core.call_hidden, run_program, context, code, figures, limits, inputs)
            return outcome
        meter = make_meter(limits)
    outcome = execute_metered(guest_variables(), context, meter, limits, run_program, code, figures, limits, inputs)
    figures[3] = meter.peak_memory
    return outcome


def execute_cell(
    context: RunContext, code: Any, figures: list[Any], limits: Limits, meter: Any, namespace: dict[str, Any],
    variables: Context
) -> tuple[Any, GuestError | None, BaseException | None]:
    """Runs code in a namespace that lives on, with the context variables of its earlier runs: otherwise as ``execute``."""
    outcome = execute_metered(variables, context, meter, limits, run_cell, code, figures, limits, namespace)
    figures[3] = meter.peak_memory
    return outcome


def execute_end(
    context: RunContext, limits: Limits, meter: Any, namespace: dict[str, Any], variables: Context
) -> tuple[Any, GuestError | None, BaseException | None]:
    """Ends a guest whose namespace lived on: its threads, what it registered with `atexit`, and its finalizers."""
    return execute_metered(variables, context, meter, limits, run_end, namespace)


def execute_metered(
    variables: Context, context: RunContext, meter: Any, limits: Limits, program: Any, *args: Any
) -> tuple[Any, GuestError | None, BaseException | None]:
    """Calls a program of this module with the context and the arguments; all that runs in it counts for the meter."""
    context.limits = limits
    meter.guest = context
    try:
        value, error, interrupt = variables.run(_core.call_metered, meter, program, context, *args)
    finally:
        if context.has_unsent:
            variables.run(context.finish_output)
    if meter.refused and error is not None and error.type == "MemoryError" and not error.message:
        error = error.with_limit("memory", limits.explain("memory", refused=True))
    if meter.stopped is not None:
        context.stop()
        raised = meter.host_error
        if raised is not None:
            meter.host_error = None
            raise raised
        if error is None or error.limit is None:
            # Native code or a host function has swallowed the exception of the stop.
            value, error = None, refused(meter.stopped, limits, meter.stop_text)
    return value, error, interrupt


def run_program(
    context: RunContext, code: Any, figures: list[Any], limits: Limits, inputs: Mapping[str, Any] | None
) -> tuple[Any, GuestError | None, BaseException | None]:
    """The part of ``execute`` that counts for the limits: nothing of the guest is left when it returns but its value."""
    namespace = new_namespace(context)
    if inputs is not None:
        namespace.update(convert_inputs(inputs, context))
    outcome = run_guarded(context, code, figures, limits, namespace, end_program)
    # Values of host types that take no part in garbage collection, such as datetime, would keep the namespace alive through
    # library classes, their modules' builtins, and this.
    context.modules.pop("__main__", None)
    return outcome


def run_cell(
    context: RunContext, code: Any, figures: list[Any], limits: Limits, namespace: dict[str, Any]
) -> tuple[Any, GuestError | None, BaseException | None]:
    """The part of ``execute_cell`` that counts for the limits."""
    return run_guarded(context, code, figures, limits, namespace, end_guest_threads)


def run_end(context: RunContext, namespace: dict[str, Any]) -> tuple[Any, GuestError | None, BaseException | None]:
    """The part of ``execute_end`` that counts for the limits."""
    error = None
    try:
        end_program(context)
        context.modules.clear()
        namespace.clear()
    except BaseException as raised:  # of an exit function, or a stop
        error = describe_within(raised)
    return None, error, None


def run_guarded(
    context: RunContext, code: Any, figures: list[Any], limits: Limits, namespace: dict[str, Any], end: Any
) -> tuple[Any, GuestError | None, BaseException | None]:
    """Runs code and then the function ``end`` with the context. A failing guest is data, whatever it raised."""
    value = error = interrupt = None
    try:
        try:
            value = _core.run_measured(code, namespace, figures)
        finally:
            end(context)
        value = convert_result(value, limits.result_size, context)
    except LimitReached:
        value, error = None, refused("result_size", limits)
    except BaseException as raised:
        value = None
        if type(raised) is Stopped:  # isinstance would ask the guest's exception for its __class__
            context.stop()
            raised.args = (stop_text(raised.limit, limits),)
        elif type(raised) is KeyboardInterrupt:
            interrupt = raised.with_traceback(None)
        error = describe_within(raised)
    return value, error, interrupt


def perform(
    context: RunContext, cache: ParseCache | None, source: str | bytes, filename: str, limits: Limits, check: bool,
    program: Any, *args: Any
) -> Result:
    """From source to result.

    Args:
        context: of the run.
        cache: where the program's code is looked up; None for the default one.
        source, filename: of the program.
        limits: what it may use.
        check: raise when it fails.
        program: ``execute`` or ``execute_cell``.
        args: what that takes after the limits.

    Raises:
        GuestException, KeyboardInterrupt: see ``Runtime.run``.
    """
    parse_seconds = compile_seconds = run_seconds = 0.0
    figures: list[Any] = [0, 0, False, 0]
    cached = False
    value = error = None
    if limits.source_size is not None and len(source) > limits.source_size:
        error = refused("source_size", limits)
    else:
        try:
            code, parse_seconds, compile_seconds, cached = (default_cache() if cache is None else cache).load(source, filename)
        except BaseException as raised:
            reraise_interrupt(raised)
            error = describe(raised)
        else:
            start = perf_counter()
            context.main_source = (filename, source)
            value, error, interrupt = program(context, code, figures, limits, *args)
            if interrupt is not None and not figures[2]:
                reraise_interrupt(interrupt)
            run_seconds = perf_counter() - start
    result = Result(
        value,
        error,
        context.stdout_parts,
        context.stderr_parts,
        (parse_seconds, compile_seconds, run_seconds, figures[0], figures[1], cached, figures[3]),
    )
    if check:
        result.unwrap()
    return result


def reraise_interrupt(raised: BaseException) -> None:
    """Raises an exception again when it is an interrupt of the host: signals reach the main thread only."""
    if type(raised) is KeyboardInterrupt and in_main_thread():
        raise raised.with_traceback(None) from None


def in_main_thread() -> bool:
    """Whether this is the thread that handles signals."""
    import threading

    return get_ident() == threading.main_thread().ident


def call_guest(given: guest_objects.GuestObject, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Calls an object of a guest for the host: see ``GuestObject.__call__``."""
    context = given.context
    args = tuple(convert_in(each, f"argument {position}", context) for position, each in enumerate(args, 1))
    kwargs = {key: convert_in(each, key, context) for key, each in kwargs.items()}
    limits = context.limits or DEFAULT
    if _core.in_host_call():  # of a run, which this counts for
        value, error, interrupt = run_call(context, given.raw, args, kwargs, limits)
    else:
        value, error, interrupt = execute_metered(guest_variables(), context, make_meter(limits), limits, run_call, given.raw,
                                                  args, kwargs, limits)
    if interrupt is not None and error is not None:
        failure = exception_for(error)
        failure._guest_exception = interrupt  # for when it crosses back into the guest
        raise failure
    if error is not None:
        raise exception_for(error)
    return value


def run_call(
    context: RunContext, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], limits: Limits
) -> tuple[Any, GuestError | None, BaseException | None]:
    """The part of ``call_guest`` that counts for the limits. The third value is what the guest raised."""
    try:
        return convert_result(function(*args, **kwargs), limits.result_size, context), None, None
    except LimitReached:
        return None, refused("result_size", limits), None
    except BaseException as raised:
        if type(raised) is Stopped:
            if _core.in_host_call():
                raise
            context.stop()
            raised.args = (stop_text(raised.limit, limits),)
        return None, describe(raised), raised


guest_objects.use_engine(call_guest)


def value_for_host(value: Any, context: RunContext, limits: Limits) -> Any:
    """A value of a guest outside its runs. Raises LimitExceeded when it is too large."""
    try:
        return convert_result(value, limits.result_size, context)
    except LimitReached:
        raise exception_for(refused("result_size", limits)) from None


def stop_text(limit: str, limits: Limits) -> str:
    """What the error of a run that was stopped says."""
    meter = _core.running_meter()
    text: str | None = None if meter is None else meter.stop_text
    if text is not None:
        return text
    return "code of the host ended the run" if limit == "host" else limits.explain(limit)


def refused(limit: str, limits: Limits, text: str | None = None) -> GuestError:
    """The error of a run that was over a limit at no known place."""
    text = text or limits.explain(limit)
    return GuestError("LimitExceeded", text, f"LimitExceeded: {text}\n", limit=limit)


def end_program(context: RunContext) -> None:
    """Waits for the guest's threads, runs what it registered with `atexit`, and ends its daemon threads."""
    modules = context.modules
    try:
        if "atexit" in modules or "threading" in modules:
            run_exit_functions(context)
    finally:
        end_guest_threads(context)


def end_guest_threads(context: RunContext) -> None:
    """Ends the threads of a guest that still run; their next wait raises SystemExit."""
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
    # Attributes are read past the class, which may have a __getattribute__ of the guest's.
    if issubclass(type(error), SyntaxError):
        filename, line, column = (vars(SyntaxError)[name].__get__(error) for name in ("filename", "lineno", "offset"))
    else:
        filename, line, column = guest_location(error)
    return GuestError(
        name_of_type(error),
        _message(error),
        format_exception(error),
        filename if isinstance(filename, str) else None,
        line if isinstance(line, int) else None,
        column if isinstance(column, int) and column > 0 else None,
        exit_status(error)[0] if issubclass(type(error), SystemExit) else None,
        error.limit if type(error) is Stopped else None,
    )


def describe_within(error: BaseException) -> GuestError:
    """The same within the limits of the run that raised it: without what they leave no memory for."""
    try:
        return describe(error)
    except (MemoryError, SystemError):  # the host's parser, which 3.13 asks for the marks, may fail without saying of what
        limit = error.limit if isinstance(error, Stopped) else None
        text = str(error) if isinstance(error, Stopped) else "no memory was left for the message and the traceback"
        name = type(error).__name__
        return GuestError(name, text, f"{name}: {text}\n", limit=limit)


def _message(error: BaseException) -> str:
    """What a traceback shows after the colon."""
    try:
        return str(vars(SyntaxError)["msg"].__get__(error) if issubclass(type(error), SyntaxError) else error)
    except BaseException:  # whatever the guest's __str__ raises; the host's traceback module words it so
        return "<exception str() failed>"


def exit_status(error: BaseException) -> tuple[int, str | None]:
    """The status that a process ends with, and the text that it prints before that, or None."""
    code = vars(SystemExit)["code"].__get__(error)
    if code is None:
        return 0, None
    if issubclass(type(code), int):
        return int.__index__(code), None
    try:
        return 1, str(code)
    except BaseException:  # as above: the guest's own __str__
        return 1, ""
