# Futures (part of core.pyx).

@cython.auto_pickle(False)
cdef class Future:
    """This class is *almost* compatible with concurrent.futures.Future.

    Differences:

    - result() and exception() do not take a timeout argument and
      raise an exception when the future isn't done yet.

    - Callbacks registered with add_done_callback() are always called
      via the event loop's call_soon_threadsafe().

    - This class is not compatible with the wait() and as_completed()
      methods in the concurrent.futures package."""
    cdef object loop                # None: not initialized
    cdef object callback0           # first callback; a Task that waits has no context
    cdef object context0
    cdef list callbacks             # further pairs (callback, context), or None
    cdef object value               # result, or exception when failed; the cancelled error when cancelled
    cdef object exception_tb
    cdef object cancel_msg
    cdef object source_tb
    cdef PyObject *attrs            # __dict__ (owned), or NULL; the type's tp_dictoffset points here
    cdef object __weakref__
    cdef uint8_t state, failed, log_tb, blocking
    cdef uint8_t of_host            # what a call of an async function of the host gives: tasks are made of it as of a coroutine

    def __init__(self, *, loop=None):
        future_init(self, loop)

    def __dealloc__(self):
        Py_XDECREF(self.attrs)

    def __del__(self):
        finalize_future(self)

    # ---- results ----
    def result(self):
        """Return the result this future represents.

If the future has been cancelled, raises CancelledError.  If the
future's result isn't yet available, raises InvalidStateError.  If
the future is done and has an exception set, this exception is raised."""
        if self.loop is None:
            raise InvalidStateError("Future object is not initialized.")
        exc = outcome(self)
        if exc is None:
            return self.value
        raise_as_is(exc)

    def exception(self):
        """Return the exception that was set on this future.

The exception (or None if no exception was set) is returned only if
the future is done.  If the future has been cancelled, raises
CancelledError.  If the future isn't done yet, raises
InvalidStateError."""
        if self.loop is None:
            raise InvalidStateError("Future object is not initialized.")
        if self.state == CANCELLED:
            raise_as_is(cancelled_error(self))
        if self.state != FINISHED:
            raise InvalidStateError("Exception is not set.")
        if not self.failed:
            return None
        self.log_tb = 0
        return self.value

    @cython.always_allow_keywords(False)
    def set_result(self, result):
        """Mark the future done and set its result.

If the future is already done when this method is called, raises
InvalidStateError."""
        ensure_alive(self)
        future_set_result(self, result)

    @cython.always_allow_keywords(False)
    def set_exception(self, exception):
        """Mark the future done and set an exception.

If the future is already done when this method is called, raises
InvalidStateError."""
        ensure_alive(self)
        future_set_exception(self, exception)

    def cancel(self, msg=None):
        """Cancel the future and schedule callbacks.

If the future is already done or cancelled, return False.  Otherwise,
change the future's state to cancelled, schedule the callbacks and
return True."""
        ensure_alive(self)
        return future_cancel(self, msg)

    def cancelled(self):
        """Return True if the future was cancelled."""
        return self.state == CANCELLED

    def done(self):
        """Return True if the future is done.

Done means either that a result / exception are available, or that the
future was cancelled."""
        return self.state != PENDING

    def get_loop(self):
        """Return the event loop the Future is bound to."""
        ensure_alive(self)
        return self.loop

    # ---- callbacks ----
    def add_done_callback(self, fn, /, *, context=MISSING):
        """Add a callback to be run when the future becomes done.

The callback is called with a single argument - the future object. If
the future is already done when this is called, the callback is
scheduled with call_soon."""
        if self.loop is None:
            raise RuntimeError("uninitialized Future object")
        add_callback(self, fn, copied_context() if context is MISSING else context)

    @cython.always_allow_keywords(False)
    def remove_done_callback(self, fn):
        """Remove all instances of a callback from the "call when done" list.

Returns the number of callbacks removed."""
        cdef Py_ssize_t removed = 0
        ensure_alive(self)
        if self.callback0 is not None and callback_object(self.callback0, self.context0) == fn:
            self.callback0 = self.context0 = None
            removed = 1
        if self.callbacks is not None:
            kept = []
            i = 0
            while self.callbacks is not None and i < len(self.callbacks):   # a guest's __eq__ may change them
                pair = self.callbacks[i]
                if callback_object(pair[0], pair[1]) == fn:
                    removed += 1
                else:
                    kept.append(pair)
                i += 1
            if self.callbacks is not None:
                self.callbacks = kept or None
        return removed

    # ---- await ----
    def __iter__(self):
        return future_iterator(self)

    def __await__(self):
        return future_iterator(self)

    def _make_cancelled_error(self):
        """Create the CancelledError to raise if the Future is cancelled.

This should only be called once when handling a cancellation since
it erases the context exception value."""
        return cancelled_error(self)

    def __repr__(self):
        if self.loop is None:
            return f"<{type(self).__name__} {STATES[self.state].lower()}>"
        return future_repr(self)

    __class_getitem__ = classmethod(GenericAlias)

    @property
    def _state(self):
        return STATES[self.state]

    @property
    def _asyncio_future_blocking(self):
        return bool(self.blocking)

    @_asyncio_future_blocking.setter
    def _asyncio_future_blocking(self, value):
        ensure_alive(self)
        self.blocking = bool(value)

    @_asyncio_future_blocking.deleter
    def _asyncio_future_blocking(self):
        raise AttributeError("cannot delete attribute")

    @property
    def _loop(self):
        return self.loop

    @property
    def _callbacks(self):
        if self.loop is None or (self.callback0 is None and not self.callbacks):
            return None
        found = []
        if self.callback0 is not None:
            found.append(callback_pair(self, self.callback0, self.context0))
        for callback, context in self.callbacks or ():
            found.append(callback_pair(self, callback, context))
        return found

    @property
    def _result(self):
        return self.value if self.state == FINISHED and not self.failed else None

    @property
    def _exception(self):
        return self.value if self.state == FINISHED and self.failed else None

    @property
    def _source_traceback(self):
        return self.source_tb

    @property
    def _cancel_message(self):
        return self.cancel_msg

    @_cancel_message.setter
    def _cancel_message(self, value):
        self.cancel_msg = value

    @_cancel_message.deleter
    def _cancel_message(self):
        raise AttributeError("cannot delete attribute")

    @property
    def _cancelled_exc(self):
        return self.value if self.state == CANCELLED else None

    @property
    def _log_traceback(self):
        return bool(self.log_tb)

    @_log_traceback.setter
    def _log_traceback(self, value):
        if value:
            raise ValueError("_log_traceback can only be set to False")
        self.log_tb = 0

    @_log_traceback.deleter
    def _log_traceback(self):
        raise AttributeError("cannot delete attribute")


cdef int ensure_alive(Future future) except -1:
    if future.loop is None:
        raise RuntimeError("Future object is not initialized.")
    return 0


cdef int future_init(Future future, loop) except -1:
    future.callback0 = future.context0 = future.callbacks = None
    future.value = future.exception_tb = future.source_tb = future.cancel_msg = None
    future.state = PENDING
    future.failed = future.log_tb = future.blocking = 0
    if loop is None:
        loop = event_loop(current_state())
    future.loop = loop
    if isinstance(loop, LoopCore):
        if not (<LoopCore>loop).fast and loop.get_debug():
            future.source_tb = take_stack()
    elif loop.get_debug():
        future.source_tb = take_stack()
    return 0


cdef object take_stack():
    """Where something was made, for the debug mode."""
    return None if extract_stack is None else extract_stack()


cdef int raise_as_is(exc) except -1:
    """Raises an exception of a future, which becomes its own line of events: the one being handled is its context."""
    PyErr_SetObject(Py_TYPE(<PyObject *>exc), <PyObject *>exc)
    raise_pending()


cdef object outcome(Future future):
    """None when there is a result; otherwise the exception to raise. InvalidStateError while it is pending."""
    if future.state == CANCELLED:
        return cancelled_error(future)
    if future.state != FINISHED:
        raise InvalidStateError("Result is not set.")
    future.log_tb = 0
    if not future.failed:
        return None
    # Each one that it is raised for starts from the traceback that it had when it was set.
    PyException_SetTraceback(<PyObject *>future.value, <PyObject *>future.exception_tb)
    return future.value


cdef object cancelled_error(Future future):
    if future.state == CANCELLED and future.value is not None:
        exc = future.value
        future.value = None
        return exc
    return CancelledError() if future.cancel_msg is None else CancelledError(future.cancel_msg)


cdef int future_set_result(Future future, result) except -1:
    if future.state != PENDING:
        raise InvalidStateError("invalid state")
    future.value = result
    future.state = FINISHED
    return schedule_callbacks(future)


cdef int future_set_exception(Future future, exception) except -1:
    if future.state != PENDING:
        raise InvalidStateError("invalid state")
    exc = exception
    if PyExceptionClass_Check(<PyObject *>exc):
        exc = exception()
        if future.state != PENDING:
            raise InvalidStateError("invalid state")
    if not PyExceptionInstance_Check(<PyObject *>exc):
        raise TypeError("invalid exception object")
    if type(exc) is StopIteration or (since_312 and isinstance(exc, StopIteration)):
        if not since_312:
            raise TypeError("StopIteration interacts badly with generators and cannot be raised into a Future")
        new = RuntimeError("StopIteration interacts badly with generators and cannot be raised into a Future")
        new.__cause__ = exc
        new.__context__ = exc
        exc = new
    future.value = exc
    future.exception_tb = exc.__traceback__
    future.failed = 1
    future.state = FINISHED
    schedule_callbacks(future)
    future.log_tb = 1
    return 0


cdef object future_cancel(Future future, msg):
    future.log_tb = 0
    if future.state != PENDING:
        return False
    future.state = CANCELLED
    future.cancel_msg = msg
    schedule_callbacks(future)
    return True


# ---- callbacks -------------------------------------------------------------------------------
cdef int schedule_callbacks(Future future) except -1:
    callback = future.callback0
    callbacks = future.callbacks
    if callback is not None:
        context = future.context0
        future.callback0 = future.context0 = None
        if callbacks is not None:
            future.callbacks = None
        schedule_callback(future, callback, context)
    elif callbacks is not None:
        future.callbacks = None
    if callbacks is not None:
        for callback, context in callbacks:
            schedule_callback(future, callback, context)
    return 0


cdef inline int schedule_callback(Future future, callback, context) except -1:
    loop = future.loop
    if isinstance(loop, LoopCore) and (<LoopCore>loop).fast:
        if (<LoopCore>loop).closed:
            raise RuntimeError("Event loop is closed")
        return push(<LoopCore>loop, callback, <PyObject *>future, NULL if context is None else <PyObject *>context)
    if context is None:
        loop.call_soon(WakeUp(callback), future, context=shown_context((<Task>callback).context))
    else:
        loop.call_soon(callback, future, context=shown_context(context))
    return 0


cdef int add_callback(Future future, callback, context) except -1:
    """context is None for a task that waits."""
    if future.state != PENDING:
        return schedule_callback(future, callback, context)
    if future.callback0 is None and future.callbacks is None:
        future.callback0 = callback
        future.context0 = context
    elif future.callbacks is None:
        future.callbacks = [(callback, context)]
    else:
        future.callbacks.append((callback, context))
    return 0


cdef object callback_object(callback, context):
    return WakeUp(callback) if context is None else callback


cdef object callback_pair(Future future, callback, context):
    if context is None:
        return WakeUp(callback), shown_context((<Task>callback).context)
    return callback, shown_context(context)


@cython.final
@cython.auto_pickle(False)
cdef class WakeUp:
    """The callback by which a task goes on, for those who look at the callbacks of a future or at a handle."""
    cdef Task task

    def __cinit__(self, Task task not None):
        self.task = task

    @cython.always_allow_keywords(False)
    def __call__(self, future):
        task_wakeup(self.task, future)

    @property
    def __self__(self):
        return self.task

    @property
    def __name__(self):
        return "task_wakeup"

    @property
    def __qualname__(self):
        return f"{type(self.task).__qualname__}.task_wakeup"

    def __eq__(self, other):
        return type(other) is WakeUp and (<WakeUp>other).task is self.task

    def __hash__(self):
        return hash(id(self.task))

    def __repr__(self):
        return f"<built-in method task_wakeup of {type(self.task).__module__}.{type(self.task).__qualname__} object at " \
               f"{<size_t><PyObject *>self.task:#x}>"


# ---- await -----------------------------------------------------------------------------------
@cython.final
@cython.auto_pickle(False)
@cython.freelist(64)
cdef class FutureIter:
    """What ``await future`` goes through: gives the future once, then its result."""
    cdef Future future
    cdef object __weakref__

    def __iter__(self):
        return self

    def __next__(self):
        cdef PyObject *result = NULL
        cdef PySendResult status = iterator_send(<PyObject *>self, Py_None, &result)
        if status == PYGEN_NEXT:
            return take(result)
        if status == PYGEN_RETURN:
            raise_stop(take(result))
        raise_pending()

    @cython.always_allow_keywords(False)
    def send(self, value):
        """send(value) -> resumes the future; what it yields or raises."""
        return self.__next__()

    def throw(self, type, value=None, traceback=None):
        """throw(type[, value[, traceback]]) -> raises the exception, or lets the future be cancelled by it."""
        exc = type
        if PyExceptionClass_Check(<PyObject *>exc):
            if value is None:
                exc = type()
            elif isinstance(value, type):
                exc = value
            else:
                exc = type(*value) if isinstance(value, tuple) else type(value)
        elif not PyExceptionInstance_Check(<PyObject *>exc):
            raise TypeError("exceptions must be classes deriving BaseException or instances of such a class")
        elif value is not None:
            raise TypeError("instance exception may not have a separate value")
        if traceback is not None:
            if not isinstance(traceback, types.TracebackType):
                raise TypeError("throw() third argument must be a traceback")
            exc.__traceback__ = traceback
        self.future = None
        raise_as_is(exc)

    def close(self):
        """Forget the future."""
        self.future = None


cdef int raise_stop(value) except -1:
    exc = StopIteration(value)
    PyErr_SetObject(PyExc_StopIteration, <PyObject *>exc)
    raise_pending()


cdef object future_iterator(Future future):
    cdef FutureIter found
    ensure_alive(future)
    found = FutureIter.__new__(FutureIter)
    found.future = future
    return found


cdef object await_result(Future future):
    exc = outcome(future)
    if exc is None:
        return future.value
    raise_as_is(exc)


ctypedef PyObject *(*raw1)(PyObject *) noexcept
cdef raw1 try_await_result = <raw1><void *>await_result


cdef PySendResult iterator_send(PyObject *o, PyObject *value, PyObject **result) noexcept:
    """am_send: the way of ``await`` without an exception for the end."""
    cdef PyObject *future = <PyObject *>(<FutureIter>o).future
    result[0] = NULL
    if future == Py_None:
        Py_INCREF(Py_None)
        result[0] = Py_None
        return PYGEN_RETURN
    if (<Future>future).state == PENDING:
        if not (<Future>future).blocking:
            (<Future>future).blocking = 1
            Py_INCREF(future)
            result[0] = future
            return PYGEN_NEXT
        set_runtime_error("await wasn't used with future")
        return PYGEN_ERROR
    Py_INCREF(future)
    (<FutureIter>o).future = None
    if (<Future>future).state == FINISHED and not (<Future>future).failed:
        result[0] = <PyObject *>(<Future>future).value
        Py_INCREF(result[0])
        (<Future>future).log_tb = 0
    else:
        result[0] = try_await_result(future)
    Py_DECREF(future)
    return PYGEN_RETURN if result[0] != NULL else PYGEN_ERROR


cdef int set_runtime_error(str message) noexcept:
    PyErr_SetObject(<PyObject *>RuntimeError, <PyObject *>message)
    return -1


# ---- the end ---------------------------------------------------------------------------------
cdef int finalize_future(Future future) except -1:
    """Tells the loop's exception handler of an exception that nobody asked for."""
    if not future.log_tb:
        return 0
    future.log_tb = 0
    details = {"message": f"{type(future).__name__} exception was never retrieved", "exception": future.value,
               "future": future}
    if future.source_tb:
        details["source_traceback"] = future.source_tb
    return tell_loop(future, details)


cdef int tell_loop(Future future, dict details) except -1:
    cdef PyObject *raised
    handler = None
    if hooks.stopped() or not hooks.running():
        return 0                            # what a run leaves behind is no error of the guest's
    if isinstance(future.loop, LoopCore) and (<LoopCore>future.loop).state is not current_state():
        return 0                            # nor of another guest that runs now
    raised = k_aio_take()
    try:
        handler = future.loop.call_exception_handler
        handler(details)
    except BaseException as error:          # nobody is there to catch it
        report_error(error, handler if handler is not None else future.loop)
    if raised != NULL:
        k_aio_raise(raised)
        # Cython's __del__ wrapper gives nothing back: a pending exception stays as it was.
    return 0


cdef int report_error(error, where) except -1:
    report_unraisable(<PyObject *>error, <PyObject *>where)
    return 0
