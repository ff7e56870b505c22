/* A thread of the process that notices when runs are over their time.
 *
 * Native code that runs long looks at one flag, k_alarm, and not at a clock: that costs a load. While runs with limits
 * are under way the thread wakes every few milliseconds, sets the flag when one of them is over its time, and ends the
 * slice of that VM, so that its next tick is a safepoint however long each of its steps takes. It needs no lock of the
 * interpreter, touches no object, and ends soon after the last run did: a host that forks has no thread of ours then.
 */
#ifndef KIMI_WATCH_H
#define KIMI_WATCH_H

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

enum { K_WATCH_EVERY = 3000000, K_WATCH_IDLE = 100 };     /* nanoseconds; turns without a run before the thread ends */

typedef struct KWatch {
    volatile int64_t due;           /* when to end the slice, on the monotonic clock; 0: no run with limits */
    volatile int32_t *slice;
    struct KWatch *next;
} KWatch;

static KWatch *k_watches = NULL;    /* of all VMs that were ever made: they are never freed */
static volatile int k_alarm = 0;    /* some run is over its time */
static volatile int k_watching = 0;
static pthread_mutex_t k_watch_lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t k_clock(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
#define k_now() k_clock(CLOCK_MONOTONIC)
#define k_cpu_now() k_clock(CLOCK_THREAD_CPUTIME_ID)

static int k_watch_once(void) {
    int64_t now = k_now(), due;
    int over = 0, active = 0;
    KWatch *w;
    for (w = __atomic_load_n(&k_watches, __ATOMIC_ACQUIRE); w != NULL; w = w->next) {
        due = __atomic_load_n(&w->due, __ATOMIC_SEQ_CST);
        if (due == 0) { continue; }
        active = 1;
        if (now >= due) {
            over = 1;
            if (*w->slice > 0) { *w->slice = 0; }   /* may be lost to a tick at the same moment: then the next turn does it */
        }
    }
    k_alarm = over;
    return active;
}

static void *k_watch_thread(void *unused) {
    struct timespec pause = {0, K_WATCH_EVERY};
    int idle = 0;
    for (;;) {
        nanosleep(&pause, NULL);
        idle = k_watch_once() ? 0 : idle + 1;
        if (idle > K_WATCH_IDLE) {
            pthread_mutex_lock(&k_watch_lock);
            __atomic_store_n(&k_watching, 0, __ATOMIC_SEQ_CST);
            if (!k_watch_once()) {
                pthread_mutex_unlock(&k_watch_lock);
                return NULL;
            }
            __atomic_store_n(&k_watching, 1, __ATOMIC_SEQ_CST);
            pthread_mutex_unlock(&k_watch_lock);
            idle = 0;
        }
    }
}

static void k_watch_forked(void) {
    KWatch *w;
    pthread_mutex_init(&k_watch_lock, NULL);
    k_watching = 0;
    k_alarm = 0;
    for (w = k_watches; w != NULL; w = w->next) { w->due = 0; }
}

static void k_watch_start(void) {
    static int prepared = 0;
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    pthread_mutex_lock(&k_watch_lock);
    if (!k_watching && pthread_attr_init(&attributes) == 0) {
        if (!prepared) {
            pthread_atfork(NULL, NULL, k_watch_forked);
            prepared = 1;
        }
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_attr_setstacksize(&attributes, 1 << 16);
        sigfillset(&all);           /* signals of the host are for its own threads */
        pthread_sigmask(SIG_SETMASK, &all, &before);
        if (pthread_create(&thread, &attributes, k_watch_thread, NULL) == 0) { k_watching = 1; }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    pthread_mutex_unlock(&k_watch_lock);
}

/* Sets when the VM is due. Without a thread (none could be started) safepoints look at the clock as ever. */
static inline void k_watch_due(KWatch *w, int64_t due) {
    __atomic_store_n(&w->due, due, __ATOMIC_SEQ_CST);
    if (due && !__atomic_load_n(&k_watching, __ATOMIC_SEQ_CST)) { k_watch_start(); }
}

static void k_watch_add(KWatch *w, int32_t *slice) {        /* with the lock of the interpreter */
    w->due = 0;
    w->slice = slice;
    w->next = k_watches;
    __atomic_store_n(&k_watches, w, __ATOMIC_RELEASE);
}

#endif
