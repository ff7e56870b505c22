"""The symbol tables for readers in Python, such as the checker: see ``describe``."""
from kimi_runtime.analysis.scopes cimport (
    DEF_BOUND, DEF_COMP_TARGET, DEF_NONLOCAL, DEF_PARAM, DEF_USE, NAME_CELL, NAME_FREE, NAME_LOCAL, SCOPE_CLASS,
    Scope, Symbol, SymbolTable,
    build, mangle,
)
from kimi_runtime.syntax.nodes cimport Node

KINDS = ("module", "class", "function", "lambda", "genexp", "listcomp", "setcomp", "dictcomp", "type params", "type value")


cdef class ScopeView:
    """One block of a program.

    Attributes:
        kind: one of ``KINDS``.
        node: the node whose block it is.
        parent: the scope around it; None for the module.
        bound: names that are bound in it (assigned, imported, defined, parameters).
        own: those names that belong to it: not the ones it declares ``global`` or ``nonlocal``.
        used: names that are read in it.
        reaching: names that it declares ``nonlocal`` and binds.
        globals: names that it declares ``global`` and binds.
    """
    cdef readonly str kind
    cdef readonly object node
    cdef readonly ScopeView parent
    cdef readonly frozenset bound, own, used, reaching, globals
    cdef Scope scope

    def home(self, str name):
        """The scope that a name belongs to when this one reads it: None for a global or builtin name."""
        cdef ScopeView view = self
        cdef Symbol symbol
        cdef bint seen = False
        name = mangle(self.scope.private, name)
        while view is not None and view.parent is not None:
            # The variables of a class body are for itself alone, and for what its type parameters evaluate.
            symbol = view.scope.symbols.get(name) if view is self or view.scope.kind != SCOPE_CLASS or seen else None
            if symbol is not None and symbol.scope != NAME_FREE:
                if symbol.scope == NAME_LOCAL or symbol.scope == NAME_CELL:
                    return view
                return view.parent if view.scope.sees_class and name in view.parent.own else None
            seen = view.scope.sees_class or view.scope.inlined
            view = view.parent
        return None

    def mangled(self, str name):
        """The name as it is stored, in a class body with the name of the class before it."""
        return mangle(self.scope.private, name)

    def __repr__(self):
        return f"<ScopeView: {self.kind} {self.scope.name}>"


def describe(Node tree, str filename):
    """Resolves the names of a program.

    Args:
        tree: a Module that the parser made.
        filename: for errors.

    Returns:
        Two dictionaries: the ``ScopeView`` of each node that has a block, and that of the type parameters of each node that
        has such.

    Raises:
        SyntaxError, RecursionError: as the compiler does for the same tree.
    """
    cdef SymbolTable table = build(tree, filename, None, False)
    cdef dict seen = {}
    cdef dict blocks = {node: view_of(scope, seen) for node, scope in table.scopes.items()}
    return blocks, {node: view_of(scope, seen) for node, scope in table.type_scopes.items()}


cdef ScopeView view_of(Scope scope, dict seen):
    cdef ScopeView view = seen.get(id(scope))
    cdef list parents = []
    cdef Scope each = scope
    if view is not None:
        return view
    while each is not None and id(each) not in seen:    # a loop: deep programs
        parents.append(each)
        each = each.parent
    view = seen[id(each)] if each is not None else None
    while parents:
        each = parents.pop()
        view = seen[id(each)] = make_view(each, view)
    return view


cdef ScopeView make_view(Scope scope, ScopeView parent):
    cdef ScopeView view = ScopeView.__new__(ScopeView)
    cdef Symbol symbol
    cdef set bound = set(), own = set(), used = set(), reaching = set(), declared = set()
    for name, symbol in scope.symbols.items():
        if symbol.flags & DEF_USE:
            used.add(name)
        if not symbol.flags & (DEF_BOUND | DEF_COMP_TARGET | DEF_PARAM):
            continue
        bound.add(name)
        if symbol.flags & DEF_NONLOCAL:
            reaching.add(name)
        elif parent is None or symbol.scope == NAME_LOCAL or symbol.scope == NAME_CELL:
            own.add(name)
        else:
            declared.add(name)
    view.kind = KINDS[scope.kind]
    view.node = scope.node
    view.parent = parent
    view.scope = scope
    view.bound, view.own, view.used = frozenset(bound), frozenset(own), frozenset(used)
    view.reaching, view.globals = frozenset(reaching), frozenset(declared)
    return view
