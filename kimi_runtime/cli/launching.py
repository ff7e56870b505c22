"""``kimi-cli run``: the options that say how a program is run, before what is run."""
from __future__ import annotations

import os
import sys

from .main import PROGRAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Set in a process that was started anew with a library; its value is what LD_PRELOAD was before.
STARTED = "KIMI_PRELOADED"


def prepare(arguments: list[str]) -> tuple[int | None, list[str]]:
    """Reads the options and does what they say; may start the process anew.

    Returns:
        An exit status and nothing, or None and the arguments that are left: what to run.
    """
    allocator = None
    mounts = []
    while arguments and (arguments[0].startswith("--") or arguments[0] == "-h") and arguments[0] != "--":
        option, has_value, value = arguments[0].partition("=")
        if option in ("-h", "--help"):
            from .commands import run

            return run(["run", "--help"]), []
        if option in ("--jit", "--print-compilation"):
            status = _compile(option, value)
            if status is not None:
                return status
            arguments = arguments[1:]
            continue
        if option not in ("--allocator", "--mount"):
            return _wrong(f"no such option: {option}")
        if not has_value:
            if len(arguments) < 2:
                return _wrong(f"{option} needs a {'name' if option == '--allocator' else 'folder and a path'}")
            value = arguments.pop(1)
        if option == "--allocator":
            allocator = value
        else:
            mounts.append(value)
        arguments = arguments[1:]
    if not arguments:
        return _wrong("a program is missing")
    if allocator is not None:
        from .. import allocator as allocators

        try:
            _start_with(allocator)
            allocators.use(allocator)
        except (ValueError, allocators.AllocatorError) as error:
            return _wrong(str(error))
    if mounts:
        try:
            _mount(mounts)
        except (ValueError, NotImplementedError) as error:
            return _wrong(str(error))
    return None, arguments


def _mount(mounts: list[str]) -> None:
    """Gives the programs of this process folders, as the options say. Raises ValueError, NotImplementedError."""
    from ..checked import files
    from ..files.mounts import MODES, Mount
    from . import runner

    made = []
    for each in mounts:
        rest, _, mode = each.rpartition(":")
        if mode not in MODES:
            rest, mode = each, "ro"
        folder, _, path = rest.rpartition(":")
        if not folder or not path:
            raise ValueError(f"--mount takes HOST:GUEST[:{'|'.join(MODES)}], not {each!r}")
        try:
            made.append(Mount(folder, path, mode))
        except OSError as error:
            raise ValueError(f"--mount: {folder!r}: {error.strerror}") from None
    runner.use_files(files(None, None, made))


def _compile(option: str, value: str) -> tuple[int, list[str]] | None:
    """Turns the hot tier on for the programs of this process; an error's status and nothing."""
    from .. import jit
    from . import runner

    if value not in ("", "json") or (value and option == "--jit"):
        return _wrong(f"{option} does not take {value!r}")
    if not jit.available():
        return _wrong(f"{option} needs llvmlite; {jit.REMEDY}")
    from ..jit.events import as_json, as_line

    def tell(event: dict[str, Any]) -> None:
        sys.stderr.write((as_json if value else as_line)(event) + "\n")

    runner.use_hot_tier(jit.JIT(listener=tell if option == "--print-compilation" else None).policy())
    return None


def _wrong(text: str) -> tuple[int, list[str]]:
    print(f"{PROGRAM} run: {text}\nTry '{PROGRAM} run --help'.", file=sys.stderr)
    return 2, []


def _start_with(name: str) -> None:
    """Starts this process anew with the library of an allocator, unless that was done."""
    from ..allocator import preloads

    before = os.environ.pop(STARTED, None)
    if before is not None:      # what the program starts is not to have it
        if before:
            os.environ["LD_PRELOAD"] = before
        else:
            os.environ.pop("LD_PRELOAD", None)
        return
    library = preloads(name)
    if library is None:
        return
    others = os.environ.get("LD_PRELOAD", "")
    environment = {**os.environ, "LD_PRELOAD": f"{library}:{others}" if others else library, STARTED: others}
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)
