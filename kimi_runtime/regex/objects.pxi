# The types that guests see: re.Pattern, re.Match, the scanner and compiled templates. Their methods are in the other files.

# A text that is matched: str of any width, or what has a buffer.
ctypedef struct Text:
    const void *data
    Py_ssize_t length       # characters
    int size                # bytes of a character
    bint is_bytes
    bint has_view
    Py_buffer view


@cython.final
@cython.auto_pickle(False)
cdef class Pattern:
    """Compiled regular expression object."""
    cdef object pattern         # the first, where `install` looks for it
    cdef Program program
    cdef dict groupindex        # or None
    cdef tuple indexgroup       # or None
    cdef bytes words            # what the compiler emitted
    cdef int flags
    cdef int is_bytes           # 1, 0, or -1: compiled without a text, it matches both
    cdef Py_ssize_t groups
    cdef object __weakref__

    def __dealloc__(self):
        free_program(&self.program)

    def __repr__(self):
        flags = self.flags
        names = []
        if not self.is_bytes and flags & (FLAG_LOCALE | FLAG_UNICODE | FLAG_ASCII) == FLAG_UNICODE:
            flags &= ~FLAG_UNICODE
        for name, value in FLAG_NAMES:
            if flags & value:
                names.append(name)
                flags &= ~value
        if flags:
            names.append(hex(flags & 0xFFFFFFFF))
        shown = repr(self.pattern)[:200]
        return f"re.compile({shown}, {'|'.join(names)})" if names else f"re.compile({shown})"

    def __sizeof__(self):
        return (object.__sizeof__(self) + self.program.n_nodes * sizeof(Node) + self.program.n_sets * sizeof(Set)
                + self.program.n_pool * sizeof(uint32_t) + sys.getsizeof(self.words))

    def __hash__(self):
        cdef Py_hash_t value = PyObject_Hash(self.pattern)
        value ^= PyObject_Hash(self.words)
        return value ^ self.flags ^ self.is_bytes ^ (len(self.words) >> 2)

    def __eq__(self, other):
        cdef Pattern right
        if type(other) is not Pattern:
            return NotImplemented
        right = other
        return self is right or (self.flags == right.flags and self.is_bytes == right.is_bytes
                                 and self.words == right.words and bool(self.pattern == right.pattern))


@cython.final
@cython.auto_pickle(False)
@cython.freelist(16)
cdef class Match:
    """The result of re.match() and re.search().
Match objects always have a boolean value of True."""
    cdef object string          # the first, where `install` looks for it; the next one too
    cdef Pattern pattern
    cdef tuple regs             # or None, until they are asked for
    cdef Py_ssize_t pos, endpos
    cdef Py_ssize_t lastindex
    cdef Py_ssize_t groups      # with the whole match
    cdef Py_ssize_t *marks
    cdef Py_ssize_t marks_inline[MATCH_INLINE]

    def __dealloc__(self):
        if self.marks != self.marks_inline:
            PyMem_Free(self.marks)

    def __repr__(self):
        shown = repr(match_slice(self, 0, None))[:50]
        return f"<re.Match object; span=({self.marks[0]}, {self.marks[1]}), match={shown}>"

    def __getitem__(self, index):
        return match_slice(self, match_index(self, index), None)


@cython.final
@cython.auto_pickle(False)
cdef class Scanner:
    cdef Pattern pattern        # the first, where `install` looks for it
    cdef object string
    cdef Py_ssize_t pos, endpos
    cdef Machine machine
    cdef Text text
    cdef bint open              # text and machine are in use
    cdef bint finished
    cdef bint executing

    def __dealloc__(self):
        if self.open:
            close_both(&self.machine, &self.text)


@cython.final
@cython.auto_pickle(False)
cdef class Template:
    cdef object literal
    cdef list parts             # group numbers and what follows each


cdef Match new_match(Pattern pattern, Machine *m, object string, Py_ssize_t pos, Py_ssize_t endpos):
    """The result of a match that the machine has found."""
    cdef Match match = Match.__new__(Match)
    cdef Py_ssize_t i, n = 2 * pattern.groups
    match.marks = match.marks_inline
    if n + 2 > MATCH_INLINE:
        match.marks = <Py_ssize_t *>PyMem_Malloc((n + 2) * sizeof(Py_ssize_t))
        if match.marks == NULL:
            match.marks = match.marks_inline
            raise MemoryError()
    match.pattern = pattern
    match.string = string
    match.pos = pos
    match.endpos = endpos
    match.lastindex = m.lastindex
    match.groups = pattern.groups + 1
    match.marks[0] = m.start
    match.marks[1] = m.at
    for i in range(0, n, 2):
        if m.marks[i] >= 0 and m.marks[i + 1] >= 0:
            match.marks[i + 2] = m.marks[i]
            match.marks[i + 3] = m.marks[i + 1]
            if m.marks[i] > m.marks[i + 1]:
                raise SystemError("The span of capturing group is wrong, please report a bug for the re module.")
        else:
            match.marks[i + 2] = match.marks[i + 3] = -1
    return match


cdef object match_slice(Match self, Py_ssize_t group, object default):
    """The text of a group, or default when it has not matched."""
    cdef Text t
    cdef Py_ssize_t start = self.marks[2 * group]
    cdef Py_ssize_t end = self.marks[2 * group + 1]
    if start < 0 or self.string is None:
        return default
    if PyUnicode_Check(self.string):
        return PyUnicode_Substring(self.string, start, end)
    text_open(&t, self.string)
    try:
        return text_slice(&t, self.string, min(start, t.length), min(end, t.length))
    finally:
        text_close(&t)


cdef Py_ssize_t match_index(Match self, object index) except -1:
    """The number of a group that is given by number or name. Raises IndexError when there is none."""
    cdef Py_ssize_t group = -1
    if PyLong_CheckExact(index):
        group = PyNumber_AsSsize_t(index, NULL)
    elif PyIndex_Check(index):
        group = PyNumber_AsSsize_t(index, NULL)
        if group == -1 and PyErr_Occurred():
            raise_set()
    elif self.pattern.groupindex is not None:
        found = self.pattern.groupindex.get(index)
        if isinstance(found, int):
            group = found
    if group < 0 or group >= self.groups:
        raise IndexError("no such group")
    return group


# ---- for snapshots -----------------------------------------------------------------------------
def match_parts(o):
    """Pattern, text, pos, endpos, lastindex and the marks of a Match; None for anything else."""
    cdef Match match
    cdef Py_ssize_t i
    if type(o) is not Match:
        return None
    match = o
    return (match.pattern, match.string, match.pos, match.endpos, match.lastindex, *[match.marks[i] for i in range(2 * match.groups)])


def make_match(pattern, string, Py_ssize_t pos, Py_ssize_t endpos, Py_ssize_t lastindex, *marks):
    """The same the other way. ValueError, TypeError: the parts do not fit."""
    cdef Match match
    cdef Py_ssize_t i, n, size
    cdef Py_ssize_t at
    if type(pattern) is not Pattern:
        raise TypeError("a match of no pattern")
    n = 2 * ((<Pattern>pattern).groups + 1)
    size = len(string) if type(string) in (str, bytes, bytearray) else 1 << 60
    if len(marks) != n or not -1 <= lastindex < n // 2 or not 0 <= pos <= size or endpos < 0 or not (
            string is None or type(string) in (str, bytes, bytearray)):
        raise ValueError("a match that is none")
    for i in range(0, n, 2):
        if not (0 <= marks[i] <= marks[i + 1] <= size or i and marks[i] == marks[i + 1] == -1):
            raise ValueError("a match that is none")
    match = Match.__new__(Match)
    match.marks = match.marks_inline
    if n > MATCH_INLINE:
        match.marks = <Py_ssize_t *>PyMem_Malloc(n * sizeof(Py_ssize_t))
        if match.marks == NULL:
            match.marks = match.marks_inline
            raise MemoryError()
    for i in range(n):
        at = marks[i]
        match.marks[i] = at
    match.pattern, match.string, match.pos, match.endpos, match.lastindex = pattern, string, pos, endpos, lastindex
    match.groups = n // 2
    return match
