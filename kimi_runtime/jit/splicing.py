"""Which functions and generators become part of the code that calls them, by what a recording has seen to be called."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .region import FIELDS, LEFT, NAMES, ROLES, Part, Program

MOST_CALLEE = 60            # instructions of a function that is spliced
MOST_ALL = 400              # of all that are
MOST_LEVELS = 3
Known = dict[tuple[Any, int], Any]


def loader(program: Program, call: int, reg: int) -> int | None:
    """The instruction that has loaded what a CALL calls, when that is a name or a method."""
    part = program.part_of[call]
    for pc in range(call - 1, part.base - 1, -1):
        ins = program.instrs[pc]
        if NAMES[ins[0]] == "LOAD_METHOD" and ins[1] == reg:
            return pc
        for field, role in ROLES[ins[0]].items():
            if role == "out" and ins[FIELDS[field]] == reg:
                return pc if NAMES[ins[0]] == "LOAD_GLOBAL" else None
    return None


def fits(program: Program, nargs: int) -> bool:
    """Whether the body of a function can be part of another one's: short, without loops, called by its positional parameters."""
    figures = program.figures
    return (figures["simple"] and not figures["generator"] and not figures["cells"] and not figures["free"]
            and len(program.instrs) <= MOST_CALLEE and figures["parameters"] == nargs and program.seen(0)
            and not any(program.seen(pc) and (program.name(pc) in LEFT - {"RAISE"} or (program.target(pc) or pc + 1) <= pc)
                        for pc in range(len(program.instrs))))


def splice_calls(program: Program, known: Known, program_of: Callable[[Any], Program], banned: set[Any]) -> None:
    """Notes what calls are made of, and puts short functions in the place of calls."""
    pc = -1
    while pc + 1 < len(program.instrs):
        pc += 1
        name = program.name(pc)
        part = program.part_of[pc]
        if name not in ("CALL", "CALL_METHOD") or not program.seen(pc) or part.kind == "loop":
            continue
        n = program.calls[program.instrs[pc][3]]
        load = loader(program, pc, program.instrs[pc][2])
        if n < 0 or load is None:
            continue
        target = known.get((part.code, load - part.base))
        if isinstance(target, str):
            program.feeds[load] = target
            continue
        chain: list[Part] = []
        above: Part | None = part
        while above is not None:
            chain.append(above)
            above = above.parent
        if target is None or target in banned or len(chain) > MOST_LEVELS or any(each.code is target for each in chain) \
                or program.figures["generator"] or len(program.instrs) > MOST_ALL:
            continue
        nargs = n + (program.name(load) == "LOAD_METHOD")
        callee = program_of(target)
        if not fits(callee, nargs):
            continue
        made = program.splice(callee, pc, "call", program.instrs[pc][2] + 1)
        made.ret = program.instrs[pc][1]
        made.nargs = nargs
        program.feeds[load] = made


def splice_generators(program: Program, generators: dict[int, tuple[Any, int, list[int]]], program_of: Callable[[Any], Program],
                      banned: set[Any], kinds: list[int] | None) -> list[int] | None:
    """Puts generators that wait at a yield in the place of the loops over them. Gives the kinds of all registers at the entry."""
    root = program.parts[0]
    if kinds is None:
        return None
    found = list(kinds) + [0] * (program.registers - len(kinds))
    for pc in range(sum(part is root for part in program.part_of)):
        if program.name(pc) not in ("FOR_LOOP", "FOR_ITER") or not program.seen(pc) or root.figures["generator"]:
            continue
        generator = generators.get(program.instrs[pc][1])
        if generator is None or generator[0] in banned or generator[0] is root.code:
            continue
        code, at, masks = generator
        body = program_of(code)
        if at < 1 or body.name(at - 1) != "YIELD" or len(body.instrs) > MOST_CALLEE * 2 or body.figures["cells"]:
            continue
        made = program.splice(body, pc, "loop", program.registers)
        made.resumed = made.base + at
        found += [0] * (program.registers - len(found))
        found[made.offset:made.end] = masks
    return found + [0] * (program.registers - len(found))
