# Calls. Included by codegen.pyx.

cdef void mark_method(Gen g, Node e, Attribute method) noexcept:
    """Position of the call of a method: from the method's name on when that stands on a later line."""
    cdef int length = len(method.attr)
    mark(g, e)
    if e.lineno != method.end_lineno:
        g.at.line = method.end_lineno
        if length <= method.end_col_offset:
            g.at.col = method.end_col_offset - length
        else:
            g.at.col = g.at.end_col = -1


cdef int check_keywords(Gen g, list keywords, Node at) except -1:
    cdef keyword item, other
    cdef int i, j, count = len(keywords)
    for i in range(count):
        item = keywords[i]
        if item.arg is None:
            continue
        forbid_debug(g, item.arg, at if OLD_PLACES else item, False)
        for j in range(i + 1, count):
            other = keywords[j]
            if other.arg is not None and item.arg == other.arg:
                fail(g, f"keyword argument repeated: {item.arg}", other)
    return 0


cdef bint needs_call_ex(list args, list keywords):
    cdef Node e
    cdef keyword item
    if len(args) + len(keywords) > MAX_ARGS:
        return True
    for e in args:
        if e.kind == K_Starred:
            return True
    for item in keywords:
        if item.arg is None:
            return True
    return False


cdef bint is_implicit_super(Gen g, Node e):
    """Whether e is super() with the implicit arguments, in a function that can have them."""
    cdef Call call
    cdef Symbol sym
    if e.kind != K_Call:
        return False
    call = <Call>e
    if call.args or call.keywords or call.func.kind != K_Name or (<Name>call.func).id != "super":
        return False
    if g.frame.kind != SCOPE_FUNCTION or g.frame.free is None or "__class__" not in g.frame.free:
        return False
    sym = find_symbol(g, "super")
    return sym is not None and sym.scope == NAME_GLOBAL_IMPLICIT and len(g.frame.params) > 0


cdef int gen_call(Gen g, Call e, int dst) except -1:
    cdef Node func = e.func
    cdef Attribute method
    cdef int base, r, obj, tried
    cdef Scope consumed
    if e.keywords:
        check_keywords(g, e.keywords, e)
    if func.kind != K_Name and func.kind != K_Attribute:
        warn_call(g, e)
    if needs_call_ex(e.args, e.keywords):
        base = run_base(g, dst)
        gen_expr(g, func, run_next(g, base, 0))
        gen_call_ex(g, e, e.args, e.keywords, base, dst)
        return 0
    consumed = consumed_scope(g, e)
    if consumed is not None and func.kind == K_Name and (<Name>func).id != "sorted":
        return gen_consumed(g, e, consumed, dst)
    tried = try_getattr(g, e, dst)
    base = run_base(g, dst)
    run_next(g, base, 0)
    if func.kind == K_Attribute:
        method = <Attribute>func
        if is_implicit_super(g, method.value):
            mark(g, (<Call>method.value).func)
            g.emit(OP_LOAD_GLOBAL, base, 0, g.load_site("super"))
            mark(g, method.value)
            g.push()
            mark_attribute(g, method)
            g.emit(OP_LOAD_SUPER_METHOD, base, 0, g.site(mangled(g, method.attr), 0, 0))
        else:
            obj = operand(g, method.value, base, None)
            g.push()
            mark_attribute(g, method)
            g.emit(OP_LOAD_METHOD, base, obj, g.site(mangled(g, method.attr), 0, 0))
        if consumed is not None:
            gen_list_argument(g, e, -1, g.push())
        else:
            gen_arguments(g, e.args, e.keywords)
        mark_method(g, e, method)
        g.emit(OP_CALL_METHOD, dst, base, call_site(g, e.args, e.keywords, 0))
        return 0
    gen_expr(g, func, base)
    if consumed is not None:
        gen_list_argument(g, e, base, g.push())
        gen_arguments(g, [], e.keywords)
    else:
        gen_arguments(g, e.args, e.keywords)
    mark(g, e)
    g.emit(OP_CALL, dst, base, call_site(g, e.args, e.keywords, 0))
    if tried >= 0 and (g.n != tried + 5 or g.instrs[tried + 1].op != OP_LOAD_GLOBAL):
        g.instrs[tried].op = OP_NOP
        g.instrs[tried].a = g.instrs[tried].t.abc.b = g.instrs[tried].t.abc.c = 0
    return 0


cdef int set_local(Gen g, Node e):
    """The register of a local variable that certainly has a value, or of a constant of a loop; -1 for anything else."""
    cdef Symbol sym
    cdef int reg
    if e.kind == K_Name:
        sym = find_symbol(g, mangled(g, (<Name>e).id))
        reg = plain_local(g, sym)
        return reg if reg >= 0 and not sym.flags & DEF_DELETED and g.is_set(reg) else -1
    if e.kind == K_Constant and g.point >= 0 and type((<Constant>e).value) is str:
        return g.const_reg((<Constant>e).value)
    return -1


cdef int try_getattr(Gen g, Call e, int dst) except -2:
    """For getattr(local, name) emits TRY_GETATTR. Returns where it stands, or -1."""
    cdef Symbol sym
    cdef int obj, name
    if e.func.kind != K_Name or (<Name>e.func).id != "getattr" or len(e.args) != 2 or e.keywords or g.dead \
            or g.frame.kind != SCOPE_FUNCTION:
        return -1
    sym = find_symbol(g, "getattr")
    if sym is not None and sym.scope != NAME_GLOBAL_IMPLICIT:
        return -1
    obj = set_local(g, e.args[0])
    if obj < 0 or (<Node>e.args[0]).kind != K_Name:
        return -1
    name = set_local(g, e.args[1])
    if name < 0:
        return -1
    mark(g, e)
    g.emit(OP_TRY_GETATTR, dst, obj, name)
    return g.n - 1


cdef int gen_arguments(Gen g, list args, list keywords) except -1:
    """Argument values in the next registers."""
    cdef Node e
    cdef keyword item
    for e in args:
        gen_expr(g, e, g.push())
    for item in keywords:
        gen_expr(g, item.value, g.push())
    return 0


cdef int call_site(Gen g, list args, list keywords, int extra) except -1:
    """Cache site with the shape of a call that has `extra` positional values before args."""
    cdef keyword item
    cdef list names
    if not keywords:
        return g.site(None, len(args) + extra, 0)
    names = []
    for item in keywords:
        names.append(item.arg)
    return g.site(tuple(names), len(args) + extra, len(names))


cdef int gen_call_ex(Gen g, Node at, list args, list keywords, int base, int dst) except -1:
    """Call of R[base] (the top register) through a tuple of arguments and a dict of keywords."""
    cdef int argv = g.push()
    cdef int kwargs
    if len(args) == 1 and (<Node>args[0]).kind == K_Starred:
        gen_expr(g, (<Starred>args[0]).value, argv)
    else:
        gen_items(g, at, args, OP_BUILD_LIST, OP_LIST_APPEND, OP_LIST_EXTEND, argv)
    if keywords:
        kwargs = g.push()
        gen_keyword_dict(g, at, keywords, kwargs, base)
    mark(g, at)
    return g.emit(OP_CALL_EX, dst, base, 1 if keywords else 0)


cdef int gen_keyword_dict(Gen g, Node at, list keywords, int dst, int callee) except -1:
    """dst (the top register) = dict of the keyword arguments, ** included."""
    cdef int count = len(keywords)
    cdef int i = 0, n, part, top
    cdef bint first = True
    cdef keyword item
    if (<keyword>keywords[0]).arg is None:
        mark(g, at)
        g.emit(OP_BUILD_MAP, dst, 0, 0)
        first = False
    while i < count:
        item = keywords[i]
        top = g.top
        if item.arg is None:
            part = operand(g, item.value, -1, None)
            i += 1
        else:
            part = dst if first else g.push()
            n = 0
            while i < count and n < CHUNK and (<keyword>keywords[i]).arg is not None:
                item = keywords[i]
                mark(g, item)
                load_const(g, item.arg, run_next(g, part, 2 * n))
                gen_expr(g, item.value, run_next(g, part, 2 * n + 1))
                n += 1
                i += 1
            mark(g, at)
            g.emit(OP_BUILD_MAP, part, part, n)
        if first:
            first = False
        else:
            mark(g, at)
            g.emit(OP_DICT_MERGE, dst, part, callee)
        g.top = top
    return 0
