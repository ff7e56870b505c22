/* For generated code: whether an exception is that of a run that was stopped. A function of ours that has no way to raise it drops
 * it, and the next jump or call raises it again. Told to the host as unraisable, it would have its chain written out, with texts
 * of what the guest has raised, and the host may keep it until no run is there whose limits end those texts.
 */
#ifndef KIMI_STOPS_H
#define KIMI_STOPS_H

#include <Python.h>

/* type: the class of an exception that is not set at this moment; borrowed. */
static int k_is_stop(PyObject *type)
{
    PyObject *module = PyDict_GetItemString(PyImport_GetModuleDict(), "kimi_runtime.vm.stopping");
    PyObject *stopped = module != NULL ? PyObject_GetAttrString(module, "Stopped") : NULL;
    if (stopped == NULL) {
        PyErr_Clear();
        return 0;
    }
    Py_DECREF(stopped);
    return stopped == type;
}

#endif
