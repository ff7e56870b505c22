# cython: binding=False, wraparound=True, boundscheck=True
"""``sys.stdin`` of a guest, and what ``input`` reads from it.

The host gives a text, a function that returns the next line, or an object with ``readline``.  Nothing else of that
object is reachable for the guest.
"""
cimport cython

from kimi_runtime.objects.function cimport hooks
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots, type_name_of

import io

cdef str CLOSED = "I/O operation on closed file."


cdef Py_ssize_t size_of(size) except? -2:
    """The size argument of a read: -1 for all."""
    if size is None:
        return -1
    if not hasattr(size, "__index__"):
        raise TypeError(f"argument should be integer or None, not '{type_name_of(size)}'")
    return max(-1, size.__index__())


def answer_of_host(function):
    """Calls a function of the host without arguments that a guest waits for, as for a line that somebody types.

    That is the host's time and not the guest's; an exception is for the guest what that of a host function is.
    """
    cdef int outer
    cdef bint said = hooks.begin_output != NULL and hooks.begin_output(&outer) == 1
    found = raised = None
    try:
        found = function()
    except BaseException as error:
        raised = error
    if said:
        hooks.end_output(outer)
    if raised is None:
        return found
    if said:
        from kimi_runtime.bridge.host_exceptions import raise_for_guest
        raise_for_guest(raised)
    raise raised


@cython.final
@cython.auto_pickle(False)
cdef class InputStream:
    """A text stream that the guest reads; ``source`` as in ``check_source``."""
    cdef object more            # function of the host that gives the next line, or None
    cdef bint by_lines          # its lines have no newline of their own
    cdef str text               # what was read and not used yet, from `at` on
    cdef Py_ssize_t at
    cdef bint is_closed
    cdef BinaryInput binary

    def __cinit__(self, source=None):
        self.text = ""
        if isinstance(source, str):
            self.text = source.replace("\r\n", "\n").replace("\r", "\n")
        elif hasattr(source, "readline"):
            self.more = source.readline
        elif source is not None:
            self.more = source
            self.by_lines = True

    cdef int check_open(self) except -1:
        if self.is_closed:
            raise ValueError(CLOSED)
        return 0

    cdef bint pull(self) except -1:
        """Adds what the host has next; 0 at the end."""
        if self.more is None:
            return False
        try:
            line = answer_of_host(self.more)
        except (EOFError, StopIteration):
            line = None
        if line is None or (line == "" and not self.by_lines):
            return False
        if not isinstance(line, str):
            raise TypeError(f"stdin of the host must give str, not {type_name_of(line)}")
        if self.by_lines and not line.endswith("\n"):
            line += "\n"
        self.text = self.text[self.at:] + line
        self.at = 0
        return True

    cdef str take(self, Py_ssize_t n):
        """The next n characters of what was read."""
        cdef str taken = self.text[self.at:self.at + n]
        self.at += len(taken)
        return taken

    cdef str take_line(self, Py_ssize_t limit):
        cdef Py_ssize_t end
        while True:
            end = self.text.find("\n", self.at)
            if end >= 0 or 0 <= limit <= len(self.text) - self.at or not self.pull():
                break
        end = len(self.text) if end < 0 else end + 1
        return self.take(end - self.at if limit < 0 else min(limit, end - self.at))

    @cython.always_allow_keywords(False)
    def readline(self, size=-1):
        """Read until newline or end of input."""
        self.check_open()
        return self.take_line(size_of(size))

    @cython.always_allow_keywords(False)
    def read(self, size=-1):
        """Read at most size characters, or all."""
        cdef Py_ssize_t n = size_of(size)
        cdef list pieces
        self.check_open()
        if n < 0:
            pieces = [self.take(len(self.text))]
            while self.pull():
                pieces.append(self.take(len(self.text)))
            return "".join(pieces)
        while len(self.text) - self.at < n and self.pull():
            pass
        return self.take(n)

    @cython.always_allow_keywords(False)
    def readlines(self, hint=-1):
        """Return a list of lines; no more are read once their size exceeds the hint."""
        cdef Py_ssize_t limit = size_of(hint)
        cdef Py_ssize_t total = 0
        cdef list lines = []
        self.check_open()
        while True:
            line = self.take_line(-1)
            if not line:
                return lines
            lines.append(line)
            total += len(line)
            if 0 < limit <= total:
                return lines

    def __iter__(self):
        self.check_open()
        return self

    def __next__(self):
        self.check_open()
        line = self.take_line(-1)
        if not line:
            raise StopIteration
        return line

    @property
    def buffer(self):
        if self.binary is None:
            self.binary = BinaryInput.__new__(BinaryInput)
            self.binary.stream = self
        return self.binary

    def detach(self):
        """Separate the underlying buffer from the stream and return it."""
        self.check_open()
        return self.buffer

    def close(self):
        self.is_closed = True

    @property
    def closed(self):
        return bool(self.is_closed)

    def flush(self):
        self.check_open()

    def isatty(self):
        self.check_open()
        return False

    def readable(self):
        self.check_open()
        return True

    def writable(self):
        self.check_open()
        return False

    def seekable(self):
        self.check_open()
        return False

    def fileno(self):
        self.check_open()
        raise io.UnsupportedOperation("fileno")

    def write(self, text):
        self.check_open()
        raise io.UnsupportedOperation("not writable")

    def reconfigure(self, **settings):
        """Accepted and ignored: the host has decoded the text already."""
        self.check_open()

    @property
    def encoding(self):
        return "utf-8"

    @property
    def errors(self):
        return "strict"

    @property
    def newlines(self):
        return None

    @property
    def line_buffering(self):
        return False

    @property
    def mode(self):
        return "r"

    @property
    def name(self):
        return "<stdin>"

    def __enter__(self):
        self.check_open()
        return self

    def __exit__(self, *details):
        self.is_closed = True

    @property
    def __class__(self):
        return io.TextIOWrapper     # what programs ask isinstance for

    def __repr__(self):
        return "<_io.TextIOWrapper name='<stdin>' mode='r' encoding='utf-8'>"


@cython.final
@cython.auto_pickle(False)
cdef class BinaryInput:
    """``sys.stdin.buffer``: the same input as UTF-8 bytes."""
    cdef InputStream stream
    cdef bytes pending          # encoded and not used yet

    def __cinit__(self):
        self.pending = b""

    cdef bytes take(self, Py_ssize_t n):
        cdef bytes taken = self.pending[:n]
        self.pending = self.pending[n:]
        return taken

    cdef bint pull(self) except -1:
        cdef bytes line = self.stream.take_line(-1).encode("utf-8", "surrogateescape")
        self.pending += line
        return len(line) > 0

    @cython.always_allow_keywords(False)
    def read(self, size=-1):
        """Read at most size bytes, or all."""
        cdef Py_ssize_t n = size_of(size)
        self.stream.check_open()
        if n < 0:
            self.pending += self.stream.read().encode("utf-8", "surrogateescape")
            return self.take(len(self.pending))
        while len(self.pending) < n and self.pull():
            pass
        return self.take(n)

    @cython.always_allow_keywords(False)
    def readline(self, size=-1):
        """Read until newline or end of input."""
        cdef Py_ssize_t limit = size_of(size)
        cdef Py_ssize_t end
        self.stream.check_open()
        end = self.pending.find(b"\n")
        if end < 0:
            self.pull()
            end = self.pending.find(b"\n")
        end = len(self.pending) if end < 0 else end + 1
        return self.take(end if limit < 0 else min(limit, end))

    @cython.always_allow_keywords(False)
    def readlines(self, hint=-1):
        """Return a list of all lines."""
        return list(self)

    @cython.always_allow_keywords(False)
    def read1(self, size=-1):
        """Read at most size bytes, of one line that the host gives at most."""
        cdef Py_ssize_t n = size_of(size)
        self.stream.check_open()
        if not self.pending and n:
            self.pull()
        return self.take(len(self.pending) if n < 0 else n)

    @cython.always_allow_keywords(False)
    def readinto(self, buffer):
        """Read bytes into a buffer. Returns their number."""
        view = memoryview(buffer).cast("B")
        data = self.read(len(view))
        view[:len(data)] = data
        return len(data)

    def __iter__(self):
        self.stream.check_open()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def readable(self):
        self.stream.check_open()
        return True

    def writable(self):
        self.stream.check_open()
        return False

    def seekable(self):
        self.stream.check_open()
        return False

    def isatty(self):
        self.stream.check_open()
        return False

    def fileno(self):
        return self.stream.fileno()

    def flush(self):
        self.stream.check_open()

    def close(self):
        self.stream.close()

    @property
    def mode(self):
        return "rb"

    @property
    def name(self):
        return "<stdin>"

    @property
    def closed(self):
        return bool(self.stream.is_closed)

    @property
    def __class__(self):
        return io.BufferedReader

    def __repr__(self):
        return "<_io.BufferedReader name='<stdin>'>"


cdef int patch_types() except -1:
    get_slots(InputStream).tp_name = b"_io.TextIOWrapper"
    PyType_Modified(get_slots(InputStream))
    get_slots(BinaryInput).tp_name = b"_io.BufferedReader"
    PyType_Modified(get_slots(BinaryInput))
    return 0


patch_types()


def check_source(source):
    """TypeError for what cannot be a guest's standard input: it must be None, a str, a function that returns the next line
    (None at the end), or an object with a ``readline`` method."""
    if source is None or isinstance(source, str) or callable(getattr(source, "readline", None)) or callable(source):
        return
    raise TypeError("stdin must be a str, a function that returns the next line, or an object with a readline method, not "
                    f"{type_name_of(source)}")


def read_answer(stdin, stdout, tuple prompt):
    """What ``input`` does: the prompt to stdout, then a line of stdin without its newline.

    EOFError when there is none, RuntimeError when the guest has no such stream any more.
    """
    if stdin is None:
        raise RuntimeError("input(): lost sys.stdin")
    if stdout is None:
        raise RuntimeError("input(): lost sys.stdout")
    if prompt:
        stdout.write(str(prompt[0]))
    flush = getattr(stdout, "flush", None)
    if flush is not None:
        flush()
    line = stdin.readline()
    if not isinstance(line, str):
        raise TypeError("object.readline() returned non-string")
    if not line:
        raise EOFError("EOF when reading a line")
    return line[:-1] if line.endswith("\n") else line
