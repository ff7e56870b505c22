# cython: binding=True, wraparound=True, boundscheck=True
"""One run, from source to result: what happens once for each, compiled because the smallest runs take microseconds."""
cimport cython
from cpython.dict cimport PyDict_GetItemWithError, PyDict_Next
from cpython.ref cimport PyObject

from kimi_runtime.bytecode.code cimport CODE_AWAITS, Code, renamed_leaf
from kimi_runtime.cache.codes cimport CodeCache, Entry
from kimi_runtime.objects.context cimport OutputBudget, RunContext, flush_own_streams, is_untouched, renew
from kimi_runtime.objects.outcome cimport Outcome, new_outcome
from kimi_runtime.objects.slots cimport get_slots, newfunc

import sys
from _thread import allocate_lock, get_ident
from itertools import islice
from time import perf_counter

from kimi_runtime import _core
from kimi_runtime.errors import GuestError
from kimi_runtime.limits import CHANGES, DEFAULT, NONE
from kimi_runtime.memory.heap import Heap
from kimi_runtime.objects.builtins import make_builtins
from kimi_runtime.objects.context import run_of
from kimi_runtime.result import Result

cdef extern from "watch.h":
    long long k_now() noexcept nogil

cdef extern from "Python.h":
    int PyContext_Enter(object context) except -1
    object PyContext_CopyCurrent()
    int PyContext_Exit(object context) except -1
    Py_ssize_t Py_REFCNT(PyObject *o) noexcept
    Py_ssize_t PyDict_GET_SIZE(PyObject *d) noexcept

cdef extern from *:
    """
    /* Text with a number in it, as an f-string would make it, in half the time. */
    static PyObject *k_cell_name(Py_ssize_t n)
    {
        char text[32];
        char *at = text + sizeof(text);
        PyObject *made;
        Py_ssize_t size;
        *--at = '>';
        do { *--at = (char)('0' + n % 10); n /= 10; } while (n);
        size = text + sizeof(text) - at;
        made = PyUnicode_New(6 + size, 127);
        if (made != NULL) {
            memcpy(PyUnicode_1BYTE_DATA(made), "<cell ", 6);
            memcpy(PyUnicode_1BYTE_DATA(made) + 6, at, size);
        }
        return made;
    }
    /* Differs after any change of the dict; 0 where dicts have none. */
    #if PY_VERSION_HEX < 0x030C0000
    #define k_dict_tag(d) (((PyDictObject *)(d))->ma_version_tag)
    #else
    #define k_dict_tag(d) 0
    #endif
    """
    object k_cell_name(Py_ssize_t n)
    unsigned long long k_dict_tag(PyObject *dict) noexcept

cdef enum:
    CELLS_KEPT = 512        # texts of earlier runs, for `inspect.getsource`; tracebacks have the lines of a function from its code
    CELLS_MORE = 64         # so many more before the oldest go

cdef dict FRESH = {"__name__": "__main__", "__doc__": None, "__package__": None, "__loader__": None, "__spec__": None,
                   "__annotations__": None, "__builtins__": None}
# What runs while the guest's limits count is Python, in `engine`: by its frames native code knows that the host is at work.
cdef object run_program, run_cell, run_end, describe, finish_cell, finish_program
cdef object run_leaf = _core.run_leaf
cdef object tidy_up = _core.tidy_up
cdef object renew_meter = _core.renew_meter
cdef object default = None
cdef object default_lock = allocate_lock()


def connect(program, cell, end, description, after_cell, after_program):
    """Takes the functions of `engine` that are called from here."""
    global run_program, run_cell, run_end, describe, finish_cell, finish_program
    run_program, run_cell, run_end, describe = program, cell, end, description
    finish_cell, finish_program = after_cell, after_program


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
    return namespace_with(new_builtins(context))


#: The names in a namespace that no program has set.
FRESH_NAMES = frozenset(FRESH)


cdef dict new_builtins(RunContext context):
    cdef dict builtins = make_builtins(context)
    if context.functions is not None:
        builtins.update(context.functions)
    return builtins


cdef dict namespace_with(dict builtins):
    cdef dict namespace = FRESH.copy()       # cheaper than to build it
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
        if limits is NONE and inputs is None and context.functions is None and not context.tells_host and context.observer is None \
                and context.hot is None:        # a meter is what says that the tier is on
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
    enter = _core.call_metered if context.observer is None else context.observer.enter
    try:
        value, error, interrupt = variables.run(enter, meter, program, context, *args)
    finally:
        if context.has_unsent:
            variables.run(context.finish_output)
    value, error = settled(context, meter, limits, value, error)
    return value, error, interrupt


cdef tuple settled(RunContext context, meter, limits, value, error):
    """The value and the error of a run after a look at its meter."""
    if meter.refused and error is not None and error.type == "MemoryError" and (meter.uncaught or not error.message):
        error = error.with_limit(
            "memory", _core.PROCESS_FULL if meter.process_full else limits.explain("memory", refused=True))
    if meter.stopped is not None:
        context.stop()
        raised = meter.host_error
        if raised is not None:
            meter.host_error = None
            raise raised
        if error is None or error.limit is None:
            # Native code or a host function has swallowed the exception of the stop.
            value, error = None, refused(meter.stopped, limits, meter.stop_text)
    return value, error


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
            if (<Code?>code).flags & CODE_AWAITS and context.cells is None and not context.may_await:
                refuse_await(source, filename)
            if context.profile is not None:
                context.profile._note_program(filename, source, parse_seconds, compile_seconds, cached)
        except BaseException as raised:
            reraise_interrupt(raised)
            error = describe(raised)
            if meter is not None and meter.refused:
                error = refused("memory", limits)
        else:
            start = perf_counter()
            context.main_source = (filename, source)
            value, error, interrupt = program(context, code, figures, limits, *args)
            tidy_up()
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
        None if error is not None else code,
    )
    if context.out.late is not None:
        result._late = context.late_parts()
    if check:
        result.unwrap()
    return result


cdef int refuse_await(source, filename) except -1:
    """Raises the SyntaxError of a program that awaits at its top level, where it may not."""
    from kimi_runtime.bytecode.compiler import compile_source

    compile_source(source, filename, "notebook")
    raise SyntaxError("'await' outside function", (filename, 1, 1, None))


def reraise_interrupt(raised):
    """Raises an exception again when it is an interrupt of the host: signals reach the main thread only."""
    if type(raised) is KeyboardInterrupt and in_main_thread():
        raise raised.with_traceback(None) from None


def in_main_thread():
    """Whether this is the thread that handles signals."""
    import threading

    return get_ident() == threading.main_thread().ident


def end_program(RunContext context):
    """Waits for the guest's threads, runs what it registered with `atexit`, flushes what it put in the place of its output
    streams, and ends its daemon threads. Returns whether flushing failed."""
    modules = context.modules
    try:
        if "atexit" in modules or "threading" in modules:
            run_exit_functions(context)
        return flush_own_streams(context)
    finally:
        end_guest_threads(context)


def end_cell(RunContext context):
    """What follows a program whose namespace lives on."""
    try:
        flush_own_streams(context)
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
    return copied_variables()


cdef object copied_variables():
    variables = PyContext_CopyCurrent()
    if len(variables):
        for variable in variables:
            if is_decimal_context(variable):
                decimal = sys.modules["_decimal"]
                variables.run(decimal.setcontext, decimal.DefaultContext)  # which makes a copy of it
                break
    return variables


def is_decimal_context(variable):
    """Whether a context variable is the one where the host's decimal module keeps a context."""
    return variable.name == "decimal_context"


cdef renewed_variables(RunContext context, old):
    """The context variables for the next run of a session: those of the code that calls it, and what the guest itself has set.

    Tokens of the guest's variables are good in one Context of the host only: the old one is used on where it can be.
    """
    fresh = copied_variables()
    if not len(old):
        return fresh if len(fresh) else old
    own = {variable for variable in old if is_decimal_context(variable) or variable is run_of}
    if context.asyncio is not None:
        from kimi_runtime.aio.core import own_variables

        own.update(own_variables(context))
    elif not own:
        return fresh
    if all([variable in fresh or variable in own for variable in old]):
        for variable, value in fresh.items():
            if not is_decimal_context(variable) and (variable not in old or old[variable] is not value):
                old.run(variable.set, value)
        return old
    for variable in old:
        if variable in own:
            fresh.run(variable.set, old[variable])
    return fresh


def refused(limit, limits, text=None):
    """The error of a run that was over a limit at no known place."""
    text = text or limits.explain(limit)
    return GuestError("LimitExceeded", text, f"LimitExceeded: {text}\n", limit=limit)


# ---- the short way ---------------------------------------------------------------------------------------
cdef int fill(Outcome out, RunContext context, Code code) except -1:
    """What the context has for the result of a run."""
    out._stdout = context.out.take_parts()
    out._stderr = context.err.take_parts()
    out._files = context.files
    out.has_value = out.error is None and (out.value is not None or code.returns_value())
    out._program = code
    if context.out.late is not None:
        out._late = context.late_parts()
    return 0


@cython.final
@cython.auto_pickle(False)
cdef class Runner:
    """Runs programs in fresh namespaces for one ``Runtime``, the short way: when the cache has the code, and nothing else is
    to be looked at.

    What the smallest programs cost is mostly a context, a dictionary of builtins and a meter. When a program has left these as
    they were, and nothing of it lives that could hold one of them, the next one gets them.
    """
    cdef RunContext context
    cdef dict builtins
    cdef dict same                  # as the builtins were made; None where the tag says that they are
    cdef unsigned long long tag
    cdef object meter
    cdef object limits              # that the context and the meter were made for
    cdef object changes
    cdef object find
    cdef Py_ssize_t source_size
    # Of a session that is gone, and has left them as they were: for the next one.
    cdef RunContext session_context
    cdef dict session_builtins, session_same
    cdef unsigned long long session_tag
    cdef object session_meter, session_limits, session_changes
    cdef Py_ssize_t session_size
    cdef long long session_output
    # What the runtime says, once a session was made.
    cdef bint is_asked
    cdef object cache, runtime_limits, files
    cdef CodeCache session_codes
    cdef Entry session_latest
    cdef str session_source
    cdef Code session_code

    def run_known(self, runtime, str source not None, str filename not None, limits):
        """From source to result for a runtime, or None when nothing was done."""
        cdef RunContext context
        cdef Outcome out
        cdef dict builtins, same
        cdef long long start
        if limits is NONE:
            return None
        if self.limits is not limits or self.changes is not CHANGES[0]:
            self.source_size = -1 if limits.source_size is None else limits.source_size
            self.find = (default_cache() if runtime._cache is None else runtime._cache).find
            self.context = self.builtins = self.meter = None
            self.changes = CHANGES[0]
            self.limits = limits            # last: other threads may come in between
        if 0 <= self.source_size < len(source):
            return None
        code = self.find((source, filename))
        if code is None or (<Code?>code).flags & CODE_AWAITS:
            return None
        context, self.context = self.context, None
        builtins, self.builtins = self.builtins, None
        same, self.same = self.same, None           # it holds the context too
        meter, self.meter = self.meter, None
        if context is None:
            context = runtime._new_context(limits)
            if context.displays or context.watchers is not None:
                return None
            builtins = new_builtins(context)
            self.tag = k_dict_tag(<PyObject *>builtins)
            same = None if self.tag else builtins.copy()
        else:
            renew(context)
        if meter is None or Py_REFCNT(<PyObject *>meter) > 1:
            meter = make_meter(limits)
        context.limits = limits
        context.main_source = (filename, source)
        out = new_outcome(Result)
        out.cached = True
        variables = copied_variables()
        start = k_now()
        try:
            PyContext_Enter(variables)
            try:
                found = run_leaf(meter, code, context, [namespace_with(builtins)], out, finish_program)
            finally:
                PyContext_Exit(variables)
        finally:
            if context.out.pending_size or context.err.pending_size:
                variables.run(context.finish_output)
        out.run_seconds = (k_now() - start) * 1e-9
        meter.guest = None
        if found is not None:
            out.value, out.error = settled(context, meter, limits, out.value, out.error)
            if found[0] is not None and not found[1]:
                reraise_interrupt(found[0])
            fill(out, context, code)
        else:
            fill(out, context, code)
            if self.limits is limits:
                self.meter = meter
                # Held by this function and by `print`, `input` and `__import__`, which only the dictionary holds.
                if Py_REFCNT(<PyObject *>context) == 4 and Py_REFCNT(<PyObject *>builtins) == 1 and is_untouched(context) \
                        and context.functions is runtime._functions and self.tag == k_dict_tag(<PyObject *>builtins) \
                        and (self.tag or is_same(builtins, same)) and is_held_by(builtins, "print", same) \
                        and is_held_by(builtins, "input", same) and is_held_by(builtins, "__import__", same):
                    self.context = context
                    self.builtins = builtins
                    self.same = same
        tidy_up()
        return out


cdef bint is_same(dict builtins, dict made):
    """Whether the builtins are what they were when they were made."""
    cdef Py_ssize_t here = 0, there = 0
    cdef PyObject *name
    cdef PyObject *value
    cdef PyObject *made_name
    cdef PyObject *made_value
    if made is None or PyDict_GET_SIZE(<PyObject *>builtins) != PyDict_GET_SIZE(<PyObject *>made):
        return False
    while PyDict_Next(builtins, &here, &name, &value):
        if not PyDict_Next(made, &there, &made_name, &made_value) or name != made_name or value != made_value:
            return False
    return True


cdef bint is_held_by(dict builtins, str name, dict same) except -1:
    """Whether only the dictionaries hold it."""
    cdef PyObject *value = PyDict_GetItemWithError(builtins, name)
    return value != NULL and Py_REFCNT(value) == (1 if same is None else 2)


def open_session(cls, runtime):
    """A session of a class that has ``SessionCore`` as its base, with what the runtime says. What it needs to run something is
    made when it is first asked for."""
    cdef SessionCore made = <SessionCore>(<newfunc>get_slots(cls).tp_new)(get_slots(cls), <PyObject *>(), NULL)
    cdef Runner runner = runtime._runner
    if not runner.is_asked:
        runner.cache, runner.runtime_limits, runner.files = runtime._cache, runtime._limits, runtime._files
        runner.is_asked = True
    made.runtime = runtime
    made.runner = runner
    made._cache = runner.cache
    made._limits = runner.runtime_limits
    made._given = runner.files
    made._variables = copied_variables()
    return made


@cython.auto_pickle(False)
cdef class SessionCore:
    """What a session has for its runs; and a run that is given nothing but its source, from the text to the result."""
    cdef RunContext context
    cdef dict namespace
    cdef object runtime             # that makes these when they are needed; None when they are there, or the session is closed
    cdef public object _cache, _limits, _total, _meter, _driver, _variables, _step, _given
    cdef object heap, used
    cdef public Py_ssize_t _cells
    cdef public bint _stopped
    cdef bint busy
    cdef object functions           # of the context when it was made
    cdef Runner runner              # of the runtime, where it has made the session with nothing but what it says itself; or None
    cdef dict same                  # see Runner
    cdef unsigned long long tag
    cdef Entry latest               # of the cache: what ran last
    cdef str latest_source
    cdef CodeCache codes
    cdef object spare               # meter of an earlier run, for runs with these limits that share this heap
    cdef object spare_limits, spare_heap, changes
    cdef Code spare_code
    cdef Py_ssize_t source_size     # of these limits, or -1
    cdef long long output
    cdef public bint _ended_idle
    cdef public object _idle_seconds    # after which the session is closed, or None; see `idling`
    cdef long long idle_since
    cdef object __weakref__

    cdef int open(self) except -1:
        """Makes what programs run in."""
        cdef Runner runner = self.runner
        cdef RunContext context = None
        cdef dict builtins, namespace
        cdef dict same = None
        cdef unsigned long long tag = 0
        if runner is not None and runner.session_context is not None and runner.session_limits is self._limits:
            context, runner.session_context = runner.session_context, None
            builtins, runner.session_builtins = runner.session_builtins, None
            same, runner.session_same = runner.session_same, None
            tag = runner.session_tag
            renew(context)
            context.files = self._given
            self.take_spare(runner)
        else:
            context = self.runtime._new_context(self._limits)
            builtins = new_builtins(context)
            if runner is not None:
                tag = k_dict_tag(<PyObject *>builtins)
                same = None if tag else builtins.copy()
        namespace = namespace_with(builtins)
        context.cells = {}
        if self.runtime is not None:        # no other thread was faster
            self.context = context
            self.namespace = namespace
            self.same = same
            self.tag = tag
            self.functions = context.functions
            self.runtime = None
        return 0

    cdef int take_spare(self, Runner runner) except -1:
        """Takes the meter, and the code that ran last, of an earlier session."""
        meter, runner.session_meter = runner.session_meter, None
        if meter is None or runner.session_changes is not CHANGES[0]:
            return 0
        self.source_size = runner.session_size
        self.output = runner.session_output
        self.codes = runner.session_codes
        self.heap = self.spare_heap = Heap()
        renew_meter(meter, self.heap)
        self.spare = meter
        self.changes = CHANGES[0]
        self.spare_limits = self._limits
        self.latest, runner.session_latest = runner.session_latest, None
        self.latest_source = runner.session_source
        self.spare_code, runner.session_code = runner.session_code, None
        return 0

    cdef int settle(self, limits) except -1:
        """Notes what runs with these limits need."""
        self.source_size = -1 if limits.source_size is None else limits.source_size
        self.output = -1 if limits.output is None else limits.output
        self.codes = (default_cache() if self._cache is None else self._cache)._codes
        self.latest = None
        self.spare = None
        self.spare_heap = self._heap
        self.changes = CHANGES[0]
        self.spare_limits = limits      # last: other threads may come in between
        return 0

    def __dealloc__(self):
        if self.runner is not None and self.context is not None and self.namespace is not None:
            self.leave_for_next(self.runner)

    cdef int leave_for_next(self, Runner runner) except -1:
        """Nobody has the session any more: the next one gets what this one has left as it was. See Runner."""
        cdef RunContext context
        cdef dict builtins, same
        cdef PyObject *found
        if runner.session_context is not None or self._stopped or self.busy or self._step is not None \
                or self._driver is not None or self._total is not None or Py_REFCNT(<PyObject *>self.namespace) != 1:
            return 0
        found = PyDict_GetItemWithError(self.namespace, "__builtins__")
        if found == NULL or type(<object>found) is not dict:
            return 0
        builtins = <dict>found
        self.namespace = None           # finalizers may run
        meter, self.spare = self.spare, None
        context, self.context = self.context, None
        same, self.same = self.same, None
        if meter is not None:
            meter.guest = None
        context.cells = None
        if context.files is self._given:
            context.files = None        # nothing of them was asked for
        if Py_REFCNT(<PyObject *>context) == 4 and Py_REFCNT(<PyObject *>builtins) == 1 and is_untouched(context) \
                and context.functions is self.functions and self.tag == k_dict_tag(<PyObject *>builtins) \
                and (self.tag or is_same(builtins, same)) and is_held_by(builtins, "print", same) \
                and is_held_by(builtins, "input", same) and is_held_by(builtins, "__import__", same):
            runner.session_limits = self._limits
            runner.session_builtins = builtins
            runner.session_same = same
            runner.session_tag = self.tag
            runner.session_meter = None
            if meter is not None and Py_REFCNT(<PyObject *>meter) == 1 and self.spare_limits is self._limits \
                    and self.changes is CHANGES[0]:
                renew_meter(meter, None)
                runner.session_meter = meter
                runner.session_changes = self.changes
                runner.session_size = self.source_size
                runner.session_output = self.output
                runner.session_codes = self.codes
                runner.session_latest = self.latest
                runner.session_source = self.latest_source
                runner.session_code = self.spare_code
            runner.session_context = context
        return 0

    @property
    def _context(self):
        if self.runtime is not None:
            self.open()
        return self.context

    @_context.setter
    def _context(self, context):
        self.context = context

    @property
    def _namespace(self):
        if self.runtime is not None:
            self.open()
        return self.namespace

    @_namespace.setter
    def _namespace(self, namespace):
        self.runtime = None
        self.namespace = namespace

    @property
    def _is_new(self):
        return self.runtime is not None

    @property
    def _heap(self):
        if self.heap is None:
            self.heap = Heap()
        return self.heap

    @_heap.setter
    def _heap(self, heap):
        self.heap = heap

    @property
    def _used(self):
        if self.used is None:
            self.used = {"seconds": 0.0, "instructions": 0, "output": 0}
        return self.used

    def _take_idle(self):
        """Whether nobody used the session: then it is the caller's until it is given back."""
        if self.busy:
            return False
        self.busy = True
        return True

    def _give_back(self):
        """Another run may begin."""
        self._touch()
        self.busy = False

    def _touch(self):
        """The session was used: from now on it is idle."""
        if self._idle_seconds is not None:
            self.idle_since = k_now()

    def _cull(self):
        """Closes the session if it has been idle for too long. Returns the seconds that are left, None when it is closed."""
        if self.busy:
            return self._idle_seconds
        self.busy = True
        try:
            if self._closed():
                return None
            if self._step is not None:      # it waits for the host
                return self._idle_seconds
            left = self._idle_seconds - (k_now() - self.idle_since) * 1e-9
            if left > 0:
                return left
            self._close_idle()
            return None
        finally:
            self.busy = False

    def _renew_variables(self):
        """Host functions see the context variables of the code that calls the run which begins."""
        self._variables = renewed_variables(self._context, self._variables)

    def _note_cell(self, filename, source):
        """Keeps the text of what a run has run."""
        self.note_cell(filename, source)

    cdef int note_cell(self, filename, source) except -1:
        cdef dict cells = self.context.cells
        cells[filename] = source
        if len(cells) > CELLS_KEPT + CELLS_MORE:
            for name in list(islice(cells, CELLS_MORE)):
                del cells[name]
        return 0

    def run(self, source, inputs=None, *, filename=None, check=False, limits=DEFAULT, on_stdout=None, on_stderr=None):
        """Runs a program in the session's namespace.

        Args:
            source: the program's text; bytes are decoded by the encoding line, or as UTF-8.
            inputs: more names and values, which stay.
            filename: the name that tracebacks show; ``<cell 3>`` for the third run when it is not given.
            check: raise when the program fails.
            limits: what this run may use, when it is not what the session says; None for no limits at all.
            on_stdout, on_stderr: functions that get what it prints, when it is not what the session says.

        Returns:
            The result; see ``Runtime.run``.

        Raises:
            SessionError: the session is closed, or runs another program at this moment.
            GuestException, KeyboardInterrupt, ValueError, TypeError: see ``Runtime.run``.
        """
        cdef Outcome out
        if inputs is None and filename is None and limits is DEFAULT and on_stdout is None and on_stderr is None \
                and type(source) is str:
            out = self.run_known(source)
            if out is not None:
                if check:
                    out.unwrap()
                return out
        return self._perform(self._begin(source, inputs, filename, limits, on_stdout, on_stderr), source, check)

    cdef Outcome run_known(self, str source):
        """Runs a program whose code the cache has, as the next cell, when there is nothing else to be looked at.

        Returns the result; None when nothing was done: the program takes the long way.
        """
        cdef RunContext context
        cdef Outcome out
        cdef OutputBudget budget
        cdef Code code
        cdef long long start
        cdef bint needs_text = True
        limits = self._limits
        if self.runtime is not None:
            self.open()
        context = self.context
        if self._total is not None or self._stopped or self.namespace is None or self.busy or self._step is not None \
                or context.displays or context.watchers is not None:
            return None
        if self.spare_limits is not limits or self.spare_heap is not self.heap or self.changes is not CHANGES[0]:
            self.settle(limits)
        if 0 <= self.source_size < len(source):
            return None
        if source is self.latest_source and self.latest is not None and self.codes.again(self.latest):
            known = self.latest.code
        else:
            self.latest = self.codes.entry_of((source, "<cell>"))
            if self.latest is None:
                return None
            self.latest_source = source
            known = self.latest.code
        if self.busy:
            return None
        self.busy = True
        try:
            meter, self.spare = self.spare, None
            self._variables = renewed_variables(context, self._variables)
            self._cells += 1
            context.begin_run(self._cells, self._variables)
            filename = k_cell_name(self._cells)
            code, self.spare_code = self.spare_code, None       # with no reference to it but this one it can be used again
            code = renamed_leaf(<Code?>known, code, filename)
            self.spare_code = code
            context.stopped = False
            context.observer = None
            context.out.begin_again(None)
            context.err.begin_again(None)
            budget = context.out.budget
            if budget is not None and budget is context.err.budget and budget.limit == self.output:
                budget.left = budget.limit
            else:
                context.begin_again(limits.output)
            if meter is None or Py_REFCNT(<PyObject *>meter) > 1:       # who has it may cancel it yet
                meter = make_meter(limits, self._heap)
            self._meter = meter
            context.limits = limits
            context.main_source = (filename, source)
            out = new_outcome(Result)
            out.cached = True
            start = k_now()
            try:
                PyContext_Enter(self._variables)
                try:
                    found = run_leaf(meter, code, context, self.namespace, out, finish_cell)
                finally:
                    PyContext_Exit(self._variables)
            finally:
                if context.out.pending_size or context.err.pending_size:
                    self._variables.run(context.finish_output)
            out.run_seconds = (k_now() - start) * 1e-9
            if found is not None:
                out.value, out.error = settled(context, meter, limits, out.value, out.error)
                if found[0] is not None and not found[1]:
                    reraise_interrupt(found[0])
            elif not meter.refused:
                self.spare = meter
            fill(out, context, code)
            # Where the code has no other code in it and nothing of the program holds it, nobody asks for its text.
            needs_text = found is not None or code.lender == NULL or Py_REFCNT(<PyObject *>code) > 3
        finally:
            self.after_run(filename, source, needs_text)
        return out

    cdef int after_run(self, filename, source, bint needs_text) except -1:
        meter, self._meter = self._meter, None
        try:
            if needs_text:
                self.note_cell(filename, source)
            if meter is not None and self.spare is not meter and meter.stopped is not None:
                self._stopped = True
                self._forget_running()
        finally:
            if self._idle_seconds is not None:
                self.idle_since = k_now()
            self.busy = False
        return 0
