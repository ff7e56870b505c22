"""What a run tells while it goes on: ``Event``, and how displays and calls of the host are seen."""
from __future__ import annotations

import asyncio
import weakref

from . import _core
from .bridge.functions import host_function, watch_calls
from .library.loader import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from typing import Any

    from .objects.context import RunContext
    from .result import Result

__all__ = ["Event"]

#: Bytes of output that a display counts as beside what is shown: about what the host keeps for it.
SMALLEST_DISPLAY = 64


class Event:
    """Something that a run has told: what ``events`` of a session or runtime gives.

    Attributes:
        kind: "stdout", "stderr", "display", "call" or "result".
        text: what was written, for "stdout" and "stderr"; "" otherwise.
        data: for "display": a dictionary of formats (MIME types) and what the object looks like in each; {} otherwise.
        metadata: for "display": what is said about the data, by format.
        name, args, kwargs: for "call": the function of the host that is called, and its arguments.
        result: for "result", which comes last: the ``Result``; None otherwise.
    """

    __slots__ = ("kind", "text", "data", "metadata", "name", "args", "kwargs", "result")
    __match_args__ = ("kind",)

    def __init__(
        self, kind: str, *, text: str = "", data: dict[str, Any] | None = None, metadata: dict[str, Any] | None = None,
        name: str = "", args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None, result: Result | None = None
    ) -> None:
        self.kind = kind
        self.text = text
        self.data = {} if data is None else data
        self.metadata = {} if metadata is None else metadata
        self.name = name
        self.args = args
        self.kwargs = {} if kwargs is None else kwargs
        self.result = result

    def __repr__(self) -> str:
        if self.kind == "call":
            given = [repr(each) for each in self.args] + [f"{key}={value!r}" for key, value in self.kwargs.items()]
            return f"<Event call {self.name}({', '.join(given)})>"
        about = {"display": self.data, "result": self.result}.get(self.kind, self.text)
        return f"<Event {self.kind} {about!r}>"


class Observer:
    """What a run shows, for its result, and for somebody who watches it.

    Args:
        context: of the guest.
        namespace: of its program, when it lives on.
        tell: gets each ``Event``; None when nobody watches.
    """

    def __init__(
        self, context: RunContext, namespace: dict[str, Any] | None = None, tell: Callable[[Event], None] | None = None
    ) -> None:
        displays: list[dict[str, Any]] = []
        guest: Callable[[], Any] = weakref.ref(context)  # which has this

        def show(data: dict[str, Any], metadata: dict[str, Any]) -> None:
            if not guest().take_output(weight_of_display(data)):
                _core.stop_running("output")
            displays.append(data)
            if tell is not None:
                tell(Event("display", data=data, metadata=metadata))

        self.context = guest
        self.namespace = namespace
        self.tell = tell
        self.displays = displays
        self.bundle: dict[str, Any] = {}
        self.send = host_function(show, name="display")

    def called(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: int | None = None) -> None:
        """The guest calls a function of the host. call: the number of a call that is awaited: others end in the order in which
        they were begun last, in each thread."""
        if self.tell is not None and function is not self.send:
            self.tell(Event("call", name=function.__name__, args=args, kwargs=kwargs))

    def returned(self, function: Any, nanoseconds: int, call: int | None = None) -> None:
        """That call is over."""

    def enter(self, meter: Any, function: Callable[..., Any], *args: Any) -> Any:
        """The run itself: a function of `engine`, whose result this returns."""
        return _core.call_metered(meter, function, *args)

    # ---- in the run ------------------------------------------------------------------------------------------
    def prepare(self, namespace: dict[str, Any] | None = None) -> None:
        """Puts ``display`` among the guest's builtins, unless the host has given a function of that name."""
        contents = vars(self.module())
        contents["_send"] = self.send
        namespace = self.namespace if namespace is None else namespace
        self.namespace = None
        if namespace is not None and "display" not in (self.context().functions or {}):
            namespace["__builtins__"]["display"] = contents["display"]

    def look(self, value: Any, convert: Callable[[Any], Any]) -> None:
        """Notes what the value of the program looks like."""
        if value is not None:
            self.bundle = convert(vars(self.module())["_bundle"](value)[0])

    def module(self) -> Any:
        return find(self.context().library_side(), "_display")


def weight_of_display(data: dict[str, Any]) -> int:
    """What a display counts as output: there are no more of them than the limit allows, even if nothing is in them."""
    return SMALLEST_DISPLAY + sum(map(weight, data.values()))


def weight(value: Any) -> int:
    """About how many bytes a value takes when it is written out."""
    if isinstance(value, (str, bytes)):
        return len(value)
    if isinstance(value, dict):
        return sum(len(key) + weight(each) for key, each in value.items() if isinstance(key, str)) + 2
    if isinstance(value, (list, tuple)):
        return sum(map(weight, value)) + 2
    return 8


async def events_of(run: Callable[..., Any]) -> AsyncIterator[Event]:
    """The events of a run, in order.

    Args:
        run: begins it: gets functions for events, for stdout and for stderr, and returns a coroutine with the result.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Event | None] = asyncio.Queue()

    def tell(event: Event | None) -> None:
        try:
            loop.call_soon_threadsafe(queue.put_nowait, event)
        except RuntimeError:  # the loop is closed: nobody listens any more
            pass

    watch_calls(1)
    try:
        task = loop.create_task(
            run(tell, lambda text: tell(Event("stdout", text=text)), lambda text: tell(Event("stderr", text=text))))
        task.add_done_callback(lambda _: tell(None))
        try:
            while True:
                event = await queue.get()
                if event is None:
                    break
                yield event
            yield Event("result", result=task.result())
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait([task])
    finally:
        watch_calls(-1)
