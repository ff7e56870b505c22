# cython: binding=False, wraparound=True, boundscheck=True
"""``time``, and what ``datetime`` reads of clocks, for guests whose host has a policy for them.

Each function asks for the clock of the running guest, so that modules which guests share follow it too, and does what the
host's does where there is none.
"""
from kimi_runtime.objects.clocks import counter_ns, has_clock, local_zone, wall_ns

import datetime as dates
import sys
import time as host

from kimi_runtime.bridge.gate import use_clock

BILLION = 1_000_000_000
EPOCH = dates.datetime(1970, 1, 1)


def time():
    """time() -> floating point number

Return the current time in seconds since the Epoch.
Fractions of a second may be present if the system clock provides them."""
    return wall_ns() / BILLION


def time_ns():
    """time_ns() -> int

Return the current time in nanoseconds since the Epoch."""
    return wall_ns()


def monotonic():
    """monotonic() -> float

Monotonic clock, cannot go backward."""
    return counter_ns("monotonic_ns") / BILLION


def monotonic_ns():
    """monotonic_ns() -> int

Monotonic clock, cannot go backward, as nanoseconds."""
    return counter_ns("monotonic_ns")


def perf_counter():
    """perf_counter() -> float

Performance counter for benchmarking."""
    return counter_ns("perf_counter_ns") / BILLION


def perf_counter_ns():
    """perf_counter_ns() -> int

Performance counter for benchmarking as nanoseconds."""
    return counter_ns("perf_counter_ns")


def process_time():
    """process_time() -> float

Process time for profiling: sum of the kernel and user-space CPU time."""
    return counter_ns("process_time_ns") / BILLION


def process_time_ns():
    """process_time_ns() -> int

Process time for profiling as nanoseconds:
sum of the kernel and user-space CPU time."""
    return counter_ns("process_time_ns")


def thread_time():
    """thread_time() -> float

Thread time for profiling: sum of the kernel and user-space CPU time."""
    return counter_ns("thread_time_ns") / BILLION


def thread_time_ns():
    """thread_time_ns() -> int

Thread time for profiling as nanoseconds:
sum of the kernel and user-space CPU time."""
    return counter_ns("thread_time_ns")


def clock_gettime(clk_id, /):
    """clock_gettime(clk_id) -> float

Return the time of the specified clock clk_id."""
    return clock_gettime_ns(clk_id) / BILLION if has_clock() else host.clock_gettime(clk_id)


def clock_gettime_ns(clk_id, /):
    """clock_gettime_ns(clk_id) -> int

Return the time of the specified clock clk_id as nanoseconds."""
    found = host.clock_gettime_ns(clk_id)       # which says whether there is such a clock
    if not has_clock():
        return found
    return wall_ns() if clk_id in (host.CLOCK_REALTIME, getattr(host, "CLOCK_TAI", None)) else counter_ns("monotonic_ns")


def gmtime(seconds=None, /):
    """gmtime([seconds]) -> (tm_year, tm_mon, tm_mday, tm_hour, tm_min,
                       tm_sec, tm_wday, tm_yday, tm_isdst)

Convert seconds since the Epoch to a time tuple expressing UTC (a.k.a.
GMT).  When 'seconds' is not passed in, convert the current time instead."""
    return host.gmtime(time() if seconds is None else seconds)


def localtime(seconds=None, /):
    """localtime([seconds]) -> (tm_year,tm_mon,tm_mday,tm_hour,tm_min,
                          tm_sec,tm_wday,tm_yday,tm_isdst)

Convert seconds since the Epoch to a time tuple expressing local time.
When 'seconds' is not passed in, convert the current time instead."""
    if seconds is None:
        seconds = time()
    zone = local_zone()
    if zone is None:
        return host.localtime(seconds)
    host.gmtime(seconds)                        # which says what is wrong with it
    when = moment(int(seconds // 1), zone)
    offset = when.utcoffset()
    return host.struct_time((
        when.year, when.month, when.day, when.hour, when.minute, when.second, when.weekday(), when.timetuple().tm_yday,
        1 if when.dst() else 0, when.tzname(), int(offset.total_seconds())))


def ctime(seconds=None, /):
    """ctime(seconds) -> string

Convert a time in seconds since the Epoch to a string in local time.
This is equivalent to asctime(localtime(seconds)). When the time tuple is
not present, current time as returned by localtime() is used."""
    return host.asctime(localtime(seconds))


def asctime(tuple=None, /):
    """asctime([tuple]) -> string

Convert a time tuple to a string, e.g. 'Sat Jun 06 16:26:11 1998'.
When the time tuple is not present, current time as returned by localtime()
is used."""
    return host.asctime(localtime() if tuple is None else tuple)


def strftime(format, tuple=None, /):
    """strftime(format[, tuple]) -> string

Convert a time tuple to a string according to a format specification.
See the library reference manual for formatting codes. When the time tuple
is not present, current time as returned by localtime() is used."""
    return host.strftime(format, localtime() if tuple is None else tuple)


def mktime(tuple, /):
    """mktime(tuple) -> floating point number

Convert a time tuple in local time to seconds since the Epoch."""
    found = host.mktime(tuple)                  # which says what is wrong with it
    zone = local_zone()
    if zone is None:
        return found
    given = [int(each) for each in tuple]
    # As timegm does with numbers that are out of their ranges.
    year, month = divmod(given[0] * 12 + given[1] - 1, 12)
    naive = dates.datetime(year, month + 1, 1) + dates.timedelta(
        days=given[2] - 1, hours=given[3], minutes=given[4], seconds=given[5])
    early, late = (naive.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    chosen = late if given[8] == 0 and early.dst() and not late.dst() else early
    return (chosen - chosen.utcoffset()).replace(tzinfo=None).__sub__(EPOCH).total_seconds()


for each in list(globals().values()):
    if type(each) is type(len):
        each.__module__ = "time"


def constants(zone):
    """``timezone``, ``altzone``, ``daylight`` and ``tzname`` of a zone, as it is now."""
    year = dates.datetime.now(zone).year
    winter, summer = sorted((dates.datetime(year, month, 1, tzinfo=zone) for month in (1, 7)), key=lambda each: each.utcoffset())
    offsets = [-int(each.utcoffset().total_seconds()) for each in (winter, summer)]
    return {"timezone": offsets[0], "altzone": offsets[1], "daylight": int(offsets[0] != offsets[1]),
            "tzname": (winter.tzname(), summer.tzname())}


# ---- datetime --------------------------------------------------------------------------------------------
def moment(seconds, zone):
    """The time with a zone at whole seconds since the epoch."""
    return (EPOCH + dates.timedelta(seconds=seconds)).replace(tzinfo=dates.timezone.utc).astimezone(zone)


#: The methods as the host has them, whatever a guest's class says.
FROM_TIMESTAMP = dates.datetime.__dict__["fromtimestamp"]
REPLACE = dates.datetime.replace
TIMESTAMP = dates.datetime.timestamp
ASTIMEZONE = dates.datetime.astimezone


def at(cls, seconds, microseconds, tz):
    """The class's time at a moment, in a zone or as local time."""
    zone = local_zone() if tz is None else None
    made = FROM_TIMESTAMP.__get__(None, cls)(seconds, tz if zone is None else zone)
    return REPLACE(made, microsecond=microseconds) if zone is None else REPLACE(made, microsecond=microseconds, tzinfo=None)


def now(cls, tz=None):
    nanoseconds = wall_ns()
    return at(cls, nanoseconds // BILLION, nanoseconds % BILLION // 1000, tz)


def utcnow(cls):
    nanoseconds = wall_ns()
    return REPLACE(dates.datetime.__dict__["utcfromtimestamp"].__get__(None, cls)(nanoseconds // BILLION),
                   microsecond=nanoseconds % BILLION // 1000)


def today(cls):
    if issubclass(cls, dates.datetime):
        return now(cls)
    when = at(dates.datetime, wall_ns() // BILLION, 0, None)
    return cls(when.year, when.month, when.day)


def fromtimestamp(cls, timestamp, tz=None):
    zone = local_zone()
    if zone is None or tz is not None:
        return cls.fromtimestamp(timestamp) if tz is None else cls.fromtimestamp(timestamp, tz)
    if issubclass(cls, dates.datetime):
        return REPLACE(FROM_TIMESTAMP.__get__(None, cls)(timestamp, zone), tzinfo=None)
    when = dates.datetime.fromtimestamp(timestamp, zone)
    return cls(when.year, when.month, when.day)


def timestamp(when):
    return TIMESTAMP(REPLACE(when, tzinfo=local_zone()) if when.tzinfo is None else when)


# Which offset a time has that the clocks leave out: the one before it from 3.12 on, else the one after it.
cdef bint OFFSET_BEFORE_GAP = sys.version_info >= (3, 12)


def astimezone(when, tz=None):
    zone = local_zone()
    if when.tzinfo is None:
        here = REPLACE(when, tzinfo=zone)
        if not OFFSET_BEFORE_GAP:
            here = dates.datetime.fromtimestamp(TIMESTAMP(here), zone)
        when = REPLACE(when, tzinfo=fixed(here))
    return ASTIMEZONE(when, fixed(ASTIMEZONE(when, zone)) if tz is None else tz)


def fixed(when):
    """The zone of a time, as that of a fixed offset."""
    return dates.timezone(when.utcoffset(), when.tzname())


OF_CLASSES = {"now": now, "utcnow": utcnow, "today": today, "fromtimestamp": fromtimestamp}
OF_INSTANCES = {"timestamp": timestamp, "astimezone": astimezone}


def clock_attribute(o, name):
    """What stands for a method of date or datetime that reads a clock or the local zone, as a function of the class or
    instance; None for the method itself.

    o: any class, or an instance of date or datetime.
    """
    if not has_clock():
        return None
    if not isinstance(o, type):
        return OF_INSTANCES.get(name) if isinstance(o, dates.datetime) and local_zone() is not None else None
    if not issubclass(o, dates.date) or type(getattr(o, name, None)) is not type(len):
        return None
    return OF_CLASSES.get(name)


def follow_clocks():
    """The gate asks for these methods from now on: once there is a policy in the process."""
    use_clock(clock_attribute, tuple(OF_CLASSES), tuple(OF_INSTANCES), (dates.date, dates.datetime))
