/* The seccomp filter of a worker: an allow-list. What is not in it fails with EPERM; what no interpreter ever asks for, and a
   system call of another architecture's numbering, ends the process.

   The filter is built as BPF at run time from the two tables below, so that one source serves x86-64 and aarch64. */
#ifndef KIMI_ISOLATION_SECCOMP_H
#define KIMI_ISOLATION_SECCOMP_H

#include "kernel.h"

#ifdef KIMI_HAVE_ISOLATION
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

#if defined(__x86_64__)
#define KIMI_AUDIT_ARCH AUDIT_ARCH_X86_64
#else
#define KIMI_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

/* Allowed whatever the arguments are. None of them names a file, an address or another process. */
static const int kimi_allowed[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_close, SYS_fstat, SYS_lseek, SYS_ppoll,
    SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk,
    SYS_futex, SYS_sched_yield, SYS_sched_getaffinity, SYS_set_robust_list, SYS_membarrier,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times, SYS_getrusage,
    SYS_getrandom, SYS_exit, SYS_exit_group, SYS_restart_syscall,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#if defined(__x86_64__)
    SYS_poll, SYS_time, SYS_select, SYS_pselect6,
#endif
};

/* Not asked for by mistake: whoever calls these has left the interpreter. */
static const int kimi_deadly[] = {
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_socket, SYS_socketpair, SYS_connect, SYS_bind,
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_bpf, SYS_perf_event_open,
    SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module,
    SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_memfd_create, SYS_seccomp, SYS_setuid, SYS_setgid,
    SYS_shmget, SYS_shmat, SYS_name_to_handle_at, SYS_open_by_handle_at, 425 /* io_uring_setup */,
};

#define KIMI_PUT(c, jt_, jf_, k_) (code[n].code = (c), code[n].jt = (jt_), code[n].jf = (jf_), code[n].k = (k_), n++)
#define KIMI_LOAD(offset) KIMI_PUT(BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)(offset))
#define KIMI_RETURN(value) KIMI_PUT(BPF_RET | BPF_K, 0, 0, (value))
#define KIMI_SKIP_UNLESS_EQUAL(value, skip) KIMI_PUT(BPF_JMP | BPF_JEQ | BPF_K, 0, (skip), (uint32_t)(value))
#define KIMI_DENY (SECCOMP_RET_ERRNO | EPERM)
#define KIMI_ARGUMENT(i) (offsetof(struct seccomp_data, args) + 8 * (i))    /* the low word: both are little-endian */
#define KIMI_MOST 256

/* Writes the filter. `own` is the id of the calling process. Returns the number of instructions. */
static int kimi_build_filter(struct sock_filter *code, int own) {
    int n = 0;
    size_t i;
    KIMI_LOAD(offsetof(struct seccomp_data, arch));
    KIMI_PUT(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, KIMI_AUDIT_ARCH);
    KIMI_RETURN(SECCOMP_RET_KILL_PROCESS);
    KIMI_LOAD(offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    KIMI_PUT(BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);          /* the x32 numbering */
    KIMI_RETURN(SECCOMP_RET_KILL_PROCESS);
#endif
    for (i = 0; i < sizeof kimi_allowed / sizeof *kimi_allowed; i++) {
        KIMI_SKIP_UNLESS_EQUAL(kimi_allowed[i], 1);
        KIMI_RETURN(SECCOMP_RET_ALLOW);
    }
    for (i = 0; i < sizeof kimi_deadly / sizeof *kimi_deadly; i++) {
        KIMI_SKIP_UNLESS_EQUAL(kimi_deadly[i], 1);
        KIMI_RETURN(SECCOMP_RET_KILL_PROCESS);
    }
    /* mmap: memory without a file behind it that is never executed. */
    KIMI_SKIP_UNLESS_EQUAL(SYS_mmap, 6);
    KIMI_LOAD(KIMI_ARGUMENT(2));
    KIMI_PUT(BPF_JMP | BPF_JSET | BPF_K, 3, 0, PROT_EXEC);
    KIMI_LOAD(KIMI_ARGUMENT(3));
    KIMI_PUT(BPF_JMP | BPF_JSET | BPF_K, 0, 1, MAP_ANONYMOUS);
    KIMI_RETURN(SECCOMP_RET_ALLOW);
    KIMI_RETURN(KIMI_DENY);
    /* mprotect: for the stacks of threads and for the arenas of malloc. */
    KIMI_SKIP_UNLESS_EQUAL(SYS_mprotect, 4);
    KIMI_LOAD(KIMI_ARGUMENT(2));
    KIMI_PUT(BPF_JMP | BPF_JSET | BPF_K, 1, 0, PROT_EXEC);
    KIMI_RETURN(SECCOMP_RET_ALLOW);
    KIMI_RETURN(KIMI_DENY);
    /* clone: threads of the guest only. clone3 keeps its flags where a filter cannot look; glibc then asks for clone. */
    KIMI_SKIP_UNLESS_EQUAL(435, 1);
    KIMI_RETURN(SECCOMP_RET_ERRNO | ENOSYS);
    KIMI_SKIP_UNLESS_EQUAL(SYS_clone, 5);
    KIMI_LOAD(KIMI_ARGUMENT(0));
    KIMI_PUT(BPF_JMP | BPF_JSET | BPF_K, 0, 2, CLONE_THREAD);
    KIMI_PUT(BPF_JMP | BPF_JSET | BPF_K, 1, 0, CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
             | 0x02000000 /* CLONE_NEWCGROUP */ | CLONE_PTRACE | CLONE_VFORK);
    KIMI_RETURN(SECCOMP_RET_ALLOW);
    KIMI_RETURN(KIMI_DENY);
    /* tgkill: abort() of the process itself. */
    KIMI_SKIP_UNLESS_EQUAL(SYS_tgkill, 4);
    KIMI_LOAD(KIMI_ARGUMENT(0));
    KIMI_PUT(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)own);
    KIMI_RETURN(SECCOMP_RET_ALLOW);
    KIMI_RETURN(KIMI_DENY);
    /* prlimit64: reading the limits of the process itself (glibc asks for the stack's). */
    KIMI_SKIP_UNLESS_EQUAL(SYS_prlimit64, 6);
    KIMI_LOAD(KIMI_ARGUMENT(2));
    KIMI_PUT(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0);
    KIMI_LOAD(KIMI_ARGUMENT(2) + 4);
    KIMI_PUT(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    KIMI_RETURN(SECCOMP_RET_ALLOW);
    KIMI_RETURN(KIMI_DENY);
    KIMI_RETURN(KIMI_DENY);
    return n;
}

/* Installs the filter for all threads of the process. no_new_privs must be on, or the process privileged. */
static int kimi_install_filter(void) {
    struct sock_filter code[KIMI_MOST];
    struct sock_fprog program;
    program.len = (unsigned short)kimi_build_filter(code, (int)getpid());
    program.filter = code;
    if (syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, 1 /* TSYNC */, &program) == 0) return 0;
    if (errno != ENOSYS && errno != EINVAL) return -errno;
    return kimi_status(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
}
#else
static int kimi_install_filter(void) { return -ENOSYS; }
#endif

#endif
