# Assignment, augmented assignment, deletion, annotations. Included by codegen.pyx.

cdef int gen_store(Gen g, Node target, int src) except -1:
    """Assigns register src to a target; a temporary src is consumed."""
    cdef int k = target.kind
    cdef int top = g.top
    cdef int obj, key
    if k == K_Name:
        store_name(g, (<Name>target).id, src, target)
    elif k == K_Attribute:
        forbid_debug(g, (<Attribute>target).attr, target, False)
        obj = operand(g, (<Attribute>target).value, -1, None)
        mark_attribute(g, <Attribute>target)
        g.emit(OP_STORE_ATTR, obj, src, g.site(mangled(g, (<Attribute>target).attr), 0, 0))
    elif k == K_Subscript:
        obj = operand(g, (<Subscript>target).value, -1, (<Subscript>target).slice)
        key = operand(g, (<Subscript>target).slice, -1, None)
        mark(g, target)
        g.emit(OP_SET_ITEM, obj, key, src)
    elif k == K_Tuple:
        gen_unpack(g, target, (<Tuple>target).elts, src)
    elif k == K_List:
        gen_unpack(g, target, (<List>target).elts, src)
    elif k == K_Starred:
        fail(g, "starred assignment target must be in a list or tuple", target)
    else:
        fail(g, f"cannot assign to {type(target).__name__}", target)
    g.top = top
    return 0


cdef int gen_unpack(Gen g, Node at, list elts, int src) except -1:
    """Unpacks register src to the targets."""
    cdef int count = len(elts)
    cdef int star = -1
    cdef int i, base, a, b
    cdef Node target
    for i in range(count):
        if (<Node>elts[i]).kind == K_Starred:
            if star >= 0:
                fail(g, "multiple starred expressions in assignment", at)
            star = i
    if star >= 0:
        if star >= 256 or count - star - 1 >= 1 << 23:
            fail(g, "too many expressions in star-unpacking assignment", at)
        base = g.push_n(count)
        mark(g, at)
        emit_unpack_star(g, base, src, star, count - star - 1)
    elif count == 2:
        a = local_target(g, <Node>elts[0])
        b = local_target(g, <Node>elts[1])
        if a < 0 or a == b or a == src or b == src:
            # The first target may read the second, which must keep its old value until then; and the source must
            # outlive the first store.
            a = b = -1
        base = g.push_n(2)
        mark(g, at)
        g.emit(OP_UNPACK2, a if a >= 0 else base, b if b >= 0 else base + 1, src)
        if a >= 0:
            g.set_reg(a)
        else:
            gen_store(g, <Node>elts[0], base)
        if b >= 0:
            g.set_reg(b)
        else:
            gen_store(g, <Node>elts[1], base + 1)
        return 0
    else:
        base = consecutive_locals(g, elts)
        if base >= 0 and not base <= src < base + count:
            mark(g, at)
            g.emit(OP_UNPACK, base, src, count)
            for i in range(count):
                g.set_reg(base + i)
            return 0
        base = g.push_n(count)
        mark(g, at)
        g.emit(OP_UNPACK, base, src, count)
    for i in range(count):
        target = elts[i]
        if target.kind == K_Starred:
            target = (<Starred>target).value
        gen_store(g, target, base + i)
    return 0


cdef int emit_unpack_star(Gen g, int base, int src, int before, int after) except -1:
    """Unpacks register src to the registers from base on, the list of what is left over in the place of the star."""
    if after < 256:
        g.emit(OP_UNPACK_EX, base, src, before | after << 8)
    else:
        g.emit(OP_UNPACK_EX_K, base, src, g.const_index(before | after << 8))
    return 0


cdef int consecutive_locals(Gen g, list elts) except -2:
    """The first register when the targets are plain locals in consecutive registers, else -1."""
    cdef int count = len(elts)
    cdef int i, base
    if count < 3:
        return -1
    base = local_target(g, <Node>elts[0])
    if base < 0:
        return -1
    for i in range(1, count):
        if local_target(g, <Node>elts[i]) != base + i:
            return -1
    return base


cdef int gen_assign(Gen g, Assign s) except -1:
    cdef int count = len(s.targets)
    cdef Node target = s.targets[0]
    cdef int i, src, copy, top
    if count == 1:
        if target.kind == K_Name:
            src = local_target(g, target)
            if src >= 0:
                forbid_debug(g, (<Name>target).id, target, False)
                gen_expr(g, s.value, src)
                return g.set_reg(src)
        elif target.kind == K_Tuple and s.value.kind == K_Tuple and swap_shaped(g, <Tuple>target, <Tuple>s.value):
            return gen_parallel(g, (<Tuple>target).elts, (<Tuple>s.value).elts)
        src = operand(g, s.value, -1, target)
        return gen_store(g, target, src)
    # In a temporary, since one of the targets may rebind a local before the others are assigned.
    src = temp_operand(g, s.value)
    top = g.top
    for i in range(count):
        if i < count - 1:
            mark(g, s)
            copy = local_target(g, <Node>s.targets[i])
            if copy >= 0:
                g.emit(OP_DUP, copy, src, 0)
                g.set_reg(copy)
                continue
            copy = g.push()
            g.emit(OP_DUP, copy, src, 0)
            gen_store(g, <Node>s.targets[i], copy)
            g.top = top
        else:
            gen_store(g, <Node>s.targets[i], src)
    return 0


cdef bint swap_shaped(Gen g, Tuple target, Tuple value) except -1:
    """Whether both sides are as long, without stars, and the targets are distinct plain locals."""
    cdef int count = len(target.elts)
    cdef int i, j, reg
    if count != len(value.elts) or count == 0 or count > 8:
        return False
    for i in range(count):
        reg = local_target(g, <Node>target.elts[i])
        if reg < 0 or (<Node>value.elts[i]).kind == K_Starred or (<Name>target.elts[i]).id == "__debug__":
            return False
        for j in range(i):
            if local_target(g, <Node>target.elts[j]) == reg:
                return False
    return True


cdef int gen_parallel(Gen g, list targets, list values) except -1:
    """a, b = x, y for plain locals, without a tuple: all but the last value wait in temporaries."""
    cdef int count = len(targets)
    cdef int i, reg
    cdef int base = g.push_n(count)
    for i in range(count - 1):
        gen_expr(g, <Node>values[i], base + i)
    reg = local_target(g, <Node>targets[count - 1])
    gen_expr(g, <Node>values[count - 1], reg)
    g.set_reg(reg)
    for i in range(count - 1):
        reg = local_target(g, <Node>targets[i])
        mark(g, <Node>targets[i])
        g.emit(OP_MOVE, reg, base + i, 0)
        g.set_reg(reg)
    return 0


# -- augmented assignment ------------------------------------------------------------------------
cdef int gen_inplace(Gen g, AugAssign s, int dst, int left) except -1:
    """dst = left after left op= value."""
    cdef int c
    value = constant_of(s.value)
    if value is not NOT_CONSTANT and type(value) is int and fits16(value) and (s.op == OP_Add or s.op == OP_Sub):
        mark(g, s)
        return g.emit(OP_IADD_I if s.op == OP_Add else OP_ISUB_I, dst, left, <int>value)
    c = operand(g, s.value, -1, None)
    mark(g, s)
    return g.emit(OP_IADD + s.op, dst, left, c)


cdef int gen_augassign(Gen g, AugAssign s) except -1:
    cdef int k = s.target.kind
    cdef int reg, obj, key, value, copy
    cdef Symbol sym
    cdef str name
    if k == K_Name:
        name = mangled(g, (<Name>s.target).id)
        forbid_debug(g, (<Name>s.target).id, s.target, False)
        sym = find_symbol(g, name)
        reg = plain_local(g, sym)
        if reg >= 0:
            check_local(g, sym, s.target)
            value = reg
            if sym.flags & DEF_WALRUS:
                value = g.push()
                g.emit(OP_DUP, value, reg, 0)
            gen_inplace(g, s, reg, value)
            return g.set_reg(reg)
        value = g.push()
        mark(g, s.target)
        load_variable(g, name, sym, value)
        gen_inplace(g, s, value, value)
        mark(g, s.target)
        return store_variable(g, name, sym, value)
    if k == K_Attribute:
        forbid_debug(g, (<Attribute>s.target).attr, s.target, False)
        obj = operand(g, (<Attribute>s.target).value, -1, s.value)
        value = g.push()
        mark_attribute(g, <Attribute>s.target)
        copy = obj
        if is_temp(g, obj):
            copy = value
            g.emit(OP_DUP, value, obj, 0)
        g.emit(OP_LOAD_ATTR, value, copy, g.site(mangled(g, (<Attribute>s.target).attr), 0, 0))
        gen_inplace(g, s, value, value)
        mark_attribute(g, <Attribute>s.target)
        return g.emit(OP_STORE_ATTR, obj, value, g.site(mangled(g, (<Attribute>s.target).attr), 0, 0))
    if k == K_Subscript:
        obj = operand(g, (<Subscript>s.target).value, -1, (<Subscript>s.target).slice)
        if not is_temp(g, obj) and symbol_may_change(g, (<Subscript>s.target).value):
            copy = g.push()
            g.emit(OP_MOVE, copy, obj, 0)
            obj = copy
        index = constant_of((<Subscript>s.target).slice)
        if index is not NOT_CONSTANT and const16(g, index) >= 0:
            return gen_augassign_item(g, s, obj, index)
        key = operand(g, (<Subscript>s.target).slice, -1, s.value)
        value = g.push()
        mark(g, s.target)
        copy = obj
        if is_temp(g, obj):
            copy = value
            g.emit(OP_DUP, value, obj, 0)
        reg = key
        if is_temp(g, key):
            reg = g.push()
            g.emit(OP_DUP, reg, key, 0)
        g.emit(OP_GET_ITEM, value, copy, reg)
        g.top = value + 1
        gen_inplace(g, s, value, value)
        mark(g, s.target)
        return g.emit(OP_SET_ITEM, obj, key, value)
    return fail(g, f"illegal target for augmented assignment", s.target)


cdef int gen_augassign_item(Gen g, AugAssign s, int obj, object index) except -1:
    """R[obj][constant index] op= value."""
    cdef int value = g.push()
    cdef int copy = obj
    cdef int key
    mark(g, s.target)
    if is_temp(g, obj):
        copy = value
        g.emit(OP_DUP, value, obj, 0)
    if type(index) is int and fits16(index):
        g.emit(OP_GET_ITEM_I, value, copy, <int>index)
    else:
        g.emit(OP_GET_ITEM_K, value, copy, const16(g, index))
    gen_inplace(g, s, value, value)
    g.top = value + 1
    mark(g, s.target)
    key = g.const_reg(index)
    if key < 0:
        key = g.push()
        load_const(g, index, key)
    return g.emit(OP_SET_ITEM, obj, key, value)


cdef bint symbol_may_change(Gen g, Node e):
    """Whether e is a local that some := in the function rebinds."""
    cdef Symbol sym
    if e.kind != K_Name:
        return False
    sym = find_symbol(g, mangled(g, (<Name>e).id))
    return sym is not None and sym.flags & DEF_WALRUS != 0


# -- deletion ------------------------------------------------------------------------------------
cdef int gen_delete(Gen g, Node target) except -1:
    cdef int k = target.kind
    cdef int top = g.top
    cdef int obj, key
    cdef Node item
    if k == K_Name:
        delete_name(g, (<Name>target).id, target)
    elif k == K_Attribute:
        forbid_debug(g, (<Attribute>target).attr, target, True)
        obj = operand(g, (<Attribute>target).value, -1, None)
        mark_attribute(g, <Attribute>target)
        g.emit(OP_DEL_ATTR, obj, 0, g.site(mangled(g, (<Attribute>target).attr), 0, 0))
    elif k == K_Subscript:
        obj = operand(g, (<Subscript>target).value, -1, (<Subscript>target).slice)
        key = operand(g, (<Subscript>target).slice, -1, None)
        mark(g, target)
        g.emit(OP_DEL_ITEM, obj, key, 0)
    elif k == K_Tuple or k == K_List:
        for item in ((<Tuple>target).elts if k == K_Tuple else (<List>target).elts):
            gen_delete(g, item)
    else:
        fail(g, f"cannot delete {type(target).__name__}", target)
    g.top = top
    return 0


# -- annotations ---------------------------------------------------------------------------------
cdef int gen_annotation(Gen g, Node e, int dst) except -1:
    """dst = value of an annotation, or its text when annotations are postponed."""
    cdef int value
    if g.table.future_annotations:
        mark(g, e)
        return load_const(g, unparse(e), dst)
    if e.kind == K_Starred:
        # *args: *Ts stands for the one item that the unpacked value has.
        value = temp_operand(g, (<Starred>e).value)
        mark(g, e)
        g.emit(OP_UNPACK, dst, value, 1)
        g.top = value
        return 0
    return gen_expr(g, e, dst)


cdef int gen_annassign(Gen g, AnnAssign s) except -1:
    cdef Node target = s.target
    cdef int src, value
    cdef bint namespace = g.frame.kind < SCOPE_FUNCTION
    if s.value is not None:
        src = local_target(g, target)
        if src >= 0:
            forbid_debug(g, (<Name>target).id, target, False)
            gen_expr(g, s.value, src)
            g.set_reg(src)
        else:
            src = operand(g, s.value, -1, target)
            gen_store(g, target, src)
            if is_temp(g, src):
                g.top = src
    if target.kind == K_Name:
        forbid_debug(g, (<Name>target).id, s, False)
        if s.simple and namespace:
            value = g.push()
            gen_annotation(g, s.annotation, value)
            src = g.push()
            mark(g, s)
            g.emit(OP_LOAD_GLOBAL if names_are_global(g) else OP_LOAD_NAME, src, 0, g.load_site("__annotations__"))
            load_const(g, mangled(g, (<Name>target).id), g.push())
            g.emit(OP_SET_ITEM, src, src + 1, value)
            return 0
    elif target.kind == K_Attribute:
        forbid_debug(g, (<Attribute>target).attr, target, False)
        if s.value is None:
            gen_discard(g, (<Attribute>target).value)
    elif target.kind == K_Subscript and s.value is None:
        gen_discard(g, (<Subscript>target).value)
        gen_discard(g, (<Subscript>target).slice)
    if not s.simple and namespace and not g.table.future_annotations:
        gen_discard(g, s.annotation)
    return 0
