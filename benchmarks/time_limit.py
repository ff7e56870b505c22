"""How much longer runs take than their limit of time allows, by what kind of program: wall time over ``Limits(seconds=...)``.

    python benchmarks/time_limit.py                       every program under 0.2 and 1 second, the best of 3
    python benchmarks/time_limit.py --seconds 0.5         one limit
    python benchmarks/time_limit.py --only pow sort       some programs
    python benchmarks/time_limit.py --check               exit code 1 when one takes more than the limit and the allowance

The allowance is 50 ms, or 10 % of the limit where that is more. A program that ends by another limit or with an error of its own
before its time is over counts as held. All run in one process. The best of some runs is shown, since a busy machine adds to all.
"""

from __future__ import annotations

import argparse
import sys
import time

import kimi_runtime as kr

ALLOWED = 0.05
PROGRAMS = {
    "loop": "while True: pass",
    "calls": "def f(n): return n\nwhile True: f(1)",
    "comprehension": "[i for i in range(10**12) if i < 0]",
    "generator": "def g():\n    while True: yield 1\nfor x in g(): pass",
    "straight code": "exec('x = 1\\n' * 20_000 + '\\n', {})\nwhile True: exec('x = 1\\n' * 2000, {})",
    "except": "while True:\n    try: 1/0\n    except ZeroDivisionError: pass",
    "finally": "try:\n    while True: pass\nfinally:\n    while True: pass",
    "sum of a range": "sum(range(10**12))",
    "list of count": "import itertools\nlist(itertools.count())",
    "in an iterator": "import itertools\n'x' in itertools.count()",
    "max of a map": "max(map(abs, range(10**12)))",
    "any of repeat": "import itertools\nany(itertools.repeat(0))",
    "deque of count": "import collections, itertools\ncollections.deque(itertools.count(), 0)",
    "dict of zip": "import itertools\ndict(zip(itertools.count(), itertools.repeat(0)))",
    "join of repeat": "import itertools\n''.join(itertools.repeat('a'))",
    "pow": "3 ** 10**8",
    "pow with a modulus": "pow(3, 1 << 200_000, (1 << 200_000) - 1)",
    "shifts": "x = 1\nwhile True: x = (1 << 8_000_000) >> 1",
    "multiply": "x = 3 ** 1_000_000\nwhile True: x * x",
    "divide": "x = 7 ** 1_000_000\nx // 3 ** 500_000",
    "str of an int": "str(1 << 20_000_000)",
    "int of a str": "int('7' * 10_000_000)",
    "gcd": "import math\nmath.gcd(3 ** 2_000_000, 7 ** 1_500_000)",
    "factorial": "import math\nmath.factorial(10**6)",
    "regular expression": "import re\nre.match('(a+)+$', 'a' * 40 + 'b')",
    "regular expression, long": "import re\nre.findall('(x*)*y', 'x' * 100_000)",
    "substitution": "import re\nwhile True: re.sub('a', lambda m: 'b', 'a' * 100_000)",
    "sort, slow keys": "def key(n):\n    return sum(range(n))\nsorted(range(10**6), key=key)",
    "sort, comparisons": "class A:\n    def __lt__(self, other): return sum(range(1000)) > 0\nsorted([A() for _ in [0] * 10**5])",
    "sort, equal texts": "x = ['a' * 10_000 + str(n) for n in range(5000)]\nwhile True: sorted(x)",
    "format width": "f'{1:{10**9}}'",
    "percent width": "'%1000000000d' % 1",
    "replace": "x = 'a' * 1_000_000\nwhile True: x = x.replace('a', 'aa')",
    "join": "x = ['a' * 1000] * 100_000\nwhile True: ','.join(x)",
    "translate": "x = 'ab' * 1_000_000\nwhile True: x.translate({97: 'xyz'})",
    "count, overlapping": "x = 'a' * 1_000_000\nwhile True: x.count('a' * 500_000 + 'b')",
    "find, two-way": "x = 'ab' * 3_000_000\nwhile True: x.find('ab' * 100_000 + 'b')",
    "decimal precision": "import decimal\ndecimal.getcontext().prec = 3_000_000\ndecimal.Decimal(2).sqrt()",
    "decimal logarithm": "import decimal\ndecimal.getcontext().prec = 200_000\ndecimal.Decimal(3).ln()",
    "fractions": "import fractions\nx = fractions.Fraction(1, 3)\nwhile True: x = x * x + 1",
    "deep repr": "x = []\nfor _ in range(900): x = [x, x]\nrepr(x)",
    "repr of a large list": "x = list(range(3_000_000))\nwhile True: repr(x)",
    "json of a large list": "import json\nx = [list(range(1000))] * 3000\nwhile True: json.dumps(x)",
    "json of a deep list": "import json\nx = []\nfor _ in range(900): x = [x, x]\njson.dumps(x)",
    "json, a long text": "import json\nx = '[' + '0,' * 3_000_000 + '0]'\nwhile True: json.loads(x)",
    "sleep": "import time\ntime.sleep(1000)",
    "isinstance, shared tuples": "x = (str,)\nfor _ in range(100): x = (x, x)\nisinstance(1, x)",
    "split of shared groups": "x = ValueError()\nfor _ in range(100): x = ExceptionGroup('a', [x, x])\nx.split(OSError)",
    "asyncio": "import asyncio\nasyncio.run(asyncio.sleep(1000))",
    "property": "class A:\n    @property\n    def x(self): return sum(range(10**9))\nwhile True: A().x",
    "compare lists": "x = [[0] * 1000] * 10_000\ny = [[0] * 1000 for _ in range(10_000)]\nwhile True: x == y",
    "hash of a tuple": "x = (1,) * 1_000_000\nwhile True: hash((x, x, x))",
    "set operations": "x = set(range(1_000_000))\nwhile True: x | x",
    "copy of a list": "x = [0] * 10_000_000\nwhile True: x[:]",
    "deepcopy": "import copy\nx = [list(range(100)) for _ in range(10_000)]\nwhile True: copy.deepcopy(x)",
    "compile": "while True: compile('x = 1\\n' * 10_000, '', 'exec')",
    "compress": "import zlib\nwhile True: zlib.compress(b'abcd' * 1_000_000, 9)",
    "hash of bytes": "import hashlib\nx = b'a' * 10_000_000\nwhile True: hashlib.sha512(x)",
    "base64": "import base64\nx = b'a' * 10_000_000\nwhile True: base64.b64encode(x)",
    "splitlines": "x = 'a\\n' * 2_000_000\nwhile True: x.splitlines()",
    "readlines": "import io\nx = b'a\\n' * 2_000_000\nwhile True: io.BytesIO(x).readlines()",
    "csv": "import csv\nx = ['a,b,c'] * 1_000_000\nwhile True: list(csv.reader(x))",
    "dates": "import datetime\nwhile True: datetime.datetime.strptime('2024-01-02', '%Y-%m-%d')",
    "product": "import itertools\nlist(itertools.product(range(100), repeat=10))",
    "permutations": "import itertools\nfor x in itertools.permutations(range(20)): pass",
    "finalizer": "class A:\n    def __del__(self):\n        while True: pass\nA()",
    "del of many": "class A: pass\nwhile True: [A() for _ in range(300_000)]",
}


def overrun(source: str, seconds: float, rounds: int) -> tuple[float, str]:
    """By how much a run exceeds its time at the least, in seconds, and what ended it."""
    least, ended = 1e9, ""
    for _ in range(rounds):
        begun = time.perf_counter()
        error = kr.run(source, limits=kr.Limits(seconds=seconds)).error
        taken = time.perf_counter() - begun - seconds
        if taken < least:
            least, ended = taken, "its end" if error is None else error.limit or error.type
    return least, ended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.2, 1.0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="programs whose name contains one of these")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    beyond = []
    for name, source in PROGRAMS.items():
        if options.only and not any(part in name for part in options.only):
            continue
        figures = []
        for seconds in options.seconds:
            over, ended = overrun(source, seconds, options.rounds)
            figures.append(f"{seconds:g} s: {1000 * over:+8.1f} ms ({ended})")
            if over > max(ALLOWED, seconds / 10):
                beyond.append(f"{name} at {seconds:g} s")
        print(f"{name:<26} {'   '.join(figures)}", flush=True)
    print(f"beyond the allowance: {', '.join(beyond) or 'none'}")
    if options.check and beyond:
        sys.exit(1)


if __name__ == "__main__":
    main()
