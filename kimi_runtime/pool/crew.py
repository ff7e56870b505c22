"""The workers of a pool, the queue before them, and who watches both.

One lock guards everything. A worker that has nothing to do waits at a gate of its own, on a stack of idle workers, the one that
worked last on top; who submits a job takes a worker from the stack and hands the job over. So a job is in exactly one place at a
time: in the queue, or in the hands of a worker, and only a worker that stands on the stack can be sent away.
"""
from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from _thread import allocate_lock
from collections import deque
from concurrent.futures import Future, InvalidStateError
from time import monotonic
from typing import Any

from .. import containers
from ..errors import KimiError
from .controller import Sample, Settings, State, decide, replacements
from .jobs import Task
from .metrics import Change, Metrics
from .queue import JobQueue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Crew", "Job", "PoolFull"]

#: A worker is taken to wait when it has used less than this share of the time since the last look.
STILL = 0.1
#: From this share of one processor on the interpreter lock is fully used: then a thread that is still may just not have its turn.
SATURATED = 0.85
#: A job that began so shortly ago is not judged.
YOUNG = 0.004


class PoolFull(KimiError):
    """A job found no place in the queue of a pool, or gave its place to a later one."""


class Job(Future[Any]):
    """A job of a pool: a ``concurrent.futures.Future``.

    ``cancel`` takes a job out of the queue at once. One that runs already is stopped when it is a guest program: its result says
    that it was cancelled; functions of the host run to their end.
    """

    def __init__(self, crew: Crew, task: Task, priority: int) -> None:
        super().__init__()
        self.priority = priority
        self.submitted = 0.0
        self._crew = crew
        self._task: Task | None = task

    def cancel(self) -> bool:
        """Cancels the job. Returns whether it will not run; False for one that runs or has run."""
        if self._crew.withdraw(self):
            super().cancel()
            self.set_running_or_notify_cancel()
            return True
        done = super().cancel()
        task = self._task
        if not done and task is not None and not self.done():
            task.stop()
        return done


class Worker:
    """A thread of a pool.

    Attributes:
        job: what it has, or None.
        gate: held while it waits for a job.
        since: when it got the job, or became idle.
        cpu_clock: of its processor time.
        cpu_seen: what that said at the last sample, and at the last look between samples.
    """

    __slots__ = ("job", "gate", "since", "cpu_clock", "cpu_seen", "number", "thread", "leaving")

    def __init__(self, number: int, job: Job | None) -> None:
        self.number = number
        self.job = job
        self.gate = allocate_lock()
        self.gate.acquire()
        self.since = monotonic()
        self.cpu_clock: int | None = None
        self.cpu_seen = [0.0, 0.0]
        self.thread: threading.Thread | None = None
        self.leaving = False

    def cpu_seconds(self) -> float | None:
        """Processor time of its thread; None when it has not begun, or has ended."""
        if self.cpu_clock is None:
            return None
        try:
            return time.clock_gettime(self.cpu_clock)
        except OSError:
            return None


class Crew:
    """The workers and the queue.

    Args:
        name: of the threads.
        least, most: bounds of the number of workers.
        capacity: of the queue; None for no bound.
        when_full: "block", "reject" or "shed".
        priority_seconds: see ``JobQueue``.
        settings: see ``Settings``.
        runnable: how many workers should be able to compute.
        begin: called in each worker's thread with its number, before its first job.
        left: called when workers have left, with the number of those that stay.
    """

    def __init__(
        self, name: str, least: int, most: int, capacity: int | None, when_full: str, priority_seconds: float,
        settings: Settings, runnable: Callable[[], int], begin: Callable[[int], None] | None, left: Callable[[int], None] | None
    ) -> None:
        self.name = name
        self.least = least
        self.most = most
        self.capacity = capacity
        self.when_full = when_full
        self.settings = settings
        self.runnable = runnable
        self.begin = begin
        self.left = left
        self.priority_seconds = priority_seconds
        self.made = monotonic()
        self.inside = threading.local()
        self.closed = False
        self.reset()
        crews.add(self)

    def reset(self) -> None:
        """No workers, no jobs."""
        self.lock = allocate_lock()
        self.room = threading.Condition(self.lock)
        self.gone = threading.Condition(self.lock)
        self.queue = JobQueue(self.priority_seconds)
        self.workers: set[Worker] = set()
        self.leaving: set[Worker] = set()       # their threads have not ended yet
        self.idle: list[Worker] = []
        self.askers: deque[tuple[object, Callable[[], object]]] = deque()
        self.metrics = Metrics()
        self.numbers = 0
        self.state = State()
        self.begun = 0
        self.busy_area = 0.0        # worker-seconds with a job since the last sample
        self.area_at = self.sampled = monotonic()
        self.cpu_seen = time.process_time()
        self.waiting = 0
        self.watcher: threading.Thread | None = None
        self.watch_gate = allocate_lock()
        self.watch_gate.acquire()
        self.watcher_waits = False
        self.watcher_dozes = False      # it waits for the time of the next sample, or for a job in the queue
        self.glanced = monotonic()

    # ---- submitting ------------------------------------------------------------------------------------------
    def submit(self, job: Job, when_full: str | None = None, timeout: float | None = None, forced: bool = False) -> None:
        """Hands a job to a worker, or puts it into the queue.

        Args:
            job: the job.
            when_full: what to do when the queue is full, when it is not what the pool says.
            timeout: seconds to wait for room; None for ever.
            forced: whether it goes into the queue even if that is full.

        Raises:
            PoolFull: there is no room.
            RuntimeError: the pool was shut down, or there is no worker and none can be started.
        """
        dropped = None
        when_full = when_full or self.when_full
        forced = forced or getattr(self.inside, "depth", 0) > 0   # a job that waits for its own jobs must get them in
        deadline = None
        started: list[Worker] = []
        with self.lock:
            while True:
                if self.closed:
                    raise RuntimeError("cannot schedule new futures after shutdown: the pool was shut down")
                now = job.submitted = monotonic()
                if self.idle:
                    self.metrics.submitted += 1
                    self.hand_over(self.idle.pop(), job, now)
                    break
                if len(self.workers) < min(self.most, max(self.least, self.runnable())):
                    self.metrics.submitted += 1
                    started.append(self.add_worker(job, "job"))
                    break
                if self.capacity is None or self.queue.length < self.capacity or forced:
                    self.metrics.submitted += 1
                    self.queue.add(job)
                    break
                if when_full == "shed" and (dropped := self.queue.take_least(job.priority)) is not None:
                    self.metrics.submitted += 1
                    self.metrics.shed += 1
                    self.queue.add(job)
                    break
                if when_full != "block":
                    self.metrics.rejected += 1
                    raise PoolFull(f"the queue of the pool is full: {self.queue.length:,} jobs wait for {len(self.workers):,} "
                                   f"workers (queue={self.capacity}, when_full={when_full!r})")
                if deadline is None and timeout is not None:
                    deadline = now + timeout
                left = None if deadline is None else deadline - now
                if left is not None and left <= 0:
                    self.metrics.rejected += 1
                    raise PoolFull(f"the queue of the pool was full for {timeout:g} seconds: {self.queue.length:,} jobs wait for "
                                   f"{len(self.workers):,} workers (queue={self.capacity})")
                self.watch()
                self.room.wait(left)
            self.watch()
        self.start(started)
        if dropped is not None:
            self.fail(dropped, PoolFull("the job gave its place in the full queue of the pool to a later one (when_full='shed')"))

    def withdraw(self, job: Job) -> bool:
        """Takes a job out of the queue; whether it was there."""
        with self.lock:
            if not self.queue.remove(job):
                return False
            self.metrics.cancelled += 1
            asker = self.tell_room()
        if asker is not None:
            asker()
        return True

    def tell_room(self) -> Callable[[], object] | None:
        """There is room for one job more: wakes one who waits for it, or returns a function to call without the lock."""
        if self.capacity is None or self.queue.length >= self.capacity:
            return None
        self.room.notify()
        return self.askers.popleft()[1] if self.askers else None

    def ask_for_room(self, who: object, tell: Callable[[], object]) -> None:
        """Calls a function once when there is, or may be, room in the queue."""
        with self.lock:
            if not self.closed and self.capacity is not None and self.queue.length >= self.capacity:
                self.askers.append((who, tell))
                return
        tell()

    def ask_no_more(self, who: object) -> None:
        """Somebody does not wait for room any more; if told already, the next one is told instead."""
        asker = None
        with self.lock:
            left = deque(each for each in self.askers if each[0] is not who)
            if len(left) == len(self.askers):
                asker = self.tell_room()
            else:
                self.askers = left
        if asker is not None:
            asker()

    def fail(self, job: Job, error: BaseException) -> None:
        """Ends a job that no worker has, with an exception."""
        if job.set_running_or_notify_cancel():
            job.set_exception(error)

    # ---- workers: with the lock ------------------------------------------------------------------------------
    def hand_over(self, worker: Worker, job: Job, now: float) -> None:
        """Gives a worker that stood on the stack of idle ones a job."""
        self.note_area(now)
        worker.job = job
        worker.since = now
        self.begun += 1
        worker.gate.release()

    def add_worker(self, job: Job | None, reason: str) -> Worker:
        """A worker more, whose thread is to be started when the lock is free."""
        now = monotonic()
        self.note_area(now)
        self.numbers += 1
        worker = Worker(self.numbers, job)
        self.workers.add(worker)
        if job is not None:
            self.begun += 1
        self.metrics.grown[reason] += 1
        self.metrics.changes.append(Change(now - self.made, len(self.workers), 1, reason))
        return worker

    def send_away(self, worker: Worker, reason: str) -> None:
        """A worker that stands on no stack and has no job leaves."""
        worker.leaving = True
        self.workers.discard(worker)
        self.leaving.add(worker)
        self.metrics.shrunk[reason] += 1
        self.metrics.changes.append(Change(monotonic() - self.made, len(self.workers), -1, reason))

    def note_area(self, now: float) -> None:
        """Before the number of workers with a job changes."""
        self.busy_area += (len(self.workers) - len(self.idle)) * (now - self.area_at)
        self.area_at = now

    # ---- workers: their threads ------------------------------------------------------------------------------
    def start(self, workers: list[Worker]) -> None:
        """Starts the threads of new workers. Raises RuntimeError when one has a job that nobody else can do."""
        for worker in workers:
            thread = threading.Thread(target=self.work, args=(worker,), name=f"{self.name}-{worker.number}", daemon=True)
            worker.thread = thread
            try:
                thread.start()
            except BaseException as error:
                with self.lock:
                    self.note_area(monotonic())
                    self.workers.discard(worker)
                    self.metrics.grown["failed"] += 1
                    job, worker.job = worker.job, None
                    if job is not None and self.workers:        # others will come to it
                        if self.idle:
                            self.hand_over(self.idle.pop(), job, monotonic())
                        else:
                            self.queue.add(job)
                        job = None
                if job is not None:
                    raise RuntimeError(f"the pool has no worker, and none can be started: {error}") from error

    def work(self, worker: Worker) -> None:
        """The life of a worker."""
        try:
            worker.cpu_clock = time.pthread_getcpuclockid(threading.get_ident())
            if self.begin is not None:
                self.begin(worker.number)
            while True:
                job = worker.job
                if job is not None:
                    self.perform(worker, job)
                    job = None
                with self.lock:
                    stays = self.next_job(worker)
                    asker = self.tell_room()
                if asker is not None:
                    asker()
                if not stays:
                    return
                if worker.job is None:
                    worker.gate.acquire()
                    if worker.leaving:
                        return
        finally:
            self.worker_ends(worker)

    def next_job(self, worker: Worker) -> bool:
        """What a worker does next: it has a job, stands on the stack of idle ones, or leaves (False)."""
        now = monotonic()
        self.note_area(now)
        if len(self.workers) > self.most:
            self.send_away(worker, "maximum")
            return False
        job = self.queue.take()
        worker.job = job
        worker.since = now
        if job is not None:
            self.begun += 1
        elif self.closed:
            self.send_away(worker, "shutdown")
            return False
        else:
            self.idle.append(worker)
            if len(self.workers) > self.least:
                self.watch()
        return True

    def perform(self, worker: Worker, job: Job) -> None:
        """Does a job, whatever becomes of it."""
        task = job._task
        if task is None or not job.set_running_or_notify_cancel():
            with self.lock:
                self.metrics.cancelled += 1
                worker.job = None
            return
        begun = monotonic()
        failed = False
        self.inside.depth = 1
        error = value = None
        try:
            value = task.perform()
            failed = getattr(value, "ok", True) is False
        except BaseException as raised:  # the job's, whatever it is; a worker ends by being sent away
            error = raised
            failed = True
        job._task = None
        ended = monotonic()
        with self.lock:
            metrics = self.metrics
            metrics.wait.add(begun - job.submitted)
            metrics.run.add(ended - begun)
            metrics.completed += 1
            metrics.failed += failed
        try:
            if error is not None:
                job.set_exception(error)
            else:
                job.set_result(value)
        except InvalidStateError:
            pass  # somebody else has given it a result
        finally:
            worker.job = None
            self.inside.depth = 0
        error = value = None

    def worker_ends(self, worker: Worker) -> None:
        """A thread ends: as it should, or because something was raised in it from outside. Its job is not lost."""
        started: list[Worker] = []
        with self.lock:
            lost = worker in self.workers
            if lost:
                self.note_area(monotonic())
                if worker in self.idle:
                    self.idle.remove(worker)
                self.send_away(worker, "lost")
                if not self.closed or self.queue.length:
                    if len(self.workers) < self.least or not self.workers and self.queue.length:
                        started.append(self.add_worker(self.queue.take(), "lost"))
            stay = len(self.workers)
        job, worker.job = worker.job, None
        if lost and job is not None and not job.done():
            error = KimiError("the pool's worker has ended under the job")
            try:
                if job.running() or job.set_running_or_notify_cancel():
                    job.set_exception(error)
            except InvalidStateError:
                pass  # it has ended in this moment
        if self.left is not None:
            self.left(stay)
        self.start(started)
        with self.lock:
            self.leaving.discard(worker)
            self.gone.notify_all()

    # ---- the size --------------------------------------------------------------------------------------------
    def watch(self) -> None:
        """Has somebody watch the pool when its size may have to change: with the lock."""
        if not self.queue.length and len(self.workers) == self.least:
            return
        if self.watcher is None:
            self.sampled = self.area_at = monotonic()
            self.busy_area = 0.0
            self.begun = 0
            self.watcher = threading.Thread(target=self.keep_watch, name=f"{self.name}-watch", daemon=True)
            try:
                self.watcher.start()
            except RuntimeError:  # no thread can be had: the pool stays as large as it is
                self.watcher = None
        elif self.watcher_waits or self.watcher_dozes and self.queue.length:
            self.watcher_waits = self.watcher_dozes = False
            self.watch_gate.release()

    def keep_watch(self) -> None:
        """Looks at the pool as long as its size may have to change; sleeps without a clock otherwise."""
        while True:
            self.wait_for_sample()
            containers.look_if_due()
            if not self.look():
                with self.lock:
                    if self.closed and not self.queue.length:
                        self.watcher = None
                        return
                    if self.queue.length or not self.is_settled():
                        continue
                    self.watcher_waits = True
                self.watch_gate.acquire()
                with self.lock:
                    now = monotonic()
                    self.note_area(now)
                    self.sampled, self.busy_area, self.begun = now, 0.0, 0
                    self.cpu_seen = time.process_time()

    def wait_for_sample(self) -> None:
        """Waits until the next sample is due; while jobs wait, workers that wait for the host are replaced meanwhile."""
        end = monotonic() + self.settings.sample_seconds
        while (left := end - monotonic()) > 0:
            with self.lock:
                replaces = self.queue.length > 0 and len(self.workers) < self.most
                self.watcher_dozes = not replaces
            if replaces:
                time.sleep(min(left, self.settings.replace_seconds))
                self.replace_waiting()
            elif not self.watch_gate.acquire(timeout=left):
                with self.lock:
                    if not self.watcher_dozes:
                        self.watch_gate.acquire()       # somebody has released it in this very moment
                    self.watcher_dozes = False

    def is_settled(self) -> bool:
        """Whether nothing will happen to the size of the pool until a job comes: with the lock."""
        size = len(self.workers)
        return self.least <= size <= self.most and (size == self.least or not self.idle and not self.queue.length)

    def look(self) -> bool:
        """Takes a sample and does what follows from it. Returns whether anything was changed."""
        started: list[Worker] = []
        with self.lock:
            if self.closed and not self.queue.length:
                return False            # nothing more will come: no minimum is kept up
            sample = self.sample()
            decision = decide(self.settings, self.state, sample)
            self.state = decision.state
            if self.closed and decision.change < 0:
                return False
            askers = self.grow(decision.change, decision.reason, started)
            leaving = self.idle[:max(-decision.change, 0)]      # those that have been idle for longest
            del self.idle[:len(leaving)]
            for worker in leaving:
                self.send_away(worker, decision.reason)
                worker.gate.release()
        for asker in askers:
            asker()
        self.start(started)
        return bool(decision.change)

    def grow(self, more: int, reason: str, started: list[Worker]) -> list[Callable[[], object]]:
        """More workers, which take jobs from the queue: with the lock. Appends them to those whose threads are to be started.

        Returns:
            Functions to be called without the lock, of those who wait for room in the queue.
        """
        askers = []
        for _ in range(more):
            started.append(self.add_worker(self.queue.take(), reason))
            asker = self.tell_room()
            if asker is not None:
                askers.append(asker)
        return askers

    def replace_waiting(self) -> None:
        """Between two samples: workers that wait for the host get others in their place while jobs wait."""
        started: list[Worker] = []
        with self.lock:
            now = monotonic()
            passed = max(now - self.glanced, 1e-9)
            self.glanced = now
            # The interpreter lock counts as used: so only what is known to wait is taken to.
            waiting, _ = self.count_waiting(1, now, passed, True)
            size = len(self.workers)
            more = replacements(Sample(
                size=size, least=self.least, most=self.most, busy=size - len(self.idle), waiting=waiting,
                queued=self.queue.length, runnable=self.runnable()))
            askers = self.grow(more, "waiting", started)
        for asker in askers:
            asker()
        self.start(started)

    def sample(self) -> Sample:
        """What is measured at this moment: with the lock."""
        now = monotonic()
        self.note_area(now)
        passed = max(now - self.sampled, 1e-9)
        cpu = time.process_time()
        saturated = (cpu - self.cpu_seen) / passed > SATURATED
        waiting, still = self.count_waiting(0, now, passed, saturated)
        size = len(self.workers)
        oldest = self.queue.oldest()
        idle_seconds = self.settings.idle_seconds
        found = Sample(
            size=size, least=self.least, most=self.most, busy=size - len(self.idle), waiting=waiting, queued=self.queue.length,
            capacity=self.capacity, oldest=0.0 if oldest is None else now - oldest, begun=self.begun,
            utilisation=min(1.0, max(0.0, self.busy_area - still) / (max(size, 1) * passed)),
            occupied=self.busy_area / passed,
            expired=0 if idle_seconds is None else sum(now - worker.since > idle_seconds for worker in self.idle),
            runnable=self.runnable())
        self.sampled, self.busy_area, self.begun, self.cpu_seen, self.waiting = now, 0.0, 0, cpu, waiting
        return found

    def count_waiting(self, look: int, now: float, passed: float, saturated: bool) -> tuple[int, float]:
        """Workers that wait for something: with the lock.

        Args:
            look: whose marks of processor time to use: 0 for samples, 1 for the looks between them.
            now, passed: the time, and the seconds since the last look of this kind.
            saturated: whether the interpreter lock is fully used.

        Returns:
            How many there are, and for how long they have, together.
        """
        waiting = 0
        still = 0.0
        for worker in self.workers:
            job, used = worker.job, worker.cpu_seconds()
            if job is not None and used is not None:
                had = min(now - worker.since, passed)
                if had > YOUNG and self.is_waiting(job, (used - worker.cpu_seen[look]) / had, saturated):
                    waiting += 1
                    still += had
            worker.cpu_seen[look] = used or 0.0
        return waiting, still

    def is_waiting(self, job: Job, share: float, saturated: bool) -> bool:
        """Whether a worker waits for something. share: of the time that its thread has used a processor."""
        task = job._task
        known = None if task is None else task.waits()
        if share > STILL:
            return False
        if known:
            return known > YOUNG        # below 0: it computes in another process
        return not saturated

    def resize(self, least: int, most: int) -> None:
        """Other bounds. Workers that have a job leave when it has ended."""
        started: list[Worker] = []
        with self.lock:
            self.least, self.most = least, most
            if not self.closed:
                while len(self.workers) < least:
                    started.append(self.add_worker(self.queue.take(), "minimum"))
                while len(self.workers) > most and self.idle:
                    worker = self.idle.pop(0)
                    self.note_area(monotonic())
                    self.send_away(worker, "maximum")
                    worker.gate.release()
                self.watch()
        self.start(started)

    # ---- the end ---------------------------------------------------------------------------------------------
    def close(self, cancel: bool, stop: bool) -> None:
        """No more jobs are taken; idle workers leave.

        Args:
            cancel: whether jobs in the queue are cancelled.
            stop: whether guests that run are stopped.
        """
        cancelled: list[Job] = []
        running: list[Job] = []
        with self.lock:
            self.closed = True
            if cancel:
                cancelled = self.queue.take_all()
                self.metrics.cancelled += len(cancelled)
            for worker in self.idle:
                self.send_away(worker, "shutdown")
                worker.gate.release()
            self.idle.clear()
            if stop:
                running = [worker.job for worker in self.workers if worker.job is not None]
            askers, self.askers = list(self.askers), deque()
            self.room.notify_all()
            if self.watcher_waits:
                self.watcher_waits = False
                self.watch_gate.release()
        for _, tell in askers:
            tell()
        for job in cancelled:
            Future.cancel(job)
            job.set_running_or_notify_cancel()
        for job in running:
            task = job._task
            if task is not None:
                task.stop()

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until all workers have left. Returns whether they have."""
        me = threading.current_thread()
        deadline = None if timeout is None else monotonic() + timeout
        with self.lock:
            while any(worker.thread is not me for worker in (*self.workers, *self.leaving)):
                left = None if deadline is None else deadline - monotonic()
                if left is not None and left <= 0:
                    return False
                self.gone.wait(left)
        return True

    def figures(self) -> Metrics:
        """The metrics at this moment."""
        with self.lock:
            metrics = self.metrics
            metrics.size = len(self.workers)
            metrics.idle = len(self.idle)
            metrics.busy = metrics.size - metrics.idle
            metrics.waiting = min(self.waiting, metrics.busy)
            metrics.queued = self.queue.length
            return metrics.copy()


crews: weakref.WeakSet[Crew] = weakref.WeakSet()


def at_exit() -> None:
    """As for other executors: jobs that were submitted are done before the process ends."""
    for crew in list(crews):
        crew.close(False, False)
        crew.wait()


def after_fork() -> None:
    """In a process that was forked from the host: the workers are the parent's, and so are their jobs."""
    for crew in list(crews):
        crew.reset()


atexit.register(at_exit)
os.register_at_fork(after_in_child=after_fork)
