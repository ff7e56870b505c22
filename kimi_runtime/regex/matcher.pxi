# The matcher: runs a program at one position, and searches for a position. One version for each width of characters.

cdef inline bint at_place(const Machine *m, const Char *s, Py_ssize_t at, uint32_t place) noexcept nogil:
    """Whether a position is such a place. A text's beginning is 0, whatever `pos` was given; it may be beyond the end."""
    cdef bint before, after
    cdef Py_ssize_t end = m.end
    if place == AT_BEGINNING:
        return at == 0
    elif place == AT_END_STRING:
        return at == end
    elif place == AT_END:
        return at == end or (at == end - 1 and s[at] == 10)
    elif place == AT_BEGINNING_LINE:
        return at == 0 or s[at - 1] == 10
    elif place == AT_END_LINE:
        return at == end or (at < m.length and s[at] == 10)
    if end == 0:
        return False            # an empty text has neither boundaries nor their opposite
    if place >= AT_UNI_BOUNDARY:
        before = at > 0 and K_UNI_WORD(s[at - 1])
        after = at < end and K_UNI_WORD(s[at])
        return (before != after) == (place == AT_UNI_BOUNDARY)
    elif place >= AT_LOC_BOUNDARY:
        before = at > 0 and K_LOC_WORD(s[at - 1])
        after = at < end and K_LOC_WORD(s[at])
        return (before != after) == (place == AT_LOC_BOUNDARY)
    before = at > 0 and K_WORD(s[at - 1])
    after = at < end and K_WORD(s[at])
    return (before != after) == (place == AT_BOUNDARY)


cdef inline Py_ssize_t skip_run(const Program *p, const Char *s, Py_ssize_t at, Py_ssize_t stop, int kind,
                                uint32_t arg) noexcept nogil:
    """The first position from at on, or stop, whose character does not pass a test."""
    cdef const uint8_t *table
    cdef const Set *the_set
    cdef const void *found
    if kind == K_SET:
        table = p.sets[arg].table
        if Char is uint8_t:
            while at < stop and table[s[at]]:
                at += 1
        else:
            the_set = &p.sets[arg]
            while at < stop and has(the_set, p.pool, s[at]):
                at += 1
    elif kind == K_ALL:
        at = stop
    elif kind == K_ANY or kind == K_NOT:
        if kind == K_ANY:
            arg = 10
        if Char is uint8_t:
            if arg > 255 or at >= stop:
                return stop
            found = memchr(s + at, arg, stop - at)
            at = stop if found == NULL else <const uint8_t *>found - <const uint8_t *>s
        else:
            while at < stop and s[at] != arg:
                at += 1
    elif kind == K_LIT:
        while at < stop and s[at] == arg:
            at += 1
    else:
        while at < stop and in_set(&p.sets[arg], p.pool, s[at]):
            at += 1
    return at


cdef Py_ssize_t run_of(const Program *p, const Char *s, Py_ssize_t at, Py_ssize_t stop, int kind, uint32_t arg) noexcept nogil:
    """As skip_run, with looks at the limits: -1 with an exception set when the run is to stop."""
    cdef Py_ssize_t next, chunk = CHUNK
    if (kind == K_SET or kind == K_DYN) and p.sets[arg].weight > QUICK_WEIGHT:
        chunk = CHUNK * QUICK_WEIGHT // p.sets[arg].weight + 1      # such a set may be looked through for each character
    while stop - at > chunk:
        next = skip_run(p, s, at, at + chunk, kind, arg)
        if next < at + chunk:
            return next
        at = next
        if look(CHUNK >> 4) < 0:
            return -1
    return skip_run(p, s, at, stop, kind, arg)


cdef inline Py_ssize_t skip_to(const Program *p, const Char *s, Py_ssize_t at, Py_ssize_t stop, int kind,
                               uint32_t arg) noexcept nogil:
    """The first position from at on, or stop, whose character passes a test."""
    cdef const uint8_t *table
    cdef const void *found
    if kind == K_LIT:
        if Char is uint8_t:
            if arg > 255 or at >= stop:
                return stop
            found = memchr(s + at, arg, stop - at)
            return stop if found == NULL else <const uint8_t *>found - <const uint8_t *>s
        while at < stop and s[at] != arg:
            at += 1
    elif kind == K_SET:
        table = p.sets[arg].table
        if Char is uint8_t:
            while at < stop and not table[s[at]]:
                at += 1
        else:
            while at < stop and not has(&p.sets[arg], p.pool, s[at]):
                at += 1
    else:
        while at < stop and not passes(p, kind, arg, s[at]):
            at += 1
    return at


cdef inline Py_ssize_t back_to(const Program *p, const Char *s, Py_ssize_t at, Py_ssize_t low, int kind,
                               uint32_t arg) noexcept nogil:
    """The last position up to at whose character passes a test; low - 1 when there is none from low on."""
    if kind == K_LIT:
        while at >= low and s[at] != arg:
            at -= 1
    else:
        while at >= low and not passes(p, kind, arg, s[at]):
            at -= 1
    return at


cdef Py_ssize_t find_first(const Program *p, const Char *s, Py_ssize_t at, Py_ssize_t stop, int kind,
                           uint32_t arg) noexcept nogil:
    """As skip_to, with looks at the limits: -1 with an exception set when the run is to stop."""
    cdef Py_ssize_t next, chunk = CHUNK
    if (kind == K_SET or kind == K_DYN) and p.sets[arg].weight > QUICK_WEIGHT:
        chunk = CHUNK * QUICK_WEIGHT // p.sets[arg].weight + 1
    while stop - at > chunk:
        next = skip_to(p, s, at, at + chunk, kind, arg)
        if next < at + chunk:
            return next
        at = next
        if look(CHUNK >> 4) < 0:
            return -1
    return skip_to(p, s, at, stop, kind, arg)


cdef Py_ssize_t same_text(const Char *s, Py_ssize_t one, Py_ssize_t other, Py_ssize_t n, int op) noexcept nogil:
    """How many of n characters at two positions are the same, as a reference to a group compares them; -1: stop."""
    cdef Py_ssize_t i
    for i in range(n):
        if s[one + i] != s[other + i]:
            if op == OP_GROUPREF:
                return i
            elif op == OP_GROUPREF_UNICODE:
                if K_LOWER_UNI(s[one + i]) != K_LOWER_UNI(s[other + i]):
                    return i
            elif op == OP_GROUPREF_ASCII:
                if K_LOWER_ASCII(s[one + i]) != K_LOWER_ASCII(s[other + i]):
                    return i
            elif K_LOWER_LOC(s[one + i]) != K_LOWER_LOC(s[other + i]):
                return i
        if i & (CHUNK - 1) == CHUNK - 1 and look(CHUNK >> 4) < 0:
            return -1
    return n


cdef int run_at(Machine *m, const Char *s, Py_ssize_t at, uint32_t pc) noexcept nogil:
    """Matches at one position: 1 (m.at is the end of the match), 0, or -1 with an exception set."""
    cdef const Program *p = m.p
    cdef const Node *nodes = p.nodes
    cdef const Node *node
    cdef Py_ssize_t end = m.end
    cdef Py_ssize_t *marks = m.marks
    cdef Slot *slot
    cdef int64_t *stack = m.stack
    cdef Py_ssize_t sp = 1              # words on the stack
    cdef Py_ssize_t frame = 0           # words up to and with the innermost frame
    cdef int64_t fuel = fuel_left
    cdef int64_t word
    cdef Py_ssize_t low, high, next, i, count
    cdef uint32_t alt
    cdef const uint32_t *string
    cdef int result
    global fuel_left
    while True:
        node = &nodes[pc]
        fuel -= 1
        if fuel < 0:
            fuel_left = FUEL
            if look(FUEL - fuel) < 0:
                return -1
            fuel = FUEL
        if sp + PUSH_ROOM > m.room:
            if machine_grow(m, sp + PUSH_ROOM) < 0:
                fuel_left = fuel
                return -1
            stack = m.stack
        # A step that matches goes on with the loop; what comes to the end of this has failed.
        if node.op == OP_LIT:
            if at < end and s[at] == node.arg:
                at += 1
                pc += 1
                continue
        elif node.op == OP_SET:
            if at < end:
                if s[at] < 256:
                    if p.sets[node.arg].table[s[at]]:
                        at += 1
                        pc += 1
                        continue
                else:
                    fuel -= p.sets[node.arg].weight >> 2
                    if in_set(&p.sets[node.arg], p.pool, s[at]):
                        at += 1
                        pc += 1
                        continue
        elif node.op == OP_ANY:
            if at < end and s[at] != 10:
                at += 1
                pc += 1
                continue
        elif node.op == OP_ALL:
            if at < end:
                at += 1
                pc += 1
                continue
        elif node.op == OP_NOT:
            if at < end and s[at] != node.arg:
                at += 1
                pc += 1
                continue
        elif node.op == OP_STRING:
            if end - at >= node.low:
                string = p.pool + node.arg
                i = 0
                while i < node.low and s[at + i] == string[i]:
                    i += 1
                fuel -= i >> 4
                if i == node.low:
                    at += i
                    pc += 1
                    continue
        elif node.op == OP_MARK:
            i = node.arg
            if sp > 1:
                stack[sp] = marks[i]
                stack[sp + 1] = TAG_MARK | (<int64_t>i << 8) | (<int64_t>(m.lastindex + 1) << LASTINDEX_SHIFT)
                sp += 2
            marks[i] = at
            if i > m.high:
                m.high = i
            if i & 1:
                m.lastindex = (i >> 1) + 1
            pc += 1
            continue
        elif node.op == OP_REPEAT_ONE:
            low = at + node.low
            if low <= end:
                high = end
                if node.high != UNLIMITED and node.high < end - at:
                    high = at + node.high
                if high - at < CHUNK and node.kind != K_DYN:
                    next = skip_run(p, s, at, high, node.kind, node.arg)
                else:
                    next = run_of(p, s, at, high, node.kind, node.arg)
                    if next < 0:
                        return -1
                fuel -= (next - at) >> 4
                if next >= low:
                    at = next
                    if node.flags & (EXCLUSIVE_NARROW if Char is uint8_t else EXCLUSIVE):
                        if at < end and passes(p, node.test, node.test_arg, s[at]):
                            pc += 1
                            continue
                    else:
                        if node.test:
                            at = back_to(p, s, at if at < end else end - 1, low, node.test, node.test_arg)
                            fuel -= (next - at) >> 4
                        if at > low:
                            stack[sp] = low
                            stack[sp + 1] = at
                            stack[sp + 2] = TAG_BACK | (<int64_t>pc << 8)
                            sp += 3
                        if at >= low:
                            pc += 1
                            continue
        elif node.op == OP_ALT:
            alt = node.to
            if node.test and not (at < end and passes(p, node.test, node.test_arg, s[at])):
                if alt:
                    pc = alt
                    continue
            else:
                # Alternatives that cannot match here need not be come back to.
                while alt and nodes[alt].test and not (
                        at < end and passes(p, nodes[alt].test, nodes[alt].test_arg, s[at])):
                    alt = nodes[alt].to
                    fuel -= 1
                if alt:
                    stack[sp] = at
                    stack[sp + 1] = TAG_ALT | (<int64_t>alt << 8)
                    sp += 2
                pc += 1
                continue
        elif node.op == OP_JUMP:
            pc = node.to
            continue
        elif node.op == OP_AT:
            if at_place(m, s, at, node.arg):
                pc += 1
                continue
        elif node.op == OP_MIN_REPEAT_ONE:
            low = at + node.low
            if low <= end:
                high = end
                if node.high != UNLIMITED and node.high < end - at:
                    high = at + node.high
                if node.low:
                    next = run_of(p, s, at, low, node.kind, node.arg)
                    if next < 0:
                        return -1
                    fuel -= (next - at) >> 4
                else:
                    next = at
                if next == low:
                    at = next
                    next = advance(m, s, at, high, node, &fuel)
                    if next < 0:
                        if next == -1:
                            return -1
                    else:
                        at = next
                        if at < high:
                            stack[sp] = high
                            stack[sp + 1] = at
                            stack[sp + 2] = TAG_MORE | (<int64_t>pc << 8)
                            sp += 3
                        pc += 1
                        continue
        elif node.op == OP_REPEAT:
            slot = &m.slots[node.arg]
            if sp > 1:
                stack[sp] = slot.last
                stack[sp + 1] = slot.count
                stack[sp + 2] = TAG_SLOT | (<int64_t>node.arg << 8)
                sp += 3
            slot.count = -1
            slot.last = -1
            pc = node.to
            continue
        elif node.op == OP_MAX_UNTIL:
            slot = &m.slots[node.arg]
            count = slot.count + 1
            if count < node.low:
                if sp > 1 and stack[sp - 1] != (TAG_SLOT | (<int64_t>node.arg << 8)):
                    stack[sp] = slot.last
                    stack[sp + 1] = slot.count
                    stack[sp + 2] = TAG_SLOT | (<int64_t>node.arg << 8)
                    sp += 3
                slot.count = count
                pc = node.to
                continue
            if (count < node.high or node.high == UNLIMITED) and at != slot.last and (
                    node.test == K_NONE or (at < end and passes(p, node.test, node.test_arg, s[at]))):
                stack[sp] = at
                stack[sp + 1] = slot.last
                stack[sp + 2] = slot.count
                stack[sp + 3] = TAG_TAIL | (<int64_t>pc << 8)
                sp += 4
                slot.count = count
                slot.last = at
                pc = node.to
                continue
            pc += 1
            continue
        elif node.op == OP_MIN_UNTIL:
            slot = &m.slots[node.arg]
            count = slot.count + 1
            if count < node.low:
                if sp > 1 and stack[sp - 1] != (TAG_SLOT | (<int64_t>node.arg << 8)):
                    stack[sp] = slot.last
                    stack[sp + 1] = slot.count
                    stack[sp + 2] = TAG_SLOT | (<int64_t>node.arg << 8)
                    sp += 3
                slot.count = count
                pc = node.to
                continue
            stack[sp] = at
            stack[sp + 1] = count
            stack[sp + 2] = TAG_LAZY | (<int64_t>pc << 8)
            sp += 3
            pc += 1
            continue
        elif node.op == OP_SUCCESS:
            if not (m.match_all and at != end) and not (m.must_advance and at == m.start):
                m.at = at
                fuel_left = fuel
                return 1
        elif node.op == OP_POSSESSIVE_ONE:
            low = at + node.low
            if low <= end:
                high = end
                if node.high != UNLIMITED and node.high < end - at:
                    high = at + node.high
                next = run_of(p, s, at, high, node.kind, node.arg)
                if next < 0:
                    return -1
                fuel -= (next - at) >> 4
                if next >= low:
                    at = next
                    pc += 1
                    continue
        elif node.op == OP_DYN:
            fuel -= p.sets[node.arg].weight >> 2
            if at < end and in_set(&p.sets[node.arg], p.pool, s[at]):
                at += 1
                pc += 1
                continue
        elif node.op == OP_COND:
            i = 2 * <Py_ssize_t>node.arg
            if marks[i] < 0 or marks[i + 1] < marks[i]:
                pc = node.to
            else:
                pc += 1
            continue
        elif node.op == OP_GROUPREF or node.op == OP_GROUPREF_ASCII or node.op == OP_GROUPREF_UNICODE \
                or node.op == OP_GROUPREF_LOCALE:
            i = 2 * <Py_ssize_t>node.arg
            count = marks[i + 1] - marks[i]
            if marks[i] >= 0 and count >= 0:
                next = count if count <= end - at else end - at if end > at else 0
                next = same_text(s, at, marks[i], next, node.op)
                if next < 0:
                    return -1
                fuel -= next >> 4
                if next == count:
                    at += count
                    pc += 1
                    continue
        elif node.op == OP_ASSERT or node.op == OP_ASSERT_NOT or node.op == OP_ATOMIC or node.op == OP_POSSESSIVE:
            if node.op == OP_POSSESSIVE and node.high == 0:
                pc = node.to
                continue
            if (node.op == OP_ASSERT or node.op == OP_ASSERT_NOT) and at < node.low:
                if node.op == OP_ASSERT_NOT:
                    pc = node.to
                    continue
            else:
                if node.flags & HAS_MARKS:
                    if sp + m.high + 3 + PUSH_ROOM > m.room:
                        if machine_grow(m, sp + m.high + 3 + PUSH_ROOM) < 0:
                            fuel_left = fuel
                            return -1
                        stack = m.stack
                    sp = keep_marks(m, sp)
                    fuel -= m.high >> 3
                stack[sp] = at
                stack[sp + 1] = at if node.op == OP_POSSESSIVE and node.low == 0 else -1
                stack[sp + 2] = 0
                stack[sp + 3] = frame
                stack[sp + 4] = TAG_FRAME | (<int64_t>pc << 8)
                sp += 5
                frame = sp
                if node.op == OP_ASSERT or node.op == OP_ASSERT_NOT:
                    at -= node.low
                pc += 1
                continue
        elif node.op == OP_BODY_END:
            # The body has matched: what it left to try is dropped, its changes stay.
            sp = frame
            pc = <uint32_t>(stack[sp - 1] >> 8)
            node = &nodes[pc]
            if node.op == OP_POSSESSIVE:
                count = stack[sp - 3] + 1
                stack[sp - 3] = count
                if count < node.low:
                    pc += 1
                    continue
                if (count < node.high or node.high == UNLIMITED) and at != stack[sp - 4]:
                    stack[sp - 4] = at
                    pc += 1
                    continue
            frame = stack[sp - 2]
            sp -= 5
            if node.op != OP_ASSERT_NOT:
                if node.op == OP_ASSERT:
                    at = stack[sp]
                pc = node.to
                continue
        # Back to the last alternative, taking back what was changed since.
        while True:
            word = stack[sp - 1]
            result = word & 255
            if result == TAG_MARK:
                sp -= 2
                i = (word >> 8) & 0xFFFFFFF
                marks[i] = stack[sp]
                m.lastindex = <Py_ssize_t>(word >> LASTINDEX_SHIFT) - 1
                fuel -= 1
            elif result == TAG_BACK:
                pc = <uint32_t>(word >> 8)
                node = &nodes[pc]
                low = stack[sp - 3]
                at = stack[sp - 2] - 1
                if node.test:
                    next = at
                    at = back_to(p, s, at, low, node.test, node.test_arg)
                    fuel -= (next - at) >> 4
                if at > low:
                    stack[sp - 2] = at
                else:
                    sp -= 3
                if at >= low:
                    pc += 1
                    break
            elif result == TAG_ALT:
                sp -= 2
                at = stack[sp]
                pc = <uint32_t>(word >> 8)
                break
            elif result == TAG_TAIL:
                sp -= 4
                pc = <uint32_t>(word >> 8)
                slot = &m.slots[nodes[pc].arg]
                at = stack[sp]
                slot.last = stack[sp + 1]
                slot.count = stack[sp + 2]
                pc += 1
                break
            elif result == TAG_BOTTOM:
                fuel_left = fuel
                return 0
            elif result == TAG_SLOT:
                sp -= 3
                slot = &m.slots[word >> 8]
                slot.last = stack[sp]
                slot.count = stack[sp + 1]
                fuel -= 1
            elif result == TAG_MORE:
                pc = <uint32_t>(word >> 8)
                node = &nodes[pc]
                high = stack[sp - 3]
                at = stack[sp - 2]
                # at < high, or it would have been dropped
                if passes(p, node.kind, node.arg, s[at]):
                    next = advance(m, s, at + 1, high, node, &fuel)
                    if next == -1:
                        return -1
                else:
                    next = -2
                if next >= 0 and next < high:
                    stack[sp - 2] = next
                else:
                    sp -= 3
                if next >= 0:
                    at = next
                    pc += 1
                    break
            elif result == TAG_LAZY:
                sp -= 3
                pc = <uint32_t>(word >> 8)
                node = &nodes[pc]
                slot = &m.slots[node.arg]
                at = stack[sp]
                count = stack[sp + 1]
                if (count < node.high or node.high == UNLIMITED) and at != slot.last:
                    stack[sp] = slot.last
                    stack[sp + 1] = slot.count
                    stack[sp + 2] = TAG_SLOT | (<int64_t>node.arg << 8)
                    sp += 3
                    slot.count = count
                    slot.last = at
                    pc = node.to
                    break
            elif result == TAG_FRAME:
                pc = <uint32_t>(word >> 8)
                node = &nodes[pc]
                frame = stack[sp - 2]
                sp -= 5
                if node.op == OP_ASSERT_NOT:
                    at = stack[sp]
                    pc = node.to
                    break
                if node.op == OP_POSSESSIVE and stack[sp + 2] >= node.low:
                    at = stack[sp + 1]
                    pc = node.to
                    break
            else:
                sp = restore_marks(m, sp)
                fuel -= m.high >> 3


cdef inline Py_ssize_t advance(Machine *m, const Char *s, Py_ssize_t at, Py_ssize_t high, const Node *node,
                               int64_t *fuel) noexcept nogil:
    """Where a lazy repeat may end from at on, by the test of what follows: -2 nowhere, -1 with an exception set."""
    cdef const Program *p = m.p
    cdef Py_ssize_t start = at
    cdef Py_ssize_t looked = at
    if node.test == K_NONE:
        return at
    while True:
        if at < m.end and passes(p, node.test, node.test_arg, s[at]):
            break
        if at >= high or not passes(p, node.kind, node.arg, s[at]):
            at = -2
            break
        at += 1
        if at - looked >= CHUNK:
            looked = at
            if look(CHUNK >> 4) < 0:
                return -1
    fuel[0] -= (at - start) >> 4 if at > start else 0
    return at


cdef Py_ssize_t keep_marks(Machine *m, Py_ssize_t sp) noexcept nogil:
    """Pushes all marks, for which there is room; the new stack pointer."""
    cdef Py_ssize_t i
    cdef Py_ssize_t n = m.high + 1
    for i in range(n):
        m.stack[sp + i] = m.marks[i]
    sp += n
    m.stack[sp] = m.lastindex
    m.stack[sp + 1] = TAG_MARKS | (<int64_t>n << 8)
    return sp + 2


cdef Py_ssize_t restore_marks(Machine *m, Py_ssize_t sp) noexcept nogil:
    """Takes back what keep_marks has pushed; the new stack pointer."""
    cdef Py_ssize_t i
    cdef Py_ssize_t n = <Py_ssize_t>(m.stack[sp - 1] >> 8)
    m.lastindex = m.stack[sp - 2]
    sp -= 2 + n
    for i in range(n):
        m.marks[i] = m.stack[sp + i]
    for i in range(n, m.high + 1):
        m.marks[i] = -1
    return sp


cdef Py_ssize_t find_prefix(const Program *p, const Char *s, Py_ssize_t at, Py_ssize_t end) noexcept nogil:
    """Where the prefix is found from at on, -2: nowhere, -1 with an exception set. Linear by the prefix's own overlaps."""
    cdef const uint32_t *prefix = p.pool + p.prefix
    cdef const uint32_t *overlap = p.pool + p.overlap
    cdef Py_ssize_t n = p.n_prefix
    cdef Py_ssize_t matched = 0
    cdef Py_ssize_t looked = at
    if end - at < n:
        return -2
    while at < end:
        if matched == 0:
            at = find_first(p, s, at, end, K_LIT, prefix[0])
            if at < 0:
                return -1
            if at >= end:
                return -2
            looked = max(looked, at - CHUNK)
            at += 1
            matched = 1
        elif s[at] == prefix[matched]:
            at += 1
            matched += 1
        else:
            matched = overlap[matched - 1]
        if matched == n:
            return at - n
        if at - looked > CHUNK:
            looked = at
            if look(CHUNK >> 3) < 0:
                return -1
    return -2


cdef inline int spend(Py_ssize_t characters) noexcept nogil:
    """Counts characters that were passed over: -1 with an exception set when the run is to stop."""
    global fuel_left
    fuel_left -= 1 + (characters >> 4)
    if fuel_left < 0:
        fuel_left = FUEL
        return look(FUEL)
    return 0


cdef int search_from(Machine *m, const Char *s) noexcept nogil:
    """Searches from m.start on: 1 (m.start and m.at bound the match), 0, or -1 with an exception set."""
    cdef const Program *p = m.p
    cdef Py_ssize_t at = m.start
    cdef Py_ssize_t end = m.end
    cdef Py_ssize_t last = end - p.width        # the last position where a match has room
    cdef Py_ssize_t before
    cdef int found
    if at > last:
        return 0
    if p.n_prefix:
        while True:
            before = at
            if p.n_prefix == 1:
                at = find_first(p, s, at, end, K_LIT, p.pool[p.prefix])
                if at < 0:
                    return -1
                if at >= end:
                    return spend(end - before)
            else:
                at = find_prefix(p, s, at, end)
                if at < 0:
                    return spend(end - before) if at == -2 else -1
            m.start = at
            m.must_advance = 0
            if spend(at - before) < 0:
                return -1
            if p.whole:
                m.at = at + p.n_prefix
                return 1
            found = run_at(m, s, at, 1)
            if found:
                return found
            at += 1
            machine_reset(m)
    if p.kind:
        while True:
            before = at
            at = find_first(p, s, at, last + 1 if last < end else end, p.kind, p.arg)
            if at < 0:
                return -1
            if at > last or at >= end:
                return spend(at - before)
            if spend(at - before) < 0:
                return -1
            m.start = at
            m.must_advance = 0
            found = run_at(m, s, at, 1)
            if found:
                return found
            at += 1
            machine_reset(m)
    # An empty match may count, so the first position is not like the others.
    found = run_at(m, s, at, 1)
    m.must_advance = 0
    while found == 0 and at < last and p.anchor != AT_BEGINNING:
        at += 1
        if p.anchor == AT_BEGINNING_LINE and s[at - 1] != 10:
            before = at
            at = find_first(p, s, at, last, K_LIT, 10)
            if at < 0 or spend(at - before) < 0:
                return -1
            if at >= last:
                return 0
            at += 1
        machine_reset(m)
        m.start = at
        found = run_at(m, s, at, 1)
    return found
