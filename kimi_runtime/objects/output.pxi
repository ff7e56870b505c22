# The guest's output streams: what they collect, count and pass on.

cdef enum:
    LATE_RUNS = 64              # of a session, whose tasks are still heard

#: The number of the run that has begun what runs, in sessions with tasks: they copy their context.
run_of = contextvars.ContextVar("run", default=None)

def join_small(list parts not None, Py_ssize_t since):
    """Many small parts of a text take many times its memory: joins those from an index on, once they are many.

    Returns the index for the next time.
    """
    cdef list few
    cdef str text
    cdef Py_ssize_t size = 0
    if len(parts) - since <= MOST_PARTS:
        return since
    few = parts[since:]
    for each in few:
        size += len(each)
    if size <= SMALL_PART * len(few):
        text = "".join(few)
        # One wide character would make all of the text wide.
        parts[since:] = [text if text.isascii() else text.encode("utf-8", "surrogatepass")]
    return len(parts)


@cython.final
@cython.auto_pickle(False)
cdef class OutputBudget:
    """How much the streams of a guest may still write, in bytes of UTF-8."""

    def __cinit__(self, limit):
        self.limit = self.left = limit

    cdef bint take(self, Py_ssize_t size):
        if size > self.left:
            return False
        self.left -= size
        return True

    cdef int spend(self, OutputStream stream, str text) except -1:
        """Writes the text; what goes over the limit is cut, and the run stopped."""
        cdef Py_ssize_t size = len(text)
        if size <= self.left and not text.isascii():        # a text that is too long already is not copied
            size = len(text.encode("utf-8", "surrogatepass"))
        if size <= self.left:
            self.left -= size
            return stream.pass_on(text)
        if self.left >= 0:
            part = text[:self.left].encode("utf-8", "surrogatepass")[:self.left].decode("utf-8", "ignore")
            self.left = -1
            stream.pass_on(f"{part}\n[output stopped at the limit of {self.limit:,} bytes]\n")
        from kimi_runtime import _core
        _core.stop_running("output")
        return 0


@cython.final
@cython.auto_pickle(False)
cdef class OutputStream:
    """A text stream of the guest, which collects what is written or hands it to the host.

    target: an object with a ``write`` method that gets each text as it is written.  callback: a function that gets it by lines.
    What these do is code of the host: the guest's clock stands still, and what they raise ends the run.
    """

    def __cinit__(self, str name, target=None, callback=None):
        self.name = name
        self.parts = []
        self.target = target
        self.target_write = None if target is None else target.write
        self.callback = self.usual_callback = callback
        self.pending = []

    cdef int put(self, str text) except -1:
        if self.is_closed:
            raise ValueError("I/O operation on closed file.")
        if self.is_cut:
            return 0
        if hooks.check != NULL and hooks.stopped() and hooks.check() < 0:
            raise_pending()             # the stop was swallowed, and the next safepoint is not reached yet
        if self.budget is not None:
            return self.budget.spend(self, text)
        return self.pass_on(text)

    cdef bint is_late(self, str text) except -1:
        """Whether a task writes that an earlier run has begun: the text is that run's, unless the host gets what all runs write."""
        cdef list parts
        number = run_of.get()
        if number is None or number == self.number or self.target_write is not None \
                or self.callback is not None and self.callback is self.usual_callback:
            return False
        parts = self.late.get(number)
        if parts is not None:
            parts.append(text)
            if len(parts) > MOST_PARTS:
                join_small(parts, 0)
        return True

    cdef int pass_on(self, str text) except -1:
        if self.late is not None and self.is_late(text):
            return 0
        if self.callback is not None:
            if self.broken or not text:
                return 0
            if not self.pending_size:
                hooks.unsent += 1
            self.pending.append(text)
            self.pending_size += len(text)
            if self.pending_size >= LONGEST_PENDING or "\n" in text:
                self.deliver(False)
        elif self.target_write is None:
            self.parts.append(text)
            if len(self.parts) - self.compacted > MOST_PARTS:
                self.compact()
        else:
            self.call_host(self.target_write, text)
        return 0

    cdef int compact(self) except -1:
        self.compacted = join_small(self.parts, self.compacted)
        return 0

    cdef int deliver(self, bint whole) except -1:
        """Calls the callback with what is pending, up to the last end of a line unless `whole`."""
        cdef str text
        cdef Py_ssize_t end
        if whole:
            self.whole = True
        if self.delivering:             # it has set off code that writes; whoever called it goes on with that
            return 0
        self.delivering = True
        try:
            while self.pending_size:
                text = "".join(self.pending)
                end = len(text)
                if not self.whole and end < LONGEST_PENDING:
                    end = text.rfind("\n") + 1
                    if not end:
                        self.pending = [text]
                        break
                if hooks.begin_output != NULL and hooks.begin_output(NULL) < 0:
                    break               # not now; at the end of the run
                self.pending = [text[end:]]
                self.pending_size = len(text) - end
                if not self.pending_size:
                    self.pending = []
                    hooks.unsent -= 1
                try:
                    self.call_host(self.callback, text[:end])
                except BaseException:
                    self.broken = True
                    self.drop_pending()
                    raise
            self.whole = False
        finally:
            self.delivering = False
        return 0

    cdef int drop_pending(self) except -1:
        if self.pending_size:
            hooks.unsent -= 1
            self.pending_size = 0
            self.pending = []
        return 0

    cdef int call_host(self, call, str text) except -1:
        """Calls a function of the host, with a text that is its own."""
        cdef int outer
        cdef bint said = hooks.begin_output != NULL and hooks.begin_output(&outer) == 1
        raised = None
        try:
            if text is None:
                call()
            else:
                call(PyUnicode_FromKindAndData(PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)))
        except BaseException as error:
            raised = error
        if said:
            hooks.end_output(outer)
        if raised is not None:
            from kimi_runtime import _core
            _core.stop_for_host(raised)
        return 0

    cdef int begin_again(self, callback) except -1:
        """Another run of the guest begins."""
        if self.parts or Py_REFCNT(<PyObject *>self.parts) > 1:     # the list is that of an earlier result
            self.parts = []
        self.compacted = 0
        self.is_cut = self.broken = False
        self.callback = self.usual_callback if callback is None else callback
        return 0

    cdef list take_parts(self):
        cdef list parts = self.parts
        if not parts:
            return None
        self.parts = []
        self.compacted = 0
        return parts

    def __dealloc__(self):
        if self.pending_size:
            hooks.unsent -= 1

    @cython.always_allow_keywords(False)
    def write(self, text):
        """Write string to stream. Returns the number of characters written."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type_name_of(text)}")
        self.put(text if type(text) is str else str.__str__(text))
        return len(text)

    @cython.always_allow_keywords(False)
    def writelines(self, lines):
        """Write a list of lines to the stream."""
        for line in lines:
            self.write(line)

    cdef int check_open(self) except -1:
        if self.is_closed:
            raise ValueError("I/O operation on closed file")
        return 0

    def flush(self):
        """Flush what the host buffers."""
        if self.is_closed:
            raise ValueError("I/O operation on closed file.")
        if self.callback is not None:
            self.deliver(True)
        elif self.target is not None:
            flush = getattr(self.target, "flush", None)
            if flush is not None:
                self.call_host(flush, None)

    def isatty(self):
        self.check_open()
        return False

    def readable(self):
        self.check_open()
        return False

    def writable(self):
        self.check_open()
        return True

    def seekable(self):
        self.check_open()
        return False

    def fileno(self):
        self.check_open()
        raise io.UnsupportedOperation("fileno")

    def read(self, size=-1):
        self.check_open()
        raise io.UnsupportedOperation("not readable")

    def reconfigure(self, **settings):
        """Accepted and ignored: how the text is written is the host's affair."""
        self.check_open()

    def detach(self):
        """Separate the underlying buffer from the stream and return it; the stream itself goes on here."""
        self.check_open()
        return (<object>self).buffer

    def close(self):
        """Close the stream for the guest; what the host writes to stays open."""
        if not self.is_closed:
            self.flush()
            self.is_closed = True

    @property
    def closed(self):
        return bool(self.is_closed)

    @property
    def buffer(self):
        if self.binary is None:
            self.binary = BinaryOutput.__new__(BinaryOutput, self)
        return self.binary

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
    def write_through(self):
        return False

    @property
    def mode(self):
        return "w"

    @property
    def name(self):
        return self.name

    def __enter__(self):
        if self.is_closed:
            raise ValueError("I/O operation on closed file.")
        return self

    def __exit__(self, *details):
        self.close()

    @property
    def __class__(self):
        return io.TextIOWrapper     # what programs ask isinstance for

    def __repr__(self):
        return f"<_io.TextIOWrapper name={self.name!r} mode='w' encoding='utf-8'>"


@cython.final
@cython.auto_pickle(False)
cdef class BinaryOutput:
    """``sys.stdout.buffer``: bytes go to the buffer of the host's stream, or are decoded as UTF-8 where there is none."""
    cdef OutputStream stream
    cdef object decoder

    def __cinit__(self, OutputStream stream=None):
        if stream is None:
            raise TypeError("cannot create 'BinaryOutput' instances")
        self.stream = stream
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    @cython.always_allow_keywords(False)
    def write(self, data):
        """Write bytes. Returns their number."""
        if isinstance(data, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        data = bytes(memoryview(data))
        if self.stream.is_closed:
            raise ValueError("write to closed file")
        target = getattr(self.stream.target, "buffer", None) if self.stream.callback is None else None
        # Where there is a limit, what is over it is cut as text.
        if target is None or not (self.stream.budget is None or self.stream.budget.take(len(data))):
            self.stream.put(self.decoder.decode(data))
        elif not self.stream.is_cut:
            self.stream.flush()
            target.write(data)
        return len(data)

    @cython.always_allow_keywords(False)
    def writelines(self, lines):
        """Write a list of bytes objects."""
        for line in lines:
            self.write(line)

    def flush(self):
        self.stream.flush()

    def writable(self):
        self.stream.check_open()
        return True

    def readable(self):
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

    def close(self):
        self.stream.close()

    @property
    def closed(self):
        return bool(self.stream.is_closed)

    @property
    def mode(self):
        return "wb"

    @property
    def name(self):
        return self.stream.name

    @property
    def __class__(self):
        return io.BufferedWriter

    def __repr__(self):
        return f"<_io.BufferedWriter name={self.stream.name!r}>"
