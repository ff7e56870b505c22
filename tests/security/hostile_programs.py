"""Random programs that run into limits: endless, growing, deep, talkative, in every kind of surroundings; made from a seed.

`make_program(seed)` gives a `Hostile`: the source, and whether its canaries may ever be reached. A canary is a statement that sets
a global name. It stands behind something endless: in `finally`, in handlers, in finalizers and callbacks. When the run is
stopped in what is endless, no canary may have been reached.
"""

from __future__ import annotations

import json
import pathlib
import random
import re
import sys
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "property")]

from seeded_programs import ALL_FEATURES, PRELUDE  # noqa: E402
from seeded_programs import make_program as seeded_program  # noqa: E402

__all__ = ["Hostile", "corpus", "make_program"]

CANARY = "G['CANARY'] = 1"
BURNS = "G.pop('CANARY', None); G['BURNING'] = 1"      # a canary that was reached before was reached for a good reason
HEAD = "G = globals()\nG['FIRST'] = 'first'\nprint('begins')\n"

# Each goes on for ever and keeps nothing.
ENDLESS = (
    "while True: pass",
    "while True: G['n'] = G.get('n', 0) + 1 & 7",
    "for _ in iter(int, 1): pass",
    "sum(iter(int, 1))",
    "sum(range(10**15))",
    "max(range(10**15))",
    "sum(1 for _ in iter(int, 1))",
    "10**9 in iter(int, 1)",
    "all(v >= 0 for v in range(10**15))",
    "all(map(str, iter(int, 1)))",
    "next(filter(None, iter(int, 1)))",
    "next(v for v in iter(int, 1) if v)",
    "for v1, v2 in zip(iter(int, 1), iter(int, 1)): pass",
    "for _ in map(abs, iter(int, 1)): pass",
    "import itertools\n-1 in itertools.count()",
    "import itertools\nmin(itertools.cycle([1, 2]))",
    "import itertools\nfor _ in itertools.product(range(10**3), repeat=6): pass",
    "import itertools\nsum(1 for _ in itertools.permutations(range(25)))",
    "import itertools, collections\ncollections.deque(itertools.combinations(range(60), 30), 0)",
    "import functools, itertools\nfunctools.reduce(max, itertools.count())",
    "import collections, itertools\ncollections.Counter(itertools.cycle('ab'))",
    "sorted([3, 1, 2], key=lambda v: sum(iter(int, 1)))",
    "import time\nwhile True: time.sleep(0.001)",
    "import time\ntime.sleep(1000)",
    "import asyncio\nasync def endless():\n    while True: await asyncio.sleep(0)\nasyncio.run(endless())",
    "import asyncio\nasync def waits(): await asyncio.get_running_loop().create_future()\nasyncio.run(waits())",
    "import threading\nthreading.Event().wait()",
    "import queue\nqueue.Queue().get()",
    "while True:\n    try: raise ValueError\n    except ValueError: pass",
    "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "while True:\n    try:\n        while True: pass\n    finally: continue",
    "def again():\n    while True:\n        try: yield 1\n        except GeneratorExit: pass\nfor _ in again(): pass",
    "def twice(n): return n < 2 or twice(n - 1) + twice(n - 2)\nwhile True: twice(12)",
    "class Len:\n    def __len__(self): return 10**9\n    def __getitem__(self, i): return i\nfor _ in Len(): pass",
    "class Eq:\n    __hash__ = None\n    def __eq__(self, o):\n        while True: pass\n[Eq()].index(1)",
    "class Has:\n    def __hash__(self): return sum(iter(int, 1))\n{Has(): 1}",
    "class Dyn:\n    def __getattr__(self, n):\n        while True: pass\nhasattr(Dyn(), 'x')",
    "exec('while True: pass')",
    "eval('sum(iter(int, 1))')",
    "match [0]:\n    case [v1] if sum(iter(int, 1)): pass",
    "while True: [v for v in range(100)]",
    "while True: {v: str(v) for v in range(50)}",
    "while True: ''.join(map(str, range(100)))",
    "while True: sorted(range(100), key=lambda v: -v)",
    "import re\nwhile True: re.sub('a', lambda m: 'b', 'banana')",
    "import re\nre.match('(a+)+$', 'a' * 60 + 'b')",
    "import json\nwhile True: json.loads(json.dumps({'a': [1, 2, {'b': None}]}))",
    "import decimal\nwhile True: decimal.Decimal(2).sqrt()",
    "while True: pow(3, 10**5, 7**999)",
    "number = 7 ** 3000\nwhile True: number * number % 11",
    "while True:\n    class K: pass",
    "while True: (lambda: None)()",
    "while True: type('T', (), {})()",
    "while True: print(end='')",
    "while True: object() == object()",
    "import random\nwhile True: random.random()",
    "import struct\nwhile True: struct.pack('iid', 1, 2, 3.0)",
    "import datetime\nwhile True: datetime.datetime(2020, 1, 1) + datetime.timedelta(1)",
    "import copy\nwhile True: copy.deepcopy([{'a': [1, 2]}])",
    "import threading\nt = threading.Thread(target=sum, args=(iter(int, 1),))\nt.start()\nt.join()",
    "import threading\ndef busy():\n    while True: pass\nfor _ in range(3): threading.Thread(target=busy).start()\nbusy()",
)
# Each grows until something stops it.
GROWING = (
    "x = [0]\nwhile True: x += x",
    "x = []\nwhile True: x.append(len(x))",
    "x = 'a'\nwhile True: x += x",
    "x = b'a'\nwhile True: x *= 2",
    "x = {}\nwhile True: x[len(x)] = str(len(x))",
    "x = set()\nwhile True: x.add(len(x))",
    "x = None\nwhile True: x = (x, x)",
    "x = None\nwhile True: x = [x]",
    "x = 3\nwhile True: x *= x",
    "class N: pass\nx = N()\nwhile True:\n    y = N(); y.x = x; x = y",
    "list(iter(int, 1))",
    "x = list(range(10**9))",
    "dict.fromkeys(range(10**9))",
    "bytearray(10**10)",
    "'a' * 10**10",
    "[0] * 10**10",
    "(1,) * 10**9",
    "f'{1:{10**10}}'",
    "'%*d' % (10**9, 1)",
    "'x'.ljust(10**10)",
    "('a' * 10**5).replace('', 'b' * 10**4)",
    "','.join(['x' * 10**5] * 10**5)",
    "import collections\ncollections.deque(iter(int, 1))",
    "import itertools\na, b = itertools.tee(iter(int, 1))\nfor _ in a: pass",
    "import itertools\nx = [*itertools.repeat('x', 10**9)]",
    "import io\ns = io.StringIO()\nwhile True: s.write('x' * 10**5)",
    "import io\ns = io.BytesIO()\nwhile True: s.write(b'x' * 10**5)",
    "import array\narray.array('d', [0]) * 10**10",
    "import json\njson.dumps([[0] * 1000] * 10**6)",
    "x = [[0] * 1000 for _ in range(10**7)]",
    "x = [lambda: v for v in iter(int, 1)]",
    "x = [(v for v in 'ab') for _ in iter(int, 1)]",
    "def g():\n    yield\nx = []\nwhile True:\n    y = g(); next(y); x.append(y)",
    "import asyncio\nasync def z(): await asyncio.sleep(99)\nasync def m(): await asyncio.gather(*[z() for _ in range(10**7)])\nasyncio.run(m())",
    "import re\nre.sub('', 'x' * 10**4, 'y' * 10**5)",
    "import zlib\nx = zlib.compress(b'0' * 10**6)\nwhile True: x = zlib.decompress(x * 3)",
    "2 ** 2 ** 40",
    "1 << 10**11",
    "import math\nmath.factorial(10**8)",
    "x = ExceptionGroup('x', [ValueError()])\nwhile True: x = ExceptionGroup('x', [x])",
    "x = ValueError()\nwhile True:\n    y = ValueError(); y.__cause__ = x; x = y",
    "import threading\nx = []\nwhile True:\n    t = threading.Thread(target=x.append, args=(1,)); t.start(); x.append(t)",
    "while True: globals()[f'v{len(globals())}'] = 1",
    "x = memoryview(bytearray(1000))\ny = []\nwhile True: y.append(bytes(x) * 100)",
)
# Each goes deeper than it may.
DEEP = (
    "def f(): return f()\nf()",
    "def f(n): return n and 1 + f(n + 1)\nf(1)",
    "class R:\n    def __repr__(self): return repr(self)\nrepr(R())",
    "class E:\n    def __eq__(self, o): return o == self\nE() == E()",
    "class A:\n    def __getattr__(self, n): return getattr(self, n + 'x')\nA().a",
    "def f(v): return sorted([1, 2], key=f)\nf(1)",
    "import re\ndef f(m): return re.sub('a', f, 'a')\nf(None)",
    "x = []\nfor _ in range(10**5): x = [x]\nrepr(x)",
    "x = []\nfor _ in range(10**5): x = [x]\nx == [x]",
    "x = ()\nfor _ in range(10**5): x = (x,)\nhash(x)",
    "import json\nx = []\nfor _ in range(10**5): x = [x]\njson.dumps(x)",
    "import json\njson.loads('[' * 10**5)",
    "import copy\nx = []\nfor _ in range(10**5): x = [x]\ncopy.deepcopy(x)",
    "eval('(' * 10**4 + ')' * 10**4)",
    "eval('-' * 10**5 + '1')",
    "eval('[' * 500 + ']' * 500)",
    "eval('1 if 1 else ' * 10**4 + '1')",
    "exec('if 1:\\n' + ''.join(' ' * i + 'if 1:\\n' for i in range(1, 99)) + ' ' * 99 + 'pass')",
    "def g(): yield from g()\nlist(g())",
    "class M(type):\n    def __instancecheck__(c, o): return isinstance(o, c)\nclass B(metaclass=M): pass\nisinstance(1, B)",
    "import functools\n@functools.lru_cache(None)\ndef f(n): return f(n + 1)\nf(1)",
    "async def f(): await f()\ntry: f().send(None)\nexcept StopIteration: pass",
    "class I:\n    def __iter__(self): return iter(I())\nlist(I())",
    "class D:\n    def __get__(self, o, t): return o.a\nclass O:\n    a = D()\nO().a",
    "class P(dict):\n    def __missing__(self, k): return self[k + 1]\nP()[1]",
    "def f(): f.g = f; exec('f()')\nf()",
    "raise ValueError('x' * 10**6)",
    "while True: print('x' * 1000)",
    "while True: print('é' * 100, end='')",
    "import sys\nwhile True: sys.stderr.write('err\\n')",
    "import warnings\nwhile True: warnings.warn('w' * 1000)",
    "import logging\nwhile True: logging.error('x' * 1000)",
    "print('x' * 10**8)",
    "print(*range(10**7))",
)
# Surroundings. {burn} is what is stopped, {seen} a canary; each stands on a line of its own with the indentation that it gets.
SHELLS = (
    "{burn}\n{seen}",
    "try:\n    {burn}\nexcept BaseException:\n    {seen}",
    "try:\n    {burn}\nexcept:\n    {seen}\n{seen}",
    "try:\n    {burn}\nfinally:\n    {seen}",
    "try:\n    try:\n        {burn}\n    finally:\n        {seen}\nexcept BaseException as e:\n    {seen}\n    raise\nelse:\n    {seen}",
    "try:\n    {burn}\nexcept* BaseException:\n    {seen}",
    "def f():\n    try:\n        {burn}\n    finally:\n        {seen}\n        return 1\nf()\n{seen}",
    "while True:\n    try:\n        {burn}\n    finally:\n        {seen}\n        continue",
    "class C:\n    def __enter__(self): pass\n    def __exit__(self, *a):\n        {seen}\n        return True\nwith C():\n    {burn}\n{seen}",
    "class A:\n    def __del__(self):\n        {seen}\na = A()\n{burn}",
    "class A:\n    def __del__(self):\n        {seen}\ndef f():\n    a = A(); b = [A(), A()]\n    {burn}\nf()",
    "class A:\n    def __del__(self):\n        {seen}\ndef f(a):\n    b = A(); b.self = b\n    {burn}\nf(A())",
    "class A:\n    def __del__(self):\n        {burn}\na = A()\ndel a\nG['READY'] = 1",
    "def g():\n    try:\n        yield\n    finally:\n        {seen}\nx = g()\nnext(x)\n{burn}",
    "def g():\n    try:\n        yield\n    except GeneratorExit:\n        {seen}\ndef f():\n    x = g(); next(x); y = [g()]; next(y[0])\n    {burn}\nf()",
    "def g():\n    try:\n        {burn}\n        yield\n    finally:\n        {seen}\nlist(g())",
    "def g():\n    try:\n        yield from h()\n    finally:\n        {seen}\ndef h():\n    {burn}\n    yield\nfor _ in g(): pass\n{seen}",
    "def g():\n    yield 1\n    {burn}\n[*g()]\n{seen}",
    "import weakref\nclass A: pass\na = A()\ndef back(r):\n    {seen}\nr = weakref.ref(a, back)\n{burn}",
    "import weakref\nclass A: pass\na = A()\ndef back():\n    {seen}\nweakref.finalize(a, back)\n{burn}",
    "import atexit\n@atexit.register\ndef end():\n    {seen}\n{burn}",
    "import sys\ndef hook(*a):\n    {seen}\nsys.excepthook = sys.unraisablehook = hook\nclass A:\n    def __del__(self): 1 / 0\na = A()\n{burn}",
    "import contextlib\ndef back():\n    {seen}\nwith contextlib.ExitStack() as s:\n    s.callback(back)\n    {burn}",
    "import contextlib\n@contextlib.contextmanager\ndef cm():\n    try:\n        yield\n    finally:\n        {seen}\nwith cm(), contextlib.suppress(BaseException):\n    {burn}\n{seen}",
    "def k(v):\n    {burn}\nsorted([2, 1], key=k)\n{seen}",
    "def k(v):\n    try:\n        {burn}\n    finally:\n        {seen}\nlist(map(k, [1, 2]))\n{seen}",
    "class A:\n    def __getattr__(self, n):\n        {burn}\nhasattr(A(), 'x')\n{seen}",
    "class A:\n    def __eq__(self, o):\n        {burn}\n    def __hash__(self): return 1\n{{A(), A()}}\n{seen}",
    "class A:\n    def __set_name__(self, o, n):\n        {burn}\ntry:\n    class B:\n        a = A()\nexcept BaseException:\n    {seen}",
    "class A:\n    def __init_subclass__(cls):\n        {burn}\ntry:\n    class B(A): pass\nfinally:\n    {seen}",
    "class A:\n    def __iter__(self): return self\n    def __next__(self):\n        {burn}\na, *b = A()\n{seen}",
    "class A:\n    def __index__(self):\n        {burn}\ntry: [1, 2][A()]\nexcept BaseException:\n    {seen}",
    "class A:\n    def __format__(self, s):\n        {burn}\nf'{{A()}}'\n{seen}",
    "class A(dict):\n    def __missing__(self, k):\n        {burn}\n'%(a)s' % A()\n{seen}",
    "import json\nclass A:\n    pass\ndef default(o):\n    {burn}\njson.dumps(A(), default=default)\n{seen}",
    "import re\ndef put(m):\n    {burn}\nre.sub('a', put, 'aaa')\n{seen}",
    "import functools\n@functools.lru_cache\ndef f(v):\n    {burn}\nf(1)\n{seen}",
    "import functools\ndef f(a, b):\n    {burn}\nfunctools.reduce(f, [1, 2, 3])\nsorted([1, 2], key=functools.cmp_to_key(f))\n{seen}",
    "def d(f):\n    {burn}\ntry:\n    @d\n    def g(): pass\nexcept BaseException:\n    {seen}",
    "import asyncio\nasync def f():\n    try:\n        {burn}\n    finally:\n        {seen}\nasyncio.run(f())\n{seen}",
    "import asyncio\nasync def f():\n    {burn}\nasync def g():\n    await asyncio.gather(f(), return_exceptions=True)\n    {seen}\nasyncio.run(g())",
    "import asyncio\nasync def f():\n    try: await asyncio.sleep(100)\n    finally:\n        {seen}\nasync def g():\n    t = asyncio.create_task(f())\n    await asyncio.sleep(0)\n    {burn}\nasyncio.run(g())",
    "import asyncio\nasync def ag():\n    try: yield 1\n    finally:\n        {seen}\nasync def g():\n    async for x in ag():\n        {burn}\nasyncio.run(g())",
    "import asyncio\nasync def g():\n    async with asyncio.TaskGroup() as tg:\n        tg.create_task(h())\n        await asyncio.sleep(0)\n    {seen}\nasync def h():\n    {burn}\ntry: asyncio.run(g())\nexcept BaseException:\n    {seen}",
    "import asyncio\nasync def g():\n    loop = asyncio.get_running_loop()\n    def back():\n        {burn}\n    loop.call_soon(back)\n    loop.call_soon(late)\n    await asyncio.sleep(0.01)\ndef late():\n    {seen}\nasyncio.run(g())",
    "import threading\ndef f():\n    try:\n        {burn}\n    finally:\n        {seen}\nt = threading.Thread(target=f)\nt.start()\nt.join()\n{seen}",
    "import threading, time\ndef f():\n    try: time.sleep(100)\n    finally:\n        {seen}\nthreading.Thread(target=f).start()\n{burn}",
    "import threading\nlock = threading.Lock()\ndef f():\n    with lock:\n        {seen}\nlock.acquire()\nthreading.Thread(target=f).start()\n{burn}",
    "import threading\nlocal = threading.local()\nclass A:\n    def __del__(self):\n        {seen}\nlocal.a = A()\n{burn}",
    "try:\n    exec('''{text}''', G)\nfinally:\n    {seen}",
    "match 1:\n    case x if x:\n        try:\n            {burn}\n        finally:\n            {seen}\n{seen}",
    "[f for f in [0] if [1 for _ in [0] if not G.update(A=1)]]\nfor _ in range(2):\n    with open_() if 0 else __import__('contextlib').nullcontext():\n        {burn}\n    {seen}\nelse:\n    {seen}",
    "class M(type):\n    def __call__(cls, *a):\n        try:\n            {burn}\n        finally:\n            {seen}\nclass B(metaclass=M): pass\nB()\n{seen}",
    "def gen():\n    while True:\n        try:\n            yield\n        except BaseException:\n            {seen}\nx = gen()\nnext(x)\ntry:\n    {burn}\nfinally:\n    x.throw(ValueError)\n    {seen}",
    "import copy\nclass A:\n    def __deepcopy__(self, memo):\n        {burn}\ncopy.deepcopy([A()])\n{seen}",
    "class A:\n    def __lt__(self, o):\n        {burn}\nimport heapq\nh = [A(), A()]\nheapq.heapify(h)\n{seen}",
    "import enum\nclass E(enum.Enum):\n    A = 1\n    @classmethod\n    def _missing_(cls, v):\n        {burn}\ntry: E(5)\nexcept BaseException:\n    {seen}",
    "import dataclasses\n@dataclasses.dataclass\nclass D:\n    x: int = 0\n    def __post_init__(self):\n        {burn}\ntry: D()\nexcept BaseException:\n    {seen}",
    "class L(list):\n    def append(self, v):\n        {burn}\ntry: L().append(1)\nexcept BaseException:\n    {seen}",
)
NUMBERS = ("0", "1", "2", "-1", "3", "10", "100", "999", "10**4", "10**6", "10**9", "2**31", "2**63", "2**64", "10**12", "1.5", "True", "None", "''", "[]")


@dataclass(slots=True)
class Hostile:
    """A program, and what may be expected of it."""

    source: str
    canaries: bool          # none of its canaries may be reached once BURNING is set
    kind: str


def corpus(folders: tuple[pathlib.Path, ...] = (HERE,)) -> tuple[str, ...]:
    """Return the programs of the cases in the folders' .jsonl files."""
    found = []
    for folder in folders:
        for path in sorted([folder] if folder.is_file() else folder.glob("*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                case = json.loads(line)
                if isinstance(case.get("code"), str):
                    found.append(case["code"])
    return tuple(found)


def fill(shell: str, burn: str, seen: str) -> str:
    """Return a shell with its places filled, each line with the indentation of the place."""
    lines = []
    for line in shell.split("\n"):
        place = line.strip()
        if place in ("{burn}", "{seen}"):
            margin = line[:len(line) - len(line.lstrip())]
            lines += [margin + part for part in (burn if place == "{burn}" else seen).split("\n")]
        else:
            lines.append(line.replace("{text}", burn.replace("\\", "\\\\")).replace("{{", "{").replace("}}", "}"))
    return "\n".join(lines)


def mutate(rng: random.Random, source: str, cases: tuple[str, ...]) -> str:
    """Return a source with a few changes: numbers, lines, pieces of another program, surroundings."""
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        form = rng.randrange(7)
        lines = source.split("\n")
        at = rng.randrange(len(lines))
        if form == 0:
            spots = list(re.finditer(r"\b\d+(\*\*\d+)?\b", source))
            if spots:
                spot = rng.choice(spots)
                source = source[:spot.start()] + rng.choice(NUMBERS) + source[spot.end():]
        elif form == 1:
            source = "\n".join(lines[:at] + lines[at + 1:]) or "pass"
        elif form == 2:
            source = "\n".join(lines[:at] + [lines[at]] * 2 + lines[at + 1:])
        elif form == 3:
            source = source + "\n" + rng.choice(cases)
        elif form == 4:
            source = rng.choice(cases) + "\n" + source
        elif form == 5:
            words = list(re.finditer(r"\b(list|tuple|set|sum|max|sorted|dict|range|str|repr|bytes|int|len|iter|map|zip|next|any|all|min)\b", source))
            if words:
                word = rng.choice(words)
                source = source[:word.start()] + rng.choice(("list", "tuple", "set", "sum", "sorted", "str", "repr", "bytes", "hash", "iter", "print", "dict", "len", "type", "max")) + source[word.end():]
        else:
            source = fill(rng.choice(SHELLS), source, CANARY)
    return source


def endless(rng: random.Random) -> str:
    """Return something endless. What may fail in strange surroundings says so by a name, but only for errors of the guest."""
    burn = rng.choice(ENDLESS)
    if "asyncio" in burn or "thread" in burn or "queue" in burn:     # who waits for nobody is told so
        return f"{BURNS}\ntry:\n" + "\n".join("    " + line for line in burn.split("\n")) + "\nexcept Exception:\n    G['ENDED'] = 1\n    raise"
    return f"{BURNS}\n{burn}"


def make_program(seed: int, cases: tuple[str, ...] = ()) -> Hostile:
    """Return the program of a seed.

    Args:
        seed: any integer.
        cases: further programs that may be changed and put together.
    """
    rng = random.Random(seed)
    known = cases + ENDLESS + GROWING + DEEP
    form = rng.random()
    if form < 0.35:
        source = fill(rng.choice(SHELLS), endless(rng), CANARY)
        return Hostile(HEAD + source, True, "endless")
    if form < 0.45:
        inner = fill(rng.choice(SHELLS), endless(rng), CANARY)
        if "'''" not in inner:
            return Hostile(HEAD + fill(rng.choice(SHELLS), inner, CANARY), True, "endless twice")
    if form < 0.62:
        return Hostile(HEAD + fill(rng.choice(SHELLS), rng.choice(GROWING + DEEP), CANARY), False, "growing or deep")
    if form < 0.80:
        return Hostile(HEAD + mutate(rng, rng.choice(known), known), False, "changed case")
    program = seeded_program(seed, ALL_FEATURES, PRELUDE + HEAD)
    if form < 0.88:
        return Hostile(program, False, "seeded")
    if form < 0.95:
        # Over and over, in a function of its own namespace each time.
        return Hostile(HEAD + f"program = {program!r}\nwhile True:\n    try: exec(program, {{'__name__': 'again'}})\n    except Exception: pass", False, "seeded again and again")
    return Hostile(program + "\nG['BURNING'] = 1\n" + fill(rng.choice(SHELLS), rng.choice(ENDLESS), CANARY), False, "seeded, then endless")
