"""One run in a worker, as the host sees it: what goes back and forth, and what is made of a worker's end."""
from __future__ import annotations

import signal
from contextlib import contextmanager
from contextvars import copy_context
from threading import Lock, Thread
from time import monotonic, sleep
from typing import IO, Any

from ..bridge.conversion import convert_inputs
from ..bridge.host_exceptions import for_guest
from ..errors import GuestError
from ..limits import Limits
from ..objects.context import join_small
from ..result import Result
from . import protocol
from .channel import BATCHED, EACH, LINES, ChannelClosed, DeadlinePassed
from .codec import BadMessage, CannotCross, encode, frame, place_of
from .file_server import ChangedFiles, FileServer
from .handles import Handles, arguments_of, exception_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..events import Event
    from .pool import Worker
    from .process_runtime import ProcessRuntime

__all__ = ["GRACE", "HEAD", "Output", "Run", "check_crossing", "checked_result", "failed_result", "run_frame"]

#: Beyond its limit a run has a tenth and this many seconds to stop by itself; then its worker is killed.
GRACE = 0.5
#: A long source may take this long to be compiled.
COMPILE_SECONDS = 30.0
#: Memory of the small parts of a message.
HEAD = 1_000_000
#: Room for the line that says that output was cut.
MARKER = 200


class Output:
    """Where the output of runs goes.

    Args:
        on_stdout, on_stderr: functions that get it by lines, or None.
        stdout, stderr: otherwise streams that get each write, or None to collect it.

    Attributes:
        modes: how the worker is to pass it on.
    """

    __slots__ = ("modes", "targets")

    def __init__(
        self, on_stdout: Callable[[str], object] | None, on_stderr: Callable[[str], object] | None, stdout: IO[str] | None,
        stderr: IO[str] | None
    ) -> None:
        self.targets = tuple(
            function if function is not None else None if stream is None else stream.write
            for function, stream in ((on_stdout, stdout), (on_stderr, stderr)))
        self.modes = tuple(
            LINES if function is not None else BATCHED if stream is None else EACH
            for function, stream in ((on_stdout, stdout), (on_stderr, stderr)))

    def with_callbacks(self, on_stdout: Callable[[str], object] | None, on_stderr: Callable[[str], object] | None) -> Output:
        """The same with other functions where they are given."""
        if on_stdout is None and on_stderr is None:
            return self
        made = Output(on_stdout, on_stderr, None, None)
        for which, function in enumerate((on_stdout, on_stderr)):
            if function is None:
                made.targets = (*made.targets[:which], self.targets[which], *made.targets[which + 1:])
                made.modes = (*made.modes[:which], self.modes[which], *made.modes[which + 1:])
        return made


class Collected:
    """Output that the host keeps until somebody asks for it: no more memory than its text, however small the pieces are."""

    __slots__ = ("parts", "compacted")

    def __init__(self) -> None:
        self.parts: list[str | bytes] = []
        self.compacted = 0

    def add(self, text: str) -> None:
        """Takes a piece."""
        self.parts.append(text)
        self.compacted = join_small(self.parts, self.compacted)


def run_frame(
    filename: str | None, limits: Any, in_session: bool, output: Output, source: str | bytes, inputs: Mapping[str, Any] | None,
    handles: Handles, shows: bool = False, files: Any = ..., may_await: bool = False
) -> bytes:
    """The message that has a program run.

    Args:
        shows: whether what it displays is told.
        files: see ``files_to_value``; ... for those of the runtime.
        may_await: whether it may await at its top level, as programs of sessions may.

    Raises:
        TypeError: an input cannot cross.
    """
    values = None if inputs is None else convert_inputs(inputs, handles)
    try:
        head = filename, limits, in_session, output.modes, shows, files, may_await
        return handles.frame(protocol.RUN, head, (source, values))
    except CannotCross:
        for name, value in (values or {}).items():
            check_crossing(f"inputs: {name}", value, Handles(handles))
        raise


def check_crossing(what: str, value: Any, handles: Handles | None = None) -> None:
    """Raises TypeError that names the part of a value that cannot cross."""
    try:
        encode(value, None, handles)
    except CannotCross as refused:
        place = place_of(value, handles)
        raise TypeError(f"{what}{place} is {refused.kind}, which cannot cross into the worker process") from None


def failed_result(
    error: GuestError, stdout: list[str | bytes] | None = None, stderr: list[str | bytes] | None = None
) -> Result:
    """The result of a run that ended without one."""
    return Result(None, error, stdout or [], stderr or [], protocol.NO_COSTS)


def checked_result(result: Result, check: bool) -> Result:
    """The result. Raises GuestException when the run failed and the host asked for that."""
    if check:
        result.unwrap()
    return result


class Shown:
    """What a run has displayed, for its result."""

    __slots__ = ("displays", "bundle", "profile")

    def __init__(self) -> None:
        self.displays: list[dict[str, Any]] = []
        self.bundle: dict[str, Any] = {}
        self.profile = None


class Run:
    """One run: what goes back and forth until there is a result.

    Attributes:
        clean: whether the worker can be used for another guest.
        lives: whether the worker is there still.
    """

    def __init__(
        self, runtime: ProcessRuntime, limits: Limits, output: Output, handles: Handles, files: FileServer,
        changed: ChangedFiles | None = None, tell: Callable[[Event], None] | None = None, source: str | bytes = ""
    ) -> None:
        self.runtime = runtime
        self.handles = handles
        self.files = files
        self.changed = ChangedFiles() if changed is None else changed
        self.changed.use(limits)
        self.tell = tell
        self.program = source
        self.shown = Shown()
        self.shown_left = None if limits.output is None else limits.output + MARKER
        self.variables = copy_context()     # in which the host's code runs
        self.host_calls = 0
        self.limits = limits
        self.clean = False
        self.lives = False
        self.worker: Worker | None = None
        self.state = Lock()         # of what follows
        self.is_over = False
        self.is_cancelled = False
        self.in_host_code = False
        self.output = output
        self.stdout = Collected()
        self.stderr = Collected()
        self.output_left = None if limits.output is None else limits.output + MARKER
        self.host_error: BaseException | None = None    # that the host's code has raised, and that ends the run
        self.host_seconds = 0.0
        self.over: str | None = None                    # a limit that the host counts and that is used up

    # ---- stopping ------------------------------------------------------------------------------------
    def cancel(self) -> bool:
        """Stops the run, from any thread. Returns whether it was going on."""
        with self.state:
            if self.is_over:
                return False
            started = self.is_cancelled
            self.is_cancelled = True
        if not started:
            Thread(target=self.insist, name="kimi-cancel", daemon=True).start()
        return True

    def insist(self) -> None:
        """Tells the worker until it stops; kills it when it does not."""
        left = GRACE
        while left > 0:
            with self.state:
                if self.is_over:
                    return
                if self.worker is not None:
                    self.worker.process.signal(signal.SIGUSR1)
                    left -= 0 if self.in_host_code else 0.01
            sleep(0.01)
        with self.state:
            if not self.is_over and self.worker is not None:
                self.worker.process.signal(signal.SIGKILL)

    # ---- talking -------------------------------------------------------------------------------------
    def exchange(self, worker: Worker, message: bytes, is_long: bool) -> Result:
        """Sends the program and answers the worker until it has the result."""
        self.worker = worker
        try:
            return self.talk(worker, message, is_long)
        finally:
            with self.state:
                self.is_over = True

    def talk(self, worker: Worker, message: bytes, is_long: bool) -> Result:
        limits = self.limits
        channel = worker.process.channel
        begun = monotonic()
        allowed = None if limits.seconds is None else limits.seconds * 1.1 + GRACE
        deadline = 0.0 if allowed is None else begun + allowed + (COMPILE_SECONDS if is_long else 0.0)
        worker.runs += 1
        head_limit = HEAD + (4 * limits.output if limits.output is not None else 1 << 40)
        try:
            channel.send(message, deadline)
            while True:
                kind, head, body = channel.receive(
                    deadline and deadline + self.host_seconds, head_limit, limits.result_size, self.handles)
                if kind == protocol.RESULT:
                    return self.finish(head, body)
                if kind == protocol.OUTPUT:
                    self.write(head)
                elif kind == protocol.CALL:
                    channel.send(self.answer(head, body), deadline and deadline + self.host_seconds)
                elif kind == protocol.FILES:
                    self.changed.take(head)
                elif kind == protocol.DISPLAY:
                    self.show(head, body)
                elif kind == protocol.STARTED and is_long:
                    is_long = False
                    if allowed is not None:
                        deadline = monotonic() + allowed - self.host_seconds
                elif kind == protocol.FAILED and type(head) is str:
                    worker.process.kill()
                    return self.failed(crash_error(f"the worker process failed: {head[-4000:]}"))
                else:
                    raise BadMessage("a message out of turn")
        except DeadlinePassed:
            worker.process.kill()
            text = limits.explain("seconds") + "; its worker did not stop by itself and was killed"
            return self.failed(GuestError("LimitExceeded", text, f"LimitExceeded: {text}\n", limit="seconds"))
        except ChannelClosed:
            status = worker.process.kill()
            if self.over is not None:
                return self.failed(self.over_error(None))
            if self.is_cancelled:
                text = limits.explain("cancelled") + "; its worker did not stop by itself and was killed"
                return self.failed(GuestError("LimitExceeded", text, f"LimitExceeded: {text}\n", limit="cancelled"))
            if self.runtime._pool.is_closed:
                return self.failed(crash_error("the runtime was closed"))
            return self.failed(crash(status))
        except BadMessage as error:
            worker.process.kill()
            return self.failed(crash_error(f"the worker process sent what is no message: {error}"))
        finally:
            worker.seconds_left -= monotonic() - begun

    def failed(self, error: GuestError) -> Result:
        if self.host_error is not None:
            raise self.host_error
        return failed_result(error, self.stdout.parts, self.stderr.parts)

    def finish(self, head: Any, body: Any) -> Result:
        """The result, from what the worker sent."""
        error, stdout, stderr, costs = protocol.check_result(head)
        if stdout:
            self.write((1, stdout))
        if stderr:
            self.write((2, stderr))
        failure = protocol.error_from_value(error)
        self.lives = True
        self.clean = failure is None or failure.limit != "memory"
        if self.over is not None:
            body, failure = None, self.over_error(failure)
        if self.host_error is not None:
            raise self.host_error
        return Result(body, failure, self.stdout.parts, self.stderr.parts, costs, dict(self.changed.files), self.shown,
                      self.program)

    def look_at_time(self) -> None:
        """Stops the run when the host's code has taken more time than it may."""
        most = self.limits.host_seconds
        if most is not None and self.host_seconds > most and self.over is None:
            self.over = "host_seconds"
            self.cancel()

    def over_error(self, failure: GuestError | None) -> GuestError:
        """The error of a run that the host has stopped for a limit. failure: what the worker says, if it was stopped."""
        text = self.limits.explain(self.over or "")
        if failure is None or failure.limit != "cancelled":
            return GuestError("LimitExceeded", text, f"LimitExceeded: {text}\n", limit=self.over)
        traceback = failure.traceback.replace(failure.message, text)
        return GuestError("LimitExceeded", text, traceback, failure.filename, failure.line, failure.column, limit=self.over)

    def write(self, head: Any) -> None:
        """Takes output of the guest."""
        if type(head) is not tuple or len(head) != 2 or head[0] not in (1, 2) or type(head[1]) is not str:
            raise BadMessage("not output")
        stream, text = head
        if self.output_left is not None:
            self.output_left -= len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
            if self.output_left < 0 or not text:
                raise BadMessage("more output than the limit")
        target = self.output.targets[stream - 1]
        if target is None:
            (self.stdout if stream == 1 else self.stderr).add(text)
        elif self.host_error is None and self.over is None:
            with self.host_code():
                self.variables.run(target, text)

    def show(self, what: Any, body: Any) -> None:
        """Takes something that the guest shows. what: "display", or "bundle" for the value of the program."""
        from ..events import Event, weight_of_display

        if type(body) is not tuple or len(body) != 2 or not all(
                type(part) is dict and all(type(key) is str for key in part) for part in body):
            raise BadMessage("nothing that is shown")
        data, metadata = body
        if what == "bundle":
            self.shown.bundle = data
            return
        if self.shown_left is not None:
            self.shown_left -= weight_of_display(data)
            if self.shown_left < 0:
                raise BadMessage("more output than the limit")
        self.shown.displays.append(data)
        if self.tell is not None:
            self.tell(Event("display", data=data, metadata=metadata))

    @contextmanager
    def host_code(self) -> Iterator[None]:
        """Code of the host runs: its time is not the guest's, and what it raises ends the run."""
        begun = monotonic()
        self.in_host_code = True
        try:
            yield
        except BaseException as error:
            if self.worker is None:
                raise
            self.host_error = error
            self.cancel()
        finally:
            self.in_host_code = False
            self.host_seconds += monotonic() - begun
            self.look_at_time()

    def answer(self, head: Any, arguments: Any) -> bytes:
        """Does what the guest asks the host for, which is no time of the guest but for what it does with mounted files."""
        if type(head) is not tuple or len(head) != 3 or type(head[0]) is not str:
            raise BadMessage("not a call")
        if head[0] == "mount":
            return self.answer_files(head)
        begun = monotonic()
        self.in_host_code = True
        try:
            with self.runtime._pool.host_code():
                return self.variables.run(self.answer_call, head, arguments)
        finally:
            self.in_host_code = False
            self.host_seconds += monotonic() - begun
            self.look_at_time()

    def answer_call(self, head: Any, arguments: Any) -> bytes:
        what, name, dropped = head
        self.handles.let_go(dropped)
        if what == "file":
            return self.file(name)
        if what == "source" and type(name) is str:
            return self.source(name, bool(arguments))
        if what == "line":
            return self.line()
        self.host_calls += 1
        if self.limits.host_calls is not None and self.host_calls > self.limits.host_calls:
            raise BadMessage("more calls than the limit")
        if what == "call":
            self.tell_call(name, arguments)
        try:
            value = self.handles.perform(what, name, arguments)
            return self.handles.frame(protocol.ANSWER, None, value)
        except BadMessage:
            raise
        except BaseException as error:
            if type(error) is StopIteration and what == "next":
                return frame(protocol.ANSWER, ("end",))
            return self.failure(error)

    def tell_call(self, number: Any, arguments: Any) -> None:
        """Says that a function of the host is called, where somebody wants to know."""
        if self.tell is None:
            return
        from ..events import Event

        entry = self.handles.entry(number)
        if entry.kind == "function":
            args, kwargs = arguments_of(arguments)
            self.tell(Event("call", name=entry.name, args=args, kwargs=kwargs))

    def answer_files(self, head: Any) -> bytes:
        """Does something in a mounted folder."""
        self.handles.let_go(head[2])
        try:
            return frame(protocol.ANSWER, None, self.files.perform(head[1], self.limits))
        except OSError as error:
            return frame(protocol.ANSWER, ("errno", error.errno or 0))

    def file(self, path: Any) -> bytes:
        """The contents of a file that the host gives."""
        try:
            return frame(protocol.ANSWER, None, self.files.contents(path))
        except BadMessage:
            raise
        except BaseException as error:  # goes to the guest
            return self.failure(error)

    def failure(self, error: BaseException) -> bytes:
        """What the guest gets of an exception that the host's code has raised; what is not for guests ends the run."""
        crossed = for_guest(error)
        if crossed is None:
            self.host_error = error
            return frame(protocol.ANSWER, ("stop",))
        try:
            return self.handles.frame(protocol.ANSWER, ("raise",), exception_parts(crossed))
        except CannotCross:  # arguments that are themselves objects
            return self.handles.frame(protocol.ANSWER, ("raise",), (type(crossed), (str(crossed),)))

    def source(self, name: str, wanted: bool) -> bytes:
        """The source of one of the guests' own modules, or whether there is one."""
        sources = self.runtime._modules_source
        if sources is None or name not in sources:
            return frame(protocol.ANSWER, None, None)
        try:
            return frame(protocol.ANSWER, None, sources[name] if wanted else True)
        except (OSError, SyntaxError) as error:
            return frame(protocol.ANSWER, (type(error).__name__, str(error)))

    def line(self) -> bytes:
        """The next line of the guest's input."""
        stdin = self.runtime._stdin
        try:
            line = stdin() if callable(stdin) else stdin.readline()  # type: ignore[union-attr]
            check_crossing("stdin: the line", line)
        except (EOFError, StopIteration):
            line = None
        except BaseException as error:  # goes to the guest, as a failure of its read
            return self.failure(error)
        return frame(protocol.ANSWER, None, line)


def crash_error(text: str) -> GuestError:
    """The error of a run whose worker has ended."""
    return GuestError("WorkerCrashed", text, f"WorkerCrashed: {text}\n", crashed=True)


def crash(status: int | None) -> GuestError:
    """The error of a run whose worker ended with a status."""
    if status is None:
        return crash_error("the worker process ended with its template")
    if status >= 0:
        return crash_error(f"the worker process ended with status {status}")
    if -status == signal.SIGSYS:
        return crash_error("the worker process was killed because it made a system call that its filter forbids (SIGSYS)")
    if -status == signal.SIGXCPU:
        return crash_error("the worker process was killed because it used up its processor time (SIGXCPU)")
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    hint = "; the system may be out of memory" if -status == signal.SIGKILL else ""
    return crash_error(f"the worker process crashed ({name}){hint}")

