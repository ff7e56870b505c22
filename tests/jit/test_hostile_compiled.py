"""Programs that try to make compiled code take one thing for another: what it has seen changes in the middle of a loop, objects
end in it, every operation fails once. The interpreter alone is what they are compared with; limits hold as in it."""

from __future__ import annotations

import threading

import kimi_runtime as kr
import pytest

pytest.importorskip("llvmlite")

# An expression over numbers a and b, a list l of numbers and an index k, in a loop of its own in a function.
EXPRESSIONS = (
    "a + b", "a - b", "a * b", "a / b", "a // b", "a % b", "a ** 2", "-a", "+a", "~a", "a & b", "a | b", "a ^ b", "a << b", "a >> b", "a < b",
    "a <= b", "a == b", "a != b", "not a", "a and b", "a or b", "a if a < b else b", "l[k]", "l[-1] + a", "l[k] * l[k - 1]", "a is b", "abs(a)",
    "min(a, b)", "float(a)", "int(a)", "len(l) + a", "(a + b) * (a - b)", "a * a % 7 + b", "a < b < a + b", "a in l", "bool(a)", "divmod(a, b)[0]",
    "[a, b][k & 1]", "(a, b)[0] + b", "sum(l) + a", "f'{a}' + str(b)", "a.__class__.__name__", "l.index(a)", "round(a)",
)
# What takes the place of a, b or k in one round: other kinds, ends of ranges, objects that act.
POISON = (
    "0", "-1", "1.5", "True", "None", "'x'", "2 ** 62", "2 ** 63", "-2 ** 63", "2 ** 64", "2 ** 200", "float('nan')", "float('inf')", "1e308", "-0.0",
    "1j", "[1]", "(1,)", "b'x'", "Sub(3)", "Acts()", "Raises()", "range(3)", "10 ** 6", "-10 ** 6", "SubFloat(2.5)", "SubList([1, 2, 3])",
)
HEAD = """
class Sub(int):
    def __add__(self, o): return 'added'
    def __index__(self): return 1
class SubFloat(float): pass
class SubList(list):
    def __getitem__(self, k): return 'got'
class Acts:
    def __getattr__(self, name): raise AttributeError('none: ' + name)
    def __radd__(self, o): return 100
    def __add__(self, o): return 200
    def __lt__(self, o): return True
    def __index__(self): return 0
    def __hash__(self): return 5
    def __eq__(self, o): return True
class Raises:
    def __bool__(self): raise ValueError('bool')
    def __eq__(self, o): raise KeyError('eq')
    def __add__(self, o): raise OSError('add')
    __radd__ = __lt__ = __gt__ = __le__ = __mul__ = __index__ = __add__
"""


def both(source: str, **more) -> tuple:
    """What the program gives with everything compiled, and in the interpreter."""
    given = {"limits": kr.Limits(seconds=60), **more}
    results = [kr.Runtime(jit=jit, **given).run(source) for jit in (kr.JIT.eager(), None)]
    return tuple((r.stdout, r.error and (r.error.type, r.error.message, r.error.limit), repr(r.value)) for r in results)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_operation_meets_everything(expression):
    source = f"""{HEAD}
def run(a, b, k, l, what, at, value):
    seen, last = 0, None
    for i in range(60):
        if i == at:
            if what == 0: a = value
            elif what == 1: b = value
            elif what == 2: k = value
            else: l = [value] * 3
        last = {expression}
        seen += 1
        if i != at and what < 2: a, b = i % 7, i % 5 + 1
    return seen, last
for value in ({", ".join(POISON)}):
    for what in range(4):
        for at in (3, 40):
            try: print(what, at, run(1, 2, 1, [1, 2, 3], what, at, value))
            except Exception as error: print(what, at, type(error).__name__, error)
"""
    compiled, interpreted = both(source)
    assert compiled == interpreted


CHANGES = {
    "global": "n = 1\ndef step(i):\n    global n\n    if i == 50: n = 'a'\n    return i\nt = 0\nfor i in range(100):\n    try: t = t + step(i) * n\n    except TypeError: t = 7\nprint(t)",
    "global deleted": "n = 1\ndef f():\n    global n\n    t = 0\n    for i in range(100):\n        if i == 60: del n\n        t += n\n    return t\ntry: print(f())\nexcept NameError as e: print(e)",
    "builtin shadowed": "def f():\n    t = 0\n    for i in range(100):\n        if i == 70: globals()['abs'] = lambda v: 'mine'\n        t = abs(-i)\n    return t\nprint(f())",
    "builtin replaced": "import builtins\ndef f():\n    t = 0\n    for i in range(100):\n        if i == 70: builtins.len = lambda v: -5\n        t += len([1])\n    return t\nprint(f())",
    "class of instance": "class A:\n    def __init__(s): s.x = 1\n    def get(s): return s.x\nclass B(A):\n    def get(s): return 'b'\na = A()\nt = []\nfor i in range(100):\n    if i == 50: a.__class__ = B\n    t.append(a.get())\nprint(t)",
    "method replaced": "class A:\n    def get(s): return 1\na = A()\nt = 0\nfor i in range(100):\n    if i == 40: A.get = lambda s: 2.5\n    t += a.get()\nprint(t)",
    "slot removed": "class A: pass\na = A()\na.x = 1\nt = 0\nfor i in range(100):\n    if i == 30: del a.x; A.x = property(lambda s: 1 << 70)\n    t += a.x\nprint(t)",
    "bases": "class P:\n    def v(s): return 1\nclass Q:\n    def v(s): return 's'\nclass A(P): pass\na = A()\nt = []\nfor i in range(90):\n    if i == 45: A.__bases__ = (Q,)\n    t.append(a.v())\nprint(t)",
    "code of function": "def g(x): return x + 1\ndef h(x): return 'h'\nt = []\nfor i in range(90):\n    if i == 45: g.__code__ = h.__code__\n    t.append(g(i))\nprint(t)",
    "defaults": "def g(x=1): return x + 1\nt = []\nfor i in range(90):\n    if i == 45: g.__defaults__ = (2.5,)\n    t.append(g())\nprint(t)",
    "cell": "def f():\n    x = 1\n    def put(v):\n        nonlocal x\n        x = v\n    t = []\n    for i in range(90):\n        if i == 45: put('s')\n        if i == 46: put(1.5)\n        t.append(x * 2)\n    return t\nprint(f())",
    "cell deleted": "def f():\n    x = 1\n    def drop():\n        nonlocal x\n        del x\n    t = 0\n    for i in range(90):\n        if i == 45: drop()\n        t += x\n    return t\ntry: f()\nexcept NameError as e: print(e)",
    "list in loop": "l = [1] * 50\nt = 0\nfor v in l:\n    t += v\n    if len(l) < 90: l.append(t & 3)\n    if t == 20: l[t] = 2.5\n    if t == 40.5: l.clear()\nprint(t)",
    "list shrinks": "l = [1] * 90\nt = 0\ntry:\n    for i in range(90):\n        if i == 50: del l[20:]\n        t += l[i]\nexcept IndexError as e: print(t, e)",
    "list of lists": "l = [[i, i * 1.5] for i in range(50)]\nt = 0\nfor i in range(50):\n    if i == 30: l[31:] = ['ab'] * 19\n    try: t += l[i][1]\n    except TypeError: t += 1\nprint(t)",
    "finalizer writes": "class D:\n    def __del__(s):\n        global n, l\n        n = 'gone'\n        l = None\nn = 1\nl = [1, 2]\nt = []\nfor i in range(80):\n    d = D() if i == 40 else i\n    if i == 41: d = None\n    t.append(n)\n    try: t.append(l[0] + i)\n    except TypeError as e: t.append(str(e)); l = [1]\nprint(t)",
    "finalizer of overwritten local": "import sys\nclass D:\n    def __del__(s): seen.append(1)\nseen = []\ndef f():\n    x = 0\n    for i in range(80):\n        x = D() if i % 20 == 5 else i + 1\n    return x\nprint(f(), len(seen))",
    "finalizer raises": "class D:\n    def __del__(s): raise ValueError\nt = 0\nfor i in range(80):\n    x = D() if i == 33 else i\n    t += i\nprint(t)",
    "finalizer runs the loop": "def f(n):\n    t = 0\n    for i in range(60):\n        x = D(n) if i == 30 and n else i\n        t += i\n    out.append(t)\n    return t\nclass D:\n    def __init__(s, n): s.n = n\n    def __del__(s): f(s.n - 1)\nout = []\nprint(f(3), out)",
    "iterator replaced": "class R:\n    def __init__(s): s.i = 0\n    def __iter__(s): return s\n    def __next__(s):\n        s.i += 1\n        if s.i > 60: raise StopIteration\n        return s.i if s.i < 30 else s.i * 1.5 if s.i < 45 else str(s.i)\nt = []\nfor v in R(): t.append(v * 2)\nprint(t)",
    "recursion": "def f(n): return 0 if n == 0 else 1 + f(n - 1)\nfor i in range(30): f(20)\ntry: f(10 ** 6)\nexcept RecursionError as e: print('deep')\nprint(f(50))",
    "recursion with others": "def f(n): return n if n < 2 else f(n - 1) + f(n - 2)\nprint(f(15))\nprint(f(2.5), f(True))\ntry: f('x')\nexcept TypeError as e: print(e)\ndef f2(n): return n\ng = f\nf = f2\nprint(g(15))",
    "trace": "import sys\nseen = []\ndef tr(frame, event, arg):\n    seen.append(event)\n    return tr\ndef f():\n    t = 0\n    for i in range(40):\n        if i == 20: sys.settrace(tr)\n        t += g(i)\n    sys.settrace(None)\n    return t\ndef g(i): return i + 1\nprint(f(), seen[:6], len(seen))",
    "generator closed": "def g():\n    t = 0\n    try:\n        while True:\n            t += 1\n            yield t\n    finally: print('closed', t)\nfor i in range(3):\n    s = 0\n    for v in g():\n        s += v\n        if v == 60: break\n    print(s)",
    "overflow in steps": "x = 1\nfor i in range(200):\n    x = x * 3 + 1\n    if x > 2 ** 100: x = x % 1000\nprint(x)\ny = 2 ** 62\nfor i in range(10): y += y\nprint(y)\nz = -2 ** 63\nfor i in range(3): z = z // -1\nprint(z, abs(-2 ** 63), -(-2 ** 63))",
    "division": "t = []\nfor i in range(-40, 40):\n    try: t.append((7 // i, 7 % i, -7 // i, -7 % i, 7.5 % i, 7 / i))\n    except ZeroDivisionError as e: t.append(str(e))\nprint(t)\nm = -2 ** 63\nfor d in (-1, 1, 2):\n    for _ in range(40): r = m // d, m % d\n    print(r)",
    "shifts": "t = []\nfor i in range(-3, 80):\n    try: t.append((1 << i, -1 >> i, 5 << i >> i))\n    except ValueError as e: t.append(str(e))\nprint(t)",
    "nan": "n = float('nan')\nl = [n]\nt = [0, 0, 0]\nfor i in range(60):\n    t[0] += n == n\n    t[1] += n in l\n    t[2] += l[0] is n\nprint(t)",
    "bools": "t = []\nb = True\nfor i in range(60):\n    b = b ^ (i & 1 == 0) if i < 30 else b + 1\n    t.append(b)\nprint(t)",
    "names through exec": "n = 1\nt = 0\nfor i in range(60):\n    if i == 30: exec('n = 2.5')\n    t += n\nprint(t)",
    "locals through frame": "import sys\ndef f():\n    t = 0\n    for i in range(60):\n        if i == 30: sys._getframe().f_locals['t'] = 'x'\n        t += 1\n    return t\nprint(f())",
    "exception keeps registers": "def f(i):\n    x = i * 2\n    y = x + 1.5\n    if i == 50: raise ValueError(x, y)\n    return y\ntry:\n    t = 0\n    for i in range(100): t += f(i)\nexcept ValueError as e:\n    tb = e.__traceback__\n    print(t, e, tb.tb_next.tb_frame.f_locals, tb.tb_lineno)",
    "threads": "import threading\nn = [0]\ndef work():\n    t = 0\n    for i in range(3000):\n        t += i & 3\n        n[0] += 1\n    out.append(t)\nout = []\nts = [threading.Thread(target=work) for _ in range(3)]\nfor t in ts: t.start()\nfor t in ts: t.join()\nprint(out, n)",
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_under_compiled_code(name):
    compiled, interpreted = both(CHANGES[name])
    assert compiled == interpreted
    # And a second time, with what the first run has compiled.
    runtime = kr.Runtime(jit=kr.JIT.eager())
    first, second = (runtime.run(CHANGES[name]) for _ in range(2))
    assert (first.stdout, first.error and first.error.message) == (second.stdout, second.error and second.error.message)


LOOPS = {
    "ints": "x = 0\nwhile True: x = (x * 3 + 1) & 1023",
    "floats": "x = 0.5\nwhile True: x = x * 1.5 % 7.0",
    "range": "t = 0\nfor i in range(10 ** 15): t = t + i & 255",
    "lists": "l = [0] * 10\ni = 0\nwhile True:\n    l[i % 10] = i\n    i += 1",
    "calls": "def f(n): return n + 1\nx = 0\nwhile True: x = f(x) & 7",
    "recursion": "def f(n): return n if n < 2 else f(n - 1) + f(n - 2)\nf(90)",
    "nested": "while True:\n    for i in range(3):\n        for j in range(3): pass",
    "generator": "def g():\n    i = 0\n    while True:\n        i += 1\n        yield i\nt = 0\nfor v in g(): t = t + v & 7",
}
CATCHES = "\nprint('after')"


@pytest.mark.parametrize("kind", ("seconds", "instructions", "cancel", "cpu_seconds"))
@pytest.mark.parametrize("name", LOOPS)
def test_limits_end_compiled_loops(name, kind):
    body = "\n    ".join(LOOPS[name].splitlines())
    source = f"def run():\n    {body}\ntry: run()\nexcept BaseException: print('caught')\nfinally: print('finally')\nprint('after')"
    limits = {"seconds": {"seconds": 0.15}, "instructions": {"seconds": 30, "instructions": 200_000}, "cancel": {"seconds": 30},
              "cpu_seconds": {"seconds": 30, "cpu_seconds": 0.15}}[kind]
    session = kr.Runtime(jit=kr.JIT.eager(), limits=kr.Limits(**limits)).session()
    timer = threading.Timer(0.15, session.cancel)
    if kind == "cancel":
        timer.start()
    result = session.run(source)
    timer.cancel()
    assert result.error is not None and result.error.limit == ("cancelled" if kind == "cancel" else kind)
    assert result.stdout == ""
    if kind == "instructions":
        assert 200_000 < result.stats.instructions <= 202_000
    assert session.run("1 + 1").value == 2


@pytest.mark.parametrize("source", [
    "l = []\ni = 0\nwhile True:\n    l.append(i * 3)\n    i += 1",
    "l = []\nfor i in range(10 ** 12): l += [i, 1.5]",
    "d = {}\nfor i in range(10 ** 12): d[i] = i * 2",
    "def f():\n    s = ''\n    for i in range(10 ** 12): s = s + str(i)\nf()",
    "def f(n): return [n, f(n + 1)]\nf(0)",
])
def test_memory_ends_compiled_loops(source):
    result = kr.Runtime(jit=kr.JIT.eager(), limits=kr.Limits(seconds=30, memory="16MB", recursion=100_000)).run(
        f"try:\n    {source.replace(chr(10), chr(10) + '    ')}\nexcept RecursionError: raise\nexcept ValueError: pass")
    assert result.error is not None and (result.error.limit in ("memory", "recursion") or result.error.type in ("MemoryError", "RecursionError"))


def test_output_ends_compiled_loops():
    result = kr.Runtime(jit=kr.JIT.eager(), limits=kr.Limits(seconds=30, output=1000)).run("i = 0\nwhile True:\n    i += 1\n    print(i)")
    assert result.error.limit == "output" and len(result.stdout) < 1200
