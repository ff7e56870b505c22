# Functions, classes, parameters.  Part of parser.pyx.


cdef Node decorated(Parser p):
    cdef list decorators = []
    cdef Token *start
    while accept(p, T_AT):
        decorators.append(named_expression(p))
        if p.tok.kind != T_NEWLINE:
            fail(p)
        p.tok += 1
    start = p.tok
    if start.kind == T_DEF:
        return function_definition(p, start, decorators)
    if start.kind == T_CLASS:
        return class_definition(p, decorators)
    if start.kind == T_ASYNC and start[1].kind == T_DEF:
        p.tok += 1
        return function_definition(p, start, decorators)
    if start.kind == T_ASYNC:
        p.tok += 1
    return fail(p)


cdef Node function_definition(Parser p, Token *start, list decorators):
    cdef Token *opener = expect(p, T_DEF)
    cdef FunctionDef node
    cdef AsyncFunctionDef async_node
    cdef str label = name_text(p, expect(p, T_NAME))
    cdef list type_params = function_type_parameters(p)
    cdef arguments args
    cdef Node returns = None
    cdef list body
    if p.tok.kind != T_LPAR:
        if p.tok > p.furthest:
            p.furthest = p.tok
        if p.tok.kind > T_EOF_IN_BRACKET:
            raise token_error(p, p.tok, "expected '('")
        fail(p)
    p.tok += 1
    args = parameters(p, T_RPAR)
    if p.tok.kind != T_RPAR:
        fail(p)
    p.tok += 1
    if accept(p, T_ARROW):
        returns = return_annotation(p)
    forced_colon(p)
    body = block(p, opener, "function definition")
    if start != opener:
        async_node = AsyncFunctionDef.__new__(AsyncFunctionDef)
        async_node.name = label
        async_node.args = args
        async_node.body = body
        async_node.decorator_list = decorators
        async_node.returns = returns
        async_node.type_params = type_params
        span_statement(p, async_node, start)
        return async_node
    node = FunctionDef.__new__(FunctionDef)
    node.name = label
    node.args = args
    node.body = body
    node.decorator_list = decorators
    node.returns = returns
    node.type_params = type_params
    span_statement(p, node, start)
    return node


cdef Node return_annotation(Parser p):
    """After ``->``: CPython takes as much of the expression as is one, or takes back the arrow where none follows, and says
    that it wants the colon there. 3.13 looks first whether it can say what is wrong with the expression."""
    cdef Token *place = p.tok - 1
    try:
        return expression(p)
    except ParseFailure:
        if last(p).kind <= T_EOF_IN_BRACKET or (PY313 and not p.diagnose):
            raise
        if not p.backtrack:
            p.backtrack = True
            p.tok = place + 1
            try:
                expression(p)
                place = p.tok
            except ParseFailure:
                pass                # not even a part of it is an expression
            finally:
                p.backtrack = False
        raise token_error(p, place, "expected ':'")


cdef list function_type_parameters(Parser p):
    """The same as ``type_parameters``, where CPython says at once what it misses."""
    cdef Token *start = p.tok
    if start.kind != T_LSQB:
        return []
    try:
        return type_parameters(p)
    except ParseFailure:
        if last(p).kind <= T_EOF_IN_BRACKET:
            raise
        if start[1].kind == T_RSQB and PY313:
            raise error_from(p, start[1].lineno, start[1].col, "Type parameter list cannot be empty") from None
        raise token_error(p, start, "expected '('") from None


cdef arguments parameters(Parser p, int closer):
    """Parameters of a function (``closer`` is ``)``) or lambda (``:``), up to the closer."""
    cdef arguments node = arguments.__new__(arguments)
    cdef bint annotated = closer == T_RPAR
    cdef bint slash = False, star = False
    cdef int height = 0
    cdef arg parameter
    node.posonlyargs = []
    node.args = []
    node.kwonlyargs = []
    node.kw_defaults = []
    node.defaults = []
    p.height = 0
    while p.tok.kind != closer:
        if p.tok.kind == T_NAME:
            parameter = one_parameter(p, annotated, False)
            height = max(height, p.height)
            if star:
                node.kwonlyargs.append(parameter)
            else:
                node.args.append(parameter)
            if p.tok.kind == T_EQUAL:
                p.tok += 1
                if p.diagnose:
                    default_mistakes(p)
                (node.kw_defaults if star else node.defaults).append(expression(p))
                height = max(height, p.height)
            elif star:
                node.kw_defaults.append(None)
            elif node.defaults:
                if p.diagnose:
                    default_order_mistake(p, parameter, closer)
                fail(p)
        elif p.tok.kind == T_SLASH:
            if slash or star or not node.args:
                if p.diagnose:
                    slash_mistakes(p, slash, star)
                fail(p)
            slash = True
            node.posonlyargs = node.args
            node.args = []
            p.tok += 1
            if p.diagnose and p.tok.kind == T_STAR:
                slash_star_mistake(p)
        elif p.tok.kind == T_STAR:
            if p.diagnose:
                star_mistakes(p, star, closer)
            if star:
                fail(p)
            star = True
            p.tok += 1
            if p.tok.kind == T_NAME:
                node.vararg = one_parameter(p, annotated, True)
                height = max(height, p.height)
                if p.diagnose and p.tok.kind == T_EQUAL:
                    raise token_error(p, p.tok, "var-positional argument cannot have default value")
            elif p.tok.kind != T_COMMA or p.tok[1].kind != T_NAME:
                if p.tok.kind == T_COMMA:
                    p.tok += 1
                    if p.diagnose and p.tok.kind == T_SLASH:
                        slash_mistakes(p, slash, star)
                fail(p)
        elif p.tok.kind == T_DOUBLESTAR:
            p.tok += 1
            node.kwarg = one_parameter(p, annotated, False)
            height = max(height, p.height)
            if p.diagnose:
                kwarg_mistakes(p, closer)
            accept(p, T_COMMA)
            break
        else:
            if p.diagnose and p.tok.kind == T_LPAR:
                parameter_bracket_mistakes(p, closer)
            fail(p)
        if not accept(p, T_COMMA):
            break
    p.height = height
    return node


cdef arg one_parameter(Parser p, bint annotated, bint starred_annotation):
    cdef Token *start = p.tok
    cdef arg node = arg.__new__(arg)
    node.arg = name_text(p, expect(p, T_NAME))
    p.height = 0
    if annotated and accept(p, T_COLON):
        if starred_annotation and p.tok.kind == T_STAR:
            node.annotation = starred(p, True)
        else:
            node.annotation = expression(p)
    span(p, node, start)
    return node


cdef Node class_definition(Parser p, list decorators):
    cdef Token *start = expect(p, T_CLASS)
    cdef ClassDef node = ClassDef.__new__(ClassDef)
    node.name = name_text(p, expect(p, T_NAME))
    node.type_params = type_parameters(p)
    node.bases = []
    node.keywords = []
    node.decorator_list = decorators
    if p.tok.kind == T_LPAR:
        arguments_of(p, node.bases, node.keywords, False)
    colon(p)
    node.body = block(p, start, "class definition")
    span_statement(p, node, start)
    return node


cdef list type_parameters(Parser p):
    """``[T: bound = default, *Ts, **P]``, or [] when there is no bracket."""
    cdef list params = []
    cdef Token *start
    cdef TypeVar plain
    cdef TypeVarTuple tuple_
    cdef ParamSpec spec
    if not accept(p, T_LSQB):
        return params
    if p.diagnose:
        type_parameter_mistakes(p)
    while True:
        start = p.tok
        if accept(p, T_STAR):
            tuple_ = TypeVarTuple.__new__(TypeVarTuple)
            tuple_.name = name_text(p, expect(p, T_NAME))
            if p.tok.kind == T_COLON:
                bound_mistake(p, "TypeVarTuple")
            if accept(p, T_EQUAL):
                tuple_.default_value = star_expression(p)
            span(p, tuple_, start)
            params.append(tuple_)
        elif accept(p, T_DOUBLESTAR):
            spec = ParamSpec.__new__(ParamSpec)
            spec.name = name_text(p, expect(p, T_NAME))
            if p.tok.kind == T_COLON:
                bound_mistake(p, "ParamSpec")
            if accept(p, T_EQUAL):
                spec.default_value = expression(p)
            span(p, spec, start)
            params.append(spec)
        else:
            plain = TypeVar.__new__(TypeVar)
            plain.name = name_text(p, expect(p, T_NAME))
            if accept(p, T_COLON):
                plain.bound = expression(p)
            if accept(p, T_EQUAL):
                plain.default_value = expression(p)
            span(p, plain, start)
            params.append(plain)
        if not accept(p, T_COMMA) or p.tok.kind == T_RSQB:
            break
    expect(p, T_RSQB)
    return params
