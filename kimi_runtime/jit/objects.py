"""From instructions to the form where objects are at hand: attributes, items, calls of functions that are part of the code.

As in `lowering`: each function gives NotImplemented when it does not cover what the registers hold, before it does anything.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import mathematics
from .form import Node
from .kinds import OBJECTS, OF_MASK, PLAIN
from .operands import UNBOX, as_float, known, object_type, split
from .region import Part

if TYPE_CHECKING:
    from .build import Builder

NUMBERS = ("i", "f", "b")
CONTAINERS = ("dict", "o", "list", "tuple", "str")
LENGTHS = {"list": "length", "tuple": "length", "str": "length", "dict": "length"}


def seen(b: Builder, pc: int, field: int) -> str:
    """What kind a value was seen to have."""
    kind = OF_MASK.get(b.program.kinds[pc * 4 + field], "m")
    return kind if kind in NUMBERS or kind in OBJECTS else "m"


def object_of(b: Builder, reg: int) -> Node:
    return b.block.add("object", [], "ptr", reg)


def leaves(b: Builder, pc: int, why: str) -> bool:
    """The code ends here: the interpreter goes on."""
    b.block.add("jump", [], data=b.leave(pc, why))
    return True


def held(b: Builder, pc: int, reg: int, field: int) -> tuple[Node, Node] | None:
    """Tag and payload of a value that is to be kept somewhere: a number, None, or an object in its register."""
    kind = known(b, pc, reg, field)
    node = b.state.slots[reg][1]
    if kind in ("i", "f", "b") and node is not None:
        return b.block.add("const", [], "i64", {"i": 3, "f": 4, "b": 2}[kind]), node
    if kind == "n":
        return b.block.add("const", [], "i64", 1), b.constant(0)
    if kind in OBJECTS:
        return b.block.add("const", [], "i64", 8), object_of(b, reg)
    return None


# ---- moves -------------------------------------------------------------------------------------------------
def move(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    kind = b.state.slots[r][0]
    if (kind not in OBJECTS and kind != "m") or a == r:
        return NotImplemented
    b.copy(a, r, name == "MOVE" and r >= b.ft)
    return False


def load_constant(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    kind = OF_MASK.get(b.program.held[imm])
    if kind not in OBJECTS:
        return NotImplemented
    b.put(a, kind, b.block.add("constant_at", [], "ptr", b.program.constant_at[imm]))
    return False


def check(b: Builder, pc: int, name: str, a: int, *_: int) -> Any:
    kind = b.state.slots[a][0]
    if kind == "u":
        return leaves(b, pc, "a variable without a value")
    if kind in ("m", "k"):
        b.block.add("guard", [b.block.add("bound", [], "i1", a)], exit=b.leave(pc, "a variable without a value"))
    return False


def format_value(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    """A part of an f-string that is what it is: BUILD_STRING takes ints and strs."""
    kind = known(b, pc, r, 1)
    if c != 4 or kind not in ("i", "str"):
        return NotImplemented
    if kind == "i":
        node = b.state.slots[r][1]
        if r != a:
            b.consume(r)
        b.set(a, "i", node)
    elif r != a:
        b.copy(a, r, r >= b.ft)
    return False


# ---- attributes --------------------------------------------------------------------------------------------
def load_attr(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    if known(b, pc, r, 1) not in OBJECTS:
        return NotImplemented
    kind = seen(b, pc, 3)
    node = b.block.add("attr", [object_of(b, r)], "ptr", b.program.site_at[c], exit=b.leave(pc, "another attribute"))
    taken(b, pc, node, a, kind, *([r] if r != a else []))
    return False


def taken(b: Builder, pc: int, node: Node, a: int, kind: str, *consumed: int) -> None:
    """a = an object that something else holds, which may be among what is consumed after it."""
    way_out = b.leave(pc, "another kind of item")
    if kind in UNBOX:
        value = b.block.add(UNBOX[kind], [node], "f64" if kind == "f" else "i64", exit=way_out)
        for reg in consumed:
            b.consume(reg)
        b.set(a, kind, value)
        return
    if kind in OBJECTS:
        object_type(b, node, kind, way_out)
    b.put(a, kind, node)
    for reg in consumed:
        b.consume(reg)


def store_attr(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    if known(b, pc, a, 0) not in OBJECTS:
        return NotImplemented
    value = held(b, pc, r, 1)
    if value is None:
        return NotImplemented
    b.block.add("alive", [], exit=b.leave(pc, "a run that was stopped"))
    nodes, saved = b.saved()
    b.block.add("store_attr", [object_of(b, a), *value, *nodes], "", (b.program.site_at[c], b.careful(pc), pc, saved),
                b.leave(pc, "another attribute to store"))
    b.consume(r)
    b.consume(a)
    return False


def load_method(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    if known(b, pc, r, 1) not in OBJECTS or r == a + 1:
        return NotImplemented
    what = b.program.feeds.get(pc)
    way_out = b.leave(pc, "another method")
    if isinstance(what, str) and what.startswith("math."):
        return of_module(b, pc, a, r, c, what)
    if isinstance(what, Part):
        node = b.block.add("method_of", [object_of(b, r)], "ptr", (b.program.site_at[c], what.figures["instrs"]), way_out)
    else:
        node = b.block.add("method", [object_of(b, r)], "ptr", b.program.site_at[c], exit=way_out)
    if what == "append":
        callee(b, node, what, way_out)
    if r == a:
        b.copy(a + 1, r, r >= b.ft)
    if isinstance(what, Part) or what == "append":
        b.functions[id(node)] = what
        if b.state.slots[a][0] not in PLAIN:
            b.release(a)
        b.state.slots[a] = ("fn", node, True)
    else:
        b.put(a, "o", node)
    if r != a:
        b.copy(a + 1, r, r >= b.ft)
    return False


def of_module(b: Builder, pc: int, a: int, r: int, c: int, what: str) -> Any:
    """A function of a module, which is called without the module."""
    if r != a and b.state.slots[a][0] not in PLAIN:
        return NotImplemented
    way_out = b.leave(pc, "another function of a module")
    node = b.block.add("attr", [object_of(b, r)], "ptr", b.program.site_at[c], exit=way_out)
    callee(b, node, what, way_out)
    b.functions[id(node)] = what
    b.consume(r)
    if b.state.slots[a][0] not in PLAIN:
        b.release(a)
    if b.state.slots[a + 1][0] not in PLAIN:
        b.release(a + 1)
    b.state.slots[a] = ("fn", node, True)
    b.state.slots[a + 1] = ("u", None, True)
    return False


def callee(b: Builder, node: Node, what: Any, way_out: Any) -> None:
    """Leaves unless the object is what the code is made for."""
    if isinstance(what, Part):
        b.block.add("guard", [b.block.add("is_function", [node], "i1", what.figures["instrs"])], exit=way_out)
    else:
        b.block.add("guard", [b.block.add("same", [node], "i1", what)], exit=way_out)


def load_global(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    """A name that stands for a function that is called, or for any object."""
    part = b.program.part_of[pc]
    what = b.program.feeds.get(pc)
    kind = seen(b, pc, 3)
    why = b.leave(pc, "a name stands for something else")
    if part.parent is None:
        node = b.block.add("global", [], "ptr", c)
    elif part.kind == "call":
        node = b.block.add("global_of", [b.funcs[part]], "ptr", c - part.first_site)
    else:
        return NotImplemented
    b.block.add("guard", [b.block.add("there", [node], "i1")], exit=why)
    if what is not None and b.state.slots[a][0] in PLAIN:
        callee(b, node, what, why)
        b.functions[id(node)] = what
        b.state.slots[a] = ("fn", node, True)
    else:
        taken(b, pc, node, a, kind)
    return False


# ---- calls of what is known --------------------------------------------------------------------------------
def spliced_call(b: Builder, pc: int, base: int, part: Part) -> bool:
    """The body of the function comes here. Its registers are where those of its frame would be."""
    kind, node, _ = b.state.slots[base]
    if kind != "fn" or node is None or b.functions.get(id(node)) is not part:
        return leaves(b, pc, "another callee")
    b.unless_over(pc, 1)
    b.funcs[part] = node
    slots = b.state.slots
    slots[base] = ("k", None, False)
    for reg in range(part.offset + part.nargs, part.first_temp):
        slots[reg] = ("u", None, True)
    for reg in range(part.first_temp, part.end):
        slots[reg] = ("k", None, False)
    b.state.done += 1
    b.go(part.base, b.block, b.state)
    return True


def give_back(b: Builder, pc: int, name: str, a: int, part: Part) -> Any:
    """The end of such a function."""
    slots = b.state.slots
    kind = "n" if name == "RETURN_NONE" else known(b, pc, a, 0)
    if kind in ("fn", "r", "u", "listit"):
        return NotImplemented
    number = kind in ("i", "f", "b", "n")
    node = slots[a][1] if number and kind != "n" else None
    if not number:
        b.copy(part.ret, a, True)
    for reg in range(part.offset, part.first_temp):
        if slots[reg][0] not in PLAIN and reg != part.ret:
            b.release(reg)
    if number:
        b.set(part.ret, kind, node)
    for reg in range(part.offset, part.end):
        if reg != part.ret:
            slots[reg] = ("k", None, False)
    b.state.done += 1
    b.go(part.call + 1, b.block, b.state)
    return True


def resume(b: Builder, pc: int, a: int, part: Part) -> bool:
    """A loop over a generator whose body is part of the code."""
    b.unless_over(pc, 2)
    waits = b.block.add("suspended", [], "i1", (a, part.resumed))
    b.block.add("guard", [waits], exit=b.leave(pc, "a generator that is elsewhere"))
    b.state.done += 1
    b.set(b.program.instrs[part.resumed - 1][1], "n", None)
    b.go(part.resumed, b.block, b.state)
    return True


def give(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    """A value that such a generator yields."""
    part = b.program.part_of[pc]
    if part.kind != "loop" or pc + 1 != part.resumed:
        return leaves(b, pc, "another yield")
    to = b.program.instrs[part.call][2]
    kind = known(b, pc, r, 1)
    if kind in ("i", "f", "b", "n"):
        node = b.state.slots[r][1]
        b.consume(r)
        b.set(to, kind, node)
    elif kind in OBJECTS or kind == "m":
        b.copy(to, r, r >= b.ft)
    else:
        return leaves(b, pc, "another yield")
    b.state.done += 1
    b.go(b.program.after(pc)[0], b.block, b.state)
    return True


def builtin_call(b: Builder, pc: int, name: str, a: int, base: int, site: int, what: str) -> Any:
    """A call of a builtin that was seen."""
    n = b.program.calls[site]
    if what == "append":
        return append(b, pc, a, base, n)
    begin = base + 1 + (name == "CALL_METHOD")      # of a module, there is nothing before the arguments
    args = [begin + i for i in range(n)]
    if n < 1 or (name == "CALL_METHOD" and not what.startswith("math.")):
        return NotImplemented
    kinds = [b.state.slots[reg][0] for reg in args]
    nodes = [b.state.slots[reg][1] for reg in args]
    x = nodes[0]
    made: tuple[str, Node] | None
    if what.startswith("math."):
        made = mathematics.call(b, pc, what, kinds, nodes)
        if made is None:
            return NotImplemented
    elif what == "len" and n == 1 and kinds[0] in LENGTHS:
        made = "i", b.block.add("length", [object_of(b, args[0])], "i64")
    elif what in ("min", "max") and n == 2 and kinds[0] == kinds[1] and kinds[0] in ("i", "f"):
        (first, second) = nodes
        assert first is not None and second is not None
        op = ("f" if kinds[0] == "f" else "") + ("lt" if what == "min" else "gt")
        test = b.block.add(op, [second, first], "i1")
        made = kinds[0], b.block.add("select", [test, second, first], "f64" if kinds[0] == "f" else "i64")
    elif what == "abs" and n == 1 and kinds[0] == "f" and x is not None:
        made = "f", b.block.add("fabs", [x], "f64")
    elif what == "abs" and n == 1 and kinds[0] == "i" and x is not None:
        other = b.block.add("sub", [b.constant(0), x], "i64", exit=b.leave(pc, "an overflow"))
        made = "i", b.block.add("select", [b.block.add("lt", [x, b.constant(0)], "i1"), other, x], "i64")
    elif what == "int" and n == 1 and kinds[0] in ("i", "b") and x is not None:
        made = "i", x
    elif what == "int" and n == 1 and kinds[0] == "f" and x is not None:
        size = b.block.add("fabs", [x], "f64")
        b.block.add("guard", [b.block.add("flt", [size, b.constant(4e18)], "i1")], exit=b.leave(pc, "a float that is too large"))
        made = "i", b.block.add("truncate", [x], "i64")
    elif what == "float" and n == 1 and kinds[0] == "f" and x is not None:
        made = "f", x
    elif what == "float" and n == 1 and kinds[0] == "i" and x is not None:
        made = "f", as_float(b, pc, x, "i")
    else:
        return NotImplemented
    for reg in (base, *args):
        b.consume(reg)
    b.set(a, *made)
    return False


def append(b: Builder, pc: int, a: int, base: int, n: int) -> Any:
    """items.append(value)"""
    reg = base + 2
    if n != 1 or b.state.slots[base + 1][0] != "list":
        return NotImplemented
    if b.state.slots[reg][0] == "m":
        b.block.add("alive", [], exit=b.leave(pc, "a run that was stopped"))
        b.block.add("append_from", [object_of(b, base + 1)], "", reg, b.leave(pc, "no memory"))
    else:
        known(b, pc, reg, 3)
        value = held(b, pc, reg, 3)
        if value is None:
            return NotImplemented
        b.block.add("alive", [], exit=b.leave(pc, "a run that was stopped"))
        b.block.add("append", [object_of(b, base + 1), *value], "", None, b.leave(pc, "no memory"))
    for each in (base, base + 1, reg):
        b.consume(each)
    b.set(a, "n", None)
    return False


# ---- items -------------------------------------------------------------------------------------------------
def dict_get(b: Builder, pc: int, name: str, a: int, r: int, c: int) -> Any:
    """An item of a dict by an int or str."""
    if name == "GET_ITEM":
        key = held(b, pc, c, 2)
        if key is None or b.state.slots[c][0] not in ("i", "str"):
            return NotImplemented
    elif name == "GET_ITEM_I":
        key = b.block.add("const", [], "i64", 3), b.constant(b.program.signed(c))
    elif OF_MASK.get(b.program.held[c]) == "str":
        key = b.block.add("const", [], "i64", 8), b.block.add("constant_at", [], "ptr", b.program.constant_at[c])
    else:
        return NotImplemented
    node = b.block.add("dict_get", [object_of(b, r), *key], "ptr", None, b.leave(pc, "a key that is not there"))
    consumed = [reg for reg in ((r, c) if name == "GET_ITEM" else (r,)) if reg != a]
    taken(b, pc, node, a, seen(b, pc, 3), *consumed)
    return False


def dict_set(b: Builder, pc: int, a: int, r: int, c: int) -> Any:
    key = held(b, pc, r, 1)
    if key is None or b.state.slots[r][0] not in ("i", "str"):
        return NotImplemented
    value = held(b, pc, c, 2)
    if value is None:
        return NotImplemented
    b.block.add("alive", [], exit=b.leave(pc, "a run that was stopped"))
    nodes, saved = b.saved()
    b.block.add("dict_set", [object_of(b, a), *key, *value, *nodes], "", (b.careful(pc), pc, saved), b.leave(pc, "another dict"))
    for reg in (c, r, a):
        b.consume(reg)
    return False


def contained(b: Builder, pc: int, item: int, container: int, fields: tuple[int, int]) -> Node | None:
    """Whether a value is in a container, as a bool; None: not covered."""
    kind = known(b, pc, container, fields[1])
    if kind not in CONTAINERS:
        return None
    key = held(b, pc, item, fields[0])
    if key is None or b.state.slots[item][0] not in ("i", "str"):
        return None
    b.block.add("alive", [], exit=b.leave(pc, "a run that was stopped"))
    return b.block.add("contains", [object_of(b, container), *key], "i1", None, b.leave(pc, "another container"))


def jump_in(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    test = contained(b, pc, a, r, (0, 1))
    if test is None:
        return NotImplemented
    b.consume(a)
    b.consume(r)
    return split(b, pc, test, name == "JIN")


def is_in(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    test = contained(b, pc, r, c, (1, 2))
    if test is None:
        return NotImplemented
    node = b.block.add("to_int", [test], "i64")
    if name == "NOT_IN":
        node = b.block.add("xor", [node, b.constant(1)], "i64")
    for reg in (r, c):
        if reg != a:
            b.consume(reg)
    b.set(a, "b", node)
    return False


def unpack(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    """The items of a tuple go to registers."""
    source = c if name == "UNPACK2" else r
    targets = [a, r] if name == "UNPACK2" else list(range(a, a + c))
    if known(b, pc, source, 2 if name == "UNPACK2" else 1) != "tuple" or source in targets:
        return NotImplemented
    holder = object_of(b, source)
    size = b.block.add("length", [holder], "i64")
    b.block.add("guard", [b.block.add("eq", [size, b.constant(len(targets))], "i1")], exit=b.leave(pc, "another number of items"))
    if name == "UNPACK":
        b.block.add("alive", [], exit=b.leave(pc, "a run that was stopped"))
    for i, reg in enumerate(targets):
        b.put(reg, "m", b.block.add("tuple_item", [holder, b.constant(i)], "ptr"))
    b.consume(source)
    return False
