# Pattern matching, imports and the rest.

case MATCH_SEQ:
    set_bool(f, ip, &$A, match_flag(&$B, Py_TPFLAGS_SEQUENCE))
    NEXT

case MATCH_MAP:
    set_bool(f, ip, &$A, match_flag(&$B, Py_TPFLAGS_MAPPING))
    NEXT

case MATCH_KEYS, MAP_WITHOUT:
    o = match_helper(op, &$B, &$C)
    if o == NULL:
        RAISE
    if $c >= ft and $c != $a:
        value_clear(&$C)
    store_object(R, $a, o)
    NEXT

case MATCH_CLASS:
    o = match_class_helper(&$B, &$C)
    if o == NULL:
        RAISE
    store_object(R, $a, o)
    NEXT

case GET_LEN:
    o = value_object(&$B)
    if o == NULL:
        RAISE
    i = PyObject_Size(o)
    Py_DECREF(o)
    if i < 0:
        RAISE
    set_int(f, ip, &$A, i)
    NEXT

case IMPORT_NAME:
    ALIVE
    f.ip = ip
    o = import_name_helper(f, caches[$c].name, &$B)
    if o == NULL:
        RAISE
    store_object(R, $a, o)
    NEXT

case IMPORT_FROM:
    ALIVE
    o = import_from_helper(&$B, caches[$c].name)
    if o == NULL:
        RAISE
    store_object(R, $a, o)
    NEXT

case IMPORT_STAR:
    ALIVE
    if import_star_helper(f, &$A) < 0:
        RAISE
    if $a >= ft:
        value_clear(&$A)
    NEXT

case SETUP_ANNOTATIONS:
    if setup_annotations(f) < 0:
        RAISE
    NEXT

case LOAD_ASSERTION_ERROR:
    value_borrowed(&v, PyExc_AssertionError)
    store_at(f, ip, R, $a, &v)
    NEXT

case INTRINSIC:
    ALIVE
    o = intrinsic_helper($c, &$B)
    if o == NULL:
        RAISE
    store_object(R, $a, o)
    NEXT

case SAMPLE:
    # Instead of the instruction ins, which comes after it.
    K_TABLES()
    vm.instructions += <uint64_t>(<int64_t>ins - skew) >> 3
    skew = <int64_t>ins
    before_instruction(vm, ts, ins)
    K_AS_EVER()
    NEXT
