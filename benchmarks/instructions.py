"""Counts machine instructions instead of time: ours and CPython's for each program, under valgrind.

    python benchmarks/instructions.py                   the twenty everyday programs
    python benchmarks/instructions.py --programs        the twelve small ones
    python benchmarks/instructions.py bank dates        some of them
    python benchmarks/instructions.py --pyperformance go hexiom     programs of that package, each benchmark in them once
    python benchmarks/instructions.py --limits fib      what all limits cost: with them, against a process without any
    python benchmarks/instructions.py --profile bank    where ours go: the functions with the most instructions

A machine that does other work disturbs times by tens of per cent, and instruction counts by nothing. Only a warm call of the
program's main() is counted: the start of the process, imports, compilation and two calls before are not. A ratio is CPython's
count divided by ours: above 1 we execute less. What it does not show are misses of caches and of branch prediction.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from engines import PROGRAMS, SITE, everyday_program, everyday_programs, geometric_mean, program
from pyperformance_suite import package_folder

#: Requests to valgrind are instructions that mean nothing elsewhere, so they need a few lines of C.
MARKS = """#include <valgrind/callgrind.h>
void begin(void) { CALLGRIND_START_INSTRUMENTATION; CALLGRIND_ZERO_STATS; }
void end(const char *name) { CALLGRIND_DUMP_STATS_AT(name); CALLGRIND_STOP_INSTRUMENTATION; }
"""
#: Runs in the measured process: kind, library of MARKS, where to find packages, files of programs.
CHILD = """
import ctypes, sys
kind, marks, root, site, *paths = sys.argv[1:]
marks = ctypes.CDLL(marks)
if kind != "cpython":
    sys.path[:0] = [root]
    sys.path.append(site)
    import kimi_runtime
import gc, pathlib, types
stub = pathlib.Path(paths[0]).parent.joinpath("pyperf.stub").read_text()
for path in paths:
    source = open(path).read()
    if kind != "cpython":
        limits = {"kimi": kimi_runtime.Limits(seconds=3600, memory="4GB"), "unlimited": None,
                  "limited": kimi_runtime.Limits(seconds=3600, memory="4GB", instructions=10**12, cpu_seconds=3600)}[kind]
        session = kimi_runtime.Runtime(limits=limits, modules_source={"pyperf": stub}).session()
        session.run(source, check=True)
        call = lambda: session.run("main()", check=True).value
    else:
        module = sys.modules["pyperf"] = types.ModuleType("pyperf")
        exec(stub, module.__dict__)
        space = {"__name__": "__main__"}
        exec(compile(source, path, "exec"), space)
        call = space["main"]
    call()
    expected = repr(call())
    gc.collect()
    marks.begin()
    result = call()
    marks.end(path.encode())
    print(repr(result) == expected and expected[:200], flush=True)
"""


#: In place of pyperf: what a program would measure is called once a call of main(), without output.
STUB = """
recorded = []
def python_implementation():
    return "cpython"
def perf_counter():
    return 0.0
class Parser:
    def __init__(self, args):
        self.args = args
    def add_argument(self, *names, default=None, action=None, choices=None, nargs=None, **options):
        if action == "store_true":
            default = False
        if choices and default is None and nargs is None:
            default = sorted(choices)[0]
        longest = next((name for name in names if name.startswith("--")), names[0])
        setattr(self.args, longest.lstrip("-").replace("-", "_"), default)
    def add_argument_group(self, *names):
        return self
class Args:
    pass
class Runner:
    def __init__(self, **options):
        self.metadata = {}
        self.args = Args()
        self.argparser = Parser(self.args)
    def parse_args(self, *ignored):
        return self.args
    def bench_func(self, name, function, *args, **options):
        recorded.append((function, args))
    def bench_time_func(self, name, function, *args, **options):
        recorded.append((function, (1, *args)))
"""
MAIN = """
def main():
    import pyperf
    for function, args in pyperf.recorded:
        function(*args)
"""


def build_marks(folder: pathlib.Path) -> str:
    """Compiles MARKS. Returns the path of the library; raises subprocess.CalledProcessError without valgrind's headers."""
    source = folder / "marks.c"
    source.write_text(MARKS)
    library = folder / "marks.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return str(library)


def count(kind: str, python: str, paths: list[str], folder: pathlib.Path, profile: bool = False) -> tuple[list[int], list[str]]:
    """Instructions of one warm main() of each program, and their results.

    Args: kind: "kimi" or "cpython". python: interpreter to run in. paths: of programs. folder: for temporary files.
        profile: keep and annotate what callgrind wrote.
    Raises: RuntimeError when a program or valgrind failed.
    """
    out = folder / f"{kind}.out"
    for old in folder.glob(f"{kind}.out*"):
        old.unlink()
    command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=yes", f"--callgrind-out-file={out}", "-q"]
    root = str(pathlib.Path(__file__).resolve().parent.parent)
    done = subprocess.run(
        [*command, python, "-c", CHILD, kind, build_marks(folder), root, SITE, *paths],
        check=False, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    counts = []
    for i in range(len(paths)):
        text = pathlib.Path(f"{out}.{i + 1}").read_text()
        counts.append(int(re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)[1]))
        if profile:
            command = ["callgrind_annotate", "--threshold=97", "--auto=no", f"{out}.{i + 1}"]
            shown = subprocess.run(command, check=True, capture_output=True, text=True)
            print(paths[i], counts[-1])
            lines = [line for line in shown.stdout.splitlines() if re.match(r"\s*[\d,]+ \(", line)]
            print("\n".join(re.sub(r" \[.*/", " [", line) for line in lines[:60]))
    return counts, done.stdout.splitlines()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--programs", action="store_true", help="the twelve small programs")
    parser.add_argument("--profile", action="store_true", help="our functions with the most instructions")
    parser.add_argument("--limits", action="store_true", help="programs with all limits and without any")
    parser.add_argument("--pyperformance", action="store_true", help="the names are programs of that package")
    parser.add_argument("--python", default="/usr/bin/python3.11" if os.path.exists("/usr/bin/python3.11") else sys.executable)
    args = parser.parse_args()
    names = args.names or (list(PROGRAMS) if args.programs else everyday_programs())
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        paths = []
        (folder / "pyperf.stub").write_text(STUB)
        for name in names:
            path = folder / f"{name}.py"
            if args.pyperformance:
                path.write_text((package_folder(None) / f"bm_{name}" / "run_benchmark.py").read_text() + MAIN)
            else:
                path.write_text(program(name) if name in PROGRAMS else everyday_program(name))
            paths.append(str(path))
        ours, results = count("unlimited" if args.limits else "kimi", args.python, paths, folder, args.profile)
        if args.profile:
            return 0
        theirs, expected = count("limited" if args.limits else "cpython", args.python, paths, folder)
    heads = ("limits", "none") if args.limits else ("CPython", "kimi")
    print(f"{'':<22} {heads[0]:>9}  {heads[1]:>9}  ratio   (millions of instructions)")
    rows = sorted(zip(names, theirs, ours, expected, results, strict=True), key=lambda row: row[1] / row[2])
    for name, their, our, wanted, result in rows:
        wrong = "" if wanted == result else f"   WRONG RESULT {result[:60]}"
        print(f"{name:<22} {their / 1e6:9.2f}  {our / 1e6:9.2f}  {their / our:5.3f}{wrong}")
    print(f"{'geometric mean':<22} {'':>9}  {'':>9}  {geometric_mean([t / o for _, t, o, _, _ in rows]):5.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
