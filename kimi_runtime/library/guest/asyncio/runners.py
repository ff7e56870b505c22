"""Running a coroutine as a program."""
import contextvars
import enum
import sys

from . import coroutines, events, tasks

__all__ = ("Runner", "run")


class _State(enum.Enum):
    CREATED = "created"
    INITIALIZED = "initialized"
    CLOSED = "closed"


class Runner:
    """A context manager that controls event loop life cycle.

    It makes a new event loop, runs coroutines in it, and when it is left cancels the tasks that remain, ends
    asynchronous generators and closes the loop. If debug is True, the loop is in debug mode. loop_factory makes the
    loop, if it is given.
    """

    def __init__(self, *, debug=None, loop_factory=None):
        self._state = _State.CREATED
        self._debug = debug
        self._loop_factory = loop_factory
        self._loop = None
        self._context = None
        self._set_event_loop = False

    def __enter__(self):
        self._lazy_init()
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()

    def close(self):
        """Shutdown and close event loop."""
        if self._state is not _State.INITIALIZED:
            return
        loop = self._loop
        try:
            _cancel_all_tasks(loop)
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
        finally:
            if self._set_event_loop:
                events.set_event_loop(None)
            loop.close()
            self._loop = None
            self._state = _State.CLOSED

    def get_loop(self):
        """Return embedded event loop."""
        self._lazy_init()
        return self._loop

    def run(self, coro, *, context=None):
        """Run a coroutine inside the embedded event loop."""
        if not coroutines.iscoroutine(coro):
            raise ValueError(f"a coroutine was expected, got {coro!r}")
        if events._get_running_loop() is not None:
            raise RuntimeError("Runner.run() cannot be called from a running event loop")
        self._lazy_init()
        if context is None:
            context = self._context
        task = self._loop.create_task(coro, context=context)
        return self._loop.run_until_complete(task)

    def _lazy_init(self):
        if self._state is _State.CLOSED:
            raise RuntimeError("Runner is closed")
        if self._state is _State.INITIALIZED:
            return
        if self._loop_factory is None:
            self._loop = events.new_event_loop()
            if not self._set_event_loop:
                events.set_event_loop(self._loop)
                self._set_event_loop = True
        else:
            self._loop = self._loop_factory()
        if self._debug is not None:
            self._loop.set_debug(self._debug)
        self._context = contextvars.copy_context()
        self._state = _State.INITIALIZED


def _check_no_loop_runs():
    if events._get_running_loop() is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")


if sys.version_info >= (3, 12):

    def run(main, *, debug=None, loop_factory=None):
        """Execute the coroutine in a new event loop, close the loop, and return the coroutine's result."""
        _check_no_loop_runs()
        with Runner(debug=debug, loop_factory=loop_factory) as runner:
            return runner.run(main)

else:

    def run(main, *, debug=None):
        """Execute the coroutine in a new event loop, close the loop, and return the coroutine's result."""
        _check_no_loop_runs()
        with Runner(debug=debug) as runner:
            return runner.run(main)


def _run_cell(coro):
    """Runs the coroutine of a program that awaits at its top level. Its tasks wait for the next one, if it has a session."""
    loop = events._cell_loop()
    if loop is None:
        with Runner() as runner:
            return runner.run(coro)
    task = loop.create_task(coro)
    task.add_done_callback(_end_of_cell)
    try:
        loop.run_forever()
    finally:
        if not task.done():
            task._log_destroy_pending = False
            events.get_state().cells = None         # it is not to go on when the next program awaits
    return task.result()


def _end_of_cell(task):
    if task.cancelled() or not isinstance(task.exception(), (SystemExit, KeyboardInterrupt)):
        task.get_loop().stop()


def _cancel_all_tasks(loop):
    waiting = tasks.all_tasks(loop)
    if not waiting:
        return
    for task in waiting:
        task.cancel()
    loop.run_until_complete(tasks.gather(*waiting, return_exceptions=True))
    for task in waiting:
        if not task.cancelled() and task.exception() is not None:
            loop.call_exception_handler({
                "message": "unhandled exception during asyncio.run() shutdown",
                "exception": task.exception(),
                "task": task,
            })
