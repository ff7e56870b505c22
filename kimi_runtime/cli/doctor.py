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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

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


#: What a missing piece costs: the packages of the extras, and the libraries of allocators.
EXTRAS = {
    "lz4": ("cache", "compiled programs are not kept on disk, and snapshots are not compressed"),
    "rich": ("profile", "`kimi-cli profile` shows plain text"),
    "prometheus_client": ("metrics", "`Runtime.metrics()` raises ImportError"),
    "opentelemetry.trace": ("telemetry", "`Runtime.export_spans()` needs a tracer of the host's own"),
    "prompt_toolkit": ("repl", "the prompt has no completion, colours or search in its history"),
    "ty": ("types", "`kimi-cli check --types` cannot check types"),
}
ALLOCATOR_COST = "`kimi_runtime.allocator` cannot choose it: blocks that belong to no guest's heap come from pymalloc"


def examine(tell: Callable[[int, int], object] = lambda done, whole: None) -> dict[str, Any]:
    """The findings, as plain data for ``--json``: ``python``, ``platform``, ``cpu``, ``processors``, ``numa``, ``cgroup``,
    ``compiler``, ``allocators``, ``jit``, ``profiler``, ``extras`` and ``isolation``. What can be missing has ``ok``, and then
    ``reason``, ``cost`` and ``remedy``. tell: called with the number of looks so far and of all."""
    looks: dict[str, Callable[[], Any]] = {
        "kimi_runtime": lambda: __version__,
        "python": lambda: {"version": platform.python_version(), "executable": sys.executable,
                           "compiler": platform.python_compiler()},
        "platform": lambda: {"system": platform.system(), "release": platform.release(), "machine": platform.machine()},
        "cpu": examine_cpu,
        "processors": lambda: {"count": os.cpu_count(), "usable": _usable_processors()},
        "numa": examine_nodes,
        "cgroup": examine_cgroup,
        "compiler": examine_compiler,
        "allocators": examine_allocators,
        "jit": examine_jit,
        "profiler": examine_profiler,
        "extras": examine_extras,
        "isolation": examine_isolation,
    }
    found: dict[str, Any] = {}
    for name, look in looks.items():
        tell(len(found), len(looks))
        found[name] = look()
    tell(len(looks), len(looks))
    return found


def piece(reason: str | None, cost: str, remedy: str | None, **more: Any) -> dict[str, Any]:
    """A finding about something that can be missing. reason: why it is, or None when it is there."""
    if reason is None:
        return {"ok": True, **more}
    return {"ok": False, "reason": reason, "cost": cost, "remedy": remedy, **more}


def examine_cpu(path: str = "/proc/cpuinfo") -> dict[str, Any]:
    """Model and instruction sets of the processor."""
    fields: dict[str, str] = {}
    try:
        with open(path) as file:
            for line in file:
                name, colon, value = line.partition(":")
                if colon:
                    fields.setdefault(name.strip(), value.strip())
    except OSError:
        pass                    # not Linux: what Python knows is all there is
    flags = (fields.get("flags") or fields.get("Features") or "").split()
    return {"model": fields.get("model name") or platform.processor() or platform.machine(),
            "megahertz": float(fields["cpu MHz"]) if "cpu MHz" in fields else None,
            "vectors": [each for each in ("sse4_2", "avx2", "avx512f", "asimd", "sve") if each in flags]}


def examine_nodes() -> dict[str, Any]:
    """Memory nodes and their processors."""
    from ..processors import nodes

    return {"nodes": {str(node): list(processors) for node, processors in nodes().items()}}


def examine_cgroup() -> dict[str, Any]:
    """What the container lets this process have, as the default sizes of pools and caches follow it."""
    from .. import containers

    memory = containers.memory()
    return {"memory_limit": memory.limit if memory.is_container else None, "memory_used": memory.used, "source": memory.source,
            "machine_memory": None if memory.is_container else memory.limit,
            "processor_quota": containers.container().quota(), "processors": containers.processors()}


def examine_compiler() -> dict[str, Any]:
    """A C compiler: nothing needs one that is installed from a wheel."""
    found = next((path for path in map(shutil.which, ("cc", "gcc", "clang")) if path), None)
    return piece(None if found else "none found",
                 "kimi_runtime cannot be built from its sources; what is installed runs without it",
                 "apt install gcc (Debian, Ubuntu), dnf install gcc (Fedora) or apk add gcc musl-dev (Alpine)", found=found,
                 needed="only to build the package")


def examine_allocators() -> dict[str, Any]:
    """Allocators by name: tried by loading them."""
    from .. import allocator

    found = {}
    for name, reason in allocator.available().items():
        known = allocator.LIBRARIES.get(name)
        if known is None:
            remedy = "run Python without PYTHONMALLOC=debug and -X dev, and not as a debug build"
        elif (library := _preloadable(name)) is not None:
            remedy = f"kimi-cli run --allocator {name} FILE, or LD_PRELOAD={library}"
        else:
            remedy = known[1]
        found[name] = piece(reason and reason.removeprefix(f"allocator {name}: "), ALLOCATOR_COST, remedy)
    return found


def _preloadable(name: str) -> str | None:
    """The library of an allocator that is there, whether or not it can be loaded now."""
    from .. import allocator

    try:
        return allocator.preloads(name)
    except allocator.AllocatorError:
        return None


def examine_jit() -> dict[str, Any]:
    """Whether code can be compiled to machine code: the back end is an extra."""
    from .. import jit

    return piece(None if jit.available() else "llvmlite is not installed", "hot loops run at the speed of the interpreter",
                 jit.REMEDY, default="off", note="Runtime(jit=JIT()) or KIMI_JIT=1 turns it on")


def examine_profiler() -> dict[str, Any]:
    """Whether samples can be taken: tried by taking none."""
    from ..profiling.recorder import Recorder

    recorder = Recorder(60.0)
    try:
        recorder.start()
        recorder.stop()
    except (OSError, RuntimeError) as error:
        return piece(str(error), "`kimi-cli profile`, `trace` and `coverage` do not work",
                     "build with gcc or clang on Linux; a seccomp profile that allows timer_create(2)")
    return piece(None, "", None)


def examine_extras() -> dict[str, Any]:
    """Packages that nothing needs but what they are for."""
    return {package: piece(None if _is_installed(package) else "not installed", cost, f"pip install 'kimi-runtime[{extra}]'")
            for package, (extra, cost) in EXTRAS.items()}


def _is_installed(module: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:     # not even the package around it
        return False


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


def report(findings: dict[str, Any]) -> str:
    """The findings for people to read."""
    python, system, isolation = findings["python"], findings["platform"], findings["isolation"]
    cpu, cgroup = findings["cpu"], findings["cgroup"]
    nodes = findings["numa"]["nodes"]
    quota = "no quota" if cgroup["processor_quota"] is None else f"a quota of {cgroup['processor_quota']:g}"
    limit = "no memory limit" if cgroup["memory_limit"] is None else f"memory limit {cgroup['memory_limit'] / 1e6:,.0f} MB"
    lines = [
        f"kimi_runtime  {findings['kimi_runtime']}",
        f"Python        {python['version']} ({python['executable']}), built by {python['compiler']}",
        f"system        {system['system']} {system['release']} on {system['machine']}",
        f"CPU           {cpu['model']}" + (f", {cpu['megahertz']:,.0f} MHz" if cpu["megahertz"] else "")
        + (f", {' '.join(cpu['vectors'])}" if cpu["vectors"] else ""),
        f"processors    {findings['processors']['usable']} of {findings['processors']['count']} usable",
        f"NUMA          {len(nodes)} node{'s' if len(nodes) > 1 else ''}: "
        + "; ".join(f"{node} has processors {', '.join(map(str, each))}" for node, each in nodes.items()),
        f"cgroup        {limit}, {quota} of processors ({cgroup['source']})",
        f"C compiler    {findings['compiler']['found'] or 'none found'} ({findings['compiler']['needed']})",
        "",
        "pieces",
    ]
    pieces = {"hot tier": findings["jit"], "profiler": findings["profiler"],
              **{f"allocator {name}": each for name, each in findings["allocators"].items()},
              **{f"package {name}": each for name, each in findings["extras"].items()}}
    for name, each in pieces.items():
        lines.append(f"  {'ok     ' if each['ok'] else 'missing'} {name}" + (f" ({each['note']})" if "note" in each else ""))
        if not each["ok"]:
            lines.append(f"          reason: {each['reason']}")
            lines.append(f"          costs:  {each['cost']}")
            if each["remedy"]:
                lines.append(f"          to do:  {each['remedy']}")
    lines += [
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


def run(as_json: bool, tell: Callable[[int, int], object] = lambda done, whole: None) -> int:
    """Prints the findings.

    Args:
        as_json: for programs.
        tell: see examine.

    Returns:
        The exit status: 0 when everything is there, 1 when something is missing.
    """
    findings = examine(tell)
    print(json.dumps(findings, indent=2) if as_json else report(findings))
    isolation = findings["isolation"]
    return 0 if isolation["available"] and all(layer["ok"] for layer in isolation["layers"].values()) else 1
