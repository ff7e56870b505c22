"""How far the process grows under a memory limit, by what kind of program: the peak resident size over that of the start.

    python benchmarks/memory_limit.py                     every program under 16, 64, 256 MB and 1 GB
    python benchmarks/memory_limit.py --limits 64MB       one limit
    python benchmarks/memory_limit.py --only repeat shift
    python benchmarks/memory_limit.py --check             exit code 1 when one grows by more than its limit and the allowance

Each run has a process of its own, which has imported what the program imports; its peak begins anew before the run (Linux only).
The allowance is 16 MB, or 10 % of the limit where that is more. A program that fills quickly is one that allocates
gigabytes a second; others ask a single native call for all of it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

from engines import HERE

LIMITS = ("16MB", "64MB", "256MB", "1GB")
ALLOWED = 16_000_000
PROGRAMS = {
    "bytes, one by one": "x = []\nwhile True: x.append(b'x' * 1_000_000)",
    "bytes, 50 KB": "x = []\nwhile True: x.append(b'x' * 50_000)",
    "bytes, comprehension": "x = [b'x' * 1_000_000 for _ in range(10**9)]",
    "bytes, by map": "x = list(map(b'x'.__mul__, [3_000_000] * 10**5))",
    "str doubles": "x = 'ab' * 1000\nwhile True: x += x",
    "str, one request": "x = 'ab' * 10**10",
    "str, two of 60 %": "x = 'a' * (LIMIT * 6 // 10)\ny = 'b' * (LIMIT * 6 // 10)",
    "str, wide": "x = 'a' * (LIMIT // 3)\ny = x + '\\U0001f600'",
    "list repeats": "x = [None] * (LIMIT // 8 * 9 // 10)\ny = x * 2",
    "list doubles": "x = [0]\nwhile True: x += x",
    "list of range": "x = list(range(10**10))",
    "list of lists": "x = [[0] * 100_000 for _ in range(10**9)]",
    "tuples": "x = ()\nwhile True: x = (x, [0] * 50_000)",
    "bytearray extends": "x = bytearray(b'x')\nwhile True: x.extend(x)",
    "bytearray grows": "x = bytearray()\ny = b'x' * 100_000\nwhile True: x += y",
    "bytearray, slices": "x = bytearray(1000)\nwhile True: x[len(x):] = x",
    "int shifts": "x = 3\nwhile True: x <<= 8_000_000",
    "int, one shift": "x = 1 << 8 * LIMIT * 2",
    "int power": "x = 3 ** (LIMIT * 4)",
    "split": "x = ('ab ' * (LIMIT // 8)).split()",
    "join": "x = ','.join(['a' * 100_000] * 10**6)",
    "replace": "x = ('a' * 10_000).replace('', 'b' * 100_000)",
    "translate": "x = ('a' * 100_000).translate({97: 'b' * 100_000})",
    "format": "x = f'{1:{10**10}}'",
    "dict of numbers": "x = {n: n for n in range(10**9)}",
    "set of numbers": "x = set(range(10**9))",
    "deque": "import collections\nx = collections.deque(b'x' * 10**9)",
    "array": "import array\nx = array.array('q', [1])\nwhile True: x.extend(x)",
    "StringIO": "import io\nx = io.StringIO()\nwhile True: x.write('x' * 1_000_000)",
    "BytesIO": "import io\nx = io.BytesIO()\nwhile True: x.write(b'x' * 1_000_000)",
    "decompress": "import zlib\nc = zlib.compressobj(9)\nz = b''.join(c.compress(bytes(10**6)) for _ in range(200)) + c.flush()\n"
                  "x = [zlib.decompress(z) for _ in range(100)]",
    "json": "import json\nx = [json.loads('[' + '[0,0],' * (LIMIT // 60) + '0]') for _ in range(9)]",
    "decimal": "import decimal\ndecimal.getcontext().prec = decimal.MAX_PREC\nx = decimal.Decimal(1) / 3",
    "itertools": "import itertools\nx = list(itertools.product('abcdef', repeat=12))",
    "sorted": "x = sorted([n ^ 0x5555 for n in range(LIMIT // 48)])\ny = sorted(x, key=str)",
    "threads": "import threading\nx = []\ndef f():\n    while True: x.append(b'x' * 1_000_000)\n"
               "t = [threading.Thread(target=f) for _ in range(4)]\nfor one in t: one.start()\nfor one in t: one.join()",
    "exceptions": "x = []\nwhile True:\n    try: [][1]\n    except IndexError as e: x.append((e, b'x' * 10_000))",
    "caught": "x = []\nwhile True:\n    try:\n        while True: x.append(b'x' * 5_000_000)\n    except MemoryError: pass",
}
CHILD = """
import json, sys
import kimi_runtime as kr
limit, source = json.loads(sys.stdin.read())
def status(what):
    for line in open("/proc/self/status"):
        if line.startswith(what):
            return int(line.split()[1]) * 1024
kr.run("import array, collections, decimal, io, itertools, json, threading, zlib\\nx = list(map(str, range(1000)))")
before = status("VmRSS:")
open("/proc/self/clear_refs", "w").write("5")        # the peak begins anew
result = kr.run(source, limits=kr.Limits(memory=limit, seconds=60))
print(json.dumps([result.error and (result.error.limit or result.error.type), status("VmHWM:") - before]))
"""


def measure(source: str, limit: int) -> tuple[str | None, int]:
    """What the run ended with, and the bytes by which the process has grown at its peak."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD], input=json.dumps([limit, f"LIMIT = {limit}\n{source}"]), capture_output=True, text=True,
        cwd=HERE.parent, timeout=300, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{source}\nended with status {done.returncode}: {done.stderr[-2000:]}")
    ended, grown = json.loads(done.stdout)
    return ended, grown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limits", nargs="+", default=LIMITS)
    parser.add_argument("--only", nargs="+", metavar="WORD", help="programs whose names have one of these words in them")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    from kimi_runtime.limits import Limits

    limits = [Limits(memory=limit).memory or 0 for limit in options.limits]
    print(f"{'growth of the process, MB':26}" + "".join(f"{limit:>22}" for limit in options.limits))
    over = 0
    for name, source in PROGRAMS.items():
        if options.only and not any(word in name for word in options.only):
            continue
        line = f"{name:26}"
        for limit in limits:
            ended, grown = measure(source, limit)
            bad = grown > limit + max(ALLOWED, limit // 10)
            over += bad
            line += f"{grown / 1e6:10.1f} {'!' if bad else ' '}{ended or 'ended':10}"
        print(line, flush=True)
    print(f"beyond the allowance: {over}")
    return 1 if options.check and over else 0


if __name__ == "__main__":
    sys.exit(main())
