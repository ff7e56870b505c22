# What the asyncio of one guest has to itself (part of core.pyx).

ctypedef struct TaskLink:       # pending tasks form a ring through their state
    TaskLink *previous
    TaskLink *next
    PyObject *task              # borrowed; NULL in the state itself


cdef inline void link_before(TaskLink *head, TaskLink *link) noexcept:
    link.next = head
    link.previous = head.previous
    head.previous.next = link
    head.previous = link


cdef inline void unlink(TaskLink *link) noexcept:
    if link.next != NULL:
        link.next.previous = link.previous
        link.previous.next = link.next
        link.next = link.previous = NULL


@cython.final
@cython.auto_pickle(False)
cdef class AsyncState:
    """The asyncio of one guest: its running loop, its tasks, its event loop policy."""
    cdef object running             # the running loop or None
    cdef PyThreadState *thread      # the thread that it runs in
    cdef dict elsewhere             # loops that run in other threads of the guest, by thread
    cdef dict variables             # the host's ContextVar -> the guest's
    cdef dict current               # loop -> current task, for loops of other make
    cdef list others                # weak references to tasks of other make
    cdef TaskLink tasks
    cdef uint64_t names
    cdef public object policy       # event loop policy, or None
    cdef public object cells        # the loop of programs of a session that await at their top level, or None
    cdef object __weakref__

    def __cinit__(self):
        self.tasks.next = self.tasks.previous = &self.tasks
        self.tasks.task = NULL
        self.current = {}
        self.elsewhere = {}
        self.variables = {}
        self.others = []

    def __dealloc__(self):
        while self.tasks.next != &self.tasks:
            unlink(self.tasks.next)


cdef object thread_states = _thread._local()


cdef AsyncState current_state():
    """The state of the running guest; one of the thread when there is no guest, for tests and host code."""
    cdef RunContext context = current_context()
    if context is not None:
        if context.asyncio is None:
            context.asyncio = AsyncState()
        return <AsyncState>context.asyncio
    found = getattr(thread_states, "state", None)
    if found is None:
        found = thread_states.state = AsyncState()
    return <AsyncState>found


cdef inline object running_loop(AsyncState state):
    cdef PyThreadState *thread = PyThreadState_Get()
    if state.thread == thread:
        return state.running
    return state.elsewhere.get(<size_t>thread) if state.elsewhere else None


cdef int set_running(AsyncState state, object loop) except -1:
    """Makes the loop the one that runs in this thread; None: none does."""
    cdef PyThreadState *thread = PyThreadState_Get()
    if state.thread != thread:
        if state.running is not None:
            state.elsewhere[<size_t>state.thread] = state.running
        state.elsewhere.pop(<size_t>thread, None)
        state.thread = thread
    state.running = loop
    return 0


def begin_tasks():
    """Whether the running program is one of a session; what its tasks write is known by their run then."""
    cdef RunContext context = current_context()
    return context is not None and context.tell_tasks_apart()


def get_state():
    """The ``AsyncState`` of the running guest."""
    return current_state()


def _get_running_loop():
    """Return the running event loop or None.

This is a low-level function intended to be used by event loops.
This function is thread-specific."""
    return running_loop(current_state())


def _set_running_loop(loop, /):
    """Set the running event loop.

This is a low-level function intended to be used by event loops.
This function is thread-specific."""
    set_running(current_state(), loop)


def get_running_loop():
    """Return the running event loop.  Raise a RuntimeError if there is none.

This function is thread-specific."""
    loop = running_loop(current_state())
    if loop is None:
        raise RuntimeError("no running event loop")
    return loop


def get_event_loop():
    """Return an asyncio event loop.

When called from a coroutine or a callback (e.g. scheduled with
call_soon or similar API), this function will always return the
running event loop.

If there is no running event loop set, the function will return
the result of `get_event_loop_policy().get_event_loop()` call."""
    return event_loop(current_state())


cdef object event_loop(AsyncState state):
    loop = running_loop(state)
    if loop is not None:
        return loop
    return find_policy().get_event_loop()


cdef object find_policy = None


def use_policy(finder):
    """Called when ``asyncio.events`` has run: the function that gives the guest's event loop policy."""
    global find_policy
    find_policy = finder


# ---- current tasks ---------------------------------------------------------------------------
cdef int enter_task(AsyncState state, object loop, object task) except -1:
    if isinstance(loop, LoopCore):
        current = (<LoopCore>loop).current
        if current is None:
            (<LoopCore>loop).current = task
            return 0
    else:
        current = state.current.get(loop)
        if current is None:
            state.current[loop] = task
            return 0
    raise RuntimeError(f"Cannot enter into task {task!r} while another task {current!r} is being executed.")


cdef int leave_task(AsyncState state, object loop, object task) except -1:
    if isinstance(loop, LoopCore):
        current = (<LoopCore>loop).current
        if current is task:
            (<LoopCore>loop).current = None
            return 0
    else:
        current = state.current.get(loop)
        if current is task:
            del state.current[loop]
            return 0
    raise RuntimeError(f"Leaving task {task!r} does not match the current task {current!r}.")


def _enter_task(loop, task):
    """Enter into task execution or resume suspended task.

Task belongs to loop.

Returns None."""
    enter_task(current_state(), loop, task)


def _leave_task(loop, task):
    """Leave task execution or suspend a task.

Task belongs to loop.

Returns None."""
    leave_task(current_state(), loop, task)


def _swap_current_task(loop, task):
    """Temporarily swap in the supplied task and return the original one (or None).

This is intended for use during eager coroutine execution."""
    return swap_task(current_state(), loop, task)


cdef object swap_task(AsyncState state, object loop, object task):
    if isinstance(loop, LoopCore):
        previous = (<LoopCore>loop).current
        (<LoopCore>loop).current = task
        return previous
    previous = state.current.get(loop)
    if task is None:
        state.current.pop(loop, None)
    else:
        state.current[loop] = task
    return previous


def current_task(loop=None):
    """Return a currently executed task."""
    cdef AsyncState state = current_state()
    if loop is None:
        loop = running_loop(state)
        if loop is None:
            raise RuntimeError("no running event loop")
    if isinstance(loop, LoopCore):
        return (<LoopCore>loop).current
    return state.current.get(loop)


def _register_eager_task(task):
    """Register a task whose first step runs at once; returns None."""


def _unregister_eager_task(task):
    """The first step has ended; returns None."""


# ---- all tasks -------------------------------------------------------------------------------
def _register_task(task):
    """Register a new task in asyncio as executed by loop.

Returns None."""
    register(current_state(), task)


cdef int register(AsyncState state, task) except -1:
    if isinstance(task, Task):
        return link_task(state, <Task>task)
    for each in state.others:
        if each() is task:
            return 0
    state.others = [each for each in state.others if each() is not None]
    state.others.append(ref(task))
    return 0


def _unregister_task(task):
    """Unregister a task.

Returns None."""
    cdef AsyncState state = current_state()
    if isinstance(task, Task):
        unlink(&(<Task>task).link)
    else:
        state.others = [each for each in state.others if each() is not None and each() is not task]


def all_tasks(loop=None):
    """Return a set of all tasks for the loop."""
    cdef AsyncState state = current_state()
    cdef TaskLink *link
    cdef list found = []
    if loop is None:
        loop = running_loop(state)
        if loop is None:
            raise RuntimeError("no running event loop")
    link = state.tasks.next
    while link != &state.tasks:
        task = <object>link.task            # before anything that may change the ring
        link = link.next
        found.append(task)
    for each in state.others:
        task = each()
        if task is not None:
            found.append(task)
    return {task for task in found if loop_of(task) is loop and not task.done()}


cdef object loop_of(future):
    if type(future) is Task or type(future) is Future:
        return (<Future>future).loop
    getter = getattr(future, "get_loop", None)
    return future._loop if getter is None else getter()


# Imported by the host's asyncio.tasks, which shows its own collections under these names.
_all_tasks = frozenset()
_scheduled_tasks = frozenset()
_eager_tasks = frozenset()
_current_tasks = types.MappingProxyType({})
