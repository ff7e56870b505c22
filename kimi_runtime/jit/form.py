"""The form between bytecode and back ends: values in static single assignment, blocks, guards.

A `Function` is a list of `Block`; a block is a list of `Node`, the last of which leaves it. A node is at once an operation and
the value that it gives. Where a value may not be what the code was made for, a node has an exit: a block that brings the frame's
registers up to date and leaves for the interpreter. Nothing here knows of LLVM.

====================  ====================================================================================================
``const``             data: a number                     ``phi``         args: a value for each of the block's `sources`
``c_double c_int``    data: a function of the C library or the core, of numbers
``add sub mul``       int64; with an exit: on overflow    ``fadd`` …      doubles
``eq ne lt le gt ge`` int64 to bool; ``feq`` … doubles    ``guard``       args: a bool; exit unless it is true
``tag payload``       of register data, from memory      ``write``       data: (register, kind); args: the value, if any
``replace``           as ``write``, and the old value is released
``step``              data: instruction; executes it by the interpreter's own body; gives its outcome
``sync``              data: n; args: count, ticks: adds them to what the VM has counted
``tick``              data: (where it goes on, after the jump); a safepoint; gives its outcome; with True as a third one it may
                      let go of the interpreter lock, which ``take`` takes again
``branch jump ret``   leave the block
``global``            data: site; what the name stands for, or NULL, by the site's cache
``callee``            args: such a value; it, as a function of plain code (data) that may be called now
``call_plain``        args: the function, values; exit: it has left, and frames are to be made
``spill``             of a plain function: what its frame would be is written for `make_frames`
====================  ====================================================================================================
"""
from __future__ import annotations

from typing import Any

#: What has no effect and may be removed, or be computed once.
PURE = frozenset(
    "address const phi and or xor shl ashr iadd isub fadd fsub fmul fdiv fneg eq ne lt le gt ge feq fne flt fle fgt fge "
    "to_double select fsqrt copysign to_whole c_double c_int to_int ordered "
    "tag_is not_owned object type_is object_is below above under payload square add32 tuple_item sdiv srem band "
    "bor result deep fabs truncate is_a there bound constant_at itself param constant_object same length item".split()
)


class Node:
    """An operation and its value.

    op: see the module.  args: nodes.  type: of the value: "i64", "f64", "i1", "ptr", "i32" or "".  data: what belongs to the
    operation.  exit: the block for when it does not hold, or None.  pc: the instruction that it is for.
    """

    __slots__ = ("args", "data", "exit", "number", "op", "pc", "type")

    def __init__(self, op: str, args: list[Node], type: str, data: Any = None, exit: Block | None = None) -> None:
        self.op = op
        self.args = args
        self.type = type
        self.data = data
        self.exit = exit
        self.number = -1
        self.pc = 0


class Block:
    """Nodes that are executed one after the other. sources: the blocks that come here, in the order of the arguments of phis."""

    __slots__ = ("cold", "function", "label", "nodes", "sources")

    def __init__(self, function: Function, label: str, cold: bool = False) -> None:
        self.function = function
        self.label = label
        self.nodes: list[Node] = []
        self.sources: list[Block] = []
        self.cold = cold

    def add(self, op: str, args: list[Node], type: str = "", data: Any = None, exit: Block | None = None) -> Node:
        node = Node(op, args, type, data, exit)
        node.pc = self.function.pc
        self.nodes.append(node)
        return node


class Function:
    """What is compiled together: blocks[0] is where it is entered.  pc: the instruction whose nodes are being added."""

    __slots__ = ("blocks", "name", "pc", "steps")

    def __init__(self, name: str) -> None:
        self.name = name
        self.blocks: list[Block] = []
        self.steps = 0
        self.pc = 0

    def block(self, label: str, cold: bool = False) -> Block:
        made = Block(self, f"{label}_{len(self.blocks)}", cold)
        self.blocks.append(made)
        return made

    def nodes(self) -> int:
        return sum(len(block.nodes) for block in self.blocks)


def dump(function: Function) -> str:
    """The form as text."""
    number = 0
    for block in function.blocks:
        for node in block.nodes:
            node.number = number
            number += 1
    lines = [f"function {function.name}"]
    for block in function.blocks:
        came = ", ".join(source.label for source in block.sources)
        lines.append(f"{block.label}:{'  ; from ' + came if came else ''}")
        for node in block.nodes:
            if node.op == "const" :
                continue
            args = [repr(arg.data) if arg.op == "const" else f"%{arg.number}" for arg in node.args]
            if isinstance(node.data, tuple) and node.data and isinstance(node.data[0], Block):
                args += [target.label for target in node.data]
            elif isinstance(node.data, Block):
                args.append(node.data.label)
            elif node.data is not None:
                args.append(repr(node.data))
            value = f"%{node.number}:{node.type} = " if node.type else ""
            way_out = f"  else {node.exit.label}" if node.exit is not None else ""
            lines.append(f"    {value}{node.op} {', '.join(args)}{way_out}")
    return "\n".join(lines) + "\n"
