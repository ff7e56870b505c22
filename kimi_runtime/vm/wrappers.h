/* Slots of the host's types that get another function, with the wrappers that call them (`list.__eq__`). */
#ifndef KIMI_WRAPPERS_H
#define KIMI_WRAPPERS_H

#include <Python.h>

/* A class derived from the type later takes its slot from the wrapper. */
static void k_rewrap(PyTypeObject *type, void *original, void *guard) {
    PyObject *key, *value, *dict;
    Py_ssize_t position = 0;
#if PY_VERSION_HEX >= 0x030C0000
    dict = PyType_GetDict(type);
#else
    dict = Py_XNewRef(type->tp_dict);
#endif
    while (dict != NULL && PyDict_Next(dict, &position, &key, &value)) {
        if (Py_TYPE(value) == &PyWrapperDescr_Type && ((PyWrapperDescrObject *)value)->d_wrapped == original) {
            ((PyWrapperDescrObject *)value)->d_wrapped = guard;
        }
    }
    Py_XDECREF(dict);
}

#endif
