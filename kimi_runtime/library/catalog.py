"""All entries of the library: the groups put together."""
from __future__ import annotations

from kimi_runtime.library import catalog_aio, catalog_core, catalog_model, catalog_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kimi_runtime.library.entries import Made, Native, Own, Source

    Entry = Made | Native | Own | Source

GROUPS = (catalog_core, catalog_model, catalog_text, catalog_aio)


def _join() -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for group in GROUPS:
        for name, entry in group.ENTRIES.items():
            if name in found:
                raise ValueError(f"{group.__name__}: {name} is declared twice")
            found[name] = entry
    return found


ENTRIES = _join()
#: Names that guests may import unless the host says otherwise.
SAFE = frozenset(name for name, entry in ENTRIES.items() if entry.public)
