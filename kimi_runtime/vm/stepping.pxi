# Runs that are looked at instruction by instruction: which lines and branches were taken, and what a tracer tells.
#
# The loop comes to SAMPLE before each instruction then (see sampling.h), in all threads, so everything is several times slower.

cdef struct Covered:            # of one code object
    PyObject *code              # owned
    uint8_t *seen               # a byte for each instruction: SEEN_...

cdef enum:
    SEEN = 1
    SEEN_NEXT = 2               # a jump that was not taken
    SEEN_JUMP = 4               # ... and one that was


@cython.final
@cython.auto_pickle(False)
cdef class Stepper:
    """Sees each instruction that the guest code of one thread executes: see `call_stepped`.

    Args:
        line: called with (code, line, names and values, depth) before each new line, or None.
        call: called with (code, line, names and values, depth) when a function begins, or None.
        leave: called with (code, line, value or None, whether it returned, depth) when one ends, or None.
    """
    cdef VM *vm
    cdef Covered *covered
    cdef uint32_t size, count
    cdef PyObject *last_code            # borrowed: it is in the table
    cdef uint8_t *last_seen
    cdef Frame *last_frame
    cdef const Instr *last
    cdef int64_t last_depth
    cdef int32_t last_line
    cdef object line, call, leave
    cdef readonly object error          # what one of the functions has raised: they are called no more then
    cdef bint telling
    cdef list pending                   # code of the frames that there were
    cdef Stepper outer

    def __init__(self, line=None, call=None, leave=None):
        self.line, self.call, self.leave = line, call, leave
        self.pending = []
        self.last_line = -1

    def __dealloc__(self):
        cdef uint32_t i
        for i in range(self.size):
            Py_XDECREF(self.covered[i].code)
            free(self.covered[i].seen)
        free(self.covered)

    cdef int tell(self, VM *vm, Frame *f, const Instr *ins, int32_t line, bint entered, bint new_line, bint returns,
                  int64_t depth) except -1:
        cdef PyObject *raw
        cdef list pending = self.pending
        while len(pending) > depth or (pending and len(pending) == depth and pending[depth - 1] is not <object>f.code):
            code = pending.pop()            # it ended by an exception, or was a generator that stopped
            if self.leave is not None and code is not None:
                self.leave(code, 0, None, False, len(pending) + 1)
        if len(pending) < depth:
            while len(pending) < depth - 1:
                pending.append(None)
            pending.append(<object>f.code)
            entered = True
        names = None
        if (entered and self.call is not None) or (new_line and self.line is not None):
            raw = locals_of(f)
            if raw == NULL:
                raise_set()
            names = <object>raw
            Py_DECREF(raw)
        if entered and self.call is not None:
            self.call(<object>f.code, line, names, depth)
        if new_line and self.line is not None:
            self.line(<object>f.code, line, names, depth)
        if returns:
            pending.pop()
            value = None
            if ins.op == OP_RETURN:
                raw = value_object(&f.regs[ins.a])
                if raw == NULL:
                    raise_set()
                value = <object>raw
                Py_DECREF(raw)
            if self.leave is not None:
                self.leave(<object>f.code, line, value, True, depth)
        return 0

    def coverage(self):
        """``{code: [(executed, went on, jumped)]}``, a row for each instruction; the last two are for those that can jump."""
        cdef uint32_t i, k
        cdef dict found = {}
        cdef Code code
        for i in range(self.size):
            if self.covered[i].code != NULL:
                code = <Code>self.covered[i].code
                found[code] = [(bool(self.covered[i].seen[k] & SEEN), bool(self.covered[i].seen[k] & SEEN_NEXT),
                                bool(self.covered[i].seen[k] & SEEN_JUMP)) for k in range(code.ninstrs)]
        return found


cdef uint8_t *seen_of(Stepper p, PyObject *code) noexcept:
    """The bytes of a code object; NULL when there is no memory."""
    cdef uint32_t i, at, size
    cdef Covered *grown
    if p.count * 2 >= p.size:
        size = p.size * 2 if p.size else 128
        grown = <Covered *>calloc(size, sizeof(Covered))
        if grown == NULL:
            return NULL
        for i in range(p.size):
            if p.covered[i].code != NULL:
                at = <uint32_t>(<size_t>p.covered[i].code >> 4) & (size - 1)
                while grown[at].code != NULL:
                    at = (at + 1) & (size - 1)
                grown[at] = p.covered[i]
        free(p.covered)
        p.covered = grown
        p.size = size
    at = <uint32_t>(<size_t>code >> 4) & (p.size - 1)
    while p.covered[at].code != NULL:
        if p.covered[at].code == code:
            return p.covered[at].seen
        at = (at + 1) & (p.size - 1)
    p.covered[at].seen = <uint8_t *>calloc((<Code>code).ninstrs + 1, 1)
    if p.covered[at].seen == NULL:
        return NULL
    p.covered[at].code = code
    Py_INCREF(code)
    p.count += 1
    return p.covered[at].seen

cdef Stepper current_stepper = None      # the innermost one

cdef void step_instruction(VM *vm, const Instr *ins) noexcept:
    cdef Stepper p = current_stepper
    cdef Frame *f = vm.frame
    cdef int64_t pc, last, target
    cdef const Instr *before
    cdef uint8_t *seen
    while p is not None and p.vm != vm:
        p = p.outer
    if p is None or p.telling:
        return
    before = p.last
    seen = p.last_seen
    if f.code != p.last_code:
        seen = seen_of(p, f.code)
        if seen == NULL:
            return
    pc = ins - (<Code>f.code).instrs
    if f == p.last_frame and f.code == p.last_code:
        # A jump is told from what follows it; one that leaves the function is told by nothing.
        last = p.last - (<Code>f.code).instrs
        target = jump_of(p.last, last)
        if target >= 0:
            if pc == target:
                seen[last] |= SEEN_JUMP
            elif pc == last + 1:
                seen[last] |= SEEN_NEXT
    seen[pc] |= SEEN
    p.last_code = f.code
    p.last_seen = seen
    p.last = ins
    if (p.line is not None or p.call is not None or p.leave is not None) and p.error is None:
        tell_step(p, vm, f, ins, pc, before)
    p.last_frame = f

cdef void tell_step(Stepper p, VM *vm, Frame *f, const Instr *ins, int64_t pc, const Instr *last) noexcept:
    """Calls the functions of the host for what has happened since the instruction before."""
    cdef int64_t depth = f - vm.frames
    cdef int32_t line = (<Code>f.code).positions[pc].line
    cdef bint entered = depth > p.last_depth
    cdef bint new_line = line > 0 and (line != p.last_line or f != p.last_frame or ins <= last)
    cdef bint returns = ins.op == OP_RETURN or ins.op == OP_RETURN_NONE
    cdef KHeap *heap
    cdef const Instr *before
    cdef PyObject *raised
    if not entered and not new_line and not returns and depth >= p.last_depth:
        return
    heap = vm.heap_slot[0]
    before = f.ip
    f.ip = ins + 1
    vm.heap_slot[0] = NULL
    p.telling = 1
    raised = k_take_raised()
    try:
        p.tell(vm, f, ins, line, entered, new_line, returns, depth)
    except BaseException as error:
        p.error = error
    if raised != NULL:
        k_restore_raised(raised)
    p.telling = 0
    vm.heap_slot[0] = heap
    f.ip = before
    p.last_depth = depth - 1 if returns else depth
    p.last_line = line


def call_stepped(Stepper stepper not None, function, *args):
    """Calls a function; the stepper sees each instruction of the guest code that runs in it, in this thread.

    Returns what the function returns, raises what it raises.
    """
    cdef PyObject *error = NULL
    global k_stepping, current_stepper
    cdef VM *vm
    find_tables()
    if not k_can_sample():
        raise RuntimeError("this build of kimi_runtime cannot trace: it was compiled without computed jumps")
    vm = vm_enter()
    if vm == NULL:
        raise_set()
    stepper.vm = vm
    stepper.last_depth = vm.frame - vm.frames
    stepper.outer, current_stepper = current_stepper, stepper
    k_stepping += 1
    k_arm()
    result = outcome_of(function, args, &error)
    k_stepping -= 1
    if not k_stepping:
        k_disarm()
    remove_stepper(stepper)
    stepper.vm = NULL
    vm_leave(vm)
    raise_again(error)
    return result

cdef int remove_stepper(Stepper stepper) except -1:
    global current_stepper
    cdef Stepper each = current_stepper
    if each is stepper:
        current_stepper = stepper.outer
        return 0
    while each is not None and each.outer is not stepper:
        each = each.outer
    if each is not None:
        each.outer = stepper.outer
    return 0
