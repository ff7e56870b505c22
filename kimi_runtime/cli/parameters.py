"""What the arguments of commands have in common: completion of files by the shell, files to write, the hot tier."""
from __future__ import annotations

import os

import click
from click.shell_completion import CompletionItem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Commands", "OutputFile", "complete_files", "use_hot_tier"]


def complete_files(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The shell is to complete the name of a file."""
    return [CompletionItem(incomplete, type="file")]


class Commands(click.Group):
    """The group of all commands, in whose place there may be a program: so files are completed too."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        found = super().shell_complete(ctx, incomplete)
        # First: where bash meets it, it drops what came before.
        return found if incomplete.startswith("-") else [CompletionItem(incomplete, type="file"), *found]


class OutputFile(click.Path):
    """A file that is written when the program has run: its folder must be there before."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        folder = os.path.dirname(os.fspath(path)) or os.curdir
        if not os.path.isdir(folder):
            self.fail(f"{os.fspath(path)!r}: there is no folder {folder!r}", param, ctx)
        if not os.access(path if os.path.exists(path) else folder, os.W_OK):
            self.fail(f"{os.fspath(path)!r} may not be written", param, ctx)
        return path


def use_hot_tier(context: click.Context, parameter: click.Parameter, on: bool) -> bool:
    """Turns the hot tier on for the program that is run."""
    if on:
        from .. import jit
        from . import runner

        if not jit.available():
            raise click.BadParameter(f"needs llvmlite; {jit.REMEDY}")
        runner.use_hot_tier(jit.JIT().policy())
    return on
