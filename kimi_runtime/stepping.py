"""Runs that stop at calls of the host and go on later: ``Suspended`` and ``Done``, what ``Session.start`` returns.

What the frames of such a run are is in ``vm/suspending.pxi``.
"""
from __future__ import annotations

from _thread import allocate_lock
from time import perf_counter

from . import _core, checked, engine
from .aio.core import forget_running, pending_future, resumed_here, wait_for_host
from .bridge.functions import HostFunction, finish_aside, make_suspending, prepare_aside
from .errors import SessionError
from .result import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from .session import Session

__all__ = ["Done", "PendingCall", "Suspended"]

START, VALUE, THROW = 0, 1, 2


class PendingCall:
    """A call of a function of the host that a suspended program waits for.

    Attributes:
        id: its number in the run, from 1.
        name: the function.
        args: its positional arguments, converted as for any function of the host.
        kwargs: its keyword arguments.
    """

    __slots__ = ("id", "name", "args", "kwargs")

    def __init__(self, id: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.id = id
        self.name = name
        self.args = args
        self.kwargs = kwargs

    def __repr__(self) -> str:
        given = [repr(each) for each in self.args] + [f"{key}={value!r}" for key, value in self.kwargs.items()]
        return f"<{self.id}: {self.name}({', '.join(given)})>"


class Done:
    """A run that has ended.

    Attributes:
        result: what ``Session.run`` would have returned.
    """

    __slots__ = ("result",)
    __match_args__ = ("result",)

    def __init__(self, result: Result) -> None:
        self.result = result

    @property
    def value(self) -> Any:
        """The value of the program."""
        return self.result.value

    @property
    def ok(self) -> bool:
        """Whether it ended without an exception."""
        return self.result.ok

    def __repr__(self) -> str:
        return f"Done({self.result!r})"


class Run:
    """What the steps of one run share."""

    __slots__ = ("session", "suspension", "limits", "meter", "filename", "source", "figures", "times", "waits_for", "code")

    def __init__(self, session: Session, limits: Any, meter: Any, filename: str, source: str | bytes) -> None:
        self.session = session
        self.limits = limits
        self.meter = meter
        self.filename = filename
        self.source = source
        self.suspension: Any = None
        self.figures: list[Any] = [0, 0, False, 0]
        self.times: list[Any] = [0.0, 0.0, 0.0, False]
        self.waits_for: tuple[PendingCall, ...] = ()
        self.code: Any = None   # of the program, where it was compiled here

    def close(self) -> None:
        """Lets go of the frames."""
        suspension = self.suspension
        if suspension is not None and suspension.suspended:
            suspension.drop()
            forget_running(self.session._context)


class Suspended:
    """A run that waits for the host at calls of its functions. It goes on with ``resume`` or ``throw``, once.

    While it waits no time counts for its limits, and its session runs nothing else. It can be continued in any thread. One that
    nobody refers to any more is closed.

    Attributes:
        name: the function that was called; the first one when the program waits for several.
        args: its positional arguments.
        kwargs: its keyword arguments.
        pending: all calls that the program waits for; more than one only when it awaits them.

        >>> import kimi_runtime as kr
        >>> with kr.Runtime().session() as s:
        ...     step = s.start("40 + ask('how many?')", suspend_on={"ask"})
        ...     step.name, step.args
        ...     step.resume(2).value
        ('ask', ('how many?',))
        42
    """

    __slots__ = ("_run", "_lock", "_used", "pending", "__weakref__")
    __match_args__ = ("name", "args", "kwargs")

    pending: tuple[PendingCall, ...]

    def __init__(self, run: Run, pending: tuple[PendingCall, ...]) -> None:
        self._run = run
        self._lock = allocate_lock()
        self._used = ""
        self.pending = pending

    @property
    def name(self) -> str:
        return self.pending[0].name

    @property
    def args(self) -> tuple[Any, ...]:
        return self.pending[0].args

    @property
    def kwargs(self) -> dict[str, Any]:
        return self.pending[0].kwargs

    @property
    def stdout(self) -> str:
        """What the run has written to its standard output so far, unless the runtime sends it elsewhere."""
        return "".join(_texts(self._run.session._context.stdout_parts))

    @property
    def stderr(self) -> str:
        """What the run has written to its standard error so far."""
        return "".join(_texts(self._run.session._context.stderr_parts))

    @property
    def session(self) -> Session:
        """The session whose run it is."""
        return self._run.session

    def resume(self, value: Any = None, *, id: int | None = None) -> Suspended | Done:
        """Goes on: the call returns the value.

        Args:
            value: what the function returns, converted as for any function of the host.
            id: which of several pending calls; the others stay pending.

        Returns:
            Where the program stops next.

        Raises:
            SessionError: the step was used already, or was closed; the session was closed.
            ValueError: several calls are pending and id names none of them.
            KeyboardInterrupt: the host was interrupted.
        """
        return self._go_on({self._which(id): (False, value)})

    def throw(self, error: BaseException, *, id: int | None = None) -> Suspended | Done:
        """Goes on: the call raises the exception, as the guest sees exceptions of functions of the host.

        Args, returns and raises: as ``resume``; TypeError when error is no exception.
        """
        if not isinstance(error, BaseException):
            raise TypeError(f"throw() needs an exception, not {type(error).__name__}")
        return self._go_on({self._which(id): (True, error)})

    def resume_all(self, values: Mapping[int, Any]) -> Suspended | Done:
        """Goes on with the results of several pending calls at once.

        Args:
            values: the results by the numbers of the calls. Calls that it does not name stay pending.

        Returns and raises: as ``resume``.
        """
        known = {each.id for each in self.pending}
        given = dict(values)
        wrong = [each for each in given if each not in known]
        if wrong or not given:
            raise ValueError(f"no pending call has the number {wrong[0]!r}" if wrong else "resume_all() needs a result at least")
        return self._go_on({number: (False, value) for number, value in given.items()})

    def dump(self, *, key: bytes | None = None, savers: Mapping[type, Callable[[Any], Any]] | None = None) -> bytes:
        """The program as it waits here, and the state of its session, as bytes: ``load`` makes the step again in any process.
        The step stays as it is, and can go on. See docs/snapshots.md.

        Args:
            key: at least 16 bytes; the snapshot is signed with it.
            savers: for objects of the host, by their classes: functions that return what their loaders get, as plain data.

        Raises:
            SnapshotError: a value has no form outside this process; the text says where it is.
            SessionError: the step was used already, or was closed.
            ImportError: the package lz4 is missing.
        """
        from .snapshots import saving

        with self._lock:
            if self._used:
                raise SessionError(f"this step {self._used}: only one that waits can be saved")
            return saving.dump(self._run.session, self._run, key, savers)

    def close(self) -> None:
        """Ends the run where it stands: none of its handlers runs, and everything that it holds is released. The session can be
        used again. Closing a step that was used does nothing."""
        with self._lock:
            if self._used:
                return
            self._used = "was closed"
        self._run.session._leave_step(self._run)

    def _which(self, id: int | None) -> int:
        if id is None:
            if len(self.pending) > 1:
                raise ValueError(f"{len(self.pending)} calls are pending: say which by id=, or give all results to resume_all()")
            return self.pending[0].id
        if id not in [each.id for each in self.pending]:
            raise ValueError(f"no pending call has the number {id!r}")
        return id

    def _go_on(self, given: dict[int, tuple[bool, Any]]) -> Suspended | Done:
        with self._lock:
            if self._used:
                raise SessionError(f"this step {self._used}: each step can go on once, go on with what that returned")
            self._run.session._take_step(self._run)
            self._used = "has gone on already"
        return go_on(self._run, given)

    def __enter__(self) -> Suspended:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def __del__(self) -> None:
        if not self._used:
            self._used = "was closed"
            self._run.session._leave_step(self._run)

    def __repr__(self) -> str:
        state = f" ({self._used})" if self._used else ""
        return f"<Suspended: {', '.join(repr(each)[1:-1] for each in self.pending)}{state}>"


def _texts(parts: list[str | bytes]) -> Iterator[str]:
    for each in parts:
        yield each if isinstance(each, str) else each.decode("utf-8", "surrogatepass")


def check_names(which: str, names: Iterable[str]) -> tuple[str, ...]:
    """Names of functions that a program may call. TypeError, ValueError: they are none."""
    if isinstance(names, (str, bytes)):
        raise TypeError(f"{which} must be a set of names, not {type(names).__name__}")
    names = tuple(names)
    checked.names(dict.fromkeys(names))
    return names


def suspending_functions(session: Session, names: tuple[str, ...], awaited: tuple[str, ...]) -> dict[Any, Any]:
    """The functions of the host by which a program is suspended; those that are not there are put among the guest's builtins."""
    context = session._context
    functions = {} if context.functions is None else context.functions
    made = {}
    found: dict[Any, Any] = {}
    for name in (*names, *awaited):
        function = functions.get(name)
        if function is None:
            function = made[name] = make_suspending(name)
        elif type(function) is not HostFunction:
            raise TypeError(f"{name} is no function: a program cannot be suspended at it")
        found[function] = await_call if name in awaited else True
    found[wait_for_host] = ...
    if made:
        context.functions = {**functions, **made}       # the runtime's own dict is shared with other sessions
        session._builtins().update(made)
    return found


def await_call(suspension: Any, function: Any, call: Any) -> Any:
    """A call that the guest awaits: the future that it gets."""
    future = pending_future(function.__name__)
    suspension.add_pending(function, call, future)
    return future


def async_functions(session: Session) -> dict[Any, Any]:
    """The same for a run that a loop of the host drives: its async functions, among the runtime's and the names of the guest."""
    context = session._context
    found: dict[Any, Any] = {wait_for_host: ...}
    for function in (*(context.functions or {}).values(), *session._live().values()):
        if type(function) is HostFunction and function.awaited is not None:
            found[function] = True if function.suspends else await_call
    return found


def start(
    session: Session, begun: tuple[str, Any, Any], source: str | bytes, names: tuple[str, ...] | None = None,
    awaited: tuple[str, ...] = ()
) -> Suspended | Done:
    """The first step of a run; the session is taken for it. names: None when a loop of the host drives it."""
    filename, limits, meter = begun
    run = Run(session, limits, meter, filename, source)
    context = session._context
    try:
        functions = async_functions(session) if names is None else suspending_functions(session, names, awaited)
        code, error = engine.load_cell(context, session._cache, source, filename, limits, run.times)
        if error is not None:
            return finish(run, None, error)
        run.code = code
        run.suspension = _core.Suspension(code, session._namespace, functions, *engine.step_helpers())
        run.suspension.driven = names is None
    except BaseException:
        session._end_step(run)
        raise
    return step(run, START, None)


def go_on(run: Run, given: dict[int, tuple[bool, Any]]) -> Suspended | Done:
    """A later step, with what the host has given for its calls."""
    if run.suspension.function is None:
        return step(run, VALUE, given)
    (failed, value), = given.values()
    return step(run, THROW if failed else VALUE, value)


def step(run: Run, how: int, given: Any) -> Suspended | Done:
    """Lets the guest run until it waits or ends; the session is taken, and given back."""
    session = run.session
    start = perf_counter()
    context = session._context
    suspension = run.suspension
    try:
        value, error, interrupt = engine.execute_step(context, run.limits, run.meter, session._variables, suspension, how, given,
                                                      run.figures)
    except BaseException:
        suspension.drop()
        session._end_step(run)
        raise
    spent = perf_counter() - start
    run.times[2] += spent
    session._count(spent)
    if value is suspension:
        run.waits_for = pending_calls(run)
        found = Suspended(run, run.waits_for)
        session._suspend(run)
        return found
    for _, _, future in suspension.pending.values():
        future.cancel()         # nobody answers these calls any more: tasks that outlive the program are told so
    suspension.drop()
    if interrupt is not None and not run.figures[2]:
        session._end_step(run)
        engine.reraise_interrupt(interrupt)
    return finish(run, value, error)


def pending_calls(run: Run) -> tuple[PendingCall, ...]:
    suspension = run.suspension
    names = function_names(run.session._context, suspension)
    if suspension.function is None:
        return tuple(PendingCall(number, names[function], call.args, call.keywords)
                     for number, (function, call, _) in suspension.pending.items())
    call = suspension.call
    return (PendingCall(suspension.asked, names[suspension.function], call.args, call.keywords),)


def function_names(context: Any, suspension: Any) -> dict[Any, str]:
    """The functions at which a run is suspended, and the names by which the host has given them: not always their own."""
    given = context.functions or {}
    found = {}
    for function in suspension.functions:
        name = function.__name__
        if given.get(name) is not function:
            name = next((other for other, each in given.items() if each is function), name)
        found[function] = name
    return found


def finish(run: Run, value: Any, error: Any) -> Done:
    """The end of a run: its result."""
    context = run.session._context
    parse_seconds, compile_seconds, run_seconds, cached = run.times
    figures = run.figures
    has_value = error is None and (value is not None if run.code is None else run.code.returns_value())
    result = Result(value, error, context.stdout_parts, context.stderr_parts,
                    (parse_seconds, compile_seconds, run_seconds, figures[0], figures[1], bool(cached), run.meter.peak_memory,
                     has_value),
                    context.files, context.observer, run.source if run.code is None else run.code)
    result._late = context.late_output()
    run.session._end_step(run)
    return Done(result)


class Timed:
    """A result with the seconds that the host took for it."""

    __slots__ = ("value", "seconds")

    def __init__(self, value: Any, seconds: float) -> None:
        self.value = value
        self.seconds = seconds


def count_time(function: Any, given: Any) -> None:
    """Counts the time of a call for the function's own limit, which may stop the run."""
    if type(given) is Timed and function.timeout:
        _core.add_host_time(function, given.seconds, function.timeout)


def take_given(suspension: Any, failed: bool, given: Any) -> tuple[bool, Any]:
    """What the host has given, as the guest gets it; called where the guest has stopped."""
    function = suspension.function
    if function is not None:
        count_time(function, given)
        return finish_aside(function, failed, given.value if type(given) is Timed else given)  # type: ignore[no-any-return]
    resumed_here()
    for number, (raised, value) in given.items():
        function, _, future = suspension.pending.pop(number)
        count_time(function, value)
        value = value.value if type(value) is Timed else value
        raised, value = finish_aside(function, raised, value)
        if future.done():
            continue  # the guest has cancelled it meanwhile
        if raised:
            future.set_exception(value)
        else:
            future.set_result(value)
    return False, None


_core.use_host_functions(HostFunction, prepare_aside, take_given)
