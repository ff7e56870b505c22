"""Threads of a guest: see `kimi_runtime/library/threads.pyx` for what they are."""
from _weakref import ref
from sys import version_info
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


class _Local:
    """Thread-local data. Before 3.13 `threading` uses that of `_threading_local`, which forgets threads that ended."""

    def __new__(cls, /, *args, **kwargs):
        if (args or kwargs) and cls.__init__ is object.__init__:
            raise TypeError("Initialization arguments are not supported")
        self = object.__new__(cls)
        own = object.__getattribute__(self, "__dict__")
        _locals[self] = ({get_ident(): own}, args, kwargs)
        return self

    def __getattribute__(self, name):
        _enter(self)
        return object.__getattribute__(self, name)

    def __setattr__(self, name, value):
        if name == "__dict__":
            raise AttributeError(f"{type(self).__name__!r} object attribute '__dict__' is read-only")
        _enter(self)
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        if name == "__dict__":
            raise AttributeError(f"{type(self).__name__!r} object attribute '__dict__' is read-only")
        _enter(self)
        object.__delattr__(self, name)

    __eq__, __hash__ = object.__eq__, object.__hash__


class _WeakLocals:
    """What belongs to each _Local, for as long as it lives."""

    def __init__(self):
        self.entries = {}

    def __setitem__(self, local, entry):
        key = id(local)
        self.entries[key] = (ref(local, lambda _: self.entries.pop(key, None)), *entry)

    def __getitem__(self, local):
        return self.entries[id(local)][1:]


def _enter(local):
    """Gives the object the attributes that it has in the running thread."""
    dicts, args, kwargs = _locals[local]
    ident = get_ident()
    own = dicts.get(ident)
    if own is None:
        own = dicts[ident] = {}
        object.__setattr__(local, "__dict__", own)
        type(local).__init__(local, *args, **kwargs)
    else:
        object.__setattr__(local, "__dict__", own)


_locals = _WeakLocals()


def __getattr__(name):
    if name == "_local":
        if version_info >= (3, 13):
            return _Local
        from _threading_local import local
        return local
    raise AttributeError(f"module '_thread' has no attribute {name!r}")
