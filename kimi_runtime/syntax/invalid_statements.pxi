# Known mistakes in statements, parameters, patterns and f-strings.  Part of parser.pyx.


# -------------------------------------------------------------- assignment

cdef int assignment_mistakes(Parser p, Token *start) except -1:
    """A statement begins like an assignment, but is none."""
    cdef Token *mark = p.tok
    cdef Node first, node
    cdef int kind
    p.tok = start
    node = annotation_display(p)
    if node is not None and p.tok.kind == T_COLON:
        p.tok += 1
        if attempt(p, TRY_EXPRESSION, True) is not None:
            raise node_error(p, node, f"only single target (not {expression_name(node)}) can be annotated")
    p.tok = start
    first = attempt(p, TRY_STAR_NAMED, True)
    if first is not None and accept(p, T_COMMA):
        while attempt(p, TRY_STAR_NAMED, True) is not None:
            accept(p, T_COMMA)
        if accept(p, T_COLON) and attempt(p, TRY_EXPRESSION, True) is not None:
            raise node_error(p, first, "only single target (not tuple) can be annotated")
    p.tok = start
    node = attempt(p, TRY_EXPRESSION, True)
    if node is not None and accept(p, T_COLON) and attempt(p, TRY_EXPRESSION, True) is not None:
        raise node_error(p, node, "illegal target for annotation")
    p.tok = start
    while True:
        if p.tok.kind == T_YIELD:
            node = attempt(p, TRY_YIELD, True)
            if node is not None and p.tok.kind == T_EQUAL:
                raise node_error(p, node, "assignment to yield expression not possible")
            break
        node = attempt(p, TRY_STAR_EXPRESSIONS, True)
        if node is None or p.tok.kind != T_EQUAL:
            break
        check_target(p, node, CTX_Store, False)
        p.tok += 1
    p.tok = start
    node = attempt(p, TRY_STAR_EXPRESSIONS, True)
    kind = p.tok.kind
    if node is not None and T_PLUSEQUAL <= kind <= T_RIGHTSHIFTEQUAL:
        p.tok += 1
        if attempt(p, TRY_YIELD if p.tok.kind == T_YIELD else TRY_STAR_EXPRESSIONS, True) is not None:
            raise node_error(p, node, f"'{expression_name(node)}' is an illegal expression for augmented assignment")
    p.tok = mark
    return 0


cdef Node annotation_display(Parser p):
    """A list or tuple, perhaps in brackets, at the start of an annotated assignment."""
    cdef Node node
    if p.tok.kind != T_LPAR and p.tok.kind != T_LSQB:
        return None
    node = attempt(p, TRY_ATOM, True)
    if node is not None and (node.kind == K_List or node.kind == K_Tuple):
        return node
    return None


cdef int look_past_soft_keyword(Parser p, Token *start) except -1:
    """The line isn't a statement of ``match`` or ``type``: how far could it be one?"""
    cdef Token *mark = p.tok
    if is_word(p, start, "match", 5):
        p.tok = start + 1
        if attempt(p, TRY_SUBJECT, False) is not None and p.tok.kind == T_COLON and p.tok + 1 > p.furthest:
            p.furthest = p.tok + 1
    elif PY312 and is_word(p, start, "type", 4) and start[1].kind == T_NAME and start + 2 > p.furthest:
        p.furthest = start + 2
    p.tok = mark
    return 0


cdef int look_into_bracket(Parser p, Token *opener) except -1:
    """What follows ``with (`` is no expression: how far could it be items?"""
    if p.diagnose:
        return 0
    p.tok = opener + 1
    while STARTS_EXPRESSION[p.tok.kind]:
        with_item(p)
        if not accept(p, T_COMMA):
            break
    return 0


cdef int del_mistakes(Parser p, Token *start) except -1:
    """After ``del``: do targets follow, up to the end of the statement?"""
    cdef Token *mark = p.tok
    cdef Node node = attempt(p, TRY_TARGETS, False)
    if node is None or (p.tok.kind != T_NEWLINE and p.tok.kind != T_SEMI) or not set_context(node, CTX_Del):
        p.tok = mark
        node = attempt(p, TRY_STAR_EXPRESSIONS, True)
        if node is not None:
            check_target(p, node, CTX_Del, False)
    p.tok = mark
    return 0


cdef bint ends_with_item(Parser p) noexcept:
    return p.tok.kind == T_COMMA or p.tok.kind == T_RPAR or p.tok.kind == T_COLON


cdef int with_target_mistakes(Parser p) except -1:
    """After ``as`` of a with statement."""
    cdef Token *mark = p.tok
    cdef Node node = attempt(p, TRY_TARGET, False)
    if node is None or not ends_with_item(p) or not set_context(node, CTX_Store):
        p.tok = mark
        node = attempt(p, TRY_EXPRESSION, True)
        if node is not None and ends_with_item(p):
            check_target(p, node, CTX_Store, False)
    p.tok = mark
    return 0


# ----------------------------------------------------------------- imports

cdef int import_mistakes(Parser p) except -1:
    """After ``import``."""
    if PY313 and p.tok.kind == T_NEWLINE:
        raise error_from(p, p.tok.lineno, p.tok.col, "Expected one or more names after 'import'")
    return 0


cdef int import_from_mistake(Parser p, Token *start) except -1:
    """``import a from b``"""
    cdef Token *mark = p.tok
    if PY312 and mark[1].kind == T_NAME:
        p.tok += 1
        dotted_name(p)
        raise error_from(p, start.lineno, start.col, "Did you mean to use 'from ... import ...' instead?")
    return 0


cdef int import_target_mistakes(Parser p) except -1:
    return 0


cdef int trailing_comma_mistake(Parser p) except -1:
    raise last_error(p, "trailing comma not allowed without surrounding parentheses")


# ------------------------------------------------------------------ blocks

cdef int missing_block(Parser p, Token *opener, str owner) except -1:
    raise last_error(p, f"expected an indented block after {owner} on line {opener.lineno}", IndentationError)


cdef int missing_colon(Parser p) except -1:
    if p.tok.kind == T_NEWLINE:
        raise last_error(p, "expected ':'")
    return 0


cdef int missing_except(Parser p) except -1:
    raise last_error(p, "expected 'except' or 'finally' block")


cdef int mixed_except_mistakes(Parser p) except -1:
    """At an ``except`` that is starred and follows one that is not, or the reverse."""
    cdef Token *mark = p.tok
    cdef bint star = mark[1].kind == T_STAR
    p.tok += 2 if star else 1
    if star and (p.tok.kind == T_COLON or p.tok.kind == T_NEWLINE):
        raise last_error(p, "expected one or more exception types")
    if p.tok.kind != T_COLON and attempt(p, TRY_EXPRESSION, True) is not None and p.tok.kind == T_AS:
        p.tok += 2
    if p.tok.kind == T_COLON:
        raise span_error(p, mark.lineno, mark.col, mark + 1 if star else mark,
                         "cannot have both 'except' and 'except*' on the same 'try'")
    p.tok = mark
    return 0


cdef int except_mistakes(Parser p, Token *first, bint star) except -1:
    """After ``except`` and its star."""
    cdef Token *mark = p.tok
    cdef Node node
    cdef bint several = False
    if not star:
        missing_colon(p)
    if star and (mark.kind == T_NEWLINE or mark.kind == T_COLON):
        raise last_error(p, "expected one or more exception types")
    node = attempt(p, TRY_EXPRESSION, True)
    if node is not None and p.tok.kind == T_COMMA:
        while accept(p, T_COMMA):
            several = True
            if attempt(p, TRY_EXPRESSION, True) is None:
                break
        if several and p.tok.kind == T_AS and p.tok[1].kind == T_NAME and p.tok[2].kind == T_COLON:
            p.tok += 2
            raise error_from(p, node.lineno, node.col_offset, "multiple exception types must be parenthesized")
    p.tok = mark
    return 0


cdef int except_target_mistakes(Parser p) except -1:
    return 0


cdef int match_mistakes(Parser p) except -1:
    """A line that begins with ``match`` and something that may be a subject."""
    cdef Token *start = p.tok
    p.tok += 1
    if attempt(p, TRY_SUBJECT, True) is not None and p.tok.kind == T_NEWLINE:
        raise last_error(p, "expected ':'")
    p.tok = start
    return 0


# -------------------------------------------------------------- parameters

cdef int default_mistakes(Parser p) except -1:
    """After ``=``."""
    if p.tok.kind == T_COMMA or p.tok.kind == T_RPAR:
        raise token_error(p, p.tok - 1, "expected default value expression")
    return 0


cdef int default_order_mistake(Parser p, arg parameter, int closer) except -1:
    if p.tok.kind == T_COMMA or p.tok.kind == closer:
        raise node_error(
            p, parameter,
            "parameter without a default follows parameter with a default" if PY312
            else "non-default argument follows default argument",
        )
    return 0


cdef int slash_mistakes(Parser p, bint slash, bint star) except -1:
    if star:
        raise token_error(p, p.tok, "/ must be ahead of *")
    if slash:
        raise token_error(p, p.tok, "/ may appear only once")
    if p.tok[1].kind == T_COMMA:
        raise token_error(p, p.tok, "at least one argument must precede /")
    return 0


cdef int slash_star_mistake(Parser p) except -1:
    raise token_error(p, p.tok, "expected comma between / and *")


cdef int star_mistakes(Parser p, bint star, int closer) except -1:
    """At a ``*``."""
    cdef Token *mark = p.tok
    cdef int kind = mark[1].kind
    cdef int after
    if star:
        if kind == T_COMMA or kind == T_NAME:
            raise token_error(p, mark, "* argument may appear only once")
        return 0
    after = mark[2].kind if kind == T_COMMA else 0
    if kind == closer or (kind == T_COMMA and (after == closer or after == T_DOUBLESTAR)):
        message = "named arguments must follow bare *"
        if closer == T_COLON:
            if kind == T_COMMA:
                p.tok += 2
            raise last_error(p, message)
        raise token_error(p, mark, message)
    return 0


cdef int kwarg_mistakes(Parser p, int closer) except -1:
    """After a ``**`` parameter."""
    cdef Token *mark = p.tok
    cdef arg parameter
    if mark.kind == T_EQUAL:
        raise token_error(p, mark, "var-keyword argument cannot have default value")
    if mark.kind != T_COMMA:
        return 0
    message = "arguments cannot follow var-keyword argument"
    p.tok += 1
    if p.tok.kind == T_STAR or p.tok.kind == T_DOUBLESTAR or p.tok.kind == T_SLASH:
        raise token_error(p, p.tok, message)
    if p.tok.kind == T_NAME:
        parameter = one_parameter(p, closer == T_RPAR, False)
        raise node_error(p, parameter, message)
    p.tok = mark
    return 0


cdef int parameter_bracket_mistakes(Parser p, int closer) except -1:
    """At a ``(`` where a parameter should be."""
    cdef Token *mark = p.tok
    p.tok += 1
    while p.tok.kind == T_NAME:
        one_parameter(p, closer == T_RPAR, False)
        if not accept(p, T_COMMA):
            break
    if p.tok.kind == T_RPAR and p.tok > mark + 1:
        what = "Lambda expression" if closer == T_COLON else "Function"
        raise span_error(p, mark.lineno, mark.col, p.tok, f"{what} parameters cannot be parenthesized")
    p.tok = mark
    return 0


cdef int type_parameter_mistakes(Parser p) except -1:
    if p.tok.kind == T_RSQB and PY313:
        raise error_from(p, p.tok.lineno, p.tok.col, "Type parameter list cannot be empty")
    return 0


cdef int bound_mistake(Parser p, str kind) except -1:
    """At the colon after ``*Ts`` or ``**P``."""
    cdef Token *mark = p.tok
    cdef Node bound
    p.tok += 1
    bound = attempt(p, TRY_EXPRESSION, p.diagnose)
    if bound is not None:
        what = "constraints" if bound.kind == K_Tuple else "bound"
        raise error_from(p, mark.lineno, mark.col, f"cannot use {what} with {kind}")
    p.tok = mark
    return 0


# ---------------------------------------------------------------- patterns

cdef int as_pattern_mistakes(Parser p) except -1:
    """After ``as``."""
    cdef Token *mark = p.tok
    cdef Node node
    if is_word(p, mark, "_", 1):
        raise token_error(p, mark, "cannot use '_' as a target")
    if mark.kind != T_NAME:
        node = attempt(p, TRY_EXPRESSION, True)
        if node is not None:
            raise node_error(p, node, "invalid pattern target")
    return 0


cdef int class_pattern_mistake(Parser p) except -1:
    """A positional pattern after a keyword pattern."""
    cdef Token *mark = p.tok
    cdef Node first = None, final = None, node
    while True:
        if p.tok.kind == T_NAME and p.tok[1].kind == T_EQUAL:
            break
        node = attempt(p, TRY_PATTERN, True)
        if node is None:
            break
        if first is None:
            first = node
        final = node
        if not accept(p, T_COMMA):
            break
    if first is not None:
        raise range_error(p, first, final, "positional patterns follow keyword patterns")
    p.tok = mark
    return 0


# --------------------------------------------------------------- f-strings

cdef Node field_value(Parser p):
    """The expression of a replacement field."""
    cdef Token *start = p.tok
    cdef Node node
    if start.kind == T_EQUAL or start.kind == T_EXCLAMATION or start.kind == T_COLON or start.kind == T_RBRACE:
        what = chr(p.buf[start.start])
        raise token_error(p, start, f"f-string: valid expression required before '{what}'")
    node = attempt(p, TRY_YIELD if start.kind == T_YIELD else TRY_STAR_EXPRESSIONS, True)
    if node is None:
        raise token_error(p, start, "f-string: expecting a valid expression after '{'")
    return node


cdef int after_value_mistakes(Parser p, bint debug) except -1:
    """After the expression of a replacement field and its ``=``."""
    cdef int kind = p.tok.kind
    if kind != T_EXCLAMATION and kind != T_COLON and kind != T_RBRACE:
        raise token_error(p, p.tok, f"f-string: expecting {'' if debug else EQUAL_OR}'!', or ':', or '}}'")
    return 0


cdef str EQUAL_OR = "'=', or "


cdef int field_end_mistakes(Parser p, FormattedValue node) except -1:
    """A replacement field that doesn't end."""
    if node.format_spec is not None:
        raise token_error(p, p.tok, "f-string: expecting '}', or format specs")
    raise token_error(p, p.tok, "f-string: expecting ':' or '}'")
