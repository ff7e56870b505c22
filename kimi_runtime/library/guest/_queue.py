"""What `queue` has from C in CPython."""
from collections import deque
from time import monotonic
from types import GenericAlias

from _threads import lock


class Empty(Exception):
    "Exception raised by Queue.get(block=0)/get_nowait()."


def _wake(queue):
    if queue._none.locked():
        try:
            queue._none.release()
        except RuntimeError:        # another thread was faster
            pass


class SimpleQueue:
    """Simple, unbounded, reentrant FIFO queue."""

    __slots__ = ("_items", "_none", "__weakref__")

    def __new__(cls):
        self = object.__new__(cls)
        self._items = deque()
        self._none = lock()         # who waits for an item has it, and waits to have it once more
        return self

    def put(self, item, block=True, timeout=None):
        """Put the item on the queue.

The optional 'block' and 'timeout' arguments are ignored, as this method
never blocks.  They are provided for compatibility with the Queue class."""
        self._items.append(item)
        _wake(self)

    def put_nowait(self, item):
        """Put an item into the queue without blocking.

This is exactly equivalent to `put(item)` and is only provided
for compatibility with the Queue class."""
        self.put(item)

    def get(self, block=True, timeout=None):
        """Remove and return an item from the queue.

If optional args 'block' is true and 'timeout' is None (the default),
block if necessary until an item is available. If 'timeout' is
a non-negative number, it blocks at most 'timeout' seconds and raises
the Empty exception if no item was available within that time.
Otherwise ('block' is false), return an item if one is immediately
available, else raise the Empty exception ('timeout' is ignored
in that case)."""
        end = None
        if block and timeout is not None:
            if timeout < 0:
                raise ValueError("'timeout' must be a non-negative number")
            end = monotonic() + timeout
        while True:
            try:
                item = self._items.popleft()
            except IndexError:
                pass
            else:
                _wake(self)         # there may be more, and another thread that waits
                return item
            if not block or not self._none.acquire(True, -1 if end is None else max(end - monotonic(), 0)):
                raise Empty

    def get_nowait(self):
        """Remove and return an item from the queue without blocking.

Only get an item if one is immediately available. Otherwise
raise the Empty exception."""
        return self.get(False)

    def empty(self):
        """Return True if the queue is empty, False otherwise (not reliable!)."""
        return not self._items

    def qsize(self):
        """Return the approximate size of the queue (not reliable!)."""
        return len(self._items)

    __class_getitem__ = classmethod(GenericAlias)
