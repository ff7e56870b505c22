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

cdef class Generator:
    # Own window of registers, and where to go on. Freed when it is done.
    # regs: made by new_generator, released by generator_finish. While the state is GEN_RUNNING the collector does not
    # look at them, so they may be stale then; otherwise every one of the nregs tags must be right.
    cdef Value *regs            # nregs values, or NULL when done
    cdef const Instr *ip        # instruction to execute next
    cdef Function func
    cdef Code code
    cdef uint8_t state
    cdef uint8_t kind           # CODE_GENERATOR, CODE_COROUTINE or CODE_ASYNC_GENERATOR
    cdef uint16_t resume_reg    # where a sent value goes
    cdef PyObject *delegate     # borrowed: iterator of the running `yield from`, for gi_yieldfrom
    cdef _PyErr_StackItem exc_state
    cdef object name, qualname
    cdef object __weakref__

cdef class GeneratorFrame:      # what gi_frame shows
    cdef Generator generator

# What the core offers to the modules under it; filled by the core at import.
ctypedef struct VMHooks:
    # Vectorcall of a guest function.
    PyObject *(*call)(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames) noexcept
    # Resumes a generator: value (borrowed) is sent, or if NULL exc (borrowed) is thrown in. New reference to what was
    # yielded; or NULL with an exception set; or NULL without one when it returned, *result then owning the value.
    # Called only in the states GEN_CREATED (value is None) and GEN_SUSPENDED.
    # Thrown in at a YIELD_FROM, the exception goes to the delegate first: see delegate_throw.
    PyObject *(*resume)(PyObject *gen, PyObject *value, PyObject *exc, PyObject **result) noexcept
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
    PyObject *(*frame_locals)() noexcept
    # The running function (borrowed, may be NULL) and its first argument (new reference or NULL without exception when
    # there is none or it is empty) for zero-argument super(), and its __class__ cell contents (new reference or NULL).
    PyObject *(*frame_super)(PyObject **cls) noexcept
    # Line of the frame depth levels up the guest stack (0 = innermost), or -1; *func gets the borrowed Function.
    int (*frame_line)(int depth, PyObject **func) noexcept

cdef VMHooks hooks

# A namespace as a guest may see it: that of a shared library module as a copy.
cdef object visible_namespace(namespace)

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
# Shows an exception that nobody can catch: by write_unraisable, or as the host does.
cdef void report_unraisable(PyObject *error, PyObject *where) noexcept
# A generator in the state GEN_CREATED with code.nregs empty registers; the caller moves the arguments in.
cdef Generator new_generator(Function func)
# State GEN_DONE: releases the registers and the exception state. The core calls it when a generator returns or raises.
cdef void generator_finish(Generator gen) noexcept
# Throws exc (borrowed) into the iterator that a YIELD_FROM delegates to. New reference to what it yielded; or NULL with
# an exception set, to be raised at the YIELD_FROM (exc itself when the iterator cannot take it); or NULL without one
# when the iterator returned, *result then owning its value.
cdef PyObject *delegate_throw(PyObject *iterator, PyObject *exc, PyObject **result) noexcept
# Raises StopIteration(value), as a generator that returned value does for a native caller.
cdef void set_stop_iteration(PyObject *value) noexcept
