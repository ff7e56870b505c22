"""Checks the register discipline of a code object by following all its paths.

For each instruction the verifier knows which temporaries surely hold a value and which may; it reports operands out of
range, temporaries read when empty, overwritten or left over, iterator registers that anything but a loop touches, bad
jump targets, and protected regions that disturb registers their handler relies on.  It is for tests and for work on the
generator; nothing runs it in production.
"""
from __future__ import annotations

from .inspection import cache_sites, describe, exception_table, instructions
from .opcodes import INTRINSICS, NO_FALL_THROUGH, NUMBER, TABLE

_BUILD = {"BUILD_LIST": 1, "BUILD_TUPLE": 1, "BUILD_SET": 1, "BUILD_MAP": 2, "BUILD_STRING": 1, "BUILD_SLICE": 1}


class BytecodeError(Exception):
    """A code object breaks the rules of the register machine."""


class _State:
    """What the temporaries hold before an instruction, as bit sets."""

    __slots__ = ("must", "may", "iters")

    def __init__(self, must=0, may=0, iters=0):
        self.must, self.may, self.iters = must, may, iters

    def key(self):
        return self.must, self.may, self.iters


class _Verifier:
    def __init__(self, code):
        self.info = describe(code)
        self.rows = instructions(code)
        self.sites = cache_sites(code)
        self.table = exception_table(code)
        self.first = self.info["first_temp"]
        self.states = {}
        self.work = []

    def fail(self, pc, message):
        row = self.rows[pc] if pc < len(self.rows) else None
        raise BytecodeError(f"{self.info['qualname']} at {pc} {row and row[1:]}: {message}")

    def flow(self, target, state, origin):
        if not 0 <= target < len(self.rows):
            self.fail(origin, f"goes to {target}, outside the code")
        known = self.states.get(target)
        if known is None:
            self.states[target] = state
            self.work.append(target)
            return
        joined = _State(known.must & state.must, known.may | state.may, known.iters | state.iters)
        if joined.key() != known.key():
            self.states[target] = joined
            self.work.append(target)

    # -- effects of one instruction ------------------------------------------------------------
    def consumed(self, name, values):
        """Registers that the instruction consumes if they are temporaries, in runs."""
        operands = dict(zip((field for field, _ in TABLE[NUMBER[name]].operands), values))
        a, b, c = operands.get("a"), operands.get("b"), operands.get("c")
        if name in _BUILD:
            return range(b, b + c * _BUILD[name])
        if name == "CALL":
            return range(b, b + 1 + self.sites[c][1] + self.sites[c][2])
        if name == "CALL_METHOD":
            return range(b, b + 2 + self.sites[c][1] + self.sites[c][2])
        if name == "CALL_EX":
            return range(b, b + 2 + (c & 1))
        if name == "MAKE_FUNCTION":
            return range(b, b + bin(describe(self.info["consts"][c])["make_flags"]).count("1"))
        if name == "CLEAR":
            return ()
        if name == "RERAISE":
            return sorted({a, a + 1, b, b + 1})
        if name == "POP_EXC":
            return (a, a + 1)
        if name == "MATCH_CLASS":
            return (c, c + 1, c + 2)
        if name == "IMPORT_NAME":
            return (b, b + 1)
        if name == "INTRINSIC":
            return range(b, b + INTRINSICS[c][1])
        if name == "LOAD_SUPER_METHOD":
            return (a,)
        if name == "YIELD_FROM":
            return (b, c)
        return [value for (_, role), value in zip(TABLE[NUMBER[name]].operands, values) if role == "in"]

    def written(self, name, values):
        operands = dict(zip((field for field, _ in TABLE[NUMBER[name]].operands), values))
        a, c = operands.get("a"), operands.get("c")
        if name in ("LOAD_METHOD", "LOAD_SUPER_METHOD"):
            return (a, a + 1)
        if name == "GET_ITER":
            return (a, a + 1, a + 2)
        if name in ("WITH_LOAD", "ASYNC_WITH_LOAD"):
            return range(a, a + 4)
        if name == "WITH_EXCEPT_ARGS":
            return range(a, a + 3)
        if name == "UNPACK":
            return range(a, a + c)
        if name == "UNPACK_EX":
            return range(a, a + (c & 255) + (c >> 8) + 1)
        if name == "UNPACK_EX_K":
            counts = self.info["consts"][c]
            return range(a, a + (counts & 255) + (counts >> 8) + 1)
        return [value for (_, role), value in zip(TABLE[NUMBER[name]].operands, values) if role == "out"]

    def check_ranges(self, pc, name, values):
        for (_, role), value in zip(TABLE[NUMBER[name]].operands, values):
            if role in ("out", "in", "keep") and value >= self.info["nregs"]:
                self.fail(pc, f"register {value} beyond {self.info['nregs']}")
            if role == "const" and not 0 <= value < len(self.info["consts"]):
                self.fail(pc, f"constant {value} does not exist")
            if role == "cache" and value >= len(self.sites):
                self.fail(pc, f"cache site {value} does not exist")

    def read(self, pc, state, reg, what):
        if reg >= self.info["nregs"]:
            self.fail(pc, f"register {reg} beyond {self.info['nregs']}")
        if reg >= self.first:
            if not state.must >> reg & 1:
                self.fail(pc, f"{what} temporary t{reg - self.first}, which may be empty")
            if state.iters >> reg & 1:
                self.fail(pc, f"{what} t{reg - self.first}, which belongs to a running iterator")

    def step(self, pc, name, values, state):
        """The state after the instruction, when it goes on."""
        self.check_ranges(pc, name, values)
        after = _State(state.must, state.may, state.iters)
        consumed = list(self.consumed(name, values))
        for (_, role), reg in zip(TABLE[NUMBER[name]].operands, values):
            if role == "keep":
                self.read(pc, state, reg, "reads")
        for reg in consumed:
            self.read(pc, state, reg, "consumes")
            if reg >= self.first:
                after.must &= ~(1 << reg)
                after.may &= ~(1 << reg)
        if name in ("CALL", "CALL_METHOD", "CALL_EX") and consumed:
            if after.may >> (consumed[-1] + 1):
                self.fail(pc, "calls with live registers above the arguments")
        if name == "CLEAR":
            mask = ((1 << values[1]) - 1) << values[0]
            after.must &= ~mask
            after.may &= ~mask
            after.iters &= ~mask
        if name in ("FOR_LOOP", "FOR_ITER"):
            it = 7 << values[0]
            if state.must & it != it or state.iters & it != it:
                self.fail(pc, "loops over something that is not an iterator")
        for reg in self.written(name, values):
            if reg >= self.info["nregs"]:
                self.fail(pc, f"register {reg} beyond {self.info['nregs']}")
            if reg >= self.first:
                if after.may >> reg & 1:
                    self.fail(pc, f"overwrites temporary t{reg - self.first}")
                after.must |= 1 << reg
                after.may |= 1 << reg
        if name == "GET_ITER":
            after.iters |= 7 << values[0]
        self.check_regions(pc, state, after)
        return after

    def check_regions(self, pc, before, after):
        """Hands the state to the handler of the innermost region."""
        for start, end, handler, temp_top, exc_reg in self.table:
            if start <= pc < end:
                below = (1 << temp_top) - 1
                exc = 3 << exc_reg
                state = _State(before.must & after.must & below | exc, (before.may | after.may) & below | exc,
                               (before.iters | after.iters) & below)
                self.flow(handler, state, pc)
                return

    def branches(self, pc, name, values, state, after):
        """States at the jump target and behind the instruction, where they differ."""
        taken, falls = after, after
        if name == "FOR_LOOP" or name == "FOR_ITER":
            it = ~(7 << values[0])
            written = ~(1 << values[1]) if values[1] >= self.first else -1
            ended = _State(after.must & it & written, after.may & it & written, after.iters & it)
            return (after, ended) if name == "FOR_LOOP" else (ended, after)
        if name in ("JTRUE_KEEP", "JFALSE_KEEP") and values[0] >= self.first:
            bit = ~(1 << values[0])
            falls = _State(after.must & bit, after.may & bit, after.iters)
        return taken, falls

    def run(self):
        if not self.rows:
            self.fail(0, "empty code")
        self.flow(0, _State(), 0)
        while self.work:
            pc = self.work.pop()
            state = self.states[pc]
            _, name, values, _ = self.rows[pc]
            after = self.step(pc, name, values, state)
            if name in ("RETURN", "RETURN_NONE") and after.may:
                self.fail(pc, f"returns with temporaries in use: {after.may >> self.first:b}")
            taken, falls = self.branches(pc, name, values, state, after)
            if name == "TRY_GETATTR":
                if [row[1] for row in self.rows[pc + 1:pc + 5:3]] != ["LOAD_GLOBAL", "CALL"]:
                    self.fail(pc, "does not stand before the four instructions of a call")
                self.flow(pc + 5, taken, pc)
                falls = state
            for (_, role), value in zip(TABLE[NUMBER[name]].operands, values):
                if role == "jump":
                    self.flow(value, taken, pc)
            if name not in NO_FALL_THROUGH:
                self.flow(pc + 1, falls, pc)
        for start, end, handler, temp_top, exc_reg in self.table:
            if not (0 <= start < end <= len(self.rows) and handler < len(self.rows) and exc_reg + 1 < self.info["nregs"]):
                self.fail(0, f"bad exception entry {(start, end, handler, temp_top, exc_reg)}")


def verify(code, nested=True) -> int:
    """Verifies a code object and those in its constants.

    Args:
        code: a Code.
        nested: whether to go into constants and continuations.

    Returns:
        The number of code objects verified.

    Raises:
        BytecodeError: the first violation found.
    """
    verifier = _Verifier(code)
    verifier.run()
    count = 1
    if nested:
        for value in verifier.info["consts"]:
            if type(value) is type(code):
                count += verify(value)
        if verifier.info["continuation"] is not None:
            count += verify(verifier.info["continuation"])
    return count
