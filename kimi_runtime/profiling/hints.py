"""Known bottlenecks, named only where the samples show them."""
from __future__ import annotations

from .places import SourceLines, dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .aggregates import Counts
    from .building import Builder

__all__ = ["find_hints"]

ENOUGH = 0.05           # share of the time below which a line is not worth a hint
DEEP = 8                # functions around a piece of code
MANY_ELEMENTS = 100_000
MANY_RAISES = 1000
MANY_FILLS = 32
STRING_SAMPLES = 0.5    # share of the samples of an addition that have made a text

_TEXTS = {
    "deep scopes": "it lies {depth} functions deep and reads names of functions around it ({names}); "
                   "pass them as arguments or bind them to local names before the loop",
    "big comprehension": "the comprehension makes about {elements:,} elements at once; a generator expression, or a loop that "
                         "uses each element when it is made, needs no list of them",
    "reflective getattr": "{call}() looks an attribute up by a computed name about {times:,} times; look it up once before the "
                          "loop, or keep a dictionary of what can be asked for",
    "string concatenation": "a text grows by + in a loop, which copies it each time; collect the pieces in a list and join them",
    "exceptions as control flow": "an exception is raised and caught about {times:,} times here; test for the case first, or "
                                  "let the loop end by a value",
    "polymorphic site": "objects of many classes come by ({fills} times another one than the time before), so what is known of "
                        "their attributes must be looked up anew; handle each class on a line of its own",
}


def find_hints(data: dict[str, Any], maker: Builder, counts: Counts, leaves: Any, total: float) -> list[dict[str, Any]]:
    """The hints of a profile, those that concern most time first.

    Args:
        data: of the profile, with its lines.
        maker: knows the places of frames.
        counts: how often what was executed.
        leaves: frame -> seconds, processor seconds, samples, samples of an operator that made a text.
        total: seconds of all samples.
    """
    if not total:
        return []
    found: dict[tuple[str, str, int], dict[str, Any]] = {}
    shares = {(row["file"], row["line"]): row["share"] for row in data["by_line"]}
    by_frame = {number: (maker.frame_places[number], data["functions"][data["frames"][number]["function"]])
                for number in leaves}

    source = SourceLines(data["sources"])

    def add(kind: str, file: str, line: int, share: float, **details: Any) -> None:
        known = found.get((kind, file, line))
        if known is not None:
            known["share"] = max(known["share"], share)
            return
        found[kind, file, line] = {
            "kind": kind, "file": file, "line": line, "share": share, "details": details,
            "text": f"{file}:{line} ({share:.0%} of the time): " + _TEXTS[kind].format(**details),
            "source": source.line(file, line)}

    strings: dict[tuple[str, int], list[float]] = {}
    raising: dict[str, float] = {}
    for number, (seconds, _, samples, texts) in leaves.items():
        place, function = by_frame[number]
        if place is None or function["kind"] != "guest":
            continue
        file, line = function["file"], place.line
        share = shares.get((file, line), 0.0)
        if place.kind in ("BinOp", "AugAssign") and place.op.rstrip("_IK") in ("ADD", "IADD", "RADD") and place.loops:
            row = strings.setdefault((file, line), [0.0, 0.0, 0.0])
            row[0] += samples
            row[1] += texts
            row[2] += seconds
        if place.op in ("RAISE", "RAISE_FROM", "JNEXC_MATCH", "POP_EXC", "RAISE_AS_IS", "SET_HANDLED"):
            raising[file] = raising.get(file, 0.0) + seconds
        if share < ENOUGH:
            continue
        if place.depth > DEEP:
            names = free_names(maker, file, line)
            if names:
                add("deep scopes", file, line, share, depth=place.depth, names=", ".join(names[:4]))
        if place.kind == "Call" and place.node is not None and dotted(place.node.func) in ("getattr", "builtins.getattr") \
                and len(place.node.args) >= 2 and type(place.node.args[1]).__name__ != "Constant":
            times = round(counts.lines.get((file, line), 0.0))
            if place.loops or times > MANY_RAISES:
                add("reflective getattr", file, line, share, call="getattr", times=times)
    for (file, line), (samples, texts, seconds) in strings.items():
        if seconds / total >= ENOUGH and texts >= samples * STRING_SAMPLES:
            add("string concatenation", file, line, shares.get((file, line), 0.0))
    _comprehensions(maker, counts, shares, add)
    _exceptions(maker, counts, total, raising, shares, add)
    _polymorphic(maker, counts, shares, add)
    return sorted(found.values(), key=lambda hint: -hint["share"])


def free_names(maker: Builder, file: str, line: int) -> list[str]:
    """Names of functions further out that a line reads."""
    found = []
    for code, (rows, _, _) in maker.places.codes.items():
        if maker.file(code) == file:
            for _, op, operands, position in rows:
                if op == "LOAD_FREE" and position[0] == line:
                    name = code.co_freevars[operands[1]]
                    if name not in found:
                        found.append(name)
    return found


def _comprehensions(maker: Builder, counts: Counts, shares: Any, add: Any) -> None:
    """Comprehensions that make very many elements each time."""
    for place, file, elements in counts.made.values():
        share = max((shares.get((file, line), 0.0) for line in range(place.node.lineno, place.node.end_lineno + 1)), default=0.0)
        if place.kind != "GeneratorExp" and elements > MANY_ELEMENTS and share >= ENOUGH:
            add("big comprehension", file, place.node.lineno, share, elements=int(round(elements, -4)))


def _exceptions(maker: Builder, counts: Counts, total: float, raising: dict[str, float], shares: Any, add: Any) -> None:
    """Handlers that are entered very often, in a file where raising and handling takes time."""
    for (code, pc), count in counts.places.items():
        place = maker.places.place(code, pc)
        if place.op != "POP_EXC" or count < MANY_RAISES:
            continue
        file = maker.file(code)
        handler = maker.places.source(code)
        if handler is None or raising.get(file, 0.0) / total < ENOUGH:
            continue
        line = _try_line(handler, place.line)
        if line:
            add("exceptions as control flow", file, line, raising[file] / total, times=int(round(count, -2)))


def _try_line(source: Any, line: int) -> int:
    """The line of the innermost handler around a line."""
    found, size = 0, 1 << 30
    for (first, last, _, _), nodes in source.spans.items():
        if first <= line <= last and last - first < size and any(type(each[0]).__name__ == "ExceptHandler" for each in nodes):
            found, size = first, last - first
    return found


def _polymorphic(maker: Builder, counts: Counts, shares: Any, add: Any) -> None:
    """Sites of attributes whose cache was filled anew again and again."""
    for code, pc in counts.places:
        place = maker.places.place(code, pc)
        if place.op not in ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR"):
            continue
        fills = counts.cache_states(code).get(pc, (0, 0))[1]
        share = shares.get((maker.file(code), place.line), 0.0)
        if fills >= MANY_FILLS and share >= ENOUGH:
            add("polymorphic site", maker.file(code), place.line, share, fills=fills if fills < 200 else "over 200")
