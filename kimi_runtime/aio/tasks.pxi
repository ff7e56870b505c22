# Tasks: a coroutine, run step by step (part of core.pyx).

@cython.auto_pickle(False)
cdef class Task(Future):
    """A coroutine wrapped in a Future."""
    cdef object coro
    cdef object context
    cdef object waiter              # the future that it waits for, or None
    cdef object name                # str, or None: made from the number
    cdef TaskLink link              # in the ring of pending tasks
    cdef uint64_t number
    cdef uint32_t cancel_requests
    cdef uint8_t must_cancel, log_destroy_pending

    def __init__(self, coro, *, loop=None, name=None, context=None, eager_start=False):
        if eager_start and not since_312:
            raise TypeError("'eager_start' is an invalid keyword argument for Task()")
        task_init(self, coro, loop, name, context, eager_start)

    def __dealloc__(self):
        unlink(&self.link)

    def __del__(self):
        unlink(&self.link)
        if self.state == PENDING and self.log_destroy_pending:
            details = {"task": self, "message": "Task was destroyed but it is pending!"}
            if self.source_tb:
                details["source_traceback"] = self.source_tb
            tell_loop(self, details)
        finalize_future(self)

    def cancel(self, msg=None):
        """Request that this task cancel itself.

This arranges for a CancelledError to be thrown into the
wrapped coroutine on the next cycle through the event loop.
The coroutine then has a chance to clean up or even deny
the request using try/except/finally."""
        return task_cancel(self, msg)

    def cancelling(self):
        """Return the count of the task's cancellation requests.

This count is incremented when .cancel() is called
and may be decremented using .uncancel()."""
        return self.cancel_requests

    def uncancel(self):
        """Decrement the task's count of cancellation requests.

This should be used by tasks that catch CancelledError
and wish to continue indefinitely until they are cancelled again.

Returns the remaining number of cancellation requests."""
        if self.cancel_requests:
            self.cancel_requests -= 1
            if since_313 and self.cancel_requests == 0:
                self.must_cancel = 0
        return self.cancel_requests

    def get_name(self):
        """Return the name of the task."""
        if self.name is None:
            if not self.number:
                return None
            self.name = f"Task-{self.number}"
        return self.name

    @cython.always_allow_keywords(False)
    def set_name(self, value):
        """Set the name of the task."""
        self.name = value if type(value) is str else str(value)

    def get_coro(self):
        """Return the coroutine."""
        return self.coro

    def get_context(self):
        """Return the context that the steps run in."""
        self.context = shown_context(self.context)
        return self.context

    def get_stack(self, *, limit=None):
        """Return the list of stack frames for this task's coroutine."""
        return get_task_stack(self, limit)

    def print_stack(self, *, limit=None, file=None):
        """Print the stack or traceback for this task's coroutine."""
        return print_task_stack(self, limit, file)

    @cython.always_allow_keywords(False)
    def set_result(self, result):
        raise RuntimeError("Task does not support set_result operation")

    @cython.always_allow_keywords(False)
    def set_exception(self, exception):
        raise RuntimeError("Task does not support set_exception operation")

    def __repr__(self):
        if self.loop is None or task_repr is None:
            return f"<{type(self).__name__} {STATES[self.state].lower()}>"
        return task_repr(self)

    __class_getitem__ = classmethod(GenericAlias)

    @property
    def _coro(self):
        return self.coro

    @property
    def _fut_waiter(self):
        return self.waiter

    @property
    def _must_cancel(self):
        return bool(self.must_cancel)

    @property
    def _num_cancels_requested(self):
        return self.cancel_requests

    @property
    def _log_destroy_pending(self):
        return bool(self.log_destroy_pending)

    @_log_destroy_pending.setter
    def _log_destroy_pending(self, value):
        self.log_destroy_pending = bool(value)

    @_log_destroy_pending.deleter
    def _log_destroy_pending(self):
        raise AttributeError("cannot delete attribute")


cdef bint is_coroutine(coro) except -1:
    if type(coro) is Coroutine or type(coro) is types.CoroutineType:
        return True
    if is_coroutine_object is None:
        return isinstance(coro, types.CoroutineType)
    return bool(is_coroutine_object(coro))


cdef int task_init(Task task, coro, loop, name, context, bint eager) except -1:
    cdef AsyncState state
    future_init(task, loop)
    loop = task.loop
    state = (<LoopCore>loop).state if isinstance(loop, LoopCore) else current_state()
    if type(coro) is Future and (<Future>coro).of_host:
        coro = coro.__await__()
    elif not is_coroutine(coro):
        task.log_destroy_pending = 0
        raise TypeError(f"a coroutine was expected, got {coro!r}")
    task.context = copied_context() if context is None else context
    task.waiter = None
    task.must_cancel = 0
    task.log_destroy_pending = 1
    task.cancel_requests = 0
    task.coro = coro
    if name is None:
        state.names += 1
        task.number = state.names
        task.name = None
    else:
        task.name = name if type(name) is str else str(name)
    if eager and loop.is_running():
        return task_start(state, task)
    step_soon(task, NULL)
    link_task(state, task)
    return 0


cdef inline int link_task(AsyncState state, Task task) noexcept:
    if task.link.next == NULL:
        task.link.task = <PyObject *>task
        link_before(&state.tasks, &task.link)
    return 0


cdef int task_start(AsyncState state, Task task) except -1:
    """The first step at once, inside the task that makes this one (3.12)."""
    cdef PyObject *error = NULL
    cdef int status
    previous = swap_task(state, task.loop, task)
    link_task(state, task)
    inner = <object>inner_context(<PyObject *>task.context)
    if PyContext_Enter(<PyObject *>inner) < 0:
        raise_pending()
    status = try_step(<PyObject *>task, NULL)
    if status < 0:
        error = k_aio_take()
    PyContext_Exit(<PyObject *>inner)
    swap_task(state, task.loop, previous)
    if error != NULL:
        k_aio_raise(error)
        raise_pending()
    if task.state != PENDING:
        unlink(&task.link)
        task.coro = None
    return 0


cdef int step_soon(Task task, PyObject *exc) except -1:
    loop = task.loop
    if isinstance(loop, LoopCore) and (<LoopCore>loop).fast:
        if (<LoopCore>loop).closed:
            raise RuntimeError("Event loop is closed")
        return push(<LoopCore>loop, task, exc, NULL)
    loop.call_soon(Step(task, <object>exc if exc != NULL else None), context=task_context(task))
    return 0


cdef object task_context(Task task):
    task.context = shown_context(task.context)
    return task.context


@cython.final
@cython.auto_pickle(False)
cdef class Step:
    """A step of a task as a callback, for loops of other make and for handles that somebody looks at."""
    cdef Task task
    cdef object exc

    def __cinit__(self, Task task not None, exc):
        self.task = task
        self.exc = exc

    def __call__(self):
        task_step(self.task, NULL if self.exc is None else <PyObject *>self.exc)

    @property
    def __self__(self):
        return self.task

    @property
    def __qualname__(self):
        return None

    def __repr__(self):
        return f"<TaskStepMethWrapper object at {<size_t><PyObject *>self:#x}>"


cdef object task_cancel(Task task, msg):
    cdef bint done
    task.log_tb = 0
    if task.state != PENDING:
        return False
    task.cancel_requests += 1
    if task.waiter is not None:
        waiter = task.waiter
        if type(waiter) is Future:
            done = future_cancel(<Future>waiter, msg)
        elif type(waiter) is Task:
            done = task_cancel(<Task>waiter, msg)
        else:
            done = bool(waiter.cancel(msg=msg))
        if done:
            return True
    task.must_cancel = 1
    task.cancel_msg = msg
    return True


# ---- steps -----------------------------------------------------------------------------------
cdef int task_wakeup(Task task, future) except -1:
    """Goes on after the future that the task waited for."""
    cdef PyObject *raised
    if isinstance(future, Future):
        if type(future) is Future or type(future) is Task:
            if (<Future>future).state == FINISHED and not (<Future>future).failed:
                (<Future>future).log_tb = 0
                return task_step(task, NULL)
            exc = outcome(<Future>future)
            return task_step(task, <PyObject *>exc)
    failed = None
    try:
        future.result()
    except BaseException as error:
        failed = error
    # Outside the handler: for the coroutine nothing is being handled.
    return task_step(task, NULL if failed is None else <PyObject *>failed)


cdef int task_step(Task task, PyObject *exc) except -1:
    """One step. Raises KeyboardInterrupt, SystemExit and what is wrong with the loop itself."""
    cdef PyObject *raised
    cdef PyObject *held
    loop = task.loop
    if isinstance(loop, LoopCore):
        if (<LoopCore>loop).current is not None:
            enter_task((<LoopCore>loop).state, loop, task)
        (<LoopCore>loop).current = task
        if step(task, exc) < 0:
            raised = k_aio_take()
            if (<LoopCore>loop).current is not task:
                k_aio_raise(raised)
                raise_pending()
            (<LoopCore>loop).current = None
            k_aio_raise(raised)
            raise_pending()
        if (<LoopCore>loop).current is not task:
            leave_task((<LoopCore>loop).state, loop, task)
        (<LoopCore>loop).current = None
        return 0
    state = current_state()
    enter_task(state, loop, task)
    if step(task, exc) < 0:
        raised = k_aio_take()
        try:
            leave_task(state, loop, task)
        finally:
            k_aio_raise(raised)
            raise_pending()
    leave_task(state, loop, task)
    return 0


# Functions that raise, called from C: the exception stays set. Always through a variable: gcc turns a direct call of a
# cast function into a trap.
ctypedef int (*raw_step)(PyObject *, PyObject *) noexcept
cdef int checked_step(Task task, PyObject *exc) except -1:
    return task_step_in(task, exc)
cdef raw_step try_step = <raw_step><void *>checked_step


cdef inline int step(Task task, PyObject *exc) noexcept:
    return try_step(<PyObject *>task, exc)


cdef int task_step_in(Task task, PyObject *exc) except -1:
    cdef PyObject *result = NULL
    cdef PyObject *coro
    cdef PySendResult status
    cdef int went
    cdef object made = None
    if task.state != PENDING:
        raise InvalidStateError(f"__step(): already done: {task!r}, {<object>exc if exc != NULL else None!r}" if since_312
                                else f"_step(): already done: {task!r} {<object>exc if exc != NULL else None!r}")
    if task.must_cancel:
        if exc == NULL or not isinstance(<object>exc, CancelledError):
            made = cancelled_error(task)
            exc = <PyObject *>made
        task.must_cancel = 0
    if task.waiter is not None:
        task.waiter = None
    if task.coro is None:
        raise RuntimeError("uninitialized Task object")
    coro = <PyObject *>task.coro
    if type(<object>coro) is Coroutine:
        went = coroutine_step(coro, Py_None if exc == NULL else NULL, exc, &result)
        status = PYGEN_NEXT if went > 0 else (PYGEN_RETURN if went == 0 else PYGEN_ERROR)
    elif exc == NULL:
        status = PyIter_Send(coro, Py_None, &result)
    else:
        result = PyObject_CallMethodOneArg(coro, <PyObject *>s_throw, exc)
        if result != NULL:
            status = PYGEN_NEXT
        else:
            status = stop_value(&result)
    if status == PYGEN_NEXT:
        value = <object>result
        Py_DECREF(result)
        return wait_for(task, value)
    unlink(&task.link)
    if status == PYGEN_RETURN:
        value = <object>result
        Py_DECREF(result)
        if task.must_cancel:
            # Cancelled right before the coroutine came to its end.
            task.must_cancel = 0
            future_cancel(task, task.cancel_msg)
            return 0
        return future_set_result(task, value)
    return task_failed(task)


cdef PySendResult stop_value(PyObject **result) noexcept:
    """The value of a pending StopIteration."""
    cdef PyObject *raised = k_aio_take()
    if raised != NULL and PyErr_GivenExceptionMatches(raised, PyExc_StopIteration):
        result[0] = <PyObject *>(<object>raised).value
        Py_INCREF(result[0])
        Py_DECREF(raised)
        return PYGEN_RETURN
    k_aio_raise(raised)
    return PYGEN_ERROR


cdef int task_failed(Task task) except -1:
    """The coroutine raised: the task takes the exception over, but not the stop of a run."""
    cdef PyObject *raised = k_aio_take()
    if hooks.stopped():
        k_aio_raise(raised)
        raise_pending()
    if PyErr_GivenExceptionMatches(raised, <PyObject *>CancelledError):
        exc = <object>raised
        Py_DECREF(raised)
        task.log_tb = 0
        if task.state != PENDING:
            return 0
        task.state = CANCELLED
        task.value = exc
        task.cancel_msg = None
        return schedule_callbacks(task)
    exc = <object>raised
    Py_DECREF(raised)
    future_set_exception(task, exc)
    if isinstance(exc, (KeyboardInterrupt, SystemExit)):
        # The loop stops with it.
        k_aio_raise_again(exc)
        raise_pending()
    return 0


cdef int k_aio_raise_again(exc) noexcept:
    Py_INCREF(<PyObject *>exc)
    k_aio_raise(<PyObject *>exc)
    return 0


cdef int wait_for(Task task, value) except -1:
    """What the coroutine gave when it stopped: the future that it waits for, or None."""
    cdef bint done
    if value is None:
        return step_soon(task, NULL)
    if type(value) is Future or type(value) is Task:
        if value is task:
            return fail_soon(task, f"Task cannot await on itself: {task!r}")
        if (<Future>value).loop is not task.loop:
            return fail_soon(task, f"Task {task!r} got Future {value!r} attached to a different loop")
        if not (<Future>value).blocking:
            return fail_soon(task, f"yield was used instead of yield from in task {task!r} with {value!r}")
        (<Future>value).blocking = 0
        add_callback(<Future>value, task, None)
        task.waiter = value
        if task.must_cancel:
            if type(value) is Future:
                done = future_cancel(<Future>value, task.cancel_msg)
            else:
                done = task_cancel(<Task>value, task.cancel_msg)
            if done:
                task.must_cancel = 0
        return 0
    if value is task:
        return fail_soon(task, f"Task cannot await on itself: {task!r}")
    blocking = getattr(value, "_asyncio_future_blocking", None)
    if blocking is not None:
        done = bool(blocking)
        if loop_of(value) is not task.loop:
            return fail_soon(task, f"Task {task!r} got Future {value!r} attached to a different loop")
        if not done:
            return fail_soon(task, f"yield was used instead of yield from in task {task!r} with {value!r}")
        value._asyncio_future_blocking = False
        value.add_done_callback(WakeUp(task), context=task_context(task))
        task.waiter = value
        if task.must_cancel:
            if value.cancel(msg=task.cancel_msg):
                task.must_cancel = 0
        return 0
    if isinstance(value, (types.GeneratorType, Generator)):
        return fail_soon(task, "yield was used instead of yield from for generator in task "
                               f"{task!r} with {value!r}")
    return fail_soon(task, f"Task got bad yield: {value!r}")


cdef int fail_soon(Task task, str message) except -1:
    error = RuntimeError(message)
    return step_soon(task, <PyObject *>error)
