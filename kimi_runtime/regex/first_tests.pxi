# What a character must be where a repeat, an alternative or a whole match begins: found once for each program, so that
# the matcher need not try what cannot match. A test only ever says no where the code would fail, so nothing changes.

cdef enum:
    LOOK_NODES = 16         # for a test of a node
    LOOK_SET = 200          # for the test of a whole match
    LOOK_DEPTH = 10
    QUICK_WEIGHT = 32


cdef inline bint is_quick(const Program *p, int kind, uint32_t arg) noexcept:
    """Whether a test takes a short time for any character: what it costs is not counted."""
    return (kind != K_SET and kind != K_DYN) or p.sets[arg].weight <= QUICK_WEIGHT


cdef bint first_test(const Program *p, uint32_t pc, uint8_t *kind, uint32_t *arg) noexcept:
    """The test that any match from pc on passes with its first character; False when none is known."""
    cdef const Node *node
    cdef int i
    for i in range(LOOK_NODES):
        node = &p.nodes[pc]
        if node.op == OP_MARK or node.op == OP_AT or node.op == OP_ATOMIC:
            pc += 1
        elif node.op == OP_JUMP:
            pc = node.to
        elif node.op == OP_REPEAT and p.nodes[node.to].low > 0:
            pc += 1
        elif node.op == OP_POSSESSIVE and node.low > 0:
            pc += 1
        elif (node.op == OP_REPEAT_ONE or node.op == OP_MIN_REPEAT_ONE or node.op == OP_POSSESSIVE_ONE) and node.low > 0:
            kind[0] = node.kind
            arg[0] = node.arg
            return is_quick(p, kind[0], arg[0])
        else:
            kind[0] = K_NONE
            arg[0] = node.arg
            if node.op == OP_LIT:
                kind[0] = K_LIT
            elif node.op == OP_STRING:
                kind[0] = K_LIT
                arg[0] = p.pool[node.arg]
            elif node.op == OP_NOT:
                kind[0] = K_NOT
            elif node.op == OP_ANY:
                kind[0] = K_ANY
            elif node.op == OP_ALL:
                kind[0] = K_ALL
            elif node.op == OP_SET:
                kind[0] = K_SET
            elif node.op == OP_DYN:
                kind[0] = K_DYN
            return kind[0] != K_NONE and is_quick(p, kind[0], arg[0])
    return False


cdef bint first_set(const Program *p, uint32_t pc, uint8_t *table, int depth, int *budget) noexcept:
    """Adds to a table what a match from pc on may begin with, of the first 256 characters. False: it may be empty."""
    cdef const Node *node
    cdef uint8_t kind = K_NONE
    cdef uint32_t arg = 0
    cdef uint32_t c
    if depth == 0:
        return False
    while budget[0] > 0:
        budget[0] -= 1
        node = &p.nodes[pc]
        if node.op == OP_MARK or node.op == OP_AT or node.op == OP_ATOMIC:
            pc += 1
        elif node.op == OP_JUMP:
            pc = node.to
        elif node.op == OP_MAX_UNTIL or node.op == OP_MIN_UNTIL:
            pc += 1             # another round of the body was looked at when the repeat was
        elif node.op == OP_REPEAT:
            if not first_set(p, pc + 1, table, depth - 1, budget):
                return False
            if p.nodes[node.to].low > 0:
                return True     # the body is not empty, or what follows it was looked at
            pc = node.to + 1
        elif node.op == OP_ALT:
            while True:
                if not first_set(p, pc + 1, table, depth - 1, budget):
                    return False
                pc = p.nodes[pc].to
                if not pc:
                    return True
        elif node.op == OP_REPEAT_ONE or node.op == OP_MIN_REPEAT_ONE or node.op == OP_POSSESSIVE_ONE:
            for c in range(256):
                if passes(p, node.kind, node.arg, c):
                    table[c] = 1
            if node.low > 0:
                return True
            pc += 1
        else:
            if not first_test(p, pc, &kind, &arg):
                return False
            for c in range(256):
                if passes(p, kind, arg, c):
                    table[c] = 1
            return True
    return False


cdef int apart(const Program *p, int kind, uint32_t arg, int test, uint32_t test_arg) noexcept:
    """Which texts have no character that passes both tests: EXCLUSIVE for all, EXCLUSIVE_NARROW, or 0."""
    cdef uint32_t c
    if kind == K_DYN or test == K_DYN or kind == K_ALL or test == K_ALL:
        return 0
    if test == K_LIT:
        return 0 if passes(p, kind, arg, test_arg) else EXCLUSIVE | EXCLUSIVE_NARROW
    if kind == K_LIT:
        return 0 if passes(p, test, test_arg, arg) else EXCLUSIVE | EXCLUSIVE_NARROW
    for c in range(256):
        if passes(p, kind, arg, c) and passes(p, test, test_arg, c):
            return 0
    return EXCLUSIVE_NARROW


cdef int find_tests(Program *p) except -1:
    """Fills in the tests of the nodes and of the whole match."""
    cdef Node *node
    cdef Py_ssize_t i
    cdef uint8_t kind = K_NONE
    cdef uint32_t arg = 0
    cdef int budget = LOOK_SET
    cdef uint8_t table[256]
    cdef uint32_t pc
    for i in range(1, p.n_nodes):
        node = &p.nodes[i]
        if node.op == OP_REPEAT_ONE or node.op == OP_MIN_REPEAT_ONE or node.op == OP_ALT:
            if first_test(p, <uint32_t>i + 1, &kind, &arg):
                node.test = kind
                node.test_arg = arg
                if node.op == OP_REPEAT_ONE:
                    node.flags |= apart(p, node.kind, node.arg, kind, arg)
        elif node.op == OP_MAX_UNTIL:
            if first_test(p, node.to, &kind, &arg):
                node.test = kind
                node.test_arg = arg
    pc = 1
    while p.nodes[pc].op == OP_MARK:
        pc += 1
    if p.nodes[pc].op == OP_AT and p.nodes[pc].arg <= AT_BEGINNING_LINE:
        p.anchor = p.nodes[pc].arg
    if p.n_prefix == 0 and p.kind == K_NONE:
        if first_test(p, 1, &kind, &arg):
            p.kind = kind if kind != K_ALL else K_NONE
            p.arg = arg
        else:
            memset(table, 0, 256)
            if first_set(p, 1, table, LOOK_DEPTH, &budget):
                add_first_set(p, table)
    return 0


cdef int add_first_set(Program *p, const uint8_t *table) except -1:
    """Makes a set of what matches may begin with, any character above 255 among it, the test of the whole match."""
    cdef uint32_t words[11]
    cdef Set *s
    cdef void *larger = PyMem_Realloc(p.sets, (p.n_sets + 1) * sizeof(Set))
    if larger == NULL:
        raise MemoryError()
    p.sets = <Set *>larger
    larger = PyMem_Realloc(p.pool, (p.n_pool + 11) * sizeof(uint32_t))
    if larger == NULL:
        raise MemoryError()
    p.pool = <uint32_t *>larger
    memset(words, 0, sizeof(words))
    words[0] = SET_NEGATE
    words[1] = SET_BITS
    memcpy(p.pool + p.n_pool, words, sizeof(words))
    s = &p.sets[p.n_sets]
    memset(s, 0, sizeof(Set))
    memcpy(s.table, table, 256)
    s.words = <uint32_t>p.n_pool
    s.length = 11
    p.kind = K_SET
    p.arg = <uint32_t>p.n_sets
    p.n_sets += 1
    p.n_pool += 11
    return 0
