# Argument binding, the general path: every kind of parameter, defaults, *args, **kwargs, and CPython's TypeErrors.
#
# Both entries fill regs[0 .. code.nparams) and return 0; or return -1 with an exception set and those registers empty.
# Registers from nparams up are not touched, apart from the slots of args.
from cpython.ref cimport PyObject

from kimi_runtime.objects.function cimport Function
from kimi_runtime.vm.values cimport Value

# args: npos positional objects, then one for each name in kwnames (tuple of str, or NULL); all borrowed.
# kwargs: dict of further keyword arguments, or NULL. What regs held before is dead.
cdef int bind_arguments(Function func, PyObject *const *args, Py_ssize_t npos, PyObject *kwnames, PyObject *kwargs,
                        Value *regs) noexcept

# As bind_arguments for registers: args are moved (emptied, also on failure). args may be regs itself or overlap it.
cdef int bind_values(Function func, Value *args, Py_ssize_t npos, PyObject *kwnames, Value *regs) noexcept
# The same with the keyword arguments in a dict (borrowed) or NULL.
cdef int bind_values_dict(Function func, Value *args, Py_ssize_t npos, PyObject *kwargs, Value *regs) noexcept
