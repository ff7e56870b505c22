# Building collections, strings, functions and cells; context managers. Owner rule: the registers at `at` are consumed on
# success; on failure they stay for the unwinder.

cdef PyObject *build_list(Value *at, uint32_t n) noexcept:
    cdef PyObject *r = PyList_New(n)
    cdef PyObject *o
    cdef uint32_t i
    if r == NULL:
        return NULL
    for i in range(n):
        o = value_take(&at[i])
        if o == NULL:
            Py_DECREF(r)
            return NULL
        PyList_SET_ITEM(r, i, o)
    return r

cdef PyObject *build_tuple(Value *at, uint32_t n) noexcept:
    cdef PyObject *r = PyTuple_New(n)
    cdef PyObject *o
    cdef uint32_t i
    if r == NULL:
        return NULL
    for i in range(n):
        o = value_take(&at[i])
        if o == NULL:
            Py_DECREF(r)
            return NULL
        PyTuple_SET_ITEM(r, i, o)
    return r

cdef PyObject *build_set(Value *at, uint32_t n) noexcept:
    cdef PyObject *r = PySet_New(NULL)
    cdef PyObject *o
    cdef uint32_t i
    cdef int status
    if r == NULL:
        return NULL
    for i in range(n):
        o = value_object(&at[i])
        status = PySet_Add(r, o) if o != NULL else -1
        Py_XDECREF(o)
        if status < 0:
            Py_DECREF(r)
            return NULL
    clear_registers(at, 0, n)
    return r

cdef PyObject *build_map(Value *at, uint32_t n) noexcept:
    cdef PyObject *r = PyDict_New()
    cdef PyObject *k
    cdef PyObject *v
    cdef uint32_t i
    cdef int status
    if r == NULL:
        return NULL
    for i in range(n):
        k = value_object(&at[2 * i])
        v = value_object(&at[2 * i + 1])
        status = PyDict_SetItem(r, k, v) if k != NULL and v != NULL else -1
        Py_XDECREF(k)
        Py_XDECREF(v)
        if status < 0:
            Py_DECREF(r)
            return NULL
    clear_registers(at, 0, 2 * n)
    return r

cdef PyObject *build_slice(Value *at, uint32_t n) noexcept:
    cdef PyObject *a = value_object(&at[0])
    cdef PyObject *b = value_object(&at[1])
    cdef PyObject *c = value_object(&at[2]) if n == 3 else NULL
    cdef PyObject *r = NULL
    if a != NULL and b != NULL:
        r = PySlice_New(a, b, c)
    Py_XDECREF(a)
    Py_XDECREF(b)
    Py_XDECREF(c)
    if r != NULL:
        clear_registers(at, 0, n)
    return r

cdef inline int count_digits(int64_t i) noexcept:
    """Length of the decimal text."""
    cdef uint64_t u = <uint64_t>i
    cdef int n = 1
    if i < 0:
        u = 0 - u
        n = 2
    while u >= 10000:
        u //= 10000
        n += 4
    if u >= 1000:
        return n + 3
    if u >= 100:
        return n + 2
    return n + 1 if u >= 10 else n

cdef inline void write_digits(char *end, int64_t i) noexcept:
    """Writes the decimal text so that it ends before `end`."""
    cdef uint64_t u = <uint64_t>i
    if i < 0:
        u = 0 - u
    while True:
        end -= 1
        end[0] = <char>(48 + u % 10)
        u //= 10
        if u == 0:
            break
    if i < 0:
        (end - 1)[0] = 45

cdef PyObject *build_string(Value *at, uint32_t n) noexcept:
    """Concatenation of n registers that hold str or (in decimal) int, in one pass."""
    cdef Py_ssize_t total = 0
    cdef Py_ssize_t pos = 0
    cdef Py_ssize_t length
    cdef uint32_t top = 127
    cdef uint32_t i
    cdef PyObject *r
    cdef PyObject *s
    cdef char *text
    if look_at_alarm() < 0:
        return NULL
    for i in range(n):
        if at[i].tag == T_INT:
            total += count_digits(at[i].u.i)
            continue
        s = at[i].u.o
        total += PyUnicode_GET_LENGTH(s)
        if not k_is_ascii(s) and PyUnicode_MAX_CHAR_VALUE(s) > top:
            top = PyUnicode_MAX_CHAR_VALUE(s)
    if top > 127:
        for i in range(n):
            if at[i].tag == T_INT:
                s = int_to_str(at[i].u.i)
                if s == NULL:
                    return NULL
                at[i].tag = T_OBJ
                at[i].u.o = s
    r = PyUnicode_New(total, top)
    if r == NULL:
        return NULL
    text = <char *>PyUnicode_DATA(r)
    for i in range(n):
        if at[i].tag == T_INT:
            pos += count_digits(at[i].u.i)
            write_digits(text + pos, at[i].u.i)
            continue
        s = at[i].u.o
        length = PyUnicode_GET_LENGTH(s)
        if top == 127:
            k_copy_text(text + pos, s, length)
        elif length and PyUnicode_CopyCharacters(r, pos, s, 0, length) < 0:
            Py_DECREF(r)
            return NULL
        pos += length
    clear_registers(at, 0, n)
    return r

cdef inline int list_append(PyObject *l, PyObject *o) noexcept:
    """Appends, taking over the reference to o."""
    cdef ListStruct *s = <ListStruct *>l
    cdef Py_ssize_t n = PyList_GET_SIZE(l)
    cdef int status
    if n < s.allocated:
        s.ob_item[n] = o
        k_set_size(l, n + 1)
        return 0
    status = PyList_Append(l, o)
    Py_DECREF(o)
    return status

cdef int extend(uint32_t op, PyObject *to, PyObject *o) noexcept:
    """LIST_EXTEND, SET_UPDATE, DICT_UPDATE with CPython's messages for what is not iterable."""
    cdef PyObject *r
    cdef int status
    if look_at_alarm() < 0:
        return -1
    if op == OP_LIST_EXTEND:
        r = k_list_extend(to, o)
        if r == NULL:
            if PyErr_ExceptionMatches(PyExc_TypeError) and not is_iterable(o):
                PyErr_Clear()
                PyErr_Format(PyExc_TypeError, b"Value after * must be an iterable, not %.200s",
                             (<PyTypeFull *>Py_TYPE(o)).tp_name)
            return -1
        Py_DECREF(r)
        return 0
    if op == OP_SET_UPDATE:
        return k_set_update(to, o)
    status = PyDict_Update(to, o)
    if status < 0 and PyErr_ExceptionMatches(PyExc_AttributeError):
        PyErr_Clear()
        PyErr_Format(PyExc_TypeError, b"'%.200s' object is not a mapping", (<PyTypeFull *>Py_TYPE(o)).tp_name)
    return status

cdef int dict_merge(PyObject *to, PyObject *o, const Value *callee) noexcept:
    """Merges ** arguments: duplicates are errors that name the callee."""
    cdef PyObject *f
    if k_dict_merge(to, o) == 0:
        return 0
    f = value_object(callee)
    if f == NULL:
        return -1
    explain_merge_error(f, o)
    Py_DECREF(f)
    return -1

cdef void explain_merge_error(PyObject *callee, PyObject *o) noexcept:
    """Turns the AttributeError or KeyError of a failed merge into CPython's TypeError."""
    cdef PyObject *exc
    cdef PyObject *text
    if PyErr_ExceptionMatches(PyExc_AttributeError):
        PyErr_Clear()
        try:
            message = f"{function_label(<object>callee)} argument after ** must be a mapping, not {type(<object>o).__name__}"
            text = <PyObject *>message
            PyErr_SetObject(PyExc_TypeError, text)
        except BaseException:
            PyErr_SetString(PyExc_TypeError, b"argument after ** must be a mapping")
    elif PyErr_ExceptionMatches(PyExc_KeyError):
        exc = k_take_raised()
        try:
            args = (<object>exc).args
            if len(args) == 1:
                message = f"{function_label(<object>callee)} got multiple values for keyword argument '{args[0]!s}'"
                text = <PyObject *>message
                PyErr_SetObject(PyExc_TypeError, text)
                Py_DECREF(exc)
                return
        except BaseException:
            PyErr_Clear()
        k_restore_raised(exc)

def function_label(callee):
    """How call errors name a callable: its qualified name with its module, unless that is builtins, and `()`."""
    qualname = getattr(callee, "__qualname__", None)
    if not isinstance(qualname, str):
        return str(callee)
    module = getattr(callee, "__module__", None)
    if module is not None and module != "builtins":
        return f"{module}.{qualname}()"
    return f"{qualname}()"

cdef PyObject *convert_object(PyObject *o, uint32_t conversion) noexcept:
    if conversion == 1:
        return PyObject_Str(o)
    if conversion == 2:
        return PyObject_Repr(o)
    return PyObject_ASCII(o)

cdef PyObject *convert_value(const Value *v, uint32_t conversion) noexcept:
    cdef PyObject *o = value_object(v)
    cdef PyObject *r
    if o == NULL:
        return NULL
    r = convert_object(o, conversion)
    Py_DECREF(o)
    return r

cdef PyObject *format_value(const Value *v, uint32_t conversion) noexcept:
    """format(v, '') after the conversion: new reference or NULL."""
    cdef PyObject *o
    cdef PyObject *r
    if v.tag == T_OBJ and Py_TYPE(v.u.o) == &PyUnicode_Type and (conversion < 2 or conversion == 4):
        Py_INCREF(v.u.o)
        return v.u.o
    if v.tag == T_INT and conversion != 3:
        return int_to_str(v.u.i)
    o = value_object(v)
    if o == NULL:
        return NULL
    if conversion == 0 or conversion == 4:
        r = PyObject_Format(o, NULL)
    else:
        r = convert_object(o, conversion)
        if r != NULL and not PyUnicode_CheckExact(r):
            Py_DECREF(o)
            o = r
            r = PyObject_Format(o, NULL)
    Py_DECREF(o)
    return r

cdef PyObject *int_to_str(int64_t i) noexcept:
    cdef int n = count_digits(i)
    cdef PyObject *r = PyUnicode_New(n, 127)
    if r != NULL:
        write_digits(<char *>PyUnicode_DATA(r) + n, i)
    return r

cdef int make_cell(Value *slot) noexcept:
    """slot = a cell that holds what slot held."""
    cdef PyObject *o
    cdef Cell cell
    try:
        cell = new_cell(NULL)
    except BaseException:
        PyErr_NoMemory()
        return -1
    o = <PyObject *>cell
    Py_INCREF(o)
    cell.value = slot[0]
    slot.tag = T_OBJ
    slot.u.o = o
    return 0

cdef PyObject *make_function(Frame *f, Value *R, const Instr *ins, const Value *K) noexcept:
    """MAKE_FUNCTION: new reference or NULL; consumes the registers at b."""
    cdef PyObject *code = K[ins.t.abc.c].u.o
    cdef Value *at = &R[ins.t.abc.b]
    cdef uint32_t flags = (<Code>code).make_flags
    cdef uint32_t n = (<Code>code).nfree
    cdef uint32_t i
    cdef int32_t source
    cdef PyObject *closure = NULL
    cdef PyObject *cell
    cdef PyObject *raw
    cdef Function made
    if n:
        closure = PyTuple_New(n)
        if closure == NULL:
            return NULL
        for i in range(n):
            source = (<Code>code).free_src[i]
            if source >= 0:
                cell = R[source].u.o
            else:
                cell = PyTuple_GET_ITEM(<PyObject *>(<Function>f.func).closure, ~source)
            Py_INCREF(cell)
            PyTuple_SET_ITEM(closure, i, cell)
    try:
        made = new_function(<Code>code, <dict>f.globals, <object>f.builtins, <tuple>closure if n else None)
    except BaseException as error:
        Py_XDECREF(closure)
        raw = <PyObject *>error
        Py_INCREF(raw)
        cell = raw
    else:
        Py_XDECREF(closure)
        if flags & MAKE_DEFAULTS:
            made.defaults = <tuple>at.u.o
            value_clear(at)
            at += 1
        if flags & MAKE_KWDEFAULTS:
            made.kwdefaults = <dict>at.u.o
            value_clear(at)
            at += 1
        if flags & MAKE_ANNOTATIONS:
            made.annotations = <object>at.u.o
            value_clear(at)
        raw = <PyObject *>made
        Py_INCREF(raw)
        return raw
    k_restore_raised(cell)
    return NULL

cdef PyObject *special_method(PyObject *o, PyObject *name, PyObject **self) noexcept:
    """Method looked up on the type: new reference, *self a new reference or NULL when it is bound; NULL without exception when missing."""
    cdef PyTypeObject *t = Py_TYPE(o)
    cdef PyObject *d = _PyType_Lookup(t, name)
    self[0] = NULL
    if d == NULL:
        return NULL
    if (<PyTypeFull *>Py_TYPE(d)).tp_flags & Py_TPFLAGS_METHOD_DESCRIPTOR:
        Py_INCREF(d)
        Py_INCREF(o)
        self[0] = o
        return d
    if (<PyTypeFull *>Py_TYPE(d)).tp_descr_get == NULL:
        Py_INCREF(d)
        return d
    return (<PyTypeFull *>Py_TYPE(d)).tp_descr_get(d, o, <PyObject *>t)

cdef int with_load(Value *R, const Instr *ins, uint32_t ft, bint asynchronous) noexcept:
    """WITH_LOAD, ASYNC_WITH_LOAD: enter is looked up first, so that its absence is what is reported."""
    cdef PyObject *o = value_object(&R[ins.t.abc.b])
    cdef PyObject *enter
    cdef PyObject *enter_self
    cdef PyObject *leave
    cdef PyObject *leave_self
    cdef uint32_t a = ins.a
    if o == NULL:
        return -1
    enter = special_method(o, <PyObject *>(STR_AENTER if asynchronous else STR_ENTER), &enter_self)
    if enter == NULL:
        if PyErr_Occurred() == NULL:
            PyErr_Format(PyExc_TypeError, b"'%.200s' object does not support the %scontext manager protocol",
                         (<PyTypeFull *>Py_TYPE(o)).tp_name, WITH_KINDS[asynchronous])
        Py_DECREF(o)
        return -1
    leave = special_method(o, <PyObject *>(STR_AEXIT if asynchronous else STR_EXIT), &leave_self)
    if leave == NULL:
        if PyErr_Occurred() == NULL:
            PyErr_Format(PyExc_TypeError, b"'%.200s' object does not support the %scontext manager protocol "
                         b"(missed %U method)", (<PyTypeFull *>Py_TYPE(o)).tp_name, WITH_KINDS[asynchronous],
                         <PyObject *>(STR_AEXIT if asynchronous else STR_EXIT))
        Py_DECREF(enter)
        Py_XDECREF(enter_self)
        Py_DECREF(o)
        return -1
    if ins.t.abc.b >= ft and not (a <= ins.t.abc.b < a + 4):
        value_clear(&R[ins.t.abc.b])
    Py_DECREF(o)
    put_pair(R, a, leave, leave_self)
    put_pair(R, a + 2, enter, enter_self)
    return 0

cdef inline void put_pair(Value *R, uint32_t at, PyObject *function, PyObject *self) noexcept:
    """Function and self in the LOAD_METHOD layout, references taken over."""
    cdef Value v
    v.tag = T_OBJ
    v.u.o = function
    store(R, at, &v)
    if self != NULL:
        value_steal(&v, self)           # numbers unbox here like everywhere else
    else:
        v.tag = T_UNDEF
    store(R, at + 1, &v)
