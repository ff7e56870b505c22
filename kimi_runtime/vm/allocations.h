/* Which line allocates what: while somebody asks, a layer above CPython's allocators counts what guests take.
 *
 * Every so many bytes it notes the block and has the loop come to SAMPLE before its next instruction: the block belongs to the
 * instruction that just ended, and by then it looks like the object that it is for. The layer is put away again afterwards, so
 * that without it nothing is asked; blocks pass through it unchanged.
 */
#ifndef KIMI_ALLOCATIONS_H
#define KIMI_ALLOCATIONS_H

#include <Python.h>
#include "heap_types.h"
#include "sampling.h"

static PyMemAllocatorEx k_under_object, k_under_memory;
static int k_watching_allocations = 0;
static __thread KSampled *k_here = NULL;        /* of this thread, while it is sampled with its allocations */
static __thread KHeap **k_here_slot = NULL;     /* where its current heap is noted: NULL there while no guest allocates */

enum { K_ALLOCATION_EVERY = 1 << 16 };

static inline void k_allocated(void *p, size_t n, int object) {
    KSampled *s = k_here;
    if (s == NULL || p == NULL || *k_here_slot == NULL) { return; }
    s->allocated += n;
    s->next_allocation -= (int64_t)n;
    if (s->next_allocation < 0 && s->block == NULL) {
        s->block_size = (size_t)(s->allocated - s->allocated_noted);
        s->allocated_noted = s->allocated;
        s->next_allocation = K_ALLOCATION_EVERY / 2 + (int64_t)(k_random(s->sampler) % K_ALLOCATION_EVERY);
        s->block = p;
        s->block_own = n;
        s->object = object;
        s->words[0] = s->words[1] = s->words[2] = NULL;
        k_arm();
    }
}

/* What may be the type of the object in a block: behind no header, that of the collector, and that of a managed dictionary. */
static inline void k_look_at_block(KSampled *s) {
    void **at = (void **)s->block;
    if (s->object && s->block_own >= 16) { s->words[0] = at[1]; }
    if (s->object && s->block_own >= 32) { s->words[1] = at[3]; }
    if (s->object && s->block_own >= 48) { s->words[2] = at[5]; }
}

static inline void k_freed(void *p) {
    KSampled *s = k_here;
    if (s != NULL && p != NULL && s->block == p) {
        k_look_at_block(s);         /* gone within the instruction; what it was is still in it */
        s->object |= 2;
    }
}

static void *k_watch_malloc(void *under, size_t n) {
    PyMemAllocatorEx *u = (PyMemAllocatorEx *)under;
    void *p = u->malloc(u->ctx, n);
    k_allocated(p, n, u == &k_under_object);
    return p;
}

static void *k_watch_calloc(void *under, size_t count, size_t size) {
    PyMemAllocatorEx *u = (PyMemAllocatorEx *)under;
    void *p = u->calloc(u->ctx, count, size);
    k_allocated(p, count * size, u == &k_under_object);
    return p;
}

static void *k_watch_realloc(void *under, void *p, size_t n) {
    PyMemAllocatorEx *u = (PyMemAllocatorEx *)under;
    KHeap *h = k_here != NULL ? *k_here_slot : NULL;
    size_t before = h != NULL ? k_heap_bytes(h) : 0, after;
    void *q;
    if (k_here != NULL && p != NULL && k_here->block == p && !(k_here->object & 2)) { k_here->object |= 2; }
    q = u->realloc(u->ctx, p, n);
    if (h != NULL && q != NULL) {
        after = k_heap_bytes(h);
        if (after > before) { k_allocated(q, after - before, p == NULL && u == &k_under_object); }
    }
    return q;
}

static void k_watch_free(void *under, void *p) {
    PyMemAllocatorEx *u = (PyMemAllocatorEx *)under;
    k_freed(p);
    u->free(u->ctx, p);
}

/* With the lock of the interpreter. */
static void k_watch_allocations_from_now_on(void) {
    PyMemAllocatorEx layer = {NULL, k_watch_malloc, k_watch_calloc, k_watch_realloc, k_watch_free};
    if (k_watching_allocations++) { return; }
    PyMem_GetAllocator(PYMEM_DOMAIN_OBJ, &k_under_object);
    PyMem_GetAllocator(PYMEM_DOMAIN_MEM, &k_under_memory);
    layer.ctx = &k_under_object;
    PyMem_SetAllocator(PYMEM_DOMAIN_OBJ, &layer);
    layer.ctx = &k_under_memory;
    PyMem_SetAllocator(PYMEM_DOMAIN_MEM, &layer);
}

static void k_watch_allocations_no_more(void) {
    PyMemAllocatorEx now;
    if (--k_watching_allocations) { return; }
    PyMem_GetAllocator(PYMEM_DOMAIN_OBJ, &now);
    if (now.malloc == k_watch_malloc) { PyMem_SetAllocator(PYMEM_DOMAIN_OBJ, &k_under_object); }
    PyMem_GetAllocator(PYMEM_DOMAIN_MEM, &now);
    if (now.malloc == k_watch_malloc) { PyMem_SetAllocator(PYMEM_DOMAIN_MEM, &k_under_memory); }
}

#endif
