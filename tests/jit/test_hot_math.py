"""Functions of `math` in compiled code: what CPython's module gives, for every border of theirs, and without leaving the code."""
from __future__ import annotations

import contextlib
import io

import pytest
import same_results

import kimi_runtime as kr
from kimi_runtime.jit import settings

pytestmark = pytest.mark.skipif(not settings.available(), reason="llvmlite is not installed")

OF_ONE = ("sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p cbrt sqrt "
          "floor ceil trunc fabs degrees radians isnan isinf isfinite isqrt").split()
OF_TWO = "atan2 pow fmod copysign gcd".split()
BORDERS = """
import math
from math import *
floats = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1e-310, 1e308, -1e308, 2.5, -2.5, 3e18, 5e18, inf, -inf, nan, 710.0, 3.7, 1e-9]
ints = [0, 1, -1, 7, -7, 2 ** 62, -2 ** 63, 2 ** 63 - 1, 3037000499 ** 2 - 1, 12, 18, 2 ** 53 + 1, 99, 2 ** 70, True]
def attempt(function, *args):
    try:
        return repr(function(*args))
    except Exception as error:
        return repr(error)
"""


def program(name: str, two: bool) -> str:
    if two:
        return f"""
def by_name(x, y): return {name}(x, y)
def by_module(x, y): return math.{name}(x, y)
def all_of(xs, ys, function): return [attempt(function, x, y) for x in xs for y in ys]
for function in (by_name, by_module):
    print({name!r}, all_of(floats, floats[::2], function), all_of(ints, ints, function), all_of(ints[::3], floats, function))
"""
    return f"""
def by_name(x): return {name}(x)
def by_module(x): return math.{name}(x)
def in_loop(xs):
    t = 0
    for x in xs: t = {name}(x) + math.{name}(x) * 0
    return t
print({name!r})
for function in (by_name, by_module):
    print([attempt(function, x) for x in floats + ints])
print([attempt(in_loop, [x] * 5 + [y]) for x, y in ((0.25, -0.5), (4, 3), (0.5, 7), (9, 0.75), (0.5, -inf), (3, 10 ** 30))])
"""


@pytest.mark.parametrize("names", [OF_ONE[:10], OF_ONE[10:20], OF_ONE[20:], OF_TWO], ids=lambda names: names[0])
def test_borders(names):
    source = BORDERS + "".join(program(name, name in OF_TWO) for name in names)
    expected = io.StringIO()
    with contextlib.redirect_stdout(expected):
        exec(source, {})                                                    # noqa: S102 - the reference is CPython
    for jit in (kr.JIT.eager(), kr.JIT(call_threshold=2, loop_threshold=3, part=1, rounds=2, background=False)):
        assert kr.Runtime(jit=jit).run(source, check=True).stdout == expected.getvalue()
    assert same_results.difference(source) == ""


LOOPS = {
    "of a module": ("import math", "x = math.sqrt(i) + math.sin(x) + math.floor(x) + math.atan2(x, 2)"),
    "by name": ("from math import sqrt, exp, pi, gcd", "x = sqrt(i * pi) + exp(-i) + gcd(i, 12)"),
}


@pytest.mark.parametrize("how", LOOPS)
def test_loops_stay_in_the_code(how):
    """Neither is the interpreter called for these functions, nor is the code left."""
    head, line = LOOPS[how]
    jit = kr.JIT(background=False, loop_threshold=2000, call_threshold=500)
    source = f"{head}\ndef work(n):\n    x = 0.5\n    for i in range(n): {line}\n    return x\nwork(20000)"
    jit.log.keeps_forms = True
    got = kr.Runtime(jit=jit).run(source, check=True).value
    space: dict = {}
    exec(source.replace("\nwork", "\nvalue = work"), space)                 # noqa: S102
    assert got == space["value"]
    form, = [event["form"] for event in jit.log.events if event["event"] == "compiled"]
    assert " c_double " in form and " step " not in form
    assert sum(jit.log.stats()["exits"].values()) <= 2          # at the end of the loop


def test_a_name_that_becomes_another_function():
    source = """
import math
from math import sqrt
def work(n):
    global sqrt
    t = 0
    for i in range(n):
        t += sqrt(i) + math.floor(2.5)
        if i == 30: sqrt = lambda x: x * 2
        if i == 60: math = Other
    return t
class Other:
    floor = staticmethod(lambda x: 100)
try: work(90)
except UnboundLocalError as error: print(error)
def plain(x): return sqrt(x) * 2.0
sqrt = math.sqrt
print([plain(float(i)) for i in range(20)][-1])
sqrt = math.cos
print([plain(float(i)) for i in range(20)][-1])
class Fake:
    sqrt = staticmethod(str)
def of_any(modules): return [module.sqrt(4.0) for module in modules]
print(of_any([math] * 9 + [Fake, math, Fake]))
"""
    assert same_results.difference(source) == ""
