/* Heaps of guests: what a run allocates, counted block by block and given back to whom it belongs.

   A heap belongs to one run or session. While it is the thread's current one, CPython's allocators take from it. A block
   is freed by its address, whoever frees it and when: the page or span it lies in knows its heap. When a run ends, what
   is left of it (a result that the host keeps, an entry in a cache) is no longer counted for anybody: pages that are
   partly used are handed to later heaps, and a small heap is kept as it is for the next run, so that beginning one costs
   no call of the system. */
#ifndef KIMI_HEAP_H
#define KIMI_HEAP_H

#include "modes.h"

enum {
    K_SMALL_MAX = 1024,         /* bytes; larger ones have medium pages */
    K_BLOCK_MAX = 16384,        /* larger ones are spans */
    K_SMALL_CLASSES = 48,
    K_BATCH = 4096,             /* bytes that are carved into blocks at a time */
    K_WARM_BYTES = 1 << 20,     /* a heap that holds no more is kept for the next run */
    K_WARM_HEAPS = 3,
    K_SLACK = 512 << 10,        /* what small blocks may take beyond the limit until a safepoint stops the run */
    K_EMERGENCY = 2 << 20,      /* and beyond that, after one was refused: for CPython's handling of that error */
    K_ADOPTED = 256 << 10,      /* bytes in use that a heap may take over with pages of ended ones */
};

#if defined(__GLIBC__)
static __thread KHeap *k_heap __attribute__((tls_model("initial-exec")));
#else
static __thread KHeap *k_heap;
#endif

static PyMemAllocatorEx k_under_obj, k_under_mem, k_under_raw;    /* what was installed before */
static KPage k_no_page;
static KHeap k_orphans;         /* owner of what ended heaps have left */
static KHeap k_host_heap;       /* of threads whose mode is "guest", outside of runs */
static KHeap *k_warm;
static int k_warm_count;
static void (*k_call_safepoint)(void);      /* lets the running guest come to a safepoint soon; set by the core */
static void (*k_drop_kept)(void);           /* frees what the core keeps for later in blocks of any heap */
static uint8_t k_class_of[K_SMALL_MAX / 8 + 1];
static uint32_t k_class_size[K_CLASSES];

/* Classes of sizes: by 8 bytes to 128, by 16 to 256, then eight for each doubling. */
static inline int k_size_class(size_t n)
{
    int log;
    if (K_LIKELY(n <= K_SMALL_MAX)) return k_class_of[(n + 7) >> 3];
    log = 63 - __builtin_clzll(n - 1);          /* 10 to 13 */
    return K_SMALL_CLASSES + 8 * (log - 10) + (int)((n - 1) >> (log - 3) & 7);
}

static void k_fill_classes(void)
{
    size_t n = 0;
    int c = 0, i;
    for (i = 2; i <= 16; i++) k_class_size[c++] = 8 * i;            /* 16 to 128 */
    for (i = 9; i <= 16; i++) k_class_size[c++] = 16 * i;           /* to 256 */
    for (i = 9; i <= 16; i++) k_class_size[c++] = 32 * i;           /* to 512 */
    for (i = 9; i <= 16; i++) k_class_size[c++] = 64 * i;           /* to 1024 */
    while (c < K_SMALL_CLASSES) k_class_size[c++] = K_SMALL_MAX;    /* not used */
    for (n = 1024; n < K_BLOCK_MAX; n *= 2)
        for (i = 1; i <= 8; i++) k_class_size[c++] = (uint32_t)(n + n / 8 * i);
    for (i = 0, c = 0; i <= K_SMALL_MAX / 8; i++) {
        while (k_class_size[c] < (size_t)i * 8) c++;
        k_class_of[i] = (uint8_t)c;
    }
}

/* ---- limits ------------------------------------------------------------------------------ */
static void k_look_soon(KHeap *h)
{
    if (!h->over) {
        h->over = 1;
        if (k_call_safepoint) k_call_safepoint();
    }
}

/* A request is refused: the guest may catch one such error, not go on to the next. */
static void k_refuse(KHeap *h)
{
    if (h->refusal == K_CAUGHT) {
        h->refusal = K_STOP;
        h->over = 0;
        k_look_soon(h);
    } else if (h->refusal == K_GRANTED)
        h->refusal = K_REFUSED;
}

/* Whether so many bytes more are too much for the process, where somebody watches its memory: 1 ask, 2 refuse. */
static inline int k_process_full(KHeap *h, size_t n)
{
    size_t bytes = k_committed();
    if (K_LIKELY(bytes < k_ceiling && n <= k_ceiling - bytes) || h == &k_host_heap || h->excused) return 0;
    h->pressed = 1;
    k_look_soon(h);
    if (bytes < k_ceiling + k_margin && n <= k_ceiling + k_margin - bytes) return 1;
    h->full = 1;
    return 2;
}

/* Whether a large block of so many bytes may be had. */
static int k_may_have(KHeap *h, size_t n)
{
    size_t bytes = k_heap_bytes(h);
    if (k_process_full(h, n) == 2) {
        k_refuse(h);
        return 0;
    }
    if (h->limit == 0) return 1;
    if (n > h->most || bytes > h->most - n || k_heap_held(h) + n > h->most + K_SCATTERED) {
        k_refuse(h);
        return 0;
    }
    if (bytes + n > h->collect_at) k_look_soon(h);
    return 1;
}

/* Whether another page may be had for small blocks. */
static int k_may_have_page(KHeap *h, size_t n)
{
    size_t bytes = k_heap_bytes(h), held, over = 0;
    int full = k_process_full(h, n) == 2;
    if (bytes > h->peak) h->peak = bytes;
    if (h->limit == 0) {
        if (!full) return 1;
        held = 0;
    } else {
        held = k_heap_held(h) + n;
        if (bytes > h->collect_at || held > h->most + K_SCATTERED) k_look_soon(h);
        if (!full && bytes <= h->most + K_SLACK && held <= h->most + K_SCATTERED + K_SLACK) return 1;
        if (bytes > h->most) over = bytes - h->most;
    }
    if (h->refusal == K_GRANTED || h->refusal == K_CAUGHT) {
        k_refuse(h);
        return 0;
    }
    if (full && k_committed() > k_ceiling + k_margin + K_EMERGENCY) return 0;
    return h->limit == 0 || (over <= K_SLACK + K_EMERGENCY && held <= h->most + K_SCATTERED + K_SLACK + K_EMERGENCY);
}

/* ---- blocks ------------------------------------------------------------------------------ */
static void k_carve(KPage *page)
{
    char *start = k_page_start(page), *p, *last;
    size_t size = page->size;
    unsigned n = size >= K_BATCH ? 1 : (unsigned)(K_BATCH / size);
    if (n > (unsigned)(page->capacity - page->carved)) n = page->capacity - page->carved;
    p = start + page->carved * size;
    last = p + (n - 1) * size;
    page->free = p;
    for (; p < last; p += size) *(void **)p = p + size;
    *(void **)last = NULL;
    page->carved = (uint16_t)(page->carved + n);
}

static inline void k_partial_add(KHeap *h, KPage *page)
{
    KPage **head = &h->partial[page->sclass];
    page->pprev = NULL;
    page->pnext = *head;
    if (*head) (*head)->pprev = page;
    *head = page;
    page->listed = 1;
    page->notify = 0;
}

static inline void k_partial_remove(KHeap *h, KPage *page)
{
    if (page->pprev) page->pprev->pnext = page->pnext; else h->partial[page->sclass] = page->pnext;
    if (page->pnext) page->pnext->pprev = page->pprev;
    page->listed = 0;
}

static inline void k_heap_add(KHeap *h, KPage *page)
{
    page->heap = h;
    page->prev = NULL;
    page->next = h->pages;
    if (h->pages) h->pages->prev = page;
    h->pages = page;
    h->page_bytes += k_page_bytes(page->kind);
}

static inline void k_heap_remove(KHeap *h, KPage *page)
{
    if (page->prev) page->prev->next = page->next; else h->pages = page->next;
    if (page->next) page->next->prev = page->prev;
    h->page_bytes -= k_page_bytes(page->kind);
}

/* A free brought page->used to page->notify. */
static void k_page_event(KPage *page)
{
    KHeap *h = page->heap;
    if (page->used) {           /* it was full */
        k_partial_add(h, page);
        return;
    }
    if (page->listed) k_partial_remove(h, page);
    k_heap_remove(h, page);
    k_page_put(page);
}

/* Takes a page over from an ended heap: NULL when there is none, or the heap has taken over enough. */
static KPage *k_adopt(KHeap *h, int sclass)
{
    KPage *page = k_orphans.partial[sclass];
    size_t bytes;
    if (page == NULL) return NULL;
    bytes = page->used * (size_t)page->size;
    if (h->base + bytes > K_ADOPTED) return NULL;
    k_partial_remove(&k_orphans, page);
    k_heap_remove(&k_orphans, page);
    k_orphans.live -= bytes;
    k_heap_add(h, page);
    h->live += bytes;
    h->base += bytes;
    h->peak += bytes;
    if (h->limit) {
        h->most += bytes;
        h->collect_at += bytes;
    }
    return page;
}

static void *k_malloc_slow(KHeap *h, int sclass)
{
    KPage *page = h->current[sclass];
    size_t bytes;
    void *p;
    int kind = sclass >= K_SMALL_CLASSES;
    if (page != &k_no_page) {
        if (page->carved < page->capacity) goto carve;
        page->notify = page->capacity - 1;
        h->current[sclass] = &k_no_page;
    }
    page = h->partial[sclass];
    if (page != NULL)
        k_partial_remove(h, page);
    else if ((page = k_adopt(h, sclass)) == NULL) {
        bytes = k_page_bytes(kind);
        if (!k_may_have_page(h, bytes) || (page = k_page_get(kind)) == NULL) return NULL;
        page->free = NULL;
        page->used = page->carved = 0;
        page->size = k_class_size[sclass];
        page->capacity = (uint16_t)(bytes / page->size);
        page->sclass = (uint8_t)sclass;
        page->listed = 0;
        k_heap_add(h, page);
    }
    page->notify = K_NEVER;
    h->current[sclass] = page;
    if (page->free != NULL) goto take;
carve:
    k_carve(page);
take:
    p = page->free;
    page->free = *(void **)p;
    page->used++;
    h->live += page->size;
    return p;
}

static inline void *k_block_malloc(KHeap *h, size_t n)
{
    int sclass = k_size_class(n);
    KPage *page = h->current[sclass];
    void *p = page->free;
    if (K_UNLIKELY(p == NULL)) return k_malloc_slow(h, sclass);
    page->free = *(void **)p;
    page->used++;
    h->live += page->size;
    return p;
}

static inline void k_block_free(KPage *page, void *p)
{
    *(void **)p = page->free;
    page->free = p;
    page->heap->live -= page->size;
    if (K_UNLIKELY(--page->used == page->notify)) k_page_event(page);
}

/* ---- large blocks ------------------------------------------------------------------------ */
static inline size_t k_units(size_t n) { return (n + K_UNIT - 1) >> K_UNIT_SHIFT; }

static void *k_large_malloc(KHeap *h, size_t n, int zero, int raw)
{
    size_t units = k_units(n), bytes;
    KSpan *s = NULL;
    int clean = 0;
    void *p;
    if (n > (size_t)PY_SSIZE_T_MAX) return NULL;
    k_lock();
    if (k_may_have(h, units << K_UNIT_SHIFT) && (s = k_span_get(units, &clean, 0, raw)) != NULL) {
        s->heap = h;
        s->raw = (uint8_t)raw;
        if (zero && clean) {
            s->blank = 1;
            k_range.blank += units << K_UNIT_SHIFT;
        }
        k_span_link(&h->spans, s);
        h->span_bytes += units << K_UNIT_SHIFT;
        bytes = k_heap_bytes(h);
        if (bytes > h->peak) h->peak = bytes;
    }
    k_unlock();
    if (s == NULL) return NULL;
    p = k_span_start(s);
    if (zero && !clean) memset(p, 0, n);
    return p;
}

static inline KSpan *k_span_of(const void *p)
{
    return k_range.spans + ((k_offset(p) - k_range.large_at) >> K_UNIT_SHIFT);
}

static void k_large_free(void *p)
{
    KSpan *s = k_span_of(p);
    KHeap *h;
    k_lock();
    h = s->heap;
    h->span_bytes -= (size_t)s->units << K_UNIT_SHIFT;
    k_span_unlink(&h->spans, s);
    k_span_put(s);
    k_unlock();
}

/* Moves a span to a larger place by its pages, not its bytes. NULL: not done. */
static KSpan *k_span_move(KSpan *s, size_t units, int raw)
{
#ifdef MREMAP_MAYMOVE
    int clean;
    size_t old = (size_t)s->units << K_UNIT_SHIFT;
    char *from = k_span_start(s), *to;
    KSpan *t;
    k_make_room((units << K_UNIT_SHIFT) - old, raw);
    t = k_span_get(units, &clean, 1, raw);
    if (t == NULL) return NULL;
    to = k_span_start(t);
    if (mremap(from, old, old, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED) {
        k_span_put(t);
        return NULL;
    }
    if (mmap(from, old, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0)
            == MAP_FAILED)
        Py_FatalError("the system does not give reserved addresses back");
#ifdef MADV_NOHUGEPAGE
    madvise(from, old, MADV_NOHUGEPAGE);
#endif
    t->moved = 1;
    t->heap = s->heap;
    t->raw = s->raw;
    k_span_unlink(&s->heap->spans, s);
    k_span_link(&t->heap->spans, t);
    k_range.span_committed -= old;
    k_span_release(s, s->units, K_FREE_CLEAN);
    return t;
#else
    return NULL;
#endif
}

enum { K_MOVE_UNITS = 64 };     /* from this size on moving pages is cheaper than copying */

/* Another size for a large block of the heap h: NULL when it is refused, or *done is 0: to be copied. */
static void *k_large_resize(KHeap *h, void *p, size_t n, int raw, int *done)
{
    KSpan *s = k_span_of(p);
    size_t units = k_units(n), more;
    *done = 1;
    if (units == s->units) return p;
    k_lock();
    k_span_touched(s);
    if (units < s->units) {
        h->span_bytes -= (s->units - units) << K_UNIT_SHIFT;
        k_span_cut(s, units);
    } else {
        more = (units - s->units) << K_UNIT_SHIFT;
        if (!k_may_have(h, more))
            p = NULL;
        else if (k_span_extend(s, units, raw))
            h->span_bytes += more;
        else if (s->units >= K_MOVE_UNITS && (s = k_span_move(s, units, raw)) != NULL) {
            h->span_bytes += more;
            p = k_span_start(s);
        } else
            *done = 0;
        if (k_heap_bytes(h) > h->peak) h->peak = k_heap_bytes(h);
    }
    k_unlock();
    return p;
}

/* ---- what CPython calls ------------------------------------------------------------------ */
static inline void *k_guest_malloc(KHeap *h, size_t n)
{
    return K_LIKELY(n <= K_BLOCK_MAX) ? k_block_malloc(h, n) : k_large_malloc(h, n, 0, 0);
}

static inline void k_guest_free(void *p)
{
    size_t offset = k_offset(p);
    if (K_LIKELY(offset < k_range.large_at))
        k_block_free(k_page_of(offset), p);
    else
        k_large_free(p);
}

static void *k_guest_calloc(KHeap *h, size_t count, size_t size)
{
    size_t n;
    void *p;
    if (__builtin_mul_overflow(count, size, &n)) return NULL;
    if (n > K_BLOCK_MAX) return k_large_malloc(h, n, 1, 0);
    p = k_block_malloc(h, n);
    if (p) memset(p, 0, n);
    return p;
}

/* Bytes that a guest block can hold. */
static inline size_t k_usable(const void *p)
{
    size_t offset = k_offset(p);
    return offset < k_range.large_at ? k_page_of(offset)->size : (size_t)k_span_of(p)->units << K_UNIT_SHIFT;
}

/* ---- outside of runs: as the mode says --------------------------------------------------- */
static void *k_plain_malloc(const PyMemAllocatorEx *under, size_t n)
{
    int mode = k_mode_now();
    k_made[mode]++;
    if (K_LIKELY(mode == K_PYMALLOC)) return under->malloc(under->ctx, n);
    if (mode == K_SYSTEM) return k_under_raw.malloc(k_under_raw.ctx, n);
    if (mode == K_GUEST) return k_guest_malloc(&k_host_heap, n);
    return n > (size_t)PY_SSIZE_T_MAX ? NULL : k_foreign_malloc(mode, n ? n : 1, 0);
}

static void *k_plain_calloc(const PyMemAllocatorEx *under, size_t count, size_t size)
{
    int mode = k_mode_now();
    size_t n;
    k_made[mode]++;
    if (K_LIKELY(mode == K_PYMALLOC)) return under->calloc(under->ctx, count, size);
    if (mode == K_SYSTEM) return k_under_raw.calloc(k_under_raw.ctx, count, size);
    if (mode == K_GUEST) return k_guest_calloc(&k_host_heap, count, size);
    if (__builtin_mul_overflow(count, size, &n) || n > (size_t)PY_SSIZE_T_MAX) return NULL;
    return k_foreign_malloc(mode, n ? n : 1, 1);
}

static void k_plain_free(const PyMemAllocatorEx *under, void *p)
{
    int owner = k_owner_of(p);
    if (K_LIKELY(owner == K_FOLLOW)) under->free(under->ctx, p); else k_foreign_free(owner, p);
}

static inline void *k_any_malloc(KHeap *h, const PyMemAllocatorEx *under, size_t n)
{
    return h ? k_guest_malloc(h, n) : k_plain_malloc(under, n);
}

/* Another size for a block that is no guest's. */
static void *k_plain_realloc(KHeap *h, const PyMemAllocatorEx *under, void *p, size_t n)
{
    int owner = k_owner_of(p), mode = k_mode_now();
    size_t size;
    void *q;
    if (owner != K_FOLLOW) {
        if (h == NULL && owner == mode) return k_foreign_realloc(owner, p, n);
        if ((q = k_any_malloc(h, under, n)) == NULL) return NULL;
        size = k_foreign_usable(owner, p);
        memcpy(q, p, n < size ? n : size);
        k_foreign_free(owner, p);
        return q;
    }
    if (h == NULL || n <= 512) return under->realloc(under->ctx, p, n);
    /* A block of the host that a guest lets grow. Its size is not known until the old owner has changed it. */
    if ((q = k_guest_malloc(h, n)) == NULL) return NULL;
    p = under->realloc(under->ctx, p, n);
    if (p == NULL) {
        k_guest_free(q);
        return NULL;
    }
    memcpy(q, p, n);
    under->free(under->ctx, p);
    return q;
}

static void *k_realloc(const PyMemAllocatorEx *under, void *p, size_t n)
{
    KHeap *h = k_heap;
    size_t size;
    void *q;
    int done;
    if (p == NULL) return k_any_malloc(h, under, n);
    if (!k_is_guest(p)) return k_plain_realloc(h, under, p, n);
    if (h == NULL && k_mode_now() == K_GUEST) h = &k_host_heap;
    size = k_usable(p);
    if (k_offset(p) >= k_range.large_at) {
        if (n > K_BLOCK_MAX && k_span_of(p)->heap == h) {
            q = k_large_resize(h, p, n, 0, &done);
            if (done) return q;
        } else if (n <= size && n > size / 2)
            return p;
    } else if (n <= size && (n > size / 2 || size <= 32))
        return p;
    q = k_any_malloc(h, under, n);
    if (q == NULL) return n <= size ? p : NULL;
    memcpy(q, p, n < size ? n : size);
    k_guest_free(p);
    return q;
}

#define K_DOMAIN(name) \
static void *k_##name##_malloc(void *ctx, size_t n) \
{ \
    KHeap *h = k_heap; \
    return K_UNLIKELY(h == NULL) ? k_plain_malloc(&k_under_##name, n) : k_guest_malloc(h, n); \
} \
static void *k_##name##_calloc(void *ctx, size_t count, size_t size) \
{ \
    KHeap *h = k_heap; \
    return h == NULL ? k_plain_calloc(&k_under_##name, count, size) : k_guest_calloc(h, count, size); \
} \
static void *k_##name##_realloc(void *ctx, void *p, size_t n) { return k_realloc(&k_under_##name, p, n); } \
static void k_##name##_free(void *ctx, void *p) \
{ \
    if (K_LIKELY(k_is_guest(p))) k_guest_free(p); else k_plain_free(&k_under_##name, p); \
}
K_DOMAIN(obj)
K_DOMAIN(mem)

/* Natives ask for this without the GIL, compressors for megabytes: only large blocks count, which have a lock. */
static void *k_raw_malloc(void *ctx, size_t n)
{
    KHeap *h = k_heap;
    return h == NULL || n <= K_UNIT ? k_under_raw.malloc(ctx, n) : k_large_malloc(h, n, 0, 1);
}
static void *k_raw_calloc(void *ctx, size_t count, size_t size)
{
    KHeap *h = k_heap;
    size_t n;
    if (h == NULL || __builtin_mul_overflow(count, size, &n) || n <= K_UNIT) return k_under_raw.calloc(ctx, count, size);
    return k_large_malloc(h, n, 1, 1);
}
static void k_raw_free(void *ctx, void *p)
{
    if (k_is_guest(p)) k_large_free(p); else k_under_raw.free(ctx, p);
}
static void *k_raw_realloc(void *ctx, void *p, size_t n)
{
    void *q;
    size_t size;
    int done;
    if (p == NULL) return k_raw_malloc(ctx, n);
    if (!k_is_guest(p)) return k_under_raw.realloc(ctx, p, n);
    if (n > K_UNIT && k_span_of(p)->heap == k_heap) {
        q = k_large_resize(k_heap, p, n, 1, &done);
        if (done) return q;
    }
    size = k_usable(p);
    if ((q = k_raw_malloc(ctx, n)) == NULL) return NULL;
    memcpy(q, p, n < size ? n : size);
    k_large_free(p);
    return q;
}

static void k_install_domain(PyMemAllocatorDomain domain, PyMemAllocatorEx *under, void *m, void *c, void *r, void *f)
{
    PyMemAllocatorEx ours;
    PyMem_GetAllocator(domain, under);
    ours.ctx = under->ctx;      /* so that a thread which reads the record while it is written finds what works */
    ours.malloc = (void *(*)(void *, size_t))m;
    ours.calloc = (void *(*)(void *, size_t, size_t))c;
    ours.realloc = (void *(*)(void *, void *, size_t))r;
    ours.free = (void (*)(void *, void *))f;
    PyMem_SetAllocator(domain, &ours);
}

static int k_installed = 0;
/* Reserves the range and puts the heaps in front of CPython's allocators: 0, or -1. */
static int k_install(void)
{
    int i;
    if (k_installed) return 0;
    if (k_range_open() < 0) return -1;
    k_fill_classes();
    for (i = 0; i < K_CLASSES; i++) k_orphans.current[i] = k_host_heap.current[i] = &k_no_page;
    k_host_heap.most = k_host_heap.collect_at = SIZE_MAX;
    k_install_domain(PYMEM_DOMAIN_OBJ, &k_under_obj, k_obj_malloc, k_obj_calloc, k_obj_realloc, k_obj_free);
    k_install_domain(PYMEM_DOMAIN_MEM, &k_under_mem, k_mem_malloc, k_mem_calloc, k_mem_realloc, k_mem_free);
    k_install_domain(PYMEM_DOMAIN_RAW, &k_under_raw, k_raw_malloc, k_raw_calloc, k_raw_realloc, k_raw_free);
    k_installed = 1;
    return 0;
}

#include "free_lists.h"

/* ---- heaps ------------------------------------------------------------------------------- */
/* Another run begins: it may have so many bytes more than were in use when the heap began; 0: no limit. */
static void k_heap_limit(KHeap *h, size_t limit)
{
    size_t bytes = k_heap_bytes(h);
    k_range.allowed += limit - h->limit;
    h->limit = limit;
    h->most = limit ? limit + h->base : SIZE_MAX;
    h->collect_at = limit ? h->base + limit - limit / 4 : SIZE_MAX;
    /* Of a session: what earlier runs have left is looked through again when half of the rest is in use. */
    if (bytes > h->collect_at) h->collect_at = bytes < h->most ? bytes + (h->most - bytes) / 2 : h->most;
    h->over = h->refusal = h->pressed = h->full = h->excused = 0;
    h->left = 0;
}

/* The run is over but for the host's account of it, which may take so many bytes more. */
static void k_heap_grace(KHeap *h, size_t bytes)
{
    h->excused = 1;
    if (h->limit == 0) return;
    k_range.allowed += bytes;
    h->limit += bytes;
    h->most += bytes;
    h->collect_at = h->most;
    h->over = h->refusal = h->pressed = 0;
}

/* A heap for a run that may have so many bytes more than are in use; 0: no limit. NULL: no memory. */
static KHeap *k_heap_begin(size_t limit)
{
    KHeap *h = k_warm;
    int i;
    if (h != NULL) {
        k_warm = h->next_free;
        k_warm_count--;
    } else {
        h = (KHeap *)calloc(1, sizeof(KHeap));
        if (h == NULL) return NULL;
        for (i = 0; i < K_CLASSES; i++) h->current[i] = &k_no_page;
    }
    h->base = h->peak = k_heap_bytes(h);
    h->limit = 0;
    k_heap_limit(h, limit);
    return h;
}

/* Hands what is left of a heap to the orphans. */
static void k_heap_hand_over(KHeap *h)
{
    KPage *page, *next;
    KSpan *s;
    uint32_t i, following;
    for (i = 0; i < K_CLASSES; i++) {
        h->current[i] = &k_no_page;
        h->partial[i] = NULL;
    }
    for (page = h->pages; page != NULL; page = next) {
        next = page->next;
        if (page->used == 0) {
            k_page_put(page);
            continue;
        }
        k_orphans.live += page->used * (size_t)page->size;
        k_heap_add(&k_orphans, page);
        page->listed = 0;
        if (page->used == page->capacity)
            page->notify = page->capacity - 1;
        else
            k_partial_add(&k_orphans, page);
    }
    h->pages = NULL;
    h->page_bytes = 0;
    h->live = 0;
    k_lock();
    for (i = h->spans; i; i = following) {
        s = k_span_at(i);
        following = s->next;
        s->heap = &k_orphans;
        k_span_link(&k_orphans.spans, s);
    }
    k_orphans.span_bytes += h->span_bytes;
    h->span_bytes = 0;
    h->spans = 0;
    k_unlock();
}

/* The same, with as little left as can be. */
static void k_heap_disown(KHeap *h)
{
    if (h->page_bytes) {
        /* One block holds a page: lists of free objects, and the names in CPython's cache of attributes of types. */
        if (k_drop_kept) k_drop_kept();
        k_drain_free_lists();
        PyType_ClearCache();
    }
    k_heap_hand_over(h);
}

/* The run is over; what is in use stays. */
static void k_heap_end(KHeap *h)
{
    k_range.allowed -= h->limit;
    h->extra = 0;
    if (k_warm_count < K_WARM_HEAPS && h->page_bytes <= K_WARM_BYTES && h->spans == 0
            && k_heap_bytes(h) <= K_ADOPTED) {
        h->next_free = k_warm;
        k_warm = h;
        k_warm_count++;
    } else {
        k_heap_disown(h);
        free(h);
    }
    if (k_range.page_dirty + k_range.span_dirty > K_RESERVE) k_trim_all(K_RESERVE / 2);
}

#endif
