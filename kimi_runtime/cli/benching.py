"""``kimi-cli bench``: how long a program takes, here and under the CPython that hosts it."""
from __future__ import annotations

import subprocess
import sys
import time

from .. import engine
from . import profiling, runner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["measure", "report"]

#: A CPython that runs the program once for each line that it reads, and answers with the seconds of processor time.
_HOST = """
import sys, time, os
name, argv = sys.argv[1], sys.argv[2:]
source = sys.stdin.buffer.read(int(sys.stdin.buffer.readline()))
code = compile(source, name, "exec")
answers, sys.stdout = sys.stdout, open(os.devnull, "w")
sys.argv = argv
sys.path.insert(0, os.path.dirname(name))
for _ in sys.stdin.buffer:
    names = {"__name__": "__main__", "__file__": name, "__builtins__": __builtins__}
    begun = time.process_time()
    try:
        exec(code, names)
    except SystemExit:
        pass
    answers.write(f"{time.process_time() - begun}\\n")
    answers.flush()
"""


class _Sink:
    """A stream that drops what is written."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass


def measure(words: list[str], repeat: int, compare: bool, tell: Callable[[int, int], None]) -> dict[str, Any]:
    """Runs a program several times.

    Args:
        words: the file, or ``-c CODE``, and its arguments.
        repeat: how often.
        compare: also under CPython, in turns.
        tell: called with the number of runs so far and of all.

    Returns:
        ``kimi`` and ``cpython`` (None when it was not asked): statistics; ``ratio``: how many times as long CPython takes, by
        the fastest runs; ``error``: of a run that failed, or None.
    """
    found = profiling.read(words)
    if found is None:
        sys.exit(2)
    if repeat < 1:
        raise profiling.UsageError("--repeat must be at least 1")
    source, filename, argv, names = found
    begun = time.perf_counter()
    code = runner.compile_program(source, filename, "exec")
    compiling = time.perf_counter() - begun
    ours: list[float] = []
    theirs: list[float] = []
    error = None
    host = _start_host(source, filename, argv) if compare else None
    try:
        for number in range(repeat + 1):            # the first one warms up
            seconds, error = _run_once(code, filename, source, argv, names)
            if error is not None:
                break
            other = _ask(host) if host is not None else None
            if number:
                ours.append(seconds)
                if other is not None:
                    theirs.append(other)
            tell(number, repeat)
    finally:
        if host is not None:
            assert host.stdin is not None
            host.stdin.close()
            host.wait()
    result: dict[str, Any] = {"program": words, "repeat": repeat, "compile_seconds": compiling,
                              "kimi": statistics_of(ours), "cpython": statistics_of(theirs), "ratio": None, "error": error}
    if ours and theirs and min(ours) > 0:
        result["ratio"] = min(theirs) / min(ours)
    return result


def _run_once(code: Any, filename: str, source: Any, argv: list[str], names: dict[str, Any]) -> tuple[float, str | None]:
    sink: Any = _Sink()
    context, namespace = runner.prepare(source, filename, argv, names, sink, sink)
    error = None
    begun = time.process_time()
    try:
        runner.perform(context, code, namespace)
    except SystemExit:
        pass
    except Exception as raised:
        error = engine.describe(raised).traceback
    engine.end_program(context)
    return time.process_time() - begun, error


def _start_host(source: str | bytes, filename: str, argv: list[str]) -> subprocess.Popen[bytes]:
    data = source if isinstance(source, bytes) else source.encode()
    host = subprocess.Popen([sys.executable, "-c", _HOST, filename, *argv], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    assert host.stdin is not None
    host.stdin.write(b"%d\n" % len(data) + data)
    host.stdin.flush()
    return host


def _ask(host: subprocess.Popen[bytes]) -> float | None:
    """One run under CPython; None when it has failed."""
    assert host.stdin is not None and host.stdout is not None
    try:
        host.stdin.write(b"\n")
        host.stdin.flush()
    except BrokenPipeError:
        return None
    answer = host.stdout.readline()
    return float(answer) if answer.strip() else None


def statistics_of(times: list[float]) -> dict[str, float] | None:
    """Fastest, median, mean, deviation and slowest of some times; None when there are none."""
    import statistics

    if not times:
        return None
    return {"fastest": min(times), "median": statistics.median(times), "mean": statistics.fmean(times),
            "deviation": statistics.stdev(times) if len(times) > 1 else 0.0, "slowest": max(times), "runs": len(times)}


def report(found: dict[str, Any]) -> str:
    """The figures for people."""
    if found["error"] is not None:
        return f"the program failed:\n{found['error']}"
    rows: list[tuple[str, ...]] = [("", "fastest", "median", "mean", "deviation", "slowest")]
    for name in ("kimi", "cpython"):
        if found[name] is not None:
            rows.append((name, *(f"{found[name][key] * 1e3:.3f} ms" for key in rows[0][1:])))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(each.rjust(width) for each, width in zip(row, widths)) for row in rows]
    if found["ratio"] is not None:
        lines.append(f"CPython takes {found['ratio']:.2f} times as long" if found["ratio"] >= 1
                     else f"CPython takes {found['ratio']:.2f} times as long: it is the faster one here")
    lines.append(f"compiling took {found['compile_seconds'] * 1e3:.3f} ms")
    return "\n".join(lines)
