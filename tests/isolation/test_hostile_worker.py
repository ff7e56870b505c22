"""What a guest could do that has left the interpreter: native code runs in a worker in its place, and is kept in by the kernel."""

from __future__ import annotations

import ast
import contextlib
import os
import sys
import time

import pytest

import kimi_runtime as kr

if sys.platform != "linux":
    pytest.skip("process isolation needs Linux", allow_module_level=True)

from kimi_runtime.isolation import launcher

# In the template, before the library is loaded: programs of the "guest" run as Python of the worker itself, with ctypes.
TAKE_OVER = """
import ctypes, errno, gc, mmap, os, resource, signal, socket, struct, subprocess, threading, time
from kimi_runtime.isolation import kernel, protocol, worker
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    status = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    return status if status >= 0 else errno.errorcode[ctypes.get_errno()]
def run(self, head, body):
    space = dict(globals(), channel=self.channel, send=lambda *a: self.channel.send(worker.frame(*a)))
    try:
        exec(body[0], space)
        value = repr(space.get("found"))
    except BaseException as error:
        value = repr(f"{type(error).__name__}: {error}")
    self.channel.send(worker.frame(worker.RESULT, (None, "", "", protocol.NO_COSTS), value))
worker.Worker.run = run
"""


@contextlib.contextmanager
def template_of(extra):
    """Templates that are started with more code, for this process."""
    kept = launcher._template, launcher.PROGRAM
    launcher._template = None
    launcher.PROGRAM = kept[1].replace("main({control}, {host})", extra.replace("{", "{{").replace("}", "}}") + "\nmain({control}, {host})")
    try:
        yield
    finally:
        if launcher._template is not None:
            launcher._template.close()
        launcher._template, launcher.PROGRAM = kept


@pytest.fixture(scope="module")
def native():
    """Runs native code in a worker."""
    with template_of(TAKE_OVER), kr.Runtime(isolation="process", workers=1) as rt:
        yield rt


@pytest.fixture(scope="module")
def unfiltered():
    """The same in workers without the seccomp filter: what the other layers hold by themselves."""
    with template_of(TAKE_OVER + "\nkernel.install_filter = lambda: None"), kr.Runtime(isolation="process", workers=1) as rt:
        yield rt


def found(rt, source, **settings):
    result = rt.run(source, **settings)
    assert result.error is None, result.error
    return ast.literal_eval(result.value)


def layer(name):
    reason = launcher.template().missing.get(name)
    if reason is not None:
        pytest.skip(f"this kernel refuses {name}: {reason}")


NUMBERS = {  # x86-64, aarch64
    "openat": (257, 56), "newfstatat": (262, 79), "statx": (332, 291), "mkdirat": (258, 34), "unlinkat": (263, 35), "renameat2": (316, 276),
    "getdents64": (217, 61), "fchmodat": (268, 53), "fchownat": (260, 54), "symlinkat": (266, 36), "readlinkat": (267, 78),
    "getcwd": (79, 17), "chdir": (80, 49), "ftruncate": (77, 46), "kill": (62, 129), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138),
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "setpgid": (109, 154), "setsid": (112, 157), "dup": (32, 23),
    "dup3": (292, 24), "pipe2": (293, 59), "fcntl": (72, 25), "ioctl": (16, 29), "sendmsg": (46, 211), "recvmsg": (47, 212),
    "sendto": (44, 206), "recvfrom": (45, 207), "accept4": (288, 242), "listen": (50, 201), "setsockopt": (54, 208),
    "shutdown": (48, 210), "prctl": (157, 167), "personality": (135, 92), "setpriority": (141, 140), "sched_setaffinity": (203, 122),
    "setrlimit": (160, 164), "setitimer": (38, 103), "timer_create": (222, 107), "eventfd2": (290, 19), "epoll_create1": (291, 20),
    "inotify_init1": (294, 26), "signalfd4": (289, 74), "timerfd_create": (283, 85), "mlock": (149, 228), "msync": (26, 227),
    "uname": (63, 160), "sysinfo": (99, 179), "syslog": (103, 116), "quotactl": (179, 60), "acct": (163, 89), "capset": (126, 91),
    "setgroups": (116, 159), "ioprio_set": (251, 30), "mq_open": (240, 180), "semget": (64, 190), "msgget": (68, 186),
    "landlock_create_ruleset": (444, 444), "pidfd_getfd": (438, 438), "openat2": (437, 437), "io_uring_enter": (426, 426),
    "splice": (275, 76), "vmsplice": (278, 75), "tee": (276, 77), "copy_file_range": (326, 285), "sendfile": (40, 71),
    "pkey_mprotect": (329, 288), "remap_file_pages": (216, 234), "process_madvise": (440, 440), "kcmp": (312, 272),
}
DEADLY = {
    "execve": (59, 221), "execveat": (322, 281), "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97), "setns": (308, 268), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "keyctl": (250, 219), "init_module": (175, 105), "reboot": (169, 142),
    "memfd_create": (319, 279), "seccomp": (317, 277), "io_uring_setup": (425, 425), "setuid": (105, 146), "shmget": (29, 194),
}
MACHINE = 0 if os.uname().machine == "x86_64" else 1


def test_refused_calls(native):
    layer("seccomp")
    numbers = {name: each[MACHINE] for name, each in NUMBERS.items()}
    answers = found(native, f"found = {{name: call(n, 0, 0, 0, 0, 0) for name, n in {numbers}.items()}}")
    assert {name: answer for name, answer in answers.items() if answer != "EPERM"} == {}


@pytest.mark.parametrize("name", DEADLY)
def test_deadly_calls(native, name):
    layer("seccomp")
    error = native.run(f"call({DEADLY[name][MACHINE]}, 0, 0, 0, 0, 0)").error
    assert error.crashed and error.type == "WorkerCrashed" and "SIGSYS" in error.message


def test_other_numberings_are_deadly(native):
    layer("seccomp")
    if MACHINE == 0:
        assert "SIGSYS" in native.run("call(0x40000000 + 39)").error.message


ATTEMPTS = {
    "open": ("open('/etc/passwd')", "PermissionError"),
    "open own memory": ("open('/proc/self/mem', 'rb')", "PermissionError"),
    "list": ("os.listdir('/')", "PermissionError"),
    "stat": ("os.stat('/')", "PermissionError"),
    "fork": ("os.fork()", "PermissionError"),
    "kill the template": ("os.kill(os.getppid(), 9)", "PermissionError"),
    "kill all": ("os.kill(-1, 9)", "PermissionError"),
    "executable memory": ("mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)", "PermissionError"),
    "shared executable memory": ("mmap.mmap(-1, 4096, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, prot=7)", "PermissionError"),
    "memory of a file": ("mmap.mmap(3, 4096, flags=mmap.MAP_SHARED, prot=1)", "PermissionError"),
    "more memory": ("resource.setrlimit(resource.RLIMIT_DATA, (-1, -1))", "PermissionError"),
    "another's limits": ("resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))", "PermissionError"),
    "dup": ("os.dup(3)", "PermissionError"),
    "pipe": ("os.pipe()", "PermissionError"),
}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_attempts(native, name):
    layer("seccomp")
    source, error = ATTEMPTS[name]
    assert found(native, source).startswith((error, "OSError: [Errno 1]", "ValueError: not allowed"))


def test_no_code_can_be_made_executable(native):
    layer("seccomp")
    source = """
memory = mmap.mmap(-1, 8192)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
found = [libc.mprotect(address & ~4095, 4096, prot) for prot in (1, 3, 4, 5, 6, 7)]
"""
    assert found(native, source) == [0, 0, -1, -1, -1, -1]


def test_only_threads_can_be_cloned(native):
    layer("seccomp")
    source = "found = [call({clone}, flags, 0, 0, 0, 0) for flags in (17, 0, 0x100, 0x4000 | 0x100 | 17, 0x10000000 | 17)] + [call(435, 0, 0)]"
    assert found(native, source.replace("{clone}", str((56, 220)[MACHINE]))) == ["EPERM"] * 5 + ["ENOSYS"]
    assert found(native, "box = []\nt = threading.Thread(target=box.append, args=(1,))\nt.start()\nt.join()\nfound = box") == [1]


def test_descriptors(unfiltered):
    """The channel, and the null device below it."""
    found_fds = found(unfiltered, """
found = []
for fd in range(1024):
    try: found.append((fd, os.fstat(fd).st_mode & 0o170000))
    except OSError: pass
""")
    assert [fd for fd, _ in found_fds] == [0, 1, 2, 3]
    assert [mode for _, mode in found_fds] == [0o020000] * 3 + [0o140000]


def test_resource_limits(native):
    limits = found(native, "found = {n: resource.getrlimit(getattr(resource, 'RLIMIT_' + n)) for n in "
                           "('CORE', 'FSIZE', 'NOFILE', 'MEMLOCK', 'DATA', 'AS', 'CPU', 'NPROC')}")
    assert limits["CORE"] == limits["FSIZE"] == limits["MEMLOCK"] == (0, 0) and limits["NOFILE"] == (4, 4)
    for name in ("DATA", "AS", "CPU"):
        assert limits[name][0] == limits[name][1] > 0
    assert limits["DATA"][1] < 1_000_000_000
    assert found(native, "found = len(bytearray(10**8))") == 10**8
    assert found(native, "found = len(bytearray(10**9))").startswith("MemoryError")
    assert found(native, """
parts = []
try:
    while True: parts.append(b'x' * 10**6)
except MemoryError: found = len(parts)
""") < 1000


def test_nothing_of_the_host_in_memory(native, monkeypatch):
    assert found(native, "found = [name for name in os.environ if name not in ('TZ', 'LD_LIBRARY_PATH', 'LC_ALL', 'MALLOC_ARENA_MAX', 'PYTHONHASHSEED')]") == []


# ---- without the filter ----------------------------------------------------------------------------------
def test_files_without_the_filter(unfiltered):
    if {"mount_namespace", "landlock"} <= launcher.template().missing.keys():
        pytest.skip("this kernel refuses both layers")
    source = """
found = {}
for path in ('/', '/etc/passwd', '/proc/self/maps', '/proc/1/environ', '/sys', '/dev/mem', '/tmp', '/root'):
    for name, action in (('list', os.listdir), ('read', lambda p: open(p).read()), ('write', lambda p: open(p + '/x', 'w')), ('make', lambda p: os.mkdir(p + '/y'))):
        try: found[path, name] = repr(action(path))[:20]
        except OSError: pass
found.pop(('/', 'list'), None)
"""
    assert found(unfiltered, source) == {}


def test_network_without_the_filter(unfiltered):
    layer("network_namespace")
    source = """
found = []
for family, kind, address in ((socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', 80)), (socket.AF_INET, socket.SOCK_STREAM, ('8.8.8.8', 53)),
                              (socket.AF_INET6, socket.SOCK_STREAM, ('::1', 80)), (socket.AF_UNIX, socket.SOCK_STREAM, '\\0/tmp/.X11-unix/X0')):
    try:
        s = socket.socket(family, kind)
        s.settimeout(1)
        s.connect(address)
        found.append(address)
    except OSError: pass
"""
    with_room = found(unfiltered, "resource.getrlimit(resource.RLIMIT_NOFILE)\nos.close(0)\n" + source)
    assert with_room == []


def test_processes_without_the_filter(unfiltered):
    layer("pid_namespace")
    layer("landlock")
    pid = os.getpid()
    source = f"""
found = []
for pid in (1, {pid}, -1, os.getppid()):
    try: os.kill(pid, 0); found.append(pid)
    except OSError: pass
"""
    answers = found(unfiltered, source)
    assert pid not in answers
    assert found(unfiltered, "found = os.getpid()") < 1000


def test_rights_without_the_filter(unfiltered):
    layer("user_namespace")
    source = """
found = []
for name, action in (('setuid', lambda: os.setuid(12345)), ('setgid', lambda: os.setgid(12345)), ('chroot', lambda: os.chroot('/')), ('nice', lambda: os.nice(-5)),
                     ('limit', lambda: resource.setrlimit(resource.RLIMIT_DATA, (-1, -1))), ('host name', lambda: socket.sethostname('x'))):
    try: action(); found.append(name)
    except (OSError, ValueError): pass
header = (ctypes.c_uint32 * 2)(0x20080522, 0); data = (ctypes.c_uint32 * 6)()
libc.capget(header, data)
found.append(list(data))
"""
    assert found(unfiltered, source) == [[0] * 6]


# ---- what the host sees of it ----------------------------------------------------------------------------
def test_crashes_are_errors_and_the_worker_is_replaced(native):
    for source, text in [("ctypes.string_at(0)", "SIGSEGV"), ("os.abort()", "SIGABRT"), ("os._exit(3)", "status 3"), ("os.close(3)", "")]:
        result = native.run(source)
        assert result.error.crashed and result.error.type == "WorkerCrashed" and text in result.error.message, (source, result.error)
        with pytest.raises(kr.WorkerCrashed):
            result.unwrap()
        assert found(native, "found = 1 + 1") == 2


def test_hard_kill_at_the_time_limit(native):
    sources = ["time.sleep(60)", "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)); libc.sleep(60)", "ctypes.pythonapi.Py_Initialize\nwhile True: pass"]
    for source in sources:
        start = time.monotonic()
        result = native.run(source, limits=kr.Limits(seconds=0.1))
        assert result.error.limit == "seconds" and "killed" in result.error.message and result.stats.instructions == 0
        assert time.monotonic() - start < 20
    assert found(native, "found = 3") == 3


MESSAGES = {
    "not a message": "os.write(3, b'\\xff' * 100)",
    "a long message": "os.write(3, b'\\xff\\xff\\xff\\x7f\\x45')",
    "a length of nothing": "os.write(3, b'\\0\\0\\0\\0\\0')",
    "another kind": "send(9, None)",
    "ready again": "send(worker.READY, None)",
    "started for nothing": "send(worker.STARTED, None)",
    "result of another form": "send(worker.RESULT, (None, '', ''), 5)",
    "result of other types": "send(worker.RESULT, (None, 5, '', protocol.NO_COSTS), 5)",
    "costs of other types": "send(worker.RESULT, (None, '', '', ('x', *protocol.NO_COSTS[1:])), 5)",
    "costs that are no numbers": "send(worker.RESULT, (None, '', '', (float('nan'), *protocol.NO_COSTS[1:])), 5)",
    "costs without end": "send(worker.RESULT, (None, '', '', (float('inf'), *protocol.NO_COSTS[1:])), 5)",
    "names of files that nobody wants": "send(worker.FILES, ('name', '/a', True))",
    "a file that lies elsewhere": "send(worker.FILES, ('end', '/a/../../b', b'x'))",
    "parts of nothing": "while True: send(worker.FILES, ('part', '/a', b''))",
    "displays of nothing": "while True: send(worker.DISPLAY, 'display', ({}, {}))",
    "a display of other types": "send(worker.DISPLAY, 'display', ({5: 'x'}, {}))",
    "about a display, of other types": "send(worker.DISPLAY, 'display', ({}, {(): 'x'}))",
    "an error of another form": "send(worker.RESULT, ((1,), '', '', protocol.NO_COSTS), 5)",
    "an error of other types": "send(worker.RESULT, (('a', 'b', 'c', 4, 5, 6, 7, 8), '', '', protocol.NO_COSTS), 5)",
    "output of another form": "send(worker.OUTPUT, (3, 'x'))",
    "output of other types": "send(worker.OUTPUT, (1, b'x'))",
    "a call of another kind": "send(worker.CALL, ('rm', '/'), None)",
    "a call of another form": "send(worker.CALL, 5, None)",
    "a value that is too large": "send(worker.RESULT, (None, '', '', protocol.NO_COSTS), ['x' * 1000] * 10 + [bytes(10**6)])",
}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages_that_are_none(native, name):
    result = native.run(MESSAGES[name] + "\ntime.sleep(5)", limits=kr.Limits(seconds=30, result_size=100_000, output=100_000))
    assert result.error.crashed and "what is no message" in result.error.message, result


def test_more_output_than_the_limit(native):
    result = native.run("while True: send(worker.OUTPUT, (1, 'x' * 10000))", limits=kr.Limits(output=1000))
    assert result.error.crashed and len(result.stdout) < 2_000_000


def test_source_of_a_module_that_is_a_file(native, tmp_path):
    """What a worker asks for by name is looked up among the guests' modules only."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.py").write_text("x = 1")
    (tmp_path / "secret.py").write_text("secret")
    with kr.Runtime(isolation="process", modules_source=tmp_path / "mine", workers=1) as rt:
        source = "found = []\nfor name in ('../secret', '..secret', 'secret', '/etc/passwd', 'a'):\n    send(worker.CALL, ('source', name, ()), True)\n    found.append(channel.receive()[2])"
        answers = found(rt, source)
    assert answers[:4] == [None] * 4 and answers[4][0] == "x = 1"


def test_signal_of_a_cancelled_run_is_known(native):
    assert found(native, "found = signal.getsignal(signal.SIGUSR1) is worker.cancel_run") is True
