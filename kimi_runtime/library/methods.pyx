# cython: binding=False, wraparound=True, boundscheck=True
"""Python functions of the host's classes, for classes of the host that guests see.

Some exceptions that C code raises are classes written in Python.  A guest that held one of their functions could change
its defaults for all, so the classes get opaque methods in their place.
"""
cimport cython

import types

from kimi_runtime.objects.class_builder import freeze_class
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots


cdef extern from "Python.h":
    unsigned long IMMUTABLE_TYPE "Py_TPFLAGS_IMMUTABLETYPE"


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
    freeze_class(cls)
