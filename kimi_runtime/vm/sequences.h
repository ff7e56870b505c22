/* Slices and sums of lists and tuples: each item costs a few nanoseconds, and there may be tens of millions. What would take longer
   than the run may is refused, as methods of such lengths are. Multiples are left to the limit on memory, which refuses the huge ones
   first. A part of native_slots.pyx. */
#ifndef KIMI_SEQUENCES_H
#define KIMI_SEQUENCES_H

#include "costs.h"

enum { K_ITEM_NS = 5 };
static binaryfunc k_list_concat, k_list_add_in_place, k_tuple_concat, k_list_subscript, k_tuple_subscript;
static objobjargproc k_list_assign;

static inline int k_afford_items(double items) {
    return items * K_ITEM_NS < K_ASK_FROM || !*k_metered_runs ? 0 : k_afford(items * K_ITEM_NS * 1e-9);
}

/* How many items a slice has; what is no plain number is not asked, for that may be code of the guest: all of them. */
static double k_items_of_slice(PyObject *slice, Py_ssize_t n) {
    PySliceObject *s = (PySliceObject *)slice;
    Py_ssize_t start, stop, step;
    PyObject *parts[3] = {s->start, s->stop, s->step};
    int i;
    for (i = 0; i < 3; i++) {
        if (parts[i] != Py_None && !PyLong_CheckExact(parts[i])) { return (double)n; }
    }
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0) {
        PyErr_Clear();          /* a step of zero: the operation says so */
        return 0;
    }
    return (double)PySlice_AdjustIndices(n, &start, &stop, step);
}

#define K_SUBSCRIPT(name) static PyObject *k_guarded_##name(PyObject *o, PyObject *key) { \
        if (Py_SIZE(o) * (double)K_ITEM_NS >= K_ASK_FROM && PySlice_Check(key) && k_afford_items(k_items_of_slice(key, Py_SIZE(o))) < 0) { \
            return NULL; \
        } \
        return k_##name(o, key); }
K_SUBSCRIPT(list_subscript) K_SUBSCRIPT(tuple_subscript)
#define K_CONCAT(name) static PyObject *k_guarded_##name(PyObject *o, PyObject *more) { \
        return k_afford_items((double)Py_SIZE(o) + k_size_of(more)) < 0 ? NULL : k_##name(o, more); }
K_CONCAT(list_concat) K_CONCAT(tuple_concat)
static PyObject *k_guarded_list_add_in_place(PyObject *o, PyObject *more) {
    return k_afford_items(k_size_of(more)) < 0 ? NULL : k_list_add_in_place(o, more);
}
/* What lies behind a slice is moved, what lies in it is released. */
static int k_guarded_list_assign(PyObject *o, PyObject *key, PyObject *value) {
    double items;
    if (!PySlice_Check(key)) { return k_list_assign(o, key, value); }
    items = k_items_of_slice(key, Py_SIZE(o)) + (value == NULL ? 0 : k_size_of(value)) + (double)Py_SIZE(o) / 4;
    return k_afford_items(items) < 0 ? -1 : k_list_assign(o, key, value);
}

#define K_TAKE(type, slot, kept, guard) do { \
        kept = (type).slot; \
        (type).slot = guard; \
        k_rewrap(&(type), (void *)kept, (void *)(guard)); } while (0)
static void k_guard_sequences(void) {
    if (k_list_concat != NULL) { return; }
    K_TAKE(PyList_Type, tp_as_sequence->sq_concat, k_list_concat, k_guarded_list_concat);
    K_TAKE(PyList_Type, tp_as_sequence->sq_inplace_concat, k_list_add_in_place, k_guarded_list_add_in_place);
    K_TAKE(PyList_Type, tp_as_mapping->mp_subscript, k_list_subscript, k_guarded_list_subscript);
    K_TAKE(PyList_Type, tp_as_mapping->mp_ass_subscript, k_list_assign, k_guarded_list_assign);
    K_TAKE(PyTuple_Type, tp_as_sequence->sq_concat, k_tuple_concat, k_guarded_tuple_concat);
    K_TAKE(PyTuple_Type, tp_as_mapping->mp_subscript, k_tuple_subscript, k_guarded_tuple_subscript);
}

#endif
