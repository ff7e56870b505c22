"""The commands of the interactive prompt that are no Python: ``?name``, ``%time`` and so on."""
from __future__ import annotations

import re
import sys
from time import perf_counter, process_time

from .. import engine
from . import runner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .repl import Prompt

__all__ = ["is_command", "perform"]

NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
HELP = """\
?name, name?      what a name stands for
%time STATEMENT   run a statement and tell how long it took
%who              the names that were set
%reset            forget all names
%limits           what programs may use
%help             this list
"""


def is_command(line: str) -> bool:
    """Whether a line is a command. No statement of Python begins with % or ?, or is a name with a question mark."""
    text = line.strip()
    return text.startswith(("%", "?")) or text.endswith("?") and NAME.fullmatch(text.rstrip("?")) is not None


def perform(prompt: Prompt, text: str) -> int | None:
    """Does what a command says.

    Returns:
        None to go on, or the exit status that the guest asked for.
    """
    if not text.startswith("%"):
        _write(describe(prompt.namespace, text.strip("? ")))
        return None
    name, _, rest = text[1:].partition(" ")
    if name == "time" and rest.strip():
        wall, cpu = perf_counter(), process_time()
        status = prompt.run(rest.strip())
        _write(f"CPU time: {_seconds(process_time() - cpu)}, wall time: {_seconds(perf_counter() - wall)}\n")
        return status
    if name == "who":
        names = [each for each in prompt.namespace if not each.startswith("_")]
        _write(("  ".join(names) if names else "no names are set") + "\n")
    elif name == "reset":
        prompt.context = runner.new_context([""])
        prompt.namespace = runner.new_namespace(prompt.context)
    elif name == "limits":
        _write("programs run without limits; Ctrl-C stops one\n")
    elif name == "help":
        _write(HELP)
    else:
        sys.stderr.write(f"no such command: %{name}; %help tells which there are\n")
    return None


def describe(namespace: dict[str, Any], name: str) -> str:
    """What there is to know of a name: its type, signature and documentation. Runs no property of the guest's."""
    from .repl import look_up, tables_of

    if NAME.fullmatch(name) is None:
        return "write ?name, such as ?len\n"
    try:
        value = look_up(namespace, name)
    except LookupError:
        return f"{name} is not known, or known only by running something\n"
    lines = [f"{name}: {type.__getattribute__(type(value), '__name__')}"]
    if callable(value):
        signature = _signature(namespace, name)
        if signature:
            lines[0] += f"\n{name}{signature}"
    if isinstance(value, type) or not callable(value) or "__call__" in type.__getattribute__(type(value), "__dict__") \
            and type(value).__module__ not in ("builtins", "kimi_runtime.objects.function"):
        doc = next((table["__doc__"] for table in tables_of(value)[:-1] if isinstance(table.get("__doc__"), str)), None)
    else:
        doc = value.__doc__     # of a function, which has it in a slot
    if isinstance(doc, str):
        import inspect

        lines.append(inspect.cleandoc(doc))
    return "\n".join(lines) + "\n"


def _signature(namespace: dict[str, Any], name: str) -> str:
    """The signature as the guest's own ``inspect`` tells it; "" when it does not."""
    source = f"try: _k = str(__import__('inspect').signature({name}))\nexcept Exception: _k = ''"
    found = dict(namespace)
    engine.run_code(runner.compile_program(source, "<help>", "exec"), found)
    text = found.get("_k")
    return text if type(text) is str else ""


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            break
    return f"{value / size:.3g} {unit}"


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
