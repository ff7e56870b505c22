# cython: binding=False
"""Checks that registers hold what the instructions to come need.

The code is trusted: it was compiled from its source by this package. What came from a snapshot are the registers, and the places
where frames and generators stand. For each place two things follow from the code:

- what kinds of values a register can hold there, by following all paths from the start: cells, iterators, lists that a display is
  building, exceptions of handlers, ... ; a register that holds something holds one of these;
- which registers are read before they are written on some path from there, without a look whether they are empty: they hold something.

Each instruction keeps both true, so that code which goes on from registers with them never reads what is not there.
"""
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from cpython.object cimport PyObject
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from kimi_runtime.bytecode.code cimport (
    CODE_ASYNC_GENERATOR, CODE_CLASS, CODE_COROUTINE, CODE_GENERATOR, CODE_MODULE, CODE_VARARGS, CODE_VARKEYWORDS, Code, ExcEntry,
    Instr)
from kimi_runtime.bytecode.ops cimport *
from kimi_runtime.objects.function cimport Cell
from kimi_runtime.vm.values cimport T_INT, T_NONE, T_OBJ, T_OWNED, T_RANGE, T_UNDEF

from ..bytecode.opcodes import INTRINSICS, TABLE

cdef enum:        # kinds of values, as bits
    H_ANY = 1           # any value
    H_OBJECT = 2        # any object that is not unboxed
    H_CELL = 4
    H_ITERATOR = 8      # the first register of a loop
    H_STEP = 16         # the other two: no object
    H_LIST = 32
    H_SET = 64
    H_DICT = 128
    H_TUPLE = 256
    H_TEXT = 512
    H_DIGITS = 1024     # text or int
    H_RAISED = 2048     # an exception
    H_HANDLED = 4096    # an exception or None

cdef enum:
    R_NOTHING, R_OUT, R_IN, R_KEEP, R_JUMP, R_OTHER

cdef enum:
    U_READ = 1          # must hold something
    U_LOOK = 2          # may be empty
    U_EMPTY = 4         # is empty afterwards, if it is a temporary
    U_CLEAR = 8         # is empty afterwards, whatever it is

cdef enum:
    MOST_USES = 16
    MOST_STATES = 1 << 25       # registers times instructions
    # Flags of frames, as in vm/frames.pxi
    F_ENTRY = 1
    F_GENERATOR = 2
    F_INIT = 4
    F_THROWS = 8

cdef struct Run:
    uint32_t start
    uint32_t count
    uint16_t what       # uses, or the kinds that are written

cdef struct Effect:
    int nuses
    int nwrites
    bint falls          # goes on behind the instruction
    int32_t jump        # where it may go, or -1
    Run uses[MOST_USES]
    Run writes[4]

cdef uint8_t roles[512][3]
cdef uint8_t wide[512]          # the operand is in `imm`
cdef uint8_t intrinsic_sizes[64]


def _fill_tables():
    names = {"out": R_OUT, "in": R_IN, "keep": R_KEEP, "jump": R_JUMP}
    for i, row in enumerate(TABLE):
        for field, role in row.operands:
            if field == "imm":
                wide[i] = names.get(role, R_OTHER)
            else:
                roles[i]["abc".index(field)] = names.get(role, R_OTHER)
    for i, (_, count, _) in enumerate(INTRINSICS):
        intrinsic_sizes[i] = count


_fill_tables()


cdef inline void use(Effect *e, uint32_t start, uint32_t count, uint16_t what) noexcept:
    if count and e.nuses < MOST_USES:
        e.uses[e.nuses].start = start
        e.uses[e.nuses].count = count
        e.uses[e.nuses].what = what
        e.nuses += 1

cdef inline void write(Effect *e, uint32_t start, uint32_t count, uint16_t kinds) noexcept:
    e.writes[e.nwrites].start = start
    e.writes[e.nwrites].count = count
    e.writes[e.nwrites].what = kinds
    e.nwrites += 1

cdef uint16_t kind_of_constant(Code code, Py_ssize_t i) noexcept:
    cdef PyObject *o
    if not code.consts[i].tag & T_OWNED:
        return H_ANY
    o = code.consts[i].u.o
    if type(<object>o) is str:
        return H_TEXT
    if type(<object>o) is tuple:
        return H_TUPLE
    return H_ANY

cdef uint32_t bits(uint32_t n) noexcept:
    cdef uint32_t found = 0
    while n:
        found += n & 1
        n >>= 1
    return found

cdef void effect_of(Code code, int32_t pc, const uint16_t *kinds, Effect *e) noexcept:
    """What an instruction reads and writes. For FOR_LOOP, FOR_ITER, TRY_GETATTR and the JUMPs that keep, `follow` knows more."""
    cdef const Instr *ins = &code.instrs[pc]
    cdef uint32_t op = ins.op, a = ins.a, b = ins.t.abc.b, c = ins.t.abc.c, n
    cdef Code inner
    e.nuses = 0
    e.nwrites = 0
    e.falls = True
    e.jump = -1
    if op == OP_JUMP or op == OP_RETURN or op == OP_RETURN_NONE or op == OP_RAISE or op == OP_RAISE_FROM or op == OP_RAISE_CURRENT \
            or op == OP_RERAISE or op == OP_RAISE_AS_IS:
        e.falls = False
    if wide[op] == R_JUMP:
        e.jump = pc + 1 + ins.t.imm
    elif roles[op][2] == R_JUMP:
        e.jump = pc + 1 + <int16_t>c
    # Operands whose roles say all.
    if roles[op][0] == R_IN:
        use(e, a, 1, U_READ | U_EMPTY)
    elif roles[op][0] == R_KEEP:
        use(e, a, 1, U_READ)
    if not wide[op]:
        if roles[op][1] == R_IN:
            use(e, b, 1, U_READ | U_EMPTY)
        elif roles[op][1] == R_KEEP:
            use(e, b, 1, U_READ)
        if roles[op][2] == R_IN:
            use(e, c, 1, U_READ | U_EMPTY)
        elif roles[op][2] == R_KEEP:
            use(e, c, 1, U_READ)
    if op == OP_BUILD_LIST or op == OP_BUILD_TUPLE or op == OP_BUILD_SET or op == OP_BUILD_STRING or op == OP_BUILD_SLICE:
        use(e, b, c, U_READ | U_EMPTY)
        write(e, a, 1, H_LIST if op == OP_BUILD_LIST else H_TUPLE if op == OP_BUILD_TUPLE else H_SET if op == OP_BUILD_SET
              else H_TEXT if op == OP_BUILD_STRING else H_ANY)
    elif op == OP_BUILD_MAP:
        use(e, b, 2 * c, U_READ | U_EMPTY)
        write(e, a, 1, H_DICT)
    elif op == OP_CALL:
        use(e, b, 1 + code.caches[c].nargs + code.caches[c].nkw, U_READ | U_EMPTY)
        write(e, a, 1, H_ANY)
    elif op == OP_CALL_METHOD:
        use(e, b, 1, U_READ | U_EMPTY)
        use(e, b + 1, 1, U_LOOK | U_EMPTY)
        use(e, b + 2, code.caches[c].nargs + code.caches[c].nkw, U_READ | U_EMPTY)
        write(e, a, 1, H_ANY)
    elif op == OP_CALL_EX:
        use(e, b, 2 + (c & 1), U_READ | U_EMPTY)
        write(e, a, 1, H_ANY)
    elif op == OP_MAKE_FUNCTION:
        inner = <Code>code.consts[c].u.o
        use(e, b, bits(inner.make_flags), U_READ | U_EMPTY)
        write(e, a, 1, H_OBJECT)
    elif op == OP_CLEAR:
        use(e, a, b, U_CLEAR)
    elif op == OP_CHECK:
        e.uses[0].what = U_LOOK
    elif op == OP_DEL_LOCAL:
        e.uses[0].what = U_LOOK | U_CLEAR
    elif op == OP_MAKE_CELL:
        use(e, a, 1, U_LOOK)
        write(e, a, 1, H_CELL)
    elif op == OP_RERAISE:
        use(e, a, 1, U_READ | U_CLEAR)
        use(e, a + 1, 1, U_CLEAR)
        use(e, b, 1, U_CLEAR)
        use(e, b + 1, 1, U_LOOK | U_CLEAR)
    elif op == OP_POP_EXC:
        use(e, a, 1, U_CLEAR)
        use(e, a + 1, 1, U_LOOK | U_CLEAR)
    elif op == OP_MATCH_CLASS:
        use(e, c, 3, U_READ | U_EMPTY)
        write(e, a, 1, H_ANY)
    elif op == OP_IMPORT_NAME:
        use(e, b, 2, U_READ | U_EMPTY)
        write(e, a, 1, H_ANY)
    elif op == OP_INTRINSIC:
        use(e, b, intrinsic_sizes[c], U_READ | U_EMPTY)
        write(e, a, 1, H_ANY)
    elif op == OP_LOAD_SUPER_METHOD:
        use(e, a, 1, U_READ)
        write(e, a, 2, H_ANY)
    elif op == OP_LOAD_METHOD:
        write(e, a, 2, H_ANY)
    elif op == OP_YIELD_FROM:
        e.uses[0].what = e.uses[1].what = U_READ | U_EMPTY
        write(e, a, 1, H_ANY)
    elif op == OP_GET_ITER:
        write(e, a, 1, H_ITERATOR)
        write(e, a + 1, 2, H_STEP)
    elif op == OP_FOR_LOOP or op == OP_FOR_ITER:
        use(e, a, 1, U_READ)
        use(e, a + 1, 2, U_LOOK)
    elif op == OP_WITH_LOAD or op == OP_ASYNC_WITH_LOAD:
        write(e, a, 4, H_ANY)
    elif op == OP_WITH_EXCEPT_ARGS:
        write(e, a, 3, H_ANY)
    elif op == OP_UNPACK:
        write(e, a, c, H_ANY)
    elif op == OP_UNPACK_EX or op == OP_UNPACK_EX_K:
        n = <uint32_t>code.consts[c].u.i if op == OP_UNPACK_EX_K else c
        write(e, a, (n & 255) + (n >> 8) + 1, H_ANY)
    elif op == OP_UNPACK2:
        write(e, a, 1, H_ANY)
        write(e, b, 1, H_ANY)
    elif op == OP_EG_MATCH:
        write(e, b, 1, H_HANDLED)
        write(e, a, 1, H_HANDLED)
    elif op == OP_TRY_GETATTR:
        e.jump = pc + 5
    elif op == OP_MOVE or op == OP_DUP:
        write(e, a, 1, kinds[b] if kinds != NULL else H_ANY)
    elif op == OP_LOADK:
        write(e, a, 1, kind_of_constant(code, ins.t.imm))
    elif roles[op][0] == R_OUT:
        if op == OP_GET_FREE_CELL:
            n = H_CELL
        elif op == OP_LIST_TO_TUPLE:
            n = H_TUPLE
        elif op == OP_GET_AWAITABLE or op == OP_GET_AITER or op == OP_GET_ANEXT or op == OP_GET_YIELD_FROM_ITER:
            n = H_OBJECT
        elif op == OP_CONVERT or op == OP_FORMAT_SPEC or (op == OP_FORMAT_VALUE and c != 4):
            n = H_TEXT
        elif op == OP_FORMAT_VALUE:
            n = H_DIGITS
        elif op == OP_PREP_RERAISE_STAR:
            n = H_HANDLED
        else:
            n = H_ANY
        write(e, a, 1, <uint16_t>n)


cdef class Analysis:
    """What registers may and must hold before each instruction of a code object."""
    cdef Code code
    cdef Py_ssize_t n, width, words
    cdef uint16_t *kinds        # n times width
    cdef uint64_t *live         # n times words: must hold something
    cdef uint64_t *looked       # n times words: is looked at, though it may be empty
    cdef uint64_t *scratch      # room for two sets
    cdef uint16_t *state
    cdef uint8_t *reached
    cdef int32_t *work
    cdef Py_ssize_t waiting
    cdef uint8_t *in_work
    cdef bint failed

    def __cinit__(self, Code code not None):
        self.code = code
        self.n = code.ninstrs
        self.width = max(code.nregs, 1)
        self.words = (self.width + 63) // 64
        if self.n * self.width > MOST_STATES:
            raise ValueError("code that is too large to be looked at")
        self.kinds = <uint16_t *>PyMem_RawCalloc(self.n * self.width + 1, sizeof(uint16_t))
        self.live = <uint64_t *>PyMem_RawCalloc(self.n * self.words + 1, sizeof(uint64_t))
        self.looked = <uint64_t *>PyMem_RawCalloc(self.n * self.words + 1, sizeof(uint64_t))
        self.scratch = <uint64_t *>PyMem_RawCalloc(2 * self.words, sizeof(uint64_t))
        self.state = <uint16_t *>PyMem_RawCalloc(2 * self.width, sizeof(uint16_t))
        self.reached = <uint8_t *>PyMem_RawCalloc(self.n + 1, 1)
        self.in_work = <uint8_t *>PyMem_RawCalloc(self.n + 1, 1)
        self.work = <int32_t *>PyMem_RawCalloc(self.n + 1, sizeof(int32_t))
        if self.kinds == NULL or self.live == NULL or self.looked == NULL or self.scratch == NULL or self.state == NULL \
                or self.reached == NULL or self.in_work == NULL or self.work == NULL:
            raise MemoryError
        self.follow()
        self.go_back()

    def __dealloc__(self):
        PyMem_RawFree(self.kinds)
        PyMem_RawFree(self.live)
        PyMem_RawFree(self.looked)
        PyMem_RawFree(self.scratch)
        PyMem_RawFree(self.state)
        PyMem_RawFree(self.reached)
        PyMem_RawFree(self.in_work)
        PyMem_RawFree(self.work)

    # ---- forwards: kinds -----------------------------------------------------------------------------------
    cdef void join(self, int32_t pc, const uint16_t *state, Py_ssize_t below, int32_t raised) noexcept:
        """State at pc may be this: of the registers below a number; raised: register that gets an exception, or -1."""
        cdef uint16_t *at = self.kinds + pc * self.width
        cdef Py_ssize_t i
        cdef bint changed = not self.reached[pc]
        for i in range(below):
            if state[i] & ~at[i]:
                at[i] |= state[i]
                changed = True
        if raised >= 0:
            if not at[raised] & H_RAISED:
                at[raised] |= H_RAISED
                changed = True
            if not at[raised + 1] & H_HANDLED:
                at[raised + 1] |= H_HANDLED
                changed = True
        if changed:
            self.reached[pc] = 1
            if not self.in_work[pc]:
                self.in_work[pc] = 1
                self.work[self.waiting] = pc
                self.waiting += 1

    cdef ExcEntry *handler_of(self, int32_t pc) noexcept:
        cdef uint32_t i
        for i in range(self.code.nexc):
            if self.code.exc_table[i].start <= <uint32_t>pc < self.code.exc_table[i].end:
                return &self.code.exc_table[i]
        return NULL

    cdef void empty(self, uint16_t *state, const Effect *e) noexcept:
        cdef int i
        cdef uint32_t r
        for i in range(e.nuses):
            for r in range(e.uses[i].start, e.uses[i].start + e.uses[i].count):
                if r < <uint32_t>self.width and (e.uses[i].what & U_CLEAR
                                                 or (e.uses[i].what & U_EMPTY and r >= self.code.first_temp)):
                    state[r] = 0

    cdef void follow(self) noexcept:
        cdef uint16_t *state = self.state
        cdef uint16_t *other = self.state + self.width
        cdef Effect e
        cdef ExcEntry *handler
        cdef int32_t pc
        cdef uint32_t op, r
        cdef Py_ssize_t i
        cdef Code code = self.code
        for i in range(code.nparams):
            state[i] = H_ANY
        i = code.npos + code.nkwonly
        if code.flags & CODE_VARARGS:
            state[i] = H_TUPLE
            i += 1
        if code.flags & CODE_VARKEYWORDS:
            state[i] = H_DICT
        self.join(<int32_t>code.entry, state, self.width, -1)
        while self.waiting:
            self.waiting -= 1
            pc = self.work[self.waiting]
            self.in_work[pc] = 0
            memcpy(state, self.kinds + pc * self.width, self.width * sizeof(uint16_t))
            op = code.instrs[pc].op
            effect_of(code, pc, state, &e)
            handler = self.handler_of(pc)
            if handler != NULL:
                self.join(<int32_t>handler.handler, state, handler.temp_top, handler.exc_reg)
            self.empty(state, &e)
            memcpy(other, state, self.width * sizeof(uint16_t))
            for i in range(e.nwrites):
                for r in range(e.writes[i].start, e.writes[i].start + e.writes[i].count):
                    if r < <uint32_t>self.width:
                        state[r] = e.writes[i].what
            if handler != NULL:
                self.join(<int32_t>handler.handler, state, handler.temp_top, handler.exc_reg)
            if op == OP_FOR_LOOP or op == OP_FOR_ITER:
                state[code.instrs[pc].t.abc.b] = H_ANY      # the next item
                for r in range(code.instrs[pc].a, code.instrs[pc].a + 3):
                    other[r] = 0                            # at the end
                if handler != NULL:
                    self.join(<int32_t>handler.handler, state, handler.temp_top, handler.exc_reg)
                self.join(e.jump if op == OP_FOR_LOOP else pc + 1, state, self.width, -1)
                self.join(pc + 1 if op == OP_FOR_LOOP else e.jump, other, self.width, -1)
                continue
            if op == OP_TRY_GETATTR:
                self.join(pc + 1, state, self.width, -1)
                state[code.instrs[pc].a] = H_ANY
                self.join(e.jump, state, self.width, -1)
                continue
            if e.jump >= 0:
                self.join(e.jump, state, self.width, -1)
            if e.falls:
                self.join(pc + 1, state, self.width, -1)

    # ---- backwards: what must be there ---------------------------------------------------------------------
    cdef void before(self, int32_t pc, bint within) noexcept:
        """The registers that must hold something, and those that are looked at, at an instruction, into the scratch sets. within: while
        it is under way: it has read, and has not written."""
        cdef uint64_t *live = self.scratch
        cdef uint64_t *looked = self.scratch + self.words
        cdef Effect e
        cdef ExcEntry *handler
        cdef Py_ssize_t i, w
        cdef uint32_t r, op = self.code.instrs[pc].op
        cdef const Instr *ins = &self.code.instrs[pc]
        cdef uint64_t mask
        effect_of(self.code, pc, NULL, &e)
        if op == OP_TRY_GETATTR or op == OP_FOR_LOOP or op == OP_FOR_ITER:
            e.falls = True
        for w in range(self.words):
            live[w] = looked[w] = 0
        if e.jump >= 0:
            for w in range(self.words):
                live[w] = self.live[e.jump * self.words + w]
                looked[w] = self.looked[e.jump * self.words + w]
            if op == OP_TRY_GETATTR:
                live[ins.a >> 6] &= ~(<uint64_t>1 << (ins.a & 63))
                looked[ins.a >> 6] &= ~(<uint64_t>1 << (ins.a & 63))
            elif op == OP_FOR_LOOP:
                live[ins.t.abc.b >> 6] &= ~(<uint64_t>1 << (ins.t.abc.b & 63))
                looked[ins.t.abc.b >> 6] &= ~(<uint64_t>1 << (ins.t.abc.b & 63))
        if e.falls and pc + 1 < self.n:
            for w in range(self.words):
                mask = ~<uint64_t>0
                if op == OP_FOR_ITER and ins.t.abc.b >> 6 == w:
                    mask = ~(<uint64_t>1 << (ins.t.abc.b & 63))
                live[w] |= self.live[(pc + 1) * self.words + w] & mask
                looked[w] |= self.looked[(pc + 1) * self.words + w] & mask
        for i in range(e.nwrites):
            for r in range(e.writes[i].start, e.writes[i].start + e.writes[i].count):
                if r < <uint32_t>self.width:
                    live[r >> 6] &= ~(<uint64_t>1 << (r & 63))
                    looked[r >> 6] &= ~(<uint64_t>1 << (r & 63))
        if op == OP_CHECK or op == OP_DEL_LOCAL:        # behind which it is known to hold something
            live[ins.a >> 6] &= ~(<uint64_t>1 << (ins.a & 63))
        for i in range(e.nuses):
            if within and not (op == OP_FOR_LOOP or op == OP_FOR_ITER or op == OP_YIELD_FROM):
                break
            for r in range(e.uses[i].start, e.uses[i].start + e.uses[i].count):
                if r < <uint32_t>self.width:
                    if e.uses[i].what & U_READ and not (within and op == OP_YIELD_FROM and r == ins.t.abc.c):
                        live[r >> 6] |= <uint64_t>1 << (r & 63)
                    elif e.uses[i].what & U_LOOK:
                        looked[r >> 6] |= <uint64_t>1 << (r & 63)
        if op == OP_MAKE_FUNCTION:
            self.read_cells(<Code>self.code.consts[ins.t.abc.c].u.o, live)
        handler = self.handler_of(pc)
        if handler != NULL:
            for w in range(self.words):
                mask = ~<uint64_t>0
                if handler.temp_top >> 6 == w:
                    mask = (<uint64_t>1 << (handler.temp_top & 63)) - 1
                elif handler.temp_top >> 6 < w:
                    mask = 0
                for r in range(handler.exc_reg, handler.exc_reg + 2):
                    if r >> 6 == w:
                        mask &= ~(<uint64_t>1 << (r & 63))
                live[w] |= self.live[handler.handler * self.words + w] & mask
                looked[w] |= self.looked[handler.handler * self.words + w] & mask

    cdef void read_cells(self, Code inner, uint64_t *live) noexcept:
        cdef uint32_t i
        for i in range(inner.nfree):
            if inner.free_src[i] >= 0:
                live[inner.free_src[i] >> 6] |= <uint64_t>1 << (inner.free_src[i] & 63)

    cdef void go_back(self) noexcept:
        cdef bint changed = True
        cdef int32_t pc
        cdef Py_ssize_t w
        while changed:
            changed = False
            pc = <int32_t>self.n
            while pc > 0:
                pc -= 1
                if not self.reached[pc]:
                    continue
                self.before(pc, False)
                for w in range(self.words):
                    if self.scratch[w] & ~self.live[pc * self.words + w] \
                            or self.scratch[self.words + w] & ~self.looked[pc * self.words + w]:
                        self.live[pc * self.words + w] |= self.scratch[w]
                        self.looked[pc * self.words + w] |= self.scratch[self.words + w]
                        changed = True

    # ---- registers -----------------------------------------------------------------------------------------
    cdef Py_ssize_t check(self, int32_t pc, bint within, int32_t awaited, list values, Py_ssize_t first, str what) except -1:
        """ValueError unless the registers, tags and contents by turns from an index on, fit. awaited: a register that is about to be
        written, or -1. Returns how many registers matter."""
        cdef const uint16_t *kinds = self.kinds + pc * self.width
        cdef Py_ssize_t i, at, size = len(values), extent = self.code.nlocals
        cdef uint64_t tag
        cdef bint live, looked
        if not self.reached[pc]:
            raise ValueError(f"{what} is where the program cannot be")
        self.before(pc, within)
        if awaited >= 0:
            self.scratch[awaited >> 6] &= ~(<uint64_t>1 << (awaited & 63))
        for i in range(self.width if self.code.nregs else 0):
            live = (self.scratch[i >> 6] >> (i & 63)) & 1
            looked = (self.scratch[self.words + (i >> 6)] >> (i & 63)) & 1
            at = first + 2 * i
            tag = values[at] if at < size else T_UNDEF
            if live or looked:
                extent = max(extent, i + 1)
            if tag == T_UNDEF:
                if live:
                    raise ValueError(f"{what} of {self.code.qualname} lacks a value in register {i} at {pc}")
            elif (live or looked or i < self.code.nlocals) and not fits(tag, values[at + 1], kinds[i]):
                raise ValueError(f"{what} of {self.code.qualname} holds a value of another kind than its code needs in register {i} at {pc}")
        return extent


cdef bint fits(uint64_t tag, o, uint16_t kinds) except -1:
    if tag == T_RANGE or (tag & T_OWNED and tag != T_OBJ):
        return kinds & H_ITERATOR != 0
    if tag != T_OBJ:
        return kinds & (H_ANY | H_STEP) != 0 or (tag == T_INT and kinds & H_DIGITS != 0) or (tag == T_NONE and kinds & H_HANDLED != 0)
    if kinds & (H_ANY | H_OBJECT):
        return True
    cdef object cls = type(o)
    return (kinds & H_CELL and cls is Cell) or (kinds & H_LIST and cls is list) or (kinds & H_DICT and cls is dict) \
        or (kinds & H_SET and cls is set) or (kinds & H_TUPLE and cls is tuple) \
        or (kinds & (H_TEXT | H_DIGITS) and issubclass(cls, str)) \
        or (kinds & (H_RAISED | H_HANDLED) and issubclass(cls, BaseException))


def check_generator(Code code not None, int state, uint64_t place, uint64_t resume, list values, bint delegates):
    """ValueError: a generator that has not begun, or stopped at a yield, cannot have these registers. Running ones: see check_frames."""
    cdef const Instr *ins
    if state == 2:
        return
    if place >= code.ninstrs or len(values) // 2 > code.nregs:
        raise ValueError("a generator stands outside its code")
    analysis = Analysis(code)
    if state == 0:
        if place != code.entry:
            raise ValueError("a generator that has begun before it began")
        analysis.check(<int32_t>place, False, -1, values, 0, "a generator")
        return
    if state != 1:
        raise ValueError("a generator in no state")
    ins = &code.instrs[place]
    if delegates:
        if ins.op != OP_YIELD_FROM or resume != ins.t.abc.c:
            raise ValueError("a generator that waits for another one where it does not")
        analysis.check(<int32_t>place, False, <int32_t>resume, values, 0, "a generator")
        if 2 * ins.t.abc.b >= <Py_ssize_t>len(values) or values[2 * ins.t.abc.b] != T_OBJ:
            raise ValueError("a generator that waits for nothing")
        return
    if place == 0 or code.instrs[place - 1].op != OP_YIELD or resume != code.instrs[place - 1].a:
        raise ValueError("a generator that stopped where it does not yield")
    analysis.check(<int32_t>(place - 1), True, -1, values, 0, "a generator")


def check_run(filename, source, list stdout not None, list stderr not None, figures, times, asked):
    """ValueError: a suspended run cannot have been called so, or have printed that, or such figures."""
    if type(filename) is not str or not isinstance(source, (str, bytes)):
        raise ValueError("a run without a name and a source")
    for parts in (stdout, stderr):
        for each in <list>parts:
            if not isinstance(each, (str, bytes)):
                raise ValueError("a run that has printed what is no text")
    if len(figures) != 4 or len(times) != 4:
        raise ValueError("a run without figures")
    for each in times[:3]:
        if type(each) is not float:
            raise ValueError("a run without figures")
    for each in (*figures, asked):
        if not isinstance(each, int) or not 0 <= each < 1 << 62:
            raise ValueError("a run with figures that are none")


def check_frames(list frames not None, list values not None, Py_ssize_t ret, dict namespace not None, registers):
    """ValueError: the frames of a suspended run cannot stand so. See suspension_parts for what they are; registers: gives those of a
    generator that runs."""
    cdef Py_ssize_t i, count = len(frames), floor = 0, extent
    cdef const Instr *ins
    cdef Code code
    cdef Analysis analysis
    cdef int flags
    cdef bint generator
    for i in range(count):
        code, _, ns, gen, flags, _, regs, top, place, follows = frames[i]
        generator = flags & F_GENERATOR != 0
        if not 0 < place <= code.ninstrs:
            raise ValueError("a frame stands outside its code")
        ins = &code.instrs[<Py_ssize_t>place - 1]
        if i == 0:
            if flags != F_ENTRY or ns is not namespace or not code.flags & CODE_MODULE:
                raise ValueError("a run that does not begin with its program")
        elif code.flags & CODE_CLASS or code.flags & (CODE_MODULE | CODE_COROUTINE) == CODE_MODULE \
                or (ns is None) == (flags & F_INIT != 0) or (generator and flags & F_INIT):
            raise ValueError("a frame of another kind than its code")
        if generator != (code.flags & (CODE_GENERATOR | CODE_COROUTINE | CODE_ASYNC_GENERATOR) != 0):
            raise ValueError("a frame of another kind than its code")
        if flags & F_THROWS and not (generator and ins.op == OP_YIELD_FROM):
            raise ValueError("a frame that throws nothing")
        if follows >= i or (follows >= 0 and not frames[follows][4] & F_GENERATOR):
            raise ValueError("a frame that follows none")
        if i + 1 < count and frames[i + 1][4] & F_GENERATOR:
            if not (ins.op == OP_FOR_LOOP or ins.op == OP_FOR_ITER or (ins.op == OP_YIELD_FROM and generator)):
                raise ValueError("a frame whose place calls nothing")
        else:
            if not (ins.op == OP_CALL or ins.op == OP_CALL_METHOD or ins.op == OP_CALL_EX or ins.op == OP_LOAD_ATTR):
                raise ValueError("a frame whose place calls nothing")
            if (ret if i + 1 == count else frames[i + 1][5]) != ins.a:
                raise ValueError("a call with its value elsewhere")
        analysis = Analysis(code)
        if generator:
            if top < floor:
                raise ValueError("frames that lie upon each other")
            analysis.check(<int32_t>(place - 1), True, -1, registers(gen), 0, "a frame")
            continue
        if regs < floor:
            raise ValueError("frames that lie upon each other")
        extent = analysis.check(<int32_t>(place - 1), True, -1, values, 2 * <Py_ssize_t>regs, "a frame")
        floor = regs + extent
