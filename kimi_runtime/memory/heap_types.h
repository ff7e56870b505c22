/* What the core knows of a heap. */
#ifndef KIMI_HEAP_TYPES_H
#define KIMI_HEAP_TYPES_H

#include <stddef.h>
#include <stdint.h>

enum {
    K_CLASSES = 80,
    K_SCATTERED = 6 << 20,      /* what may lie free in partly used pages before the run is stopped for that */
};

typedef struct KHeap KHeap;
typedef struct KPage KPage;

/* What a refusal has led to. */
enum { K_GRANTED = 0, K_REFUSED = 1, K_CAUGHT = 2, K_STOP = 3 };

struct KHeap {
    KPage *current[K_CLASSES];  /* where blocks of a class are taken from */
    size_t live;                /* bytes of blocks, spans not included */
    volatile size_t span_bytes; /* of spans, under the lock */
    size_t page_bytes;          /* of pages */
    size_t extra;               /* what natives charge by hand: stacks, memory of C libraries */
    size_t base;                /* what was in use when the run began: of earlier ones */
    size_t limit;               /* 0: none */
    size_t most;                /* limit + base; or all there is */
    size_t collect_at;          /* from there on a safepoint looks for garbage first */
    size_t peak;
    size_t left;                /* what was in use after the last look for garbage */
    int over;                   /* a safepoint is to look */
    int collecting;
    int refusal;
    int pressed;                /* the process has little memory left: a safepoint is to ask who watches that */
    int full;                   /* a request was refused for that reason, not for the limit */
    int excused;                /* the run is over: what the host says of it is not refused for that reason */
    KPage *partial[K_CLASSES];
    KPage *pages;
    uint32_t spans;
    int ended;
    KHeap *next_free;
};

static inline size_t k_heap_bytes(const KHeap *h) { return h->live + h->span_bytes + h->extra; }
/* What it holds of the system: pages that are partly used count in full. */
static inline size_t k_heap_held(const KHeap *h) { return h->page_bytes + h->span_bytes + h->extra; }

#endif
