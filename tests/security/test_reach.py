"""A walk through everything that a guest can get at from a fresh sandbox, in its own eyes.

The walk is guest code: it follows attributes (by ``dir`` and ``vars`` and names that are hidden from both), items, iteration,
calls without arguments and the exceptions that these raise, from the builtins and each public module on. What it meets is
looked at by the host afterwards: nothing of it may be a module, a frame, a code object, a function or a class of the host that
is not listed, a loader, a file, a socket, or a namespace of the host.
"""

from __future__ import annotations

import importlib.machinery
import io
import socket
import sys
import types

import pytest

from kimi_runtime import _core, library
from kimi_runtime.bridge import gate
from kimi_runtime.bytecode.compiler import compile_source
from kimi_runtime.library.catalog import SAFE
from kimi_runtime.objects import context

library.connect()

WALK = r'''
import types as _types
_HIDDEN = ("__class__ __dict__ __globals__ __builtins__ __code__ __closure__ __self__ __func__ __wrapped__ __module__ __loader__ "
           "__spec__ __subclasses__ __bases__ __mro__ __base__ __defaults__ __kwdefaults__ __annotations__ __objclass__ __get__ "
           "__call__ __init__ __new__ __reduce__ __reduce_ex__ __getstate__ __getattribute__ __traceback__ __context__ __cause__ "
           "tb_frame tb_next f_back f_globals f_locals f_builtins f_code gi_frame gi_code gi_yieldfrom cr_frame cr_await cr_origin "
           "ag_frame ag_await mro __thisclass__ __origin__ __args__ __weakref__ __callback__ func args keywords fget fset "
           "_module _globals _target _loop _context _callbacks").split()
_NOT_CALLED = ("input breakpoint exit quit help run main sleep join wait acquire get put pthread_kill abort kill _exit fork forever "
               "stop interrupt_main start_new_thread serve_forever mainloop set_trace shutdown clear __init_subclass__ select "
               "urandom count repeat cycle getpass cache_clear purge resetwarnings").split()

def walk(roots, most):
    seen, order, waiting = set(), [], list(roots)
    kinds = {}
    while waiting and len(order) < most:
        path, o = waiting.pop()
        if id(o) in seen:
            continue
        kind = type(o)
        kinds[kind] = kinds.get(kind, 0) + 1
        if kinds[kind] > 400 and kind in (str, int, bytes, float, tuple, list, dict):
            continue
        seen.add(id(o))
        order.append((path, o))
        if kind in (str, bytes, int, float, bool, complex):
            if kinds[kind] > 2:
                continue
        found = []
        names = set(_HIDDEN)
        for source in (dir, vars):
            try:
                names.update(n for n in source(o) if kind is not dict and isinstance(n, str))
            except Exception as e:
                found.append(("!", e))
        for name in sorted(names):
            try:
                found.append(("." + name, getattr(o, name)))
            except Exception as e:
                found.append(("." + name + "!", e)) if len(order) % 50 == 0 else None
        try:
            found.append(("vars", vars(o)))
        except Exception:
            pass
        if isinstance(o, type):
            try:
                found += [("." + k + "(raw)", v) for k, v in list(type.__getattribute__(o, "__dict__").items())]
            except Exception as e:
                found.append(("!", e))
        if kind in (dict, _types.MappingProxyType):
            found += [("[" + repr(k)[:40] + "]", v) for k, v in list(o.items())[:300]]
        elif kind in (list, tuple, set, frozenset):
            found += [("[]", v) for v in list(o)[:300]]
        elif not isinstance(o, (type, str, bytes)):
            try:
                it = iter(o)
                for i, v in zip(range(3), it):
                    found.append(("iter", v))
                found.append(("it", it))
            except Exception as e:
                found.append(("iter!", e))
        for key in (0, "x"):
            try:
                found.append(("[k]", o[key]))
            except Exception as e:
                pass
        name = getattr(o, "__name__", "")
        if callable(o) and name not in _NOT_CALLED and path.count("(") < 2 and "Thread" not in path and "main" not in path:
            try:
                found.append(("()", o()))
            except Exception as e:
                found.append(("()!", e))
                found.append(("()!tb", e.__traceback__))
        for step, value in found:
            if id(value) not in seen:
                waiting.append((path + step, value))
    return order
'''

PLAIN = (str, bytes, int, float, complex, bool, bytearray, range, slice, type(None), type(...), type(NotImplemented))


def names_of_host_modules():
    return {id(vars(module)): name for name, module in list(sys.modules.items()) if isinstance(module, types.ModuleType)}


def offence(o, namespaces):
    """What is wrong with an object that a guest holds, or None."""
    kind = type(o)
    if kind in PLAIN:
        return None
    if kind in (types.FrameType, types.CodeType, types.FunctionType, types.GeneratorType, types.CoroutineType):
        return "of the host"
    if issubclass(kind, types.ModuleType) and sys.modules.get(o.__name__) is o:
        return "module of the host"
    if isinstance(o, (context.RunContext, socket.socket, io.FileIO)) or kind.__module__.startswith("kimi_runtime.") and not gate.is_listed(kind):
        return "internal"
    if isinstance(o, (importlib.machinery.ModuleSpec, importlib.machinery.SourceFileLoader, importlib.machinery.PathFinder)):
        return "loader"
    if kind is dict and id(o) in namespaces:
        return f"namespace of {namespaces[id(o)]}"
    if o is sys.modules or o is sys.path or o is sys.meta_path:
        return "import system"
    if isinstance(o, type) and not gate.is_listed(o):
        return "class in no table"
    if not gate.is_listed(kind) and not issubclass(kind, BaseException):
        return "instance of a class in no table"
    if kind in (types.MethodType,) and isinstance(o.__func__, types.FunctionType):
        return "method of the host"
    return None


def walked(roots, most):
    """What the walk meets from some roots on: (path, object)."""
    guest = context.RunContext()
    space = {"__name__": "__main__", "__builtins__": context.make_builtins(guest)}
    source = f"import warnings\nwarnings.simplefilter('ignore')\n{WALK}\n{roots}\nfound = walk(roots, {most})"
    _core.run_code(compile_source(source, "<guest>"), space)
    return space["found"]


def offences(found):
    namespaces = names_of_host_modules()
    bad = []
    for path, o in found:
        wrong = offence(o, namespaces)
        if wrong is not None:
            bad.append((path, wrong, type(o).__name__))
    return bad


def test_nothing_of_the_host_from_the_builtins():
    found = walked("import builtins\nroots = [('builtins', builtins), ('globals', globals()), ('print', print)]", 1500)
    assert len(found) > 1000
    assert offences(found) == []


@pytest.mark.parametrize("name", ["sys", "json", "functools", "inspect", "asyncio", "types"])
def test_nothing_of_the_host_nearby(name):
    assert offences(walked(f"import sys, {name}\nroots = [({name!r}, sys.modules[{name!r}])]", 300)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SAFE))
def test_nothing_of_the_host_from_a_module(name):
    try:
        found = walked(f"import sys, {name}\nroots = [({name!r}, sys.modules[{name!r}])]", 400)
    except ImportError as error:
        pytest.skip(str(error))
    assert len(found) > 3
    assert offences(found) == []


def test_the_walk_sees_what_is_wrong():
    assert offence(sys, {}) and offence(test_the_walk_sees_what_is_wrong, {}) and offence(sys._getframe(), {})
    assert offence(vars(io), names_of_host_modules()) and offence(sys.modules, {}) and offence(importlib.machinery.PathFinder, {})
    assert not offence(len, {}) and not offence([], {}) and not offence(ValueError(), {})
