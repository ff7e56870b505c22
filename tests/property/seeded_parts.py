"""The parts of seeded random programs: expressions by type, statements, functions, generators, coroutines, match.

Most expressions have the right types, so that programs run far before they fail. Names i, j, n hold ints, u a float, s, t
strings, l, m lists of ints, k a dict of ints by string, x anything.
"""

from __future__ import annotations

import random

from seeded_classes import ClassParts, indent

__all__ = ["Parts", "indent"]

INTS, TEXTS, LISTS = ("i", "j", "n"), ("s", "t"), ("l", "m")
BORDERS = ("2**62", "2**63", "(2**63 - 1)", "(-2**63)", "(-2**63 - 1)", "2**31", "10**19", "-1", "0", "1", "2", "3", "5", "10", "255")
ERRORS = ("ValueError", "KeyError", "TypeError", "IndexError", "ZeroDivisionError", "Stop", "Custom", "RuntimeError", "LookupError", "StopIteration")
HANDLERS = ("Exception", "ValueError", "(TypeError, KeyError)", "LookupError", "ArithmeticError", "Custom", "Stop", "(Custom, RuntimeError)")


class Parts(ClassParts):
    """Makes pieces of programs from one random generator.

    Args:
        rng: the source of all choices.
        features: what the pieces may use.
    """

    def __init__(self, rng: random.Random, features: tuple[str, ...]):
        super().__init__()
        self.rng, self.features = rng, features
        self.functions: list[str] = []
        self.generators: list[str] = []
        self.coroutines: list[str] = []
        self.async_generators: list[str] = []
        self.counter = 0

    def fresh(self, stem: str) -> str:
        """Return a new name."""
        self.counter += 1
        return f"{stem}{self.counter}"

    def chance(self, share: float) -> bool:
        """Return True with the given probability."""
        return self.rng.random() < share

    # ---- expressions ------------------------------------------------------------------------------------
    def integer(self, depth: int = 2) -> str:
        """Return an expression that gives an int."""
        r = self.rng
        if depth <= 0 or self.chance(0.25):
            return r.choice((r.choice(INTS), r.choice(INTS), r.choice(BORDERS), str(r.randint(-9, 99))))
        a, b, form = self.integer(depth - 1), self.integer(depth - 1), r.randrange(24)
        if form < 8:
            return f"({a} {r.choice(('+', '-', '*', '//', '%', '&', '|', '^', '+', '-'))} {b})"
        if form == 8:
            return f"(-{a})"
        if form == 9:
            return f"(~{a})"
        if form == 10:
            return f"({a} >> ({b}) % 70)"
        if form == 11:
            return f"({a} << ({b}) % 9)"
        if form == 12:
            return f"len({r.choice((self.text(depth - 1), self.list(depth - 1)))})"
        if form == 13:
            return f"({a} if {self.condition(depth - 1)} else {b})"
        if form == 14:
            return f"sum({self.list(depth - 1)})"
        if form == 15:
            return f"{self.list(depth - 1)}[{a}]"
        if form == 16:
            return f"k.get({self.text(depth - 1)}, {a})"
        if form == 17:
            return f"({r.choice(INTS)} := {a})"
        if form == 18:
            return f"whole({self.float(depth - 1)})"
        if form == 19:
            return f"{r.choice(('abs', 'int', 'whole', 'small'))}({a})"
        if form == 20:
            return f"({r.choice(('min', 'max'))}({a}, {b}, {r.choice(INTS)}))"
        if form == 21:
            return f"(lambda a, b={b}: a + b)({a})"
        if form == 22 and self.functions:
            return f"{r.choice(self.functions)}({a}, {b})"
        return f"({a} ** (({b}) % 4))"

    def float(self, depth: int = 2) -> str:
        """Return an expression that gives a float."""
        r = self.rng
        if depth <= 0:
            return r.choice(("u", "0.5", "-0.0", "1e16", "3.0", "float('inf')", "float('nan')", "2.5"))
        a, b = self.float(depth - 1), self.integer(depth - 1)
        return r.choice((a, f"({a} {r.choice('+-*/')} {b})", f"({b} / {self.integer(0)})", f"float({b} % 1000)", f"round({a}, 2)", f"abs({a})", f"({a} % 3)"))

    def text(self, depth: int = 2) -> str:
        """Return an expression that gives a string."""
        r = self.rng
        if depth <= 0:
            return r.choice(("s", "t", "''", "'ab'", "'a b'", "'é€'", "'%s'", "'x'", "'k'"))
        a, b, n = self.text(depth - 1), self.text(depth - 1), self.integer(depth - 1)
        return r.choice((
            f"({a} + {b})", f"({a})[{n} % 5:]", f"({a})[::-1]", f"({a}).upper()", f"str({n})", f"repr({self.any(depth - 1)})" if self.chance(0.3) else f"hex({n})",
            f"f'{{{n}}}-{{{a}!r:>8}}'" if "'" not in a + n and "\\" not in a + n else a, f"({a}).replace('a', {b})", f"'-'.join(({a}).split())", f"({a} if {self.condition(depth - 1)} else {b})",
            f"({a} * ({n} % 4))", f"({a}).strip()", f"('%s=%d' % ({a}, {n} % 1000))", f"'{{}}/{{:>5}}'.format({a}, {n} % 1000)", f"''.join(sorted({a}))"))

    def list(self, depth: int = 2) -> str:
        """Return an expression that gives a list of ints."""
        r = self.rng
        if depth <= 0:
            return r.choice(("l", "m", "[1, 2, 3]", "[]", "[0]", "list(range(5))"))
        a, b, n, c = self.list(depth - 1), self.list(depth - 1), self.integer(depth - 1), self.condition(depth - 1)
        forms = [
            f"[{n}, {self.integer(depth - 1)}]", f"({a} + {b})", f"({a})[{r.choice((':2', '1:', '::-1', '-2:', '::2'))}]", f"sorted({a})",
            f"[{n} for i in {a} if {c}]", f"[i * j for i in {a}[:3] for j in {b}[:3]]", f"[*{a}[:3], *{b}[:2], {n}]",
            f"list(map(lambda v: v + {self.integer(0)}, {a}))", f"[v for v in {a} if v % 2]", f"list(reversed({a}))", f"[p + q for p, q in zip({a}, {b})]",
            f"[(lambda: i)() for i in {a}]", f"[q for p, q in enumerate({a}) if p]", f"list({{v: 1 for v in {a}}})", "list(k.values())"]
        if self.generators and self.chance(0.3):
            forms.append(f"[v for v in take({r.choice(self.generators)}({n})) if isinstance(v, int)]")
        return r.choice(forms)

    def condition(self, depth: int = 1) -> str:
        """Return a condition."""
        r = self.rng
        a, b = self.integer(max(depth - 1, 0)), self.integer(max(depth - 1, 0))
        forms = (f"{a} {r.choice(('<', '<=', '==', '!=', '>', '>='))} {b}", f"{a} < {b} <= {self.integer(0)}", f"{a} in {self.list(0)}", f"(not {a})", r.choice(LISTS),
                 f"{self.text(0)} in s", f"({a} and {b})", f"({a} or {self.text(0)})", f"isinstance(x, {r.choice(('int', 'str', 'list', 'type(None)'))})", f"u < {a}", "x is None", "x")
        return r.choice(forms)

    def any(self, depth: int = 2) -> str:
        """Return an expression of any type."""
        r = self.rng
        kind = r.randrange(14)
        if kind < 3:
            return self.integer(depth)
        if kind == 3:
            return self.float(depth)
        if kind == 4:
            return self.text(depth)
        if kind == 5:
            return self.list(depth)
        if kind == 6:
            return self.condition(depth)
        if kind == 7:
            return r.choice(("x", "None", "k", "...", "b'ab'", "1j", "()", "{}", "int", "len"))
        if kind == 8:
            return f"({self.any(depth - 1)}, {self.any(depth - 1)})" if depth > 0 else "(1, 'a')"
        if kind == 9 and depth > 0:
            left, op, right = self.any(depth - 1), r.choice(('+', '-', '*', '==', '<', 'or', 'and', 'is', 'in', '@', '|')), self.any(depth - 1)
            return f"(same({left}) is same({right}))" if op == "is" else f"({left} {op} {right})"
        if kind == 10 and depth > 0:
            return f"{{{self.text(0)}: {self.any(depth - 1)}, 'z': {self.integer(0)}}}"
        if kind == 11 and depth > 0:
            return f"{self.any(depth - 1)}[{self.integer(0)}]"
        if kind == 12 and self.instances:
            return r.choice(self.instances)
        if self.functions and self.chance(0.6):
            return f"{r.choice(self.functions)}({self.call_arguments()})"
        return r.choice(("{1, 2, 3}", "frozenset((1, 's'))", "range(3)", "x", "True"))

    def call_arguments(self) -> str:
        """Return arguments of a call, of all kinds."""
        r = self.rng
        parts = [self.any(1) for _ in range(r.randint(0, 3))]
        if self.chance(0.15):
            parts.append(f"*{self.list(0)}")
        if self.chance(0.25):
            parts.append(f"{r.choice('abcy')}={self.any(1)}")
        if self.chance(0.1):
            parts.append("**{'a': 1}" if self.chance(0.5) else "**k")
        return ", ".join(parts)

    # ---- statements -------------------------------------------------------------------------------------
    def block(self, depth: int = 1, loop: bool = False, kind: str = "", size: int = 4) -> str:
        """Return one to `size` statements; `kind` is '', 'function', 'generator', 'async' or 'async generator'."""
        return "\n".join(self.statement(depth, loop, kind) for _ in range(self.rng.randint(1, size)))

    def statement(self, depth: int, loop: bool, kind: str) -> str:
        """Return a statement that keeps the types of the names."""
        r = self.rng
        if depth > 0 and self.chance(0.45):
            return self.compound(depth - 1, loop, kind)
        choices = ["assign"] * 6 + ["show"] * 4 + ["mutate"] * 3 + ["raise", "expression", "unpack"]
        if loop:
            choices += ["jump"] * 2
        if kind:
            choices += ["return"]
        if kind in ("generator", "async generator"):
            choices += ["yield"] * 5
        if kind in ("async", "async generator"):
            choices += ["await"] * 5
        return getattr(self, "do_" + r.choice(choices))(kind)

    def do_assign(self, kind: str) -> str:
        """An assignment, plain or augmented."""
        r = self.rng
        return r.choice((
            lambda: f"{r.choice(INTS)} = small({self.integer()})", lambda: f"{r.choice(INTS)} = {self.integer(1)} % 1000",
            lambda: self.augmented(), lambda: f"u = {self.float()}", lambda: f"{r.choice(TEXTS)} = ({self.text()})[:30]", lambda: f"{r.choice(LISTS)} = ({self.list()})[:10]",
            lambda: f"x = {self.any()}", lambda: f"k[{self.text(1)}[:4]] = {self.integer(1)}", lambda: f"{r.choice(TEXTS)} += {self.text(1)}; s, t = s[:30], t[:30]"))()

    def augmented(self) -> str:
        """An augmented assignment to an int, kept small."""
        name, op = self.rng.choice(INTS), self.rng.choice(("+=", "-=", "*=", "//=", "%=", "|=", "&=", "^="))
        return f"{name} {op} {self.integer(1)}; {name} = small({name})"

    def do_show(self, kind: str) -> str:
        """Show a value."""
        return f"show({self.any()})" if self.chance(0.8) else "show(i, j, u, s, l)"

    def do_mutate(self, kind: str) -> str:
        """Change a list, a dict or an instance."""
        r, name = self.rng, self.rng.choice(LISTS)
        forms = [f"{name}.append({self.integer(1)}); del {name}[10:]", f"{name}[{self.integer(0)} % 3] = {self.integer(1)}", f"{name}.pop()", f"del {name}[0:1]",
                 f"{name}.sort(key=lambda v: (v % 3, v))", f"{name}.insert(0, {self.integer(0)})", f"{name}[{self.integer(0)}] += 1", "k.update(a=i)", "k.pop('b', None)",
                 f"del {r.choice(('k[s]', 'x', 'l[5]'))}", f"{name}[1:2] = {self.list(1)}", "l, m = m, l", f"{name}.extend(take({self.list(1)}))", f"k.setdefault({self.text(0)}, {self.integer(0)})"]
        if self.instances:
            forms += [f"{r.choice(self.instances)}.{r.choice('pqrw')} = {self.any(1)}", f"{r.choice(self.instances)}.{r.choice('pq')} += {self.integer(1)}", f"del {r.choice(self.instances)}.{r.choice('pqr')}"] * 2
        return r.choice(forms)

    def do_raise(self, kind: str) -> str:
        """Raise something, or assert."""
        r = self.rng
        error = f"{r.choice(ERRORS)}({self.any(1)})"
        forms = [f"raise {error}", f"if {self.condition()}: raise {error}", f"raise {error} from {r.choice(('None', 'ValueError(1)', 'KeyError'))}", f"assert {self.condition()}, {self.text(0)}",
                 "raise", f"raise {r.choice(ERRORS)}", f"raise {self.any(0)}"]
        if "exceptions" in self.features:
            forms += [f"raise ExceptionGroup('group', [{error}, {r.choice(ERRORS)}(1)])", f"raise ExceptionGroup('outer', [ExceptionGroup('inner', [{error}]), TypeError(2)])"]
        return r.choice(forms)

    def do_expression(self, kind: str) -> str:
        """An expression for its effect."""
        return self.any()

    def do_unpack(self, kind: str) -> str:
        """An assignment to several targets."""
        return self.rng.choice((f"i, j = {self.integer(1)}, {self.integer(1)}", f"i, *l, j = {self.list(1)}", f"(i, n), [j] = ({self.integer(0)}, 2), [{self.integer(0)}]",
                                f"i = j = small({self.integer(1)})", f"s, *x = {self.text(1)}", f"i, j = {self.list(1)}", "i, j = j, i", f"l[0], k['a'] = {self.integer(0)}, {self.integer(0)}"))

    def do_jump(self, kind: str) -> str:
        """Leave or go on with the loop."""
        return self.rng.choice(("break", "continue", f"if {self.condition()}: break", f"if {self.condition()}: continue"))

    def do_return(self, kind: str) -> str:
        """Return from the function."""
        if kind == "async generator":
            return f"if {self.condition()}: return"
        return self.rng.choice((f"return {self.any()}", f"if {self.condition()}: return {self.any(1)}", "return"))

    def do_yield(self, kind: str) -> str:
        """A yield in one of its forms."""
        r = self.rng
        forms = [f"yield {self.any(1)}", f"x = yield {self.any(1)}", f"show('got', (yield {self.integer(1)}))", f"i = whole((yield j)) + {self.integer(0)}", f"l = [(yield 1), (yield {self.integer(0)})]; l = [4]"]
        if kind == "generator":
            forms += [f"yield from take({self.list(1)})", f"x = yield from Source({self.list(1)})", f"yield from ({self.integer(0)} for i in {self.list(0)})"]
            if self.generators:
                forms += [f"x = yield from {r.choice(self.generators)}({self.integer(0)})"] * 2
        return r.choice(forms)

    def do_await(self, kind: str) -> str:
        """An await in one of its forms."""
        r = self.rng
        forms = [f"await Pause({self.integer(0)})", f"x = await Pause({self.any(1)})", f"i = small(whole(await Pause(i)) + {self.integer(1)})", f"show(await Pause({self.text(0)}), {self.integer(0)})",
                 f"l = [whole(await Pause(v)) for v in {self.list(0)}[:3]]", f"l = [v async for v in AsyncItems({self.list(0)}[:3]) if v]", "k = {'a': whole(await Pause(1))}", "await x"]
        if self.coroutines:
            forms += [f"x = await {r.choice(self.coroutines)}({self.integer(0)})"] * 3
        if self.async_generators:
            forms += [f"x = [v async for v in {r.choice(self.async_generators)}({self.integer(0)})]", f"await drain({r.choice(self.async_generators)}(2), {self.actions()})"]
        return r.choice(forms)

    def compound(self, depth: int, loop: bool, kind: str) -> str:
        """Return a compound statement."""
        r = self.rng
        same = lambda: indent(self.block(depth, loop, kind, 3))  # noqa: E731
        inner = lambda: indent(self.block(depth, True, kind, 3))  # noqa: E731
        form = r.randrange(15)
        if form == 0:
            return f"if {self.condition()}:\n{same()}\nelif {self.condition()}:\n{same()}\nelse:\n{same()}"
        if form == 1:
            return f"for {r.choice((*INTS, 'x'))} in {self.list(1)}[:4]:\n{inner()}" + (f"\nelse:\n{same()}" if self.chance(0.3) else "")
        if form == 2:
            bounds = r.choice(("4", "1, 8, 3", "5, -5, -2", "2**63 - 2, 2**63 + 1", "-2**63 - 1, -2**63 + 1"))
            return f"for {r.choice(INTS)} in range({bounds}):\n{inner()}"
        if form == 3:
            return f"while tick() and {self.condition()}:\n{inner()}" + (f"\nelse:\n{same()}" if self.chance(0.3) else "")
        if form in (4, 5):
            finally_ = f"\nfinally:\n{indent(self.block(depth, loop, kind, 2))}" if self.chance(0.4) else ""
            else_ = f"\nelse:\n{same()}" if self.chance(0.3) else ""
            more = f"except {r.choice(HANDLERS)}:\n    show('second')\n{same()}\n" if self.chance(0.3) else ""
            return f"try:\n{same()}\n{more}except Exception as err:\n    show(err)\n{same()}{else_}{finally_}"
        if form == 6:
            return f"try:\n{same()}\nfinally:\n    show('finally')\n{same()}"
        if form == 7:
            return f"try:\n{same()}\nexcept {r.choice(HANDLERS)} as err:\n{same()}\n    raise {r.choice(('', 'Custom(1) from err', 'Stop(2)', 'err', 'err from None'))}"
        if form == 8 and "exceptions" in self.features:
            body = indent(self.block(depth, False, "", 2)) if not kind else indent(self.plain(depth, kind))
            return (f"try:\n{same()}\n    raise ExceptionGroup('g', [{r.choice(ERRORS)}({self.integer(0)}), {r.choice(ERRORS)}(2), ExceptionGroup('n', [KeyError('k'), Stop(3)])])\n"
                    f"except* {r.choice(HANDLERS)} as group:\n    show('star', group)\n{body}\nexcept* {r.choice(('ValueError', 'Stop', '(KeyError, TypeError)', 'Exception'))} as group:\n    show('star two', group)")
        if form in (9, 10):
            fail = r.choice(("None", "None", "None", "'enter'", "'exit'"))
            second = f", Manager('b', {self.chance(0.3)})" if self.chance(0.3) else ""
            return f"with Manager({self.rng.randint(0, 9)}, {self.chance(0.4)}, {fail}) as x{second}:\n{same()}"
        if form == 11 and kind:
            name = self.fresh("inner")
            return (f"def {name}(v=1):\n    nonlocal i, s\n    i = small(i + v); s += 'c'\n    return i\nshow({name}(), {name}({self.integer(0)}), i)\n{self.statement(0, loop, kind)}"
                    if kind != "module" else self.statement(0, loop, kind))
        if form == 12 and kind in ("async", "async generator"):
            return f"async for i in AsyncItems({self.list(0)}[:3]):\n{inner()}" + (f"\nelse:\n{same()}" if self.chance(0.4) else "")
        if form == 13 and kind in ("async", "async generator"):
            return f"async with AsyncManager({self.chance(0.4)}) as l:\n{same()}"
        if form == 14 and "match" in self.features:
            return self.match_statement(depth, loop, kind)
        return self.statement(0, loop, kind)

    def plain(self, depth: int, kind: str) -> str:
        """Return statements without jumps or returns, for the body of `except*`."""
        return "\n".join(self.rng.choice((self.do_assign, self.do_show, self.do_mutate, self.do_raise))(kind) for _ in range(2))

    # ---- match ------------------------------------------------------------------------------------------
    def pattern(self, depth: int, names: list[str]) -> str:
        """Return a pattern that binds names of `names`, each at most once."""
        r = self.rng
        form = r.randrange(16)
        if form < 3:
            return r.choice(("0", "1", "-1", "'a'", "None", "True", "1.5", "'k'", "2", "9223372036854775808"))
        if form < 6 and names:
            return names.pop(r.randrange(len(names)))
        if form == 6:
            return "_"
        if depth <= 0:
            return r.choice(("int()", "str()", "[]", "{}", "float() | bool()", "(1 | 2)", "list()"))
        sub = lambda: self.pattern(depth - 1, names)  # noqa: E731
        if form in (7, 8):
            items = [sub() for _ in range(r.randint(1, 3))]
            if self.chance(0.4):
                items.insert(r.randrange(len(items) + 1), "*" + (names.pop() if names and self.chance(0.7) else "_"))
            return f"[{', '.join(items)}]" if self.chance(0.6) else f"({', '.join(items)},)"
        if form in (9, 10):
            rest = f", **{names.pop()}" if names and self.chance(0.3) else ""
            return f"{{'a': {sub()}{rest}}}" if self.chance(0.6) else f"{{'k': {sub()}, 'a': {sub()}{rest}}}"
        if form == 11:
            return f"{r.choice(('int', 'str', 'list', 'bool', 'float', 'dict', 'tuple'))}({names.pop() if names and self.chance(0.6) else ''})"
        if form == 12 and self.classes:
            inside = r.choice((f"p={sub()}", f"q={sub()}, p={sub()}", "", sub(), f"{sub()}, {sub()}", f"{sub()}, q={sub()}"))
            return f"{r.choice(self.classes)}({inside})"
        if form == 13 and names:
            return f"({r.choice(('1 | 2 | 3', 'int() | str()', '[_, _] | [_]', '0'))}) as {names.pop()}"
        if form == 14:
            return f"({r.choice(('1', 'int()'))} | {r.choice(('str()', 'None', '[]'))})"
        return r.choice(("int()", "[_, *_]", "{}"))

    def match_statement(self, depth: int, loop: bool, kind: str) -> str:
        """Return a match statement."""
        r = self.rng
        subject = r.choice((self.any(1), "x", "l", "k", "(i, s)", "[i, [j, s], k]", "{'a': l, 'k': x}", f"{self.integer(0)} % 4", *self.instances[-2:]))
        cases = []
        for _ in range(r.randint(1, 4)):
            names = ["i", "j", "s", "l", "x"]
            r.shuffle(names)
            pattern = self.pattern(2, names)
            guard_ = f" if {self.condition()}" if self.chance(0.3) or pattern in ("i", "j", "s", "l", "x", "_") else ""
            cases.append(f"    case {pattern}{guard_}:\n        show('case', i, j, s, l)\n{indent(indent(self.block(depth, loop, kind, 2)))}")
        if self.chance(0.5):
            cases.append("    case _:\n        show('no case')")
        return f"match {subject}:\n" + "\n".join(cases)

    def match_program(self) -> str:
        """Return a loop that matches many subjects with the same cases."""
        subjects = ", ".join(("0", "'a'", "[1, 2]", "(1, [2, 3])", "{'a': 1}", "{'k': [1], 'a': 'a'}", "None", "2.5", "True", *(self.any(1) for _ in range(3)), *self.instances[-3:]))
        cases = self.match_statement(0, False, "").partition("\n")[2]
        return f"for x in [{subjects}]:\n    i, j, s, l = 1, 2, 's', [3]\n    try:\n        match x:\n{indent(indent(cases))}\n    except Exception as err: show('!', err)"

    # ---- functions --------------------------------------------------------------------------------------
    LOCALS = "i, j, n, u, s, t, l, m, k, x = 1, 2, 2**63 - 1, 0.5, 'f', 'g', [1, 5], [3], {'a': 3}, None"

    def signature(self) -> tuple[str, str]:
        """Return parameters, and a statement that shows them."""
        parameters = self.rng.choice(("a=1, b=2", "a=0, /, b=3", "*a, b=1", "a=1, *, b=2", "a=0, b=1, *c, y=3", "a=1, b=None, **d", "*a, **d", "a, b=2", "a=1, *c, y, **d"))
        names = [part.split("=")[0].strip().lstrip("*") for part in parameters.split(",")]
        return parameters, "show(" + ", ".join(name for name in names if name.isidentifier()) + ")"

    def function(self) -> str:
        """Return a function definition and a call of it."""
        name = self.fresh("f")
        parameters, shown = self.signature()
        body = self.block(2, False, "function")
        decorated = self.rng.choice(("", "", "", f"def deco(f):\n    def wrapper(*a, **d):\n        show('call', {name!r}, a, d)\n        return f(*a, **d)\n    return wrapper\n@deco\n"))
        self.functions.append(name)
        return (f"{decorated}def {name}({parameters}):\n    if not enter(): return 'deep'\n    {self.LOCALS}\n    {shown}\n{indent(body)}\n    return small(i)\n"
                f"try: show({name}({self.call_arguments()}))\nexcept Exception as err: show('!', err)")

    def guarded(self) -> str:
        """Return statements of the module's level under a guard."""
        return f"try:\n{indent(self.block(2, False, ''))}\nexcept Exception as err: show('!', err)"

    def actions(self) -> str:
        """Return a list of actions for `drive` or `drain`."""
        r = self.rng
        parts = ["('next', None)"]
        for _ in range(r.randint(1, 6)):
            parts.append(r.choice(("('next', None)", "('next', None)", f"('send', {self.integer(0)})", f"('send', {self.text(0)})",
                                   f"('throw', {r.choice(ERRORS)}({self.integer(0)}))", f"('throw', {r.choice(('GeneratorExit', 'Stop', 'Fatal'))}())", "('close', None)")))
        return f"[{', '.join(parts)}]"

    def generator_function(self) -> str:
        """Return a generator function and a use of it."""
        name = self.fresh("g")
        body = self.block(2, False, "generator", 5)
        code = f"def {name}(v=1):\n    if not enter(): return\n    {self.LOCALS}\n    i = small(v)\n    yield 'start'\n{indent(body)}\n    yield i\n    return 'done'"
        self.generators.append(name)
        return f"{code}\ntry: show(list(take({name}({self.integer(0)}), 8)))\nexcept Exception as err: show('!', err)"

    def drive_generator(self) -> str:
        """Return code that drives a generator by hand."""
        made = self.rng.choice(self.generators) + f"({self.integer(0)})" if self.generators else self.rng.choice(("take([1, 2, 3])", "(v for v in [1, 2])"))
        return f"drive({made}, {self.actions()})"

    def async_function(self) -> str:
        """Return a coroutine function and a run of it."""
        name = self.fresh("co")
        body = self.block(2, False, "async", 5)
        code = f"async def {name}(v=1):\n    if not enter(): return 'deep'\n    {self.LOCALS}\n    i = small(v)\n{indent(body)}\n    return await Pause(i)"
        self.coroutines.append(name)
        return f"{code}\ntry: show(complete({name}({self.integer(0)})))\nexcept Exception as err: show('!', err)"

    def async_generator(self) -> str:
        """Return an asynchronous generator function and a run over it."""
        name, user = self.fresh("ag"), self.fresh("co")
        body = self.block(2, False, "async generator", 5)
        code = f"async def {name}(v=1):\n    if not enter(): return\n    {self.LOCALS}\n    i = small(v)\n    yield await Pause('start')\n{indent(body)}\n    yield i"
        self.async_generators.append(name)
        self.coroutines.append(user)
        return f"{code}\nasync def {user}(v=1):\n    if not enter(): return\n    async for item in {name}(v):\n        show('item', item)\ntry: show(complete({user}()))\nexcept Exception as err: show('!', err)"

    def drive_async(self) -> str:
        """Return code that drives a coroutine or an asynchronous generator by hand."""
        if self.async_generators and self.chance(0.5):
            return f"try: show(complete(drain({self.rng.choice(self.async_generators)}(3), {self.actions()})))\nexcept Exception as err: show('!', err)"
        made = f"{self.rng.choice(self.coroutines)}({self.integer(0)})" if self.coroutines else "drain(AsyncItems([1]), [])"
        return f"it = {made}\ndrive(it, {self.actions()})\nit.close() if False else None"
