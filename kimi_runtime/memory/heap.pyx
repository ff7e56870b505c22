# cython: binding=False
"""Heaps of guests for the core and for hosts; what they are is said in ``heap.h``."""
cimport cython

cdef extern from "heap.h":
    KHeap *k_heap
    void (*k_call_safepoint)() noexcept
    int k_install() noexcept
    int k_installed
    KHeap *k_heap_begin(size_t limit) noexcept
    void k_heap_limit(KHeap *h, size_t limit) noexcept
    void k_heap_end(KHeap *h) noexcept
    void k_heap_grace(KHeap *h, size_t bytes) noexcept
    void k_refuse(KHeap *h) noexcept
    size_t k_resident() noexcept
    bint k_is_guest(const void *p) noexcept
    void k_trim_all(size_t keep) noexcept
    ctypedef struct KRange:
        size_t size
        size_t page_dirty, span_dirty, page_committed, span_committed, allowed, small_top, medium_top, unit_top
    KRange k_range
    KHeap k_orphans
    int K_SMALL_SHIFT, K_MEDIUM_SHIFT, K_UNIT_SHIFT


cdef KHeap **heap_slot() noexcept:
    return &k_heap


cdef KHeap *leave_heap() noexcept:
    global k_heap
    cdef KHeap *h = k_heap
    k_heap = NULL
    return h


cdef void return_to_heap(KHeap *h) noexcept:
    global k_heap
    k_heap = h


cdef bint is_guest_block(void *block) noexcept:
    return k_is_guest(block)


cdef int install_heaps(void (*safepoint)() noexcept) except -1:
    global k_call_safepoint
    k_call_safepoint = safepoint
    if k_install() < 0:
        raise MemoryError("no addresses for a guest's memory: the process has a limit on them")
    return 0


cdef bint heaps_installed() noexcept:
    return k_installed


cdef KHeap *begin_heap(size_t limit) except NULL:
    cdef KHeap *h = k_heap_begin(limit)
    if h == NULL:
        raise MemoryError
    return h


cdef void end_heap(KHeap *h) noexcept:
    k_heap_end(h)


cdef void give_grace(KHeap *h, size_t bytes) noexcept:
    k_heap_grace(h, bytes)


cdef void refuse(KHeap *h) noexcept:
    k_refuse(h)


@cython.final
@cython.auto_pickle(False)
cdef class Heap:
    """A heap that several runs share, one after the other: what a session keeps counts on."""

    def __dealloc__(self):
        if self.heap != NULL:
            k_heap_end(self.heap)

    cdef KHeap *begin_run(self, size_t limit) except NULL:
        if self.heap == NULL:
            self.heap = begin_heap(limit)
        else:
            k_heap_limit(self.heap, limit)
        return self.heap

    @property
    def live(self):
        """Bytes in use."""
        cdef size_t bytes
        if self.heap == NULL:
            return 0
        bytes = k_heap_bytes(self.heap)
        return bytes - self.heap.base if bytes > self.heap.base else 0

    @property
    def peak(self):
        """The most bytes that were in use at a time."""
        if self.heap == NULL:
            return 0
        return max(self.live, self.heap.peak - self.heap.base)


cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        Py_ssize_t tp_basicsize

cdef set _charged = set()


def charge_instances(kind, Py_ssize_t size):
    """Makes each new instance of a type so many bytes larger: as much as its C library takes for it by `malloc`, which no
    heap sees. Done once for a type."""
    if not isinstance(kind, type):
        raise TypeError("kind must be a type")
    if kind not in _charged:
        _charged.add(kind)
        (<PyTypeObject *><void *>kind).tp_basicsize += (size + 7) & ~7


def figures():
    """What the process holds for guests, in bytes: for tests and reports."""
    return {
        "committed": k_range.page_committed + k_range.span_committed,
        "pages": k_range.page_committed,        # for small blocks; the rest of "committed" is large ones
        "kept": k_range.page_dirty + k_range.span_dirty,
        "allowed": k_range.allowed,
        "addresses": k_range.size,
        "reached": (k_range.small_top << K_SMALL_SHIFT) + (k_range.medium_top << K_MEDIUM_SHIFT) + (k_range.unit_top << K_UNIT_SHIFT),
        "orphans": k_heap_bytes(&k_orphans),    # of ended runs, still in use
    }


def trim():
    """Gives memory that is kept for the next run back to the system."""
    k_trim_all(0)
