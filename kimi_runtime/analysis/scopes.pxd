# Symbol tables of one compilation unit: which name of which scope is a local, a cell, a free variable or a global.
#
# A Scope belongs to one code object, except for an *inlined* comprehension: its scope holds only the iteration
# variables (hidden registers of the frame that runs it), and every other name in it belongs to the scope around it.
from kimi_runtime.syntax.nodes cimport Node

cdef enum ScopeKind:
    SCOPE_MODULE = 0
    SCOPE_CLASS
    SCOPE_FUNCTION
    SCOPE_LAMBDA
    SCOPE_GENEXP
    SCOPE_LISTCOMP          # the three comprehensions, inlined or functions (see scope_awaits.pxi)
    SCOPE_SETCOMP
    SCOPE_DICTCOMP
    SCOPE_TYPE_PARAMS       # PEP 695: holds the type parameters of a function, class or alias
    SCOPE_TYPE_VALUE        # lazily evaluated value of an alias, bound or default

cdef enum NameFlag:
    DEF_GLOBAL = 1
    DEF_LOCAL = 2
    DEF_PARAM = 4
    DEF_NONLOCAL = 8
    DEF_USE = 16
    DEF_IMPORT = 32
    DEF_ANNOT = 64
    DEF_COMP_TARGET = 128   # iteration variable of a comprehension
    DEF_COMP_REACHED = 256  # ... whose `for` has been visited
    DEF_COMP_EARLY = 512    # ... and that was the target of := before that
    DEF_WALRUS = 1024       # target of := somewhere in the function: may change in the middle of an expression
    DEF_DELETED = 2048      # target of del or of `except as`: never treated as surely assigned
    DEF_TYPE_PARAM = 4096
    DEF_BOUND = 2 | 4 | 32 | 4096

cdef enum NameScope:
    NAME_UNKNOWN = 0
    NAME_LOCAL
    NAME_CELL
    NAME_FREE
    NAME_GLOBAL_EXPLICIT
    NAME_GLOBAL_IMPLICIT

cdef class Symbol:
    cdef unsigned int flags
    cdef int scope
    cdef int reg                # register of a LOCAL or CELL of a function, index of a FREE

cdef class Scope:
    cdef int kind
    cdef bint inlined
    cdef bint generator         # contains yield
    cdef bint coroutine         # contains await, async for, async with or an asynchronous comprehension
    cdef bint nested            # inside a function
    cdef bint sees_class        # PEP 695 scope directly in a class: looks names up in the class namespace first
    cdef bint in_iterable       # inside the iterable of a comprehension
    cdef bint needs_class_cell, needs_classdict
    cdef bint annotated         # module or class body with annotated variables
    cdef bint finished
    cdef bint by_value          # generator expression whose function gets its outer variables as arguments
    cdef str consumer           # ... because this builtin consumes it on the spot
    cdef int depth              # of inlined comprehensions around this one
    cdef int match_depth, max_match         # nesting of match statements: each level has a hidden register ...
    cdef int match_reg                      # ... from this one on
    cdef int class_cell, classdict_cell     # registers of a class body, or -1
    cdef Node node
    cdef str name
    cdef str private            # class name for mangling, or None
    cdef Scope parent
    cdef dict symbols           # name -> Symbol
    cdef list params            # parameter names in register order
    cdef list inlined_children
    cdef dict free              # name -> index among the free variables
    cdef list free_names
    cdef list local_names
    cdef list cell_regs
    cdef dict directives        # name -> its global or nonlocal statement

    cdef bint is_function(self) noexcept
    cdef Scope frame(self)
    cdef Symbol symbol(self, str name)
    cdef int finish(self) except -1
    cdef int hide(self, list children, dict used) except -1

cdef class SymbolTable:
    cdef str filename
    cdef object source
    cdef Scope top
    cdef dict scopes            # node -> Scope
    cdef dict type_scopes       # node -> Scope of its type parameters, or of the default of a type parameter
    cdef dict registry          # where the next comprehension's scope goes, when not to `scopes`
    cdef dict consumed          # GeneratorExp -> scope of its loop where a builtin consumes it, or None
    cdef bint future_annotations
    cdef list warnings          # rows for compile_tree, or None

    # state of the walk
    cdef Scope cur
    cdef int level
    cdef int walruses           # := so far
    cdef dict awaits            # comprehension -> whether it waits for something asynchronous, of those looked at so far
    cdef bint future_done, docstring_seen
    cdef list order             # all scopes, outer ones first

cdef SymbolTable build(Node tree, str filename, object source, bint future_annotations)
cdef str mangle(str private, str name)
cdef object located(str kind, str message, str filename, object source, Node at)
