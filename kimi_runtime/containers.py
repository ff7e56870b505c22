"""What the container, or the machine, lets this process have: memory and processors, read from cgroups v2 and v1.

    >>> import kimi_runtime as kr
    >>> kr.containers.processors() >= 1, kr.containers.memory_limit() > 0
    (True, True)

A limit of a parent group counts like one of the process's own group. The host's own figures are used only where no group has a
limit.
"""
from __future__ import annotations

import math
import os
import weakref
from threading import Lock, Thread
from time import monotonic, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Protocol

__all__ = ["Container", "Memory", "available_memory", "container", "follow", "look", "memory", "memory_limit", "pressure",
           "processors", "use"]

#: Seconds for which what was read of processors and limits holds.
KEPT_SECONDS = 1.0
#: cgroup v1 says "no limit" by the largest number of pages.
UNLIMITED = 1 << 60


class Memory:
    """The memory that this process may have.

    Attributes:
        limit: bytes; of the group that has the least left, or of the machine.
        used: bytes in use of that; for a group, without file pages that the kernel can drop at once.
        current: the same with these pages.
        source: the file that the limit is from.
        is_container: whether a group has set it.
    """

    __slots__ = ("limit", "used", "current", "source", "is_container")

    def __init__(self, limit: int, used: int, current: int, source: str, is_container: bool) -> None:
        self.limit = limit
        self.used = used
        self.current = current
        self.source = source
        self.is_container = is_container

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Memory):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __repr__(self) -> str:
        return f"Memory({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"

    @property
    def left(self) -> int:
        """Bytes that are not in use."""
        return max(0, self.limit - self.used)


class Container:
    """Reads the files.

    Args:
        root: the folder that holds ``proc`` and ``sys``.
    """

    def __init__(self, root: str = "/") -> None:
        self.root = root
        self._kept: dict[str, tuple[float, Any]] = {}

    # ---- files -----------------------------------------------------------------------------------------------
    def text(self, *path: str) -> str | None:
        """The text of a file; None when it cannot be read."""
        try:
            with open(os.path.join(self.root, *path)) as file:
                return file.read().strip()
        except (OSError, UnicodeDecodeError):
            return None

    def number(self, folder: str, name: str) -> int | None:
        """The number in a file; None when there is none, or it says that there is no limit."""
        text = self.text(folder, name)
        if text is None or not text.isdigit():
            return None
        return int(text) if int(text) < UNLIMITED else None

    def groups(self, controller: str) -> Iterator[tuple[str, int]]:
        """The folders of the process's group and its parents, from the inside out, with the version of cgroups (2, 1)."""
        lines = (self.text("proc/self/cgroup") or "").splitlines()
        mounts = list(self._mounts())
        for version in (2, 1):
            for line in lines:
                number, _, rest = line.partition(":")
                names, _, path = rest.partition(":")
                if (version == 2) != (names == "") or version == 1 and controller not in names.split(","):
                    continue
                for kind, root, point, options in mounts:
                    if kind != ("cgroup2" if version == 2 else "cgroup") or version == 1 and controller not in options:
                        continue
                    yield from ((folder, version) for folder in self._upwards(path, root, point))
                    break

    def _mounts(self) -> Iterator[tuple[str, str, str, list[str]]]:
        """Kind, root in the file system, mount point (without the first slash) and options of each mount of cgroups."""
        text = self.text("proc/self/mountinfo")
        for line in (text or "").splitlines():
            before, _, after = line.partition(" - ")
            fields, more = before.split(), after.split()
            if len(fields) > 5 and len(more) > 2 and more[0] in ("cgroup", "cgroup2"):
                yield more[0], fields[3], fields[4].lstrip("/"), more[2].split(",")
        if text is None:
            yield "cgroup2", "/", "sys/fs/cgroup", []
            yield "cgroup", "/", "sys/fs/cgroup/memory", ["memory"]
            for name in ("cpu,cpuacct", "cpu"):
                yield "cgroup", "/", f"sys/fs/cgroup/{name}", ["cpu"]

    def _upwards(self, path: str, root: str, point: str) -> Iterator[str]:
        inside = path
        if root != "/":     # only a part of the tree is mounted
            inside = path[len(root):] if path == root or path.startswith(root + "/") else "/"
        parts = [part for part in inside.split("/") if part and part != ".."]
        while True:
            folder = os.path.join(point, *parts)
            if os.path.isdir(os.path.join(self.root, folder)):
                yield folder
            if not parts:
                return
            parts.pop()

    # ---- memory ----------------------------------------------------------------------------------------------
    def memory(self) -> Memory:
        """The memory at this moment."""
        found = None
        for folder, version in self.groups("memory"):
            names = ("memory.max", "memory.high") if version == 2 else ("memory.limit_in_bytes",)
            limits = [(limit, name) for name in names if (limit := self.number(folder, name)) is not None]
            if not limits:
                continue
            limit, name = min(limits)
            current = self.number(folder, "memory.current" if version == 2 else "memory.usage_in_bytes") or 0
            used = max(0, current - self._droppable(folder, version))
            if found is None or limit - used < found.limit - found.used:
                found = Memory(limit, used, current, "/" + os.path.join(folder, name), True)
        return found or self._machine()

    def _droppable(self, folder: str, version: int) -> int:
        """Bytes of file pages that nobody has used for a while."""
        name = "inactive_file" if version == 2 else "total_inactive_file"
        for line in (self.text(folder, "memory.stat") or "").splitlines():
            key, _, value = line.partition(" ")
            if key == name and value.isdigit():
                return int(value)
        return 0

    def _machine(self) -> Memory:
        figures = {}
        for line in (self.text("proc/meminfo") or "").splitlines():
            name, _, value = line.partition(":")
            figures[name] = int(value.split()[0]) * 1024 if value.split() else 0
        total = figures.get("MemTotal") or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        left = figures.get("MemAvailable", total)
        return Memory(total, total - left, total - left, "/proc/meminfo", False)

    def pressure(self) -> float | None:
        """Percentage of the last ten seconds in which something waited for memory (``some avg10``); None where nobody tells."""
        for folder, version in self.groups("memory"):
            if version == 2 and (text := self.text(folder, "memory.pressure")) is not None:
                return _average(text)
        text = self.text("proc/pressure/memory")
        return None if text is None else _average(text)

    # ---- processors ------------------------------------------------------------------------------------------
    def quota(self) -> float | None:
        """The processors' worth of time that the process may use; None without a quota. Weights are no limit."""
        found = None
        for folder, version in self.groups("cpu"):
            if version == 2:
                quota, _, period = (self.text(folder, "cpu.max") or "max").partition(" ")
            else:
                quota = self.text(folder, "cpu.cfs_quota_us") or "-1"
                period = self.text(folder, "cpu.cfs_period_us") or ""
            if quota.isdigit() and int(quota) > 0:
                share = int(quota) / (int(period) if period.isdigit() and int(period) else 100_000)
                found = share if found is None else min(found, share)
        return found

    def processors(self) -> int:
        """How many processors the process can keep busy: those it may run on, and no more than its quota, rounded up."""
        return self._keep("processors", self._count)  # type: ignore[no-any-return]

    def _count(self) -> int:
        usable = len(usable_processors())
        quota = self.quota()
        return usable if quota is None else max(1, min(usable, math.ceil(quota - 1e-9)))

    def memory_limit(self) -> int:
        """Bytes of memory that the process may have. What was read a second ago still holds."""
        return self._keep("limit", lambda: self.memory().limit)  # type: ignore[no-any-return]

    def _keep(self, name: str, read: Any) -> Any:
        now = monotonic()
        kept = self._kept.get(name)
        if kept is None or now - kept[0] > KEPT_SECONDS:
            kept = self._kept[name] = (now, read())
        return kept[1]

    def forget(self) -> None:
        """Reads everything anew when it is next asked for."""
        self._kept.clear()


def _average(text: str) -> float | None:
    for word in text.split("\n")[0].split():
        name, _, value = word.partition("=")
        if name == "avg10":
            try:
                return float(value)
            except ValueError:
                return None
    return None


def usable_processors() -> tuple[int, ...]:
    """The numbers of the processors that this process may run on."""
    try:
        return tuple(sorted(os.sched_getaffinity(0)))
    except (AttributeError, OSError):
        return tuple(range(os.cpu_count() or 1))


# ---- what follows the container --------------------------------------------------------------------------------
#: Seconds between two looks for another limit, while something depends on it.
FOLLOW_SECONDS = 1.0


if TYPE_CHECKING:
    class Follower(Protocol):
        """What depends on the memory or the processors that the process may have."""

        def container_changed(self, limit: int) -> None:
            """There is another limit of memory, or another number of processors. limit: bytes of memory."""


class Following:
    """Tells what depends on the container when it changes. A thread looks for that as long as something asks for it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.followers: weakref.WeakSet[Follower] = weakref.WeakSet()
        self.watched: weakref.WeakSet[Follower] = weakref.WeakSet()     # for whose sake there is a thread
        self.looked = 0.0
        self.thread: Thread | None = None
        self.seen: tuple[int, int] | None = None

    def add(self, follower: Follower, watch: bool) -> None:
        """From now on it is told. It is not kept alive by that."""
        with self.lock:
            self.followers.add(follower)
            if self.seen is None:
                self.seen = self.figures()
            if watch:
                self.watched.add(follower)
            if watch and self.thread is None:
                self.thread = Thread(target=self.follow, name="kimi-container", daemon=True)
                try:
                    self.thread.start()
                except RuntimeError:  # no thread can be had: nothing follows, and the figures stay as they are
                    self.thread = None

    def figures(self) -> tuple[int, int]:
        return _current.memory_limit(), _current.processors()

    def follow(self) -> None:
        while True:
            sleep(FOLLOW_SECONDS)
            with self.lock:
                if not self.watched:
                    self.thread = None
                    return
            self.look()

    def look(self) -> bool:
        """Looks now. Returns whether something has changed."""
        self.looked = monotonic()
        figures = self.figures()
        if figures == self.seen:
            return False
        self.seen = figures
        with self.lock:
            followers = list(self.followers)
        for follower in followers:
            follower.container_changed(figures[0])
        return True


_following = Following()


def follow(follower: Follower, watch: bool = True) -> None:
    """Has an object told when the container lets the process have more or less.

    Args:
        follower: the object; its ``container_changed`` is called with the bytes of memory.
        watch: whether a thread looks for that once a second; otherwise it is told when something else looks.
    """
    _following.add(follower, watch)


def look_if_due() -> None:
    """Looks for changes, unless somebody has done so in the last second."""
    if _following.followers and monotonic() - _following.looked > FOLLOW_SECONDS:
        _following.look()


def look() -> bool:
    """Looks for changes now. Returns whether there are any."""
    _current.forget()
    return _following.look()


def _after_fork() -> None:
    _following.lock = Lock()
    _following.thread = None


os.register_at_fork(after_in_child=_after_fork)

_current = Container()


def container() -> Container:
    """The one that the functions of this module, and the package, ask."""
    return _current


def use(other: Container) -> Container:
    """Has the package ask another one: for tests, and for hosts that know better. Returns the one before."""
    global _current
    before, _current = _current, other
    return before


def processors() -> int:
    """See ``Container.processors``."""
    return _current.processors()


def memory() -> Memory:
    """See ``Container.memory``."""
    return _current.memory()


def memory_limit() -> int:
    """See ``Container.memory_limit``."""
    return _current.memory_limit()


def available_memory() -> int:
    """Bytes that the process can still have: the least of all its groups, or the machine's where no group has a limit."""
    return _current.memory().left


def pressure() -> float | None:
    """See ``Container.pressure``."""
    return _current.pressure()
