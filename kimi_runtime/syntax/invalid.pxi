# Known mistakes: the second pass.  Part of parser.pyx.


cdef object find_error(Parser p, str mode, object raised):
    """The exception for a source that doesn't parse; ``raised`` is what a rule said."""
    cdef Token *furthest = p.furthest
    if furthest.kind == T_INDENT:
        return IndentationError("unexpected indent", (p.filename, furthest.lineno, 1, None, furthest.lineno, -1))
    if p.lexer.error is not None:
        return p.lexer.error
    if raised is not None:
        return raised
    return token_range_error(p, furthest, "invalid syntax")


cdef object token_range_error(Parser p, Token *token, str message):
    return syntax_error(message, p.filename, p.lexer.owner, token.lineno, token.col, token.end_lineno,
                        token.end_col)


cdef object node_error(Parser p, Node node, str message):
    return syntax_error(message, p.filename, p.lexer.owner, node.lineno, node.col_offset, node.end_lineno,
                        node.end_col_offset)


cdef int argument_mistakes(Parser p, Token *opener) except -1:
    return 0


cdef int argument_order_mistake(Parser p, Token *opener) except -1:
    return 0


cdef int as_pattern_mistakes(Parser p) except -1:
    return 0


cdef int assert_mistakes(Parser p) except -1:
    return 0


cdef int assignment_mistakes(Parser p, Token *start) except -1:
    return 0


cdef int bound_mistake(Parser p, str what) except -1:
    return 0


cdef int class_pattern_mistake(Parser p) except -1:
    return 0


cdef int conversion_mistakes(Parser p, Token *mark) except -1:
    return 0


cdef int default_mistakes(Parser p, int closer) except -1:
    return 0


cdef int default_order_mistake(Parser p) except -1:
    return 0


cdef int del_mistakes(Parser p, Token *start) except -1:
    return 0


cdef int dict_mistakes(Parser p, Token *start, Node key) except -1:
    return 0


cdef int dict_value_mistakes(Parser p) except -1:
    return 0


cdef int display_mistakes(Parser p, Token *opener) except -1:
    return 0


cdef int empty_field_mistakes(Parser p) except -1:
    return 0


cdef int except_mistakes(Parser p, Token *first, bint star) except -1:
    return 0


cdef int except_target_mistakes(Parser p) except -1:
    return 0


cdef int expression_mistakes(Parser p, Token *start, Node body) except -1:
    return 0


cdef int field_end_mistakes(Parser p, FormattedValue node, bint debug) except -1:
    return 0


cdef int for_target_mistakes(Parser p) except -1:
    return 0


cdef int genexp_argument_mistakes(Parser p, Token *opener, Token *start, Node value, int n) except -1:
    return 0


cdef int group_mistakes(Parser p, Token *start) except -1:
    return 0


cdef int import_from_mistake(Parser p, Token *start) except -1:
    return 0


cdef int import_mistakes(Parser p) except -1:
    return 0


cdef int import_target_mistakes(Parser p) except -1:
    return 0


cdef int is_match_mistake(Parser p, Token *token) except -1:
    return 0


cdef int keyword_mistakes(Parser p) except -1:
    return 0


cdef int kwarg_mistakes(Parser p, int closer) except -1:
    return 0


cdef int missing_block(Parser p, Token *opener, str owner) except -1:
    return 0


cdef int missing_colon(Parser p) except -1:
    return 0


cdef int missing_else(Parser p, Token *start) except -1:
    return 0


cdef int missing_except(Parser p) except -1:
    return 0


cdef int missing_in(Parser p) except -1:
    return 0


cdef int mixed_except_mistake(Parser p) except -1:
    return 0


cdef int parameter_bracket_mistakes(Parser p, int closer) except -1:
    return 0


cdef int slash_mistakes(Parser p, bint slash, bint star) except -1:
    return 0


cdef int slash_star_mistake(Parser p) except -1:
    return 0


cdef int star_mistakes(Parser p, bint star, int closer) except -1:
    return 0


cdef int statement_mistakes(Parser p, Token *start, Node first) except -1:
    return 0


cdef int trailing_comma_mistake(Parser p) except -1:
    return 0


cdef int type_parameter_mistakes(Parser p) except -1:
    return 0


cdef int with_mistakes(Parser p) except -1:
    return 0


cdef int with_target_mistakes(Parser p, Token *start, Node target) except -1:
    return 0


cdef Node named_expression_or_mistake(Parser p):
    return expression(p)
