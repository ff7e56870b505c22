# The Python-level surface of the core.

free_hot = hot_free
hooks.call = hook_call
hooks.resume = hook_resume
hooks.run_code = hook_run_code
hooks.run_class_body = hook_run_class_body
hooks.frame_globals = hook_frame_globals
hooks.frame_builtins = hook_frame_builtins
hooks.frame_locals = hook_frame_locals
hooks.frame_super = hook_frame_super
hooks.frame_line = hook_frame_line
hooks.stopped = hook_stopped
hooks.running = hook_running
hooks.metered_guest = hook_metered_guest
hooks.tick = hook_tick
hooks.interrupted = hook_interrupted
hooks.afford = afford
hooks.alarm = <const int *>&k_alarm
alarm.rings = <const volatile int *>&k_alarm
alarm.ask = ask_alarm
hooks.guest_is_direct = hook_guest_is_direct
hooks.work = <int (*)(int) noexcept nogil>hook_work
hooks.begin_unattended = hook_begin_unattended
hooks.end_unattended = hook_end_unattended
hooks.begin_host_call = hook_begin_host_call
hooks.end_host_call = hook_end_host_call
hooks.begin_output = hook_begin_output
hooks.end_output = hook_end_output
hooks.check = hook_check
hooks.in_host_code = hook_in_host_code
hooks.result_limit = hook_result_limit


def run_code(Code code not None, dict globals not None, locals=None):
    """Runs module, exec, eval or single code.

    code: what the compiler made.  globals: the namespace; gets ``__builtins__`` when it has none.  locals: a mapping for
    the names of the code, globals when None.
    Returns the value of the code (None for exec code).  Raises whatever the guest raises.
    """
    cdef PyObject *raw
    cdef PyObject *ns = <PyObject *>globals if locals is None else <PyObject *>locals
    cdef PyObject *builtins = builtins_in(<PyObject *>globals)
    raw = hook_run_code(<PyObject *>code, <PyObject *>globals, ns, NULL)
    put_builtins_back(<PyObject *>globals, builtins)
    if raw == NULL:
        raise_set()
    result = <object>raw
    Py_DECREF(raw)
    return result


cdef int raise_set() except -1:
    """Lets an exception that is set already cross into Python code."""
    if PyErr_Occurred() == NULL:
        raise SystemError("a run failed without an exception")
    return -1


def run_measured(Code code not None, dict globals not None, list figures not None):
    """Runs a program as ``run_code`` does and notes what it cost, also when it fails.

    figures: gets the number of instructions executed, the most registers in use at a time, and whether the exception that
    leaves the program is a KeyboardInterrupt that the program raised by itself.
    """
    cdef VM *vm = vm_enter()
    cdef PyObject *raw
    cdef PyObject *interrupt
    cdef PyObject *raised = NULL
    cdef PyObject *builtins
    cdef Value *bottom
    cdef Value *watermark
    cdef uint64_t before
    if vm == NULL:
        raise_set()
    # A run inside a run of the same thread shares its VM: what it costs is a difference.
    bottom = vm.frame.top
    watermark = vm.watermark
    before = vm.instructions
    interrupt = vm.interrupt
    vm.watermark = bottom
    vm.interrupt = NULL
    builtins = builtins_in(<PyObject *>globals)
    raw = hook_run_code(<PyObject *>code, <PyObject *>globals, <PyObject *>globals, NULL)
    put_builtins_back(<PyObject *>globals, builtins)
    if raw == NULL:
        raised = k_take_raised()
    figures[:3] = (vm.instructions - before, <uint64_t>(vm.watermark - bottom), raised != NULL and raised == vm.interrupt)
    if vm.watermark < watermark:
        vm.watermark = watermark
    Py_XDECREF(vm.interrupt)
    vm.interrupt = interrupt
    if raised != NULL:
        k_restore_raised(raised)
    vm_leave(vm)
    if raw == NULL:
        raise_set()
    result = <object>raw
    Py_DECREF(raw)
    return result


cdef enum:
    SMALL_LEAF = 64         # bytes: more than an int of 64 bits, a float or an empty text counts for


def run_leaf(Meter meter not None, Code code not None, RunContext context not None, namespace, Outcome out not None, end):
    """Runs a program as ``call_metered`` with ``run_measured`` does, for the smallest runs: without a call of Python code when it
    fails in nothing, its value is plain and small, and it leaves nothing to be ended.

    Args:
        meter: new, or of a run that is over and was not stopped.
        code, context: of the program.
        namespace: its globals, or a list with them that is emptied, for a program that leaves none.
        out: gets its value and its figures.
        end: called otherwise, with the context, the limits, the value and the exception or None; gives the value for the host,
            the error and the interrupt.

    Returns:
        None; or, when there is something to look at, a pair: the interrupt, or None, and whether the program raised it itself.
    """
    cdef VM *vm
    cdef PyObject *raw = NULL
    cdef PyObject *raised = NULL
    cdef PyObject *interrupt
    cdef PyObject *builtins
    cdef Value *bottom
    cdef Value *watermark
    cdef uint64_t before
    cdef int limit
    cdef bint own = False
    cdef bint plain
    cdef dict globals
    cdef PyObject *failure = NULL
    meter.again()
    meter.guest = context
    vm = vm_enter()
    if vm == NULL:
        raise_set()
    limit = vm.limit
    try:
        begin_meter(vm, <PyObject *>meter)
    except BaseException:
        vm_leave(vm)
        raise
    begin_ticks(vm, <PyObject *>meter)
    if meter.recursion:
        set_frame_limit(vm, <int>(vm.frame - vm.frames) + meter.recursion)
    bottom = vm.frame.top
    watermark = vm.watermark
    before = vm.instructions
    interrupt = vm.interrupt
    vm.watermark = bottom
    vm.interrupt = NULL
    globals = namespace if type(namespace) is dict else (<list?>namespace).pop()
    builtins = builtins_in(<PyObject *>globals)
    raw = hook_run_code(<PyObject *>code, <PyObject *>globals, <PyObject *>globals, NULL)
    put_builtins_back(<PyObject *>globals, builtins)
    if raw == NULL:
        raised = k_take_raised()
        own = raised != NULL and raised == vm.interrupt
    out.instructions = vm.instructions - before
    out.peak_registers = <uint64_t>(vm.watermark - bottom)
    if vm.watermark < watermark:
        vm.watermark = watermark
    Py_XDECREF(vm.interrupt)
    vm.interrupt = interrupt
    plain = raw != NULL and context.kept is None and not has_own_streams(context) and is_small_leaf(raw, meter.result_size) and (
        type(namespace) is dict or not context.modules)
    if plain:
        out.value = <object>raw
        out.error = None
        Py_DECREF(raw)
        globals = None              # what it leaves is released within its limits
    else:
        given = None if raw == NULL else <object>raw
        Py_XDECREF(raw)
        error = None if raised == NULL else <object>raised
        Py_XDECREF(raised)
        outcome = outcome_of_end(end, context, given, error, &failure)
        given = error = globals = None
    end_meter(vm, <PyObject *>meter)
    if meter.recursion:
        set_frame_limit(vm, limit)
    vm_leave(vm)
    raise_again(failure)
    if PyErr_Occurred() != NULL:
        Py_XDECREF(k_take_raised())
    out.peak_memory = meter.peak_bytes
    if plain:
        return None if not meter.stopped and not meter.refused else (None, False)
    out.value, out.error, found = outcome
    return found, own


cdef inline bint is_small_leaf(PyObject *o, Py_ssize_t limit) noexcept:
    """Whether a value goes to the host as it is: plain, and certainly within a limit of bytes; 0: there is none."""
    cdef PyTypeObject *t = Py_TYPE(o)
    cdef int64_t unused
    if t == &PyLong_Type:
        return (not limit or limit >= SMALL_LEAF) and k_long_as_int64(o, &unused)
    if t == &PyUnicode_Type:
        return not limit or limit - SMALL_LEAF >= 4 * PyUnicode_GET_LENGTH(o)
    return (not limit or limit >= SMALL_LEAF) and (t == &PyFloat_Type or o == Py_None or t == &PyBool_Type)


def get_recursion_limit():
    """The number of nested guest calls that new runs allow."""
    return recursion_limit


def set_recursion_limit(int limit):
    """Sets the number of nested guest calls allowed; a running VM of this thread takes it over at once."""
    global recursion_limit
    cdef VM *vm = <VM *>k_get_vm()
    if limit < 1:
        raise ValueError("recursion limit must be greater or equal than 1")
    recursion_limit = limit
    if vm != NULL:
        set_frame_limit(vm, limit)


def get_running_recursion_limit():
    """The limit of the run that is under way in this thread, for its own ``sys.getrecursionlimit``."""
    cdef VM *vm = <VM *>k_get_vm()
    return recursion_limit if vm == NULL else vm.limit


def set_running_recursion_limit(int limit):
    """Sets the limit of the run that is under way in this thread; other runs keep theirs.

    ValueError for a limit under 1, RecursionError when the run is deeper than that already.
    """
    cdef VM *vm = <VM *>k_get_vm()
    cdef Py_ssize_t depth
    if limit < 1:
        raise ValueError("recursion limit must be greater or equal than 1")
    if vm == NULL:
        return
    depth = vm.frame - vm.frames
    if depth >= limit:
        raise RecursionError(f"cannot set the recursion limit to {limit} at the recursion depth {depth}: "
                             "the limit is too low")
    set_frame_limit(vm, limit)


def layout_works():
    """Whether the inline caches that rely on CPython's dict layout are on."""
    return bool(k_layout_ok)


cdef int layout_selftest() noexcept:
    """Proves the mirrored layout of dict keys on a real dict, a grown one and an instance."""
    cdef uint32_t version, version2
    cdef PyObject *raw
    cdef PyObject *name
    cdef Py_ssize_t i
    try:
        d = {"alpha": 1, "beta": 2}
        key = "beta"
        other = "gamma"
        raw = <PyObject *>d
        name = <PyObject *>key
        k_layout_ok_set(1)
        i = k_dict_index(raw, name, &version)
        if i != 1 or version == 0 or k_dict_version(raw) != version or k_dict_value_at(raw, i) != <PyObject *>d["beta"]:
            return 0
        d["alpha"] = 3
        if k_dict_version(raw) != version:
            return 0
        d[other] = 4
        if k_dict_version(raw) == version:
            return 0
        i = k_dict_index(raw, <PyObject *>other, &version2)
        if i != 2 or version2 == version or k_dict_value_at(raw, i) != <PyObject *>d["gamma"]:
            return 0
        del d["alpha"]
        if k_dict_version(raw) == version2:
            return 0
        return 1
    except BaseException:
        return 0


k_layout_ok_set(layout_selftest())
if k_layout_is_ok():
    trust_layout()


cdef int iterators_selftest() except -1:
    found = enumerate([], 5)
    pairs = zip([], [])
    return k_iterators_selftest(<PyObject *>found, <PyObject *>pairs)


iterators_selftest()


cdef int super_selftest() except -1:
    error = KeyError("a")
    cls = LookupError
    probe = super(cls, error)
    return k_super_selftest(<PyObject *>probe, <PyTypeObject *><PyObject *>cls, <PyObject *>error)


super_selftest()


cdef int tuple_getter_selftest() except -1:
    global tuple_getter_works
    probe = _tuplegetter(7, "")
    tuple_getter_works = type(probe).__basicsize__ >= <Py_ssize_t>sizeof(TupleGetter) \
        and (<TupleGetter *><PyObject *>probe).index == 7
    return 0


tuple_getter_selftest()
