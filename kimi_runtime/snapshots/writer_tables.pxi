# What writer.pyx needs of CPython's C interface, and how each type is saved. Included there.

cdef extern from "layout.h":
    ctypedef struct KDictKeys:
        Py_ssize_t dk_nentries
    ctypedef struct KDictEntry:
        PyObject *key
        PyObject *value
    bint k_type_has_values(PyTypeObject *t) noexcept
    KDictKeys *k_type_keys(PyTypeObject *t) noexcept
    PyObject **k_values(PyObject *o) noexcept
    KDictEntry *k_entries(KDictKeys *k) noexcept

cdef extern from *:
    """
    /* The index of the i-th attribute that was set, in the value table of an instance; -1 beyond the last. */
    static int k_value_at(PyObject **values, int i)
    {
    #if PY_VERSION_HEX >= 0x030D0000
        KValues *v = (KValues *)((char *)values - offsetof(KValues, values));
        return i < v->size ? ((uint8_t *)&v->values[v->capacity])[i] : -1;
    #else
        uint8_t *size = (uint8_t *)values - 2;
        return i < *size ? size[-1 - i] : -1;
    #endif
    }
    /* The dict of an instance, as it is: borrowed, or NULL. For those without a value table. */
    static PyObject *k_instance_dict(PyObject *o)
    {
        PyObject **p = _PyObject_GetDictPtr(o);
        return p == NULL ? NULL : *p;
    }
    static int k_interned(PyObject *o) { return PyUnicode_CHECK_INTERNED(o) != 0; }
    """
    int k_value_at(PyObject **values, int i) noexcept
    PyObject *k_instance_dict(PyObject *o) noexcept
    bint k_interned(PyObject *o) noexcept

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL
    bint PyUnicode_IS_ASCII(PyObject *text) noexcept
    int64_t PyLong_AsLongLongAndOverflow(object value, int *overflow) except? -1
    double PyFloat_AS_DOUBLE(PyObject *value) noexcept
    Py_ssize_t Py_REFCNT(PyObject *value) noexcept
    PyTypeObject PyUnicode_Type, PyLong_Type, PyFloat_Type, PyList_Type, PyTuple_Type, PyDict_Type, PyBool_Type
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL

cdef enum:     # how a type is saved; those above K_VALUES need nothing but their value
    K_LIST = 1, K_TUPLE, K_DICT, K_SET, K_FROZENSET, K_BYTEARRAY, K_BYTES, K_COMPLEX, K_ELLIPSIS, K_NOT_IMPLEMENTED, K_RANGE, K_SLICE
    K_CODE, K_FUNCTION, K_CELL, K_GENERATOR, K_MODULE, K_HOST_FUNCTION, K_METHOD, K_BUILTIN, K_DESCRIPTOR, K_PROPERTY
    K_STATICMETHOD, K_CLASSMETHOD, K_CLASS, K_EXCEPTION, K_DEQUE, K_ORDERED, K_DEFAULT, K_PARTIAL, K_TRACEBACK
    K_OBJECT, K_INSTANCE, K_RUNNING, K_WEAK, K_NAMESPACE, K_CACHED, K_OTHER

cdef dict KINDS = {
    list: K_LIST, tuple: K_TUPLE, dict: K_DICT, set: K_SET, frozenset: K_FROZENSET, bytearray: K_BYTEARRAY, bytes: K_BYTES,
    complex: K_COMPLEX, type(...): K_ELLIPSIS, type(NotImplemented): K_NOT_IMPLEMENTED, range: K_RANGE, slice: K_SLICE,
    Code: K_CODE, Function: K_FUNCTION, Cell: K_CELL, types.ModuleType: K_MODULE, HostFunction: K_HOST_FUNCTION,
    types.MethodType: K_METHOD, types.BuiltinMethodType: K_BUILTIN, types.MethodDescriptorType: K_DESCRIPTOR,
    types.WrapperDescriptorType: K_DESCRIPTOR, types.ClassMethodDescriptorType: K_DESCRIPTOR, property: K_PROPERTY,
    staticmethod: K_STATICMETHOD, classmethod: K_CLASSMETHOD, collections.deque: K_DEQUE, collections.OrderedDict: K_ORDERED,
    collections.defaultdict: K_DEFAULT, types.SimpleNamespace: K_NAMESPACE, functools._lru_cache_wrapper: K_CACHED,
    functools.partial: K_PARTIAL, types.TracebackType: K_TRACEBACK,
}
#: Entries of a class's namespace that its making brings about.
cdef frozenset MADE_BY_TYPE = frozenset({"__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "_abc_impl"})
cdef object class_name = type.__dict__["__name__"].__get__
cdef object class_qualname = type.__dict__["__qualname__"].__get__
cdef object class_contents = type.__dict__["__dict__"].__get__
cdef object class_bases = type.__dict__["__bases__"].__get__
cdef object MethodType = types.MethodType
cdef object weak_callback = ReferenceType.__dict__["__callback__"].__get__
cdef bint values_work = False


def _try_values():
    """Whether value tables of instances are where they are thought to be."""
    global values_work

    class Sample:
        pass

    sample = Sample()
    sample.a, sample.b = 1, "x"
    del sample.a
    sample.c = 2
    cdef PyObject *o = <PyObject *>sample
    cdef PyObject **values
    if not k_type_has_values(Py_TYPE(o)):
        return
    values = k_values(o)
    if values != NULL:
        found = []
        for i in range(8):
            at = k_value_at(values, i)
            if at < 0:
                break
            found.append((<object>k_entries(k_type_keys(Py_TYPE(o)))[at].key, <object>values[at]))
        values_work = found == [("b", "x"), ("c", 2)]


_try_values()


cdef int parts_of_function(Function o) except -1:
    """Which parts of a function its code does not tell."""
    cdef int parts = 0
    if o.defaults is not None:
        parts |= P_DEFAULTS
    if o.kwdefaults is not None:
        parts |= P_KWDEFAULTS
    if o.name is not o.code.name:
        parts |= P_NAME
    if o.qualname is not o.code.qualname:
        parts |= P_QUALNAME
    if o.module is not o.globals.get("__name__"):
        parts |= P_MODULE
    if o.doc is not o.code.docstring:
        parts |= P_DOC
    if o.annotations is not None:
        parts |= P_ANNOTATIONS
    if o.type_params is not None or o.attrs != NULL:
        parts |= P_REST
    return parts
