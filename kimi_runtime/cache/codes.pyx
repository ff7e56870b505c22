# cython: binding=False, wraparound=True, boundscheck=True
"""The cache of compiled sources: a weighted LRU in segments, with admission by frequency.

New entries come into a small *window*; from there they compete for a place in *probation* against what would have to go,
by how often each was asked for lately; entries of probation that are asked for again move to the *protected* segment, the
hot zone, from which nothing is evicted but to probation.  So a scan of sources that never come again passes through the
window and leaves the rest alone (G. Einziger, R. Friedman, B. Manes: TinyLFU, ACM Transactions on Storage 13 (4), 2017;
segments: R. Karedla, J. S. Love, B. G. Wherry: Caching strategies to improve disk system performance, Computer 27 (3), 1994).

A hit is one look-up in a dictionary and one append: the order of the segments is brought up to date when the list of hits is
full, or when something is put in.
"""
cimport cython

from kimi_runtime.cache.frequency cimport FrequencySketch

from time import monotonic

cdef enum:
    HITS_KEPT = 256         # hits between two updates of the order
    ABANDONED = 4           # waits of 15 s for another thread that compiles the same source

cdef double INFINITY = float("inf")

WINDOW, PROBATION, PROTECTED = "window", "probation", "protected"


@cython.final
@cython.auto_pickle(False)
cdef class Entry:
    """A cached code object."""


def weight_of(Entry entry not None):
    return entry.weight


class CacheStats:
    """What a cache has done so far, and what it holds.

    Attributes:
        entries, weight: what it holds: code objects, and their bytes.
        hot_entries, hot_weight: of these the hot zone, which was asked for more than once and which scans cannot evict.
        hits, misses: requests that found their code, or not; a request that waited for another thread's compilation of
            the same source counts as a hit.
        hot_hits: hits in the hot zone.
        waits: hits that waited so.
        evictions, expired, rejected: entries that went for want of room, or by age, or were not taken in because what is there
            is asked for more often.
        disk_hits, disk_writes, disk_errors: of the level on disk.
    """

    __slots__ = ("entries", "weight", "hot_entries", "hot_weight", "hits", "misses", "hot_hits", "waits", "evictions", "expired",
                 "rejected", "disk_hits", "disk_writes", "disk_errors")

    def __init__(self, **values):
        for name in self.__slots__:
            setattr(self, name, values.get(name, 0))

    @property
    def hit_rate(self):
        """Share of the requests that were hits; 0.0 when there were none."""
        total = self.hits + self.misses
        return self.hits / total if total else 0.0

    def as_dict(self):
        """The figures by name, with ``hit_rate``."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "hit_rate": self.hit_rate}

    def __repr__(self):
        return f"CacheStats({', '.join(f'{name}={value!r}' for name, value in self.as_dict().items())})"


@cython.final
@cython.auto_pickle(False)
cdef class CodeCache:
    """Compiled code by key. May be used by several threads at a time.

    max_entries: most entries.  max_weight: most bytes, by ``weigh``.  ttl: seconds after which an entry is compiled anew, or
    None.  weigh: function that gives the bytes of a code object.  protected: share of both that the hot zone may take.
    window: share of both for new entries.  on_evict: called with (key, code, why) after an entry went, why being "room",
    "expired", "rejected" or "cleared"; what it raises goes to the caller whose request evicted.  clock: of the TTL.
    """

    def __init__(self, Py_ssize_t max_entries, Py_ssize_t max_weight, weigh, *, ttl=None, double protected=0.8,
                 double window=0.02, on_evict=None, clock=monotonic):
        self.max_entries = max_entries
        self.max_weight = max_weight
        self.weigh = weigh
        self.ttl = ttl
        self.on_evict = on_evict
        self.clock = clock
        # Here and not above: the core links to this module, and an import of kimi_runtime alone is to load little.
        import threading

        try:
            from cachetools import LRUCache
        except ModuleNotFoundError:
            raise ImportError("kimi_runtime needs the package cachetools, which this Python does not have: `pip install cachetools` or "
                              "`pip install .` installs it; `make run` makes an environment that has it") from None
        self.lock = threading.RLock()
        self.make_event = threading.Event
        self.make_segment = LRUCache
        self.window_entries = max(1, <Py_ssize_t>(max_entries * window))
        self.window_weight = <Py_ssize_t>(max_weight * window)
        self.protected_entries = <Py_ssize_t>(max_entries * protected)
        self.protected_weight = <Py_ssize_t>(max_weight * protected)
        self.start()

    cdef int start(self) except -1:
        self.entries = {}
        self.pending = {}
        self.recent = []
        self.latest = None
        self.evicted = []
        self.window, self.probation, self.protected = [
            self.make_segment(INFINITY, getsizeof=weight_of) for _ in range(3)]      # this class decides what goes
        self.frequency = FrequencySketch(min(self.max_entries, 1 << 20))
        return 0

    def get(self, key):
        """The code of a key, or None."""
        cdef Entry entry = self.entry_of(key)
        return None if entry is None else entry.code

    cdef Entry entry_of(self, key):
        cdef Entry entry = self.entries.get(key)
        return entry if entry is not None and self.count(entry) else None

    cdef bint again(self, Entry entry) except -1:
        return entry.segment is not None and self.count(entry)

    cdef bint count(self, Entry entry) except -1:
        if entry.expires != INFINITY and entry.expires <= self.clock():
            self.drop(entry)
            return False
        self.hits += 1
        entry.hits += 1
        if entry.segment is self.protected:
            self.hot_hits += 1
        if entry is not self.latest:            # one that comes many times in a row moves and counts once
            self.latest = entry
            self.recent.append(entry)
            if len(self.recent) >= HITS_KEPT:
                with self.lock:
                    self.update()
        return True

    def get_or_make(self, key, make, *args):
        """The code of a key. When there is none, calls the function: once, however many threads ask at that time.

        make: gives the code, or raises; an exception is kept by nobody, and the next thread tries for itself.
        """
        code = self.get(key)
        if code is not None:
            return code
        for _ in range(ABANDONED):
            with self.lock:
                entry = self.entries.get(key)
                if entry is not None:
                    self.waits += 1
                    self.hits += 1
                    return (<Entry>entry).code
                event = self.pending.get(key)
                if event is None:
                    self.pending[key] = event = self.make_event()
                    break
            event.wait(15)
        # Whoever waited in vain for a minute compiles for itself.
        try:
            code = make(*args)
            self.misses += 1
            self.put(key, code)
        finally:
            with self.lock:
                if self.pending.get(key) is event:
                    del self.pending[key]
            event.set()
        return code

    def put(self, key, code):
        """Puts code in, for a key that was missing; takes out what there is no room for."""
        cdef Entry entry = Entry.__new__(Entry)
        entry.key = key
        entry.code = code
        entry.weight = self.weigh(code)
        entry.expires = INFINITY if self.ttl is None else self.clock() + self.ttl
        with self.lock:
            self.update()
            old = self.entries.get(key)
            if old is not None:
                self.remove(<Entry>old, None)
            self.frequency.add(hash(key))
            if entry.weight > self.max_weight:
                self.rejected += 1
                self.evicted.append((key, code, "rejected"))
            else:
                self.entries[key] = entry
                self.insert(self.window, entry)
                self.make_room()
        self.tell()

    cdef int insert(self, segment, Entry entry) except -1:
        segment[entry.key] = entry
        entry.segment = segment
        return 0

    cdef int move(self, Entry entry, segment) except -1:
        del entry.segment[entry.key]
        return self.insert(segment, entry)

    cdef int remove(self, Entry entry, why) except -1:
        if entry.segment is None:
            return 0
        del entry.segment[entry.key]
        entry.segment = None
        if self.entries.get(entry.key) is entry:
            del self.entries[entry.key]
        if why is not None:
            self.evicted.append((entry.key, entry.code, why))
        return 0

    cdef int update(self) except -1:
        """Brings the order of the segments up to date with the hits. The lock is held."""
        cdef list recent = self.recent
        cdef Entry entry
        cdef set moved = set()
        self.recent = []
        self.latest = None
        for entry in recent:
            self.frequency.add(hash(entry.key))
            if entry.segment is None or entry in moved:
                continue
            moved.add(entry)
            if entry.segment is self.probation:
                self.move(entry, self.protected)
                while len(self.protected) > self.protected_entries or self.protected.currsize > self.protected_weight:
                    self.insert(self.probation, self.protected.popitem()[1])
            else:
                entry.segment[entry.key]        # makes it the youngest
        return 0

    cdef int make_room(self) except -1:
        """Takes out what is too much. The lock is held."""
        cdef Entry candidate
        while self.window and (len(self.window) > self.window_entries or self.window.currsize > self.window_weight
                               or self.too_much()):
            candidate = self.window.popitem()[1]
            candidate.segment = None
            if self.compete(candidate):
                self.insert(self.probation, candidate)
            else:
                self.rejected += 1
                del self.entries[candidate.key]
                self.evicted.append((candidate.key, candidate.code, "rejected"))
        return 0

    cdef bint too_much(self) except -1:
        return (len(self.entries) > self.max_entries
                or self.window.currsize + self.probation.currsize + self.protected.currsize > self.max_weight)

    cdef bint compete(self, Entry candidate) except -1:
        """Whether the candidate is asked for more often than all that must go for it, which are gone then.

        Those that win are the youngest of their segment afterwards, so that the next candidate meets others.
        """
        cdef Entry victim
        cdef list victims = []
        cdef Py_ssize_t gained = 0
        cdef int asked = 0
        cdef int worth = self.frequency.count(hash(candidate.key))
        cdef Py_ssize_t weight = (candidate.weight + <Py_ssize_t>self.window.currsize + <Py_ssize_t>self.probation.currsize
                                  + <Py_ssize_t>self.protected.currsize - self.max_weight)
        cdef Py_ssize_t count = len(self.entries) - self.max_entries
        while gained < weight or len(victims) < count:
            segment = self.probation if self.probation else self.protected
            found = len(segment) > 0
            if found:
                victim = segment.popitem()[1]
                victims.append(victim)
                gained += victim.weight
                if victim.expires == INFINITY or victim.expires > self.clock():
                    asked += self.frequency.count(hash(victim.key))
            if not found or asked and asked >= worth:
                for victim in victims:
                    victim.segment[victim.key] = victim
                return False
        for victim in victims:
            self.evictions += 1
            victim.segment = None
            del self.entries[victim.key]
            self.evicted.append((victim.key, victim.code, "room"))
        return True

    cdef int drop(self, Entry entry) except -1:
        """Takes out an entry that is too old."""
        with self.lock:
            if entry.segment is not None:
                self.expired += 1
                self.remove(entry, "expired")
        return self.tell()

    cdef int tell(self) except -1:
        """Calls on_evict, without the lock, for what went."""
        cdef list evicted
        if not self.evicted:
            return 0
        with self.lock:
            evicted = self.evicted
            self.evicted = []
        if self.on_evict is not None:
            for key, code, why in evicted:
                self.on_evict(key, code, why)
        return 0

    def shrink(self, Py_ssize_t weight):
        """Takes out what was asked for least recently, hot entries last, until the rest weighs no more than `weight`."""
        cdef Entry entry
        with self.lock:
            self.update()
            for segment in (self.window, self.probation, self.protected):
                while segment and self.window.currsize + self.probation.currsize + self.protected.currsize > weight:
                    entry = segment.popitem()[1]
                    entry.segment = None
                    if self.entries.get(entry.key) is entry:
                        del self.entries[entry.key]
                    self.evictions += 1
                    self.evicted.append((entry.key, entry.code, "room"))
        self.tell()

    def resize(self, Py_ssize_t max_weight):
        """Another bound of the weight."""
        with self.lock:
            self.window_weight = <Py_ssize_t>(max_weight * (<double>self.window_weight / self.max_weight))
            self.protected_weight = <Py_ssize_t>(max_weight * (<double>self.protected_weight / self.max_weight))
            self.max_weight = max_weight
        self.shrink(max_weight)

    def clear(self):
        """Takes everything out."""
        cdef Entry entry
        with self.lock:
            for entry in list(self.entries.values()):
                self.remove(entry, "cleared")
            self.recent = []
            self.frequency = FrequencySketch(min(self.max_entries, 1 << 20))
        self.tell()

    def stats(self):
        """The figures, as a ``CacheStats``."""
        with self.lock:
            self.update()
            return CacheStats(
                entries=len(self.entries), hot_entries=len(self.protected), hot_weight=int(self.protected.currsize),
                weight=int(self.window.currsize + self.probation.currsize + self.protected.currsize),
                hits=self.hits, misses=self.misses, hot_hits=self.hot_hits, waits=self.waits,
                evictions=self.evictions, expired=self.expired, rejected=self.rejected)

    def __len__(self):
        return len(self.entries)

    def __contains__(self, key):
        return key in self.entries

    def keys(self):
        """The keys, those of the hot zone last."""
        with self.lock:
            self.update()
            return [*self.window, *self.probation, *self.protected]

    def segment_of(self, key):
        """"window", "probation" or "protected"; None when there is no such entry."""
        entry = self.entries.get(key)
        if entry is None:
            return None
        return {id(self.window): WINDOW, id(self.probation): PROBATION, id(self.protected): PROTECTED}[id((<Entry>entry).segment)]
