# How classes are made without their hooks. Included by reader.pyx.
#
# A class is made without the __init_subclass__ that a base of the library has: while type.__new__ runs, that function is called as
# one that does nothing, in this thread.
cdef PyThreadState *quiet_thread = NULL


cdef PyObject *quiet_call(PyObject *function, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept:
    if PyThreadState_Get() != quiet_thread:
        return hooks.call(function, args, nargsf, kwnames)
    Py_INCREF(None)
    return <PyObject *>None


cdef object quiet_class(meta, name, bases, contents):
    global quiet_thread
    cdef list found = []
    cdef Function function
    cdef PyThreadState *before = quiet_thread
    for base in bases:
        for each in class_mro(base):
            hook = class_contents(each).get("__init_subclass__")
            if type(hook) is classmethod and type(hook.__func__) is Function:
                function = hook.__func__
                if function.vectorcall != <PyObject *><void *>quiet_call:
                    found.append((function, <size_t>function.vectorcall))
                    function.vectorcall = <PyObject *><void *>quiet_call
    quiet_thread = PyThreadState_Get()
    try:
        return class_of_type(meta, name, bases, contents)
    finally:
        quiet_thread = before
        for function, pointer in found:
            function.vectorcall = <PyObject *><size_t>pointer
