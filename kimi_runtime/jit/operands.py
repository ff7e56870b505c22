"""What the lowering of instructions has in common: operands by what is known of them, results, jumps."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .form import Node
from .kinds import OBJECTS, OF_MASK

if TYPE_CHECKING:
    from .build import Builder

EXACT = 1 << 53
UNBOX = {"i": "unbox_int", "f": "unbox_float", "b": "unbox_bool"}


def known(b: Builder, pc: int, reg: int, field: int) -> str:
    """The kind of a register; one in memory is looked at, if it was always of one kind here."""
    kind = b.state.slots[reg][0]
    if kind not in ("m", "k", "o"):
        return kind
    seen = OF_MASK.get(b.program.kinds[pc * 4 + field])
    if seen is None or (kind == "k" and seen not in ("i", "f", "b")) or (kind == "o" and seen not in OBJECTS):
        return kind
    if seen in ("i", "f", "b"):
        b.state.slots[reg] = (seen, b.load(reg, seen, b.leave(pc, "another kind of operand")), False)
    elif seen in OBJECTS or seen == "listit":
        b.check_kind(reg, seen, b.leave(pc, "another type of operand"))
        b.state.slots[reg] = (seen, None, False)
    else:
        return kind
    return seen


def value(b: Builder, reg: int) -> Node:
    node = b.state.slots[reg][1]
    assert node is not None
    return node


def as_float(b: Builder, pc: int, node: Node, kind: str) -> Node:
    if kind == "f":
        return node
    if node.op == "const":
        return b.constant(float(node.data))
    low = b.block.add("iadd", [node, b.constant(EXACT)], "i64")
    b.block.add("guard", [b.block.add("below", [low], "i1", 2 * EXACT)], exit=b.leave(pc, "an int that is no exact float"))
    return b.block.add("to_double", [node], "f64")


def numbers(b: Builder, pc: int, reg: int, field: int) -> tuple[str, Node] | None:
    kind = known(b, pc, reg, field)
    return (kind, value(b, reg)) if kind in ("i", "f", "b") else None


def finish(b: Builder, a: int, kind: str, node: Node, *consumed: int) -> bool:
    for reg in consumed:
        if reg != a:
            b.consume(reg)
    b.set(a, kind, node)
    return False


def branch(b: Builder, test: Node, yes_name: str, no_name: str, when: bool = True) -> tuple[Any, Any]:
    """Two new blocks that the current one ends in: where it goes when the test is `when`, and where otherwise."""
    yes, no = b.function.block(yes_name), b.function.block(no_name)
    yes.sources.append(b.block)
    no.sources.append(b.block)
    b.block.add("branch", [test], data=(yes, no) if when else (no, yes))
    return yes, no


def split(b: Builder, pc: int, test: Node, when: bool) -> bool:
    """Jumps when the test is `when`; what is consumed is consumed already."""
    to = b.program.target(pc)
    assert to is not None
    b.state.done += 1
    yes, no = branch(b, test, f"jump{to}", f"on{pc + 1}", when)
    other = b.state.copy()
    b.go(to, yes, other, pc if to <= pc else None)
    b.go(pc + 1, no, b.state)
    return True


def object_type(b: Builder, item: Node, kind: str, way_out: Any) -> None:
    """Leaves unless the object is of just that type; for "o", if a register would hold it as a number."""
    if kind == "o":
        b.block.add("stays_object", [item], exit=way_out)
    else:
        b.block.add("guard", [b.block.add("is_a", [item], "i1", kind)], exit=way_out)
