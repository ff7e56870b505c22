"""Calls of functions of `math`: the C library's where the module calls that, and instructions of the processor.

No argument is a NaN: registers hold none as numbers. Where the module would raise, code leaves, and the interpreter calls it.
"""
from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .form import Node
from .operands import as_float

if TYPE_CHECKING:
    from .build import Builder

#: Of one double, as the C library has them; what is not finite is an error, or at least no common case.
ONE = frozenset("sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p cbrt".split())
TWO = frozenset({"atan2", "pow", "fmod"})
WHOLE = frozenset({"floor", "ceil", "trunc"})
TESTS = frozenset({"isnan", "isinf", "isfinite"})
LARGEST_WHOLE = 4e18
INFINITY = math.inf


def call(b: Builder, pc: int, what: str, kinds: list[str], nodes: list[Node | None]) -> tuple[str, Node] | None:
    """Kind and value of a call of math.what, or None: not covered. kinds, nodes: of the arguments."""
    name = what.removeprefix("math.")
    args = [node for node in nodes if node is not None]
    if len(args) != len(kinds) or any(kind not in ("i", "f") for kind in kinds):
        return None
    if len(args) == 1:
        return _of_one(b, pc, name, kinds[0], args[0])
    if len(args) == 2:
        return _of_two(b, pc, name, kinds, args)
    return None


def _of_one(b: Builder, pc: int, name: str, kind: str, x: Node) -> tuple[str, Node] | None:
    if name in WHOLE and kind == "i":
        return "i", x
    if name == "isqrt":
        if kind != "i":
            return None
        root = b.block.add("c_int", [x], "i64", name)
        b.block.add("guard", [b.block.add("ge", [root, b.constant(0)], "i1")], exit=b.leave(pc, "a negative number"))
        return "i", root
    if name in TESTS and kind == "i":
        return "b", b.constant(int(name == "isfinite"))
    if name not in ONE | WHOLE | TESTS | {"sqrt", "fabs", "degrees", "radians"}:
        return None
    x = as_float(b, pc, x, kind)
    if name == "sqrt":
        root = b.block.add("fsqrt", [x], "f64")
        b.block.add("guard", [b.block.add("ordered", [root], "i1")], exit=b.leave(pc, "a negative number"))
        return "f", root
    if name == "fabs":
        return "f", b.block.add("fabs", [x], "f64")
    if name in ("degrees", "radians"):
        factor = 180.0 / math.pi if name == "degrees" else math.pi / 180.0
        return "f", b.block.add("fmul", [x, b.constant(factor)], "f64")
    if name == "isnan":
        return "b", b.constant(0)
    if name in TESTS:
        size = b.block.add("fabs", [x], "f64")
        test = b.block.add("feq" if name == "isinf" else "flt", [size, b.constant(INFINITY)], "i1")
        return "b", b.block.add("to_int", [test], "i64")
    if name in WHOLE:
        size = b.block.add("fabs", [x], "f64")
        b.block.add("guard", [b.block.add("flt", [size, b.constant(LARGEST_WHOLE)], "i1")],
                    exit=b.leave(pc, "a float that is too large"))
        if name != "trunc":
            x = b.block.add("to_whole", [x], "f64", name)
        return "i", b.block.add("truncate", [x], "i64")
    if name in ("log", "log2", "log10"):        # of other numbers the module raises by itself
        b.block.add("guard", [b.block.add("fgt", [x, b.constant(0.0)], "i1")], exit=b.leave(pc, "no positive number"))
    return "f", _finite(b, pc, b.block.add("c_double", [x], "f64", name))


def _of_two(b: Builder, pc: int, name: str, kinds: list[str], args: list[Node]) -> tuple[str, Node] | None:
    if name == "gcd":
        if kinds != ["i", "i"]:
            return None
        found = b.block.add("c_int", args, "i64", name)
        b.block.add("guard", [b.block.add("ge", [found, b.constant(0)], "i1")], exit=b.leave(pc, "an overflow"))
        return "i", found
    if name not in TWO and name != "copysign":
        return None
    x, y = (as_float(b, pc, arg, kind) for arg, kind in zip(args, kinds, strict=True))
    if name == "copysign":
        return "f", b.block.add("copysign", [x, y], "f64")
    for each in (x, y):
        if each.op != "const":
            _finite(b, pc, each)
    return "f", _finite(b, pc, b.block.add("c_double", [x, y], "f64", name))


def _finite(b: Builder, pc: int, x: Node) -> Node:
    """Leaves unless the number is finite."""
    rest = b.block.add("fsub", [x, x], "f64")
    b.block.add("guard", [b.block.add("ordered", [rest], "i1")], exit=b.leave(pc, "not a finite number"))
    return x
