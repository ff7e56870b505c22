"""The commands that do not run a program: ``repl``, ``dis``, ``ast``, ``--version``, ``--help``."""
from __future__ import annotations

import sys

import click

from .. import __version__
from .main import PROGRAM

USAGE = f"""Run Python programs on kimi_runtime.

\b
{PROGRAM} FILE [ARGS]...      run a program
{PROGRAM} -c CODE [ARGS]...   run code given as text
{PROGRAM} - [ARGS]...         run a program from standard input

Without arguments a terminal gets the interactive prompt.
"""


@click.group(
    help=USAGE,
    options_metavar="[--version] [--help]",
    subcommand_metavar="COMMAND | FILE | -c CODE | -",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", message=f"{PROGRAM} %(version)s")
def cli() -> None:
    pass


@cli.command()
def repl() -> None:
    """Interactive prompt."""
    from .repl import interact

    sys.exit(interact())


@cli.command()
@click.argument("file")
@click.option("--mode", type=click.Choice(["exec", "eval", "single", "notebook"]), default="exec", show_default=True)
def dis(file: str, mode: str) -> None:
    """Show the bytecode of FILE.

    FILE may be `-` for standard input. The listing has lines, registers, constants and the exception table.
    """
    from ..bytecode.compiler import compile_source
    from ..bytecode.disassembler import disassemble

    source, name = _source(file)
    click.echo(disassemble(compile_source(source, name, mode)).rstrip("\n"))


@cli.command()
@click.argument("file")
@click.option("--attributes", "-a", is_flag=True, help="Add line and column of each node.")
@click.option("--indent", "-i", type=int, default=3, show_default=True, help="Spaces per level; 0 for one line.")
@click.option("--mode", type=click.Choice(["exec", "eval", "single"]), default="exec", show_default=True)
def ast(file: str, attributes: bool, indent: int, mode: str) -> None:
    """Show the syntax tree of FILE.

    FILE may be `-` for standard input. The form is that of `python -m ast`.
    """
    from ..syntax.dump import dump
    from ..syntax.parser import parse

    source, name = _source(file)
    click.echo(dump(parse(source, name, mode), include_attributes=attributes, indent=indent or None))


def _source(file: str) -> tuple[str, str]:
    """The text of a file and the name that messages show. Exits with status 2 when it cannot be read."""
    from ..syntax.source import decode_file
    from .runner import absolute_path, read_program

    if file == "-":
        return decode_file(sys.stdin.buffer.read(), "<stdin>"), "<stdin>"
    path = absolute_path(file)
    source = read_program(path)
    if source is None:
        sys.exit(2)
    return decode_file(source, path), path


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
