# Guest functions, cells and generators: objects that hold registers or code. The core makes and runs them.
from cpython.ref cimport PyObject
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from kimi_runtime.bytecode.code cimport Code, Instr
from kimi_runtime.vm.values cimport Value

# Make instances only with new_cell, new_function and new_generator below: what `Cell.__new__(Cell)` and friends reach
# is the constructor that the guest sees, which checks its arguments.

cdef class Cell:
    cdef Value value            # T_UNDEF when empty

cdef class Function:
    cdef PyObject *vectorcall   # vectorcallfunc; the core sets it
    cdef Code code
    cdef dict globals
    cdef object builtins        # dict
    cdef tuple closure          # tuple of Cell, or None
    cdef tuple defaults         # or None
    cdef dict kwdefaults        # or None
    cdef object name, qualname, module, doc
    cdef object annotations     # dict or None (made on demand)
    cdef object type_params     # tuple or None
    cdef PyObject *attrs        # __dict__ (owned), or NULL; the type's tp_dictoffset points here
    cdef uint32_t version       # changes when code, defaults or kwdefaults are assigned; never 0 for callables
    cdef uint8_t frozen         # a library function that several guests share: its attributes are read-only
    cdef object __weakref__

cdef enum GenState:
    GEN_CREATED = 0
    GEN_SUSPENDED = 1
    GEN_RUNNING = 2
    GEN_DONE = 3

cdef extern from "Python.h":
    ctypedef struct _PyErr_StackItem:
        PyObject *exc_value
        _PyErr_StackItem *previous_item

# A generator, a coroutine and an asynchronous generator are laid out alike, so that C code may treat each as a Generator
# (by an unchecked cast); they are types of their own because a guest tells them apart.
cdef class Generator:
    # Fields of Generator, Coroutine and AsyncGenerator: own window of registers, and where to go on. Freed when it is done.
    # regs: made by new_generator, released by generator_finish. While the state is GEN_RUNNING the collector does not
    # look at them, so they may be stale then; otherwise every one of the nregs tags must be right.
    cdef Value *regs            # nregs values, or NULL when done
    cdef const Instr *ip        # instruction to execute next
    cdef Function func
    cdef Code code
    cdef uint8_t state
    cdef uint8_t kind           # CODE_GENERATOR, CODE_COROUTINE or CODE_ASYNC_GENERATOR
    cdef uint16_t resume_reg    # where a sent value goes
    cdef uint8_t yielded        # asynchronous generators: stopped at a yield of its own
    cdef uint8_t iterating      # asynchronous generators: an awaitable of it is under way (ag_running)
    cdef uint8_t closed         # asynchronous generators: StopAsyncIteration or GeneratorExit ended it
    cdef uint8_t hooked         # asynchronous generators: the hooks were asked for
    cdef PyObject *delegate     # borrowed: what the running `yield from` or `await` waits for
    cdef _PyErr_StackItem exc_state
    cdef object name, qualname
    cdef PyObject *extra        # owned or NULL: cr_origin, or the finalizer hook of an asynchronous generator
    cdef object __weakref__

cdef class Coroutine:           # fields as in Generator
    cdef Value *regs
    cdef const Instr *ip
    cdef Function func
    cdef Code code
    cdef uint8_t state
    cdef uint8_t kind
    cdef uint16_t resume_reg
    cdef uint8_t yielded
    cdef uint8_t iterating
    cdef uint8_t closed
    cdef uint8_t hooked
    cdef PyObject *delegate
    cdef _PyErr_StackItem exc_state
    cdef object name, qualname
    cdef PyObject *extra
    cdef object __weakref__

cdef class AsyncGenerator:      # fields as in Generator
    cdef Value *regs
    cdef const Instr *ip
    cdef Function func
    cdef Code code
    cdef uint8_t state
    cdef uint8_t kind
    cdef uint16_t resume_reg
    cdef uint8_t yielded
    cdef uint8_t iterating
    cdef uint8_t closed
    cdef uint8_t hooked
    cdef PyObject *delegate
    cdef _PyErr_StackItem exc_state
    cdef object name, qualname
    cdef PyObject *extra
    cdef object __weakref__

cdef class CoroutineWrapper:    # what Coroutine.__await__ returns
    cdef Coroutine coroutine

cdef enum AwaitableState:
    AWAITABLE_NEW = 0
    AWAITABLE_STARTED = 1
    AWAITABLE_CLOSED = 2

cdef class AsyncSend:           # what __anext__ and asend return
    cdef AsyncGenerator generator
    cdef object value           # to be sent at the start
    cdef uint8_t state

cdef class AsyncThrow:          # what athrow and aclose return
    cdef AsyncGenerator generator
    cdef tuple arguments        # of athrow; None: aclose
    cdef uint8_t state

cdef class GeneratorFrame:      # what gi_frame, cr_frame and ag_frame show
    cdef object generator       # weak reference
    cdef Code code
    cdef object globals

# What the core offers to the modules under it; filled by the core at import.
ctypedef struct VMHooks:
    # Vectorcall of a guest function.
    PyObject *(*call)(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames) noexcept
    # Resumes a generator: value (borrowed) is sent, or if NULL exc (borrowed) is thrown in. New reference to what was
    # yielded; or NULL with an exception set; or NULL without one when it returned, *result then owning the value.
    # Called only in the states GEN_CREATED (then exc is NULL and value None) and GEN_SUSPENDED.
    # Thrown in at a YIELD_FROM, the exception goes to the delegate first: see delegate_throw. close: a GeneratorExit
    # closes the delegate then (throw, close) instead of being thrown into it (athrow, aclose); 2: the delegate is closed
    # already, and the exception is raised in the generator itself.
    # When an asynchronous generator came to a yield of its own (and not to one that it awaits), its field `yielded` is
    # 1; the caller resets it.
    PyObject *(*resume)(PyObject *gen, PyObject *value, PyObject *exc, int close, PyObject **result) noexcept
    # Runs module/exec/eval/single code in a namespace: new reference to its value, or NULL with an exception.
    # closure: tuple of Cell or NULL.
    PyObject *(*run_code)(PyObject *code, PyObject *globals, PyObject *locals, PyObject *closure) noexcept
    # Runs a class body function in the namespace: new reference to its __class__ cell or None; NULL on error.
    PyObject *(*run_class_body)(PyObject *func, PyObject *namespace) noexcept
    # The innermost running guest frame: borrowed dict, or NULL (no exception) when no guest runs.
    PyObject *(*frame_globals)() noexcept
    # Builtins of the guest frame depth levels up the stack (0 = innermost): borrowed, or NULL beyond the outermost.
    PyObject *(*frame_builtins)(int depth) noexcept
    # locals() of that frame: new reference, a snapshot dict for functions, the namespace itself otherwise.
    PyObject *(*frame_locals)(int depth) noexcept
    # The running function (borrowed, may be NULL) and its first argument (new reference or NULL without exception when
    # there is none or it is empty) for zero-argument super(), and its __class__ cell contents (new reference or NULL).
    PyObject *(*frame_super)(PyObject **cls) noexcept
    # Line of the frame depth levels up the guest stack (0 = innermost), or -1; *func gets the borrowed Function.
    int (*frame_line)(int depth, PyObject **func) noexcept
    # Whether the run of this thread was stopped by a limit: then no guest code may run.
    bint (*stopped)() noexcept
    # Whether a run is under way in this thread.
    bint (*running)() noexcept
    # Context of the guest whose limits count in this thread (borrowed; None when not known), or NULL.
    PyObject *(*metered_guest)() noexcept
    # Counts an item that a native iterator gave: 0, or -1 with an exception set when the run is to stop.
    int (*tick)() noexcept
    # Set while some run is over its time; native loops that see it ask `interrupted`: 0, or -1 with an exception set.
    # endless: what asks may go on for ever.
    const int *alarm
    int (*interrupted)(bint endless) noexcept
    # 0, or -1 with an exception set when the run has not as many seconds left as a native operation will take.
    int (*afford)(double seconds) noexcept
    # Called when a run begins in a thread.
    void (*enter_thread)() noexcept
    # A safepoint of native code that has done work, about as much as that many instructions: 0, or -1 with an exception
    # set when the run is to stop. The caller holds the lock of the interpreter.
    int (*work)(int units) noexcept nogil
    # The number of runs with limits that are under way, in all threads.
    int metered_runs
    # See begin_finalizer. Frames of what ran before are not seen until the end.
    int (*begin_unattended)(bint foreign, PyObject *builtins) noexcept
    void (*end_unattended)(int begun) noexcept
    # A call of code of the host begins: 0, or -1 with an exception set when the run may make no more of them. `outer` is
    # kept for the other one, which returns the nanoseconds that the host's code took, or -1 with an exception set when the run
    # is to stop; then an exception that was set is gone.
    int (*begin_host_call)(int *outer) noexcept
    long long (*end_host_call)(int outer) noexcept
    # Before code of the host gets output of a guest: 1 when its time has to be told by end_output, which gets `outer`; 0 when it
    # has not, because no guest's clock is going; -1 when it must wait, because the run was stopped or is not to run code of the
    # host. With NULL it only asks.
    int (*begin_output)(int *outer) noexcept
    void (*end_output)(int outer) noexcept
    # Streams that have text for the host which it has not got yet. `flush_output` passes on those of the running guest: 0, or -1
    # with an exception set.
    int unsent
    int (*flush_output)() noexcept
    # Whether what calls now is code of the host that runs for a guest.
    bint (*in_host_code)() noexcept
    # The number of runs that can be suspended and are under way, in all threads.
    int stepping
    # Bytes of a value that may go to the host, 0 for no limit.
    Py_ssize_t (*result_limit)() noexcept
    # A look at the limits in work for a run that takes long: 0, or -1 with an exception set.
    int (*check)() noexcept
    # Set once a guest has started a thread: called at safepoints, to let another thread of the guest have its turn.
    # -1 with an exception set.
    int (*take_turn)() noexcept
    # Whether guest code runs in this thread, with no Python code of the host above it.
    int (*guest_is_direct)() noexcept
    # o.name as the guest may see it, set by the gate: new reference, or NULL with an exception.
    PyObject *(*get_attribute)(PyObject *o, PyObject *name) noexcept

cdef VMHooks hooks

# A namespace as a guest may see it: that of a shared library module as a copy.
cdef object visible_namespace(namespace)
cdef dict shown_of_library(dict names)

# Releases the codes that functions had before their __code__ was assigned. For when no guest runs in any thread.
cdef void drop_parked_codes() noexcept

cdef Function new_function(Code code, dict globals, object builtins, tuple closure)
# A cell that holds a second reference to *content (NULL or T_UNDEF: empty).
cdef Cell new_cell(const Value *content)
# Fills an empty cell whose value is to be had elsewhere (see class_builder.resolve_cell); set by the class builder.
cdef bint (*resolve_empty_cell)(PyObject *cell) noexcept
# Writes an exception that nobody can catch (both borrowed) to the running guest's stderr: 1, or 0 when there is none;
# set by the context module.
cdef int (*write_unraisable)(PyObject *exc, PyObject *where) noexcept
# Whether code with these builtins (borrowed) belongs to a run that was stopped; set by the context module.
cdef bint (*is_left_behind)(PyObject *builtins) noexcept
# Whether code with these builtins (borrowed) belongs to another guest than the one that runs; set by the context module.
cdef bint (*is_foreign)(PyObject *builtins) noexcept
# Whether code with these builtins (a borrowed dict) is of the library; set by the imports module.
cdef bint (*is_privileged)(PyObject *builtins) noexcept
# Before a finalizer of code with these builtins (borrowed; NULL when not known) runs: 0 in its own run; 1 outside it, or
# while another guest runs or a library module is loaded, when it has a short limit of its own and nobody is there to be
# told of its errors; -1: it may not run. What it returns goes to hooks.end_unattended. No exception may be set.
cdef int begin_finalizer(PyObject *builtins) noexcept
# Shows an exception that nobody can catch: by write_unraisable, or as the host does.
cdef void report_unraisable(PyObject *error, PyObject *where) noexcept
# A Generator, Coroutine or AsyncGenerator, as the code says, in the state GEN_CREATED with code.nregs empty registers;
# the caller moves the arguments in. New reference, or NULL with MemoryError.
cdef PyObject *new_generator(PyObject *func) noexcept
# State GEN_DONE: releases the registers and the exception state. The core calls it when a generator returns or raises.
cdef void generator_finish(Generator gen) noexcept
# The same for one whose registers are empty already.
cdef void generator_returned(PyObject *gen) noexcept
# Throws exc (borrowed) into the iterator that a YIELD_FROM delegates to. New reference to what it yielded; or NULL with
# an exception set, to be raised at the YIELD_FROM (exc itself when the iterator cannot take it); or NULL without one
# when the iterator returned, *result then owning its value.
cdef PyObject *delegate_throw(PyObject *iterator, PyObject *exc, bint close, PyObject **result) noexcept
# Raises StopIteration(value), as a generator that returned value does for a native caller.
cdef void set_stop_iteration(PyObject *value) noexcept

# o.name as the guest may see it; `missing` when there is none.
cdef object read_as_guest(o, name, missing)

# One step of a guest or host coroutine, or of any iterator, for native code that drives it. No StopIteration is made for
# guest coroutines. value (borrowed) is sent, or if NULL exc (borrowed, an exception instance) is thrown in.
# 1: it waits, *result is what it yielded; 0: it returned, *result is its value (new references);
# -1: it raised, the exception is set.
cdef int coroutine_step(PyObject *coro, PyObject *value, PyObject *exc, PyObject **result) noexcept

# What an `await` delegates to: new reference, or NULL with TypeError or RuntimeError.
cdef PyObject *awaitable_iterator(PyObject *o) noexcept
# Runs the hook for new asynchronous generators before the first step; -1 with an exception set.
cdef int start_async_generator(PyObject *gen) noexcept
# Sets StopAsyncIteration when none is set, and notes the end in the asynchronous generator: always -1.
cdef int async_generator_ended(PyObject *gen) noexcept
# PEP 479: what leaves a generator that raised exc: that, or the RuntimeError in place of a StopIteration. Takes over
# exc; new reference.
cdef PyObject *exception_leaving(PyObject *gen, PyObject *exc) noexcept
# "generator", "coroutine" or "async generator", for messages.
cdef const char *kind_name(PyObject *gen) noexcept

# Set by the context module: hooks for asynchronous generators (borrowed or NULL) of the guest that runs; 0 when no guest runs.
cdef int (*guest_async_hooks)(PyObject **firstiter, PyObject **finalizer) noexcept
# Says that a coroutine (borrowed) was never awaited: 1, or 0 when its function belongs to no guest.
cdef int (*warn_never_awaited)(PyObject *coro) noexcept
# How many frames of its origin a new coroutine notes.
cdef int (*origin_depth)() noexcept

# The arguments of a builtin function in the order of their names (values: the defaults, replaced), with CPython's errors.
cdef list named_arguments(str called, tuple names, Py_ssize_t positional, Py_ssize_t required, list values, tuple args, dict keywords)
