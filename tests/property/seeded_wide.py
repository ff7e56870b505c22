"""The wide feature of seeded random programs: what `Parts` makes, and the rest of the language and the library's core.

Data classes, enumerations, named tuples, descriptors, decorators, closures, formatting, big integers, slices, star arguments,
jumps through `finally`, context managers, task groups, exception groups, copying, evaluation of text. Each maker returns a block of
guarded statements for the module's level, with the imports that it needs.
"""

from __future__ import annotations

import random
import re

from seeded_library import LibraryParts
from seeded_parts import ERRORS, HANDLERS, INTS, TEXTS, Parts, indent

__all__ = ["QuickRandom", "WideParts"]

COMPOUND = re.compile(r".*\n|(class|with|for|while|def|if|match|try|async)\b", re.DOTALL)
HUGE_POWER = re.compile(r"^show\((\w+) (\*\*|<<) .*\)$|^show\(.* (\*\*|<<) \w+\)$", re.DOTALL)
LARGE = ("10**40", "-10**25", "2**200 + 1", "(2**127 - 1)", "-2**64", "3**80", "(1 << 333)", "12345678901234567890123", "10**18", "2**63", "2**53 + 1")


class QuickRandom(random.Random):
    """A random generator whose choices cost less; its numbers are not those of `random.Random`."""

    def choice(self, options):
        """Return one of the options."""
        return options[int(self.random() * len(options))]

    def randrange(self, bound):
        """Return a number from 0 below the bound."""
        return int(self.random() * bound)

    def randint(self, low, high):
        """Return a number from low to high."""
        return low + int(self.random() * (high - low + 1))


def guard(code: str) -> str:
    """Return statements whose exception is shown."""
    return f"try:\n{indent(code)}\nexcept Exception as err: show('!', err)"


class WideParts(LibraryParts, Parts):
    """Makes pieces of programs of all kinds."""

    MAKERS = ("data_class", "enumeration", "named_tuple", "descriptors", "decorators", "closure", "formatting", "formatting", "big_integers", "slices", "star_call", "jumps", "jumps", "jumps",
              "managers", "pipeline", "scopes", "groups", "task_group", "comprehensions", "comprehensions", "containers", "iteration", "texts", "copies", "evaluation", "slots", "attributes", "match_classes",
              "byte_strings", "numbers", "sorting", "unwinding", "async_mix", "patterns_of_text", "dispatch")

    def wide(self) -> str:
        """Return one of the wide blocks."""
        return guard(getattr(self, "make_" + self.rng.choice(self.MAKERS))())

    def one_use(self) -> str:
        """As of a class, without powers of any size."""
        code = super().one_use()
        while HUGE_POWER.match(code):
            code = super().one_use()
        return code

    def integer(self, depth: int = 2) -> str:
        """Return an expression that gives an int."""
        if depth <= 0 or self.rng.random() < 0.85:
            return super().integer(depth)
        r = self.rng
        a = super().integer(depth - 1)
        return r.choice((
            lambda: f"({a} if (q := {super(WideParts, self).integer(0)}) > {r.choice(INTS)} else q)", lambda: f"pow({a}, {r.randint(0, 9)}, {r.randint(2, 1000)})", lambda: f"divmod({a}, {r.randint(-9, 9)})[{r.randint(0, 1)}]",
            lambda: f"({a} % {r.choice(LARGE)})", lambda: f"int(str({a}))", lambda: f"({a}).bit_length()", lambda: f"(lambda *a, k=1: len(a) + k)(*{self.list(0)})", lambda: f"max({self.list(0)}, default={a})",
            lambda: f"next((v for v in {self.list(0)} if v > {r.choice(INTS)}), {a})", lambda: f"sum((v & 3 for v in {self.list(0)}), {a})", lambda: f"{{'a': {a}}}['a']", lambda: f"[{a}, i][-1]", lambda: f"ord(({self.text(0)} + 'z')[0])",
            lambda: f"int({self.float(0)}) if u == u and abs(u) < 1e9 else {a}", lambda: f"len({{*{self.list(0)}, {a}}})", lambda: f"(not {a}) + True", lambda: f"len(format({r.choice(INTS)}, 'd'))"))()

    def any(self, depth: int = 2) -> str:
        """Return an expression of any type."""
        if self.rng.random() < 0.88:
            return super().any(depth)
        r = self.rng
        return r.choice((
            lambda: f"{{v: w for v, w in enumerate({self.list(0)})}}", lambda: f"{{v % 3 for v in {self.list(0)}}}", lambda: f"[{self.integer(0)}, *{self.list(0)}, *(1, 'a')]", lambda: f"{{**k, {self.text(0)}: {self.integer(0)}}}",
            lambda: f"({self.integer(0)}, *{self.list(0)})", lambda: f"{self.list(0)}[{self.slice_text()}]", lambda: f"{self.text(0)}[{self.slice_text()}]", lambda: f"(yes := {self.condition()})", lambda: f"f'{{{r.choice(INTS)}!r:>{r.randint(1, 9)}}}'",
            lambda: f"(lambda v, /, w=2, *, z=3: (v, w, z))({self.integer(0)})", lambda: r.choice(LARGE), lambda: f"[x for x in {self.list(0)} if (w := x % 3)]", lambda: f"(not {self.integer(0)} < {self.integer(0)} != {self.integer(0)})",
            lambda: "globals().get('x')", lambda: f"slice({self.integer(0)}, None)", lambda: f"b'%d' % ({self.integer(0)})", lambda: f"complex({self.integer(0)} % 100, 1)", lambda: "range(2, 9, 3)[-1:]", lambda: "type('T', (), {'p': 1})()",
            lambda: f"bytearray({self.integer(0)} % 5)", lambda: f"[{self.integer(0)}] * ({self.integer(0)} % 4)"))()

    def slice_text(self) -> str:
        """Return the inside of a slice."""
        r = self.rng
        part = lambda: r.choice(("", "", str(r.randint(-6, 6)), "i", "j", "None"))  # noqa: E731
        return f"{part()}:{part()}" + (f":{r.choice(('', '1', '-1', '2', '-2', '3', '0', 'j'))}" if r.random() < 0.5 else "")

    @staticmethod
    def indented(code: str) -> str:
        """Return code one level to the right."""
        return indent(code)

    # ---- statements -------------------------------------------------------------------------------------
    def do_assign(self, kind: str) -> str:
        """An assignment."""
        if self.rng.random() < 0.85:
            return super().do_assign(kind)
        r = self.rng
        return r.choice((
            lambda: f"l[{self.slice_text()}] = {self.list(0)}; del l[12:]", lambda: f"del m[{self.slice_text()}]", lambda: f"(i, *m), s = ({self.list(0)} or [1]), {self.text(0)}; m = m[:9]", lambda: f"i: int = {self.integer(1)}; i = small(i)",
            lambda: f"k |= {{{self.text(0)}: 1}}", lambda: f"l += {self.list(0)}; del l[9:]", lambda: f"m *= {r.randint(0, 3)}; del m[9:]", lambda: f"i = j = n = {self.integer(0)}", lambda: "[i, j], l = (j, i), [i]",
            lambda: f"for l[0:1] in [[{self.integer(0)}], [2, 3]]: pass", lambda: f"for k['a'], j in [({self.integer(0)}, 1), (2, 3)]: i = small(i + j)", lambda: f"x = y = {self.any(1)}", lambda: f"s %= {self.integer(0)}; s = s[:30]",
            lambda: f"i <<= {r.randint(0, 5)}; i = small(i)", lambda: f"n >>= {r.randint(0, 70)}", lambda: f"i **= {r.randint(0, 3)}; i = small(i)", lambda: f"u /= {self.integer(0)}", lambda: f"i = i if {self.condition()} else j"))()

    # ---- blocks -----------------------------------------------------------------------------------------
    def uses(self, forms, low: int = 3, high: int = 8) -> str:
        """Return some of the forms, each guarded; a form is a text or a function that makes one."""
        made = []
        for _ in range(self.rng.randint(low, high)):
            form = self.rng.choice(forms)
            code = form if isinstance(form, str) else form()
            made.append(f"try: {code}\nexcept Exception as err: show('!', err)" if not COMPOUND.match(code) else guard(code))
        return "\n".join(made)

    def make_closure(self) -> str:
        """Closures that count, nest, and are made in loops."""
        r, name = self.rng, self.fresh("clo")
        depth = r.randint(1, 4)
        lines, pad = [f"def {name}(a, b=2):", f"    c = {self.integer(1)} % 99"], "    "
        for level in range(depth):
            lines += [f"{pad}def in{level}(v=1, *w):", f"{pad}    nonlocal {r.choice('abc')}" if level < 3 else f"{pad}    pass"]
            pad += "    "
            bound = lines[-1].split()[-1] if level < 3 else "c"
            if bound != "pass":
                lines.append(f"{pad}{bound} = small(whole({bound}) {r.choice('+-*^')} v)" if r.random() < 0.8 else f"{pad}{r.choice(('del ' + bound, bound + ' = [v]'))}")
        lines.append(f"{pad}return (a, b, c, v)")
        for level in reversed(range(depth)):
            pad = pad[:-4]
            lines.append(f"{pad}{r.choice((f'in{level}()', f'in{level}(2); in{level}()', 'pass', f'a = in{level}'))}")
            lines.append(f"{pad}return {r.choice((f'in{level}', f'in{level}()', f'(in{level}, a, b)', f'[in{level}(q) for q in range(3)]'))}")
        code = "\n".join(lines)
        calls = self.uses([f"f = {name}({self.integer(0)}); show(f() if callable(f) else f); show(f(3) if callable(f) else 0)", f"show({name}(1, {self.integer(0)}))",
                           "fs = [lambda: q for q in range(3)]; show([g() for g in fs])", "fs = [lambda q=q: q * i for q in range(3)]; show([g() for g in fs])", f"fs = {{q: (lambda v: v + q) for q in l}}; show([g({self.integer(0)}) for g in fs.values()])",
                           "show((lambda f: f(f, 5))(lambda f, v: 1 if v < 2 else v * f(f, v - 1)))", f"show({name}.__closure__, {name}.__code__ is not None) if False else show({name}.__name__, {name}.__defaults__)",
                           "def outer():\n    x = 1\n    class In:\n        y = x\n        x = 2\n        def get(self): return x\n        z = [x for _ in range(2)]\n    return In.y, In.x, In().get(), In.z\nshow(outer())",
                           "def outer():\n    def use(): return late\n    try: use()\n    except NameError as e: show(e)\n    late = i\n    return use()\nshow(outer())"], 2, 5)
        return code + "\n" + calls

    def jump_body(self, depth: int, loop: bool) -> str:
        """Return nested loops, try statements and with statements full of jumps."""
        r = self.rng
        if depth <= 0 or r.random() < 0.2:
            jumps = ["return i", "raise ValueError(i)", "raise Stop", "show('step', i)", "i = small(i + 1)", f"x = {self.any(0)}", "show(1 // (i % 2))"] + ["break", "continue"] * 3 * loop
            first = r.choice(jumps)
            return f"if {self.condition()}: {first}\n{r.choice(jumps)}" if r.random() < 0.5 else first
        sub = lambda inside=loop: indent(self.jump_body(depth - 1, inside))  # noqa: E731
        form = r.randrange(9)
        if form < 3:
            return f"try:\n{sub()}\nfinally:\n    show('f', i)\n{sub()}"
        if form == 3:
            return f"try:\n{sub()}\nexcept {r.choice(HANDLERS)} as e:\n    show('e', e)\n{sub()}\nelse:\n{sub()}\nfinally:\n{sub()}"
        if form == 4:
            return f"for {r.choice(('q', 'i', 'x'))} in {self.list(0)}[:3]:\n{sub(True)}\nelse:\n    show('else')\n{sub()}"
        if form == 5:
            return f"while tick() and {self.condition()}:\n{sub(True)}" + (f"\nelse:\n{sub()}" if r.random() < 0.4 else "")
        if form == 6:
            return f"with Manager('w', {r.random() < 0.4}):\n{sub()}\nshow('after')"
        if form == 7:
            return f"if {self.condition()}:\n{sub()}\nelse:\n{sub()}"
        return f"try:\n{sub()}\nexcept Exception:\n{sub()}\n{self.jump_body(depth - 1, loop)}"

    def make_jumps(self) -> str:
        """Break, continue and return through finally, with and loops."""
        name = self.fresh("jump")
        kind = self.rng.random()
        body = indent(self.jump_body(4, False))
        if kind < 0.6:
            return f"def {name}(i=1, x=None):\n    {self.LOCALS.replace('i, j', 'j, j', 1)}\n{body}\n    return 'end'\n" + "\n".join(f"try: show({name}({value}))\nexcept Exception as err: show('!', err)" for value in (1, 2, self.integer(0)))
        if kind < 0.8:
            return f"def {name}(i=1, x=None):\n    {self.LOCALS.replace('i, j', 'j, j', 1)}\n    yield i\n{body}\n    yield 'end'\ntry: drive({name}(), {self.actions()})\nexcept Exception as err: show('!', err)".replace("show('step', i)", "x = yield i")
        return guard(f"for q in range(3):\n    i = q\n{indent(self.jump_body(3, True).replace('return i', 'pass'))}")

    def make_managers(self) -> str:
        """Context managers from generators, and stacks of them."""
        r, name = self.rng, self.fresh("cm")
        handler = r.choice(("", f"\n    except {r.choice(HANDLERS)} as e:\n        show('caught', e)", "\n    except Exception as e:\n        show('caught', e)\n        raise", "\n    except Stop as e:\n        raise Custom(2) from e", "\n    else:\n        show('no error')")) or ""
        if handler.strip().startswith("else"):
            handler = "\n    except Stop:\n        yield 2" + handler
        code = f"from contextlib import *\n@contextmanager\ndef {name}(v=1, w=0):\n    show('in', v)\n    try:\n        {r.choice(('yield v', 'yield', 'x = yield [v]; show(x)', 'return', 'yield 1; yield 2'))}{handler}\n    finally:\n        show('out', v)"
        body = lambda: self.jump_body(1, False).replace("return i", "i = 1")  # noqa: E731
        return code + "\n" + self.uses([
            lambda: f"with {name}({self.integer(0)}) as x:\n{indent(body())}", lambda: f"with {name}(1) as x, {name}(2) as y:\n{indent(body())}", lambda: f"with ({name}(1), Manager('m', {r.random() < 0.5}) as x,):\n{indent(body())}",
            lambda: f"with ExitStack() as st:\n    x = st.enter_context({name}(3))\n    st.callback(show, 'cb', 1, )\n    st.push(lambda *a: {r.choice(('True', 'False', 'show(a[0])'))})\n{indent(body())}", lambda: f"with suppress({r.choice(ERRORS)}):\n{indent(body())}\n    show('not suppressed')",
            lambda: f"with nullcontext({self.any(0)}) as x: show(x)", lambda: f"@{name}()\ndef fd(v): return v\nshow(fd({self.integer(0)}))", lambda: "with closing(Source([1])) as x: show(next(x))",
            "class CM(ContextDecorator):\n    def __enter__(self): show('ce')\n    def __exit__(self, *a): show('cx', a[0]); return True\n@CM()\ndef fc(): raise Stop\nshow(fc())", "with 5: pass", f"with {name}() as (a, b): pass",
            f"m1 = {name}(5); show(m1.__enter__()); show(m1.__exit__(None, None, None))"], 2, 5)

    def make_pipeline(self) -> str:
        """Generators in a row, delegation with results, send through several levels."""
        r = self.rng
        names = [self.fresh("pipe") for _ in range(r.randint(2, 4))]
        blocks = []
        for index, name in enumerate(names):
            inner = names[index - 1] + "(v)" if index else r.choice(("iter(l)", "(q * 2 for q in range(4))", "Source(l)", "range(3)", "'abc'"))
            body = r.choice((f"r = yield from {inner}\n    show('r', r)\n    return ({index}, r)", f"for q in {inner}:\n        got = yield q\n        if got: show('got', got)\n    return {index}",
                             f"try:\n        yield from {inner}\n    except {r.choice(HANDLERS)} as e:\n        show('c', e)\n        yield 'again'\n    finally:\n        show('fin', {index})",
                             f"it = keep({inner})\n    while tick():\n        try: v = yield next(it)\n        except StopIteration as e: return e.value\n        except GeneratorExit: show('exit', {index}); raise",
                             f"yield 1\n    try: yield from {inner}\n    except GeneratorExit: show('ge'); {r.choice(('raise', 'return', 'yield 5', 'raise Stop', 'pass'))}\n    return 'after'"))
            blocks.append(f"def {name}(v=1):\n    if not enter(): return\n    {body}")
        self.generators += names
        return "\n".join(blocks) + "\n" + self.uses([lambda: f"drive({r.choice(names)}(), {self.actions()})", lambda: f"show(list(take({r.choice(names)}(), 9)))", lambda: f"g1 = {r.choice(names)}(); show(next(g1)); g1.close(); show(g1.gi_frame is None, g1.gi_running)",
                                                     lambda: f"a, *b = take({r.choice(names)}(), 5); show(a, b)", lambda: f"show(sum(1 for _ in take({r.choice(names)}(), 9)))", lambda: f"show(dict(zip({r.choice(names)}(), {r.choice(names)}())))",
                                                     lambda: f"def run():\n    x = yield from {r.choice(names)}()\n    show('x', x)\ndrive(run(), {self.actions()})"], 2, 5)

    def make_scopes(self) -> str:
        """Global, deleted, unbound and shadowed names."""
        name, r = self.fresh("sc"), self.rng
        var = r.choice((*INTS, *TEXTS, "x"))
        return (f"def {name}(v={self.any(0)}):\n    global {var}, made\n    {r.choice((f'{var} = v', f'del {var}', f'made = {var}', f'{var} = 1; del {var}', f'for {var} in range(3): pass', f'import math as {var}', f'def {var}(): return 1', f'class {var}: pass', f'with Manager() as {var}: pass'))}\n    return globals().get({var!r}, 'gone')\n"
                + self.uses([f"show({name}())", f"show({var})", f"show({name}({self.integer(0)}), {var})", f"{var} = 3", "show(made)", "del made", "def un():\n    try: show(zz)\n    except UnboundLocalError as e: show(e)\n    zz = 1\n    del zz\n    return zz\nun()",
                             f"def lo():\n    {var} = 9\n    return locals()\nshow(lo())", "class B1:\n    i = i\n    def f(self): return i\n    g = [i for _ in range(1)]\nshow(B1.i, B1().f(), B1.g)", "globals()['x'] = 7; show(x)", "def sh(len): return len(3)\nshow(sh(str))",
                             "len = lambda v: 99; show(len([])); del len; show(len([]))", "for q in range(2): z9 = q\nshow(q, z9)", "show([q9 for q9 in range(2)]); show(q9)", "try: raise Stop(1)\nexcept Stop as e9: pass\nshow(e9)", "show(vars() is globals(), 'i' in dir())"], 3, 7)
                + "\ni, j, n, s, t, x = 1, 2, 3, 's', 't', None")

    def make_groups(self) -> str:
        """Exception groups: raised, split, derived, handled by star."""
        r = self.rng
        error = lambda: f"{r.choice(ERRORS)}({self.integer(0)})"  # noqa: E731
        group = lambda depth: f"{r.choice(('ExceptionGroup', 'BaseExceptionGroup', 'EG'))}('g', [{', '.join(group(depth - 1) if depth and r.random() < 0.4 else error() for _ in range(r.randint(1, 3)))}])"  # noqa: E731
        clause = lambda: f"except* {r.choice((*HANDLERS, 'EG', 'ExceptionGroup', '5'))} as e:\n    show('s', e)\n    {r.choice(('pass', 'raise', 'raise Stop(2)', 'raise Custom(3) from e', 'x = 1', 'show(e.exceptions[0])', 'raise e', 'raise ExceptionGroup(repr(1), [KeyError(e)])'))}"  # noqa: E731
        kind = lambda: r.choice(("ValueError", "(KeyError, Stop)", "lambda e: 'e' in str(type(e))", "ExceptionGroup", "5", "lambda e: True", "BaseException"))  # noqa: E731
        return "class EG(ExceptionGroup):\n    def derive(self, excs): return EG(self.message, excs)\n" + self.uses([
            lambda: "try:\n" + indent(f"raise {group(2)}") + "\n" + "\n".join(clause() for _ in range(r.randint(1, 3))) + "\n" + r.choice(("finally: show('fin')", "else: show('else')")),
            lambda: f"try: raise {error()}\n{clause()}", lambda: f"g = {group(2)}; show(g.split({kind()}))", lambda: f"g = {group(2)}; show(g.subgroup({kind()}))", lambda: f"g = {group(1)}; g.add_note('n'); show(g.derive([Stop()]), g.__notes__)",
            lambda: f"g = {group(1)}; show(g.message, len(g.exceptions), str(g), repr(g)[:200])", lambda: f"raise {group(2)} from {error()}", "ExceptionGroup('x', [])", "ExceptionGroup('x', [1])", "ExceptionGroup(1, [Stop()])", "ExceptionGroup('x', [Fatal()])",
            lambda: f"try:\n    try: raise {group(1)}\n    except* {r.choice(HANDLERS)}: raise\nexcept BaseException as e: show(e, e.__context__)",
            lambda: f"try:\n    try: raise {error()}\n    finally: raise {group(1)}\nexcept Exception as e: show(e); raise {error()} from None"], 2, 6)

    def make_task_group(self) -> str:
        """Tasks, groups of tasks, gather and time-outs, without clocks."""
        r, name = self.rng, self.fresh("tg")
        job = lambda: f"job({r.randint(0, 3)}, {r.choice(('None', 'None', 'ValueError(1)', 'Stop(2)', 'KeyError(3)'))})"  # noqa: E731
        body = lambda: r.choice((  # noqa: E731
            lambda: f"async with asyncio.TaskGroup() as tg:\n    ts = [tg.create_task({job()}) for _ in range({r.randint(1, 3)})]\n    {r.choice(('pass', 'await asyncio.sleep(0)', 'ts[0].cancel()', 'raise Stop(9)', 'x = await ts[0]'))}\nshow([t.cancelled() or t.result() for t in ts])",
            lambda: f"show(await asyncio.gather({job()}, {job()}, return_exceptions={r.random() < 0.6}))", lambda: f"t = asyncio.create_task({job()})\nawait asyncio.sleep(0)\n{r.choice(('t.cancel()', 'pass'))}\ntry: show(await t)\nexcept asyncio.CancelledError: show('cancelled')",
            lambda: f"try:\n    async with asyncio.timeout({r.choice(('0', 'None', '1000'))}): show(await {job()})\nexcept TimeoutError: show('timeout')", lambda: f"show(await asyncio.wait_for({job()}, {r.choice(('None', '1000'))}))",
            lambda: f"q = asyncio.Queue({r.randint(0, 2)})\nasync def put():\n    for v in range(3): await q.put(v)\nt = asyncio.create_task(put())\nshow([await q.get() for _ in range(3)], q.empty(), t.done())",
            lambda: f"async def ag():\n    try:\n        for v in range(4):\n            await asyncio.sleep(0)\n            yield v\n    finally: show('ag fin')\nasync for v in ag():\n    show(v)\n    {r.choice(('pass', 'break', 'if v == 2: break', 'raise Stop(v)'))}",
            lambda: f"l = asyncio.Lock()\nasync def use(v):\n    async with l:\n        show('in', v)\n        await {job()}\nshow(await asyncio.gather(*map(use, range(3)), return_exceptions=True))",
            lambda: "e = asyncio.Event()\nasync def w(v):\n    await e.wait()\n    return v\nt = asyncio.gather(w(1), w(2))\nawait asyncio.sleep(0)\ne.set()\nshow(await t)",
            lambda: f"d, p = await asyncio.wait([asyncio.ensure_future({job()}) for _ in range(2)], return_when=asyncio.FIRST_{r.choice(('COMPLETED', 'EXCEPTION'))})\nshow(len(d), len(p))\nfor t in p: t.cancel()\nfor t in d: t.exception()"))()
        blocks = "\n".join(guard(body()) if r.random() < 0.7 else body() for _ in range(r.randint(1, 3)))
        return (f"import asyncio\nasync def job(turns, error=None):\n    try:\n        for _ in range(turns): await asyncio.sleep(0)\n        if error: raise error\n        return turns\n    except asyncio.CancelledError:\n        show('job cancelled', turns)\n        {r.choice(('raise', 'raise', 'return 5', 'raise Custom(1)'))}\n"
                f"async def {name}():\n    x = None\n{indent(blocks)}\n    return 'done'\ntry: show(asyncio.run({name}()))\nexcept BaseException as err: show('!', err)")

    def make_unwinding(self) -> str:
        """Exceptions with causes, contexts and notes, and where they were raised."""
        r, name = self.rng, self.fresh("un")
        return (f"def {name}(v, w=1):\n    try:\n        {r.choice(('return 1 // v', 'raise Stop(v)', 'return [1][v]', 'return {}[v]', 'return v.zz', 'return int(w)', 'w, v = v', 'raise Custom(v) from KeyError(w)', 'return None + v', 'return zzz'))}\n"
                f"    except {r.choice(HANDLERS)} as e:\n        {r.choice(('raise', 'raise RuntimeError(2)', 'raise e', 'raise KeyError from None', 'e.add_note(repr(v)); raise', 'return e', 'raise type(e)(5) from e', 'e.args = (1, 2); raise'))}\n    finally:\n        {r.choice(('pass', 'show(v)', 'w = 5', 'try: raise Stop(8)' + chr(10) + '        except Stop: pass'))}\n"
                f"def lines(e):\n    tb, found = e.__traceback__, []\n    while tb: found.append(tb.tb_lineno - first); tb = tb.tb_next\n    return found\n"
                + "first = 0\n" + self.uses([f"show({name}({self.any(0)}))", f"try: {name}({self.any(0)})\nexcept Exception as e: show(len(lines(e)), e, e.__suppress_context__)", f"try:\n    try: {name}(0)\n    except Exception as e: {name}([])\nexcept Exception as e: show(e, e.__context__)",
                                             f"try: {name}(0)\nexcept Exception as e:\n    y = e\n    show(str(e), repr(e)[:100])", "show(y)", "raise y", "raise y from y", "try: raise Custom(1, extra=2)\nexcept Custom as e: show(e.extra, e.args, e.with_traceback(None) is e)",
                                             "e = ValueError(1); e.__cause__ = KeyError(2); show(e); e.__context__ = Stop(); show(e); e.__suppress_context__ = False; show(e)", "raise 5", "raise", "raise ValueError from 5", "raise ValueError(1) from KeyError", "show(BaseException.__new__(Stop, 1, 2).args)",
                                             "class E1(Custom):\n    def __init__(self): pass\ntry: raise E1\nexcept Custom as e: show(e, e.args)", "class E2(ValueError):\n    def __str__(self): return 'E2 text'\ntry: raise E2(3)\nexcept (TypeError, ValueError) as e: show(str(e), e)",
                                             "try: assert False, (1, 2)\nexcept AssertionError as e: show(e.args)", "class E3(Exception): pass\ntry: raise E3\nexcept Stop: pass\nexcept Custom: pass\nexcept E3: show('E3')\nelse: show('else')\nfinally: show('finally')", "try: raise Stop\nexcept 5: pass", "try: raise Stop\nexcept (Stop, 5): show(1)",
                                             "try: {}['k']\nexcept LookupError as e: show(type(e), e)", "try: [].pop()\nexcept Exception as e: show(e, e.__traceback__ is None)", "import sys; show(sys.exc_info())", "import sys\ntry: raise Stop(1)\nexcept Stop: show(sys.exc_info()[1])"], 3, 8))
