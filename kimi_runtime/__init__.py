"""An embeddable Python interpreter with its own parser, compiler and register VM.

    >>> import kimi_runtime as kr
    >>> kr.run("sum(x * x for x in xs)", {"xs": range(4)}).value
    14
"""
from __future__ import annotations

import os
import sys

__version__ = "0.1.0"

# The compiled modules mirror structures of CPython, so a version is supported only when it was looked at.
if sys.implementation.name != "cpython" or not (3, 11) <= sys.version_info[:2] < (3, 14):
    raise ImportError(
        "kimi_runtime needs CPython 3.11, 3.12 or 3.13, and this is {} {}.{}: make an environment with one of those, "
        "for example `python3.12 -m venv .venv`, and install it there".format(sys.implementation.name, *sys.version_info[:2]),
        name=__name__,
        path=__file__,
    )

try:
    from ._core import run_code as _  # noqa: F401
except ModuleNotFoundError as error:
    if not (error.name or "").startswith(__name__ + "."):
        raise
    raise ImportError(
        "kimi_runtime is not built for this Python ({}.{}): `pip install .` builds it for this one, "
        "and `make build` for .venv/bin/python".format(*sys.version_info[:2]),
        name=__name__,
        path=__file__,
    ) from None

from .bridge.exposed import expose, expose_class
from .bridge.functions import host_function
from .bridge.guest_objects import GuestObject
from .bridge.records import Record
from .errors import (
    Frame,
    GuestError,
    GuestException,
    IsolationError,
    IsolationWarning,
    KimiError,
    LimitExceeded,
    SessionError,
    SnapshotError,
    WorkerCrashed,
)
from .limits import Limits
from .result import Result, Stats
from .runtime import Runtime, run

__all__ = [
    "CacheStats", "Description", "Done", "Event", "Finding", "Frame", "GuestError", "GuestException", "GuestObject",
    "IsolationError", "IsolationWarning", "JIT", "KimiError", "LimitExceeded", "Limits", "MemoryEvent", "MemoryGuard", "Mount",
    "ParseCache", "PendingCall", "Policy", "Pool", "PoolFull", "PoolSession", "Record", "Result", "Runtime", "Session",
    "SessionError", "SnapshotError", "Stats", "Suspended", "WorkerCrashed", "__version__", "allocator", "check",
    "containers", "expose", "expose_class", "host_function", "load", "modules", "run",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import allocator, containers, modules
    from .cache.codes import CacheStats
    from .cache.parse_cache import ParseCache
    from .checking import Finding, check
    from .describing import Description
    from .events import Event
    from .files.mounts import Mount
    from .guarding import MemoryEvent, MemoryGuard
    from .jit import JIT
    from .policies import Policy
    from .pool.pool import Pool, PoolFull, PoolSession
    from .session import Session
    from .snapshots.saving import load
    from .stepping import Done, PendingCall, Suspended
else:
    _HOMES = {
        "Session": "session", "ParseCache": "cache.parse_cache", "CacheStats": "cache.codes", "check": "checking",
        "Description": "describing", "Event": "events", "Finding": "checking", "Mount": "files.mounts",
        "Policy": "policies", "JIT": "jit", "Done": "stepping", "PendingCall": "stepping", "Suspended": "stepping",
        "load": "snapshots.saving", "MemoryEvent": "guarding", "MemoryGuard": "guarding",
        "Pool": "pool.pool", "PoolFull": "pool.pool", "PoolSession": "pool.pool",
    }

    def __getattr__(name):
        if name in ("modules", "containers", "allocator"):  # read when somebody looks at them
            from importlib import import_module

            return import_module(f"kimi_runtime.{name}")
        home = _HOMES.get(name)
        if home is not None:
            from importlib import import_module

            found = globals()[name] = getattr(import_module(f"kimi_runtime.{home}"), name)
            return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

if os.environ.get("KIMI_JIT"):
    from .jit.settings import from_environment as _jit_from_environment

    _jit_from_environment(os.environ["KIMI_JIT"])

if "KIMI_ALLOCATOR" in os.environ:
    from .allocator import from_environment

    from_environment()
