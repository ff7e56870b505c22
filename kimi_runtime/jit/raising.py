"""Exceptions that are raised and handled in the same code without anybody having seen them: no object is made for these.

``raise ValueError(i)`` with ``except ValueError:`` around it, in the function or in one that it is part of, is a jump when what
the handler does until it is left touches numbers only. Nothing but numbers in variables has changed then, so where the handler
could not go on, code leaves at the instruction *before* the exception was made, and the interpreter raises it.
"""
from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from .form import Node
from .kinds import PLAIN
from .region import FIELDS, NAMES, ROLES, Part, Program

if TYPE_CHECKING:
    from .build import Builder, State

PREFIX = "exc."
MOST_STEPS = 40
#: What a handler may do: with numbers these have no effect but on their register.
QUIET = frozenset({
    "NOP", "MOVE", "DUP", "LOADK", "LOAD_INT", "LOAD_BOOL", "LOAD_NONE", "NEG", "POS", "INVERT", "NOT", "ADD", "SUB", "MUL",
    "DIV", "MOD", "FLOORDIV", "IADD", "ISUB", "IMUL", "IDIV", "IMOD", "IFLOORDIV", "AND", "OR", "XOR", "IAND", "IOR", "IXOR",
    "LSHIFT", "RSHIFT", "ADD_I", "SUB_I", "MUL_I", "MOD_I", "FLOORDIV_I", "LSHIFT_I", "RSHIFT_I", "AND_I", "IADD_I", "ISUB_I",
    "ADD_K", "SUB_K", "MUL_K", "DIV_K", "MOD_K", "RADD_K", "RSUB_K", "RMUL_K", "RDIV_K", "EQ", "NE", "LT", "LE", "GT", "GE",
    "LOAD_FREE",
})


class Caught:
    """A RAISE and the way through its handler.

    origin: the instruction at which the interpreter goes on when the way cannot be gone: the RAISE, or the CALL before it
    that makes the exception.  part: of the handler.  temp_top: the registers from here on are emptied.  way: instructions of
    the handler.  goes_on: the instruction after it.
    """

    __slots__ = ("goes_on", "origin", "part", "temp_top", "way")

    def __init__(self, origin: int, part: Part, temp_top: int, way: list[int], goes_on: int) -> None:
        self.origin = origin
        self.part = part
        self.temp_top = temp_top
        self.way = way
        self.goes_on = goes_on


def handler_of(program: Program, pc: int) -> tuple[Part, int, int] | None:
    """The part that handles what an instruction raises, the first instruction of its handler, and from which register on all
    are emptied."""
    part = program.part_of[pc]
    while True:
        at = pc - part.base
        for start, end, handler, temp_top, _exc_reg in part.figures["handlers"]:
            if start <= at < end:
                inside = any(low <= at < high and not low <= handler < high for low, high in part.figures["spans"])
                return None if inside else (part, part.base + handler, part.offset + temp_top)
        if part.kind != "call" or part.parent is None:
            return None
        pc, part = part.call, part.parent


def find(program: Program, known: dict[tuple[Any, int], Any]) -> None:
    """Notes the instructions of a program that raise what a handler of its own takes."""
    for pc in range(len(program.instrs)):
        if program.name(pc) == "RAISE" and program.seen(pc) and program.part_of[pc].kind != "loop":
            caught = _caught(program, pc, known)
            if caught is not None:
                program.caught[pc] = caught


def _written(program: Program, before: int, reg: int) -> int | None:
    """The instruction that has written a register last."""
    part = program.part_of[before]
    for pc in range(before - 1, part.base - 1, -1):
        ins = program.instrs[pc]
        if any(role == "out" and ins[FIELDS[field]] == reg for field, role in ROLES[ins[0]].items()):
            return pc
    return None


def _exception(program: Program, pc: int, known: dict[tuple[Any, int], Any]) -> str | None:
    """The name of the exception class that an instruction was seen to load."""
    part = program.part_of[pc]
    what = known.get((part.code, pc - part.base)) if program.name(pc) == "LOAD_GLOBAL" else None
    return what if isinstance(what, str) and what.startswith(PREFIX) else None


def _caught(program: Program, pc: int, known: dict[tuple[Any, int], Any]) -> Caught | None:
    """How a RAISE is handled, when that is simple enough."""
    where = handler_of(program, pc)
    made = _written(program, pc, program.instrs[pc][1])
    if where is None or made is None:
        return None
    loaded, origin, lazy = made, pc, []
    if program.name(made) == "CALL" and made == pc - 1:
        n = program.calls[program.instrs[made][3]]
        base = program.instrs[made][2]
        found = _written(program, made, base)
        if n < 0 or found is None:
            return None
        loaded, origin = found, made
        lazy = [_written(program, made, base + 1 + i) for i in range(n)]
    name = _exception(program, loaded, known)
    if name is None:
        return None
    part, at, temp_top = where
    way: list[int] = []
    classes: dict[int, tuple[str, ...]] = {}
    while len(way) < MOST_STEPS:
        if program.part_of[at] is not part or not program.seen(at):
            return None
        way.append(at)
        op, a, b, c, _ = program.instrs[at]
        if NAMES[op] == "POP_EXC":
            program.feeds[loaded] = name
            for load in way:
                other = _exception(program, load, known)
                if other is not None:
                    program.feeds[load] = other
            program.lazy.update(load for load in lazy if load is not None and program.name(load) == "LOADK")
            return Caught(origin, part, temp_top, way, at + 1)
        if NAMES[op] == "JUMP":
            target = program.target(at)
            if target is None or target <= at:
                return None
            at = target
            continue
        if NAMES[op] == "LOAD_GLOBAL":
            other = _exception(program, at, known)
            if other is None:
                return None
            classes[a] = (other,)
        elif NAMES[op] == "BUILD_TUPLE" and all(b + i in classes for i in range(c)):
            classes[a] = tuple(each for i in range(c) for each in classes[b + i])
        elif NAMES[op] == "JNEXC_MATCH":
            if b not in classes:
                return None
            if not issubclass(_class(name), tuple(map(_class, classes[b]))):
                target = program.target(at)
                if target is None or target <= at:
                    return None
                at = target
                continue
        elif NAMES[op] not in QUIET:
            return None
        at += 1
    return None


def _class(name: str) -> type[BaseException]:
    found: type[BaseException] = getattr(builtins, name.removeprefix(PREFIX))
    return found


# ---- to the form -------------------------------------------------------------------------------------------
def raised(b: Builder, pc: int, name: str, a: int, *_: int) -> Any:
    """RAISE: of the class that its register holds; anything else is left to the interpreter."""
    caught = b.program.caught.get(pc)
    if caught is not None and caught.origin == pc and _is_class(b, a) and _handle(b, pc, caught, 1):
        return True
    b.block.add("jump", [], data=b.leave(pc, "an exception"))
    return True


def made(b: Builder, pc: int, base: int, site: int) -> Any:
    """CALL of an exception class whose value the next instruction raises."""
    caught = b.program.caught.get(pc + 1)
    if caught is None or caught.origin != pc or not _is_class(b, base):
        return NotImplemented
    regs = range(base + 1, base + 1 + b.program.calls[site])
    if any(b.state.slots[reg][0] not in PLAIN for reg in regs):
        return NotImplemented
    if not _handle(b, pc, caught, 2):
        b.block.add("jump", [], data=b.leave(pc, "an exception"))
    return True


def _is_class(b: Builder, reg: int) -> bool:
    kind, node, _ = b.state.slots[reg]
    return kind == "fn" and str(b.functions.get(id(node), "")).startswith(PREFIX)


def _handle(b: Builder, pc: int, caught: Caught, executed: int) -> bool:
    """Goes the way through the handler. False: it cannot be gone; what was added to the form then has no effect."""
    before: State = b.state.copy()
    part: Part | None = b.program.part_of[pc]
    slots = b.state.slots
    emptied = range(caught.temp_top, caught.part.end)
    while part is not None and part is not caught.part:
        emptied = range(min(emptied.start, part.offset), max(emptied.stop, part.end))
        part = part.parent
    if any(slots[reg][0] not in PLAIN for reg in emptied):
        return False
    for reg in emptied:
        slots[reg] = ("k", None, False)
    b.state.done += executed
    b.origin = caught.origin, before
    b.ft = caught.part.first_temp
    try:
        if not all(_quiet(b, at) for at in caught.way):
            b.state = before
            return False
    finally:
        b.origin = None
        b.pc = pc
        b.ft = b.program.part_of[pc].first_temp
    for reg in range(caught.temp_top, caught.part.end):
        b.state.slots[reg] = ("k", None, False)
    b.go(caught.goes_on, b.block, b.state)
    return True


def _quiet(b: Builder, at: int) -> bool:
    """One instruction of a handler; whether it was lowered."""
    from .lowering import TABLE
    from .objects import callee

    name = b.program.name(at)
    op, a, r, c, imm = b.program.instrs[at]
    b.pc = at
    b.state.done += 1
    if name in ("JUMP", "POP_EXC", "JNEXC_MATCH", "BUILD_TUPLE"):
        return True
    if name == "LOAD_GLOBAL":
        part = b.program.part_of[at]
        node: Node
        if part.parent is None:
            node = b.block.add("global", [], "ptr", c)
        else:
            node = b.block.add("global_of", [b.funcs[part]], "ptr", c - part.first_site)
        callee(b, node, b.program.feeds[at], b.leave(at, "a name stands for something else"))
        return True
    values = {"a": a, "b": r, "c": c}
    for field, role in ROLES[op].items():
        if role in ("out", "in", "keep") and b.state.slots[values[field]][0] not in PLAIN - {"fn"}:
            return False
    before = b.block
    done = TABLE[name](b, at, name, a, r, c, imm)
    return done is False and b.block is before
