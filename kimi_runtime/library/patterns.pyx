# cython: binding=False, wraparound=True, boundscheck=True
"""The cache of compiled regular expressions, which all guests share as far as that is safe."""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.memory.heap cimport KHeap, leave_heap, return_to_heap
from kimi_runtime.objects.context cimport RunContext, current_context

import re
import sys

from kimi_runtime.regex.engine import Pattern as _Pattern
from kimi_runtime.regex.engine import in_own_memory

cdef extern from "Python.h":
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL
    PyObject *_PyDict_GetItem_KnownHash(object d, object key, Py_hash_t hash) except? NULL

cdef object Pattern = _Pattern
cdef int UNICODE = re.UNICODE
cdef dict shared = {}               # (type, pattern, flags) -> compiled pattern
cdef enum:
    MAX_SHARED = 1000
    MAX_BYTES = 16384       # of a shared pattern: what guests leave behind in the process is bounded


cdef bint is_pure(key, value) except -1:
    """Whether any guest that asks for this key may get this value: it is what compiling the key gives."""
    if type(key) is not tuple or len(<tuple>key) != 3 or type(value) is not Pattern:
        return False
    kind, pattern, flags = <tuple>key
    if type(flags) is not int or type(pattern) is not kind:
        return False
    if sys.getsizeof(value) + sys.getsizeof(pattern) > MAX_BYTES:
        return False
    # Patterns that set flags themselves are left to each guest: their flags do not show what was asked for.
    if kind is str:
        return type(value.pattern) is str and value.pattern == pattern and value.flags in (flags, flags | UNICODE)
    return kind is bytes and type(value.pattern) is bytes and value.pattern == pattern and value.flags == flags


cdef int share(tuple key, value) except -1:
    """Puts a copy into the cache of all guests, in the host's memory: it outlives this one."""
    cdef KHeap *heap = leave_heap()
    try:
        value = in_own_memory(value)
        kind, _, flags = key
        shared[kind, value.pattern, (flags ^ 1) ^ 1] = value    # a number of the guest's becomes one of the host's
    finally:
        return_to_heap(heap)
    return 0


@cython.final
@cython.auto_pickle(False)
cdef class PatternCache:
    """What stands for the dictionary ``re._cache``.

    Compiled patterns of plain strings are shared. Others, whose keys may have methods of a guest, are kept for each guest, and so are
    those that it has compiled itself, of which the others get a copy.
    """

    cdef dict own(self):
        cdef RunContext context = current_context()
        if context is None:
            return {}
        if context.kept is None:
            context.kept = {}
        found = context.kept.get(self)
        if found is None:
            found = context.kept[self] = {}
        return found

    cdef object found(self, key):
        """The pattern of a key, or None."""
        cdef RunContext context = current_context()
        cdef PyObject *found
        cdef Py_hash_t hashed = hash(key)
        if context is not None and context.kept is not None:
            found = PyDict_GetItemWithError(context.kept, self)
            if found != NULL:
                found = _PyDict_GetItem_KnownHash(<object>found, key, hashed)
                if found != NULL:
                    return <object>found
        found = _PyDict_GetItem_KnownHash(shared, key, hashed)
        return <object>found if found != NULL else None

    def __getitem__(self, key):
        found = self.found(key)
        if found is None:
            raise KeyError(key)
        return found

    def __setitem__(self, key, value):
        cdef PyObject *found
        if is_pure(key, value):
            found = PyDict_GetItemWithError(shared, key)
            if found == <PyObject *>value:
                return
            if found == NULL:
                while len(shared) >= MAX_SHARED:
                    try:
                        del shared[next(iter(shared))]
                    except (KeyError, StopIteration, RuntimeError):
                        break           # another thread was faster
                share(<tuple>key, value)
        self.own()[key] = value

    def __delitem__(self, key):
        del self.own()[key]

    def __len__(self):
        return len(self.own())

    def __iter__(self):
        return iter(self.own())

    def __contains__(self, key):
        return key in shared or key in self.own()

    def get(self, key, default=None):
        """The compiled pattern of a key, or default."""
        found = self.found(key)
        return default if found is None else found

    def pop(self, key, *default):
        """The compiled pattern of a key, which is no longer there unless it is shared."""
        cdef PyObject *found
        cdef dict own = self.own()
        if key in own:
            return own.pop(key)
        found = PyDict_GetItemWithError(shared, key)
        if found != NULL:
            return <object>found
        return own.pop(key, *default)

    def clear(self):
        """Forget the patterns that are not shared."""
        self.own().clear()
