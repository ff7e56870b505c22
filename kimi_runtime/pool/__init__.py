"""Pools of workers that follow the load: see docs/pool.md."""
from __future__ import annotations

from .controller import Settings
from .pool import Job, Pool, PoolFull, PoolSession

__all__ = ["Job", "Pool", "PoolFull", "PoolSession", "Settings"]
