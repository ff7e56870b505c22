"""What must hold for a syntax tree beyond its classes: the rules that a parser keeps and a hand-made tree may break.

The messages are those of the host's `compile()` for a tree.
"""
from __future__ import annotations

from kimi_runtime import _core
from kimi_runtime.syntax.nodes import CONTEXTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

LOAD, STORE, DEL = range(3)
FORBIDDEN_NAMES = frozenset(("None", "True", "False"))
SIMPLE_CONSTANTS = (type(None), type(...), int, float, complex, bool, str, bytes)
#: Statement class -> the fields that may not be empty.
FILLED = {
    "FunctionDef": ("body",), "AsyncFunctionDef": ("body",), "ClassDef": ("body",), "Delete": ("targets",),
    "Assign": ("targets",), "For": ("body",), "AsyncFor": ("body",), "While": ("body",), "If": ("body",),
    "With": ("items", "body"), "AsyncWith": ("items", "body"), "Match": ("cases",), "match_case": ("body",),
    "Try": ("body",), "TryStar": ("body",), "ExceptHandler": ("body",), "Import": ("names",), "ImportFrom": ("names",),
    "Global": ("names",), "Nonlocal": ("names",),
}
#: (class, field) -> the context of the expressions there, where it is not Load.
CONTEXT_OF = {
    ("Delete", "targets"): DEL, ("Assign", "targets"): STORE, ("AugAssign", "target"): STORE,
    ("AnnAssign", "target"): STORE, ("For", "target"): STORE, ("AsyncFor", "target"): STORE,
    ("withitem", "optional_vars"): STORE, ("comprehension", "target"): STORE, ("NamedExpr", "target"): STORE,
    ("TypeAlias", "name"): STORE,
}
#: Lists of expressions that may hold None.
WITH_GAPS = frozenset((("Dict", "keys"), ("arguments", "kw_defaults")))
SINGLE_TARGETS = ("Name", "Attribute", "Subscript")
LOOK_EVERY = 1000       # nodes between two looks at the limits
CAPTURES = frozenset((("MatchMapping", "rest"), ("MatchStar", "name"), ("MatchAs", "name")))


def check(root: Any) -> None:
    """Checks a tree of the parser's nodes that was not made by the parser.

    Args:
        root: a Module, Expression or Interactive node.

    Raises:
        ValueError, TypeError: a rule is broken.
    """
    # (node, context, whether a MatchStar may stand here), or (node, rule) for a rule whose turn comes between children.
    waiting: list[Any] = [(root, LOAD, False)]
    seen = 0
    while waiting:
        task = waiting.pop()
        seen += 1
        if seen % LOOK_EVERY == 0:
            _core.check_limits()
        if len(task) == 2:
            task[1](task[0])
            continue
        node, context, star_allowed = task
        name = type(node).__name__
        if node._attributes:
            _check_position(node)
        for field in FILLED.get(name, ()):
            if not getattr(node, field):
                raise ValueError(f"empty {field} on {name}")
        if name == "MatchStar" and not star_allowed:
            raise ValueError("can't use MatchStar here")
        if name in ASSIGNABLE:
            if node.ctx != context:
                raise ValueError(
                    f"expression must have {CONTEXTS[context]} context but has {CONTEXTS[node.ctx]} instead")
        elif context != LOAD:
            raise ValueError(f"expression which can't be assigned to in {CONTEXTS[context]} context")
        if name == "arguments":
            first: list[Any] = []
            for field in ("posonlyargs", "args", "vararg", "kwonlyargs", "kwarg"):
                first += _children(node, name, field, "arg", context)
            last = _children(node, name, "defaults", "expr", context)
            last += _children(node, name, "kw_defaults", "expr", context)
            waiting.extend(reversed([*first, (node, _arguments), *last]))
            continue
        rule = RULES.get(name)
        if rule is not None:
            rule(node)
        fields = list(zip(node._fields, node._field_types))
        if "generators" in node._fields:  # the host checks them before the element
            fields.reverse()
        children: list[Any] = []
        for field, schema in fields:
            children += _children(node, name, field, schema.rstrip("*?"), context)
        if name == "TryStar":
            children.append((node, _star_handlers))
        waiting.extend(reversed(children))


def _children(node: Any, name: str, field: str, kind: str, context: int) -> list[Any]:
    """What is to be checked in a field of a node."""
    if kind in ("constant", "comment", "int", "type_ignore"):
        return []
    value = getattr(node, field)
    if kind == "identifier":
        _check_names(value if isinstance(value, list) else [value], (name, field))
        return []
    if kind not in PARTS or value is None:
        return []
    inner = CONTEXT_OF.get((name, field), LOAD)
    if kind == "expr" and (name in ("List", "Tuple") or (name, field) == ("Starred", "value")):
        inner = context
    if not isinstance(value, list):
        return [(value, inner, False)]
    if None in value and (name, field) not in WITH_GAPS:
        what = {"stmt": "statement", "expr": "expression"}.get(kind, kind)
        raise ValueError(f"None disallowed in {what} list")
    return [(each, inner, name == "MatchSequence") for each in value if each is not None]


def _check_position(node: Any) -> None:
    if node.lineno > node.end_lineno:
        raise ValueError(f"AST node line range ({node.lineno}, {node.end_lineno}) is not valid")
    if (node.lineno < 0 and node.end_lineno != node.lineno) or (
            node.col_offset < 0 and node.col_offset != node.end_col_offset):
        raise ValueError(f"AST node column range ({node.col_offset}, {node.end_col_offset}) for line range "
                         f"({node.lineno}, {node.end_lineno}) is not valid")
    if node.lineno == node.end_lineno and node.col_offset > node.end_col_offset:
        raise ValueError(f"line {node.lineno}, column {node.col_offset}-{node.end_col_offset} is not a valid range")


PARTS = frozenset("""stmt expr comprehension arguments withitem match_case excepthandler arg keyword alias pattern
type_param""".split())
ASSIGNABLE = frozenset(("Attribute", "Subscript", "Starred", "Name", "List", "Tuple"))


def _check_names(names: Sequence[str | None], place: tuple[str, str]) -> None:
    for name in names:
        if name in FORBIDDEN_NAMES and place[0] != "alias":
            raise ValueError(f"identifier field can't represent '{name}' constant")
        if name == "_" and place in CAPTURES:
            raise ValueError("can't capture name '_' in patterns")


# ---- rules of single classes -----------------------------------------------------------------------------
def _arguments(node: Any) -> None:
    if len(node.defaults) > len(node.posonlyargs) + len(node.args):
        raise ValueError("more positional defaults than args on arguments")
    if len(node.kw_defaults) != len(node.kwonlyargs):
        raise ValueError("length of kwonlyargs is not the same as kw_defaults on arguments")


def _constant(node: Any) -> None:
    waiting = [node.value]
    while waiting:
        value = waiting.pop()
        if type(value) in (tuple, frozenset):
            waiting.extend(value)
        elif type(value) not in SIMPLE_CONSTANTS:
            raise TypeError(f"got an invalid type in Constant: {type(value).__name__}")


def _bool_op(node: Any) -> None:
    if len(node.values) < 2:
        raise ValueError("BoolOp with less than 2 values")


def _compare(node: Any) -> None:
    if not node.comparators:
        raise ValueError("Compare has no comparators")
    if len(node.comparators) != len(node.ops):
        raise ValueError("Compare has a different number of comparators and operands")


def _dict(node: Any) -> None:
    if len(node.keys) != len(node.values):
        raise ValueError("Dict doesn't have the same number of keys as values")


def _comprehension(node: Any) -> None:
    if not node.generators:
        raise ValueError("comprehension with no generators")


def _named(node: Any) -> None:
    if type(node.target).__name__ != "Name":
        raise ValueError("NamedExpr target must be a Name")


def _formatted(node: Any) -> None:
    if node.conversion not in (-1, 97, 114, 115):
        raise SystemError(f"Unrecognized conversion character {node.conversion}")
    if node.format_spec is not None and type(node.format_spec).__name__ not in ("JoinedStr", "Constant"):
        raise ValueError("FormattedValue with a format_spec that is not a JoinedStr")


def _joined(node: Any) -> None:
    for value in node.values:
        if type(value).__name__ != "FormattedValue" and not (
                type(value).__name__ == "Constant" and isinstance(value.value, str)):
            raise ValueError("JoinedStr may hold FormattedValue and string Constant only")


def _single_target(node: Any) -> None:
    if type(node.target).__name__ not in SINGLE_TARGETS:
        raise SystemError(f"invalid node type for {type(node).__name__}")
    if type(node).__name__ == "AnnAssign" and node.simple and type(node.target).__name__ != "Name":
        raise TypeError("AnnAssign with simple non-Name target")


def _type_alias(node: Any) -> None:
    if type(node.name).__name__ != "Name":
        raise TypeError("TypeAlias with non-Name name")


def _raise(node: Any) -> None:
    if node.cause is not None and node.exc is None:
        raise ValueError("Raise with cause but no exception")


def _try(node: Any) -> None:
    name = type(node).__name__
    if not node.handlers and not node.finalbody:
        raise ValueError(f"{name} has neither except handlers nor finalbody")
    if not node.handlers and node.orelse:
        raise ValueError(f"{name} has orelse but no except handlers")


def _star_handlers(node: Any) -> None:
    for handler in node.handlers:
        if handler.type is None:
            raise ValueError("TryStar with a handler that names no type")


def _import_from(node: Any) -> None:
    if node.level < 0:
        raise ValueError("Negative ImportFrom level")
    if not node.level and not node.module:
        raise ValueError("ImportFrom with neither module nor level")


def _match_value(node: Any) -> None:
    _check_pattern_value(node.value)


def _check_pattern_value(value: Any) -> None:
    name = type(value).__name__
    if name == "Constant":
        if type(value.value) not in (int, float, bytes, complex, str):
            raise ValueError("unexpected constant inside of a literal pattern")
    elif name == "UnaryOp":
        if value.op != 3 or not _is_number(value.operand):
            raise ValueError("patterns may only match literals and attribute lookups")
    elif name == "BinOp":
        left = value.left.operand if type(value.left).__name__ == "UnaryOp" and value.left.op == 3 else value.left
        if value.op not in (0, 1) or not _is_number(left) or not _is_number(value.right) \
                or isinstance(left.value, complex) or not isinstance(value.right.value, complex):
            raise ValueError("patterns may only match literals and attribute lookups")
    elif name not in ("Attribute", "JoinedStr"):
        raise ValueError("patterns may only match literals and attribute lookups")


def _is_number(node: Any) -> bool:
    return type(node).__name__ == "Constant" and type(node.value) in (int, float, complex)


def _match_singleton(node: Any) -> None:
    if node.value is not None and node.value is not True and node.value is not False:
        raise ValueError("MatchSingleton can only contain True, False and None")


def _match_mapping(node: Any) -> None:
    if len(node.keys) != len(node.patterns):
        raise ValueError("MatchMapping doesn't have the same number of keys as patterns")
    for key in node.keys:
        if key is not None and not (type(key).__name__ == "Constant" and key.value in (None, True, False)):
            _check_pattern_value(key)


def _match_class(node: Any) -> None:
    if len(node.kwd_attrs) != len(node.kwd_patterns):
        raise ValueError("MatchClass doesn't have the same number of keyword attributes as patterns")
    part = node.cls
    while type(part).__name__ == "Attribute":
        part = part.value
    if type(part).__name__ != "Name":
        raise ValueError("MatchClass cls field can only contain Name or Attribute nodes.")


def _match_as(node: Any) -> None:
    if node.pattern is not None and node.name is None:
        raise ValueError("MatchAs must specify a target name if a pattern is given")


def _match_or(node: Any) -> None:
    if len(node.patterns) < 2:
        raise ValueError("MatchOr requires at least 2 patterns")


RULES = {
    "Constant": _constant, "BoolOp": _bool_op, "Compare": _compare, "Dict": _dict,
    "ListComp": _comprehension, "SetComp": _comprehension, "DictComp": _comprehension, "GeneratorExp": _comprehension,
    "NamedExpr": _named, "FormattedValue": _formatted, "JoinedStr": _joined, "AugAssign": _single_target,
    "AnnAssign": _single_target, "TypeAlias": _type_alias, "Raise": _raise, "Try": _try, "TryStar": _try,
    "ImportFrom": _import_from, "MatchValue": _match_value, "MatchSingleton": _match_singleton,
    "MatchMapping": _match_mapping, "MatchClass": _match_class, "MatchAs": _match_as,
    "MatchOr": _match_or,
}
