"""Functions, objects and exception classes of the host that a worker's guest may use: the worker knows them by numbers.

The host keeps a table for each run or session, over one of the runtime. What a worker asks for is looked up there and nowhere
else, and only what the table's entry lists is done: a worker is no more trusted than its guest.
"""
from __future__ import annotations

from itertools import count
from typing import Any

from ..bridge import exposed, functions
from ..bridge.crossing import result_for_guest
from ..bridge.functions import callable_of, settings_of
from .codec import BadMessage, CannotCross, frame

__all__ = ["Handles", "IteratorOfHost", "exception_parts", "result_for_guest"]

_numbers = count(1)


class IteratorOfHost:
    """An iterator of the host on its way to a worker, which walks it from there."""

    __slots__ = ("name", "iterator")

    def __init__(self, name: str, iterator: Any) -> None:
        self.name = name
        self.iterator = iterator


class Entry:
    """What a number stands for.

    Attributes:
        kind: "function", "object", "class", "exception" or "iterator".
        value: the host's callable, object, class or iterator.
        name: of it, for messages.
        rule: of an exposed object or class, or None.
        sent: how often the worker was told the number, less what it has let go of.
    """

    __slots__ = ("kind", "value", "name", "rule", "sent", "key", "keeps")

    def __init__(self, kind: str, value: Any, name: str, rule: Any, key: Any, keeps: Any) -> None:
        self.kind = kind
        self.value = value
        self.name = name
        self.rule = rule
        self.sent = 0
        self.key = key
        self.keeps = keeps


class Handles:
    """The table of one run, session or runtime.

    Args:
        parent: the table of the runtime, which is complete, or None.
    """

    def __init__(self, parent: Handles | None = None) -> None:
        self.parent = parent
        self.entries: dict[int, Entry] = {}
        self.numbers: dict[Any, int] = {}
        self.proxies: dict[Any, Any] | None = None  # as of a ``RunContext``; the conversions fill it
        self.rules: dict[Any, int] = {}  # rules that the worker knows already
        self.undo: list[tuple[dict[Any, Any], Any]] = []  # what the message that is being written has added

    # ---- to the worker -------------------------------------------------------------------------------
    def frame(self, kind: int, head: Any, body: Any, limit: int | None = None) -> bytes:
        """A message: see ``codec.frame``. What it would have told the worker is forgotten when it cannot be written."""
        self.undo = []
        try:
            return frame(kind, head, body, limit, self)
        except BaseException:
            for table, key in self.undo:
                table.pop(key, None)
            raise

    def refer(self, value: Any) -> tuple[Any, ...] | None:
        """What stands for a value of the host in a message, or None when it is nothing for a guest.

        Raises:
            CannotCross: it is something that only guests in the same process can have.
        """
        kind = type(value)
        if kind is functions.HostFunction:
            name, doc, signature, timeout, most, guest_objects = settings_of(value)
            if guest_objects:
                raise CannotCross(f"the host function {name} with guest_objects=True (it needs the guest in the same process)")
            call = callable_of(value)
            return self.told("function", call, name, None, ("function", id(call), name, timeout, most), value,
                             (name, doc, signature, timeout, most))
        if kind is IteratorOfHost:
            return self.told("iterator", value.iterator, value.name, None, object(), value, ())
        found = exposed.rule_of_proxy(value)
        if found is not None:
            rule, target = found
            if target is None:
                number = self.number_of_class(rule)
                return ("class", number, *self.rule_parts(rule))
            # The proxy is kept, so that the object itself is found to have one where it comes again.
            return self.told("object", target, exposed.settings_of_rule(rule)[0], rule, (id(target), id(rule)), value,
                             self.rule_parts(rule))
        if isinstance(value, type) and issubclass(value, BaseException):
            bases = tuple(each for each in value.__bases__ if issubclass(each, BaseException))
            return self.told("exception", value, value.__name__, None, ("exception", id(value)), value, (value.__name__, bases))
        return None

    def told(self, kind: str, value: Any, name: str, rule: Any, key: Any, keeps: Any, more: tuple[Any, ...]) -> tuple[Any, ...]:
        """The reference to an entry; with what the worker must know of it when it is the first."""
        for table in (self, self.parent):
            number = None if table is None else table.numbers.get(key)
            if table is not None and number is not None:
                table.entries[number].sent += 1
                # What the runtime has is told to each worker at its start, and once more by each table that meets it.
                return (kind, number) if table is self and self.parent is not None else (kind, number, *more)
        entry = Entry(kind, value, name, rule, key, keeps)
        entry.sent = 1
        return (kind, self.enter(entry), *more)

    def enter(self, entry: Entry) -> int:
        """Gives an entry its number."""
        number = next(_numbers)
        self.numbers[entry.key] = number
        self.entries[number] = entry
        self.undo += (self.numbers, entry.key), (self.entries, number)
        return number

    def number_of_class(self, rule: Any) -> int:
        """The number of the class that a rule is for."""
        key = ("class", id(rule))
        number = self.numbers.get(key)
        if number is None:
            name = exposed.settings_of_rule(rule)[0]
            number = self.enter(Entry("class", exposed.maker_of_rule(rule), name, rule, key, rule))
        return number

    def rule_parts(self, rule: Any) -> tuple[Any, ...]:
        """A rule: its number, and what it says when the worker does not know it."""
        number = self.rules.get(rule)
        if number is not None and self.parent is not None:
            return (number,)
        if number is None and self.parent is not None:
            number = self.parent.rules.get(rule)
        if number is None:
            number = next(_numbers)
        if rule not in self.rules:
            self.rules[rule] = number
            self.undo.append((self.rules, rule))
        name, attrs, methods, makes = exposed.settings_of_rule(rule)
        return (number, name, attrs, methods, self.number_of_class(rule) if makes else 0)

    # ---- from the worker -----------------------------------------------------------------------------
    def entry(self, number: Any) -> Entry:
        """What a number stands for. Raises BadMessage when it was never told."""
        for table in (self, self.parent):
            found = None if table is None or type(number) is not int else table.entries.get(number)
            if found is not None:
                return found
        raise BadMessage("a number that stands for nothing")

    def resolve(self, parts: tuple[Any, ...]) -> Any:
        """The host's own value that a reference in a message stands for."""
        entry = self.entry(parts[1])
        if entry.kind not in ("function", "object"):
            raise BadMessage("a reference of another kind")
        return entry.value

    def let_go(self, dropped: Any) -> None:
        """The worker has no more use for these: pairs of a number and how often it was told that."""
        if type(dropped) is not tuple:
            raise BadMessage("not a list of numbers")
        for pair in dropped:
            if type(pair) is not tuple or len(pair) != 2 or type(pair[0]) is not int or type(pair[1]) is not int:
                raise BadMessage("not a list of numbers")
            number, times = pair
            entry = self.entries.get(number)
            if entry is not None and entry.kind in ("function", "object", "iterator"):
                entry.sent -= times
                if entry.sent <= 0:
                    del self.entries[number]
                    self.numbers.pop(entry.key, None)

    def perform(self, what: str, target: Any, arguments: Any) -> Any:
        """Does what the guest asks for with something of the host.

        Args:
            what: "call", "get", "set", "method" or "next".
            target: its number; with "get", "set" and "method" a pair of that and a name.
            arguments: positional ones and those by name; the value for "set".

        Returns:
            What came of it, as the guest gets it.

        Raises:
            BadMessage: there is no such thing, or the guest may not do it.
            BaseException: what the host's code raises.
        """
        name = ""
        if what in ("get", "set", "method"):
            if type(target) is not tuple or len(target) != 2 or type(target[1]) is not str:
                raise BadMessage("not an object and a name")
            target, name = target
        entry = self.entry(target)
        if what == "next" and entry.kind == "iterator":
            return result_for_guest(next(entry.value), entry.name, self)
        if what == "call" and (entry.kind == "function" or (entry.kind == "class" and entry.value is not None)):
            args, kwargs = arguments_of(arguments)
            return result_for_guest(entry.value(*args, **kwargs), entry.name, self)
        if entry.kind != "object":
            raise BadMessage("not an object of the host")
        attrs, methods = exposed.settings_of_rule(entry.rule)[1:3]
        shown = f"{entry.name}.{name}"
        if what == "get" and name in attrs:
            return result_for_guest(getattr(entry.value, name), shown, self)
        if what == "set" and attrs.get(name):
            setattr(entry.value, name, arguments)
            return None
        if what == "method" and name in methods:
            args, kwargs = arguments_of(arguments)
            result = exposed.call_exposed(entry.rule, entry.value, name, args, kwargs)
            if name in ("__iter__", "__reversed__"):
                return IteratorOfHost(shown, result)
            return result_for_guest(result, shown, self)
        raise BadMessage("an attribute that is not exposed")


def arguments_of(given: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments from a message."""
    if type(given) is not tuple or len(given) != 2 or type(given[0]) is not tuple or type(given[1]) is not dict:
        raise BadMessage("not arguments")
    if any(type(name) is not str for name in given[1]):
        raise BadMessage("not names of arguments")
    return given


def exception_parts(error: BaseException, depth: int = 0) -> tuple[type, Any]:
    """The class and the arguments of an exception that was made for a guest; those in a group are pairs of the same."""
    args = error.__reduce__()[1] if isinstance(error, OSError) else error.args
    if isinstance(error, BaseExceptionGroup):
        args = (error.message, [exception_parts(each, depth + 1) for each in error.exceptions])
    return type(error), args
