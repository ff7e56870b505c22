"""``Runtime(isolation="process")``: the public class over a pool of workers."""
from __future__ import annotations

import signal
import warnings
from time import monotonic
from typing import Any

from .. import checked, engine
from ..errors import GuestError, IsolationError, IsolationWarning, exception_for
from ..limits import DEFAULT, Limits
from ..objects.module_sources import SourceMap
from ..result import Result
from ..runtime import Runtime
from . import launcher, protocol
from .channel import ChannelClosed, DeadlinePassed
from .codec import BadMessage, CannotCross, encode, frame, place_of
from .pool import Pool, Worker, default_workers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["ProcessRuntime"]

#: Beyond its limit a run has a tenth and this many seconds to stop by itself; then its worker is killed.
GRACE = 0.5
#: A long source may take this long to be compiled.
COMPILE_SECONDS = 30.0
#: Memory of the small parts of a message.
HEAD = 1_000_000


class ProcessRuntime(Runtime):
    """The ``Runtime`` whose guests run in worker processes; made by ``Runtime(isolation="process")``."""

    __slots__ = ("_pool", "_fresh", "__weakref__")

    def __init__(self, *, workers: int | None = None, fresh: bool = False, require: Iterable[str] = (), **settings: Any) -> None:
        super().__init__(**settings)
        launcher.supported()
        if self._host_modules:
            raise ValueError("host_modules cannot be used with isolation='process': modules of the host are not in the worker; "
                             "give functions instead")
        if self._cache is not None:
            raise ValueError("cache cannot be used with isolation='process': each worker has a cache of its own")
        if workers is None:
            workers = default_workers()
        if isinstance(workers, bool) or not isinstance(workers, int):
            raise TypeError(f"workers must be an int, not {type(workers).__name__}")
        if workers < 1:
            raise ValueError(f"workers must be at least 1, not {workers}")
        if isinstance(require, str):
            require = (require,)
        required = frozenset(require)
        unknown = required - launcher.LAYERS.keys()
        if unknown:
            raise ValueError(f"require: there is no layer {sorted(unknown)[0]!r}; the layers are {', '.join(launcher.LAYERS)}")
        self._fresh = bool(fresh)
        sources = self._modules_source
        settings = {
            "modules_source": dict(sources) if isinstance(sources, SourceMap) else None if sources is None else ...,
            "modules": self._modules,
            "argv": self._argv,
            "stdin": self._stdin if self._stdin is None or isinstance(self._stdin, str) else ...,
            "at_once": (self._stdout is not None, self._stderr is not None),
            "limits": protocol.limits_to_value(self._limits),
        }
        self._pool = Pool(settings, workers, required)
        missing = launcher.template().missing
        self._pool.check_layers(missing)
        if missing:
            warnings.warn("isolation='process' lacks layers that this kernel refuses: "
                          + "; ".join(f"{name} ({reason})" for name, reason in missing.items())
                          + ". `kimi-cli doctor` says more; require=(...) makes it an error", IsolationWarning, stacklevel=2)

    def run(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str = "<guest>",
        check: bool = False,
        limits: Limits | None = DEFAULT,
    ) -> Result:
        """Runs a program in a worker: see ``Runtime.run``.

        Raises:
            TypeError: an input cannot cross into another process; the message names it.
            IsolationError: there is no worker, and there cannot be one.
        """
        given = self._limits if limits is DEFAULT else checked.limits(limits)
        checked.program(source, filename)
        if inputs is not None:
            checked.names(inputs)
        if given.source_size is not None and len(source) > given.source_size:
            return self._checked(_failed(engine.refused("source_size", given)), check)
        message = run_frame(filename, ... if limits is DEFAULT else protocol.limits_to_value(given), False, source, inputs)
        worker = self._pool.acquire(given, self._fresh)
        again = None
        try:
            run = Run(self, worker, given)
            result = run.exchange(message, len(source) > protocol.LONG_SOURCE)
            if run.clean and not self._fresh:
                again = worker
        finally:
            if again is None:
                worker.process.kill()
            self._pool.give_back(worker, again)
        return self._checked(result, check)

    def _checked(self, result: Result, check: bool) -> Result:
        if check and result.error is not None:
            raise exception_for(result.error, result)
        return result

    def close(self) -> None:
        """Ends the workers. Runs that are going on in other threads end with an error."""
        self._pool.close()

    def __del__(self) -> None:
        pool = getattr(self, "_pool", None)
        if pool is not None:
            pool.close()


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


def _failed(error: GuestError, stdout: list[str] | None = None, stderr: list[str] | None = None) -> Result:
    """The result of a run that ended without one."""
    return Result(None, error, stdout or [], stderr or [], (0.0, 0.0, 0.0, 0, 0, False))


class Run:
    """One run: what goes back and forth until there is a result.

    Attributes:
        clean: whether the worker can be used again.
    """

    def __init__(self, runtime: ProcessRuntime, worker: Worker, limits: Limits) -> None:
        self.runtime = runtime
        self.worker = worker
        self.limits = limits
        self.clean = False
        self.stdout: list[str] = []
        self.stderr: list[str] = []
        self.output_left = None if limits.output is None else 4 * limits.output + HEAD

    def exchange(self, message: bytes, is_long: bool) -> Result:
        """Sends the program and answers the worker until it has the result."""
        worker, limits = self.worker, self.limits
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
                    answer = self.answer(head, body)
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
            return self.failed(crash(worker.process.kill(), limits))
        except BadMessage as error:
            worker.process.kill()
            return self.failed(crash_error(f"the worker process sent what is no message: {error}"))
        finally:
            worker.seconds_left -= monotonic() - begun

    def failed(self, error: GuestError) -> Result:
        return _failed(error, self.stdout, self.stderr)

    def finish(self, head: Any, body: Any) -> Result:
        """The result, from what the worker sent."""
        error, stdout, stderr, costs = protocol.check_result(head)
        if stdout:
            self.write((1, stdout))
        if stderr:
            self.write((2, stderr))
        failure = protocol.error_from_value(error)
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


def crash(status: int | None, limits: Limits) -> GuestError:
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


__all__ += ["IsolationError"]
