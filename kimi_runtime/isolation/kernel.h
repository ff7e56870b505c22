/* System calls of the isolation layers. Each function returns 0, a count, or a negative errno. On systems other than Linux all of
   them return -ENOSYS, so that the package builds there; isolation="process" is refused before any is called. */
#ifndef KIMI_ISOLATION_KERNEL_H
#define KIMI_ISOLATION_KERNEL_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define KIMI_HAVE_ISOLATION 1

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Numbers that older headers lack; they are the same on all architectures. */
#define KIMI_NR_pidfd_send_signal 424
#define KIMI_NR_pidfd_open 434
#define KIMI_NR_close_range 436
#define KIMI_NR_landlock_create_ruleset 444
#define KIMI_NR_landlock_restrict_self 446

static int kimi_status(long result) { return result < 0 ? -errno : (int)result; }

static int kimi_no_new_privileges(void) { return kimi_status(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }
static int kimi_not_dumpable(void) { return kimi_status(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }
static int kimi_die_with_parent(void) { return kimi_status(prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)); }

static int kimi_unshare_user(void) { return kimi_status(unshare(CLONE_NEWUSER)); }
static int kimi_unshare_mounts(void) { return kimi_status(unshare(CLONE_NEWNS)); }
static int kimi_unshare_network(void) { return kimi_status(unshare(CLONE_NEWNET)); }
static int kimi_unshare_ipc(void) { return kimi_status(unshare(CLONE_NEWIPC | CLONE_NEWUTS)); }
static int kimi_unshare_pids(void) { return kimi_status(unshare(CLONE_NEWPID)); }

/* Replaces the file system of this mount namespace by an empty one that cannot be written. */
static int kimi_empty_root(void) {
    static const char *const places[] = {"/tmp", "/mnt", "/proc", "/dev", "/usr", NULL};
    int i, status = -ENOENT;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return -errno;
    for (i = 0; places[i] != NULL; i++) {
        status = kimi_status(mount("none", places[i], "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=4k,nr_inodes=2,mode=0555"));
        if (status == 0) break;
    }
    if (status < 0) return status;
    if (chdir(places[i]) < 0) return -errno;
    if (syscall(SYS_pivot_root, ".", ".") < 0) return -errno;
    if (umount2(".", MNT_DETACH) < 0) return -errno;
    if (chdir("/") < 0) return -errno;
    return kimi_status(mount("none", "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL));
}

struct kimi_cap_header { uint32_t version; int pid; };
struct kimi_cap_data { uint32_t effective, permitted, inheritable; };

/* Gives up every capability, also those that a program file could give back. */
static int kimi_drop_capabilities(void) {
    struct kimi_cap_header header = {0x20080522, 0};
    struct kimi_cap_data data[2];
    int capability;
    for (capability = 0; capability < 64; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 && errno != EINVAL && errno != EPERM) return -errno;
    prctl(47 /* PR_CAP_AMBIENT */, 4 /* clear all */, 0, 0, 0);
    memset(data, 0, sizeof data);
    return kimi_status(syscall(SYS_capset, &header, data));
}

struct kimi_landlock_ruleset { uint64_t files, network, scoped; };

/* The version of the kernel's landlock, or a negative errno. */
static int kimi_landlock_version(void) {
    return kimi_status(syscall(KIMI_NR_landlock_create_ruleset, NULL, 0, 1));
}

/* Denies all that landlock knows: every file, TCP, abstract sockets and signals to processes outside. */
static int kimi_landlock(void) {
    static const uint64_t files[] = {0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff};
    struct kimi_landlock_ruleset rules = {0, 0, 0};
    size_t size = 8;
    int version = kimi_landlock_version(), fd, status;
    if (version < 1) return version < 0 ? version : -ENOSYS;
    rules.files = files[version > 5 ? 5 : version];
    if (version >= 4) { rules.network = 3; size = 16; }
    if (version >= 6) { rules.scoped = 3; size = 24; }
    fd = (int)syscall(KIMI_NR_landlock_create_ruleset, &rules, size, 0);
    if (fd < 0) return -errno;
    status = kimi_status(syscall(KIMI_NR_landlock_restrict_self, fd, 0));
    close(fd);
    return status;
}

/* Closes every descriptor from `first` on. */
static int kimi_close_from(int first) {
    struct rlimit limit;
    int fd;
    if (syscall(KIMI_NR_close_range, first, ~0U, 0) == 0) return 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
    for (fd = first; fd < (int)(limit.rlim_cur > 1048576 ? 1048576 : limit.rlim_cur); fd++) close(fd);
    return 0;
}

static int kimi_pidfd_open(int pid) { return kimi_status(syscall(KIMI_NR_pidfd_open, pid, 0)); }

/* Puts the whole huge pages within an address range into huge pages. Returns how many it did. A range without any page that can be
   written at once is refused by the kernel, and after a fork none can: so one is written. */
static int kimi_collapse(unsigned long start, unsigned long end) {
    const unsigned long huge = 2UL << 20;
    int done = 0;
    for (start = (start + huge - 1) & ~(huge - 1); start + huge <= end; start += huge) {
        *(volatile char *)start = *(volatile char *)start;
        done += madvise((void *)start, huge, 25 /* MADV_COLLAPSE */) == 0;
    }
    return done;
}

#else
static int kimi_collapse(unsigned long start, unsigned long end) { return 0; }
static int kimi_no_new_privileges(void) { return -ENOSYS; }
static int kimi_not_dumpable(void) { return -ENOSYS; }
static int kimi_die_with_parent(void) { return -ENOSYS; }
static int kimi_unshare_user(void) { return -ENOSYS; }
static int kimi_unshare_mounts(void) { return -ENOSYS; }
static int kimi_unshare_network(void) { return -ENOSYS; }
static int kimi_unshare_ipc(void) { return -ENOSYS; }
static int kimi_unshare_pids(void) { return -ENOSYS; }
static int kimi_empty_root(void) { return -ENOSYS; }
static int kimi_drop_capabilities(void) { return -ENOSYS; }
static int kimi_landlock_version(void) { return -ENOSYS; }
static int kimi_landlock(void) { return -ENOSYS; }
static int kimi_close_from(int first) { return -ENOSYS; }
static int kimi_pidfd_open(int pid) { return -ENOSYS; }
#endif

#endif
