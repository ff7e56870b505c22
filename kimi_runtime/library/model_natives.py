"""Functions of the host that stand for natives which would tell a guest too much, or keep its objects for others."""
from __future__ import annotations

import functools
import importlib
import types
import weakref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def all_names(module: str) -> tuple[str, ...]:
    """All names of a C module that holds nothing but what a guest may have."""
    return tuple(name for name in dir(importlib.import_module(module)) if not name.startswith("__"))


def make_trees(context: Any) -> types.ModuleType:
    """``_trees``: what the guest's `_ast` makes its classes from."""
    from kimi_runtime.library import trees

    module = types.ModuleType("_trees")
    module.FLAGS, module.SCHEMA, module.register = dict(trees.FLAGS), trees.SCHEMA, trees.register  # type: ignore[attr-defined]
    return module


def no_registry(cls: type) -> Any:
    """``_abc._get_dump`` of a guest: refuses, since the classes of other guests could be among those registered."""
    raise RuntimeError("the registry of an abstract base class is not open to guests")


def getweakrefs(target: Any, /) -> list[Any]:
    """Return a list of all weak reference objects pointing to 'object'."""
    return [each for each in weakref.getweakrefs(target) if not _is_host_callback(each)]


def _is_host_callback(reference: Any) -> bool:
    callback = getattr(reference, "__callback__", None)
    return isinstance(callback, (types.FunctionType, types.MethodType)) and isinstance(
        getattr(callback, "__func__", callback), types.FunctionType)


lru_cache_wrapper = functools._lru_cache_wrapper
