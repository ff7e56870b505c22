"""Processors and memory nodes: which there are, and how threads are bound to them.

Binding is a wish: where the system does not let a thread choose its processors it runs where it is put, and says so once in the
log. Memory lies on the node of the processor that touches it first, so a worker that is bound before its first job has its stack,
its registers and the blocks of its runs near itself.
"""
from __future__ import annotations

import itertools
import logging
import os
from threading import Lock, local

from .containers import usable_processors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

__all__ = ["binder", "bind", "nodes", "parse_list"]

NODES = "/sys/devices/system/node"
_log = logging.getLogger("kimi_runtime.processors")
#: ``processors``: those that a thread was bound to, in that thread.
_bound = local()


def parse_list(text: str) -> tuple[int, ...]:
    """The numbers in a list of the kernel's form, such as ``0-3,8``. Raises ValueError for another form."""
    found: list[int] = []
    for part in text.strip().split(","):
        if part:
            first, _, last = part.partition("-")
            found.extend(range(int(first), int(last or first) + 1))
    return tuple(sorted(set(found)))


def nodes(folder: str = NODES) -> dict[int, tuple[int, ...]]:
    """The processors of each memory node; one node with all of them where the system does not tell."""
    found = {}
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        names = []
    for name in names:
        if name.startswith("node") and name[4:].isdigit():
            try:
                with open(os.path.join(folder, name, "cpulist")) as file:
                    found[int(name[4:])] = parse_list(file.read())
            except (OSError, ValueError):
                continue
    return found or {0: usable_processors()}


def bound() -> frozenset[int] | None:
    """The processors that ``bind`` has bound the calling thread to; None when it has not."""
    return getattr(_bound, "processors", None)


def bind_process(handle: int, processors: Iterable[int]) -> bool:
    """Binds a process to processors, before it has other threads than its first.

    Args:
        handle: a descriptor that stands for it (``pidfd_open``).
        processors: their numbers.

    Returns:
        Whether the system allowed it.
    """
    try:
        with open(f"/proc/self/fdinfo/{handle}") as file:
            pid = next(int(line.split()[1]) for line in file if line.startswith("Pid:"))
        if pid <= 0:
            return False        # it has ended, or is out of sight
        os.sched_setaffinity(pid, processors)
        return True
    except (AttributeError, OSError, StopIteration) as error:
        _log.info("a worker process cannot be bound to processors %s: %s", sorted(processors), error)
        return False


def bind(processors: Collection[int]) -> bool:
    """Binds the calling thread to processors. Returns whether the system allowed it."""
    try:
        os.sched_setaffinity(0, processors)
        _bound.processors = frozenset(processors)
        return True
    except (AttributeError, OSError, ValueError) as error:
        _log.info("threads cannot be bound to processors %s: %s", list(processors), error)
        return False


def chosen(cpus: Iterable[int] | None, numa_node: int | None, folder: str = NODES) -> tuple[int, ...]:
    """The processors that workers may use, of those that this process may use.

    Raises:
        TypeError, ValueError: there is no such node or processor.
    """
    usable = usable_processors()
    if cpus is not None and numa_node is not None:
        raise ValueError("give cpus or numa_node, not both")
    if cpus is not None:
        wanted = tuple(cpus)
        if not wanted or any(isinstance(each, bool) or not isinstance(each, int) or each < 0 for each in wanted):
            raise TypeError(f"cpus must be numbers of processors, not {wanted!r}")
        missing = sorted(set(wanted) - set(usable))
        if missing:
            raise ValueError(f"cpus: this process may not use processor {missing[0]}; it may use {list(usable)}")
        return tuple(sorted(set(wanted)))
    if numa_node is not None:
        known = nodes(folder)
        if isinstance(numa_node, bool) or not isinstance(numa_node, int):
            raise TypeError(f"numa_node must be an int, not {type(numa_node).__name__}")
        if numa_node not in known:
            raise ValueError(f"numa_node: there is no node {numa_node}; there are {sorted(known)}")
        found = tuple(each for each in known[numa_node] if each in usable)
        if not found:
            raise ValueError(f"numa_node: this process may use no processor of node {numa_node}")
        return found
    return usable


def binder(cpus: Iterable[int] | None, numa_node: int | None, spread: bool, folder: str = NODES) -> Callable[[int], None]:
    """What binds the threads of workers: called in each of them with its number.

    Args:
        cpus, numa_node: which processors, see ``chosen``.
        spread: one processor for each worker, in turn, those of different nodes first.

    Raises:
        TypeError, ValueError: see ``chosen``.
    """
    allowed = chosen(cpus, numa_node, folder)
    if not spread:
        return lambda number: None if bind(allowed) else None
    by_node = [[each for each in processors if each in allowed] for processors in nodes(folder).values()]
    turns = [each for row in itertools.zip_longest(*by_node) for each in row if each is not None] or list(allowed)
    lock, count = Lock(), itertools.count()

    def place(number: int) -> None:
        with lock:
            turn = next(count)
        bind((turns[turn % len(turns)],))

    return place
