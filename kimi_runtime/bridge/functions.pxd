# Code of the host that a guest can call: see functions.pyx.
from cpython.ref cimport PyObject

cdef class HostFunction:
    cdef PyObject *vectorcall
    cdef object call                # the host's callable
    cdef readonly str __name__
    cdef object doc                 # str or None
    cdef object shown_signature     # text, None when there is none, or NotImplemented while nobody has asked
    cdef bint guest_objects         # what is no plain data comes as a GuestObject; otherwise it is refused
    cdef readonly double timeout    # seconds that its calls may take together in a run; 0 for no limit
    cdef long long max_calls        # how often a run may call it; 0 for no limit
    cdef readonly object awaited    # the callable of an async or batched function; or None
    cdef readonly bint suspends     # its calls are not awaited: they look like others, and the program waits
    cdef readonly bint batched      # it gets all calls that are ready as one list
    cdef object __weakref__

    cdef object invoke(self, PyObject **args, Py_ssize_t n, PyObject *kwnames)

# What is left to do when code of the host has run for a guest: r is its new reference or NULL with an exception set, `outer` is
# of hooks.begin_host_call. The value for the guest; raises what crosses.
cdef object finish_host_call(PyObject *r, int outer, str name, HostFunction function)
# A value that goes to the host: plain data, or a GuestObject when it may be one. `index` counts from 1; 0 for `keyword`.
cdef object argument(PyObject *value, str name, Py_ssize_t index, object keyword, bint guest_objects)
# Raises again, without our own frames. For functions that C code calls.
cdef void set_clean(object error) noexcept
# A function of the host as the guest gets it. TypeError for an async generator.
cdef HostFunction wrap(call, str name)
