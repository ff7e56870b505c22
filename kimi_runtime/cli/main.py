"""Entry point of ``kimi-cli``: decides between running a program and the other commands.

The forms that run a program are read here by hand, as the interpreter's own command line is: everything after the
file belongs to the program, and a run must not pay for the import of a command-line library.
"""
from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = "kimi-cli"
SUBCOMMANDS = ("repl", "dis", "ast", "check", "doctor", "cache", "profile", "trace", "coverage", "bench", "completion")
PROFILING = ("--profile", "--sample-interval", "--output-format")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        argv: the arguments without the program's name; those of the process when None.

    Returns:
        The exit status of the process.
    """
    if argv is None:
        gc.freeze()  # what the process has begun with stays to its end: collections need not look at it
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and (arguments[0] == "run" or arguments[0].partition("=")[0] == "--mount"):
        from .launching import prepare

        status, arguments = prepare(arguments[arguments[0] == "run":])
        if status is not None:
            return status
    first = arguments[0] if arguments else "-"
    if first in SUBCOMMANDS or "_KIMI_CLI_COMPLETE" in os.environ:
        return _commands(arguments)
    if first == "-":
        from . import runner

        if not arguments and sys.stdin is not None and sys.stdin.isatty():
            return _commands(["repl"])
        return runner.run_stdin(arguments or ["-"])
    if first.startswith("-c"):
        from . import runner

        code = arguments[1:] if first == "-c" else [first[2:], *arguments[1:]]
        if not code:
            print(f"Argument expected for the -c option\nTry '{PROGRAM} --help'.", file=sys.stderr)
            return 2
        return runner.run_command(code[0], code[1:])
    if first == "--" and len(arguments) > 1:
        from . import runner

        return runner.run_file(arguments[1], arguments[2:])
    if first.startswith("-m"):
        print(f"{PROGRAM}: -m is not supported: give the file of the program\nTry '{PROGRAM} --help'.", file=sys.stderr)
        return 2
    if first.partition("=")[0] in PROFILING:
        from . import profiling

        return profiling.run(arguments)
    if first.startswith("-"):
        return _commands(arguments)
    from . import runner

    return runner.run_file(first, arguments[1:])


def _commands(arguments: list[str]) -> int:
    from .commands import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
