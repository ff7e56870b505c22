"""What a worker has of the host's functions, objects and exception classes: stand-ins that ask the host by their numbers.

For the interpreter in the worker they are what functions and objects of the host are inline: the same proxies, conversions and
counts lie before them.
"""
from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from kimi_runtime.bridge import exposed, functions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["RemoteThings", "raised_by_host"]


class Remote:
    """Something of the host in a worker.

    Args:
        worker: asks the host.
        number: of it.
    """

    __slots__ = ("_worker", "_number", "_told", "__weakref__")

    _worker: Any
    _number: int
    _told: list[int]  # how often the host has told the number

    def __init__(self, worker: Any, number: int) -> None:
        for slot, value in ((_WORKER, worker), (_NUMBER, number), (_TOLD, [0])):
            slot.__set__(self, value)

    def __del__(self) -> None:
        _WORKER.__get__(self).dropped.append((_NUMBER.__get__(self), _TOLD.__get__(self)[0]))


# Attributes of an object of the host may have these names too.
_WORKER: Any = Remote.__dict__["_worker"]
_NUMBER: Any = Remote.__dict__["_number"]
_TOLD: Any = Remote.__dict__["_told"]


class RemoteFunction(Remote):
    """A function of the host, or a class whose instances guests may make."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._worker.ask("call", self._number, (args, kwargs))


class RemoteObject(Remote):
    """An exposed object of the host: reads and writes attributes there."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__"):  # which cannot be exposed
            return object.__getattribute__(self, name)
        return _WORKER.__get__(self).ask("get", (_NUMBER.__get__(self), name), None)

    def __setattr__(self, name: str, value: Any) -> None:
        _WORKER.__get__(self).ask("set", (_NUMBER.__get__(self), name), value)


class RemoteIterator(Remote):
    """An iterator of the host."""

    __slots__ = ()

    def __iter__(self) -> RemoteIterator:
        return self

    def __next__(self) -> Any:
        return self._worker.ask("next", self._number, None)


class RemoteThings:
    """What a worker knows of the host's functions, objects and exception classes.

    Args:
        worker: its ``ask`` asks the host; its ``dropped`` gets what is no longer needed.
    """

    def __init__(self, worker: Any) -> None:
        self.worker = worker
        self.live: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.known: dict[int, Any] = {}  # what was told of functions, objects and classes
        self.rules: dict[int, Any] = {}
        self.usual: set[int] = set()

    def keep(self) -> None:
        """What is known now lasts for all runs."""
        self.usual = {*self.known, *self.rules}

    def forget(self) -> None:
        """A run is over."""
        for table in (self.known, self.rules):
            for number in [each for each in table if each not in self.usual]:
                del table[number]

    def let_go(self) -> tuple[tuple[int, int], ...]:
        """What the host may forget, for the next message to it."""
        dropped, self.worker.dropped = tuple(self.worker.dropped), []
        for number, _ in dropped:
            if number not in self.live and number not in self.usual:
                self.known.pop(number, None)
        return dropped

    def refer(self, value: Any) -> tuple[Any, ...] | None:
        """What stands for something of the host in a message to it, or None."""
        if isinstance(value, Remote):
            return "object" if isinstance(value, RemoteObject) else "function", _NUMBER.__get__(value)
        return None

    def resolve(self, parts: tuple[Any, ...]) -> Any:
        """What the host's reference stands for."""
        kind, number, *more = parts
        make: Callable[..., Any] = getattr(self, "make_" + kind)
        return make(number, *more)

    def make_function(self, number: int, *more: Any) -> Any:
        if more:
            self.known[number] = more
        found = self.live.get(number)
        if found is None:
            name, doc, signature, timeout, most = self.known[number]
            call = RemoteFunction(self.worker, number)
            found = self.live[number] = functions.remote_function(call, name, doc, signature, timeout, most)
        _TOLD.__get__(functions.callable_of(found))[0] += 1
        return found

    def make_exception(self, number: int, *more: Any) -> Any:
        if more and number not in self.known:
            name, bases = more
            self.known[number] = type(str(name), tuple(bases), {"__module__": "builtins"})
        return self.known[number]

    def make_iterator(self, number: int) -> Any:
        made = RemoteIterator(self.worker, number)
        made._told[0] = 1
        return made

    def make_class(self, number: int, *more: Any) -> Any:
        return exposed.proxies_of(self.rule(*more))

    def make_object(self, number: int, *more: Any) -> Any:
        if more:
            self.known[number] = self.rule(*more)
        found = self.live.get(number)
        if found is None:
            found = self.live[number] = RemoteObject(self.worker, number)
        _TOLD.__get__(found)[0] += 1
        return exposed.exposed_with(found, self.known[number])

    def rule(self, number: int, *more: Any) -> Any:
        """The rule of a number."""
        found = self.rules.get(number)
        if found is None:
            name, attrs, methods, maker = more
            found = self.rules[number] = exposed.remote_rule(
                name, attrs, methods, self.caller, RemoteFunction(self.worker, maker) if maker else None)
        return found

    def caller(self, name: str) -> Any:
        """What calls a method of the host's objects."""

        def call(target: Any, *args: Any, **kwargs: Any) -> Any:
            return self.worker.ask("method", (_NUMBER.__get__(target), name), (args, kwargs))

        return call


def raised_by_host(cls: type[BaseException], args: Any) -> BaseException:
    """An exception that the host's code has raised."""
    if issubclass(cls, BaseExceptionGroup):
        args = (args[0], [raised_by_host(*each) for each in args[1]])
    try:
        made: BaseException = cls(*args)
    except Exception:  # a builtin class that wants other arguments than its instance kept
        made = cls.__new__(cls)
        made.args = tuple(args)
    return made
