"""What makes the form smaller before a back end sees it."""
from __future__ import annotations

from .form import PURE, Function, Node


def remove_dead(function: Function) -> int:
    """Removes nodes without effect whose values nobody uses, in circles too; gives how many."""
    used: set[int] = set()
    todo: list[Node] = [node for block in function.blocks for node in block.nodes if node.op not in PURE]
    while todo:
        for arg in todo.pop().args:
            if id(arg) not in used:
                used.add(id(arg))
                todo.append(arg)
    removed = 0
    for block in function.blocks:
        kept = [node for node in block.nodes if node.op not in PURE or id(node) in used]
        removed += len(block.nodes) - len(kept)
        block.nodes = kept
    return removed


def remove_unreached(function: Function) -> int:
    """Removes blocks that nothing leads to; gives how many."""
    reached = {id(function.blocks[0])}
    todo = [function.blocks[0]]
    while todo:
        for node in todo.pop().nodes:
            targets = list(node.data) if node.op in ("branch", "ways") else [node.data] if node.op == "jump" else []
            if node.exit is not None:
                targets.append(node.exit)
            for block in targets:
                if id(block) not in reached:
                    reached.add(id(block))
                    todo.append(block)
    before = len(function.blocks)
    function.blocks = [block for block in function.blocks if id(block) in reached]
    for block in function.blocks:
        kept = [id(source) in reached for source in block.sources]
        if not all(kept):
            for node in block.nodes:
                if node.op == "phi":
                    node.args = [arg for arg, keep in zip(node.args, kept, strict=True) if keep]
            block.sources = [source for source, keep in zip(block.sources, kept, strict=True) if keep]
    return before - len(function.blocks)


def repeat_guards(function: Function) -> int:
    """Removes guards of what the same block has guarded already; gives how many."""
    removed = 0
    for block in function.blocks:
        held: set[int] = set()
        kept = []
        for node in block.nodes:
            if node.op == "guard":
                if id(node.args[0]) in held:
                    removed += 1
                    continue
                held.add(id(node.args[0]))
            kept.append(node)
        block.nodes = kept
    return removed


def tidy(function: Function) -> Function:
    """All of them."""
    remove_unreached(function)
    repeat_guards(function)
    remove_dead(function)
    return function
