"""Calling what blocks. Functions of the host run in threads; guest code runs in a turn of the loop."""
import contextvars
import functools

from . import events

__all__ = ("to_thread",)


async def to_thread(func, /, *args, **kwargs):
    """Call a function without holding up other tasks, if it is one of the host; return its result.

    A function of the guest runs in the loop's next turn, in a copy of the current context.
    """
    loop = events.get_running_loop()
    context = contextvars.copy_context()
    return await loop._call_aside(func, args, kwargs, context)
