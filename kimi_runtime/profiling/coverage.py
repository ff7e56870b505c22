"""Which lines and branches of a program were executed, and the reports of that."""
from __future__ import annotations

from .. import _core
from ..bytecode.inspection import describe, instructions, source_text
from ..bytecode.opcodes import NO_FALL_THROUGH
from .building import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

__all__ = ["Coverage"]

#: Jumps that leave for the case in which what they look at is not so.
_NEGATED = ("JN", "JFALSE")
_LOOPS = ("FOR_LOOP", "FOR_ITER")


class Coverage:
    """Records what is executed.

        >>> from kimi_runtime.profiling.coverage import Coverage
        >>> from kimi_runtime import _core, engine
        >>> found = Coverage()
        >>> code = engine.compile_source("x = 1\\nif x > 2:\\n    x = 3\\n", "<demo>", "exec")
        >>> found.add(code)
        >>> found.run(engine.run_code, code, {"__builtins__": {}})
        >>> found.files()["<demo>"]["lines"]
        {1: True, 2: True, 3: False}
        >>> found.files()["<demo>"]["branches"][0]["missing"]
        ['true']
    """

    def __init__(self) -> None:
        self.stepper = _core.Stepper()
        self.codes: dict[Any, None] = {}

    def add(self, code: Any) -> None:
        """A program, all of whose functions count even when nothing of them is executed."""
        todo = [code]
        while todo:
            each = todo.pop()
            if each not in self.codes:
                self.codes[each] = None
                todo += [constant for constant in each.co_consts if type(constant) is type(code)]
                rest = describe(each)["continuation"]
                if rest is not None:
                    todo.append(rest)

    def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """Calls a function that runs guests in this thread. Returns and raises what it does."""
        return _core.call_stepped(self.stepper, function, *args)

    def files(self) -> dict[str, dict[str, Any]]:
        """For each file ``lines`` (line -> whether it was executed), ``branches`` (a list with line, column, outcomes that were
        seen and that are missing) and ``source``."""
        seen = self.stepper.coverage()
        for code in seen:
            if not is_library(code.co_filename):
                self.add(code)
        found: dict[str, dict[str, Any]] = {}
        for code in self.codes:
            file = found.setdefault(code.co_filename, {"lines": {}, "branches": {}, "source": ""})
            if not file["source"]:
                file["source"] = source_text(code) or ""
            flags = list(seen.get(code, ()))
            self._add_code(file, instructions(code), flags)
        for file in found.values():
            file["lines"] = dict(sorted(file["lines"].items()))
            file["branches"] = [
                {"line": place[0], "column": place[2], "seen": sorted(row["seen"]),
                 "missing": sorted(row["all"] - row["seen"]), "reached": row["reached"]}
                for place, row in sorted(file["branches"].items())]
        return found

    def _add_code(self, file: dict[str, Any], rows: list[Any], flags: list[tuple[bool, bool, bool]]) -> None:
        lines, branches = file["lines"], file["branches"]
        # What comes after an exception, or is the first that native code has a function do, is not seen by itself. But nothing
        # else leads to an instruction that no jump goes to.
        targets = {operands[-1] for _, op, operands, _ in rows if op.startswith(("J", "FOR_"))}
        for pc in range(len(flags) - 2, -1, -1):
            if flags[pc + 1][0] and not flags[pc][0] and pc + 1 not in targets and rows[pc][1] not in NO_FALL_THROUGH:
                flags[pc] = True, flags[pc][1], flags[pc][2]
        for (pc, op, operands, position), at in zip(rows, flags or [(False, False, False)] * len(rows)):
            executed, went_on, jumped = at
            line = position[0]
            if line <= 0:
                continue
            lines[line] = lines.get(line, False) or executed
            if not op.startswith(("J", "FOR_")) or op in ("JUMP", "JEND_ASYNC_FOR", "JNEXC_MATCH"):
                continue
            names = ("body", "end") if op in _LOOPS else ("false", "true") if op.startswith(_NEGATED) and op != "JNOT_NONE" \
                else ("true", "false")
            row = branches.setdefault(position, {"seen": set(), "all": set(names), "reached": False})
            row["all"] |= set(names)
            row["reached"] = row["reached"] or executed
            if jumped:
                row["seen"].add(names[0])
            if went_on:
                row["seen"].add(names[1])


def summary(files: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Numbers of lines and branches for each file and in all."""
    rows = []
    for name, file in files.items():
        outcomes = sum(len(each["seen"]) + len(each["missing"]) for each in file["branches"])
        seen = sum(len(each["seen"]) for each in file["branches"])
        rows.append({"file": name, "lines": len(file["lines"]), "lines_executed": sum(file["lines"].values()),
                     "branches": outcomes, "branches_taken": seen,
                     "missing_lines": [line for line, hit in file["lines"].items() if not hit],
                     "missing_branches": [[each["line"], each["missing"]] for each in file["branches"] if each["missing"]]})
    total = {key: sum(row[key] for row in rows) for key in ("lines", "lines_executed", "branches", "branches_taken")}
    return {"files": rows, **total, "line_rate": share(total["lines_executed"], total["lines"]),
            "branch_rate": share(total["branches_taken"], total["branches"])}


def share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def as_lcov(files: dict[str, dict[str, Any]]) -> str:
    """The tracefile format of lcov."""
    out = []
    for name, file in files.items():
        out += ["TN:", f"SF:{name}"]
        outcomes = taken = 0
        for number, each in enumerate(file["branches"]):
            for index, outcome in enumerate(sorted([*each["seen"], *each["missing"]])):
                hit = outcome in each["seen"]
                out.append(f"BRDA:{each['line']},{number},{index},{int(hit) if each['reached'] else '-'}")
                outcomes += 1
                taken += hit
        out += [f"BRF:{outcomes}", f"BRH:{taken}"]
        out += [f"DA:{line},{int(hit)}" for line, hit in file["lines"].items()]
        out += [f"LF:{len(file['lines'])}", f"LH:{sum(file['lines'].values())}", "end_of_record"]
    return "\n".join(out) + "\n"


_STYLE = """body{font:14px/1.45 system-ui,sans-serif;margin:16px;color:#1b1f24;background:#fff}table{border-collapse:collapse}
td,th{padding:3px 12px;border-bottom:1px solid #d5dae0;text-align:right}td:first-child,th:first-child{text-align:left}
pre{font:12.5px/1.5 ui-monospace,monospace;border:1px solid #d5dae0;border-radius:4px;overflow-x:auto;padding:0}
pre span{display:block;padding:0 10px}.n{color:#59636e;display:inline-block!important;width:52px;user-select:none}
.hit{background:#e6f6ea}.miss{background:#fde8e8}.part{background:#fdf3d8}
@media(prefers-color-scheme:dark){body{color:#e6e9ec;background:#14171b}.hit{background:#12331c}.miss{background:#451b1b}.part{background:#40330f}
td,th,pre{border-color:#343a42}}"""


def as_html(files: dict[str, dict[str, Any]]) -> str:
    """One page with a table of the files and their sources: green executed, red not, yellow where a branch was not taken."""
    from html import escape

    found = summary(files)
    out = ["<!doctype html><html lang=en><meta charset=utf-8><title>kimi_runtime coverage</title>",
           '<link rel="icon" href="data:,">', f"<style>{_STYLE}</style><h1>Coverage</h1>",
           "<table><tr><th>file<th>lines<th>branches</tr>"]
    for number, row in enumerate(found["files"]):
        out.append(f"<tr><td><a href='#f{number}'>{escape(row['file'])}</a><td>{row['lines_executed']} of {row['lines']} "
                   f"({share(row['lines_executed'], row['lines']):.0%})<td>{row['branches_taken']} of {row['branches']} "
                   f"({share(row['branches_taken'], row['branches']):.0%})</tr>")
    out.append("</table>")
    for number, (name, file) in enumerate(files.items()):
        partly: dict[int, list[str]] = {}
        for each in file["branches"]:
            if each["missing"] and each["reached"]:
                partly.setdefault(each["line"], []).extend(each["missing"])
        out.append(f"<h2 id='f{number}'>{escape(name)}</h2><pre>")
        for line, text in enumerate(file["source"].split("\n"), 1):
            hit = file["lines"].get(line)
            kind = "" if hit is None else "miss" if not hit else "part" if line in partly else "hit"
            title = f" title='never: {escape(', '.join(partly[line]))}'" if kind == "part" else ""
            out.append(f"<span class='{kind}'{title}><span class=n>{line}</span>{escape(text)}</span>")
        out.append("</pre>")
    return "".join(out) + "\n"


def missing_text(lines: Iterable[int]) -> str:
    """``3-5, 9`` for 3, 4, 5 and 9."""
    parts: list[list[int]] = []
    for line in lines:
        if parts and parts[-1][1] == line - 1:
            parts[-1][1] = line
        else:
            parts.append([line, line])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)
