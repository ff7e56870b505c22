"""Saves sessions and suspended programs, and makes them again."""

from __future__ import annotations

import contextvars
import functools

from .. import _core, engine
from ..aio.core import Future, has_variables, set_saved_state, state_to_save
from ..errors import SnapshotError
from ..files.keeping import files_to_save, restore_files
from ..isolation import codec
from ..objects.builtins import compile_again
from ..stepping import PendingCall, Run, Suspended, function_names, suspending_functions
from . import form, natives
from .codes import code_form
from .natives import Unsaved
from .reader import Reader
from .verifier import check_frames, check_run
from .writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..runtime import Runtime
    from ..session import Session

__all__ = ["dump", "fork", "load"]


def dump(session: Session, run: Run | None, key: bytes | None, savers: Any = None) -> bytes:
    """The bytes of a session that is not in use; with the run that is suspended in it, if there is one.

    Raises:
        SnapshotError: something in it has no form outside this process; the text says where it is.
        ImportError: the package lz4 is missing.
    """
    check_key(key)
    return form.pack(payload_of(session, run, checked_functions("savers", savers, type)), key)


def payload_of(session: Session, run: Run | None, savers: dict[Any, Any] | None) -> bytes:
    """What a snapshot holds, without its frame. Raises SnapshotError: something has no form outside this process."""
    context = session._context
    namespace = session._live()
    parts = None if run is None else _core.suspension_parts(run.suspension)
    builtins = namespace["__builtins__"] if parts is None else parts[7]
    head = (
        context.cells or {},
        session._cells,
        context.main_source,
        natives.random_state(context),
        variables_of(session),
        state_to_save(context),
        None if run is None or parts is None else step_parts(run, parts, savers),
    )
    names = ([], []) if run is None else names_of(run)
    files, unsaved = files_of(session)
    data = write(context, builtins, namespace, None if run is None and files is None else (*names, files), head, None, savers)
    if unsaved is not None:
        raise SnapshotError(f"the guest's files cannot be saved: {unsaved}")
    return data


def files_of(session: Session) -> tuple[bytes | None, str | None]:
    """The files of a guest, None where there is nothing to save; or why they cannot be saved."""
    try:
        found = files_to_save(session._context.files, session._given)
    except ValueError as error:
        return None, str(error)
    return None if found is None else codec.encode(found), None


def checked_functions(which: str, given: Any, keys: type) -> dict[Any, Any] | None:
    """Savers or loaders. Raises TypeError for what are none."""
    if given is None:
        return None
    found = dict(given)
    for key, function in found.items():
        if not isinstance(key, keys) or not callable(function):
            raise TypeError(f"{which} must be functions by {'classes' if keys is type else 'names'}, not {key!r}: {function!r}")
    return found


def names_of(run: Run) -> tuple[list[str], list[str]]:
    """Names of the functions that suspend a run, and of those that it awaits."""
    functions = run.suspension.functions.items()
    names = function_names(run.session._context, run.suspension)
    return (
        [names[function] for function, how in functions if how is True],
        [names[function] for function, how in functions if how is not True and how is not ...],
    )


def write(
    context: Any, builtins: Any, namespace: dict[str, Any], names: Any, head: Any, shared: list[Any] | None = None,
    savers: dict[Any, Any] | None = None
) -> bytes:
    """The objects of a guest as bytes. Raises SnapshotError, which says where something cannot be saved."""
    try:
        data: bytes = Writer(context, builtins, namespace, shared, savers).write(names, head)
    except Unsaved:
        writer = Writer(context, builtins, namespace, shared if shared is None else [], savers, True)
        try:
            writer.write(names, head)
        except Unsaved as error:
            raise SnapshotError(f"{writer.where()} cannot be saved: {error}") from None
        raise
    return data


def variables_of(session: Session) -> Any:
    """The Context of the host that has a guest's context variables, where it has set any; or None."""
    context = session._context
    return session._variables if has_variables(context) or natives.uses_decimal(context) else None


def step_parts(run: Run, parts: tuple[Any, ...], savers: dict[Any, Any] | None) -> tuple[Any, ...]:
    """What a suspended run is beside the state of its session."""
    frames, values, handled, handling, ret, asked, code, _ = parts
    suspension = run.suspension
    context = run.session._context
    calls = []
    for call in run.waits_for:
        args = [saved_argument(call.name, each, savers) for each in call.args]
        kwargs = {key: saved_argument(call.name, each, savers) for key, each in call.kwargs.items()}
        text = codec.encode((call.name, args, kwargs))
        calls.append((call.id, text, None if suspension.function is not None else suspension.pending[call.id][2]))
    return (
        [(*frame, code_form(frame[0])) for frame in frames],
        values,
        _core.suspension_size(suspension),
        handled,
        handling,
        ret,
        asked,
        code,
        calls,
        _core.meter_parts(run.meter),
        context.stdout_parts,
        context.stderr_parts,
        run.filename,
        run.source,
        run.figures,
        run.times,
        uses_of_functions(run),
    )


def uses_of_functions(run: Run) -> list[tuple[str, int, float]]:
    """What a run has used of functions of the host that have limits of their own: name, calls, seconds."""
    calls, seconds = _core.host_uses(run.meter)
    if not calls and not seconds:
        return []
    functions = run.session._context.functions or {}
    used = {name: each for name, each in functions.items() if each in calls or each in seconds}
    return [(name, calls.get(each, 0), seconds.get(each, 0.0)) for name, each in used.items()]


def saved_argument(name: str, value: Any, savers: dict[Any, Any] | None) -> tuple[str | None, bytes]:
    """An argument of a call of the host: the name of what loads it, None for plain data, and the data."""
    try:
        return None, codec.encode(value)
    except codec.CannotCross as error:
        reason = error
    try:
        found = natives.saved_by_host(value, savers)
    except Unsaved as error:
        raise SnapshotError(f"an argument of {name}() cannot be saved: {error}") from error
    if found is None:
        raise SnapshotError(f"an argument of {name}() cannot be saved: it is or holds {reason}")
    return found


def loaded_argument(saved: Any, loaders: dict[Any, Any] | None) -> Any:
    name, data = saved
    return codec.decode(data, form.LARGEST) if name is None else natives.load_for_host(name, data, loaders)


def load(
    data: bytes, runtime: Runtime | None = None, *, key: bytes | None = None, loaders: Mapping[str, Any] | None = None
) -> Session | Suspended:
    """Makes a session, or a suspended program with its session, of what ``Session.dump`` or ``Suspended.dump`` has saved.

    Nothing of the program runs.

    Args:
        data: the bytes.
        runtime: gives the session its limits, functions and modules; it must offer what the program uses. A plain ``Runtime()``
            when it is not given.
        key: the key that it was saved with.
        loaders: functions that make objects of the host again, by the names of their classes: each gets what the saver returned.

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
    loaders = checked_functions("loaders", loaders, str)
    if runtime is None:
        from ..runtime import Runtime as PlainRuntime

        runtime = PlainRuntime()
    data = bytes(data)
    return made_of(form.unpack(data, key), runtime, loaders, form.version_of(data))


def made_of(payload: bytes, runtime: Any, loaders: dict[Any, Any] | None, version: int = form.VERSION) -> Session | Suspended:
    """What a payload of a version of the format describes, in a session that the runtime makes. Raises SnapshotError."""
    session: Session = runtime.session()
    reader = None
    try:
        context = session._context
        namespace = session._live()
        builtins = namespace["__builtins__"]
        reader = Reader(
            context, builtins, namespace, payload, lambda text, name: load_code(session, text, name), compile_again, None,
            session._variables, loaders,
        )
        reader.version = version
        names = reader.read_names()
        functions = {} if names is None else suspending_functions(session, *(tuple(check_names(each)) for each in names[:2]))
        if names is not None and names[2] is not None:
            restore_files(engine.file_system(context), codec.decode(names[2], form.LARGEST))
        cells, count, main, random, variables, state, step = reader.read()
        if type(cells) is not dict or not all(type(name) is str and isinstance(cells[name], (str, bytes)) for name in cells):
            raise ValueError("cells without names and texts")
        context.cells = cells
        context.main_source = checked_main(main)
        session._cells = int(count)
        if random is not None:
            natives.set_random_state(context, reader.library_module("random"), random)
        take_variables(session, variables, state)
        if step is not None:
            return make_step(session, reader, functions, step, loaders)
        if reader.generators:
            raise ValueError("a generator that runs in no frame")
        return session
    except SnapshotError:
        abandon(reader)
        raise
    except Exception as error:  # whatever objects say to what is no state of theirs
        abandon(reader)
        raise SnapshotError(
            f"the snapshot does not fit: {type(error).__name__}: {error}; where another version of Python saved it, load it "
            "with the version that did"
        ) from None


def take_variables(session: Session, variables: Any, state: Any) -> None:
    """Gives a session its context variables, and what it has of asyncio. Raises ValueError for what is neither."""
    if variables is not None:
        if not isinstance(variables, contextvars.Context):
            raise ValueError("context variables that are none")
        session._variables = variables
    set_saved_state(session._context, state)


def checked_main(main: Any) -> tuple[str, str | bytes] | None:
    """The name and text of the program, or None. Raises ValueError for anything else."""
    if main is None or (type(main) is tuple and len(main) == 2 and type(main[0]) is str and isinstance(main[1], (str, bytes))):
        return main
    raise ValueError("a program without a name and a text")


def fork(session: Session) -> Session:
    """A session with copies of everything that can change. Raises SnapshotError: something cannot be copied."""
    from ..session import Session as PlainSession

    context = session._context
    namespace = session._live()
    files, unsaved = files_of(session)
    if unsaved is not None:
        raise SnapshotError(f"the guest's files cannot be copied: {unsaved}")
    shared: list[Any] = []
    head = variables_of(session), state_to_save(context)
    data = write(context, namespace["__builtins__"], namespace, None, head, shared)
    fresh = context.renewed(session._limits.output)
    fresh.files = session._given
    fresh.functions = context.functions
    made = PlainSession(fresh, session._cache, None, session._limits, session._total)
    made._used.update(session._used)
    made._cells = session._cells
    made._context.cells = dict(context.cells or {})
    made._context.main_source = context.main_source
    copy = made._live()
    if files is not None:
        restore_files(engine.file_system(made._context), codec.decode(files, form.LARGEST))
    reader = Reader(
        made._context, copy["__builtins__"], copy, data, lambda text, name: load_code(made, text, name), compile_again, shared,
        made._variables,
    )
    reader.read_names()
    take_variables(made, *reader.read())
    state = natives.random_state(context)
    if state is not None:
        natives.set_random_state(made._context, reader.library_module("random"), state)
    return made


def make_step(
    session: Session, reader: Reader, functions: dict[Any, Any], step: tuple[Any, ...], loaders: dict[Any, Any] | None
) -> Suspended:
    """The suspended run of a session. Raises ValueError and others for what is none."""
    (saved, values, size, handled, handling, ret, asked, code, calls, spent, stdout, stderr, filename, source, figures,
     times, *more) = step
    namespace = session._live()
    builtins = namespace["__builtins__"]
    check_run(filename, source, stdout, stderr, figures, times, asked)
    waits = []
    single = None
    for number, text, future in calls:
        if not 0 < number <= asked:
            raise ValueError("a call that was not made")
        name, args, kwargs = codec.decode(text, form.LARGEST)
        args = [loaded_argument(each, loaders) for each in args]
        if kwargs:
            kwargs = {key: loaded_argument(each, loaders) for key, each in kwargs.items()}
        waits.append((number, name, args, kwargs, future))
        if future is None:
            single = waits[-1]
    suspension = _core.Suspension(code, namespace, functions, *engine.step_helpers())
    known = {name: each for each, name in function_names(session._context, suspension).items()}
    if not waits or single is not None and len(waits) != 1:
        raise ValueError("a run that waits for no calls, or for such as do not go together")
    frames = [frame[:-1] for frame in saved]
    for frame in saved:
        if frame[-1] != code_form(frame[0]):
            raise SnapshotError(
                f"{frame[1].__qualname__} is half run and compiled differently by this version of kimi_runtime and Python: load "
                "the snapshot with the versions that saved it"
            )
    check_frames(frames, values, ret, namespace, _core.registers_of_generator)
    if not_in_frames(reader.generators, frames):
        raise ValueError("a generator that runs in no frame")
    _core.fill_suspension(suspension, frames, values, handled, handling, ret, asked, size, builtins,
                          None if single is None else known[single[1]], None)
    reader.generators.clear()  # they belong to the frames now
    meter = engine.make_meter(session._limits, session._heap)
    _core.fill_meter(meter, *spent)
    take_uses(session, meter, *more)
    run = Run(session, session._limits, meter, filename, source)
    run.suspension = suspension
    run.figures[:] = figures
    run.times[:] = times
    for number, name, args, kwargs, future in waits:
        if future is not None:
            if not isinstance(future, Future) or functions[known[name]] is True:
                raise ValueError("a call that is not awaited")
            suspension.pending[number] = known[name], functools.partial(known[name], *args, **kwargs), future
    run.waits_for = tuple([PendingCall(number, name, tuple(args), dict(kwargs)) for number, name, args, kwargs, _ in waits])
    session._take()
    del namespace["__builtins__"]
    session._context.begin_again(session._limits.output)
    session._context.stdout_parts.extend(stdout)
    session._context.stderr_parts.extend(stderr)
    session._suspend(run)
    return Suspended(run, run.waits_for)


def take_uses(session: Session, meter: Any, uses: Any = ()) -> None:
    """The same as ``uses_of_functions`` the other way, for those that the runtime has; ValueError for what is none."""
    if not uses:
        return
    functions = session._context.functions or {}
    calls, seconds = {}, {}
    for name, count, spent in uses:
        if type(count) is not int or not 0 <= count < 1 << 62 or type(spent) is not float or not 0 <= spent < 1e12:
            raise ValueError("calls of a function of the host that are none")
        if name in functions:
            calls[functions[name]], seconds[functions[name]] = count, spent
    if calls:
        _core.set_host_uses(meter, calls, seconds)


def not_in_frames(generators: list[Any], frames: list[Any]) -> bool:
    """Whether generators that run are not just those of the frames, each once."""
    given = [id(frame[3]) for frame in frames if frame[3] is not None]
    return len(given) != len(generators) or set(given) != {id(each) for each in generators}


def check_names(names: Any) -> list[str]:
    """Names of functions. Raises ValueError when they are none."""
    if type(names) is not list or not all(type(each) is str and each.isidentifier() for each in names):
        raise ValueError("names of functions that are none")
    return names


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
