# The texts that are matched: str of any width, or what has a buffer.

cdef int text_open(Text *t, object string) except -1:
    """Gets at the characters of a text; pair with text_close. Raises TypeError for what is no text."""
    t.has_view = False
    if PyUnicode_Check(string):
        k_ready(string)
        t.data = PyUnicode_DATA(string)
        t.length = PyUnicode_GET_LENGTH(string)
        t.size = PyUnicode_KIND(string)
        t.is_bytes = False
        return 0
    if PyBytes_CheckExact(string):
        t.data = PyBytes_AS_STRING(string)
        t.length = PyBytes_GET_SIZE(string)
        t.size = 1
        t.is_bytes = True
        return 0
    if k_get_buffer(<PyObject *>string, &t.view) < 0:
        PyErr_Clear()
        raise TypeError(f"expected string or bytes-like object, got '{type_name_of(string)[:200]}'")
    if t.view.buf == NULL:
        k_release_buffer(&t.view)
        raise ValueError("Buffer is NULL")
    t.has_view = True
    t.data = t.view.buf
    t.length = t.view.len
    t.size = 1
    t.is_bytes = True
    return 0


cdef inline void text_close(Text *t) noexcept:
    if t.has_view:
        t.has_view = False
        k_release_buffer(&t.view)


cdef object text_slice(Text *t, object string, Py_ssize_t start, Py_ssize_t end):
    """A part of a text, as str or bytes."""
    if not t.is_bytes:
        return PyUnicode_Substring(string, start, end)
    if start == 0 and PyBytes_CheckExact(string) and end == t.length:
        return string
    return PyBytes_FromStringAndSize(<const char *>t.data + start, end - start)


cdef int open_for(Pattern pattern, Machine *m, Text *t, object string, Py_ssize_t pos, Py_ssize_t endpos) except -1:
    """Gets text and machine ready for a pattern, between two positions; pair with close_both."""
    text_open(t, string)
    if t.is_bytes and pattern.is_bytes == 0:
        text_close(t)
        raise TypeError("cannot use a string pattern on a bytes-like object")
    if not t.is_bytes and pattern.is_bytes > 0:
        text_close(t)
        raise TypeError("cannot use a bytes pattern on a string-like object")
    if machine_begin(m, &pattern.program) < 0:
        text_close(t)
        raise_set()
    m.text = t.data
    m.length = t.length
    m.size = t.size
    m.start = 0 if pos < 0 else pos if pos < t.length else t.length
    m.end = 0 if endpos < 0 else endpos if endpos < t.length else t.length
    return 0


cdef inline void close_both(Machine *m, Text *t) noexcept:
    machine_end(m)
    text_close(t)


cdef int raise_set() except -1:
    """Raises the exception that C code has set."""
    return -1


cdef int match_here(Machine *m) except -1:
    """Matches at m.start: 1 or 0."""
    cdef int found
    if m.start <= m.end and m.end - m.start < m.p.width:
        return 0            # beyond the end an empty match is possible
    if m.size == 1:
        found = run_at(m, <const uint8_t *>m.text, m.start, 1)
    elif m.size == 2:
        found = run_at(m, <const uint16_t *>m.text, m.start, 1)
    else:
        found = run_at(m, <const uint32_t *>m.text, m.start, 1)
    return found


cdef int match_next(Machine *m) except -1:
    """Searches from m.start on: 1 or 0. No group has matched before."""
    machine_reset(m)
    if m.size == 1:
        return search_from(m, <const uint8_t *>m.text)
    if m.size == 2:
        return search_from(m, <const uint16_t *>m.text)
    return search_from(m, <const uint32_t *>m.text)


cdef inline void go_on(Machine *m) noexcept:
    """After a match: the next one begins where it ended, and is not empty if it was."""
    m.must_advance = m.at == m.start
    m.start = m.at
