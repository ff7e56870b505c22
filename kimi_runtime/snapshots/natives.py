"""What the snapshots know of native types, and of what every guest has: the library."""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import functools
import itertools
import types
from _collections import _tuplegetter as TupleGetter  # type: ignore[import-not-found]

from .. import _core
from ..bridge.exposed import Proxy
from ..bridge.gate import is_made
from ..library.catalog import ENTRIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLAIN_HASH = (object.__hash__, str.__hash__, int.__hash__, float.__hash__, bytes.__hash__, tuple.__hash__, frozenset.__hash__)


def is_library(name: str) -> bool:
    """Whether a module of that name is one of the library."""
    return name in ENTRIES


def library_modules(context: Any) -> dict[str, Any]:
    """The library modules that are loaded, by name: those of the guest after the shared ones."""
    from ..library import loader

    found = {name: module for name, module in loader.LIBRARY.modules.items() if name in ENTRIES}
    for modules in (context.library_side().modules, context.modules):
        found.update(
            (name, module) for name, module in modules.items() if name in ENTRIES and isinstance(module, types.ModuleType)
        )
    return found


def library_names(context: Any) -> dict[int, tuple[str, str]]:
    """Objects of library modules by id: module and name. The shortest module wins, so that the place is the public one."""
    found: dict[int, tuple[str, str]] = {}
    for name, module in sorted(library_modules(context).items(), key=lambda item: (item[0].startswith("_"), item[0])):
        for key, value in list(vars(module).items()):
            if type(value) in (str, int, float, bool, bytes, tuple, list, dict, set, frozenset, type(None), types.ModuleType):
                continue
            found.setdefault(id(value), (name, key))
    return found


def library_namespace(context: Any, namespace: dict[str, Any]) -> tuple[str, bool] | None:
    """The name of the library module whose namespace this is, and whether all guests share it."""
    name = namespace.get("__name__")
    if type(name) is not str or name not in ENTRIES:
        return None
    from ..library import loader

    for shared, modules in ((True, loader.LIBRARY.modules), (False, context.library_side().modules)):
        module = modules.get(name)
        if module is not None and vars(module) is namespace:
            return name, shared
    return None


def namespace_of_library(context: Any, name: str, shared: bool) -> tuple[dict[str, Any], Any]:
    """The same the other way, for a module that is loaded; and the builtins of its functions."""
    from ..library import loader

    module = (loader.LIBRARY.modules if shared else context.library_side().modules)[name]
    if shared:
        return vars(module), loader.LIBRARY_BUILTINS
    for each in vars(module).values():
        if _core.is_function(each) and _core.function_globals(each) is vars(module):
            return vars(module), _core.function_parts(each)[2]
    raise ValueError(f"the library module {name} has no functions")


def codes_of_library(module: Any) -> list[Any]:
    """Code objects of the functions of a library module and of its classes."""
    found = []
    pending = list(vars(module).values())
    seen = set()
    while pending:
        each = pending.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if _core.is_function(each):
            found += _core.codes_within(_core.function_parts(each)[0])
            pending.append(getattr(each, "__wrapped__", None))
        elif isinstance(each, type) and each.__module__ == module.__name__:
            pending += vars(each).values()
        elif isinstance(each, (staticmethod, classmethod)):
            pending.append(each.__func__)
        elif type(each) is property:
            pending += [each.fget, each.fset]
    return found


def library_code(context: Any, filename: str, code: Any) -> str | None:
    """The library module that a code object is of, or None."""
    if filename.startswith("<") or (context.cells and filename in context.cells):
        return None
    for name, module in library_modules(context).items():
        found = _codes.get(id(module))
        if found is None or found[0] is not module:
            found = _codes[id(module)] = module, set(codes_of_library(module))
        if code in found[1]:
            return name
    return None


_codes: dict[int, tuple[Any, set[Any]]] = {}  # of library modules, by their ids


def source_of(context: Any, filename: str, source: Any) -> str | bytes | None:
    """The text of a file of the guest."""
    cells = context.cells or {}
    if filename in cells:
        found: str | bytes = cells[filename]
        return found
    main = context.main_source
    if main is not None and main[0] == filename:
        return main[1]  # type: ignore[no-any-return]
    return source if isinstance(source, (str, bytes)) else None


def hashes_natively(key: Any) -> bool:
    """Whether the hash of a key and its comparison run no code of the guest's."""
    cls = type(key)
    if cls in (tuple, frozenset):
        return all(type(each) in (str, int, float, bool, bytes, type(None)) or hashes_natively(each) for each in key)
    for name in ("__hash__", "__eq__"):
        for base in cls.__mro__:
            found = vars(base).get(name)
            if found is not None:
                if _core.is_function(found) and _core.function_globals(found).get("__name__") not in ENTRIES:
                    return False
                break
    return True


def made_members(cls: type, contents: Any) -> frozenset[str]:
    """Names of a class's namespace that stand for its slots."""
    return frozenset(
        name
        for name, value in contents.items()
        if type(value) in (types.MemberDescriptorType, types.GetSetDescriptorType) and value.__objclass__ is cls
    )


def state_of(o: Any) -> tuple[dict[str, Any] | None, list[tuple[str, Any]]]:
    """The __dict__ of an instance, and the values of its slots."""
    slots = []
    attributes = None
    for base in type(o).__mro__:
        for name, member in vars(base).items():
            if type(member) is types.MemberDescriptorType and base.__module__ != "builtins" and not name.startswith("__"):
                try:
                    slots.append((name, member.__get__(o)))
                except AttributeError:
                    continue
        descriptor = vars(base).get("__dict__")
        if type(descriptor) is types.GetSetDescriptorType and attributes is None:
            attributes = descriptor.__get__(o)
    return attributes, slots


BASES: tuple[tuple[Any, str], ...] = (
    (list, "list"),
    (collections.OrderedDict, "odict"),
    (collections.defaultdict, "defaultdict"),
    (dict, "dict"),
    (set, "set"),
    (frozenset, "frozenset"),
    (tuple, "tuple"),
    (str, "str"),
    (bytes, "bytes"),
    (bytearray, "bytearray"),
    (int, "int"),
    (float, "float"),
    (complex, "complex"),
)


def payload_of(o: Any) -> tuple[str | None, Any]:
    """Of which builtin type an instance is, and what it holds as that; None for others."""
    cls = type(o)
    for base, kind in BASES:
        if issubclass(cls, base):
            if kind in ("odict", "defaultdict"):
                return None, None
            if kind == "dict":
                return kind, o
            if kind == "list":
                return kind, list.__iter__(o)
            if kind in ("set", "frozenset"):
                return kind, base.__iter__(o)
            if kind == "tuple":
                return kind, tuple(tuple.__iter__(o))
            if kind == "str":
                return kind, str.__str__(o)
            if kind == "bytes":
                return kind, bytes.__getitem__(o, slice(None))
            if kind == "bytearray":
                return kind, bytes(bytearray.__getitem__(o, slice(None)))
            if kind == "int":
                return kind, int.__index__(o)
            if kind == "float":
                return kind, float.__float__(o)
            return kind, complex.__complex__(o) if hasattr(complex, "__complex__") else complex(o)
    if issubclass(cls, Proxy):
        return None, None
    for base in cls.__mro__[:-1]:
        if not is_made(base):
            return None, None  # native, with contents of its own
    return "object", None


# ---- native types: how they are taken apart, and made -----------------------------------------------------
ITERATORS = {
    type(make): name
    for name, make in {
        "list iterator": iter([]),
        "tuple iterator": iter(()),
        "str iterator": iter("a\u0100"),
        "range iterator": iter(range(1)),
        "bytes iterator": iter(b""),
        "reversed list": reversed([]),
        "map": map(len, []),
        "filter": filter(None, []),
        "zip": zip(),
        "enumerate": enumerate([]),
        "str ascii iterator": iter(""),
        "bytearray iterator": iter(bytearray()),
        "reversed": reversed(()),
        "long range iterator": iter(range(1 << 70)),
    }.items()
}
DICT_ITERATORS: dict[Any, str] = {type(iter({})): "key", type(iter({}.values())): "value", type(iter({}.items())): "item"}
SET_ITERATOR: Any = type(iter(set()))
VIEWS: dict[Any, str] = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"}


def take_apart(o: Any) -> tuple[str, list[tuple[Any, str]]] | None:
    """The kind of a native object and what it is made of, each with a label; None for what has no such form."""
    cls = type(o)
    name = ITERATORS.get(cls)
    if name is not None:
        reduced = o.__reduce__()
        if name in ("map", "filter", "zip", "enumerate") and any(is_made(type(each)) for each in reduced[1]):
            return None  # to make it again the program's own __iter__ would have to run
        return f"iterator {name}", [(reduced[0].__name__, ""), (reduced[1], ""), (reduced[2] if len(reduced) > 2 else None, "")]
    if cls in DICT_ITERATORS or cls is SET_ITERATOR:
        return "iterator of items", [(list(o.__reduce__()[1][0]), "")]
    if cls in VIEWS:
        return f"view {VIEWS[cls]}", [(_mapping_of(o), "")]
    if cls is collections.deque:
        return "deque", [(list(o), ""), (o.maxlen, "")]
    if cls is collections.OrderedDict:
        return "OrderedDict", [(list(o.items()), "")]
    if cls is collections.defaultdict:
        return "defaultdict", [(o.default_factory, ".default_factory"), (list(o.items()), "")]
    if cls in (datetime.date, datetime.time, datetime.datetime, datetime.timedelta, datetime.timezone):
        parts = (o.days, o.seconds, o.microseconds) if cls is datetime.timedelta else o.__reduce__()[1]
        return f"datetime {cls.__name__}", [(each, "") for each in parts]
    if cls is decimal.Decimal:
        return "Decimal", [(str(o), "")]
    if cls is fractions.Fraction:
        return "Fraction", [(o.numerator, ""), (o.denominator, "")]
    if cls is functools.partial:
        return "partial", [(o.func, ".func"), (o.args, ".args"), (o.keywords, ".keywords")]
    if cls is types.MappingProxyType:
        return "proxy", [(o | {}, "")]
    if cls is TupleGetter:
        return "tuple getter", [(each, "") for each in o.__reduce__()[1]]
    if cls is itertools.count:
        return "count", [(each, "") for each in o.__reduce__()[1]]
    if cls.__name__ == "Pattern" and cls.__module__ == "re":
        return "pattern", [(o.pattern, ""), (int(o.flags), "")]
    return None


def _mapping_of(view: Any) -> dict[Any, Any]:
    """The dict of a view: the view's own attribute gives a proxy of it."""
    import gc

    for each in gc.get_referents(view):
        if isinstance(each, dict):
            return each
    raise TypeError("a view without a dict")


MAKERS: dict[str, Any] = {"map": map, "filter": filter, "zip": zip, "enumerate": enumerate, "iter": iter, "reversed": reversed}


def put_together(kind: str, parts: list[Any]) -> Any:
    """Makes a native object of its parts. Raises ValueError, TypeError, OverflowError for parts that do not fit."""
    if kind.startswith("iterator "):
        if kind == "iterator of items":
            return iter(list(parts[0]))
        maker, args, _ = parts
        function = MAKERS[maker]
        if function in (iter, reversed):
            if len(args) != 1 or type(args[0]) not in (list, tuple, str, range, bytes, bytearray):
                raise ValueError("an iterator of something else")
        return function(*args)
    if kind.startswith("view "):
        if not isinstance(parts[0], dict):
            raise ValueError("a view of something else")
        return {"keys": dict.keys, "values": dict.values, "items": dict.items}[kind[5:]](parts[0])
    if kind.startswith("datetime "):
        return {
            each.__name__: each
            for each in (datetime.date, datetime.time, datetime.datetime, datetime.timedelta, datetime.timezone)
        }[kind[9:]](*parts)
    if kind == "deque":
        return collections.deque(parts[0], parts[1])
    if kind == "OrderedDict":
        return collections.OrderedDict(parts[0])
    if kind == "defaultdict":
        return collections.defaultdict(parts[0], parts[1])
    if kind == "Decimal":
        return decimal.Decimal(parts[0])
    if kind == "Fraction":
        return fractions.Fraction(parts[0], parts[1])
    if kind == "partial":
        return functools.partial(parts[0], *parts[1], **parts[2])
    if kind == "proxy":
        return types.MappingProxyType(parts[0])
    if kind == "tuple getter":
        return TupleGetter(*parts)
    if kind == "count":
        return itertools.count(*parts)
    raise ValueError(f"no such kind: {kind}")


def init_abstract(cls: type) -> None:
    """What `ABCMeta.__new__` does for a class beside making it."""
    import _abc  # type: ignore[import-not-found]

    _abc._abc_init(cls)


def random_state(context: Any) -> Any:
    """The state of the guest's module random, or None when it was not imported."""
    generator = _random_of(context)
    if generator is None:
        return None
    import _random

    return tuple(_random.Random.getstate(generator)), vars(generator).get("gauss_next")


def set_random_state(context: Any, module: Any, state: Any) -> None:
    """Gives the guest's module random a state. Raises ValueError, TypeError for one that is none."""
    import _random

    generator = _random_of(context)
    numbers, gauss = state
    if generator is None or (gauss is not None and type(gauss) is not float):
        raise ValueError("a state of random that is none")
    _random.Random.setstate(generator, numbers)
    vars(generator)["gauss_next"] = gauss


def _random_of(context: Any) -> Any:
    for modules in (context.modules, context.library_side().modules):
        module = modules.get("random")
        if module is not None:
            return vars(module).get("_inst")
    return None


#: Iterators that know where in a container they are: set when that is filled.
LATER = frozenset(f"iterator {name}" for name in ITERATORS.values())


def set_place(iterator: Any, kind: str, parts: list[Any]) -> None:
    """Puts an iterator where it was. Raises ValueError, TypeError for a place that is none."""
    state = parts[2]
    if state is None:
        return
    if parts[0] == "zip":
        iterator.__setstate__(bool(state))
        return
    if parts[0] not in ("iter", "reversed") or type(state) is not int or not -1 <= state < 1 << 62:
        raise ValueError("an iterator at no place")
    iterator.__setstate__(state)


def free_lock(o: Any) -> str | None:
    """The kind of a lock of a guest that nobody holds, or None."""
    if type(o).__name__ in ("lock", "RLock", "LockType") and "unlocked" in repr(o):
        return "RLock" if type(o).__name__ == "RLock" else "LockType"
    return None
