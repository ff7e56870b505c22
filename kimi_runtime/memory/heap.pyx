# cython: binding=False
"""Heaps of guests for the core and for hosts; what they are is said in ``heap.h``."""
cimport cython
from libc.stdint cimport uint64_t

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
    void (*k_drop_kept)() noexcept
    void k_drain_free_lists() noexcept
    size_t k_resident() noexcept
    bint k_is_guest(const void *p) noexcept
    void k_trim_all(size_t keep) noexcept
    ctypedef struct KRange:
        size_t size
        size_t page_dirty, span_dirty, page_committed, span_committed, allowed, blank, small_top, medium_top, unit_top
    KRange k_range
    KHeap k_orphans
    KHeap *k_warm
    ctypedef struct KPage:
        void *free
        unsigned short used, carved
        unsigned int size
        KPage *next
    char *k_page_start(const KPage *page) noexcept
    int K_SMALL_SHIFT, K_MEDIUM_SHIFT, K_UNIT_SHIFT
    enum:
        K_JEMALLOC
        K_MIMALLOC
        K_MODES
    size_t k_ceiling, k_margin
    size_t k_committed() noexcept
    int k_thread_mode, k_process_mode, k_next_mode, k_percent
    int k_mode_of_run() noexcept
    int k_je_open() noexcept
    uint64_t *k_made
    uint64_t *k_given_back
    KHeap k_host_heap
    ctypedef struct KMi:
        void *malloc "malloc"
        void *calloc "calloc"
        void *realloc "realloc"
        void *free "free"
        void *usable
        void *owns
    KMi k_mi
    ctypedef struct KJe:
        void *mallocx
        void *rallocx
        void *dallocx
        void *sallocx
        void *mallctl
        unsigned arena
        size_t size
        size_t used
    KJe k_je


cdef KHeap **heap_slot() noexcept:
    return &k_heap


cdef KHeap *leave_heap() noexcept:
    global k_heap
    cdef KHeap *h = k_heap
    if h != NULL:
        k_drain_free_lists()
    k_heap = NULL
    return h


cdef void return_to_heap(KHeap *h) noexcept:
    global k_heap
    k_heap = h


cdef int *thread_mode() noexcept:
    return &k_thread_mode


cdef int mode_of_run() noexcept:
    return k_mode_of_run()


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


cdef size_t orphaned() noexcept:
    return k_heap_bytes(&k_orphans)


cdef size_t orphaned_gaps() noexcept:
    return k_orphans.page_bytes - k_orphans.live


cdef size_t committed() noexcept:
    return k_committed()


cdef void before_leaving_pages(void (*drop)() noexcept) noexcept:
    global k_drop_kept
    k_drop_kept = drop


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


cdef list _blocks_in_use(KPage *page):
    cdef list found = []
    cdef set free = set()
    cdef char *start
    cdef void *p
    while page != NULL:
        start = k_page_start(page)
        free.clear()
        p = page.free
        while p != NULL:
            free.add(<size_t>p)
            p = (<void **>p)[0]
        found.append((<size_t>start, page.size, [at for at in range(<size_t>start, <size_t>start + page.carved * page.size, page.size) if at not in free]))
        page = page.next
    return found


def pages_left():
    """What runs that are over have left in memory: for each page its address, the size of its blocks, and the addresses of those in
    use. For tools that look for who keeps them."""
    cdef KHeap *h = k_warm
    cdef list found = _blocks_in_use(k_orphans.pages)
    while h != NULL:
        found += _blocks_in_use(h.pages)
        h = h.next_free
    return found


def held():
    """What guests hold of the system, in bytes: what counts for the ceiling, and what of that is in memory as far as is known."""
    cdef size_t committed = k_committed()
    return committed, committed - k_range.blank + k_range.page_dirty + k_range.span_dirty


def set_ceiling(bytes, size_t margin=0):
    """Guests that take more when so many bytes are committed ask the one who watches the memory of the process, at their next
    safepoint, and are refused what would go beyond that by more than the margin. None for no ceiling."""
    global k_ceiling, k_margin
    k_margin = margin
    k_ceiling = <size_t>-1 if bytes is None else <size_t>bytes


# ---- modes: see modes.h; `kimi_runtime.allocator` is what hosts use --------------------------------------------------
def set_thread_mode(int mode):
    """What this thread takes blocks from outside of heaps; 0: as the process. Returns what it was."""
    global k_thread_mode
    cdef int before = k_thread_mode
    k_thread_mode = mode
    return before


def set_process_mode(int mode, int following, int percent):
    """What threads take blocks from that have no mode, and what a share of the runs takes them from instead."""
    global k_process_mode, k_next_mode, k_percent
    k_process_mode = mode
    k_next_mode = following
    k_percent = percent


def modes():
    """The modes of the thread, of the process, and what runs are moved to, with the percentage."""
    return k_thread_mode, k_process_mode, k_next_mode, k_percent


def mode_figures():
    """By number of the mode: blocks made outside of heaps, and blocks that came back to jemalloc and mimalloc."""
    return [(k_made[i], k_given_back[i]) for i in range(K_MODES)]


def host_heap():
    """Bytes in use, and held, of the heap of threads in mode "guest"."""
    return k_heap_bytes(&k_host_heap), k_heap_held(&k_host_heap)


def use_mimalloc(size_t malloc, size_t calloc, size_t realloc, size_t free, size_t usable, size_t owns):
    """Takes the addresses of mimalloc's functions."""
    k_mi.malloc, k_mi.calloc, k_mi.realloc = <void *>malloc, <void *>calloc, <void *>realloc
    k_mi.free, k_mi.usable, k_mi.owns = <void *>free, <void *>usable, <void *>owns


def use_jemalloc(size_t mallocx, size_t rallocx, size_t dallocx, size_t sallocx, size_t mallctl):
    """Takes the addresses of jemalloc's functions and makes an arena: 0; 1 no addresses, 2 it refuses."""
    if not k_je.size:
        k_je.mallocx, k_je.rallocx, k_je.dallocx = <void *>mallocx, <void *>rallocx, <void *>dallocx
        k_je.sallocx, k_je.mallctl = <void *>sallocx, <void *>mallctl
    return k_je_open()


def jemalloc_arena():
    """The number of that arena, and the bytes of its range that were ever used; None without one."""
    return (k_je.arena, k_je.used) if k_je.size else None


def install():
    """Puts the heaps and the modes in front of CPython's allocators, once."""
    if k_install() < 0:
        raise MemoryError("no addresses for a guest's memory: the process has a limit on them")
