"""Joins the stages: source to code through the cache, code and namespace to a value, an exception to plain data.

Used by ``runtime`` (results as data) and by the command line (live streams, exit status).
"""
from __future__ import annotations

import threading
from time import perf_counter
from typing import Any

from cachetools import LRUCache

from ._core import run_code
from .bytecode.compiler import compile_tree
from .errors import GuestError
from .objects.context import RunContext
from .objects.tracebacks import format_exception
from .syntax.parser import parse

CACHE_ENTRIES = 512

_cache: LRUCache[tuple[str | bytes, str, str], Any] = LRUCache(CACHE_ENTRIES)
_cache_lock = threading.Lock()


def load(source: str | bytes, filename: str, mode: str) -> tuple[Any, float, float, bool]:
    """Compiles a source, or takes its code from the cache.

    Args:
        source: the text; bytes are decoded by their encoding line.
        filename: the name that tracebacks show.
        mode: "exec", "eval", "single" or "notebook" (exec that keeps the value of a last expression).

    Returns:
        The code, seconds for the parser, seconds for the compiler, whether the cache had it.

    Raises:
        SyntaxError, ValueError, MemoryError, RecursionError: as the host's ``compile`` for the same source.
        TypeError: source is neither str nor bytes.
    """
    if not isinstance(source, (str, bytes)):
        raise TypeError(f"source must be str or bytes, not {type(source).__name__}")
    key = (source, filename, mode)
    with _cache_lock:
        try:
            return _cache[key], 0.0, 0.0, True
        except KeyError:
            pass
    start = perf_counter()
    tree = parse(source, filename, mode)
    middle = perf_counter()
    code = compile_tree(tree, filename, mode, source)
    end = perf_counter()
    with _cache_lock:
        _cache[key] = code
    return code, middle - start, end - middle, False
