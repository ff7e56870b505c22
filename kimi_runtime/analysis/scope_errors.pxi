# Checks and messages of the symbol-table stage that are not needed on the fast path. Included by scopes.pyx.
import __future__
import sys

_intern = sys.intern
# From 3.12 on sum() adds floats with less error than + does.
CONSUMERS = frozenset(("any", "all", "list", "tuple", "set") if sys.version_info >= (3, 12)
                      else ("any", "all", "list", "tuple", "set", "sum"))
NEW_WORDING = sys.version_info >= (3, 13)
FUTURE_FEATURES = frozenset(__future__.all_feature_names)


cdef object located(str kind, str message, str filename, object source, Node at):
    """A SyntaxError that points at a node, as CPython's compiler makes it.

    The kind is "compiler", "symbols" for the symbol table's, or "start" for one that points only at the beginning. The
    place is among the arguments of the exception for "compiler" only.
    """
    cdef object text = None
    if source is not None and at is not None and at.lineno > 0:
        lines = (<str>source).split("\n", at.lineno)
        if at.lineno <= len(lines):
            text = lines[at.lineno - 1] + "\n"
    if at is None:
        return SyntaxError(message)
    place = (filename, at.lineno, at.col_offset + 1, text, at.end_lineno, at.end_col_offset + 1)
    if kind == "compiler":
        return SyntaxError(message, place)
    error = SyntaxError(message)
    error.filename, error.lineno, error.offset, error.text, error.end_lineno, error.end_offset = place
    if kind == "start":
        error.end_lineno, error.end_offset = at.lineno, None
    return error


cdef int check_future(Walker table, str name, Node at) except -1:
    if name in FUTURE_FEATURES:
        return 0
    if name == "braces":
        raise located("start", "not a chance", table.filename, table.source, at)
    raise located("start", f"future feature {name[:100]} is not defined", table.filename, table.source, at)


cdef str type_scope_name(Scope scope):
    if scope.kind == SCOPE_TYPE_PARAMS:
        return "the definition of a generic"
    if scope.node.kind == K_TypeAlias:
        return "a type alias"
    if scope.node.kind == K_TypeVar and (<TypeVar>scope.node).bound is not None:
        return "a TypeVar bound" if (<TypeVar>scope.node).bound.kind != K_Tuple else "a TypeVar constraint"
    return "a type parameter default"


cdef int check_yield(Walker table, Node e) except -1:
    cdef int kind = table.cur.kind
    if kind >= SCOPE_TYPE_PARAMS:
        table.fail(f"yield expression cannot be used within {type_scope_name(table.cur)}", e)
    if kind == SCOPE_LISTCOMP:
        table.fail("'yield' inside list comprehension", e)
    elif kind == SCOPE_SETCOMP:
        table.fail("'yield' inside set comprehension", e)
    elif kind == SCOPE_DICTCOMP:
        table.fail("'yield' inside dict comprehension", e)
    elif kind == SCOPE_GENEXP:
        table.fail("'yield' inside generator expression", e)
    return 0


cdef int check_annotation(Walker table, object e) except -1:
    """Postponed annotations: only the expressions that may not stand in an annotation are looked for."""
    cdef Node node
    if isinstance(e, list):
        for item in <list>e:
            check_annotation(table, item)
        return 0
    if not isinstance(e, Node):
        return 0
    node = <Node>e
    if node.kind == K_Yield or node.kind == K_YieldFrom:
        table.fail("yield expression cannot be used within an annotation" if NEW_WORDING
                   else "'yield expression' can not be used within an annotation", node)
    elif node.kind == K_Await:
        table.fail("await expression cannot be used within an annotation" if NEW_WORDING
                   else "'await expression' can not be used within an annotation", node)
    elif node.kind == K_NamedExpr:
        table.fail("named expression cannot be used within an annotation" if NEW_WORDING
                   else "'named expression' can not be used within an annotation", node)
    elif node.kind == K_Lambda:
        return 0
    elif K_ListComp <= node.kind <= K_GeneratorExp:
        # A scope of its own, except for the first iterable.
        return check_annotation(table, node.generators[0].iter)
    for name in node._fields:
        check_annotation(table, getattr(node, name, None))
    return 0
