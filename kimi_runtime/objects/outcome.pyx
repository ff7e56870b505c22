# cython: binding=False
"""What a run gives back, as the core and its callers fill it in."""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.objects.slots cimport get_slots, newfunc


@cython.auto_pickle(False)
cdef class Outcome:
    """The fields of a ``Result``."""

    @property
    def _costs(self):
        """The arguments of a ``Stats``, and whether there is a value."""
        return (self.parse_seconds, self.compile_seconds, self.run_seconds, self.instructions, self.peak_registers,
                bool(self.cached), self.peak_memory, bool(self.has_value))

    @_costs.setter
    def _costs(self, costs):
        (self.parse_seconds, self.compile_seconds, self.run_seconds, self.instructions, self.peak_registers,
         self.cached, self.peak_memory, self.has_value) = costs


cdef Outcome new_outcome(cls):
    return <Outcome>(<newfunc>get_slots(cls).tp_new)(get_slots(cls), <PyObject *>(), NULL)
