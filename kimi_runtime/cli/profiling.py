"""``kimi-cli profile`` and ``kimi-cli --profile=…``: runs a program and writes where its time and memory went."""
from __future__ import annotations

import contextlib
import os
import sys
import time

from .. import _core, engine
from . import runner
from .main import PROGRAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

    from ..profiling.profile import Profile

__all__ = ["Options", "parse_arguments", "parse_interval", "profile_program", "run"]

ASPECTS = ("cpu", "memory", "counts")

USAGE = f"""Usage: {PROGRAM} --profile=cpu,memory [--sample-interval=50ms] [--output-format=json] [--output=FILE]
       [--stdout=FILE] FILE [ARGS]...
Try '{PROGRAM} profile --help'."""


class UsageError(Exception):
    """The command line is wrong."""


class Options:
    """What is profiled, and where it goes.

    Attributes:
        aspects: of "cpu", "memory" and "counts".
        interval: seconds.
        format: one of ``FORMATS``.
        output: a file, or None for standard output.
        stdout: where the program's own output goes: a file, or None for standard error.
    """

    def __init__(self) -> None:
        self.aspects: tuple[str, ...] = ("cpu",)
        self.interval = 0.01
        self.format = "json"
        self.output: str | None = None
        self.stdout: str | None = None


def parse_interval(text: str) -> float:
    """Seconds of a text such as ``50ms``, ``1s``, ``500us`` or ``0.01``. Raises UsageError."""
    number, scale = text.strip().lower(), 1.0
    for unit, size in (("us", 1e-6), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0)):
        if number.endswith(unit):
            number, scale = number[: -len(unit)], size
            break
    try:
        seconds = float(number) * scale
    except ValueError:
        seconds = 0.0
    if not 1e-5 <= seconds < 3600:
        raise UsageError(f"an interval is a time such as 50ms, 1s or 500us, and at least 10us, not {text!r}")
    return seconds


def parse_aspects(text: str) -> tuple[str, ...]:
    """What to profile, of a list with commas. Raises UsageError."""
    found = tuple(each.strip() for each in text.split(",") if each.strip())
    for each in found:
        if each not in ASPECTS:
            raise UsageError(f"--profile takes a list of {', '.join(ASPECTS)}, not {each!r}")
    return found or ("cpu",)


def parse_arguments(arguments: list[str]) -> tuple[Options, list[str]]:
    """The options before the program, and the program with its arguments. Raises UsageError."""
    from ..profiling.profile import FORMATS, kind_of

    options = Options()
    given = False
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] not in ("-", "-c"):
        word = rest.pop(0)
        if word == "--":
            break
        name, sign, value = word.partition("=")
        if name not in ("--profile", "--sample-interval", "--output-format", "--output", "--stdout"):
            raise UsageError(f"no such option: {name}")
        if not sign:
            if name == "--profile":
                value = "cpu"
            elif not rest:
                raise UsageError(f"{name} needs a value")
            else:
                value = rest.pop(0)
        if name == "--profile":
            options.aspects = parse_aspects(value)
        elif name == "--sample-interval":
            options.interval = parse_interval(value)
        elif name == "--output-format":
            if value not in FORMATS:
                raise UsageError(f"--output-format must be one of {', '.join(FORMATS)}, not {value!r}")
            options.format, given = value, True
        elif name == "--output":
            options.output = value
        else:
            options.stdout = value
    if options.output is not None and not given:
        try:
            options.format = kind_of(options.output)
        except ValueError as error:
            raise UsageError(f"--output: {error}") from None
    if options.output is not None and not os.path.isdir(os.path.dirname(options.output) or os.curdir):
        raise UsageError(f"--output: there is no folder {os.path.dirname(options.output)!r}")
    if not rest:
        raise UsageError("the program is missing")
    return options, rest


def profile_program(
    options: Options, words: list[str], stdout: IO[str] | None, stderr: IO[str] | None = None
) -> tuple[int, Profile | None]:
    """Runs a program as ``kimi-cli`` does, and records it.

    Args:
        options: what is recorded.
        words: the file, ``-`` or ``-c CODE``, and the arguments of the program.
        stdout, stderr: where it writes; None for standard error as its stderr.

    Returns:
        Its exit status, and the profile; None when it could not be read or compiled.
    """
    from ..profiling.observer import HUGE
    from ..profiling.profile import Profile
    from ..profiling.recorder import Recorder

    found = read(words)
    if found is None:
        return 2, None
    source, filename, argv, names = found
    recorder = Recorder(options.interval, memory="memory" in options.aspects)
    context, namespace = runner.prepare(source, filename, argv, names, stdout, stderr)
    try:
        code = compile_staged(source, filename, recorder)
    except BaseException as error:
        return runner.report(error), None
    meter = _core.Meter(0, 0, 0, 0, HUGE) if recorder.memory else None
    recorder.start()
    try:
        try:
            recorder.call(runner.perform, context, code, namespace, meter)
        except BaseException as error:
            status = runner.report(error, context)
        else:
            status = 0
        recorder.call(engine.end_program, context)
    finally:
        recorder.stop()
    recorder.runs = 1
    for stream in (stdout, stderr):
        if stream is not None:
            stream.flush()
    return status, Profile(recorder)


def compile_staged(source: str | bytes, filename: str, recorder: Any) -> Any:
    """Compiles a program, and notes how long each stage took."""
    from ..bytecode.compiler import compile_tree
    from ..syntax.parser import parse
    from ..syntax.source import decode_file

    text = decode_file(source, filename) if isinstance(source, bytes) else source
    warnings: list[Any] = []
    begun = time.perf_counter()
    tree = parse(text, filename, "exec", warnings)
    middle = time.perf_counter()
    code = compile_tree(tree, filename, source=text, mode="exec", warnings=warnings)
    recorder.note_program(filename, text, middle - begun, time.perf_counter() - middle, False)
    if warnings:
        runner.show_warnings(warnings, filename)
    return code


def read(words: list[str]) -> tuple[str | bytes, str, list[str], dict[str, Any]] | None:
    """The program that the command line names: its source, file name, ``sys.argv`` and names. None after a message."""
    if words[0] == "-c":
        if len(words) < 2:
            raise UsageError("-c needs the code")
        return words[1] + "\n", "<string>", ["-c", *words[2:]], {}
    if words[0] == "-":
        return sys.stdin.buffer.read(), "<stdin>", words, {}
    path = runner.absolute_path(words[0])
    source = runner.read_program(path)
    return None if source is None else (source, path, words, {"__file__": path, "__cached__": None})


def write(profile: Profile, options: Options) -> int:
    """Writes a profile where the options say. Returns a status."""
    contents = profile.encode(options.format)
    if options.output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(contents)
        return runner.flush_streams()
    try:
        with open(options.output, "wb") as file:
            file.write(contents)
    except OSError as error:
        print(f"{PROGRAM}: can't write {options.output!r}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


def run(arguments: list[str]) -> int:
    """The form ``kimi-cli --profile=… FILE``. Returns the exit status: the program's, or 2 for wrong usage."""
    try:
        options, words = parse_arguments(arguments)
        own = contextlib.nullcontext(sys.stderr) if options.stdout is None else open(options.stdout, "w", encoding="utf-8")
        with own as stdout:
            status, profile = profile_program(options, words, stdout)
    except UsageError as error:
        print(f"{PROGRAM}: {error}\n{USAGE}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2
    if profile is not None:
        status = write(profile, options) or status
    return status
