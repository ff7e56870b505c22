# Comprehensions and generator expressions. Included by codegen.pyx.

cdef int gen_comprehension(Gen g, Node e, int dst) except -1:
    cdef Scope scope = g.table.scopes[e]
    cdef list generators
    cdef comprehension first
    cdef Symbol sym
    cdef str name
    cdef int base, r
    if e.kind == K_ListComp:
        generators = (<ListComp>e).generators
    elif e.kind == K_SetComp:
        generators = (<SetComp>e).generators
    elif e.kind == K_DictComp:
        generators = (<DictComp>e).generators
    else:
        generators = (<GeneratorExp>e).generators
    first = generators[0]
    if scope.coroutine and e.kind != K_GeneratorExp and not g.flags & (CODE_COROUTINE | CODE_ASYNC_GENERATOR):
        fail(g, "asynchronous comprehension outside of an asynchronous function", e)
    if scope.inlined:
        return gen_inlined(g, e, scope, generators, dst)
    # A function of one argument: the iterable (its iterator, for a generator expression) of the first `for`.
    base = run_base(g, dst)
    run_next(g, base, 0)
    mark(g, e)
    make_function(g, comprehension_code(g, e, scope, generators), 0, base, base)
    r = g.push()
    gen_expr(g, first.iter, r)
    mark_either(g, e, first.iter)
    if first.is_async:
        g.emit(OP_GET_AITER, r, r, 0)
    else:
        g.emit(OP_GENEXP_ITER, r, r, 0)
    if scope.by_value:
        for name in scope.params[1:]:
            sym = find_symbol(g, name)
            r = plain_local(g, sym)
            if r >= 0:
                check_local(g, sym, e)
            load_variable(g, name, sym, g.push())
    mark(g, e)
    if not scope.coroutine or e.kind == K_GeneratorExp:
        g.emit(OP_CALL, dst, base, g.site(None, len(scope.params), 0))
        return 0
    # The function is a coroutine: await it. It may still read the variable that the result is for.
    g.emit(OP_CALL, base, base, g.site(None, len(scope.params), 0))
    g.top = base + 1
    g.emit(OP_GET_AWAITABLE, base, base, 0)
    return gen_delegate(g, base, dst)


cdef int gen_inlined(Gen g, Node e, Scope scope, list generators, int dst) except -1:
    cdef comprehension first = generators[0]
    cdef Scope outer = g.scope
    cdef int acc = collect_in(g, dst)
    cdef int it = g.push_n(3)
    cdef int src, start
    cdef Symbol sym
    cdef str name = scope.name
    src = operand(g, first.iter, it, None)
    mark_either(g, e, first.iter)
    g.emit(OP_GET_AITER if first.is_async else OP_GET_ITER, it, src, 0)
    start = g.n
    g.scope = scope
    mark(g, e)
    g.enter_loop(False)
    g.emit(OP_BUILD_SET if e.kind == K_SetComp else (OP_BUILD_MAP if e.kind == K_DictComp else OP_BUILD_LIST), acc, 0, 0)
    for sym in scope.symbols.values():
        if sym.scope == NAME_CELL:
            # What an earlier run left when it was broken off.
            g.emit(OP_CLEAR, sym.reg, 1, 0)
            g.emit(OP_MAKE_CELL, sym.reg, 0, 0)
    gen_comprehension_loop(g, e, generators, 0, it, acc)
    g.leave_loop()
    mark(g, e)
    for sym in scope.symbols.values():
        g.emit(OP_CLEAR, sym.reg, 1, 0)
    if not g.dead:
        g.inlined.append([start, g.n, name, e.lineno])
    g.scope = outer
    if acc != dst:
        g.emit(OP_MOVE, dst, acc, 0)
    return 0


cdef int gen_comprehension_loop(Gen g, Node e, list generators, int depth, int it, int acc) except -1:
    """The loop over generators[depth], whose iterator is at `it`, with the inner ones and the element in it."""
    cdef comprehension gen = generators[depth]
    cdef comprehension inner
    cdef int body = g.new_label()
    cdef int again = g.new_label()
    cdef int target, top, src, r, k, v
    cdef Node test
    if gen.is_async:
        return gen_async_comprehension_loop(g, e, generators, depth, it, acc)
    g.touch(body)
    mark(g, gen.target)
    g.jump(again)
    g.bind(body)
    target = local_target(g, gen.target)
    top = g.top
    if target < 0:
        target = g.push()
        gen_store(g, gen.target, target)
        g.top = top
    else:
        g.set_reg(target)
    gen_comprehension_body(g, e, generators, depth, again, acc)
    g.bind(again)
    mark_either(g, e, gen.iter)
    g.branch(OP_FOR_LOOP, it, target, body)
    return 0


cdef int gen_comprehension_body(Gen g, Node e, list generators, int depth, int again, int acc) except -1:
    cdef comprehension gen = generators[depth]
    cdef comprehension inner
    cdef int top = g.top
    cdef int it, src, k, v
    cdef Node test
    for test in gen.ifs:
        mark(g, e)
        jump_if(g, test, again, False)
    if depth + 1 < len(generators):
        inner = generators[depth + 1]
        it = g.push_n(3)
        src = operand(g, inner.iter, it, None)
        mark_either(g, e, inner.iter)
        g.emit(OP_GET_AITER if inner.is_async else OP_GET_ITER, it, src, 0)
        gen_comprehension_loop(g, e, generators, depth + 1, it, acc)
    elif e.kind == K_ListComp:
        src = operand(g, (<ListComp>e).elt, -1, None)
        mark(g, e)
        g.emit(OP_LIST_APPEND, acc, src, 0)
    elif e.kind == K_SetComp:
        src = operand(g, (<SetComp>e).elt, -1, None)
        mark(g, e)
        g.emit(OP_SET_ADD, acc, src, 0)
    elif e.kind == K_DictComp:
        k = operand(g, (<DictComp>e).key, -1, (<DictComp>e).value)
        v = operand(g, (<DictComp>e).value, -1, None)
        mark(g, e)
        g.emit(OP_MAP_ADD, acc, k, v)
    elif g.consumer:
        gen_consumed_item(g, (<GeneratorExp>e).elt)
    else:
        src = operand(g, (<GeneratorExp>e).elt, -1, None)
        mark(g, (<GeneratorExp>e).elt)
        k = g.push()
        g.emit(OP_YIELD, k, src, 0)
        g.emit(OP_CLEAR, k, 1, 0)
    g.top = top
    return 0


cdef int gen_async_comprehension_loop(Gen g, Node e, list generators, int depth, int it, int acc) except -1:
    """As gen_comprehension_loop, for `async for`; R[it] is the asynchronous iterator."""
    cdef comprehension gen = generators[depth]
    cdef int again = g.new_label()
    cdef int stop = g.new_label()
    cdef int end = g.new_label()
    cdef int top = g.top
    cdef int value
    g.touch(again)
    g.bind(again)
    value = gen_anext(g, e, it, stop)
    gen_store(g, gen.target, value)
    g.top = top
    gen_comprehension_body(g, e, generators, depth, again, acc)
    g.jump(again)
    gen_async_stop(g, e, it, stop, end)
    return 0


cdef Code comprehension_code(Gen g, Node e, Scope scope, list generators):
    """The function of a generator expression, or of a comprehension that is not part of the one around it."""
    cdef unsigned int flags = CODE_OPTIMIZED
    cdef Gen inner
    cdef int acc = -1, it
    cdef comprehension first = generators[0]
    if e.kind == K_GeneratorExp:
        flags |= CODE_ASYNC_GENERATOR if scope.coroutine else CODE_GENERATOR
    elif scope.coroutine:
        flags |= CODE_COROUTINE
    inner = child_gen(g, scope, flags, scope.name)
    mark(inner, e)
    for it in range(len(scope.params)):
        inner.set_reg(it)
    make_cells(inner)
    if e.kind != K_GeneratorExp:
        acc = inner.push()
        inner.emit(OP_BUILD_SET if e.kind == K_SetComp else (OP_BUILD_MAP if e.kind == K_DictComp else OP_BUILD_LIST),
                   acc, 0, 0)
    it = inner.push_n(3)
    if first.is_async:
        inner.emit(OP_MOVE, it, 0, 0)
    else:
        inner.emit(OP_GET_ITER, it, 0, 0)
    if not first.is_async:
        inner.enter_loop(False)
    gen_comprehension_loop(inner, e, generators, 0, it, acc)
    mark(inner, e)
    if acc >= 0:
        inner.emit(OP_RETURN, acc, 0, 0)
    else:
        inner.emit(OP_RETURN_NONE, 0, 0, 0)
    return finish_function(inner, scope.name, e.lineno, len(scope.params), 0, 0)
