# The hot tier's side of the core: which loops and functions run often, what kinds of values they see, and the way into
# compiled code and out of it. What compiles is above, in `jit/`; it is asked through the `HotPolicy` of the run.
#
# A slice is divided into parts while the tier is on; the end of a part is where loop headers and functions are counted and
# where compiled code is entered. So the loop has no instruction for any of this, and with the tier off nothing is spent on it.

cdef enum SliceResult:
    SLICE_FINE = 0
    SLICE_RAISED = -1       # a safepoint has raised, for the jump or call that has ticked
    SLICE_MOVED = 1         # go on at vm.frame.ip
    SLICE_FAILED = 2        # an exception is set, raised by the instruction before vm.frame.ip

cdef enum StepResult:
    STEP_RAISED = -1
    STEP_DONE = 0
    STEP_AGAIN = 1          # it has filled its cache: execute it once more
    STEP_LEFT = 2           # nothing done: only the loop can execute it

cdef enum HotResult:        # what compiled code returns
    HOT_RAISED = -1         # an exception is set; vm.frame.ip is after the instruction that has raised it
    HOT_REFUSED = 0         # nothing done: a register does not hold what was assumed
    HOT_LEFT = 1            # go on at vm.frame.ip
    HOT_RETURNED = 2        # the function has returned; go on at vm.frame.ip of its caller

cdef enum HotState:
    HOT_COUNTED = 0
    HOT_WAITING = 1         # for the compiler
    HOT_COMPILED = 2
    HOT_GIVEN_UP = 3

ctypedef int (*HotFunction)(VM *vm, Frame *f, Value *R) noexcept

cdef struct HotEntry:       # a loop header, or instruction 0: the function
    uint32_t pc
    int32_t count           # ticks seen there
    int32_t state
    int32_t versions        # how often it was compiled
    HotFunction function
    uint64_t entered, refused, left, last_left

cdef struct HotCode:        # of one array of instructions: see Code.lender
    HotEntry *entries
    uint32_t n, room
    uint16_t *kinds         # four masks for each instruction: registers a, b, c before it, a after it
    uint32_t *exits         # counters of compiled code
    PyObject *held          # what keeps the compiled code alive, owned

cdef enum Kind:             # bits of what a register was seen to hold
    SEEN_UNDEF = 1
    SEEN_NONE = 2
    SEEN_BOOL = 4
    SEEN_INT = 8
    SEEN_FLOAT = 16
    SEEN_RANGE = 32         # iterators
    SEEN_LIST_ITERATOR = 64
    SEEN_ITERATOR = 128
    SEEN_LIST = 256         # objects
    SEEN_TUPLE = 512
    SEEN_DICT = 1024
    SEEN_STR = 2048
    SEEN_FUNCTION = 4096
    SEEN_OBJECT = 8192
    SEEN_RANGE_TYPE = 16384


@cython.final
@cython.auto_pickle(False)
cdef class HotPolicy:
    """When the code of a guest is compiled, and by whom.

    Args:
        compiler: called with (code, instruction, kinds of the registers there or None, this policy) when a place is hot.
        loop_threshold, call_threshold: ticks of a loop or function after which it is.
        part: ticks from one look to the next.
        rounds: of a loop, or of calls, whose kinds of values are recorded before.
        steps: instructions that a recording takes at most.
        leaves: exits after which a place is recorded and compiled anew.
        versions: how often it is compiled at most.
    """
    cdef public int loop_threshold, call_threshold, part, rounds, steps, leaves, versions
    cdef public object compiler

    def __init__(self, compiler, int loop_threshold=2000, int call_threshold=500, int part=250, int rounds=4, int steps=4000,
                 int leaves=100, int versions=5):
        self.compiler = compiler
        self.loop_threshold, self.call_threshold = loop_threshold, call_threshold
        self.part, self.rounds, self.steps = max(part, 1), rounds, steps
        self.leaves, self.versions = leaves, versions

cdef inline HotPolicy policy_of(VM *vm):
    return <HotPolicy>vm.hot

cdef enum:
    HOT_ARMED = 8                   # ticks after an exit at which compiled code is looked for
    HOT_DEPTH = 200                 # calls of compiled code by compiled code

cdef inline PyObject *hot_owner(PyObject *code) noexcept:
    """The code object whose arrays these are: sessions run copies of it."""
    while (<Code>code).lender != NULL:
        code = (<Code>code).lender
    return code

cdef void hot_free(void *given) noexcept:
    cdef HotCode *hot = <HotCode *>given
    free(hot.entries)
    free(hot.kinds)
    free(hot.exits)
    Py_XDECREF(hot.held)
    free(hot)

cdef HotEntry *hot_entry(PyObject *code, uint32_t pc, bint make) noexcept:
    """The record of the place, or NULL."""
    cdef HotCode *hot = <HotCode *>(<Code>code).hot
    cdef HotEntry *grown
    cdef uint32_t i
    if hot == NULL:
        if not make:
            return NULL
        hot = <HotCode *>calloc(1, sizeof(HotCode))
        if hot == NULL:
            return NULL
        (<Code>code).hot = hot
    for i in range(hot.n):
        if hot.entries[i].pc == pc:
            return &hot.entries[i]
    if not make:
        return NULL
    if hot.n == hot.room:
        grown = <HotEntry *>calloc(hot.room * 2 + 4, sizeof(HotEntry))
        if grown == NULL:
            return NULL
        memcpy(grown, hot.entries, hot.n * sizeof(HotEntry))
        free(hot.entries)
        hot.entries = grown
        hot.room = hot.room * 2 + 4
    hot.entries[hot.n].pc = pc
    hot.n += 1
    return &hot.entries[hot.n - 1]

cdef inline uint16_t kind_of(const Value *v) noexcept:
    cdef PyTypeObject *t
    if v.tag <= T_FLOAT:
        return <uint16_t>(1 << v.tag)
    if v.tag == T_RANGE:
        return SEEN_RANGE
    if v.tag == T_IT_LIST:
        return SEEN_LIST_ITERATOR
    if v.tag != T_OBJ:
        return SEEN_ITERATOR
    t = Py_TYPE(v.u.o)
    if t == &PyList_Type:
        return SEEN_LIST
    if t == &PyTuple_Type:
        return SEEN_TUPLE
    if t == &PyDict_Type:
        return SEEN_DICT
    if t == &PyUnicode_Type:
        return SEEN_STR
    if t == FunctionType:
        return SEEN_FUNCTION
    if v.u.o == <PyObject *>&PyRange_Type:
        return SEEN_RANGE_TYPE
    return SEEN_OBJECT

cdef uint16_t kind_given(const Instr *ins, Frame *f, uint32_t nregs) noexcept:
    """What the instruction that was executed last has put into its register a; of a loop the item."""
    if ins.op == OP_FOR_LOOP or ins.op == OP_FOR_ITER:
        if (f.ip == ins + 1) == (ins.op == OP_FOR_LOOP) or f.ip == ins + 2 + <int16_t>ins.t.abc.c:
            return 0            # its end, or a pair that has gone to its targets
        return kind_of(&f.regs[ins.t.abc.b])
    return kind_of(&f.regs[ins.a]) if ins.a < nregs else 0

cdef inline bint hot_allowed(VM *vm) noexcept:
    """Compiled code is not looked into: not while each instruction is, and not in a run that may be suspended."""
    return k_stepping == 0 and vm.step == NULL

cdef int slice_over(VM *vm) noexcept:
    """At the end of a slice, or of a part of it: a safepoint, and a look at what runs here. A SliceResult."""
    cdef int32_t part
    cdef bint passing
    if vm.hot == NULL:
        vm.slice_rest = 0
        return refill(vm)
    part = (<HotPolicy>vm.hot).part
    passing = vm.hot_passing
    vm.hot_passing = 0
    if vm.slice_rest > 0 and not k_alarm and not is_stopped(vm):
        if vm.hot_armed > 0:
            vm.hot_armed -= 1
            vm.slice_rest += vm.slice
            vm.slice = 0
        else:
            if part > vm.slice_rest:
                part = vm.slice_rest
            vm.slice_rest -= part
            vm.slice += part
    else:
        vm.slice_rest = 0
        if refill(vm) < 0:
            return SLICE_RAISED
        if vm.slice > part:
            vm.slice_rest = vm.slice - part
            vm.slice = part
    if passing or vm.hot == NULL or not hot_allowed(vm):
        return SLICE_FINE
    return hot_look(vm)

cdef bint is_header(PyObject *code, uint32_t pc) noexcept:
    """Whether a loop goes on there after a tick, or a function begins."""
    cdef const Instr *instrs = (<Code>code).instrs
    cdef int64_t i, to
    if pc == 0:
        return (<Code>code).entry == 0
    for i in range(<int64_t>pc, <int64_t>(<Code>code).ninstrs):
        to = jump_of(&instrs[i], i)
        if to == pc:
            return 1
        if to + 1 == pc and to <= i and instrs[i].op == OP_FOR_LOOP and instrs[to].op == OP_UNPACK2:
            return 1
    return 0

cdef int hot_look(VM *vm) noexcept:
    """Enters compiled code for the place where the innermost frame goes on, or counts it. A SliceResult."""
    cdef Frame *f = vm.frame
    cdef PyObject *code = hot_owner(f.code)
    cdef uint32_t pc = <uint32_t>(f.ip - (<Code>code).instrs)
    cdef HotEntry *entry
    cdef int status
    if vm.hot_depth >= HOT_DEPTH or k_stack_here() < vm.floor:
        return SLICE_FINE
    entry = hot_entry(code, pc, 1)
    if entry == NULL or entry.state == HOT_GIVEN_UP or entry.state == HOT_WAITING:
        return SLICE_FINE
    if entry.state == HOT_COMPILED:
        if pc == 0 and (<Code>f.code).call_kind == K_SIMPLE:
            (<Code>f.code).call_kind = K_HOT
        if entry.versions < (<HotPolicy>vm.hot).versions \
                and entry.left + entry.refused - entry.last_left > <uint64_t>(<HotPolicy>vm.hot).leaves * entry.versions:
            entry.last_left = entry.left + entry.refused
            return hot_record(vm, code, pc)
        status = hot_enter(vm, code, pc)
        if status == HOT_RAISED:
            return SLICE_FAILED
        return SLICE_FINE if status == HOT_REFUSED else SLICE_MOVED
    if entry.count == 0 and not is_header(code, pc):
        entry.state = HOT_GIVEN_UP
        return SLICE_FINE
    entry.count += 1 if vm.slice == 0 else (<HotPolicy>vm.hot).part
    if entry.count >= ((<HotPolicy>vm.hot).loop_threshold if pc else (<HotPolicy>vm.hot).call_threshold):
        return hot_record(vm, code, pc)
    return SLICE_FINE

cdef int hot_enter(VM *vm, PyObject *code, uint32_t pc) noexcept:
    """Runs the compiled code of the place in the innermost frame. A HotResult.

    OWNER RULE: the code object is held meanwhile: the function that runs may be gone when it has returned.
    """
    cdef HotEntry *entry = hot_entry(code, pc, 0)
    cdef int status
    cdef int64_t here
    vm.slice += vm.slice_rest
    vm.slice_rest = 0
    vm.hot_depth += 1
    Py_INCREF(code)
    status = entry.function(vm, vm.frame, vm.frame.regs)
    vm.hot_depth -= 1
    entry = hot_entry(code, pc, 0)              # records may have moved
    entry.entered += 1
    if status == HOT_REFUSED:
        entry.refused += 1
    elif status == HOT_LEFT:
        entry.left += 1
    Py_DECREF(code)
    if vm.slice > 0:
        if status == HOT_LEFT:
            vm.hot_armed = HOT_ARMED
            vm.slice_rest = vm.slice
            vm.slice = 0
        elif vm.hot != NULL and vm.slice > (<HotPolicy>vm.hot).part:
            vm.slice_rest = vm.slice - (<HotPolicy>vm.hot).part
            vm.slice = (<HotPolicy>vm.hot).part
    return status

cdef int hot_call(VM *vm) noexcept:
    """After a call has pushed the frame of a function: runs its compiled code. As call_value: a CallResult."""
    cdef PyObject *code = hot_owner(vm.frame.code)
    cdef HotEntry *entry
    cdef int status
    if vm.hot == NULL or vm.hot_depth >= HOT_DEPTH or vm.slice <= 0 or not hot_allowed(vm) or k_stack_here() < vm.floor:
        return CALL_PUSHED
    entry = hot_entry(code, 0, 0)
    if entry == NULL or entry.state != HOT_COMPILED:
        return CALL_PUSHED
    vm.slice -= 1
    status = hot_enter(vm, code, 0)
    if status == HOT_RAISED:
        return CALL_ERROR
    if status == HOT_RETURNED:
        return CALL_DONE
    # The loop ticks for the call. Where code was left no loop or function begins.
    vm.slice += 1
    vm.hot_passing = status == HOT_LEFT
    return CALL_PUSHED

cdef int hot_record(VM *vm, PyObject *code, uint32_t pc) noexcept:
    """Executes a few rounds from here and notes what kinds of values there are; then has the place compiled. A SliceResult."""
    cdef HotCode *hot = <HotCode *>(<Code>code).hot
    cdef Frame *home = vm.frame
    cdef Frame *f
    cdef PyThreadState *ts = PyThreadState_Get()
    cdef const Instr *instrs = (<Code>code).instrs
    cdef const Instr *ins
    cdef uint32_t at = 0
    cdef uint32_t nregs = (<Code>code).nregs
    cdef uint16_t *kinds
    cdef PyObject *kept
    cdef int steps = 0
    cdef int rounds = 0
    cdef int result = SLICE_FINE
    cdef int status = 0
    cdef bint pending = 0
    cdef int policy_steps = (<HotPolicy>vm.hot).steps
    cdef int policy_rounds = (<HotPolicy>vm.hot).rounds
    if hot_entry(code, pc, 0).versions:
        policy_rounds = policy_steps        # what was not seen before may be rare
    if hot.kinds == NULL:
        hot.kinds = <uint16_t *>calloc((<Code>code).ninstrs * 4, sizeof(uint16_t))
        if hot.kinds == NULL:
            return SLICE_FINE
    kinds = hot.kinds
    Py_INCREF(code)                  # the function may end meanwhile
    kept = code
    while steps < policy_steps:
        f = vm.frame
        if f < home or (f == home and hot_owner(f.code) != code):
            break
        ins = f.ip
        if f == home:
            if pending:
                kinds[at * 4 + 3] |= kind_given(&instrs[at], f, nregs)
                pending = 0
            if <uint32_t>(ins - instrs) == pc:
                if rounds == policy_rounds:
                    break
                rounds += 1
            at = <uint32_t>(ins - instrs)
            if ins.a < nregs:
                kinds[at * 4] |= kind_of(&f.regs[ins.a])
            if ins.t.abc.b < nregs:
                kinds[at * 4 + 1] |= kind_of(&f.regs[ins.t.abc.b])
            if ins.t.abc.c < nregs:
                kinds[at * 4 + 2] |= kind_of(&f.regs[ins.t.abc.c])
            pending = 1
        vm.instructions += 1
        status = step_once(vm, ts, f, ins)
        if status == STEP_LEFT:
            vm.instructions -= 1
            f.ip = ins
            break
        result = SLICE_MOVED
        steps += 1
        if status == STEP_RAISED:
            result = SLICE_FAILED
            break
        if not hot_allowed(vm):
            break
    if result != SLICE_FAILED:
        hot_request(vm, code, pc)
    Py_DECREF(kept)
    return result

cdef void hot_request(VM *vm, PyObject *code, uint32_t pc) noexcept:
    """Asks the compiler. Its allocations are not the guest's, and an exception of it is no affair of the program."""
    cdef HotEntry *entry = hot_entry(code, pc, 0)
    cdef Frame *f = vm.frame
    cdef KHeap *heap = vm.heap_slot[0]
    cdef PyObject *raised = k_take_raised()
    cdef uint32_t i
    if vm.hot == NULL:
        return
    entry.state = HOT_WAITING
    vm.heap_slot[0] = NULL
    try:
        here = None
        if hot_owner(f.code) == code and f.ip == (<Code>code).instrs + pc:
            here = [kind_of(&f.regs[i]) for i in range((<Code>code).nregs)]
        (<HotPolicy>vm.hot).compiler(<Code>code, pc, here, <object>vm.hot)
    except BaseException as error:
        hot_give_up(<Code>code, pc)
        hot_failures.append(error)
    vm.heap_slot[0] = heap
    if raised != NULL:
        k_restore_raised(raised)

# What the compiler has raised, which is a fault of ours: tests look here.
hot_failures = []

cdef int hot_step(VM *vm, Frame *f, const Instr *ins) noexcept:
    """Called by compiled code for an instruction that it leaves to the loop's own body: 0 done, 1 the frame moved to where
    vm.frame.ip says, 2 a jump was taken, 3 ... to the instruction after its target, 4 the next instruction was left out, -1 raised."""
    cdef int status = STEP_AGAIN
    cdef int32_t way
    while status == STEP_AGAIN:
        vm.instructions += 1
        status = step_once(vm, <PyThreadState *>vm.hot_thread, f, ins)
    if status == STEP_RAISED:
        return HOT_RAISED
    if status == STEP_LEFT:
        vm.instructions -= 1
        f.ip = ins
        return 1
    if vm.frame != f:
        return 1
    if f.ip == ins + 1:
        return 0
    if k_flow[ins.op] & 3:
        way = ins.t.imm if k_flow[ins.op] & 1 else <int16_t>ins.t.abc.c
        if f.ip == ins + 1 + way:
            return 2
        if f.ip == ins + 2 + way:
            return 3
    if f.ip == ins + 2:
        return 4
    return 1

cdef int hot_tick(VM *vm) noexcept:
    """The safepoint of compiled code, whose frame is up to date: 0, 1 when it must be left, -1 raised."""
    vm.slice_rest = 0
    if refill(vm) < 0:
        return HOT_RAISED
    return 0 if hot_allowed(vm) else 1

cdef void hot_release(Value *slot) noexcept:
    value_clear(slot)

cdef void hot_put(Value *R, uint32_t index, PyObject *o) noexcept:
    """R[index] = the object, of which the caller has borrowed a reference."""
    cdef Value v
    value_borrowed(&v, o)
    store(R, index, &v)

cdef void hot_drop(PyObject *o) noexcept:
    Py_DECREF(o)

cdef int hot_long(PyObject *o, int64_t *out) noexcept:
    """1 and the value of an exact int that fits, else 0."""
    return k_long_as_int64(o, out)

cdef int hot_set_int(PyObject *items, int64_t i, int64_t n) noexcept:
    """items[i] = n in a list, i within its bounds: 0, or -1 with nothing done and no exception."""
    cdef PyObject *old = PyList_GET_ITEM(items, i)
    cdef PyObject *o
    if k_rewrite_int(old, n):
        return 0
    o = k_box_int(n)
    if o == NULL:
        PyErr_Clear()
        return -1
    old = PyList_GET_ITEM(items, i)
    PyList_SET_ITEM(items, i, o)
    Py_DECREF(old)
    return 0

cdef int hot_set_float(PyObject *items, int64_t i, double d) noexcept:
    cdef PyObject *old = PyList_GET_ITEM(items, i)
    cdef PyObject *o
    if k_rewrite_float(old, d):
        return 0
    o = PyFloat_FromDouble(d)
    if o == NULL:
        PyErr_Clear()
        return -1
    old = PyList_GET_ITEM(items, i)
    PyList_SET_ITEM(items, i, o)
    Py_DECREF(old)
    return 0

cdef double hot_square(double x) noexcept:
    return k_square(x)

cdef int hot_float_mod(double a, double b, double *out) noexcept:
    return k_float_mod(a, b, out)

cdef int hot_float_floordiv(double a, double b, double *out) noexcept:
    return k_float_floordiv(a, b, out)
