# The tagged value of a register, and the reference rules for it.
#
# OWNER RULE: a Value whose tag has OWNED set holds one strong reference. Copying the 16 bytes moves the
# reference; `value_copy` makes a second one. Overwriting a register: put the new value in first, then release the
# old one, because releasing may run guest code that looks at the register.
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        pass

cdef extern from "layout.h":
    int k_long_as_int64(PyObject *o, int64_t *out) noexcept
    bint k_stays_object(PyTypeObject *t) noexcept
    PyObject *k_box_int(int64_t v) noexcept
    bint K_LIKELY(bint x) noexcept
    bint K_UNLIKELY(bint x) noexcept
    bint K_EVEN(bint x) noexcept

cdef extern from "Python.h":
    PyObject *Py_True
    PyObject *Py_False
    PyObject *Py_None
    PyTypeObject PyLong_Type
    PyTypeObject PyFloat_Type
    PyTypeObject PyBool_Type
    PyTypeObject *Py_TYPE(PyObject *o) noexcept
    void Py_INCREF(PyObject *o) noexcept
    void Py_DECREF(PyObject *o) noexcept
    void Py_XINCREF(PyObject *o) noexcept
    void Py_XDECREF(PyObject *o) noexcept
    PyObject *PyLong_FromLongLong(long long v) noexcept
    PyObject *PyFloat_FromDouble(double v) noexcept
    double PyFloat_AS_DOUBLE(PyObject *o) noexcept

cdef enum Tag:
    T_UNDEF = 0        # empty
    T_NONE = 1
    T_BOOL = 2         # .i is 0 or 1
    T_INT = 3          # .i
    T_FLOAT = 4        # .d, never NaN (NaN stays boxed so that identity tests on it work)
    T_RANGE = 6        # iterator register: .i next, following registers hold stop and step
    T_OWNED = 8        # bit: .o is a strong reference
    T_OBJ = 8          # any other object
    T_IT_LIST = 9      # iterator registers: list and index
    T_IT_TUPLE = 10
    T_IT_GEN = 11      # our generator
    T_IT_OBJ = 12      # any iterator: tp_iternext
    T_IT_STR = 13      # iterator registers: str and index
    T_IT_DICT = 24     # dict; position; items left and size at the start. Yields keys ...
    T_IT_VALUES = 25   # ... values
    T_IT_ITEMS = 26    # ... or pairs, as the next two
    T_IT_ENUM = 27     # iterator and next index
    T_IT_ZIP = 28      # tuple of two iterators

ctypedef union Payload:
    int64_t i
    double d
    PyObject *o

ctypedef struct Value:
    uint64_t tag        # as wide as the copies of it are read: a narrow store would stall the wide load that follows
    Payload u

cdef inline void value_release(Value *v) noexcept:
    """Drops the reference in a dead slot; the slot's bits are left stale."""
    if v.tag & T_OWNED:
        Py_DECREF(v.u.o)

cdef inline void value_clear(Value *v) noexcept:
    """Empties a slot; safe against code that the release runs."""
    cdef PyObject *o
    if v.tag & T_OWNED:
        o = v.u.o
        v.tag = T_UNDEF
        Py_DECREF(o)
    else:
        v.tag = T_UNDEF

cdef inline void value_move(Value *to, const Value *source) noexcept:
    """Moves the bits to a dead slot; the source is left stale. Field by field: reading 16 bytes at once that were just
    written as two words costs a stall."""
    to.tag = source.tag
    to.u.i = source.u.i

cdef inline void value_copy(Value *to, const Value *source) noexcept:
    """Writes a second reference to a dead slot."""
    to.tag = source.tag
    to.u.i = source.u.i
    if to.tag & T_OWNED:
        Py_INCREF(to.u.o)

cdef inline void value_steal(Value *to, PyObject *o) noexcept:
    """Writes an object to a dead slot, unboxing it; takes over the caller's reference."""
    cdef PyTypeObject *t = Py_TYPE(o)
    cdef int64_t i
    cdef double d
    if K_EVEN(t == &PyLong_Type):
        if K_LIKELY(k_long_as_int64(o, &i)):
            to.u.i = i
            to.tag = T_INT
            Py_DECREF(o)
            return
    elif K_LIKELY(k_stays_object(t)):
        pass
    elif t == &PyFloat_Type:
        d = PyFloat_AS_DOUBLE(o)
        if K_LIKELY(d == d):
            to.u.d = d
            to.tag = T_FLOAT
            Py_DECREF(o)
            return
    elif o == Py_None:
        to.tag = T_NONE
        to.u.i = 0
        Py_DECREF(o)
        return
    elif t == &PyBool_Type:
        to.tag = T_BOOL
        to.u.i = o == Py_True
        Py_DECREF(o)
        return
    to.tag = T_OBJ
    to.u.o = o

cdef inline void value_borrowed(Value *to, PyObject *o) noexcept:
    """Writes an object to a dead slot, unboxing it; the caller keeps its reference."""
    cdef PyTypeObject *t = Py_TYPE(o)
    cdef int64_t i
    cdef double d
    if K_EVEN(t == &PyLong_Type):
        if K_LIKELY(k_long_as_int64(o, &i)):
            to.u.i = i
            to.tag = T_INT
            return
    elif K_LIKELY(k_stays_object(t)):
        pass
    elif t == &PyFloat_Type:
        d = PyFloat_AS_DOUBLE(o)
        if K_LIKELY(d == d):
            to.u.d = d
            to.tag = T_FLOAT
            return
    elif o == Py_None:
        to.tag = T_NONE
        to.u.i = 0
        return
    elif t == &PyBool_Type:
        to.tag = T_BOOL
        to.u.i = o == Py_True
        return
    Py_INCREF(o)
    to.tag = T_OBJ
    to.u.o = o

cdef inline PyObject *value_object(const Value *v) noexcept:
    """The value as an object: a new reference. NULL (MemoryError set) when boxing fails; not for T_UNDEF."""
    cdef PyObject *o
    if v.tag & T_OWNED:
        o = v.u.o
        Py_INCREF(o)
        return o
    if K_LIKELY(v.tag == T_INT):
        return k_box_int(v.u.i)
    if v.tag == T_FLOAT:
        return PyFloat_FromDouble(v.u.d)
    if v.tag == T_BOOL:
        o = Py_True if v.u.i else Py_False
    else:
        o = Py_None
    Py_INCREF(o)
    return o

cdef inline PyObject *value_take(Value *v) noexcept:
    """As value_object, but moves the reference out and empties the slot."""
    cdef PyObject *o
    if v.tag & T_OWNED:
        o = v.u.o
        v.tag = T_UNDEF
        return o
    o = value_object(v)
    v.tag = T_UNDEF
    return o
