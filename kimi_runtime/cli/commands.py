"""The commands that do not run a program: ``repl``, ``dis``, ``ast``, ``check``, ``doctor``, ``cache`` and so on."""
from __future__ import annotations

import os
import sys

import click

from .. import __version__
from . import diagnostics
from .main import PROGRAM
from .parameters import Commands, complete_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

USAGE = f"""Run Python programs on kimi_runtime.

\b
{PROGRAM} FILE [ARGS]...      run a program
{PROGRAM} -c CODE [ARGS]...   run code given as text
{PROGRAM} - [ARGS]...         run a program from standard input
{PROGRAM} run [OPTIONS] FILE | -c CODE | - [ARGS]...
                             the same with an allocator, folders of the host, the hot tier
{PROGRAM} --profile=cpu,memory --sample-interval=50ms --output-format=json FILE [ARGS]...
                             run a program and write its profile to standard output

Without arguments a terminal gets the interactive prompt.
"""


@click.group(
    cls=Commands,
    help=USAGE,
    options_metavar="[--version] [--help]",
    subcommand_metavar="COMMAND | FILE | -c CODE | -",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", message=f"{PROGRAM} %(version)s")
def cli() -> None:
    pass


@cli.command("run", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--allocator", metavar="NAME", type=click.Choice(["pymalloc", "system", "guest", "jemalloc", "mimalloc"]),
              help="Where memory comes from: pymalloc, system, guest, jemalloc or mimalloc; "
                   "libraries are loaded before the program begins.")
@click.option("--mount", metavar="HOST:GUEST[:ro|rw|overlay]", multiple=True,
              help="A folder of the host that the program finds at an absolute path: to read, unless the mode says more; "
                   "may be given several times.")
@click.option("--jit", is_flag=True, help="Loops and functions that run often become machine code; needs the extra jit.")
@click.option("--print-compilation", is_flag=True,
              help="The same, and stderr has a line for each compilation; =json: a JSON object.")
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED, metavar="FILE | -c CODE | - [ARGS]...",
                shell_complete=complete_files)
def run_program(**given: object) -> None:
    """Run a program in a way that the options say.

    \b
    Examples:
      kimi-cli run --allocator jemalloc script.py
      kimi-cli run --mount ./data:/data --jit script.py --its-own-option
    """
    raise AssertionError("main() reads this command itself: a run does not pay for the import of click")


@cli.command()
def repl() -> None:
    """Interactive prompt.

    \b
    Example:  kimi-cli repl
    """
    from .repl import interact

    sys.exit(interact())


@cli.command()
@click.argument("file", shell_complete=complete_files)
@click.option("--mode", type=click.Choice(["exec", "eval", "single", "notebook"]), default="exec", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON list of the code objects.")
@click.option("--jit", "compiled", is_flag=True, help="Run FILE, and show the form of what the hot tier compiles of it.")
def dis(file: str, mode: str, as_json: bool, compiled: bool) -> None:
    """Show the bytecode of FILE.

    FILE may be `-` for standard input. The listing has lines, registers, constants and the exception table.

    \b
    Examples:
      kimi-cli dis script.py
      echo 'a + b' | kimi-cli dis --mode eval -
      kimi-cli dis --json script.py | jq '.[].instructions[].op'
      kimi-cli dis --jit script.py
    """
    import json

    from ..bytecode.compiler import compile_source
    from ..bytecode.disassembler import disassemble, listing

    source, name = _source(file)
    if compiled:
        _show_compiled(source, name, as_json)
        return
    if as_json:
        click.echo(json.dumps(listing(compile_source(source, name, mode)), indent=1))
        return
    click.echo(disassemble(compile_source(source, name, mode)).rstrip("\n"))


def _show_compiled(source: str, name: str, as_json: bool) -> None:
    """What the hot tier makes of a program that is run: an event and a form for each compilation."""
    import json

    from .. import Runtime
    from ..jit import JIT, REMEDY, available
    from ..jit.events import as_line

    if not available():
        raise click.ClickException(f"--jit needs llvmlite; {REMEDY}")
    jit = JIT(background=False, loop_threshold=2000, call_threshold=500)
    jit.log.keeps_forms = True
    Runtime(jit=jit, limits=None).run(source, filename=name)
    if as_json:
        click.echo(json.dumps(jit.log.events, indent=1))
        return
    for event in jit.log.events:
        click.echo(as_line(event))
        click.echo(event.get("form", ""))


@cli.command()
@click.argument("file", shell_complete=complete_files)
@click.option("--attributes", "-a", is_flag=True, help="Add line and column of each node.")
@click.option("--indent", "-i", type=int, default=3, show_default=True, help="Spaces per level; 0 for one line.")
@click.option("--mode", type=click.Choice(["exec", "eval", "single"]), default="exec", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The tree as JSON, with positions.")
def ast(file: str, attributes: bool, indent: int, mode: str, as_json: bool) -> None:
    """Show the syntax tree of FILE.

    FILE may be `-` for standard input. The form is that of `python -m ast`.

    \b
    Examples:
      kimi-cli ast script.py
      echo 'a + b' | kimi-cli ast --mode eval --indent 0 -
    """
    import json

    from ..syntax.dump import as_data, dump
    from ..syntax.parser import parse

    source, name = _source(file)
    if as_json:
        click.echo(json.dumps(as_data(parse(source, name, mode)), indent=1))
        return
    click.echo(dump(parse(source, name, mode), include_attributes=attributes, indent=indent or None))


@cli.command()
@click.argument("files", nargs=-1, required=True, shell_complete=complete_files)
@click.option("--types", is_flag=True, help="Also run the type checker ty (extra `types`).")
@click.option("--json", "as_json", is_flag=True, help="One JSON list of all findings.")
def check(files: tuple[str, ...], types: bool, as_json: bool) -> None:
    """Say what is wrong with FILES without running them.

    A file may be `-` for standard input. The status is 1 when there is an error, which a warning is not, and 2 when a file
    cannot be read. Imports find the `.py` files in the folder of each file, as when it runs.

    \b
    Example:  kimi-cli check examples/*.py
    """
    import json
    from dataclasses import asdict

    from ..checking import check as examine

    found = []
    unreadable = False
    tell = diagnostics.progress("checking")
    for number, file in enumerate(files):
        tell(number, len(files))
        read = _read(file)
        if read is None:
            unreadable = True
            continue
        source, name = read
        folder = os.curdir if file == "-" else os.path.dirname(name)
        try:
            found += examine(source, ("exit", "quit"), modules_source=folder, filename=name if file == "-" else file, types=types)
        except (ImportError, TimeoutError, RuntimeError) as error:
            raise click.ClickException(str(error)) from None
    tell(len(files), len(files))
    if as_json:
        click.echo(json.dumps([asdict(each) for each in found], indent=2))
    else:
        for each in found:
            click.echo(str(each))
    if unreadable:
        sys.exit(2)
    if any(each.severity == "error" for each in found):
        sys.exit(1)


@cli.group()
def cache() -> None:
    """Look after a folder of compiled programs (ParseCache(folder=...))."""


@cache.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def stats(folder: str, as_json: bool) -> None:
    """Number of programs in FOLDER and their bytes.

    \b
    Example:  kimi-cli cache stats --json /var/cache/programs
    """
    import json

    found = {name: value for name, value in _disk_cache(folder).stats().items() if name in ("files", "bytes")}
    click.echo(json.dumps(found) if as_json else f"{found['files']:,} programs, {found['bytes']:,} bytes")


@cache.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
def clear(folder: str) -> None:
    """Remove the compiled programs in FOLDER, and nothing else.

    \b
    Example:  kimi-cli cache clear /var/cache/programs
    """
    click.echo(f"{_disk_cache(folder).clear():,} programs removed")


@cache.command()
@click.argument("folder", type=click.Path(file_okay=False))
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--name", "filename", help="The file name that runs will give; by default the path of each file.")
def warm(folder: str, files: tuple[str, ...], filename: str | None) -> None:
    """Compile FILES into FOLDER, as Runtime.run(text, filename=...) looks them up.

    \b
    Example:  kimi-cli cache warm /var/cache/programs scripts/*.py
    """
    from ..cache.parse_cache import ParseCache

    _disk_cache(folder)
    parse_cache = ParseCache(folder=folder)
    failed = 0
    tell = diagnostics.progress("compiling")
    for number, file in enumerate(files):
        tell(number, len(files))
        source, _ = _source(file)
        try:
            parse_cache.load(source, file if filename is None else filename)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            click.echo(f"{file}: {type(error).__name__}: {error}", err=True)
            failed += 1
    tell(len(files), len(files))
    found = parse_cache.stats()
    click.echo(f"{found.disk_writes:,} compiled, {found.disk_hits:,} there already, {failed:,} failed")
    if failed:
        sys.exit(1)


def _disk_cache(folder: str) -> Any:
    """The folder's cache. A usage error when the package it needs is missing, or the folder cannot be made."""
    from ..cache.disk import DiskCache

    try:
        return DiskCache(folder)
    except (ImportError, OSError) as error:
        raise click.ClickException(str(error)) from None


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="For programs to read.")
@click.option("--numa", is_flag=True, help="Measure the memory of each node from each processor instead.")
def doctor(as_json: bool, numa: bool) -> None:
    """Show what this machine offers.

    Python, C compiler, processor, memory nodes, limits of the container, allocators, compiled tier, profiler, optional packages
    and the layers of process isolation; of what is missing what that costs, and how to get it. The status is 1 when a layer of
    process isolation is missing.

    \b
    Examples:
      kimi-cli doctor
      kimi-cli doctor --json | jq .isolation.layers.seccomp
    """
    if numa:
        from .numa import run as measure

        sys.exit(measure(as_json, diagnostics.progress("measuring")))
    from .doctor import run as examine

    sys.exit(examine(as_json, diagnostics.progress("looking")))


diagnostics.register(cli)


def _source(file: str) -> tuple[str, str]:
    """The text of a file and the name that messages show. Exits with status 2 when it cannot be read."""
    found = _read(file)
    if found is None:
        sys.exit(2)
    return found


def _read(file: str) -> tuple[str, str] | None:
    """The same; None after a message when it cannot be read."""
    from ..syntax.source import decode_file
    from .runner import absolute_path, read_program

    if file == "-":
        return decode_file(sys.stdin.buffer.read(), "<stdin>"), "<stdin>"
    path = absolute_path(file)
    source = read_program(path)
    return None if source is None else (decode_file(source, path), path)


def run(arguments: list[str]) -> int:
    """Runs a command. A failing guest source shows as its SyntaxError with status 1, wrong usage as status 2."""
    from . import runner

    try:
        cli.main(arguments, prog_name=PROGRAM, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return 130
    except SystemExit as exit:
        return exit.code if isinstance(exit.code, int) else 0
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return runner.report(error)
    return runner.flush_streams()
