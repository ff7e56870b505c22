# What a run gives back, filled in by what runs it without a call of Python code; hosts see it as a `Result`.
from libc.stdint cimport uint64_t


cdef class Outcome:
    cdef public object value
    cdef public object error            # GuestError, or None
    cdef public object _stdout, _stderr     # lists of str and bytes, or None
    cdef public object _files, _observer
    cdef public list _late              # what its tasks have written since it was over; or None
    cdef public object _program         # what was run: its code, or its source; None when that is not known
    cdef double parse_seconds, compile_seconds, run_seconds
    cdef uint64_t instructions, peak_registers, peak_memory
    cdef bint cached, has_value


# A new instance of a subclass, without a call of its __init__.
cdef Outcome new_outcome(cls)
