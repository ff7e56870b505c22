# cython: binding=False, wraparound=True, boundscheck=True
"""The context of a run: output streams, modules, and the builtins made for it."""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.objects.function cimport Function, hooks, is_foreign, is_left_behind, is_privileged, write_unraisable
from kimi_runtime.vm.values cimport Py_DECREF, Py_True
from kimi_runtime.objects.slots cimport (
    PyType_Modified, TypeSlots, call_by_vector, get_slots, slot_offset, type_name_of, DISALLOW_INSTANTIATION, HAVE_VECTORCALL_FLAG)

import codecs
import io
import sys
import types
from _thread import get_ident

from kimi_runtime.objects.module_sources import find_sources
from kimi_runtime.objects.streams import InputStream

cdef extern from "Python.h":
    PyObject *PyVectorcall_Call(PyObject *callable, PyObject *args, PyObject *kwargs) noexcept
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL
    void PyErr_Clear() noexcept
    int PyUnicode_KIND(object text) noexcept
    void *PyUnicode_DATA(object text) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(object text) noexcept
    object PyUnicode_FromKindAndData(int kind, const void *data, Py_ssize_t size)

cdef extern from *:
    """
    static int k_context_failed(void) { return -1; }
    """
    int raise_pending "k_context_failed"() except -1


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

    cdef int pass_on(self, str text) except -1:
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
        self.parts = []
        self.compacted = 0
        self.is_cut = self.broken = False
        self.callback = self.usual_callback if callback is None else callback
        return 0

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

    def __repr__(self):
        return f"<text stream name={self.name!r} mode='w' encoding='utf-8'>"


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
        return True

    @property
    def closed(self):
        return bool(self.stream.is_closed)

    def __repr__(self):
        return f"<binary stream name={self.stream.name!r}>"


cdef size_t last_serial = 0


@cython.final
@cython.auto_pickle(False)
cdef class RunContext:
    """What one run has to itself.

    stdout, stderr: objects with a ``write`` method, or None to collect the text in ``stdout_parts``, ``stderr_parts``.
    argv: ``sys.argv`` of the guest.  modules_source: see ``module_sources.find_sources``.  host_modules: modules of the host
    by name that the guest may import as they are.  modules: names of the library modules that the guest may import; None
    for all public ones.  privileged: for code of the library.  stdin: what the guest reads, see ``streams.check_source``.
    output_limit: bytes that both streams may write together, for runs with a meter; None for no limit.
    on_stdout, on_stderr: functions of the host that get the text instead, or None.
    """

    def __cinit__(self, stdout=None, stderr=None, argv=("",), modules_source=None, host_modules=None, modules=None,
                  bint privileged=False, output_limit=None, stdin=None, on_stdout=None, on_stderr=None):
        global last_serial
        last_serial += 1
        self.serial = last_serial
        self.out = OutputStream("<stdout>", stdout, on_stdout)
        self.err = OutputStream("<stderr>", stderr, on_stderr)
        if output_limit is not None:
            self.out.budget = self.err.budget = OutputBudget(output_limit)
        self.input = stdin
        self.modules = {}
        self.argv = tuple(argv)
        self.sources = find_sources(modules_source) if modules_source else None
        self.host_modules = dict(host_modules) if host_modules else None
        if host_modules:
            from kimi_runtime.bridge.gate import trust
            for each in host_modules.values():
                trust(each.__name__)
        self.allowed = modules
        self.privileged = privileged

    def source_of(self, str filename):
        """The text of one of the guest's own sources, as str or bytes, by its file name; or None."""
        if self.main_source is not None and self.main_source[0] == filename:
            return self.main_source[1]
        if self.cells is not None and filename in self.cells:
            return self.cells[filename]
        if self.sources is not None:
            for name, module in list(self.modules.items()):
                if type(module) is types.ModuleType and module.__dict__.get("__file__") == filename \
                        and name in self.sources:
                    return self.sources[name][0]
        return None

    @property
    def guest(self):
        """For a context of library modules that run in one guest: that guest's context. Otherwise None."""
        return self.guest

    @property
    def privileged(self):
        return self.privileged

    def library_side(self):
        """The context in which library modules run that this guest has to itself."""
        cdef RunContext inner = self.inner
        if inner is None:
            inner = RunContext(None, None, self.argv, privileged=True)
            inner.out = self.out
            inner.err = self.err
            inner.guest = self
            self.inner = inner
        return inner

    def begin_again(self, output_limit=None, on_stdout=None, on_stderr=None):
        """Another run of the same guest begins: with new lists for what it prints, and nothing of an earlier stop.

        on_stdout, on_stderr: functions of the host that get what it prints, or None for the usual ones.
        """
        self.stopped = False
        self.out.begin_again(on_stdout)
        self.err.begin_again(on_stderr)
        self.out.budget = self.err.budget = None if output_limit is None else OutputBudget(output_limit)

    def renewed(self, output_limit=None):
        """A new context with what the host gave this one."""
        cdef RunContext context = RunContext(self.out.target, self.err.target, self.argv, self.sources, self.host_modules,
                                             self.allowed, stdin=self.input, output_limit=output_limit,
                                             on_stdout=self.out.usual_callback, on_stderr=self.err.usual_callback)
        context.functions = self.functions
        context.displays = self.displays
        context.follow(self.policy)
        return context

    def take_output(self, size):
        """Counts what the guest shows by other ways than its streams: whether its limit of output allows it."""
        return self.out.budget is None or bool(self.out.budget.take(size))

    def follow(self, policy):
        """What the host says of clocks, randomness and environment holds from now on. policy: None, or an object with
        `new_clock()`, `new_entropy()` and `environment`."""
        self.policy = policy
        if policy is not None:
            self.clock = policy.new_clock()
            self.entropy = policy.new_entropy()

    def finish_output(self):
        """The callbacks get what is left of the run's output. Raises what they raise."""
        try:
            self.out.deliver(True)
        finally:
            self.err.deliver(True)

    @property
    def has_unsent(self):
        """Whether there is text that the callbacks have not got yet."""
        return self.out.pending_size != 0 or self.err.pending_size != 0

    @property
    def tells_host(self):
        """Whether what the guest writes makes code of the host run."""
        return self.out.callback is not None or self.err.callback is not None \
            or self.out.target is not None or self.err.target is not None

    @property
    def output_used(self):
        """Bytes that both streams have written in this run; 0 for runs without a limit of output."""
        if self.out.budget is None:
            return 0
        return self.out.budget.limit - max(self.out.budget.left, 0)

    def stop(self):
        """The run was stopped: nothing is written any more, and nothing that it left behind is finalized by guest code."""
        self.stopped = True
        self.out.is_cut = self.err.is_cut = True

    def set_sys(self, module):
        """Says which module is the guest's ``sys``."""
        self.sys_dict = module.__dict__
        # Library code finds the program by sys.modules. It is put there only now, because the reference cycle through
        # the context would leave every plain run to the garbage collector.
        if "__main__" not in self.modules:
            main = main_module(self)
            if main is not None:
                self.modules["__main__"] = main

    def offer(self, str name, module):
        """Puts a library module into ``sys.modules`` of the guest, unless the name stands for something of its own."""
        if name in self.modules or (self.sources is not None and name in self.sources) \
                or (self.host_modules is not None and name in self.host_modules):
            return
        self.modules[name] = module

    @property
    def stdout_parts(self):
        return self.out.parts

    @property
    def stderr_parts(self):
        return self.err.parts

    @property
    def stdout(self):
        return self.out

    @property
    def stderr(self):
        return self.err

    @property
    def stdin(self):
        if self.stdin is None:
            self.stdin = InputStream(self.input)
        return self.stdin

    @property
    def modules(self):
        return self.modules

    @property
    def argv(self):
        return self.argv


@cython.final
@cython.auto_pickle(False)
cdef class ContextFunction:
    """A builtin function that belongs to one context."""

    def __call__(self, *args, **kwargs):
        return call_by_vector(self, args, kwargs)

    @property
    def __name__(self):
        return self.name

    @property
    def __qualname__(self):
        return self.name

    @property
    def __module__(self):
        return "builtins"

    @property
    def __doc__(self):
        return self.doc

    @property
    def __self__(self):
        return None

    @property
    def __text_signature__(self):
        import builtins
        text = getattr(getattr(builtins, self.name, None), "__text_signature__", None)
        # There is no module that inspect.signature could see it bound to.
        return text and text.replace("($module, /, ", "(").replace("($module, ", "(")

    @property
    def __class__(self):
        # isinstance(print, types.BuiltinFunctionType), and so inspect.isbuiltin
        return types.BuiltinFunctionType

    def __repr__(self):
        return f"<built-in function {self.name}>"

    def __reduce__(self):
        return self.name


cdef ContextFunction new_context_function(RunContext context, str name, str doc, void *vectorcall):
    cdef ContextFunction f = ContextFunction.__new__(ContextFunction)
    f.vectorcall = <PyObject *>vectorcall
    f.context = context
    f.name = name
    f.doc = doc
    return f


cdef bint is_print(value) noexcept:
    return type(value) is ContextFunction and (<ContextFunction>value).name == "print"


cdef str s_import = "__import__", s_stdout = "stdout"


cdef unsigned long library_thread = 0       # the thread that runs a module of the shared library for the first time
cdef RunContext shared_library = None


def begin_library(RunContext context):
    """From here on the frames of the shared library count as its own, in this thread, not as those of a guest."""
    global library_thread, shared_library
    shared_library = context
    library_thread = get_ident()


def end_library():
    """Takes begin_library back."""
    global library_thread
    library_thread = 0


cdef RunContext context_of(builtins):
    cdef PyObject *found = PyDict_GetItemWithError(builtins, s_import)
    if found != NULL and type(<object>found) is ContextFunction:
        return importing_context(<ContextFunction>found, <PyObject *>builtins)
    return None


cdef RunContext importing_context(ContextFunction function, PyObject *builtins):
    # Code is the library's by the dictionary that was made for it, not by what stands in one: a guest can put there what it gets hold of.
    cdef RunContext context = function.context
    if context is not None and context.privileged and function.home != builtins:
        return context.guest
    return context


cdef RunContext innermost_context():
    cdef PyObject *builtins = NULL if hooks.frame_builtins == NULL else hooks.frame_builtins(0)
    return None if builtins == NULL else context_of(<object>builtins)


# Thread of the host -> the guest whose thread it runs.
cdef dict thread_contexts = {}


def begin_thread(RunContext context not None):
    """The calling thread of the host runs a thread of a guest from now on."""
    thread_contexts[get_ident()] = context


def end_thread():
    """It does not any more."""
    thread_contexts.pop(get_ident(), None)


cdef RunContext current_context():
    cdef PyObject *builtins
    cdef RunContext found
    cdef RunContext context = None
    cdef int depth = 0
    if hooks.frame_builtins == NULL:
        return None
    while True:
        builtins = hooks.frame_builtins(depth)
        if builtins == NULL:
            # None, or the library called by the host; or what a thread of a guest began with.
            if thread_contexts:
                context = thread_contexts.get(get_ident(), context)
            return metered_guest() if context is None and depth > 0 else context
        found = context_of(<object>builtins)
        if found is not None:
            context = found
            if not context.privileged:
                return context
            if context.guest is not None:
                return context.guest
            if library_thread and library_thread == get_ident():
                return context
        depth += 1                      # also past a namespace with other builtins than ours, which a guest can make


cdef RunContext guest_context(RunContext context):
    cdef RunContext found
    if not context.privileged:
        return context
    if context.guest is not None:
        return context.guest
    found = current_context()
    return context if found is None else found


cdef RunContext metered_guest():
    """The guest whose limits count in this thread, or None."""
    cdef PyObject *counted = NULL if hooks.metered_guest == NULL else hooks.metered_guest()
    return None if counted == NULL or <object>counted is None else <RunContext>counted


def running_context():
    """The context of the running guest, or None."""
    return current_context()


cdef size_t library_serial():
    return 0 if shared_library is None else shared_library.serial


cdef size_t current_serial():
    """Serial number of the running guest's context; 0 when there is none."""
    cdef RunContext context = current_context()
    return 0 if context is None else context.serial


cdef object current_stdout(RunContext context):
    cdef PyObject *found
    if context.sys_dict is None:
        return context.out
    found = PyDict_GetItemWithError(context.sys_dict, s_stdout)
    if found == NULL:
        raise RuntimeError("lost sys.stdout")
    return <object>found


cdef object current_stdin(RunContext context):
    if context.sys_dict is None:
        return context.stdin if context.stdin is not None else (<object>context).stdin
    return context.sys_dict.get("stdin")


cdef extern from *:
    """
    /* A module object begins with its dictionary, which CPython lets nobody choose. */
    static void k_use_namespace(PyObject *module, PyObject *namespace) {
        PyObject **slot = (PyObject **)((char *)module + sizeof(PyObject));
        PyObject *old = *slot;
        Py_INCREF(namespace);
        *slot = namespace;
        Py_XDECREF(old);
    }
    """
    void use_namespace "k_use_namespace"(object module, object namespace)


cdef object main_module(RunContext context):
    """The module of the context's main program, whose ``__dict__`` is the program's namespace; None when it does not run."""
    cdef PyObject *function
    cdef int depth = 0
    cdef dict namespace = None
    while True:
        hooks.frame_line(depth, &function)
        if function == NULL:
            break
        if (<Function>function).globals.get("__name__") == "__main__":
            if context_of((<Function>function).builtins) is context:
                namespace = (<Function>function).globals
        depth += 1
    if namespace is None:
        return None
    module = types.ModuleType("__main__")
    use_namespace(module, namespace)
    if module.__dict__ is not namespace:
        raise SystemError("the layout of module objects is not the one known")
    return module


cdef int patch_types() except -1:
    cdef TypeSlots *slots = get_slots(ContextFunction)
    cdef ContextFunction f = ContextFunction.__new__(ContextFunction)
    slots.tp_name = b"builtin_function_or_method"
    slots.tp_flags |= HAVE_VECTORCALL_FLAG
    slots.tp_vectorcall_offset = slot_offset(f, &f.vectorcall)
    slots.tp_call = <void *>PyVectorcall_Call
    slots.tp_new = slots.tp_vectorcall = NULL       # none that belongs to no context
    slots.tp_flags |= DISALLOW_INSTANTIATION
    del (<object>slots.tp_dict)["__new__"]
    PyType_Modified(slots)
    slots = get_slots(OutputStream)
    slots.tp_name = b"TextOutput"
    PyType_Modified(slots)
    slots = get_slots(BinaryOutput)
    slots.tp_name = b"BinaryOutput"
    PyType_Modified(slots)
    return 0


patch_types()


def make_builtins(RunContext context=None):
    """The builtins dictionary of a guest; see ``objects.builtins``."""
    from kimi_runtime.objects.builtins import make_builtins
    return make_builtins(context)


cdef object show_unraisable(exc, where):
    """By the hook that the running guest has set, or on its stderr; False when no guest runs."""
    cdef RunContext context = current_context()
    if context is None:
        return False
    module = context.modules.get("sys")
    hook = None if module is None else getattr(module, "unraisablehook", None)
    if hook is None or hook is unraisablehook or hook is sys.__unraisablehook__:
        write_unraisable_text(context, exc, where)
    else:
        # The host's own class of these arguments cannot be made by hand.
        hook(types.SimpleNamespace(exc_type=type(exc), exc_value=exc, exc_traceback=exc.__traceback__, err_msg=None,
                                   object=where))
    return True


cdef int write_unraisable_text(RunContext context, exc, where) except -1:
    from kimi_runtime.objects.tracebacks import format_exception
    context.err.put(f"Exception ignored in: {where!r}\n{format_exception(exc, chain=False)}")
    return 0


def unraisablehook(unraisable):
    """Handle an unraisable exception: ``sys.unraisablehook`` of a guest."""
    cdef RunContext context = current_context()
    if context is not None:
        write_unraisable_text(context, unraisable.exc_value, unraisable.object)


def excepthook(kind, value, traceback):
    """Handle an exception by displaying it with a traceback on sys.stderr: ``sys.excepthook`` of a guest."""
    from kimi_runtime.objects.tracebacks import format_exception
    cdef RunContext context = current_context()
    if context is None:
        return
    if value.__traceback__ is not traceback:
        value = value.with_traceback(traceback)
    stream = context.err if context.sys_dict is None else context.sys_dict.get("stderr")
    if stream is not None:
        stream.write(format_exception(value))


unraisablehook.__module__ = "sys"
excepthook.__module__ = "sys"


ctypedef PyObject *(*raw_turn)() noexcept
ctypedef PyObject *(*raw_write)(PyObject *, PyObject *) noexcept
cdef raw_write try_write = <raw_write><void *>show_unraisable


cdef int write_to_guest(PyObject *exc, PyObject *where) noexcept:
    cdef PyObject *done = try_write(exc, where)
    cdef int written
    if done == NULL:
        PyErr_Clear()
        return 0
    written = done == Py_True
    Py_DECREF(done)
    return written


write_unraisable = write_to_guest


cdef object flush_current():
    """Before the host's code runs for the running guest: its callbacks get what it has written so far."""
    cdef RunContext context = current_context()
    if context is not None:
        context.out.deliver(True)
        context.err.deliver(True)


cdef raw_turn try_flush = <raw_turn><void *>flush_current


cdef int flush_output() noexcept:
    cdef PyObject *done = try_flush()
    if done == NULL:
        return -1
    Py_DECREF(done)
    return 0


hooks.flush_output = flush_output


cdef RunContext guest_of(PyObject *builtins):
    """The guest that code with these builtins belongs to: None when it is no guest's, or the library's own context."""
    cdef RunContext context = context_of(<object>builtins)
    return context if context is None or context.guest is None else context.guest


cdef bint builtins_left_behind(PyObject *builtins) noexcept:
    cdef RunContext context
    try:
        context = guest_of(builtins)
        return context is not None and context.stopped
    except BaseException:           # no memory
        return True


is_left_behind = builtins_left_behind


cdef bint is_of_library(PyObject *builtins) noexcept:
    cdef RunContext context
    try:
        context = context_of(<object>builtins)
        return context is not None and context.privileged
    except BaseException:           # no memory
        return False


is_privileged = is_of_library


cdef bint is_of_shared_library(PyObject *builtins) noexcept:
    cdef RunContext context
    try:
        context = context_of(<object>builtins)
        return context is not None and context.privileged and context.guest is None
    except BaseException:           # no memory
        return False


cdef bint by_library() noexcept:
    cdef PyObject *builtins = hooks.frame_builtins(0) if hooks.frame_builtins != NULL else NULL
    return builtins != NULL and is_of_library(builtins)


cdef bint is_other_guest(RunContext context) noexcept:
    """Whether another guest runs in this thread."""
    cdef RunContext current
    cdef PyObject *counted
    try:
        if context is None or context.privileged:
            return False
        current = current_context()
        if current is not None:
            return current is not context
        # No frame of a guest yet, or none any more: between the begin of a run and that of its code, and at its end.
        counted = NULL if hooks.metered_guest == NULL else hooks.metered_guest()
        return counted != NULL and counted != <PyObject *>context
    except BaseException:           # no memory
        return True


cdef bint builtins_foreign(PyObject *builtins) noexcept:
    try:
        return is_other_guest(guest_of(builtins))
    except BaseException:           # no memory
        return True


is_foreign = builtins_foreign


cdef int begin_callback(RunContext context) noexcept:
    return -1 if context.stopped else hooks.begin_unattended(is_other_guest(context))


def running_builtins():
    """The builtins dictionary of the guest's own code that runs, or has called the library; a new one when no guest runs."""
    cdef PyObject *found
    cdef RunContext context
    cdef int depth = 0
    while hooks.frame_builtins != NULL:
        found = hooks.frame_builtins(depth)
        if found == NULL:
            break
        context = context_of(<object>found)
        if context is None or not context.privileged:
            return <object>found
        depth += 1
    found = hooks.frame_builtins(0) if hooks.frame_builtins != NULL else NULL
    return make_builtins() if found == NULL else <object>found
