# cython: binding=False
"""How often keys were asked for lately, in a few bytes for each.

A count-min sketch of four rows with counters up to 15, all halved when ten requests per entry were counted, so that what
was popular long ago is forgotten (G. Einziger, R. Friedman, B. Manes: TinyLFU, ACM Transactions on Storage 13 (4), 2017).
"""
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

cdef enum:
    ROWS = 4
    MOST = 15

cdef uint64_t[4] SEEDS
SEEDS[:] = [0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F, 0xCBF29CE484222325]


cdef class FrequencySketch:
    """Counts for about ``entries`` keys at a time."""

    def __cinit__(self, Py_ssize_t entries):
        cdef uint64_t width = 64
        while width < <uint64_t>entries * 8:
            width *= 2
        self.mask = width - 1
        self.sample = 10 * max(entries, 16)
        self.counters = <unsigned char *>calloc(ROWS * width // 2, 1)
        if self.counters == NULL:
            raise MemoryError("no memory for the counters of a cache")

    def __dealloc__(self):
        free(self.counters)

    cdef int add(self, Py_hash_t key) except -1:
        """Counts a request."""
        cdef int row, value
        cdef uint64_t place
        cdef unsigned char *cell
        for row in range(ROWS):
            place = self.place(key, row)
            cell = &self.counters[place >> 1]
            value = (cell[0] >> 4) if place & 1 else (cell[0] & 15)
            if value < MOST:
                cell[0] += 16 if place & 1 else 1
        self.added += 1
        if self.added >= self.sample:
            self.age()
        return 0

    cdef int count(self, Py_hash_t key) noexcept:
        """Requests that were counted for the key lately; a little too many at times, 15 at most."""
        cdef int row, value, least = MOST
        cdef uint64_t place
        for row in range(ROWS):
            place = self.place(key, row)
            value = (self.counters[place >> 1] >> 4) if place & 1 else (self.counters[place >> 1] & 15)
            if value < least:
                least = value
        return least

    cdef uint64_t place(self, Py_hash_t key, int row) noexcept:
        cdef uint64_t mixed = (<uint64_t>key ^ SEEDS[row]) * <uint64_t>0x9E3779B97F4A7C15
        mixed ^= mixed >> 32
        return row * (self.mask + 1) + (mixed & self.mask)

    cdef int age(self) noexcept:
        cdef uint64_t i
        for i in range(ROWS * (self.mask + 1) // 2):
            self.counters[i] = (self.counters[i] >> 1) & 0x77
        self.added //= 2
        return 0
