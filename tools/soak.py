"""Run thousands of programs on several threads of one process and look for cross-talk and growth.

    python tools/soak.py [--runs N] [--threads N] [--seed N]

Good, failing, runaway and hostile programs are mixed, in fresh runs and in sessions. Each run has a token of its own that it prints,
keeps in its names and leaves in every place of a library module that it can write to; no other token may ever be seen. After a
warm-up the resident size must stay flat. The exit status is the number of problems, at most 100.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import ctypes
import gc
import io
import mmap
import os
import pathlib
import random
import re
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "security")]

from hostile_programs import ENDLESS, SHELLS, fill, make_program  # noqa: E402

import kimi_runtime as kr  # noqa: E402
from kimi_runtime import _core, engine  # noqa: E402
from kimi_runtime.library import loader  # noqa: E402
from kimi_runtime.memory import heap  # noqa: E402

__all__ = ["Soak"]

TOKEN = re.compile(r"token-\d+-")
# Each leaves its token where another guest would find it, if the two shared anything, and prints what it finds there.
PLANT = """
import sys, json, math, collections, decimal, random, os, contextvars, threading, builtins, warnings, logging, itertools, functools
TOKEN = {token!r}
print(TOKEN, 'begins')
found = []
for place in (sys, json, math, collections, random, os, builtins, logging):
    seen = getattr(place, 'planted', None)
    if seen is not None and seen != TOKEN: found.append(seen)
    try: place.planted = TOKEN
    except (AttributeError, TypeError): pass
for holder in (int, dict, json.JSONEncoder, collections.OrderedDict, json.dumps, Exception, functools.partial):
    seen = getattr(holder, 'planted', None)
    if seen is not None: found.append(seen)
    try: holder.planted = TOKEN
    except (AttributeError, TypeError): pass
sys.argv.append(TOKEN)
found += [word for word in sys.argv if word.startswith('token') and word != TOKEN]
sys.modules['planted_' + TOKEN] = sys
found += [name for name in sys.modules if name.startswith('planted_token') and TOKEN not in name]
os.environ['PLANTED'] = TOKEN if os.environ.get('PLANTED', TOKEN) == TOKEN else os.environ['PLANTED']
found += [os.environ['PLANTED']] if os.environ['PLANTED'] != TOKEN else []
decimal.getcontext().prec = 7
print(*found)
"""
GOOD = (
    "print(TOKEN, sum(v * v for v in range(100)))\nTOKEN",
    "class A:\n    def __init__(self): self.t = TOKEN\n    def __repr__(self): return self.t\nprint([A() for _ in range(3)])\nTOKEN",
    "def g():\n    for _ in range(5): yield TOKEN\nprint(*g())\nTOKEN",
    "import asyncio\nasync def f(n):\n    await asyncio.sleep(0)\n    return TOKEN\nasync def m(): print(await asyncio.gather(*map(f, range(4))))\nasyncio.run(m())\nTOKEN",
    "import threading\nseen = []\nts = [threading.Thread(target=seen.append, args=(TOKEN,)) for _ in range(3)]\nfor t in ts: t.start()\nfor t in ts: t.join()\nprint(seen)\nTOKEN",
    "import re, json\nprint(json.dumps(re.findall(r'token-\\d+-', TOKEN * 2)))\nTOKEN",
    "import contextvars\nv = contextvars.ContextVar('v')\nv.set(TOKEN)\nprint(contextvars.copy_context()[v])\nTOKEN",
    "import dataclasses, enum\n@dataclasses.dataclass\nclass D:\n    t: str = TOKEN\nprint(D())\nclass E(enum.Enum): A = TOKEN\nprint(E.A)\nTOKEN",
    "x = [{'t': TOKEN} for _ in range(1000)]\ny = [x]\nx.append(y)\nprint(len(x), x[3])\nTOKEN",
    "import sys\nprint(TOKEN, file=sys.stderr)\nprint(TOKEN)\nTOKEN",
)
FAILING = (
    "print(TOKEN)\nraise ValueError(TOKEN)", "print(TOKEN)\n{}[TOKEN]", "print(TOKEN)\nint(TOKEN)", "print(TOKEN)\nimport " + "no_such_module_at_all",
    "class Own(Exception): pass\nprint(TOKEN)\nraise Own(TOKEN) from ValueError(TOKEN)", "def f(): f()\nprint(TOKEN)\nf()", "print(TOKEN)\nraise ExceptionGroup(TOKEN, [ValueError(TOKEN), KeyError(TOKEN)])",
    "print(TOKEN)\nraise SystemExit(TOKEN)", "class A:\n    def __del__(self): raise ValueError(TOKEN)\nA()\nprint(TOKEN)\nassert False, TOKEN",
)


def resident() -> int:
    """Return the bytes of memory that the process has in use."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * mmap.PAGESIZE


class Soak:
    """Many runs on several threads.

    Args:
        runs: how many.
        threads: how many threads share them.
        seed: of all choices.
    """

    def __init__(self, runs: int, threads: int, seed: int = 0):
        self.runs, self.threads, self.seed = runs, threads, seed
        self.lock = threading.Lock()
        self.next = 0
        self.problems: list[str] = []
        self.samples: list[tuple[int, int, int]] = []   # (runs, resident bytes, allocated blocks)
        self.kinds: collections.Counter[str] = collections.Counter()
        self.gate = threading.Barrier(threads)
        self.chunk = max(threads, runs // 25)

    def program(self, rng: random.Random, token: str) -> tuple[str, str]:
        """Return a kind and a program."""
        plant = PLANT.format(token=token)
        kind = rng.choices(("good", "failing", "runaway", "hostile"), (55, 20, 15, 10))[0]
        if kind == "good":
            return kind, plant + rng.choice(GOOD)
        if kind == "failing":
            return kind, plant + rng.choice(FAILING)
        if kind == "runaway":
            return kind, plant + "G = globals()\n" + fill(rng.choice(SHELLS), rng.choice(ENDLESS), "print(TOKEN)")
        return kind, make_program(rng.randrange(10**6)).source

    def one(self, number: int) -> None:
        """One run, or a few in a session, and what must hold for it."""
        rng = random.Random(self.seed * 1_000_003 + number)
        token = f"token-{number}-"
        kind, source = self.program(rng, token)
        seconds = 20.0 if kind in ("good", "failing") else rng.choice((0.002, 0.01, 0.03))
        limits = kr.Limits(seconds=seconds, memory="32MB" if kind == "hostile" else "64MB", output="100KB")
        streamed = io.StringIO() if rng.random() < 0.2 else None
        runtime = kr.Runtime(limits=limits, stdout=streamed)
        session = runtime.session() if rng.random() < 0.3 else None
        result = (session or runtime).run(source)
        if session is not None:
            again = session.run("print('again'); 6 * 7")
            if again.error is None and again.value != 42:
                self.tell(number, kind, f"the session says {again!r}")
            session.close()
        texts = [result.stdout, result.stderr, streamed.getvalue() if streamed else ""]
        if result.error is not None:
            texts += [result.error.message, result.error.traceback]
        foreign = {found for text in texts for found in TOKEN.findall(text)} - {token}
        if foreign:
            self.tell(number, kind, f"saw {sorted(foreign)[:3]}")
        if kind == "good" and (result.error is not None or result.value != token):
            self.tell(number, kind, f"gave {result!r}")
        if kind == "failing" and (result.error is None or result.error.limit is not None and result.error.limit not in ("recursion", "memory")):
            self.tell(number, kind, f"gave {result!r}")
        with self.lock:
            self.kinds[kind] += 1

    def tell(self, number: int, kind: str, text: str) -> None:
        """Note a problem."""
        with self.lock:
            self.problems.append(f"run {number} ({kind}): {text}"[:500])

    def work(self) -> None:
        """What each thread does: chunks of runs, and between them one thread takes a sample while nothing runs."""
        for last in range(self.chunk, self.runs + 1, self.chunk):
            while True:
                with self.lock:
                    number = self.next
                    if number >= last:
                        break
                    self.next += 1
                try:
                    self.one(number)
                except Exception as error:
                    self.tell(number, "host", f"{type(error).__name__}: {error}")
            if self.gate.wait() == 0:
                self.sample(last)
            self.gate.wait()

    def sample(self, runs: int) -> None:
        """Note the memory in use, after a collection and without what is cached."""
        engine.default_cache().clear()
        for _ in range(3):
            gc.collect()
        heap.trim()             # what is kept for the next run, up to 4 MB, is no growth
        malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if malloc_trim is not None:
            malloc_trim(0)      # what the C library only keeps for later, in an arena for each thread, is no growth
        self.samples.append((runs, resident(), sys.getallocatedblocks()))

    def run(self) -> None:
        """Do all runs. What the process loads once only is loaded before: it is no growth."""
        loader.load_all()
        # A text in memory would keep what was written, and with it pages of the guests' memory.
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
            workers = [threading.Thread(target=self.work) for _ in range(self.threads)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        if _core.running_meter() is not None:
            self.problems.append("a meter is left")

    def growth(self) -> int:
        """Return by how many bytes the resident size grew after the first half, noise left out."""
        warm = self.samples[len(self.samples) // 2:]
        half = len(warm) // 2
        return 0 if half < 2 else min(size for _, size, _ in warm[half:]) - min(size for _, size, _ in warm[:half])


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    soak, start = Soak(options.runs, options.threads, options.seed), time.monotonic()
    soak.run()
    for problem in soak.problems[:100]:
        print(problem)
    print("resident MB by runs:", *(f"{runs}: {size / 1e6:.1f} ({blocks:,} blocks)" for runs, size, blocks in soak.samples), sep="\n  ")
    print(f"{soak.next} runs {dict(soak.kinds)} on {options.threads} threads in {time.monotonic() - start:.0f} s: {len(soak.problems)} problems, resident size grew by {soak.growth():,} bytes after the warm-up")
    return min(len(soak.problems) + (soak.growth() > 1_000_000), 100)


if __name__ == "__main__":
    sys.exit(main())
