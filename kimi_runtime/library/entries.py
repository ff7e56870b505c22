"""The kinds of entries in the catalog of library modules.

Each catalog file (``catalog_<group>.py``) declares ``ENTRIES``: module name -> entry. What is not declared does not
exist for a guest.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    Finish = Callable[[ModuleType], None]


# Written out, since the module `dataclasses` loads `inspect`, `ast` and `dis`: a megabyte and 5 ms of every process.
class Source:
    """A module that the host's library has as Python source; it runs as guest code.

    Attributes:
        shared: run once in the process and then frozen; every guest gets a copy of its namespace. For modules whose
            globals are definitions and constants. Otherwise it runs in each guest that imports it.
        public: guests may import it; otherwise only library modules may.
        finish: called with the module after it ran, by the host.
        addition: a source in the folder ``library/guest/additions`` that runs at the module's end, in its namespace.
    """

    __slots__ = ("shared", "public", "finish", "addition")

    def __init__(
        self, shared: bool = True, public: bool = True, finish: Finish | None = None, addition: str | None = None
    ) -> None:
        self.shared = shared
        self.public = public
        self.finish = finish
        self.addition = addition


class Own:
    """A module whose source comes with this package; it runs as guest code.

    Attributes:
        file: path of the source in the folder ``library/guest``.
        shared, public, finish: as for ``Source``.
        package: the file is the ``__init__`` of a package.
    """

    __slots__ = ("file", "shared", "public", "finish", "package")

    def __init__(
        self, file: str, shared: bool = True, public: bool = True, finish: Finish | None = None, package: bool = False
    ) -> None:
        self.file = file
        self.shared = shared
        self.public = public
        self.finish = finish
        self.package = package


class Native:
    """A module that the host has in C; the guest sees the listed names.

    Attributes:
        names: what it holds. Each must be safe in the hands of a guest. Names that the host's version lacks are
            left out.
        host: the host's name of the module when it is another.
        replace: further names, or other values for listed ones.
        public, finish: as for ``Source``.
    """

    __slots__ = ("names", "host", "replace", "public", "finish", "shared")

    def __init__(
        self,
        names: tuple[str, ...],
        host: str | None = None,
        replace: tuple[tuple[str, Any], ...] = (),
        public: bool = True,
        finish: Finish | None = None,
        shared: bool = True,
    ) -> None:
        self.names = names
        self.host = host
        self.replace = replace
        self.public = public
        self.finish = finish
        self.shared = shared


class Made:
    """A module that the host makes for each guest.

    Attributes:
        maker: called with the ``RunContext`` of the guest; returns the module. It is called once with the context of
            the shared library too.
        public: as for ``Source``.
    """

    __slots__ = ("maker", "public", "shared", "finish")

    def __init__(
        self, maker: Callable[[Any], ModuleType], public: bool = True, shared: bool = False, finish: Finish | None = None
    ) -> None:
        self.maker = maker
        self.public = public
        self.shared = shared
        self.finish = finish
