"""Saves sessions and suspended programs, and makes them again."""

from __future__ import annotations

from .. import _core, engine
from ..errors import SnapshotError
from ..files.view import changed_files
from ..isolation import codec
from ..stepping import PendingCall, Run, Suspended, suspending_functions
from . import form, natives
from .reader import Reader
from .writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..runtime import Runtime
    from ..session import Session

__all__ = ["dump", "fork", "load"]


def dump(session: Session, run: Run | None, key: bytes | None) -> bytes:
    """The bytes of a session that is not in use; with the run that is suspended in it, if there is one.

    Raises:
        SnapshotError: something in it has no form outside this process; the text says where it is.
        ImportError: the package lz4 is missing.
    """
    check_files(session)
    check_key(key)
    context = session._context
    namespace = session._live()
    parts = None if run is None else _core.suspension_parts(run.suspension)
    builtins = namespace["__builtins__"] if parts is None else parts[7]
    writer = Writer(context, builtins)
    writer.root = namespace
    head: dict[str, Any] = {
        "globals": writer.refer(namespace, -1, ""),
        "cells": context.cells or {},
        "count": session._cells,
        "main": context.main_source,
        "random": natives.random_state(context),
    }
    if run is not None and parts is not None:
        head["step"] = step_parts(writer, run, parts)
    writer.finish()
    try:
        return form.pack((head, writer.sources, writer.records), key)
    except codec.CannotCross as error:
        raise SnapshotError(f"the snapshot holds what cannot be saved: {error}") from None


def check_files(session: Session) -> None:
    """SnapshotError when the guest has written files."""
    if changed_files(session._context.files):
        raise SnapshotError("the guest has files, which cannot be saved yet: take them by Session.files and remove them there")


def step_parts(writer: Writer, run: Run, parts: tuple[Any, ...]) -> dict[str, Any]:
    """What a suspended run is beside the state of its session."""
    frames, values, handled, handling, ret, asked, code, _ = parts
    suspension = run.suspension
    if suspension.pending:
        raise SnapshotError("a program that awaits calls of the host cannot be saved yet: only one that has called a function")
    root = -1
    saved = []
    for code_, function, namespace, generator, *rest in frames:
        origin = writer.refer(function, root, "<frame>")[0]
        saved.append(
            (
                writer.refer(code_, origin, ""),
                (origin,),
                writer.refer(namespace, origin, ".<namespace>"),
                writer.refer(generator, origin, ".<generator>"),
                *rest,
            )
        )
    context = writer.context
    call = run.waits_for[0]
    names = [function.__name__ for function, how in suspension.functions.items() if how is True]
    awaited = [function.__name__ for function, how in suspension.functions.items() if how is not True and how is not ...]
    return {
        "frames": saved,
        "values": writer.values(values, saved[0][1][0], None),
        "size": _core.suspension_size(suspension),
        "handled": writer.refer(handled, root, "<handled>"),
        "handling": handling,
        "ret": ret,
        "asked": asked,
        "code": writer.refer(code, root, "<program>"),
        "names": names,
        "awaited": awaited,
        "call": (call.name, call.args, call.kwargs),
        "meter": _core.meter_parts(run.meter),
        "stdout": list(context.stdout_parts),
        "stderr": list(context.stderr_parts),
        "filename": run.filename,
        "source": run.source,
        "figures": tuple(run.figures),
        "times": tuple(run.times),
    }


def load(data: bytes, runtime: Runtime | None = None, *, key: bytes | None = None) -> Session | Suspended:
    """Makes a session, or a suspended program with its session, of what ``Session.dump`` or ``Suspended.dump`` has saved.

    Nothing of the program runs.

    Args:
        data: the bytes.
        runtime: gives the session its limits, functions and modules; it must offer what the program uses. A plain ``Runtime()``
            when it is not given.
        key: the key that it was saved with.

    Returns:
        The ``Session``; or the ``Suspended`` step.

    Raises:
        SnapshotError: the bytes are damaged, altered, of another version, or need what the runtime does not have.
        TypeError: an argument is of another type.
        ImportError: the package lz4 is missing.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"load() needs bytes, not {type(data).__name__}")
    check_key(key)
    if runtime is None:
        from ..runtime import Runtime as PlainRuntime

        runtime = PlainRuntime()
    value = form.unpack(bytes(data), key)
    session = runtime.session()
    reader = None
    try:
        head, sources, records = value
        step = head.get("step")
        functions = None if step is None else suspending_functions(session, tuple(step["names"]), tuple(step["awaited"]))
        context = session._context
        context.cells = dict(head["cells"])
        if not all(type(name) is str and isinstance(text, (str, bytes)) for name, text in context.cells.items()):
            raise ValueError("cells without names and texts")
        context.main_source = head["main"]
        session._cells = int(head["count"])
        namespace = session._live()
        builtins = namespace["__builtins__"]
        (root,) = head["globals"]
        reader = Reader(context, builtins, lambda text, name: load_code(session, text, name), records, sources)
        reader.made[root] = namespace
        reader.root = namespace
        reader.read_all()
        if head["random"] is not None:
            natives.set_random_state(context, reader.library_module("random"), head["random"])
        if step is None:
            return session
        return make_step(session, reader, step, functions or {})
    except SnapshotError:
        abandon(reader)
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OverflowError, ImportError) as error:
        abandon(reader)
        raise SnapshotError(f"the snapshot does not fit: {type(error).__name__}: {error}") from None


def fork(session: Session) -> Session:
    """A session with copies of everything that can change. Raises SnapshotError: something cannot be copied."""
    from ..session import Session as PlainSession

    check_files(session)
    context = session._context
    namespace = session._live()
    writer = Writer(context, namespace["__builtins__"])
    writer.root = namespace
    (root,) = writer.refer(namespace, -1, "")
    writer.finish()
    fresh = context.renewed(session._limits.output)
    fresh.files = session._given
    made = PlainSession(fresh, session._cache, None, session._limits, session._total)
    made._used.update(session._used)
    made._cells = session._cells
    made._context.cells = dict(context.cells or {})
    made._context.main_source = context.main_source
    copy = made._live()
    reader = Reader(
        made._context, copy["__builtins__"], lambda text, name: load_code(made, text, name), writer.records, writer.sources
    )
    reader.made[root] = copy
    reader.root = copy
    reader.read_all()
    state = natives.random_state(context)
    if state is not None:
        natives.set_random_state(made._context, reader.library_module("random"), state)
    return made


def make_step(session: Session, reader: Reader, step: dict[str, Any], functions: dict[Any, Any]) -> Suspended:
    namespace = session._live()
    builtins = namespace["__builtins__"]
    texts = (step["source"], *step["stdout"], *step["stderr"])
    if type(step["filename"]) is not str or not all(isinstance(each, (str, bytes)) for each in texts):
        raise ValueError("a run without a name and a source")
    if len(step["figures"]) != 4 or len(step["times"]) != 4 or type(step["call"][0]) is not str:
        raise ValueError("a run without figures")
    if not all(type(each) is float for each in step["times"][:3]) or not all(isinstance(each, int) for each in step["figures"]):
        raise ValueError("a run with figures that are none")
    frames = [tuple(reader.get(each) for each in frame[:4]) + tuple(frame[4:]) for frame in step["frames"]]
    name, args, kwargs = step["call"]
    (function,) = (each for each in functions if each.__name__ == name)
    suspension = _core.Suspension(reader.get(step["code"]), namespace, functions, *engine.step_helpers())
    _core.fill_suspension(
        suspension,
        frames,
        reader.values(step["values"]),
        reader.get(step["handled"]),
        step["handling"],
        step["ret"],
        step["asked"],
        step["size"],
        builtins,
        function,
        None,
    )
    reader.generators.clear()  # they belong to the frames now
    meter = engine.make_meter(session._limits, session._heap)
    _core.fill_meter(meter, *step["meter"])
    run = Run(session, session._limits, meter, step["filename"], step["source"])
    run.suspension = suspension
    run.figures[:] = step["figures"]
    run.times[:] = step["times"]
    run.waits_for = (PendingCall(step["asked"], name, tuple(args), dict(kwargs)),)
    session._take()
    del namespace["__builtins__"]
    session._context.begin_again(session._limits.output)
    session._context.stdout_parts.extend(step["stdout"])
    session._context.stderr_parts.extend(step["stderr"])
    session._suspend(run)
    return Suspended(run, run.waits_for)


def load_code(session: Session, text: str | bytes, filename: str) -> Any:
    """The code of a source of the program, compiled."""
    if not isinstance(text, (str, bytes)) or not isinstance(filename, str):
        raise ValueError("a source that is no text")
    times: list[Any] = [0.0, 0.0, 0.0, False]
    code, error = engine.load_cell(session._context, session._cache, text, filename, session._limits, times)
    if code is None:
        raise SnapshotError(f"{filename} cannot be compiled: {error.message if error is not None else ''}")
    return code


def abandon(reader: Reader | None) -> None:
    """Lets go of generators that were to belong to frames."""
    if reader is not None:
        for each in reader.generators:
            _core.abandon_generator(each)


def check_key(key: Any) -> None:
    if key is not None and not isinstance(key, bytes):
        raise TypeError(f"key must be bytes, not {type(key).__name__}")
    if key is not None and len(key) < 16:
        raise ValueError("key must have at least 16 bytes")
