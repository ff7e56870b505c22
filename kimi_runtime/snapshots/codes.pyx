# cython: binding=False
"""What identifies a code object in its source, and the exact form of it that registers depend on."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from kimi_runtime.bytecode.code cimport Code, ExcEntry, Instr


cdef uint64_t mix(uint64_t h, const void *data, Py_ssize_t size) noexcept:
    """FNV-1a. It tells forms of code apart that compilers make, and is no protection: what depends on the form is checked by itself."""
    cdef const uint8_t *p = <const uint8_t *>data
    cdef Py_ssize_t i
    for i in range(size):
        h = (h ^ p[i]) * <uint64_t>0x100000001b3
    return h


def code_mark(Code code not None):
    """First line and a number of 32 bits for the name and place of a code object: the same whatever compiler made it."""
    cdef bytes name = code.qualname.encode("utf-8", "surrogatepass")
    cdef uint64_t h = mix(<uint64_t>0xcbf29ce484222325, <const char *>name, len(name))
    if code.positions != NULL and code.ninstrs:
        h = mix(h, &code.positions[0].line, 4)
        h = mix(h, &code.positions[0].col, 4)
    h = mix(h, &code.nparams, sizeof(code.nparams))
    return code.firstlineno, <uint32_t>(h ^ (h >> 32))


def code_form(Code code not None):
    """A number of 64 bits for the instructions of a code object and what its registers mean."""
    cdef uint64_t h = mix(<uint64_t>0xcbf29ce484222325, code.instrs, code.ninstrs * sizeof(Instr))
    h = mix(h, code.exc_table, code.nexc * sizeof(ExcEntry))
    h = mix(h, &code.nregs, sizeof(code.nregs))
    h = mix(h, &code.nlocals, sizeof(code.nlocals))
    cdef bytes names = repr((code.local_names, code.free_names, code.names)).encode("utf-8", "surrogatepass")
    return mix(h, <const char *>names, len(names))


def marked_codes(Code top not None):
    """The code objects within one, itself included, by their marks; None stands for several with the same."""
    cdef dict found = {}
    cdef list pending = [top]
    cdef Code each
    for each in pending:
        key = code_mark(each)
        found[key] = None if key in found else each
        for constant in each.const_objects:
            if type(constant) is Code:
                pending.append(constant)
        if each.continuation is not None:
            pending.append(each.continuation)
    return found
