"""Names that nobody defines."""
from __future__ import annotations

import difflib
from typing import Any

from .program import ALWAYS_THERE, FUNCTIONS, LOAD, STORE, Program, catches, children, is_star_import, kind, parameters

FORGIVING = frozenset({"NameError", "UnboundLocalError"})


def look(program: Program) -> None:
    """Reports the names that no assignment, input, function of the host or builtin has."""
    known = {*program.known, *ALWAYS_THERE, *program.top.own}
    for block in {id(each): each for each in (*program.blocks.values(), *program.type_blocks.values())}.values():
        known |= block.globals
    if any(is_star_import(node) or _makes_names(node, block) for node, block in program.nodes):
        return
    tried = forgiven(program) | _never_evaluated(program)
    reported: set[tuple[str, int]] = set()
    for node, block in program.nodes:
        if kind(node) != "Name" or node.ctx == STORE or node.id in known or id(node) in tried:
            continue
        if block.home(node.id) is not None or block.mangled(node.id) in known:
            continue
        if (node.id, node.lineno) in reported:
            continue
        if block.kind == "class" and node.id in ("__module__", "__qualname__"):
            continue
        reported.add((node.id, node.lineno))
        near = difflib.get_close_matches(node.id, sorted((known | visible(block)) - {node.id}), 1, 0.75)
        program.report("undefined-name", f"name {node.id!r} is not defined", node, f"did you mean {near[0]!r}?" if near else None)


def visible(block: Any) -> set[str]:
    """Names of the functions around a block."""
    found: set[str] = set()
    while block is not None:
        found |= block.own
        block = block.parent
    return found


def _makes_names(node: Any, block: Any) -> bool:
    """Whether the node may define names that the text does not show: it runs other text, or has the module's namespace."""
    if kind(node) != "Call" or kind(node.func) != "Name" or node.keywords:
        return False
    name, arguments = node.func.id, len(node.args)
    return (name == "exec" and arguments < 2 or name == "globals" or name in ("vars", "locals") and not arguments
            and block.parent is None)


def forgiven(program: Program) -> set[int]:
    """Names that are tried: an enclosing try takes the NameError."""
    found: set[int] = set()
    for node, _ in program.nodes:
        if kind(node) not in ("Try", "TryStar") or not any(catches(each, FORGIVING) for each in node.handlers):
            continue
        waiting = list(node.body)
        while waiting:
            each = waiting.pop()
            if kind(each) == "Name" and each.ctx == LOAD:
                found.add(id(each))
            waiting.extend(child for child, _ in program.parts(each, program.blocks.get(each, program.top)))
    return found


def _never_evaluated(program: Program) -> set[int]:
    """Names in annotations of a function's variables, and in all where the program says so by the future import."""
    later = any(kind(node) == "ImportFrom" and node.module == "__future__"
                and any(each.name == "annotations" for each in node.names) for node in program.tree.body)
    roots: list[Any] = []
    for node, block in program.nodes:
        if kind(node) == "AnnAssign" and (later or block.kind == "function"):
            roots.append(node.annotation)
        elif later and kind(node) in FUNCTIONS:
            roots += [each.annotation for each in parameters(node.args) if each.annotation is not None]
            roots += [node.returns] if node.returns is not None else []
    found: set[int] = set()
    while roots:
        node = roots.pop()
        found.add(id(node))
        roots.extend(children(node))
    return found
