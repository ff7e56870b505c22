# cython: binding=False, wraparound=False
"""Plain values as bytes, for the channel between the host and a worker.

A value is a tag byte and what belongs to it; numbers are little-endian. A list, tuple, dict or set that may be met again has a
capital tag and a number, so that what was one object stays one, cycles included. The host decodes what a hostile worker wrote:
every length is compared with the bytes that are left, nesting is bounded, what is built is charged against a budget before it is
built, the types are those below and no others, and the items of a large dict or set may not share one hash.

    n None   t True   f False   e ...   i int of 64 bits   I other int   d float   c complex   s str   u str with surrogates
    b bytes   a bytearray   l L list   p P tuple   m M dict   h H set   z Z frozenset   r range   @ number of one met before
    D date   T time   W datetime   J timedelta   O timezone   N Decimal   F Fraction
    K Record   q deque   o OrderedDict   S slice   X NotImplemented   B builtin class   R what ``refs`` stands for
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.dict cimport PyDict_Next, PyDict_SetItem
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE, PyList_New, PyList_SET_ITEM
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from cpython.object cimport PyObject_Hash
from cpython.ref cimport Py_INCREF, PyObject
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy

import builtins
import datetime
import decimal
from collections import OrderedDict, deque
from fractions import Fraction

from kimi_runtime.bridge.records import Record, make_record, parts_of_record

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL
    bint PyUnicode_IS_ASCII(object text)
    int PyUnicode_KIND(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    int64_t PyLong_AsLongLongAndOverflow(object value, int *overflow) except? -1
    Py_ssize_t Py_REFCNT(object value)
    object PyFloat_FromDouble(double value)
    char *PyByteArray_AS_STRING(object value)
    Py_ssize_t PyByteArray_GET_SIZE(object value)

#: Containers within containers.
MOST_DEPTH = 200
cdef int DEPTH = MOST_DEPTH
# Items of a dict or set that may have one hash. Equal hashes cost a comparison each, and a million of them the host's day.
cdef int SAME_HASH = 64
cdef Py_ssize_t LOOK_AT_HASHES_FROM = 256
cdef Py_ssize_t LONGEST_DECIMAL = 100_000
cdef Py_ssize_t LONGEST_FRACTION = 100_000      # bits: to reduce one takes the square of them
cdef dict BUILTIN_BY_NAME = {
    each.__name__: each for each in vars(builtins).values() if isinstance(each, type) and each.__module__ == "builtins"}
cdef frozenset BUILTIN_CLASSES = frozenset(BUILTIN_BY_NAME.values())

cdef object Decimal = decimal.Decimal
cdef object date = datetime.date, time = datetime.time, moment = datetime.datetime
cdef object timedelta = datetime.timedelta, timezone = datetime.timezone
cdef object UTC = datetime.timezone.utc
cdef object missing = object()


class CannotCross(TypeError):
    """A value is of a type that cannot cross between the host and a worker.

    Attributes:
        kind: what it is, for messages.
    """

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


class TooLarge(Exception):
    """A value is larger than the limit."""


class BadMessage(Exception):
    """Bytes that this module has not written."""


cdef object cannot_cross(value):
    """The error for a value."""
    cdef object kind
    if type(value).__name__ == "GuestObject":
        value = value.raw
    kind = type(value)
    cdef object name = type.__dict__["__name__"].__get__(kind)
    if kind is type(len) or name in ("Function", "function", "builtin_function_or_method", "method", "BoundMethod"):
        return CannotCross("a function")
    if isinstance(value, type):
        return CannotCross("a class")
    return CannotCross(f"an object of type {name!r}")


# ---- writing ---------------------------------------------------------------------------------------------
@cython.final
cdef class Writer:
    cdef char *data
    cdef Py_ssize_t used, room
    cdef int64_t left           # of the budget
    cdef int depth
    cdef dict seen              # id -> number of a container that may be met again
    cdef set open               # ids of tuples and frozensets that are being written
    cdef list kept              # keeps the ids from being used again
    cdef object refs            # see ``frame``

    def __cinit__(self, int64_t budget):
        self.room = 512
        self.data = <char *>PyMem_RawMalloc(self.room)
        if self.data is NULL:
            raise MemoryError()
        self.left = budget

    def __dealloc__(self):
        PyMem_RawFree(self.data)

    cdef int grow(self, Py_ssize_t size) except -1:
        cdef Py_ssize_t room = self.room
        cdef char *data
        while room - self.used < size:
            room *= 2
        data = <char *>PyMem_RawRealloc(self.data, room)
        if data is NULL:
            raise MemoryError()
        self.data = data
        self.room = room
        return 0

    cdef int spend(self, int64_t size) except -1:
        self.left -= size
        if self.left < 0:
            raise TooLarge()
        return 0

    cdef inline int tag(self, char tag) except -1:
        if self.room - self.used < 1:
            self.grow(1)
        self.data[self.used] = tag
        self.used += 1
        return 0

    cdef inline int raw(self, const void *data, Py_ssize_t size) except -1:
        if self.room - self.used < size:
            self.grow(size)
        memcpy(self.data + self.used, data, size)
        self.used += size
        return 0

    cdef int count(self, Py_ssize_t count) except -1:
        cdef uint32_t number
        if count > 0xffffffff:
            raise TooLarge()
        number = <uint32_t>count
        return self.raw(&number, 4)

    cdef int text(self, value) except -1:
        cdef Py_ssize_t size = 0
        cdef const char *data
        self.spend(cost_of_text(value))
        if PyUnicode_IS_ASCII(value):
            data = PyUnicode_AsUTF8AndSize(value, &size)
            self.tag(b"s")
            self.count(size)
            return self.raw(data, size)
        try:
            encoded = (<str>value).encode()
            self.tag(b"s")
        except UnicodeEncodeError:
            encoded = (<str>value).encode("utf-8", "surrogatepass")
            self.tag(b"u")
        return self.blob(encoded)

    cdef int blob(self, bytes value) except -1:
        self.count(PyBytes_GET_SIZE(value))
        return self.raw(PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value))

    cdef int number(self, value) except -1:
        cdef int overflow = 0
        cdef int64_t small = PyLong_AsLongLongAndOverflow(value, &overflow)
        cdef object size
        if not overflow:
            self.spend(32)
            self.tag(b"i")
            return self.raw(&small, 8)
        size = value.bit_length() // 8 + 1
        self.spend(32 + size)
        self.tag(b"I")
        return self.blob(value.to_bytes(size, "little", signed=True))

    cdef int put(self, value) except -1:
        cdef object kind = type(value)
        cdef double real
        if value is None:
            self.spend(8)
            return self.tag(b"n")
        if kind is str:
            return self.text(value)
        if kind is int:
            return self.number(value)
        if kind is bool:
            self.spend(8)
            return self.tag(b"t" if value is True else b"f")
        if kind is float:
            real = value
            self.spend(24)
            self.tag(b"d")
            return self.raw(&real, 8)
        if kind is bytes:
            self.spend(40 + PyBytes_GET_SIZE(value))
            self.tag(b"b")
            return self.blob(value)
        if kind is list or kind is tuple or kind is dict or kind is set or kind is frozenset or kind is bytearray:
            return self.container(value, kind)
        return self.rare(value, kind)

    cdef object number_of(self, value):
        """The number of a value that was met before; None, and it has the next one, when it was not."""
        if self.seen is None:
            self.seen = {}
            self.open = set()
            self.kept = []
        known = self.seen.get(id(value))
        if known is None:
            self.seen[id(value)] = len(self.seen)
            self.kept.append(value)
        return known

    cdef int container(self, value, kind) except -1:
        cdef object known
        cdef Py_ssize_t i, size, position = 0
        cdef PyObject *key
        cdef PyObject *item
        # One reference is the parent's. Where the caller has one of its own as well, this says yes once too often, which costs a
        # number; to say no once too often would cost the size of a tree for a value of shared branches.
        cdef bint shared = Py_REFCNT(value) > 1
        cdef bint hashed = kind is tuple or kind is frozenset
        if shared:
            known = self.number_of(value)
            if known is not None:
                if hashed and id(value) in self.open:
                    raise CannotCross(f"a {kind.__name__} that holds itself")
                self.spend(8)
                self.tag(b"@")
                return self.count(known)
            if hashed:
                self.open.add(id(value))
        self.depth += 1
        if self.depth > DEPTH:
            raise CannotCross(f"a value with more than {DEPTH} containers within each other")
        if kind is list:
            size = PyList_GET_SIZE(value)
            self.spend(64 + 8 * size)
            self.tag(b"L" if shared else b"l")
            self.count(size)
            for i in range(size):
                if i >= PyList_GET_SIZE(value):         # another thread of the guest
                    raise RuntimeError("list changed size while it was sent")
                self.put(<object>PyList_GET_ITEM(value, i))
            if PyList_GET_SIZE(value) != size:
                raise RuntimeError("list changed size while it was sent")
        elif kind is tuple:
            size = PyTuple_GET_SIZE(value)
            self.spend(48 + 8 * size)
            self.tag(b"P" if shared else b"p")
            self.count(size)
            for i in range(size):
                self.put(<object>PyTuple_GET_ITEM(value, i))
        elif kind is dict:
            size = len(<dict>value)
            self.spend(64 + 104 * size)
            self.tag(b"M" if shared else b"m")
            self.count(size)
            while PyDict_Next(value, &position, &key, &item):
                held_key = <object>key
                held_item = <object>item
                self.put(held_key)
                self.put(held_item)
                if len(<dict>value) != size:
                    raise RuntimeError("dictionary changed size while it was sent")
        elif kind is bytearray:
            size = PyByteArray_GET_SIZE(value)
            self.spend(64 + size)
            self.tag(b"A" if shared else b"a")
            self.blob(bytes(value))
        else:
            size = len(value)
            self.spend(216 + 32 * size)
            if kind is set:
                self.tag(b"H" if shared else b"h")
            else:
                self.tag(b"Z" if shared else b"z")
            self.count(size)
            for held_item in tuple(value):
                self.put(held_item)
        self.depth -= 1
        if shared and hashed:
            self.open.discard(id(value))
        return 0

    cdef int rare(self, value, kind) except -1:
        cdef double real
        self.spend(64)
        if kind is complex:
            self.tag(b"c")
            real = value.real
            self.raw(&real, 8)
            real = value.imag
            return self.raw(&real, 8)
        if value is ...:
            return self.tag(b"e")
        if kind is range:
            self.tag(b"r")
            self.number(value.start)
            self.number(value.stop)
            return self.number(value.step)
        if kind is date:
            self.tag(b"D")
            return self.put((value.year, value.month, value.day))
        if kind is time:
            self.tag(b"T")
            return self.put((value.hour, value.minute, value.second, value.microsecond, value.tzinfo, value.fold))
        if kind is moment:
            self.tag(b"W")
            return self.put((value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond,
                             value.tzinfo, value.fold))
        if kind is timedelta:
            self.tag(b"J")
            return self.put((value.days, value.seconds, value.microseconds))
        if kind is timezone:
            self.tag(b"O")
            if value is UTC:
                return self.put(())
            given = value.__getinitargs__()
            return self.put(given)
        if kind is Decimal:
            self.tag(b"N")
            text = str(value)
            if len(text) > LONGEST_DECIMAL:
                raise CannotCross(f"a Decimal of more than {LONGEST_DECIMAL:,} digits")
            return self.put(text)
        if kind is Fraction:
            self.tag(b"F")
            return self.put((value.numerator, value.denominator))
        if kind is Record:
            return self.record(value)
        if kind is deque:
            self.tag(b"q")
            return self.inner((value.maxlen, list(value)))
        if kind is OrderedDict:
            self.tag(b"o")
            return self.inner(list(value.items()))
        if kind is slice:
            self.tag(b"S")
            return self.inner((value.start, value.stop, value.step))
        if value is NotImplemented:
            return self.tag(b"X")
        if kind is type and value in BUILTIN_CLASSES:
            self.tag(b"B")
            return self.put(value.__name__)
        if self.refs is not None:
            found = self.refs.refer(value)
            if found is not None:
                self.tag(b"R")
                return self.inner(found)
        raise cannot_cross(value)

    cdef int record(self, value) except -1:
        cdef object known
        name, fields = parts_of_record(value)
        known = self.number_of(value)
        if known is not None:
            self.tag(b"@")
            return self.count(known)
        self.tag(b"K")
        self.put(name)
        return self.inner(fields)

    cdef int inner(self, value) except -1:
        """The parts of a value that is no plain container; nested like one."""
        self.depth += 1
        if self.depth > DEPTH:
            raise CannotCross(f"a value with more than {DEPTH} containers within each other")
        # A cycle through such a value would be written for ever: the bound on depth ends it.
        self.put(value)
        self.depth -= 1
        return 0

    cdef bytes taken(self):
        return PyBytes_FromStringAndSize(self.data, self.used)


cdef inline int64_t cost_of_text(value):
    return 56 + PyUnicode_GET_LENGTH(value) * PyUnicode_KIND(value)


cdef int64_t budget_of(limit) except? -2:
    """A size limit as a number."""
    return (<int64_t>1) << 62 if limit is None else <int64_t>limit


def encode(value, limit=None, refs=None):
    """A plain value as bytes.

    Args:
        value: of the types in the module's table, nested.
        limit: bytes of memory that the value may have, or None.
        refs: see ``frame``.

    Raises:
        CannotCross: it is, or holds, something else.
        TooLarge: it is larger than the limit.
    """
    cdef Writer writer = Writer.__new__(Writer, budget_of(limit))
    writer.refs = refs
    writer.put(value)
    return writer.taken()


def frame(int kind, head, body=missing, limit=None, refs=None):
    """A message for a ``Channel``: its length, its kind, and one or two values.

    Args:
        kind: a number below 256.
        head: a plain value.
        body: another one, if there is any.
        limit: bytes of memory that the body may have, or None.
        refs: has ``refer``, which gives plain values that stand for what is no plain data, or None.

    Raises:
        CannotCross, TooLarge: as ``encode``, for the body.
    """
    cdef Writer writer = Writer.__new__(Writer, budget_of(None))
    writer.used = 4
    writer.refs = refs
    writer.tag(<char>kind)
    writer.put(head)
    if body is not missing:
        writer.seen = None
        writer.left = budget_of(limit)
        writer.put(body)
    if writer.used - 4 > 0xffffffff:
        raise TooLarge()
    (<uint32_t *>writer.data)[0] = <uint32_t>(writer.used - 4)
    return writer.taken()


def place_of(value, refs=None):
    """Where the part is that ``encode`` refuses, as an expression such as ``['a'][2]``; empty for the value itself."""
    return find_refused(value, 0, refs) or ""


cdef object find_refused(value, int depth, refs):
    """The place of what cannot cross below a value, or None when there is none."""
    cdef object kind = type(value)
    if depth > DEPTH:
        return ""
    if kind is list or kind is tuple:
        for i, item in enumerate(value):
            found = find_refused(item, depth + 1, refs)
            if found is not None:
                return f"[{i}]{found}"
        return None
    if kind is dict:
        for key, item in list((<dict>value).items()):
            if find_refused(key, depth + 1, refs) is not None:
                return " (a key)"
            found = find_refused(item, depth + 1, refs)
            if found is not None:
                shown = repr(key) if type(key) in (str, int, bool, float, bytes) or key is None else "..."
                return f"[{shown if len(shown) <= 60 else shown[:57] + '...'}]{found}"
        return None
    if kind is set or kind is frozenset:
        for item in tuple(value):
            if find_refused(item, depth + 1, refs) is not None:
                return " (an item)"
        return None
    try:
        encode(value, None, refs)
    except CannotCross:
        return ""
    return None


# ---- reading ---------------------------------------------------------------------------------------------
@cython.final
cdef class Reader:
    cdef const uint8_t *data
    cdef Py_ssize_t at, end
    cdef int64_t left
    cdef int depth
    cdef list met               # containers by number
    cdef object refs            # see ``decode_message``

    cdef int spend(self, int64_t size) except -1:
        self.left -= size
        if self.left < 0:
            raise BadMessage("larger than the limit")
        return 0

    cdef const uint8_t *take(self, Py_ssize_t size) except NULL:
        cdef const uint8_t *found = self.data + self.at
        if size < 0 or self.end - self.at < size:
            raise BadMessage("cut short")
        self.at += size
        return found

    cdef Py_ssize_t count(self, int least) except -1:
        """A number of things that take at least so many bytes each."""
        cdef uint32_t number
        memcpy(&number, self.take(4), 4)
        if least and number > (self.end - self.at) // least:
            raise BadMessage("cut short")
        return number

    cdef int64_t word(self) except? -1:
        cdef int64_t number
        memcpy(&number, self.take(8), 8)
        return number

    cdef double real(self) except? -1:
        cdef double number
        memcpy(&number, self.take(8), 8)
        return number

    cdef object number(self):
        cdef uint8_t tag = self.take(1)[0]
        if tag == c"i":
            self.spend(32)
            return self.word()
        if tag == c"I":
            return self.big()
        raise BadMessage("not a number")

    cdef object big(self):
        cdef Py_ssize_t size = self.count(1)
        self.spend(32 + size)
        return int.from_bytes(self.blob(size), "little", signed=True)

    cdef bytes blob(self, Py_ssize_t size):
        return PyBytes_FromStringAndSize(<const char *>self.take(size), size)

    cdef object value(self):
        cdef uint8_t tag = self.take(1)[0]
        cdef Py_ssize_t size
        if tag == c"n":
            self.spend(8)
            return None
        if tag == c"s" or tag == c"u":
            size = self.count(1)
            self.spend(56 + size // 2)      # the least that it can be; the most is four times its bytes
            try:
                if tag == c"s":
                    text = PyUnicode_DecodeUTF8(<const char *>self.take(size), size, NULL)
                else:
                    text = PyUnicode_DecodeUTF8(<const char *>self.take(size), size, b"surrogatepass")
            except UnicodeDecodeError:
                raise BadMessage("not UTF-8") from None
            self.spend(cost_of_text(text) - 56 - size // 2)
            return text
        if tag == c"i":
            self.spend(32)
            return self.word()
        if tag == c"d":
            self.spend(24)
            return PyFloat_FromDouble(self.real())
        if tag == c"t" or tag == c"f":
            self.spend(8)
            return tag == c"t"
        if tag == c"b":
            size = self.count(1)
            self.spend(40 + size)
            return self.blob(size)
        if tag == c"I":
            return self.big()
        if tag == c"@":
            self.spend(8)
            size = self.count(0)
            if self.met is None or size >= PyList_GET_SIZE(self.met):
                raise BadMessage("refers to nothing")
            found = <object>PyList_GET_ITEM(self.met, size)
            if found is missing:
                raise BadMessage("holds itself")
            return found
        self.depth += 1
        if self.depth > DEPTH:
            raise BadMessage("nested too deeply")
        if tag == c"l" or tag == c"L" or tag == c"p" or tag == c"P":
            found = self.sequence(tag)
        elif tag == c"m" or tag == c"M":
            found = self.mapping(tag == c"M")
        elif tag == c"h" or tag == c"H" or tag == c"z" or tag == c"Z":
            found = self.collection(tag)
        elif tag == c"a" or tag == c"A":
            size = self.count(1)
            self.spend(64 + size)
            found = bytearray(self.blob(size))
            if tag == c"A":
                self.meet(found)
        else:
            found = self.rare(tag)
        self.depth -= 1
        return found

    cdef Py_ssize_t meet(self, value) except -1:
        """Gives a container its number."""
        if self.met is None:
            self.met = []
        self.met.append(value)
        return PyList_GET_SIZE(self.met) - 1

    cdef object sequence(self, uint8_t tag):
        cdef Py_ssize_t i, size = self.count(1)
        cdef Py_ssize_t number = -1
        cdef list found
        self.spend((64 if tag == c"l" or tag == c"L" else 48) + 8 * size)
        if tag == c"l" or tag == c"L":
            # Grows as items come: a list that refers to itself is seen by nobody with empty places.
            found = []
            if tag == c"L":
                self.meet(found)
            for _ in range(size):
                found.append(self.value())
            return found
        if tag == c"P":
            number = self.meet(missing)
        found = PyList_New(size)
        for i in range(size):
            item = self.value()
            Py_INCREF(item)
            PyList_SET_ITEM(found, i, item)
        made = tuple(found)
        if number >= 0:
            self.met[number] = made
        return made

    cdef object mapping(self, bint shared):
        cdef Py_ssize_t i, size = self.count(2)
        cdef dict found = {}
        cdef list keys, items
        self.spend(64 + 104 * size)
        if shared:
            self.meet(found)
        if size <= LOOK_AT_HASHES_FROM:
            for _ in range(size):
                key = self.value()
                self.insert(found, key, self.value())
        else:
            keys = []
            items = []
            for _ in range(size):
                keys.append(self.value())
                items.append(self.value())
            self.look_at_hashes(keys)
            for i in range(size):
                self.insert(found, <object>PyList_GET_ITEM(keys, i), <object>PyList_GET_ITEM(items, i))
        if len(found) != size:
            raise BadMessage("a key twice")
        return found

    cdef int insert(self, dict found, key, item) except -1:
        try:
            PyDict_SetItem(found, key, item)
        except TypeError:
            raise BadMessage("a key that has no hash") from None
        return 0

    cdef object collection(self, uint8_t tag):
        cdef Py_ssize_t number = -1, size = self.count(1)
        cdef list items = []
        cdef object found = None
        self.spend(216 + 32 * size)
        if tag == c"H":
            found = set()
            self.meet(found)
        elif tag == c"Z":
            number = self.meet(missing)
        for _ in range(size):
            items.append(self.value())
        if size > LOOK_AT_HASHES_FROM:
            self.look_at_hashes(items)
        try:
            if tag == c"H":
                found.update(items)
            else:
                found = set(items) if tag == c"h" else frozenset(items)
        except TypeError:
            raise BadMessage("an item that has no hash") from None
        if len(found) != size:
            raise BadMessage("an item twice")
        if number >= 0:
            self.met[number] = found
        return found

    cdef int look_at_hashes(self, list values) except -1:
        """BadMessage when many values have the same hash. Text and bytes are hashed with a secret of this process."""
        cdef Py_ssize_t i, n = 0, run = 0, size = PyList_GET_SIZE(values)
        cdef Py_hash_t *hashes = <Py_hash_t *>PyMem_RawMalloc(size * sizeof(Py_hash_t))
        if hashes is NULL:
            raise MemoryError()
        try:
            for i in range(size):
                value = <object>PyList_GET_ITEM(values, i)
                if type(value) is str or type(value) is bytes:
                    continue
                try:
                    hashes[n] = PyObject_Hash(value)
                except TypeError:
                    raise BadMessage("a key that has no hash") from None
                n += 1
            qsort(hashes, n, sizeof(Py_hash_t), &compare_hashes)
            for i in range(1, n):
                run = run + 1 if hashes[i] == hashes[i - 1] else 0
                if run >= SAME_HASH:
                    raise BadMessage("many keys with the same hash")
        finally:
            PyMem_RawFree(hashes)
        return 0

    cdef tuple parts(self, Py_ssize_t least, Py_ssize_t most):
        """A tuple of so many parts."""
        found = self.value()
        if type(found) is not tuple or not least <= PyTuple_GET_SIZE(found) <= most:
            raise BadMessage("parts of another kind")
        return <tuple>found

    cdef object rare(self, uint8_t tag):
        cdef double real
        cdef tuple parts
        self.spend(64)
        if tag == c"c":
            real = self.real()
            return complex(real, self.real())
        if tag == c"e":
            return ...
        try:
            if tag == c"r":
                start = self.number()
                stop = self.number()
                return range(start, stop, self.number())
            if tag == c"D":
                return date(*self.parts(3, 3))
            if tag == c"T":
                parts = self.parts(6, 6)
                return time(*parts[:5], fold=parts[5])
            if tag == c"W":
                parts = self.parts(9, 9)
                return moment(*parts[:8], fold=parts[8])
            if tag == c"J":
                parts = self.parts(3, 3)
                return timedelta(parts[0], parts[1], parts[2])
            if tag == c"O":
                parts = self.parts(0, 2)
                return timezone(*parts) if parts else UTC
            if tag == c"N":
                text = self.value()
                if type(text) is not str or len(text) > LONGEST_DECIMAL:
                    raise BadMessage("not a decimal number")
                return Decimal(text)
            if tag == c"F":
                parts = self.parts(2, 2)
                if type(parts[0]) is not int or type(parts[1]) is not int or parts[1] <= 0 or max(
                        abs(parts[0]), parts[1]).bit_length() > LONGEST_FRACTION:
                    raise BadMessage("not a fraction")
                return Fraction(parts[0], parts[1])
            if tag == c"K":
                name = self.value()
                if type(name) is not str:
                    raise BadMessage("not a record")
                found = make_record(name)
                self.meet(found)
                fields = self.value()
                if type(fields) is not dict or any([type(each) is not str for each in fields]):
                    raise BadMessage("not a record")
                parts_of_record(found)[1].update(fields)
                return found
            if tag == c"q":
                parts = self.parts(2, 2)
                if type(parts[1]) is not list or not (parts[0] is None or type(parts[0]) is int and len(parts[1]) <= parts[0]):
                    raise BadMessage("not a deque")
                return deque(parts[1], parts[0])
            if tag == c"o":
                pairs = self.value()
                if type(pairs) is not list or any([type(pair) is not tuple or len(pair) != 2 for pair in pairs]):
                    raise BadMessage("not a dictionary")
                if len(pairs) > LOOK_AT_HASHES_FROM:
                    self.look_at_hashes([pair[0] for pair in pairs])
                self.spend(120 * len(pairs))
                return OrderedDict(pairs)
            if tag == c"S":
                parts = self.parts(3, 3)
                return slice(*parts)
            if tag == c"X":
                return NotImplemented
            if tag == c"B":
                found = BUILTIN_BY_NAME.get(self.value())
                if found is None:
                    raise BadMessage("not a builtin class")
                return found
            if tag == c"R" and self.refs is not None:
                parts = self.parts(2, 8)
                return self.refs.resolve(parts)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise BadMessage(f"a value out of range: {type(error).__name__}") from None
        raise BadMessage("of no known kind")


cdef int compare_hashes(const void *left, const void *right) noexcept nogil:
    cdef Py_hash_t a = (<const Py_hash_t *>left)[0], b = (<const Py_hash_t *>right)[0]
    return (a > b) - (a < b)


cdef object read_one(Reader reader, int64_t budget):
    reader.left = budget
    reader.met = None
    return reader.value()


cdef Reader new_reader(bytes data, refs=None):
    cdef Reader reader = Reader.__new__(Reader)
    reader.data = <const uint8_t *>PyBytes_AS_STRING(data)
    reader.end = PyBytes_GET_SIZE(data)
    reader.refs = refs
    return reader


def decode(bytes data not None, limit=None):
    """The value that ``encode`` wrote, or that somebody says it did.

    Args:
        data: the bytes.
        limit: bytes of memory that the value may have, or None.

    Raises:
        BadMessage: they are not what ``encode`` writes, or the value is larger than the limit.
    """
    cdef Reader reader = new_reader(data)
    found = read_one(reader, budget_of(limit))
    if reader.at != reader.end:
        raise BadMessage("more than one value")
    return found


def decode_message(bytes data not None, head_limit=None, body_limit=None, refs=None):
    """The one or two values of a message without its length and kind; raises as ``decode`` does.

    Args:
        data: the bytes.
        head_limit, body_limit: bytes of memory that the values may have, or None.
        refs: has ``resolve``, which gives what plain values stand for or raises BadMessage; or None.

    Returns:
        The head; the body, or None when there is none.
    """
    cdef Reader reader = new_reader(data, refs)
    head = read_one(reader, budget_of(head_limit))
    if reader.at == reader.end:
        return head, None
    body = read_one(reader, budget_of(body_limit))
    if reader.at != reader.end:
        raise BadMessage("more than two values")
    return head, body
