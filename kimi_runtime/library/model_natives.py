"""What is done to modules of the model group beyond their entries: makers of natives, and finishing touches."""
from __future__ import annotations

import collections
import importlib
import types

from kimi_runtime.library.caches import GuestDict
from kimi_runtime.library.guarded import source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def all_names(module: str) -> tuple[str, ...]:
    """All names of a C module that holds nothing but what a guest may have."""
    return tuple(name for name in dir(importlib.import_module(module)) if not name.startswith("__"))


def make_trees(context: Any) -> types.ModuleType:
    """``_trees``: what the guest's `_ast` makes its classes from."""
    from kimi_runtime.library.trees import FLAGS, SCHEMA, register

    module = types.ModuleType("_trees")
    module.__dict__.update({"FLAGS": dict(FLAGS), "SCHEMA": SCHEMA, "register": register})
    return module


def make_sources(context: Any) -> types.ModuleType:
    """``_sources``: the texts of the guest's own files, and of the library's, by file name."""
    module = types.ModuleType("_sources")
    module.__dict__["get"] = source_of
    return module


# ---- after a module ran ----------------------------------------------------------------------------------
def finish_collections(module: types.ModuleType) -> None:
    """`collections.abc` is there without an import of its own, as in every process of CPython."""
    from kimi_runtime.library import loader

    loader.import_shared("collections.abc")


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


def finish_types(module: types.ModuleType) -> None:
    """Types that the module takes from objects which are not the interpreter's own here."""
    contents = module.__dict__
    contents["ModuleType"] = types.ModuleType
    contents["MemberDescriptorType"] = types.MemberDescriptorType


def finish_warnings(module: types.ModuleType) -> None:
    """Tracebacks do not show the functions that CPython has in C in the place of those of its file."""
    from kimi_runtime._core import hide_function

    for name in ("warn", "warn_explicit"):
        hide_function(module.__dict__[name])
