"""Calling what blocks, in threads."""
import contextvars

from . import events

__all__ = ("to_thread",)


async def to_thread(func, /, *args, **kwargs):
    """Call a function without holding up other tasks, in a copy of the current context; return its result."""
    loop = events.get_running_loop()
    context = contextvars.copy_context()
    return await loop._call_aside(func, args, kwargs, context)
