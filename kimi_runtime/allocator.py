"""Where blocks of memory come from that belong to no guest's heap: ``kimi_runtime.allocator``.

    >>> import kimi_runtime as kr
    >>> kr.allocator.current()
    'pymalloc'
    >>> with kr.allocator.using("guest"):
    ...     kr.allocator.current()
    'guest'

Runs with a limit of memory always have a heap of their own, whatever is chosen here: see docs/memory.md. A switch is a store into
a flag: new blocks come from the new allocator, every block goes back to the one that it came from, and nobody waits.
"""
from __future__ import annotations

import ctypes
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from .memory import heap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = ["NAMES", "AllocatorError", "AllocatorStats", "available", "current", "migrate", "moving", "preloads", "statistics",
           "use", "using"]

#: The allocators, in the order of their numbers in memory/modes.h, which begin with 1.
NAMES = ("pymalloc", "system", "guest", "jemalloc", "mimalloc")
#: Names of the libraries' files, and what to install.
LIBRARIES = {
    "jemalloc": (("libjemalloc.so.2", "libjemalloc.so.1", "libjemalloc.so"),
                 "apt install libjemalloc2 (Debian, Ubuntu), dnf install jemalloc (Fedora) or apk add jemalloc (Alpine)"),
    "mimalloc": (("libmimalloc.so.2", "libmimalloc.so.3", "libmimalloc.so", "libmimalloc.so.2.0"),
                 "apt install libmimalloc2.0 (Debian, Ubuntu), dnf install mimalloc (Fedora) or apk add mimalloc (Alpine)"),
}
FUNCTIONS = {
    "jemalloc": ("mallocx", "rallocx", "dallocx", "sallocx", "mallctl"),
    "mimalloc": ("mi_malloc", "mi_calloc", "mi_realloc", "mi_free", "mi_usable_size", "mi_is_in_heap_region"),
}


class AllocatorError(RuntimeError):
    """An allocator cannot be had in this process; the message says what to do."""


_lock = Lock()
_libraries: dict[str, Any] = {}


# ---- what there is ---------------------------------------------------------------------------------------------
def _check_name(name: str) -> int:
    if name not in NAMES:
        raise ValueError(f"there is no allocator {name!r}; there are {', '.join(NAMES)}")
    return NAMES.index(name) + 1


def _load(name: str) -> Any:
    """The library of an allocator: the process's own when it was preloaded. Raises AllocatorError when there is none."""
    files, package = LIBRARIES[name]
    if hasattr(preloaded := ctypes.CDLL(None), FUNCTIONS[name][0]):
        return preloaded
    reason = ""
    for file in files:
        try:
            found = ctypes.CDLL(file)
        except OSError as error:
            if "static TLS" in str(error):
                raise AllocatorError(
                    f"allocator {name}: {file} is there, but can only be used when it is loaded before the program begins: start "
                    f"it by `kimi-cli run --allocator {name}`, or with LD_PRELOAD={file}") from None
            if "cannot open shared object" not in str(error):
                reason = f" ({error})"
            continue
        if all(hasattr(found, function) for function in FUNCTIONS[name]):
            return found
        reason = f" ({file} lacks functions that are needed)"
    raise AllocatorError(f"allocator {name}: the library {files[0]} was not found{reason}: {package}")


def _has_debug_hooks() -> bool:
    """Whether CPython puts marks around blocks, by which it would take those of another allocator for damaged."""
    kind = os.environ.get("PYTHONMALLOC", "")
    return "debug" in kind or (not kind and (sys.flags.dev_mode or hasattr(sys, "gettotalrefcount")))


def prepare(name: str) -> int:
    """Makes an allocator ready. Returns its number.

    Raises:
        ValueError: there is no such name.
        AllocatorError: it cannot be had in this process.
    """
    number = _check_name(name)
    with _lock:
        heap.install()
        if name == "system" and _has_debug_hooks():
            raise AllocatorError("allocator system: CPython checks its blocks (PYTHONMALLOC=debug, -X dev or a debug build), "
                                 "which must come from its own allocator then")
        if name in LIBRARIES and name not in _libraries:
            library = _load(name)
            addresses = [ctypes.cast(getattr(library, each), ctypes.c_void_p).value for each in FUNCTIONS[name]]
            if name == "mimalloc":
                heap.use_mimalloc(*addresses)
            elif failed := heap.use_jemalloc(*addresses):
                raise AllocatorError("allocator jemalloc: " + ("there are no addresses for its memory: the process has a limit "
                                                               "on them" if failed == 1 else "it refuses to make an arena"))
            _libraries[name] = library
    return number


def available() -> dict[str, str | None]:
    """Each allocator, and why it cannot be used in this process; None where it can."""
    found: dict[str, str | None] = {}
    for name in NAMES:
        try:
            prepare(name)
            found[name] = None
        except (AllocatorError, MemoryError) as error:
            found[name] = str(error)
    return found


def preloads(name: str) -> str | None:
    """What LD_PRELOAD must name for an allocator; None for one that needs no library. Raises AllocatorError without it."""
    _check_name(name)
    if name not in LIBRARIES:
        return None
    files, package = LIBRARIES[name]
    for file in files:
        try:
            ctypes.CDLL(file)
        except OSError as error:
            if "static TLS" not in str(error):
                continue
        return file
    raise AllocatorError(f"allocator {name}: the library {files[0]} was not found: {package}")


# ---- choosing --------------------------------------------------------------------------------------------------
def use(name: str, *, thread: bool = False) -> None:
    """Has new blocks come from an allocator: in the whole process, or in the calling thread only.

    Raises:
        ValueError: there is no such name.
        AllocatorError: it cannot be had in this process.
    """
    number = prepare(name)
    if thread:
        heap.set_thread_mode(number)
    else:
        heap.set_process_mode(number, number, 0)


def current() -> str:
    """The allocator that new blocks of the calling thread come from."""
    thread, process, _, _ = heap.modes()
    return NAMES[(thread or process) - 1]


@contextmanager
def using(name: str | None) -> Iterator[None]:
    """A context in which blocks of the calling thread come from an allocator; None: as the process says."""
    before = heap.set_thread_mode(0 if name is None else prepare(name))
    try:
        yield
    finally:
        heap.set_thread_mode(before)


def migrate(name: str, percent: float = 100) -> None:
    """Moves a share of the runs that have no heap of their own to another allocator, evenly; with 100 also everything else.

        kr.allocator.migrate("jemalloc", percent=10)    # look at statistics(), then go on
        kr.allocator.migrate("jemalloc", percent=100)

    Raises:
        ValueError: there is no such name, or the percentage is not from 0 to 100.
        AllocatorError: it cannot be had in this process.
    """
    if not 0 <= percent <= 100:
        raise ValueError(f"percent must be from 0 to 100, not {percent!r}")
    number = prepare(name)
    if percent == 100:
        heap.set_process_mode(number, number, 0)
    else:
        heap.set_process_mode(heap.modes()[1], number, round(percent))


def moving() -> tuple[str, int] | None:
    """The allocator that runs are moved to, and the percentage; None when none are."""
    _, _, following, percent = heap.modes()
    return (NAMES[following - 1], percent) if percent else None


def from_environment() -> None:
    """Uses what KIMI_ALLOCATOR names. Raises ValueError, AllocatorError: see ``use``."""
    name = os.environ.get("KIMI_ALLOCATOR")
    if name:
        use(name)


# ---- figures ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class AllocatorStats:
    """What an allocator holds.

    Attributes:
        live: bytes in use; None where the allocator does not say.
        peak: the most that was seen by ``statistics``; None as before.
        resident: bytes that it holds of the system; None as before.
        made: blocks that it has made for this package's hook since the process began.
        rate: blocks a second since the last call of ``statistics``.
    """

    live: int | None
    peak: int | None
    resident: int | None
    made: int
    rate: float


class _Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


_seen: dict[str, tuple[float, int, int]] = {}


def statistics() -> dict[str, AllocatorStats]:
    """What each allocator that was used holds, by name."""
    heap.install()
    now = monotonic()
    found = {}
    for number, name in enumerate(NAMES, 1):
        made, _ = heap.mode_figures()[number]
        if not made and name not in ("pymalloc", "system", "guest"):
            continue
        live, resident = _FIGURES[name]()
        before, made_before, peak = _seen.get(name, (now, made, 0))
        peak = max(peak, live or 0)
        _seen[name] = now, made, peak
        found[name] = AllocatorStats(live, None if live is None else peak, resident, made,
                                     (made - made_before) / (now - before) if now > before else 0.0)
    return found


def _pymalloc() -> tuple[int | None, int | None]:
    return None, None       # CPython counts blocks only: sys.getallocatedblocks()


def _system() -> tuple[int | None, int | None]:
    try:
        mallinfo = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return None, None
    mallinfo.restype = _Mallinfo
    found = mallinfo()
    return found.uordblks + found.hblkhd, found.arena + found.hblkhd


def _guest() -> tuple[int | None, int | None]:
    figures = heap.figures()        # of the heaps of guests too: pages that are partly used count in full
    return figures["committed"], figures["committed"] + figures["kept"]


def _jemalloc() -> tuple[int | None, int | None]:
    control = _libraries["jemalloc"].mallctl
    arena = heap.jemalloc_arena()
    if arena is None:
        return None, None
    epoch = ctypes.c_uint64(1)
    control(b"epoch", None, None, ctypes.byref(epoch), ctypes.c_size_t(8))

    def read(name: str) -> int | None:
        value, size = ctypes.c_size_t(), ctypes.c_size_t(8)
        failed = control(f"stats.arenas.{arena[0]}.{name}".encode(), ctypes.byref(value), ctypes.byref(size), None,
                         ctypes.c_size_t(0))
        return None if failed else value.value

    small, large = read("small.allocated"), read("large.allocated")
    return None if small is None or large is None else small + large, read("resident")


def _mimalloc() -> tuple[int | None, int | None]:
    values = [ctypes.c_size_t() for _ in range(8)]
    try:
        _libraries["mimalloc"].mi_process_info(*map(ctypes.byref, values))
    except AttributeError:
        return None, None
    return None, values[5].value


_FIGURES = {"pymalloc": _pymalloc, "system": _system, "guest": _guest, "jemalloc": _jemalloc, "mimalloc": _mimalloc}
