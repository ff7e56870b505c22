# Classes, and type parameters (PEP 695). Included by codegen.pyx.

cdef Code class_code(Gen g, ClassDef s, int firstlineno):
    """The function of a class body."""
    cdef Scope scope = g.table.scopes[s]
    cdef Gen inner = child_gen(g, scope, CODE_CLASS, s.name)
    cdef int r, i
    cdef object doc
    inner.at.line = inner.at.end_line = firstlineno
    inner.at.col = inner.at.end_col = 0
    make_cells(inner)
    r = inner.push()
    inner.emit(OP_LOAD_NAME, r, 0, inner.load_site("__name__"))
    inner.emit(OP_STORE_NAME, 0, r, inner.store_site("__module__"))
    inner.top = r
    store_text(inner, inner.qualname, "__qualname__")
    if _sys.version_info >= (3, 13):
        r = inner.push()
        load_const(inner, firstlineno, r)
        inner.emit(OP_STORE_NAME, 0, r, inner.store_site("__firstlineno__"))
        inner.top = r
    if s.type_params:
        r = inner.push()
        inner.emit(OP_LOAD_FREE, r, <int>scope.free[".type_params"], 0)
        inner.emit(OP_STORE_NAME, 0, r, inner.store_site("__type_params__"))
        inner.top = r
    if scope.classdict_cell >= 0:
        r = inner.push()
        inner.emit(OP_LOAD_LOCALS, r, 0, 0)
        inner.emit(OP_STORE_CELL, scope.classdict_cell, r, 0)
        inner.top = r
    if scope.annotated:
        inner.emit(OP_SETUP_ANNOTATIONS, 0, 0, 0)
    doc = docstring_of(s.body)
    if doc is not None:
        mark(inner, <Node>s.body[0])
        store_text(inner, doc, "__doc__")
    for i in range(0 if doc is None else 1, len(s.body)):
        gen_stmt(inner, <Node>s.body[i])
    if _sys.version_info >= (3, 13):
        r = inner.push()
        load_const(inner, static_attributes(s), r)
        inner.emit(OP_STORE_NAME, 0, r, inner.store_site("__static_attributes__"))
        inner.top = r
    if scope.class_cell >= 0:
        inner.emit(OP_RETURN, scope.class_cell, 0, 0)
    else:
        inner.emit(OP_RETURN_NONE, 0, 0, 0)
    return finish_function(inner, s.name, firstlineno, 0, 0, 0)


cdef tuple static_attributes(ClassDef s):
    """Names that the methods of a class assign on their first parameter (an attribute of classes from 3.13 on)."""
    cdef dict found = {}
    cdef Node child
    for child in s.body:
        if child.kind == K_FunctionDef or child.kind == K_AsyncFunctionDef:
            collect_self_stores(child, found)
    return tuple(sorted(found))


cdef int collect_self_stores(object part, dict found) except -1:
    cdef Node node
    if isinstance(part, list):
        for item in <list>part:
            collect_self_stores(item, found)
        return 0
    if not isinstance(part, Node):
        return 0
    node = <Node>part
    if node.kind == K_ClassDef:
        return 0
    if node.kind == K_Attribute and (<Attribute>node).ctx == CTX_Store:
        if (<Attribute>node).value.kind == K_Name and (<Name>(<Attribute>node).value).id == "self":
            found[(<Attribute>node).attr] = None
    for name in node._fields:
        collect_self_stores(getattr(node, name, None), found)
    return 0


cdef int gen_class(Gen g, ClassDef s) except -1:
    cdef int base = g.top
    cdef int fn
    cdef int firstlineno = s.lineno
    forbid_debug(g, s.name, s, False)
    if s.decorator_list:
        firstlineno = (<Node>s.decorator_list[0]).lineno
        gen_decorators(g, s.decorator_list)
    fn = g.push()
    if s.type_params:
        gen_generic_class(g, s, firstlineno, fn)
    else:
        gen_class_call(g, s, firstlineno, fn, False)
    g.top = fn + 1
    apply_decorators(g, s.decorator_list, base)
    return store_name(g, s.name, base, s)


cdef int gen_class_call(Gen g, ClassDef s, int firstlineno, int base, bint generic) except -1:
    """base (the top register) = the class."""
    cdef int fn, r, flag
    cdef Code code
    cdef Node item
    cdef bint spread = needs_call_ex(s.bases, s.keywords)
    if s.keywords:
        check_keywords(g, s.keywords, s)
    mark(g, s)
    g.emit(OP_LOAD_BUILD_CLASS, base, 0, 0)
    fn = g.push()
    code = class_code(g, s, firstlineno)
    mark(g, s)
    make_function(g, code, 0, fn, fn)
    load_const(g, s.name, g.push())
    if not spread:
        for item in s.bases:
            gen_expr(g, item, g.push())
        if generic:
            mark(g, s)
            load_variable(g, ".generic_base", find_symbol(g, ".generic_base"), g.push())
        for item in s.keywords:
            gen_expr(g, (<keyword>item).value, g.push())
        mark(g, s)
        return g.emit(OP_CALL, base, base, call_site(g, s.bases, s.keywords, 3 if generic else 2))
    g.emit(OP_BUILD_LIST, fn, fn, 2)
    g.top = fn + 1
    for item in s.bases:
        flag = item.kind == K_Starred
        r = operand(g, (<Starred>item).value if flag else item, -1, None)
        mark(g, s)
        g.emit(OP_LIST_EXTEND if flag else OP_LIST_APPEND, fn, r, 0)
        g.top = fn + 1
    if generic:
        r = g.push()
        load_variable(g, ".generic_base", find_symbol(g, ".generic_base"), r)
        g.emit(OP_LIST_APPEND, fn, r, 0)
        g.top = fn + 1
    if s.keywords:
        gen_keyword_dict(g, s, s.keywords, g.push(), base)
    mark(g, s)
    return g.emit(OP_CALL_EX, base, base, 1 if s.keywords else 0)


# -- type parameters -----------------------------------------------------------------------------
cdef int gen_evaluator(Gen g, Node key, dict registry, Node value, str name, int dst) except -1:
    """dst (the top register) = function that evaluates a bound, default or alias value; None when there is none."""
    cdef Scope scope
    cdef Gen inner
    cdef int r
    cdef bint starred
    mark(g, key)
    if value is None:
        return g.emit(OP_LOAD_NONE, dst, 0, 0)
    scope = registry[key]
    inner = child_gen(g, scope, CODE_OPTIMIZED, name)
    mark(inner, value)
    make_cells(inner)
    starred = value.kind == K_Starred
    r = operand(inner, (<Starred>value).value if starred else value, -1, None)
    if starred:
        inner.emit(OP_UNPACK, inner.push(), r, 1)
        r = inner.top - 1
    inner.emit(OP_RETURN, r, 0, 0)
    return make_function(g, finish_function(inner, name, value.lineno, 0, 0, 0), 0, dst, dst)


cdef int gen_type_params(Gen g, list params) except -1:
    """Makes the type parameters, binds their names, and stores the tuple of them in `.type_params`."""
    cdef int base = g.top
    cdef int r, copy, i
    cdef Node p
    cdef str name
    for p in params:
        r = g.push()
        mark(g, p)
        if p.kind == K_TypeVar:
            name = (<TypeVar>p).name
            load_const(g, name, r)
            gen_evaluator(g, p, g.table.scopes, (<TypeVar>p).bound, name, g.push())
            gen_evaluator(g, p, g.table.type_scopes, (<TypeVar>p).default_value, name, g.push())
            mark(g, p)
            if (<TypeVar>p).bound is not None and (<TypeVar>p).bound.kind == K_Tuple:
                g.emit(OP_INTRINSIC, r, r, INTRINSIC_TYPEVAR_CONSTRAINTS)
            else:
                g.emit(OP_INTRINSIC, r, r, INTRINSIC_TYPEVAR)
        elif p.kind == K_ParamSpec:
            name = (<ParamSpec>p).name
            load_const(g, name, r)
            gen_evaluator(g, p, g.table.type_scopes, (<ParamSpec>p).default_value, name, g.push())
            g.emit(OP_INTRINSIC, r, r, INTRINSIC_PARAMSPEC)
        else:
            name = (<TypeVarTuple>p).name
            load_const(g, name, r)
            gen_evaluator(g, p, g.table.type_scopes, (<TypeVarTuple>p).default_value, name, g.push())
            g.emit(OP_INTRINSIC, r, r, INTRINSIC_TYPEVARTUPLE)
        g.top = r + 1
        copy = g.push()
        g.emit(OP_DUP, copy, r, 0)
        store_name(g, name, copy, p)
        g.top = r + 1
    g.emit(OP_BUILD_TUPLE, base, base, len(params))
    store_variable(g, ".type_params", find_symbol(g, ".type_params"), base)
    g.top = base
    return 0


cdef Gen type_params_gen(Gen g, Node s, Scope scope, str name):
    cdef Gen inner = child_gen(g, scope, CODE_OPTIMIZED, scope.name)
    cdef int i
    mark(inner, s)
    for i in range(len(scope.params)):
        inner.set_reg(i)
    make_cells(inner)
    return inner


cdef int load_type_params(Gen g, int dst) except -1:
    return load_variable(g, ".type_params", find_symbol(g, ".type_params"), dst)


cdef int gen_generic_function(Gen g, Node s, str name, arguments args, list body, Node returns, list type_params,
                              int firstlineno, bint is_async, int dst) except -1:
    """dst (the top register) = the function, made inside the scope of its type parameters."""
    cdef Scope scope = g.table.type_scopes[s]
    cdef Gen inner = type_params_gen(g, s, scope, name)
    cdef int fn, r, n = 0
    cdef unsigned int make_flags = 0
    cdef Code code
    gen_type_params(inner, type_params)
    fn = inner.push()
    if args.defaults:
        inner.emit(OP_MOVE, run_next(inner, fn, n), 0, 0)
        make_flags |= MAKE_DEFAULTS
        n += 1
    if has_kwdefaults(args):
        inner.emit(OP_MOVE, run_next(inner, fn, n), n, 0)
        make_flags |= MAKE_KWDEFAULTS
        n += 1
    make_flags |= gen_annotations(inner, args, returns, fn, n)
    mark(inner, s)
    make_function(inner, function_code(inner, s, name, args, body, firstlineno, is_async), make_flags, fn, fn)
    inner.top = fn + 1
    r = inner.push()
    inner.emit(OP_DUP, r, fn, 0)
    load_type_params(inner, inner.push())
    inner.emit(OP_STORE_ATTR, r, r + 1, inner.site("__type_params__", 0, 0))
    inner.emit(OP_RETURN, fn, 0, 0)
    code = finish_function(inner, scope.name, firstlineno, n, 0, 0)
    mark(g, s)
    make_function(g, code, 0, dst, dst)
    n = 0
    if args.defaults:
        r = g.push()
        gen_default_tuple(g, args, r)
        g.top = r + 1
        n += 1
    if has_kwdefaults(args):
        r = g.push()
        gen_kwdefaults(g, args, r)
        n += 1
    mark(g, s)
    return g.emit(OP_CALL, dst, dst, g.site(None, n, 0))


cdef int gen_generic_class(Gen g, ClassDef s, int firstlineno, int dst) except -1:
    cdef Scope scope = g.table.type_scopes[s]
    cdef Gen inner = type_params_gen(g, s, scope, s.name)
    cdef int r
    gen_type_params(inner, s.type_params)
    r = inner.push()
    load_type_params(inner, r)
    inner.emit(OP_INTRINSIC, r, r, INTRINSIC_GENERIC_BASE)
    store_variable(inner, ".generic_base", find_symbol(inner, ".generic_base"), r)
    inner.top = r
    r = inner.push()
    gen_class_call(inner, s, firstlineno, r, True)
    inner.emit(OP_RETURN, r, 0, 0)
    mark(g, s)
    make_function(g, finish_function(inner, scope.name, firstlineno, 0, 0, 0), 0, dst, dst)
    return g.emit(OP_CALL, dst, dst, g.site(None, 0, 0))


cdef int gen_type_alias(Gen g, TypeAlias s) except -1:
    cdef Scope scope
    cdef Gen inner = g
    cdef str name = (<Name>s.name).id
    cdef int r = g.push()
    cdef int base = r
    if s.type_params:
        scope = g.table.type_scopes[s]
        inner = type_params_gen(g, s, scope, name)
        gen_type_params(inner, s.type_params)
        base = inner.push()
    mark(inner, s)
    load_const(inner, name, base)
    gen_evaluator(inner, s, inner.table.scopes, s.value, name, inner.push())
    mark(inner, s)
    if s.type_params:
        load_type_params(inner, inner.push())
    else:
        load_const(inner, (), inner.push())
    inner.emit(OP_INTRINSIC, base, base, INTRINSIC_TYPEALIAS)
    if s.type_params:
        inner.emit(OP_RETURN, base, 0, 0)
        mark(g, s)
        make_function(g, finish_function(inner, scope.name, s.lineno, 0, 0, 0), 0, r, r)
        g.emit(OP_CALL, r, r, g.site(None, 0, 0))
    g.top = r + 1
    return store_name(g, name, r, s.name)
