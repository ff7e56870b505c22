"""The workers of one ``Runtime``."""
from __future__ import annotations

import math
from contextlib import contextmanager
from threading import Condition, Lock, local
from time import monotonic
from typing import Any

from .. import processors
from ..errors import IsolationError
from . import launcher, protocol
from .channel import ChannelClosed, DeadlinePassed
from .codec import BadMessage
from .handles import Handles
from .launcher import WorkerProcess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..limits import Limits

__all__ = ["Pool", "Worker", "default_workers"]

#: A worker answers its first message within this time.
READY_SECONDS = 20.0
#: Runs that one worker serves before it is replaced.
RUNS = 20_000
#: Memory of a worker beside what its guest may have: buffers for messages, compiled code.
BESIDE = 96_000_000
#: Longest message when the size of results is not limited.
LARGEST = 0xFFFF_0000


def default_workers() -> int:
    """How many guests of a runtime run at a time when the host does not say."""
    from ..containers import processors

    return max(2, min(8, processors()))


class Worker:
    """A worker process that was told what its runtime is like.

    Attributes:
        process: its process.
        memory: the limit of guests' memory that it was made for, or None.
        bound: the processors that it was bound to, or None.
    """

    __slots__ = ("process", "bound", "memory", "result_size", "runs", "seconds_left")

    def __init__(self, process: WorkerProcess, limits: Limits, cpu_seconds: int | None) -> None:
        self.process = process
        self.memory = limits.memory
        self.result_size = limits.result_size
        self.runs = 0
        self.bound: frozenset[int] | None = None
        self.seconds_left = math.inf if cpu_seconds is None else float(cpu_seconds)

    def serves(self, limits: Limits) -> bool:
        """Whether it can have a run with these limits."""
        return (_within(limits.memory, self.memory) and _within(limits.result_size, self.result_size)
                and (2 * limits.seconds + 5 < self.seconds_left if limits.seconds is not None else self.seconds_left == math.inf)
                and self.runs < RUNS)


def _within(asked: int | None, given: int | None) -> bool:
    return given is None or (asked is not None and asked <= given)


class Pool:
    """At most ``most`` workers, each for one guest at a time.

    Args:
        settings: what CONFIGURE says.
        functions: of the host, by the names that guests call them by.
        handles: in which these stand.
        most: how many.
        require: layers without which there must be no worker.
    """

    def __init__(
        self, settings: dict[str, Any], functions: dict[str, Any], handles: Handles, most: int, require: frozenset[str]
    ) -> None:
        self.settings = settings
        self.functions = functions
        self.handles = handles
        self.most = most
        self.require = require
        self._reset()

    def _reset(self) -> None:
        self._generation = launcher.generation()
        self._changed = Condition(Lock())
        self._idle: list[Worker] = []
        self._busy: set[Any] = set()
        self._inside = local()
        self._held: set[Worker] = set()
        self._closed = False

    def acquire(self, limits: Limits, fresh: bool = False) -> Worker:
        """A worker for one run; waits while all are busy. It runs where the calling thread was bound to (``processors.bind``).

        Args:
            limits: of the run.
            fresh: one that has not run anything yet.

        Raises:
            IsolationError: there cannot be one, or the runtime is closed.
        """
        if self._generation != launcher.generation():
            self._forget()
        unfit: list[Worker] = []
        found = None
        with self._changed:
            while True:
                if self._closed:
                    raise IsolationError("the runtime is closed")
                while self._idle and found is None:
                    worker = self._idle.pop(self._nearest())
                    if worker.serves(limits) and not (fresh and worker.runs) and worker.process.channel.is_quiet():
                        found = worker
                    else:
                        unfit.append(worker)
                if found is not None or len(self._busy) < self.most or vars(self._inside).get("depth"):
                    break
                self._changed.wait()
            place: Any = found or object()
            self._busy.add(place)
        for worker in unfit:
            worker.process.kill()
        if found is not None:
            return self.place(found)
        try:
            worker = self.start(limits)
        except BaseException:
            self.give_back(place, None)
            raise
        with self._changed:
            self._busy.discard(place)
            self._busy.add(worker)
        return self.place(worker)

    def _nearest(self) -> int:
        """Which idle worker this thread takes: the one used last, of those that are bound to its processors if there are any."""
        here = processors.bound()
        if here is not None:
            for index in range(len(self._idle) - 1, -1, -1):
                if self._idle[index].bound == here:
                    return index
        return -1

    def place(self, worker: Worker) -> Worker:
        """Has a worker run on the processors of this thread, where that was bound."""
        here = processors.bound()
        if here is not None and here != worker.bound:
            worker.bound = here
            worker.process.bind(here)
        return worker

    def give_back(self, worker: Any, again: Worker | None) -> None:
        """Ends the use of a worker.

        Args:
            worker: that ``acquire`` gave.
            again: what can be used for the next run: the worker, another one, or None.
        """
        with self._changed:
            self._busy.discard(worker)
            keep = again is not None and not self._closed
            if keep and again is not None:
                self._idle.append(again)
            self._changed.notify()
        if again is not None and not keep:
            again.process.kill()

    def trim(self, most: int) -> None:
        """Ends idle workers until there are no more than so many, those that were used last excepted."""
        with self._changed:
            over = max(0, len(self._idle) + len(self._busy) - most)
            unneeded, self._idle = self._idle[:over], self._idle[over:]
        for worker in unneeded:
            worker.process.kill()

    @contextmanager
    def host_code(self) -> Iterator[None]:
        """Code of the host runs for a guest in this thread: a run that it starts must not wait for the worker of that one."""
        self._inside.depth = depth = getattr(self._inside, "depth", 0) + 1
        try:
            yield
        finally:
            self._inside.depth = depth - 1

    def start(self, limits: Limits) -> Worker:
        """A new worker process, ready to run guests. Raises IsolationError when there cannot be one."""
        memory = None if limits.memory is None else limits.memory + 2 * (limits.result_size or 0) + BESIDE
        cpu_seconds = None if limits.seconds is None else max(600, math.ceil(20 * limits.seconds))
        most = LARGEST
        if limits.result_size is not None:
            most = min(LARGEST, 2 * limits.result_size + (limits.output or LARGEST) + 1_000_000)
        for last in (False, False, True):
            template = launcher.template()
            self.check_layers(template.missing)
            try:
                process = template.fork(most, memory, cpu_seconds)
            except IsolationError:
                if last or template.is_alive():
                    raise
                continue
            deadline = monotonic() + READY_SECONDS
            try:
                process.channel.send(self.handles.frame(protocol.CONFIGURE, self.settings, self.functions), deadline)
                kind, text, _ = process.channel.receive(deadline, 100_000)
            except (ChannelClosed, DeadlinePassed, BadMessage) as error:
                status = process.kill()
                if isinstance(error, ChannelClosed) and not last:
                    continue    # it was forked ahead of need, and the system has ended it since
                raise IsolationError(
                    f"isolation='process': a worker did not start ({type(error).__name__}, status {status})") from None
            if kind == protocol.READY:
                break
            process.kill()
            raise IsolationError(f"isolation='process': a worker did not start: {text}")
        return Worker(process, limits, cpu_seconds)

    def hold(self, worker: Worker) -> None:
        """Notes a worker that a session has to itself, so that ``close`` ends it."""
        with self._changed:
            if not self._closed:
                self._held.add(worker)
                return
        worker.process.kill()
        raise IsolationError("the runtime is closed")

    def let_go(self, worker: Worker) -> None:
        """The session of a worker has ended."""
        with self._changed:
            self._held.discard(worker)

    @property
    def is_closed(self) -> bool:
        return self._closed

    def check_layers(self, missing: dict[str, str]) -> None:
        """Raises IsolationError when the kernel refuses a layer that must be there."""
        lacking = {name: reason for name, reason in missing.items() if name in self.require}
        if lacking:
            raise IsolationError("isolation='process': the kernel refuses what the runtime requires: "
                                 + "; ".join(f"{name}: {reason}" for name, reason in lacking.items()))

    def close(self) -> None:
        """Kills all workers. Runs that are going on end with an error. May be called again."""
        if self._generation != launcher.generation():
            self._forget()
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            busy = [worker for worker in (*self._busy, *self._held) if isinstance(worker, Worker)]
            self._changed.notify_all()
        for worker in idle:
            worker.process.kill()
        for worker in busy:
            worker.process.signal(9)  # whoever uses it sees that, and frees the rest

    def _forget(self) -> None:
        """In a process that was forked from the host: the workers are the parent's."""
        for worker in self._idle:
            worker.process.close()
        self._reset()
