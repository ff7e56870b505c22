# cython: binding=False, wraparound=True, boundscheck=True
"""Caches of shared library modules, one for each guest.

A cache that all guests shared would keep their objects, and would compare the keys of one with those of another by
calling `__eq__` and `__hash__` that a guest wrote.
"""
cimport cython

from kimi_runtime.objects.context cimport RunContext, current_context

import functools
import types

cdef extern from "Python.h":
    int PyObject_GenericSetAttr(object o, object name, object value) except -1

cdef object host_wrapper = functools._lru_cache_wrapper


cdef dict kept_of(RunContext context):
    if context.kept is None:
        context.kept = {}
    return context.kept


cdef bint loads_library():
    """Whether a shared module runs for the first time in this thread."""
    cdef RunContext context = current_context()
    return context is None or context.privileged


@cython.final
@cython.auto_pickle(False)
cdef class GuestCache:
    """What `functools.lru_cache` makes of a function in a shared module: a cache of its own in each guest."""
    cdef object function, maxsize, typed, info_type
    cdef object library_cache           # for calls while the library is loaded
    cdef dict __dict__
    cdef object __weakref__

    def __cinit__(self, function, maxsize, typed, info_type):
        self.function = function
        self.maxsize = maxsize
        self.typed = typed
        self.info_type = info_type
        self.library_cache = self.make()

    cdef object make(self):
        return host_wrapper(self.function, self.maxsize, self.typed, self.info_type)

    cdef object cache(self):
        cdef RunContext context = current_context()
        cdef dict kept
        if context is None or context.privileged:
            return self.library_cache
        kept = kept_of(context)
        found = kept.get(self)
        if found is None:
            found = kept[self] = self.make()
        return found

    def __call__(self, *args, **keywords):
        return self.cache()(*args, **keywords)

    def __get__(self, instance, owner):
        return self if instance is None else types.MethodType(self, instance)

    def __setattr__(self, str name, value):
        if not loads_library():
            raise TypeError(f"cannot set attribute '{name}' of a library function, which other guests use too")
        PyObject_GenericSetAttr(self, name, value)

    def __delattr__(self, str name):
        raise TypeError(f"cannot delete attribute '{name}' of a library function, which other guests use too")

    def cache_info(self):
        """Report cache statistics"""
        return self.cache().cache_info()

    def cache_clear(self):
        """Clear the cache and cache statistics"""
        self.cache().cache_clear()

    def __reduce__(self):
        return getattr(self, "__qualname__")

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<functools._lru_cache_wrapper object at {<size_t><void *>self:#x}>"


def lru_cache_wrapper(function, maxsize, typed, info_type):
    """The cached function: the host's own object for a guest's function, and for one of a shared module a GuestCache."""
    if loads_library():
        return GuestCache(function, maxsize, typed, info_type)
    return host_wrapper(function, maxsize, typed, info_type)


@cython.final
@cython.auto_pickle(False)
cdef class GuestDict:
    """A dictionary of a shared module that each guest has for itself, empty at first."""
    cdef object make

    def __cinit__(self, make=dict):
        """make: function() -> a new dictionary."""
        self.make = make

    cdef object contents(self):
        cdef RunContext context = current_context()
        cdef dict kept
        if context is None:
            return self.make()
        kept = kept_of(context)
        found = kept.get(self)
        if found is None:
            found = kept[self] = self.make()
        return found

    def __getitem__(self, key):
        return self.contents()[key]

    def __setitem__(self, key, value):
        self.contents()[key] = value

    def __delitem__(self, key):
        del self.contents()[key]

    def __contains__(self, key):
        return key in self.contents()

    def __len__(self):
        return len(self.contents())

    def __iter__(self):
        return iter(self.contents())

    def get(self, key, default=None):
        return self.contents().get(key, default)

    def setdefault(self, key, default=None):
        return self.contents().setdefault(key, default)

    def pop(self, key, *default):
        return self.contents().pop(key, *default)

    def clear(self):
        self.contents().clear()

    def copy(self):
        return self.contents().copy()

    def keys(self):
        return self.contents().keys()

    def values(self):
        return self.contents().values()

    def items(self):
        return self.contents().items()

    def update(self, *args, **keywords):
        self.contents().update(*args, **keywords)
