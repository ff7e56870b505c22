"""Run random programs from seeds on CPython and on kimi_runtime, in forked children, and keep the seeds that differ.

    python tests/property/run_programs.py [--start SEED] [--count N] [--seconds S] [--keep] [--show SEED] [--features a,b]

Each child runs a batch of programs; when it crashes or hangs, the batch goes on behind the program that did it. Programs that
exhaust CPython's recursion, memory or time are left out. `--keep` appends the failing seeds to failed_seeds.txt, which
test_seeded_programs.py runs again. The exit status is the number of seeds that differ, at most 100.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import pickle
import re
import resource
import signal
import sys
import time
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent)]

from differential import difference, kr, run_guest, run_reference  # noqa: E402
from seeded_programs import ALL_FEATURES, PRELUDE, make_program  # noqa: E402

FAILED = HERE / "failed_seeds.txt"
ADDRESS = re.compile("0x[0-9a-f]{6,}", re.IGNORECASE)
REPEATED = re.compile(r"TypeError: [\"'][^\n]*? got multiple values for keyword argument \\?('\w+)\\?'[\"'] after")
SECONDS = 20  # for one program on both engines
BATCH = 100
# The helpers are a module of the guest, so that they are compiled once and not with each program.
IMPORT = "from prelude import *\n"
PRELUDE_CODE = compile(PRELUDE, "prelude.py", "exec")
RUNTIME = kr.Runtime(modules_source={"prelude": PRELUDE})


def judge(source: str, between=lambda: None) -> str:
    """Return how the two engines differ on a program: '' when they agree, 'skip' when CPython ran out of something.

    `between` is called when CPython is done.
    """
    prelude = sys.modules["prelude"] = types.ModuleType("prelude")
    exec(PRELUDE_CODE, prelude.__dict__)
    expected = run_reference(source)
    between()
    if expected.exception in ("MemoryError", "RecursionError") or "RecursionError" in expected.stdout:
        return "skip"
    got = run_guest(source, run=RUNTIME.run)
    expected.stdout, got.stdout = ADDRESS.sub("0x", expected.stdout), ADDRESS.sub("0x", got.stdout)
    expected.message, got.message = (outcome.message and ADDRESS.sub("0x", outcome.message) for outcome in (expected, got))
    if sys.version_info < (3, 12):  # CPython's own fault: while an exception is handled, the KeyError behind this message comes through
        expected.stdout, got.stdout = (REPEATED.sub(r"KeyError: \1' after", outcome.stdout) for outcome in (expected, got))
    if expected.exception == got.exception == "SyntaxError":  # the generator's fault
        return ""
    expected.stderr = got.stderr = ""  # errors in finalizers: their text holds addresses, and lines of source only here
    return difference(expected, got)


def run_batch(seeds: list[int], features: tuple[str, ...], pipe: int) -> None:
    """Judge the programs of the seeds in this (child) process; write (seed, outcome) of each to the pipe."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    for seed in seeds:
        signal.alarm(SECONDS)
        os.write(pipe, pickle.dumps((seed, None)))
        outcome = judge(make_program(seed, features, IMPORT), lambda seed=seed: os.write(pipe, pickle.dumps((seed, False))))
        signal.alarm(0)
        os.write(pipe, pickle.dumps((seed, outcome[:3500])))


def outcomes(seeds: list[int], features: tuple[str, ...]):
    """Yield (seed, outcome) for each seed; a crash or hang of the child is an outcome too."""
    while seeds:
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            status = 1
            try:
                run_batch(seeds, features, writer)
                status = 0
            except Exception as error:
                print(f"host error {type(error).__name__}: {error}", file=sys.stderr)
            finally:
                os._exit(status)
        os.close(writer)
        pending, started, done = None, False, 0
        with os.fdopen(reader, "rb") as stream:
            while True:
                try:
                    seed, outcome = pickle.load(stream)
                except EOFError:
                    break
                if outcome is None or outcome is False:
                    pending, started = seed, outcome is False
                else:
                    pending, done = None, done + 1
                    yield seed, outcome
        _, status = os.waitpid(pid, 0)
        if pending is None:
            return
        code = os.waitstatus_to_exitcode(status)
        yield pending, "skip" if not started else "hangs" if code == -signal.SIGALRM else f"crash: exit status {code}"
        seeds = seeds[done + 1:]


def main() -> int:
    """Run the programs that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--start", type=int, default=0, help="first seed")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=0, help="stop after this time")
    parser.add_argument("--keep", action="store_true", help="append the failing seeds to failed_seeds.txt")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the program of a seed and what differs")
    parser.add_argument("--features", default=",".join(ALL_FEATURES))
    options = parser.parse_args()
    features = tuple(options.features.split(","))
    if options.show is not None:
        source = make_program(options.show, features)
        print(source.removeprefix(PRELUDE))
        print("=" * 60, *(outcome for _, outcome in outcomes([options.show], features)), sep="\n")
        return 0
    start, ran, skipped, failed = time.monotonic(), 0, 0, []
    for first in range(options.start, options.start + options.count, BATCH):
        seeds = list(range(first, min(first + BATCH, options.start + options.count)))
        for seed, outcome in outcomes(seeds, features):
            ran += 1
            skipped += outcome == "skip"
            if outcome and outcome != "skip":
                failed.append(seed)
                print(f"seed {seed}: {outcome}\n", flush=True)
        if first % 1000 < BATCH:
            print(f"... {ran} programs in {time.monotonic() - start:.0f} s, {len(failed)} differ", flush=True)
        if options.seconds and time.monotonic() - start > options.seconds:
            break
    print(f"{ran} programs in {time.monotonic() - start:.0f} s: {len(failed)} differ {failed[:50]}, {skipped} left out")
    if options.keep and failed:
        with open(FAILED, "a", encoding="utf-8") as file:
            file.writelines(f"{seed} {','.join(features)}\n" for seed in failed)
    return min(len(failed), 100)


if __name__ == "__main__":
    sys.exit(main())
