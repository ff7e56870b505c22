"""Comparing our trees with CPython's, node by node (much faster than two dumps)."""
import ast
import sys
import warnings

from kimi_runtime.syntax import nodes

_TABLES = {
    "operator": nodes.OPERATORS,
    "unaryop": nodes.UNARYOPS,
    "boolop": nodes.BOOLOPS,
    "cmpop": nodes.CMPOPS,
    "expr_context": nodes.CONTEXTS,
}


def host_tree(source, mode="exec"):
    """The host's tree, without the warnings, and without a defect of 3.12.0 and 3.12.1: they
    end a format spec with an empty Constant when a replacement field is last in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source, mode=mode)
    if (3, 12, 0) <= sys.version_info[:3] < (3, 12, 2):
        for node in ast.walk(tree):
            if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
                values = node.format_spec.values
                if values and isinstance(values[-1], ast.Constant) and values[-1].value == "":
                    values.pop()
    return tree


def difference(ours, theirs, positions=True):
    """Return a description of the first difference of two trees, or None."""
    stack = [(ours, theirs, "")]
    while stack:
        left, right, path = stack.pop()
        if isinstance(right, list):
            if not isinstance(left, list) or len(left) != len(right):
                return f"{path}: {left!r} is not {right!r}"
            stack.extend((a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(left, right)))
        elif isinstance(right, ast.AST):
            name = type(right).__name__
            if type(left).__name__ != name:
                return f"{path}: {left!r} is not {ast.dump(right, include_attributes=True)[:200]}"
            if positions:
                for attribute in right._attributes:
                    a, b = getattr(left, attribute), getattr(right, attribute)
                    if a != b:
                        return f"{path}<{name}>.{attribute}: {a} is not {b} (line {right.lineno})"
            schemas = dict(zip(left._fields, left._field_types))
            for field in right._fields:
                a, b = getattr(left, field), getattr(right, field)
                table = _TABLES.get(schemas[field].rstrip("*"))
                if table is not None:
                    a = [table[i] for i in a] if isinstance(a, list) else table[a]
                    b = [type(i).__name__ for i in b] if isinstance(b, list) else type(b).__name__
                    if a != b:
                        return f"{path}<{name}>.{field}: {a} is not {b} (line {getattr(right, 'lineno', 0)})"
                    continue
                if isinstance(b, (ast.AST, list)):
                    stack.append((a, b, f"{path}<{name}>.{field}"))
                elif type(a) is not type(b) or repr(a) != repr(b):
                    return f"{path}<{name}>.{field}: {a!r} is not {b!r} (line {getattr(right, 'lineno', 0)})"
        elif left is not right and left != right:
            return f"{path}: {left!r} is not {right!r}"
    return None
