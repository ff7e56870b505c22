# The heap of a run, and what happens when it holds more than it may. See memory/heap.h.
#
# Large requests that do not fit are refused when they are made: a MemoryError, which the guest may catch once. Small ones
# are granted for a while, and a safepoint stops the run if looking for garbage does not help.
from kimi_runtime.memory.heap cimport *

import encodings as _encodings
import gc as _gc

cdef object _collect = _gc.collect
cdef dict _asked_encodings = _encodings._cache      # in which the host's search function notes each name, known or not

cdef size_t UNATTENDED_MEMORY = 16 << 20     # for a finalizer of a guest's object outside its run
cdef size_t LAST_WORDS = 4 << 20             # for the description of a run that was stopped
cdef size_t THREAD_BYTES = 128 << 10         # what a thread of a guest takes that no allocator sees: its C stack, its registers

# What ended runs leave is mostly cycles of garbage: the namespace of a program with functions. The host's own collections are
# made by numbers of objects, and would let hundreds of such namespaces with megabytes each lie.
cdef size_t ORPHANS_LEFT = 8 << 20
cdef size_t orphans_most = ORPHANS_LEFT      # with more a collection takes place
# Names of encodings that guests have asked for are let go when there are more, as many as there are encodings and some.
cdef enum:
    MOST_ENCODINGS = 500
# Nor does it count what lies free in pages that one small block holds. CPython's own lists of free objects hold such blocks,
# and are emptied by a collection of everything.
cdef size_t GAPS_LEFT = 2 << 20
cdef size_t gaps_most = GAPS_LEFT
cdef bint collecting_orphans = False
# A collection of everything looks at all objects of the process, which takes most of a second where there are a million, and no
# event loop turns meanwhile. One that takes long is to be worth it: it takes place so seldom that it is a fiftieth of the time, unless much lies.
cdef int64_t LONG_COLLECTION = 2_000_000     # nanoseconds
cdef int64_t COLLECTION_SHARE = 50
cdef size_t MUCH_LEFT = 64 << 20
cdef int64_t full_took = 0, full_ended = 0

cdef inline size_t most_after(size_t bytes, size_t least) noexcept:
    """How much may lie before the next collection, where so much is left: a quarter more; or an eighth of what all guests hold, or
    the least, where that is more."""
    cdef size_t all = committed() >> 3
    if all < least:
        all = least
    return bytes + (bytes >> 2 if bytes >> 2 > all else all)

cdef inline void tidy() noexcept:
    """Between runs: collects garbage when those that are over have left much."""
    global orphans_most, gaps_most
    cdef size_t bytes = orphaned(), gaps = orphaned_gaps()
    if len(_asked_encodings) > MOST_ENCODINGS:
        _asked_encodings.clear()
    if bytes > orphans_most or gaps > gaps_most:
        collect_orphans()
    else:
        orphans_most = min(orphans_most, most_after(bytes, ORPHANS_LEFT))
        gaps_most = min(gaps_most, most_after(gaps, GAPS_LEFT))

cdef void collect_generation(int generation) noexcept:
    """The collector tells the host of what finalizers raise; it raises nothing itself but for want of memory."""
    cdef PyObject *done
    cdef object number = generation
    done = PyObject_CallOneArg(<PyObject *>_collect, <PyObject *>number)
    if done == NULL:
        Py_XDECREF(k_take_raised())
    else:
        Py_DECREF(done)

cdef bint is_worth_it() noexcept:
    """Whether a collection of everything may take place between two runs."""
    return full_took < LONG_COLLECTION or k_now() - full_ended > COLLECTION_SHARE * full_took \
        or orphaned() + orphaned_gaps() > MUCH_LEFT + (committed() >> 2)

cdef void collect_orphans() noexcept:
    global collecting_orphans, orphans_most, gaps_most, full_took, full_ended
    cdef KHeap **slot = heap_slot()
    cdef KHeap *heap = slot[0]
    if collecting_orphans or suspended_meters or not heaps_installed():
        return
    collecting_orphans = True
    slot[0] = NULL
    collect_generation(1)           # of a short run all is young: that takes a fraction of a millisecond
    if (orphaned() > orphans_most or orphaned_gaps() > gaps_most) and is_worth_it():
        full_took = k_now()
        collect_generation(2)
        full_ended = k_now()
        full_took = full_ended - full_took
    slot[0] = heap
    orphans_most = most_after(orphaned(), ORPHANS_LEFT)
    gaps_most = most_after(orphaned_gaps(), GAPS_LEFT)
    collecting_orphans = False

def tidy_up():
    """After a run, when the host has let its namespace go."""
    tidy()

cdef void hurry() noexcept:
    """The next jump or call of this thread's run comes to a safepoint."""
    cdef VM *vm = <VM *>k_get_vm()
    if vm != NULL:
        vm.given -= vm.slice_rest + vm.sample_rest
        vm.slice_rest = vm.sample_rest = 0
    if vm != NULL and vm.slice > 0:
        vm.ticks -= vm.slice
        vm.given -= vm.slice
        vm.slice = 0

cdef inline void use_heap(VM *vm, KHeap *heap) noexcept:
    vm.heap = heap
    vm.heap_slot[0] = heap

cdef int begin_memory(VM *vm, PyObject *m) except -1:
    """The run of the meter has a heap of its own from here on, if it has a limit of memory; else it shares what is there."""
    cdef size_t limit = (<Meter>m).memory
    cdef size_t left
    (<Meter>m).outer_heap = vm.heap
    (<Meter>m).outer_slot = vm.heap_slot[0]
    if not limit and (guard_asked is None or vm.heap != NULL) and ((<Meter>m).kept is None or thread_mode()[0]):
        (<Meter>m).outer_mode = thread_mode()[0]
        thread_mode()[0] = mode_of_run()
        (<Meter>m).has_mode = True
        return 0
    if limit and vm.heap != NULL and vm.heap.limit:
        # What a run inside a run holds, both hold.
        left = k_heap_bytes(vm.heap)
        left = vm.heap.most - left if vm.heap.most > left else 1
        if left < limit:
            limit = left
    install_heaps(hurry)
    tidy()
    use_heap(vm, begin_heap(limit) if (<Meter>m).kept is None else (<Heap>(<Meter>m).kept).begin_run(limit))
    (<Meter>m).heap = vm.heap
    return 0

cdef void end_memory(VM *vm, PyObject *m) noexcept:
    cdef KHeap *heap = (<Meter>m).heap
    cdef size_t bytes
    vm.heap = (<Meter>m).outer_heap
    vm.heap_slot[0] = (<Meter>m).outer_slot
    if heap == NULL:
        if (<Meter>m).has_mode:
            (<Meter>m).has_mode = False
            thread_mode()[0] = (<Meter>m).outer_mode
        return
    bytes = k_heap_bytes(heap)
    if bytes > heap.peak:
        heap.peak = bytes
    heap.extra -= (<Meter>m).stack_bytes
    bytes -= (<Meter>m).stack_bytes
    (<Meter>m).stack_bytes = 0
    (<Meter>m).peak_bytes = heap.peak - heap.base
    (<Meter>m).live_bytes = bytes - heap.base if bytes > heap.base else 0
    (<Meter>m).refused = heap.refusal != K_GRANTED
    (<Meter>m).uncaught = heap.refusal == K_REFUSED
    (<Meter>m).process_full = heap.full
    (<Meter>m).heap = NULL
    if (<Meter>m).kept is None:
        end_heap(heap)

cdef void charge_stack(VM *vm, Value *end) noexcept:
    """Registers up to `end`, and the frames that go with them, are memory of the run."""
    cdef PyObject *m = vm.meter
    cdef size_t bytes = <size_t>(end - vm.stack) * sizeof(Value) + <size_t>(vm.frame - vm.frames) * sizeof(Frame)
    if m == NULL or (<Meter>m).heap == NULL or (<Meter>m).heap != vm.heap or bytes < (<Meter>m).stack_bytes + (1 << 16):
        return
    vm.heap.extra += bytes - (<Meter>m).stack_bytes
    (<Meter>m).stack_bytes = bytes
    if k_heap_bytes(vm.heap) > vm.heap.collect_at:
        hurry()

def last_words(bint failed=False):
    """The run of this thread was stopped, and none of its code runs any more: there is memory again for what is said of it.

    failed: so it is though it was not stopped.
    """
    cdef VM *vm = <VM *>k_get_vm()
    cdef Meter meter
    if vm == NULL or vm.meter == NULL or vm.heap == NULL:
        return
    meter = <Meter>vm.meter
    if meter.heap == vm.heap and (meter.stopped or failed):
        vm.heap.extra -= meter.stack_bytes      # its frames are gone
        meter.stack_bytes = 0
        give_grace(vm.heap, LAST_WORDS)

PROCESS_FULL = "the process has no memory left for what the run asks for"
cdef object guard_asked = None       # what to call when a guest needs more of the process than it may go on with unasked

def ask_guard(function):
    """Who watches the memory of the process: runs without a limit get heaps too, so that it sees what they hold, and a run that
    would go beyond the ceiling (memory.heap.set_ceiling) calls the function at its next safepoint. None for nobody."""
    global guard_asked
    guard_asked = function

cdef int tell_guard(VM *vm) noexcept:
    """At a safepoint of a run that needs more memory of the process: -1 with an exception of the host's set."""
    cdef KHeap *heap = vm.heap_slot[0]
    cdef PyObject *done
    vm.heap.pressed = 0
    if guard_asked is None:
        return 0
    vm.heap_slot[0] = NULL
    function = guard_asked              # it may be closed meanwhile
    done = PyObject_CallOneArg(<PyObject *>function, vm.meter if vm.meter != NULL else Py_None)
    vm.heap_slot[0] = heap
    if done == NULL:
        return -1
    Py_DECREF(done)
    return 0

cdef void explain_memory(VM *vm) noexcept:
    """Before a run is stopped for its memory: when it was refused for the sake of the process, the error says so."""
    if vm.heap.full and (<Meter>vm.meter).stop_text is None:
        (<Meter>vm.meter).stop_text = PROCESS_FULL

cdef inline bint memory_asks(VM *vm) noexcept:
    return vm.heap != NULL and (vm.heap.over or k_heap_bytes(vm.heap) > vm.heap.collect_at)

cdef int look_at_memory(VM *vm) noexcept:
    """At a safepoint, when the heap asks for it: the StopKind."""
    cdef KHeap *heap = vm.heap
    cdef size_t bytes, left
    cdef KHeap *current
    heap.over = 0
    if heap.refusal == K_STOP:
        explain_memory(vm)
        return STOP_MEMORY
    if not heap.limit:
        return STOP_NONE
    bytes = k_heap_bytes(heap)
    if bytes <= heap.collect_at and k_heap_held(heap) <= heap.most + K_SCATTERED:
        return STOP_NONE
    if heap.collecting:
        # A finalizer that a collection runs.
        if bytes <= heap.most:
            return STOP_NONE
    elif heap.left + heap.limit / 32 <= heap.most and (
            not (<Meter>vm.meter).deadline or k_now() + <int64_t>bytes < (<Meter>vm.meter).deadline):      # a nanosecond a byte
        # Cyclic garbage is not in use. Each collection has to give room, so that looking for it costs no more than
        # filling it.
        heap.collecting = 1
        current = vm.heap_slot[0]
        vm.heap_slot[0] = NULL
        collect_generation(2)
        vm.heap_slot[0] = current
        heap.collecting = 0
        heap.over = 0
        bytes = k_heap_bytes(heap)
        heap.left = bytes
        left = (heap.most - bytes) / 2 if heap.most > bytes else 0
        if left < heap.limit / 32:
            left = heap.limit / 32
        heap.collect_at = bytes + left if bytes + left < heap.most else heap.most
    if bytes <= heap.most and k_heap_held(heap) <= heap.most + K_SCATTERED:
        return STOP_NONE
    heap.refusal = K_STOP
    return STOP_MEMORY

cdef int refused_again(VM *vm, PyObject **exc) noexcept:
    """In the unwinder: whether the exception (owned) comes of a request for memory that ends the run; then it is replaced
    by that of the stop."""
    if vm.heap.refusal != K_STOP or vm.meter == NULL:
        return 0
    if not is_stopped(vm):
        explain_memory(vm)
        (<Meter>vm.meter).stopped = STOP_MEMORY
    raise_stop(vm.meter)
    Py_DECREF(exc[0])
    exc[0] = k_take_raised()
    return 1

cdef int no_memory() noexcept:
    """MemoryError for something too large, counted as one refused: always -1."""
    cdef VM *vm = <VM *>k_get_vm()
    if vm != NULL and vm.heap != NULL:
        refuse(vm.heap)
    PyErr_NoMemory()
    return -1


def afford_bytes(double size):
    """Before a native takes so many bytes that no allocator of CPython sees, or all at once.

    MemoryError: the run may not have so much.
    """
    cdef VM *vm = <VM *>k_get_vm()
    if vm == NULL or vm.heap == NULL or not vm.heap.limit:
        return
    if k_heap_bytes(vm.heap) + size > <double>vm.heap.most:
        no_memory()
        raise_set()


def live_bytes():
    """What the run of this thread holds, in bytes; 0 when none has a limit of memory."""
    cdef VM *vm = <VM *>k_get_vm()
    cdef size_t bytes
    if vm == NULL or vm.heap == NULL:
        return 0
    bytes = k_heap_bytes(vm.heap)
    return bytes - vm.heap.base if bytes > vm.heap.base else 0
