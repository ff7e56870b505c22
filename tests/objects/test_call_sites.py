"""What call sites and attribute sites have learned does not show: the same sites with callees and objects of many kinds."""
import itertools
import random

import pytest

import kimi_runtime as kr


def both(source):
    """Runs a program in both; its result is in `out`."""
    space = {"__name__": "__main__"}
    exec(compile(source, "program", "exec"), space)
    result = kr.run(source + "\nout", check=True).value
    assert result == space["out"]
    return result


CALLEES = """
import math, operator
class Plain:
    def __init__(self, *args): self.args = args
class One:
    def __init__(self, x): self.x = x
class Loud(list):
    def append(self, x): super().append(-x if isinstance(x, int) else x)
kept = []
loud = Loud()
CALLEES = [len, str, abs, int, list, Plain, One, lambda x: ("l", x), kept.append, loud.append, math.sqrt, operator.neg, sorted,
           ord, repr, hash, bool, isinstance, {}.get, "x".join, kept.count, divmod, "abc".startswith, max, type, ord]
ARGUMENTS = [0, -3, 2.5, "a", "", "bc", [1, 2], (3,), None, True, 2**70, {1: 2}]
def shown(x):
    return x.args if type(x) is Plain else x.x if type(x) is One else x if not isinstance(x, (type, type(len))) else str(x)
"""


@pytest.mark.parametrize("seed", range(6))
def test_one_site_for_every_callee(seed):
    """The callee changes from call to call, in many orders."""
    chance = random.Random(seed)
    order = [(chance.randrange(26), chance.randrange(12)) for _ in range(60)]
    order = [pair for pair in order for _ in range(chance.randrange(1, 5))]
    both(CALLEES + f"""
out = []
for c, a in {order!r}:
    f, x = CALLEES[c], ARGUMENTS[a]
    try:
        out.append(shown(f(x)))
    except Exception as error:
        out.append((type(error).__name__, str(error)))
out.append((kept, list(loud)))
""")


def test_method_sites_with_classes_and_instances():
    """`x.append(...)` where x is now a list and now the class, with as many arguments as fit or do not."""
    both("""
out = []
class Sub(list):
    pass
class Mine:
    def append(self, *args): out.append(("mine", args))
class Kept:
    def __init__(self): self.append = [].append
one, two = [], Sub()
def call(x, *args):
    try:
        if len(args) == 1: return x.append(args[0])
        if len(args) == 2: return x.append(args[0], args[1])
        return x.append()
    except TypeError as error:
        return str(error)
for _ in range(4):
    for x, *args in [(list, one, 1), (one, 2), (one, 1, 2), (one,), (two, 3), (list, two, 4), (Sub, two, 5), (list, Mine(), 1),
                     (Mine(), 7), (Kept(), 8), (list, 1), (one, 2), (list, one, 3), (list, one), (Mine(), 1, 2)]:
        out.append(call(x, *args))
out.append((one, list(two)))
""")


def test_types_that_come_and_go():
    """A type takes the place in memory of one that is gone: what was known of that one does not hold for it."""
    both("""
out = []
def use(x):
    try:
        return x.pop(), x.upper()
    except Exception as error:
        return type(error).__name__
for i in range(300):
    base = (list, dict, str, object, set)[i % 5]
    T = type("T", (base,), {"upper": lambda self: "U"} if i % 3 else {})
    out.append(use(T("ab") if base is not object and base is not dict else T()) if base is not set else "set")
    del T
""")


def test_sites_with_many_classes_settle_again():
    """More classes than a site follows, then one."""
    both("""
class A:
    def __init__(self, v): self.v = v; self.w = 0
    def get(self): return self.v
def use(o):
    o.w = o.v + 1
    return o.get() + o.w + o.v
out = 0
for i in range(700):
    K = type("K", (A,), {"get": lambda self: 2} if i % 2 else {})
    out += use(K(i))
for i in range(200):
    out += use(A(i))
""")


MEMBERS = ["1", "True", "1.0", "2**70", "'a'", "'ab'", "''", "None", "float('nan')", "Same()", "Odd('a')", "b'a'", "'é'", "'€'", "-1"]


def test_membership_in_tuples_lists_and_texts():
    """`in` with items whose comparison is their own."""
    sequences = [", ".join(pair) for pair in itertools.combinations(MEMBERS, 2)]
    both(f"""
class Same:
    def __eq__(self, other): return isinstance(other, (int, str))
    __hash__ = None
class Odd(str):
    def __eq__(self, other): return False
    __hash__ = str.__hash__
out = []
items = [{", ".join(MEMBERS)}]
for sequence in [{", ".join(f"({s})" for s in sequences)}]:
    for item in items:
        out.append((item in sequence, item not in list(sequence)))
for text in ["", "abc", "é", "€a", "a" * 2000 + "é", "a\\0b"]:
    for item in ["", "a", "é", "€", "ab", "\\0", Odd("a"), "z"]:
        out.append((item in text, item not in text))
    for item in [1, None, b"a"]:
        try:
            out.append(item in text)
        except TypeError as error:
            out.append(str(error))
out.append([i for i in range(100) if i in list(range(0, 100, 7))])
""")


def test_fields_of_named_tuples():
    """Shorter tuples, subclasses, replaced fields and fields of other classes."""
    both("""
from collections import namedtuple
P = namedtuple("P", "x y")
class Q(P):
    y = property(lambda self: "own")
class R(P):
    def __getattr__(self, name): return ("asked", name)
def read(o):
    try:
        return o.x, o.y
    except Exception as error:
        return type(error).__name__, str(error)
out = []
for turn in range(3):
    for o in [P(1, 2), P(None, 2.5), tuple.__new__(P, (1,)), Q(3, 4), R(5, 6), tuple.__new__(R, ()), P("a", [1])]:
        out.append(read(o))
    if turn == 1:
        P.x = 7
""")


def test_a_limit_stops_loops_over_builtin_calls():
    """Calls by what the site has learned are stopped like others."""
    for line in ("len(x)", "x.count(1)", "abs(-1)", "'a'.upper()", "x.append(1); x.pop()"):
        result = kr.run(f"x = [1]\nwhile True:\n    {line}", limits=kr.Limits(seconds=0.05))
        assert not result.ok
        assert result.error.type == kr.run("while True: pass", limits=kr.Limits(seconds=0.05)).error.type
