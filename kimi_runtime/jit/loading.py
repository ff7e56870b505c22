"""Machine code out of an object file into memory, without LLVM: what was compiled once is there in a fraction of a millisecond.

Of ELF only what LLVM writes for one module of ours is read: code, constants, variables, and relocations between these. Code and
constants may be executed and not written, variables and the table of addresses written and not executed.
"""
from __future__ import annotations

import ctypes
import mmap
import platform
import struct
import sys
from typing import Any

__all__ = ["SUPPORTED", "Loaded", "load"]

#: Whether object files of this system are read here; elsewhere LLVM's own loader is used.
SUPPORTED = sys.platform == "linux" and platform.machine() == "x86_64" and sys.maxsize > 2 ** 32
ALLOCATED, WRITABLE, NO_BITS = 2, 1, 8          # of sections
R_64, R_PC32, R_PLT32, R_PC64 = 1, 2, 4, 24     # kinds of relocations
EXECUTABLE = 5                                  # PROT_READ | PROT_EXEC
STUB = b"\x48\xb8%s\xff\xe0"                    # movabs $address, %rax; jmp *%rax
STUB_SIZE = 12


class Loaded:
    """Code in memory. keep: what holds it.  addresses: of its functions.  size: bytes."""

    __slots__ = ("addresses", "keep", "size")

    def __init__(self, keep: Any, addresses: dict[str, int], size: int) -> None:
        self.keep = keep
        self.addresses = addresses
        self.size = size


class Unloadable(Exception):
    """An object file has something that this loader does not know."""


def _text(names: bytes, at: int) -> str:
    return names[at:names.index(b"\0", at)].decode()


def load(code: bytes, table: str, words: list[int]) -> Loaded:
    """Loads an object file. table: the variable that gets the words. Raises Unloadable, OSError."""
    if code[:6] != b"\x7fELF\x02\x01":
        raise Unloadable("it is no object file of this system")
    at, = struct.unpack_from("<Q", code, 40)
    size, number, names_at = struct.unpack_from("<HHH", code, 58)
    rows = [struct.unpack_from("<IIQQQQIIQQ", code, at + i * size) for i in range(number)]
    names = code[rows[names_at][4]:rows[names_at][4] + rows[names_at][5]]
    kept = [i for i, row in enumerate(rows) if row[2] & ALLOCATED and row[5] and _text(names, row[0]) != ".eh_frame"]
    symbols = _symbols(code, rows)
    outside = sorted({name for name, section, _ in symbols if not section and name})
    places: dict[int, int] = {}
    end = 0
    for i in [i for i in kept if not rows[i][2] & WRITABLE]:
        end = -(-end // max(rows[i][8], 16)) * max(rows[i][8], 16)
        places[i] = end
        end += rows[i][5]
    stubs = -(-end // 16) * 16
    fixed = -(-(stubs + STUB_SIZE * len(outside)) // mmap.PAGESIZE) * mmap.PAGESIZE
    end = fixed
    for i in [i for i in kept if rows[i][2] & WRITABLE]:
        end = -(-end // max(rows[i][8], 16)) * max(rows[i][8], 16)
        places[i] = end
        end += rows[i][5]
    memory = mmap.mmap(-1, max(end, 1))
    for i, place in places.items():
        if rows[i][1] != NO_BITS:
            memory[place:place + rows[i][5]] = code[rows[i][4]:rows[i][4] + rows[i][5]]
    held = ctypes.c_char.from_buffer(memory)        # keeps the memory
    base = ctypes.addressof(held)
    jumps = {}
    for n, name in enumerate(outside):
        jumps[name] = stubs + STUB_SIZE * n
        memory[jumps[name]:jumps[name] + STUB_SIZE] = STUB % struct.pack("<Q", _outside(name))
    offsets = [places[section] + value if section in places else jumps.get(name) for name, section, value in symbols]
    for row in rows:
        if row[1] == 4 and row[7] in places:        # relocations of a section that is kept
            _relocate(memory, base, places[row[7]], code[row[4]:row[4] + row[5]], offsets)
    found = {name: offset for (name, _, _), offset in zip(symbols, offsets, strict=True) if name and offset is not None}
    memory[found[table]:found[table] + 8 * len(words)] = struct.pack(f"<{len(words)}Q", *words)
    if ctypes.CDLL(None, use_errno=True).mprotect(ctypes.c_void_p(base), ctypes.c_size_t(fixed), EXECUTABLE):
        raise OSError(ctypes.get_errno(), "this system does not let machine code be made")
    return Loaded(held, {name: base + offset for name, offset in found.items()}, end)


def _symbols(code: bytes, rows: list[Any]) -> list[tuple[str, int, int]]:
    """Name, section and value of each symbol; a section's own has no name."""
    table = next(row for row in rows if row[1] == 2)
    text = rows[table[6]]
    names = code[text[4]:text[4] + text[5]]
    found = []
    for at in range(table[4], table[4] + table[5], 24):
        name, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", code, at)
        found.append((_text(names, name), section, value))
    return found


def _outside(name: str) -> int:
    """The address of a function of the C library that LLVM calls by itself."""
    try:
        return ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value or 0
    except AttributeError:
        raise Unloadable(f"it calls {name}, which is not there") from None


def _relocate(memory: Any, base: int, place: int, entries: bytes, offsets: list[int | None]) -> None:
    for where, info, addend in struct.iter_unpack("<QQq", entries):
        kind, offset = info & 0xFFFFFFFF, offsets[info >> 32]
        if offset is None:
            raise Unloadable("it refers to what is not loaded")
        at = place + where
        if kind in (R_PC32, R_PLT32):
            memory[at:at + 4] = struct.pack("<i", offset + addend - at)
        elif kind == R_PC64:
            memory[at:at + 8] = struct.pack("<q", offset + addend - at)
        elif kind == R_64:
            memory[at:at + 8] = struct.pack("<Q", base + offset + addend)
        else:
            raise Unloadable(f"it has a relocation of kind {kind}")
