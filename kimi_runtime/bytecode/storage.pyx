# cython: binding=False, wraparound=True, boundscheck=True
"""Code objects as bytes and back, for caches on disk.

The form is that of one build: numbers of opcodes, struct layouts and byte order are not translated, so what `description`
returns, or a hash of it, must be compared before anything is read.  Reading makes objects and runs nothing; whoever can write the bytes decides what the
code does, as with `.pyc` files.

An object is a tag byte and what follows from it; counts and lengths are 4 bytes.  Code objects refer to the source text
and to strings that came before by number.
"""
from cpython.ref cimport PyObject
from libc.stdint cimport int16_t, int32_t, uint16_t, uint32_t
from libc.string cimport memcpy

from kimi_runtime.bytecode.code cimport CacheSite, Code, ExcEntry, Instr, Position

import builtins
import struct
import sys

from kimi_runtime.bytecode import opcodes

cdef extern from "Python.h":
    bint PyUnicode_CHECK_INTERNED(object text)
    ctypedef struct PyObjectFull "PyObject":
        pass

cdef enum:
    VERSION = 1
    NO_NAME = 0xFFFFFFFF
    MAX_DEPTH = 200

cdef enum Tag:
    TAG_NONE, TAG_TRUE, TAG_FALSE, TAG_ELLIPSIS, TAG_INT, TAG_FLOAT, TAG_COMPLEX, TAG_STR, TAG_INTERNED, TAG_SEEN, TAG_BYTES,
    TAG_TUPLE, TAG_FROZENSET, TAG_SLICE, TAG_BUILTIN, TAG_CODE


def description():
    """Bytes that differ wherever code objects may not be exchanged: opcode table, layout, byte order, version of the host."""
    table = repr([(op.name, op.operands) for op in opcodes.TABLE])
    sizes = (VERSION, sizeof(Instr), sizeof(Position), sizeof(ExcEntry), sizeof(void *), sys.byteorder)
    return f"{table} {opcodes.INTRINSICS} {sizes} {sys.version_info[:3]}".encode()


# ---- writing ---------------------------------------------------------------------------------
cdef class Writer:
    cdef bytearray out
    cdef dict seen          # interned string -> its number
    cdef object source      # the text that all code objects of this piece share, or None

    cdef int number(self, Py_ssize_t value) except -1:
        cdef uint32_t n
        if not 0 <= value < 0xFFFFFFFF:
            raise ValueError("the code is too large to be stored")
        n = <uint32_t>value
        self.raw(&n, sizeof(n))
        return 0

    cdef int raw(self, const void *data, Py_ssize_t size) except -1:
        if size:
            self.out += (<const char *>data)[:size]
        return 0

    cdef int blob(self, bytes data) except -1:
        self.number(len(data))
        self.out += data
        return 0

    cdef int tagged(self, Tag tag, bytes data) except -1:
        self.out.append(<int>tag)
        return self.blob(data)

    cdef int sequence(self, Tag tag, items) except -1:
        self.out.append(<int>tag)
        self.number(len(items))
        for item in items:
            self.put(item)
        return 0

    cdef int put(self, value) except -1:
        kind = type(value)
        if value is None:
            self.out.append(TAG_NONE)
        elif kind is bool:
            self.out.append(TAG_TRUE if value else TAG_FALSE)
        elif kind is int:
            self.tagged(TAG_INT, value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True))
        elif kind is float:
            self.tagged(TAG_FLOAT, struct.pack("<d", value))
        elif kind is complex:
            self.tagged(TAG_COMPLEX, struct.pack("<dd", value.real, value.imag))
        elif kind is str:
            if not PyUnicode_CHECK_INTERNED(value):
                self.tagged(TAG_STR, value.encode("utf-8", "surrogatepass"))
            elif value in self.seen:
                self.out.append(TAG_SEEN)
                self.number(self.seen[value])
            else:
                self.seen[value] = len(self.seen)
                self.tagged(TAG_INTERNED, value.encode("utf-8", "surrogatepass"))
        elif kind is bytes:
            self.tagged(TAG_BYTES, value)
        elif kind is tuple:
            self.sequence(TAG_TUPLE, value)
        elif kind is frozenset:
            self.sequence(TAG_FROZENSET, sorted(value, key=repr))     # the same bytes for the same code
        elif kind is slice:
            self.sequence(TAG_SLICE, (value.start, value.stop, value.step))
        elif kind is Code:
            self.code(<Code>value)
        elif value is ...:
            self.out.append(TAG_ELLIPSIS)
        elif getattr(builtins, getattr(value, "__name__", ""), None) is value:
            self.tagged(TAG_BUILTIN, value.__name__.encode())
        else:
            raise ValueError(f"a constant of type {kind.__name__} cannot be stored")
        return 0

    cdef int code(self, Code code) except -1:
        cdef uint32_t i
        cdef dict places = {}
        self.out.append(TAG_CODE)
        for value in (code.ninstrs, code.nconsts, code.ncaches, code.nexc, code.nfree, code.npos, code.nposonly, code.nkwonly,
                      code.nparams, code.nlocals, code.first_temp, code.nregs, code.class_cell + 1, code.flags,
                      code.make_flags, code.firstlineno, code.entry):
            self.number(value)
        for value in (code.name, code.qualname, code.filename, code.docstring, code.const_objects, code.names,
                      code.local_names, code.cell_regs, code.free_names, code.inlined, code.continuation):
            self.put(value)
        if code.source is None or code.source is not self.source:
            self.put(code.source)
        else:
            self.out.append(TAG_TRUE)
        self.raw(code.instrs, code.ninstrs * sizeof(Instr))
        self.raw(code.positions, code.ninstrs * sizeof(Position))
        self.raw(code.exc_table, code.nexc * sizeof(ExcEntry))
        self.raw(code.free_src, code.nfree * sizeof(int16_t))
        for i, name in enumerate(code.names):
            places[<size_t><PyObject *>name] = i
        for i in range(code.ncaches):
            if code.caches[i].name == NULL:
                self.number(NO_NAME - 1)
            else:
                self.number(places[<size_t>code.caches[i].name])
            self.number(code.caches[i].nargs)
            self.number(code.caches[i].nkw)
        return 0


def dump(Code code not None):
    """The bytes of a code object and all code in it.

    ValueError for a code object with constants that only this process has; RecursionError when it is nested too deeply.
    """
    cdef Writer w = Writer.__new__(Writer)
    w.out = bytearray()
    w.seen = {}
    w.source = code.source
    w.put(w.source)
    w.code(code)
    return bytes(w.out)


# ---- reading ---------------------------------------------------------------------------------
cdef class Reader:
    cdef bytes data
    cdef Py_ssize_t at
    cdef list seen
    cdef object source
    cdef int depth

    cdef const char *take(self, Py_ssize_t size) except NULL:
        """The next bytes. ValueError when there are fewer."""
        cdef const char *start = self.data
        if size < 0 or size > len(self.data) - self.at:
            raise ValueError("the stored code is cut off")
        start += self.at
        self.at += size
        return start

    cdef uint32_t number(self) except? 0xFFFFFFFF:
        cdef uint32_t n
        memcpy(&n, self.take(sizeof(n)), sizeof(n))
        return n

    cdef bytes blob(self):
        cdef uint32_t size = self.number()
        return self.take(size)[:size]

    cdef tuple items(self):
        cdef uint32_t count = self.number()
        if count > len(self.data) - self.at:
            raise ValueError("the stored code is cut off")
        return tuple([self.get() for _ in range(count)])

    cdef object get(self):
        cdef int tag = self.take(1)[0]
        if tag == TAG_NONE:
            return None
        if tag == TAG_TRUE:
            return True
        if tag == TAG_FALSE:
            return False
        if tag == TAG_ELLIPSIS:
            return ...
        if tag == TAG_INT:
            return int.from_bytes(self.blob(), "little", signed=True)
        if tag == TAG_FLOAT:
            return struct.unpack("<d", self.blob())[0]
        if tag == TAG_COMPLEX:
            return complex(*struct.unpack("<dd", self.blob()))
        if tag == TAG_STR:
            return self.blob().decode("utf-8", "surrogatepass")
        if tag == TAG_INTERNED:
            self.seen.append(sys.intern(self.blob().decode("utf-8", "surrogatepass")))
            return self.seen[-1]
        if tag == TAG_SEEN:
            return self.seen[self.number()]
        if tag == TAG_BYTES:
            return self.blob()
        if tag == TAG_BUILTIN:
            return getattr(builtins, self.blob().decode())
        if tag > TAG_CODE or tag < 0:
            raise ValueError(f"the stored code has an unknown tag {tag}")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ValueError("the stored code is nested too deeply")
        if tag == TAG_CODE:
            found = self.code()
        else:
            found = self.items()
            if tag == TAG_FROZENSET:
                found = frozenset(found)
            elif tag == TAG_SLICE:
                found = slice(*found)
        self.depth -= 1
        return found

    cdef Code code(self):
        cdef Code code = Code.__new__(Code)
        cdef uint32_t i, name
        cdef uint32_t head[17]
        for i in range(17):
            head[i] = self.number()
        if sizeof(Instr) * <size_t>head[0] > <size_t>len(self.data) or head[1] > len(self.data) \
                or head[2] > len(self.data) or head[3] > len(self.data) or head[4] > len(self.data):
            raise ValueError("the stored code is cut off")
        code.allocate(head[0], head[1], head[2], head[3], head[4])
        code.npos, code.nposonly, code.nkwonly = <uint16_t>head[5], <uint16_t>head[6], <uint16_t>head[7]
        code.nparams, code.nlocals, code.first_temp = <uint16_t>head[8], <uint16_t>head[9], <uint16_t>head[10]
        code.nregs = <uint16_t>head[11]
        code.class_cell = <int32_t>head[12] - 1
        code.flags, code.make_flags, code.firstlineno, code.entry = head[13], head[14], <int32_t>head[15], head[16]
        code.name, code.qualname, code.filename, code.docstring = self.get(), self.get(), self.get(), self.get()
        consts = self.get()
        code.names, code.local_names, code.cell_regs = self.get(), self.get(), self.get()
        code.free_names, code.inlined, code.continuation = self.get(), self.get(), self.get()
        if len(consts) < code.nconsts:
            raise ValueError("the stored code lacks constants")
        code.set_consts(consts)
        code.source = self.get()
        if code.source is True:
            code.source = self.source
        memcpy(code.instrs, self.take(code.ninstrs * sizeof(Instr)), code.ninstrs * sizeof(Instr))
        memcpy(code.positions, self.take(code.ninstrs * sizeof(Position)), code.ninstrs * sizeof(Position))
        memcpy(code.exc_table, self.take(code.nexc * sizeof(ExcEntry)), code.nexc * sizeof(ExcEntry))
        memcpy(code.free_src, self.take(code.nfree * sizeof(int16_t)), code.nfree * sizeof(int16_t))
        for i in range(code.ncaches):
            name = self.number()
            if name != NO_NAME - 1:
                code.caches[i].name = <PyObject *>code.names[name]
            code.caches[i].nargs = <uint16_t>self.number()
            code.caches[i].nkw = <uint16_t>self.number()
        return code


def load(bytes data not None):
    """The code object that `dump` of the same build wrote as these bytes.

    ValueError for anything else. Does not check what the code does: only read what is known to be whole.
    """
    cdef Reader r = Reader.__new__(Reader)
    r.data = data
    r.seen = []
    try:
        r.source = r.get()
        code = r.get()
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, UnicodeError, struct.error) as error:
        raise ValueError(f"the stored code is damaged: {error}") from None
    if type(code) is not Code or r.at != len(data):
        raise ValueError("the stored code is damaged")
    return code


# ---- weight ----------------------------------------------------------------------------------
cdef Py_ssize_t weigh_value(value, set seen) except -1:
    cdef Py_ssize_t total
    if type(value) is Code:
        return weigh_code(<Code>value, seen)
    if id(value) in seen or value is None or type(value) is bool:
        return 0
    seen.add(id(value))
    if type(value) is str and PyUnicode_CHECK_INTERNED(value):
        return 16               # shared with everything else that has the name
    total = sys.getsizeof(value)
    if type(value) is tuple or type(value) is frozenset:
        for item in value:
            total += weigh_value(item, seen)
    return total


cdef Py_ssize_t weigh_code(Code code, set seen) except -1:
    cdef Py_ssize_t total = sys.getsizeof(code) + 64         # and what the C allocator adds to six arrays
    total += (code.ninstrs + 1) * (sizeof(Instr) + sizeof(Position)) + (code.ncaches + 1) * sizeof(CacheSite)
    total += (code.nconsts + 1) * 16 + (code.nexc + 1) * sizeof(ExcEntry)
    for value in (code.const_objects, code.names, code.local_names, code.cell_regs, code.free_names, code.inlined,
                  code.docstring, code.source):
        total += weigh_value(value, seen)
    if code.continuation is not None:
        total += weigh_code(code.continuation, seen)
    return total


def weigh(Code code not None):
    """The bytes of memory that a code object holds, its source text and all code in it included."""
    return weigh_code(code, set())
