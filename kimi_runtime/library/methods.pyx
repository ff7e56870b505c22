# cython: binding=False, wraparound=True, boundscheck=True
"""Python functions of the host's classes, for classes of the host that guests see.

Some exceptions that C code raises are classes written in Python.  A guest that held one of their functions could change
its defaults for all, so the classes get opaque methods in their place.
"""
cimport cython

import re
import types

from kimi_runtime._core import host_module
from kimi_runtime.objects.class_builder import freeze_class
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots


cdef extern from "Python.h":
    unsigned long IMMUTABLE_TYPE "Py_TPFLAGS_IMMUTABLETYPE"

cdef extern from *:
    """
    /* Templates of re reach a cache of the host's module re: what is a subclass of str or bytes goes there as a plain copy,
       so that the cache never calls methods that a guest wrote. */
    static PyObject *k_plain(PyObject *value) {
        if (PyUnicode_Check(value)) {
            return PyUnicode_CheckExact(value) ? Py_NewRef(value) : PyUnicode_FromObject(value);
        }
        if (PyBytes_CheckExact(value) || PyByteArray_CheckExact(value) || PyCallable_Check(value)) { return Py_NewRef(value); }
        if (PyBytes_Check(value)) { return PyBytes_FromStringAndSize(PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value)); }
        return PyObject_CheckBuffer(value) ? PyBytes_FromObject(value) : Py_NewRef(value);
    }
    typedef PyObject *(*k_fast)(PyObject *, PyTypeObject *, PyObject *const *, size_t, PyObject *);
    static PyObject *k_call_plain(k_fast original, const char *name, PyObject *self, PyTypeObject *cls,
                                  PyObject *const *args, size_t nargs, PyObject *kwnames) {
        PyObject *copy[8], *plain, *result;
        size_t i, total = nargs + (kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames)), at = 0;
        if (total == 0 || total > 8) { return original(self, cls, args, nargs, kwnames); }
        if (nargs == 0) {
            while (at < total && PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, at), name) != 0) { at++; }
            if (at == total) { return original(self, cls, args, nargs, kwnames); }
        }
        plain = k_plain(args[at]);
        if (plain == NULL) { return NULL; }
        for (i = 0; i < total; i++) { copy[i] = args[i]; }
        copy[at] = plain;
        result = original(self, cls, copy, nargs, kwnames);
        Py_DECREF(plain);
        return result;
    }
    static k_fast k_sub, k_subn, k_expand;
    typedef PyObject *(*k_faster)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
    static k_faster k_expand_faster;
    static PyObject *k_plain_sub(PyObject *s, PyTypeObject *c, PyObject *const *a, size_t n, PyObject *k) {
        return k_call_plain(k_sub, "repl", s, c, a, n, k);
    }
    static PyObject *k_plain_subn(PyObject *s, PyTypeObject *c, PyObject *const *a, size_t n, PyObject *k) {
        return k_call_plain(k_subn, "repl", s, c, a, n, k);
    }
    static PyObject *k_plain_expand(PyObject *s, PyTypeObject *c, PyObject *const *a, size_t n, PyObject *k) {
        return k_call_plain(k_expand, "template", s, c, a, n, k);
    }
    static PyObject *k_expand_adapter(PyObject *s, PyTypeObject *c, PyObject *const *a, size_t n, PyObject *k) {
        return k_expand_faster(s, a, (Py_ssize_t)n, k);
    }
    static PyObject *k_plain_expand_faster(PyObject *s, PyObject *const *a, Py_ssize_t n, PyObject *k) {
        return k_call_plain(k_expand_adapter, "template", s, NULL, a, (size_t)n, k);
    }
    static int k_guard(PyObject *descriptor, k_fast *original, k_fast guard) {
        PyMethodDef *method;
        if (Py_TYPE(descriptor) != &PyMethodDescr_Type) { return -1; }
        method = ((PyMethodDescrObject *)descriptor)->d_method;
        if (method->ml_flags != (METH_METHOD | METH_FASTCALL | METH_KEYWORDS)) { return -1; }
        if (method->ml_meth == (PyCFunction)(void (*)(void))guard) { return 0; }
        *original = (k_fast)(void (*)(void))method->ml_meth;
        method->ml_meth = (PyCFunction)(void (*)(void))guard;
        return 0;
    }
    static int k_guard_templates(PyObject *sub, PyObject *subn, PyObject *expand) {
        PyMethodDef *method;
        if (k_guard(sub, &k_sub, k_plain_sub) < 0 || k_guard(subn, &k_subn, k_plain_subn) < 0) { return -1; }
        if (Py_TYPE(expand) != &PyMethodDescr_Type) { return -1; }
        method = ((PyMethodDescrObject *)expand)->d_method;
        if (method->ml_flags != (METH_FASTCALL | METH_KEYWORDS)) { return k_guard(expand, &k_expand, k_plain_expand); }
        if (method->ml_meth != (PyCFunction)(void (*)(void))k_plain_expand_faster) {
            k_expand_faster = (k_faster)(void (*)(void))method->ml_meth;
            method->ml_meth = (PyCFunction)(void (*)(void))k_plain_expand_faster;
        }
        return 0;
    }

    /* The functions of struct look formats up in a cache that belongs to the process: the same for them. */
    typedef PyObject *(*k_fast_plain)(PyObject *, PyObject *const *, Py_ssize_t);
    static PyObject *k_with_plain(k_fast_plain function, k_faster with_keywords, PyObject *self, PyObject *const *args,
                                  Py_ssize_t nargs, PyObject *kwnames) {
        PyObject **copy, *plain, *result;
        Py_ssize_t i, total = nargs + (kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames));
        if (nargs == 0 || PyUnicode_CheckExact(args[0]) || PyBytes_CheckExact(args[0])) {
            return function != NULL ? function(self, args, nargs) : with_keywords(self, args, nargs, kwnames);
        }
        plain = k_plain(args[0]);
        if (plain == NULL) { return NULL; }
        copy = PyMem_Malloc(total * sizeof(PyObject *));
        if (copy == NULL) { Py_DECREF(plain); return PyErr_NoMemory(); }
        for (i = 0; i < total; i++) { copy[i] = args[i]; }
        copy[0] = plain;
        result = function != NULL ? function(self, copy, nargs) : with_keywords(self, copy, nargs, kwnames);
        PyMem_Free(copy);
        Py_DECREF(plain);
        return result;
    }
    static k_fast_plain k_struct_pack;
    static PyObject *k_plain_pack(PyObject *m, PyObject *const *a, Py_ssize_t n) {
        return k_with_plain(k_struct_pack, NULL, m, a, n, NULL);
    }
    static k_fast_plain k_struct_pack_into;
    static PyObject *k_plain_pack_into(PyObject *m, PyObject *const *a, Py_ssize_t n) {
        return k_with_plain(k_struct_pack_into, NULL, m, a, n, NULL);
    }
    static k_fast_plain k_struct_unpack;
    static PyObject *k_plain_unpack(PyObject *m, PyObject *const *a, Py_ssize_t n) {
        return k_with_plain(k_struct_unpack, NULL, m, a, n, NULL);
    }
    static k_faster k_struct_unpack_from;
    static PyObject *k_plain_unpack_from(PyObject *m, PyObject *const *a, Py_ssize_t n, PyObject *k) {
        return k_with_plain(NULL, k_struct_unpack_from, m, a, n, k);
    }
    static k_fast_plain k_struct_iter_unpack;
    static PyObject *k_plain_iter_unpack(PyObject *m, PyObject *const *a, Py_ssize_t n) {
        return k_with_plain(k_struct_iter_unpack, NULL, m, a, n, NULL);
    }
    static PyCFunction k_struct_calcsize;
    static PyObject *k_plain_calcsize(PyObject *m, PyObject *format) {
        PyObject *result, *plain = k_plain(format);
        if (plain == NULL) { return NULL; }
        result = k_struct_calcsize(m, plain);
        Py_DECREF(plain);
        return result;
    }
    #define K_GUARD_STRUCT(name, flags) \\
        if (strcmp(method->ml_name, #name) == 0) { \\
            if (method->ml_flags != (flags)) { return -1; } \\
            if (method->ml_meth != (PyCFunction)(void (*)(void))k_plain_##name) { \\
                *(void **)&k_struct_##name = *(void **)&method->ml_meth; \\
                method->ml_meth = (PyCFunction)(void (*)(void))k_plain_##name; \\
            } \\
            return 0; \\
        }
    static int k_guard_struct(PyObject *function) {
        PyMethodDef *method;
        if (!PyCFunction_Check(function)) { return -1; }
        method = ((PyCFunctionObject *)function)->m_ml;
        K_GUARD_STRUCT(pack, METH_FASTCALL)
        K_GUARD_STRUCT(pack_into, METH_FASTCALL)
        K_GUARD_STRUCT(unpack, METH_FASTCALL)
        K_GUARD_STRUCT(unpack_from, METH_FASTCALL | METH_KEYWORDS)
        K_GUARD_STRUCT(iter_unpack, METH_FASTCALL)
        K_GUARD_STRUCT(calcsize, METH_O)
        return -1;
    }
    """
    int k_guard_struct(object function) noexcept
    int k_guard_templates(object sub, object subn, object expand) noexcept


@cython.final
@cython.auto_pickle(False)
cdef class HostMethod:
    """Calls a function of the host, and is a method where the function was one."""
    cdef object function

    def __cinit__(self, function):
        self.function = function

    def __call__(self, *args, **keywords):
        return self.function(*args, **keywords)

    def __get__(self, instance, owner):
        return self if instance is None else types.MethodType(self, instance)

    @property
    def __name__(self):
        return self.function.__name__

    @property
    def __qualname__(self):
        return self.function.__qualname__

    @property
    def __module__(self):
        return self.function.__module__

    @property
    def __doc__(self):
        return self.function.__doc__

    def __repr__(self):
        return f"<function {self.function.__qualname__} at {id(self):#x}>"


get_slots(HostMethod).tp_name = b"function"
PyType_Modified(get_slots(HostMethod))


def open_to_guests(cls):
    """Makes a class of the host that is written in Python fit to be seen by guests: opaque methods, and immutable."""
    get_slots(cls).tp_flags &= ~IMMUTABLE_TYPE
    for name, value in list(vars(cls).items()):
        if isinstance(value, types.FunctionType):
            setattr(cls, name, HostMethod(value))
        elif isinstance(value, (staticmethod, classmethod)) and isinstance(value.__func__, types.FunctionType):
            setattr(cls, name, type(value)(HostMethod(value.__func__)))
        elif type(value) is property:
            setattr(cls, name, property(*[HostMethod(each) if isinstance(each, types.FunctionType) else each
                                          for each in (value.fget, value.fset, value.fdel)], value.__doc__))
    freeze_class(cls)


def thaw_class(cls):
    """Makes a class that was frozen changeable again, while library code is loaded that changes it."""
    get_slots(cls).tp_flags &= ~IMMUTABLE_TYPE
    PyType_Modified(get_slots(cls))


def guard_templates():
    """Keeps strings with methods of a guest out of the template cache of the host's ``re``.

    Raises ImportError when this Python's ``Pattern.sub`` is not a function that can be guarded.
    """
    pattern, match = vars(re.Pattern), vars(re.Match)
    if k_guard_templates(pattern["sub"], pattern["subn"], match["expand"]) < 0:
        raise ImportError("this Python's re.Pattern.sub is not a function that can be guarded")


def guard_strptime():
    """Keeps strings with methods of a guest out of the format cache of the host's ``_strptime``."""
    _strptime = host_module("_strptime")
    original = _strptime._strptime
    if type(original) is not types.FunctionType or original.__name__ != "_strptime":
        return

    def plain_strptime(data_string, format="%a %b %d %H:%M:%S %Y"):
        if isinstance(data_string, str):
            data_string = str.__str__(data_string)
        if isinstance(format, str):
            format = str.__str__(format)
        return original(data_string, format)

    _strptime._strptime = plain_strptime


def guard_struct():
    """Keeps format strings with methods of a guest out of the format cache of the host's ``_struct``.

    Raises ImportError when this Python's functions cannot be guarded.
    """
    _struct = host_module("_struct")
    for name in ("pack", "pack_into", "unpack", "unpack_from", "iter_unpack", "calcsize"):
        if k_guard_struct(getattr(_struct, name)) < 0:
            raise ImportError(f"this Python's struct.{name} is not a function that can be guarded")
