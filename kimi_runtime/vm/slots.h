/* Functions that stand in front of slots of the host's types: they look at the C stack and at the alarm of the watching
 * thread, and go on to the original. There is one function for each slot that is guarded, because a slot function has to
 * know its original; they are stamped out by number.
 */
#ifndef KIMI_SLOTS_H
#define KIMI_SLOTS_H

#include "stack.h"
#include "wrappers.h"

#define K_UNLIKELY(x) __builtin_expect(!!(x), 0)

static const volatile int *k_alarm_set = NULL;      /* see watch.h */
static int *k_metered_runs = NULL;                  /* runs with limits, in all threads */
static int (*k_interrupted)(int endless) = NULL;    /* see VMHooks */
static int (*k_tick)(void) = NULL;
static int (*k_afford)(double seconds) = NULL;

static int k_too_deep(void) {
    PyErr_SetString(PyExc_RecursionError, "maximum recursion depth exceeded");
    return -1;
}

/* Returns `failed` when the C stack is nearly used up, or the run of this thread is over its time. */
#define K_GUARD(endless, failed) \
    if (K_UNLIKELY(k_stack_here() < k_stack_floor)) { k_too_deep(); return failed; } \
    if (K_UNLIKELY(*k_alarm_set) && k_interrupted(endless) < 0) { return failed; }

enum { K_MOST = 100 };

#define K_TEN(M, n) M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7) M(n##8) M(n##9)
#define K_ALL(M) K_TEN(M, 10) K_TEN(M, 11) K_TEN(M, 12) K_TEN(M, 13) K_TEN(M, 14) K_TEN(M, 15) K_TEN(M, 16) K_TEN(M, 17) \
    K_TEN(M, 18) K_TEN(M, 19)

typedef struct {
    void *original[K_MOST];
    void **guards;
    int used;
} KGuarded;

#define K_DEFINE(kind) \
    static void *k_##kind##_guards[K_MOST]; \
    static KGuarded k_##kind = {{NULL}, k_##kind##_guards, 0};

K_DEFINE(next)
K_DEFINE(endless)
K_DEFINE(repr)
K_DEFINE(hash)
K_DEFINE(compare)
K_DEFINE(dealloc)

#define K_STAMP_NEXT(N) static PyObject *k_next_##N(PyObject *o) { \
        K_GUARD(1, NULL) \
        return ((iternextfunc)k_next.original[N - 100])(o); \
    }
#define K_STAMP_ENDLESS(N) static PyObject *k_endless_##N(PyObject *o) { \
        K_GUARD(1, NULL) \
        if (*k_metered_runs && k_tick() < 0) { return NULL; } \
        return ((iternextfunc)k_endless.original[N - 100])(o); \
    }
#define K_STAMP_REPR(N) static PyObject *k_repr_##N(PyObject *o) { \
        K_GUARD(0, NULL) \
        return ((reprfunc)k_repr.original[N - 100])(o); \
    }
#define K_STAMP_HASH(N) static Py_hash_t k_hash_##N(PyObject *o) { \
        K_GUARD(0, -1) \
        return ((hashfunc)k_hash.original[N - 100])(o); \
    }
/* The sort of a debug interpreter asserts that what it found by itself is what the slot says, which a stop would break. */
#ifdef Py_DEBUG
#define K_SORTED(o) (PyLong_CheckExact(o) || PyFloat_CheckExact(o) || (PyUnicode_CheckExact(o) && PyUnicode_GET_LENGTH(o) < 10000))
#else
#define K_SORTED(o) 0
#endif
#define K_STAMP_COMPARE(N) static PyObject *k_compare_##N(PyObject *a, PyObject *b, int op) { \
        if (!K_SORTED(a)) { K_GUARD(0, NULL) } \
        return ((richcmpfunc)k_compare.original[N - 100])(a, b, op); \
    }

/* Objects whose release would go too deep wait here, as in CPython's own trashcan, for types that do not use that. */
enum { K_RELEASE_DEPTH = 60 };
typedef struct { PyObject *object; destructor release; int tracked; } KWaiting;
K_TLS int k_release_depth = 0;
K_TLS KWaiting *k_waiting = NULL;
K_TLS Py_ssize_t k_nwaiting = 0;
K_TLS Py_ssize_t k_waiting_room = 0;

static int k_release_later(PyObject *o, destructor release) {
    KWaiting *grown;
    Py_ssize_t room;
    if (k_nwaiting == k_waiting_room) {
        room = k_waiting_room ? 2 * k_waiting_room : 64;
        grown = (KWaiting *)realloc(k_waiting, room * sizeof(KWaiting));
        if (grown == NULL) { return -1; }
        k_waiting = grown;
        k_waiting_room = room;
    }
    k_waiting[k_nwaiting].object = o;
    k_waiting[k_nwaiting].release = release;
    k_waiting[k_nwaiting].tracked = PyObject_IS_GC(o) && PyObject_GC_IsTracked(o);
    if (k_waiting[k_nwaiting].tracked) { PyObject_GC_UnTrack(o); }
    k_nwaiting++;
    return 0;
}

static void k_release(PyObject *o, destructor release, destructor guard) {
    KWaiting next;
    if (k_release_depth >= K_RELEASE_DEPTH && Py_TYPE(o)->tp_dealloc == guard && k_release_later(o, release) == 0) { return; }
    k_release_depth++;
    release(o);
    if (K_UNLIKELY(k_release_depth == 1 && k_nwaiting > 0)) {
        while (k_nwaiting > 0) {
            next = k_waiting[--k_nwaiting];
            if (next.tracked) { PyObject_GC_Track(next.object); }
            next.release(next.object);
        }
        free(k_waiting);
        k_waiting = NULL;
        k_waiting_room = 0;
    }
    k_release_depth--;
}

#define K_STAMP_DEALLOC(N) static void k_dealloc_##N(PyObject *o) { \
        k_release(o, (destructor)k_dealloc.original[N - 100], k_dealloc_##N); \
    }

K_ALL(K_STAMP_NEXT)
K_ALL(K_STAMP_ENDLESS)
K_ALL(K_STAMP_REPR)
K_ALL(K_STAMP_HASH)
K_ALL(K_STAMP_COMPARE)
K_ALL(K_STAMP_DEALLOC)

#define K_LIST_NEXT(N) (void *)k_next_##N,
#define K_LIST_ENDLESS(N) (void *)k_endless_##N,
#define K_LIST_REPR(N) (void *)k_repr_##N,
#define K_LIST_HASH(N) (void *)k_hash_##N,
#define K_LIST_COMPARE(N) (void *)k_compare_##N,
#define K_LIST_DEALLOC(N) (void *)k_dealloc_##N,
static void *k_next_guards[K_MOST] = {K_ALL(K_LIST_NEXT)};
static void *k_endless_guards[K_MOST] = {K_ALL(K_LIST_ENDLESS)};
static void *k_repr_guards[K_MOST] = {K_ALL(K_LIST_REPR)};
static void *k_hash_guards[K_MOST] = {K_ALL(K_LIST_HASH)};
static void *k_compare_guards[K_MOST] = {K_ALL(K_LIST_COMPARE)};
static void *k_dealloc_guards[K_MOST] = {K_ALL(K_LIST_DEALLOC)};

/* The function in front of an original; NULL when there are too many. */
static void *k_guard_of(KGuarded *kind, void *original) {
    int i;
    for (i = 0; i < kind->used; i++) {
        if (kind->original[i] == original || kind->guards[i] == original) { return kind->guards[i]; }
    }
    if (kind->used == K_MOST) { return NULL; }
    kind->original[kind->used] = original;
    return kind->guards[kind->used++];
}

/* Of classes made by a class statement: tp_dealloc looks at its bases' slots, tp_iternext only says that there is none. */
static destructor k_class_dealloc = NULL;
static void *k_no_next = NULL;

/* Puts the guard into a slot and into the wrappers of the type that call the slot's function (`list.__eq__`).
   1: done; 0: the type does not have the slot, or one that is no function of its own; -1: there are too many. */
static int k_guard_slot(PyTypeObject *type, void **slot, KGuarded *kind) {
    void *original = *slot, *guard;
    if (original == NULL || original == (void *)PyObject_HashNotImplemented || original == (void *)PyObject_SelfIter
            || original == k_no_next) { return 0; }
    guard = k_guard_of(kind, original);
    if (guard == NULL) { return -1; }
    if (original == guard) { return 1; }
    *slot = guard;
    k_rewrap(type, original, guard);
    return 1;
}

#define K_FIELD(type, name) ((void **)&((PyTypeObject *)(type))->name)
static int k_guard_next(PyObject *type) { return k_guard_slot((PyTypeObject *)type, K_FIELD(type, tp_iternext), &k_next); }
static int k_guard_endless(PyObject *type) { return k_guard_slot((PyTypeObject *)type, K_FIELD(type, tp_iternext), &k_endless); }
static int k_guard_repr(PyObject *type) { return k_guard_slot((PyTypeObject *)type, K_FIELD(type, tp_repr), &k_repr); }
static int k_guard_str(PyObject *type) { return k_guard_slot((PyTypeObject *)type, K_FIELD(type, tp_str), &k_repr); }
/* Of what may hold other values: the hash of others is a short step, which the core itself takes where nothing can fail. */
static int k_guard_hash(PyObject *type) {
    hashfunc hash = ((PyTypeObject *)type)->tp_hash;
    if (hash == PyBaseObject_Type.tp_hash || hash == PyUnicode_Type.tp_hash || hash == PyBytes_Type.tp_hash
            || hash == PyLong_Type.tp_hash || hash == PyFloat_Type.tp_hash || hash == PyComplex_Type.tp_hash) { return 0; }
    return k_guard_slot((PyTypeObject *)type, K_FIELD(type, tp_hash), &k_hash);
}
static int k_guard_compare(PyObject *type) {
    return k_guard_slot((PyTypeObject *)type, K_FIELD(type, tp_richcompare), &k_compare);
}
static int k_guard_dealloc(PyObject *type) {
    if (((PyTypeObject *)type)->tp_dealloc == k_class_dealloc) { return 0; }
    return k_guard_slot((PyTypeObject *)type, K_FIELD(type, tp_dealloc), &k_dealloc);
}

static void k_use_class(PyObject *type) {
    k_class_dealloc = ((PyTypeObject *)type)->tp_dealloc;
    k_no_next = (void *)((PyTypeObject *)type)->tp_iternext;
}

static void k_enter_thread(void) { k_thread_stack_floor(); }

#endif
