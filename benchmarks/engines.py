"""Starts the workers, and finds the fastest CPython of the machine.

Used by ``compare.py``, ``pyperformance_suite.py`` and the pytest-benchmark files. Knows nothing of what is measured
but the twelve programs, which also serve to choose the baseline.
"""

from __future__ import annotations

import functools
import json
import math
import pathlib
import subprocess
import sys
import sysconfig
import threading
from typing import Self

HERE = pathlib.Path(__file__).resolve().parent
WORKER = HERE / "worker.py"
#: Where this interpreter has what kimi_runtime requires; the workers may run in another one.
SITE = sysconfig.get_path("purelib")

#: Order of the tables; one file each in programs/.
PROGRAMS = (
    "fib",
    "int_loop",
    "float_loop",
    "sieve",
    "nbody",
    "methods",
    "dict_count",
    "generator",
    "list_comp",
    "fstring",
    "exceptions",
    "closure",
)


class EngineFailed(Exception):
    """The worker reported an error: the guest program failed, or the engine cannot do what was asked."""


class Engine:
    """A worker process. Use as a context manager, or call `close`."""

    def __init__(self, kind: str, python: str = sys.executable, timeout: float = 120.0) -> None:
        """Args: kind: "kimi" or "cpython". python: interpreter to start. timeout: seconds that one answer may take."""
        self.kind = kind
        self.python = python
        self.timeout = timeout
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.python, str(WORKER), self.kind, SITE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    @property
    def pid(self) -> int:
        """The process of the worker."""
        return self._process.pid

    def ask(self, **request: object) -> dict:
        """Sends one request. Returns the answer; raises EngineFailed, also when the worker died or took too long
        (a new one is started then, so that the next request works)."""
        process = self._process
        killer = threading.Timer(self.timeout, process.kill)
        killer.start()
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            killer.cancel()
        if not line:
            process.kill()
            code = process.wait()
            self._process = self._start()
            raise EngineFailed(f"worker ended with exit code {code} (crash, or over {self.timeout:g} s)")
        reply = json.loads(line)
        if "failed" in reply:
            failure = EngineFailed(reply["failed"])
            failure.trace = reply.get("trace")
            raise failure
        return reply

    @functools.cached_property
    def description(self) -> str:
        return self.ask(do="describe")["description"]

    def time(self, key: str, source: str, entry: str = "main", arguments: tuple = (), calls: int = 1):
        """Runs a program and calls its entry. Returns (best seconds of the calls, repr of the result)."""
        reply = self.ask(do="time", key=key, source=source, entry=entry, arguments=list(arguments), calls=calls)
        return reply["seconds"], reply["result"]

    def close(self) -> None:
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def program(name: str) -> str:
    """Source of one of the twelve programs."""
    return (HERE / "programs" / f"{name}.py").read_text()


def everyday_programs() -> list[str]:
    """Names of the programs in everyday/, which look like what people ask language models for."""
    return sorted(path.stem for path in (HERE / "everyday").glob("*.py"))


def everyday_program(name: str) -> str:
    """Source of one of them."""
    return (HERE / "everyday" / f"{name}.py").read_text()


def geometric_mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def candidates() -> list[str]:
    """Interpreters to choose the baseline from: the running one and what is installed in the usual places; release
    builds of CPython 3.11 and newer only."""
    found = [sys.executable]
    for root, pattern in (
        ("/usr/bin", "python3.*[0-9]"),
        ("/usr/local/bin", "python3.*[0-9]"),
        ("/opt", "python*/bin/python3"),
        (str(pathlib.Path.home() / ".pyenv/versions"), "3.*/bin/python3"),
    ):
        found += sorted(str(path) for path in pathlib.Path(root).glob(pattern))
    probe = (
        "import sys; print(sys.version_info >= (3, 11) and sys.implementation.name == 'cpython'"
        " and not hasattr(sys, 'gettotalrefcount'), sys.version, sys.base_prefix)"
    )
    seen: dict[str, str] = {}
    for path in found:
        try:
            told = subprocess.run([path, "-c", probe], check=False, capture_output=True, text=True, timeout=20).stdout
        except (OSError, subprocess.TimeoutExpired):
            continue
        if told.startswith("True"):
            seen.setdefault(told, path)
    return list(seen.values())


def fastest_cpython(rounds: int = 3, report=None) -> str:
    """The candidate with the smallest geometric mean over the twelve programs, measured in interleaved rounds.

    Args: rounds: how often each program is timed. report: called with a line per candidate.
    Returns: path of the interpreter.
    """
    paths = candidates()
    if len(paths) == 1:
        return paths[0]
    engines = [Engine("cpython", path) for path in paths]
    best: dict[str, list[float]] = {path: [1e9] * len(PROGRAMS) for path in paths}
    for _ in range(rounds):
        for i, name in enumerate(PROGRAMS):
            source = program(name)
            for engine in engines:
                seconds, _ = engine.time(name, source, calls=1)
                times = best[engine.python]
                times[i] = min(times[i], seconds)
    means = {path: geometric_mean(times) for path, times in best.items()}
    for engine in engines:
        if report:
            report(f"  {engine.description:<16} {engine.python:<52} {means[engine.python] * 1e3:7.2f} ms (geometric mean)")
        engine.close()
    return min(means, key=means.__getitem__)


def host_for(baseline: str) -> str:
    """The interpreter that should run kimi_runtime: the baseline itself when the built extension fits it, so that the
    C code of the objects is the same on both sides; else the running interpreter."""
    probe = (
        f"import sys; sys.path.insert(0, {str(HERE.parent)!r}); sys.path.append({SITE!r})\n"
        "import kimi_runtime; kimi_runtime.run('1', check=True)"
    )
    fits = subprocess.run([baseline, "-c", probe], check=False, capture_output=True, timeout=60).returncode == 0
    return baseline if fits else sys.executable
