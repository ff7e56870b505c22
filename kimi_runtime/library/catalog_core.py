"""Entries of the library that are bound to the interpreter itself."""
from __future__ import annotations

from kimi_runtime.library import made
from kimi_runtime.library.entries import Made, Own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kimi_runtime.library.entries import Native, Source

ENTRIES: dict[str, Made | Native | Own | Source] = {
    "__future__": Made(made.make_future),
    "builtins": Made(made.make_builtins),
    "_guest_imports": Made(made.make_guest_imports, public=False),
    "importlib": Own("importlib.py", shared=False, package=True),
    "math": Made(made.make_math),
    "sys": Made(made.make_sys),
    "time": Made(made.make_time),
}
