"""The interactive prompt: reads blocks, runs them in one namespace, shows values and exceptions."""
from __future__ import annotations

import keyword
import os
import pathlib
import sys
from typing import Any

from .. import engine
from . import magics, runner, uncaught

FILENAME = "<stdin>"
# Errors that mean "the block is not finished yet" while its last line is not empty ...
_OPEN_BLOCK = ("expected an indented block", "expected 'except' or 'finally' block")
# ... and those that more lines can always mend.
_OPEN_TOKEN = ("was never closed", "unterminated triple-quoted", "unexpected EOF while parsing")
_COMPOUND = frozenset(
    "FunctionDef AsyncFunctionDef ClassDef If For AsyncFor While With AsyncWith Try TryStar Match".split()
)


def is_incomplete(source: str) -> bool:
    """Whether the prompt must ask for another line.

    Args:
        source: the lines so far, without the last newline.

    Returns:
        True when the text is the beginning of a statement.

    Raises:
        SyntaxError: no further line can make it right (also ValueError, MemoryError or RecursionError of the parser).
    """
    from ..syntax.parser import parse

    last = source.rsplit("\n", 1)[-1]
    try:
        tree = parse(source + "\n", FILENAME, "single")
    except SyntaxError as error:
        message = error.msg or ""
        if any(part in message for part in _OPEN_TOKEN) and "f-string" not in message:
            return True
        if source.endswith("\\") and not last.lstrip().startswith("#"):
            return True
        if not last.strip():
            raise
        if message.startswith(_OPEN_BLOCK) or (last.startswith("@") and message == "invalid syntax"):
            return True
        raise
    body = tree.body
    return bool(body) and type(body[-1]).__name__ in _COMPOUND and bool(last.strip())


class Prompt:
    """One interactive session: the namespace that its blocks share, and the lines of the unfinished block."""

    def __init__(self) -> None:
        self.context = runner.new_context([""])
        self.namespace = runner.new_namespace(self.context)
        self.lines: list[str] = []

    def push(self, line: str) -> int | None:
        """Takes a line, and runs the block when that completes it.

        Returns:
            None to go on, or the exit status that the guest asked for.
        """
        if not self.lines and magics.is_command(line):
            try:
                return magics.perform(self, line.strip())
            except KeyboardInterrupt:
                sys.stderr.write("KeyboardInterrupt\n")
                return None
        self.lines.append(line)
        source = "\n".join(self.lines)
        if not any(text.strip() and not text.lstrip().startswith("#") for text in self.lines):
            self.lines = []  # nothing but empty lines and comments
            return None
        try:
            if is_incomplete(source):
                return None
        except BaseException as error:  # shown, and the session goes on
            self.lines = []
            sys.stderr.write(engine.describe(error).traceback)
            return None
        self.lines = []
        return self.run(source)

    def run(self, source: str) -> int | None:
        """Runs a whole block: returns as ``push``."""
        try:
            code = runner.compile_program(source + "\n", FILENAME, "single", keep_source=sys.version_info >= (3, 13))
            engine.run_code(code, self.namespace)
        except BaseException as error:  # shown, and the session goes on
            status = uncaught.show(error, self.context)
            if issubclass(type(error), SystemExit):
                return status
        return None


def interact() -> int:
    """Runs the prompt until end of input or ``exit()``. Returns the exit status."""
    prompt = Prompt()
    terminal = sys.stdin.isatty()
    if terminal:
        from .. import __version__

        print(f"kimi_runtime {__version__} on Python {sys.version.split()[0]}. Programs run without limits. "
              "%help tells the commands; end with exit() or Ctrl-D.")
        if os.environ.get("TERM") != "dumb" and sys.stdout.isatty():
            from . import terminal as lines

            if lines.available():
                try:
                    return lines.interact(prompt)
                finally:
                    runner.flush_streams()
    save_history = use_readline(prompt) if terminal else lambda: None
    try:
        while True:
            try:
                line = ask("... " if prompt.lines else ">>> ", terminal)
            except EOFError:
                print(file=None if terminal else sys.stderr)
                return 0
            except KeyboardInterrupt:
                print("\nKeyboardInterrupt")
                prompt.lines = []
                continue
            except UnicodeDecodeError as error:
                print(f"the line is not valid {error.encoding}", file=sys.stderr)
                continue
            status = prompt.push(line)
            if status is not None:
                return status
    finally:
        save_history()
        runner.flush_streams()


class Completer:
    """Completes names of the namespace, builtins and keywords, and attributes of a dotted name.

    Nothing of the guest runs: attributes are looked up in the dictionaries of objects and classes, and properties are left alone.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace
        self.matches: list[str] = []

    def __call__(self, text: str, state: int) -> str | None:
        """The match number ``state`` for the text, as readline asks for it; None after the last one."""
        if state == 0:
            self.matches = self.find(text)
        return self.matches[state] if state < len(self.matches) else None

    def find(self, text: str) -> list[str]:
        """All completions of a name or a dotted name."""
        head, dot, last = text.rpartition(".")
        if not dot:
            return sorted(name for name in {*known_names(self.namespace), *keyword.kwlist} if name.startswith(text))
        try:
            value = look_up(self.namespace, head)
        except LookupError:
            return []
        hidden = last.startswith("_")
        found = {name for table in tables_of(value) for name in table
                 if isinstance(name, str) and name.startswith(last) and (hidden or not name.startswith("_"))}
        return [f"{head}.{name}" for name in sorted(found)]


def known_names(namespace: dict[str, Any]) -> dict[str, Any]:
    """The names that a program of the namespace sees."""
    builtins = namespace.get("__builtins__") or {}
    return {**(builtins if isinstance(builtins, dict) else vars(builtins)), **namespace}


def tables_of(value: Any) -> list[dict[str, Any]]:
    """The dictionaries that an object's attributes are in, the first that counts first."""
    own = []
    try:
        own.append(object.__getattribute__(value, "__dict__"))
    except AttributeError:
        pass
    kinds = [value] if isinstance(value, type) else []
    classes = [each for kind in (*kinds, type(value)) for each in type.__getattribute__(kind, "__mro__")]
    own += [type.__getattribute__(each, "__dict__") for each in classes]
    return own


def look_up(namespace: dict[str, Any], dotted: str) -> Any:
    """What a dotted name stands for, as far as that is known without running anything. Raises LookupError otherwise."""
    first, *rest = dotted.split(".")
    value = known_names(namespace)[first]
    for name in rest:
        value = next((table[name] for table in tables_of(value) if name in table), MISSING)
        if value is MISSING or hasattr(type(value), "__set__"):  # nothing, or a property
            raise LookupError(name)
    return value


MISSING = object()


def ask(text: str, terminal: bool) -> str:
    """A line of input; the prompt goes to the terminal, and to stderr where there is none, as CPython's does."""
    if terminal:
        return input(text)
    sys.stderr.write(text)
    sys.stderr.flush()
    return input()


def use_readline(prompt: Prompt) -> Any:
    """Turns on line editing, history and completion. Returns the function that saves the history."""
    try:
        import readline
    except ImportError:  # built without readline: plain input
        return lambda: None
    history = pathlib.Path(os.environ.get("KIMI_HISTORY") or pathlib.Path.home() / ".kimi_history")
    try:
        readline.read_history_file(history)
    except OSError:  # no history yet, or not readable
        readline.clear_history()
    readline.set_history_length(2000)
    found = Completer(prompt.namespace)

    def completer(prompt: Prompt) -> Completer:
        found.namespace = prompt.namespace  # %reset makes another
        return found

    readline.set_completer(lambda text, state: completer(prompt)(text, state))
    readline.parse_and_bind("tab: complete")

    def save() -> None:
        try:
            readline.write_history_file(history)
        except OSError as error:
            print(f"history not saved: {error}", file=sys.stderr)

    return save
