"""How objects of library types that are native are taken apart and put together, where their parts are values or other objects.

``parts_of`` gives a kind and parts; ``make`` gets them back, maybe altered. What it calls must run no code of the program:
constructors that iterate something refuse objects of the program's classes.
"""

from __future__ import annotations

import array
import functools
import io
import itertools
import operator
import struct
import types
import warnings
from _json import make_scanner as Scanner

from ..bridge import getters
from ..bridge.gate import is_made
from ..objects.type_params import make_type_parameter, type_parameter_parts, union_with
from ..regex.engine import make_match, match_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Parts = list[tuple[Any, str]]

#: Kinds whose parts may need the object itself; the others are made of parts that are complete.
OPEN_KINDS = frozenset({"alias", "union", "parameter", "super"})

ITERATOR_TYPES: dict[str, Any] = {
    name: getattr(itertools, name)
    for name in (
        "accumulate chain combinations combinations_with_replacement compress cycle dropwhile filterfalse groupby islice "
        "permutations product repeat starmap takewhile zip_longest"
    ).split()
}
ITERATORS = {each: name for name, each in ITERATOR_TYPES.items()}
GETTERS: dict[Any, str] = {each: each.__name__ for each in (operator.itemgetter, getters.attrgetter, getters.methodcaller)}
SCANNER_FIELDS = ("strict", "object_hook", "object_pairs_hook", "parse_float", "parse_int", "parse_constant")


def unlabelled(parts: Any) -> Parts:
    return [(each, "") for each in parts]


def parts_of(o: Any) -> tuple[str, Parts] | None:
    """The kind of an object and what it is made of, each with a label for the way to it; None for other types."""
    cls = type(o)
    if cls in ITERATORS:
        return iterator_parts(o)
    if cls in GETTERS:
        made, args = o.__reduce__()[:2]
        if type(made) is functools.partial:  # of a methodcaller with keywords
            return "getter methodcaller", unlabelled((*made.args, *args, made.keywords))
        return f"getter {GETTERS[cls]}", unlabelled((*args, {}) if cls is getters.methodcaller else args)
    if cls is types.GenericAlias:
        return "alias", [
            (getattr(o, "__unpacked__", False), ""),
            (o.__origin__, ".__origin__"),
            *((each, f".__args__[{i}]") for i, each in enumerate(o.__args__)),
        ]
    if cls is types.UnionType:
        return "union", [(each, f".__args__[{i}]") for i, each in enumerate(o.__args__)]
    if cls is super:
        return "super", [(o.__thisclass__, ".__thisclass__"), (o.__self__, ".__self__"), (o.__self__ is None, "")]
    if cls is struct.Struct:
        return "struct", [(o.format, "")]
    if cls is array.array:
        return "array", [(o.typecode, ""), (o.tolist(), "")]
    if cls is io.BytesIO or cls is io.StringIO:
        if o.closed:
            return f"{cls.__name__} closed", []
        state = o.__getstate__()
        return cls.__name__, [*unlabelled(state[:-1]), (state[-1], ".__dict__")]
    if cls is Scanner:
        return "scanner", [(getattr(o, name), f".{name}") for name in SCANNER_FIELDS]
    match = match_parts(o)
    if match is not None:
        return "match", [(match[0], ".re"), (match[1], ".string"), *unlabelled(match[2:])]
    parameter = type_parameter_parts(o)
    if parameter is not None:
        return "parameter", unlabelled(parameter)
    return None


def iterator_parts(o: Any) -> tuple[str, Parts] | None:
    """The same of an iterator of itertools; None for one over what the program would have to iterate."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # since 3.12: it is to go in 3.14
        reduced = o.__reduce__()
    name = ITERATORS.get(reduced[0])
    if name is None or any(is_made(type(each)) for each in reduced[1]):
        return None
    return f"iterator {name}", [(reduced[1], ""), (reduced[2] if len(reduced) > 2 else None, "")]


def make(kind: str, parts: list[Any]) -> Any:
    """An object of a kind, or NotImplemented for a kind that is not here.

    Raises ValueError, TypeError and others for parts that do not fit.
    """
    kind, _, which = kind.partition(" ")
    maker = MAKERS.get(kind)
    return NotImplemented if maker is None else maker(which, parts)


def make_iterator(which: str, parts: list[Any]) -> Any:
    args, state = parts
    if type(args) is not tuple or any(is_made(type(each)) for each in args):
        raise ValueError("an iterator over what the program would have to iterate")
    if which not in ITERATOR_TYPES:
        raise ValueError("an iterator of no kind")
    made = ITERATOR_TYPES[which](*args)
    if state is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            made.__setstate__(state)
    return made


def make_getter(which: str, parts: list[Any]) -> Any:
    if which == "methodcaller":
        return getters.methodcaller(*parts[:-1], **parts[-1])
    return {"itemgetter": operator.itemgetter, "attrgetter": getters.attrgetter}[which](*parts)


def make_alias(which: str, parts: list[Any]) -> Any:
    unpacked, origin, *args = parts
    made = types.GenericAlias(origin, tuple(args))
    return next(iter(made)) if unpacked else made


def make_super(which: str, parts: list[Any]) -> Any:
    cls, o, unbound = parts
    if not isinstance(cls, type):
        raise ValueError("a super object of no class")
    if unbound:
        return super(cls)
    # Of its class, or a class below it: otherwise the object would be asked for its __class__.
    if not (issubclass(type(o), cls) or isinstance(o, type) and cls in type.__dict__["__mro__"].__get__(o)):
        raise ValueError("a super object of another class")
    return super(cls, o)


def make_stream(cls: Any, which: str, parts: list[Any]) -> Any:
    made = cls()
    if which == "closed":
        made.close()
        return made
    made.__setstate__(tuple(parts))
    return made


def make_array(which: str, parts: list[Any]) -> Any:
    code, items = parts
    if type(items) is not list or not all(type(each) in (int, float, str) for each in items):
        raise ValueError("an array of something else")
    return array.array(code, items)


def make_scanner(which: str, parts: list[Any]) -> Any:
    settings: Any = types.SimpleNamespace(**dict(zip(SCANNER_FIELDS, parts, strict=True)))
    return Scanner(settings)


MAKERS: dict[str, Any] = {
    "iterator": make_iterator,
    "getter": make_getter,
    "alias": make_alias,
    "union": lambda which, parts: union_with(tuple(parts)),
    "super": make_super,
    "struct": lambda which, parts: struct.Struct(*parts),
    "array": make_array,
    "BytesIO": lambda which, parts: make_stream(io.BytesIO, which, parts),
    "StringIO": lambda which, parts: make_stream(io.StringIO, which, parts),
    "scanner": make_scanner,
    "match": lambda which, parts: make_match(*parts),
    "parameter": lambda which, parts: make_type_parameter(*parts),
}
