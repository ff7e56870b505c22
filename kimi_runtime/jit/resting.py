"""The compiler's thread lets others run: it holds the interpreter lock for about a millisecond at a time."""
from __future__ import annotations

import threading
import time

LONGEST = 0.001         # seconds

_thread = 0
_last = 0.0


def begin() -> None:
    """This thread rests from now on."""
    global _thread
    _thread = threading.get_ident()


def rest() -> None:
    """Lets other threads have the interpreter lock, when this is the compiler's thread and has had it for long enough."""
    global _last
    if _thread and threading.get_ident() == _thread:
        now = time.perf_counter()
        if now - _last > LONGEST:
            time.sleep(0)
            _last = time.perf_counter()
