"""Threads of a guest: see `kimi_runtime/library/threads.pyx` for what they are."""
from _threads import RLock, TIMEOUT_MAX, count as _count, get_ident, lock, set_sentinel as _set_sentinel, start_new_thread

error = RuntimeError
LockType = lock
get_native_id = get_ident
start_new = start_new_thread


def allocate_lock():
    """Create a new lock object."""
    return lock()


allocate = allocate_lock


def exit():
    """This is synonymous to ``raise SystemExit''.  It will cause the current thread to exit silently."""
    raise SystemExit


exit_thread = exit


def interrupt_main(signum=2):
    """Raises KeyboardInterrupt, which a signal would raise in the main thread."""
    raise KeyboardInterrupt


def stack_size(size=0):
    """Return the thread stack size used when creating new threads: the host's own."""
    return 0


def _is_main_interpreter():
    return True


def daemon_threads_allowed():
    return True


# ---- since 3.13 threading.py joins threads by handles ----------------------------------------
def _get_main_thread_ident():
    return 1


class _ThreadHandle:
    def __init__(self):
        self.ident = None
        self._done = False
        self._ended = None

    def is_done(self):
        return self._done

    def _set_done(self):
        self._done = True
        if self._ended is not None and self._ended.locked():
            self._ended.release()

    def join(self, timeout=None):
        if self._ended is None or self._done:
            return
        if self.ident == get_ident():
            raise RuntimeError("Cannot join current thread")
        if self._ended.acquire(timeout=-1 if timeout is None else max(timeout, 0)):
            self._ended.release()


def _make_thread_handle(ident):
    handle = _ThreadHandle()
    handle.ident = ident
    return handle


def start_joinable_thread(function, handle=None, daemon=True):
    """Starts a thread that `handle.join()` waits for."""
    if handle is None:
        handle = _ThreadHandle()
    handle._ended = lock()
    handle._ended.acquire()
    handle._daemon = daemon

    def run():
        try:
            function()
        finally:
            _handles.discard(handle)
            handle._set_done()

    _handles.add(handle)
    handle.ident = start_new_thread(run, ())
    return handle


_handles = set()


def _shutdown():
    for handle in list(_handles):
        if not handle._daemon:
            handle.join()


class _OneThreadLocal:
    """Thread-local data where there is one thread."""

    def __new__(cls, /, *args, **keywords):
        if (args or keywords) and cls.__init__ is object.__init__:
            raise TypeError("Initialization arguments are not supported")
        return object.__new__(cls)


def __getattr__(name):
    if name == "_local":
        try:
            from _threading_local import local
        except ImportError:                 # in 3.13 threading asks before it has what that module needs
            return _OneThreadLocal
        return local
    raise AttributeError(f"module '_thread' has no attribute {name!r}")
