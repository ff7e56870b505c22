"""What stands around a guest while it is profiled, or its calls of the host are counted."""
from __future__ import annotations

from .. import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .profile import Profile
    from .recorder import Recorder

__all__ = ["HUGE", "ProfiledRun", "Wrapper"]

HUGE = 1 << 40      # bytes: what the process has ends earlier


class Wrapper:
    """An observer, see `events.Observer`, that leaves everything to another one, if there is one; subclasses look on.

    Args:
        inner: the observer that the run would have otherwise, or None.
    """

    def __init__(self, inner: Any = None) -> None:
        self.inner = inner

    @property
    def displays(self) -> list[dict[str, Any]]:
        return [] if self.inner is None else self.inner.displays

    @property
    def bundle(self) -> dict[str, Any]:
        return {} if self.inner is None else self.inner.bundle

    @property
    def profile(self) -> Profile | None:
        return getattr(self.inner, "profile", None)

    def enter(self, meter: Any, function: Callable[..., Any], *args: Any) -> Any:
        return (_core.call_metered if self.inner is None else self.inner.enter)(meter, function, *args)

    def called(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: int | None = None) -> None:
        if self.inner is not None:
            self.inner.called(function, args, kwargs, call)

    def returned(self, function: Any, nanoseconds: int, call: int | None = None) -> None:
        if self.inner is not None:
            self.inner.returned(function, nanoseconds, call)

    def prepare(self, namespace: dict[str, Any] | None = None) -> None:
        if self.inner is not None:
            self.inner.prepare(namespace)

    def look(self, value: Any, convert: Callable[[Any], Any]) -> None:
        if self.inner is not None:
            self.inner.look(value, convert)


class ProfiledRun(Wrapper):
    """The observer of a run that is profiled.

    Args:
        recorder: gets what is seen.
        inner: see ``Wrapper``.
    """

    def __init__(self, recorder: Recorder, inner: Any = None) -> None:
        super().__init__(inner)
        self.recorder = recorder
        self.threads: list[int] = []
        self.own: Profile | None = None

    @property
    def profile(self) -> Profile | None:
        """Of this run alone."""
        return self.own

    def enter(self, meter: Any, function: Callable[..., Any], *args: Any) -> Any:
        recorder = self.recorder
        run = super().enter
        if not recorder.running:
            return run(meter, function, *args)
        number = recorder.sampler.thread_count
        self.threads.append(number)
        if recorder.memory:     # a heap of the guest's own, which ends nothing, where its limits give it none
            return recorder.call(_core.call_metered, _core.Meter(0, 0, 0, 0, HUGE), run, meter, function, *args)
        return recorder.call(run, meter, function, *args)

    def called(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: int | None = None) -> None:
        self.recorder.host_call_begins(function)
        super().called(function, args, kwargs, call)

    def returned(self, function: Any, nanoseconds: int, call: int | None = None) -> None:
        self.recorder.host_call_ended(function, nanoseconds / 1e9)
        super().returned(function, nanoseconds, call)
