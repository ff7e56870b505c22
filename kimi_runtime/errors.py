"""What the host sees when a guest fails.

A failing guest is data: ``Result.error`` is a ``GuestError``. Only ``check=True`` and ``Result.unwrap()`` turn it into
an exception of the host:

    Exception
    └── KimiError              everything this package raises on purpose
        ├── GuestException     a guest program failed and the host asked for an exception
        │   ├── LimitExceeded  it was stopped, because it used up a limit
        │   └── WorkerCrashed  the process that it ran in has ended (with isolation="process")
        ├── SnapshotError  something cannot be saved, or bytes are no snapshot that can be loaded
        ├── SessionError       a session was used that is closed, or that runs another program
        └── IsolationError     there is no worker process, or a layer that the host requires is missing

    UserWarning
    └── IsolationWarning       the kernel refuses a layer of isolation="process"
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .result import Result

__all__ = [
    "Frame", "GuestError", "GuestException", "IsolationError", "IsolationWarning", "KimiError", "LimitExceeded", "SessionError",
    "SnapshotError", "WorkerCrashed", "exception_for",
]


class Frame:
    """A place where a guest was when an exception left it.

    Attributes:
        filename: file name of the code, such as ``"<cell 3>"``.
        line: line number from 1.
        name: of the function; ``"<module>"`` for the program itself.
        source: the line's text; "" when the source is not there.
        column: where the failing expression begins in the line, in characters from 1; or None.
        end_line, end_column: where it ends: the column is that of the character behind it; or None.
    """

    __slots__ = ("filename", "line", "name", "source", "column", "end_line", "end_column")

    def __init__(
        self, filename: str, line: int, name: str, source: str = "", column: int | None = None, end_line: int | None = None,
        end_column: int | None = None
    ) -> None:
        self.filename = filename
        self.line = line
        self.name = name
        self.source = source
        self.column = column
        self.end_line = end_line
        self.end_column = end_column

    def parts(self) -> tuple[Any, ...]:
        """The attributes, in the order of the constructor."""
        return tuple(getattr(self, name) for name in self.__slots__)

    def to_dict(self) -> dict[str, Any]:
        """The attributes by name."""
        return dict(zip(self.__slots__, self.parts()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frame) and self.parts() == other.parts()

    def __hash__(self) -> int:
        return hash(self.parts())

    def __repr__(self) -> str:
        return f"Frame({self.filename!r}, {self.line}, {self.name!r})"


class GuestError:
    """An exception that no handler of the guest caught, as plain data without references to guest objects.

    Attributes:
        type: name of the exception class, such as ``"ValueError"``.
        message: what follows the colon in the last line of the traceback; may be empty.
        traceback: the traceback as CPython prints it, ending with a newline.
        filename: file of the innermost frame, or None.
        line: line number in that file from 1, or None when there is none.
        column: column in that line from 1, or None.
        exit_code: the status that a process would end with; set for ``SystemExit`` only.
        limit: the name of the limit that stopped the run, such as ``"seconds"``, or None. The type is ``"LimitExceeded"``
            then, or ``"MemoryError"`` when one request was larger than what was left.
        crashed: whether the worker process has ended under the run; the type is ``"WorkerCrashed"`` then.
        frames: where the guest was, a list of ``Frame``, outermost first. For the exception itself, not for its causes.
    """

    __slots__ = ("type", "message", "traceback", "filename", "line", "column", "exit_code", "limit", "crashed", "_frames")

    def __init__(
        self,
        type: str,
        message: str,
        traceback: str,
        filename: str | None = None,
        line: int | None = None,
        column: int | None = None,
        exit_code: int | None = None,
        limit: str | None = None,
        crashed: bool = False,
        frames: Any = (),
    ) -> None:
        self.type = type
        self.message = message
        self.traceback = traceback
        self.filename = filename
        self.line = line
        self.column = column
        self.exit_code = exit_code
        self.limit = limit
        self.crashed = crashed
        self._frames = frames   # a list, or what gives it

    @property
    def frames(self) -> list[Frame]:
        if callable(self._frames):
            self._frames = [Frame(*parts) for parts in self._frames()]
        return list(self._frames)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*(getattr(self, name) for name in self.__slots__[:-1]), self.frames)

    def to_dict(self) -> dict[str, Any]:
        """The attributes by name, the frames as dictionaries."""
        found = {name: getattr(self, name) for name in self.__slots__[:-1]}
        return {**found, "frames": [frame.to_dict() for frame in self.frames]}

    def with_limit(self, limit: str, message: str) -> GuestError:
        """The same error, whose message is none of the guest's, as that of a limit."""
        traceback = self.traceback.removesuffix("\n").removesuffix(f": {self.message}") + f": {message}\n"
        return GuestError(self.type, message, traceback, self.filename, self.line, self.column, limit=limit,
                          frames=self._frames)

    def __str__(self) -> str:
        return f"{self.type}: {self.message}" if self.message else self.type

    def __repr__(self) -> str:
        return f"GuestError(type={self.type!r}, message={self.message!r}, line={self.line!r})"


class KimiError(Exception):
    """Base class of the exceptions that this package raises on purpose."""


class GuestException(KimiError):
    """A guest program failed, and the host asked for an exception by ``check=True`` or ``unwrap()``.

    Attributes:
        error: the ``GuestError``.
        result: the whole ``Result``, with what the guest printed before it failed.
    """

    def __init__(self, error: GuestError, result: Result | None = None) -> None:
        super().__init__(error, result)
        self.error = error
        self.result = result
        self._guest_exception: BaseException | None = None

    def __str__(self) -> str:
        if self.error.line is None:
            return str(self.error)
        return f"{self.error} ({self.error.filename}, line {self.error.line})"


class LimitExceeded(GuestException):
    """A guest program was stopped because it used up a limit; ``error.limit`` names it."""


class SnapshotError(KimiError):
    """Something cannot be saved, which the text names; or bytes are damaged, altered, foreign, or do not fit this runtime."""


class SessionError(KimiError):
    """A session cannot be used at this moment: it is closed, or it runs another program."""


class WorkerCrashed(GuestException):
    """The worker process ended under a guest program: by a flaw in native code, or because the system killed it."""


class IsolationError(KimiError):
    """``isolation="process"`` cannot be had: a layer is missing that the host requires, or no worker process can be made."""


class IsolationWarning(UserWarning):
    """The kernel refuses a layer of ``isolation="process"``; the message names it."""


def exception_for(error: GuestError, result: Result | None = None) -> GuestException:
    """The exception that stands for a guest's failure."""
    kind = WorkerCrashed if error.crashed else GuestException if error.limit is None else LimitExceeded
    return kind(error, result)
