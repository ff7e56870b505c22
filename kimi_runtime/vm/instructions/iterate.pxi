# Loops and unpacking.

case GET_ITER:
    ALIVE
    f.ip = ip
    if get_iter(R, ins, ft) < 0:
        RAISE
    NEXT

case GENEXP_ITER:
    if $B.tag == T_OBJ and (Py_TYPE($B.u.o) == &PyList_Type or Py_TYPE($B.u.o) == &PyTuple_Type
                            or Py_TYPE($B.u.o) == &PyRange_Type or Py_TYPE($B.u.o) == &PyUnicode_Type):
        v = $B
        if $b >= ft:
            $B.tag = T_UNDEF
        else:
            Py_INCREF(v.u.o)
        store_at(f, ip, R, $a, &v)
        NEXT
    o = value_object(&$B)
    if o == NULL:
        RAISE
    f.ip = ip
    p = PyObject_GetIter(o)
    Py_DECREF(o)
    if p == NULL:
        RAISE
    finish2(R, ins, ft, p)
    NEXT

family N = (FOR_LOOP), (FOR_ITER)
case $N$:
    if K_EVEN($A.tag == T_IT_LIST):
        i = R[ins.a + 1].u.i
        if K_LIKELY(i < PyList_GET_SIZE($A.u.o)):
            R[ins.a + 1].u.i = i + 1
            value_borrowed(&v, PyList_GET_ITEM($A.u.o, i))
            store_at(f, ip, R, $b, &v)
            status = 1
        else:
            f.ip = ip
            value_clear(&$A)
            status = 0
    elif K_EVEN($A.tag == T_RANGE):
        i = $A.u.i
        if K_LIKELY((i < R[ins.a + 1].u.i) if K_LIKELY(R[ins.a + 2].u.i > 0) else (i > R[ins.a + 1].u.i)):
            $A.u.i = i + R[ins.a + 2].u.i
            set_int(f, ip, &$B, i)
            status = 1
        else:
            $A.tag = T_UNDEF
            status = 0
    elif K_EVEN($A.tag == T_IT_GEN):
        o = $A.u.o
        if K_UNLIKELY((<Generator>o).state == GEN_DONE):
            f.ip = ip
            value_clear(&$A)
            status = 0
        else:
            e.tag = T_NONE
            f.ip = ip
            if push_generator(vm, ts, o, &e) < 0:
                RAISE
            RELOAD
            TICK
            NEXT
    elif K_EVEN($A.tag >= T_IT_DICT):
        f.ip = ip
        status = special_next(&$A, &e, &e2)
        if status < 0:
            RAISE
        if K_LIKELY(status == 2):
            look = ip + $sc if OP_$N$ == OP_FOR_LOOP else ip
            if K_LIKELY(look.op == OP_UNPACK2) and K_LIKELY(look.t.abc.c == $b) and K_LIKELY($b >= ft):
                # The pair, which nothing else reads, goes to its two targets at once: no tuple is made.
                v = e
                w = e2
                store_at(f, ip, R, look.a, &v)
                store_at(f, ip, R, look.t.abc.b, &w)
                ip = look + 1
                TICK
                NEXT
            o = pair_object(&e, &e2)
            if o == NULL:
                RAISE
            e.tag = T_OBJ
            e.u.o = o
        if status:
            v = e
            store_at(f, ip, R, $b, &v)
    else:
        f.ip = ip
        status = for_next(R, $a, $b)
        if status < 0:
            RAISE
    if OP_$N$ == OP_FOR_LOOP:
        if status:
            ip += $sc
            EDGE
    elif not status:
        ip += $sc
    NEXT

case UNPACK:
    ALIVE
    f.ip = ip
    if unpack(&$B, R, $a, <uint32_t>$a + 1, $c, -1) < 0:
        RAISE
    if $b >= ft and not ($a <= $b < <uint32_t>$a + $c):
        value_clear(&$B)
    NEXT

case UNPACK2:
    if K_LIKELY($C.tag == T_OBJ) and K_LIKELY(Py_TYPE($C.u.o) == &PyTuple_Type) and K_LIKELY(PyTuple_GET_SIZE($C.u.o) == 2):
        o = $C.u.o
        value_borrowed(&v, PyTuple_GET_ITEM(o, 0))
        value_borrowed(&w, PyTuple_GET_ITEM(o, 1))
        if $c >= ft:
            $C.tag = T_UNDEF
            store_at(f, ip, R, $a, &v)
            store_at(f, ip, R, $b, &w)
            Py_DECREF(o)
            NEXT
        store_at(f, ip, R, $a, &v)
        store_at(f, ip, R, $b, &w)
        NEXT
    ALIVE
    f.ip = ip
    if unpack(&$C, R, $a, $b, 2, -1) < 0:
        RAISE
    if $c >= ft and $c != $a and $c != $b:
        value_clear(&$C)
    NEXT

case UNPACK_EX, UNPACK_EX_K:
    j = K[$c].u.i if op == OP_UNPACK_EX_K else $c
    i = (j & 255) + (j >> 8) + 1
    ALIVE
    f.ip = ip
    if unpack(&$B, R, $a, 0, <uint32_t>i, j & 255) < 0:
        RAISE
    if $b >= ft and not ($a <= $b < <uint32_t>$a + i):
        value_clear(&$B)
    NEXT
