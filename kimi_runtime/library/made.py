"""Modules that the host makes for each guest, with only listed names.

A proxy is a module object of its own for each context, so that what one guest assigns to it changes nothing for others.
"""
from __future__ import annotations
import __future__

import math
import os
import sys
import time
import types

from kimi_runtime.bridge.native_slots import guard_module
from kimi_runtime.library.methods import guard_strptime, open_to_guests
from kimi_runtime.objects.class_builder import freeze_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

#: Names of ``time`` that neither change the process nor tell about it.
TIME_NAMES = (
    "time", "_STRUCT_TM_ITEMS", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time",
    "process_time_ns", "thread_time", "thread_time_ns", "gmtime", "localtime", "mktime", "strftime",
    "strptime", "asctime", "ctime", "get_clock_info", "struct_time", "timezone", "altzone", "daylight", "tzname",
    "CLOCK_BOOTTIME", "CLOCK_MONOTONIC", "CLOCK_MONOTONIC_RAW", "CLOCK_PROCESS_CPUTIME_ID", "CLOCK_REALTIME", "CLOCK_TAI",
    "CLOCK_THREAD_CPUTIME_ID", "clock_getres", "clock_gettime", "clock_gettime_ns")

#: Those of them that read a clock or the local time zone.
CLOCK_NAMES = (
    "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns",
    "thread_time", "thread_time_ns", "clock_gettime", "clock_gettime_ns", "gmtime", "localtime", "ctime", "asctime", "strftime",
    "mktime")

#: Names of ``sys`` that are constants of the interpreter or see only the guest's own state.
SYS_NAMES = (
    "version", "version_info", "hexversion", "api_version", "copyright", "maxsize", "maxunicode", "byteorder",
    "float_info", "float_repr_style", "int_info", "hash_info", "implementation", "platform", "flags", "thread_info",
    "exc_info", "exception", "exit", "intern", "getsizeof", "getrefcount", "getdefaultencoding",
    "getfilesystemencoding", "getfilesystemencodeerrors", "is_finalizing", "get_int_max_str_digits")


def listed_module(name: str, host: types.ModuleType, names: Iterable[str]) -> types.ModuleType:
    """A module object with the listed names of a module of the host, as far as that has them. Its classes are frozen."""
    module = types.ModuleType(name, host.__doc__)
    guard_module(host)
    for each in names:
        if hasattr(host, each):
            value = getattr(host, each)
            setattr(module, each, value)
            if isinstance(value, type):
                freeze_class(value)  # all guests and the host share it
    return module


def make_math(context: Any) -> types.ModuleType:
    """``math``: all of it is pure."""
    from kimi_runtime.bridge import large_numbers

    module = listed_module("math", math, [name for name in vars(math) if not name.startswith("_")])
    for name in ("factorial", "comb", "perm"):
        module.__dict__[name] = getattr(large_numbers, name)
    return module


class _Feature(tuple):  # type: ignore[type-arg]
    """What ``from __future__ import x`` binds: (optional release, mandatory release, compiler flag)."""

    __slots__ = ()

    @property
    def compiler_flag(self) -> int:
        """The flag for ``compile`` (doctest passes it on)."""
        flag: int = self[2]
        return flag

    def getOptionalRelease(self) -> tuple[Any, ...]:
        """The release that first knew the feature."""
        release: tuple[Any, ...] = self[0]
        return release

    def getMandatoryRelease(self) -> tuple[Any, ...] | None:
        """The release in which it is the rule; None when there is none."""
        release: tuple[Any, ...] | None = self[1]
        return release

    def __repr__(self) -> str:
        return "_Feature" + tuple.__repr__(self)


open_to_guests(_Feature)


def make_future(context: Any) -> types.ModuleType:
    """``__future__``: the compiler reads these imports itself; the names are there to be bound."""
    module = types.ModuleType("__future__", __future__.__doc__)
    for name in __future__.all_feature_names:
        feature = getattr(__future__, name)
        setattr(module, name, _Feature((feature.optional, feature.mandatory, feature.compiler_flag)))
    module.__dict__["all_feature_names"] = list(__future__.all_feature_names)
    return module


def make_time(context: Any) -> types.ModuleType:
    """``time`` without what sets the clock."""
    guard_strptime()
    from kimi_runtime.library.threads import sleep

    module = listed_module("time", time, TIME_NAMES)
    module.__dict__["sleep"] = sleep
    if context.privileged or context.policy is not None:
        from kimi_runtime.library import times  # type: ignore[attr-defined]

        for each in CLOCK_NAMES:
            if each in module.__dict__:
                module.__dict__[each] = getattr(times, each)
        zone = None if context.policy is None else context.policy.zone
        if zone is not None:
            module.__dict__.update(times.constants(zone))
    return module


def _environment(context: Any) -> dict[bytes, bytes]:
    """The environment variables that the host gives to a guest, as ``guest/os.py`` keeps them."""
    given = {} if context.policy is None else context.policy.environment
    return {os.fsencode(name): os.fsencode(value) for name, value in given.items()}


def make_sys(context: Any) -> types.ModuleType:
    """``sys`` of the guest: its own streams, arguments and modules, and constants of the host."""
    from kimi_runtime.library.catalog import SAFE
    from kimi_runtime.objects import async_state
    from kimi_runtime.objects.builtins import audit, breakpointhook, display, getrecursionlimit, setrecursionlimit
    from kimi_runtime.objects.context import excepthook, unraisablehook
    from kimi_runtime.objects.frames import _getframe, getprofile, gettrace, setprofile, settrace

    shared = context.privileged
    module = LibrarySys("sys", sys.__doc__) if shared else types.ModuleType("sys", sys.__doc__)
    contents = module.__dict__
    for name in SYS_NAMES:
        if hasattr(sys, name):
            contents[name] = getattr(sys, name)
    contents["implementation"] = types.SimpleNamespace(**vars(sys.implementation))  # the host's can be changed
    contents.update({
        "executable": "", "prefix": "", "exec_prefix": "", "base_prefix": "", "base_exec_prefix": "",
        "dont_write_bytecode": True, "audit": audit, "_getframe": _getframe, "gettrace": gettrace, "settrace": settrace,
        "getprofile": getprofile, "setprofile": setprofile, "getrecursionlimit": getrecursionlimit,
        "setrecursionlimit": setrecursionlimit, "builtin_module_names": ("builtins", "sys"),
        "stdlib_module_names": SAFE})
    for name in ("set_asyncgen_hooks", "get_asyncgen_hooks", "set_coroutine_origin_tracking_depth",
                 "get_coroutine_origin_tracking_depth"):
        contents[name] = getattr(async_state, name)
    if shared:
        contents["builtin_module_names"] = ("builtins", "posix", "sys")  # what library code looks for
        del contents["exit"]  # a guest's may be another, for tests of programs that exit
        return module
    contents.update({
        "argv": list(context.argv), "path": [], "modules": context.modules, "warnoptions": [], "meta_path": [],
        "path_hooks": [], "orig_argv": [], "stdin": context.stdin, "__stdin__": context.stdin,
        "stdout": context.stdout, "stderr": context.stderr, "__stdout__": context.stdout,
        "__stderr__": context.stderr, "_environ": _environment(context), "displayhook": display, "__displayhook__": display,
        "unraisablehook": unraisablehook, "__unraisablehook__": unraisablehook,
        "excepthook": excepthook, "__excepthook__": excepthook,
        "breakpointhook": breakpointhook, "__breakpointhook__": breakpointhook})
    context.modules["sys"] = module
    context.set_sys(module)
    return module


class RunningModule(types.ModuleType):
    """What modules that all guests share hold of a module that each guest has for itself: its names are those of ``_running``."""

    def _running(self) -> Any:
        """The module of the running guest, or what stands for it when none runs."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        return getattr(self._running(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._running(), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._running(), name)


class LibrarySys(RunningModule):
    """``sys`` of the modules that all guests share; it holds itself what is the same for all."""

    def _running(self) -> Any:
        from kimi_runtime.library.loader import LIBRARY, find
        from kimi_runtime.objects.context import running_context

        context = running_context()
        if context is None or context is LIBRARY:
            return types.SimpleNamespace(**_sys_of_no_guest(LIBRARY))
        return find(context.library_side(), "sys")


def _sys_of_no_guest(library: Any) -> dict[str, Any]:
    """What library code sees that runs for no guest: while it is imported, or called by the host."""
    return {"argv": [""], "path": [], "modules": library.modules, "warnoptions": [], "stdin": None,
            "_environ": {}, "stdout": library.stdout, "stderr": library.stderr, "__stdout__": library.stdout,
            "__stderr__": library.stderr, "excepthook": sys.excepthook,
            "exit": sys.exit}


def make_guest_imports(context: Any) -> types.ModuleType:
    """What the guest's ``importlib`` stands on: ``__import__`` and ``sys.modules`` of the guest, and running one again."""
    from kimi_runtime.objects.builtins import make_builtins
    from kimi_runtime.objects.imports import reload_module

    module = types.ModuleType("_guest_imports")
    module.__dict__.update({"__import__": make_builtins(context)["__import__"], "modules": context.modules,
                            "reload_module": reload_module})
    return module


class Builtins(types.ModuleType):
    """``builtins`` of a guest: what is set in it, all code of the guest sees."""

    def __setattr__(self, name: str, value: Any) -> None:
        from kimi_runtime.objects.context import running_builtins

        super().__setattr__(name, value)
        running_builtins()[name] = value

    def __delattr__(self, name: str) -> None:
        from kimi_runtime.objects.context import running_builtins

        super().__delattr__(name)
        running_builtins().pop(name, None)


# What guests see of the type.
Builtins.__name__ = Builtins.__qualname__ = "module"
Builtins.__module__ = "builtins"
freeze_class(Builtins)


def make_builtins(context: Any) -> types.ModuleType:
    """``builtins``: the guest's own; the library's for modules that guests share, whichever guest's import loads them."""
    from kimi_runtime.library import loader
    from kimi_runtime.objects.context import running_builtins

    module = Builtins("builtins")
    contents = module.__dict__
    if context is loader.LIBRARY:
        contents.update(loader.LIBRARY_BUILTINS)
        del contents["__import__"]  # code that runs with it counts as the library; namespaces of the library may be seen
    else:
        contents.update(running_builtins())
    return module
