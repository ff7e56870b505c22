"""From instructions to the form, by what the registers are known to hold.

Each function gets the builder, the place and the operands; it gives NotImplemented when the kinds are not what it covers, and
then the interpreter's own body is called. Nothing with an effect comes before the last thing that can leave.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import objects, raising
from .form import Node
from .kinds import OBJECTS, OF_MASK, PLAIN
from .operands import UNBOX, as_float, branch, finish, known, numbers, object_type, split, value

if TYPE_CHECKING:
    from .build import Builder

INT_OPS = {"ADD": "add", "SUB": "sub", "MUL": "mul"}
FLOAT_OPS = {"ADD": "fadd", "SUB": "fsub", "MUL": "fmul", "DIV": "fdiv"}
COMPARE = {"EQ": "eq", "NE": "ne", "LT": "lt", "LE": "le", "GT": "gt", "GE": "ge"}
LARGEST_RANGE = 1 << 61
#: Beginnings of names of instructions whose field a is no result.
NO_RESULT = ("UNPACK", "LOAD_METHOD", "CLEAR", "GET_ITER", "STORE", "SET_ITEM", "DEL", "LIST_", "SET_", "MAP_", "DICT_")


def lower(b: Builder, pc: int, name: str) -> bool:
    """Adds the instruction. Whether it has left the block for good."""
    b.pc = pc
    b.function.pc = b.program.place(pc)
    function = TABLE.get(name)
    b.ready(pc)
    if function is not None:
        before = len(b.block.nodes)
        block = b.block
        done = function(b, pc, name, *b.program.instrs[pc][1:])
        if done is not NotImplemented:
            if not done:
                b.state.done += 1
            return bool(done)
        assert b.block is block and len(block.nodes) >= before
    return fall_back(b, pc, name)


def fall_back(b: Builder, pc: int, name: str) -> bool:
    """Calls the interpreter's own body."""
    outcome = b.step(pc)
    if name in ("RETURN", "RETURN_NONE"):
        b.block.add("ret_step", [outcome])
        return True
    after = b.program.after(pc)
    b.forget(pc)
    if after == [pc + 1]:
        b.block.add("check_step", [outcome])
        reg = b.program.instrs[pc][1]
        if name.startswith(NO_RESULT):
            return False
        b.expect(pc, reg)
        return False
    ways = []
    target = b.program.target(pc)
    pair = b.program.after_pair(pc)
    for to in after:
        if to == pc + 1:
            number = 0
        elif to == target:
            number = 2
        elif to == pair:
            number = 3
        else:
            number = 4                  # the instruction after the next one
        block = b.function.block(f"way{to}")
        block.sources.append(b.block)
        ways.append((number, block, to))
    numbers_of_ways = [b.block.add("const", [], "i32", number) for number, _, _ in ways]
    b.block.add("ways", [outcome, *numbers_of_ways], data=tuple(block for _, block, _ in ways))
    before = b.state
    for number, block, to in ways:
        state = before.copy()
        if number in (0, 2):
            b.block, b.state = block, state
            if b.program.name(pc) in ("FOR_LOOP", "FOR_ITER") and (number == 2) == (b.program.name(pc) == "FOR_LOOP"):
                take_item(b, pc, to)
            elif name == "CALL":
                b.expect(pc, b.program.instrs[pc][1])
            block, state = b.block, b.state
        b.go(to, block, state)
    return True


def take_item(b: Builder, pc: int, to: int) -> None:
    """After the interpreter's body has fetched an item: a number out of its register, when that is what is expected."""
    kind = item_kind(b, pc)
    if kind in UNBOX:
        reg = b.program.instrs[pc][2]
        b.state.slots[reg] = (kind, b.load(reg, kind, b.leave(to, "another kind of item")), False)


# ---- moves -------------------------------------------------------------------------------------------------
def nop(b: Builder, pc: int, name: str, *_: int) -> Any:
    return False


def move(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    kind = known(b, pc, r, 1)
    if kind not in ("i", "f", "b", "n"):
        return objects.move(b, pc, name, a, r, c, imm)
    node = b.state.slots[r][1]
    if name == "MOVE":
        b.consume(r)
    b.set(a, kind, node)
    return False


def load_constant(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    if name == "LOAD_NONE":
        b.set(a, "n", None)
        return False
    if name == "LOADK":
        constant = b.program.constants[imm]
        if constant is None and pc in b.program.lazy and b.state.slots[a][0] in PLAIN:
            node = b.block.add("constant_at", [], "ptr", b.program.constant_at[imm])
            b.functions[id(node)] = "constant"
            b.state.slots[a] = ("fn", node, True)
            return False
        if constant is None:
            return objects.load_constant(b, pc, name, a, r, c, imm)
        b.set(a, "f" if isinstance(constant, float) else "i", b.constant(constant))
        return False
    b.set(a, "i" if name == "LOAD_INT" else "b", b.constant(imm if name == "LOAD_INT" else r))
    return False


def clear(b: Builder, pc: int, name: str, a: int, n: int, *_: int) -> Any:
    if a < b.ft or any(b.state.slots[reg][0] == "fn" for reg in range(a, a + n)):
        return NotImplemented
    for reg in range(a, a + n):
        b.consume(reg)
    return False


# ---- arithmetic --------------------------------------------------------------------------------------------
def arithmetic(b: Builder, pc: int, a: int, op: str, left: tuple[str, Node], right: tuple[str, Node], *consumed: int) -> Any:
    """op without I: of two numbers."""
    (k1, x), (k2, y) = left, right
    if "b" in (k1, k2):
        return NotImplemented
    if k1 == k2 == "i":
        if op in INT_OPS:
            node = b.block.add(INT_OPS[op], [x, y], "i64", exit=b.leave(pc, "an overflow"))
            return finish(b, a, "i", node, *consumed)
        if op in ("MOD", "FLOORDIV"):
            return divide(b, pc, a, op, x, y, *consumed)
        if op == "DIV":
            x, y = as_float(b, pc, x, "i"), as_float(b, pc, y, "i")
            k1 = k2 = "f"
    if op not in FLOAT_OPS:
        if op in ("MOD", "FLOORDIV") and k1 == "f":
            y = as_float(b, pc, y, k2)
            nonzero(b, pc, y)
            node = b.block.add("float_mod" if op == "MOD" else "float_floordiv", [x, y], "f64", exit=b.leave(pc, "not a number"))
            return finish(b, a, "f", node, *consumed)
        return NotImplemented
    x, y = as_float(b, pc, x, k1), as_float(b, pc, y, k2)
    if op == "DIV":
        nonzero(b, pc, y)
    node = b.block.add(FLOAT_OPS[op], [x, y], "f64")
    b.block.add("guard", [b.block.add("ordered", [node], "i1")], exit=b.leave(pc, "not a number"))
    return finish(b, a, "f", node, *consumed)


def nonzero(b: Builder, pc: int, y: Node) -> None:
    if y.op == "const" and y.data:
        return
    b.block.add("guard", [b.block.add("fne", [y, b.constant(0.0)], "i1")], exit=b.leave(pc, "a division by zero"))


def divide(b: Builder, pc: int, a: int, op: str, x: Node, y: Node, *consumed: int) -> Any:
    """Floor division of ints: of the machine's, whose sign is another."""
    if y.op == "const":
        if y.data in (0, -1):
            return NotImplemented
    else:
        shifted = b.block.add("iadd", [y, b.constant(1)], "i64")            # neither 0 nor -1
        b.block.add("guard", [b.block.add("above", [shifted], "i1", 1)], exit=b.leave(pc, "a division by zero"))
    zero = b.constant(0)
    rest = b.block.add("srem", [x, y], "i64")
    wrong = b.block.add("and", [b.block.add("ne", [rest, zero], "i1"),
                                b.block.add("lt", [b.block.add("xor", [rest, y], "i64"), zero], "i1")], "i1")
    if op == "MOD":
        node = b.block.add("select", [wrong, b.block.add("iadd", [rest, y], "i64"), rest], "i64")
    else:
        whole = b.block.add("sdiv", [x, y], "i64")
        node = b.block.add("select", [wrong, b.block.add("iadd", [whole, b.constant(-1)], "i64"), whole], "i64")
    return finish(b, a, "i", node, *consumed)


def binary(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    left, right = numbers(b, pc, r, 1), numbers(b, pc, c, 2)
    if left is None or right is None:
        return NotImplemented
    op = name[1:] if name[1:] in ARITHMETIC and name not in ARITHMETIC else name
    return arithmetic(b, pc, a, op, left, right, r, c)


def bits(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    left, right = numbers(b, pc, r, 1), numbers(b, pc, c, 2)
    if left is None or right is None or left[0] != right[0] or left[0] == "f":
        return NotImplemented
    op = {"AND": "band", "OR": "bor", "XOR": "xor"}[name[1:] if name in ("IAND", "IOR", "IXOR") else name]
    return finish(b, a, left[0], b.block.add(op, [left[1], right[1]], "i64"), r, c)


def shift(b: Builder, pc: int, a: int, op: str, x: Node, y: Node, *consumed: int) -> Any:
    if y.op == "const":
        if not 0 <= y.data < 62:
            return NotImplemented
    else:
        b.block.add("guard", [b.block.add("below", [y], "i1", 62)], exit=b.leave(pc, "a large shift"))
    if op == "RSHIFT":
        return finish(b, a, "i", b.block.add("ashr", [x, y], "i64"), *consumed)
    node = b.block.add("shl", [x, y], "i64")
    back = b.block.add("ashr", [node, y], "i64")
    # What the interpreter leaves to objects goes there too: a result that needs the last bits.
    b.block.add("guard", [b.block.add("eq", [back, x], "i1")], exit=b.leave(pc, "an overflow"))
    return finish(b, a, "i", node, *consumed)


def shifts(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    left, right = numbers(b, pc, r, 1), numbers(b, pc, c, 2)
    if left is None or right is None or left[0] != "i" or right[0] != "i":
        return NotImplemented
    return shift(b, pc, a, name.removeprefix("I"), left[1], right[1], r, c)


def immediate(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    left = numbers(b, pc, r, 1)
    if left is None or left[0] == "b":
        return NotImplemented
    op = name.removesuffix("_I")
    op = op[1:] if op in ("IADD", "ISUB") else op
    y = b.constant(b.program.signed(c))
    if op in ("LSHIFT", "RSHIFT", "AND"):
        if left[0] != "i":
            return NotImplemented
        if op == "AND":
            return finish(b, a, "i", b.block.add("band", [left[1], y], "i64"), r)
        return shift(b, pc, a, op, left[1], y, r)
    if op in ("MOD", "FLOORDIV") and left[0] != "i":
        return NotImplemented
    return arithmetic(b, pc, a, op, left, ("i", y), r)


def with_constant(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    left = numbers(b, pc, r, 1)
    constant = b.program.constants[c]
    if left is None or left[0] == "b" or constant is None:
        return NotImplemented
    op = name.removesuffix("_K")
    if op == "POW":
        x = left[1]
        if isinstance(constant, float) and left[0] == "f":
            return finish(b, a, "f", b.block.add("power", [x, b.constant(constant)], "f64", exit=b.leave(pc, "a power")), r)
        if constant != 2 or isinstance(constant, float):
            return NotImplemented
        if left[0] == "i":
            return finish(b, a, "i", b.block.add("mul", [x, x], "i64", exit=b.leave(pc, "an overflow")), r)
        node = b.block.add("square", [x], "f64")
        finite = b.block.add("ordered", [b.block.add("fsub", [node, node], "f64")], "i1")
        b.block.add("guard", [finite], exit=b.leave(pc, "an overflow"))
        return finish(b, a, "f", node, r)
    right = ("f" if isinstance(constant, float) else "i", b.constant(constant))
    if op == "MOD" and (left[0] != "i" or right[0] != "i"):
        return NotImplemented
    if right[0] == "i" and op != "DIV" and op != "MOD" and op != "RDIV":
        return NotImplemented           # an int that is too large for an operand
    if op.startswith("R"):
        return arithmetic(b, pc, a, op[1:], right, left, r)
    return arithmetic(b, pc, a, op, left, right, r)


def negative(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    operand = numbers(b, pc, r, 1)
    if operand is None or operand[0] == "b":
        return NotImplemented
    kind, x = operand
    if name == "INVERT":
        if kind != "i":
            return NotImplemented
        return finish(b, a, "i", b.block.add("xor", [x, b.constant(-1)], "i64"), r)
    if name == "POS":
        return finish(b, a, "i", x, r) if kind == "i" else NotImplemented
    if kind == "f":
        return finish(b, a, "f", b.block.add("fneg", [x], "f64"), r)
    return finish(b, a, "i", b.block.add("sub", [b.constant(0), x], "i64", exit=b.leave(pc, "an overflow")), r)


# ---- comparisons and jumps -----------------------------------------------------------------------------------
def compared(b: Builder, op: str, left: tuple[str, Node] | None, right: tuple[str, Node] | None) -> Node | None:
    if left is None or right is None or left[0] != right[0] or left[0] == "b":
        return None
    return b.block.add(("f" if left[0] == "f" else "") + COMPARE[op], [left[1], right[1]], "i1")


def compare(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    test = compared(b, name, numbers(b, pc, r, 1), numbers(b, pc, c, 2))
    if test is None:
        return NotImplemented
    return finish(b, a, "b", b.block.add("to_int", [test], "i64"), r, c)


def jump(b: Builder, pc: int, name: str, *_: int) -> Any:
    to = b.program.target(pc)
    assert to is not None
    b.state.done += 1
    b.go(to, b.block, b.state, pc if to <= pc else None)
    return True


def truth(b: Builder, pc: int, reg: int) -> Node | None:
    operand = numbers(b, pc, reg, 0)
    if operand is None:
        return None
    if operand[0] == "f":
        return b.block.add("fne", [operand[1], b.constant(0.0)], "i1")
    if operand[1].op == "to_int":
        return operand[1].args[0]
    return b.block.add("ne", [operand[1], b.constant(0)], "i1")


def jump_truth(b: Builder, pc: int, name: str, a: int, *_: int) -> Any:
    test = truth(b, pc, a)
    if test is None:
        return NotImplemented
    if not name.endswith("_KEEP"):
        b.consume(a)
        return split(b, pc, test, name == "JTRUE")
    to = b.program.target(pc)
    assert to is not None
    if to <= pc:
        return NotImplemented
    return split(b, pc, test, name == "JTRUE_KEEP")


def negate(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    if b.state.slots[r][0] not in ("i", "f", "b"):
        return NotImplemented
    operand = b.state.slots[r]
    assert operand[1] is not None
    x = operand[1]
    test = b.block.add("feq" if operand[0] == "f" else "eq", [x, b.constant(0.0 if operand[0] == "f" else 0)], "i1")
    return finish(b, a, "b", b.block.add("to_int", [test], "i64"), r)


def jump_compare(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    base = name.removesuffix("_I").removeprefix("J")
    when = base in COMPARE
    left = numbers(b, pc, a, 0)
    if name.endswith("_I"):
        if left is None or left[0] != "i":
            return NotImplemented
        test = compared(b, base if when else base[1:], left, ("i", b.constant(b.program.signed(r))))
    else:
        test = compared(b, base if when else base[1:], left, numbers(b, pc, r, 1))
    if test is None:
        return NotImplemented
    b.consume(a)
    if not name.endswith("_I"):
        b.consume(r)
    return split(b, pc, test, when)


def jump_none(b: Builder, pc: int, name: str, a: int, *_: int) -> Any:
    kind = b.state.slots[a][0]
    if kind in ("m", "k", "u", "fn"):
        return NotImplemented
    b.consume(a)
    to = b.program.target(pc)
    assert to is not None
    b.state.done += 1
    if (kind == "n") == (name == "JNONE"):
        b.go(to, b.block, b.state, pc if to <= pc else None)
    else:
        b.go(pc + 1, b.block, b.state)
    return True


# ---- loops -------------------------------------------------------------------------------------------------
def loop(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    spliced = b.program.spliced.get(pc)
    if spliced is not None:
        return objects.resume(b, pc, a, spliced)
    kind = known(b, pc, a, 0)
    slots = b.state.slots
    if kind == "listit" and slots[a + 1][0] in ("m", "k"):
        slots[a + 1] = ("i", b.load(a + 1, "i", b.leave(pc, "another kind of iterator")), False)
    if kind in ("m", "k") and b.program.kinds[pc * 4] == 32:
        way_out = b.leave(pc, "another kind of iterator")
        slots[a] = ("r", b.load(a, "r", way_out), False)
        for more in (a + 1, a + 2):
            slots[more] = ("i", b.load(more, "i", way_out), False)
        kind = "r"
    if kind == "r":
        current, stop, step = value(b, a), value(b, a + 1), value(b, a + 2)
        if step.op == "const":
            more_there = b.block.add("lt" if step.data > 0 else "gt", [current, stop], "i1")
        else:
            up = b.block.add("gt", [step, b.constant(0)], "i1")
            more_there = b.block.add("select", [up, b.block.add("lt", [current, stop], "i1"),
                                                b.block.add("gt", [current, stop], "i1")], "i1")
        item: tuple[str, Node | None] = ("i", current)
    elif kind == "listit":
        index = value(b, a + 1)
        items = b.block.add("object", [], "ptr", a)
        more_there = b.block.add("lt", [index, b.block.add("length", [items], "i64")], "i1")
        item = (item_kind(b, pc), None)
    else:
        return NotImplemented
    to = b.program.target(pc)
    assert to is not None
    b.state.done += 1
    yes, no = branch(b, more_there, f"item{pc}", f"end{pc}")
    end = b.state.copy()
    outer = b.block, b.state
    b.block, b.state = no, end
    if kind == "r":
        b.state.slots[a] = KEPT_UNDEF
        b.block.add("write", [], data=(a, "u"))
    else:
        b.release(a)
    after_end = (b.block, b.state)
    b.block, b.state = yes, outer[1]
    b.state.done -= 1
    if kind == "r":
        b.set(a, "r", b.block.add("iadd", [current, step], "i64"))
        b.set(r, "i", item[1])
    else:
        fetched = b.block.add("item", [items, index], "ptr")
        fetch(b, pc, fetched, r, item[0])
        b.set(a + 1, "i", b.block.add("iadd", [index, b.constant(1)], "i64"))
    b.state.done += 1
    yes, state = b.block, b.state
    if name == "FOR_LOOP":
        b.go(to, yes, state, pc if to <= pc else None)
        b.go(pc + 1, *after_end)
    else:
        b.go(pc + 1, yes, state)
        b.go(to, *after_end)
    return True


KEPT_UNDEF = ("k", None, False)


def item_kind(b: Builder, pc: int) -> str:
    """What kind the items of a loop were seen to have."""
    return OF_MASK.get(b.program.kinds[pc * 4 + 3], "m")


def fetch(b: Builder, pc: int, item: Node, reg: int, kind: str, *consumed: int) -> None:
    """Puts an object that a container holds (borrowed) into a register: a number as one, when that is what is expected."""
    if kind in ("i", "b"):
        node = b.block.add("unbox_int" if kind == "i" else "unbox_bool", [item], "i64", exit=b.leave(pc, "another kind of item"))
        b.set(reg, kind, node)
    elif kind == "f":
        node = b.block.add("unbox_float", [item], "f64", exit=b.leave(pc, "another kind of item"))
        b.set(reg, "f", node)
    else:
        if kind in OBJECTS:
            object_type(b, item, kind, b.leave(pc, "another kind of item"))
        b.put(reg, kind, item)


def range_call(b: Builder, pc: int, name: str, a: int, base: int, site: int, imm: int) -> Any:
    """A call of `range` whose value is looped over at once."""
    program = b.program
    following = program.instrs[pc + 1] if pc + 1 < len(program.instrs) else None
    n = program.calls[site]
    if following is None or program.name(pc + 1) != "GET_ITER" or following[2] != a or a < b.ft:
        return NotImplemented
    known_range = b.state.slots[base][0] == "fn"
    if program.kinds[pc * 4 + 1] != 16384 and not known_range:
        return NotImplemented
    if not 1 <= n <= 3 or b.state.slots[base][0] not in ("m", "fn"):
        return NotImplemented
    if any(b.state.slots[base + 1 + i][0] != "i" for i in range(n)):
        return NotImplemented
    it = following[1]
    way_out = b.leave(pc, "another range")
    if not known_range:
        b.block.add("guard", [b.block.add("tag_is", [], "i1", (base, 8))], exit=way_out)
        b.block.add("guard", [b.block.add("object_is", [], "i1", (base, "range"))], exit=way_out)
    args = [value(b, base + 1 + i) for i in range(n)]
    for arg in args:
        if arg.op == "const" and abs(arg.data) < LARGEST_RANGE:
            continue
        low = b.block.add("iadd", [arg, b.constant(LARGEST_RANGE)], "i64")
        b.block.add("guard", [b.block.add("below", [low], "i1", 2 * LARGEST_RANGE)], exit=way_out)
    start, stop = (b.constant(0), args[0]) if n == 1 else (args[0], args[1])
    step = args[2] if n == 3 else b.constant(1)
    if n == 3 and step.op != "const":
        b.block.add("guard", [b.block.add("ne", [step, b.constant(0)], "i1")], exit=way_out)
    elif n == 3 and not step.data:
        return NotImplemented
    b.consume(base)
    for i in range(n):
        b.consume(base + 1 + i)
    b.set(it, "r", start)
    b.set(it + 1, "i", stop)
    b.set(it + 2, "i", step)
    b.state.done += 1
    b.go(pc + 2, b.block, b.state)
    return True


# ---- variables that functions share ----
def load_cell(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    """A number out of a cell, when that is what it was seen to hold."""
    kind = OF_MASK.get(b.program.kinds[pc * 4 + 3])
    if kind not in ("i", "f", "b"):
        return NotImplemented
    place = cell(b, pc, r, name == "LOAD_FREE")
    if place is None:
        return NotImplemented
    way_out = b.leave(pc, "another kind of value in a cell")
    b.block.add("guard", [b.block.add("held_is", [place], "i1", {"i": 3, "f": 4, "b": 2}[kind])], exit=way_out)
    b.set(a, kind, b.block.add("held", [place], "f64" if kind == "f" else "i64"))
    return False


def store_cell(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    place = cell(b, pc, a, name == "STORE_FREE")
    if place is None or b.state.slots[r][0] not in ("i", "f", "b"):
        return NotImplemented
    way_out = b.leave(pc, "an object in a cell")
    b.block.add("alive", [], exit=way_out)
    b.block.add("guard", [b.block.add("held_owns_nothing", [place], "i1")], exit=way_out)
    b.block.add("hold", [place, value(b, r)], data={"i": 3, "f": 4, "b": 2}[b.state.slots[r][0]])
    b.consume(r)
    return False


def cell(b: Builder, pc: int, index: int, free: bool) -> Node | None:
    """Where the value of a shared variable lies. A function's closure never changes; what cells registers hold may."""
    if b.plain or not free:
        return None
    node = b.cells.get(index)
    if node is None:
        node = Node("cell", [], "ptr", index)
        b.function.blocks[0].nodes.insert(0, node)
        b.cells[index] = node
    return node


# ---- items -------------------------------------------------------------------------------------------------
def get_item(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    kind = known(b, pc, r, 1)
    if kind == "dict":
        return objects.dict_get(b, pc, name, a, r, c)
    if kind not in ("list", "tuple") or name == "GET_ITEM_K":
        return NotImplemented
    result = OF_MASK.get(b.program.kinds[pc * 4 + 3], "m")
    if name == "GET_ITEM":
        index = numbers(b, pc, c, 2)
        if index is None or index[0] != "i":
            return NotImplemented
        at = index[1]
    else:
        at = b.constant(b.program.signed(c))
    way_out = b.leave(pc, "an index out of range")
    holder = b.block.add("object", [], "ptr", r)
    length = b.block.add("length", [holder], "i64")
    if at.op == "const":
        if at.data < 0:
            at = b.block.add("iadd", [at, length], "i64")
    else:
        minus = b.block.add("lt", [at, b.constant(0)], "i1")
        at = b.block.add("select", [minus, b.block.add("iadd", [at, length], "i64"), at], "i64")
    b.block.add("guard", [b.block.add("under", [at, length], "i1")], exit=way_out)
    item = b.block.add("item" if kind == "list" else "tuple_item", [holder, at], "ptr")
    if result in UNBOX:
        node = b.block.add(UNBOX[result], [item], "f64" if result == "f" else "i64",
                           exit=b.leave(pc, "another kind of item"))
        return finish(b, a, result, node, r, *([c] if name == "GET_ITEM" else []))
    if result in OBJECTS:
        object_type(b, item, result, b.leave(pc, "another kind of item"))
    b.put(a, result, item)              # first the item, then the holder, which may be the only one that has it
    if r != a:
        b.consume(r)
    if name == "GET_ITEM" and c != a:
        b.consume(c)
    return False


def set_item(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    container = known(b, pc, a, 0)
    if container == "dict":
        return objects.dict_set(b, pc, a, r, c)
    if container != "list":
        return NotImplemented
    index, item = numbers(b, pc, r, 1), numbers(b, pc, c, 2)
    if index is None or index[0] != "i":
        return NotImplemented
    moved = objects.held(b, pc, c, 2) if item is None else None
    if item is None and moved is None:
        return NotImplemented
    way_out = b.leave(pc, "an index out of range")
    holder = b.block.add("object", [], "ptr", a)
    b.block.add("guard", [b.block.add("under", [index[1], b.block.add("length", [holder], "i64")], "i1")], exit=way_out)
    b.block.add("alive", [], exit=way_out)
    nodes, saved = b.saved()
    careful = b.careful(pc)
    if item is None:
        assert moved is not None
        b.block.add("set_any", [holder, index[1], *moved, *nodes], "", (pc, saved, careful), exit=b.leave(pc, "no memory"))
    else:
        b.block.add(SET[item[0]], [holder, index[1], item[1], *nodes], "", (pc, saved, careful), exit=b.leave(pc, "no memory"))
    b.consume(c)
    b.consume(r)
    b.consume(a)
    return False


# ---- functions ---------------------------------------------------------------------------------------------
def load_global(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    """A function or builtin that calls are made for; other names as objects, but in plain functions."""
    what = b.targets.get(c)
    if b.plain:
        if a < b.ft or b.state.slots[a][0] not in PLAIN:
            return NotImplemented
        if what == "itself":
            node = b.itself                                                 # type: ignore[attr-defined]
            b.names[c] = 0                                                  # type: ignore[attr-defined]
        elif isinstance(what, str):
            node = b.block.add("constant_object", [], "ptr", what)
            b.names[c] = what                                               # type: ignore[attr-defined]
        else:
            return NotImplemented
    elif what is None or isinstance(what, str) or pc in b.program.feeds or b.state.slots[a][0] not in PLAIN:
        return objects.load_global(b, pc, name, a, r, c, imm)
    else:
        node = b.block.add("callee", [b.block.add("global", [], "ptr", c)], "ptr", what,
                           exit=b.leave(pc, "a name stands for something else"))
    b.functions[id(node)] = what
    b.state.slots[a] = ("fn", node, True)
    return False


def call(b: Builder, pc: int, name: str, a: int, base: int, site: int, imm: int) -> Any:
    spliced = b.program.spliced.get(pc)
    if spliced is not None:
        return objects.spliced_call(b, pc, base, spliced)
    if pc + 1 in b.program.caught:
        done = raising.made(b, pc, base, site)
        if done is not NotImplemented:
            return done
    kind, node, _ = b.state.slots[base]
    what = b.functions.get(id(node)) if kind == "fn" else None
    if isinstance(what, str) and what not in ("range", "itself"):
        return objects.builtin_call(b, pc, name, a, base, site, what)
    if name == "CALL_METHOD":
        return NotImplemented
    if what == "range" or kind != "fn":
        return range_call(b, pc, name, a, base, site, imm)
    n = b.program.calls[site]
    if what is None or node is None or b.program.part_of[pc].parent is not None:
        return NotImplemented
    parameters = b.parameters if what == "itself" else what.parameters      # type: ignore[attr-defined]
    if n != len(parameters):
        return NotImplemented
    for i, wanted in enumerate(parameters):
        reg = base + 1 + i
        if b.state.slots[reg][0] == "k":
            b.state.slots[reg] = (wanted, b.load(reg, wanted, b.leave(pc, "another kind of argument")), False)
        if b.state.slots[reg][0] != wanted:
            return NotImplemented
    if b.plain:
        b.block.add("guard", [b.block.add("deep", [], "i1")], exit=b.leave(pc, "calls that are too deep"))
    args = [value(b, base + 1 + i) for i in range(n)]
    if b.state.ticks is not b.zero32:
        b.sync(b.state, b.block)
        b.state.count, b.state.ticks, b.state.done = b.zero, b.zero32, 0
    for reg in range(base, base + 1 + n):
        b.consume(reg)
    b.state.done += 1
    made = b.block.add("call_plain", [node, *args], "pair", what, exit=b.unwound(pc, a, base + 1))
    result = b.guess if what == "itself" else what.result                   # type: ignore[attr-defined]
    if result in ("i", "f", "b"):
        b.set(a, result, b.block.add("result", [made], "f64" if result == "f" else "i64"))
    elif b.state.slots[a][0] in PLAIN:
        b.block.add("put_result", [made], data=a)
        b.state.slots[a] = ("k", None, False)
        b.expect(pc, a)
    else:
        b.set(a, "n", None)                                 # what it held is released; then the value
        b.block.add("put_result", [made], data=a)
        b.state.slots[a] = ("k", None, False)
        b.expect(pc, a)
    b.state.done -= 1
    return False


def give_back(b: Builder, pc: int, name: str, a: int, *_: int) -> Any:
    """The end of a plain function, or of one whose body is part of the code."""
    part = b.program.part_of[pc]
    if part.kind == "call":
        return objects.give_back(b, pc, name, a, part)
    if part.kind == "loop":
        return objects.leaves(b, pc, "the end of a generator")
    if not b.plain:
        return NotImplemented
    kind = "n" if name == "RETURN_NONE" else known(b, pc, a, 0)
    if kind not in ("i", "f", "b", "n"):
        return NotImplemented
    node = None if kind == "n" else value(b, a)
    b.returned.add(kind)                                                    # type: ignore[attr-defined]
    b.state.done += 1
    b.sync(b.state, b.block)
    b.block.add("give_back", [] if node is None else [node], data=kind)
    return True


def append(b: Builder, pc: int, name: str, a: int, r: int, c: int, imm: int) -> Any:
    if known(b, pc, a, 0) != "list":
        return NotImplemented
    item = objects.held(b, pc, r, 1)
    if item is None:
        return NotImplemented
    b.block.add("append", [b.block.add("object", [], "ptr", a), *item], "", None, b.leave(pc, "no memory"))
    b.consume(r)
    return False


SET = {"i": "set_int", "f": "set_float", "b": "set_bool"}
ARITHMETIC = ("ADD", "SUB", "MUL", "DIV", "MOD", "FLOORDIV")
TABLE: dict[str, Callable[..., Any]] = {
    "NOP": nop, "MOVE": move, "DUP": move, "LOADK": load_constant, "LOAD_INT": load_constant, "LOAD_BOOL": load_constant,
    "LOAD_NONE": load_constant, "CHECK": objects.check, "FORMAT_VALUE": objects.format_value,
    "CLEAR": clear, "NEG": negative, "POS": negative, "INVERT": negative,
    "NOT": negate, "RAISE": raising.raised,
    "JUMP": jump, "FOR_LOOP": loop, "FOR_ITER": loop, "CALL": call, "CALL_METHOD": call,
    "LOAD_ATTR": objects.load_attr, "STORE_ATTR": objects.store_attr,
    "LOAD_METHOD": objects.load_method, "YIELD": objects.give, "UNPACK": objects.unpack, "UNPACK2": objects.unpack,
    "JIN": objects.jump_in, "JNOT_IN": objects.jump_in, "IN": objects.is_in, "NOT_IN": objects.is_in, "GET_ITEM_K": get_item,
    "GET_ITEM": get_item, "GET_ITEM_I": get_item,
    "LIST_APPEND": append, "LOAD_FREE": load_cell, "STORE_FREE": store_cell, "LOAD_GLOBAL": load_global,
    "RETURN": give_back, "RETURN_NONE": give_back, "SET_ITEM": set_item, "JNONE": jump_none, "JNOT_NONE": jump_none,
}
TABLE |= {prefix + op: binary for prefix in ("", "I") for op in ARITHMETIC}
TABLE |= {prefix + op: bits for prefix in ("", "I") for op in ("AND", "OR", "XOR")}
TABLE |= {prefix + op: shifts for prefix in ("", "I") for op in ("LSHIFT", "RSHIFT")}
TABLE |= {op + "_I": immediate for op in ("ADD", "SUB", "MUL", "MOD", "FLOORDIV", "LSHIFT", "RSHIFT", "AND", "IADD", "ISUB")}
TABLE |= {op + "_K": with_constant for op in ("ADD", "SUB", "MUL", "DIV", "MOD", "POW", "RADD", "RSUB", "RMUL", "RDIV")}
TABLE |= dict.fromkeys(COMPARE, compare)
TABLE |= {"J" + n + op + i: jump_compare for n in ("", "N") for op in COMPARE for i in ("", "_I")}
TABLE |= dict.fromkeys(("JTRUE", "JFALSE", "JTRUE_KEEP", "JFALSE_KEEP"), jump_truth)
