# Slots of the types that Cython does not write itself (part of core.pyx).

cdef traverseproc future_base_traverse = NULL
cdef inquiry future_base_clear = NULL
cdef traverseproc task_base_traverse = NULL
cdef inquiry task_base_clear = NULL


cdef inline int visit_attrs(PyObject *o, visitproc visit, void *arg) noexcept:
    cdef PyObject *attrs = (<Future>o).attrs
    return 0 if attrs == NULL else visit(attrs, arg)


cdef inline void clear_attrs(PyObject *o) noexcept:
    cdef PyObject *attrs = (<Future>o).attrs
    (<Future>o).attrs = NULL
    Py_XDECREF(attrs)


cdef int future_traverse(PyObject *o, visitproc visit, void *arg) noexcept:
    cdef int status = visit_attrs(o, visit, arg)
    return status if status else future_base_traverse(o, visit, arg)


cdef int future_clear(PyObject *o) noexcept:
    clear_attrs(o)
    return future_base_clear(o)


cdef int task_traverse(PyObject *o, visitproc visit, void *arg) noexcept:
    cdef int status = visit_attrs(o, visit, arg)
    return status if status else task_base_traverse(o, visit, arg)


cdef int task_clear(PyObject *o) noexcept:
    clear_attrs(o)
    return task_base_clear(o)


cdef extern from *:
    """
    static PyAsyncMethods k_future_iter_async;
    static void k_set_send(PyTypeObject *type, void *send) {
        if (type->tp_as_async) { k_future_iter_async = *type->tp_as_async; }
        k_future_iter_async.am_send = (sendfunc)send;
        type->tp_as_async = &k_future_iter_async;
        PyType_Modified(type);
    }
    """
    void k_set_send(TypeSlots *cls, void *send) noexcept


cdef int patch_types() except -1:
    global future_base_traverse, future_base_clear, task_base_traverse, task_base_clear
    cdef TypeSlots *slots
    cdef Future future = Future.__new__(Future)
    slots = get_slots(Future)
    future_base_traverse = <traverseproc>slots.tp_traverse
    future_base_clear = <inquiry>slots.tp_clear
    slots.tp_name = b"_asyncio.Future"
    slots.tp_dictoffset = slot_offset(future, &future.attrs)
    slots.tp_traverse = <void *>future_traverse
    slots.tp_clear = <void *>future_clear
    PyType_Modified(slots)
    slots = get_slots(Task)
    task_base_traverse = <traverseproc>slots.tp_traverse
    task_base_clear = <inquiry>slots.tp_clear
    slots.tp_name = b"_asyncio.Task"
    slots.tp_dictoffset = slot_offset(future, &future.attrs)
    slots.tp_traverse = <void *>task_traverse
    slots.tp_clear = <void *>task_clear
    PyType_Modified(slots)
    k_set_send(get_slots(FutureIter), <void *>iterator_send)
    slots = get_slots(FutureIter)
    slots.tp_name = b"_asyncio.FutureIter"
    PyType_Modified(slots)
    slots = get_slots(Handle)
    slots.tp_name = b"asyncio.events.Handle"
    PyType_Modified(slots)
    slots = get_slots(TimerHandle)
    slots.tp_name = b"asyncio.events.TimerHandle"
    PyType_Modified(slots)
    slots = get_slots(WakeUp)
    slots.tp_name = b"builtin_function_or_method"
    PyType_Modified(slots)
    slots = get_slots(Step)
    slots.tp_name = b"TaskStepMethWrapper"
    PyType_Modified(slots)
    return 0


patch_types()
