"""Runs the pure-Python programs of the `pyperformance` package, unmodified, as guest and on the fastest CPython.

    pip install pyperformance                          (in the environment of this script, or --package DIR)
    python benchmarks/pyperformance_suite.py           the tables, and which programs wait for what
    python benchmarks/pyperformance_suite.py --only richards nbody

`pyperf` itself is replaced by guest/pyperf.py on both sides. Programs that import more than the guest has by itself get
the modules of LENDABLE lent by the host and stand in a table of their own; the others are listed with what they wait for.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import pathlib
import sys

from compare import Row, table
from engines import HERE, Engine, EngineFailed, fastest_cpython, host_for

#: Programs that measure something else than the interpreter, or cannot run in one process without a network.
OUT_OF_SCOPE = {
    "2to3": "starts another Python",
    "hg_startup": "starts another Python",
    "python_startup": "starts another Python",
    "asyncio_tcp": "needs sockets",
    "asyncio_websockets": "needs sockets",
    "concurrent_imap": "starts processes",
    "fastapi": "needs sockets",
    "tornado_http": "needs sockets",
    "gc_collect": "measures the host's garbage collector",
    "gc_traversal": "measures the host's garbage collector",
}

#: Host modules that a program may be lent: what it calls there is C code, or is done once. A program whose work is done
#: by a library module in Python (json, logging, base64 ...) would only show CPython's speed, so it waits.
LENDABLE = {
    "array", "bisect", "collections", "collections.abc", "dataclasses", "decimal", "enum", "functools", "hashlib", "io",
    "itertools", "os", "random", "re", "struct", "typing",
}  # fmt: skip


def package_folder(given: str | None) -> pathlib.Path:
    """Folder of the benchmark programs. Raises SystemExit that says what to install."""
    if given:
        root = pathlib.Path(given)
    else:
        spec = importlib.util.find_spec("pyperformance")
        if spec is None:
            raise SystemExit("pyperformance is not installed: pip install pyperformance, or give --package DIR")
        root = pathlib.Path(spec.origin).parent
    for folder in (root, root / "data-files" / "benchmarks"):
        if (folder / "MANIFEST").exists():
            return folder
    raise SystemExit(f"no benchmarks in {root}")


def imports_of(source: str) -> list[str]:
    """Modules that a program imports, without pyperf, sorted."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module)
    return sorted(names - {"pyperf", "__future__"})


def can_import(engine: Engine, name: str) -> bool:
    """Whether a guest can import the module without anything lent."""
    try:
        engine.ask(do="run", source=f"import {name}\n", filename="<probe>", modules={}, lent=[])
    except EngineFailed:
        return False
    return True


def results(engine: Engine, path: pathlib.Path, lent: list[str]) -> dict[str, tuple[float, str]]:
    """Benchmark name → (seconds per loop, result as text) of one program."""
    modules = {"pyperf": (HERE / "guest" / "pyperf.py").read_text()}
    reply = engine.ask(do="run", source=path.read_text(), filename=str(path), modules=modules, lent=lent)
    found = {}
    for line in reply["output"].splitlines():
        if line.startswith("BENCH "):
            _, name, seconds, shown = line.split(" ", 3)
            found[name] = float(seconds), shown
    return found


def compare_file(path: pathlib.Path, base: Engine, kimi: Engine, lent: list[str], rounds: int) -> list[Row]:
    """Rows of one program, in interleaved rounds."""
    theirs: dict[str, float] = {}
    ours: dict[str, float] = {}
    for _ in range(rounds):
        expected = results(base, path, lent)
        for name, (seconds, _) in expected.items():
            theirs[name] = min(theirs.get(name, 1e9), seconds)
        try:
            measured = results(kimi, path, lent)
        except EngineFailed as failure:
            note = "failed: " + str(failure).strip().splitlines()[-1][:90]
            return [Row(name, seconds, None, note) for name, seconds in theirs.items()]
        for name, (_, shown) in expected.items():
            if name not in measured or measured[name][1] != shown:
                note = f"WRONG RESULT {measured.get(name, ('', 'none'))[1][:40]}, not {shown[:40]}"
                return [Row(name, theirs[name], None, note)]
            ours[name] = min(ours.get(name, 1e9), measured[name][0])
    return [Row(name, theirs[name], ours[name]) for name in theirs]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="some programs, named without bm_")
    parser.add_argument("--package", metavar="DIR", help="where pyperformance is, if this Python cannot import it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--baseline", metavar="PYTHON", help="interpreter to compare with (default: the fastest found)")
    parser.add_argument("--host", metavar="PYTHON", help="interpreter that runs kimi_runtime (default: as in compare.py)")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to FILE")
    options = parser.parse_args(argv)

    folder = package_folder(options.package)
    baseline = options.baseline or fastest_cpython()
    alone: list[Row] = []
    with_lent: list[Row] = []
    waiting: list[tuple[str, str]] = []
    importable: dict[str, bool] = {}
    with (
        Engine("cpython", baseline, 300) as base,
        Engine("kimi", options.host or host_for(baseline), 300) as kimi,
    ):
        print(f"{kimi.description}, against {base.description} ({baseline}); best of {options.rounds} rounds")
        for path in sorted(folder.glob("bm_*/run_benchmark.py")):
            name = path.parent.name[3:]
            if options.only and name not in options.only:
                continue
            if name in OUT_OF_SCOPE:
                waiting.append((name, OUT_OF_SCOPE[name]))
                continue
            source = path.read_text()
            wanted = imports_of(source)
            for module in wanted:
                if module not in importable:
                    importable[module] = can_import(kimi, module)
            missing = [module for module in wanted if not importable[module]]
            strange = [module for module in missing if module not in LENDABLE]
            if "bench_async_func" in source:
                waiting.append((name, "waits for the event loop"))
            elif strange:
                waiting.append((name, "waits for module " + ", ".join(strange)))
            else:
                rows = compare_file(path, base, kimi, missing, options.rounds)
                if missing:
                    with_lent += [row._replace(note=row.note or "lent: " + ", ".join(missing)) for row in rows]
                else:
                    alone += rows
    for title, rows in (("", alone), ("\nWith modules of the host", with_lent)):
        if rows:
            print(title)
            print(table(rows, "µs per loop", 1e6))
    print()
    width = max([len(name) for name, _ in waiting], default=0)
    for name, reason in waiting:
        print(f"{name:<{width}}  {reason}")
    if options.json:
        report = {
            "kimi": kimi.description,
            "baseline": base.description,
            "waiting": dict(waiting),
            "seconds": {
                r.name: {"cpython": r.cpython, "kimi": r.kimi, "ratio": r.ratio, "note": r.note} for r in alone + with_lent
            },
        }
        pathlib.Path(options.json).write_text(json.dumps(report, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
