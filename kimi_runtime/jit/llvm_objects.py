"""The LLVM back end's text of what handles objects: registers, containers, attributes, functions that are part of the code."""
from __future__ import annotations

import sys

from .form import Block, Node
from .llvm_text import DIGIT_OFFSET, FLOAT_OFFSET, IMMORTAL, ITEMS_OFFSET, SHORT_INTS, SIZE_OFFSET, Text

#: See k_stays_object.
STAYS_OBJECT = (1 << 9) | sum(1 << bit for bit in (25, 26, 27, 28, 29, 30, 31))


class Objects(Text):
    """Nodes with objects. Layouts are those of `vm/layout.h`."""

    # ---- registers ---------------------------------------------------------------------------------------
    def op_release(self, node: Node) -> None:
        reg, sure, pc, saved = node.data
        tag = "" if sure else self.let(f"load i64, ptr {self.register(reg)}")
        label = self.if_owned(tag, sure)
        held = self.fetch("ptr", self.register(reg, True))
        self.emit(f"store i64 0, ptr {self.register(reg)}")
        self.give_up(held, pc, saved, node.args)
        self.end_if(label)

    def op_replace(self, node: Node) -> None:
        reg, kind, sure, pc, saved = node.data
        tag = "" if sure else self.let(f"load i64, ptr {self.register(reg)}")
        held = self.fetch("ptr", self.register(reg, True))
        own = int(kind not in ("n", "u"))
        self.write(reg, kind, node.args[:own])
        label = self.if_owned(tag, sure)
        self.give_up(held, pc, saved, node.args[own:])
        self.end_if(label)

    def op_put(self, node: Node) -> None:
        reg, kind, sure, pc, saved = node.data
        item = self.of(node.args[0])
        tag = held = ""
        if sure is not None:
            tag = "" if sure else self.let(f"load i64, ptr {self.register(reg)}")
            held = self.fetch("ptr", self.register(reg, True))
        if kind == "m":
            self.call("void", "hot_fill", f"ptr {self.register(reg)}, ptr {item}")
        else:
            self.count_up(item)
            self.emit(f"store i64 8, ptr {self.register(reg)}")
            self.emit(f"store ptr {item}, ptr {self.register(reg, True)}")
        if sure is not None:
            label = self.if_owned(tag, sure)
            self.give_up(held, pc, saved, node.args[1:])
            self.end_if(label)

    # ---- what lies in containers -------------------------------------------------------------------------
    def silent(self, held: str, way_out: Block, many: int = 1) -> None:
        """Leaves where giving up the reference could run a finalizer. many: references that may be given up at once."""
        n = self.fresh()
        count = self.fetch("i32" if IMMORTAL else "i64", held)
        kind = "i32" if IMMORTAL else "i64"
        self.emit(f"br i1 {self.test(f'ugt {kind} {count}, {many}')}, label %quiet{n}, label %few{n}, !prof !1")
        self.begin(f"few{n}")
        flags = self.fetch("i64", self.at(self.fetch("ptr", self.at(held, 8)), self.layout["type.flags"]))
        may = self.let(f"and i64 {flags}, {(1 << 9) | (1 << 14)}")
        self.guard(self.test(f"eq i64 {may}, 0"), way_out)
        self.emit(f"br label %quiet{n}")
        self.begin(f"quiet{n}")

    def op_silent(self, node: Node) -> None:
        assert node.exit is not None
        reg, sure, many = node.data
        tag = "" if sure else self.let(f"load i64, ptr {self.register(reg)}")
        label = self.if_owned(tag, sure)
        self.silent(self.fetch("ptr", self.register(reg, True)), node.exit, many)
        self.end_if(label)

    def item_place(self, node: Node) -> str:
        holder, index = (self.of(arg) for arg in node.args[:2])
        items = self.fetch("ptr", self.at(holder, ITEMS_OFFSET))
        return self.let(f"getelementptr ptr, ptr {items}, i64 {index}")

    def exchange(self, place: str, old: str, new: str, node: Node, own: int) -> None:
        """What lay there is given up once the new one, which is owned, is there."""
        pc, saved, _careful = node.data
        self.emit(f"store ptr {new}, ptr {place}")
        self.give_up(old, pc, saved, node.args[own:])

    def op_set_bool(self, node: Node) -> None:
        assert node.exit is not None
        place = self.item_place(node)
        old = self.fetch("ptr", place)
        if node.data[2]:
            self.silent(old, node.exit)
        test = self.test(f"ne i64 {self.of(node.args[2])}, 0")
        new = self.let(f"select i1 {test}, ptr {self.address('true')}, ptr {self.address('false')}")
        self.count_up(new)
        self.exchange(place, old, new, node, 3)

    def _set_number(self, node: Node, kind: str, box: str) -> None:
        """A number object that only the container has gets another value; else there is a new one."""
        assert node.exit is not None
        n = self.fresh()
        place = self.item_place(node)
        old = self.fetch("ptr", place)
        item = self.of(node.args[2])
        self.rewrite_number(old, item, kind, f"mine{n}", f"set{n}", f"other{n}")
        self.begin(f"other{n}")
        if node.data[2]:
            self.silent(old, node.exit)
        new = self.call("ptr", box, f"{'double' if kind == 'float' else 'i64'} {item}")
        self.guard(self.test(f"ne ptr {new}, null"), node.exit)
        self.exchange(place, old, new, node, 3)
        self.emit(f"br label %set{n}")
        self.begin(f"set{n}")

    def rewrite_number(self, old: str, item: str, kind: str, mine: str, done: str, missed: str) -> None:
        """A number object that only one place has gets another value: goes on at `done`, else at `missed`. mine: a free label."""
        same = self.type_is(old, kind)
        count = "i32" if IMMORTAL else "i64"
        alone = self.test(f"eq {count} {self.fetch(count, old)}, 1")
        self.likely(self.let(f"and i1 {same}, {alone}"), mine, missed)
        self.begin(mine)
        if kind == "float":
            self.emit(f"store double {item}, ptr {self.at(old, FLOAT_OFFSET)}")
            self.emit(f"br label %{done}")
        else:
            self.rewrite_int(old, item, done, missed)

    def rewrite_int(self, old: str, item: str, done: str, missed: str) -> None:
        """As k_rewrite_int, of an int that only one place has: goes on at either label."""
        n = self.fresh()
        small = self.test(f"ult i64 {self.let(f'add i64 {item}, 5')}, 262")
        wide = self.test(f"uge i64 {self.let(f'add i64 {item}, {(1 << 30) - 1}')}, {(1 << 31) - 1}")
        size = self.fetch("i64", self.at(old, SIZE_OFFSET))
        empty = self.test(f"ult i64 {size}, 8" if SHORT_INTS else f"eq i64 {size}, 0")
        either = self.let(f"or i1 {self.let(f'or i1 {small}, {wide}')}, {empty}")
        self.emit(f"br i1 {either}, label %{missed}, label %fits{n}")
        self.begin(f"fits{n}")
        minus = self.test(f"slt i64 {item}, 0")
        sizes = (10, 8) if SHORT_INTS else (-1, 1)
        self.emit(f"store i64 {self.let(f'select i1 {minus}, i64 {sizes[0]}, i64 {sizes[1]}')}, ptr {self.at(old, SIZE_OFFSET)}")
        size_of = self.let(f"select i1 {minus}, i64 {self.let(f'sub i64 0, {item}')}, i64 {item}")
        self.emit(f"store i32 {self.let(f'trunc i64 {size_of} to i32')}, ptr {self.at(old, DIGIT_OFFSET)}")
        self.emit(f"br label %{done}")

    def op_set_int(self, node: Node) -> None:
        self._set_number(node, "int", "hot_box_int")

    def op_set_float(self, node: Node) -> None:
        self._set_number(node, "float", "hot_box_float")

    def op_set_any(self, node: Node) -> None:
        """An object, or None."""
        assert node.exit is not None
        place = self.item_place(node)
        old = self.fetch("ptr", place)
        if node.data[2]:
            self.silent(old, node.exit)
        tag = node.args[2].data
        new = self.address("none") if tag == 1 else self.of(node.args[3])
        self.count_up(new)
        self.exchange(place, old, new, node, 4)

    def payload(self, node: Node) -> str:
        """The 64 bits of a value."""
        if node.type == "f64":
            return self.let(f"bitcast double {self.of(node)} to i64")
        if node.type == "ptr":
            return self.let(f"ptrtoint ptr {self.of(node)} to i64")
        return self.of(node)

    def op_append(self, node: Node) -> None:
        assert node.exit is not None
        holder, tag, item = node.args
        status = self.call("i32", "hot_append", f"ptr {self.of(holder)}, i64 {self.of(tag)}, i64 {self.payload(item)}")
        self.guard(self.test(f"eq i32 {status}, 0"), node.exit)

    def op_append_from(self, node: Node) -> None:
        assert node.exit is not None
        tag = self.let(f"load i64, ptr {self.register(node.data)}")
        item = self.let(f"load i64, ptr {self.register(node.data, True)}")
        status = self.call("i32", "hot_append", f"ptr {self.of(node.args[0])}, i64 {tag}, i64 {item}")
        self.guard(self.test(f"eq i32 {status}, 0"), node.exit)

    def replaced(self, node: Node, function: str, args: str, own: int) -> None:
        """Calls what stores a value and hands out what was there, which is given up."""
        assert node.exit is not None
        careful, pc, saved = node.data[-3:]
        room = self.room("ptr")
        done = self.call("i32", function, f"{args}, i32 {int(careful)}, ptr {room}")
        self.guard(self.test(f"ne i32 {done}, 0"), node.exit)
        n = self.fresh()
        old = self.fetch("ptr", room)
        self.emit(f"br i1 {self.test(f'eq ptr {old}, null')}, label %none{n}, label %some{n}")
        self.begin(f"some{n}")
        self.give_up(old, pc, saved, node.args[own:])
        self.emit(f"br label %none{n}")
        self.begin(f"none{n}")

    def op_store_attr(self, node: Node) -> None:
        """A number that only the instance has gets another value here; anything else by a function."""
        holder, tag, item = node.args[:3]
        held = self.of(holder)
        n = self.fresh()
        kind = {3: "int", 4: "float"}.get(tag.data) if sys.version_info < (3, 13) else None
        if kind is not None:
            site = node.data[0]
            self.versions_agree(held, site, "stored in values", f"values{n}", f"slow{n}")
            self.begin(f"values{n}")
            values = self.values_of(held, f"old{n}", f"slow{n}")
            self.begin(f"old{n}")
            old = self.fetch("ptr", self.let(f"getelementptr ptr, ptr {values}, i64 {self.of_site(site, 'i64', 'site.index')}"))
            self.likely(self.test(f"ne ptr {old}, null"), f"number{n}", f"slow{n}")
            self.begin(f"number{n}")
            self.rewrite_number(old, self.of(item), kind, f"mine{n}", f"stored{n}", f"slow{n}")
            self.begin(f"slow{n}")
        address = f"ptr {self.word(node.data[0])}"
        self.replaced(node, "hot_store_attr", f"ptr {held}, {address}, i64 {self.of(tag)}, i64 {self.payload(item)}", 3)
        if kind is not None:
            self.emit(f"br label %stored{n}")
            self.begin(f"stored{n}")

    def of_site(self, site: int, kind: str, name: str) -> str:
        return self.fetch(kind, self.at(self.word(site), self.layout[name]))

    def type_version(self, held: str) -> tuple[str, str]:
        """The type of an object, and its version."""
        kind = self.fetch("ptr", self.at(held, 8))
        return kind, self.fetch("i32", self.at(kind, self.layout["type.version"]))

    def versions_agree(self, held: str, site: int, kind: str, yes: str, no: str) -> None:
        """Whether the site knows the type of the object, in that way."""
        right = self.test(f"eq i32 {self.type_version(held)[1]}, {self.of_site(site, 'i32', 'site.version')}")
        known = self.test(f"eq i16 {self.of_site(site, 'i16', 'site.kind')}, {self.layout[kind]}")
        self.likely(self.let(f"and i1 {right}, {known}"), yes, no)

    def values_of(self, held: str, yes: str, no: str) -> str:
        """The table of the instance's values; goes on at the second label when it has none. See k_values."""
        if IMMORTAL:
            table = self.fetch("i64", self.at(held, -24))
            there = self.test(f"ne i64 {self.let(f'and i64 {table}, 1')}, 0")
            values = self.let(f"inttoptr i64 {self.let(f'add i64 {table}, 1')} to ptr")
        else:
            values = self.fetch("ptr", self.at(held, -32))
            there = self.test(f"ne ptr {values}, null")
        self.likely(there, yes, no)
        return values

    def op_method_of(self, node: Node) -> str:
        """A method that was a function of that code for this type before, without a look at the site."""
        assert node.exit is not None
        site, instrs = node.data
        held = self.of(node.args[0])
        cell = f"@{self.name}_method{self.fresh()}"
        self.globals.append(f"{cell} = internal global {{i32, i32, ptr}} zeroinitializer")
        if sys.version_info >= (3, 13):
            return self.slow_method(node, held, cell)
        n = self.fresh()
        kind, version = self.type_version(held)
        self.likely(self.test(f"eq i32 {version}, {self.fetch('i32', cell)}"), f"type{n}", f"slow{n}")
        self.begin(f"type{n}")
        self.values_of(held, f"values{n}", f"slow{n}")
        self.begin(f"values{n}")
        keys = self.fetch("ptr", self.at(kind, self.layout["type.keys"]))
        shared = self.fetch("i32", self.at(keys, self.layout["keys.version"]))
        wanted = self.fetch("i32", self.at(cell, 4))
        quick = self.fetch("ptr", self.at(cell, 8))
        self.likely(self.test(f"eq i32 {shared}, {wanted}"), f"got{n}", f"slow{n}")
        self.begin(f"slow{n}")
        slowly = self.slow_method(node, held, cell)
        end = self.label
        self.emit(f"br label %got{n}")
        self.begin(f"got{n}")
        return self.let(f"phi ptr [ {quick}, %values{n} ], [ {slowly}, %{end} ]")

    def slow_method(self, node: Node, held: str, cell: str) -> str:
        site, instrs = node.data
        return self.found(node, "hot_method_of", f"ptr {held}, ptr {self.word(site)}, ptr {self.word(instrs)}, ptr {cell}")

    def op_dict_set(self, node: Node) -> None:
        holder, key_tag, key, tag, item = node.args[:5]
        self.replaced(node, "hot_dict_set", f"ptr {self.of(holder)}, i64 {self.of(key_tag)}, i64 {self.payload(key)}, "
                                            f"i64 {self.of(tag)}, i64 {self.payload(item)}", 5)

    def found(self, node: Node, function: str, args: str) -> str:
        """What a function gives, unless that is nothing."""
        assert node.exit is not None
        made = self.call("ptr", function, args)
        self.guard(self.test(f"ne ptr {made}, null"), node.exit)
        return made

    def op_dict_get(self, node: Node) -> str:
        holder, tag, key = node.args
        return self.found(node, "hot_dict_get", f"ptr {self.of(holder)}, i64 {self.of(tag)}, i64 {self.payload(key)}")

    def op_contains(self, node: Node) -> str:
        assert node.exit is not None
        holder, tag, key = node.args
        status = self.call("i32", "hot_contains", f"ptr {self.of(holder)}, i64 {self.of(tag)}, i64 {self.payload(key)}")
        self.guard(self.test(f"ult i32 {status}, 2"), node.exit)
        return self.test(f"eq i32 {status}, 1")

    def op_method(self, node: Node) -> str:
        return self.found(node, "hot_method", f"ptr {self.of(node.args[0])}, ptr {self.word(node.data)}")

    def op_attr(self, node: Node) -> str:
        """Of an instance with a table of values here, as the site says; anything else by a function."""
        assert node.exit is not None
        held = self.of(node.args[0])
        if sys.version_info >= (3, 13):
            return self.found(node, "hot_attr", f"ptr {held}, ptr {self.word(node.data)}")
        n = self.fresh()

        self.versions_agree(held, node.data, "attribute in values", f"values{n}", f"slow{n}")
        self.begin(f"values{n}")
        values = self.values_of(held, f"load{n}", f"slow{n}")
        self.begin(f"load{n}")
        index = self.of_site(node.data, "i64", "site.index")
        quick = self.fetch("ptr", self.let(f"getelementptr ptr, ptr {values}, i64 {index}"))
        self.likely(self.test(f"ne ptr {quick}, null"), f"got{n}", f"slow{n}")
        self.begin(f"slow{n}")
        slowly = self.found(node, "hot_attr", f"ptr {held}, ptr {self.word(node.data)}")
        end = self.label
        self.emit(f"br label %got{n}")
        self.begin(f"got{n}")
        return self.let(f"phi ptr [ {quick}, %load{n} ], [ {slowly}, %{end} ]")

    def op_is_a(self, node: Node) -> str:
        return self.type_is(self.of(node.args[0]), node.data)

    def op_stays_object(self, node: Node) -> None:
        """Leaves for numbers, bools and None, which registers hold by themselves."""
        assert node.exit is not None
        n = self.fresh()
        kind = self.fetch("ptr", self.at(self.of(node.args[0]), 8))
        flags = self.fetch("i64", self.at(kind, self.layout["type.flags"]))
        some = self.test(f"ne i64 {self.let(f'and i64 {flags}, {STAYS_OBJECT}')}, 0")
        self.likely(some, f"object{n}", f"look{n}")
        self.begin(f"look{n}")
        for name in ("int", "float", "bool", "none type"):
            self.guard(self.test(f"ne ptr {kind}, {self.address(name)}"), node.exit)
        self.emit(f"br label %object{n}")
        self.begin(f"object{n}")

    def op_bound(self, node: Node) -> str:
        return self.test(f"ne i64 {self.let(f'load i64, ptr {self.register(node.data)}')}, 0")

    def op_copy(self, node: Node) -> None:
        a, r, sure, moved, old_sure, pc, saved = node.data
        tag = "8" if sure else self.let(f"load i64, ptr {self.register(r)}")
        item = self.let(f"load ptr, ptr {self.register(r, True)}")
        if not moved:
            label = self.if_owned(tag, sure)
            self.count_up(item)
            self.end_if(label)
        old_tag = old = ""
        if old_sure is not None:
            old_tag = "" if old_sure else self.let(f"load i64, ptr {self.register(a)}")
            old = self.fetch("ptr", self.register(a, True))
        self.emit(f"store i64 {tag}, ptr {self.register(a)}")
        self.emit(f"store ptr {item}, ptr {self.register(a, True)}")
        if moved:
            self.emit(f"store i64 0, ptr {self.register(r)}")
        if old_sure is not None:
            label = self.if_owned(old_tag, old_sure)
            self.give_up(old, pc, saved, node.args)
            self.end_if(label)

    def op_constant_at(self, node: Node) -> str:
        return self.fetch("ptr", self.at(self.word(node.data), 8))

    # ---- spliced functions and generators ----------------------------------------------------------------
    def op_fits(self, node: Node) -> str:
        registers, frames = node.data
        return self.test(f"ne i32 {self.call('i32', 'hot_fits', f'ptr %vm, ptr %f, i32 {registers}, i32 {frames}')}, 0")

    def op_window(self, node: Node) -> None:
        assert node.exit is not None
        number, reg, instrs = node.data
        self.emit(f"%g{number} = call ptr {self.address('hot_generator')}"
                  f"(ptr %vm, ptr %f, i32 {reg}, ptr {self.word(instrs)})")
        self.guard(self.test(f"ne ptr %g{number}, null"), node.exit)

    def op_suspended(self, node: Node) -> str:
        reg, pc = node.data
        held = self.fetch("ptr", self.register(reg, True))
        return self.test(f"ne i32 {self.call('i32', 'hot_suspended', f'ptr {held}, ptr {self.ip(pc)}')}, 0")

    def op_is_function(self, node: Node) -> str:
        found = self.call("i32", "hot_is_function", f"ptr {self.of(node.args[0])}, ptr {self.word(node.data)}")
        return self.test(f"ne i32 {found}, 0")

    def op_global_of(self, node: Node) -> str:
        return self.call("ptr", "hot_global_of", f"ptr {self.of(node.args[0])}, i32 {node.data}")

    def op_there(self, node: Node) -> str:
        return self.test(f"ne ptr {self.of(node.args[0])}, null")

    def op_push(self, node: Node) -> None:
        call, window, ret = node.data
        function = self.of(node.args[0])
        self.call("void", "hot_push", f"ptr %vm, ptr {self.ip_after(call)}, ptr {function}, i32 {window}, i32 {ret}")

    def op_go_on(self, node: Node) -> None:
        frame = self.fetch("ptr", self.field("%vm", "vm.frame"))
        self.emit(f"store ptr {self.let(f'inttoptr i64 {self.of(node.args[0])} to ptr')}, ptr {self.field(frame, 'frame.ip')}")

    def op_resume(self, node: Node) -> None:
        reg, loop = node.data
        n = self.fresh()
        status = self.call("i32", "hot_resume", f"ptr %vm, i32 {reg}, ptr {self.ip_after(loop)}")
        self.emit(f"br i1 {self.test(f'eq i32 {status}, 0')}, label %resumed{n}, label %failed{n}")
        self.begin(f"failed{n}")
        self.emit("ret i32 -1")
        self.begin(f"resumed{n}")

    def op_note_tick(self, node: Node) -> None:
        self.emit(f"store i32 1, ptr {self.field('%vm', 'vm.ticked')}")
