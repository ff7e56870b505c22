# Buffers in which the generator collects one code object, and the step that turns them into a Code.
#
# Instructions refer to labels through fixups, so the code may still move when a 16-bit branch turns out to be too far.
# The assembler also follows definite assignment: one bit per local register, kept per label, so that the generator
# knows at each point which locals are surely bound; and whether the point can be reached at all (`dead`: nothing is
# emitted then).
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from kimi_runtime.bytecode.code cimport CacheSite, Code, ExcEntry, Instr, Position
from kimi_runtime.syntax.nodes cimport Node

cdef struct Label:
    int32_t pc              # -1 until bound
    bint used

cdef struct Fixup:
    int32_t pc
    int32_t label
    bint wide               # jump in the 32-bit field

cdef struct LoopPoint:      # an outermost loop
    int32_t pc              # instruction before which its constants are loaded
    bint nop                # ... and which is a NOP that the first load may replace
    uint32_t used           # which constant registers the loop uses

# Register numbers from here on stand for constant registers until the code is complete.
cdef enum:
    CONST_BASE = 65000
    MAX_CONST_REGS = 32

cdef class Assembler:
    cdef Instr *instrs
    cdef Position *positions
    cdef int n, instr_cap
    cdef Label *labels
    cdef uint64_t *label_bits
    cdef int nlabels, label_cap
    cdef Fixup *fixups
    cdef int nfixups, fixup_cap
    cdef CacheSite *sites
    cdef int nsites, site_cap
    cdef ExcEntry *entries      # handler holds a label here
    cdef int nentries, entry_cap
    cdef uint64_t *bits         # definitely assigned locals at this point
    cdef int nwords
    cdef bint dead
    cdef Position at            # position that emitted instructions get
    cdef list consts
    cdef dict const_plain, const_typed
    cdef list names
    cdef dict name_set, load_sites, store_sites
    cdef LoopPoint *points
    cdef int npoints, point_cap, loop_depth, point
    cdef list loop_consts       # values of the constant registers
    cdef dict loop_slots
    cdef list inlined           # [start, end, name, line] or [..., caller]
    cdef int nlocals, top, max_top

    cdef int start(self, int nlocals) except -1
    cdef int emit(self, int op, int a, int b, int c) except -1
    cdef int emit_wide(self, int op, int a, int imm) except -1
    cdef int branch(self, int op, int a, int b, int label) except -1
    cdef int branch_wide(self, int op, int a, int label) except -1
    cdef int jump(self, int label) except -1
    cdef int new_label(self) except -1
    cdef int touch(self, int label) except -1
    cdef int bind(self, int label) except -1
    cdef int bind_handler(self, int label) except -1
    cdef int push(self) except -1
    cdef int push_n(self, int count) except -1
    cdef bint is_set(self, int reg) noexcept
    cdef int set_reg(self, int reg) except -1
    cdef int protect(self, int start, int handler, int temp_top, int exc_reg) except -1
    cdef int const_index(self, object value) except -1
    cdef int code_const(self, Code code) except -1
    cdef int site(self, object name, int nargs, int nkw) except -1
    cdef int load_site(self, str name) except -1
    cdef int store_site(self, str name) except -1
    cdef int shared_site(self, dict sites, str name) except -1
    cdef int enter_loop(self, bint nop) except -1
    cdef int leave_loop(self) except -1
    cdef int const_reg(self, object value) except -2
    cdef int load_into(self, Instr *instr, int reg, object value) except -1
    cdef int hoist(self) except -1
    cdef int finish_into(self, Code code) except -1
    cdef int thread_jumps(self) except -1
    cdef int relax(self) except -1
    cdef int fixup(self, int label, bint wide) except -1
