"""From an instruction to the program: its line, and the node of the syntax tree that it was made for."""
from __future__ import annotations

from ..bytecode.inspection import cache_states, instructions, source_text
from ..syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Place", "Places", "SourceLines", "SourceMap"]

COMPREHENSIONS = ("ListComp", "SetComp", "DictComp", "GeneratorExp")
LOOPS = ("For", "AsyncFor", "While", *COMPREHENSIONS)
SCOPES = ("FunctionDef", "AsyncFunctionDef", "Lambda")
_CALLS = frozenset({"CALL", "CALL_METHOD", "CALL_EX"})

#: The kinds of nodes that an operation is likely to be a part of, where several nodes have the same text.
_WANTED: dict[str, tuple[str, ...]] = {}
for _names, _kinds in (
    ("CALL CALL_METHOD CALL_EX LOAD_SUPER_METHOD", "Call With AsyncWith ClassDef"),
    ("FOR_LOOP FOR_ITER GET_ITER GENEXP_ITER GET_AITER GET_ANEXT JEND_ASYNC_FOR",
     "For AsyncFor comprehension ListComp SetComp DictComp GeneratorExp"),
    ("LOAD_ATTR STORE_ATTR DEL_ATTR LOAD_METHOD TRY_GETATTR", "Attribute"),
    ("GET_ITEM GET_ITEM_I GET_ITEM_K SET_ITEM DEL_ITEM", "Subscript"),
    ("BUILD_SLICE", "Slice Subscript"),
    ("NEG POS INVERT NOT", "UnaryOp"),
    ("BUILD_LIST LIST_APPEND", "ListComp List"),
    ("BUILD_SET SET_ADD", "SetComp Set"),
    ("BUILD_MAP MAP_ADD", "DictComp Dict"),
    ("BUILD_TUPLE LIST_TO_TUPLE", "Tuple"),
    ("BUILD_STRING FORMAT_VALUE CONVERT FORMAT_SPEC", "JoinedStr FormattedValue"),
    ("RETURN RETURN_NONE", "Return Lambda"),
    ("RAISE RAISE_FROM RAISE_CURRENT RERAISE RAISE_AS_IS", "Raise Assert"),
    ("JNEXC_MATCH POP_EXC EG_MATCH PREP_RERAISE_STAR SET_HANDLED", "ExceptHandler Try TryStar"),
    ("YIELD YIELD_FROM GET_YIELD_FROM_ITER", "Yield YieldFrom Await"),
    ("GET_AWAITABLE", "Await"),
    ("LOADK LOAD_INT LOAD_NONE LOAD_BOOL", "Constant"),
    ("LOAD_GLOBAL LOAD_NAME LOAD_FREE LOAD_CELL CHECK", "Name"),
    ("STORE_GLOBAL STORE_NAME STORE_FREE STORE_CELL", "Name Assign"),
    ("UNPACK UNPACK2 UNPACK_EX UNPACK_EX_K", "Assign Tuple List"),
    ("IMPORT_NAME IMPORT_STAR", "Import ImportFrom"),
    ("IMPORT_FROM", "ImportFrom"),
    ("MAKE_FUNCTION", "FunctionDef AsyncFunctionDef Lambda GeneratorExp"),
    ("JTRUE_KEEP JFALSE_KEEP", "BoolOp"),
    ("JTRUE JFALSE", "If While IfExp BoolOp"),
):
    for _name in _names.split():
        _WANTED[_name] = tuple(_kinds.split())
for _sign in "ADD SUB MUL MATMUL DIV MOD POW LSHIFT RSHIFT OR XOR AND FLOORDIV".split():
    for _form in ("", "_I", "_K"):
        _WANTED[_sign + _form] = _WANTED["R" + _sign + _form] = ("BinOp", "AugAssign")
        _WANTED["I" + _sign + _form] = ("AugAssign", "BinOp")
for _sign in "EQ NE LT LE GT GE IS IS_NOT IN NOT_IN NEQ NNE NLT NLE NGT NGE".split():
    for _form in ("", "_I", "_K"):
        _WANTED[_sign + _form] = _WANTED["J" + _sign + _form] = ("Compare",)
_WANTED["JNONE"] = _WANTED["JNOT_NONE"] = ("Compare",)


class SourceLines:
    """Lines of sources, without the white space around them.

    Args:
        sources: texts by names of files; each is looked at when a line of it is first asked for.
    """

    def __init__(self, sources: dict[str, str]) -> None:
        self.sources = sources
        self.split: dict[str, list[str]] = {}

    def line(self, file: str, number: int) -> str:
        """The line of a file; "" when there is none."""
        lines = self.split.get(file)
        if lines is None:
            lines = self.split[file] = self.sources.get(file, "").split("\n")
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""


class SourceMap:
    """The syntax tree of one source, for looking up what stands at a position."""

    def __init__(self, text: str, filename: str) -> None:
        self.text = text
        self.spans: dict[tuple[int, int, int, int], list[tuple[Any, int, int]]] = {}
        try:
            tree = parse(text, filename, "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # of eval(), say: nothing is known of it
            return
        # Node, depth of functions around it, number of loops around it in the same function.
        todo: list[tuple[Any, int, int]] = [(tree, 0, 0)]
        while todo:
            node, depth, loops = todo.pop()
            kind = type(node).__name__
            if "lineno" in node._attributes:
                self.spans.setdefault((node.lineno, node.end_lineno, node.col_offset, node.end_col_offset), []).append(
                    (node, depth, loops))
            inner_depth, inner_loops = depth, loops
            if kind in SCOPES:
                inner_depth, inner_loops = depth + 1, 0
            elif kind in LOOPS:
                inner_loops = loops + 1
            for name in reversed(node._fields):
                value = getattr(node, name)
                for each in (reversed(value) if isinstance(value, list) else (value,)):
                    if hasattr(each, "_fields"):
                        todo.append((each, inner_depth, inner_loops))


class Place:
    """Where an instruction comes from.

    Attributes:
        line: of the source; 0 when it has none.
        kind: name of the node's class.
        op: name of the operation.
        node: the node, or None.
        depth: functions around it.
        loops: loops around it in its function.
        call: what is called, as the program writes it; "" when nothing is.
    """

    __slots__ = ("line", "column", "kind", "op", "node", "depth", "loops", "call")

    def __init__(self, position: tuple[int, int, int, int], op: str, found: tuple[Any, int, int] | None) -> None:
        self.line = max(position[0], 0)
        self.column = position[2]
        self.op = op
        self.node: Any = None
        self.depth = self.loops = 0
        if found is not None:
            self.node, self.depth, self.loops = found
        self.kind = _fallback(op) if found is None else type(self.node).__name__
        self.call = ""
        if op in _CALLS:
            # Without the source no node is known, and a call is named by nothing.
            self.call = dotted(self.node.func) if found is not None and self.kind == "Call" else self.kind.lower()


class Places:
    """The places of all instructions of a profile, worked out when they are asked for."""

    def __init__(self) -> None:
        self.sources: dict[tuple[str, str], SourceMap] = {}
        self.codes: dict[Any, tuple[list[Any], SourceMap | None, dict[int, Place]]] = {}

    def source(self, code: Any) -> SourceMap | None:
        """The source of a code object, or None."""
        return self._of(code)[1]

    def place(self, code: Any, pc: int) -> Place:
        """The place of an instruction."""
        rows, source, known = self._of(code)
        found = known.get(pc)
        if found is None:
            _, op, _, position = rows[pc] if pc < len(rows) else (0, "NOP", (), (-1, -1, -1, -1))
            nodes = source.spans.get(position, []) if source is not None else []
            found = known[pc] = Place(position, op, _choose(op, nodes))
        return found

    def states(self, code: Any) -> list[tuple[int, int, int]]:
        """See ``cache_states``."""
        result: list[tuple[int, int, int]] = cache_states(code)
        return result

    def _of(self, code: Any) -> tuple[list[Any], SourceMap | None, dict[int, Place]]:
        known = self.codes.get(code)
        if known is None:
            text = source_text(code)
            source = None
            if isinstance(text, bytes):
                text = text.decode("utf-8", "replace")
            if isinstance(text, str):
                key = code.co_filename, text
                source = self.sources.get(key)
                if source is None:
                    source = self.sources[key] = SourceMap(text, code.co_filename)
            known = self.codes[code] = instructions(code), source, {}
        return known


def _choose(op: str, nodes: list[tuple[Any, int, int]]) -> tuple[Any, int, int] | None:
    """Of nodes with the same text, outer ones first, the one that the operation is for."""
    each: tuple[Any, int, int]
    for kind in _WANTED.get(op, ()):
        for each in reversed(nodes):
            if type(each[0]).__name__ == kind:
                return each
    for each in reversed(nodes):
        if type(each[0]).__name__ not in ("Expr", "Load", "Store", "Del"):
            return each
    return None


def _fallback(op: str) -> str:
    wanted = _WANTED.get(op)
    return wanted[0] if wanted else "Statement"


def dotted(node: Any, most: int = 60) -> str:
    """How a program writes a callee: ``name``, ``a.b.name``, ``(...).name``."""
    kind = type(node).__name__
    text: str
    if kind == "Name":
        text = node.id
    elif kind == "Attribute":
        text = f"{dotted(node.value, most)}.{node.attr}"
    elif kind == "Call":
        text = f"{dotted(node.func, most)}()"
    elif kind == "Constant":
        text = type(node.value).__name__
    else:
        text = f"({kind})"
    return text if len(text) <= most else "…" + text[-most:]
