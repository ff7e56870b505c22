# cython: binding=False, wraparound=True, boundscheck=True
"""The cache of compiled regular expressions, which all guests share as far as that is safe."""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.objects.context cimport RunContext, current_context

import re
import sys

from kimi_runtime.regex.engine import Pattern as _Pattern

cdef extern from "Python.h":
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL

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


@cython.final
@cython.auto_pickle(False)
cdef class PatternCache:
    """What stands for the dictionary ``re._cache``.

    Compiled patterns of plain strings are shared. Others, whose keys may have methods of a guest, are kept for each guest.
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

    def __getitem__(self, key):
        cdef PyObject *found = PyDict_GetItemWithError(shared, key)
        if found != NULL:
            return <object>found
        return self.own()[key]

    def __setitem__(self, key, value):
        if is_pure(key, value):
            while len(shared) >= MAX_SHARED:
                try:
                    del shared[next(iter(shared))]
                except (KeyError, StopIteration, RuntimeError):
                    break           # another thread was faster
            shared[key] = value
        else:
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
        try:
            return self[key]
        except KeyError:
            return default

    def pop(self, key, *default):
        """The compiled pattern of a key, which is no longer there unless it is shared."""
        cdef PyObject *found = PyDict_GetItemWithError(shared, key)
        if found != NULL:
            return <object>found
        return self.own().pop(key, *default)

    def clear(self):
        """Forget the patterns that are not shared."""
        self.own().clear()
