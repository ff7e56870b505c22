"""The part of `pkgutil` that finds no files."""
import importlib
import re

_PATTERN = re.compile(r"(?a:(?!\d)\w+)(\.(?!\d)\w+)*(?P<colon>:(?P<object>(?!\d)\w+(\.(?!\d)\w+)*)?)?", re.UNICODE)


def resolve_name(name):
    """The object that a name such as `package.module:attribute` or `package.module.attribute` stands for."""
    match = _PATTERN.fullmatch(name)
    if match is None:
        raise ValueError(f"invalid format: {name!r}")
    if match["colon"]:
        found = importlib.import_module(name[:match.start("colon")])
        rest = match["object"].split(".") if match["object"] else []
    else:
        first, *rest = name.split(".")
        found = importlib.import_module(first)
        path = first
        while rest:
            path = f"{path}.{rest[0]}"
            try:
                found = importlib.import_module(path)
            except ImportError:
                break
            rest.pop(0)
    for each in rest:
        found = getattr(found, each)
    return found
