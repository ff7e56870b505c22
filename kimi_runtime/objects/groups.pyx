# cython: binding=False, wraparound=True, boundscheck=True
"""Exception groups in ``except*``."""
from cpython.ref cimport PyObject

from kimi_runtime.objects.slots cimport type_name_of
from kimi_runtime.vm.values cimport Py_DECREF, Py_INCREF

import sys

cdef extern from "Python.h":
    bint PyExceptionClass_Check(object o)
    int PyErr_GivenExceptionMatches(object raised, object wanted)

cdef str CANNOT_CATCH = "catching classes that do not inherit from BaseException is not allowed"
cdef str CANNOT_CATCH_GROUP = "catching ExceptionGroup with except* is not allowed. Use except instead."


cdef int check_type(match_type) except -1:
    cdef tuple types = match_type if isinstance(match_type, tuple) else (match_type,)
    for each in types:
        if not PyExceptionClass_Check(each):
            raise TypeError(CANNOT_CATCH)
    for each in types:
        if issubclass(each, BaseExceptionGroup):
            raise TypeError(CANNOT_CATCH_GROUP)
    return 0


cdef object split(exc, match_type):
    """(matching part, rest)."""
    check_type(match_type)
    if exc is None:
        return None, None
    if PyErr_GivenExceptionMatches(exc, match_type):
        if issubclass(type(exc), BaseExceptionGroup):
            return exc, None
        return BaseExceptionGroup("", (exc,)), None
    if issubclass(type(exc), BaseExceptionGroup):
        pair = exc.split(match_type)
        if not isinstance(pair, tuple):
            raise TypeError(f"{type_name_of(exc)}.split must return a tuple, not {type_name_of(pair)}")
        if len(pair) < 2:
            raise TypeError(f"{type_name_of(exc)}.split must return a 2-tuple, got tuple of size {len(pair)}")
        for each in pair[:2]:
            if each is not None and not issubclass(type(each), BaseException):
                # CPython takes whatever it is for an exception, to the point of reading memory that is none.
                raise TypeError(f"{type_name_of(exc)}.split must return a 2-tuple of exceptions or None, got "
                                f"{type_name_of(each)}")
        if pair[0] is None and sys.version_info < (3, 12):
            return None, exc                    # later ones go on with the copy that split made
        return pair[0], pair[1]
    return None, exc


ctypedef PyObject *(*raw2)(PyObject *, PyObject *) noexcept
cdef raw2 raw_split = <raw2><void *>split


cdef int split_group(PyObject *exc, PyObject *match_type, PyObject **matched, PyObject **rest) noexcept:
    cdef PyObject *pair = raw_split(exc, match_type)
    if pair == NULL:
        return -1
    matched[0] = <PyObject *>(<tuple>pair)[0]
    rest[0] = <PyObject *>(<tuple>pair)[1]
    Py_INCREF(matched[0])
    Py_INCREF(rest[0])
    Py_DECREF(pair)
    return 0


cdef bint same_metadata(a, b):
    return (getattr(a, "__notes__", None) is getattr(b, "__notes__", None) and a.__traceback__ is b.__traceback__
            and a.__cause__ is b.__cause__ and a.__context__ is b.__context__)


cdef int collect_leaves(exc, set found) except -1:
    if issubclass(type(exc), BaseExceptionGroup):
        for each in exc.exceptions:
            collect_leaves(each, found)
    else:
        found.add(id(exc))
    return 0


cdef object projection(group, set leaves):
    """The group with only the given leaves, in its own structure; None when none is left."""
    cdef list kept = []
    for each in group.exceptions:
        if issubclass(type(each), BaseExceptionGroup):
            part = projection(each, leaves)
            if part is not None:
                kept.append(part)
        elif id(each) in leaves:
            kept.append(each)
    if not kept:
        return None
    made = group.derive(kept)
    if not issubclass(type(made), BaseExceptionGroup):
        raise TypeError("derive must return an instance of BaseExceptionGroup")
    made.__traceback__ = group.__traceback__
    made.__context__ = group.__context__
    made.__cause__ = group.__cause__
    notes = getattr(group, "__notes__", None)
    if notes is not None:
        made.__notes__ = list(notes)
    return made


cdef object reraise_star(original, list raised):
    cdef list new = [], again = []
    cdef set leaves = set()
    if not raised:
        return None
    if not isinstance(original, BaseExceptionGroup):
        # A naked exception was wrapped: only one clause can have run.
        return raised[0]
    for each in raised:
        if each is None:
            continue
        if same_metadata(each, original):
            again.append(each)
        else:
            new.append(each)
    rest = None
    if again:
        for each in again:
            collect_leaves(each, leaves)
        rest = projection(original, leaves)
    if not new:
        return rest
    if rest is not None:
        new.append(rest)
    if len(new) > 1:
        return BaseExceptionGroup("", new)
    return new[0]


prepare_reraise_star = <raw2><void *>reraise_star


def split_for_test(exc, match_type):
    return split(exc, match_type)


def reraise_for_test(original, list raised):
    return reraise_star(original, raised)
