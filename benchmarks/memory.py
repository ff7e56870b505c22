"""Peak resident size of each benchmark in a fresh process, against the fastest CPython.

    python benchmarks/memory.py                    the twelve small programs and the twenty everyday ones
    python benchmarks/memory.py --only fib queens

Each program runs once in a new worker of each engine; the figure is the high-water mark that the kernel keeps for the process
(VmHWM, Linux only). The worker itself is in it, and on our side the import of kimi_runtime; so there is a second pair of columns:
what the program adds to a worker that has run nothing but `1`. The ratio is our peak divided by CPython's: below 1 we need less.
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

from engines import PROGRAMS, Engine, everyday_program, everyday_programs, fastest_cpython, geometric_mean, host_for, program

TARGET = 1.2
IDLE = "def main():\n    return 1\n"


class Peak(NamedTuple):
    """Kilobytes of both engines: the whole process, and what the program added."""

    name: str
    cpython: int
    kimi: int
    cpython_added: int
    kimi_added: int

    @property
    def ratio(self) -> float:
        return self.kimi / self.cpython


def peak_of(kind: str, python: str, name: str, source: str) -> int:
    """The peak in kilobytes of a new worker that runs the program once."""
    with Engine(kind, python) as engine:
        engine.time(name, source)
        with open(f"/proc/{engine.pid}/status") as lines:
            for line in lines:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1])
    raise SystemExit("the kernel does not tell the peak resident size (VmHWM in /proc/PID/status)")


def measure(baseline: str, host: str, names: list[str]) -> list[Peak]:
    """A row for each program, after one for the idle workers."""
    idle = [peak_of(kind, python, "idle", IDLE) for kind, python in (("cpython", baseline), ("kimi", host))]
    rows = [Peak("(idle worker)", idle[0], idle[1], 0, 0)]
    for name in names:
        source = program(name) if name in PROGRAMS else everyday_program(name)
        theirs = peak_of("cpython", baseline, name, source)
        ours = peak_of("kimi", host, name, source)
        rows.append(Peak(name, theirs, ours, max(theirs - idle[0], 0), max(ours - idle[1], 0)))
    return rows


def table(rows: list[Peak]) -> str:
    """The rows as text, in megabytes."""
    width = max(len(row.name) for row in rows)
    lines = [f"{'':<{width}}  {'CPython':>8}  {'kimi':>8}  ratio   {'added':>8}  {'added':>8}   (MB)"]
    for row in rows:
        lines.append(f"{row.name:<{width}}  {row.cpython / 1024:8.1f}  {row.kimi / 1024:8.1f}  {row.ratio:5.2f}   "
                     f"{row.cpython_added / 1024:8.1f}  {row.kimi_added / 1024:8.1f}")
    lines.append(f"{'geometric mean':<{width}}  {'':>8}  {'':>8}  {geometric_mean([row.ratio for row in rows[1:]]):5.2f}   "
                 f"of {len(rows) - 1}; over {TARGET}: {sum(row.ratio > TARGET for row in rows[1:])}")
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="some programs")
    parser.add_argument("--baseline", metavar="PYTHON", help="interpreter to compare with (default: the fastest found)")
    options = parser.parse_args(argv)
    known = [*PROGRAMS, *everyday_programs()]
    unknown = [name for name in options.only or [] if name not in known]
    if unknown:
        parser.error(f"no program {unknown[0]!r}; there are {', '.join(known)}")
    baseline = options.baseline or fastest_cpython()
    print(table(measure(baseline, host_for(baseline), options.only or known)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
