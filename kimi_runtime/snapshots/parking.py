"""Guests that wait long for the host, as bytes meanwhile: ``Runtime(park_after=...)``.

What waits takes some hundred objects, its modules and pages of a heap; as bytes it takes a kilobyte. The session and the run stay
the ones they were; what they hold is taken out and put back.
"""

from __future__ import annotations

from .. import _core
from ..aio.core import abandon, own_variables
from ..errors import SnapshotError
from ..running import is_decimal_context
from .saving import made_of, payload_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..objects.context import RunContext
    from ..stepping import Run, Suspended

__all__ = ["Parked", "park"]

# Larger guests are left as they are: their bytes would take milliseconds, in which nothing else of the process runs; and what is
# made of them again is not counted for their limit of memory.
MOST_BYTES = 64 << 10
MOST_MEMORY = 1 << 20


def park(run: Run, new_context: Callable[[], RunContext]) -> Parked | None:
    """Takes what a suspended run and its session hold, and keeps it as bytes; None where it must be left as it is.

    Args:
        new_context: makes the context in which the run goes on, with what the host gave the first one.
    """
    session = run.session
    context = session._context
    if context.observer is not None or context.watchers is not None or context.displays or context.policy is not None \
            or session._heap.live > MOST_MEMORY:
        return None
    given = (context.functions or {}).values()
    if any(how is not ... and function not in given for function, how in run.suspension.functions.items()):
        return None         # among the inputs: not found again by its name
    try:
        data = payload_of(session, run, None)
    except SnapshotError:
        return None
    return Parked(run, data, new_context) if len(data) <= MOST_BYTES else None


class Parked:
    """A run that was parked."""

    __slots__ = ("run", "data", "new_context", "variables")

    def __init__(self, run: Run, data: bytes, new_context: Callable[[], RunContext]) -> None:
        session = run.session
        context = session._context
        self.run = run
        self.data = data
        self.new_context = new_context
        own = own_variables(context)
        #: Those of the host, as its functions have left them.
        self.variables = [(variable, value) for variable, value in session._variables.items()
                          if variable not in own and not is_decimal_context(variable)]
        suspension, run.suspension = run.suspension, None
        namespace = session._live()
        session._namespace = session._context = session._heap = None
        run.meter.guest = None
        _core.move_meter(run.meter, None)
        context.stop()
        suspension.drop()
        abandon(context)
        namespace.clear()
        context.abandon()

    def put_back(self) -> None:
        """The run is what it was, and can go on.

        Raises:
            SnapshotError: the runtime was changed meanwhile, and has no longer what the run needs.
        """
        run = self.run
        session = run.session
        made: Suspended = made_of(self.data, self, None)  # type: ignore[assignment]
        found = made._run
        made._used = "went into another run"
        for name in ("_context", "_namespace", "_variables", "_heap"):
            setattr(session, name, getattr(found.session, name))
        found.session._step = None
        found.session._namespace = None
        found.suspension.driven = True
        run.suspension = found.suspension
        _core.move_meter(run.meter, session._heap)
        for variable, value in self.variables:
            session._variables.run(variable.set, value)

    def session(self) -> Any:
        """A session for the run, as ``saving.made_of`` asks for it."""
        session = self.run.session
        return type(session)(self.new_context(), session._cache, None, session._limits, None)
