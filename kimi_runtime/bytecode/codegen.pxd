# The generator of one code object. Its parts are in the codegen_*.pxi files, as functions that take the generator first.
from kimi_runtime.analysis.scopes cimport Scope, SymbolTable
from kimi_runtime.bytecode.assembler cimport Assembler
from kimi_runtime.bytecode.code cimport Code
from kimi_runtime.syntax.nodes cimport Node

cdef enum BlockKind:
    BLOCK_WHILE = 0
    BLOCK_FOR               # reg: the three iterator registers
    BLOCK_TRY               # a protected region without code on leaving it
    BLOCK_FINALLY           # protected region; leaving it runs `final`
    BLOCK_WITH              # protected region; reg: exit function and its self; leaving it calls them
    BLOCK_HANDLER           # handler that owns the exception registers at reg; leaving it emits POP_EXC
    BLOCK_NAMED_HANDLER     # ... inside it, the region after which `except as` deletes its name
    BLOCK_VALUE             # temporary at reg that waits while a finally body runs
    BLOCK_STAR_HANDLER      # handler of except*: break, continue and return are errors

cdef struct Block:
    int kind
    int reg
    int on_break, on_continue   # labels of loops
    int start               # first instruction of the open part of the region, or -1
    int handler             # label of the handler of the region, or -1
    int temp_top, exc_reg
    bint asynchronous

cdef class Gen(Assembler):
    cdef SymbolTable table
    cdef Scope scope            # where names are looked up: the frame's, or that of an inlined comprehension
    cdef Scope frame            # the scope this code object belongs to
    cdef Gen parent
    cdef str filename
    cdef object source
    cdef str qualname
    cdef unsigned int flags
    cdef bint interactive, want_value
    cdef Block *blocks
    cdef list block_nodes       # per block: the finally body, the handler's name or the with item's node
    cdef int nblocks, block_cap
    cdef int level
    cdef int consumer           # what the loop of a generator expression that runs in place does with its items ...
    cdef int consumer_acc       # ... the register of its result, that of the first iterator, and how many registers from
    cdef int consumer_it        # there on are in use at the item
    cdef int consumer_live
    cdef int consumer_found     # label for any() and all(): the outcome is known
    cdef int consumer_pc        # instruction that adds the item, or -1
    cdef Node consumer_call
    cdef int match_level
    cdef bint inverted          # the comparison at hand stands under a `not`
    cdef bint allow_irrefutable # whether a name or wildcard may stand at this place of a pattern
    cdef int max_match_top      # highest temporary that the pattern at hand has used

cdef Code compile_tree(Node tree, str filename, object source, str mode, bint future_annotations, list warnings)
