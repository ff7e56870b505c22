"""Compiled code with objects: attributes, methods and generators that are part of it, containers, and what breaks each of these."""
from __future__ import annotations


import pytest
import random_objects
import same_results

import kimi_runtime as kr
from kimi_runtime.jit import settings

pytestmark = pytest.mark.skipif(not settings.available(), reason="llvmlite is not installed")

#: Each runs once in the interpreter and once with everything compiled.
PROGRAMS = {
    "methods": """
class Account:
    def __init__(self, n): self.n, self.moves = n, 0
    def deposit(self, k):
        self.n += k
        self.moves += 1
        return self.n
    def withdraw(self, k):
        if k > self.n: return False
        self.n -= k
        return True
def main(a, n):
    refused = 0
    for i in range(n):
        a.deposit(i & 15)
        if not a.withdraw(i & 31): refused += 1
        if i == n - 60: a.n = float(a.n)
        if i == n - 50: a.n = 10 ** 30
        if i == n - 40: a.n = 7
        if i == n - 30: a.deposit = lambda k: k
        if i == n - 20: del a.deposit
        if i == n - 10: Account.withdraw = lambda self, k: None
    return a.n, a.moves, refused
print(main(Account(100), 300), main(Account(3), 90))
""",
    "an error in a method that is part of a loop": """
class P:
    def __init__(self, x): self.x = x
    def scaled(self, k):
        y = self.x * 10
        return y // k
def main():
    p = P(5)
    t = 0
    for i in range(60, -3, -1):
        t += p.scaled(i)
    return t
main()
""",
    "methods that call methods": """
class V:
    def __init__(self, x, y): self.x, self.y = x, y
    def dot(self, o): return self.x * o.x + self.y * o.y
    def norm(self): return self.dot(self)
    def longer(self, o): return self if self.norm() > o.norm() else o
def double(x): return add(x, x)
def add(a, b): return a + b
def main():
    best = V(0, 0)
    t = 0
    for i in range(200):
        best = best.longer(V(i % 17, i % 5))
        t = add(t, double(i))
        if i == 150: best = V(2 ** 40, 1.5)
    return best.x, best.y, t
print(main())
""",
    "classes change": """
class A:
    def get(self): return 1
class B(A):
    def get(self): return 2
def main(o, n):
    t = 0
    for i in range(n):
        t += o.get()
        if i == 40: o.__class__ = B
        if i == 80: A.get = lambda self: 10
        if i == 100: o.get = lambda: 100
        if i == 120: B.x = property(lambda self: 5)
        if i > 130: t += o.x
    return t
print(main(A(), 160), main(B(), 100))
""",
    "generators": """
def numbers(n):
    i = 0
    while i < n:
        yield i
        i += 1
def pairs(n):
    for i in range(n):
        yield i, str(i)
def sent(n):
    for i in range(n):
        got = yield i
        if got: yield got
def main():
    total = 0
    for v in numbers(300): total += v
    for a, b in pairs(50): total += a + len(b)
    g = sent(100)
    for v in g:
        total += v
        if v == 30: total += g.send(500)
        if v == 60: total += next(g)
    h = numbers(90)
    for v in h:
        total += v
        if v == 70: break
    total += sum(h)
    return total
print(main())
def broken():
    i = 50
    while True:
        yield 100 // i
        i -= 1
def use():
    t = 0
    for x in broken(): t += x
try: use()
except ZeroDivisionError as e:
    tb = e.__traceback__
    while tb: print(tb.tb_frame.f_code.co_name, tb.tb_lineno); tb = tb.tb_next
def closing():
    try:
        for i in range(100): yield i
    finally: print('closed')
def leave():
    for x in closing():
        if x == 44: return x
print(leave())
use()
""",
    "finalizers that look at the loop": """
import sys
class Noisy:
    def __init__(self, n): self.n = n
    def __del__(self):
        f = sys._getframe(1)
        print(f.f_code.co_name, f.f_lineno, f.f_locals.get('i'), f.f_locals.get('t'))
class Box:
    def __init__(self): self.held = None
    def put(self, o): self.held = o
def gen(n):
    i = 0
    while i < n:
        yield Noisy(i) if i % 9 == 4 else i
        i += 1
def main():
    box, t, xs, d = Box(), 0, [None] * 3, {}
    for i in range(40):
        t += i
        box.put(Noisy(i) if i % 7 == 0 else i)
        xs[i % 3] = Noisy(i) if i % 11 == 0 else i
        d[i % 4] = Noisy(i) if i % 13 == 0 else i
    for i in gen(30): t += 1
main()
""",
    "a finalizer resumes the generator": """
class Noisy:
    def __del__(self):
        try: log.append(next(g))
        except (StopIteration, ValueError) as e: log.append(type(e).__name__)
log = []
def numbers(n):
    i = 0
    while i < n:
        yield i
        i += 1
g = numbers(200)
def main():
    o = None
    t = 0
    for v in g:
        t += v
        o = Noisy() if v % 10 == 7 else v
    return t
print(main(), log)
""",
    "containers": """
def main(n):
    d, s, xs, out = {}, {1, 5, 'a'}, [], []
    for i in range(n):
        k = i * 7 % 23
        if k in d: d[k] += 1
        else: d[k] = 1
        d[str(k)] = d.get(str(k), 0) + 1
        if k not in s: xs.append(k)
        if i % 2: xs.append((i, str(i)))
        a, b = (i, k) if i % 3 else (k, i)
        out.append(a - b)
        if i == 100: d[5] = 2.5
        if i == 110: d[5] = 10 ** 20
        if i == 120: d[True] = 'x'
        if i == 130: s = {'k': 1}
        if i == 140: xs[3] = None
    return sorted(map(str, d.items())), len(xs), xs[:6], sum(out), min(n, 5), max(out[-1], 3), abs(-n), int(2.9), float(n)
print(main(200))
class Sub(dict):
    def __missing__(self, k): return k * 2
def other(d):
    return [d[i] for i in range(30)]
print(other({i: -i for i in range(30)})[:3], other(Sub())[:3])
try: other({1: 1})
except KeyError as e: print(e)
""",
    "a jump back as the last instruction": """
def endless(n, end):
    while True:
        n += 1
        n // (end - n)
def twice(end):
    while True:
        try: endless(0, end)
        except ZeroDivisionError as error: end += 1 // (end < 100_003)
try: twice(100_000)
except ZeroDivisionError as error: print(error, error.__traceback__.tb_next.tb_lineno, error.__context__.__traceback__.tb_next.tb_lineno)
""",
    "names that are numbers": """
k, text = 3, 'ab'
def main(n):
    global k
    t = 0
    for i in range(n):
        t += k * len(text)
        if i == 50: k = 2.5
        if i == 70: k = 10 ** 20
        if i == 90: k = 1
        if i == 100: globals()['len'] = lambda x: 1000
        if i == 110: del globals()['len']
    return t
print(main(150))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("number", [1, 2])
def test_objects_in_compiled_code_give_the_same(name, number):
    assert same_results.difference(PROGRAMS[name], jit=same_results.settings(number)) == ""


@pytest.mark.parametrize("number", range(7000, 7016))
def test_random_programs_of_objects_give_the_same(number):
    assert same_results.difference(random_objects.Maker(number).program(), jit=same_results.settings(number)) == ""


def compiled(source: str) -> list[dict[str, object]]:
    """What a program compiles, with usual rounds of recording."""
    jit = kr.JIT(background=False, loop_threshold=100, call_threshold=100, part=10)
    kr.Runtime(jit=jit).run(source, check=True)
    return [event for event in jit.log.events if event["event"] == "compiled"]


def test_short_methods_and_functions_are_part_of_the_loop_that_calls_them():
    source = ("class A:\n def __init__(self): self.n = 0\n def add(self, k): self.n = twice(k) + self.n\n"
              "def twice(k): return k + k\n"
              "def main(a):\n for i in range(3000): a.add(i)\nmain(A())")
    assert any(event["function"] == "main" and event["spliced"] == ["A.add", "twice"] for event in compiled(source))


def test_generators_are_part_of_the_loop_over_them():
    source = "def gen(n):\n i = 0\n while i < n:\n  yield i\n  i += 1\ndef main():\n t = 0\n for x in gen(5000): t += x\nmain()"
    assert any(event["function"] == "main" and event["spliced"] == ["gen"] for event in compiled(source))


@pytest.mark.parametrize("source", [
    "def one(x): return x + 1\ndef f():\n x = 0\n while True: x = one(x) & 255\nf()",
    "class A:\n def __init__(self): self.n = 0\n def up(self): self.n += 1\ndef f(a):\n while True: a.up()\nf(A())",
    "def gen():\n i = 0\n while True:\n  yield i\n  i += 1\ndef f():\n t = 0\n for x in gen(): t = x\nf()",
    "def gen():\n i = 0\n while True:\n  i += 1\n  if i < 0: yield i\ndef f():\n for x in gen(): pass\nf()",
])
def test_time_limits_hold_in_what_is_part_of_the_code(source):
    result = kr.Runtime(jit=kr.JIT.eager(), limits=kr.Limits(seconds=0.3)).run(source)
    assert result.error is not None and result.error.type == "LimitExceeded", result.error


def test_counts_of_instructions_do_not_depend_on_what_caches_know():
    """A site where several types come by fills its cache again and again."""
    source = ("class A: x = 1\nclass B: x = 2\nclass C: x = 3\nt = 0\n"
              "for o in [A(), B(), C()] * 30:\n    o.y = o.x\n    t += o.x + o.y\nt")
    runtime = kr.Runtime(limits=None)
    runtime.run(source)
    assert len({runtime.run(source).stats.instructions for _ in range(4)}) == 1


def test_the_tier_is_on_in_runs_without_limits():
    jit = kr.JIT.eager()
    kr.Runtime(jit=jit, limits=None).run("def f(n):\n t = 0\n for i in range(n): t += i * 5\n return t\nf(500)", check=True)
    assert jit.log.functions
