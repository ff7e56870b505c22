/* The address range that guest memory comes from, and the parts of it that are in use.

   One reserved range of the process, cut into three: pages of 16 KB for small blocks, pages of 64 KB for medium ones,
   and spans of 4 KB units for large blocks. Reserved addresses cost nothing until they are touched. Whether a block is a
   guest's is one comparison of its address; what it is a part of is found in the tables beside the range.

   Everything here is called with the GIL, but for spans, which natives also ask for without it (PyMem_RawMalloc): those
   have a lock. */
#ifndef KIMI_RANGES_H
#define KIMI_RANGES_H

#include <Python.h>
#include "heap_types.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

#define K_LIKELY(x) __builtin_expect(!!(x), 1)
#define K_UNLIKELY(x) __builtin_expect(!!(x), 0)

enum {
    K_SMALL_SHIFT = 14,
    K_MEDIUM_SHIFT = 16,
    K_UNIT_SHIFT = 12,
    K_UNIT = 1 << K_UNIT_SHIFT,
    K_NEVER = 0xffff,           /* KPage.notify of a page that blocks are taken from */
};

/* A page of blocks of one size. Its `used` counts blocks in use; when a free brings it to `notify` something is to be
   done: a full page has a free block again, or a page is empty. */
struct KPage {
    void *free;                 /* first free block; each holds the address of the next */
    uint16_t used, notify;
    uint16_t carved, capacity;  /* blocks that were ever in the free list; blocks that fit */
    uint32_t size;
    uint8_t sclass;             /* class of sizes */
    uint8_t kind;               /* 0 small, 1 medium */
    uint8_t dirty;              /* in the pool: was touched since it came from the system */
    uint8_t listed;             /* in its heap's list of pages with free blocks */
    KHeap *heap;                /* NULL: in the pool */
    struct KPage *next, *prev;  /* all pages of a heap; or the pool */
    struct KPage *pnext, *pprev; /* pages of a heap with free blocks of one class */
};

enum { K_NONE = 0, K_USED, K_FREE_DIRTY, K_FREE_CLEAN };

/* A span of units: this record is that of its first unit. That of the last one has `units` and `state` too. */
typedef struct KSpan {
    KHeap *heap;
    uint32_t units;
    uint8_t state;
    uint8_t raw;                /* asked for without the GIL */
    uint8_t moved;              /* its pages were moved here: the system keeps it apart */
    uint8_t blank;              /* asked for as zeros, which it held: nobody has touched it, as far as is known */
    uint32_t next, prev;        /* index + 1 of spans of the heap, or of free ones of about the same size; 0: none */
} KSpan;

enum { K_EXACT_BINS = 64, K_BINS = 64 + 4 * 26 };

typedef struct {
    char *base;
    size_t size;                /* 0: nothing is reserved yet, or it failed */
    size_t medium_at, large_at; /* offsets of the parts */
    KPage *small, *medium;      /* tables of the parts */
    KSpan *spans;
    size_t small_count, medium_count, unit_count;
    size_t small_top, medium_top, unit_top; /* first ones never used */
    KPage *pool[2][2];          /* free pages by kind and whether they are dirty */
    uint32_t bins[2][K_BINS];   /* free spans: dirty, clean */
    uint64_t bin_bits[2][3];
    size_t page_dirty, span_dirty;          /* bytes of free ones that the system has not got back */
    size_t page_committed, span_committed;  /* bytes of those that belong to heaps */
    size_t blank;               /* bytes of spans that nobody has touched */
    size_t allowed;             /* sum of the limits of the heaps in use */
    pthread_mutex_t lock;
} KRange;

static KRange k_range = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { K_RESERVE = 4 << 20 };   /* bytes that are kept for the next run */

/* A range of addresses without memory, or NULL. */
static char *k_reserve_addresses(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : (char *)p;
}

static void k_after_fork(void) { pthread_mutex_init(&k_range.lock, NULL); }

/* Reserves the range: 0, or -1 when the system has no addresses to give. */
static int k_range_open(void)
{
    KRange *r = &k_range;
    struct rlimit limit;
    size_t size = (size_t)64 << 30, tables, unit = (size_t)1 << K_MEDIUM_SHIFT;
    char *base, *t;
    if (r->size) return 0;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        while (size > (size_t)limit.rlim_cur / 2) size >>= 1;
    for (; size >= (size_t)64 << 20; size >>= 1) {
        r->small_count = size / 4 >> K_SMALL_SHIFT;
        r->medium_count = size / 4 >> K_MEDIUM_SHIFT;
        r->unit_count = size / 2 >> K_UNIT_SHIFT;
        tables = (r->small_count + r->medium_count) * sizeof(KPage) + (r->unit_count + 1) * sizeof(KSpan);
        base = k_reserve_addresses(size + unit + tables);
        if (base == NULL) continue;
        r->base = (char *)(((uintptr_t)base + unit - 1) & ~(uintptr_t)(unit - 1));
#ifdef MADV_NOHUGEPAGE
        madvise(base, size + unit + tables, MADV_NOHUGEPAGE);   /* what was given back would come again */
#endif
        t = r->base + size;
        r->small = (KPage *)t;
        r->medium = r->small + r->small_count;
        r->spans = (KSpan *)(r->medium + r->medium_count);
        r->medium_at = size / 4;
        r->large_at = size / 2;
        r->size = size;
        pthread_atfork(NULL, NULL, k_after_fork);
        return 0;
    }
    return -1;
}

static inline size_t k_offset(const void *p) { return (size_t)((uintptr_t)p - (uintptr_t)k_range.base); }
static inline int k_is_guest(const void *p) { return k_offset(p) < k_range.size; }
static inline KPage *k_page_of(size_t offset)
{
    return offset < k_range.medium_at ? k_range.small + (offset >> K_SMALL_SHIFT)
                                      : k_range.medium + ((offset - k_range.medium_at) >> K_MEDIUM_SHIFT);
}
static inline char *k_page_start(const KPage *page)
{
    return page->kind ? k_range.base + k_range.medium_at + ((size_t)(page - k_range.medium) << K_MEDIUM_SHIFT)
                      : k_range.base + ((size_t)(page - k_range.small) << K_SMALL_SHIFT);
}
static inline size_t k_page_bytes(int kind) { return (size_t)1 << (kind ? K_MEDIUM_SHIFT : K_SMALL_SHIFT); }
static inline char *k_span_start(const KSpan *span)
{
    return k_range.base + k_range.large_at + ((size_t)(span - k_range.spans) << K_UNIT_SHIFT);
}

static inline size_t k_resident(void)
{
    KRange *r = &k_range;
    return r->page_dirty + r->span_dirty + r->page_committed + r->span_committed;
}
/* Where somebody watches the memory of the process: from so many committed bytes on guests that take more ask, and with
   so many beyond that they are refused. */
static size_t k_ceiling = SIZE_MAX, k_margin;
static inline size_t k_committed(void) { return k_range.page_committed + k_range.span_committed; }
static inline void k_lock(void) { pthread_mutex_lock(&k_range.lock); }
static inline void k_unlock(void) { pthread_mutex_unlock(&k_range.lock); }

/* ---- pages ------------------------------------------------------------------------------- */
static void k_trim_pages(int kind, size_t keep);
static void k_trim_spans(size_t keep);

/* Before so many bytes are touched for the first time: what is kept beyond what the heaps may have goes back. */
static inline int k_room_for(size_t bytes)
{
    size_t most = k_range.allowed + K_RESERVE;
    return k_resident() + bytes <= (most < k_ceiling ? most : k_ceiling);
}

/* A free page, its record filled but for what concerns a class of sizes; NULL: no more addresses. */
static KPage *k_page_get(int kind)
{
    KRange *r = &k_range;
    KPage *page;
    size_t bytes = k_page_bytes(kind);
    if ((page = r->pool[kind][1]) != NULL) {
        r->pool[kind][1] = page->next;
        r->page_dirty -= bytes;
    } else {
        if (!k_room_for(bytes)) {
            k_trim_pages(!kind, 0);
            k_lock();
            k_trim_spans(0);
            k_unlock();
        }
        if ((page = r->pool[kind][0]) != NULL)
            r->pool[kind][0] = page->next;
        else if (kind ? r->medium_top < r->medium_count : r->small_top < r->small_count)
            page = kind ? &r->medium[r->medium_top++] : &r->small[r->small_top++];
        else
            return NULL;
    }
    page->kind = (uint8_t)kind;
    r->page_committed += bytes;
    return page;
}

static void k_page_put(KPage *page)
{
    KRange *r = &k_range;
    page->heap = NULL;
    page->dirty = 1;
    page->next = r->pool[page->kind][1];
    r->pool[page->kind][1] = page;
    r->page_dirty += k_page_bytes(page->kind);
    r->page_committed -= k_page_bytes(page->kind);
    if (r->page_dirty > K_RESERVE && !k_room_for(0)) k_trim_pages(page->kind, 0);
}

/* Gives the memory of free pages back until about `keep` bytes are left; neighbours in one call. */
static void k_trim_pages(int kind, size_t keep)
{
    KRange *r = &k_range;
    KPage *table = kind ? r->medium : r->small;
    size_t top = kind ? r->medium_top : r->small_top, i, from, bytes = k_page_bytes(kind), kept = 0;
    int any;
    KPage **clean = &r->pool[kind][0], **dirty = &r->pool[kind][1];
    if (*dirty == NULL) return;
    *clean = *dirty = NULL;
    for (i = 0; i < top; i++) {                 /* the lists are made anew, in the order of addresses */
        if (table[i].heap != NULL) continue;
        if (table[i].dirty && kept < keep) {
            kept += bytes;
            *dirty = &table[i];
            dirty = &table[i].next;
            continue;
        }
        from = i;
        any = 0;
        while (i < top && table[i].heap == NULL) {
            if (table[i].dirty) {
                r->page_dirty -= bytes;
                any = 1;
            }
            table[i].dirty = 0;
            *clean = &table[i];
            clean = &table[i].next;
            i++;
        }
        if (any) madvise(k_page_start(&table[from]), (i - from) * bytes, MADV_DONTNEED);
        i--;
    }
    *clean = *dirty = NULL;
}

/* ---- spans: with the lock ---------------------------------------------------------------- */
static inline int k_bin_of(size_t units)
{
    int log;
    if (units < K_EXACT_BINS) return (int)units;
    log = 63 - __builtin_clzll(units);          /* 6 and up; four bins for each power of two */
    return K_EXACT_BINS + 4 * (log - 6) + (int)((units >> (log - 2)) & 3);
}

static inline KSpan *k_span_at(uint32_t index) { return index ? &k_range.spans[index - 1] : NULL; }
static inline uint32_t k_span_index(const KSpan *s) { return (uint32_t)(s - k_range.spans) + 1; }

static void k_span_link(uint32_t *head, KSpan *s)
{
    s->prev = 0;
    s->next = *head;
    if (*head) k_span_at(*head)->prev = k_span_index(s);
    *head = k_span_index(s);
}

static void k_span_unlink(uint32_t *head, KSpan *s)
{
    if (s->prev) k_span_at(s->prev)->next = s->next; else *head = s->next;
    if (s->next) k_span_at(s->next)->prev = s->prev;
}

static inline void k_span_mark(KSpan *s, size_t units, int state)
{
    s->units = s[units - 1].units = (uint32_t)units;
    s->state = s[units - 1].state = (uint8_t)state;
}

static void k_bin_remove(KSpan *s)
{
    int dirty = s->state == K_FREE_DIRTY, bin = k_bin_of(s->units);
    k_span_unlink(&k_range.bins[!dirty][bin], s);
    if (!k_range.bins[!dirty][bin]) k_range.bin_bits[!dirty][bin >> 6] &= ~((uint64_t)1 << (bin & 63));
    if (dirty) k_range.span_dirty -= (size_t)s->units << K_UNIT_SHIFT;
}

/* Makes units free, joined with free neighbours of the same state. */
static void k_span_release(KSpan *s, size_t units, int state)
{
    KRange *r = &k_range;
    int bin;
    KSpan *other = s + units;
    size_t index = (size_t)(s - r->spans);
    if (index + units < r->unit_top && other->state == state) {
        k_bin_remove(other);
        units += other->units;
    }
    if (index > 0 && s[-1].state == state) {
        other = s - s[-1].units;
        k_bin_remove(other);
        units += other->units;
        s = other;
    }
    if (state == K_FREE_CLEAN && (size_t)(s - r->spans) + units == r->unit_top) {
        r->unit_top = (size_t)(s - r->spans);   /* as if never used: what is used of the tables stays small */
        return;
    }
    k_span_mark(s, units, state);
    bin = k_bin_of(units);
    k_span_link(&r->bins[state == K_FREE_CLEAN][bin], s);
    r->bin_bits[state == K_FREE_CLEAN][bin >> 6] |= (uint64_t)1 << (bin & 63);
    if (state == K_FREE_DIRTY) r->span_dirty += units << K_UNIT_SHIFT;
}

static KSpan *k_span_find(int clean, size_t units)
{
    KRange *r = &k_range;
    int bin = k_bin_of(units), word, tries;
    uint64_t bits;
    KSpan *s;
    for (s = k_span_at(r->bins[clean][bin]), tries = 8; s != NULL && tries; s = k_span_at(s->next), tries--)
        if (s->units >= units) return s;
    bin++;
    for (word = bin >> 6; word < 3; word++) {
        bits = r->bin_bits[clean][word];
        if (word == bin >> 6) bits &= ~(uint64_t)0 << (bin & 63);
        if (bits) return k_span_at(r->bins[clean][(word << 6) + __builtin_ctzll(bits)]);
    }
    return NULL;
}

static inline void k_make_room(size_t bytes, int raw)
{
    if (k_room_for(bytes)) return;
    if (!raw) {
        k_trim_pages(0, 0);
        k_trim_pages(1, 0);
    }
    if (!k_room_for(bytes)) k_trim_spans(0);
}

/* Units that belong to nobody, marked as used; *clean: they hold zeros. NULL: no more addresses. to_grow: for a span that
   will grow further, with addresses behind it that have no memory. */
static KSpan *k_span_get(size_t units, int *clean, int to_grow, int raw)
{
    KRange *r = &k_range;
    KSpan *s = NULL;
    size_t rest;
    int state;
    if (to_grow)
        s = k_span_find(1, 2 * units);
    else if ((s = k_span_find(0, units)) == NULL) {
        k_make_room(units << K_UNIT_SHIFT, raw);
        s = k_span_find(1, units);
    }
    if (s == NULL && units > r->unit_count - r->unit_top) {
        if (!to_grow) return NULL;
        return k_span_get(units, clean, 0, raw);
    }
    if (s != NULL) {
        state = s->state;
        rest = s->units - units;
        k_bin_remove(s);
        k_span_mark(s, units, K_USED);
        if (rest) k_span_release(s + units, rest, state);
        *clean = state == K_FREE_CLEAN;
    } else {
        s = r->spans + r->unit_top;
        r->unit_top += units;
        k_span_mark(s, units, K_USED);
        *clean = 1;
    }
    s->moved = s->blank = 0;
    r->span_committed += units << K_UNIT_SHIFT;
    return s;
}

/* It is no longer known to be untouched. */
static inline void k_span_touched(KSpan *s)
{
    if (s->blank) k_range.blank -= (size_t)s->units << K_UNIT_SHIFT;
    s->blank = 0;
}

static void k_span_put(KSpan *s)
{
    size_t units = s->units;
    void *start = k_span_start(s);
    k_span_touched(s);
    k_range.span_committed -= units << K_UNIT_SHIFT;
    if (s->moved) {             /* one mapping with its neighbours again */
        if (mmap(start, units << K_UNIT_SHIFT, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED) {
#ifdef MADV_NOHUGEPAGE
            madvise(start, units << K_UNIT_SHIFT, MADV_NOHUGEPAGE);
#endif
            k_span_release(s, units, K_FREE_CLEAN);
            return;
        }
    }
    k_span_release(s, units, K_FREE_DIRTY);
    if (k_range.span_dirty > K_RESERVE / 4 && !k_room_for(0)) k_trim_spans(0);
}

/* Takes the units after a span that are free into it: 1, or 0 when there are not enough. */
static int k_span_extend(KSpan *s, size_t units, int raw)
{
    KRange *r = &k_range;
    KSpan *after = s + s->units;
    size_t more = units - s->units, rest;
    int state;
    if (after == r->spans + r->unit_top || after->state != K_FREE_DIRTY || after->units < more)
        k_make_room(more << K_UNIT_SHIFT, raw);     /* which may join and drop free spans, not this one */
    if (after == r->spans + r->unit_top) {
        if (more > r->unit_count - r->unit_top) return 0;
        r->unit_top += more;
    } else {
        state = after->state;
        if (state == K_USED || after->units < more) return 0;
        rest = after->units - more;
        k_bin_remove(after);
        k_span_mark(s, units, K_USED);          /* first: the neighbour looks at the last record before it */
        if (rest) k_span_release(after + more, rest, state);
    }
    k_span_mark(s, units, K_USED);
    r->span_committed += more << K_UNIT_SHIFT;
    return 1;
}

/* Gives the end of a span back. */
static void k_span_cut(KSpan *s, size_t units)
{
    size_t rest = s->units - units;
    k_span_mark(s, units, K_USED);
    k_range.span_committed -= rest << K_UNIT_SHIFT;
    k_span_release(s + units, rest, K_FREE_DIRTY);
}

/* Gives the memory of free spans back until at most `keep` bytes are left. */
static void k_trim_spans(size_t keep)
{
    KRange *r = &k_range;
    size_t kept = 0, bytes;
    int bin;
    uint32_t next;
    KSpan *s;
    for (bin = 0; bin < K_BINS; bin++)
        for (s = k_span_at(r->bins[0][bin]); s != NULL; s = k_span_at(next)) {
            next = s->next;
            bytes = (size_t)s->units << K_UNIT_SHIFT;
            if (kept + bytes <= keep) {
                kept += bytes;
                continue;
            }
            k_bin_remove(s);
            madvise(k_span_start(s), bytes, MADV_DONTNEED);
            k_span_release(s, s->units, K_FREE_CLEAN);
        }
}

/* After a run: what is kept for the next one. */
static void k_trim_all(size_t keep)
{
    k_trim_pages(0, keep / 2);
    k_trim_pages(1, keep / 4);
    k_lock();
    k_trim_spans(keep / 4);
    k_unlock();
}

#endif
