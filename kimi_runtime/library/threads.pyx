# cython: binding=False, wraparound=True, boundscheck=True
"""Threads of a guest: one runs at a time.

Each is a thread of the host that runs while it holds the guest's *baton*. It gives the baton away when it waits for a
lock, sleeps or ends, and at every TURN-th safepoint when another is ready. So a program with threads does nearly always
the same, nothing of the guest runs beside its main program, and nothing runs on when that has ended. Waiting that could
never end is a RuntimeError instead.
"""
cimport cython

from cpython.ref cimport PyObject

from kimi_runtime.objects.clocks cimport GuestClock, clock_here
from kimi_runtime.objects.context cimport RunContext, current_context
from kimi_runtime.objects.function cimport hooks
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots

import _thread
import sys
from collections import deque
from time import monotonic, sleep as host_sleep

from kimi_runtime import _core
from kimi_runtime.bridge.waiting import sleep as sleep_alone
from kimi_runtime.objects.context import begin_thread, end_thread
from kimi_runtime.objects.imports import use_threads
from kimi_runtime.objects.tracebacks import format_exception
from kimi_runtime.vm.stopping import Stopped

cdef enum:
    MAX_THREADS = 256
    TURN = 50                   # safepoints: about a millisecond

cdef double WAIT_TURN = 0.05    # seconds between two looks at the limits while all wait
TIMEOUT_MAX = _thread.TIMEOUT_MAX
DEADLOCK = "deadlock: all threads of this guest wait for each other"


@cython.final
@cython.auto_pickle(False)
cdef class Task:
    """One thread of a guest."""
    cdef object baton           # a lock of the host, held while the thread may not run
    cdef size_t ident
    cdef bint waiting, woken, killed, deadlocked
    cdef double deadline        # when it waits no longer; 0: never
    cdef object sentinel        # released when the thread ends; for the host's threading.py
    cdef object loading         # a module that another thread runs, while this one waits for it; or None

    def __cinit__(self, size_t ident):
        self.ident = ident
        self.baton = _thread.allocate_lock()
        self.baton.acquire()


@cython.final
@cython.auto_pickle(False)
cdef class Scheduler:
    """The threads of one guest."""
    cdef Task main, current
    cdef object ready           # deque of tasks that can go on
    cdef list sleepers          # tasks that wait with a deadline
    cdef set tasks              # all but the main one that have not ended
    cdef size_t last_ident
    cdef int safepoints         # since the last switch
    cdef GuestClock clock       # where the host has a policy for it, or None

    def __cinit__(self):
        self.last_ident = 1
        self.main = self.current = Task(1)
        self.ready = deque()
        self.sleepers = []
        self.tasks = set()
        self.clock = clock_here()


cdef double now_of(Scheduler s) except? -1:
    """The time that deadlines are compared with."""
    return monotonic() if s.clock is None else s.clock.seconds()


cdef Scheduler scheduler_of(RunContext context):
    """The scheduler of a guest; made when it is first needed."""
    if context is None:
        raise RuntimeError("there is no guest whose thread could wait")
    if context.kept is None:
        context.kept = {}
    found = context.kept.get(Scheduler)
    if found is None:
        found = context.kept[Scheduler] = Scheduler()
    return found


cdef Scheduler running():
    return scheduler_of(current_context())


# ---- switching -------------------------------------------------------------------------------
cdef int wake_sleepers(Scheduler s, double least=0.0) except -1:
    """Lets those go on whose time has come, by the clock or the least time that it is now."""
    cdef Task task
    cdef double now = max(now_of(s), least)
    for task in sorted_by_deadline(s.sleepers):
        if task.deadline <= now:
            s.sleepers.remove(task)
            s.ready.append(task)
    return 0


cdef Task next_task(Scheduler s):
    """The next thread that can go on, after sleeping when all wait for a time; None when none ever could."""
    cdef double first, due
    while True:
        s.safepoints = 0        # the look at the limits below must not give the turn away
        if s.sleepers:
            wake_sleepers(s)
        if s.ready:
            return s.ready.popleft()
        if not s.sleepers:
            return None
        due = (<Task>sorted_by_deadline(s.sleepers)[0]).deadline
        first = max(0.0, due - now_of(s))
        if s.clock is not None and s.clock.skips:
            s.clock.skip(first)
            _core.check_limits()
            # A large clock may not come to the very time by such a small step.
            wake_sleepers(s, due)
            continue
        if first > WAIT_TURN and (s.clock is None or s.clock.sleeper is None and s.clock.longest < 0):
            first = WAIT_TURN
        if s.clock is None or not s.clock.slept(&first):
            host_sleep(first)
        _core.check_limits()


def _deadline(Task task):
    return task.deadline


cdef list sorted_by_deadline(list tasks):
    return sorted(tasks, key=_deadline)


cdef int hand_over(Scheduler s, Task me, Task other) except -1:
    """Lets another thread run, and comes back when this one may go on."""
    interrupt = None
    _core.settle_meter()
    s.current = other
    other.baton.release()
    while True:
        try:
            me.baton.acquire()
            break
        except BaseException as error:      # a signal of the host: two threads must not run at a time
            interrupt = error
    _core.settle_meter()
    if interrupt is not None:
        raise interrupt
    return 0


cdef bint park(Scheduler s, double deadline) except -1:
    """Waits until the running thread is woken: True, or until its deadline: False.

    RuntimeError: nobody could wake it.  SystemExit: the main program has ended.
    """
    cdef Task me = s.current
    cdef Task other
    if me.killed:
        raise SystemExit
    me.waiting = True
    me.woken = False
    me.deadline = deadline
    if deadline > 0:
        s.sleepers.append(me)
    try:
        other = next_task(s)
        if other is None:
            if me is s.main:
                raise RuntimeError(DEADLOCK)
            other = s.main
            other.deadlocked = True
        if other is not me:
            hand_over(s, me, other)
    finally:
        me.waiting = False
        if me in s.sleepers:
            s.sleepers.remove(me)
        elif me in s.ready:             # it is stopped where its time had come: a thread that ends has no more turns
            s.ready.remove(me)
    if me.deadlocked:
        me.deadlocked = False
        raise RuntimeError(DEADLOCK)
    if me.killed:
        raise SystemExit
    return me.woken


cdef object give_turn():
    """At a safepoint: lets another thread of the running guest go on when this one had its turn.

    SystemExit: the main program has ended.
    """
    cdef RunContext context = current_context()
    cdef Scheduler s
    cdef Task me
    # While a module of the library runs for the first time, this thread holds the library's lock.
    if context is None or context.privileged or context.kept is None:
        return None
    s = context.kept.get(Scheduler)
    if s is None or not s.tasks:
        return None
    s.safepoints += 1
    if s.safepoints < TURN:
        return None
    s.safepoints = 0
    if s.sleepers:
        wake_sleepers(s)
    me = s.current
    if s.ready:
        s.ready.append(me)
        hand_over(s, me, s.ready.popleft())
    if me.killed:
        raise SystemExit
    return None


ctypedef PyObject *(*raw_turn)() noexcept
cdef raw_turn try_turn = <raw_turn><void *>give_turn

cdef extern from "Python.h":
    void Py_DECREF(PyObject *o) noexcept


cdef int take_turn() noexcept:
    cdef PyObject *done = try_turn()
    if done == NULL:
        return -1
    Py_DECREF(done)
    return 0


cdef int unpark(Scheduler s, Task task) except -1:
    """Lets a waiting thread go on when its turn comes."""
    if task.waiting and task not in s.ready:
        task.woken = True
        if task in s.sleepers:
            s.sleepers.remove(task)
        s.ready.append(task)
    return 0


def wait_for_next(Scheduler s):
    return next_task(s)


def run_task(Scheduler s, Task task, RunContext context, meter, function, args, kwargs):
    """What a thread of the host does for one of the guest."""
    cdef Task other
    task.baton.acquire()
    begin_thread(context)
    try:
        if not task.killed:
            _core.call_sharing(meter, function, args, kwargs)
    except (SystemExit, Stopped):
        pass
    except BaseException as error:
        where = f" {function!r}:" if sys.version_info >= (3, 13) else f": {function!r}"
        context.err.put(f"Exception ignored in thread started by{where}\n{format_exception(error)}")
    end_thread()
    s.tasks.discard(task)
    if task.sentinel is not None and (<lock>task.sentinel).held:
        release_lock(s, <lock>task.sentinel)
    try:
        other = _core.call_sharing(meter, wait_for_next, (s,), {})      # the limits of the run hold while all wait
        if other is None:
            other = s.main
            other.deadlocked = True
    except BaseException:               # it is stopped, which the main thread is to find
        unpark(s, s.main)
        other = s.ready.popleft() if s.ready else s.main
    s.current = other
    other.baton.release()


def end_threads(RunContext context):
    """Ends the threads that a guest left running: their next wait raises SystemExit."""
    cdef Scheduler s
    cdef Task task
    if context.kept is None:
        return
    s = context.kept.get(Scheduler)
    if s is None:
        return
    while s.tasks:
        for task in list(s.tasks):
            task.killed = True
            if task.waiting:
                unpark(s, task)
        s.ready.append(s.main)
        task = next_task(s)
        if task is not s.main:
            hand_over(s, s.main, task)
    s.ready.clear()


# ---- what the guest's _thread is made of ------------------------------------------------------
def start_new_thread(function, args, kwargs=None):
    """Start a new thread and return its identifier.

The thread will call the function with positional arguments from the
tuple args and keyword arguments taken from the optional dictionary
kwargs.  It runs when the others wait."""
    cdef RunContext context = current_context()
    cdef Scheduler s = scheduler_of(context)
    cdef Task task
    if not callable(function):
        raise TypeError("first arg must be callable")
    if not isinstance(args, tuple):
        raise TypeError("2nd arg must be a tuple")
    if kwargs is not None and not isinstance(kwargs, dict):
        raise TypeError("optional 3rd arg must be a dictionary")
    if len(s.tasks) >= MAX_THREADS:
        raise RuntimeError("can't start new thread")
    hooks.take_turn = take_turn
    s.last_ident += 1
    task = Task(s.last_ident)
    meter = _core.running_meter()
    if meter is not None:
        meter.takes_turns = True
    _thread.start_new_thread(run_task, (s, task, context, meter, function, args, kwargs or {}))
    s.tasks.add(task)
    s.ready.append(task)
    return task.ident


def get_ident():
    """Return a non-zero integer that uniquely identifies the current thread
amongst other threads that exist simultaneously."""
    cdef RunContext context = current_context()
    if context is None or context.kept is None:
        return 1
    found = context.kept.get(Scheduler)
    return 1 if found is None else (<Scheduler>found).current.ident


def set_sentinel():
    """A lock that is released when the current thread ends."""
    cdef lock made = lock()
    running().current.sentinel = made
    return made


def count():
    """The number of running threads besides the main one."""
    return len(running().tasks)


def sleep(seconds):
    """sleep(seconds)

Delay execution for a given number of seconds.  The argument may be
a floating point number for subsecond precision."""
    cdef RunContext context = current_context()
    cdef Scheduler s = None
    if context is not None and context.kept is not None:
        s = context.kept.get(Scheduler)
    if s is None or not s.tasks or not isinstance(seconds, (int, float)) or not seconds >= 0 or seconds > TIMEOUT_MAX:
        sleep_alone(seconds)
        return
    park(s, now_of(s) + seconds)


sleep.__module__ = "time"


cdef double deadline_for(blocking, timeout) except? -1:
    """When to give up; 0: never.  The errors are those of the host's locks."""
    if timeout is None or type(timeout) is int and timeout == -1:
        return 0
    if not isinstance(timeout, (int, float)):
        raise TypeError(f"'{type(timeout).__name__}' object cannot be interpreted as an integer or float")
    if timeout == -1:
        return 0
    if not blocking:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if timeout < 0:
        raise ValueError("timeout value must be a non-negative number")
    if timeout > TIMEOUT_MAX:
        raise OverflowError("timeout value is too large")
    return now_of(running()) + timeout


cdef int wait_for(Scheduler s, list waiters, double deadline) except -1:
    """One turn in a queue of waiters: 1 when woken, 0 at the deadline."""
    cdef Task me = s.current
    waiters.append(me)
    try:
        return park(s, deadline)
    finally:
        if me in waiters:
            waiters.remove(me)


cdef Task task_of(Scheduler s, size_t ident):
    cdef Task task
    if ident == s.main.ident:
        return s.main
    for task in s.tasks:
        if task.ident == ident:
            return task
    return None


def wait_for_module(loading):
    """See ``imports.use_threads``."""
    cdef RunContext context = current_context()
    cdef Scheduler s
    cdef Task me, other
    if context is None or context.kept is None or Scheduler not in context.kept:
        return False            # the host imports for the guest, or there was only one thread ever
    s = context.kept[Scheduler]
    me = s.current
    blocking = loading
    while blocking is not None:         # from the module to the thread that runs it, and on to the module that this one waits for
        other = task_of(s, blocking.ident)
        if other is None or other is me:
            return False
        blocking = other.loading
    me.loading = loading
    try:
        wait_for(s, loading.waiters, 0)
    finally:
        me.loading = None
    return True


def wake_importers(loading):
    """See ``imports.use_threads``."""
    cdef Scheduler s = running()
    while loading.waiters:
        unpark(s, <Task>loading.waiters.pop(0))


use_threads(get_ident, wait_for_module, wake_importers)


cdef int release_lock(Scheduler s, lock self) except -1:
    self.held = False
    if self.waiters:
        unpark(running() if s is None else s, <Task>self.waiters.pop(0))
    return 0


@cython.auto_pickle(False)
cdef class lock:
    """A lock object is a synchronization primitive.  To create a lock,
call threading.Lock().  Methods are:

acquire() -- lock the lock, possibly blocking until it can be obtained
release() -- unlock of the lock
locked() -- test whether the lock is currently locked

A lock is not owned by the thread that locked it; another thread may
unlock it.  A thread attempting to lock a lock that it has already locked
will block until another thread unlocks it.  Deadlocks may ensue."""
    cdef bint held
    cdef list waiters
    cdef object __weakref__

    def acquire(self, blocking=True, timeout=-1):
        """Lock the lock; returns whether it could be had."""
        cdef double deadline = deadline_for(blocking, timeout)
        cdef Scheduler s
        if not self.held:
            self.held = True
            return True
        if not blocking:
            return False
        s = running()
        if self.waiters is None:
            self.waiters = []
        while self.held:
            if not wait_for(s, self.waiters, deadline) and self.held:
                return False
        self.held = True
        return True

    def release(self):
        """Release the lock, allowing another thread that is blocked waiting for it to go on."""
        if not self.held:
            raise RuntimeError("release unlocked lock")
        release_lock(None, self)

    def locked(self):
        """Return whether the lock is in the locked state."""
        return self.held

    def acquire_lock(self, blocking=True, timeout=-1):
        """An obsolete synonym of acquire()."""
        return self.acquire(blocking, timeout)

    def release_lock(self):
        """An obsolete synonym of release()."""
        self.release()

    def locked_lock(self):
        """An obsolete synonym of locked()."""
        return self.held

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *details):
        self.release()

    def _at_fork_reinit(self):
        self.held = False

    def __repr__(self):
        return f"<{'locked' if self.held else 'unlocked'} _thread.lock object at {<size_t><void *>self:#x}>"


@cython.auto_pickle(False)
cdef class RLock:
    """A lock that the thread which holds it can acquire again."""
    cdef size_t owner
    cdef Py_ssize_t depth
    cdef list waiters
    cdef object __weakref__

    def acquire(self, blocking=True, timeout=-1):
        """Lock the lock; returns whether it could be had. The owner can always have it, once more."""
        cdef double deadline = deadline_for(blocking, timeout)
        cdef size_t me = get_ident()
        cdef Scheduler s
        if self.owner == me:
            self.depth += 1
            return True
        if self.owner:
            if not blocking:
                return False
            s = running()
            if self.waiters is None:
                self.waiters = []
            while self.owner:
                if not wait_for(s, self.waiters, deadline) and self.owner:
                    return False
        self.owner = me
        self.depth = 1
        return True

    cdef int give_up(self) except -1:
        self.owner = 0
        self.depth = 0
        if self.waiters:
            unpark(running(), <Task>self.waiters.pop(0))
        return 0

    def release(self):
        """Release the lock; it is free when that was done as often as it was acquired."""
        if not self.owner or self.owner != <size_t>get_ident():
            raise RuntimeError("cannot release un-acquired lock")
        self.depth -= 1
        if not self.depth:
            self.give_up()

    def locked(self):
        """Return whether some thread holds the lock."""
        return self.owner != 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *details):
        self.release()

    def _is_owned(self):
        return self.owner == <size_t>get_ident()

    def _recursion_count(self):
        return self.depth if self.owner == <size_t>get_ident() else 0

    def _release_save(self):
        if not self.owner:
            raise RuntimeError("cannot release un-acquired lock")
        state = (self.depth, self.owner)
        self.give_up()
        return state

    def _acquire_restore(self, state):
        self.acquire()
        self.depth, self.owner = state

    def _at_fork_reinit(self):
        self.owner = 0
        self.depth = 0

    def __repr__(self):
        return (f"<{'locked' if self.owner else 'unlocked'} _thread.RLock object owner={self.owner} count={self.depth} "
                f"at {<size_t><void *>self:#x}>")


get_slots(lock).tp_name = b"_thread.lock"
get_slots(RLock).tp_name = b"_thread.RLock"
PyType_Modified(get_slots(lock))
PyType_Modified(get_slots(RLock))
