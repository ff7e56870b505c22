"""The modules that every guest may import, as proxies that hold only listed names.

A proxy is a module object of its own for each context, so that what one guest assigns to it changes nothing for others.
"""
from __future__ import annotations
import __future__

import math
import sys
import time
import types

#: Names of ``time`` that neither change the process nor tell about it.
TIME_NAMES = (
    "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time",
    "process_time_ns", "thread_time", "thread_time_ns", "sleep", "gmtime", "localtime", "mktime", "strftime",
    "strptime", "asctime", "ctime", "get_clock_info", "struct_time", "timezone", "altzone", "daylight", "tzname")

#: Names of ``sys`` that are constants of the interpreter or see only the guest's own state.
SYS_NAMES = (
    "version", "version_info", "hexversion", "api_version", "copyright", "maxsize", "maxunicode", "byteorder",
    "float_info", "float_repr_style", "int_info", "hash_info", "implementation", "platform", "flags", "thread_info",
    "exc_info", "exception", "exit", "intern", "getsizeof", "getrefcount", "getdefaultencoding",
    "getfilesystemencoding", "is_finalizing", "get_int_max_str_digits")


def make_proxy(name, context):
    """The proxy of a module for one context.

    name: the module's name.  context: the ``RunContext``.  Returns the module, or None when guests may not import it.
    """
    maker = PROXIES.get(name)
    return None if maker is None else maker(context)


def _module(name, host, names):
    module = types.ModuleType(name, host.__doc__)
    for each in names:
        if hasattr(host, each):
            setattr(module, each, getattr(host, each))
    return module


def make_math(context):
    """``math``: all of it is pure."""
    return _module("math", math, [name for name in vars(math) if not name.startswith("_")])


class _Feature(tuple):
    """What ``from __future__ import x`` binds: (optional release, mandatory release, compiler flag)."""

    __slots__ = ()

    def __repr__(self):
        return "_Feature" + tuple.__repr__(self)


def make_future(context):
    """``__future__``: the compiler reads these imports itself; the names are there to be bound."""
    module = types.ModuleType("__future__", __future__.__doc__)
    for name in __future__.all_feature_names:
        feature = getattr(__future__, name)
        setattr(module, name, _Feature((feature.optional, feature.mandatory, feature.compiler_flag)))
    module.all_feature_names = list(__future__.all_feature_names)
    return module


def make_time(context):
    """``time`` without what sets the clock."""
    return _module("time", time, TIME_NAMES)


def make_sys(context):
    """``sys`` of the guest: its own streams, arguments and modules, and constants of the host."""
    from kimi_runtime.objects.builtins import breakpointhook, display, getrecursionlimit, setrecursionlimit
    from kimi_runtime.objects.context import unraisablehook
    from kimi_runtime.objects.frames import _getframe

    module = _module("sys", sys, SYS_NAMES)
    context.modules["sys"] = module
    values = {
        "argv": list(context.argv), "path": [], "modules": context.modules, "executable": "", "prefix": "",
        "exec_prefix": "", "base_prefix": "", "base_exec_prefix": "", "warnoptions": [], "meta_path": [],
        "path_hooks": [], "dont_write_bytecode": True, "stdin": context.stdin, "__stdin__": context.stdin, "orig_argv": [],
        "stdout": context.stdout, "stderr": context.stderr, "__stdout__": context.stdout,
        "__stderr__": context.stderr, "displayhook": display, "__displayhook__": display,
        "breakpointhook": breakpointhook, "__breakpointhook__": breakpointhook,
        "unraisablehook": unraisablehook, "__unraisablehook__": unraisablehook,
        "_getframe": _getframe, "getrecursionlimit": getrecursionlimit, "setrecursionlimit": setrecursionlimit,
        "builtin_module_names": tuple(sorted(PROXIES)), "stdlib_module_names": frozenset(PROXIES)}
    for name, value in values.items():
        setattr(module, name, value)
    return module


def make_builtins(context):
    """``builtins``: the guest's own."""
    from kimi_runtime.objects.context import running_builtins

    module = types.ModuleType("builtins")
    module.__dict__.update(running_builtins())
    return module


PROXIES = {"__future__": make_future, "math": make_math, "time": make_time, "sys": make_sys, "builtins": make_builtins}
