# The instruction INTRINSIC: type parameters, type aliases, interactive display.
from cpython.ref cimport PyObject
from libc.stdint cimport uint32_t

# number: index into bytecode.opcodes.INTRINSICS; args: its registers as objects (borrowed). New reference, or NULL with
# an exception set.
cdef PyObject *intrinsic(uint32_t number, PyObject **args) noexcept
