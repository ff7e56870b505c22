"""What stands beside a guest while it is profiled."""
from __future__ import annotations

from .. import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .profile import Profile
    from .recorder import Recorder

__all__ = ["HUGE", "ProfiledRun"]

HUGE = 1 << 40      # bytes: what the process has ends earlier


class ProfiledRun:
    """The observer of a run that is profiled; what it displays is the affair of another one, if there is one.

    Args:
        recorder: gets what is seen.
        inner: the observer that the run would have otherwise, or None.
    """

    def __init__(self, recorder: Recorder, inner: Any = None) -> None:
        self.recorder = recorder
        self.inner = inner
        self.threads: list[int] = []
        self.profile: Profile | None = None

    @property
    def displays(self) -> list[dict[str, Any]]:
        return [] if self.inner is None else self.inner.displays

    @property
    def bundle(self) -> dict[str, Any]:
        return {} if self.inner is None else self.inner.bundle

    # ---- as `events.Observer` ---------------------------------------------------------------------------------
    def enter(self, meter: Any, function: Callable[..., Any], *args: Any) -> Any:
        """The run itself."""
        recorder = self.recorder
        if not recorder.running:
            return _core.call_metered(meter, function, *args)
        number = recorder.sampler.thread_count
        self.threads.append(number)
        if recorder.memory:     # a heap of the guest's own, which ends nothing, where its limits give it none
            return recorder.call(_core.call_metered, _core.Meter(0, 0, 0, 0, HUGE), _core.call_metered, meter, function, *args)
        return recorder.call(_core.call_metered, meter, function, *args)

    def called(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.recorder.host_call_begins(function)
        if self.inner is not None:
            self.inner.called(function, args, kwargs)

    def returned(self, function: Any, nanoseconds: int) -> None:
        self.recorder.host_call_ended(function, nanoseconds / 1e9)

    def prepare(self, namespace: dict[str, Any] | None = None) -> None:
        if self.inner is not None:
            self.inner.prepare(namespace)

    def look(self, value: Any, convert: Callable[[Any], Any]) -> None:
        if self.inner is not None:
            self.inner.look(value, convert)
