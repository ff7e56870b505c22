/* When samples are due: a thread with a timer, a signal, and the table by which the loop goes from instruction to instruction.
 *
 * A thread without Python state wakes once per interval, notes a tick for each sampled thread, and sends it a signal. The handler
 * overwrites each entry of the loop's jump table, so that whatever instruction comes next is SAMPLE. That one puts the table
 * back and takes the sample. So a sample belongs to the instruction during which the tick came, whether that took a nanosecond
 * or a minute in native code; and when nothing is sampled, nothing is looked at and nothing is spent.
 *
 * The handler runs in the sampled thread for a reason: written by another processor, the entries would become visible one by
 * one, and in a short loop the same instruction would be caught each time. SIGURG is ignored by default and harmless when it
 * comes late; a handler of the host's for it is called as ever.
 */
#ifndef KIMI_SAMPLING_H
#define KIMI_SAMPLING_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "dispatch.h"

enum { K_TABLE_AS_EVER = 0, K_TABLE_CHANGING = 1, K_TABLE_SAMPLES = 2 };

static const void **k_live_table = NULL;            /* what the loop jumps by */
static const void *const *k_true_table = NULL;      /* what it holds when no sample is due */
static const void *k_sample_body = NULL;
static volatile int k_table_state = K_TABLE_AS_EVER;
static volatile int k_stepping = 0;                 /* runs that want to see each instruction: the table stays as it is then */
static volatile int64_t k_armed_at = 0;

typedef struct KSampled {               /* a thread while it runs guest code that is sampled */
    struct KSampled *next;
    struct KSampler *sampler;
    void *vm;
    pthread_t thread;
    clockid_t clock;
    volatile int64_t ticks, first, last;        /* ticks that no sample has been taken for yet, and when they were */
    int64_t accounted;                  /* until when time is in samples */
    int64_t begun, cpu_begun, cpu, process_cpu;
    uint64_t instructions, begun_instructions;
    uint64_t allocated;                 /* bytes, while allocations are watched */
    uint64_t allocated_then, allocated_noted;
    int64_t next_allocation;            /* bytes until the next sample of allocations */
    void *block;                        /* of that sample, until the next instruction */
    size_t block_size, block_own;       /* bytes that it stands for, and its own */
    int object;                         /* 1: it was asked for as an object; 2: it is gone again */
    void *words[3];                     /* one of them may be its type */
    uint32_t host, number;              /* function of the host that it is in or was in last; the thread's number */
    int64_t host_end;
    int32_t ended;
} KSampled;

typedef struct KSampler {
    int64_t interval;
    volatile int running;
    pthread_t thread;
    uint32_t random;
} KSampler;

static KSampled *k_sampled = NULL;      /* changed with the lock of the interpreter and this one */
static pthread_mutex_t k_sampling_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction k_host_action;
static int k_handler_set = 0;

static inline int64_t k_clock_of(clockid_t id) {
    struct timespec t;
    if (clock_gettime(id, &t)) { return 0; }
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void k_note_tables(const void **table, const void *const *bodies, const void *sample) {
    k_live_table = table;
    k_true_table = bodies;
    k_sample_body = sample;
}

static int k_can_sample(void) { return k_live_table != NULL; }

static void k_arm(void) {
    int i, as_ever = K_TABLE_AS_EVER;
    if (k_live_table == NULL
            || !__atomic_compare_exchange_n(&k_table_state, &as_ever, K_TABLE_CHANGING, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        return;
    }
    for (i = 0; i < K_OPCODES; i++) { ((const void *volatile *)k_live_table)[i] = k_sample_body; }
    k_armed_at = k_clock_of(CLOCK_MONOTONIC);
    __atomic_store_n(&k_table_state, K_TABLE_SAMPLES, __ATOMIC_SEQ_CST);
}

/* A tick that comes meanwhile finds the table changing and leaves it so: whoever disarms looks for ticks afterwards. */
static void k_disarm(void) {
    int i, samples = K_TABLE_SAMPLES;
    if (!__atomic_compare_exchange_n(&k_table_state, &samples, K_TABLE_CHANGING, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        return;
    }
    for (i = 0; i < K_OPCODES; i++) { ((const void *volatile *)k_live_table)[i] = k_true_table[i]; }
    __atomic_store_n(&k_table_state, K_TABLE_AS_EVER, __ATOMIC_SEQ_CST);
}

static void k_on_signal(int number, siginfo_t *info, void *context) {
    int before = errno;
    KSampled *s;
    int due = 0;
    for (s = __atomic_load_n(&k_sampled, __ATOMIC_ACQUIRE); s != NULL; s = s->next) {
        if (s->ticks) { due = 1; }
    }
    if (due) { k_arm(); }
    if (k_host_action.sa_flags & SA_SIGINFO) {
        if (k_host_action.sa_sigaction != NULL) { k_host_action.sa_sigaction(number, info, context); }
    } else if (k_host_action.sa_handler != SIG_DFL && k_host_action.sa_handler != SIG_IGN) {
        k_host_action.sa_handler(number);
    }
    errno = before;
}

static uint32_t k_random(KSampler *p) {
    p->random ^= p->random << 13;
    p->random ^= p->random >> 17;
    p->random ^= p->random << 5;
    return p->random;
}

static void *k_sampling_thread(void *given) {
    KSampler *p = (KSampler *)given;
    KSampled *s;
    struct timespec until;
    int64_t next = k_clock_of(CLOCK_MONOTONIC), now;
    while (p->running) {
        /* Not in step with anything periodic in the program: three quarters to five quarters of the interval. */
        next += p->interval * 3 / 4 + (int64_t)((double)p->interval / 2 * (k_random(p) / 4294967296.0));
        now = k_clock_of(CLOCK_MONOTONIC);
        if (next < now) { next = now; }
        while (p->running && (now = k_clock_of(CLOCK_MONOTONIC)) < next) {
            int64_t rest = next - now > 50000000 ? now + 50000000 : next;      /* so that an end is seen soon */
            until.tv_sec = rest / 1000000000;
            until.tv_nsec = rest % 1000000000;
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        }
        if (!p->running) { break; }
        pthread_mutex_lock(&k_sampling_lock);
        now = k_clock_of(CLOCK_MONOTONIC);
        for (s = k_sampled; s != NULL; s = s->next) {
            if (s->sampler != p || s->ended) { continue; }
            if (!__atomic_load_n(&s->ticks, __ATOMIC_SEQ_CST)) { s->first = now; }
            s->last = now;
            __atomic_add_fetch(&s->ticks, 1, __ATOMIC_SEQ_CST);
            pthread_kill(s->thread, SIGURG);
        }
        pthread_mutex_unlock(&k_sampling_lock);
    }
    return NULL;
}

static void k_sampling_forked(void) {       /* the child has no such thread, and no thread to be sampled but its own */
    pthread_mutex_init(&k_sampling_lock, NULL);
    k_sampled = NULL;
    k_stepping = 0;
    k_disarm();
}

/* Starts the thread: 0, or an error number. */
static int k_sampler_start(KSampler *p) {
    static int prepared = 0;
    struct sigaction action;
    pthread_attr_t attributes;
    sigset_t all, before;
    int status;
    if (!prepared) {
        pthread_atfork(NULL, NULL, k_sampling_forked);
        prepared = 1;
    }
    if (!k_handler_set || (sigaction(SIGURG, NULL, &action) == 0 && action.sa_sigaction != k_on_signal)) {
        memset(&action, 0, sizeof action);
        action.sa_sigaction = k_on_signal;
        action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        if (sigaction(SIGURG, &action, &k_host_action)) { return errno; }
        k_handler_set = 1;
    }
    if (pthread_attr_init(&attributes)) { return ENOMEM; }
    p->random = (uint32_t)k_clock_of(CLOCK_MONOTONIC) | 1;
    p->running = 1;
    pthread_attr_setstacksize(&attributes, 1 << 16);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    status = pthread_create(&p->thread, &attributes, k_sampling_thread, p);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (status) { p->running = 0; }
    return status;
}

static void k_sampler_stop(KSampler *p) {
    if (p->running) {
        p->running = 0;
        pthread_join(p->thread, NULL);
    }
}

static void k_sampled_begin(KSampled *s, KSampler *p, void *vm) {
    s->sampler = p;
    s->vm = vm;
    s->thread = pthread_self();
    if (pthread_getcpuclockid(s->thread, &s->clock)) { s->clock = CLOCK_THREAD_CPUTIME_ID; }
    s->accounted = s->begun = k_clock_of(CLOCK_MONOTONIC);
    s->cpu = s->cpu_begun = k_clock_of(s->clock);
    s->process_cpu = k_clock_of(CLOCK_PROCESS_CPUTIME_ID);
    pthread_mutex_lock(&k_sampling_lock);
    s->next = k_sampled;
    __atomic_store_n(&k_sampled, s, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&k_sampling_lock);
}

/* With the lock no tick is under way; a handler that still walks the list runs in this thread, or reads what is not freed before
   the interpreter's lock was given up: so the caller frees nothing of it before its profile ends. */
static void k_sampled_end(KSampled *s) {
    KSampled **at;
    pthread_mutex_lock(&k_sampling_lock);
    s->ended = 1;
    for (at = &k_sampled; *at != NULL; at = &(*at)->next) {
        if (*at == s) {
            __atomic_store_n(at, s->next, __ATOMIC_RELEASE);
            break;
        }
    }
    pthread_mutex_unlock(&k_sampling_lock);
}

#endif
