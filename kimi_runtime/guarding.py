"""Keeps the process alive when memory is short: caches shrink, then the guest that holds most is stopped.

    guard = kr.MemoryGuard(on_event=print)
    ...
    guard.close()

The kernel ends a whole process when its container is full. The guard looks before that, the more often the less is left. Its
events say what was measured, so that somebody who reads them later knows who took the memory.
"""
from __future__ import annotations

import logging
import threading
from collections import deque
from dataclasses import asdict, dataclass
from time import monotonic, time

from . import _core, containers
from .cache.parse_cache import caches
from .memory import heap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["MemoryEvent", "MemoryGuard"]

log = logging.getLogger("kimi_runtime.memory")

#: Bytes a second that a guest may fill, for how soon to look again.
SPEED = 2 << 30
#: Seconds between two looks.
SHORTEST, LONGEST = 0.002, 0.25
#: Shares of the limit: what a guest may have beyond the mark before its requests are refused, and the step in which those
#: who are at the mark ask again.
MARGIN, STEP = 0.02, 0.005
#: A guest that was told to stop has so many seconds before another one is.
PATIENCE = 1.0
#: For so many seconds a guest that asks waits for an answer, and then for the memory of one that was stopped.
ANSWER, OTHERS = 0.25, 0.1


@dataclass(frozen=True, slots=True)
class MemoryEvent:
    """Something was done because memory was short.

    Attributes:
        kind: "shrink" for caches, "stop" for a guest, "host" when no guest holds enough to help: the host's own memory is it.
        text: what happened, in words.
        limit, used: bytes that the process may have, and has in use.
        source: the file that the limit is from.
        guests: bytes of the guests that run, the largest first.
        pressure: see ``containers.pressure``.
        time: seconds since the epoch.
    """

    kind: str
    text: str
    limit: int
    used: int
    source: str
    guests: tuple[int, ...]
    pressure: float | None
    time: float

    def to_dict(self) -> dict[str, Any]:
        """The event as plain data."""
        return asdict(self)


class MemoryGuard:
    """Watches the memory of the process in a thread, until it is closed.

    Between two looks guests are held by a ceiling: their heaps know how much more they may take of the system together, and a
    guest that would take more waits at its next safepoint until the guard has looked. So one that fills gigabytes a
    second is stopped in time, also one without a limit of memory.

    Args:
        shrink_at: from this share of the limit on caches are emptied.
        stop_at: from this share on, or when it would be reached before the next look, the guest that holds most is stopped.
        on_event: called with each ``MemoryEvent`` in the guard's thread.
        container: that is asked; None for that of the process.
        least: when the guests together hold less than this share of the limit, none is stopped.

    Attributes:
        events: the last hundred.
    """

    def __init__(
        self, *, shrink_at: float = 0.85, stop_at: float = 0.93, on_event: Callable[[MemoryEvent], object] | None = None,
        container: containers.Container | None = None, least: float = 0.05
    ) -> None:
        if not 0 < shrink_at <= stop_at <= 1:
            raise ValueError(f"shrink_at and stop_at must be shares in this order, not {shrink_at!r} and {stop_at!r}")
        self.shrink_at = shrink_at
        self.stop_at = stop_at
        self.least = least
        self.events: deque[MemoryEvent] = deque(maxlen=100)
        self._tell = on_event
        self._container = container
        self._stopping: list[Any] = []              # meters of guests that were told to stop and have not ended yet
        self._told = 0.0                            # when the last one was
        self._shrunk = False
        self._before: tuple[float, int] | None = None
        self._ended = False
        self._changed = threading.Condition()       # of the three below
        self._looks = 0                             # that have begun
        self._looked = 0                            # and that are over
        self._asked = 0                             # look that a guest waits for
        _core.ask_guard(self._ask)
        self._thread = threading.Thread(target=self._watch, name="kimi-memory", daemon=True)
        self._thread.start()
        with self._changed:     # before its first look there is no ceiling
            self._changed.wait_for(lambda: self._looked > 0, PATIENCE)

    def close(self) -> None:
        """Ends the watching."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        _core.ask_guard(None)
        heap.set_ceiling(None)

    def __enter__(self) -> MemoryGuard:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _watch(self) -> None:
        pause = 0.0
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self._asked > self._looks, pause)
                if self._ended:
                    return
                asked = self._asked > self._looks
                self._looks += 1
            try:
                pause = self.look(asked)
            except Exception:
                log.exception("the memory of the process could not be looked at")
                pause = LONGEST
            with self._changed:
                self._looked = self._looks
                self._changed.notify_all()

    def _ask(self, meter: Any) -> None:
        """A guest would go beyond the ceiling: called in its thread, returns when the guard has looked."""
        if threading.current_thread() is self._thread:
            return
        with self._changed:
            wanted = self._looks + 1        # one that is under way may have measured already
            self._asked = max(self._asked, wanted)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._ended or self._looked >= wanted, ANSWER)
            # Another guest is being stopped: its memory comes first.
            self._changed.wait_for(lambda: self._ended or not self._is_waiting_for_another(meter), OTHERS)

    def _is_waiting_for_another(self, meter: Any) -> bool:
        running = {id(one) for one in _core.runs_under_way()}
        return any(one is not meter and id(one) in running for one in self._stopping)

    def look(self, asked: bool = False) -> float:
        """Looks once, and does what is to be done. Returns the seconds until the next look.

        asked: a guest is at the ceiling and waits.
        """
        before = heap.held()
        container = self._container or containers.container()
        memory = container.memory()
        now = monotonic()
        speed = 0.0
        if self._before is not None and now > self._before[0]:
            speed = max(0.0, (memory.used - self._before[1]) / (now - self._before[0]))
        self._before = now, memory.used
        stop_bytes = self.stop_at * memory.limit
        after = heap.held()
        # What is in use without that of guests stays as it is: so much is left for them. They may have given back some
        # while the files were read.
        others = max(0, memory.used - min(before[1], after[1]))
        step = int(STEP * memory.limit)
        heap.set_ceiling(max(int(stop_bytes) - others, after[0] + step), int(MARGIN * memory.limit))
        near = step if asked else 0
        pause = min(LONGEST, max(SHORTEST, (stop_bytes - memory.used) / SPEED))
        if memory.used >= self.shrink_at * memory.limit:
            self._shrink(memory, container)
        elif memory.used < 0.9 * self.shrink_at * memory.limit:
            self._shrunk = False
        if memory.used + max(speed * pause, near) >= stop_bytes and memory.used >= self.shrink_at * memory.limit:
            self._stop(memory, container, now)
        return pause

    def _shrink(self, memory: containers.Memory, container: containers.Container) -> None:
        heap.trim()
        if self._shrunk:
            return
        self._shrunk = True
        held = 0
        for cache in list(caches):
            held += cache.stats().weight
            cache.shrink(0)
        self._note("shrink", f"caches of {held:,} bytes were emptied: {_words(memory)}", memory, container, [])

    def _stop(self, memory: containers.Memory, container: containers.Container, now: float) -> None:
        meters = {id(meter): meter for meter in _core.runs_under_way()}.values()        # threads of a guest have one together
        running = sorted(((meter.live_memory, meter) for meter in meters), key=lambda pair: -pair[0])
        self._stopping = [meter for meter in self._stopping if any(meter is one for _, one in running)]
        if self._stopping and now - self._told < PATIENCE:
            return
        guests = [held for held, _ in running]
        # Who was told and does not end is in code of the host, which nobody stops.
        running = [(held, meter) for held, meter in running if meter not in self._stopping]
        if not running or sum(held for held, _ in running) < self.least * memory.limit:
            if self.events and self.events[-1].kind == "host" and time() - self.events[-1].time < 10:
                return
            self._note("host", f"no guest holds enough to help: {_words(memory)}", memory, container, guests)
            return
        held, meter = running[0]
        text = (f"the process was about to run out of memory, and of its guests this one held most, {held:,} bytes: "
                f"{_words(memory)}")
        self._stopping.append(meter)
        self._told = now
        self._note("stop", text, memory, container, guests)      # first, so that who sees the result finds the event
        meter.take_memory(text)

    def _note(
        self, kind: str, text: str, memory: containers.Memory, container: containers.Container, guests: list[int]
    ) -> None:
        event = MemoryEvent(kind, text, memory.limit, memory.used, memory.source, tuple(guests[:10]), container.pressure(),
                            time())
        self.events.append(event)
        log.warning("%s", text)
        if self._tell is not None:
            try:
                self._tell(event)
            except Exception:
                log.exception("on_event of the memory guard failed")


def _words(memory: containers.Memory) -> str:
    return f"{memory.used:,} of {memory.limit:,} bytes were in use ({memory.source})"
