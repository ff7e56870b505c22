"""Handles, the abstract loop, and which loop is the current one."""
import sys

from _asyncio import (
    Handle, TimerHandle, _get_running_loop, _set_running_loop, begin_tasks, get_event_loop, get_running_loop, get_state)
from _thread import get_ident

__all__ = (
    "AbstractEventLoopPolicy", "AbstractEventLoop", "Handle", "TimerHandle", "get_event_loop_policy",
    "set_event_loop_policy", "get_event_loop", "set_event_loop", "new_event_loop", "_set_running_loop",
    "get_running_loop", "_get_running_loop")


_MAIN = 1


class AbstractEventLoop:
    """What every event loop has."""

    def run_forever(self):
        """Run the event loop until stop() is called."""
        raise NotImplementedError

    def run_until_complete(self, future):
        """Run the event loop until a Future is done, and return its result or raise its exception."""
        raise NotImplementedError

    def stop(self):
        """Stop the event loop as soon as reasonable."""
        raise NotImplementedError

    def is_running(self):
        """Return whether the event loop is currently running."""
        raise NotImplementedError

    def is_closed(self):
        """Returns True if the event loop was closed."""
        raise NotImplementedError

    def close(self):
        """Close the loop."""
        raise NotImplementedError

    async def shutdown_asyncgens(self):
        """Shutdown all active asynchronous generators."""
        raise NotImplementedError

    async def shutdown_default_executor(self):
        """Schedule the shutdown of the default executor."""
        raise NotImplementedError

    def _timer_handle_cancelled(self, handle):
        raise NotImplementedError

    def call_soon(self, callback, *args, context=None):
        return self.call_later(0, callback, *args, context=context)

    def call_later(self, delay, callback, *args, context=None):
        raise NotImplementedError

    def call_at(self, when, callback, *args, context=None):
        raise NotImplementedError

    def time(self):
        raise NotImplementedError

    def create_future(self):
        raise NotImplementedError

    def create_task(self, coro, *, name=None, context=None):
        raise NotImplementedError

    def call_soon_threadsafe(self, callback, *args, context=None):
        raise NotImplementedError

    def run_in_executor(self, executor, func, *args):
        raise NotImplementedError

    def set_default_executor(self, executor):
        raise NotImplementedError

    def set_task_factory(self, factory):
        raise NotImplementedError

    def get_task_factory(self):
        raise NotImplementedError

    def get_exception_handler(self):
        raise NotImplementedError

    def set_exception_handler(self, handler):
        raise NotImplementedError

    def default_exception_handler(self, context):
        raise NotImplementedError

    def call_exception_handler(self, context):
        raise NotImplementedError

    def get_debug(self):
        raise NotImplementedError

    def set_debug(self, enabled):
        raise NotImplementedError


class AbstractEventLoopPolicy:
    """Abstract policy for accessing the event loop."""

    def get_event_loop(self):
        """Get the event loop for the current context."""
        raise NotImplementedError

    def set_event_loop(self, loop):
        """Set the event loop for the current context to loop."""
        raise NotImplementedError

    def new_event_loop(self):
        """Create and return a new event loop object according to this policy's rules."""
        raise NotImplementedError


class _DefaultPolicy(AbstractEventLoopPolicy):
    """One loop for each thread; that of the main thread is made when it is first asked for."""

    def __init__(self):
        self._loops = {}

    def get_event_loop(self):
        ident = get_ident()
        if ident not in self._loops and ident == _MAIN:
            if sys.version_info >= (3, 12):
                import warnings

                warnings.warn("There is no current event loop", DeprecationWarning, stacklevel=2)
            self.set_event_loop(self.new_event_loop())
        loop = self._loops.get(ident)
        if loop is None:
            raise RuntimeError(f"There is no current event loop in thread {_thread_name(ident)!r}.")
        return loop

    def set_event_loop(self, loop):
        if loop is not None and not isinstance(loop, AbstractEventLoop):
            raise TypeError(f"loop must be an instance of AbstractEventLoop or None, not '{type(loop).__name__}'")
        self._loops[get_ident()] = loop

    def new_event_loop(self):
        from .base_events import EventLoop

        return EventLoop()


def _thread_name(ident):
    threading = sys.modules.get("threading")
    return "MainThread" if threading is None or ident == _MAIN else threading.current_thread().name


_DefaultPolicy.__name__ = _DefaultPolicy.__qualname__ = "DefaultEventLoopPolicy"
BaseDefaultEventLoopPolicy = _DefaultPolicy


def get_event_loop_policy():
    """Get the current event loop policy."""
    state = get_state()
    if state.policy is None:
        state.policy = _DefaultPolicy()
    return state.policy


def set_event_loop_policy(policy):
    """Set the current event loop policy.

    If policy is None, the default policy is restored."""
    if policy is not None and not isinstance(policy, AbstractEventLoopPolicy):
        raise TypeError(f"policy must be an instance of AbstractEventLoopPolicy or None, not '{type(policy).__name__}'")
    get_state().policy = policy


def set_event_loop(loop):
    """Equivalent to calling get_event_loop_policy().set_event_loop(loop)."""
    get_event_loop_policy().set_event_loop(loop)


def new_event_loop():
    """Equivalent to calling get_event_loop_policy().new_event_loop()."""
    return get_event_loop_policy().new_event_loop()


def _get_event_loop(stacklevel=3):
    return get_event_loop()


def _cell_loop():
    """The loop in which programs of a session run that await at their top level, and their tasks from one to the next; None
    for programs that have no session."""
    if not begin_tasks():
        return None
    state = get_state()
    if state.cells is None or state.cells.is_closed() or state.cells.is_running():
        state.cells = new_event_loop()
        set_event_loop(state.cells)
    return state.cells
