# Coroutines (part of function.pyx): what `async def` makes, and what `await` needs of any awaitable.

@cython.final
@cython.auto_pickle(False)
cdef class Coroutine:
    """A suspended or finished call of an ``async def`` function."""

    @cython.always_allow_keywords(False)
    def send(self, value):
        """send(arg) -> send 'arg' into coroutine,
return next yielded value or raise StopIteration."""
        return generator_result(<Generator><object>self, <PyObject *>value, NULL)

    def throw(self, *args):
        """throw(value)
throw(type[,value[,traceback]])

Raise exception in coroutine, return next iterated value or raise
StopIteration.
the (type, val, tb) signature is deprecated,
and may be removed in a future version of Python."""
        return throw_into(<Generator><object>self, args)

    @cython.always_allow_keywords(False)
    def close(self):
        """close() -> raise GeneratorExit inside coroutine."""
        return generator_close(<Generator><object>self)

    def __await__(self):
        cdef CoroutineWrapper wrapper = <CoroutineWrapper>allocate_wrapper(
            get_slots(CoroutineWrapper), empty_args, NULL)
        wrapper.coroutine = self
        return wrapper

    @property
    def cr_running(self):
        return self.state == GEN_RUNNING

    @property
    def cr_suspended(self):
        return self.state == GEN_SUSPENDED

    @property
    def cr_code(self):
        return self.code

    @property
    def cr_frame(self):
        if self.state == GEN_DONE:
            return None
        return GeneratorFrame(self)

    @property
    def cr_await(self):
        return delegate_of(<PyObject *>self)

    @property
    def cr_origin(self):
        return None if self.extra == NULL else <object>self.extra

    @property
    def __name__(self):
        """name of the coroutine"""
        return self.name

    @__name__.setter
    def __name__(self, value):
        self.name = checked_name(value, "__name__")

    @__name__.deleter
    def __name__(self):
        checked_name(None, "__name__")

    @property
    def __qualname__(self):
        """qualified name of the coroutine"""
        return self.qualname

    @__qualname__.setter
    def __qualname__(self, value):
        self.qualname = checked_name(value, "__qualname__")

    @__qualname__.deleter
    def __qualname__(self):
        checked_name(None, "__qualname__")

    @property
    def __class__(self):
        # For the host's inspect.iscoroutine and friends; a guest sees what we are.
        return Coroutine if guest_runs() else types.CoroutineType

    def __del__(self):          # for its slot wrapper; the slot itself is replaced
        generator_finalize(<PyObject *>self)

    def __repr__(self):
        return f"<coroutine object {self.qualname} at {<size_t><PyObject *>self:#x}>"


cdef object delegate_of(PyObject *o):
    """What a suspended generator or coroutine waits for, or None."""
    cdef PyObject *delegate = (<Generator>o).delegate
    if (<Generator>o).state != GEN_SUSPENDED or delegate == NULL:
        return None
    if <PyObject *>Py_TYPE(delegate) == <PyObject *>AsyncGenerator:
        return new_async_send(<AsyncGenerator>delegate, None, AWAITABLE_STARTED)
    return <object>delegate


cdef int note_origin(Coroutine coro) except -1:
    """cr_origin: who made the coroutine, the innermost call first."""
    cdef list found = []
    cdef PyObject *function
    cdef int depth, line
    for depth in range(origin_depth()):
        line = hooks.frame_line(depth, &function)
        if function == NULL:
            break
        found.append(((<Function>function).code.filename, line, (<Function>function).code.name))
    origin = tuple(found)
    Py_INCREF(<PyObject *>origin)
    coro.extra = <PyObject *>origin
    return 0


ctypedef int (*raw_note)(PyObject *) noexcept
cdef raw_note try_note_origin = <raw_note><void *>note_origin


cdef int warn_host(PyObject *coro) noexcept:
    """A coroutine that no guest has an interest in was never awaited."""
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1, b"coroutine '%.50S' was never awaited",
                            <PyObject *>(<Generator>coro).qualname)


@cython.final
@cython.auto_pickle(False)
@cython.freelist(16)
cdef class CoroutineWrapper:
    """A wrapper object implementing __await__ for coroutines."""

    @cython.always_allow_keywords(False)
    def send(self, value):
        """send(arg) -> send 'arg' into coroutine,
return next yielded value or raise StopIteration."""
        return generator_result(<Generator><object>self.coroutine, <PyObject *>value, NULL)

    def throw(self, *args):
        """throw(value)
throw(type[,value[,traceback]])

Raise exception in coroutine, return next iterated value or raise
StopIteration.
the (type, val, tb) signature is deprecated,
and may be removed in a future version of Python."""
        return throw_into(<Generator><object>self.coroutine, args)

    @cython.always_allow_keywords(False)
    def close(self):
        """close() -> raise GeneratorExit inside coroutine."""
        return generator_close(<Generator><object>self.coroutine)

    def __iter__(self):
        return self

    def __next__(self):
        return generator_result(<Generator><object>self.coroutine, Py_None, NULL)


# ---- awaiting ----------------------------------------------------------------------------------
ctypedef PyObject *(*unary)(PyObject *) noexcept
cdef enum:
    HOST_COROUTINE = 0x80           # co_flags of the host's code objects
    HOST_ITERABLE_COROUTINE = 0x100
cdef str s_code = "gi_code"
cdef str s_cr_await = "cr_await"


cdef bint host_coroutine(PyObject *o) noexcept:
    """Whether o is a generator of the host that may be awaited."""
    cdef PyObject *code
    cdef bint found
    if not PyGen_CheckExact(o):
        return 0
    code = PyObject_GetAttr(o, <PyObject *>s_code)
    if code == NULL:
        PyErr_Clear()
        return 0
    found = (<PyCodeObject *>code).co_flags & (HOST_COROUTINE | HOST_ITERABLE_COROUTINE)
    Py_DECREF(code)
    return found


cdef int awaited_already(PyObject *coro) noexcept:
    """-1 with RuntimeError when a coroutine of the host is being awaited."""
    cdef PyObject *waits = PyObject_GetAttr(coro, <PyObject *>s_cr_await)
    if waits == NULL:
        return -1
    Py_DECREF(waits)
    if waits != Py_None:
        PyErr_SetString(PyExc_RuntimeError, b"coroutine is being awaited already")
        return -1
    return 0


cdef PyObject *awaitable_iterator(PyObject *o) noexcept:
    cdef TypeSlots *t = <TypeSlots *>Py_TYPE(o)
    cdef PyObject *iterator
    if t == coroutine_type:
        if (<Generator>o).state == GEN_SUSPENDED and (<Generator>o).delegate != NULL:
            PyErr_SetString(PyExc_RuntimeError, b"coroutine is being awaited already")
            return NULL
        Py_INCREF(o)
        return o
    if PyCoro_CheckExact(o):
        if awaited_already(o) < 0:
            return NULL
        Py_INCREF(o)
        return o
    if t == generator_type and (<Generator>o).code.flags & CODE_ITERABLE_COROUTINE or host_coroutine(o):
        Py_INCREF(o)
        return o
    if t.tp_as_async == NULL or t.tp_as_async.am_await == NULL:
        PyErr_Format(PyExc_TypeError, b"object %.100s can't be used in 'await' expression", t.tp_name)
        return NULL
    iterator = (<unary>t.tp_as_async.am_await)(o)
    if iterator == NULL:
        return NULL
    if <PyObject *>Py_TYPE(iterator) == <PyObject *>Coroutine or PyCoro_CheckExact(iterator) or host_coroutine(iterator) \
            or (is_resumable(iterator) and (<Generator>iterator).code.flags & CODE_ITERABLE_COROUTINE):
        PyErr_SetString(PyExc_TypeError, b"__await__() returned a coroutine")
        Py_DECREF(iterator)
        return NULL
    if not PyIter_Check(iterator):
        PyErr_Format(PyExc_TypeError, b"__await__() returned non-iterator of type '%.100s'",
                     (<TypeSlots *>Py_TYPE(iterator)).tp_name)
        Py_DECREF(iterator)
        return NULL
    return iterator


cdef int coroutine_step(PyObject *coro, PyObject *value, PyObject *exc, PyObject **result) noexcept:
    cdef PyObject *item
    cdef PySendResult status
    result[0] = NULL
    if is_resumable(coro):
        item = generator_resume(<Generator>coro, value, exc, 1, result)
    elif exc == NULL:
        status = PyIter_Send(coro, value, result)
        if status == PYGEN_ERROR:
            return -1
        return status == PYGEN_NEXT
    else:
        item = delegate_throw(coro, exc, 0, result)
    if item != NULL:
        result[0] = item
        return 1
    return -1 if result[0] == NULL else 0
