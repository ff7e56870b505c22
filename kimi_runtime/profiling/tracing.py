"""What a program does, line by line and call by call, with values: bounded, and without running any code of the guest's."""
from __future__ import annotations

from .. import _core
from ..bytecode.inspection import source_text
from .building import is_library
from .places import SourceLines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["Tracer", "shown"]

LONGEST = 60
DEEPEST = 2
MOST_ITEMS = 5


def shown(value: Any, depth: int = 0) -> str:
    """A value as text. Only values of builtin types are written out; of others the name of the type is shown."""
    kind = type(value)
    if value is None or kind in (bool, float, complex) or value is ...:
        return repr(value)
    if kind is int:
        return repr(value) if value.bit_length() < 200 else f"<int of {value.bit_length()} bits>"
    if kind in (str, bytes):
        return repr(value) if len(value) <= LONGEST else repr(value[: LONGEST - 1]) + "…"
    if kind in (list, tuple, set, frozenset):
        if depth >= DEEPEST:
            return f"<{kind.__name__} of {len(value)}>"
        items = [shown(each, depth + 1) for _, each in zip(range(MOST_ITEMS), value)]
        text = ", ".join(items) + (f", … {len(value)} in all" if len(value) > MOST_ITEMS else "")
        if kind is tuple:
            return f"({text},)" if len(value) == 1 else f"({text})"
        if kind is list:
            return f"[{text}]"
        return ("{" + text + "}") if value and kind is set else f"{kind.__name__}({'{' + text + '}' if value else ''})"
    if kind is dict:
        if depth >= DEEPEST:
            return f"<dict of {len(value)}>"
        items = [f"{shown(key, depth + 1)}: {shown(each, depth + 1)}" for _, (key, each) in zip(range(MOST_ITEMS), value.items())]
        return "{" + ", ".join(items) + (f", … {len(value)} in all" if len(value) > MOST_ITEMS else "") + "}"
    name: str = type.__dict__["__qualname__"].__get__(kind)
    if name == "function" and kind.__module__ == "builtins":
        return f"<function {value.__name__}>"
    return f"<{name}>"


class Tracer:
    """Tells what guest code does.

    Args:
        tell: called with each event, a dictionary: ``event`` ("call", "line", "return" or "leave"), ``function``, ``file``,
            ``line``, ``depth``; ``values`` (name -> text) of a call's parameters, or of what has changed since the last line of
            the function; ``value`` of a return.
        lines, calls: which of them.
        library: also of code of the library.
        most: events after which no more are told.
    """

    def __init__(
        self, tell: Callable[[dict[str, Any]], object], *, lines: bool = True, calls: bool = True, library: bool = False,
        most: int = 10_000
    ) -> None:
        self.tell = tell
        self.most = most
        self.told = 0
        self.library = library
        self.known: dict[int, dict[str, str]] = {}
        self.of_library: dict[Any, bool] = {}
        self.stepper = _core.Stepper(self._line if lines else None, self._call if calls else None, self._leave if calls else None)

    def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """Calls a function that runs guests in this thread. Returns and raises what it does, and what ``tell`` has raised."""
        try:
            return _core.call_stepped(self.stepper, function, *args)
        finally:
            if self.stepper.error is not None:
                raise self.stepper.error

    def _wanted(self, code: Any) -> bool:
        if self.told >= self.most:
            return False
        found = self.of_library.get(code)
        if found is None:
            found = self.of_library[code] = is_library(code.co_filename)
        return self.library or not found

    def _event(self, kind: str, code: Any, line: int, depth: int, **more: Any) -> None:
        self.told += 1
        self.tell({"event": kind, "function": code.co_qualname, "file": code.co_filename, "line": line, "depth": depth, **more})

    def _call(self, code: Any, line: int, names: dict[str, Any], depth: int) -> None:
        if self._wanted(code):
            count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
            if "CLASS" in code.co_name or not code.co_flags & 3:
                count = 0
            values = {name: shown(names[name]) for name in code.co_varnames[:count] if name in names}
            self.known[depth] = dict(values)
            self._event("call", code, line, depth, values=values)

    def _line(self, code: Any, line: int, names: dict[str, Any], depth: int) -> None:
        if self._wanted(code):
            before = self.known.get(depth, {})
            now = {name: shown(value) for name, value in list(names.items()) if not name.startswith("__")}
            self.known[depth] = now
            self._event("line", code, line, depth, values={name: text for name, text in now.items() if before.get(name) != text})

    def _leave(self, code: Any, line: int, value: Any, returned: bool, depth: int) -> None:
        self.known.pop(depth, None)
        if self._wanted(code):
            if returned:
                self._event("return", code, line, depth, value=shown(value))
            else:
                self._event("leave", code, line, depth)


class Printer:
    """Writes events as lines of text: a ``tell`` for ``Tracer``.

    Args:
        write: gets each line.
    """

    def __init__(self, write: Callable[[str], object]) -> None:
        self.write = write
        self.sources: dict[str, str] = {}
        self.lines = SourceLines(self.sources)

    def know(self, code: Any) -> None:
        """The source of a program, whose lines are shown."""
        text = source_text(code)
        if isinstance(text, str):
            self.sources[code.co_filename] = text

    def __call__(self, event: dict[str, Any]) -> None:
        values = ", ".join(f"{name}={text}" for name, text in event.get("values", {}).items())
        indent = "  " * max(event["depth"] - 1, 0)
        where = f"{event['file'].rpartition('/')[2]}:{event['line']}"
        if event["event"] == "call":
            self.write(f"{where:>20}  {indent}→ {event['function']}({values})")
        elif event["event"] == "return":
            self.write(f"{where:>20}  {indent}← {event['function']}: {event['value']}")
        elif event["event"] == "leave":
            self.write(f"{'':>20}  {indent}↯ {event['function']}")
        else:
            text = self.lines.line(event["file"], event["line"])
            self.write(f"{where:>20}  {indent}{text}" + (f"    # {values}" if values else ""))
