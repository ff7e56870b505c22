# The gate: which attributes of objects that are not guest-made a guest can get at. First version: a list of what is kept
# back, where DESIGN wants lists of what is let through.
from cpython.ref cimport PyObject

# Whether o.name has to be read by gate_load and may not be cached. A function of the type of o and the name only.
cdef bint gate_watches(PyObject *o_type, PyObject *name) noexcept
# o.name for a guest: new reference, or NULL with AttributeError.
cdef PyObject *(*gate_load)(PyObject *o, PyObject *name) noexcept
# What a guest gets instead of a method descriptor of a built-in type (a callable that takes self first; borrowed), or NULL.
cdef PyObject *gate_replacement(PyObject *descriptor) noexcept
