"""Which library modules guests may import: ``Runtime(modules=...)``."""
from __future__ import annotations

from .library.catalog import SAFE

__all__ = ["SAFE"]
