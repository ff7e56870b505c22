# Calls. A call of a guest function pushes a frame in the running loop; everything else goes through vectorcall.

cdef enum CallResult:
    CALL_ERROR = -1
    CALL_DONE = 0        # the value is in place
    CALL_PUSHED = 1      # vm.frame is the callee: go on there
    CALL_SKIPPED = 2     # in place, and the following instruction is done as well: go on at frame.ip

cdef enum CallKind:      # Code.call_kind
    K_UNKNOWN = 0
    K_SIMPLE = 1         # positional parameters only, no generator: arguments are in place already
    K_OTHER = 2
    K_HOT = 4            # K_SIMPLE, with compiled code
    K_GENERATOR = 3      # positional parameters only, makes a generator, coroutine or asynchronous generator

cdef enum:
    ARGS_ON_STACK = 16

cdef PyObject *call_native(PyObject *callee, Value *args, Py_ssize_t npos, PyObject *kwnames) noexcept:
    """callee(*args) through vectorcall; kwnames (tuple or NULL) names the values after the positional ones.

    Arguments are borrowed. New reference, or NULL with an exception set.
    """
    cdef PyObject *small[ARGS_ON_STACK + 1]
    cdef PyObject **argv = small
    cdef Py_ssize_t n = npos + (PyTuple_GET_SIZE(kwnames) if kwnames != NULL else 0)
    cdef Py_ssize_t i
    cdef PyObject *r = NULL
    cdef uint32_t boxed = 0
    cdef bint many = n > ARGS_ON_STACK
    if look_at_alarm() < 0:
        return NULL
    if many:
        argv = <PyObject **>PyMem_Malloc((n + 1) * sizeof(PyObject *))
        if argv == NULL:
            return PyErr_NoMemory()
    argv[0] = NULL
    for i in range(n):
        if not many and args[i].tag & T_OWNED:
            argv[i + 1] = args[i].u.o
        else:
            argv[i + 1] = value_object(&args[i])
            if argv[i + 1] == NULL:
                n = i
                break
            if not many:
                boxed |= <uint32_t>1 << i
    else:
        r = k_call(callee, argv + 1, npos, kwnames)
    if many:
        for i in range(n):
            Py_DECREF(argv[i + 1])
        PyMem_Free(argv)
    elif boxed:
        for i in range(n):
            if boxed & (<uint32_t>1 << i):
                Py_DECREF(argv[i + 1])
    return r

cdef uint8_t classify(PyObject *code) noexcept:
    """Computes Code.call_kind."""
    cdef uint32_t special = (CODE_VARARGS | CODE_VARKEYWORDS | CODE_GENERATOR | CODE_COROUTINE | CODE_ASYNC_GENERATOR)
    special &= (<Code>code).flags
    if (<Code>code).nkwonly or (<Code>code).entry or special & (CODE_VARARGS | CODE_VARKEYWORDS):
        (<Code>code).call_kind = K_OTHER
    else:
        (<Code>code).call_kind = K_GENERATOR if special else K_SIMPLE
    return (<Code>code).call_kind

cdef int fill_defaults(PyObject *func, Value *regs, Py_ssize_t npos) noexcept:
    """Fills missing positional parameters of a simple function from its defaults: 1, or 0 when it does not suffice."""
    cdef PyObject *defaults = <PyObject *>(<Function>func).defaults
    cdef PyObject *code = <PyObject *>(<Function>func).code
    cdef Py_ssize_t want = (<Code>code).npos
    cdef Py_ssize_t have, i
    if npos > want or defaults == Py_None:
        return 0
    have = PyTuple_GET_SIZE(defaults)
    if want - npos > have:
        return 0
    for i in range(npos, want):
        value_borrowed(&regs[i], PyTuple_GET_ITEM(defaults, i - (want - have)))
    return 1

cdef inline Value *moved_values(Value *to, Value *source, Py_ssize_t n) noexcept:
    """Moves n values to dead slots; the source is left empty."""
    cdef Py_ssize_t i
    for i in range(n):
        value_move(&to[i], &source[i])
        source[i].tag = T_UNDEF
    return to

cdef int call_function(VM *vm, PyObject *func, Value *args, Py_ssize_t npos, PyObject *kwnames, uint16_t ret) noexcept:
    """Starts the guest function: a frame, or for generator functions the generator in R[ret] of the running frame.

    args are Values in the caller's temporaries or anywhere on the VM stack: consumed on success, emptied on failure.
    OWNER RULE: takes over the reference to func in every case.
    """
    cdef PyObject *code = <PyObject *>(<Function>func).code
    cdef Frame *caller = vm.frame
    cdef Frame *f
    cdef Value *regs = args
    cdef Value *end
    cdef Py_ssize_t n = npos
    cdef uint8_t kind = (<Code>code).call_kind
    cdef Py_ssize_t i
    cdef PyObject *gen
    if kind == K_UNKNOWN:
        kind = classify(code)
    if kind == K_GENERATOR and kwnames == NULL and npos == (<Code>code).npos:
        end = caller.top
        if vm.stack <= args < vm.stack_end and args + npos > end:
            caller.top = args + npos            # see call_function_slow
        gen = make_generator(vm, func, args)
        caller.top = end
        if gen == NULL:
            clear_registers(args, 0, <uint32_t>npos)
        Py_DECREF(func)
        if gen == NULL:
            return CALL_ERROR
        store_object(caller.regs, ret, gen)
        return CALL_DONE
    if caller.flags & F_GENERATOR and caller.regs <= args <= caller.regs + (<Code>caller.code).nregs:
        # The caller's registers are on the heap: the callee's window starts on the stack.
        # (A call without arguments from the last register has its arguments one behind the end.)
        regs = caller.top
        if kwnames != NULL:
            n += PyTuple_GET_SIZE(kwnames)
        end = regs + n + (<Code>code).nregs
        if end > vm.watermark and grow_stack(vm, end) < 0:
            clear_registers(args, 0, <uint32_t>n)
            Py_DECREF(func)
            return CALL_ERROR
        for i in range(n):
            value_move(&regs[i], &args[i])
            args[i].tag = T_UNDEF
        args = regs
    if (kind == K_SIMPLE or kind == K_HOT) and kwnames == NULL:
        if npos == (<Code>code).npos or fill_defaults_checked(vm, func, regs, npos):
            f = push_frame(vm, func, regs, 1)
            if f == NULL:
                clear_registers(regs, 0, (<Code>code).npos)
                Py_DECREF(func)
                return CALL_ERROR
            f.ret = ret
            return CALL_PUSHED
    return call_function_slow(vm, func, args, npos, kwnames, ret)

cdef inline bint fill_defaults_checked(VM *vm, PyObject *func, Value *regs, Py_ssize_t npos) noexcept:
    cdef Value *end = regs + (<Code>(<Function>func).code).nregs
    if end > vm.watermark and grow_stack(vm, end) < 0:
        PyErr_Clear()
        return 0
    return fill_defaults(func, regs, npos)

cdef int call_function_slow(VM *vm, PyObject *func, Value *args, Py_ssize_t npos, PyObject *kwnames,
                            uint16_t ret) noexcept:
    """Argument binding in full; generator functions. Same owner rule."""
    cdef PyObject *code = <PyObject *>(<Function>func).code
    cdef Value *regs = args
    cdef Value *end
    cdef Value *top
    cdef Frame *f
    cdef PyObject *gen
    cdef uint32_t i
    cdef uint32_t flags = (<Code>code).flags
    cdef Py_ssize_t n = npos + (PyTuple_GET_SIZE(kwnames) if kwnames != NULL else 0)
    cdef PyObject *rest = vm.rest
    vm.rest = NULL
    end = regs + (<Code>code).nregs + n
    if end > vm.watermark and grow_stack(vm, end) < 0:
        Py_XDECREF(rest)
        clear_registers(args, 0, <uint32_t>n)
        Py_DECREF(func)
        return CALL_ERROR
    # What is allocated here may set off a collection, whose finalizers run guest code above `top`: that must be above
    # the window that is being filled.
    top = vm.frame.top
    if end > top:
        vm.frame.top = end
    if bind_values(<Function>func, args, npos, kwnames, regs) < 0:
        vm.frame.top = top
        Py_XDECREF(rest)
        Py_DECREF(func)
        return CALL_ERROR
    if rest != NULL:
        store_object(regs, (<Code>code).npos + (<Code>code).nkwonly, rest)
    if flags & (CODE_GENERATOR | CODE_COROUTINE | CODE_ASYNC_GENERATOR):
        gen = make_generator(vm, func, regs)
        vm.frame.top = top
        if gen == NULL:
            clear_registers(regs, 0, (<Code>code).nparams)
            Py_DECREF(func)
            return CALL_ERROR
        Py_DECREF(func)
        store_object(vm.frame.regs, ret, gen)
        return CALL_DONE
    vm.frame.top = top
    f = push_frame(vm, func, regs, 1)
    if f == NULL:
        clear_registers(regs, 0, (<Code>code).nparams)
        Py_DECREF(func)
        return CALL_ERROR
    f.ret = ret
    return CALL_PUSHED

cdef bint loop_over_range(Frame *f, Value *args, Py_ssize_t n, uint16_t ret) noexcept:
    """For `for x in range(...)`: sets up the iterator of the GET_ITER that follows the call, without a range object."""
    cdef const Instr *ins = f.ip
    cdef Value *it
    cdef int64_t start = 0
    cdef int64_t step = 1
    cdef int64_t stop
    if n < 1 or n > 3 or ins.op != OP_GET_ITER or ins.t.abc.b != ret or ret < (<Code>f.code).first_temp:
        return 0
    if args[0].tag != T_INT or not fits_range(args[0].u.i):
        return 0
    stop = args[0].u.i
    if n > 1:
        if args[1].tag != T_INT or not fits_range(args[1].u.i):
            return 0
        start = stop
        stop = args[1].u.i
    if n > 2:
        if args[2].tag != T_INT or not fits_range(args[2].u.i) or args[2].u.i == 0:
            return 0
        step = args[2].u.i
    it = &f.regs[ins.a]
    value_clear(args - 1)        # the callee; the iterator may take its place
    value_clear(it + 1)
    value_clear(it + 2)
    set_range(it, start, stop, step)
    f.ip = ins + 1
    return 1

cdef PyObject *named_tuple_new(PyTypeFull *t) noexcept:
    """The __new__ that collections.namedtuple gave the class, borrowed, or NULL. It makes an instance of just this class, so
    there is no __init__ to be called but object's, which does nothing then. Any other __new__ may return anything."""
    cdef PyObject *new
    cdef PyObject *names
    if t.tp_init != object_init or not t.tp_flags & Py_TPFLAGS_TUPLE_SUBCLASS:
        return NULL
    new = _PyType_Lookup(<PyTypeObject *>t, <PyObject *>STR_NEW)
    if new == NULL or Py_TYPE(new) != &PyStaticMethod_Type:
        return NULL
    new = (<StaticMethodStruct *>new).callable
    if new == NULL or Py_TYPE(new) != FunctionType:
        return NULL
    names = <PyObject *>(<Code>(<Function>new).code).names
    if PyTuple_GET_SIZE(names) != 1 or PyUnicode_Compare(PyTuple_GET_ITEM(names, 0), <PyObject *>STR_TUPLE_NEW) != 0:
        return NULL
    return new

cdef PyObject *find_init(PyObject *cls, CacheSite *site) noexcept:
    """For a class whose calls mean object.__new__ and a guest __init__: that function (borrowed), else NULL.

    For a named tuple: the guest's __new__ that it has, and site.index is 1, otherwise 0. Cached under the class's version.
    """
    cdef PyTypeFull *t = <PyTypeFull *>cls
    cdef PyObject *init
    if site.version2 == t.tp_version_tag and site.version2 != 0 and site.target == <void *>cls:
        return <PyObject *>site.aux
    site.version2 = 0
    if Py_TYPE(cls) != &PyType_Type:
        return NULL
    if t.tp_new != object_new:
        init = named_tuple_new(t)
        if init == NULL or not valid_version(<PyTypeObject *>cls):
            return NULL
        site.index = 1
    else:
        if t.tp_alloc != PyType_GenericAlloc:
            return NULL
        init = _PyType_Lookup(<PyTypeObject *>cls, <PyObject *>STR_INIT)
        if init == NULL or Py_TYPE(init) != FunctionType or not valid_version(<PyTypeObject *>cls):
            return NULL
        if is_abstract(<PyTypeObject *>cls):
            return NULL
        site.index = 0
    site.version2 = t.tp_version_tag
    site.target = <void *>cls
    site.aux = <void *>init
    site.aux2 = NULL            # what a builtin had here is gone
    return init

cdef int call_value(VM *vm, Value *R, uint32_t base, Py_ssize_t npos, PyObject *kwnames, uint16_t ret,
                    CacheSite *site, bint method) noexcept:
    """CALL and CALL_METHOD: the callable is R[base] (consumed, arguments too). See CallResult."""
    cdef Value *slot = &R[base]
    cdef Value *args = slot + 1
    cdef PyObject *callee
    cdef PyObject *func
    cdef PyObject *self
    cdef PyObject *r
    cdef PyTypeObject *t
    cdef Py_ssize_t i, n
    cdef int status
    if method:
        if args.tag == T_UNDEF:
            args += 1
        else:
            npos += 1
    if slot.tag != T_OBJ:
        r = value_object(slot)
        if r != NULL:
            PyErr_Format(PyExc_TypeError, b"'%.200s' object is not callable", (<PyTypeFull *>Py_TYPE(r)).tp_name)
            Py_DECREF(r)
        return CALL_ERROR
    callee = slot.u.o
    t = Py_TYPE(callee)
    if t == FunctionType:
        slot.tag = T_UNDEF
        i = (<Code>(<Function>callee).code).call_kind
        status = call_function(vm, callee, args, npos, kwnames, ret)
        return hot_call(vm) if i == K_HOT and status == CALL_PUSHED else status
    if t == &PyMethod_Type:
        func = PyMethod_GET_FUNCTION(callee)
        if Py_TYPE(func) == FunctionType:
            self = PyMethod_GET_SELF(callee)
            Py_INCREF(func)
            Py_INCREF(self)
            slot.tag = T_UNDEF
            value_steal(args - 1, self)         # where the callee was, or, of CALL_METHOD, the place of a self
            Py_DECREF(callee)
            i = (<Code>(<Function>func).code).call_kind
            status = call_function(vm, func, args - 1, npos + 1, kwnames, ret)
            return hot_call(vm) if i == K_HOT and status == CALL_PUSHED else status
    elif t == &PyType_Type:
        if callee == <PyObject *>&PyType_Type and npos == 1 and kwnames == NULL and not method:
            r = value_object(args)
            if r == NULL:
                return CALL_ERROR
            self = <PyObject *>Py_TYPE(r)
            Py_INCREF(self)
            Py_DECREF(r)
            value_clear(args)
            value_clear(slot)
            store_object(R, ret, self)
            return CALL_DONE
        if callee == <PyObject *>&PyRange_Type and kwnames == NULL and not method and loop_over_range(vm.frame, args, npos, ret):
            return CALL_SKIPPED
        if site != NULL:
            func = find_init(callee, site)
            if func != NULL and site.index:
                Py_INCREF(func)
                slot.tag = T_UNDEF
                value_steal(args - 1, callee)
                return call_function(vm, func, args - 1, npos + 1, kwnames, ret)     # the class is the first argument
            if func != NULL:
                self = object_new(<PyTypeObject *>callee, empty_tuple, NULL)
                if self == NULL:
                    return CALL_ERROR
                Py_INCREF(func)
                Py_INCREF(self)              # one for the frame, one for the parameter
                slot.tag = T_UNDEF
                value_steal(args - 1, self)
                status = call_function(vm, func, args - 1, npos + 1, kwnames, ret)
                Py_DECREF(callee)
                if status == CALL_PUSHED:
                    vm.frame.ns = self
                    vm.frame.flags = F_INIT
                    return status
                if status == CALL_DONE:
                    # A generator function as __init__: CPython complains about what it returned.
                    bad_init_return(&R[ret])
                Py_DECREF(self)
                return CALL_ERROR
    if vm.step != NULL and vm.native == vm.step_level:
        status = step_call(vm, slot, args, npos, kwnames, ret)
        if status != STEP_NOTHING:
            return status
    if npos >= 3 and k_is_metaclass(callee):
        if fix_class_namespace(&args[2]) < 0:
            return CALL_ERROR
    elif callee == type_new_function and npos >= 4:
        if fix_class_namespace(&args[3]) < 0:
            return CALL_ERROR
    if site != NULL and kwnames == NULL and site.counter == 0:
        # The second and later calls may take a shortcut.
        site.counter = 1
        site.kind = native_kind(callee, npos)
        if site.kind != N_NONE:
            site.aux2 = <void *>callee
            site.version = <uint32_t>npos
        elif is_lasting_class(callee, npos) and npos == site.nargs:
            site.kind = N_CLASS
            site.aux2 = <void *>callee
            site.version2 = 0           # see find_init
    if callee == <PyObject *>&PySuper_Type and npos == 0 and kwnames == NULL:
        r = zero_argument_super(vm.frame)
    else:
        r = call_native(callee, args, npos, kwnames)
    if r == NULL:
        return CALL_ERROR
    n = npos + (PyTuple_GET_SIZE(kwnames) if kwnames != NULL else 0)
    for i in range(n):
        value_clear(&args[i])
    value_clear(slot)
    store_object(R, ret, r)
    return CALL_DONE

cdef int call_builtin(Value *R, Value *slot, CacheSite *site, uint32_t ret, bint method) noexcept:
    """CALL and CALL_METHOD of a method descriptor or builtin function with positional arguments, by its C signature. The site
    learns what it is.

    As call_value, but CALL_SKIPPED means that nothing was done: the arguments are not what is covered here.
    """
    cdef PyObject *callee = slot.u.o
    cdef PyObject *argv[6]
    cdef PyObject *self
    cdef PyObject *r
    cdef PyMethodDef *what
    cdef Value *args = slot + 1
    cdef Value *at
    cdef Py_ssize_t n = site.nargs
    cdef Py_ssize_t i
    cdef uint32_t boxed = 0
    cdef int kind
    if hooks.stepping:
        return CALL_SKIPPED         # see step_call
    if method:
        if args.tag == T_UNDEF:
            args += 1
        else:
            n += 1
    at = args
    if Py_TYPE(callee) == &PyMethodDescr_Type:
        if n == 0 or at.tag != T_OBJ:
            return CALL_SKIPPED
        self = at.u.o
        what = k_method_for(callee, self)
        if what == NULL:
            return CALL_SKIPPED
        at += 1
        n -= 1
    else:
        what = k_function_def(callee, &self)
    if look_at_alarm() < 0:
        return CALL_ERROR
    kind = k_call_kind(what)
    if site.aux2 == NULL and site.counter < 16 and callee != type_new_function \
            and (not method or (args == slot + 1) == (Py_TYPE(callee) == &PyMethodDescr_Type)):
        learn_builtin(site, callee, self, what, n, kind)
    if n == 1 and kind == METH_O:
        if at.tag & T_OWNED:
            r = k_call_one(what, self, at.u.o)
        else:
            argv[1] = value_object(at)
            if argv[1] == NULL:
                return CALL_ERROR
            r = k_call_one(what, self, argv[1])
            Py_DECREF(argv[1])
    elif n == 0 and kind == METH_NOARGS:
        r = k_call_one(what, self, NULL)
    elif n <= 5 and (kind == METH_FASTCALL or kind == K_CALL_FASTKW):
        argv[0] = NULL
        for i in range(n):
            argv[i + 1] = at[i].u.o
            if not at[i].tag & T_OWNED:
                argv[i + 1] = value_object(&at[i])
                boxed |= <uint32_t>1 << i
                if argv[i + 1] == NULL:
                    boxed ^= <uint32_t>1 << i
                    break
        else:
            r = k_call_fast(what, self, argv + 1, n) if kind == METH_FASTCALL else k_call_fastkw(what, self, argv + 1, n)
            i = -1
        if i >= 0:
            r = NULL
        i = 0
        while boxed:
            if boxed & 1:
                Py_DECREF(argv[i + 1])
            boxed >>= 1
            i += 1
    elif takes_tuple(callee, kind):
        r = call_with_tuple(what, self, at, n, kind == K_CALL_TUPLEKW)
    else:
        return CALL_SKIPPED
    if r == NULL:
        return CALL_ERROR
    while args <= at + n - 1:
        value_clear(args)
        args += 1
    slot.tag = T_UNDEF
    Py_DECREF(callee)
    store_object(R, ret, r)
    return CALL_DONE

cdef inline bint takes_tuple(PyObject *callee, int kind) noexcept:
    """Whether a builtin gets its arguments as a tuple, and nothing is to be done before, as there is for type.__new__."""
    return (kind == METH_VARARGS or kind == K_CALL_TUPLEKW) and callee != type_new_function

cdef int fix_class_namespace(Value *ns) noexcept:
    """Before type(name, bases, ns): see objects.class_builder.fix_namespace."""
    if ns.tag != T_OBJ or not PyDict_Check(ns.u.o):
        return 0
    return fix_namespace_raw(ns)

cdef int fix_namespace_raw(Value *ns) noexcept:
    cdef PyObject *copy
    cdef Frame *f
    try:
        namespace = <object>ns.u.o
        if type(namespace) is not dict:
            namespace = dict.copy(namespace)     # type.__new__ copies it anyway
        fixed = fix_namespace(namespace)
        f = guest_frame()
        if f != NULL and "__module__" not in fixed:
            # type.__new__ would take the name of the host's running module.
            module = (<object>f.globals).get("__name__")
            if module is not None:
                fixed = dict.copy(fixed)
                fixed["__module__"] = module
        raw = <PyObject *>fixed
        Py_INCREF(raw)
        copy = ns.u.o
        ns.u.o = raw
        Py_DECREF(copy)
        return 0
    except BaseException as error:
        raw = <PyObject *>error
        Py_INCREF(raw)
        copy = raw
    k_restore_raised(copy)
    return -1

cdef PyObject *zero_argument_super(Frame *f) noexcept:
    """super() in a method: super(__class__, first argument). New reference or NULL."""
    cdef PyObject *cls
    cdef PyObject *self = frame_super_of(f, &cls)
    cdef PyObject *args[3]
    cdef PyObject *r
    if self == NULL:
        return NULL
    args[0] = NULL
    args[1] = cls
    args[2] = self
    r = PyObject_Vectorcall(<PyObject *>&PySuper_Type, args + 1, 2 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL)
    Py_DECREF(self)
    Py_DECREF(cls)
    return r

cdef PyObject *frame_super_of(Frame *f, PyObject **cls) noexcept:
    """First argument and __class__ of the frame (new references), or NULL with RuntimeError set."""
    cdef PyObject *code
    cdef PyObject *self
    cdef PyObject *cell
    cdef Value *v
    if f.func == NULL:
        PyErr_SetString(PyExc_RuntimeError, b"super(): no current frame")
        return NULL
    code = f.code
    if (<Code>code).npos == 0:
        PyErr_SetString(PyExc_RuntimeError, b"super(): no arguments")
        return NULL
    v = &f.regs[0]
    if v.tag == T_OBJ and Py_TYPE(v.u.o) == CellType and is_cell_register(code, 0):
        v = &(<Cell>v.u.o).value
    if v.tag == T_UNDEF:
        PyErr_SetString(PyExc_RuntimeError, b"super(): arg[0] deleted")
        return NULL
    if (<Code>code).class_cell < 0:
        PyErr_SetString(PyExc_RuntimeError, b"super(): __class__ cell not found")
        return NULL
    cell = PyTuple_GET_ITEM(<PyObject *>(<Function>f.func).closure, (<Code>code).class_cell)
    if (<Cell>cell).value.tag == T_UNDEF and not resolve_class_cell(cell):
        PyErr_SetString(PyExc_RuntimeError, b"super(): empty __class__ cell")
        return NULL
    self = value_object(v)
    if self == NULL:
        return NULL
    cls[0] = value_object(&(<Cell>cell).value)
    if cls[0] == NULL:
        Py_DECREF(self)
        return NULL
    return self

cdef bint is_cell_register(PyObject *code, int index) noexcept:
    """Whether the local register holds a cell of the frame (and not a cell that the guest passes around)."""
    cdef PyObject *regs = <PyObject *>(<Code>code).cell_regs
    cdef Py_ssize_t i
    cdef int64_t n
    for i in range(PyTuple_GET_SIZE(regs)):
        if k_long_as_int64(PyTuple_GET_ITEM(regs, i), &n) and n == index:
            return 1
    return 0

cdef int call_ex(VM *vm, Value *R, const Instr *ins) noexcept:
    """CALL_EX: R[base](*R[base+1], **R[base+2]). See CallResult; consumes the registers on success."""
    cdef Value *base = &R[ins.t.abc.b]
    cdef bint has_kw = ins.t.abc.c
    cdef PyObject *callee
    cdef PyObject *args
    cdef PyObject *kw = NULL
    cdef PyObject *r
    cdef PyObject *x
    cdef PyObject *names
    cdef Value *at
    cdef Py_ssize_t i, n, nkw
    cdef int status
    callee = value_object(base)
    if callee == NULL:
        return CALL_ERROR
    x = value_object(&base[1])
    if x == NULL:
        Py_DECREF(callee)
        return CALL_ERROR
    if PyTuple_CheckExact(x):
        args = x
    else:
        args = star_arguments(callee, x)
        Py_DECREF(x)
        if args == NULL:
            Py_DECREF(callee)
            return CALL_ERROR
    if has_kw:
        kw = base[2].u.o
    n = PyTuple_GET_SIZE(args)
    nkw = PyDict_GET_SIZE(kw) if kw != NULL else 0
    if n > MANY_ARGUMENTS and takes_rest(callee):
        x = PyTuple_GetSlice(args, (<Code>(<Function>callee).code).npos, n)
        if x == NULL:
            Py_DECREF(callee)
            Py_DECREF(args)
            return CALL_ERROR
        vm.rest = x
        n = (<Code>(<Function>callee).code).npos
    if Py_TYPE(callee) == FunctionType and vm.frame.top + n + nkw + 8 < vm.stack_end:
        # Spread on the stack above the frame, where the callee's window then starts.
        at = vm.frame.top
        if at + n + nkw > vm.watermark and grow_stack(vm, at + n + nkw) < 0:
            Py_DECREF(callee)
            Py_DECREF(args)
            drop_rest(vm)
            return CALL_ERROR
        vm.frame.top = at + n + nkw      # keeps what runs in between (finalizers) above the arguments
        for i in range(n):
            value_borrowed(&at[i], PyTuple_GET_ITEM(args, i))
        names = NULL
        if nkw:
            names = spread_keywords(kw, at + n)
            if names == NULL:
                vm.frame.top = at
                clear_registers(at, 0, <uint32_t>n)
                Py_DECREF(callee)
                Py_DECREF(args)
                drop_rest(vm)
                return CALL_ERROR
        Py_DECREF(args)
        clear_registers(base, 0, 3 if has_kw else 2)
        vm.frame.top = at
        status = call_function(vm, callee, at, n, names, ins.a)
        Py_XDECREF(names)
        drop_rest(vm)
        return status
    drop_rest(vm)               # hook_call does without the stack as well
    if vm.step != NULL and vm.native == vm.step_level:
        status = step_call_ex(vm, callee, args, kw, ins.a)
        if status != STEP_NOTHING:
            Py_DECREF(args)
            Py_DECREF(callee)
            clear_registers(base, 0, 3 if has_kw else 2)
            return status
    if callee == <PyObject *>&PySuper_Type and n == 0 and nkw == 0:
        r = zero_argument_super(vm.frame)
    elif n >= 3 and (callee == type_new_function
                     or k_is_metaclass(callee)):
        r = call_type(callee, args, kw)
    else:
        r = PyObject_Call(callee, args, kw)
    Py_DECREF(args)
    Py_DECREF(callee)
    if r == NULL:
        return CALL_ERROR
    clear_registers(base, 0, 3 if has_kw else 2)
    store_object(R, ins.a, r)
    return CALL_DONE

cdef inline bint takes_rest(PyObject *callee) noexcept:
    return Py_TYPE(callee) == FunctionType and ((<Code>(<Function>callee).code).flags & CODE_VARARGS) != 0

cdef inline void drop_rest(VM *vm) noexcept:
    cdef PyObject *rest = vm.rest
    vm.rest = NULL
    Py_XDECREF(rest)

cdef PyObject *call_type(PyObject *callee, PyObject *args, PyObject *kw) noexcept:
    """type(...) or type.__new__(...) with spread arguments, the namespace fixed first."""
    cdef Value ns
    cdef PyObject *t
    cdef PyObject *r
    cdef PyObject *x
    cdef Py_ssize_t i
    cdef Py_ssize_t at = 3 if callee == type_new_function else 2
    if PyTuple_GET_SIZE(args) <= at:
        return PyObject_Call(callee, args, kw)
    value_borrowed(&ns, PyTuple_GET_ITEM(args, at))
    if fix_class_namespace(&ns) < 0:
        value_release(&ns)
        return NULL
    t = PyTuple_New(PyTuple_GET_SIZE(args))
    if t == NULL:
        value_release(&ns)
        return NULL
    for i in range(PyTuple_GET_SIZE(args)):
        x = PyTuple_GET_ITEM(args, i)
        if i == at:
            PyTuple_SET_ITEM(t, i, value_object(&ns))
        else:
            Py_INCREF(x)
            PyTuple_SET_ITEM(t, i, x)
    value_release(&ns)
    r = PyObject_Call(callee, t, kw)
    Py_DECREF(t)
    return r

cdef PyObject *star_arguments(PyObject *callee, PyObject *x) noexcept:
    """tuple(x) for f(*x): new reference, or NULL with CPython's message for what is not iterable."""
    cdef PyObject *r = PySequence_Tuple(x)
    if r == NULL and PyErr_ExceptionMatches(PyExc_TypeError) and not is_iterable(x):
        PyErr_Clear()
        set_star_error(callee, x)
    return r

cdef void set_star_error(PyObject *callee, PyObject *x) noexcept:
    cdef PyObject *text
    try:
        message = f"{function_label(<object>callee)} argument after * must be an iterable, not {type(<object>x).__name__}"
        text = <PyObject *>message
        PyErr_SetObject(PyExc_TypeError, text)
    except BaseException:
        PyErr_SetString(PyExc_TypeError, b"argument after * must be an iterable")

cdef PyObject *spread_keywords(PyObject *kw, Value *at) noexcept:
    """Writes the dict's values to at[0..] (dead slots): the tuple of names (new reference), or NULL."""
    cdef PyObject *names = PyTuple_New(PyDict_GET_SIZE(kw))
    cdef PyObject *k
    cdef PyObject *v
    cdef Py_ssize_t pos = 0
    cdef Py_ssize_t i = 0
    if names == NULL:
        return NULL
    while PyDict_Next(kw, &pos, &k, &v):
        if not PyUnicode_Check(k):
            PyErr_SetString(PyExc_TypeError, b"keywords must be strings")
            clear_registers(at, 0, <uint32_t>i)
            Py_DECREF(names)
            return NULL
        Py_INCREF(k)
        PyTuple_SET_ITEM(names, i, k)
        value_borrowed(&at[i], v)
        i += 1
    return names

cdef PyObject *call_of_other(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames) noexcept:
    """A call of a guest's function while another guest runs: something of the host that is being finalized asks for it
    (a close(), a callback). Nobody is there who expects a result."""
    cdef PyObject *r = NULL
    cdef int begun = begin_finalizer(<PyObject *>(<Function>func).builtins)
    if begun >= 0:
        r = enter_call(func, args, nargsf, kwnames)
        if r == NULL:
            Py_XDECREF(k_take_raised())
        hooks.end_unattended(begun)
    if r == NULL:
        r = Py_None
        Py_INCREF(r)
    return r

cdef void end_between_runs(int begun) noexcept:
    """Ends what begin_finalizer has begun for guest code that the host has called. That it was stopped there is no matter of a run."""
    cdef VM *vm = <VM *>k_get_vm()
    cdef bint stopped = begun > 0 and is_stopped(vm)
    if begun > 0:
        hooks.end_unattended(begun)
    if stopped and PyErr_Occurred() != NULL:
        PyErr_Clear()
        PyErr_SetString(PyExc_RuntimeError, b"code of a guest, called while it does not run, took too long or too much memory")

cdef bint has_limits(PyObject *builtins) noexcept:
    """Whether code with these builtins belongs to a guest whose runs have a limit of time: those of the command line have none."""
    cdef object context
    if not is_of_guest(builtins):
        return 0
    try:
        context = (<ContextFunction><object>PyDict_GetItemWithError(builtins, <PyObject *>STR_IMPORT)).context
        if (<RunContext>context).privileged:
            context = (<RunContext>context).guest
        limits = (<RunContext>context).limits
        return limits is not None and limits.seconds is not None
    except BaseException:           # no memory
        return 1

cdef int begin_between_runs(PyObject *func) noexcept:
    """Before code of a guest that the host has called by chance while no run is under way in this thread, such as the `__str__` of an
    exception that it has kept: it has the short limit of finalizers, if runs of the guest have a limit of time. 0: it has none;
    1; -1 with an exception set."""
    cdef int begun
    if not has_limits(<PyObject *>(<Function>func).builtins):
        return 0
    begun = begin_finalizer(<PyObject *>(<Function>func).builtins)
    if begun < 0:
        PyErr_SetString(PyExc_RuntimeError, b"code of a guest may not run now: its run was stopped, or too much of it has run outside of runs")
    return begun

cdef PyObject *call_between_runs(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames) noexcept:
    """A call while no run is under way in this thread."""
    cdef int begun = begin_between_runs(func)
    cdef PyObject *r
    if begun < 0:
        return NULL
    r = enter_call(func, args, nargsf, kwnames)
    end_between_runs(begun)
    return r

cdef PyObject *enter_call(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames) noexcept:
    """Runs a function to its end in a nested loop."""
    cdef VM *vm = vm_enter()
    cdef Py_ssize_t npos = <Py_ssize_t>(nargsf & ~PY_VECTORCALL_ARGUMENTS_OFFSET)
    cdef Py_ssize_t n = npos + (PyTuple_GET_SIZE(kwnames) if kwnames != NULL else 0)
    cdef Py_ssize_t i
    cdef Py_ssize_t skipped
    cdef Value *at
    cdef PyObject *r = NULL
    cdef PyObject *rest
    cdef int status
    cdef Value result
    if vm == NULL:
        return NULL
    vm.slice -= 1                        # native loops over guest functions reach safepoints too
    if vm.slice < 0 and slice_ends(vm) < 0:
        vm_leave(vm)
        return NULL
    at = vm.frame.top
    skipped = 0
    if n > MANY_ARGUMENTS and npos > (<Code>(<Function>func).code).npos and takes_rest(func):
        skipped = npos - (<Code>(<Function>func).code).npos
        rest = PyTuple_New(skipped)
        if rest == NULL:
            vm_leave(vm)
            return NULL
        npos -= skipped
        n -= skipped
        for i in range(skipped):
            Py_INCREF(args[npos + i])
            PyTuple_SET_ITEM(rest, i, args[npos + i])
        vm.rest = rest
    if at + n + 1 > vm.watermark and grow_stack(vm, at + n + 1) < 0:
        drop_rest(vm)
        vm_leave(vm)
        return NULL
    for i in range(npos):
        value_borrowed(&at[i], args[i])
    for i in range(npos, n):
        value_borrowed(&at[i], args[skipped + i])
    Py_INCREF(func)
    status = call_function_entry(vm, func, at, npos, kwnames, &result)
    drop_rest(vm)
    if status == CALL_DONE:
        r = value_object(&result)
        value_release(&result)
    elif status == CALL_PUSHED:
        vm.frame.flags |= F_ENTRY
        r = run(vm, 0)
    vm_leave(vm)
    return r

cdef PyObject *hook_call(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames) noexcept:
    """Vectorcall of a guest function from native code."""
    cdef VM *vm = <VM *>k_get_vm()
    cdef PyObject *code = <PyObject *>(<Function>func).code
    cdef PyObject *builtins = <PyObject *>(<Function>func).builtins
    cdef Py_ssize_t npos = <Py_ssize_t>(nargsf & ~PY_VECTORCALL_ARGUMENTS_OFFSET)
    cdef Py_ssize_t i
    cdef Value *at
    cdef PyObject *r
    if vm == NULL:
        return call_between_runs(func, args, nargsf, kwnames)
    if vm.frame == vm.frames or builtins != <PyObject *>(<Function>vm.frame.func).builtins:
        if vm.native != vm.host_level:
            # A stop is no business of the callee's: enter_call sees to that.
            if (vm.meter == NULL or not is_stopped(vm)) and (is_foreign(builtins) or is_left_behind(builtins)):
                return call_of_other(func, args, nargsf, kwnames)
        if vm.frame == vm.frames:
            return enter_call(func, args, nargsf, kwnames)
    if is_stopped(vm) or vm.slice <= 0 or kwnames != NULL or npos != (<Code>code).npos \
            or (<Code>code).call_kind != K_SIMPLE or vm.frame + 1 >= vm.frames_end \
            or vm.frame.top + (<Code>code).nregs > vm.watermark:
        return enter_call(func, args, nargsf, kwnames)
    # The usual case, a sort key or a comparison of the guest that runs: nothing is in the way of its frame.
    vm = vm_enter()
    if vm == NULL:
        return NULL
    vm.slice -= 1                        # native loops over guest functions reach safepoints too
    at = vm.frame.top
    for i in range(npos):
        value_borrowed(&at[i], args[i])
    Py_INCREF(func)
    push_frame(vm, func, at, 1).flags = F_ENTRY
    r = run(vm, 0)
    vm_leave(vm)
    return r

cdef int call_function_entry(VM *vm, PyObject *func, Value *args, Py_ssize_t npos, PyObject *kwnames,
                             Value *result) noexcept:
    """As call_function for an entry from C: a generator goes to *result."""
    cdef Value *saved = vm.frame.regs
    cdef Value slot
    cdef int status
    slot.tag = T_UNDEF
    vm.frame.regs = &slot
    status = call_function(vm, func, args, npos, kwnames, 0)
    if status == CALL_PUSHED:
        (vm.frame - 1).regs = saved
        return status
    vm.frame.regs = saved
    result[0] = slot
    return status
