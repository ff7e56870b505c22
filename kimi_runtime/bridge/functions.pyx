# cython: binding=False
"""Functions of the host, as guests see them: something that can be called, with a name and a documentation.

A call converts the arguments to plain data, lets the guest's clock stand still while the host's code runs, and converts what that
returns. An exception of it crosses as one without anything of the host: see ``host_exceptions``.
"""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.bridge.conversion cimport Converter, is_leaf
from kimi_runtime.objects.context cimport RunContext, current_context
from kimi_runtime.objects.function cimport hooks
from kimi_runtime.objects.slots cimport (
    DISALLOW_INSTANTIATION, HAVE_VECTORCALL_FLAG, IMMUTABLE_TYPE, PyType_Modified, TypeSlots, call_by_vector, get_slots,
    slot_offset)
from kimi_runtime.vm.values cimport Py_DECREF, Py_INCREF

import functools
import types

from kimi_runtime.bridge.conversion import LimitReached
from kimi_runtime.bridge.gate import let_through
from kimi_runtime.bridge.host_exceptions import raise_for_guest
from kimi_runtime.vm.stopping import Stopped

cdef extern from "layout.h":
    PyObject *k_take_raised() noexcept
    void k_restore_raised(PyObject *exc) noexcept

cdef extern from *:
    """
    static int k_functions_failed(void) { return -1; }
    """
    int raise_pending "k_functions_failed"() except -1
    PyObject *PyObject_Vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept
    Py_ssize_t PyVectorcall_NARGS(size_t nargsf) noexcept
    PyObject *PyVectorcall_Call(PyObject *callable, PyObject *args, PyObject *kwargs) noexcept
    void PyErr_SetObject(PyObject *kind, PyObject *value) noexcept
    void Py_XDECREF(PyObject *o) noexcept
    Py_ssize_t PyTuple_GET_SIZE(PyObject *o) noexcept
    PyObject *PyTuple_GET_ITEM(PyObject *o, Py_ssize_t i) noexcept
    void *PyMem_Malloc(size_t n) noexcept
    void PyMem_Free(void *p) noexcept

cdef enum:
    ON_STACK = 16
    IN_HOST = 1         # what begin_host_call says when it is code of the host that calls


cdef int watchers = 0               # runs whose calls somebody wants to be told of


def watch_calls(int change):
    """One more run whose calls are told to its observer, or one less (-1)."""
    global watchers
    watchers += change


cdef object argument(PyObject *value, str name, Py_ssize_t index, object keyword, bint guest_objects):
    cdef Converter c
    if is_leaf(value):              # shared, not copied
        return <object>value
    c = Converter.__new__(Converter)
    c.out = True
    c.wraps = guest_objects
    c.limit = hooks.result_limit()
    c.context = current_context()
    c.root = f"argument {index} of {name}()" if index else f"{name}({keyword}=...)"
    c.until_check = 1000
    try:
        return c.convert(value, NULL)
    except LimitReached:
        pass
    raise ValueError(f"{c.root} is larger than the limit of {c.limit:,} bytes (limits: result_size={c.limit})")


cdef object converted_result(value, str name):
    cdef Converter c = Converter.__new__(Converter)
    cdef PyObject *raw = <PyObject *>value
    c.root = f"the result of {name}()"
    c.context = current_context()
    c.until_check = 1000
    if type(value) is types.CoroutineType:
        value.close()
    return c.convert(raw, NULL)


cdef object finish_host_call(PyObject *r, int outer, str name, HostFunction function):
    cdef PyObject *raised = k_take_raised() if r == NULL else NULL
    cdef long long taken = hooks.end_host_call(outer)
    if watchers:
        tell_end(function, taken)
    if taken < 0:
        Py_XDECREF(r)
        Py_XDECREF(raised)
        raise_pending()
    if r != NULL:
        value = <object>r
        Py_DECREF(r)
    if function is not None and function.timeout:
        from kimi_runtime import _core
        _core.add_host_time(function, taken / 1e9, function.timeout)
    if raised != NULL:
        error = <object>raised
        Py_DECREF(raised)
        raise_crossed(error)
    if is_leaf(<PyObject *>value):
        return value
    return converted_result(value, name)


cdef int tell_end(HostFunction function, long long taken) except -1:
    """A call of the host is over: for the observer of the guest."""
    cdef PyObject *raised = k_take_raised()     # of the limit that it was over
    cdef RunContext context = current_context()
    if function is not None and context is not None and context.observer is not None:
        context.observer.returned(function, max(taken, 0))
    if raised != NULL:
        k_restore_raised(raised)
    return 0


cdef int raise_crossed(error) except -1:
    """Raises what an exception of the host's code is for the guest."""
    if type(error) is Stopped:
        raise error
    raise_for_guest(error)


cdef void set_clean(object error) noexcept:
    cdef PyObject *raw = <PyObject *>error
    if type(error) is Stopped:
        Py_INCREF(raw)
        k_restore_raised(raw)
    else:
        error.__traceback__ = None
        kind = type(error)
        PyErr_SetObject(<PyObject *>kind, raw)


@cython.final
@cython.auto_pickle(False)
cdef class HostFunction:
    """A function of the host. Guests see its name, documentation and signature, and can call it.

    Outside a run, and in code of the host, a call is a call of the function itself.
    """

    cdef object invoke(self, PyObject **args, Py_ssize_t n, PyObject *kwnames):
        """A call by a guest, or by the host; n counts the values of keywords too."""
        cdef PyObject *small[ON_STACK]
        cdef PyObject **argv = args
        cdef PyObject *r
        cdef Py_ssize_t npos = n if kwnames == NULL else n - PyTuple_GET_SIZE(kwnames)
        cdef Py_ssize_t i
        cdef int outer
        cdef int status
        cdef list made = None
        cdef RunContext context = None
        if hooks.running == NULL or not hooks.running() or hooks.in_host_code():
            r = PyObject_Vectorcall(<PyObject *>(self.call if self.awaited is None else self.awaited), args, npos, kwnames)
            if r == NULL:
                raise_pending()
            result = <object>r
            Py_DECREF(r)
            return result
        if hooks.stepping:
            from kimi_runtime import _core
            result = _core.called_in_step(self, tuple([<object>args[i] for i in range(npos)]), {} if kwnames == NULL else
                                          {each: <object>args[npos + i] for i, each in enumerate(<tuple><object>kwnames)})
            if result is not NotImplemented:
                return result
        for i in range(n):
            if not is_leaf(args[i]):
                value = argument(args[i], self.__name__, i + 1 if i < npos else 0,
                                 None if i < npos else <object>PyTuple_GET_ITEM(kwnames, i - npos), self.guest_objects)
                if <PyObject *>value == args[i]:
                    continue
                if made is None:
                    made = []
                    argv = small
                    if n > ON_STACK:
                        argv = <PyObject **>PyMem_Malloc(n * sizeof(PyObject *))
                    if argv == NULL:
                        raise MemoryError
                    for k in range(n):
                        argv[k] = args[k]
                made.append(value)
                argv[i] = <PyObject *>value
        try:
            if kwnames != NULL:
                names = plain_names(<object>kwnames)
                kwnames = <PyObject *>names
            if self.max_calls:
                from kimi_runtime import _core
                _core.count_host_call(self, self.max_calls)
            if watchers:
                context = current_context()
            status = hooks.begin_host_call(&outer)
            if status < 0:
                raise_pending()
            if watchers and context is not None and context.observer is not None:
                context.observer.called(self, tuple([<object>argv[i] for i in range(npos)]), {} if kwnames == NULL else
                                        {each: <object>argv[npos + i] for i, each in enumerate(<tuple><object>kwnames)})
            r = PyObject_Vectorcall(<PyObject *>self.call, argv, npos, kwnames)
        finally:
            if argv != args and argv != small:
                PyMem_Free(argv)
        made = None
        return finish_host_call(r, outer, self.__name__, self)

    def __call__(self, *args, **kwargs):
        return call_by_vector(self, args, kwargs)

    @property
    def __qualname__(self):
        return self.__name__

    @property
    def __module__(self):
        return "builtins"

    @property
    def __doc__(self):
        return self.doc

    @property
    def __text_signature__(self):
        if self.shown_signature is NotImplemented:
            from kimi_runtime import _core
            suspended = _core.suspend_meter()       # it is kept by the host
            try:
                self.shown_signature = signature_text(self.call if self.awaited is None or self.batched else self.awaited)
            finally:
                _core.resume_meter(suspended)
        return self.shown_signature

    @property
    def __class__(self):
        # For inspect.isbuiltin, by which inspect.signature goes.
        return types.BuiltinFunctionType

    def __repr__(self):
        return f"<host function {self.__name__}>"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError(f"cannot pickle the host function {self.__name__}")

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle the host function {self.__name__}")


cdef PyObject *function_vectorcall(PyObject *self, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept:
    cdef PyObject *raw
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    if kwnames != NULL:
        n += PyTuple_GET_SIZE(kwnames)
    error = None
    try:
        result = (<HostFunction>self).invoke(args, n, kwnames)
    except BaseException as raised:
        error = raised
    if error is not None:
        if hooks.running() and not hooks.in_host_code():
            set_clean(error)
        else:
            raw = <PyObject *>error
            Py_INCREF(raw)
            k_restore_raised(raw)
        return NULL
    raw = <PyObject *>result
    Py_INCREF(raw)
    return raw


cdef object plain_names(names):
    """Names of keywords, which may be of a guest's subclass of str."""
    for each in <tuple>names:
        if type(each) is not str:
            return tuple(str.__str__(each) if type(each) is not str else each for each in <tuple>names)
    return names


cdef bint is_async(call) except -1:
    """Whether a call gives a coroutine, as far as it can be told beforehand."""
    while True:
        if type(call) is functools.partial:
            call = call.func
        elif type(call) is types.MethodType:
            call = call.__func__
        else:
            break
    code = getattr(call, "__code__", None)
    if code is None and not isinstance(call, type):
        code = getattr(getattr(type(call), "__call__", None), "__code__", None)
    return type(code) is types.CodeType and code.co_flags & 0x280 != 0      # CO_COROUTINE, CO_ASYNC_GENERATOR


def is_coroutine_function(call):
    """Whether a call gives a coroutine or an async generator, as far as it can be told beforehand."""
    return is_async(call)


def callable_behind(HostFunction function not None):
    """What the host has given as the function, for the host."""
    return function.call if function.awaited is None else function.awaited


cdef str name_of(call):
    while type(call) is functools.partial:
        call = call.func
    name = getattr(call, "__name__", None)
    if type(name) is not str:
        name = type(call).__name__
    return name


cdef HostFunction make(call, str name, doc, bint guest_objects, double timeout, long long max_calls):
    cdef HostFunction f = HostFunction.__new__(HostFunction)
    f.vectorcall = <PyObject *><void *>function_vectorcall
    f.call = call
    f.__name__ = name
    f.doc = doc
    f.shown_signature = NotImplemented
    f.guest_objects = guest_objects
    f.timeout = timeout
    f.max_calls = max_calls
    return f


cdef HostFunction wrap(call, str name):
    if is_async(call):
        return wrap_async(call, name, False, False)
    doc = getattr(call, "__doc__", None) if not isinstance(call, type) or "__doc__" in vars(call) else None
    return make(call, name or name_of(call), doc if type(doc) is str else None, False, 0, 0)


cdef HostFunction wrap_async(call, str name, bint suspends, bint batched):
    """A function that ``run_async`` awaits: nothing else can call it."""
    cdef HostFunction f
    shown = name or name_of(call)
    if inspect_async_generator(call):
        raise TypeError(f"{shown} is an async generator, which guests cannot go over: give them an async function that returns "
                        "the next items")

    def waits(*args, **kwargs):
        raise RuntimeError(f"{shown}() is an async function of the host: the program has to be run by run_async(), with "
                           "isolation='inline'")

    doc = getattr(call, "__doc__", None)
    f = make(waits, shown, doc if type(doc) is str else None, False, 0, 0)
    f.awaited = call
    f.suspends = suspends
    f.batched = batched
    return f


cdef bint inspect_async_generator(call) except -1:
    while type(call) is functools.partial or type(call) is types.MethodType:
        call = call.func if type(call) is functools.partial else call.__func__
    code = getattr(call, "__code__", None)
    return type(code) is types.CodeType and code.co_flags & 0x200 != 0      # CO_ASYNC_GENERATOR


def host_function(call=None, /, *, name=None, doc=None, guest_objects=False, timeout=None, max_calls=None, suspend=False,
                  batched=False):
    """A function of the host with settings of its own, to be given to guests. Plain functions need none.

    It can be used as a decorator. For the host itself the function stays what it is: calling it is calling the function.

    Args:
        call: the callable.
        name: the name that guests see, by default its own.
        doc: the documentation that guests see, by default its own.
        guest_objects: functions, instances and whatever else of the guest is no plain data arrive as ``GuestObject``. Without
            it passing one is a TypeError in the guest.
        timeout: wall seconds that all its calls in a run may take together. They are never interrupted; when one returns
            and the time is over, the run is stopped.
        max_calls: how often a run may call it; one more stops the run.
        suspend: for an async function: the guest calls it without ``await``, and its program waits for the result.
        batched: the function, async or not, gets a list of all calls that are ready, each with ``args`` and ``kwargs``, and
            returns the list of their results; one that is an exception is raised in the guest. The guest awaits it, unless
            suspend is true.

    Raises:
        TypeError: an argument is of another type, or the function is an async generator.
        ValueError: timeout or max_calls is not positive.
    """
    if call is None:
        def decorate(call):
            return host_function(call, name=name, doc=doc, guest_objects=guest_objects, timeout=timeout, max_calls=max_calls,
                                 suspend=suspend, batched=batched)
        return decorate
    if not callable(call):
        raise TypeError(f"host_function needs a callable, not {type(call).__name__}")
    for which, text in (("name", name), ("doc", doc)):
        if text is not None and type(text) is not str:
            raise TypeError(f"host_function: {which} must be a str, not {type(text).__name__}")
    if timeout is not None:
        if type(timeout) not in (int, float):
            raise TypeError(f"host_function: timeout must be a number of seconds, not {type(timeout).__name__}")
        if not 0 < timeout < 1e9:
            raise ValueError(f"host_function: timeout must be positive, not {timeout!r}; None means no limit")
    if max_calls is not None:
        if type(max_calls) is not int:
            raise TypeError(f"host_function: max_calls must be an int, not {type(max_calls).__name__}")
        if not 0 < max_calls < 1 << 62:
            raise ValueError(f"host_function: max_calls must be positive, not {max_calls!r}; None means no limit")
    if type(call) is HostFunction:
        suspend = suspend or (<HostFunction>call).suspends
        batched = batched or (<HostFunction>call).batched
        call = (<HostFunction>call).call if (<HostFunction>call).awaited is None else (<HostFunction>call).awaited
    if suspend and not batched and not is_async(call):
        raise TypeError(f"host_function: suspend is for async functions, and {name_of(call)} is none: the guest waits for it anyway")
    made = wrap_async(call, name, suspend, batched) if suspend or batched else wrap(call, name)
    f = make(made.call, made.__name__, doc if doc is not None else made.doc, guest_objects, timeout or 0, max_calls or 0)
    f.awaited, f.suspends, f.batched = made.awaited, made.suspends, made.batched
    return f


def calls_async_functions(values):
    """Whether some of the values are functions that ``run_async`` awaits."""
    for each in values:
        if type(each) is HostFunction and (<HostFunction>each).awaited is not None:
            return True
    return False


def make_suspending(str name not None):
    """A function that has no callable of the host: calls of it suspend programs that were begun for that."""
    def suspends(*args, **kwargs):
        raise RuntimeError(f"{name}() suspends the program: it can be called in one that Session.start() runs with that name")

    return make(suspends, name, None, False, 0, 0)


def callable_of(HostFunction function not None):
    """The host's callable."""
    return function.call


def settings_of(HostFunction function not None):
    """What a worker has to know of a function: name, documentation, signature, timeout, number of calls, guest_objects."""
    return (function.__name__, function.doc, function.__text_signature__, function.timeout, function.max_calls,
            bool(function.guest_objects))


def remote_function(call, str name not None, doc, signature, double timeout, long long max_calls):
    """A function of a host in another process; call asks that."""
    cdef HostFunction function = make(call, name, doc, False, timeout, max_calls)
    function.shown_signature = signature
    return function


# ---- in threads of the host ---------------------------------------------------------------------
def prepare_aside(HostFunction function not None, args, kwargs):
    """For a call in a thread of the host: checks and converts in the guest's thread.

    Returns:
        A callable of the host without arguments.
    """
    cdef int outer
    name = function.__name__
    args = tuple([argument(<PyObject *>each, name, i + 1, None, function.guest_objects) for i, each in enumerate(args)])
    kwargs = {str.__str__(key): argument(<PyObject *>each, name, 0, key, function.guest_objects)
              for key, each in kwargs.items()}
    if function.max_calls:
        from kimi_runtime import _core
        _core.count_host_call(function, function.max_calls)
    if hooks.begin_host_call(&outer) < 0 or hooks.end_host_call(outer) < 0:
        raise_pending()
    return functools.partial(function.call, *args, **kwargs)


def finish_aside(HostFunction function not None, bint failed, value):
    """In the guest's thread: what such a call gave, as the guest gets it: (failed, value or exception)."""
    try:
        if failed:
            raise_crossed(value)
        return False, value if is_leaf(<PyObject *>value) else converted_result(value, function.__name__)
    except Exception as error:
        return True, error.with_traceback(None)


# ---- signatures ----------------------------------------------------------------------------------
cdef object signature_text(call):
    """Parameters with their defaults, as far as those are plain data: what ``__text_signature__`` is; None without one."""
    from kimi_runtime import _core
    inspect = _core.host_module("inspect")
    try:
        signature = inspect.signature(call)
    except (ValueError, TypeError):
        return None
    parameters = []
    for each in signature.parameters.values():
        default = each.default
        if default is not each.empty and not (default is None or type(default) in (bool, int, float, str, bytes)):
            default = ...
        parameters.append(each.replace(annotation=each.empty, default=default))
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty)).replace("=Ellipsis", "=...")


cdef int patch_types() except -1:
    cdef TypeSlots *slots = get_slots(HostFunction)
    cdef HostFunction f = HostFunction.__new__(HostFunction)
    slots.tp_name = b"host_function"
    slots.tp_flags |= HAVE_VECTORCALL_FLAG | IMMUTABLE_TYPE | DISALLOW_INSTANTIATION
    slots.tp_vectorcall_offset = slot_offset(f, &f.vectorcall)
    slots.tp_call = <void *>PyVectorcall_Call
    slots.tp_new = slots.tp_vectorcall = NULL       # Cython's types are made by either
    # The wrapper in the type's dictionary would call the slot that is gone.
    del (<object>slots.tp_dict)["__new__"]
    PyType_Modified(slots)
    let_through(HostFunction)
    return 0


patch_types()
