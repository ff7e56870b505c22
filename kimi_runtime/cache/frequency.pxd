from libc.stdint cimport uint64_t


cdef class FrequencySketch:
    cdef unsigned char *counters    # two to the byte
    cdef uint64_t mask              # number of counters in a row, less one
    cdef Py_ssize_t sample, added

    cdef int add(self, Py_hash_t key) except -1
    cdef int count(self, Py_hash_t key) noexcept
    cdef uint64_t place(self, Py_hash_t key, int row) noexcept
    cdef int age(self) noexcept
