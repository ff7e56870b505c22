# Subscripts, with the exact built-in containers first. Owner rule: see operators.pxi.

cdef inline PyObject *list_item(PyObject *o, int64_t i) noexcept:
    """Borrowed item of an exact list, or NULL without exception when out of range."""
    cdef Py_ssize_t n = PyList_GET_SIZE(o)
    if i < 0:
        i += n
    if K_LIKELY(<uint64_t>i < <uint64_t>n):
        return PyList_GET_ITEM(o, i)
    return NULL

cdef inline PyObject *tuple_item(PyObject *o, int64_t i) noexcept:
    cdef Py_ssize_t n = PyTuple_GET_SIZE(o)
    if i < 0:
        i += n
    if K_LIKELY(<uint64_t>i < <uint64_t>n):
        return PyTuple_GET_ITEM(o, i)
    return NULL

cdef inline int dict_find(PyObject *d, const Value *key, PyObject ***slot) noexcept:
    """Finds the entry of an exact dict for an int or str key: K_FOUND (*slot set), K_MISSING, K_GIVE_UP."""
    if K_EVEN(key.tag == T_INT):
        return k_dict_find_int(d, key.u.i, slot)
    if K_EVEN(key.tag == T_OBJ) and K_LIKELY(Py_TYPE(key.u.o) == &PyUnicode_Type):
        return k_dict_find_str(d, key.u.o, slot)
    return K_GIVE_UP

cdef PyObject *dict_entry(PyObject *d, PyObject *key) noexcept:
    """What an exact dict has for a str: borrowed, or NULL without an exception."""
    cdef PyObject **found
    return found[0] if k_dict_find_str(d, key, &found) == K_FOUND else NULL

cdef enum:
    NO_CALL = 2

cdef int call_getitem(VM *vm, Frame *f, Value *b, bint take_b, const Value *c, bint take_c, uint16_t ret) noexcept:
    """R[ret] = b[c] where the class of b has a guest function as __getitem__: its frame is run by the loop that asks.

    CALL_PUSHED or CALL_DONE; CALL_ERROR with an exception set; NO_CALL where it is not so. take_b, take_c: the operand is a
    temporary, and is moved.
    OWNER RULE: the operands stay the caller's unless they are taken, and then are on success and failure of the call.
    """
    cdef PyObject *getter = _PyType_Lookup(Py_TYPE(b.u.o), <PyObject *>STR_GETITEM)
    cdef Value *slot = f.top
    if getter == NULL or Py_TYPE(getter) != FunctionType:
        return NO_CALL
    if slot + 2 > vm.watermark and grow_stack(vm, slot + 2) < 0:
        return CALL_ERROR
    Py_INCREF(getter)
    if take_b:
        value_move(slot, b)
        b.tag = T_UNDEF
    else:
        value_copy(slot, b)
    if take_c:
        value_move(&slot[1], c)
        (<Value *>c).tag = T_UNDEF
    else:
        value_copy(&slot[1], c)
    return call_function(vm, getter, slot, 2, NULL, ret)

cdef enum:
    SHORT_SLICE = 4096          # items: more of them are for the guarded slot, which asks what it costs

cdef bint slice_bounds(const Value *bounds, Py_ssize_t length, Py_ssize_t step, Py_ssize_t *start, Py_ssize_t *stop) noexcept:
    """Start and stop of a slice whose bounds are ints and None, within the length; 0 when they are something else."""
    start[0] = 0 if step > 0 else PY_SSIZE_T_MAX
    stop[0] = PY_SSIZE_T_MAX if step > 0 else PY_SSIZE_T_MIN
    if bounds[0].tag == T_INT:
        start[0] = bounds[0].u.i
    elif bounds[0].tag != T_NONE:
        return 0
    if bounds[1].tag == T_INT:
        stop[0] = bounds[1].u.i
    elif bounds[1].tag != T_NONE:
        return 0
    return PySlice_AdjustIndices(length, start, stop, step) <= SHORT_SLICE

cdef int take_slice(const Value *b, const Value *bounds, uint32_t n, Value *out) noexcept:
    """*out (a dead slot) = b[bounds[0]:bounds[1]] (n is 2; 3: and [:bounds[2]]) without a slice object: 1; 0 when it is not this
    simple, -1 with an exception. Operands are borrowed; what out gets is owned."""
    cdef PyObject *o
    cdef PyObject *r = NULL
    cdef PyTypeObject *t
    cdef Py_ssize_t start, stop, length
    cdef Py_ssize_t step = 1
    if b.tag != T_OBJ:
        return 0
    o = b.u.o
    t = Py_TYPE(o)
    if n == 3:
        step = -1
        if t != &PyList_Type or bounds[2].tag != T_INT or bounds[2].u.i != step:
            return 0
    if t == &PyUnicode_Type:
        length = PyUnicode_GET_LENGTH(o)
    elif t == &PyList_Type:
        length = PyList_GET_SIZE(o)
    elif t == &PyTuple_Type:
        length = PyTuple_GET_SIZE(o)
    else:
        return 0
    if not slice_bounds(bounds, length, step, &start, &stop):
        return 0
    length = (stop - start) * step
    if length < 0:
        length = 0
    if look_at_alarm() == 0:
        if t == &PyUnicode_Type:
            r = PyUnicode_Substring(o, start, start + length)
        elif t == &PyTuple_Type:
            r = PyTuple_GetSlice(o, start, start + length)
        else:
            r = PyList_New(length)
    if r == NULL:
        return -1
    if t == &PyList_Type and not copy_items(o, start, step, r):
        Py_DECREF(r)
        return 0
    out.tag = T_OBJ
    out.u.o = r
    return 1

cdef bint copy_items(PyObject *source, Py_ssize_t start, Py_ssize_t step, PyObject *to) noexcept:
    """Fills a new list from items of another; 0 when they are not there: making the new one may have run a finalizer."""
    cdef Py_ssize_t n = PyList_GET_SIZE(to), i
    cdef PyObject *item
    if n and (start + n - 1 if step > 0 else start) >= PyList_GET_SIZE(source):
        return 0
    for i in range(n):
        item = PyList_GET_ITEM(source, start + i * step)
        Py_INCREF(item)
        PyList_SET_ITEM(to, i, item)
    return 1

cdef int put_slice(const Value *a, const Value *bounds, const Value *c) noexcept:
    """a[bounds[0]:bounds[1]] = c for lists: 1; 0 when it is not this simple, -1 with an exception. All are borrowed."""
    cdef PyObject *o
    cdef Py_ssize_t start, stop
    if a.tag != T_OBJ or c.tag != T_OBJ or Py_TYPE(a.u.o) != &PyList_Type or Py_TYPE(c.u.o) != &PyList_Type \
            or PyList_GET_SIZE(a.u.o) > SHORT_SLICE or PyList_GET_SIZE(c.u.o) > SHORT_SLICE:
        return 0                # what is behind the slice is moved too
    o = a.u.o
    if not slice_bounds(bounds, PyList_GET_SIZE(o), 1, &start, &stop):
        return 0
    if look_at_alarm() < 0:
        return -1
    return 1 if PyList_SetSlice(o, start, stop if stop > start else start, c.u.o) == 0 else -1

cdef int get_item(const Value *b, const Value *c, Value *out) noexcept:
    """*out (a dead slot) = b[c]; operands are borrowed. -1 with an exception set."""
    cdef PyObject *o
    cdef PyObject *r
    cdef PyObject *ob
    cdef PyObject *oc
    cdef PyObject *k
    cdef PyTypeObject *t
    cdef PyObject **found
    cdef int64_t i
    cdef int number
    if b.tag == T_OBJ:
        o = b.u.o
        t = Py_TYPE(o)
        if t == &PyDict_Type:
            if dict_find(o, c, &found) == K_FOUND:
                value_borrowed(out, found[0])
                return 0
            k = operand(c, &oc)
            if k == NULL:
                return -1
            r = PyDict_GetItemWithError(o, k)
            if r != NULL:
                value_borrowed(out, r)
            elif PyErr_Occurred() == NULL:
                set_key_error(k)
            Py_XDECREF(oc)
            return 0 if r != NULL else -1
        if k_reads_as_dict(t):
            if dict_find(o, c, &found) == K_FOUND:
                value_borrowed(out, found[0])
                return 0
        elif c.tag == T_INT:
            r = NULL
            i = c.u.i
            if t == &PyList_Type:
                r = list_item(o, i)
            elif t == &PyTuple_Type:
                r = tuple_item(o, i)
            elif t == &PyUnicode_Type:
                if i < 0:
                    i += PyUnicode_GET_LENGTH(o)
                if <uint64_t>i < <uint64_t>PyUnicode_GET_LENGTH(o):
                    r = PyUnicode_FromOrdinal(<int>PyUnicode_READ_CHAR(o, i))
                    if r == NULL:
                        return -1
                    out.tag = T_OBJ
                    out.u.o = r
                    return 0
            elif k_is_array(t):
                number = k_array_get(o, i, &out.u.i, &out.u.d)
                if number:
                    out.tag = T_INT if number == 1 else T_FLOAT
                    return 0
            if r != NULL:
                value_borrowed(out, r)
                return 0
    o = operand(b, &ob)
    if o == NULL:
        return -1
    k = operand(c, &oc)
    if k == NULL:
        Py_XDECREF(ob)
        return -1
    r = PyObject_GetItem(o, k) if look_at_alarm() == 0 else NULL
    Py_XDECREF(ob)
    Py_XDECREF(oc)
    if r == NULL:
        return -1
    value_steal(out, r)
    return 0

cdef void set_key_error(PyObject *key) noexcept:
    """KeyError(key), whatever the key is."""
    cdef PyObject *t = PyTuple_New(1)
    if t == NULL:
        return
    Py_INCREF(key)
    PyTuple_SET_ITEM(t, 0, key)
    PyErr_SetObject(PyExc_KeyError, t)
    Py_DECREF(t)

cdef int set_item(const Value *a, const Value *b, const Value *c) noexcept:
    """a[b] = c; all borrowed. -1 with an exception set."""
    cdef PyObject *o
    cdef PyObject *k
    cdef PyObject *v
    cdef PyObject *oa
    cdef PyObject *ob
    cdef PyObject *old
    cdef PyObject **found = NULL
    cdef int64_t i
    cdef int r
    if a.tag == T_OBJ:
        o = a.u.o
        if b.tag == T_INT and Py_TYPE(o) == &PyList_Type:
            i = b.u.i
            if i < 0:
                i += PyList_GET_SIZE(o)
            if <uint64_t>i < <uint64_t>PyList_GET_SIZE(o):
                found = &(<ListStruct *>o).ob_item[i]
        elif b.tag == T_INT and k_is_array(Py_TYPE(o)):
            if c.tag == T_FLOAT and k_array_set_float(o, b.u.i, c.u.d):
                return 0
            if c.tag == T_INT and k_array_set_int(o, b.u.i, c.u.i):
                return 0
        elif (Py_TYPE(o) == &PyDict_Type or k_stores_as_dict(Py_TYPE(o))) and dict_find(o, b, &found) != K_FOUND:
            found = NULL
        if found != NULL and not c.tag & T_OWNED and (Py_TYPE(o) == &PyList_Type or k_dict_may_swap(o, Py_None)) and rewrite_number(found[0], c):
            return 0
    v = value_object(c)
    if v == NULL:
        return -1
    if found != NULL and (Py_TYPE(a.u.o) == &PyList_Type or k_dict_may_swap(a.u.o, v)):
        old = found[0]
        found[0] = v
        Py_DECREF(old)
        return 0
    o = operand(a, &oa)
    if o == NULL:
        Py_DECREF(v)
        return -1
    k = operand(b, &ob)
    if k == NULL:
        Py_XDECREF(oa)
        Py_DECREF(v)
        return -1
    if look_at_alarm() < 0:
        r = -1
    elif Py_TYPE(o) == &PyDict_Type or k_stores_as_dict(Py_TYPE(o)):
        r = PyDict_SetItem(o, k, v)
    else:
        r = PyObject_SetItem(o, k, v)
    Py_XDECREF(oa)
    Py_XDECREF(ob)
    Py_DECREF(v)
    return r

cdef int delete_item(const Value *a, const Value *b) noexcept:
    cdef PyObject *oa
    cdef PyObject *ob
    cdef PyObject *o = operand(a, &oa)
    cdef PyObject *k
    cdef int r
    if o == NULL:
        return -1
    k = operand(b, &ob)
    if k == NULL:
        Py_XDECREF(oa)
        return -1
    r = PyObject_DelItem(o, k)
    Py_XDECREF(oa)
    Py_XDECREF(ob)
    return r
