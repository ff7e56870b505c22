"""What the parts of the LLVM back end write their text with.

Registers lie in memory at ``%R``, 16 bytes each: tag and payload. The layout of lists, tuples, ints and floats is CPython's,
which the inline paths know for the version that runs.

No address is in the text: those that code needs lie in its table, which is filled when the code is loaded. So the text alone says
what its machine code is, in any process.
"""
from __future__ import annotations

import struct
import sys
from typing import Any

from .form import Block, Function, Node

TAGS = {"u": 0, "n": 1, "b": 2, "i": 3, "f": 4, "r": 6}
TYPES = {"i64": "i64", "f64": "double", "i1": "i1", "i32": "i32", "ptr": "ptr"}
SIMPLE = {
    "iadd": "add i64", "isub": "sub i64", "band": "and i64", "bor": "or i64", "xor": "xor i64", "shl": "shl i64",
    "ashr": "ashr i64", "srem": "srem i64", "sdiv": "sdiv i64", "fadd": "fadd double", "fsub": "fsub double",
    "fmul": "fmul double", "fdiv": "fdiv double", "and": "and i1", "add32": "add i32",
    "eq": "icmp eq i64", "ne": "icmp ne i64", "lt": "icmp slt i64", "le": "icmp sle i64", "gt": "icmp sgt i64",
    "ge": "icmp sge i64", "feq": "fcmp oeq double", "fne": "fcmp une double", "flt": "fcmp olt double",
    "fle": "fcmp ole double", "fgt": "fcmp ogt double", "fge": "fcmp oge double", "under": "icmp ult i64",
}
WEIGHTS = '!0 = !{!"branch_weights", i32 1, i32 4000}\n!1 = !{!"branch_weights", i32 4000, i32 1}\n'
#: What says which instruction machine code is for: see lines.py.
DEBUG = """
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!3, !4}
!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !5, isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 2, !"Dwarf Version", i32 4}
!5 = !DIFile(filename: "guest", directory: "")
!6 = distinct !DISubprogram(name: "guest", file: !5, line: 1, type: !7, unit: !2, spFlags: DISPFlagDefinition)
!7 = !DISubroutineType(types: !8)
!8 = !{}
!9 = !{}
"""
FIRST_PLACE = 10
TABLE = "hot_table"
OVERFLOW = {"add": "sadd", "sub": "ssub", "mul": "smul"}
OWNED = 8
SIZE_OFFSET = 16            # of PyVarObject
ITEMS_OFFSET = 24           # ob_item of a list; the first item of a tuple
FLOAT_OFFSET = 16
DIGIT_OFFSET = 24
SHORT_INTS = IMMORTAL = sys.version_info >= (3, 12)


class Text:
    """The text of one function, as far as all nodes need it.

    layout: offsets and addresses of the core.  figures: of the code object.  counters: address of the exits' counters.
    """

    def __init__(self, function: Function, layout: dict[str, int], figures: dict[str, Any], counters: int, name: str) -> None:
        self.function = function
        self.layout = layout
        self.addresses: list[int] = figures["addresses"]
        self.windows: list[tuple[int, int, int]] = figures.get("windows", [])
        self.counters = counters
        self.name = name
        self.lines: list[str] = []
        self.names: dict[int, str] = {}
        self.ends: dict[int, str] = {}      # the label at which a block of the form ends
        self.used: set[str] = set()
        self.count = 0
        self.label = ""
        self.rooms: list[str] = []
        self.globals: list[str] = []
        self.rooms_of: dict[int, str] = {}      # of functions that may be called: where it says how deep
        self.places: dict[int, int] = {}        # of instructions: the number of what says that it is one
        self.place = ""                         # what says so of the node that is being written
        self.words: dict[int, int] = {}         # addresses: which word of the table

    def room(self, kind: str) -> str:
        """Memory for a value that a function gives: made once, when the code is entered."""
        name = f"%m{self.fresh()}"
        self.rooms.append(f"  {name} = alloca {kind}")
        return name

    def debug(self) -> str:
        """What the function says of the places of its code."""
        return DEBUG + "".join(
            f"!{number} = !DILocation(line: {pc + 1}, column: 1, scope: !6)\n" for pc, number in self.places.items())

    def node_place(self, node: Node) -> None:
        number = self.places.setdefault(node.pc, FIRST_PLACE + len(self.places))
        self.place = f", !dbg !{number}"

    # ---- pieces ------------------------------------------------------------------------------------------
    def fresh(self) -> int:
        self.count += 1
        return self.count

    def begin(self, label: str) -> None:
        self.label = label
        self.lines.append(f"{label}:")

    def emit(self, text: str) -> None:
        self.lines.append("  " + text + self.place)

    def let(self, text: str) -> str:
        name = f"%v{self.fresh()}"
        self.lines.append(f"  {name} = {text}{self.place}")
        return name

    def of(self, node: Node) -> str:
        if node.op == "const":
            if node.type == "f64":
                return f"0x{struct.unpack('<Q', struct.pack('<d', node.data))[0]:016X}"
            return str(node.data)
        return self.names[id(node)]

    def register(self, reg: int, payload: bool = False) -> str:
        for number, low, high in self.windows:          # of generators whose bodies are part of the code
            if low <= reg < high:
                return self.let(f"getelementptr i8, ptr %g{number}, i64 {(reg - low) * 16 + 8 * payload}")
        return self.let(f"getelementptr i8, ptr %R, i64 {reg * 16 + 8 * payload}")

    def at(self, base: str, offset: int) -> str:
        return self.let(f"getelementptr i8, ptr {base}, i64 {offset}")

    def fetch(self, kind: str, place: str) -> str:
        return self.let(f"load {kind}, ptr {place}")

    def test(self, text: str) -> str:
        return self.let(f"icmp {text}")

    def field(self, base: str, name: str) -> str:
        return self.let(f"getelementptr i8, ptr {base}, i64 {self.layout[name]}")

    def address(self, name: str) -> str:
        return self.word(self.layout[name])

    def word(self, address: int, kind: str = "ptr") -> str:
        """An address, from the table."""
        at = self.words.setdefault(address, len(self.words))
        return self.let(f"load {kind}, ptr getelementptr (i8, ptr @{TABLE}, i64 {8 * at}), !invariant.load !9")

    def table(self) -> str:
        """What declares the table."""
        return f"@{TABLE} = dso_local global [{max(len(self.words), 1)} x i64] zeroinitializer\n"

    def call(self, result: str, name: str, args: str) -> str:
        text = f"call {result} {self.address(name)}({args})"
        if result == "void":
            self.emit(text)
            return ""
        return self.let(text)

    def guard(self, condition: str, way_out: Block) -> None:
        label = f"c{self.fresh()}"
        self.emit(f"br i1 {condition}, label %{label}, label %{way_out.label}, !prof !1")
        self.begin(label)

    def likely(self, condition: str, yes: str, no: str) -> None:
        self.emit(f"br i1 {condition}, label %{yes}, label %{no}, !prof !1")

    def intrinsic(self, text: str) -> None:
        self.used.add(f"declare {text}")

    def write(self, reg: int, kind: str, args: list[Node]) -> None:
        self.emit(f"store i64 {TAGS[kind]}, ptr {self.register(reg)}")
        if args:
            self.emit(f"store {TYPES[args[0].type]} {self.of(args[0])}, ptr {self.register(reg, True)}")
        else:
            self.emit(f"store i64 0, ptr {self.register(reg, True)}")

    def ip(self, pc: int) -> str:
        return self.word(self.addresses[pc])

    def drop(self, o: str) -> None:
        """Gives up a reference."""
        self.call("void", "hot_drop", f"ptr {o}")

    def type_is(self, held: str, kind: str) -> str:
        found = self.fetch("ptr", self.at(held, 8))
        return self.let(f"icmp eq ptr {found}, {self.address(kind)}")

    # ---- references --------------------------------------------------------------------------------------
    def finalizing(self, pc: int, saved: tuple[tuple[int, str], ...] | None, nodes: list[Node]) -> None:
        """The frame is brought up to date: a finalizer may look at it."""
        if saved is None:
            return
        at = 0
        for reg, kind in saved:
            if kind in ("n", "u"):
                self.write(reg, kind, [])
            else:
                self.write(reg, kind, [nodes[at]])
                at += 1
        self.emit(f"store ptr {self.ip_after(pc)}, ptr {self.field('%f', 'frame.ip')}")

    def give_up(self, held: str, pc: int, saved: tuple[tuple[int, str], ...] | None, nodes: list[Node]) -> None:
        """Gives up a reference; where it is the last one, the frame is brought up to date first."""
        n = self.fresh()
        counted = "i32" if IMMORTAL else "i64"
        count = self.fetch(counted, held)
        self.emit(f"br i1 {self.test(f'eq {counted} {count}, 1')}, label %last{n}, label %more{n}, !prof !0")
        self.begin(f"last{n}")
        self.finalizing(pc, saved, nodes)
        self.drop(held)
        self.emit(f"br label %gone{n}")
        self.begin(f"more{n}")
        self.count_down(held, count)
        self.emit(f"br label %gone{n}")
        self.begin(f"gone{n}")

    def count_down(self, held: str, count: str) -> None:
        """Stores the count less one, unless the object is immortal."""
        if not IMMORTAL:
            self.emit(f"store i64 {self.let(f'sub i64 {count}, 1')}, ptr {held}")
            return
        one = self.let(f"zext i1 {self.test(f'sge i32 {count}, 0')} to i32")
        self.emit(f"store i32 {self.let(f'sub i32 {count}, {one}')}, ptr {held}")

    def count_up(self, held: str) -> None:
        if not IMMORTAL:
            wide = self.fetch("i64", held)
            self.emit(f"store i64 {self.let(f'add i64 {wide}, 1')}, ptr {held}")
            return
        count = self.fetch("i32", held)
        one = self.let(f"zext i1 {self.test(f'sge i32 {count}, 0')} to i32")
        self.emit(f"store i32 {self.let(f'add i32 {count}, {one}')}, ptr {held}")

    def if_owned(self, tag: str, sure: bool) -> str:
        """Begins what is done only where a register owned something, by its tag; gives the label at which it ends."""
        n = self.fresh()
        if not sure:
            self.emit(f"br i1 {self.test(f'uge i64 {tag}, {OWNED}')}, label %owned{n}, label %free{n}")
            self.begin(f"owned{n}")
        return f"free{n}"

    def end_if(self, label: str) -> None:
        self.emit(f"br label %{label}")
        self.begin(label)
    def ip_after(self, pc: int) -> str:
        return self.word(self.addresses[pc] + 8)

