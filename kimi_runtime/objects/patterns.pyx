# cython: binding=False, wraparound=True, boundscheck=True
"""Mapping and class patterns, with CPython's errors."""
from cpython.ref cimport PyObject

from kimi_runtime.objects.function cimport read_as_guest
from kimi_runtime.objects.slots cimport get_slots, type_name_of

import sys

cdef extern from "Python.h":
    bint PyType_Check(object o)
    unsigned long MATCH_SELF "_Py_TPFLAGS_MATCH_SELF"

cdef object MISSING = object()


cdef str NOT_A_CLASS = "called match pattern must be a class" if sys.version_info >= (3, 12) else \
    "called match pattern must be a type"


cdef object keys_of(subject, tuple keys):
    cdef set seen
    cdef list values = []
    if not keys:
        return ()
    seen = set()
    get = subject.get       # two arguments: no __missing__, and one look-up for test and value
    for key in keys:
        if key in seen:
            raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
        seen.add(key)
        value = get(key, MISSING)
        if value is MISSING:
            return None
        values.append(value)
    return tuple(values)


cdef str name_of_class(cls):
    return (<bytes>get_slots(cls).tp_name).decode("utf-8", "replace")


cdef int take_attribute(list values, list seen, subject, cls, name) except -1:
    """Appends the attribute; 0 when there is none."""
    if name in seen:
        raise TypeError(f"{name_of_class(cls)}() got multiple sub-patterns for attribute {name!r}")
    seen.append(name)
    value = read_as_guest(subject, name, MISSING)
    if value is MISSING:
        return 0
    values.append(value)
    return 1


cdef object class_attributes(subject, cls, tuple names, Py_ssize_t npos):
    cdef list values, seen
    cdef Py_ssize_t allowed, i
    cdef bint match_self = False
    if not PyType_Check(cls):
        raise TypeError(NOT_A_CLASS)
    if not isinstance(subject, cls):
        return None
    if npos:
        match_args = getattr(cls, "__match_args__", MISSING)
        if match_args is MISSING:
            match_args = ()
            match_self = get_slots(cls).tp_flags & MATCH_SELF != 0
        elif type(match_args) is not tuple:
            raise TypeError(f"{name_of_class(cls)}.__match_args__ must be a tuple (got {type_name_of(match_args)})")
        allowed = 1 if match_self else len(match_args)
        if allowed < npos:
            raise TypeError(f"{name_of_class(cls)}() accepts {allowed} positional sub-pattern"
                            f"{'' if allowed == 1 else 's'} ({npos} given)")
        if match_self and not names:
            return (subject,)
    elif not names:
        return ()
    values = []
    seen = []
    if match_self:
        values.append(subject)
    else:
        for i in range(npos):
            name = match_args[i]
            if type(name) is not str:
                raise TypeError(f"__match_args__ elements must be strings (got {type_name_of(name)})")
            if not take_attribute(values, seen, subject, cls, name):
                return None
    for name in names:
        if not take_attribute(values, seen, subject, cls, name):
            return None
    return tuple(values)


cdef object without(subject, tuple keys):
    cdef dict rest = {}
    rest.update(subject)
    for key in keys:
        del rest[key]
    return rest


ctypedef PyObject *(*raw2)(PyObject *, PyObject *) noexcept
ctypedef PyObject *(*raw_class)(PyObject *, PyObject *, PyObject *, Py_ssize_t) noexcept
match_keys = <raw2><void *>keys_of
map_without = <raw2><void *>without
match_class = <raw_class><void *>class_attributes


def match_class_for_test(subject, cls, names, npos):
    return class_attributes(subject, cls, names, npos)


def match_keys_for_test(subject, keys):
    return keys_of(subject, keys)
