# Names, constants and blocks of registers. Included by codegen.pyx.

cdef inline str mangled(Gen g, str name):
    if g.scope.private is None:
        return name
    return mangle(g.scope.private, name)


cdef inline Symbol find_symbol(Gen g, str name):
    """The symbol that a mangled name means here."""
    return g.scope.symbol(name)


cdef inline bint names_are_global(Gen g) noexcept:
    """Whether names without a register are globals: in functions, and at the top of a module that awaits."""
    return g.frame.kind >= SCOPE_FUNCTION or g.flags & CODE_COROUTINE != 0


cdef inline bint in_register(Gen g, Symbol sym) noexcept:
    """Whether a LOCAL or CELL symbol has a register (in module and class bodies only hidden ones have)."""
    return g.frame.kind >= SCOPE_FUNCTION or sym.flags & DEF_COMP_TARGET


cdef inline int plain_local(Gen g, Symbol sym) noexcept:
    """The register of a local variable that is not a cell, or -1."""
    if sym is not None and sym.scope == NAME_LOCAL and in_register(g, sym):
        return sym.reg
    return -1


cdef int local_target(Gen g, Node e):
    """The register to which a value for the target e can be written directly, or -1."""
    if e.kind != K_Name or (<Name>e).id == "__debug__":
        return -1
    return plain_local(g, find_symbol(g, mangled(g, (<Name>e).id)))


cdef inline bint free_in_comprehension(Gen g, Symbol sym):
    """Whether CPython has a function for the comprehension that we are in, whose free variable this is."""
    return OLD_PLACES and g.scope.inlined and sym not in g.scope.symbols.values()


cdef inline int check_local(Gen g, Symbol sym, Node at) except -1:
    """Makes sure that a local that is about to be read is bound."""
    if sym.flags & DEF_DELETED or not g.is_set(sym.reg):
        mark(g, at)
        g.emit(OP_CHECK, sym.reg, free_in_comprehension(g, sym), 0)
        if not sym.flags & DEF_DELETED:
            g.set_reg(sym.reg)
    return 0


cdef int forbid_debug(Gen g, str name, Node at, bint deleting) except -1:
    if name == "__debug__":
        fail(g, "cannot delete __debug__" if deleting else "cannot assign to __debug__", at)
    return 0


cdef int load_name(Gen g, Name e, int dst) except -1:
    """dst = value of the name."""
    cdef str name = mangled(g, e.id)
    cdef Symbol sym = find_symbol(g, name)
    cdef int reg
    if e.id == "__debug__":
        g.emit(OP_LOAD_BOOL, dst, 1, 0)
        return 0
    reg = plain_local(g, sym)
    if reg >= 0:
        check_local(g, sym, e)
        mark(g, e)
        if reg != dst:
            g.emit(OP_MOVE, dst, reg, 0)
        return 0
    mark(g, e)
    return load_variable(g, name, sym, dst)


cdef int load_variable(Gen g, str name, Symbol sym, int dst) except -1:
    """As load_name, with the symbol known and the position set; no check of locals."""
    cdef int scope = sym.scope if sym is not None else NAME_GLOBAL_IMPLICIT
    if g.frame.sees_class and (scope == NAME_GLOBAL_IMPLICIT or scope == NAME_FREE) and not name.startswith("."):
        return load_class_visible(g, name, sym, dst)
    if scope == NAME_LOCAL and in_register(g, sym):
        g.emit(OP_MOVE, dst, sym.reg, 0)
    elif scope == NAME_CELL and in_register(g, sym):
        g.emit(OP_LOAD_CELL, dst, sym.reg, free_in_comprehension(g, sym))
    elif scope == NAME_FREE:
        if g.frame.kind == SCOPE_CLASS:
            g.emit(OP_LOAD_CLASS_FREE, dst, sym.reg, g.load_site(name))
        else:
            g.emit(OP_LOAD_FREE, dst, sym.reg, 0)
    elif scope == NAME_GLOBAL_EXPLICIT or names_are_global(g):
        g.emit(OP_LOAD_GLOBAL, dst, 0, global_site(g, name))
    else:
        g.emit(OP_LOAD_NAME, dst, 0, g.load_site(name))
    return 0


cdef int global_site(Gen g, str name) except -1:
    """The site of a LOAD_GLOBAL; in namespaces bodies, where LOAD_NAME has its own, they are not shared."""
    if names_are_global(g):
        return g.load_site(name)
    return g.site(name, 0, 0)


cdef int load_class_visible(Gen g, str name, Symbol sym, int dst) except -1:
    """In a PEP 695 scope of a class: the name in the class namespace if it is there, else the global or free one."""
    cdef int outside = g.new_label()
    cdef int end = g.new_label()
    cdef int mapping = g.push()
    cdef int key = g.push()
    g.emit(OP_LOAD_FREE, mapping, <int>g.frame.free["__classdict__"], 0)
    load_const(g, name, key)
    g.branch(OP_JNOT_IN, key, mapping, outside)
    g.emit(OP_LOAD_FREE, mapping, <int>g.frame.free["__classdict__"], 0)
    g.emit(OP_GET_ITEM_K, dst, mapping, g.const_index(name))
    g.jump(end)
    g.bind(outside)
    if sym is not None and sym.scope == NAME_FREE:
        g.emit(OP_LOAD_FREE, dst, sym.reg, 0)
    else:
        g.emit(OP_LOAD_GLOBAL, dst, 0, g.load_site(name))
    g.bind(end)
    g.top = mapping
    return 0


cdef int store_name(Gen g, str raw, int src, Node at) except -1:
    """The name as written in the source = register src (consumed when it is a temporary)."""
    cdef str name = mangled(g, raw)
    cdef Symbol sym = find_symbol(g, name)
    forbid_debug(g, raw, at, False)
    mark(g, at)
    return store_variable(g, name, sym, src)


cdef int store_variable(Gen g, str name, Symbol sym, int src) except -1:
    cdef int scope = sym.scope if sym is not None else NAME_GLOBAL_IMPLICIT
    if scope == NAME_LOCAL and in_register(g, sym):
        if src != sym.reg:
            g.emit(OP_MOVE, sym.reg, src, 0)
        g.set_reg(sym.reg)
    elif scope == NAME_CELL and in_register(g, sym):
        g.emit(OP_STORE_CELL, sym.reg, src, 0)
    elif scope == NAME_FREE:
        g.emit(OP_STORE_FREE, sym.reg, src, 0)
    elif scope == NAME_GLOBAL_EXPLICIT or names_are_global(g):
        g.emit(OP_STORE_GLOBAL, 0, src, g.store_site(name) if names_are_global(g) else g.site(name, 0, 0))
    else:
        g.emit(OP_STORE_NAME, 0, src, g.store_site(name))
    return 0


cdef int delete_name(Gen g, str raw, Node at) except -1:
    cdef str name = mangled(g, raw)
    cdef Symbol sym = find_symbol(g, name)
    cdef int scope = sym.scope
    forbid_debug(g, raw, at, True)
    mark(g, at)
    if scope == NAME_LOCAL and in_register(g, sym):
        g.emit(OP_DEL_LOCAL, sym.reg, 0, 0)
    elif scope == NAME_CELL and in_register(g, sym):
        g.emit(OP_DEL_CELL, sym.reg, 0, 0)
    elif scope == NAME_FREE:
        g.emit(OP_DEL_FREE, sym.reg, 0, 0)
    elif scope == NAME_GLOBAL_EXPLICIT or names_are_global(g):
        g.emit(OP_DEL_GLOBAL, 0, 0, g.site(name, 0, 0))
    else:
        g.emit(OP_DEL_NAME, 0, 0, g.site(name, 0, 0))
    return 0


cdef int load_const(Gen g, object value, int dst) except -1:
    """dst = constant."""
    kind = type(value)
    if value is None:
        g.emit(OP_LOAD_NONE, dst, 0, 0)
    elif kind is bool:
        g.emit(OP_LOAD_BOOL, dst, 1 if value else 0, 0)
    elif kind is int and -2147483648 <= value <= 2147483647:
        g.emit_wide(OP_LOAD_INT, dst, <int>value)
    else:
        if g.dead:
            return 0
        g.emit_wide(OP_LOADK, dst, g.const_index(value))
    return 0


cdef int const16(Gen g, object value) except -2:
    """Index of a constant for a 16-bit operand, or -1 when there is no room."""
    cdef int index = g.const_index(value)
    return index if index <= 65535 else -1


cdef int free_source(Gen g, str name) except? -40000:
    """Where a function made here finds the cell for its free variable: a register, or ~index of our own."""
    cdef Scope scope = g.scope
    cdef Symbol sym
    while scope.inlined:
        found = scope.symbols.get(name)
        if found is not None and (<Symbol>found).scope == NAME_CELL:
            return (<Symbol>found).reg
        scope = scope.parent
    if scope.kind == SCOPE_CLASS:
        if name == "__class__" and scope.class_cell >= 0:
            return scope.class_cell
        if name == "__classdict__" and scope.classdict_cell >= 0:
            return scope.classdict_cell
    else:
        found = scope.symbols.get(name)
        if found is not None and (<Symbol>found).scope == NAME_CELL:
            return (<Symbol>found).reg
    return ~<int>scope.free[name]
