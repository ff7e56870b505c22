"""Exceptions that are raised and handled within compiled code, for which no object is made: all else stays as it is without."""
from __future__ import annotations


import pytest
import same_results

import kimi_runtime as kr
from kimi_runtime.jit import settings

pytestmark = pytest.mark.skipif(not settings.available(), reason="llvmlite is not installed")

#: Handlers that touch numbers only, and those that do more; errors within handlers; names that become others.
PROGRAM = """
import sys
def check(i, k):
    if i % k == 1: raise ValueError(i, "text", None, 2.5)
    if i % k == 2: raise KeyError
    if i % k == 3: raise IndexError("x")
    return i
def work(n):
    t = c = 0
    big = 1
    x = 0.5
    for i in range(n):
        try:
            t += check(i, 5)
        except (KeyError, IndexError):
            c += 1
            big = big * 3
            if big > 10**30: big = 1
        except ValueError:
            x = x * 1.5
            c -= 1
        try:
            if i % 3 == 0: raise LookupError
            elif i % 3 == 1: raise TypeError('no')
        except ArithmeticError:
            t -= 1000
        except Exception:
            t += 7
        try:
            if i % 7 == 0: raise ValueError(f"text {i}")
        except ValueError as e:
            t += len(str(e))
        try:
            try:
                if i % 4 == 0: raise OverflowError(i)
            except KeyError:
                t += 1
        except OverflowError:
            big *= 7
    return t, c, big, x
print(work(400))
def nested(n):
    t = 0
    for i in range(n):
        try:
            raise ZeroDivisionError
        except ZeroDivisionError:
            t += i
            try:
                raise KeyError(i)
            except KeyError:
                t += 1
            t += 1 if sys.exc_info()[0] is ZeroDivisionError else 0
    return t
print(nested(100))
def uncaught(n):
    for i in range(n):
        try:
            if i == 60: raise ValueError(i)
            if i % 2: raise KeyError(i)
        except KeyError:
            pass
def loops(n):
    t = 0
    for i in range(n):
        try:
            for j in [1,2,3,4]:
                if j == i % 5: raise StopIteration
                if j == i % 6: raise ValueError(j)
        except ValueError:
            t += 1
        except StopIteration:
            t += 10
    return t
print(loops(200))
def cont(n):
    t = 0
    i = 0
    while i < n:
        i += 1
        try:
            if i & 1: raise RuntimeError()
        except RuntimeError:
            continue
        finally:
            t += 3
        t += 1
    return t
print(cont(100))
def bare(n):
    t = 0
    for i in range(n):
        try:
            if i & 1: raise RuntimeError
        except:
            t += 2
    return t
print(bare(100))
def rebound(n):
    global KeyError
    t = 0
    for i in range(n):
        try:
            if i & 1: raise KeyError
        except KeyError:
            t += 1
        except LookupError:
            t += 100
        if i == 50: KeyError = IndexError
        if i == 70:
            del KeyError
    return t
print(rebound(100))
class E(ValueError):
    pass
def own(n):
    t = 0
    for i in range(n):
        try:
            if i & 1: raise E(i)
        except ValueError:
            t += 1
    return t
print(own(100))
uncaught(100)
"""
COUNTED = """
def check(i):
    if i % 3 == 0: raise ValueError(i)
    if i % 3 == 1: raise KeyError("text", i)
    return i
def work(n):
    caught = total = 0
    for i in range(n):
        try:
            total += check(i)
        except ValueError:
            caught += 1
        except (IndexError, LookupError):
            total -= 1
        try:
            if i & 1: raise TypeError
        except Exception:
            caught += 3
    return caught, total
"""


@pytest.mark.parametrize("rounds", [1, 3])
def test_same_results(rounds):
    jit = kr.JIT.eager() if rounds == 1 else kr.JIT(call_threshold=4, loop_threshold=12, part=4, rounds=3, background=False)
    assert same_results.difference(PROGRAM, jit=jit) == ""


def test_no_exception_is_made():
    """The code is not left for what it raises, only at its end."""
    jit = kr.JIT(background=False, loop_threshold=2000, call_threshold=500)
    jit.log.keeps_forms = True
    got = kr.Runtime(jit=jit).run(COUNTED + "work(30_000)", check=True).value
    space: dict = {}
    exec(COUNTED + "value = work(30_000)", space)                           # noqa: S102
    assert got == space["value"]
    event, = [event for event in jit.log.events if event["event"] == "compiled" and event["function"] == "work"]
    assert event["spliced"] == ["check"] and " step " not in event["form"]
    exits = jit.log.stats()["exits"]
    exits.pop("a safepoint", None)
    assert sum(exits.values()) <= 3


def test_limits_hold():
    """An endless loop that does nothing but raise ends in time."""
    source = """
def work():
    n = 0
    while True:
        try:
            raise ValueError(n)
        except ValueError:
            n += 1
work()
"""
    result = kr.Runtime(jit=kr.JIT.eager(), limits=kr.Limits(seconds=0.3)).run(source)
    assert not result.ok and result.error.type == "LimitExceeded"
    result = kr.Runtime(jit=kr.JIT.eager(), limits=kr.Limits(instructions=50_000)).run(source)
    assert not result.ok and result.error.type == "LimitExceeded"
