# The program of a pattern: nodes made from the words that the compiler of `re` emits.
#
# The words are checked on the way: what a guest may hand to `_sre.compile` is as good as any list of numbers. A node has a
# fixed size and knows where its alternatives go on, so matching never looks back at the words, except into those of sets.

cdef enum Op:
    OP_FAIL = 0
    OP_SUCCESS = 1          # of the whole pattern
    OP_BODY_END = 2         # of an assertion, atomic group or round of a possessive repeat
    OP_LIT = 3              # arg
    OP_NOT = 4              # arg
    OP_ANY = 5
    OP_ALL = 6
    OP_SET = 7              # arg: number of the set
    OP_DYN = 8              # arg
    OP_STRING = 9           # arg: place in the pool, low: length
    OP_MARK = 10            # arg
    OP_AT = 11              # arg: Place
    OP_ALT = 12             # to: next alternative or 0; test: of its first character
    OP_JUMP = 13            # to
    OP_REPEAT_ONE = 14      # low, high, kind and arg of the item; test: of what follows
    OP_MIN_REPEAT_ONE = 15
    OP_POSSESSIVE_ONE = 16
    OP_REPEAT = 17          # arg: slot, to: its UNTIL
    OP_MAX_UNTIL = 18       # low, high, arg: slot, to: the body; test: of the body
    OP_MIN_UNTIL = 19
    OP_POSSESSIVE = 20      # low, high, to: what follows
    OP_ATOMIC = 21          # to: what follows
    OP_ASSERT = 22          # low: how far back, to: what follows
    OP_ASSERT_NOT = 23
    OP_GROUPREF = 24        # arg: group
    OP_GROUPREF_ASCII = 25
    OP_GROUPREF_UNICODE = 26
    OP_GROUPREF_LOCALE = 27
    OP_COND = 28            # arg: group, to: when it has not matched

cdef enum NodeFlag:
    HAS_MARKS = 1           # there are groups in the body: what they were is kept
    EXCLUSIVE = 2           # no character of the item can begin what follows: only the longest run counts
    EXCLUSIVE_NARROW = 4    # the same for texts without characters above 255

cdef enum Place:
    AT_BEGINNING = 0
    AT_BEGINNING_LINE = 1
    AT_END = 2
    AT_END_LINE = 3
    AT_END_STRING = 4
    AT_BOUNDARY = 5
    AT_NON_BOUNDARY = 6
    AT_LOC_BOUNDARY = 7
    AT_LOC_NON_BOUNDARY = 8
    AT_UNI_BOUNDARY = 9
    AT_UNI_NON_BOUNDARY = 10

ctypedef struct Node:
    uint8_t op
    uint8_t kind
    uint8_t test            # a Kind
    uint8_t flags
    uint32_t arg
    uint32_t low
    uint32_t high           # UNLIMITED: no bound
    uint32_t to
    uint32_t test_arg

cdef enum:
    UNLIMITED = 0xFFFFFFFF
    MOST_GROUPS = 1 << 26   # a mark's number, its tag and an index fit one word of the stack
    MOST_NODES = 1 << 30

ctypedef struct Program:
    Node *nodes
    Set *sets
    uint32_t *pool          # strings and words of sets
    Py_ssize_t n_nodes, n_sets, n_pool
    Py_ssize_t groups
    Py_ssize_t slots        # repeats that count
    Py_ssize_t width        # least length of a match
    Py_ssize_t prefix, overlap, n_prefix    # in the pool: what each match begins with, and its table
    int whole               # the prefix is the whole pattern
    int kind                # test of the first character of a match
    uint32_t arg
    int anchor              # Place where each match begins, or -1


cdef enum BlockKind:
    IN_PATTERN = 0
    IN_REPEAT = 1
    IN_POSSESSIVE = 2
    IN_BODY = 3
    IN_ALTERNATIVE = 4
    IN_YES = 5
    IN_NO = 6

ctypedef struct Block:
    int kind
    Py_ssize_t end          # in the words
    uint32_t node           # that opened it
    uint32_t last           # IN_ALTERNATIVE: the ALT; IN_NO: the JUMP to be patched
    uint32_t jumps          # IN_ALTERNATIVE: chain of JUMPs to be patched, through `to`; 0 at its end
    Py_ssize_t target       # IN_ALTERNATIVE: where they lead, in the words; 0 before the first
    Py_ssize_t marks        # number of marks before it

# Numbers of the host's compiler in this order
cdef enum Code:
    C_FAILURE = 0
    C_SUCCESS = 1
    C_ANY = 2
    C_ANY_ALL = 3
    C_ASSERT = 4
    C_ASSERT_NOT = 5
    C_AT = 6
    C_BRANCH = 7
    C_CATEGORY = 8
    C_CHARSET = 9
    C_BIGCHARSET = 10
    C_GROUPREF = 11
    C_GROUPREF_EXISTS = 12
    C_IN = 13
    C_INFO = 14
    C_JUMP = 15
    C_LITERAL = 16
    C_MARK = 17
    C_MAX_UNTIL = 18
    C_MIN_UNTIL = 19
    C_NOT_LITERAL = 20
    C_NEGATE = 21
    C_RANGE = 22
    C_REPEAT = 23
    C_REPEAT_ONE = 24
    C_MIN_REPEAT_ONE = 25
    C_ATOMIC_GROUP = 26
    C_POSSESSIVE_REPEAT = 27
    C_POSSESSIVE_REPEAT_ONE = 28
    C_GROUPREF_IGNORE = 29
    C_IN_IGNORE = 30
    C_LITERAL_IGNORE = 31
    C_NOT_LITERAL_IGNORE = 32
    C_GROUPREF_LOC_IGNORE = 33
    C_IN_LOC_IGNORE = 34
    C_LITERAL_LOC_IGNORE = 35
    C_NOT_LITERAL_LOC_IGNORE = 36
    C_GROUPREF_UNI_IGNORE = 37
    C_IN_UNI_IGNORE = 38
    C_LITERAL_UNI_IGNORE = 39
    C_NOT_LITERAL_UNI_IGNORE = 40
    C_RANGE_UNI_IGNORE = 41
    C_UNKNOWN = 63

CODE_NAMES = """
FAILURE SUCCESS ANY ANY_ALL ASSERT ASSERT_NOT AT BRANCH CATEGORY CHARSET BIGCHARSET GROUPREF GROUPREF_EXISTS IN INFO JUMP
LITERAL MARK MAX_UNTIL MIN_UNTIL NOT_LITERAL NEGATE RANGE REPEAT REPEAT_ONE MIN_REPEAT_ONE ATOMIC_GROUP POSSESSIVE_REPEAT
POSSESSIVE_REPEAT_ONE GROUPREF_IGNORE IN_IGNORE LITERAL_IGNORE NOT_LITERAL_IGNORE GROUPREF_LOC_IGNORE IN_LOC_IGNORE
LITERAL_LOC_IGNORE NOT_LITERAL_LOC_IGNORE GROUPREF_UNI_IGNORE IN_UNI_IGNORE LITERAL_UNI_IGNORE NOT_LITERAL_UNI_IGNORE
RANGE_UNI_IGNORE
""".split()
PLACES = {
    "AT_BEGINNING": AT_BEGINNING, "AT_BEGINNING_STRING": AT_BEGINNING, "AT_BEGINNING_LINE": AT_BEGINNING_LINE,
    "AT_END": AT_END, "AT_END_LINE": AT_END_LINE, "AT_END_STRING": AT_END_STRING,
    "AT_BOUNDARY": AT_BOUNDARY, "AT_NON_BOUNDARY": AT_NON_BOUNDARY,
    "AT_LOC_BOUNDARY": AT_LOC_BOUNDARY, "AT_LOC_NON_BOUNDARY": AT_LOC_NON_BOUNDARY,
    "AT_UNI_BOUNDARY": AT_UNI_BOUNDARY, "AT_UNI_NON_BOUNDARY": AT_UNI_NON_BOUNDARY,
}
CATEGORIES = {
    "DIGIT": CAT_DIGIT, "SPACE": CAT_SPACE, "WORD": CAT_WORD, "LINEBREAK": CAT_LINEBREAK, "LOC_WORD": CAT_LOC_WORD,
    "UNI_DIGIT": CAT_UNI_DIGIT, "UNI_SPACE": CAT_UNI_SPACE, "UNI_WORD": CAT_UNI_WORD, "UNI_LINEBREAK": CAT_UNI_LINEBREAK,
}

cdef uint8_t code_of[64]        # by the host's number: Code
cdef uint8_t place_of[32]       # by the host's number: Place, or 255
cdef uint8_t category_of[32]    # by the host's number: Category, or 255


cdef learn_numbers():
    """Reads the numbers that the host's compiler uses."""
    cdef int i
    for i in range(64):
        code_of[i] = C_UNKNOWN
    for i in range(32):
        place_of[i] = category_of[i] = 255
    for i, name in enumerate(CODE_NAMES):
        code_of[<int>getattr(_constants, name)] = i
    for name, place in PLACES.items():
        place_of[<int>getattr(_constants, name)] = place
    for name, category in CATEGORIES.items():
        category_of[<int>getattr(_constants, f"CATEGORY_{name}")] = category
        negated = name.replace("_", "_NOT_", 1) if "_" in name else "NOT_" + name
        category_of[<int>getattr(_constants, f"CATEGORY_{negated}")] = category + CAT_NOT

learn_numbers()


cdef bad_code():
    raise RuntimeError("invalid SRE code")


@cython.final
@cython.auto_pickle(False)
cdef class Translator:
    """Makes a Program from words; the arrays belong to the caller's Program once `finish` has given them away."""
    cdef Program p
    cdef const uint32_t *words
    cdef Py_ssize_t n
    cdef Py_ssize_t room_nodes, room_sets, room_pool, room_blocks
    cdef Block *blocks
    cdef Py_ssize_t top                 # of the blocks
    cdef Py_ssize_t pos
    cdef Py_ssize_t barrier             # nodes before it may be jumped to the end of: not to be merged into
    cdef Py_ssize_t marks
    cdef uint32_t item_kind, item_arg   # what `unit` found

    def __dealloc__(self):
        PyMem_Free(self.blocks)
        free_program(&self.p)

    # ---- arrays
    cdef Node *add(self, int op) except NULL:
        """A new node; valid until the next one is added."""
        cdef Node *node
        if self.p.n_nodes == self.room_nodes:
            self.p.nodes = <Node *>grow_array(self.p.nodes, &self.room_nodes, sizeof(Node))
        if self.p.n_nodes >= MOST_NODES:
            bad_code()
        node = &self.p.nodes[self.p.n_nodes]
        self.p.n_nodes += 1
        memset(node, 0, sizeof(Node))
        node.op = op
        return node

    cdef Py_ssize_t add_words(self, const uint32_t *words, Py_ssize_t n) except -1:
        """Puts words into the pool; where they begin."""
        cdef Py_ssize_t at = self.p.n_pool
        while at + n > self.room_pool:
            self.p.pool = <uint32_t *>grow_array(self.p.pool, &self.room_pool, sizeof(uint32_t))
        if at + n >= UNLIMITED:
            bad_code()
        if n:
            memcpy(self.p.pool + at, words, n * sizeof(uint32_t))
        self.p.n_pool += n
        return at

    cdef int open(self, int kind, Py_ssize_t end, Py_ssize_t node) except -1:
        """A block of words up to end, within the block that is open."""
        cdef Block *b
        if end > self.blocks[self.top].end or self.pos > end:
            bad_code()
        self.top += 1
        if self.top == self.room_blocks:
            self.blocks = <Block *>grow_array(self.blocks, &self.room_blocks, sizeof(Block))
        b = &self.blocks[self.top]
        memset(b, 0, sizeof(Block))
        b.kind = kind
        b.end = end
        b.node = <uint32_t>node
        b.marks = self.marks
        self.barrier = self.p.n_nodes
        return 0

    # ---- words
    cdef int need(self, Py_ssize_t n) except -1:
        if self.pos + n > self.blocks[self.top].end:
            bad_code()
        return 0

    cdef inline int code(self, Py_ssize_t at) noexcept:
        return code_of[self.words[at]] if self.words[at] < 64 else C_UNKNOWN

    cdef int bounds(self, Node *node) except -1:
        """The bounds of a repeat, which are the second and third word from here."""
        node.low = self.words[self.pos + 1]
        node.high = self.words[self.pos + 2]
        if node.low > node.high:
            bad_code()
        return 0

    cdef int set_words(self, Py_ssize_t at, Py_ssize_t end, int mode, bint negate) except -1:
        """A set from the words of a charset, which must end with FAILURE just before end: it becomes the item."""
        cdef Py_ssize_t start = self.p.n_pool
        cdef Py_ssize_t i
        cdef int code
        cdef uint32_t word
        cdef uint32_t pair[3]
        cdef bint dynamic = False
        cdef uint32_t weight = 0
        if at >= end or self.code(end - 1) != C_FAILURE:
            bad_code()
        end -= 1
        while at < end:
            code = self.code(at)
            at += 1
            weight += 1
            if code == C_NEGATE:
                pair[0] = SET_NEGATE
                self.add_words(pair, 1)
            elif code == C_LITERAL or code == C_CATEGORY:
                if at + 1 > end:
                    bad_code()
                pair[0] = SET_LITERAL
                pair[1] = self.words[at]
                if code == C_CATEGORY:
                    pair[0] = SET_CATEGORY
                    pair[1] = self.category(self.words[at])
                    dynamic = dynamic or (pair[1] & 15) == CAT_LOC_WORD
                self.add_words(pair, 2)
                at += 1
            elif code == C_RANGE or code == C_RANGE_UNI_IGNORE:
                if at + 2 > end:
                    bad_code()
                pair[0] = SET_RANGE if code == C_RANGE else SET_RANGE_IGNORE
                pair[1] = self.words[at]
                pair[2] = self.words[at + 1]
                self.add_words(pair, 3)
                at += 2
            elif code == C_CHARSET:
                if at + 8 > end:
                    bad_code()
                pair[0] = SET_BITS
                self.add_words(pair, 1)
                self.add_words(self.words + at, 8)
                at += 8
            elif code == C_BIGCHARSET:
                if at + 65 > end or self.words[at] > 256 or at + 65 + 8 * <Py_ssize_t>self.words[at] > end:
                    bad_code()
                word = self.words[at]
                for i in range(256):
                    if (<const uint8_t *>(self.words + at + 1))[i] >= word:
                        bad_code()
                pair[0] = SET_BLOCKS
                self.add_words(pair, 1)
                self.add_words(self.words + at, 65 + 8 * <Py_ssize_t>word)
                at += 65 + 8 * <Py_ssize_t>word
            else:
                bad_code()
        pair[0] = SET_END
        self.add_words(pair, 1)
        self.add_set(start, mode, negate, dynamic)
        self.p.sets[self.item_arg].weight = weight
        return 0

    cdef uint32_t category(self, uint32_t word) except? 77:
        if word >= 32 or category_of[word] == 255:
            bad_code()
        return category_of[word]

    cdef int add_set(self, Py_ssize_t start, int mode, bint negate, bint dynamic) except -1:
        """The words from start on become a set, which becomes the item."""
        cdef Py_ssize_t i, length = self.p.n_pool - start
        cdef Set *s
        dynamic = dynamic or mode >= MODE_LOCALE
        self.item_kind = K_DYN if dynamic else K_SET
        for i in range(self.p.n_sets - 1, max(self.p.n_sets - 17, -1), -1):
            s = &self.p.sets[i]
            if s.length == length and s.mode == mode and s.negate == negate \
                    and memcmp(self.p.pool + s.words, self.p.pool + start, length * sizeof(uint32_t)) == 0:
                self.p.n_pool = start
                self.item_arg = <uint32_t>i
                return 0
        if self.p.n_sets == self.room_sets:
            self.p.sets = <Set *>grow_array(self.p.sets, &self.room_sets, sizeof(Set))
        s = &self.p.sets[self.p.n_sets]
        memset(s, 0, sizeof(Set))
        s.words = <uint32_t>start
        s.length = <uint32_t>length
        s.mode = mode
        s.negate = negate
        s.dynamic = dynamic
        s.weight = 1
        if not dynamic:
            fill_table(s, self.p.pool)
        self.item_arg = <uint32_t>self.p.n_sets
        self.p.n_sets += 1
        return 0

    cdef int unit(self, int code) except -1:
        """The item of one character whose code was read: 1, or 0 when it is no such code. The words are passed over."""
        cdef uint32_t pair[3]
        cdef Py_ssize_t start
        cdef int mode = MODE_PLAIN
        if code == C_ANY:
            self.item_kind = K_ANY
            self.item_arg = 0
            return 1
        if code == C_ANY_ALL:
            self.item_kind = K_ALL
            self.item_arg = 0
            return 1
        if code == C_LITERAL or code == C_NOT_LITERAL:
            self.need(1)
            self.item_kind = K_LIT if code == C_LITERAL else K_NOT
            self.item_arg = self.words[self.pos]
            self.pos += 1
            return 1
        if code == C_IN or code == C_IN_IGNORE or code == C_IN_UNI_IGNORE or code == C_IN_LOC_IGNORE:
            self.need(1)
            start = self.pos
            self.need(self.words[start])
            if code == C_IN_IGNORE:
                mode = MODE_ASCII
            elif code == C_IN_UNI_IGNORE:
                mode = MODE_UNICODE
            elif code == C_IN_LOC_IGNORE:
                mode = MODE_LOCALE
            self.set_words(start + 1, start + self.words[start], mode, False)
            self.pos = start + self.words[start]
            return 1
        if code == C_LITERAL_IGNORE or code == C_NOT_LITERAL_IGNORE:
            mode = MODE_ASCII
        elif code == C_LITERAL_UNI_IGNORE or code == C_NOT_LITERAL_UNI_IGNORE:
            mode = MODE_UNICODE
        elif code == C_LITERAL_LOC_IGNORE or code == C_NOT_LITERAL_LOC_IGNORE:
            mode = MODE_LOCALE_LITERAL
        elif code != C_CATEGORY:
            return 0
        self.need(1)
        pair[0] = SET_LITERAL
        pair[1] = self.words[self.pos]
        if code == C_CATEGORY:
            pair[0] = SET_CATEGORY
            pair[1] = self.category(self.words[self.pos])
        pair[2] = SET_END
        self.pos += 1
        start = self.add_words(pair, 3)
        self.add_set(start, mode, code == C_NOT_LITERAL_IGNORE or code == C_NOT_LITERAL_UNI_IGNORE
                     or code == C_NOT_LITERAL_LOC_IGNORE, code == C_CATEGORY and (pair[1] & 15) == CAT_LOC_WORD)
        return 1

    cdef int add_unit(self) except -1:
        """A node for the item; a literal after a literal makes a string of them."""
        cdef Node *node
        cdef uint32_t first
        if self.item_kind == K_LIT and self.p.n_nodes > self.barrier:
            node = &self.p.nodes[self.p.n_nodes - 1]
            if node.op == OP_LIT:
                first = node.arg
                node.op = OP_STRING
                node.arg = <uint32_t>self.add_words(&first, 1)
                node.low = 1
            if node.op == OP_STRING and node.arg + node.low == self.p.n_pool:
                self.add_words(&self.item_arg, 1)
                node.low += 1
                return 0
        node = self.add(OP_FAIL)
        node.arg = self.item_arg
        if self.item_kind == K_LIT:
            node.op = OP_LIT
        elif self.item_kind == K_NOT:
            node.op = OP_NOT
        elif self.item_kind == K_ANY:
            node.op = OP_ANY
        elif self.item_kind == K_ALL:
            node.op = OP_ALL
        elif self.item_kind == K_SET:
            node.op = OP_SET
        else:
            node.op = OP_DYN
        return 0

    # ---- the walk
    cdef int translate(self) except -1:
        """All words."""
        cdef int code
        if self.n < 1 or self.code(self.n - 1) != C_SUCCESS or not 0 <= self.p.groups <= MOST_GROUPS:
            bad_code()
        self.room_blocks = 0
        self.blocks = <Block *>grow_array(NULL, &self.room_blocks, sizeof(Block))
        memset(self.blocks, 0, sizeof(Block))
        self.blocks[0].end = self.n - 1
        self.p.anchor = -1
        self.add(OP_JUMP).to = 1            # so that no address in use is 0
        self.barrier = 1
        if self.n > 1 and self.code(0) == C_INFO:
            self.info()
        while True:
            if self.pos == self.blocks[self.top].end:
                if self.top == 0:
                    break
                self.close()
                continue
            code = self.code(self.pos)
            self.pos += 1
            if self.unit(code):
                self.add_unit()
            else:
                self.step(code)
        self.add(OP_SUCCESS)
        return 0

    cdef int info(self) except -1:
        """What the compiler says about each match: least width and what it begins with."""
        cdef Py_ssize_t end, at = 7, length, i
        cdef uint32_t flags
        self.pos = 1
        self.need(4)
        end = 1 + <Py_ssize_t>self.words[1]
        if end > self.n - 1 or end < 5:
            bad_code()
        flags = self.words[2]
        self.p.width = self.words[3]
        if flags & 1:
            if end < 7:
                bad_code()
            length = self.words[5]
            if at + 2 * length != end or length == 0:
                bad_code()
            self.p.prefix = self.add_words(self.words + at, length)
            self.p.overlap = self.add_words(self.words + at + length, length)
            for i in range(length):
                # Each is how much of the prefix is matched after a mismatch, so it is less than what was.
                if self.words[at + length + i] > i:
                    bad_code()
            self.p.n_prefix = length
            self.p.whole = (flags & 2) != 0
        elif flags & 4:
            self.set_words(5, end, MODE_PLAIN, False)
            self.p.kind = self.item_kind
            self.p.arg = self.item_arg
        self.pos = end
        return 0

    cdef int step(self, int code) except -1:
        """The code that was read, which is not one of one character."""
        cdef Node *node
        cdef Py_ssize_t start, target
        cdef int item
        if code == C_MARK:
            self.need(1)
            node = self.add(OP_MARK)
            node.arg = self.words[self.pos]
            if node.arg >= 2 * self.p.groups:
                bad_code()
            self.pos += 1
            self.marks += 1
        elif code == C_FAILURE:
            self.add(OP_FAIL)
        elif code == C_AT:
            self.need(1)
            if self.words[self.pos] >= 32 or place_of[self.words[self.pos]] == 255:
                bad_code()
            self.add(OP_AT).arg = place_of[self.words[self.pos]]
            self.pos += 1
        elif code == C_REPEAT_ONE or code == C_MIN_REPEAT_ONE or code == C_POSSESSIVE_REPEAT_ONE:
            self.need(4)
            start = self.pos
            target = start + self.words[start]
            self.need(self.words[start])
            node = self.add(OP_REPEAT_ONE if code == C_REPEAT_ONE else
                            OP_MIN_REPEAT_ONE if code == C_MIN_REPEAT_ONE else OP_POSSESSIVE_ONE)
            self.bounds(node)
            self.pos = start + 4
            item = self.code(start + 3)
            if not self.unit(item) or self.pos != target - 1 or self.code(self.pos) != C_SUCCESS:
                bad_code()
            self.pos = target
            node.kind = self.item_kind
            node.arg = self.item_arg
        elif code == C_REPEAT or code == C_POSSESSIVE_REPEAT:
            self.need(4)
            start = self.pos
            target = start + self.words[start]
            if target >= self.blocks[self.top].end:
                bad_code()
            node = self.add(OP_REPEAT if code == C_REPEAT else OP_POSSESSIVE)
            self.bounds(node)
            if code == C_REPEAT:
                node.arg = <uint32_t>self.p.slots
                self.p.slots += 1
            self.pos = start + 3
            self.open(IN_REPEAT if code == C_REPEAT else IN_POSSESSIVE, target, self.p.n_nodes - 1)
        elif code == C_ATOMIC_GROUP or code == C_ASSERT or code == C_ASSERT_NOT:
            self.need(2 if code == C_ATOMIC_GROUP else 3)
            start = self.pos
            target = start + self.words[start]
            self.need(self.words[start])
            node = self.add(OP_ATOMIC if code == C_ATOMIC_GROUP else OP_ASSERT if code == C_ASSERT else OP_ASSERT_NOT)
            self.pos = start + 1
            if code != C_ATOMIC_GROUP:
                node.low = self.words[start + 1]
                self.pos = start + 2
            self.open(IN_BODY, target - 1, self.p.n_nodes - 1)
        elif code == C_BRANCH:
            self.need(1)
            self.alternative(0, 0, 0)
        elif code == C_GROUPREF_EXISTS:
            self.need(2)
            start = self.pos
            node = self.add(OP_COND)
            node.arg = self.group(self.words[start])
            self.pos = start + 2
            self.open(IN_YES, start + self.words[start + 1], self.p.n_nodes - 1)
        elif code == C_GROUPREF or code == C_GROUPREF_IGNORE or code == C_GROUPREF_UNI_IGNORE \
                or code == C_GROUPREF_LOC_IGNORE:
            self.need(1)
            node = self.add(OP_GROUPREF if code == C_GROUPREF else OP_GROUPREF_ASCII if code == C_GROUPREF_IGNORE else
                            OP_GROUPREF_UNICODE if code == C_GROUPREF_UNI_IGNORE else OP_GROUPREF_LOCALE)
            node.arg = self.group(self.words[self.pos])
            self.pos += 1
        elif code == C_JUMP and self.blocks[self.top].kind == IN_YES and self.pos + 1 == self.blocks[self.top].end:
            self.otherwise()
        else:
            bad_code()
        return 0

    cdef uint32_t group(self, uint32_t number) except? UNLIMITED:
        if number >= self.p.groups:
            bad_code()
        return number

    cdef int alternative(self, Py_ssize_t last, Py_ssize_t jumps, Py_ssize_t target) except -1:
        """Opens the alternative whose skip is the word at pos. last: the ALT before it, or 0."""
        cdef Py_ssize_t skip = self.words[self.pos]
        cdef Py_ssize_t start = self.pos
        cdef Block *b
        if skip < 3:
            bad_code()
        self.add(OP_ALT)
        if last:
            self.p.nodes[last].to = <uint32_t>(self.p.n_nodes - 1)
        self.pos = start + 1
        self.need(skip - 1)
        self.open(IN_ALTERNATIVE, start + skip - 2, self.p.n_nodes - 1)
        b = &self.blocks[self.top]
        b.last = <uint32_t>(self.p.n_nodes - 1)
        b.jumps = <uint32_t>jumps
        b.target = target
        return 0

    cdef int otherwise(self) except -1:
        """The JUMP at the end of the first part of a conditional group was read: the other part begins."""
        cdef uint32_t cond = self.blocks[self.top].node
        cdef Py_ssize_t start = self.pos
        self.add(OP_JUMP)
        self.p.nodes[cond].to = <uint32_t>self.p.n_nodes
        self.top -= 1
        self.pos = start + 1
        self.open(IN_NO, start + self.words[start], self.p.n_nodes - 1)
        return 0

    cdef int close(self) except -1:
        """The words of the innermost block are read."""
        cdef Block b = self.blocks[self.top]
        cdef Node *node
        cdef int code
        cdef Py_ssize_t target
        cdef uint32_t jump, slot, low, high
        self.top -= 1
        self.barrier = self.p.n_nodes
        if b.kind == IN_REPEAT:
            code = self.code(self.pos)
            self.pos += 1
            node = &self.p.nodes[b.node]
            node.to = <uint32_t>self.p.n_nodes
            slot = node.arg
            low = node.low
            high = node.high
            if code == C_MAX_UNTIL:
                node = self.add(OP_MAX_UNTIL)
            elif code == C_MIN_UNTIL:
                node = self.add(OP_MIN_UNTIL)
            else:
                bad_code()
            node.arg = slot
            node.low = low
            node.high = high
            node.to = b.node + 1
        elif b.kind == IN_POSSESSIVE or b.kind == IN_BODY:
            if self.code(self.pos) != C_SUCCESS:
                bad_code()
            self.pos += 1
            self.add(OP_BODY_END)
            node = &self.p.nodes[b.node]
            node.to = <uint32_t>self.p.n_nodes
            if self.marks > b.marks:
                node.flags |= HAS_MARKS
        elif b.kind == IN_ALTERNATIVE:
            if self.code(self.pos) != C_JUMP:
                bad_code()
            target = self.pos + 1 + self.words[self.pos + 1]
            if b.target and target != b.target:
                bad_code()
            self.pos += 2
            self.add(OP_JUMP).to = b.jumps
            b.jumps = <uint32_t>(self.p.n_nodes - 1)
            self.need(1)
            if self.words[self.pos]:
                return self.alternative(b.last, b.jumps, target)
            self.pos += 1
            if self.pos != target:
                bad_code()
            while b.jumps:
                jump = b.jumps
                b.jumps = self.p.nodes[jump].to
                self.p.nodes[jump].to = <uint32_t>self.p.n_nodes
        elif b.kind == IN_YES:
            self.p.nodes[b.node].to = <uint32_t>self.p.n_nodes
        else:
            self.p.nodes[b.node].to = <uint32_t>self.p.n_nodes
        self.barrier = self.p.n_nodes
        return 0


cdef void *grow_array(void *array, Py_ssize_t *room, size_t size) except NULL:
    """A larger array with the same contents."""
    cdef Py_ssize_t wanted = room[0] + (room[0] >> 1) + 8
    cdef void *larger = PyMem_Realloc(array, wanted * size)
    if larger == NULL:
        raise MemoryError()
    room[0] = wanted
    return larger


cdef void *fit_array(void *array, size_t size) noexcept:
    """The array without the room that is left."""
    cdef void *smaller = PyMem_Realloc(array, size) if array != NULL and size else NULL
    return array if smaller == NULL else smaller


cdef void free_program(Program *p) noexcept:
    PyMem_Free(p.nodes)
    PyMem_Free(p.sets)
    PyMem_Free(p.pool)
    p.nodes = NULL
    p.sets = NULL
    p.pool = NULL


cdef int make_program(Program *p, const uint32_t *words, Py_ssize_t n, Py_ssize_t groups) except -1:
    """Fills a program. Raises RuntimeError for words that the compiler of `re` does not emit, MemoryError."""
    cdef Translator t = Translator.__new__(Translator)
    t.words = words
    t.n = n
    t.p.groups = groups
    t.translate()
    find_tests(&t.p)
    t.p.nodes = <Node *>fit_array(t.p.nodes, t.p.n_nodes * sizeof(Node))
    t.p.sets = <Set *>fit_array(t.p.sets, t.p.n_sets * sizeof(Set))
    t.p.pool = <uint32_t *>fit_array(t.p.pool, t.p.n_pool * sizeof(uint32_t))
    p[0] = t.p
    t.p.nodes = NULL
    t.p.sets = NULL
    t.p.pool = NULL
    return 0
