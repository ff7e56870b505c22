"""The kinds of entries in the catalog of library modules.

Each catalog file (``catalog_<group>.py``) declares ``ENTRIES``: module name -> entry. What is not declared does not
exist for a guest.
"""
from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    Finish = Callable[[ModuleType], None]


@dataclass(frozen=True)
class Source:
    """A module that the host's library has as Python source; it runs as guest code.

    Attributes:
        shared: run once in the process and then frozen; every guest gets a copy of its namespace. For modules whose
            globals are definitions and constants. Otherwise it runs in each guest that imports it.
        public: guests may import it; otherwise only library modules may.
        finish: called with the module after it ran, by the host.
        addition: a source in the folder ``library/guest/additions`` that runs at the module's end, in its namespace.
    """

    shared: bool = True
    public: bool = True
    finish: Finish | None = None
    addition: str | None = None


@dataclass(frozen=True)
class Own:
    """A module whose source comes with this package; it runs as guest code.

    Attributes:
        file: path of the source in the folder ``library/guest``.
        shared, public, finish: as for ``Source``.
        package: the file is the ``__init__`` of a package.
    """

    file: str
    shared: bool = True
    public: bool = True
    finish: Finish | None = None
    package: bool = False


@dataclass(frozen=True)
class Native:
    """A module that the host has in C; the guest sees the listed names.

    Attributes:
        names: what it holds. Each must be safe in the hands of a guest. Names that the host's version lacks are
            left out.
        host: the host's name of the module when it is another.
        replace: further names, or other values for listed ones.
        public, finish: as for ``Source``.
    """

    names: tuple[str, ...]
    host: str | None = None
    replace: tuple[tuple[str, Any], ...] = ()
    public: bool = True
    finish: Finish | None = None
    shared: bool = True


@dataclass(frozen=True)
class Made:
    """A module that the host makes for each guest.

    Attributes:
        maker: called with the ``RunContext`` of the guest; returns the module. It is called once with the context of
            the shared library too.
        public: as for ``Source``.
    """

    maker: Callable[[Any], ModuleType]
    public: bool = True
    shared: bool = False
    finish: Finish | None = None
