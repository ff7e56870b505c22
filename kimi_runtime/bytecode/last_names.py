"""What the last statement of a program binds, for hosts that tell what a program without a value has left."""
from __future__ import annotations

from typing import Any

from kimi_runtime.bytecode.inspection import source_text
from kimi_runtime.syntax import nodes
from kimi_runtime.syntax.parser import parse
from kimi_runtime.syntax.source import decode_source

__all__ = ["last_names", "text_of"]


def text_of(program: Any) -> str | None:
    """The source of a program: its code, its source, or None."""
    if program is None or isinstance(program, str):
        return program
    return decode_source(program, "<program>") if isinstance(program, bytes) else source_text(program)


def last_names(program: Any) -> str | None:
    """The names that the last statement binds, as in "a, b"; None when it binds none.

    Args:
        program: which has run: code or source.
    """
    text = text_of(program)
    body = None if text is None else parse(text, "<program>", "exec", []).body
    names = bound_by(body[-1]) if body else []
    return ", ".join(names) or None


def bound_by(node: Any) -> list[str]:
    """The names of the module that a simple statement or a definition binds, in order."""
    if isinstance(node, (nodes.FunctionDef, nodes.AsyncFunctionDef, nodes.ClassDef)):
        return [node.name]
    if isinstance(node, (nodes.Import, nodes.ImportFrom)):
        return [each.asname or each.name.partition(".")[0] for each in node.names if each.name != "*"]
    if isinstance(node, nodes.Assign):
        return list(dict.fromkeys(name for target in node.targets for name in names_in(target)))
    if isinstance(node, nodes.AugAssign) or isinstance(node, nodes.AnnAssign) and node.value is not None:
        return names_in(node.target)
    if isinstance(node, nodes.TypeAlias):
        return names_in(node.name)
    return []


def names_in(target: Any) -> list[str]:
    """The names in the target of an assignment."""
    if isinstance(target, nodes.Name):
        return [target.id]
    if isinstance(target, nodes.Starred):
        return names_in(target.value)
    if isinstance(target, (nodes.Tuple, nodes.List)):
        return [name for each in target.elts for name in names_in(each)]
    return []
