# Simple statements, loops, imports. Included by codegen.pyx.

cdef int gen_body(Gen g, list body) except -1:
    cdef Node s
    for s in body:
        gen_stmt(g, s)
    return 0


cdef int gen_stmt(Gen g, Node s) except -1:
    cdef int k = s.kind
    cdef int top = g.top
    cdef int r
    cdef Node e
    look_at_alarm()
    g.level += 1
    if g.level > MAX_LEVEL:
        raise RecursionError("maximum recursion depth exceeded during compilation")
    if k == K_Expr:
        e = (<Expr>s).value
        if g.interactive and g.frame.kind == SCOPE_MODULE:
            r = temp_operand(g, e)
            mark(g, s)
            g.emit(OP_INTRINSIC, r, r, INTRINSIC_PRINT_EXPR)
            g.emit(OP_CLEAR, r, 1, 0)
        elif e.kind != K_Constant:
            gen_discard(g, e)
    elif k == K_Assign:
        gen_assign(g, <Assign>s)
    elif k == K_AugAssign:
        gen_augassign(g, <AugAssign>s)
    elif k == K_AnnAssign:
        gen_annassign(g, <AnnAssign>s)
    elif k == K_Return:
        gen_return(g, <Return>s)
    elif k == K_If:
        gen_if(g, <If>s)
    elif k == K_For:
        gen_for(g, s, (<For>s).target, (<For>s).iter, (<For>s).body, (<For>s).orelse)
    elif k == K_While:
        gen_while(g, <While>s)
    elif k == K_FunctionDef:
        gen_function(g, s, (<FunctionDef>s).name, (<FunctionDef>s).args, (<FunctionDef>s).body,
                     (<FunctionDef>s).decorator_list, (<FunctionDef>s).returns, (<FunctionDef>s).type_params, False)
    elif k == K_AsyncFunctionDef:
        gen_function(g, s, (<AsyncFunctionDef>s).name, (<AsyncFunctionDef>s).args, (<AsyncFunctionDef>s).body,
                     (<AsyncFunctionDef>s).decorator_list, (<AsyncFunctionDef>s).returns,
                     (<AsyncFunctionDef>s).type_params, True)
    elif k == K_ClassDef:
        gen_class(g, <ClassDef>s)
    elif k == K_Try:
        gen_try(g, s, (<Try>s).body, (<Try>s).handlers, (<Try>s).orelse, (<Try>s).finalbody, False)
    elif k == K_TryStar:
        gen_try(g, s, (<TryStar>s).body, (<TryStar>s).handlers, (<TryStar>s).orelse, (<TryStar>s).finalbody, True)
    elif k == K_With:
        gen_with(g, s, (<With>s).items, 0, (<With>s).body, False)
    elif k == K_AsyncWith:
        check_async(g, s, "async with")
        gen_with(g, s, (<AsyncWith>s).items, 0, (<AsyncWith>s).body, True)
    elif k == K_AsyncFor:
        check_async(g, s, "async for")
        gen_async_for(g, <AsyncFor>s)
    elif k == K_Raise:
        gen_raise(g, <Raise>s)
    elif k == K_Assert:
        gen_assert(g, <Assert>s)
    elif k == K_Delete:
        for e in (<Delete>s).targets:
            gen_delete(g, e)
    elif k == K_Import:
        gen_import(g, <Import>s)
    elif k == K_ImportFrom:
        gen_import_from(g, <ImportFrom>s)
    elif k == K_Break:
        gen_break(g, s, True)
    elif k == K_Continue:
        gen_break(g, s, False)
    elif k == K_Match:
        gen_match(g, <Match>s)
    elif k == K_TypeAlias:
        gen_type_alias(g, <TypeAlias>s)
    elif k == K_Pass or k == K_Global or k == K_Nonlocal:
        pass
    else:
        fail(g, f"{type(s).__name__} is not a statement", s)
    g.top = top
    g.level -= 1
    return 0


cdef int check_async(Gen g, Node s, str what) except -1:
    if not g.flags & (CODE_COROUTINE | CODE_ASYNC_GENERATOR):
        fail(g, f"'{what}' outside async function", s)
    return 0


cdef int gen_if(Gen g, If s) except -1:
    cdef int otherwise = direct_exit(g, s)
    cdef int end
    mark(g, s)
    if otherwise >= 0:
        return jump_if(g, s.test, otherwise, True)
    otherwise = g.new_label()
    jump_if(g, s.test, otherwise, False)
    gen_body(g, s.body)
    if s.orelse:
        end = g.new_label()
        g.jump(end)
        g.bind(otherwise)
        gen_body(g, s.orelse)
        g.bind(end)
    else:
        g.bind(otherwise)
    return 0


cdef int direct_exit(Gen g, If s) except -2:
    """The label to which `if test: continue` (or break) can jump straight away, or -1."""
    cdef int kind
    cdef Block *block
    if s.orelse or len(s.body) != 1 or g.nblocks == 0:
        return -1
    kind = (<Node>s.body[0]).kind
    block = &g.blocks[g.nblocks - 1]
    if kind == K_Continue and (block.kind == BLOCK_FOR or block.kind == BLOCK_WHILE):
        return block.on_continue
    if kind == K_Break and block.kind == BLOCK_WHILE:
        return block.on_break
    return -1


# -- blocks and ways out of them -----------------------------------------------------------------
cdef int push_block(Gen g, int kind, object node) except -1:
    """A new innermost block; the caller fills in what its kind needs. Returns its index."""
    cdef Block *block
    cdef int wanted
    cdef void *bigger
    if g.nblocks >= MAX_BLOCKS:
        if isinstance(node, Node):
            fail(g, "too many statically nested blocks", <Node>node)
        fail_here(g, "too many statically nested blocks", None)
    if g.nblocks == g.block_cap:
        wanted = g.block_cap * 2 if g.block_cap else 8
        bigger = realloc(g.blocks, wanted * sizeof(Block))
        if bigger == NULL:
            raise MemoryError("no memory for the compiler")
        g.blocks = <Block *>bigger
        g.block_cap = wanted
    block = &g.blocks[g.nblocks]
    block.kind = kind
    block.reg = block.on_break = block.on_continue = block.start = block.handler = -1
    block.temp_top = block.exc_reg = 0
    block.asynchronous = False
    g.nblocks += 1
    g.block_nodes.append(node)
    return g.nblocks - 1


cdef int pop_block(Gen g) except -1:
    g.nblocks -= 1
    g.block_nodes.pop()
    return 0


cdef int open_region(Gen g, int index, int handler, int temp_top, int exc_reg) except -1:
    """Starts the protected region of a block; control may come to the handler from here on."""
    g.blocks[index].start = g.n
    g.blocks[index].handler = handler
    g.blocks[index].temp_top = temp_top
    g.blocks[index].exc_reg = exc_reg
    return g.touch(handler)


cdef int close_region(Gen g, int index) except -1:
    """Ends the open part of the region of a block."""
    cdef Block *block = &g.blocks[index]
    if block.start >= 0:
        g.protect(block.start, block.handler, block.temp_top, block.exc_reg)
        block.start = -1
    return 0


cdef int leave_blocks(Gen g, int down_to, int result) except -1:
    """Code for leaving the blocks above index down_to by return, break or continue.

    Their regions are closed from the inside out as they are left, and opened again by `resume_blocks` behind the jump.
    result: the temporary with the value to return, or -1.
    """
    cdef int i, kind, reg
    cdef int top = g.top
    cdef int saved = g.nblocks
    cdef bint asynchronous
    cdef object node
    for i in range(g.nblocks - 1, down_to, -1):
        kind = g.blocks[i].kind
        reg = g.blocks[i].reg
        asynchronous = g.blocks[i].asynchronous
        node = g.block_nodes[i]
        close_region(g, i)
        # What the way out runs is outside this block.
        g.nblocks = i
        if kind == BLOCK_FOR:
            g.emit(OP_CLEAR, reg, 1 if asynchronous else 3, 0)
        elif kind == BLOCK_VALUE:
            g.emit(OP_CLEAR, reg, 1, 0)
        elif kind == BLOCK_HANDLER:
            g.emit(OP_POP_EXC, reg, 0, 0)
        elif kind == BLOCK_NAMED_HANDLER:
            unbind_handler_name(g, <ExceptHandler>node)
        elif kind == BLOCK_FINALLY:
            leave_finally(g, <list>node, saved, result)
        elif kind == BLOCK_WITH:
            mark(g, <Node>node)
            call_exit(g, <Node>node, reg, asynchronous)
        g.nblocks = saved
    g.top = top
    return 0


cdef int leave_finally(Gen g, list body, int total, int result) except -1:
    """A copy of a finally body on a way out; keeps the blocks from g.nblocks on, which are being left."""
    cdef list nodes = g.block_nodes
    cdef int saved = g.nblocks
    cdef int block
    cdef bytes backup = (<char *>&g.blocks[saved])[:(total - saved) * sizeof(Block)]
    g.block_nodes = nodes[:saved]
    if is_temp(g, result):
        block = push_block(g, BLOCK_VALUE, None)
        g.blocks[block].reg = result
    gen_body(g, body)
    g.block_nodes = nodes
    g.nblocks = saved
    memcpy(&g.blocks[saved], <char *>backup, (total - saved) * sizeof(Block))
    return 0


cdef int resume_blocks(Gen g, int down_to, unsigned long long open_mask) except -1:
    """After the jump of a way out: the regions of the blocks that were left go on here."""
    cdef int i
    for i in range(down_to + 1, g.nblocks):
        if i >= 64 or open_mask >> i & 1:
            if g.blocks[i].handler >= 0:
                g.blocks[i].start = g.n
    return 0


cdef unsigned long long open_regions(Gen g, int down_to) noexcept:
    """Which blocks above down_to have an open region."""
    cdef unsigned long long mask = 0
    cdef int i
    for i in range(down_to + 1, g.nblocks):
        if i < 64 and g.blocks[i].start >= 0:
            mask |= <unsigned long long>1 << i
    return mask


cdef int gen_return(Gen g, Return s) except -1:
    cdef int r = -1
    cdef unsigned long long mask
    cdef bint work = False
    cdef int i
    if g.frame.kind < SCOPE_FUNCTION:
        fail(g, "'return' outside function", s)
    for i in range(g.nblocks):
        if g.blocks[i].kind == BLOCK_STAR_HANDLER:
            fail(g, "'break', 'continue' and 'return' cannot appear in an except* block",
                 s if s.value is None else s.value)
        if g.blocks[i].kind in (BLOCK_FINALLY, BLOCK_WITH, BLOCK_NAMED_HANDLER):
            work = True
    if s.value is not None:
        if g.flags & CODE_ASYNC_GENERATOR:
            fail(g, "'return' with value in async generator", s)
        if not (s.value.kind == K_Constant and (<Constant>s.value).value is None):
            # A local may be rebound by the code on the way out, so it is copied if there is any.
            r = temp_operand(g, s.value) if work else operand(g, s.value, -1, None)
    mark(g, s)
    mask = open_regions(g, -1)
    leave_blocks(g, -1, r)
    mark(g, s)
    if r >= 0:
        g.emit(OP_RETURN, r, 0, 0)
    else:
        g.emit(OP_RETURN_NONE, 0, 0, 0)
    resume_blocks(g, -1, mask)
    g.dead = True
    return 0


cdef int gen_break(Gen g, Node s, bint is_break) except -1:
    cdef int i = g.nblocks - 1
    cdef unsigned long long mask
    while i >= 0 and g.blocks[i].kind != BLOCK_WHILE and g.blocks[i].kind != BLOCK_FOR:
        if g.blocks[i].kind == BLOCK_STAR_HANDLER:
            fail(g, "'break', 'continue' and 'return' cannot appear in an except* block", s)
        i -= 1
    if i < 0:
        fail(g, "'break' outside loop" if is_break else "'continue' not properly in loop", s)
    mark(g, s)
    if is_break:
        mask = open_regions(g, i)
        leave_blocks(g, i, -1)
        mark(g, s)
        if g.blocks[i].kind == BLOCK_FOR:
            g.emit(OP_CLEAR, g.blocks[i].reg, 3 if not g.blocks[i].asynchronous else 1, 0)
        g.jump(g.blocks[i].on_break)
    else:
        mask = open_regions(g, i)
        leave_blocks(g, i, -1)
        mark(g, s)
        g.jump(g.blocks[i].on_continue)
    resume_blocks(g, i, mask)
    return 0


# -- loops ---------------------------------------------------------------------------------------
cdef int gen_for(Gen g, Node s, Node target, Node iterable, list body, list orelse) except -1:
    cdef int it = g.push_n(3)
    cdef int start = g.new_label()
    cdef int again = g.new_label()
    cdef int end = g.new_label()
    cdef int src, reg, block, top
    gen_iterable(g, s, iterable, it)
    g.enter_loop(False)
    g.touch(start)
    g.jump(again)
    g.bind(start)
    block = push_block(g, BLOCK_FOR, s)
    g.blocks[block].reg = it
    g.blocks[block].on_break = end
    g.blocks[block].on_continue = again
    top = g.top
    reg = local_target(g, target)
    if reg >= 0:
        g.set_reg(reg)
    else:
        reg = g.push()
        mark(g, target)
        gen_store(g, target, reg)
        g.top = top
    gen_body(g, body)
    pop_block(g)
    g.bind(again)
    mark_either(g, s, iterable)
    g.branch(OP_FOR_LOOP, it, reg, start)
    g.leave_loop()
    g.top = it
    gen_body(g, orelse)
    g.bind(end)
    return 0


cdef int gen_iterable(Gen g, Node s, Node e, int it) except -1:
    """The three registers at `it` = iterator over e."""
    cdef int src
    cdef Tuple plain
    if e.kind == K_List and not has_star((<List>e).elts):
        # A list that only the loop sees may as well be a tuple.
        values = constant_items((<List>e).elts)
        if values is not NOT_CONSTANT:
            mark(g, e)
            load_const(g, values, it)
            g.emit(OP_GET_ITER, it, it, 0)
            return 0
    src = operand(g, e, it, None)
    mark_either(g, s, e)
    g.emit(OP_GET_ITER, it, src, 0)
    return 0


cdef int gen_while(Gen g, While s) except -1:
    cdef int start = g.new_label()
    cdef int again = g.new_label()
    cdef int out = g.new_label()
    cdef int end = g.new_label()
    cdef int block, first
    cdef int consts = len(g.consts)
    cdef bint endless = False
    cdef bint inverted
    value = constant_of(s.test)
    if value is not NOT_CONSTANT:
        endless = bool(value)
    mark(g, s)
    g.enter_loop(True)
    if endless:
        g.touch(again)
        g.bind(again)
        inverted = False
    else:
        # The test is generated twice, before the loop and at its end, unless it is long.
        g.touch(again)
        first = g.n
        mark(g, s)
        jump_if(g, s.test, out, False)
        inverted = g.n - first <= 12 and not has_code_const(g, consts)
        if not inverted:
            g.labels[again].pc = first
        else:
            # Nothing has jumped to it yet: it is bound at the end of the loop.
            g.labels[again].used = False
        g.touch(start)
        g.labels[start].pc = g.n
    block = push_block(g, BLOCK_WHILE, s)
    g.blocks[block].on_break = end
    g.blocks[block].on_continue = again
    gen_body(g, s.body)
    pop_block(g)
    if inverted:
        g.bind(again)
        mark(g, s)
        jump_if(g, s.test, start, True)
    else:
        mark(g, s)
        g.jump(again)
    g.leave_loop()
    g.bind(out)
    gen_body(g, s.orelse)
    g.bind(end)
    return 0


cdef bint has_code_const(Gen g, int first):
    """Whether a function or class has been compiled into the constants from the first-th on."""
    cdef int i
    for i in range(first, len(g.consts)):
        if isinstance(g.consts[i], Code):
            return True
    return False


# -- raise, assert -------------------------------------------------------------------------------
cdef int gen_raise(Gen g, Raise s) except -1:
    cdef int a, b
    if s.exc is None:
        mark(g, s)
        g.emit(OP_RAISE_CURRENT, 0, 0, 0)
    elif s.cause is None:
        a = operand(g, s.exc, -1, None)
        mark(g, s)
        g.emit(OP_RAISE, a, 0, 0)
    else:
        a = operand(g, s.exc, -1, s.cause)
        b = operand(g, s.cause, -1, None)
        mark(g, s)
        g.emit(OP_RAISE_FROM, a, b, 0)
    g.dead = True
    return 0


cdef int gen_assert(Gen g, Assert s) except -1:
    cdef int end = g.new_label()
    cdef int r
    cdef Position place
    if s.test.kind == K_Tuple and (<Tuple>s.test).elts:
        warn(g, "assertion is always true, perhaps remove parentheses?", s)
    mark(g, s)
    jump_if(g, s.test, end, True)
    r = g.push()
    if not OLD_PLACES:
        mark(g, s.test if _sys.version_info >= (3, 13) else s)
    place = g.at
    g.emit(OP_LOAD_ASSERTION_ERROR, r, 0, 0)
    if s.msg is not None:
        gen_expr(g, s.msg, g.push())
        g.at = place
        g.emit(OP_CALL, r, r, g.site(None, 1, 0))
    g.emit(OP_RAISE, r, 0, 0)
    g.dead = True
    g.bind(end)
    return 0


# -- imports -------------------------------------------------------------------------------------
cdef int gen_import_call(Gen g, str module, object fromlist, int level) except -1:
    """A new temporary with the module."""
    cdef int base = g.push_n(2)
    load_const(g, level, base)
    load_const(g, fromlist, base + 1)
    g.emit(OP_IMPORT_NAME, base, base, g.site(mangled(g, intern_name(module)), 0, 0))
    g.top = base + 1
    return base


cdef str intern_name(str text):
    return _sys_intern(text)


cdef int gen_import(Gen g, Import s) except -1:
    cdef alias item
    cdef int r, i, top
    cdef list parts
    for item in s.names:
        top = g.top
        mark(g, s)
        r = gen_import_call(g, item.name, None, 0)
        if item.asname is None:
            store_name(g, item.name.partition(".")[0] if "." in item.name else item.name, r, s)
        elif "." in item.name:
            # `import a.b as c` binds the submodule.
            parts = item.name.split(".")
            for i in range(1, len(parts)):
                g.emit(OP_IMPORT_FROM, g.push(), r, g.site(intern_name(parts[i]), 0, 0))
                g.emit(OP_CLEAR, r, 1, 0)
                g.emit(OP_MOVE, r, r + 1, 0)
                g.top = r + 1
            store_name(g, item.asname, r, s)
        else:
            store_name(g, item.asname, r, s)
        g.top = top
    return 0


cdef int gen_import_from(Gen g, ImportFrom s) except -1:
    cdef alias item
    cdef int r, value
    cdef list names = []
    for item in s.names:
        names.append(item.name)
    mark(g, s)
    r = gen_import_call(g, s.module if s.module is not None else "", tuple(names), s.level)
    if names[0] == "*":
        return g.emit(OP_IMPORT_STAR, r, 0, 0)
    for item in s.names:
        mark(g, s)
        value = g.push()
        g.emit(OP_IMPORT_FROM, value, r, g.site(mangled(g, intern_name(item.name)), 0, 0))
        store_name(g, item.asname if item.asname is not None else item.name, value, s)
        g.top = value
    mark(g, s)
    return g.emit(OP_CLEAR, r, 1, 0)
