# Which instructions pieces of machine code were made for, for samples of compiled code.

cdef PyObject *hot_lines = NULL         # the first HotLines there is, borrowed: each takes itself out when it goes

@cython.final
@cython.auto_pickle(False)
cdef class HotLines:
    """The machine code of a code object, while this object is alive.

    Args:
        code: the code object, which must hold what holds this; borrowed.
        start: address of the machine code.
        rows: [(offset, instruction)] in order; the last offset is where it ends.
    """
    cdef PyObject *code
    cdef size_t start, end
    cdef uint32_t *offsets
    cdef uint32_t *pcs
    cdef uint32_t n
    cdef PyObject *next

    def __cinit__(self, Code code not None, size_t start, list rows not None):
        global hot_lines
        cdef uint32_t i
        self.n = <uint32_t>(len(rows) - 1)
        self.offsets = <uint32_t *>calloc(self.n, sizeof(uint32_t))
        self.pcs = <uint32_t *>calloc(self.n, sizeof(uint32_t))
        if self.offsets == NULL or self.pcs == NULL:
            raise MemoryError
        for i in range(self.n):
            self.offsets[i], self.pcs[i] = rows[i]
            if self.pcs[i] >= code.ninstrs:
                raise ValueError("no such instruction")
        self.code = <PyObject *>code
        self.start = start
        self.end = start + <size_t>rows[self.n][0]
        self.next = hot_lines
        hot_lines = <PyObject *>self

    def __dealloc__(self):
        cdef PyObject **at = &hot_lines
        while at[0] != NULL:
            if at[0] == <PyObject *>self:
                at[0] = self.next
                break
            at = &(<HotLines>at[0]).next
        free(self.offsets)
        free(self.pcs)

cdef int64_t hot_place(size_t address, PyObject **code) noexcept:
    """The instruction that the machine code at an address was made for, and of which code object, borrowed; or -1."""
    cdef PyObject *o = hot_lines
    cdef HotLines each
    cdef uint32_t low, high, middle
    while o != NULL:
        each = <HotLines>o
        if each.start <= address < each.end:
            code[0] = each.code
            address -= each.start
            low, high = 0, each.n
            while high - low > 1:
                middle = (low + high) // 2
                if each.offsets[middle] <= address:
                    low = middle
                else:
                    high = middle
            return each.pcs[low]
        o = each.next
    return -1
