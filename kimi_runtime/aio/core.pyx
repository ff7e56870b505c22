# cython: binding=False, wraparound=True, boundscheck=True
"""Futures, tasks and the event loop of a guest's ``asyncio``.

What runs once per switch of tasks is here, in one compiled unit; the rest of ``asyncio`` is guest code
(``library/guest/asyncio_*.py`` and files of the host's library).

- ``state.pxi``    what the asyncio of one guest has to itself: its running loop, its tasks
- ``contexts.pxi`` context variables and contexts
- ``handles.pxi``  Handle and TimerHandle; the timer heap
- ``futures.pxi``  Future
- ``tasks.pxi``    Task and its step
- ``loop.pxi``     the ready queue and the loop
- ``threads.pxi``  functions of the host in threads
- ``snapshots.pxi`` their parts, for snapshots

The ready queue does not hold a Handle for each thing to do.  An entry is what, argument, context:

====================  ==============  ===========  ==========================================
what                  argument        context      runs
====================  ==============  ===========  ==========================================
Handle, TimerHandle   NULL            NULL         the callback of the handle
Task                  NULL            NULL         a step of the task
Task                  an exception    NULL         a step that raises it in the coroutine
Task                  a Future        NULL         a step after the future that it waited for
anything else         a Future        a Context    what(future), a callback of the future
====================  ==============  ===========  ==========================================
"""
cimport cython
from cpython.ref cimport PyObject
from libc.math cimport INFINITY, nextafter
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from kimi_runtime.objects.clocks cimport GuestClock, clock_here
from kimi_runtime.objects.context cimport RunContext, current_context
from kimi_runtime.objects.function cimport Coroutine, Generator, coroutine_step, hooks, report_unraisable
from kimi_runtime.objects.slots cimport (
    PyType_Modified, TypeSlots, get_slots, slot_offset)

import _thread
import functools
import time
import types
from weakref import ref

from kimi_runtime.bridge.functions import HostFunction, finish_aside, make_suspending, prepare_aside

cdef extern from "Python.h":
    ctypedef struct PyThreadState:
        pass
    ctypedef int (*visitproc)(PyObject *, void *) noexcept
    ctypedef int (*traverseproc)(PyObject *, visitproc, void *) noexcept
    ctypedef int (*inquiry)(PyObject *) noexcept
    ctypedef enum PySendResult:
        PYGEN_RETURN
        PYGEN_ERROR
        PYGEN_NEXT
    int PY_VERSION_HEX
    PyObject *Py_None
    PyObject *PyExc_BaseException
    PyObject *PyExc_KeyboardInterrupt
    PyObject *PyExc_SystemExit
    PyObject *PyExc_StopIteration
    PyObject *Py_TYPE "(PyObject *)Py_TYPE"(PyObject *o) noexcept
    void Py_INCREF(PyObject *o) noexcept
    void Py_DECREF(PyObject *o) noexcept
    void Py_XDECREF(PyObject *o) noexcept
    void Py_XINCREF(PyObject *o) noexcept
    bint PyExceptionInstance_Check(PyObject *o) noexcept
    bint PyExceptionClass_Check(PyObject *o) noexcept
    PyThreadState *PyThreadState_Get() noexcept
    PySendResult PyIter_Send(PyObject *iterator, PyObject *value, PyObject **result) noexcept
    PyObject *PyObject_CallOneArg(PyObject *function, PyObject *argument) noexcept
    PyObject *PyObject_Call(PyObject *function, PyObject *args, PyObject *kwargs) noexcept
    PyObject *PyObject_CallMethodOneArg(PyObject *o, PyObject *name, PyObject *argument) noexcept
    PyObject *PyContext_CopyCurrent() noexcept
    int PyContext_Enter(PyObject *context) noexcept
    int PyContext_Exit(PyObject *context) noexcept
    int PyErr_CheckSignals() except -1
    void PyErr_SetObject(PyObject *cls, PyObject *value) noexcept
    PyObject *PyErr_Occurred() noexcept
    int PyErr_GivenExceptionMatches(PyObject *given, PyObject *wanted) noexcept
    void PyErr_WriteUnraisable(PyObject *where) noexcept
    int PyException_SetTraceback(PyObject *exc, PyObject *tb) noexcept
    PyObject *PyException_GetTraceback(PyObject *exc) noexcept
    void PyException_SetContext(PyObject *exc, PyObject *context) noexcept
    int PyObject_TypeCheck(PyObject *o, PyObject *cls) noexcept
    list PyList_New(Py_ssize_t n)
    int PyObject_GenericSetAttr(object o, object name, object value) except -1
    PyObject *PyList_GET_ITEM(PyObject *l, Py_ssize_t i) noexcept
    void PyList_SET_ITEM(PyObject *l, Py_ssize_t i, PyObject *o) noexcept
    int PyContext_CheckExact(PyObject *o) noexcept

cdef extern from *:
    """
    /* The raised exception with its traceback, taken off; NULL when there is none. */
    static PyObject *k_aio_take(void) {
    #if PY_VERSION_HEX >= 0x030C0000
        return PyErr_GetRaisedException();
    #else
        PyObject *type, *value, *tb;
        PyErr_Fetch(&type, &value, &tb);
        if (type == NULL) { return NULL; }
        PyErr_NormalizeException(&type, &value, &tb);
        if (tb != NULL) { PyException_SetTraceback(value, tb); Py_DECREF(tb); }
        Py_DECREF(type);
        return value;
    #endif
    }
    /* Raises it again as it is; takes over the reference. */
    static void k_aio_raise(PyObject *exc) {
    #if PY_VERSION_HEX >= 0x030C0000
        PyErr_SetRaisedException(exc);
    #else
        PyErr_Restore(Py_NewRef((PyObject *)Py_TYPE(exc)), exc, PyException_GetTraceback(exc));
    #endif
    }
    static int k_aio_failed(void) { return -1; }
    """
    PyObject *k_aio_take() noexcept
    void k_aio_raise(PyObject *exc) noexcept
    int raise_pending "k_aio_failed"() except -1

cdef enum:
    PENDING = 0
    CANCELLED = 1
    FINISHED = 2

cdef bint since_312 = PY_VERSION_HEX >= 0x030C0000
cdef bint since_313 = PY_VERSION_HEX >= 0x030D0000

cdef tuple STATES = ("PENDING", "CANCELLED", "FINISHED")
cdef object MISSING = object()
cdef str s_throw = "throw", s_call_soon = "call_soon"
cdef object GenericAlias = types.GenericAlias

# Set by use_exceptions and use_helpers, when the library modules that define them have run.
cdef object CancelledError = None
cdef object InvalidStateError = None
cdef object future_repr = None
cdef object task_repr = None
cdef object get_task_stack = None
cdef object print_task_stack = None
cdef object is_coroutine_object = None
cdef object callback_source = None
cdef object extract_stack = None


def use_exceptions(cancelled, invalid_state):
    """Called when ``asyncio.exceptions`` has run: the classes that futures raise."""
    global CancelledError, InvalidStateError
    CancelledError = cancelled
    InvalidStateError = invalid_state


def use_helpers(**helpers):
    """Called when library modules have run: functions for texts and checks, by name.

    future_repr(future), task_repr(task), get_task_stack(task, limit), print_task_stack(task, limit, file),
    is_coroutine_object(object), callback_source(function, args), extract_stack().
    """
    global future_repr, task_repr, get_task_stack, print_task_stack, is_coroutine_object, callback_source
    global extract_stack
    future_repr = helpers.get("future_repr", future_repr)
    task_repr = helpers.get("task_repr", task_repr)
    get_task_stack = helpers.get("get_task_stack", get_task_stack)
    print_task_stack = helpers.get("print_task_stack", print_task_stack)
    is_coroutine_object = helpers.get("is_coroutine_object", is_coroutine_object)
    callback_source = helpers.get("callback_source", callback_source)
    extract_stack = helpers.get("extract_stack", extract_stack)


cdef object take(PyObject *o):
    """A new reference as a Python value; the pending exception when it is NULL."""
    if o == NULL:
        raise_pending()
    value = <object>o
    Py_DECREF(o)
    return value


cdef object copied_context():
    return take(PyContext_CopyCurrent())


include "state.pxi"
include "contexts.pxi"
include "handles.pxi"
include "futures.pxi"
include "tasks.pxi"
include "loop_core.pxi"
include "threads.pxi"
include "slots.pxi"
include "snapshots.pxi"
