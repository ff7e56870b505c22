# The protocols of `await`, `async for` and `yield from`: from an object to what OP_YIELD_FROM delegates to.

cdef inline AsyncSlot await_slot(PyObject *o) noexcept:
    cdef KAsyncMethods *m = (<KAsyncType *>Py_TYPE(o)).tp_as_async
    return m.am_await if m != NULL else NULL

cdef inline AsyncSlot aiter_slot(PyObject *o) noexcept:
    cdef KAsyncMethods *m = (<KAsyncType *>Py_TYPE(o)).tp_as_async
    return m.am_aiter if m != NULL else NULL

cdef inline AsyncSlot anext_slot(PyObject *o) noexcept:
    cdef KAsyncMethods *m = (<KAsyncType *>Py_TYPE(o)).tp_as_async
    return m.am_anext if m != NULL else NULL

cdef inline const char *type_name(PyObject *o) noexcept:
    return (<PyTypeFull *>Py_TYPE(o)).tp_name

cdef AsyncSlot slot_await = NULL        # what a class has that defines __await__, __anext__ as functions
cdef AsyncSlot slot_anext = NULL

cdef int find_generic_slots() except -1:
    global slot_await, slot_anext
    probe = type("probe", (), {"__await__": None, "__anext__": None})
    slot_await = (<KAsyncType *><PyObject *>probe).tp_as_async.am_await
    slot_anext = (<KAsyncType *><PyObject *>probe).tp_as_async.am_anext
    return 0

find_generic_slots()

cdef PyObject *special_generator(PyObject *o, PyObject *name, uint32_t kind) noexcept:
    """Calls a special method that is a guest's generator or coroutine function, as kind says: no frame is needed for that.

    New reference, or NULL without an exception when it is anything else.
    """
    cdef VM *vm = <VM *>k_get_vm()
    cdef PyObject *func = _PyType_Lookup(Py_TYPE(o), name)
    cdef PyObject *code
    cdef Value v
    if func == NULL or Py_TYPE(func) != FunctionType or vm.frame + 1 >= vm.frames_end:
        return NULL
    code = <PyObject *>(<Function>func).code
    if (<Code>code).call_kind == K_UNKNOWN:
        classify(code)
    if (<Code>code).call_kind != K_GENERATOR or (<Code>code).npos != 1 \
            or not ((<Code>code).flags & kind) or (<Code>code).flags & CODE_ITERABLE_COROUTINE:
        return NULL
    value_borrowed(&v, o)
    Py_INCREF(func)
    code = make_generator(vm, func, &v)
    Py_DECREF(func)
    value_release(&v)
    if code == NULL:
        PyErr_Clear()
    return code

cdef PyObject *get_awaitable(const Value *b, uint32_t where) noexcept:
    """GET_AWAITABLE: new reference, or NULL with an exception set."""
    cdef PyObject *o = value_object(b)
    cdef PyObject *r
    if o == NULL:
        return NULL
    r = NULL
    if await_slot(o) == slot_await:
        r = special_generator(o, <PyObject *>STR_AWAIT, CODE_GENERATOR)
    if r == NULL:
        r = awaitable_iterator(o)
    if r == NULL and where != 0 and (await_slot(o) == NULL or Py_TYPE(o) == FunctionGeneratorType):
        PyErr_Format(PyExc_TypeError, b"'async with' received an object from %U that does not implement __await__: %.100s",
                     <PyObject *>(STR_AENTER if where == 1 else STR_AEXIT), type_name(o))
    Py_DECREF(o)
    return r

cdef PyObject *get_async_iterator(const Value *b) noexcept:
    """GET_AITER: new reference, or NULL with an exception set."""
    cdef PyObject *o = value_object(b)
    cdef PyObject *r
    cdef AsyncSlot slot
    if o == NULL:
        return NULL
    slot = aiter_slot(o)
    if slot == NULL:
        PyErr_Format(PyExc_TypeError, b"'async for' requires an object with __aiter__ method, got %.100s", type_name(o))
        Py_DECREF(o)
        return NULL
    r = slot(o)
    Py_DECREF(o)
    if r != NULL and anext_slot(r) == NULL:
        PyErr_Format(PyExc_TypeError, b"'async for' received an object from __aiter__ that does not implement __anext__: "
                     b"%.100s", type_name(r))
        Py_DECREF(r)
        return NULL
    return r

cdef PyObject *get_async_next(PyObject *it) noexcept:
    """GET_ANEXT: what to await for the next item; new reference, or NULL with an exception set.

    An asynchronous generator stands for its own asend(None), started: no object is made for that.
    """
    cdef PyObject *awaitable
    cdef PyObject *r
    cdef PyObject *error
    cdef PyObject *cause
    if Py_TYPE(it) == FunctionAsyncGeneratorType:
        if start_async_generator(it) < 0:
            return NULL
        if (<AsyncGenerator>it).iterating:
            PyErr_SetString(PyExc_RuntimeError, b"anext(): asynchronous generator is already running")
            return NULL
        (<AsyncGenerator>it).iterating = 1
        Py_INCREF(it)
        return it
    if anext_slot(it) == NULL:
        PyErr_Format(PyExc_TypeError, b"'async for' requires an iterator with __anext__ method, got %.100s", type_name(it))
        return NULL
    if anext_slot(it) == slot_anext:
        awaitable = special_generator(it, <PyObject *>STR_ANEXT, CODE_COROUTINE)
        if awaitable != NULL:
            return awaitable
    awaitable = anext_slot(it)(it)
    if awaitable == NULL:
        return NULL
    r = awaitable_iterator(awaitable)
    if r == NULL:
        cause = k_take_raised()
        PyErr_Format(PyExc_TypeError, b"'async for' received an invalid object from __anext__: %.100s",
                     type_name(awaitable))
        error = k_take_raised()
        if error != NULL and cause != NULL:
            Py_INCREF(cause)
            PyException_SetCause(error, cause)
            PyException_SetContext(error, cause)
            k_restore_raised(error)
    Py_DECREF(awaitable)
    return r

cdef PyObject *yield_from_iterator(PyObject *code, PyObject *o) noexcept:
    """GET_YIELD_FROM_ITER: new reference, or NULL with an exception set."""
    if Py_TYPE(o) == FunctionGeneratorType:
        Py_INCREF(o)
        return o
    if Py_TYPE(o) == FunctionCoroutineType or PyCoro_CheckExact(o):
        if not ((<Code>code).flags & CODE_ITERABLE_COROUTINE):
            PyErr_SetString(PyExc_TypeError, b"cannot 'yield from' a coroutine object in a non-coroutine generator")
            return NULL
        Py_INCREF(o)
        return o
    return PyObject_GetIter(o)
