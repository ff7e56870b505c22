"""Code objects: what the bytecode generator makes and the interpreter core runs.

A code object owns its arrays and constants.  It is filled by the assembler and not changed afterwards, apart from the
inline-cache sites and counters, which only make it faster; so it may be shared by any number of namespaces.
"""
from cpython.ref cimport PyObject
from libc.stdlib cimport calloc, free

from kimi_runtime.vm.values cimport Value, value_borrowed, value_clear


cdef class Code:
    """Compiled guest code of one module, class body or function."""

    def __cinit__(self):
        self.class_cell = -1
        self.const_objects = ()
        self.names = ()
        self.local_names = ()
        self.cell_regs = ()
        self.free_names = ()
        self.inlined = ()
        self.name = self.qualname = self.filename = ""

    def __dealloc__(self):
        cdef uint32_t i
        if self.consts != NULL:
            for i in range(self.nconsts):
                value_clear(&self.consts[i])
        free(self.instrs)
        free(self.consts)
        free(self.caches)
        free(self.exc_table)
        free(self.positions)
        free(self.free_src)

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
        self.const_objects = const_objects
        for i in range(self.nconsts):
            item = const_objects[i]
            raw = <PyObject *>item
            value_borrowed(&self.consts[i], raw)
        return 0

    def __repr__(self):
        return f'<code object {self.name} at {<size_t><PyObject *>self:#x}, file "{self.filename}", line {self.firstlineno}>'
