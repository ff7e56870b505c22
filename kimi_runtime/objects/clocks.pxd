# The clocks of a guest whose host has a policy for them.
from libc.stdint cimport int64_t

cdef class GuestClock:
    cdef object source          # function of the host that gives the time in seconds, or None
    cdef bint moves             # with the host's clock
    cdef readonly bint skips    # sleeping moves the clocks and does not wait
    cdef int64_t offset         # nanoseconds: between the host's wall clock and the guest's; where it does not move, its time
    cdef int64_t passed         # nanoseconds that were slept without waiting, and steps of the readings
    cdef int64_t step           # nanoseconds that each reading of a clock takes
    cdef double longest         # seconds that a sleep waits at most
    cdef object sleeper         # function of the host that is called instead of waiting, or None
    cdef readonly object zone   # tzinfo of local times, or None for the host's

    cdef int64_t wall(self) except? -1
    cdef int64_t monotonic(self) except? -1
    # The same in seconds, not as a reading that takes time.
    cdef double seconds(self) except? -1
    # Goes to sleep where the policy says how: True; False when the caller has to wait for those seconds.
    cdef bint slept(self, double *seconds) except -1
    cdef int skip(self, double seconds) except -1

# The clock of the running guest, or None where the host's clocks are meant.
cdef GuestClock clock_here()
