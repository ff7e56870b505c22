# Attributes and subscripts.

case LOAD_ATTR:
    site = &caches[$c]
    if K_LIKELY($B.tag == T_OBJ):
        o = $B.u.o
        p = cached_attr(site, o)
        if K_LIKELY(p != NULL):
            value_borrowed(&v, p)
            if $b >= ft and $b != $a:
                value_clear(&$B)
            store_at(f, ip, R, $a, &v)
            NEXT
        if site.kind == A_PROPERTY and k_type_version(Py_TYPE(o)) == site.version:
            p = property_getter(<PyObject *>site.target)
            if p == NULL or Py_TYPE(p) != FunctionType:
                site.kind = A_NONE
        if site.kind == A_PROPERTY and k_type_version(Py_TYPE(o)) == site.version:
            # The getter runs in this loop, in a window above the frame.
            slot = f.top
            if slot + 2 <= vm.watermark:
                Py_INCREF(o)
                Py_INCREF(p)
                if $b >= ft and $b != $a:
                    value_clear(&$B)
                slot.tag = T_OBJ
                slot.u.o = o
                f.ip = ip
                status = call_function(vm, p, slot, 1, NULL, $a)
                if status < 0:
                    RAISE
                if status == CALL_PUSHED:
                    RELOAD
                    TICK
                NEXT
            elif grow_stack(vm, slot + 2) < 0:
                RAISE
            if hooks.stepping:
                ip = ins
                NEXT
        if (site.kind != A_PROPERTY and site.kind != A_DESCRIPTOR) or k_type_version(Py_TYPE(o)) != site.version:
            # A getter runs in this loop, in a run that can be suspended also at the first time.
            if remember_attr(site, o) or (hooks.stepping and found_property(o, site)):
                ip = ins
                NEXT
    o = value_object(&$B)
    if o == NULL:
        RAISE
    f.ip = ip
    p = get_attr(o, site)
    Py_DECREF(o)
    if p == NULL:
        RAISE
    finish2(R, ins, ft, p)
    NEXT

case TRY_GETATTR:
    site = &caches[ip.t.abc.c]
    if K_LIKELY($B.tag == T_OBJ) and K_LIKELY($C.tag == T_OBJ) and K_LIKELY(site.kind == C_BUILTIN) \
            and K_LIKELY(k_dict_version(f.globals) == site.version) and K_LIKELY(k_dict_version(f.builtins) == site.version2) \
            and K_LIKELY(k_dict_value_at(f.builtins, site.index) == native_callees[<int>N_GETATTR]):
        o = $B.u.o
        site = getattr_record(o, $C.u.o)
        if K_LIKELY(site.name == $C.u.o):
            p = cached_attr(site, o)
            if K_LIKELY(p != NULL):
                value_borrowed(&v, p)
                store_at(f, ip, R, $a, &v)
                ip += 4
    NEXT

case STORE_ATTR:
    ALIVE
    site = &caches[$c]
    if K_EVEN(not $B.tag & T_OWNED) and K_LIKELY($A.tag == T_OBJ) and stored_number($A.u.o, &$B, site):
        if $a >= ft:
            value_clear(&$A)
        NEXT
    if $b >= ft:
        p = value_take(&$B)
    else:
        p = value_object(&$B)
    if p == NULL:
        RAISE
    f.ip = ip
    if K_LIKELY($A.tag == T_OBJ):
        o = $A.u.o
        if K_UNLIKELY(not try_store(o, p, site)) and store_attr_slow(o, p, site) < 0:
            RAISE
    else:
        o = value_object(&$A)
        if o == NULL:
            Py_DECREF(p)
            RAISE
        status = store_attr_slow(o, p, site)
        Py_DECREF(o)
        if status < 0:
            RAISE
    if $a >= ft:
        value_clear(&$A)
    NEXT

case DEL_ATTR:
    ALIVE
    f.ip = ip
    o = value_object(&$A)
    if o == NULL:
        RAISE
    status = gate_store(o, caches[$c].name, NULL) if gate_guards_store(o, caches[$c].name) \
        else PyObject_SetAttr(o, caches[$c].name, NULL)
    Py_DECREF(o)
    if status < 0:
        RAISE
    if $a >= ft:
        value_clear(&$A)
    NEXT

case LOAD_METHOD:
    site = &caches[$c]
    if K_LIKELY($B.tag == T_OBJ):
        o = $B.u.o
        if K_LIKELY(method_hit(site, o)):
            # self: moved out of a temporary, copied from a local
            if $b >= ft:
                $B.tag = T_UNDEF
            else:
                Py_INCREF(o)
            v.tag = T_OBJ
            v.u.o = <PyObject *>site.target
            Py_INCREF(v.u.o)
            store_at(f, ip, R, $a, &v)
            v.tag = T_OBJ
            v.u.o = o
            store_at(f, ip, R, <uint32_t>$a + 1, &v)
            NEXT
    f.ip = ip
    if load_method(R, ins, ft, &caches[$c]) < 0:
        RAISE
    NEXT

case LOAD_SUPER_METHOD:
    if load_super_method(vm, f, R, $a, &caches[$c]) < 0:
        RAISE
    NEXT

case GET_ITEM:
    if K_LIKELY($B.tag == T_OBJ) and K_EVEN($C.tag == T_INT) and K_LIKELY(Py_TYPE($B.u.o) == &PyList_Type):
        o = list_item($B.u.o, $C.u.i)
        if K_LIKELY(o != NULL):
            value_borrowed(&v, o)
            if $b >= ft and $b != $a:
                value_clear(&$B)
            store_at(f, ip, R, $a, &v)
            NEXT
    f.ip = ip
    if $B.tag == T_OBJ and K_UNLIKELY(k_flags_of(Py_TYPE($B.u.o)) & K_MADE):
        status = call_getitem(vm, f, &$B, $b >= ft, &$C, $c >= ft and $c != $b, $a)
        if status != NO_CALL:
            if status < 0:
                RAISE
            if status == CALL_PUSHED:
                RELOAD
                TICK
            NEXT
    if get_item(&$B, &$C, &e) < 0:
        RAISE
    v = e
    if $b >= ft and $b != $a:
        value_clear(&$B)
    if $c >= ft and $c != $a:
        value_clear(&$C)
    store_at(f, ip, R, $a, &v)
    NEXT

case GET_ITEM_I:
    if K_LIKELY($B.tag == T_OBJ):
        o = NULL
        if K_EVEN(Py_TYPE($B.u.o) == &PyList_Type):
            o = list_item($B.u.o, $sc)
        elif K_LIKELY(Py_TYPE($B.u.o) == &PyTuple_Type):
            o = tuple_item($B.u.o, $sc)
        if K_LIKELY(o != NULL):
            value_borrowed(&v, o)
            if $b >= ft and $b != $a:
                value_clear(&$B)
            store_at(f, ip, R, $a, &v)
            NEXT
    e2.tag = T_INT
    e2.u.i = $sc
    f.ip = ip
    if $B.tag == T_OBJ and K_UNLIKELY(k_flags_of(Py_TYPE($B.u.o)) & K_MADE):
        status = call_getitem(vm, f, &$B, $b >= ft, &e2, False, $a)
        if status != NO_CALL:
            if status < 0:
                RAISE
            if status == CALL_PUSHED:
                RELOAD
                TICK
            NEXT
    if get_item(&$B, &e2, &e) < 0:
        RAISE
    v = e
    if $b >= ft and $b != $a:
        value_clear(&$B)
    store_at(f, ip, R, $a, &v)
    NEXT

case GET_ITEM_K:
    if K_LIKELY($B.tag == T_OBJ) and K_LIKELY(Py_TYPE($B.u.o) == &PyDict_Type) and K_LIKELY(K[$c].tag == T_OBJ) \
            and K_LIKELY(Py_TYPE(K[$c].u.o) == &PyUnicode_Type):
        p = dict_entry($B.u.o, K[$c].u.o)
        if K_LIKELY(p != NULL):
            value_borrowed(&v, p)
            if $b >= ft and $b != $a:
                value_clear(&$B)
            store_at(f, ip, R, $a, &v)
            NEXT
    f.ip = ip
    if $B.tag == T_OBJ and K_UNLIKELY(k_flags_of(Py_TYPE($B.u.o)) & K_MADE):
        status = call_getitem(vm, f, &$B, $b >= ft, &K[$c], False, $a)
        if status != NO_CALL:
            if status < 0:
                RAISE
            if status == CALL_PUSHED:
                RELOAD
                TICK
            NEXT
    if get_item(&$B, &K[$c], &e) < 0:
        RAISE
    v = e
    if $b >= ft and $b != $a:
        value_clear(&$B)
    store_at(f, ip, R, $a, &v)
    NEXT

case SET_ITEM:
    ALIVE
    if K_LIKELY($A.tag == T_OBJ) and K_EVEN($B.tag == T_INT) and K_LIKELY(Py_TYPE($A.u.o) == &PyList_Type) \
            and K_LIKELY(<uint64_t>$B.u.i < <uint64_t>PyList_GET_SIZE($A.u.o)):
        p = PyList_GET_ITEM($A.u.o, $B.u.i)
        if K_EVEN(not $C.tag & T_OWNED) and rewrite_number(p, &$C):
            if $a >= ft:
                value_clear(&$A)
            NEXT
        if $c >= ft:
            o = value_take(&$C)
        else:
            o = value_object(&$C)
        if o == NULL:
            RAISE
        p = PyList_GET_ITEM($A.u.o, $B.u.i)
        PyList_SET_ITEM($A.u.o, $B.u.i, o)
        release_at(f, ip, p)
        if $a >= ft:
            value_clear(&$A)
        NEXT
    f.ip = ip
    if set_item(&$A, &$B, &$C) < 0:
        RAISE
    if $c >= ft:
        value_clear(&$C)
    if $b >= ft:
        value_clear(&$B)
    if $a >= ft:
        value_clear(&$A)
    NEXT

case DEL_ITEM:
    ALIVE
    f.ip = ip
    if delete_item(&$A, &$B) < 0:
        RAISE
    if $b >= ft:
        value_clear(&$B)
    if $a >= ft:
        value_clear(&$A)
    NEXT

case BUILD_SLICE:
    # The slice object goes to the next instruction alone: with plain bounds there need be none.
    if ip.op == OP_GET_ITEM and ip.t.abc.c == $a and $a >= ft:
        slot = &R[ip.t.abc.b]
        status = take_slice(slot, &$B, $c, &e)
        if status != 0:
            ins = ip
            ip += 1
            f.ip = ip
            if status < 0:
                RAISE
            v = e
            clear_registers(&R[(ins - 1).t.abc.b], 0, (ins - 1).t.abc.c)
            if $b >= ft and $b != $a:
                value_clear(slot)
            store_at(f, ip, R, $a, &v)
            NEXT
    elif ip.op == OP_SET_ITEM and $c == 2 and ip.t.abc.b == $a and $a >= ft:
        slot = &R[ip.a]
        f.ip = ip + 1
        status = put_slice(slot, &$B, &R[ip.t.abc.c])
        if status != 0:
            clear_registers(&$B, 0, 2)
            ins = ip
            ip += 1
            if status < 0:
                RAISE
            if $c >= ft:
                value_clear(&$C)
            if $a >= ft:
                value_clear(slot)
            NEXT
    o = build_slice(&$B, $c)
    if o == NULL:
        RAISE
    store_object(R, $a, o)
    NEXT
