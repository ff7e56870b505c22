# cython: binding=False, wraparound=True, boundscheck=True
"""``sys._getframe`` of a guest: a look at the guest's own stack, without a way to frames of the host."""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.objects.function cimport Function, hooks, is_privileged, shown_of_library, visible_namespace
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots

import types


cdef extern from "Python.h":
    void Py_DECREF(PyObject *o) noexcept

cdef extern from *:
    """
    static int k_frame_failed(void) { return -1; }
    """
    int raise_pending "k_frame_failed"() except -1

cdef object NOT_READ = object()


cdef int stack_height():
    """The number of guest frames that are running."""
    cdef PyObject *function
    cdef int n = 0
    while True:
        hooks.frame_line(n, &function)
        if function == NULL:
            return n
        n += 1


@cython.final
@cython.auto_pickle(False)
cdef class StackFrame:
    """A running guest frame, known by its function and its place on the stack; once it has ended, as it was last seen."""
    cdef Function function
    cdef int height             # frames below it
    cdef int line
    cdef object back, locals

    def __cinit__(self, function=None):
        if not isinstance(function, Function):
            raise TypeError("cannot create 'frame' instances")
        self.function = function
        self.back = NOT_READ

    cdef int depth(self):
        """How far below the top of the stack it is; -1 when it has ended."""
        cdef PyObject *function
        cdef int depth = stack_height() - 1 - self.height
        cdef int line
        if depth < 0:
            return -1
        line = hooks.frame_line(depth, &function)
        if function != <PyObject *>self.function:
            return -1
        self.line = line
        return depth

    @property
    def __class__(self):        # for isinstance(frame, types.FrameType)
        return types.FrameType

    @property
    def f_code(self):
        return self.function.code

    @property
    def f_lineno(self):
        self.depth()
        return self.line

    @property
    def f_globals(self):
        return visible_namespace(self.function.globals)

    @property
    def f_builtins(self):
        return visible_namespace(self.function.builtins)

    @property
    def f_locals(self):
        cdef int depth = self.depth()
        cdef PyObject *locals
        if depth >= 0:
            locals = hooks.frame_locals(depth)
            if locals == NULL:
                raise_pending()
            self.locals = <object>locals
            Py_DECREF(locals)
            if self.locals is not self.function.globals and type(self.locals) is dict and is_privileged != NULL \
                    and is_privileged(<PyObject *>self.function.builtins):
                self.locals = shown_of_library(self.locals)
        if self.locals is None:
            return {}
        # At the top of a module these are its globals.
        return visible_namespace(self.locals) if self.locals is self.function.globals else self.locals

    @property
    def f_back(self):
        cdef int depth
        if self.back is NOT_READ:
            depth = self.depth()
            self.back = frame_at(depth + 1) if depth >= 0 else None
        return self.back

    @property
    def f_trace(self):
        return None

    @property
    def f_lasti(self):
        return -1

    def clear(self):
        if self.depth() >= 0:
            raise RuntimeError("cannot clear an executing frame")
        self.locals = None

    def __eq__(self, other):
        if type(other) is not StackFrame:
            return NotImplemented
        return self.function is (<StackFrame>other).function and self.height == (<StackFrame>other).height

    def __hash__(self):
        return hash((id(self.function), self.height))

    def __repr__(self):
        self.depth()
        return (f"<frame at {<size_t><PyObject *>self:#x}, file {self.function.code.filename!r}, line {self.line}, "
                f"code {self.function.code.name}>")


get_slots(StackFrame).tp_name = b"frame"
PyType_Modified(get_slots(StackFrame))


cdef StackFrame frame_at(int depth):
    """The frame that is depth calls below the top of the stack, or None."""
    cdef PyObject *function
    cdef StackFrame frame
    cdef int line = hooks.frame_line(depth, &function)
    if function == NULL:
        return None
    frame = StackFrame(<object>function)
    frame.height = stack_height() - 1 - depth
    frame.line = line
    return frame


def _getframe(depth=0):
    """Return the frame of the guest call that is depth calls below the top of the stack."""
    cdef int level = depth
    cdef StackFrame frame = frame_at(level if level > 0 else 0)
    if frame is None:
        raise ValueError("call stack is not deep enough")
    return frame


def gettrace():
    """Return None: no function of the guest traces its calls."""


def getprofile():
    """Return None: no function of the guest profiles its calls."""


def settrace(function):
    """Accepts None, which changes nothing; tracing would see frames of the host."""
    if function is not None:
        raise RuntimeError("a guest cannot trace calls")


def setprofile(function):
    """Accepts None, which changes nothing, as settrace."""
    if function is not None:
        raise RuntimeError("a guest cannot profile calls")


for each in (gettrace, getprofile, settrace, setprofile):
    each.__module__ = "sys"
del each



_getframe.__module__ = "sys"
