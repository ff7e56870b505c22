# Code objects: immutable once finished, shared by all namespaces and runs.
from cpython.ref cimport PyObject
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from kimi_runtime.vm.values cimport Value

ctypedef struct InstrABC:
    uint16_t b
    uint16_t c

ctypedef union InstrTail:
    InstrABC abc
    int32_t imm

ctypedef struct Instr:
    uint16_t op
    uint16_t a
    InstrTail t        # t.abc.b, t.abc.c or t.imm

# One inline-cache site. The compiler sets name, nargs and nkw; the rest belongs to the core and starts as zero.
ctypedef struct CacheSite:
    PyObject *name          # attribute or global name (interned str), or the tuple of keyword names, or NULL;
                            # borrowed: Code.names / Code.const_objects keep it alive
    uint16_t nargs          # call sites: number of positional values, without self
    uint16_t nkw            # call sites: number of keyword values
    uint16_t kind
    uint16_t counter
    uint32_t version
    uint32_t version2
    int64_t index
    void *target
    void *aux
    void *aux2

ctypedef struct ExcEntry:   # covers instructions start <= pc < end; inner entries come before outer ones
    uint32_t start
    uint32_t end
    uint32_t handler
    uint16_t temp_top       # the unwinder empties the registers from here up ...
    uint16_t exc_reg        # ... then R[exc_reg] = exception, R[exc_reg + 1] = previously handled one or None

ctypedef struct Position:   # columns in UTF-8 bytes; -1 when unknown
    int32_t line
    int32_t end_line
    int32_t col
    int32_t end_col

cdef enum CodeFlag:
    CODE_VARARGS = 1        # *args: its register follows the keyword-only ones
    CODE_VARKEYWORDS = 2    # **kwargs: the register after that
    CODE_GENERATOR = 4
    CODE_COROUTINE = 8
    CODE_ASYNC_GENERATOR = 16
    CODE_CLASS = 32         # class body: runs with a namespace mapping, returns its __class__ cell or None
    CODE_MODULE = 64        # module, exec, eval or single: runs with a namespace
    CODE_NESTED = 128
    CODE_ITERABLE_COROUTINE = 256
    CODE_OPTIMIZED = 512    # a function: locals live in registers
    CODE_UNSEEN = 1024      # tracebacks do not show its frames
    CODE_AWAITS = 2048      # of a module that awaits at its top level: it only runs the coroutine (CODE_MODULE and CODE_COROUTINE)
                            # in which its statements are, with their names as globals

cdef enum MakeFlag:
    MAKE_DEFAULTS = 1
    MAKE_KWDEFAULTS = 2
    MAKE_ANNOTATIONS = 4

cdef class Code:
    # Registers: [0, nparams) parameters in the order posonly, normal, kwonly, *args, **kwargs;
    # [nparams, nlocals) other locals and cells; [nlocals, nregs) temporaries (first_temp == nlocals).
    cdef Instr *instrs
    cdef Value *consts
    cdef CacheSite *caches
    cdef ExcEntry *exc_table
    cdef Position *positions
    cdef uint32_t ninstrs, nconsts, ncaches, nexc
    cdef uint16_t npos          # positional parameters, positional-only included
    cdef uint16_t nposonly
    cdef uint16_t nkwonly
    cdef uint16_t nparams       # all parameter registers: npos + nkwonly + varargs + varkeywords
    cdef uint16_t nlocals
    cdef uint16_t first_temp
    cdef uint16_t nregs
    cdef uint16_t nfree
    cdef int32_t class_cell     # index of free variable __class__, or -1
    cdef uint32_t flags
    cdef uint32_t make_flags
    cdef uint8_t call_kind      # set by the core at the first call
    cdef int32_t firstlineno
    cdef int16_t *free_src      # nfree entries: >= 0 register of the parent that holds the cell, < 0: ~index of the
                                # parent's own free variable
    cdef object name            # str
    cdef object qualname        # str
    cdef object filename        # str
    cdef object docstring       # str or None
    cdef tuple const_objects    # the constants as objects: Code constants, strings, numbers, tuples, frozensets
    cdef tuple names            # str and kwname tuples that cache sites point to
    cdef tuple local_names      # nlocals entries: the name in each local register; hidden ones start with "."
    cdef tuple cell_regs        # registers of this frame that hold cells (locals captured by inner functions)
    cdef tuple free_names       # nfree entries
    cdef tuple inlined          # ((start, end, name, line[, instruction of the call that consumes it]), ...) comprehensions and
                                # generator expressions compiled inline, inner ones first
    cdef Code continuation      # module code only: what runs next in the same namespace (very long sources), or None
    cdef uint32_t entry         # instruction where execution starts (0)
    cdef void *hot              # the core's record of what runs often, with compiled code; or NULL
    cdef PyObject *lender       # Code whose arrays these are, owned; or NULL: they are its own
    cdef object shadow          # code object of the host that tracebacks show, made when first needed
    cdef object source          # source text for tracebacks, or None
    cdef object __weakref__

    cdef Code statements(self)
    cdef int allocate(self, uint32_t ninstrs, uint32_t nconsts, uint32_t ncaches, uint32_t nexc, uint32_t nfree) except -1
    cdef int set_consts(self, tuple const_objects) except -1

# Whether guest code runs in this thread; set by the objects layer.
cdef int (*guest_is_running)() noexcept

# As `renamed`; spare: what it has returned before, or None, whose place a copy takes when nobody else has it.
cdef Code renamed_leaf(Code code, Code spare, str filename)

# Frees Code.hot; set by the core.
cdef void (*free_hot)(void *) noexcept

# Code objects that there are in the process.
cdef int64_t live_codes
