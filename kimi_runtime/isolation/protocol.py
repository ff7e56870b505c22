"""What the host and a worker say to each other: kinds of messages, and how limits, errors and results are put into values.

    host                                    worker
    CONFIGURE settings and functions   ──▶
                                       ◀──  READY
    RUN (file name, limits, session)   ──▶
      and (source, inputs)
                                       ◀──  STARTED                the source is compiled; for long ones
                                       ◀──  OUTPUT (stream, text)  as often as the guest prints much
                                       ◀──  DISPLAY what and (formats, about them)
                                       ◀──  CALL (what, name or number, numbers let go) and arguments
    ANSWER (failure or None) and value ──▶
                                       ◀──  FILES (what, path, …)    what the guest has changed, in parts
                                       ◀──  RESULT (error, stdout, stderr, costs) and value
    SESSION (what, …) and values       ──▶
                                       ◀──  DONE (failure or None) and value
                                       ◀──  FAILED text             an error of the worker itself: it ends
"""
from __future__ import annotations

from ..errors import Frame, GuestError
from ..limits import NONE, Limits
from .codec import BadMessage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CONFIGURE, RUN, ANSWER, SESSION = 1, 2, 3, 4
READY, STARTED, OUTPUT, CALL, RESULT, DONE, FAILED, FILES, DISPLAY = 65, 66, 67, 68, 69, 70, 71, 72, 73

#: Contents of a file in one message.
PART = 1 << 18

#: Sources longer than this are compiled before the time of the run begins, as the host sees it.
LONG_SOURCE = 10_000

#: Attributes of a ``GuestError``, with the types that they may have.
ERROR_FIELDS: dict[str, tuple[type, ...]] = {
    "type": (str,), "message": (str,), "traceback": (str,), "filename": (str, type(None)), "line": (int, type(None)),
    "column": (int, type(None)), "exit_code": (int, type(None)), "limit": (str, type(None)),
}
FRAME_TYPES: tuple[tuple[type, ...], ...] = (
    (str,), (int,), (str,), (str,), (int, type(None)), (int, type(None)), (int, type(None)))
STAT_TYPES = (float, float, float, int, int, bool, int, bool)
#: No cost is that high, or no number.
MOST_COST = 1 << 64
#: The costs of a run whose worker did not tell them.
NO_COSTS: Any = tuple(kind() for kind in STAT_TYPES)


def limits_to_value(limits: Limits) -> tuple[Any, ...] | None:
    """Limits as a plain value; None stands for none at all."""
    if limits is NONE:
        return None
    return tuple(getattr(limits, name) for name in Limits.__slots__)


def limits_from_value(value: tuple[Any, ...] | None) -> Limits:
    """The limits that ``limits_to_value`` was given, in the worker."""
    return NONE if value is None else Limits(**dict(zip(Limits.__slots__, value)))


def error_to_value(error: GuestError | None) -> tuple[Any, ...] | None:
    """A guest's error as a plain value."""
    if error is None:
        return None
    return (*(getattr(error, name) for name in ERROR_FIELDS), tuple(frame.parts() for frame in error.frames))


def error_from_value(value: Any) -> GuestError | None:
    """The error that a worker sent. Raises BadMessage when it is none."""
    if value is None:
        return None
    if type(value) is not tuple or len(value) != len(ERROR_FIELDS) + 1 or type(value[-1]) is not tuple:
        raise BadMessage("not an error")
    for frame in value[-1]:
        if type(frame) is not tuple or len(frame) != len(FRAME_TYPES):
            raise BadMessage("not a frame")
        if not all(type(part) in kinds for part, kinds in zip(frame, FRAME_TYPES)):
            raise BadMessage("not a frame")
    for part, kinds in zip(value, ERROR_FIELDS.values()):
        if type(part) not in kinds:
            raise BadMessage("not an error")
    return GuestError(**dict(zip(ERROR_FIELDS, value)), frames=[Frame(*frame) for frame in value[-1]])


def check_result(head: Any) -> tuple[Any, str, str, Any]:
    """The head of a RESULT. Raises BadMessage when it is of another form."""
    if type(head) is not tuple or len(head) != 4 or type(head[1]) is not str or type(head[2]) is not str:
        raise BadMessage("not a result")
    costs = head[3]
    if type(costs) is not tuple or tuple(map(type, costs)) != STAT_TYPES or not all(abs(each) < MOST_COST for each in costs):
        raise BadMessage("not the costs of a run")
    return head


__all__ = [
    "ANSWER", "CALL", "CONFIGURE", "DISPLAY", "DONE", "FAILED", "FILES", "LONG_SOURCE", "NO_COSTS", "OUTPUT", "PART", "READY",
    "RESULT", "RUN", "SESSION", "STARTED",
    "check_result", "error_from_value", "error_to_value", "limits_from_value", "limits_to_value",
]
