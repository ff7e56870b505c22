"""The host's side of the template: starts it once in the process, asks it for workers, notices its end.

The template is shared by all runtimes of the process. Threads take turns at its control socket. A process that was forked from
the host has no part in its parent's template and starts one of its own.
"""
from __future__ import annotations

import atexit
import json
import os
import platform
import signal
import socket
import subprocess
import sys
from threading import Lock
from typing import Any

from .. import processors
from ..errors import IsolationError
from .channel import Channel
from .template import CONTROL_BYTES, LAYERS

__all__ = ["LAYERS", "Template", "WorkerProcess", "generation", "supported", "template"]

#: How long the template may take to load the library, and to answer.
START_SECONDS = 60.0
ANSWER_SECONDS = 10.0

# The hooks that library modules run in a forked child repair what threads may have left behind. The template has no threads, and
# the hooks cost half of the time of a fork.
PROGRAM = """\
import os, sys
os.register_at_fork = lambda **hooks: None
sys.path[:0] = {paths!r}
from kimi_runtime.isolation.template import main
main({control}, {host})
"""
#: What of the environment a guest's results may depend on.
KEPT_VARIABLES = ("TZ", "LD_LIBRARY_PATH", "MALLOC_CHECK_")

_lock = Lock()
_template: Template | None = None
_generation = 0


def supported() -> None:
    """Raises NotImplementedError where there is no process isolation."""
    if sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"):
        raise NotImplementedError(
            f"isolation='process' needs Linux on x86-64 or aarch64, and this is {sys.platform} on {platform.machine()}: its "
            f"layers ({', '.join(LAYERS)}) are that kernel's")


def generation() -> int:
    """A number that is another one in a process that was forked from this."""
    return _generation


def template() -> Template:
    """The template of this process; starts it when there is none, or when it has ended.

    Raises:
        IsolationError: it cannot be started.
        NotImplementedError: the system is not supported.
    """
    global _template
    with _lock:
        if _template is None or not _template.is_alive():
            supported()
            if _template is not None:
                _template.close()
            _template = Template()
        return _template


class WorkerProcess:
    """A worker as the host sees it.

    Attributes:
        channel: the host's end.
        pid: its number where the template is; means nothing in the host.
    """

    __slots__ = ("channel", "pid", "_handle", "_template")

    def __init__(self, channel: Channel, pid: int, handle: int, owner: Template) -> None:
        self.channel = channel
        self.pid = pid
        self._handle = handle
        self._template = owner

    def signal(self, number: int) -> None:
        """Sends a signal, if the process is still there."""
        if self._handle >= 0:
            try:
                signal.pidfd_send_signal(self._handle, number)
            except (ProcessLookupError, PermissionError):
                return

    def bind(self, numbers: frozenset[int]) -> None:
        """Binds the process to processors, as far as the system allows it."""
        if self._handle >= 0:
            processors.bind_process(self._handle, numbers)

    def kill(self) -> int | None:
        """Ends the process for good, and frees what it held. May be called again.

        Returns:
            How it ended: its exit status, or minus the number of the signal; None when that is not known.
        """
        self.signal(signal.SIGKILL)
        status = self._template.kill(self.pid)
        self.close()
        return status

    def let_go(self) -> None:
        """Ends the process for good, without waiting until it has ended: how it did is asked by nobody."""
        if self._handle < 0:
            self.kill()
        else:
            self.signal(signal.SIGKILL)
            self.close()

    def close(self) -> None:
        """Closes this process's descriptors."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)
        self.channel.close()

    def __del__(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


class Template:
    """The template's process. Made by ``template``.

    Attributes:
        missing: layers that the kernel refuses, with the reason.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        host_fd = -1
        try:
            host_fd = _own_handle()
            program = PROGRAM.format(paths=_paths(), control=theirs.fileno(), host=host_fd)
            passed = [fd for fd in (theirs.fileno(), host_fd) if fd >= 0]
            self._process = subprocess.Popen(
                # All that -I does but for -E: there is nothing of the host's in the environment.
                [sys.executable, "-P", "-s", "-S", "-B", "-X", "utf8", "-c", program], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=passed, env=_environment(), start_new_session=True,
                cwd="/")
        except OSError as error:
            self._control.close()
            raise IsolationError(f"isolation='process': cannot start {sys.executable!r}: {error}") from error
        finally:
            theirs.close()
            if host_fd >= 0:
                os.close(host_fd)
        self._control.settimeout(START_SECONDS)
        self.missing: dict[str, str] = self._greeting()["missing"]
        self._control.settimeout(ANSWER_SECONDS)

    def _greeting(self) -> dict[str, Any]:
        """What the template says when it is ready."""
        try:
            data = self._control.recv(CONTROL_BYTES)
        except OSError as error:
            data = b""
            reason = str(error)
        else:
            reason = "it ended"
        greeting: dict[str, Any] = json.loads(data) if data else {}
        stderr = self._process.stderr
        assert stderr is not None
        if "missing" in greeting:
            stderr.close()
            return greeting
        self._process.kill()
        text = greeting.get("error") or stderr.read(4000).decode(errors="replace") or reason
        self.close()
        stderr.close()
        raise IsolationError(f"isolation='process': the template process did not start: {text.strip()}")

    def is_alive(self) -> bool:
        """Whether it has neither ended nor been closed."""
        return self._control.fileno() >= 0 and self._process.poll() is None

    def fork(self, most: int, memory: int | None, cpu_seconds: int | None) -> WorkerProcess:
        """A new worker.

        Args:
            most: bytes of the longest message that it may send.
            memory: bytes that it may have, or None.
            cpu_seconds: processor time of its whole life, or None.

        Raises:
            IsolationError: the template has ended, or cannot fork.
        """
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                reply, handles = self._ask({"op": "fork", "memory": memory, "cpu_seconds": cpu_seconds}, [theirs.fileno()])
            ours.setblocking(False)
            return WorkerProcess(Channel(ours.detach(), most, True), reply["pid"], handles[0] if handles else -1, self)

    def kill(self, pid: int) -> int | None:
        """Ends a worker and says how it ended; None when the template itself is gone, and all its workers with it."""
        if self._control.fileno() < 0:
            # At the end of the process too, when the lock may belong to a thread that never goes on.
            return None
        try:
            status: int | None = self._ask({"op": "kill", "pid": pid}, [])[0]["status"]
        except IsolationError:
            return None
        return status

    def _ask(self, request: dict[str, Any], descriptors: list[int]) -> tuple[dict[str, Any], list[int]]:
        with self._lock:
            try:
                socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
                data, handles, _, _ = socket.recv_fds(self._control, CONTROL_BYTES, 1)
            except OSError as error:
                data, handles = b"", []
                reason = str(error)
            else:
                reason = "it has ended"
            if not data:
                self._end()  # what comes late must not be taken for the next answer
                raise IsolationError(f"isolation='process': the template process does not answer: {reason}")
        for fd in handles:
            os.set_inheritable(fd, False)
        reply: dict[str, Any] = json.loads(data)
        if "error" in reply:
            raise IsolationError(f"isolation='process': no worker could be made: {reply['error']}")
        return reply, list(handles)

    def _end(self) -> None:
        self._control.close()
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Ends the template and all workers."""
        with self._lock:
            self._end()

    def forget(self) -> None:
        """In a process that was forked from the host: it is the parent's affair."""
        self._control.close()
        self._process.returncode = 0


def _own_handle() -> int:
    """A descriptor that stands for this process, or -1 where the kernel has none."""
    try:
        return os.pidfd_open(os.getpid())
    except OSError:
        return -1


def _paths() -> list[str]:
    """The folders that hold this package and what it imports."""
    import cachetools

    import kimi_runtime

    found = []
    for module in (kimi_runtime, cachetools):
        folder = os.path.dirname(os.path.dirname(os.path.abspath(module.__file__ or "")))
        if folder not in found:
            found.append(folder)
    return found


def _environment() -> dict[str, str]:
    """The environment of the template: nothing of the host's secrets."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    # One arena: address space is limited, and the interpreter lock leaves no use for more.
    # Sets of strings have the same order in all workers: see Policy.replay.
    return {**kept, "LC_ALL": "C.UTF-8", "MALLOC_ARENA_MAX": "1", "PYTHONHASHSEED": "0"}


def _after_fork() -> None:
    global _lock, _template, _generation
    _lock = Lock()
    _generation += 1
    if _template is not None:
        _template.forget()
        _template = None


def _at_exit() -> None:
    if _template is not None:
        _template.close()


os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)
