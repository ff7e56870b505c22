# cython: binding=False, wraparound=True, boundscheck=True
"""``time.sleep`` of a guest, which ends when the run is stopped."""
import time

from kimi_runtime.objects.clocks import go_to_sleep, has_clock

cdef double TURN = 0.05     # seconds between two looks at the limits: how late a cancelled run may wake up


def sleep(seconds, /):
    """sleep(seconds)

    Delay execution for a given number of seconds.  The argument may be
    a floating point number for subsecond precision.
    """
    from kimi_runtime import _core
    cdef double end, left
    if has_clock():
        seconds = go_to_sleep(seconds)
        if seconds is None:
            return
    meter = _core.running_meter()
    if meter is None:
        time.sleep(seconds)
        return
    if not isinstance(seconds, float):
        if not hasattr(type(seconds), "__index__"):
            time.sleep(seconds)         # says that it takes no such thing
            return
        seconds = int(seconds.__index__())
    if not 0 <= seconds <= 1e9:
        time.sleep(seconds if seconds < 0 or seconds != seconds else 1e300)     # raises
        return
    end = time.monotonic() + seconds
    while True:
        left = end - time.monotonic()
        if left <= 0:
            return
        limit = meter.seconds_left()
        if limit is not None and limit < left:
            left = limit
        time.sleep(left if left < TURN else TURN)
        _core.check_limits()


sleep.__module__ = "time"
