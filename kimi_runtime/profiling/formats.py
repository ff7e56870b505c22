"""The forms of a profile: JSON, text, collapsed stacks, speedscope, pprof, HTML."""
from __future__ import annotations

import gzip
import json

from .aggregates import frames_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["as_collapsed", "as_html", "as_json", "as_pprof", "as_speedscope", "as_text"]

SPEEDSCOPE_SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def as_json(data: dict[str, Any]) -> str:
    """The data itself, on one line."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n"


def label(data: dict[str, Any], frame: int, line: bool = True) -> str:
    """How a frame is called: ``name (file:line)``."""
    each = data["frames"][frame]
    function = data["functions"][each["function"]]
    if not function["file"]:
        return str(function["name"])
    return f"{function['name']} ({short(function['file'])}:{each['line'] if line else function['line']})"


def short(file: str) -> str:
    """The last two parts of a path."""
    parts = file.split("/")
    return file if len(parts) < 3 else "/".join(parts[-2:])


def as_collapsed(data: dict[str, Any]) -> str:
    """Lines ``outer;inner count`` for flamegraph.pl: a count is a microsecond. Separators in names are replaced."""
    weights: dict[str, float] = {}
    texts: dict[int, str] = {}
    for sample in data["samples"]:
        stack = sample["stack"]
        if stack <= 0:
            continue
        text = texts.get(stack)
        if text is None:
            text = texts[stack] = ";".join(clean(label(data, frame)) for frame in frames_of(data, stack))
        weights[text] = weights.get(text, 0.0) + sample["seconds"]
    return "".join(f"{text} {max(round(seconds * 1e6), 1)}\n" for text, seconds in sorted(weights.items()))


def clean(name: str) -> str:
    """A name without what separates frames, stacks and counts in the collapsed format."""
    return "".join("," if each == ";" else "_" if each in " \t\n\r" or not each.isprintable() else each for each in name)


def as_speedscope(data: dict[str, Any]) -> str:
    """The file format of speedscope: one sampled profile for each thread."""
    frames: list[dict[str, Any]] = []
    for each in data["frames"]:
        function = data["functions"][each["function"]]
        row: dict[str, Any] = {"name": function["name"]}
        if function["file"]:
            row["file"] = function["file"]
            row["line"] = each["line"]
        frames.append(row)
    profiles = []
    for thread in sorted({sample["thread"] for sample in data["samples"]}) or [0]:
        of_thread = [sample for sample in data["samples"] if sample["thread"] == thread]
        weights = [sample["seconds"] for sample in of_thread]
        profiles.append({
            "type": "sampled", "name": f"thread {thread}", "unit": "seconds", "startValue": 0, "endValue": sum(weights),
            "samples": [frames_of(data, sample["stack"]) for sample in of_thread],
            "weights": weights})
    return json.dumps({"$schema": SPEEDSCOPE_SCHEMA, "shared": {"frames": frames}, "profiles": profiles, "activeProfileIndex": 0,
                       "exporter": data["made_by"], "name": "kimi_runtime profile"}, ensure_ascii=False) + "\n"


# ---- pprof: protocol buffers by hand, of which this needs four kinds of fields -------------------------------
def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _message(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _packed(field: int, values: list[int]) -> bytes:
    return _message(field, b"".join(map(_varint, values)))


def as_pprof(data: dict[str, Any]) -> bytes:
    """A gzipped profile.proto with samples, wall time, processor time and allocated bytes."""
    texts: dict[str, int] = {"": 0}

    def text(value: str) -> int:
        return texts.setdefault(value, len(texts))

    out = bytearray()
    for kind, unit in (("samples", "count"), ("wall", "nanoseconds"), ("cpu", "nanoseconds"), ("alloc_space", "bytes")):
        out += _message(1, _number(1, text(kind)) + _number(2, text(unit)))
    values: dict[int, list[int]] = {}
    for sample in data["samples"]:
        if sample["stack"] <= 0:
            continue
        row = values.setdefault(sample["stack"], [0, 0, 0, 0])
        row[0] += 1
        row[1] += round(sample["seconds"] * 1e9)
        row[2] += round(sample["cpu_seconds"] * 1e9)
        row[3] += sample["heap_allocated"]
    for stack, row in values.items():
        out += _message(2, _packed(1, [frame + 1 for frame in reversed(frames_of(data, stack))]) + _packed(2, row))
    for number, frame in enumerate(data["frames"], 1):
        out += _message(4, _number(1, number) + _message(4, _number(1, frame["function"] + 1) + _number(2, frame["line"])))
    for number, function in enumerate(data["functions"], 1):
        name = text(function["name"])
        out += _message(5, _number(1, number) + _number(2, name) + _number(3, name) + _number(4, text(function["file"]))
                        + _number(5, function["line"]))
    period = _number(1, text("wall")) + _number(2, text("nanoseconds"))
    for value in texts:
        out += _message(6, value.encode("utf-8", "backslashreplace"))
    out += _number(10, round(data["seconds"] * 1e9)) + _message(11, period) + _number(12, round(data["interval"] * 1e9))
    return gzip.compress(bytes(out), mtime=0)


COLUMNS = ("time", "seconds", "cpu_share", "heap_live", "stack")


def as_html(data: dict[str, Any]) -> str:
    """One file that shows the profile in a browser."""
    import pathlib

    page = (pathlib.Path(__file__).parent / "report.html").read_text(encoding="utf-8")
    shown = {key: value for key, value in data.items() if key not in ("samples", "stacks")}
    shown["columns"] = {key: [round(sample[key], 6) for sample in data["samples"]] for key in COLUMNS}
    shown["stacks"] = [[each["parent"], each["frame"]] for each in data["stacks"]]
    shown["summary"] = summary_line(data)
    # Text of a script ends at its end tag, wherever that stands.
    text = json.dumps(shown, ensure_ascii=True, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return page.replace("/*DATA*/null", text)


# ---- text ----------------------------------------------------------------------------------------------------
def as_text(data: dict[str, Any]) -> str:
    """Tables for people."""
    out = [summary_line(data), ""]
    if not data["samples"]:
        out += ["No sample was taken: the program was over before the first one was due.", ""]
    heads = "self", "self %", "total %", "calls ≈", "function"
    out += _table("by function (self: without the functions that it calls)", heads, [
        (f"{row['self_seconds']:.3f} s", f"{row['self_share']:.1%}", f"{row['cumulative_share']:.1%}",
         "" if row["calls_about"] is None else f"{row['calls_about']:,}",
         row["function"] + (f" ({short(row['file'])}:{row['line']})" if row["file"] else ""))
        for row in data["by_function"][:20]])
    out += _table("by line", ("time", "%", "native", "times ≈", "line"), [
        (f"{row['seconds']:.3f} s", f"{row['share']:.1%}", f"{row['native_seconds']:.3f} s",
         "" if row["times_about"] is None else f"{row['times_about']:,}",
         f"{short(row['file'])}:{row['line']}  {row['source'][:70]}")
        for row in data["by_line"][:20]])
    out += _table("by kind of syntax node", ("time", "%", "count ≈", "mean ≈", "kind"), [
        (f"{row['seconds']:.3f} s", f"{row['share']:.1%}", "" if row["count_about"] is None else f"{row['count_about']:,}",
         "" if row["mean_microseconds_about"] is None else f"{row['mean_microseconds_about']:.3f} µs", row["kind"])
        for row in data["by_node_kind"][:15]])
    out += _table("by stage", ("time", "%", "stage"), [
        (f"{row['seconds']:.3f} s", f"{row['share']:.1%}", row["stage"]) for row in data["by_stage"]])
    if data["host_calls"]:
        out += _table("calls of the host", ("calls", "time", "median", "95 %", "most", "function"), [
            (f"{row['calls']:,}", f"{row['seconds']:.3f} s", f"{row['median_seconds'] * 1e3:.3f} ms",
             f"{row['p95_seconds'] * 1e3:.3f} ms", f"{row['most_seconds'] * 1e3:.3f} ms", row["name"])
            for row in data["host_calls"]])
    memory = data.get("memory")
    if memory:
        out += _table(f"memory: {memory['allocated_bytes']:,} bytes allocated, by line", ("bytes", "%", "line"), [
            (f"{row['bytes']:,}", f"{row['share']:.1%}", f"{short(row['file'])}:{row['line']}  {row['source'][:70]}")
            for row in memory["by_line"][:10]])
        out += _table("memory by type", ("bytes", "%", "type"), [
            (f"{row['bytes']:,}", f"{row['share']:.1%}", row["type"]) for row in memory["by_type"][:10]])
    if data["slowest_lines"]:
        out += ["the slowest lines", *(f"  {number}. {text}" for number, text in enumerate(data["slowest_lines"], 1)), ""]
    if data["hints"]:
        out += ["hints", *(f"  {hint['text']}" for hint in data["hints"]), ""]
    return "\n".join(out)


def summary_line(data: dict[str, Any]) -> str:
    """What was recorded, in one line."""
    collecting = sum(each["seconds"] for each in data["collections"])
    return (f"{counted(len(data['samples']), 'sample')}, one every {data['interval'] * 1e3:g} ms, "
            f"{data['sampled_seconds']:.3f} s of {data['guest_seconds']:.3f} s "
            f"({data['guest_cpu_seconds']:.3f} s of processor time), "
            f"{counted(len(data['collections']), 'garbage collection')} ({collecting:.3f} s)")


def counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _table(title: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    widths = [max(len(row[column]) for row in [heads, *rows]) for column in range(len(heads) - 1)]
    lines = [title]
    for row in (heads, *rows):
        lines.append("  " + "  ".join([each.rjust(width) for each, width in zip(row, widths)] + [row[-1]]))
    return [*lines, ""]
