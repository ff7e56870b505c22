"""Processes of isolation="process": none outlives the host, and each is replaced when it ends."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

import kimi_runtime as kr

if sys.platform != "linux":
    pytest.skip("process isolation needs Linux", allow_module_level=True)

from kimi_runtime.isolation import launcher, template

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def tree(pid):
    """The processes below one, as the system sees them."""
    parents = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents[int(path.parent.name)] = int(fields[1])
    found, waiting = [], [pid]
    while waiting:
        parent = waiting.pop()
        below = [child for child, other in parents.items() if other == parent]
        found += below
        waiting += below
    return found


def alive(pids):
    found = []
    for pid in pids:
        try:
            if pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX":
                found.append(pid)
        except OSError:
            continue
    return found


def wait_until_gone(pids, seconds=5):
    end = time.monotonic() + seconds
    while alive(pids) and time.monotonic() < end:
        time.sleep(0.02)
    return alive(pids)


HOST = """
import sys, threading, time, os
import kimi_runtime as kr
rt = kr.Runtime(isolation="process", workers=2)
session = rt.session()
threading.Thread(target=rt.run, args=("import time; time.sleep(30)",), daemon=True).start()
assert rt.run("1+1").value == 2
print("ready", flush=True)
{end}
"""


@pytest.mark.parametrize("end", [
    "sys.exit()", pytest.param("os._exit(0)", marks=pytest.mark.slow), pytest.param("os.abort()", marks=pytest.mark.slow),
    pytest.param("time.sleep(30)", marks=pytest.mark.slow), "if os.fork(): time.sleep(30)\nelse: time.sleep(2)",
], ids=["exit", "_exit", "abort", "killed", "killed with a fork"])
def test_no_process_outlives_the_host(end):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    host = subprocess.Popen([sys.executable, "-c", HOST.replace("{end}", end)], stdout=subprocess.PIPE, env=environment, text=True,
                            stderr=subprocess.DEVNULL)
    with host:
        assert host.stdout.readline() == "ready\n"
        below = tree(host.pid)
        if "sleep(30)" in end:
            assert len(below) >= 4
            below = [pid for pid in below if b"kimi_runtime.isolation.template" in cmdline(pid)]
            assert len(below) >= 4
            host.send_signal(signal.SIGKILL)
        host.wait(10)
        assert wait_until_gone(below) == []


def cmdline(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def templates():
    return [pid for pid in tree(os.getpid()) if b"kimi_runtime.isolation.template" in cmdline(pid)]


def stat(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def workers():
    """The workers that serve runtimes: those that only wait to be asked for are in the session of their template."""
    of_templates = set(templates())
    return {pid for pid in of_templates if int(stat(pid)[1]) in of_templates and int(stat(pid)[3]) == pid}


def test_a_template_that_ended_is_replaced():
    with kr.Runtime(isolation="process", workers=1) as rt:
        assert rt.run("1").value == 1
        before = templates()
        launcher.template()._process.kill()
        assert wait_until_gone(before) == []
        assert rt.run("2").value == 2           # though the idle worker ended with it


def test_workers_end_with_their_runtime():
    launcher.template()
    before = workers()
    rt = kr.Runtime(isolation="process", workers=2)
    rt.run("1")
    session = rt.session()
    kept = kr.Runtime(isolation="process").session()
    mine = workers() - before
    assert len(mine) == 3
    rt.close()
    del kept
    assert wait_until_gone(mine) == []
    assert session.run("1").error.crashed


def test_a_forked_host_has_workers_of_its_own():
    with kr.Runtime(isolation="process", workers=1) as rt:
        assert rt.run("1").value == 1
        read, write = os.pipe()
        child = os.fork()
        if not child:
            status = 1
            try:
                result = rt.run("print('child'); 5")
                assert result.value == 5 and result.stdout == "child\n"
                status = 0
            finally:
                launcher._at_exit()
                os._exit(status)
        os.close(write)
        assert rt.run("print('parent'); 6").stdout == "parent\n"
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert rt.run("7").value == 7
        os.close(read)


def test_the_thread_that_started_the_template_may_end():
    kept, launcher._template = launcher._template, None
    try:
        made = []
        thread = threading.Thread(target=lambda: made.append(kr.Runtime(isolation="process", workers=1)))
        thread.start()
        thread.join()
        time.sleep(0.1)
        assert made[0].run("1").value == 1
        made[0].close()
        launcher._template.close()
    finally:
        launcher._template = kept


def test_a_host_with_many_descriptors():
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1500)]
    try:
        with kr.Runtime(isolation="process", workers=1) as rt:
            assert rt.run("1").value == 1
    finally:
        for fd in held:
            os.close(fd)


def test_nothing_is_left_open():
    with kr.Runtime(isolation="process", workers=2) as rt:
        rt.run("1")
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(10):
            rt.session().close()
        with kr.Runtime(isolation="process", fresh=True) as fresh:
            for _ in range(5):
                fresh.run("1")
        assert len(os.listdir("/proc/self/fd")) == before


def test_workers_are_forked_ahead_of_need():
    with kr.Runtime(isolation="process", fresh=True, workers=1) as rt:
        assert rt.run("1").value == 1
        deadline = time.monotonic() + 20
        while len(spares := set(templates()) - workers()) < 1 + template.SPARES and time.monotonic() < deadline:
            time.sleep(0.01)        # one of them is the template
        seen = "import threading\n[threading.active_count(), given]"
        assert rt.run("given").error.type == "NameError"       # what they ran to be warm is not there
        assert not rt.run("1 + 1").stats.cached
        assert rt.run(seen, {"given": 3}).value == [1, 3]
        assert len(spares) <= 2 + template.SPARES


def test_spare_workers_that_end_are_replaced():
    with kr.Runtime(isolation="process", fresh=True, workers=1) as rt:
        for _ in range(3):
            for pid in set(templates()) - workers():
                if int(stat(pid)[1]) in templates():
                    os.kill(pid, signal.SIGKILL)
            assert rt.run("1").value == 1


def test_fresh_workers_remember_nothing():
    with kr.Runtime(isolation="process", fresh=True, workers=2) as rt:
        assert [rt.run("n + 1", {"n": n}).value for n in range(5)] == [1, 2, 3, 4, 5]


def test_a_missing_layer_is_said():
    kept = launcher._template, launcher.PROGRAM
    launcher._template = None
    launcher.PROGRAM = kept[1].replace("main({control}, {host})", """
from kimi_runtime.isolation import kernel
def refused(): raise OSError(38, 'Function not implemented')
kernel.landlock = refused
main({control}, {host})
""")
    try:
        with pytest.warns(kr.IsolationWarning, match=r"landlock \(Function not implemented"):
            with kr.Runtime(isolation="process") as rt:
                assert rt.run("1").value == 1
        with pytest.raises(kr.IsolationError, match="landlock: Function not implemented"):
            kr.Runtime(isolation="process", require=["landlock"])
        launcher._template.close()
    finally:
        launcher._template, launcher.PROGRAM = kept


def test_other_systems_are_told(monkeypatch):
    monkeypatch.setattr(launcher.sys, "platform", "darwin")
    with pytest.raises(NotImplementedError, match="needs Linux"):
        kr.Runtime(isolation="process")


def test_doctor_shows_each_layer():
    done = subprocess.run([sys.executable, "-m", "kimi_runtime", "doctor", "--json"], capture_output=True, text=True, timeout=60, cwd=ROOT)
    findings = json.loads(done.stdout)
    isolation = findings["isolation"]
    assert isolation["available"] and set(isolation["layers"]) == set(launcher.LAYERS)
    assert done.returncode == (0 if all(layer["ok"] for layer in isolation["layers"].values()) else 1)


def test_doctor_says_what_to_do(monkeypatch, capsys):
    from kimi_runtime.cli import doctor

    monkeypatch.setitem(launcher.template().missing, "landlock", "Function not implemented (errno 38)")
    assert doctor.run(False) == 1
    text = capsys.readouterr().out
    assert "MISSING landlock" in text and "reason: Function not implemented" in text and "to do:  Linux 5.13" in text
    assert set(doctor.REMEDIES) == set(launcher.LAYERS)


def test_modules_that_are_needed_late():
    """A worker opens no file, so its template loads what code asks for by `host_module` when it is first needed."""
    asked = set()
    for path in (ROOT / "kimi_runtime").rglob("*.p*"):
        if path.suffix in (".py", ".pyx", ".pxi"):
            asked |= set(re.findall(r"\bhost_module\(\"([\w.]+)\"\)", path.read_text(encoding="utf-8")))
    assert {"traceback", "ast"} <= asked
    assert {name for name in asked if not name.startswith("kimi_runtime.")} <= set(template.LATE_MODULES)


def test_without_namespaces():
    """As in a container that has none: the other layers hold, no process stays behind, and the warning names what is missing."""
    kept = launcher._template, launcher.PROGRAM
    launcher._template = None
    launcher.PROGRAM = kept[1].replace("main({control}, {host})", """
from kimi_runtime.isolation import kernel
def refused(): raise PermissionError(1, 'Operation not permitted')
for name in ('user', 'mounts', 'network', 'ipc', 'pids'):
    setattr(kernel, 'unshare_' + name, refused)
main({control}, {host})
""")
    try:
        with pytest.warns(kr.IsolationWarning, match="user_namespace.*mount_namespace.*network_namespace.*pid_namespace"):
            rt = kr.Runtime(isolation="process", workers=1)
        assert rt.run("import json; json.dumps([1])").value == "[1]"
        assert rt.run("while True: pass", limits=kr.Limits(seconds=0.1)).error.limit == "seconds"
        pids = [launcher._template._process.pid, *tree(launcher._template._process.pid)]
        assert 2 <= len(pids) <= 2 + template.SPARES      # the run's worker was killed
        launcher._template._process.kill()      # no namespace ends the worker with it: the kernel does, on its parent's death
        assert wait_until_gone(pids) == []
        rt.close()
        launcher._template.close()
    finally:
        launcher._template, launcher.PROGRAM = kept
