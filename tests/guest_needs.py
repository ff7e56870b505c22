"""What a guest program needs from the runtime, found in its source: modules, coroutines, files.

Cases that need what a later issue builds are expected to fail until it lands; the sets below are the switch.
"""

from __future__ import annotations

import ast
import importlib.util

try:
    from kimi_runtime.library.catalog import SAFE

    READY_MODULES = SAFE | {"os.path"}  # a name that os itself puts into sys.modules
except ImportError:  # the extension modules are not built: every test is skipped
    READY_MODULES = frozenset()
READY_FACILITIES: frozenset[str] = frozenset({"async", "input()", "open()"})
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
    """Return those needs of `source` that this version does not serve yet, though the host does."""
    return [need for need in needs(source) if need not in READY_MODULES | READY_FACILITIES and not absent_on_host(need)]


def absent_on_host(need: str) -> bool:
    """Return whether a need is a module that the host has not got: the program fails in the same way on both."""
    return not need.endswith("()") and need != "async" and importlib.util.find_spec(need.partition(".")[0]) is None
