"""What the hot tier has done, for `Runtime.jit_stats()` and `--print-compilation`."""
from __future__ import annotations

import json
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

KEPT = 1000


def as_line(event: dict[str, Any]) -> str:
    """An event for people: when, what, where; then what belongs to it."""
    head = f"{event['at'] * 1000:9.1f} ms  {event['event']:<9} {event['function']} @{event['instruction']}"
    more = {name: value for name, value in event.items() if name not in ("at", "event", "function", "instruction", "form")}
    told = [f"{name}={value:.1f}" if isinstance(value, float) else f"{name}={','.join(value)}" if isinstance(value, list)
            else f"{name}={value}" for name, value in more.items() if value not in ("", [], False)]
    return "  ".join([head, *told])


def as_json(event: dict[str, Any]) -> str:
    """An event as one line of JSON."""
    return json.dumps(event)


class Log:
    """Compilations of one runtime.

    max_code_bytes: of machine code that may be there at a time.  listener: called with each event, a dictionary, or None.
    """

    def __init__(self, max_code_bytes: int, listener: Callable[[dict[str, Any]], object] | None = None) -> None:
        self.max_code_bytes = max_code_bytes
        self.listener = listener
        self.events: list[dict[str, Any]] = []
        self.bytes = 0
        self.functions = 0
        self.given_up = 0
        self.milliseconds: list[float] = []
        self.began = time.perf_counter()
        self.lock = threading.Lock()
        self.keeps_forms = False        # events of compilations have the form as text, for `kimi-cli dis --jit`
        self.alive: weakref.WeakSet[Any] = weakref.WeakSet()

    def add(self, event: str, name: str, pc: int, **more: Any) -> None:
        """Notes an event. name: of the function; pc: the instruction at which the code begins."""
        made = {"event": event, "function": name, "instruction": pc, "at": time.perf_counter() - self.began, **more}
        with self.lock:
            if event == "given up":
                self.given_up += 1
            self.events.append(made)
            del self.events[:-KEPT]
        if self.listener is not None:
            self.listener(made)

    def compiled(self, made: Any, name: str, pc: int, reason: str, milliseconds: float, plain: bool,
                 spliced: list[str], form: str) -> None:
        """Notes a compilation; its bytes count until its code is gone. spliced: functions that are part of the code."""
        with self.lock:
            self.bytes += made.size
            self.functions += 1
            self.milliseconds.append(milliseconds)
            self.alive.add(made)
        weakref.finalize(made, self._freed, made.size)
        more = {"form": form} if form else {}
        self.add("compiled", name, pc, reason=reason, tier="llvm", plain=plain, spliced=spliced, bytes=made.size,
                 milliseconds=milliseconds, **more)

    def _freed(self, size: int) -> None:
        with self.lock:
            self.bytes -= size

    def stats(self) -> dict[str, Any]:
        """Figures of all compilations so far."""
        with self.lock:
            times = sorted(self.milliseconds)
            exits: dict[str, int] = {}
            for made in list(self.alive):
                for (_, why), count in zip(made.exits, made.counters, strict=False):
                    if count:
                        exits[why] = exits.get(why, 0) + count
            return {
                "compiled": self.functions, "given_up": self.given_up, "code_bytes": self.bytes,
                "milliseconds": sum(times), "median_milliseconds": times[len(times) // 2] if times else 0.0,
                "p99_milliseconds": times[len(times) * 99 // 100] if times else 0.0,
                "longest_milliseconds": times[-1] if times else 0.0, "exits": exits,
            }
