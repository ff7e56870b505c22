# Patterns of the match statement.  Part of parser.pyx.


cdef Node patterns(Parser p):
    """What follows ``case``: a pattern, or a sequence without brackets."""
    cdef Token *start = p.tok
    cdef MatchSequence node
    cdef Node first = maybe_star_pattern(p)
    if p.tok.kind != T_COMMA:
        if first.kind == K_MatchStar:
            fail(p)
        return first
    node = MatchSequence.__new__(MatchSequence)
    node.patterns = [first]
    rest_of_sequence(p, node.patterns, T_COLON)
    span(p, node, start)
    return node


cdef int rest_of_sequence(Parser p, list items, int closer) except -1:
    while accept(p, T_COMMA):
        if p.tok.kind == closer or (closer == T_COLON and p.tok.kind == T_IF):
            break
        items.append(maybe_star_pattern(p))
    return 0


cdef Node maybe_star_pattern(Parser p):
    cdef Token *start = p.tok
    cdef MatchStar node
    if start.kind != T_STAR:
        return as_pattern(p)
    p.tok += 1
    node = MatchStar.__new__(MatchStar)
    node.name = capture_name(p)
    span(p, node, start)
    return node


cdef str capture_name(Parser p):
    """A name, or None for ``_``."""
    cdef str text = name_text(p, expect(p, T_NAME))
    cdef int kind = p.tok.kind
    if text == "_":
        return None
    if kind == T_DOT or kind == T_LPAR or kind == T_EQUAL:
        fail(p)
    return text


cdef Node as_pattern(Parser p):
    cdef Token *start = p.tok
    cdef MatchAs node
    cdef Node inner
    enter(p)
    inner = or_pattern(p)
    if p.tok.kind == T_AS:
        p.tok += 1
        if p.diagnose:
            as_pattern_mistakes(p)
        node = MatchAs.__new__(MatchAs)
        node.pattern = inner
        node.name = capture_name(p)
        if node.name is None:
            p.tok -= 1
            fail(p)
        span(p, node, start)
        inner = node
    p.depth -= 1
    return inner


cdef Node or_pattern(Parser p):
    cdef Token *start = p.tok
    cdef MatchOr node
    cdef Node first = closed_pattern(p)
    if p.tok.kind != T_VBAR:
        return first
    node = MatchOr.__new__(MatchOr)
    node.patterns = [first]
    while accept(p, T_VBAR):
        node.patterns.append(closed_pattern(p))
    span(p, node, start)
    return node


cdef Node closed_pattern(Parser p):
    cdef Token *start = p.tok
    cdef int kind = start.kind
    cdef MatchSingleton singleton
    cdef MatchValue value
    cdef MatchAs capture
    if kind == T_NAME:
        kind = start[1].kind
        # "_" is the wildcard, even where a value or class could begin
        if (kind == T_DOT or kind == T_LPAR) and not is_word(p, start, "_", 1):
            return value_or_class_pattern(p)
        capture = MatchAs.__new__(MatchAs)
        capture.name = capture_name(p)
        span(p, capture, start)
        return capture
    if kind == T_NONE or kind == T_TRUE or kind == T_FALSE:
        singleton = MatchSingleton.__new__(MatchSingleton)
        singleton.value = None if kind == T_NONE else kind == T_TRUE
        span_token(singleton, start)
        p.tok += 1
        return singleton
    if kind == T_LPAR:
        return group_or_sequence_pattern(p)
    if kind == T_LSQB:
        return sequence_pattern(p)
    if kind == T_LBRACE:
        return mapping_pattern(p)
    value = MatchValue.__new__(MatchValue)
    value.value = literal_pattern(p)
    span(p, value, start)
    return value


cdef Node literal_pattern(Parser p):
    """A number, complex number, or string."""
    cdef Token *start = p.tok
    cdef BinOp node
    cdef Node left, right
    if start.kind == T_STRING or start.kind == T_FSTRING_START:
        return strings(p)
    left = signed_number(p)
    if p.tok.kind != T_PLUS and p.tok.kind != T_MINUS:
        return left
    node = BinOp.__new__(BinOp)
    node.op = OPERATOR[p.tok.kind]
    if is_imaginary(left):
        raise node_error(p, left, "real number required in complex literal")
    p.tok += 1
    if p.tok.kind != T_NUMBER:
        fail(p)
    right = atom(p)
    if not is_imaginary(right):
        raise node_error(p, right, "imaginary number required in complex literal")
    node.left = left
    node.right = right
    span(p, node, start)
    return node


cdef bint is_imaginary(Node node):
    if node.kind == K_UnaryOp:
        node = (<UnaryOp>node).operand
    return type((<Constant>node).value) is complex


cdef Node signed_number(Parser p):
    cdef Token *start = p.tok
    cdef UnaryOp node
    if start.kind == T_NUMBER:
        return atom(p)
    if start.kind != T_MINUS:
        fail(p)
    p.tok += 1
    if p.tok.kind != T_NUMBER:
        fail(p)
    node = UnaryOp.__new__(UnaryOp)
    node.op = UOP_USub
    node.operand = atom(p)
    span(p, node, start)
    return node


cdef Node name_or_attribute(Parser p):
    cdef Token *start = p.tok
    cdef Node node = name(p, CTX_Load)
    cdef Attribute attribute
    while accept(p, T_DOT):
        attribute = Attribute.__new__(Attribute)
        attribute.value = node
        attribute.attr = name_text(p, expect(p, T_NAME))
        attribute.ctx = CTX_Load
        span(p, attribute, start)
        grow(p, 0)
        node = attribute
    return node


cdef Node value_or_class_pattern(Parser p):
    cdef Token *start = p.tok
    cdef MatchValue value
    cdef MatchClass node
    cdef Token *word
    cdef Node head = name_or_attribute(p)
    if p.tok.kind != T_LPAR:
        value = MatchValue.__new__(MatchValue)
        value.value = head
        span(p, value, start)
        return value
    node = MatchClass.__new__(MatchClass)
    node.cls = head
    node.patterns = []
    node.kwd_attrs = []
    node.kwd_patterns = []
    p.tok += 1
    while p.tok.kind != T_RPAR:
        word = p.tok
        if word.kind == T_NAME and word[1].kind == T_EQUAL:
            p.tok += 2
            node.kwd_attrs.append(name_text(p, word))
            node.kwd_patterns.append(as_pattern(p))
        else:
            if node.kwd_attrs:
                if p.diagnose:
                    class_pattern_mistake(p)
                fail(p)
            node.patterns.append(as_pattern(p))
        if not accept(p, T_COMMA):
            break
    expect(p, T_RPAR)
    span(p, node, start)
    return node


cdef Node group_or_sequence_pattern(Parser p):
    cdef Token *start = expect(p, T_LPAR)
    cdef MatchSequence node
    cdef Node first
    if p.tok.kind != T_RPAR:
        first = maybe_star_pattern(p)
        if p.tok.kind != T_COMMA:
            if first.kind == K_MatchStar and start[1].kind == T_STAR:
                fail(p)
            expect(p, T_RPAR)
            return first
    node = MatchSequence.__new__(MatchSequence)
    node.patterns = []
    if p.tok.kind != T_RPAR:
        node.patterns.append(first)
        rest_of_sequence(p, node.patterns, T_RPAR)
    expect(p, T_RPAR)
    span(p, node, start)
    return node


cdef Node sequence_pattern(Parser p):
    cdef Token *start = expect(p, T_LSQB)
    cdef MatchSequence node = MatchSequence.__new__(MatchSequence)
    node.patterns = []
    if p.tok.kind != T_RSQB:
        node.patterns.append(maybe_star_pattern(p))
        rest_of_sequence(p, node.patterns, T_RSQB)
    expect(p, T_RSQB)
    span(p, node, start)
    return node


cdef Node mapping_pattern(Parser p):
    cdef Token *start = expect(p, T_LBRACE)
    cdef Token *key
    cdef MatchMapping node = MatchMapping.__new__(MatchMapping)
    node.keys = []
    node.patterns = []
    while p.tok.kind != T_RBRACE:
        key = p.tok
        if key.kind == T_DOUBLESTAR:
            p.tok += 1
            node.rest = capture_name(p)
            if node.rest is None:
                p.tok -= 1
                fail(p)
            accept(p, T_COMMA)
            break
        if key.kind == T_NAME:
            node.keys.append(name_or_attribute(p))
            if p.tok == key + 1:
                fail(p)
        elif key.kind == T_NONE or key.kind == T_TRUE or key.kind == T_FALSE:
            node.keys.append(atom(p))
        else:
            node.keys.append(literal_pattern(p))
        expect(p, T_COLON)
        node.patterns.append(as_pattern(p))
        if not accept(p, T_COMMA):
            break
    expect(p, T_RBRACE)
    span(p, node, start)
    return node
