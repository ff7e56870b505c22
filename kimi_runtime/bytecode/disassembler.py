"""Listing of a code object: source lines, instructions with named operands, exception table, nested code."""
from __future__ import annotations

from .inspection import cache_sites, describe, exception_table, instructions
from .opcodes import INTRINSICS, NUMBER, TABLE

_FLAGS = {1: "VARARGS", 2: "VARKEYWORDS", 4: "GENERATOR", 8: "COROUTINE", 16: "ASYNC_GENERATOR", 32: "CLASS", 64: "MODULE",
          128: "NESTED", 256: "ITERABLE_COROUTINE", 512: "OPTIMIZED"}
_LONGEST_CONSTANT = 60


def _register(info, number):
    """``t0`` for temporaries, ``name`` for locals."""
    if number >= info["first_temp"]:
        return f"t{number - info['first_temp']}"
    return info["local_names"][number] or f"r{number}"


def _constant(value):
    text = repr(value)
    if type(value) is frozenset and value:  # in the same order in every process
        text = f"frozenset({{{', '.join(sorted(map(repr, value)))}}})"
    return text if len(text) <= _LONGEST_CONSTANT else text[: _LONGEST_CONSTANT - 1] + "…"


def _site(sites, number):
    name, nargs, nkw = sites[number]
    parts = []
    if isinstance(name, str):
        parts.append(name)
    elif nargs or nkw or name is None:
        parts.append(f"{nargs} args")
        if nkw:
            parts.append("keywords " + ", ".join(name))
    return f"#{number}({'; '.join(parts)})"


def _operand(info, sites, name, role, value):
    if role in ("out", "in", "keep", "base"):
        return _register(info, value)
    if role == "const":
        return _constant(info["consts"][value])
    if role == "cache":
        return _site(sites, value)
    if role == "jump":
        return f"→{value}"
    if name == "INTRINSIC" and role == "num":
        return INTRINSICS[value][0]
    return str(value)


def _operands(info, sites, name, values):
    parts = []
    for (_field, role), value in zip(TABLE[NUMBER[name]].operands, values):
        if name in ("LOAD_FREE", "DEL_FREE", "GET_FREE_CELL", "LOAD_CLASS_FREE", "STORE_FREE") and role == "num":
            parts.append(info["free_names"][value])
        else:
            parts.append(_operand(info, sites, name, role, value))
    return ", ".join(parts)


def _header(info):
    flags = " ".join(text for bit, text in _FLAGS.items() if info["flags"] & bit)
    lines = [f"code {info['qualname']} (line {info['firstlineno']}, {info['filename']})", f"  flags: {flags or '-'}"]
    locals_ = ", ".join(f"{i}={name}" for i, name in enumerate(info["local_names"]))
    lines.append(f"  registers: {info['nregs']} ({info['nparams']} parameters, {info['nlocals']} locals): {locals_ or '-'}")
    if info["cell_regs"]:
        lines.append("  cells: " + ", ".join(info["local_names"][r] for r in info["cell_regs"]))
    if info["free_names"]:
        sources = (f"{name} from {'cell ' + str(src) if src >= 0 else 'free ' + str(~src)}"
                   for name, src in zip(info["free_names"], info["free_src"]))
        lines.append("  free: " + ", ".join(sources))
    return lines


def disassemble(code, nested=True) -> str:
    """Returns a listing of the code object.

    Args:
        code: a Code.
        nested: whether the code objects among its constants follow, and the parts that a long module goes on in.
    """
    info = describe(code)
    sites = cache_sites(code)
    rows = instructions(code)
    table = exception_table(code)
    targets = {value for _, name, values, _ in rows
               for (_, role), value in zip(TABLE[NUMBER[name]].operands, values) if role == "jump"}
    targets.update(handler for _, _, handler, _, _ in table)
    source = (info["source"] if isinstance(info["source"], str) else "").split("\n")
    out = _header(info)
    last = None
    for pc, name, values, (line, *_rest) in rows:
        if line != last:
            text = source[line - 1].strip() if 0 < line <= len(source) else ""
            out.append(f"{line:5}  ; {text}".rstrip())
            last = line
        mark = ">>" if pc in targets else "  "
        out.append(f"      {mark} {pc:4} {name:<18} {_operands(info, sites, name, values)}".rstrip())
    if table:
        out.append("  exception table:")
        out += [f"    {start} to {end} -> {handler}, exception in {_register(info, reg)}, clears from {_register(info, top)}"
                for start, end, handler, top, reg in table]
    if info["inlined"]:
        out += [f"  inlined: {start} to {end} {name} (line {line})" for start, end, name, line, *_ in info["inlined"]]
    text = "\n".join(out) + "\n"
    if nested:
        for value in info["consts"]:
            if type(value) is type(code):
                text += "\n" + disassemble(value)
        if info["continuation"] is not None:
            text += "\n" + disassemble(info["continuation"])
    return text


def listing(code) -> list:
    """The same as plain data: a dict for each code object, outer ones first, with ``name``, ``file``, ``line``, ``flags``,
    ``registers``, ``instructions`` (``pc``, ``op``, ``operands`` as text, ``line``, ``column``) and ``exceptions``."""
    found = []
    todo = [code]
    while todo:
        each = todo.pop(0)
        info, sites = describe(each), cache_sites(each)
        found.append({
            "name": info["qualname"], "file": info["filename"], "line": info["firstlineno"],
            "flags": [text for bit, text in _FLAGS.items() if info["flags"] & bit],
            "registers": info["nregs"], "parameters": info["nparams"], "locals": [name or "" for name in info["local_names"]],
            "instructions": [{"pc": pc, "op": name, "operands": _operands(info, sites, name, values), "line": line,
                              "column": column} for pc, name, values, (line, _, column, _) in instructions(each)],
            "exceptions": [{"start": start, "end": end, "handler": handler}
                           for start, end, handler, _, _ in exception_table(each)]})
        todo += [value for value in info["consts"] if type(value) is type(code)]
        if info["continuation"] is not None:
            todo.append(info["continuation"])
    return found
