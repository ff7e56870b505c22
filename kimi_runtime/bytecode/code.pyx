# cython: binding=False
"""Code objects: what the bytecode generator makes and the interpreter core runs.

A code object owns its arrays and constants.  It is filled by the assembler and not changed afterwards, apart from the
inline-cache sites and counters, which only make it faster; so it may be shared by any number of namespaces.
"""
cimport cython
from cpython.ref cimport PyObject
from cpython.mem cimport PyMem_Calloc as calloc, PyMem_Free as free
from libc.string cimport memcpy

from kimi_runtime.bytecode.ops cimport OP_RETURN_NONE
from kimi_runtime.vm.values cimport Py_DECREF, Py_INCREF, Value, value_borrowed, value_clear

import types
from sys import intern

cdef extern from "Python.h":
    ctypedef struct TypeSlots "PyTypeObject":
        const char *tp_name
    void PyType_Modified(TypeSlots *) noexcept
    Py_ssize_t Py_REFCNT(PyObject *o) noexcept
    bint PyUnicode_IS_ASCII(object text)
    unsigned char *PyUnicode_1BYTE_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef bint is_like_a_name(str text):
    cdef Py_ssize_t i
    cdef unsigned char c
    if not PyUnicode_IS_ASCII(text):
        return False
    for i in range(PyUnicode_GET_LENGTH(text)):
        c = PyUnicode_1BYTE_DATA(text)[i]
        if not (97 <= c <= 122 or 65 <= c <= 90 or 48 <= c <= 57 or c == 95):
            return False
    return True


cdef object interned(value):
    """A constant, where strings that look like names are the process's own, as in CPython: they are keys and attributes, and
    comparing them takes a look at their addresses."""
    cdef Py_ssize_t i
    cdef list changed = None
    if type(value) is str:
        return intern(value) if is_like_a_name(<str>value) else value
    if type(value) is not tuple:
        return value
    for i in range(len(<tuple>value)):
        each = (<tuple>value)[i]
        new = interned(each)
        if new is not each:
            if changed is None:
                changed = list(<tuple>value)
            changed[i] = new
    return value if changed is None else tuple(changed)


# Flags of CPython's code objects, as inspect reads them from co_flags.
cdef tuple HOST_FLAGS = (
    (CODE_VARARGS, 4), (CODE_VARKEYWORDS, 8), (CODE_NESTED, 16), (CODE_GENERATOR, 32), (CODE_COROUTINE, 128),
    (CODE_ITERABLE_COROUTINE, 256), (CODE_ASYNC_GENERATOR, 512), (CODE_OPTIMIZED, 3))


@cython.final
@cython.auto_pickle(False)
cdef class Code:
    """Compiled guest code of one module, class body or function. Cannot be made from guest code."""

    def __cinit__(self, *args, **kwargs):
        global live_codes
        if args or kwargs:
            raise TypeError("cannot create 'code' instances")
        live_codes += 1
        self.class_cell = -1
        self.const_objects = ()
        self.names = ()
        self.local_names = ()
        self.cell_regs = ()
        self.free_names = ()
        self.inlined = ()
        self.name = self.qualname = self.filename = ""

    def __dealloc__(self):
        global live_codes
        cdef uint32_t i
        live_codes -= 1
        if self.hot != NULL:
            free_hot(self.hot)
        if self.lender != NULL:
            Py_DECREF(self.lender)
            return
        if self.consts != NULL:
            for i in range(self.nconsts):
                value_clear(&self.consts[i])
        free(self.instrs)
        free(self.consts)
        free(self.caches)
        free(self.exc_table)
        free(self.positions)
        free(self.free_src)

    @property
    def awaits(self):
        """Whether it is a program that awaits at its top level."""
        return self.flags & CODE_AWAITS != 0

    cdef Code statements(self):
        """The code of the coroutine in which the statements of a program are that awaits."""
        for each in self.const_objects:
            if type(each) is Code and (<Code>each).flags & (CODE_MODULE | CODE_COROUTINE) == CODE_MODULE | CODE_COROUTINE:
                return <Code>each
        return self

    def returns_value(self):
        """Whether a program ends with the value of an expression: see the mode "notebook"."""
        cdef Code last = self
        while last.continuation is not None:
            last = last.continuation
        if last.flags & CODE_AWAITS:
            last = last.statements()
        return last.ninstrs > 0 and last.instrs[last.ninstrs - 1].op != OP_RETURN_NONE

    cdef int allocate(self, uint32_t ninstrs, uint32_t nconsts, uint32_t ncaches, uint32_t nexc,
                      uint32_t nfree) except -1:
        """Zeroed arrays of the given lengths; call once. MemoryError when there is no room."""
        self.instrs = <Instr *>calloc(ninstrs + 1, sizeof(Instr))
        self.positions = <Position *>calloc(ninstrs + 1, sizeof(Position))
        self.consts = <Value *>calloc(nconsts + 1, sizeof(Value))
        self.caches = <CacheSite *>calloc(ncaches + 1, sizeof(CacheSite))
        self.exc_table = <ExcEntry *>calloc(nexc + 1, sizeof(ExcEntry))
        self.free_src = <int16_t *>calloc(nfree + 1, sizeof(int16_t))
        if (self.instrs == NULL or self.positions == NULL or self.consts == NULL or self.caches == NULL
                or self.exc_table == NULL or self.free_src == NULL):
            raise MemoryError("no memory for a code object")
        self.ninstrs = ninstrs
        self.nconsts = nconsts
        self.ncaches = ncaches
        self.nexc = nexc
        self.nfree = <uint16_t>nfree
        return 0

    cdef int set_consts(self, tuple const_objects) except -1:
        """Fills the constant values (unboxed where they can be) from the objects, which stay owned by the tuple too."""
        cdef uint32_t i
        cdef PyObject *raw
        const_objects = <tuple>interned(const_objects)
        self.const_objects = const_objects
        for i in range(self.nconsts):
            item = const_objects[i]
            raw = <PyObject *>item
            value_borrowed(&self.consts[i], raw)
        return 0

    def __repr__(self):
        return (f'<code object {self.name} at {<size_t><PyObject *>self:#x}, file "{self.filename}", '
                f'line {self.firstlineno}>')

    # -- what CPython's code objects show; there is nothing here that the interpreter core reads --------------------
    @property
    def co_name(self):
        return self.name

    @property
    def co_qualname(self):
        return self.qualname

    @property
    def co_filename(self):
        return self.filename

    @property
    def co_firstlineno(self):
        return self.firstlineno

    @property
    def co_argcount(self):
        return self.npos

    @property
    def co_posonlyargcount(self):
        return self.nposonly

    @property
    def co_kwonlyargcount(self):
        return self.nkwonly

    @property
    def co_nlocals(self):
        return len(self.co_varnames)

    @property
    def co_stacksize(self):
        return self.nregs - self.nlocals

    @property
    def co_flags(self):
        cdef int found = 0
        for ours, host in HOST_FLAGS:
            if self.flags & <uint32_t>ours:
                found |= <int>host
        return found

    @property
    def co_varnames(self):
        cdef Py_ssize_t i
        cdef list found = []
        for i, name in enumerate(self.local_names):
            if i < self.nparams or not (name.startswith(".") or i in self.cell_regs):
                found.append(name)
        return tuple(found)

    @property
    def co_cellvars(self):
        return tuple([self.local_names[i] for i in self.cell_regs])

    @property
    def co_freevars(self):
        return self.free_names

    @property
    def co_names(self):
        return tuple(dict.fromkeys([name for name in self.names if isinstance(name, str)]))

    @property
    def co_consts(self):
        return self.const_objects

    @property
    def co_code(self):
        return (<char *>self.instrs)[:self.ninstrs * sizeof(Instr)] if self.instrs != NULL else b""

    @property
    def co_exceptiontable(self):
        return (<char *>self.exc_table)[:self.nexc * sizeof(ExcEntry)] if self.exc_table != NULL else b""

    def co_lines(self):
        """Iterator of (start, end, line): offsets are twice the instruction numbers, as in tracebacks."""
        cdef uint32_t i, start = 0
        cdef list found = []
        for i in range(1, self.ninstrs + 1):
            if i == self.ninstrs or self.positions[i].line != self.positions[start].line:
                line = self.positions[start].line
                found.append((2 * start, 2 * i, line if line >= 0 else None))
                start = i
        return iter(found)

    def co_positions(self):
        """Iterator of (line, end line, column, end column) for each instruction; None where unknown."""
        cdef uint32_t i
        cdef list found = []
        for i in range(self.ninstrs):
            found.append(tuple([n if n >= 0 else None for n in (
                self.positions[i].line, self.positions[i].end_line, self.positions[i].col, self.positions[i].end_col)]))
        return iter(found)

    def replace(self, **changes):
        """A copy with other names, or with co_flags that make a generator awaitable.

        NotImplementedError for other parts: they fit together only as they were compiled.
        """
        cdef int flags
        for name in changes:
            if name not in ("co_flags", "co_name", "co_qualname", "co_filename", "co_firstlineno"):
                raise NotImplementedError(f"code objects of this interpreter cannot be changed with replace({name}=)")
        flags = changes.get("co_flags", self.co_flags)
        if (flags ^ <int>self.co_flags) & ~0x100:
            raise NotImplementedError("replace(co_flags=) can only set that a generator is awaitable (0x100)")
        return copy_fields(self, copy_arrays(self, self.const_objects), changes, flags)

    def __reduce__(self):
        raise TypeError("cannot pickle code objects")

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @property
    def __class__(self):
        # For the host's inspect.signature and friends, which want a types.CodeType; a guest sees what we are.
        if guest_is_running != NULL and guest_is_running():
            return Code
        return types.CodeType


cdef Code copy_arrays(Code old, tuple const_objects):
    """A code object with instructions and tables like those of another, and constants in the places of its constants."""
    cdef Code made = Code.__new__(Code)
    cdef uint32_t i
    made.allocate(old.ninstrs, old.nconsts, old.ncaches, old.nexc, old.nfree)
    memcpy(made.instrs, old.instrs, old.ninstrs * sizeof(Instr))
    memcpy(made.positions, old.positions, old.ninstrs * sizeof(Position))
    memcpy(made.exc_table, old.exc_table, old.nexc * sizeof(ExcEntry))
    memcpy(made.free_src, old.free_src, old.nfree * sizeof(int16_t))
    made.set_consts(const_objects)
    for i in range(old.ncaches):            # what else they hold is the core's
        made.caches[i].name = old.caches[i].name
        made.caches[i].nargs = old.caches[i].nargs
        made.caches[i].nkw = old.caches[i].nkw
    return made


cdef Code copy_fields(Code old, Code made, dict changes, int flags):
    made.npos, made.nposonly, made.nkwonly, made.nparams = old.npos, old.nposonly, old.nkwonly, old.nparams
    made.nlocals, made.first_temp, made.nregs = old.nlocals, old.first_temp, old.nregs
    made.class_cell = old.class_cell
    made.flags = old.flags & ~<uint32_t>CODE_ITERABLE_COROUTINE
    if flags & 0x100:
        made.flags |= CODE_ITERABLE_COROUTINE
    made.make_flags = old.make_flags
    made.firstlineno = changes.get("co_firstlineno", old.firstlineno)
    made.name = changes.get("co_name", old.name)
    made.qualname = changes.get("co_qualname", old.qualname)
    made.filename = changes.get("co_filename", old.filename)
    made.docstring = old.docstring
    made.names = old.names
    made.local_names = old.local_names
    made.cell_regs = old.cell_regs
    made.free_names = old.free_names
    made.inlined = old.inlined
    made.continuation = old.continuation
    made.entry = old.entry
    made.source = old.source
    return made


cdef Code borrow_arrays(Code old):
    """A code object that uses the arrays of another, constants and caches too."""
    cdef Code made = Code.__new__(Code)
    made.instrs, made.positions, made.consts = old.instrs, old.positions, old.consts
    made.caches, made.exc_table, made.free_src = old.caches, old.exc_table, old.free_src
    made.ninstrs, made.nconsts, made.ncaches, made.nexc, made.nfree = old.ninstrs, old.nconsts, old.ncaches, old.nexc, old.nfree
    made.const_objects = old.const_objects
    made.lender = <PyObject *>old
    Py_INCREF(made.lender)
    return made


cdef Code renamed_leaf(Code code, Code spare, str filename):
    if spare is not None and spare.lender == <PyObject *>code and Py_REFCNT(<PyObject *>spare) == 1 and spare.shadow is None:
        spare.filename = filename
        return spare
    return renamed(code, filename)


cdef dict NO_CHANGES = {}


def renamed(Code code not None, str filename not None):
    """A copy of code, and of the code in it, with another file name."""
    cdef tuple const_objects = code.const_objects
    cdef Code made = None
    for each in const_objects:
        if type(each) is Code:
            const_objects = tuple([renamed(value, filename) if type(value) is Code else value for value in const_objects])
            made = copy_arrays(code, const_objects)
            break
    if made is None:
        made = borrow_arrays(code)
    copy_fields(code, made, NO_CHANGES, 0x100 if code.flags & CODE_ITERABLE_COROUTINE else 0)
    made.filename = filename
    if code.continuation is not None:
        made.continuation = renamed(code.continuation, filename)
    return made


cdef int rename_type() noexcept:
    cdef TypeSlots *slots = <TypeSlots *><PyObject *>Code
    slots.tp_name = b"code"
    PyType_Modified(slots)
    return 0


rename_type()
