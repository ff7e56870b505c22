# Functions and lambdas. Included by codegen.pyx.

cdef str child_qualname(Gen g, str name, bint definition):
    """Qualified name of a function or class made here."""
    cdef Gen owner = g
    cdef Symbol sym
    if owner.frame.kind == SCOPE_TYPE_PARAMS:
        owner = owner.parent
    if owner.frame.kind == SCOPE_MODULE:
        return name
    if definition:
        sym = owner.frame.symbols.get(mangle(owner.frame.private, name))
        if sym is not None and sym.scope == NAME_GLOBAL_EXPLICIT:
            return name
    if owner.frame.kind == SCOPE_CLASS:
        return owner.qualname + "." + name
    return owner.qualname + ".<locals>." + name


cdef Gen child_gen(Gen g, Scope scope, unsigned int flags, str name):
    """The generator of a function or class made here."""
    cdef Gen inner
    if scope.nested:
        flags |= CODE_NESTED
    inner = new_gen(g.table, scope, g, g.filename, g.source, flags)
    inner.qualname = child_qualname(g, name, scope.kind == SCOPE_FUNCTION or scope.kind == SCOPE_CLASS)
    inner.level = g.level
    return inner


cdef int make_cells(Gen g) except -1:
    cdef int reg
    for reg in g.frame.cell_regs:
        g.emit(OP_MAKE_CELL, reg, 0, 0)
    return 0


cdef Code finish_function(Gen inner, str name, int firstlineno, int npos, int nposonly, int nkwonly):
    """The Code of a function or class; its free variables are found in the parent as it is now."""
    cdef Code code = finish(inner, name, firstlineno)
    cdef int i = 0
    cdef str free_name
    code.npos = <uint16_t>npos
    code.nposonly = <uint16_t>nposonly
    code.nkwonly = <uint16_t>nkwonly
    code.nparams = <uint16_t>(len(inner.frame.params) if inner.frame.is_function() else 0)
    for free_name in code.free_names:
        code.free_src[i] = <int16_t>free_source(inner.parent, free_name)
        i += 1
    return code


cdef int make_function(Gen g, Code code, unsigned int make_flags, int base, int dst) except -1:
    cdef int index
    code.make_flags = make_flags
    if g.dead:
        return 0
    index = g.code_const(code)
    if index > 65535:
        raise SyntaxError("too many functions in one function")
    return g.emit(OP_MAKE_FUNCTION, dst, base, index)


cdef unsigned int parameter_flags(arguments args) noexcept:
    cdef unsigned int flags = CODE_OPTIMIZED
    if args.vararg is not None:
        flags |= CODE_VARARGS
    if args.kwarg is not None:
        flags |= CODE_VARKEYWORDS
    return flags


cdef int check_parameters(Gen g, arguments args, Node at) except -1:
    cdef arg item
    for group in (args.posonlyargs, args.args, args.kwonlyargs):
        for item in <list>group:
            forbid_debug(g, item.arg, at if OLD_PLACES else item, False)
    if args.vararg is not None:
        forbid_debug(g, (<arg>args.vararg).arg, at if OLD_PLACES else args.vararg, False)
    if args.kwarg is not None:
        forbid_debug(g, (<arg>args.kwarg).arg, at if OLD_PLACES else args.kwarg, False)
    return 0


cdef Code function_code(Gen g, Node s, str name, arguments args, list body, int firstlineno, bint is_async):
    cdef Scope scope = g.table.scopes[s]
    cdef unsigned int flags = parameter_flags(args)
    cdef Gen inner
    cdef int i
    cdef object doc
    cdef Code code
    if is_async:
        flags |= CODE_ASYNC_GENERATOR if scope.generator else CODE_COROUTINE
    elif scope.generator:
        flags |= CODE_GENERATOR
    inner = child_gen(g, scope, flags, name)
    mark(inner, s)
    inner.at.end_line = s.lineno
    inner.at.col = inner.at.end_col = 0
    for i in range(len(scope.params)):
        inner.set_reg(i)
    make_cells(inner)
    doc = docstring_of(body)
    for i in range(0 if doc is None else 1, len(body)):
        gen_stmt(inner, <Node>body[i])
    inner.emit(OP_RETURN_NONE, 0, 0, 0)
    code = finish_function(inner, name, firstlineno, len(args.posonlyargs) + len(args.args), len(args.posonlyargs),
                           len(args.kwonlyargs))
    code.docstring = doc
    return code


cdef int gen_lambda(Gen g, Lambda e, int dst) except -1:
    cdef Scope scope = g.table.scopes[e]
    cdef arguments args = e.args
    cdef unsigned int flags = parameter_flags(args)
    cdef Gen inner
    cdef Code code
    cdef int base = run_base(g, dst)
    cdef int i
    cdef unsigned int make_flags
    check_parameters(g, args, e)
    make_flags = gen_defaults(g, args, base)
    if scope.generator:
        flags |= CODE_GENERATOR
    inner = child_gen(g, scope, flags, "<lambda>")
    mark(inner, e)
    for i in range(len(scope.params)):
        inner.set_reg(i)
    make_cells(inner)
    i = operand(inner, e.body, -1, None)
    mark(inner, e.body)
    inner.emit(OP_RETURN, i, 0, 0)
    code = finish_function(inner, "<lambda>", e.lineno, len(args.posonlyargs) + len(args.args), len(args.posonlyargs),
                           len(args.kwonlyargs))
    mark(g, e)
    return make_function(g, code, make_flags, base, dst)


cdef int gen_defaults(Gen g, arguments args, int base) except -1:
    """Defaults and keyword defaults in the registers from base, as far as there are any; the MAKE_ flags."""
    cdef int flags = 0, n = 0, i, r, first
    cdef arg item
    if args.defaults:
        r = run_next(g, base, n)
        first = g.top
        gen_default_tuple(g, args, r)
        g.top = first
        n += 1
        flags |= MAKE_DEFAULTS
    if has_kwdefaults(args):
        r = run_next(g, base, n)
        gen_kwdefaults(g, args, r)
        flags |= MAKE_KWDEFAULTS
    return flags


cdef bint has_kwdefaults(arguments args):
    for item in args.kw_defaults:
        if item is not None:
            return True
    return False


cdef int gen_default_tuple(Gen g, arguments args, int r) except -1:
    """r (the top register) = tuple of the defaults."""
    cdef list values = []
    cdef Node e
    for e in args.defaults:
        value = constant_of(e)
        if value is NOT_CONSTANT:
            gen_run(g, args.defaults, 0, len(args.defaults), r)
            return g.emit(OP_BUILD_TUPLE, r, r, len(args.defaults))
        values.append(value)
    mark(g, e)
    return load_const(g, tuple(values), r)


cdef int gen_kwdefaults(Gen g, arguments args, int r) except -1:
    """r (the top register) = dict of the keyword defaults."""
    cdef int i, n = 0
    cdef int top = g.top
    cdef arg item
    for i in range(len(args.kwonlyargs)):
        if args.kw_defaults[i] is not None:
            item = args.kwonlyargs[i]
            mark(g, item)
            load_const(g, mangled(g, item.arg), run_next(g, r, 2 * n))
            gen_expr(g, <Node>args.kw_defaults[i], run_next(g, r, 2 * n + 1))
            n += 1
    g.emit(OP_BUILD_MAP, r, r, n)
    g.top = top
    return 0


cdef int gen_annotations(Gen g, arguments args, Node returns, int base, int index) except -1:
    """The dict of annotations at base + index; 0 when there are none."""
    cdef list names = []
    cdef list nodes = []
    cdef arg item
    cdef int i, r, top
    groups = (args.posonlyargs, args.args) if POSONLY_FIRST else (args.args, args.posonlyargs)
    for group in groups:
        for item in <list>group:
            if item.annotation is not None:
                names.append(item.arg)
                nodes.append(item.annotation)
    item = <arg>args.vararg
    if item is not None and item.annotation is not None:
        names.append(item.arg)
        nodes.append(item.annotation)
    for item in args.kwonlyargs:
        if item.annotation is not None:
            names.append(item.arg)
            nodes.append(item.annotation)
    item = <arg>args.kwarg
    if item is not None and item.annotation is not None:
        names.append(item.arg)
        nodes.append(item.annotation)
    if returns is not None:
        names.append("return")
        nodes.append(returns)
    if not names:
        return 0
    r = run_next(g, base, index)
    top = g.top
    for i in range(len(names)):
        mark(g, <Node>nodes[i])
        load_const(g, mangled(g, <str>names[i]), run_next(g, r, 2 * i))
        gen_annotation(g, <Node>nodes[i], run_next(g, r, 2 * i + 1))
    g.emit(OP_BUILD_MAP, r, r, len(names))
    g.top = top
    return MAKE_ANNOTATIONS


POSONLY_FIRST = _sys.version_info >= (3, 13)
ASYNC_SUPPORTED = True
# The host's bound on nested loops, try and with statements.
cdef int MAX_BLOCKS = 40 if _sys.version_info >= (3, 13) else 20


cdef int gen_decorators(Gen g, list decorators) except -1:
    cdef Node e
    for e in decorators:
        temp_operand(g, e)
    return 0


cdef int apply_decorators(Gen g, list decorators, int base) except -1:
    """Calls the decorators at base, the last one first, with what follows them."""
    cdef int i
    for i in range(len(decorators) - 1, -1, -1):
        mark(g, <Node>decorators[i])
        g.emit(OP_CALL, base + i, base + i, g.site(None, 1, 0))
    return 0


cdef int gen_function(Gen g, Node s, str name, arguments args, list body, list decorators, Node returns,
                      list type_params, bint is_async) except -1:
    cdef int base = g.top
    cdef int fn, dst
    cdef int firstlineno = s.lineno
    cdef unsigned int make_flags
    if is_async and not ASYNC_SUPPORTED:
        fail(g, f"'async def' is not supported yet (line {s.lineno})", s)
    forbid_debug(g, name, s, False)
    check_parameters(g, args, s)
    if decorators:
        firstlineno = (<Node>decorators[0]).lineno
        gen_decorators(g, decorators)
    fn = g.push()
    dst = fn
    if not decorators:
        dst = plain_local(g, find_symbol(g, mangled(g, name)))
        if dst < 0:
            dst = fn
    if type_params:
        dst = fn
        gen_generic_function(g, s, name, args, body, returns, type_params, firstlineno, is_async, fn)
    else:
        make_flags = gen_defaults(g, args, fn)
        make_flags |= gen_annotations(g, args, returns, fn, bit_count(make_flags))
        mark(g, s)
        make_function(g, function_code(g, s, name, args, body, firstlineno, is_async), make_flags, fn, dst)
    g.top = fn + 1
    apply_decorators(g, decorators, base)
    if dst == fn:
        return store_name(g, name, base, s)
    return g.set_reg(dst)


cdef int bit_count(unsigned int flags) noexcept:
    return (flags & 1) + (flags >> 1 & 1) + (flags >> 2 & 1)
