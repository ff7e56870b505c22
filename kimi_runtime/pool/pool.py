"""``Pool``: an executor for guest programs and callables of the host whose size follows the load."""
from __future__ import annotations

import weakref
from collections import deque
from concurrent.futures import Executor, wait
from concurrent.futures import TimeoutError as WaitTimeout
from contextvars import copy_context
from dataclasses import fields
from threading import Lock
from time import monotonic
from typing import Any

from ..async_runs import outlast
from ..containers import follow, processors
from ..limits import DEFAULT, Limits
from ..runtime import Runtime
from .controller import Settings
from .crew import Crew, Job, PoolFull
from .jobs import Call, Cell, GuestRun, ProcessRun, Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ..result import Result
    from .metrics import Metrics

__all__ = ["Job", "Pool", "PoolFull", "PoolSession"]

POLICIES = ("block", "reject", "shed")
SETTINGS = tuple(field.name for field in fields(Settings))


class Pool(Executor):
    """Runs guest programs and callables of the host in workers, as many as the load asks for: a ``concurrent.futures.Executor``.

        >>> import kimi_runtime as kr
        >>> with kr.Pool(max_workers=4) as pool:
        ...     job = pool.submit("sum(range(n))", {"n": 10})
        ...     job.result().value, pool.submit(pow, 2, 5).result()
        (45, 32)

    Args:
        kind: "thread", or "process" for guests that run in worker processes of ``Runtime(isolation="process")``, on as many
            processors as there are. Callables of the host run in threads of this process with both.
        runtime: that runs the guests, of the kind's isolation; None to make one from ``runtime_settings``.
        min_workers, max_workers: bounds of the number of workers; None for what fits the processors of this process.
        queue: jobs that may wait for a worker; None for any number.
        when_full: what ``submit`` does when so many wait: "block" until there is room, "reject" with PoolFull, or "shed": the job
            that has waited longest, of those with the lowest priority, fails with PoolFull in its place.
        priority_seconds: how many seconds of waiting a level of priority is worth: so no job waits for ever.
        settings: when the pool grows and shrinks, see ``Settings``; its fields may also be given by themselves.
        name: of the threads.
        cpus: processors for the workers, as numbers; each worker may use all of them.
        numa_node: the number of a memory node: the workers use its processors.
        spread: each worker is bound to one processor, in turn.
        runtime_settings: arguments of ``Runtime``.

    Raises:
        TypeError, ValueError: an argument is of another type, or has no such value.
        IsolationError: see ``Runtime``.
    """

    def __init__(
        self, kind: str = "thread", *, runtime: Runtime | None = None, min_workers: int | None = None,
        max_workers: int | None = None, queue: int | None = 1000, when_full: str = "block", priority_seconds: float = 10.0,
        settings: Settings | None = None, name: str = "kimi-pool", cpus: Iterable[int] | None = None,
        numa_node: int | None = None, spread: bool = False, **runtime_settings: Any
    ) -> None:
        if kind not in ("thread", "process"):
            raise ValueError(f"kind must be 'thread' or 'process', not {kind!r}")
        if when_full not in POLICIES:
            raise ValueError(f"when_full must be one of {', '.join(map(repr, POLICIES))}, not {when_full!r}")
        own = {each: runtime_settings.pop(each) for each in SETTINGS if each in runtime_settings}
        if own and settings is not None:
            raise TypeError(f"give {', '.join(own)} in settings, not beside them")
        if settings is not None and not isinstance(settings, Settings):
            raise TypeError(f"settings must be a Settings, not {type(settings).__name__}")
        least, most = check_bounds(kind, min_workers, max_workers)
        if queue is not None and (isinstance(queue, bool) or not isinstance(queue, int)):
            raise TypeError(f"queue must be an int or None, not {type(queue).__name__}")
        if queue is not None and queue < 1:
            raise ValueError(f"queue must be at least 1, not {queue}; None for no bound")
        if not isinstance(priority_seconds, (int, float)) or not 0 <= priority_seconds < 1e9:
            raise ValueError(f"priority_seconds must be a number from 0, not {priority_seconds!r}")
        self.settings = Settings(**own) if settings is None else settings
        self.kind = kind
        self._owns_runtime = runtime is None
        if runtime is None:
            if kind == "process":
                runtime_settings.update(isolation="process", workers=most)
            runtime = Runtime(**runtime_settings)
        elif runtime_settings:
            raise TypeError(f"{', '.join(runtime_settings)}: arguments of Runtime, and a runtime is given")
        elif not isinstance(runtime, Runtime):
            raise TypeError(f"runtime must be a Runtime, not {type(runtime).__name__}")
        is_process = hasattr(runtime, "_pool")
        if is_process != (kind == "process"):
            raise ValueError(f"kind={kind!r} needs a runtime with isolation={'process' if kind == 'process' else 'inline'!r}")
        if runtime._has_async_functions(None):
            raise ValueError("functions: a pool's workers cannot await async functions of the host: give functions that wait, or "
                             "use Runtime.run_async")
        self._runtime = runtime
        runnable = _runnable(self.settings)
        self._crew = crew = Crew(name, least, most, queue, when_full, float(priority_seconds), self.settings, runnable,
                                 placement(cpus, numa_node, spread), _trimmer(runtime) if is_process else None)
        self._end = weakref.finalize(self, crew.close, False, False)
        self._end.atexit = False
        if max_workers is None:
            follow(self, watch=False)      # the crew looks, while it has something to do
        if least:
            crew.resize(least, most)
            if is_process:
                for _ in range(least):
                    runtime.start_worker()  # type: ignore[attr-defined]

    # ---- jobs ------------------------------------------------------------------------------------------------
    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Job:
        """Takes a job.

        Args:
            fn: a callable of the host, called with the arguments; or the source text of a guest program: then see
                ``submit_program`` for the arguments.

        Returns:
            A future; for a guest program with its ``Result``.

        Raises:
            PoolFull: the queue is full, and ``when_full`` is not "block".
            RuntimeError: the pool was shut down.
        """
        if isinstance(fn, (str, bytes)):
            return self.submit_program(fn, *args, **kwargs)
        return self._take(self._call(fn, args, kwargs), 0, None, None)

    def submit_program(
        self, source: str | bytes, inputs: Mapping[str, Any] | None = None, *, filename: str = "<guest>", check: bool = False,
        limits: Limits | None = DEFAULT, priority: int = 0, when_full: str | None = None, timeout: float | None = None
    ) -> Job:
        """Takes a guest program.

        Args:
            source, inputs, filename, check, limits: see ``Runtime.run``.
            priority: higher ones go first.
            when_full: when it is not what the pool says.
            timeout: seconds to wait for room in the queue; None for ever.

        Returns:
            A future with the ``Result``. To cancel it stops the program.

        Raises:
            PoolFull, RuntimeError: see ``submit``.
            TypeError, ValueError: see ``Runtime.run``.
        """
        return self._take(self._program(source, inputs, filename, check, limits), priority, when_full, timeout)

    def at(self, *, priority: int = 0, when_full: str | None = None, timeout: float | None = None) -> _Entrance:
        """The same pool for jobs of another priority, or with another way when the queue is full: an executor, too.

        Args:
            priority, when_full, timeout: see ``submit_program``.
        """
        _check_entry(priority, when_full)
        return _Entrance(self, priority, when_full, timeout)

    async def run(
        self, source: Any, inputs: Any = None, *args: Any, filename: str = "<guest>", check: bool = False,
        limits: Limits | None = DEFAULT, priority: int = 0, when_full: str | None = None, **kwargs: Any
    ) -> Any:
        """Runs a guest program, or calls a callable of the host, while the event loop goes on.

        The callable runs with the context variables of the caller. When the task is cancelled a job that waits is taken out, and
        a guest that runs is stopped, before the cancellation goes on.

        Args:
            source: the program, or the callable.
            inputs: of the program; or the first argument of the callable.
            args, kwargs: more arguments of a callable.
            filename, check, limits, priority, when_full: see ``submit_program``.

        Raises:
            PoolFull, RuntimeError: see ``submit``.
            Exception: what the callable raised.
        """
        if isinstance(source, (str, bytes)):
            if args or kwargs:
                raise TypeError(f"unexpected arguments for a program: {[*args, *kwargs]}")
            task: Task = self._program(source, inputs, filename, check, limits)
        else:
            given = args if inputs is None and not args else (inputs, *args)
            task = self._call(copy_context().run, (source, *given), kwargs)
        return await self._wait(Job(self._crew, task, priority), when_full)

    def map(self, fn: Any, /, *iterables: Any, timeout: float | None = None, chunksize: int = 1) -> Iterator[Any]:
        """As ``Executor.map``. For the text of a guest program the only iterable has its inputs, and the results are ``Result``.

        Args:
            timeout: seconds until all results must be there.
            chunksize: has no meaning here, as in ``ThreadPoolExecutor``.
        """
        return self._map(self.at(), fn, iterables, timeout)

    def session(self, inputs: Mapping[str, Any] | None = None, **settings: Any) -> PoolSession:
        """A session whose programs run one after the other in the pool: see ``Runtime.session`` for the arguments."""
        return PoolSession(self, self._runtime.session(inputs, **settings))

    # ---- the pool --------------------------------------------------------------------------------------------
    def resize(self, min_workers: int | None = None, max_workers: int | None = None) -> None:
        """Changes the bounds of the size. Jobs are not disturbed."""
        least = self._crew.least if min_workers is None else min_workers
        most = self._crew.most if max_workers is None else max_workers
        least, most = check_bounds(self.kind, least, most)
        if self.kind == "process":
            self._runtime._pool.most = most  # type: ignore[attr-defined]
        self._crew.resize(least, most)

    @property
    def size(self) -> int:
        """How many workers there are."""
        return len(self._crew.workers)

    @property
    def min_workers(self) -> int:
        return self._crew.least

    @property
    def max_workers(self) -> int:
        return self._crew.most

    def metrics(self) -> Metrics:
        """The figures of the pool at this moment."""
        return self._crew.figures()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False, stop_running: bool = False) -> None:
        """Takes no more jobs.

        Args:
            wait: whether to wait until the jobs that were taken have ended.
            cancel_futures: whether those that have not begun are cancelled instead.
            stop_running: whether guests that run are stopped.
        """
        self._crew.close(cancel_futures, stop_running)
        if wait:
            self._crew.wait()
            if self._owns_runtime:
                self._runtime.close()

    def __repr__(self) -> str:
        crew = self._crew
        state = "closed" if crew.closed else f"{len(crew.workers)} of {crew.least} to {crew.most} workers"
        return f"<Pool of kind {self.kind}: {state}, {crew.queue.length} jobs wait>"

    def container_changed(self, limit: int) -> None:
        """The process may have other processors from now on: the bound that was not given follows."""
        if not self._crew.closed:
            least = self._crew.least
            self.resize(least, max(least, check_bounds(self.kind, None, None)[1]))

    # ---- inside ----------------------------------------------------------------------------------------------
    def _call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Task:
        if not callable(function):
            raise TypeError(f"a job must be a callable or the text of a program, not {type(function).__name__}")
        return Call(function, args, kwargs)

    def _program(
        self, source: str | bytes, inputs: Mapping[str, Any] | None, filename: str, check: bool, limits: Limits | None
    ) -> Task:
        kind: Any = ProcessRun if self.kind == "process" else GuestRun
        made: Task = kind(self._runtime, source, inputs, filename, check, limits)
        return made

    def _take(self, task: Task, priority: int, when_full: str | None, timeout: float | None) -> Job:
        _check_entry(priority, when_full)
        job = Job(self._crew, task, priority)
        self._crew.submit(job, when_full, timeout)
        return job

    async def _wait(self, job: Job, when_full: str | None) -> Any:
        """Submits a job without keeping the loop, and waits for its result."""
        import asyncio  # who waits has it already; a pool of threads alone does without

        _check_entry(job.priority, when_full)
        crew = self._crew
        loop = asyncio.get_running_loop()
        way = when_full or crew.when_full
        while True:
            try:
                crew.submit(job, "reject" if way == "block" else way)
                break
            except PoolFull:
                if way != "block":
                    raise
            crew.metrics.rejected -= 1
            room = loop.create_future()
            crew.ask_for_room(room, lambda room=room: loop.call_soon_threadsafe(_settle, room))  # type: ignore[misc]
            try:
                await room
            except asyncio.CancelledError:
                crew.ask_no_more(room)
                raise
        return await _result_of(job)

    def _map(self, entrance: _Entrance, fn: Any, iterables: tuple[Any, ...], timeout: float | None) -> Iterator[Any]:
        end = None if timeout is None else monotonic() + timeout
        if isinstance(fn, (str, bytes)):
            if len(iterables) != 1:
                raise TypeError("map of a program takes one iterable, of its inputs")
            jobs = deque(entrance.submit(fn, inputs) for inputs in iterables[0])
        else:
            jobs = deque(entrance.submit(fn, *args) for args in zip(*iterables))

        def results() -> Iterator[Any]:
            try:
                while jobs:
                    left = None if end is None else end - monotonic()
                    if left is not None and left <= 0 and not jobs[0].done():
                        raise WaitTimeout
                    yield jobs.popleft().result(left)
            finally:
                for job in jobs:
                    job.cancel()

        return results()


class _Entrance(Executor):
    """A pool with other settings for its jobs: made by ``Pool.at``."""

    def __init__(self, pool: Pool, priority: int, when_full: str | None, timeout: float | None) -> None:
        self._pool = pool
        self._settings: dict[str, Any] = {"priority": priority, "when_full": when_full}
        self._timeout = timeout

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Job:
        """See ``Pool.submit``."""
        pool = self._pool
        if isinstance(fn, (str, bytes)):
            return pool.submit_program(fn, *args, **{**self._settings, "timeout": self._timeout, **kwargs})
        return pool._take(pool._call(fn, args, kwargs), timeout=self._timeout, **self._settings)

    async def run(self, source: Any, inputs: Any = None, *args: Any, **kwargs: Any) -> Any:
        """See ``Pool.run``."""
        return await self._pool.run(source, inputs, *args, **{**self._settings, **kwargs})

    def map(self, fn: Any, /, *iterables: Any, timeout: float | None = None, chunksize: int = 1) -> Iterator[Any]:
        """See ``Pool.map``."""
        return self._pool._map(self, fn, iterables, timeout)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """See ``Pool.shutdown``."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


class PoolSession:
    """A session whose programs run in a pool, one after the other, in the order in which they were submitted.

    With kind "process" it has a worker process of its own, as long as it lives. Made by ``Pool.session``.
    """

    def __init__(self, pool: Pool, session: Any) -> None:
        self.session = session
        self._pool = pool
        self._lock = Lock()
        self._pending: deque[Job] = deque()
        self._current: Job | None = None

    def submit(
        self, source: str | bytes, inputs: Mapping[str, Any] | None = None, *, priority: int = 0, **settings: Any
    ) -> Job:
        """Takes a program: it begins when those before it have ended. See ``Session.run`` for the arguments.

        Raises:
            PoolFull: as many wait for the session as the pool's queue would take; or see ``Pool.submit``.
        """
        job = self._made(source, inputs, priority, settings)
        with self._lock:
            if self._current is not None:
                self._append(job)
                return job
            self._current = job
        self._begin(job, None)
        return job

    async def run(
        self, source: str | bytes, inputs: Mapping[str, Any] | None = None, *, priority: int = 0, **settings: Any
    ) -> Result:
        """Runs a program while the event loop goes on: otherwise as ``submit``; a cancelled task as in ``Pool.run``."""
        job = self._made(source, inputs, priority, settings)
        with self._lock:
            if self._current is not None:
                self._append(job)
            else:
                self._current = job
            begins = self._current is job
        if begins:
            self._begin(job, "reject")
        result: Result = await _result_of(job)
        return result

    def close(self) -> None:
        """Cancels what waits, stops what runs, and closes the session."""
        with self._lock:
            waiting, self._pending = list(self._pending), deque()
        for job in waiting:
            job.cancel()
        self.session.cancel()
        with self._lock:
            current = self._current
        if current is not None:
            current.cancel()
            wait([current])
        self.session.close()

    def __enter__(self) -> PoolSession:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _made(
        self, source: str | bytes, inputs: Mapping[str, Any] | None, priority: int, settings: dict[str, Any]
    ) -> Job:
        _check_entry(priority, None)
        job = Job(self._pool._crew, Cell(self.session, source, inputs, settings), priority)
        job.add_done_callback(self._next)
        return job

    def _append(self, job: Job) -> None:
        capacity = self._pool._crew.capacity
        if capacity is not None and len(self._pending) >= capacity:
            raise PoolFull(f"{len(self._pending):,} programs wait for the session already (queue={capacity})")
        self._pending.append(job)

    def _begin(self, job: Job, when_full: str | None) -> None:
        try:
            self._pool._crew.submit(job, when_full)
        except BaseException:
            self._next(job)
            raise

    def _next(self, job: Any) -> None:
        """A program has ended, or will never begin."""
        crew = self._pool._crew
        while True:
            with self._lock:
                if job is not self._current:
                    if job in self._pending:
                        self._pending.remove(job)       # it was cancelled before its turn
                    return
                self._current = job = following = self._pending.popleft() if self._pending else None
                if following is None:
                    return
            try:
                crew.submit(following, forced=True)
                return
            except RuntimeError as error:
                crew.fail(following, error)


async def _result_of(job: Job) -> Any:
    """What a job gives. When the task is cancelled the job is, and is over before the cancellation goes on."""
    import asyncio

    future = asyncio.wrap_future(job)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        if not job.cancelled():
            job.cancel()
            await outlast(future)
        raise


def _settle(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _check_entry(priority: Any, when_full: Any) -> None:
    if isinstance(priority, bool) or not isinstance(priority, int):
        raise TypeError(f"priority must be an int, not {type(priority).__name__}")
    if when_full is not None and when_full not in POLICIES:
        raise ValueError(f"when_full must be one of {', '.join(map(repr, POLICIES))}, not {when_full!r}")


def check_bounds(kind: str, least: Any, most: Any) -> tuple[int, int]:
    """The bounds of a size, where None stands for what fits the processors. Raises TypeError, ValueError."""
    for name, value in (("min_workers", least), ("max_workers", most)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise TypeError(f"{name} must be an int or None, not {type(value).__name__}")
    if least is not None and least < 0:
        raise ValueError(f"min_workers must not be negative, and is {least}")
    if most is not None and most < max(least or 0, 1):
        raise ValueError(f"max_workers must be at least 1 and not below min_workers, and is {most}")
    if most is None:
        count = processors()
        most = max(least or 0, 2 * count if kind == "process" else max(32, 8 * count))
    if least is None:
        least = min(most, 1 if kind == "process" else 0)
    return least, most


def _runnable(settings: Settings) -> Callable[[], int]:
    return processors if settings.runnable is None else lambda: settings.runnable or 1


def _trimmer(runtime: Any) -> Callable[[int], None]:
    pool = runtime._pool
    return lambda workers: pool.trim(workers)


def placement(cpus: Iterable[int] | None, numa_node: int | None, spread: bool) -> Callable[[int], None] | None:
    """What binds a worker's thread to its processors: see ``kimi_runtime.processors``."""
    if cpus is None and numa_node is None and not spread:
        return None
    from ..processors import binder

    return binder(cpus, numa_node, spread)
