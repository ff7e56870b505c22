# Generator expressions that a builtin consumes at once: any(...), all(...), sum(...), list(...), tuple(...), set(...),
# sorted(...) and "x".join(...) run their loop in place instead of through a generator. Included by codegen.pyx.
#
# The name of the builtin is compared with the builtin itself first. Should it mean something else, the generator is made
# after all; its function then gets the values of the variables it uses as arguments, so that they need no cells.

cdef enum Consumer:
    CONSUME_NONE = 0
    CONSUME_ANY
    CONSUME_ALL
    CONSUME_SUM
    CONSUME_LIST            # list, and what works on a list: sorted, str.join
    CONSUME_TUPLE
    CONSUME_SET


cdef int consumer_of(Call e) except -1:
    """How the call consumes its only argument."""
    cdef str name
    if e.func.kind == K_Attribute:
        return CONSUME_LIST
    name = (<Name>e.func).id
    if name == "any":
        return CONSUME_ANY
    if name == "all":
        return CONSUME_ALL
    if name == "sum":
        return CONSUME_SUM
    if name == "tuple":
        return CONSUME_TUPLE
    if name == "set":
        return CONSUME_SET
    return CONSUME_LIST


cdef Scope consumed_scope(Gen g, Call e):
    """The scope of the loop when the call's argument may run in place, else None."""
    if len(e.args) != 1 or (<Node>e.args[0]).kind != K_GeneratorExp or g.table.consumed is None:
        return None
    return <Scope>g.table.consumed.get(e.args[0])


cdef int gen_consumed(Gen g, Call e, Scope scope, int dst) except -1:
    """dst = value of a call of any, all, sum, list, tuple or set with a generator expression."""
    cdef GeneratorExp gen = e.args[0]
    cdef int consumer = consumer_of(e)
    cdef int acc = collect_in(g, dst)
    cdef int top = g.top
    cdef int slow = g.new_label()
    cdef int end = g.new_label()
    cdef int base
    compare_builtin(g, e, top, slow)
    g.top = top
    gen_loop_in_place(g, e, gen, scope, consumer, acc)
    if consumer == CONSUME_TUPLE:
        mark(g, e)
        g.emit(OP_LIST_TO_TUPLE, acc, acc, 0)
    g.jump(end)
    g.bind(slow)
    base = g.push()
    gen_expr(g, e.func, base)
    gen_expr(g, gen, g.push())
    mark(g, e)
    g.emit(OP_CALL, acc, base, g.site(None, 1, 0))
    g.top = top
    g.bind(end)
    if acc != dst:
        g.emit(OP_MOVE, dst, acc, 0)
    return 0


cdef int compare_builtin(Gen g, Call e, int reg, int otherwise) except -1:
    """Jumps unless the name of the call's function means the builtin of that name; uses registers from reg up."""
    cdef int builtin
    cdef str name = (<Name>e.func).id
    value = getattr(_builtins, name)
    g.top = reg
    g.push()
    mark(g, e.func)
    load_variable(g, name, find_symbol(g, name), reg)
    builtin = g.const_reg(value)
    if builtin < 0:
        builtin = g.push()
        load_const(g, value, builtin)
    mark(g, e)
    return g.branch(OP_JIS_NOT, reg, builtin, otherwise)


cdef int gen_list_argument(Gen g, Call e, int callee, int dst) except -1:
    """dst (the top register) = argument of sorted or join, as a list; callee: the function, or -1 when it is sure."""
    cdef GeneratorExp gen = e.args[0]
    cdef Scope scope = consumed_scope(g, e)
    cdef int slow, end, copy, builtin
    if callee < 0:
        return gen_loop_in_place(g, e, gen, scope, CONSUME_LIST, dst)
    slow = g.new_label()
    end = g.new_label()
    copy = g.push()
    g.emit(OP_DUP, copy, callee, 0)
    value = getattr(_builtins, (<Name>e.func).id)
    builtin = g.const_reg(value)
    if builtin < 0:
        builtin = g.push()
        load_const(g, value, builtin)
    g.branch(OP_JIS_NOT, copy, builtin, slow)
    g.top = dst + 1
    gen_loop_in_place(g, e, gen, scope, CONSUME_LIST, dst)
    g.jump(end)
    g.bind(slow)
    gen_expr(g, gen, dst)
    g.bind(end)
    return 0


cdef int gen_loop_in_place(Gen g, Call e, GeneratorExp gen, Scope scope, int consumer, int acc) except -1:
    """acc (a temporary) = what the consumer makes of the items, a list for CONSUME_TUPLE."""
    cdef comprehension first = gen.generators[0]
    cdef Scope outer = g.scope
    cdef int top = g.top
    cdef int it = g.push_n(3)
    cdef int raised = g.new_label()
    cdef int exhausted = g.new_label()
    cdef int src, start, caller, spare
    cdef Symbol sym
    src = operand(g, first.iter, it, None)
    mark_either(g, gen, first.iter)
    g.emit(OP_GET_ITER, it, src, 0)
    mark(g, e)
    caller = g.n
    if consumer == CONSUME_SUM:
        g.emit_wide(OP_LOAD_INT, acc, 0)
    elif consumer == CONSUME_SET:
        g.emit(OP_BUILD_SET, acc, 0, 0)
    elif consumer == CONSUME_ANY or consumer == CONSUME_ALL:
        g.emit(OP_LOAD_BOOL, acc, consumer == CONSUME_ALL, 0)
    else:
        g.emit(OP_BUILD_LIST, acc, 0, 0)
    g.scope = scope
    g.consumer = consumer
    g.consumer_call = e
    g.consumer_acc = acc
    g.consumer_it = it
    g.consumer_found = g.new_label()
    g.consumer_pc = -1
    mark(g, gen)
    g.enter_loop(False)
    start = g.n
    g.touch(raised)
    gen_comprehension_loop(g, gen, gen.generators, 0, it, acc)
    g.leave_loop()
    g.consumer = CONSUME_NONE
    if not g.dead:
        # The place where the item is added is the caller's, not the generator's.
        if g.consumer_pc >= 0:
            g.inlined.append([start, g.consumer_pc, "<genexpr>", gen.lineno, caller])
            g.inlined.append([g.consumer_pc + 1, g.n, "<genexpr>", gen.lineno, caller])
        else:
            g.inlined.append([start, g.n, "<genexpr>", gen.lineno, caller])
    g.protect(start, raised, g.top, g.top)
    mark(g, e)
    if consumer == CONSUME_ANY or consumer == CONSUME_ALL:
        g.jump(exhausted)
        g.bind(g.consumer_found)
        g.emit(OP_CLEAR, it, g.consumer_live, 0)
        g.emit(OP_LOAD_BOOL, acc, consumer == CONSUME_ANY, 0)
        g.bind(exhausted)
    for sym in scope.symbols.values():
        g.emit(OP_CLEAR, sym.reg, 1, 0)
    g.scope = outer
    exhausted = g.new_label()
    g.jump(exhausted)
    g.bind_handler(raised)
    convert_stop_iteration(g, e)
    g.bind(exhausted)
    g.top = top
    return 0


cdef int convert_stop_iteration(Gen g, Call e) except -1:
    """The handler around the loop: a StopIteration from inside becomes a RuntimeError, as in a generator."""
    cdef int reg = g.push_n(2)
    cdef int block, following, r
    mark(g, e)
    block = begin_handler(g, e, reg)
    following = g.new_label()
    r = g.push()
    load_const(g, StopIteration, r)
    g.branch(OP_JNEXC_MATCH, reg, r, following)
    g.top = reg + 2
    r = g.push()
    load_const(g, RuntimeError, r)
    load_const(g, "generator raised StopIteration", g.push())
    g.emit(OP_CALL, r, r, g.site(None, 1, 0))
    g.top = r + 1
    g.emit(OP_DUP, g.push(), reg, 0)
    g.emit(OP_RAISE_FROM, r, r + 1, 0)
    g.dead = True
    g.top = reg + 2
    g.bind(following)
    return end_handler(g, block, reg)


cdef int gen_consumed_item(Gen g, Node elt) except -1:
    """The innermost part of the loop: hands one item to the consumer."""
    cdef int r
    cdef int top = g.top
    if g.consumer == CONSUME_ANY or g.consumer == CONSUME_ALL:
        g.consumer_live = top - g.consumer_it
        mark(g, elt)
        # The result is made when the outcome is known, so what the loop began with has to go.
        r = g.new_label()
        jump_if(g, elt, r, g.consumer == CONSUME_ALL)
        g.emit(OP_CLEAR, g.consumer_acc, 1, 0)
        g.jump(g.consumer_found)
        g.bind(r)
        return 0
    r = operand(g, elt, -1, None)
    mark(g, g.consumer_call)
    if g.consumer == CONSUME_SUM:
        g.consumer_pc = g.n
        g.emit(OP_ADD, g.consumer_acc, g.consumer_acc, r)
    elif g.consumer == CONSUME_SET:
        g.consumer_pc = g.n
        g.emit(OP_SET_ADD, g.consumer_acc, r, 0)
    else:
        g.emit(OP_LIST_APPEND, g.consumer_acc, r, 0)
    g.top = top
    return 0
