# Calls, returns, functions, generators.

family N, M = (CALL, 0), (CALL_METHOD, 1)
case $N$:
    site = &caches[$c]
    slot = &$B
    f.ip = ip
    if K_LIKELY(slot.tag == T_OBJ) and K_EVEN(Py_TYPE(slot.u.o) == FunctionType) and K_LIKELY(site.name == NULL):
        # A guest function whose arguments are in place already: the frame is pushed right here.
        o = slot.u.o
        p = <PyObject *>(<Function>o).code
        i = site.nargs
        if $M$:
            slot += 1
            if K_LIKELY(slot.tag != T_UNDEF):
                i += 1
                slot -= 1
        slot += 1
        if K_LIKELY((<Code>p).call_kind == K_SIMPLE) and K_LIKELY(f + 1 < vm.frames_end) \
                and K_LIKELY((slot if K_LIKELY(not f.flags & F_GENERATOR) else f.top) + (<Code>p).nregs <= vm.watermark) \
                and (K_LIKELY(i == (<Code>p).npos) or (not f.flags & F_GENERATOR and fill_defaults(o, slot, i))):
            $B.tag = T_UNDEF
            if K_UNLIKELY(f.flags & F_GENERATOR):
                slot = moved_values(f.top, slot, i)         # the caller's registers are on the heap, the callee's on the stack
            for i in range((<Code>p).npos, (<Code>p).nlocals):
                slot[i].tag = T_UNDEF
            f += 1
            vm.frame = f
            f.regs = slot
            f.code = p
            f.func = o
            f.globals = <PyObject *>(<Function>o).globals
            f.builtins = <PyObject *>(<Function>o).builtins
            f.ns = NULL
            f.flags = 0
            f.ret = $a
            f.top = slot + (<Code>p).nregs
            R = slot
            ip = (<Code>p).instrs
            K = (<Code>p).consts
            caches = (<Code>p).caches
            ft = (<Code>p).first_temp
            f.ip = ip
            TICK
            NEXT
        if (<Code>p).call_kind == K_GENERATOR and i == (<Code>p).npos:
            $B.tag = T_UNDEF
            status = call_generator(vm, ts, o, slot, $a)
            Py_DECREF(o)
            if status < 0:
                RAISE
            if status == CALL_PUSHED:
                RELOAD
                TICK
            NEXT
    ALIVE
    if K_LIKELY(slot.tag == T_OBJ) and K_LIKELY(site.counter != 0) and K_LIKELY(site.name == NULL) \
            and K_LIKELY(Py_TYPE(slot.u.o) != FunctionType):
        o = slot.u.o
        if K_LIKELY(site.aux2 == <void *>o):
            if $M$ and K_EVEN(site.kind == N_APPEND) and site.nargs == 1 and K_LIKELY(slot[1].tag == T_OBJ) \
                    and K_LIKELY(Py_TYPE(slot[1].u.o) == &PyList_Type):
                p = value_take(&slot[2])
                if p == NULL or list_append(slot[1].u.o, p) < 0:
                    RAISE
                slot.tag = T_UNDEF
                Py_DECREF(o)
                value_clear(&slot[1])
                v.tag = T_NONE
                v.u.i = 0
                store_at(f, ip, R, $a, &v)
                NEXT
            if not $M$ and site.kind == N_GETATTR and slot[1].tag == T_OBJ and slot[2].tag == T_OBJ and site.nargs == 2:
                p = cached_getattr(slot[1].u.o, slot[2].u.o)
                if p != NULL:
                    value_borrowed(&v, p)
                    slot.tag = T_UNDEF
                    Py_DECREF(o)
                    value_clear(&slot[1])
                    value_clear(&slot[2])
                    store_at(f, ip, R, $a, &v)
                    NEXT
            if $M$ and not hooks.stepping and <uint16_t>(site.kind - N_METHOD - N_TAKES_NONE) <= N_TAKES_KEYWORDS - N_TAKES_NONE:
                status = call_short_method(R, slot, site, $a)
            else:
                status = call_learned(R, slot, site, $a, $M$)
            if K_LIKELY(status == CALL_DONE):
                NEXT
            if status < 0:
                RAISE
        if Py_TYPE(o) == &PyMethodDescr_Type or Py_TYPE(o) == &PyCFunction_Type:
            status = call_builtin(R, slot, site, $a, $M$)
            if status < 0:
                RAISE
            if status == CALL_DONE:
                NEXT
    status = call_value(vm, R, $b, site.nargs, site.name, $a, site, $M$)
    if status < 0:
        RAISE
    if status == CALL_PUSHED:
        RELOAD
        TICK
    elif status == CALL_SKIPPED:
        ip = f.ip
    NEXT

case CALL_EX:
    ALIVE
    f.ip = ip
    status = call_ex(vm, R, ins)
    if status < 0:
        RAISE
    if status == CALL_PUSHED:
        RELOAD
        TICK
    NEXT

family N = (RETURN), (RETURN_NONE)
case $N$:
    if OP_$N$ == OP_RETURN:
        v = $A
        $A.tag = T_UNDEF
    else:
        v.tag = T_NONE
        v.u.i = 0
    release_registers(R, ft)
    if K_LIKELY(f.flags == 0):
        status = f.ret
        o = f.func
        p = f.ns
        f -= 1
        vm.frame = f
        R = f.regs
        ip = f.ip
        K = (<Code>f.code).consts
        caches = (<Code>f.code).caches
        ft = (<Code>f.code).first_temp
        slot = &R[status]
        w = slot[0]
        slot[0] = v
        Py_DECREF(o)
        if K_UNLIKELY(p != NULL):
            Py_DECREF(p)
        value_release(&w)
        NEXT
    if f.flags & F_INIT:
        if v.tag != T_NONE:
            e = v
            bad_init_return(&e)
            f.ip = ip
            # Reported in the caller, like CPython's.
            pop_frame(vm, f)
            f = vm.frame
            ip = f.ip
            RAISE
        v.tag = T_OBJ
        v.u.o = f.ns
        f.ns = NULL
        status = f.ret
        pop_frame(vm, f)
        RELOAD
        store_at(f, ip, R, <uint32_t>status, &v)
        NEXT
    if f.flags & F_GENERATOR:
        e = v
        status = deliver_return(vm, ts, &e)
        if status < 0:
            f = vm.frame        # raised there
            ip = f.ip
            RAISE
        if status:
            RELOAD
            NEXT
        vm.instructions += <uint64_t>(<int64_t>ip - skew) >> 3
        return value_take(&e)
    pop_frame(vm, f)
    vm.instructions += <uint64_t>(<int64_t>ip - skew) >> 3
    return value_take(&v)

case MAKE_FUNCTION:
    o = make_function(f, R, ins, K)
    if o == NULL:
        RAISE
    v.tag = T_OBJ
    v.u.o = o
    store_at(f, ip, R, $a, &v)
    NEXT

case LOAD_BUILD_CLASS:
    o = PyDict_GetItemWithError(f.builtins, <PyObject *>STR_BUILD_CLASS)
    if o == NULL:
        if PyErr_Occurred() == NULL:
            PyErr_SetString(PyExc_NameError, b"__build_class__ not found")
        RAISE
    value_borrowed(&v, o)
    store_at(f, ip, R, $a, &v)
    NEXT

case LOAD_LOCALS:
    o = f.ns
    if o == NULL:
        PyErr_SetString(PyExc_SystemError, b"no locals")
        RAISE
    value_borrowed(&v, o)
    store_at(f, ip, R, $a, &v)
    NEXT

case YIELD:
    v = $B
    if $b >= ft:
        $B.tag = T_UNDEF
    elif v.tag & T_OWNED:
        Py_INCREF(v.u.o)
    (<Generator>f.gen).ip = ip
    (<Generator>f.gen).resume_reg = $a
    (<Generator>f.gen).yielded = (<Generator>f.gen).kind == CODE_ASYNC_GENERATOR
    e = v
    if deliver_yield(vm, ts, &e):
        RELOAD
        TICK
        NEXT
    vm.instructions += <uint64_t>(<int64_t>ip - skew) >> 3
    vm.yielded = 1
    return value_take(&e)

case GET_YIELD_FROM_ITER:
    o = value_object(&$B)
    if o == NULL:
        RAISE
    p = yield_from_iterator(f.code, o)
    Py_DECREF(o)
    if p == NULL:
        RAISE
    if $b >= ft and $b != $a:
        value_clear(&$B)
    v.tag = T_OBJ
    v.u.o = p
    store_at(f, ip, R, $a, &v)
    NEXT

case YIELD_FROM:
    ALIVE
    f.ip = ip
    status = yield_from(vm, ts, R, ins)
    if status < 0:
        RAISE
    if status == 1:
        RELOAD
        TICK
        NEXT
    if status == 0:
        NEXT
    v = $A
    $A.tag = T_UNDEF
    (<Generator>f.gen).ip = ins
    (<Generator>f.gen).resume_reg = $c
    (<Generator>f.gen).delegate = $B.u.o
    e = v
    if deliver_yield(vm, ts, &e):
        RELOAD
        TICK
        NEXT
    vm.instructions += <uint64_t>(<int64_t>ip - skew) >> 3
    vm.yielded = 1
    return value_take(&e)

case GET_AWAITABLE:
    f.ip = ip
    if $B.tag == T_OBJ and Py_TYPE($B.u.o) == FunctionCoroutineType and $b >= ft \
            and (<Generator>$B.u.o).state == GEN_CREATED:
        v = $B
        $B.tag = T_UNDEF
        store_at(f, ip, R, $a, &v)
        NEXT
    o = get_awaitable(&$B, $c)
    if o == NULL:
        RAISE
    finish2(R, ins, ft, o)
    NEXT

case GET_AITER:
    f.ip = ip
    o = get_async_iterator(&$B)
    if o == NULL:
        RAISE
    finish2(R, ins, ft, o)
    NEXT

case GET_ANEXT:
    f.ip = ip
    o = get_async_next($B.u.o)
    if o == NULL:
        RAISE
    store_object(R, $a, o)
    NEXT

case JEND_ASYNC_FOR:
    if PyErr_GivenExceptionMatches($A.u.o, PyExc_StopAsyncIteration):
        ip += $imm
    NEXT
