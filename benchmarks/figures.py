"""Figures beside their targets: what the benchmarks of single figures share."""
from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping

__all__ = ["Targets", "command", "report", "resident"]

#: What is measured -> (unit, the most that it may be, or None).
Targets = Mapping[str, tuple[str, float | None]]


def resident() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def report(found: Mapping[str, float], targets: Targets, as_json: bool, also_missed: Iterable[str] = (), width: int = 56) -> int:
    """Print the figures, in the order of the targets; return how many targets are missed.

    also_missed: names of figures that are wrong for another reason than being too large.  width: of the column of names.
    """
    missed = [name for name, (_, most) in targets.items() if most is not None and found[name] >= most]
    missed += also_missed
    if as_json:
        print(json.dumps({"figures": found, "missed": missed}, indent=2))
        return len(missed)
    for name, (unit, most) in targets.items():
        target = "" if most is None else f"   target < {most:g} {unit}{'   MISSED' if name in missed else ''}"
        print(f"{name:<{width}} {found[name]:>9.2f} {unit}{target}")
    return len(missed)


def command(description: str, targets: Targets, measure: Callable[[], Mapping[str, float]]) -> int:
    """The command line of a benchmark without settings: measure and print. Returns the exit status."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    return report(measure(), targets, options.json)
