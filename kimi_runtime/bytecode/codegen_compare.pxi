# Comparisons, and tests that jump. Included by codegen.pyx.

cdef int compare_opcode(int op) noexcept:
    if op == CMP_Eq:
        return OP_EQ
    if op == CMP_NotEq:
        return OP_NE
    if op == CMP_Lt:
        return OP_LT
    if op == CMP_LtE:
        return OP_LE
    if op == CMP_Gt:
        return OP_GT
    if op == CMP_GtE:
        return OP_GE
    if op == CMP_Is:
        return OP_IS
    if op == CMP_IsNot:
        return OP_IS_NOT
    if op == CMP_In:
        return OP_IN
    return OP_NOT_IN


cdef int branch_opcode(int op, bint cond) noexcept:
    """The jump taken when the comparison is true, or when it is not (NaN: the negation is not the opposite operator)."""
    cdef int offset
    if op == CMP_Is:
        return OP_JIS if cond else OP_JIS_NOT
    if op == CMP_IsNot:
        return OP_JIS_NOT if cond else OP_JIS
    if op == CMP_In:
        return OP_JIN if cond else OP_JNOT_IN
    if op == CMP_NotIn:
        return OP_JNOT_IN if cond else OP_JIN
    offset = compare_opcode(op) - OP_EQ
    return (OP_JEQ if cond else OP_JNEQ) + offset


cdef int compare_right(Gen g, Node e, int op, int hint) except -1:
    """The right operand of a comparison; a display after `in` is made a constant where that is the same."""
    cdef list elts = None
    cdef int reg
    if op == CMP_In or op == CMP_NotIn:
        if e.kind == K_List:
            elts = (<List>e).elts
        elif e.kind == K_Set:
            elts = (<Set>e).elts
        if elts is not None:
            values = constant_items(elts)
            if values is not NOT_CONSTANT:
                if e.kind == K_Set:
                    values = frozenset(values)
                reg = g.const_reg(values)
                if reg >= 0:
                    return reg
                reg = hint if is_temp(g, hint) else g.push()
                mark(g, e)
                load_const(g, values, reg)
                return reg
    return operand(g, e, hint, None)


cdef enum:
    MOST_COMPARED = 8


cdef int compared_displays(Gen g, Node left, Node right, int op, int *c) except -2:
    """The registers of two tuples that are made in order to be compared, item by item: the interpreter then need not make them.
    Their items are evaluated first, and the tuples made in a row. -1 when it is not so."""
    cdef int b
    cdef list items, others
    if left.kind != K_Tuple or right.kind != K_Tuple or op > CMP_GtE:
        return -1
    items = (<Tuple>left).elts
    others = (<Tuple>right).elts
    if not 1 <= len(items) <= MOST_COMPARED or len(items) != len(others) or has_star(items) or has_star(others) \
            or fold(<Tuple>left) is not NOT_CONSTANT or fold(<Tuple>right) is not NOT_CONSTANT:
        return -1
    b = g.top
    gen_run(g, items, 0, len(items), b)
    c[0] = g.top
    gen_run(g, others, 0, len(others), c[0])
    mark(g, left)
    g.emit(OP_BUILD_TUPLE, b, b, len(items))
    mark(g, right)
    g.emit(OP_BUILD_TUPLE, c[0], c[0], len(items))
    return b


cdef int gen_single_compare(Gen g, Compare e, int op, int dst) except -1:
    """dst = left op right, for the first pair of the comparison."""
    cdef Node right = e.comparators[0]
    cdef int c = -1
    cdef int b = compared_displays(g, e.left, right, op, &c)
    if b >= 0:
        mark(g, e)
        return g.emit(compare_opcode(op), dst, b, c)
    if op == CMP_Is or op == CMP_IsNot:
        warn_identity(g, e, op)
    b = operand(g, e.left, dst, right)
    c = compare_right(g, right, op, dst if b != dst else -1)
    mark(g, e)
    return g.emit(compare_opcode(op), dst, b, c)


cdef int gen_compare(Gen g, Compare e, int dst) except -1:
    cdef int count = len(e.ops)
    cdef int i, b, c, r, end, clean, copy, top
    cdef Node left, right
    cdef bint used_clean = False
    if count == 1:
        return gen_single_compare(g, e, <int>e.ops[0], dst)
    warn_identity(g, e, <int>e.ops[0])
    r = collect_in(g, dst)
    end = g.new_label()
    clean = g.new_label()
    top = g.top
    left = e.left
    b = -1
    for i in range(count):
        right = e.comparators[i]
        if b < 0:
            b = operand(g, left, -1, right)
        if i < count - 1:
            # The middle operand is needed again: keep it at a fixed place (top) when it is a temporary.
            c = operand(g, right, -1, <Node>e.comparators[i + 1])
            copy = c
            if is_temp(g, c):
                copy = g.push()
                mark(g, e)
                g.emit(OP_DUP, copy, c, 0)
            mark(g, e)
            g.emit(compare_opcode(<int>e.ops[i]), r, b, copy)
            if is_temp(g, c) and c != top:
                # Now the left operand is gone; move the kept one down so that the exits need to clear one place only.
                g.emit(OP_MOVE, top, c, 0)
                c = top
            if is_temp(g, c):
                g.branch_wide(OP_JFALSE_KEEP, r, clean)
                used_clean = True
                g.top = top + 1
            else:
                g.branch_wide(OP_JFALSE_KEEP, r, end)
                g.top = top
            b = c
        else:
            c = compare_right(g, right, <int>e.ops[i], -1)
            mark(g, e)
            g.emit(compare_opcode(<int>e.ops[i]), r, b, c)
    g.top = top
    if used_clean:
        g.jump(end)
        g.bind(clean)
        g.emit(OP_CLEAR, top, 1, 0)
    g.bind(end)
    if r != dst:
        g.emit(OP_MOVE, dst, r, 0)
    return 0


cdef int jump_compare(Gen g, Node at, int op, int b, Node right, int label, bint cond) except -1:
    """Jumps to the label when (R[b] op right) is cond; consumes b when it is a temporary."""
    cdef int c, index
    value = constant_of(right)
    if value is not NOT_CONSTANT:
        if value is None and (op == CMP_Is or op == CMP_IsNot):
            mark(g, at)
            return g.branch_wide(OP_JNONE if (op == CMP_Is) == cond else OP_JNOT_NONE, b, label)
        if op <= CMP_GtE:
            if type(value) is int and fits16(value):
                mark(g, at)
                return g.branch((OP_JEQ_I if cond else OP_JNEQ_I) + compare_opcode(op) - OP_EQ, b, <int>value, label)
            if op == CMP_Eq or op == CMP_NotEq:
                index = const16(g, value)
                if index >= 0:
                    mark(g, at)
                    if op == CMP_Eq:
                        return g.branch(OP_JEQ_K if cond else OP_JNEQ_K, b, index, label)
                    return g.branch(OP_JNE_K if cond else OP_JNNE_K, b, index, label)
    c = compare_right(g, right, op, -1)
    mark(g, at)
    return g.branch(branch_opcode(op, cond), b, c, label)


cdef int jump_if_chain(Gen g, Compare e, int label, bint cond) except -1:
    """A chained comparison in a test."""
    cdef int count = len(e.ops)
    cdef int top = g.top
    cdef int i, b, c, copy
    cdef int quit = label if not cond else g.new_label()    # where a false comparison goes
    cdef int clean = g.new_label()
    cdef Node right
    cdef bint used_clean = False
    warn_identity(g, e, <int>e.ops[0])
    b = operand(g, e.left, -1, <Node>e.comparators[0])
    for i in range(count - 1):
        right = e.comparators[i]
        c = operand(g, right, -1, <Node>e.comparators[i + 1])
        mark(g, e)
        if not is_temp(g, c):
            g.branch(branch_opcode(<int>e.ops[i], False), b, c, quit)
            g.top = top
            b = c
            continue
        # The kept operand goes to `top`, where the way out finds it.
        copy = g.push()
        g.emit(OP_DUP, copy, c, 0)
        if c != top:
            if is_temp(g, b):
                # b lies at top: exchange through one more register.
                b = g.push()
                g.emit(OP_MOVE, b, top, 0)
            g.emit(OP_MOVE, top, c, 0)
            c = top
        g.branch(branch_opcode(<int>e.ops[i], False), b, copy, clean)
        used_clean = True
        g.top = top + 1
        b = c
    jump_compare(g, e, <int>e.ops[count - 1], b, <Node>e.comparators[count - 1], label, cond)
    g.top = top
    if used_clean:
        copy = g.new_label()
        g.jump(copy)
        g.bind(clean)
        g.emit(OP_CLEAR, top, 1, 0)
        g.jump(quit)
        g.bind(copy)
    if cond:
        g.bind(quit)
    return 0


cdef int jump_if(Gen g, Node e, int label, bint cond) except -1:
    """Jumps to the label when the truth of e is cond, else goes on. No temporaries stay."""
    cdef int k = e.kind
    cdef int top = g.top
    cdef int i, last, r, skip
    cdef Node value
    cdef Position place = g.at
    g.level += 1
    if g.level > MAX_LEVEL or k_stack_here() < k_thread_stack_floor():
        raise RecursionError("maximum recursion depth exceeded during compilation")
    if k == K_Compare:
        if len((<Compare>e).ops) == 1:
            value = (<Compare>e).comparators[0]
            i = <int>(<Compare>e).ops[0]
            if i == CMP_Is or i == CMP_IsNot:
                warn_identity(g, <Compare>e, i ^ (CMP_Is ^ CMP_IsNot) if g.inverted else i)
            g.inverted = False
            r = compared_displays(g, (<Compare>e).left, value, i, &skip)
            if r >= 0:
                mark(g, e)
                g.branch(branch_opcode(i, cond), r, skip, label)
            else:
                r = operand(g, (<Compare>e).left, -1, value)
                jump_compare(g, e, i, r, value, label, cond)
        else:
            jump_if_chain(g, <Compare>e, label, cond)
    elif k == K_UnaryOp and (<UnaryOp>e).op == UOP_Not:
        g.inverted = (<UnaryOp>e).operand.kind == K_Compare
        jump_if(g, (<UnaryOp>e).operand, label, not cond)
        g.inverted = False
    elif k == K_BoolOp:
        last = len((<BoolOp>e).values) - 1
        if ((<BoolOp>e).op == BOOL_Or) == cond:
            for i in range(last + 1):
                jump_if(g, <Node>(<BoolOp>e).values[i], label, cond)
        else:
            skip = g.new_label()
            for i in range(last):
                jump_if(g, <Node>(<BoolOp>e).values[i], skip, not cond)
            jump_if(g, <Node>(<BoolOp>e).values[last], label, cond)
            g.bind(skip)
    elif k == K_IfExp:
        skip = g.new_label()
        r = g.new_label()
        jump_if(g, (<IfExp>e).test, skip, False)
        jump_if(g, (<IfExp>e).body, label, cond)
        g.jump(r)
        g.bind(skip)
        jump_if(g, (<IfExp>e).orelse, label, cond)
        g.bind(r)
    elif k == K_Name and (<Name>e).id == "__debug__":
        if cond:
            g.jump(label)
    else:
        constant = constant_of(e)
        if constant is not NOT_CONSTANT:
            if bool(constant) == cond:
                g.jump(label)
        else:
            r = operand(g, e, -1, None)
            if OLD_PLACES:
                g.at = place
            else:
                mark(g, e)
            g.branch_wide(OP_JTRUE if cond else OP_JFALSE, r, label)
    g.top = top
    g.level -= 1
    return 0
