# SyntaxWarnings of the compiler stage. Included by codegen.pyx.

cdef int warn(Gen g, str message, Node at) except -1:
    """Records a SyntaxWarning; code that is generated several times (finally bodies) warns once."""
    row = ("SyntaxWarning", message, at.lineno, at.col_offset)
    if g.table.warnings is None:
        g.table.warnings = []
    if row not in g.table.warnings:
        g.table.warnings.append(row)
    return 0


cdef object display_type(Node e):
    """The type that an expression surely has, or None."""
    cdef int k = e.kind
    if k == K_Constant:
        return type((<Constant>e).value)
    if k == K_Tuple:
        return tuple
    if k == K_List or k == K_ListComp:
        return list
    if k == K_Dict or k == K_DictComp:
        return dict
    if k == K_Set or k == K_SetComp:
        return set
    if k == K_GeneratorExp:
        return _GeneratorType
    if k == K_Lambda:
        return _FunctionType
    if k == K_JoinedStr or k == K_FormattedValue:
        return str
    return None


_GeneratorType = type((x for x in ()))
_FunctionType = types.FunctionType


cdef int warn_call(Gen g, Call e) except -1:
    """Calling a literal."""
    cdef int k = e.func.kind
    if (k == K_Constant or K_Dict <= k <= K_GeneratorExp or k == K_Tuple or k == K_List or k == K_JoinedStr
            or k == K_FormattedValue):
        warn(g, f"'{display_type(e.func).__name__[:200]}' object is not callable; perhaps you missed a comma?", e)
    return 0


cdef int warn_subscript(Gen g, Subscript e) except -1:
    """Subscripts of literals that have none, and literal indices of the wrong type."""
    cdef int k = e.value.kind
    if k == K_Name or k == K_Attribute or k == K_Call:
        return 0
    kind = display_type(e.value)
    if k == K_Constant and kind not in (str, bytes, tuple) or k in (K_Set, K_SetComp, K_GeneratorExp, K_Lambda):
        warn(g, f"'{kind.__name__[:200]}' object is not subscriptable; perhaps you missed a comma?", e)
        return 0
    if kind in (str, bytes, tuple, list):
        value = constant_of(e.slice)
        index = type(value) if value is not NOT_CONSTANT else display_type(e.slice)
        if index is not None and not issubclass(index, int) and e.slice.kind != K_Slice:
            warn(g, f"{kind.__name__[:200]} indices must be integers or slices, not {index.__name__[:200]}; "
                    "perhaps you missed a comma?", e)
    return 0


cdef bint is_plain_literal(Node e):
    """A number, string or tuple literal, which `is` should not be used on."""
    cdef int k = e.kind
    if k != K_Constant and k != K_UnaryOp and k != K_BinOp and k != K_Tuple:
        return False
    value = fold(e)
    return not (value is NOT_CONSTANT or value is None or value is Ellipsis or type(value) is bool)


cdef int warn_identity(Gen g, Compare e, int first) except -1:
    """`is` with a literal; first: the first operator, which a `not` may have inverted."""
    cdef int i, op
    cdef Node left = e.left
    cdef Node right
    cdef Node literal
    for i in range(len(e.ops)):
        op = <int>e.ops[i] if i else first
        right = e.comparators[i]
        if op == CMP_Is or op == CMP_IsNot:
            literal = left if is_plain_literal(left) else (right if is_plain_literal(right) else None)
            if literal is not None:
                what = "a literal" if OLD_PLACES else f"'{type(fold(literal)).__name__}' literal"
                sign, other = ("is", "==") if op == CMP_Is else ("is not", "!=")
                warn(g, f'"{sign}" with {what}. Did you mean "{other}"?', e)
        left = right
    return 0
