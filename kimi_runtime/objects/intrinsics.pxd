# The instruction INTRINSIC: type parameters, type aliases, interactive display.
from cpython.ref cimport PyObject
from libc.stdint cimport uint32_t

# number: index into bytecode.opcodes.INTRINSICS; args: its registers as objects (borrowed). New reference, or NULL with
# an exception set.
cdef PyObject *intrinsic(uint32_t number, PyObject **args) noexcept
# How many registers it takes.
cdef inline uint32_t intrinsic_size(uint32_t number) noexcept:
    if number <= 1 or number == 4:
        return 3
    if number == 8:
        return 0
    return 2 if number <= 3 else 1
