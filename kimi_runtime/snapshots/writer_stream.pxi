# What a writer puts bytes into, and the numbers of the objects that it has met. Included by writer.pyx.

cdef class Stream:
    """Bytes, and numbers of objects."""
    cdef char *data
    cdef Py_ssize_t used, room
    cdef PyObject **keys            # open addressing: objects ...
    cdef uint32_t *places           # ... and their numbers
    cdef Py_ssize_t mask
    cdef uint8_t *states            # of the objects, by their numbers
    cdef Py_ssize_t states_room
    cdef readonly Py_ssize_t count

    def __cinit__(self, *args, **kwargs):
        self.room = 4096
        self.data = <char *>PyMem_RawMalloc(self.room)
        self.mask = 255
        self.keys = <PyObject **>PyMem_RawCalloc(self.mask + 1, sizeof(PyObject *))
        self.places = <uint32_t *>PyMem_RawMalloc((self.mask + 1) * sizeof(uint32_t))
        self.states_room = 192
        self.states = <uint8_t *>PyMem_RawMalloc(self.states_room)
        if self.data == NULL or self.keys == NULL or self.places == NULL or self.states == NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_RawFree(self.data)
        PyMem_RawFree(self.keys)
        PyMem_RawFree(self.places)
        PyMem_RawFree(self.states)

    # ---- bytes -------------------------------------------------------------------------------------------
    cdef int grow(self, Py_ssize_t size) except -1:
        cdef Py_ssize_t room = self.room
        cdef char *data
        while room - self.used < size:
            room *= 2
        data = <char *>PyMem_RawRealloc(self.data, room)
        if data == NULL:
            raise MemoryError
        self.data = data
        self.room = room
        return 0

    cdef inline int tag(self, int tag) except -1:
        if self.room - self.used < 1:
            self.grow(1)
        self.data[self.used] = <char>tag
        self.used += 1
        return 0

    cdef inline int varint(self, uint64_t n) except -1:
        if self.room - self.used < 10:
            self.grow(10)
        while n >= 0x80:
            self.data[self.used] = <char>(n | 0x80)
            self.used += 1
            n >>= 7
        self.data[self.used] = <char>n
        self.used += 1
        return 0

    cdef inline int raw(self, const void *data, Py_ssize_t size) except -1:
        if self.room - self.used < size:
            self.grow(size)
        memcpy(self.data + self.used, data, size)
        self.used += size
        return 0

    # ---- numbers of objects ------------------------------------------------------------------------------
    cdef inline Py_ssize_t find(self, PyObject *o) noexcept:
        """The number of an object, or -1."""
        cdef size_t i = (<size_t>o >> 4) * <size_t>0x9E3779B97F4A7C15 >> 20
        while True:
            i &= self.mask
            if self.keys[i] == o:
                return self.places[i]
            if self.keys[i] == NULL:
                return -1
            i += 1

    cdef Py_ssize_t add(self, PyObject *o, int state) except -1:
        """The number of a new object."""
        cdef Py_ssize_t number = self.count
        cdef size_t i
        cdef uint8_t *states
        if number * 2 > self.mask:
            self.widen()
        if number == self.states_room:
            states = <uint8_t *>PyMem_RawRealloc(self.states, self.states_room * 4)
            if states == NULL:
                raise MemoryError
            self.states = states
            self.states_room *= 4
        if number >= 0xFFFFFFF0:
            raise Unsaved("there are too many objects")
        i = (<size_t>o >> 4) * <size_t>0x9E3779B97F4A7C15 >> 20
        while self.keys[i & self.mask] != NULL:
            i += 1
        self.keys[i & self.mask] = o
        self.places[i & self.mask] = <uint32_t>number
        self.states[number] = <uint8_t>state
        self.count += 1
        return number

    cdef int widen(self) except -1:
        cdef Py_ssize_t size = (self.mask + 1) * 4, i
        cdef PyObject **keys = <PyObject **>PyMem_RawCalloc(size, sizeof(PyObject *))
        cdef uint32_t *places = <uint32_t *>PyMem_RawMalloc(size * sizeof(uint32_t))
        cdef size_t at
        if keys == NULL or places == NULL:
            PyMem_RawFree(keys)
            PyMem_RawFree(places)
            raise MemoryError
        for i in range(self.mask + 1):
            if self.keys[i] != NULL:
                at = (<size_t>self.keys[i] >> 4) * <size_t>0x9E3779B97F4A7C15 >> 20
                while keys[at & (size - 1)] != NULL:
                    at += 1
                keys[at & (size - 1)] = self.keys[i]
                places[at & (size - 1)] = self.places[i]
        PyMem_RawFree(self.keys)
        PyMem_RawFree(self.places)
        self.keys = keys
        self.places = places
        self.mask = size - 1
        return 0

    cdef int integer(self, value) except -1:
        cdef int overflow = 0
        cdef int64_t n = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow:
            if 0 <= n < 0x80:
                return self.tag(T_SMALL | <int>n)
            self.tag(T_INT)
            return self.varint((<uint64_t>n << 1) ^ <uint64_t>(n >> 63))
        size = value.bit_length() // 8 + 1
        data = value.to_bytes(size, "little", signed=True)
        self.tag(T_BIG)
        self.varint(size)
        return self.raw(<const char *><bytes>data, size)

    cdef int real(self, double value) except -1:
        return self.raw(&value, 8)
