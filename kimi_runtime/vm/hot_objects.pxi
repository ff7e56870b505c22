# What compiled code calls for objects: attributes by the sites' caches, items of dicts, functions whose bodies are part of it.
#
# None of these raises: where something does not go the usual way they do nothing, and the interpreter executes the instruction.
# OWNER RULE: objects are borrowed, what is given back too, unless said. What is replaced is handed out, for the compiled code to
# give up once its frame is up to date: a finalizer may look at it. `careful`: there is no frame for it yet; so nothing is done
# where a finalizer could run.

cdef inline bint hot_silent(PyObject *o) noexcept:
    """Whether giving up a reference to the object runs no code: it is not the last one, or a plain value's."""
    return o == NULL or Py_REFCNT(o) > 1 or not (<PyTypeFull *>Py_TYPE(o)).tp_flags & (Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_HAVE_GC)

cdef bint hot_alive(VM *vm) noexcept:
    """Whether the run goes on, where its slice is used up."""
    return not is_stopped(vm)

cdef void hot_fill(Value *slot, PyObject *o) noexcept:
    """Writes a second reference to a dead register, a number as one."""
    value_borrowed(slot, o)

cdef PyObject *hot_box_int(int64_t n) noexcept:
    """New reference, or NULL: no memory."""
    cdef PyObject *o = k_box_int(n)
    if o == NULL:
        PyErr_Clear()
    return o

cdef PyObject *hot_box_float(double d) noexcept:
    cdef PyObject *o = PyFloat_FromDouble(d)
    if o == NULL:
        PyErr_Clear()
    return o

cdef bint hot_rewrite_int(PyObject *old, int64_t n) noexcept:
    return k_rewrite_int(old, n)

cdef PyObject *hot_attr(PyObject *o, CacheSite *site) noexcept:
    """o.name of the site, or NULL."""
    cdef PyObject *p = cached_attr(site, o)
    if p == NULL and refill_attr(site, o, USE_LOAD):
        p = cached_attr(site, o)
    return p

cdef PyObject *hot_method(PyObject *o, CacheSite *site) noexcept:
    """The function that o.name of the site calls with o before its arguments, or NULL."""
    if method_hit(site, o):
        return <PyObject *>site.target
    if refill_attr(site, o, USE_METHOD) and method_hit(site, o):
        return <PyObject *>site.target
    return NULL

cdef bint hot_is_function(PyObject *o, const Instr *instrs) noexcept:
    """Whether the object is a guest function of that code, called as its positional parameters say."""
    return o != NULL and Py_TYPE(o) == FunctionType and (<Function>o).code.instrs == instrs

cdef struct HotMethod:      # what compiled code knows of a method: found for these versions it is `target`
    uint32_t version        # of the type; 0: nothing is known
    uint32_t keys           # of the keys that its instances share, which lack the name
    PyObject *target        # borrowed: the type has it while it has the version

cdef PyObject *hot_method_of(PyObject *o, CacheSite *site, const Instr *instrs, HotMethod *known) noexcept:
    """As hot_method, of a function of that code; or NULL."""
    cdef PyObject *target = hot_method(o, site)
    if not hot_is_function(target, instrs):
        return NULL
    known.version = site.version if site.kind == A_METHOD_VALUES else 0
    known.keys = site.version2
    known.target = target
    return target

cdef PyObject **hot_attr_place(PyObject *o, CacheSite *site, PyObject ***values) noexcept:
    """Where o has the attribute of the storing site, or NULL; values: the table that it lies in, when it may be empty yet."""
    values[0] = NULL
    if k_type_version(Py_TYPE(o)) != site.version and not refill_attr(site, o, USE_STORE):
        return NULL
    if site.kind == A_STORE_VALUE:
        values[0] = k_values(o)
        return NULL if values[0] == NULL else &values[0][site.index]
    if site.kind == A_STORE_SLOT:
        return <PyObject **>(<char *>o + site.index)
    return NULL

cdef int hot_store_attr(PyObject *o, CacheSite *site, uint64_t tag, int64_t payload, bint careful, PyObject **old) noexcept:
    """o.name = the value: 1, and *old is what was there (owned) or NULL; or 0."""
    cdef Value v
    cdef PyObject **values
    cdef PyObject **place = hot_attr_place(o, site, &values)
    cdef PyObject *p
    old[0] = NULL
    if place == NULL:
        return 0
    v.tag = tag
    v.u.i = payload
    if not tag & T_OWNED and values != NULL and place[0] != NULL and rewrite_number(place[0], &v):
        return 1
    if careful and not hot_silent(place[0]):
        return 0
    p = value_object(&v)
    if p == NULL:
        PyErr_Clear()
        return 0
    old[0] = place[0]
    place[0] = p
    if old[0] == NULL and values != NULL:
        k_values_inserted(values, site.index)
    return 1

cdef PyObject *hot_global_of(PyObject *func, uint32_t c) noexcept:
    """As hot_global, for a function whose body is part of the code."""
    cdef Frame there
    there.code = <PyObject *>(<Function>func).code
    there.globals = <PyObject *>(<Function>func).globals
    there.builtins = <PyObject *>(<Function>func).builtins
    return hot_global(&there, c)

cdef bint hot_fits(VM *vm, Frame *f, uint32_t registers, uint32_t frames) noexcept:
    """Whether there is room for the frames of functions whose bodies are part of the code."""
    return f.regs + registers <= vm.watermark and f + frames < vm.frames_end and not f.flags & F_GENERATOR

cdef void hot_push(VM *vm, const Instr *after, PyObject *func, uint32_t window, uint32_t ret) noexcept:
    """Makes the frame of such a function, whose registers are there already; as CALL does. after: where its caller goes on.
    Where it goes on itself is left to the compiled code."""
    cdef Frame *f = vm.frame
    cdef Value *regs = f.regs + window
    f.ip = after
    f += 1
    f.regs = regs
    f.code = <PyObject *>(<Function>func).code
    f.func = func
    Py_INCREF(func)
    f.globals = <PyObject *>(<Function>func).globals
    f.builtins = <PyObject *>(<Function>func).builtins
    f.ns = NULL
    f.gen = NULL
    f.flags = 0
    f.ret = <uint16_t>ret
    f.top = regs + (<Code>f.code).nregs
    vm.frame = f

cdef Value *hot_generator(VM *vm, Frame *f, uint32_t reg, const Instr *instrs) noexcept:
    """The registers of the generator that a loop of the frame goes over, when it is one of that code; else NULL."""
    cdef PyObject *o = f.regs[reg].u.o
    if f.regs[reg].tag != T_IT_GEN or (<Generator>o).code.instrs != instrs or (<Generator>o).state != GEN_SUSPENDED \
            or f.flags & F_GENERATOR or f + 2 >= vm.frames_end:
        return NULL
    return (<Generator>o).regs

cdef bint hot_suspended(PyObject *gen, const Instr *ip) noexcept:
    """Whether the generator waits there to be resumed."""
    return (<Generator>gen).state == GEN_SUSPENDED and (<Generator>gen).ip == ip

cdef int hot_resume(VM *vm, uint32_t reg, const Instr *after) noexcept:
    """Makes the frame of a generator whose body is part of the code, up to date already. -1 with an exception set."""
    cdef Frame *f = vm.frame
    f.ip = after
    return push_generator(vm, <PyThreadState *>vm.thread, f.regs[reg].u.o, NULL)

cdef PyObject *hot_dict_get(PyObject *d, uint64_t tag, int64_t payload) noexcept:
    """What an exact dict has for an int or str, or NULL."""
    cdef Value key
    cdef PyObject **found
    key.tag = tag
    key.u.i = payload
    return found[0] if dict_find(d, &key, &found) == K_FOUND else NULL

cdef int hot_contains(PyObject *container, uint64_t tag, int64_t payload) noexcept:
    """Whether the value is in an exact container: 1 or 0; 2: the interpreter is to look."""
    cdef Value item, held
    item.tag = tag
    item.u.i = payload
    held.tag = T_OBJ
    held.u.o = container
    return quick_contains(&item, &held)

cdef int hot_dict_set(PyObject *d, uint64_t key_tag, int64_t key_payload, uint64_t tag, int64_t payload, bint careful,
                      PyObject **old) noexcept:
    """d[key] = the value in an exact dict, for an int or str: as hot_store_attr."""
    cdef Value key, v
    cdef PyObject **found
    cdef PyObject *k
    cdef PyObject *p
    cdef int status
    key.tag = key_tag
    key.u.i = key_payload
    v.tag = tag
    v.u.i = payload
    old[0] = NULL
    status = dict_find(d, &key, &found)
    if status == K_GIVE_UP:
        return 0
    if status == K_FOUND:
        if not tag & T_OWNED and k_dict_may_swap(d, Py_None) and rewrite_number(found[0], &v):
            return 1
        if careful and not hot_silent(found[0]):
            return 0
    p = value_object(&v)
    if p == NULL:
        PyErr_Clear()
        return 0
    if status == K_FOUND and k_dict_may_swap(d, p):
        old[0] = found[0]
        found[0] = p
        return 1
    k = value_object(&key)
    if k == NULL or status == K_FOUND or PyDict_SetItem(d, k, p) < 0:
        PyErr_Clear()
        status = K_FOUND
    Py_XDECREF(k)
    Py_DECREF(p)
    return status != K_FOUND

cdef int hot_append(PyObject *items, uint64_t tag, int64_t payload) noexcept:
    """Appends a value: 0, or -1 with nothing done and no exception."""
    cdef Value v
    cdef PyObject *o
    v.tag = tag
    v.u.i = payload
    o = value_object(&v)
    if o == NULL:
        PyErr_Clear()
        return -1
    if list_append(items, o) < 0:
        PyErr_Clear()
        return -1
    return 0

cdef int hot_power(double a, double b, double *out) noexcept:
    """a ** b of a positive number: 1; 0 where it is no finite one."""
    out[0] = pow(a, b)
    return a > 0.0 and out[0] - out[0] == 0.0
