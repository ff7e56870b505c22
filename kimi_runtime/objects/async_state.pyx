# cython: binding=False, wraparound=True, boundscheck=True
"""What a run keeps for its coroutines and asynchronous generators: the hooks of ``sys``, and warnings about coroutines
that were never awaited."""
from cpython.ref cimport PyObject

from kimi_runtime.objects.context cimport RunContext, context_of, current_context, guest_context
from kimi_runtime.objects.function cimport (
    Coroutine, Function, guest_async_hooks, hooks, origin_depth, report_unraisable, warn_never_awaited)
from kimi_runtime.objects.slots cimport type_name_of
from kimi_runtime.objects.tracebacks cimport source_line
from kimi_runtime.vm.values cimport Py_DECREF

import sys

cdef extern from "Python.h":
    PyObject *PyErr_Occurred() noexcept
    void PyErr_Clear() noexcept
    bint PyCallable_Check(object o) noexcept

cdef extern from "layout.h":
    PyObject *k_take_raised() noexcept

cdef bint NEW_WORDING = sys.version_info >= (3, 13)
cdef str CALLED = "function"        # CPython's argument parser is not told the name
cdef bint origins_wanted = False        # by any run so far: spares others the question


cdef RunContext running():
    cdef RunContext context = current_context()
    if context is None:
        raise RuntimeError("no guest is running")
    return context


cdef int find_hooks(PyObject **firstiter, PyObject **finalizer) noexcept:
    """See guest_async_hooks in function.pxd."""
    cdef PyObject *found
    cdef RunContext context
    firstiter[0] = NULL
    finalizer[0] = NULL
    if hooks.frame_builtins == NULL or hooks.frame_builtins(0) == NULL:
        return 0
    found = try_context()
    if found == NULL:
        PyErr_Clear()
        return 1
    context = <RunContext>found
    Py_DECREF(found)            # the running frame keeps the context
    if context is None:
        return 1
    if context.asyncgen_firstiter is not None:
        firstiter[0] = <PyObject *>context.asyncgen_firstiter
    if context.asyncgen_finalizer is not None:
        finalizer[0] = <PyObject *>context.asyncgen_finalizer
    return 1


ctypedef PyObject *(*raw_nullary)() noexcept
cdef raw_nullary try_context = <raw_nullary><void *>current_context


cdef int find_origin_depth() noexcept:
    cdef PyObject *found
    cdef int depth = 0
    if not origins_wanted:
        return 0
    found = try_context()
    if found == NULL:
        PyErr_Clear()
        return 0
    if <object>found is not None:
        depth = (<RunContext>found).origin_depth
    Py_DECREF(found)
    return depth


# ---- sys.… -------------------------------------------------------------------------------------
def set_asyncgen_hooks(*args, **keywords):
    """set_asyncgen_hooks([firstiter] [, finalizer])

Set a finalizer for async generators objects."""
    cdef RunContext context = running()
    cdef tuple names = ("firstiter", "finalizer")
    cdef list values = list(args) + [context] * (2 - len(args))     # the context: not given
    if len(args) + len(keywords) > 2:
        raise TypeError(f"{CALLED} takes at most 2 arguments ({len(args) + len(keywords)} given)")
    for name, value in keywords.items():
        if name not in names:
            raise TypeError(f"this {CALLED} got an unexpected keyword argument '{name}'" if NEW_WORDING
                            else f"'{name}' is an invalid keyword argument for this {CALLED}")
        if names.index(name) < len(args):
            raise TypeError(f"argument for {CALLED} given by name ('{name}') and position "
                            f"({names.index(name) + 1})")
        values[names.index(name)] = value
    for name, value in zip(reversed(names), reversed(values)):
        if value is not context and value is not None and not PyCallable_Check(value):
            raise TypeError(f"callable {name} expected, got {type_name_of(value)}")
    if values[0] is not context:
        context.asyncgen_firstiter = values[0]
    if values[1] is not context:
        context.asyncgen_finalizer = values[1]


def get_asyncgen_hooks():
    """Return the installed asynchronous generators hooks.

This returns a namedtuple of the form (firstiter, finalizer)."""
    cdef RunContext context = running()
    # The type is asked for each time: a debug build of CPython ends with a check that nobody holds it.
    return type(sys.get_asyncgen_hooks())((context.asyncgen_firstiter, context.asyncgen_finalizer))


def set_coroutine_origin_tracking_depth(depth):
    """Enable or disable origin tracking for coroutine objects in this thread.

Coroutine objects will track 'depth' frames of traceback information
about where they came from, available in their cr_origin attribute.

Set a depth of 0 to disable."""
    global origins_wanted
    cdef int wanted = depth
    if wanted < 0:
        raise ValueError("depth must be >= 0")
    running().origin_depth = wanted
    if wanted:
        origins_wanted = True


def get_coroutine_origin_tracking_depth():
    """Check status of origin tracking for coroutine objects in this thread."""
    return running().origin_depth


for function in (set_asyncgen_hooks, get_asyncgen_hooks, set_coroutine_origin_tracking_depth,
                 get_coroutine_origin_tracking_depth):
    function.__module__ = "sys"
del function


# ---- never awaited -----------------------------------------------------------------------------
cdef object warn(Coroutine coro):
    """The warning, by the guest's ``warnings`` when it has imported them, else on its stderr; False when it is no
    guest's coroutine."""
    cdef Function function = coro.func
    cdef RunContext context
    context = None if function is None else context_of(function.builtins)
    if context is None:
        return False
    context = guest_context(context)
    module = context.modules.get("warnings")
    if module is None:
        write_warning(context, coro)
        return True
    try:
        module._warn_unawaited_coroutine(coro)
    except RuntimeWarning as error:             # the guest's filters make errors of warnings
        report_unraisable(<PyObject *>error, <PyObject *>coro)
    except BaseException as error:
        if not isinstance(error, AttributeError) or hasattr(module, "_warn_unawaited_coroutine"):
            report_unraisable(<PyObject *>error, <PyObject *>coro)
        module.warn(f"coroutine '{coro.qualname}' was never awaited", RuntimeWarning, 1, coro)
    return True


cdef int write_warning(RunContext context, Coroutine coro) except -1:
    """The text of the default filter: once for each message and line."""
    cdef PyObject *raw
    cdef int line = hooks.frame_line(0, &raw)
    cdef str filename = "sys"
    cdef str text = f"coroutine '{coro.qualname}' was never awaited"
    cdef str shown = ""
    if coro.extra != NULL:
        text += "\nCoroutine created at (most recent call last)" + origin_text(<tuple>coro.extra)
    if raw == NULL:
        line = 1
    else:
        filename = (<Function>raw).code.filename
        shown = source_line((<Function>raw).code.source, filename, line)
    if context.warned is None:
        context.warned = set()
    if (text, filename, line) in context.warned:
        return 0
    context.warned.add((text, filename, line))
    if shown:
        shown = f"  {shown}\n"
    context.err.put(f"{filename}:{line}: RuntimeWarning: {text}\n{shown}"
                    "RuntimeWarning: Enable tracemalloc to get the object allocation traceback\n")
    return 0


cdef str origin_text(tuple origin):
    from kimi_runtime import _core
    cdef str text = ""
    for filename, line, name in reversed(origin):
        text += f'\n  File "{filename}", line {line}, in {name}'
        shown = _core.host_module("linecache").getline(filename, line).strip()
        if shown:
            text += f"\n    {shown}"
    return text


ctypedef PyObject *(*raw_unary)(PyObject *) noexcept
cdef raw_unary try_warn = <raw_unary><void *>warn


cdef int warn_of(PyObject *coro) noexcept:
    """See warn_never_awaited in function.pxd."""
    cdef PyObject *done = try_warn(coro)
    cdef PyObject *error
    cdef bint found
    if done == NULL:
        error = k_take_raised()
        if error != NULL:
            report_unraisable(error, coro)
            Py_DECREF(error)
        return 1
    found = <object>done is True
    Py_DECREF(done)
    return found


guest_async_hooks = find_hooks
origin_depth = find_origin_depth
warn_never_awaited = warn_of
