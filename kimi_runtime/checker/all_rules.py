"""One check: the program compiles, and then each rule looks at it."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .. import checked
from ..bytecode.compiler import compile_source
from ..objects.builtins import make_builtins
from ..objects.context import RunContext
from ..objects.imports import missing_module
from ..syntax.source import decode_source
from . import calls, flow, imports, names, stubs, type_checker
from .findings import RULES, Finding
from .program import Program

#: The warnings of the compiler that are of use to who reads findings; what a later version will refuse is one of them.
WARNINGS = ("SyntaxWarning", "DeprecationWarning")

#: What the type checker says of calls that do not fit, which the checker itself says first.
SAID_ALREADY = ("(missing-argument)", "(unknown-argument)", "(too-many-positional-arguments)", "(parameter-already-assigned)")


def check_program(
    source: str | bytes,
    context: RunContext,
    functions: Mapping[str, Any],
    inputs: Iterable[str] | Mapping[str, Any],
    filename: str,
    types: bool,
    type_timeout: float,
) -> list[Finding]:
    """Checks a program: see ``kimi_runtime.check``.

    Args:
        context: of a guest that would run it; nothing is run in it.
        functions: what the host hands over, by name.
        inputs: further names that it finds, or a mapping with their values.
    """
    checked.program(source, filename, None)
    warnings: list[tuple[str, str, int, int]] = []
    try:
        text = source if isinstance(source, str) else decode_source(source, filename)
        compile_source(text, filename, "notebook", warnings=warnings)
        builtins = make_builtins(context)
        program = Program(text, filename, {*builtins, *functions, *inputs})
    except SyntaxError as error:
        return [_of_error(error, filename)]
    except (RecursionError, MemoryError, ValueError) as error:
        return [Finding("syntax-error", f"{type(error).__name__}: {error}", filename, 1, 1, 1, 1, "error")]
    for category, message, line, column in warnings:
        if category in WARNINGS:
            place = program.column(line, column)
            severity = RULES["syntax-warning"][0]
            program.findings.append(Finding("syntax-warning", message, filename, line, place, line, place, severity))
    names.look(program)
    flow.look(program)
    calls.look(program, functions, builtins)
    imports.look(program, lambda name: missing_module(context, name))
    if types:
        known = {each.line for each in program.findings if each.rule == "wrong-arguments"}
        found = type_checker.check(text, filename, stubs.make_stub(functions, inputs), type_timeout)
        program.findings += [each for each in found if each.line not in known or not each.message.endswith(SAID_ALREADY)]
    return sorted(program.findings, key=lambda each: (each.line, each.column, each.rule))


def _of_error(error: SyntaxError, filename: str) -> Finding:
    line, column = error.lineno or 1, max(error.offset or 1, 1)
    end_line, end_column = error.end_lineno or line, error.end_offset or column
    name = type(error).__name__
    message = str(error.msg) if name == "SyntaxError" else f"{name}: {error.msg}"
    return Finding("syntax-error", message, filename, line, column, max(end_line, line), max(end_column, 1), "error")
