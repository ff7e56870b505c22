"""One run in a worker, as the host sees it: what goes back and forth, and what is made of a worker's end."""
from __future__ import annotations

import signal
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any

from ..errors import GuestError
from ..limits import Limits
from ..result import Result
from . import protocol
from .channel import ChannelClosed, DeadlinePassed
from .codec import BadMessage, CannotCross, encode, frame, place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .pool import Worker
    from .process_runtime import ProcessRuntime

__all__ = ["GRACE", "HEAD", "Run", "check_crossing", "checked_result", "failed_result", "run_frame"]

#: Beyond its limit a run has a tenth and this many seconds to stop by itself; then its worker is killed.
GRACE = 0.5
#: A long source may take this long to be compiled.
COMPILE_SECONDS = 30.0
#: Memory of the small parts of a message.
HEAD = 1_000_000


def run_frame(
    filename: str | None, limits: Any, in_session: bool, source: str | bytes, inputs: Mapping[str, Any] | None
) -> bytes:
    """The message that has a program run. Raises TypeError for an input that cannot cross."""
    values = None if inputs is None else dict(inputs)
    try:
        return frame(protocol.RUN, (filename, limits, in_session), (source, values))
    except CannotCross:
        for name, value in (values or {}).items():
            check_crossing(f"inputs: {name}", value)
        raise


def check_crossing(what: str, value: Any) -> None:
    """Raises TypeError that names the part of a value that cannot cross."""
    try:
        encode(value)
    except CannotCross as refused:
        raise TypeError(f"{what}{place_of(value)} is {refused.kind}, which cannot cross into the worker process") from None


def failed_result(error: GuestError, stdout: list[str] | None = None, stderr: list[str] | None = None) -> Result:
    """The result of a run that ended without one."""
    return Result(None, error, stdout or [], stderr or [], protocol.NO_COSTS)


def checked_result(result: Result, check: bool) -> Result:
    """The result. Raises GuestException when the run failed and the host asked for that."""
    if check:
        result.unwrap()
    return result


class Run:
    """One run: what goes back and forth until there is a result.

    Attributes:
        clean: whether the worker can be used for another guest.
        lives: whether the worker is there still.
    """

    def __init__(self, runtime: ProcessRuntime, limits: Limits) -> None:
        self.runtime = runtime
        self.limits = limits
        self.clean = False
        self.lives = False
        self.worker: Worker | None = None
        self.state = Lock()         # of what follows
        self.is_over = False
        self.is_cancelled = False
        self.in_host_code = False
        self.stdout: list[str] = []
        self.stderr: list[str] = []
        self.output_left = None if limits.output is None else 4 * limits.output + HEAD

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
                kind, head, body = channel.receive(deadline, head_limit, limits.result_size)
                if kind == protocol.RESULT:
                    return self.finish(head, body)
                if kind == protocol.OUTPUT:
                    self.write(head)
                elif kind == protocol.CALL:
                    asked = monotonic()
                    self.in_host_code = True
                    answer = self.answer(head, body)
                    self.in_host_code = False
                    if deadline:
                        deadline += monotonic() - asked
                    channel.send(answer, deadline)
                elif kind == protocol.STARTED and is_long:
                    is_long = False
                    if allowed is not None:
                        deadline = monotonic() + allowed
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
        return failed_result(error, self.stdout, self.stderr)

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
        return Result(body, failure, self.stdout, self.stderr, costs)

    def write(self, head: Any) -> None:
        """Takes output of the guest."""
        if type(head) is not tuple or len(head) != 2 or head[0] not in (1, 2) or type(head[1]) is not str:
            raise BadMessage("not output")
        stream, text = head
        if self.output_left is not None:
            self.output_left -= len(text)
            if self.output_left < 0:
                raise BadMessage("more output than the limit")
        target = self.runtime._stdout if stream == 1 else self.runtime._stderr
        if target is not None:
            target.write(text)
        else:
            (self.stdout if stream == 1 else self.stderr).append(text)

    def answer(self, head: Any, arguments: Any) -> bytes:
        """Does what the guest asks the host for."""
        if type(head) is not tuple or len(head) != 2 or type(head[0]) is not str:
            raise BadMessage("not a call")
        what, name = head
        if what == "source" and type(name) is str:
            return self.source(name, bool(arguments))
        if what == "line":
            return self.line()
        raise BadMessage("not a call")

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
        except Exception as error:  # goes to the guest, as a failure of its read
            return frame(protocol.ANSWER, (type(error).__name__, str(error)))
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

