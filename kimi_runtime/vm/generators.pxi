# Generators: frames whose registers live on the heap, so that they can stop and go on in any order.

cdef PyObject *make_generator(PyObject *func, Value *regs) noexcept:
    """New generator of the function; moves the bound parameters out of regs. NULL with MemoryError set."""
    cdef PyObject *code = <PyObject *>(<Function>func).code
    cdef uint32_t n = (<Code>code).nregs
    cdef uint32_t i
    cdef Value *own = <Value *>malloc((n + 1) * sizeof(Value))
    cdef PyObject *g
    if own == NULL:
        return PyErr_NoMemory()
    g = new_generator(func)
    if g == NULL:
        free(own)
        return NULL
    for i in range((<Code>code).nparams):
        own[i] = regs[i]
        regs[i].tag = T_UNDEF
    for i in range((<Code>code).nparams, n):
        own[i].tag = T_UNDEF
    (<Generator>g).regs = own
    (<Generator>g).ip = (<Code>code).instrs
    return g

cdef PyObject *new_generator(PyObject *func) noexcept:
    cdef PyObject *raw
    cdef Generator g
    cdef Function fn = <Function>func
    try:
        g = Generator.__new__(Generator)
    except BaseException:
        PyErr_NoMemory()
        return NULL
    g.func = fn
    g.code = fn.code
    g.name = fn.name
    g.qualname = fn.qualname
    g.state = GEN_CREATED
    g.kind = <uint8_t>(fn.code.flags & (CODE_GENERATOR | CODE_COROUTINE | CODE_ASYNC_GENERATOR))
    g.exc_state.exc_value = NULL
    g.exc_state.previous_item = NULL
    raw = <PyObject *>g
    Py_INCREF(raw)
    return raw

cdef int push_generator(VM *vm, PyThreadState *ts, PyObject *gen) noexcept:
    """Makes the (created or suspended) generator the running frame. -1 with an exception set.

    OWNER RULE: gen is borrowed; the frame holds a reference of its own.
    """
    cdef PyObject *func = <PyObject *>(<Generator>gen).func
    cdef Frame *f
    if (<Generator>gen).state == GEN_RUNNING:
        PyErr_SetString(PyExc_ValueError, b"generator already executing")
        return -1
    f = push_frame(vm, func, (<Generator>gen).regs, 0)
    if f == NULL:
        return -1
    Py_INCREF(func)
    Py_INCREF(gen)
    f.gen = gen
    f.flags = F_GENERATOR
    f.ip = (<Generator>gen).ip
    (<Generator>gen).state = GEN_RUNNING
    (<Generator>gen).delegate = NULL
    (<Generator>gen).exc_state.previous_item = ts.exc_info
    ts.exc_info = &(<Generator>gen).exc_state
    return 0

cdef inline void send_value(PyObject *gen, const Value *v) noexcept:
    """Puts the value that a suspended generator's yield expression gets in place (copied); not for a new one."""
    cdef Value copy
    value_copy(&copy, v)
    store((<Generator>gen).regs, (<Generator>gen).resume_reg, &copy)

cdef void leave_generator(VM *vm, PyThreadState *ts, Frame *f) noexcept:
    """Pops the frame of a generator that yields: its registers stay."""
    cdef PyObject *gen = f.gen
    ts.exc_info = (<Generator>gen).exc_state.previous_item
    (<Generator>gen).exc_state.previous_item = NULL
    (<Generator>gen).state = GEN_SUSPENDED
    pop_frame(vm, f)
    Py_DECREF(gen)

cdef void finish_generator(VM *vm, PyThreadState *ts, Frame *f) noexcept:
    """Pops the frame of a generator that has ended (registers are empty) and frees its window."""
    cdef PyObject *gen = f.gen
    cdef PyObject *exc = (<Generator>gen).exc_state.exc_value
    ts.exc_info = (<Generator>gen).exc_state.previous_item
    (<Generator>gen).exc_state.previous_item = NULL
    (<Generator>gen).exc_state.exc_value = NULL
    (<Generator>gen).state = GEN_DONE
    free((<Generator>gen).regs)
    (<Generator>gen).regs = NULL
    Py_XDECREF(exc)
    pop_frame(vm, f)
    Py_DECREF(gen)

cdef PyObject *stop_iteration_error(PyObject *gen, PyObject *exc) noexcept:
    """PEP 479: the RuntimeError that replaces a StopIteration leaving a generator. Takes over exc; new reference."""
    cdef PyObject *error
    cdef const char *message = b"generator raised StopIteration"
    cdef uint32_t kind = (<Generator>gen).kind
    if kind == CODE_COROUTINE:
        message = b"coroutine raised StopIteration"
    elif kind == CODE_ASYNC_GENERATOR:
        message = b"async generator raised StopIteration"
        if PyErr_GivenExceptionMatches(exc, PyExc_StopAsyncIteration):
            message = b"async generator raised StopAsyncIteration"
    PyErr_SetString(PyExc_RuntimeError, message)
    error = k_take_raised()
    if error == NULL:
        return exc
    Py_INCREF(exc)
    PyException_SetCause(error, exc)
    Py_INCREF(exc)
    PyException_SetContext(error, exc)
    Py_DECREF(exc)
    return error

cdef int deliver_yield(VM *vm, PyThreadState *ts, Value *v) noexcept:
    """The running generator yields *v (moved): goes down to whoever resumed it.

    1: vm.frame goes on executing; 0: the resumer is C code, *v is its value. A generator that delegates to the one that
    yields passes the value on.
    """
    cdef Frame *f = vm.frame
    cdef Frame *g
    cdef const Instr *ins
    cdef PyObject *gen
    cdef bint entry
    while True:
        entry = f.flags & F_ENTRY
        leave_generator(vm, ts, f)
        if entry:
            return 0
        g = vm.frame
        ins = g.ip - 1
        if ins.op == OP_FOR_LOOP:
            store(g.regs, ins.t.abc.b, v)
            g.ip += <int16_t>ins.t.abc.c
            return 1
        if ins.op == OP_FOR_ITER:
            store(g.regs, ins.t.abc.b, v)
            return 1
        # OP_YIELD_FROM: executes again when resumed
        gen = g.gen
        (<Generator>gen).ip = ins
        (<Generator>gen).resume_reg = ins.t.abc.c
        (<Generator>gen).delegate = g.regs[ins.t.abc.b].u.o
        f = g

cdef int deliver_return(VM *vm, PyThreadState *ts, Value *v) noexcept:
    """The running generator returns *v (moved); registers are empty already. Results as deliver_yield."""
    cdef Frame *f = vm.frame
    cdef bint entry = f.flags & F_ENTRY
    cdef const Instr *ins
    finish_generator(vm, ts, f)
    if entry:
        return 0
    f = vm.frame
    ins = f.ip - 1
    if ins.op == OP_FOR_LOOP:
        value_clear(&f.regs[ins.a])
        value_release(v)
    elif ins.op == OP_FOR_ITER:
        value_clear(&f.regs[ins.a])
        value_release(v)
        f.ip += <int16_t>ins.t.abc.c
    else:
        value_clear(&f.regs[ins.t.abc.b])
        value_clear(&f.regs[ins.t.abc.c])
        store(f.regs, ins.a, v)
    return 1

cdef PyObject *hook_resume(PyObject *gen, PyObject *value, PyObject *exc, PyObject **result) noexcept:
    """See VMHooks.resume."""
    cdef VM *vm
    cdef PyThreadState *ts = PyThreadState_Get()
    cdef Value v
    cdef PyObject *r
    result[0] = NULL
    if (<Generator>gen).state == GEN_DONE:
        if exc != NULL:
            Py_INCREF(exc)
            k_restore_raised(exc)
            return NULL
        result[0] = Py_None
        Py_INCREF(Py_None)
        return NULL
    vm = vm_enter()
    if vm == NULL:
        return NULL
    if exc == NULL and (<Generator>gen).state == GEN_SUSPENDED:
        value_borrowed(&v, value)
        store((<Generator>gen).regs, (<Generator>gen).resume_reg, &v)
    if push_generator(vm, ts, gen) < 0:
        vm_leave(vm)
        return NULL
    vm.frame.flags |= F_ENTRY
    vm.yielded = 0
    if exc != NULL:
        if (<Generator>gen).ip == (<Code>(<Generator>gen).code).instrs:
            vm.frame.ip += 1         # not started: the traceback shows the first line
        elif (<const Instr *>(<Generator>gen).ip).op == OP_YIELD_FROM:
            vm.frame.ip += 1         # suspended in a delegation: raised there
        Py_INCREF(exc)
        set_raised_with_context(exc)
        r = run(vm, 1)
    else:
        r = run(vm, 0)
    if r != NULL and not vm.yielded:
        result[0] = r
        r = NULL
    vm.yielded = 0
    vm_leave(vm)
    return r

cdef void set_raised_with_context(PyObject *exc) noexcept:
    """Raises exc (reference taken over) so that the exception being handled becomes its context."""
    cdef PyObject *tb = PyException_GetTraceback(exc)
    PyErr_SetObject(<PyObject *>Py_TYPE(exc), exc)
    Py_XDECREF(tb)
    Py_DECREF(exc)

cdef int yield_from(VM *vm, PyThreadState *ts, Value *R, const Instr *ins) noexcept:
    """One step of OP_YIELD_FROM: 1 a delegate frame was pushed, 0 exhausted (R[a] set), 2 *R[a] holds a value to yield,
    -1 error."""
    cdef PyObject *it = R[ins.t.abc.b].u.o
    cdef Value *sent = &R[ins.t.abc.c]
    cdef PyObject *r
    cdef PyObject *o
    cdef Value v
    if Py_TYPE(it) == FunctionGeneratorType:
        if (<Generator>it).state == GEN_DONE:
            v.tag = T_NONE
            value_clear(&R[ins.t.abc.b])
            value_clear(sent)
            store(R, ins.a, &v)
            return 0
        if (<Generator>it).state == GEN_SUSPENDED:
            send_value(it, sent)
        elif (<Generator>it).state == GEN_CREATED and sent.tag != T_NONE:
            PyErr_SetString(PyExc_TypeError, b"can't send non-None value to a just-started generator")
            return -1
        return 1 if push_generator(vm, ts, it) == 0 else -1
    o = value_object(sent)
    if o == NULL:
        return -1
    r = NULL
    if o == Py_None and (<PyTypeFull *>Py_TYPE(it)).tp_iternext != NULL:
        r = k_iternext(it)
    else:
        r = PyObject_CallMethodOneArg(it, <PyObject *>STR_SEND, o)
    Py_DECREF(o)
    if r != NULL:
        store_object(R, ins.a, r)
        return 2
    if PyErr_Occurred() != NULL:
        if not PyErr_ExceptionMatches(PyExc_StopIteration):
            return -1
        r = stop_iteration_value()
        if r == NULL:
            return -1
    else:
        r = Py_None
        Py_INCREF(r)
    value_clear(&R[ins.t.abc.b])
    value_clear(sent)
    store_object(R, ins.a, r)
    return 0

cdef PyObject *stop_iteration_value() noexcept:
    """Takes the raised StopIteration: its value as a new reference."""
    cdef PyObject *exc = k_take_raised()
    cdef PyObject *r = PyObject_GetAttr(exc, <PyObject *>STR_VALUE)
    Py_DECREF(exc)
    return r
