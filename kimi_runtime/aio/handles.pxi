# What call_soon and call_later give, and the heap of timers (part of core.pyx).

@cython.auto_pickle(False)
cdef class Handle:
    """Object returned by callback registration methods."""
    cdef public object _callback, _args, _loop, _source_traceback, _repr
    cdef object context
    cdef public bint _cancelled
    cdef object __weakref__

    def __init__(self, callback, args, loop, context=None):
        self.context = copied_context() if context is None else context
        self._loop = loop
        self._callback = callback
        self._args = args
        self._cancelled = False
        self._repr = None
        if loop is not None and loop.get_debug():
            self._source_traceback = take_stack()

    def _repr_info(self):
        info = [type(self).__name__]
        if self._cancelled:
            info.append("cancelled")
        if self._callback is not None:
            info.append(source_of(self._callback, self._args))
        if self._source_traceback:
            frame = self._source_traceback[-1]
            info.append(f"created at {frame[0]}:{frame[1]}")
        return info

    def __repr__(self):
        if self._repr is not None:
            return self._repr
        return f"<{' '.join(self._repr_info())}>"

    @property
    def _context(self):
        self.context = shown_context(self.context)
        return self.context

    def get_context(self):
        """Return the context that the callback runs in."""
        return self._context

    def cancel(self):
        """Cancel the callback.  If the callback has already been canceled or executed, this method has no effect."""
        handle_cancel(self)

    def cancelled(self):
        """Return True if the callback was cancelled."""
        return self._cancelled

    def _run(self):
        run_handle(self._loop, self)


@cython.auto_pickle(False)
cdef class TimerHandle(Handle):
    """Object returned by timed callback registration methods."""
    cdef double at
    cdef object given               # the time as it was passed, when it is no float
    cdef public bint _scheduled

    def __init__(self, when, callback, args, loop, context=None):
        Handle.__init__(self, callback, args, loop, context)
        self.at = when
        self.given = when
        self._scheduled = False

    @property
    def _when(self):
        return self.at if self.given is None else self.given

    def _repr_info(self):
        info = Handle._repr_info(self)
        info.insert(2 if self._cancelled else 1, f"when={self._when}")
        return info

    def __hash__(self):
        return hash(self._when)

    def __lt__(self, other):
        if isinstance(other, TimerHandle):
            return self.at < (<TimerHandle>other).at
        return NotImplemented

    def __le__(self, other):
        if isinstance(other, TimerHandle):
            return self.at < (<TimerHandle>other).at or self == other
        return NotImplemented

    def __gt__(self, other):
        if isinstance(other, TimerHandle):
            return self.at > (<TimerHandle>other).at
        return NotImplemented

    def __ge__(self, other):
        if isinstance(other, TimerHandle):
            return self.at > (<TimerHandle>other).at or self == other
        return NotImplemented

    def __eq__(self, other):
        cdef TimerHandle timer
        if isinstance(other, TimerHandle):
            timer = other
            return (self.at == timer.at and self._callback == timer._callback and self._args == timer._args
                    and self._cancelled == timer._cancelled)
        return NotImplemented

    def cancel(self):
        """Cancel the callback."""
        if not self._cancelled:
            timer_cancelled(self._loop, self)
        handle_cancel(self)

    def when(self):
        """Return a scheduled callback time.

The time is an absolute timestamp, using the same time
reference as loop.time()."""
        return self._when


cdef int handle_cancel(Handle handle) except -1:
    if handle._cancelled:
        return 0
    handle._cancelled = True
    if handle._loop is not None and handle._loop.get_debug():
        # The representation is kept, since the callback is dropped.
        handle._repr = repr(handle)
    handle._callback = None
    handle._args = None
    return 0


cdef int timer_cancelled(loop, TimerHandle timer) except -1:
    if isinstance(loop, LoopCore):
        if timer._scheduled:
            (<LoopCore>loop).cancelled_timers += 1
    elif loop is not None:
        loop._timer_handle_cancelled(timer)
    return 0


cdef object source_of(callback, args):
    """A callback with its arguments and its place, as text."""
    return repr(callback) if callback_source is None else callback_source(callback, args)


# ---- running a callback ----------------------------------------------------------------------
cdef int run_handle(loop, Handle handle) except -1:
    """Runs a callback. Raises only KeyboardInterrupt, SystemExit and the stop of a run; the rest goes to the loop's exception handler."""
    cdef PyObject *result = NULL
    callback = handle._callback
    args = handle._args
    context = handle.context
    inner = <object>inner_context(<PyObject *>context)
    if type(args) is not tuple:
        args = tuple(args)
    if PyContext_CheckExact(<PyObject *>inner):
        if PyContext_Enter(<PyObject *>inner) == 0:
            result = PyObject_Call(<PyObject *>callback, <PyObject *>args, NULL)
            if leave_context(<PyObject *>inner) < 0 and result != NULL:
                Py_DECREF(result)
                result = NULL
    else:
        # Any object with a method `run` will do.
        result = call_in(context, callback, args)
    if result != NULL:
        Py_DECREF(result)
        return 0
    return report_callback(loop, callback, args, context, handle)


cdef int leave_context(PyObject *context) noexcept:
    """PyContext_Exit that keeps a pending exception; -1 with an exception."""
    cdef PyObject *raised
    cdef int status
    if PyErr_Occurred() == NULL:
        return PyContext_Exit(context)
    raised = k_aio_take()
    status = PyContext_Exit(context)
    if status == 0:
        k_aio_raise(raised)
        return -1
    Py_DECREF(raised)
    return -1


cdef object run_in_context(context, callback, args):
    return context.run(callback, *args)


ctypedef PyObject *(*raw3)(PyObject *, PyObject *, PyObject *) noexcept
cdef raw3 try_run_in_context = <raw3><void *>run_in_context


cdef PyObject *call_in(context, callback, args) noexcept:
    return try_run_in_context(<PyObject *>context, <PyObject *>callback, <PyObject *>args)


cdef int report_callback(loop, callback, args, context, Handle handle) except -1:
    """Hands the pending exception of a callback to the loop's exception handler."""
    cdef PyObject *raised = k_aio_take()
    if PyErr_GivenExceptionMatches(raised, PyExc_KeyboardInterrupt) \
            or PyErr_GivenExceptionMatches(raised, PyExc_SystemExit) or hooks.stopped():
        k_aio_raise(raised)
        raise_pending()
    exc = <object>raised
    Py_DECREF(raised)
    if handle is None:
        handle = new_handle(callback, args, loop, context)
    details = {"message": f"Exception in callback {source_of(callback, args)}", "exception": exc, "handle": handle}
    if handle._source_traceback:
        details["source_traceback"] = handle._source_traceback
    loop.call_exception_handler(details)
    return 0


cdef Handle new_handle(callback, args, loop, context):
    cdef Handle handle = Handle.__new__(Handle)
    handle._callback = callback
    handle._args = args
    handle._loop = loop
    handle.context = context
    return handle


# ---- the timer heap --------------------------------------------------------------------------
# The steps are those of heapq, so that timers of one time come out in CPython's order.
cdef inline double at(list heap, Py_ssize_t i) noexcept:
    return (<TimerHandle>PyList_GET_ITEM(<PyObject *>heap, i)).at


cdef inline void swap(list heap, Py_ssize_t i, Py_ssize_t j) noexcept:
    cdef PyObject *items = <PyObject *>heap
    cdef PyObject *first = PyList_GET_ITEM(items, i)
    PyList_SET_ITEM(items, i, PyList_GET_ITEM(items, j))
    PyList_SET_ITEM(items, j, first)


cdef void towards_root(list heap, Py_ssize_t start, Py_ssize_t pos) noexcept:
    """Moves the last item up to its place."""
    cdef Py_ssize_t parent
    while pos > start:
        parent = (pos - 1) >> 1
        if not at(heap, pos) < at(heap, parent):
            break
        swap(heap, pos, parent)
        pos = parent


cdef void towards_leaf(list heap, Py_ssize_t pos) noexcept:
    """Moves an item down to a leaf along the smaller children, then up to its place."""
    cdef Py_ssize_t end = len(heap)
    cdef Py_ssize_t start = pos
    cdef Py_ssize_t limit = end >> 1
    cdef Py_ssize_t child
    while pos < limit:
        child = 2 * pos + 1
        if child + 1 < end and not at(heap, child) < at(heap, child + 1):
            child += 1
        swap(heap, pos, child)
        pos = child
    towards_root(heap, start, pos)


cdef int heap_push(list heap, TimerHandle timer) except -1:
    heap.append(timer)
    towards_root(heap, 0, len(heap) - 1)
    return 0


cdef TimerHandle heap_pop(list heap):
    last = heap.pop()
    if not heap:
        return last
    first = heap[0]
    heap[0] = last
    towards_leaf(heap, 0)
    return first


cdef int heapify(list heap) except -1:
    cdef Py_ssize_t i
    for i in range((len(heap) >> 1) - 1, -1, -1):
        towards_leaf(heap, i)
    return 0
