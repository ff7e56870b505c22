"""Random guest programs about coroutines and asynchronous generators, made from a seed by plain `random`.

A program defines a few coroutine functions, asynchronous generator functions and awaitable classes with random bodies, and then
does random things to their objects by hand: send, throw, close, asend, athrow, aclose, dropping them, all of it in any order and
state. After each step it shows the outcome with the whole chain of the exception, and the state that the objects tell.
"""

from __future__ import annotations

import random

PRELUDE = '''
import sys, traceback
alive, kept, kept_late = [], [], []     # so that nothing is dropped: when depends on what tracebacks keep alive
sys.set_asyncgen_hooks(firstiter=alive.append)
class Stop(Exception): pass
class Fatal(BaseException): pass
budget = 300
def spend():
    global budget
    budget -= 1
    if budget < 0: raise Fatal("budget")
def error(e, depth=0):
    found = type(e).__name__ + ':' + '|'.join(str(a)[:80] for a in e.args)
    if isinstance(e, StopIteration): found += '=' + repr(e.value)[:60]
    if depth < 4:
        if e.__cause__ is not None: found += ' from (' + error(e.__cause__, depth + 1) + ')'
        elif e.__context__ is not None: found += ' after (' + error(e.__context__, depth + 1) + ')'
    return found
def lines(e):
    # 3.11 forgets entries where an exception gets a context on its way through a generator.
    tb = e.__traceback__ if e.__context__ is None or sys.version_info >= (3, 12) else None
    return [(entry.name, entry.lineno) for entry in traceback.extract_tb(tb)][1:]
class Wait:
    def __init__(self, value): self.value = value
    def __await__(self):
        try:
            got = yield self.value
        except Stop as e:
            got = yield 'caught ' + str(e)
        return (self.value, got)
class Plain:
    def __init__(self, n): self.n = n
    def __await__(self): return iter(range(self.n))
class Ready:
    def __await__(self):
        return 'ready'
        yield
class Thrower:
    def __init__(self, name): self.name = name
    def __await__(self): return self
    def __iter__(self): return self
    def __next__(self): return 'next ' + self.name
    def throw(self, *args):
        if self.name == 'stop': raise StopIteration('thrown')
        if self.name == 'yield': return 'thrown into'
        raise args[0]
    def close(self):
        if self.name == 'bad': raise ValueError('close')
class Bad:
    def __await__(self): return 5
class Steps:
    def __init__(self, n): self.n = n
    def __aiter__(self): return self
    async def __anext__(self):
        self.n -= 1
        if self.n < 0: raise StopAsyncIteration('end')
        if self.n % 2: await Wait('step')
        return self.n
class Odd:
    def __init__(self, n): self.n = n
    def __aiter__(self): return self
    def __anext__(self):
        self.n -= 1
        if self.n < 0: raise StopAsyncIteration
        return [Ready(), Wait('odd'), 7][self.n % 3]
class Manager:
    def __init__(self, kind): self.kind = kind
    async def __aenter__(self):
        print('enter', self.kind)
        if self.kind == 'wait': await Wait('enter')
        if self.kind == 'fail': raise ValueError('enter')
        return self.kind
    async def __aexit__(self, kind, value, tb):
        print('exit', self.kind, kind and kind.__name__)
        if self.kind == 'wait': await Wait('exit')
        if self.kind == 'raise': raise KeyError('exit')
        return self.kind == 'swallow'
def state(o):
    for p in ('cr', 'ag', 'gi'):
        if hasattr(o, p + '_running'):
            parts = [getattr(o, p + '_running'), getattr(o, p + '_frame') is None]
            if p == 'cr': parts.append(o.cr_await is None)
            if p == 'ag': parts.append(o.ag_await is None)
            return p + str(parts)
    return type(o).__name__
def step(number, call, *watched):
    try:
        result = call()
    except BaseException as e:
        print(number, 'raised', error(e), lines(e), *[state(o) for o in watched])
    else:
        print(number, 'gave', type(result).__name__ if hasattr(result, '__await__') or hasattr(result, '__anext__') else repr(result),
              *[state(o) for o in watched])
        return result
'''


class Maker:
    """Makes the parts of one program; `random` decides everything."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.coroutines: list[str] = []
        self.generators: list[str] = []
        self.depth = 0
        self.asynchronous_generator = False

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def exception(self) -> str:
        return self.pick("Stop('x')", "ValueError('v')", "KeyError('k')", "Fatal('f')", "StopIteration('si')", "StopAsyncIteration('sa')",
                         "GeneratorExit('ge')", "Stop", "GeneratorExit")

    def awaitable(self) -> str:
        choices = ["Wait('w')", "Wait(1)", "Ready()", "Plain(2)", "Thrower('stop')", "Thrower('yield')", "Thrower('bad')", "Bad()",
                   "Wait('z')", "Wait('y')"]
        choices += [f"{name}(n)" for name in self.coroutines] * 2
        choices += [f"{name}(n).__await__()" for name in self.coroutines[:1]]
        for name in self.generators:
            choices += [f"anext({name}(n))", f"{name}(n).asend(None)", f"anext({name}(n), 'default')", f"{name}(n).aclose()",
                        f"{name}(n).athrow({self.exception()})"]
        return self.random.choice(choices)

    def iterable(self) -> str:
        choices = ["Steps(3)", "Steps(2)", "Odd(2)", "Steps(0)"] + [f"{name}(n)" for name in self.generators] * 3
        return self.random.choice(choices)

    def expression(self) -> str:
        kind = self.random.randrange(12)
        if kind < 5:
            return f"await {self.awaitable()}"
        if kind == 5:
            return f"[x async for x in {self.iterable()}]"
        if kind == 6:
            return f"{{x: await {self.awaitable()} async for x in {self.iterable()} if x}}"
        if kind == 7:
            return f"[await {self.awaitable()} for x in range(2)]"
        if kind == 8:
            return f"[[y async for y in {self.iterable()}] for x in range(2)]"
        if kind == 9:
            return f"[z async for z in (x async for x in {self.iterable()} if not x or await {self.awaitable()})]"
        if kind == 10 and self.asynchronous_generator:
            return f"(yield await {self.awaitable()})"
        return self.pick("n", "n * 2", "'text'")

    def statement(self) -> list[str]:
        self.depth += 1
        try:
            return self.statement_of(self.random.randrange(11 if self.depth < 4 else 5))
        finally:
            self.depth -= 1

    def statement_of(self, kind: int) -> list[str]:
        if kind == 0 and self.asynchronous_generator:
            return [f"got = yield {self.expression()}", "print('got', repr(got)[:40])"]
        if kind <= 2:
            return [f"print('value', repr({self.expression()})[:60])"]
        if kind == 3:
            if self.chance(0.3):
                return [self.pick("return", "return" if self.asynchronous_generator else "return n",
                                  "if n: return", f"raise {self.exception()}")]
            return ["spend()", "n -= 1"]
        if kind == 4:
            return [f"yield {self.pick('n', '1', '(n, 2)', 'ValueError')}"] if self.asynchronous_generator \
                else [f"await {self.awaitable()}"]
        if kind <= 6:
            lines = ["try:", *self.block()]
            if self.chance(0.7):
                lines += [self.pick("except Stop as e:", "except ValueError as e:", "except Exception as e:", "except BaseException as e:",
                                    "except GeneratorExit as e:", "except (KeyError, StopAsyncIteration) as e:"),
                          "    print('caught', error(e))", *self.block()]
                if self.chance(0.3):
                    lines += [self.pick("    raise", "    raise Stop('new')", "    raise KeyError('from') from e")]
            else:
                lines += ["finally:", "    print('finally')", *self.block()]
            return lines
        if kind == 7:
            return [f"async for x in {self.iterable()}:", "    spend()", *self.block(),
                    *([f"    {self.pick('break', 'continue')}"] if self.chance(0.3) else [])]
        if kind == 8:
            kinds = [self.pick("plain", "wait", "swallow", "raise", "fail") for _ in range(self.random.randint(1, 2))]
            return ["async with " + ", ".join(f"Manager({k!r})" for k in kinds) + ":", *self.block()]
        if kind == 9:
            return [f"for x in range({self.random.randint(1, 2)}):", *self.block()]
        return ["while n > 0:", "    n -= 1", "    spend()", *self.block()]

    def block(self) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 2)):
            lines += self.statement()
        return ["    " + line for line in lines]

    def function(self, number: int) -> list[str]:
        self.asynchronous_generator = self.chance(0.5)
        body = []
        for _ in range(self.random.randint(1, 4)):
            body += self.statement()
        name = f"{'g' if self.asynchronous_generator else 'c'}{number}"
        if self.asynchronous_generator and not any("yield" in line for line in body):
            body.append("yield n")
        lines = [f"async def {name}(n=2):", "    spend()", *["    " + line for line in body]]
        (self.generators if self.asynchronous_generator else self.coroutines).append(name)
        return lines

    def driving(self) -> list[str]:
        lines = []
        number = 0
        for name in self.coroutines:
            for _ in range(2):
                lines += [f"o = {name}({self.random.randint(0, 3)})", "kept.append(o)"]
                if self.chance(0.2):
                    lines.append("w = o.__await__()")
                for _ in range(self.random.randint(1, 6)):
                    number += 1
                    target = "w" if self.chance(0.2) and "w = o" in lines[-2:] else "o"
                    call = self.pick(f"{target}.send(None)", f"{target}.send(None)", f"{target}.send({number})",
                                     f"{target}.throw({self.exception()})", f"{target}.close()")
                    lines.append(f"step({number}, lambda: {call}, o)")
                if self.chance(0.5):
                    lines.append("step('run', lambda: drive(o), o)")
                lines.append("o.close() if o.cr_frame is None else step('end', o.close, o)")
        for name in self.generators:
            for _ in range(2):
                lines.append(f"g = {name}({self.random.randint(0, 3)})")
                lines.append("a = g.asend(None)")
                for _ in range(self.random.randint(2, 8)):
                    number += 1
                    what = self.random.randrange(8)
                    if what < 3:
                        make = self.pick("g.asend(None)", f"g.asend({number})", "g.__anext__()", f"g.athrow({self.exception()})", "g.aclose()",
                                         "anext(g)", "anext(g, 'd')")
                        lines.append(f"a = step({number}, lambda: {make}, g) or a")
                    else:
                        call = self.pick("a.send(None)", "a.send(None)", f"a.send({number})", f"a.throw({self.exception()})", "a.close()",
                                         "drive(a)")
                        lines.append(f"step({number}, lambda: {call}, g)")
                if self.chance(0.5):
                    lines.append("step('close', lambda: drive(g.aclose()), g)")
                if self.chance(0.3):
                    lines += ["del a", "del g"]
        return lines


DRIVE = '''
def drive(o):
    it = o if hasattr(o, 'send') else o.__await__()
    seen = []
    for i in range(60):
        try:
            seen.append(it.send(None) if hasattr(it, 'send') else next(it))
        except StopIteration as e:
            return (seen, e.value)
    return (seen, 'cut')
'''
END = '''
sys.set_asyncgen_hooks(firstiter=kept_late.append)
for g in alive: step('left', lambda: drive(g.aclose()), g)
for o in kept:
    for _ in range(20):
        if o.cr_frame is not None: step('left', o.close, o)
print('done')
def print(*args): pass
'''


def make_program(seed: int) -> str:
    """Return the program of a seed; the same on every host."""
    maker = Maker(seed)
    lines: list[str] = []
    for number in range(maker.random.randint(2, 5)):
        lines += maker.function(number)
    return PRELUDE + DRIVE + "\n".join(lines + maker.driving()) + END
