/* CPython keeps freed tuples, lists, dictionaries and floats for the next ones that are made, whoever makes them. So blocks of
   a guest's heap come into what the host makes later and keeps, and each holds a page of a heap that has ended. CPython empties
   these lists in a collection of everything only; here they are emptied by making objects until one is new, and freeing those
   that are guests' past the lists. */
#ifndef KIMI_FREE_LISTS_H
#define KIMI_FREE_LISTS_H

enum { K_TUPLE_SIZES = 20, K_HELD = 128 };

static PyObject *k_new_of(int kind)
{
    return kind < K_TUPLE_SIZES ? PyTuple_New(kind) : kind == K_TUPLE_SIZES ? PyList_New(0)
        : kind == K_TUPLE_SIZES + 1 ? PyDict_New() : PyFloat_FromDouble(0.5);
}

/* Frees a new, empty object past the list. Its contents are none: NULLs, or what all empty ones share. */
static void k_free_past(PyObject *o)
{
    if (PyFloat_CheckExact(o)) {
        PyObject_Free(o);
        return;
    }
    PyObject_GC_UnTrack(o);
    PyObject_GC_Del(o);
}

/* How many blocks came from the host's allocators so far. */
static uint64_t k_made_by_host(void)
{
    uint64_t sum = 0;
    int i;
    for (i = 0; i < K_MODES; i++) sum += k_made[i];
    return sum;
}

/* Whether a small object lies in the heap of a guest: the host's own may be of the same kind (KIMI_ALLOCATOR=guest). */
static int k_is_of_guest(const PyObject *o)
{
    return k_is_guest(o) && (k_offset(o) >= k_range.large_at || k_page_of(k_offset(o))->heap != &k_host_heap);
}

/* With no error set, or one that stays set. What is the host's goes back to the lists. */
static void k_drain_free_lists(void)
{
    PyObject *kept[K_HELD], *o;
    KHeap *heap = k_heap;
    uint64_t made;
    int kind, n, collects;
    if (!k_installed) return;
    collects = PyGC_Disable();      /* a finalizer would come between */
    k_heap = NULL;
    for (kind = 1; kind <= K_TUPLE_SIZES + 2; kind++) {
        n = 0;
        while (n < K_HELD) {        /* that many of the host's lie above it: they will be used first */
            made = k_made_by_host();
            o = k_new_of(kind);
            if (o == NULL) break;
            if (made == k_made_by_host() && k_is_of_guest(o)) {
                k_free_past(o);
                continue;
            }
            kept[n++] = o;
            if (made != k_made_by_host()) break;
        }
        while (n) Py_DECREF(kept[--n]);
    }
    k_heap = heap;
    if (collects) PyGC_Enable();
}

#endif
