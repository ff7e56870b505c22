"""The LLVM back end: the form as LLVM's text, and that as machine code. The only user of llvmlite."""
from __future__ import annotations

import ctypes
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from . import loading
from .form import Block, Node
from .llvm_objects import Objects
from .llvm_text import (
    DIGIT_OFFSET,
    FLOAT_OFFSET,
    ITEMS_OFFSET,
    OVERFLOW,
    OWNED,
    SHORT_INTS,
    SIMPLE,
    SIZE_OFFSET,
    TABLE,
    TYPES,
    WEIGHTS,
)
from .resting import rest


class Lowering(Objects):
    """The text of one function."""

    def text(self) -> str:
        body: list[str] = []
        phis: list[tuple[int, Block, Node]] = []
        for block in self.function.blocks:
            rest()
            self.lines = []
            self.begin(block.label)
            for node in block.nodes:
                if node.op == "phi":
                    self.names[id(node)] = f"%p{self.fresh()}"
                    phis.append((len(body) + len(self.lines), block, node))
                    self.lines.append("")
            for node in block.nodes:
                if node.op != "phi":
                    self.node(node)
            self.ends[id(block)] = self.label
            body += self.lines
        for at, block, node in phis:
            pairs = ", ".join(
                f"[ {self.of(arg)}, %{self.ends[id(source)]} ]" for arg, source in zip(node.args, block.sources, strict=True)
            )
            self.node_place(node)
            body[at] = f"  {self.names[id(node)]} = phi {TYPES[node.type]} {pairs}{self.place}"
        head = self.head()
        code = "\n".join([head, "rooms:", *self.rooms, f"  br label %{self.function.blocks[0].label}", *body, "}\n"])
        self.place = ""                 # what is between the interpreter and the code is for no instruction
        code += self.way_in()
        declared = "\n".join([*sorted(self.used), *self.globals, self.table()])
        return f"{code}{declared}\n" + WEIGHTS + self.debug()

    def way_in(self) -> str:
        """The text of what else belongs to the code."""
        return ""

    def head(self) -> str:
        return f"define i32 @{self.name}(ptr %vm, ptr %f, ptr %R) !dbg !6 {{"

    # ---- nodes -------------------------------------------------------------------------------------------
    def node(self, node: Node) -> None:
        op = node.op
        args = node.args
        if op == "const":
            return
        self.node_place(node)
        if op in SIMPLE:
            right = str(node.data) if op == "add32" else self.of(args[1])
            name = self.let(f"{SIMPLE[op]} {self.of(args[0])}, {right}")
        elif op in OVERFLOW:
            name = self.overflow(node)
        else:
            name = getattr(self, "op_" + op)(node) or ""
        self.names[id(node)] = name

    def overflow(self, node: Node) -> str:
        assert node.exit is not None
        function = f"@llvm.{OVERFLOW[node.op]}.with.overflow.i64"
        self.intrinsic(f"{{i64, i1}} {function}(i64, i64)")
        pair = self.let(f"call {{i64, i1}} {function}(i64 {self.of(node.args[0])}, i64 {self.of(node.args[1])})")
        over = self.let(f"extractvalue {{i64, i1}} {pair}, 1")
        label = f"c{self.fresh()}"
        self.emit(f"br i1 {over}, label %{node.exit.label}, label %{label}, !prof !0")
        self.begin(label)
        return self.let(f"extractvalue {{i64, i1}} {pair}, 0")

    def op_fneg(self, node: Node) -> str:
        return self.let(f"fneg double {self.of(node.args[0])}")

    def op_to_double(self, node: Node) -> str:
        return self.let(f"sitofp i64 {self.of(node.args[0])} to double")

    def op_to_int(self, node: Node) -> str:
        return self.let(f"zext i1 {self.of(node.args[0])} to i64")

    def op_ordered(self, node: Node) -> str:
        x = self.of(node.args[0])
        return self.let(f"fcmp ord double {x}, {x}")

    def op_select(self, node: Node) -> str:
        kind = TYPES[node.type]
        test, x, y = (self.of(arg) for arg in node.args)
        return self.let(f"select i1 {test}, {kind} {x}, {kind} {y}")

    def op_below(self, node: Node) -> str:
        return self.let(f"icmp ule i64 {self.of(node.args[0])}, {node.data}" if node.data > 62
                        else f"icmp ult i64 {self.of(node.args[0])}, {node.data}")

    def op_above(self, node: Node) -> str:
        return self.let(f"icmp ugt i64 {self.of(node.args[0])}, {node.data}")

    def op_tag_is(self, node: Node) -> str:
        reg, tag = node.data
        found = self.let(f"load i64, ptr {self.register(reg)}")
        return self.let(f"icmp eq i64 {found}, {tag}")

    def op_not_owned(self, node: Node) -> str:
        found = self.let(f"load i64, ptr {self.register(node.data)}")
        return self.let(f"icmp ult i64 {found}, {OWNED}")

    def op_payload(self, node: Node) -> str:
        return self.let(f"load {TYPES[node.type]}, ptr {self.register(node.data, True)}")

    def op_object(self, node: Node) -> str:
        return self.let(f"load ptr, ptr {self.register(node.data, True)}")

    def op_type_is(self, node: Node) -> str:
        reg, kind = node.data
        held = self.let(f"load ptr, ptr {self.register(reg, True)}")
        return self.type_is(held, kind)

    def op_object_is(self, node: Node) -> str:
        reg, what = node.data
        held = self.let(f"load ptr, ptr {self.register(reg, True)}")
        return self.let(f"icmp eq ptr {held}, {self.address(what)}")

    def op_length(self, node: Node) -> str:
        return self.fetch("i64", self.at(self.of(node.args[0]), SIZE_OFFSET))

    def op_item(self, node: Node) -> str:
        return self._item(self.fetch("ptr", self.at(self.of(node.args[0]), ITEMS_OFFSET)), node)

    def _item(self, items: str, node: Node) -> str:
        return self.fetch("ptr", self.let(f"getelementptr ptr, ptr {items}, i64 {self.of(node.args[1])}"))

    def op_tuple_item(self, node: Node) -> str:
        return self._item(self.at(self.of(node.args[0]), ITEMS_OFFSET), node)

    def op_unbox_float(self, node: Node) -> str:
        assert node.exit is not None
        held = self.of(node.args[0])
        self.guard(self.type_is(held, "float"), node.exit)
        found = self.fetch("double", self.at(held, FLOAT_OFFSET))
        self.guard(self.let(f"fcmp ord double {found}, {found}"), node.exit)        # a NaN stays the object that it is
        return found

    def op_unbox_bool(self, node: Node) -> str:
        assert node.exit is not None
        held = self.of(node.args[0])
        true = self.let(f"icmp eq ptr {held}, {self.address('true')}")
        false = self.let(f"icmp eq ptr {held}, {self.address('false')}")
        self.guard(self.let(f"or i1 {true}, {false}"), node.exit)
        return self.let(f"zext i1 {true} to i64")

    # ---- cells -------------------------------------------------------------------------------------------
    def op_cell(self, node: Node) -> str:
        return self.call("ptr", "hot_cell", f"ptr %f, i32 {node.data}, i32 1")

    def op_held_is(self, node: Node) -> str:
        return self.let(f"icmp eq i64 {self.fetch('i64', self.of(node.args[0]))}, {node.data}")

    def op_held_owns_nothing(self, node: Node) -> str:
        return self.let(f"icmp ult i64 {self.fetch('i64', self.of(node.args[0]))}, {OWNED}")

    def op_held(self, node: Node) -> str:
        return self.fetch(TYPES[node.type], self.at(self.of(node.args[0]), 8))

    def op_hold(self, node: Node) -> None:
        place, item = node.args
        self.emit(f"store i64 {node.data}, ptr {self.of(place)}")
        self.emit(f"store {TYPES[item.type]} {self.of(item)}, ptr {self.at(self.of(place), 8)}")

    def op_unbox_int(self, node: Node) -> str:
        """An int of one digit here, a longer one by a function."""
        assert node.exit is not None
        held = self.of(node.args[0])
        self.guard(self.type_is(held, "int"), node.exit)
        n = self.fresh()
        size = self.fetch("i64", self.at(held, SIZE_OFFSET))
        if SHORT_INTS:
            short = self.let(f"icmp ult i64 {size}, 16")
            low = self.let(f"and i64 {size}, 3")
            sign = self.let(f"sub i64 1, {low}")
        else:
            shifted = self.let(f"add i64 {size}, 1")
            short = self.test(f"ult i64 {shifted}, 3")
            sign = size
        self.likely(short, f"short{n}", f"long{n}")
        self.begin(f"long{n}")
        room = self.room("i64")
        fits = self.call("i32", "hot_long", f"ptr {held}, ptr {room}")
        self.guard(self.let(f"icmp ne i32 {fits}, 0"), node.exit)
        long_value = self.let(f"load i64, ptr {room}")
        long_label = self.label
        self.emit(f"br label %number{n}")
        self.begin(f"short{n}")
        digit = self.fetch("i32", self.at(held, DIGIT_OFFSET))
        wide = self.let(f"zext i32 {digit} to i64")
        short_value = self.let(f"mul i64 {wide}, {sign}")
        self.emit(f"br label %number{n}")
        self.begin(f"number{n}")
        return self.let(f"phi i64 [ {long_value}, %{long_label} ], [ {short_value}, %short{n} ]")

    def op_square(self, node: Node) -> str:
        return self.call("double", "hot_square", f"double {self.of(node.args[0])}")

    def _out_double(self, node: Node, function: str) -> str:
        assert node.exit is not None
        room = self.room("double")
        fine = self.call("i32", function, f"double {self.of(node.args[0])}, double {self.of(node.args[1])}, ptr {room}")
        self.guard(self.let(f"icmp ne i32 {fine}, 0"), node.exit)
        return self.let(f"load double, ptr {room}")

    def op_float_mod(self, node: Node) -> str:
        return self._out_double(node, "hot_float_mod")

    def op_float_floordiv(self, node: Node) -> str:
        return self._out_double(node, "hot_float_floordiv")

    # ---- effects -----------------------------------------------------------------------------------------
    def op_guard(self, node: Node) -> None:
        assert node.exit is not None
        self.guard(self.of(node.args[0]), node.exit)

    def op_write(self, node: Node) -> None:
        reg, kind = node.data
        self.write(reg, kind, node.args)

    # ---- functions ---------------------------------------------------------------------------------------
    def op_global(self, node: Node) -> str:
        return self.call("ptr", "hot_global", f"ptr %f, i32 {node.data}")

    def op_address(self, node: Node) -> str:
        return self.word(node.data, "i64")

    def op_same(self, node: Node) -> str:
        return self.let(f"icmp eq ptr {self.of(node.args[0])}, {self.address(node.data)}")

    def op_callee(self, node: Node) -> str:
        assert node.exit is not None
        plain = node.data
        room = self.room("i64")
        found = self.call("ptr", "hot_callee", f"ptr %vm, ptr {self.of(node.args[0])}, ptr {self.word(plain.instrs)}, "
                                               f"ptr {self.word(plain.names_at)}, ptr {room}")
        self.guard(self.let(f"icmp ne ptr {found}, null"), node.exit)
        self.rooms_of[id(node)] = room
        return found

    def op_call_plain(self, node: Node) -> str:
        assert node.exit is not None
        plain = node.data
        depth = self.let(f"load i64, ptr {self.rooms_of[id(node.args[0])]}")
        return self.called(node, self.word(plain.address), depth)

    def called(self, node: Node, function: str, depth: str) -> str:
        assert node.exit is not None
        args = "".join(f", {TYPES[arg.type]} {self.of(arg)}" for arg in node.args[1:])
        both = self.let(f"call {{i64, i64}} {function}(ptr %vm, ptr {self.of(node.args[0])}, i64 {depth}{args})")
        tag = self.let(f"extractvalue {{i64, i64}} {both}, 1")
        self.guard(self.let(f"icmp ne i64 {tag}, 0"), node.exit)
        return both

    def op_result(self, node: Node) -> str:
        payload = self.let(f"extractvalue {{i64, i64}} {self.of(node.args[0])}, 0")
        return self.let(f"bitcast i64 {payload} to double") if node.type == "f64" else payload

    def op_put_result(self, node: Node) -> None:
        both = self.of(node.args[0])
        self.emit(f"store i64 {self.let(f'extractvalue {{i64, i64}} {both}, 1')}, ptr {self.register(node.data)}")
        self.emit(f"store i64 {self.let(f'extractvalue {{i64, i64}} {both}, 0')}, ptr {self.register(node.data, True)}")

    def op_own(self, node: Node) -> None:
        self.call("void", "hot_put", f"ptr %R, i32 {node.data}, ptr {self.of(node.args[0])}")

    def op_make_frames(self, node: Node) -> None:
        reg, window = node.data
        self.emit(f"ret i32 {self.call('i32', 'hot_deopt', f'ptr %vm, ptr %f, i32 0, i32 {reg}, i32 {window}')}")

    # ---- numbers -----------------------------------------------------------------------------------------
    def op_fabs(self, node: Node) -> str:
        self.intrinsic("double @llvm.fabs.f64(double)")
        return self.let(f"call double @llvm.fabs.f64(double {self.of(node.args[0])})")

    def op_fsqrt(self, node: Node) -> str:
        self.intrinsic("double @llvm.sqrt.f64(double)")
        return self.let(f"call double @llvm.sqrt.f64(double {self.of(node.args[0])})")

    def op_copysign(self, node: Node) -> str:
        self.intrinsic("double @llvm.copysign.f64(double, double)")
        x, y = (self.of(arg) for arg in node.args)
        return self.let(f"call double @llvm.copysign.f64(double {x}, double {y})")

    def op_to_whole(self, node: Node) -> str:
        self.intrinsic(f"double @llvm.{node.data}.f64(double)")
        return self.let(f"call double @llvm.{node.data}.f64(double {self.of(node.args[0])})")

    def op_c_double(self, node: Node) -> str:
        return self.call("double", f"c.{node.data}", ", ".join(f"double {self.of(arg)}" for arg in node.args))

    def op_c_int(self, node: Node) -> str:
        return self.call("i64", f"c.{node.data}", ", ".join(f"i64 {self.of(arg)}" for arg in node.args))

    def op_truncate(self, node: Node) -> str:
        return self.let(f"fptosi double {self.of(node.args[0])} to i64")

    def op_power(self, node: Node) -> str:
        return self._out_double(node, "hot_power")

    # ---- the frame ---------------------------------------------------------------------------------------
    def op_alive(self, node: Node) -> None:
        assert node.exit is not None
        n = self.fresh()
        left = self.let(f"load volatile i32, ptr {self.field('%vm', 'vm.slice')}")
        self.likely(self.test(f"sgt i32 {left}, 0"), f"alive{n}", f"used{n}")
        self.begin(f"used{n}")
        goes_on = self.call("i32", "hot_alive", "ptr %vm")
        self.guard(self.test(f"ne i32 {goes_on}, 0"), node.exit)
        self.emit(f"br label %alive{n}")
        self.begin(f"alive{n}")

    def op_slice_is_over(self, node: Node) -> str:
        left = self.let(f"load volatile i32, ptr {self.field('%vm', 'vm.slice')}")
        return self.let(f"icmp sgt i32 {self.of(node.args[0])}, {left}")

    def op_sync(self, node: Node) -> None:
        count, ticks = (self.of(arg) for arg in node.args)
        if count != "0" or node.data:
            place = self.field("%vm", "vm.instructions")
            more = self.let(f"add i64 {count}, {node.data}")
            self.add("i64", place, more)
        if ticks != "0":
            place = self.field("%vm", "vm.slice")
            left = self.fetch("i32", place)
            less = self.let(f"sub i32 {left}, {ticks}")
            self.emit(f"store i32 {less}, ptr {place}")

    def add(self, kind: str, place: str, more: str) -> None:
        before = self.fetch(kind, place)
        after = self.let(f"add {kind} {before}, {more}")
        self.emit(f"store {kind} {after}, ptr {place}")

    def op_set_ip(self, node: Node) -> None:
        self.emit(f"store ptr {self.ip(node.data)}, ptr {self.field('%f', 'frame.ip')}")

    def op_count_exit(self, node: Node) -> None:
        place = self.at(self.word(self.counters), 8 * node.data)
        self.add("i64", place, "1")

    def op_step(self, node: Node) -> str:
        return self.call("i32", "hot_step", f"ptr %vm, ptr %f, ptr {self.ip(node.data)}")

    def leave(self, status: str) -> None:
        """Returns -1 when the status is negative, else that code was left."""
        raised = self.let(f"icmp slt i32 {status}, 0")
        result = self.let(f"select i1 {raised}, i32 -1, i32 1")
        self.emit(f"ret i32 {result}")

    def op_check_step(self, node: Node) -> None:
        status = self.of(node.args[0])
        n = self.fresh()
        self.likely(self.let(f"icmp eq i32 {status}, 0"), f"done{n}", f"out{n}")
        self.begin(f"out{n}")
        self.leave(status)
        self.begin(f"done{n}")

    def op_ways(self, node: Node) -> None:
        status = self.of(node.args[0])
        n = self.fresh()
        cases = " ".join(
            f"i32 {self.of(number)}, label %{block.label}" for number, block in zip(node.args[1:], node.data, strict=True)
        )
        self.emit(f"switch i32 {status}, label %out{n} [ {cases} ]")
        ends = self.label
        self.begin(f"out{n}")
        self.leave(status)
        self.label = ends

    def op_ret_step(self, node: Node) -> None:
        status = self.of(node.args[0])
        n = self.fresh()
        frame = self.fetch("ptr", self.field("%vm", "vm.frame"))
        same = self.test(f"eq ptr {frame}, %f")
        failed = self.test(f"slt i32 {status}, 0")
        either = self.let(f"or i1 {same}, {failed}")
        self.emit(f"br i1 {either}, label %out{n}, label %returned{n}")
        self.begin(f"out{n}")
        self.leave(status)
        self.begin(f"returned{n}")
        self.emit("ret i32 2")

    def op_tick(self, node: Node) -> None:
        pc, after_jump = node.data[:2]
        n = self.fresh()
        place = self.field("%f", "frame.ip")
        if len(node.data) > 2:          # without the interpreter lock
            status = self.call("i32", "hot_tick_free",
                               f"ptr %vm, ptr %f, ptr {self.ip_after(after_jump - 1)}, ptr {self.ip(pc)}")
        else:
            self.emit(f"store ptr {self.ip_after(after_jump - 1)}, ptr {place}")
            self.call("void", "hot_sample", "ptr %vm")
            self.emit(f"store ptr {self.ip(pc)}, ptr {place}")
            status = self.call("i32", "hot_tick", "ptr %vm")
        self.likely(self.let(f"icmp eq i32 {status}, 0"), f"on{n}", f"out{n}")
        self.begin(f"out{n}")
        raised = self.test(f"slt i32 {status}, 0")
        self.emit(f"br i1 {raised}, label %raised{n}, label %left{n}")
        self.begin(f"raised{n}")
        self.emit(f"store ptr {self.ip_after(after_jump - 1)}, ptr {place}")
        self.emit("ret i32 -1")
        self.begin(f"left{n}")
        self.emit("ret i32 1")
        self.begin(f"on{n}")

    def op_take(self, node: Node) -> None:
        n = self.fresh()
        away = self.fetch("ptr", self.field("%vm", "vm.away"))
        self.likely(self.test(f"eq ptr {away}, null"), f"held{n}", f"away{n}")
        self.begin(f"away{n}")
        self.call("void", "hot_take", "ptr %vm")
        self.emit(f"br label %held{n}")
        self.begin(f"held{n}")

    def op_ret(self, node: Node) -> None:
        self.emit(f"ret i32 {node.data}")

    def op_jump(self, node: Node) -> None:
        self.emit(f"br label %{node.data.label}")

    def op_branch(self, node: Node) -> None:
        yes, no = node.data
        weights = ", !prof !0" if yes.cold else ", !prof !1" if no.cold else ""
        self.emit(f"br i1 {self.of(node.args[0])}, label %{yes.label}, label %{no.label}{weights}")


def back_end() -> Any:
    """The module ``llvmlite.binding``. The first import takes tens of milliseconds: others may run between its parts."""
    found = find_spec("llvmlite")
    if "llvmlite.binding" not in sys.modules and found is not None and found.submodule_search_locations:
        # Linked in here, without the interpreter lock; the import finds it there.
        path = os.path.join(found.submodule_search_locations[0], "binding", "libllvmlite.so")
        if sys.platform == "linux" and os.path.exists(path):
            ctypes.CDLL(None).dlopen(path.encode(), os.RTLD_NOW)
        for name in ("ctypes", "importlib.resources", "llvmlite", "llvmlite.ir.types", "llvmlite.ir.values", "llvmlite.ir"):
            import_module(name)
            rest()
    import llvmlite.binding as llvm

    return llvm


class Machine:
    """Makes machine code of modules; keeps what belongs to the processor. opt_level: 0 to 3."""

    def __init__(self, opt_level: int = 2) -> None:
        llvm = back_end()
        self.llvm = llvm
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.opt_level = opt_level
        self.target = self.target_machine()

    def target_machine(self) -> Any:
        llvm = self.llvm
        model = {"codemodel": "small", "reloc": "pic"} if loading.SUPPORTED else {}
        # Contracted operations would round otherwise than the interpreter's.
        return llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=self.opt_level, jit=True, **model)

    def module(self, text: str) -> Any:
        """The module of a text, with what the passes make of it."""
        llvm = self.llvm
        module = llvm.parse_assembly(text)
        module.verify()         # a fault of ours is an exception here; LLVM's passes would end the process
        module.triple = self.target.triple
        module.data_layout = str(self.target.target_data)
        options = llvm.create_pipeline_tuning_options(speed_level=self.opt_level)
        options.loop_unrolling = False
        options.loop_vectorization = options.slp_vectorization = False
        builder = llvm.create_pass_builder(self.target, options)
        if self.opt_level >= 2:
            passes = builder.getModulePassManager()
        else:
            # The form is in SSA, its numbers unboxed: these give nearly all of O2's speed in a tenth of its time.
            passes = llvm.create_new_module_pass_manager()
            if self.opt_level == 1:
                passes.add_sroa_pass()
                passes.add_simplify_cfg_pass()
                passes.add_instruction_combine_pass()
                passes.add_simplify_cfg_pass()
        passes.run(module, builder)
        return module

    def object(self, text: str) -> bytes:
        """The object file of a text."""
        made: bytes = self.target.emit_object(self.module(text))
        return made

    def engine(self, text: str, words: list[int], names: list[str]) -> loading.Loaded:
        """Code that LLVM itself has loaded: for systems whose object files `loading` does not know."""
        llvm = self.llvm
        engine = llvm.create_mcjit_compiler(self.module(text), self.target_machine())       # an engine owns its machine
        sizes: list[int] = []
        engine.set_object_cache(lambda _module, code: sizes.append(len(code)))
        engine.finalize_object()
        table = engine.get_global_value_address(TABLE)
        ctypes.memmove(table, (ctypes.c_uint64 * len(words))(*words), 8 * len(words))
        return loading.Loaded(engine, {name: engine.get_function_address(name) for name in names}, sum(sizes))
