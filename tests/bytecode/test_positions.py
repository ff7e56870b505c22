"""Tracebacks show the same lines and markers as the host's: the positions of instructions are its own."""
import linecache
import traceback

import pytest
from kimi_runtime._core import run_code
from kimi_runtime.bytecode.compiler import compile_source
from kimi_runtime.objects.builtins import make_builtins
from kimi_runtime.objects.tracebacks import format_exception

CASES = r'''
x = [1]
x[
 5
]
---
def f(a):
    return (a +
       1 + "x")
f(1)
---
class A: pass
A().foo.bar
---
a = type('A',(),{})()
(a
  .foo()
  .bar())
---
class A:
    def m(self): return self
    def e(self, x): raise ValueError(x)
(A()
  .m()
  .e(
    1,
  ))
---
class A:
    def longer(self, *x): raise ValueError(x)
(A()
  .longer(
    1,
))
---
class A:
    def longer(self, *x): raise ValueError(x)
(A()
  .longer(
    1
      , 2, 3))
---
class A:
    a = None
(A()
  .a.
b(
  ))
---
for i in 5: pass
---
for i, j in [1]: pass
---
a, b = 1, 2, 3
---
with 5 as x: pass
---
class C:
    def __enter__(self): return 1
    def __exit__(self, *a): raise KeyError(1)
with C() as z:
    pass
---
class C:
    def __enter__(self): raise KeyError(1)
    def __exit__(self, *a): pass
with C() as z:
    pass
---
class C:
    def __enter__(self): return 1
    def __exit__(self, *a): raise KeyError(1)
def f():
    with C() as z:
        return 5
f()
---
raise ValueError(1)
---
assert 1 == 2, "msg"
---
assert (1 ==
  2)
---
def f(): pass
f(1, 2)
---
f = lambda: 1/0
[f() for x in range(3)]
---
[1/x for x in [1,0]]
---
def g():
    yield 1
    1/0
list(g())
---
def g():
    yield from h()
def h():
    yield 1
    raise ValueError
for x in g(): pass
---
x = {}
x['a']['b']
---
x = 5
x.y = 3
---
x = 5
x[1] = 3
---
x = 5
del x[1]
---
del zzz
---
def f():
    del x
    x = 1
f()
---
def f():
    print(x)
    x = 1
f()
---
x = 1
x += "a"
---
x = [1]
x[0] += "a"
---
1 < "a"
---
0 < 1 < "a"
---
if 1 < "a": pass
---
while not 1 in 5: pass
---
-"a"
---
not_defined
---
print(f"{1:zz}")
---
print(f"{1 + 'a'}")
---
import nonexistent_mod
---
def f(*, a): pass
f()
---
f = 5
f(1)(2)
---
print(*5)
---
print(**5)
---
{**5}
---
[*5]
---
{[]: 1}
---
{[]}
---
class X(5): pass
---
class X(metaclass=5): pass
---
@5
def f(): pass
---
class Foo:
    x = 1/0
---
try:
    1/0
except ValueError: pass
---
try:
    1/0
except 5: pass
---
try:
    1/0
except ZeroDivisionError as e:
    raise KeyError from e
---
try:
    1/0
finally:
    [][1]
---
match 5:
    case [1]: pass
    case int(a=1): pass
    case x.y: pass
---
lambda x: 1
(lambda x: x.foo)(1)
---
x = [1,2,3]
x[1:
   2].foo
---
"a" + (
   1)
---
def f(x, y=1/0): pass
---
def f(x: 1/0): pass
---
x: 1/0 = 5
---
class T:
    def __bool__(self): raise ValueError
if T(): pass
---
class T:
    def __bool__(self): raise ValueError
x = T() and 5
---
class T:
    def __bool__(self): raise ValueError
while T(): pass
---
class T:
    def __iter__(self): return self
    def __next__(self): raise KeyError
for x in T(): pass
---
class T:
    def __iter__(self): return self
    def __next__(self): raise KeyError
[x for x in T()]
---
sum(x for x in 5)
---
(x := 1/0)
---
def f(a):
    a.b.c.d()
f(1)
---
def f(a):
    return a.b(1)(
       2)
class A:
   def b(self, x): return 5
f(A())
---
1 if 1/0 else 2
---
d = {'a': 1}
print(d['a'], d['b'], d['c'])
---
raise 5
---
raise
---
raise ValueError from 5
---
def f():
    return (yield)
g = f(); next(g); g.throw(ValueError)
---
try:
    raise ExceptionGroup("a", [ValueError(1)])
except* TypeError: pass
---
try:
    raise ExceptionGroup("a", [ValueError(1)])
except* ValueError:
    1/0
---
global_var.x.y = 5
---
print(undefined_name
   .foo)
---
x = object()
x.a.b = x.c
---
super().x
---
class A:
    def f(self):
        return super().nope(1)
A().f()
---
class A:
    def f(self):
        return super().nope
A().f()
---
any(1/x for x in [0])
---
print(sum(x for x in ["a"]))
---
y = set(x for x in [[]])
---
y = ",".join(x for x in [1])
---
y = ",".join(1/x for x in [0])
---
def f(xs):
    return sorted(
        1/x
        for x in xs
        if x.foo)
f([0])
---
y = sorted(1/x for x in [0])
---
y = list(x for x in 5)
---
class T:
    def __iter__(self): return self
    def __next__(self): raise KeyError
y = tuple(x for x in T())
---
def f():
    return 1 + sum(g(x) for x in [1] for y in [0])
def g(x):
    return x.y
f()
---
x = sorted((a for a in [1, 'a']), key=lambda v: v)
---
all(x for x in [1] if x.y)
'''.strip("\n").split("\n---\n")


def host_traceback(source):
    """What the host prints for the source as a file."""
    linecache.cache["case.py"] = (len(source), None, source.splitlines(True), "case.py")
    try:
        exec(compile(source, "case.py", "exec", dont_inherit=True), {"__name__": "__main__"})
    except BaseException as error:
        lines = traceback.TracebackException(type(error), error, error.__traceback__.tb_next).format()
        return "".join(lines)
    finally:
        del linecache.cache["case.py"]
    return ""


def guest_traceback(source):
    namespace = {"__name__": "__main__", "__builtins__": make_builtins()}
    try:
        run_code(compile_source(source, "case.py"), namespace)
    except BaseException as error:
        return format_exception(error)
    return ""


def loses_messages():
    """Whether the host's except* drops the message of the group that it leaves over, as early versions of 3.11 do."""
    try:
        exec("try: raise ExceptionGroup('message', [ValueError(1)])\nexcept* ValueError: 1/0")
    except ExceptionGroup as group:
        return "message" not in str(group)
    except ZeroDivisionError as error:
        return "message" not in str(error.__context__)


@pytest.mark.parametrize("source", CASES)
def test_same_traceback_as_the_host(source):
    if "except*" in source and loses_messages():
        pytest.skip("the host's except* loses the message of a group")
    source += "\n"
    assert guest_traceback(source) == host_traceback(source)
