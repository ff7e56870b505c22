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
#include "stack.h"

static PyMemAllocatorEx k_under_object, k_under_memory;
static int k_watching_allocations = 0;
static int k_blocks_noted = 0;                  /* blocks that wait for the next instruction of their thread */
K_TLS KSampled *k_here = NULL;                  /* of this thread, while it is sampled with its allocations */
K_TLS KHeap **k_here_slot = NULL;               /* where its current heap is noted: NULL there while no guest allocates */

enum { K_ALLOCATION_EVERY = 1 << 16, K_SMALL_BLOCK = 1 << 12 };

/* Bytes that the thread's guests have allocated so far. */
static inline uint64_t k_allocated_by(const KSampled *s) { return s->allocated + (uint64_t)(s->granted - s->next_allocation); }

/* What may be the type of the object in a block: behind no header, that of the collector, and that of a managed dictionary. */
static inline void k_look_at_block(KSampled *s) {
    void **at = (void **)s->block;
    if (s->object && s->block_own >= 16) { s->words[0] = at[1]; }
    if (s->object && s->block_own >= 32) { s->words[1] = at[3]; }
    if (s->object && s->block_own >= 48) { s->words[2] = at[5]; }
}

static void k_watch_free(const PyMemAllocatorEx *u, void *p) {
    KSampled *s = k_here;
    if (s != NULL && p != NULL && s->block == p) {
        k_look_at_block(s);         /* gone within the instruction; what it was is still in it */
        s->object |= 2;
    }
    u->free(u->ctx, p);
}
static void k_watch_object_free(void *ctx, void *p) { k_watch_free(&k_under_object, p); }
static void k_watch_memory_free(void *ctx, void *p) { k_watch_free(&k_under_memory, p); }

static void *k_watch_object_malloc(void *ctx, size_t n);

/* Blocks that are given back are looked at only while one is noted: the layer's free is the one below otherwise. */
static void k_watch_frees(int on) {
    PyMemAllocatorEx layer;
    PyMem_GetAllocator(PYMEM_DOMAIN_OBJ, &layer);
    if (layer.malloc != k_watch_object_malloc) { return; }
    layer.free = on ? k_watch_object_free : k_under_object.free;
    PyMem_SetAllocator(PYMEM_DOMAIN_OBJ, &layer);
    PyMem_GetAllocator(PYMEM_DOMAIN_MEM, &layer);
    layer.free = on ? k_watch_memory_free : k_under_memory.free;
    PyMem_SetAllocator(PYMEM_DOMAIN_MEM, &layer);
}

/* What was noted has been looked at, or nobody will. */
static void k_block_done(KSampled *s) {
    if (s->block == NULL) { return; }
    s->block = NULL;
    if (!--k_blocks_noted) { k_watch_frees(0); }
}

/* So many bytes were allocated that the block p of n of them is noted. One instruction may allocate a lot: one of its blocks stands
   for all of them then, as likely the last as the first. */
static __attribute__((noinline)) void k_note_block(KSampled *s, void *p, size_t n, int object) {
    if (p == NULL) { return; }
    s->allocated = k_allocated_by(s);
    s->next_allocation = s->granted = K_ALLOCATION_EVERY / 2 + (int64_t)(k_random(s->sampler) % K_ALLOCATION_EVERY);
    if (s->block == NULL) {
        s->candidates = 1;
        if (!k_blocks_noted++) { k_watch_frees(1); }
        k_arm();
    } else if (k_random(s->sampler) % ++s->candidates) {
        return;
    }
    s->block = p;
    s->block_own = n;
    s->object = object;
    s->words[0] = s->words[1] = s->words[2] = NULL;
}

static inline void k_allocated(void *p, size_t n, int object) {
    KSampled *s = k_here;
    if (s == NULL || p == NULL || *k_here_slot == NULL) { return; }
    s->next_allocation -= (int64_t)n;
    if (s->next_allocation < 0) { k_note_block(s, p, n, object); }
}

static __attribute__((noinline)) void *k_watch_any_malloc(const PyMemAllocatorEx *u, size_t n, int object) {
    void *p = u->malloc(u->ctx, n);
    k_allocated(p, n, object);
    return p;
}

/* Each small block is counted before it is there, so that nothing is left to do afterwards; large ones may be refused. */
static inline void *k_watch_malloc(const PyMemAllocatorEx *u, size_t n, int object) {
    KSampled *s = k_here;
    if (K_LIKELY(s != NULL && *k_here_slot != NULL)) {
        if (K_UNLIKELY(n > K_SMALL_BLOCK || s->next_allocation < (int64_t)n)) { return k_watch_any_malloc(u, n, object); }
        s->next_allocation -= (int64_t)n;
    }
    return u->malloc(u->ctx, n);
}
static void *k_watch_object_malloc(void *ctx, size_t n) { return k_watch_malloc(&k_under_object, n, 1); }
static void *k_watch_memory_malloc(void *ctx, size_t n) { return k_watch_malloc(&k_under_memory, n, 0); }

static inline void *k_watch_calloc(const PyMemAllocatorEx *u, size_t count, size_t size, int object) {
    void *p = u->calloc(u->ctx, count, size);
    k_allocated(p, count * size, object);
    return p;
}
static void *k_watch_object_calloc(void *ctx, size_t count, size_t size) { return k_watch_calloc(&k_under_object, count, size, 1); }
static void *k_watch_memory_calloc(void *ctx, size_t count, size_t size) { return k_watch_calloc(&k_under_memory, count, size, 0); }

static void *k_watch_realloc(const PyMemAllocatorEx *u, void *p, size_t n, int object) {
    KHeap *h = k_here != NULL ? *k_here_slot : NULL;
    size_t before = h != NULL ? k_heap_bytes(h) : 0, after;
    void *q;
    if (k_here != NULL && p != NULL && k_here->block == p && !(k_here->object & 2)) { k_here->object |= 2; }
    q = u->realloc(u->ctx, p, n);
    if (h != NULL && q != NULL) {
        after = k_heap_bytes(h);
        if (after > before) { k_allocated(q, after - before, p == NULL && object); }
    }
    return q;
}
static void *k_watch_object_realloc(void *ctx, void *p, size_t n) { return k_watch_realloc(&k_under_object, p, n, 1); }
static void *k_watch_memory_realloc(void *ctx, void *p, size_t n) { return k_watch_realloc(&k_under_memory, p, n, 0); }

/* With the lock of the interpreter. */
static void k_watch_allocations_from_now_on(void) {
    PyMemAllocatorEx layer = {NULL, k_watch_object_malloc, k_watch_object_calloc, k_watch_object_realloc, NULL};
    PyMemAllocatorEx memory = {NULL, k_watch_memory_malloc, k_watch_memory_calloc, k_watch_memory_realloc, NULL};
    if (k_watching_allocations++) { return; }
    PyMem_GetAllocator(PYMEM_DOMAIN_OBJ, &k_under_object);
    PyMem_GetAllocator(PYMEM_DOMAIN_MEM, &k_under_memory);
    layer.ctx = k_under_object.ctx;
    layer.free = k_under_object.free;
    PyMem_SetAllocator(PYMEM_DOMAIN_OBJ, &layer);
    memory.ctx = k_under_memory.ctx;
    memory.free = k_under_memory.free;
    PyMem_SetAllocator(PYMEM_DOMAIN_MEM, &memory);
}

static void k_watch_allocations_no_more(void) {
    PyMemAllocatorEx now;
    if (--k_watching_allocations) { return; }
    PyMem_GetAllocator(PYMEM_DOMAIN_OBJ, &now);
    if (now.malloc == k_watch_object_malloc) { PyMem_SetAllocator(PYMEM_DOMAIN_OBJ, &k_under_object); }
    PyMem_GetAllocator(PYMEM_DOMAIN_MEM, &now);
    if (now.malloc == k_watch_memory_malloc) { PyMem_SetAllocator(PYMEM_DOMAIN_MEM, &k_under_memory); }
}

#endif
