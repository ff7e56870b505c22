# What every name means: the second step, from the outermost scope inwards. Included by scopes.pyx.

cdef int resolve_all(Walker walk) except -1:
    cdef Scope scope
    cdef Symbol sym
    cdef str name
    cdef unsigned int flags
    for scope in walk.order:
        if scope.by_value and scope.consumer is not None and not means_builtin(walk, scope):
            scope.by_value = False
            walk.consumed.pop(scope.node)
        for item in scope.symbols.items():
            name = (<tuple>item)[0]
            sym = <Symbol>(<tuple>item)[1]
            flags = sym.flags
            if flags & (DEF_GLOBAL | DEF_NONLOCAL):
                resolve_declared(walk, scope, name, sym)
            elif flags & DEF_BOUND:
                if sym.scope == NAME_UNKNOWN:
                    sym.scope = NAME_LOCAL
            elif scope.kind == SCOPE_MODULE or not find_binding(scope, name):
                sym.scope = NAME_GLOBAL_IMPLICIT
            elif scope.by_value:
                sym.scope = NAME_LOCAL
                sym.flags |= DEF_PARAM
                scope.params.append(name)
            else:
                sym.scope = NAME_FREE
    for scope in walk.order:
        if scope.sees_class:
            for item in scope.symbols.items():
                sym = <Symbol>(<tuple>item)[1]
                if sym.scope == NAME_GLOBAL_IMPLICIT or sym.scope == NAME_FREE:
                    find_binding(scope, "__classdict__")
                    break
    return 0


cdef bint means_builtin(Walker walk, Scope scope) except -1:
    """Whether the name of the consumer is bound nowhere in the source, as far as one can see."""
    cdef Symbol sym = scope.parent.symbol(scope.consumer)
    if sym is None or sym.flags & (DEF_BOUND | DEF_GLOBAL | DEF_NONLOCAL):
        return False
    if scope.parent.frame() is not walk.top and sym.scope != NAME_GLOBAL_IMPLICIT:
        return False
    found = walk.top.symbols.get(scope.consumer)
    return found is None or not (<Symbol>found).flags & (DEF_BOUND | DEF_GLOBAL)


cdef int resolve_declared(Walker walk, Scope scope, str name, Symbol sym) except -1:
    cdef Node at
    at = (scope.directives or {}).get(name, scope.node)
    if sym.flags & DEF_GLOBAL:
        if sym.flags & DEF_NONLOCAL:
            walk.fail(f"name '{name}' is nonlocal and global", at)
        sym.scope = NAME_GLOBAL_EXPLICIT
    else:
        if scope.kind == SCOPE_MODULE:
            walk.fail("nonlocal declaration not allowed at module level", at)
        if not find_binding(scope, name):
            walk.fail(f"no binding for nonlocal '{name}' found", at)
        sym.scope = NAME_FREE
    return 0


cdef bint find_binding(Scope scope, str name) except -1:
    """Whether an enclosing function binds the name; if so it becomes a cell there, and free in between."""
    cdef Scope p = scope.parent
    cdef Scope q
    cdef Symbol sym
    cdef bint found = False
    while p is not None and p.kind != SCOPE_MODULE or p is not None and p.inlined:
        if p.kind == SCOPE_CLASS:
            if name == "__class__":
                p.needs_class_cell = True
                found = True
                break
            if name == "__classdict__":
                p.needs_classdict = True
                found = True
                break
            if scope.sees_class and p is class_around(scope):
                entry = p.symbols.get(name)
                if entry is not None:
                    sym = <Symbol>entry
                    if sym.flags & DEF_GLOBAL or (sym.flags & DEF_BOUND and not sym.flags & DEF_NONLOCAL):
                        return False
        else:
            entry = p.symbols.get(name)
            if entry is not None:
                sym = <Symbol>entry
                if sym.flags & DEF_GLOBAL:
                    return False
                if sym.flags & DEF_BOUND and not sym.flags & DEF_NONLOCAL:
                    if not scope.by_value:
                        sym.scope = NAME_CELL
                    found = True
                    break
        p = p.parent
    if not found or scope.by_value:
        return found
    q = scope
    while q is not p:
        if not q.inlined:
            if q.free is None:
                q.free = {}
            q.free[name] = 0
        q = q.parent
    return True


cdef Scope class_around(Scope scope):
    """The class whose namespace a PEP 695 scope sees."""
    while scope.sees_class:
        scope = scope.parent
    return scope
