"""From the objects of a guest to plain records.

Every object that is no atom gets a record, a list that begins with its kind; other records refer to it by ``(number,)``. So
shared references and cycles stay what they are. Objects wait in a queue: nothing here recurses.
"""

from __future__ import annotations

import hashlib
import types

from .. import _core
from ..bridge.functions import HostFunction
from ..bridge.gate import is_made
from ..bytecode import storage
from ..errors import SnapshotError
from . import natives

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ATOMS = frozenset({type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented)})
#: Entries of a class's namespace that its making brings about.
MADE_BY_TYPE = frozenset({"__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "_abc_impl"})


def code_mark(code: Any) -> tuple[str, int, str]:
    """What identifies a code object in its source: qualified name, first line and a digest."""
    qualname, line, instructions, text = _core.code_parts(code)
    return qualname, line, hashlib.blake2b(instructions + text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


class Writer:
    """Makes the records of one guest's objects."""

    def __init__(self, context: Any, builtins: dict[str, Any]) -> None:
        self.context = context
        self.records: list[Any] = []
        self.sources: list[Any] = []
        self.source_numbers: dict[Any, int] = {}
        self.numbers: dict[int, int] = {}
        self.kept: list[Any] = []  # so that no id is used twice
        self.origins: list[tuple[int, str]] = []  # of each record: number of the one that refers to it, and how
        self.queue: list[Any] = []
        self.attributes: set[int] = set()  # numbers of dicts that hold attributes
        self.builtins = {id(value): name for name, value in builtins.items()}
        self.library: Any = None
        self.root: Any = None  # the namespace of the program

    # ---- references --------------------------------------------------------------------------------------
    def refer(self, value: Any, origin: int, label: str) -> Any:
        """An atom itself, or the reference to the record of another object."""
        if type(value) in ATOMS:
            return value
        number = self.numbers.get(id(value))
        if number is None:
            number = self.numbers[id(value)] = len(self.records)
            self.records.append(None)
            self.kept.append(value)
            self.origins.append((origin, label))
            self.queue.append(number)
        return (number,)

    def finish(self) -> None:
        """Makes the records of everything that was referred to."""
        while self.queue:
            number = self.queue.pop()
            self.records[number] = self.record(self.kept[number], number)

    def path(self, number: int) -> str:
        """Where an object is, as a program would write it."""
        labels = []
        while number >= 0:
            number, label = self.origins[number]
            labels.append(label)
        return "".join(reversed(labels)).lstrip(".") or "the program"

    def fail(self, number: int, why: str) -> SnapshotError:
        return SnapshotError(f"{self.path(number)} cannot be saved: {why}")

    # ---- records -----------------------------------------------------------------------------------------
    def record(self, o: Any, n: int) -> list[Any]:
        cls = type(o)
        if o is self.root:
            return ["dict", self.namespace(o, n, ("__builtins__",))]
        writer = WRITERS.get(cls)
        if writer is not None:
            found: list[Any] = writer(self, o, n)
            return found
        if _core.is_function(o):
            return self.function(o, n)
        if _core.is_cell(o):
            full, value = _core.cell_parts(o)
            return ["cell", full, self.refer(value, n, "")]
        if _core.is_generator(o):
            return self.generator(o, n)
        if _core.is_code(o):
            return self.code(o, n)
        if isinstance(o, type):
            return self.cls(o, n)
        known = self.known(o)
        if known is not None:
            return known
        if issubclass(cls, BaseException):
            return self.exception(o, n)
        if cls is types.TracebackType:
            return ["nothing"]  # what a program prints of it later begins where it was saved
        lock = natives.free_lock(o)
        if lock is not None:
            return ["lock", lock]
        taken = natives.take_apart(o)
        if taken is not None:
            kind, parts = taken
            return ["native", kind, [self.refer(part, n, label) for part, label in parts]]
        if is_made(cls) or self.known(cls) is not None:
            return self.instance(o, n)
        raise self.fail(n, f"it is a {cls.__module__}.{cls.__qualname__}, which has no form outside this process")

    def known(self, o: Any) -> list[Any] | None:
        """The record of what every guest has: builtins, and names of library modules."""
        name = self.builtins.get(id(o))
        if name is not None:
            return ["builtin", name]
        if self.library is None:
            self.library = natives.library_names(self.context)
        found = self.library.get(id(o))
        return None if found is None else ["library", *found]

    def of_list(self, o: Any, n: int) -> list[Any]:
        return ["list", [self.refer(each, n, f"[{i}]") for i, each in enumerate(o)]]

    def of_tuple(self, o: Any, n: int) -> list[Any]:
        return ["tuple", [self.refer(each, n, f"[{i}]") for i, each in enumerate(o)]]

    def of_set(self, o: Any, n: int) -> list[Any]:
        return ["set" if type(o) is set else "frozenset", [self.key(each, n) for each in o]]

    def key(self, key: Any, n: int) -> Any:
        if type(key) not in ATOMS and not natives.hashes_natively(key):
            raise self.fail(
                n,
                f"a key of it, a {type(key).__qualname__}, has a __hash__ or __eq__ of the program's, which would "
                "have to run when it is loaded",
            )
        return self.refer(key, n, ".<key>")

    def of_dict(self, o: Any, n: int) -> list[Any]:
        if n in self.attributes:
            return ["dict", self.namespace(o, n)]
        items: list[Any] = []
        for key, value in dict.items(o):
            items.append(self.key(key, n))
            items.append(self.refer(value, n, f"[{key!r}]" if type(key) in (str, int) else "[...]"))
        return ["dict", items]

    def namespace(self, o: Any, n: int, skip: Any = ()) -> list[Any]:
        """The items of a dict of names."""
        items: list[Any] = []
        for key, value in o.items() if type(o) is types.MappingProxyType else dict.items(o):
            if key not in skip:
                items.append(self.key(key, n))
                items.append(self.refer(value, n, f".{key}"))
        return items

    def of_bytearray(self, o: Any, n: int) -> list[Any]:
        return ["bytearray", bytes(o)]

    def of_range(self, o: Any, n: int) -> list[Any]:
        return ["range", o.start, o.stop, o.step]

    def of_slice(self, o: Any, n: int) -> list[Any]:
        return ["slice", [self.refer(each, n, ".slice") for each in (o.start, o.stop, o.step)]]

    def of_module(self, o: Any, n: int) -> list[Any]:
        for name, module in self.context.modules.items():
            if module is o:
                if natives.is_library(name):
                    return ["module", name]
                return ["source module", name, self.refer(vars(o), n, "")]
        known = self.known(o)
        if known is None:
            raise self.fail(n, "it is a module of the host")
        return known

    def host_function(self, o: Any, n: int) -> list[Any]:
        functions = self.context.functions or {}
        for name, function in functions.items():
            if function is o:
                return ["host function", name]
        known = self.known(o)
        if known is None:
            raise self.fail(n, f"it is the host function {o.__name__}, which is not among the runtime's functions")
        return known

    def bound(self, o: Any, n: int) -> list[Any]:
        return ["method", self.refer(o.__func__, n, ".__func__"), self.refer(o.__self__, n, ".__self__")]

    def builtin(self, o: Any, n: int) -> list[Any]:
        known = self.known(o)
        if known is not None:
            return known
        owner = o.__self__
        if owner is None or isinstance(owner, types.ModuleType):
            raise self.fail(n, f"it is the native function {o.__name__}")
        return ["native method", self.refer(owner, n, ".__self__"), o.__name__]

    def descriptor(self, o: Any, n: int) -> list[Any]:
        return ["descriptor", self.refer(o.__objclass__, n, ".__objclass__"), o.__name__]

    def of_property(self, o: Any, n: int) -> list[Any]:
        return [
            "property",
            [
                self.refer(each, n, label)
                for each, label in ((o.fget, ".fget"), (o.fset, ".fset"), (o.fdel, ".fdel"), (o.__doc__, ".__doc__"))
            ],
        ]

    def wrapped(self, o: Any, n: int) -> list[Any]:
        return [type(o).__name__, self.refer(o.__func__, n, ".__func__")]

    # ---- code --------------------------------------------------------------------------------------------
    def code(self, o: Any, n: int) -> list[Any]:
        source, filename = _core.code_text(o)
        mark = code_mark(o)
        module = natives.library_code(self.context, filename, o)
        if module is not None:
            return ["library code", module, *mark]
        text = natives.source_of(self.context, filename, source)
        if text is None:  # compiled by library code, as dataclasses do
            return ["stored code", storage.FORMAT, storage.dump(o)]
        number = self.source_numbers.get((text, filename))
        if number is None:
            number = self.source_numbers[text, filename] = len(self.sources)
            self.sources.append((text, filename))
        return ["code", number, *mark]

    def function(self, o: Any, n: int) -> list[Any]:
        (
            code,
            globals_,
            builtins,
            closure,
            defaults,
            kwdefaults,
            name,
            qualname,
            module,
            doc,
            annotations,
            type_params,
            attrs,
        ) = _core.function_parts(o)
        known = self.known(o)
        if known is not None:
            return known
        return [
            "function",
            self.refer(code, n, ""),
            self.of_globals(globals_, n),
            self.refer(closure, n, ".__closure__"),
            [
                self.refer(defaults, n, ".__defaults__"),
                self.refer(kwdefaults, n, ".__kwdefaults__"),
                name,
                qualname,
                self.refer(module, n, ".__module__"),
                self.refer(doc, n, ".__doc__"),
                self.refer(annotations, n, ".__annotations__"),
                self.refer(type_params, n, ".__type_params__"),
                self.refer(attrs, n, ".__dict__"),
            ],
        ]

    def of_globals(self, o: dict[str, Any], n: int) -> Any:
        """A namespace of functions: one of a library module goes by its name."""
        module = natives.library_namespace(self.context, o)
        return ("library", *module) if module is not None else self.refer(o, n, ".__globals__")

    def generator(self, o: Any, n: int) -> list[Any]:
        try:
            func, code, state, place, resume, flags, values, delegates, handled, name, qualname = _core.generator_parts(o)
        except ValueError as error:
            raise self.fail(n, str(error)) from None
        if state == 3:
            return ["ended generator", type(o).__name__, name, qualname, self.refer(func, n, ""), self.refer(code, n, "")]
        return [
            "generator",
            self.refer(func, n, ""),
            self.refer(code, n, ""),
            state,
            place,
            resume,
            flags,
            self.values(values, n, o),
            delegates,
            self.refer(handled, n, ".<handled>"),
            name,
            qualname,
        ]

    def values(self, values: list[Any], n: int, owner: Any) -> list[Any]:
        """Registers: tags and contents by turns."""
        found: list[Any] = []
        for i in range(0, len(values), 2):
            found.append(values[i])
            found.append(self.refer(values[i + 1], n, f".<register {i // 2}>"))
        return found

    # ---- classes and instances ---------------------------------------------------------------------------
    def cls(self, o: Any, n: int) -> list[Any]:
        known = self.known(o)
        if known is not None:
            return known
        if not is_made(o):
            raise self.fail(n, f"{o.__qualname__} is a class of the host")
        contents = type.__dict__["__dict__"].__get__(o)
        slots = None
        if "__slots__" in contents:  # which may be an iterator that is used up
            slots = tuple(name for name, value in contents.items() if type(value) is types.MemberDescriptorType
                          and value.__objclass__ is o) + tuple(each for each in ("__dict__", "__weakref__") if each in contents)
        skip = MADE_BY_TYPE | natives.made_members(o, contents)
        return [
            "class",
            self.refer(type(o), n, ".__class__"),
            o.__name__,
            o.__qualname__,
            self.refer(contents.get("__module__"), n, ""),
            self.refer(o.__bases__, n, ".__bases__"),
            self.refer(slots, n, ".__slots__"),
            self.refer(contents.get("__doc__"), n, ""),
            self.namespace(contents, n, skip),
        ]

    def state(self, o: Any, n: int) -> list[Any]:
        """Attributes: those of its __dict__, and names and values of its slots."""
        attributes, slots = natives.state_of(o)
        items: list[Any] = []
        for key, value in slots:
            items.append(key)
            items.append(self.refer(value, n, f".{key}"))
        if attributes is None:
            return [None, items]
        reference = self.refer(attributes, n, "")
        self.attributes.add(reference[0])
        return [reference, items]

    def instance(self, o: Any, n: int) -> list[Any]:
        base, payload = natives.payload_of(o)
        if base is None:
            raise self.fail(n, f"what a {type(o).__qualname__} holds has no form outside this process")
        kind, contents = base, None
        if kind == "list":
            contents = [self.refer(each, n, f"[{i}]") for i, each in enumerate(payload)]
        elif kind == "dict":
            contents = self.of_dict(payload, n)[1]
        elif kind in ("set", "frozenset"):
            contents = [self.key(each, n) for each in payload]
        elif kind != "object":
            contents = self.refer(payload, n, "")
        return ["instance", self.refer(type(o), n, ".__class__"), kind, contents, self.state(o, n)]

    def exception(self, o: Any, n: int) -> list[Any]:
        context = BaseException.__dict__["__context__"].__get__(o)
        cause = BaseException.__dict__["__cause__"].__get__(o)
        return [
            "exception",
            self.refer(type(o), n, ".__class__"),
            self.refer(BaseException.__dict__["args"].__get__(o), n, ".args"),
            self.state(o, n),
            self.refer(cause, n, ".__cause__"),
            self.refer(context, n, ".__context__"),
            bool(BaseException.__dict__["__suppress_context__"].__get__(o)),
        ]


WRITERS: dict[type, Any] = {
    list: Writer.of_list,
    tuple: Writer.of_tuple,
    set: Writer.of_set,
    frozenset: Writer.of_set,
    dict: Writer.of_dict,
    bytearray: Writer.of_bytearray,
    range: Writer.of_range,
    slice: Writer.of_slice,
    types.ModuleType: Writer.of_module,
    HostFunction: Writer.host_function,
    types.MethodType: Writer.bound,
    types.BuiltinMethodType: Writer.builtin,
    types.MethodDescriptorType: Writer.descriptor,
    types.WrapperDescriptorType: Writer.descriptor,
    types.ClassMethodDescriptorType: Writer.descriptor,
    property: Writer.of_property,
    staticmethod: Writer.wrapped,
    classmethod: Writer.wrapped,
}
