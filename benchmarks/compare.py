"""Times kimi_runtime against the fastest CPython of the machine, in interleaved rounds of the same run.

    python benchmarks/compare.py                    the twelve programs and the cold path
    python benchmarks/compare.py --micro            nanoseconds per iteration of single operations
    python benchmarks/compare.py --everyday         the twenty programs that look like what people ask for
    python benchmarks/compare.py --only fib nbody   some programs
    python benchmarks/compare.py --check            exit code 1 when a target is missed

A ratio is CPython's time divided by ours: above 1 we are faster. Every program's result is compared.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
from typing import NamedTuple

from engines import (
    HERE,
    PROGRAMS,
    Engine,
    EngineFailed,
    everyday_program,
    everyday_programs,
    fastest_cpython,
    geometric_mean,
    host_for,
    program,
)
from snippets import snippets

TARGET_MEAN = 2.0
TARGET_LEAST = 0.9
TARGET_ONE_PLUS_ONE = 15e-6


class Row(NamedTuple):
    """One measured program. Seconds; `ratio` is None when ours failed, and then `note` says why."""

    name: str
    cpython: float
    kimi: float | None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        return self.cpython / self.kimi if self.kimi else None


def compare_program(name, source, base, kimi, *, rounds, calls, entry="main", arguments=()) -> Row:
    """Times a program on both engines in turn. Returns its row; a wrong result or a failure becomes its note."""
    theirs = ours = 1e9
    for _ in range(rounds):
        seconds, expected = base.time(name, source, entry, arguments, calls)
        theirs = min(theirs, seconds)
        try:
            seconds, result = kimi.time(name, source, entry, arguments, calls)
        except EngineFailed as failure:
            return Row(name, theirs, None, "failed: " + str(failure).strip().splitlines()[-1])
        if result != expected:
            return Row(name, theirs, None, f"WRONG RESULT {result[:60]}, not {expected[:60]}")
        ours = min(ours, seconds)
    return Row(name, theirs, ours)


def run_programs(base, kimi, names, rounds) -> list[Row]:
    return [compare_program(n, program(n), base, kimi, rounds=rounds, calls=3) for n in names]


def run_everyday(base, kimi, names, rounds) -> list[Row]:
    return [compare_program(n, everyday_program(n), base, kimi, rounds=rounds, calls=2) for n in names]


def micro_benchmarks(pattern: str) -> list[tuple[str, str, str]]:
    """The (file stem, function name, source) of the bench_ functions in micro/ whose "file.name" matches."""
    found = []
    for path in sorted((HERE / "micro").glob("*.py")):
        source = path.read_text()
        for function in re.findall(r"^def (bench_\w+)\(n\)", source, re.MULTILINE):
            if re.search(pattern, f"{path.stem}.{function[6:]}"):
                found.append((path.stem, function, source))
    return found


def run_micro(base, kimi, pattern, rounds) -> list[Row]:
    """Rows in seconds per iteration, the loop included."""
    rows = []
    for stem, function, source in micro_benchmarks(pattern):
        name = f"{stem}.{function[6:]}"
        n = 1000
        while n < 100000 and base.time(name, source, function, (n,), 1)[0] < 0.001:
            n *= 10
        row = compare_program(name, source, base, kimi, rounds=rounds, calls=3, entry=function, arguments=(n,))
        rows.append(Row(name, row.cpython / n, row.kimi and row.kimi / n, row.note))
    return rows


def run_cold(base, kimi, rounds) -> list[Row]:
    """`run("1+1")`, then unseen 45-line sources through the compiler and through the parser alone."""
    seed = int.from_bytes(os.urandom(4), "big")
    found: dict[str, list] = {}
    failed: dict[str, str] = {}
    for turn in range(rounds):
        for name, request in (
            ("run('1+1')", {"do": "one_plus_one", "count": 2000}),
            ("compile 45 lines", {"do": "sources", "stage": "compile"}),
            ("parse 45 lines", {"do": "sources", "stage": "parse"}),
        ):
            if request["do"] == "sources":
                request["sources"] = snippets(100, seed + turn)
            best = found.setdefault(name, [1e9, 1e9])
            best[0] = min(best[0], base.ask(**request)["seconds"])
            try:
                best[1] = min(best[1], kimi.ask(**request)["seconds"])
            except EngineFailed as failure:
                failed[name] = str(failure)
    return [Row(n, b[0], None if n in failed else b[1], failed.get(n, "")) for n, b in found.items()]


def table(rows: list[Row], unit: str, scale: float, mean: bool = True) -> str:
    """The rows as text; times are multiplied by scale, whose name is unit."""
    width = max(len(row.name) for row in rows)
    lines = [f"{'':<{width}}  {'CPython':>10}  {'kimi':>10}  ratio   ({unit})"]
    for row in rows:
        if row.kimi is None:
            lines.append(f"{row.name:<{width}}  {row.cpython * scale:10.2f}  {'-':>10}      -   {row.note}")
        else:
            times = f"{row.cpython * scale:10.2f}  {row.kimi * scale:10.2f}  {row.ratio:5.2f}"
            lines.append(f"{row.name:<{width}}  {times}   {row.note}".rstrip())
    ratios = [row.ratio for row in rows if row.ratio]
    if mean and ratios:
        lines.append(f"{'geometric mean':<{width}}  {'':>10}  {'':>10}  {geometric_mean(ratios):5.2f}   of {len(ratios)}")
    return "\n".join(lines)


def missed_targets(programs: list[Row], cold: list[Row]) -> list[str]:
    """What the targets of the first release ask for and these rows do not show."""
    missed = [f"{row.name}: {row.note}" for row in programs + cold if row.ratio is None]
    ratios = [row.ratio for row in programs if row.ratio]
    if ratios and geometric_mean(ratios) < TARGET_MEAN:
        missed.append(f"geometric mean {geometric_mean(ratios):.2f} is under {TARGET_MEAN}")
    missed += [
        f"{row.name}: {row.ratio:.2f} is under {TARGET_LEAST}" for row in programs if row.ratio and row.ratio < TARGET_LEAST
    ]
    for row in cold:
        if row.ratio is None:
            continue
        if row.name.startswith("run") and row.kimi > TARGET_ONE_PLUS_ONE:
            missed.append(f"{row.name}: {row.kimi * 1e6:.1f} µs is over {TARGET_ONE_PLUS_ONE * 1e6:.0f} µs")
        if row.name.startswith("compile") and row.ratio < 1:
            missed.append(f"{row.name}: slower than CPython ({row.ratio:.2f})")
    return missed


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[*PROGRAMS, *everyday_programs()], help="some programs")
    parser.add_argument("--everyday", action="store_true", help="the programs of everyday/")
    parser.add_argument("--micro", nargs="?", const="", metavar="REGEX", help="micro-benchmarks (whose name matches)")
    parser.add_argument("--cold", action="store_true", help="only the cold path")
    parser.add_argument("--rounds", type=int, default=7, help="interleaved rounds per program (default 7)")
    parser.add_argument("--baseline", metavar="PYTHON", help="interpreter to compare with (default: the fastest found)")
    parser.add_argument(
        "--host",
        metavar="PYTHON",
        help="interpreter that runs kimi_runtime (default: the baseline when the built extension fits it, else this one)",
    )
    parser.add_argument("--json", metavar="FILE", help="also write the figures to FILE (- for standard output)")
    parser.add_argument("--check", action="store_true", help="exit code 1 when a target is missed")
    options = parser.parse_args(argv)
    say = (lambda text: print(text, file=sys.stderr)) if options.json == "-" else print

    baseline = options.baseline
    if not baseline:
        say("CPython found:")
        baseline = fastest_cpython(report=say)
    programs: list[Row] = []
    cold: list[Row] = []
    micro: list[Row] = []
    everyday: list[Row] = []
    asked = [name for name in options.only or () if name in PROGRAMS]
    asked_everyday = [name for name in options.only or () if name not in PROGRAMS]
    with Engine("cpython", baseline) as base, Engine("kimi", options.host or host_for(baseline)) as kimi:
        say(f"{kimi.description}, against {base.description} ({baseline}); best of {options.rounds} rounds")
        if options.micro is not None:
            micro = run_micro(base, kimi, options.micro, options.rounds)
            say(table(micro, "ns per iteration", 1e9))
        else:
            if not options.cold and not options.everyday and (asked or not options.only):
                programs = run_programs(base, kimi, asked or PROGRAMS, options.rounds)
                say(table(programs, "ms", 1e3))
            if options.everyday or asked_everyday:
                everyday = run_everyday(base, kimi, asked_everyday or everyday_programs(), options.rounds)
                say(table(everyday, "ms", 1e3))
            if not options.only and not options.everyday:
                cold = run_cold(base, kimi, options.rounds)
                say(table(cold, "µs", 1e6, mean=False))
        if options.json:
            report = {
                "kimi": kimi.description,
                "baseline": base.description,
                "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
                "rounds": options.rounds,
                "seconds": {
                    part: {r.name: {"cpython": r.cpython, "kimi": r.kimi, "ratio": r.ratio, "note": r.note} for r in rows}
                    for part, rows in (("programs", programs), ("everyday", everyday), ("cold", cold), ("micro", micro))
                },
            }
            text = json.dumps(report, indent=1)
            if options.json == "-":
                print(text)
            else:
                with open(options.json, "w") as out:
                    out.write(text + "\n")
    missed = missed_targets(programs, cold)
    for line in missed if options.check else ():
        say("missed: " + line)
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
