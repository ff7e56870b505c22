# The parts of functions, generators and suspended runs as plain tuples, and back: for `snapshots/`.
#
# What comes back may have been altered: offsets must lie inside the registers, tags go with the types of what they hold, and
# instructions exist. What a register must hold at an instruction is checked before, by `snapshots/verifier.pyx`.

cdef object must_fit(bint good):
    if not good:
        raise ValueError("frames do not fit their code")
    return None

cdef long long items_before(PyObject *d, Py_ssize_t end) noexcept:
    """How many items of a dict lie before a position: its position in a copy, which has no gaps."""
    cdef Py_ssize_t pos = 0
    cdef long long count = 0
    cdef PyObject *key
    cdef PyObject *value
    while k_dict_next(d, &pos, &key, &value) and pos <= end:
        count += 1
    return count

cdef list values_out(Value *values, Py_ssize_t n):
    """Registers as a flat list of tags and contents; empty ones at the end are left out."""
    cdef list found = []
    cdef Py_ssize_t i
    cdef Value *v
    while n > 0 and values[n - 1].tag == T_UNDEF:
        n -= 1
    for i in range(n):
        v = &values[i]
        found.append(<long long>v.tag)
        if v.tag & T_OWNED:
            found.append(<object>v.u.o)
        elif v.tag == T_INT and i and T_IT_DICT <= values[i - 1].tag <= T_IT_ITEMS:
            found.append(items_before(values[i - 1].u.o, v.u.i))
        elif v.tag == T_FLOAT:
            found.append(v.u.d)
        elif v.tag == T_UNDEF or v.tag == T_NONE:
            found.append(None)
        else:
            found.append(<long long>v.u.i)
    return found

cdef bint fits_tag(long long tag, PyObject *o) noexcept:
    cdef PyTypeObject *t = Py_TYPE(o)
    if tag == T_OBJ:
        return 1
    if tag == T_IT_LIST:
        return t == &PyList_Type
    if tag == T_IT_TUPLE:
        return t == &PyTuple_Type
    if tag == T_IT_STR:
        return t == &PyUnicode_Type
    if tag == T_IT_GEN:
        return t == FunctionGeneratorType
    if tag == T_IT_DICT or tag == T_IT_VALUES or tag == T_IT_ITEMS:
        return t == &PyDict_Type
    if tag == T_IT_OBJ or tag == T_IT_ENUM:
        return (<PyTypeFull *>t).tp_iternext != NULL
    if tag == T_IT_ZIP:
        return t == &PyTuple_Type and PyTuple_GET_SIZE(o) == 2 \
            and (<PyTypeFull *>Py_TYPE(PyTuple_GET_ITEM(o, 0))).tp_iternext != NULL \
            and (<PyTypeFull *>Py_TYPE(PyTuple_GET_ITEM(o, 1))).tp_iternext != NULL
    return 0

cdef int values_in(list given, Value *values, Py_ssize_t n) except -1:
    """Fills empty registers. ValueError: what is given does not fit."""
    cdef Py_ssize_t i
    cdef long long tag
    cdef Value *v
    must_fit(len(given) % 2 == 0 and len(given) // 2 <= n)
    for i in range(len(given) // 2):
        tag = given[2 * i]
        item = given[2 * i + 1]
        v = &values[i]
        if tag & T_OWNED:
            must_fit(fits_tag(tag, <PyObject *>item))
            if tag != T_OBJ:
                must_fit(i + 2 < n)
                if tag != T_IT_GEN and tag != T_IT_OBJ and tag != T_IT_ZIP:
                    must_fit(given[2 * i + 2] == T_INT and <long long>given[2 * i + 3] >= 0)
            v.u.o = <PyObject *>item
            Py_INCREF(v.u.o)
        elif tag == T_FLOAT:
            v.u.d = <double?>item
            must_fit(v.u.d == v.u.d)
        elif tag == T_BOOL:
            v.u.i = 1 if item else 0
        elif tag == T_INT or tag == T_RANGE:
            v.u.i = item
            must_fit(tag == T_INT or i + 2 < n)
        else:
            must_fit(tag == T_UNDEF or tag == T_NONE)
        v.tag = tag
    return 0


def codes_within(Code code not None):
    """A code object and all those inside it."""
    found = [code]
    for each in found:
        for constant in (<Code>each).const_objects:
            if isinstance(constant, Code):
                found.append(constant)
        if (<Code>each).continuation is not None:
            found.append((<Code>each).continuation)
    return found


def function_parts(Function f not None):
    """code, globals, builtins, closure, defaults, kwdefaults, name, qualname, module, doc, annotations, type_params, __dict__."""
    return (f.code, f.globals, f.builtins, f.closure, f.defaults, f.kwdefaults, f.name, f.qualname, f.module, f.doc, f.annotations,
            f.type_params, None if f.attrs == NULL else <object>f.attrs)


def function_globals(Function f not None):
    """The namespace of a function."""
    return f.globals


def make_function_shell(Code code not None, dict globals not None, builtins, tuple closure):
    """A function whose other parts follow. ValueError: the closure does not fit."""
    if closure is None:
        must_fit(code.nfree == 0)
    else:
        must_fit(len(closure) == code.nfree)
        for each in closure:
            must_fit(type(each) is Cell)
    return new_function(code, globals, builtins, closure if code.nfree else None)


def fill_function(Function f not None, defaults, kwdefaults, name, qualname, module, doc, annotations, type_params, attrs):
    """The parts that make_function_shell has left out."""
    cdef PyObject *raw
    must_fit((defaults is None or type(defaults) is tuple) and (kwdefaults is None or type(kwdefaults) is dict)
          and isinstance(name, str) and isinstance(qualname, str) and (annotations is None or type(annotations) is dict)
          and (attrs is None or type(attrs) is dict))
    f.defaults = defaults
    f.kwdefaults = kwdefaults
    f.name = name
    f.qualname = qualname
    f.module = module
    f.doc = doc
    f.annotations = annotations
    f.type_params = type_params
    if attrs is not None and f.attrs == NULL:
        raw = <PyObject *>attrs
        Py_INCREF(raw)
        f.attrs = raw


def cell_parts(Cell cell not None):
    """Whether a cell holds something, and what."""
    if cell.value.tag == T_UNDEF:
        return False, None
    return True, owned_object(value_object(&cell.value))


def is_function(o):
    """Whether an object is a guest's function."""
    return type(o) is Function


def is_code(o):
    """Whether an object is a guest's code."""
    return type(o) is Code


def is_cell(o):
    """Whether an object is a cell."""
    return type(o) is Cell


def is_generator(o):
    """Whether an object is a generator, a coroutine or an asynchronous generator of a guest."""
    return type(o) in (Generator, Coroutine, AsyncGenerator)


def empty_cell():
    """An empty cell."""
    return new_cell(NULL)


def generator_parts(o):
    """func, code, state, place, register for a sent value, flags, registers, whether it delegates, handled exception, names, and
    what it has beside: the origin of a coroutine, the finalizer hook of an asynchronous generator, or None."""
    cdef PyObject *raw = <PyObject *>o
    cdef Generator g
    if not is_generator(o):
        raise TypeError("no generator")
    func = <object>(<Generator>raw).func
    code = <object>(<Generator>raw).code
    flags = ((<Generator>raw).yielded, (<Generator>raw).iterating, (<Generator>raw).closed, (<Generator>raw).hooked)
    handled = None if (<Generator>raw).exc_state.exc_value == NULL else <object>(<Generator>raw).exc_state.exc_value
    if (<Generator>raw).state == GEN_DONE:
        return (func, code, GEN_DONE, 0, 0, flags, [], False, None, <object>(<Generator>raw).name, <object>(<Generator>raw).qualname,
                None)
    return (func, code, <int>(<Generator>raw).state, <Py_ssize_t>((<Generator>raw).ip - (<Code>code).instrs),
            <int>(<Generator>raw).resume_reg, flags, values_out((<Generator>raw).regs, (<Code>code).nregs),
            (<Generator>raw).delegate != NULL, handled, <object>(<Generator>raw).name, <object>(<Generator>raw).qualname,
            None if (<Generator>raw).extra == NULL else <object>(<Generator>raw).extra)


def generator_code(o):
    """The code of a generator."""
    if not is_generator(o):
        raise TypeError("no generator")
    return <object>(<Generator><PyObject *>o).code


def registers_of_generator(o):
    """Tags and contents by turns of a generator that has not ended."""
    cdef PyObject *raw = <PyObject *>o
    if not is_generator(o) or (<Generator>raw).state == GEN_DONE:
        raise ValueError("no generator that runs")
    return values_out((<Generator>raw).regs, (<Code><PyObject *>(<Generator>raw).code).nregs)


def make_generator_shell(Function func not None, Code code not None):
    """A generator of a function that has not begun; its registers follow. ValueError: the code makes none."""
    cdef Code own = func.code
    must_fit((code.flags & (CODE_GENERATOR | CODE_COROUTINE | CODE_ASYNC_GENERATOR)) != 0 and code.nfree == own.nfree)
    func.code = code            # it may have been replaced since
    try:
        return owned_object(new_generator(<PyObject *>func))
    finally:
        func.code = own


def fill_generator(o, int state, Py_ssize_t place, int resume, tuple flags, list values, bint delegates, handled, name, qualname,
                   extra=None):
    """The state of a generator that make_generator_shell has made. ValueError: it does not fit the code."""
    cdef PyObject *raw = <PyObject *>o
    cdef Code code
    cdef const Instr *ins
    must_fit(is_generator(o) and (<Generator>raw).state == GEN_CREATED and state in (GEN_CREATED, GEN_SUSPENDED, GEN_RUNNING, GEN_DONE))
    code = <Code>(<Generator>raw).code
    must_fit(isinstance(name, str) and isinstance(qualname, str) and len(flags) == 4)
    if state == GEN_DONE:
        generator_finish(<Generator>raw)
    else:
        must_fit(0 <= place < code.ninstrs and 0 <= resume < max(code.nregs, 1) and (handled is None or isinstance(handled, BaseException)))
        values_in(values, (<Generator>raw).regs, code.nregs)
        ins = code.instrs + place
        if delegates and state == GEN_SUSPENDED:
            must_fit(ins.op == OP_YIELD_FROM and (<Generator>raw).regs[ins.t.abc.b].tag == T_OBJ)
            (<Generator>raw).delegate = (<Generator>raw).regs[ins.t.abc.b].u.o
        elif state == GEN_SUSPENDED:
            must_fit(place > 0 and code.instrs[place - 1].op == OP_YIELD)
        (<Generator>raw).ip = ins
        (<Generator>raw).resume_reg = resume
        (<Generator>raw).yielded, (<Generator>raw).iterating, (<Generator>raw).closed, (<Generator>raw).hooked = flags
        if handled is not None:
            (<Generator>raw).exc_state.exc_value = <PyObject *>handled
            Py_INCREF(<PyObject *>handled)
        if extra is not None and (<Generator>raw).extra == NULL:
            must_fit(type(o) is AsyncGenerator and callable(extra) or type(o) is Coroutine and is_origin(extra))
            (<Generator>raw).extra = <PyObject *>extra
            Py_INCREF(<PyObject *>extra)
        (<Generator>raw).state = state
    set_generator_names(raw, name, qualname)


cdef bint is_origin(found):
    """Whether something can be the origin of a coroutine."""
    return type(found) is tuple and all([type(each) is tuple and len(each) == 3 and type(each[0]) is str and type(each[1]) is int
                                         and type(each[2]) is str for each in found])


cdef int set_generator_names(PyObject *raw, name, qualname) except -1:
    (<object>raw).__name__ = name
    (<object>raw).__qualname__ = qualname
    return 0


def suspension_parts(Suspension s not None):
    """Frames, registers, handled exception, index of the frame that handles, register of the result, number of calls, code,
    builtins. A frame is code, function, namespace, generator, flags, register of its result, offset of its registers, offset of
    its end, place, and for generators what their handled exceptions follow: -1 the plain frames, else the index of a frame."""
    cdef list frames = []
    cdef Frame *f
    cdef Frame *g
    cdef Py_ssize_t i, j
    cdef long long follows
    cdef long long handling = -1
    for i in range(s.nframes):
        f = &s.frames[i]
        follows = -1
        if f.flags & F_GENERATOR:
            for j in range(s.nframes):
                g = &s.frames[j]
                if g.flags & F_GENERATOR:
                    if (<Generator>f.gen).exc_state.previous_item == &(<Generator>g.gen).exc_state:
                        follows = j
            if s.handling == &(<Generator>f.gen).exc_state:
                handling = i
        frames.append((<object>f.code, <object>f.func, None if f.ns == NULL else <object>f.ns,
                       <object>f.gen if f.flags & F_GENERATOR else None, <int>f.flags,
                       0 if f.flags & F_GENERATOR else <int>f.ret,
                       -1 if f.flags & F_GENERATOR else <long long>(f.regs - s.values), <long long>(f.top - s.values),
                       <Py_ssize_t>(f.ip - (<Code>f.code).instrs), follows))
    return (frames, values_out(s.values, s.nvalues), None if s.handled == NULL else <object>s.handled, handling, <int>s.ret, s.asked,
            s.code, s.builtins)


def fill_suspension(Suspension s not None, list frames, list values, handled, Py_ssize_t handling, int ret, Py_ssize_t asked,
                    Py_ssize_t nvalues, builtins, function, call):
    """Makes a run that has not begun one that waits. ValueError: the frames do not fit; then it holds nothing."""
    cdef Frame *f
    cdef Code code
    cdef Py_ssize_t i, regs, top, place, follows
    cdef Py_ssize_t count = len(frames)
    cdef int flags
    must_fit(s.frames == NULL and 0 < count < MAX_FRAMES - 1 and 0 <= nvalues < STACK_VALUES - 1024 and -1 <= handling < count)
    must_fit(handled is None or isinstance(handled, BaseException))
    generators = set()
    for i in range(count):
        code_object, func, ns, gen, flags, each_ret, regs, top, place, follows = frames[i]
        must_fit(isinstance(code_object, Code) and type(func) is Function and (flags & ~(F_ENTRY | F_GENERATOR | F_INIT | F_THROWS)) == 0)
        code = <Code>code_object
        must_fit((i == 0) == ((flags & F_ENTRY) != 0) and 0 < place <= code.ninstrs and 0 <= top <= nvalues and -1 <= follows < count)
        must_fit(code.nfree == (<Function>func).code.nfree)
        if i and not flags & F_GENERATOR:
            must_fit(0 <= each_ret < max((<Code>frames[i - 1][0]).nregs, 1))
        if flags & F_GENERATOR:
            must_fit(is_generator(gen) and id(gen) not in generators)
            must_fit((<Generator><PyObject *>gen).state == GEN_RUNNING and <object>(<Generator><PyObject *>gen).code is code)
            generators.add(id(gen))
        else:
            must_fit(gen is None and 0 <= regs and regs + code.nregs <= nvalues and top == regs + code.nregs and follows == -1)
        must_fit((ns is not None) or not flags & F_INIT)
    must_fit(0 <= ret < max((<Code>frames[count - 1][0]).nregs, 1))
    code = <Code>frames[count - 1][0]
    s.values = <Value *>calloc(nvalues + 1, sizeof(Value))
    s.frames = <Frame *>calloc(count, sizeof(Frame))
    if s.values == NULL or s.frames == NULL:
        free(s.values)
        free(s.frames)
        s.values = NULL
        s.frames = NULL
        raise MemoryError
    s.nvalues = nvalues
    s.nframes = 0
    try:
        values_in(values, s.values, nvalues)
        for i in range(count):
            code_object, func, ns, gen, flags, each_ret, regs, top, place, follows = frames[i]
            f = &s.frames[i]
            f.code = <PyObject *>code_object
            f.func = <PyObject *>func
            Py_INCREF(f.func)
            f.globals = <PyObject *>(<Function>func).globals
            f.builtins = <PyObject *>(<Function>func).builtins
            if ns is not None:
                f.ns = <PyObject *>ns
                Py_INCREF(f.ns)
            if gen is not None:
                f.gen = <PyObject *>gen
                Py_INCREF(f.gen)
                f.regs = (<Generator>f.gen).regs
                if follows >= 0:
                    (<Generator>f.gen).exc_state.previous_item = &(<Generator><PyObject *>frames[follows][3]).exc_state
            else:
                f.regs = s.values + regs
            f.top = s.values + top
            f.ip = (<Code>f.code).instrs + place
            f.ret = each_ret if i and gen is None else 0
            f.flags = flags
            s.nframes += 1
        if handling >= 0:
            must_fit(frames[handling][3] is not None)
            s.handling = &(<Generator><PyObject *>frames[handling][3]).exc_state
    except BaseException:
        drop_frames(<PyObject *>s)
        raise
    if handled is not None:
        s.handled = <PyObject *>handled
        Py_INCREF(s.handled)
    s.ret = ret
    s.asked = asked
    s.builtins = builtins
    s.function = function
    s.call = call


def meter_parts(Meter meter not None):
    """What is left of a run that is paused: nanoseconds, nanoseconds of processor time, instructions used, calls of the host made,
    nanoseconds that they took."""
    return meter.seconds, meter.cpu_seconds, meter.used, meter.host_calls_made, meter.host_time_spent


def fill_meter(Meter meter not None, int64_t seconds, int64_t cpu_seconds, uint64_t used, uint64_t calls, int64_t host_time):
    """Takes what an earlier part of the run has used."""
    if meter.seconds:
        meter.seconds = max(min(meter.seconds, seconds), 1) if seconds > 0 else meter.seconds
    if meter.cpu_seconds:
        meter.cpu_seconds = max(min(meter.cpu_seconds, cpu_seconds), 1) if cpu_seconds > 0 else meter.cpu_seconds
    meter.used = used
    meter.host_calls_made = calls
    meter.host_time_spent = host_time


def host_uses(Meter meter not None):
    """What a run has used of functions of the host with limits of their own: calls, and seconds."""
    return meter.host_counts or {}, meter.host_times or {}


def set_host_uses(Meter meter not None, dict calls not None, dict seconds not None):
    """Takes that of an earlier part of the run."""
    meter.host_counts, meter.host_times = calls, seconds


def move_meter(Meter meter not None, Heap heap):
    """A run that is paused goes on with another heap; None: with one that is not made yet."""
    meter.kept = heap
    meter.earlier_peak = max(meter.earlier_peak, meter.peak_bytes)


def renew_meter(Meter meter not None, Heap heap):
    """Another guest gets the meter, with its heap, or None."""
    meter.kept = heap
    meter.guest = None
    meter.earlier_peak = meter.peak_bytes = meter.live_bytes = 0


def suspension_size(Suspension s not None):
    """How many registers its frames have together."""
    return s.nvalues


def abandon_generator(o):
    """Ends a generator that was to run in frames which could not be made."""
    cdef PyObject *raw = <PyObject *>o
    if is_generator(o) and (<Generator>raw).state == GEN_RUNNING:
        generator_finish(<Generator>raw)
