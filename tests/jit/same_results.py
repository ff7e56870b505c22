"""Runs programs with everything compiled at once and with the interpreter alone, and says where they differ.

    python tests/jit/same_results.py [--part N] [PATH…]        golden programs, all of them by default

Output, value, error, traceback and the number of executed instructions must be the same. Each program runs in a forked child, so a crash
is a difference like any other. The exit status is the number of programs that differ, at most 100.
"""
from __future__ import annotations

import argparse
import gc
import os
import pathlib
import pickle
import re
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent)]

import kimi_runtime as kr  # noqa: E402
from kimi_runtime import _core  # noqa: E402

PROGRAMS = HERE.parent / "programs"
ADDRESS = re.compile("0x[0-9a-f]{6,}", re.IGNORECASE)


def outcome(source: str, jit: kr.JIT | None, path: str) -> dict[str, Any]:
    """What can be told of a run from outside."""
    result = kr.Runtime(jit=jit).run(source, filename=path)
    gc.collect()            # finalizers of what it leaves do not run within another one
    error = result.error
    found = {"stdout": result.stdout, "value": repr(result.value), "stderr": result.stderr, "instructions": result.stats.instructions,
             "error": None if error is None else (error.type, error.message, str(error.traceback))}
    return {name: ADDRESS.sub("0x", value) if isinstance(value, str) else value for name, value in found.items()}


def difference(source: str, path: str = "<guest>", jit: kr.JIT | None = None, twice: bool = True) -> str:
    """How the program differs between both ways; empty when it does not."""
    plain = outcome(source, None, path)
    if twice and outcome(source, None, path) != plain:          # the second run finds filled caches
        plain = outcome(source, None, path)
        if outcome(source, None, path) != plain:
            return ""
    compiled = outcome(source, kr.JIT.eager() if jit is None else jit, path)
    failed = list(_core.hot_failures)
    _core.hot_failures.clear()
    text = "".join(f"the compiler has raised {error!r}\n" for error in failed)
    for name, value in plain.items():
        if compiled[name] != value:
            text += f"{name}: {str(value)[-1500:]}\nwith compiled code: {str(compiled[name])[-1500:]}\n"
    return text


def settings(number: int) -> kr.JIT:
    """Everything is compiled; every other program only after some rounds, of which more is seen then."""
    if number % 2:
        return kr.JIT.eager()
    jit = kr.JIT(call_threshold=4, loop_threshold=12, part=4, rounds=3, background=False)
    jit.everything = True
    return jit


def in_child(source: str, path: str, seconds: float = 60, number: int = 1) -> str:
    """As `difference`, in a forked child. number: see `settings`."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            os.close(read)
            with os.fdopen(write, "wb") as pipe:
                pickle.dump(difference(source, path, settings(number)), pipe)
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    data = b""
    until = time.monotonic() + seconds
    with os.fdopen(read, "rb", buffering=0) as pipe:
        while True:
            ready = select.select([pipe], [], [], max(until - time.monotonic(), 0))[0]
            if not ready:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return f"did not end within {seconds} seconds\n"
            more = pipe.read(1 << 16)
            if not more:
                break
            data += more
    status = os.waitpid(child, 0)[1]
    return pickle.loads(data) if data and not status else f"ended with status {status}\n"


def campaign(make: Callable[[int], str], arguments: list[str], seconds: float) -> int:
    """Compares COUNT programs from number FIRST on. Returns the exit status."""
    count, first = int((arguments[:1] or ["100"])[0]), int((arguments[1:2] or ["0"])[0])
    difference("for i in range(9): i += 1")         # what is loaded here the children have
    gc.freeze()
    return report((f"program {number}\n{make(number)}", in_child(make(number), "<guest>", seconds, number)[:2500])
                  for number in range(first, first + count))


def report(found: Iterable[tuple[str, str]]) -> int:
    """Prints what differs, given as the head and the difference of each program. Returns the exit status."""
    count = different = 0
    for head, text in found:
        count += 1
        if text:
            different += 1
            print(f"== {head}\n{text}", flush=True)
    print(f"{count} programs, {different} differ")
    return min(different, 100)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    parser.add_argument("--part", type=int, default=1, help="every so many of the programs")
    args = parser.parse_args()
    paths = args.paths or sorted(PROGRAMS.rglob("*.py"))[:: args.part]
    return report((str(path), in_child(path.read_text(encoding="utf-8"), str(path))) for path in paths)


if __name__ == "__main__":
    sys.exit(main())
