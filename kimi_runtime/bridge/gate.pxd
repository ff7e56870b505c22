# The gate: which attributes of objects that are not guest-made a guest can get at, and set.
from cpython.ref cimport PyObject

# Whether o.name has to be read by gate_load and may not be cached. As long as the answer is no for an object it is no for all
# of its type, and for a class as long as its version stays. name: an exact str.
cdef bint gate_guards(PyObject *o, PyObject *name) noexcept
# Whether a look-up of the name in a class and what it derives from is anything else than that: for super().
cdef bint gate_guards_name(PyObject *cls, PyObject *name) noexcept
# o.name for a guest: new reference, or NULL with AttributeError.
cdef PyObject *(*gate_load)(PyObject *o, PyObject *name) noexcept
# The same for o.name = value and, with NULL for the value, del o.name. gate_store: -1 with an exception.
cdef bint gate_guards_store(PyObject *o, PyObject *name) noexcept
cdef int (*gate_store)(PyObject *o, PyObject *name, PyObject *value) noexcept
# What a guest gets instead of a method descriptor of a built-in type (a callable that takes self first; borrowed), or NULL.
cdef PyObject *gate_replacement(PyObject *descriptor) noexcept
# Whether what gate_load gave is one object for all guests and for ever, so that a cache for the class may keep it.
cdef bint gate_is_permanent(PyObject *found) noexcept
