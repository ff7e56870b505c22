"""What options of ``compile`` and ``ast.parse`` do to a tree of the parser before it goes on."""
from __future__ import annotations

from kimi_runtime.syntax import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_WITH_DOCSTRING = (nodes.Module, nodes.FunctionDef, nodes.AsyncFunctionDef, nodes.ClassDef)
_FUNCTIONS = (nodes.FunctionDef, nodes.AsyncFunctionDef)


def _members(node: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The nodes right under a node: (the list or node that holds it, its index or field, the member)."""
    for field in node._fields:
        value = getattr(node, field)
        if isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, nodes.Node):
                    yield value, index, each
        elif isinstance(value, nodes.Node):
            yield node, field, value


def _at(made: Any, place: Any) -> Any:
    for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
        setattr(made, name, getattr(place, name))
    return made


def optimize(tree: Any, level: int) -> Any:
    """Changes a tree as the option -O of CPython (level 1: no assertions, ``__debug__`` is false) or -OO (level 2: no
    docstrings either) has it. Returns the tree."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if level > 1 and isinstance(node, _WITH_DOCSTRING) and node.body:
            first = node.body[0]
            if isinstance(first, nodes.Expr) and isinstance(first.value, nodes.Constant) and isinstance(first.value.value, str):
                node.body[0] = _at(nodes.Pass(), first)
        for holder, key, member in _members(node):
            made = None
            if isinstance(member, nodes.Assert):
                made = _at(nodes.Pass(), member)
            elif isinstance(member, nodes.Name) and member.id == "__debug__" and nodes.CONTEXTS[member.ctx] == "Load":
                made = _at(nodes.Constant(), member)
                made.value = False
            if made is None:
                waiting.append(member)
            elif isinstance(holder, list):
                holder[key] = made
            else:
                setattr(holder, key, made)
    return tree


def refuse_type_comments(source: str | bytes) -> None:
    """Raises ValueError when a source has type comments, which the parser does not keep."""
    text = source if isinstance(source, str) else source.decode("utf-8", "replace")
    found = text.find("type:")
    while found >= 0:
        before = found
        while before and text[before - 1].isspace():
            before -= 1
        if before and text[before - 1] == "#":
            raise ValueError("compile(): type comments are not supported")
        found = text.find("type:", found + 1)


def _newer(node: Any) -> tuple[int, str] | None:
    """The minor version that a construct came with, and what CPython calls it; None for what is older than 3.7."""
    if isinstance(node, nodes.Match):
        return 10, "Pattern matching is"
    if isinstance(node, nodes.TryStar):
        return 11, "Exception groups are"
    if isinstance(node, nodes.TypeAlias):
        return 12, "Type statement is"
    if isinstance(node, (*_FUNCTIONS, nodes.ClassDef)) and node.type_params:
        return 12, "Type parameter lists are"
    if isinstance(node, nodes.NamedExpr):
        return 8, "Assignment expressions are"
    if isinstance(node, nodes.arguments) and node.posonlyargs:
        return 8, "Positional-only parameters are"
    return None


def check_version(tree: Any, minor: int, filename: str) -> None:
    """Raises SyntaxError for the first construct that Python 3.minor did not have."""
    waiting = [(tree, tree)]
    while waiting:
        node, place = waiting.pop()
        found = _newer(node)
        if found is not None and minor < found[0]:
            raise SyntaxError(f"{found[1]} only supported in Python 3.{found[0]} and greater",
                              (filename, place.lineno, place.col_offset + 1, None))
        members = [(each, each if each._attributes else place) for _, _, each in _members(node)]
        waiting.extend(reversed(members))
