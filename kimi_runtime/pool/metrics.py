"""What a pool tells of itself: counts, and latencies as histograms."""
from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = ["Change", "Histogram", "Metrics"]

#: Upper bounds of the buckets in seconds: four for each doubling, from 10 µs to some 3 hours.
BOUNDS = tuple(1e-5 * 2 ** (step / 4) for step in range(121))


class Histogram:
    """Times in buckets that are 19 % wide.

    Attributes:
        counts: of each bucket; the last one is for what is longer than all bounds.
        count, total, longest: of all times.
    """

    __slots__ = ("counts", "count", "total", "longest")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.count = 0
        self.total = 0.0
        self.longest = 0.0

    def add(self, seconds: float) -> None:
        """Notes a time."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.count += 1
        self.total += seconds
        if seconds > self.longest:
            self.longest = seconds

    def copy(self) -> Histogram:
        """Another one with the same times."""
        made = Histogram()
        made.counts, made.count, made.total, made.longest = self.counts[:], self.count, self.total, self.longest
        return made

    @property
    def mean(self) -> float:
        """The mean time, or 0."""
        return self.total / self.count if self.count else 0.0

    def percentile(self, share: float) -> float:
        """The time that this share (0 to 1) of all times is not above, to the precision of a bucket; 0 without any."""
        left = share * self.count
        for bucket, count in enumerate(self.counts):
            left -= count
            if count and left <= 1e-9:
                return min(BOUNDS[bucket], self.longest) if bucket < len(BOUNDS) else self.longest
        return self.longest

    def to_dict(self) -> dict[str, float]:
        """Count, mean, median, 90th, 99th percentile and maximum."""
        return {"count": self.count, "mean": self.mean, "p50": self.percentile(0.5), "p90": self.percentile(0.9),
                "p99": self.percentile(0.99), "max": self.longest}

    def __repr__(self) -> str:
        return f"<Histogram: {self.count:,} times, mean {self.mean:.3g} s, p99 {self.percentile(0.99):.3g} s>"


class Change(NamedTuple):
    """The pool was resized: seconds since it was made, the new size, by how much, and why."""

    seconds: float
    size: int
    change: int
    reason: str


@dataclass(slots=True)
class Metrics:
    """The figures of a pool at a moment.

    Attributes:
        size, busy, waiting, idle: workers; those that have a job; of these, those that wait for something; the others.
        queued: jobs that wait for a worker.
        submitted, completed, failed, cancelled: jobs that were taken; that ended; of these, with an exception or as a failed
            guest; that were cancelled before they began.
        rejected, shed: jobs that found no place in the queue, and those that gave their place to later ones.
        grown, shrunk: workers that came and that left, by reason.
        wait, run: how long jobs have waited and run.
        changes: the last changes of the size.
    """

    size: int = 0
    busy: int = 0
    waiting: int = 0
    idle: int = 0
    queued: int = 0
    submitted: int = 0
    completed: int = 0
    failed: int = 0
    cancelled: int = 0
    rejected: int = 0
    shed: int = 0
    grown: Counter[str] = field(default_factory=Counter)
    shrunk: Counter[str] = field(default_factory=Counter)
    wait: Histogram = field(default_factory=Histogram)
    run: Histogram = field(default_factory=Histogram)
    changes: deque[Change] = field(default_factory=lambda: deque(maxlen=1000))

    def copy(self) -> Metrics:
        """The same figures, that do not change any more."""
        made = Metrics(**{name: getattr(self, name) for name in self.__slots__})
        made.grown, made.shrunk, made.changes = self.grown.copy(), self.shrunk.copy(), self.changes.copy()
        made.wait, made.run = self.wait.copy(), self.run.copy()
        return made

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        found = {name: getattr(self, name) for name in self.__slots__}
        return {**found, "grown": dict(self.grown), "shrunk": dict(self.shrunk), "wait": self.wait.to_dict(),
                "run": self.run.to_dict(), "changes": [list(each) for each in self.changes]}
