"""What the hot tier has done, for `Runtime.jit_stats()` and `--print-compilation`."""
from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

KEPT = 1000


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

    def compiled(self, made: Any, name: str, pc: int, reason: str, milliseconds: float, plain: bool) -> None:
        """Notes a compilation; its bytes count until its code is gone."""
        with self.lock:
            self.bytes += made.size
            self.functions += 1
            self.milliseconds.append(milliseconds)
            self.alive.add(made)
        weakref.finalize(made, self._freed, made.size)
        self.add("compiled", name, pc, reason=reason, tier="llvm", plain=plain, bytes=made.size, milliseconds=milliseconds)

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
                "longest_milliseconds": times[-1] if times else 0.0, "exits": exits,
            }
