"""The library of the guests: a catalog of modules, default deny, and the loader that makes them.

The loader itself is imported when a guest first asks for a module.
"""
from __future__ import annotations

import functools

from kimi_runtime import _core
from kimi_runtime.bridge import records
from kimi_runtime.objects.imports import use_library
from kimi_runtime.objects.intrinsics import use_cell_runner
from kimi_runtime.objects.type_params import use_shared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any


def _loader() -> Any:
    """The loader; those who ask for it get its functions from now on."""
    loader = _core.host_module("kimi_runtime.library.loader")
    use_library(loader.find, loader.is_public)
    use_shared(loader.import_shared)
    records.use_library(loader.import_shared, _zone_data)
    return loader


def _find_first(context: Any, name: str) -> ModuleType | None:
    found: ModuleType | None = _loader().find(context, name)
    return found


def _is_public_first(name: str) -> bool:
    found: bool = _loader().is_public(name)
    return found


def _import_shared(name: str) -> ModuleType:
    found: ModuleType = _loader().import_shared(name)
    return found


def _zone_data(key: str) -> bytes | None:
    data: bytes | None = _core.host_module("kimi_runtime.library.zones").read(key)
    return data


def suspendable() -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Guest functions that take the place of native functions and of native iterators while a run can be suspended: by what they
    stand for."""
    contents = vars(_import_shared("_suspendable"))
    calls = dict(contents["_CALLS"])
    for name, function in contents["_METHODS"]:
        owner, _, method = name.rpartition(".")
        home = {"list": list, "str": str, "set": set, "dict": dict}[owner] if owner else functools
        calls[vars(home)[method]] = function
    return calls, dict(contents["_ITERATORS"])


def _cell_runner() -> Any:
    return vars(_import_shared("asyncio.runners"))["_run_cell"]


def connect() -> None:
    """Lets the guests' ``import`` find library modules, and programs that await at their top level what runs them."""
    use_cell_runner(_cell_runner)
    use_shared(_import_shared)
    records.use_library(_import_shared, _zone_data)
    use_library(_find_first, _is_public_first)
