"""Makes random programs of classes, generators, dicts, strings and globals that change on the way, and compares them as
`same_results` does.

    python tests/jit/random_objects.py [COUNT [FIRST]]        program number FIRST + i is always the same one
"""
from __future__ import annotations

import pathlib
import random
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent)]
import same_results  # noqa: E402

HEAD = """\
class Noisy:
    def __init__(self, n): self.n = n
    def __del__(self):
        log.append(('gone', self.n, len(log)))
        if len(log) % 5 == 0: frames()
def frames():
    f = sys._getframe(2)
    while f is not None and len(log) < 90:
        log.append((f.f_code.co_name, f.f_lineno, sorted(k for k in f.f_locals if k[:1] in 'abio' and len(k) < 3)))
        f = f.f_back
class Slotted:
    __slots__ = ('x', 'y')
    def __init__(self, x, y): self.x = x; self.y = y
    def total(self): return self.x + self.y
"""
VALUES = ["0", "1", "-1", "2.5", "True", "None", "'ab'", "(1, 2)", "[3]", "2 ** 62", "10 ** 20", "float('nan')", "Noisy(i)", "b''"]


class Maker:
    """One program: two classes that know each other, functions and generators over them, and a loop that breaks what was assumed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = ["import sys", "log = []", *HEAD.splitlines(), "k = 3", "d = {}", "xs = [1, 2, 3, 4]", "s = 'héllo'"]

    def pick(self, *what: str) -> str:
        return self.random.choice(what)

    def value(self, deep: int = 2) -> str:
        r = self.random
        if deep == 0 or r.random() < 0.25:
            return self.pick("i", "i", "self.a", "self.b", "k", "n", str(r.randint(-5, 30)), "0.5")
        kind = r.randint(0, 13)
        v = self.value
        if kind < 5:
            return f"({v(deep - 1)} {self.pick('+', '-', '*', '+', '-', '&', '%', '//', '<<')} {v(deep - 1) if r.random() < 0.6 else r.randint(1, 4)})"
        if kind == 5:
            return f"len({self.pick('xs', 's', 'd', '(i, k)', 'str(i)')})"
        if kind == 6:
            return f"{self.pick('min', 'max')}({v(deep - 1)}, {v(deep - 1)})"
        if kind == 7:
            return f"{self.pick('abs', 'int', 'float', 'bool')}({v(deep - 1)})"
        if kind == 8:
            return f"d.get({self.pick('i', 'i % 4', 's', 'k')}, {v(deep - 1)})"
        if kind == 9:
            return f"xs[{v(0)} % 4]"
        if kind == 10:
            return f"({v(deep - 1)} if {self.test()} else {v(deep - 1)})"
        if kind == 11:
            return f"helper({v(deep - 1)})"
        return f"self.get({v(deep - 1)})"

    def test(self) -> str:
        return self.pick(f"{self.value(1)} {self.pick('<', '==', '>=', '!=')} {self.value(1)}", "i in d", "i % 4 not in xs", "'l' in s",
                         "self.b", f"i % {self.random.randint(2, 9)} == 0", "str(i) in d", "isinstance(self.a, int)")

    def change(self) -> str:
        """What code that was made for something else has to notice."""
        at = self.random.randint(5, 110)
        v = self.random.choice(VALUES)
        what = self.pick(f"self.a = {v}", f"self.b = {v}", "A.get = lambda self, x: x", "A.get = A.other", f"del self.b; self.b = {v}",
                         f"self.get = lambda x: {v}", f"globals()['k'] = {v}", "globals()['helper'] = lambda x: x",
                         "self.__class__ = B", f"self.__dict__['c'] = {v}", f"xs[:] = [{v}, 1, {v}, 4]", "d.clear()",
                         f"d[i] = {v}", f"d[{v if v not in ('[3]',) else 1}] = 2", "globals()['len'] = lambda x: 7", "globals().pop('len', 0)",
                         f"A.c = property(lambda self: {v})", f"A.a = {v}" if v != "None" else "pass", "xs.append(xs.pop())",
                         "self.a = self", f"globals()['s'] = {self.pick(repr('x' * 3), repr('λ'), '5')}", "raise ValueError(i)")
        return f"if i == {at}: {what}"

    def statement(self, pad: str, deep: int) -> list[str]:
        kind = self.random.randint(0, 12)
        if kind < 3:
            return [f"{pad}self.{self.pick('a', 'b')} {self.pick('=', '+=', '-=')} {self.value()}"]
        if kind == 3:
            return [f"{pad}d[{self.pick('i % 7', 'str(i % 3)', 'i', 's')}] = {self.value()}"]
        if kind == 4:
            return [f"{pad}xs[{self.value(0)} % 4] = {self.value()}"]
        if kind == 5:
            return [f"{pad}t = {self.pick('i, k', 'i, self.a, 3', '(i, [i])')}", f"{pad}{self.pick('u, v = t', 'u, *v = t')}"]
        if kind == 6:
            return [f"{pad}{self.pick('o', 'p')} = {self.pick('Noisy(i)', 'i', 'Slotted(i, k)', 'self', 's', 'None', 'Slotted(i, 1).total()')}"]
        if kind == 7 and deep:
            return [f"{pad}if {self.test()}:", *self.statement(pad + " ", deep - 1)]
        if kind == 8 and deep:
            return [f"{pad}for j in {self.pick('range(3)', 'xs', 'gen(3)', '(1, 2.5)', 'd', 's', 'list(d)')}:",
                    *self.statement(pad + " ", deep - 1)]
        if kind == 9:
            return [f"{pad}try: {self.pick('raise KeyError(i)', 'self.a += xs[i % 5]', 'k // (i % 3)', 'd[i]', 'self.nothing')}",
                    f"{pad}except (LookupError, ArithmeticError, AttributeError, TypeError) as e: self.b = i"]
        if kind == 10:
            return [f"{pad}out.append({self.value()})", f"{pad}if len(out) > 9: out.pop()"]
        return [f"{pad}self.{self.pick('step', 'step', 'other')}({self.value(1)})"]

    def body(self, pad: str, n: int) -> list[str]:
        return [line for _ in range(n) for line in self.statement(pad, 2)]

    def program(self) -> str:
        r = self.random
        simple = Simple(r)
        self.lines += [
            "def helper(x): return x" if r.random() < 0.3 else f"def helper(x): return {simple.value('x')}",
            "class A:", " def __init__(self, a, b): self.a = a; self.b = b",
            f" def get(self, x): return {simple.value('self.a', 'self.b', 'x')}",
            f" def other(self, x=2): return {simple.value('self.a', 'x')}",
            " def step(self, x):", f"  self.a {self.pick('=', '+=')} {simple.value('x', 'self.b')}",
            f"  if x {self.pick('<', '>')} self.a: {self.pick('return', 'return self.b', 'self.b = x')}",
            f"  return {simple.value('self.a', 'x')}",
            f" def __bool__(self): return {self.pick('True', 'self.a is not None')}" if r.random() < 0.2 else " z = 1",
            "class B(A):", f" def get(self, x): return {simple.value('x', 'self.a')}",
            "def gen(n):", f" {self.pick('i = 0', 'i, q = 0, 1.5')}", f" while i < n{self.pick('', ' and k is not 7')}:".replace("is not 7", "!= 7"),
            f"  {self.pick('yield i', 'yield i * 2', 'yield (i, i)', 'x = yield i; i += x is not None', 'yield Noisy(i)')}", "  i += 1",
            f" {self.pick('return 5', 'pass', '1 // 0' if r.random() < 0.1 else 'pass')}",
            "def work(self, n):", " o = p = None", " out = []",
            f" for i in {self.pick('range(n)', 'range(n)', 'gen(n)', 'range(n, 0, -1)', 'list(range(n))')}:",
            *(["  if isinstance(i, tuple): i = i[0]", "  if not isinstance(i, int): i = i.n"]),
            *self.body("  ", r.randint(1, 4)), *(f"  {self.change()}" for _ in range(r.randint(0, 3))),
            " return out[-3:], self.a if not isinstance(self.a, (A, Noisy)) else 0, xs, len(d)",
            "for turn in range(4):", " try: print(work((A, B)[turn % 2](turn, 2.5 if turn == 3 else 2), (60, 130, 9, 130)[turn]))",
            " except Exception as e: print(type(e).__name__, str(e)[:100])",
            " if len(log) > 60: print(log); log.clear()",
            "print(log, sorted(map(str, d)) if d else 0)", f"work(A(1, 2), {r.randint(3, 90)})"]
        return "\n".join(self.lines) + "\n"


class Simple:
    """Expressions of a few names, for functions that are short enough to be spliced."""

    def __init__(self, r: random.Random) -> None:
        self.random = r

    def value(self, *names: str) -> str:
        r = self.random
        left, right = (r.choice([*names, "1", "k", "3"]) for _ in range(2))
        return r.choice([f"{left} {r.choice('+-*')} {right}", left, f"({left} if {right} {r.choice('<>')} 4 else {right})",
                         f"{left} + {right} * 2", f"{left} == {right}", f"[{left}][0]", f"{left} and {right}"])


if __name__ == "__main__":
    sys.exit(same_results.campaign(lambda number: Maker(number).program(), sys.argv[1:], 60))
