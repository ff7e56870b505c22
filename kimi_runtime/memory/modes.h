/* Where blocks outside the heaps of guests come from: an allocator that can be changed while the process runs.

   A thread has a mode of its own, or follows that of the process. New blocks come from the allocator of the mode; a block
   goes back to the one that it came from, which its address tells: guests' range, the range of jemalloc's arena, mimalloc's
   own test. What is in none of them is CPython's affair, whose free tells its own blocks from those of malloc. So a switch
   is a store, and nobody waits.

   Called with the GIL, as CPython's domains for objects are. */
#ifndef KIMI_MODES_H
#define KIMI_MODES_H

#include "ranges.h"

enum { K_FOLLOW = 0, K_PYMALLOC, K_SYSTEM, K_GUEST, K_JEMALLOC, K_MIMALLOC, K_MODES };

#if defined(__GLIBC__)
static __thread int k_thread_mode __attribute__((tls_model("initial-exec")));
#else
static __thread int k_thread_mode;
#endif
static int k_process_mode = K_PYMALLOC;
static int k_next_mode = K_PYMALLOC;        /* what a share of the runs is moved to */
static int k_percent, k_carry;
static uint64_t k_made[K_MODES], k_given_back[K_MODES];

static inline int k_mode_now(void) { return k_thread_mode ? k_thread_mode : k_process_mode; }

/* What the next run takes from; the thread's own mode goes first. */
static inline int k_mode_of_run(void)
{
    if (k_thread_mode || k_percent == 0) return k_thread_mode;
    k_carry += k_percent;
    if (k_carry < 100) return K_FOLLOW;
    k_carry -= 100;
    return k_next_mode;
}

/* ---- mimalloc ---------------------------------------------------------------------------- */
static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    size_t (*usable)(const void *);
    unsigned char (*owns)(const void *);        /* a bool */
} k_mi;

/* ---- jemalloc: one arena, whose memory lies in a range of ours --------------------------- */
typedef struct KExtentHooks KExtentHooks;
struct KExtentHooks {
    void *(*alloc)(KExtentHooks *, void *, size_t, size_t, unsigned char *, unsigned char *, unsigned);
    unsigned char (*dalloc)(KExtentHooks *, void *, size_t, unsigned char, unsigned);
    void (*destroy)(KExtentHooks *, void *, size_t, unsigned char, unsigned);
    unsigned char (*commit)(KExtentHooks *, void *, size_t, size_t, size_t, unsigned);
    unsigned char (*decommit)(KExtentHooks *, void *, size_t, size_t, size_t, unsigned);
    unsigned char (*purge_lazy)(KExtentHooks *, void *, size_t, size_t, size_t, unsigned);
    unsigned char (*purge_forced)(KExtentHooks *, void *, size_t, size_t, size_t, unsigned);
    unsigned char (*split)(KExtentHooks *, void *, size_t, size_t, size_t, unsigned char, unsigned);
    unsigned char (*merge)(KExtentHooks *, void *, size_t, void *, size_t, unsigned char, unsigned);
};

static struct {
    void *(*mallocx)(size_t, int);
    void *(*rallocx)(void *, size_t, int);
    void (*dallocx)(void *, int);
    size_t (*sallocx)(const void *, int);
    int (*mallctl)(const char *, void *, size_t *, void *, size_t);
    unsigned arena;
    char *base;
    size_t size;                /* 0: not loaded */
    size_t used;                /* changed without the GIL: threads of jemalloc purge too */
    pthread_key_t key;
} k_je;

#if defined(__GLIBC__)
static __thread unsigned k_je_cache __attribute__((tls_model("initial-exec")));     /* number + 1 */
#else
static __thread unsigned k_je_cache;
#endif

static void *k_je_extent(KExtentHooks *hooks, void *wanted, size_t size, size_t alignment, unsigned char *zero,
                         unsigned char *commit, unsigned arena)
{
    size_t at, next, seen;
    if (wanted != NULL) return NULL;
    seen = __atomic_load_n(&k_je.used, __ATOMIC_RELAXED);
    do {
        at = (seen + (uintptr_t)k_je.base + alignment - 1) / alignment * alignment - (uintptr_t)k_je.base;
        next = at + size;
        if (next > k_je.size) return NULL;
    } while (!__atomic_compare_exchange_n(&k_je.used, &seen, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    *zero = 1;
    *commit = 1;
    return k_je.base + at;
}
static unsigned char k_je_keep(KExtentHooks *hooks, void *p, size_t size, unsigned char committed, unsigned arena)
{
    return 1;                   /* refused: jemalloc keeps the addresses for itself, and purges their memory */
}
static unsigned char k_je_purge(KExtentHooks *hooks, void *p, size_t size, size_t offset, size_t length, unsigned arena)
{
    return madvise((char *)p + offset, length, MADV_DONTNEED) != 0;
}
static unsigned char k_je_split(KExtentHooks *hooks, void *p, size_t size, size_t a, size_t b, unsigned char committed,
                                unsigned arena)
{
    return 0;
}
static unsigned char k_je_merge(KExtentHooks *hooks, void *p, size_t a, void *q, size_t b, unsigned char committed,
                                unsigned arena)
{
    return 0;
}
static KExtentHooks k_je_hooks = {k_je_extent, k_je_keep, NULL, NULL, NULL, NULL, k_je_purge, k_je_split, k_je_merge};

static void k_je_thread_ends(void *number)
{
    unsigned cache = (unsigned)(uintptr_t)number - 1;
    k_je_cache = 0;
    k_je.mallctl("tcache.destroy", NULL, NULL, &cache, sizeof(cache));
}

/* 0; or why jemalloc cannot be used beside the process's own malloc: 1 no addresses, 2 it refuses an arena. */
static int k_je_open(void)
{
    size_t length = sizeof(k_je.arena), size = (size_t)64 << 30;
    KExtentHooks *hooks = &k_je_hooks;
    if (k_je.size) return 0;
    for (; size >= (size_t)1 << 30; size >>= 1)
        if ((k_je.base = k_reserve_addresses(size)) != NULL) break;
    if (k_je.base == NULL) return 1;
    k_je.size = size;
    if (pthread_key_create(&k_je.key, k_je_thread_ends)
            || k_je.mallctl("arenas.create", &k_je.arena, &length, &hooks, sizeof(hooks))) {
        munmap(k_je.base, size);
        k_je.size = 0;
        return 2;
    }
    return 0;
}

/* Flags of this thread's cache of free blocks. */
static int k_je_flags(void)
{
    unsigned cache;
    size_t length = sizeof(cache);
    if (K_UNLIKELY(!k_je_cache)) {
        if (k_je.mallctl("tcache.create", &cache, &length, NULL, 0)) return 1 << 8;     /* none */
        k_je_cache = cache + 1;
        pthread_setspecific(k_je.key, (void *)(uintptr_t)k_je_cache);
    }
    return (int)(k_je_cache + 1) << 8;
}
static inline int k_je_all(void) { return k_je_flags() | (int)((k_je.arena + 1) << 20); }
static inline int k_je_owns(const void *p) { return (size_t)((uintptr_t)p - (uintptr_t)k_je.base) < k_je.size; }

/* ---- blocks ------------------------------------------------------------------------------ */
/* Whose a block is that is no guest's: K_JEMALLOC, K_MIMALLOC, or K_FOLLOW for what CPython knows. */
static inline int k_owner_of(const void *p)
{
    if (K_UNLIKELY(k_je_owns(p))) return K_JEMALLOC;
    if (K_UNLIKELY(k_mi.owns != NULL) && k_mi.owns(p)) return K_MIMALLOC;
    return K_FOLLOW;
}

static void k_foreign_free(int owner, void *p)
{
    k_given_back[owner]++;
    if (owner == K_JEMALLOC) k_je.dallocx(p, k_je_flags()); else k_mi.free(p);
}

static size_t k_foreign_usable(int owner, void *p)
{
    return owner == K_JEMALLOC ? k_je.sallocx(p, 0) : k_mi.usable(p);
}

/* n is at least 1. */
static void *k_foreign_malloc(int mode, size_t n, int zero)
{
    if (mode == K_JEMALLOC) return k_je.mallocx(n, k_je_all() | (zero ? 0x40 : 0));
    return zero ? k_mi.calloc(1, n) : k_mi.malloc(n);
}

static void *k_foreign_realloc(int owner, void *p, size_t n)
{
    return owner == K_JEMALLOC ? k_je.rallocx(p, n ? n : 1, k_je_all()) : k_mi.realloc(p, n ? n : 1);
}

#endif
