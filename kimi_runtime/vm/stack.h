/* How deep the C stack of the running thread may get.
 *
 * Threads have stacks of 256 KB to many MB, and frames of C functions differ by compiler and build: what counts is the
 * address, not the number of calls.
 */
#ifndef KIMI_STACK_H
#define KIMI_STACK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stddef.h>

#if defined(__GLIBC__)
#define K_TLS static __thread __attribute__((tls_model("initial-exec")))
#else
#define K_TLS static __thread
#endif

/* What stays free below the floor: for C functions that do not look, and for what makes the exception. */
enum { K_STACK_RESERVE = 96 * 1024, K_STACK_SMALLEST_RESERVE = 48 * 1024 };
/* Of a stack, so much at most is given back: of the main thread's more may not be its own. What lies next to the frames stays. */
enum { K_STACK_FORGOTTEN = 8 << 20, K_STACK_KEPT = 256 * 1024, K_STACK_ROUNDS = 32 };

K_TLS char *k_stack_low = NULL;     /* where it ends; NULL: not known */

/* The lowest address that guests' calls may reach in this thread; NULL when the bounds are not known. */
static char *k_find_stack_floor(void) {
    char here, *low = NULL;
    size_t size = 0, reserve = K_STACK_RESERVE;
#if defined(__APPLE__)
    size = pthread_get_stacksize_np(pthread_self());
    low = (char *)pthread_get_stackaddr_np(pthread_self()) - size;
#elif defined(__linux__)
    pthread_attr_t attributes;
    void *address = NULL;
    size_t guard = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) { return NULL; }
    if (pthread_attr_getstack(&attributes, &address, &size) == 0) {
        pthread_attr_getguardsize(&attributes, &guard);     /* glibc counts it to the stack for threads of its own making */
        low = (char *)address + guard;
        size -= guard;
    }
    pthread_attr_destroy(&attributes);
#endif
    if (low == NULL || &here < low || &here >= low + size) { return NULL; }     /* a stack of somebody else's making */
    k_stack_low = size > K_STACK_FORGOTTEN ? low + size - K_STACK_FORGOTTEN : low;
    if (reserve > size / 4) { reserve = size / 4 > K_STACK_SMALLEST_RESERVE ? size / 4 : K_STACK_SMALLEST_RESERVE; }
    return low + reserve;
}

K_TLS char *k_stack_floor = NULL;
K_TLS int k_stack_known = 0;

static inline char *k_thread_stack_floor(void) {
    if (!k_stack_known) {
        k_stack_floor = k_find_stack_floor();
        k_stack_known = 1;
    }
    return k_stack_floor;
}

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#include <stdint.h>
/* Gives the pages of zeroed memory back to the system; they read as zeros again. */
static void k_forget_pages(char *from, char *to) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = ((uintptr_t)from + page - 1) & ~(page - 1), end = (uintptr_t)to & ~(page - 1);
    if (start < end) { madvise((void *)start, end - start, MADV_DONTNEED); }
}
#else
static void k_forget_pages(char *from, char *to) { (void)from; (void)to; }
#endif

#define k_stack_here() ((char *)__builtin_frame_address(0))

/* After a run: one that went deep has left pages of the C stack behind. Looks each so many times, because that is a system call. */
K_TLS unsigned k_stack_rounds = 0;
static inline void k_forget_stack(void) {
    char *end = k_stack_here() - K_STACK_KEPT;
    if (++k_stack_rounds % K_STACK_ROUNDS == 0 && k_stack_low != NULL && end > k_stack_low) { k_forget_pages(k_stack_low, end); }
}

#endif
