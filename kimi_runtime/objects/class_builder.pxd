# Guest classes are heap types made by type.__new__ itself. What it does only for functions and cells of the host is
# done here: static and class methods by name, and the __class__ cell.
from cpython.ref cimport PyObject

from kimi_runtime.objects.function cimport Cell

# Wraps __new__, __init_subclass__ and __class_getitem__ as type.__new__ does for host functions. For calls of `type` (or
# a metaclass) with three arguments and of `type.__new__`. The same dict when there is nothing to wrap, else a copy.
cdef dict fix_namespace(dict namespace)

# While a class is being made, its __class__ cell is filled when somebody asks: to be called for an empty cell before
# the NameError. True when the cell has contents now.
cdef bint resolve_cell(Cell cell) noexcept

# As begin_finalizer, before the ``__del__`` of an instance (both borrowed; NULL for a finalizer in C, which calls methods).
cdef int begin_del(PyObject *self, PyObject *method) noexcept

# The builtin __build_class__(func, name, *bases, metaclass=..., **kwds).
cpdef object build_class(func, name, tuple original_bases, dict keywords)
