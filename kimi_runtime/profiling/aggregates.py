"""What the samples of a profile add up to: by function, line, node kind, stage and tier; and what is said about them."""
from __future__ import annotations

from collections import defaultdict

from .hints import find_hints
from .places import COMPREHENSIONS, SourceLines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .building import Builder

__all__ = ["aggregate"]

SLOWEST = 10
SEEN = 16
APPENDS = frozenset({"LIST_APPEND", "SET_ADD", "MAP_ADD"})
BEGINS = frozenset({"BUILD_LIST", "BUILD_SET", "BUILD_MAP", "MAKE_FUNCTION"})


def aggregate(data: dict[str, Any], maker: Builder) -> None:
    """Adds the aggregates to the data of a profile."""
    total = sum(sample["seconds"] for sample in data["samples"])
    counts = Counts(maker, data)
    leaves, lines, kinds = _by_place(data, maker)
    data["sampled_seconds"] = total
    data["by_function"] = _by_function(data, counts, total)
    data["by_line"] = _by_line(data, lines, counts, total)
    data["by_node_kind"] = _by_kind(kinds, counts, total)
    data["by_stage"] = _by_stage(data, maker, total)
    data["by_tier"] = _shares(_sum_by(data["samples"], "tier"), total, "tier")
    data["host_calls"] = _host_calls(maker)
    data["caches"] = counts.caches()
    data["slowest_lines"] = _slowest(data)
    data["hints"] = find_hints(data, maker, counts, leaves, total)


class Counts:
    """About how often what was executed: estimates from bursts of instructions that were counted one by one."""

    def __init__(self, maker: Builder, data: dict[str, Any]) -> None:
        self.calls: dict[int, float] = defaultdict(float)           # function -> calls
        self.lines: dict[tuple[str, int], float] = defaultdict(float)
        self.kinds: dict[str, float] = defaultdict(float)
        self.places: dict[Any, float] = defaultdict(float)          # (code, pc) -> times
        self.states: dict[Any, dict[int, tuple[int, int]]] = {}
        per_line: dict[tuple[str, int, Any, int], float] = defaultdict(float)
        per_node: dict[tuple[str, Any], float] = defaultdict(float)
        made: dict[Any, list[float]] = {}       # comprehension -> elements, elements of one of its runs
        self.made: dict[Any, tuple[Any, str, float]] = {}           # id of a comprehension -> place, file, elements of a run
        for code, pc, count, seen, bursts, length, longest in maker.recorder.sampler.counted():
            place = maker.places.place(code, pc)
            function = maker.function(code)
            self.places[code, pc] += count
            node = id(place.node) if place.node is not None else (code, pc)
            if place.op in APPENDS and place.kind in COMPREHENSIONS:
                # Looked at at any time a list is half as long as it gets, on average; and the longest of so many looks is the
                # nearer to the end the more there are.
                row = made.setdefault(node, [0.0, 0.0])
                row[0] += count
                row[1] = max(row[1], 2 * length + 1)
                longest = max(row[1], longest * (bursts + 1) / bursts) if bursts > 2 else longest
                self.made[node] = place, maker.file(code), max(longest, self.made[node][2] if node in self.made else 0.0)
            if seen < SEEN:     # too seldom to say how often
                continue
            if place.op in ("RETURN", "RETURN_NONE"):
                self.calls[function] += count
            key = maker.functions[function]["file"], place.line
            per_line[(*key, place.op, pc)] = max(per_line[(*key, place.op, pc)], count)
            if place.kind not in COMPREHENSIONS or place.op in BEGINS:      # those count once a run, loops once a round
                per_node[place.kind, node] = max(per_node[place.kind, node], count)
        for (file, line, _, _), count in per_line.items():
            self.lines[file, line] = max(self.lines[file, line], count)
        for node, (count, size) in made.items():
            kind = self.made[node][0].kind
            if (kind, node) not in per_node and count:
                per_node[kind, node] = max(count / size, 1.0)
        for (kind, _), count in per_node.items():
            self.kinds[kind] += count
        self.maker = maker

    def cache_states(self, code: Any) -> dict[int, tuple[int, int]]:
        """Of each instruction with an inline cache: whether it holds something (not 0), and how often it was filled anew."""
        found = self.states.get(code)
        if found is None:
            found = self.states[code] = {pc: (kind, counter) for pc, kind, counter in self.maker.places.states(code)}
        return found

    def caches(self) -> dict[str, Any]:
        """Executions at sites with an inline cache, and at those whose cache holds something."""
        at_sites = filled = 0.0
        sites = filled_sites = 0
        for (code, pc), count in self.places.items():
            state = self.cache_states(code).get(pc)
            if state is not None:
                at_sites += count
                sites += 1
                if state[0]:
                    filled += count
                    filled_sites += 1
        before = self.maker.recorder.cache_before
        parse: dict[str, Any] = {}
        if before is not None:
            cache, hits, misses = before
            now = cache.stats()
            parse = {"hits": now.hits - hits, "misses": now.misses - misses}
        return {"inline": {"executions": round(at_sites), "at_filled_sites": round(filled), "sites": sites,
                           "filled_sites": filled_sites, "rate": filled / at_sites if at_sites else None},
                "parse": parse, "guard_exits": self.maker.recorder.sampler.guard_exits}


def _sum_by(samples: list[dict[str, Any]], key: str) -> dict[str, tuple[float, float, int]]:
    found: dict[str, tuple[float, float, int]] = {}
    for sample in samples:
        seconds, cpu, number = found.get(sample[key], (0.0, 0.0, 0))
        found[sample[key]] = seconds + sample["seconds"], cpu + sample["cpu_seconds"], number + 1
    return found


def _shares(found: dict[str, tuple[float, float, int]], total: float, key: str) -> list[dict[str, Any]]:
    rows = [{key: name, "seconds": seconds, "cpu_seconds": cpu, "samples": number, "share": seconds / total if total else 0.0}
            for name, (seconds, cpu, number) in found.items()]
    return sorted(rows, key=lambda row: -row["seconds"])


def frames_of(data: dict[str, Any], stack: int) -> list[int]:
    """The frames of a stack, outermost first."""
    found = []
    stacks = data["stacks"]
    while stack > 0:
        found.append(stacks[stack]["frame"])
        stack = stacks[stack]["parent"]
    found.reverse()
    return found


def _by_place(data: dict[str, Any], maker: Builder) -> tuple[Any, Any, Any]:
    """Seconds of the innermost frames of guest code: by frame number, by (file, line), by node kind."""
    leaves: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0, 0])
    lines: dict[tuple[str, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0, 0.0])
    kinds: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0])
    frames, functions, stacks = data["frames"], data["functions"], data["stacks"]
    for sample in data["samples"]:
        stack = sample["stack"]
        if stack <= 0:
            continue
        frame = stacks[stack]["frame"]
        while functions[frames[frame]["function"]]["kind"] in ("native", "host"):
            stack = stacks[stack]["parent"]
            frame = stacks[stack]["frame"]
        leaf = leaves[frame]
        leaf[0] += sample["seconds"]
        leaf[1] += sample["cpu_seconds"]
        leaf[2] += 1
        leaf[3] += sample["result"] == "str"
        file = functions[frames[frame]["function"]]["file"]
        line = lines[file, frames[frame]["line"]]
        line[0] += sample["seconds"]
        line[1] += sample["cpu_seconds"]
        line[2] += 1
        if sample["stage"] != "interpret":
            line[3] += sample["seconds"]
        kind = kinds[frames[frame]["kind"]]
        kind[0] += sample["seconds"]
        kind[1] += sample["cpu_seconds"]
        kind[2] += 1
    return leaves, lines, kinds


def _by_function(data: dict[str, Any], counts: Counts, total: float) -> list[dict[str, Any]]:
    functions, frames, stacks = data["functions"], data["frames"], data["stacks"]
    own: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0])
    whole: dict[int, float] = defaultdict(float)
    on_stack: dict[int, frozenset[int]] = {}
    for sample in data["samples"]:
        stack = sample["stack"]
        if stack <= 0:
            continue
        row = own[frames[stacks[stack]["frame"]]["function"]]
        row[0] += sample["seconds"]
        row[1] += sample["cpu_seconds"]
        row[2] += 1
        if stack not in on_stack:       # each function once, however often it is on the stack
            on_stack[stack] = frozenset(frames[each]["function"] for each in frames_of(data, stack))
        for function in on_stack[stack]:
            whole[function] += sample["seconds"]
    rows = []
    for number, function in enumerate(functions):
        if number not in whole and number not in counts.calls:
            continue
        seconds, cpu, samples = own.get(number, (0.0, 0.0, 0))
        calls = round(counts.calls[number]) if number in counts.calls else None
        rows.append({"function": function["name"], "file": function["file"], "line": function["line"], "kind": function["kind"],
                     "self_seconds": seconds, "self_cpu_seconds": cpu, "self_share": seconds / total if total else 0.0,
                     "cumulative_seconds": whole.get(number, 0.0),
                     "cumulative_share": whole.get(number, 0.0) / total if total else 0.0,
                     "samples": samples, "calls_about": calls,
                     "microseconds_per_call_about": whole.get(number, 0.0) / calls * 1e6 if calls else None})
    return sorted(rows, key=lambda row: (-row["self_seconds"], -row["cumulative_seconds"]))


def _by_line(data: dict[str, Any], lines: Any, counts: Counts, total: float) -> list[dict[str, Any]]:
    rows = []
    source = SourceLines(data["sources"])
    for (file, line), (seconds, cpu, samples, outside) in lines.items():
        rows.append({"file": file, "line": line, "seconds": seconds, "cpu_seconds": cpu, "native_seconds": outside,
                     "share": seconds / total if total else 0.0, "samples": samples,
                     "times_about": round(counts.lines[file, line]) if (file, line) in counts.lines else None,
                     "allocated": 0,
                     "source": source.line(file, line)})
    return sorted(rows, key=lambda row: -row["seconds"])


def _by_kind(kinds: Any, counts: Counts, total: float) -> list[dict[str, Any]]:
    rows = []
    for kind in dict.fromkeys([*kinds, *counts.kinds]):     # what is too quick for any sample has a count all the same
        seconds, cpu, samples = kinds.get(kind, (0.0, 0.0, 0))
        count = round(counts.kinds.get(kind, 0.0)) or None
        rows.append({"kind": kind, "seconds": seconds, "cpu_seconds": cpu, "samples": samples,
                     "share": seconds / total if total else 0.0, "count_about": count,
                     "mean_microseconds_about": seconds / count * 1e6 if count else None})
    return sorted(rows, key=lambda row: -row["seconds"])


def _by_stage(data: dict[str, Any], maker: Builder, total: float) -> list[dict[str, Any]]:
    """Stages before the run are measured, those of the run are sampled."""
    run = _sum_by(data["samples"], "stage")
    before = maker.recorder.stages
    everything = total + sum(before.values())
    rows = [{"stage": name, "seconds": seconds, "share": seconds / everything if everything else 0.0, "measured": True}
            for name, seconds in before.items()]
    for name in ("interpret", "native", "host"):
        seconds = run.get(name, (0.0, 0.0, 0))[0]
        rows.append({"stage": name, "seconds": seconds, "share": seconds / everything if everything else 0.0, "measured": False})
    collecting = sum(each["seconds"] for each in data["collections"])
    rows.append({"stage": "garbage collection (within the others)", "seconds": collecting,
                 "share": collecting / everything if everything else 0.0, "measured": True})
    return rows


def _host_calls(maker: Builder) -> list[dict[str, Any]]:
    rows = []
    for name, times in zip(maker.recorder.host_names, maker.recorder.host_calls):
        number, seconds, most, *each = times
        each.sort()
        rows.append({"name": name, "calls": int(number), "seconds": seconds, "mean_seconds": seconds / number if number else 0.0,
                     "median_seconds": each[len(each) // 2] if each else 0.0,
                     "p95_seconds": each[min(len(each) * 95 // 100, len(each) - 1)] if each else 0.0, "most_seconds": most})
    return sorted(rows, key=lambda row: -row["seconds"])


def _slowest(data: dict[str, Any]) -> list[str]:
    """The ten slowest lines, in words."""
    found = []
    for row in data["by_line"][:SLOWEST]:
        if row["share"] < 0.005:
            break
        text = f"{row['file']}:{row['line']} took {row['share']:.1%} of the time ({row['seconds']:.3f} s)"
        if row["native_seconds"] > row["seconds"] / 2:
            text += f", {row['native_seconds'] / row['seconds']:.0%} of it in native code or the host"
        if row["times_about"]:
            text += f", and ran about {row['times_about']:,} times"
        if row["source"]:
            text += f": {row['source'][:100]}"
        found.append(text)
    return found


def by_allocation(data: dict[str, Any], maker: Builder, rows: list[tuple[Any, ...]], stacks: list[int]) -> dict[str, Any]:
    """Allocated bytes by line, function and type, from samples of blocks."""
    from .type_names import type_names

    lines: dict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0])
    types: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    functions: dict[int, int] = defaultdict(int)
    frames = data["frames"]
    names = type_names(maker.recorder.sampler)
    total = sum(row[1] for row in rows)
    for _, size, stack, _, op, is_object, words in rows:
        name = next((names[word] for word in words if word in names), "")
        number = stacks[stack]
        if number <= 0:
            continue
        frame = frames[maker.stacks[number][1]]
        file = data["functions"][frame["function"]]["file"]
        if not name:
            name = f"({_STORAGE.get(frame['op'], 'storage of containers')})"
        for row in (lines[file, frame["line"]], types[name]):
            row[0] += size
            row[1] += 1
        functions[frame["function"]] += size

    source = SourceLines(data["sources"])
    return {
        "allocated_bytes": maker.recorder.sampler.allocated_bytes(), "samples": len(rows),
        "by_line": sorted(({"file": file, "line": line, "bytes": size, "share": size / total, "samples": number,
                            "source": source.line(file, line)} for (file, line), (size, number) in lines.items()),
                          key=lambda row: -row["bytes"]),
        "by_function": sorted(({"function": data["functions"][number]["name"], "bytes": size, "share": size / total}
                               for number, size in functions.items()), key=lambda row: -row["bytes"]),
        "by_type": sorted(({"type": name, "bytes": size, "share": size / total, "samples": number}
                           for name, (size, number) in types.items()), key=lambda row: -row["bytes"]),
    }


_STORAGE = {"LIST_APPEND": "storage of list", "BUILD_LIST": "storage of list", "LIST_EXTEND": "storage of list",
            "SET_ITEM": "storage of dict", "BUILD_MAP": "storage of dict", "MAP_ADD": "storage of dict",
            "SET_ADD": "storage of set",
            "STORE_ATTR": "storage of attributes"}
