"""Who compiles and when: at once, or a thread that takes places from a queue."""
from __future__ import annotations

import queue
import threading
import weakref
from collections.abc import Callable
from typing import Any

from . import resting
from .compiler import compile_place

Request = Callable[[Any, int, "list[int] | None", Any, "dict[int, Any]", "dict[Any, Any]", "dict[int, Any]"], None]
_work: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
_thread: threading.Thread | None = None
_start = threading.Lock()
failures: list[BaseException] = []


def compile_now(settings: Any) -> Request:
    """What the core calls for a hot place: it is compiled before the guest goes on."""
    def request(code: Any, pc: int, kinds: list[int] | None, policy: Any, targets: dict[int, Any], seen: dict[Any, Any],
                generators: dict[int, Any]) -> None:
        compile_place(code, pc, kinds, settings.opt_level, settings.log, targets=targets,
                      whatever=settings.everything, seen=seen, generators=generators, store=settings.store())

    return request


def compile_later(settings: Any) -> Request:
    """The same with the thread: the guest goes on meanwhile."""
    def request(code: Any, pc: int, kinds: list[int] | None, policy: Any, targets: dict[int, Any], seen: dict[Any, Any],
                generators: dict[int, Any]) -> None:
        _work.put((weakref.ref(code), pc, kinds, settings, {site: _weak(found) for site, found in targets.items()},
                   [(weakref.ref(where), at, _weak(found)) for (where, at), found in seen.items()],
                   [(reg, weakref.ref(of), at, masks) for reg, (of, at, masks) in generators.items()]))
        _run()

    return request


def _weak(found: Any) -> Any:
    return found if found is None or isinstance(found, str) else weakref.ref(found)


def _strong(kept: Any) -> Any:
    return kept() if isinstance(kept, weakref.ref) else kept


def _run() -> None:
    global _thread
    with _start:
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_compile, name="kimi-runtime compiler", daemon=True)
            _thread.start()


def _compile() -> None:
    resting.begin()
    while True:
        reference, pc, kinds, settings, kept, callees, iterated = _work.get()
        code = reference()
        if code is None:
            continue
        try:
            targets = {site: _strong(found) for site, found in kept.items()}
            seen = {(where(), at): _strong(found) for where, at, found in callees}
            generators = {reg: (of(), at, masks) for reg, of, at, masks in iterated if of() is not None}
            compile_place(code, pc, kinds, settings.opt_level, settings.log, targets=targets,
                          whatever=settings.everything, seen=seen, generators=generators, store=settings.store())
            targets.clear()
            seen.clear()
            generators.clear()
        except BaseException as error:      # a fault of the compiler: the program goes on in the interpreter
            failures.append(error)
            settings.log.add("failed", code.co_qualname if hasattr(code, "co_qualname") else "", pc, reason=repr(error))
        code = None
