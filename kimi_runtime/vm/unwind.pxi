# Exceptions: raising, and finding the handler.

cdef inline ExcEntry *find_handler(PyObject *code, uint32_t pc) noexcept:
    cdef ExcEntry *e = (<Code>code).exc_table
    cdef uint32_t i
    for i in range((<Code>code).nexc):
        if e[i].start <= pc < e[i].end:
            return &e[i]
    return NULL

cdef PyObject *handled_exception(PyThreadState *ts) noexcept:
    """The exception being handled, looking through generators that handle none: borrowed or NULL."""
    cdef _PyErr_StackItem *item = ts.exc_info
    while item != NULL and (item.exc_value == NULL or item.exc_value == Py_None):
        item = item.previous_item
    return item.exc_value if item != NULL else NULL

cdef bint in_span(Code code, int64_t pc):
    """Whether the instruction is inside a comprehension that is compiled in place."""
    cdef tuple span
    for span in code.inlined:
        if <int64_t>span[0] <= pc < <int64_t>span[1]:
            return True
    return False

cdef void leave_comprehension(Value *R, Code code) noexcept:
    """Empties the hidden registers of comprehensions: an exception leaves the one at work for a handler outside of it, and as
    a frame's of its own their variables end there."""
    cdef PyObject *names = <PyObject *>code.local_names
    cdef PyObject *name
    cdef Py_ssize_t i
    for i in range(PyTuple_GET_SIZE(names)):
        name = PyTuple_GET_ITEM(names, i)
        # The others that begin with a dot, such as the constants of loops, have a digit.
        if PyUnicode_GET_LENGTH(name) > 1 and PyUnicode_READ_CHAR(name, 0) == 46 and PyUnicode_READ_CHAR(name, 1) > 57:
            clear_registers(R, i, i + 1)

cdef int unwind(VM *vm, PyThreadState *ts) noexcept:
    """Takes the raised exception to its handler: 1, vm.frame goes on there; 0 when the entry frame ended with it.

    Also 0, without an exception, when the run is being suspended: then all frames stay.
    """
    cdef PyObject *exc = vm.raised
    cdef Frame *f = vm.frame
    cdef PyObject *code
    cdef PyObject *gen
    cdef PyObject **handled
    cdef ExcEntry *e
    cdef Value *R
    cdef uint32_t pc
    cdef uint16_t flags
    cdef bint note = not vm.reraise
    cdef bint stopped
    if vm.suspending:
        return 0
    stopped = vm.meter != NULL and is_stopped(vm)
    vm.reraise = 0
    vm.raised = NULL
    if exc == NULL:
        exc = k_take_raised()
    if exc == NULL:
        PyErr_SetString(PyExc_SystemError, b"an instruction failed without an exception")
        exc = k_take_raised()
    if vm.heap != NULL and vm.heap.refusal and not stopped:
        stopped = refused_again(vm, &exc)
    while True:
        code = f.code
        # An interrupt may come in before the first instruction.
        pc = <uint32_t>(f.ip - (<Code>code).instrs - 1) if f.ip > (<Code>code).instrs else 0
        if note and not ((<Code>code).flags & CODE_UNSEEN):
            add_traceback(exc, code, f.globals, pc)
        note = 1
        e = find_handler(code, pc) if not stopped else NULL
        R = f.regs
        if e != NULL:
            drop_temporaries(R, e.temp_top, (<Code>code).nregs)
            if (<Code>code).inlined and in_span(<Code>code, pc) and not in_span(<Code>code, e.handler):
                leave_comprehension(R, <Code>code)
            R[e.exc_reg].tag = T_OBJ
            R[e.exc_reg].u.o = exc
            handled = k_handled(ts)
            if handled[0] == NULL or handled[0] == Py_None:
                R[e.exc_reg + 1].tag = T_NONE
                Py_XDECREF(handled[0])
            else:
                R[e.exc_reg + 1].tag = T_OBJ
                R[e.exc_reg + 1].u.o = handled[0]
            Py_INCREF(exc)
            handled[0] = exc
            if vm.heap != NULL and vm.heap.refusal and PyErr_GivenExceptionMatches(exc, PyExc_MemoryError):
                caught(vm.heap)
            f.ip = (<Code>code).instrs + e.handler
            return 1
        flags = f.flags
        drop_temporaries(R, (<Code>code).nlocals, (<Code>code).nregs)
        clear_registers(R, 0, (<Code>code).nlocals)
        if flags & F_GENERATOR:
            gen = f.gen
            exc = exception_leaving(gen, exc)
            if (<Generator>gen).kind == CODE_ASYNC_GENERATOR and not (flags & F_ENTRY):
                (<Generator>gen).iterating = 0
                if PyErr_GivenExceptionMatches(exc, PyExc_GeneratorExit):
                    (<Generator>gen).closed = 1
                close_send((f - 1).regs[((f - 1).ip - 1).t.abc.b].u.o)      # that is at its YIELD_FROM
            finish_generator(vm, ts, f)
        else:
            pop_frame(vm, f)
        if flags & F_ENTRY:
            k_restore_raised(exc)
            return 0
        f = vm.frame
        if f.flags & F_THROWS and not stopped:
            # As if the exception were thrown into this one now.
            end_throw(ts, f)
            raise_in_generator(f.gen, exc)
            Py_DECREF(exc)
            exc = k_take_raised()

cdef void note_interrupt(VM *vm, PyObject *exc) noexcept:
    """Remembers a fresh KeyboardInterrupt that guest code raises (borrowed), so that it is not taken for the host's."""
    cdef PyObject *old = vm.interrupt
    cdef PyObject *traceback = PyException_GetTraceback(exc)
    if traceback != NULL:
        Py_DECREF(traceback)        # one that was caught and is raised again keeps its origin
        return
    Py_INCREF(exc)
    vm.interrupt = exc
    Py_XDECREF(old)

cdef void set_handled(PyThreadState *ts, Value *v) noexcept:
    """Handled exception = *v (moved, emptied); None means none."""
    cdef PyObject **handled = k_handled(ts)
    cdef PyObject *old = handled[0]
    if v.tag == T_OBJ:
        handled[0] = v.u.o
    else:
        handled[0] = NULL
    v.tag = T_UNDEF
    Py_XDECREF(old)

cdef void raise_object(VM *vm, PyThreadState *ts, PyObject *exc, PyObject *cause) noexcept:
    """raise exc [from cause]: both borrowed, cause may be NULL.

    Leaves an exception set, or when nothing is being handled (so that there is no context) in vm.raised, which spares the
    way through the thread state.
    """
    cdef PyObject *value
    cdef PyObject *c = NULL
    if PyExceptionClass_Check(exc):
        value = PyObject_CallNoArgs(exc)
        if value == NULL:
            return
        if not PyExceptionInstance_Check(value):
            PyErr_Format(PyExc_TypeError, b"calling %R should have returned an instance of BaseException, not %R",
                         exc, <PyObject *>Py_TYPE(value))
            Py_DECREF(value)
            return
    elif PyExceptionInstance_Check(exc):
        value = exc
        Py_INCREF(value)
    else:
        PyErr_SetString(PyExc_TypeError, b"exceptions must derive from BaseException")
        return
    if cause != NULL:
        if PyExceptionClass_Check(cause):
            c = PyObject_CallNoArgs(cause)
            if c == NULL:
                Py_DECREF(value)
                return
            if not PyExceptionInstance_Check(c):
                PyErr_Format(PyExc_TypeError, b"calling %R should have returned an instance of BaseException, not %R",
                             cause, <PyObject *>Py_TYPE(c))
                Py_DECREF(c)
                Py_DECREF(value)
                return
        elif PyExceptionInstance_Check(cause):
            c = cause
            Py_INCREF(c)
        elif cause != Py_None:
            PyErr_SetString(PyExc_TypeError, b"exception causes must derive from BaseException")
            Py_DECREF(value)
            return
        PyException_SetCause(value, c)          # takes over c
    if <PyObject *>Py_TYPE(value) == PyExc_KeyboardInterrupt:
        note_interrupt(vm, value)
    if handled_exception(ts) == NULL:
        vm.raised = value
        return
    PyErr_SetObject(<PyObject *>Py_TYPE(value), value)
    Py_DECREF(value)

cdef int raise_values(VM *vm, PyThreadState *ts, const Value *a, const Value *cause) noexcept:
    cdef PyObject *x = value_object(a)
    cdef PyObject *c = NULL
    if x == NULL:
        return -1
    if cause != NULL:
        c = value_object(cause)
        if c == NULL:
            Py_DECREF(x)
            return -1
    raise_object(vm, ts, x, c)
    Py_DECREF(x)
    Py_XDECREF(c)
    return -1

cdef int raise_current(VM *vm, PyThreadState *ts) noexcept:
    """Bare raise: like CPython's it adds no entry to the traceback in this frame."""
    cdef PyObject *exc = handled_exception(ts)
    if exc == NULL:
        PyErr_SetString(PyExc_RuntimeError, b"No active exception to reraise")
        return -1
    Py_INCREF(exc)
    k_restore_raised(exc)
    vm.reraise = 1
    return -1

cdef int exception_matches(const Value *exc, const Value *t) noexcept:
    """Whether the except clause's class or tuple t takes the exception: 1, 0, -1 with TypeError."""
    cdef Py_ssize_t i
    cdef PyObject *x
    if t.tag == T_OBJ:
        x = t.u.o
        if PyExceptionClass_Check(x):
            return PyErr_GivenExceptionMatches(exc.u.o, x)
        if PyTuple_Check(x):
            for i in range(PyTuple_GET_SIZE(x)):
                if not PyExceptionClass_Check(PyTuple_GET_ITEM(x, i)):
                    break
            else:
                return PyErr_GivenExceptionMatches(exc.u.o, x)
    PyErr_SetString(PyExc_TypeError, b"catching classes that do not inherit from BaseException is not allowed")
    return -1

cdef int unbound_variable(Frame *f, uint32_t index, uint32_t free) noexcept:
    """The error of a local that is empty, or, for a host that makes functions of comprehensions, of a free variable of one."""
    cdef PyObject *name = PyTuple_GET_ITEM(<PyObject *>(<Code>f.code).local_names, index)
    if PyUnicode_READ_CHAR(name, 0) == 46:
        # The hidden register of a comprehension's variable: its name comes after a dot.
        name = PyUnicode_Substring(name, 1, PyUnicode_GET_LENGTH(name))
        if name == NULL:
            return -1
    else:
        Py_INCREF(name)
    if free:
        unbound_free(name)
    else:
        PyErr_Format(PyExc_UnboundLocalError, UNBOUND_LOCAL, name)  # without the attribute `name`, as in CPython
    Py_DECREF(name)
    return -1

cdef int unbound_free(PyObject *name) noexcept:
    PyErr_Format(PyExc_NameError, UNBOUND_FREE, name)
    set_name_attribute(name)
    return -1
