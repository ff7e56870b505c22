# cython: binding=False, wraparound=True, boundscheck=True
"""Tracebacks of guest frames, and their text.

``add_traceback`` is called by the unwinder and is fast: the shadow frame of the last namespace a code object ran in is
kept.  ``format_exception`` writes CPython's text through the host's ``traceback`` module, with the guest's source
lines and without any frame of the host.
"""
cimport cython
from cpython.ref cimport PyObject
from libc.stdint cimport int32_t, uint32_t

from kimi_runtime.bytecode.code cimport Code, CODE_MODULE, Position
from kimi_runtime.memory.heap cimport KHeap, is_guest_block, leave_heap, return_to_heap

import copy
import functools
import sys
import types
import weakref
from _thread import allocate_lock, get_ident
from _weakref import ref

from kimi_runtime.syntax.source import Evaluated, SourceFile

cdef extern from *:
    """
    #include <frameobject.h>
    /* The start of a frame object, alike in 3.11 to 3.13. */
    typedef struct { PyObject_HEAD PyFrameObject *f_back; void *f_frame; PyObject *f_trace; int f_lineno; } k_frame;
    /* Steals nothing; NULL without an exception when there is no memory. */
    static PyObject *k_new_traceback(PyObject *frame, int lasti, int line) {
        ((k_frame *)frame)->f_lineno = line;
        PyTracebackObject *tb = PyObject_GC_New(PyTracebackObject, &PyTraceBack_Type);
        if (tb == NULL) { PyErr_Clear(); return NULL; }
        tb->tb_next = NULL;
        tb->tb_frame = (PyFrameObject *)Py_NewRef(frame);
        tb->tb_lasti = lasti;
        tb->tb_lineno = line;
        return (PyObject *)tb;
    }
    /* Puts tb (stolen) in front of the exception's traceback. */
    static void k_prepend_traceback(PyObject *exc, PyObject *tb) {
        PyBaseExceptionObject *e = (PyBaseExceptionObject *)exc;
        if (e->traceback == Py_None) { Py_CLEAR(e->traceback); }        /* as left by `e.__traceback__ = None` */
        ((PyTracebackObject *)tb)->tb_next = (PyTracebackObject *)e->traceback;
        PyObject_GC_Track(tb);
        e->traceback = tb;
    }
    /* Whether the frame of a traceback entry is a shadow: the first constant of its code is the marker. */
    static int k_is_shadow(PyFrameObject *frame, PyObject *marker) {
        PyCodeObject *code = PyFrame_GetCode(frame);
        int found = PyTuple_GET_SIZE(code->co_consts) == 4 && PyTuple_GET_ITEM(code->co_consts, 0) == marker;
        Py_DECREF(code);
        return found;
    }
    /* Drops the entries that host code put in front since the exception left the last guest frame. */
    static void k_drop_host_entries(PyObject *exc, PyObject *marker) {
        PyBaseExceptionObject *e = (PyBaseExceptionObject *)exc;
        PyTracebackObject *tb = (PyTracebackObject *)e->traceback;
        if (tb == NULL || (PyObject *)tb == Py_None || k_is_shadow(tb->tb_frame, marker)) { return; }
        do { tb = tb->tb_next; } while (tb != NULL && !k_is_shadow(tb->tb_frame, marker));
        Py_XINCREF(tb);
        PyObject *old = e->traceback;
        e->traceback = (PyObject *)tb;
        Py_DECREF(old);
    }
    static PyObject *k_new_frame(PyObject *code, PyObject *globals, PyObject *locals) {
        return (PyObject *)PyFrame_New(PyThreadState_Get(), (PyCodeObject *)code, globals, locals);
    }
    """
    PyObject *k_new_traceback(PyObject *frame, int lasti, int line) noexcept
    void k_prepend_traceback(PyObject *exc, PyObject *tb) noexcept
    void k_drop_host_entries(PyObject *exc, PyObject *marker) noexcept
    object k_new_frame(PyObject *code, PyObject *globals, PyObject *locals)

cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(PyObject *o) noexcept

cdef enum:
    KEPT_FRAMES = 256

cdef bint comprehensions_have_frames = sys.version_info < (3, 12)


class _Marker:
    """First constant of every shadow code object: how a guest frame is told from a host frame."""

    def __repr__(self):
        return "<guest code>"


cdef object MARKER = _Marker()


cdef object template = _template_code()
cdef extern from "opcode.h":
    int nop "NOP"


cdef object _template_code():
    return compile("0", "<shadow>", "exec")


# ---- the location table (PEP 626, PEP 657) ----------------------------------------------------
cdef int put_varint(bytearray table, uint32_t value) except -1:
    while value >= 64:
        table.append(64 | (value & 63))
        value >>= 6
    table.append(value)
    return 0


cdef int put_signed(bytearray table, int32_t value) except -1:
    return put_varint(table, (<uint32_t>-value << 1) | 1 if value < 0 else <uint32_t>value << 1)


cdef bint same_position(const Position *a, const Position *b) noexcept:
    return a.line == b.line and a.end_line == b.end_line and a.col == b.col and a.end_col == b.end_col


cdef bytes location_table(const Position *positions, uint32_t n, int32_t firstlineno):
    """The positions of n instructions of one code unit each, in the format of co_linetable."""
    cdef bytearray table = bytearray()
    cdef uint32_t i = 0
    cdef uint32_t length
    cdef int32_t line = firstlineno
    cdef const Position *p
    while i < n:
        p = &positions[i]
        length = 1
        while length < 8 and i + length < n and same_position(p, &positions[i + length]):
            length += 1
        if p.line < 0:
            table.append(0x80 | (15 << 3) | (length - 1))
        elif p.col < 0 or p.end_col < 0 or p.end_line < p.line:
            table.append(0x80 | (13 << 3) | (length - 1))
            put_signed(table, p.line - line)
            line = p.line
        else:
            table.append(0x80 | (14 << 3) | (length - 1))
            put_signed(table, p.line - line)
            put_varint(table, p.end_line - p.line)
            put_varint(table, p.col + 1)
            put_varint(table, p.end_col + 1)
            line = p.line
        i += length
    return bytes(table)


def encode_positions(list positions, int firstlineno):
    """The location table for (line, end line, column, end column) tuples, one for each instruction; for tests."""
    cdef Position *raw
    cdef uint32_t i
    cdef bytearray space = bytearray(sizeof(Position) * (len(positions) + 1))
    raw = <Position *><char *>space
    for i in range(len(positions)):
        raw[i].line, raw[i].end_line, raw[i].col, raw[i].end_col = positions[i]
    return location_table(raw, len(positions), firstlineno)


# ---- shadows ---------------------------------------------------------------------------------
@cython.final
@cython.auto_pickle(False)
cdef class Shadow:
    """The shadow code of one code object, and its frame in the namespace that was used last."""
    cdef object code            # code object of the host
    cdef object frame           # or None
    cdef PyObject *globals      # the namespace of that frame; borrowed, the frame keeps it alive
    cdef dict comprehensions    # name -> Shadow of a comprehension compiled inline (3.11 only), or None


cdef list shadows_with_frame = []


cdef Shadow new_shadow(Code code, object name, object qualname, int32_t firstlineno):
    """It lives as long as the code, and so where that does."""
    cdef KHeap *heap
    if is_guest_block(<void *>code):
        return make_shadow(code, name, qualname, firstlineno)
    heap = leave_heap()
    try:
        return make_shadow(code, name, qualname, firstlineno)
    finally:
        return_to_heap(heap)


cdef Shadow make_shadow(Code code, object name, object qualname, int32_t firstlineno):
    cdef Shadow shadow = Shadow.__new__(Shadow)
    # Names of locals without values: the host's own display suggests from them for a NameError.
    cdef tuple names = () if code.flags & CODE_MODULE else code.co_varnames + code.co_cellvars
    shadow.code = template.replace(
        co_code=bytes((nop, 0)) * max(code.ninstrs, 1),
        co_linetable=location_table(code.positions, code.ninstrs, firstlineno),
        co_exceptiontable=b"",
        co_consts=(MARKER, ref(code), None if type(code.source) is Evaluated else code.source, code.co_varnames + code.co_cellvars),
        co_names=(),
        co_varnames=names,
        co_nlocals=len(names),
        co_filename=code.filename,
        co_name=name,
        co_qualname=qualname,
        co_firstlineno=firstlineno,
        co_flags=0 if code.flags & CODE_MODULE else 3)
    return shadow


cdef object shadow_frame(Shadow shadow, PyObject *globals, bint is_module):
    # To make a frame, and to let go of one, may run a finalizer or let another thread have its turn, which may drop the kept frames.
    made = k_new_frame(<PyObject *>shadow.code, globals, globals if is_module else NULL)
    _replaced = shadow.frame
    if _replaced is None:
        if len(shadows_with_frame) >= KEPT_FRAMES:
            drop_frames()
        shadows_with_frame.append(shadow)
    shadow.frame = made
    shadow.globals = globals
    return made


cdef int drop_frames() except -1:
    global shadows_with_frame
    cdef Shadow shadow
    # A slice would be read while the collector that its allocation sets off runs code that comes here too.
    cdef list fresh = []
    cdef list dropped = shadows_with_frame
    shadows_with_frame = fresh
    while dropped:
        shadow = <Shadow>dropped.pop()
        _frame = shadow.frame
        shadow.frame = None
        shadow.globals = NULL
        _frame = None
    return 0


cdef void clear_shadow_frames() noexcept:
    if shadows_with_frame:
        drop_frames()


def drop_shadow_frames():
    """As clear_shadow_frames, for Python code."""
    drop_frames()


cdef int add_entry(PyObject *exc, Shadow shadow, PyObject *globals, Code code, uint32_t pc) except -1:
    cdef PyObject *tb
    # A frame has one line number, so it is used again only when no traceback refers to it any more.
    frame = shadow.frame
    if frame is None or shadow.globals != globals or Py_REFCNT(<PyObject *>frame) > 2:
        frame = shadow_frame(shadow, globals, code.flags & CODE_MODULE != 0)
    tb = k_new_traceback(<PyObject *>frame, <int>(2 * pc), code.positions[pc].line)
    if tb != NULL:
        k_prepend_traceback(exc, tb)
    return 0


cdef Shadow comprehension_shadow(Shadow shadow, Code code, tuple span):
    name = span[2]
    if shadow.comprehensions is None:
        shadow.comprehensions = {}
    key = (name, span[3])
    found = shadow.comprehensions.get(key)
    if found is None:
        prefix = code.qualname + (".<locals>." if not code.flags & CODE_MODULE else ".")
        found = new_shadow(code, name, name if code.flags & CODE_MODULE else prefix + name, span[3])
        shadow.comprehensions[key] = found
    return <Shadow>found


cdef int add_entries(PyObject *exc, Code code, PyObject *globals, uint32_t pc) except -1:
    cdef Shadow shadow
    cdef tuple span
    cdef dict empty
    if globals == NULL:
        empty = {}
        globals = <PyObject *>empty
    if code.shadow is None:
        code.shadow = new_shadow(code, code.name, code.qualname, code.firstlineno)
    shadow = <Shadow>code.shadow
    if code.inlined:
        # Inner spans come first, so the entries come out innermost first, as the unwinder needs them.
        for span in code.inlined:
            # Generator expressions that run in place tell where the caller's place is; they have a frame on every host.
            if <uint32_t>span[0] <= pc < <uint32_t>span[1] and (comprehensions_have_frames or len(span) > 4):
                add_entry(exc, comprehension_shadow(shadow, code, span), globals, code, pc)
                pc = <uint32_t>(span[4] if len(span) > 4 else span[0])
    return add_entry(exc, shadow, globals, code, pc)


ctypedef int (*adder)(PyObject *, PyObject *, PyObject *, uint32_t) noexcept
cdef adder try_add = <adder><void *>add_entries

cdef extern from "Python.h":
    void PyErr_Clear() noexcept


cdef void add_traceback(PyObject *exc, Code code, PyObject *globals, uint32_t pc) noexcept:
    k_drop_host_entries(exc, <PyObject *>MARKER)
    if pc >= code.ninstrs:
        pc = code.ninstrs - 1 if code.ninstrs else 0
    if try_add(exc, <PyObject *>code, globals, pc) < 0:
        PyErr_Clear()


cdef void drop_host_entries(PyObject *exc) noexcept:
    k_drop_host_entries(exc, <PyObject *>MARKER)


cdef int add_line_entry(PyObject *exc, Code code, PyObject *globals, int line) except -1:
    cdef Shadow shadow
    cdef PyObject *tb
    if code.shadow is None:
        code.shadow = new_shadow(code, code.name, code.qualname, code.firstlineno)
    shadow = <Shadow>code.shadow
    # A frame has one line number, so it is used again only when no traceback refers to it any more.
    frame = shadow.frame
    if frame is None or shadow.globals != globals or Py_REFCNT(<PyObject *>frame) > 2:
        frame = shadow_frame(shadow, globals, code.flags & CODE_MODULE != 0)
    tb = k_new_traceback(<PyObject *>frame, -1, line)
    if tb != NULL:
        k_prepend_traceback(exc, tb)
    return 0


ctypedef int (*line_adder)(PyObject *, PyObject *, PyObject *, int) noexcept
cdef line_adder try_add_line = <line_adder><void *>add_line_entry


cdef void add_traceback_line(PyObject *exc, Code code, PyObject *globals, int line) noexcept:
    if try_add_line(exc, <PyObject *>code, globals, line) < 0:
        PyErr_Clear()


def add_for_test(exc, code, dict globals, pc):
    """add_traceback, for tests."""
    add_traceback(<PyObject *>exc, code, <PyObject *>globals, pc)


def code_for_test(host, source, inlined=()):
    """A code object without a program that has the names and positions of a host code object; for tests."""
    cdef Code code = Code()
    cdef uint32_t i
    positions = list(host.co_positions())
    code.allocate(len(positions), 0, 0, 0, 0)
    for i, found in enumerate(positions):
        line, end_line, col, end_col = [-1 if n is None else n for n in found]
        code.positions[i].line = line
        code.positions[i].end_line = end_line
        code.positions[i].col = col
        code.positions[i].end_col = end_col
    code.name = host.co_name
    code.qualname = host.co_qualname
    code.filename = host.co_filename
    code.firstlineno = host.co_firstlineno
    code.local_names = host.co_varnames
    code.flags = 0 if host.co_flags & 1 else CODE_MODULE
    code.source = source
    code.inlined = inlined
    return code


# ---- text ------------------------------------------------------------------------------------
cdef bint is_shadow(frame):
    consts = frame.f_code.co_consts
    return len(consts) == 4 and consts[0] is MARKER


def method_type():
    """The type of Python functions compiled by Cython, for the gate."""
    return type(_Marker.__dict__["__repr__"])


def is_guest_frame(frame):
    """Whether a frame object stands for a guest frame."""
    return is_shadow(frame)


def code_of_frame(frame):
    """The guest code object that a traceback's frame stands for; None when it is gone or the frame is the host's."""
    return frame.f_code.co_consts[1]() if is_shadow(frame) else None


cdef object without_host_frames(tb):
    """The traceback with guest entries only; the same object when there is nothing to leave out."""
    cdef list entries = []
    cdef bint changed = False
    walk = tb
    while walk is not None:
        if is_shadow(walk.tb_frame):
            entries.append(walk)
        else:
            changed = True
        walk = walk.tb_next
    if not changed:
        return tb
    result = None
    for entry in reversed(entries):
        result = types.TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return result


cdef list linked_exceptions(exc):
    """The exception and everything its text shows: causes, contexts, members of groups."""
    cdef list found = [], waiting = [exc]
    cdef set seen = set()
    while waiting:
        e = waiting.pop()
        if e is None or id(e) in seen:
            continue
        seen.add(id(e))
        found.append(e)
        waiting.append(cause_of.__get__(e))
        waiting.append(context_of_exception.__get__(e))
        if issubclass(type(e), BaseExceptionGroup):
            waiting.extend(members_of.__get__(e))
    return found


# Read past the class, which may be a guest's with a __getattribute__ of its own: what runs here is the host.
cdef object cause_of = BaseException.__dict__["__cause__"]
cdef object context_of_exception = BaseException.__dict__["__context__"]
cdef object suppresses = BaseException.__dict__["__suppress_context__"]
cdef object traceback_of = BaseException.__dict__["__traceback__"]
cdef object members_of = BaseExceptionGroup.__dict__["exceptions"]


def strip_host_frames(exc):
    """Removes host frames from the exception's traceback and from those of all exceptions linked to it."""
    for e in linked_exceptions(exc):
        stripped = without_host_frames(traceback_of.__get__(e))
        if stripped is not traceback_of.__get__(e):
            traceback_of.__set__(e, stripped)


def guest_location(exc):
    """(file name, line, column) where the innermost guest frame of the exception was; None for what is not known.

    The column counts from 1, in UTF-8 bytes.
    """
    found = None
    tb = traceback_of.__get__(exc)
    while tb is not None:
        if is_shadow(tb.tb_frame):
            found = tb
        tb = tb.tb_next
    if found is None:
        return None, None, None
    column = None
    code = found.tb_frame.f_code
    for i, position in enumerate(code.co_positions()):
        if 2 * i == found.tb_lasti:
            column = position[2]
            break
    return code.co_filename, found.tb_lineno, None if column is None else column + 1


@cython.final
cdef class GuestFrames:
    """The frames of a traceback, as tuples for ``errors.Frame``: made when they are asked for. Refers to no object of a guest."""
    cdef list entries               # code object that tracebacks show, offset of the instruction, line

    def __call__(self):
        cdef list found = []
        cdef dict positions = {}, split = {}
        for code, offset, line in self.entries:
            known = positions.get(id(code))
            if known is None:
                known = positions[id(code)] = list(code.co_positions())
            source = code.co_consts[2]
            lines = []
            if source is not None:
                lines = split.get(id(source))
                if lines is None:
                    lines = split[id(source)] = source_lines(source)
            _, end_line, column, end_column = known[offset // 2] if 0 <= offset // 2 < len(known) else (line, None, None, None)
            found.append((code.co_filename, line, code.co_name, lines[line - 1] if 0 < line <= len(lines) else "",
                          in_characters(lines, line, column), end_line, in_characters(lines, end_line, end_column)))
        return found


cdef object in_characters(list lines, line, column):
    """A column that counts bytes from 0, as characters from 1."""
    if column is None or line is None:
        return None
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    if not text.isascii():
        return len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace")) + 1
    return column + 1


def guest_frames(exc):
    """What gives the guest frames of an exception, outermost first; () when there are none."""
    cdef GuestFrames found
    cdef list entries = []
    tb = traceback_of.__get__(exc)
    while tb is not None:
        if is_shadow(tb.tb_frame):
            entries.append((tb.tb_frame.f_code, tb.tb_lasti, tb.tb_lineno))
        tb = tb.tb_next
    if not entries:
        return ()
    found = GuestFrames.__new__(GuestFrames)
    found.entries = entries
    return found


cdef object plain_of(exc):
    """An exception that is shown as another one is, but without its class."""
    try:
        text = str(exc)
    except BaseException:
        text = "<exception str() failed>"
    made = type(name_of_type(exc), (Exception,), {"__module__": "builtins"})(text)
    made.__traceback__ = traceback_of.__get__(exc)
    return made


cdef Py_ssize_t MOST_SHOWN = 5000       # exceptions in one text
cdef Py_ssize_t MOST_WIDE = 15, MOST_DEEP = 10      # members of a group, and groups in groups, that CPython shows
cdef Py_ssize_t LONGEST = 1_000_000     # characters of one message in it
cdef object type_name = type.__dict__["__name__"]
cdef object name_of_error = NameError.__dict__["name"]


def name_of_type(value):
    """The name of a value's class, whatever its metaclass says."""
    return type_name.__get__(type(value))


linecache = traceback = None            # see need_modules
_linecache_lock = allocate_lock()


def shortened(text):
    """A message as errors show it: no host wants more than a million characters of one, each copied several times."""
    if isinstance(text, str) and len(text) > LONGEST:
        return f"{text[:LONGEST]}... ({len(text) - LONGEST:,} more characters)"
    return text


def format_exception(exc, source_lookup=None, chain=True):
    """The text that CPython writes for an uncaught exception, with guest frames only.

    source_lookup: function of a file name that returns its source text or None, for code that does not keep its
    source.  chain: whether causes and contexts are shown too.  Returns the text.  Runs guest code
    when the exception's class has a ``__str__`` of its own.  It takes time of the run's, and ends with that.
    """
    from kimi_runtime import _core
    return _core.describe_counted(format_now, exc, source_lookup, chain)


cdef int need_modules() except -1:
    """Loads what writes tracebacks: a tenth of what an import of this package takes, and many a process never shows one."""
    global linecache, traceback
    if traceback is None:
        from kimi_runtime import _core
        linecache = _core.host_module("linecache")
        traceback = _core.host_module("traceback")
    return 0


cdef str text_of_exception(exc, dict sources, chain):
    shown = traceback.TracebackException(type(exc), exc, traceback_of.__get__(exc), lookup_lines=False, compact=True)
    cdef list parts = complete(shown, exc, sources)
    if sys.version_info < (3, 13):
        link_in_order(shown, exc, parts)
    return "".join(shown.format(chain=chain))       # parts are alive: what formats a SyntaxError refers weakly to its own


def format_now(exc, source_lookup, chain):
    need_modules()
    cdef list changed = []
    cdef dict sources = {}
    cdef dict kept = {}
    cdef list linked = linked_exceptions(exc)
    cdef Py_ssize_t members = len(linked)
    for e in linked:
        if issubclass(type(e), BaseExceptionGroup):
            members += len(members_of.__get__(e))
    for e in linked:
        tb = traceback_of.__get__(e)
        stripped = without_host_frames(tb)
        if stripped is not tb:
            changed.append((e, tb))
            traceback_of.__set__(e, stripped)
        tb = stripped
        while tb is not None:
            name = tb.tb_frame.f_code.co_filename
            if name not in sources:
                sources[name] = source_lookup(name) if source_lookup is not None else None
            tb = tb.tb_next
    if members > MOST_SHOWN:
        exc = plain_of(exc)             # without the others: no limit counts what their text takes
    try:
        with _linecache_lock:
            # Entries for every file keep traceback from looking on disk, or for a loader in the guest's namespace.
            for name, source in sources.items():
                if name in linecache.cache:
                    kept[name] = linecache.cache[name]
                text = source or ""
                linecache.cache[name] = (len(text), None, text.splitlines(True), name)
            try:
                with Suggestions():
                    try:
                        return text_of_exception(exc, sources, chain)
                    except BaseException:
                        # The guest's class has a __getattribute__ that fails, or a SyntaxError an odd text: what can be known without.
                        return text_of_exception(plain_of(exc), sources, False)
            finally:
                for name in sources:
                    linecache.cache.pop(name, None)
                linecache.cache.update(kept)
    finally:
        for e, tb in changed:
            traceback_of.__set__(e, tb)


cdef list complete(shown, exc, dict sources):
    """Gives the frames of a TracebackException and of all linked to it the lines of their own code's source.

    Two code objects of one file name may have different sources (cells of a session), which linecache cannot tell.
    Returns all of them, as pairs with their exceptions.
    """
    cdef list waiting = [(shown, exc)], found = []
    cdef dict split = {}                # lines by the identity of the source: a recursion shows one source a thousand times
    while waiting:
        shown, exc = waiting.pop()
        found.append((shown, exc))
        shown._str = shortened(shown._str)
        if type(getattr(shown, "__notes__", None)) is list:
            shown.__notes__ = [shortened(each) for each in shown.__notes__]
        tb = exc.__traceback__
        for summary in shown.stack:
            if tb is None:
                break
            source = tb.tb_frame.f_code.co_consts[2]
            if source is not None:
                lines = split.get(id(source))
                if lines is None:
                    lines = split[id(source)] = source_lines(source)
                set_lines(summary, lines)
            tb = tb.tb_next
        if sys.version_info < (3, 12):
            add_suggestion(shown, exc)
        if sys.version_info < (3, 13):
            shown.stack.format_frame_summary = format_frame
            if issubclass(type(exc), SyntaxError):
                shown._format_syntax_error = functools.partial(format_syntax, weakref.proxy(shown))
        else:
            shown.stack.format_frame_summary = format_parsed
        if shown.__cause__ is not None:
            waiting.append((shown.__cause__, exc.__cause__))
        if shown.__context__ is not None:
            waiting.append((shown.__context__, exc.__context__))
        if shown.exceptions:
            waiting.extend(zip(shown.exceptions, exc.exceptions))
    return found


cdef int link_in_order(shown, exc, list parts) except -1:
    """Shows each cause and context where the C code of 3.11 and 3.12 does: at its first mention in the order of the text.

    The traceback module, which 3.13 uses itself, looks at the members of groups from the last one, and before what the group came from.
    """
    cdef dict known = {}                # what shows an exception, by its identity
    cdef set seen = set()
    cdef list waiting = [(shown, exc, 0)]
    for part, each in parts:
        known[id(each)] = part
    while waiting:
        shown, exc, depth = waiting.pop()
        seen.add(id(exc))
        before = cause_of.__get__(exc)
        link = "__cause__"
        if before is None and not suppresses.__get__(exc):
            before = context_of_exception.__get__(exc)
            link = "__context__"
        shown.__cause__ = shown.__context__ = None
        if shown.exceptions and depth < MOST_DEEP:
            shown.exceptions = [copy.copy(each) for each in shown.exceptions]       # a group may be mentioned twice, too
            for i in range(min(len(shown.exceptions), MOST_WIDE) - 1, -1, -1):
                waiting.append((shown.exceptions[i], members_of.__get__(exc)[i], depth + 1))
        if before is not None and id(before) not in seen and id(before) in known:
            part = copy.copy(known[id(before)])         # a member of a group is shown there too, with links of its own
            setattr(shown, link, part)
            waiting.append((part, before, depth))
    return 0


cdef str source_line(source, str filename, int line):
    cdef list lines
    if not isinstance(source, str):
        return ""
    lines = (<str>source).splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


cdef list source_lines(source):
    if isinstance(source, bytes):
        source = source.decode("utf-8", "replace")
    elif type(source) is SourceFile:
        source = source.read()
    return source.replace("\r\n", "\n").replace("\r", "\n").split("\n")


cdef int set_lines(summary, list lines) except -1:
    cdef Py_ssize_t first = summary.lineno or 0
    if not 1 <= first <= len(lines):
        return 0
    if hasattr(summary, "_set_lines"):                  # 3.13: all lines of the position
        last = min(summary.end_lineno or first, len(lines))
        summary._lines = "\n".join([line.rstrip() for line in lines[first - 1:last]]) + "\n"
    else:
        summary._line = lines[first - 1] + "\n"
    return 0


include "traceback_marks.pxi"
include "suggestions.pxi"
