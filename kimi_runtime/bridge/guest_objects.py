"""What the host gets of a guest's objects that are no plain data."""
from __future__ import annotations

from kimi_runtime.objects.function import Function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["GuestObject"]

_call: Callable[..., Any] | None = None


def use_engine(call: Callable[..., Any]) -> None:
    """Says what calls a guest's object: ``engine.call_guest``."""
    global _call
    _call = call


class GuestObject:
    """A function, class, instance or other object of a guest, in the hands of the host.

    Nothing that the host does with it runs code of the guest, except calling it. Two are equal when they stand for the
    same object.

        >>> import kimi_runtime as kr
        >>> double = kr.run("lambda n: n * 2").value
        >>> double
        <guest function <lambda>>
        >>> double(21)
        42

    Attributes:
        type_name: the name of the object's class.
        raw: the object itself. Its special methods are code of the guest: comparing, printing or hashing it runs them.
    """

    __slots__ = ("raw", "context", "__weakref__")

    def __init__(self, raw: Any, context: Any) -> None:
        self.raw = raw
        self.context = context

    @property
    def type_name(self) -> str:
        name: str = type.__dict__["__name__"].__get__(type(self.raw))
        return name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it, within the limits of the run that goes on, or those of a run of its own with the limits of the last one.

        Arguments are converted as inputs are, and what it returns like ``Result.value``.

        Raises:
            GuestException: the guest's code failed; ``LimitExceeded`` when it was stopped.
            TypeError: an argument is not for guests.
        """
        assert _call is not None
        return _call(self, args, kwargs)

    def __eq__(self, other: object) -> bool:
        return self.raw is other.raw if type(other) is GuestObject else NotImplemented

    def __hash__(self) -> int:
        return hash((GuestObject, id(self.raw)))

    def __repr__(self) -> str:
        raw = self.raw
        if type(raw) is Function:
            return f"<guest function {raw.__qualname__}>"
        if isinstance(raw, type):
            return f"<guest class {type.__dict__['__name__'].__get__(raw)}>"
        return f"<guest object of type {self.type_name}>"
