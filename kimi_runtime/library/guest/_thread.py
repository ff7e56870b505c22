"""Threads of a guest: there is one. Locks work as far as one thread can tell.

Waiting for a lock that the only thread holds itself would never end, so it raises RuntimeError; with a timeout it
sleeps that long and gives up, as it would have.
"""
import time as _time

from _rlock import RLock

error = RuntimeError
TIMEOUT_MAX = 9223372036.0
_IDENT = 1


class lock:
    """A lock object is a synchronization primitive."""

    __slots__ = ("_held", "__weakref__")

    def __new__(cls):
        self = object.__new__(cls)
        self._held = False
        return self

    def acquire(self, blocking=True, timeout=-1):
        """Lock the lock; returns whether it could be had."""
        if not self._held:
            if timeout != -1:
                _check(blocking, timeout)
            self._held = True
            return True
        _check(blocking, timeout)
        if not blocking:
            return False
        if timeout == -1:
            raise RuntimeError("deadlock: waiting for a lock that only this thread could release")
        _time.sleep(timeout)
        return False

    def release(self):
        """Release the lock; RuntimeError when it is not locked."""
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    def locked(self):
        """Return whether the lock is locked."""
        return self._held

    acquire_lock, release_lock, locked_lock = acquire, release, locked

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *details):
        self.release()

    def _at_fork_reinit(self):
        self._held = False

    def __repr__(self):
        return f"<{'locked' if self._held else 'unlocked'} _thread.lock object at {id(self):#x}>"


def _check(blocking, timeout):
    if timeout == -1:
        return
    if not blocking:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if timeout < 0:
        raise ValueError("timeout value must be a non-negative number")
    if timeout > TIMEOUT_MAX:
        raise OverflowError("timeout value is too large")


LockType = lock


def allocate_lock():
    """Create a new lock object."""
    return lock()


allocate = allocate_lock


class _local:
    """Thread-local data: with one thread, an object with attributes."""

    def __new__(cls, /, *args, **kwargs):
        if (args or kwargs) and cls.__init__ is object.__init__:
            raise TypeError("Initialization arguments are not supported")
        return object.__new__(cls)


def start_new_thread(function, args, kwargs=None):
    """Refuses: a guest has one thread."""
    raise RuntimeError("can't start new thread: a guest has one thread; use asyncio, or call the function")


start_new = start_new_thread


def _set_sentinel():
    return lock()


def get_ident():
    """Return a non-zero integer that identifies the current thread."""
    return _IDENT


get_native_id = get_ident


def exit():
    """This is synonymous to ``raise SystemExit''."""
    raise SystemExit


exit_thread = exit


def interrupt_main(signum=2):
    raise KeyboardInterrupt


def stack_size(size=0):
    """Return the thread stack size used when creating new threads."""
    return 0


def _count():
    return 0


def _is_main_interpreter():
    return True


def daemon_threads_allowed():
    return True
