"""Names of types by their addresses, for blocks of memory."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["type_names"]


def type_names(sampler: Any) -> dict[int, str]:
    """Address -> name of every type that there is."""
    found: dict[int, str] = {}
    todo: list[type] = [object]
    while todo:
        each = todo.pop()
        if id(each) in found:
            continue
        name = type.__dict__["__qualname__"].__get__(each)
        module = each.__dict__.get("__module__", "")
        found[id(each)] = name if module in ("builtins", "", "__main__") or not isinstance(module, str) else f"{module}.{name}"
        todo += type.__subclasses__(each)
    return found
