# The import statement. Arguments borrowed; results are new references, NULL or -1 with an exception set.
from cpython.ref cimport PyObject

# builtins.__import__(name, globals, locals, fromlist, level), found in the given builtins dict. locals may be NULL.
cdef PyObject *(*import_name)(PyObject *builtins, PyObject *name, PyObject *globals, PyObject *locals,
                              PyObject *fromlist, PyObject *level) noexcept
# module.name for `from module import name`; ImportError when it has none.
cdef PyObject *(*import_from)(PyObject *module, PyObject *name) noexcept
# Copies the public names of a module into a namespace (any mapping).
cdef int (*import_star)(PyObject *module, PyObject *namespace) noexcept
