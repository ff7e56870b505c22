"""What the host decides about time, randomness and environment of its guests: ``Policy``."""
from __future__ import annotations

import datetime
import os
import random

from .bridge.crossing import wrap_functions
from .library import times, zones  # type: ignore[attr-defined]
from .objects.clocks import GuestClock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["Policy"]

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


class Policy:
    """What guests see of clocks, randomness and environment: for ``Runtime(policy=...)``.

        >>> import kimi_runtime as kr
        >>> rt = kr.Runtime(policy=kr.Policy(clock=0.0, moves=False, timezone="UTC", seed=7, environment={"HOME": "/home/guest"}))
        >>> rt.run("import time, os; time.ctime(), os.environ['HOME']").value
        ('Thu Jan  1 00:00:00 1970', '/home/guest')

    Args:
        clock: where the wall clock of each guest begins: a datetime (without a zone it is UTC) or seconds since the epoch; or a
            function of the host that returns these seconds each time; None for the host's time.
        moves: whether the clocks go on as the host's do; otherwise only what the guest sleeps, and `step`, moves them.
        step: seconds that each reading of a clock takes besides, so that a program that waits for a time comes to it.
        timezone: name of the zone of local times, such as "Europe/Berlin"; None for the host's.
        sleep: "real"; "skip": a sleep ends at once, and the guest's clocks are moved by it; a number: the seconds that a sleep
            waits at most, the rest is skipped; or a function of the host that is called with the seconds, after which the
            guest's clocks have moved by them.
        seed: for `random`, `secrets`, `uuid` and `os.urandom`: each guest gets the same numbers; None for the host's randomness.
        environment: `os.environ` of the guests.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such time zone, or a number is out of range.
    """

    __slots__ = ("clock", "moves", "step", "timezone", "sleep", "seed", "environment", "zone", "_begins", "_source", "_sleep")

    def __init__(
        self,
        *,
        clock: datetime.datetime | float | Callable[[], float] | None = None,
        moves: bool = True,
        step: float = 0.0,
        timezone: str | None = None,
        sleep: str | float | Callable[[float], object] = "real",
        seed: int | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._begins, self._source = _beginning(clock)
        if not isinstance(step, (int, float)) or isinstance(step, bool):
            raise TypeError(f"step must be a number of seconds, not {type(step).__name__}")
        if not 0 <= step <= 1e6:
            raise ValueError(f"step must be between 0 and 1,000,000 seconds, not {step}")
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
            raise TypeError(f"seed must be an int or None, not {type(seed).__name__}")
        self.clock = clock
        self.moves = bool(moves)
        self.step = float(step)
        self.timezone = timezone
        self.zone = _zone(timezone)
        self.sleep = sleep
        self._sleep = _sleeping(sleep)
        self.seed = seed
        self.environment = _environment(environment)
        if clock is not None or timezone is not None or not moves:
            times.follow_clocks()

    @classmethod
    def replay(cls, seed: int = 0, *, start: datetime.datetime | float = 946684800.0, **others: Any) -> Policy:
        """Everything that differs from run to run is fixed: a program gives the same output each time.

        The clock begins at `start` (the year 2000), moves by a microsecond with each reading and by what is slept, and nothing is
        waited for; the zone is UTC.

        What no policy can fix: the order of sets of strings and `hash` of strings, which belong to the process (start the host
        with PYTHONHASHSEED=0; worker processes of isolation="process" have that), `id`, and what functions of the host return.
        """
        settings: dict[str, Any] = {"clock": start, "moves": False, "step": 1e-6, "timezone": "UTC", "sleep": "skip",
                                    "seed": seed}
        return cls(**(settings | others))

    def new_clock(self) -> GuestClock | None:
        """The clock of a new guest; None where it is the host's in all respects."""
        if self.clock is None and self.moves and not self.step and self.zone is None and self._sleep == "real":
            return None
        return GuestClock(self._source, self._begins, self.moves, round(self.step * 1e9), self._sleep, self.zone)

    def new_entropy(self) -> random.Random | None:
        """Where the random bytes of a new guest come from; None for the host's."""
        return None if self.seed is None else random.Random(self.seed)

    def to_value(self) -> dict[str, Any]:
        """The policy as plain data, for a guest in another process.

        Raises ValueError for one with functions of the host, which the guest could not reach.
        """
        for name in ("clock", "sleep"):
            if callable(getattr(self, name)):
                raise ValueError(f"policy: {name} is a function of the host, which isolation='process' cannot ask: "
                                 "give a time or a number instead")
        return {"clock": None if self.clock is None else self._begins, "moves": self.moves, "step": self.step,
                "timezone": self.timezone, "sleep": self.sleep, "seed": self.seed, "environment": self.environment}

    @classmethod
    def from_value(cls, value: dict[str, Any]) -> Policy:
        """The policy that ``to_value`` has given."""
        begins = value["clock"]
        made = cls(**{**value, "clock": None if begins is None else 0})
        made._begins = begins
        return made

    def __repr__(self) -> str:
        names = ("clock", "moves", "step", "timezone", "sleep", "seed", "environment")
        return f"Policy({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


def _beginning(clock: Any) -> tuple[int | None, Any]:
    """Nanoseconds since the epoch where a clock begins, or the function that tells it."""
    if clock is None:
        return None, None
    if isinstance(clock, datetime.datetime):
        given = clock if clock.tzinfo is not None else clock.replace(tzinfo=datetime.UTC)
        return (given - EPOCH) // datetime.timedelta(microseconds=1) * 1000, None
    if callable(clock):
        return None, wrap_functions({"clock": clock})["clock"]
    if not isinstance(clock, (int, float)) or isinstance(clock, bool):
        raise TypeError(f"clock must be a datetime, seconds since the epoch, a function or None, not {type(clock).__name__}")
    if not -6e10 <= clock <= 2.5e11:
        raise ValueError(f"clock must be a time of the years 69 to 9891, not {clock}")
    return int(clock * 1e9) if isinstance(clock, float) else clock * 1_000_000_000, None


def _zone(timezone: Any) -> Any:
    if timezone is None:
        return None
    if not isinstance(timezone, str):
        raise TypeError(f"timezone must be the name of a time zone or None, not {type(timezone).__name__}")
    if timezone == "UTC":
        return datetime.UTC
    import io
    import zoneinfo

    data = zones.read(timezone)
    if data is None:
        raise ValueError(f"timezone: there is no zone {timezone!r} on this machine (pip install tzdata has them all)")
    return zoneinfo.ZoneInfo.from_file(io.BytesIO(data), key=timezone)


def _sleeping(sleep: Any) -> Any:
    if sleep in ("real", "skip"):
        return sleep
    if callable(sleep):
        return wrap_functions({"sleep": sleep})["sleep"]
    if isinstance(sleep, str) or not isinstance(sleep, (int, float)) or isinstance(sleep, bool):
        raise TypeError(f"sleep must be 'real', 'skip', a number of seconds or a function, not {sleep!r}")
    if not sleep >= 0:
        raise ValueError(f"sleep must not be negative, and is {sleep}")
    return float(sleep)


def _environment(environment: Any) -> dict[str, str]:
    if environment is None:
        return {}
    if not hasattr(environment, "items"):
        raise TypeError(f"environment must be a mapping of names to values, not {type(environment).__name__}")
    found = dict(environment)
    for name, value in found.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(f"environment: names and values must be str, not {name!r}: {value!r}")
        if not name or "=" in name or "\0" in name + value:
            raise ValueError(f"environment: {name!r} cannot be a variable")
        os.fsencode(name), os.fsencode(value)
    return found
