# cython: binding=False, wraparound=True, boundscheck=True
"""Calls into a guest's code that natives make when an object dies: callbacks of weak references, ``close`` of streams.

The object may die at any time, and anywhere: when the host drops a result, or when the collector looks through another
guest. What the guest wrote to be called then must not run for the account of whoever happens to be at work, nor without
any limits, nor once its run was stopped. So the reference gets a callback of ours, which knows the guest, and a stream
that a guest's class makes has a finalizer of ours. ``__del__`` is the class builder's (``objects/class_builder.pyx``).
"""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.objects.class_builder cimport begin_del
from kimi_runtime.objects.context cimport RunContext, begin_callback, current_context
from kimi_runtime.objects.function cimport Function, hooks, report_unraisable
from kimi_runtime.objects.slots cimport TypeSlots, destructor, get_slots
from kimi_runtime.vm.values cimport Py_TYPE

import _io
import _weakref


@cython.final
@cython.auto_pickle(False)
cdef class WeakCallback:
    """Calls what a guest has given as callback, with limits of its own when that is outside its run."""
    cdef object function
    cdef object guest           # weak reference to its context: a table of the library may keep the callback

    def __call__(self, reference):
        cdef int begun = 0
        cdef PyObject *builtins = <PyObject *>(<Function>self.function).builtins if type(self.function) is Function else NULL
        guest = self.guest()
        if guest is not None:           # else nothing of it is left, and so no code of it in what is called
            begun = begin_callback(guest, builtins)
        if begun < 0:
            return
        try:
            self.function(reference)
        except BaseException as error:
            if begun == 0:              # otherwise nobody is there to be told
                report_unraisable(<PyObject *>error, <PyObject *>self.function)
        finally:
            hooks.end_unattended(begun)


cdef object for_guest(function):
    cdef WeakCallback made
    cdef RunContext context
    if function is None or type(function) is WeakCallback or hooks.guest_is_direct == NULL or not hooks.guest_is_direct():
        return function
    context = current_context()
    if context is None or context.privileged:
        return function
    made = WeakCallback.__new__(WeakCallback)
    made.function = function
    made.guest = _weakref.ref(context)
    return made


cdef object given_callback(found):
    return (<WeakCallback>found).function if type(found) is WeakCallback else found


cdef RunContext guest_of_callback(found):
    return (<WeakCallback>found).guest() if type(found) is WeakCallback else None


def callback_for(RunContext context not None, function):
    """A callback of a guest for a weak reference that the host makes for it; None stays None."""
    cdef WeakCallback made
    if function is None:
        return None
    made = WeakCallback.__new__(WeakCallback)
    made.function = function
    made.guest = _weakref.ref(context)
    return made


def callback_within(found):
    """The guest's callback of a weak reference, from what stands there for it."""
    return given_callback(found)


def proxy(object, callback=None, /):
    """Create a proxy object that weakly references 'object'.

'callback', if given, is called with a reference to the
proxy when 'object' is about to be finalized."""
    return _weakref.proxy(object, for_guest(callback))


proxy.__module__ = "_weakref"


cdef extern from *:
    """
    static newfunc k_weakref_new = NULL;
    static PyObject *(*k_for_guest)(PyObject *) = NULL;

    static PyObject *k_new_weakref(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
        PyObject *callback, *changed, *result;
        if (PyTuple_GET_SIZE(args) != 2 || PyTuple_GET_ITEM(args, 1) == Py_None) { return k_weakref_new(type, args, kwargs); }
        callback = k_for_guest(PyTuple_GET_ITEM(args, 1));
        if (callback == NULL) { return NULL; }
        changed = PyTuple_Pack(2, PyTuple_GET_ITEM(args, 0), callback);
        Py_DECREF(callback);
        if (changed == NULL) { return NULL; }
        result = k_weakref_new(type, changed, kwargs);
        Py_DECREF(changed);
        return result;
    }
    static void k_guard_weakrefs(PyObject *type, PyObject *(*for_guest)(PyObject *)) {
        if (k_weakref_new != NULL) { return; }
        k_for_guest = for_guest;
        k_weakref_new = ((PyTypeObject *)type)->tp_new;
        ((PyTypeObject *)type)->tp_new = k_new_weakref;
    }
    """
    void k_guard_weakrefs(PyObject *type, PyObject *(*for_guest)(PyObject *)) noexcept


cdef extern from "type_flags.h":
    unsigned long K_MADE
    unsigned long k_flags_of(PyObject *type) noexcept

cdef extern from "wrappers.h":
    void k_rewrap(TypeSlots *type, void *original, void *guard) noexcept

cdef extern from "layout.h":
    PyObject *k_take_raised() noexcept
    void k_restore_raised(PyObject *exc) noexcept

# _IOBase's: it asks the stream whether it is closed, and closes it.
cdef destructor io_finalize = <destructor>get_slots(_io._IOBase).tp_finalize


cdef void finalize_stream(PyObject *stream) noexcept:
    cdef PyObject *raised
    cdef int begun = 0
    if not k_flags_of(<PyObject *>Py_TYPE(stream)) & K_MADE:
        io_finalize(stream)
        return
    raised = k_take_raised()
    begun = begin_del(stream, NULL)
    if begun >= 0:
        io_finalize(stream)             # which keeps what goes wrong to itself
        hooks.end_unattended(begun)
    if raised != NULL:
        k_restore_raised(raised)


ctypedef PyObject *(*raw_change)(PyObject *) noexcept


def install():
    """When the package is imported."""
    cdef TypeSlots *slots
    for each in vars(_io).values():
        if not isinstance(each, type):
            continue
        slots = get_slots(each)
        if slots.tp_finalize == <void *>io_finalize:
            slots.tp_finalize = <void *>finalize_stream
            k_rewrap(slots, <void *>io_finalize, <void *>finalize_stream)
    k_guard_weakrefs(<PyObject *>_weakref.ReferenceType, <raw_change><void *>for_guest)
