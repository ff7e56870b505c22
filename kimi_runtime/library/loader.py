"""Makes library modules for guests.

A shared module runs once in the process, in a context that belongs to no guest, and is then frozen: its classes become
immutable types, its functions read-only. A guest that imports it gets a module of its own, a *view*, with a copy of the
namespace as it was after the module's code had run, so that what the guest assigns stays with it. A module that is not
shared runs in the guest, with builtins that import from the library only.
"""
from __future__ import annotations

import codecs
import gc
import importlib
import operator
import os
import sys
import types
from _thread import RLock
from encodings.aliases import aliases

from kimi_runtime import _core
from kimi_runtime.bridge.gate import copied, guard_state, keep
from kimi_runtime.bytecode.compiler import compile_tree
from kimi_runtime.bytecode.inspection import source_text
from kimi_runtime.library.catalog import ENTRIES
from kimi_runtime.library.entries import Made, Native, Own, Source
from kimi_runtime.library.made import RunningModule, listed_module
from kimi_runtime.library.methods import thaw_class
from kimi_runtime.objects.builtins import host_context, make_builtins
from kimi_runtime.objects.class_builder import freeze_class, serial_of_class
from kimi_runtime.objects.context import RunContext, begin_library, end_library, running_context
from kimi_runtime.objects.function import Cell, Function, freeze_function
from kimi_runtime.objects.imports import ModuleSpec, begin_loading, end_loading, run_module, wait_for_module
from kimi_runtime.syntax.parser import parse
from kimi_runtime.syntax.source import SourceFile, decode_source, held, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

GUEST_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guest")
HOST_FOLDER = os.path.dirname(os.__file__)

#: The context of the modules that all guests share.
LIBRARY = host_context(privileged=True)
LIBRARY_BUILTINS = make_builtins(LIBRARY)

# Types whose contents are looked through for functions and classes to freeze.
CONTAINERS = (dict, list, tuple, set, frozenset, property, staticmethod, classmethod, types.MappingProxyType, Cell)

_lock = RLock()
_depth = 0
_codes: dict[str, Any] = {}
_changes = 0
_names: dict[str, str] = {}  # of modules by the paths of their sources
_namespaces: dict[str, dict[str, Any]] = {}  # of the shared modules, after their code had run
_modules_in: dict[str, list[tuple[str, str]]] = {}  # (global, module name) for globals that are library modules
_aliases: dict[str, list[tuple[str, str]]] = {}  # (name, module name) for names that it put into sys.modules: os.path
_mutable_in: dict[str, list[str]] = {}  # globals that are lists, dicts and sets
#: Classes of other modules that a module's code sets attributes of, as (module, class).
_WRITES = {"typing": (("_collections_abc", "ByteString"),)} if sys.version_info >= (3, 12) else {}
_unfrozen: list[ModuleType] = []  # shared modules that ran since the outermost import began
_frozen: set[int] = set()


def find(context: Any, name: str) -> ModuleType | None:
    """A library module for a context of library code.

    Args:
        context: a privileged ``RunContext``: the shared library's own, or the library side of a guest.
        name: the module's dotted name; its parents are imported already.

    Returns:
        The module, which is then in the context's ``modules``; None when the catalog has none of that name.

    Raises:
        ImportError: the host does not have the module, though the catalog lists it.
        BaseException: what the module's own code raises.
    """
    guest = context.guest
    if guest is None:
        with _lock:  # another thread may be at it
            found: ModuleType | None = LIBRARY.modules.get(name)
            return found if found is not None or name not in ENTRIES else _shared(name, ENTRIES[name])
    wait_for_module(context, name)
    found = context.modules.get(name)
    if found is not None:
        return found
    entry = ENTRIES.get(name)
    if entry is None:
        return None
    begin_loading(context, name)
    try:
        if isinstance(entry, Made):
            module = entry.maker(guest)
            context.modules[name] = module
        elif entry.shared:
            module = _view(context, name, entry)
        else:
            parent = name.rpartition(".")[0]
            if parent:
                _import(context, parent)
            module = _execute(context, name, entry, make_builtins(context), guest)
        if entry.public:
            guest.offer(name, module)
    finally:
        end_loading(context, name)
    return module


def is_public(name: str) -> bool:
    """Whether guests may import a module of that name, as far as the catalog is concerned."""
    entry = ENTRIES.get(name)
    return entry is not None and entry.public


# ---- views -----------------------------------------------------------------------------------------------
def _view(context: Any, name: str, entry: Source | Own | Native) -> ModuleType:
    """A guest's own module with a copy of the namespace of a shared one."""
    if _depth or name not in _namespaces:
        with _lock:     # another thread may be at it: what it has loaded is frozen when all is
            _shared(name, entry)
    namespace = _namespaces[name]
    module = types.ModuleType(name)
    contents = module.__dict__
    contents.update(namespace)
    contents["__spec__"] = _new_spec(name, "__path__" in namespace)
    context.modules[name] = module
    for key in _mutable_in[name]:
        contents[key] = copied(contents[key])
    aliases = {alias for alias, _ in _aliases[name]}
    for key, other in _modules_in[name]:
        if other == f"{name}.{key}" or f"{name}.{key}" in aliases:
            contents[key] = _import(context, other)
        else:
            del contents[key]  # the module's own tools: guests import them by name, or may not have them
    for alias, other in _aliases[name]:
        aliased = context.modules[alias] = _import(context, other)
        context.guest.offer(alias, aliased)
    return module


def _import(context: Any, name: str) -> ModuleType:
    """A library module with its parents, for library code of a guest."""
    wait_for_module(context, name)
    found: ModuleType | None = context.modules.get(name)
    if found is not None:
        return found
    parent, _, child = name.rpartition(".")
    if parent:
        package = _import(context, parent)
        found = context.modules.get(name)  # imported by the package itself
    if found is None:
        found = find(context, name)
        if found is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if parent:
            setattr(package, child, found)
    return found


def import_shared(name: str) -> ModuleType:
    """A module of the shared library with its parents, for the host's side of other modules and of objects."""
    with _lock:  # another thread may be at it
        return _import(LIBRARY, name)


# ---- shared modules --------------------------------------------------------------------------------------
def _shared(name: str, entry: Any) -> ModuleType:
    """The one module of that name that belongs to the shared library."""
    global _depth
    module: ModuleType | None
    with _lock:
        module = LIBRARY.modules.get(name)
        if module is not None:
            return module
        parent, _, child = name.rpartition(".")
        suspended = _core.suspend_meter()  # it is for all guests, not at the cost of this one
        begin_library(LIBRARY)
        _depth += 1
        try:
            package = None
            if parent:
                package = _import(LIBRARY, parent)
                module = LIBRARY.modules.get(name)
                if module is not None:
                    return module
            if isinstance(entry, Made):
                module = entry.maker(LIBRARY)
                LIBRARY.modules[name] = module
            elif isinstance(entry, Native):
                module = _proxy(name, entry)
                LIBRARY.modules[name] = module
            else:
                written = [vars(_import(LIBRARY, other))[each] for other, each in _WRITES.get(name, ()) if other in ENTRIES]
                for each in written:
                    thaw_class(each)
                try:
                    module = _execute(LIBRARY, name, entry, LIBRARY_BUILTINS, LIBRARY)
                finally:
                    for each in written:
                        freeze_class(each)
                if not entry.shared:
                    module = LIBRARY.modules[name] = _PerGuest(name, module)
            if package is not None:
                setattr(package, child, module)
            if entry.shared:
                _unfrozen.append(module)
                _record(name, module)
            return module
        except BaseException:
            _forget(name)  # MemoryError, or the host's interrupt: the next who imports it loads it anew
            raise
        finally:
            _depth -= 1
            try:
                if not _depth:
                    _freeze_loaded()
            finally:
                if not _depth:
                    end_library()
                _core.resume_meter(suspended)


def _freeze_loaded() -> None:
    """Freezes what the outermost import has loaded: not before, for a package sets attributes of classes that its
    submodules made. Where that is broken off no guest gets what is not frozen: all of it is loaded anew when needed."""
    loaded = list(_unfrozen)
    try:
        for each in loaded:
            _invert_flags(each)
        for each in loaded:
            freeze(each)
    except BaseException:
        for each in loaded:
            _forget(each.__name__)
        raise
    finally:
        _unfrozen.clear()
        _slots.clear()  # classes that other libraries load later may get attributes until they are frozen themselves


def _forget(name: str) -> None:
    """Takes a module out of the shared library."""
    global _changes
    _changes += 1
    module = LIBRARY.modules.pop(name, None)
    _namespaces.pop(name, None)
    parent, _, child = name.rpartition(".")
    package = LIBRARY.modules.get(parent)
    if package is not None and module is not None and package.__dict__.get(child) is module:
        delattr(package, child)


def _record(name: str, module: ModuleType) -> None:
    """Notes the namespace from which views are made."""
    global _changes
    _changes += 1
    namespace = dict(module.__dict__)
    namespace.pop("__builtins__", None)
    names = {id(each): other for other, each in LIBRARY.modules.items() if other in ENTRIES}
    _modules_in[name] = [
        (key, names[id(value)])
        for key, value in namespace.items()
        if isinstance(value, types.ModuleType) and id(value) in names
    ]
    _aliases[name] = [
        (alias, names[id(each)])
        for alias, each in LIBRARY.modules.items()
        if alias.startswith(name + ".") and alias not in ENTRIES and id(each) in names
    ]
    _mutable_in[name] = [key for key, value in namespace.items() if type(value) in (dict, list, set, bytearray, tuple)]
    _namespaces[name] = namespace


def _proxy(name: str, entry: Native) -> ModuleType:
    """A module object that holds the listed names of a module of the host."""
    module = listed_module(name, importlib.import_module(entry.host or name), entry.names)
    contents = module.__dict__
    contents.update(entry.replace)
    contents["__builtins__"] = LIBRARY_BUILTINS
    contents["__package__"] = name.rpartition(".")[0]
    contents["__spec__"] = _new_spec(name, False)
    if entry.finish is not None:
        entry.finish(module)
    return module


class _PerGuest(RunningModule):
    """A module with state, for shared modules.

    So a warning of a shared module meets the filters that the guest has set. While the library is loaded, when no guest
    runs, the names are those of an instance that is the library's own.
    """

    def __init__(self, name: str, library: ModuleType) -> None:
        super().__init__(name, library.__doc__)
        self.__dict__["_library"] = library

    def __getattr__(self, name: str) -> Any:
        running = self._running()
        try:
            return getattr(running, name)
        except AttributeError:
            submodule = f"{running.__name__}.{name}"
            context = running_context()
            if context is None or context is LIBRARY or submodule not in LIBRARY.modules:
                raise
            # What shared code imported once, each guest imports when that code first asks for it.
            return _import(context.library_side(), submodule)

    def __dir__(self) -> list[str]:
        return dir(self._running())

    def _running(self) -> ModuleType:
        contents = self.__dict__
        context = running_context()
        if context is None or context is LIBRARY:
            found: ModuleType = contents["_library"]
            return found
        side = context.library_side()
        return side.modules.get(contents["__name__"]) or _import(side, contents["__name__"])


# ---- running a module's source ---------------------------------------------------------------------------
def _execute(context: Any, name: str, entry: Any, builtins: dict[str, Any], owner: Any) -> ModuleType:
    """Runs the source of a module in a context."""
    code, path, is_package = _code(name, entry)
    module: ModuleType = types.ModuleType(name)
    contents = module.__dict__
    spec = _new_spec(name, is_package)
    contents["__package__"] = spec.parent
    contents["__spec__"] = spec
    contents["__file__"] = path
    if is_package:
        contents["__path__"] = [os.path.dirname(path)]
    contents["__builtins__"] = builtins
    if entry.public and owner is not context:
        owner.offer(name, module)
    try:
        module = run_module(code, module, context.modules)
        if entry.finish is not None:
            entry.finish(module)
        if context is not LIBRARY:
            _put_tools_away(name, module, builtins)
    except BaseException:
        context.modules.pop(name, None)
        if owner.modules.get(name) is module:
            del owner.modules[name]
        raise
    return module


def _put_tools_away(name: str, module: ModuleType, builtins: dict[str, Any]) -> None:
    """Takes the modules that a guest's library module has imported out of its namespace.

    They go to the builtins that only its own code has, where that finds them, and a guest does not.
    """
    contents = module.__dict__
    for key, value in list(contents.items()):
        if isinstance(value, types.ModuleType) and value.__name__ != f"{name}.{key}":
            builtins[key] = value
            del contents[key]


def _new_spec(name: str, is_package: bool) -> ModuleSpec:
    return ModuleSpec(name, name if is_package else name.rpartition(".")[0])


def _code(name: str, entry: Source | Own) -> tuple[Any, str, bool]:
    """Code of a module, its path, and whether it is a package. Compiled once in the process."""
    found = _codes.get(name)
    if found is None:
        path, is_package = _locate(name, entry)
        source = decode_source(read_file(path), path)
        if isinstance(entry, Source) and entry.addition is not None:
            source += "\n" + decode_source(read_file(os.path.join(GUEST_FOLDER, "additions", entry.addition)), entry.addition)
        tree = parse(source, path, "exec")
        found = _codes[name] = compile_tree(tree, path, "exec", SourceFile(path)), path, is_package
    return found


def changes() -> object:
    """Becomes another value whenever modules of the shared library are loaded, or taken out."""
    return _changes


def name_of(path: str) -> str | None:
    """The name of the library module that was compiled from that path, or None."""
    if len(_names) != len(_codes):
        _names.update((known, name) for name, (_, known, _) in _codes.items())
    return _names.get(path)


def load_all() -> None:
    """Loads everything that a guest may ask for later, so that no file needs to be opened any more.

    Shared modules run, the others are compiled; sources are kept for tracebacks.
    """
    for name, entry in ENTRIES.items():
        if entry.public and entry.shared:
            try:
                import_shared(name)
            except ImportError:  # the host does not have it, as every guest will be told
                continue
    for name, entry in ENTRIES.items():
        if isinstance(entry, Native):
            try:
                importlib.import_module(entry.host or name)
            except ImportError:
                continue
        elif not isinstance(entry, Made):
            try:
                path = _code(name, entry)[1]
            except ModuleNotFoundError:
                continue
            held[path] = read_file(path)
    for name in sorted(set(aliases.values())):      # the host's codecs too, which would come into the memory of a run
        try:
            codecs.lookup(name)
        except LookupError:  # of other systems
            continue


def source_of(path: str) -> str | None:
    """The text of a library module that was compiled from that path, or None."""
    for code, known, _ in _codes.values():
        if known == path:
            text: str | None = source_text(code)
            return text
    return None


def _locate(name: str, entry: Source | Own) -> tuple[str, bool]:
    """Path of a module's source, and whether it is a package."""
    if isinstance(entry, Own):
        return os.path.join(GUEST_FOLDER, entry.file), entry.package
    base = os.path.join(HOST_FOLDER, *name.split("."))
    path = base + ".py"
    if os.path.exists(path):
        return path, False
    path = os.path.join(base, "__init__.py")
    if os.path.exists(path):
        return path, True
    raise ModuleNotFoundError(f"No module named {name!r}: this Python has no source of it at {base}.py", name=name)


# ---- freezing --------------------------------------------------------------------------------------------
def freeze(module: ModuleType) -> None:
    """Makes the functions and classes that a shared module made, wherever they hang, read-only.

    Args:
        module: a module whose code has run.
    """
    waiting: list[Any] = list(module.__dict__.values())
    while waiting:
        value = waiting.pop()
        kind = type(value)
        if id(value) in _frozen or value is LIBRARY_BUILTINS:
            continue
        if kind is Function:
            freeze_function(value)
        elif isinstance(value, type):
            if serial_of_class(value) is None and type.__getattribute__(value, "__module__") != module.__name__:
                continue
            freeze_class(value)
            guard_state(value)
        elif kind not in CONTAINERS and not _keep_instance(value, kind):
            continue
        _frozen.add(id(value))
        if isinstance(value, type):
            waiting.extend(type.__getattribute__(value, "__dict__").values())
            waiting.extend(type.__getattribute__(value, "__bases__"))  # such as the named tuple that it extends
        elif kind is Function:
            waiting.extend(each for each in gc.get_referents(value) if type(each) is not dict)
        else:
            waiting.extend(gc.get_referents(value))
        _keep.append(value)


def _invert_flags(module: ModuleType) -> None:
    """Has the members of its flag enums note their opposites, which they do when they are first asked, and cannot once frozen."""
    for value in list(module.__dict__.values()):
        if isinstance(value, type) and type.__getattribute__(value, "__module__") == module.__name__:
            members = type.__getattribute__(value, "__dict__").get("_value2member_map_")
            if members and "_flag_mask_" in type.__getattribute__(value, "__dict__"):
                for _ in range(2):  # the opposites too
                    for member in list(members.values()):
                        operator.invert(member)


def _slots_of(kind: type) -> list[str]:
    """The names of the slots of a class and its bases: asked for each object of the class, and long to find."""
    found = _slots.get(kind)
    if found is None:
        found = _slots[kind] = [name for each in kind.__mro__ for name, member in vars(each).items()
                                if type(member) is types.MemberDescriptorType]
    return found


def _keep_instance(value: Any, kind: type) -> bool:
    """Makes an object that has attributes read-only; whether it is one."""
    if isinstance(value, (types.ModuleType, RunContext)) or kind in _NOT_KEPT:
        return False
    contents = getattr(value, "__dict__", None) if kind.__dictoffset__ else None
    slots = _slots_of(kind)
    if type(contents) is not dict and not (slots and serial_of_class(kind) is not None):
        return False
    names = [name for name, each in (contents or {}).items() if type(each) in MUTABLE]
    names += [name for name in slots if type(getattr(value, name, None)) in MUTABLE]
    keep(value, names)
    return True


MUTABLE = (dict, list, set, bytearray)
_NOT_KEPT = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_slots: dict[type, list[str]] = {}  # of the kinds of objects met while what was loaded is frozen
_keep: list[Any] = []  # what was frozen stays, so that no other object gets its id

