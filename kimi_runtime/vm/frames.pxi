# The VM of one host thread: a stack of register windows and a stack of frames.
#
# Windows overlap: the arguments of a call are the first registers of the callee. Above the `top` of the innermost frame
# no slot has T_OWNED set, so a new window needs no zeroing apart from its locals.

cdef enum FrameFlag:
    F_ENTRY = 1          # run() was entered with this frame: its end returns to C
    F_GENERATOR = 2      # registers belong to frame.gen
    F_THROWS = 8         # an exception was thrown into what this generator delegates to, which still runs
    F_INIT = 4           # __init__ of the instance in frame.ns: the call's value is that instance

cdef struct Frame:
    Value *regs
    const Instr *ip      # while a callee runs: the instruction after the call
    PyObject *code       # Code, borrowed from func
    PyObject *func       # Function, owned
    PyObject *globals    # borrowed from func
    PyObject *builtins   # borrowed from func
    PyObject *ns         # namespace mapping of class and module bodies, or the instance (F_INIT); owned, may be NULL
    PyObject *gen        # Generator (F_GENERATOR), owned
    Value *top           # first stack slot above this frame
    uint16_t ret         # register of the caller that gets the value
    uint16_t flags

cdef struct VM:
    Value *stack
    Value *stack_end
    Value *watermark     # highest window end seen; beyond it the slow check runs
    Frame *frames
    Frame *frames_end    # no frame may be pushed here or beyond: memory, or the recursion limit
    Frame *frame         # innermost frame; frames[0] is a sentinel
    Frame *bottom        # what runs sees the frames above it only: below are those of another guest, or the sentinel
    PyObject *bottom_builtins       # of the guest whose finalizer natives began there, borrowed; or NULL
    int32_t limit        # recursion limit
    int32_t native       # nested run() calls
    void **host_frames   # for each of them the frame of the host's Python code that it was called from
    int32_t slice        # ticks left before the next safepoint
    uint64_t ticks       # ticks of finished slices
    uint64_t instructions
    uint64_t counted     # of them, those that the meter knows of
    bint reraise         # the exception being raised already has this frame in its traceback
    PyObject *rest       # what the call that begins leaves for *args: more than the stack should hold; owned, or NULL
    PyObject *interrupt  # the last KeyboardInterrupt that the guest raised by itself, owned; or NULL
    PyObject *raised     # exception of a raise statement on its way to the unwinder, owned; or NULL
    PyObject *meter      # Meter of the run, borrowed; or NULL: no limits
    int32_t host_level   # what native was when the innermost call of the host began that is under way, or -1
    int64_t host_since   # clock when the code of the host began to run; 0 while it calls back into a guest
    KHeap *heap          # what the guest code of this thread allocates from; or NULL: from the host's allocator
    KHeap **heap_slot    # the thread's current heap, which is another one while code of the host runs
    KHeap **outer_heaps  # for each nested run() call what that was before
    PyObject *step       # Suspension of the innermost run that can be suspended, borrowed; or NULL
    int32_t step_level   # what native is while nothing native stands between the frames of that run
    bint suspending      # it waits for the host: the loop is being left with its frames as they are
    bint yielded         # the entry frame that just ended was a generator that yielded
    VM *next_free
    KWatch watch         # ends the slice when the run is due
    int64_t told_again   # see hook_interrupted
    int64_t describing   # until when the host may write about what the guest raised; 0: it does not
    int64_t cpu_from     # the thread's clock of processor time when what it uses was last added to its meter
    PyObject *hot        # HotPolicy of the run, borrowed; or NULL: the hot tier is off
    void *thread         # the thread's state
    int64_t hot_young    # clock until which places are compiled earlier: a session has just begun
    int32_t slice_rest   # ticks of the slice that come after the part of it that runs
    int32_t given        # with a limit of instructions: ticks of the slice; at the look at the limits that is due, how many of them
    int64_t passed       # were executed, or -1; native_ticks at the last one; how many instructions the ticks of the last slices
    int64_t native_seen  # took each
    uint64_t pace
    int32_t sample_rest  # ticks of the slice after the point where instructions are to be counted for a profile; see plan_burst
    int64_t sample_base  # see way_of
    int64_t native_ticks # those that were for items of native iterators
    int32_t hot_armed    # ticks after each of which compiled code is looked for: some was left just now
    int32_t hot_depth    # nested calls of compiled code
    bint hot_passing     # the next tick is not one of a loop or a function
    uint64_t *hot_spill  # what frames of plain functions are made of, or NULL; see hot_deopt
    uint64_t *hot_spilled           # where the next record goes
    void *hot_away       # the thread's state while compiled code that touches no objects runs without the lock; or NULL
    int64_t hot_until    # clock until which it may do so
    bint hot_ticked      # compiled code has been left for a safepoint
    const void *hot_due  # their safepoint is due; where the error of it belongs to; or NULL
    char *floor          # lowest address of the C stack that guests' calls may reach; NULL: not known

cdef enum:
    STACK_VALUES = 1 << 20
    MAX_FRAMES = 1 << 16
    SLICE = 2000
    MAX_NATIVE = 1000
    MANY_ARGUMENTS = 1 << 16
    KEPT_VALUES = 1 << 13       # of a stack, and frames, that a VM keeps between runs; what is above is charged to the run
    KEPT_FRAMES = 1 << 10

cdef VM *free_vms = NULL
cdef int recursion_limit = 1000
cdef int active_vms = 0

cdef void set_frame_limit(VM *vm, int limit) noexcept:
    """Sets the recursion limit of the VM: each guest frame has one slot after the sentinel."""
    vm.limit = limit
    vm.frames_end = vm.frames + 1 + (limit if limit < MAX_FRAMES - 1 else MAX_FRAMES - 1)

cdef VM *vm_new() noexcept:
    """A VM for this thread: from the free list or new. NULL with MemoryError set."""
    global free_vms, active_vms
    cdef VM *vm = free_vms
    if vm != NULL:
        free_vms = vm.next_free
    else:
        vm = <VM *>calloc(1, sizeof(VM))
        if vm != NULL:
            # Untouched pages of these large blocks cost no memory.
            vm.stack = <Value *>calloc(STACK_VALUES, sizeof(Value))
            vm.frames = <Frame *>calloc(MAX_FRAMES, sizeof(Frame))
            vm.host_frames = <void **>calloc(MAX_NATIVE + 1, sizeof(void *))
            vm.outer_heaps = <KHeap **>calloc(MAX_NATIVE + 1, sizeof(KHeap *))
        if vm == NULL or vm.stack == NULL or vm.frames == NULL or vm.host_frames == NULL or vm.outer_heaps == NULL:
            if vm != NULL:
                free(vm.stack)
                free(vm.frames)
                free(vm.host_frames)
                free(vm.outer_heaps)
                free(vm)
            PyErr_NoMemory()
            return NULL
        vm.stack_end = vm.stack + STACK_VALUES
        k_watch_add(&vm.watch, &vm.slice)
    vm.floor = k_thread_stack_floor()
    if hooks.enter_thread != NULL:
        hooks.enter_thread()
    vm.frame = vm.bottom = vm.frames
    vm.bottom_builtins = NULL
    vm.frame.top = vm.stack
    vm.watermark = vm.stack
    vm.reraise = 0
    vm.raised = NULL
    vm.interrupt = NULL
    vm.meter = NULL
    vm.heap = NULL
    vm.heap_slot = heap_slot()
    vm.rest = NULL
    vm.step = NULL
    vm.suspending = 0
    vm.yielded = 0
    vm.native = 0
    vm.host_level = -1
    vm.host_since = 0
    vm.describing = 0
    set_frame_limit(vm, recursion_limit)
    vm.hot = NULL
    vm.thread = <void *>PyThreadState_Get()
    vm.slice_rest = vm.sample_rest = vm.hot_armed = vm.hot_depth = 0
    vm.hot_young = 0
    vm.hot_passing = 0
    vm.hot_due = NULL
    vm.hot_ticked = 0
    vm.slice = vm.given = SLICE
    vm.passed = -1
    vm.pace = 0
    vm.ticks = 0
    vm.instructions = 0
    vm.sample_base = vm.native_ticks = vm.native_seen = 0
    vm.counted = 0
    k_set_vm(vm)
    active_vms += 1
    return vm

cdef inline VM *vm_enter() noexcept:
    """The thread's VM for one more nested run; pair with vm_leave. NULL with an exception set."""
    cdef VM *vm = <VM *>k_get_vm()
    cdef PyThreadState *ts
    if vm == NULL:
        vm = vm_new()
        if vm == NULL:
            return NULL
    ts = <PyThreadState *>vm.thread
    if vm.meter != NULL and is_stopped(vm):
        raise_stop(vm.meter)
        return NULL
    if vm.native >= MAX_NATIVE or k_stack_here() < vm.floor or k_enter_recursive(ts):
        if PyErr_Occurred() == NULL:
            PyErr_SetString(PyExc_RecursionError, b"maximum recursion depth exceeded")
        if vm.native == 0:
            vm_release(vm)
        return NULL
    if vm.native == vm.host_level:
        end_host_code(vm)                # the host calls back: from here on it is guest code again
    vm.native += 1
    vm.host_frames[vm.native] = k_host_frame_of(ts)
    vm.outer_heaps[vm.native] = vm.heap_slot[0]
    vm.heap_slot[0] = vm.heap
    return vm

cdef inline void vm_leave(VM *vm) noexcept:
    k_leave_recursive(<PyThreadState *>vm.thread)
    vm.heap_slot[0] = vm.outer_heaps[vm.native]
    vm.native -= 1
    if vm.native == vm.host_level:
        begin_host_code(vm)
    if vm.native == 0:
        vm_release(vm)

cdef void vm_release(VM *vm) noexcept:
    """Gives the VM back."""
    global free_vms, active_vms
    cdef PyObject *exc
    cdef PyObject *interrupt = vm.interrupt
    k_set_vm(NULL)
    if vm.watermark > vm.stack + KEPT_VALUES:
        k_forget_pages(<char *>(vm.stack + KEPT_VALUES), <char *>vm.watermark)
        k_forget_pages(<char *>(vm.frames + KEPT_FRAMES), <char *>(vm.frames + MAX_FRAMES))
    k_forget_stack()
    vm.next_free = free_vms
    free_vms = vm
    exc = k_take_raised()
    Py_XDECREF(interrupt)
    drop_found_in_mapping()
    clear_shadow_frames()
    active_vms -= 1
    if active_vms == 0:
        drop_parked_codes()
    if exc != NULL:
        k_restore_raised(exc)

cdef int grow_stack(VM *vm, Value *end) noexcept:
    """Called when a window would end above the watermark: raises it, or fails with RecursionError."""
    if end > vm.stack_end - 64:
        PyErr_SetString(PyExc_RecursionError, b"maximum recursion depth exceeded")
        return -1
    vm.watermark = end
    if end > vm.stack + KEPT_VALUES:
        charge_stack(vm, end)
    return 0

cdef int too_deep(VM *vm) noexcept:
    PyErr_SetString(PyExc_RecursionError, b"maximum recursion depth exceeded")
    return -1

cdef int refill(VM *vm) noexcept:
    """Safepoint: every SLICE ticks lets other threads run and looks for signals and limits. -1 with an exception set."""
    cdef PyObject *done
    cdef KHeap *heap = vm.heap_slot[0]
    cdef int32_t left = rest_of_slice(vm)
    if vm.sample_rest and vm.slice < 0 and not k_alarm and not is_stopped(vm) and begin_burst(vm):
        return 0
    vm.passed = max(0, vm.given - left - (vm.native_ticks - vm.native_seen))
    vm.native_seen = vm.native_ticks
    vm.ticks += SLICE
    vm.slice = vm.given = SLICE
    vm.slice_rest = vm.sample_rest = 0
    vm.heap_slot[0] = NULL      # signal handlers and finalizers are not the guest's
    done = PyObject_CallNoArgs(safepoint_function)
    vm.heap_slot[0] = heap
    if done == NULL:
        return -1
    Py_DECREF(done)
    if k_sampled != NULL:
        sample_at_safepoint(vm, left)
    if vm.heap != NULL and vm.heap.pressed and tell_guard(vm) < 0:
        return -1
    if vm.meter != NULL and check_meter(vm) < 0:
        return -1
    if k_sampled != NULL:
        vm.sample_base += rest_of_slice(vm) - SLICE
        plan_burst(vm)
    if hooks.take_turn != NULL:
        return hooks.take_turn()
    return 0

cdef int slice_ends(VM *vm) noexcept:
    """Where a tick has used up the slice, outside the loop: a safepoint, or what remains when only a part of the slice was over.
    -1 with an exception set."""
    if vm.slice_rest > 0 and not k_alarm and not is_stopped(vm):
        vm.slice += vm.slice_rest
        vm.slice_rest = 0
        if vm.slice >= 0:
            return 0
    return refill(vm)

cdef inline Frame *push_frame(VM *vm, PyObject *func, Value *regs, bint fresh) noexcept:
    """Pushes a frame for func with the given window, whose parameters are in place already.

    OWNER RULE: on success takes over the reference to func and the values in the window; on failure
    (NULL, exception set) takes nothing. `fresh`: the window lies on the VM stack and its other locals need emptying.
    """
    cdef Frame *f = vm.frame + 1
    cdef uint32_t i
    cdef Value *end
    cdef PyObject *code = <PyObject *>(<Function>func).code
    if K_UNLIKELY(f >= vm.frames_end):
        too_deep(vm)
        return NULL
    if fresh:
        end = regs + (<Code>code).nregs
        if K_UNLIKELY(end > vm.watermark):
            if grow_stack(vm, end) < 0:
                return NULL
        for i in range((<Code>code).nparams, (<Code>code).nlocals):
            regs[i].tag = T_UNDEF
        f.top = end
    else:
        f.top = vm.frame.top
    f.regs = regs
    f.code = code
    f.func = func
    f.globals = <PyObject *>(<Function>func).globals
    f.builtins = <PyObject *>(<Function>func).builtins
    f.ns = NULL
    f.gen = NULL
    f.flags = 0
    f.ip = (<Code>code).instrs + (<Code>code).entry
    vm.frame = f
    return f

cdef inline void clear_registers(Value *regs, uint32_t start, uint32_t end) noexcept:
    cdef uint32_t i
    for i in range(start, end):
        if regs[i].tag & T_OWNED:
            value_clear(&regs[i])
        else:
            regs[i].tag = T_UNDEF

cdef inline void release_registers(Value *regs, uint32_t end) noexcept:
    """As clear_registers, of a window that is left: no object stays, whatever else does."""
    cdef uint32_t i
    for i in range(end):
        if regs[i].tag & T_OWNED:
            value_clear(&regs[i])

cdef inline void drop_temporaries(Value *regs, uint32_t start, uint32_t end) noexcept:
    """As clear_registers, from the last one down: an exception leaves inner loops before outer ones."""
    cdef uint32_t i = end
    while i > start:
        i -= 1
        if regs[i].tag & T_OWNED:
            value_clear(&regs[i])
        else:
            regs[i].tag = T_UNDEF

cdef inline void pop_frame(VM *vm, Frame *f) noexcept:
    """Drops the frame, whose registers are empty already, and what it owns."""
    cdef PyObject *func = f.func
    cdef PyObject *ns = f.ns
    vm.frame = f - 1
    Py_DECREF(func)
    if K_UNLIKELY(ns != NULL):
        Py_DECREF(ns)
