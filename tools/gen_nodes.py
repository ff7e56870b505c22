#!/usr/bin/env python3
"""Generate the AST node classes from one declarative table.

Writes ``kimi_runtime/syntax/nodes.pxd``, ``nodes.pyx`` and ``nodes.pyi``.  The
table below is the only place where a node class or a field is declared;
``--check`` exits with status 1 when the committed files differ from it.

    python tools/gen_nodes.py [--check]
"""
import pathlib
import sys
import textwrap

TARGET = pathlib.Path(__file__).resolve().parent.parent / "kimi_runtime" / "syntax"

# group: "group name [positions]", then one class per line.  A field is
# "type name"; "?" means that None is allowed, "*" that it is a list.
TABLE = """
group mod
    Module(stmt* body, type_ignore* type_ignores)
    Interactive(stmt* body)
    Expression(expr body)

group stmt positions
    FunctionDef(identifier name, arguments args, stmt* body, expr* decorator_list, expr? returns, comment type_comment, type_param* type_params)
    AsyncFunctionDef(identifier name, arguments args, stmt* body, expr* decorator_list, expr? returns, comment type_comment, type_param* type_params)
    ClassDef(identifier name, expr* bases, keyword* keywords, stmt* body, expr* decorator_list, type_param* type_params)
    Return(expr? value)
    Delete(expr* targets)
    Assign(expr* targets, expr value, comment type_comment)
    TypeAlias(expr name, type_param* type_params, expr value)
    AugAssign(expr target, operator op, expr value)
    AnnAssign(expr target, expr annotation, expr? value, int simple)
    For(expr target, expr iter, stmt* body, stmt* orelse, comment type_comment)
    AsyncFor(expr target, expr iter, stmt* body, stmt* orelse, comment type_comment)
    While(expr test, stmt* body, stmt* orelse)
    If(expr test, stmt* body, stmt* orelse)
    With(withitem* items, stmt* body, comment type_comment)
    AsyncWith(withitem* items, stmt* body, comment type_comment)
    Match(expr subject, match_case* cases)
    Raise(expr? exc, expr? cause)
    Try(stmt* body, excepthandler* handlers, stmt* orelse, stmt* finalbody)
    TryStar(stmt* body, excepthandler* handlers, stmt* orelse, stmt* finalbody)
    Assert(expr test, expr? msg)
    Import(alias* names)
    ImportFrom(identifier? module, alias* names, int level)
    Global(identifier* names)
    Nonlocal(identifier* names)
    Expr(expr value)
    Pass()
    Break()
    Continue()

group expr positions
    BoolOp(boolop op, expr* values)
    NamedExpr(expr target, expr value)
    BinOp(expr left, operator op, expr right)
    UnaryOp(unaryop op, expr operand)
    Lambda(arguments args, expr body)
    IfExp(expr test, expr body, expr orelse)
    Dict(expr* keys, expr* values)
    Set(expr* elts)
    ListComp(expr elt, comprehension* generators)
    SetComp(expr elt, comprehension* generators)
    DictComp(expr key, expr value, comprehension* generators)
    GeneratorExp(expr elt, comprehension* generators)
    Await(expr value)
    Yield(expr? value)
    YieldFrom(expr value)
    Compare(expr left, cmpop* ops, expr* comparators)
    Call(expr func, expr* args, keyword* keywords)
    FormattedValue(expr value, int conversion, expr? format_spec)
    JoinedStr(expr* values)
    Constant(constant value, constant? kind)
    Attribute(expr value, identifier attr, expr_context ctx)
    Subscript(expr value, expr slice, expr_context ctx)
    Starred(expr value, expr_context ctx)
    Name(identifier id, expr_context ctx)
    List(expr* elts, expr_context ctx)
    Tuple(expr* elts, expr_context ctx)
    Slice(expr? lower, expr? upper, expr? step)

group part
    comprehension(expr target, expr iter, expr* ifs, int is_async)
    arguments(arg* posonlyargs, arg* args, arg? vararg, arg* kwonlyargs, expr* kw_defaults, arg? kwarg, expr* defaults)
    withitem(expr context_expr, expr? optional_vars)
    match_case(pattern pattern, expr? guard, stmt* body)

group located_part positions
    ExceptHandler(expr? type, identifier? name, stmt* body)
    arg(identifier arg, expr? annotation, comment type_comment)
    keyword(identifier? arg, expr value)
    alias(identifier name, identifier? asname)

group pattern positions
    MatchValue(expr value)
    MatchSingleton(constant value)
    MatchSequence(pattern* patterns)
    MatchMapping(expr* keys, pattern* patterns, identifier? rest)
    MatchClass(expr cls, pattern* patterns, identifier* kwd_attrs, pattern* kwd_patterns)
    MatchStar(identifier? name)
    MatchAs(pattern? pattern, identifier? name)
    MatchOr(pattern* patterns)

group type_param positions
    TypeVar(identifier name, expr? bound, expr? default_value)
    ParamSpec(identifier name, expr? default_value)
    TypeVarTuple(identifier name, expr? default_value)
"""

# Operator fields hold the index in these tables; the C names get the prefix.
ENUMS = {
    "operator": ("OP_", "OPERATORS", "Add Sub Mult MatMult Div Mod Pow LShift RShift BitOr BitXor BitAnd FloorDiv"),
    "unaryop": ("UOP_", "UNARYOPS", "Invert Not UAdd USub"),
    "boolop": ("BOOL_", "BOOLOPS", "And Or"),
    "cmpop": ("CMP_", "CMPOPS", "Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn"),
    "expr_context": ("CTX_", "CONTEXTS", "Load Store Del"),
}

HEADER = "# Generated by tools/gen_nodes.py from its table. Do not edit.\n"
POSITIONS = ("lineno", "col_offset", "end_lineno", "end_col_offset")


class Field:
    """One field of a node class: schema type, name, list and option marks."""

    def __init__(self, text):
        kind, self.name = text.split()
        self.is_list = kind.endswith("*")
        self.optional = kind.endswith("?") or kind == "comment"
        self.type = kind.rstrip("*?")

    @property
    def c_name(self):
        """Name of the C member (``Constant.kind`` would hide ``Node.kind``)."""
        return "u_kind" if self.name == "kind" else self.name

    @property
    def c_type(self):
        """Cython type of the C member; "" when the field has none."""
        if self.type == "comment":
            return ""
        if self.is_list:
            return "list"
        if self.type == "identifier":
            return "str"
        if self.type == "int" or self.type in ENUMS:
            return "int"
        if self.type == "constant":
            return "object"
        return "arguments" if self.type == "arguments" else "Node"

    @property
    def py_type(self):
        """Type for the stub file."""
        if self.type == "comment":
            return "None"
        if self.is_list:
            inner = {"identifier": "str", "cmpop": "int"}.get(self.type, "Any")
            return f"list[{inner}]"
        base = {"identifier": "str", "int": "int", "constant": "Any"}.get(self.type)
        base = base or ("int" if self.type in ENUMS else "Node")
        return base + " | None" if self.optional and base != "Any" else base


def read_table():
    """Return ``[(group, has_positions, [(class name, [Field])])]``."""
    groups = []
    for line in TABLE.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "group":
            groups.append((words[1], "positions" in words, []))
            continue
        name, _, rest = line.strip().partition("(")
        fields = [Field(part.strip()) for part in rest.rstrip(")").split(",") if part.strip()]
        groups[-1][2].append((name, fields))
    return groups


def gen_pxd(groups):
    """Text of ``nodes.pxd``."""
    out = [HEADER]
    out.append("""\
# Create a node with ``X.__new__(X)`` and assign its fields: every object field
# starts as None, every int as 0.  ``kind`` is set by the constructor and is the
# value to switch on.  Children that may be absent are None; lists hold nodes
# (Dict.keys and arguments.kw_defaults also None), or interned str for names, or
# CMP_ ints for Compare.ops.  ``op`` and ``ctx`` are the ints of the enums below.
# Offsets count UTF-8 bytes.  Nodes form trees, so they are not tracked by the
# cyclic collector.
from libc.stdint cimport int64_t

cdef enum NodeKind:
    K_Node = 0""")
    for _, _, classes in groups:
        out += [f"    K_{name}" for name, _ in classes]
    out.append("    K_COUNT")
    for group, _, classes in groups:
        if group in ("stmt", "expr", "pattern"):
            out.append(f"    K_FIRST_{group.upper()} = K_{classes[0][0]}")
            out.append(f"    K_LAST_{group.upper()} = K_{classes[-1][0]}")
    for schema, (prefix, _, names) in ENUMS.items():
        out.append(f"\ncdef enum {schema.title().replace('_', '')}Kind:")
        out += [f"    {prefix}{name} = {i}" for i, name in enumerate(names.split())]
    out.append("\n# Nodes that there are: what a profile shows.\ncdef int64_t live_nodes")
    out.append("\ncdef class Node:\n    cdef int kind")
    out += [f"    cdef public int {name}" for name in POSITIONS]
    for _, _, classes in groups:
        for name, fields in sorted(classes, key=lambda c: c[0] != "arguments"):
            out.append(f"\ncdef class {name}(Node):")
            members = [f"    cdef public {f.c_type} {f.c_name}" for f in fields if f.c_type]
            out += members or ["    pass"]
    text = "\n".join(out) + "\n"
    # FunctionDef refers to arguments, which comes later in the table.
    return text.replace("cdef class Node:", "cdef class arguments(Node)\n\ncdef class Node:", 1)


def gen_pyx(groups):
    """Text of ``nodes.pyx``."""
    out = [HEADER + '''# cython: auto_pickle=False
"""AST node classes: CPython's names and fields, C members for our own stages."""
cimport cython
from cpython.object cimport PyObject, PyTypeObject

cdef extern from "Python.h":
    void PyType_Modified(PyTypeObject *cls)

cdef extern from *:
    """
    #define KIMI_TYPE_DICT(t) (((PyTypeObject *)(t))->tp_dict)
    """
    PyObject *KIMI_TYPE_DICT(object cls)
''']
    names = [name for _, _, classes in groups for name, _ in classes]
    listing = ", ".join(repr(name) for name in ["Node", *names])
    listing = textwrap.fill(listing, 110, initial_indent="    ", subsequent_indent="    ")
    out.append(f"KIND_NAMES = (\n{listing},\n)")
    for _, table, values in ENUMS.values():
        out.append(f"{table} = {tuple(values.split())!r}")
    out.append('''

@cython.no_gc
cdef class Node:
    """Base of all AST nodes.

    Keyword arguments set fields and positions, positional arguments set the
    fields in the order of ``_fields``; list fields that are not given become [].

    Raises:
        TypeError: more positional arguments than fields, or an unknown name.
    """
    _fields = ()
    _field_types = ()
    _attributes = ("lineno", "col_offset", "end_lineno", "end_col_offset")

    def __cinit__(self):
        global live_nodes
        live_nodes += 1

    def __dealloc__(self):
        global live_nodes
        live_nodes -= 1

    def __init__(self, *args, **kwargs):
        fields = self._fields
        if len(args) > len(fields):
            raise TypeError(f"{type(self).__name__} takes at most {len(fields)} positional arguments")
        given = dict(zip(fields, args))
        given.update(kwargs)
        for name, schema in zip(fields, self._field_types):
            if schema.endswith("*"):
                given.setdefault(name, [])
        for name, value in given.items():
            if name == "type_comment":
                continue
            if name not in fields and name not in self._attributes:
                raise TypeError(f"{type(self).__name__} has no field {name!r}")
            setattr(self, name, value)

    @property
    def node_kind(self):
        """The NodeKind of this node, an index in KIND_NAMES."""
        return self.kind

    def __repr__(self):
        return f"<{type(self).__name__} node at line {self.lineno}>"
''')
    for _, positions, classes in groups:
        for name, fields in sorted(classes, key=lambda c: c[0] != "arguments"):
            types = tuple(f.type + ("*" if f.is_list else "?" if f.optional else "") for f in fields)
            out.append("\n@cython.final\n@cython.no_gc")
            out.append(f"cdef class {name}(Node):")
            out.append(f"    _fields = {tuple(f.name for f in fields)!r}")
            out.append(f"    _field_types = {types!r}")
            if not positions:
                out.append("    _attributes = ()")
            out += [f"    {f.name} = None" for f in fields if not f.c_type]
            out.append(f"\n    def __cinit__(self):\n        self.kind = K_{name}\n")
    out.append('''
cdef object _get_u_kind(Constant node):
    return node.u_kind


def _constant_kind(node):
    return _get_u_kind(node)


def _set_constant_kind(node, value):
    (<Constant?>node).u_kind = value


# Python sees CPython's ``Constant.kind`` ("u" or None).  It can't be a Cython
# property, since the C member ``Node.kind`` has that name.
(<dict><object>KIMI_TYPE_DICT(Constant))["kind"] = property(_constant_kind, _set_constant_kind)
PyType_Modified(<PyTypeObject *>Constant)

NODE_CLASSES = {name: globals()[name] for name in KIND_NAMES}
''')
    return "\n".join(out)


def gen_pyi(groups):
    """Text of ``nodes.pyi``."""
    out = [HEADER + "from typing import Any, ClassVar\n"]
    out.append("KIND_NAMES: tuple[str, ...]\nNODE_CLASSES: dict[str, type[Node]]")
    out += [f"{table}: tuple[str, ...]" for _, table, _ in ENUMS.values()]
    out.append("\nclass Node:\n    _fields: ClassVar[tuple[str, ...]]\n    _field_types: ClassVar[tuple[str, ...]]")
    out.append("    _attributes: ClassVar[tuple[str, ...]]")
    out += [f"    {name}: int" for name in POSITIONS]
    out.append("    def __init__(self, *args: Any, **kwargs: Any) -> None: ...\n    @property\n    def node_kind(self) -> int: ...")
    for _, _, classes in groups:
        for name, fields in classes:
            out.append(f"\nclass {name}(Node):")
            out += [f"    {f.name}: {f.py_type}" for f in fields] or ["    ..."]
    return "\n".join(out) + "\n"


def main():
    """Write the files, or compare them with the table under ``--check``."""
    groups = read_table()
    status = 0
    for suffix, text in (("pxd", gen_pxd(groups)), ("pyx", gen_pyx(groups)), ("pyi", gen_pyi(groups))):
        path = TARGET / f"nodes.{suffix}"
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != text:
                print(f"{path} is out of date: run tools/gen_nodes.py", file=sys.stderr)
                status = 1
        else:
            path.write_text(text)
    return status


if __name__ == "__main__":
    sys.exit(main())
