# match statements. Included by codegen.pyx.
#
# The subject waits in a hidden local, which tests read without consuming it. Parts of it that patterns look at lie in
# temporaries from `base` up; a failing test jumps to a label behind which all of them are emptied, so tests leave them
# where they are. Names are bound when the whole pattern has matched.

cdef class Captures:
    """Names that a pattern binds, and the registers in which their values wait."""
    cdef list names
    cdef list regs
    cdef list nodes


cdef Captures new_captures():
    cdef Captures c = Captures.__new__(Captures)
    c.names = []
    c.regs = []
    c.nodes = []
    return c


cdef bint is_wildcard(Node p):
    return p is None or (p.kind == K_MatchAs and (<MatchAs>p).name is None and (<MatchAs>p).pattern is None)


cdef int gen_match(Gen g, Match s) except -1:
    cdef int subject = g.frame.match_reg + g.match_level
    cdef int end = g.new_label()
    cdef int failed, after, base, i, used
    cdef int count = len(s.cases)
    cdef match_case case
    cdef Captures captures
    if g.scope is not g.frame:
        fail(g, "match statement in an expression", s)
    gen_expr(g, s.subject, subject)
    g.match_level += 1
    for i in range(count):
        case = s.cases[i]
        failed = g.new_label()
        after = g.new_label()
        base = g.top
        g.max_match_top = base
        captures = new_captures()
        g.allow_irrefutable = i == count - 1 or case.guard is not None
        gen_pattern(g, case.pattern, subject, captures, failed)
        used = max(g.max_match_top, g.top) - base
        bind_captures(g, captures, subject)
        g.top = base
        mark(g, case.pattern)
        if used and captures_leave(captures, base, used):
            g.emit(OP_CLEAR, base, used, 0)
        if case.guard is not None:
            jump_if(g, case.guard, after, False)
        mark(g, case.pattern)
        g.emit(OP_CLEAR, subject, 1, 0)
        gen_body(g, case.body)
        mark(g, case.pattern)
        g.jump(end)
        g.bind(failed)
        if used:
            mark(g, case.pattern)
            g.emit(OP_CLEAR, base, used, 0)
        g.bind(after)
        g.top = base
    g.match_level -= 1
    mark(g, s)
    g.emit(OP_CLEAR, subject, 1, 0)
    g.bind(end)
    return 0


cdef bint captures_leave(Captures captures, int base, int used):
    """Whether temporaries of the pattern may still hold something after the names were bound."""
    cdef list taken = captures.regs
    return len(taken) < used


cdef int capture(Gen g, Captures captures, str name, int reg, Node at) except -1:
    if name in captures.names:
        fail_here(g, f"multiple assignments to name '{name}' in pattern", at)
    if name == "__debug__":
        fail_here(g, "cannot assign to __debug__", at)
    captures.names.append(name)
    captures.regs.append(reg)
    captures.nodes.append(at)
    return 0


cdef int bind_captures(Gen g, Captures captures, int subject) except -1:
    """Stores the captured values in their names; a temporary is given away with its last use."""
    cdef int i, reg, copy, top = g.top
    cdef int count = len(captures.names)
    for i in range(count):
        reg = captures.regs[i]
        if is_temp(g, reg) and reg in captures.regs[i + 1:]:
            copy = g.push()
            mark(g, <Node>captures.nodes[i])
            g.emit(OP_DUP, copy, reg, 0)
            store_name(g, <str>captures.names[i], copy, <Node>captures.nodes[i])
            g.top = top
        elif not is_temp(g, reg) and local_target_name(g, <str>captures.names[i]) < 0:
            # Stores read a local in place; that is enough for the subject.
            store_name(g, <str>captures.names[i], reg, <Node>captures.nodes[i])
        else:
            store_name(g, <str>captures.names[i], reg, <Node>captures.nodes[i])
    return 0


cdef int local_target_name(Gen g, str name):
    return plain_local(g, find_symbol(g, mangled(g, name)))


cdef int keep_height(Gen g) noexcept:
    """Remembers how many temporaries the pattern needs."""
    if g.top > g.max_match_top:
        g.max_match_top = g.top
    return 0


cdef int usable_copy(Gen g, int reg) except -1:
    """A register with the value of reg that an instruction may consume: reg itself when it is a local."""
    cdef int copy
    if not is_temp(g, reg):
        return reg
    copy = g.push()
    keep_height(g)
    g.emit(OP_DUP, copy, reg, 0)
    return copy


cdef int gen_pattern(Gen g, Node p, int reg, Captures captures, int failed) except -1:
    """Tests the value in reg, which is kept; jumps to `failed` when it does not match.

    Temporaries that hold captured values stay allocated, others are given back.
    """
    cdef int k
    if p is None:
        return 0
    k = p.kind
    g.level += 1
    if g.level > MAX_LEVEL or k_stack_here() < k_thread_stack_floor():
        raise RecursionError("maximum recursion depth exceeded during compilation")
    mark(g, p)
    if k == K_MatchAs:
        if (<MatchAs>p).pattern is not None:
            gen_pattern(g, (<MatchAs>p).pattern, reg, captures, failed)
        elif not g.allow_irrefutable:
            if (<MatchAs>p).name is not None:
                fail(g, f"name capture '{(<MatchAs>p).name}' makes remaining patterns unreachable", p)
            fail(g, "wildcard makes remaining patterns unreachable", p)
        if (<MatchAs>p).name is not None:
            capture(g, captures, (<MatchAs>p).name, reg, p)
    elif k == K_MatchValue:
        gen_match_value(g, <MatchValue>p, reg, failed)
    elif k == K_MatchSingleton:
        gen_match_singleton(g, <MatchSingleton>p, reg, failed)
    elif k == K_MatchSequence:
        gen_match_sequence(g, <MatchSequence>p, reg, captures, failed)
    elif k == K_MatchMapping:
        gen_match_mapping(g, <MatchMapping>p, reg, captures, failed)
    elif k == K_MatchClass:
        gen_match_class(g, <MatchClass>p, reg, captures, failed)
    elif k == K_MatchOr:
        gen_match_or(g, <MatchOr>p, reg, captures, failed)
    elif k == K_MatchStar:
        fail(g, "starred pattern outside a sequence", p)
    else:
        fail(g, f"{type(p).__name__} is not a pattern", p)
    g.level -= 1
    return 0


cdef int gen_subpattern(Gen g, Node p, int reg, Captures captures, int failed) except -1:
    """A pattern inside another one, where names and wildcards are always allowed."""
    cdef bint saved = g.allow_irrefutable
    g.allow_irrefutable = True
    gen_pattern(g, p, reg, captures, failed)
    g.allow_irrefutable = saved
    return 0


cdef int gen_match_value(Gen g, MatchValue p, int reg, int failed) except -1:
    cdef int top = g.top
    cdef int b
    if p.value.kind == K_JoinedStr:
        fail(g, "patterns may only match literals and attribute lookups", p)
    b = usable_copy(g, reg)
    jump_compare(g, p, CMP_Eq, b, p.value, failed, False)
    g.top = top
    return 0


cdef int gen_match_singleton(Gen g, MatchSingleton p, int reg, int failed) except -1:
    cdef int top = g.top
    cdef int b = usable_copy(g, reg)
    cdef int c
    if p.value is None:
        g.branch_wide(OP_JNOT_NONE, b, failed)
    else:
        c = g.push()
        load_const(g, p.value, c)
        g.branch(OP_JIS_NOT, b, c, failed)
    g.top = top
    return 0


cdef int gen_match_sequence(Gen g, MatchSequence p, int reg, Captures captures, int failed) except -1:
    cdef int count = len(p.patterns)
    cdef int star = -1
    cdef int i, t, base, src
    cdef bint only_wildcards = True
    cdef bint star_wildcard = False
    cdef Node child
    for i in range(count):
        child = p.patterns[i]
        if child.kind == K_MatchStar:
            if star >= 0:
                fail(g, "multiple starred names in sequence pattern", p)
            star = i
            star_wildcard = (<MatchStar>child).name is None
            only_wildcards = only_wildcards and star_wildcard
        elif not is_wildcard(child):
            only_wildcards = False
    t = g.push()
    keep_height(g)
    g.emit(OP_MATCH_SEQ, t, reg, 0)
    g.branch_wide(OP_JFALSE, t, failed)
    if star < 0 or count > 1:
        g.emit(OP_GET_LEN, t, reg, 0)
        g.branch(OP_JNEQ_I if star < 0 else OP_JNGE_I, t, count if star < 0 else count - 1, failed)
    g.top = t
    if only_wildcards:
        return 0
    if star_wildcard:
        return gen_match_items(g, p, star, reg, captures, failed)
    base = g.push_n(count)
    keep_height(g)
    src = usable_copy(g, reg)
    g.top = base + count
    if star < 0:
        g.emit(OP_UNPACK, base, src, count)
    else:
        if star >= 256 or count - star - 1 >= 1 << 23:
            fail(g, "too many expressions in star-unpacking sequence pattern", p)
        emit_unpack_star(g, base, src, star, count - star - 1)
    for i in range(count):
        child = p.patterns[i]
        if child.kind == K_MatchStar:
            if (<MatchStar>child).name is not None:
                capture(g, captures, (<MatchStar>child).name, base + i, child)
        else:
            gen_subpattern(g, child, base + i, captures, failed)
    return 0


cdef int gen_match_items(Gen g, MatchSequence p, int star, int reg, Captures captures, int failed) except -1:
    """A sequence pattern with `*_`: takes the items that matter one by one."""
    cdef int count = len(p.patterns)
    cdef int i, t, src, at
    cdef Node child
    for i in range(count):
        child = p.patterns[i]
        if i == star or is_wildcard(child):
            continue
        t = g.push()
        keep_height(g)
        mark(g, p)
        src = reg
        if is_temp(g, reg):
            src = t
            g.emit(OP_DUP, t, reg, 0)
        if i < star:
            g.emit(OP_GET_ITEM_I, t, src, i)
        else:
            # Counted from the length, as the host does: the subject need not understand negative indices.
            at = g.push()
            keep_height(g)
            g.emit(OP_GET_LEN, at, reg, 0)
            g.emit(OP_SUB_I, at, at, count - i)
            g.emit(OP_GET_ITEM, t, src, at)
            g.top = at
        gen_subpattern(g, child, t, captures, failed)
    return 0


cdef int gen_match_mapping(Gen g, MatchMapping p, int reg, Captures captures, int failed) except -1:
    cdef int count = len(p.keys)
    cdef int i, t, keys, base, copy
    cdef Node key
    cdef dict seen = {}
    if count != len(p.patterns):
        fail(g, f"keys ({count}) / patterns ({len(p.patterns)}) length mismatch in mapping pattern", p)
    t = g.push()
    keep_height(g)
    g.emit(OP_MATCH_MAP, t, reg, 0)
    g.branch_wide(OP_JFALSE, t, failed)
    g.top = t
    if count == 0 and p.rest is None:
        return 0
    if count:
        t = g.push()
        g.emit(OP_GET_LEN, t, reg, 0)
        g.branch(OP_JNGE_I, t, count, failed)
        g.top = t
    keys = g.push()
    for i in range(count):
        key = p.keys[i]
        value = constant_of(key)
        if value is not NOT_CONSTANT:
            if (type(value), value) in seen or value in seen:
                fail(g, f"mapping pattern checks duplicate key ({value!r})", p)
            seen[value] = None
        elif key.kind != K_Attribute:
            fail(g, "mapping pattern keys may only match literals and attribute lookups", p)
        gen_expr(g, key, run_next(g, keys, i))
    keep_height(g)
    mark(g, p)
    g.emit(OP_BUILD_TUPLE, keys, keys if count else 0, count)
    g.top = keys + 1
    if count:
        base = g.push_n(count)
        t = g.push()
        copy = g.push()
        keep_height(g)
        if p.rest is not None:
            g.emit(OP_DUP, copy, keys, 0)
        else:
            copy = keys
        g.emit(OP_MATCH_KEYS, t, reg, copy)
        copy = g.push()
        keep_height(g)
        g.emit(OP_DUP, copy, t, 0)
        g.branch_wide(OP_JNONE, copy, failed)
        g.emit(OP_UNPACK, base, t, count)
        g.top = base + count
        for i in range(count):
            gen_subpattern(g, <Node>p.patterns[i], base + i, captures, failed)
    if p.rest is not None:
        t = g.push()
        keep_height(g)
        mark(g, p)
        g.emit(OP_MAP_WITHOUT, t, reg, keys)
        capture(g, captures, p.rest, t, p)
    return 0


cdef int gen_match_class(Gen g, MatchClass p, int reg, Captures captures, int failed) except -1:
    cdef int positional = len(p.patterns)
    cdef int named = len(p.kwd_attrs)
    cdef int count = positional + named
    cdef int i, j, t, cls, base
    cdef Node child
    if named != len(p.kwd_patterns):
        fail(g, f"kwd_attrs ({named}) / kwd_patterns ({len(p.kwd_patterns)}) length mismatch in class pattern", p)
    for i in range(named):
        forbid_debug(g, <str>p.kwd_attrs[i], <Node>p.kwd_patterns[i], False)
        for j in range(i + 1, named):
            if p.kwd_attrs[i] == p.kwd_attrs[j]:
                fail(g, f"attribute name repeated in class pattern: {p.kwd_attrs[j]}", <Node>p.kwd_patterns[j])
    base = g.push_n(count)
    t = g.push()
    cls = g.push()
    gen_expr(g, p.cls, cls)
    mark(g, p)
    load_const(g, tuple(p.kwd_attrs), g.push())
    load_const(g, positional, g.push())
    keep_height(g)
    g.emit(OP_MATCH_CLASS, t, reg, cls)
    g.emit(OP_DUP, cls, t, 0)
    g.branch_wide(OP_JNONE, cls, failed)
    if count:
        g.emit(OP_UNPACK, base, t, count)
    else:
        g.emit(OP_CLEAR, t, 1, 0)
    g.top = base + count
    for i in range(count):
        child = p.patterns[i] if i < positional else p.kwd_patterns[i - positional]
        gen_subpattern(g, child, base + i, captures, failed)
    return 0


cdef int gen_match_or(Gen g, MatchOr p, int reg, Captures captures, int failed) except -1:
    """Alternatives leave what they capture in common registers, in the order of the first one."""
    cdef int count = len(p.patterns)
    cdef int matched = g.new_label()
    cdef int following, i, j, first, top, width = -1
    cdef Captures part
    cdef list names = None
    cdef Node child
    cdef bint allowed = g.allow_irrefutable
    # The first alternative tells how many common registers are needed: count its captures before generating it.
    names = []
    pattern_names(<Node>p.patterns[0], names)
    width = len(names)
    first = g.push_n(width) if width else g.top
    keep_height(g)
    top = g.top
    for i in range(count):
        child = p.patterns[i]
        g.allow_irrefutable = allowed and i == count - 1
        part = new_captures()
        following = g.new_label() if i < count - 1 else failed
        gen_pattern(g, child, reg, part, following)
        if len(part.names) != width or set(part.names) != set(names):
            fail_here(g, "alternative patterns bind different names", p)
        mark(g, child)
        for j in range(width):
            g.emit(OP_DUP, first + j, part.regs[part.names.index(names[j])], 0)
        g.top = top
        if g.max_match_top > top:
            g.emit(OP_CLEAR, top, g.max_match_top - top, 0)
        g.jump(matched)
        if i < count - 1:
            g.bind(following)
            if g.max_match_top > top:
                g.emit(OP_CLEAR, top, g.max_match_top - top, 0)
    g.bind(matched)
    for j in range(width):
        capture(g, captures, <str>names[j], first + j, p)
    return 0


cdef int pattern_names(Node p, list names) except -1:
    """Names that a pattern binds, in order."""
    cdef Node child
    if p is None:
        return 0
    if p.kind == K_MatchAs:
        pattern_names((<MatchAs>p).pattern, names)
        if (<MatchAs>p).name is not None:
            names.append((<MatchAs>p).name)
    elif p.kind == K_MatchStar:
        if (<MatchStar>p).name is not None:
            names.append((<MatchStar>p).name)
    elif p.kind == K_MatchSequence:
        for child in (<MatchSequence>p).patterns:
            pattern_names(child, names)
    elif p.kind == K_MatchMapping:
        for child in (<MatchMapping>p).patterns:
            pattern_names(child, names)
        if (<MatchMapping>p).rest is not None:
            names.append((<MatchMapping>p).rest)
    elif p.kind == K_MatchClass:
        for child in (<MatchClass>p).patterns:
            pattern_names(child, names)
        for child in (<MatchClass>p).kwd_patterns:
            pattern_names(child, names)
    elif p.kind == K_MatchOr:
        pattern_names(<Node>(<MatchOr>p).patterns[0], names)
    return 0
