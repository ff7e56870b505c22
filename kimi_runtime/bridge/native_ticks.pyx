# cython: binding=False
"""Native iterators that need not end, counted.

``sum(range(10**12))`` and ``list(itertools.count())`` run in C without a look at any limit. What feeds such a loop is in the
end one of a few types whose items cost no memory: ranges, ``itertools.count``, ``cycle``, ``repeat`` and the combinatorial
iterators, ``iter(function, sentinel)``. Their ``tp_iternext`` is replaced, once in the process, when the first run with
limits begins: it counts an item for the run of its thread, if there is one, before it goes on to the original. For
threads without a run that is one test of a counter.
"""
from cpython.ref cimport PyObject

from kimi_runtime.objects.function cimport hooks

import itertools

cdef extern from *:
    """
    static int *k_metered_runs = NULL;  /* runs with limits, in all threads */
    static int (*k_tick)(void) = NULL;

    #define K_METERED 16
    static struct { PyTypeObject *type; iternextfunc next; } k_patched[K_METERED];
    static int k_npatched = 0;

    /* One function for each type, because the slot function has to know the original. */
    #define K_NEXT(N) \
    static PyObject *k_next_##N(PyObject *it) { \
        if (*k_metered_runs && k_tick() < 0) { return NULL; } \
        return k_patched[N].next(it); \
    }
    K_NEXT(0) K_NEXT(1) K_NEXT(2) K_NEXT(3) K_NEXT(4) K_NEXT(5) K_NEXT(6) K_NEXT(7)
    K_NEXT(8) K_NEXT(9) K_NEXT(10) K_NEXT(11) K_NEXT(12) K_NEXT(13) K_NEXT(14) K_NEXT(15)
    static iternextfunc k_nexts[K_METERED] = {
        k_next_0, k_next_1, k_next_2, k_next_3, k_next_4, k_next_5, k_next_6, k_next_7,
        k_next_8, k_next_9, k_next_10, k_next_11, k_next_12, k_next_13, k_next_14, k_next_15};

    static void k_patch(PyObject *type) {
        PyTypeObject *t = (PyTypeObject *)type;
        if (k_npatched == K_METERED) { return; }
        k_patched[k_npatched].type = t;
        k_patched[k_npatched].next = t->tp_iternext;
        t->tp_iternext = k_nexts[k_npatched];
        k_npatched++;
    }
    static void k_set_tick(int (*tick)(void), int *metered_runs) { k_tick = tick; k_metered_runs = metered_runs; }
    """
    void k_patch(PyObject *type) noexcept
    void k_set_tick(int (*tick)() noexcept, int *metered_runs) noexcept

cdef bint patched = False


def source_types():
    """The types whose items are counted."""
    return [type(iter(range(1))), type(iter(range(1 << 100))), type(iter(int, 0)), itertools.count, itertools.cycle,
            itertools.repeat, itertools.product, itertools.permutations, itertools.combinations,
            itertools.combinations_with_replacement]


def install():
    """Before the first run with limits."""
    global patched
    if not patched:
        patched = True
        k_set_tick(hooks.tick, &hooks.metered_runs)
        for each in source_types():
            k_patch(<PyObject *>each)
