# except*: splitting exception groups and putting together what is left to raise, as CPython's eval loop does.
from cpython.ref cimport PyObject

# Splits exc (an exception or None; borrowed) by a class or tuple: 0 and new references in *matched and *rest (either may
# be None), or -1 with an exception set.
cdef int split_group(PyObject *exc, PyObject *match_type, PyObject **matched, PyObject **rest) noexcept
# The exception to raise after all except* clauses, or None: new reference; NULL on error. raised: list of what the
# clauses raised and of the unmatched rest, Nones included.
cdef PyObject *(*prepare_reraise_star)(PyObject *original, PyObject *raised) noexcept
