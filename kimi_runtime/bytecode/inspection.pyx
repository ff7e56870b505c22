"""Python views of code objects, for the disassembler, the verifier and tests. Not used when guest code runs."""
from libc.stdint cimport int16_t

from kimi_runtime.bytecode.code cimport Code

from kimi_runtime.bytecode.opcodes import FORMAT_IMM32, TABLE
from kimi_runtime.syntax.source import Evaluated, SourceFile

cdef list NAMES = [op.name for op in TABLE]
cdef list OPERANDS = [op.operands for op in TABLE]
cdef list WIDE = [op.name in FORMAT_IMM32 for op in TABLE]
cdef frozenset SIGNED = frozenset(("imm", "jump"))


def instructions(Code code):
    """All instructions: ``[(pc, opname, (operand, ...), (line, end_line, col, end_col))]``; jumps as absolute targets."""
    cdef int pc, number, value
    cdef list found = []
    for pc in range(code.ninstrs):
        number = code.instrs[pc].op
        values = []
        for field, role in OPERANDS[number]:
            if field == "a":
                value = code.instrs[pc].a
            elif field == "imm":
                value = code.instrs[pc].t.imm
            else:
                value = code.instrs[pc].t.abc.b if field == "b" else code.instrs[pc].t.abc.c
                if role in SIGNED:
                    value = <int16_t>value
            if role == "jump":
                value += pc + 1
            values.append(value)
        at = code.positions[pc]
        found.append((pc, NAMES[number], tuple(values), (at.line, at.end_line, at.col, at.end_col)))
    return found


def exception_table(Code code):
    """``[(start, end, handler, temp_top, exc_reg)]``, inner entries first."""
    cdef int i
    return [(code.exc_table[i].start, code.exc_table[i].end, code.exc_table[i].handler, code.exc_table[i].temp_top,
             code.exc_table[i].exc_reg) for i in range(code.nexc)]


def cache_sites(Code code):
    """``[(name or tuple of keyword names or None, nargs, nkw)]``."""
    cdef int i
    return [(None if code.caches[i].name == NULL else <object>code.caches[i].name, code.caches[i].nargs,
             code.caches[i].nkw) for i in range(code.ncaches)]


def cache_states(Code code):
    """``[(instruction, kind, counter)]`` of the inline caches as they are at this moment; kind 0: nothing is cached."""
    cdef int pc, number
    cdef list found = []
    for pc in range(code.ninstrs):
        for field, role in OPERANDS[code.instrs[pc].op]:
            if role == "cache":
                number = code.instrs[pc].t.imm if field == "imm" else code.instrs[pc].t.abc.c if field == "c" \
                    else code.instrs[pc].t.abc.b if field == "b" else code.instrs[pc].a
                if 0 <= number < <int>code.ncaches:
                    found.append((pc, code.caches[number].kind, code.caches[number].counter))
    return found


def source_text(Code code):
    """The text that a code object was compiled from, or None."""
    if type(code.source) is Evaluated:
        return code.source.text
    return code.source.read() if isinstance(code.source, SourceFile) else code.source


def describe(Code code):
    """The scalar fields and name tuples of a code object, as a dict."""
    cdef int i
    return {
        "name": code.name, "qualname": code.qualname, "filename": code.filename, "docstring": code.docstring,
        "npos": code.npos, "nposonly": code.nposonly, "nkwonly": code.nkwonly, "nparams": code.nparams,
        "nlocals": code.nlocals, "first_temp": code.first_temp, "nregs": code.nregs, "nfree": code.nfree,
        "class_cell": code.class_cell, "flags": code.flags, "make_flags": code.make_flags,
        "firstlineno": code.firstlineno, "consts": code.const_objects, "names": code.names,
        "local_names": code.local_names, "cell_regs": code.cell_regs, "free_names": code.free_names,
        "free_src": tuple([code.free_src[i] for i in range(code.nfree)]), "inlined": code.inlined,
        "continuation": code.continuation, "source": code.source,
    }
