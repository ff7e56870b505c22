"""Jobs that wait for a worker: by priority, and by how long they have waited.

A priority is worth some seconds of waiting: of two jobs the one goes first that was submitted earlier when each level of priority
counts as so many seconds. So urgent jobs overtake, and none waits for ever. Not safe for threads: the pool has a lock.
"""
from __future__ import annotations

from collections import OrderedDict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .crew import Job

__all__ = ["JobQueue"]


class JobQueue:
    """The queue.

    Args:
        priority_seconds: of waiting that a level of priority is worth.
    """

    def __init__(self, priority_seconds: float) -> None:
        self.priority_seconds = priority_seconds
        self.levels: dict[int, OrderedDict[int, Job]] = {}
        self.length = 0

    def __len__(self) -> int:
        return self.length

    def add(self, job: Job) -> None:
        """Puts a job at the end of those of its priority."""
        level = self.levels.get(job.priority)
        if level is None:
            level = self.levels[job.priority] = OrderedDict()
        level[id(job)] = job
        self.length += 1

    def remove(self, job: Job) -> bool:
        """Takes a job out; whether it was there."""
        level = self.levels.get(job.priority)
        if level is None or level.pop(id(job), None) is None:
            return False
        self.length -= 1
        if not level:
            del self.levels[job.priority]
        return True

    def take(self) -> Job | None:
        """Takes the next job out; None when there is none."""
        found = None
        rank = 0.0
        for priority, level in self.levels.items():
            first = next(iter(level.values()))
            its = first.submitted - priority * self.priority_seconds
            if found is None or its < rank:
                found, rank = first, its
        if found is not None:
            self.remove(found)
        return found

    def take_least(self, below: int) -> Job | None:
        """Takes the oldest job of the lowest priority out, when that is not above the given one; else None."""
        if not self.levels:
            return None
        lowest = min(self.levels)
        if lowest > below:
            return None
        job = next(iter(self.levels[lowest].values()))
        self.remove(job)
        return job

    def take_all(self) -> list[Job]:
        """Empties the queue. Returns the jobs."""
        found = [job for level in self.levels.values() for job in level.values()]
        self.levels.clear()
        self.length = 0
        return found

    def oldest(self) -> float | None:
        """When the job was submitted that has waited longest; None when there is none."""
        return min((next(iter(level.values())).submitted for level in self.levels.values()), default=None)
