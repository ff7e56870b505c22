# Exceptions and context managers.

case RAISE:
    raise_values(vm, ts, &$A, NULL)
    RAISE

case RAISE_FROM:
    raise_values(vm, ts, &$A, &$B)
    RAISE

case RAISE_CURRENT:
    raise_current(vm, ts)
    RAISE

case RERAISE:
    o = $A.u.o
    $A.tag = T_UNDEF
    e = R[$b + 1]
    R[$b + 1].tag = T_UNDEF
    set_handled(ts, &e)
    value_clear(&R[ins.a + 1])
    value_clear(&$B)
    k_restore_raised(o)
    vm.reraise = 1
    RAISE

case POP_EXC:
    e = R[ins.a + 1]
    R[ins.a + 1].tag = T_UNDEF
    set_handled(ts, &e)
    value_clear(&$A)
    NEXT

case JNEXC_MATCH:
    status = exception_matches(&$A, &$B)
    if status < 0:
        RAISE
    if $b >= ft:
        value_clear(&$B)
    if not status:
        ip += $sc
    NEXT

case EG_MATCH:
    if group_match(&$B, &$C, &e) < 0:
        RAISE
    if $c >= ft and $c != $a:
        value_clear(&$C)
    v = e
    store_at(f, ip, R, $a, &v)
    NEXT

case PREP_RERAISE_STAR:
    o = value_object(&$B)
    if o == NULL:
        RAISE
    p = prepare_reraise(o, $C.u.o)
    Py_DECREF(o)
    if p == NULL:
        RAISE
    if $c >= ft and $c != $a:
        value_clear(&$C)
    store_object(R, $a, p)
    NEXT

case SET_HANDLED:
    value_copy(&v, &$A)
    e = v
    set_handled(ts, &e)
    NEXT

case RAISE_AS_IS:
    o = value_object(&$A)
    value_clear(&$A)
    k_restore_raised(o)
    vm.reraise = 1
    RAISE

case WITH_LOAD, ASYNC_WITH_LOAD:
    if with_load(R, ins, ft, op == OP_ASYNC_WITH_LOAD) < 0:
        RAISE
    NEXT

case WITH_EXCEPT_ARGS:
    o = $B.u.o
    p = <PyObject *>Py_TYPE(o)
    Py_INCREF(p)
    store_object(R, $a, p)
    Py_INCREF(o)
    store_object(R, <uint32_t>$a + 1, o)
    p = PyException_GetTraceback(o)
    if p == NULL:
        p = Py_None
        Py_INCREF(p)
    store_object(R, <uint32_t>$a + 2, p)
    NEXT
