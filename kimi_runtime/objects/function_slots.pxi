# The slots of functions, cells, generators and their kin (part of function.pyx): what Cython does not write itself.
cdef PyAsyncMethods generator_async
memset(&generator_async, 0, sizeof(generator_async))
generator_async.am_send = <void *>generator_am_send
generator_async.am_await = <void *>generator_am_await


cdef int check_layout(bint right) except -1:
    if not right:
        raise ImportError("the fields of a class in function.pxd and its C struct in function.pyx differ")
    return 0


cdef int patch_resumable(TypeSlots *slots, const char *name) except -1:
    """The slots that generators, coroutines and asynchronous generators have in common."""
    slots.tp_name = name
    slots.tp_flags |= DISALLOW_INSTANTIATION
    slots.tp_finalize = <void *>generator_finalize
    slots.tp_traverse = <void *>generator_traverse
    slots.tp_clear = <void *>generator_clear
    slots.tp_dealloc = k_generator_dealloc
    slots.tp_new = NULL
    slots.tp_vectorcall = NULL
    # The wrapper in the type's dictionary would call the slot that is gone.
    del (<object>slots.tp_dict)["__new__"]
    return 0


cdef int patch_awaitable(TypeSlots *slots, const char *name, void *send) except -1:
    slots.tp_name = name
    slots.tp_flags |= DISALLOW_INSTANTIATION
    slots.tp_new = NULL
    slots.tp_vectorcall = NULL
    del (<object>slots.tp_dict)["__new__"]
    if send != NULL:
        slots.tp_as_async.am_send = send
    PyType_Modified(slots)
    return 0


cdef int patch_types() except -1:
    global allocate_cell, allocate_function, allocate_generator, function_base_traverse, generator_base_traverse
    global k_generator_finish, k_generator_must_finalize, allocate_wrapper, allocate_send, allocate_throw
    cdef TypeSlots *slots
    cdef Function f
    cdef Generator g

    slots = get_slots(Cell)
    allocate_cell = <newfunc>slots.tp_new
    slots.tp_name = b"cell"
    slots.tp_flags |= GC_FLAG
    slots.tp_traverse = <void *>k_cell_traverse
    slots.tp_clear = <void *>k_cell_clear
    slots.tp_dealloc = k_cell_dealloc
    slots.tp_free = <void *>PyObject_GC_Del
    slots.tp_new = <void *>cell_new
    slots.tp_vectorcall = NULL
    PyType_Modified(slots)

    slots = get_slots(Function)
    allocate_function = <newfunc>slots.tp_new
    function_base_traverse = <traverseproc>slots.tp_traverse
    f = <Function>allocate_function(get_slots(Function), empty_args, NULL)
    slots.tp_name = b"function"
    slots.tp_flags |= METHOD_DESCRIPTOR_FLAGS
    slots.tp_vectorcall_offset = slot_offset(f, &f.vectorcall)
    slots.tp_dictoffset = slot_offset(f, &f.attrs)
    slots.tp_call = <void *>PyVectorcall_Call
    slots.tp_descr_get = <void *>k_function_get
    slots.tp_setattro = <void *>function_setattro
    check_layout(slots.tp_basicsize == size_of_function and slot_offset(f, &f.version) == offset_of_version
                 and slot_offset(f, &f.attrs) == offset_of_attrs)
    slots.tp_traverse = <void *>function_traverse
    slots.tp_dealloc = k_function_dealloc
    slots.tp_clear = <void *>function_clear
    slots.tp_new = <void *>function_new
    slots.tp_vectorcall = NULL
    PyType_Modified(slots)

    slots = get_slots(Generator)
    allocate_generator = <newfunc>slots.tp_new
    generator_base_traverse = <traverseproc>slots.tp_traverse
    g = <Generator>allocate_generator(slots, empty_args, NULL)
    g.state = GEN_DONE
    check_layout(slots.tp_basicsize == size_of_generator and slot_offset(g, &g.regs) == offset_of_regs
                 and slot_offset(g, &g.state) == offset_of_state and slot_offset(g, &g.delegate) == offset_of_delegate
                 and slot_offset(g, &g.exc_state) == offset_of_exc_state
                 and slot_offset(g, &g.extra) == offset_of_extra)
    k_generator_must_finalize = must_finalize
    k_generator_finish = <void (*)(PyObject *) noexcept><void *>generator_finish
    patch_resumable(slots, b"generator")
    slots.tp_iter = <void *>generator_self
    slots.tp_iternext = <void *>generator_iternext
    slots.tp_as_async = &generator_async
    PyType_Modified(slots)
    slots = get_slots(Coroutine)
    check_layout(slots.tp_basicsize == size_of_generator)
    patch_resumable(slots, b"coroutine")
    slots.tp_as_async.am_send = <void *>generator_am_send
    PyType_Modified(slots)
    slots = get_slots(AsyncGenerator)
    check_layout(slots.tp_basicsize == size_of_generator)
    patch_resumable(slots, b"async_generator")
    PyType_Modified(slots)
    allocate_wrapper = <newfunc>get_slots(CoroutineWrapper).tp_new
    allocate_send = <newfunc>get_slots(AsyncSend).tp_new
    allocate_throw = <newfunc>get_slots(AsyncThrow).tp_new
    patch_awaitable(get_slots(CoroutineWrapper), b"coroutine_wrapper", NULL)
    patch_awaitable(get_slots(AsyncSend), b"async_generator_asend", <void *>async_send_am_send)
    patch_awaitable(get_slots(AsyncThrow), b"async_generator_athrow", <void *>async_throw_am_send)

    slots = get_slots(GeneratorFrame)
    slots.tp_name = b"frame"
    PyType_Modified(slots)
    return 0


cdef int check_fields() except -1:
    """Object fields have no address in Cython: one made object shows that they are in order."""
    cdef Code code = Code()
    cdef Function f
    cdef Generator g
    cdef tuple closure = ()
    cdef dict builtins = {}
    code.name, code.qualname, code.docstring = "name", "qualname", "doc"
    f = new_function(code, {"__name__": "module"}, builtins, closure)
    g = <Generator>take(new_generator(<PyObject *>f))
    check_layout(f.code is code and f.name == "name" and f.qualname == "qualname" and f.doc == "doc"
                 and f.module == "module" and f.closure is closure and f.builtins is builtins and f.defaults is None
                 and f.type_params is None and g.func is f and g.code is code and g.qualname == "qualname")
    return 0
