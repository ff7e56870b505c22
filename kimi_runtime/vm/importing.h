/* Whether the host loads a module at this moment, for a run that is to end: what ends an import half-way leaves half a
 * module, and may leave its lock held for good.
 */
#ifndef KIMI_IMPORTING_H
#define KIMI_IMPORTING_H

#include <Python.h>

/* The start of a frame object, alike in 3.11 to 3.13. */
typedef struct { PyObject_HEAD PyFrameObject *f_back; void *f_frame; } KFrameObject;

/* Whether one of the host's frames of this thread above `bottom`, see k_host_frame, is of importlib. */
static int k_host_imports(void *bottom)
{
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get()), *back;
    PyCodeObject *code;
    int found = 0;
    while (frame != NULL && ((KFrameObject *)frame)->f_frame != bottom && !found) {
        code = PyFrame_GetCode(frame);
        found = PyUnicode_Check(code->co_filename)
            && PyUnicode_CompareWithASCIIString(code->co_filename, "<frozen importlib._bootstrap>") == 0;
        Py_DECREF(code);
        back = PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = back;
    }
    Py_XDECREF(frame);
    return found;
}

#endif
