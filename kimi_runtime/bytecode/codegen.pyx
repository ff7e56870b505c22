"""Bytecode generator: AST and symbol tables to Code objects.

One Gen makes one code object.  Code generation is driven by the destination: ``gen_expr(g, e, dst)`` leaves the value in
register dst, and ``operand(g, e, ...)`` answers with the register in which the value is, which is the local itself when e
is one.  Temporaries are allocated like a stack (``g.top``); whoever allocates resets ``g.top`` after the instruction that
consumes them.  Locals are written by the last instruction of an expression only, so that an exception leaves the old
value.

The parts: codegen_names, codegen_expr, codegen_compare, codegen_calls, codegen_comp, codegen_consume, codegen_stmt, codegen_try,
codegen_func, codegen_class, codegen_match, codegen_warn.
"""
import builtins as _builtins
import sys as _sys
import types
from sys import intern as _sys_intern

cimport cython
from libc.stdint cimport int16_t, uint16_t
from cpython.mem cimport PyMem_Free as free, PyMem_Realloc as realloc
from libc.string cimport memcpy

from kimi_runtime.analysis.folding cimport NOT_CONSTANT, fold
from kimi_runtime.analysis.scopes cimport *
from kimi_runtime.analysis.unparse cimport unparse
from kimi_runtime.bytecode.assembler cimport CONST_BASE, Assembler
from kimi_runtime.bytecode.code cimport *
from kimi_runtime.bytecode.ops cimport *
from kimi_runtime.syntax.alarm cimport look_at_alarm
from kimi_runtime.syntax.nodes cimport *

cdef extern from "stack.h":
    char *k_thread_stack_floor() noexcept
    char *k_stack_here() noexcept

DEF MAX_LEVEL = 6000
DEF CHUNK = 64              # longest run of registers for the items of a display
DEF MAX_ARGS = 1000         # longest call with its arguments in registers
DEF SPLIT_SITES = 50000     # a module part ends after the statement that goes beyond this
DEF NONE_REG = -1


@cython.final
cdef class Gen(Assembler):
    """State of the generator of one code object; see the header file."""

    def __dealloc__(self):
        free(self.blocks)


cdef inline void mark(Gen g, Node e) noexcept:
    """The instructions that follow get the position of the node."""
    g.at.line = e.lineno
    g.at.end_line = e.end_lineno
    g.at.col = e.col_offset
    g.at.end_col = e.end_col_offset


# From 3.13 on docstrings lose their indentation when they are compiled.
cdef bint CLEAN_DOCSTRINGS = _sys.version_info >= (3, 13)
# Up to 3.12 the host gives loops and `with` the place of their whole statement, later that of the expression; tests
# change with 3.12.
cdef bint STATEMENT_PLACES = _sys.version_info < (3, 13)
cdef bint OLD_PLACES = _sys.version_info < (3, 12)


cdef inline void mark_either(Gen g, Node statement, Node part) noexcept:
    mark(g, statement if STATEMENT_PLACES else part)


cdef int fail(Gen g, str message, Node at) except -1:
    raise located("compiler", message, g.filename, g.source, at)


cdef int fail_here(Gen g, str message, Node node) except -1:
    """An error at the node; up to 3.11 the host reports some at the position that instructions get just then."""
    cdef Node at = Pass.__new__(Pass)
    if not OLD_PLACES:
        return fail(g, message, node)
    at.lineno = g.at.line
    at.end_lineno = g.at.end_line
    at.col_offset = g.at.col
    at.end_col_offset = g.at.end_col
    return fail(g, message, at)


cdef inline bint is_temp(Gen g, int reg) noexcept:
    return g.nlocals <= reg < CONST_BASE


cdef inline bint fits16(object value) except -1:
    return -32768 <= value <= 32767


include "codegen_names.pxi"
include "codegen_warn.pxi"
include "codegen_expr.pxi"
include "codegen_compare.pxi"
include "codegen_calls.pxi"
include "codegen_comp.pxi"
include "codegen_consume.pxi"
include "codegen_stmt.pxi"
include "codegen_assign.pxi"
include "codegen_try.pxi"
include "codegen_func.pxi"
include "codegen_class.pxi"
include "codegen_match.pxi"


cdef Gen new_gen(SymbolTable table, Scope scope, Gen parent, str filename, object source, unsigned int flags):
    cdef Gen g = Gen.__new__(Gen)
    scope.finish()
    g.table = table
    g.scope = g.frame = scope
    g.parent = parent
    g.filename = filename
    g.source = source
    g.flags = flags
    g.block_nodes = []
    g.start(len(scope.local_names))
    return g


cdef Code finish(Gen g, str name, int firstlineno):
    """The Code of a generator whose body is complete."""
    cdef Code code = Code.__new__(Code)
    cdef Scope scope = g.frame
    code.name = name
    code.qualname = g.qualname
    code.filename = g.filename
    code.source = g.source
    code.firstlineno = firstlineno
    code.flags = g.flags
    code.local_names = tuple(scope.local_names)
    code.cell_regs = tuple(scope.cell_regs)
    code.free_names = tuple(scope.free_names)
    if scope.free is not None:
        code.class_cell = scope.free.get("__class__", -1)
    g.finish_into(code)
    if g.loop_consts is not None:
        # A digit after the dot: not the variable of a comprehension, which locals() shows inside of it.
        code.local_names += tuple([f".{i}const" for i in range(len(g.loop_consts))])
    return code


cdef int gen_module_head(Gen g) except -1:
    g.at.line = 1
    g.at.end_line = 1
    g.at.col = g.at.end_col = 0
    return 0


cdef Code compile_tree(Node tree, str filename, object source, str mode, bint future_annotations, list warnings):
    """Code of a Module, Interactive or Expression tree.

    mode: "exec", "eval", "single", "notebook" (like exec, but the code returns the value of a last expression) or "cell" (like
    notebook, and the statements may await).
    warnings: gets (category, message, line, column) rows, unless None.
    Raises SyntaxError for what the parser cannot know to be wrong, RecursionError for trees nested too deeply.
    """
    cdef SymbolTable table = build(tree, filename, source, future_annotations)
    cdef Gen g
    cdef list body
    cdef Code code
    cdef int r
    if tree.kind == K_Expression:
        g = new_gen(table, table.top, None, filename, source, CODE_MODULE)
        g.qualname = "<module>"
        gen_module_head(g)
        r = operand(g, (<Expression>tree).body, -1, None)
        g.emit(OP_RETURN, r, 0, 0)
        code = finish(g, "<module>", 1)
        if warnings is not None and table.warnings is not None:
            warnings.extend(table.warnings)
        return code
    body = (<Module>tree).body if tree.kind == K_Module else (<Interactive>tree).body
    if mode == "cell" and table.top.coroutine:
        code = awaiting_module(table, body, filename, source)
    else:
        code = module_part(table, body, 0, filename, source, "notebook" if mode == "cell" else mode, tree.kind == K_Interactive)
    if warnings is not None and table.warnings is not None:
        warnings.extend(table.warnings)
    return code


cdef Code module_part(SymbolTable table, list body, int first, str filename, object source, str mode, bint interactive):
    """Code of the module's statements from the first-th on; a very long module goes on in `continuation`."""
    cdef Gen g = new_gen(table, table.top, None, filename, source, CODE_MODULE)
    cdef int i, total = len(body)
    cdef Node s
    cdef Code code
    cdef Code rest = None
    g.qualname = "<module>"
    g.interactive = interactive
    gen_module_head(g)
    i = first
    if first == 0:
        i = gen_module_beginning(g, body, not interactive and not (mode == "notebook" and total == 1))
    while i < total:
        s = body[i]
        i += 1
        if i == total and mode == "notebook" and s.kind == K_Expr:
            gen_value(g, <Expr>s)
            break
        gen_stmt(g, s)
        if (g.nsites > SPLIT_SITES or len(g.consts) > SPLIT_SITES) and i < total:
            rest = module_part(table, body, i, filename, source, mode, interactive)
            break
    g.emit(OP_RETURN_NONE, 0, 0, 0)
    code = finish(g, "<module>", 1)
    if rest is not None:
        set_continuation(code, rest)
    return code


cdef int gen_module_beginning(Gen g, list body, bint with_docstring) except -1:
    """What comes before the statements of a module; returns the index of the first one."""
    cdef Node s
    if g.table.top.annotated:
        g.emit(OP_SETUP_ANNOTATIONS, 0, 0, 0)
    if not with_docstring or docstring_of(body) is None:
        return 0
    s = body[0]
    mark(g, s)
    store_text(g, docstring_of(body), "__doc__")
    return 1


cdef int gen_value(Gen g, Expr s) except -1:
    """The last statement of a program is an expression: its value is the program's."""
    mark(g, s)
    g.emit(OP_RETURN, operand(g, s.value, -1, None), 0, 0)
    g.dead = True
    return 0


cdef Code awaiting_module(SymbolTable table, list body, str filename, object source):
    """Code of a module whose statements await: it makes a coroutine of them, and has a function of the library run that. The
    names of the coroutine are globals, for its frame has no namespace of its own."""
    cdef Gen g = new_gen(table, table.top, None, filename, source, CODE_MODULE | CODE_AWAITS | CODE_UNSEEN)
    cdef Gen inner = new_gen(table, table.top, g, filename, source, CODE_MODULE | CODE_COROUTINE)
    cdef int i, runner, made
    cdef int total = len(body)
    cdef Node s
    g.qualname = inner.qualname = "<module>"
    gen_module_head(g)
    gen_module_head(inner)
    i = gen_module_beginning(g, body, total > 1)
    while i < total:
        s = body[i]
        i += 1
        if i == total and s.kind == K_Expr:
            gen_value(inner, <Expr>s)
            break
        gen_stmt(inner, s)
        if inner.nsites > SPLIT_SITES or len(inner.consts) > SPLIT_SITES:
            fail(inner, "a program that awaits at its top level is too long to be compiled", s)
    inner.emit(OP_RETURN_NONE, 0, 0, 0)
    gen_module_head(g)
    runner = g.push()
    made = g.push()
    g.emit(OP_INTRINSIC, runner, runner, INTRINSIC_CELL_RUNNER)
    make_function(g, finish(inner, "<module>", 1), 0, made, made)
    g.emit(OP_CALL, made, made, g.site(None, 0, 0))
    g.emit(OP_CALL, runner, runner, g.site(None, 1, 0))
    g.emit(OP_RETURN, runner, 0, 0)
    return finish(g, "<module>", 1)


cdef object docstring_of(list body):
    """The docstring that a body starts with, or None."""
    cdef Node first
    if not body:
        return None
    first = body[0]
    if first.kind != K_Expr or (<Expr>first).value.kind != K_Constant:
        return None
    value = (<Constant>(<Expr>first).value).value
    if type(value) is not str:
        return None
    return clean_docstring(value) if CLEAN_DOCSTRINGS else value


cdef str clean_docstring(str text):
    """The text without the indentation that its later lines share."""
    cdef list lines = text.expandtabs().split("\n")
    cdef list found = [lines[0].lstrip(" ")]
    cdef Py_ssize_t margin = -1
    cdef Py_ssize_t indent
    cdef str line
    cdef str bare
    for line in lines[1:]:
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        if bare and (margin < 0 or indent < margin):
            margin = indent
    for line in lines[1:]:
        indent = len(line) - len(line.lstrip(" "))
        found.append(line[min(indent, margin) if margin > 0 else 0:])
    return "\n".join(found)


cdef int store_text(Gen g, str text, str name) except -1:
    """Stores a string under a name of the frame's namespace."""
    cdef int r = g.push()
    load_const(g, text, r)
    g.top = r
    g.emit(OP_STORE_NAME, 0, r, g.store_site(name))
    return 0


cdef int set_continuation(Code code, Code rest) except -1:
    code.continuation = rest
    return 0
