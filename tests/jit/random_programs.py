"""Makes random programs of numbers, lists, closures and calls, and compares them as `same_results` does.

    python tests/jit/random_programs.py [COUNT [FIRST]]        program number FIRST + i is always the same one
"""
from __future__ import annotations

import pathlib
import random
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent)]
import same_results  # noqa: E402

EDGES = [0, 1, -1, 2, 3, 7, 63, 64, 2 ** 31, 2 ** 53, -2 ** 53, 2 ** 62, 2 ** 63 - 1, -2 ** 63, 10 ** 19, 0.5, -0.0, 1e308, 1e-9, 2.5]


class Maker:
    """One program. The functions call only those before them, or themselves with a smaller first argument."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.functions: list[tuple[str, int]] = []
        self.lines: list[str] = []

    def number(self) -> str:
        if self.random.random() < 0.75:
            return str(self.random.randint(-9, 40))
        return f"({self.random.choice(EDGES)!r})"

    def value(self, names: list[str], deep: int = 2) -> str:
        r = self.random
        kind = r.random()
        if deep == 0 or kind < 0.3:
            return r.choice(names) if r.random() < 0.7 else self.number()
        if kind < 0.8:
            op = r.choice(["+", "-", "*", "+", "-", "*", "%", "//", "/", "&", "|", "^", ">>", "<<"])
            right = str(r.randint(0, 5)) if op in (">>", "<<") else self.value(names, deep - 1)
            return f"({self.value(names, deep - 1)} {op} {right})"
        if kind < 0.88:
            return f"({self.value(names, deep - 1)} if {self.test(names)} else {self.value(names, deep - 1)})"
        if kind < 0.92:
            return f"(-{self.value(names, deep - 1)})"
        if self.functions:
            name, n = r.choice(self.functions)
            return f"{name}({', '.join(self.value(names, deep - 1) for _ in range(n))})"
        return f"xs[{r.choice(names)} % 5]"

    def test(self, names: list[str]) -> str:
        return f"{self.value(names, 1)} {self.random.choice(['<', '<=', '>', '>=', '==', '!='])} {self.value(names, 1)}"

    def body(self, names: list[str], indent: int, depth: int) -> None:
        r = self.random
        for _ in range(r.randint(1, 4)):
            pad = " " * indent
            kind = r.random()
            if kind < 0.5 or depth == 0:
                name = r.choice("abcd")
                op = r.choice(["=", "=", "+=", "-=", "*="]) if name in names else "="
                self.lines.append(f"{pad}{name} {op} {self.value(names)}")
                if name not in names and depth == 2:
                    names.append(name)
            elif kind < 0.65:
                self.lines.append(f"{pad}if {self.test(names)}:")
                self.body(list(names), indent + 1, depth - 1)
            elif kind < 0.8:
                item = f"i{indent}"
                self.lines.append(f"{pad}for {item} in range({r.choice(['9', '30', f'{r.choice(names)} % 13', '20, 1, -3'])}):")
                self.body([*names, item], indent + 1, depth - 1)
                if r.random() < 0.2:
                    self.lines.append(f"{pad} if {self.test([*names, item])}: {r.choice(['break', 'continue'])}")
            elif kind < 0.9:
                self.lines.append(f"{pad}xs[{self.value(names, 1)} % 5] = {self.value(names)}")
            else:
                self.lines.append(f"{pad}xs.append({self.value(names)}); xs.pop()")

    def function(self, i: int) -> None:
        r = self.random
        n = r.randint(1, 3)
        names = [f"p{k}" for k in range(n)]
        self.lines.append(f"def f{i}({', '.join(names)}):")
        if r.random() < 0.5:
            rest = "".join(f", {self.value(names, 1)}" for _ in names[1:])
            self.lines += [f" if p0 < 1 or p0 > 12: return {self.value(names, 1)}",
                           f" {r.choice('ab')} = f{i}(p0 - 1{rest}) {r.choice('+-')} {self.value(names, 1)}",
                           f" return {self.value(names)}"]
        else:
            self.lines.append(" a = b = p0")
            self.body([*names, "a", "b"], 1, 2)
            self.lines.append(f" return {r.choice('ab')}")
        self.functions.append((f"f{i}", n))

    def program(self) -> str:
        r = self.random
        self.lines = ["xs = [1, 2.5, 3, 10 ** 18, True]"]
        for i in range(r.randint(1, 4)):
            self.function(i)
        name, n = self.functions[-1]
        self.lines += ["def main(k):", " for i in range(k):", "  try:",
                       f"   print(i, {name}({', '.join(['i', 'i * 0.5', 'i % 3', '5', 'i << 58'][r.randint(0, 4)] for _ in range(n))}))",
                       "  except (ArithmeticError, TypeError, ValueError, NameError) as e: print(type(e).__name__, e)",
                       "main(14)", f"{name}({', '.join(['3'] * n)})", "print(xs)"]
        return "\n".join(self.lines) + "\n"


if __name__ == "__main__":
    sys.exit(same_results.campaign(lambda number: Maker(number).program(), sys.argv[1:], 30))
