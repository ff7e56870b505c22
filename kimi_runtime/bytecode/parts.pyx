"""Code objects from parts given in Python: for tests of single opcodes and for tools."""
from cpython.ref cimport PyObject
from libc.stdint cimport uint16_t

from kimi_runtime.bytecode.code cimport Code

from kimi_runtime.bytecode import opcodes


def make_code(instructions, consts=(), sites=(), *, name="test", npos=0, nlocals=None, nregs=16, flags=0, exc_table=(),
              free=(), local_names=None, make_flags=0):
    """Builds a code object.

    instructions: ``(mnemonic, *operands)`` in the order of the opcode table's operands.  consts: objects.
    sites: ``(name or keyword names or None, nargs, nkw)`` for each inline-cache site.
    exc_table: ``(start, end, handler, temp_top, exc_reg)`` rows.  free: ``(name, source)`` pairs.
    Returns the code.  Raises KeyError for an unknown mnemonic.
    """
    cdef Code code = Code.__new__(Code)
    cdef Py_ssize_t i
    instructions = list(instructions)
    code.allocate(len(instructions), len(consts), len(sites), len(exc_table), len(free))
    code.name = code.qualname = name
    code.filename = "<parts>"
    code.flags = flags
    code.make_flags = make_flags
    code.npos = code.nparams = npos
    code.nlocals = npos if nlocals is None else nlocals
    code.first_temp = code.nlocals
    code.nregs = nregs
    code.local_names = tuple(local_names or [f"r{i}" for i in range(code.nlocals)])
    code.set_consts(tuple(consts))
    code.names = tuple(site[0] for site in sites if site[0] is not None)
    for i, (mnemonic, *operands) in enumerate(instructions):
        row = opcodes.TABLE[opcodes.NUMBER[mnemonic]]
        code.instrs[i].op = opcodes.NUMBER[mnemonic]
        for (field, _), value in zip(row.operands, operands, strict=True):
            if field == "a":
                code.instrs[i].a = value
            elif field == "b":
                code.instrs[i].t.abc.b = <uint16_t>(<int>value)
            elif field == "c":
                code.instrs[i].t.abc.c = <uint16_t>(<int>value)
            else:
                code.instrs[i].t.imm = value
        code.positions[i].line = code.positions[i].end_line = i + 1
    for i, (site_name, nargs, nkw) in enumerate(sites):
        if site_name is not None:
            code.caches[i].name = <PyObject *>site_name
        code.caches[i].nargs = nargs
        code.caches[i].nkw = nkw
    for i, row in enumerate(exc_table):
        code.exc_table[i].start, code.exc_table[i].end, code.exc_table[i].handler = row[:3]
        code.exc_table[i].temp_top, code.exc_table[i].exc_reg = row[3:]
    code.free_names = tuple(pair[0] for pair in free)
    for i, pair in enumerate(free):
        code.free_src[i] = pair[1]
    return code
