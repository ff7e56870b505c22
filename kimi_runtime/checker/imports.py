"""Imports that a guest may not do, or that find nothing."""
from __future__ import annotations

from collections.abc import Callable

from .program import Program, catches, kind

FORGIVING = frozenset({"ImportError", "ModuleNotFoundError", "Exception"})


def look(program: Program, missing: Callable[[str], str | None]) -> None:
    """Reports imports of modules that the guest does not get.

    Args:
        program: what is checked.
        missing: returns the message of the ImportError for a dotted name, or None when there is such a module.
    """
    tried = _tried(program)
    for node, _ in program.nodes:
        if kind(node) == "Import":
            names = [each.name for each in node.names]
        elif kind(node) == "ImportFrom" and not node.level and node.module:
            names = [node.module]
        else:
            continue
        for name in names:
            message = missing(name)
            if message is not None and id(node) not in tried:
                program.report("import-not-allowed", message, node)


def _tried(program: Program) -> set[int]:
    """Imports in a try that takes the ImportError."""
    found: set[int] = set()
    for node, _ in program.nodes:
        if kind(node) != "Try" or not any(catches(each, FORGIVING) for each in node.handlers):
            continue
        found.update(id(each) for each in node.body)
    return found
