"""What makes the form smaller before a back end sees it."""
from __future__ import annotations

from .form import PURE, Block, Function, Node


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


#: What loops consist of that run without the interpreter lock: numbers, and registers of the frame that hold numbers.
FREE = frozenset(
    "address const phi and or xor shl ashr iadd isub fadd fsub fmul fdiv fneg eq ne lt le gt ge feq fne flt fle fgt fge "
    "to_double select fsqrt copysign to_whole c_double c_int to_int ordered tag_is not_owned below above under payload "
    "square add32 sdiv srem band bor fabs truncate add sub mul guard write sync tick branch jump slice_is_over "
    "float_mod float_floordiv power".split()
)


def free_loops(function: Function) -> int:
    """Marks the safepoints of loops that touch no objects: they let go of the interpreter lock, which is taken where code goes on
    elsewhere. Gives how many."""
    before: dict[int, list[Block]] = {}
    for block in function.blocks:
        for node in block.nodes:
            for to in list(node.data) if node.op in ("branch", "ways") else [node.data] if node.op == "jump" else []:
                before.setdefault(id(to), []).append(block)
    free: set[int] = set()
    marked = 0
    for block in function.blocks:
        ticks = [node for node in block.nodes if node.op == "tick"]
        if not ticks or block.nodes[-1].op != "jump":
            continue
        header: Block = block.nodes[-1].data
        body = {id(header): header, id(block): block}
        todo = [block]
        while todo:
            for source in before.get(id(todo.pop()), ()):
                if id(source) not in body:
                    body[id(source)] = source
                    todo.append(source)
        for source in before.get(id(header), ()):           # those that go round without a safepoint
            if id(source) in before and all(id(each) in body for each in before[id(source)]):
                body[id(source)] = source
        if id(function.blocks[0]) in body or not all(node.op in FREE for each in body.values() for node in each.nodes):
            continue
        ticks[0].data = (*ticks[0].data, True)
        free.update(body)
        marked += 1
    if marked:
        for block in function.blocks[1:]:
            if id(block) not in free and not (block.nodes and block.nodes[0].op == "ret"):
                at = sum(node.op == "phi" for node in block.nodes)
                block.nodes.insert(at, Node("take", [], ""))
                block.nodes[at].pc = block.nodes[at + 1].pc if at + 1 < len(block.nodes) else 0
    return marked


def tidy(function: Function) -> Function:
    """All of them."""
    remove_unreached(function)
    repeat_guards(function)
    remove_dead(function)
    free_loops(function)
    return function
