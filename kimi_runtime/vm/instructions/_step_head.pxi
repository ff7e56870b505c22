
cdef int step_once(VM *vm, PyThreadState *ts, Frame *f, const Instr *ins) noexcept:
    """Executes one instruction of the innermost frame: the loop's own bodies. vm.frame.ip is where it goes on.

    OWNER RULE: as the loop's. Returns a StepResult; STEP_RAISED with an exception set, which is not unwound yet.
    """
    cdef Value *R = f.regs
    cdef const Instr *ip = ins + 1
    cdef const Instr *look
    cdef const Value *K = (<Code>f.code).consts
    cdef CacheSite *caches = (<Code>f.code).caches
    cdef CacheSite *site
    cdef uint32_t ft = (<Code>f.code).first_temp
    cdef uint32_t op = ins.op
    cdef int64_t i, j
    cdef double d
    cdef int status
    cdef Value v, w, e, e2
    cdef PyObject *o
    cdef PyObject *p
    cdef Value *slot
    while True:
