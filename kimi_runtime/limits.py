"""What a run may use: ``Runtime(limits=Limits(...))``."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["Limits"]

UNITS = {"B": 1, "KB": 1000, "MB": 1000**2, "GB": 1000**3, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}


#: Sizes that can be a share of what the process may have.
SHARES = ("memory", "max_weight")


def parse_size(argument: str, value: Any) -> int | None:
    """A size in bytes.

    Args:
        argument: the name that errors show.
        value: None, a positive int, or text such as ``"64MB"`` (units B, KB, MB, GB of 1000 and KiB, MiB, GiB of 1024), or
            ``"75%"`` of the memory that the process may have: its container, or the machine where none has a limit.

    Raises:
        TypeError, ValueError: it is none of these.
    """
    if value is None:
        return None
    if isinstance(value, str) and value.endswith("%") and argument in SHARES:
        return share_of_memory(argument, value)
    if isinstance(value, str):
        number = value.rstrip("BKMGi").strip()
        unit = value[len(value.rstrip("BKMGi")):] or "B"
        try:
            size = int(float(number) * UNITS[unit])
        except (KeyError, ValueError, OverflowError):
            raise ValueError(f"limits: {argument}={value!r} is not a size; write a number of bytes or text such as "
                             f"'64MB' (units: {', '.join(UNITS)})") from None
    elif isinstance(value, int) and not isinstance(value, bool):
        size = value
    else:
        raise TypeError(f"limits: {argument} must be an int or a text such as '64MB', not {type(value).__name__}")
    if size <= 0:
        raise ValueError(f"limits: {argument} must be positive, not {value!r}; None means no limit")
    return size


def share_of_memory(argument: str, value: str) -> int:
    """Bytes of a share of the memory that the process may have, such as ``"75%"``. Raises ValueError when it is none."""
    from .containers import memory_limit

    try:
        share = float(value[:-1])
    except ValueError:
        share = 0.0
    if not 0 < share <= 100:
        raise ValueError(f"limits: {argument}={value!r} is not a share of memory; write one from above 0% to 100%")
    return max(1, int(memory_limit() * share / 100))


def check_number(argument: str, value: Any, kinds: tuple[type, ...]) -> Any:
    """The value, or None. Raises TypeError for another type, ValueError for what is not positive."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise TypeError(f"limits: {argument} must be a number or None, not {type(value).__name__}")
    if not 0 < float(value) < 1e9:  # type: ignore[arg-type]
        raise ValueError(f"limits: {argument} must be positive and below 10**9, not {value!r}; None means no limit")
    return value


def check_count(argument: str, value: Any) -> int | None:
    """The value, or None. Raises TypeError when it is no int, ValueError when it is not positive."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"limits: {argument} must be an int or None, not {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"limits: {argument} must be positive, not {value!r}; None means no limit")
    return value


EXPLANATIONS = {
    "seconds": "the run took longer than its limit of {:g} seconds",
    "cpu_seconds": "the run used more than its limit of {:g} seconds of processor time",
    "instructions": "the run executed more than its limit of {:,} instructions",
    "memory": "the run holds more than its limit of {:,} bytes of memory",
    "output": "the run wrote more than its limit of {:,} bytes of output",
    "result_size": "the value of the run is larger than the limit of {:,} bytes",
    "host_seconds": "the run spent more than its limit of {:g} seconds in functions of the host",
    "host_calls": "the run called host functions more often than its limit of {:,} times",
    "source_size": "the source is longer than the limit of {:,} allows",
}


REFUSED_MEMORY = "a request for memory would have brought the run over its limit of {:,} bytes"


#: What becomes another object whenever limits that exist are changed: until then, what was made for them still holds.
CHANGES = [object()]


class Limits:
    """What one run may use. None means no limit; what is not given has a default that is on.

    A run that uses up a limit of time, instructions or output is stopped. No guest code runs any more after that, no
    handler, ``finally`` or finalizer; what was printed stays readable, and ``Result.error`` names the limit.

    Args:
        seconds: wall time, compiling and waiting for functions of the host not included.
        cpu_seconds: processor time of all threads of the run together.
        memory: bytes that the guest holds at a time: an int, or text such as "64MB"; or "75%" of the memory that the container
            lets the process have, which follows when that changes.
        instructions: bytecode instructions; an item that native code takes from an endless iterator counts as one.
        recursion: depth of guest calls; one too many is a RecursionError of the guest.
        output: bytes of UTF-8 written to stdout and stderr together: an int, or text such as "1MB".
        result_size: bytes of the value that the host gets: an int, or text such as "1MB".
        host_calls: calls of functions and objects of the host.
        host_seconds: wall time that these may take together. A call is not interrupted: when it returns the run is stopped.
        source_size: length of a source, in characters or bytes as it is given: an int, or text such as "1MB".
        files_size: bytes that the guest's files may hold, what the host has given not counted: an int, or text such as "10MB".
        files_count: files and folders that there may be in the guest's file system.
        open_files: files that may be open at a time.

    Raises:
        TypeError, ValueError: a value is of another type, or not positive.
    """

    __slots__ = ("seconds", "cpu_seconds", "memory", "instructions", "recursion", "output", "result_size", "host_calls",
                 "host_seconds", "source_size", "files_size", "files_count", "open_files")

    seconds: float | None
    cpu_seconds: float | None
    memory: int | None
    instructions: int | None
    recursion: int | None
    output: int | None
    result_size: int | None
    host_calls: int | None
    host_seconds: float | None
    source_size: int | None
    files_size: int | None
    files_count: int | None
    open_files: int | None

    def __new__(cls, *, memory: int | str | None = None, **others: Any) -> Limits:
        if cls is Limits and isinstance(memory, str) and memory.endswith("%"):
            cls = SharedLimits
        return object.__new__(cls)

    def __init__(
        self,
        *,
        seconds: float | None = 30.0,
        cpu_seconds: float | None = None,
        memory: int | str | None = "256MB",
        instructions: int | None = None,
        recursion: int | None = 1000,
        output: int | str | None = "16MB",
        result_size: int | str | None = "64MB",
        host_calls: int | None = 1_000_000,
        host_seconds: float | None = 600.0,
        source_size: int | str | None = "2MB",
        files_size: int | str | None = "64MB",
        files_count: int | None = 10_000,
        open_files: int | None = 256,
    ) -> None:
        put = object.__setattr__
        put(self, "seconds", check_number("seconds", seconds, (int, float)))
        put(self, "cpu_seconds", check_number("cpu_seconds", cpu_seconds, (int, float)))
        put(self, "memory", parse_size("memory", memory))
        put(self, "recursion", check_number("recursion", recursion, (int,)))
        put(self, "instructions", check_count("instructions", instructions))
        put(self, "host_calls", check_count("host_calls", host_calls))
        put(self, "host_seconds", check_number("host_seconds", host_seconds, (int, float)))
        put(self, "output", parse_size("output", output))
        put(self, "result_size", parse_size("result_size", result_size))
        put(self, "source_size", parse_size("source_size", source_size))
        put(self, "files_size", parse_size("files_size", files_size))
        put(self, "files_count", check_count("files_count", files_count))
        put(self, "open_files", check_count("open_files", open_files))

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        CHANGES[0] = object()

    def __repr__(self) -> str:
        return f"Limits({', '.join(f'{name}={getattr(self, name)!r}' for name in Limits.__slots__)})"

    def lowered(self, total: Limits, used: Mapping[str, float]) -> Limits:
        """These limits, each no higher than what is left of a total. A limit that is used up is the smallest possible.

        Args:
            total: for all runs together.
            used: what earlier runs have used, by the name of the limit; others of the total do not count.
        """
        given = {name: getattr(self, name) for name in Limits.__slots__}
        totals = {}
        for name, amount in used.items():
            most = getattr(total, name)
            if most is None:
                continue
            left = most - amount
            if given[name] is None or left < given[name]:
                given[name] = max(left, 1e-6 if name == "seconds" else 1)
                totals[name] = most
        lowered = LoweredLimits(**given)
        object.__setattr__(lowered, "totals", totals)
        return lowered

    def explain(self, limit: str, refused: bool = False) -> str:
        """What a run that was stopped by a limit gets as its error message. refused: by one request for memory."""
        if limit == "cancelled":
            return "the host cancelled the run"
        value = getattr(self, limit)
        text = REFUSED_MEMORY if refused else EXPLANATIONS[limit]
        return f"{text.format(value)} (limits: {limit}={value!r})"


class LoweredLimits(Limits):
    """Limits of which some are what is left of a total."""

    __slots__ = ("totals",)

    totals: dict[str, Any]

    def explain(self, limit: str, refused: bool = False) -> str:
        """As ``Limits.explain``; names the total where that is what was used up."""
        if limit not in self.totals:
            return super().explain(limit, refused)
        most = self.totals[limit]
        return f"the runs of the session together have used up their limit: {limit}={most!r} in all"


class SharedLimits(Limits):
    """Limits whose memory is a share of what the process may have."""

    __slots__ = ("share", "__weakref__")

    share: str

    def __init__(self, *, memory: str, **others: Any) -> None:
        from .containers import follow

        super().__init__(memory=memory, **others)
        object.__setattr__(self, "share", memory)
        follow(self)

    def container_changed(self, limit: int) -> None:
        """The process may have another amount of memory from now on."""
        self.memory = share_of_memory("memory", self.share)

    def __reduce__(self) -> tuple[Any, ...]:
        given = {name: getattr(self, name) for name in Limits.__slots__}
        return _made, ({**given, "memory": self.share},)


def _made(given: dict[str, Any]) -> Limits:
    return Limits(**given)


#: What runs may use when the host says nothing.
DEFAULT = Limits()
NONE = Limits(seconds=None, memory=None, recursion=None, output=None, result_size=None, host_calls=None,
              host_seconds=None, source_size=None, files_size=None, files_count=None, open_files=None)
