"""An embeddable Python interpreter with its own parser, compiler and register VM.

    >>> import kimi_runtime as kr
    >>> kr.run("sum(x * x for x in xs)", {"xs": range(4)}).value
    14
"""
from __future__ import annotations

__version__ = "0.1.0"

try:
    from ._core import run_code as _  # noqa: F401
except ModuleNotFoundError as error:
    if not (error.name or "").startswith(__name__ + "."):
        raise
    raise ImportError(
        "kimi_runtime is not built: run `make build` or `pip install .`", name=__name__, path=__file__
    ) from None

from .errors import GuestError, GuestException, KimiError
from .result import Result, Stats
from .runtime import Runtime, run

__all__ = ["GuestError", "GuestException", "KimiError", "Result", "Runtime", "Stats", "__version__", "modules", "run"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import modules
else:

    def __getattr__(name):
        if name == "modules":  # the catalog of the library is read when somebody looks at it
            from importlib import import_module

            return import_module("kimi_runtime.modules")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
