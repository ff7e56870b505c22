# Expressions: dispatch, operators, displays, f-strings. Included by codegen.pyx.

cdef int operand(Gen g, Node e, int hint, Node later) except -1:
    """The register that holds the value of e: the local itself when e is one, else a temporary.

    hint: an empty temporary to use, or -1 for a new one.  later: what is evaluated between this and the use of the
    register (None for nothing), which matters when a := in it may rebind the local.
    """
    cdef Symbol sym
    cdef int reg
    if e.kind == K_Name:
        sym = find_symbol(g, mangled(g, (<Name>e).id))
        reg = plain_local(g, sym)
        if reg >= 0 and not (sym.flags & DEF_WALRUS and later is not None
                             and later.kind != K_Constant and later.kind != K_Name):
            check_local(g, sym, e)
            return reg
    elif e.kind == K_NamedExpr and later is None:
        reg = local_target(g, (<NamedExpr>e).target)
        if reg >= 0:
            gen_named(g, <NamedExpr>e, -1)
            return reg
    elif g.point >= 0 and (e.kind == K_Constant or e.kind == K_UnaryOp or e.kind == K_Tuple or e.kind == K_Slice):
        value = constant_of(e)
        if value is not NOT_CONSTANT:
            reg = g.const_reg(value)
            if reg >= 0:
                return reg
    if hint >= g.nlocals:
        reg = hint
    else:
        reg = g.push()
    gen_expr(g, e, reg)
    return reg


cdef int temp_operand(Gen g, Node e) except -1:
    """The value of e in a new temporary at the top."""
    cdef int reg = g.push()
    gen_expr(g, e, reg)
    return reg


cdef int gen_discard(Gen g, Node e) except -1:
    """Evaluates e for its effects."""
    cdef int top = g.top
    cdef int reg
    if e.kind == K_Constant:
        return 0
    reg = operand(g, e, -1, None)
    if is_temp(g, reg):
        g.emit(OP_CLEAR, reg, 1, 0)
    g.top = top
    return 0


cdef int gen_expr(Gen g, Node e, int dst) except -1:
    """dst = value of e. A temporary dst is empty before; a local dst is written last."""
    cdef int k = e.kind
    cdef int top = g.top
    cdef int r
    look_at_alarm()
    if k == K_Name:
        return load_name(g, <Name>e, dst)
    if k == K_Constant:
        mark(g, e)
        return load_const(g, (<Constant>e).value, dst)
    g.level += 1
    if g.level > MAX_LEVEL or k_stack_here() < k_thread_stack_floor():
        raise RecursionError("maximum recursion depth exceeded during compilation")
    if k == K_Call:
        gen_call(g, <Call>e, dst)
    elif k == K_Attribute:
        r = operand(g, (<Attribute>e).value, dst, None)
        mark_attribute(g, <Attribute>e)
        g.emit(OP_LOAD_ATTR, dst, r, g.site(mangled(g, (<Attribute>e).attr), 0, 0))
    elif k == K_BinOp:
        gen_binop(g, <BinOp>e, dst)
    elif k == K_Subscript:
        gen_subscript(g, <Subscript>e, dst)
    elif k == K_Compare:
        gen_compare(g, <Compare>e, dst)
    elif k == K_UnaryOp:
        gen_unary(g, <UnaryOp>e, dst)
    elif k == K_Tuple:
        gen_tuple(g, <Tuple>e, dst)
    elif k == K_List:
        gen_list(g, e, (<List>e).elts, dst)
    elif k == K_Set:
        gen_set(g, e, (<Set>e).elts, dst)
    elif k == K_Dict:
        gen_dict(g, <Dict>e, dst)
    elif k == K_JoinedStr:
        gen_joined(g, <JoinedStr>e, dst)
    elif k == K_FormattedValue:
        gen_formatted(g, <FormattedValue>e, dst)
    elif k == K_BoolOp:
        gen_boolop(g, <BoolOp>e, dst)
    elif k == K_IfExp:
        gen_ifexp(g, <IfExp>e, dst)
    elif k == K_Lambda:
        gen_lambda(g, <Lambda>e, dst)
    elif k == K_ListComp or k == K_SetComp or k == K_DictComp or k == K_GeneratorExp:
        gen_comprehension(g, e, dst)
    elif k == K_NamedExpr:
        gen_named(g, <NamedExpr>e, dst)
    elif k == K_Yield:
        gen_yield(g, <Yield>e, dst)
    elif k == K_YieldFrom:
        gen_yield_from(g, <YieldFrom>e, dst)
    elif k == K_Await:
        gen_await(g, <Await>e, dst)
    elif k == K_Slice:
        gen_slice(g, <Slice>e, dst)
    elif k == K_Starred:
        fail(g, "can't use starred expression here", e)
    else:
        fail(g, f"{type(e).__name__} is not an expression", e)
    g.top = top
    g.level -= 1
    return 0


cdef void mark_attribute(Gen g, Attribute e) noexcept:
    """The host counts an attribute that stands on a later line than its object from the name on."""
    cdef int length = len(e.attr)
    mark(g, e)
    if e.lineno != e.end_lineno:
        g.at.line = e.end_lineno
        if length <= e.end_col_offset:
            g.at.col = e.end_col_offset - length
            g.at.end_col = e.end_col_offset
        else:
            g.at.col = g.at.end_col = -1


# -- operators -----------------------------------------------------------------------------------
cdef int binary_opcode(int op) noexcept:
    return OP_ADD + op


cdef int immediate_opcode(int op) noexcept:
    """The variant whose right operand is a small integer, or -1."""
    if op == OP_Add:
        return OP_ADD_I
    if op == OP_Sub:
        return OP_SUB_I
    if op == OP_Mult:
        return OP_MUL_I
    if op == OP_Mod:
        return OP_MOD_I
    if op == OP_FloorDiv:
        return OP_FLOORDIV_I
    if op == OP_LShift:
        return OP_LSHIFT_I
    if op == OP_RShift:
        return OP_RSHIFT_I
    if op == OP_BitAnd:
        return OP_AND_I
    return -1


cdef int constant_opcode(int op) noexcept:
    """The variant whose right operand is a constant, or -1."""
    if op == OP_Add:
        return OP_ADD_K
    if op == OP_Sub:
        return OP_SUB_K
    if op == OP_Mult:
        return OP_MUL_K
    if op == OP_Div:
        return OP_DIV_K
    if op == OP_Mod:
        return OP_MOD_K
    if op == OP_Pow:
        return OP_POW_K
    return -1


cdef int reversed_opcode(int op) noexcept:
    """The variant whose left operand is a constant, or -1."""
    if op == OP_Add:
        return OP_RADD_K
    if op == OP_Sub:
        return OP_RSUB_K
    if op == OP_Mult:
        return OP_RMUL_K
    if op == OP_Div:
        return OP_RDIV_K
    return -1


cdef inline object constant_of(Node e):
    """The constant that e is after folding, or NOT_CONSTANT."""
    cdef int k = e.kind
    if k == K_Constant:
        return (<Constant>e).value
    if k == K_UnaryOp or k == K_BinOp or k == K_Tuple or k == K_Subscript or k == K_Slice:
        return fold(e)
    return NOT_CONSTANT


cdef int gen_binop(Gen g, BinOp e, int dst) except -1:
    cdef int op = e.op
    cdef int b, c, index, which
    right = constant_of(e.right)
    if right is not NOT_CONSTANT:
        left = fold(e)
        if left is not NOT_CONSTANT:
            mark(g, e)
            return load_const(g, left, dst)
        if type(right) is int and fits16(right):
            which = immediate_opcode(op)
            if which >= 0:
                b = operand(g, e.left, dst, None)
                mark(g, e)
                return g.emit(which, dst, b, <int>right)
        which = constant_opcode(op)
        if which >= 0:
            index = const16(g, right)
            if index >= 0:
                b = operand(g, e.left, dst, None)
                mark(g, e)
                return g.emit(which, dst, b, index)
    else:
        left = constant_of(e.left)
        if left is not NOT_CONSTANT:
            which = reversed_opcode(op)
            if which >= 0:
                index = const16(g, left)
                if index >= 0:
                    b = operand(g, e.right, dst, None)
                    mark(g, e)
                    return g.emit(which, dst, b, index)
    b = operand(g, e.left, dst, e.right)
    c = operand(g, e.right, dst if b != dst else -1, None)
    mark(g, e)
    return g.emit(OP_ADD + op, dst, b, c)


cdef int gen_unary(Gen g, UnaryOp e, int dst) except -1:
    cdef int b
    value = fold(e)
    if value is not NOT_CONSTANT:
        mark(g, e)
        return load_const(g, value, dst)
    if e.op == UOP_Not and e.operand.kind == K_Compare and len((<Compare>e.operand).ops) == 1:
        # `not a in b`, `not a is b`: one instruction, as CPython's optimizer does.
        b = <int>(<Compare>e.operand).ops[0]
        if b >= CMP_Is:
            return gen_single_compare(g, <Compare>e.operand, b ^ 1 if b < CMP_In else (CMP_In + CMP_NotIn) - b, dst)
    b = operand(g, e.operand, dst, None)
    mark(g, e)
    if e.op == UOP_Not:
        return g.emit(OP_NOT, dst, b, 0)
    if e.op == UOP_USub:
        return g.emit(OP_NEG, dst, b, 0)
    if e.op == UOP_UAdd:
        return g.emit(OP_POS, dst, b, 0)
    return g.emit(OP_INVERT, dst, b, 0)


cdef int gen_subscript(Gen g, Subscript e, int dst) except -1:
    cdef int b, c, index
    warn_subscript(g, e)
    value = fold(e)
    if value is not NOT_CONSTANT:
        mark(g, e)
        return load_const(g, value, dst)
    key = constant_of(e.slice)
    if key is not NOT_CONSTANT:
        if type(key) is int and fits16(key):
            b = operand(g, e.value, dst, None)
            mark(g, e)
            return g.emit(OP_GET_ITEM_I, dst, b, <int>key)
        index = const16(g, key)
        if index >= 0:
            b = operand(g, e.value, dst, None)
            mark(g, e)
            return g.emit(OP_GET_ITEM_K, dst, b, index)
    b = operand(g, e.value, dst, e.slice)
    c = operand(g, e.slice, dst if b != dst else -1, None)
    mark(g, e)
    return g.emit(OP_GET_ITEM, dst, b, c)


cdef int gen_slice(Gen g, Slice e, int dst) except -1:
    cdef int base = g.top
    value = fold(e)
    if value is not NOT_CONSTANT:
        mark(g, e)
        return load_const(g, value, dst)
    gen_optional(g, e.lower, e)
    gen_optional(g, e.upper, e)
    if e.step is not None:
        temp_operand(g, e.step)
    mark(g, e)
    return g.emit(OP_BUILD_SLICE, dst, base, 2 if e.step is None else 3)


cdef int gen_optional(Gen g, Node e, Node at) except -1:
    """The value of e, or None when there is none, in a new temporary."""
    cdef int reg
    if e is not None:
        return temp_operand(g, e)
    reg = g.push()
    mark(g, at)
    g.emit(OP_LOAD_NONE, reg, 0, 0)
    return reg


cdef int gen_boolop(Gen g, BoolOp e, int dst) except -1:
    """The value of `and` or `or`: the first operand that decides."""
    cdef int end = g.new_label()
    cdef int r = dst if is_temp(g, dst) else g.push()
    cdef int i, last = len(e.values) - 1
    cdef Node value
    for i in range(last):
        value = e.values[i]
        gen_expr(g, value, r)
        mark(g, e)
        g.branch_wide(OP_JTRUE_KEEP if e.op == BOOL_Or else OP_JFALSE_KEEP, r, end)
    gen_expr(g, <Node>e.values[last], r)
    g.bind(end)
    if r != dst:
        mark(g, e)
        g.emit(OP_MOVE, dst, r, 0)
    return 0


cdef int gen_ifexp(Gen g, IfExp e, int dst) except -1:
    cdef int otherwise = g.new_label()
    cdef int end = g.new_label()
    mark(g, e)
    jump_if(g, e.test, otherwise, False)
    gen_expr(g, e.body, dst)
    g.jump(end)
    g.bind(otherwise)
    gen_expr(g, e.orelse, dst)
    g.bind(end)
    return 0


cdef int gen_named(Gen g, NamedExpr e, int dst) except -1:
    """The target gets the value, and dst too (unless it is -1, for a target that is a plain local)."""
    cdef int reg = local_target(g, e.target)
    cdef int r
    if reg >= 0:
        gen_expr(g, e.value, reg)
        g.set_reg(reg)
        mark(g, e)
        if dst >= 0 and dst != reg:
            g.emit(OP_MOVE, dst, reg, 0)
        return 0
    gen_expr(g, e.value, dst)
    mark(g, e)
    r = g.push()
    g.emit(OP_DUP, r, dst, 0)
    store_name(g, (<Name>e.target).id, r, e.target)
    g.top = r
    return 0


# -- displays ------------------------------------------------------------------------------------
cdef bint has_star(list elts):
    cdef Node e
    for e in elts:
        if e.kind == K_Starred:
            return True
    return False


cdef inline int run_base(Gen g, int dst) noexcept:
    """The first register of a run of consecutive new temporaries: dst when it is the top one, else the next."""
    return dst if is_temp(g, dst) and dst == g.top - 1 else g.top


cdef inline int run_next(Gen g, int base, int index) except -1:
    """Makes sure that register base + index is allocated."""
    if base + index < g.top:
        return base + index
    return g.push()


cdef int gen_run(Gen g, list elts, int first, int count, int base) except -1:
    """Values of elts[first : first + count] in the registers from base."""
    cdef int i
    for i in range(count):
        gen_expr(g, <Node>elts[first + i], run_next(g, base, i))
    return 0


cdef int gen_items(Gen g, Node at, list elts, int build, int add, int extend, int dst) except -1:
    """A list or set display of any form, in dst, which is a temporary unless the display is short and without stars."""
    cdef int count = len(elts)
    cdef int i = 0
    cdef int base, reg, top
    cdef Node e
    while i < count and i < CHUNK and (<Node>elts[i]).kind != K_Starred:
        i += 1
    base = run_base(g, dst)
    gen_run(g, elts, 0, i, base)
    mark(g, at)
    g.emit(build, dst, base if i else 0, i)
    if is_temp(g, dst) and g.top > dst + 1 and base == dst:
        g.top = dst + 1
    elif base != dst:
        g.top = base
    while i < count:
        e = elts[i]
        top = g.top
        if e.kind == K_Starred:
            reg = operand(g, (<Starred>e).value, -1, None)
            mark(g, at)
            g.emit(extend, dst, reg, 0)
        else:
            reg = operand(g, e, -1, None)
            mark(g, at)
            g.emit(add, dst, reg, 0)
        g.top = top
        i += 1
    return 0


cdef int collect_in(Gen g, int dst) except -1:
    """A temporary in which a value is built in several steps: dst itself when it is one."""
    return dst if is_temp(g, dst) else g.push()


cdef int gen_tuple(Gen g, Tuple e, int dst) except -1:
    cdef int base, r
    cdef int count = len(e.elts)
    value = fold(e)
    if value is not NOT_CONSTANT:
        mark(g, e)
        return load_const(g, value, dst)
    if count > CHUNK or has_star(e.elts):
        r = collect_in(g, dst)
        gen_items(g, e, e.elts, OP_BUILD_LIST, OP_LIST_APPEND, OP_LIST_EXTEND, r)
        mark(g, e)
        return g.emit(OP_LIST_TO_TUPLE, dst, r, 0)
    base = run_base(g, dst)
    gen_run(g, e.elts, 0, count, base)
    mark(g, e)
    return g.emit(OP_BUILD_TUPLE, dst, base if count else 0, count)


cdef object constant_items(list elts):
    """The tuple of constants that the items are, or NOT_CONSTANT."""
    cdef Node e
    cdef list values = []
    for e in elts:
        if e.kind != K_Constant:
            return NOT_CONSTANT
        values.append((<Constant>e).value)
    return tuple(values)


cdef int gen_list(Gen g, Node e, list elts, int dst) except -1:
    return gen_growing(g, e, elts, OP_BUILD_LIST, OP_LIST_APPEND, OP_LIST_EXTEND, dst)


cdef int gen_set(Gen g, Node e, list elts, int dst) except -1:
    return gen_growing(g, e, elts, OP_BUILD_SET, OP_SET_ADD, OP_SET_UPDATE, dst)


cdef int gen_growing(Gen g, Node e, list elts, int build, int add, int extend, int dst) except -1:
    cdef int r = dst
    cdef int k
    cdef int count = len(elts)
    if count > CHUNK or has_star(elts):
        r = collect_in(g, dst)
    if count >= 3:
        values = constant_items(elts)
        if values is not NOT_CONSTANT:
            r = collect_in(g, dst)
            mark(g, e)
            g.emit(build, r, 0, 0)
            k = g.push()
            load_const(g, values, k)
            g.emit(extend, r, k, 0)
            g.top = k
            if r != dst:
                g.emit(OP_MOVE, dst, r, 0)
            return 0
    gen_items(g, e, elts, build, add, extend, r)
    if r != dst:
        g.emit(OP_MOVE, dst, r, 0)
    return 0


cdef int gen_dict(Gen g, Dict e, int dst) except -1:
    cdef int count = len(e.keys)
    cdef int i, base, r, top, k, v, plain = 0
    cdef Node key
    while plain < count and plain < CHUNK and e.keys[plain] is not None:
        plain += 1
    r = dst if plain == count else collect_in(g, dst)
    base = run_base(g, r)
    for i in range(plain):
        gen_expr(g, <Node>e.keys[i], run_next(g, base, 2 * i))
        gen_expr(g, <Node>e.values[i], run_next(g, base, 2 * i + 1))
    mark(g, e)
    g.emit(OP_BUILD_MAP, r, base if plain else 0, plain)
    g.top = base + 1 if base == r else base
    for i in range(plain, count):
        key = e.keys[i]
        top = g.top
        if key is None:
            v = operand(g, <Node>e.values[i], -1, None)
            mark(g, e)
            g.emit(OP_DICT_UPDATE, r, v, 0)
        else:
            k = operand(g, key, -1, <Node>e.values[i])
            v = operand(g, <Node>e.values[i], -1, None)
            mark(g, e)
            g.emit(OP_MAP_ADD, r, k, v)
        g.top = top
    if r != dst:
        g.emit(OP_MOVE, dst, r, 0)
    return 0


# -- f-strings -----------------------------------------------------------------------------------
cdef int gen_joined(Gen g, JoinedStr e, int dst) except -1:
    cdef int count = len(e.values)
    cdef int base = run_base(g, dst)
    cdef int i, n = 0
    cdef Node part
    if count == 0:
        mark(g, e)
        return load_const(g, "", dst)
    if count == 1 and (<Node>e.values[0]).kind == K_FormattedValue:
        return gen_formatted(g, <FormattedValue>e.values[0], dst)
    for i in range(count):
        if n == CHUNK:
            # Join what there is, to keep the run of registers short.
            mark(g, e)
            g.emit(OP_BUILD_STRING, base, base, n)
            g.top = base + 1
            n = 1
        part = <Node>e.values[i]
        if part.kind == K_FormattedValue:
            gen_formatted(g, <FormattedValue>part, run_next(g, base, n), 4)
        else:
            gen_expr(g, part, run_next(g, base, n))
        n += 1
    mark(g, e)
    return g.emit(OP_BUILD_STRING, dst, base, n)


cdef int gen_formatted(Gen g, FormattedValue e, int dst, int plain=0) except -1:
    """plain: the conversion code of OP_FORMAT_VALUE for no conversion; 4 inside a longer string."""
    cdef int conversion = plain
    cdef int b, c
    if e.conversion == 115:
        conversion = 1
    elif e.conversion == 114:
        conversion = 2
    elif e.conversion == 97:
        conversion = 3
    if conversion == 4 and e.format_spec is not None:
        conversion = 0
    b = operand(g, e.value, dst, e.format_spec)
    mark(g, e)
    if e.format_spec is None:
        return g.emit(OP_FORMAT_VALUE, dst, b, conversion)
    if conversion:
        c = dst if is_temp(g, dst) else (b if is_temp(g, b) else g.push())
        g.emit(OP_CONVERT, c, b, conversion)
        b = c
    c = operand(g, e.format_spec, -1, None)
    mark(g, e)
    return g.emit(OP_FORMAT_SPEC, dst, b, c)


# -- generators ----------------------------------------------------------------------------------
cdef int gen_yield(Gen g, Yield e, int dst) except -1:
    cdef int b
    if g.frame.kind != SCOPE_FUNCTION and g.frame.kind != SCOPE_LAMBDA:
        fail(g, "'yield' outside function", e)
    if e.value is None:
        b = dst if is_temp(g, dst) else g.push()
        mark(g, e)
        g.emit(OP_LOAD_NONE, b, 0, 0)
    else:
        b = operand(g, e.value, dst, None)
        mark(g, e)
    return g.emit(OP_YIELD, dst, b, 0)


cdef int gen_yield_from(Gen g, YieldFrom e, int dst) except -1:
    cdef int b, c
    if g.frame.kind != SCOPE_FUNCTION and g.frame.kind != SCOPE_LAMBDA:
        fail(g, "'yield' outside function", e)
    if g.flags & CODE_COROUTINE or g.flags & CODE_ASYNC_GENERATOR:
        fail(g, "'yield from' inside async function", e)
    b = g.push()
    c = operand(g, e.value, b, None)
    mark(g, e)
    g.emit(OP_GET_YIELD_FROM_ITER, b, c, 0)
    return gen_delegate(g, b, dst)


cdef int gen_delegate(Gen g, int iterator, int dst) except -1:
    """dst = result of the iterator in a temporary, after yielding all that it yields."""
    cdef int sent = g.push()
    cdef int result = dst
    if not is_temp(g, dst) or dst == iterator:
        # What is yielded passes through that register: a variable must keep its value, and the iterator its place, until the
        # iterator is done.
        result = g.push()
    g.emit(OP_LOAD_NONE, sent, 0, 0)
    g.emit(OP_YIELD_FROM, result, iterator, sent)
    if result != dst:
        g.emit(OP_MOVE, dst, result, 0)
    return 0


cdef int gen_await(Gen g, Await e, int dst) except -1:
    cdef int b, c
    if g.frame.kind < SCOPE_FUNCTION and not g.flags & CODE_COROUTINE:
        fail(g, "'await' outside function", e)
    if not g.flags & (CODE_COROUTINE | CODE_ASYNC_GENERATOR):
        fail(g, "'await' outside async function", e)
    b = g.push()
    c = operand(g, e.value, b, None)
    mark(g, e)
    g.emit(OP_GET_AWAITABLE, b, c, 0)
    return gen_delegate(g, b, dst)
