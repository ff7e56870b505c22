/* How much there is to go through where the parts of an object share parts: C code that knows nothing of sharing visits each path.
 *
 * x = [x, x] a hundred times is a list of 2**100 leaves for it. Paths are counted as the sums of the counts of the parts, each shared
 * part once, with a stack and a table of our own: linear in the memory of the object, whatever its depth.
 */
#ifndef KIMI_NODES_H
#define KIMI_NODES_H

#include <Python.h>

typedef struct { PyObject *o, *key; Py_ssize_t at; double count; } KStep;          /* on the way through o: its next part */
typedef struct { PyObject *o; double count; } KCounted;
typedef struct { KCounted *of; size_t used, size; } KTable;                         /* open addressing; a power of two */

static KCounted *k_counted(KTable *t, PyObject *o) {
    size_t i = ((size_t)o >> 4) * 0x9E3779B97F4A7C15u >> 20;
    for (;; i++) {
        KCounted *c = &t->of[i & (t->size - 1)];
        if (c->o == o || c->o == NULL) { return c; }
    }
}

static int k_count_is(KTable *t, PyObject *o, double count) {
    KCounted *c;
    if (2 * t->used >= t->size) {
        KTable larger = {PyMem_RawCalloc(t->size ? 4 * t->size : 64, sizeof(KCounted)), t->used, t->size ? 4 * t->size : 64};
        size_t i;
        if (larger.of == NULL) { return -1; }
        for (i = 0; i < t->size; i++) {
            if (t->of[i].o != NULL) { *k_counted(&larger, t->of[i].o) = t->of[i]; }
        }
        PyMem_RawFree(t->of);
        *t = larger;
    }
    c = k_counted(t, o);
    if (c->o == NULL) { c->o = o; t->used++; }
    c->count = count;
    return 0;
}

static inline int k_has_parts(PyObject *o) {
    return PyType_HasFeature(Py_TYPE(o), Py_TPFLAGS_LIST_SUBCLASS | Py_TPFLAGS_TUPLE_SUBCLASS | Py_TPFLAGS_DICT_SUBCLASS)
        || (PyExceptionInstance_Check(o) && PyObject_TypeCheck(o, (PyTypeObject *)PyExc_BaseExceptionGroup));
}

/* The next part of a step's object, or NULL. Borrowed. No code of a guest runs here, so nothing changes meanwhile. */
static PyObject *k_next_part(KStep *s) {
    PyObject *o = s->o, *value;
    if (PyDict_Check(o)) { return PyDict_Next(o, &s->at, &s->key, &value) ? value : NULL; }
    if (PyList_Check(o)) { return s->at < PyList_GET_SIZE(o) ? PyList_GET_ITEM(o, s->at++) : NULL; }
    if (!PyTuple_Check(o)) {
        o = ((PyBaseExceptionGroupObject *)o)->excs;
        if (o == NULL || !PyTuple_Check(o)) { return NULL; }
    }
    return s->at < PyTuple_GET_SIZE(o) ? PyTuple_GET_ITEM(o, s->at++) : NULL;
}

/* Paths through the lists, tuples, dicts (their values) and exception groups in an object. A cycle ends where it closes.
   -1 where there is no memory for the count: then it is not known. Owner rule: all references are borrowed from the object. */
static double k_paths(PyObject *o) {
    KTable known = {NULL, 0, 0};
    KStep *stack = NULL, *larger;
    Py_ssize_t depth = 0, room = 0;
    double count = 1;
    PyObject *part = o;
    if (!k_has_parts(o)) { return 1; }
    for (;;) {
        if (part != NULL) {             /* into a part */
            if (depth == room) {
                room = room ? 2 * room : 32;
                larger = PyMem_RawRealloc(stack, room * sizeof(KStep));
                if (larger == NULL) { count = -1; break; }
                stack = larger;
            }
            if (Py_REFCNT(part) > 1 && k_count_is(&known, part, 1) < 0) { count = -1; break; }     /* as long as it is open */
            stack[depth++] = (KStep){part, NULL, 0, 1};
        } else {                        /* out of it */
            count = stack[--depth].count;
            if (Py_REFCNT(stack[depth].o) > 1 && k_count_is(&known, stack[depth].o, count) < 0) { count = -1; break; }
            if (depth == 0) { break; }
            stack[depth - 1].count += count;
        }
        while ((part = k_next_part(&stack[depth - 1])) != NULL) {
            if (!k_has_parts(part)) { stack[depth - 1].count += 1; continue; }
            if (Py_REFCNT(part) > 1 && known.size) {
                KCounted *c = k_counted(&known, part);
                if (c->o != NULL) { stack[depth - 1].count += c->count; continue; }
            }
            break;
        }
    }
    PyMem_RawFree(stack);
    PyMem_RawFree(known.of);
    return count;
}

#endif
