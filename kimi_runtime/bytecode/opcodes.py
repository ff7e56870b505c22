"""The opcode table: the one declarative source of the instruction set.

The enum that the compiler and the interpreter core share (``ops.pxd``) and ``docs/bytecode.md`` are
generated from it by ``tools/gen_opcodes.py``; the disassembler reads it directly.

An instruction is 8 bytes: ``u16 op, a, b, c``; with the format ``ai`` the last two fields are one
``i32 imm``.  Operand roles:

========== =====================================================================================
``out``    register written; its old value is released after the new one is in place
``in``     register read; *consumed* (released and emptied) when it is a temporary
``keep``   register read and left as it is
``base``   first of a run of consecutive registers; what happens to them is in the description
``imm``    small signed integer (16 bits, or 32 in the ``ai`` format)
``num``    small unsigned integer (a count, a flag set, an index)
``const``  index into the constants
``cache``  index of an inline-cache site, which also carries the name or the call shape
``jump``   signed offset in instructions, relative to the following instruction
========== =====================================================================================
"""
from __future__ import annotations


class Opcode:
    """One row of the table.

    name: the mnemonic.  operands: up to three ``(field, role)`` pairs; the field ``imm`` marks the
    ``ai`` format.  doc: what the instruction does, as shown in ``docs/bytecode.md``.
    """

    __slots__ = ("name", "operands", "doc")

    def __init__(self, name: str, operands: tuple[tuple[str, str], ...], doc: str) -> None:
        self.name = name
        self.operands = operands
        self.doc = doc


def _op(name: str, operands: str, doc: str) -> Opcode:
    pairs = tuple(tuple(item.split(":")) for item in operands.split())
    return Opcode(name, pairs, doc)  # type: ignore[arg-type]


_ARITH = ["ADD", "SUB", "MUL", "MATMUL", "DIV", "MOD", "POW", "LSHIFT", "RSHIFT", "OR", "XOR", "AND", "FLOORDIV"]
_SIGN = dict(zip(_ARITH, ["+", "-", "*", "@", "/", "%", "**", "<<", ">>", "|", "^", "&", "//"]))
_COMPARE = {"EQ": "==", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}

TABLE: list[Opcode] = [
    # -- moves ---------------------------------------------------------------------------------
    _op("NOP", "", "Does nothing."),
    _op("MOVE", "a:out b:in", "a = b; a temporary b is moved, a local b is copied."),
    _op("DUP", "a:out b:keep", "a = b, and b keeps its value."),
    _op("LOADK", "a:out imm:const", "a = constant imm."),
    _op("LOAD_INT", "a:out imm:imm", "a = the integer imm."),
    _op("LOAD_NONE", "a:out", "a = None."),
    _op("LOAD_BOOL", "a:out b:num", "a = True if b else False."),
    _op("CLEAR", "a:base b:num", "Empties the b registers that start at a."),
    _op("CHECK", "a:keep b:num", "UnboundLocalError when the local a is empty; the NameError of a free variable if b."),
    _op("DEL_LOCAL", "a:keep", "Empties the local a; UnboundLocalError when it is empty already."),
    # -- cells ---------------------------------------------------------------------------------
    _op("MAKE_CELL", "a:out", "a = a new cell that holds what the local a held (may be nothing)."),
    _op("LOAD_CELL", "a:out b:keep c:num", "a = contents of the cell in register b; error when empty, that of a free variable if c."),
    _op("STORE_CELL", "a:keep b:in", "Contents of the cell in register a = b."),
    _op("DEL_CELL", "a:keep", "Empties the cell in register a; error when it is empty."),
    _op("LOAD_FREE", "a:out b:num", "a = contents of free variable b of the function."),
    _op("STORE_FREE", "a:num b:in", "Free variable a = b."),
    _op("DEL_FREE", "a:num", "Empties free variable a; NameError when it is empty."),
    _op("GET_FREE_CELL", "a:out b:num", "a = the cell itself of free variable b."),
    _op("LOAD_CLASS_FREE", "a:out b:num c:cache",
        "a = the name of site c in the class namespace, else contents of free variable b."),
    _op("LOAD_CLASS_CELL", "a:out b:keep c:cache",
        "a = the name of site c in the class namespace, else contents of the cell in register b."),
    # -- names ---------------------------------------------------------------------------------
    _op("LOAD_GLOBAL", "a:out c:cache", "a = global or builtin named by site c."),
    _op("STORE_GLOBAL", "b:in c:cache", "Global named by site c = b."),
    _op("DEL_GLOBAL", "c:cache", "Deletes the global named by site c."),
    _op("LOAD_NAME", "a:out c:cache", "a = name in the frame's namespace, else global, else builtin."),
    _op("STORE_NAME", "b:in c:cache", "Name in the frame's namespace = b."),
    _op("DEL_NAME", "c:cache", "Deletes the name from the frame's namespace."),
    # -- attributes and items ------------------------------------------------------------------
    _op("LOAD_ATTR", "a:out b:in c:cache", "a = b.name."),
    _op("TRY_GETATTR", "a:out b:keep c:keep",
        "Before the four instructions of the call a = getattr(b, c): when the name `getattr`, whose site the next one has, means "
        "the builtin, and a cache knows what b has by the name c, sets a and skips them. Else does nothing."),
    _op("STORE_ATTR", "a:in b:in c:cache", "a.name = b."),
    _op("DEL_ATTR", "a:in c:cache", "del a.name."),
    _op("LOAD_METHOD", "a:base b:in c:cache",
        "R[a], R[a+1] = function and self of b.name for a method call; for anything else the attribute "
        "and an empty register. b may be R[a] or R[a+1]."),
    _op("LOAD_SUPER_METHOD", "a:base c:cache",
        "As LOAD_METHOD for super().name with the implicit arguments. Before it R[a] holds the value of "
        "the name `super`."),
    _op("GET_ITEM", "a:out b:in c:in", "a = b[c]."),
    _op("GET_ITEM_I", "a:out b:in c:imm", "a = b[integer c]."),
    _op("GET_ITEM_K", "a:out b:in c:const", "a = b[constant c]."),
    _op("SET_ITEM", "a:in b:in c:in", "a[b] = c."),
    _op("DEL_ITEM", "a:in b:in", "del a[b]."),
    _op("BUILD_SLICE", "a:out b:base c:num", "a = slice of the c (2 or 3) registers at b, which are consumed."),
    # -- unary ---------------------------------------------------------------------------------
    _op("NEG", "a:out b:in", "a = -b."),
    _op("POS", "a:out b:in", "a = +b."),
    _op("INVERT", "a:out b:in", "a = ~b."),
    _op("NOT", "a:out b:in", "a = not b."),
]
# -- binary ------------------------------------------------------------------------------------
TABLE += [_op(n, "a:out b:in c:in", f"a = b {_SIGN[n]} c.") for n in _ARITH]
TABLE += [_op("I" + n, "a:out b:in c:in", f"a = b after b {_SIGN[n]}= c (a is usually b).") for n in _ARITH]
_IMMEDIATE = ["ADD", "SUB", "MUL", "MOD", "FLOORDIV", "LSHIFT", "RSHIFT", "AND"]
TABLE += [_op(n + "_I", "a:out b:in c:imm", f"a = b {_SIGN[n]} integer c.") for n in _IMMEDIATE]
TABLE += [_op(f"I{n}_I", "a:out b:in c:imm", f"a = b after b {_SIGN[n]}= integer c.") for n in ("ADD", "SUB")]
TABLE += [_op(n + "_K", "a:out b:in c:const", f"a = b {_SIGN[n]} constant c.")
          for n in ("ADD", "SUB", "MUL", "DIV", "MOD", "POW")]
TABLE += [_op(f"R{n}_K", "a:out b:in c:const", f"a = constant c {_SIGN[n]} b.") for n in ("ADD", "SUB", "MUL", "DIV")]
TABLE += [_op(n, "a:out b:in c:in", f"a = b {s} c.") for n, s in _COMPARE.items()]
TABLE += [
    _op("IS", "a:out b:in c:in", "a = b is c."),
    _op("IS_NOT", "a:out b:in c:in", "a = b is not c."),
    _op("IN", "a:out b:in c:in", "a = b in c."),
    _op("NOT_IN", "a:out b:in c:in", "a = b not in c."),
    # -- jumps ---------------------------------------------------------------------------------
    _op("JUMP", "imm:jump", "Jumps; a backward jump is a loop edge and ticks."),
    _op("JTRUE", "a:in imm:jump", "Jumps if a is true."),
    _op("JFALSE", "a:in imm:jump", "Jumps if a is false."),
    _op("JTRUE_KEEP", "a:keep imm:jump", "If a is true jumps and keeps it, else empties a (when a temporary)."),
    _op("JFALSE_KEEP", "a:keep imm:jump", "If a is false jumps and keeps it, else empties a (when a temporary)."),
    _op("JNONE", "a:in imm:jump", "Jumps if a is None."),
    _op("JNOT_NONE", "a:in imm:jump", "Jumps if a is not None."),
]
TABLE += [_op("J" + n, "a:in b:in c:jump", f"Jumps if a {s} b.") for n, s in _COMPARE.items()]
TABLE += [_op("JN" + n, "a:in b:in c:jump", f"Jumps if not (a {s} b).") for n, s in _COMPARE.items()]
TABLE += [_op(f"J{n}_I", "a:in b:imm c:jump", f"Jumps if a {s} integer b.") for n, s in _COMPARE.items()]
TABLE += [_op(f"JN{n}_I", "a:in b:imm c:jump", f"Jumps if not (a {s} integer b).") for n, s in _COMPARE.items()]
TABLE += [
    _op("JEQ_K", "a:in b:const c:jump", "Jumps if a == constant b."),
    _op("JNEQ_K", "a:in b:const c:jump", "Jumps if not (a == constant b)."),
    _op("JNE_K", "a:in b:const c:jump", "Jumps if a != constant b."),
    _op("JNNE_K", "a:in b:const c:jump", "Jumps if not (a != constant b)."),
    _op("JIS", "a:in b:in c:jump", "Jumps if a is b."),
    _op("JIS_NOT", "a:in b:in c:jump", "Jumps if a is not b."),
    _op("JIN", "a:in b:in c:jump", "Jumps if a in b."),
    _op("JNOT_IN", "a:in b:in c:jump", "Jumps if a not in b."),
    # -- iteration -----------------------------------------------------------------------------
    _op("GET_ITER", "a:base b:in",
        "The three registers at a = an iterator over b. They belong together until FOR_LOOP ends the "
        "loop or CLEAR a, 3 drops them; b may be R[a]. No other instruction may read them."),
    _op("GENEXP_ITER", "a:out b:in",
        "a = what a generator expression iterates over: b itself when it is an exact list, tuple or range, else "
        "iter(b)."),
    _op("FOR_LOOP", "a:base b:out c:jump",
        "b = next item of the iterator at a, and jump (backward: a loop edge that ticks); at its end "
        "empties the iterator and goes on."),
    _op("FOR_ITER", "a:base b:out c:jump",
        "b = next item of the iterator at a, and go on; at its end empties the iterator and jumps."),
    # -- calls ---------------------------------------------------------------------------------
    _op("CALL", "a:out b:base c:cache",
        "a = R[b](arguments): positional values from R[b+1], then keyword values; their numbers and the "
        "keyword names are in site c. Consumes all of them. Nothing above them may be live."),
    _op("CALL_METHOD", "a:out b:base c:cache",
        "As CALL after LOAD_METHOD: R[b] function, R[b+1] self or empty, positional values from R[b+2]."),
    _op("CALL_EX", "a:out b:base c:num",
        "a = R[b](*R[b+1], **R[b+2]); R[b+1] is any iterable, R[b+2] a dict when c is 1. Consumes them."),
    _op("RETURN", "a:in", "Returns a."),
    _op("RETURN_NONE", "", "Returns None."),
    _op("MAKE_FUNCTION", "a:out b:base c:const",
        "a = function of the code constant c. The code's make_flags say what lies at b, in this order, "
        "consumed: 1 tuple of defaults, 2 dict of keyword defaults, 4 dict of annotations. The closure "
        "is built from the code's free_src."),
    _op("LOAD_BUILD_CLASS", "a:out", "a = the class builder, to be called with (function, name, *bases, **kw)."),
    _op("LOAD_LOCALS", "a:out", "a = the frame's namespace (class and module bodies)."),
    # -- generators ----------------------------------------------------------------------------
    _op("YIELD", "a:out b:in", "Yields b; when resumed a = the value sent."),
    _op("GET_YIELD_FROM_ITER", "a:out b:in", "a = iterator for `yield from b`."),
    _op("YIELD_FROM", "a:out b:keep c:keep",
        "Delegates to the iterator b, sending c (None at first); yields what it yields, executes again when "
        "resumed (with c = the value sent), and when b is exhausted sets a = its return value and empties b and c."),
    _op("GET_AWAITABLE", "a:out b:in c:num", "a = iterator for `await b`; c: 0 await, 1 __aenter__, 2 __aexit__."),
    _op("GET_AITER", "a:out b:in", "a = b.__aiter__()."),
    _op("GET_ANEXT", "a:out b:keep", "a = what to await for the next item of the asynchronous iterator b. An asynchronous generator is "
        "its own awaitable, started: YIELD_FROM runs it to its next yield."),
    _op("JEND_ASYNC_FOR", "a:keep imm:jump", "Jumps if the exception a is StopAsyncIteration."),
    # -- collections ---------------------------------------------------------------------------
    _op("BUILD_LIST", "a:out b:base c:num", "a = list of the c registers at b, consumed."),
    _op("BUILD_TUPLE", "a:out b:base c:num", "a = tuple of the c registers at b, consumed."),
    _op("BUILD_SET", "a:out b:base c:num", "a = set of the c registers at b, consumed."),
    _op("BUILD_MAP", "a:out b:base c:num", "a = dict of the c key, value pairs at b (2*c registers), consumed."),
    _op("BUILD_STRING", "a:out b:base c:num", "a = concatenation of the c strings (or ints, see FORMAT_VALUE) at b, consumed."),
    _op("LIST_APPEND", "a:keep b:in", "Appends b to the list a."),
    _op("SET_ADD", "a:keep b:in", "Adds b to the set a."),
    _op("MAP_ADD", "a:keep b:in c:in", "dict a[b] = c."),
    _op("LIST_EXTEND", "a:keep b:in", "Extends the list a by the iterable b (star-unpacking: TypeError names it)."),
    _op("SET_UPDATE", "a:keep b:in", "Updates the set a with the iterable b."),
    _op("DICT_UPDATE", "a:keep b:in", "Updates the dict a with the mapping b."),
    _op("DICT_MERGE", "a:keep b:in c:keep",
        "As DICT_UPDATE for keyword arguments of the callee c: duplicates and non-string keys are TypeErrors."),
    _op("LIST_TO_TUPLE", "a:out b:in", "a = tuple(list b)."),
    _op("FORMAT_VALUE", "a:out b:in c:num", "a = format(b, '') after conversion c: 0 none, 1 str, 2 repr, 3 ascii; 4 none, and an int may stay one because "
        "BUILD_STRING follows."),
    _op("CONVERT", "a:out b:in c:num", "a = b after conversion c (1 str, 2 repr, 3 ascii)."),
    _op("FORMAT_SPEC", "a:out b:in c:in", "a = format(b, c)."),
    _op("UNPACK", "a:base b:in c:num", "The c registers at a = the items of the iterable b (exactly c)."),
    _op("UNPACK2", "a:out b:out c:in", "a, b = the two items of the iterable c."),
    _op("UNPACK_EX", "a:base b:in c:num",
        "As UNPACK with a star: c = before | after << 8; the list comes between them."),
    _op("UNPACK_EX_K", "a:base b:in c:const", "As UNPACK_EX for more than 255 targets after the star: constant c = before | after << 8."),
    # -- exceptions ----------------------------------------------------------------------------
    _op("RAISE", "a:in", "raise a."),
    _op("RAISE_FROM", "a:in b:in", "raise a from b."),
    _op("RAISE_CURRENT", "", "raise (the exception being handled; RuntimeError if none)."),
    _op("RERAISE", "a:base b:base",
        "Goes on raising the exception R[a] (caught by a handler with exc_reg a) unchanged, after setting the "
        "handled exception back to R[b+1]; empties R[a], R[a+1], R[b], R[b+1]. b is usually a."),
    _op("POP_EXC", "a:base", "Handled exception = R[a+1]; empties R[a] and R[a+1]: leaves a handler normally."),
    _op("JNEXC_MATCH", "a:keep b:in c:jump", "Jumps unless the exception a is an instance of b (class or tuple)."),
    _op("EG_MATCH", "a:out b:keep c:in",
        "except*: splits the exception (group) b by the type c; a = matching group or None, b = the rest or None."),
    _op("PREP_RERAISE_STAR", "a:out b:keep c:in",
        "except*: a = exception to raise from the original b and the list c of raised and unmatched ones, or None."),
    _op("SET_HANDLED", "a:keep", "Handled exception = a (an exception; the except* body runs under it)."),
    _op("RAISE_AS_IS", "a:in", "Goes on raising the exception a unchanged: no new context."),
    _op("WITH_LOAD", "a:base b:in",
        "R[a..a+3] = exit function, its self or empty, enter function, its self or empty, of the context "
        "manager b (looked up on the type, enter first for the error). Call enter with CALL_METHOD at a+2."),
    _op("ASYNC_WITH_LOAD", "a:base b:in", "As WITH_LOAD with __aexit__ and __aenter__."),
    _op("WITH_EXCEPT_ARGS", "a:base b:keep", "R[a..a+2] = type, value, traceback of the exception b."),
    # -- match ---------------------------------------------------------------------------------
    _op("MATCH_SEQ", "a:out b:keep", "a = whether b is a sequence for patterns."),
    _op("MATCH_MAP", "a:out b:keep", "a = whether b is a mapping for patterns."),
    _op("MATCH_KEYS", "a:out b:keep c:in", "a = tuple of the values of the keys (tuple c) in mapping b, or None."),
    _op("MATCH_CLASS", "a:out b:keep c:base",
        "R[c] class, R[c+1] tuple of keyword names, R[c+2] number of positional patterns, consumed; a = tuple of "
        "attribute values or None."),
    _op("GET_LEN", "a:out b:keep", "a = len(b)."),
    _op("MAP_WITHOUT", "a:out b:keep c:in", "a = dict(b) without the keys in tuple c (the ** pattern)."),
    # -- the rest ------------------------------------------------------------------------------
    _op("IMPORT_NAME", "a:out b:base c:cache",
        "a = __import__(name of site c, globals, locals, fromlist R[b+1], level R[b]); consumes both."),
    _op("IMPORT_FROM", "a:out b:keep c:cache", "a = b.name for `from b import name`."),
    _op("IMPORT_STAR", "a:in", "Copies the public names of module a into the frame's namespace."),
    _op("SETUP_ANNOTATIONS", "", "Makes __annotations__ in the frame's namespace if it is missing."),
    _op("LOAD_ASSERTION_ERROR", "a:out", "a = AssertionError."),
    _op("INTRINSIC", "a:out b:base c:num",
        "a = intrinsic c applied to registers at b, consumed; see INTRINSICS."),
    _op("SAMPLE", "", "Where each instruction goes first while a profiler or a tracer asks for it; no program contains it."),
]

#: (name, number of registers, what it does): the operand c of INTRINSIC is the index here.
INTRINSICS: list[tuple[str, int, str]] = [
    ("TYPEVAR", 3, "TypeVar(name, bound or constraints-evaluator or None, default-evaluator or None); flag in name: "
                   "bound given as a function of no arguments, evaluated when asked for"),
    ("TYPEVAR_CONSTRAINTS", 3, "TypeVar(name, constraints-evaluator, default-evaluator or None)"),
    ("PARAMSPEC", 2, "ParamSpec(name, default-evaluator or None)"),
    ("TYPEVARTUPLE", 2, "TypeVarTuple(name, default-evaluator or None)"),
    ("TYPEALIAS", 3, "TypeAliasType(name, value-evaluator, tuple of type parameters)"),
    ("GENERIC_BASE", 1, "Generic[tuple of type parameters]"),
    ("PRINT_EXPR", 1, "sys.displayhook(value): interactive mode"),
    ("STOPITERATION_ERROR", 1, "not used by the compiler: PEP 479 is applied by the unwinder"),
    ("CELL_RUNNER", 0, "the function of the library that runs a coroutine of a program which awaits at its top level"),
]

#: What the next instruction is never reached from.
NO_FALL_THROUGH = frozenset({"JUMP", "RETURN", "RETURN_NONE", "RAISE", "RAISE_FROM", "RAISE_CURRENT", "RERAISE", "RAISE_AS_IS"})

NUMBER: dict[str, int] = {op.name: i for i, op in enumerate(TABLE)}
FORMAT_IMM32 = frozenset(op.name for op in TABLE if any(field == "imm" for field, _ in op.operands))


_PHRASES = {
    "IN": "the operator in", "NOT_IN": "the operator in", "JIN": "the operator in", "JNOT_IN": "the operator in",
    "NEG": "the operator -", "POS": "the operator +", "INVERT": "the operator ~", "NOT": "a test for truth",
    "JTRUE": "a test for truth", "JFALSE": "a test for truth", "JTRUE_KEEP": "a test for truth", "JFALSE_KEEP": "a test for truth",
    "LOAD_ATTR": "an attribute", "STORE_ATTR": "an assignment to an attribute", "DEL_ATTR": "the deletion of an attribute",
    "LOAD_METHOD": "an attribute", "GET_ITEM": "the operator []", "SET_ITEM": "an assignment to an item",
    "DEL_ITEM": "the deletion of an item", "GET_ITER": "an iteration", "GENEXP_ITER": "an iteration", "FOR_LOOP": "an iteration",
    "FOR_ITER": "an iteration", "UNPACK": "an unpacking", "UNPACK2": "an unpacking", "UNPACK_EX": "an unpacking",
    "LIST_EXTEND": "an unpacking", "SET_UPDATE": "an unpacking", "DICT_UPDATE": "an unpacking", "DICT_MERGE": "an unpacking",
    "IMPORT_NAME": "an import", "IMPORT_FROM": "an import", "IMPORT_STAR": "an import", "FORMAT_VALUE": "the formatting of a string",
    "FORMAT_SPEC": "the formatting of a string", "CONVERT": "the formatting of a string", "YIELD_FROM": "an await or yield from",
}


def describe(number: int) -> str:
    """How a program writes an operation, for messages."""
    name = TABLE[number].name.removesuffix("_I").removesuffix("_K")
    if name in _PHRASES:
        return _PHRASES[name]
    signs = {**_SIGN, **_COMPARE}
    for each in (name, name[1:], name[2:]):
        if each in signs:
            return f"the operator {signs[each]}"
    return "an operation"
