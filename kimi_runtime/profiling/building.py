"""From what a recorder has to the data of a profile: the schema of docs/profiling.md, as plain dictionaries and lists."""
from __future__ import annotations

import sys

from .. import __version__
from ..bytecode.opcodes import TABLE
from .places import Place, Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .recorder import Recorder

__all__ = ["FORMAT", "VERSION", "build"]

FORMAT = "kimi-profile"
VERSION = 1
NAMES = [op.name for op in TABLE]
NATIVE_OPS = frozenset({"CALL", "CALL_METHOD", "CALL_EX"})
ENDS = frozenset({"RETURN", "RETURN_NONE"})
TIERS = ("interpreted", "compiled")           # by the numbers of Tier in vm/sampling.pxi
RESULTS = ("", "int", "float", "str", "list", "object")


class Builder:
    """Collects functions, frames and stacks, each once."""

    def __init__(self, recorder: Recorder, threads: frozenset[int] | None = None) -> None:
        self.recorder = recorder
        self.threads = threads
        self.places = Places()
        self.functions: list[dict[str, Any]] = []
        self.function_numbers: dict[Any, int] = {}
        self.frames: list[dict[str, Any]] = []
        self.frame_numbers: dict[tuple[Any, ...], int] = {}
        self.stacks: list[tuple[int, int]] = [(-1, -1)]         # parent, frame
        self.stack_numbers: dict[tuple[int, int], int] = {}
        self.frame_places: list[Place | None] = []
        self.sources: dict[str, str] = {}
        self.files: dict[Any, str] = {}         # code -> the name of its file here
        self.texts: dict[str, list[str]] = {}   # name of a file -> the texts that had it

    def file(self, code: Any) -> str:
        """The name of a code object's file in this profile: texts that share one, as those of exec() do, are told apart."""
        name = self.files.get(code)
        if name is None:
            name = code.co_filename
            if not is_library(name):
                source = self.places.source(code)
                texts = self.texts.setdefault(name, [])
                text = "" if source is None else source.text
                if text not in texts:
                    texts.append(text)
                if texts.index(text):
                    name = f"{name} ({texts.index(text) + 1})"
                if source is not None:
                    self.sources.setdefault(name, text)
            self.files[code] = name
        return name

    def function(self, code: Any) -> int:
        number = self.function_numbers.get(code)
        if number is None:
            filename = self.file(code)
            key = code.co_qualname, filename, code.co_firstlineno
            number = self.function_numbers.get(key)
            if number is None:
                number = self.function_numbers[key] = len(self.functions)
                self.functions.append({"name": code.co_qualname, "file": filename, "line": code.co_firstlineno,
                                       "kind": "library" if is_library(code.co_filename) else "guest"})
            self.function_numbers[code] = number
        return number

    def made(self, name: str, kind: str) -> int:
        """A function that has no code: "native" or "host"."""
        number = self.function_numbers.get((name, kind))
        if number is None:
            number = self.function_numbers[name, kind] = len(self.functions)
            self.functions.append({"name": f"<{kind}: {name}>", "file": "", "line": 0, "kind": kind})
        return number

    def frame(self, function: int, place: Place | None, line: int, kind: str, tier: str = TIERS[0]) -> int:
        # Not by the column: f(x) and f(x)(y) begin at the same one.
        node = None if place is None else (place.op, place.column if place.node is None else id(place.node))
        key = function, line, kind, tier, node
        number = self.frame_numbers.get(key)
        if number is None:
            number = self.frame_numbers[key] = len(self.frames)
            self.frames.append({"function": function, "line": line, "kind": kind, "tier": tier,
                                "op": "" if place is None else place.op})
            self.frame_places.append(place)
        return number

    def stack(self, parent: int, frame: int) -> int:
        number = self.stack_numbers.get((parent, frame))
        if number is None:
            number = self.stack_numbers[parent, frame] = len(self.stacks)
            self.stacks.append((parent, frame))
        return number

    def in_tier(self, stack: int, tier: str) -> int:
        """The same stack with its innermost frame in another tier."""
        parent, frame = self.stacks[stack]
        if stack == 0 or self.frames[frame]["tier"] == tier:
            return stack
        known = self.frames[frame]
        return self.stack(parent, self.frame(known["function"], self.frame_places[frame], known["line"], known["kind"], tier))

    def calls_native(self, code: Any, pc: int, place: Place, own: set[str]) -> bool:
        """Whether the time at a call was that of native code, and not that of a return from a guest's function: the site has
        learned a native callee, or none of the guest's functions has its name."""
        return any(at == pc and (kind or counter) for at, kind, counter in self.places.states(code)) \
            or place.call.rpartition(".")[2] not in own

    def build_stacks(self) -> list[int]:
        """The stacks of the sampler among those of the profile: number -> number."""
        found = [0]
        for parent, code, pc in self.recorder.sampler.stacks()[1:]:
            place = self.places.place(code, pc)
            found.append(self.stack(found[parent], self.frame(self.function(code), place, place.line, place.kind)))
        return found


def is_library(filename: str) -> bool:
    """Whether a file belongs to the library."""
    return filename.startswith("<frozen") or filename.startswith(LIBRARY)


LIBRARY = tuple({__file__.rpartition("profiling")[0], sys.modules["os"].__file__.rpartition("os.py")[0]})  # type: ignore[union-attr]


def build(recorder: Recorder, threads: frozenset[int] | None = None) -> dict[str, Any]:
    """The data of a profile.

    Args:
        recorder: of a profile that has ended, or goes on.
        threads: numbers of the threads whose samples count; None for all.
    """
    from .aggregates import aggregate, by_allocation

    maker = Builder(recorder, threads)
    stacks = maker.build_stacks()
    sampler = recorder.sampler
    rows = sampler.stacks()
    native: dict[int, bool] = {}
    samples: list[dict[str, Any]] = []
    own = {each["name"].rpartition(".")[2] for each in maker.functions}
    for row in sampler.results():
        (at, wall, cpu, process, instructions, allocated, live, codes, nodes, stack, thread, collections, host, entered, blocked,
         op, result, tier) = row
        if threads is not None and thread not in threads:
            continue
        name = NAMES[op]
        number = maker.in_tier(stacks[stack], TIERS[tier])
        how = "interpret"
        if stack:
            frame = maker.stacks[number][1]
            place = maker.frame_places[frame]
            if host >= 0:
                how = "host"
                number = maker.stack(number, maker.frame(maker.made(recorder.host_names[host], "host"), None,
                                                         maker.frames[frame]["line"], "Call"))
            elif name in NATIVE_OPS and not entered and place is not None:
                if stack not in native:
                    native[stack] = maker.calls_native(rows[stack][1], rows[stack][2], place, own)
                if native[stack]:
                    how = "native"
                    call = place.call or "call"
                    number = maker.stack(number, maker.frame(maker.made(call, "native"), None, maker.frames[frame]["line"],
                                                             maker.frames[frame]["kind"]))
        samples.append({
            "time": at, "seconds": wall, "cpu_seconds": cpu, "cpu_share": process / wall if wall > 0 else 0.0,
            "heap_live": live, "heap_allocated": allocated, "ast_nodes": nodes, "code_objects": codes, "stack": number,
            "thread": thread, "tier": TIERS[tier], "instructions": instructions,
            "instructions_per_second": instructions / wall if wall > 0 else 0.0, "collections": collections, "stage": how,
            "blocked": blocked, "result": RESULTS[result],
        })
    wall, cpu, elapsed, unsampled = sampler.totals()
    data: dict[str, Any] = {
        "format": FORMAT, "version": VERSION,
        "made_by": f"kimi_runtime {__version__}", "machine": recorder.host_machine(),
        "interval": recorder.asked, "interval_at_end": sampler.interval,
        "seconds": elapsed, "guest_seconds": wall, "guest_cpu_seconds": cpu, "unsampled_seconds": unsampled,
        "runs": recorder.runs if threads is None else 1, "programs": recorder.programs,
        "functions": maker.functions, "frames": maker.frames,
        "stacks": [{"parent": parent, "frame": frame} for parent, frame in maker.stacks],
        "samples": samples,
        "collections": [{"time": begun, "seconds": seconds, "generation": generation}
                        for begun, seconds, generation in recorder.collections],
        "sources": maker.sources,
    }
    aggregate(data, maker)
    if recorder.memory:
        rows = [row for row in sampler.allocated() if threads is None or row[3] in threads]
        data["memory"] = by_allocation(data, maker, rows, stacks)
        allocated = {(row["file"], row["line"]): row["bytes"] for row in data["memory"]["by_line"]}
        for row in data["by_line"]:
            row["allocated"] = allocated.get((row["file"], row["line"]), 0)
    return data
