# Calls of code of the host: counted, and what they take is no time of the guest.
#
# While code of the host runs for a guest, the guest's clock stands still. It goes on when that code calls back into a guest, of
# whatever run: so nobody's guest code runs for nothing. `host_level` says at which depth of entries the host's code runs.

cdef void begin_host_code(VM *vm) noexcept:
    """The host's code runs from here on."""
    if vm.meter != NULL:
        settle_cpu(vm, vm.meter)
    vm.host_since = k_now()
    vm.heap_slot[0] = NULL              # what the host makes is not the guest's
    k_watch_due(&vm.watch, 0)

cdef int64_t end_host_code(VM *vm) noexcept:
    """Guest code runs from here on. Returns the nanoseconds that the host's code took."""
    cdef PyObject *m = vm.meter
    cdef int64_t taken = k_now() - vm.host_since
    vm.host_since = 0
    vm.heap_slot[0] = vm.heap
    if m != NULL and (<Meter>m).cpu_limit:
        vm.cpu_from = k_cpu_now()
    while m != NULL:
        # With other threads of the guest at work the clock goes on: a call that waits must not buy them time.
        if (<Meter>m).threads == 0 and (<Meter>m).deadline:
            (<Meter>m).deadline += taken
        (<Meter>m).host_time_spent += taken
        m = (<Meter>m).outer
    if vm.meter != NULL:
        set_due(vm, vm.meter)
    return taken

cdef int stop_now(PyObject *m, int kind) noexcept:
    """The run stops: -1 with the exception of that."""
    if not (<Meter>m).stopped:
        (<Meter>m).stopped = kind
    return raise_stop(m)

cdef int hook_begin_host_call(int *outer) noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    cdef PyObject *m
    if hooks.unsent and hooks.flush_output() < 0:
        return -1
    if vm == NULL:
        PyErr_SetString(PyExc_RuntimeError, b"a function of the host was called when no run was under way")
        return -1
    m = vm.meter
    if m != NULL:
        if (<Meter>m).stopped:
            return raise_stop(m)
        if (<Meter>m).unattended:
            PyErr_SetString(PyExc_RuntimeError, b"a function of the host was called by a finalizer outside its run")
            return -1
        while m != NULL:
            (<Meter>m).host_calls_made += 1
            if (<Meter>m).host_calls and (<Meter>m).host_calls_made > (<Meter>m).host_calls:
                if m == vm.meter:
                    return stop_now(m, STOP_HOST_CALLS)
                (<Meter>m).stopped = STOP_HOST_CALLS            # an outer run: it stops when this one is over
            m = (<Meter>m).outer
    outer[0] = vm.host_level
    vm.host_level = vm.native
    begin_host_code(vm)
    return 0

cdef long long hook_end_host_call(int outer) noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    cdef PyObject *m = vm.meter
    cdef int64_t taken = end_host_code(vm)
    vm.host_level = outer
    if m != NULL and ((<Meter>m).stopped or (
            (<Meter>m).host_time and (<Meter>m).host_time_spent > (<Meter>m).host_time)):
        Py_XDECREF(k_take_raised())
        return stop_now(m, STOP_HOST_SECONDS)
    return taken

cdef int hook_begin_output(int *outer) noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    if vm == NULL or vm.native == vm.host_level:
        return 0
    if vm.meter == NULL:
        return 0
    if (<Meter>vm.meter).stopped or (<Meter>vm.meter).unattended:
        return -1
    if outer != NULL:
        outer[0] = vm.host_level
        vm.host_level = vm.native
        begin_host_code(vm)
    return 1

cdef void hook_end_output(int outer) noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    cdef PyObject *m = vm.meter
    end_host_code(vm)
    vm.host_level = outer
    if m != NULL and not (<Meter>m).stopped and (<Meter>m).host_time and (<Meter>m).host_time_spent > (<Meter>m).host_time:
        (<Meter>m).stopped = STOP_HOST_SECONDS      # raised at the next safepoint
        hurry()

cdef bint hook_in_host_code() noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    return vm != NULL and vm.native == vm.host_level

cdef Py_ssize_t hook_result_limit() noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    return 0 if vm == NULL or vm.meter == NULL else (<Meter>vm.meter).result_size

cdef int hook_check() noexcept:
    cdef VM *vm = <VM *>k_get_vm()
    return 0 if vm == NULL or vm.meter == NULL else check_meter(vm)


def stop_for_host(error):
    """Stops the run of this thread because code of the host raised an exception that is not for the guest; raises the
    stop's exception. Without a meter the exception itself goes on."""
    cdef VM *vm = <VM *>k_get_vm()
    if vm == NULL or vm.meter == NULL:
        raise error
    if not is_stopped(vm):
        (<Meter>vm.meter).host_error = error
    stop_now(vm.meter, STOP_HOST)
    raise_set()


def add_host_time(function, double seconds, double limit):
    """Counts the time that a function of the host has taken; stops the run when it is more than the limit in seconds."""
    cdef VM *vm = <VM *>k_get_vm()
    cdef Meter meter
    if vm == NULL or vm.meter == NULL:
        return
    meter = <Meter>vm.meter
    if meter.host_times is None:
        meter.host_times = {}
    meter.host_times[function] = seconds = meter.host_times.get(function, 0.0) + seconds
    if seconds > limit:
        if not meter.stopped:
            meter.stop_text = (f"the run has spent more than {limit:g} seconds in {function.__name__}() "
                               f"(host_function: timeout={limit:g})")
        stop_now(<PyObject *>meter, STOP_HOST_SECONDS)
        raise_set()


def count_host_call(function, uint64_t limit):
    """Counts a call of a function of the host that has a limit of its own; stops the run when it is one too many."""
    cdef VM *vm = <VM *>k_get_vm()
    cdef Meter meter
    if vm == NULL or vm.meter == NULL:
        return
    meter = <Meter>vm.meter
    if meter.host_counts is None:
        meter.host_counts = {}
    meter.host_counts[function] = count = meter.host_counts.get(function, 0) + 1
    if count > limit:
        if not meter.stopped:
            meter.stop_text = (f"the run has called {function.__name__}() more than {limit:,} times "
                               f"(host_function: max_calls={limit})")
        stop_now(<PyObject *>meter, STOP_HOST_CALLS)
        raise_set()


def in_host_call():
    """Whether code of the host calls this that itself was called by a guest."""
    return hook_in_host_code()
