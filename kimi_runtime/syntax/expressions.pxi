# Expressions.  Part of parser.pyx.


cdef Node expressions(Parser p):
    """One expression, or a tuple without brackets."""
    cdef Token *start = p.tok
    return tuple_of(p, start, expression(p), False)


cdef Node star_expressions(Parser p):
    """The same, where an element may be starred."""
    cdef Token *start = p.tok
    return tuple_of(p, start, star_expression(p), True)


cdef Node tuple_of(Parser p, Token *start, Node first, bint starred):
    """``first``, or the tuple that it begins when a comma follows."""
    cdef Tuple node
    cdef int height
    if p.tok.kind != T_COMMA:
        return first
    node = Tuple.__new__(Tuple)
    node.elts = [first]
    height = p.height
    while accept(p, T_COMMA):
        if not STARTS_EXPRESSION[p.tok.kind] and not (starred and p.tok.kind == T_STAR):
            break
        if p.backtrack:
            first = attempt(p, TRY_STAR_EXPRESSION, p.diagnose)
            if first is None:
                break
            node.elts.append(first)
        else:
            node.elts.append(star_expression(p))
        if p.height > height:
            height = p.height
    span(p, node, start)
    grow(p, height)
    return node


cdef Node star_expression(Parser p):
    if p.tok.kind == T_STAR:
        return starred(p, True)
    return expression(p)


cdef Node starred(Parser p, bint narrow):
    """A starred element: of a display (``narrow``: no comparison or test) or a call."""
    cdef Token *start = expect(p, T_STAR)
    cdef Starred node = Starred.__new__(Starred)
    if p.diagnose and PY313 and (not narrow or start > p.lexer.tokens and T_LPAR <= start[-1].kind <= T_LBRACE and not start[-1].flags):
        star_expression_mistake(p)
    node.value = binary(p, PREC_BITOR) if narrow else expression(p)
    span(p, node, start)
    grow(p, 0)
    return node


cdef Node star_named_expression(Parser p):
    if p.tok.kind == T_STAR:
        return starred(p, True)
    return named_expression(p)


cdef Node named_expression(Parser p):
    cdef Token *start = p.tok
    cdef NamedExpr node
    if start.kind != T_NAME or start[1].kind != T_COLONEQUAL:
        if p.diagnose:
            return named_expression_or_mistake(p)
        return expression(p)
    node = NamedExpr.__new__(NamedExpr)
    node.target = name(p, CTX_Store)
    p.tok += 1
    node.value = expression(p)
    span(p, node, start)
    grow(p, 0)
    return node


cdef Node yield_expression(Parser p):
    cdef Token *start = expect(p, T_YIELD)
    cdef Yield node
    cdef YieldFrom from_node
    if accept(p, T_FROM):
        from_node = YieldFrom.__new__(YieldFrom)
        from_node.value = expression(p)
        span(p, from_node, start)
        grow(p, 0)
        return from_node
    node = Yield.__new__(Yield)
    p.height = 0
    if STARTS_EXPRESSION[p.tok.kind] or p.tok.kind == T_STAR:
        node.value = attempt(p, TRY_STAR_EXPRESSIONS, p.diagnose) if p.backtrack else star_expressions(p)
    span(p, node, start)
    grow(p, 0)
    return node


cdef Node expression(Parser p):
    """A test with an optional ``if ... else``, or a lambda."""
    cdef Token *start = p.tok
    cdef Node body
    if start.kind == T_LAMBDA:
        return lambda_expression(p)
    body = binary(p, PREC_OR)
    if p.diagnose:
        expression_mistakes(p, start, body)
    if p.tok.kind != T_IF:
        return body
    if p.backtrack:
        return conditional_or_body(p, start, body)
    return conditional(p, start, body)


cdef Node conditional(Parser p, Token *start, Node body):
    """``body if test else orelse``, standing at ``if``."""
    cdef IfExp node = IfExp.__new__(IfExp)
    cdef int height = p.height
    enter(p)
    p.tok += 1
    node.body = body
    node.test = binary(p, PREC_OR)
    if p.height > height:
        height = p.height
    if p.tok.kind != T_ELSE:
        if p.diagnose:
            missing_else(p, body, node.test)
        fail(p)
    p.tok += 1
    node.orelse = expression(p)
    span(p, node, start)
    grow(p, height)
    p.depth -= 1
    return node


cdef Node lambda_expression(Parser p):
    cdef Token *start = expect(p, T_LAMBDA)
    cdef Lambda node = Lambda.__new__(Lambda)
    cdef int height
    enter(p)
    node.args = parameters(p, T_COLON)
    height = p.height
    if p.tok.kind == T_COLON and p.tok.flags & F_SPEC:
        # the colon begins the format spec of a replacement field
        if p.diagnose:
            raise span_error(p, start.lineno, start.col, p.tok,
                             "f-string: lambda expressions are not allowed without parentheses")
        fail(p)
    expect(p, T_COLON)
    node.body = expression(p)
    span(p, node, start)
    grow(p, height)
    p.depth -= 1
    return node


# --------------------------------------------------------------- operators

cdef Node binary(Parser p, int minimum):
    """Operands joined by operators that bind at least as tightly as ``minimum``."""
    cdef Token *start = p.tok
    cdef Node left, joined
    cdef int precedence, kind
    if start.kind == T_NOT and minimum <= PREC_NOT:
        left = unary(p, UOP_Not)
    else:
        left = factor(p)
    while True:
        kind = p.tok.kind
        precedence = PRECEDENCE[kind]
        if precedence < minimum or precedence == PREC_NONE:
            return left
        if kind == T_NOT and p.tok[1].kind != T_IN:
            if p.tok + 1 > p.furthest:
                p.furthest = p.tok + 1
            return left
        if not p.backtrack:
            left = operation(p, start, left, kind, precedence)
        else:
            joined = attempt_operation(p, start, left, kind, precedence)
            if joined is None:
                return left
            left = joined


cdef Node operation(Parser p, Token *start, Node left, int kind, int precedence):
    """``left`` joined with what the operator at hand takes."""
    cdef BinOp node
    cdef int height
    if precedence == PREC_COMPARE:
        return comparison(p, start, left)
    if precedence <= PREC_AND:
        return boolean(p, start, left, kind)
    height = p.height
    p.tok += 1
    node = BinOp.__new__(BinOp)
    node.left = left
    node.op = OPERATOR[kind]
    node.right = binary(p, precedence + 1)
    span(p, node, start)
    grow(p, height)
    return node


cdef Node boolean(Parser p, Token *start, Node left, int kind):
    cdef BoolOp node = BoolOp.__new__(BoolOp)
    cdef int height = p.height
    node.op = BOOL_Or if kind == T_OR else BOOL_And
    node.values = [left]
    while accept(p, kind):
        node.values.append(binary(p, PREC_AND if kind == T_OR else PREC_NOT))
        if p.height > height:
            height = p.height
    span(p, node, start)
    grow(p, height)
    return node


cdef Node comparison(Parser p, Token *start, Node left):
    cdef Compare node = Compare.__new__(Compare)
    cdef int height = p.height
    cdef int kind, operator
    node.left = left
    node.ops = []
    node.comparators = []
    while True:
        kind = p.tok.kind
        if PRECEDENCE[kind] != PREC_COMPARE:
            break
        operator = COMPARISON[kind]
        if kind == T_NOT:
            if p.tok[1].kind != T_IN:
                break
            p.tok += 1
        elif kind == T_IS and p.tok[1].kind == T_NOT:
            operator = CMP_IsNot
            p.tok += 1
        elif kind == T_NOTEQUAL and p.buf[p.tok.start] == c'<':
            fail(p)
        p.tok += 1
        node.ops.append(operator)
        node.comparators.append(binary(p, PREC_BITOR))
        if p.height > height:
            height = p.height
    span(p, node, start)
    grow(p, height)
    return node


cdef Node unary(Parser p, int operator):
    cdef Token *start = p.tok
    cdef UnaryOp node = UnaryOp.__new__(UnaryOp)
    enter(p)
    p.tok += 1
    node.op = operator
    node.operand = binary(p, PREC_NOT) if operator == UOP_Not else factor(p)
    span(p, node, start)
    grow(p, 0)
    p.depth -= 1
    return node


cdef Node factor(Parser p):
    """A signed power."""
    cdef Token *start = p.tok
    cdef int kind = start.kind
    cdef Node base
    if kind == T_MINUS:
        return unary(p, UOP_USub)
    if kind == T_PLUS:
        return unary(p, UOP_UAdd)
    if kind == T_TILDE:
        return unary(p, UOP_Invert)
    if kind == T_NOT and p.diagnose and PY313 and after_arithmetic(p):
        not_mistake(p)
    if kind == T_AWAIT:
        base = await_expression(p)
    else:
        base = primary(p)
    if p.tok.kind != T_DOUBLESTAR:
        return base
    if p.backtrack:
        return power_or_base(p, start, base)
    return power(p, start, base)


cdef Node power(Parser p, Token *start, Node base):
    cdef BinOp node = BinOp.__new__(BinOp)
    cdef int height = p.height
    enter(p)
    p.tok += 1
    node.left = base
    node.op = OP_Pow
    node.right = factor(p)
    span(p, node, start)
    grow(p, height)
    p.depth -= 1
    return node


cdef Node await_expression(Parser p):
    cdef Token *start = expect(p, T_AWAIT)
    cdef Await node = Await.__new__(Await)
    node.value = primary(p)
    span(p, node, start)
    grow(p, 0)
    return node


# --------------------------------------------------- primaries: a.b, a(), a[]

cdef Node primary(Parser p):
    cdef Token *start = p.tok
    cdef Node node = atom(p)
    cdef Node next_node
    cdef Attribute attribute
    cdef int kind
    while True:
        kind = p.tok.kind
        if kind == T_DOT:
            p.tok += 1
            if p.backtrack and p.tok.kind != T_NAME:
                p.tok -= 1
                return node
            attribute = Attribute.__new__(Attribute)
            attribute.value = node
            attribute.attr = name_text(p, expect(p, T_NAME))
            span(p, attribute, start)
            grow(p, 0)
            node = attribute
        elif p.backtrack and (kind == T_LPAR or kind == T_LSQB):
            next_node = attempt_trailer(p, start, node)
            if next_node is None:
                return node
            node = next_node
        elif kind == T_LPAR:
            node = call(p, start, node)
        elif kind == T_LSQB:
            node = subscript(p, start, node)
        else:
            return node


cdef Node subscript(Parser p, Token *start, Node value):
    cdef Subscript node = Subscript.__new__(Subscript)
    cdef int height = p.height
    p.tok += 1
    node.value = value
    node.slice = slices(p)
    expect(p, T_RSQB)
    span(p, node, start)
    grow(p, height)
    return node


cdef Node slices(Parser p):
    """What stands between the brackets of a subscript."""
    cdef Token *start = p.tok
    cdef Tuple node
    cdef int height
    cdef Node first = slice_or_starred(p)
    if p.tok.kind != T_COMMA and first.kind != K_Starred:
        return first
    node = Tuple.__new__(Tuple)
    node.elts = [first]
    height = p.height
    while accept(p, T_COMMA):
        if p.tok.kind == T_RSQB:
            break
        node.elts.append(slice_or_starred(p))
        if p.height > height:
            height = p.height
    span(p, node, start)
    grow(p, height)
    return node


cdef Node slice_or_starred(Parser p):
    cdef Token *start = p.tok
    cdef Slice node
    cdef Node lower = None
    cdef int height = 0
    if start.kind == T_STAR:
        lower = starred(p, False)
        if p.diagnose:
            unpacking_mistake(p, start)
        return lower
    if start.kind != T_COLON:
        lower = named_expression(p)
        if p.tok.kind != T_COLON or lower.kind == K_NamedExpr and start.kind != T_LPAR:
            return lower
        height = p.height
    p.tok += 1
    node = Slice.__new__(Slice)
    node.lower = lower
    if STARTS_EXPRESSION[p.tok.kind]:
        node.upper = expression(p)
        height = max(height, p.height)
    if accept(p, T_COLON):
        if STARTS_EXPRESSION[p.tok.kind]:
            node.step = expression(p)
            height = max(height, p.height)
    span(p, node, start)
    p.height = 0
    grow(p, height)
    return node


cdef Node call(Parser p, Token *start, Node function):
    """A call; the generator expression that is its only argument has its brackets."""
    cdef Call node = Call.__new__(Call)
    cdef int height = p.height
    node.func = function
    node.args = []
    node.keywords = []
    p.height = 0
    arguments_of(p, node.args, node.keywords, True)
    span(p, node, start)
    grow(p, height)
    return node


cdef Node argument(Parser p):
    """A positional argument."""
    if p.tok.kind == T_NAME and p.tok[1].kind == T_COLONEQUAL:
        return named_expression(p)
    return expression(p)


cdef int arguments_of(Parser p, list args, list keywords, bint is_call) except -1:
    """``( ... )`` of a call or class, into ``args`` and ``keywords``."""
    cdef Token *opener = expect(p, T_LPAR)
    cdef Token *start
    cdef keyword word
    cdef Node value
    cdef int height = 0
    cdef bint named = False, doubled = False
    while p.tok.kind != T_RPAR:
        start = p.tok
        if start.kind == T_NAME and start[1].kind == T_EQUAL:
            if p.diagnose:
                keyword_mistakes(p)
            word = keyword.__new__(keyword)
            word.arg = name_text(p, start)
            p.tok += 2
            word.value = expression(p)
            span(p, word, start)
            keywords.append(word)
            named = True
        elif start.kind == T_DOUBLESTAR:
            word = keyword.__new__(keyword)
            p.tok += 1
            word.value = expression(p)
            if p.diagnose:
                unpacking_mistake(p, start)
            span(p, word, start)
            keywords.append(word)
            doubled = True
        elif start.kind == T_STAR:
            if doubled:
                if p.diagnose:
                    argument_mistakes(p, opener)
                fail(p)
            if p.diagnose:
                args.append(starred_argument_or_mistake(p, opener))
            else:
                args.append(starred(p, False))
        else:
            if p.diagnose:
                keyword_mistakes(p)
            elif named or doubled:
                fail(p)
            value = argument(p)
            if p.tok.kind == T_FOR or p.tok.kind == T_ASYNC:
                if p.diagnose and (not is_call or not is_only_generator(p, opener)):
                    argument_mistakes(p, opener)
                if args or keywords:
                    fail(p)
                if not is_call or p.tok.kind == T_ASYNC and p.tok[1].kind != T_FOR:
                    fail_after_async(p)
                value = generator(p, opener, value)
                if p.tok.kind != T_RPAR:
                    fail(p)
                p.tok += 1
                (<GeneratorExp>value).end_lineno = p.tok[-1].end_lineno
                (<GeneratorExp>value).end_col_offset = p.tok[-1].end_col
                args.append(value)
                return 0
            if p.tok.kind == T_EQUAL:
                if p.diagnose and (start.kind != T_NAME or start[1].kind != T_COLONEQUAL):
                    raise span_error(p, value.lineno, value.col_offset, p.tok,
                                     'expression cannot contain assignment, perhaps you meant "=="?')
                fail(p)
            if named or doubled:
                argument_mistakes(p, opener)
                fail(p)
            args.append(value)
        if p.height > height:
            height = p.height
        if not accept(p, T_COMMA):
            break
    if p.tok.kind != T_RPAR:
        if p.diagnose:
            argument_mistakes(p, opener)
        fail(p)
    p.tok += 1
    p.height = height
    return 0


# ------------------------------------------------------------------- atoms

cdef inline Name name(Parser p, int ctx):
    cdef Token *token = p.tok
    cdef Name node = Name.__new__(Name)
    if token.kind != T_NAME:
        fail(p)
    node.id = name_text(p, token)
    node.ctx = ctx
    span_token(node, token)
    p.tok += 1
    p.height = 1
    return node


cdef Node constant(Parser p, object value):
    cdef Constant node = Constant.__new__(Constant)
    node.value = value
    span_token(node, p.tok)
    p.tok += 1
    p.height = 1
    return node


cdef Node atom(Parser p):
    cdef int kind = p.tok.kind
    if kind == T_NAME:
        return name(p, CTX_Load)
    if kind == T_NUMBER:
        return constant(p, number_value(p, p.tok))
    if kind == T_STRING or kind == T_FSTRING_START:
        return strings(p)
    if kind == T_NONE:
        return constant(p, None)
    if kind == T_TRUE:
        return constant(p, True)
    if kind == T_FALSE:
        return constant(p, False)
    if kind == T_ELLIPSIS:
        return constant(p, Ellipsis)
    if kind == T_LPAR:
        return parenthesized(p)
    if kind == T_LSQB:
        return bracketed(p)
    if kind == T_LBRACE:
        return braced(p)
    return fail(p)


cdef Node parenthesized(Parser p):
    """A group, tuple or generator expression."""
    cdef Token *start = p.tok
    cdef Tuple node
    cdef Node first
    cdef int height
    enter(p)
    p.tok += 1
    if p.tok.kind == T_YIELD:
        first = yield_expression(p)
        expect(p, T_RPAR)
        p.depth -= 1
        return first
    if p.tok.kind == T_RPAR:
        p.tok += 1
        node = Tuple.__new__(Tuple)
        node.elts = []
        span(p, node, start)
        p.height = 1
        p.depth -= 1
        return node
    if p.diagnose:
        group_mistakes(p, start)
    first = star_named_expression(p)
    if p.tok.kind == T_COMMA:
        node = Tuple.__new__(Tuple)
        node.elts = [first]
        height = p.height
        while accept(p, T_COMMA):
            if p.tok.kind == T_RPAR:
                break
            node.elts.append(star_named_expression(p))
            if p.height > height:
                height = p.height
        close(p, start, T_RPAR)
        span(p, node, start)
        grow(p, height)
        first = node
    elif first.kind == K_Starred and start[1].kind == T_STAR:
        close(p, start, T_KIND_COUNT)
    elif p.tok.kind == T_FOR or p.tok.kind == T_ASYNC:
        first = generator(p, start, first)
        close(p, start, T_RPAR)
        span(p, first, start)
    else:
        close(p, start, T_RPAR)
    p.depth -= 1
    return first


cdef int close(Parser p, Token *opener, int kind) except -1:
    """Accept the closing bracket ``kind`` (T_KIND_COUNT: there is no way on)."""
    if p.tok.kind != kind:
        if p.diagnose:
            display_mistakes(p, opener)
        fail(p)
    p.tok += 1
    return 0


cdef GeneratorExp generator(Parser p, Token *start, Node element):
    """The generator expression of ``element``, up to its closing bracket."""
    cdef GeneratorExp node = GeneratorExp.__new__(GeneratorExp)
    cdef int height = p.height
    node.elt = element
    node.generators = comprehension_clauses(p)
    span(p, node, start)
    grow(p, height)
    return node


cdef object fail_after_async(Parser p):
    """Give up at ``for``, or at what follows ``async`` in place of it."""
    if p.tok.kind == T_ASYNC and p.tok + 1 > p.furthest:
        p.furthest = p.tok + 1
    fail(p)


cdef list comprehension_clauses(Parser p):
    cdef list clauses = []
    cdef comprehension clause
    cdef int height = 0
    while p.tok.kind == T_FOR or (p.tok.kind == T_ASYNC and p.tok[1].kind == T_FOR):
        clause = comprehension.__new__(comprehension)
        clause.is_async = accept(p, T_ASYNC)
        p.tok += 1
        clause.target = for_targets(p, True)
        height = max(height, p.height)
        if p.tok.kind != T_IN:
            fail(p)
        p.tok += 1
        clause.iter = binary(p, PREC_OR)
        height = max(height, p.height)
        clause.ifs = []
        while accept(p, T_IF):
            clause.ifs.append(binary(p, PREC_OR))
            height = max(height, p.height)
        clauses.append(clause)
    if not clauses:
        fail_after_async(p)
    p.height = height + 1
    return clauses


cdef Node bracketed(Parser p):
    """A list or list comprehension."""
    cdef Token *start = p.tok
    cdef List node
    cdef ListComp listcomp
    cdef Node first
    cdef int height = 0
    enter(p)
    p.tok += 1
    node = List.__new__(List)
    node.elts = []
    if p.tok.kind != T_RSQB:
        first = star_named_expression(p)
        height = p.height
        if (p.tok.kind == T_FOR or p.tok.kind == T_ASYNC) and first.kind != K_Starred:
            listcomp = ListComp.__new__(ListComp)
            listcomp.elt = first
            listcomp.generators = comprehension_clauses(p)
            close(p, start, T_RSQB)
            span(p, listcomp, start)
            grow(p, height)
            p.depth -= 1
            return listcomp
        node.elts.append(first)
        while accept(p, T_COMMA):
            if p.tok.kind == T_RSQB:
                break
            node.elts.append(star_named_expression(p))
            if p.height > height:
                height = p.height
    close(p, start, T_RSQB)
    span(p, node, start)
    p.height = 0
    grow(p, height)
    p.depth -= 1
    return node


cdef Node braced(Parser p):
    """A dict, set or comprehension of either."""
    cdef Token *start = p.tok
    cdef Dict node
    cdef Node result
    enter(p)
    p.tok += 1
    if p.tok.kind == T_RBRACE:
        p.tok += 1
        node = Dict.__new__(Dict)
        node.keys = []
        node.values = []
        span(p, node, start)
        p.height = 1
        result = node
    elif p.tok.kind == T_DOUBLESTAR:
        result = dict_display(p, start, None)
    elif p.tok.kind == T_STAR:
        result = set_display(p, start, starred(p, True))
    else:
        result = named_expression(p)
        if p.tok.kind == T_COLON and (result.kind != K_NamedExpr or start[1].kind == T_LPAR):
            result = dict_display(p, start, result)
        else:
            result = set_display(p, start, result)
    p.depth -= 1
    return result


cdef Node set_display(Parser p, Token *start, Node first):
    cdef Set node
    cdef SetComp setcomp
    cdef int height = p.height
    if (p.tok.kind == T_FOR or p.tok.kind == T_ASYNC) and first.kind != K_Starred:
        setcomp = SetComp.__new__(SetComp)
        setcomp.elt = first
        setcomp.generators = comprehension_clauses(p)
        close(p, start, T_RBRACE)
        span(p, setcomp, start)
        grow(p, height)
        return setcomp
    node = Set.__new__(Set)
    node.elts = [first]
    while accept(p, T_COMMA):
        if p.tok.kind == T_RBRACE:
            break
        node.elts.append(star_named_expression(p))
        if p.height > height:
            height = p.height
    close(p, start, T_RBRACE)
    span(p, node, start)
    p.height = 0
    grow(p, height)
    return node


cdef Node dict_display(Parser p, Token *start, Node key):
    """``key`` is the first key, or None when ``**`` is next."""
    cdef Dict node = Dict.__new__(Dict)
    cdef DictComp dictcomp
    cdef Node value
    cdef int height = p.height
    node.keys = []
    node.values = []
    while True:
        if key is None and p.tok.kind == T_DOUBLESTAR:
            p.tok += 1
            value = binary(p, PREC_BITOR)
        else:
            if key is None:
                if p.backtrack:
                    dict_key_mistake(p)
                key = expression(p)
                height = max(height, p.height)
            if p.tok.kind != T_COLON:
                fail(p)
            p.tok += 1
            if p.tok.kind == T_STAR or p.tok.kind == T_RBRACE or p.tok.kind == T_COMMA:
                dict_value_mistakes(p)
            value = expression(p)
        height = max(height, p.height)
        if key is not None and not node.keys and (p.tok.kind == T_FOR or p.tok.kind == T_ASYNC):
            dictcomp = DictComp.__new__(DictComp)
            dictcomp.key = key
            dictcomp.value = value
            dictcomp.generators = comprehension_clauses(p)
            close(p, start, T_RBRACE)
            span(p, dictcomp, start)
            grow(p, height)
            return dictcomp
        node.keys.append(key)
        node.values.append(value)
        key = None
        if not accept(p, T_COMMA) or p.tok.kind == T_RBRACE:
            break
    close(p, start, T_RBRACE)
    span(p, node, start)
    p.height = 0
    grow(p, height)
    return node


# ----------------------------------------------------------------- targets

cdef bint set_context(Node node, int ctx) except -1:
    """Make an expression a target; False when it can't be one."""
    cdef int kind = node.kind
    if kind == K_Name:
        (<Name>node).ctx = ctx
    elif kind == K_Attribute:
        (<Attribute>node).ctx = ctx
    elif kind == K_Subscript:
        (<Subscript>node).ctx = ctx
    elif kind == K_Tuple:
        for item in (<Tuple>node).elts:
            if not set_context(<Node>item, ctx):
                return False
        (<Tuple>node).ctx = ctx
    elif kind == K_List:
        for item in (<List>node).elts:
            if not set_context(<Node>item, ctx):
                return False
        (<List>node).ctx = ctx
    elif kind == K_Starred and ctx == CTX_Store:
        if (<Starred>node).value.kind == K_Starred or not set_context((<Starred>node).value, ctx):
            return False
        (<Starred>node).ctx = ctx
    else:
        return False
    return True


cdef Node for_targets(Parser p, bint in_comprehension):
    """Targets between ``for`` and ``in``."""
    cdef Node node
    if p.diagnose:
        for_target_mistakes(p, in_comprehension)
    node = target_list(p)
    if not set_context(node, CTX_Store):
        fail(p)
    return node


cdef Node target_list(Parser p):
    cdef Token *start = p.tok
    cdef Tuple node
    cdef int height
    cdef Node first = for_target(p)
    if p.tok.kind != T_COMMA:
        return first
    node = Tuple.__new__(Tuple)
    node.elts = [first]
    height = p.height
    while accept(p, T_COMMA):
        if p.tok.kind == T_IN:
            break
        node.elts.append(for_target(p))
        height = max(height, p.height)
    span(p, node, start)
    grow(p, height)
    return node


cdef Node for_target(Parser p):
    cdef Token *start = p.tok
    cdef Starred node
    if start.kind != T_STAR:
        return primary(p)
    p.tok += 1
    node = Starred.__new__(Starred)
    node.value = primary(p)
    span(p, node, start)
    grow(p, 0)
    return node
