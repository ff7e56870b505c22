"""What a number is the same as: numbers that registers hold unboxed have no address, so type and bits are what they are."""
from cpython.ref cimport PyObject
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    /* 1 for an int of 64 bits, 5 for a float that is no NaN, and its bits; else 0. The low four bits of addresses are 0. */
    static inline int k_number_bits(PyObject *o, uint64_t *bits) {
        if (PyLong_CheckExact(o)) {
            int overflow;
            *bits = (uint64_t)PyLong_AsLongLongAndOverflow(o, &overflow);
            return !overflow;
        }
        if (PyFloat_CheckExact(o)) {
            double d = PyFloat_AS_DOUBLE(o);
            memcpy(bits, &d, sizeof d);
            return d == d ? 5 : 0;
        }
        return 0;
    }
    static int k_is_same_object(PyObject *a, PyObject *b) {
        uint64_t x, y;
        int kind;
        return a == b || (Py_TYPE(a) == Py_TYPE(b) && (kind = k_number_bits(a, &x)) && kind == k_number_bits(b, &y) && x == y);
    }
    /* Returns a new reference, or NULL with an exception set. */
    static PyObject *k_identity(PyObject *o) {
        uint64_t bits;
        int kind = k_number_bits(o, &bits);
        unsigned char bytes[9];
        if (!kind) return PyLong_FromVoidPtr(o);
        if (!(bits >> 59)) return PyLong_FromUnsignedLongLong(bits << 4 | kind);
        for (int i = 0; i < 9; i++) bytes[i] = (unsigned char)((i ? bits >> (8 * i - 4) : bits << 4) | (i ? 0 : kind));
        return _PyLong_FromByteArray(bytes, 9, 1, 0);
    }
    """
    bint is_same_object "k_is_same_object"(PyObject *a, PyObject *b) noexcept
    object identity "k_identity"(PyObject *o)
