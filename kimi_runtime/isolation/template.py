"""The template: a program that makes workers by fork.

It is started by ``launcher`` as a fresh interpreter, so it has no threads and neither the host's memory nor its environment nor
its descriptors. It takes on the isolation layers that hold for all workers, loads the interpreter with the whole library, and
then only waits for requests on its control socket: a worker for each, with the socket that came with the request.

Workers are forked ahead of need: a spare one has copied what a run writes to, by a program of its own, and waits for a request.

No guest code ever runs here.
"""
from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import socket
import traceback

from kimi_runtime.isolation import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

#: The layers that a template or a worker takes on, with what each is for. ``kimi-cli doctor`` shows them.
LAYERS = {
    "seccomp": "system calls other than those for computing and for the channel are refused",
    "landlock": "no file can be opened, no TCP connection made, no process outside signalled",
    "user_namespace": "the process has no rights over the system, whoever started it",
    "mount_namespace": "the file system is an empty folder",
    "network_namespace": "there is no network",
    "pid_namespace": "no other process can be seen, and all workers end with the template",
    "rlimits": "memory, processor time, descriptors and threads are bounded by the kernel",
    "capabilities": "the process has no capabilities",
    "no_new_privileges": "no program file can give rights back",
    "not_dumpable": "other processes of the user cannot attach to a worker or read its memory",
    "killed_with_host": "the kernel ends the template and the workers when the host ends, however it does",
}
HUGE_PAGE = 2 << 20
#: Workers that are ready before they are asked for.
SPARES = 2
#: For so long a spare worker waits for a request before it makes itself ready.
BURST_MILLISECONDS = 5
#: What a spare worker runs, so that its first guest need not wait until the pages that any run writes to are copied.
WARMING = """
def total(values, start=0, **more):
    for value in values: start += value
    return start
class Pair:
    def __init__(self, a, b): self.a, self.b = a, b
    def __repr__(self): return f'{self.a}, {self.b!r}'
try: {}['missing']
except KeyError as error: print(total([1, 2.5], start=3), Pair(1, 'x'), error, {'a': [*range(9)]}, sorted({3, 1}), given)
'ends with a value'
"""
#: Modules of the host that are loaded when first needed, which is too late where no file can be opened.
LATE_MODULES = (
    "_csv", "_strptime", "_struct", "ast", "asyncio", "cachetools", "concurrent.futures", "concurrent.futures.thread", "copy",
    "decimal", "importlib.util", "inspect", "json", "linecache", "numbers", "pyexpat", "re", "stringprep", "traceback",
    "unicodedata", "zoneinfo",
)
#: The largest control message.
CONTROL_BYTES = 65536


def main(control_fd: int, host_fd: int) -> None:
    """Runs the template until the host ends or closes the control socket.

    Args:
        control_fd: descriptor of a socket that keeps message boundaries.
        host_fd: a descriptor that stands for the host's process, or -1.
    """
    os.set_inheritable(control_fd, False)
    missing: dict[str, str] = {}
    enter_namespaces(missing)
    if "pid_namespace" not in missing:
        child = os.fork()
        if child:
            os._exit(stand_by(child, control_fd, host_fd))
        kernel.die_with_parent()
    control = socket.socket(fileno=control_fd)
    try:
        become_small(missing)
        load()
        sizes = memory_sizes()
        ranges = large_ranges()
        take_layers(missing)
    except BaseException:
        control.send(json.dumps({"error": traceback.format_exc()}).encode()[:CONTROL_BYTES])
        os._exit(1)
    if host_fd < 0:
        missing["killed_with_host"] = "the kernel has no pidfd_open"
    gc.collect()
    gc.disable()
    gc.freeze()
    template = Template(control, host_fd, {"missing": missing, "sizes": sizes}, ranges)
    template.pack()
    control.send(json.dumps({"missing": missing, "pid": os.getpid()}).encode())
    template.serve()


def warm_up() -> None:
    """Runs a program of our own, and forgets it.

    It has no limit of time, whose thread would be there before the filter; and none of memory: how many addresses there are
    for guests is found out when the worker is bounded.
    """
    from kimi_runtime import engine
    from kimi_runtime.limits import Limits
    from kimi_runtime.runtime import Runtime

    Runtime(functions={"given": len}, limits=Limits(seconds=None, memory=None)).run(WARMING, check=True)
    engine.default_cache().clear()


def is_asked(place: int) -> bool:
    """Whether a request for a worker comes at once.

    Where workers are asked for one after the other, what makes a spare one ready keeps the others waiting: it takes twice the
    time of the fork, and the processors are busy. Measured in a row, beside other work: 5.4 ms instead of 8.9.
    """
    poller = select.poll()
    poller.register(place, select.POLLIN)
    return bool(poller.poll(BURST_MILLISECONDS))


# ---- layers ----------------------------------------------------------------------------------------------
def attempt(missing: dict[str, str], layer: str, *steps: Callable[[], object]) -> bool:
    """Takes on a layer. When the kernel refuses, the reason is noted."""
    try:
        for step in steps:
            step()
    except OSError as error:
        missing[layer] = f"{error.strerror or error} (errno {error.errno})"
        return False
    return True


def enter_namespaces(missing: dict[str, str]) -> None:
    """Namespaces of its own, as far as the kernel lets this user have them."""
    user, group = os.geteuid(), os.getegid()
    if attempt(missing, "user_namespace", kernel.unshare_user):
        attempt(missing, "user_namespace",
                lambda: write("/proc/self/setgroups", "deny"),
                lambda: write("/proc/self/uid_map", f"{user} {user} 1"),
                lambda: write("/proc/self/gid_map", f"{group} {group} 1"))
    attempt(missing, "mount_namespace", kernel.unshare_mounts)
    attempt(missing, "network_namespace", kernel.unshare_network, kernel.unshare_ipc)
    attempt(missing, "pid_namespace", kernel.unshare_pids)


def write(path: str, text: str) -> None:
    """Writes a setting of the kernel. OSError when it is refused."""
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def become_small(missing: dict[str, str]) -> None:
    """What needs files of the kernel, before they are out of sight."""
    if os.getsid(0) != os.getpid():
        os.setsid()
    os.umask(0o077)
    attempt({}, "", lambda: write("/proc/self/oom_score_adj", "1000"))  # the kernel ends workers before hosts
    for fd in (0, 1):
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, fd)
        os.close(null)


def take_layers(missing: dict[str, str]) -> None:
    """The layers that leave no file to be opened; what was loaded is all there is from here on."""
    import threading

    if threading.active_count() != 1:
        raise RuntimeError(f"the template has threads, which a fork would break: {threading.enumerate()}")
    null = os.open(os.devnull, os.O_RDWR)
    if "mount_namespace" not in missing:
        attempt(missing, "mount_namespace", kernel.empty_root)
    attempt(missing, "no_new_privileges", kernel.no_new_privileges)
    attempt(missing, "landlock", kernel.landlock)
    attempt(missing, "capabilities", kernel.drop_capabilities)
    attempt(missing, "not_dumpable", kernel.not_dumpable)
    attempt(missing, "rlimits", lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
    attempt(missing, "seccomp", try_filter)
    os.dup2(null, 2)
    os.close(null)


def try_filter() -> None:
    """Installs the filter of workers in a child that does nothing else. OSError when the kernel refuses it."""
    child = os.fork()
    if not child:
        try:
            kernel.install_filter()
        except OSError as error:
            os._exit(error.errno or 1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        raise OSError(status, os.strerror(status) if status > 0 else f"the filter ends the process by signal {-status}")


def memory_sizes() -> tuple[int, int]:
    """Bytes of address space, and of memory that can be written, of this process."""
    with open("/proc/self/statm") as file:
        fields = file.read().split()
    return int(fields[0]) * resource.getpagesize(), int(fields[5]) * resource.getpagesize()


def large_ranges() -> list[tuple[int, int]]:
    """The addresses of this process's own memory, where a huge page would fit."""
    found = []
    with open("/proc/self/maps") as file:
        for line in file:
            fields = line.split()
            if fields[1] == "rw-p" and (len(fields) == 5 or fields[5] == "[heap]"):
                start, _, end = fields[0].partition("-")
                found.append((int(start, 16), int(end, 16)))
    return [(start, end) for start, end in found if end - start >= HUGE_PAGE]


# ---- loading ---------------------------------------------------------------------------------------------
def load() -> None:
    """Loads all that a guest, or the code that runs it, may need later."""
    import encodings
    import importlib
    import pkgutil

    import kimi_runtime
    from kimi_runtime.library import loader, zones  # type: ignore[attr-defined]

    for package in (kimi_runtime, encodings):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if found.name.startswith(("kimi_runtime.cli", "kimi_runtime.library.guest", "kimi_runtime.__main__")):
                continue
            try:
                importlib.import_module(found.name)
            except ImportError:  # encodings of other systems
                continue
    for name in LATE_MODULES:
        importlib.import_module(name)
    loader.load_all()
    zones.hold_all()
    names = sorted(kimi_runtime.modules.SAFE)
    imports = "".join(f"try:\n import {name}\nexcept ImportError: pass\n" for name in names)
    result = kimi_runtime.Runtime(files={}).run("import warnings\nwarnings.simplefilter('ignore')\n" + imports, limits=None)
    if result.error is not None:
        raise RuntimeError(result.error.traceback)


# ---- serving ---------------------------------------------------------------------------------------------
def stand_by(child: int, control_fd: int, host_fd: int) -> int:
    """Waits, outside the namespace of processes, for the end of the template or of the host. Returns an exit status."""
    kernel.close_from(max(control_fd, host_fd) + 1)
    os.close(control_fd)
    child_fd = kernel.pidfd_open(child)
    poller = select.poll()
    poller.register(child_fd, select.POLLIN)
    if host_fd >= 0:
        poller.register(host_fd, select.POLLIN)
    parent = os.getppid()
    while True:
        ready = [fd for fd, _ in poller.poll(1000)]
        if child_fd in ready:
            return abs(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        if host_fd in ready or os.getppid() != parent:
            os.kill(child, signal.SIGKILL)
            return 0


class Template:
    """The loop that answers the host.

    Requests are JSON texts with an ``op``; ``fork`` comes with the worker's end of its channel, and its answer goes with a
    descriptor that stands for the worker's process.
    """

    def __init__(self, control: socket.socket, host_fd: int, facts: dict[str, Any], ranges: list[tuple[int, int]]) -> None:
        self.control = control
        self.ranges = ranges
        self.forks = 0
        self.facts = facts
        self.host_fd = host_fd
        self.running: set[int] = set()
        self.ended: dict[int, int] = {}
        self.spares: dict[int, socket.socket] = {}   # by process: where each waits for its request

    def serve(self) -> None:
        """Answers requests until the host is gone; then the workers are killed and the process ends."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        poller = select.poll()
        poller.register(self.control, select.POLLIN)
        if self.host_fd >= 0:
            poller.register(self.host_fd, select.POLLIN)
        parent = os.getppid()
        wanted = SPARES
        while True:
            ready = [fd for fd, _ in poller.poll(0 if len(self.spares) < wanted else 1000)]
            self.reap()
            if self.host_fd in ready or os.getppid() != parent:
                break
            if self.control.fileno() in ready:
                if not self.answer():
                    break
                wanted = SPARES
            elif len(self.spares) < wanted:     # nobody waits while this forks
                if not self.make_spare():
                    wanted = len(self.spares)   # until somebody asks for a worker, and is told why there is none
            elif self.forks > 16 and len(self.running) == len(self.spares):
                self.pack()
        for pid in self.running:
            os.kill(pid, signal.SIGKILL)
        os._exit(0)

    def pack(self) -> None:
        """Puts the memory into huge pages, of which a fork copies few entries: measured, 1.3 ms instead of 3.5.

        Writing while workers share them splits them again, so this is repeated when there are none.
        """
        for pid in list(self.spares):
            self.kill(pid)
        self.forks = 0
        for start, end in self.ranges:
            kernel.collapse(start, end)

    def answer(self) -> bool:
        """Answers one request. False when there will be no more."""
        data, descriptors, _, _ = socket.recv_fds(self.control, CONTROL_BYTES, 1)
        if not data:
            return False
        request = json.loads(data)
        sent: list[int] = []
        if request["op"] == "fork":
            reply, sent = self.fork(data, descriptors[0])
        else:
            reply = {"status": self.kill(request["pid"])}
        socket.send_fds(self.control, [json.dumps(reply).encode()], sent)
        for fd in sent:
            os.close(fd)
        return True

    def fork(self, request: bytes, channel: int) -> tuple[dict[str, Any], list[int]]:
        """A worker: a spare one gets the request. Returns the answer, and the descriptors that go with it."""
        try:
            while True:
                if not self.spares:
                    self.make_spare(warm=False, refusal=True)
                pid, place = self.spares.popitem()
                try:
                    socket.send_fds(place, [request], [channel])
                    break
                except OSError:     # it has ended, for want of memory perhaps
                    self.end(pid)
                finally:
                    place.close()
        except OSError as error:
            return {"error": str(error)}, []
        finally:
            os.close(channel)
        try:
            return {"pid": pid}, [kernel.pidfd_open(pid)]
        except OSError:
            return {"pid": pid}, []

    def make_spare(self, warm: bool = True, refusal: bool = False) -> bool:
        """Forks a worker that waits for its request.

        Args:
            warm: it makes itself ready for a run first.
            refusal: OSError when there can be none.

        Returns:
            Whether there is one more.
        """
        try:
            place, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        except OSError:
            if refusal:
                raise
            return False
        with theirs:
            try:
                pid = os.fork()
            except OSError:
                place.close()
                if refusal:
                    raise
                return False
            if not pid:
                try:
                    self.stand_ready(theirs.detach(), warm)
                finally:
                    os._exit(70)
        self.forks += 1
        self.running.add(pid)
        self.ended.pop(pid, None)
        self.spares[pid] = place
        return True

    def stand_ready(self, place: int, warm: bool) -> None:
        """In a worker: waits for the request, and serves; does not return."""
        from kimi_runtime.isolation.worker import serve

        kernel.die_with_parent()
        self.control.close()
        for other in self.spares.values():
            other.close()
        if warm and not is_asked(place):
            warm_up()
        with socket.socket(fileno=place) as waiting:
            data, descriptors, _, _ = socket.recv_fds(waiting, CONTROL_BYTES, 1)
        if not data:
            os._exit(0)
        serve(descriptors[0], {**json.loads(data), **self.facts})

    def kill(self, pid: int) -> int | None:
        """Ends a worker, if it has not ended yet. Returns how it ended: its status, or minus the signal."""
        if pid in self.running:
            self.end(pid)
        return self.ended.pop(pid, None)

    def end(self, pid: int) -> None:
        """Ends a worker that runs."""
        os.kill(pid, signal.SIGKILL)  # also one that closed its channel: it could go on without
        self.note(*os.waitpid(pid, 0))

    def reap(self) -> None:
        """Notes the workers that have ended."""
        while self.running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            self.note(pid, status)

    def note(self, pid: int, status: int) -> None:
        """Notes how a worker has ended."""
        self.running.discard(pid)
        place = self.spares.pop(pid, None)
        if place is not None:
            place.close()
        self.ended[pid] = os.waitstatus_to_exitcode(status)
        while len(self.ended) > 1000:
            del self.ended[next(iter(self.ended))]
