"""Builds the form of a region: follows its blocks, with what each register holds known as far as it can be.

A number lives in a value of the form, and is written to its register only where the frame must be up to date: when code is left,
at a safepoint, and before the interpreter's own bodies run. An object always lies in its register, which owns it as ever. So
whatever looks at the frame sees what it would see otherwise, and references need no accounts of their own.

What a register holds is a slot, (kind, node, dirty): ``i`` ``f`` ``b`` ``n`` number or None as a value, dirty when the register
is not up to date; ``u`` nothing, and known to be empty; ``r`` the next item of a range; ``k`` something that owns nothing, in the
register; ``list`` ``tuple`` … ``listit`` an object of just that type; ``o`` an object of any type; ``m`` anything.
"""
from __future__ import annotations

from typing import Any

from . import lowering
from .form import Block, Function, Node
from .kinds import (
    ANY,
    HOT_LEFT,
    HOT_REFUSED,
    KEPT,
    LISTIT,
    MOST_TRIES,
    OBJECTS,
    OF_MASK,
    PLAIN,
    TAGS,
    VALUE_TYPES,
    Slot,
)
from .region import Part, Program, Region
from .resting import rest


class NotSpliced(Exception):
    """A part has an instruction that only the interpreter executes, for which a frame is needed."""


#: The reason of exits that are no fault of what was assumed.
SAFEPOINT = "a safepoint"


class NotCompiled(Exception):
    """The region is not worth compiling, or cannot be; the text says why."""


Tail = tuple[Block, Node, Node, Node]        # and in it: what was executed, ticks, and where to go on


class State:
    """What is known at a point: the slots, and what was executed since the VM counted, as a value and a number."""

    __slots__ = ("count", "done", "slots", "ticks")

    def __init__(self, slots: list[Slot], count: Node, ticks: Node, done: int = 0) -> None:
        self.slots = slots
        self.count = count
        self.ticks = ticks
        self.done = done

    def copy(self) -> State:
        return State(list(self.slots), self.count, self.ticks, self.done)


class Builder:
    """Builds one function. exits: the instructions at which code is left, by the number of the exit."""

    plain = False           # see plain.py
    pc = 0                  # the instruction that is being lowered

    def __init__(self, program: Program, region: Region, kinds: list[int] | None, targets: dict[int, Any] | None = None) -> None:
        self.program = program
        self.region = region
        self.kinds = kinds
        self.ft = program.first_temp
        self.widened: dict[int, dict[int, str]] = {}
        self.exits: list[tuple[int, str]] = []
        self.targets = {} if targets is None else targets       # what global sites stand for: a Plain, or the name of a builtin
        self.stepped: list[int] = []
        self.origin: tuple[int, State] | None = None    # where all exits leave, while a handler is gone through: see raising.py

    # ---- the whole ---------------------------------------------------------------------------------------
    def build(self) -> Function:
        for _ in range(MOST_TRIES):
            self.again = False
            made = self._build()
            if not self.again:
                return made
        raise NotCompiled("the kinds of its registers do not settle")

    def _build(self) -> Function:
        program, region = self.program, self.region
        self.function = Function(f"{program.figures['name']}@{region.entry}")
        self.exits = []
        self.stepped = []
        self.cells: dict[int, Node] = {}
        self.functions: dict[int, Any] = {}     # what nodes of kind fn stand for
        self.exit_blocks: dict[Any, Block] = {}
        self.tails: dict[Any, Tail] = {}
        self.places: dict[int, Block] = {}
        self.incoming: dict[int, list[tuple[Block, State]]] = {}
        self.headers: dict[int, tuple[State, list[Node | None], Node, Node]] = {}
        self.rank = {leader: i for i, leader in enumerate(region.order)}
        retreating = set()
        for leader in region.order:
            for pc in program.after(region.last(leader)):
                if pc in self.rank and self.rank[pc] <= self.rank[leader]:
                    retreating.add(pc)
        self.retreating = retreating
        self.block = self.function.block("entry")
        self.zero = self.constant(0)
        self.zero32 = self.block.add("const", [], "i32", 0)
        self.funcs: dict[Any, Node] = {}        # the functions of spliced parts
        self.state = State([ANY] * program.registers, self.zero, self.zero32)
        self._enter()
        self.go(region.entry, self.block, self.state)
        for leader in region.order:
            if leader in self.incoming:
                self._block(leader)
        for leader, (state, phis, count, ticks) in self.headers.items():
            self._close(leader, state, phis, count, ticks)
        return self.function

    def _enter(self) -> None:
        """Checks what the code is made for: nothing was done yet, so it is refused otherwise."""
        refuse = self.function.block("refuse", cold=True)
        refuse.add("ret", [], data=HOT_REFUSED)
        kinds = self.kinds
        slots = self.state.slots
        root = self.program.parts[0]
        for reg in range(root.end, self.program.registers):
            slots[reg] = KEPT                               # above the frame there is nothing
        if len(self.program.parts) > 1:
            self._enter_parts(refuse)
        if self.region.entry == 0:
            for reg in range(self.program.figures["parameters"], root.end):
                slots[reg] = KEPT                           # a window that was just made
        if kinds is None:
            return
        needed = self.region.needed()
        for reg, mask in enumerate(kinds):
            kind = OF_MASK.get(mask)
            if reg in needed and kind in VALUE_TYPES:
                if slots[reg][0] == "i":
                    continue                                # of a range that is looped over
                slots[reg] = (kind, self.load(reg, kind, refuse), False)
                if kind == "r":
                    for more in (reg + 1, reg + 2):
                        slots[more] = ("i", self.load(more, "i", refuse), False)
            elif reg in needed and kind is not None:
                self.check_kind(reg, kind, refuse)
                slots[reg] = (kind, None, False)
                if kind == "listit":
                    slots[reg + 1] = ("i", self.load(reg + 1, "i", refuse), False)
            elif mask < LISTIT and reg in self.region.written and slots[reg] == ANY:
                self.block.add("guard", [self.block.add("not_owned", [], "i1", reg)], exit=refuse)
                slots[reg] = KEPT

    def _enter_parts(self, refuse: Block) -> None:
        """Room for the frames of spliced functions, and the generators whose bodies are part of the code."""
        program = self.program
        calls = [part for part in program.parts if part.kind == "call"]
        if calls:
            deep = 0
            for part in calls:
                levels = 0
                above: Part | None = part
                while above is not None:
                    levels += 1
                    above = above.parent
                deep = max(deep, levels)
            end = max(part.end for part in calls)
            self.block.add("guard", [self.block.add("fits", [], "i1", (end, deep + 1))], exit=refuse)
        for number, part in enumerate(program.parts):
            if part.kind == "loop":
                self.block.add("window", [], data=(number, program.instrs[part.call][1], part.figures["instrs"]), exit=refuse)
                self.block.add("guard", [self.block.add("suspended", [], "i1", (program.instrs[part.call][1], part.resumed))],
                               exit=refuse)
                for reg in range(part.offset, part.end):
                    self.state.slots[reg] = ANY

    # ---- values ------------------------------------------------------------------------------------------
    def constant(self, value: int | float) -> Node:
        return self.block.add("const", [], "f64" if isinstance(value, float) else "i64", value)

    def load(self, reg: int, kind: str, way_out: Block) -> Node:
        """The number in a register that is up to date, after a look at its tag."""
        self.block.add("guard", [self.block.add("tag_is", [], "i1", (reg, TAGS[kind]))], exit=way_out)
        return self.block.add("payload", [], VALUE_TYPES[kind], reg)

    def check_kind(self, reg: int, kind: str, way_out: Block) -> None:
        """Leaves unless the register holds an object of just that type."""
        if kind == "listit":
            self.block.add("guard", [self.block.add("tag_is", [], "i1", (reg, 9))], exit=way_out)
            return
        if self.state.slots[reg][0] not in OBJECTS:
            self.block.add("guard", [self.block.add("tag_is", [], "i1", (reg, 8))], exit=way_out)
        if kind != "o":
            self.block.add("guard", [self.block.add("type_is", [], "i1", (reg, kind))], exit=way_out)

    def set(self, reg: int, kind: str, node: Node | None) -> None:
        """The register holds a number from here on. An object that it held is released at once, as the interpreter does."""
        old = self.state.slots[reg][0]
        if old in PLAIN:
            self.state.slots[reg] = (kind, node, True)
            return
        nodes, saved = self.saved()
        args = [] if node is None else [node]
        self.block.add("replace", args + nodes, data=(reg, kind, self.sure(reg), self.pc, saved))
        self.state.slots[reg] = (kind, node, False)

    def consume(self, reg: int) -> None:
        """A temporary was read: it is dead. Numbers own nothing, so what its register says does not matter."""
        if reg >= self.ft:
            self.release(reg)

    def release(self, reg: int) -> None:
        """The register is empty from here on."""
        if self.state.slots[reg][0] not in PLAIN:
            nodes, saved = self.saved()
            self.block.add("release", nodes, data=(reg, self.sure(reg), self.pc, saved))
        self.state.slots[reg] = KEPT

    def put(self, reg: int, kind: str, item: Node) -> None:
        """The register gets a second reference to an object, which the caller has borrowed. kind: "m" when it may be a number."""
        old = self.state.slots[reg][0]
        nodes, saved = self.saved()
        self.block.add("put", [item, *nodes], data=(reg, kind, None if old in PLAIN else self.sure(reg), self.pc, saved))
        self.state.slots[reg] = (kind, None, False)

    def ready(self, pc: int) -> None:
        """Leaves where the instruction could set off a finalizer while frames are missing."""
        if not self.careful(pc):
            return
        regs = [reg for reg in sorted(self.program.released(pc)) if self.state.slots[reg][0] not in PLAIN]
        for reg in regs:
            way_out = self.leave(pc, "an object that may end")
            self.block.add("silent", [], data=(reg, self.sure(reg), len(regs)), exit=way_out)

    def careful(self, pc: int) -> bool:
        return self.program.part_of[pc].parent is not None or self.program.careful

    def unless_over(self, pc: int, ticks: int) -> None:
        """Counts ticks, of frames that are not made; where the slice is over the interpreter executes the instruction."""
        self.state.ticks = self.block.add("add32", [self.state.ticks], "i32", ticks)
        over = self.block.add("slice_is_over", [self.state.ticks], "i1")
        before = self.state.copy()
        before.ticks = self.block.add("add32", [self.state.ticks], "i32", -ticks)
        rest = self.function.block("on")
        rest.sources.append(self.block)
        cold = self.leave(pc, SAFEPOINT, before)
        cold.sources.append(self.block)
        self.block.add("branch", [over], data=(cold, rest))
        self.block = rest

    def copy(self, a: int, r: int, moved: bool) -> None:
        """a gets what r holds, which may be an object; r is empty then if it is moved."""
        kind = self.state.slots[r][0]
        old = self.state.slots[a][0]
        nodes, saved = self.saved()
        self.block.add("copy", nodes, data=(a, r, self.sure(r), moved, None if old in PLAIN else self.sure(a), self.pc, saved))
        self.state.slots[a] = (kind, None, False)
        if moved:
            self.state.slots[r] = KEPT

    def sure(self, reg: int) -> bool:
        """Whether the register owns something for certain."""
        return self.state.slots[reg][0] in OBJECTS

    def saved(self) -> tuple[list[Node], tuple[tuple[int, str], ...] | None]:
        """What is to be brought up to date before code that looks at the frame runs where it seldom does: a finalizer.

        None for the second: none will run, see `ready`."""
        if self.careful(self.pc):
            return [], None
        nodes = []
        spec = []
        for reg, (kind, node, dirty) in enumerate(self.state.slots):
            if dirty and kind != "fn":
                spec.append((reg, kind))
                if node is not None:
                    nodes.append(node)
        return nodes, tuple(spec)

    def flush(self, state: State, block: Block, mark: bool) -> None:
        """Brings the registers up to date."""
        for reg, (kind, node, dirty) in enumerate(state.slots):
            if dirty and kind == "fn":
                block.add("own", [] if node is None else [node], data=reg)
                if mark:
                    state.slots[reg] = ANY
            elif dirty:
                block.add("write", [] if node is None else [node], data=(reg, kind))
                if mark:
                    state.slots[reg] = (kind, node, False)

    # ---- ways out ----------------------------------------------------------------------------------------
    def leave(self, pc: int, why: str, state: State | None = None) -> Block:
        """A block that leaves for the interpreter, which goes on at the instruction."""
        state = self.state if state is None else state
        if self.origin is not None:
            pc, state = self.origin
        dirty = tuple((reg, slot[0], id(slot[1])) for reg, slot in enumerate(state.slots) if slot[2])
        if self.plain:
            return self._leave_plain(pc, why, state, dirty)
        known = (pc, why, dirty, id(state.count), id(state.ticks), state.done)
        block = self.exit_blocks.get(known)
        if block is None:
            values = tuple((reg, slot[0], slot[1]) for reg, slot in enumerate(state.slots) if slot[2])
            tail = self._tail(values, self.program.part_of[pc], why == SAFEPOINT)
            block = self.exit_blocks[known] = self.function.block(f"leave{pc}", cold=True)
            block.add("count_exit", [], data=len(self.exits))
            self.exits.append((pc, why))
            total = state.count
            if state.done:
                total = block.add("iadd", [state.count, block.add("const", [], "i64", state.done)], "i64")
            self._to_tail(tail, block, total, state.ticks, block.add("address", [], "i64", self.program.addresses[pc]))
        return block

    def _tail(self, values: tuple[tuple[int, str, Node | None], ...], part: Part, safepoint: bool) -> Tail:
        """A block that writes the last of the values to its register and goes on to that for those before it: so what brings the
        frame up to date is shared by all exits, whatever instruction they belong to."""
        key = (tuple((reg, kind, id(node)) for reg, kind, node in values), id(part), safepoint)
        tail = self.tails.get(key)
        if tail is None:
            block = self.function.block("tail", cold=True)
            tail = self.tails[key] = block, block.add("phi", [], "i64"), block.add("phi", [], "i32"), block.add("phi", [], "i64")
            _, total, ticks, ip = tail
            if values:
                reg, kind, node = values[-1]
                args = [] if node is None else [node]
                if kind == "fn":
                    block.add("own", args, data=reg)
                else:
                    block.add("write", args, data=(reg, kind))
                self._to_tail(self._tail(values[:-1], part, safepoint), block, total, ticks, ip)
            else:
                block.add("sync", [total, ticks], data=0)
                if safepoint:
                    block.add("note_tick", [])
                self.goes_on(part, ip, block)
        return tail

    def _to_tail(self, tail: Tail, source: Block, *values: Node) -> None:
        for phi, value in zip(tail[1:], values, strict=True):
            phi.args.append(value)
        tail[0].sources.append(source)
        source.add("jump", [], data=tail[0])

    def _leave_plain(self, pc: int, why: str, state: State, dirty: Any) -> Block:
        key = (pc, why, dirty, id(state.count), id(state.ticks), state.done)
        block = self.exit_blocks.get(key)
        if block is None:
            block = self.exit_blocks[key] = self.function.block(f"leave{pc}", cold=True)
            self.flush(state, block, False)
            self.sync(state, block)
            block.add("count_exit", [], data=len(self.exits))
            self.exits.append((pc, why))
            self.goes_on(self.program.parts[0], block.add("const", [], "i64", pc), block)
        return block

    def goes_on(self, part: Part, ip: Node, block: Block) -> None:
        """Ends a block that has left: the interpreter goes on at an address, in frames that are made where there are none."""
        chain: list[Part] = []
        while part.parent is not None:
            chain.append(part)
            part = part.parent
        for inner in reversed(chain):
            assert inner.parent is not None
            if inner.kind == "loop":
                reg = self.program.instrs[inner.call][1] - inner.parent.offset
                block.add("resume", [], data=(reg, inner.call))
            else:
                block.add("push", [self.funcs[inner]], data=(inner.call, inner.offset - inner.parent.offset,
                                                             inner.ret - inner.parent.offset))
        block.add("go_on", [ip])
        block.add("ret", [], data=HOT_LEFT)

    def unwound(self, pc: int, reg: int, window: int) -> Block:
        """The block for when a plain function that was called could not go on: frames are made for it and what it has called."""
        block = self.function.block(f"unwound{pc}", cold=True)
        state = self.state.copy()
        self.flush(state, block, False)
        self.sync(state, block)
        block.add("set_ip", [], data=pc + 1)
        block.add("make_frames", [], data=(reg, window))
        return block

    def sync(self, state: State, block: Block) -> None:
        block.add("sync", [state.count, state.ticks], data=state.done)

    def step(self, pc: int) -> Node:
        """Has the instruction executed by the interpreter's body; gives its outcome."""
        if self.program.part_of[pc].parent is not None:
            raise NotSpliced(self.program.part_of[pc])
        self.function.steps += 1
        self.stepped.append(pc)
        self.flush(self.state, self.block, True)
        self.sync(self.state, self.block)
        self.state.count = self.zero
        self.state.ticks = self.zero32
        self.state.done = 0
        return self.block.add("step", [], "i32", pc)

    def forget(self, pc: int) -> None:
        """After the interpreter's body has run: what it may have written is known to the registers only."""
        for reg in self.program.effects(pc)[1]:
            self.state.slots[reg] = ANY
        for reg in self.program.consumed(pc):
            self.state.slots[reg] = KEPT
        for part in self.program.parts:
            if part.kind == "loop":             # a call may have resumed the generator
                for reg in range(part.offset, part.end):
                    self.state.slots[reg] = ANY

    def expect(self, pc: int, reg: int) -> None:
        """After `forget`: takes the number that the instruction was seen to give out of the register."""
        kind = OF_MASK.get(self.program.kinds[pc * 4 + 3])
        if kind in ("i", "f", "b"):
            self.state.slots[reg] = (kind, self.load(reg, kind, self.leave(pc + 1, "another kind of value")), False)

    # ---- blocks and edges --------------------------------------------------------------------------------
    def go(self, pc: int, block: Block, state: State, jump: int | None = None) -> None:
        """Goes on at an instruction, from the end of a block. jump: the instruction whose backward jump this is: it ticks."""
        if jump is not None:
            ticks = block.add("add32", [state.ticks], "i32", 1)
            over = block.add("slice_is_over", [ticks], "i1")
            rest = self.function.block("on")
            rest.sources.append(block)
            cold = self.function.block("tick", cold=True)
            cold.sources.append(block)
            block.add("branch", [over], data=(cold, rest))
            later = state.copy()
            state.ticks = ticks
            later.ticks = ticks
            if self.program.part_of[jump].parent is not None:
                cold.add("jump", [], data=self.leave(pc, SAFEPOINT, later))     # with frames; there the next tick is
            elif self.safepoint(pc, jump + 1, cold, later):
                later.count, later.done, later.ticks = self.zero, 0, self.zero32
                self._arrive(pc, cold, later)
            block = rest
        self._arrive(pc, block, state)

    def safepoint(self, pc: int, failed: int, block: Block, state: State) -> bool:
        """In a block where the slice is over; failed: where an error of it belongs to. Whether code goes on after it."""
        self.flush(state, block, True)
        self.sync(state, block)
        block.add("tick", [], data=(pc, failed))
        return True

    def _arrive(self, pc: int, block: Block, state: State) -> None:
        if pc not in self.rank:
            way_out = self.leave(pc, "the end of the loop" if self.program.seen(pc) else "not seen before", state)
            block.add("jump", [], data=way_out)
            return
        if state.done:
            state.count = block.add("iadd", [state.count, block.add("const", [], "i64", state.done)], "i64")
            state.done = 0
        self.incoming.setdefault(pc, []).append((block, state))

    def _block(self, leader: int) -> None:
        came = list(self.incoming[leader])
        rest()
        self.function.pc = self.program.place(leader)
        if leader in self.retreating:
            self._open(leader, came)
        elif len(came) == 1:
            self.block, self.state = came[0][0], came[0][1].copy()
        else:
            self._join(leader, came)
        pc = leader
        last = self.region.last(leader)
        while True:
            name = self.program.name(pc)
            self.ft = self.program.part_of[pc].first_temp
            ended = lowering.lower(self, pc, name)
            if pc == last:
                if not ended:
                    self.go(pc + 1, self.block, self.state)
                return
            if ended:
                return
            pc += 1

    def _merged(self, leader: int, came: list[tuple[Block, State]]) -> list[str]:
        kinds = []
        wide = self.widened.get(leader, {})
        for reg in range(self.program.registers):
            found = {state.slots[reg][0] for _, state in came}
            if reg in wide:
                found.add(wide[reg])
            if "fn" in found:
                kinds.append("m")
            elif len(found) == 1:
                kinds.append(found.pop())
            else:
                kinds.append("k" if found <= PLAIN else "m")
        return kinds

    def _join(self, leader: int, came: list[tuple[Block, State]]) -> None:
        """Merges what comes from blocks that are all known."""
        kinds = self._merged(leader, came)
        block = self.function.block(f"at{leader}")
        slots: list[Slot] = []
        for reg, kind in enumerate(kinds):
            those = [state.slots[reg] for _, state in came]
            if kind not in TAGS:
                for source, state in came:
                    self._settle(source, state, reg)
                slots.append((kind, None, False))
            elif kind in ("n", "u") or len({id(slot[1]) for slot in those}) == 1:
                slots.append((kind, those[0][1], any(slot[2] for slot in those)))
            else:
                phi = block.add("phi", [slot[1] for slot in those if slot[1] is not None], VALUE_TYPES[kind])
                slots.append((kind, phi, any(slot[2] for slot in those)))
        count = block.add("phi", [state.count for _, state in came], "i64")
        ticks = block.add("phi", [state.ticks for _, state in came], "i32")
        for source, _ in came:
            block.sources.append(source)
            source.add("jump", [], data=block)
        self.block, self.state = block, State(slots, count, ticks)

    def _settle(self, source: Block, state: State, reg: int) -> None:
        kind, node, dirty = state.slots[reg]
        if kind == "fn":
            if self.plain:
                raise NotCompiled("a function that is not called at once")
            source.add("own", [] if node is None else [node], data=reg)
            state.slots[reg] = ANY
        elif dirty:
            source.add("write", [] if node is None else [node], data=(reg, kind))
            state.slots[reg] = (kind, node, False)

    def _open(self, leader: int, came: list[tuple[Block, State]]) -> None:
        """Begins a block to which jumps come back: what they bring is known at `_close`."""
        kinds = self._merged(leader, came)
        block = self.function.block(f"loop{leader}")
        slots: list[Slot] = []
        phis: list[Node | None] = []
        for reg, kind in enumerate(kinds):
            if kind not in TAGS:
                slots.append((kind, None, False))
                phis.append(None)
                continue
            dirty = reg in self.region.written or any(state.slots[reg][2] for _, state in came)
            phi = None if kind in ("n", "u") else block.add("phi", [], VALUE_TYPES[kind])
            slots.append((kind, phi, dirty))
            phis.append(phi)
        count = block.add("phi", [], "i64")
        ticks = block.add("phi", [], "i32")
        self.block, self.state = block, State(list(slots), count, ticks)
        self.headers[leader] = (State(slots, count, ticks), phis, count, ticks)
        self.places[leader] = block

    def _close(self, leader: int, state: State, phis: list[Node | None], count: Node, ticks: Node) -> None:
        block = self.places[leader]
        for source, came in self.incoming[leader]:
            for reg, phi in enumerate(phis):
                kind, node, dirty = came.slots[reg]
                want = state.slots[reg][0]
                if want == kind:
                    if want not in TAGS:
                        continue
                    if phi is not None and node is not None:
                        phi.args.append(node)
                elif want == "m" or (want == "k" and kind in PLAIN):
                    self._settle(source, came, reg)
                else:
                    self.widened.setdefault(leader, {})[reg] = "k" if kind in PLAIN and want in PLAIN else "m"
                    self.again = True
            count.args.append(came.count)
            ticks.args.append(came.ticks)
            block.sources.append(source)
            source.add("jump", [], data=block)
