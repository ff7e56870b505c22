# Asynchronous generators and what their methods return (part of function.pyx).
#
# An awaitable of an asynchronous generator is stepped in the manner of hooks.resume: what it yielded, or NULL with
# *result (it returned), or NULL alone (an exception is set). Only the Python methods make StopIteration of that.
# `await` takes an AsyncGenerator itself for its own asend(None), started: that is how `async for` does without AsyncSend.

cdef bint CLOSES_INNER = PY_VERSION_HEX >= 0x030D0000       # closing an awaitable closes what the generator waits for


@cython.final
@cython.auto_pickle(False)
cdef class AsyncGenerator:
    """A suspended or finished call of an asynchronous generator function."""

    def __aiter__(self):
        return self

    def __anext__(self):
        return async_send(self, None)

    @cython.always_allow_keywords(False)
    def asend(self, value):
        """asend(v) -> send 'v' in generator."""
        return async_send(self, value)

    def athrow(self, *args):
        """athrow(value)
athrow(type[,value[,tb]])

raise exception in generator.
the (type, val, tb) signature is deprecated,
and may be removed in a future version of Python."""
        if len(args) > 1 and PY_VERSION_HEX >= 0x030C0000:
            PyErr_WarnEx(PyExc_DeprecationWarning, b"the (type, exc, tb) signature of athrow() is deprecated, "
                         b"use the single-arg signature instead.", 1)
        return async_throw(self, args)

    @cython.always_allow_keywords(False)
    def aclose(self):
        """aclose() -> raise GeneratorExit inside generator."""
        return async_throw(self, None)

    @property
    def ag_running(self):
        return <bint>self.iterating

    @property
    def ag_code(self):
        return self.code

    @property
    def ag_frame(self):
        if self.state == GEN_DONE:
            return None
        return GeneratorFrame(self)

    @property
    def ag_await(self):
        return delegate_of(<PyObject *>self)

    @classmethod
    def __class_getitem__(cls, item):
        return types.GenericAlias(cls, item)

    @property
    def __name__(self):
        """name of the async generator"""
        return self.name

    @__name__.setter
    def __name__(self, value):
        self.name = checked_name(value, "__name__")

    @__name__.deleter
    def __name__(self):
        checked_name(None, "__name__")

    @property
    def __qualname__(self):
        """qualified name of the async generator"""
        return self.qualname

    @__qualname__.setter
    def __qualname__(self, value):
        self.qualname = checked_name(value, "__qualname__")

    @__qualname__.deleter
    def __qualname__(self):
        checked_name(None, "__qualname__")

    @property
    def __class__(self):
        # For the host's inspect.isasyncgen and friends; a guest sees what we are.
        return AsyncGenerator if guest_runs() else types.AsyncGeneratorType

    def __del__(self):          # for its slot wrapper; the slot itself is replaced
        generator_finalize(<PyObject *>self)

    def __repr__(self):
        return f"<async_generator object {self.qualname} at {<size_t><PyObject *>self:#x}>"


cdef int start_async_generator(PyObject *gen) noexcept:
    cdef PyObject *firstiter = NULL
    cdef PyObject *finalizer = NULL
    cdef PyObject *done
    if (<AsyncGenerator>gen).hooked:
        return 0
    (<AsyncGenerator>gen).hooked = 1
    if guest_async_hooks == NULL or not guest_async_hooks(&firstiter, &finalizer):
        return try_host_hooks(gen)
    if finalizer != NULL:
        Py_INCREF(finalizer)
        (<AsyncGenerator>gen).extra = finalizer
    if firstiter != NULL:
        Py_INCREF(firstiter)
        done = PyObject_CallOneArg(firstiter, gen)
        Py_DECREF(firstiter)
        if done == NULL:
            return -1
        Py_DECREF(done)
    return 0


cdef int host_hooks(AsyncGenerator gen) except -1:
    """Asynchronous generators that code of the host iterates belong to the host's event loop."""
    found = sys.get_asyncgen_hooks()
    if found.finalizer is not None:
        finalizer = found.finalizer
        Py_INCREF(<PyObject *>finalizer)
        gen.extra = <PyObject *>finalizer
    if found.firstiter is not None:
        found.firstiter(gen)
    return 0


ctypedef int (*raw_status)(PyObject *) noexcept
cdef raw_status try_host_hooks = <raw_status><void *>host_hooks


cdef int async_generator_ended(PyObject *gen) noexcept:
    if PyErr_Occurred() == NULL:
        PyErr_SetNone(PyExc_StopAsyncIteration)
    if PyErr_ExceptionMatches(PyExc_StopAsyncIteration) or PyErr_ExceptionMatches(PyExc_GeneratorExit):
        (<AsyncGenerator>gen).closed = 1
    (<AsyncGenerator>gen).iterating = 0
    return -1


cdef PyObject *async_generator_item(PyObject *gen, PyObject *item, PyObject **result) noexcept:
    """The outcome of an asend or athrow from that of generator_resume: a yield of the generator itself is its result."""
    if item != NULL:
        if not (<AsyncGenerator>gen).yielded:
            return item
        (<AsyncGenerator>gen).yielded = 0
        (<AsyncGenerator>gen).iterating = 0
        result[0] = item
        return NULL
    if result[0] != NULL:
        Py_DECREF(result[0])
        result[0] = NULL
    async_generator_ended(gen)
    return NULL


cdef AsyncSend new_async_send(AsyncGenerator gen, value, uint8_t state):
    cdef AsyncSend made = <AsyncSend>allocate_send(get_slots(AsyncSend), empty_args, NULL)
    made.generator = gen
    made.value = value
    made.state = state
    return made


cdef AsyncSend async_send(AsyncGenerator gen, value):
    if start_async_generator(<PyObject *>gen) < 0:
        raise_current()
    return new_async_send(gen, value, AWAITABLE_NEW)


cdef AsyncThrow async_throw(AsyncGenerator gen, tuple arguments):
    cdef AsyncThrow made
    if start_async_generator(<PyObject *>gen) < 0:
        raise_current()
    made = <AsyncThrow>allocate_throw(get_slots(AsyncThrow), empty_args, NULL)
    made.generator = gen
    made.arguments = arguments
    made.state = AWAITABLE_NEW
    return made


# ---- __anext__() and asend() -------------------------------------------------------------------
@cython.final
@cython.auto_pickle(False)
@cython.freelist(16)
cdef class AsyncSend:
    """What ``__anext__`` and ``asend`` of an asynchronous generator return."""

    def __await__(self):
        return self

    def __iter__(self):
        return self

    def __next__(self):
        return step_result(async_send_step, <PyObject *>self, Py_None, NULL)

    @cython.always_allow_keywords(False)
    def send(self, value):
        return step_result(async_send_step, <PyObject *>self, <PyObject *>value, NULL)

    def throw(self, *args):
        return step_throw(async_send_step, <PyObject *>self, args)

    @cython.always_allow_keywords(False)
    def close(self):
        return close_awaitable(async_send_step, <PyObject *>self, &self.state)


ctypedef PyObject *(*step_function)(PyObject *, PyObject *, PyObject *, PyObject **) noexcept


cdef object step_result(step_function step, PyObject *o, PyObject *value, PyObject *exc):
    cdef PyObject *result = NULL
    cdef PyObject *item = step(o, value, exc, &result)
    if item == NULL and result != NULL:
        set_stop_iteration(result)
        Py_DECREF(result)
    return take(item)


cdef object step_throw(step_function step, PyObject *o, tuple args):
    global thrown_exception, thrown_arguments
    cdef PyObject *previous_exception = thrown_exception
    cdef PyObject *previous_arguments = thrown_arguments
    exc = checked_exception(args, "throw")
    thrown_exception = <PyObject *>exc
    thrown_arguments = <PyObject *>args
    try:
        return step_result(step, o, NULL, <PyObject *>exc)
    finally:
        thrown_exception = previous_exception
        thrown_arguments = previous_arguments


cdef object close_awaitable(step_function step, PyObject *o, uint8_t *state):
    cdef PyObject *result = NULL
    cdef PyObject *item
    if not CLOSES_INNER or state[0] == AWAITABLE_CLOSED:
        state[0] = AWAITABLE_CLOSED
        return None
    exc = GeneratorExit()
    item = step(o, NULL, <PyObject *>exc, &result)
    if item != NULL:
        Py_DECREF(item)
        raise RuntimeError("coroutine ignored GeneratorExit")
    if result != NULL:
        Py_DECREF(result)
        return None
    if PyErr_ExceptionMatches(PyExc_StopIteration) or PyErr_ExceptionMatches(PyExc_StopAsyncIteration) \
            or PyErr_ExceptionMatches(PyExc_GeneratorExit):
        PyErr_Clear()
        return None
    raise_current()


cdef object close_step(PyObject *gen):
    """Closes what `async for` waits for: the asend(None) of the generator, under way."""
    cdef uint8_t state = AWAITABLE_STARTED
    cdef AsyncSend step
    if CLOSES_INNER:
        step = new_async_send(<AsyncGenerator>gen, None, AWAITABLE_STARTED)
        close_awaitable(async_send_step, <PyObject *>step, &step.state)
    return None


cdef PyObject *async_send_step(PyObject *o, PyObject *value, PyObject *exc, PyObject **result) noexcept:
    cdef PyObject *gen = <PyObject *>(<AsyncSend>o).generator
    cdef PyObject *item
    result[0] = NULL
    if (<AsyncSend>o).state == AWAITABLE_CLOSED:
        PyErr_SetString(PyExc_RuntimeError, b"cannot reuse already awaited __anext__()/asend()")
        return NULL
    if (<AsyncSend>o).state == AWAITABLE_NEW and (exc == NULL or CLOSES_INNER):
        if (<AsyncGenerator>gen).iterating:
            if CLOSES_INNER:
                (<AsyncSend>o).state = AWAITABLE_CLOSED
            PyErr_SetString(PyExc_RuntimeError, b"anext(): asynchronous generator is already running")
            return NULL
        if value == Py_None:
            value = <PyObject *>(<AsyncSend>o).value
        (<AsyncSend>o).state = AWAITABLE_STARTED
        (<AsyncGenerator>gen).iterating = 1
    elif exc == NULL:
        (<AsyncGenerator>gen).iterating = 1
    item = generator_resume(<Generator>gen, value, exc, 1, result)
    item = async_generator_item(gen, item, result)
    if item == NULL:
        (<AsyncSend>o).state = AWAITABLE_CLOSED
    return item


# ---- athrow() and aclose() ---------------------------------------------------------------------
@cython.final
@cython.auto_pickle(False)
cdef class AsyncThrow:
    """What ``athrow`` and ``aclose`` of an asynchronous generator return."""

    def __await__(self):
        return self

    def __iter__(self):
        return self

    def __next__(self):
        return step_result(async_throw_step, <PyObject *>self, Py_None, NULL)

    @cython.always_allow_keywords(False)
    def send(self, value):
        return step_result(async_throw_step, <PyObject *>self, <PyObject *>value, NULL)

    def throw(self, *args):
        return step_throw(async_throw_step, <PyObject *>self, args)

    @cython.always_allow_keywords(False)
    def close(self):
        return close_awaitable(async_throw_step, <PyObject *>self, &self.state)


cdef int already_running(PyObject *o) noexcept:
    (<AsyncThrow>o).state = AWAITABLE_CLOSED
    if (<AsyncThrow>o).arguments is None:
        PyErr_SetString(PyExc_RuntimeError, b"aclose(): asynchronous generator is already running")
    else:
        PyErr_SetString(PyExc_RuntimeError, b"athrow(): asynchronous generator is already running")
    return -1


cdef PyObject *first_exception(PyObject *o) noexcept:
    """What an athrow or aclose throws: new reference; NULL with TypeError."""
    return raw_exception(<PyObject *>(<AsyncThrow>o).arguments)


cdef object exception_of_throw(arguments):
    if arguments is None:
        return GeneratorExit()
    if not arguments:
        raise TypeError("athrow expected at least 1 argument, got 0")
    if len(<tuple>arguments) > 3:
        raise TypeError(f"athrow expected at most 3 arguments, got {len(<tuple>arguments)}")
    return exception_to_throw(<tuple>arguments)


cdef raw1 raw_exception = <raw1><void *>exception_of_throw


cdef PyObject *async_throw_step(PyObject *o, PyObject *value, PyObject *exc, PyObject **result) noexcept:
    cdef PyObject *gen = <PyObject *>(<AsyncThrow>o).generator
    cdef bint closing = (<AsyncThrow>o).arguments is None
    cdef bint begins = (<AsyncThrow>o).state == AWAITABLE_NEW
    cdef PyObject *item
    cdef PyObject *thrown = NULL
    result[0] = NULL
    if (<AsyncThrow>o).state == AWAITABLE_CLOSED:
        PyErr_SetString(PyExc_RuntimeError, b"cannot reuse already awaited aclose()/athrow()")
        return NULL
    if exc == NULL and (<AsyncGenerator>gen).state == GEN_DONE:
        (<AsyncThrow>o).state = AWAITABLE_CLOSED
        return returned_none(result)
    if begins and (exc == NULL or CLOSES_INNER):
        if (<AsyncGenerator>gen).iterating:
            already_running(o)
            return NULL
        if exc == NULL and (<AsyncGenerator>gen).closed:
            (<AsyncThrow>o).state = AWAITABLE_CLOSED
            PyErr_SetNone(PyExc_StopAsyncIteration)
            return NULL
        if exc == NULL and value != Py_None:
            PyErr_SetString(PyExc_RuntimeError, b"can't send non-None value to a just-started coroutine")
            return NULL
        (<AsyncThrow>o).state = AWAITABLE_STARTED
        (<AsyncGenerator>gen).iterating = 1
    if exc == NULL and begins:
        if closing:
            (<AsyncGenerator>gen).closed = 1
        thrown = first_exception(o)
        if thrown == NULL:
            item = NULL
        else:
            # A GeneratorExit goes into what the generator waits for, as any exception does.
            item = generator_resume(<Generator>gen, NULL, thrown, 0, result)
            Py_DECREF(thrown)
    else:
        item = generator_resume(<Generator>gen, value, exc, 1, result)
    if closing:
        return async_close_item(o, item, exc != NULL, result)
    item = async_generator_item(gen, item, result)
    if item == NULL and (begins if exc == NULL else CLOSES_INNER):
        (<AsyncThrow>o).state = AWAITABLE_CLOSED
    return item


cdef PyObject *async_close_item(PyObject *o, PyObject *item, bint thrown, PyObject **result) noexcept:
    """The outcome of a step of aclose from that of generator_resume; thrown: an exception went into the awaitable."""
    cdef PyObject *gen = <PyObject *>(<AsyncThrow>o).generator
    if item != NULL:
        if not (<AsyncGenerator>gen).yielded:
            return item
        (<AsyncGenerator>gen).yielded = 0
        (<AsyncGenerator>gen).iterating = 0
        (<AsyncThrow>o).state = AWAITABLE_CLOSED
        Py_DECREF(item)
        PyErr_SetString(PyExc_RuntimeError, b"async generator ignored GeneratorExit")
        return NULL
    if result[0] != NULL:
        Py_DECREF(result[0])
        result[0] = NULL
        PyErr_SetNone(PyExc_StopAsyncIteration)
    if not thrown or CLOSES_INNER:
        (<AsyncThrow>o).state = AWAITABLE_CLOSED
        (<AsyncGenerator>gen).iterating = 0
    if PyErr_ExceptionMatches(PyExc_StopAsyncIteration) or PyErr_ExceptionMatches(PyExc_GeneratorExit):
        PyErr_Clear()
        return returned_none(result)
    return NULL


cdef PyObject *returned_none(PyObject **result) noexcept:
    Py_INCREF(Py_None)
    result[0] = Py_None
    return NULL


cdef PySendResult send_result(PyObject *item, PyObject **result) noexcept:
    cdef PyObject *stop
    if item != NULL:
        result[0] = item
        return PYGEN_NEXT
    if result[0] == NULL and PyErr_ExceptionMatches(PyExc_StopIteration):
        # Thrown into a generator that had not started: to an await it is the end like any other.
        stop = k_take_raised()
        result[0] = raw_stop_value(stop)
        Py_DECREF(stop)
    return PYGEN_RETURN if result[0] != NULL else PYGEN_ERROR


cdef PySendResult async_send_am_send(PyObject *o, PyObject *value, PyObject **result) noexcept:
    return send_result(async_send_step(o, value, NULL, result), result)


cdef PySendResult async_throw_am_send(PyObject *o, PyObject *value, PyObject **result) noexcept:
    return send_result(async_throw_step(o, value, NULL, result), result)


# ---- for snapshots -----------------------------------------------------------------------------
def awaitable_parts(o):
    """The kind and the parts of what methods of coroutines and asynchronous generators return; None for anything else."""
    if type(o) is AsyncSend:
        return "asend", (<AsyncSend>o).generator, (<AsyncSend>o).value, <int>(<AsyncSend>o).state
    if type(o) is AsyncThrow:
        return "athrow", (<AsyncThrow>o).generator, (<AsyncThrow>o).arguments, <int>(<AsyncThrow>o).state
    if type(o) is CoroutineWrapper:
        return "await", (<CoroutineWrapper>o).coroutine, None, 0
    return None


def make_awaitable(kind, generator, value, int state):
    """The same the other way. ValueError, TypeError: the parts do not fit."""
    cdef AsyncThrow throw
    cdef CoroutineWrapper wrapper
    if state < AWAITABLE_NEW or state > AWAITABLE_CLOSED:
        raise ValueError("an awaitable in no state")
    if kind == "asend":
        return new_async_send(<AsyncGenerator?>generator, value, state)
    if kind == "athrow":
        throw = <AsyncThrow>allocate_throw(get_slots(AsyncThrow), empty_args, NULL)
        throw.generator = <AsyncGenerator?>generator
        throw.arguments = None if value is None else <tuple?>value
        throw.state = state
        return throw
    wrapper = <CoroutineWrapper>allocate_wrapper(get_slots(CoroutineWrapper), empty_args, NULL)
    wrapper.coroutine = <Coroutine?>generator
    return wrapper
