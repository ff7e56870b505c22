"""What a worker does for a job: a call of the host's, a guest program in this process or in another, a cell of a session.

Each has ``perform``, which returns the result or raises; ``stop``, which ends it early where that is possible; and ``waits``,
which says for how long it has been waiting in code of the host, as far as it knows, or None.
"""
from __future__ import annotations

from typing import Any

from .. import checked, engine
from ..limits import DEFAULT, Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..isolation.process_runtime import ProcessRuntime
    from ..runtime import Runtime
    from ..session import Session

__all__ = ["Call", "Cell", "GuestRun", "ProcessRun", "Task"]


class Task:
    """What a worker does."""

    __slots__ = ()

    def perform(self) -> Any:
        """Does it."""
        raise NotImplementedError

    def stop(self) -> bool:
        """Ends it early, if it can be. May be called from any thread. Returns whether it can."""
        return False

    def waits(self) -> float | None:
        """Seconds since code of the host runs for the guest; 0.0 while the guest's own code runs, -1.0 while it does in another
        process; None: nobody knows."""
        return None


class Call(Task):
    """A callable of the host's."""

    __slots__ = ("function", "args", "kwargs")

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs

    def perform(self) -> Any:
        return self.function(*self.args, **self.kwargs)


class GuestRun(Task):
    """A program in a fresh namespace, in the worker's thread."""

    __slots__ = ("runtime", "source", "inputs", "filename", "check", "limits", "meter")

    def __init__(
        self, runtime: Runtime, source: str | bytes, inputs: Mapping[str, Any] | None, filename: str, check: bool,
        limits: Limits | None
    ) -> None:
        checked.program(source, filename, inputs)
        self.runtime = runtime
        self.source = source
        self.inputs = inputs
        self.filename = filename
        self.check = check
        self.limits = runtime._limits if limits is DEFAULT else checked.limits(limits)
        self.meter = runtime._new_meter(self.limits)

    def perform(self) -> Any:
        runtime, limits = self.runtime, self.limits
        with runtime._allocating():
            return engine.perform(runtime._new_context(limits), runtime._cache, self.source, self.filename, limits, self.check,
                                  engine.execute, self.meter, self.inputs)

    def stop(self) -> bool:
        self.meter.cancel()
        return True

    def waits(self) -> float | None:
        seconds: float = self.meter.host_code_seconds
        return seconds


class ProcessRun(Task):
    """A program in a worker process, whose calls of the host the worker's thread answers."""

    __slots__ = ("runtime", "run", "message", "is_long", "check")

    def __init__(
        self, runtime: ProcessRuntime, source: str | bytes, inputs: Mapping[str, Any] | None, filename: str, check: bool,
        limits: Limits | None
    ) -> None:
        from ..isolation.protocol import LONG_SOURCE

        self.runtime = runtime
        self.run, self.message = runtime._prepared(source, inputs, filename, limits, runtime._output(None, None))
        self.is_long = len(source) > LONG_SOURCE
        self.check = check

    def perform(self) -> Any:
        from ..isolation.runs import checked_result, failed_result

        if self.message is None:
            return checked_result(failed_result(engine.refused("source_size", self.run.limits)), self.check)
        return self.runtime._perform(self.run, self.message, self.is_long, self.check)

    def stop(self) -> bool:
        self.run.cancel()
        return True

    def waits(self) -> float | None:
        return 1.0 if self.run.in_host_code else -1.0


class Cell(Task):
    """A program in the namespace of a session."""

    __slots__ = ("session", "source", "inputs", "settings")

    def __init__(self, session: Session, source: str | bytes, inputs: Mapping[str, Any] | None, settings: dict[str, Any]) -> None:
        checked.program(source, "", inputs)
        self.session = session
        self.source = source
        self.inputs = inputs
        self.settings = settings

    def perform(self) -> Any:
        return self.session.run(self.source, self.inputs, **self.settings)

    def stop(self) -> bool:
        return self.session.cancel()

    def waits(self) -> float | None:
        current = getattr(self.session, "_current", None)
        if current is not None:
            return 1.0 if current.in_host_code else -1.0
        meter = getattr(self.session, "_meter", None)
        return None if meter is None else meter.host_code_seconds
