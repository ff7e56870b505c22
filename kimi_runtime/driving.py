"""Runs that an event loop of the host drives: their async functions are awaited there, and no thread waits with them.

A run goes on in a thread of the loop's executor whenever a result is there or a timer of the guest is due; in between it is
suspended (``stepping``), and its frames are data. Where it waits long for the host alone, it may be parked
(``snapshots.parking``).
"""
from __future__ import annotations

import asyncio
import functools
from contextvars import copy_context
from time import perf_counter

from . import stepping
from .aio.core import loop_of_guest
from .async_runs import wait_in_thread
from .bridge.functions import is_coroutine_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .objects.context import RunContext
    from .result import Result
    from .session import Session
    from .snapshots.parking import Parked

__all__ = ["Driver"]


class Driver:
    """One run, driven by the loop that is running.

    Args:
        session: it was taken for the run.
        begun: see ``Session._begin``.
        source: the program.
        parking: seconds after which a run that waits is parked, and what makes a context for it; or None. Then nobody else may
            use the session.
    """

    __slots__ = ("session", "begun", "source", "loop", "woken_up", "tasks", "given", "last", "cancelled", "woken", "parking",
                 "parked")

    def __init__(
        self, session: Session, begun: tuple[str, Any, Any], source: str | bytes,
        parking: tuple[float, Callable[[], RunContext]] | None = None,
    ) -> None:
        self.session = session
        self.begun = begun
        self.source = source
        self.loop = asyncio.get_running_loop()
        self.woken_up: asyncio.Future[None] | None = None   # while something is waited for
        self.parking = parking
        self.parked: Parked | None = None
        self.tasks: dict[int, asyncio.Task[Any]] = {}
        self.given: dict[int, tuple[bool, Any]] = {}
        self.last = 0       # number of the latest call that was begun
        self.cancelled = False
        self.woken = False

    async def run(self, check: bool) -> Result:
        """Runs the program to its end.

        Raises:
            asyncio.CancelledError: the awaiting task was cancelled; nothing of the guest runs any more, and the calls that it had
                made are cancelled.
            GuestException: check is true, and the program failed.
        """
        found: stepping.Suspended | stepping.Done | None = None
        self.session._driver = self
        try:
            found = await self.step(stepping.start, self.session, self.begun, self.source)
            while isinstance(found, stepping.Suspended):
                given = await self.answers(found)
                found = await self.step(self.go_on, found, given)
            if check:
                found.result.unwrap()
            return found.result
        finally:
            self.session._driver = None
            if isinstance(found, stepping.Suspended):
                if self.parked is not None:
                    await self.step(self.put_back)
                found.close()
            self.session._close_step()      # a step that was cancelled may have come to its end, which nobody has seen
            await self.end()

    async def step(self, function: Any, *args: Any) -> Any:
        return await wait_in_thread(self.begun[2].cancel, function, *args)

    def go_on(self, found: stepping.Suspended, given: dict[int, tuple[bool, Any]]) -> Any:
        """The next step of the run, which may have been parked."""
        self.put_back()
        return found._go_on(given)

    def put_back(self) -> None:
        parked, self.parked = self.parked, None
        if parked is not None:
            parked.put_back()

    def park(self, run: stepping.Run, make_context: Callable[[], RunContext]) -> None:
        """Parks the run, if that can be done; if not, it is not tried again."""
        from .snapshots.parking import park

        self.parked = park(run, make_context)
        if self.parked is None:
            self.parking = None

    def cancel(self) -> None:
        """Stops the run where it is; called in any thread."""
        self.begun[2].cancel()
        self.cancelled = True
        self.loop.call_soon_threadsafe(self.set_ready)

    def set_ready(self) -> None:
        """There is something to look at; called in the loop's thread."""
        future = self.woken_up
        if future is not None and not future.done():
            future.set_result(None)

    async def answers(self, found: stepping.Suspended) -> dict[int, tuple[bool, Any]]:
        """Begins the new calls of the run, and waits until it can go on. Returns the results that are there by then."""
        run = found._run
        suspension = run.suspension
        for number in suspension.abandoned():
            task = self.tasks.pop(number, None)
            if task is not None:
                task.cancel()
        # Numbers only grow; what was given up just now is not pending any more.
        fresh = [call for call in found.pending if call.id > self.last]
        self.begin([call for call in fresh if suspension.function is not None or call.id in suspension.pending], suspension)
        self.last = max([self.last, *[call.id for call in fresh]])
        # A call that is not awaited holds up the whole program.
        only = None if suspension.function is None else suspension.asked
        waited_for = frozenset(suspension.pending)
        guest_loop = loop_of_guest(run.session._context) if only is None else None
        if guest_loop is not None:
            guest_loop._set_waker(self.wake)
        del suspension
        try:
            while not self.cancelled and run.meter.stopped is None:
                if only is not None:
                    if only in self.given:
                        return {only: self.given.pop(only)}
                elif self.given:
                    given, self.given = self.given, {}
                    return {number: each for number, each in given.items() if number in waited_for}
                delay = None if guest_loop is None else guest_loop._delay()
                if delay == 0 or self.woken and only is None:
                    self.woken = False
                    return {}
                parking = self.parking if delay is None and self.parked is None and self.tasks else None
                if not await self.wait(run.meter, bool(self.tasks), delay if parking is None else parking[0]):
                    continue
                if parking is not None:
                    if not self.given and not self.woken and run.meter.stopped is None:
                        if guest_loop is not None:
                            guest_loop._set_waker(None)
                        await wait_in_thread(run.meter.cancel, self.park, run, parking[1], first=True)
                        if self.parked is not None:
                            guest_loop = None
                        elif guest_loop is not None:
                            guest_loop._set_waker(self.wake)
                elif only is None:
                    return {}
            return {} if only is None else {only: (False, None)}
        finally:
            if guest_loop is not None:
                guest_loop._set_waker(None)

    async def wait(self, meter: Any, for_host: bool, delay: float | None) -> bool:
        """Waits until something is there (False), or until a timer of the guest is due or the run's time is over (True).

        Args:
            for_host: whether calls of the host are under way: what they take is no time of the guest's.
            delay: seconds until the timer, or None.
        """
        left = meter.time_to_wait(for_host)
        limit = left if delay is None else delay if left is None else min(delay, left)
        began = perf_counter()
        handle = None if limit is None else self.loop.call_later(limit, self.set_ready)
        self.woken_up = self.loop.create_future()
        try:
            await self.woken_up
        finally:
            self.woken_up = None
            if handle is not None:
                handle.cancel()
        spent = perf_counter() - began
        meter.waited(for_host, spent)
        return limit is not None and spent >= limit and not self.given

    def wake(self) -> None:
        """A thread of the host has something for the guest's loop."""
        self.woken = True
        self.loop.call_soon_threadsafe(self.set_ready)

    # ---- calls of the host -------------------------------------------------------------------------------
    def begin(self, calls: list[stepping.PendingCall], suspension: Any) -> None:
        """Begins calls: each in a task of its own, those of a batched function in one."""
        batches: dict[Any, list[stepping.PendingCall]] = {}
        observer = self.session._context.observer
        for call in calls:
            function = suspension.function if suspension.function is not None else suspension.pending[call.id][0]
            if observer is not None:
                observer.called(function, call.args, call.kwargs, call.id)
            if function.batched:
                batches.setdefault(function, []).append(call)
                continue
            task = self.tasks[call.id] = self.loop.create_task(function.awaited(*call.args, **call.kwargs))
            task.add_done_callback(functools.partial(self.done, function, call.id, perf_counter()))
        for function, batch in batches.items():
            task = self.loop.create_task(call_batch(function, batch))
            for call in batch:
                self.tasks[call.id] = task
            task.add_done_callback(functools.partial(self.batch_done, function, [call.id for call in batch], perf_counter()))

    def done(self, function: Any, number: int, began: float, task: asyncio.Task[Any]) -> None:
        """A call has ended."""
        failed, value = outcome_of(task)
        self.give(function, number, began, failed, value)

    def batch_done(self, function: Any, numbers: list[int], began: float, task: asyncio.Task[Any]) -> None:
        failed, values = outcome_of(task)
        for i, number in enumerate(numbers):
            value = values if failed else values[i]
            self.give(function, number, began, failed or isinstance(value, BaseException), value)

    def give(self, function: Any, number: int, began: float, failed: bool, value: Any) -> None:
        spent = perf_counter() - began
        context = self.session._context
        if context is not None and context.observer is not None:
            context.observer.returned(function, int(spent * 1e9), number)
        if self.tasks.pop(number, None) is not None:    # the guest has not given it up
            self.given[number] = (failed, stepping.Timed(value, spent))
            self.set_ready()

    async def end(self) -> None:
        """Cancels the calls that nobody waits for any more, and lets them end."""
        tasks = set(self.tasks.values())
        self.tasks.clear()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.gather(*tasks, return_exceptions=True)


def outcome_of(task: asyncio.Task[Any]) -> tuple[bool, Any]:
    """Whether a call has failed, and its result or exception."""
    if task.cancelled():
        return True, RuntimeError("the call was cancelled by the host")
    error = task.exception()
    return (False, task.result()) if error is None else (True, error)


async def call_batch(function: Any, batch: list[stepping.PendingCall]) -> list[Any]:
    """The results of a batched function for some calls."""
    loop = asyncio.get_running_loop()
    if is_coroutine_function(function.awaited):
        found = await function.awaited(batch)
    else:
        found = await loop.run_in_executor(None, copy_context().run, function.awaited, batch)
        if asyncio.iscoroutine(found):
            found = await found
    found = list(found)
    if len(found) != len(batch):
        raise RuntimeError(f"{function.__name__}() was asked for {len(batch)} results and has returned {len(found)}")
    return found
