/* For generated code: leaving the heap of the guest where something is made that stays for the process. Such modules do not
   know the heaps, some are loaded before them: the functions are looked up when they are first needed. */
#ifndef KIMI_LEAVING_H
#define KIMI_LEAVING_H

#include <Python.h>

struct KHeap;
static struct KHeap *(*k_leave)(void);
static void (*k_return)(struct KHeap *heap);

/* Borrows nothing, raises nothing: an error that is set stays set. */
static void *k_heap_function(PyObject *functions, const char *name)
{
    PyObject *capsule = PyDict_GetItemString(functions, name);
    return capsule != NULL ? PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)) : NULL;
}

/* While no heap can be current, because the module of heaps is not loaded, there is nothing to leave. */
static struct KHeap *k_leave_heap(void)
{
    PyObject *type, *value, *traceback, *module, *functions;
    if (k_leave == NULL) {
        PyErr_Fetch(&type, &value, &traceback);
        module = PyDict_GetItemString(PyImport_GetModuleDict(), "kimi_runtime.memory.heap");
        functions = module != NULL ? PyObject_GetAttrString(module, "__pyx_capi__") : NULL;
        if (functions != NULL) {
            k_return = (void (*)(struct KHeap *))k_heap_function(functions, "return_to_heap");
            k_leave = k_return != NULL ? (struct KHeap *(*)(void))k_heap_function(functions, "leave_heap") : NULL;
            Py_DECREF(functions);
        }
        PyErr_Restore(type, value, traceback);
    }
    return k_leave != NULL ? k_leave() : NULL;
}

static void k_return_to_heap(struct KHeap *heap)
{
    if (k_return != NULL) k_return(heap);
}

#endif
