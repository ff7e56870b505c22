"""What a program of the command line does not catch: its ``sys.excepthook``, its stderr, the exit status."""
from __future__ import annotations

import sys

from .. import engine
from ..objects.context import excepthook
from ..objects.tracebacks import strip_host_frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..objects.context import RunContext


def show(error: BaseException, context: RunContext | None) -> int:
    """Tells of an exception as the interpreter does.

    Args:
        error: what left the program, or kept it from being compiled.
        context: of the program; None for what runs in none.
            (Call it where no exception is being handled: one that a hook raises would have that as its context.)

    Returns:
        The exit status.
    """
    contents = _sys_of(context)
    if not issubclass(type(error), SystemExit):
        strip_host_frames(error)
        _note_last(error, contents)
        hook: Any = contents.get("excepthook") if contents else excepthook
        if hook is excepthook:
            # 3.13 leaves it to the end to flush what it has written.
            _write(engine.describe(error).traceback, contents, flush=sys.version_info < (3, 13))
            return 1
        if hook is None and "excepthook" not in contents:
            _write("sys.excepthook is missing\n" + engine.describe(error).traceback, contents)
            return 1
        try:
            hook(type(error), error, error.__traceback__)
            return 1
        except BaseException as raised:  # of the guest's own function
            if not issubclass(type(raised), SystemExit):
                _write(f"Error in sys.excepthook:\n{engine.describe(raised).traceback}\nOriginal exception was:\n"
                       + engine.describe(error).traceback, contents)
                return 1
            error = raised
    status, text = engine.exit_status(error)
    if text is not None:
        _write(text + "\n", contents, flush=False)
    return status


def flush_streams(context: RunContext) -> None:
    """Flushes the program's stderr and stdout once its code has run, as the interpreter does before it tells of an exception."""
    contents = _sys_of(context)
    for name in ("stderr", "stdout"):
        stream = contents.get(name)
        if stream is not None:
            try:
                stream.flush()
            except Exception:  # told of at the very end, when the stream is flushed once more
                continue


def _sys_of(context: RunContext | None) -> dict[str, Any]:
    """The names in the program's ``sys``; none when it has not imported that."""
    module = None if context is None else context.modules.get("sys")
    return {} if module is None else vars(module)


def _note_last(error: BaseException, contents: dict[str, Any]) -> None:
    """``sys.last_value`` and the like, which the interpreter sets for what looks at an exception afterwards."""
    if contents:
        contents.update(last_type=type(error), last_value=error, last_traceback=error.__traceback__)
        if sys.version_info >= (3, 12):
            contents["last_exc"] = error


def _write(text: str, contents: dict[str, Any], flush: bool = True) -> None:
    """Writes to the program's stderr; what that raises is lost, as it is for the interpreter itself."""
    stream = contents["stderr"] if "stderr" in contents else sys.stderr
    if stream is None:
        return
    try:
        stream.write(text)
        if flush:
            stream.flush()
    except Exception:  # of the guest's own object, or of a closed stream
        return
