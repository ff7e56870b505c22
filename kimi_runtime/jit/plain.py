"""Plain functions: those whose registers hold numbers only, from the first instruction to the last.

Compiled, they take their parameters and give their value in machine registers, and call themselves without frames: their
registers are variables of the machine code. When one cannot go on, it writes what its frame would be and fails; so does each
that has called it, and the core makes frames of all that (``hot_deopt``). So nothing that looks at frames finds them missing:
safepoints come only when the frames are there.
"""
from __future__ import annotations

import ctypes
from typing import Any

from .build import Builder, NotCompiled, State
from .form import Block, Function, Node
from .kinds import KEPT, OF_MASK, VALUE_TYPES
from .llvm import Lowering
from .llvm_text import TYPES
from .region import FIELDS, NAMES, ROLES, Part, Program, Region

NUMBER_TAGS = {"n": 1, "b": 2, "i": 3, "f": 4}
SELF = "itself"


class Plain:
    """What callers need of a plain function that was compiled.

    parameters: their kinds.  result: the kind of its value, or None: it has several.  names: (site, what it must be) of the
    globals that it uses.
    """

    __slots__ = ("address", "code", "instrs", "keep", "names", "names_at", "parameters", "result", "__weakref__")

    def __init__(self, code: Any, instrs: int, parameters: list[str], result: str | None, names: dict[int, int]) -> None:
        self.code = code            # a weak reference
        self.instrs = instrs
        self.parameters = parameters
        self.result = result
        flat = [len(names)]
        for site, wanted in names.items():
            flat += [site, wanted]
        self.names = (ctypes.c_int64 * len(flat))(*flat)
        self.names_at = ctypes.addressof(self.names)
        self.address = 0
        self.keep: Any = None


def parameters_of(program: Program) -> list[str]:
    """The kinds of its parameters, by what was seen. Raises NotCompiled when one is no number, or not always of one kind."""
    found = []
    for reg in range(program.figures["parameters"]):
        mask = 0
        for pc, ins in enumerate(program.instrs):
            for field, role in ROLES[ins[0]].items():
                if field != "imm" and role in ("in", "keep") and ins[FIELDS[field]] == reg:
                    mask |= program.kinds[pc * 4 + FIELDS[field] - 1]
        kind = OF_MASK.get(mask)
        if kind not in ("i", "f", "b"):
            raise NotCompiled("a parameter is no number")
        found.append(kind)
    return found


class PlainBuilder(Builder):
    """Builds a plain function. guess: the kind of what it gives, as far as its calls of itself go; None: a look at each."""

    plain = True

    def __init__(self, program: Program, region: Region, targets: dict[int, Any], guess: str | None) -> None:
        super().__init__(program, region, None, targets)
        self.parameters = parameters_of(program)
        self.guess = guess

    def _build(self) -> Function:
        self.names: dict[int, Any] = {}
        self.returned: set[str] = set()
        return super()._build()

    def _enter(self) -> None:
        slots = self.state.slots
        for reg in range(len(slots)):
            slots[reg] = KEPT
        for reg, kind in enumerate(self.parameters):
            slots[reg] = (kind, self.block.add("param", [], VALUE_TYPES[kind], reg), True)
        self.itself = self.block.add("itself", [], "ptr")
        self.functions[id(self.itself)] = SELF
        over = self.function.block("over", cold=True)
        self.safepoint(0, 0, over, self.state.copy())
        self.block.add("call_tick", [], exit=over)

    def step(self, pc: int) -> Node:
        raise NotCompiled(f"{NAMES[self.program.instrs[pc][0]]} is no matter of numbers")

    def goes_on(self, part: Part, ip: Node, block: Block) -> None:
        block.add("spill", [], data=(ip.data, None, 0, 0))

    def unwound(self, pc: int, reg: int, window: int) -> Block:
        block = self.function.block(f"unwound{pc}", cold=True)
        state = self.state.copy()
        self.flush(state, block, False)
        self.sync(state, block)
        block.add("spill", [], data=(pc + 1, None, reg, window))
        return block

    def safepoint(self, pc: int, failed: int, block: Block, state: State) -> bool:
        self.flush(state, block, False)
        self.sync(state, block)
        block.add("spill", [], data=(pc, failed, 0, 0))
        return False


def build(program: Program, targets: dict[int, Any]) -> tuple[Function, PlainBuilder]:
    """The form of the whole function as a plain one. Raises NotCompiled."""
    from . import passes

    if not program.figures["plain"]:
        raise NotCompiled("its registers do not hold numbers only")
    region = Region(program, 0)
    if region.members and 0 in region.members:
        for guess in ("i", "f", None):
            if guess and not any(program.kinds[pc * 4 + 3] == (8 if guess == "i" else 16)
                                 for pc in region.members if program.name(pc) == "CALL"):
                continue
            builder = PlainBuilder(program, region, targets, guess)
            function = passes.tidy(builder.build())
            if guess is None or builder.returned == {guess}:
                return function, builder
    raise NotCompiled("its first instruction was not seen")


class PlainLowering(Lowering):
    """The text of a plain function, and of the way into it for the interpreter."""

    def __init__(self, function: Function, layout: dict[str, int], figures: dict[str, Any], counters: int, name: str,
                 plain: Plain) -> None:
        super().__init__(function, layout, figures, counters, name)
        self.made_for = plain
        self.registers: int = figures["registers"]

    def head(self) -> str:
        parameters = "".join(f", {TYPES[VALUE_TYPES[kind]]} %a{i}" for i, kind in enumerate(self.made_for.parameters))
        self.rooms.insert(0, f"  %R = alloca [{self.registers * 2} x i64]")
        for reg in range(self.registers):
            self.rooms += [f"  %e{reg} = getelementptr i8, ptr %R, i64 {reg * 16}", f"  store i64 0, ptr %e{reg}"]
        return f"define {{i64, i64}} @{self.name}_plain(ptr %vm, ptr %func, i64 %depth{parameters}) !dbg !6 {{"

    def way_in(self) -> str:
        """The function that the core enters, with a frame: refused unless all is as it should be."""
        self.lines, self.rooms = [], []
        self.begin("entry")
        args = ""
        for reg, kind in enumerate(self.made_for.parameters):
            tag = self.let(f"load i64, ptr {self.register(reg)}")
            self.emit(f"br i1 {self.let(f'icmp eq i64 {tag}, {NUMBER_TAGS[kind]}')}, label %p{reg}, label %refuse")
            self.begin(f"p{reg}")
            args += f", {TYPES[VALUE_TYPES[kind]]} {self.fetch(TYPES[VALUE_TYPES[kind]], self.register(reg, True))}"
        room = self.call("i64", "hot_begin", f"ptr %vm, ptr %f, ptr {self.word(self.made_for.names_at)}")
        self.emit(f"br i1 {self.test(f'ne i64 {room}, 0')}, label %go, label %refuse")
        self.begin("refuse")
        self.emit("ret i32 0")
        self.begin("go")
        func = self.fetch("ptr", self.field("%f", "frame.func"))
        both = self.let(f"call {{i64, i64}} @{self.name}_plain(ptr %vm, ptr {func}, i64 {room}{args})")
        tag = self.let(f"extractvalue {{i64, i64}} {both}, 1")
        self.likely(self.test(f"ne i64 {tag}, 0"), "fine", "left")
        self.begin("left")
        self.emit(f"ret i32 {self.call('i32', 'hot_deopt', 'ptr %vm, ptr %f, i32 1, i32 0, i32 0')}")
        self.begin("fine")
        payload = self.let(f"extractvalue {{i64, i64}} {both}, 0")
        self.emit(f"ret i32 {self.call('i32', 'hot_return', f'ptr %vm, ptr %f, i64 {tag}, i64 {payload}')}")
        return f"define i32 @{self.name}(ptr %vm, ptr %f, ptr %R) {{\n" + "\n".join(self.lines) + "\n}\n"

    # ---- nodes -------------------------------------------------------------------------------------------
    def op_param(self, node: Node) -> str:
        return f"%a{node.data}"

    def op_itself(self, node: Node) -> str:
        return "%func"

    def op_deep(self, node: Node) -> str:
        return self.let("icmp sgt i64 %depth, 1")

    def op_constant_object(self, node: Node) -> str:
        return self.address(node.data)

    def op_call_tick(self, node: Node) -> None:
        assert node.exit is not None
        place = self.field("%vm", "vm.slice")
        left = self.let(f"sub i32 {self.let(f'load volatile i32, ptr {place}')}, 1")
        self.emit(f"store i32 {left}, ptr {place}")
        self.guard(self.let(f"icmp sge i32 {left}, 0"), node.exit)

    def op_call_plain(self, node: Node) -> str:
        return self.called(node, f"@{self.name}_plain", self.let("sub i64 %depth, 1"))

    def op_own(self, node: Node) -> None:
        """For a record, which borrows."""
        self.emit(f"store i64 8, ptr {self.register(node.data)}")
        self.emit(f"store ptr {self.of(node.args[0])}, ptr {self.register(node.data, True)}")

    def op_spill(self, node: Node) -> None:
        pc, failed, reg, window = node.data
        place = self.field("%vm", "vm.spilled")
        base = self.fetch("ptr", place)
        for i in range(2 * self.registers):
            self.emit(f"store i64 {self.fetch('i64', self.at('%R', 8 * i))}, ptr {self.at(base, 8 * i)}")
        at = 16 * self.registers
        self.emit(f"store ptr %func, ptr {self.at(base, at)}")
        self.emit(f"store ptr {self.ip(pc)}, ptr {self.at(base, at + 8)}")
        for i, word in enumerate((self.registers, reg, window)):
            self.emit(f"store i64 {word}, ptr {self.at(base, at + 16 + 8 * i)}")
        self.emit(f"store ptr {self.at(base, at + 40)}, ptr {place}")
        if failed is not None:
            self.emit(f"store ptr {self.ip_after(failed - 1) if failed else self.ip(0)}, ptr {self.field('%vm', 'vm.due')}")
        self.emit("ret {i64, i64} zeroinitializer")

    def op_give_back(self, node: Node) -> None:
        payload = "0" if not node.args else self.of(node.args[0])
        if node.args and node.args[0].type == "f64":
            payload = self.let(f"bitcast double {payload} to i64")
        with_value = self.let(f"insertvalue {{i64, i64}} undef, i64 {payload}, 0")
        self.emit(f"ret {{i64, i64}} {self.let(f'insertvalue {{i64, i64}} {with_value}, i64 {NUMBER_TAGS[node.data]}, 1')}")
