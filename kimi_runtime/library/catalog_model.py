"""Entries of the library: model."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kimi_runtime.library.entries import Made, Native, Own, Source

ENTRIES: dict[str, Made | Native | Own | Source] = {}
