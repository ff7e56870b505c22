"""What a guest program needs from the runtime, found in its source: modules, coroutines, files.

Cases that need what a later issue builds are expected to fail until it lands; the sets below are the switch.
"""

from __future__ import annotations

import ast

READY_MODULES = frozenset({"math", "time", "sys"})
READY_FACILITIES: frozenset[str] = frozenset({"input()"})
ABSENT_ON_PURPOSE = frozenset({"not_a_module_x"})  # the program checks that the import fails


def needs(source: str) -> list[str]:
    """Return the modules and facilities (`async`, `open()`, `input()`) that `source` uses, sorted.

    Source that the host cannot parse (newer grammar than the host's) needs nothing by definition.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or ".")
        elif isinstance(node, (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)):
            found.add("async")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("open", "input"):
            found.add(node.func.id + "()")
        elif isinstance(node, ast.Name) and node.id == "input":
            found.add("input()")
    return sorted(found - ABSENT_ON_PURPOSE)


def waits_for(source: str) -> list[str]:
    """Return those needs of `source` that this version does not serve yet."""
    return [need for need in needs(source) if need not in READY_MODULES | READY_FACILITIES]
