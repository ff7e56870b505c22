# Patterns of the match statement. All arguments borrowed; results are new references, NULL with an exception set.
from cpython.ref cimport PyObject

# Tuple of the values of the keys (tuple) in a mapping, or None when one is missing.
cdef PyObject *(*match_keys)(PyObject *subject, PyObject *keys) noexcept
# Tuple of the attributes for npos positional and the named sub-patterns (tuple of str), or None: no match.
cdef PyObject *(*match_class)(PyObject *subject, PyObject *cls, PyObject *names, Py_ssize_t npos) noexcept
# dict(subject) without the keys of a tuple.
cdef PyObject *(*map_without)(PyObject *subject, PyObject *keys) noexcept
