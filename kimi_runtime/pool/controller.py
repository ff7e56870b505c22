"""How large a pool should be: a pure function of what is measured.

    decide(settings, state, sample) -> Decision(change, reason, state)

Nothing here reads a clock, takes a lock or starts anything, so a simulation can ask it a million times (tests/pool).
"""
from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Decision", "Sample", "Settings", "State", "decide", "replacements"]


@dataclass(frozen=True, slots=True)
class Settings:
    """When a pool grows and shrinks.

    Args:
        sample_seconds: time between two looks.
        grow_load: the pool grows when the queue is fuller than this share of its capacity,
        grow_utilisation: and its workers are busier than this share of their time,
        grow_by: by so many workers.
        shrink_load, shrink_utilisation: it shrinks when the queue is empty, and load and utilisation were below these,
        shrink_samples: in so many samples in a row,
        shrink_by: by so many workers,
        shrink_occupied: unless the jobs at hand, those that wait for something included, would take more than this share of the
            workers that stay: it would grow again at once.
        stall_seconds: when the oldest job waits longer than this and no job was begun since the last look, one worker more is
            there; so a pool whose workers all wait for something never stalls.
        replace_seconds: while jobs wait, time between two looks at nothing but workers that wait in functions of the host.
        runnable: while jobs wait, so many workers should be able to compute; workers that wait for something are replaced up
            to that. None for the number of processors that the process may use.
        idle_seconds: a worker beyond the minimum that had nothing to do for so long leaves at once; None for never.
    """

    sample_seconds: float = 0.1
    grow_load: float = 0.8
    grow_utilisation: float = 0.9
    grow_by: int = 2
    shrink_load: float = 0.2
    shrink_utilisation: float = 0.3
    shrink_samples: int = 3
    shrink_by: int = 1
    shrink_occupied: float = 0.8
    stall_seconds: float = 0.2
    replace_seconds: float = 0.01
    runnable: int | None = None
    idle_seconds: float | None = 10.0

    def __post_init__(self) -> None:
        for name in ("sample_seconds", "stall_seconds", "replace_seconds"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be positive, not {getattr(self, name)!r}")
        for name in ("grow_load", "grow_utilisation", "shrink_load", "shrink_utilisation", "shrink_occupied"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be between 0 and 1, not {getattr(self, name)!r}")
        for name in ("grow_by", "shrink_samples", "shrink_by"):
            if not isinstance(getattr(self, name), int) or getattr(self, name) < 1:
                raise ValueError(f"{name} must be an int of 1 or more, not {getattr(self, name)!r}")
        if self.shrink_load >= self.grow_load or self.shrink_utilisation >= self.grow_utilisation:
            raise ValueError("the pool must shrink at lower loads and utilisations than it grows at, or it would oscillate")
        if self.runnable is not None and (not isinstance(self.runnable, int) or self.runnable < 1):
            raise ValueError(f"runnable must be an int of 1 or more, or None, not {self.runnable!r}")
        if self.idle_seconds is not None and not self.idle_seconds > 0:
            raise ValueError(f"idle_seconds must be positive or None, not {self.idle_seconds!r}")


@dataclass(frozen=True, slots=True)
class Sample:
    """What is measured of a pool.

    Attributes:
        size: workers.
        least, most: the bounds of the size.
        busy: workers that have a job.
        waiting: of them, those that wait for something rather than compute: in functions of the host.
        queued: jobs that wait for a worker.
        capacity: of the queue; None for no bound.
        oldest: seconds that the oldest of them has waited.
        begun: jobs that were begun since the last sample.
        utilisation: share of the time since the last sample in which workers computed, of all workers.
        occupied: how many workers had a job in that time, on average.
        expired: workers that were idle for longer than ``Settings.idle_seconds``.
        runnable: how many workers should be able to compute.
    """

    size: int
    least: int
    most: int
    busy: int = 0
    waiting: int = 0
    queued: int = 0
    capacity: int | None = None
    oldest: float = 0.0
    begun: int = 0
    utilisation: float = 0.0
    occupied: float = 0.0
    expired: int = 0
    runnable: int = 1

    @property
    def load(self) -> float:
        """How full the queue is, from 0 to 1. One without a bound is full with sixteen jobs for each worker."""
        return min(1.0, self.queued / (self.capacity or 16 * max(self.size, 1)))


@dataclass(frozen=True, slots=True)
class State:
    """What is remembered from sample to sample: how many in a row were quiet."""

    quiet: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do: so many workers more, or fewer when it is negative; why; and the state for the next sample."""

    change: int
    reason: str
    state: State


def decide(settings: Settings, state: State, sample: Sample) -> Decision:
    """What a pool should do after a sample.

    The change never leads out of the bounds, and takes away idle workers only.
    """
    size = sample.size
    if size < sample.least:
        return Decision(sample.least - size, "minimum", State())
    idle = size - sample.busy
    if size > sample.most:
        return Decision(-min(size - sample.most, max(idle, 0)), "maximum", State())
    room = sample.most - size
    if sample.queued:
        wanted, reason = growth(settings, sample, idle)
        if wanted:
            return Decision(min(wanted, room), reason if room else "", State())
        return Decision(0, "", State())
    spare = min(idle, size - sample.least)
    if sample.load >= settings.shrink_load or sample.utilisation >= settings.shrink_utilisation:
        return Decision(0, "", State())
    quiet = min(state.quiet + 1, settings.shrink_samples)
    if spare > 0 and sample.expired:
        return Decision(-min(spare, sample.expired), "idle", State(quiet))
    if spare > 0 and quiet >= settings.shrink_samples:
        fewer = min(spare, settings.shrink_by)
        if sample.occupied <= settings.shrink_occupied * (size - fewer):
            return Decision(-fewer, "quiet", State(quiet))
    return Decision(0, "", State(quiet))


def replacements(sample: Sample) -> int:
    """How many workers should come at once in the place of those that wait for the host: a look between two samples.

    Only ``size``, ``most``, ``busy``, ``waiting``, ``queued`` and ``runnable`` of the sample are looked at.
    """
    if not sample.size or sample.busy < sample.size:
        return 0
    computing = sample.busy - sample.waiting
    return max(0, min(sample.runnable - computing, sample.queued, sample.most - sample.size))


def growth(settings: Settings, sample: Sample, idle: int) -> tuple[int, str]:
    """How many workers a pool with jobs in its queue should have more, and why."""
    if sample.size == 0:
        return min(sample.queued, max(sample.runnable, 1)), "empty"
    if idle > 0:
        return 0, ""        # somebody is about to take a job
    computing = sample.busy - sample.waiting
    if sample.waiting and computing < sample.runnable:
        # As many as would have `runnable` of them compute at a time, if all are like these; twice as many as there are at most.
        needed = sample.runnable * sample.size // max(computing, 1)
        more = max(sample.runnable - computing, min(needed - sample.size, sample.size))
        return min(more, sample.queued), "waiting"
    if sample.load > settings.grow_load and sample.utilisation > settings.grow_utilisation:
        return min(settings.grow_by, sample.queued), "load"
    if sample.oldest > settings.stall_seconds and not sample.begun:
        return 1, "stalled"
    return 0, ""
