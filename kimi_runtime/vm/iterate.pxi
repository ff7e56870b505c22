# Iteration and unpacking.
#
# Iterator registers are three in a row: exact lists and tuples keep an index, ranges run unboxed, our generators
# are resumed in the loop itself, anything else is a host iterator.

cdef inline void set_range(Value *it, int64_t start, int64_t stop, int64_t step) noexcept:
    """it[0..2] = iterator over a range; it[0] is released, the others hold nothing."""
    value_clear(it)
    it.tag = T_RANGE
    it.u.i = start
    it[1].tag = T_INT
    it[1].u.i = stop
    it[2].tag = T_INT
    it[2].u.i = step

cdef int get_iter(Value *R, const Instr *ins, uint32_t ft) noexcept:
    """R[a..a+2] = iterator over R[b]; consumes b when it is a temporary (it may be R[a])."""
    cdef Value v
    cdef Value *it = &R[ins.a]
    cdef PyObject *o
    cdef PyObject *r
    cdef PyTypeObject *t
    cdef int64_t start, stop, step
    value_move(&v, &R[ins.t.abc.b])
    if v.tag != T_OBJ:
        o = value_object(&v)
        if o == NULL:
            return -1
        r = PyObject_GetIter(o)          # raises: none of the unboxed types is iterable
        Py_DECREF(o)
        Py_XDECREF(r)
        return -1
    o = v.u.o
    t = Py_TYPE(o)
    if ins.t.abc.b >= ft:
        R[ins.t.abc.b].tag = T_UNDEF
    else:
        Py_INCREF(o)
    # `o` is owned here
    if t == &PyList_Type or t == &PyTuple_Type:
        v.tag = T_IT_LIST if t == &PyList_Type else T_IT_TUPLE
        store(R, ins.a, &v)
        it[1].tag = T_INT
        it[1].u.i = 0
        return 0
    if t == FunctionGeneratorType:
        v.tag = T_IT_GEN
        store(R, ins.a, &v)
        return 0
    if t == &PyRange_Type:
        if range_bounds(o, &start, &stop, &step):
            set_range(it, start, stop, step)
            Py_DECREF(o)
            return 0
        PyErr_Clear()
    if t == &PyUnicode_Type:
        v.tag = T_IT_STR
        store(R, ins.a, &v)
        it[1].tag = T_INT
        it[1].u.i = 0
        return 0
    if hooks.stepping:
        r = step_iterator(o)
        if r != NULL:
            Py_DECREF(o)
            v.tag = T_IT_GEN
            v.u.o = r
            store(R, ins.a, &v)
            return 0
    if special_iterator(o, it, &v):
        store(R, ins.a, &v)
        return 0
    r = PyObject_GetIter(o)
    Py_DECREF(o)
    if r == NULL:
        return -1
    v.tag = T_IT_GEN if Py_TYPE(r) == FunctionGeneratorType else T_IT_OBJ
    v.u.o = r
    store(R, ins.a, &v)
    return 0

cdef bint special_iterator(PyObject *o, Value *it, Value *v) noexcept:
    """Dicts, their views, and fresh enumerate and zip objects are walked without iterator objects: 1, *v and it[1..2] set
    and the reference to o taken over."""
    cdef PyTypeObject *t = Py_TYPE(o)
    cdef PyObject *d = o
    cdef Py_ssize_t n
    if t == &PyDict_Type or t == &PyDictKeys_Type:
        v.tag = T_IT_DICT
    elif t == &PyDictItems_Type:
        v.tag = T_IT_ITEMS
    elif t == &PyDictValues_Type:
        v.tag = T_IT_VALUES
    elif t == &PyEnum_Type and Py_REFCNT(o) == 1 and k_iterators_ok and (<KEnum *>o).long_index == NULL \
            and <uint64_t>(<KEnum *>o).index < (<uint64_t>1 << 62):
        # Nobody else sees this object: its parts move to the registers.
        v.tag = T_IT_ENUM
        v.u.o = (<KEnum *>o).iterator
        Py_INCREF(v.u.o)
        it[1].tag = T_INT
        it[1].u.i = (<KEnum *>o).index
        Py_DECREF(o)
        return 1
    elif t == &PyZip_Type and Py_REFCNT(o) == 1 and k_iterators_ok and (<KZip *>o).size == 2 and not (<KZip *>o).strict:
        v.tag = T_IT_ZIP
        v.u.o = (<KZip *>o).iterators
        Py_INCREF(v.u.o)
        Py_DECREF(o)
        return 1
    else:
        return 0
    if t != &PyDict_Type:
        d = (<KDictView *>o).dv_dict
        if Py_TYPE(d) != &PyDict_Type:
            return 0
    n = PyDict_GET_SIZE(d)
    if n >= (<Py_ssize_t>1 << 31):
        return 0
    if d != o:
        Py_INCREF(d)
        Py_DECREF(o)
    v.u.o = d
    it[1].tag = T_INT
    it[1].u.i = 0
    it[2].tag = T_INT
    it[2].u.i = n << 32 | n
    return 1

cdef int special_next(Value *it, Value *x, Value *y) noexcept:
    """Next of what special_iterator made: 1 *x is the item, 2 *x and *y are the pair (dead slots, filled), 0 at the end
    (iterator emptied), -1 on error."""
    cdef PyObject *o = it.u.o
    cdef PyObject *key
    cdef PyObject *value
    cdef Py_ssize_t pos
    cdef uint64_t tag = it.tag
    if tag <= T_IT_ITEMS:
        if k_dict_size(o) != it[2].u.i >> 32:
            PyErr_SetString(PyExc_RuntimeError, b"dictionary changed size during iteration")
            return -1
        pos = it[1].u.i
        if not k_dict_next(o, &pos, &key, &value):
            value_clear(it)
            return 0
        if <uint32_t>it[2].u.i == 0:
            PyErr_SetString(PyExc_RuntimeError, b"dictionary keys changed during iteration")
            return -1
        it[2].u.i -= 1
        it[1].u.i = pos
        if tag == T_IT_VALUES:
            value_borrowed(x, value)
            return 1
        value_borrowed(x, key)
        if tag == T_IT_DICT:
            return 1
        value_borrowed(y, value)
        return 2
    if tag == T_IT_ENUM:
        value = k_iternext(o)
        if value != NULL:
            x.tag = T_INT
            x.u.i = it[1].u.i
            it[1].u.i += 1
            value_steal(y, value)
            return 2
    else:
        key = k_iternext(PyTuple_GET_ITEM(o, 0))
        if key != NULL:
            value = k_iternext(PyTuple_GET_ITEM(o, 1))
            if value != NULL:
                value_steal(x, key)
                value_steal(y, value)
                return 2
            Py_DECREF(key)
    if PyErr_Occurred() != NULL:
        if not PyErr_ExceptionMatches(PyExc_StopIteration):
            return -1
        PyErr_Clear()
    value_clear(it)
    return 0

cdef PyObject *pair_object(Value *x, Value *y) noexcept:
    """Tuple of the two values, which are taken over."""
    cdef PyObject *a = value_take(x)
    cdef PyObject *b = value_take(y)
    cdef PyObject *t = NULL
    if a != NULL and b != NULL:
        t = PyTuple_New(2)
        if t != NULL:
            PyTuple_SET_ITEM(t, 0, a)
            PyTuple_SET_ITEM(t, 1, b)
            return t
    Py_XDECREF(a)
    Py_XDECREF(b)
    return NULL

cdef inline bint fits_range(int64_t i) noexcept:
    """Within +-2**61, so that no sum of two overflows."""
    return <uint64_t>(i + (<int64_t>1 << 61)) <= (<uint64_t>1 << 62)

cdef bint range_bounds(PyObject *o, int64_t *start, int64_t *stop, int64_t *step) noexcept:
    """Bounds of a range object that fits: 1. Leaves room so that start + step cannot overflow."""
    cdef RangeStruct *r = <RangeStruct *>o
    if not (k_long_as_int64(r.start, start) and k_long_as_int64(r.stop, stop) and k_long_as_int64(r.step, step)):
        return 0
    return fits_range(start[0]) and fits_range(stop[0]) and fits_range(step[0])

cdef int for_next_object(Value *R, uint32_t a, uint32_t dst) noexcept:
    """Next item of a host iterator into R[dst]: 1, 0 at the end (iterator emptied), -1 on error."""
    cdef PyObject *it = R[a].u.o
    cdef PyObject *r = k_iternext(it)
    if r != NULL:
        store_object(R, dst, r)
        return 1
    if PyErr_Occurred() != NULL:
        if not PyErr_ExceptionMatches(PyExc_StopIteration):
            return -1
        PyErr_Clear()
    value_clear(&R[a])
    return 0

cdef inline int for_next(Value *R, uint32_t a, uint32_t dst) noexcept:
    """As for_next_object, for the kinds that the loop does not walk itself."""
    cdef Value *it = &R[a]
    cdef Value v
    cdef int64_t i
    if K_EVEN(it.tag == T_IT_TUPLE):
        i = it[1].u.i
        if K_LIKELY(i < PyTuple_GET_SIZE(it.u.o)):
            it[1].u.i = i + 1
            value_borrowed(&v, PyTuple_GET_ITEM(it.u.o, i))
            store(R, dst, &v)
            return 1
        value_clear(it)
        return 0
    if K_EVEN(it.tag == T_IT_STR):
        i = it[1].u.i
        if K_LIKELY(i < PyUnicode_GET_LENGTH(it.u.o)):
            it[1].u.i = i + 1
            v.u.o = PyUnicode_FromOrdinal(<int>PyUnicode_READ_CHAR(it.u.o, i))
            if v.u.o == NULL:
                return -1
            v.tag = T_OBJ
            store(R, dst, &v)
            return 1
        value_clear(it)
        return 0
    return for_next_object(R, a, dst)

cdef int unpack(Value *source, Value *R, uint32_t at0, uint32_t at1, uint32_t n, int32_t star) noexcept:
    """Spreads the iterable over n registers (at0, at1 when n == 2 and star < 0, else at0, at0+1, ...).

    star: index of the starred target, or -1. The source is borrowed. -1 with an exception set, then no register changed.
    """
    cdef PyObject *o
    cdef PyObject *owned
    cdef PyObject *seq = NULL
    cdef PyObject *it
    cdef PyObject *x
    cdef PyObject *items
    cdef Py_ssize_t i, size, after
    cdef Value v, w
    cdef Value few[8]
    if star < 0 and n <= 8 and source.tag == T_OBJ:
        # All values first: storing releases old ones, which may run code that changes a list.
        o = source.u.o
        if Py_TYPE(o) == &PyTuple_Type and PyTuple_GET_SIZE(o) == <Py_ssize_t>n:
            for i in range(n):
                value_borrowed(&few[i], PyTuple_GET_ITEM(o, i))
        elif Py_TYPE(o) == &PyList_Type and PyList_GET_SIZE(o) == <Py_ssize_t>n:
            for i in range(n):
                value_borrowed(&few[i], PyList_GET_ITEM(o, i))
        else:
            o = NULL
        if o != NULL:
            if n == 2:
                store(R, at0, &few[0])
                store(R, at1, &few[1])
                return 0
            for i in range(n):
                store(R, at0 + <uint32_t>i, &few[i])
            return 0
    o = operand(source, &owned)
    if o == NULL:
        return -1
    if Py_TYPE(o) == &PyTuple_Type or Py_TYPE(o) == &PyList_Type:
        seq = o
        Py_INCREF(seq)
    else:
        it = PyObject_GetIter(o)
        if it == NULL:
            if PyErr_ExceptionMatches(PyExc_TypeError) and not is_iterable(o):
                PyErr_Clear()
                PyErr_Format(PyExc_TypeError, b"cannot unpack non-iterable %.200s object",
                             (<PyTypeFull *>Py_TYPE(o)).tp_name)
            Py_XDECREF(owned)
            return -1
        seq = PyList_New(0)
        if seq == NULL:
            Py_DECREF(it)
            Py_XDECREF(owned)
            return -1
        while PyList_GET_SIZE(seq) <= <Py_ssize_t>n:
            if star >= 0 and PyList_GET_SIZE(seq) == star:
                # The rest goes to the list at once, through another iter() as in CPython.
                x = k_list_extend(seq, it)
                if x == NULL:
                    Py_DECREF(it)
                    Py_DECREF(seq)
                    Py_XDECREF(owned)
                    return -1
                Py_DECREF(x)
                break
            x = k_iternext(it)
            if x == NULL:
                if PyErr_Occurred() != NULL:
                    if not PyErr_ExceptionMatches(PyExc_StopIteration):
                        Py_DECREF(it)
                        Py_DECREF(seq)
                        Py_XDECREF(owned)
                        return -1
                    PyErr_Clear()
                break
            i = PyList_Append(seq, x)
            Py_DECREF(x)
            if i < 0:
                Py_DECREF(it)
                Py_DECREF(seq)
                Py_XDECREF(owned)
                return -1
        Py_DECREF(it)
    if owned != NULL:
        Py_DECREF(owned)
        o = NULL
    size = PyTuple_GET_SIZE(seq) if Py_TYPE(seq) == &PyTuple_Type else PyList_GET_SIZE(seq)
    if star < 0:
        if size != <Py_ssize_t>n:
            if size < <Py_ssize_t>n:
                PyErr_Format(PyExc_ValueError, b"not enough values to unpack (expected %d, got %zd)", <int>n, size)
            else:
                set_too_many(seq, o, <int>n, size)
            Py_DECREF(seq)
            return -1
        if n == 2:
            # Both values first: storing releases old ones, which may run code that changes the list.
            if Py_TYPE(seq) == &PyTuple_Type:
                value_borrowed(&v, PyTuple_GET_ITEM(seq, 0))
                value_borrowed(&w, PyTuple_GET_ITEM(seq, 1))
            else:
                value_borrowed(&v, PyList_GET_ITEM(seq, 0))
                value_borrowed(&w, PyList_GET_ITEM(seq, 1))
            Py_DECREF(seq)
            store(R, at0, &v)
            store(R, at1, &w)
            return 0
        if seq == o and Py_TYPE(seq) == &PyList_Type:
            x = PyList_AsTuple(seq)
            Py_DECREF(seq)
            if x == NULL:
                return -1
            seq = x
        for i in range(size):
            x = PyTuple_GET_ITEM(seq, i) if Py_TYPE(seq) == &PyTuple_Type else PyList_GET_ITEM(seq, i)
            value_borrowed(&v, x)
            store(R, at0 + <uint32_t>i, &v)
    else:
        if size < <Py_ssize_t>n - 1:
            PyErr_Format(PyExc_ValueError, b"not enough values to unpack (expected at least %d, got %zd)",
                         <int>n - 1, size)
            Py_DECREF(seq)
            return -1
        if seq == o and Py_TYPE(seq) == &PyList_Type:
            x = PyList_AsTuple(seq)
            Py_DECREF(seq)
            if x == NULL:
                return -1
            seq = x
        after = <Py_ssize_t>n - 1 - star
        items = PyList_New(size - star - after)
        if items == NULL:
            Py_DECREF(seq)
            return -1
        for i in range(size):
            x = PyTuple_GET_ITEM(seq, i) if Py_TYPE(seq) == &PyTuple_Type else PyList_GET_ITEM(seq, i)
            if i < star:
                value_borrowed(&v, x)
                store(R, at0 + <uint32_t>i, &v)
            elif i < size - after:
                Py_INCREF(x)
                PyList_SET_ITEM(items, i - star, x)
            else:
                value_borrowed(&v, x)
                store(R, at0 + <uint32_t>(i - (size - after) + star + 1), &v)
        store_object(R, at0 + <uint32_t>star, items)
    Py_DECREF(seq)
    return 0

cdef bint is_iterable(PyObject *o) noexcept:
    return (<PyTypeFull *>Py_TYPE(o)).tp_iter != NULL or PySequence_Check(o)

cdef void set_too_many(PyObject *seq, PyObject *o, int n, Py_ssize_t size) noexcept:
    """ValueError for surplus values; only newer hosts tell the number, and only for lists, tuples and dicts."""
    if PY_VERSION_HEX >= 0x030E0000 and seq == o:
        PyErr_Format(PyExc_ValueError, b"too many values to unpack (expected %d, got %zd)", n, size)
    else:
        PyErr_Format(PyExc_ValueError, b"too many values to unpack (expected %d)", n)
