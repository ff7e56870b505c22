"""``kimi-cli doctor``: what this machine offers, and what to do where it offers less."""
from __future__ import annotations

import json
import os
import platform
import shutil
import sys
import time
from typing import Any

from .. import __version__

#: What helps when the kernel refuses a layer of ``isolation="process"``.
REMEDIES = {
    "seccomp": "the kernel needs CONFIG_SECCOMP_FILTER; a container's own seccomp profile must allow seccomp(2) or prctl(2)",
    "landlock": "Linux 5.13 or later with landlock among the modules of the boot parameter lsm=",
    "user_namespace": "allow user namespaces: sysctl user.max_user_namespaces above 0, "
                      "kernel.unprivileged_userns_clone=1 (Debian), "
                      "kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu); in a container a seccomp profile with unshare(2)",
    "mount_namespace": "user namespaces, or CAP_SYS_ADMIN in the container; filter and landlock keep files shut meanwhile",
    "network_namespace": "needs user namespaces, or CAP_SYS_ADMIN in the container; the filter refuses sockets meanwhile",
    "pid_namespace": "needs user namespaces, or CAP_SYS_ADMIN in the container; the filter refuses kill(2) meanwhile",
    "rlimits": "a container runtime that lets setrlimit(2) through",
    "capabilities": "run the host as a user without capabilities",
    "no_new_privileges": "Linux 3.5 or later",
    "not_dumpable": "a container runtime that lets prctl(2) through",
    "killed_with_host": "Linux 5.3 or later (pidfd_open); without it the template looks for the host once a second",
}


def examine() -> dict[str, Any]:
    """The findings: ``python``, ``platform``, ``processors``, ``compiler`` and ``isolation``, as plain data for ``--json``."""
    return {
        "kimi_runtime": __version__,
        "python": {"version": platform.python_version(), "executable": sys.executable, "compiler": platform.python_compiler()},
        "platform": {"system": platform.system(), "release": platform.release(), "machine": platform.machine()},
        "processors": {"count": os.cpu_count(), "usable": _usable_processors()},
        "compiler": {"found": next((path for path in map(shutil.which, ("cc", "gcc", "clang")) if path), None),
                     "needed": "only to build the package"},
        "jit": examine_jit(),
        "isolation": examine_isolation(),
    }


def examine_jit() -> dict[str, Any]:
    """Whether code can be compiled to machine code: the back end is an extra."""
    from .. import jit

    found = jit.available()
    return {"available": found, "default": "off", "remedy": None if found else jit.REMEDY}


def examine_isolation() -> dict[str, Any]:
    """What ``isolation="process"`` has here: tried, not guessed, by starting a template and a worker."""
    from ..errors import IsolationError
    from ..isolation import launcher, process_runtime

    found: dict[str, Any] = {"available": False, "error": None, "layers": {}}
    try:
        begun = time.perf_counter()
        missing = launcher.template().missing
        found["template_start_seconds"] = round(time.perf_counter() - begun, 3)
        for name, purpose in launcher.LAYERS.items():
            reason = missing.get(name)
            found["layers"][name] = {"ok": reason is None, "purpose": purpose, "reason": reason,
                                     "remedy": None if reason is None else REMEDIES[name]}
        with process_runtime.quietly():
            runtime: Any = process_runtime.ProcessRuntime(isolation="process", workers=1)
        with runtime:
            begun = time.perf_counter()
            runtime.start_worker()
            found["worker_start_seconds"] = round(time.perf_counter() - begun, 4)
            found["available"] = runtime.run("1 + 1").value == 2
    except (IsolationError, NotImplementedError) as error:
        found["error"] = str(error)
    return found


def _usable_processors() -> int | None:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count()


def _jit_line(found: dict[str, Any]) -> str:
    if not found["available"]:
        return f"not available: llvmlite is not installed; {found['remedy']}"
    return "llvmlite found; off by default: Runtime(jit=JIT()) or KIMI_JIT=1 turns it on"


def report(findings: dict[str, Any]) -> str:
    """The findings for people to read."""
    python, system, isolation = findings["python"], findings["platform"], findings["isolation"]
    lines = [
        f"kimi_runtime  {findings['kimi_runtime']}",
        f"Python        {python['version']} ({python['executable']}), built by {python['compiler']}",
        f"system        {system['system']} {system['release']} on {system['machine']}",
        f"processors    {findings['processors']['usable']} of {findings['processors']['count']} usable",
        f"C compiler    {findings['compiler']['found'] or 'none found'} ({findings['compiler']['needed']})",
        f"hot tier      {_jit_line(findings['jit'])}",
        "",
        "isolation=\"process\"",
    ]
    for name, layer in isolation["layers"].items():
        lines.append(f"  {'ok     ' if layer['ok'] else 'MISSING'} {name:<18} {layer['purpose']}")
        if not layer["ok"]:
            lines.append(f"          reason: {layer['reason']}")
            lines.append(f"          to do:  {layer['remedy']}")
    if isolation["error"] is not None:
        lines.append(f"  not available: {isolation['error']}")
    elif isolation["available"]:
        lines.append(f"  template started in {isolation['template_start_seconds']} s, a worker in "
                     f"{isolation['worker_start_seconds'] * 1000:.1f} ms")
    else:
        lines.append("  not available: a worker gave a wrong answer")
    return "\n".join(lines)


def run(as_json: bool) -> int:
    """Prints the findings.

    Args:
        as_json: for programs.

    Returns:
        The exit status: 0 when everything is there, 1 when something is missing.
    """
    findings = examine()
    print(json.dumps(findings, indent=2) if as_json else report(findings))
    isolation = findings["isolation"]
    return 0 if isolation["available"] and all(layer["ok"] for layer in isolation["layers"].values()) else 1
