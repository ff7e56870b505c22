"""What a run gives back: ``Result`` and ``Stats``."""
from __future__ import annotations

from .bridge.records import Record
from .errors import GuestError, exception_for
from .objects.outcome import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .profiling.profile import Profile

__all__ = ["Result", "Stats"]


class Stats:
    """What a run cost.

    Attributes:
        parse_seconds: time from source text to syntax tree; 0.0 when the code came from the cache.
        compile_seconds: time from syntax tree to bytecode; 0.0 when the code came from the cache.
        run_seconds: time in the interpreter.
        instructions: bytecode instructions that were executed.
        peak_registers: the most registers that were in use at a time.
        cached: whether the code came from the cache.
        peak_memory: the most bytes that the guest held at a time; 0 when its memory was not limited.
    """

    __slots__ = ("parse_seconds", "compile_seconds", "run_seconds", "instructions", "peak_registers", "cached", "peak_memory")

    def __init__(
        self,
        parse_seconds: float,
        compile_seconds: float,
        run_seconds: float,
        instructions: int,
        peak_registers: int,
        cached: bool,
        peak_memory: int = 0,
    ) -> None:
        self.parse_seconds = parse_seconds
        self.compile_seconds = compile_seconds
        self.run_seconds = run_seconds
        self.instructions = instructions
        self.peak_registers = peak_registers
        self.cached = cached
        self.peak_memory = peak_memory

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"Stats({fields})"


class Result(Outcome):
    """The outcome of one run. A failing guest is data here, not an exception.

    Attributes:
        ok: whether the guest ended without an exception.
        value: value of the last statement when that is an expression, as in a notebook cell; None otherwise.
        has_value: whether the last statement is an expression and the guest has come to its end; tells None from nothing.
        last_binding: the name that the last statement has bound, when it is one that binds names, as an assignment, an import or
            a definition does: what a program has left that ends with no value. Several are told in one text, "a, b". None
            otherwise, and for a failed run.
        error: the ``GuestError`` of a failed run, else None.
        stdout: what the guest wrote to its standard output, unless the runtime sends it elsewhere.
        stderr: what the guest wrote to its standard error.
        late_output: what its tasks have written to both streams since it was over: those of a session that were not awaited go
            on while later runs await. Not in worker processes.
        stats: what the run cost.
        files: the files that the guest has made or changed: absolute path -> contents, as they are when it is first asked for.
        displays: what the guest has shown by ``display``, with ``Runtime(displays=True)`` or ``events``: for each object a
            dictionary of formats (MIME types) and what it looks like in them.
        bundle: the same for the value of the last statement; {} when there is none.
        profile: where its time went, when it was profiled (``Runtime.profile``); else None.
    """

    # The streams arrive as lists of pieces, or None, and the costs as numbers: most hosts look at neither, so the text and the
    # Stats object are made when first asked for.
    __slots__ = ()

    def __init__(
        self,
        value: Any,
        error: GuestError | None,
        stdout: list[str | bytes] | None,
        stderr: list[str | bytes] | None,
        costs: tuple[float, float, float, int, int, bool, int, bool],
        files: Any = None,
        observer: Any = None,
        program: Any = None,
    ) -> None:
        self.value = value
        self.error = error
        self._stdout = stdout
        self._stderr = stderr
        self._costs = costs
        self._files = files
        self._observer = observer
        self._program = program

    @property
    def ok(self) -> bool:
        return self.error is None

    @property
    def has_value(self) -> bool:
        return self._costs[7] and self.error is None

    @property
    def last_binding(self) -> str | None:
        if self.error is not None or self._program is None:
            return None
        from .bytecode.last_names import last_names

        found: str | None = last_names(self._program)
        return found

    @property
    def stdout(self) -> str:
        return _joined(self._stdout)

    @property
    def stderr(self) -> str:
        return _joined(self._stderr)

    @property
    def late_output(self) -> str:
        return _joined(self._late)

    @property
    def files(self) -> dict[str, bytes]:
        if type(self._files) is not dict:
            from .files.view import changed_files

            self._files = changed_files(self._files)
        found: dict[str, bytes] = self._files
        return found

    @property
    def displays(self) -> list[dict[str, Any]]:
        return [] if self._observer is None else self._observer.displays

    @property
    def bundle(self) -> dict[str, Any]:
        return {} if self._observer is None else self._observer.bundle

    @property
    def profile(self) -> Profile | None:
        return getattr(self._observer, "profile", None)

    @property
    def stats(self) -> Stats:
        return Stats(*self._costs[:7])

    def unwrap(self) -> Any:
        """The value of a successful run.

        Raises:
            GuestException: the guest failed.
        """
        if self.error is not None:
            raise exception_for(self.error, self)
        return self.value

    def __reduce__(self) -> tuple[Any, ...]:
        from .bytecode.last_names import text_of

        return Result, (self.value, self.error, self._stdout, self._stderr, self._costs, self._files, self._observer,
                        text_of(self._program))

    def to_dict(self) -> dict[str, Any]:
        """The result as a dictionary: ``ok``, ``has_value``, ``value``, ``last_binding``, ``stdout``, ``stderr``,
        ``error`` (None, or a dictionary of its attributes), ``stats``, ``files``, ``displays`` and ``bundle``. The values are
        those of the attributes."""
        stats = self.stats
        return {
            "ok": self.ok,
            "has_value": self.has_value,
            "value": self.value,
            "last_binding": self.last_binding,
            "stdout": self.stdout,
            "stderr": self.stderr,
            "error": None if self.error is None else self.error.to_dict(),
            "stats": {name: getattr(stats, name) for name in stats.__slots__},
            "files": self.files,
            "displays": self.displays,
            "bundle": self.bundle,
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """``to_dict`` as JSON.

        What JSON does not have becomes: tuples, sets and other sequences, lists; bytes, text in base64; records, objects; keys
        that are no text, their text; ``nan`` and infinities, text; everything else, its ``repr``, as a container where it is
        inside itself. No code of the guest runs.

            >>> import kimi_runtime as kr
            >>> import json
            >>> found = json.loads(kr.run("(1, {2.5: b'ab'}, {3})").to_json())
            >>> found["value"], found["ok"]
            ([1, {'2.5': 'YWI='}, [3]], True)
        """
        import json

        return json.dumps(_plain(self.to_dict()), ensure_ascii=False, allow_nan=False, indent=indent)

    def __repr__(self) -> str:
        if self.error is not None:
            return f"Result(ok=False, error={self.error!r})"
        return f"Result(ok=True, value={self.value!r})"


def _joined(pieces: list[str | bytes] | None) -> str:
    """The text of a stream; the list keeps it as its only piece. Bytes are UTF-8."""
    if not pieces:
        return ""
    text = "".join(each if isinstance(each, str) else each.decode("utf-8", "surrogatepass") for each in pieces)
    pieces[:] = [text]
    return text


def _plain(value: Any, outer: frozenset[int] = frozenset()) -> Any:
    """What JSON has, in the place of a value that a run has given."""
    if value is None or isinstance(value, (bool, str, int)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else repr(value)
    if isinstance(value, (bytes, bytearray)):
        from base64 import b64encode

        return b64encode(value).decode()
    if id(value) in outer:
        return "{...}" if isinstance(value, dict) else "[...]"      # as repr shows it
    outer |= {id(value)}
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _plain(each, outer) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, range)) or type(value).__name__ == "deque":
        return [_plain(each, outer) for each in value]
    if type(value) is Record:
        return _plain(value._asdict(), outer)
    return repr(value)
