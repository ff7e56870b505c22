# cython: binding=False, wraparound=True, boundscheck=True
"""``operator.attrgetter`` and ``operator.methodcaller``, which read attributes as a guest may, and ``operator.is_`` and
``operator.is_not``, for which numbers are the same as for `is`."""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.bridge.gate cimport gate_guards, gate_load
from kimi_runtime.objects.identity cimport is_same_object
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots
from kimi_runtime.vm.values cimport Py_DECREF

import sys
from functools import partial

cdef extern from "Python.h":
    PyObject *PyObject_GetAttr(PyObject *o, PyObject *name) noexcept

cdef extern from *:
    """
    static int k_getter_failed(void) { return -1; }
    """
    int raise_pending "k_getter_failed"() except -1


cdef object read(o, str name):
    """``o.name`` through the gate."""
    cdef PyObject *found
    hash(name)
    if gate_guards(<PyObject *>o, <PyObject *>name):
        found = gate_load(<PyObject *>o, <PyObject *>name)
    else:
        found = PyObject_GetAttr(<PyObject *>o, <PyObject *>name)
    if found == NULL:
        raise_pending()
    value = <object>found
    Py_DECREF(found)
    return value


cdef object read_path(o, path):
    """An attribute, or for a tuple of names the attribute of an attribute."""
    if type(path) is str:
        return read(o, path)
    for name in <tuple>path:
        o = read(o, name)
    return o


cdef object operand(str name, tuple args, dict kwargs):
    """The one argument of a call."""
    if kwargs:
        raise TypeError(f"{name}() takes no keyword arguments")
    if len(args) != 1:
        raise TypeError(f"{name} expected 1 argument, got {len(args)}")
    return args[0]


@cython.final
@cython.auto_pickle(False)
cdef class attrgetter:
    """Return a callable object that fetches the given attribute(s) from its operand.

    After f = attrgetter('name'), the call f(r) returns r.name.
    After g = attrgetter('name', 'date'), the call g(r) returns (r.name, r.date).
    After h = attrgetter('name.first', 'name.last'), the call h(r) returns
    (r.name.first, r.name.last).
    """
    cdef tuple names        # as they were given
    cdef list paths         # for each name: itself, or the tuple of its parts

    def __cinit__(self, *attrs, **kwargs):
        if kwargs:
            raise TypeError("attrgetter() takes no keyword arguments")
        if not attrs:
            raise TypeError("attrgetter expected 1 argument, got 0")
        names, paths = [], []
        for attr in attrs:
            if not isinstance(attr, str):
                raise TypeError("attribute name must be a string")
            name = sys.intern(str(attr))
            names.append(name)
            paths.append(tuple([sys.intern(part) for part in name.split(".")]) if "." in name else name)
        self.names = tuple(names)
        self.paths = paths

    def __call__(self, *args, **kwargs):
        obj = operand("attrgetter", args, kwargs)
        if len(self.paths) == 1:
            return read_path(obj, self.paths[0])
        return tuple([read_path(obj, path) for path in self.paths])

    def __repr__(self):
        return f"operator.attrgetter({', '.join([repr(name) for name in self.names])})"

    def __reduce__(self):
        return attrgetter, self.names


@cython.final
@cython.auto_pickle(False)
cdef class methodcaller:
    """Return a callable object that calls the given method on its operand.

    After f = methodcaller('name'), the call f(r) returns r.name().
    After g = methodcaller('name', 'date', foo=1), the call g(r) returns
    r.name('date', foo=1).
    """
    cdef str name
    cdef tuple args
    cdef dict kwargs

    def __cinit__(self, *args, **kwargs):
        if not args:
            raise TypeError("methodcaller needs at least one argument, the method name")
        if not isinstance(args[0], str):
            raise TypeError("method name must be a string")
        self.name = sys.intern(str(args[0]))
        self.args = args[1:]
        self.kwargs = kwargs

    def __call__(self, *args, **kwargs):
        method = read(operand("methodcaller", args, kwargs), self.name)
        if self.kwargs:
            return method(*self.args, **self.kwargs)
        return method(*self.args)

    def __repr__(self):
        shown = [repr(self.name)] + [repr(each) for each in self.args]
        shown += [f"{key}={value!r}" for key, value in self.kwargs.items()]
        return f"operator.methodcaller({', '.join(shown)})"

    def __reduce__(self):
        if not self.kwargs:
            return methodcaller, (self.name, *self.args)
        return partial(methodcaller, self.name, **self.kwargs), self.args


cdef int name_types() except -1:
    get_slots(attrgetter).tp_name = b"operator.attrgetter"
    get_slots(methodcaller).tp_name = b"operator.methodcaller"
    PyType_Modified(get_slots(attrgetter))
    PyType_Modified(get_slots(methodcaller))
    return 0


name_types()


cdef bint same_pair(str name, tuple args, dict keywords) except -1:
    if keywords:
        raise TypeError(f"_operator.{name}() takes no keyword arguments")
    if len(args) != 2:
        raise TypeError(f"{name} expected 2 arguments, got {len(args)}")
    return is_same_object(<PyObject *>args[0], <PyObject *>args[1])


def is_(*args, **keywords):
    """is_($module, a, b, /)\n--\n\nSame as a is b."""
    return same_pair("is_", args, keywords)


def is_not(*args, **keywords):
    """is_not($module, a, b, /)\n--\n\nSame as a is not b."""
    return not same_pair("is_not", args, keywords)


for function in (is_, is_not):
    function.__module__ = "_operator"
del function
