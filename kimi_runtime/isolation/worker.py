"""A worker: runs the guests of one ``Runtime`` and answers the host, until that closes the channel.

It is forked by the template. Before it looks at the channel it takes on the layers that are left: its own resource limits, the
seccomp filter. After that no file can be opened here, so whatever is needed was loaded by the template.
"""
from __future__ import annotations

import gc
import os
import resource
import signal
import traceback
from _thread import RLock
from typing import Any

from kimi_runtime import engine
from kimi_runtime.bridge.conversion import convert_in
from kimi_runtime.errors import GuestError, SessionError
from kimi_runtime.events import Event, Observer
from kimi_runtime.files.given import GivenFiles
from kimi_runtime.files.loading import Loader
from kimi_runtime.files.overlay import over
from kimi_runtime.files.remote import remote_folder
from kimi_runtime.files.system import FileSystem
from kimi_runtime.isolation import kernel
from kimi_runtime.isolation.channel import BATCHED, Channel, ChannelClosed, SentOutput
from kimi_runtime.isolation.codec import CannotCross, TooLarge, frame, place_of
from kimi_runtime.isolation.protocol import (
    ANSWER,
    CALL,
    CONFIGURE,
    DISPLAY,
    DONE,
    FAILED,
    FILES,
    LONG_SOURCE,
    NO_COSTS,
    OUTPUT,
    PART,
    READY,
    RESULT,
    RUN,
    SESSION,
    STARTED,
    error_to_value,
    limits_from_value,
)
from kimi_runtime.isolation.remote import RemoteThings, raised_by_host
from kimi_runtime.limits import DEFAULT, Limits
from kimi_runtime.objects.module_sources import SourceLookup, SourceMap
from kimi_runtime.policies import Policy
from kimi_runtime.result import Result
from kimi_runtime.runtime import Runtime

#: The descriptor of the channel. Those below are the null device: what the C library complains about goes nowhere.
CHANNEL_FD = 3

#: Address space that is reserved and not used: stacks of threads, for instance.
RESERVED = 1 << 33
#: Threads of all workers of a template.
MOST_THREADS = 4000


def serve(channel_fd: int, request: dict[str, Any]) -> None:
    """Runs the worker; does not return.

    Args:
        channel_fd: its end of the channel.
        request: see ``bound``.
    """
    os.setsid()
    if channel_fd != CHANNEL_FD:
        os.dup2(channel_fd, CHANNEL_FD)
    kernel.close_from(CHANNEL_FD + 1)
    kernel.die_with_parent()
    signal.signal(signal.SIGUSR1, cancel_run)
    gc.enable()
    missing = request["missing"]
    if "rlimits" not in missing:
        bound(request)
    if "seccomp" not in missing:
        kernel.install_filter()
    channel = Channel(CHANNEL_FD, 0xFFFFFFFF, False)
    try:
        Worker(channel).serve()
    except ChannelClosed:
        os._exit(0)
    except BaseException:
        channel.send(frame(FAILED, traceback.format_exc()[-4000:]))
        raise


def bound(request: dict[str, Any]) -> None:
    """Sets the resource limits, which the worker cannot raise again.

    Args:
        request: ``memory``: bytes that it may have more than the template, or None; ``cpu_seconds``: processor time of its whole
            life, or None; ``sizes``: all memory, and writable memory, of the template; ``missing``: layers that the kernel
            refuses.
    """
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: CHANNEL_FD + 1,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    if request["memory"] is not None:
        # What is only reserved counts as address space, what can be written as data.
        limits[resource.RLIMIT_AS] = request["sizes"][0] + 2 * request["memory"] + RESERVED
        limits[resource.RLIMIT_DATA] = request["sizes"][1] + request["memory"]
    if request["cpu_seconds"] is not None:
        limits[resource.RLIMIT_CPU] = request["cpu_seconds"]
    if "user_namespace" not in request["missing"]:  # else the user's other processes count too
        limits[resource.RLIMIT_NPROC] = MOST_THREADS
    for kind, value in limits.items():
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


# ---- the loop --------------------------------------------------------------------------------------------
_meter: Any = None


def cancel_run(signal_number: int, frame: Any) -> None:
    """The host cancels the run that is going on, if it still is."""
    if _meter is not None:
        _meter.cancel()


class HostFailure(Exception):
    """A function of the host failed in a way that is no exception of the guest."""


class HostStop(BaseException):
    """The host's code has raised what is not for guests: the run ends."""


#: What the error of such a run says; the host raises the exception instead.
HOST_STOPPED = "code of the host ended the run"


class Worker:
    """Serves one runtime of the host over a channel."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.turn = RLock()     # of the guest's threads that ask the host for something
        self.runtime: Any = None
        self.session: Any = None
        self.dropped: list[tuple[int, int]] = []    # see ``RemoteThings.let_go``
        self.things = RemoteThings(self)
        self.told: dict[str, Any] = {}              # the session's files that the host knows to have changed
        self.out = SentOutput(channel, lambda text: frame(OUTPUT, (1, text)), BATCHED)
        self.err = SentOutput(channel, lambda text: frame(OUTPUT, (2, text)), BATCHED)

    def serve(self) -> None:
        """Answers messages until the channel is closed."""
        actions = {CONFIGURE: self.configure, RUN: self.run, SESSION: self.do_session}
        while True:
            kind, head, body = self.channel.receive(0, None, None, self.things)
            actions[kind](head, body)

    def configure(self, settings: dict[str, Any], body: Any) -> None:
        """Makes the runtime."""
        sources = settings["modules_source"]
        out: Any = self.out
        err: Any = self.err
        self.runtime = Runtime(
            modules_source=HostSources(self) if sources is ... else None if sources is None else SourceMap(sources),
            modules=settings["modules"],
            argv=settings["argv"],
            stdin=self.read_line if settings["stdin"] is ... else settings["stdin"],
            stdout=out,
            stderr=err,
            limits=limits_from_value(settings["limits"]),
            policy=None if settings["policy"] is None else Policy.from_value(settings["policy"]),
        )
        self.runtime._files = self.given_files(settings["files"])
        self.runtime._functions = {name: convert_in(value, name) for name, value in body.items()} or None
        self.things.keep()
        self.channel.send(frame(READY, None))

    # ---- runs ----------------------------------------------------------------------------------------
    def run(self, head: Any, body: Any) -> None:
        """Runs a program, and sends its result."""
        global _meter
        filename, given, in_session, modes, shows, files, may_await = head
        self.out.mode, self.err.mode = modes
        source, inputs = body
        if len(source) > LONG_SOURCE:
            self.prepare(source, filename or "")
        try:
            limits, result = self.perform(source, filename, given, in_session, inputs, self.tell if shows else None, files,
                                          may_await)
        except HostStop:
            limits, result = self.runtime._limits, None
        _meter = None
        if result is None:
            error = GuestError("LimitExceeded", HOST_STOPPED, f"LimitExceeded: {HOST_STOPPED}\n", limit="host")
            result = Result(None, error, [], [], NO_COSTS)
        self.send_changes(result._files, in_session)
        if result.bundle:
            self.send_bundle(result.bundle)
        self.channel.send(self.result_frame(result, limits))
        del result, inputs, body
        if not in_session:
            self.things.forget()

    def perform(self, source: str | bytes, filename: str | None, given: Any, in_session: bool, inputs: Any,
                tell: Any, files: Any, may_await: bool) -> tuple[Limits, Any]:
        """Runs a program: its limits and its result."""
        global _meter
        if in_session:
            begun = self.session._begin(source, inputs, filename, DEFAULT if given is ... else limits_from_value(given),
                                        None, None, tell)
            limits, _meter = begun[1], begun[2]
            result = self.session._perform(begun, source, False)
        else:
            runtime = self.runtime
            limits = runtime._limits if given is ... else limits_from_value(given)
            _meter = engine.make_meter(limits)
            context = runtime._new_context(limits)
            context.may_await = may_await
            if tell is not None:
                context.displays = True
                context.observe(Observer(context, None, tell))
            if files is not ...:
                context.files = self.given_files(files)
            result = engine.perform(context, None, source, filename or "", limits, False, engine.execute,
                                    _meter, inputs)
        return limits, result

    def prepare(self, source: str | bytes, filename: str) -> None:
        """Compiles a long source, so that the host knows when the time of the run begins."""
        try:
            engine.default_cache().load(source, filename)
        except BaseException:  # the run will find it again
            pass
        self.channel.send(frame(STARTED, None))

    def result_frame(self, result: Any, limits: Limits) -> bytes:
        """The message with a result."""
        rest = self.out.take(), self.err.take(), result._costs
        value, error = result.value, result.error
        if error is None:
            try:
                return frame(RESULT, (None, *rest), value, limits.result_size, self.things)
            except TooLarge:
                error = engine.refused("result_size", limits)
            except CannotCross as refused:
                place = place_of(value, self.things)
                text = f"the value of the run cannot leave the worker process: value{place} is {refused.kind}"
                error = GuestError("TypeError", text, f"TypeError: {text}\n")
            except (RuntimeError, MemoryError) as failed:
                text = f"the value of the run cannot leave the worker process: {failed}"
                error = GuestError(type(failed).__name__, text, f"{type(failed).__name__}: {text}\n")
        return frame(RESULT, (error_to_value(error), *rest))

    def tell(self, event: Event) -> None:
        """Something is shown. Calls of the host's functions it knows without that."""
        if event.kind == "display":
            self.out.flush()
            self.err.flush()
            self.channel.send(frame(DISPLAY, "display", (event.data, event.metadata), None, self.things))

    def send_bundle(self, bundle: dict[str, Any]) -> None:
        """What the value of a program looks like."""
        self.channel.send(frame(DISPLAY, "bundle", (bundle, {}), None, self.things))

    # ---- files ---------------------------------------------------------------------------------------
    def given_files(self, value: Any) -> GivenFiles | None:
        """What ``files_to_value`` has made."""
        if value is None:
            return None
        files, mounts = value
        return GivenFiles(
            {path: self.loader(path) if contents is None else contents for path, contents in files.items()},
            {path: RemoteMount(self, path, mode, most) for path, mode, most in mounts})

    def loader(self, path: str) -> Loader:
        """Asks the host for the contents of a file."""
        return Loader(lambda: self.ask("file", path, None), path)

    def send_changes(self, system: Any, in_session: bool) -> None:
        """Tells the host which files the guest has changed; those of a session, since it was told last."""
        if not isinstance(system, FileSystem):
            return
        told = self.told if in_session else {}
        changed: dict[str, Any] = {path: node for path, node in system.files() if node.changed}
        first: dict[int, str] = {}
        for path in [path for path in told if path not in changed]:
            self.channel.send(frame(FILES, ("gone", path, None)))
        for path, node in changed.items():
            other = first.setdefault(id(node), path)
            if path in told and told[path] is node and not node.untold:
                continue
            if other != path:
                self.channel.send(frame(FILES, ("same", path, other)))
            else:
                self.send_file(path, system.contents(node))
        for each in changed.values():
            each.untold = False
        if in_session:
            self.told = changed

    def send_file(self, path: str, contents: bytes) -> None:
        """Sends a file in parts."""
        at = 0
        while at + PART < len(contents):
            self.channel.send(frame(FILES, ("part", path, contents[at:at + PART])))
            at += PART
        self.channel.send(frame(FILES, ("end", path, contents[at:])))

    # ---- sessions ------------------------------------------------------------------------------------
    def do_session(self, head: Any, body: Any) -> None:
        """Does something with the session, and says how it went."""
        try:
            value = getattr(self, "session_" + head[0])(head, body)
            reply = frame(DONE, None, value, self.runtime._limits.result_size, self.things)
        except TooLarge:
            reply = frame(DONE, ("ValueError", self.runtime._limits.explain("result_size")))
        except CannotCross as refused:
            text = f"the value cannot leave the worker process: value{place_of(value, self.things)} is {refused.kind}"
            reply = frame(DONE, ("TypeError", text))
        except KeyError as failed:
            reply = frame(DONE, ("KeyError", failed.args[0]))
        except OSError as failed:
            reply = frame(DONE, ("OSError", failed.errno or 0, str(failed.filename or "")))
        except (SessionError, ValueError, TypeError) as failed:
            reply = frame(DONE, (type(failed).__name__, str(failed)))
        self.channel.send(reply)

    def session_open(self, head: Any, body: Any) -> None:
        _, limits, total, files = head
        values, functions = body
        self.session = self.runtime.session(
            values, limits=DEFAULT if limits is ... else limits_from_value(limits),
            total=None if total is ... else limits_from_value(total), functions=functions or None)
        self.session._given = self.session._context.files = self.given_files(files)

    def session_file(self, head: Any, body: Any) -> None:
        system = self.session._file_system()
        node = system.file(body)
        if node is not None:
            self.send_file(body, system.contents(node))

    def session_put(self, head: Any, body: Any) -> None:
        self.session._file_system().put(head[1], self.loader(head[1]) if body is None else body)

    def session_drop(self, head: Any, body: Any) -> bool:
        dropped: bool = self.session._file_system().drop(body)
        return dropped

    def session_files(self, head: Any, body: Any) -> None:
        for path, node in self.session._file_system().files():
            self.channel.send(frame(FILES, ("name", path, bool(node.changed))))

    def session_names(self, head: Any, body: Any) -> list[str]:
        names: list[str] = self.session.names()
        return names

    def session_get(self, head: Any, body: Any) -> Any:
        return self.session[body]

    def session_contains(self, head: Any, body: Any) -> bool:
        return body in self.session

    def session_set(self, head: Any, body: Any) -> None:
        self.session.set(**body)

    def session_reset(self, head: Any, body: Any) -> None:
        self.session.reset()

    def session_close(self, head: Any, body: Any) -> tuple[str, str]:
        self.session.close()
        return self.out.take(), self.err.take()

    # ---- asking the host -----------------------------------------------------------------------------
    def ask(self, what: str, name: Any, arguments: Any) -> Any:
        """Asks the host for something, and waits. Raises what it says."""
        with self.turn:
            if what != "mount":
                self.out.flush()
                self.err.flush()
            # A file that is released writes what it still holds: not between a question and its answer.
            collects = gc.isenabled()
            gc.disable()
            try:
                self.channel.send(frame(CALL, (what, name, self.things.let_go()), arguments, None, self.things))
                kind, failure, value = self.channel.receive(0, None, None, self.things)
            finally:
                if collects:
                    gc.enable()
        if kind != ANSWER:
            os._exit(71)
        if failure is None:
            return value
        if failure[0] == "end":
            raise StopIteration
        if failure[0] == "raise":
            raise raised_by_host(*value)
        if failure[0] == "errno":
            raise OSError(failure[1], os.strerror(failure[1]))
        if failure[0] == "stop":
            raise HostStop
        raise HostFailure(*failure)

    def read_line(self) -> str | None:
        """The next line of the guest's input."""
        line: str | None = self.ask("line", None, None)
        return line


class RemoteMount:
    """A ``Mount`` in a worker: the host does what is done in it."""

    def __init__(self, worker: Worker, path: str, mode: str, limit: int | None) -> None:
        self.worker = worker
        self.path = path
        self.mode = mode
        self.limit = limit

    def _folder_in(self, quota: Any, number: int, above: Any, name: str) -> Any:
        """The node for a file system."""
        found = remote_folder(quota, number, self.ask, self.mode == "rw", above, name)
        return over(quota, number, found, self.limit, above, name) if self.mode == "overlay" else found

    def ask(self, what: str, args: tuple[Any, ...]) -> Any:
        """Has the host do something in the folder."""
        return self.worker.ask("mount", (self.path, what, args), None)


class HostSources(SourceLookup):  # type: ignore[misc]
    """The sources of the guests' own modules, which the host looks up when they are asked for."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker

    def __contains__(self, name: str) -> bool:
        return self.worker.ask("source", name, False) is not None

    def __getitem__(self, name: str) -> Any:
        return self.worker.ask("source", name, True)
