# try, with, and asynchronous loops. Included by codegen.pyx.
#
# A handler finds the exception in R[T] and the one handled before in R[T+1], where T is the register that was next free
# when the region began. While the handler's own code runs, a second region leads exceptions in it to a RERAISE that sets
# the handled exception back.

cdef int gen_try(Gen g, Node s, list body, list handlers, list orelse, list final, bint star) except -1:
    cdef int block, reg, handler, end
    if not final:
        return gen_try_except(g, s, body, handlers, orelse, star)
    handler = g.new_label()
    end = g.new_label()
    reg = g.top
    block = push_block(g, BLOCK_FINALLY, final)
    open_region(g, block, handler, reg, reg)
    if handlers:
        gen_try_except(g, s, body, handlers, orelse, star)
    else:
        gen_body(g, body)
        gen_body(g, orelse)
    close_region(g, block)
    pop_block(g)
    gen_body(g, final)
    g.jump(end)
    g.bind_handler(handler)
    g.push_n(2)
    block = begin_handler(g, s, reg)
    gen_body(g, final)
    mark(g, s)
    end_handler(g, block, reg)
    g.top = reg
    g.bind(end)
    return 0


cdef int begin_handler(Gen g, Node s, int reg) except -1:
    """Opens the region of a handler's own code; its exception registers are at reg."""
    cdef int cleanup = g.new_label()
    cdef int block = push_block(g, BLOCK_HANDLER, s)
    g.blocks[block].reg = reg
    open_region(g, block, cleanup, reg + 2, reg + 2)
    return block


cdef int end_handler(Gen g, int block, int reg) except -1:
    """Closes it; who comes here (has not left the handler) goes on raising the exception."""
    cdef int cleanup = g.blocks[block].handler
    close_region(g, block)
    pop_block(g)
    g.emit(OP_RERAISE, reg, reg, 0)
    g.dead = True
    g.bind_handler(cleanup)
    g.push_n(2)
    g.emit(OP_RERAISE, reg + 2, reg, 0)
    g.dead = True
    return 0


cdef int unbind_handler_name(Gen g, ExceptHandler handler) except -1:
    """name = None; del name, at the end of an `except as` body."""
    cdef Symbol sym = find_symbol(g, mangled(g, handler.name))
    cdef int reg = plain_local(g, sym)
    if reg >= 0:
        g.emit(OP_CLEAR, reg, 1, 0)
        return 0
    reg = g.push()
    g.emit(OP_LOAD_NONE, reg, 0, 0)
    store_name(g, handler.name, reg, handler)
    delete_name(g, handler.name, handler)
    g.top = reg
    return 0


cdef int gen_try_except(Gen g, Node s, list body, list handlers, list orelse, bint star) except -1:
    cdef int reg = g.top
    cdef int entry = g.new_label()
    cdef int end = g.new_label()
    cdef int block = push_block(g, BLOCK_TRY, s)
    cdef int following, unbind, named, r, i
    cdef int count = len(handlers)
    cdef ExceptHandler handler
    open_region(g, block, entry, reg, reg)
    gen_body(g, body)
    close_region(g, block)
    pop_block(g)
    gen_body(g, orelse)
    g.jump(end)
    g.bind_handler(entry)
    g.push_n(2)
    if star:
        gen_star_handlers(g, s, handlers, reg, end)
        g.top = reg
        g.bind(end)
        return 0
    block = begin_handler(g, s, reg)
    for i in range(count):
        handler = handlers[i]
        following = g.new_label()
        if handler.type is not None:
            r = operand(g, handler.type, -1, None)
            mark(g, handler)
            g.branch(OP_JNEXC_MATCH, reg, r, following)
        elif i < count - 1:
            fail(g, "default 'except:' must be last", handler)
        g.top = reg + 2
        if handler.name is not None:
            mark(g, handler)
            r = g.push()
            g.emit(OP_DUP, r, reg, 0)
            store_name(g, handler.name, r, handler)
            g.top = reg + 2
            unbind = g.new_label()
            named = push_block(g, BLOCK_NAMED_HANDLER, handler)
            open_region(g, named, unbind, reg + 2, reg + 2)
            gen_body(g, handler.body)
            close_region(g, named)
            pop_block(g)
            leave_handler(g, block, reg, handler, end)
            g.bind_handler(unbind)
            g.push_n(2)
            mark(g, handler)
            unbind_handler_name(g, handler)
            g.emit(OP_RERAISE, reg + 2, reg, 0)
            g.dead = True
            g.top = reg + 2
        else:
            gen_body(g, handler.body)
            leave_handler(g, block, reg, None, end)
        g.blocks[block].start = g.n
        g.bind(following)
    mark(g, s)
    end_handler(g, block, reg)
    g.top = reg
    g.bind(end)
    return 0


cdef int leave_handler(Gen g, int block, int reg, ExceptHandler named, int end) except -1:
    """The normal end of a handler's body."""
    close_region(g, block)
    g.emit(OP_POP_EXC, reg, 0, 0)
    if named is not None:
        unbind_handler_name(g, named)
    return g.jump(end)


cdef int gen_star_handlers(Gen g, Node s, list handlers, int reg, int end) except -1:
    """except*: R[reg] is the original exception; each handler gets the part that matches its type."""
    cdef int results = g.push()         # list of what the bodies raised, and of what nobody handled
    cdef int rest = g.push()            # what is left to match
    cdef int cleanup = g.new_label()
    cdef int match, following, raised, block, body, r, again, outer
    cdef ExceptHandler handler
    mark(g, s)
    outer = push_block(g, BLOCK_STAR_HANDLER, s)
    open_region(g, outer, cleanup, reg + 2, reg + 2)
    g.emit(OP_BUILD_LIST, results, 0, 0)
    g.emit(OP_DUP, rest, reg, 0)
    for handler in handlers:
        following = g.new_label()
        raised = g.new_label()
        again = g.new_label()
        match = g.push()
        r = operand(g, handler.type, -1, None)
        mark(g, handler)
        g.emit(OP_EG_MATCH, match, rest, r)
        g.top = match + 1
        r = g.push()
        g.emit(OP_DUP, r, match, 0)
        g.branch_wide(OP_JNONE, r, following)
        g.emit(OP_SET_HANDLED, match, 0, 0)
        if handler.name is not None:
            store_name(g, handler.name, match, handler)
        else:
            g.emit(OP_CLEAR, match, 1, 0)
        g.top = match
        block = push_block(g, BLOCK_NAMED_HANDLER, handler)
        open_region(g, block, raised, match, match)
        gen_body(g, handler.body)
        close_region(g, block)
        pop_block(g)
        if handler.name is not None:
            unbind_handler_name(g, handler)
        g.jump(again)
        g.bind_handler(raised)
        g.push_n(2)
        mark(g, handler)
        if handler.name is not None:
            unbind_handler_name(g, handler)
        r = g.push()
        g.emit(OP_DUP, r, match, 0)
        g.emit(OP_LIST_APPEND, results, r, 0)
        g.emit(OP_POP_EXC, match, 0, 0)
        g.top = match
        g.jump(again)
        g.bind(following)
        g.emit(OP_CLEAR, match, 1, 0)
        g.bind(again)
    mark(g, s)
    g.emit(OP_LIST_APPEND, results, rest, 0)
    g.emit(OP_PREP_RERAISE_STAR, rest, reg, results)
    r = g.push()
    g.emit(OP_DUP, r, rest, 0)
    close_region(g, outer)
    following = g.new_label()
    g.branch_wide(OP_JNONE, r, following)
    g.emit(OP_POP_EXC, reg, 0, 0)
    g.emit(OP_RAISE_AS_IS, rest, 0, 0)
    g.dead = True
    g.bind(following)
    g.emit(OP_CLEAR, rest, 1, 0)
    g.emit(OP_POP_EXC, reg, 0, 0)
    pop_block(g)
    g.jump(end)
    g.top = reg + 2
    g.bind_handler(cleanup)
    g.push_n(2)
    g.emit(OP_RERAISE, reg + 2, reg, 0)
    g.dead = True
    return 0


# -- with ----------------------------------------------------------------------------------------
cdef int gen_with(Gen g, Node s, list items, int index, list body, bint asynchronous) except -1:
    cdef withitem item = items[index]
    cdef Node place = s if STATEMENT_PLACES else item.context_expr     # of the calls of the exit function
    cdef int reg = g.push_n(4)
    cdef int src, value, block, cleanup, start
    cdef int handler = g.new_label()
    cdef int suppressed = g.new_label()
    cdef int end = g.new_label()
    cdef bint direct = False
    src = operand(g, item.context_expr, reg, None)
    mark_either(g, s, item.context_expr)
    g.emit(OP_ASYNC_WITH_LOAD if asynchronous else OP_WITH_LOAD, reg, src, 0)
    g.top = reg + 4
    value = reg + 2
    if item.optional_vars is not None and not asynchronous:
        src = local_target(g, item.optional_vars)
        if src >= 0:
            value = src
            direct = True
    g.emit(OP_CALL_METHOD, value, reg + 2, g.site(None, 0, 0))
    g.top = reg + 3
    if asynchronous:
        g.emit(OP_GET_AWAITABLE, value, value, 1)
        gen_delegate(g, value, value)
        g.top = reg + 3
    if direct:
        g.set_reg(value)
    block = push_block(g, BLOCK_WITH, place)
    g.blocks[block].reg = reg
    g.blocks[block].asynchronous = asynchronous
    open_region(g, block, handler, reg + 2, reg + 2)
    if item.optional_vars is None:
        g.emit(OP_CLEAR, value, 1, 0)
    elif not direct:
        gen_store(g, item.optional_vars, value)
    g.top = reg + 2
    if index + 1 < len(items):
        gen_with(g, s, items, index + 1, body, asynchronous)
    else:
        gen_body(g, body)
    close_region(g, block)
    pop_block(g)
    g.top = reg + 2
    mark(g, place)
    call_exit(g, place, reg, asynchronous)
    g.jump(end)

    g.bind_handler(handler)
    mark(g, place)
    g.push_n(2)
    cleanup = g.new_label()
    g.touch(cleanup)
    start = g.n
    value = g.push_n(5)
    g.emit(OP_MOVE, value, reg, 0)
    g.emit(OP_MOVE, value + 1, reg + 1, 0)
    g.emit(OP_WITH_EXCEPT_ARGS, value + 2, reg + 2, 0)
    g.emit(OP_CALL_METHOD, value, value, g.site(None, 3, 0))
    g.top = value + 1
    if asynchronous:
        g.emit(OP_GET_AWAITABLE, value, value, 2)
        gen_delegate(g, value, value)
    g.branch_wide(OP_JTRUE, value, suppressed)
    g.protect(start, cleanup, reg + 4, reg + 4)
    g.emit(OP_RERAISE, reg + 2, reg + 2, 0)
    g.dead = True
    g.bind(suppressed)
    g.emit(OP_POP_EXC, reg + 2, 0, 0)
    g.jump(end)
    g.bind_handler(cleanup)
    g.emit(OP_RERAISE, reg + 4, reg + 2, 0)
    g.dead = True
    g.bind(end)
    g.top = reg
    return 0


cdef int call_exit(Gen g, Node s, int reg, bint asynchronous) except -1:
    """Calls the exit function at reg with three Nones; at the top of the registers, since a call needs that."""
    cdef int top = g.top
    cdef int base = reg
    cdef int i
    if top > reg + 2:
        base = g.push_n(2)
        g.emit(OP_MOVE, base, reg, 0)
        g.emit(OP_MOVE, base + 1, reg + 1, 0)
    g.top = base + 2
    for i in range(3):
        g.emit(OP_LOAD_NONE, g.push(), 0, 0)
    g.emit(OP_CALL_METHOD, base, base, g.site(None, 3, 0))
    if asynchronous:
        g.top = base + 1
        g.emit(OP_GET_AWAITABLE, base, base, 2)
        gen_delegate(g, base, base)
    g.emit(OP_CLEAR, base, 1, 0)
    g.top = top
    return 0


# -- asynchronous for ----------------------------------------------------------------------------
cdef int gen_anext(Gen g, Node at, int it, int stop) except -1:
    """A new temporary with the next item; the end of the iteration goes to the handler `stop`."""
    cdef int start = g.n
    cdef int value = g.push()
    mark(g, at)
    g.touch(stop)
    g.emit(OP_GET_ANEXT, value, it, 0)
    gen_delegate(g, value, value)
    g.top = value + 1
    g.protect(start, stop, it + 1, it + 1)
    return value


cdef int gen_async_stop(Gen g, Node at, int it, int stop, int end) except -1:
    """The handler of gen_anext: leaves the loop when the iterator is exhausted."""
    cdef int top = g.top
    cdef int over = g.new_label()
    g.bind_handler(stop)
    g.top = it + 1
    g.push_n(2)
    mark(g, at)
    g.branch_wide(OP_JEND_ASYNC_FOR, it + 1, over)
    g.emit(OP_RERAISE, it + 1, it + 1, 0)
    g.dead = True
    g.bind(over)
    g.emit(OP_POP_EXC, it + 1, 0, 0)
    g.emit(OP_CLEAR, it, 1, 0)
    g.bind(end)
    g.top = top
    return 0


cdef int gen_async_for(Gen g, AsyncFor s) except -1:
    cdef int it = g.push()
    cdef int again = g.new_label()
    cdef int stop = g.new_label()
    cdef int over = g.new_label()
    cdef int end = g.new_label()
    cdef int src, value, block
    src = operand(g, s.iter, it, None)
    mark_either(g, s, s.iter)
    g.emit(OP_GET_AITER, it, src, 0)
    g.touch(again)
    g.bind(again)
    value = gen_anext(g, s, it, stop)
    block = push_block(g, BLOCK_FOR, s)
    g.blocks[block].reg = it
    g.blocks[block].asynchronous = True
    g.blocks[block].on_break = end
    g.blocks[block].on_continue = again
    gen_store(g, s.target, value)
    g.top = it + 1
    gen_body(g, s.body)
    pop_block(g)
    mark(g, s)
    g.jump(again)
    gen_async_stop(g, s.iter, it, stop, over)
    g.top = it
    gen_body(g, s.orelse)
    g.bind(end)
    return 0
