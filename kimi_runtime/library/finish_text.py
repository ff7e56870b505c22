"""What the host does to library modules after they ran, and modules of this group that the host makes.

C code raises some exceptions by the classes of the host's own Python modules; guests must see those same classes.
"""
from __future__ import annotations

from types import FunctionType, ModuleType

from kimi_runtime._core import host_module
from kimi_runtime.bridge.native_slots import guard_csv, guard_types
from kimi_runtime.library.methods import guard_strptime, guard_struct, guard_templates, open_to_guests
from kimi_runtime.objects.class_builder import freeze_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def fractions(module: ModuleType) -> None:
    """Makes the host's ``decimal`` take a guest's Fraction for a rational number, for comparisons."""
    host_module("numbers").Rational.register(module.Fraction)


def ipaddress(module: ModuleType) -> None:
    """Masks that were read are remembered for each guest."""
    from kimi_runtime.library.caches import GuestDict

    for name in ("_BaseV4", "_BaseV6"):
        getattr(module, name)._netmask_cache = GuestDict()


def re_constants(module: ModuleType) -> None:
    """``re.error``: C code expands templates through the host's ``re``, which raises the host's."""
    patterns = host_module("re")
    for name in ("error", "PatternError"):
        if hasattr(patterns, name):
            setattr(module, name, getattr(patterns, name))
    if type(patterns.error.__init__) is FunctionType:
        open_to_guests(patterns.error)
    guard_templates()


def re(module: ModuleType) -> None:
    """The caches of compiled patterns are not dictionaries that all guests could reach. Templates are compiled by guest code."""
    from kimi_runtime.library.caches import GuestDict
    from kimi_runtime.library.patterns import PatternCache
    from kimi_runtime.regex.engine import use_templates

    if hasattr(module, "_compile_template"):
        use_templates(module._compile_template, None)
    else:
        use_templates(module._subx, module._expand)

    module.__dict__["_cache"] = PatternCache()
    if hasattr(module, "_cache2"):
        module.__dict__["_cache2"] = GuestDict()


def json_decoder(module: ModuleType) -> None:
    """``JSONDecodeError``: the scanner in C raises the host's."""
    error = module.__dict__["JSONDecodeError"] = host_module("json").JSONDecodeError
    if type(error.__init__) is FunctionType:
        open_to_guests(error)


def io(module: ModuleType) -> None:
    """The streams of guests are text streams."""
    from kimi_runtime.objects.context import OutputStream

    module.TextIOBase.register(OutputStream)


def posix(module: ModuleType) -> None:
    """``_exit`` and what the host has beside the names without an underscore."""
    module.__dict__["_have_functions"] = list(module.__dict__["_have_functions"])


def os(module: ModuleType) -> None:
    """What needs a module that guests do not have refuses as the calls of ``posix`` do."""
    from kimi_runtime.library.loader import import_shared

    contents = module.__dict__
    deny = import_shared("posix")._deny
    for name in ("popen", "posix_spawn", "posix_spawnp", "sched_getaffinity"):
        contents[name] = deny(name)


def pyexpat(module: ModuleType) -> None:
    """``errors`` and ``model`` are modules of the host: copies."""
    pyexpat = host_module("pyexpat")
    for name in ("errors", "model"):
        host = getattr(pyexpat, name)
        copy = ModuleType(host.__name__, host.__doc__)
        for key, value in vars(host).items():
            if not key.startswith("_"):
                setattr(copy, key, dict(value) if isinstance(value, dict) else value)
        setattr(module, name, copy)


def pickle(module: ModuleType) -> None:
    """What a pickle names is imported by the guest's own ``__import__``, not by that of library code."""
    from kimi_runtime.objects.builtins import make_builtins
    from kimi_runtime.objects.context import running_context

    context = running_context()
    if context is not None and not context.privileged:
        module.__dict__["__import__"] = make_builtins(context)["__import__"]


def copyreg(module: ModuleType) -> None:
    """Each guest has a table of its own; the shared ``re`` has put its entry into the library's only."""
    from kimi_runtime.library.loader import import_shared
    from kimi_runtime.objects.context import running_context

    context = running_context()
    if context is not None and not context.privileged:
        shared = import_shared("re")
        if hasattr(shared, "_pickle"):
            module.__dict__["dispatch_table"][shared.Pattern] = shared._pickle


def struct(module: ModuleType) -> None:
    """Formats are looked up in a cache of the process."""
    guard_struct()


def datetime(module: ModuleType) -> None:
    """``strptime`` runs code of the host that keeps what it is given."""
    guard_strptime()
    guard_types([module.date, module.datetime, module.time, module.timedelta, module.timezone])


def logging_config(module: ModuleType) -> None:
    """Names in a configuration are the guest's: its own modules too, and none that only the library may import."""
    from kimi_runtime.library.guarded import configuration_names
    from kimi_runtime.library.made import make_guest_imports
    from kimi_runtime.objects.context import running_context

    guest_import = make_guest_imports(running_context()).__dict__["__import__"]
    module.__dict__["vars"] = configuration_names
    module.__dict__["__import__"] = guest_import
    module.__dict__["BaseConfigurator"].importer = staticmethod(guest_import)


def array(module: ModuleType) -> None:
    """Comparisons and iteration are native loops."""
    guard_types([module.array, type(iter(module.array("b")))])


def decimal(module: ModuleType) -> None:
    """``Decimal.as_tuple`` gives the host's named tuple."""
    decimal = host_module("decimal")
    guard_types([decimal.Decimal])
    if isinstance(vars(decimal.DecimalTuple)["_replace"], FunctionType):
        open_to_guests(decimal.DecimalTuple)


def hashlib(module: ModuleType) -> None:
    """What OpenSSL takes for the state of a hash counts for the guest that has it: several times, as it comes on top."""
    from kimi_runtime.memory.heap import charge_instances

    for name, size in (("HASH", 2048), ("HASHXOF", 2048), ("HMAC", 2048)):
        kind = module.__dict__.get(name)
        if kind is not None:
            charge_instances(kind, size)


def make_csv(context: Any) -> ModuleType:
    """``_csv`` with dialects and a field limit of its own: the module's state belongs to one module object."""
    _csv = host_module("_csv")
    spec: Any = _csv.__spec__
    module: ModuleType = host_module("importlib.util").module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("__loader__", "__spec__", "__file__"):
        if hasattr(module, name):
            delattr(module, name)
    freeze_class(vars(module)["Error"])
    guard_csv(module)
    return module
