"""The prompt on a terminal with the packages of the extra ``repl``: editing of whole blocks, colours, completion, history."""
from __future__ import annotations

import os
import pathlib
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .repl import Prompt

__all__ = ["available", "interact", "make_session"]

WORD = re.compile(r"[\w.]+$")


def available() -> bool:
    """Whether prompt_toolkit is installed."""
    from importlib.util import find_spec

    return find_spec("prompt_toolkit") is not None


def make_session(prompt: Prompt, **settings: Any) -> Any:
    """The ``PromptSession`` that reads the blocks. settings: further arguments of it."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.history import FileHistory, InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings

    from . import magics, repl

    class Names(Completer):
        """What ``repl.Completer`` finds."""

        def get_completions(self, document: Any, event: Any) -> Iterator[Any]:
            word = WORD.search(document.text_before_cursor)
            if word is not None:
                for each in repl.Completer(prompt.namespace).find(word[0]):
                    yield Completion(each, start_position=-len(word[0]), display=each.rpartition(".")[2])

    keys = KeyBindings()

    @keys.add("enter")
    def _enter(event: Any) -> None:
        """Ends the block when it is complete; otherwise a new line, indented as the last one."""
        buffer = event.current_buffer
        text = buffer.document.text
        try:
            more = bool(text.strip()) and not magics.is_command(text) and repl.is_incomplete(text)
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            more = False
        if not more or not buffer.document.is_cursor_at_the_end and "\n" not in text:
            buffer.validate_and_handle()
            return
        line = buffer.document.current_line_before_cursor
        indent = line[: len(line) - len(line.lstrip())]
        buffer.insert_text("\n" + indent + ("    " if line.rstrip().endswith(":") else ""))

    lexer = None
    try:
        from prompt_toolkit.lexers import PygmentsLexer
        from pygments.lexers.python import PythonLexer

        lexer = PygmentsLexer(PythonLexer)
    except ImportError:  # without colours
        pass
    if "history" not in settings:
        name = os.environ.get("KIMI_HISTORY") or pathlib.Path.home() / ".kimi_history"
        path = pathlib.Path(f"{name}.blocks")
        try:
            path.touch()
            settings["history"] = FileHistory(str(path))
        except OSError:  # not writable
            settings["history"] = InMemoryHistory()
    return PromptSession(
        ">>> ", multiline=True, prompt_continuation=lambda width, number, wrapped: "... ", completer=Names(), lexer=lexer,
        key_bindings=keys, complete_while_typing=False, **settings)


def interact(prompt: Prompt, **settings: Any) -> int:
    """Runs blocks until Ctrl-D or ``exit()``. Returns the exit status."""
    from . import magics

    session = make_session(prompt, **settings)
    while True:
        try:
            text = session.prompt()
        except EOFError:
            return 0
        except KeyboardInterrupt:
            continue
        if magics.is_command(text):
            status = prompt.push(text)
        elif all(not line.strip() or line.lstrip().startswith("#") for line in text.split("\n")):
            continue
        else:
            status = prompt.run(text)
        if status is not None:
            return status
