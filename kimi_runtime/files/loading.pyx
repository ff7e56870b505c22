# cython: binding=False, wraparound=True, boundscheck=True
"""Contents of a file that the host gives when a guest first needs them."""
cimport cython

from kimi_runtime.objects.function cimport hooks
from kimi_runtime.objects.slots cimport type_name_of


@cython.final
@cython.auto_pickle(False)
cdef class Loader:
    """Calls a function of the host for the contents of a file.

    What it does is code of the host: the guest's clock stands still, and its exceptions cross as those of a host function do.
    """
    cdef readonly object function
    cdef readonly str path

    def __cinit__(self, function, str path):
        self.function = function
        self.path = path

    def __call__(self):
        cdef int outer
        cdef bint said = hooks.begin_output != NULL and hooks.begin_output(&outer) == 1
        found = raised = None
        try:
            found = self.function()
        except BaseException as error:
            raised = error
        if said:
            hooks.end_output(outer)
        if raised is not None:
            if said:
                from kimi_runtime import _core
                from kimi_runtime.bridge.host_exceptions import for_guest
                crossed = for_guest(raised)
                if crossed is None:
                    _core.stop_for_host(raised)
                raised = crossed
            raise raised
        if isinstance(found, str):
            return found.encode("utf-8", "surrogatepass")
        if isinstance(found, (bytes, bytearray, memoryview)):
            return bytes(found)
        raise TypeError(f"files: what gives the contents of {self.path!r} must return bytes or str, not {type_name_of(found)}")
