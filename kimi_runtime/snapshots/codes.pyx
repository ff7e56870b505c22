# cython: binding=False
"""What identifies a code object in its source, and the exact form of it that registers depend on."""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from kimi_runtime.bytecode.code cimport (
    CODE_ASYNC_GENERATOR, CODE_CLASS, CODE_COROUTINE, CODE_GENERATOR, CODE_VARARGS, CODE_VARKEYWORDS, Code, ExcEntry, Instr)

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL
    bint PyUnicode_IS_ASCII(object text) noexcept


cdef uint64_t mix(uint64_t h, const void *data, Py_ssize_t size) noexcept:
    """FNV-1a, of words. It tells forms of code apart that compilers make, and is no protection: what depends on the form is checked by itself."""
    cdef const uint8_t *p = <const uint8_t *>data
    cdef uint64_t word
    while size >= 8:
        memcpy(&word, p, 8)
        h = (h ^ word) * <uint64_t>0x100000001b3
        h ^= h >> 29
        p += 8
        size -= 8
    while size > 0:
        h = (h ^ p[0]) * <uint64_t>0x100000001b3
        p += 1
        size -= 1
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


def library_mark(Code code not None):
    """A number of 32 bits for the name of a function of the library and how it is called: the same wherever it stands in its file."""
    cdef bytes name = code.qualname.encode("utf-8", "surrogatepass")
    cdef uint32_t flags = code.flags & (CODE_VARARGS | CODE_VARKEYWORDS | CODE_GENERATOR | CODE_COROUTINE | CODE_ASYNC_GENERATOR | CODE_CLASS)
    cdef uint64_t h = mix(<uint64_t>0xcbf29ce484222325, <const char *>name, len(name))
    for count in (code.npos, code.nposonly, code.nkwonly, code.nfree, flags):
        h = mix_number(h, count)
    return <uint32_t>(h ^ (h >> 32))


cdef uint64_t mix_number(uint64_t h, int64_t number) noexcept:
    return mix(h, &number, sizeof(number))


def code_form(Code code not None):
    """A number of 64 bits for the instructions of a code object and what its registers mean."""
    cdef uint64_t h = mix(<uint64_t>0xcbf29ce484222325, code.instrs, code.ninstrs * sizeof(Instr))
    h = mix(h, code.exc_table, code.nexc * sizeof(ExcEntry))
    h = mix(h, &code.nregs, sizeof(code.nregs))
    h = mix(h, &code.nlocals, sizeof(code.nlocals))
    for names in (code.local_names, code.free_names, code.names):
        h = mix_names(h, names)
    return h


cdef uint64_t mix_names(uint64_t h, tuple names) except? 0:
    """The same for names, and tuples of them."""
    cdef Py_ssize_t size = 0
    cdef const char *text
    for each in names:
        if type(each) is tuple:
            h = mix_names(h, each)
            continue
        if PyUnicode_IS_ASCII(each):
            text = PyUnicode_AsUTF8AndSize(each, &size)
            h = mix(h, text, size + 1)
        else:
            encoded = (<str>each).encode("utf-8", "surrogatepass")
            h = mix(h, <const char *><bytes>encoded, len(encoded) + 1)
    size = len(names)
    return mix(h, &size, sizeof(size))


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
