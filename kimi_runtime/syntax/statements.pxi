# Statements.  Part of parser.pyx.


cdef int statement(Parser p, list body) except -1:
    """Append the statements of one logical line, or one compound statement."""
    cdef int kind = p.tok.kind
    cdef Node node
    if kind == T_IF:
        node = if_statement(p)
    elif kind == T_DEF:
        node = function_definition(p, p.tok, [])
    elif kind == T_FOR:
        node = for_statement(p, p.tok)
    elif kind == T_WITH:
        node = with_statement(p, p.tok)
    elif kind == T_TRY:
        node = try_statement(p)
    elif kind == T_CLASS:
        node = class_definition(p, [])
    elif kind == T_WHILE:
        node = while_statement(p)
    elif kind == T_AT:
        node = decorated(p)
    elif kind == T_ASYNC:
        node = async_statement(p)
    elif kind == T_NAME and p.tok.end - p.tok.start == 5 and is_match_statement(p):
        node = match_statement(p)
    else:
        return simple_statements(p, body)
    body.append(node)
    return 0


cdef bint is_compound(Parser p) except -1:
    """Does a compound statement begin here?"""
    cdef int kind = p.tok.kind
    return (kind == T_IF or kind == T_DEF or kind == T_FOR or kind == T_WITH or kind == T_TRY or kind == T_CLASS
            or kind == T_WHILE or kind == T_AT or kind == T_ASYNC or is_match_statement(p))


cdef int simple_statements(Parser p, list body) except -1:
    cdef Token *start
    while True:
        start = p.tok
        body.append(simple_statement(p))
        if p.tok.kind != T_SEMI:
            break
        p.tok += 1
        if p.tok.kind == T_NEWLINE:
            break
    if p.tok.kind != T_NEWLINE:
        if start.kind == T_NAME and not p.backtrack:
            look_past_soft_keyword(p, start)
        fail(p)
    p.tok += 1
    return 0


cdef list block(Parser p, Token *opener, str owner):
    """The body after a colon, on the same line or indented."""
    cdef list body = []
    if p.tok.kind != T_NEWLINE:
        simple_statements(p, body)
        return body
    p.tok += 1
    if p.tok.kind != T_INDENT:
        if p.diagnose:
            missing_block(p, opener, owner)
        fail(p)
    p.tok += 1
    while p.tok.kind != T_DEDENT:
        statement(p, body)
    p.tok += 1
    return body


cdef int colon(Parser p) except -1:
    """The colon that begins a block."""
    if p.tok.kind != T_COLON:
        if p.diagnose:
            missing_colon(p)
        fail(p)
    p.tok += 1
    return 0


cdef int forced_colon(Parser p) except -1:
    """The same where CPython says what it wants whatever comes instead."""
    if p.tok.kind != T_COLON:
        if p.tok > p.furthest:
            p.furthest = p.tok
        if p.tok.kind > T_EOF_IN_BRACKET:
            raise token_error(p, p.tok, "expected ':'")
        fail(p)
    p.tok += 1
    return 0


# ------------------------------------------------------- simple statements

cdef Node simple_statement(Parser p):
    cdef Token *start = p.tok
    cdef int kind = start.kind
    cdef Node node
    if kind == T_NAME:
        if start[1].kind == T_NAME and is_word(p, start, "type", 4) and (
            start[2].kind == T_EQUAL or start[2].kind == T_LSQB
        ):
            return type_alias(p)
        return expression_statement(p)
    elif kind == T_RETURN:
        node = return_statement(p)
    elif kind == T_IMPORT:
        node = import_statement(p)
    elif kind == T_FROM:
        node = from_statement(p)
    elif kind == T_RAISE:
        node = raise_statement(p)
    elif kind == T_PASS:
        node = Pass.__new__(Pass)
        p.tok += 1
    elif kind == T_BREAK:
        node = Break.__new__(Break)
        p.tok += 1
    elif kind == T_CONTINUE:
        node = Continue.__new__(Continue)
        p.tok += 1
    elif kind == T_DEL:
        node = del_statement(p)
    elif kind == T_ASSERT:
        node = assert_statement(p)
    elif kind == T_GLOBAL:
        node = Global.__new__(Global)
        p.tok += 1
        (<Global>node).names = names_list(p)
    elif kind == T_NONLOCAL:
        node = Nonlocal.__new__(Nonlocal)
        p.tok += 1
        (<Nonlocal>node).names = names_list(p)
    else:
        return expression_statement(p)
    span(p, node, start)
    return node


cdef Node yield_or_expressions(Parser p):
    if p.tok.kind == T_YIELD:
        return yield_expression(p)
    return star_expressions(p)


cdef Node expression_statement(Parser p):
    """An expression, assignment, augmented or annotated assignment."""
    cdef Token *start = p.tok
    cdef Expr node
    cdef Node first
    cdef int kind
    first = yield_or_expressions(p)
    kind = p.tok.kind
    if kind == T_EQUAL:
        return assignment(p, start, first)
    if kind == T_COLON:
        return annotated_assignment(p, start, first)
    if T_PLUSEQUAL <= kind <= T_RIGHTSHIFTEQUAL:
        return augmented_assignment(p, start, first)
    if p.diagnose and kind != T_NEWLINE and kind != T_SEMI:
        assignment_mistakes(p, start)
    node = Expr.__new__(Expr)
    node.value = first
    span(p, node, start)
    return node


cdef Node assignment(Parser p, Token *start, Node first):
    cdef Assign node = Assign.__new__(Assign)
    cdef Node value = first
    node.targets = []
    while p.tok.kind == T_EQUAL:
        if (start.kind == T_YIELD and value is first) or not set_context(value, CTX_Store):
            if p.diagnose:
                assignment_mistakes(p, start)
            fail(p)
        node.targets.append(value)
        p.tok += 1
        first = None
        if p.tok.kind == T_YIELD:
            value = yield_expression(p)
            if p.tok.kind == T_EQUAL:
                if p.diagnose:
                    assignment_mistakes(p, start)
                fail(p)
            break
        value = star_expressions(p)
    node.value = value
    span(p, node, start)
    return node


cdef Node annotated_assignment(Parser p, Token *start, Node target):
    cdef AnnAssign node = AnnAssign.__new__(AnnAssign)
    cdef int kind = target.kind
    if kind != K_Name and kind != K_Attribute and kind != K_Subscript:
        if p.diagnose:
            assignment_mistakes(p, start)
        fail(p)
    set_context(target, CTX_Store)
    node.target = target
    node.simple = kind == K_Name and start.kind == T_NAME
    p.tok += 1
    node.annotation = expression(p)
    if accept(p, T_EQUAL):
        node.value = yield_or_expressions(p)
    span(p, node, start)
    return node


cdef Node augmented_assignment(Parser p, Token *start, Node target):
    cdef AugAssign node = AugAssign.__new__(AugAssign)
    cdef int kind = target.kind
    if kind != K_Name and kind != K_Attribute and kind != K_Subscript:
        if p.diagnose:
            assignment_mistakes(p, start)
        fail(p)
    set_context(target, CTX_Store)
    node.target = target
    node.op = OPERATOR[p.tok.kind]
    p.tok += 1
    node.value = yield_or_expressions(p)
    span(p, node, start)
    return node


cdef Node type_alias(Parser p):
    cdef Token *start = p.tok
    cdef TypeAlias node = TypeAlias.__new__(TypeAlias)
    p.tok += 1
    node.name = name(p, CTX_Store)
    node.type_params = type_parameters(p)
    expect(p, T_EQUAL)
    node.value = expression(p)
    span(p, node, start)
    return node


cdef Node return_statement(Parser p):
    cdef Return node = Return.__new__(Return)
    p.tok += 1
    if STARTS_EXPRESSION[p.tok.kind] or p.tok.kind == T_STAR:
        node.value = star_expressions(p)
    return node


cdef Node raise_statement(Parser p):
    cdef Raise node = Raise.__new__(Raise)
    p.tok += 1
    if STARTS_EXPRESSION[p.tok.kind]:
        node.exc = expression(p)
        if accept(p, T_FROM):
            node.cause = expression(p)
    return node


cdef Node assert_statement(Parser p):
    cdef Assert node = Assert.__new__(Assert)
    p.tok += 1
    node.test = expression(p)
    if accept(p, T_COMMA):
        node.msg = expression(p)
    return node


cdef Node del_statement(Parser p):
    cdef Delete node = Delete.__new__(Delete)
    cdef Token *start = p.tok
    cdef Node target
    p.tok += 1
    node.targets = []
    if p.diagnose:
        del_mistakes(p, start)
    while True:
        target = primary(p)
        if not set_context(target, CTX_Del):
            fail(p)
        node.targets.append(target)
        if not accept(p, T_COMMA) or p.tok.kind == T_NEWLINE or p.tok.kind == T_SEMI:
            break
    if p.tok.kind != T_NEWLINE and p.tok.kind != T_SEMI:
        fail(p)
    return node


cdef list names_list(Parser p):
    cdef list names = [name_text(p, expect(p, T_NAME))]
    while accept(p, T_COMMA):
        names.append(name_text(p, expect(p, T_NAME)))
    return names


# ----------------------------------------------------------------- imports

cdef str dotted_name(Parser p):
    cdef str text = name_text(p, expect(p, T_NAME))
    cdef list parts
    if p.tok.kind != T_DOT:
        return text
    parts = [text]
    while accept(p, T_DOT):
        parts.append(name_text(p, expect(p, T_NAME)))
    return ".".join(parts)


cdef alias import_alias(Parser p, bint dotted):
    cdef Token *start = p.tok
    cdef alias node = alias.__new__(alias)
    node.name = sys.intern(dotted_name(p)) if dotted else name_text(p, expect(p, T_NAME))
    if p.tok.kind == T_AS:
        p.tok += 1
        if p.diagnose:
            import_target_mistakes(p)
        node.asname = name_text(p, expect(p, T_NAME))
    span(p, node, start)
    return node


cdef Node import_statement(Parser p):
    cdef Import node = Import.__new__(Import)
    cdef Token *start = p.tok
    p.tok += 1
    if p.diagnose:
        import_mistakes(p)
    node.names = [import_alias(p, True)]
    while accept(p, T_COMMA):
        node.names.append(import_alias(p, True))
    if p.diagnose and p.tok.kind == T_FROM:
        import_from_mistake(p, start)
    return node


cdef Node from_statement(Parser p):
    cdef ImportFrom node = ImportFrom.__new__(ImportFrom)
    cdef Token *start = p.tok
    cdef alias star
    p.tok += 1
    while p.tok.kind == T_DOT or p.tok.kind == T_ELLIPSIS:
        node.level += 1 if p.tok.kind == T_DOT else 3
        p.tok += 1
    if node.level == 0 or p.tok.kind != T_IMPORT:
        node.module = sys.intern(dotted_name(p))
    expect(p, T_IMPORT)
    node.names = []
    if p.tok.kind == T_STAR:
        star = alias.__new__(alias)
        star.name = "*"
        span_token(star, p.tok)
        p.tok += 1
        node.names.append(star)
    elif accept(p, T_LPAR):
        while True:
            node.names.append(import_alias(p, False))
            if not accept(p, T_COMMA) or p.tok.kind == T_RPAR:
                break
        expect(p, T_RPAR)
    else:
        if p.diagnose:
            import_mistakes(p)
        while True:
            node.names.append(import_alias(p, False))
            if not accept(p, T_COMMA):
                break
            if p.diagnose and p.tok.kind == T_NEWLINE:
                trailing_comma_mistake(p)
    return node


# ----------------------------------------------------- compound statements

cdef Node if_statement(Parser p):
    """``elif`` is an If in ``orelse``; the chain is parsed in a loop."""
    cdef Token *start = p.tok
    cdef If node, first = None, last = None
    cdef list chain = []
    cdef list starts = []
    cdef Py_ssize_t i
    while True:
        node = If.__new__(If)
        node.orelse = []
        if last is not None:
            last.orelse = [node]
            if len(chain) >= MAX_DEPTH:
                too_deep()
        else:
            first = node
        last = node
        chain.append(node)
        starts.append(p.tok - p.lexer.tokens)
        start = p.tok
        p.tok += 1
        node.test = named_expression(p)
        colon(p)
        node.body = block(p, start, "'if' statement" if node is first else "'elif' statement")
        if p.tok.kind != T_ELIF:
            break
    node.orelse = else_block(p)
    for i in range(len(chain)):
        span_statement(p, <If>chain[i], &p.lexer.tokens[<Py_ssize_t>starts[i]])
    return first


cdef list else_block(Parser p):
    cdef Token *start = p.tok
    if start.kind != T_ELSE:
        return []
    p.tok += 1
    forced_colon(p)
    return block(p, start, "'else' statement")


cdef Node while_statement(Parser p):
    cdef Token *start = p.tok
    cdef While node = While.__new__(While)
    p.tok += 1
    node.test = named_expression(p)
    colon(p)
    node.body = block(p, start, "'while' statement")
    node.orelse = else_block(p)
    span_statement(p, node, start)
    return node


cdef Node for_statement(Parser p, Token *start):
    """``start`` is ``for``, or ``async`` before it."""
    cdef Token *opener = p.tok
    cdef Node target, iterable
    cdef list body, orelse
    cdef For node
    cdef AsyncFor async_node
    p.tok += 1
    target = for_targets(p, False)
    if p.tok.kind != T_IN:
        fail(p)
    p.tok += 1
    iterable = star_expressions(p)
    colon(p)
    body = block(p, opener, "'for' statement")
    orelse = else_block(p)
    if start != opener:
        async_node = AsyncFor.__new__(AsyncFor)
        async_node.target = target
        async_node.iter = iterable
        async_node.body = body
        async_node.orelse = orelse
        span_statement(p, async_node, start)
        return async_node
    node = For.__new__(For)
    node.target = target
    node.iter = iterable
    node.body = body
    node.orelse = orelse
    span_statement(p, node, start)
    return node


cdef Node with_statement(Parser p, Token *start):
    cdef Token *opener = p.tok
    cdef list items = None
    cdef list body
    cdef With node
    cdef AsyncWith async_node
    cdef Token *after
    p.tok += 1
    if p.tok.kind == T_LPAR:
        after = p.tok
        items = bracketed_items(p)
        if items is None:
            p.tok = after
    if items is None:
        after = p.tok
        try:
            items = [with_item(p)]
            while accept(p, T_COMMA):
                items.append(with_item(p))
        except ParseFailure:
            if after.kind == T_LPAR:
                look_into_bracket(p, after)
            raise
    colon(p)
    body = block(p, opener, "'with' statement")
    if start != opener:
        async_node = AsyncWith.__new__(AsyncWith)
        async_node.items = items
        async_node.body = body
        span_statement(p, async_node, start)
        return async_node
    node = With.__new__(With)
    node.items = items
    node.body = body
    span_statement(p, node, start)
    return node


cdef list bracketed_items(Parser p):
    """``(item, ...)`` before the colon of a with statement, or None when the bracket
    belongs to an expression."""
    cdef Token *closer = p.tok
    cdef unsigned char level = p.tok.level
    cdef list items = []
    while closer.level >= level and closer.kind > T_EOF_IN_BRACKET:
        closer += 1
    if closer[0].kind != T_RPAR or closer[1].kind != T_COLON:
        if not p.diagnose or closer[0].kind != T_RPAR or closer[1].kind != T_NEWLINE:
            return None
    p.tok += 1
    while True:
        if not STARTS_EXPRESSION[p.tok.kind] or (p.tok.kind == T_NAME and p.tok[1].kind == T_COLONEQUAL):
            return None
        items.append(with_item(p))
        if not accept(p, T_COMMA) or p.tok.kind == T_RPAR:
            break
    if p.tok != closer:
        return None
    p.tok += 1
    return items


cdef withitem with_item(Parser p):
    cdef withitem node = withitem.__new__(withitem)
    node.context_expr = expression(p)
    if p.tok.kind == T_AS:
        p.tok += 1
        if p.diagnose:
            with_target_mistakes(p)
        node.optional_vars = for_target(p)
        if not set_context(node.optional_vars, CTX_Store) or not (
            p.tok.kind == T_COMMA or p.tok.kind == T_RPAR or p.tok.kind == T_COLON
        ):
            if p.diagnose:
                missing_colon(p)
            fail(p)
    return node


cdef Node try_statement(Parser p):
    cdef Token *start = p.tok
    cdef Token *mark
    cdef Try node
    cdef TryStar star_node
    cdef list body, handlers = [], orelse = [], finalbody = []
    cdef int star = -1
    p.tok += 1
    forced_colon(p)
    body = block(p, start, "'try' statement")
    while p.tok.kind == T_EXCEPT:
        if star >= 0 and star != (p.tok[1].kind == T_STAR):
            if p.diagnose:
                mixed_except_mistakes(p)
            fail(p)
        star = p.tok[1].kind == T_STAR
        handlers.append(except_handler(p))
    if handlers:
        orelse = else_block(p)
    if p.tok.kind == T_FINALLY:
        mark = p.tok
        p.tok += 1
        forced_colon(p)
        finalbody = block(p, mark, "'finally' statement")
    elif not handlers:
        if p.diagnose:
            missing_except(p)
        fail(p)
    if star == 1:
        star_node = TryStar.__new__(TryStar)
        star_node.body = body
        star_node.handlers = handlers
        star_node.orelse = orelse
        star_node.finalbody = finalbody
        span_statement(p, star_node, start)
        return star_node
    node = Try.__new__(Try)
    node.body = body
    node.handlers = handlers
    node.orelse = orelse
    node.finalbody = finalbody
    span_statement(p, node, start)
    return node


cdef ExceptHandler except_handler(Parser p):
    cdef Token *start = p.tok
    cdef Token *first
    cdef ExceptHandler node = ExceptHandler.__new__(ExceptHandler)
    cdef bint star
    p.tok += 1
    star = accept(p, T_STAR)
    first = p.tok
    if p.diagnose:
        except_mistakes(p, first, star)
    if star or p.tok.kind != T_COLON:
        node.type = expressions(p)
        if p.tok.kind == T_AS and (node.type.kind != K_Tuple or first.kind == T_LPAR and p.tok[-1].kind == T_RPAR):
            p.tok += 1
            if p.diagnose:
                except_target_mistakes(p)
            node.name = name_text(p, expect(p, T_NAME))
    colon(p)
    node.body = block(p, start, "'except*' statement" if star else "'except' statement")
    span_statement(p, node, start)
    return node


cdef Node async_statement(Parser p):
    cdef Token *start = p.tok
    p.tok += 1
    if p.tok.kind == T_DEF:
        return function_definition(p, start, [])
    if p.tok.kind == T_FOR:
        return for_statement(p, start)
    if p.tok.kind == T_WITH:
        return with_statement(p, start)
    return fail(p)


# ------------------------------------------------------------------- match

cdef bint is_match_statement(Parser p):
    """``match`` begins a statement when a subject follows and the line ends in a colon."""
    cdef Token *token = p.tok
    if not is_word(p, token, "match", 5):
        return False
    token += 1
    if not STARTS_EXPRESSION[token.kind] and token.kind != T_STAR:
        return False
    while token.kind > T_NEWLINE:
        token += 1
    if p.diagnose:
        match_mistakes(p)
    return token[-1].kind == T_COLON


cdef Node match_statement(Parser p):
    cdef Token *start = p.tok
    cdef Match node = Match.__new__(Match)
    p.tok += 1
    node.subject = match_subject(p)
    colon(p)
    if p.tok.kind != T_NEWLINE:
        fail(p)
    p.tok += 1
    if p.tok.kind != T_INDENT:
        if p.diagnose:
            missing_block(p, start, "'match' statement")
        fail(p)
    p.tok += 1
    node.cases = []
    while True:
        node.cases.append(match_case_block(p))
        if p.tok.kind == T_DEDENT:
            break
    p.tok += 1
    span_statement(p, node, start)
    return node


cdef Node match_subject(Parser p):
    cdef Token *start = p.tok
    cdef Tuple node
    cdef Node first = star_named_expression(p)
    if p.tok.kind != T_COMMA:
        if start.kind == T_STAR:
            fail(p)
        return first
    node = Tuple.__new__(Tuple)
    node.elts = [first]
    while accept(p, T_COMMA):
        if p.tok.kind == T_COLON:
            break
        node.elts.append(star_named_expression(p))
    span(p, node, start)
    return node


cdef match_case match_case_block(Parser p):
    cdef Token *start = p.tok
    cdef match_case node = match_case.__new__(match_case)
    if not is_word(p, start, "case", 4):
        fail(p)
    p.tok += 1
    node.pattern = patterns(p)
    if accept(p, T_IF):
        node.guard = named_expression(p)
    colon(p)
    node.body = block(p, start, "'case' statement")
    return node
