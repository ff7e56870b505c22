"""The library of the guests: a catalog of modules, default deny, and the loader that makes them.

The loader itself is imported when a guest first asks for a module.
"""
from __future__ import annotations

from kimi_runtime.bridge import records
from kimi_runtime.objects.imports import use_library
from kimi_runtime.objects.type_params import use_shared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any


def _find_first(context: Any, name: str) -> ModuleType | None:
    from kimi_runtime.library import loader

    use_library(loader.find, loader.is_public)
    return loader.find(context, name)


def _is_public_first(name: str) -> bool:
    from kimi_runtime.library import loader

    use_library(loader.find, loader.is_public)
    return loader.is_public(name)


def _import_shared(name: str) -> ModuleType:
    from kimi_runtime.library import loader

    return loader.import_shared(name)


def _zone_data(key: str) -> bytes | None:
    from kimi_runtime.library import zones  # type: ignore[attr-defined]

    data: bytes | None = zones.read(key)
    return data


def suspendable() -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Guest functions that take the place of native functions and of native iterators while a run can be suspended: by what they
    stand for."""
    import functools

    contents = vars(_import_shared("_suspendable"))
    calls = dict(contents["_CALLS"])
    for name, function in contents["_METHODS"]:
        owner, _, method = name.rpartition(".")
        home = {"list": list, "str": str, "set": set, "dict": dict}[owner] if owner else functools
        calls[vars(home)[method]] = function
    return calls, dict(contents["_ITERATORS"])


def connect() -> None:
    """Lets the guests' ``import`` find library modules."""
    use_shared(_import_shared)
    records.use_library(_import_shared, _zone_data)
    use_library(_find_first, _is_public_first)
