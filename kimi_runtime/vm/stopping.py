"""The exception by which a run that has used up a limit leaves the interpreter."""
from __future__ import annotations


class Stopped(BaseException):
    """A run was stopped. Guest code never gets hold of it.

    Attributes:
        limit: the name of the limit, such as "seconds"; "cancelled"; or "host", when code of the host raised an exception
            that is not for the guest.
    """

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


# What tracebacks show.
Stopped.__name__ = Stopped.__qualname__ = "LimitExceeded"
Stopped.__module__ = "builtins"
