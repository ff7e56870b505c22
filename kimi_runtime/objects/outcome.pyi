from typing import Any

from ..errors import GuestError

class Outcome:
    value: Any
    error: GuestError | None
    _stdout: list[str | bytes] | None
    _stderr: list[str | bytes] | None
    _files: Any
    _observer: Any
    _program: Any
    _late: list[str | bytes] | None
    _costs: tuple[float, float, float, int, int, bool, int, bool]
