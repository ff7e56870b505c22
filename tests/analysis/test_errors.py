"""SyntaxErrors of the analyzer and the generator: message and place are the host's."""
import sys

import pytest
from kimi_runtime.bytecode.compiler import compile_source

CASES = """
return
---
def f():
    yield
yield 1
---
x = yield
---
class C:
    return 1
---
class C:
    x = yield
---
await x
---
def f():
    await x
---
def f():
    async with a: pass
---
def f():
    async for x in y: pass
---
def f():
    return [x async for x in y]
---
[x async for x in y]
---
async def f():
    yield from x
---
async def f():
    yield 1
    return 2
---
break
---
continue
---
if x:
    break
---
def f():
    continue
---
for x in y:
    def g():
        break
---
for x in y:
    class C:
        continue
---
while x:
    pass
else:
    break
---
def f(a, a): pass
---
def f(a, *, b, a=1): pass
---
lambda a, *a: 1
---
def f(__debug__): pass
---
__debug__ = 1
---
del __debug__
---
x.__debug__ = 1
---
f(__debug__=1)
---
import __debug__
---
def __debug__(): pass
---
class __debug__: pass
---
for __debug__ in x: pass
---
with x as __debug__: pass
---
__debug__ += 1
---
(__debug__ := 1)
---
def f(x):
    global x
---
def f():
    x = 1
    global x
---
def f():
    print(x)
    global x
---
def f():
    x: int
    global x
---
def f():
    global x
    x: int
---
def f():
    nonlocal x
    x: int = 1
---
nonlocal x
---
def f():
    nonlocal x
---
def f(x):
    def g():
        nonlocal x
        global x
---
def f(x):
    def g(x):
        nonlocal x
---
def f():
    x = 1
    def g():
        x = 2
        nonlocal x
---
def f():
    x = 1
    def g():
        print(x)
        nonlocal x
---
class C:
    nonlocal x
---
def f():
    def g():
        nonlocal x
    global x
---
from __future__ import nope
---
from __future__ import braces
---
x = 1
from __future__ import annotations
---
def f():
    from __future__ import annotations
---
"doc"
"not doc"
from __future__ import annotations
---
def f():
    from x import *
---
class C:
    from x import *
---
try: pass
except: pass
except ValueError: pass
---
f(a=1, a=2)
---
class C(a=1, a=2): pass
---
f(**x, a=1, b=2, a=3)
---
*a, *b = x
---
*a = x
---
*a
---
x = *a
---
[*a, *b] = x
---
del *a
---
for *a in x: pass
---
print(*a, end=*b)
---
[x for x in y if (x := 1)]
---
[(x := 1) for x in y]
---
[x for x in (y := z)]
---
[x for x in z for w in (y := z)]
---
class C:
    [(y := x) for x in z]
---
[i for i in 5 if (j := 0) for j in range(5)]
---
[[(x := 1) for y in z] for x in w]
---
[lambda: (x := 1) for x in y]
---
[x for x in (lambda: (y := 1))()]
---
[(yield x) for x in y]
---
{(yield x) for x in y}
---
{(yield x): 1 for x in y}
---
((yield x) for x in y)
---
def f():
    [(yield from x) for x in y]
---
match x:
    case y: pass
    case z: pass
---
match x:
    case _: pass
    case z: pass
---
match x:
    case a | b: pass
---
match x:
    case 1 | _ | 2: pass
---
match x:
    case [a, a]: pass
---
match x:
    case [*a, *b]: pass
---
match x:
    case (a, 1) | (1, b): pass
---
match x:
    case (a, b) | (a, 1): pass
---
match x:
    case {1: a, 1: b}: pass
---
match x:
    case {'a': 1, 'a': 2}: pass
---
match x:
    case {True: a, 1: b}: pass
---
match x:
    case C(a=1, a=2): pass
---
match x:
    case {**a, }: pass
    case [a, {'x': a}]: pass
---
match x:
    case [_, *_, *_]: pass
---
match x:
    case (a as b) | a: pass
---
match x:
    case 1 as __debug__: pass
---
try: pass
except* ValueError:
    break
---
for x in y:
    try: pass
    except* ValueError:
        continue
---
def f():
    try: pass
    except* ValueError:
        return 1
---
x: (yield) = 1
---
def f() -> (yield): pass
---
class C:
    def f(self):
        global __x
        __x: int
---
def f():
    class C:
        nonlocal y
---
def f(x):
    class C:
        nonlocal x
        global x
---
async def f():
    def g():
        [x async for x in y]
---
async def f():
    lambda: await x
---
def f():
    x = 1
    def g():
        global x
        def h():
            nonlocal x
---
class C:
    x = 1
    def g():
        nonlocal x
---
import a.b as __debug__
---
try: pass
except E as __debug__: pass
---
lambda __debug__: 1
---
def f(a, *__debug__): pass
---
__debug__: int
---
class C(__debug__=1): pass
---
async def f():
    def g():
        [await i for i in x]
---
match x:
    case {**__debug__}: pass
---
match x:
    case C(__debug__=1): pass
---
match x:
    case a as a: pass
""".strip().split("\n---\n")


def outcome(compiler, source):
    try:
        compiler(source)
    except SyntaxError as error:
        return type(error).__name__, error.msg, error.lineno, error.offset, error.end_lineno, error.end_offset
    return None


@pytest.mark.parametrize("source", CASES)
def test_same_error_as_the_host(source):
    expected = outcome(lambda text: compile(text, "<case>", "exec", dont_inherit=True), source)
    found = outcome(lambda text: compile_source(text, "<case>"), source)
    assert found == expected


def test_error_shows_the_line():
    with pytest.raises(SyntaxError) as caught:
        compile_source("x = 1\n  \nreturn x\n", "<case>")
    assert caught.value.text == "return x\n"
    assert caught.value.filename == "<case>"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the host of 3.11 accepts it only with our grammar")
def test_type_parameters_are_checked_on_every_host():
    with pytest.raises(SyntaxError, match="duplicate type parameter 'T'"):
        compile_source("def f[T, T](): pass")
