"""Which instruction each piece of machine code was made for: the line table that LLVM writes into an object file, read back.

The back end says instruction + 1 where a compiler of C would say a line. Of DWARF (version 4) and ELF only what LLVM writes for
one function is read; anything else has no table, and samples of such code have the line of its loop.
"""
from __future__ import annotations

import struct

__all__ = ["read_lines"]

COPY, ADVANCE_PC, ADVANCE_LINE, CONST_ADD_PC, FIXED_ADVANCE = 1, 2, 3, 8, 9      # of its operations, those that count here
END_SEQUENCE, SET_ADDRESS = 1, 2


def read_lines(code: bytes, name: str) -> list[tuple[int, int]]:
    """``[(offset from the function's beginning, instruction)]`` in order, the last with -1 where the function ends; [] when there
    is none.

    Args:
        code: an object file.
        name: of the function.
    """
    if code[:6] != b"\x7fELF\x02\x01":
        return []
    sections = _sections(code)
    if ".debug_line" not in sections or ".symtab" not in sections or ".strtab" not in sections:
        return []
    symbols, texts = sections[".symtab"], sections[".strtab"]
    for at in range(0, len(symbols), 24):
        text, _, _, _, begin, size = struct.unpack_from("<IBBHQQ", symbols, at)
        if texts[text:texts.index(b"\0", text)] == name.encode():
            break
    else:
        return []
    found: list[tuple[int, int]] = []
    for address, line in _rows(sections[".debug_line"]):
        if begin <= address < begin + size and line:        # 0: of nothing in particular
            row = address - begin, line - 1
            if found and found[-1][0] == row[0]:
                found[-1] = row
            elif not found or found[-1][1] != row[1]:
                found.append(row)
    return [*found, (size, -1)] if found else []


def _sections(code: bytes) -> dict[str, bytes]:
    at, = struct.unpack_from("<Q", code, 40)
    size, number, names = struct.unpack_from("<HHH", code, 58)
    rows = [struct.unpack_from("<IIQQQQ", code, at + i * size) for i in range(number)]
    texts = code[rows[names][4]:rows[names][4] + rows[names][5]]
    return {texts[row[0]:texts.index(b"\0", row[0])].decode(): code[row[4]:row[4] + row[5]] for row in rows if row[1] != 8}


def _rows(data: bytes) -> list[tuple[int, int]]:
    """Addresses, as if each section lay at 0, and lines."""
    at = 0

    def number(signed: bool = False) -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << shift) if signed and byte & 64 else value

    version, header = struct.unpack_from("<HI", data, 4)
    if version != 4:
        return []
    least, _, _, base, span, opcodes = struct.unpack_from("<BBBbBB", data, 10)
    lengths = data[16:16 + opcodes - 1]
    at = 10 + header
    address, line = 0, 1
    rows: list[tuple[int, int]] = []
    while at < len(data):
        op = data[at]
        at += 1
        if op >= opcodes:
            address += (op - opcodes) // span * least
            line += base + (op - opcodes) % span
            rows.append((address, line))
        elif op == 0:
            size = number()
            if data[at] == END_SEQUENCE:
                address, line = 0, 1
            elif data[at] == SET_ADDRESS:
                address, = struct.unpack_from("<Q", data, at + 1)
            at += size
        elif op == COPY:
            rows.append((address, line))
        elif op == ADVANCE_PC:
            address += number() * least
        elif op == ADVANCE_LINE:
            line += number(signed=True)
        elif op == CONST_ADD_PC:
            address += (255 - opcodes) // span * least
        elif op == FIXED_ADVANCE:
            address += struct.unpack_from("<H", data, at)[0]
            at += 2
        else:
            for _ in range(lengths[op - 1]):
                number()
    return rows
