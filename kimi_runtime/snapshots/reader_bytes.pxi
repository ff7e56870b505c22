# What a reader takes values from. Included by reader.pyx.

cdef class ByteReader:
    """Bytes, and where in them the next value begins. Each method raises ValueError where they end too early."""
    cdef const uint8_t *data
    cdef Py_ssize_t at, end
    cdef bytes held

    def __cinit__(self, *args, **kwargs):
        self.data = NULL

    cdef int begin(self, bytes data) except -1:
        self.held = data
        self.data = <const uint8_t *><const char *>data
        self.end = len(data)
        return 0

    cdef int need(self, Py_ssize_t size) except -1:
        if size < 0 or size > self.end - self.at:
            raise ValueError("it is cut off")
        return 0

    cdef inline int byte(self) except -1:
        if self.at >= self.end:
            raise ValueError("it is cut off")
        self.at += 1
        return self.data[self.at - 1]

    cdef inline uint64_t varint(self) except? 0xFFFFFFFFFFFFFFFF:
        cdef uint64_t n = 0
        cdef int shift = 0
        cdef uint8_t b
        while True:
            if self.at >= self.end or shift > 63:
                raise ValueError("it is cut off")
            b = self.data[self.at]
            self.at += 1
            n |= <uint64_t>(b & 0x7F) << shift
            if b < 0x80:
                return n
            shift += 7

    cdef inline Py_ssize_t size(self) except -1:
        """A number of things of which each takes a byte at least."""
        cdef uint64_t n = self.varint()
        if n > <uint64_t>(self.end - self.at):
            raise ValueError("it is cut off")
        return <Py_ssize_t>n

    cdef double real(self) except? -1:
        cdef double value
        self.need(8)
        memcpy(&value, self.data + self.at, 8)
        self.at += 8
        return value

    cdef bint truth(self) except -1:
        cdef int tag = self.byte()
        if tag != T_TRUE and tag != T_FALSE:
            raise ValueError("neither true nor false")
        return tag == T_TRUE

    cdef object text(self, bint interned):
        cdef Py_ssize_t size = self.size(), i
        cdef const uint8_t *p = self.data + self.at
        cdef object made
        cdef PyObject *raw
        for i in range(size):
            if p[i] >= 0x80:
                made = PyUnicode_DecodeUTF8(<const char *>p, size, b"surrogatepass")
                break
        else:
            if size == 0:
                made = ""
            else:
                made = PyUnicode_New(size, 127)
                memcpy(PyUnicode_DATA(made), p, size)
        self.at += size
        if interned:
            raw = <PyObject *>made
            Py_INCREF(made)
            PyUnicode_InternInPlace(&raw)
            made = <object>raw
            Py_DECREF(raw)
        return made
