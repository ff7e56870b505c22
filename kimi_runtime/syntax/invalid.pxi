# Known mistakes: the second pass.  Part of parser.pyx.
#
# Each function stands at the place where CPython's grammar tries the rule for that mistake,
# looks ahead from there, and raises or returns with the state as it was.  ``last`` is
# the last token that any rule has looked at, which is where CPython puts the errors that have
# no place of their own.


# ------------------------------------------------------------ making errors

cdef object span_error(Parser p, int lineno, int col, Token *last, str message):
    return syntax_error(message, p.filename, p.lexer.owner, lineno, col, last.end_lineno, last.end_col)


cdef object token_error(Parser p, Token *token, str message, cls=SyntaxError):
    if token.kind == T_EOF_IN_BRACKET:
        return unclosed_error(p)
    if token.kind == T_ERROR:
        return p.lexer.error
    if token.col == -1:
        return margin_error(p, token, message, cls)
    if token.kind == T_FSTRING_START and not PY312:
        return span_error(p, token.lineno, token.col, end_of_fstring(token), message)
    return syntax_error(message, p.filename, p.lexer.owner, token.lineno, token.col, token.end_lineno,
                        token.end_col, cls)


cdef object margin_error(Parser p, Token *token, str message, cls):
    """At a token without a place: where the tokenizer stood when it made the token."""
    cdef const char *at = p.buf + token.start
    cdef const char *line = at
    if at == p.lexer.limit and line > p.buf and line[-1] == c'\n':
        line -= 1
    while line > p.buf and line[-1] != c'\n':
        line -= 1
    text = PyUnicode_DecodeUTF8(line, at - line, "replace")
    offset = len(text)
    if at == p.lexer.limit and not text.endswith("\n") and p.lexer.ends_line:
        offset += 1
    error = syntax_error(message, p.filename, p.lexer.owner, token.lineno, 0, cls=cls)
    return cls(message, (p.filename, token.lineno, offset, error.text, token.lineno, -1))


cdef Token *end_of_fstring(Token *token) noexcept:
    cdef int depth = 0
    while token.kind > T_EOF_IN_BRACKET:
        if token.kind == T_FSTRING_START:
            depth += 1
        elif token.kind == T_FSTRING_END:
            depth -= 1
            if depth == 0:
                return token
        token += 1
    return token


cdef object node_error(Parser p, Node node, str message):
    return range_error(p, node, node, message)


cdef object range_error(Parser p, Node first, Node last, str message):
    return syntax_error(message, p.filename, p.lexer.owner, first.lineno, first.col_offset, last.end_lineno,
                        last.end_col_offset)


cdef object last_error(Parser p, str message, cls=SyntaxError):
    return token_error(p, last(p), message, cls)


cdef object error_from(Parser p, int lineno, int col, str message):
    """From a place to where the tokenizer stands (CPython counts that from 0)."""
    cdef Token *end = last(p)
    return syntax_error(message, p.filename, p.lexer.owner, lineno, col, end.end_lineno, end.end_col - 1)


cdef Token *last(Parser p) noexcept:
    return p.tok if p.tok > p.furthest else p.furthest


cdef int end_error(Parser p) except -1:
    """The second pass has come to the end of the tokens."""
    if p.tok.kind == T_EOF_IN_BRACKET:
        raise unclosed_error(p)
    if p.tok.kind == T_ERROR:
        raise p.lexer.error
    return 0


cdef object unclosed_error(Parser p):
    cdef Bracket *bracket = &p.lexer.brackets[p.lexer.level - 1]
    cdef Py_ssize_t after = 0
    text = None
    error = syntax_error(f"'{chr(bracket.opener)}' was never closed", p.filename, p.lexer.owner,
                         bracket.lineno, bracket.col)
    for _ in range(bracket.lineno):
        after = p.lexer.owner.find("\n", after) + 1
        if not after:
            break
    if 0 < after < len(p.lexer.owner):
        text = error.text.rstrip("\n")
    return SyntaxError(error.msg, (p.filename, bracket.lineno, error.offset, text or error.text, bracket.lineno, 0))


# --------------------------------------------------------------- the passes

cdef object shown_error(Parser p, str mode, object raised):
    """``find_error`` with the source text that CPython keeps."""
    error = whole_line_error(p, mode, raised)
    if mode != "exec" and error.text is not None and error.text.endswith("\n") and not p.lexer.owner.endswith("\n") \
            and error.lineno == p.lexer.owner.count("\n") + 1 and p.lexer.owner.endswith(error.text[:-1]):
        # Only a module gets the newline that its last line lacks.
        error.text = error.text[:-1]
        error.args = (error.msg, (p.filename, error.lineno, error.offset, error.text, *error.args[1][4:]))
    return error


cdef object whole_line_error(Parser p, str mode, object raised):
    """The error's text: when the line goes on from an earlier one, by a string or a backslash, that one is part of it."""
    cdef Token *token = p.lexer.tokens
    cdef int first
    error = find_error(p, mode, raised)
    if error is p.tokenizer_error and not error.msg.startswith("unexpected character after"):
        return error
    if error.text is None or not error.lineno:
        return error
    lines = p.lexer.owner.split("\n")
    if error.text.rstrip("\n") != lines[error.lineno - 1]:
        return error
    first = error.lineno
    while first > 1 and lines[first - 2].endswith("\\"):
        first -= 1
    while token.kind > T_EOF_IN_BRACKET and token.lineno < first:
        if token.kind == T_STRING and token.end_lineno >= first:
            first = token.lineno
            while first > 1 and lines[first - 2].endswith("\\"):
                first -= 1
            token = p.lexer.tokens
        token += 1
    if first < error.lineno:
        error.text = "\n".join(lines[first - 1 : error.lineno]) + error.text[len(error.text.rstrip("\n")):]
        error.args = (error.msg, (p.filename, error.lineno, error.offset, error.text, *error.args[1][4:]))
    return error


cdef object find_error(Parser p, str mode, object raised):
    """The exception for a source that doesn't parse; ``raised`` is what a rule said."""
    cdef Token *furthest = p.furthest
    cdef Tokenizer lexer = p.lexer
    p.tokenizer_error = lexer.error
    if not PY312:
        # 3.11 looks into f-strings only after it has tokenized them whole
        lexer = Tokenizer(lexer.owner, p.filename, lexer.ends_line, True)
        p.tokenizer_error = lexer.error or p.tokenizer_error
        if furthest.kind <= T_EOF_IN_BRACKET and lexer.error is not None and is_hard(lexer.error):
            return lexer.error
        raised = fstring_error(p, furthest) or raised
    if raised is None:
        if furthest.kind == T_EOF_IN_BRACKET:
            return unclosed_error(p)
        if furthest.kind == T_ERROR:
            return p.lexer.error if lexer.error is None else lexer.error
        raised = second_pass(p, mode)
        if raised is None:
            if furthest.kind == T_INDENT:
                return token_error(p, furthest, "unexpected indent", IndentationError)
            if furthest.kind == T_DEDENT:
                return token_error(p, furthest, "unexpected unindent", IndentationError)
            raised = generic_error(p, furthest)
    if lexer.error is not None and is_hard(lexer.error) and not lexer.error_in_fstring:
        return lexer.error
    if lexer.level and p.lexer.level and last(p).lineno > lexer.brackets[lexer.level - 1].lineno and (
        lexer.error is None or not is_hard(lexer.error)
    ) and not (PY312 and lexer.fstrings):
        return unclosed_error(p)
    return raised


cdef bint is_hard(error):
    """Does CPython show this error of the tokenizer even if the grammar's comes before it?"""
    return type(error) is SyntaxError and not error.msg.startswith("unexpected ")


cdef object fstring_error(Parser p, Token *furthest):
    """What 3.11 says when the f-string that the parser or tokenizer stopped in is wrong."""
    cdef Token *token = p.lexer.tokens
    cdef Token *start = NULL
    cdef int depth = 0
    while token.kind > T_EOF_IN_BRACKET and token <= furthest:
        if token.kind == T_FSTRING_START:
            if depth == 0:
                start = token
            depth += 1
        elif token.kind == T_FSTRING_END:
            depth -= 1
            if depth == 0 and token < furthest:
                start = NULL
        token += 1
    if start == NULL:
        return None
    from .fstring_errors import find_fstring_error
    return find_fstring_error(p.lexer.owner, p.filename, start.start, start.lineno, start.level > 0, p.lexer.ends_line)


cdef object generic_error(Parser p, Token *token):
    if token.col == -1:
        if not p.lexer.size:
            return SyntaxError("invalid syntax", (p.filename, 0, 0, "", 0, 0))
        error = token_error(p, token, "invalid syntax")
        return SyntaxError("invalid syntax", (p.filename, token.lineno, 0, error.text, token.lineno, 0))
    return token_error(p, token, "invalid syntax")


cdef object second_pass(Parser p, str mode):
    """Parse again, looking for known mistakes; None when there is none."""
    p.tok = p.lexer.tokens
    p.depth = 0
    p.diagnose = p.backtrack = True
    try:
        parse_mode(p, mode)
    except (ParseFailure, Exhausted):
        return None
    except SyntaxError as error:
        return error
    return None


cdef Node attempt(Parser p, int rule, bint diagnose):
    """Try a rule where p.tok is; None (and p.tok as it was) when it doesn't match."""
    cdef Token *start = p.tok
    cdef bint before = p.diagnose
    cdef int depth = p.depth
    cdef Node node
    check_work(p)
    if p.attempts > MAX_ATTEMPTS:
        raise Exhausted
    p.attempts += 1
    p.diagnose = diagnose
    try:
        if rule == TRY_EXPRESSION:
            node = expression(p)
        elif rule == TRY_STAR_EXPRESSIONS:
            node = star_expressions(p)
        elif rule == TRY_STAR_EXPRESSION:
            node = star_expression(p)
        elif rule == TRY_BITOR:
            node = binary(p, PREC_BITOR)
        elif rule == TRY_DISJUNCTION:
            node = binary(p, PREC_OR)
        elif rule == TRY_STAR_NAMED:
            node = star_named_expression(p)
        elif rule == TRY_STARRED:
            node = starred(p, False)
        elif rule == TRY_ATOM:
            node = atom(p)
        elif rule == TRY_YIELD:
            node = yield_expression(p)
        elif rule == TRY_SUBJECT:
            node = match_subject(p)
        elif rule == TRY_PATTERN:
            node = as_pattern(p)
        elif rule == TRY_ARGUMENT:
            node = argument(p)
        elif rule == TRY_TARGET:
            node = for_target(p)
        elif rule == TRY_TARGETS:
            node = target_list(p)
        else:
            node = last_clause_item(comprehension_clauses(p))
        p.work += p.tok - start
        if p.tok > p.furthest:
            p.furthest = p.tok
            if p.backtrack and p.tok.kind <= T_EOF_IN_BRACKET:
                end_error(p)
    except ParseFailure:
        give_back(p, start, depth)
        node = None
    p.attempts -= 1
    p.diagnose = before
    return node


cdef Node attempt_trailer(Parser p, Token *start, Node node):
    """A call or subscript of ``node``, or None when its bracket doesn't hold one."""
    cdef Token *mark = p.tok
    cdef int depth = p.depth
    check_work(p)
    try:
        if mark.kind == T_LPAR:
            return call(p, start, node)
        return subscript(p, start, node)
    except ParseFailure:
        give_back(p, mark, depth)
    return None


cdef Node attempt_operation(Parser p, Token *start, Node left, int kind, int precedence):
    """``left`` joined by the operator at hand, or None when no operand follows it."""
    cdef Token *mark = p.tok
    cdef int depth = p.depth
    check_work(p)
    try:
        return operation(p, start, left, kind, precedence)
    except ParseFailure:
        give_back(p, mark, depth)
    return None


cdef Node conditional_or_body(Parser p, Token *start, Node body):
    cdef Token *mark = p.tok
    cdef int depth = p.depth
    check_work(p)
    try:
        return conditional(p, start, body)
    except ParseFailure:
        give_back(p, mark, depth)
    return body


cdef Node power_or_base(Parser p, Token *start, Node base):
    cdef Token *mark = p.tok
    cdef int depth = p.depth
    check_work(p)
    try:
        return power(p, start, base)
    except ParseFailure:
        give_back(p, mark, depth)
    return base


cdef int check_work(Parser p) except -1:
    if p.work > 20 * p.lexer.count + 10000:
        raise Exhausted
    return 0


cdef void give_back(Parser p, Token *mark, int depth) noexcept:
    p.work += p.tok - mark
    p.tok = mark
    p.depth = depth


cdef enum:
    MAX_ATTEMPTS = 400      # inside each other


cdef enum Rule:
    TRY_EXPRESSION
    TRY_STAR_EXPRESSIONS
    TRY_STAR_EXPRESSION
    TRY_BITOR
    TRY_DISJUNCTION
    TRY_STAR_NAMED
    TRY_STARRED
    TRY_ATOM
    TRY_YIELD
    TRY_SUBJECT
    TRY_PATTERN
    TRY_ARGUMENT
    TRY_TARGET
    TRY_TARGETS
    TRY_CLAUSES             # gives the last expression in the clauses


cdef Node last_clause_item(list clauses):
    cdef comprehension clause = <comprehension>clauses[len(clauses) - 1]
    if clause.ifs:
        return <Node>clause.ifs[len(clause.ifs) - 1]
    return clause.iter


# ------------------------------------------------------------------- words

cdef str expression_name(Node node):
    """What CPython's messages call an expression."""
    cdef int kind = node.kind
    if kind == K_Constant:
        value = (<Constant>node).value
        if value is None or value is True or value is False:
            return str(value)
        return "ellipsis" if value is Ellipsis else "literal"
    return EXPRESSION_NAMES[type(node).__name__]


cdef dict EXPRESSION_NAMES = {
    "Attribute": "attribute", "Subscript": "subscript", "Starred": "starred", "Name": "name", "List": "list",
    "Tuple": "tuple", "Lambda": "lambda", "Call": "function call", "BoolOp": "expression",
    "BinOp": "expression", "UnaryOp": "expression", "GeneratorExp": "generator expression",
    "Yield": "yield expression", "YieldFrom": "yield expression", "Await": "await expression",
    "ListComp": "list comprehension", "SetComp": "set comprehension", "DictComp": "dict comprehension",
    "Dict": "dict literal", "Set": "set display", "JoinedStr": "f-string expression",
    "Compare": "comparison", "IfExp": "conditional expression", "NamedExpr": "named expression",
    "Slice": "slice",
}


cdef Node invalid_target(Node node, int ctx, bint in_for):
    """The part of ``node`` that can't be assigned to (or deleted), or None."""
    cdef int kind = node.kind
    cdef Node item, found
    if kind == K_Tuple or kind == K_List:
        for item in ((<Tuple>node).elts if kind == K_Tuple else (<List>node).elts):
            found = invalid_target(item, ctx, in_for)
            if found is not None:
                return found
        return None
    if kind == K_Starred:
        return node if ctx == CTX_Del else invalid_target((<Starred>node).value, ctx, in_for)
    if kind == K_Compare and in_for:
        if (<Compare>node).ops[0] == CMP_In:
            return invalid_target((<Compare>node).left, ctx, in_for)
        return None
    if kind == K_Name or kind == K_Attribute or kind == K_Subscript:
        return None
    return node


cdef int check_target(Parser p, Node node, int ctx, bint in_for) except -1:
    cdef Node bad = invalid_target(node, ctx, in_for)
    if bad is not None:
        verb = "delete" if ctx == CTX_Del else "assign to"
        raise node_error(p, bad, f"cannot {verb} {expression_name(bad)}")
    return 0


cdef bint is_soft_keyword(Parser p, Token *token) noexcept:
    """CPython compares only as many bytes as the name has, so "m" counts as "match"."""
    cdef const char *text = p.buf + token.start
    cdef int length = token.end - token.start
    if token.kind != T_NAME:
        return False
    return ((length <= 5 and memcmp(text, b"match", length) == 0) or (length <= 4 and memcmp(text, b"case", length) == 0)
            or (length == 1 and text[0] == c'_')
            or (PY312 and length <= 4 and memcmp(text, b"type", length) == 0))


cdef bint is_legacy(Node node):
    return node.kind == K_Name and ((<Name>node).id == "print" or (<Name>node).id == "exec")


# ------------------------------------------------------------- expressions

cdef int expression_mistakes(Parser p, Token *start, Node body) except -1:
    """After the test at the start of an expression."""
    cdef Token *mark = p.tok
    cdef Node other
    if STARTS_EXPRESSION[mark.kind] and not is_soft_keyword(p, start) and not (
        start.kind == T_NAME and (start[1].kind == T_STRING or (start[1].kind == T_FSTRING_START and not PY312))
    ):
        other = attempt(p, TRY_EXPRESSION, False)
        if other is None:
            other = attempt(p, TRY_DISJUNCTION, False)
        if other is not None and not is_legacy(body) and p.tok[-1].level:
            raise range_error(p, body, other, "invalid syntax. Perhaps you forgot a comma?")
        p.tok = mark
        if other is None and mark == start + 1:
            return 0        # CPython remembers that nothing is there
    legacy = start.kind == T_NAME and (is_word(p, start, "print", 5) or is_word(p, start, "exec", 4))
    if start.kind == T_NAME and start[1].kind != T_LPAR and (legacy or (
        # what an operator or bracket begins has been looked at already
        STARTS_EXPRESSION[start[1].kind] and PRECEDENCE[start[1].kind] == PREC_NONE and start[1].kind != T_LSQB
    )):
        p.tok = start + 1
        other = attempt(p, TRY_STAR_EXPRESSIONS, True)
        if other is not None and legacy:
            word = name_text(p, start)
            raise syntax_error(
                f"Missing parentheses in call to '{word}'. Did you mean {word}(...)?", p.filename, p.lexer.owner,
                start.lineno, start.col, other.end_lineno, other.end_col_offset,
            )
        p.tok = mark
    return 0


cdef int missing_else(Parser p, Node body, Node test) except -1:
    if p.tok.kind != T_COLON:
        raise range_error(p, body, test, "expected 'else' after 'if' expression")
    return 0


cdef Node named_expression_or_mistake(Parser p):
    cdef Token *start = p.tok
    cdef Token *mark
    cdef Node node = expression(p)
    cdef Node other
    mark = p.tok
    if mark.kind == T_COLONEQUAL:
        p.tok += 1
        if attempt(p, TRY_EXPRESSION, True) is not None:
            raise node_error(p, node, f"cannot use assignment expressions with {expression_name(node)}")
        p.tok = mark
    elif mark.kind == T_EQUAL:
        if start.kind == T_NAME and start + 1 == mark:
            p.tok += 1
            other = attempt(p, TRY_BITOR, True)
            if other is not None and p.tok.kind != T_EQUAL and p.tok.kind != T_COLONEQUAL:
                raise range_error(
                    p, node, other, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
                )
        p.tok = start
        if not begins_with_display(p):
            node = binary(p, PREC_BITOR)
            if p.tok.kind == T_EQUAL:
                p.tok += 1
                other = attempt(p, TRY_BITOR, True)
                if other is not None and p.tok.kind != T_EQUAL and p.tok.kind != T_COLONEQUAL:
                    raise node_error(
                        p, node,
                        f"cannot assign to {expression_name(node)} here. Maybe you meant '==' instead of '='?",
                    )
        p.tok = start
        node = expression(p)
    return node


cdef bint begins_with_display(Parser p) except -1:
    """Is a list, tuple, generator expression, True, None or False next?"""
    cdef Token *start = p.tok
    cdef Node node
    if start.kind == T_TRUE or start.kind == T_FALSE or start.kind == T_NONE:
        return True
    if start.kind != T_LPAR and start.kind != T_LSQB:
        return False
    node = attempt(p, TRY_ATOM, True)
    p.tok = start
    if node is None:
        return False
    return ((node.kind == K_List or node.kind == K_Tuple or node.kind == K_GeneratorExp)
            and node.lineno == start.lineno and node.col_offset == start.col)


# ----------------------------------------------------- displays and groups

cdef int group_mistakes(Parser p, Token *opener) except -1:
    """Before the contents of a parenthesis."""
    if p.tok.kind != T_DOUBLESTAR:
        return 0
    p.tok += 1
    if attempt(p, TRY_EXPRESSION, True) is not None and p.tok.kind == T_RPAR:
        raise token_error(p, opener + 1, "cannot use double starred expression here")
    p.tok = opener + 1
    return 0


cdef int display_mistakes(Parser p, Token *opener) except -1:
    """The contents of a bracket don't end in its closer."""
    cdef Token *mark = p.tok
    cdef Token *comma
    cdef Node first, item
    p.tok = opener + 1
    if p.tok.kind == T_STAR:
        first = attempt(p, TRY_STARRED, True)
        if first is not None:
            if opener.kind == T_LPAR and p.tok.kind == T_RPAR:
                raise node_error(p, first, "cannot use starred expression here")
            if attempt(p, TRY_CLAUSES, True) is not None:
                raise node_error(p, first, "iterable unpacking cannot be used in comprehension")
    elif p.tok.kind == T_DOUBLESTAR and opener.kind == T_LBRACE:
        p.tok += 1
        if attempt(p, TRY_BITOR, True) is not None and attempt(p, TRY_CLAUSES, True) is not None:
            if p.tok.kind == T_RBRACE:
                raise token_error(p, opener + 1, "dict unpacking cannot be used in dict comprehension")
    if opener.kind != T_LPAR:
        p.tok = opener + 1
        first = attempt(p, TRY_STAR_NAMED, True)
        if first is not None and p.tok.kind == T_COMMA:
            comma = p.tok
            item = first
            while p.tok.kind == T_COMMA:
                comma = p.tok
                p.tok += 1
                if p.tok.kind == T_FOR or p.tok.kind == T_ASYNC:
                    break
                item = attempt(p, TRY_STAR_NAMED, True)
                if item is None:
                    break
            if item is not None and attempt(p, TRY_CLAUSES, True) is not None:
                message = "did you forget parentheses around the comprehension target?"
                if item is first:
                    raise span_error(p, first.lineno, first.col_offset, comma, message)
                raise range_error(p, first, item, message)
    p.tok = mark
    return 0


cdef int dict_key_mistake(Parser p) except -1:
    """Before a key that is not the first: a colon must follow it."""
    cdef Token *mark = p.tok
    cdef Node key = attempt(p, TRY_EXPRESSION, False)
    colon_follows = p.tok.kind == T_COLON
    p.tok = mark
    if key is None or colon_follows:
        return 0
    raise syntax_error("':' expected after dictionary key", p.filename, p.lexer.owner, key.lineno,
                       key.end_col_offset - 1, key.end_lineno, -1)


cdef int dict_value_mistakes(Parser p) except -1:
    """After the colon of a dict item."""
    cdef Token *mark = p.tok
    if mark.kind == T_STAR:
        p.tok += 1
        if attempt(p, TRY_BITOR, p.diagnose) is not None:
            raise error_from(p, mark.lineno, mark.col, "cannot use a starred expression in a dictionary value")
        p.tok = mark
    elif mark.kind == T_RBRACE or mark.kind == T_COMMA:
        raise token_error(p, mark - 1, "expression expected after dictionary key and ':'")
    return 0


cdef int for_target_mistakes(Parser p, bint in_comprehension) except -1:
    """After ``for``: do targets follow, and then ``in``?"""
    cdef Token *mark = p.tok
    cdef Node node = attempt(p, TRY_TARGETS, False)
    if node is None or p.tok.kind != T_IN or not set_context(node, CTX_Store):
        if in_comprehension and PY313:
            p.tok = mark
            while attempt(p, TRY_BITOR, True) is not None and accept(p, T_COMMA):
                pass
            if p.tok > mark and p.tok.kind != T_IN:
                raise last_error(p, "'in' expected after for-loop variables")
        p.tok = mark
        node = attempt(p, TRY_STAR_EXPRESSIONS, True)
        if node is not None:
            check_target(p, node, CTX_Store, True)
    p.tok = mark
    return 0


# --------------------------------------------------------------- arguments

cdef struct ArgumentsSeen:
    int positional          # with starred ones
    bint any
    bint plain              # a positional one without star
    bint named
    bint doubled
    Token *end


cdef Node arguments_prefix(Parser p, ArgumentsSeen *seen):
    """As many arguments as are in a right order; returns the last positional one."""
    cdef Node final = None
    cdef Node node
    cdef Token *mark
    seen.positional = 0
    seen.any = seen.plain = seen.named = seen.doubled = False
    while True:
        mark = p.tok
        if mark.kind == T_NAME and mark[1].kind == T_EQUAL:
            p.tok += 2
            if attempt(p, TRY_EXPRESSION, True) is None:
                p.tok = mark
                break
            seen.named = True
        elif mark.kind == T_DOUBLESTAR:
            p.tok += 1
            if attempt(p, TRY_EXPRESSION, True) is None:
                p.tok = mark
                break
            seen.doubled = True
        elif mark.kind == T_STAR:
            if seen.doubled:
                break
            node = attempt(p, TRY_STARRED, True)
            if node is None:
                break
            seen.positional += 1
            final = node
        else:
            if seen.named or seen.doubled:
                break
            node = attempt(p, TRY_ARGUMENT, True)
            if node is None:
                break
            if p.tok.kind == T_EQUAL or p.tok.kind == T_COLONEQUAL:
                p.tok = mark
                break
            seen.positional += 1
            seen.plain = True
            final = node
        seen.any = True
        seen.end = p.tok
        if p.tok.kind != T_COMMA:
            return final
        p.tok += 1
    if seen.any:
        p.tok = seen.end
    return final


cdef int argument_mistakes(Parser p, Token *opener) except -1:
    """The arguments of a call or class don't end in a parenthesis."""
    cdef Token *mark = p.tok
    cdef Token *first = opener + 1
    cdef ArgumentsSeen seen, more
    cdef Node node, end, final
    p.tok = first
    final = arguments_prefix(p, &seen)
    if seen.any and p.tok.kind == T_COMMA and p.tok[1].kind == T_STAR and (
        seen.named or seen.doubled or not seen.plain
    ):
        message = "iterable argument unpacking follows keyword argument unpacking"
        if PY313:
            p.furthest = p.tok + 1 if p.furthest <= p.tok else p.furthest
            raise error_from(p, p.tok.lineno, p.tok.col, message)
        raise token_error(p, p.tok + 1, message)
    p.tok = first
    node = attempt(p, TRY_EXPRESSION, True)
    if node is not None:
        end = attempt(p, TRY_CLAUSES, True)
        if end is not None and p.tok.kind == T_COMMA:
            p.tok += 1
            arguments_prefix(p, &more)
            raise range_error(p, node, end, "Generator expression must be parenthesized")
    if seen.any:
        p.tok = seen.end
        if p.tok.kind == T_FOR or p.tok.kind == T_ASYNC:
            end = attempt(p, TRY_CLAUSES, True)
            if end is not None and seen.positional > 1:
                raise range_error(p, final, end, "Generator expression must be parenthesized")
        elif p.tok.kind == T_COMMA:
            p.tok += 1
            node = attempt(p, TRY_EXPRESSION, True)
            if node is not None:
                end = attempt(p, TRY_CLAUSES, True)
                if end is not None:
                    raise range_error(p, node, end, "Generator expression must be parenthesized")
            p.tok = seen.end + 1
            arguments_prefix(p, &more)
            if more.any:
                raise last_error(
                    p,
                    "positional argument follows keyword argument"
                    + (" unpacking" if seen.doubled else ""),
                )
    p.tok = mark
    return 0


cdef bint is_only_generator(Parser p, Token *opener) except -1:
    """Standing at ``for``: is the generator expression the only argument?"""
    cdef Token *mark = p.tok
    cdef bint only
    p.tok = opener + 1
    attempt(p, TRY_ARGUMENT, False)
    only = p.tok == mark and attempt(p, TRY_CLAUSES, False) is not None and p.tok.kind == T_RPAR
    p.tok = mark
    return only


cdef Node starred_argument_or_mistake(Parser p, Token *opener):
    cdef Token *start = p.tok
    cdef Node node = attempt(p, TRY_STARRED, True)
    if node is None:
        argument_mistakes(p, opener)
        fail(p)
    unpacking_mistake(p, start)
    return node


cdef int unpacking_mistake(Parser p, Token *start) except -1:
    """At ``=`` after a starred argument."""
    cdef Node node
    cdef Token *mark = p.tok
    if PY312 and mark.kind == T_EQUAL:
        p.tok += 1
        node = attempt(p, TRY_EXPRESSION, True)
        if node is not None:
            kind = "iterable" if start.kind == T_STAR else "keyword"
            raise syntax_error(
                f"cannot assign to {kind} argument unpacking", p.filename, p.lexer.owner, start.lineno, start.col,
                node.end_lineno, node.end_col_offset,
            )
        p.tok = mark
    return 0


cdef int star_expression_mistake(Parser p) except -1:
    """After the star of an argument or index."""
    cdef Token *mark = p.tok
    # quietly first, since the value is parsed again and calls nest
    if attempt(p, TRY_EXPRESSION, False) is None and attempt(p, TRY_EXPRESSION, True) is None:
        raise last_error(p, "Invalid star expression")
    p.tok = mark
    return 0


cdef bint after_arithmetic(Parser p) noexcept:
    """Whether the token before is an operator after which the host looks for a ``not``."""
    cdef int kind = p.tok[-1].kind if p.tok > p.lexer.tokens else T_NEWLINE
    return (kind == T_PLUS or kind == T_MINUS or kind == T_STAR or kind == T_SLASH or kind == T_DOUBLESLASH
            or kind == T_PERCENT or kind == T_AT or kind == T_TILDE)


cdef int not_mistake(Parser p) except -1:
    """At a ``not`` that is the operand of a tighter operator."""
    cdef Token *mark = p.tok
    cdef Node node
    p.tok += 1
    node = binary(p, PREC_NOT)
    raise syntax_error("'not' after an operator must be parenthesized", p.filename, p.lexer.owner, mark.lineno,
                       mark.col, node.end_lineno, node.end_col_offset)


cdef int keyword_mistakes(Parser p) except -1:
    """Before an argument."""
    cdef Token *mark = p.tok
    if mark[1].kind != T_EQUAL:
        return 0
    if mark.kind == T_TRUE or mark.kind == T_FALSE or mark.kind == T_NONE:
        word = PyUnicode_DecodeUTF8(p.buf + mark.start, mark.end - mark.start, NULL)
        raise span_error(p, mark.lineno, mark.col, mark + 1, f"cannot assign to {word}")
    if mark.kind == T_NAME:
        p.tok += 2
        if PY312 and (p.tok.kind == T_COMMA or p.tok.kind == T_RPAR):
            raise span_error(p, mark.lineno, mark.col, mark + 1, "expected argument value expression")
        # quietly, since the value is parsed again and calls nest
        if attempt(p, TRY_EXPRESSION, False) is not None and attempt(p, TRY_CLAUSES, True) is not None:
            raise span_error(p, mark.lineno, mark.col, mark + 1,
                             "invalid syntax. Maybe you meant '==' or ':=' instead of '='?")
        p.tok = mark
    return 0


include "invalid_statements.pxi"
