"""What of ``os`` needs no host: paths as text, the guest's own environment, random bytes, constants.

A guest has no files, processes or users. Functions that would need them exist and raise PermissionError.
"""
import abc
import errno as _errno
import sys

import posixpath as path
from _collections_abc import MutableMapping, _check_methods
from posix import *
from types import GenericAlias as _GenericAlias

sys.modules["os.path"] = path           # for the library itself

error = OSError
name = "posix"
linesep = "\n"
curdir, pardir, sep, pathsep, extsep, altsep = path.curdir, path.pardir, path.sep, path.pathsep, path.extsep, path.altsep
defpath, devnull = path.defpath, path.devnull
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
P_WAIT, P_NOWAIT, P_NOWAITO = 0, 1, 1
confstr_names, pathconf_names, sysconf_names = {}, {}, {}
supports_bytes_environ = True
supports_dir_fd, supports_fd, supports_effective_ids, supports_follow_symlinks = set(), set(), set(), set()

# ---- what would reach the host ---------------------------------------------------------------
_DENIED = """
_exit abort access chdir chflags chmod chown chroot close closerange confstr copy_file_range ctermid dup dup2 eventfd
eventfd_read eventfd_write execl execle execlp execlpe execv execve execvp execvpe fchdir fchmod fchown fdatasync
fdopen fork forkpty fpathconf fstat fstatvfs fsync ftruncate fwalk get_blocking get_inheritable getegid geteuid getgid
getgrouplist getgroups getloadavg getlogin getpgid getpgrp getppid getpriority getresgid getresuid getsid getuid
getxattr grantpt initgroups kill killpg lchown link listdir listxattr lockf login_tty lseek lstat major makedev
makedirs memfd_create minor mkdir mkfifo mknod nice open openpty pathconf pidfd_open pipe pipe2 popen posix_fadvise
posix_fallocate posix_openpt posix_spawn posix_spawnp pread preadv ptsname pwrite pwritev read readlink readv
register_at_fork remove removedirs removexattr rename renames replace rmdir scandir sched_get_priority_max
sched_get_priority_min sched_getaffinity sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity
sched_setparam sched_setscheduler sched_yield sendfile set_blocking set_inheritable setegid seteuid setgid setgroups
setns setpgid setpgrp setpriority setregid setresgid setresuid setreuid setsid setuid setxattr spawnl spawnle spawnlp
spawnlpe spawnv spawnve spawnvp spawnvpe splice stat statvfs symlink sync sysconf system tcgetpgrp tcsetpgrp
timerfd_create timerfd_gettime timerfd_gettime_ns timerfd_settime timerfd_settime_ns times truncate ttyname umask
uname unlink unlockpt unshare utime wait wait3 wait4 waitid waitpid walk write writev
"""


def _deny(function):
    def denied(*args, **kwargs):
        raise PermissionError(_errno.EACCES, f"os.{function} is not open to guests: it would reach the host")

    denied.__name__ = denied.__qualname__ = function
    return denied


for _function in _DENIED.split():
    globals()[_function] = _deny(_function)
del _function


# ---- paths -----------------------------------------------------------------------------------
class PathLike(abc.ABC):
    """What has a ``__fspath__`` that gives a path as text or bytes."""

    __slots__ = ()

    @abc.abstractmethod
    def __fspath__(self):
        """Return the file system path representation of the object."""
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass):
        if cls is PathLike:
            return _check_methods(subclass, "__fspath__")
        return NotImplemented

    __class_getitem__ = classmethod(_GenericAlias)


def fsencode(filename):
    """A path as bytes."""
    filename = fspath(filename)
    return filename.encode("utf-8", "surrogateescape") if isinstance(filename, str) else filename


def fsdecode(filename):
    """A path as text."""
    filename = fspath(filename)
    return filename.decode("utf-8", "surrogateescape") if isinstance(filename, bytes) else filename


def getcwd():
    """The current folder, which is always the root of the guest."""
    return "/"


def getcwdb():
    """The current folder as bytes."""
    return b"/"


# ---- environment -----------------------------------------------------------------------------
class _Environ(MutableMapping):
    """The environment of the guest that looks at it: one object for all, which holds nothing itself."""

    __slots__ = ()

    def encodekey(self, value):
        if not isinstance(value, str):
            raise TypeError(f"str expected, not {type(value).__name__}")
        return fsencode(value)

    encodevalue = encodekey

    def decodekey(self, value):
        return fsdecode(value)

    decodevalue = decodekey

    def __getitem__(self, key):
        try:
            return self.decodevalue(sys._environ[self.encodekey(key)])
        except KeyError:
            raise KeyError(key) from None

    def __setitem__(self, key, value):
        sys._environ[self.encodekey(key)] = self.encodevalue(value)

    def __delitem__(self, key):
        try:
            del sys._environ[self.encodekey(key)]
        except KeyError:
            raise KeyError(key) from None

    def __iter__(self):
        return iter([self.decodekey(key) for key in sys._environ])

    def __len__(self):
        return len(sys._environ)

    def __repr__(self):
        return "environ({" + ", ".join(f"{key!r}: {value!r}" for key, value in self.items()) + "})"

    def copy(self):
        return dict(self)

    def setdefault(self, key, value):
        if key not in self:
            self[key] = value
        return self[key]

    def __ior__(self, other):
        self.update(other)
        return self

    def __or__(self, other):
        if not hasattr(other, "keys"):
            return NotImplemented
        return {**self, **other}

    def __ror__(self, other):
        if not hasattr(other, "keys"):
            return NotImplemented
        return {**other, **self}


class _BytesEnviron(_Environ):
    __slots__ = ()

    def encodekey(self, value):
        if not isinstance(value, bytes):
            raise TypeError(f"bytes expected, not {type(value).__name__}")
        return value

    encodevalue = encodekey

    def decodekey(self, value):
        return value

    decodevalue = decodekey


environ = _Environ()
environb = _BytesEnviron()


def getenv(key, default=None):
    """A variable of the guest's environment, or default."""
    return environ.get(key, default)


def getenvb(key, default=None):
    """A variable of the guest's environment as bytes, or default."""
    return environb.get(key, default)


def putenv(key, value):
    """Set a variable of the guest's environment."""
    sys._environ[fsencode(key)] = fsencode(value)


def unsetenv(key):
    """Remove a variable of the guest's environment."""
    sys._environ.pop(fsencode(key), None)


def get_exec_path(env=None):
    """The folders of PATH in an environment."""
    return (environ if env is None else env).get("PATH", defpath).split(pathsep)


# ---- what a guest may know about where it runs -------------------------------------------------
def cpu_count():
    """Number of processors of a guest: one."""
    return 1


process_cpu_count = cpu_count


def getpid():
    """Process id of a guest: the same for all."""
    return 1


def isatty(fd):
    """Whether a file descriptor is a terminal: a guest has none."""
    return False


def device_encoding(fd):
    """Encoding of a terminal: a guest has none."""
    return None


def get_terminal_size(fd=1):
    """OSError: a guest has no terminal."""
    raise OSError(_errno.ENOTTY, strerror(_errno.ENOTTY))


def register_at_fork(*, before=None, after_in_child=None, after_in_parent=None):
    """Nothing: a guest never forks."""


def getrandom(size, flags=0):
    """Random bytes."""
    return urandom(size)


__all__ = [_each for _each in globals() if not _each.startswith("_") and _each not in ("abc", "sys", "MutableMapping")]
__all__.append("_exit")
