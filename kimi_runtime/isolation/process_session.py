"""Sessions of ``Runtime(isolation="process")``: each has a worker process of its own for as long as it lives."""
from __future__ import annotations

import os
import sys
from time import monotonic
from typing import Any

from .. import checked
from ..async_runs import wait_in_thread
from ..bridge.conversion import convert_inputs
from ..errors import SessionError
from ..files.given import absolute, contents_of
from ..files.view import Files
from ..limits import DEFAULT, Limits
from ..result import Result
from ..session import CLOSED, Session
from . import protocol
from .channel import ChannelClosed, DeadlinePassed
from .codec import BadMessage
from .file_server import ChangedFiles, FileServer, files_to_value
from .handles import Handles
from .runs import HEAD, Output, Run, check_crossing, checked_result, run_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from ..checking import Finding
    from ..events import Event
    from .process_runtime import ProcessRuntime

__all__ = ["ProcessSession"]

#: What is not a run is answered within this time.
ANSWER_SECONDS = 10.0


class ProcessSession(Session):
    """A ``Session`` whose state is in a worker process.

    When that process ends, by a crash or because it had to be killed, the state is lost and the session is closed.
    """

    __slots__ = ("_runtime", "_output", "_handles", "_worker", "_current", "_ended", "_server", "_changed")

    def __init__(
        self, runtime: ProcessRuntime, inputs: Mapping[str, Any] | None, limits: Limits, total: Limits | None, output: Output,
        files: Any, functions: dict[str, Any]
    ) -> None:
        self._step = None
        self._runtime = runtime
        self._limits = limits
        self._output = output
        self._handles = Handles(runtime._handles)
        self._current: Run | None = None
        self._ended = ""
        self._cells = 0
        self._worker: Any = None
        self._server = FileServer(files)
        self._changed = ChangedFiles()
        self._changed.use(limits)
        values = None if inputs is None else self._plain(inputs)
        for name, function in functions.items():
            check_crossing(f"functions: {name}", function, Handles(self._handles))
        self._worker = runtime._pool.start(limits)
        runtime._pool.hold(self._worker)
        try:
            given = ... if total is None else protocol.limits_to_value(total)
            self._ask("open", protocol.limits_to_value(limits), given, files_to_value(files), body=(values, functions))
        except BaseException:
            self._end("it could not be opened")
            raise

    # ---- running -------------------------------------------------------------------------------------
    def run(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str | None = None,
        check: bool = False,
        limits: Limits | None = DEFAULT,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
    ) -> Result:
        """Runs a program in the session's namespace: see ``Session.run``."""
        run, message = self._start(source, inputs, filename, limits, on_stdout, on_stderr)
        return self._exchange(run, message, source, check)

    async def run_async(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str | None = None,
        check: bool = False,
        limits: Limits | None = DEFAULT,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
    ) -> Result:
        """Runs a program while the event loop goes on: see ``Session.run_async``."""
        run, message = self._start(source, inputs, filename, limits, on_stdout, on_stderr)
        return await wait_in_thread(run.cancel, self._exchange, run, message, source, check)

    def events(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str | None = None,
        limits: Limits | None = DEFAULT,
    ) -> AsyncIterator[Event]:
        """What a program tells while it runs: see ``Session.events``."""
        from ..events import events_of

        async def run(tell: Any, on_stdout: Any, on_stderr: Any) -> Result:
            begun, message = self._start(source, inputs, filename, limits, on_stdout, on_stderr, tell)
            return await wait_in_thread(begun.cancel, self._exchange, begun, message, source, False)

        return events_of(run)

    def start(self, *args: Any, **settings: Any) -> Any:
        """Programs in other processes cannot be suspended: NotImplementedError."""
        raise NotImplementedError("a session in a worker process cannot be suspended: use Runtime(isolation='inline')")

    def check(
        self, source: str | bytes, *, filename: str = "<cell>", types: bool = False, type_timeout: float = 30.0
    ) -> list[Finding]:
        """Says what is wrong with a program that would run next: see ``Session.check``."""
        return self._runtime.check(source, self.names(), filename=filename, types=types, type_timeout=type_timeout)

    def dump(self, *, key: bytes | None = None, savers: Mapping[type, Any] | None = None) -> bytes:
        """Sessions in other processes cannot be saved: NotImplementedError."""
        raise NotImplementedError("a session in a worker process cannot be saved: use Runtime(isolation='inline')")

    def restore(self, data: bytes, *, key: bytes | None = None, loaders: Mapping[str, Any] | None = None) -> None:
        """Not there: see ``dump``."""
        self.dump()

    def fork(self) -> ProcessSession:
        """Sessions in other processes cannot be copied: NotImplementedError."""
        raise NotImplementedError("a session in a worker process cannot be copied: use Runtime(isolation='inline')")

    def cancel(self) -> bool:
        """Stops the program that runs at this moment, if there is one: see ``Session.cancel``."""
        run = self._current
        return run is not None and run.cancel()

    def _start(
        self, source: str | bytes, inputs: Mapping[str, Any] | None, filename: str | None, limits: Limits | None,
        on_stdout: Callable[[str], object] | None, on_stderr: Callable[[str], object] | None,
        tell: Callable[[Event], None] | None = None
    ) -> tuple[Run, bytes]:
        """Checks the arguments and takes the session for a run."""
        checked.program(source, "" if filename is None else filename, inputs)
        given = self._limits if limits is DEFAULT else checked.limits(limits)
        if not self._fits(given):
            raise ValueError("limits: with isolation='process' memory and result_size of a run cannot be more than those of "
                             "its session")
        checked.callbacks(on_stdout, on_stderr)
        output = self._output.with_callbacks(on_stdout, on_stderr)
        given_limits = ... if limits is DEFAULT else protocol.limits_to_value(given)
        message = run_frame(filename, given_limits, True, output, source, inputs, self._handles,
                            tell is not None or self._runtime._displays)
        self._take()
        try:
            self._alive()
            self._cells += 1
            self._current = run = Run(self._runtime, given, output, self._handles, self._server, self._changed, tell,
                                      source)
        except BaseException:
            self._give_back()
            raise
        return run, message

    def _fits(self, limits: Limits) -> bool:
        return all(most is None or (asked is not None and asked <= most) for asked, most in (
            (limits.memory, self._limits.memory), (limits.result_size, self._limits.result_size)))

    def _exchange(self, run: Run, message: bytes, source: str | bytes, check: bool) -> Result:
        ended = "its run was interrupted"
        try:
            self._runtime._pool.place(self._worker)
            result = run.exchange(self._worker, message, len(source) > protocol.LONG_SOURCE)
            ended = "" if run.clean or run.lives else str(result.error)
        finally:
            self._current = None
            if ended and not run.lives:
                self._end(ended)
            self._give_back()
        return checked_result(result, check)

    # ---- state ---------------------------------------------------------------------------------------
    def names(self) -> list[str]:
        """The names that the guest, or the host, has set: see ``Session.names``."""
        names = self._request("names")
        if type(names) is not list or any(type(name) is not str for name in names):
            self._end("its worker sent what is no list of names")
            self._alive()
        return list(names)

    def __getitem__(self, name: str) -> Any:
        """The value of a name of the guest.

        Raises:
            KeyError: it has no such name.
            TypeError: the value cannot cross from the worker process.
        """
        return self._request("get", body=name)

    def __contains__(self, name: object) -> bool:
        """Whether the guest has such a name."""
        return isinstance(name, str) and self._request("contains", body=name) is True

    def set(self, **values: Any) -> None:
        """Sets names of the guest: see ``Session.set``. Raises TypeError for a value that cannot cross."""
        self._request("set", body=self._plain(values))

    def reset(self) -> None:
        """Forgets all names and modules: see ``Session.reset``."""
        self._request("reset")
        self._server.reset()
        self._changed = ChangedFiles()
        self._changed.use(self._limits)
        self._cells = 0

    @property
    def files(self) -> Files:
        """The guest's files: see ``Session.files``."""
        return RemoteFiles(self)

    def close(self) -> None:
        """Runs what the guest registered with `atexit`, within the limits of a run, and ends the worker process.

        Closing a session that is closed does nothing. Raises SessionError when it runs a program at this moment.
        """
        self._take()
        try:
            self._close()
        finally:
            self._give_back()

    def _close(self) -> None:
        if self._ended:
            return
        try:
            output = self._ask("close")
            run = self._quiet_run()
            if type(output) is tuple and len(output) == 2:
                for stream, text in enumerate(output, 1):
                    if text:
                        run.write((stream, text))
        except (SessionError, BadMessage):
            return
        finally:
            self._end("closed")

    def _closed(self) -> bool:
        return bool(self._ended)

    def _request(self, what: str, *more: Any, body: Any = None, told: ChangedFiles | None = None) -> Any:
        self._take()
        try:
            self._alive()
            return self._ask(what, *more, body=body, told=told)
        finally:
            self._give_back()

    def _quiet_run(self) -> Run:
        """A run for what the worker asks while no program runs."""
        return Run(self._runtime, self._limits, self._output, self._handles, self._server, self._changed)

    def _ask(self, what: str, *more: Any, body: Any = None, told: ChangedFiles | None = None) -> Any:
        """Has the worker do something with its session. Raises what it says, as an exception of a known kind.

        told: gets the files that it tells, in the place of those that are known to have changed.
        """
        channel = self._worker.process.channel
        seconds = 1e9 if self._limits.seconds is None else 1.1 * self._limits.seconds
        deadline = monotonic() + ANSWER_SECONDS + seconds
        run = self._quiet_run()
        if told is not None:
            run.changed = told
        try:
            channel.send(self._handles.frame(protocol.SESSION, (what, *more), body), deadline)
            while True:
                kind, failure, value = channel.receive(deadline, HEAD, self._limits.result_size, self._handles)
                if kind == protocol.OUTPUT:
                    run.write(failure)
                elif kind == protocol.CALL:
                    channel.send(run.answer(failure, value), deadline)
                elif kind == protocol.FILES:
                    run.changed.take(failure)
                elif kind == protocol.DONE:
                    break
                else:
                    raise BadMessage("a message out of turn")
        except (ChannelClosed, DeadlinePassed, BadMessage) as error:
            self._end(f"its worker process has ended ({type(error).__name__})")
            return self._alive()
        except BaseException:
            self._end("it was interrupted")
            raise
        if failure is None:
            return value
        if type(failure) is tuple and len(failure) == 3 and failure[0] == "OSError" and type(failure[1]) is int \
                and type(failure[2]) is str:
            raise OSError(failure[1], os.strerror(failure[1]), failure[2])
        kinds: dict[Any, type[Exception]] = {"KeyError": KeyError, "TypeError": TypeError, "ValueError": ValueError}
        if type(failure) is not tuple or len(failure) != 2 or type(failure[0]) is not str or type(failure[1]) is not str:
            self._end("its worker sent what is no message")
            return self._alive()
        raise kinds.get(failure[0], SessionError)(failure[1])

    def _alive(self) -> None:
        """Raises SessionError when the session is closed, or has lost its worker."""
        if self._ended == "closed":
            raise SessionError(self._idle_text() if self._ended_idle else CLOSED)
        if self._ended:
            raise SessionError(f"the session has lost its state, make another one: {self._ended}")

    def _live(self) -> dict[str, Any]:
        self._alive()
        return {}

    def _end(self, why: str) -> None:
        """The end of the worker process."""
        if not self._ended:
            self._ended = why
            if self._worker is not None:
                self._runtime._pool.let_go(self._worker)
                self._worker.process.kill()

    def __del__(self) -> None:
        if getattr(self, "_worker", None) is not None and not sys.is_finalizing():
            self._end("closed")

    def _plain(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Names and values that can cross. Raises TypeError and ValueError for others."""
        checked.names(values)
        found: dict[str, Any] = convert_inputs(values, self._handles)
        for name, value in found.items():
            check_crossing(f"inputs: {name}", value, Handles(self._handles))
        return found

    def __repr__(self) -> str:
        return f"<Session: {'closed' if self._ended else f'{self._cells} runs'}>"


class RemoteFiles(Files):
    """The files of a session in a worker process, which are there: see ``Files``."""

    __slots__ = ("_session",)

    def __init__(self, session: ProcessSession) -> None:
        session._alive()
        self._session = session

    def __getitem__(self, path: str) -> bytes:
        told = ChangedFiles()
        told.most_size = None
        told.most_count = 1
        self._session._request("file", body=absolute(path), told=told)
        if not told.files:
            raise KeyError(path)
        return told.whole()

    def __setitem__(self, path: str, contents: Any) -> None:
        path = absolute(path)
        found = contents_of(path, contents)
        session = self._session
        is_sent = type(found) is bytes
        session._request("put", path, body=found if is_sent else None)
        session._server.more[path] = found if not is_sent else b""
        session._changed.drop(path)

    def __delitem__(self, path: str) -> None:
        path = absolute(path)
        if not self._session._request("drop", body=path):
            raise KeyError(path)
        self._session._changed.drop(path)

    def _names(self) -> list[tuple[str, bool]]:
        session = self._session
        told = ChangedFiles()
        told.ask_for_names(session._changed, session._server)
        session._request("files", told=told)
        return told.names

    def __iter__(self) -> Iterator[str]:
        return iter([path for path, _ in self._names()])

    def __len__(self) -> int:
        return len(self._names())

    def __contains__(self, path: object) -> bool:
        try:
            found = absolute(path)
        except (TypeError, ValueError):
            return False
        return found in list(self)

    def changed(self) -> list[str]:
        return [path for path, is_changed in self._names() if is_changed]
