# Runs that stop at a call of the host and go on later: see `docs/suspension.md`.
#
# A guest call takes no C stack, so the frames of a run are data. When guest code that was called by nothing but guest code
# calls a function that suspends, the loop is left the way an exception leaves it, but the unwinder touches nothing; the frames and
# their registers then move from the VM's stacks to a Suspension, and back to those of any thread when the run goes on.
#
# OWNER RULE: moving is a copy of the bytes; the slots that were left are emptied. A frame's `func`, `ns` and `gen` and its
# registers are owned by the Suspension between `detach` and `attach`, by the VM otherwise. The registers of a generator stay where
# they are; its state is GEN_RUNNING all the time, so the collector sees nothing of them: `drop_frames` must run.

cdef extern from "Python.h":
    ctypedef int (*visitproc)(PyObject *, void *) noexcept
    ctypedef int (*traverseproc)(PyObject *, visitproc, void *) noexcept
    ctypedef int (*inquiry)(PyObject *) noexcept

from kimi_runtime.bytecode.opcodes import describe as describe_operation

cdef str STR_ITER = "__iter__"
cdef str STR_NEXT = "__next__"

cdef enum StepKind:
    STEP_START = 0
    STEP_VALUE = 1
    STEP_THROW = 2

cdef enum StepCall:
    STEP_NOTHING = 2     # beside CallResult: an ordinary call


@cython.final
@cython.auto_pickle(False)
cdef class Suspension:
    """A run that goes on step by step.

    Args:
        code, globals: the program and its namespace.
        functions: functions of the host -> True when a call suspends the run; Ellipsis when it waits for the pending calls; what
            gives the future of a call that the guest awaits otherwise: it gets suspension, function and functools.partial.
        helpers: builtin callable -> guest function that does the same without native code in between.
        iterators: type of a native iterator -> generator function for its items.
    """
    cdef Frame *frames          # of the run, outermost first, while it is suspended; or NULL
    cdef Value *values          # their registers
    cdef Py_ssize_t nframes, nvalues
    cdef Py_ssize_t base        # number of frames below the first one, while the run is under way
    cdef PyObject *handled      # the exception that its plain frames handle, owned; or NULL
    cdef _PyErr_StackItem *handling     # of the innermost generator, or NULL: its plain frames handle
    cdef uint16_t ret           # register of the innermost frame that gets the result
    cdef readonly object call   # functools.partial: what the host is asked for
    cdef readonly object function       # the function of the host that was called
    cdef readonly dict functions
    cdef dict helpers, iterators
    cdef Code code
    cdef dict namespace
    cdef object builtins        # what stood as __builtins__ in the namespace, until the end
    cdef readonly dict pending  # number -> (function, partial, future): calls that the guest awaits
    cdef readonly Py_ssize_t asked      # how many there were
    cdef public bint driven             # a loop of the host drives the run: it is left where it would wait for anything

    def __cinit__(self, Code code not None, dict globals not None, dict functions not None, dict helpers not None,
                  dict iterators not None):
        self.iterators = iterators
        self.code = code
        self.namespace = globals
        self.functions = functions
        self.helpers = helpers
        self.pending = {}

    @property
    def suspended(self):
        """Whether it waits for the host."""
        return self.frames != NULL

    def drop(self):
        """Lets go of the frames: nothing of the guest runs but finalizers, within limits of their own."""
        drop_frames(<PyObject *>self)
        self.pending = {}
        if self.builtins is not None:
            self.namespace["__builtins__"] = self.builtins
            self.builtins = None

    def abandoned(self):
        """Takes out the pending calls that the guest has given up; returns their numbers."""
        found = [number for number, (_, _, future) in self.pending.items() if future.done()]
        for number in found:
            del self.pending[number]
        return found

    def add_pending(self, function, call, future):
        """Notes a call that the guest awaits; returns its number."""
        self.asked += 1
        self.pending[self.asked] = (function, call, future)
        return self.asked

    def __dealloc__(self):
        drop_frames(<PyObject *>self)


cdef void drop_frames(PyObject *o) noexcept:
    """Empties the frames, the innermost first, as the unwinder does. Also for an object without references."""
    cdef Frame *frames = (<Suspension>o).frames
    cdef Value *values = (<Suspension>o).values
    cdef PyObject *handled = (<Suspension>o).handled
    cdef Py_ssize_t i = (<Suspension>o).nframes
    cdef Frame *f
    cdef PyObject *raised
    if frames == NULL:
        return
    (<Suspension>o).frames = NULL
    (<Suspension>o).values = NULL
    (<Suspension>o).handled = NULL
    raised = k_take_raised()
    while i > 0:
        i -= 1
        f = &frames[i]
        drop_temporaries(f.regs, (<Code>f.code).nlocals, (<Code>f.code).nregs)
        clear_registers(f.regs, 0, (<Code>f.code).nlocals)
        if f.flags & F_GENERATOR:
            (<Generator>f.gen).exc_state.previous_item = NULL
            if (<Generator>f.gen).kind == CODE_ASYNC_GENERATOR:
                (<Generator>f.gen).iterating = 0
                (<Generator>f.gen).closed = 1
            generator_returned(f.gen)
            Py_DECREF(f.gen)
        Py_XDECREF(f.ns)
        Py_DECREF(f.func)
    free(frames)
    free(values)
    Py_XDECREF(handled)
    if raised != NULL:
        k_restore_raised(raised)


cdef int detach(VM *vm, Suspension s, _PyErr_StackItem *outer) noexcept:
    """Moves the frames above s.base to the suspension. -1 with MemoryError set: they are still where they were."""
    cdef PyThreadState *ts = PyThreadState_Get()
    cdef Frame *first = vm.frames + s.base + 1
    cdef Py_ssize_t count = vm.frame - first + 1
    cdef Value *bottom = first.regs
    cdef Py_ssize_t size = vm.frame.top - bottom
    cdef Py_ssize_t i
    cdef Frame *f
    cdef PyObject *gen
    for i in range(count):          # the window of a caller may end above that of what it called
        size = max(size, first[i].top - bottom)
    s.frames = <Frame *>calloc(count, sizeof(Frame))
    s.values = <Value *>calloc(size + 1, sizeof(Value))
    if s.frames == NULL or s.values == NULL:
        free(s.frames)
        free(s.values)
        s.frames = NULL
        s.values = NULL
        PyErr_NoMemory()
        return -1
    s.nframes = count
    s.nvalues = size
    memcpy(s.frames, first, count * sizeof(Frame))
    memcpy(s.values, first.regs, size * sizeof(Value))
    for i in range(size):
        first.regs[i].tag = T_UNDEF
    s.handling = NULL if ts.exc_info == outer else ts.exc_info
    for i in range(count):
        f = &s.frames[i]
        if f.flags & F_GENERATOR:
            gen = f.gen
            if (<Generator>gen).exc_state.previous_item == outer:
                (<Generator>gen).exc_state.previous_item = NULL
        else:
            f.regs = s.values + (f.regs - bottom)
        f.top = s.values + (f.top - bottom)
    ts.exc_info = outer
    s.handled = outer.exc_value
    outer.exc_value = NULL
    vm.frame = first - 1
    return 0


cdef int attach(VM *vm, Suspension s) except -1:
    """Moves the frames back to the stacks of a VM. RecursionError: they are still where they were."""
    cdef PyThreadState *ts = PyThreadState_Get()
    cdef Value *bottom = vm.frame.top
    cdef Value *end = bottom + s.nvalues
    cdef Frame *f
    cdef Py_ssize_t i
    cdef PyObject *gen
    cdef PyObject *before
    if vm.frame + s.nframes + 1 >= vm.frames_end:
        too_deep(vm)
        raise_set()
    if end > vm.watermark and grow_stack(vm, end) < 0:
        raise_set()
    memcpy(bottom, s.values, s.nvalues * sizeof(Value))
    for i in range(s.nframes):
        vm.frame += 1
        f = vm.frame
        f[0] = s.frames[i]
        if f.flags & F_GENERATOR:
            gen = f.gen
            if (<Generator>gen).exc_state.previous_item == NULL:
                (<Generator>gen).exc_state.previous_item = ts.exc_info
        else:
            f.regs = bottom + (f.regs - s.values)
        f.top = bottom + (f.top - s.values)
    before = ts.exc_info.exc_value
    ts.exc_info.exc_value = s.handled
    Py_XDECREF(before)
    s.handled = NULL
    if s.handling != NULL:
        ts.exc_info = s.handling
    free(s.frames)
    free(s.values)
    s.frames = NULL
    s.values = NULL
    return 0


def run_step(Suspension s not None, int how, given, list figures not None):
    """Runs a program until it ends or waits for the host.

    Args:
        s: the run.
        how: 0 begins it, 1 goes on with a value of the host, 2 with an exception that the call raises.
        given: the value or the exception.
        figures: see ``run_measured``; the instructions of all steps add up.

    Returns:
        The value of the program; the suspension itself when the run waits.

    Raises:
        What the guest raises.
    """
    cdef VM *vm = vm_enter()
    cdef PyThreadState *ts
    cdef _PyErr_StackItem *outer
    cdef PyObject *outer_step
    cdef int32_t outer_level
    cdef PyObject *raw = NULL
    cdef PyObject *raised = NULL
    cdef PyObject *interrupt
    cdef Value *bottom
    cdef Value *watermark
    cdef uint64_t before
    cdef Py_ssize_t outer_base = s.base
    cdef bint waits = 0
    if vm == NULL:
        raise_set()
    ts = PyThreadState_Get()
    outer = ts.exc_info
    outer_step = vm.step
    outer_level = vm.step_level
    bottom = vm.frame.top
    watermark = vm.watermark
    before = vm.instructions
    interrupt = vm.interrupt
    vm.watermark = bottom
    vm.interrupt = NULL
    vm.step = <PyObject *>s
    vm.step_level = vm.native
    hooks.stepping += 1
    s.base = vm.frame - vm.frames
    try:
        raw = begin_step(vm, s) if how == STEP_START else go_on(vm, s, how, given)
        while True:
            if raw != NULL and s.code.continuation is not None:
                Py_DECREF(raw)          # a very long source goes on in another code object
                s.code = s.code.continuation
                raw = begin_body(vm, s)
            elif raw == NULL and vm.suspending:
                vm.suspending = 0
                waits = detach(vm, s, outer) == 0
                if waits:
                    break
                raw = run(vm, 1)        # the call raises that there is no memory
            else:
                break
    except BaseException as error:
        raw = NULL
        restore_object(error)
    hooks.stepping -= 1
    vm.step = outer_step
    vm.step_level = outer_level
    s.base = outer_base
    if raw == NULL and not waits:
        raised = k_take_raised()
    figures[:3] = (figures[0] + (vm.instructions - before), max(figures[1], <uint64_t>(vm.watermark - bottom)),
                   raised != NULL and raised == vm.interrupt)
    if vm.watermark < watermark:
        vm.watermark = watermark
    Py_XDECREF(vm.interrupt)
    vm.interrupt = interrupt
    if raised != NULL:
        k_restore_raised(raised)
    vm_leave(vm)
    if waits:
        return s
    if raw == NULL:
        raise_set()
    result = <object>raw
    Py_DECREF(raw)
    return result


cdef PyObject *begin_step(VM *vm, Suspension s) except? NULL:
    cdef PyObject *globals = <PyObject *>s.namespace
    cdef PyObject *b = builtins_of(globals)
    if b == NULL:
        return NULL
    s.builtins = <object>b
    if is_of_guest(b) \
            and PyDict_GetItemWithError(globals, <PyObject *>STR_BUILTINS) == b:
        PyDict_DelItem(globals, <PyObject *>STR_BUILTINS)       # see hook_run_code
    return begin_body(vm, s)


cdef PyObject *begin_body(VM *vm, Suspension s) noexcept:
    cdef PyObject *func = function_for(<PyObject *>s.code, <PyObject *>s.namespace, <PyObject *>s.builtins, NULL)
    cdef Frame *f
    if func == NULL:
        return NULL
    f = push_frame(vm, func, vm.frame.top, 1)
    if f == NULL:
        Py_DECREF(func)
        return NULL
    f.ns = <PyObject *>s.namespace
    Py_INCREF(f.ns)
    f.flags = F_ENTRY
    return run(vm, 0)


cdef PyObject *go_on(VM *vm, Suspension s, int how, given) except? NULL:
    cdef PyObject *raw
    cdef Value v
    if s.frames == NULL:
        raise RuntimeError("the run does not wait for the host")
    attach(vm, s)
    try:
        # With the frames in place, so that it is known whose values these are.
        failed, value = take_given(s, how == STEP_THROW, given)
    except BaseException as error:
        restore_object(error)
        return run(vm, 1)
    s.call = s.function = None
    raw = <PyObject *>value
    if failed:
        PyErr_SetObject(<PyObject *>Py_TYPE(raw), raw)
        return run(vm, 1)
    value_borrowed(&v, raw)
    store(vm.frame.regs, s.ret, &v)
    vm.slice -= 1
    if vm.slice < 0 and slice_ends(vm) < 0:
        return run(vm, 1)
    return run(vm, 0)


# ---- calls of a run that may suspend ---------------------------------------------------------------
cdef int step_call(VM *vm, Value *slot, Value *args, Py_ssize_t npos, PyObject *kwnames, uint16_t ret) noexcept:
    """A call by the loop of something that is no guest function, with nothing native below: see CallResult, or STEP_NOTHING.

    slot holds the callable, which is consumed with its arguments.
    """
    cdef Suspension s = <Suspension>vm.step
    cdef PyObject *callee = slot.u.o
    cdef PyTypeObject *t = Py_TYPE(callee)
    cdef PyObject *found
    cdef Py_ssize_t i, n
    if t == suspendable_type:
        found = PyDict_GetItemWithError(<PyObject *>s.functions, callee)
        if found != Py_True and found != Py_Ellipsis:
            return STEP_NOTHING
        n = npos + (PyTuple_GET_SIZE(kwnames) if kwnames != NULL else 0)
        try:
            ask_host(vm, s, callee, arguments_of(args, npos), keywords_of(args + npos, kwnames), ret)
        except BaseException as error:
            restore_object(error)
            return CALL_ERROR
        for i in range(n):
            value_clear(&args[i])
        value_clear(slot)
        return CALL_ERROR
    if t == &PyCFunction_Type or t == &PyMethodDescr_Type or t == &PyType_Type or t == context_function_type:
        found = PyDict_GetItemWithError(<PyObject *>s.helpers, callee)
        if found != NULL and may_run_guest(args, npos, kwnames):
            Py_INCREF(found)
            slot.tag = T_UNDEF
            Py_DECREF(callee)
            return call_function(vm, found, args, npos, kwnames, ret)
    return STEP_NOTHING

cdef bint may_run_guest(Value *args, Py_ssize_t npos, PyObject *kwnames) noexcept:
    """Whether a native function may call guest code for these arguments: one is a guest's function or gives its items by guest code."""
    cdef Py_ssize_t i
    cdef PyTypeObject *t
    if kwnames != NULL:
        for i in range(npos, npos + PyTuple_GET_SIZE(kwnames)):
            if args[i].tag == T_OBJ and Py_TYPE(args[i].u.o) == FunctionType:
                return 1
    for i in range(npos):
        if args[i].tag == T_OBJ:
            t = Py_TYPE(args[i].u.o)
            if t == FunctionType or t == FunctionGeneratorType or t == &PyMap_Type or t == &PyFilter_Type or t == &PyEnum_Type \
                    or t == &PyZip_Type or iterates_in_guest(args[i].u.o):
                return 1
    return 0

cdef bint iterates_in_guest(PyObject *o) noexcept:
    """Whether a guest's function is its __iter__, or its __next__."""
    cdef PyObject *found
    if not (<PyTypeFull *>Py_TYPE(o)).tp_flags & Py_TPFLAGS_HEAPTYPE:
        return 0
    found = _PyType_Lookup(Py_TYPE(o), <PyObject *>STR_ITER)
    if found == NULL:
        found = _PyType_Lookup(Py_TYPE(o), <PyObject *>STR_NEXT)
    return found != NULL and Py_TYPE(found) == FunctionType

cdef PyObject *step_iterator(PyObject *o) noexcept:
    """In a run that can be suspended: what takes the place of a native iteration over o that calls guest code. New reference, or
    NULL without an exception."""
    cdef VM *vm = <VM *>k_get_vm()
    cdef PyTypeObject *t = Py_TYPE(o)
    cdef PyObject *func
    cdef PyObject *made
    cdef Value v
    if vm == NULL or vm.step == NULL or vm.native != vm.step_level:
        return NULL
    if t == &PyEnum_Type or t == &PyZip_Type:
        if Py_REFCNT(o) > 1:
            return NULL             # somebody else sees what it does
    elif t != &PyMap_Type and t != &PyFilter_Type:
        if not iterates_in_guest(o):
            return NULL
        made = special_generator(o, <PyObject *>STR_ITER, CODE_GENERATOR)
        if made != NULL:
            return made
        t = &PyBaseObject_Type
    func = PyDict_GetItemWithError(<PyObject *>(<Suspension>vm.step).iterators, <PyObject *>t)
    if func == NULL:
        return NULL
    value_borrowed(&v, o)
    made = make_generator(vm, func, &v)
    value_release(&v)
    if made == NULL:
        PyErr_Clear()
    return made


def iterator_parts(o):
    """What a map, filter, zip or enumerate object works on: function and iterators, or iterator and index."""
    if type(o) not in (map, filter, zip, enumerate):
        raise TypeError("no such iterator")
    return o.__reduce__()[1]


def steps_in_guest(o):
    """Whether the __next__ of an object is a guest's function."""
    cdef PyObject *raw = <PyObject *>o
    cdef PyObject *found = _PyType_Lookup(Py_TYPE(raw), <PyObject *>STR_NEXT)
    return found != NULL and Py_TYPE(found) == FunctionType


def is_iterator(o):
    """Whether an object has a __next__."""
    cdef PyObject *raw = <PyObject *>o
    return (<PyTypeFull *>Py_TYPE(raw)).tp_iternext != NULL


def hide_function(Function function not None):
    """Tracebacks do not show frames of a function of the library."""
    hide_code(function.code)


cdef int hide_code(Code code) except -1:
    code.flags |= CODE_UNSEEN
    for each in code.const_objects:
        if isinstance(each, Code):
            hide_code(<Code>each)
    return 0


cdef int step_call_ex(VM *vm, PyObject *callee, PyObject *args, PyObject *kw, uint16_t ret) noexcept:
    """The same for a call with spread arguments; all are borrowed."""
    cdef Suspension s = <Suspension>vm.step
    if Py_TYPE(callee) != suspendable_type or PyDict_GetItemWithError(<PyObject *>s.functions, callee) != Py_True:
        return STEP_NOTHING
    try:
        ask_host(vm, s, callee, <tuple>args, <dict>kw if kw != NULL else {}, ret)
    except BaseException as error:
        restore_object(error)
    return CALL_ERROR

cdef tuple arguments_of(Value *args, Py_ssize_t n):
    cdef list found = []
    cdef Py_ssize_t i
    for i in range(n):
        found.append(owned_object(value_object(&args[i])))
    return tuple(found)

cdef dict keywords_of(Value *args, PyObject *names):
    cdef dict found = {}
    cdef Py_ssize_t i
    if names != NULL:
        for i in range(PyTuple_GET_SIZE(names)):
            found[<object>PyTuple_GET_ITEM(names, i)] = owned_object(value_object(&args[i]))
    return found

cdef object owned_object(PyObject *o):
    """The Python value of a new reference; the exception that is set when it is NULL."""
    if o == NULL:
        raise_set()
    value = <object>o
    Py_DECREF(o)
    return value

cdef int ask_host(VM *vm, Suspension s, PyObject *callee, tuple args, dict kwargs, uint16_t ret) except -1:
    """From here on the run waits: the caller leaves the loop as if an exception were set. Raises what the call raises."""
    function = <object>callee
    if vm.meter == NULL or (<Meter>vm.meter).threads:
        raise RuntimeError(f"{function.__name__}() cannot suspend the program while other threads of it run")
    if s.functions[function] is True:
        s.call = prepare_call(function, args, kwargs)
        s.function = function
        s.asked += 1
    s.ret = ret
    vm.suspending = 1
    return 0

cdef PyTypeObject *suspendable_type = NULL
cdef PyTypeObject *context_function_type = <PyTypeObject *><PyObject *>ContextFunction
cdef object prepare_call = None
cdef object take_given = None
cdef PyObject *Py_Ellipsis = <PyObject *>Ellipsis


def use_host_functions(cls, prepare, take):
    """Connects the functions of the host.

    cls: their type.  prepare(function, args, kwargs): makes a functools.partial for the host of a call.
    take(suspension, failed, given): what the host has given, for the guest: whether it is raised, and the value or exception.
    """
    global suspendable_type, prepare_call, take_given
    take_given = take
    suspendable_type = <PyTypeObject *><PyObject *>cls
    prepare_call = prepare


def host_waits():
    """What the run of this thread waits for where nothing of it is ready: 1, calls of the host that it awaits; 2, anything
    else, and a loop of the host drives it; 0, it has to wait itself."""
    cdef VM *vm = <VM *>k_get_vm()
    if vm == NULL or vm.step == NULL:
        return 0
    if not (<Suspension>vm.step).driven:
        (<Suspension>vm.step).abandoned()       # nobody else asks for them
    return 1 if len((<Suspension>vm.step).pending) else 2 if (<Suspension>vm.step).driven else 0


def called_in_step(function, tuple args, dict kwargs):
    """For a function of the host that native code calls, or guest code below native code, while some run can be suspended.

    Returns NotImplemented when it is an ordinary call, or a future for a call that the guest awaits.

    Raises:
        RuntimeError: the function suspends, which it cannot from here.
    """
    cdef VM *vm = <VM *>k_get_vm()
    cdef Suspension s
    if vm == NULL or vm.step == NULL:
        return NotImplemented
    s = <Suspension>vm.step
    suspends = s.functions.get(function)
    if suspends is None:
        return NotImplemented
    if suspends is True or suspends is Ellipsis:
        name = "asyncio" if suspends is Ellipsis else f"{function.__name__}()"
        raise RuntimeError(f"{name} cannot suspend the program here: it was called through {native_between(vm, s)}, "
                           "which is native code and cannot be left in the middle")
    call = prepare_call(function, args, kwargs)
    return suspends(s, function, call)


cdef str native_between(VM *vm, Suspension s):
    """What native code stands between the run's own frames and the innermost one: as it is called in the program."""
    cdef Frame *f = vm.frames + s.base + 2
    cdef const Instr *ins
    cdef Value *slot
    while f <= vm.frame and not (f.flags & F_ENTRY):
        f += 1
    f -= 1
    ins = f.ip - 1
    if ins.op == OP_CALL or ins.op == OP_CALL_METHOD or ins.op == OP_CALL_EX:
        slot = &f.regs[ins.t.abc.b]
        if slot.tag == T_OBJ:
            callee = <object>slot.u.o
            if type(callee) is not type:
                name = getattr(callee, "__qualname__", None) if Py_TYPE(slot.u.o) == &PyCFunction_Type \
                    or Py_TYPE(slot.u.o) == &PyMethodDescr_Type else None
                if type(name) is str:
                    return "the event loop of asyncio" if name.startswith("LoopCore.") else f"{name}()"
                return f"a call of a {type(callee).__name__} object"
            return f"{callee.__name__}()"
        return "a call"
    return describe_operation(ins.op)


cdef int suspension_traverse(PyObject *o, visitproc visit, void *arg) noexcept:
    cdef Frame *f
    cdef Py_ssize_t i
    cdef int status
    cdef Suspension s
    if (<Suspension>o).frames != NULL:
        for i in range((<Suspension>o).nframes):
            f = &(<Suspension>o).frames[i]
            status = visit(f.func, arg)
            if status:
                return status
            if f.ns != NULL:
                status = visit(f.ns, arg)
                if status:
                    return status
            if f.flags & F_GENERATOR:
                status = visit(f.gen, arg)
                if status:
                    return status
        for i in range((<Suspension>o).nvalues):
            if (<Suspension>o).values[i].tag & T_OWNED:
                status = visit((<Suspension>o).values[i].u.o, arg)
                if status:
                    return status
        if (<Suspension>o).handled != NULL:
            status = visit((<Suspension>o).handled, arg)
            if status:
                return status
    return suspension_base_traverse(o, visit, arg)

cdef int suspension_clear(PyObject *o) noexcept:
    drop_frames(o)
    return suspension_base_clear(o)

cdef traverseproc suspension_base_traverse = NULL
cdef inquiry suspension_base_clear = NULL

cdef int patch_suspension() except -1:
    global suspension_base_traverse, suspension_base_clear
    slots = get_slots(Suspension)
    suspension_base_traverse = <traverseproc>slots.tp_traverse
    suspension_base_clear = <inquiry>slots.tp_clear
    slots.tp_traverse = <void *>suspension_traverse
    slots.tp_clear = <void *>suspension_clear
    return 0

patch_suspension()
