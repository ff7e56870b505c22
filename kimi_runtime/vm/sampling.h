/* When samples are due: a timer of the kernel for each sampled thread, a signal, and the table by which the loop goes on.
 *
 * The timer sends its own thread a signal. The handler notes a tick, sets the timer anew, and overwrites each entry of the loop's
 * jump table, so that whatever instruction comes next is SAMPLE. That one puts the table back and takes the sample. So a sample
 * belongs to the instruction during which the tick came, whether that took a nanosecond or a minute in native code; and when
 * nothing is sampled, nothing is looked at and nothing is spent.
 *
 * A timer, and no thread that sleeps: a thread gets its turn late where processors are scarce, and soonest when the sampled
 * thread waits, so that waiting would get the time of what was done before. And the handler writes the table in the sampled
 * thread: written by another processor, the entries would become visible one by one, and in a short loop the same instruction
 * would be caught each time. SIGURG is ignored by default and harmless when it comes late; a handler of the host's for it is
 * called as ever.
 */
#ifndef KIMI_SAMPLING_H
#define KIMI_SAMPLING_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
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
    int timer;                          /* the kernel's number of it */
    int64_t due;                        /* when its next tick is */
    clockid_t clock;
    volatile int64_t ticks, first, last;        /* ticks that no sample has been taken for yet, and when they were */
    int64_t accounted;                  /* until when time is in samples */
    int64_t begun, cpu_begun, cpu, process_cpu;
    uint64_t instructions, begun_instructions;
    uint64_t allocated;                 /* bytes, while allocations are watched, but for what was taken of those granted since */
    uint64_t allocated_then, allocated_noted;
    int64_t granted, next_allocation;   /* bytes until the next sample of allocations: at the last one, and now */
    void *block;                        /* of that sample, until the next instruction */
    size_t block_own;                   /* its bytes */
    uint32_t candidates;                /* of that instruction so far */
    int object;                         /* 1: it was asked for as an object; 2: it is gone again */
    void *words[3];                     /* one of them may be its type */
    uint32_t host, number;              /* function of the host that it is in or was in last; the thread's number */
    int64_t host_end;
    int64_t way;                        /* see way_of in counting.pxi */
    size_t address;                     /* in the machine's code, where the last tick came; 0: not known */
    const void *ip;                     /* and what the innermost frame said then, */
    void *frame;                        /* which was this one */
    int32_t ended;
} KSampled;

typedef struct KSampler {
    int64_t interval;
    volatile int running;
    uint32_t random;
} KSampler;

static void (*k_note_frame)(KSampled *s) = NULL;        /* sets ip and frame; called in a handler */
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

static uint32_t k_random(KSampler *p) {
    p->random ^= p->random << 13;
    p->random ^= p->random >> 17;
    p->random ^= p->random << 5;
    return p->random;
}

/* The next tick. Not in step with anything periodic in the program: after three quarters to five quarters of the interval. Ticks
   that are over when a late one arrives are skipped, and the next one is not put off for it: else whatever follows a wait, at whose
   end a late tick arrives, would be free of ticks for the time of an interval, and never be seen if it is shorter. */
static int k_set_timer(KSampled *s, int64_t now) {
    int64_t interval = s->sampler->interval;
    struct itimerspec when = {{0, 0}, {0, 0}};
    if (now - s->due > interval * 16) { s->due = now - (int64_t)((double)interval * (k_random(s->sampler) / 4294967296.0)); }
    do {
        s->due += interval * 3 / 4 + (int64_t)((double)interval / 2 * (k_random(s->sampler) / 4294967296.0));
    } while (s->due <= now);
    when.it_value.tv_sec = s->due / 1000000000;
    when.it_value.tv_nsec = s->due % 1000000000;
    return (int)syscall(SYS_timer_settime, s->timer, TIMER_ABSTIME, &when, NULL);
}

static size_t k_address_of(void *context) {
#if defined(__x86_64__) && defined(REG_RIP)
    return (size_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__) && defined(__linux__)
    return (size_t)((ucontext_t *)context)->uc_mcontext.pc;
#else
    return 0;
#endif
}

/* In the thread whose timer it was. The list is walked because a signal may come when its thread is sampled no more. */
static void k_on_signal(int number, siginfo_t *info, void *context) {
    int before = errno, due = 0;
    int64_t now;
    KSampled *s;
    for (s = __atomic_load_n(&k_sampled, __ATOMIC_ACQUIRE); s != NULL; s = s->next) {
        if (info->si_code == SI_TIMER && info->si_value.sival_ptr == (void *)s && s->sampler->running) {
            now = k_clock_of(CLOCK_MONOTONIC);
            if (!s->ticks) { s->first = now; }
            s->last = now;
            s->address = k_address_of(context);
            if (k_note_frame != NULL) { k_note_frame(s); }
            __atomic_add_fetch(&s->ticks, 1, __ATOMIC_SEQ_CST);
            k_set_timer(s, now);
        }
        if (s->ticks) { due = 1; }
    }
    if (due) { k_arm(); }
    if (info->si_code != SI_TIMER) {
        if (k_host_action.sa_flags & SA_SIGINFO) {
            if (k_host_action.sa_sigaction != NULL) { k_host_action.sa_sigaction(number, info, context); }
        } else if (k_host_action.sa_handler != SIG_DFL && k_host_action.sa_handler != SIG_IGN) {
            k_host_action.sa_handler(number);
        }
    }
    errno = before;
}

static void k_sampling_forked(void) {       /* the child has no such timers */
    pthread_mutex_init(&k_sampling_lock, NULL);
    k_sampled = NULL;
    k_stepping = 0;
    k_disarm();
}

/* A timer for this thread: 0, or an error number. */
static int k_make_timer(int *timer, void *told) {
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGURG;
    event.sigev_value.sival_ptr = told;
#ifdef sigev_notify_thread_id
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
#else
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
#endif
    return syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, timer) ? errno : 0;
}

/* 0, or an error number where there are no timers. */
static int k_sampler_start(KSampler *p) {
    static int prepared = 0;
    struct sigaction action;
    int timer, status = k_make_timer(&timer, NULL);
    if (status) { return status; }
    syscall(SYS_timer_delete, timer);
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
    p->random = (uint32_t)k_clock_of(CLOCK_MONOTONIC) | 1;
    p->running = 1;
    return 0;
}

static void k_sampler_stop(KSampler *p) { p->running = 0; }

/* The thread that calls is sampled from now on: 0, or an error number. */
static int k_sampled_begin(KSampled *s, KSampler *p, void *vm) {
    int status = k_make_timer(&s->timer, s);
    if (status) { return status; }
    s->sampler = p;
    s->vm = vm;
    if (pthread_getcpuclockid(pthread_self(), &s->clock)) { s->clock = CLOCK_THREAD_CPUTIME_ID; }
    s->accounted = s->begun = k_clock_of(CLOCK_MONOTONIC);
    s->cpu = s->cpu_begun = k_clock_of(s->clock);
    s->process_cpu = k_clock_of(CLOCK_PROCESS_CPUTIME_ID);
    pthread_mutex_lock(&k_sampling_lock);
    s->next = k_sampled;
    __atomic_store_n(&k_sampled, s, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&k_sampling_lock);
    s->due = s->begun;
    k_set_timer(s, s->begun);
    return 0;
}

/* In the same thread. Handlers of other threads may still walk the list: so the caller frees nothing of it before its profile ends. */
static void k_sampled_end(KSampled *s) {
    KSampled **at;
    syscall(SYS_timer_delete, s->timer);
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
