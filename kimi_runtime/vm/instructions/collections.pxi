# Building collections and strings.

case BUILD_LIST:
    o = build_list(&$B, $c)
    if o == NULL:
        RAISE
    v.tag = T_OBJ
    v.u.o = o
    store_at(f, ip, R, $a, &v)
    NEXT

case BUILD_TUPLE:
    if IN_LOOP and K_UNLIKELY(ip.op == OP_BUILD_TUPLE) and $a >= ft:
        # Two tuples that are made to be compared need not be made.
        look = ip + 1
        status = compared_displays(R, ins, ft)
        if status >= 0:
            ip += 2
            f.ip = ip
            clear_registers(&$B, 0, $c)
            clear_registers(&R[(look - 1).t.abc.b], 0, $c)
            ins = look
            if ins.op <= OP_GE:
                set_bool(f, ip, &$A, status)
            elif status == (ins.op < OP_JNEQ):
                i = $sc
                ip += i
                if i < 0:
                    EDGE
            NEXT
    o = build_tuple(&$B, $c)
    if o == NULL:
        RAISE
    v.tag = T_OBJ
    v.u.o = o
    store_at(f, ip, R, $a, &v)
    NEXT

case BUILD_SET:
    f.ip = ip
    o = build_set(&$B, $c)
    if o == NULL:
        RAISE
    store_object(R, $a, o)
    NEXT

case BUILD_MAP:
    f.ip = ip
    o = build_map(&$B, $c)
    if o == NULL:
        RAISE
    store_object(R, $a, o)
    NEXT

case BUILD_STRING:
    o = build_string(&$B, $c)
    if o == NULL:
        RAISE
    store_object(R, $a, o)
    NEXT

case LIST_APPEND:
    if $b >= ft:
        o = value_take(&$B)
    else:
        o = value_object(&$B)
    if o == NULL:
        RAISE
    if list_append($A.u.o, o) < 0:
        RAISE
    NEXT

case SET_ADD:
    o = value_object(&$B)
    if o == NULL:
        RAISE
    f.ip = ip
    status = PySet_Add($A.u.o, o)
    Py_DECREF(o)
    if status < 0:
        RAISE
    if $b >= ft:
        value_clear(&$B)
    NEXT

case MAP_ADD:
    f.ip = ip
    if set_item(&$A, &$B, &$C) < 0:
        RAISE
    if $c >= ft:
        value_clear(&$C)
    if $b >= ft:
        value_clear(&$B)
    NEXT

case LIST_EXTEND, SET_UPDATE, DICT_UPDATE:
    ALIVE
    o = value_object(&$B)
    if o == NULL:
        RAISE
    f.ip = ip
    status = extend(op, $A.u.o, o)
    Py_DECREF(o)
    if status < 0:
        RAISE
    if $b >= ft:
        value_clear(&$B)
    NEXT

case DICT_MERGE:
    o = value_object(&$B)
    if o == NULL:
        RAISE
    f.ip = ip
    status = dict_merge($A.u.o, o, &$C)
    Py_DECREF(o)
    if status < 0:
        RAISE
    if $b >= ft:
        value_clear(&$B)
    NEXT

case LIST_TO_TUPLE:
    o = PyList_AsTuple($B.u.o)
    if o == NULL:
        RAISE
    finish2(R, ins, ft, o)
    NEXT

case FORMAT_VALUE:
    if K_EVEN($c == 4) and $B.tag == T_INT:
        set_int(f, ip, &$A, $B.u.i)
        NEXT
    f.ip = ip
    o = format_value(&$B, $c)
    if o == NULL:
        RAISE
    finish2(R, ins, ft, o)
    NEXT

case CONVERT:
    o = convert_value(&$B, $c)
    if o == NULL:
        RAISE
    finish2(R, ins, ft, o)
    NEXT

case FORMAT_SPEC:
    o = value_object(&$B)
    if o == NULL:
        RAISE
    f.ip = ip
    p = PyObject_Format(o, $C.u.o)
    Py_DECREF(o)
    if p == NULL:
        RAISE
    finish3(R, ins, ft, p)
    NEXT
