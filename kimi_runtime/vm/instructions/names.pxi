# Global names and names of module and class bodies.

case LOAD_GLOBAL:
    o = load_global(f, &caches[$c], 0)
    if K_UNLIKELY(o == NULL):
        RAISE
    value_borrowed(&v, o)
    store_at(f, ip, R, $a, &v)
    NEXT

case STORE_GLOBAL:
    ALIVE
    f.ip = ip
    if store_global(f, &caches[$c], &$B, 0) < 0:
        RAISE
    if $b >= ft:
        value_clear(&$B)
    NEXT

case DEL_GLOBAL:
    ALIVE
    f.ip = ip
    if PyDict_DelItem(f.globals, caches[$c].name) < 0:
        if PyErr_ExceptionMatches(PyExc_KeyError):
            PyErr_Clear()
            name_error_global(caches[$c].name)
        RAISE
    NEXT

case LOAD_NAME:
    if f.ns == f.globals:
        o = load_global(f, &caches[$c], 1)
        if o == NULL:
            RAISE
        value_borrowed(&v, o)
    else:
        o = load_name_slow(f, &caches[$c])
        if o == NULL:
            RAISE
        value_steal(&v, o)
    store_at(f, ip, R, $a, &v)
    NEXT

case STORE_NAME:
    ALIVE
    f.ip = ip
    if f.ns == f.globals:
        if store_global(f, &caches[$c], &$B, 1) < 0:
            RAISE
    else:
        o = value_object(&$B)
        if o == NULL:
            RAISE
        status = store_name(f, caches[$c].name, o)
        Py_DECREF(o)
        if status < 0:
            RAISE
    if $b >= ft:
        value_clear(&$B)
    NEXT

case DEL_NAME:
    ALIVE
    f.ip = ip
    if delete_name(f, caches[$c].name) < 0:
        RAISE
    NEXT
