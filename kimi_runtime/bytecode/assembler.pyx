"""Assembler: growing buffers for one code object, labels, constants, cache sites, and the final Code.

The bytecode generator derives from it.  ``finish_into`` resolves the jumps; a 16-bit branch whose target is too far is
routed through a 32-bit JUMP placed behind it.
"""
from cpython.float cimport PyFloat_AS_DOUBLE
from cpython.ref cimport PyObject
from cpython.mem cimport PyMem_Free as free, PyMem_Realloc as realloc
from libc.string cimport memcpy, memset

from kimi_runtime.bytecode.ops cimport *

from kimi_runtime.bytecode import opcodes

DEF MAX_REGISTERS = 64000
DEF MAX_SITES = 65535

# Which of the fields a, b, c (bits 1, 2, 4) name registers, by opcode.
cdef uint8_t REGISTER_FIELDS[512]


cdef int fill_register_fields() except -1:
    memset(REGISTER_FIELDS, 0, sizeof(REGISTER_FIELDS))
    for number, row in enumerate(opcodes.TABLE):
        for field, role in row.operands:
            if role in ("out", "in", "keep", "base"):
                REGISTER_FIELDS[<int>number] |= 1 if field == "a" else (2 if field == "b" else 4)
    return 0


fill_register_fields()


cdef void *grown(void *block, int *capacity, size_t item) except NULL:
    """The block with room for twice as many items."""
    cdef int wanted = capacity[0] * 2 if capacity[0] else 32
    cdef void *bigger = realloc(block, wanted * item)
    if bigger == NULL:
        raise MemoryError("no memory for the compiler")
    capacity[0] = wanted
    return bigger


cdef class Assembler:
    """Buffers of one code object under construction."""

    def __dealloc__(self):
        free(self.instrs)
        free(self.positions)
        free(self.labels)
        free(self.label_bits)
        free(self.fixups)
        free(self.sites)
        free(self.entries)
        free(self.bits)
        free(self.points)

    cdef int start(self, int nlocals) except -1:
        """Prepares for code with that many locals; none of them is assigned yet."""
        cdef void *block
        if nlocals > MAX_REGISTERS:
            raise SyntaxError("too many local variables in one function")
        self.nlocals = self.top = self.max_top = nlocals
        self.nwords = (nlocals + 63) // 64
        if self.nwords == 0:
            self.nwords = 1
        block = realloc(NULL, self.nwords * sizeof(uint64_t))
        if block == NULL:
            raise MemoryError("no memory for the compiler")
        self.bits = <uint64_t *>block
        memset(self.bits, 0, self.nwords * sizeof(uint64_t))
        self.consts = []
        self.const_plain = {}
        self.names = []
        self.name_set = {}
        self.load_sites = {}
        self.store_sites = {}
        self.inlined = []
        self.point = -1
        return 0

    # -- instructions --------------------------------------------------------------------------
    cdef int emit(self, int op, int a, int b, int c) except -1:
        cdef Instr *instr
        cdef int capacity
        if self.dead:
            return 0
        if self.n == self.instr_cap:
            capacity = self.instr_cap
            self.positions = <Position *>grown(self.positions, &capacity, sizeof(Position))
            self.instrs = <Instr *>grown(self.instrs, &self.instr_cap, sizeof(Instr))
        instr = &self.instrs[self.n]
        instr.op = <uint16_t>op
        instr.a = <uint16_t>a
        instr.t.abc.b = <uint16_t>b
        instr.t.abc.c = <uint16_t>c
        self.positions[self.n] = self.at
        self.n += 1
        return 0

    cdef int emit_wide(self, int op, int a, int imm) except -1:
        if self.dead:
            return 0
        self.emit(op, a, 0, 0)
        self.instrs[self.n - 1].t.imm = imm
        return 0

    cdef int fixup(self, int label, bint wide) except -1:
        """The last instruction jumps to the label."""
        if self.nfixups == self.fixup_cap:
            self.fixups = <Fixup *>grown(self.fixups, &self.fixup_cap, sizeof(Fixup))
        self.fixups[self.nfixups].pc = self.n - 1
        self.fixups[self.nfixups].label = label
        self.fixups[self.nfixups].wide = wide
        self.nfixups += 1
        if self.labels[label].pc < 0:
            self.touch(label)
        return 0

    cdef int branch(self, int op, int a, int b, int label) except -1:
        """A conditional jump with its target in the 16-bit field c."""
        if self.dead:
            return 0
        self.emit(op, a, b, 0)
        return self.fixup(label, False)

    cdef int branch_wide(self, int op, int a, int label) except -1:
        """A conditional jump with its target in the 32-bit field."""
        if self.dead:
            return 0
        self.emit(op, a, 0, 0)
        return self.fixup(label, True)

    cdef int jump(self, int label) except -1:
        if self.dead:
            return 0
        self.emit(OP_JUMP, 0, 0, 0)
        self.fixup(label, True)
        self.dead = True
        return 0

    # -- labels --------------------------------------------------------------------------------
    cdef int new_label(self) except -1:
        cdef int capacity
        if self.nlabels == self.label_cap:
            capacity = self.label_cap
            self.label_bits = <uint64_t *>grown(self.label_bits, &capacity, sizeof(uint64_t) * self.nwords)
            self.labels = <Label *>grown(self.labels, &self.label_cap, sizeof(Label))
        self.labels[self.nlabels].pc = -1
        self.labels[self.nlabels].used = False
        self.nlabels += 1
        return self.nlabels - 1

    cdef int touch(self, int label) except -1:
        """Records that control may come to the label with the present assignments."""
        cdef uint64_t *bits = self.label_bits + <size_t>label * self.nwords
        cdef int i
        if self.dead:
            return 0
        if self.labels[label].used:
            for i in range(self.nwords):
                bits[i] &= self.bits[i]
        else:
            self.labels[label].used = True
            memcpy(bits, self.bits, self.nwords * sizeof(uint64_t))
        return 0

    cdef int bind(self, int label) except -1:
        """Places the label here."""
        cdef uint64_t *bits = self.label_bits + <size_t>label * self.nwords
        cdef int i
        self.labels[label].pc = self.n
        if not self.labels[label].used:
            return 0
        if self.dead:
            self.dead = False
            memcpy(self.bits, bits, self.nwords * sizeof(uint64_t))
        else:
            for i in range(self.nwords):
                self.bits[i] &= bits[i]
        return 0

    cdef int bind_handler(self, int label) except -1:
        """Places a handler, whose label was touched where its region starts; dead when the region is empty."""
        cdef int i
        self.dead = True
        for i in range(self.nentries):
            if <int>self.entries[self.nentries - 1 - i].handler == label:
                return self.bind(label)
        self.labels[label].pc = self.n
        return 0

    # -- registers -----------------------------------------------------------------------------
    cdef int push(self) except -1:
        """A new temporary."""
        cdef int reg = self.top
        self.top += 1
        if self.top > self.max_top:
            self.max_top = self.top
            if reg > MAX_REGISTERS:
                raise SyntaxError("expression needs too many registers")
        return reg

    cdef int push_n(self, int count) except -1:
        """The first of several new temporaries."""
        cdef int reg = self.top
        self.top += count
        if self.top > self.max_top:
            self.max_top = self.top
            if self.top > MAX_REGISTERS:
                raise SyntaxError("expression needs too many registers")
        return reg

    cdef bint is_set(self, int reg) noexcept:
        return self.dead or (self.bits[reg >> 6] >> (reg & 63)) & 1

    cdef int set_reg(self, int reg) except -1:
        self.bits[reg >> 6] |= <uint64_t>1 << (reg & 63)
        return 0

    # -- exception table -----------------------------------------------------------------------
    cdef int protect(self, int start, int handler, int temp_top, int exc_reg) except -1:
        """Exceptions in the instructions from start up to here go to the handler."""
        cdef ExcEntry *entry
        if start >= self.n:
            return 0
        if self.nentries == self.entry_cap:
            self.entries = <ExcEntry *>grown(self.entries, &self.entry_cap, sizeof(ExcEntry))
        entry = &self.entries[self.nentries]
        entry.start = start
        entry.end = self.n
        entry.handler = handler
        entry.temp_top = <uint16_t>temp_top
        entry.exc_reg = <uint16_t>exc_reg
        self.nentries += 1
        return 0

    # -- constants and cache sites -------------------------------------------------------------
    cdef int const_index(self, object value) except -1:
        """Index of the constant; equal constants of the same type share one."""
        cdef object key
        kind = type(value)
        if kind is str or kind is bytes:
            known = self.const_plain.get(value)
            if known is None:
                known = self.const_plain[value] = len(self.consts)
                self.consts.append(value)
            return known
        if self.const_typed is None:
            self.const_typed = {}
        key = const_key(value)
        known = self.const_typed.get(key)
        if known is None:
            known = self.const_typed[key] = len(self.consts)
            self.consts.append(value)
        return known

    cdef int code_const(self, Code code) except -1:
        self.consts.append(code)
        return len(self.consts) - 1

    cdef int site(self, object name, int nargs, int nkw) except -1:
        """A new cache site."""
        cdef CacheSite *site
        if self.nsites >= MAX_SITES:
            raise SyntaxError("too many names, attributes and calls in one function")
        if self.nsites == self.site_cap:
            self.sites = <CacheSite *>grown(self.sites, &self.site_cap, sizeof(CacheSite))
        site = &self.sites[self.nsites]
        memset(site, 0, sizeof(CacheSite))
        if name is not None:
            known = self.name_set.get(name)
            if known is None:
                self.name_set[name] = name
                self.names.append(name)
                known = name
            site.name = <PyObject *>known
        site.nargs = <uint16_t>nargs
        site.nkw = <uint16_t>nkw
        self.nsites += 1
        return self.nsites - 1

    cdef int load_site(self, str name) except -1:
        """The site through which this code reads a global or namespace name: one per name."""
        return self.shared_site(self.load_sites, name)

    cdef int store_site(self, str name) except -1:
        """The same for assignments."""
        return self.shared_site(self.store_sites, name)

    cdef int shared_site(self, dict sites, str name) except -1:
        cdef int index
        known = sites.get(name)
        if known is not None:
            return known
        index = self.site(name, 0, 0)
        sites[name] = index
        return index

    # -- constants in loops --------------------------------------------------------------------
    cdef int enter_loop(self, bint nop) except -1:
        """A loop begins: the constants that its instructions read from registers are loaded before the next instruction.

        Only outermost loops load them.  nop: the next instruction is to be a NOP, because labels of the loop follow at
        once; it is emitted here.
        """
        self.loop_depth += 1
        if self.loop_depth > 1 or self.dead:
            return 0
        if self.npoints == self.point_cap:
            self.points = <LoopPoint *>grown(self.points, &self.point_cap, sizeof(LoopPoint))
        self.point = self.npoints
        self.points[self.point].pc = self.n
        self.points[self.point].nop = nop
        self.points[self.point].used = 0
        self.npoints += 1
        if nop:
            self.emit(OP_NOP, 0, 0, 0)
        return 0

    cdef int leave_loop(self) except -1:
        self.loop_depth -= 1
        if self.loop_depth == 0:
            self.point = -1
        return 0

    cdef int const_reg(self, object value) except -2:
        """Inside a loop, a register that holds the constant; -1 when there is none."""
        cdef int slot
        if self.point < 0:
            return -1
        if self.loop_consts is None:
            self.loop_consts = []
            self.loop_slots = {}
        key = const_key(value)
        known = self.loop_slots.get(key)
        if known is None:
            if len(self.loop_consts) == MAX_CONST_REGS:
                return -1
            known = self.loop_slots[key] = len(self.loop_consts)
            self.loop_consts.append(value)
        slot = known
        self.points[self.point].used |= <uint32_t>1 << slot
        return CONST_BASE + slot

    cdef int load_into(self, Instr *instr, int reg, object value) except -1:
        """Makes the instruction that loads a constant."""
        memset(instr, 0, sizeof(Instr))
        instr.a = <uint16_t>reg
        if value is None:
            instr.op = OP_LOAD_NONE
        elif type(value) is bool:
            instr.op = OP_LOAD_BOOL
            instr.t.abc.b = 1 if value else 0
        elif type(value) is int and -2147483648 <= value <= 2147483647:
            instr.op = OP_LOAD_INT
            instr.t.imm = <int>value
        else:
            instr.op = OP_LOADK
            instr.t.imm = self.const_index(value)
        return 0

    cdef int hoist(self) except -1:
        """Gives the constant registers their numbers, behind the locals, and puts the loads before the loops."""
        cdef int extra = len(self.loop_consts)
        cdef int first = self.nlocals
        cdef int i, j, k, slot, roles, count, total = 0
        cdef Instr *instr
        cdef Instr *instrs
        cdef Position *positions
        cdef int *before = <int *>realloc(NULL, (self.n + 2) * sizeof(int))
        if before == NULL:
            raise MemoryError("no memory for the compiler")
        # before[i]: loads put before instruction i.
        memset(before, 0, (self.n + 2) * sizeof(int))
        for i in range(self.npoints):
            count = 0
            for slot in range(extra):
                count += self.points[i].used >> slot & 1
            if self.points[i].nop and count:
                count -= 1
            before[self.points[i].pc] += count
            total += count
        instrs = <Instr *>realloc(NULL, (self.n + total + 1) * sizeof(Instr))
        positions = <Position *>realloc(NULL, (self.n + total + 1) * sizeof(Position))
        if instrs == NULL or positions == NULL:
            free(before)
            free(instrs)
            free(positions)
            raise MemoryError("no memory for the compiler")
        j = 0
        k = 0
        for i in range(self.n):
            if k < self.npoints and self.points[k].pc == i:
                for slot in range(extra):
                    if self.points[k].used >> slot & 1:
                        self.load_into(&instrs[j], CONST_BASE + slot, self.loop_consts[slot])
                        positions[j] = self.positions[i]
                        j += 1
                k += 1
                if self.points[k - 1].nop and self.points[k - 1].used:
                    continue        # the NOP has become one of the loads
            instrs[j] = self.instrs[i]
            positions[j] = self.positions[i]
            j += 1
        free(self.instrs)
        free(self.positions)
        self.instrs = instrs
        self.positions = positions
        # From here on before[i] is how far instruction i's place moves; what lies at i stays in front of its loads.
        for i in range(1, self.n + 2):
            before[i] += before[i - 1]
        for i in range(self.nlabels):
            if self.labels[i].pc > 0:
                self.labels[i].pc += before[self.labels[i].pc - 1]
        for i in range(self.nentries):
            if self.entries[i].start > 0:
                self.entries[i].start += before[self.entries[i].start - 1]
            self.entries[i].end += before[self.entries[i].end - 1]
            self.entries[i].temp_top += <uint16_t>extra
            self.entries[i].exc_reg += <uint16_t>extra
        for item in self.inlined:
            if <int>item[0] > 0:
                item[0] += before[<int>item[0] - 1]
            item[1] += before[<int>item[1] - 1]
            if len(item) > 4:
                item[4] += before[<int>item[4]]
        for i in range(self.nfixups):
            self.fixups[i].pc += before[self.fixups[i].pc]
        self.n += total
        self.instr_cap = self.n
        free(before)
        for i in range(self.n):
            instr = &self.instrs[i]
            roles = REGISTER_FIELDS[instr.op]
            if roles & 1 and instr.a >= first:
                instr.a = <uint16_t>(instr.a - CONST_BASE + first if instr.a >= CONST_BASE else instr.a + extra)
            if roles & 2 and instr.t.abc.b >= first:
                instr.t.abc.b = <uint16_t>(instr.t.abc.b - CONST_BASE + first if instr.t.abc.b >= CONST_BASE
                                           else instr.t.abc.b + extra)
            if roles & 4 and instr.t.abc.c >= first:
                instr.t.abc.c = <uint16_t>(instr.t.abc.c - CONST_BASE + first if instr.t.abc.c >= CONST_BASE
                                           else instr.t.abc.c + extra)
        self.nlocals += extra
        self.max_top += extra
        return extra

    # -- the end -------------------------------------------------------------------------------
    cdef int relax(self) except -1:
        """Routes 16-bit branches that are too far through JUMPs, until all fit. Returns how many were changed."""
        cdef int i, j, k, distance, changed = 0
        cdef int extra = 0
        cdef Fixup *fix
        cdef int *moved
        cdef uint8_t *far
        cdef Instr *instrs
        cdef Position *positions
        # A branch grows by two instructions; assume that all of them do when deciding what is too far.
        for i in range(self.nfixups):
            if not self.fixups[i].wide:
                extra += 1
        far = <uint8_t *>realloc(NULL, self.nfixups + 1)
        moved = <int *>realloc(NULL, (self.n + 2) * sizeof(int))
        if far == NULL or moved == NULL:
            free(far)
            free(moved)
            raise MemoryError("no memory for the compiler")
        memset(far, 0, self.nfixups + 1)
        memset(moved, 0, (self.n + 2) * sizeof(int))
        for i in range(self.nfixups):
            fix = &self.fixups[i]
            distance = self.labels[fix.label].pc - fix.pc - 1
            # Between them there are at most |distance| branches that may grow.
            if not fix.wide and (distance > 10000 or distance < -10000):
                far[i] = 1
                moved[fix.pc + 1] += 2
                changed += 1
        if changed == 0:
            free(far)
            free(moved)
            return 0
        for i in range(1, self.n + 2):
            moved[i] += moved[i - 1]
        instrs = <Instr *>realloc(NULL, (self.n + 2 * changed) * sizeof(Instr))
        positions = <Position *>realloc(NULL, (self.n + 2 * changed) * sizeof(Position))
        if instrs == NULL or positions == NULL:
            free(far)
            free(moved)
            free(instrs)
            free(positions)
            raise MemoryError("no memory for the compiler")
        for i in range(self.n):
            instrs[i + moved[i]] = self.instrs[i]
            positions[i + moved[i]] = self.positions[i]
        for i in range(self.nlabels):
            if self.labels[i].pc >= 0:
                self.labels[i].pc += moved[self.labels[i].pc]
        for i in range(self.nentries):
            self.entries[i].start += moved[self.entries[i].start]
            self.entries[i].end += moved[self.entries[i].end]
        for item in self.inlined:
            item[0] += moved[<int>item[0]]
            item[1] += moved[<int>item[1]]
            if len(item) > 4:
                item[4] += moved[<int>item[4]]
        for i in range(self.nfixups):
            fix = &self.fixups[i]
            j = fix.pc + moved[fix.pc]
            if far[i]:
                # branch +1; JUMP over; JUMP target
                instrs[j].t.abc.c = 1
                for k in range(1, 3):
                    memset(&instrs[j + k], 0, sizeof(Instr))
                    instrs[j + k].op = OP_JUMP
                    positions[j + k] = positions[j]
                instrs[j + 1].t.imm = 1
                fix.pc = j + 2
                fix.wide = True
            else:
                fix.pc = j
        free(self.instrs)
        free(self.positions)
        self.instrs = instrs
        self.positions = positions
        self.n += 2 * changed
        self.instr_cap = self.n
        free(far)
        free(moved)
        return changed

    cdef int thread_jumps(self) except -1:
        """Jumps to a JUMP go where that one goes."""
        cdef int i, label, pc, steps
        cdef int *onward = <int *>realloc(NULL, (self.n + 1) * sizeof(int))
        if onward == NULL:
            raise MemoryError("no memory for the compiler")
        for i in range(self.n + 1):
            onward[i] = -1
        for i in range(self.nfixups):
            if self.instrs[self.fixups[i].pc].op == OP_JUMP:
                onward[self.fixups[i].pc] = self.fixups[i].label
        for i in range(self.nfixups):
            label = self.fixups[i].label
            pc = self.labels[label].pc
            steps = 0
            while pc < self.n and onward[pc] >= 0 and steps < 8:
                label = onward[pc]
                pc = self.labels[label].pc
                steps += 1
            self.fixups[i].label = label
        free(onward)
        return 0

    cdef int finish_into(self, Code code) except -1:
        """Resolves the jumps and copies everything into the code object."""
        cdef int i, distance
        cdef Fixup *fix
        if self.loop_consts is not None:
            self.hoist()
        if self.nfixups:
            self.thread_jumps()
        if self.n > 10000:
            self.relax()
        for i in range(self.nfixups):
            fix = &self.fixups[i]
            distance = self.labels[fix.label].pc - fix.pc - 1
            if fix.wide:
                self.instrs[fix.pc].t.imm = distance
            else:
                self.instrs[fix.pc].t.abc.c = <uint16_t>distance
        code.allocate(self.n, len(self.consts), self.nsites, self.nentries,
                      len(code.free_names) if code.free_names is not None else 0)
        memcpy(code.instrs, self.instrs, self.n * sizeof(Instr))
        memcpy(code.positions, self.positions, self.n * sizeof(Position))
        if self.nsites:
            memcpy(code.caches, self.sites, self.nsites * sizeof(CacheSite))
        for i in range(self.nentries):
            code.exc_table[i] = self.entries[i]
            code.exc_table[i].handler = self.labels[self.entries[i].handler].pc
        code.set_consts(tuple(self.consts))
        code.names = tuple(self.names)
        if self.inlined:
            code.inlined = tuple([tuple(item) for item in self.inlined])
        code.nlocals = code.first_temp = <uint16_t>self.nlocals
        code.nregs = <uint16_t>self.max_top
        return 0


cdef object const_key(object value):
    """A key under which equal constants of equal types, and no others, meet."""
    cdef double number
    cdef uint64_t raw
    kind = type(value)
    if kind is float:
        number = PyFloat_AS_DOUBLE(value)
        memcpy(&raw, &number, sizeof(raw))
        return (kind, raw)
    if kind is complex:
        return (kind, const_key(value.real), const_key(value.imag))
    if kind is tuple:
        return (kind, tuple([const_key(item) for item in value]))
    if kind is slice:
        return (kind, const_key(value.start), const_key(value.stop), const_key(value.step))
    if kind is frozenset:
        return (kind, id(value))
    return (kind, value)
