"""From records back to the objects of a guest. Nothing of what was saved runs: classes are made without their hooks, and filled.

An object is made in two steps: first what it cannot be without (the class of an instance, the items of a tuple), then the rest,
when all objects are there.
"""

from __future__ import annotations

import types
from abc import ABCMeta

from .. import _core
from ..bridge.gate import mark_made
from ..bytecode import storage
from ..bytecode.verifier import BytecodeError, verify
from ..errors import SnapshotError
from ..library.catalog import ENTRIES
from ..objects.class_builder import adopt_class
from . import natives
from .writer import code_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MISSING = object()
_MAKING = object()
PAYLOADS: dict[str, type] = {
    "list": list,
    "dict": dict,
    "set": set,
    "frozenset": frozenset,
    "tuple": tuple,
    "str": str,
    "bytes": bytes,
    "bytearray": bytearray,
    "int": int,
    "float": float,
    "complex": complex,
    "object": object,
}


class Reader:
    """Makes the objects of records for one guest."""

    def __init__(self, context: Any, builtins: dict[str, Any], load: Any, records: list[Any], sources: list[Any]) -> None:
        self.context = context
        self.builtins = builtins
        self.load = load
        self.records = records
        self.sources = sources
        self.codes: dict[int, dict[Any, Any]] = {}
        self.library_codes: dict[str, dict[Any, Any]] = {}
        self.root: Any = None  # the namespace of the program
        self.generators: list[Any] = []
        self.made: list[Any] = [_MISSING] * len(records)

    # ---- references --------------------------------------------------------------------------------------
    def get(self, given: Any) -> Any:
        """The object of a reference, made if it is not there yet; atoms are themselves."""
        if type(given) is not tuple:
            return given
        (number,) = given
        if type(number) is not int or not 0 <= number < len(self.records):
            raise ValueError("a reference to nothing")
        found = self.made[number]
        if found is _MISSING:
            self.made[number] = _MAKING
            found = self.made[number] = self.make(self.records[number])
        elif found is _MAKING:
            raise ValueError("objects that need each other to be made")
        return found

    def of(self, given: Any, *kinds: type) -> Any:
        """The same when it must be of a type."""
        found = self.get(given)
        if not isinstance(found, kinds):
            raise ValueError(f"a {type(found).__name__} where a {kinds[0].__name__} belongs")
        return found

    def read_all(self) -> None:
        """Makes all objects and fills them."""
        for number in range(len(self.records)):
            self.get((number,))
        later = []
        last = []
        for number, record in enumerate(self.records):
            if record[0] in ("dict", "set") or (record[0] == "instance" and record[2] in ("dict", "set")):
                later.append((number, record))  # their keys are hashed, so they must be whole
            elif record[0] == "native" and record[1] in natives.LATER:
                last.append((number, record))
            else:
                self.fill(self.made[number], record)
        for number, record in later + last:
            self.fill(self.made[number], record)

    # ---- first step --------------------------------------------------------------------------------------
    def make(self, record: Any) -> Any:
        kind = record[0]
        maker = getattr(self, "make_" + kind.replace(" ", "_"), None)
        if maker is None:
            raise ValueError(f"a record of the kind {kind!r}")
        return maker(*record[1:])

    def make_list(self, items: Any) -> Any:
        return []

    def make_nothing(self) -> Any:
        return None

    def make_lock(self, name: Any) -> Any:
        if name not in ("LockType", "RLock"):
            raise ValueError("a lock of no kind")
        return vars(self.library_module("_thread"))["RLock" if name == "RLock" else "allocate_lock"]()

    def make_dict(self, items: Any) -> Any:
        return {}

    def make_set(self, items: Any) -> Any:
        return set()

    def make_tuple(self, items: Any) -> Any:
        return tuple([self.get(each) for each in items])

    def make_frozenset(self, items: Any) -> Any:
        return frozenset([self.hashable(each) for each in items])

    def hashable(self, given: Any) -> Any:
        key = self.get(given)
        if not natives.hashes_natively(key):
            raise ValueError("a key that the program would have to hash")
        return key

    def make_bytearray(self, content: Any) -> Any:
        return bytearray(content) if type(content) is bytes else self.wrong()

    def make_range(self, start: Any, stop: Any, step: Any) -> Any:
        return range(start, stop, step)

    def make_slice(self, parts: Any) -> Any:
        return slice(*[self.get(each) for each in parts])

    def make_builtin(self, name: Any) -> Any:
        return self.builtins[name]

    def make_library(self, module: Any, name: Any) -> Any:
        return vars(self.library_module(module))[name]

    def library_module(self, name: Any) -> Any:
        """A library module as this guest has it, or as its library code does."""
        if type(name) is not str or name not in ENTRIES:
            raise ValueError(f"there is no library module {name!r}")
        from ..library import loader

        found = loader._import(self.context.library_side(), name)
        mine = self.context.modules.get(name)
        return found if mine is None else mine

    def make_module(self, name: Any) -> Any:
        if type(name) is not str or name not in ENTRIES:
            raise ValueError(f"there is no library module {name!r}")
        self.builtins["__import__"](name)
        return self.context.modules[name]

    def make_source_module(self, name: Any, contents: Any) -> Any:
        module = types.ModuleType(name)
        self.context.modules[name] = module
        return module

    def make_host_function(self, name: Any) -> Any:
        functions = self.context.functions or {}
        if name not in functions:
            raise SnapshotError(f"the snapshot uses the host function {name!r}: give it to the runtime (functions=...)")
        return functions[name]

    def make_method(self, function: Any, owner: Any) -> Any:
        return types.MethodType(self.get(function), self.get(owner))

    def make_native_method(self, owner: Any, name: Any) -> Any:
        owner = self.get(owner)
        found = None if name.startswith("__reduce") else getattr(owner, name)
        if type(found) is not types.BuiltinMethodType or found.__self__ is not owner:
            raise ValueError("a method that is none")
        return found

    def make_descriptor(self, owner: Any, name: Any) -> Any:
        found = vars(self.of(owner, type))[name]
        if type(found) not in (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType):
            raise ValueError("a descriptor that is none")
        return found

    def make_property(self, parts: Any) -> Any:
        return property(*[self.get(each) for each in parts])

    def make_staticmethod(self, function: Any) -> Any:
        return staticmethod(self.get(function))

    def make_classmethod(self, function: Any) -> Any:
        return classmethod(self.get(function))

    def make_code(self, number: Any, *mark: Any) -> Any:
        found = self.codes.get(number)
        if found is None:
            text, filename = self.sources[number]
            found = self.codes[number] = {code_mark(each): each for each in _core.codes_within(self.load(text, filename))}
        code = found.get(tuple(mark))
        if code is None:
            raise SnapshotError(f"{mark[0]} in {self.sources[number][1]} is compiled differently by this version of kimi_runtime")
        return code

    def make_stored_code(self, form: Any, content: Any) -> Any:
        if form != storage.FORMAT:
            raise SnapshotError("the snapshot has code that library modules have compiled: only the same build can load it")
        code = storage.load(content)
        for each in _core.codes_within(code):
            try:
                verify(each)
            except BytecodeError as error:
                raise ValueError(str(error)) from None
        return code

    def make_library_code(self, module: Any, *mark: Any) -> Any:
        found = self.library_codes.get(module)
        if found is None:
            found = {code_mark(each): each for each in natives.codes_of_library(self.library_module(module))}
            self.library_codes[module] = found
        code = found.get(tuple(mark))
        if code is None:
            raise SnapshotError(f"{mark[0]} of the library module {module} is another one in this version of Python")
        return code

    def make_function(self, code: Any, namespace: Any, closure: Any, rest: Any) -> Any:
        if namespace[0] == "library":
            self.library_module(namespace[1])
            names, builtins = natives.namespace_of_library(self.context, namespace[1], bool(namespace[2]))
        else:
            names, builtins = self.of(namespace, dict), self.builtins
        return _core.make_function_shell(self.get(code), names, builtins, self.get(closure))

    def make_cell(self, full: Any, value: Any) -> Any:
        return _core.empty_cell()

    def make_generator(self, function: Any, code: Any, *rest: Any) -> Any:
        return _core.make_generator_shell(self.get(function), self.get(code))

    def make_ended_generator(self, kind: Any, name: Any, qualname: Any, function: Any, code: Any) -> Any:
        return _core.make_generator_shell(self.get(function), self.get(code))

    def make_class(self, meta: Any, name: Any, qualname: Any, module: Any, bases: Any, slots: Any, doc: Any, items: Any) -> Any:
        meta = self.of(meta, type)
        if not issubclass(meta, type):
            raise ValueError("a metaclass that is none")
        contents = {"__module__": self.get(module), "__qualname__": qualname, "__doc__": self.get(doc)}
        slots = self.get(slots)
        if slots is not None:
            contents["__slots__"] = slots
        cls = type.__new__(meta, name, self.of(bases, tuple), contents)
        if type(cls) is not meta:
            raise ValueError("a class of another metaclass")
        mark_made(cls)
        adopt_class(cls, self.context.serial)
        if isinstance(cls, ABCMeta):
            natives.init_abstract(cls)
        return cls

    def make_instance(self, cls: Any, kind: Any, contents: Any, state: Any) -> Any:
        cls = self.of(cls, type)
        base: Any = PAYLOADS[kind]
        if kind in ("object", "list", "dict", "set"):
            return base.__new__(cls)
        if kind == "frozenset":
            return frozenset.__new__(cls, [self.hashable(each) for each in contents])
        payload = self.get(contents)
        if kind == "bytearray":
            made = bytearray.__new__(cls)
            bytearray.__init__(made, payload)
            return made
        if type(payload) is not base:
            raise ValueError("an instance that holds something else")
        return base.__new__(cls, payload)

    def make_exception(self, cls: Any, args: Any, *rest: Any) -> Any:
        cls = self.of(cls, type)
        if not issubclass(cls, BaseException):
            raise ValueError("an exception that is none")
        given, args = args, self.of(args, tuple)
        for reference, value in zip(self.records[given[0]][1], args, strict=True):
            if type(value) is list:
                self.fill(value, self.records[reference[0]])  # a group looks at its exceptions
        native: Any = next(base for base in cls.__mro__ if base.__module__ == "builtins")
        made = native.__new__(cls, *args)
        if native.__init__ is not BaseException.__init__:
            try:
                native.__init__(made, *args)
            except TypeError:
                pass  # a guest's class with another signature than the native one it derives from
        BaseException.__dict__["args"].__set__(made, args)
        return made

    def make_native(self, kind: Any, parts: Any) -> Any:
        values = [self.get(each) for each in parts]
        for each, value in zip(parts, values, strict=True):
            if type(value) in (list, dict) and kind not in natives.LATER:
                self.fill(value, self.records[each[0]])  # what it is made of is copied
        if kind == "pattern":
            return vars(self.library_module("re"))["compile"](*values)
        return natives.put_together(kind, values)

    def fill_native(self, o: Any, kind: Any, parts: Any) -> None:
        if kind in natives.LATER:
            natives.set_place(o, kind, [self.get(each) for each in parts])

    def wrong(self) -> Any:
        raise ValueError("a record that does not fit its kind")

    # ---- second step -------------------------------------------------------------------------------------
    def fill(self, o: Any, record: Any) -> None:
        filler = getattr(self, "fill_" + record[0].replace(" ", "_"), None)
        if filler is not None:
            filler(o, *record[1:])

    def fill_list(self, o: Any, items: Any) -> None:
        if not o:
            o.extend([self.get(each) for each in items])

    def fill_dict(self, o: Any, items: Any) -> None:
        if not o or o is self.root:
            for i in range(0, len(items), 2):
                dict.__setitem__(o, self.hashable(items[i]), self.get(items[i + 1]))

    def fill_set(self, o: Any, items: Any) -> None:
        for each in items:
            set.add(o, self.hashable(each))

    def fill_source_module(self, o: Any, name: Any, contents: Any) -> None:
        vars(o).update(self.of(contents, dict))

    def fill_function(self, o: Any, code: Any, namespace: Any, closure: Any, rest: Any) -> None:
        _core.fill_function(o, *[self.get(each) for each in rest])

    def fill_cell(self, o: Any, full: Any, value: Any) -> None:
        if full:
            o.cell_contents = self.get(value)

    def fill_generator(
        self,
        o: Any,
        function: Any,
        code: Any,
        state: Any,
        place: Any,
        resume: Any,
        flags: Any,
        values: Any,
        delegates: Any,
        handled: Any,
        name: Any,
        qualname: Any,
    ) -> None:
        if state == 2:
            self.generators.append(o)
        _core.fill_generator(
            o, state, place, resume, tuple(flags), self.values(values), delegates, self.get(handled), name, qualname
        )

    def fill_ended_generator(self, o: Any, kind: Any, name: Any, qualname: Any, function: Any, code: Any) -> None:
        _core.fill_generator(o, 3, 0, 0, (0, 0, 0, 0), [], False, None, name, qualname)

    def values(self, values: Any) -> list[Any]:
        return [each if i % 2 == 0 else self.get(each) for i, each in enumerate(values)]

    def fill_class(
        self, o: Any, meta: Any, name: Any, qualname: Any, module: Any, bases: Any, slots: Any, doc: Any, items: Any
    ) -> None:
        for i in range(0, len(items), 2):
            if type(items[i]) is not str:
                raise ValueError("a class with a name that is none")
            if items[i] == "__abstractmethods__":
                o.__abstractmethods__ = self.get(items[i + 1])
            else:
                type.__setattr__(o, items[i], self.get(items[i + 1]))

    def fill_state(self, o: Any, state: Any) -> None:
        attributes, slots = state
        if attributes is not None:
            found = natives.state_of(o)[0]
            if found is None:
                raise ValueError("attributes of what has none")
            given = self.of(attributes, dict)
            (number,) = attributes
            if not given:
                self.fill_dict(given, self.records[number][1])
            found.update(given)
        for i in range(0, len(slots), 2):
            object.__setattr__(o, slots[i], self.get(slots[i + 1]))

    def fill_instance(self, o: Any, cls: Any, kind: Any, contents: Any, state: Any) -> None:
        if kind == "list":
            list.extend(o, [self.get(each) for each in contents])
        elif kind == "dict":
            for i in range(0, len(contents), 2):
                dict.__setitem__(o, self.hashable(contents[i]), self.get(contents[i + 1]))
        elif kind == "set":
            for each in contents:
                set.add(o, self.hashable(each))
        self.fill_state(o, state)

    def fill_exception(self, o: Any, cls: Any, args: Any, state: Any, cause: Any, context: Any, suppress: Any) -> None:
        self.fill_state(o, state)
        for name, given in (("__cause__", cause), ("__context__", context)):
            value = self.get(given)
            if value is not None:
                BaseException.__dict__[name].__set__(o, value)
        BaseException.__dict__["__suppress_context__"].__set__(o, bool(suppress))
