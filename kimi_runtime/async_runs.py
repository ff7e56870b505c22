"""Runs that an event loop waits for."""
from __future__ import annotations

from collections import deque
from weakref import WeakKeyDictionary

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

__all__ = ["begin_in_turn", "outlast", "wait_in_thread"]

#: A guest that runs so long does not keep others from beginning.
TURN_SECONDS = 0.004


class Turns:
    """Whose turn it is to run a guest, of those that one event loop waits for, in the order in which they ask.

    Threads that all have work keep the thread of the loop waiting for the interpreter, one after the other. So one guest
    begins when another has ended its step, or has had its time, and the loop comes in between.
    """

    # The loop is no attribute: it is the key under which this is kept as long as it lives.
    def __init__(self) -> None:
        self.waiting: deque[asyncio.Future[None]] = deque()
        self.holder: object = None      # of the turn, or None
        self.timer: asyncio.TimerHandle | None = None

    async def take(self, loop: asyncio.AbstractEventLoop, holder: object, first: bool = False) -> None:
        """Waits for the turn. holder: the task. first: before all others, for what is short and gives memory back.

        Raises:
            asyncio.CancelledError: the task was cancelled; then it has no turn.
        """
        if self.holder is holder:
            return
        if self.holder is None and not self.waiting:
            self.begin(loop, holder)
            return
        future = loop.create_future()
        if first:
            self.waiting.appendleft(future)
        else:
            self.waiting.append(future)
        try:
            await future
        except BaseException:
            if future.done() and not future.cancelled():
                self.next()             # it was given the turn at the same time
            raise
        self.begin(loop, holder)

    def begin(self, loop: asyncio.AbstractEventLoop, holder: object) -> None:
        self.holder = holder
        self.timer = loop.call_later(TURN_SECONDS, self.give, holder)

    def give(self, holder: object) -> None:
        """The turn of this holder is over, if it has not ended already."""
        if self.holder is holder:
            assert self.timer is not None
            self.timer.cancel()
            self.timer = None
            self.next()

    def next(self) -> None:
        """The next one in the queue has the turn."""
        self.holder = None
        while self.waiting:
            future = self.waiting.popleft()
            if not future.done():
                self.holder = future    # until it has seen it
                future.set_result(None)
                return


def turns_of(loop: asyncio.AbstractEventLoop) -> Turns:
    """The queue of a loop."""
    queue = turns.get(loop)
    if queue is None:
        queue = turns[loop] = Turns()
    return queue


turns: WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = WeakKeyDictionary()


async def outlast(future: asyncio.Future[Any]) -> None:
    """Waits for a run that was told to stop, and whose result nobody wants, also when the task is cancelled once more."""
    import asyncio

    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError:
            continue
    if not future.cancelled():
        future.exception()  # looked at: so nothing is said of it


async def begin_in_turn(begin: Callable[[], T]) -> T:
    """Calls a function that makes a guest when it is the turn of the running task, which keeps it for the guest's first step.

    Raises:
        asyncio.CancelledError: the task was cancelled; the function was not called.
    """
    import asyncio

    loop = asyncio.get_running_loop()
    queue = turns_of(loop)
    holder = asyncio.current_task()
    await queue.take(loop, holder)
    try:
        return begin()
    except BaseException:
        queue.give(holder)
        raise


async def wait_in_thread(cancel: Callable[[], object], function: Callable[..., T], *args: Any, first: bool = False) -> T:
    """Calls a function in a thread of the running loop's executor, with the caller's context variables, when it is its turn.

    Args:
        cancel: called when the awaiting task is cancelled; must make the function return soon.
        function, args: what is called, also when the task is cancelled before it is its turn.
        first: its turn is the next one.

    Returns:
        What the function returns.

    Raises:
        asyncio.CancelledError: the task was cancelled; the function has returned by then.
    """
    import asyncio
    from contextvars import copy_context

    loop = asyncio.get_running_loop()
    queue = turns_of(loop)
    holder = asyncio.current_task()
    cancelled = None
    try:
        await queue.take(loop, holder, first)
    except asyncio.CancelledError as error:
        cancelled = error
    future = loop.run_in_executor(None, copy_context().run, function, *args)
    try:
        if cancelled is not None:
            raise cancelled
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        cancel()
        await outlast(future)
        raise
    finally:
        queue.give(holder)
