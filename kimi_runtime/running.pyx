# cython: binding=True, wraparound=True, boundscheck=True
"""One run, from source to result: what happens once for each, compiled because the smallest runs take microseconds."""
from kimi_runtime.objects.context cimport RunContext

import sys
from _thread import allocate_lock, get_ident
from contextvars import copy_context
from time import perf_counter

from kimi_runtime import _core
from kimi_runtime.errors import GuestError
from kimi_runtime.limits import NONE
from kimi_runtime.objects.builtins import make_builtins
from kimi_runtime.result import Result

cdef dict FRESH = {"__name__": "__main__", "__doc__": None, "__package__": None, "__loader__": None, "__spec__": None,
                   "__annotations__": None, "__builtins__": None}
# What runs while the guest's limits count is Python, in `engine`: by its frames native code knows that the host is at work.
cdef object run_program, run_cell, run_end, describe
cdef object default = None
cdef object default_lock = allocate_lock()


def connect(program, cell, end, description):
    """Takes the functions of `engine` that are called from here."""
    global run_program, run_cell, run_end, describe
    run_program, run_cell, run_end, describe = program, cell, end, description


cdef Py_ssize_t MUCH_SOURCE = 20_000     # from here on the tree of a source and its code are charged to the run that compiles it


def default_cache():
    """The cache of runtimes that were given none; made when first needed, because a command-line run does without."""
    global default
    if default is None:
        from kimi_runtime.cache.parse_cache import ParseCache

        with default_lock:
            if default is None:
                default = ParseCache()
    return default


def new_namespace(RunContext context):
    """The globals of a fresh ``__main__``, with builtins of its own: they write to its streams; functions of the host are
    among them."""
    cdef dict namespace
    builtins = make_builtins(context)
    if context.functions is not None:
        builtins.update(context.functions)
    namespace = FRESH.copy()            # cheaper than to build it
    namespace["__annotations__"] = {}
    namespace["__builtins__"] = builtins
    return namespace


def make_meter(limits, heap=None):
    """The meter of a run, which can also be cancelled. heap: of a guest whose state lives on."""
    return _core.Meter(limits.seconds or 0, limits.cpu_seconds or 0, limits.instructions or 0, limits.recursion or 0,
                       limits.memory or 0, heap, limits.host_calls or 0, limits.host_seconds or 0, limits.result_size or 0)


def execute(RunContext context, code, list figures, limits, meter, inputs):
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
            return guest_variables().run(_core.call_hidden, run_program, context, code, figures, limits, inputs)
        meter = make_meter(limits)
    outcome = execute_metered(guest_variables(), context, meter, limits, run_program, code, figures, limits, inputs)
    figures[3] = meter.peak_memory
    return outcome


def execute_cell(RunContext context, code, list figures, limits, meter, namespace, variables):
    """Runs code in a namespace that lives on, with the context variables of its earlier runs: otherwise as ``execute``."""
    outcome = execute_metered(variables, context, meter, limits, run_cell, code, figures, limits, namespace)
    figures[3] = meter.peak_memory
    return outcome


def execute_end(RunContext context, limits, meter, namespace, variables):
    """Ends a guest whose namespace lived on: its threads, what it registered with `atexit`, and its finalizers."""
    return execute_metered(variables, context, meter, limits, run_end, namespace)


def execute_metered(variables, RunContext context, meter, limits, program, *args):
    """Calls a function of `engine` with the context and the arguments; all that runs in it counts for the meter."""
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


def perform(RunContext context, cache, source, filename, limits, check, program, *args):
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
    figures = [0, 0, False, 0]
    cached = False
    value = error = meter = None
    if limits.source_size is not None and len(source) > limits.source_size:
        error = refused("source_size", limits)
    else:
        try:
            if cache is None:
                cache = default_cache()
            # The name of a cell is a number: its code is shared with other cells of the same text.
            load = cache.load_cell if context.cells is not None and filename.startswith("<cell ") else cache.load
            if limits.memory is not None and len(source) > MUCH_SOURCE:
                meter = _core.Meter(0, 0, 0, 0, limits.memory)
                code, parse_seconds, compile_seconds, cached = _core.call_metered(meter, load, source, filename)
            else:
                code, parse_seconds, compile_seconds, cached = load(source, filename)
        except BaseException as raised:
            reraise_interrupt(raised)
            error = describe(raised)
            if meter is not None and meter.refused:
                error = refused("memory", limits)
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
        (parse_seconds, compile_seconds, run_seconds, figures[0], figures[1], cached, figures[3],
         error is None and code.returns_value()),
        context.files,
        context.observer,
    )
    if check:
        result.unwrap()
    return result


def reraise_interrupt(raised):
    """Raises an exception again when it is an interrupt of the host: signals reach the main thread only."""
    if type(raised) is KeyboardInterrupt and in_main_thread():
        raise raised.with_traceback(None) from None


def in_main_thread():
    """Whether this is the thread that handles signals."""
    import threading

    return get_ident() == threading.main_thread().ident


def end_program(RunContext context):
    """Waits for the guest's threads, runs what it registered with `atexit`, and ends its daemon threads."""
    modules = context.modules
    try:
        if "atexit" in modules or "threading" in modules:
            run_exit_functions(context)
    finally:
        end_guest_threads(context)


def end_guest_threads(RunContext context):
    """Ends the threads of a guest that still run; their next wait raises SystemExit."""
    if context.kept is not None:
        from kimi_runtime.library.threads import end_threads

        end_threads(context)


def run_exit_functions(RunContext context):
    """Runs the guest's exit functions; what they raise goes to the guest's stderr."""
    from kimi_runtime.library.loader import find

    run = find(context.library_side(), "atexit").__dict__.get("_run_exitfuncs")
    if run is not None:
        run()


def guest_variables():
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


def refused(limit, limits, text=None):
    """The error of a run that was over a limit at no known place."""
    text = text or limits.explain(limit)
    return GuestError("LimitExceeded", text, f"LimitExceeded: {text}\n", limit=limit)
