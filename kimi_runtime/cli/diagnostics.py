"""The commands that look inside a program while it runs: ``profile``, ``trace``, ``coverage``, ``bench``; and ``completion``."""
from __future__ import annotations

import json
import sys

import click

from .main import PROGRAM
from .parameters import OutputFile, complete_files, use_hot_tier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["register"]

_in_hot_tier = click.option("--jit", is_flag=True, expose_value=False, callback=use_hot_tier,
                            help="Loops and functions that run often become machine code.")
_program = click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED, metavar="FILE [ARGS]...",
                          shell_complete=complete_files)
#: What follows the program is the program's.
_PROGRAM: dict[str, Any] = {"ignore_unknown_options": True, "allow_interspersed_args": False}


def register(cli: click.Group) -> None:
    """Adds the commands to the group of all."""
    for each in (profile, trace, coverage, bench, completion):
        cli.add_command(each)


def _interval(context: click.Context, option: click.Parameter, text: str) -> float:
    from .profiling import UsageError, parse_interval

    try:
        return parse_interval(text)
    except UsageError as error:
        raise click.BadParameter(str(error)) from None


def _guarded(function: Callable[[], Any]) -> Any:
    """Calls a function; wrong usage that it finds is told as click tells it."""
    from .profiling import UsageError

    try:
        return function()
    except UsageError as error:
        raise click.UsageError(str(error)) from None


def progress(label: str) -> Callable[[int, int], None]:
    """A function to call with what is done and how much there is: shows a bar on a terminal once two seconds have gone by."""
    import time

    begun = time.monotonic()
    shown = False

    def tell(done: int, whole: int) -> None:
        nonlocal shown
        if not sys.stderr.isatty() or (not shown and time.monotonic() - begun < 2):
            return
        shown = True
        full = 30 * done // max(whole, 1)
        sys.stderr.write(f"\r{label} [{'█' * full}{'·' * (30 - full)}] {done}/{whole}")
        if done >= whole:
            sys.stderr.write("\r\033[K")
        sys.stderr.flush()

    return tell


# ---- profile -------------------------------------------------------------------------------------------------
@click.command(context_settings=_PROGRAM)
@click.option("--interval", default="5ms", show_default=True, callback=_interval, help="Time between samples: 50ms, 500us, 1s.")
@click.option("--memory/--no-memory", default=True, show_default=True, help="Also where memory is allocated.")
@click.option("-o", "--output", type=OutputFile(), help="A file for the profile; its ending tells the format.")
@click.option("--format", "kind", type=click.Choice(["json", "text", "collapsed", "speedscope", "pprof", "html"]),
              help="The format of that file, or of standard output when there is none.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--saved", is_flag=True, help="FILE is a profile that was saved as JSON: show it, or write it in another format.")
@_in_hot_tier
@click.option("--summary/--no-summary", default=True, show_default=True, help="Show the summary on standard error.")
@_program
def profile(
    interval: float, memory: bool, output: str | None, kind: str | None, as_json: bool, saved: bool, summary: bool,
    program: tuple[str, ...]
) -> None:
    """Run FILE and show where its time and memory went.

    FILE may be `-` for standard input, or `-c CODE`. The program writes where it always does, unless the profile itself goes to
    standard output: then the program's output goes to standard error.

    \b
    Examples:
      kimi-cli profile script.py
      kimi-cli profile -o report.html script.py --its-own-option
      kimi-cli profile --interval 1ms --format collapsed script.py | flamegraph.pl > flame.svg
      kimi-cli profile --saved -o report.html profile.json
      kimi-cli --profile=cpu,memory --sample-interval=50ms --output-format=json script.py > profile.json
    """
    from ..profiling.profile import Profile, kind_of
    from . import profiling

    kind = "json" if as_json else kind
    options = profiling.Options()
    options.aspects = ("cpu", "memory") if memory else ("cpu",)
    options.interval = interval
    options.output = output
    try:
        options.format = kind or (kind_of(output) if output is not None else "json")
    except ValueError as error:     # before the program runs
        raise click.BadParameter(str(error), param_hint="--output") from None
    to_stdout = output is None and kind is not None
    status = 0
    found: Profile | None
    if saved:
        try:
            found = Profile.load(program[0])
        except (OSError, ValueError) as error:
            raise click.ClickException(str(error)) from None
    else:
        status, found = _guarded(lambda: profiling.profile_program(options, list(program), sys.stderr if to_stdout else None))
    if found is not None:
        tell = progress("reporting")
        tell(int(bool(found.data)), 2)      # made here, which takes most of the time
        written = True
        if output is not None or to_stdout:
            written = profiling.write(found, options) == 0
            status = status if written else 2
        tell(2, 2)
        if summary:
            try:
                found.show()
            except ImportError:
                click.echo(found.report(), err=True)
            if output is not None and written:
                click.echo(f"written: {output}", err=True)
    sys.exit(status)


# ---- trace ---------------------------------------------------------------------------------------------------
def _prepare(program: tuple[str, ...]) -> tuple[Any, Any, Any]:
    """Code, context and namespace of a program. Exits with a status when it cannot be read or compiled."""
    from . import profiling, runner

    found = _guarded(lambda: profiling.read(list(program)))
    if found is None:
        sys.exit(2)
    source, filename, argv, names = found
    context, namespace = runner.prepare(source, filename, argv, names)
    code = runner.compile_program(source, filename, "exec", True)
    return code, context, namespace


def _perform(run: Callable[..., Any], code: Any, context: Any, namespace: Any) -> int:
    """Runs a program to its end. Returns its exit status."""
    from .. import engine
    from . import runner

    try:
        run(engine.run_code, code, namespace)
    except BaseException as error:  # whatever the guest did not catch
        status = runner.report(error, context)
    else:
        status = 0
    engine.end_program(context)
    return runner.flush_streams() or status


@click.command(context_settings=_PROGRAM)
@click.option("--lines/--no-lines", default=True, show_default=True, help="Each line, with the values that have changed.")
@click.option("--calls/--no-calls", default=True, show_default=True, help="Calls with arguments, and what they return.")
@click.option("--library", is_flag=True, help="Also in code of the library.")
@click.option("--most", default=10_000, show_default=True, help="Events after which the program runs on untold.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@_program
def trace(lines: bool, calls: bool, library: bool, most: int, as_json: bool, program: tuple[str, ...]) -> None:
    """Run FILE and tell each line and call, with values, on standard error.

    Values of builtin types are written out up to a bound; of other objects the type is told: no code of the program runs for it.

    \b
    Examples:
      kimi-cli trace script.py
      kimi-cli trace --no-lines --most 200 script.py
      kimi-cli trace --json -c 'x = 1; x += 1' 2> events.jsonl
    """
    from ..profiling.tracing import Printer, Tracer

    code, context, namespace = _prepare(program)
    printer = Printer(lambda line: click.echo(line, err=True))
    printer.know(code)
    tell: Callable[[dict[str, Any]], object] = printer
    if as_json:
        def tell(event: dict[str, Any]) -> None:
            click.echo(json.dumps(event, ensure_ascii=False), err=True)
    tracer = Tracer(tell, lines=lines, calls=calls, library=library, most=most)
    status = _perform(tracer.run, code, context, namespace)
    if tracer.told >= most:
        click.echo(f"{PROGRAM}: told {most:,} events, and no more (--most)", err=True)
    sys.exit(status)


# ---- coverage ------------------------------------------------------------------------------------------------
@click.command(context_settings=_PROGRAM)
@click.option("--lcov", type=OutputFile(), help="Write a tracefile of lcov.")
@click.option("--html", type=OutputFile(), help="Write a page with the sources.")
@click.option("--fail-under", type=float, help="The status is 1 when a smaller percentage of the lines was executed.")
@click.option("--json", "as_json", is_flag=True, help="The figures as one JSON object on standard error.")
@_program
def coverage(
    lcov: str | None, html: str | None, fail_under: float | None, as_json: bool, program: tuple[str, ...]
) -> None:
    """Run FILE and say which of its lines and branches were executed.

    The program's own modules count too, code of the library does not.

    \b
    Examples:
      kimi-cli coverage script.py
      kimi-cli coverage --lcov out.info --html out.html --fail-under 90 script.py
    """
    from ..profiling import coverage as reports

    code, context, namespace = _prepare(program)
    found = reports.Coverage()
    found.add(code)
    status = _perform(found.run, code, context, namespace)
    files = found.files()
    figures = reports.summary(files)
    for path, text in ((lcov, reports.as_lcov), (html, reports.as_html)):
        if path is not None:
            try:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text(files))
            except OSError as error:
                click.echo(f"{PROGRAM}: can't write {path!r}: {error.strerror}", err=True)
                status = 2
    if as_json:
        click.echo(json.dumps(figures, ensure_ascii=False, indent=2), err=True)
    else:
        for row in figures["files"]:
            missing = reports.missing_text(row["missing_lines"])
            click.echo(f"{row['file']}: {row['lines_executed']} of {row['lines']} lines "
                       f"({reports.share(row['lines_executed'], row['lines']):.0%}), {row['branches_taken']} of "
                       f"{row['branches']} branches ({reports.share(row['branches_taken'], row['branches']):.0%})"
                       + (f"; not executed: {missing}" if missing else ""), err=True)
    if status == 0 and fail_under is not None and figures["line_rate"] * 100 < fail_under:
        click.echo(f"{PROGRAM}: {figures['line_rate']:.1%} of the lines is less than {fail_under:g} %", err=True)
        status = 1
    sys.exit(status)


# ---- bench ---------------------------------------------------------------------------------------------------
@click.command(context_settings=_PROGRAM)
@click.option("--repeat", default=10, show_default=True, help="How often the program runs.")
@_in_hot_tier
@click.option("--compare/--no-compare", default=True, show_default=True, help="Also under this CPython, in turns.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@_program
def bench(repeat: int, compare: bool, as_json: bool, program: tuple[str, ...]) -> None:
    """Run FILE again and again and say how long it takes.

    Each run has a fresh namespace; what it prints is dropped. Times are of the processor; compiling is not in them.

    \b
    Examples:
      kimi-cli bench script.py
      kimi-cli bench --repeat 50 --json script.py
    """
    from .benching import measure, report

    found = _guarded(lambda: measure(list(program), repeat, compare, progress("running")))
    click.echo(json.dumps(found, indent=2) if as_json else report(found))
    if found["error"] is not None:
        sys.exit(1)


# ---- completion ----------------------------------------------------------------------------------------------
@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what SHELL needs to complete commands and options.

    \b
    Examples:
      eval "$(kimi-cli completion bash)"
      kimi-cli completion fish > ~/.config/fish/completions/kimi-cli.fish
    """
    from click.shell_completion import get_completion_class

    from .commands import cli

    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(cli, {}, PROGRAM, "_KIMI_CLI_COMPLETE").source())
