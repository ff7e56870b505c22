"""What the snapshots know of native types, and of what every guest has: the library."""

from __future__ import annotations

import _abc  # type: ignore[import-not-found]
import _random
import datetime
import decimal
import fractions
import gc
import itertools
import os
import sys
import time
import types
import weakref
from _collections import _tuplegetter as TupleGetter  # type: ignore[import-not-found]

from .. import _core
from ..bridge.exposed import Proxy
from ..bridge.gate import is_made, read_for_guest
from ..errors import SnapshotError
from ..isolation import codec
from ..library import loader
from ..library.catalog import ENTRIES
from ..library.made import RunningModule
from ..objects.function import awaitable_parts, make_awaitable
from . import library_objects
from .codes import code_mark, library_mark
from .form import LARGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: What an import sets in a module.
NAMES_OF_IMPORT = frozenset({"__builtins__", "__loader__", "__spec__"})
#: Builtin types that a guest's classes may have as their bases, other than object, with the names by which snapshots know them.
BASES: tuple[tuple[type, str], ...] = (
    (list, "list"), (dict, "dict"), (set, "set"), (frozenset, "frozenset"), (tuple, "tuple"), (str, "str"), (bytes, "bytes"),
    (bytearray, "bytearray"), (int, "int"), (float, "float"), (complex, "complex"), (datetime.tzinfo, "tzinfo"),
    (_random.Random, "Random"),
)
PAYLOADS = (object, *(base for base, _ in BASES))       # by their numbers in snapshots
BASE_NAMES = ("object", *(name for _, name in BASES))
BASE_NUMBERS = {name: number for number, name in enumerate(BASE_NAMES)}


def is_library(name: Any) -> bool:
    """Whether a module of that name is one of the library. What a class says of its module may be anything."""
    return type(name) is str and name in ENTRIES


def is_per_guest(module: Any) -> bool:
    """Whether a module of the shared library stands for one that each guest has for itself."""
    return isinstance(module, RunningModule)


def shared_contents(module: Any) -> dict[str, Any]:
    """The names of a module of the shared library. Of one that each guest has for itself, those that shared functions see."""
    contents: dict[str, Any] = vars(module)
    if is_per_guest(module) and "_library" in contents:
        contents = vars(contents["_library"])
    return contents


def library_names(context: Any) -> tuple[dict[int, tuple[str, str]], dict[int, tuple[str, str]]]:
    """Objects of library modules by id: module and name. Those of the modules that all guests share, then those of the modules
    that this guest has to itself. What the guest has put into a module is none of them."""
    global _shared_names
    if _shared_names[0] != loader.changes():
        _shared_names = loader.changes(), names_of_modules(
            {name: vars(module) for name, module in loader.LIBRARY.modules.items() if name in ENTRIES})
    own = {}
    for modules in (context.library_side().modules, context.modules):
        for name, module in modules.items():
            entry = ENTRIES.get(name)
            if entry is not None and not entry.shared and isinstance(module, types.ModuleType):
                own[name] = vars(module)
    return _shared_names[1], names_of_modules(own)


_shared_names: tuple[Any, dict[int, tuple[str, str]]] = (None, {})


def names_of_modules(namespaces: dict[str, dict[str, Any]]) -> dict[int, tuple[str, str]]:
    """The same of some modules. Of several places the last one of the loop holds."""
    found: dict[int, tuple[str, str]] = {}
    for name in sorted(namespaces, key=lambda name: (not name.startswith("_"), name), reverse=True):
        found.update(names_of_module(name, namespaces[name]))
    return found


def names_of_module(name: str, contents: dict[str, Any]) -> dict[int, tuple[str, str]]:
    """The same of one module."""
    return {id(value): (name, key) for key, value in reversed(contents.items()) if type(value) not in PLAIN}


PLAIN = frozenset(
    {str, int, float, bool, bytes, tuple, list, dict, set, frozenset, type(None), types.ModuleType, complex, type(...)}
)


def library_namespace(context: Any, namespace: dict[str, Any]) -> tuple[str, bool] | None:
    """The name of the library module whose namespace this is, and whether all guests share it."""
    name = namespace.get("__name__")
    if type(name) is not str or name not in ENTRIES:
        return None
    places = (True, loader.LIBRARY.modules), (False, context.library_side().modules)
    for shared, modules in places:
        module = modules.get(name)
        if module is not None and (shared_contents(module) if shared else vars(module)) is namespace:
            # What shared modules took from one with state goes on with the guest's own: no dump leads to the state of others.
            return name, shared and not is_per_guest(module)
    for shared, modules in places:  # some say another name of themselves
        for key, module in modules.items():
            if type(module) is types.ModuleType and key in ENTRIES:
                if (shared_contents(module) if shared else vars(module)) is namespace:
                    return key, shared and not is_per_guest(module)
    return None


def namespace_of_library(context: Any, name: str, shared: bool) -> tuple[dict[str, Any], Any]:
    """The same the other way, for a module that is loaded; and the builtins of its functions."""
    module = (loader.LIBRARY.modules if shared else context.library_side().modules)[name]
    if shared:
        if is_per_guest(module):
            raise ValueError(f"the library module {name} is no shared one")
        return vars(module), loader.LIBRARY_BUILTINS
    for owner in (module, *(each for each in vars(module).values() if isinstance(each, type))):
        for each in vars(owner).values():
            if _core.is_function(each) and _core.function_globals(each) is vars(module):
                return vars(module), _core.function_parts(each)[2]
    raise ValueError(f"the library module {name} has no functions")


def codes_of_library(module: Any) -> list[Any]:
    """Code objects of the functions of a library module and of its classes."""
    found = []
    pending = list(shared_contents(module).values())
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


class LibraryCodes:
    """The code objects of a library module, and what snapshots know them by.

    Attributes:
        codes: by their keys: the mark (see ``library_mark``), and which one of those with the same, in the order of their
            file. An edit of other parts of the file changes neither.
        keys: by the ids of the code objects.
    """

    def __init__(self, module: Any) -> None:
        self.found = codes_of_library(module)
        self.codes: dict[tuple[int, int], Any] = {}
        self.keys: dict[int, tuple[int, int]] = {}
        counts: dict[int, int] = {}
        for code in sorted(self.found, key=lambda code: code.co_firstlineno):
            if id(code) not in self.keys:
                mark = library_mark(code)
                key = self.keys[id(code)] = mark, counts.get(mark, 0)
                counts[mark] = key[1] + 1
                self.codes[key] = code

    def by_lines(self) -> dict[tuple[int, int], Any]:
        """The code objects as snapshots up to version 3 of the format know them: by their lines too."""
        return {code_mark(each): each for each in self.found}


def library_code(context: Any, filename: str, code: Any) -> tuple[str, tuple[int, int]] | None:
    """The library module that a code object is of, and its key; or None."""
    if filename.startswith("<") or (context.cells and filename in context.cells):
        return None
    name = loader.name_of(filename)
    if name is None:
        return None
    module = loader.LIBRARY.modules.get(name) or context.library_side().modules.get(name)
    key = None if module is None else library_codes(name, module).keys.get(id(code))
    return None if key is None else (name, key)


def library_codes(name: str, module: Any) -> LibraryCodes:
    """The codes of a library module. module: that of a guest, where it is no shared one."""
    shared = loader.LIBRARY.modules.get(name)
    if shared is None:
        return LibraryCodes(module)
    found = _codes.get(name)
    if found is None or found[0] is not shared:
        found = _codes[name] = shared, LibraryCodes(shared)
    return found[1]


_codes: dict[str, tuple[Any, LibraryCodes]] = {}  # of modules of the shared library; those of guests must not be kept


def import_library(context: Any, name: str) -> Any:
    """A library module as the library code of a guest has it."""
    return loader._import(context.library_side(), name)


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
    if isinstance(key, weakref.ref):
        target = weakref.ref.__call__(key)  # whose hash is that of the reference
        return target is not None and hashes_natively(target)
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


def members(cls: type) -> dict[str, Any]:
    """The members of an enumeration of the library, of which some guests have a class of their own; none of other classes."""
    found = type.__dict__["__dict__"].__get__(cls).get("_member_map_")
    return found if type(found) is dict else {}


def is_member(cls: type, o: Any) -> bool:
    """Whether an instance of a class of the library is a member of an enumeration."""
    return any(each is o for each in members(cls).values())


def made_members(cls: type, contents: Any) -> frozenset[str]:
    """Names of a class's namespace that stand for its slots."""
    return frozenset(
        name
        for name, value in contents.items()
        if type(value) in (types.MemberDescriptorType, types.GetSetDescriptorType) and value.__objclass__ is cls
    )


def slots_of(cls: type, contents: Any) -> tuple[str, ...]:
    """The __slots__ of a class by what they have made."""
    members = [
        name for name, value in contents.items() if type(value) is types.MemberDescriptorType and value.__objclass__ is cls
    ]
    return (*members, *(each for each in ("__dict__", "__weakref__") if each in contents))


def slot_descriptors(cls: type) -> tuple[tuple[str, Any], ...]:
    """Names and descriptors of the slots of a class's instances."""
    return tuple(
        (name, member)
        for base in cls.__mro__
        if is_made(base)
        for name, member in vars(base).items()
        if type(member) is types.MemberDescriptorType and member.__objclass__ is base and not name.startswith("__")
    )


def set_slot(o: Any, name: str, value: Any) -> None:
    """Fills a slot of an instance. Raises ValueError when it has none of that name."""
    for base in type(o).__mro__:
        member = vars(base).get(name)
        if type(member) is types.MemberDescriptorType and is_made(base):
            member.__set__(o, value)
            return
    raise ValueError("a slot that is none")


def base_of(cls: type) -> tuple[str | None, tuple[tuple[str, Any], ...]]:
    """Of which builtin type the instances of a guest's class are, None when that is none of those above; and their slots."""
    native = next(base for base in cls.__mro__ if not is_made(base))
    for base, kind in BASES:
        if native is base:
            return kind, slot_descriptors(cls)
    for base in cls.__mro__[:-1]:
        if not is_made(base):
            return None, ()  # native, with contents of its own
    return "object", slot_descriptors(cls)


PAYLOAD: dict[str, Any] = {
    "Random": _random.Random.getstate,
    "str": str.__str__,
    "bytes": lambda o: bytes.__getitem__(o, slice(None)),
    "bytearray": lambda o: bytes(bytearray.__getitem__(o, slice(None))),
    "int": int.__index__,
    "float": float.__float__,
    "complex": complex.__complex__ if hasattr(complex, "__complex__") else complex,
}


def payload_of(o: Any, base: str) -> Any:
    """What an instance holds as a builtin type, as an object of just that type; the state of a generator of random numbers."""
    found = PAYLOAD[base](o)
    if base == "Random" or type(found) is not type(o):
        return found
    return PAYLOADS[BASE_NUMBERS[base]](found)


def needs_arguments(cls: type) -> bool:
    """Whether an exception is made of its arguments by native code that looks at them."""
    native = next(base for base in cls.__mro__ if not is_made(base))
    return native.__init__ is not BaseException.__init__ or native.__new__ is not BaseException.__new__  # type: ignore[misc]


def arguments_of(o: BaseException) -> tuple[Any, ...]:
    """What such an exception is made of again."""
    args: tuple[Any, ...] = BaseException.__dict__["args"].__get__(o)
    if isinstance(o, OSError):
        names = [OSError.__dict__[name].__get__(o) for name in ("filename", "filename2")]
        if names[1] is not None:
            return (*args, names[0], None, names[1])
        return (*args, names[0]) if names[0] is not None and len(args) == 2 else args
    if isinstance(o, BaseExceptionGroup):
        return (BaseExceptionGroup.__dict__["message"].__get__(o), BaseExceptionGroup.__dict__["exceptions"].__get__(o))
    return args


def make_exception(cls: type, args: tuple[Any, ...] | None) -> Any:
    """An exception whose other parts follow. Raises ValueError, TypeError for arguments that do not fit."""
    native: Any = next(base for base in cls.__mro__ if not is_made(base))
    if not issubclass(native, BaseException) or needs_arguments(native) != (args is not None):
        raise ValueError("an exception of another kind")
    if args is None:
        return native.__new__(cls)
    made = native.__new__(cls, *args)
    if native.__init__ is not BaseException.__init__:
        try:
            native.__init__(made, *args)
        except TypeError:
            pass  # a guest's class with another signature than the native one it derives from
    return made


def native_members(cls: type) -> dict[str, Any]:
    """Fields that an exception class in C has beside its arguments, by their names."""
    native = next(base for base in cls.__mro__ if not is_made(base))
    return {
        name: member
        for base in native.__mro__
        if base not in (BaseException, object, BaseExceptionGroup, OSError)
        for name, member in vars(base).items()
        if type(member) is types.MemberDescriptorType and not name.startswith("__")
    }


def members_of(o: BaseException) -> list[tuple[str, Any]]:
    """The fields of an exception that are set."""
    found = []
    for name, member in native_members(type(o)).items():
        try:
            value = member.__get__(o)
        except AttributeError:
            continue
        if value is not None:
            found.append((name, value))
    return found


def set_member(o: BaseException, name: Any, value: Any) -> None:
    """Sets a field of an exception. Raises ValueError, TypeError, AttributeError for what does not fit."""
    member = native_members(type(o)).get(name)
    if member is None:
        raise ValueError("a field that is none")
    member.__set__(o, value)


def native_method(owner: Any, name: str) -> Any:
    """A method in C of an object, one that guests may have. Raises ValueError, AttributeError."""
    found = None if name.startswith("__reduce") else read_for_guest(owner, name)
    if type(found) is not types.BuiltinMethodType or found.__self__ is not owner:
        raise ValueError("a method that is none")
    return found


def descriptor(owner: type, name: str) -> Any:
    """A method in C of a class, one that guests may have. Raises ValueError, AttributeError, KeyError."""
    found = vars(owner)[name]
    if type(found) not in DESCRIPTOR_TYPES or name.startswith("__reduce"):
        raise ValueError("a descriptor that is none")
    read_for_guest(owner, name)
    return found


DESCRIPTOR_TYPES = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)


class Unsaved(Exception):
    """Something cannot be saved: why."""


def saved_by_host(target: Any, savers: dict[type, Any] | None) -> tuple[str, bytes] | None:
    """Name and data of an object of the host, by its saver; None without one. Raises Unsaved: it gives nothing to be saved."""
    cls = next((cls for cls in type(target).__mro__ if cls in savers), None) if savers else None
    if savers is None or cls is None:
        return None
    try:
        return cls.__qualname__, codec.encode(savers[cls](target))
    except codec.CannotCross as error:
        raise Unsaved(f"what the saver of {cls.__qualname__} returns is or holds {error}") from None
    except Exception as error:
        raise Unsaved(f"the saver of {cls.__qualname__} has raised {type(error).__name__}: {error}") from error


def load_for_host(name: str, data: bytes, loaders: dict[str, Any] | None) -> Any:
    """The same the other way. Raises SnapshotError: there is no loader, or it fails."""
    loader = (loaders or {}).get(name)
    if loader is None:
        raise SnapshotError(f"the snapshot holds an object of the host, a {name}: give a loader for it (loaders={{{name!r}: …}})")
    try:
        return loader(codec.decode(data, LARGEST))
    except Exception as error:
        raise SnapshotError(f"the loader of {name} has raised {type(error).__name__}: {error}") from error


def why_not(o: Any) -> str:
    """Why an object cannot be saved."""
    cls = type(o)
    if isinstance(o, Proxy):
        return f"it is an object of the host, a {cls.__name__}, without a saver (savers=…)"
    if cls.__module__ in ("_io", "io"):
        return "it is an open file"
    if is_made(cls):
        return f"what a {cls.__qualname__} holds has no form outside this process"
    if cls is memoryview:
        return "what a memoryview holds has no form outside this process"
    return f"it is a {cls.__module__}.{cls.__qualname__}, which has no form outside this process"


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
STRUCTURE_TYPES: dict[str, Any] = {
    each.__name__: each for each in (type(sys.get_asyncgen_hooks()), time.struct_time, os.stat_result, os.terminal_size)
}
DATE_TYPES: dict[str, Any] = {
    each.__name__: each for each in (datetime.date, datetime.time, datetime.datetime, datetime.timedelta, datetime.timezone)
}
DATES = {each: name for name, each in DATE_TYPES.items()}
STRUCTURES = {each: name for name, each in STRUCTURE_TYPES.items()}
SIGNALS: dict[str, Any] = {each.__name__: each for each in decimal.Context().flags}
DICT_ITERATORS: dict[Any, str] = {type(iter({})): "key", type(iter({}.values())): "value", type(iter({}.items())): "item"}
SET_ITERATOR: Any = type(iter(set()))
VIEWS: dict[Any, str] = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"}


def iterator_parts(o: Any) -> tuple[str, tuple[Any, ...], Any] | None:
    """By which function an iterator is made, of what, and where it is then; None for what is no native iterator."""
    cls = type(o)
    if cls in ITERATORS:
        reduced = o.__reduce__()
        if reduced[0] in (map, filter, zip, enumerate) and any(is_made(type(each)) for each in reduced[1]):
            return None  # to make it again the program's own __iter__ would have to run
        return reduced[0].__name__, reduced[1], reduced[2] if len(reduced) > 2 else None
    if cls in DICT_ITERATORS or cls is SET_ITERATOR:
        return "iter", (list(o.__reduce__()[1][0]),), None
    return None


def take_apart(o: Any) -> tuple[str, list[tuple[Any, str]]] | None:
    """The kind of a native object and what it is made of, each with a label; None for what has no such form."""
    cls = type(o)
    if cls in VIEWS:
        return f"view {VIEWS[cls]}", [(_mapping_of(o), "")]
    if cls in DATES:
        parts = (o.days, o.seconds, o.microseconds) if cls is datetime.timedelta else o.__reduce__()[1]
        return f"datetime {DATES[cls]}", [(each, "") for each in parts]
    if cls is decimal.Decimal:
        return "Decimal", [(str(o), "")]
    if cls is types.MethodType:  # of an object of the host
        return "host method", [(o.__self__, ".__self__"), (o.__name__, "")]
    if cls in STRUCTURES:
        made, (fields, more) = o.__reduce__()
        return f"structure {STRUCTURES[made]}", [*((each, f"[{i}]") for i, each in enumerate(fields)), (more, "")]
    if cls is decimal.Context:
        signals = [
            [signal.__name__ for signal, is_set in each.items() if is_set] for each in (o.flags, o.traps)
        ]
        figures = (o.prec, o.rounding, o.Emin, o.Emax, o.capitals, o.clamp)
        return "decimal context", [(each, "") for each in (*figures, *signals)]
    awaitable = awaitable_parts(o)
    if awaitable is not None:
        kind, generator, value, state = awaitable
        return f"awaitable {kind}", [(generator, ".<generator>"), (value, ".<value>"), (state, "")]
    if cls is fractions.Fraction:
        return "Fraction", [(o.numerator, ""), (o.denominator, "")]
    if cls is types.MappingProxyType:
        return "proxy", [(o | {}, "")]
    if cls is TupleGetter:
        return "tuple getter", [(each, "") for each in o.__reduce__()[1]]
    if cls is itertools.count:
        return "count", [(each, "") for each in o.__reduce__()[1]]
    if cls.__name__ == "Pattern" and cls.__module__ == "re":
        return "pattern", [(o.pattern, ""), (int(o.flags), "")]
    if cls.__module__ == "zoneinfo" and cls.__name__ == "ZoneInfo" and is_library_class(cls) and o.key is not None:
        return "zone", [(o.key, "")]
    return library_objects.parts_of(o)


def is_library_class(cls: type) -> bool:
    """Whether a class of guests is one of the shared library's, which no guest can change."""
    return is_made(cls) and not cls.__flags__ & (1 << 9) and bool(cls.__flags__ & (1 << 8))


def _mapping_of(view: Any) -> dict[Any, Any]:
    """The dict of a view: the view's own attribute gives a proxy of it."""
    for each in gc.get_referents(view):
        if isinstance(each, dict):
            return each
    raise TypeError("a view without a dict")


MAKERS: dict[str, Any] = {"map": map, "filter": filter, "zip": zip, "enumerate": enumerate, "iter": iter, "reversed": reversed}


def make_iterator(maker: str, args: list[Any]) -> Any:
    """The same the other way. Raises ValueError, TypeError for parts that do not fit."""
    function = MAKERS[maker]
    if function in (iter, reversed):
        if len(args) != 1 or type(args[0]) not in (list, tuple, str, range, bytes, bytearray):
            raise ValueError("an iterator of something else")
    elif any(is_made(type(each)) for each in args):
        raise ValueError("an iterator over what the program would have to iterate")
    return function(*args)


def put_together(kind: str, parts: list[Any], library: Any) -> Any:
    """Makes a native object of its parts. Raises ValueError, TypeError, OverflowError for parts that do not fit."""
    if kind.startswith("view "):
        if not isinstance(parts[0], dict):
            raise ValueError("a view of something else")
        return {"keys": dict.keys, "values": dict.values, "items": dict.items}[kind[5:]](parts[0])
    if kind.startswith("datetime "):
        return DATE_TYPES[kind[9:]](*parts)
    if kind == "Decimal":
        return decimal.Decimal(parts[0])
    if kind.startswith("structure "):
        *fields, more = parts
        return STRUCTURE_TYPES[kind[10:]](fields, more)
    if kind == "decimal context":
        *figures, flags, traps = parts
        return decimal.Context(*figures, *([SIGNALS[name] for name in each] for each in (flags, traps)))
    if kind.startswith("awaitable "):
        return make_awaitable(kind[10:], *parts)
    if kind == "Fraction":
        return fractions.Fraction(parts[0], parts[1])
    if kind == "proxy":
        return types.MappingProxyType(parts[0])
    if kind == "tuple getter":
        return TupleGetter(*parts)
    if kind == "count":
        return itertools.count(*parts)
    if kind == "host method":
        found = read_for_guest(*parts) if isinstance(parts[0], Proxy) else None
        if type(found) is not types.MethodType:
            raise ValueError("a method that is none")
        return found
    if kind == "pattern":
        return vars(library("re"))["compile"](*parts)
    if kind == "zone":
        return vars(library("zoneinfo"))["ZoneInfo"](*parts)
    made = library_objects.make(kind, parts)
    if made is NotImplemented:
        raise ValueError(f"no such kind: {kind}")
    return made


def init_abstract(cls: type) -> None:
    """What `ABCMeta.__new__` does for a class beside making it."""
    _abc._abc_init(cls)


def uses_decimal(context: Any) -> bool:
    """Whether a guest has loaded the module decimal."""
    return "_decimal" in context.modules or "_decimal" in context.library_side().modules


def random_state(context: Any) -> Any:
    """The state of the guest's module random, or None when it was not imported."""
    generator = _random_of(context)
    if generator is None:
        return None
    return tuple(_random.Random.getstate(generator)), vars(generator).get("gauss_next")


def set_random_state(context: Any, module: Any, state: Any) -> None:
    """Gives the guest's module random a state. Raises ValueError, TypeError for one that is none."""
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


def set_place(iterator: Any, maker: str, state: Any) -> None:
    """Puts an iterator where it was. Raises ValueError, TypeError for a place that is none."""
    if maker == "zip":
        iterator.__setstate__(bool(state))
        return
    if maker not in ("iter", "reversed") or type(state) is not int or not -1 <= state < 1 << 62:
        raise ValueError("an iterator at no place")
    iterator.__setstate__(state)


def free_lock(o: Any) -> str | None:
    """The kind of a lock of a guest that nobody holds, or None."""
    if type(o).__name__ in ("lock", "RLock", "LockType") and "unlocked" in repr(o):
        return "RLock" if type(o).__name__ == "RLock" else "LockType"
    return None
