"""Runs a program from a file, from text or from standard input, as a process would: live streams and exit status."""
from __future__ import annotations

import gc
import os
import sys

from .. import _core, engine
from ..limits import NONE
from ..objects.context import RunContext
from ..syntax.source import decode_file
from . import uncaught
from .main import PROGRAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

#: The exit status when what was written could not be given to whom it is for.
UNWRITTEN = 120


def run_file(path: str, arguments: list[str]) -> int:
    """Runs a program file. Returns the exit status; 2 when the file cannot be read."""
    absolute = absolute_path(path)
    source = read_program(absolute)
    if source is None:
        return 2
    return run_program(source, absolute, [path, *arguments], {"__file__": absolute, "__cached__": None})


def absolute_path(path: str) -> str:
    """The path that ``__file__`` and tracebacks show: absolute, but otherwise as it was written."""
    if os.path.isabs(path):
        return path
    return os.path.join(os.getcwd(), path)


def run_command(code: str, arguments: list[str]) -> int:
    """Runs the text after ``-c``. Returns the exit status."""
    return run_program(code + "\n", "<string>", ["-c", *arguments])


def run_stdin(arguments: list[str]) -> int:
    """Runs standard input as a program. Returns the exit status."""
    return run_program(sys.stdin.buffer.read(), "<stdin>", arguments)


def read_program(path: str) -> bytes | None:
    """The bytes of a program file; None after a message on stderr when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        print(f"{PROGRAM}: can't open file {path!r}: [Errno {error.errno}] {error.strerror}",
              file=sys.stderr)
        return None


def run_program(
    source: str | bytes, filename: str, argv: list[str], extra_globals: dict[str, Any] | None = None
) -> int:
    """Runs a whole program with the streams of this process.

    Args:
        source: the program; bytes are decoded by its encoding line.
        filename: the name that tracebacks show.
        argv: ``sys.argv`` of the guest.
        extra_globals: more names for its namespace.

    Returns:
        The exit status: 0, what SystemExit says, or 1 after an uncaught exception.
    """
    status, interrupt = _run_to_end(source, filename, argv, extra_globals or {})
    # Its names are let go of: what is still there is finalized now, as at the end of the interpreter, while it can print.
    gc.collect()
    return interrupted() if interrupt else flush_streams() or status


def _make_room() -> None:
    """The frames of this command below the program take nothing of the depth that native code may call back to."""
    depth, frame = 3, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    sys.setrecursionlimit(sys.getrecursionlimit() + depth)


def perform(context: RunContext, code: Any, namespace: dict[str, Any], meter: Any = None) -> None:
    """Runs the code of a program, in its hot tier too if it has one. Raises what the program does.

    Args:
        context: of the program.
        meter: that counts for it; None for none but what the hot tier needs.
    """
    if meter is None and context.hot is not None:
        meter = engine.make_meter(NONE)
    if meter is None:
        engine.run_code(code, namespace)
        return
    if context.hot is not None:
        meter.guest = context               # by which the core finds the settings of the hot tier
    _core.call_metered(meter, engine.run_code, code, namespace)


def _run_to_end(source: str | bytes, filename: str, argv: list[str], extra_globals: dict[str, Any]) -> tuple[int, bool]:
    """Runs a program and its exit functions. Returns the status, and whether an uncaught KeyboardInterrupt ended it."""
    # As in CPython, tracebacks show lines of files, and from 3.13 on of the text after -c.
    keep_source = os.path.isabs(filename) or (filename == "<string>" and sys.version_info >= (3, 13))
    context, namespace = prepare(source if keep_source else None, filename, argv, extra_globals)
    status, error = 0, None
    _make_room()
    try:
        code = compile_program(source, filename, "exec", keep_source)
        perform(context, code, namespace)
    except BaseException as raised:  # whatever the guest did not catch; the process ends with its status
        error = raised
    uncaught.flush_streams(context)
    if error is not None:
        status = uncaught.show(error, context)
    interrupt = error is not None and issubclass(type(error), KeyboardInterrupt)
    del error
    if engine.end_program(context):
        status = UNWRITTEN
    return status, interrupt


def prepare(
    source: str | bytes | None, filename: str, argv: list[str], extra_globals: dict[str, Any], stdout: IO[str] | None = None,
    stderr: IO[str] | None = None
) -> tuple[RunContext, dict[str, Any]]:
    """What a program runs in: its context and the globals of its ``__main__``.

    Args:
        source: where tracebacks have its lines from; None for none.
        filename: as that of a file it says where ``import`` finds other modules.
        argv, extra_globals: see ``run_program``.
        stdout, stderr: see ``new_context``.
    """
    context = new_context(argv, os.path.dirname(filename) if os.path.isabs(filename) else os.curdir, stdout, stderr)
    namespace = new_namespace(context)
    namespace.update(extra_globals)
    if source is not None:
        context.main_source = (filename, source)
    return context, namespace


def compile_program(source: str | bytes, filename: str, mode: str, keep_source: bool = True) -> Any:
    """Compiles a source and shows the warnings that it causes. Returns the code; raises as ``compile_source`` does."""
    found: list[tuple[str, str, int, int]] = []
    if isinstance(source, bytes):
        source = decode_file(source, filename)
    try:
        return engine.compile_source(source, filename, mode, warnings=found, keep_source=keep_source)
    finally:
        if found:
            show_warnings(found, filename)


def show_warnings(found: list[tuple[str, str, int, int]], filename: str) -> None:
    """Shows the parser's warnings as the interpreter does, by the filters of this process."""
    import builtins
    import warnings

    for category, text, line, _ in found:
        warnings.warn_explicit(text, getattr(builtins, category), filename, line)


class Exit:
    """``exit`` and ``quit``, which the ``site`` module gives to programs."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Use {self.name}() or Ctrl-D (i.e. EOF) to exit"

    def __call__(self, code: object = None) -> None:
        raise SystemExit(code)


_files: Any = None
_hot: Any = None


def use_files(files: Any) -> None:
    """The programs of this process find files: what ``checked.files`` has made of them."""
    global _files
    _files = files


def use_hot_tier(policy: Any) -> None:
    """The programs of this process are compiled where they run often, by the settings that a ``JIT`` has made."""
    global _hot
    _hot = policy


def new_context(
    argv: list[str], folder: str = os.curdir, stdout: IO[str] | None = None, stderr: IO[str] | None = None
) -> RunContext:
    """The context of a program that writes to the streams of this process.

    Args:
        argv: ``sys.argv`` of the guest.
        folder: where its ``import`` finds modules besides the library's.
        stdout, stderr: other streams for what it writes.
    """
    context = RunContext(stdout or sys.stdout, stderr or sys.stderr, tuple(argv), folder, stdin=sys.stdin)
    context.files = _files
    if _hot is not None:
        context.hot = _hot
    return context


def new_namespace(context: RunContext) -> dict[str, Any]:
    """The globals of a ``__main__`` that runs in a context."""
    namespace = engine.new_namespace(context)
    namespace["__builtins__"].update({name: Exit(name) for name in ("exit", "quit")})
    return namespace


def report(error: BaseException, context: RunContext | None = None) -> int:
    """Tells of an uncaught exception as the interpreter does. Returns the exit status; an interrupt ends the process."""
    status = uncaught.show(error, context)
    return interrupted() if issubclass(type(error), KeyboardInterrupt) else status


def interrupted() -> int:
    """Ends the process by SIGINT, so that a shell sees an interrupted command (status 130)."""
    import signal

    if flush_streams():
        return 130
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
    except ValueError:  # not in the main thread: no signals here
        return 130
    return 130


def flush_streams() -> int:
    """Flushes stdout. Returns 0, or 120 when nobody reads it any more (the interpreter's status for that)."""
    if sys.stdout is None:
        return 0
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered must not fail once more when the process ends.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
        return UNWRITTEN
    return 0
