"""Strategies for random guest programs that always end, print plenty, and behave the same on every run.

A program is a list of statements over a small pool of names. Loops have constant bounds, recursion is counted, sizes are
kept small by construction (values are reduced after growing operations), sets are printed sorted, and no address is shown.
"""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ("a", "b", "c", "d", "x", "y", "z")
ATTRIBUTES = ("p", "q", "r")

integers = st.one_of(st.integers(-5, 10), st.sampled_from([0, 1, -1, 2**31, 2**62, 2**63 - 1, -2**63, 2**63, 10**20, -10**19]))
floats = st.sampled_from([0.0, -0.0, 1.5, -2.5, 0.1, 1e16, 1e-5, 1e308, float("inf"), float("nan"), 3.0, -7.25])
texts = st.sampled_from(["", "a", "ab", "hello", "x y", "é", "%d", "{}", "A", "12", "-3", "abcabc"])


def float_literal(value: float) -> str:
    """Return source for a float, also for those that have no literal."""
    text = repr(value)
    return f"float({text!r})" if text in ("inf", "-inf", "nan") else text


literals = st.one_of(
    integers.map(repr), floats.map(float_literal), texts.map(repr),
    st.sampled_from(["True", "False", "None", "[]", "{}", "()", "1j", "b'ab'", "[1, 2, 3]", "{'k': 1, 2: 'v'}", "(1, 'a')", "range(4)",
                     "[[1], [2, 3]]", "{1: {2: 3}}", "'abc'", "len", "int", "str"]),
)
names = st.sampled_from(NAMES)
BINARY = ["+", "-", "*", "//", "%", "/", "&", "|", "^", "and", "or", "==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"]
UNARY = ["-", "+", "~", "not "]
CALLS = ["len({})", "str({})", "repr({})", "int({})", "float({})", "bool({})", "list({})", "tuple({})", "sorted({})", "abs({})", "sum({})",
         "min({})", "max({})", "type({}).__name__", "hash({}) == hash({})", "any({})", "all({})", "round({})", "dict({})", "ascii({})",
         "reversed({}) is None", "list(enumerate({}))", "isinstance({}, int)", "callable({})", "list(zip({}, {}))", "divmod({}, {})",
         "list(map(str, {}))", "getattr({}, 'real', 'none')", "hasattr({}, 'append')", "sorted({}, key=str)", "next(iter({}), 'empty')"]
METHODS = ["{}.upper()", "{}.split()", "{}.append({})", "{}.pop()", "{}.get({}, {})", "{}.keys()", "{}.count({})", "{}.index({})",
           "{}.replace('a', 'bb')", "{}.join(['x', 'y'])", "{}.items()", "{}.copy()", "{}.setdefault({}, {})", "{}.startswith('a')",
           "{}.bit_length()", "{}.is_integer()", "{}.insert(0, {})", "{}.update({})", "{}.format({})", "{}.zfill(4)", "{}.conjugate()",
           "{}.p", "{}.q({})", "{}.m({})", "{}.extend({})", "{}.strip()", "{}.encode()", "{}.values()", "{}.missing"]


def expressions(depth: int = 3):
    """Return a strategy for the source of an expression of at most `depth` levels."""
    leaf = st.one_of(names, names, literals)
    if depth <= 0:
        return leaf
    sub = st.deferred(lambda: expressions(depth - 1))

    def fill(templates):
        return st.tuples(st.sampled_from(templates), sub, sub, sub).map(
            lambda t: t[0].replace("{}", "\0").replace("\0", f"({t[1]})", 1).replace("\0", f"({t[2]})", 1).replace("\0", f"({t[3]})"))

    return st.one_of(
        leaf,
        st.tuples(sub, st.sampled_from(BINARY), sub).map(lambda t: f"(({t[0]}) {t[1]} ({t[2]}))"),
        st.tuples(sub, st.sampled_from(["<", "<=", "==", ">", "!="]), sub, st.sampled_from(["<", "==", ">="]), sub).map(
            lambda t: f"(({t[0]}) {t[1]} ({t[2]}) {t[3]} ({t[4]}))"),
        st.tuples(st.sampled_from(UNARY), sub).map(lambda t: f"({t[0]}({t[1]}))"),
        st.tuples(sub, sub, sub).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
        st.tuples(sub, sub).map(lambda t: f"({t[0]})[{t[1]}]"),
        st.tuples(sub, st.sampled_from([":", "1:", ":2", "::-1", "::2", "-2:", "1:3", "{0}:", ":{0}"]), sub).map(
            lambda t: f"({t[0]})[{t[1].format(t[2])}]"),
        st.lists(sub, max_size=3).map(lambda items: "[" + ", ".join(items) + "]"),
        st.lists(sub, min_size=1, max_size=3).map(lambda items: "(" + ", ".join(items) + ",)"),
        st.lists(st.tuples(sub, sub), max_size=2).map(lambda items: "{" + ", ".join(f"{k}: {v}" for k, v in items) + "}"),
        st.tuples(sub, sub).map(lambda t: f"[*{t[0]}, {t[1]}]"),
        st.tuples(sub, sub).map(lambda t: f"{{**{t[0]}, 'k': {t[1]}}}"),
        fill(CALLS), fill(METHODS),
        st.tuples(sub, names, sub, sub).map(lambda t: f"[{t[0]} for {t[1]} in {t[2]} if {t[3]}]"),
        st.tuples(sub, names, names, sub).map(lambda t: f"[{t[0]} for {t[1]}, {t[2]} in {t[3]}]"),
        st.tuples(sub, names, sub).map(lambda t: f"list({t[0]} for {t[1]} in {t[2]})"),
        st.tuples(sub, sub, names, sub).map(lambda t: f"{{{t[0]}: {t[1]} for {t[2]} in {t[3]}}}"),
        st.tuples(names, sub).map(lambda t: f"({t[0]} := {t[1]})"),
        st.tuples(names, names, sub, sub).map(lambda t: f"(lambda {t[0]}, {t[1]}_=1: {t[2]})({t[3]})"),
        st.tuples(sub, st.sampled_from(["", "!r", "!s", "!a"]), st.sampled_from(["", ":>8", ":<5", ":05", ":.2f", ":x", ":,", ":^7", ":+"]))
        .map(lambda t: "f'''<{(" + t[0].replace("'''", "") + ")" + t[1] + t[2] + "}>'''" if "'" not in t[0] and "\\" not in t[0] and '"' not in t[0]
             else f"format({t[0]}, {t[2][1:]!r})"),
        st.tuples(st.sampled_from(["f", "g", "h", "gen", "K"]), st.lists(sub, max_size=3), st.sampled_from(["", ", a=1", ", y=2", ", *[1]", ", **{'x': 1}"]))
        .map(lambda t: f"{t[0]}({', '.join([*t[1], '*[]'])}{t[2]})"),
    )


def indent(block: str) -> str:
    """Return a block of lines moved one level to the right."""
    return "\n".join("    " + line for line in block.split("\n"))


PATTERNS = ["0", "'a'", "None", "True", "-1", "[]", "[u]", "[u, v]", "[u, *v]", "[*_, u]", "{'k': u}", "{'k': 1, **v}", "{}", "int(u)", "str()",
            "float() | bool()", "(1 | 2) as u", "(u, (v, 1))", "K(p=u)", "K(u)", "list(u)", "dict()", "[int(u), str(v)]", "[u, 1] | [1, u]"]
SIGNATURES = ["", "a", "a, b=2", "*a", "a, /, b", "*, x", "a, *b, y=3", "x=1, **k", "a, b, c=None, *d, x=0, **k"]


def statements(depth: int = 2, loop: bool = False, function: bool = False, generator: bool = False):
    """Return a strategy for one statement; the flags say whether break/continue, return and yield are legal here."""
    e = expressions(2)
    simple = [
        st.tuples(names, e).map(lambda t: f"{t[0]} = {t[1]}"),
        st.tuples(names, e).map(lambda t: f"{t[0]} = {t[1]}"),
        st.tuples(names, st.sampled_from(["+=", "-=", "*=", "//=", "%=", "|=", "&="]), e).map(lambda t: f"{t[0]} {t[1]} {t[2]}\n{t[0]} = small({t[0]})"),
        st.tuples(names, e, e).map(lambda t: f"{t[0]}[{t[1]}] = {t[2]}"),
        st.tuples(names, e, e).map(lambda t: f"{t[0]}[{t[1]}] += {t[2]}"),
        st.tuples(names, names, e).map(lambda t: f"{t[0]}, {t[1]}_ = {t[2]}"),
        st.tuples(names, names, e).map(lambda t: f"{t[0]}, *{t[1]} = {t[2]}"),
        e.map(lambda x: f"show({x})"), e.map(lambda x: f"show({x})"), e.map(lambda x: x),
        names.map(lambda n: f"del {n}"), st.tuples(names, e).map(lambda t: f"del {t[0]}[{t[1]}]"),
        st.tuples(st.sampled_from(["ValueError", "KeyError", "TypeError", "Custom", "ZeroDivisionError"]), e).map(lambda t: f"raise {t[0]}(text({t[1]}))"),
        st.tuples(e, e).map(lambda t: f"assert {t[0]}, text({t[1]})"),
        st.tuples(st.sampled_from(ATTRIBUTES), e).map(lambda t: f"o.{t[0]} = {t[1]}"),
        st.tuples(st.sampled_from(ATTRIBUTES), e).map(lambda t: f"o.{t[0]} += {t[1]}"),
        st.just("pass"),
    ]
    if loop:
        simple += [st.just("break"), st.just("continue"), e.map(lambda x: f"if {x}: break"), e.map(lambda x: f"if {x}: continue")]
    if function:
        simple += [e.map(lambda x: f"return {x}"), st.just("return")]
    if generator:
        simple += [e.map(lambda x: f"yield {x}"), st.tuples(names, e).map(lambda t: f"{t[0]} = yield {t[1]}"),
                   e.map(lambda x: f"yield from take({x})")]
    if depth <= 0:
        return st.one_of(simple)
    body = blocks(depth - 1, loop, function, generator)
    inner = blocks(depth - 1, True, function, generator)
    compound = [
        st.tuples(e, body, body).map(lambda t: f"if {t[0]}:\n{indent(t[1])}\nelse:\n{indent(t[2])}"),
        st.tuples(names, e, inner, body).map(lambda t: f"for {t[0]} in take({t[1]}):\n{indent(t[2])}\nelse:\n{indent(t[3])}"),
        st.tuples(names, st.integers(0, 6), inner).map(lambda t: f"for {t[0]} in range({t[1]}):\n{indent(t[2])}"),
        st.tuples(e, inner).map(lambda t: f"for _n in range(5):\n    while tick() and ({t[0]}):\n{indent(indent(t[1]))}"),
        st.tuples(body, st.sampled_from(["Exception", "ValueError", "(TypeError, KeyError)", "LookupError", "ArithmeticError"]), body, body, body).map(
            lambda t: f"try:\n{indent(t[0])}\nexcept {t[1]} as err:\n    show(type(err).__name__)\n{indent(t[2])}\nelse:\n{indent(t[3])}\nfinally:\n{indent(t[4])}"),
        st.tuples(body, body).map(lambda t: f"try:\n{indent(t[0])}\nexcept Exception as err:\n    show(error(err))\n{indent(t[1])}"),
        st.tuples(body, body).map(lambda t: f"try:\n{indent(t[0])}\nfinally:\n{indent(t[1])}"),
        st.tuples(st.booleans(), names, body).map(lambda t: f"with Manager({t[0]}) as {t[1]}:\n{indent(t[2])}"),
        st.tuples(e, st.lists(st.tuples(st.sampled_from(PATTERNS), st.one_of(st.none(), e), body), min_size=1, max_size=3)).map(
            lambda t: f"match {t[0]}:\n" + "\n".join(
                f"    case {p}{f' if {g}' if g else ''}:\n{indent(indent(b))}" for p, g, b in t[1])),
        st.tuples(st.sampled_from(["f", "g", "h"]), st.sampled_from(SIGNATURES), st.sampled_from(["", "global a, z\n", "nonlocal_"]),
                  blocks(depth - 1, False, True, False)).map(define_function),
        st.tuples(st.sampled_from(SIGNATURES), blocks(depth - 1, False, True, True)).map(
            lambda t: f"def gen({t[0]}):\n    if not enter(): return\n    yield 0\n{indent(t[1])}"),
        st.tuples(st.sampled_from(["", "(Base)", "(list)", "(int)", "(dict)", "(Exception)"]), e, e, blocks(depth - 1, False, True, False)).map(define_class),
    ]
    return st.one_of(*simple, *compound, *compound)


def define_function(parts) -> str:
    """Return a function definition; some get an inner function that rebinds a local."""
    name, signature, scope, body = parts
    if scope == "nonlocal_":
        return (f"def {name}({signature}):\n    if not enter(): return 'deep'\n    cell = 0\n    def bump(by=1):\n        nonlocal cell\n        cell += by\n"
                f"        return cell\n    bump(); bump(2)\n{indent(body)}\n    return cell, bump()")
    if scope and any(word in signature.replace("*", "").replace("=", " ").replace(",", " ").split() for word in ("a", "z")):
        scope = ""
    return f"def {name}({signature}):\n{indent(scope) if scope else ''}    if not enter(): return 'deep'\n{indent(body)}".replace(")\n    \n", "):\n")


def define_class(parts) -> str:
    """Return a class with a few operator methods whose results come from random expressions."""
    bases, first, second, body = parts
    return (f"class K{bases}:\n    __match_args__ = ('p',)\n    p = {first}\n    def m(self, v=1):\n        if not enter(): return 'deep'\n{indent(indent(body))}\n"
            f"    def __add__(self, other): return ('add', text(other))\n    def __radd__(self, other): return ('radd', text(other))\n"
            f"    def __len__(self): return 2\n    def __getitem__(self, i): return text(i)\n    def __contains__(self, v): return v == 1\n"
            f"    def __repr__(self): return '<K>'\n    def __getattr__(self, name):\n        if name == 'q': return text\n        raise AttributeError(name)\n"
            f"    def __iter__(self): return iter([1, 2])\n    def __call__(self, *a): return len(a)\n    def __lt__(self, other): return True\n"
            f"    w = {second}")


def blocks(depth: int, loop: bool, function: bool, generator: bool):
    """Return a strategy for one to four statements."""
    return st.lists(statements(depth, loop, function, generator), min_size=1, max_size=4).map("\n".join)


PRELUDE = '''
class Custom(Exception): pass
class Base:
    p = 'base p'
    def m(self, v=0): return ('base m', v)
class Manager:
    def __init__(self, swallow): self.swallow = swallow
    def __enter__(self): print('enter'); return [1, 2]
    def __exit__(self, kind, value, traceback):
        print('exit', kind and kind.__name__)
        return self.swallow
calls = ticks = 0
def enter():
    global calls
    calls += 1
    return calls < 200
def tick():
    global ticks
    ticks += 1
    return ticks < 300
def text(v, depth=0):
    if isinstance(v, bool) or v is None: return repr(v)
    if isinstance(v, int): return str(int(v)) if -10**40 < v < 10**40 else 'big'
    if isinstance(v, (float, complex, bytes)): return repr(v)
    if isinstance(v, str): return repr(str(v)[:200])
    if depth > 3: return '...'
    if isinstance(v, (list, tuple)): return type(v).__name__ + str([text(i, depth + 1) for i in list.__iter__(v) ] if isinstance(v, list) else [text(i, depth + 1) for i in tuple.__iter__(v)])[:300]
    if isinstance(v, dict): return type(v).__name__ + str([(text(k, depth + 1), text(dict.__getitem__(v, k), depth + 1)) for k in list(dict.keys(v))])[:300]
    if isinstance(v, BaseException): return error(v)
    return type(v).__name__
def error(e): return type(e).__name__ + ': ' + '|'.join(text(a, 2) for a in e.args)[:300]
def show(v): print(text(v))
def small(v):
    if isinstance(v, int): return v if -10**30 < v < 10**30 else 7
    if isinstance(v, (str, bytes, list, tuple)): return v[:50] if len(v) > 50 else v
    return v
def take(v):
    for i, item in enumerate(v):
        if i == 4: return
        yield item
def f(*args, **kwargs): return args
def g(x, y=1): return x
def h(): return None
def gen(n=2):
    for i in range(3): yield i
class K(Base): pass
o = Base()
a, b, c, d, x, y, z = 1, 2.5, 'text', [1, 2, 3], {'k': 1}, (1, 2), None
'''
EPILOGUE = "\nfor _name in ('a', 'b', 'c', 'd', 'x', 'y', 'z'):\n    print(_name, text(globals().get(_name, 'unbound')))\n"

guarded = st.tuples(statements(2), st.integers(0, 5)).map(
    lambda t: t[0] if t[1] == 0 else f"try:\n{indent(t[0])}\nexcept Exception as err: print(error(err))")
programs = st.lists(guarded, min_size=3, max_size=12).map(lambda parts: PRELUDE + "\n".join(parts) + EPILOGUE)
