# Calls into the object modules, with exceptions turned into status values at the border.
from kimi_runtime.objects.tracebacks cimport add_traceback as objects_add_traceback, clear_shadow_frames

from kimi_runtime.objects.class_builder cimport fix_namespace, resolve_cell

cdef inline void add_traceback(PyObject *exc, PyObject *code, PyObject *globals, uint32_t pc) noexcept:
    objects_add_traceback(exc, <Code>code, globals, pc)

cdef inline void generator_finish_raw(PyObject *gen) noexcept:
    generator_finish(<Generator>gen)

cdef PyObject *own(object value) noexcept:
    """A new reference to a Python value."""
    cdef PyObject *raw = <PyObject *>value
    Py_INCREF(raw)
    return raw

cdef object make_builtins():
    from kimi_runtime.objects.builtins import make_builtins
    return make_builtins()


cdef int group_match(Value *exc, Value *t, Value *out) noexcept:
    PyErr_SetString(PyExc_SystemError, b"not here yet")
    return -1

cdef PyObject *prepare_reraise(PyObject *original, PyObject *raised) noexcept:
    PyErr_SetString(PyExc_SystemError, b"not here yet")
    return NULL

cdef PyObject *match_helper(uint32_t op, Value *subject, Value *keys) noexcept:
    PyErr_SetString(PyExc_SystemError, b"not here yet")
    return NULL

cdef PyObject *match_class_helper(Value *subject, Value *at) noexcept:
    PyErr_SetString(PyExc_SystemError, b"not here yet")
    return NULL

cdef PyObject *import_name_helper(Frame *f, PyObject *name, Value *at) noexcept:
    PyErr_SetString(PyExc_SystemError, b"not here yet")
    return NULL

cdef PyObject *import_from_helper(PyObject *module, PyObject *name) noexcept:
    PyErr_SetString(PyExc_SystemError, b"not here yet")
    return NULL

cdef int import_star_helper(Frame *f, Value *module) noexcept:
    PyErr_SetString(PyExc_SystemError, b"not here yet")
    return -1

cdef PyObject *intrinsic_helper(uint32_t number, Value *at) noexcept:
    PyErr_SetString(PyExc_SystemError, b"not here yet")
    return NULL

cdef bint resolve_class_cell(PyObject *cell) noexcept:
    """Whether an empty cell is the __class__ cell of a class that type.__new__ is making: it is filled then."""
    return resolve_cell(<Cell>cell)
