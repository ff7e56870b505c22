# What asks the cache for code once for each run of a session has no Python call in between.
cimport cython

from kimi_runtime.cache.frequency cimport FrequencySketch


@cython.final
cdef class Entry:
    cdef object key
    cdef readonly object code
    cdef readonly Py_ssize_t weight
    cdef readonly long hits
    cdef readonly double expires        # on the cache's clock; infinite without a TTL
    cdef object segment                 # the LRUCache that holds it; None when it was evicted


@cython.final
cdef class CodeCache:
    cdef readonly Py_ssize_t max_entries, max_weight
    cdef readonly object ttl, on_evict
    cdef object weigh, clock, lock
    cdef object make_event, make_segment    # threading.Event and LRUCache
    cdef dict entries                   # key -> Entry
    cdef dict pending                   # key -> event that is set when another thread has compiled it
    cdef list recent                    # entries that were hit since the last update
    cdef Entry latest                   # the one of them that came last
    cdef object window, probation, protected
    cdef Py_ssize_t window_entries, window_weight, protected_entries, protected_weight
    cdef FrequencySketch frequency
    cdef long hits, misses, hot_hits, waits, evictions, expired, rejected
    cdef list evicted                   # (key, code, why) still to be told

    cdef int start(self) except -1
    # The entry of a key, which counts as asked for; or None.
    cdef Entry entry_of(self, key)
    # The same entry is asked for once more: whether it is still there.
    cdef bint again(self, Entry entry) except -1
    cdef bint count(self, Entry entry) except -1
    cdef int insert(self, segment, Entry entry) except -1
    cdef int move(self, Entry entry, segment) except -1
    cdef int remove(self, Entry entry, why) except -1
    cdef int update(self) except -1
    cdef int make_room(self) except -1
    cdef bint too_much(self) except -1
    cdef bint compete(self, Entry candidate) except -1
    cdef int drop(self, Entry entry) except -1
    cdef int tell(self) except -1
