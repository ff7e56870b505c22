"""The public way to run guest code: ``run`` and ``Runtime``."""
from __future__ import annotations

from contextlib import nullcontext
from functools import partial

from . import checked, engine
from .async_runs import begin_in_turn, wait_in_thread
from .bridge.functions import calls_async_functions, is_coroutine_function
from .limits import DEFAULT, NONE, Limits
from .objects.context import RunContext
from .objects.module_sources import find_sources
from .objects.streams import check_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from os import PathLike
    from types import ModuleType
    from typing import IO, Any

    from .cache.parse_cache import ParseCache
    from .checking import Finding
    from .describing import Description
    from .events import Event
    from .files.mounts import Mount
    from .jit import JIT
    from .policies import Policy
    from .profiling.profile import Profile
    from .result import Result
    from .session import Session

__all__ = ["Runtime", "run"]

session_class: type[Session] | None = None      # loaded when the first session is made


def load_session() -> type[Session]:
    """The class of sessions."""
    global session_class
    from .session import Session

    session_class = Session
    return Session


class Runtime:
    """Runs guest programs, each in a fresh namespace. May be used by several threads at a time.

    Args:
        modules_source: the guests' own modules, which ``import`` compiles and runs as guest code: source text by name
            (``pkg.mod`` or ``pkg/mod.py``), or the path of a folder with their files.
        modules: names of the library modules that guests may import, a package's name for all that is in it; None for
            all of ``kimi_runtime.modules.SAFE``.
        host_modules: modules of the host by name that guests may import. They are trusted: a guest that holds one can
            call everything in it.
        stdout, stderr: objects with a ``write`` method that get what the guests print while they run; without them the
            text is collected in the ``Result``.
        on_stdout, on_stderr: functions that get what the guests print while they run, as text: at the end of a line, when the
            guest flushes, before code of the host is called, and at the end of the run. What they raise ends the run and is
            raised by ``run``. What they get is not in the ``Result``.
        functions: callables of the host that guests find beside the builtin functions, by name; see ``host_function``.
        policy: what the guests see of clocks, randomness and environment, see ``Policy``; None for the host's clocks and
            randomness and an empty environment.
        argv: ``sys.argv`` of the guests.
        limits: what each run may use, by default ``Limits()``; None for no limits at all.
        stdin: what ``input()`` and ``sys.stdin`` of the guests read: a text that each run reads from its beginning, a
            function that returns the next line and None at the end, or an object with a ``readline`` method. Without it
            the input is empty.
        cache: where compiled programs are kept; None for one that all runtimes of the process share.
        files: the guests' files: contents by path, as bytes, str (in UTF-8), a path of the host (``os.PathLike``), or a function
            that returns bytes or str when a guest first needs them. Guests may change them and make others, in memory; nothing
            of the host changes. {} for no files at the beginning; None for guests that can have none.
        mounts: folders of the host that guests find among their files, each a ``Mount``.
        jit: the hot tier, which compiles loops and functions that run often: a ``JIT`` with its settings, or None for the
            interpreter alone.
        park_after: seconds; a guest of ``run_async`` that waits for the host so long, and for nothing else, is kept as bytes
            until it goes on: about 1 KB in the place of 100. See docs/embedding.md. None: guests stay as they are.
        session_idle_seconds: a session is closed so long after the end of its last run; None: sessions stay until they are
            closed. One that runs or is suspended is not idle.
        displays: guests find the function ``display``, and results have what they show: ``Result.displays``, ``Result.bundle``.
        allocator: where the memory of runs without a limit of memory comes from, one of ``kimi_runtime.allocator.NAMES``; None
            for what the process uses. Only "guest" counts what a run holds, and can be used with a limit.
        isolation: "inline", or "process" for guests that run in worker processes without files, network and other processes:
            see docs/security.md. The arguments that follow are for that.
        workers: how many guests run at a time.
        fresh: a new process for each run.
        require: names of layers of the isolation that the kernel must not refuse; ``kimi-cli doctor`` lists them.

    Raises:
        TypeError: an argument is of another type.
        ValueError: modules has a name that the library does not have; an argument has no such value.
        NotADirectoryError: modules_source is a path, but not of a folder.
        IsolationError: a required layer is missing, or worker processes cannot be made.
        NotImplementedError: isolation is "process", and the system is not Linux.
    """

    __slots__ = ("_modules_source", "_modules", "_host_modules", "_stdout", "_stderr", "_argv", "_stdin", "_limits",
                 "_cache", "_functions", "_callbacks", "_policy", "_files", "_displays", "_runner", "_plain", "_profile",
                 "_jit", "_hot", "_park_after", "_culler")

    def __new__(cls, *, isolation: str = "inline", allocator: str | None = None, **settings: Any) -> Runtime:
        if allocator is not None and cls is Runtime:
            if isolation == "process":
                raise ValueError("allocator cannot be used with isolation='process': workers have the heaps of guests")
            from .allocated import AllocatedRuntime

            cls = AllocatedRuntime
        if isolation == "process" and cls is Runtime:
            from .isolation.process_runtime import ProcessRuntime

            cls = ProcessRuntime
        return object.__new__(cls)

    def __init__(
        self,
        *,
        modules_source: Mapping[str, str] | str | PathLike[str] | None = None,
        modules: Iterable[str] | None = None,
        host_modules: Mapping[str, ModuleType] | None = None,
        stdout: IO[str] | None = None,
        stderr: IO[str] | None = None,
        argv: Sequence[str] = ("",),
        stdin: str | Callable[[], str | None] | IO[str] | None = None,
        limits: Limits | None = DEFAULT,
        cache: ParseCache | None = None,
        functions: Mapping[str, Callable[..., Any]] | None = None,
        policy: Policy | None = None,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
        files: Mapping[str, Any] | None = None,
        mounts: Iterable[Mount] | None = None,
        displays: bool = False,
        jit: JIT | None = None,
        park_after: float | None = None,
        session_idle_seconds: float | None = None,
        allocator: str | None = None,
        isolation: str = "inline",
        workers: int | None = None,
        fresh: bool = False,
        require: Iterable[str] = (),
    ) -> None:
        if isolation not in ("inline", "process"):
            raise ValueError(f"isolation must be 'inline' or 'process', not {isolation!r}")
        if isolation == "inline" and (workers is not None or fresh or require):
            raise TypeError("workers, fresh and require are for isolation='process'")
        self._modules_source = None if modules_source is None else find_sources(modules_source)
        self._modules = None if modules is None else checked.library_modules(modules)
        self._host_modules = checked.host_modules(host_modules)
        self._stdout = checked.output("stdout", stdout)
        self._stderr = checked.output("stderr", stderr)
        self._callbacks = checked.callbacks(on_stdout, on_stderr, stdout, stderr)
        self._argv = checked.texts("argv", argv)
        check_source(stdin)
        self._stdin = stdin
        self._limits = checked.limits(limits)
        self._cache = checked.cache(cache)
        self._functions = checked.functions(functions)
        self._files = None if files is None and mounts is None else checked.files(files, None, mounts)
        self._policy = checked.policy(policy)
        self._displays = bool(displays)
        self._park_after = checked.seconds("park_after", park_after)
        self._jit = checked.jit(jit)
        self._hot = None if jit is None else jit.policy()
        self._runner = engine.Runner()
        self._profile: Profile | None = None
        self._culler = None
        if checked.seconds("session_idle_seconds", session_idle_seconds) is not None:
            from .idling import Culler

            self._culler = Culler(float(session_idle_seconds or 0))
        # A session may make its context later: its clock does not begin with it.
        self._plain = self._policy is None and self._culler is None

    def run(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str = "<guest>",
        check: bool = False,
        limits: Limits | None = DEFAULT,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
        files: Mapping[str, Any] | None = None,
        mounts: Iterable[Mount] | None = None,
    ) -> Result:
        """Runs a program.

        Args:
            source: the program's text; bytes are decoded by the encoding line, or as UTF-8.
            inputs: names and values that the program finds as globals.
            filename: the name that tracebacks show.
            check: raise when the program fails.
            limits: what this run may use, when it is not what the runtime says; None for no limits at all.
            on_stdout, on_stderr: functions that get what it prints, when it is not what the runtime says.
            files, mounts: files and folders that it finds beside those of the runtime, or in their place.

        Returns:
            The result; ``Result.value`` is the value of the last statement when that is an expression.

        Raises:
            GuestException: the program failed and ``check`` is true; ``LimitExceeded`` when it was stopped.
            KeyboardInterrupt: the host was interrupted while the program ran.
            ValueError: a name in inputs is not one that a program could use.
            TypeError: an argument is of another type.
            Exception: what a function of the host for output, or a stream, has raised.
        """
        given = self._limits if limits is DEFAULT else checked.limits(limits)
        if type(source) is not str or type(filename) is not str or inputs is not None:
            checked.program(source, filename, inputs)
        elif on_stdout is None and on_stderr is None and files is None and mounts is None:
            result = self._runner.run_known(self, source, filename, given)
            if result is not None:
                if check:
                    result.unwrap()
                return result
        context = self._new_context(given, on_stdout, on_stderr)
        if files is not None or mounts is not None:
            context.files = checked.files(files, self._files, mounts)
        return engine.perform(context, self._cache, source, filename, given, check, engine.execute, None, inputs)

    async def run_async(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str = "<guest>",
        check: bool = False,
        limits: Limits | None = DEFAULT,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
        files: Mapping[str, Any] | None = None,
        mounts: Iterable[Mount] | None = None,
    ) -> Result:
        """Runs a program in a thread, while the event loop goes on: otherwise as ``run``.

        Async functions of the host are awaited in the loop; while the guest waits for them, or for a timer, no thread waits
        with it.
        When the task that awaits it is cancelled the guest is stopped, as by a limit, before the cancellation goes on.

        Raises:
            asyncio.CancelledError: the task was cancelled; no code of the guest runs any more.
        """
        checked.program(source, filename, inputs)
        if self._has_async_functions(inputs):
            session = await begin_in_turn(lambda: self.session(
                inputs, limits=limits, on_stdout=on_stdout, on_stderr=on_stderr, files=files, mounts=mounts))
            try:
                parking = None if self._park_after is None else (
                    self._park_after, partial(self._context_of, session, on_stdout, on_stderr))
                return await session._perform_async(session._begin(source, None, filename, DEFAULT), source, check, parking)
            finally:
                await wait_in_thread(session.cancel, session.close)
        given = self._limits if limits is DEFAULT else checked.limits(limits)
        meter = self._new_meter(given)
        context = self._new_context(given, on_stdout, on_stderr)
        context.may_await = True
        if files is not None or mounts is not None:
            context.files = checked.files(files, self._files, mounts)
        return await wait_in_thread(meter.cancel, engine.perform, context, self._cache, source, filename, given, check,
                                    engine.execute, meter, inputs)

    async def events(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str = "<guest>",
        limits: Limits | None = DEFAULT,
        files: Mapping[str, Any] | None = None,
        mounts: Iterable[Mount] | None = None,
    ) -> AsyncIterator[Event]:
        """Runs a program as ``run_async`` does, and gives what it tells while it runs: see ``Session.events``.

        Args:
            source, inputs, filename, limits, files, mounts: as for ``run``.
        """
        session = self.session(inputs, limits=limits, files=files, mounts=mounts)
        try:
            async for event in session.events(source, filename=filename):
                yield event
        finally:
            await wait_in_thread(session.cancel, session.close)

    def session(
        self,
        inputs: Mapping[str, Any] | None = None,
        *,
        limits: Limits | None = DEFAULT,
        total: Limits | None = None,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
        files: Mapping[str, Any] | None = None,
        mounts: Iterable[Mount] | None = None,
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> Session:
        """A guest that keeps its names from run to run: see ``Session``.

        Args:
            inputs: names and values that it begins with.
            limits: what each run may use, when it is not what the runtime says.
            total: what all its runs may use together: ``seconds``, ``instructions``, ``output`` and ``host_calls`` of it
                count.
            on_stdout, on_stderr: functions that get what its runs print, when it is not what the runtime says.
            files, mounts: files and folders that it finds beside those of the runtime, or in their place.
            functions: callables of the host for this session, beside those of the runtime or in their place.

        Raises:
            ValueError: a name in inputs is not one that a program could use.
            TypeError: an argument is of another type.
        """
        made = session_class or load_session()
        if limits is DEFAULT and inputs is None and total is None and on_stdout is None and on_stderr is None and files is None \
                and mounts is None and functions is None and self._plain:
            return engine.open_session(made, self)
        given = self._limits if limits is DEFAULT else checked.limits(limits)
        context = self._new_context(given, on_stdout, on_stderr)
        if files is not None or mounts is not None:
            context.files = checked.files(files, self._files, mounts)
        if functions is not None:
            context.functions = {**(self._functions or {}), **(checked.functions(functions) or {})} or None
        return self._watched(made(context, self._cache, inputs, given, None if total is None else checked.limits(total)))

    def _watched(self, session: Session) -> Session:
        """The session; it is closed when it is idle for too long."""
        if self._culler is not None:
            self._culler.add(session)
        return session

    def check(
        self,
        source: str | bytes,
        inputs: Iterable[str] | Mapping[str, Any] = (),
        *,
        filename: str = "<guest>",
        types: bool = False,
        type_timeout: float = 30.0,
    ) -> list[Finding]:
        """Says what is wrong with a program that this runtime would run, without running it: see ``kimi_runtime.check``."""
        from .checking import check_in

        return check_in(self._new_context(NONE), inputs, self._functions, source, filename, types, type_timeout)

    def describe(self) -> Description:
        """What guests of this runtime may use: as data, and by ``str()`` as text for the prompt of a language model.

            >>> import kimi_runtime as kr
            >>> def price(item: str, currency: str = "EUR") -> float:
            ...     \"\"\"What an item costs.\"\"\"
            >>> rt = kr.Runtime(functions={"price": price}, modules={"json", "math"}, limits=kr.Limits(seconds=2))
            >>> found = rt.describe()
            >>> found.modules, found.functions[0].signature, found.limits["seconds"]
            (['json', 'math'], "(item: 'str', currency: 'str' = 'EUR') -> 'float'", 2)
            >>> "What an item costs." in str(found)
            True
        """
        from .describing import Description

        own = [*(self._modules_source or ()), *(self._host_modules or ())]
        return Description(self._functions or {}, self._modules, own, self._limits, self._files)

    def profile(self, interval: float = 0.005, *, memory: bool = False, counts: bool = True) -> Profile:
        """Records where the time goes of all runs that begin in the block of a ``with`` statement, and of the sessions that are
        made in it. The results of these runs have a ``profile`` of their own. See docs/profiling.md.

            >>> import kimi_runtime as kr
            >>> rt = kr.Runtime()
            >>> with rt.profile(interval=0.001) as p:
            ...     rt.run("for i in range(300_000): x = i").ok
            True
            >>> p.hottest_line()
            1

        Args:
            interval: seconds between samples.
            memory: also where memory is allocated.
            counts: also about how often lines and functions are executed.

        Raises:
            TypeError, ValueError: the interval is none.
            RuntimeError: the runtime is profiled already; or, when the block begins, this build of the package cannot.
        """
        from .profiling.profile import new_profile

        return new_profile(self, interval, memory, counts)

    def _begin_profile(self, profile: Profile) -> None:
        if self._profile is not None:
            raise RuntimeError("the runtime is profiled already")
        self._profile = profile
        profile._use_cache(engine.default_cache() if self._cache is None else self._cache)
        self._runner = engine.Runner()          # without contexts that nobody observes

    def _end_profile(self, profile: Profile) -> None:
        self._profile = None
        self._runner = engine.Runner()

    def metrics(self) -> str:
        """Figures for monitoring in Prometheus' text format: runs and their outcomes, times, instructions, calls of the host,
        cache and memory. Runs count from the first call on.

        Raises:
            ImportError: prometheus-client is missing (pip install 'kimi-runtime[metrics]').
        """
        from .profiling.metrics import begin

        return begin(self).text()

    def export_spans(self, tracer: Any = None) -> None:
        """From now on each run is a span of OpenTelemetry, with its stages and its calls of the host as spans in it.

        Args:
            tracer: of OpenTelemetry; None for the one that the process has set up.

        Raises:
            ImportError: opentelemetry-api is missing (pip install 'kimi-runtime[telemetry]').
        """
        from .profiling.metrics import export_spans

        export_spans(self, tracer)

    def close(self) -> None:
        """Ends worker processes, where there are any. A runtime that is closed cannot run anything any more in them."""

    def __enter__(self) -> Runtime:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def jit_stats(self) -> dict[str, Any]:
        """What the hot tier of this runtime has compiled: numbers, bytes of machine code, milliseconds, exits by their reason.

        ``available`` is False when it is off or its back end missing. Empty without ``jit``."""
        return {} if self._jit is None else {"available": self._hot is not None, **self._jit.log.stats()}

    def _has_async_functions(self, inputs: Mapping[str, Any] | None) -> bool:
        """Whether a program could call an async function."""
        return calls_async_functions((self._functions or {}).values()) or inputs is not None and any(
            is_coroutine_function(each) for each in inputs.values() if callable(each))

    def _allocating(self) -> AbstractContextManager[None]:
        """A block in which memory for runs, where it is not of a heap of their own, comes from what the runtime says."""
        return nullcontext()

    def _new_meter(self, limits: Limits) -> Any:
        """The meter of a run. Raises ValueError for limits that the runtime cannot keep."""
        return engine.make_meter(limits)

    def _context_of(
        self, session: Session, on_stdout: Callable[[str], object] | None, on_stderr: Callable[[str], object] | None
    ) -> RunContext:
        """Another context for a session that was made with these."""
        context = self._new_context(session._limits, on_stdout, on_stderr)
        context.files = session._given
        return context

    def _new_context(
        self, limits: Limits, on_stdout: Callable[[str], object] | None = None, on_stderr: Callable[[str], object] | None = None
    ) -> RunContext:
        """The context of a new guest."""
        out, err = self._callbacks
        if on_stdout is not None or on_stderr is not None:
            checked.callbacks(on_stdout, on_stderr)
            out, err = out if on_stdout is None else on_stdout, err if on_stderr is None else on_stderr
        context = RunContext(self._stdout, self._stderr, self._argv, self._modules_source, self._host_modules, self._modules,
                             stdin=self._stdin, output_limit=limits.output, on_stdout=out, on_stderr=err)
        context.functions = self._functions
        if self._jit is not None:
            context.hot = self._hot
        context.files = self._files
        if self._displays:
            from .events import Observer

            context.displays = True
            context.observer = Observer(context)
        if self._profile is not None:
            context.profile = self._profile
            context.watch(self._profile._observe)
        if self._policy is not None:
            context.follow(self._policy)
        return context


# Runs a program in a fresh namespace, with no modules of the host's: see ``Runtime.run``.
run = Runtime().run
