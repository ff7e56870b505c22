"""Joins the parts of the hot tier: a hot place goes from bytecode to the form, to machine code, and into the core's records."""
from __future__ import annotations

import ctypes
import threading
import time
import weakref
from typing import Any

from .. import _core
from . import build, events, form, loading, passes, plain, raising
from .build import Builder, NotCompiled, NotSpliced
from .lines import read_lines
from .llvm import Lowering, Machine
from .llvm_text import TABLE
from .plain import Plain
from .region import MOST_INSTRUCTIONS, Part, Program, Region
from .resting import rest
from .splicing import Known, splice_calls, splice_generators
from .store import ObjectStore

_machines: dict[int, Machine] = {}
_layout: dict[str, int] = {}
_lock = threading.Lock()
SYMBOL = "hot"          # each function is a module of its own


class Compiled:
    """What one compilation has given: holds the machine code, its counters, and the code of functions that it calls."""

    __slots__ = ("calls", "counters", "engine", "exits", "lines", "names", "size", "__weakref__")

    def __init__(self, engine: Any, counters: Any, exits: list[tuple[int, str]], size: int, calls: list[Any], lines: Any) -> None:
        self.engine = engine
        self.counters = counters
        self.exits = exits
        self.size = size
        self.calls = calls
        self.lines = lines
        self.names: Any = None


#: The plain functions that there are, by their code objects.
_plain: weakref.WeakKeyDictionary[Any, Plain] = weakref.WeakKeyDictionary()
#: Of code objects: those that its compiled code holds. Circles of these would never be freed, so there are none.
_holds: weakref.WeakKeyDictionary[Any, weakref.WeakSet[Any]] = weakref.WeakKeyDictionary()


def program_of(code: Any) -> Program:
    """A code object as the compiler sees it."""
    instrs, constants, figures = _core.hot_code(code)
    return Program(instrs, constants, figures, _core.hot_kinds(code), _core.hot_calls(code), code)


def _spliced(code: Any, known: Known, generators: dict[int, Any], banned: set[Any],
             kinds: list[int] | None) -> tuple[Program, list[int] | None]:
    """The code object with the functions and generators that become part of it, and the kinds of all registers at the entry."""
    program = program_of(code)
    allowed = {where: None if not isinstance(target, str) and target is not None and _holds_it(target, code) else target
               for where, target in known.items()}
    splice_calls(program, allowed, program_of, banned)
    raising.find(program, allowed)
    free = {reg: generator for reg, generator in generators.items() if not _holds_it(generator[0], code)}
    return program, splice_generators(program, free, program_of, banned, kinds)


def _holds_it(code: Any, other: Any) -> bool:
    """Whether compiled code of a code object holds another one, by however many steps."""
    return code is other or any(_holds_it(each, other) for each in _holds.get(code, ()))


def _known(code: Any, targets: dict[int, Any]) -> dict[int, Any]:
    """What is to be made of global sites: plain functions, names of builtins."""
    found: dict[int, Any] = {}
    for site, target in targets.items():
        if isinstance(target, str):
            found[site] = target
        elif target is not None:
            plain = _plain.get(target)
            if plain is not None and (target is code or not _holds_it(target, code)):
                found[site] = plain
    return found


#: Instructions of native code that make up for one that calls the interpreter's body, with what is lost before and after it.
STEP_COST = 5
LOOP_WEIGHT = 8
MOST_DEPTH = 4


def pays(program: Program, region: Region, stepped: list[int]) -> bool:
    """Whether code is likely to be faster than the interpreter: by how much calls the interpreter's bodies, loops weighted."""
    loops = [(to, pc) for pc in region.members for to in program.after(pc) if to <= pc]
    left = set(stepped)
    own = theirs = 0
    for pc in region.members:
        weight: int = LOOP_WEIGHT ** min(sum(1 for low, high in loops if low <= pc <= high), MOST_DEPTH)
        if pc in left:
            theirs += weight
        else:
            own += weight
    return own > theirs * STEP_COST


def make_form(code: Any, pc: int, kinds: list[int] | None, targets: dict[int, Any], whatever: bool = False,
              known: Known | None = None, generators: dict[int, Any] | None = None,
              ) -> tuple[form.Function, list[tuple[int, str]], Program]:
    """The form of the region at an entry, the exits of it, and the program with what was spliced in. Raises NotCompiled.

    whatever: also what will not be faster.
    """
    banned: set[Any] = set()
    for _ in range(MOST_SPLICED):
        rest()
        program, all_kinds = _spliced(code, known or {}, generators or {}, banned, kinds)
        region = Region(program, pc)
        if len(region.members) > MOST_INSTRUCTIONS:
            raise NotCompiled("it is too long")
        if pc not in region.members or not region.order:
            raise NotCompiled("its first instruction is left to the interpreter")
        builder = Builder(program, region, all_kinds, targets)
        try:
            for part in program.parts:
                if part.kind == "loop" and rewritten(program, region, part):
                    raise NotSpliced(part)
            function = passes.tidy(builder.build())
        except NotSpliced as refused:
            banned.add(refused.args[0].code)
            continue
        if function.steps * 4 > 3 * len(region.members) + 4:
            raise NotCompiled("nearly all of it is left to the interpreter's own code")
        if not whatever and not pays(program, region, builder.stepped):
            raise NotCompiled("too much of it is left to the interpreter's own code")
        return function, builder.exits, program
    raise NotCompiled("what it calls cannot be part of it")


MOST_SPLICED = 12


def rewritten(program: Program, region: Region, part: Part) -> bool:
    """Whether the region gives the register of a loop over a generator another one."""
    reg = program.instrs[part.call][1]
    return part.call not in region.members or any(
        reg in program.effects(pc)[1] for pc in region.members if program.part_of[pc] is part.parent and pc != part.call)


def _machine(opt_level: int) -> Machine:
    """The back end. Call it with the lock."""
    if opt_level not in _machines:
        _machines[opt_level] = Machine(opt_level)
    return _machines[opt_level]


def _layouts() -> dict[str, int]:
    if not _layout:
        _layout.update(_core.hot_layout())
    return _layout


def machine_code(lowering: Lowering, names: list[str], opt_level: int, store: ObjectStore | None,
                 ) -> tuple[loading.Loaded, list[tuple[int, int]]]:
    """The code of a function, and the places of its last name's. It is compiled unless the store has it. Raises NotCompiled."""
    text = lowering.text()
    words = list(lowering.words)
    with _lock:
        if not loading.SUPPORTED:
            return _machine(opt_level).engine(text, words, names), []
        code = store.get(text, opt_level) if store is not None else None
        made = code is None
        if code is None:
            code = _machine(opt_level).object(text)
    try:
        rest()
        loaded = loading.load(code, TABLE, words)
    except (loading.Unloadable, OSError) as error:
        raise NotCompiled(f"its code cannot be loaded: {error}") from None
    if made and store is not None:
        store.put(text, opt_level, code)
    return loaded, read_lines(code, names[-1])


def lines_of(code: Any, address: int, rows: list[tuple[int, int]]) -> Any:
    """What tells samples which instruction the machine code at an address is for."""
    return _core.HotLines(code, address, rows) if rows else None


def compile_plain(code: Any, program: Program, opt_level: int, targets: dict[int, Any],
                  store: ObjectStore | None) -> tuple[int, Compiled, form.Function]:
    """Compiles a function as a plain one: where it is entered, what holds it, its form. Raises NotCompiled."""
    function, builder = plain.build(program, {site: plain.SELF if target is code else target for site, target in targets.items()})
    layout = _layouts()
    names = {site: layout[wanted] if wanted else 0 for site, wanted in builder.names.items()}
    result = next(iter(builder.returned)) if len(builder.returned) == 1 else None
    made = Plain(weakref.ref(code), program.figures["instrs"], builder.parameters, result, names)
    counters = (ctypes.c_uint64 * (len(builder.exits) + 1))()
    lowering = plain.PlainLowering(function, layout, program.figures, ctypes.addressof(counters), SYMBOL, made)
    loaded, rows = machine_code(lowering, [SYMBOL, SYMBOL + "_plain"], opt_level, store)
    address, made.address = loaded.addresses[SYMBOL], loaded.addresses[SYMBOL + "_plain"]
    compiled = Compiled(loaded, counters, builder.exits, loaded.size, [], lines_of(code, made.address, rows))
    compiled.names = made.names
    made.keep = compiled
    _plain[code] = made
    return address, compiled, function


def compile_place(code: Any, pc: int, kinds: list[int] | None, opt_level: int, log: events.Log, reason: str = "hot",
                  targets: dict[int, Any] | None = None, whatever: bool = False, seen: Known | None = None,
                  generators: dict[int, Any] | None = None, store: ObjectStore | None = None) -> bool:
    """Compiles what begins at an instruction of a code object; whether it is there now."""
    began = time.perf_counter()
    program = program_of(code)
    name = program.figures["name"]
    targets = targets or {}
    why = ""
    try:
        if log.bytes >= log.max_code_bytes:
            raise NotCompiled("the memory for code is used up")
        if pc == 0:
            try:
                address, compiled, function = compile_plain(code, program, opt_level, targets, store)
                why = "plain"
            except NotCompiled as refused:
                why = str(refused)
        if why != "plain":
            known = _known(code, targets)
            function, exits, program = make_form(code, pc, kinds, known, whatever, seen, generators)
            program.figures["windows"] = program.windows()
            counters = (ctypes.c_uint64 * (len(exits) + 1))()
            lowering = Lowering(function, _layouts(), program.figures, ctypes.addressof(counters), SYMBOL)
            loaded, rows = machine_code(lowering, [SYMBOL], opt_level, store)
            address = loaded.addresses[SYMBOL]
            calls = [found for found in known.values() if isinstance(found, Plain)]
            compiled = Compiled(loaded, counters, exits, loaded.size, [
                *((found, found.keep, found.code()) for found in calls if found.code() is not code),
                *((part, None, part.code) for part in program.parts[1:])], lines_of(code, address, rows))
            _holds.setdefault(code, weakref.WeakSet()).update(each for _, _, each in compiled.calls)
    except NotCompiled as refused:
        _core.hot_give_up(code, pc)
        log.add("given up", name, pc, reason=str(refused), not_plain=why, milliseconds=(time.perf_counter() - began) * 1000)
        return False
    if any(record[0] == pc and record[2] for record in _core.hot_records(code)):
        reason = "left often"
    _core.hot_install(code, pc, address, compiled)
    spliced = [part.figures["name"] for part in program.parts[1:]]
    log.compiled(compiled, name, pc, reason, (time.perf_counter() - began) * 1000, why == "plain", spliced,
                 form.dump(function) if log.keeps_forms else "")
    return True


__all__ = ["Compiled", "build", "compile_place", "make_form", "program_of"]
