# What long work of the parser, the analyzer and the generator looks at, so that a guest's compile() ends with its run.
# The core fills it in; without a core nothing ever rings.
ctypedef struct Alarm:
    const volatile int *rings       # some run of the process is over its time
    int (*ask)(bint endless) except -1      # whether it is that of this thread: raises the stop's exception

cdef Alarm alarm

cdef inline int look_at_alarm() except -1:
    """A load and a test, in what is done for each node."""
    if alarm.rings != NULL and alarm.rings[0]:
        alarm.ask(True)
    return 0
