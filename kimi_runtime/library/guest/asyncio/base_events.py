"""The event loop of a guest: what is not in the native core."""
import sys
import time
import warnings
import weakref
from collections import deque

from _asyncio import (
    LoopCore,
    call_in_thread,
    format_stack,
    host_waits,
    join_threads,
    runs_in_thread,
    wait_for_host,
)
from _thread import _count as count_threads, allocate_lock, start_new_thread

from . import constants, coroutines, events, futures, tasks
from .log import logger

__all__ = ("BaseEventLoop",)


#: Threads of the guest that work for one loop, at most, and how long the loop sleeps at most while there are any.
_MOST_THREADS = 32
_LOOK_AGAIN = 0.002


def _end_of_main(future):
    if not future.cancelled() and isinstance(future.exception(), (SystemExit, KeyboardInterrupt)):
        return              # the loop stops with it
    futures._get_loop(future).stop()


class BaseEventLoop(LoopCore, events.AbstractEventLoop):
    """The event loop: callbacks and timers, without network, processes and signals."""

    def __init__(self):
        self._exception_handler = None
        self._default_executor = None
        self._executor_shutdown_called = False
        # _asyncgens: see the end of this file
        self._asyncgens_shutdown_called = False
        self.slow_callback_duration = 0.1
        self._origin_depth = None
        self._calls = deque()
        self._threads = 0
        self._wake_lock = None
        self._parked = False
        self._own_turns = type(self)._run_once is not LoopCore._run_once

    def __repr__(self):
        return (f"<{self.__class__.__name__} running={self.is_running()} closed={self.is_closed()} "
                f"debug={self.get_debug()}>")

    # ---- running ----
    def _check_running(self):
        if self.is_running():
            raise RuntimeError("This event loop is already running")
        if events._get_running_loop() is not None:
            raise RuntimeError("Cannot run the event loop while another loop is running")

    def run_forever(self):
        """Run until stop() is called."""
        self._check_closed()
        self._check_running()
        self._track_origins(self.get_debug())
        hooks = sys.get_asyncgen_hooks()
        previous = self._begin()
        try:
            sys.set_asyncgen_hooks(firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook)
            if self._own_turns:
                while True:
                    self._run_once()
                    if self._stopping:
                        break
            else:
                # A guest that a loop of the host drives can be suspended between the two calls: nothing of it is in
                # native code then.
                while not self._run_turns():
                    if host_waits(self):
                        wait_for_host()
                    else:
                        self._wait()
        finally:
            self._end(previous)
            self._track_origins(False)
            sys.set_asyncgen_hooks(*hooks)

    def _wait(self):
        """Waits until a timer is due or the loop is woken. Other threads of the guest have their turns meanwhile."""
        if not count_threads():
            super()._wait()
            return
        delay = self._delay()
        if delay == 0:
            return
        if self._wake_lock is None:
            self._wake_lock = allocate_lock()
            self._wake_lock.acquire()
        self._parked = True
        # A thread of the host may put something in the queue as well, without a word to the guest's threads.
        self._wake_lock.acquire(timeout=_LOOK_AGAIN if delay is None else min(delay, _LOOK_AGAIN))
        self._parked = False

    def call_soon_threadsafe(self, callback, *args, context=None):
        """Like call_soon(), but thread-safe."""
        handle = super().call_soon_threadsafe(callback, *args, context=context)
        if self._parked:
            self._parked = False
            self._wake_lock.release()
        return handle

    def run_until_complete(self, future):
        """Run until the Future is done.

        If the argument is a coroutine, it is wrapped in a Task. Return the Future's result, or raise its exception.
        """
        self._check_closed()
        self._check_running()
        made_here = not futures.isfuture(future)
        future = tasks.ensure_future(future, loop=self)
        if made_here:
            # An exception of this task is raised here: no need to log that it was not retrieved.
            future._log_destroy_pending = False
        future.add_done_callback(_end_of_main)
        try:
            self.run_forever()
        except BaseException:
            if made_here and future.done() and not future.cancelled():
                future.exception()
            raise
        finally:
            future.remove_done_callback(_end_of_main)
        if not future.done():
            raise RuntimeError("Event loop stopped before Future completed.")
        return future.result()

    def close(self):
        """Close the event loop.

        The event loop must not be running.
        """
        if self.is_running():
            raise RuntimeError("Cannot close a running event loop")
        if self.is_closed():
            return
        if self.get_debug():
            logger.debug("Close %r", self)
        self._mark_closed()
        self._executor_shutdown_called = True
        executor = self._default_executor
        if executor is not None:
            self._default_executor = None
            executor.shutdown(wait=False)

    def __del__(self, _warn=warnings.warn):
        if not self.is_closed():
            _warn(f"unclosed event loop {self!r}", ResourceWarning, source=self)
            if not self.is_running():
                self.close()

    def set_debug(self, enabled):
        super().set_debug(enabled)
        if self.is_running():
            self.call_soon_threadsafe(self._track_origins, enabled)

    def _track_origins(self, enabled):
        """Debug mode: coroutines that are never awaited show where they were made."""
        if bool(enabled) == (self._origin_depth is not None):
            return
        if enabled:
            self._origin_depth = sys.get_coroutine_origin_tracking_depth()
            sys.set_coroutine_origin_tracking_depth(constants.DEBUG_STACK_DEPTH)
        else:
            sys.set_coroutine_origin_tracking_depth(self._origin_depth)
            self._origin_depth = None

    # ---- tasks ----
    def _make_task(self, coro, name, context):
        """A task of the factory that the guest has set."""
        factory = self.get_task_factory()
        if context is None:
            task = factory(self, coro)
        else:
            task = factory(self, coro, context=context)
        if name is not None or sys.version_info >= (3, 13):
            set_name = getattr(task, "set_name", None)
            if set_name is not None and name is not None:
                set_name(name)
        return task

    # ---- asynchronous generators ----
    def _asyncgen_firstiter_hook(self, agen):
        if self._asyncgens_shutdown_called:
            warnings.warn(
                f"asynchronous generator {agen!r} was scheduled after loop.shutdown_asyncgens() call",
                ResourceWarning, stacklevel=1, source=self)
        self._asyncgens.add(agen)

    def _asyncgen_finalizer_hook(self, agen):
        self._asyncgens.discard(agen)
        if not self.is_closed():
            self.call_soon_threadsafe(self.create_task, agen.aclose())

    async def shutdown_asyncgens(self):
        """Shutdown all active asynchronous generators."""
        self._asyncgens_shutdown_called = True
        if not vars(self).get("_asyncgens"):
            return
        open_generators = list(self._asyncgens)
        self._asyncgens.clear()
        results = await tasks.gather(*[agen.aclose() for agen in open_generators], return_exceptions=True)
        for result, agen in zip(results, open_generators):
            if isinstance(result, Exception):
                self.call_exception_handler({
                    "message": f"an error occurred during closing of asynchronous generator {agen!r}",
                    "exception": result,
                    "asyncgen": agen,
                })

    # ---- calls that block ----
    def _check_callback(self, callback, method):
        if coroutines.iscoroutine(callback) or coroutines.iscoroutinefunction(callback):
            raise TypeError(f"coroutines cannot be used with {method}()")
        if not callable(callback):
            raise TypeError(f"a callable object was expected by {method}(), got {callback!r}")

    def run_in_executor(self, executor, func, *args):
        """Call a function: one of the host in a thread of the host, one of the guest in a thread of the guest."""
        self._check_closed()
        if self.get_debug():
            self._check_callback(func, "run_in_executor")
        if executor is None:
            if self._executor_shutdown_called:
                raise RuntimeError("Executor shutdown has been called")
            executor = self._default_executor
        if executor is None:
            return self._call_aside(func, args, {}, None)
        return futures.wrap_future(executor.submit(func, *args), loop=self)

    def _call_aside(self, func, args, kwargs, context):
        if self._executor_shutdown_called:
            raise RuntimeError("Executor shutdown has been called")
        future = self.create_future()
        if runs_in_thread(func):
            call_in_thread(self, func, args, kwargs, future)
            return future
        if func is time.sleep and len(args) == 1 and not kwargs:
            self.call_later(args[0], futures._set_result_unless_cancelled, future, None)
            return future
        self._calls.append((future, func, args, kwargs, context))
        if self._threads < _MOST_THREADS:
            self._threads += 1
            start_new_thread(self._work_off_calls, ())
        return future

    def _work_off_calls(self):
        """What a thread of the guest does for to_thread and run_in_executor."""
        try:
            while self._calls:
                future, func, args, kwargs, context = self._calls.popleft()
                if future.cancelled():
                    continue
                try:
                    result = func(*args, **kwargs) if context is None else context.run(func, *args, **kwargs)
                except BaseException as error:
                    outcome = _set_exception_unless_cancelled, future, futures._converted(error)
                else:
                    outcome = futures._set_result_unless_cancelled, future, result
                if self.is_closed():
                    break
                self.call_soon_threadsafe(*outcome)
                future = func = args = kwargs = context = result = outcome = None
        finally:
            self._threads -= 1

    def set_default_executor(self, executor):
        from concurrent.futures import ThreadPoolExecutor

        if not isinstance(executor, ThreadPoolExecutor):
            raise TypeError("executor must be ThreadPoolExecutor instance")
        self._default_executor = executor

    if sys.version_info >= (3, 12):

        async def shutdown_default_executor(self, timeout=None):
            """Wait for the threads that run functions of the host."""
            await self._join_threads()

    else:

        async def shutdown_default_executor(self):
            """Wait for the threads that run functions of the host."""
            await self._join_threads()

    async def _join_threads(self):
        self._executor_shutdown_called = True
        if self._default_executor is not None:
            self._default_executor.shutdown(wait=True)
        while self._threads:
            await tasks.sleep(_LOOK_AGAIN)
        future = self.create_future()
        if join_threads(self, future):
            await future

    # ---- what goes wrong ----
    def get_exception_handler(self):
        """Return an exception handler, or None if the default one is in use."""
        return self._exception_handler

    def set_exception_handler(self, handler):
        """Set handler as the new event loop exception handler.

        If handler is None, the default exception handler will be set. If handler is a callable object, it should have
        a signature matching '(loop, context)'.
        """
        if handler is not None and not callable(handler):
            raise TypeError(f"A callable object or None is expected, got {handler!r}")
        self._exception_handler = handler

    def default_exception_handler(self, context):
        """Logs the message and what the context holds, with the exception's traceback."""
        lines = [context.get("message") or "Unhandled exception in event loop"]
        exception = context.get("exception")
        for key in sorted(context):
            if key in ("message", "exception"):
                continue
            value = context[key]
            if key == "source_traceback":
                text = "Object created at (most recent call last):\n" + format_stack(value).rstrip()
            elif key == "handle_traceback":
                text = "Handle created at (most recent call last):\n" + format_stack(value).rstrip()
            else:
                text = repr(value)
            lines.append(f"{key}: {text}")
        if exception is None:
            logger.error("\n".join(lines), exc_info=False)
        else:
            logger.error("\n".join(lines), exc_info=(type(exception), exception, exception.__traceback__))

    def call_exception_handler(self, context):
        """Call the current event loop's exception handler."""
        handler = self._exception_handler
        if handler is None:
            try:
                self.default_exception_handler(context)
            except (SystemExit, KeyboardInterrupt):
                raise
            except BaseException:
                logger.error("Exception in default exception handler", exc_info=True)
            return
        try:
            own_context = None
            if sys.version_info >= (3, 12):
                thing = context.get("task")
                if thing is None:
                    thing = context.get("future")
                if thing is None:
                    thing = context.get("handle")
                if thing is not None and hasattr(thing, "get_context"):
                    own_context = thing.get_context()
            if own_context is not None and hasattr(own_context, "run"):
                own_context.run(handler, self, context)
            else:
                handler(self, context)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            try:
                self.default_exception_handler({
                    "message": "Unhandled error in exception handler",
                    "exception": error,
                    "context": context,
                })
            except (SystemExit, KeyboardInterrupt):
                raise
            except BaseException:
                logger.error(
                    "Exception in default exception handler while handling an unexpected error in custom exception "
                    "handler", exc_info=True)

    def _report_slow(self, handle, seconds):
        """Debug mode: a callback took longer than slow_callback_duration."""
        shown = repr(handle)
        owner = getattr(handle._callback, "__self__", None)
        if isinstance(owner, tasks.Task):
            shown = repr(owner)
        logger.warning("Executing %s took %.3f seconds", shown, seconds)


def _set_exception_unless_cancelled(future, error):
    if not future.cancelled():
        future.set_exception(error)


class EventLoop(BaseEventLoop):
    """The loop that a guest gets."""


EventLoop.__name__ = EventLoop.__qualname__ = "_UnixSelectorEventLoop"


class _Asyncgens:
    """The asynchronous generators that are under way in a loop.

    The set is made when it is first asked for: each guest runs the code of weakref for itself. All this stands down here because
    snapshots know functions of the library by their lines.
    """

    def __get__(self, loop, owner=None):
        if loop is None:
            return self
        found = loop._asyncgens = weakref.WeakSet()
        return found


BaseEventLoop._asyncgens = _Asyncgens()
