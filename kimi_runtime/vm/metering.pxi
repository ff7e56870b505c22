# Limits of a run: what it has used up is looked at at safepoints, and a run that is stopped stays stopped.
#
# A stop is raised as an exception of a class of its own (`vm/stopping.py`) that takes its way through native code like
# any other. The unwinder gives it to no handler, and nothing of the guest is entered any more while the meter says
# stopped: not by a native function that has swallowed the exception, not by a finalizer, not by a callback.

cdef enum StopKind:
    STOP_NONE = 0
    STOP_SECONDS = 1
    STOP_CPU_SECONDS = 2
    STOP_INSTRUCTIONS = 3
    STOP_CANCELLED = 4
    STOP_OUTPUT = 5
    STOP_HOST_CALLS = 6
    STOP_HOST_SECONDS = 7
    STOP_RESULT_SIZE = 8
    STOP_HOST = 9        # code of the host has raised what is not for the guest: Meter.host_error
    STOP_MEMORY = 10

cdef enum:
    CPU_CLOCK_EVERY = 16     # safepoints between two looks at the clock of processor time, which is a system call
    FIRST_TICKS = 32
    NATIVE_TICKS = 25        # an item of a native iterator counts as so many ticks: what consumes it may be slow

cdef int64_t TELL_AGAIN = 20_000_000     # nanoseconds
cdef int64_t DESCRIBING = 50_000_000     # for the text of an exception when the run is over its time
cdef int64_t INT64_MAX = 0x7fffffffffffffff
cdef double UNATTENDED_SECONDS = 0.1     # for a finalizer of a guest's object outside its run
# And for all of them in ten seconds: each may leave an object behind whose finalizer is the next.
cdef int64_t UNATTENDED_SHARE = 5_000_000_000, UNATTENDED_WINDOW = 10_000_000_000
cdef int64_t unattended_since = 0, unattended_used = 0      # the beginning of the ten, and what was used in them

cdef extern from "watch.h":
    int64_t k_now() noexcept nogil
    int64_t k_cpu_now() noexcept nogil
    ctypedef struct KWatch:
        int64_t due
        KWatch *next
    KWatch *k_watches
    int k_alarm
    void k_watch_due(KWatch *w, int64_t due) noexcept
    void k_watch_add(KWatch *w, int32_t *slice) noexcept

cdef extern from "importing.h":
    bint k_host_imports(void *bottom) noexcept

cdef extern from "stack.h":
    char *k_thread_stack_floor() noexcept
    char *k_stack_here() noexcept
    void k_forget_pages(char *start, char *end) noexcept
    void k_forget_stack() noexcept


@cython.final
@cython.auto_pickle(False)
cdef class Meter:
    """What one run may use and whether it was stopped.

    Args:
        seconds, cpu_seconds: of wall time and of the processor time of its threads together; 0 for no limit.
        instructions: bytecode instructions, 0 for no limit; looked at every 2000 jumps and calls or sooner, see ticks_until.
        recursion: nested guest calls, 0 for the core's default.
        memory: bytes that the run may hold, 0 for no limit.
        heap: a heap that it shares with earlier runs, or None.
        host_calls: calls of functions and objects of the host, 0 for no limit.
        host_seconds: wall time that these may take together, 0 for no limit.
        result_size: bytes of a value that goes to the host, 0 for no limit.
    """
    cdef int64_t seconds, cpu_seconds       # in nanoseconds
    cdef uint64_t instructions
    cdef int recursion
    cdef int64_t deadline                   # on the monotonic clock; 0 for none
    cdef int64_t cpu_limit, cpu_used        # of processor time, of all threads of the run together; limit 0 for none
    cdef PyObject *outer                    # the meter that counted before, borrowed; or NULL
    cdef uint64_t outer_counted             # what VM.counted was then
    cdef uint64_t used                      # instructions, of all threads of the run
    cdef volatile int cancelled             # set by any thread: the StopKind
    cdef KWatch *watch                      # of the VM for which it counts, or NULL
    cdef int stopped                        # a StopKind
    cdef int skipped                        # safepoints since the last look at the clock of processor time
    cdef int threads                        # of the guest, beside the one that it began in
    cdef bint unattended                    # of a finalizer outside its run
    cdef int64_t begun                      # then when it began
    cdef Frame *outer_bottom                # then what VM.bottom and VM.bottom_builtins were before
    cdef PyObject *outer_builtins
    cdef PyObject *outer_hot                # VM.hot before
    cdef int64_t hot_since                  # clock when the first of its runs with the hot tier began, or 0
    cdef object builtins                    # and VM.bottom_builtins
    cdef object variables                   # an empty context: what context variables another run or the host has set is its own
    cdef uint64_t host_calls, host_calls_made
    cdef int64_t host_time, host_time_spent     # in nanoseconds
    cdef Py_ssize_t result_size             # bytes
    cdef public object stop_text            # what the error says when the limit is not one of the run's Limits, or None
    cdef public object host_error           # exception of the host that ended the run, or None
    cdef public object guest                # context of the guest whose run it is, or None
    cdef public bint takes_turns            # the guest has begun threads, which wait for its safepoints
    cdef public dict host_times             # function of the host with a time limit -> seconds spent in it, or None
    cdef public dict host_counts            # the same for the number of calls
    cdef _PyErr_StackItem handled           # what the guest handles; what the host does is no affair of it
    cdef _PyErr_StackItem *host_handled
    cdef size_t memory
    cdef Heap kept                          # the heap of a session, or None
    cdef KHeap *heap                        # of its own, while the run is under way; or NULL
    cdef KHeap *outer_heap                  # what VM.heap was before, and the thread's current one
    cdef KHeap *outer_slot
    cdef size_t stack_bytes                 # of registers and frames that are charged to the heap
    cdef size_t peak_bytes, live_bytes      # of the run, once it is over
    cdef size_t earlier_peak                # in a heap that it had before
    cdef readonly bint refused              # a request for memory was refused
    cdef readonly bint uncaught             # and the guest has not caught the error
    cdef readonly bint process_full         # because the process had no memory
    cdef int outer_mode                     # without a heap: the thread's mode before the run, see memory/modes.h
    cdef bint has_mode

    def __cinit__(self, double seconds=0, double cpu_seconds=0, uint64_t instructions=0, int recursion=0, size_t memory=0,
                  Heap heap=None, uint64_t host_calls=0, double host_seconds=0, Py_ssize_t result_size=0):
        self.memory = memory
        self.kept = heap
        self.result_size = result_size
        self.host_calls = host_calls
        self.host_time = <int64_t>(host_seconds * 1e9)
        self.seconds = <int64_t>(seconds * 1e9)
        self.cpu_seconds = <int64_t>(cpu_seconds * 1e9)
        self.instructions = instructions
        self.recursion = recursion

    @property
    def stopped(self):
        """The name of the limit that stopped the run, or None."""
        return STOP_NAMES[self.stopped]

    cdef int again(self) except -1:
        """Gets ready for another run with the same limits, once one that was not stopped is over."""
        self.deadline = self.cpu_limit = self.cpu_used = 0
        self.used = self.outer_counted = 0
        self.cancelled = self.skipped = 0
        self.takes_turns = False
        self.host_calls_made = 0
        self.host_time_spent = 0
        self.host_times = self.host_counts = None
        self.peak_bytes = self.live_bytes = 0
        return 0

    def cancel(self):
        """Stops the run at its next safepoint. May be called from any thread."""
        self.cancelled = STOP_CANCELLED
        if self.watch != NULL:
            k_watch_due(self.watch, 1)

    def take_memory(self, str text):
        """Stops the run at its next safepoint, from any thread, because the process has no memory for it; `text` says why."""
        self.stop_text = text
        self.cancelled = STOP_MEMORY
        if self.watch != NULL:
            k_watch_due(self.watch, 1)

    @property
    def host_code_seconds(self):
        """For how long code of the host has been running for the guest; 0.0 while its own code runs, or none."""
        cdef int64_t since
        if self.watch == NULL:
            return 0.0
        since = vm_of(self.watch).host_since
        return (k_now() - since) / 1e9 if since else 0.0

    def pause(self):
        """The run, which is under way, will go on later in another call: what it has used so far counts then."""
        cdef VM *vm = <VM *>k_get_vm()
        if self.seconds:
            self.seconds = max(self.deadline - k_now(), 1)
        if self.cpu_seconds:
            settle_cpu(vm, <PyObject *>self)
            self.cpu_seconds = max(self.cpu_limit - self.cpu_used, 1)
        self.used += vm.instructions - vm.counted
        vm.counted = vm.instructions

    def time_to_wait(self, bint host):
        """Seconds that a suspended run may still wait, for the host or as its own time; None for no limit."""
        cdef int64_t limit = self.host_time - self.host_time_spent if host else self.seconds
        if not (self.host_time if host else self.seconds):
            return None
        return max(limit, 0) / 1e9

    def waited(self, bint host, double seconds):
        """The suspended run has waited so long: for the host, or it was time of its own."""
        cdef int64_t taken = <int64_t>(seconds * 1e9)
        if host:
            self.host_time_spent += taken
            if self.host_time and self.host_time_spent > self.host_time and not self.stopped:
                self.stopped = STOP_HOST_SECONDS        # raised at the next safepoint
        elif self.seconds:
            self.seconds = max(self.seconds - taken, 1)

    @property
    def peak_memory(self):
        """The most bytes that the run held at a time."""
        return max(self.earlier_peak, self.peak_bytes if self.heap == NULL else self.heap.peak - self.heap.base)

    @property
    def live_memory(self):
        """The bytes that the run holds, or held when it ended."""
        if self.heap == NULL:
            return self.live_bytes
        return max(k_heap_bytes(self.heap), self.heap.base) - self.heap.base

    def seconds_left(self):
        """Wall seconds until the deadline, at least 0; None when there is none."""
        cdef int64_t left
        if not self.deadline:
            return None
        left = self.deadline - k_now()
        return left / 1e9 if left > 0 else 0.0


cdef inline VM *vm_of(KWatch *watch) noexcept:
    return <VM *>(<char *>watch - <size_t>&(<VM *>NULL).watch)


def runs_under_way():
    """The meters of all runs with limits that are under way in the process, the innermost of each thread."""
    cdef KWatch *watch = k_watches
    cdef PyObject *m
    found = []
    while watch != NULL:
        m = vm_of(watch).meter
        if m != NULL:
            found.append(<Meter>m)
        watch = watch.next
    return found


STOP_NAMES = (None, "seconds", "cpu_seconds", "instructions", "cancelled", "output", "host_calls", "host_seconds", "result_size",
              "host", "memory")


cdef int raise_stop(PyObject *meter) noexcept:
    """Sets the exception of a stopped run, and has its next effect or jump look; always -1."""
    hurry()
    try:
        raise Stopped(STOP_NAMES[(<Meter>meter).stopped])
    except BaseException as error:
        restore_object(error)
    return -1

cdef inline bint is_stopped(VM *vm) noexcept:
    return vm.meter != NULL and (<Meter>vm.meter).stopped != 0

cdef inline void settle_cpu(VM *vm, PyObject *m) noexcept:
    """Adds what this thread has used since it was last asked: each thread has a clock of its own."""
    cdef int64_t now
    if (<Meter>m).cpu_limit:
        now = k_cpu_now()
        (<Meter>m).cpu_used += now - vm.cpu_from
        vm.cpu_from = now

cdef void set_due(VM *vm, PyObject *m) noexcept:
    """Says when the watching thread shall end the slice for this meter: processor time takes at least as long on the wall."""
    cdef int64_t due = (<Meter>m).deadline
    cdef int64_t other
    if (<Meter>m).cpu_limit:
        settle_cpu(vm, m)
        other = k_now() + (<Meter>m).cpu_limit - (<Meter>m).cpu_used
        if not due or other < due:
            due = other
    if (<Meter>m).cancelled:
        due = 1
    k_watch_due(&vm.watch, due)

cdef int32_t ticks_until(VM *vm, uint64_t done, uint64_t left) noexcept:
    """How many ticks can go by unseen where so many instructions are left.

    A tick may be one instruction or, in a long body without jumps and calls, thousands: it goes by how many those of the last slice
    took, which has done so many; by half of what is left; and grows by steps and not to more than is good for a tick of 8192, for what
    comes next may have longer bodies.
    """
    cdef uint64_t most = min(2 * <uint64_t>vm.passed + 8, FIRST_TICKS + (left >> 13))
    vm.pace -= vm.pace >> 2
    done = done / (<uint64_t>vm.passed + 1) + 1
    if vm.pace < done:
        vm.pace = done
    left = left / (2 * vm.pace)
    if left > most:
        left = most
    return <int32_t>left if left < SLICE else SLICE

cdef void begin_ticks(VM *vm, PyObject *m) noexcept:
    """The first slice of a run with a limit of instructions."""
    if not (<Meter>m).instructions:
        return
    vm.given = FIRST_TICKS
    if (<Meter>m).instructions < 16 * FIRST_TICKS:
        vm.given = <int32_t>((<Meter>m).instructions // 16)
    vm.pace = 0
    vm.native_seen = vm.native_ticks
    vm.ticks += vm.given - vm.slice
    vm.slice = vm.given
    vm.sample_rest = vm.slice_rest = 0
    hot_divide(vm)

cdef int check_meter(VM *vm) noexcept:
    """At a safepoint: -1 with the stop's exception set when the run has used up what it may."""
    cdef PyObject *m = vm.meter
    cdef int kind = (<Meter>m).stopped
    cdef uint64_t done
    if kind == STOP_NONE:
        if (<Meter>m).cancelled:
            kind = (<Meter>m).cancelled
        elif (<Meter>m).deadline and k_now() > (<Meter>m).deadline:
            kind = STOP_SECONDS
        elif (<Meter>m).instructions:
            done = vm.instructions - vm.counted
            (<Meter>m).used += done
            vm.counted = vm.instructions
            if (<Meter>m).used > (<Meter>m).instructions:
                kind = STOP_INSTRUCTIONS
            elif vm.passed >= 0:        # else there was no tick that has asked
                vm.given = ticks_until(vm, done, (<Meter>m).instructions - (<Meter>m).used)
                vm.ticks -= SLICE - vm.given
                vm.slice = vm.given
                vm.passed = -1
        if kind == STOP_NONE and (<Meter>m).cpu_limit:
            (<Meter>m).skipped += 1
            if (<Meter>m).skipped >= CPU_CLOCK_EVERY or vm.watch.due <= k_now():
                (<Meter>m).skipped = 0
                settle_cpu(vm, m)
                if (<Meter>m).cpu_used > (<Meter>m).cpu_limit:
                    kind = STOP_CPU_SECONDS
                elif vm.watch.due <= k_now():
                    set_due(vm, m)          # the thread has slept meanwhile
        if kind == STOP_NONE and memory_asks(vm):
            kind = look_at_memory(vm)
        if kind == STOP_NONE:
            return 0
        (<Meter>m).stopped = kind
    # The next tick comes back here, should native code swallow the exception.
    vm.ticks -= SLICE
    vm.slice = 0
    return raise_stop(m)

cdef bint hook_stopped() noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    return vm != NULL and is_stopped(vm)

cdef bint hook_running() noexcept:
    return k_get_vm() != NULL

cdef PyObject *hook_metered_guest() noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    return NULL if vm == NULL or vm.meter == NULL else <PyObject *>(<Meter>vm.meter).guest

cdef _PyErr_StackItem *hide_handled(_PyErr_StackItem *item) noexcept:
    """From here to show_handled, which gets the result, no exception of before is being handled in this thread."""
    cdef PyThreadState *ts = PyThreadState_Get()
    cdef _PyErr_StackItem *before = ts.exc_info
    item.exc_value = NULL
    item.previous_item = NULL
    ts.exc_info = item
    return before

cdef void show_handled(_PyErr_StackItem *before, _PyErr_StackItem *item) noexcept:
    cdef PyObject *left = item.exc_value
    PyThreadState_Get().exc_info = before
    item.exc_value = NULL
    Py_XDECREF(left)

cdef int begin_meter(VM *vm, PyObject *m) except -1:
    """From here on the meter (borrowed) counts; pair with end_meter. It ends by the earlier of its deadline and the outer one's."""
    cdef PyObject *outer = vm.meter
    cdef int64_t left
    (<Meter>m).outer_hot = vm.hot
    if (<Meter>m).guest is not None and (<RunContext?>(<Meter>m).guest).hot is not None:
        vm.hot = <PyObject *>(<HotPolicy?>(<RunContext>(<Meter>m).guest).hot)
        vm.hot_young = 0
        if (<HotPolicy>vm.hot).window:
            if not (<Meter>m).hot_since:
                (<Meter>m).hot_since = k_now()
            vm.hot_young = (<Meter>m).hot_since + (<HotPolicy>vm.hot).window
    hot_divide(vm)
    begin_memory(vm, m)
    (<Meter>m).host_handled = hide_handled(&(<Meter>m).handled)
    if (<Meter>m).seconds:
        (<Meter>m).deadline = k_now() + (<Meter>m).seconds
    (<Meter>m).cpu_limit = (<Meter>m).cpu_seconds
    (<Meter>m).cpu_used = 0
    if outer != NULL:
        if (<Meter>outer).deadline and (not (<Meter>m).deadline or (<Meter>outer).deadline < (<Meter>m).deadline):
            (<Meter>m).deadline = (<Meter>outer).deadline
        if (<Meter>outer).cpu_limit:
            if not vm.host_since:
                settle_cpu(vm, outer)
            left = max((<Meter>outer).cpu_limit - (<Meter>outer).cpu_used, 1)
            if not (<Meter>m).cpu_limit or left < (<Meter>m).cpu_limit:
                (<Meter>m).cpu_limit = left
    if (<Meter>m).cpu_limit:
        vm.cpu_from = k_cpu_now()
    (<Meter>m).outer = outer
    (<Meter>m).outer_counted = vm.counted
    vm.counted = vm.instructions
    vm.meter = m
    (<Meter>m).watch = &vm.watch
    set_due(vm, m)
    hooks.metered_runs += 1
    return 0

cdef void end_meter(VM *vm, PyObject *m) noexcept:
    (<Meter>m).watch = NULL
    vm.hot = (<Meter>m).outer_hot
    hot_divide(vm)
    # A run that was stopped in a handler has left what it handled, for the next guest and the host to see.
    show_handled((<Meter>m).host_handled, &(<Meter>m).handled)
    if (<Meter>m).cpu_limit:
        if not vm.host_since:
            settle_cpu(vm, m)
        if (<Meter>m).outer != NULL:
            (<Meter>(<Meter>m).outer).cpu_used += (<Meter>m).cpu_used
    end_memory(vm, m)
    vm.meter = (<Meter>m).outer
    vm.counted = (<Meter>m).outer_counted       # what was used is used up of the outer one too
    if vm.meter != NULL:
        set_due(vm, vm.meter)
        if is_stopped(vm):
            hurry()
    else:
        k_watch_due(&vm.watch, 0)
    hooks.metered_runs -= 1

cdef extern from *:
    """
    static void k_enter_context(PyObject *context) { if (PyContext_Enter(context) < 0) PyErr_Clear(); }
    static void k_leave_context(PyObject *context) { if (PyContext_Exit(context) < 0) PyErr_Clear(); }
    #if PY_VERSION_HEX >= 0x030D0000
    #define k_process_ends Py_IsFinalizing
    #else
    #define k_process_ends _Py_IsFinalizing
    #endif
    """
    object PyContext_New()
    void k_enter_context(PyObject *context) noexcept
    void k_leave_context(PyObject *context) noexcept
    bint k_process_ends() noexcept

cdef int hook_begin_unattended(bint foreign, PyObject *builtins) noexcept:
    global unattended_since, unattended_used
    cdef VM *vm = <VM *>k_get_vm()
    cdef PyObject *raw
    cdef int64_t now
    if vm != NULL:
        if is_stopped(vm):
            return -1
        if not foreign:
            return 0
    if k_process_ends():
        return -1           # the modules that guest code needs are gone
    now = k_now()
    if now - unattended_since > UNATTENDED_WINDOW:
        unattended_since = now
        unattended_used = 0
    elif unattended_used > UNATTENDED_SHARE:
        return -1
    vm = vm_enter()
    if vm == NULL:
        Py_XDECREF(k_take_raised())
        return -1
    try:
        meter = <Meter>Meter(seconds=UNATTENDED_SECONDS, memory=UNATTENDED_MEMORY if heaps_installed() else 0)
        meter.unattended = 1
        meter.begun = now
        meter.builtins = nobodys_builtins() if builtins == NULL or is_of_library(builtins) else <object>builtins
        raw = <PyObject *>meter
        meter.variables = PyContext_New()
        begin_meter(vm, raw)
    except BaseException:       # no memory; or the process ends
        vm_leave(vm)
        return -1
    Py_INCREF(raw)
    k_enter_context(<PyObject *>(<Meter>raw).variables)
    (<Meter>raw).outer_bottom = vm.bottom
    (<Meter>raw).outer_builtins = vm.bottom_builtins
    vm.bottom = vm.frame
    vm.bottom_builtins = <PyObject *>(<Meter>raw).builtins
    return 1

cdef void hook_end_unattended(int begun) noexcept:
    global unattended_used
    cdef VM *vm
    cdef PyObject *meter
    if begun <= 0:
        return
    vm = <VM *>k_get_vm()
    meter = vm.meter
    vm.bottom = (<Meter>meter).outer_bottom
    vm.bottom_builtins = (<Meter>meter).outer_builtins
    end_meter(vm, meter)
    unattended_used += k_now() - (<Meter>meter).begun
    vm_leave(vm)
    k_leave_context(<PyObject *>(<Meter>meter).variables)
    Py_DECREF(meter)

cdef int hook_tick() noexcept:
    """An item of a native iterator was taken: 0, or -1 with an exception set when the run is to stop."""
    cdef VM *vm = <VM *>k_get_vm()
    if vm == NULL or vm.meter == NULL or vm.host_frames[vm.native] != k_host_frame():
        return 0                # no run, or Python code of the host is at work for it
    vm.instructions += 1
    vm.slice -= NATIVE_TICKS
    vm.native_ticks += NATIVE_TICKS
    # Later than at a jump: only there does the loop add the instructions that it has executed, and a loop over native
    # items could have all its slices end here.
    if vm.slice < -SLICE:
        return refill(vm)
    return 0

cdef int hook_work(int units) noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    if vm == NULL:
        return PyErr_CheckSignals()
    vm.instructions += units
    return refill(vm)


cdef int end_description(VM *vm, int64_t now, bint endless) noexcept:
    """hook_interrupted while the host writes about what the guest has raised: that takes time of the run's, too."""
    cdef PyObject *m = vm.meter
    cdef bint cancelled = (<Meter>m).cancelled and not (<Meter>m).stopped
    if not cancelled and (now < vm.describing or (now < vm.told_again and not endless)):
        return 0
    if k_host_imports(vm.host_frames[vm.native]):
        return 0            # the next one who asks after that is told
    vm.told_again = now + TELL_AGAIN
    if not (<Meter>m).stopped:
        (<Meter>m).stopped = (<Meter>m).cancelled if cancelled else STOP_SECONDS
    return raise_stop(m)


def describe_counted(function, *args):
    """Calls a function of the host that makes a text of what a guest raised, which the guest can make endless.

    It ends with the run's time: at most 50 milliseconds after it began when the run is stopped already. Raises what the function
    raises, and the stop's exception.
    """
    cdef PyObject *error = NULL
    cdef VM *vm = <VM *>k_get_vm()
    if vm == NULL or vm.meter == NULL or vm.describing:
        return function(*args)
    if is_stopped(vm):
        vm.describing = k_now() + DESCRIBING
        k_watch_due(&vm.watch, vm.describing)
    else:
        vm.describing = (<Meter>vm.meter).deadline or INT64_MAX
    result = outcome_of(function, args, &error)
    vm.describing = 0
    set_due(vm, vm.meter)
    raise_again(error)
    return result


cdef int hook_interrupted(bint endless) noexcept:
    """For native code that has seen the alarm: 0, or -1 with an exception set when the run of this thread is to stop.

    endless: what asks may go on for ever. Others are told again only after a while, so that what the unwinder itself
    needs of them does not fail.
    """
    cdef VM *vm = <VM *>k_get_vm()
    cdef int64_t now
    if vm == NULL or vm.meter == NULL or not vm.watch.due:
        return 0
    now = k_now()
    if vm.describing:
        return end_description(vm, now, endless)
    if now < vm.watch.due or vm.host_frames[vm.native] != k_host_frame():
        return 0
    if (<Meter>vm.meter).stopped and not endless:
        if now < vm.told_again:
            return 0
    vm.told_again = now + TELL_AGAIN
    return check_meter(vm)


cdef inline int look_at_alarm() noexcept:
    """Before an operation of natives: each may take its milliseconds, and a program of many in a row, or in the callers of
    calls that end, has no jump and no call between them. A load. 0, or -1 with the stop's exception set."""
    return hook_interrupted(False) if k_alarm else 0


cdef int ask_alarm(bint endless) except -1:
    """For the compiler: as hook_interrupted."""
    if hook_interrupted(endless) < 0:
        raise_set()
    return 0


def stop_running(str limit not None):
    """Stops the run of this thread for a limit that is counted elsewhere; raises the stop's exception."""
    cdef VM *vm = <VM *>k_get_vm()
    if vm == NULL or vm.meter == NULL:
        raise RuntimeError("no run with limits is under way in this thread")
    if not is_stopped(vm):
        (<Meter>vm.meter).stopped = STOP_NAMES.index(limit)
    raise_stop(vm.meter)
    raise_set()


def call_sharing(meter, function, tuple args, dict kwargs):
    """Calls a function in a thread of a run: what it uses counts for the meter of that run, or for none."""
    cdef VM *vm = vm_enter()
    if vm == NULL:
        raise_set()
    if meter is not None:
        vm.meter = <PyObject *>(<Meter?>meter)
        (<Meter>meter).threads += 1
        if (<Meter>meter).cpu_limit:
            vm.cpu_from = k_cpu_now()
        set_due(vm, vm.meter)
        hooks.metered_runs += 1
        if (<Meter>meter).heap != NULL:
            use_heap(vm, (<Meter>meter).heap)
            vm.heap.extra += THREAD_BYTES
        if (<Meter>meter).recursion:
            set_frame_limit(vm, (<Meter>meter).recursion)
        begin_ticks(vm, vm.meter)
    try:
        return function(*args, **kwargs)
    finally:
        if meter is not None:
            settle_cpu(vm, vm.meter)
            vm.meter = NULL
            (<Meter>meter).threads -= 1
            k_watch_due(&vm.watch, 0)
            hooks.metered_runs -= 1
            if vm.heap != NULL:
                vm.heap.extra -= THREAD_BYTES
                use_heap(vm, NULL)
        vm_leave(vm)


cdef extern from "Python.h":
    int PyGC_Disable() noexcept
    int PyGC_Enable() noexcept

cdef int suspended_meters = 0       # of all threads
cdef bint collects = 0              # whether the collector was on before the first of them


def collect_in_child():
    """After a fork: the threads whose meters were suspended are gone."""
    global suspended_meters
    if suspended_meters:
        suspended_meters = 0
        if collects:
            PyGC_Enable()


register_at_fork(after_in_child=collect_in_child)


def suspend_meter():
    """Stops counting for the run of this thread, for work that is the process's own. The result goes to resume_meter.

    The garbage collector waits until then: finalizers of the guest's that it ran would count for nobody.
    """
    global suspended_meters, collects
    cdef VM *vm = <VM *>k_get_vm()
    cdef size_t heap, slot
    if vm == NULL or vm.meter == NULL:
        return None
    meter = <Meter>vm.meter
    settle_cpu(vm, vm.meter)
    if not suspended_meters:
        collects = PyGC_Disable()
    suspended_meters += 1
    vm.meter = NULL
    k_watch_due(&vm.watch, 0)
    heap = <size_t>vm.heap
    slot = <size_t>vm.heap_slot[0]
    use_heap(vm, NULL)
    return meter, k_now(), vm.instructions, heap, slot


def resume_meter(suspended):
    """Counts on; what was used since suspend_meter is given back."""
    global suspended_meters
    cdef VM *vm = <VM *>k_get_vm()
    cdef Meter meter
    if suspended is None:
        return
    meter = suspended[0]
    if meter.deadline:
        meter.deadline += k_now() - <int64_t>suspended[1]
    if meter.cpu_limit:
        vm.cpu_from = k_cpu_now()
    vm.counted += vm.instructions - <uint64_t>suspended[2]
    vm.meter = <PyObject *>meter
    set_due(vm, vm.meter)
    vm.heap = <KHeap *><size_t>suspended[3]
    vm.heap_slot[0] = <KHeap *><size_t>suspended[4]
    if suspended_meters:
        suspended_meters -= 1
        if not suspended_meters and collects:
            PyGC_Enable()


def host_module(str name not None):
    """A module of the host that code which works for a guest needs now.

    It stays for the process: what loading it takes is nothing of the run's, and the end of the run does not break it off.
    """
    suspended = suspend_meter()
    try:
        return import_host(name)
    finally:
        resume_meter(suspended)


def settle_meter():
    """Before and after another thread of the run has its turn: what this one has used counts, and when it is due is known."""
    cdef VM *vm = <VM *>k_get_vm()
    if vm != NULL and vm.meter != NULL and (<Meter>vm.meter).cpu_limit:
        set_due(vm, vm.meter)


def check_limits():
    """A safepoint in a native function that waits: raises the stop's exception when the run is to stop."""
    cdef VM *vm = <VM *>k_get_vm()
    if vm != NULL and refill(vm) < 0:
        raise_set()


def running_meter():
    """The meter of the run that is under way in this thread, or None."""
    cdef VM *vm = <VM *>k_get_vm()
    return None if vm == NULL or vm.meter == NULL else <Meter>vm.meter


cdef object outcome_of(function, tuple args, PyObject **error):
    """What a function returns, or None and what it raises (a new reference), which is for `raise_again`: for work after the call during
    which its exception is not the one that is being handled, as it would be in a `finally`. It takes no memory of its own: where none
    is left, that work must be done too."""
    error[0] = NULL
    try:
        return function(*args)
    except BaseException as raised:
        Py_INCREF(<PyObject *>raised)
        error[0] = <PyObject *>raised
        return None


cdef object outcome_of_end(function, context, given, raised, PyObject **error):
    """The same with three arguments."""
    error[0] = NULL
    try:
        return function(context, given, raised)
    except BaseException as failure:
        Py_INCREF(<PyObject *>failure)
        error[0] = <PyObject *>failure
        return None


cdef int raise_again(PyObject *error) except -1:
    """Lets an exception go on as it is (steals the reference), if there is one."""
    if error != NULL:
        k_restore_raised(error)
        raise_set()
    return 0


def call_metered(Meter meter not None, function, *args):
    """Calls a function of the host; all guest code that runs in it counts for the meter.

    Returns what the function returns, raises what it raises. A call within the call of another meter ends by the earlier
    of the two deadlines.
    """
    cdef PyObject *error = NULL
    cdef VM *vm = vm_enter()
    cdef int limit
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
    result = outcome_of(function, args, &error)
    end_meter(vm, <PyObject *>meter)
    if meter.recursion:
        set_frame_limit(vm, limit)
    vm_leave(vm)
    raise_again(error)
    # A guard of a slot that says stop where native code expects no errors leaves its exception behind.
    if PyErr_Occurred() != NULL:
        Py_XDECREF(k_take_raised())
    return result


def call_hidden(function, *args):
    """Calls a function in which the exception that the host handles at this moment is not to be seen."""
    cdef PyObject *error = NULL
    cdef _PyErr_StackItem item
    cdef _PyErr_StackItem *before = hide_handled(&item)
    result = outcome_of(function, args, &error)
    show_handled(before, &item)
    raise_again(error)
    return result
