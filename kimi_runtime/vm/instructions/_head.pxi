
cdef PyObject *run(VM *vm, bint failed) noexcept:
    """Runs vm.frame, which has F_ENTRY set, to its end.

    failed: an exception is set already (thrown into a generator). Returns a new reference to the value returned or (then
    vm.yielded is set) yielded; NULL with an exception set.
    """
    cdef PyThreadState *ts = <PyThreadState *>vm.thread
    cdef Frame *f
    cdef Value *R
    cdef const Instr *ip = NULL
    cdef const Instr *ins
    cdef const Instr *look
    cdef const Value *K
    cdef CacheSite *caches
    cdef CacheSite *site
    cdef uint32_t ft
    cdef uint32_t op
    cdef int64_t skew = 0       # bytes that ip moved by jumps: the rest of its way is the instructions executed
    cdef int64_t i, j
    cdef double d
    cdef int status
    cdef Value v, w         # never passed to a function that is not inlined: so they can live in machine registers
    cdef Value e, e2        # those that are
    cdef PyObject *o
    cdef PyObject *p
    cdef Value *slot
    K_TABLE()
    while True:
        if failed:
            if not unwind(vm, ts):
                vm.instructions += <uint64_t>(<int64_t>ip - skew) >> 3
                return NULL
        RELOAD
        failed = 1              # whoever leaves the inner loop by `break` has an exception set
        while True:
            ins = ip
            ip += 1
            op = ins.op
