"""The exception by which a run that has used up a limit leaves the interpreter."""
from __future__ import annotations


class Stopped(BaseException):
    """A run was stopped. Guest code never gets hold of it.

    Attributes:
        limit: the name of the limit: "seconds", "cpu_seconds", "instructions", "output", or "cancelled".
    """

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


# What tracebacks show.
Stopped.__name__ = Stopped.__qualname__ = "LimitExceeded"
Stopped.__module__ = "builtins"
