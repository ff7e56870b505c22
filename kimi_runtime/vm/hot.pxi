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
    uint64_t done               # instructions that its compiled code has executed

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
        compiler: called with (code, instruction, kinds of the registers there or None, this policy, codes by global sites,
            what instructions were seen to find that was called, by code and instruction, generators by register) when a place is hot.
        loop_threshold, call_threshold: ticks of a loop or function after which it is.
        part: ticks from one look to the next.
        rounds: of a loop, or of calls, whose kinds of values are recorded before.
        steps: instructions that a recording takes at most.
        leaves: exits after which a place is recorded and compiled anew.
        versions: how often it is compiled at most.
        window: nanoseconds of a session's life in which the thresholds are a part of that, 1 / haste.
        least: instructions that compiled code must execute for each time it is entered, or it is not entered any more.
    """
    cdef public int loop_threshold, call_threshold, part, rounds, steps, leaves, versions, least, haste
    cdef public int64_t window
    cdef public object compiler

    def __init__(self, compiler, int loop_threshold=2000, int call_threshold=500, int part=250, int rounds=4, int steps=4000,
                 int leaves=100, int versions=5, int least=HOT_LEAST, double window=0, int haste=HOT_HASTE):
        self.compiler = compiler
        self.loop_threshold, self.call_threshold = loop_threshold, call_threshold
        self.part, self.rounds, self.steps = max(part, 1), rounds, steps
        self.leaves, self.versions, self.least = leaves, versions, least
        self.window, self.haste = <int64_t>(window * 1e9), haste

cdef void hot_divide(VM *vm) noexcept:
    """Divides what is left of the slice into parts, or not any more, by whether the tier is on."""
    if vm.slice_rest > 0 and vm.slice >= 0:
        vm.slice += vm.slice_rest
    vm.slice_rest = 0
    if vm.hot != NULL and vm.slice > (<HotPolicy>vm.hot).part:
        vm.slice_rest = vm.slice - (<HotPolicy>vm.hot).part
        vm.slice = (<HotPolicy>vm.hot).part

cdef enum:
    HOT_ARMED = 8                   # ticks after an exit at which compiled code is looked for
    HOT_CALLEES = 128               # that a recording notes
    HOT_FRAMES = 64                 # whose values a recording notes, from the one where it begins
    HOT_DEPTH = 200                 # calls of compiled code by compiled code
    HOT_PLAIN_DEPTH = 300           # calls without frames by each other, before they get them
    HOT_PLAIN_REGISTERS = 64        # of a function that is called so, at most
    HOT_PLAIN_STACK = 400           # bytes of the C stack that such a call takes at most
    HOT_TRIED = 1000                  # entries after which compiled code must have done HOT_LEAST instructions each, on average
    HOT_LEAST = 24
    HOT_HASTE = 4

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
        if refill(vm) < 0:
            return SLICE_RAISED
        if vm.slice + vm.sample_rest < part:
            passing = 1         # a short slice, at the ends of a limit of instructions, would count as a whole part
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
    cdef int32_t threshold
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
    threshold = (<HotPolicy>vm.hot).loop_threshold if pc else (<HotPolicy>vm.hot).call_threshold
    if vm.hot_young:
        if k_now() < vm.hot_young:
            threshold = threshold / (<HotPolicy>vm.hot).haste
        else:
            vm.hot_young = 0
    if entry.count >= threshold:
        return hot_record(vm, code, pc)
    return SLICE_FINE

cdef int hot_enter(VM *vm, PyObject *code, uint32_t pc) noexcept:
    """Runs the compiled code of the place in the innermost frame. A HotResult.

    OWNER RULE: the code object is held meanwhile: the function that runs may be gone when it has returned.
    """
    cdef HotEntry *entry = hot_entry(code, pc, 0)
    cdef int status
    cdef uint64_t before = vm.instructions
    vm.slice += vm.slice_rest
    vm.slice_rest = 0
    vm.hot_depth += 1
    Py_INCREF(code)
    status = entry.function(vm, vm.frame, vm.frame.regs)
    vm.hot_depth -= 1
    entry = hot_entry(code, pc, 0)              # records may have moved
    entry.entered += 1
    entry.done += vm.instructions - before
    if entry.entered >= HOT_TRIED and entry.done < entry.entered * (<HotPolicy>vm.hot).least:
        entry.state = HOT_GIVEN_UP      # ways in and out cost more than it saves
    if k_sampled != NULL:
        sample_compiled(vm, code if status == HOT_RETURNED else NULL, pc,
                        status == HOT_REFUSED or (status == HOT_LEFT and not vm.hot_ticked))
    if status == HOT_REFUSED:
        entry.refused += 1
    elif status == HOT_LEFT and not vm.hot_ticked:
        entry.left += 1
    vm.hot_ticked = 0
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
        if entry != NULL and entry.state == HOT_GIVEN_UP:
            (<Code>code).call_kind = (<Code>vm.frame.code).call_kind = K_SIMPLE
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

cdef struct HotCallee:      # what an instruction was seen to find, which is called then
    PyObject *code          # of the instruction; owned
    uint32_t pc
    PyObject *callee        # what hot_known_callee says; owned

cdef PyObject *hot_known_callee(PyObject *o) noexcept:
    """The code of a guest function, or a builtin that is known, borrowed; else NULL. No object of the guest lives longer for it."""
    cdef int i
    if Py_TYPE(o) == FunctionType:
        return hot_owner(<PyObject *>(<Function>o).code)
    if o == <PyObject *>&PyRange_Type:
        return o
    for i in range(1, N_STARTSWITH):
        if native_callees[i] == o:
            return o
    if Py_TYPE(o) == &PyCFunction_Type and <size_t>o in hot_math_names:
        return o
    if PyType_Check(o) and <size_t>o in hot_exceptions:
        return o
    return NULL

cdef uint16_t *hot_kinds_of(PyObject *code) noexcept:
    """Where the kinds of values at the instructions of a code object are noted; NULL: not at all."""
    cdef HotCode *hot
    if hot_entry(code, 0, 1) == NULL:
        return NULL
    hot = <HotCode *>(<Code>code).hot
    if hot.kinds == NULL:
        hot.kinds = <uint16_t *>calloc((<Code>code).ninstrs * 4, sizeof(uint16_t))
    return hot.kinds

cdef inline void hot_note(uint16_t *kinds, const Instr *ins, Frame *f, uint32_t nregs) noexcept:
    """Notes what the registers of an instruction hold before it."""
    if ins.a < nregs:
        kinds[0] |= kind_of(&f.regs[ins.a])
    if ins.t.abc.b < nregs:
        kinds[1] |= kind_of(&f.regs[ins.t.abc.b])
    if ins.t.abc.c < nregs:
        kinds[2] |= kind_of(&f.regs[ins.t.abc.c])

cdef int hot_yield(VM *vm, PyThreadState *ts, Frame *f, const Instr *ins) noexcept:
    """YIELD to a loop of the frame below, as the interpreter executes it. A StepResult."""
    cdef Value v
    cdef PyObject *gen = f.gen
    cdef uint32_t before = 0 if f - 1 <= vm.bottom else ((f - 1).ip - 1).op
    if f.flags & F_ENTRY or (before != OP_FOR_LOOP and before != OP_FOR_ITER):
        return STEP_LEFT
    v.tag = f.regs[ins.t.abc.b].tag
    v.u.i = f.regs[ins.t.abc.b].u.i
    if ins.t.abc.b >= (<Code>f.code).first_temp:
        f.regs[ins.t.abc.b].tag = T_UNDEF
    elif v.tag & T_OWNED:
        Py_INCREF(v.u.o)
    (<Generator>gen).ip = ins + 1
    (<Generator>gen).resume_reg = ins.a
    (<Generator>gen).yielded = (<Generator>gen).kind == CODE_ASYNC_GENERATOR
    deliver_yield(vm, ts, &v)
    vm.slice -= 1
    if vm.slice < 0 and slice_ends(vm) < 0:
        return STEP_RAISED
    return STEP_DONE

cdef bint hot_handled(VM *vm, Frame *home) noexcept:
    """Whether an exception that is raised now is handled by one of the frames down to that one."""
    cdef Frame *f = vm.frame
    if vm.suspending or (vm.meter != NULL and is_stopped(vm)) or (vm.heap != NULL and vm.heap.refusal):
        return 0
    while f >= home:
        if find_handler(f.code, <uint32_t>(f.ip - (<Code>f.code).instrs - 1)) != NULL:
            return 1
        if f.flags:
            return 0
        f -= 1
    return 0

# Exceptions that compiled code may raise and handle without making them: they take any arguments, and have no effect of their own.
cdef dict hot_exceptions = {
    id(kind): "exc." + kind.__name__
    for kind in (ArithmeticError, AssertionError, AttributeError, BufferError, EOFError, Exception, FloatingPointError, IndexError,
                 KeyError, LookupError, NameError, NotImplementedError, OverflowError, RecursionError, ReferenceError, RuntimeError,
                 TypeError, UnboundLocalError, UnicodeError, ValueError, ZeroDivisionError)
}

cdef int hot_record(VM *vm, PyObject *code, uint32_t pc) noexcept:
    """Executes a few rounds from here and notes what kinds of values there are; then has the place compiled. A SliceResult."""
    cdef HotCode *hot = <HotCode *>(<Code>code).hot
    cdef Frame *home = vm.frame
    cdef Frame *f
    cdef PyThreadState *ts = PyThreadState_Get()
    cdef const Instr *ins
    cdef uint32_t at = 0
    cdef int32_t last[HOT_FRAMES]       # what each frame has executed last, or -1
    cdef PyObject *codes[HOT_FRAMES]    # and of which code
    cdef int64_t deep
    cdef PyObject *here
    cdef PyObject *found
    cdef uint16_t *kinds
    cdef HotCallee callees[HOT_CALLEES]
    cdef int n_callees = 0
    cdef PyObject *kept
    cdef PyObject *globals_there
    cdef PyObject *builtins_there
    cdef int steps = 0
    cdef int rounds = 0
    cdef int result = SLICE_FINE
    cdef int status = 0
    cdef int policy_steps = (<HotPolicy>vm.hot).steps
    cdef int policy_rounds = (<HotPolicy>vm.hot).rounds
    if hot_entry(code, pc, 0).versions or pc == 0:
        policy_rounds = policy_steps        # what was not seen before may be rare
    if pc == 0:
        # The next calls by its callers are seen too; a frame with flags is not left here.
        for at in range(HOT_FRAMES // 2):
            if home.flags != 0 or home - 1 <= vm.bottom:
                break
            home -= 1
    for at in range(HOT_FRAMES):
        last[at] = -1
    if hot_kinds_of(code) == NULL:
        return SLICE_FINE
    Py_INCREF(code)                  # the function may end meanwhile
    kept = code
    globals_there = vm.frame.globals        # and its namespace
    builtins_there = vm.frame.builtins
    Py_INCREF(globals_there)
    Py_INCREF(builtins_there)
    vm.slice += vm.slice_rest
    vm.slice_rest = 0
    while steps < policy_steps:
        f = vm.frame
        if f < home or (f == home and pc and hot_owner(f.code) != code):
            break
        ins = f.ip
        deep = f - home
        here = hot_owner(f.code)
        kinds = NULL
        if deep < HOT_FRAMES:
            kinds = hot_kinds_of(here)
        if kinds != NULL:
            at = <uint32_t>(ins - (<Code>here).instrs)
            if last[deep] >= 0 and at != 0 and codes[deep] == here:
                kinds[last[deep] * 4 + 3] |= kind_given(&(<Code>here).instrs[last[deep]], f, (<Code>here).nregs)
            if at == pc and f == home and here == code:
                if rounds == policy_rounds:
                    break
                rounds += 1
            hot_note(&kinds[at * 4], ins, f, (<Code>here).nregs)
            last[deep] = <int32_t>at
            codes[deep] = here
        vm.instructions += 1
        status = hot_yield(vm, ts, f, ins) if ins.op == OP_YIELD else step_once(vm, ts, f, ins)
        if status == STEP_LEFT:
            vm.instructions -= 1
            f.ip = ins
            break
        if status == STEP_AGAIN:
            vm.instructions -= 1
        elif status == STEP_DONE and kinds != NULL and vm.frame == f and n_callees < HOT_CALLEES \
                and (ins.op == OP_LOAD_GLOBAL or ins.op == OP_LOAD_METHOD) and f.regs[ins.a].tag == T_OBJ:
            found = hot_known_callee(f.regs[ins.a].u.o)
            if found != NULL:
                callees[n_callees].code = here
                callees[n_callees].pc = at
                callees[n_callees].callee = found
                Py_INCREF(here)
                Py_INCREF(found)
                n_callees += 1
        result = SLICE_MOVED
        steps += 1
        if status == STEP_RAISED:
            if not hot_handled(vm, home) or not unwind(vm, ts):
                result = SLICE_FAILED
                break
            for at in range(HOT_FRAMES):
                last[at] = -1           # what has raised has given nothing
        if not hot_allowed(vm):
            break
    if vm.hot != NULL and vm.slice > (<HotPolicy>vm.hot).part:
        vm.slice_rest = vm.slice - (<HotPolicy>vm.hot).part
        vm.slice = (<HotPolicy>vm.hot).part
    if result != SLICE_FAILED:
        hot_request(vm, code, pc, globals_there, builtins_there, callees, n_callees)
    while n_callees:
        n_callees -= 1
        Py_DECREF(callees[n_callees].code)
        Py_DECREF(callees[n_callees].callee)
    Py_DECREF(globals_there)
    Py_DECREF(builtins_there)
    Py_DECREF(kept)
    return result

cdef dict hot_targets(PyObject *code, PyObject *globals_there, PyObject *builtins_there):
    """What global sites find, by the number of the site: the code of a guest function, or the name of a builtin."""
    cdef Frame there
    cdef uint32_t i
    cdef PyObject *o
    cdef dict found = {}
    there.code = code
    there.globals = globals_there
    there.builtins = builtins_there
    for i in range((<Code>code).ninstrs):
        if (<Code>code).instrs[i].op == OP_LOAD_GLOBAL:
            o = hot_global(&there, (<Code>code).instrs[i].t.abc.c)
            if o != NULL and hot_known_callee(o) != NULL:
                found[(<Code>code).instrs[i].t.abc.c] = hot_callee_name(hot_known_callee(o))
    return found

cdef object hot_callee_name(PyObject *o):
    """What it is to the compiler: the code, or the name of the builtin."""
    cdef int i
    if o == <PyObject *>&PyRange_Type:
        return "range"
    for i in range(1, N_STARTSWITH):
        if native_callees[i] == o:
            return hot_native_names[i]
    if Py_TYPE(o) == &PyCFunction_Type:
        return hot_math_names[<size_t>o]
    if PyType_Check(o):
        return hot_exceptions[<size_t>o]
    return <object>o

hot_native_names = ("", "len", "isinstance", "abs", "min", "max", "ord", "chr", "str", "int", "float", "bool", "type", "append",
                    "dict.get", "getattr")

cdef void hot_request(VM *vm, PyObject *code, uint32_t pc, PyObject *globals_there, PyObject *builtins_there,
                      HotCallee *callees, int n_callees) noexcept:
    """Asks the compiler. Its allocations are not the guest's, and an exception of it is no affair of the program."""
    cdef HotEntry *entry = hot_entry(code, pc, 0)
    cdef Frame *f = vm.frame
    cdef KHeap *heap = vm.heap_slot[0]
    cdef PyObject *raised
    cdef PyObject *gen
    cdef uint32_t i, k
    if vm.hot == NULL:
        return
    raised = k_take_raised()
    entry.state = HOT_WAITING
    vm.heap_slot[0] = NULL
    try:
        here = None
        generators = {}
        if hot_owner(f.code) == code and f.ip == (<Code>code).instrs + pc:
            here = [kind_of(&f.regs[i]) for i in range((<Code>code).nregs)]
            for i in range((<Code>code).nregs):
                gen = f.regs[i].u.o
                if f.regs[i].tag == T_IT_GEN and (<Generator>gen).state == GEN_SUSPENDED:
                    generators[i] = (<Code>hot_owner(<PyObject *>(<Generator>gen).code),
                                     (<Generator>gen).ip - (<Generator>gen).code.instrs,
                                     [kind_of(&(<Generator>gen).regs[k]) for k in range((<Generator>gen).code.nregs)])
        known = {}
        for i in range(<uint32_t>n_callees):
            target = hot_callee_name(callees[i].callee)
            where = (<Code>callees[i].code, callees[i].pc)
            if known.setdefault(where, target) is not target:
                known[where] = None             # now this, now that
        (<HotPolicy>vm.hot).compiler(<Code>code, pc, here, <object>vm.hot, hot_targets(code, globals_there, builtins_there),
                                     known, generators)
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
    vm.instructions += 1
    while status == STEP_AGAIN:
        status = step_once(vm, <PyThreadState *>vm.thread, f, ins)
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

cdef void hot_sample(VM *vm) noexcept:
    """Called by compiled code ahead of a safepoint, while its frame says which jump has ticked: a profile wants to know."""
    if k_sampled != NULL:
        sample_compiled(vm, NULL, 0, 0)

cdef int hot_tick(VM *vm) noexcept:
    """The safepoint of compiled code, whose frame is up to date: 0, 1 when it must be left, -1 raised."""
    if slice_ends(vm) < 0:
        return HOT_RAISED
    return 0 if hot_allowed(vm) else 1

# Loops that touch no objects let other threads run: from their first safepoint on they go on without the interpreter lock, and
# look at what ends a run by themselves. Whoever leaves such a loop takes the lock first.

cdef enum:
    HOT_AWAY = 50_000_000       # nanoseconds after which the lock is taken for a whole safepoint: for signals, and what others ask

cdef extern from "Python.h":
    void *hot_save_thread "PyEval_SaveThread" () noexcept
    void hot_restore_thread "PyEval_RestoreThread" (void *) noexcept

cdef inline bint hot_may_roam(VM *vm) noexcept:
    """Whether nothing asks for a whole safepoint. It is called without the lock, and counts no references."""
    cdef PyObject *m = vm.meter
    if k_alarm or k_sampled != NULL or vm.sample_rest or (vm.heap != NULL and vm.heap.pressed):
        return 0
    if m == NULL:
        return hooks.take_turn == NULL
    return not ((<Meter>m).cancelled or (<Meter>m).stopped or (<Meter>m).instructions or (<Meter>m).takes_turns)

cdef void hot_take(VM *vm) noexcept:
    """Takes the lock again, if compiled code runs without it."""
    cdef void *away = vm.hot_away
    if away != NULL:
        vm.hot_away = NULL
        hot_restore_thread(away)

cdef int hot_tick_free(VM *vm, Frame *f, const Instr *after, const Instr *ip) noexcept:
    """As hot_sample and hot_tick, in a loop that touches no objects: 0 with or without the lock, else with it."""
    cdef int status
    if vm.hot_away != NULL and hot_may_roam(vm) and k_now() < vm.hot_until:
        vm.ticks += SLICE
        vm.slice = SLICE
        return 0
    hot_take(vm)
    f.ip = after
    hot_sample(vm)
    f.ip = ip
    status = hot_tick(vm)
    if not status and hot_may_roam(vm):
        vm.hot_until = k_now() + HOT_AWAY
        vm.hot_away = hot_save_thread()
    return status

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

cdef double hot_square(double x) noexcept:
    return k_square(x)

cdef int hot_float_mod(double a, double b, double *out) noexcept:
    return k_float_mod(a, b, out)

cdef int hot_float_floordiv(double a, double b, double *out) noexcept:
    return k_float_floordiv(a, b, out)

cdef Value *hot_cell(Frame *f, uint32_t i, bint free) noexcept:
    """Where the value of the frame's variable lies that it shares: of its function's closure, or the cell in a register."""
    if free:
        return &(<Cell>PyTuple_GET_ITEM(<PyObject *>(<Function>f.func).closure, i)).value
    return &(<Cell>f.regs[i].u.o).value

# Plain functions: those whose registers hold numbers only, all the time. Compiled, they call each other without frames. When
# one cannot go on, each on the way out writes what its frame would be to vm.hot_spill, innermost first, and hot_deopt makes
# the frames of that. A record: tag and payload of each register, then HOT_HEADER words: function, where it goes on, registers,
# register for the value of the call that is under way in it, and first register of that call's window.

cdef enum:
    HOT_HEADER = 5
    HOT_SPILL = (HOT_PLAIN_DEPTH + 2) * (2 * HOT_PLAIN_REGISTERS + HOT_HEADER)

cdef PyObject *hot_global(Frame *f, uint32_t c) noexcept:
    """The global or builtin of the site, borrowed, when its cache holds; else NULL, and the interpreter is to look."""
    cdef CacheSite *site = &(<Code>f.code).caches[c]
    if site.kind == C_GLOBAL:
        if k_dict_version(f.globals) == site.version:
            return k_dict_value_at(f.globals, site.index)
    elif site.kind == C_BUILTIN:
        if k_dict_version(f.globals) == site.version and k_dict_version(f.builtins) == site.version2:
            return k_dict_value_at(f.builtins, site.index)
    return NULL

cdef int64_t hot_room(VM *vm) noexcept:
    """How deep plain functions may call each other from here, so that all their frames have room. 0: not at all."""
    cdef int64_t room = vm.frames_end - vm.frame - 2
    cdef int64_t other = (vm.stack_end - 128 - vm.frame.top) / HOT_PLAIN_REGISTERS - 1
    if other < room:
        room = other
    other = (k_stack_here() - vm.floor) / HOT_PLAIN_STACK
    if other < room:
        room = other
    if room > HOT_PLAIN_DEPTH:
        room = HOT_PLAIN_DEPTH
    if vm.hot_spill == NULL:
        vm.hot_spill = <uint64_t *>calloc(HOT_SPILL, sizeof(uint64_t))
        if vm.hot_spill == NULL:
            return 0
    vm.hot_spilled = vm.hot_spill
    return room if room > 0 else 0

cdef bint hot_holds(PyObject *func, const int64_t *names) noexcept:
    """Whether the names that the plain function uses mean what they meant. names: how many; of each its site, and the address of
    what it must be, or 0 for the function itself."""
    cdef Frame there
    cdef PyObject *wanted
    cdef int64_t i
    there.code = <PyObject *>(<Function>func).code
    there.globals = <PyObject *>(<Function>func).globals
    there.builtins = <PyObject *>(<Function>func).builtins
    for i in range(names[0]):
        wanted = <PyObject *>names[2 + 2 * i]
        if hot_global(&there, <uint32_t>names[1 + 2 * i]) != (func if wanted == NULL else wanted):
            return 0
    return 1

cdef int64_t hot_begin(VM *vm, Frame *f, const int64_t *names) noexcept:
    """Before the plain function of a frame is entered: the room, and the tick that it begins with is given back. 0: refused."""
    cdef int64_t room
    if f.flags != 0 or not hot_holds(f.func, names):
        return 0
    room = hot_room(vm)
    if room:
        vm.slice += 1
    return room

cdef PyObject *hot_callee(VM *vm, PyObject *o, const Instr *instrs, const int64_t *names, int64_t *room) noexcept:
    """The object, borrowed, when it is a function of the plain code and may be called now; else NULL."""
    if o == NULL or Py_TYPE(o) != FunctionType or (<Function>o).code.instrs != instrs or not hot_holds(o, names):
        return NULL
    room[0] = hot_room(vm)
    return o if room[0] else NULL

cdef int hot_return(VM *vm, Frame *f, uint64_t tag, int64_t payload) noexcept:
    """Ends the frame of a plain function with a number. A HotResult.

    OWNER RULE: as RETURN; the frame's registers own nothing.
    """
    cdef PyObject *func = f.func
    cdef PyObject *ns = f.ns
    cdef Value *slot
    cdef Value old
    vm.frame = f - 1
    slot = &vm.frame.regs[f.ret]
    old = slot[0]
    slot.tag = tag
    slot.u.i = payload
    Py_DECREF(func)
    Py_XDECREF(ns)
    value_release(&old)
    return HOT_RETURNED

cdef int hot_deopt(VM *vm, Frame *f, int own, uint32_t ret, uint32_t window) noexcept:
    """Makes frames of what plain functions have left at vm.hot_spilled, above f; with own the outermost is that of f itself.
    Then the safepoint, if one of them had come to its tick. ret, window: of the call that f has made. A HotResult.

    OWNER RULE: records borrow; the frames own.
    """
    cdef uint64_t *at = vm.hot_spilled
    cdef uint64_t *values
    cdef Value *regs
    cdef PyObject *func
    cdef PyObject *code
    cdef uint64_t n, i
    while at != vm.hot_spill:
        at -= HOT_HEADER
        func = <PyObject *>at[0]
        n = at[2]
        values = at - 2 * n
        code = <PyObject *>(<Function>func).code
        if own:
            regs = f.regs
        else:
            regs = f.top if f.flags & F_GENERATOR else f.regs + window
            f += 1
            f.regs = regs
            f.top = regs + n
            if f.top > vm.watermark and grow_stack(vm, f.top) < 0:
                PyErr_Clear()           # hot_room has seen that there is room
            f.code = code
            f.func = func
            Py_INCREF(func)
            f.globals = <PyObject *>(<Function>func).globals
            f.builtins = <PyObject *>(<Function>func).builtins
            f.ns = NULL
            f.gen = NULL
            f.flags = 0
            f.ret = <uint16_t>ret
            vm.frame = f
        own = 0
        for i in range(n):
            regs[i].tag = values[2 * i]
            regs[i].u.i = <int64_t>values[2 * i + 1]
            if regs[i].tag & T_OWNED:
                Py_INCREF(regs[i].u.o)
        f.ip = <const Instr *>at[1]
        ret = <uint32_t>at[3]
        window = <uint32_t>at[4]
        at = values
    vm.hot_spilled = vm.hot_spill
    if vm.hot_due != NULL:
        vm.hot_ticked = 1
        if slice_ends(vm) < 0:
            f.ip = <const Instr *>vm.hot_due
            vm.hot_due = NULL
            return HOT_RAISED
        vm.hot_due = NULL
    return HOT_LEFT
