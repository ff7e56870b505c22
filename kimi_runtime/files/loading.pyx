# cython: binding=False, wraparound=True, boundscheck=True
"""Contents of a file that the host gives when a guest first needs them."""
cimport cython

from kimi_runtime.objects.slots cimport type_name_of

from kimi_runtime.objects.streams import answer_of_host


def contents_given(found, str path):
    """The bytes of what a function of the host has given for a file. TypeError: it is neither bytes nor text."""
    if isinstance(found, str):
        return found.encode("utf-8", "surrogatepass")
    if isinstance(found, (bytes, bytearray, memoryview)):
        return bytes(found)
    raise TypeError(f"files: what gives the contents of {path!r} must return bytes or str, not {type_name_of(found)}")


@cython.final
@cython.auto_pickle(False)
cdef class Loader:
    """Calls a function of the host for the contents of a file."""
    cdef readonly object function
    cdef readonly str path

    def __cinit__(self, function, str path):
        self.function = function
        self.path = path

    def __call__(self):
        return contents_given(answer_of_host(self.function), self.path)
