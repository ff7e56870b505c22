"""``dump``: the text that the host's ``ast.dump`` gives for the same tree."""
import sys

from .nodes import BOOLOPS, CMPOPS, CONTEXTS, OPERATORS, UNARYOPS, Node

_TABLES = {
    "operator": OPERATORS,
    "unaryop": UNARYOPS,
    "boolop": BOOLOPS,
    "cmpop": CMPOPS,
    "expr_context": CONTEXTS,
}
# The version from which on ast.dump leaves out None and empty lists.
_SINCE_HIDING = (3, 13)
_KEEPS_NONE = frozenset({"Constant", "MatchSingleton"})
_SINCE_TYPE_PARAMS = (3, 12)


class _Symbol:
    """An operator or context, printed as the ``ast`` class is: ``Add()``."""

    def __init__(self, name):
        self.text = name + "()"


def _children(node, version):
    """Yield ``(name, optional, value)`` for the fields that the class of ``version`` has."""
    old = version < _SINCE_TYPE_PARAMS
    for name, schema in zip(node._fields, node._field_types):
        value = getattr(node, name)
        if old and name == "type_params" and not value and type(node).__name__ != "TypeAlias":
            continue
        table = _TABLES.get(schema.rstrip("*"))
        if table is not None:
            if schema.endswith("*"):
                value = [_Symbol(table[item]) for item in value]
            else:
                value = _Symbol(table[value])

        yield name, schema.endswith("?"), value


def dump(node, annotate_fields=True, include_attributes=False, *, indent=None, version=sys.version_info):
    """Return the text of ``ast.dump`` for a tree of ours.

    Args:
        node: a Node.
        annotate_fields: write ``name=value`` rather than ``value`` where both are clear.
        include_attributes: add the positions.
        indent: None for one line, else the string or number of spaces per level.
        version: the Python whose text it is, by default the running one.

    Returns:
        The text.

    Raises:
        TypeError: node is not a Node.
    """
    if not isinstance(node, Node):
        raise TypeError(f"expected a Node, got {type(node).__name__!r}")
    if indent is not None and not isinstance(indent, str):
        indent = " " * indent

    def format_node(node, level):
        prefix, separator = _layout(level)
        name_of_class = type(node).__name__
        parts = []
        hidden = []
        simple = True
        keywords = annotate_fields
        for name, optional, value in _children(node, version):
            if value is None and optional:
                keywords = True
                continue
            if version >= _SINCE_HIDING and (value is None or value == []) and name_of_class not in _KEEPS_NONE:
                hidden.append(repr(value))
                continue
            if not keywords:
                parts.extend(hidden)
                hidden = []
            text, item_simple = format_item(value, level)
            simple = simple and item_simple
            parts.append(f"{name}={text}" if keywords else text)
        if include_attributes:
            parts.extend(f"{name}={getattr(node, name)}" for name in node._attributes)
        if simple and len(parts) <= 3:
            return f"{name_of_class}({', '.join(parts)})", not parts
        return f"{name_of_class}({prefix}{separator.join(parts)})", False

    def _layout(level):
        if indent is None:
            return "", ", "
        return "\n" + indent * level, ",\n" + indent * level

    def format_item(value, level):
        if isinstance(value, Node):
            return format_node(value, level + 1)
        if isinstance(value, list):
            if not value:
                return "[]", True
            prefix, separator = _layout(level + 1)
            return f"[{prefix}{separator.join(format_item(item, level + 1)[0] for item in value)}]", False
        if isinstance(value, _Symbol):
            return value.text, True
        return repr(value), True

    return format_item(node, 0)[0]


def as_data(node):
    """A tree as plain data: a dict for each node with ``node`` (its class), its fields, and its position where it has one.

    Constants that JSON has no form for are their ``repr``.
    """
    if isinstance(node, list):
        return [as_data(each) for each in node]
    if isinstance(node, _Symbol):
        return node.text[:-2]
    if not isinstance(node, Node):
        return node if node is None or type(node) in (str, int, bool) or type(node) is float and node - node == 0 else repr(node)
    found = {"node": type(node).__name__}
    for name, _, value in _children(node, sys.version_info):
        found[name] = as_data(value)
    for name in node._attributes:
        found[name] = getattr(node, name)
    return found
