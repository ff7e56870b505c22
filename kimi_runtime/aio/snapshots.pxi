# The parts of futures, tasks, loops and context variables as plain lists, and back: for `snapshots/` (part of core.pyx).
#
# An object is made in two steps, so that cycles can be closed: `empty_shell`, then `fill_shell` with the parts. What comes back may have
# been altered: whatever native code takes for granted of a part is checked, and ValueError is raised where it does not hold.

cdef extern from *:
    """
    /* As in CPython's internal/pycontext.h, the same in 3.11 to 3.13; whether it still is gets tried out below. */
    typedef struct { PyObject_HEAD PyObject *context; PyObject *variable; PyObject *old; int used; } KToken;
    """
    ctypedef struct KToken:
        PyObject *context
        PyObject *old

import decimal as host_decimal

#: The types whose instances are saved by their parts, in the order of the numbers in the bytes, from 1.
cdef tuple SAVED = (Future, Task, Handle, TimerHandle, ContextVar, Context, Token, FutureIter, WakeUp, Step, host_contextvars.Context)
cdef dict SAVED_NUMBERS = {each: number for number, each in enumerate(SAVED, 1)}
#: Those that classes of guests, and of the library, derive from; the most special first.
cdef tuple SAVED_BASES = (Task, Future, LoopCore, TimerHandle, Handle)
cdef dict MAKERS = {each: getattr(each, "__new__") for each in SAVED_BASES}

cdef bint tokens_known = False


cdef int try_tokens() except -1:
    """Whether tokens of the host are laid out as it is thought."""
    global tokens_known
    variable = host_contextvars.ContextVar("probe")
    context = host_contextvars.Context()
    context.run(variable.set, context)
    token = context.run(variable.set, 1)
    tokens_known = token.old_value is context and (<KToken *><PyObject *>token).old == <PyObject *>context \
        and (<KToken *><PyObject *>token).context == <PyObject *>context
    return 0


try_tokens()


cdef object must(bint good):
    if not good:
        raise ValueError("a part of asyncio that does not fit")
    return None


def saved_number(cls):
    """The number of a type whose instances are saved by their parts; 0 for a class that derives from one; None for others."""
    found = SAVED_NUMBERS.get(cls)
    if found is not None:
        return found
    for base in SAVED_BASES:
        if issubclass(cls, base):
            return 0
    return None


def empty_shell(Py_ssize_t number, cls, RunContext context not None, variables):
    """An object whose parts follow.

    Args:
        number: of its type.
        cls: its class, where the number is 0.
        context: of the guest.
        variables: the host's Context in which the guest runs.
    """
    cdef AsyncState state = state_of(context)
    must(0 <= number <= len(SAVED))
    if number == 0:
        for base in SAVED_BASES:
            if issubclass(cls, base):
                made = MAKERS[base](cls)
                break
        else:
            raise ValueError("a class that is none of asyncio's")
        if isinstance(made, LoopCore):
            (<LoopCore>made).state = state
            (<LoopCore>made).clock = context.clock
        return made
    cls = SAVED[number - 1]
    if cls is Future or cls is Task or cls is Handle or cls is TimerHandle:
        return MAKERS[cls](cls)
    if cls is ContextVar:
        return new_variable(state)
    if cls is Context:
        return wrap_context(None, state)
    if cls is Token:
        return Token.__new__(Token)
    if cls is FutureIter:
        return FutureIter.__new__(FutureIter)
    if cls is WakeUp:
        return WakeUp.__new__(WakeUp, Task.__new__(Task))
    if cls is Step:
        return Step.__new__(Step, Task.__new__(Task), None)
    return variables.copy()


cdef AsyncState state_of(RunContext context):
    if context.asyncio is None:
        context.asyncio = AsyncState()
    return <AsyncState>context.asyncio


cdef ContextVar new_variable(AsyncState state):
    cdef ContextVar made = ContextVar.__new__(ContextVar)
    made.inner = host_contextvars.ContextVar("a guest's")
    made.default_value = MISSING
    state.variables[made.inner] = made
    return made


# ---- taking apart ----------------------------------------------------------------------------
def parts_to_save(o, RunContext context not None, bint with_decimal):
    """The parts of an object, each with a label for the way to it.

    Args:
        o: of a type that `saved_number` knows.
        context: of the guest.
        with_decimal: whether contexts have one of the guest's decimal contexts.

    Raises:
        ValueError: why it cannot be saved.
    """
    cls = type(o)
    if isinstance(o, Future):
        found = future_parts(<Future>o)
        return found + task_parts(<Task>o) if isinstance(o, Task) else found
    if isinstance(o, LoopCore):
        return loop_parts(<LoopCore>o)
    if isinstance(o, Handle):
        return handle_parts(<Handle>o)
    if cls is ContextVar:
        has_default = (<ContextVar>o).default_value is not MISSING
        return [((<ContextVar>o).name, ".name"), (has_default, ""), ((<ContextVar>o).default_value if has_default else None, ".default")]
    if cls is Context:
        return [((<Context>o).inner, "")]
    if cls is Token:
        return token_parts(<Token>o)
    if cls is FutureIter:
        return [((<FutureIter>o).future, ".<future>")]
    if cls is WakeUp:
        return [((<WakeUp>o).task, ".__self__")]
    if cls is Step:
        return [((<Step>o).task, ".__self__"), ((<Step>o).exc, ".<exception>")]
    return variables_parts(o, context, with_decimal)


cdef list future_parts(Future o):
    flags = o.state | o.failed << 2 | o.log_tb << 3 | o.blocking << 4 | o.of_host << 5
    return [(flags, ""), (o.loop, "._loop"), (o.callback0, "._callbacks[0][0]"), (o.context0, "._callbacks[0][1]"),
            (o.callbacks, "._callbacks"), (o.value, "._exception" if o.failed else "._result"), (o.cancel_msg, "._cancel_message")]


cdef list task_parts(Task o):
    flags = o.must_cancel | o.log_destroy_pending << 1 | (o.link.next != NULL) << 2
    return [(flags, ""), (o.coro, "._coro"), (o.context, ".<context>"), (o.waiter, "._fut_waiter"), (o.name, ".<name>"),
            (o.number, ""), (o.cancel_requests, "")]


cdef list handle_parts(Handle o):
    found = [(o._callback, "._callback"), (o._args, "._args"), (o._loop, "._loop"), (o._repr, "._repr"), (o.context, "._context"),
             (bool(o._cancelled), "")]
    if isinstance(o, TimerHandle):
        found += [((<TimerHandle>o).at, ""), ((<TimerHandle>o).given, "._when"), (bool((<TimerHandle>o)._scheduled), "")]
    return found


cdef list loop_parts(LoopCore o):
    cdef Py_ssize_t i, at
    cdef PyObject *ring = <PyObject *>o.ring
    if o.in_threads:
        raise ValueError("functions of the host run in threads for it")
    if o.current is not None:
        raise ValueError("a task of it is running")
    ready = []
    for i in range(o.count):
        at = 3 * ((o.head + i) % o.capacity)
        entry = []
        for _ in range(3):
            entry.append(None if PyList_GET_ITEM(ring, at) == NULL else <object>PyList_GET_ITEM(ring, at))
            at += 1
        ready.append(tuple(entry))
    flags = o.closed | o.stopping << 1 | o.debug << 2 | o.fast << 3 | o.own_soon << 4 | o.own_time << 5 | o.own_at << 6
    return [(flags, ""), (clock_time(o), ""), (ready, "._ready"), (o.timers, "._scheduled"), (o.cancelled_timers, ""),
            (o.task_factory, ".<task factory>")]


cdef list token_parts(Token o):
    cdef KToken *token = <KToken *><PyObject *>o.inner
    if not tokens_known:
        raise ValueError("this version of Python does not tell what a Token holds")
    has_old = token.old != NULL
    return [(o.variable, ".var"), (bool(o.used), ""), (<object>token.context, ".<context>"), (has_old, ""),
            (<object>token.old if has_old else None, ".old_value")]


cdef list variables_parts(o, RunContext context, bint with_decimal):
    cdef dict variables = (<AsyncState>context.asyncio).variables if context.asyncio is not None else {}
    found = [(o.run(host_decimal.getcontext) if with_decimal else None, ".<decimal context>")]
    for inner, value in o.items():
        variable = variables.get(inner)
        if variable is not None:
            found.append((variable, ".<variable>"))
            found.append((value, f"[{variable.name}]"))
    return found


# ---- putting together ------------------------------------------------------------------------
def fill_shell(o, list parts not None, RunContext context not None):
    """Gives an object that `empty_shell` has made its parts. ValueError, TypeError: they do not fit."""
    cls = type(o)
    if isinstance(o, Future):
        must(len(parts) == (14 if isinstance(o, Task) else 7))
        fill_future(<Future>o, parts[:7])
        if isinstance(o, Task):
            fill_task(<Task>o, state_of(context), parts[7:])
    elif isinstance(o, LoopCore):
        must(len(parts) == 6)
        fill_loop(<LoopCore>o, parts)
    elif isinstance(o, Handle):
        must(len(parts) == (9 if isinstance(o, TimerHandle) else 6))
        fill_handle(<Handle>o, parts)
    elif cls is ContextVar:
        name, has_default, default = parts
        must(isinstance(name, str))
        (<ContextVar>o).name = name
        (<ContextVar>o).default_value = default if has_default else MISSING
    elif cls is Context:
        inner, = parts
        must(PyContext_CheckExact(<PyObject *>inner))
        (<Context>o).inner = inner
    elif cls is Token:
        must(len(parts) == 5)
        fill_token(<Token>o, parts)
    elif cls is FutureIter:
        future, = parts
        must(future is None or isinstance(future, Future))
        (<FutureIter>o).future = future
    elif cls is WakeUp:
        task, = parts
        must(isinstance(task, Task))
        (<WakeUp>o).task = task
    elif cls is Step:
        task, exc = parts
        must(isinstance(task, Task) and (exc is None or isinstance(exc, BaseException)))
        (<Step>o).task, (<Step>o).exc = task, exc
    else:
        must(PyContext_CheckExact(<PyObject *>o) and len(parts) % 2 == 1)
        fill_variables(o, parts)


cdef int fill_future(Future o, list parts) except -1:
    flags, loop, callback, context, callbacks, value, cancel_msg = parts
    cdef int bits = flags
    must(0 <= bits < 64 and bits & 3 != 3)
    o.of_host = bits >> 5
    o.state, o.failed, o.log_tb, o.blocking = bits & 3, bits >> 2 & 1, 0, bits >> 4 & 1
    must(not o.failed or o.state == FINISHED)
    must(isinstance(value, BaseException) if o.failed else value is None or o.state != CANCELLED or isinstance(value, CancelledError))
    check_callback(callback, context)
    if callbacks is not None:
        must(type(callbacks) is list)
        for each in callbacks:
            must(type(each) is tuple and len(each) == 2)
            check_callback(each[0], each[1])
    o.loop, o.callback0, o.context0, o.callbacks, o.value, o.cancel_msg = loop, callback, context, callbacks, value, cancel_msg
    o.exception_tb = o.source_tb = None
    o.log_tb = bits >> 3 & 1
    return 0


cdef int check_callback(callback, context) except -1:
    must(context is not None or callback is None or isinstance(callback, Task))
    return 0


cdef int fill_task(Task o, AsyncState state, list parts) except -1:
    flags, coro, context, waiter, name, number, cancel_requests = parts
    cdef int bits = flags
    must(0 <= bits < 8 and context is not None and (name is None or type(name) is str))
    o.must_cancel, o.log_destroy_pending = bits & 1, bits >> 1 & 1
    o.coro, o.context, o.waiter, o.name, o.number, o.cancel_requests = coro, context, waiter, name, number, cancel_requests
    if bits & 4 and o.link.next == NULL:
        link_task(state, o)
    return 0


cdef int fill_handle(Handle o, list parts) except -1:
    o._callback, o._args, o._loop, o._repr, context, cancelled = parts[:6]
    must(context is not None)
    o.context = context
    o._cancelled = bool(cancelled)
    if isinstance(o, TimerHandle):
        when, given, scheduled = parts[6:]
        must(type(when) is float)
        (<TimerHandle>o).at, (<TimerHandle>o).given, (<TimerHandle>o)._scheduled = when, given, bool(scheduled)
    return 0


cdef int fill_loop(LoopCore o, list parts) except -1:
    flags, time, ready, timers, cancelled_timers, task_factory = parts
    cdef int bits = flags
    cdef PyObject *argument
    cdef PyObject *context
    must(0 <= bits < 128 and type(time) is float and type(ready) is list and type(timers) is list and type(cancelled_timers) is int)
    for each in timers:
        must(isinstance(each, TimerHandle))
    for each in ready:
        must(type(each) is tuple and len(each) == 3)
        what, given, variables = each
        if variables is None:
            must(isinstance(what, Task) or given is None and (type(what) is Handle or type(what) is TimerHandle))
        argument = NULL if given is None and variables is None else <PyObject *>given
        context = NULL if variables is None else <PyObject *>variables
        push(o, what, argument, context)
    o.closed, o.stopping, o.debug, o.fast = bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1
    o.own_soon, o.own_time, o.own_at = bits >> 4 & 1, bits >> 5 & 1, bits >> 6 & 1
    o.timers = timers[:]
    o.cancelled_timers = cancelled_timers
    o.task_factory = task_factory
    o.offset = 0
    o.offset = time - clock_time(o)     # what the loop's time was goes on from there
    must(-1e15 < o.offset < 1e15)
    return 0


cdef int fill_token(Token o, list parts) except -1:
    """After the contexts have their values: a token is had by setting the variable, and gets what it is to bring back."""
    cdef KToken *token
    variable, used, context, has_old, old = parts
    must(tokens_known and type(variable) is ContextVar and PyContext_CheckExact(<PyObject *>context))
    inner = (<ContextVar>variable).inner
    if inner in context:
        made = context.run(inner.set, context[inner])
    else:
        first = context.run(inner.set, None)
        made = context.run(inner.set, None)
        context.run(inner.reset, first)
    token = <KToken *><PyObject *>made
    if has_old:
        Py_INCREF(<PyObject *>old)
    Py_XDECREF(token.old)
    token.old = <PyObject *>old if has_old else NULL
    o.inner, o.variable, o.used = made, variable, bool(used)
    return 0


cdef int fill_variables(o, list parts) except -1:
    if parts[0] is not None:
        must(type(parts[0]) is host_decimal.Context)
        o.run(host_decimal.setcontext, parts[0])
    for i in range(1, len(parts), 2):
        must(type(parts[i]) is ContextVar)
        o.run((<ContextVar>parts[i]).inner.set, parts[i + 1])
    return 0


# ---- what a guest has beside its objects -----------------------------------------------------
def has_variables(RunContext context not None):
    """Whether a guest has context variables of its own."""
    return context.asyncio is not None and bool((<AsyncState>context.asyncio).variables)


def state_to_save(RunContext context not None):
    """Running loop, number of names of tasks, event loop policy, hooks of asynchronous generators, loop of programs that await at
    their top level; None where there is nothing."""
    cdef AsyncState state = context.asyncio
    if state is None:
        return None
    found = (state.running, state.names, state.policy, context.asyncgen_firstiter, context.asyncgen_finalizer, state.cells)
    return None if found == (None, 0, None, None, None, None) else found


def set_saved_state(RunContext context not None, state):
    """The same the other way; None for nothing. ValueError: it does not fit."""
    cdef AsyncState own
    if state is None:
        return
    must(type(state) is tuple and 5 <= len(state) <= 6)      # five up to version 3 of the format
    running, names, policy, firstiter, finalizer = state[:5]
    cells = state[5] if len(state) == 6 else None
    must((running is None or isinstance(running, LoopCore)) and (cells is None or isinstance(cells, LoopCore)))
    must(type(names) is int and 0 <= names < 1 << 62)
    own = state_of(context)
    own.names = names
    own.policy = policy
    own.cells = cells
    for each in (firstiter, finalizer):
        must(each is None or callable(each))
    context.asyncgen_firstiter, context.asyncgen_finalizer = firstiter, finalizer
    if running is not None:
        own.running = running
        own.thread = PyThreadState_Get()
        (<LoopCore>running).thread = own.thread
