"""Joins the stages: source to code through the cache, code and namespace to a value, an exception to plain data.
What happens once for each run is in ``running``.

Used by ``runtime`` (results as data) and by the command line (live streams, exit status).
"""
from __future__ import annotations

from . import _core, library
from .bridge import crossing, guest_objects, late_calls, native_slots, native_warnings  # noqa: F401
from .bridge.conversion import LimitReached, convert_in, convert_inputs, convert_result
from .bytecode.compiler import compile_tree
from .errors import GuestError, exception_for
from .limits import DEFAULT, Limits
from .objects.context import RunContext
from .objects.tracebacks import format_exception, guest_frames, guest_location, name_of_type, shortened
from .running import (  # noqa: F401  what callers of this module use
    FRESH_NAMES,
    Runner,
    SessionCore,
    connect,
    default_cache,
    end_cell,
    end_program,
    execute,
    execute_cell,
    execute_end,
    execute_metered,
    guest_variables,
    make_meter,
    new_namespace,
    open_session,
    perform,
    refused,
    reraise_interrupt,
)
from .syntax.parser import parse
from .syntax.source import decode_source
from .vm.stopping import Stopped

native_slots.install()
late_calls.install()

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

run_code = _core.run_code
run_measured = _core.run_measured

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


def load_cell(
    context: RunContext, cache: Any, source: str | bytes, filename: str, limits: Limits, times: list[Any]
) -> tuple[Any, GuestError | None]:
    """The code of a run of a session, or why there is none. times: gets seconds of parsing and compiling, and at 3 whether the
    code was there already. Raises what ``perform`` raises before it runs anything."""
    if limits.source_size is not None and len(source) > limits.source_size:
        return None, refused("source_size", limits)
    try:
        cache = default_cache() if cache is None else cache
        load = cache.load_cell if filename.startswith("<cell ") else cache.load
        code, times[0], times[1], times[3] = load(source, filename)
    except BaseException as raised:
        reraise_interrupt(raised)
        return None, describe(raised)
    context.main_source = (filename, source)
    return code, None


def step_helpers() -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Guest functions that take the place of native ones, and of native iterators, while a run can be suspended."""
    global helpers
    if helpers is None:
        helpers = library.suspendable()
    return helpers


helpers: tuple[dict[Any, Any], dict[Any, Any]] | None = None


# ---- what counts for the limits ---------------------------------------------------------------------------
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
    return run_guarded(context, code, figures, limits, namespace, end_cell)


def run_end(context: RunContext, namespace: dict[str, Any]) -> tuple[Any, GuestError | None, BaseException | None]:
    """The part of ``execute_end`` that counts for the limits."""
    error = None
    try:
        end_program(context)
        context.modules.clear()
        namespace.clear()
        context.release()
    except BaseException as raised:  # of an exit function, or a stop
        error = describe_within(raised)
    return None, error, None


def run_guarded(
    context: RunContext, code: Any, figures: list[Any], limits: Limits, namespace: dict[str, Any], end: Any
) -> tuple[Any, GuestError | None, BaseException | None]:
    """Runs code and then the function ``end`` with the context. A failing guest is data, whatever it raised."""
    error = interrupt = None
    observer = context.observer
    try:
        try:
            if observer is not None:
                observer.prepare(namespace)
            value = _core.run_measured(code, namespace, figures)
            if observer is not None:
                observer.look(value, lambda bundle: convert_result(bundle, limits.result_size, context))
        finally:
            end(context)
        value = convert_result(value, limits.result_size, context)
    except BaseException as raised:
        return failure(raised, context, limits)
    return value, error, interrupt


def finish_cell(
    context: RunContext, value: Any, raised: BaseException | None
) -> tuple[Any, GuestError | None, BaseException | None]:
    """What is left of ``run_cell`` after the code, which has given a value or raised an exception."""
    return finish_guarded(context, end_cell, value, raised)


def finish_program(
    context: RunContext, value: Any, raised: BaseException | None
) -> tuple[Any, GuestError | None, BaseException | None]:
    """The same of ``run_program``."""
    outcome = finish_guarded(context, end_program, value, raised)
    context.modules.pop("__main__", None)
    return outcome


def finish_guarded(
    context: RunContext, end: Any, value: Any, raised: BaseException | None
) -> tuple[Any, GuestError | None, BaseException | None]:
    limits = context.limits
    trace = None if raised is None else raised.__traceback__
    try:
        try:
            if raised is not None:
                raise raised
        finally:
            end(context)
        return convert_result(value, limits.result_size, context), None, None
    except BaseException as error:
        return failure(error, context, limits)
    finally:
        if raised is not None:      # this frame would be in its traceback, and hold it
            BaseException.with_traceback(raised, trace)


def file_system(context: RunContext) -> Any:
    """The file system of a guest, for the host."""
    from .files.system import system_of

    return system_of(context)


def failure(
    raised: BaseException, context: RunContext, limits: Limits
) -> tuple[None, GuestError | None, BaseException | None]:
    """The outcome of a run that raised this."""
    interrupt = None
    if type(raised) is LimitReached:
        return None, refused("result_size", limits), None
    if type(raised) is Stopped:  # isinstance would ask the guest's exception for its __class__
        context.stop()
        raised.args = (stop_text(raised.limit, limits),)
    elif type(raised) is KeyboardInterrupt:
        interrupt = raised.with_traceback(None)
    described = describe_within(raised)
    try:
        return None, described, interrupt
    except MemoryError:
        _core.last_words(True)
        return None, described, interrupt


def execute_step(
    context: RunContext, limits: Limits, meter: Any, variables: Any, suspension: Any, how: int, given: Any, figures: list[Any]
) -> tuple[Any, GuestError | None, BaseException | None]:
    """One step of a run that can be suspended: as ``execute_cell``; the value is the suspension when the run waits."""
    return execute_metered(variables, context, meter, limits, run_stepped, suspension, how, given, figures, limits, meter)


def run_stepped(
    context: RunContext, suspension: Any, how: int, given: Any, figures: list[Any], limits: Limits, meter: Any
) -> tuple[Any, GuestError | None, BaseException | None]:
    """The part of ``execute_step`` that counts for the limits."""
    observer = context.observer
    try:
        try:
            if observer is not None:
                observer.prepare()
            value = _core.run_step(suspension, how, given, figures)
            if observer is not None and value is not suspension:
                observer.look(value, lambda bundle: convert_result(bundle, limits.result_size, context))
        finally:
            if not suspension.suspended:
                end_cell(context)
        if value is suspension:
            meter.pause()
            return value, None, None
        return convert_result(value, limits.result_size, context), None, None
    except BaseException as raised:
        return failure(raised, context, limits)


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
        return None, _core.describe_counted(describe, raised), raised


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
        frames=guest_frames(error),
    )


UNTOLD = MemoryError, SystemError, Stopped  # here, for a tuple can be more than there is memory for


def describe_within(error: BaseException) -> GuestError:
    """The same within the limits of the run that raised it: without what they leave no memory for."""
    if type(error) is Stopped:
        _core.last_words()
    try:
        described: GuestError = _core.describe_counted(describe, error)
        return described
    # The time of the run is over meanwhile; the host's parser, which 3.13 asks for the marks, may fail without saying of what.
    except UNTOLD:
        _core.last_words(True)
        limit = error.limit if isinstance(error, Stopped) else None
        text = str(error) if isinstance(error, Stopped) else "nothing was left for the message and the traceback"
        name = type(error).__name__
        return GuestError(name, text, f"{name}: {text}\n", limit=limit)


def _message(error: BaseException) -> str:
    """What a traceback shows after the colon."""
    try:
        text: str = shortened(str(vars(SyntaxError)["msg"].__get__(error) if issubclass(type(error), SyntaxError) else error))
        return text
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


connect(run_program, run_cell, run_end, describe, finish_cell, finish_program)
