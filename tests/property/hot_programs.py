"""Random programs whose loops and functions become hot and then change under the compiler's feet.

`make_program(seed)` gives the text of one. Each runs a few hot functions often enough that counters pass low thresholds, with
values of one kind, and then breaks what was learnt: other types midway, sums at the edges of 32, 62, 63 and 64 bits, floats that
become infinite, globals, builtins and classes that are rebound while a loop that uses them runs, lists that shrink under their
iterator, exceptions at any instruction, generators that are resumed from other functions, recursion. Every program ends: loops
have constant bounds, recursion has a depth.
"""

from __future__ import annotations

import random
import re

EDGES = ("2**31 - 1", "2**31", "-2**31 - 1", "2**61", "2**62 - 1", "2**62", "-2**62 - 1", "2**63 - 1", "2**63", "-2**63", "-2**63 - 1", "2**64 + 1",
         "3037000500", "-3037000500", "4294967296")
FLOATS = ("0.5", "-0.0", "1e308", "5e-324", "2.0**53", "float('inf')", "float('nan')", "-1.25", "3.0", "1e16", "-7.5")
SMALL = ("0", "1", "2", "3", "7", "-1", "-2", "-5", "10", "63", "64")
ODD = ("None", "'s'", "True", "False", "[]", "()", "Number(3)", "Bad()", "1j", "b'x'", "2.5", "10**30")

PRELUDE = '''
import math
class Number:
    """Arithmetic by methods: what a guard for plain numbers must not take."""
    def __init__(self, v): self.v = v
    def __add__(self, o): return Number(self.v + value(o))
    __radd__ = __add__
    def __sub__(self, o): return self.v - value(o)
    def __rsub__(self, o): return value(o) - self.v
    def __mul__(self, o): return self.v * value(o)
    __rmul__ = __mul__
    def __lt__(self, o): return self.v < value(o)
    def __gt__(self, o): return self.v > value(o)
    def __eq__(self, o): return self.v == value(o)
    def __hash__(self): return hash(self.v)
    def __bool__(self): return bool(self.v)
    def __index__(self): return int(self.v) % 5
    def __repr__(self): return f"Number({self.v!r})"
class Bad:
    def __add__(self, o): raise KeyError("add")
    def __lt__(self, o): raise OSError("lt")
    def __bool__(self): raise ValueError("bool")
    def __index__(self): raise IndexError("index")
    def __repr__(self): return "Bad()"
class Whole(int):
    def __add__(self, o): return Whole(int(self) + int(o) + 1000)
class Point:
    scale = 2
    def __init__(self, x, y): self.x = x; self.y = y
    def total(self, k): return self.x * k + self.y
    def move(self, d): self.x += d; return self
    @property
    def sum(self): return self.x + self.y
class Far(Point):
    def total(self, k): return self.y - self.x * k
class Slotted:
    __slots__ = ("x", "y")
    scale = 3
    sum = 5
    def __init__(self, x, y): self.x = x; self.y = y
    def total(self, k): return self.y * k
    def move(self, d): self.y -= d; return self
G = 3
H = 1.5
seen = []
def value(o): return o.v if isinstance(o, Number) else o
def cut(v): return v % 1000003 if type(v) is int and not -2**200 < v < 2**200 else v
def text(v, depth=0):
    if isinstance(v, (list, tuple)) and depth < 3: return type(v).__name__ + "[" + ", ".join(text(i, depth + 1) for i in v[:12]) + f"]{len(v)}"
    if isinstance(v, dict) and depth < 3: return "{" + ", ".join(f"{text(k, 2)}: {text(w, depth + 1)}" for k, w in list(v.items())[:12]) + f"}}{len(v)}"
    if isinstance(v, (Point, Slotted)): return f"{type(v).__name__}({getattr(v, 'x', '-')!r:.60}, {getattr(v, 'y', '-')!r:.60})"
    if isinstance(v, (int, float, complex, str, bytes, Number, Bad)) or v is None: return f"{type(v).__name__} {v!r:.80}"
    return type(v).__name__
def error(e):
    tb, lines = e.__traceback__, []
    while tb is not None:
        lines.append(tb.tb_lineno)
        tb = tb.tb_next
    if isinstance(e, UnboundLocalError):
        del lines[-1:]      # once a function is warm, CPython 3.11 gives the line of the instruction before the load
    return f"{type(e).__name__}: {e} at {lines[-4:]}"
def show(name, f, *args):
    try: print(name, text(f(*args)))
    except Exception as e: print(name, error(e))
'''


class Hot:
    """Makes the parts of one program; names of locals are `a b c` (numbers), `l` (a list), `d` (a dict), `p` (an object)."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.functions: list[str] = []     # names of those that take two numbers
        self.loops = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    # ---- expressions ---------------------------------------------------------------------------------------------------
    def number(self, depth: int = 2) -> str:
        """An expression that is mostly a number."""
        if depth <= 0 or self.chance(0.15):
            return self.pick("a", "b", "c", "i", "a", "i", self.random.choice(SMALL), self.random.choice(SMALL), "G", "H",
                             self.random.choice(EDGES), self.random.choice(FLOATS))
        x, y = self.number(depth - 1), self.number(depth - 1)
        return self.pick(
            f"({x} {self.pick('+', '-', '*')} {y})", f"({x} {self.pick('+', '-', '*')} {y})", f"({x} {self.pick('+', '-')} {self.random.choice(SMALL)})",
            f"({x} {self.pick('//', '%', '/')} {y})", f"({x} {self.pick('&', '|', '^')} {self.random.choice(SMALL)})",
            f"({x} {self.pick('<<', '>>')} {self.pick('1', '3', '31', '62', '63', '(i & 7)')})", f"(-{x})", f"(~{x})", f"abs({x})", f"min({x}, {y})",
            f"max({x}, {y})", f"({x} if {self.condition(depth - 1)} else {y})", f"({self.condition(depth - 1)})", "len(l)", f"l[{self.index()}]",
            f"d.get({self.index()}, {x})", "p.x", "p.y", "p.sum", "p.scale", f"p.total({x})", f"int({x})", f"float({x})", f"bool({x})",
            f"math.{self.pick('floor', 'sqrt', 'fabs', 'sin')}({x})", f"divmod({x}, {y})[0]", f"({x} ** {self.pick('2', '3', '0', '0.5')})", f"round({x})",
            f"(lambda q: q + {x})({y})", f"sum([{self.number(0)} for q in range(3)])", f"k{self.pick('', '2')}()" if self.chance(0.3) else x,
            self.call(x, y), self.call(x, y))

    def call(self, x: str, y: str) -> str:
        if not self.functions:
            return f"({x} - {y})"
        name = self.random.choice(self.functions)
        return self.pick(f"{name}({x}, {y})", f"{name}({x}, b={y})", f"{name}(*({x}, {y}))")

    def condition(self, depth: int = 1) -> str:
        x, y = self.number(depth - 1), self.number(depth - 1)
        op = self.pick("<", "<=", ">", ">=", "==", "!=", "is", "is not") if self.chance(0.9) else "in"
        if op == "in":
            return f"{x} in {self.pick('l', 'd', '(1, 2, 3)', 'range(5)')}"
        if op in ("is", "is not"):
            return f"{self.pick('a', 'b', 'c')} {op} None"
        return self.pick(f"{x} {op} {y}", f"{x} {op} {y}", f"not {x}", f"{x} and {y}", f"{x} or {y}", f"0 <= {x} < 10", f"isinstance({x}, {self.pick('int', 'float', 'Number')})",
                         "i % 3 == 1", f"i > {self.random.randint(3, 40)}")

    def index(self) -> str:
        return self.pick("i", "i % 5", "i & 3", "-1", "0", "i - 2", "-i", "a", "i % 7 - 3", "2**63")

    # ---- statements ----------------------------------------------------------------------------------------------------
    def change(self) -> str:
        """A statement that breaks what a compiler may have learnt."""
        name = self.pick("a", "b", "c")
        return self.pick(
            f"{name} = {self.random.choice(ODD)}", f"{name} = {self.random.choice(FLOATS)}", f"{name} = {self.random.choice(EDGES)}",
            f"{name} = Whole({self.random.choice(SMALL)})", f"change_global('G', {self.random.choice((*ODD, *FLOATS, *SMALL))})",
            f"change_global('H', {self.random.choice((*ODD, *FLOATS, *SMALL))})", "change_global('len', lambda x: 77)", "del_global('len')",
            "change_global('abs', lambda x: -5)", "p = Far(1, 2)", "p = Slotted(4, 5)", "p = Point(1.5, 2**62)", "p.z = i", "p.__class__ = Far",
            "Point.total = lambda self, k: k", "Point.scale = 9.5", "Far.scale = property(lambda self: self.x)", "p.total = lambda k: 'own'", "del p.x", "del p.y",
            "l = tuple(l)", "l = range(6)", "l.append(i)", "l.pop()", "l[0] = 1.5", "l[1:2] = [None, 2]", "l.clear()", "l = [2.5] * 4", "d = {}", "d[i] = 's'",
            f"del {name}", "d = Number(4)", "Point.__getattr__ = lambda self, n: 11", "swap_call()", "math.sqrt = None")

    def statement(self, depth: int, in_loop: bool) -> list[str]:
        name = self.pick("a", "b", "c", "a", "b")
        kinds = ["set"] * 5 + ["add"] * 5 + ["list", "dict", "attribute", "swap", "cell", "print"]
        if depth > 0:
            kinds += ["if"] * 3 + ["loop"] * 2 + ["try", "try", "while", "comprehension", "with"]
        if in_loop:
            kinds += ["leave", "late", "late", "late", "raise"]
        kind = self.random.choice(kinds)
        if kind == "set":
            return [f"{name} = cut({self.number()})"]
        if kind == "add":
            op = self.pick("+=", "-=", "+=", "*=", "^=", "|=", "//=")
            return [f"{name} {op} {self.number(1)}"] + ([f"{name} = cut({name})"] if op == "*=" or self.chance(0.4) else [])
        if kind == "list":
            return [self.pick(f"l[{self.index()}] = {self.number(1)}", f"l.append({self.number(1)})", "l = l[-6:]", f"{name} = l[{self.index()}]",
                              f"l[{self.index()}] += 1", "a, b = b, a", "a, b, *l = [b, a, *l][:8]")]
        if kind == "dict":
            return [self.pick(f"d[{self.index()}] = {self.number(1)}", f"d[i & 3] = d.get(i & 3, 0) + {self.number(1)}", f"{name} = d[{self.index()}]", "d.pop(i, None)")]
        if kind == "attribute":
            return [self.pick(f"p.x = {self.number(1)}", f"p.y += {self.number(1)}", f"{name} = p.x", f"p.move({self.number(0)})", f"{name} = p.total({self.number(0)})", "p.x = cut(p.x)")]
        if kind == "swap":
            return ["a, b = b, a"]
        if kind == "cell":
            return [self.pick(f"cell = {self.number(1)}", "bump()", f"{name} = read()")]
        if kind == "print":
            return [f"if i == {self.random.randint(0, 30)}: print('at', text({name}), text(i))"]
        if kind == "leave":
            return [f"if {self.condition()}: {self.pick('break', 'continue', 'continue', f'return {name}')}"]
        if kind == "late":
            return [f"if i == {self.random.randint(2, 45)}: {self.change()}"]
        if kind == "raise":
            return [f"if i == {self.random.randint(2, 45)}: raise {self.pick('ValueError(i)', 'KeyError', 'StopIteration(a)', 'ZeroDivisionError()')}"]
        body = self.block(depth - 1, in_loop or kind in ("loop", "while"))
        if kind == "if":
            lines = [f"if {self.condition()}:", *body]
            return lines + (["else:", *self.block(depth - 1, in_loop)] if self.chance(0.5) else [])
        if kind == "loop":
            self.loops += 1
            if self.loops > 5:
                return ["pass"]
            most = self.pick("12", "30", "50") if not in_loop else self.pick("3", "6")
            over = self.pick(f"range({most})", f"range({most})", f"range({most})", f"range(0, {most}, {self.pick('2', '3', '1')})", f"range({most}, 0, -1)",
                             "list(l)", "l[:20]", "take(l, 20)", f"enumerate(range({most}))", f"gen({most})", "list(d)", "zip(l[:20], range(9))", "(True, None, 2.5, ())",
                             f"range(2**62, 2**62 + {most})", f"range(2**63 - 3, 2**63 + {self.pick('3', '9')})")
            target = self.pick("i, a", "b, i") if over.startswith(("enumerate", "zip")) else self.pick("i", "i", "i", "i", "a")
            lines = [f"for {target} in {over}:", *body]
            return lines + (["else:", "    b = -b"] if self.chance(0.2) else [])
        if kind == "while":
            self.loops += 1
            if self.loops > 5:
                return ["pass"]
            counter = f"n{self.loops}"
            return [f"{counter} = 0", f"while {counter} < {self.pick('8', '25', '40') if not in_loop else '4'}:", f"    {counter} += 1", *self.given(f"i = {counter}"), *body]
        if kind == "comprehension":
            return [f"l = [{self.number(1)} for i in range({self.pick('5', '20')})]" if self.chance(0.5) else f"d = {{i: {self.number(1)} for i in range(9) if {self.condition(1)}}}"]
        if kind == "with":
            return ["with Manager():", *body]
        lines = ["try:", *body]
        if self.chance(0.8):
            lines += [f"except {self.pick('Exception', 'Exception', 'TypeError', '(ValueError, ArithmeticError)', 'LookupError')} as e:",
                      f"    seen.append(error(e)); {self.pick('a', 'b', 'c')} = {self.random.choice(SMALL)}"]
            if self.chance(0.2):
                lines += ["else:", *self.block(depth - 1, in_loop)]
        if len(lines) == len(body) + 1 or self.chance(0.25):
            lines += ["finally:", *self.given(f"c = {self.number(0)}")]
        return lines

    def given(self, line: str) -> list[str]:
        return ["    " + line]

    def block(self, depth: int, in_loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 4)):
            lines += self.statement(depth, in_loop)
        return ["    " + line for line in lines]

    # ---- functions -----------------------------------------------------------------------------------------------------
    def function(self, name: str) -> list[str]:
        self.loops = 0
        body: list[str] = []
        for _ in range(self.random.randint(2, 5)):
            body += self.statement(3, False)
        returned = self.pick("(a, b, c, l, d, p, i, cell)", "a", "(a, b)", "(l, c)")
        return [
            f"def {name}(a, b=2, c={self.random.choice(SMALL)}):",
            "    i = 0; cell = 1; l = [1, 2, 3, 4, 5]; d = {0: 1, 1: 2, 2: 3}; p = Point(1, 2)",
            "    def bump():",
            "        nonlocal cell",
            f"        cell {self.pick('+=', '-=', '*=')} {self.pick('1', '3', '0.5', '2**40')}",
            "    def read(): return cell",
            *("    " + line for line in body), f"    return {returned}", ""]

    def small(self, name: str) -> list[str]:
        """A little function of two numbers, which others call."""
        body = self.pick(
            [f"    return {self.plain()}"], [f"    if a {self.pick('<', '>', '==')} b: return {self.plain()}", f"    return {self.plain()}"],
            ["    global G", f"    G = {self.pick('G + 1', 'a', 'G')}", f"    return {self.plain()}"],
            ["    t = 0", f"    for i in range({self.pick('3', '12')}):", f"        t += {self.plain()}", "    return cut(t)"],
            ["    if not isinstance(a, int) or not 0 < a < 12: return b", f"    return cut({name}(a - 1, b) {self.pick('+', '*', '-')} {self.pick('a', 'b', '1')})"],
            ["    if not isinstance(a, int) or not 0 < a < 9: return b", f"    return cut({name}(a - 1, b) + {name}(a - 2, {self.pick('a', 'b')}))"])
        return [f"def {name}(a, b=1):", *body, ""]

    def plain(self) -> str:
        return self.pick("a + b", "a - b", "a * b", "a + 1", "b", "a * 2 - b", "a + G", "abs(a) + b", "a // (b or 1)", "min(a, b)", "a % 7 + b", "(a, b)[0]",
                         "a if a > b else b", "a * H", "-a", "a & 15", "len((a, b)) + a", "a < b")

    def generator(self) -> list[str]:
        return ["def gen(n):", f"    a = {self.pick('0', '1', '0.5')}", "    i = 0", "    while i < n:", "        i += 1",
                f"        a = cut(a + {self.pick('i', 'i * i', 'a', 'H')})", f"        {self.pick('yield a', 'got = yield a', 'yield i; yield a')}",
                f"        if i == {self.random.randint(3, 40)}: {self.pick('a = None', 'return', 'a = 2.5', 'raise LookupError(i)', 'a = 2**62')}", ""]

    def program(self) -> str:
        lines = [
            "def change_global(name, v): globals()[name] = v", "def del_global(name): globals().pop(name, None)",
            "def take(v, n): return [x for x in v][:n] if isinstance(v, (list, tuple, str)) else []",
            "def swap_call():", "    global f0", "    f0 = lambda a, b=1: (a, b)", "def k(): return G", "def k2(): return len(seen)",
            "class Manager:", "    def __enter__(self): return self", f"    def __exit__(self, kind, e, tb): return {self.pick('False', 'True', 'kind is ValueError')}",
            *self.generator()]
        for n in range(self.random.randint(1, 3)):
            lines += self.small(f"f{n}")
            self.functions.append(f"f{n}")
        names = []
        for n in range(self.random.randint(1, 3)):
            lines += self.function(f"hot{n}")
            names.append(f"hot{n}")
        for name in names:
            arguments = [self.pick(*SMALL) for _ in range(self.random.randint(3, 25))]
            arguments += self.random.choices((*EDGES, *FLOATS, *ODD), k=self.random.randint(1, 4))
            if self.chance(0.3):
                self.random.shuffle(arguments)
            lines += [f"for v in [{', '.join(arguments)}]:", f"    show('{name}', {name}, v{self.pick('', ', 3', ', v', ', 0.5')})"]
        lines += [f"for v in range({self.pick('5', '40')}):", f"    show('f', f0, v, {self.pick('v', '3', '2**62', '1.5')})"]
        if self.chance(0.5):   # the module's own code gets hot too
            self.loops = 0
            lines += ["a, b, c, i, cell = 1, 2, 3, 0, 0; l = [1, 2, 3]; d = {}; p = Point(1, 2)", "def bump(): pass", "def read(): return cell",
                      "try:", f"    for i in range({self.pick('20', '60')}):",
                      *("        " + line for line in self.top_loop()), "except Exception as e: print(error(e))",
                      "show('module', lambda: (a, b, c, l, d, p, i))"]
        lines += ["print(len(seen), *seen[-6:], sep='\\n')"]
        return PRELUDE + "\n".join(lines) + "\n"

    def top_loop(self) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 4)):
            lines += self.statement(1, True)
        return [re.sub(r"\breturn ", "cell = ", line) for line in lines]


def make_program(seed: int) -> str:
    """Return the program of a seed: the same text for the same seed."""
    return Hot(seed).program()
