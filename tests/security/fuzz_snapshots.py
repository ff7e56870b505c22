"""Loads altered snapshots, and lets go on what comes of them: nothing may crash.

    python tests/security/fuzz_snapshots.py [--count N] [--start SEED] [--jobs N] [--show SEED]

A seed makes one altered snapshot of one of the programs below: bytes and values below the checksum are changed, moved, cut out,
doubled, or taken from another snapshot. A mutant must be refused by SnapshotError, or load; then it goes on, its objects are looked
at, called and iterated, and it is saved again. That happens in child processes with a bound on memory: a signal that ends one is a
failure of its seed, and so is a hang or an error of another class. The exit status is the number of failures, at most 100.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import gc
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent)]

import kimi_runtime as kr  # noqa: E402
from kimi_runtime.snapshots import form, saving  # noqa: E402
from kimi_runtime.snapshots.reader import Reader  # noqa: E402
from test_async_snapshots import PROGRAMS as ASYNC_PROGRAMS  # noqa: E402
from test_snapshots import STATE  # noqa: E402
from test_suspension import PROGRAMS  # noqa: E402

HANG_SECONDS = 30
MEMORY = 6 << 30
LIMITS = kr.Limits(seconds=0.3, instructions=300_000, memory=64 << 20)
# Of the look at what has loaded, which takes most of the time: everything has been seen once by then.
LOOK_LIMITS = kr.Limits(seconds=0.1, instructions=80_000, memory=64 << 20)
MORE = {
    "state": STATE,
    "cells": """
def outer(a, *rest, key=1, **more):
    total = 0
    def add(n):
        nonlocal total
        total += n + a
        ask(total)
        return lambda: (total, key, rest, more)
    return add
adds = [outer(i, 1, 2, key=i, z=3) for i in range(3)]
for add in adds:
    for i in range(3):
        print(add(i)(), ask(i))
""",
    "groups": """
def work(n):
    try:
        raise ExceptionGroup("g", [ValueError(n), KeyError(n), TypeError(ask(n))])
    except* ValueError as g:
        print(g.exceptions, ask(n))
    except* KeyError as g:
        print(len(g.exceptions), ask(n))
        raise IndexError(ask(1)) from None
try:
    work(1)
except* (TypeError, IndexError) as g:
    print(ask(2), g)
""",
    "patterns": """
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
for value in ([1, 2, 3], {"a": 1, "b": 2}, P(1, [2]), "text", (1, (2, 3))):
    match value:
        case [a, *b] if ask(a): print(a, b, ask(b and 1))
        case {"a": a, **rest} if ask(a): print(a, rest)
        case P(x, [y]) if ask(x): print(x, y)
        case str() as s: print(f"{s!r:>{ask(5)}} {ask(1)}")
""",
    "delegation": """
def leaf(n):
    got = yield ask(n)
    try:
        while got:
            got = yield got * 2
    finally:
        ask("left")
def branch(n):
    with open_it(n) as x:
        r = yield from leaf(x)
        yield from (ask(i) for i in range(2))
    return r
import contextlib
@contextlib.contextmanager
def open_it(n):
    try:
        yield ask(n)
    except ValueError as e:
        print(e, ask(9))
for v in branch(3):
    print(v, ask(v))
its = [branch(i) for i in range(4)]
for it in its[:3]:
    next(it)
ask(its)
print([next(it, None) for it in its], ask(1))
""",
    "loops": """
d = {i: str(i) for i in range(6)}
del d[0], d[1]
for k, v in d.items():
    for i, (a, b) in enumerate(zip("abc", [1, 2, 3])):
        for c in f"{a}{b}":
            for n in range(2, 9, 3):
                for w in d.values():
                    if ask(n) == 4: break
                    print(k, v, i, a, b, c, n, w)
                    break
for x in map(lambda q: ask(q), filter(None, [0, 1, 2])): print(x)
print(sorted([3, 1, 2], key=lambda n: ask(n)), {ask(1): [ask(2), *range(ask(1))], **{"z": ask(3)}}, f"{ask(1)}{ask(2)}")
""",
    "coroutines": """
import asyncio
class Manager:
    async def __aenter__(self): return ask(1)
    async def __aexit__(self, *details): ask(2); return True
async def items():
    for i in range(3):
        yield i
        await asyncio.sleep(0)
async def main():
    async with Manager() as m:
        async for i in items():
            print(i, m)
        raise ValueError
    return [i async for i in items()]
c = main()
try:
    c.send(None)
except BaseException as e:
    print(e)
ask(c)
""",
    "classes of all kinds": """
import abc, dataclasses, enum, collections, functools
class Meta(type):
    @property
    def label(cls): return "meta"
    def __call__(cls, *a): return super().__call__(*a)
class Base(metaclass=Meta):
    __slots__ = ("a", "__dict__")
    label = "own"
    def __init__(self, a): self.a = a; self.b = ask(a)
    @classmethod
    def make(cls): return cls(1)
    @functools.cached_property
    def heavy(self): return ask(2)
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
class Square(Shape):
    def area(self): return ask(3)
class Kind(enum.Enum):
    A = 1
    B = "b"
@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: list = dataclasses.field(default_factory=list)
class Words(collections.UserDict): pass
class Row(tuple): pass
class Num(int): pass
objects = [Base.make(), Square(), Kind.A, Point(1, [2]), Words(a=1), Row((1, [2])), Num(7), collections.Counter("aab"),
           collections.deque([1, 2], 3), collections.OrderedDict(a=1), functools.partial(print, 1), {Kind.A: 1, (1, Kind.B): 2},
           frozenset([1, (2, 3)]), Base.make, "x".upper, property(lambda s: 1), memo := {}]
memo[1] = objects
print(objects[0].heavy, objects[1].area(), ask(5), min(objects[3], Point(0)), Base.label, Meta.label)
""",
}
CORPUS = {**PROGRAMS, **MORE, **{f"async {name}": source for name, source in ASYNC_PROGRAMS.items()}}
#: What a session that has loaded is to do: everything with everything.
LOOK = """
import gc
def look(v, depth=0):
    for f in (repr, hash, bool, len, iter, next, callable, dir, lambda v: v == v, lambda v: v(), lambda v: v(1), lambda v: v.close(),
              lambda v: v.send(None), lambda v: [look(w, depth + 1) for w in list(v)[:5]] if depth < 2 else 0, lambda v: v.__dict__,
              lambda v: v.__code__.co_varnames, lambda v: v.__closure__, lambda v: v.cell_contents, lambda v: {v: 1}[v],
              lambda v: v.throw(ValueError), lambda v: raises(v), lambda v: v.cancel(), lambda v: v.result(), lambda v: v.set_result(1),
              lambda v: v.get_loop(), lambda v: v.get(), lambda v: v.when(), lambda v: v.old_value, lambda v: v.run(repr, v),
              lambda v: v.items(), lambda v: v.remove_done_callback(v), lambda v: v._ready, lambda v: v._scheduled):
        try:
            f(v)
        except BaseException as e:
            if type(e) is MemoryError: raise
def raises(v):
    try: raise v
    except ValueError: pass
for _v in list(globals().values()):
    look(_v)
_v = None
gc.collect()
"""


def make_corpus():
    """Payloads of snapshots, each with the places where values begin."""
    found = []
    runtime = kr.Runtime()
    for name, source in CORPUS.items():
        session = runtime.session()
        step = session.start(source, suspend_on={"ask"}, await_on={"fetch"})
        dumps = []
        while isinstance(step, kr.Suspended) and len(dumps) < 24:
            with contextlib.suppress(kr.SnapshotError):
                dumps.append(step.dump())
            call = step.pending[0]
            step = step.throw(ValueError("x"), id=call.id) if "fail" in call.args else step.resume(len(dumps) % 3 + 1, id=call.id)
        if not isinstance(step, kr.Suspended):
            with contextlib.suppress(kr.SnapshotError):
                dumps.append(session.dump())
        for data in dumps[:: max(len(dumps) // 6, 1)] + dumps[-1:]:
            found.append((name, form.unpack(data, None)))
    return [(name, data, marks_of(data)) for name, data in found]


def marks_of(data):
    session = kr.Runtime().session()
    namespace = session._live()
    reader = Reader(session._context, namespace["__builtins__"], namespace, data,
                    lambda text, name: saving.load_code(session, text, name), saving.compile_again, None, session._variables)
    reader.marks = marks = []
    names = reader.read_names()
    if names is not None:
        saving.suspending_functions(session, *(tuple(each) for each in names[:2]))
    reader.read()
    saving.abandon(reader)
    return marks


NUMBERS = (0, 1, 2, 3, 5, 8, 9, 10, 11, 12, 24, 25, 28, 63, 64, 127, 128, 255, 300, 2**15, 2**16 - 1, 2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1)


def varint(n):
    out = bytearray()
    while n >= 0x80:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def mutate(rng, corpus):
    """An altered payload, and the name of the program."""
    name, data, marks = rng.choice(corpus)
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3, 6))):
        how = rng.random()
        # The end is where frames and registers are.
        at = marks[-1 - min(int(rng.expovariate(0.02)), len(marks) - 1)] if rng.random() < 0.5 else rng.choice(marks)
        at = min(at, len(data) - 1)
        if how < 0.25:                      # another value, or the tag of one
            data[at] = rng.choice((rng.randrange(60), rng.randrange(128, 256), rng.randrange(256), data[at] ^ 1 << rng.randrange(8)))
        elif how < 0.45:                    # what follows the tag
            where = min(at + rng.randrange(1, 5), len(data) - 1)
            data[where] = rng.choice((rng.randrange(256), data[where] ^ 1 << rng.randrange(8), (data[where] + rng.choice((-1, 1))) % 256))
        elif how < 0.6:                     # a number
            where = at + 1
            end = where
            while end < len(data) - 1 and data[end] & 0x80:
                end += 1
            data[where:end + 1] = varint(rng.choice(NUMBERS))
        elif how < 0.75:                    # a value in the place of another
            other = data if rng.random() < 0.7 else rng.choice(corpus)[1]
            i = rng.randrange(len(marks) - 1)
            start, end = marks[i], marks[min(i + rng.choice((1, 1, 1, 2, 3, 8)), len(marks) - 1)]
            j = marks.index(at) if at in marks else 0
            data[at:marks[min(j + 1, len(marks) - 1)] if rng.random() < 0.8 else at] = other[start:end]
        elif how < 0.85:                    # a reference to another object
            data[at:at + 1] = bytes([12]) + varint(rng.randrange(rng.choice((4, 40, 400))))
        elif how < 0.93:                    # bytes cut out or doubled
            size = rng.choice((1, 1, 2, 4, 9, 30))
            if rng.random() < 0.5:
                del data[at:at + size]
            else:
                data[at:at] = data[at:at + size]
        else:
            where = rng.randrange(len(data))
            data[where] = rng.randrange(256)
        if not data:
            data = bytearray(b"\0")
    return name, bytes(data)


def try_one(seed, corpus, runtime):
    """Whether the mutant of a seed was loaded."""
    rng = random.Random(seed)
    _, data = mutate(rng, corpus)
    try:
        found = kr.load(form.pack(data, None), runtime)
    except kr.SnapshotError:
        return False
    session = found.session if isinstance(found, kr.Suspended) else found
    for _ in range(8):
        if not isinstance(found, kr.Suspended):
            break
        if rng.random() < 0.3:
            with contextlib.suppress(kr.SnapshotError):
                kr.load(found.dump(), runtime)
        call = found.pending[0]
        found = found.throw(ValueError("x"), id=call.id) if rng.random() < 0.2 else found.resume(rng.randrange(4), id=call.id)
    if isinstance(found, kr.Suspended):
        found.close()
    session.run(LOOK, limits=LOOK_LIMITS)
    with contextlib.suppress(kr.SnapshotError):
        kr.load(session.dump(), runtime)
    session.close()
    return True


def work(start, count, status):
    """The child: tells after each seed which one comes next."""
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    corpus = make_corpus()
    runtime = kr.Runtime(limits=LIMITS)
    loaded = 0
    with open(status, "r+b", buffering=0) as file:
        for seed in range(start, start + count):
            file.seek(0)
            file.write(b"%12d %12d\n" % (seed, loaded))
            signal.alarm(HANG_SECONDS)
            loaded += try_one(seed, corpus, runtime)
            signal.alarm(0)
            if seed % 200 == 0:
                gc.collect()
        file.seek(0)
        file.write(b"%12d %12d\n" % (start + count, loaded))


def run(start, count, jobs):
    """Runs seeds in children. Returns the failures, each a seed and how its child ended, and how many were loaded."""
    failures, loaded = [], 0
    waiting = [(start + count * i // jobs, start + count * (i + 1) // jobs) for i in range(jobs)]
    running = []
    while waiting or running:
        while waiting and len(running) < jobs:
            first, end = waiting.pop()
            status = tempfile.NamedTemporaryFile(delete=False)
            status.write(b"%12d %12d\n" % (first, 0))
            status.flush()
            log = tempfile.TemporaryFile()
            child = subprocess.Popen([sys.executable, __file__, "--work", str(first), str(end - first), status.name],
                                     stdout=log, stderr=subprocess.STDOUT)
            running.append((child, end, status, log))
        time.sleep(0.05)
        for entry in list(running):
            child, end, status, log = entry
            if child.poll() is None:
                continue
            running.remove(entry)
            status.seek(0)
            at, good = (int(each) for each in status.read().split())
            os.unlink(status.name)
            loaded += good
            if child.returncode or at != end:
                log.seek(0)
                failures.append((at, child.returncode, log.read().decode(errors="replace")[-1500:]))
                if at + 1 < end and len(failures) < 100:
                    waiting.append((at + 1, end))
    return failures, loaded


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int)
    parser.add_argument("--work", nargs=3)
    given = parser.parse_args()
    if given.work:
        work(int(given.work[0]), int(given.work[1]), given.work[2])
        return 0
    if given.show is not None:
        faulthandler.enable()
        print(try_one(given.show, make_corpus(), kr.Runtime(limits=LIMITS)))
        return 0
    begun = time.monotonic()
    failures, loaded = run(given.start, given.count, given.jobs)
    for seed, status, text in failures:
        print(f"seed {seed}: status {status}\n{text}")
    print(f"{given.count} altered snapshots, {loaded} loaded, {len(failures)} failures, {time.monotonic() - begun:.0f} s")
    return min(len(failures), 100)


if __name__ == "__main__":
    sys.exit(main())
