# Moves, constants, cells. See the opcode table for what each does.

case NOP:
    NEXT

case MOVE:
    v = $B
    if $b >= ft:
        $B.tag = T_UNDEF
    elif v.tag & T_OWNED:
        Py_INCREF(v.u.o)
    store_at(f, ip, R, $a, &v)
    NEXT

case DUP:
    v = $B
    if v.tag & T_OWNED:
        Py_INCREF(v.u.o)
    store_at(f, ip, R, $a, &v)
    NEXT

case LOADK:
    v = K[$imm]
    if v.tag & T_OWNED:
        Py_INCREF(v.u.o)
    store_at(f, ip, R, $a, &v)
    NEXT

case LOAD_INT:
    set_int(f, ip, &$A, $imm)
    NEXT

case LOAD_NONE:
    v.tag = T_NONE
    v.u.i = 0       # left unset, it would be live between instructions, and so lie in memory in all of them
    store_at(f, ip, R, $a, &v)
    NEXT

case LOAD_BOOL:
    set_bool(f, ip, &$A, $b)
    NEXT

case CLEAR:
    f.ip = ip
    clear_registers(R, $a, <uint32_t>$a + $b)
    NEXT

case CHECK:
    if K_LIKELY($A.tag != T_UNDEF):
        NEXT
    unbound_variable(f, $a, $b)
    RAISE

case DEL_LOCAL:
    if $A.tag != T_UNDEF:
        f.ip = ip
        value_clear(&$A)
        NEXT
    unbound_variable(f, $a, 0)
    RAISE

case MAKE_CELL:
    if make_cell(&$A) < 0:
        RAISE
    NEXT

case LOAD_CELL:
    slot = &(<Cell>$B.u.o).value
    if K_UNLIKELY(slot.tag == T_UNDEF):
        unbound_variable(f, $b, $c)
        RAISE
    value_copy(&v, slot)
    store_at(f, ip, R, $a, &v)
    NEXT

case STORE_CELL:
    ALIVE
    v = $B
    if $b >= ft:
        $B.tag = T_UNDEF
    elif v.tag & T_OWNED:
        Py_INCREF(v.u.o)
    store_at(f, ip, &(<Cell>$A.u.o).value, 0, &v)
    NEXT

case DEL_CELL:
    ALIVE
    slot = &(<Cell>$A.u.o).value
    if slot.tag == T_UNDEF:
        unbound_variable(f, $a, 0)
        RAISE
    f.ip = ip
    value_clear(slot)
    NEXT

case LOAD_FREE:
    slot = &(<Cell>PyTuple_GET_ITEM(<PyObject *>(<Function>f.func).closure, $b)).value
    if K_UNLIKELY(slot.tag == T_UNDEF) and not resolve_class_cell(PyTuple_GET_ITEM(<PyObject *>(<Function>f.func).closure, $b)):
        unbound_free(PyTuple_GET_ITEM(<PyObject *>(<Code>f.code).free_names, $b))
        RAISE
    value_copy(&v, slot)
    store_at(f, ip, R, $a, &v)
    NEXT

case STORE_FREE:
    ALIVE
    v = $B
    if $b >= ft:
        $B.tag = T_UNDEF
    elif v.tag & T_OWNED:
        Py_INCREF(v.u.o)
    store_at(f, ip, &(<Cell>PyTuple_GET_ITEM(<PyObject *>(<Function>f.func).closure, $a)).value, 0, &v)
    NEXT

case DEL_FREE:
    ALIVE
    slot = &(<Cell>PyTuple_GET_ITEM(<PyObject *>(<Function>f.func).closure, $a)).value
    if slot.tag == T_UNDEF:
        unbound_free(PyTuple_GET_ITEM(<PyObject *>(<Code>f.code).free_names, $a))
        RAISE
    f.ip = ip
    value_clear(slot)
    NEXT

case GET_FREE_CELL:
    o = PyTuple_GET_ITEM(<PyObject *>(<Function>f.func).closure, $b)
    Py_INCREF(o)
    v.tag = T_OBJ
    v.u.o = o
    store_at(f, ip, R, $a, &v)
    NEXT

case LOAD_CLASS_FREE, LOAD_CLASS_CELL:
    site = &caches[$c]
    o = class_namespace_get(f, site.name)
    if o == NULL:
        if PyErr_Occurred() != NULL:
            RAISE
        if op == OP_LOAD_CLASS_CELL:
            slot = &(<Cell>$B.u.o).value
        else:
            slot = &(<Cell>PyTuple_GET_ITEM(<PyObject *>(<Function>f.func).closure, $b)).value
        if slot.tag == T_UNDEF:
            unbound_free(site.name)
            RAISE
        value_copy(&v, slot)
    else:
        value_steal(&v, o)
    store_at(f, ip, R, $a, &v)
    NEXT
