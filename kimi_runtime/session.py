"""A guest that keeps its state from run to run, as the cells of a notebook do."""
from __future__ import annotations

from time import perf_counter

from . import checked, engine
from .async_runs import wait_in_thread
from .bridge.conversion import convert_inputs
from .bridge.functions import calls_async_functions
from .errors import SessionError
from .limits import DEFAULT, Limits
from .memory.heap import Heap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
    from types import TracebackType
    from typing import Any

    from .cache.parse_cache import ParseCache
    from .checking import Finding
    from .events import Event
    from .files.view import Files
    from .objects.context import RunContext
    from .profiling.profile import Profile
    from .result import Result
    from .stepping import Done, Run, Suspended

__all__ = ["Session"]

CLOSED = "the session is closed: make another one by Runtime.session()"


class Session(engine.SessionCore):
    """A guest with a namespace that lives on: made by ``Runtime.session``.

    A run that fails or is stopped leaves what was there before, and the session can go on. A session serves one run at a
    time, in any thread.

        >>> import kimi_runtime as kr
        >>> with kr.Runtime().session({"rate": 2}) as s:
        ...     s.run("def price(n): return n * rate").ok
        ...     s.run("price(21)").value
        True
        42
    """

    __slots__ = ()
    _fixed = engine.FRESH_NAMES

    def __init__(
        self, context: RunContext, cache: ParseCache | None, inputs: Mapping[str, Any] | None, limits: Limits,
        total: Limits | None
    ) -> None:
        self._context = context
        self._given = context.files
        self._cache = cache
        self._limits = limits
        self._total = total
        self._variables = engine.guest_variables()
        self._namespace = engine.new_namespace(context)
        context.cells = {}
        if inputs is not None:
            self.set(**inputs)

    # ---- running: `run` is that of ``SessionCore`` -----------------------------------------------------------
    async def run_async(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str | None = None,
        check: bool = False,
        limits: Limits | None = DEFAULT,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
    ) -> Result:
        """Runs a program in a thread, while the event loop goes on: otherwise as ``run``.

        Async functions of the host are awaited in the loop; while the guest waits for them, or for a timer, no thread waits
        with it.
        When the task that awaits it is cancelled the guest is stopped before the cancellation goes on.
        """
        return await self._perform_async(self._begin(source, inputs, filename, limits, on_stdout, on_stderr), source, check)

    def events(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str | None = None,
        limits: Limits | None = DEFAULT,
    ) -> AsyncIterator[Event]:
        """Runs a program as ``run_async`` does, and gives what it tells while it runs, in order: see ``Event``.

        The last event has the result. When nobody goes on with the iterator and it is closed, the program is stopped.

            >>> import asyncio
            >>> import kimi_runtime as kr
            >>> async def main():
            ...     with kr.Runtime(functions={"price": lambda item: 2}).session() as s:
            ...         async for event in s.events("print('one'); print(price('pear')); 5"):
            ...             print(event.kind, event.text or event.name or event.result.value)
            >>> asyncio.run(main())
            stdout one
            <BLANKLINE>
            call price
            stdout 2
            <BLANKLINE>
            result 5

        Args:
            source, inputs, filename, limits: as for ``run``.
        """
        from .events import events_of

        async def run(tell: Any, on_stdout: Any, on_stderr: Any) -> Result:
            begun = self._begin(source, inputs, filename, limits, on_stdout, on_stderr, tell)
            return await self._perform_async(begun, source, False)

        return events_of(run)

    def _perform_async(
        self, begun: tuple[str, Limits, Any], source: str | bytes, check: bool,
        parking: tuple[float, Callable[[], RunContext]] | None = None,
    ) -> Coroutine[Any, Any, Result]:
        """See ``Driver`` for the last argument."""
        if calls_async_functions((*(self._context.functions or {}).values(), *self._live().values())):
            from .driving import Driver

            return Driver(self, begun, source, parking).run(check)
        return wait_in_thread(begun[2].cancel, self._perform, begun, source, check)

    def start(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        suspend_on: Iterable[str] = (),
        await_on: Iterable[str] = (),
        filename: str | None = None,
        limits: Limits | None = DEFAULT,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
    ) -> Suspended | Done:
        """Runs a program until it calls one of the given functions, or ends. See docs/suspension.md.

        Args:
            source, inputs, filename, limits, on_stdout, on_stderr: as for ``run``.
            suspend_on: names of functions that the program calls; a call returns to the host, which gives its result later. The
                guest finds them beside the builtin functions, those that the runtime has among its functions and others.
            await_on: the same for functions that the program awaits: all calls that it waits for are returned at once.

        Returns:
            ``Suspended`` where the program waits for the host; ``Done`` with its result when it has ended.

        Raises:
            SessionError: the session is closed, runs another program at this moment, or is suspended.
            KeyboardInterrupt, ValueError, TypeError: see ``Runtime.run``.
        """
        from . import stepping

        names = stepping.check_names("suspend_on", suspend_on)
        awaited = stepping.check_names("await_on", await_on)
        begun = self._begin(source, inputs, filename, limits, on_stdout, on_stderr)
        return stepping.start(self, begun, source, names, awaited)

    def cancel(self) -> bool:
        """Stops the program that runs at this moment, if there is one. May be called from any thread, at any time.

        Returns:
            Whether there was one. It ends within milliseconds; its ``Result.error.limit`` is ``"cancelled"``.
        """
        driver = self._driver
        if driver is not None:
            driver.cancel()
            return True
        meter = self._meter
        if meter is None:
            return False
        meter.cancel()
        return True

    def _begin(
        self, source: str | bytes, inputs: Mapping[str, Any] | None, filename: str | None, limits: Limits | None,
        on_stdout: Callable[[str], object] | None = None, on_stderr: Callable[[str], object] | None = None,
        tell: Callable[[Event], None] | None = None
    ) -> tuple[str, Limits, Any]:
        """Checks the arguments and takes the session for a run."""
        checked.program(source, "" if filename is None else filename, inputs)
        checked.callbacks(on_stdout, on_stderr)
        given = self._limits if limits is DEFAULT else checked.limits(limits)
        values = None if inputs is None else convert_inputs(inputs, self._context)
        self._take()
        try:
            namespace = self._live()
            if self._total is not None:
                given = given.lowered(self._total, self._used)
            if self._stopped:
                self._sweep()
            self._renew_variables()
            self._cells += 1
            if values is not None:
                namespace.update(values)
            context = self._context
            context.begin_again(given.output, on_stdout, on_stderr)
            context.number_run(self._cells, self._variables)
            observer = None
            if tell is not None or context.displays:
                from .events import Observer

                observer = Observer(context, namespace, tell)
            context.observe(observer)
            self._meter = meter = engine.make_meter(given, self._heap)
        except BaseException:
            self._give_back()
            raise
        return (f"<cell {self._cells}>" if filename is None else filename), given, meter

    def _perform(self, begun: tuple[str, Limits, Any], source: str | bytes, check: bool) -> Result:
        """The run itself; gives the session back."""
        filename, limits, meter = begun
        context = self._context
        start = perf_counter()
        try:
            result = engine.perform(context, self._cache, source, filename, limits, False, engine.execute_cell, meter,
                                    self._namespace, self._variables)
        finally:
            self._count(perf_counter() - start)
            self._finish(filename, source, meter)
        if self._total is not None:
            self._used["instructions"] += result.stats.instructions
        if check:
            result.unwrap()
        return result

    def _count(self, seconds: float) -> None:
        """A run, or a step of one, has taken so long."""
        if self._total is not None:
            self._used["seconds"] += seconds

    def _finish(self, filename: str, source: str | bytes, meter: Any) -> None:
        """The end of a run: gives the session back."""
        context = self._context
        self._note_cell(filename, source)
        self._stopped = meter.stopped is not None
        if self._stopped:
            self._forget_running()
        if self._total is not None:
            self._used["output"] += context.output_used
        self._meter = None
        self._give_back()

    def _forget_running(self) -> None:
        from .aio.core import forget_running

        forget_running(self._context)       # no code of the guest's could say that its loop does not run any more

    def profile(self, interval: float = 0.005, *, memory: bool = False, counts: bool = True) -> Profile:
        """Records where the time goes of the runs in the block of a ``with`` statement: see ``Runtime.profile``.

        Raises:
            TypeError, ValueError: the interval is none.
            RuntimeError: the session is profiled already.
        """
        from .profiling.profile import new_profile

        return new_profile(self, interval, memory, counts)

    def _begin_profile(self, profile: Profile) -> None:
        context = self._context
        if context.profile is not None:
            raise RuntimeError("the session is profiled already")
        context.profile = profile
        context.watch(profile._observe)

    def _end_profile(self, profile: Profile) -> None:
        context = self._context
        if context is not None:
            context.profile = None
            context.watch_no_more(profile._observe)

    # ---- snapshots: see `snapshots` ---------------------------------------------------------------------------
    def dump(self, *, key: bytes | None = None, savers: Mapping[type, Callable[[Any], Any]] | None = None) -> bytes:
        """The state of the session as bytes, from which ``load`` makes it again in any process. See docs/snapshots.md.

        Args:
            key: at least 16 bytes; the snapshot is signed with it.
            savers: for objects of the host, by their classes: functions that return what their loaders get, as plain data.

        Raises:
            SnapshotError: a value has no form outside this process; the text says where it is.
            SessionError: the session is closed, is suspended, or runs a program at this moment.
            ImportError: the package lz4 is missing.
        """
        from .snapshots import saving

        self._take()
        try:
            return saving.dump(self, None, key, savers)
        finally:
            self._give_back()

    def fork(self) -> Session:
        """A copy of the session: both go on from here, apart from each other. What cannot change is shared.

        Raises:
            SnapshotError: a value cannot be copied; the text says where it is.
            SessionError: the session is closed, is suspended, or runs a program at this moment.
        """
        from .snapshots import saving

        self._take()
        try:
            return saving.fork(self)
        finally:
            self._give_back()

    def restore(
        self, data: bytes, *, key: bytes | None = None, loaders: Mapping[str, Callable[[Any], Any]] | None = None
    ) -> None:
        """Puts the session into a state that ``dump`` has saved, of this session or another one; what it had is gone. Its limits
        and functions stay. Nothing of the saved program runs.

            >>> import kimi_runtime as kr
            >>> with kr.Runtime().session({"x": 1}) as s:
            ...     saved = s.dump()
            ...     s.run("x = 2; y = 3").ok
            ...     s.restore(saved)
            ...     s["x"], s.names()
            True
            (1, ['x'])

        Args:
            data: the bytes.
            key: the key that it was saved with.
            loaders: functions that make objects of the host again, see ``load``.

        Raises:
            SnapshotError: the bytes are damaged, need what the session does not have, or are those of a suspended program; the
                session is as it was then.
            SessionError: the session is closed, or runs a program at this moment; a suspended run is closed.
        """
        from .errors import SnapshotError
        from .snapshots import saving

        self._close_step()
        self._take()
        try:
            self._live()
            found = saving.load(data, Twins(self), key=key, loaders=loaders)  # type: ignore[arg-type]
            if not isinstance(found, Session):
                found.close()
                raise SnapshotError("the snapshot is of a suspended program: make it by load()")
            self._leave()
            for name in ("_context", "_namespace", "_variables", "_cells", "_heap"):
                setattr(self, name, getattr(found, name))
            self._stopped = False
            found._namespace = None
        finally:
            self._give_back()

    # ---- runs that can be suspended: see `stepping` ----------------------------------------------------------
    def _builtins(self) -> dict[str, Any]:
        return self._live()["__builtins__"]  # type: ignore[no-any-return]

    def _suspend(self, run: Run) -> None:
        """The run waits; the session serves nothing else until it goes on or is closed."""
        self._step = run
        self._meter = None
        self._give_back()

    def _take_step(self, run: Run) -> None:
        """Takes the session for the next step of its run."""
        if not self._take_idle():
            raise SessionError("the session is in use at this moment")
        if self._step is not run:
            self._give_back()
            raise SessionError("the step belongs to a run that is over: its session was closed or reset")
        self._step = None
        self._meter = run.meter

    def _end_step(self, run: Run) -> None:
        """The run has ended."""
        if self._total is not None:
            self._used["instructions"] += run.figures[0]
        self._finish(run.filename, run.source, run.meter)

    def _leave_step(self, run: Run) -> None:
        """Lets go of a run that waits. It is forgotten first: what is released may run finalizers."""
        if self._step is run:
            self._step = None
            run.close()
            if self._context is not None:       # a parked one could be put back
                self._context.cells[run.filename] = run.source

    def _sweep(self) -> None:
        """Lets go of the cycles that a stopped run has left, while no code of the guest may run yet."""
        import gc

        self._stopped = False
        gc.collect()

    # ---- state -------------------------------------------------------------------------------------------
    def check(
        self, source: str | bytes, *, filename: str = "<cell>", types: bool = False, type_timeout: float = 30.0
    ) -> list[Finding]:
        """Says what is wrong with a program that would run next in the session: see ``kimi_runtime.check``.

        Raises SessionError when the session is closed.
        """
        from .checking import check_in

        self._live()
        return check_in(self._context, self.names(), self._context.functions, source, filename, types, type_timeout)

    def names(self) -> list[str]:
        """The names that the guest, or the host, has set, in the order in which they appeared."""
        return [name for name in self._live() if name not in self._fixed]

    @property
    def files(self) -> Files:
        """The guest's files: absolute path -> contents. Raises SessionError when the session is closed."""
        from .files.view import Files

        return Files(self._file_system)

    def _file_system(self) -> Any:
        self._live()
        return engine.file_system(self._context)

    def __getitem__(self, name: str) -> Any:
        """The value of a name of the guest. Raises KeyError when it has none."""
        namespace = self._live()
        if name in self._fixed or name not in namespace:
            raise KeyError(name)
        return engine.value_for_host(namespace[name], self._context, self._limits)

    def __contains__(self, name: object) -> bool:
        """Whether the guest has such a name."""
        return name in self._live() and name not in self._fixed

    def set(self, **values: Any) -> None:
        """Sets names of the guest.

        Raises:
            ValueError: a name is not one that a program could use.
            SessionError: the session is closed, or runs a program at this moment.
        """
        checked.names(values)
        given = convert_inputs(values, self._context)
        self._take()
        try:
            self._live().update(given)
        finally:
            self._give_back()

    def __setitem__(self, name: str, value: Any) -> None:
        """Sets one name: see ``set``."""
        self.set(**{name: value})

    def reset(self) -> None:
        """Forgets all names and modules, so that the session is as new; what ``total`` has counted stays. A suspended run is
        closed.

        Raises:
            SessionError: the session is closed, or runs a program at this moment.
        """
        self._close_step()
        self._take()
        try:
            self._live()
            self._leave()
            self._context = self._context.renewed(self._limits.output)
            self._context.cells = {}
            self._context.files = self._given
            self._variables = engine.guest_variables()
            self._namespace = engine.new_namespace(self._context)
            self._cells = 0
        finally:
            self._give_back()

    def close(self) -> None:
        """Runs what the guest registered with `atexit`, within the limits of a run, and lets go of everything.

        A suspended run is closed. Closing a session that is closed does nothing. Raises SessionError when it runs a program at
        this moment.
        """
        self._close_step()
        self._take()
        try:
            self._close()
        finally:
            self._give_back()

    def _close(self) -> None:
        if self._is_new:
            self._namespace = None
        elif self._namespace is not None:
            self._leave()

    def _closed(self) -> bool:
        return not self._is_new and self._namespace is None

    def _close_idle(self) -> None:
        """Closes the session, which is taken, because nothing has run in it for ``_idle_seconds``."""
        self._close()
        self._ended_idle = True

    def _leave(self) -> None:
        """The end of the guest: its exit functions and finalizers run, unless its last run was stopped."""
        context = self._context
        if self._stopped:
            context.stop()
        else:
            limits = self._limits if self._total is None else self._limits.lowered(self._total, self._used)
            context.begin_again(limits.output)
            engine.execute_end(context, limits, engine.make_meter(limits, self._heap), self._live(), self._variables)
        self._namespace = None
        context.modules.clear()
        context.cells = None
        context.files = None
        self._heap = Heap()

    def __enter__(self) -> Session:
        self._live()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _take(self) -> None:
        """Makes sure that nobody else uses the session until the lock is released."""
        if not self._take_idle():
            raise SessionError("the session runs a program at this moment; a session serves one run at a time: "
                               "wait for it, stop it by cancel(), or use a session for each thread")
        if self._step is not None:
            self._give_back()
            names = " and ".join(sorted({f"{each.name}()" for each in self._step.waits_for}))
            raise SessionError(f"the session is suspended: its last run waits for {names}; resume that step, or close it")

    def _close_step(self) -> None:
        if self._step is not None:
            self._leave_step(self._step)

    def _live(self) -> dict[str, Any]:
        """The namespace. Raises SessionError when the session is closed."""
        if self._namespace is None:
            raise SessionError(self._idle_text() if self._ended_idle else CLOSED)
        return self._namespace

    def _idle_text(self) -> str:
        return f"the session was closed: it was idle for {self._idle_seconds:g} seconds (session_idle_seconds)"

    def __repr__(self) -> str:
        state = "closed" if self._namespace is None else f"{self._cells} runs"
        return f"<Session: {state}>"


class Twins:
    """Makes sessions like one that is there, as a ``Runtime`` does."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def session(self) -> Session:
        """A new one, without names."""
        given = self._session
        context = given._context.renewed(given._limits.output)
        context.files = given._given
        return Session(context, given._cache, None, given._limits, given._total)
