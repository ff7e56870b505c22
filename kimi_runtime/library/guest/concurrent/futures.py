"""Futures and executors of guests. There are no threads and no processes: an executor calls at once."""
import time

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


class Future:
    """Represents the result of a call."""

    def __init__(self):
        self._state = PENDING
        self._result = None
        self._exception = None
        self._done_callbacks = []

    def __repr__(self):
        text = f"<{self.__class__.__name__} at {id(self):#x} state={_TEXTS[self._state]}"
        if self._state == FINISHED:
            if self._exception:
                return f"{text} raised {self._exception.__class__.__name__}>"
            return f"{text} returned {self._result.__class__.__name__}>"
        return f"{text}>"

    def _tell(self):
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
            # Nothing else runs while a guest waits.
            if timeout is None:
                raise RuntimeError("deadlock: nothing can set the result of this future while the guest waits for it")
            time.sleep(max(timeout, 0))
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


class _Waited(tuple):
    """Named tuple of done and not_done, without importing collections."""

    __slots__ = ()
    _fields = ("done", "not_done")

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
    done = {each for each in fs if each.done()}
    return _Waited((done, fs - done))


def as_completed(fs, timeout=None):
    """An iterator over the given futures that yields each as it completes."""
    fs = list(dict.fromkeys(fs))
    for each in fs:
        if each.done():
            yield each
    waiting = sum(not each.done() for each in fs)
    if waiting:
        raise TimeoutError(f"{waiting} (of {len(fs)}) futures unfinished")


class Executor:
    """Calls functions, in some way of its own."""

    def submit(self, fn, /, *args, **kwargs):
        """Submits a callable to be executed with the given arguments, and returns its Future."""
        raise NotImplementedError()

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        """Returns an iterator equivalent to map(fn, iter)."""
        futures = [self.submit(fn, *args) for args in zip(*iterables)]

        def results():
            try:
                futures.reverse()
                while futures:
                    yield futures.pop().result()
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


class ThreadPoolExecutor(Executor):
    """An executor with the interface of the one with threads; it calls what is submitted at once."""

    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        self._max_workers = max_workers
        self._initializer = initializer
        self._initargs = initargs
        self._shutdown = False

    def submit(self, fn, /, *args, **kwargs):
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if self._initializer is not None:
            initializer, self._initializer = self._initializer, None
            initializer(*self._initargs)
        future = Future()
        future.set_running_or_notify_cancel()
        try:
            result = fn(*args, **kwargs)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)
        return future

    submit.__doc__ = Executor.submit.__doc__

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._shutdown = True

    shutdown.__doc__ = Executor.shutdown.__doc__
