"""What of a code object is compiled together, and which registers its instructions read and write."""
from __future__ import annotations

from typing import Any

from ..bytecode.opcodes import NO_FALL_THROUGH, TABLE

NAMES = [op.name for op in TABLE]
ROLES = [{field: role for field, role in op.operands} for op in TABLE]
MOST_INSTRUCTIONS = 1500
#: What no compiled code contains: the interpreter goes on there.
LEFT = frozenset({
    "YIELD", "YIELD_FROM", "SAMPLE", "RAISE", "RAISE_FROM", "RAISE_CURRENT", "RERAISE", "RAISE_AS_IS", "POP_EXC", "EG_MATCH",
    "PREP_RERAISE_STAR", "SET_HANDLED", "WITH_LOAD", "ASYNC_WITH_LOAD", "WITH_EXCEPT_ARGS", "JNEXC_MATCH", "GET_AWAITABLE",
    "GET_AITER", "GET_ANEXT", "JEND_ASYNC_FOR", "IMPORT_NAME", "IMPORT_STAR", "IMPORT_FROM", "INTRINSIC", "LOAD_SUPER_METHOD",
    "SETUP_ANNOTATIONS", "GET_YIELD_FROM_ITER", "TRY_GETATTR",
})
FIELDS = {"a": 1, "b": 2, "c": 3, "imm": 4}


class Part:
    """Instructions of one code object in a program: its own, or those of a function whose body takes the place of a call.

    base: the first one.  offset: what its registers begin with.  first_site: of its cache sites.  first_temp, end: of its
    registers.  call: the CALL, or the loop over a generator, that it takes the place of.  ret: where the value of the call goes.
    nargs: of the call.  resumed: where a generator goes on.
    """

    __slots__ = ("base", "call", "code", "end", "figures", "first_site", "first_temp", "kind", "nargs", "offset", "parent",
                 "resumed", "ret")

    def __init__(self, base: int, offset: int, figures: Any, parent: Part | None = None, kind: str = "",
                 code: Any = None) -> None:
        self.base = base
        self.offset = offset
        self.figures = figures
        self.first_temp: int = offset + figures["first_temp"]
        self.end: int = offset + figures["registers"]
        self.parent = parent
        self.kind = kind
        self.code = code
        self.call = self.ret = self.resumed = -1
        self.nargs = self.first_site = 0


class Program:
    """A code object as the compiler sees it, with the functions that were spliced into it.

    instrs: (opcode, a, b, c, imm).  constants: numbers, or None; held: kinds of those that are objects.  kinds: four masks for
    each instruction.  calls: positional values of the call sites.  figures: see `hot_code` of the core.
    """

    __slots__ = ("addresses", "calls", "caught", "code", "constant_at", "constants", "feeds", "figures", "first_temp", "held",
                 "instrs", "kinds", "lazy", "part_of", "parts", "registers", "site_at", "spliced")

    def __init__(self, instrs: Any, constants: Any, figures: Any, kinds: Any, calls: Any, code: Any = None) -> None:
        self.instrs = list(instrs)
        self.constants = list(constants)
        self.held = list(figures["held"])
        self.figures = figures
        self.kinds = list(kinds)
        self.calls = list(calls)
        self.code = code
        self.first_temp: int = figures["first_temp"]
        self.registers: int = figures["registers"]
        self.addresses = [figures["instrs"] + 8 * i for i in range(len(self.instrs))]
        self.constant_at = [figures["consts"] + 16 * i for i in range(len(self.constants))]
        self.site_at = [figures["caches"] + figures["site"] * i for i in range(len(self.calls))]
        self.parts = [Part(0, 0, figures, code=code)]
        self.part_of = [self.parts[0]] * len(self.instrs)
        figures["addresses"] = self.addresses
        self.spliced: dict[int, Part] = {}      # by the calls that they take the place of
        self.caught: dict[int, Any] = {}        # of instructions that raise: see raising.py
        self.lazy: set[int] = set()             # loads of constants that only such an exception gets
        self.feeds: dict[int, Any] = {}         # what instructions load that calls are made of: a Part, or the name of a builtin

    def splice(self, other: Program, call: int, kind: str, offset: int) -> Part:
        """Puts the body of a function in the place of a call (or, of a generator, of a loop's resuming it)."""
        part = Part(len(self.instrs), offset, other.figures, self.part_of[call], kind, other.code)
        part.call = call
        part.first_site = len(self.calls)
        shifts = dict.fromkeys(("out", "in", "keep", "base"), offset)
        shifts |= {"const": len(self.constants), "cache": len(self.calls)}
        for ins in other.instrs:
            moved = list(ins)
            for field, role in ROLES[ins[0]].items():
                moved[FIELDS[field]] += shifts.get(role, 0)
            self.instrs.append(tuple(moved))
        self.constants += other.constants
        self.held += other.held
        self.kinds += other.kinds
        self.calls += other.calls
        self.addresses += other.addresses
        self.constant_at += other.constant_at
        self.site_at += other.site_at
        self.part_of += [part] * len(other.instrs)
        self.parts.append(part)
        self.spliced[call] = part
        self.registers = max(self.registers, part.end)
        return part

    def place(self, pc: int) -> int:
        """The instruction of the code object itself that an instruction belongs to: of what was spliced, the call."""
        part = self.part_of[pc]
        while part.parent is not None:
            pc, part = part.call, part.parent
        return pc

    def windows(self) -> list[tuple[int, int, int]]:
        """Of the generators that are part of it: which part, and its registers."""
        return [(number, part.offset, part.end) for number, part in enumerate(self.parts) if part.kind == "loop"]

    @property
    def careful(self) -> bool:
        """Whether nothing may run that could resume a generator whose registers are values of the form."""
        return any(part.kind == "loop" for part in self.parts)

    def name(self, pc: int) -> str:
        return str(NAMES[self.instrs[pc][0]])

    def seen(self, pc: int) -> bool:
        at = pc * 4
        return bool(self.kinds[at] | self.kinds[at + 1] | self.kinds[at + 2])

    def target(self, pc: int) -> int | None:
        """Where the instruction may jump to."""
        ins = self.instrs[pc]
        for field, role in ROLES[ins[0]].items():
            if role == "jump":
                way: int = ins[FIELDS[field]]
                if field == "c" and way >= 0x8000:
                    way -= 0x10000
                return pc + 1 + way
        return None

    def after_pair(self, pc: int) -> int | None:
        """Where a loop over pairs goes on when both parts went to their targets at once; see FOR_LOOP."""
        if self.name(pc) not in ("FOR_LOOP", "FOR_ITER"):
            return None
        body = self.target(pc) if self.name(pc) == "FOR_LOOP" else pc + 1
        if body is None or self.name(body) != "UNPACK2":
            return None
        return body + 1 if self.instrs[body][3] == self.instrs[pc][2] else None

    def after(self, pc: int) -> list[int]:
        """The instructions that may be executed next."""
        found = []
        name = self.name(pc)
        part = self.part_of[pc]
        spliced = self.spliced.get(pc)
        if spliced is not None:
            return [spliced.resumed if spliced.kind == "loop" else spliced.base]
        if part.parent is not None and name in ("RETURN", "RETURN_NONE"):
            return [part.call + 1] if part.kind == "call" else []
        if name == "YIELD" and part.kind == "loop":
            target = self.target(part.call) if self.name(part.call) == "FOR_LOOP" else part.call + 1
            return [] if target is None else [target]
        if pc in self.caught:
            return [self.caught[pc].goes_on]
        if name not in NO_FALL_THROUGH and pc + 1 < len(self.instrs):
            found.append(pc + 1)
        target = self.target(pc)
        if target is not None:
            found.append(target)
        pair = self.after_pair(pc)
        if pair is not None:
            found.append(pair)
        if name == "CALL" and pc + 2 < len(self.instrs) and self.name(pc + 1) == "GET_ITER":
            found.append(pc + 2)            # a range that is looped over: the iterator is made at once
        return list(dict.fromkeys(found))

    def released(self, pc: int) -> set[int]:
        """Registers whose objects the instruction gives up."""
        name = self.name(pc)
        part = self.part_of[pc]
        if pc in self.spliced and part.kind != "loop" and name != "FOR_LOOP" and name != "FOR_ITER":
            return {self.instrs[pc][1]}         # where the value goes; the arguments become the function's
        if part.parent is not None and name in ("RETURN", "RETURN_NONE"):
            return set(range(part.offset, part.first_temp)) | {part.ret}
        op, a, b, c, _imm = self.instrs[pc]
        values = {"a": a, "b": b, "c": c}
        found = self.consumed(pc) | {values[field] for field, role in ROLES[op].items() if role == "out"}
        if name in ("UNPACK", "LOAD_METHOD", "CLEAR"):
            found |= set(range(a, a + {"UNPACK": c, "LOAD_METHOD": 2, "CLEAR": b}[name]))
        if name in ("MOVE", "LOAD_METHOD", "YIELD"):
            found.discard(b)                    # moved
        if name == "YIELD" and part.kind == "loop":
            found.add(self.instrs[part.call][2])
        return found

    def signed(self, value: int) -> int:
        return value - 0x10000 if value >= 0x8000 else value

    def consumed(self, pc: int) -> set[int]:
        """Temporaries that are dead after the instruction, and own nothing."""
        op, a, b, c, _imm = self.instrs[pc]
        name = NAMES[op]
        values = {"a": a, "b": b, "c": c}
        part = self.part_of[pc]
        dead = {values[field] for field, role in ROLES[op].items() if role == "in" and values[field] >= part.first_temp}
        out = {values[field] for field, role in ROLES[op].items() if role == "out"}
        if name.startswith("UNPACK") or name == "GET_ITER":
            return set()
        if name in ("CALL", "CALL_METHOD", "CALL_EX"):
            dead = set(range(b, part.end))
            if name == "CALL" and self.name(min(pc + 1, len(self.instrs) - 1)) == "GET_ITER":
                it = self.instrs[pc + 1][1]
                dead -= {it, it + 1, it + 2}
        elif name in ("BUILD_LIST", "BUILD_TUPLE", "BUILD_SET", "BUILD_STRING", "BUILD_SLICE"):
            dead = set(range(b, b + c))
        elif name == "BUILD_MAP":
            dead = set(range(b, b + 2 * c))
        elif name == "LOAD_METHOD":
            out.add(a + 1)
        return dead - out

    def effects(self, pc: int) -> tuple[set[int], set[int]]:
        """Registers that the instruction reads, and those that it writes or consumes."""
        op, a, b, c, _imm = self.instrs[pc]
        name = NAMES[op]
        part = self.part_of[pc]
        every = set(range(part.offset, part.end))
        reads: set[int] = set()
        writes: set[int] = set()
        values = {"a": a, "b": b, "c": c}
        based = False
        if pc in self.caught:
            for at in self.caught[pc].way:
                more_reads, more_writes = self.effects(at)
                reads |= more_reads
                writes |= more_writes
        for field, role in ROLES[op].items():
            if role in ("in", "keep"):
                reads.add(values[field])
                if role == "in" and values[field] >= part.first_temp:
                    writes.add(values[field])
            elif role == "out":
                writes.add(values[field])
            elif role == "base":
                based = True
        if name == "CLEAR":
            writes |= set(range(a, a + b))
        elif name in ("BUILD_LIST", "BUILD_TUPLE", "BUILD_SET", "BUILD_STRING", "BUILD_SLICE"):
            reads |= set(range(b, b + c))
            writes |= set(range(b, b + c))
        elif name == "BUILD_MAP":
            reads |= set(range(b, b + 2 * c))
            writes |= set(range(b, b + 2 * c))
        elif name in ("CALL", "CALL_METHOD", "CALL_EX"):
            reads |= {r for r in every if r >= b}
            writes |= {r for r in every if r >= b} | {a}
            spliced = self.spliced.get(pc)
            if spliced is not None:
                writes |= set(range(spliced.offset, spliced.first_temp))
            if name == "CALL" and self.name(min(pc + 1, len(self.instrs) - 1)) == "GET_ITER":
                it = self.instrs[pc + 1][1]
                writes |= {it, it + 1, it + 2}
        elif name == "LOAD_METHOD":
            writes |= {a, a + 1}
        elif name == "GET_ITER":
            writes |= {a, a + 1, a + 2}
        elif name in ("FOR_LOOP", "FOR_ITER"):
            reads |= {a, a + 1, a + 2}
            writes |= {a, a + 1, a + 2}
            pair = self.after_pair(pc)
            if pair is not None:
                writes |= {self.instrs[pair - 1][1], self.instrs[pair - 1][2]}
        elif name == "UNPACK":
            writes |= set(range(a, a + c))
        elif based:
            low = min(values[field] for field, role in ROLES[op].items() if role == "base")
            low = min(low, part.first_temp) if name.startswith("UNPACK") else low
            reads |= {r for r in every if r >= low}
            writes |= {r for r in every if r >= low}
        return reads & every, writes & every


class Region:
    """Instructions that are compiled together, from an entry on: a whole function, or the loops around a loop header."""

    __slots__ = ("entry", "leaders", "members", "order", "program", "written")

    def __init__(self, program: Program, entry: int) -> None:
        self.program = program
        self.entry = entry
        forward = self._reach(entry)
        if entry == 0 and not any(0 in program.after(pc) for pc in forward):
            self.members = forward
        else:
            before: dict[int, list[int]] = {}
            for pc in forward:
                for to in program.after(pc):
                    before.setdefault(to, []).append(pc)
            self.members = {entry}
            todo = [entry]
            while todo:
                for pc in before.get(todo.pop(), ()):
                    if pc not in self.members:
                        self.members.add(pc)
                        todo.append(pc)
            if entry == 0:
                self.members = forward
        self.members = {pc for pc in self.members if program.seen(pc) and (
            program.name(pc) not in LEFT or pc in program.caught
            or (program.name(pc) == "YIELD" and program.part_of[pc].resumed == pc + 1))}
        self.leaders = {entry}
        for pc in self.members:
            after = program.after(pc)
            if len(after) != 1 or after[0] != pc + 1:
                self.leaders.update(after)
        self.leaders &= self.members
        self.order = self._order()
        self.written: set[int] = set()
        for pc in self.members:
            self.written |= program.effects(pc)[1]

    def _reach(self, start: int) -> set[int]:
        found = {start}
        todo = [start]
        while todo:
            for pc in self.program.after(todo.pop()):
                if pc not in found:
                    found.add(pc)
                    todo.append(pc)
        return found

    def last(self, leader: int) -> int:
        """The last instruction of the block that begins there."""
        pc = leader
        while True:
            after = self.program.after(pc)
            if after != [pc + 1] or pc + 1 in self.leaders or pc + 1 not in self.members:
                return pc
            pc += 1

    def _order(self) -> list[int]:
        """Leaders in reverse postorder: each before what is only reached through it."""
        seen: set[int] = set()
        done: list[int] = []
        stack: list[tuple[int, list[int]]] = []

        def push(leader: int) -> None:
            seen.add(leader)
            stack.append((leader, [pc for pc in self.program.after(self.last(leader)) if pc in self.members]))

        push(self.entry)
        while stack:
            leader, after = stack[-1]
            if after:
                pc = after.pop()
                if pc not in seen:
                    push(pc)
            else:
                done.append(leader)
                stack.pop()
        return done[::-1]

    def needed(self) -> set[int]:
        """Registers that are read before they are written, from the entry on."""
        program = self.program
        blocks = {leader: range(leader, self.last(leader) + 1) for leader in self.order}
        facts = {}
        for leader, pcs in blocks.items():
            reads: set[int] = set()
            writes: set[int] = set()
            for pc in pcs:
                r, w = program.effects(pc)
                reads |= r - writes
                writes |= w
            facts[leader] = (reads, writes)
        live: dict[int, set[int]] = {leader: set(facts[leader][0]) for leader in self.order}
        changed = True
        while changed:
            changed = False
            for leader in reversed(self.order):
                reads, writes = facts[leader]
                out: set[int] = set()
                for pc in program.after(blocks[leader][-1]):
                    out |= live.get(pc, set())
                found = reads | (out - writes)
                if found != live[leader]:
                    live[leader] = found
                    changed = True
        return live[self.entry]
