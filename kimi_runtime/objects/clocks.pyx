# cython: binding=False, wraparound=True, boundscheck=True
"""Clocks of guests whose host has a policy for them: see ``kimi_runtime.Policy``."""
from kimi_runtime.objects.context cimport RunContext, current_context

import time

cdef object host_time_ns = time.time_ns
cdef object host_monotonic_ns = time.monotonic_ns
cdef int64_t BILLION = 1_000_000_000
# Where the monotonic clocks of a guest begin whose clock the host does not move: they are no dates.
cdef int64_t FIRST = 1000 * BILLION
# What a guest can skip, in all: over a hundred years, and the sum with the date of today still is a number of 64 bits.
cdef int64_t FURTHEST = 4 * BILLION * BILLION


cdef class GuestClock:
    """One guest's clocks: the wall clock, and one that all others show.

    Args:
        source: a function of the host that gives the time in seconds since the epoch, or None.
        begins: nanoseconds since the epoch at which it begins, or None for the time of the host.
        moves: whether it goes on with the host's clock.
        step: nanoseconds that each reading takes.
        sleep: "real", "skip", the seconds that a sleep waits at most, or a function of the host that gets the seconds.
        zone: the tzinfo of local times, or None.
    """

    def __cinit__(self, source, begins, bint moves, int64_t step, sleep, zone):
        cdef int64_t now = host_time_ns()
        self.source = source
        self.moves = moves
        self.step = step
        self.zone = zone
        if begins is None:
            self.offset = 0 if moves else now
        else:
            self.offset = <int64_t>begins - now if moves else <int64_t>begins
        self.skips = sleep == "skip"
        self.longest = sleep if type(sleep) is float else -1
        self.sleeper = sleep if callable(sleep) else None

    cdef int64_t wall(self) except? -1:
        self.passed += self.step
        if self.source is not None:
            return <int64_t>(<double>float(self.source()) * 1e9)
        if self.moves:
            return <int64_t>host_time_ns() + self.offset + self.passed
        return self.offset + self.passed

    cdef int64_t monotonic(self) except? -1:
        self.passed += self.step
        if self.moves:
            return <int64_t>host_monotonic_ns() + self.passed
        return FIRST + self.passed

    cdef double seconds(self) except? -1:
        return <double>(<int64_t>host_monotonic_ns() + self.passed if self.moves else FIRST + self.passed) / 1e9

    cdef bint slept(self, double *seconds) except -1:
        if self.sleeper is not None:
            began = host_monotonic_ns()
            self.sleeper(seconds[0])
            waited = (host_monotonic_ns() - began) / 1e9 if self.moves else 0.0     # which the guest's clocks have seen
            if seconds[0] > waited:
                self.skip(seconds[0] - <double>waited)
            return True
        if self.skips:
            self.skip(seconds[0])
            return True
        if not self.moves:
            self.skip(seconds[0])       # its clock tells of it, the host's does not
        if 0 <= self.longest < seconds[0]:
            if self.moves:
                self.skip(seconds[0] - self.longest)
            seconds[0] = self.longest
        return False

    cdef int skip(self, double seconds) except -1:
        # Rounded up, so that what waits for that moment finds it reached.
        self.passed = min(self.passed + <int64_t>(min(seconds, 9e8) * 1e9) + 1, FURTHEST)
        return 0


cdef GuestClock clock_here():
    cdef RunContext context = current_context()
    return None if context is None else context.clock


# ---- the functions of the guest's `time` -----------------------------------------------------------------
def wall_ns():
    """Nanoseconds since the epoch."""
    cdef GuestClock clock = clock_here()
    return host_time_ns() if clock is None else clock.wall()


def counter_ns(name):
    """Nanoseconds of one of the clocks that only move forward. name: of the host's function for it."""
    cdef GuestClock clock = clock_here()
    return getattr(time, name)() if clock is None else clock.monotonic()


def local_zone():
    """The tzinfo of the running guest's local times; None where they are the host's."""
    cdef GuestClock clock = clock_here()
    return None if clock is None else clock.zone


def has_clock():
    """Whether the host has a policy for the clocks of the running guest."""
    return clock_here() is not None


def entropy_here():
    """Where the running guest's random bytes come from: an object with ``randbytes``, or None for the host's own."""
    cdef RunContext context = current_context()
    return None if context is None else context.entropy


def go_to_sleep(seconds):
    """Sleeps as the policy says. Returns the seconds that are left to wait, or None when the sleep is over."""
    cdef GuestClock clock = clock_here()
    cdef double left
    if clock is None:
        return seconds
    if not isinstance(seconds, float) and not hasattr(type(seconds), "__index__") or not 0 <= seconds <= 1e9:
        return seconds                  # time.sleep says what is wrong with it
    left = seconds
    return None if clock.slept(&left) else left
