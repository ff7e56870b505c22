# cython: binding=False, wraparound=True, boundscheck=True
"""Syntax trees as data: from the parser's nodes to the node classes of a guest's `ast`, and back for `compile()`.

The guest's classes are guest code (`guest/_ast.py`), made from the schema here, which is that of the host's version.
Nothing that a guest put into a tree is trusted: it is copied into nodes of the parser, and `check` holds them to what
the parser itself would have made.
"""
from kimi_runtime.syntax.alarm cimport look_at_alarm
from kimi_runtime.syntax.nodes cimport Node

import _ast as host_ast
import re
import sys

from kimi_runtime.objects.builtins import use_trees
from kimi_runtime.library.tree_check import check
from kimi_runtime.syntax.nodes import BOOLOPS, CMPOPS, CONTEXTS, NODE_CLASSES, OPERATORS, UNARYOPS
from kimi_runtime.bytecode.tree_options import check_version
from kimi_runtime.syntax.parser import parse

cdef enum:
    MAX_DEPTH = 3000

cdef dict SYMBOLS = {"operator": OPERATORS, "unaryop": UNARYOPS, "boolop": BOOLOPS, "cmpop": CMPOPS,
                     "expr_context": CONTEXTS}
cdef tuple POSITIONS = ("lineno", "col_offset", "end_lineno", "end_col_offset")
cdef bint LISTS_DEFAULT = sys.version_info >= (3, 12)
cdef object MISSING = object()


def _field_types(cls):
    """Schema types of a class of the host's `ast`, from its docstring: ``FunctionDef(identifier name, ...)``."""
    text = cls.__doc__ or ""
    if "(" not in text or "=" in text.partition("(")[0]:
        return ()
    inner = re.sub(r"\s+", " ", text[text.index("(") + 1:text.rindex(")")])
    return tuple(part.split()[0] for part in inner.split(",")) if inner else ()


def _schema():
    """``[(name, base, docstring, fields, field types, attributes)]`` of all node classes of the host, bases first."""
    rows = []
    waiting = [host_ast.AST]
    while waiting:
        base = waiting.pop(0)
        for cls in base.__subclasses__():
            if getattr(host_ast, cls.__name__, None) is cls:
                rows.append((cls.__name__, base.__name__, cls.__doc__, cls._fields, _field_types(cls), cls._attributes))
                waiting.append(cls)
    return sorted(rows, key=lambda row: row[1] != "AST")


SCHEMA = _schema()
FLAGS = {name: getattr(host_ast, name) for name in dir(host_ast) if name.startswith("PyCF_")}

cdef dict guest_classes = {}            # class name -> guest class
cdef dict rows_of = {}                  # guest class -> (class name, group)
cdef dict singletons = {}               # name of an operator or context -> its one instance
cdef dict fields_of = {row[0]: frozenset(row[3]) for row in SCHEMA}


def register(classes):
    """Called by the guest's `_ast` with its classes by name."""
    guest_classes.update(classes)
    for name, base, *_ in SCHEMA:
        rows_of[classes[name]] = (name, base)
        if base in SYMBOLS:
            singletons[name] = classes[name]()


cdef int need_classes() except -1:
    if not guest_classes:
        from kimi_runtime.library.loader import LIBRARY, find
        find(LIBRARY, "_ast")
    return 0


# ---- to the guest ----------------------------------------------------------------------------
cdef object to_guest(Node node, int depth):
    cdef str name = type(node).__name__
    cdef dict contents = {}
    cdef object cls, made, value, symbols, wanted
    cdef str schema, field
    look_at_alarm()
    if depth > MAX_DEPTH:
        raise RecursionError("maximum recursion depth exceeded during ast construction")
    cls = guest_classes.get(name)
    if cls is None:
        raise SyntaxError(f"the ast module of Python {sys.version_info[0]}.{sys.version_info[1]} has no {name}")
    wanted = fields_of[name]
    for field, schema in zip(node._fields, node._field_types):
        value = getattr(node, field)
        if field not in wanted and not value:
            continue
        symbols = SYMBOLS.get(schema.rstrip("*"))
        if symbols is not None:
            value = [singletons[symbols[each]] for each in value] if type(value) is list else singletons[symbols[value]]
        elif type(value) is list:
            value = [to_guest(<Node>each, depth + 1) if isinstance(each, Node) else each for each in value]
        elif isinstance(value, Node):
            value = to_guest(<Node>value, depth + 1)
        contents[field] = value
    for field in node._attributes:
        contents[field] = getattr(node, field)
    made = cls.__new__(cls)
    made.__dict__.update(contents)
    return made


def parse_for_guest(source, filename, mode, warnings=None, version=-1):
    """Parses a source to a tree of guest objects.

    version: the minor version of Python 3 that must know its syntax, or -1.
    Raises SyntaxError, ValueError, RecursionError as the parser does.
    """
    need_classes()
    tree = parse(source, filename, mode, warnings)
    if version >= 0:
        check_version(tree, version, filename)
    return to_guest(<Node>tree, 0)


# ---- from the guest --------------------------------------------------------------------------
cdef tuple row_of(value):
    """(class name, group) of a guest's tree object, or of the nearest base of its class; None when it is none."""
    for cls in type(value).__mro__:
        found = rows_of.get(cls)
        if found is not None:
            return found
    return None


def is_tree(value):
    """Whether an object is an instance of the guest's `ast.AST`."""
    return bool(guest_classes) and isinstance(value, guest_classes["AST"])


cdef object required(str name, str field):
    raise TypeError(f"required field \"{field}\" missing from {name}")


cdef object from_guest(value, str group, int depth):
    """The parser's node for a guest's; group: what kind of node may stand here."""
    cdef tuple row
    cdef str name, field, schema
    cdef Node node
    cdef object found
    look_at_alarm()
    if depth > MAX_DEPTH:
        raise RecursionError("maximum recursion depth exceeded during ast construction")
    row = row_of(value)
    if row is None or (row[1] != group and row[0] != group) or row[0] not in NODE_CLASSES:
        # Positions are asked for before the class, where the class has any.
        if group in ("stmt", "expr", "pattern", "excepthandler", "type_param"):
            for field in ("lineno", "col_offset"):
                if not hasattr(value, field):
                    required(group, field)
        raise TypeError(f"expected some sort of {group}, but got {value!r}")
    name = row[0]
    node = NODE_CLASSES[name]()
    if node._attributes:
        shown = group if row[1] != "AST" else name
        for field in ("lineno", "col_offset"):
            found = getattr(value, field, MISSING)
            if found is MISSING:
                required(shown, field)
            setattr(node, field, as_int(found))
        for field, start in (("end_lineno", node.lineno), ("end_col_offset", node.col_offset)):
            found = getattr(value, field, None)
            setattr(node, field, start if found is None else as_int(found))
    for field, schema in zip(node._fields, node._field_types):
        if schema == "comment" or schema == "type_ignore*":
            continue
        if schema.endswith("*"):
            found = getattr(value, field, None)
            if found is None:
                if field not in fields_of[name] or LISTS_DEFAULT:
                    found = []
                else:
                    required(name, field)
            if not isinstance(found, list):
                raise TypeError(f"{name} field \"{field}\" must be a list, not a {type(found).__name__}")
            # A copy: reading a member runs code of the guest, which could change the list.
            setattr(node, field, [item(each, name, field, schema[:-1], depth) for each in list(found)])
            continue
        try:
            found = getattr(value, field)
        except AttributeError:
            if schema.endswith("?"):
                continue
            required(name, field)
        if found is None and schema not in ("constant", "constant?"):
            if schema.endswith("?"):
                continue
            if schema == "int" and name == "ImportFrom":
                continue
            if schema != "int":
                raise ValueError(f"field '{field}' is required for {name}")
        found = item(found, name, field, schema.rstrip("?"), depth)
        setattr(node, field, found)
    return node


cdef object as_int(value):
    if not isinstance(value, int):
        raise ValueError(f"invalid integer value: {value!r}")
    value = int(value)
    if not -2**31 <= value < 2**31:
        raise OverflowError("Python int too large to convert to C int")
    return value


cdef object item(value, str name, str field, str schema, int depth):
    cdef tuple symbols = SYMBOLS.get(schema)
    cdef tuple row
    if symbols is not None:
        row = row_of(value)
        if row is None or row[0] not in symbols:
            raise TypeError(f"expected some sort of {schema}, but got {value!r}")
        return symbols.index(row[0])
    if schema == "identifier":
        if type(value) is not str:
            raise TypeError("AST identifier must be of type str")
        return sys.intern(value)
    if schema == "int":
        return as_int(value)
    if schema == "constant":
        return value
    if value is None:
        return None                         # in lists of Dict keys and defaults; check knows where
    return from_guest(value, schema, depth + 1)


ROOTS = {"exec": "Module", "eval": "Expression", "single": "Interactive"}


def tree_of_guest(value, mode):
    """The parser's tree for a tree of a guest, checked.

    Args:
        value: an instance of the guest's `ast.AST`.
        mode: "exec", "eval" or "single".

    Raises:
        TypeError, ValueError, RecursionError: the tree is not one that can be compiled, as the host's `compile`.
    """
    cdef tuple row = row_of(value)
    if row is None or row[0] != ROOTS[mode]:
        raise TypeError(f"expected {ROOTS[mode]} node, got {type(value).__name__}")
    node = from_guest(value, "mod", 0)
    check(node)
    return node


use_trees(is_tree, parse_for_guest, tree_of_guest)
