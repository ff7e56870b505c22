"""Stub files for the type checker, from what the host hands to guests."""
from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

#: Builtin classes that annotations may name without an import.
PLAIN = {"int", "float", "str", "bytes", "bool", "complex", "list", "dict", "set", "frozenset", "tuple", "object", "bytearray"}


def make_stub(functions: Mapping[str, Any], inputs: Iterable[str] | Mapping[str, Any]) -> str:
    """The text of a ``__builtins__.pyi``.

    Args:
        functions: functions of the host by name.
        inputs: names that the program finds, or a mapping with their values, whose types the stub then has.
    """
    lines = ["from typing import Any"]
    lines += [_function(name, function) for name, function in sorted(functions.items())]
    values = inputs if isinstance(inputs, Mapping) else dict.fromkeys(inputs, inspect.Parameter.empty)
    lines += [f"{name}: {_type_of(value)}" for name, value in sorted(values.items()) if name not in functions]
    return "\n".join(lines) + "\n"


def _function(name: str, function: Any) -> str:
    """The definition of a function in a stub; with parameters of any kind when it does not tell them."""
    prefix = "async def" if inspect.iscoroutinefunction(function) else "def"
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return f"{prefix} {name}(*args: Any, **kwargs: Any) -> Any: ..."
    parts: list[str] = []
    slash = star = False
    for each in signature.parameters.values():
        if slash and each.kind is not each.POSITIONAL_ONLY:
            parts.append("/")
            slash = False
        slash = slash or each.kind is each.POSITIONAL_ONLY
        if each.kind is each.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        star = star or each.kind is each.VAR_POSITIONAL
        lead = "*" if each.kind is each.VAR_POSITIONAL else "**" if each.kind is each.VAR_KEYWORD else ""
        default = "" if each.default is each.empty else " = ..."
        parts.append(f"{lead}{each.name}: {annotation(each.annotation)}{default}")
    if slash:
        parts.append("/")
    return f"{prefix} {name}({', '.join(parts)}) -> {annotation(signature.return_annotation)}: ..."


def annotation(given: Any) -> str:
    """An annotation as the stub can have it: ``Any`` where it names what guests do not have."""
    if given is None or given is type(None):
        return "None"
    if isinstance(given, str):
        given = given.strip("\"'")     # a string of a string, where annotations are not evaluated
        words = "".join(each if each.isidentifier() or each.isalnum() else " " for each in given).split()
        plain = given.isprintable() and words and all(each in PLAIN or each in ("None", "Any") for each in words)
        return given if plain else "Any"
    if isinstance(given, type) and not hasattr(given, "__args__"):
        return given.__name__ if given.__module__ == "builtins" and given.__name__ in PLAIN else "Any"
    origin, arguments = getattr(given, "__origin__", None), getattr(given, "__args__", ())
    if isinstance(origin, type) and origin.__module__ == "builtins" and origin.__name__ in PLAIN and arguments:
        inner = ", ".join("..." if each is Ellipsis else annotation(each) for each in arguments)
        return f"{origin.__name__}[{inner}]"
    if arguments and (type(given).__name__ == "UnionType" or str(origin) == "typing.Union"):
        return " | ".join(annotation(each) for each in arguments)
    return "Any"


def _type_of(value: Any) -> str:
    """The type of an input, as far as a plain look tells."""
    if value is inspect.Parameter.empty:
        return "Any"
    if value is None:
        return "None"
    name = type(value).__name__
    if type(value).__module__ != "builtins" or name not in PLAIN:
        return "Any"
    if type(value) in (list, set, frozenset):
        return f"{name}[{_common(value)}]"
    if type(value) is dict:
        return f"dict[{_common(value)}, {_common(value.values())}]"
    return "tuple[Any, ...]" if name == "tuple" else name


def _common(values: Iterable[Any]) -> str:
    """The type that all values have; ``Any`` when there is none."""
    found = {type(each) for each in values}
    one = found.pop() if len(found) == 1 else object
    return one.__name__ if one in (int, float, str, bytes, bool) else "Any"
