"""Strategies for random programs whose expressions mostly have the right types, so that they run far before they fail.

The names i, j, n hold ints, u a float, s, t strings, l, m lists of ints, k a dict of ints by string; every assignment keeps that.
Integer growth is cut by `cut` (modulo 2**70), so that values pass the 64-bit borders in both directions all the time.
"""

from __future__ import annotations

from hypothesis import strategies as st
from programs import PRELUDE, indent

BORDERS = ["2**62", "2**63", "(2**63 - 1)", "(-2**63)", "(-2**63 - 1)", "2**31", "10**19", "4611686018427387904", "9223372036854775807"]
INTS, FLOATS, TEXTS, LISTS = ("i", "j", "n"), ("u", "w"), ("s", "t"), ("l", "m")


def ints(depth: int):
    """Return a strategy for int expressions."""
    leaf = st.one_of(st.sampled_from(INTS), st.sampled_from(INTS), st.integers(-4, 9).map(str), st.sampled_from(BORDERS))
    if depth <= 0:
        return leaf
    a, b, t, l, c = ints(depth - 1), ints(depth - 1), texts(depth - 1), lists(depth - 1), conditions(depth - 1)
    return st.one_of(
        leaf, st.tuples(a, st.sampled_from(["+", "-", "*", "&", "|", "^", "//", "%"]), b).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(a, st.sampled_from(["+", "-", "*"]), b).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(st.sampled_from(["-", "~", "+", "abs"]), a).map(lambda p: f"{p[0]}({p[1]})"),
        st.tuples(a, st.sampled_from(["<<", ">>"]), st.integers(0, 70)).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        t.map(lambda p: f"len({p})"), l.map(lambda p: f"len({p})"), l.map(lambda p: f"sum({p})"),
        st.tuples(l, a).map(lambda p: f"at({p[0]}, {p[1]})"), st.tuples(t).map(lambda p: f"k.get({p[0]}, 0)"),
        st.tuples(a, c, b).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"), st.tuples(l, a).map(lambda p: f"max({p[0]}, default={p[1]})"),
        st.tuples(a, b).map(lambda p: f"fn({p[0]}, {p[1]})"), st.tuples(a, b).map(lambda p: f"fn(y={p[0]}, x={p[1]})"),
        st.tuples(a).map(lambda p: f"P({p[0]}).m()"), st.tuples(a, b).map(lambda p: f"(P({p[0]}) + {p[1]}).v"), st.tuples(a, b).map(lambda p: f"({p[0]} - P({p[1]})).v"),
        st.tuples(st.sampled_from(INTS), a).map(lambda p: f"({p[0]} := cut({p[1]}))"), c.map(lambda p: f"int({p})"), floats(depth - 1).map(lambda p: f"whole({p})"),
        st.tuples(a, l, c).map(lambda p: f"sum({p[0]} for i in {p[1]} if {p[2]})"), st.tuples(a, b).map(lambda p: f"(lambda i, *r, j={p[0]}: i + j)({p[1]}, n)"),
        st.just("o.v"), st.just("bump()"), st.tuples(a).map(lambda p: f"next(g for g in gen({p[0]}) if g)"))


def floats(depth: int):
    """Return a strategy for float expressions."""
    leaf = st.one_of(st.sampled_from(FLOATS), st.sampled_from(["0.5", "-1.25", "1e10", "0.0", "-0.0", "1e308", "5e-324", "float('inf')"]))
    if depth <= 0:
        return leaf
    a, b = floats(depth - 1), floats(depth - 1)
    return st.one_of(
        leaf, st.tuples(a, st.sampled_from(["+", "-", "*", "/", "//", "%"]), b).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(a, st.sampled_from(["+", "-", "*", "/"]), ints(depth - 1)).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(ints(depth - 1), st.sampled_from(["+", "-", "*", "/"]), a).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        a.map(lambda p: f"(-{p})"), a.map(lambda p: f"abs({p})"), st.tuples(a, conditions(depth - 1), b).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"))


def texts(depth: int):
    """Return a strategy for str expressions."""
    leaf = st.one_of(st.sampled_from(TEXTS), st.sampled_from(["'a'", "''", "'héllo'", "'ab,c'", "'x y'"]))
    if depth <= 0:
        return leaf
    a, b, n = texts(depth - 1), texts(depth - 1), ints(depth - 1)
    return st.one_of(
        leaf, st.tuples(a, b).map(lambda p: f"({p[0]} + {p[1]})"), st.tuples(a, st.integers(-1, 3)).map(lambda p: f"({p[0]} * {p[1]})"),
        st.tuples(a, n, n).map(lambda p: f"({p[0]})[{p[1]}:{p[2]}]"), st.tuples(a, st.sampled_from(["::-1", "1:", "::2", "-2:"])).map(lambda p: f"({p[0]})[{p[1]}]"),
        n.map(lambda p: f"str({p})"), a.map(lambda p: f"({p}).upper()"), st.tuples(a, b).map(lambda p: f"({p[0]}).replace({p[1]} or 'a', 'zz')"),
        st.tuples(a, st.sampled_from([":>8", ":<3", ":^5", "!r", "!r:>9", ""])).map(lambda p: f"f\"<{{{p[0]}{p[1]}}}>\"" if '"' not in p[0] and "\\" not in p[0] else p[0]),
        st.tuples(n, st.sampled_from([":d", ":x", ":>9", ":+", ":,", ":05"])).map(lambda p: f"f\"{{{p[0]}{p[1]}}}\"" if '"' not in p[0] and ":=" not in p[0] and "lambda" not in p[0] else "'-'"),
        floats(depth - 1).map(lambda p: f"f\"{{{p}:.3g}}\"" if '"' not in p and ":=" not in p and "lambda" not in p else "'-'"),
        st.tuples(a, lists(depth - 1)).map(lambda p: f"({p[0]}).join(map(str, {p[1]}))"), a.map(lambda p: f"'%s|%r' % ({p}, n)"), a.map(lambda p: f"','.join(sorted(({p}).split()))"))


def lists(depth: int):
    """Return a strategy for expressions that give a list of ints."""
    leaf = st.sampled_from([*LISTS, "[1, 2, 3]", "[]", "list(range(4))"])
    if depth <= 0:
        return leaf
    a, b, n, c = lists(depth - 1), lists(depth - 1), ints(depth - 1), conditions(depth - 1)
    return st.one_of(
        leaf, st.lists(n, max_size=3).map(lambda p: "[" + ", ".join(p) + "]"), st.tuples(a, b).map(lambda p: f"({p[0]} + {p[1]})[:8]"),
        st.tuples(a, n, n).map(lambda p: f"({p[0]})[{p[1]}:{p[2]}]"), st.tuples(n, a, c).map(lambda p: f"[cut({p[0]}) for i in {p[1]} if {p[2]}]"),
        st.tuples(a, b, n).map(lambda p: f"[cut({p[2]}) for i in {p[0]}[:3] for j in {p[1]}[:3]]"), a.map(lambda p: f"sorted({p})"), a.map(lambda p: f"sorted({p}, key=lambda i: (i % 3, i), reverse=True)"),
        st.tuples(n, a).map(lambda p: f"[*{p[1]}[:5], {p[0]}]"), a.map(lambda p: f"list(reversed({p}))"), n.map(lambda p: f"list(gen({p}))"),
        a.map(lambda p: f"[x - y for x, y in zip({p}, l)]"), texts(depth - 1).map(lambda p: f"[ord(c) for c in {p}][:6]"), a.map(lambda p: f"list(filter(None, {p}))"), st.just("list(k.values())"))


def conditions(depth: int):
    """Return a strategy for conditions."""
    n = ints(max(depth - 1, 0))
    a = st.deferred(lambda: conditions(depth - 1)) if depth > 0 else st.sampled_from(["True", "i", "not l", "s"])
    simple = st.tuples(n, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), n).map(lambda p: f"{p[0]} {p[1]} {p[2]}")
    return st.one_of(simple, simple, st.tuples(n, n, n).map(lambda p: f"{p[0]} < {p[1]} <= {p[2]}"), st.tuples(n, lists(max(depth - 1, 0))).map(lambda p: f"{p[0]} in {p[1]}"),
                     st.tuples(floats(max(depth - 1, 0)), st.sampled_from(["<", ">=", "=="]), n).map(lambda p: f"{p[0]} {p[1]} {p[2]}"), a.map(lambda p: f"(not {p})"),
                     st.tuples(a, st.sampled_from(["and", "or"]), a).map(lambda p: f"({p[0]} {p[1]} {p[2]})"), texts(max(depth - 1, 0)).map(lambda p: f"{p} in s"), st.just("o.v is n"))


def statement(depth: int, loop: bool, function: bool, generator: bool):
    """Return a strategy for a statement that keeps the types of the names."""
    n, f, t, l, c = ints(2), floats(2), texts(2), lists(2), conditions(1)
    simple = [
        st.tuples(st.sampled_from(INTS), n).map(lambda p: f"{p[0]} = cut({p[1]})"), st.tuples(st.sampled_from(INTS), st.sampled_from(["+=", "-=", "*=", "^=", "//=", "%=", ">>="]), st.integers(1, 7)).map(lambda p: f"{p[0]} {p[1]} {p[2]}; {p[0]} = cut({p[0]})"),
        st.tuples(st.sampled_from(INTS), st.sampled_from(["+=", "-="]), n).map(lambda p: f"{p[0]} {p[1]} {p[2]}; {p[0]} = cut({p[0]})"),
        st.tuples(st.sampled_from(FLOATS), f).map(lambda p: f"{p[0]} = {p[1]}"), st.tuples(st.sampled_from(FLOATS), n).map(lambda p: f"{p[0]} += {p[1]} % 1000"),
        st.tuples(st.sampled_from(TEXTS), t).map(lambda p: f"{p[0]} = ({p[1]})[-30:]"), st.tuples(st.sampled_from(TEXTS), t).map(lambda p: f"{p[0]} += {p[1]}; {p[0]} = {p[0]}[:40]"),
        st.tuples(st.sampled_from(LISTS), l).map(lambda p: f"{p[0]} = ({p[1]})[:12]"), st.tuples(st.sampled_from(LISTS), n).map(lambda p: f"{p[0]}.append(cut({p[1]})); del {p[0]}[12:]"),
        st.tuples(st.sampled_from(LISTS), n, n).map(lambda p: f"{p[0]}[{p[1]} % len({p[0]})] = cut({p[2]})"), st.tuples(st.sampled_from(LISTS), n, n).map(lambda p: f"{p[0]}[{p[1]}] += {p[2]}"),
        st.tuples(t, n).map(lambda p: f"k[({p[0]})[:3]] = cut({p[1]})"), t.map(lambda p: f"k[({p})[:4]] = k.get(({p})[:4], 0) + 1"), st.tuples(n, n).map(lambda p: f"i, j = cut({p[0]}), cut({p[1]})"), l.map(lambda p: f"i, *l, j = {p}"),
        st.tuples(n, n).map(lambda p: f"(i, n), [j] = ({p[0]} % 7, {p[1]} % 9), [i]"), n.map(lambda p: f"o.v = cut({p})"), n.map(lambda p: f"o.v += {p}; o.v = cut(o.v)"),
        n.map(lambda p: f"show({p})"), t.map(lambda p: f"show({p})"), l.map(lambda p: f"show({p})"), f.map(lambda p: f"show({p})"), c.map(lambda p: f"show({p})"), st.just("show((i, j, u, s, l))"),
        t.map(lambda p: f"raise Custom({p})"), c.map(lambda p: f"assert {p}, s"), st.just("l.pop()"), st.just("m.sort()"), st.just("l, m = m, l"),
        n.map(lambda p: f"if {p} % 3 == 1: raise ValueError(i % 10)"),
    ]
    if loop:
        simple += [st.just("break"), st.just("continue"), c.map(lambda p: f"if {p}: break"), c.map(lambda p: f"if {p}: continue")]
    if function:
        simple += [n.map(lambda p: f"return {p}"), c.map(lambda p: f"if {p}: return n")]
    if generator:
        simple += [n.map(lambda p: f"yield cut({p})"), n.map(lambda p: f"i = yield {p}\n    if i is None: i = 3".replace("\n    ", "\n")), l.map(lambda p: f"yield from {p}")]
    if depth <= 0:
        return st.one_of(simple)
    same, inner = block(depth - 1, loop, function, generator), block(depth - 1, True, function, generator)
    compound = [
        st.tuples(c, same, same).map(lambda p: f"if {p[0]}:\n{indent(p[1])}\nelse:\n{indent(p[2])}"),
        st.tuples(st.sampled_from(INTS), l, inner, same).map(lambda p: f"for {p[0]} in ({p[1]})[:5]:\n{indent(p[2])}\nelse:\n{indent(p[3])}"),
        st.tuples(st.sampled_from(INTS), st.sampled_from(["4", "1, 8, 3", "5, -5, -2", "2**63 - 2, 2**63 + 2", "-2**63 - 1, -2**63 + 2", "3, 3"]), inner).map(lambda p: f"for {p[0]} in range({p[1]}):\n{indent(p[2])}"),
        st.tuples(c, inner).map(lambda p: f"while tick() and {p[0]}:\n{indent(p[1])}"),
        st.tuples(same, st.sampled_from(["Exception", "ValueError", "(IndexError, KeyError)", "ArithmeticError", "Custom"]), same, same).map(
            lambda p: f"try:\n{indent(p[0])}\nexcept {p[1]} as err:\n    show(error(err))\n{indent(p[2])}\nfinally:\n{indent(p[3])}"),
        st.tuples(same, same, same).map(lambda p: f"try:\n{indent(p[0])}\nexcept Exception as err:\n    show(error(err))\n{indent(p[1])}\nelse:\n{indent(p[2])}"),
        st.tuples(st.booleans(), same).map(lambda p: f"with Manager({p[0]}) as l:\n{indent(p[1])}"),
        st.tuples(l, same, same, same).map(lambda p: f"match {p[0]}:\n    case [i, j, *_] if i < j:\n{indent(indent(p[1]))}\n    case [0 | 1 as n, *l]:\n{indent(indent(p[2]))}\n    case [] | [_]:\n{indent(indent(p[3]))}"),
        st.tuples(n, same, same).map(lambda p: f"match {p[0]} % 4:\n    case 0 | 3:\n{indent(indent(p[1]))}\n    case n:\n{indent(indent(p[2]))}"),
    ]
    return st.one_of(*simple, *compound, *compound)


def block(depth: int, loop: bool, function: bool, generator: bool):
    """Return a strategy for one to five statements."""
    return st.lists(statement(depth, loop, function, generator), min_size=1, max_size=5).map("\n".join)


TYPED_PRELUDE = PRELUDE + '''
def cut(v): return v if -2**70 < v < 2**70 else v % 1000003
def at(items, i): return items[i % len(items)] if items else -1
def whole(v): return int(v) if abs(v) < 1e15 else -7
def bump():
    o.v += 1
    return o.v
class P:
    __match_args__ = ('v',)
    def __init__(self, v=0): self.v = cut(v)
    def m(self): return self.v - 1
    def __add__(self, other): return P(self.v + other)
    def __rsub__(self, other): return P(other - self.v)
o = P(5)
i, j, n, u, w, s, t, l, m, k = 3, -2, 2**62, 1.5, -0.25, 'text', 'é', [4, 1], [2**63 - 1, 0, 7], {'a': 1, 'b': 2}
'''
TYPED_EPILOGUE = "\nfor _name in ('i', 'j', 'n', 'u', 'w', 's', 't', 'l', 'm', 'k'):\n    print(_name, text(globals().get(_name, 'unbound')))\nprint(o.v)\n"


def assemble(parts) -> str:
    """Return a program: a function and a generator with random bodies, then the same kind of statements in a function and at top level."""
    function, generator, inner, outer, cell = parts
    locals_ = "i, j, n, u, w, s, t, l, m, k = 1, 2, 3, 0.5, 2.0, 'f', 'g', [1, 5], [3], {'a': 3}"
    captured = f"    def touch():\n        nonlocal n, s\n        n = cut(n + 1); s += 'c'; return n\n    show(touch())\n{indent(cell)}\n    show((touch(), n, s))\n" if cell else ""
    return (TYPED_PRELUDE + f"def fn(x, y=2):\n    if not enter(): return 0\n    {locals_}\n    i = x; j = y\n{indent(function)}\n    return cut(i + j)\n"
            f"def gen(v):\n    if not enter(): return\n    {locals_}\n    n = v\n    yield 1\n{indent(generator)}\n    yield 2\n"
            f"def run():\n    {locals_}\n{captured}{indent(inner)}\n    show((i, j, n, u, s, l, k))\n"
            f"try: run()\nexcept Exception as err: print(error(err))\n"
            f"try: show(list(zip(gen(3), range(9))))\nexcept Exception as err: print(error(err))\n{outer}" + TYPED_EPILOGUE)


typed_programs = st.tuples(block(1, False, True, False), block(1, False, True, True), block(2, False, True, False), block(2, False, False, False),
                           st.one_of(st.just(""), block(1, False, True, False))).map(assemble)
