# Samples of running guests: where they are, and what has been used since the last one. See sampling.h for when they are due.
#
# A sample is taken between two instructions, with the interpreter's lock, by C code that makes no objects: nothing that a guest
# could see changes. What it says is resolved when the profile is read (`profiling/`).

cdef extern from "sampling.h":
    enum:
        K_TABLE_SAMPLES
        K_OPCODES
        K_JUMPS_IMM
        K_JUMPS_C
        K_NO_FALL
    const uint8_t k_flow[]
    int k_table_state
    int k_stepping
    int64_t k_armed_at
    ctypedef struct KSampler:
        int64_t interval
        int running
    ctypedef struct KSampled:
        KSampled *next
        KSampler *sampler
        void *vm
        int64_t ticks, first, last
        int64_t accounted, begun, cpu_begun, cpu, process_cpu
        uint64_t instructions, begun_instructions, allocated, allocated_then, allocated_noted
        int64_t granted, next_allocation
        void *block
        size_t block_own
        int object
        void *words[3]
        uint32_t host, number
        int64_t host_end
        int64_t way
        size_t address
        const void *ip
        void *frame
        int ended
        int clock
    KSampled *k_sampled
    void (*k_note_frame)(KSampled *s) noexcept
    bint k_can_sample() noexcept
    void k_arm() noexcept
    void k_disarm() noexcept
    int k_sampler_start(KSampler *p) noexcept
    void k_sampler_stop(KSampler *p) noexcept
    uint32_t k_random(KSampler *p) noexcept
    int k_sampled_begin(KSampled *s, KSampler *p, void *vm) noexcept
    void k_sampled_end(KSampled *s) noexcept
    int64_t k_clock_of(int clock) noexcept
    int CLOCK_PROCESS_CPUTIME_ID

cdef extern from "allocations.h":
    KSampled *k_here
    KHeap **k_here_slot
    enum:
        K_ALLOCATION_EVERY
    void k_watch_allocations_from_now_on() noexcept
    void k_watch_allocations_no_more() noexcept
    void k_look_at_block(KSampled *s) noexcept
    void k_block_done(KSampled *s) noexcept
    uint64_t k_allocated_by(const KSampled *s) noexcept

from libc.stdlib cimport realloc
from kimi_runtime.bytecode.code cimport live_codes
from kimi_runtime.syntax.nodes cimport live_nodes

cdef enum SampleFlag:
    SAMPLE_ENTERED = 1      # the call that it is in has just begun: it is no native code's
    SAMPLE_BLOCKED = 2      # taken by another thread while this one waited or was in native code without the lock
    SAMPLE_HOST = 4         # in a function of the host: Sample.host
    SAMPLE_LAST = 8         # at the end of a run
    SAMPLE_COMPILED = 16    # the innermost frame is in compiled code: its place is what the frame has stored

cdef enum:
    BURST = 128                     # ticks (rounds of loops, and calls) whose instructions are counted one by one at a time,
    BURST_SIZE = 512                # or so many as have about that many instructions, but
    BURST_LEAST = 16
    BURST_EVERY = 500               # times as many ticks lie between bursts; fewer at first, so that what ends soon has counts too:
    BURST_GROWS = 8                 # this part of the way so far, and at least
    BURST_SOON = 32                 # times as many
    SPOTS_KEPT = 256
    PREVIOUS_KEPT = 1024
    BEFORE = 0x80000000             # in the place of a stack: the instruction that was executed before this one
    MANY_SAMPLES = 1 << 20          # from then on every second one, and so on

cdef int64_t SLOW = 300             # nanoseconds: what takes longer has stored its place in the frame before

cdef struct Sample:
    int64_t time, wall, cpu, process_cpu        # nanoseconds; all but the first since the sample before
    uint64_t instructions, allocated
    size_t live
    int64_t codes, nodes
    uint32_t stack, thread, collections, host
    uint16_t flags, op
    uint32_t tier               # that the innermost frame runs in: a Tier
    uint32_t kind               # of the value that an operator has made: a ResultKind

cdef enum ResultKind:
    RESULT_UNKNOWN = 0
    RESULT_INT = 1
    RESULT_FLOAT = 2
    RESULT_STR = 3
    RESULT_LIST = 4
    RESULT_OTHER = 5

cdef enum Tier:
    TIER_INTERPRETED = 0
    TIER_COMPILED = 1           # whoever takes a sample in compiled code passes SAMPLE_COMPILED

cdef struct Allocation:
    int64_t time
    size_t bytes
    uint32_t stack, thread
    uint32_t op, object
    void *words[3]

cdef struct StackNode:
    PyObject *code              # owned
    uint32_t parent, pc

cdef struct Spot:
    PyObject *code              # owned
    uint32_t pc
    uint32_t now                # in the last burst
    uint32_t seen               # in all bursts
    uint32_t bursts             # that have seen it
    uint32_t next               # of those in the last burst
    double count                # about how often it was executed, but for what the last burst stands for
    double lengths              # of what it adds an element to, each as often as count has it
    double lengths_now
    int64_t longest

cdef struct SpotKept:
    const Instr *at
    PyObject *code
    int number

cdef struct Previous:
    const Instr *at
    uint32_t pc


@cython.final
@cython.auto_pickle(False)
cdef class Sampler:
    """Takes samples of guests, from `start` to `stop`; the guest code that counts is what runs in `call_sampled`.

    Args:
        interval: seconds between samples.
        most: samples that are kept; when there are as many, every second one is dropped and the interval doubles.
    """
    cdef KSampler core
    cdef Sample *samples
    cdef size_t count, room, most
    cdef Allocation *allocations
    cdef uint32_t allocation_count, allocation_room
    cdef bint watching              # of allocations
    cdef StackNode *nodes
    cdef uint32_t node_count, node_room
    cdef uint32_t *table
    cdef uint32_t table_size
    cdef Spot *spots
    cdef uint32_t spot_count, spot_room
    cdef uint32_t *spot_table
    cdef uint32_t spot_table_size
    cdef SpotKept spots_kept[SPOTS_KEPT]
    cdef int64_t way                        # ticks of all threads so far
    cdef int64_t burst_due, burst_at        # of them: when the next burst is to begin, when the last one began
    cdef int64_t burst_from                 # the first that the last burst stands for
    cdef uint32_t burst_spots               # those it has seen: number of the first and 1, or 0
    cdef int64_t burst_ticks                # that the last burst covers
    cdef int64_t ticks_seen, instructions_seen      # in all bursts
    cdef bint bursting                      # a burst is under way
    cdef VM *burst_vm                       # of what thread,
    cdef int64_t burst_end                  # and where it ends: see way_of
    cdef Previous previous[PREVIOUS_KEPT]
    cdef KSampled *threads                  # all that there were
    cdef list entries                       # addresses of these
    cdef uint32_t collections
    cdef readonly int64_t guard_exits       # of compiled code, to the interpreter
    cdef public int64_t ends                # nanoseconds of runs after their last tick, which no sample has
    cdef int64_t begun, ended
    cdef bint failed                        # there was no memory for a sample
    cdef readonly bint counts               # bursts are counted

    def __cinit__(self, double interval, size_t most=MANY_SAMPLES, bint counts=True):
        if not interval > 0:
            raise ValueError(f"interval must be positive, not {interval!r}")
        self.core.interval = <int64_t>(interval * 1e9)
        if self.core.interval < 20_000:
            self.core.interval = 20_000
        self.most = most if most > 16 else 16
        self.counts = counts
        self.entries = []
        node_of(self, 0, NULL, 0)           # 0: no frame

    def __dealloc__(self):
        cdef uint32_t i
        k_sampler_stop(&self.core)
        for i in range(self.node_count):
            Py_XDECREF(self.nodes[i].code)
        for i in range(self.spot_count):
            Py_XDECREF(self.spots[i].code)
        for each in self.entries:
            free(<void *><size_t>each)
        free(self.samples)
        free(self.allocations)
        free(self.nodes)
        free(self.table)
        free(self.spots)
        free(self.spot_table)

    def start(self):
        """Begins. OSError when there can be no timer; RuntimeError where the compiler has no computed jumps."""
        cdef int status
        find_tables()
        if not k_can_sample():
            raise RuntimeError("this build of kimi_runtime cannot take samples: it was compiled without computed jumps")
        if self.core.running:
            return
        self.begun = k_now()
        status = k_sampler_start(&self.core)
        if status:
            raise OSError(status, "cannot make a timer for the profiler")
        self.burst_ticks = BURST
        self.burst_due = k_random(&self.core) % (BURST * BURST_SOON)

    @property
    def thread_count(self):
        """Threads that were sampled so far; a thread counts again with each run."""
        return len(self.entries)

    def watch_allocations(self):
        """From now on also where memory is allocated, by guests whose memory is theirs: see docs/profiling.md."""
        if not self.watching:
            install_heaps(hurry)        # which must lie below
            self.watching = 1
            k_watch_allocations_from_now_on()

    def allocated(self):
        """``[(seconds since the start, bytes, stack, thread, opcode, whether it was asked for as an object, three addresses of
        which one may be that of its type)]``."""
        cdef uint32_t i
        cdef Allocation *a
        cdef list found = []
        for i in range(self.allocation_count):
            a = &self.allocations[i]
            found.append(((a.time - self.begun) / 1e9, a.bytes, a.stack, a.thread, a.op, bool(a.object),
                          (<size_t>a.words[0], <size_t>a.words[1], <size_t>a.words[2])))
        return found

    def allocated_bytes(self):
        """Bytes that guests have allocated in all, while allocations were watched."""
        cdef uint64_t found = 0
        for each in self.entries:
            found += k_allocated_by(<KSampled *><size_t>each)
        return found

    def stop(self):
        """Ends; runs that are still under way are not sampled any more."""
        if self.watching:
            self.watching = 0
            k_watch_allocations_no_more()
        k_sampler_stop(&self.core)
        self.ended = k_now()

    @property
    def interval(self):
        """Seconds between samples, which is more than was asked for when there are very many."""
        return self.core.interval / 1e9

    def note_collection(self):
        """The garbage collector has run."""
        self.collections += 1

    def stacks(self):
        """``[(parent, code or None, instruction)]``: a stack of calls is a number in this list, and that of its caller."""
        cdef uint32_t i
        return [(self.nodes[i].parent, None if self.nodes[i].code == NULL else <object>self.nodes[i].code, place_of(self, i))
                for i in range(self.node_count)]

    def results(self):
        """The samples as tuples: seconds since the start; wall, processor and the process's processor seconds, instructions and
        bytes allocated since the sample before; bytes of the guest's heap; code objects; nodes of syntax trees; stack; thread;
        collections; function of the host (a number) or -1; whether a callee has just begun; whether the thread was blocked;
        opcode; what an operator has made, a number; tier, a number."""
        cdef size_t i
        cdef Sample *s
        cdef list found = []
        # By now more is known of which instruction it was than when a sample was taken.
        cdef list ops = [(<Code>self.nodes[i].code).instrs[place_of(self, <uint32_t>i)].op if self.nodes[i].pc & BEFORE else 0
                         for i in range(self.node_count)]
        for i in range(self.count):
            s = &self.samples[i]
            found.append(((s.time - self.begun) / 1e9, s.wall / 1e9, s.cpu / 1e9, s.process_cpu / 1e9, s.instructions, s.allocated,
                          s.live, s.codes, s.nodes, s.stack, s.thread, s.collections,
                          <int64_t>s.host if s.flags & SAMPLE_HOST else -1, bool(s.flags & SAMPLE_ENTERED),
                          bool(s.flags & SAMPLE_BLOCKED), ops[s.stack] or s.op, s.kind, s.tier))
        return found

    def counted(self):
        """``[(code, instruction, about how often it was executed, how often that was seen, in how many bursts, mean and greatest
        length of what it added an element to)]``."""
        cdef uint32_t i
        cdef Spot *spot
        cdef double weight = weight_of_burst(self, self.way)
        cdef double count
        cdef list found = []
        for i in range(self.spot_count):
            spot = &self.spots[i]
            count = spot.count + spot.now * weight
            found.append((<object>spot.code, spot.pc, count, spot.seen, spot.bursts,
                          (spot.lengths + spot.lengths_now * weight) / count if count else 0.0, spot.longest))
        return found

    def totals(self):
        """Seconds of wall and processor time of the sampled threads, seconds since the start, and what no sample has."""
        cdef int64_t wall = 0, cpu = 0
        cdef KSampled *s
        for each in self.entries:
            s = <KSampled *><size_t>each
            if s.ended:
                wall += s.begun                 # what it was in all, from then on
                cpu += s.cpu_begun
        return wall / 1e9, cpu / 1e9, ((self.ended or k_now()) - self.begun) / 1e9, self.ends / 1e9

    @property
    def out_of_memory(self):
        """Whether there was no memory for a sample."""
        return self.failed

    @property
    def started(self):
        """Its start on the monotonic clock, in seconds."""
        return self.begun / 1e9


# ---- tables ---------------------------------------------------------------------------------------------
cdef bint double_room(void **at, uint32_t *room, size_t size) noexcept:
    cdef uint32_t more = room[0] * 2 if room[0] else 256
    cdef void *made = realloc(at[0], more * size)
    if made == NULL:
        return 0
    at[0] = made
    room[0] = more
    return 1

cdef inline uint32_t hash_spot(uint32_t parent, PyObject *code, uint32_t pc) noexcept:
    cdef uint64_t h = (<uint64_t><size_t>code >> 4) * 0x9E3779B97F4A7C15ULL
    h = (h ^ (h >> 29) ^ parent) * 0xBF58476D1CE4E5B9ULL
    h = (h ^ (h >> 32) ^ pc) * 0x94D049BB133111EBULL
    return <uint32_t>(h >> 32)

cdef uint32_t node_of(Sampler p, uint32_t parent, PyObject *code, uint32_t pc) noexcept:
    """Number of the stack that ends in this; 0 when there is no memory."""
    cdef uint32_t i, at, mask, size
    cdef uint32_t *grown
    cdef StackNode *node
    if p.node_count * 2 >= p.table_size:
        size = p.table_size * 2 if p.table_size else 512
        grown = <uint32_t *>calloc(size, sizeof(uint32_t))
        if grown == NULL:
            p.failed = 1
            return 0
        for i in range(1, p.node_count):
            node = &p.nodes[i]
            at = hash_spot(node.parent, node.code, node.pc) & (size - 1)
            while grown[at]:
                at = (at + 1) & (size - 1)
            grown[at] = i
        free(p.table)
        p.table = grown
        p.table_size = size
    mask = p.table_size - 1
    at = hash_spot(parent, code, pc) & mask
    while p.table[at]:
        node = &p.nodes[p.table[at]]
        if node.code == code and node.parent == parent and node.pc == pc:
            return p.table[at]
        at = (at + 1) & mask
    if p.node_count == p.node_room and not double_room(<void **>&p.nodes, &p.node_room, sizeof(StackNode)):
        p.failed = 1
        return 0
    node = &p.nodes[p.node_count]
    node.parent = parent
    node.code = code
    node.pc = pc
    Py_XINCREF(code)
    p.node_count += 1
    if p.node_count > 1:
        p.table[at] = p.node_count - 1
    return p.node_count - 1

cdef uint32_t times_seen(Sampler p, PyObject *code, uint32_t pc) noexcept:
    """How often the instruction was seen when instructions were counted one by one."""
    cdef uint32_t at, mask = p.spot_table_size - 1
    cdef Spot *spot
    if not p.spot_table_size:
        return 0
    at = hash_spot(0, code, pc) & mask
    while p.spot_table[at]:
        spot = &p.spots[p.spot_table[at] - 1]
        if spot.code == code and spot.pc == pc:
            return spot.seen
        at = (at + 1) & mask
    return 0

cdef int spot_of(Sampler p, PyObject *code, uint32_t pc) noexcept:
    """Number of the instruction among those that are counted; -1 when there is no memory."""
    cdef uint32_t i, at, mask, size
    cdef uint32_t *grown
    cdef Spot *spot
    if p.spot_count * 2 >= p.spot_table_size:
        size = p.spot_table_size * 2 if p.spot_table_size else 1024
        grown = <uint32_t *>calloc(size, sizeof(uint32_t))
        if grown == NULL:
            return -1
        for i in range(p.spot_count):
            at = hash_spot(0, p.spots[i].code, p.spots[i].pc) & (size - 1)
            while grown[at]:
                at = (at + 1) & (size - 1)
            grown[at] = i + 1
        free(p.spot_table)
        p.spot_table = grown
        p.spot_table_size = size
    mask = p.spot_table_size - 1
    at = hash_spot(0, code, pc) & mask
    while p.spot_table[at]:
        spot = &p.spots[p.spot_table[at] - 1]
        if spot.code == code and spot.pc == pc:
            return <int>p.spot_table[at] - 1
        at = (at + 1) & mask
    if p.spot_count == p.spot_room and not double_room(<void **>&p.spots, &p.spot_room, sizeof(Spot)):
        return -1
    spot = &p.spots[p.spot_count]
    spot.code = code
    spot.pc = pc
    spot.now = spot.seen = spot.bursts = spot.next = 0
    spot.count = spot.lengths = spot.lengths_now = 0
    spot.longest = 0
    Py_INCREF(code)
    p.spot_count += 1
    p.spot_table[at] = p.spot_count
    return <int>p.spot_count - 1


# ---- the instruction before ------------------------------------------------------------------------------
cdef inline int64_t jump_of(const Instr *ins, int64_t pc) noexcept:
    """Where the instruction may jump to, or -1."""
    cdef uint8_t flow = k_flow[ins.op]
    if flow & K_JUMPS_IMM:
        return pc + 1 + ins.t.imm
    if flow & K_JUMPS_C:
        return pc + 1 + <int16_t>ins.t.abc.c
    return -1

cdef inline bint leads_to(const Instr *instrs, int64_t pc, int64_t at) noexcept:
    return (pc + 1 == at and not k_flow[instrs[pc].op] & K_NO_FALL) or jump_of(&instrs[pc], pc) == at

cdef uint32_t look_back(PyObject *code, int64_t at, Sampler p=None) noexcept:
    """The instruction that was most likely executed before one: the one that led there most often, by the counts of p. Without
    counts, of those that lead there the ones in the innermost loop around it, which has most of the rounds; of these a jump
    backwards, the instruction in front, another jump; itself if nothing does."""
    cdef const Instr *instrs = (<Code>code).instrs
    cdef int64_t i, target, first = 0, last = (<Code>code).ninstrs
    cdef int64_t found = at
    cdef double rank, best = 0
    for i in range(at, (<Code>code).ninstrs):
        target = jump_of(&instrs[i], i)
        if 0 <= target <= at and i - target < last - first:
            first, last = target, i
    for i in range((<Code>code).ninstrs):
        if leads_to(instrs, i, at):
            rank = 3 if i >= at else 2 if i == at - 1 else 1
            if first <= i <= last:
                rank += 3
            if p is not None:
                rank += 8 * led(p, code, i, at)
            if rank > best:
                best, found = rank, i
    return <uint32_t>found

cdef double led(Sampler p, PyObject *code, int64_t i, int64_t at) noexcept:
    """How often one of the instructions that are counted one by one has led to another, about: a jump that does so does not go on."""
    cdef const Instr *instrs = (<Code>code).instrs
    cdef double times = times_seen(p, code, <uint32_t>i)
    cdef double others
    if jump_of(&instrs[i], i) < 0 or k_flow[instrs[i].op] & K_NO_FALL:
        return times
    others = times_seen(p, code, <uint32_t>(i + 1 if at != i + 1 else jump_of(&instrs[i], i)))
    return times - others if times > others else 0

cdef uint32_t place_of(Sampler p, uint32_t node) noexcept:
    """The instruction of a stack."""
    cdef uint32_t pc = p.nodes[node].pc
    return look_back(p.nodes[node].code, pc & ~BEFORE, p) if pc & BEFORE else pc

cdef uint32_t instruction_before(Sampler p, Frame *f, const Instr *ins, int64_t now, bint *guessed) noexcept:
    """Where the frame was when the tick came that ended at ins: ins itself did not begin. guessed: it is not known for sure."""
    cdef const Instr *instrs = (<Code>f.code).instrs
    cdef int64_t at = ins - instrs
    cdef int64_t stored = f.ip - instrs - 1
    cdef Previous *kept
    # A jump has stored where it goes to, at the safepoint before.
    if now - k_armed_at > SLOW and 0 <= stored < (<Code>f.code).ninstrs and instrs[stored].op != OP_JUMP \
            and leads_to(instrs, stored, at):
        return <uint32_t>stored
    guessed[0] = 1
    kept = &p.previous[(<size_t>ins >> 3) & (PREVIOUS_KEPT - 1)]
    if kept.at != ins:
        kept.at = ins
        kept.pc = look_back(f.code, at)
    return kept.pc


# ---- taking a sample -------------------------------------------------------------------------------------
cdef inline bint call_has_just_begun(VM *vm, const Instr *ins) noexcept:
    """Whether ins, which is next, is the first of a call: then what was executed before it is that call, in the frame below."""
    cdef Frame *last = vm.frame
    return last - 1 > vm.frames and ins == (<Code>last.code).instrs + (<Code>last.code).entry and not last.flags & F_ENTRY

cdef uint32_t stack_of(Sampler p, VM *vm, Frame *last, uint32_t pc) noexcept:
    """Number of the stack that ends in this frame, at this instruction."""
    cdef Frame *f = vm.frames + 1
    cdef uint32_t node = 0
    while f < last:
        node = node_of(p, node, f.code, code_pc(f))
        f += 1
    return node_of(p, node, last.code, pc)

cdef void note_frame(KSampled *s) noexcept:
    """In a handler of signals: what the frame says then."""
    s.frame = (<VM *>s.vm).frame
    s.ip = (<VM *>s.vm).frame.ip

k_note_frame = note_frame

cdef int64_t compiled_place(KSampled *s, Frame *last, PyObject **inner, int64_t *inner_pc, PyObject *ended) noexcept:
    """The instruction of the frame that compiled code was at when the tick came, by its address; or what the frame said then, if
    it called something. inner, inner_pc: of a function that it has called without a frame, or of `ended`."""
    cdef PyObject *code = NULL
    cdef int64_t pc = hot_place(s.address, &code)
    if pc >= 0 and ended != NULL:
        if code == hot_owner(ended):
            inner_pc[0] = pc
    elif pc >= 0 and code == hot_owner(last.code):
        return pc
    elif pc >= 0:
        inner[0] = code
        inner_pc[0] = pc
    elif s.frame == last:
        pc = <const Instr *>s.ip - (<Code>last.code).instrs - 1
        if 0 <= pc < (<Code>last.code).ninstrs:
            return pc
    return code_pc(last)

cdef void take_sample(Sampler p, KSampled *s, VM *vm, const Instr *ins, int64_t now, int flags, PyObject *ended=NULL,
                      uint32_t ended_pc=0) noexcept:
    """One sample for all ticks of the thread s since the last one. ins: what the VM would execute next; NULL: it is in the
    instruction that its frame says, or at the end of a run. ended: code whose frame has just gone, and where in it that was."""
    cdef VM *of = <VM *>s.vm
    cdef Frame *last = of.frame
    cdef uint32_t node = 0
    cdef PyObject *inner = NULL         # code that is or was within the innermost frame's and has none
    cdef int64_t inner_pc = -1
    cdef bint guessed = 0
    cdef int64_t pc = 0, until = s.last, cpu
    cdef uint64_t allocated
    cdef Sample *sample
    cdef void *grown
    cdef uint16_t op = 0
    s.ticks = 0
    if last > of.frames and not flags & SAMPLE_LAST:
        if flags & SAMPLE_COMPILED:
            pc = compiled_place(s, last, &inner, &inner_pc, ended)
        elif ins == NULL:
            pc = code_pc(last)
        elif call_has_just_begun(of, ins):
            last -= 1                   # the call was what took the time
            flags |= SAMPLE_ENTERED
            pc = code_pc(last)
        else:
            pc = instruction_before(p, last, ins, now, &guessed)
            if not 0 <= pc < (<Code>last.code).ninstrs:
                pc = 0
        node = stack_of(p, of, last, <uint32_t>(ins - (<Code>last.code).instrs) | BEFORE if guessed else <uint32_t>pc)
        op = (<Code>last.code).instrs[pc].op
    if ended != NULL:
        inner = ended
        if inner_pc < 0:
            inner_pc = ended_pc
    if inner != NULL:
        node = node_of(p, node, inner, <uint32_t>inner_pc)
        op = (<Code>inner).instrs[inner_pc].op
    s.address = 0
    if p.count == p.most:
        thin(p)
    if p.count == p.room:
        grown = realloc(p.samples, (p.room * 2 if p.room else 256) * sizeof(Sample))
        if grown == NULL:
            p.failed = 1
            return
        p.samples = <Sample *>grown
        p.room = p.room * 2 if p.room else 256
    if until < s.accounted:
        until = s.accounted
    sample = &p.samples[p.count]
    p.count += 1
    sample.time = until
    sample.wall = until - s.accounted
    s.accounted = until
    cpu = k_clock_of(s.clock)
    sample.cpu = cpu - s.cpu
    s.cpu = cpu
    cpu = k_clock_of(CLOCK_PROCESS_CPUTIME_ID)
    sample.process_cpu = cpu - s.process_cpu
    s.process_cpu = cpu
    sample.instructions = of.instructions - s.instructions
    s.instructions = of.instructions
    allocated = k_allocated_by(s)
    sample.allocated = allocated - s.allocated_then
    s.allocated_then = allocated
    sample.live = 0 if of.heap == NULL else k_heap_bytes(of.heap)
    sample.codes = live_codes
    sample.nodes = live_nodes
    sample.tier = TIER_COMPILED if flags & SAMPLE_COMPILED else TIER_INTERPRETED
    sample.stack = node
    sample.thread = s.number
    sample.collections = p.collections
    sample.host = s.host
    if s.host_end >= s.first or (s.host_end == 0 and of.host_since):
        flags |= SAMPLE_HOST
    sample.flags = <uint16_t>flags
    sample.op = op
    sample.kind = RESULT_UNKNOWN if ins == NULL or flags & (SAMPLE_ENTERED | SAMPLE_LAST) or node == 0 else result_kind(last, pc)
    # Ticks that came meanwhile are of the same instruction: clocks ask the kernel, which likes to give others a turn then, and what
    # comes next would get that time.
    while s.ticks:
        s.ticks = 0
        if s.last > s.accounted:
            sample.time = s.last
            sample.wall += s.last - s.accounted
            s.accounted = s.last

cdef void take_allocation(Sampler p, KSampled *s, VM *vm, const Instr *ins, int64_t now) noexcept:
    """Notes the block that was allocated by the instruction before ins."""
    cdef Frame *last = vm.frame
    cdef Allocation *a
    cdef uint32_t node = 0
    cdef uint64_t bytes = k_allocated_by(s) - s.allocated_noted
    cdef int64_t pc
    if not s.object & 2:
        k_look_at_block(s)
    k_block_done(s)
    s.allocated_noted += bytes
    if last == vm.frames:
        return
    if call_has_just_begun(vm, ins):
        last -= 1
        pc = code_pc(last)
    else:                       # what allocates has stored its place, but for a few that cannot fail
        pc = code_pc(last)
        if not leads_to((<Code>last.code).instrs, pc, ins - (<Code>last.code).instrs):
            pc = look_back(last.code, ins - (<Code>last.code).instrs)
    node = stack_of(p, vm, last, <uint32_t>pc)
    if p.allocation_count == p.allocation_room and not double_room(<void **>&p.allocations, &p.allocation_room, sizeof(Allocation)):
        p.failed = 1
        return
    a = &p.allocations[p.allocation_count]
    p.allocation_count += 1
    a.time = now
    a.bytes = bytes
    a.stack = node
    a.thread = s.number
    a.op = (<Code>last.code).instrs[pc].op
    a.object = s.object & 1
    a.words[0], a.words[1], a.words[2] = s.words[0], s.words[1], s.words[2]

cdef int result_kind(Frame *f, int64_t pc) noexcept:
    """What the operator that was executed has made."""
    cdef const Instr *ins = &(<Code>f.code).instrs[pc]
    cdef Value *v
    cdef PyTypeObject *t
    if not OP_ADD <= ins.op <= OP_RDIV_K or ins.a >= (<Code>f.code).nregs:
        return RESULT_UNKNOWN
    v = &f.regs[ins.a]
    if v.tag == T_INT:
        return RESULT_INT
    if v.tag == T_FLOAT:
        return RESULT_FLOAT
    if v.tag != T_OBJ:
        return RESULT_UNKNOWN
    t = Py_TYPE(v.u.o)
    if t == &PyUnicode_Type:
        return RESULT_STR
    if t == &PyList_Type:
        return RESULT_LIST
    return RESULT_INT if t == &PyLong_Type else RESULT_OTHER

cdef inline uint32_t code_pc(Frame *f) noexcept:
    cdef int64_t pc = f.ip - (<Code>f.code).instrs - 1
    return <uint32_t>pc if 0 <= pc < (<Code>f.code).ninstrs else 0

cdef void thin(Sampler p) noexcept:
    """Joins samples two by two, and takes half as many from now on."""
    cdef size_t i, kept = 0
    cdef Sample *a
    cdef Sample *b
    for i in range(0, p.count - 1, 2):
        a = &p.samples[i]
        b = &p.samples[i + 1]
        # The time of both goes to one of them, by chance: so the shares stay right.
        b.wall += a.wall
        b.cpu += a.cpu
        b.process_cpu += a.process_cpu
        b.instructions += a.instructions
        b.allocated += a.allocated
        if (a.time ^ b.time) & 2:
            b.stack = a.stack
            b.thread = a.thread
            b.host = a.host
            b.flags = a.flags
            b.op = a.op
            b.kind = a.kind
            b.tier = a.tier
        p.samples[kept] = b[0]
        kept += 1
    p.count = kept
    p.core.interval *= 2

cdef void sample_at_safepoint(VM *vm, int32_t left) noexcept:
    """Takes the samples that are due of this thread: compiled code does not go by the loop's table. And begins to count
    instructions now and then. left: of the slice that ends here, which is less than nothing."""
    cdef KSampled *s = k_sampled
    cdef Sampler p
    while s != NULL:
        if s.vm == vm:
            p = <Sampler>sampler_of(s)
            if s.ticks:
                take_sample(p, s, vm, NULL, k_now(), 0)
        s = s.next
    vm.sample_base += SLICE - left

cdef void sample_compiled(VM *vm, PyObject *ended, uint32_t pc, bint at_guard) noexcept:
    """The same in compiled code, at its safepoints and where it ends, before the interpreter gets what is due: the frame says in
    which loop it is. ended: code that has returned, whose frame is gone, and where it was entered; or NULL. at_guard: a guard
    has sent it back. Instructions that were executed so are not in the counts: nobody knows which they were."""
    cdef KSampled *s = k_sampled
    cdef Sampler p
    while s != NULL:
        if s.vm == vm:
            p = <Sampler>sampler_of(s)
            p.guard_exits += at_guard
            if s.ticks:
                take_sample(p, s, vm, NULL, k_now(), SAMPLE_COMPILED, ended, pc)
        s = s.next

cdef void before_instruction(VM *vm, PyThreadState *ts, const Instr *ins) noexcept:
    """What the loop does instead of the instruction ins, which it executes then: takes the samples that are due."""
    cdef KSampled *s
    cdef Sampler p
    cdef bint counting = 0
    if k_sampled == NULL and not k_stepping:
        k_disarm()
        return
    s = k_sampled
    while s != NULL:
        p = <Sampler>sampler_of(s)
        if s.block != NULL and s.vm == vm:
            take_allocation(p, s, vm, ins, k_now())
        if s.ticks:
            if s.vm == vm:
                take_sample(p, s, vm, ins, k_now(), 0)
            else:
                take_sample(p, s, vm, NULL, k_now(), SAMPLE_BLOCKED)
        if p.bursting and p.burst_vm == s.vm:
            if s.vm != vm or way_of(vm) >= p.burst_end:
                p.bursting = 0          # over, or it waits: others are not to be kept up by it
            else:
                count_instruction(p, vm, ins)
                counting = 1
        s = s.next
    if k_stepping:
        step_instruction(vm, ins)
    elif not counting:
        k_disarm()
        s = k_sampled
        while s != NULL:                    # whose tick came while the table changed
            if s.ticks and s.vm == vm:
                take_sample(<Sampler>sampler_of(s), s, vm, ins, k_now(), 0)
            s = s.next

cdef inline PyObject *sampler_of(KSampled *s) noexcept:
    return <PyObject *>(<char *>s.sampler - sampler_offset)

# ---- runs that are sampled --------------------------------------------------------------------------------
cdef Py_ssize_t sampler_offset = 0

cdef int find_offset() except -1:
    global sampler_offset
    cdef Sampler p = Sampler(1.0)
    sampler_offset = <char *>&p.core - <char *><PyObject *>p
    return 0

find_offset()

cdef int find_tables() except -1:
    """Lets the loop tell where its table of jumps is, once."""
    cdef Code code
    cdef PyObject *raw
    cdef dict namespace
    if k_can_sample():
        return 0
    code = Code.__new__(Code)
    code.allocate(2, 0, 0, 0, 0)
    code.instrs[0].op = OP_SAMPLE
    code.instrs[1].op = OP_RETURN_NONE
    code.flags = CODE_MODULE
    code.nregs = 1
    namespace = {"__builtins__": {}}
    raw = hook_run_code(<PyObject *>code, <PyObject *>namespace, <PyObject *>namespace, NULL)
    if raw == NULL:
        raise_set()
    Py_DECREF(raw)
    return 0

cdef KSampled *sampled_here(Sampler p, VM *vm) noexcept:
    cdef KSampled *s = k_sampled
    while s != NULL:
        if s.vm == vm and s.sampler == &p.core:
            return s
        s = s.next
    return NULL

def call_sampled(Sampler sampler not None, function, *args):
    """Calls a function; guest code that runs in it, in this thread, is sampled.

    Returns what the function returns, raises what it raises; and OSError when the thread can have no timer.
    """
    cdef PyObject *error = NULL
    cdef VM *vm = vm_enter()
    cdef KSampled *s = NULL
    cdef int status
    global k_here, k_here_slot
    if vm == NULL:
        raise_set()
    if sampled_here(sampler, vm) == NULL:
        s = <KSampled *>calloc(1, sizeof(KSampled))
        if s == NULL:
            vm_leave(vm)
            raise MemoryError
        s.instructions = vm.instructions
        s.host_end = 1
        status = k_sampled_begin(s, &sampler.core, vm)
        if status:
            free(s)
            vm_leave(vm)
            raise OSError(status, "cannot make a timer for the profiler")
        s.number = <uint32_t>len(sampler.entries)
        sampler.entries.append(<size_t>s)
        s.way = way_of(vm)
        plan_burst(vm)
        if sampler.watching:
            s.granted = s.next_allocation = K_ALLOCATION_EVERY
            k_here = s
            k_here_slot = vm.heap_slot
    result = outcome_of(function, args, &error)
    if s != NULL:
        end_sampled(sampler, s, vm)
    vm_leave(vm)
    raise_again(error)
    return result

cdef void end_sampled(Sampler p, KSampled *s, VM *vm) noexcept:
    global k_here
    cdef int64_t now = k_now()
    if k_here == s:
        k_here = NULL
    k_block_done(s)
    k_sampled_end(s)
    if s.ticks:
        take_sample(p, s, vm, NULL, now, SAMPLE_LAST)
    if p.burst_vm == vm:
        p.bursting = 0
        p.burst_vm = NULL
    walk(p, s, vm)
    p.ends += now - s.accounted
    s.begun = now - s.begun
    s.cpu_begun = k_clock_of(s.clock) - s.cpu_begun
    k_disarm()

def note_host_call(Sampler sampler not None, uint32_t number, bint ended):
    """The guest of this thread calls a function of the host, or the call is over."""
    cdef VM *vm = <VM *>k_get_vm()
    cdef KSampled *s = NULL if vm == NULL else sampled_here(sampler, vm)
    if s != NULL:
        s.host = number
        s.host_end = k_now() if ended else 0
