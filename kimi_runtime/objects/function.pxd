# Guest functions, cells and generators: objects that hold registers or code. The core makes and runs them.
from cpython.ref cimport PyObject
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from kimi_runtime.bytecode.code cimport Code, Instr
from kimi_runtime.vm.values cimport Value

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
    cdef dict attrs             # __dict__, or None
    cdef uint32_t version       # changes when code, defaults or kwdefaults are assigned; never 0 for callables
    cdef object weakrefs

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
    cdef object weakrefs

# What the core offers to the modules under it; filled by the core at import.
ctypedef struct VMHooks:
    # Vectorcall of a guest function.
    PyObject *(*call)(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames) noexcept
    # Resumes a generator: value (borrowed) is sent, or if NULL exc (borrowed) is thrown in. New reference to what was
    # yielded; or NULL with an exception set; or NULL without one when it returned, *result then owning the value.
    PyObject *(*resume)(PyObject *gen, PyObject *value, PyObject *exc, PyObject **result) noexcept
    # Runs module/exec/eval/single code in a namespace: new reference to its value, or NULL with an exception.
    # closure: tuple of Cell or NULL.
    PyObject *(*run_code)(PyObject *code, PyObject *globals, PyObject *locals, PyObject *closure) noexcept
    # Runs a class body function in the namespace: new reference to its __class__ cell or None; NULL on error.
    PyObject *(*run_class_body)(PyObject *func, PyObject *namespace) noexcept
    # The innermost running guest frame: borrowed dict, or NULL (no exception) when no guest runs.
    PyObject *(*frame_globals)() noexcept
    PyObject *(*frame_builtins)() noexcept
    # locals() of that frame: new reference, a snapshot dict for functions, the namespace itself otherwise.
    PyObject *(*frame_locals)() noexcept
    # The running function (borrowed, may be NULL) and its first argument (new reference or NULL without exception when
    # there is none or it is empty) for zero-argument super(), and its __class__ cell contents (new reference or NULL).
    PyObject *(*frame_super)(PyObject **cls) noexcept
    # Line of the frame depth levels up the guest stack (0 = innermost), or -1; *func gets the borrowed Function.
    int (*frame_line)(int depth, PyObject **func) noexcept

cdef VMHooks hooks

cdef Function new_function(Code code, dict globals, object builtins, tuple closure)
