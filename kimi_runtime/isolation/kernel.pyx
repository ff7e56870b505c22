# cython: binding=False
"""The isolation layers that need system calls of their own: namespaces, capabilities, landlock, the seccomp filter.

Called by the template and by its workers. Every function raises OSError when the kernel refuses.
"""
import os


cdef extern from "kernel.h":
    int kimi_no_new_privileges()
    int kimi_not_dumpable()
    int kimi_die_with_parent()
    int kimi_unshare_user()
    int kimi_unshare_mounts()
    int kimi_unshare_network()
    int kimi_unshare_ipc()
    int kimi_unshare_pids()
    int kimi_empty_root()
    int kimi_drop_capabilities()
    int kimi_landlock_version()
    int kimi_landlock()
    int kimi_close_from(int first)
    int kimi_pidfd_open(int pid)
    int kimi_collapse(unsigned long start, unsigned long end)


cdef extern from "seccomp.h":
    int kimi_install_filter()


cdef int checked(int status) except -1:
    """The status when it is none of a failure."""
    if status < 0:
        raise OSError(-status, os.strerror(-status))
    return status


def no_new_privileges():
    """No program file gives this process or its children privileges any more."""
    checked(kimi_no_new_privileges())


def not_dumpable():
    """Processes of the same user cannot attach to this one or read its memory; it leaves no core file."""
    checked(kimi_not_dumpable())


def die_with_parent():
    """The kernel kills this process when the thread that made it ends."""
    checked(kimi_die_with_parent())


def unshare_user():
    """A user namespace of its own: what the process may do to the system is nothing, whoever started it."""
    checked(kimi_unshare_user())


def unshare_mounts():
    """A mount namespace of its own."""
    checked(kimi_unshare_mounts())


def unshare_network():
    """A network namespace without interfaces."""
    checked(kimi_unshare_network())


def unshare_ipc():
    """Namespaces of its own for System V objects, message queues and the host's name."""
    checked(kimi_unshare_ipc())


def unshare_pids():
    """The next child is the first process of a namespace of its own: it sees no other process, and all in it end with it."""
    checked(kimi_unshare_pids())


def empty_root():
    """The root folder is an empty file system from now on. In a mount namespace only."""
    checked(kimi_empty_root())


def drop_capabilities():
    """Gives up every capability for good."""
    checked(kimi_drop_capabilities())


def landlock_version():
    """The version of landlock that the kernel has."""
    return checked(kimi_landlock_version())


def landlock():
    """Denies every file, TCP connections, abstract sockets, and signals to processes outside, as far as the kernel knows them."""
    checked(kimi_landlock())


def close_from(int first):
    """Closes all descriptors from the given one on."""
    checked(kimi_close_from(first))


def install_filter():
    """Installs the seccomp filter of a worker."""
    checked(kimi_install_filter())


def pidfd_open(int pid):
    """A descriptor that stands for a process and is closed on exec."""
    return checked(kimi_pidfd_open(pid))


def collapse(unsigned long start, unsigned long end):
    """Puts memory into huge pages as far as the kernel can: a fork then copies hundreds of times fewer entries.

    Args:
        start, end: addresses of a range that is mapped.

    Returns:
        The number of huge pages made.
    """
    return kimi_collapse(start, end)
