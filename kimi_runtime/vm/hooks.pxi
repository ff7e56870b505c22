# What the modules below the core ask of it: see VMHooks in objects/function.pxd.

cdef inline void clean_window(Value *at, uint32_t n) noexcept:
    cdef uint32_t i
    for i in range(n):
        at[i].tag = T_UNDEF

cdef PyObject *builtins_of(PyObject *globals) noexcept:
    """Builtins dict of a namespace (borrowed): its __builtins__, or those of the guest that runs. NULL on error.

    They are not put into the namespace, where a guest could change them for library code that works with it.
    """
    cdef VM *vm
    cdef PyObject *b = PyDict_GetItemWithError(globals, <PyObject *>STR_BUILTINS)
    if b == NULL:
        if PyErr_Occurred() != NULL:
            return NULL
        vm = <VM *>k_get_vm()
        if vm != NULL and vm.frame.func != NULL and vm.frame != vm.bottom:
            b = guest_builtins(vm)
        elif vm != NULL and vm.bottom_builtins != NULL:
            b = vm.bottom_builtins
        else:
            b = <PyObject *>default_builtins()
        if b == NULL:
            return NULL
    if PyModule_CheckExact(b):
        b = PyModule_GetDict(b)
    if not PyDict_Check(b):
        PyErr_SetString(PyExc_TypeError, b"__builtins__ must be a dict")
        return NULL
    return b

cdef PyObject *guest_builtins(VM *vm) noexcept:
    """Builtins of the innermost frame that is no library code's; when there is none those of the innermost frame.

    What typing.get_type_hints or timeit evaluates for a guest runs as the guest's own code.
    """
    cdef Frame *f = vm.frame
    while f > vm.bottom:
        if not is_of_library(f.builtins):
            return f.builtins
        f -= 1
    return vm.frame.builtins

cdef PyObject *default_builtins() noexcept:
    global _default_builtins
    if _default_builtins is None:
        try:
            _default_builtins = make_builtins()
        except BaseException as error:
            restore_object(error)
            return NULL
    return <PyObject *>_default_builtins

cdef void restore_object(object error) noexcept:
    cdef PyObject *raw = <PyObject *>error
    Py_INCREF(raw)
    k_restore_raised(raw)

cdef object _default_builtins = None

cdef PyObject *hook_run_code(PyObject *code, PyObject *globals, PyObject *locals, PyObject *closure) noexcept:
    cdef PyObject *b = builtins_of(globals)
    cdef PyObject *func
    cdef PyObject *r = NULL
    if b == NULL:
        return NULL
    Py_INCREF(b)
    if is_of_guest(b) \
            and PyDict_GetItemWithError(globals, <PyObject *>STR_BUILTINS) == b:
        # The builtins of a context are no business of the program.
        PyDict_DelItem(globals, <PyObject *>STR_BUILTINS)
    while True:
        func = function_for(code, globals, b, closure)
        if func == NULL:
            break
        if (<Code>code).flags & (CODE_GENERATOR | CODE_COROUTINE | CODE_ASYNC_GENERATOR):
            r = PyObject_CallNoArgs(func)       # what exec makes of the code of a generator function, and eval returns
            Py_DECREF(func)
            break
        r = run_body(func, locals)
        code = <PyObject *>(<Code>code).continuation
        if r == NULL or code == Py_None:
            break
        Py_DECREF(r)            # a very long source goes on in another code object
        r = NULL
    Py_DECREF(b)
    return r

cdef bint is_of_guest(PyObject *builtins) noexcept:
    """Whether a builtins dictionary is one that the host has made for a guest, or for library code that runs in one."""
    cdef object context
    cdef PyObject *import_function = PyDict_GetItemWithError(builtins, <PyObject *>STR_IMPORT)
    if import_function == NULL or type(<object>import_function) is not ContextFunction \
            or (<ContextFunction>import_function).home != builtins:
        return 0
    context = (<ContextFunction>import_function).context
    return context is not None and (not (<RunContext>context).privileged or (<RunContext>context).guest is not None)

cdef void put_builtins_back(PyObject *globals, PyObject *builtins) noexcept:
    """After a program: for the next one in its namespace, which the host begins. Takes the reference over."""
    cdef PyObject *raised
    if builtins != NULL:
        raised = k_take_raised()
        if PyDict_SetItem(globals, <PyObject *>STR_BUILTINS, builtins) < 0:
            PyErr_Clear()
        Py_DECREF(builtins)
        if raised != NULL:
            k_restore_raised(raised)

cdef PyObject *builtins_in(PyObject *globals) noexcept:
    """What stands as __builtins__ in a namespace: a new reference, or NULL."""
    cdef PyObject *found = PyDict_GetItemWithError(globals, <PyObject *>STR_BUILTINS)
    Py_XINCREF(found)
    return found

cdef PyObject *function_for(PyObject *code, PyObject *globals, PyObject *builtins, PyObject *closure) noexcept:
    cdef Function made
    cdef PyObject *raw
    try:
        made = new_function(<Code>code, <dict>globals, <object>builtins, <tuple>closure if closure != NULL else None)
    except BaseException as error:
        restore_object(error)
        return NULL
    raw = <PyObject *>made
    Py_INCREF(raw)
    return raw

cdef PyObject *run_body(PyObject *func, PyObject *ns) noexcept:
    """Runs a module or class body function (reference taken over) in a namespace."""
    cdef VM *vm = vm_enter()
    cdef Frame *f
    cdef Value *at
    cdef PyObject *r
    if vm == NULL:
        Py_DECREF(func)
        return NULL
    at = vm.frame.top
    f = push_frame(vm, func, at, 1)
    if f == NULL:
        Py_DECREF(func)
        vm_leave(vm)
        return NULL
    Py_INCREF(ns)
    f.ns = ns
    f.flags = F_ENTRY
    r = run(vm, 0)
    vm_leave(vm)
    return r

cdef PyObject *hook_run_class_body(PyObject *func, PyObject *namespace) noexcept:
    Py_INCREF(func)
    return run_body(func, namespace)

cdef inline Frame *guest_frame() noexcept:
    """The innermost guest frame of the thread, or NULL."""
    cdef VM *vm = <VM *>k_get_vm()
    if vm == NULL or vm.frame == vm.bottom:
        return NULL
    return vm.frame

cdef int hook_guest_is_direct() noexcept:
    """Whether guest code runs in this thread, with no Python code of the host above it."""
    cdef VM *vm = <VM *>k_get_vm()
    return vm != NULL and (vm.frame != vm.frames or vm.bottom_builtins != NULL) and vm.host_frames[vm.native] == k_host_frame()

cdef PyObject *hook_frame_globals() noexcept:
    cdef Frame *f = guest_frame()
    return f.globals if f != NULL else NULL

cdef PyObject *hook_frame_builtins(int depth) noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    if vm == NULL or vm.frame - depth < vm.bottom:
        return NULL
    return (vm.frame - depth).builtins if vm.frame - depth != vm.bottom else vm.bottom_builtins

cdef PyObject *hook_frame_locals(int depth) noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    if vm == NULL or vm.frame - depth <= vm.bottom:
        return NULL
    return locals_of(vm.frame - depth)

cdef str DOT_ZERO = ".0"

cdef inline bint name_is_argument(PyObject *name) noexcept:
    """Whether it is the name of what a comprehension or generator expression goes over: .0"""
    return PyUnicode_GET_LENGTH(name) == 2 and PyUnicode_READ_CHAR(name, 1) == 48

cdef PyObject *locals_of(Frame *f) noexcept:
    """The names of the frame and their values. Inside a comprehension its variables are there too; at the top of a module
    or in a namespace it has, as in CPython, only its own on 3.11 and 3.13, and the namespace's as well on 3.12. The name of
    its argument, which it has on 3.11, is for show."""
    cdef PyObject *d
    cdef PyObject *name
    cdef PyObject *names
    cdef PyObject *o
    cdef Value *v
    cdef Py_ssize_t i
    cdef int status
    cdef bint hidden = (<Code>f.code).inlined and in_span(<Code>f.code, f.ip - (<Code>f.code).instrs - 1)
    cdef bint spaced = f.ns != NULL and not (f.flags & F_INIT)
    if spaced and not hidden:
        Py_INCREF(f.ns)
        return f.ns
    if (<Code>f.code).flags & CODE_MODULE and f.ns == NULL and not hidden:      # of a module that awaits
        Py_INCREF(f.globals)
        return f.globals
    d = PyDict_New()
    if d == NULL:
        return NULL
    if spaced and PY_VERSION_HEX >= 0x030C0000 and PY_VERSION_HEX < 0x030D0000 and PyDict_Update(d, f.ns) < 0:
        Py_DECREF(d)
        return NULL
    if hidden and PY_VERSION_HEX < 0x030C0000 and PyDict_SetItem(d, <PyObject *>DOT_ZERO, Py_None) < 0:
        Py_DECREF(d)
        return NULL
    names = <PyObject *>(<Code>f.code).local_names
    for i in range(PyTuple_GET_SIZE(names)):
        name = PyTuple_GET_ITEM(names, i)
        if PyUnicode_GET_LENGTH(name) == 0:
            continue
        v = &f.regs[i]
        if v.tag == T_OBJ and Py_TYPE(v.u.o) == CellType and is_cell_register(f.code, <int>i):
            v = &(<Cell>v.u.o).value
        if v.tag == T_UNDEF:
            continue
        if PyUnicode_READ_CHAR(name, 0) != 46 or name_is_argument(name) and not hidden:
            Py_INCREF(name)
        elif hidden and PyUnicode_READ_CHAR(name, PyUnicode_GET_LENGTH(name) > 1) > 57:     # not .0
            name = PyUnicode_Substring(name, 1, PyUnicode_GET_LENGTH(name))    # hidden ones start with a dot
            if name == NULL:
                Py_DECREF(d)
                return NULL
        else:
            continue
        o = value_object(v)
        status = PyDict_SetItem(d, name, o) if o != NULL else -1
        Py_XDECREF(o)
        Py_DECREF(name)
        if status < 0:
            Py_DECREF(d)
            return NULL
    names = <PyObject *>(<Code>f.code).free_names
    for i in range(PyTuple_GET_SIZE(names)):
        name = PyTuple_GET_ITEM(names, i)
        v = &(<Cell>PyTuple_GET_ITEM(<PyObject *>(<Function>f.func).closure, i)).value
        if v.tag == T_UNDEF:
            continue
        o = value_object(v)
        status = PyDict_SetItem(d, name, o) if o != NULL else -1
        Py_XDECREF(o)
        if status < 0:
            Py_DECREF(d)
            return NULL
    return d

cdef PyObject *hook_frame_super(PyObject **cls) noexcept:
    cdef Frame *f = guest_frame()
    if f == NULL:
        PyErr_SetString(PyExc_RuntimeError, b"super(): no current frame")
        return NULL
    return frame_super_of(f, cls)

cdef int hook_frame_line(int depth, PyObject **func) noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    cdef Frame *f
    cdef int64_t pc
    func[0] = NULL
    if vm == NULL:
        return -1
    f = vm.frame - depth
    if depth < 0 or f <= vm.bottom:
        return -1
    func[0] = f.func
    pc = f.ip - (<Code>f.code).instrs - 1
    if pc < 0:
        pc = 0
    return (<Code>f.code).positions[pc].line

cdef PyObject *class_namespace_get(Frame *f, PyObject *name) noexcept:
    """The name in the class namespace: new reference; NULL without exception when it is missing."""
    cdef PyObject *o
    if PyDict_CheckExact(f.ns):
        o = PyDict_GetItemWithError(f.ns, name)
        if o != NULL:
            Py_INCREF(o)
        return o
    o = PyObject_GetItem(f.ns, name)
    if o == NULL and PyErr_ExceptionMatches(PyExc_KeyError):
        PyErr_Clear()
    return o

cdef inline int store_global(Frame *f, CacheSite *site, Value *source, bint named) noexcept:
    """Global of the site's name = source (borrowed). named: by STORE_NAME, which honours the methods of a dict subclass."""
    cdef PyObject *o = value_object(source)
    cdef int status
    cdef uint32_t v
    cdef Py_ssize_t i
    if o == NULL:
        return -1
    if site.kind == C_GLOBAL and k_dict_version(f.globals) == site.version and k_dict_replace(f.globals, site.index, o):
        return 0
    if not PyDict_CheckExact(f.globals):
        status = PyObject_SetItem(f.globals, site.name, o) if named else PyDict_SetItem(f.globals, site.name, o)
        Py_DECREF(o)
        return status
    status = PyDict_SetItem(f.globals, site.name, o)
    Py_DECREF(o)
    if status == 0:
        i = k_dict_index(f.globals, site.name, &v)
        if i >= 0 and v != 0:
            site.kind = C_GLOBAL
            site.version = v
            site.index = i
    return status

cdef int setup_annotations(Frame *f) noexcept:
    cdef PyObject *d
    cdef PyObject *o
    cdef int status
    if PyDict_CheckExact(f.ns):
        if PyDict_Contains(f.ns, <PyObject *>STR_ANNOTATIONS) == 1:
            return 0
    else:
        o = PyObject_GetItem(f.ns, <PyObject *>STR_ANNOTATIONS)
        if o != NULL:
            Py_DECREF(o)
            return 0
        if not PyErr_ExceptionMatches(PyExc_KeyError):
            return -1
        PyErr_Clear()
    d = PyDict_New()
    if d == NULL:
        return -1
    status = store_name(f, <PyObject *>STR_ANNOTATIONS, d)
    Py_DECREF(d)
    return status

cdef void bad_init_return(Value *v) noexcept:
    """TypeError for an __init__ that returned something; releases it."""
    cdef PyObject *o = value_take(v)
    if o == NULL:
        return
    PyErr_Format(PyExc_TypeError, b"__init__() should return None, not '%.200s'", (<PyTypeFull *>Py_TYPE(o)).tp_name)
    Py_DECREF(o)

cdef bint match_flag(const Value *v, unsigned long flag) noexcept:
    return v.tag == T_OBJ and ((<PyTypeFull *>Py_TYPE(v.u.o)).tp_flags & flag) != 0

cdef bint is_abstract(PyTypeObject *t) noexcept:
    return ((<PyTypeFull *>t).tp_flags & Py_TPFLAGS_IS_ABSTRACT) != 0
