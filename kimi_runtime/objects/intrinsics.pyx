# cython: binding=False, wraparound=True, boundscheck=True
"""Intrinsics: what PEP 695 and PEP 696 syntax makes, the display of interactive mode, and what runs a program that awaits."""
from cpython.ref cimport PyObject
from libc.stdint cimport uint32_t

from kimi_runtime.objects.type_params cimport generic_base, inferred_param_spec, inferred_type_var, type_alias, type_var_tuple

cdef extern from "Python.h":
    PyObject *PyErr_Format(PyObject *exc_type, const char *format, ...) noexcept
    PyObject *PyExc_SystemError


cdef object find_cell_runner = None


def use_cell_runner(finder):
    """The function that gives the guest function which runs the coroutine of a program that awaits at its top level."""
    global find_cell_runner
    find_cell_runner = finder


cdef object print_expression(value):
    from kimi_runtime.objects.builtins import display_hook
    display_hook()(value)
    return None


cdef object call(number, PyObject **args):
    cdef int which = number
    if which == 0:
        return inferred_type_var(<object>args[0], <object>args[1], None, <object>args[2])
    if which == 1:
        return inferred_type_var(<object>args[0], None, <object>args[1], <object>args[2])
    if which == 2:
        return inferred_param_spec(<object>args[0], <object>args[1])
    if which == 3:
        return type_var_tuple(<object>args[0], <object>args[1])
    if which == 4:
        return type_alias(<object>args[0], <object>args[1], tuple(<object>args[2]))
    if which == 5:
        return generic_base(tuple(<object>args[0]))
    if which == 6:
        return print_expression(<object>args[0])
    if which == 8:
        return find_cell_runner()
    raise SystemError(f"unknown intrinsic {which}")


ctypedef PyObject *(*raw_call)(PyObject *, PyObject **) noexcept
cdef raw_call try_call = <raw_call><void *>call


cdef PyObject *intrinsic(uint32_t number, PyObject **args) noexcept:
    cdef object which = number
    return try_call(<PyObject *>which, args)


def intrinsic_for_test(number, *args):
    """One intrinsic, for tests."""
    cdef PyObject *raw[3]
    cdef Py_ssize_t i
    for i, each in enumerate(args):
        raw[i] = <PyObject *>each
    return call(number, raw)
