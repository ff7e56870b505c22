"""``posix`` of the guests: their own files, calculations, constants.

What would need processes, users or devices of the host exists and raises PermissionError.
"""
import errno as _errno
import sys as _sys

from _collections_abc import MutableMapping as _MutableMapping
from _files import *
from _host_posix import *
from _host_posix import _have_functions, _path_normpath

try:
    from _host_posix import _path_splitroot_ex
except ImportError:                     # 3.11 has none
    pass

error = OSError

_DENIED = """
_exit abort chflags chroot confstr ctermid eventfd eventfd_read eventfd_write execv execve fork forkpty fpathconf getegid
geteuid getgrouplist getgroups getloadavg getlogin getpgid getpgrp getppid getpriority getresgid getresuid getsid grantpt
initgroups kill killpg lockf login_tty major makedev memfd_create minor mkfifo mknod nice openpty pathconf pidfd_open pipe pipe2
posix_openpt posix_spawn posix_spawnp preadv ptsname pwritev register_at_fork sched_get_priority_max sched_get_priority_min
sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setparam sched_setscheduler sched_yield
setegid seteuid setgid setgroups setns setpgid setpgrp setpriority setregid setresgid setresuid setreuid setsid setuid splice
sysconf system tcgetpgrp tcsetpgrp timerfd_create timerfd_gettime timerfd_gettime_ns timerfd_settime timerfd_settime_ns times
ttyname uname unlockpt unshare wait wait3 wait4 waitid waitpid
"""


def _deny(function):
    def denied(*args, **kwargs):
        raise PermissionError(_errno.EACCES, f"os.{function} is not open to guests: it would reach the host")

    denied.__name__ = denied.__qualname__ = function
    return denied


for _function in _DENIED.split():
    globals()[_function] = _deny(_function)
del _function

confstr_names, pathconf_names, sysconf_names = {}, {}, {}


# ---- environment -----------------------------------------------------------------------------
class _Variables(_MutableMapping):
    """The environment of the guest that looks at it, as bytes: one object for all, which holds nothing itself."""

    __slots__ = ()

    def __getitem__(self, key):
        return _sys._environ[key]

    def __setitem__(self, key, value):
        _sys._environ[key] = value

    def __delitem__(self, key):
        del _sys._environ[key]

    def __iter__(self):
        return iter(list(_sys._environ))

    def __len__(self):
        return len(_sys._environ)


environ = _Variables()


def putenv(name, value, /):
    """Nothing: a guest has no processes that would see the variable."""


def unsetenv(name, /):
    """Nothing, as ``putenv``."""


# ---- what a guest may know about where it runs -------------------------------------------------
def cpu_count():
    """Number of processors of a guest: one."""
    return 1


def getpid():
    """Process id of a guest: the same for all."""
    return 1


def device_encoding(fd, /):
    """Encoding of a terminal: a guest has none."""
    return None


def get_terminal_size(fd=1, /):
    """OSError: a guest has no terminal."""
    raise OSError(_errno.ENOTTY, strerror(_errno.ENOTTY))


def register_at_fork(*, before=None, after_in_child=None, after_in_parent=None):
    """Nothing: a guest never forks."""


def getrandom(size, flags=0):
    """Random bytes."""
    return urandom(size)
