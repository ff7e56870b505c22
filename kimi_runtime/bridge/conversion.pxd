# Plain data by value, between host and guest. Both directions walk a value alike: immutable leaves are shared, containers are
# copied, anything else goes to the resolver of the direction.
#
#     host ──▶ guest    inputs, results of host functions, exposed attributes
#     guest ──▶ host    results of runs, arguments of host functions
#
# No code of the guest runs in a conversion: of a subclass of a plain type the storage is read, never a method called.
from cpython.ref cimport PyObject

cdef enum LevelKind:
    LEVEL_INDEX = 0         # [3]
    LEVEL_KEY = 1           # ['name'], the value of a key
    LEVEL_IN_KEY = 2        # a key of a dict
    LEVEL_MEMBER = 3        # an item of a set
    LEVEL_FIELD = 4         # .name

# Where in a value the conversion is: a list on the C stack, for error texts.
cdef struct Level:
    Level *up
    PyObject *key           # borrowed; LEVEL_KEY, LEVEL_IN_KEY and LEVEL_FIELD
    Py_ssize_t index        # LEVEL_INDEX
    int kind
    int depth

cdef class Converter:
    cdef bint out               # guest to host
    cdef bint wraps             # out: what is no plain data becomes a GuestObject; otherwise a TypeError
    cdef object context         # RunContext of the guest, or None
    cdef object root            # what the path begins with
    cdef Py_ssize_t limit       # bytes; 0 for none
    cdef Py_ssize_t size
    cdef Py_ssize_t until_check
    cdef dict copies            # id -> copy, of what is referred to more than once
    cdef dict sizes             # id -> bytes of that, once they are known
    cdef list kept              # the originals of `copies`

    # The value for the other side. TypeError, LimitReached, or what a stop raises.
    cdef object convert(self, PyObject *value, Level *up)
    cdef int count(self, Py_ssize_t size) except -1
    cdef str path(self, Level *at)
    cdef object part(self, PyObject *value, str name, Level *up)
    cdef object met(self, PyObject *value)
    cdef object remember(self, PyObject *value, copy)
    cdef int check(self) except -1
    cdef int note_size(self, PyObject *value, Py_ssize_t before) except -1
    cdef int refuse(self, value, Level *up) except -1
    cdef list copy_list(self, PyObject *value, Level *up, bint shared)
    cdef dict copy_dict(self, PyObject *value, Level *up, bint shared)
    cdef dict copy_pairs(self, PyObject *value)
    cdef tuple copy_tuple(self, PyObject *value, Level *up, bint shared)
    cdef object copy_set(self, PyObject *value, Level *up, bint shared)
    cdef object copy_frozenset(self, PyObject *value, Level *up)
    cdef object copy_slice(self, PyObject *value, Level *up)
    cdef object copy_deque(self, PyObject *value, Level *up, bint shared)
    cdef object copy_ordered(self, PyObject *value, Level *up, bint shared, bint ordered)
    cdef object convert_other(self, PyObject *value, Level *up, bint shared)
    cdef object convert_kind(self, int kind, PyObject *value, Level *up, bint shared)
    cdef object convert_zoned(self, o, plain, Level *up)
    cdef object convert_subclass(self, PyObject *value, Level *up, bint shared)

# What a direction does with what is no plain data, or NotImplemented; and with what is then left of a guest's. Set by `crossing`.
ctypedef object (*Resolver)(object value, Converter c, Level *up)
cdef Resolver into_guest
cdef Resolver out_of_guest
cdef Resolver unknown_of_guest

# Whether a value is an immutable leaf, which both sides may share.
cdef bint is_leaf(PyObject *value) noexcept
