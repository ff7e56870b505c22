"""Functions of the host that stand for natives which would tell a guest too much, or keep its objects for others."""
from __future__ import annotations

import collections
import importlib
import types
import weakref

from kimi_runtime.library.caches import GuestDict, lru_cache_wrapper

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
    module.__dict__.update({"FLAGS": dict(trees.FLAGS), "SCHEMA": trees.SCHEMA, "register": trees.register})
    return module


def make_sources(context: Any) -> types.ModuleType:
    """``_sources``: the texts of the guest's own files, and of the library's, by file name."""
    from kimi_runtime.library import loader
    from kimi_runtime.objects.context import running_context
    from kimi_runtime.syntax.source import SourceFile, decode_source

    def get(filename: str) -> str | None:
        """The text of a file, or None."""
        guest = running_context()
        text = None if guest is None else guest.source_of(filename)
        if text is None:
            text = loader.source_of(filename)
        if isinstance(text, SourceFile):
            text = text.read()
        return decode_source(text, filename) if isinstance(text, bytes) else text

    module = types.ModuleType("_sources")
    module.__dict__["get"] = get
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


# ---- after a module ran ----------------------------------------------------------------------------------
def finish_functools(module: types.ModuleType) -> None:
    """total_ordering sets these names each time; once they are set, the functions can be read-only."""
    for pairs in module.__dict__["_convert"].values():
        for name, function in pairs:
            function.__name__ = name


def finish_typing(module: types.ModuleType) -> None:
    """The functions that `overload` decorated are each guest's own."""
    if "_overload_registry" in module.__dict__:
        module.__dict__["_overload_registry"] = GuestDict(_overloads)


def _overloads() -> Any:
    return collections.defaultdict(lambda: collections.defaultdict(dict))


def finish_inspect(module: types.ModuleType) -> None:
    """The names of a guest's modules by file are its own."""
    for name in ("modulesbyfile", "_filesbymodname"):
        module.__dict__[name] = GuestDict()
