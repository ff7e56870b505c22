"""Futures and executors of guests. Threads of a guest take turns; there are no processes."""
from _thread import allocate_lock
from collections import deque
from time import monotonic
from types import GenericAlias

__all__ = (
    "FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED", "CancelledError", "TimeoutError", "InvalidStateError",
    "BrokenExecutor", "Future", "Executor", "wait", "as_completed", "ThreadPoolExecutor")

FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"
ALL_COMPLETED = "ALL_COMPLETED"

PENDING = "PENDING"
RUNNING = "RUNNING"
CANCELLED = "CANCELLED"
CANCELLED_AND_NOTIFIED = "CANCELLED_AND_NOTIFIED"
FINISHED = "FINISHED"
_TEXTS = {PENDING: "pending", RUNNING: "running", CANCELLED: "cancelled", CANCELLED_AND_NOTIFIED: "cancelled",
          FINISHED: "finished"}


class Error(Exception):
    """Base class for all future-related exceptions."""


class CancelledError(Error):
    """The Future was cancelled."""


TimeoutError = TimeoutError


class InvalidStateError(Error):
    """The operation is not allowed in this state."""


class BrokenExecutor(RuntimeError):
    """Raised when an executor has become non-functional after a severe failure."""


class BrokenThreadPool(BrokenExecutor):
    """Raised when a worker thread in a ThreadPoolExecutor failed initializing."""


class Future:
    """Represents the result of a call."""

    def __init__(self):
        self._state = PENDING
        self._result = None
        self._exception = None
        self._done_callbacks = []
        self._waiters = []          # locks that are released when it is done

    def __repr__(self):
        text = f"<{self.__class__.__name__} at {id(self):#x} state={_TEXTS[self._state]}"
        if self._state == FINISHED:
            if self._exception:
                return f"{text} raised {self._exception.__class__.__name__}>"
            return f"{text} returned {self._result.__class__.__name__}>"
        return f"{text}>"

    def _tell(self):
        waiters, self._waiters = self._waiters, []
        for lock in waiters:
            if lock.locked():
                lock.release()
        for callback in self._done_callbacks:
            self._call(callback)

    def _call(self, callback):
        try:
            callback(self)
        except Exception:
            import logging

            logging.getLogger("concurrent.futures").exception("exception calling callback for %r", self)

    def cancel(self):
        """Cancel the future if possible. Returns True if the future was cancelled, False otherwise."""
        if self._state in (RUNNING, FINISHED):
            return False
        if self._state == PENDING:
            self._state = CANCELLED
            self._tell()
        return True

    def cancelled(self):
        """Return True if the future was cancelled."""
        return self._state in (CANCELLED, CANCELLED_AND_NOTIFIED)

    def running(self):
        """Return True if the future is currently executing."""
        return self._state == RUNNING

    def done(self):
        """Return True if the future was cancelled or finished executing."""
        return self._state in (CANCELLED, CANCELLED_AND_NOTIFIED, FINISHED)

    def add_done_callback(self, fn):
        """Attaches a callable that will be called when the future finishes."""
        if self.done():
            self._call(fn)
        else:
            self._done_callbacks.append(fn)

    def _check_done(self, timeout):
        if self.cancelled():
            raise CancelledError()
        if self._state != FINISHED:
            lock = _new_waiter([self])
            lock.acquire(timeout=-1 if timeout is None else max(timeout, 0))
            if self.cancelled():
                raise CancelledError()
            if self._state != FINISHED:
                raise TimeoutError()

    def result(self, timeout=None):
        """Return the result of the call that the future represents."""
        self._check_done(timeout)
        if self._exception:
            try:
                raise self._exception
            finally:
                self = None
        return self._result

    def exception(self, timeout=None):
        """Return the exception raised by the call that the future represents."""
        self._check_done(timeout)
        return self._exception

    def set_running_or_notify_cancel(self):
        """Mark the future as running or process any cancel notifications."""
        if self._state == CANCELLED:
            self._state = CANCELLED_AND_NOTIFIED
            return False
        if self._state == PENDING:
            self._state = RUNNING
            return True
        raise RuntimeError("Future in unexpected state")

    def _finish(self, result, exception):
        if self.done():
            raise InvalidStateError(f"{self._state}: {self!r}")
        self._result = result
        self._exception = exception
        self._state = FINISHED
        self._tell()

    def set_result(self, result):
        """Sets the return value of work associated with the future."""
        self._finish(result, None)

    def set_exception(self, exception):
        """Sets the result of the future as being the given exception."""
        self._finish(None, exception)

    __class_getitem__ = classmethod(GenericAlias)


def _new_waiter(futures):
    """A lock, held, that is released when the first of the futures is done."""
    lock = allocate_lock()
    lock.acquire()
    for each in futures:
        each._waiters.append(lock)
    return lock


def _wait_for_one(futures, deadline):
    """Waits until one of the futures, which are all pending, is done; False at the deadline."""
    lock = _new_waiter(futures)
    try:
        return lock.acquire(timeout=-1 if deadline is None else max(deadline - monotonic(), 0))
    finally:
        for each in futures:
            if lock in each._waiters:
                each._waiters.remove(lock)


class DoneAndNotDoneFutures(tuple):
    """What wait gives: the futures that are done, and the others."""

    __slots__ = ()
    _fields = ("done", "not_done")

    def __new__(cls, done, not_done):
        return tuple.__new__(cls, (done, not_done))

    @property
    def done(self):
        return self[0]

    @property
    def not_done(self):
        return self[1]

    def __repr__(self):
        return f"DoneAndNotDoneFutures(done={self[0]!r}, not_done={self[1]!r})"


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    """Wait for the futures in the given sequence to complete."""
    fs = set(fs)
    if return_when not in (FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED):
        raise ValueError(f"Invalid return condition: {return_when!r}")
    deadline = None if timeout is None else monotonic() + timeout
    while True:
        done = {each for each in fs if each.done()}
        waiting = fs - done
        if (not waiting or return_when == FIRST_COMPLETED and done or return_when == FIRST_EXCEPTION
                and any(not each.cancelled() and each.exception() is not None for each in done)):
            return DoneAndNotDoneFutures(done, waiting)
        if not _wait_for_one(waiting, deadline):
            return DoneAndNotDoneFutures({each for each in fs if each.done()}, {each for each in fs if not each.done()})


def as_completed(fs, timeout=None):
    """An iterator over the given futures that yields each as it completes."""
    fs = set(fs)
    count = len(fs)
    deadline = None if timeout is None else monotonic() + timeout
    while fs:
        done = {each for each in fs if each.done()}
        fs -= done
        while done:
            yield done.pop()
        fs_done = {each for each in fs if each.done()}
        if fs and not fs_done and not _wait_for_one(fs, deadline):
            raise TimeoutError(f"{len(fs)} (of {count}) futures unfinished")


class Executor:
    """Calls functions, in some way of its own."""

    def submit(self, fn, /, *args, **kwargs):
        """Submits a callable to be executed with the given arguments, and returns its Future."""
        raise NotImplementedError()

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        """Returns an iterator equivalent to map(fn, iter)."""
        deadline = None if timeout is None else monotonic() + timeout
        futures = [self.submit(fn, *args) for args in zip(*iterables)]

        def results():
            try:
                futures.reverse()
                while futures:
                    yield futures.pop().result(None if deadline is None else deadline - monotonic())
            finally:
                for each in futures:
                    each.cancel()

        return results()

    def shutdown(self, wait=True, *, cancel_futures=False):
        """Clean-up the resources associated with the Executor."""

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.shutdown(wait=True)
        return False


class _Pools:
    """The executors of one guest: how many there were, and which must let their workers go at the end of the program."""

    def __init__(self):
        self.count = 0
        self.open = set()

    def next_name(self):
        self.count += 1
        return f"ThreadPoolExecutor-{self.count - 1}"

    def end(self):
        for each in list(self.open):
            each.end()


def _pools_of_guest(threading):
    """They are kept with the guest's own `threading`: this module is shared by all guests."""
    found = getattr(threading, "_pools", None)
    if found is None:
        found = threading._pools = _Pools()
        threading._register_atexit(found.end)
    return found


class _Workers:
    """What the threads of an executor share; they do not keep the executor itself alive. Threads take turns where they wait."""

    def __init__(self, pools, initializer, initargs):
        self.pools = pools
        self.initializer = initializer
        self.initargs = initargs
        self.work = deque()
        self.threads = set()
        self.idle = deque()             # a lock, held, for each worker that waits
        self.ended = False
        self.broken = False

    def end(self):
        """The workers leave when nothing is left to be done."""
        self.ended = True
        self.pools.open.discard(self)
        while self.idle:
            self.idle.popleft().release()

    def wake(self):
        """Whether there was a worker that waited."""
        if not self.idle:
            return False
        self.idle.popleft().release()
        return True

    def run(self):
        from threading import current_thread

        try:
            if self.initializer is None or self.initialize():
                while self.perform_next():
                    pass
        finally:
            self.threads.discard(current_thread())

    def initialize(self):
        try:
            self.initializer(*self.initargs)
        except BaseException:
            import logging

            logging.getLogger("concurrent.futures").critical("Exception in initializer:", exc_info=True)
            self.broken = "A thread initializer failed, the thread pool is not usable anymore"
            while self.work:
                self.work.popleft()[0].set_exception(BrokenThreadPool(self.broken))
            return False
        return True

    def perform_next(self):
        """Performs what comes next, once there is something; False when there will be nothing more."""
        while not self.work:
            if self.ended:
                return False
            lock = allocate_lock()
            lock.acquire()
            self.idle.append(lock)
            try:
                lock.acquire()
            finally:                    # also when the guest's threads are ended
                if lock in self.idle:
                    self.idle.remove(lock)
        future, fn, args, kwargs = self.work.popleft()
        if future.set_running_or_notify_cancel():
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
        return True


class ThreadPoolExecutor(Executor):
    """Runs calls in threads of the guest, which take turns where they wait."""

    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        import threading

        if max_workers is None:
            max_workers = 5
        if max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        pools = _pools_of_guest(threading)
        self._max_workers = max_workers
        self._thread_name_prefix = thread_name_prefix or pools.next_name()
        self._shutdown = False
        self._workers = _Workers(pools, initializer, initargs)
        pools.open.add(self._workers)

    @property
    def _threads(self):
        return self._workers.threads

    def submit(self, fn, /, *args, **kwargs):
        from threading import Thread

        workers = self._workers
        if workers.broken:
            raise BrokenThreadPool(workers.broken)
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if workers.ended:
            raise RuntimeError("cannot schedule new futures after interpreter shutdown")
        future = Future()
        workers.work.append((future, fn, args, kwargs))
        if not workers.wake() and len(workers.threads) < self._max_workers:
            thread = Thread(target=workers.run, name=f"{self._thread_name_prefix}_{len(workers.threads)}")
            workers.threads.add(thread)
            thread.start()
        return future

    submit.__doc__ = Executor.submit.__doc__

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._shutdown = True
        workers = self._workers
        if cancel_futures:
            while workers.work:
                workers.work.popleft()[0].cancel()
        workers.end()
        if wait:
            for thread in list(workers.threads):
                thread.join()

    shutdown.__doc__ = Executor.shutdown.__doc__

    def __del__(self):
        workers = getattr(self, "_workers", None)
        if workers is not None:
            workers.end()
