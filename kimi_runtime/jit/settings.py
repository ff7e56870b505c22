"""The settings of the hot tier, and how a runtime turns it on."""
from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

from ..limits import parse_size
from . import events

#: The usual thresholds. A function costs LLVM 10 to 100 ms, and the first one 30 more; to load one from a folder takes a few.
CALLS, ROUNDS = 250_000, 1_000_000
CALLS_WITH_FOLDER, ROUNDS_WITH_FOLDER = 5_000, 20_000

#: What to do where the back end is missing.
REMEDY = "pip install 'kimi-runtime[jit]'"


def available() -> bool:
    """Whether the back end can be loaded; it is not loaded by asking."""
    from importlib.util import find_spec

    return find_spec("llvmlite") is not None


class JIT:
    """How hot code is compiled to machine code. Needs the extra ``kimi-runtime[jit]``; without it everything is interpreted.

    Args:
        call_threshold: calls of a function, as far as they are sampled, after which it is compiled: 250,000 unless set, some
            10 ms of the interpreter's time, so that what is compiled pays for it; 5,000 with a folder, out of which code comes at
            once.
        loop_threshold: rounds of a loop after which it is: 1,000,000, with a folder 20,000.
        warmup_window: seconds from the start of a session in which a quarter of the thresholds suffices, so that hot paths are
            compiled early, and what runs now and then later is not.
        part: loop rounds and calls from one look at what runs to the next; 1 looks at each.
        background: compile in a thread of its own, while the guest goes on in the interpreter.
        rounds: of a loop or function whose kinds of values are recorded before it is compiled.
        max_code_bytes: of machine code at a time.
        opt_level: of LLVM, 0 to 3; 1 compiles several times as fast as 2, to code that is nearly as fast.
        folder: where machine code is kept for other processes, which then load what they would compile. Whoever can write to it
            decides what they execute, so it must be the host's own.
        max_disk: most bytes in that folder, or a text like "64MB".
        listener: called with a dictionary for each event.
        enabled: False turns it off.
    """

    def __init__(
        self,
        *,
        call_threshold: int | None = None,
        loop_threshold: int | None = None,
        warmup_window: float = 0.0,
        part: int = 250,
        rounds: int = 4,
        background: bool = True,
        max_code_bytes: int = 64 << 20,
        opt_level: int = 1,
        folder: str | os.PathLike[str] | None = None,
        max_disk: int | str | None = "64MB",
        listener: Callable[[dict[str, Any]], object] | None = None,
        enabled: bool = True,
    ) -> None:
        if call_threshold is None:
            call_threshold = CALLS if folder is None else CALLS_WITH_FOLDER
        if loop_threshold is None:
            loop_threshold = ROUNDS if folder is None else ROUNDS_WITH_FOLDER
        for name, value in (("call_threshold", call_threshold), ("loop_threshold", loop_threshold), ("part", part),
                            ("rounds", rounds), ("max_code_bytes", max_code_bytes)):
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"{name} must be a positive int, not {value!r}")
        if not isinstance(warmup_window, (int, float)) or not 0 <= warmup_window < 1e9:
            raise ValueError(f"warmup_window must be a number of seconds, not {warmup_window!r}")
        if opt_level not in (0, 1, 2, 3):
            raise ValueError(f"opt_level must be 0, 1, 2 or 3, not {opt_level!r}")
        self.call_threshold = call_threshold
        self.loop_threshold = loop_threshold
        self.warmup_window = warmup_window
        self.part = part
        self.rounds = rounds
        self.background = background
        self.max_code_bytes = max_code_bytes
        self.opt_level = opt_level
        self.enabled = enabled
        self.folder = folder
        self.max_disk = parse_size("max_disk", max_disk)
        self._store: Any = None
        self.everything = False     # also what will not be faster
        self.log = events.Log(max_code_bytes, listener)

    @classmethod
    def eager(cls, **settings: Any) -> JIT:
        """Everything is compiled at once, before it goes on: for tests."""
        made = cls(**{"call_threshold": 1, "loop_threshold": 1, "part": 1, "rounds": 1, "background": False, **settings})
        made.everything = True
        return made

    def store(self) -> Any:
        """The folder's files, or None."""
        if self._store is None and self.folder is not None:
            from .store import ObjectStore

            self._store = ObjectStore(self.folder, self.max_disk)
        return self._store

    def policy(self) -> Any:
        """The core's record of these settings; None when the tier is off or its back end is not there, with a warning then."""
        if not self.enabled:
            return None
        if not available():
            warnings.warn(f"everything is interpreted: the hot tier needs llvmlite; {REMEDY}", RuntimeWarning, stacklevel=4)
            return None
        from .. import _core
        from .queue import compile_later, compile_now

        made = _core.HotPolicy(compile_later(self) if self.background else compile_now(self), self.loop_threshold,
                               self.call_threshold, self.part, self.rounds, window=self.warmup_window)
        if self.everything:
            made.least = 0
        return made


def from_environment(value: str) -> None:
    """KIMI_JIT turns the tier on for all guests whose host says nothing of it: "1" or "on", or "eager" to compile all at once;
    "0" and "off" leave it off. KIMI_JIT_FOLDER is the folder for machine code. Raises ValueError for another value, which would
    otherwise pass for the tier's being on."""
    from ..objects.context import set_usual_hot

    if value in ("0", "off"):
        return
    if value not in ("1", "on", "eager"):
        raise ValueError(f"KIMI_JIT must be '1' or 'on', 'eager', '0' or 'off', not {value!r}")
    folder = os.environ.get("KIMI_JIT_FOLDER") or None
    set_usual_hot((JIT.eager(folder=folder) if value == "eager" else JIT(folder=folder)).policy())
