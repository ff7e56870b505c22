# Generators: frames whose registers live on the heap, so that they can stop and go on in any order.

cdef PyObject *make_generator(VM *vm, PyObject *func, Value *regs) noexcept:
    """New generator of the function; moves the bound parameters out of regs. NULL with an exception set."""
    cdef uint32_t n = (<Code>(<Function>func).code).nparams
    cdef uint32_t i
    cdef PyObject *g
    cdef Value *to
    if vm.frame + 1 >= vm.frames_end:           # CPython runs the start of a generator at the call
        too_deep(vm)
        return NULL
    g = new_generator(func)
    if g == NULL:
        return NULL
    to = (<Generator>g).regs
    for i in range(n):
        value_move(&to[i], &regs[i])
        regs[i].tag = T_UNDEF
    return g

cdef int call_generator(VM *vm, PyThreadState *ts, PyObject *func, Value *args, uint32_t ret) noexcept:
    """A call in the running frame of a generator function with all its arguments in place (moved). See CallResult.

    `await f()` goes on in the coroutine at once.
    """
    cdef Frame *f = vm.frame
    cdef const Instr *ins = f.ip
    cdef PyObject *gen = make_generator(vm, func, args)
    cdef Value v
    if gen == NULL:
        return CALL_ERROR
    v.tag = T_OBJ
    v.u.o = gen
    if ins.op == OP_GET_AWAITABLE and ins.t.abc.b == ret and (<Generator>gen).kind == CODE_COROUTINE \
            and ins[1].op == OP_LOAD_NONE and ins[2].op == OP_YIELD_FROM and ins[2].t.abc.b == ins.a \
            and ins[2].t.abc.c == ins[1].a and ret >= (<Code>f.code).first_temp:
        store(f.regs, ins.a, &v)
        v.tag = T_NONE
        store(f.regs, ins[1].a, &v)
        f.ip = ins + 3
        return CALL_PUSHED if push_generator(vm, ts, gen, NULL) == 0 else CALL_ERROR
    store(f.regs, ret, &v)
    return CALL_DONE

cdef int push_generator(VM *vm, PyThreadState *ts, PyObject *gen, const Value *sent) noexcept:
    """Makes the (created or suspended) generator the running frame. -1 with an exception set.

    sent: what a suspended yield expression gets (copied), or NULL. It is put in place when the generator counts as running
    already: the value that it replaces may have a __del__ that comes back here.
    OWNER RULE: gen is borrowed; the frame holds a reference of its own.
    """
    cdef bint suspended = (<Generator>gen).state == GEN_SUSPENDED
    cdef Value copy
    cdef PyObject *func = <PyObject *>(<Generator>gen).func
    cdef Frame *f
    if (<Generator>gen).state == GEN_RUNNING:
        PyErr_Format(PyExc_ValueError, b"%s already executing", kind_name(gen))
        return -1
    f = push_frame(vm, func, (<Generator>gen).regs, 0)
    if f == NULL:
        return -1
    Py_INCREF(func)
    Py_INCREF(gen)
    f.gen = gen
    f.code = <PyObject *>(<Generator>gen).code       # func.__code__ may have been replaced since
    f.flags = F_GENERATOR
    f.ip = (<Generator>gen).ip
    (<Generator>gen).state = GEN_RUNNING
    (<Generator>gen).delegate = NULL
    (<Generator>gen).exc_state.previous_item = ts.exc_info
    ts.exc_info = &(<Generator>gen).exc_state
    if suspended and sent != NULL:
        value_copy(&copy, sent)
        store(f.regs, (<Generator>gen).resume_reg, &copy)
    return 0

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
    ts.exc_info = (<Generator>gen).exc_state.previous_item
    (<Generator>gen).exc_state.previous_item = NULL
    generator_returned(gen)
    pop_frame(vm, f)
    Py_DECREF(gen)

cdef int deliver_yield(VM *vm, PyThreadState *ts, Value *v) noexcept:
    """The running generator yields *v (moved): goes down to whoever resumed it.

    1: vm.frame goes on executing; 0: the resumer is C code, *v is its value. A generator that delegates to the one that
    yields passes the value on, but what an asynchronous generator itself yields is the result of awaiting it.
    """
    cdef Frame *f = vm.frame
    cdef Frame *g
    cdef const Instr *ins
    cdef PyObject *gen
    cdef bint entry
    while True:
        entry = f.flags & F_ENTRY
        gen = f.gen             # stays alive: who resumed it has a reference
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
        if (<Generator>gen).yielded:
            (<Generator>gen).yielded = 0
            (<Generator>gen).iterating = 0
            if g.flags & F_THROWS:
                end_throw(ts, g)
            close_send(g.regs[ins.t.abc.b].u.o)
            end_delegation(g.regs, ins, v)
            return 1
        # OP_YIELD_FROM: executes again when resumed
        gen = g.gen
        (<Generator>gen).ip = ins
        (<Generator>gen).resume_reg = ins.t.abc.c
        (<Generator>gen).delegate = g.regs[ins.t.abc.b].u.o
        f = g

cdef inline void end_delegation(Value *R, const Instr *ins, Value *v) noexcept:
    """OP_YIELD_FROM is done: *v (moved) is its value."""
    value_clear(&R[ins.t.abc.b])
    value_clear(&R[ins.t.abc.c])
    store(R, ins.a, v)

cdef int deliver_return(VM *vm, PyThreadState *ts, Value *v) noexcept:
    """The running generator returns *v (moved); registers are empty already.

    Results as deliver_yield; -1: an exception is set, to be raised in vm.frame.
    """
    cdef Frame *f = vm.frame
    cdef bint entry = f.flags & F_ENTRY
    cdef bint asynchronous = (<Generator>f.gen).kind == CODE_ASYNC_GENERATOR
    cdef PyObject *gen = f.gen
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
        if f.flags & F_THROWS:
            end_throw(ts, f)
        if asynchronous:
            value_release(v)
            close_send(f.regs[ins.t.abc.b].u.o)
            return async_generator_ended(gen)
        end_delegation(f.regs, ins, v)
    return 1

cdef void end_throw(PyThreadState *ts, Frame *f) noexcept:
    """What an exception was thrown into has ended: the generator of f goes on, and handles what it handled."""
    f.flags &= ~<uint32_t>F_THROWS
    ts.exc_info = &(<Generator>f.gen).exc_state

cdef inline void close_send(PyObject *o) noexcept:
    """What awaited a step of an asynchronous generator is done, if it is an object and not the generator itself."""
    if Py_TYPE(o) == AsyncSendType:
        (<AsyncSend>o).state = AWAITABLE_CLOSED

cdef int push_async_send(VM *vm, PyThreadState *ts, PyObject *o, const Value *sent) noexcept:
    """A step of OP_YIELD_FROM with an AsyncSend: pushes the generator. 1, or -1 with an exception set."""
    cdef PyObject *gen = <PyObject *>(<AsyncSend>o).generator
    cdef Value v
    cdef int status = -1
    if (<AsyncSend>o).state == AWAITABLE_CLOSED:
        PyErr_SetString(PyExc_RuntimeError, b"cannot reuse already awaited __anext__()/asend()")
        return -1
    value_copy(&v, sent)
    if (<AsyncSend>o).state == AWAITABLE_NEW:
        if (<AsyncGenerator>gen).iterating:
            value_release(&v)
            return async_send_step(o, Py_None)
        if v.tag == T_NONE:
            value_borrowed(&v, <PyObject *>(<AsyncSend>o).value)
        (<AsyncSend>o).state = AWAITABLE_STARTED
    (<AsyncGenerator>gen).iterating = 1
    if (<Generator>gen).state == GEN_SUSPENDED:
        status = push_generator(vm, ts, gen, &v)
    else:
        status = start_delegate(vm, ts, gen, &v)
    value_release(&v)
    if status >= 0:
        return 1
    (<AsyncSend>o).state = AWAITABLE_CLOSED
    return async_generator_ended(gen)

cdef int async_send_step(PyObject *o, PyObject *value) noexcept:
    """For the errors of a step that cannot be made: -1."""
    cdef PyObject *r = NULL
    if PyIter_Send(o, value, &r) != PYGEN_ERROR:
        Py_XDECREF(r)
        PyErr_SetString(PyExc_SystemError, b"an asynchronous generator ran twice at a time")
    return -1

cdef inline bint stepped_here(PyObject *o) noexcept:
    """Whether o, which OP_YIELD_FROM delegates to, runs as a frame of this VM."""
    return Py_TYPE(o) == FunctionCoroutineType or Py_TYPE(o) == FunctionGeneratorType \
        or Py_TYPE(o) == FunctionAsyncGeneratorType

cdef PyObject *hook_resume(PyObject *gen, PyObject *value, PyObject *exc, int close, PyObject **result) noexcept:
    """See VMHooks.resume."""
    cdef PyObject *r
    cdef int begun
    if k_get_vm() != NULL:
        return resume_now(gen, value, exc, close, result)
    begun = begin_between_runs(<PyObject *>(<Generator>gen).func)
    result[0] = NULL
    if begun < 0:
        return NULL
    r = resume_now(gen, value, exc, close, result)
    end_between_runs(begun)
    return r

cdef PyObject *resume_now(PyObject *gen, PyObject *value, PyObject *exc, int close, PyObject **result) noexcept:
    cdef VM *vm
    cdef Value v
    cdef PyObject *r
    cdef int status
    if exc != NULL:
        return resume_with_exception(gen, exc, close, result)
    result[0] = NULL
    vm = vm_enter()
    if vm == NULL:
        return NULL
    vm.slice -= 1
    if vm.slice < 0 and slice_ends(vm) < 0:
        vm_leave(vm)
        return NULL
    v.tag = T_NONE
    if value != Py_None:
        value_borrowed(&v, value)
    status = push_generator(vm, PyThreadState_Get(), gen, &v)
    value_release(&v)
    if status < 0:
        vm_leave(vm)
        return NULL
    vm.frame.flags |= F_ENTRY
    vm.yielded = 0
    r = run(vm, 0)
    if r != NULL and not vm.yielded:
        result[0] = r
        r = NULL
    vm.yielded = 0
    vm_leave(vm)
    return r

cdef PyObject *resume_with_exception(PyObject *gen, PyObject *exc, int close, PyObject **result) noexcept:
    cdef PyThreadState *ts = PyThreadState_Get()
    cdef PyObject *r
    cdef VM *vm
    result[0] = NULL
    vm = vm_enter()
    if vm == NULL:
        return NULL
    if <PyObject *>Py_TYPE(exc) == PyExc_KeyboardInterrupt:
        note_interrupt(vm, exc)
    if push_generator(vm, ts, gen, NULL) < 0:
        vm_leave(vm)
        return NULL
    vm.frame.flags |= F_ENTRY
    vm.yielded = 0
    r = throw_into_frames(vm, ts, exc, close)
    if r != NULL and not vm.yielded:
        result[0] = r
        r = NULL
    vm.yielded = 0
    vm_leave(vm)
    return r

cdef PyObject *throw_into_frames(VM *vm, PyThreadState *ts, PyObject *exc, int close) noexcept:
    """Raises exc (borrowed) where the generator that was pushed last stopped. Results of run().

    At a YIELD_FROM that is where its delegate stopped: delegates that are frames of this VM are pushed one after the
    other, so that a long chain of them takes no room on the C stack; another iterator gets the exception by its `throw`.
    """
    cdef Frame *f = vm.frame
    cdef const Instr *ins = f.ip
    cdef PyObject *it
    cdef PyObject *r
    cdef PyObject *o = NULL
    cdef Value v
    if close == 2:
        f.ip = ins + 1
    while ins.op == OP_YIELD_FROM and close != 2:
        it = f.regs[ins.t.abc.b].u.o
        f.ip = ins + 1               # unwinding looks at the instruction before
        if stepped_here(it) and (<Generator>it).state == GEN_SUSPENDED \
                and not (close and PyErr_GivenExceptionMatches(exc, PyExc_GeneratorExit)):
            if push_generator(vm, ts, it, NULL) < 0:
                return run(vm, 1)
            f.flags |= F_THROWS
            # What f handles is no context of what is raised in there, unlike after a send.
            (<Generator>it).exc_state.previous_item = (<Generator>f.gen).exc_state.previous_item
            if (<Generator>it).kind == CODE_ASYNC_GENERATOR:
                close = 1           # a step of `async for` is thrown into by its own `throw`
            f = vm.frame
            ins = f.ip
            continue
        Py_INCREF(it)
        ts.exc_info = (<Generator>f.gen).exc_state.previous_item
        r = delegate_throw(it, exc, close, &o)
        ts.exc_info = &(<Generator>f.gen).exc_state
        Py_DECREF(it)
        if r != NULL:
            (<Generator>f.gen).ip = ins
            (<Generator>f.gen).resume_reg = ins.t.abc.c
            (<Generator>f.gen).delegate = f.regs[ins.t.abc.b].u.o
            value_steal(&v, r)
            if deliver_yield(vm, ts, &v):
                return run(vm, 0)
            vm.yielded = 1
            return value_take(&v)
        if o != NULL:
            # The delegate returned: its value is that of the `yield from`.
            value_steal(&v, o)
            end_delegation(f.regs, ins, &v)
            return run(vm, 0)
        exc = k_take_raised()
        raise_in_generator(f.gen, exc)
        Py_XDECREF(exc)
        return run(vm, 1)
    raise_in_generator(f.gen, exc)
    return run(vm, 1)

cdef void raise_in_generator(PyObject *gen, PyObject *exc) noexcept:
    """Raises exc (borrowed) in the generator: what the generator itself is handling becomes its context."""
    cdef PyObject *handled = (<Generator>gen).exc_state.exc_value
    if handled == NULL or handled == Py_None:
        Py_INCREF(exc)
        k_restore_raised(exc)
    else:
        PyErr_SetObject(<PyObject *>Py_TYPE(exc), exc)

cdef int yield_from(VM *vm, PyThreadState *ts, Value *R, const Instr *ins) noexcept:
    """One step of OP_YIELD_FROM: 1 a delegate frame was pushed, 0 exhausted (R[a] set), 2 *R[a] holds a value to yield,
    -1 error."""
    cdef PyObject *it = R[ins.t.abc.b].u.o
    cdef Value *sent = &R[ins.t.abc.c]
    cdef PyObject *r
    cdef PyObject *o
    cdef Value v
    cdef int status
    if stepped_here(it):
        if (<Generator>it).state == GEN_SUSPENDED:
            status = push_generator(vm, ts, it, sent)
        else:
            status = start_delegate(vm, ts, it, sent)
            if status == 0:
                v.tag = T_NONE
                end_delegation(R, ins, &v)
                return 0
        if status < 0 and (<Generator>it).kind == CODE_ASYNC_GENERATOR:
            async_generator_ended(it)
        return 1 if status >= 0 else -1
    if Py_TYPE(it) == AsyncSendType:
        return push_async_send(vm, ts, it, sent)
    o = value_object(sent)
    if o == NULL:
        return -1
    r = NULL
    status = PyIter_Send(it, o, &r)
    Py_DECREF(o)
    if status == PYGEN_ERROR:
        return -1
    if status == PYGEN_NEXT:
        store_object(R, ins.a, r)
        return 2
    value_steal(&v, r)
    end_delegation(R, ins, &v)
    return 0

cdef int start_delegate(VM *vm, PyThreadState *ts, PyObject *it, Value *sent) noexcept:
    """The first step of OP_YIELD_FROM: 1 pushed, 0 a generator that is exhausted, -1 error."""
    if (<Generator>it).state == GEN_DONE:
        if (<Generator>it).kind == CODE_GENERATOR:
            return 0
        if (<Generator>it).kind == CODE_COROUTINE:
            PyErr_SetString(PyExc_RuntimeError, b"cannot reuse already awaited coroutine")
        return -1               # an asynchronous generator: StopAsyncIteration, by the caller
    if (<Generator>it).state == GEN_CREATED and sent.tag != T_NONE:
        PyErr_Format(PyExc_TypeError, b"can't send non-None value to a just-started %s", kind_name(it))
        return -1
    return 1 if push_generator(vm, ts, it, sent) == 0 else -1
