# cython: binding=False, wraparound=True, boundscheck=True
"""``sys._getframe`` of a guest: a look at the guest's own stack, without a way to frames of the host."""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.objects.function cimport Function, hooks, visible_namespace
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots


@cython.final
@cython.auto_pickle(False)
cdef class StackFrame:
    """One guest frame as it was when ``sys._getframe`` was called."""
    cdef Function function
    cdef int line
    cdef object back, locals

    def __cinit__(self, function=None):
        if not isinstance(function, Function):
            raise TypeError("cannot create 'frame' instances")
        self.function = function

    @property
    def f_code(self):
        return self.function.code

    @property
    def f_lineno(self):
        return self.line

    @property
    def f_globals(self):
        return visible_namespace(self.function.globals)

    @property
    def f_builtins(self):
        return visible_namespace(self.function.builtins)

    @property
    def f_locals(self):
        return {} if self.locals is None else self.locals

    @property
    def f_back(self):
        return self.back

    @property
    def f_trace(self):
        return None

    @property
    def f_lasti(self):
        return -1

    def clear(self):
        raise RuntimeError("cannot clear an executing frame")

    def __repr__(self):
        return (f"<frame at {<size_t><PyObject *>self:#x}, file {self.function.code.filename!r}, line {self.line}, "
                f"code {self.function.code.name}>")


get_slots(StackFrame).tp_name = b"frame"
PyType_Modified(get_slots(StackFrame))


def _getframe(depth=0):
    """Return the frame of the guest call that is depth calls below the top of the stack."""
    cdef int level = depth
    cdef int at = 0
    cdef int line
    cdef PyObject *function
    cdef PyObject *locals
    cdef StackFrame frame
    cdef list frames = []
    if level < 0:
        level = 0
    while True:
        line = hooks.frame_line(at, &function)
        if function == NULL:
            break
        if at >= level:
            frame = StackFrame(<object>function)
            frame.line = line
            if at == 0:
                locals = hooks.frame_locals()
                if locals != NULL:
                    frame.locals = <object>locals
                    Py_DECREF(locals)
            frames.append(frame)
        at += 1
    if not frames:
        raise ValueError("call stack is not deep enough")
    for at in range(len(frames) - 1):
        (<StackFrame>frames[at]).back = frames[at + 1]
    return frames[0]


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

cdef extern from "Python.h":
    void Py_DECREF(PyObject *o) noexcept


_getframe.__module__ = "sys"
