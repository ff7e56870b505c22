# cython: binding=False, wraparound=True, boundscheck=True
"""The context of a run: output streams, modules, and the builtins made for it."""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.objects.function cimport Function, hooks, is_foreign, is_left_behind, is_privileged, write_unraisable
from kimi_runtime.vm.values cimport Py_DECREF, Py_True
from kimi_runtime.objects.slots cimport (
    PyType_Modified, TypeSlots, call_by_vector, get_slots, slot_offset, type_name_of, DISALLOW_INSTANTIATION, HAVE_VECTORCALL_FLAG)

import builtins as host_builtins
import codecs
import contextvars
import io
import sys
import types
from _thread import get_ident
from _weakref import getweakrefcount

from kimi_runtime.objects.module_sources import find_sources
from kimi_runtime.objects.streams import InputStream
from kimi_runtime.vm.stopping import Stopped

cdef extern from "Python.h":
    PyObject *PyVectorcall_Call(PyObject *callable, PyObject *args, PyObject *kwargs) noexcept
    PyObject *PyDict_GetItem(object d, object key) noexcept
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL
    void PyErr_Clear() noexcept
    Py_ssize_t Py_REFCNT(PyObject *o) noexcept
    int PyUnicode_KIND(object text) noexcept
    void *PyUnicode_DATA(object text) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(object text) noexcept
    object PyUnicode_FromKindAndData(int kind, const void *data, Py_ssize_t size)

cdef extern from *:
    """
    static int k_context_failed(void) { return -1; }
    """
    int raise_pending "k_context_failed"() except -1


include "output.pxi"


cdef size_t last_serial = 0


cdef object usual_hot = None        # of contexts whose host says nothing of it


def set_usual_hot(policy):
    """The HotPolicy of contexts that are made from now on without one, or None: the hot tier is off."""
    global usual_hot
    usual_hot = policy


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
        self.hot = usual_hot

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

    def tell_tasks_apart(self):
        """The guest makes tasks, which may outlive the run: from now on what they write is known by the run that has made them.

        Returns whether the guest has a session.
        """
        if self.cells is None:
            return False
        if self.out.late is None:
            self.out.late = {}
            self.err.late = self.out.late
        run_of.set(self.out.number)
        return True

    cdef list late_parts(self):
        cdef list parts = []
        if self.out.late is None:
            return None
        if len(self.out.late) >= LATE_RUNS:
            del self.out.late[next(iter(self.out.late))]
        self.out.late[self.out.number] = parts
        return parts

    cdef int begin_run(self, Py_ssize_t number, variables) except -1:
        self.out.number = self.err.number = number
        if self.out.late is not None:
            variables.run(run_of.set, number)
        return 0

    def number_run(self, number, variables):
        """See ``begin_run``."""
        self.begin_run(number, variables)

    def late_output(self):
        """See ``late_parts``."""
        return self.late_parts()

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
        context.hot = self.hot
        context.follow(self.policy)
        return context

    def watch(self, wrap):
        """The observer of this run, and that of each later one, is what a function makes of the one that it would have."""
        self.watchers = (*(self.watchers or ()), wrap)
        self.observer = wrap(self.observer)

    def watch_no_more(self, wrap):
        """That ends with this run."""
        self.watchers = tuple([each for each in self.watchers if each != wrap]) or None
        self.observer = None

    def observe(self, observer):
        """The observer of the next run, or None: those who watch put theirs around it."""
        for wrap in self.watchers or ():
            observer = wrap(observer)
        self.observer = observer

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

    def abandon(self):
        """The guest goes on in another context: nothing of this one is finalized, and what it leads to is let go."""
        self.stop()
        if self.inner is not None:
            self.inner.modules.clear()
            self.inner.asyncio = self.inner.sys_dict = self.inner.stdin = self.inner.kept = None
            self.inner = None
        self.modules.clear()
        self.asyncio = self.sys_dict = self.stdin = self.cells = self.main_source = None
        self.kept = self.proxies = None
        self.asyncgen_firstiter = self.asyncgen_finalizer = None

    def release(self):
        """The guest is over, its exit functions have run: what its library modules lead to is let go now. They refer to each
        other in cycles, and the garbage of many guests at once would hold up the host. Finalizers may run."""
        cdef RunContext inner = self.inner
        if inner is not None:
            inner.modules.clear()
            inner.asyncio = inner.sys_dict = inner.stdin = inner.kept = None
            self.inner = None
        self.asyncio = self.sys_dict = self.stdin = self.kept = None

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


cdef bint is_untouched_stream(OutputStream stream) noexcept:
    return (stream.binary is None and stream.target is None and stream.callback is None
            and stream.usual_callback is None and not stream.is_closed and not stream.is_cut)


cdef bint is_untouched(RunContext context) noexcept:
    # The references are counted here, where nothing holds one for a call.
    return (Py_REFCNT(<PyObject *>context.out) == 1 and Py_REFCNT(<PyObject *>context.err) == 1
            and not context.modules and context.kept is None and context.proxies is None
            and context.cells is None and context.inner is None and context.guest is None and context.asyncio is None
            and context.sys_dict is None and context.stdin is None and context.asyncgen_firstiter is None
            and context.asyncgen_finalizer is None and context.origin_depth == 0 and context.warned is None
            and context.files is None and context.policy is None and context.observer is None and not context.displays
            and context.watchers is None and not context.stopped and context.out.budget is context.err.budget and not getweakrefcount(context)
            and is_untouched_stream(context.out) and is_untouched_stream(context.err))


cdef int renew(RunContext context) except -1:
    global last_serial
    last_serial += 1
    context.serial = last_serial
    context.main_source = None
    context.out.begin_again(None)
    context.err.begin_again(None)
    if context.out.budget is not None:
        context.out.budget.left = context.out.budget.limit
    return 0


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
        text = getattr(getattr(host_builtins, self.name, None), "__text_signature__", None)
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


cdef str s_import = "__import__", s_stdout = "stdout", s_stderr = "stderr"


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


cdef extern from *:
    """
    #include "layout.h"
    /* Where the tables of the builtins that were looked at last have __import__, by their versions, which are never used twice: a
       version is gone as soon as a key is added or removed. Nothing is noted before the core has proved the layout. Versions are
       given out one after the other, so those of guests that run side by side seldom share a place; where they do, finding the
       entry anew takes as long as looking it up. */
    enum { K_IMPORTS_KNOWN = 64 };
    static int k_layout_is_proved = 0;
    static struct { uint32_t version; Py_ssize_t index; } k_import_at[K_IMPORTS_KNOWN];
    static PyObject *k_find_import(PyObject *dict, PyObject *name) {
        KDictKeys *k = k_dict_keys(dict);
        uint32_t version = k->dk_version;
        PyObject *found;
        size_t mask, i, perturb;
        Py_ssize_t index;
        if (K_LIKELY(version != 0 && k_import_at[version % K_IMPORTS_KNOWN].version == version))
            return k_entries(k)[k_import_at[version % K_IMPORTS_KNOWN].index].value;
        found = PyDict_GetItemWithError(dict, name);
        if (found == NULL || version == 0 || !k_layout_is_proved || k->dk_kind != 1 || ((PyDictObject *)dict)->ma_values) return found;
        mask = ((size_t)1 << k->dk_log2_size) - 1;
        perturb = (size_t)((PyASCIIObject *)name)->hash;
        for (i = perturb & mask; (index = k_index_at(k, i)) != -1; perturb >>= 5, i = (i * 5 + perturb + 1) & mask)
            if (index >= 0 && k_entries(k)[index].key == name) {
                k_import_at[version % K_IMPORTS_KNOWN].version = version;
                k_import_at[version % K_IMPORTS_KNOWN].index = index;
                break;
            }
        return found;
    }
    """
    int k_layout_is_proved
    PyObject *k_find_import(object dict, object name) except? NULL


cdef void trust_layout() noexcept:
    """The core has proved the layout of dicts that layout.h knows."""
    global k_layout_is_proved
    k_layout_is_proved = 1


cdef RunContext context_of(builtins):
    cdef PyObject *found = k_find_import(builtins, s_import)
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
    cdef PyObject *before = NULL
    cdef RunContext found
    cdef RunContext context = None
    cdef int depth = 0
    if hooks.frame_builtins == NULL:
        return None
    while True:
        builtins = hooks.frame_builtins(depth)
        if builtins == before and builtins != NULL:     # one function of the library called another: nothing new
            depth += 1
            continue
        before = builtins
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


cdef object own_stream(RunContext context, str name, OutputStream given):
    """What the guest has put in the place of one of its output streams; None for nothing."""
    cdef PyObject *found = PyDict_GetItem(context.sys_dict, name)
    return None if found == NULL or found == <PyObject *>given else <object>found


cdef bint has_own_streams(RunContext context) noexcept:
    return context.sys_dict is not None and (own_stream(context, s_stdout, context.out) is not None
                                             or own_stream(context, s_stderr, context.err) is not None)


cdef bint flush_own_streams(RunContext context) except -1:
    cdef bint failed = False
    if context.sys_dict is None:
        return False
    for name, given in ((s_stdout, context.out), (s_stderr, context.err)):
        stream = own_stream(context, name, given)
        if stream is None or is_closed_stream(stream):
            continue
        try:
            stream.flush()
        except Stopped:
            raise
        except BaseException as error:      # of the guest's own object; as at the end of the interpreter
            failed = True
            if name is s_stdout:
                if sys.version_info >= (3, 13):
                    tell_unraisable(context, error, None, "Exception ignored on flushing sys.stdout")
                else:
                    tell_unraisable(context, error, stream)
    return failed


cdef bint is_closed_stream(stream) except -1:
    try:
        return bool(stream.closed)
    except Stopped:
        raise
    except BaseException:                   # it has no such attribute, or one that fails
        return False


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
    slots.tp_name = b"_io.TextIOWrapper"
    PyType_Modified(slots)
    slots = get_slots(BinaryOutput)
    slots.tp_name = b"_io.BufferedWriter"
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
    tell_unraisable(context, exc, where)
    return True


cdef int tell_unraisable(RunContext context, exc, where, message=None) except -1:
    module = context.modules.get("sys")
    hook = None if module is None else getattr(module, "unraisablehook", None)
    if hook is None or hook is unraisablehook or hook is sys.__unraisablehook__:
        write_unraisable_text(context, exc, where, message)
    else:
        # The host's own class of these arguments cannot be made by hand.
        hook(types.SimpleNamespace(exc_type=type(exc), exc_value=exc, exc_traceback=exc.__traceback__, err_msg=message,
                                   object=where))
    return 0


cdef int write_unraisable_text(RunContext context, exc, where, message) except -1:
    from kimi_runtime.objects.tracebacks import format_exception
    text = "Exception ignored in" if message is None else message
    text += ":" if where is None else f": {where!r}"
    context.err.put(f"{text}\n{format_exception(exc, chain=False)}")
    return 0


def unraisablehook(unraisable):
    """Handle an unraisable exception: ``sys.unraisablehook`` of a guest."""
    cdef RunContext context = current_context()
    if context is not None:
        write_unraisable_text(context, unraisable.exc_value, unraisable.object, getattr(unraisable, "err_msg", None))


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


cdef int begin_callback(RunContext context, PyObject *builtins) noexcept:
    return -1 if context.stopped else hooks.begin_unattended(is_other_guest(context), builtins)


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
