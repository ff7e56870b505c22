"""A cancellation reaches a guest that is in native code only: no instruction of its own comes between."""

from __future__ import annotations

import threading
import time

import kimi_runtime as kr
import pytest

HEAD = "import itertools as i, functools as f, operator as o, collections as c, math, re, json, heapq, time, threading, decimal, hashlib\n"
# Each goes on for at least a minute, or takes more memory than there is.
ENDLESS = (
    "sum(range(10**13))", "sum(i.repeat(1))", "max(i.repeat(1))", "any(i.repeat(0))", "all(i.repeat(1))", "math.prod(i.repeat(1))",
    "1 in i.count(2)", "o.countOf(i.repeat(1), 2)", "o.indexOf(i.repeat(1), 2)", "c.deque(i.count(), 0)", "c.Counter(i.repeat(1))",
    "next(filter(None, i.repeat(0)))", "next(i.filterfalse(None, i.repeat(1)))", "next(i.islice(i.count(), 10**13, None))",
    "next(i.dropwhile(bool, i.repeat(1)))", "f.reduce(o.or_, i.repeat(1))", "set(i.repeat(1))", "dict.fromkeys(i.repeat(1))",
    "dict(i.repeat((1, 2)))", "{*i.repeat(1)}", "c.deque(zip(i.repeat(1), i.count()), 1)", "c.deque(map(o.neg, i.repeat(1)), 1)",
    "c.deque(enumerate(i.repeat(1)), 1)", "c.deque(iter(int, 1), 1)", "c.deque(i.cycle('ab'), 1)", "c.deque(i.chain.from_iterable(i.repeat('abc')), 1)",
    "c.deque(i.accumulate(i.repeat(0)), 1)", "c.deque(i.product(range(1000), repeat=7), 1)", "c.deque(i.permutations(range(30)), 1)",
    "c.deque(i.combinations(range(60), 30), 1)", "c.deque(i.compress(i.repeat(1), i.repeat(0)), 1)", "c.deque(i.groupby(i.repeat(1)), 1)",
    "c.deque(i.starmap(o.add, i.repeat((1, 2))), 1)", "c.deque(reversed(range(10**13)), 1)", "heapq.nsmallest(1, i.count())",
    "c.deque(heapq.merge(i.repeat(1), i.repeat(2)), 1)", "math.fsum(i.repeat(0.0))", "''.join(i.repeat(''))", "b''.join(i.repeat(b''))",
    "re.match('(a|aa)*b', 'a' * 60)", "re.sub('(x+x+)+y', '', 'x' * 60)", "time.sleep(60)", "threading.Event().wait(60)",
    "threading.Lock().acquire() and (l := threading.Lock()).acquire() and l.acquire(timeout=60)", "set().union(i.repeat(1))",
    "set('a').isdisjoint(i.repeat(1))", "set('a').intersection(i.repeat(1))", "set('a').issuperset(i.repeat('a'))", "[].extend(x for x in iter(int, 1) if x)",
    "c.OrderedDict(i.repeat((1, 2)))", "c.OrderedDict.fromkeys(i.repeat(1))", "bytearray().join(i.repeat(b''))", "list(zip(i.repeat(1), i.count()))",
    "str.join('', map(str, i.repeat('')))", "sorted(i.repeat(1))", "dict().update(i.repeat((1, 2)))", "print(*i.repeat(1))",
    "(lambda *a: a)(*i.repeat(1))", "a, *b = i.repeat(1)", "a, b = i.repeat(1)", "for _ in i.repeat(1): pass", "[*map(None.__eq__, i.repeat(1))]",
    "min(map(len, i.repeat('')))", "c.deque(map(decimal.Decimal(2).sqrt, i.repeat(decimal.Context(prec=300))), 1)",
    "hashlib.pbkdf2_hmac('sha256', b'a', b'b', 10**9)", "pow(3, 10**10)", "c.deque(map(pow, i.repeat(3), i.repeat(50_000)), 1)",
    "c.deque(map(sum, i.repeat(range(100_000))), 1)", "c.deque(map(list, i.repeat(range(100_000))), 1)", "c.deque(map(json.dumps, i.repeat([1] * 10_000)), 1)",
)


@pytest.mark.parametrize("program", ENDLESS)
def test_cancelled(program):
    session = kr.Runtime(limits=kr.Limits(seconds=40, memory="200MB", output=None)).session()
    session.run(HEAD, check=True)
    timer = threading.Timer(0.05, session.cancel)
    timer.start()
    start, used = time.monotonic(), time.thread_time()
    result = session.run(program)
    used, took = time.thread_time() - used, time.monotonic() - start
    timer.cancel()
    if program.startswith("a, b"):      # as soon as there are too many
        assert result.error.type == "ValueError"
        return
    assert result.error is not None, program
    assert result.error.limit in ("cancelled", "memory", "seconds"), (program, result.error)
    # What takes longer than there is time for is refused at once; what has begun goes on for a moment.
    assert used < 1.5 and took < 20, (program, used, took, result.error)
    assert session.run("1 + 1").value == 2
