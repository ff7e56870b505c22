# The state of a match in progress, its stack, and how it is metered.
#
# The stack holds what to do when matching cannot go on: alternatives to try and changes to take back, each a few words with
# a tag on top. It lies on the heap (PyMem, so it counts for the memory of the run), however deep a pattern nests.

cdef enum Tag:              # the low 8 bits of the top word; above them an index
    TAG_BOTTOM = 0
    TAG_MARK = 1            # old position | index of the mark, and 36 bits above, lastindex + 1: takes a mark back
    TAG_MARKS = 2           # positions…, lastindex | number: takes all marks back
    TAG_ALT = 3             # position | ALT to go on with
    TAG_BACK = 4            # least, last position | REPEAT_ONE: one character less
    TAG_MORE = 5            # most, last position | MIN_REPEAT_ONE: one character more
    TAG_SLOT = 6            # last, count | slot: takes a repeat's state back
    TAG_TAIL = 7            # position, last, count | MAX_UNTIL: no further round, what follows
    TAG_LAZY = 8            # position, count | MIN_UNTIL: one more round
    TAG_FRAME = 9           # position, last, count, frame | ASSERT, ASSERT_NOT, ATOMIC or POSSESSIVE: its body has failed

cdef enum:
    STACK_INLINE = 64
    MARKS_INLINE = 16
    SLOTS_INLINE = 4
    PUSH_ROOM = 8           # words that any push but one of all marks needs at most
    FUEL = 10000            # steps between two looks at the limits: some 50 microseconds
    CHUNK = 1 << 16         # characters that are scanned without a look
    LASTINDEX_SHIFT = 36

ctypedef struct Slot:
    Py_ssize_t count
    Py_ssize_t last         # where the last round began, -1: none did

ctypedef struct Machine:
    const Program *p
    const void *text
    Py_ssize_t length       # characters, whatever `endpos` was given
    int size                # bytes of a character
    int match_all           # fullmatch
    int must_advance        # an empty match at start does not count
    Py_ssize_t start        # where the search begins; where the match begins
    Py_ssize_t end
    Py_ssize_t at           # where the match ends
    Py_ssize_t *marks       # -1: not set
    Py_ssize_t high         # no mark above it is set
    Py_ssize_t lastindex
    Slot *slots
    int64_t *stack
    Py_ssize_t room
    int64_t stack_inline[STACK_INLINE]
    Py_ssize_t marks_inline[MARKS_INLINE]
    Slot slots_inline[SLOTS_INLINE]

#: Steps until the next look, for whichever match runs: what many short matches do together counts too.
cdef int64_t fuel_left = FUEL


cdef int look(int64_t units) noexcept nogil:
    """Work was done: -1 with an exception set when the run is to stop."""
    return hooks.work(<int>units if units < 1 << 30 else 1 << 30)


cdef int machine_grow(Machine *m, Py_ssize_t need) noexcept nogil:
    """Room for need words in all on the stack; -1 with MemoryError set."""
    cdef Py_ssize_t room = m.room + (m.room >> 1) + 64
    cdef int64_t *larger
    if room < need:
        room = need + 64
    if m.stack == m.stack_inline:
        larger = <int64_t *>PyMem_Malloc(room * sizeof(int64_t))
        if larger != NULL:
            memcpy(larger, m.stack, m.room * sizeof(int64_t))
    else:
        larger = <int64_t *>PyMem_Realloc(m.stack, room * sizeof(int64_t))
    if larger == NULL:
        PyErr_NoMemory()
        return -1
    m.stack = larger
    m.room = room
    return 0


cdef int machine_begin(Machine *m, const Program *p) noexcept:
    """Gets a machine ready, but for its text: 0, or -1 with MemoryError set. Pair with machine_end."""
    cdef Py_ssize_t i
    m.p = p
    m.match_all = 0
    m.must_advance = 0
    m.high = -1
    m.lastindex = -1
    m.stack = m.stack_inline
    m.room = STACK_INLINE
    m.stack[0] = TAG_BOTTOM
    m.marks = m.marks_inline
    m.slots = m.slots_inline
    if 2 * p.groups > MARKS_INLINE:
        m.marks = <Py_ssize_t *>PyMem_Malloc(2 * p.groups * sizeof(Py_ssize_t))
        if m.marks == NULL:
            PyErr_NoMemory()
            return -1
    for i in range(2 * p.groups):
        m.marks[i] = -1
    if p.slots > SLOTS_INLINE:
        m.slots = <Slot *>PyMem_Malloc(p.slots * sizeof(Slot))
        if m.slots == NULL:
            PyErr_NoMemory()
            if m.marks != m.marks_inline:
                PyMem_Free(m.marks)
            return -1
    return 0


cdef void machine_end(Machine *m) noexcept:
    if m.stack != m.stack_inline:
        PyMem_Free(m.stack)
        m.stack = m.stack_inline
        m.room = STACK_INLINE
    if m.marks != m.marks_inline:
        PyMem_Free(m.marks)
        m.marks = m.marks_inline
    if m.slots != m.slots_inline:
        PyMem_Free(m.slots)
        m.slots = m.slots_inline


cdef inline void machine_reset(Machine *m) noexcept nogil:
    """No group has matched."""
    cdef Py_ssize_t i
    for i in range(m.high + 1):
        m.marks[i] = -1
    m.high = -1
    m.lastindex = -1
