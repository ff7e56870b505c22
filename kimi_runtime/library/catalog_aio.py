"""Entries of the library: aio."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kimi_runtime.library.entries import Made, Native, Own, Source

ENTRIES: dict[str, Made | Native | Own | Source] = {}
