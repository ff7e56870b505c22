# The ready queue and the loop (part of core.pyx).
#
# The guest's loop class (library/guest/asyncio_base_events.py) derives from LoopCore. It runs turns with `_run_turns`
# until there is nothing to do, and then waits with `_wait`. A loop of the host can drive a guest in the same way: it
# calls `_run_turns`, asks `_delay` how long nothing will be due, and is told by `_set_waker` when a thread of the host
# has put something in the queue.

cdef enum:
    FIRST_SLOTS = 64                # entries in the ready queue of a new loop
    MIN_SCHEDULED = 100             # as in CPython: with more timers than these, and
    LONGEST_WAIT = 24 * 3600        # longest wait for a timer, in seconds

cdef double WAIT_TURN = 0.05        # seconds between two looks at the limits of a run that waits
cdef double MIN_CANCELLED = 0.5     # a greater share of cancelled ones, the heap is cleaned
cdef double RESOLUTION = time.get_clock_info("monotonic").resolution
cdef object monotonic = time.monotonic
cdef object allocate_lock = _thread.allocate_lock


@cython.auto_pickle(False)
cdef class LoopCore:
    """The queues of an event loop, and the turns that work them off."""
    cdef AsyncState state
    cdef list ring                  # three slots an entry, a ring; empty slots are NULL
    cdef Py_ssize_t head, count, capacity
    cdef list timers                # heap of TimerHandle
    cdef Py_ssize_t cancelled_timers
    cdef object task_factory        # or None
    cdef object executor            # threads for functions of the host, or None
    cdef Py_ssize_t in_threads      # their calls that are under way
    cdef GuestClock clock           # where the host has a policy for it, or None
    cdef double offset              # of its time, for one that comes from a snapshot
    cdef object current             # the task that runs, or None
    cdef object lock                # held, but while somebody wakes the loop
    cdef object waker               # called instead, when a loop of the host waits for this one
    cdef PyThreadState *thread      # the thread that it runs in, or NULL
    cdef bint closed, stopping, waiting
    cdef bint debug
    cdef bint fast                  # nobody looks at what goes into the queue: no debug mode, call_soon is ours
    cdef bint own_soon, own_time, own_at    # the class has a call_soon, time or call_at of its own
    cdef object __weakref__

    def __cinit__(self, *args, **kwargs):
        self.state = current_state()
        self.clock = clock_here()
        self.capacity = FIRST_SLOTS
        self.ring = PyList_New(3 * FIRST_SLOTS)
        self.timers = []
        self.lock = allocate_lock()
        self.lock.acquire()
        cls = type(self)
        self.own_soon = cls.call_soon is not LoopCore.call_soon
        self.own_time = cls.time is not LoopCore.time
        self.own_at = cls.call_at is not LoopCore.call_at
        self.fast = not self.own_soon

    def __setattr__(self, name, value):
        if name == "call_soon":
            self.own_soon = True
            self.fast = False
        elif name == "call_at":
            self.own_at = True
        elif name == "time":
            self.own_time = True
        PyObject_GenericSetAttr(self, name, value)

    # ---- what goes into the queues ----
    def call_soon(self, callback, *args, context=None):
        """Arrange for a callback to be called as soon as possible.

This operates as a FIFO queue: callbacks are called in the
order in which they are registered.  Each callback will be
called exactly once.

Any positional arguments after the callback will be passed to
the callback when it is called."""
        cdef Handle handle
        check_open(self)
        if self.debug:
            self._check_thread()
            self._check_callback(callback, "call_soon")
        return add_handle(self, callback, args, context)

    def call_soon_threadsafe(self, callback, *args, context=None):
        """Like call_soon(), but thread-safe."""
        check_open(self)
        if self.debug:
            self._check_callback(callback, "call_soon_threadsafe")
        handle = add_handle(self, callback, args, context)
        wake(self)
        return handle

    def call_later(self, delay, callback, *args, context=None):
        """Arrange for a callback to be called at a given time.

Return a Handle: an opaque object with a cancel() method that
can be used to cancel the call.

The delay can be an int or float, expressed in seconds.  It is
always relative to the current time.

Each callback will be called exactly once.  If two callbacks
are scheduled for exactly the same time, it is undefined which
will be called first.

Any positional arguments after the callback will be passed to
the callback when it is called."""
        if delay is None:
            raise TypeError("delay must not be None")
        when = self.time() + delay if self.own_time else clock_time(self) + delay
        if self.own_at:
            return self.call_at(when, callback, *args, context=context)
        return add_timer(self, when, callback, args, context, "call_later")

    def call_at(self, when, callback, *args, context=None):
        """Like call_later(), but uses an absolute time.

Absolute time corresponds to the event loop's time() method."""
        if when is None:
            raise TypeError("when cannot be None")
        return add_timer(self, when, callback, args, context, "call_at")

    def _timer_handle_cancelled(self, handle):
        """Notification that a TimerHandle has been cancelled."""
        if handle._scheduled:
            self.cancelled_timers += 1

    def time(self):
        """Return the time according to the event loop's clock.

This is a float expressed in seconds since an epoch, but the
epoch, precision, accuracy and drift are unspecified and may
differ per event loop."""
        return clock_time(self)

    def create_future(self):
        """Create a Future object attached to the loop."""
        cdef Future future = Future.__new__(Future)
        future_init(future, self)
        return future

    def create_task(self, coro, *, name=None, context=None):
        """Schedule or begin executing a coroutine object.

Return a task object."""
        check_open(self)
        if self.task_factory is None:
            return new_task(self, coro, name, context)
        return self._make_task(coro, name, context)

    def set_task_factory(self, factory):
        """Set a task factory that will be used by loop.create_task().

If factory is None the default task factory will be set.

If factory is a callable, it should have a signature matching
'(loop, coro)', where 'loop' will be a reference to the active
event loop, 'coro' will be a coroutine object.  The callable
must return a Future."""
        if factory is not None and not callable(factory):
            raise TypeError("task factory must be a callable or None")
        self.task_factory = factory

    def get_task_factory(self):
        """Return a task factory, or None if the default one is in use."""
        return self.task_factory

    # ---- state ----
    def is_running(self):
        """Returns True if the event loop is running."""
        return self.thread != NULL

    def is_closed(self):
        """Returns True if the event loop was closed."""
        return bool(self.closed)

    def stop(self):
        """Stop running the event loop.

Every callback already scheduled will still run.  This simply informs
run_forever to stop looping after a complete iteration."""
        self.stopping = True

    def get_debug(self):
        return bool(self.debug)

    def set_debug(self, enabled):
        self.debug = bool(enabled)
        self.fast = not self.debug and not self.own_soon

    def _check_closed(self):
        check_open(self)

    def _check_thread(self):
        """Check that the current thread is the thread running the event loop."""
        if self.thread != NULL and self.thread != PyThreadState_Get():
            raise RuntimeError("Non-thread-safe operation invoked on an event loop other than the current one")

    def _mark_closed(self):
        """Closes the queues: what is in them is dropped."""
        self.closed = True
        clear_ready(self)
        self.timers.clear()
        self.cancelled_timers = 0
        if self.executor is not None:
            self.executor.shutdown(wait=False)
            self.executor = None

    @property
    def _closed(self):
        return bool(self.closed)

    @property
    def _debug(self):
        return bool(self.debug)

    @property
    def _stopping(self):
        return bool(self.stopping)

    @_stopping.setter
    def _stopping(self, value):
        self.stopping = bool(value)

    @property
    def _clock_resolution(self):
        return RESOLUTION

    @property
    def _scheduled(self):
        """The timers, as a list of its own: the heap holds nothing but TimerHandles."""
        return list(self.timers)

    @property
    def _timer_cancelled_count(self):
        return self.cancelled_timers

    @property
    def _ready(self):
        """The handles in the ready queue, as a list of its own."""
        return [handle_at(self, i) for i in range(self.count)]

    # ---- running ----
    def _begin(self):
        """The loop runs in this thread from now on. Returns the loop that ran before."""
        previous = running_loop(self.state)
        set_running(self.state, self)
        self.thread = PyThreadState_Get()
        return previous

    def _end(self, previous):
        """The loop does not run any more."""
        set_running(self.state, previous)
        self.thread = NULL
        self.stopping = False

    def _run_turns(self, double seconds=-1.0):
        """Runs turns until there is nothing ready (False), or the loop is to stop (True).

        seconds: with 0 or more, also gives up after a turn that ends so much later; then `_delay` is 0.
        """
        cdef double end = 0
        if seconds >= 0:
            end = monotonic() + seconds
        while True:
            PyErr_CheckSignals()
            timers_to_ready(self)
            if not self.count:
                check_limits_here()     # a turn without callbacks runs nothing that would
            run_ready(self)
            if self.stopping:
                return True
            if not self.count and next_delay(self) != 0:
                return False
            if seconds >= 0 and monotonic() >= end:
                return False

    def _run_once(self):
        """Run one full iteration of the event loop: waits, and runs all callbacks that are ready then."""
        drop_cancelled(self)
        self._wait()
        timers_to_ready(self)
        run_ready(self)

    def _delay(self):
        """Seconds until the next timer is due: 0 when something is ready, None when nothing is waited for."""
        cdef double delay = next_delay(self)
        return None if delay < 0 else delay

    def _wait(self):
        """Waits until a timer is due or a thread of the host wakes the loop."""
        cdef double delay = next_delay(self)
        if delay == 0:
            return
        if delay > 0 and self.clock is not None and not self.in_threads and self.clock.slept(&delay):
            return
        self.waiting = True
        meter = running_meter()
        if meter is not None:
            wait_limited(self, delay, meter)
        elif delay < 0:
            self.lock.acquire()
        else:
            if delay > LONGEST_WAIT:
                delay = LONGEST_WAIT
            if not self.lock.acquire(True, delay) and not self.waiting:
                self.lock.acquire()         # woken in the moment after
        self.waiting = False

    def _set_waker(self, waker):
        """waker: called without arguments when a thread puts something in the queue; None: none."""
        self.waker = waker


def pending_future(name):
    """The future of a call of the host that the running guest is to await. RuntimeError: no loop of it runs."""
    loop = running_loop(current_state())
    if loop is None:
        raise RuntimeError(f"{name}() is to be awaited: call it in a coroutine, while an event loop runs")
    future = loop.create_future()
    if type(future) is Future:
        (<Future>future).of_host = 1
    return future


def resumed_here():
    """The running guest, whose loop may have been left in another thread, goes on in this one."""
    cdef AsyncState state = current_state()
    cdef PyThreadState *thread = PyThreadState_Get()
    if state.running is not None:
        state.thread = thread
        if isinstance(state.running, LoopCore):
            (<LoopCore>state.running).thread = thread


def forget_running(RunContext context not None):
    """A run of the guest was left where it stood: the loop that ran in it runs no more."""
    cdef AsyncState state = context.asyncio
    context.asyncgen_firstiter = context.asyncgen_finalizer = None
    if state is None:
        return
    if isinstance(state.running, LoopCore):
        (<LoopCore>state.running).thread = NULL
        if state.running is state.cells:
            drop_cells(state)
    state.running = None


cdef int drop_cells(AsyncState state) except -1:
    """The program that awaited in the loop is not to go on with the next one."""
    cdef TaskLink *link = state.tasks.next
    while link != &state.tasks:
        if (<Task><object>link.task).loop is state.cells:
            (<Task><object>link.task).log_destroy_pending = 0
        link = link.next
    state.cells = None
    return 0


def abandon(RunContext context not None):
    """The guest goes on in another context: its tasks here let go of what they lead to, and say nothing of their end."""
    cdef AsyncState state = context.asyncio
    cdef TaskLink *link
    cdef Task task
    cdef list tasks = []
    if state is None:
        return
    link = state.tasks.next
    while link != &state.tasks:
        tasks.append(<object>link.task)
        link = link.next
    for task in tasks:
        unlink(&task.link)
        task.log_destroy_pending = 0
        for future in (task, task.waiter):
            if isinstance(future, Future):
                (<Future>future).callback0 = (<Future>future).context0 = (<Future>future).callbacks = None
        task.waiter = task.context = None
    for task in tasks:
        task.coro = None
    if isinstance(state.running, LoopCore):
        (<LoopCore>state.running).thread = NULL
        (<LoopCore>state.running).current = None
    state.running = state.policy = state.cells = None
    state.current.clear()
    state.elsewhere.clear()


def host_waits(LoopCore loop not None):
    """Whether the guest waits for what it can be suspended for: calls of the host, or anything at all when a loop of the host
    drives it and the clock of its policy does not say otherwise."""
    from kimi_runtime import _core
    how = _core.host_waits()
    if how != 2:
        return how != 0
    return loop.clock is None or next_delay(loop) <= 0 or loop.in_threads > 0


def loop_of_guest(RunContext context not None):
    """The event loop that runs in a guest, or None: for who drives a suspended run."""
    cdef AsyncState state = context.asyncio
    return state.running if state is not None and isinstance(state.running, LoopCore) else None


# For the loop: the run is suspended until a result of the host is there.
wait_for_host = make_suspending("wait_for_host")


cdef object running_meter():
    """The meter of the run that is under way in this thread, or None."""
    from kimi_runtime import _core
    return _core.running_meter()


cdef int check_limits_here() except -1:
    from kimi_runtime import _core
    if _core.running_meter() is not None:
        _core.check_limits()
    return 0


cdef int wait_limited(LoopCore loop, double delay, meter) except -1:
    """Waits in a run with limits, which may end meanwhile. delay: as of next_delay."""
    from kimi_runtime import _core
    cdef double end = monotonic() + delay
    cdef double turn
    while loop.waiting:
        turn = WAIT_TURN
        left = meter.seconds_left()
        if left is not None and left < turn:
            turn = left
        if delay >= 0:
            if end - monotonic() <= 0:
                break
            turn = min(turn, end - monotonic())
        if loop.lock.acquire(True, max(turn, 0)):
            return 0
        _core.check_limits()
    if not loop.waiting:
        loop.lock.acquire()             # woken in the moment after
    return 0


cdef inline int check_open(LoopCore loop) except -1:
    if loop.closed:
        raise RuntimeError("Event loop is closed")
    return 0


cdef int wake(LoopCore loop) except -1:
    """Ends the waiting of the loop, from any thread."""
    if loop.waiting:
        loop.waiting = False
        loop.lock.release()
    if loop.waker is not None:
        loop.waker()
    return 0


cdef Handle add_handle(LoopCore loop, callback, args, context):
    cdef Handle handle = new_handle(callback, args, loop, copied_context() if context is None else context)
    if loop.debug:
        handle._source_traceback = take_stack()
    push(loop, handle, NULL, NULL)
    return handle


cdef TimerHandle add_timer(LoopCore loop, when, callback, args, context, str method):
    cdef TimerHandle timer
    check_open(loop)
    if loop.debug:
        loop._check_thread()
        loop._check_callback(callback, method)
    timer = TimerHandle.__new__(TimerHandle)
    timer._callback = callback
    timer._args = args
    timer._loop = loop
    timer.context = copied_context() if context is None else context
    if type(when) is not float:
        timer.given = when
    timer.at = when
    if loop.debug:
        timer._source_traceback = take_stack()
    heap_push(loop.timers, timer)
    timer._scheduled = True
    return timer


cdef Task new_task(LoopCore loop, coro, name, context):
    cdef Task task = Task.__new__(Task)
    task_init(task, coro, loop, name, context, False)
    return task


# ---- the ready queue -------------------------------------------------------------------------
cdef int push(LoopCore loop, what, PyObject *argument, PyObject *context) except -1:
    cdef Py_ssize_t i
    cdef PyObject *ring
    if loop.count == loop.capacity:
        grow(loop)
    i = loop.head + loop.count
    if i >= loop.capacity:
        i -= loop.capacity
    loop.count += 1
    ring = <PyObject *>loop.ring
    Py_INCREF(<PyObject *>what)
    Py_XINCREF(argument)
    Py_XINCREF(context)
    PyList_SET_ITEM(ring, 3 * i, <PyObject *>what)
    PyList_SET_ITEM(ring, 3 * i + 1, argument)
    PyList_SET_ITEM(ring, 3 * i + 2, context)
    return 0


cdef int grow(LoopCore loop) except -1:
    cdef Py_ssize_t i, at
    cdef Py_ssize_t slots = 3 * loop.capacity
    cdef list larger = PyList_New(2 * slots)
    cdef PyObject *old = <PyObject *>loop.ring
    cdef PyObject *new = <PyObject *>larger
    at = 3 * loop.head
    for i in range(slots):
        PyList_SET_ITEM(new, i, PyList_GET_ITEM(old, at))
        PyList_SET_ITEM(old, at, NULL)
        at += 1
        if at == slots:
            at = 0
    loop.ring = larger
    loop.capacity *= 2
    loop.head = 0
    return 0


cdef int clear_ready(LoopCore loop) except -1:
    loop.head = loop.count = 0
    loop.capacity = FIRST_SLOTS
    loop.ring = PyList_New(3 * FIRST_SLOTS)
    return 0


cdef Handle handle_at(LoopCore loop, Py_ssize_t i):
    """An entry of the queue as a handle."""
    cdef PyObject *ring = <PyObject *>loop.ring
    cdef PyObject *argument
    cdef PyObject *context
    i = 3 * ((loop.head + i) % loop.capacity)
    what = <object>PyList_GET_ITEM(ring, i)
    argument = PyList_GET_ITEM(ring, i + 1)
    context = PyList_GET_ITEM(ring, i + 2)
    if isinstance(what, Handle) and context == NULL and argument == NULL:
        return what
    return entry_handle(loop, what, argument, context)


cdef Handle entry_handle(LoopCore loop, what, PyObject *argument, PyObject *context):
    if context != NULL:
        return new_handle(what, (<object>argument,), loop, <object>context)
    if argument != NULL and not PyExceptionInstance_Check(argument):
        return new_handle(WakeUp(what), (<object>argument,), loop, (<Task>what).context)
    return new_handle(Step(what, <object>argument if argument != NULL else None), (), loop, (<Task>what).context)


cdef int run_ready(LoopCore loop) except -1:
    """Runs what is ready now; what that makes ready waits for the next turn."""
    cdef Py_ssize_t todo = loop.count
    cdef Py_ssize_t i
    cdef PyObject *ring
    cdef PyObject *what
    cdef PyObject *argument
    cdef PyObject *context
    cdef int status
    while todo > 0 and loop.count > 0:
        todo -= 1
        ring = <PyObject *>loop.ring
        i = 3 * loop.head
        loop.head += 1
        if loop.head == loop.capacity:
            loop.head = 0
        loop.count -= 1
        what = PyList_GET_ITEM(ring, i)
        argument = PyList_GET_ITEM(ring, i + 1)
        context = PyList_GET_ITEM(ring, i + 2)
        PyList_SET_ITEM(ring, i, NULL)
        PyList_SET_ITEM(ring, i + 1, NULL)
        PyList_SET_ITEM(ring, i + 2, NULL)
        status = try_run_entry(<PyObject *>loop, what, argument, context)
        Py_DECREF(what)
        Py_XDECREF(argument)
        Py_XDECREF(context)
        if status < 0:
            raise_pending()
    return 0


cdef int run_entry(LoopCore loop, PyObject *what, PyObject *argument, PyObject *context) except -1:
    cdef PyObject *result
    cdef PyObject *inner
    cdef int status
    if context != NULL:
        # A callback of a future.
        inner = inner_context(context)
        if not PyContext_CheckExact(inner):
            result = call_in(<object>context, <object>what, (<object>argument,))
        elif PyContext_Enter(inner) < 0:
            result = NULL
        else:
            result = PyObject_CallOneArg(what, argument)
            if leave_context(inner) < 0 and result != NULL:
                Py_DECREF(result)
                result = NULL
        if result == NULL:
            return report_callback(loop, <object>what, (<object>argument,), <object>context, None)
        Py_DECREF(result)
        return 0
    if Py_TYPE(what) == HandleType or Py_TYPE(what) == TimerHandleType:
        if (<Handle>what)._cancelled:
            return 0
        if loop.debug:
            return run_slowly(loop, <Handle>what)
        return run_handle(loop, <Handle>what)
    # A step of a task.
    context = <PyObject *>(<Task>what).context
    inner = inner_context(context)
    if PyContext_CheckExact(inner):
        status = PyContext_Enter(inner)
        if status == 0:
            status = try_run_task(what, argument)
            if leave_context(inner) < 0:
                status = -1
    else:
        result = call_in((<Task>what).context, run_task_method, (<object>what, None if argument == NULL else <object>argument))
        status = -1 if result == NULL else 0
        Py_XDECREF(result)
    if status < 0:
        if argument != NULL and not PyExceptionInstance_Check(argument):
            return report_callback(loop, WakeUp(<object>what), (<object>argument,), (<Task>what).context, None)
        return report_callback(loop, Step(<object>what, None if argument == NULL else <object>argument), (),
                               (<Task>what).context, None)
    return 0


cdef int run_task(Task task, PyObject *argument) except -1:
    if argument == NULL or PyExceptionInstance_Check(argument):
        return task_step(task, argument)
    return task_wakeup(task, <object>argument)


def _run_task(Task task not None, argument):
    run_task(task, NULL if argument is None else <PyObject *>argument)


cdef object run_task_method = _run_task

ctypedef int (*raw_entry)(PyObject *, PyObject *, PyObject *, PyObject *) noexcept
cdef raw_entry try_run_entry = <raw_entry><void *>run_entry
cdef raw_step try_run_task = <raw_step><void *>run_task
cdef PyObject *HandleType = <PyObject *>Handle
cdef PyObject *TimerHandleType = <PyObject *>TimerHandle


cdef int run_slowly(LoopCore loop, Handle handle) except -1:
    """Debug mode: tells of callbacks that take long."""
    cdef double start = loop.time()
    run_handle(loop, handle)
    elapsed = loop.time() - start
    if elapsed >= loop.slow_callback_duration:
        loop._report_slow(handle, elapsed)
    return 0


# ---- timers ----------------------------------------------------------------------------------
cdef inline double clock_time(LoopCore loop) except? -1:
    return (monotonic() if loop.clock is None else loop.clock.seconds()) + loop.offset


cdef double now(LoopCore loop) except? -1:
    return loop.time() if loop.own_time else clock_time(loop)


cdef int drop_cancelled(LoopCore loop) except -1:
    """Takes cancelled timers off the heap: all of them when they are many, otherwise those at its top."""
    cdef TimerHandle timer
    cdef list kept
    cdef Py_ssize_t size = len(loop.timers)
    if size > MIN_SCHEDULED and loop.cancelled_timers / <double>size > MIN_CANCELLED:
        kept = []
        for timer in loop.timers:
            if timer._cancelled:
                timer._scheduled = False
            else:
                kept.append(timer)
        heapify(kept)
        loop.timers = kept
        loop.cancelled_timers = 0
        return 0
    while loop.timers and (<TimerHandle>loop.timers[0])._cancelled:
        loop.cancelled_timers -= 1
        heap_pop(loop.timers)._scheduled = False
    return 0


cdef double next_delay(LoopCore loop) except? -2:
    """Seconds until something is to do: 0 when it is now, -1 when there are no timers either."""
    cdef double delay
    if loop.count or loop.stopping:
        return 0
    drop_cancelled(loop)
    if not loop.timers:
        return -1
    delay = at(loop.timers, 0) - now(loop)
    return delay if delay > 0 else 0


cdef int timers_to_ready(LoopCore loop) except -1:
    cdef TimerHandle timer
    cdef double end
    if not loop.timers:
        return 0
    drop_cancelled(loop)
    if not loop.timers:
        return 0
    end = now(loop)
    end = max(end + RESOLUTION, nextafter(end, INFINITY))       # what next_delay calls due, however late it is
    while loop.timers and at(loop.timers, 0) < end:
        timer = heap_pop(loop.timers)
        timer._scheduled = False
        push(loop, timer, NULL, NULL)
    return 0
