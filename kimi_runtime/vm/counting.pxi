# About how often each instruction is executed, for the profiler: a few are counted one by one now and then, in bursts.
#
# A burst covers so many ticks (rounds of loops, and calls; what items of native iterators are counted as is left out), and
# bursts come after so many ticks, give or take a half. So each tick of a program, with the instructions up to the next one, is as
# likely as any other to be seen, whatever the load of the machine and however long its instructions take. What a burst has seen
# stands for the ticks that are nearer to it than to the bursts before and after it. A burst begins at the very tick where it is
# due, by dividing the slice, and not where slices end: programs whose loops have so many rounds are in step with those.

cdef inline int32_t rest_of_slice(VM *vm) noexcept:
    return vm.slice + vm.slice_rest + vm.sample_rest

cdef inline int64_t way_of(VM *vm) noexcept:
    """Ticks of the thread so far, from some point on. `sample_base` has what slices that are over have brought, more or less."""
    return vm.sample_base - rest_of_slice(vm) - vm.native_ticks

cdef inline void walk(Sampler p, KSampled *s, VM *vm) noexcept:
    """What the thread has ticked since the last time belongs to the way of all of them."""
    cdef int64_t way = way_of(vm)
    if way > s.way:
        p.way += way - s.way
    s.way = way

cdef double weight_of_burst(Sampler p, int64_t until) noexcept:
    """How many executions one that the last burst has seen stands for, if it stands for the ticks until then."""
    return (until - p.burst_from) / <double>p.burst_ticks

cdef void settle_burst(Sampler p, int64_t until) noexcept:
    """What the last burst has seen goes into the counts."""
    cdef double weight = weight_of_burst(p, until)
    cdef Spot *spot
    while p.burst_spots:
        spot = &p.spots[p.burst_spots - 1]
        p.burst_spots = spot.next
        spot.count += spot.now * weight
        spot.lengths += spot.lengths_now * weight
        spot.now = 0
        spot.lengths_now = 0
    p.burst_from = until

cdef void plan_burst(VM *vm) noexcept:
    """Divides the slice where a burst is due, so that `refill` comes to begin_burst there."""
    cdef KSampled *s = k_sampled
    cdef Sampler p
    cdef int64_t part
    while s != NULL:
        if s.vm == vm:
            p = <Sampler>sampler_of(s)
            walk(p, s, vm)
            part = p.burst_due - p.way - 1
            if p.counts and part < vm.slice and vm.slice > 0 and not vm.sample_rest:
                if part < 0:        # other threads have gone by the point meanwhile
                    part = k_random(&p.core) % vm.slice
                vm.sample_rest = vm.slice - <int32_t>part
                vm.slice = <int32_t>part
        s = s.next

cdef bint begin_burst(VM *vm) noexcept:
    """Instead of a safepoint, where plan_burst has divided the slice, or before when native code had ticks of it. False: the
    slice is over all the same."""
    cdef KSampled *s = k_sampled
    cdef Sampler p
    cdef int64_t gap
    vm.slice += vm.sample_rest
    vm.sample_rest = 0
    while s != NULL:
        if s.vm == vm:
            p = <Sampler>sampler_of(s)
            walk(p, s, vm)
            if p.counts and p.way >= p.burst_due:
                if p.burst_at:
                    settle_burst(p, (p.burst_at + p.way) // 2)
                p.burst_at = p.way
                # Of code that has many instructions a tick fewer ticks, by what was seen before and not by what comes.
                p.burst_ticks = BURST
                if p.instructions_seen * BURST > p.ticks_seen * BURST_SIZE:
                    p.burst_ticks = p.ticks_seen * BURST_SIZE // p.instructions_seen
                    if p.burst_ticks < BURST_LEAST:
                        p.burst_ticks = BURST_LEAST
                p.ticks_seen += p.burst_ticks
                gap = p.way // BURST_GROWS
                if gap < p.burst_ticks * BURST_SOON:
                    gap = p.burst_ticks * BURST_SOON
                if gap > p.burst_ticks * BURST_EVERY:
                    gap = p.burst_ticks * BURST_EVERY
                p.burst_due = p.way + gap // 2 + k_random(&p.core) % gap
                p.burst_end = s.way + p.burst_ticks
                p.burst_vm = vm
                p.bursting = 1
                k_arm()
        s = s.next
    if vm.slice < 0:
        return 0
    plan_burst(vm)
    return 1

cdef void count_instruction(Sampler p, VM *vm, const Instr *ins) noexcept:
    cdef PyObject *code = vm.frame.code
    cdef SpotKept *kept = &p.spots_kept[(<size_t>ins >> 3) & (SPOTS_KEPT - 1)]
    cdef int64_t length
    cdef Spot *spot
    if kept.at != ins or kept.code != code:         # spots own their code, so that its address is no other's
        kept.number = spot_of(p, code, <uint32_t>(ins - (<Code>code).instrs))
        if kept.number < 0:
            kept.at = NULL
            return
        kept.at = ins
        kept.code = code
    spot = &p.spots[kept.number]
    if not spot.now:
        spot.next = p.burst_spots
        p.burst_spots = kept.number + 1
        spot.bursts += 1
    spot.now += 1
    spot.seen += 1
    p.instructions_seen += 1
    if ins.op == OP_LIST_APPEND or ins.op == OP_SET_ADD or ins.op == OP_MAP_ADD:
        length = length_of(&vm.frame.regs[ins.a])
        spot.lengths_now += length
        if length > spot.longest:
            spot.longest = length

cdef inline int64_t length_of(Value *v) noexcept:
    """Of a list, a set or a dictionary that a comprehension makes."""
    if v.tag != T_OBJ:
        return 0
    if Py_TYPE(v.u.o) == &PyList_Type:
        return PyList_GET_SIZE(v.u.o)
    if Py_TYPE(v.u.o) == &PySet_Type:
        return set_length(v.u.o)
    return PyDict_GET_SIZE(v.u.o) if Py_TYPE(v.u.o) == &PyDict_Type else 0
