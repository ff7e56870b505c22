cdef extern from "heap_types.h":
    ctypedef struct KPage
    ctypedef struct KHeap:
        size_t live
        size_t page_bytes
        size_t extra
        size_t base
        size_t limit
        size_t most
        size_t collect_at
        size_t peak
        size_t left
        int over
        int refusal
        int pressed
        int full
        int collecting
        KPage *pages
        KHeap *next_free
    enum:
        K_SCATTERED
        K_GRANTED
        K_REFUSED
        K_CAUGHT
        K_STOP
    size_t k_heap_bytes(const KHeap *h) noexcept nogil
    size_t k_heap_held(const KHeap *h) noexcept nogil

# Where this thread's current heap is noted: what is allocated comes from it, or from the host's allocator when it is NULL.
cdef KHeap **heap_slot() noexcept
# From here to `return_to_heap`, which gets the result, this thread allocates from the host: for what stays for the process, and
# would keep pages of the guest's memory for itself.
cdef KHeap *leave_heap() noexcept
cdef void return_to_heap(KHeap *h) noexcept
# Whether an object is in memory of a guest.
cdef bint is_guest_block(void *block) noexcept
# Puts the heaps in front of CPython's allocators, once: 0, or -1 with MemoryError. safepoint: lets the run of the calling
# thread come to a safepoint soon.
cdef int install_heaps(void (*safepoint)() noexcept) except -1
# Whether that was done.
cdef bint heaps_installed() noexcept
# A heap for a run that may have so many bytes; 0: no limit. NULL with MemoryError set.
cdef KHeap *begin_heap(size_t limit) except NULL
# The run is over. What is still in use lives on, and counts for nobody.
cdef void end_heap(KHeap *h) noexcept
# The run was stopped: what is said of it may take so many bytes more.
cdef void give_grace(KHeap *h, size_t bytes) noexcept
# What to call before a heap that has grown leaves pages behind: frees what is kept for later in blocks that may be the heap's.
cdef void before_leaving_pages(void (*drop)() noexcept) noexcept
# Bytes that all heaps together hold.
cdef size_t committed() noexcept
# Bytes that lie free in pages which runs that are over have left because something in them is in use.
cdef size_t orphaned_gaps() noexcept
# Bytes that runs which are over have left, and that somebody still holds: the host, or nobody but cycles of garbage.
cdef size_t orphaned() noexcept
# A request that something else refuses for the heap: the guest may catch the error, and not go on to the next.
cdef void refuse(KHeap *h) noexcept
# A MemoryError that is raised for such a request was caught by the guest.
cdef inline void caught(KHeap *h) noexcept:
    if h.refusal == K_REFUSED:
        h.refusal = K_CAUGHT

# What this thread takes blocks from outside of heaps: 0 follows the process. See modes.h.
cdef int *thread_mode() noexcept
# What the run that begins takes them from: the same numbers.
cdef int mode_of_run() noexcept

cdef class Heap:
    cdef KHeap *heap

    cdef KHeap *begin_run(self, size_t limit) except NULL
