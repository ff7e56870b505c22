"""Joins the parts of the hot tier: a hot place goes from bytecode to the form, to machine code, and into the core's records."""
from __future__ import annotations

import ctypes
import threading
import time
from typing import Any

from .. import _core
from . import build, events, form, passes
from .build import Builder, NotCompiled
from .llvm import Lowering, Machine
from .region import MOST_INSTRUCTIONS, Program, Region

_machines: dict[int, Machine] = {}
_layout: dict[str, int] = {}
_serial = 0
_lock = threading.Lock()


class Compiled:
    """What one compilation has given: holds the machine code and its counters."""

    __slots__ = ("counters", "engine", "exits", "size", "__weakref__")

    def __init__(self, engine: Any, counters: Any, exits: list[tuple[int, str]], size: int) -> None:
        self.engine = engine
        self.counters = counters
        self.exits = exits
        self.size = size


def program_of(code: Any) -> Program:
    """A code object as the compiler sees it."""
    instrs, constants, figures = _core.hot_code(code)
    return Program(instrs, constants, figures, _core.hot_kinds(code), _core.hot_calls(code))


def make_form(program: Program, pc: int, kinds: list[int] | None) -> tuple[form.Function, list[tuple[int, str]]]:
    """The form of the region at an entry, and the exits of it. Raises NotCompiled."""
    region = Region(program, pc)
    if len(region.members) > MOST_INSTRUCTIONS:
        raise NotCompiled("it is too long")
    if pc not in region.members or not region.order:
        raise NotCompiled("its first instruction is left to the interpreter")
    builder = Builder(program, region, kinds)
    function = passes.tidy(builder.build())
    if function.steps * 4 > 3 * len(region.members) + 4:
        raise NotCompiled("nearly all of it is left to the interpreter's own code")
    return function, builder.exits


def compile_place(code: Any, pc: int, kinds: list[int] | None, opt_level: int, log: events.Log, reason: str = "hot") -> bool:
    """Compiles what begins at an instruction of a code object; whether it is there now."""
    global _serial
    began = time.perf_counter()
    program = program_of(code)
    name = program.figures["name"]
    try:
        if log.bytes >= log.max_code_bytes:
            raise NotCompiled("the memory for code is used up")
        function, exits = make_form(program, pc, kinds)
        with _lock:
            if not _layout:
                _layout.update(_core.hot_layout())
            if opt_level not in _machines:
                _machines[opt_level] = Machine(opt_level)
            _serial += 1
            symbol = f"hot{_serial}"
            counters = (ctypes.c_uint64 * (len(exits) + 1))()
            text = Lowering(function, _layout, program.figures, ctypes.addressof(counters), symbol).text()
            address, engine, size = _machines[opt_level].compile(text, symbol)
    except NotCompiled as refused:
        _core.hot_give_up(code, pc)
        log.add("given up", name, pc, reason=str(refused), milliseconds=(time.perf_counter() - began) * 1000)
        return False
    compiled = Compiled(engine, counters, exits, size)
    _core.hot_install(code, pc, address, compiled)
    log.compiled(compiled, name, pc, reason, (time.perf_counter() - began) * 1000)
    return True


def show(code: Any, pc: int, kinds: list[int] | None = None) -> str:
    """The form of a place as text, for `kimi-cli dis --jit`."""
    try:
        return form.dump(make_form(program_of(code), pc, kinds)[0])
    except NotCompiled as refused:
        return f"not compiled: {refused}\n"


__all__ = ["Compiled", "build", "compile_place", "make_form", "program_of", "show"]
