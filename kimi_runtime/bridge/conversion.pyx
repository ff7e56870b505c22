# cython: binding=False, freethreading_compatible=False
"""Plain data by value. See the declarations, and "What crosses" in docs/embedding.md for the rules."""
cimport cython
from cpython.dict cimport PyDict_Copy, PyDict_Next
from cpython.ref cimport PyObject

from kimi_runtime.objects.function cimport hooks
from kimi_runtime.objects.slots cimport type_name_of
from kimi_runtime.vm.values cimport Py_INCREF

import builtins as host_builtins
import collections
import _datetime as datetime        # without the Python twin of it, which takes longer to load
import sys

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX
    ctypedef struct PyTypeObject:
        unsigned long tp_flags
    PyTypeObject PyLong_Type, PyUnicode_Type, PyFloat_Type, PyBool_Type, PyBytes_Type, PyList_Type, PyDict_Type, PyTuple_Type
    PyTypeObject PySet_Type, PyFrozenSet_Type, PyByteArray_Type, PyComplex_Type, PySlice_Type, PyRange_Type, PyMemoryView_Type
    PyTypeObject *Py_TYPE(PyObject *o) noexcept
    PyObject *Py_None
    PyObject *Py_Ellipsis
    PyObject *Py_NotImplemented
    Py_ssize_t Py_REFCNT(PyObject *o) noexcept
    unsigned long PyType_GetFlags(PyTypeObject *t) noexcept
    bint PyType_IsSubtype(PyTypeObject *a, PyTypeObject *b) noexcept
    Py_ssize_t PyList_GET_SIZE(PyObject *o) noexcept
    PyObject *PyList_GET_ITEM(PyObject *o, Py_ssize_t i) noexcept
    void PyList_SET_ITEM(object o, Py_ssize_t i, PyObject *item) noexcept
    int PyList_SetItem(object o, Py_ssize_t i, PyObject *item) except -1
    int PyList_SetSlice(object o, Py_ssize_t low, Py_ssize_t high, PyObject *items) except -1
    list PyList_New(Py_ssize_t n)
    Py_ssize_t PyTuple_GET_SIZE(PyObject *o) noexcept
    PyObject *PyTuple_GET_ITEM(PyObject *o, Py_ssize_t i) noexcept
    void PyTuple_SET_ITEM(PyObject *o, Py_ssize_t i, PyObject *item) noexcept
    tuple PyTuple_New(Py_ssize_t n)
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject *o) noexcept
    int PyUnicode_KIND(PyObject *o) noexcept
    object PyUnicode_FromObject(PyObject *o)
    Py_ssize_t PyBytes_GET_SIZE(PyObject *o) noexcept
    char *PyBytes_AS_STRING(PyObject *o) noexcept
    object PyBytes_FromStringAndSize(char *s, Py_ssize_t n)
    Py_ssize_t PyByteArray_GET_SIZE(PyObject *o) noexcept
    char *PyByteArray_AS_STRING(PyObject *o) noexcept
    object PyByteArray_FromStringAndSize(char *s, Py_ssize_t n)
    long long PyLong_AsLongLongAndOverflow(PyObject *o, int *overflow) noexcept
    double PyFloat_AS_DOUBLE(PyObject *o) noexcept
    ctypedef struct Py_complex:
        double real, imag
    Py_complex PyComplex_AsCComplex(PyObject *o)
    object PyComplex_FromCComplex(Py_complex c)
    Py_ssize_t k_dict_length "PyDict_Size"(PyObject *o) noexcept
    int PyDict_SetItem(object d, object key, object value) except -1
    object PySet_New(PyObject *items)
    object PyFrozenSet_New(PyObject *items)
    Py_ssize_t PySet_GET_SIZE(PyObject *o) noexcept
    int PySet_Add(object s, object item) except -1
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL
    ctypedef struct PySliceObject:
        PyObject *start
        PyObject *stop
        PyObject *step
    object PySlice_New(PyObject *start, PyObject *stop, PyObject *step)
    unsigned long LONG_SUBCLASS "Py_TPFLAGS_LONG_SUBCLASS"
    unsigned long LIST_SUBCLASS "Py_TPFLAGS_LIST_SUBCLASS"
    unsigned long TUPLE_SUBCLASS "Py_TPFLAGS_TUPLE_SUBCLASS"
    unsigned long BYTES_SUBCLASS "Py_TPFLAGS_BYTES_SUBCLASS"
    unsigned long UNICODE_SUBCLASS "Py_TPFLAGS_UNICODE_SUBCLASS"
    unsigned long DICT_SUBCLASS "Py_TPFLAGS_DICT_SUBCLASS"

cdef extern from *:
    """
    static int k_conversion_failed(void) { return -1; }
    """
    int raise_pending "k_conversion_failed"() except -1

cdef enum:
    MAX_DEPTH = 200             # of nested containers
    CHECK_EVERY = 1000          # items between two looks at the limits of the run
    WORD = 8

cdef enum PlainKind:
    KIND_OTHER = 0
    KIND_LEAF = 1               # immutable, without parts that could be another's
    KIND_DATETIME = 2
    KIND_TIME = 3
    KIND_TIMEZONE = 4
    KIND_DEQUE = 5
    KIND_ORDERED = 6

# Types -> PlainKind, beside those that `convert` asks for by name. Only types that live as long as the process.
cdef dict KINDS = {
    complex: KIND_LEAF, range: KIND_LEAF, type(Ellipsis): KIND_LEAF, type(NotImplemented): KIND_LEAF,
    datetime.date: KIND_LEAF, datetime.timedelta: KIND_LEAF, datetime.datetime: KIND_DATETIME, datetime.time: KIND_TIME,
    datetime.timezone: KIND_TIMEZONE, collections.deque: KIND_DEQUE, collections.OrderedDict: KIND_ORDERED,
}
# Classes that guests have as builtins are the same for all; the exceptions among them too.
cdef frozenset BUILTIN_CLASSES = frozenset(
    each for each in vars(host_builtins).values() if isinstance(each, type) and each.__module__ == "builtins")


class LimitReached(Exception):
    """A value that is converted is larger than it may be."""


into_guest = NULL
out_of_guest = NULL
unknown_of_guest = NULL


cdef bint is_leaf(PyObject *value) noexcept:
    cdef PyTypeObject *t = Py_TYPE(value)
    return (t == &PyLong_Type or t == &PyUnicode_Type or t == &PyFloat_Type or value == Py_None or t == &PyBool_Type
            or t == &PyBytes_Type)


cdef inline Py_ssize_t leaf_size(PyObject *value) noexcept:
    """About the bytes of a leaf, its place in a container included."""
    cdef PyTypeObject *t = Py_TYPE(value)
    cdef int overflow
    if t == &PyUnicode_Type:
        return 56 + PyUnicode_GET_LENGTH(value) * PyUnicode_KIND(value)
    if t == &PyLong_Type:
        PyLong_AsLongLongAndOverflow(value, &overflow)
        return 36 if not overflow else int_size(value)
    if t == &PyBytes_Type:
        return 41 + PyBytes_GET_SIZE(value)
    if t == &PyFloat_Type:
        return 32
    return WORD


cdef Py_ssize_t int_size(PyObject *value) noexcept:
    return 36 + (<object>value).bit_length() // 7


@cython.final
@cython.auto_pickle(False)
cdef class Converter:
    """One conversion, with what it has met already."""

    cdef int count(self, Py_ssize_t size) except -1:
        """Counts bytes, before they are copied."""
        self.size += size
        if self.limit and self.size > self.limit:
            raise LimitReached
        return 0

    cdef int check(self) except -1:
        """Long conversions are time of the guest."""
        self.until_check = CHECK_EVERY
        if hooks.check != NULL and hooks.check() < 0:
            raise_pending()
        return 0

    cdef str path(self, Level *at):
        """Where in the value: ``orders[3].conn``."""
        cdef list parts = []
        while at != NULL:
            if at.kind == LEVEL_INDEX:
                parts.append(f"[{at.index}]")
            elif at.kind == LEVEL_KEY:
                parts.append(f"[{shown(<object>at.key)}]")
            elif at.kind == LEVEL_IN_KEY:
                parts.append(f"{{key {shown(<object>at.key)}}}")
            elif at.kind == LEVEL_MEMBER:
                parts.append("{item}")
            else:
                parts.append(f".{<object>at.key}")
            at = at.up
        parts.append(self.root)
        parts.reverse()
        return "".join(parts)

    cdef object remember(self, PyObject *value, copy):
        """Notes the copy of a value that is referred to more than once."""
        if self.copies is None:
            self.copies = {}
            self.kept = []
        self.copies[<size_t>value] = copy
        self.kept.append(<object>value)
        return copy

    cdef int note_size(self, PyObject *value, Py_ssize_t before) except -1:
        if self.limit:
            if self.sizes is None:
                self.sizes = {}
            self.sizes[<size_t>value] = self.size - before
        return 0

    cdef object met(self, PyObject *value):
        """The copy of a value that was met before, or None. It counts each time: so does who writes it out."""
        cdef PyObject *found
        if self.copies is None:
            return None
        found = PyDict_GetItemWithError(self.copies, <size_t>value)
        if found == NULL:
            return None
        copy = <object>found
        if self.limit:
            size = self.sizes.get(<size_t>value, WORD) if self.sizes is not None else WORD
            self.count(size)
        return copy

    cdef object convert(self, PyObject *value, Level *up):
        cdef PyTypeObject *t = Py_TYPE(value)
        cdef Py_ssize_t before
        cdef bint shared
        if is_leaf(value):
            if self.limit:
                self.count(leaf_size(value))
            return <object>value
        if up != NULL and up.depth >= MAX_DEPTH:
            raise ValueError(f"{self.path(up)[:200]}... is nested deeper than the {MAX_DEPTH} levels that can be converted")
        self.until_check -= 1
        if self.until_check < 0:
            self.check()
        shared = Py_REFCNT(value) > 1
        if shared:
            copy = self.met(value)
            if copy is not None:
                return copy
        _held = <object>value           # should code that the conversion sets off let go of it
        before = self.size
        if t == &PyList_Type:
            copy = self.copy_list(value, up, shared)
        elif t == &PyDict_Type:
            copy = self.copy_dict(value, up, shared)
        elif t == &PyTuple_Type:
            copy = self.copy_tuple(value, up, shared)
        elif t == &PySet_Type:
            copy = self.copy_set(value, up, shared)
        elif t == &PyFrozenSet_Type:
            copy = self.copy_frozenset(value, up)
        elif t == &PyByteArray_Type:
            self.count(57 + PyByteArray_GET_SIZE(value))
            copy = PyByteArray_FromStringAndSize(PyByteArray_AS_STRING(value), PyByteArray_GET_SIZE(value))
            if shared:
                self.remember(value, copy)
        elif t == &PySlice_Type:
            copy = self.copy_slice(value, up)
        else:
            copy = self.convert_other(value, up, shared)
        if shared and self.copies is not None:
            self.note_size(value, before)
        return copy

    cdef list copy_list(self, PyObject *value, Level *up, bint shared):
        cdef Py_ssize_t n = PyList_GET_SIZE(value)
        cdef Py_ssize_t i = 0
        cdef Py_ssize_t j
        cdef PyObject *item
        cdef PyObject *raw
        cdef Level at
        cdef list copy
        self.count(64 + n * WORD)
        copy = PyList_New(n)
        if self.limit:
            while i < n:
                item = PyList_GET_ITEM(value, i)
                if not is_leaf(item):
                    break
                self.size += leaf_size(item)
                if self.size > self.limit:
                    break               # with room for the error; the rest is None
                Py_INCREF(item)
                PyList_SET_ITEM(copy, i, item)
                i += 1
        else:
            while i < n:
                item = PyList_GET_ITEM(value, i)
                if not is_leaf(item):
                    break
                Py_INCREF(item)
                PyList_SET_ITEM(copy, i, item)
                i += 1
        self.until_check -= i >> 3
        for j in range(i, n):
            Py_INCREF(Py_None)
            PyList_SET_ITEM(copy, j, Py_None)
        if shared:
            self.remember(value, copy)
        self.count(0)
        if i == n:
            return copy
        at.up = up
        at.kind = LEVEL_INDEX
        at.depth = 1 if up == NULL else up.depth + 1
        while i < n:
            if i >= PyList_GET_SIZE(value):
                del copy[i:]            # it has become shorter meanwhile
                break
            at.index = i
            made = self.convert(PyList_GET_ITEM(value, i), &at)
            raw = <PyObject *>made
            Py_INCREF(raw)
            PyList_SetItem(copy, i, raw)
            i += 1
        return copy

    cdef dict copy_dict(self, PyObject *value, Level *up, bint shared):
        cdef Py_ssize_t pos = 0
        cdef PyObject *key
        cdef PyObject *item
        cdef bint plain = True
        cdef Py_ssize_t size = 0
        cdef Py_ssize_t n = k_dict_length(value)
        cdef Level at
        cdef dict copy
        self.count(64 + n * 3 * WORD)
        while PyDict_Next(<object>value, &pos, &key, &item):
            if not is_leaf(key) or not is_leaf(item):
                plain = False
                break
            size += leaf_size(key) + leaf_size(item)
        if plain:
            self.count(size)
            self.until_check -= n >> 2
            copy = PyDict_Copy(<object>value) if Py_TYPE(value) == &PyDict_Type else self.copy_pairs(value)
            if shared:
                self.remember(value, copy)
            return copy
        copy = {}
        if shared:
            self.remember(value, copy)
        at.up = up
        at.depth = 1 if up == NULL else up.depth + 1
        pos = 0
        while PyDict_Next(<object>value, &pos, &key, &item):
            at.key = key
            held_key = <object>key
            held = <object>item
            if is_leaf(key):
                if self.limit:
                    self.count(leaf_size(key))
                made_key = held_key
            else:
                at.kind = LEVEL_IN_KEY
                made_key = self.convert(key, &at)
            at.kind = LEVEL_KEY
            if is_leaf(item):
                if self.limit:
                    self.count(leaf_size(item))
                made = held
                self.until_check -= 1
            else:
                held = None             # so that its count of references tells whether it is shared
                made = self.convert(item, &at)
            if self.until_check < 0:
                self.check()
            PyDict_SetItem(copy, made_key, made)
        return copy

    cdef dict copy_pairs(self, PyObject *value):
        """The leaves of an instance of a subclass of dict."""
        cdef Py_ssize_t pos = 0
        cdef PyObject *key
        cdef PyObject *item
        cdef dict copy = {}
        while PyDict_Next(<object>value, &pos, &key, &item):
            PyDict_SetItem(copy, <object>key, <object>item)
        return copy

    cdef tuple copy_tuple(self, PyObject *value, Level *up, bint shared):
        cdef Py_ssize_t n = PyTuple_GET_SIZE(value)
        cdef Py_ssize_t i = 0
        cdef Py_ssize_t size = 0
        cdef PyObject *item
        cdef bint same = Py_TYPE(value) == &PyTuple_Type
        cdef Level at
        cdef list items
        while i < n and is_leaf(PyTuple_GET_ITEM(value, i)):
            size += leaf_size(PyTuple_GET_ITEM(value, i))
            i += 1
        if i == n and same:
            self.count(48 + n * WORD + size)
            return <tuple>value         # immutable throughout
        self.count(48 + n * WORD)
        at.up = up
        at.kind = LEVEL_INDEX
        at.depth = 1 if up == NULL else up.depth + 1
        items = []
        for i in range(n):
            at.index = i
            item = PyTuple_GET_ITEM(value, i)
            made = self.convert(item, &at)
            if <PyObject *>made != item:
                same = False
            items.append(made)
        if shared:
            # In a cycle through this tuple an inner turn has made it already.
            copy = self.met(value)
            if copy is not None:
                return copy
        copy = <tuple>value if same else tuple(items)
        if shared:
            self.remember(value, copy)
        return copy

    cdef object copy_set(self, PyObject *value, Level *up, bint shared):
        cdef Level at
        items = PySet_New(value)        # of storage of its own, also for a subclass
        self.count(216 + PySet_GET_SIZE(value) * 2 * WORD)
        self.until_check -= PySet_GET_SIZE(value) >> 2
        for item in items:
            if not is_leaf(<PyObject *>item):
                break
            if self.limit:
                self.count(leaf_size(<PyObject *>item))
        else:
            if shared:
                self.remember(value, items)
            return items
        at.up = up
        at.kind = LEVEL_MEMBER
        at.depth = 1 if up == NULL else up.depth + 1
        copy = set()
        if shared:
            self.remember(value, copy)
        for item in items:
            PySet_Add(copy, self.convert(<PyObject *>item, &at))
        return copy

    cdef object copy_frozenset(self, PyObject *value, Level *up):
        cdef bint same = Py_TYPE(value) == &PyFrozenSet_Type
        cdef Level at
        self.count(216 + PySet_GET_SIZE(value) * 2 * WORD)
        at.up = up
        at.kind = LEVEL_MEMBER
        at.depth = 1 if up == NULL else up.depth + 1
        items = []
        for item in PyFrozenSet_New(value) if not same else <object>value:
            made = self.convert(<PyObject *>item, &at)
            if made is not item:
                same = False
            items.append(made)
        return <object>value if same else frozenset(items)

    cdef object part(self, PyObject *value, str name, Level *up):
        """A part of a value that is no container."""
        cdef Level at
        at.up = up
        at.kind = LEVEL_FIELD
        at.key = <PyObject *>name
        at.depth = 1 if up == NULL else up.depth + 1
        return self.convert(value, &at)

    cdef object copy_slice(self, PyObject *value, Level *up):
        cdef PySliceObject *s = <PySliceObject *>value
        self.count(64)
        start = self.part(s.start, "start", up)
        stop = self.part(s.stop, "stop", up)
        step = self.part(s.step, "step", up)
        return PySlice_New(<PyObject *>start, <PyObject *>stop, <PyObject *>step)

    cdef object convert_other(self, PyObject *value, Level *up, bint shared):
        """All types that are rarer."""
        cdef PyObject *found = PyDict_GetItemWithError(KINDS, type(<object>value))
        if found != NULL:
            return self.convert_kind(<int><object>found, value, up, shared)
        if isinstance(<object>value, type) and <object>value in BUILTIN_CLASSES:
            return <object>value
        resolver = out_of_guest if self.out else into_guest
        made = resolver(<object>value, self, up) if resolver != NULL else NotImplemented
        if made is NotImplemented:
            made = self.convert_subclass(value, up, shared)
        if made is NotImplemented:
            if Py_TYPE(value) == &PyMemoryView_Type:
                self.count((<object>value).nbytes)
                return (<object>value).tobytes()
            if is_decimal(type(<object>value)):
                return self.convert(value, up)
            made = unknown_of_guest(<object>value, self, up) if self.wraps else NotImplemented
        if made is NotImplemented:
            self.refuse(<object>value, up)
        return made

    cdef int refuse(self, value, Level *up) except -1:
        cdef str where = self.path(up)
        cdef str kind = type_name_of(value).rpartition(".")[2]
        if self.out:
            raise TypeError(f"{where} cannot go to the host: it is {a_or_an(kind)}, and only plain data goes by value"
                            + advice_of_guest(value))
        raise TypeError(f"{where} cannot go to the guest: it is {a_or_an(kind)}, and only plain data goes by value; "
                        + advice_of_host(value))

    cdef object convert_kind(self, int kind, PyObject *value, Level *up, bint shared):
        """Instances of exactly these types."""
        self.count(64)
        if kind == KIND_LEAF:
            return <object>value
        o = <object>value
        if kind == KIND_DATETIME:
            return self.convert_zoned(o, o, up)
        if kind == KIND_TIME:
            return self.convert_zoned(o, o, up)
        if kind == KIND_TIMEZONE:
            given = o.__getinitargs__()
            if type(given[0]) is datetime.timedelta and (len(given) == 1 or type(given[1]) is str):
                return o
            return datetime.timezone(plain_delta(given[0]), *[PyUnicode_FromObject(<PyObject *>each) for each in given[1:]])
        if kind == KIND_DEQUE:
            return self.copy_deque(value, up, shared)
        return self.copy_ordered(value, up, shared, True)

    cdef object convert_zoned(self, o, plain, Level *up):
        """A time or datetime, of exactly that type, as `plain`; its zone may be anybody's object."""
        zone = plain.tzinfo
        if zone is None:
            return plain
        if type(zone) is not datetime.timezone and isinstance(plain, datetime.datetime):
            # A zone's rules are code; what crosses is what they say of this moment.
            made = zone_of_guest(zone) if self.out else zone
            made = None if made is None else fixed_zone(plain, made)
            if made is not None:
                return plain.replace(tzinfo=made)
        if type(zone) is not datetime.timezone:
            raise TypeError(f"{self.path(up)}.tzinfo cannot go to the {'host' if self.out else 'guest'}: it is "
                            f"{a_or_an(type_name_of(zone).rpartition('.')[2])}; make the time one of a datetime.timezone first")
        made = self.part(<PyObject *>zone, "tzinfo", up)
        return plain if made is zone else plain.replace(tzinfo=made)

    cdef object copy_deque(self, PyObject *value, Level *up, bint shared):
        cdef Level at
        o = <object>value
        copy = deque((), deque_maxlen(o))
        if shared:
            self.remember(value, copy)
        at.up = up
        at.kind = LEVEL_INDEX
        at.index = 0
        at.depth = 1 if up == NULL else up.depth + 1
        for item in list(deque_iter(o)):
            copy.append(self.convert(<PyObject *>item, &at))
            at.index += 1
        return copy

    cdef object copy_ordered(self, PyObject *value, Level *up, bint shared, bint ordered):
        """A dict in the order of an OrderedDict."""
        cdef PyObject *found
        cdef Level at
        copy = ordered_dict() if ordered else {}
        if shared:
            self.remember(value, copy)
        at.up = up
        at.kind = LEVEL_KEY
        at.depth = 1 if up == NULL else up.depth + 1
        self.count(k_dict_length(value) * 12 * WORD)
        for key in list(ordered_iter(<object>value)):
            found = PyDict_GetItemWithError(<object>value, key)
            if found != NULL:
                at.key = <PyObject *>key
                made = self.convert(found, &at)
                at.kind = LEVEL_IN_KEY
                copy[self.convert(<PyObject *>key, &at)] = made
                at.kind = LEVEL_KEY
        return copy

    cdef object convert_subclass(self, PyObject *value, Level *up, bint shared):
        """An instance of a subclass of a plain type, as the plain type; otherwise NotImplemented."""
        cdef PyTypeObject *t = Py_TYPE(value)
        cdef unsigned long flags = PyType_GetFlags(t)
        if flags & UNICODE_SUBCLASS:
            self.count(56 + PyUnicode_GET_LENGTH(value) * PyUnicode_KIND(value))
            return PyUnicode_FromObject(value)
        if flags & LONG_SUBCLASS:
            plain = int.__index__(<object>value)
            self.count(leaf_size(<PyObject *>plain))
            return plain
        if flags & BYTES_SUBCLASS:
            self.count(41 + PyBytes_GET_SIZE(value))
            return PyBytes_FromStringAndSize(PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value))
        if flags & LIST_SUBCLASS:
            return self.copy_list(value, up, shared)
        if flags & TUPLE_SUBCLASS:
            return self.copy_tuple(value, up, shared)
        if flags & DICT_SUBCLASS:
            if PyType_IsSubtype(t, <PyTypeObject *>ordered_type):
                return self.copy_ordered(value, up, shared, False)
            return self.copy_dict(value, up, shared)
        if PyType_IsSubtype(t, &PyFloat_Type):
            self.count(32)
            return <object>PyFloat_AS_DOUBLE(value)
        if PyType_IsSubtype(t, &PySet_Type):
            return self.copy_set(value, up, shared)
        if PyType_IsSubtype(t, &PyFrozenSet_Type):
            return self.copy_frozenset(value, up)
        if PyType_IsSubtype(t, &PyByteArray_Type):
            self.count(57 + PyByteArray_GET_SIZE(value))
            return PyByteArray_FromStringAndSize(PyByteArray_AS_STRING(value), PyByteArray_GET_SIZE(value))
        if PyType_IsSubtype(t, &PyComplex_Type):
            self.count(40)
            return complex(complex_real(<object>value), complex_imag(<object>value))
        if PyType_IsSubtype(t, <PyTypeObject *>deque_type):
            return self.copy_deque(value, up, shared)
        if PyType_IsSubtype(t, <PyTypeObject *>datetime_type):
            self.count(64)
            return self.convert_zoned(<object>value, plain_datetime(<object>value), up)
        if PyType_IsSubtype(t, <PyTypeObject *>date_type):
            self.count(64)
            return datetime.date(*[each.__get__(<object>value) for each in DATE_FIELDS])
        if PyType_IsSubtype(t, <PyTypeObject *>time_type):
            self.count(64)
            return self.convert_zoned(<object>value, plain_time(<object>value), up)
        if PyType_IsSubtype(t, <PyTypeObject *>delta_type):
            self.count(64)
            return plain_delta(<object>value)
        return NotImplemented


# ---- plain types of which subclasses may come ------------------------------------------------
# Fetched from the types once: called with an instance of a subclass they run nothing of that subclass.
cdef object deque = collections.deque
cdef object ordered_dict = collections.OrderedDict
cdef object deque_iter = deque.__iter__
cdef object ordered_iter = ordered_dict.__iter__
cdef object complex_real_field = complex.__dict__["real"]
cdef object complex_imag_field = complex.__dict__["imag"]
cdef object maxlen_field = deque.__dict__["maxlen"]
cdef PyObject *deque_type = <PyObject *>deque
cdef PyObject *ordered_type = <PyObject *>ordered_dict
cdef object types_of_time = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)
cdef PyObject *datetime_type = PyTuple_GET_ITEM(<PyObject *>types_of_time, 0)
cdef PyObject *date_type = PyTuple_GET_ITEM(<PyObject *>types_of_time, 1)
cdef PyObject *time_type = PyTuple_GET_ITEM(<PyObject *>types_of_time, 2)
cdef PyObject *delta_type = PyTuple_GET_ITEM(<PyObject *>types_of_time, 3)
cdef tuple DATE_FIELDS = tuple(datetime.date.__dict__[name] for name in ("year", "month", "day"))
cdef tuple CLOCK_FIELDS = ("hour", "minute", "second", "microsecond", "tzinfo")
cdef tuple DATETIME_FIELDS = DATE_FIELDS + tuple(datetime.datetime.__dict__[name] for name in CLOCK_FIELDS)
cdef object datetime_fold = datetime.datetime.__dict__["fold"]
cdef tuple TIME_FIELDS = tuple(datetime.time.__dict__[name] for name in CLOCK_FIELDS)
cdef object time_fold = datetime.time.__dict__["fold"]
cdef tuple DELTA_FIELDS = tuple(datetime.timedelta.__dict__[name] for name in ("days", "seconds", "microseconds"))


cdef object deque_maxlen(value):
    return maxlen_field.__get__(value)


cdef object complex_real(value):
    return complex_real_field.__get__(value)


cdef object complex_imag(value):
    return complex_imag_field.__get__(value)


cdef object plain_datetime(value):
    return datetime.datetime(*[each.__get__(value) for each in DATETIME_FIELDS], fold=datetime_fold.__get__(value))


cdef object plain_time(value):
    return datetime.time(*[each.__get__(value) for each in TIME_FIELDS], fold=time_fold.__get__(value))


cdef object plain_delta(value):
    return datetime.timedelta(*[each.__get__(value) for each in DELTA_FIELDS])


cdef bint is_decimal(cls) except -1:
    """Whether it is ``decimal.Decimal``, which is then known; that module is slow to import, so hosts may do without."""
    decimal = sys.modules.get("decimal")
    if decimal is None or cls is not decimal.Decimal:
        return False
    KINDS[cls] = KIND_LEAF
    return True


cdef object fixed_zone(moment, zone):
    from kimi_runtime.bridge.records import fixed_zone as fix
    return fix(moment, zone)


cdef object zone_of_guest(zone):
    from kimi_runtime.bridge.records import zone_of_guest as find
    return find(zone)


# ---- texts -----------------------------------------------------------------------------------
cdef str shown(key):
    """A key in a path."""
    if type(key) is str and len(key) < 60 or type(key) in (int, bool, float):
        return repr(key) if type(key) is not int or key.bit_length() < 100 else "..."
    return "..."


cdef str a_or_an(str kind):
    return f"an {kind}" if kind[:1] in "aeiouAEIOU" else f"a {kind}"


cdef str advice_of_guest(value):
    cdef str kind = type_name_of(value)
    if kind in ("generator", "map", "filter", "zip") or kind.endswith("iterator") or kind.startswith("dict_"):
        return "; make a list of it"
    return "; convert it to dicts, lists, strings and numbers first"


cdef str advice_of_host(value):
    cdef str kind = type_name_of(value)
    if kind in ("generator", "map", "filter", "zip") or kind.endswith("iterator") or kind.startswith("dict_"):
        return "make a list of it"
    if kind == "coroutine":
        return "await it in the host"
    return ("give the guest a view of it by kr.expose(obj, attrs=[...], methods=[...]), or convert it to dicts, lists, strings "
            "and numbers")


# ---- for Python code of the host ----------------------------------------------------------------
def convert_in(value, root, context=None):
    """A value of the host as the guest gets it.

    Args:
        value: anything.
        root: what error texts call it.
        context: the guest's ``RunContext``, in which proxies of exposed objects are kept; or None.

    Raises:
        TypeError: a part of it is no plain data, no function, and not exposed.
        ValueError: it is nested too deeply.
    """
    cdef Converter c = Converter.__new__(Converter)
    c.root = root
    c.context = context
    c.until_check = CHECK_EVERY
    return c.convert(<PyObject *>value, NULL)


def convert_inputs(inputs, context=None):
    """A dictionary with inputs as the guest gets them; what two of them share is shared there. Errors as ``convert_in``."""
    cdef Converter c = Converter.__new__(Converter)
    cdef dict made = {}
    c.context = context
    c.until_check = PY_SSIZE_T_MAX          # it is no time of the guest
    for name, value in inputs.items():
        if is_leaf(<PyObject *>value):
            made[name] = value
        else:
            c.root = name
            made[name] = c.convert(<PyObject *>value, NULL)
    return made


def convert_result(value, limit, context):
    """The value of a run as the host gets it. What is no plain data comes as a ``GuestObject``.

    Args:
        value: anything.
        limit: bytes, None for no limit. A part that is referred to several times counts each time.
        context: the guest's ``RunContext``.

    Raises:
        LimitReached: it is larger.
    """
    cdef Converter c
    if is_leaf(<PyObject *>value) and (limit is None or leaf_size(<PyObject *>value) <= limit):
        return value
    c = Converter.__new__(Converter)
    c.out = c.wraps = True
    c.root = "the result"
    c.context = context
    c.limit = 0 if limit is None else limit
    c.until_check = CHECK_EVERY
    try:
        return c.convert(<PyObject *>value, NULL)
    except ValueError:
        return unknown_of_guest(value, c, NULL)         # nested too deeply
