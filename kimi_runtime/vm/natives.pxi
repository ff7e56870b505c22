# Host functions that the loop answers itself for common argument types: no boxing, no C call through a method table.
#
# A call site remembers the callee (site.aux2, never a guest object: the objects below live as long as the module) and
# which one it is (site.kind). Whatever the shortcut does not cover is called as usual.

cdef enum NativeKind:
    N_NONE = 0
    N_LEN = 1
    N_ISINSTANCE = 2
    N_ABS = 3
    N_MIN = 4
    N_MAX = 5
    N_ORD = 6
    N_CHR = 7
    N_STR = 8
    N_INT = 9
    N_FLOAT = 10
    N_BOOL = 11
    N_TYPE = 12
    N_APPEND = 13           # list.append, as a method
    N_DICT_GET = 14
    N_GETATTR = 15          # getattr(o, name) and getattr(o, name, default)
    N_STARTSWITH = 16       # str.startswith with one str, as a method
    N_ENDSWITH = 17
    N_COUNT = 18
    # Other builtin functions and methods, called by their C signatures (site.aux: the PyMethodDef). Functions: site.target is
    # their self. Methods: site.version is that of the type of the object.
    N_FUNCTION = 32
    N_METHOD = 48
    N_TAKES_NONE = 1
    N_TAKES_ONE = 2
    N_TAKES_SOME = 3
    N_TAKES_KEYWORDS = 4    # here, too, without keywords
    N_TAKES_TUPLE = 5
    N_TAKES_TUPLE_KEYWORDS = 6
    N_CLASS = 64            # a class of the host, which lives as long as the process

cdef PyObject *native_callees[N_COUNT]
cdef object native_owner = (len, isinstance, abs, min, max, ord, chr, str, int, float, bool, type, list.append, dict.get,
                            builtin_getattr(), str.startswith, str.endswith)

cdef void fill_natives() noexcept:
    cdef Py_ssize_t i
    cdef PyObject *owner = <PyObject *>native_owner
    native_callees[0] = NULL
    for i in range(1, N_COUNT):
        native_callees[i] = PyTuple_GET_ITEM(owner, i - 1)

fill_natives()

cdef uint16_t native_kind(PyObject *callee, Py_ssize_t npos) noexcept:
    """Which shortcut may answer calls of callee with so many arguments (self included), or N_NONE."""
    cdef uint16_t i
    for i in range(1, N_COUNT):
        if native_callees[i] == callee:
            if i in (N_ISINSTANCE, N_APPEND, N_STARTSWITH, N_ENDSWITH):
                return i if npos == 2 else N_NONE
            if i == N_MIN or i == N_MAX:
                return i if 2 <= npos <= 4 else N_NONE
            if i == N_DICT_GET or i == N_GETATTR:
                return i if npos == 2 or npos == 3 else N_NONE
            return i if npos == 1 else N_NONE
    return N_NONE

cdef inline PyTypeObject *type_of_value(const Value *v) noexcept:
    if v.tag & T_OWNED:
        return Py_TYPE(v.u.o)
    if v.tag == T_INT:
        return &PyLong_Type
    if v.tag == T_FLOAT:
        return &PyFloat_Type
    if v.tag == T_BOOL:
        return &PyBool_Type
    return Py_TYPE(Py_None)

cdef int known_instance(PyTypeObject *t, PyObject *cls) noexcept:
    """Whether t is cls, or one of the tuple cls, or derives from it: 1 or 0; -1 where a metaclass may have a say."""
    cdef Py_ssize_t i
    cdef int r
    if Py_TYPE(cls) == &PyType_Type:
        return t == <PyTypeObject *>cls or PyType_IsSubtype(t, <PyTypeObject *>cls)
    if Py_TYPE(cls) == &PyTuple_Type:
        for i in range(PyTuple_GET_SIZE(cls)):
            if Py_TYPE(PyTuple_GET_ITEM(cls, i)) != &PyType_Type:
                return -1
            r = known_instance(t, PyTuple_GET_ITEM(cls, i))
            if r:
                return r
        return 0
    return -1

cdef int instance_by_type(PyTypeObject *t, PyObject *cls) noexcept:
    """What isinstance() says of an object of type t: 1 or 0; -1 where more than its type may have a say."""
    cdef int r = known_instance(t, cls)
    # A __class__ of their own may say otherwise: that of proxies, mocks, our frames and builtins.
    if r == 0 and not ((<PyTypeFull *>t).tp_getattro == PyObject_GenericGetAttr
                       and _PyType_Lookup(t, <PyObject *>STR_CLASS) == object_class_descriptor()):
        return -1
    return r

# Caches of getattr() by type (or module, or class) and name: the names come from variables, so it is no site's own. A record
# owns its name.
cdef enum:
    GETATTR_RECORDS = 512       # a power of two

cdef CacheSite getattr_records[GETATTR_RECORDS]

cdef inline CacheSite *getattr_record(PyObject *o, PyObject *name) noexcept:
    cdef size_t key = <size_t>Py_TYPE(o)
    if K_UNLIKELY(Py_TYPE(o) == &PyType_Type) or K_UNLIKELY(Py_TYPE(o) == &PyModule_Type):
        key = <size_t>o
    return &getattr_records[((key >> 4) ^ (key >> 12) ^ (<size_t>name >> 4)) & (GETATTR_RECORDS - 1)]

cdef PyObject *cached_getattr(PyObject *o, PyObject *name) noexcept:
    """getattr(o, name) by its cache: borrowed, or NULL without an exception."""
    cdef CacheSite *record = getattr_record(o, name)
    return cached_attr(record, o) if record.name == name else NULL

cdef int find_attribute(Value *args, Py_ssize_t npos, Value *out) noexcept:
    """getattr() as call_known answers it."""
    cdef PyObject *o
    cdef PyObject *name
    cdef PyObject *r
    cdef CacheSite *record
    if args.tag != T_OBJ or args[1].tag != T_OBJ or Py_TYPE(args[1].u.o) != &PyUnicode_Type \
            or not PyUnicode_CHECK_INTERNED(args[1].u.o):
        return 0                    # the caches compare names by address
    o = args.u.o
    name = args[1].u.o
    record = getattr_record(o, name)
    if record.name == name:
        r = cached_attr(record, o)
        if r != NULL:
            value_borrowed(out, r)
            return 1
    if gate_guards(o, name):
        return 0
    if npos == 3:
        if k_lookup_attr(o, name, &r) == 0:         # without an exception that nobody sees
            value_copy(out, &args[2])
            return 1
    else:
        r = PyObject_GetAttr(o, name)
    if r == NULL:
        return -1
    if record.name != name:
        Py_INCREF(name)
        o = record.name
        memset(record, 0, sizeof(CacheSite))
        record.name = name
        Py_XDECREF(o)
        o = args.u.o
    fill_attr(record, o, 0)
    value_steal(out, r)
    return 1

cdef int call_known(uint16_t kind, Value *args, Py_ssize_t npos, Value *out) noexcept:
    """Calls a native by its shortcut: 1 *out (a dead slot) is filled, 0 not covered, -1 error. args are borrowed, but a
    value that list.append takes is moved out."""
    cdef PyTypeObject *t
    cdef PyObject *o
    cdef PyObject *made
    cdef PyObject **found
    cdef Value *b
    cdef int r
    if kind == N_LEN:
        if args.tag == T_OBJ:
            o = args.u.o
            t = Py_TYPE(o)
            out.tag = T_INT
            if t == &PyList_Type:
                out.u.i = PyList_GET_SIZE(o)
                return 1
            if t == &PyUnicode_Type:
                out.u.i = PyUnicode_GET_LENGTH(o)
                return 1
            if t == &PyDict_Type:
                out.u.i = k_dict_size(o)
                return 1
            if t == &PyTuple_Type:
                out.u.i = PyTuple_GET_SIZE(o)
                return 1
            if t == &PySet_Type:
                out.u.i = set_length(o)
                return 1
        return 0
    elif kind == N_ISINSTANCE:
        if args[1].tag == T_OBJ:
            r = instance_by_type(type_of_value(args), args[1].u.o)
            out.tag = T_BOOL
            out.u.i = r
            return r >= 0
        return 0
    elif kind == N_APPEND:
        if args.tag == T_OBJ and Py_TYPE(args.u.o) == &PyList_Type:
            o = value_take(&args[1])
            if o == NULL or list_append(args.u.o, o) < 0:
                return -1
            out.tag = T_NONE
            return 1
        return 0
    elif kind == N_DICT_GET:
        if args.tag == T_OBJ and Py_TYPE(args.u.o) == &PyDict_Type:
            r = dict_find(args.u.o, &args[1], &found)
            if r == K_FOUND:
                value_borrowed(out, found[0])
                return 1
            if r == K_MISSING:
                if npos == 3:
                    value_copy(out, &args[2])
                else:
                    out.tag = T_NONE
                return 1
            if not hooks.stepping and look_at_alarm() == 0:
                o = operand(&args[1], &made)
                if o == NULL:
                    return -1
                o = PyDict_GetItemWithError(args.u.o, o)
                if o != NULL:
                    value_borrowed(out, o)
                Py_XDECREF(made)
                if o == NULL:
                    if PyErr_Occurred() != NULL:
                        return -1
                    if npos == 3:
                        value_copy(out, &args[2])
                    else:
                        out.tag = T_NONE
                        out.u.i = 0
                return 1
        return 0
    elif kind == N_GETATTR:
        return find_attribute(args, npos, out)
    elif kind == N_STARTSWITH or kind == N_ENDSWITH:
        if args.tag == T_OBJ and args[1].tag == T_OBJ and Py_TYPE(args.u.o) == &PyUnicode_Type \
                and Py_TYPE(args[1].u.o) == &PyUnicode_Type and PyUnicode_GET_LENGTH(args[1].u.o) < 100_000:
            out.tag = T_BOOL
            out.u.i = PyUnicode_Tailmatch(args.u.o, args[1].u.o, 0, PY_SSIZE_T_MAX, 1 if kind == N_ENDSWITH else -1)
            return 1 if out.u.i >= 0 else -1
        return 0
    elif kind == N_MIN or kind == N_MAX:
        # The first of equal ones wins. NaN is never unboxed.
        b = args
        while npos > 1:
            npos -= 1
            args += 1
            if args.tag == T_INT and b.tag == T_INT:
                r = (args.u.i < b.u.i) if kind == N_MIN else (args.u.i > b.u.i)
            elif args.tag == T_FLOAT and b.tag == T_FLOAT:
                r = (args.u.d < b.u.d) if kind == N_MIN else (args.u.d > b.u.d)
            else:
                return 0
            if r:
                b = args
        out.tag = b.tag
        out.u.i = b.u.i
        return 1
    elif kind == N_ABS:
        if args.tag == T_INT and args.u.i != <int64_t>(<uint64_t>1 << 63):
            out.tag = T_INT
            out.u.i = args.u.i if args.u.i >= 0 else -args.u.i
            return 1
        if args.tag == T_FLOAT:
            out.tag = T_FLOAT
            out.u.d = fabs(args.u.d)
            return 1
        return 0
    elif kind == N_ORD:
        if args.tag == T_OBJ and Py_TYPE(args.u.o) == &PyUnicode_Type and PyUnicode_GET_LENGTH(args.u.o) == 1:
            out.tag = T_INT
            out.u.i = PyUnicode_READ_CHAR(args.u.o, 0)
            return 1
        return 0
    elif kind == N_CHR:
        if args.tag == T_INT and 0 <= args.u.i < 0x110000:
            o = PyUnicode_FromOrdinal(<int>args.u.i)
            if o == NULL:
                return -1
            out.tag = T_OBJ
            out.u.o = o
            return 1
        return 0
    elif kind == N_STR:
        if args.tag == T_INT:
            o = int_to_str(args.u.i)
            if o == NULL:
                return -1
            out.tag = T_OBJ
            out.u.o = o
            return 1
        if args.tag == T_OBJ and Py_TYPE(args.u.o) == &PyUnicode_Type:
            value_copy(out, args)
            return 1
        return 0
    elif kind == N_INT:
        if args.tag == T_INT or args.tag == T_BOOL:
            out.u.i = args.u.i
        elif args.tag == T_FLOAT and -4e18 < args.u.d < 4e18:
            out.u.i = <int64_t>args.u.d
        else:
            return 0
        out.tag = T_INT
        return 1
    elif kind == N_FLOAT:
        if args.tag == T_FLOAT:
            out.u.d = args.u.d
        elif args.tag == T_INT or args.tag == T_BOOL:
            out.u.d = <double>args.u.i
        else:
            return 0
        out.tag = T_FLOAT
        return 1
    elif kind == N_BOOL:
        r = truth(args)
        if r < 0:
            return -1
        out.tag = T_BOOL
        out.u.i = r
        return 1
    elif kind == N_TYPE:
        o = <PyObject *>type_of_value(args)
        Py_INCREF(o)
        out.tag = T_OBJ
        out.u.o = o
        return 1
    return 0

cdef enum:
    KEPT_NATIVES = 4096

# What sites know is told by its address, so it has to stay.
cdef dict kept_natives = {}

cdef bint keep_native(PyObject *callee, PyObject *self) noexcept:
    """Makes a builtin function or method stay for as long as the process: 1; 0 when it does not."""
    cdef VM *vm
    cdef KHeap *heap
    if Py_TYPE(callee) == &PyMethodDescr_Type:
        if k_method_stays(callee):
            return 1
    elif self != NULL and not PyModule_CheckExact(self):
        return 0                # bound to an object: made anew each time
    vm = <VM *>k_get_vm()
    heap = vm.heap_slot[0]
    vm.heap_slot[0] = NULL      # this is not the guest's
    try:
        if len(kept_natives) < KEPT_NATIVES:
            kept_natives[<size_t>callee] = <object>callee
        kept = <size_t>callee in kept_natives
    except MemoryError:
        kept = False
    vm.heap_slot[0] = heap
    return kept

cdef void learn_builtin(CacheSite *site, PyObject *callee, PyObject *self, PyMethodDef *what, Py_ssize_t n, int kind) noexcept:
    """Notes at a call site what it called: with n arguments that are positional, and an object before them if it is a method."""
    cdef int takes
    site.counter += 1
    if site.counter > 16:
        return                  # calls this and that
    if kind == METH_O and n == 1:
        takes = N_TAKES_ONE
    elif kind == METH_NOARGS and n == 0:
        takes = N_TAKES_NONE
    elif kind == METH_FASTCALL:
        takes = N_TAKES_SOME
    elif kind == K_CALL_FASTKW:
        takes = N_TAKES_KEYWORDS
    elif kind == METH_VARARGS:
        takes = N_TAKES_TUPLE
    elif kind == K_CALL_TUPLEKW:
        takes = N_TAKES_TUPLE_KEYWORDS
    else:
        return
    if n > 5:
        return
    if Py_TYPE(callee) == &PyMethodDescr_Type:
        if not valid_version(Py_TYPE(self)):
            return
        takes += N_METHOD
    else:
        takes += N_FUNCTION
    if not keep_native(callee, self):
        site.counter = 17
        return
    site.kind = <uint16_t>takes
    site.aux2 = <void *>callee
    site.aux = <void *>what
    site.target = <void *>self
    site.version = k_type_version(Py_TYPE(self)) if takes >= N_METHOD else 0
    site.version2 = 0           # see find_init

cdef bint is_lasting_class(PyObject *callee, Py_ssize_t npos) noexcept:
    """Whether a call with so many arguments of what is no shortcut's is one of a class that is there for as long as the process,
    and means what the class says: nothing is to be done before."""
    return Py_TYPE(callee) == &PyType_Type and npos <= 5 and not (<PyTypeFull *>callee).tp_flags & Py_TPFLAGS_HEAPTYPE \
        and not k_is_metaclass(callee) and callee != <PyObject *>&PySuper_Type and callee != <PyObject *>&PyRange_Type \
        and (<PyTypeFull *>callee).tp_new != object_new

cdef int call_class(Value *R, Value *slot, Value *at, Py_ssize_t n, uint32_t ret) noexcept:
    """A call of the class in slot with the n (at most five) values at `at`. Consumes them on success."""
    cdef PyObject *argv[6]
    cdef PyObject *callee = slot.u.o
    cdef PyObject *r
    cdef Py_ssize_t i
    cdef uint32_t boxed = 0
    if K_UNLIKELY(look_at_alarm() < 0):
        return CALL_ERROR
    argv[0] = NULL
    for i in range(n):
        argv[i + 1] = at[i].u.o
        if not at[i].tag & T_OWNED:
            argv[i + 1] = value_object(&at[i])
            if argv[i + 1] == NULL:
                release_boxed(argv + 1, boxed)
                return CALL_ERROR
            boxed |= <uint32_t>1 << i
    r = k_call(callee, argv + 1, n, NULL)
    if boxed:
        release_boxed(argv + 1, boxed)
    if r == NULL:
        return CALL_ERROR
    clear_registers(at, 0, <uint32_t>n)
    slot.tag = T_UNDEF
    Py_DECREF(callee)
    store_object(R, ret, r)
    return CALL_DONE

cdef int call_array_method(Value *R, Value *slot, CacheSite *site, uint32_t ret) noexcept:
    """A call of a method that takes its arguments, objects all of them, in an array. As call_learned."""
    cdef Value *at = slot + 2
    cdef PyObject *self = slot[1].u.o
    cdef PyObject *argv[6]
    cdef PyObject *r
    cdef Py_ssize_t n = site.nargs
    cdef Py_ssize_t i
    cdef uint64_t owned = T_OWNED
    if K_UNLIKELY(slot[1].tag != T_OBJ) or K_UNLIKELY(k_type_version(Py_TYPE(self)) != site.version):
        return CALL_SKIPPED
    for i in range(n):
        argv[i] = at[i].u.o
        owned &= at[i].tag
    if K_UNLIKELY(not owned):
        return call_learned(R, slot, site, ret, 1)
    if K_EVEN(site.kind == N_METHOD + N_TAKES_SOME):
        r = k_call_fast(<PyMethodDef *>site.aux, self, argv, n)
    else:
        r = k_call_fastkw(<PyMethodDef *>site.aux, self, argv, n)
    if K_UNLIKELY(r == NULL):
        return CALL_ERROR
    for i in range(n):
        at[i].tag = T_UNDEF
        Py_DECREF(argv[i])
    slot[1].tag = T_UNDEF
    Py_DECREF(self)
    self = slot.u.o
    slot.tag = T_UNDEF
    Py_DECREF(self)
    store_object(R, ret, r)
    return CALL_DONE

cdef int call_short_method(Value *R, Value *slot, CacheSite *site, uint32_t ret) noexcept:
    """Most calls of methods: nothing to count, arguments as C functions take them. As call_learned."""
    cdef Value *first = slot + 2
    cdef PyObject *self = slot[1].u.o
    cdef PyObject *arg = NULL
    cdef PyObject *r
    if K_UNLIKELY(slot[1].tag != T_OBJ) or K_UNLIKELY(k_type_version(Py_TYPE(self)) != site.version):
        return CALL_SKIPPED
    if K_EVEN(site.kind > N_METHOD + N_TAKES_ONE):
        return call_array_method(R, slot, site, ret)
    if K_EVEN(site.kind == N_METHOD + N_TAKES_NONE):
        r = k_call_one(<PyMethodDef *>site.aux, self, NULL)
        if K_UNLIKELY(r == NULL):
            return CALL_ERROR
    elif K_LIKELY(first.tag & T_OWNED):
        r = k_call_one(<PyMethodDef *>site.aux, self, first.u.o)
        if K_UNLIKELY(r == NULL):
            return CALL_ERROR
        value_clear(first)
    else:
        arg = value_object(first)
        if arg == NULL:
            return CALL_ERROR
        r = k_call_one(<PyMethodDef *>site.aux, self, arg)
        Py_DECREF(arg)
        if K_UNLIKELY(r == NULL):
            return CALL_ERROR
        first.tag = T_UNDEF
    slot[1].tag = T_UNDEF
    Py_DECREF(self)
    self = slot.u.o
    slot.tag = T_UNDEF
    Py_DECREF(self)
    store_object(R, ret, r)
    return CALL_DONE

cdef int call_some(Value *R, Value *slot, Value *at, PyObject *self, CacheSite *site, uint32_t ret) noexcept:
    """A call with arguments in an array, all of them objects. As call_learned. at: of the first argument."""
    cdef Value *first
    cdef PyObject *argv[6]
    cdef PyObject *r
    cdef Py_ssize_t n = site.nargs
    cdef Py_ssize_t i
    cdef uint64_t owned = T_OWNED
    argv[0] = NULL
    for i in range(n):
        argv[i + 1] = at[i].u.o
        owned &= at[i].tag
    if K_UNLIKELY(not owned):
        return CALL_SKIPPED
    r = k_call_fast(<PyMethodDef *>site.aux, self, argv + 1, n)
    if K_UNLIKELY(r == NULL):
        return CALL_ERROR
    at += n
    first = slot + 1
    while first < at:
        if first.tag & T_OWNED:         # of a function the place of self is empty
            value_clear(first)
        first += 1
    value_clear(slot)
    store_object(R, ret, r)
    return CALL_DONE

cdef int call_learned(Value *R, Value *slot, CacheSite *site, uint32_t ret, bint method) noexcept:
    """A call of what the site knows. See CallResult; CALL_SKIPPED: nothing was done, it is to be called as anything else."""
    cdef Value *at = slot + 1
    cdef Value *first
    cdef PyObject *argv[6]
    cdef PyObject *self
    cdef PyObject *r
    cdef PyMethodDef *what
    cdef Value v
    cdef Py_ssize_t n = site.nargs
    cdef Py_ssize_t i
    cdef uint32_t boxed = 0
    cdef int kind = site.kind
    if kind < N_COUNT:
        if method:
            if at.tag == T_UNDEF:
                at += 1
            else:
                n += 1
        if n != <Py_ssize_t>site.version:
            return CALL_SKIPPED     # as a method of an object it was learned from a class, or the other way round
        i = call_known(<uint16_t>kind, at, n, &v)
        if i <= 0:
            if i == 0 and (kind == N_INT or kind == N_FLOAT or kind == N_STR) and not hooks.stepping:
                return call_class(R, slot, at, n, ret)
            return CALL_ERROR if i < 0 else CALL_SKIPPED
        for i in range(n):
            if at[i].tag & T_OWNED:
                value_clear(&at[i])
            else:
                at[i].tag = T_UNDEF
        r = slot.u.o
        slot.tag = T_UNDEF
        Py_DECREF(r)
        store(R, ret, &v)
        return CALL_DONE
    if hooks.stepping:
        return CALL_SKIPPED         # see step_call
    if method and (kind == N_METHOD + N_TAKES_NONE or kind == N_METHOD + N_TAKES_ONE):
        return call_short_method(R, slot, site, ret)
    if kind == N_CLASS:
        if method:
            if at.tag != T_UNDEF:
                return CALL_SKIPPED
            at += 1
        return call_class(R, slot, at, n, ret)
    self = <PyObject *>site.target
    if kind >= N_METHOD:
        self = at.u.o
        if at.tag != T_OBJ or k_type_version(Py_TYPE(self)) != site.version:
            return CALL_SKIPPED
        if not method:
            n -= 1
        at += 1
        kind -= N_METHOD
    else:
        if method:
            if at.tag != T_UNDEF:
                return CALL_SKIPPED
            at += 1
        kind -= N_FUNCTION
    what = <PyMethodDef *>site.aux
    if kind == N_TAKES_SOME:
        i = call_some(R, slot, at, self, site, ret) if n == <Py_ssize_t>site.nargs else CALL_SKIPPED
        if i != CALL_SKIPPED:
            return <int>i
    if kind == N_TAKES_ONE:
        if at.tag & T_OWNED:
            r = k_call_one(what, self, at.u.o)
        else:
            argv[1] = value_object(at)
            if argv[1] == NULL:
                return CALL_ERROR
            r = k_call_one(what, self, argv[1])
            Py_DECREF(argv[1])
    elif kind == N_TAKES_NONE:
        r = k_call_one(what, self, NULL)
    elif kind >= N_TAKES_TUPLE:
        r = call_with_tuple(what, self, at, n, kind == N_TAKES_TUPLE_KEYWORDS)
    else:
        argv[0] = NULL
        for i in range(n):
            if at[i].tag & T_OWNED:
                argv[i + 1] = at[i].u.o
            else:
                argv[i + 1] = value_object(&at[i])
                if argv[i + 1] == NULL:
                    release_boxed(argv + 1, boxed)
                    return CALL_ERROR
                boxed |= <uint32_t>1 << i
        r = k_call_fast(what, self, argv + 1, n) if kind == N_TAKES_SOME else k_call_fastkw(what, self, argv + 1, n)
        if boxed:
            release_boxed(argv + 1, boxed)
    if r == NULL:
        return CALL_ERROR
    at += n
    first = slot + 1
    while first < at:
        if first.tag & T_OWNED:
            value_clear(first)
        else:
            first.tag = T_UNDEF
        first += 1
    self = slot.u.o
    slot.tag = T_UNDEF
    Py_DECREF(self)
    store_object(R, ret, r)
    return CALL_DONE

cdef PyObject *call_with_tuple(PyMethodDef *what, PyObject *self, const Value *at, Py_ssize_t n, bint keywords) noexcept:
    """A call of a builtin that takes its n arguments, borrowed here, as a tuple, and keywords (none are given) if it says so."""
    cdef PyObject *args = PyTuple_New(n)
    cdef PyObject *o
    cdef Py_ssize_t i
    if args == NULL:
        return NULL
    for i in range(n):
        o = value_object(&at[i])
        if o == NULL:
            Py_DECREF(args)
            return NULL
        PyTuple_SET_ITEM(args, i, o)
    o = k_call_tuple_keywords(what, self, args) if keywords else k_call_one(what, self, args)
    Py_DECREF(args)
    return o

cdef void release_boxed(PyObject **argv, uint32_t boxed) noexcept:
    """Releases the arguments that were made for a call: those whose bits are set."""
    while boxed:
        if boxed & 1:
            Py_DECREF(argv[0])
        boxed >>= 1
        argv += 1
