"""``ParseCache``: what hosts make and look at."""
from __future__ import annotations

from time import perf_counter
from weakref import WeakSet

from .. import containers
from ..bytecode.code import renamed
from ..bytecode.compiler import compile_tree
from ..bytecode.storage import weigh
from ..limits import parse_size
from ..syntax.parser import parse
from ..syntax.source import decode_source
from .codes import CacheStats, CodeCache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from typing import Any

__all__ = ["CacheStats", "ParseCache"]


DEFAULT_WEIGHT = "64MB"
#: All that there are: they shrink when memory is short.
caches: WeakSet[ParseCache] = WeakSet()


def default_weight() -> int:
    """Most bytes of a cache whose host does not say."""
    return max(1, min(64_000_000, containers.memory_limit() // 20))


class ParseCache:
    """Compiled programs by their text, so that the same source is parsed and compiled once.

    A weighted LRU: bounded by number and by bytes; programs that are asked for again are in a hot zone that a scan of others
    cannot push out. Several threads may use it, and several runtimes share one; threads that ask for the same new program at
    the same time wait for one compilation.

        >>> import kimi_runtime as kr
        >>> cache = kr.ParseCache(max_entries=1000, max_weight="32MB")
        >>> rt = kr.Runtime(cache=cache)
        >>> [rt.run("1 + 1").stats.cached for _ in range(2)]
        [False, True]
        >>> cache.stats().hits
        1

    Args:
        max_entries: most programs.
        max_weight: most bytes of memory, sources included: an int, or text such as "64MB", or "5%" of what the process may have.
            When it is not given it is 64 MB, or a twentieth of what the process may have where that is less.
        ttl: seconds after which a program is compiled anew; None for never.
        on_evict: called with ``(source, filename, why)`` after a program went; why is "room", "expired", "rejected" (what is
            there is asked for more often) or "cleared".
        folder: a folder for a second level on disk, which outlives the process and may be shared by several (needs the extra
            ``kimi-runtime[cache]``). It must be the host's own: who writes there decides what guests execute.
        max_disk: most bytes in that folder.

    Raises:
        TypeError, ValueError: an argument is of another type, or not positive.
        ImportError: a folder is given, and the package lz4 is missing.
        OSError: the folder cannot be made.
    """

    def __init__(
        self,
        max_entries: int = 2048,
        max_weight: int | str = DEFAULT_WEIGHT,
        *,
        ttl: float | None = None,
        on_evict: Callable[[str | bytes, str, str], object] | None = None,
        folder: str | PathLike[str] | None = None,
        max_disk: int | str | None = "256MB",
    ) -> None:
        if isinstance(max_entries, bool) or not isinstance(max_entries, int):
            raise TypeError(f"max_entries must be an int, not {type(max_entries).__name__}")
        if max_entries < 1:
            raise ValueError(f"max_entries must be positive, not {max_entries}")
        if ttl is not None and (isinstance(ttl, bool) or not isinstance(ttl, (int, float))):
            raise TypeError(f"ttl must be a number of seconds or None, not {type(ttl).__name__}")
        if ttl is not None and not ttl > 0:
            raise ValueError(f"ttl must be positive, not {ttl!r}; None means for ever")
        if on_evict is not None and not callable(on_evict):
            raise TypeError(f"on_evict must be callable, not {type(on_evict).__name__}")
        self._given = max_weight
        weight = parse_size("max_weight", default_weight() if max_weight is DEFAULT_WEIGHT else max_weight)
        if weight is None:
            raise TypeError("max_weight must be an int or a text such as '64MB', not None")
        self._told = on_evict
        self._codes = CodeCache(max_entries, weight, weigh, ttl=ttl, on_evict=None if on_evict is None else self._tell)
        self._disk = None
        if folder is not None:
            from .disk import DiskCache

            self._disk = DiskCache(folder, parse_size("max_disk", max_disk))
        self.find = self._codes.get  # the way of a hit, without a call in between
        caches.add(self)
        is_share = isinstance(max_weight, str) and max_weight.endswith("%")
        if max_weight is DEFAULT_WEIGHT or is_share:
            containers.follow(self, watch=is_share)

    def load(self, source: str | bytes, filename: str) -> tuple[Any, float, float, bool]:
        """The code of a program, whose value is that of a last expression statement. It may await at its top level: whoever
        runs it looks at ``Code.awaits``.

        Args:
            source: the text; bytes are decoded by their encoding line.
            filename: the name that tracebacks show.

        Returns:
            The code; seconds for the parser; seconds for the compiler; whether a level of the cache had it.

        Raises:
            SyntaxError, ValueError, MemoryError, RecursionError: as the host's ``compile`` for the same source.
        """
        # Text and bytes that are equal letter by letter have equal hashes, and comparing them is a warning of the host's.
        key = (source, filename) if type(source) is str else (filename, source, None)
        code = self.find(key)
        if code is not None:
            return code, 0.0, 0.0, True
        spent: list[float] = []
        code = self._codes.get_or_make(key, self._make, source, filename, spent)
        if not spent:
            return code, 0.0, 0.0, True
        return code, spent[0], spent[1], False

    def load_cell(self, source: str | bytes, filename: str) -> tuple[Any, float, float, bool]:
        """As ``load``, for a cell of a session: its name tells no more than a number, so cells of the same text share one
        entry, whose file name is ``<cell>``."""
        try:
            code, parse_seconds, compile_seconds, cached = self.load(source, "<cell>")
        except Exception:  # what the program is refused for; the error names the cell
            return self.load(source, filename)
        return renamed(code, filename), parse_seconds, compile_seconds, cached

    def _make(self, source: str | bytes, filename: str, spent: list[float]) -> Any:
        """From disk, or by parser and compiler; the seconds of those go to ``spent``."""
        disk = self._disk
        if disk is not None:
            code = disk.get(source, filename)
            if code is not None:
                return code
        start = perf_counter()
        text = source if type(source) is str else decode_source(source, filename)
        tree = parse(text, filename, "exec")
        middle = perf_counter()
        code = compile_tree(tree, filename, source=text, mode="cell")
        spent[:] = middle - start, perf_counter() - middle
        if disk is not None:
            disk.put(source, filename, code)
        return code

    def _tell(self, key: tuple[Any, ...], code: Any, why: str) -> None:
        source, filename = (key[0], key[1]) if len(key) == 2 else (key[1], key[0])
        assert self._told is not None
        self._told(source, filename, why)

    def shrink(self, weight: int) -> None:
        """Forgets programs, hot ones last, until the others take no more than so many bytes. The bound stays as it is."""
        self._codes.shrink(weight)

    def container_changed(self, limit: int) -> None:
        """The process may have another amount of memory from now on."""
        given = self._given
        weight = parse_size("max_weight", default_weight() if given is DEFAULT_WEIGHT else given)
        self._codes.resize(weight or 1)

    def stats(self) -> CacheStats:
        """What it holds and has done."""
        stats = self._codes.stats()
        if self._disk is not None:
            stats.disk_hits, stats.disk_writes, stats.disk_errors = self._disk.hits, self._disk.writes, self._disk.errors
        return stats

    def clear(self) -> None:
        """Forgets all programs in memory; a folder keeps its files."""
        self._codes.clear()

    def __len__(self) -> int:
        return len(self._codes)

    def __repr__(self) -> str:
        codes = self._codes
        return f"<ParseCache: {len(codes)} of {codes.max_entries} programs>"
