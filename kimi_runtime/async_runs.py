"""Runs that an event loop waits for."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

__all__ = ["wait_in_thread"]


async def wait_in_thread(cancel: Callable[[], object], function: Callable[..., T], *args: Any) -> T:
    """Calls a function in a thread of the running loop's executor, with the caller's context variables.

    Args:
        cancel: called when the awaiting task is cancelled; must make the function return soon.
        function, args: what is called.

    Returns:
        What the function returns.

    Raises:
        asyncio.CancelledError: the task was cancelled; the function has returned by then.
    """
    import asyncio
    from contextvars import copy_context

    future = asyncio.get_running_loop().run_in_executor(None, copy_context().run, function, *args)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        cancel()
        while not future.done():
            try:
                await asyncio.wait([future])
            except asyncio.CancelledError:  # once more: the guest is being stopped already
                continue
        if not future.cancelled():
            future.exception()  # looked at: it is not what the caller waits for
        raise
