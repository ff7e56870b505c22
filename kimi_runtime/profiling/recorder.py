"""Records what guests do: the sampler in the core, the garbage collector, calls of the host and the stages before a run."""
from __future__ import annotations

import gc
import os
import time

from .. import _core
from ..bridge.functions import watch_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["MOST_HOST_CALLS", "Recorder"]

MOST_HOST_CALLS = 10_000        # whose times are kept one by one


class Recorder:
    """What a profile is made of. ``start`` and ``stop`` go around the runs, ``call`` around each of them.

    Args:
        interval: seconds between samples.
        memory: also where memory is allocated.
        counts: also about how often each instruction is executed.
    """

    def __init__(self, interval: float = 0.01, *, memory: bool = False, counts: bool = True) -> None:
        self.sampler = _core.Sampler(interval, counts=counts)
        self.asked = interval
        self.memory = memory
        self.collections: list[tuple[float, float, int]] = []       # begin, seconds, generation
        self.host_names: list[str] = []
        self.host_numbers: dict[Any, int] = {}
        self.host_calls: list[list[float]] = []                     # of each function: number, seconds, most, latencies...
        self.stages: dict[str, float] = dict.fromkeys(("parse", "analyze", "generate"), 0.0)
        self.programs: list[dict[str, Any]] = []
        self.runs = 0
        self.cache_before: Any = None
        self.wall = 0.0
        self.processors = 0.0
        self.running = False
        self._collecting = 0.0

    # ---- around the runs ------------------------------------------------------------------------------------
    def start(self) -> None:
        """Begins to take samples. Raises RuntimeError where this build cannot, OSError when no thread can be started."""
        if self.running:
            return
        self.sampler.start()
        self.began = time.time()
        self.wall = time.perf_counter()
        self.processors = time.process_time()
        if self.memory:
            self.sampler.watch_allocations()
        gc.callbacks.append(self._collected)
        watch_calls(1)
        self.running = True

    def stop(self) -> None:
        """Ends that."""
        if not self.running:
            return
        self.running = False
        watch_calls(-1)
        gc.callbacks.remove(self._collected)
        self.sampler.stop()
        self.wall = time.perf_counter() - self.wall
        self.processors = time.process_time() - self.processors

    def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Calls a function that runs guests in this thread. Returns and raises what it does."""
        self.runs += 1
        return _core.call_sampled(self.sampler, function, *args)

    def _collected(self, phase: str, info: dict[str, int]) -> None:
        now = time.monotonic()
        if phase == "start":
            self._collecting = now
        elif self._collecting:
            self.collections.append((self._collecting - self.sampler.started, now - self._collecting, info["generation"]))
            self._collecting = 0.0
            self.sampler.note_collection()

    # ---- what else there is to know --------------------------------------------------------------------------
    def note_program(self, filename: str, source: str | bytes, parse: float, compile: float, cached: bool) -> None:
        """A program was compiled, or taken from the cache. The share of the analyzer is measured by running it once more."""
        analyze = 0.0
        if not cached and compile:
            from ..analysis.scope_views import describe
            from ..syntax.parser import parse as parse_text
            from ..syntax.source import decode_source

            tree = parse_text(source if isinstance(source, str) else decode_source(source, filename), filename, "exec")
            start = time.perf_counter()
            describe(tree, filename)
            analyze = min(time.perf_counter() - start, compile * 0.9)
        self.compiled(filename, parse, analyze, compile - analyze, cached)

    def compiled(self, filename: str, parse: float, analyze: float, generate: float, cached: bool, nodes: int = 0) -> None:
        """A program was compiled, or taken from the cache; seconds of each stage."""
        self.stages["parse"] += parse
        self.stages["analyze"] += analyze
        self.stages["generate"] += generate
        self.programs.append({"file": filename, "parse_seconds": parse, "analyze_seconds": analyze, "generate_seconds": generate,
                              "cached": cached, "nodes": nodes})

    def host_call_begins(self, function: Any) -> None:
        """A guest of this thread calls a function of the host."""
        _core.note_host_call(self.sampler, self.host_number(function), False)

    def host_call_ended(self, function: Any, seconds: float) -> None:
        """The call is over."""
        number = self.host_number(function)
        _core.note_host_call(self.sampler, number, True)
        times = self.host_calls[number]
        times[0] += 1
        times[1] += seconds
        times[2] = max(times[2], seconds)
        if len(times) < MOST_HOST_CALLS:
            times.append(seconds)

    def host_number(self, function: Any) -> int:
        """The number of a function of the host in this profile."""
        number = self.host_numbers.get(function)
        if number is None:
            self.host_names.append(function.__name__)
            self.host_calls.append([0, 0.0, 0.0])
            number = self.host_numbers[function] = len(self.host_names) - 1
        return number

    def host_machine(self) -> dict[str, Any]:
        """What the profile says of where it was made."""
        import platform

        return {"python": platform.python_version(), "system": f"{platform.system()} {platform.release()}",
                "machine": platform.machine(), "processors": os.cpu_count()}
