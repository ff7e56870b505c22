"""``Profile``: what hosts get, look at and save."""
from __future__ import annotations

from .observer import ProfiledRun
from .recorder import Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from types import TracebackType
    from typing import Any

__all__ = ["FORMATS", "Profile"]

FORMATS = ("json", "text", "collapsed", "speedscope", "pprof", "html")


class Profile:
    """Where the time of guests goes, by samples: made by ``Runtime.profile`` and ``Session.profile``, and read from a file.

    While the block of its ``with`` statement runs, it records; ``data`` and what is made of it say what there is so far.

        >>> import kimi_runtime as kr
        >>> rt = kr.Runtime()
        >>> with rt.profile(interval=0.001) as p:
        ...     result = rt.run("sum(i * i for i in range(300_000))")
        >>> p.data["version"], result.profile.data["runs"]
        (1, 1)
        >>> "by line" in p.report()
        True

    Args:
        recorder: what is recorded, or None for data that is there already.
        owner: the runtime or session whose runs are recorded.
        threads: numbers of the sampled threads that count; None for all.
        data: of a profile.
    """

    def __init__(
        self, recorder: Recorder | None = None, owner: Any = None, threads: list[int] | None = None,
        data: dict[str, Any] | None = None
    ) -> None:
        self._recorder = recorder
        self._owner = owner
        self._threads = threads
        self._data = data

    # ---- recording -------------------------------------------------------------------------------------------
    def __enter__(self) -> Profile:
        if self._recorder is None or self._owner is None:
            raise RuntimeError("this profile is recorded already: make another one")
        recorder = self._recorder
        if recorder.running or recorder.wall:
            raise RuntimeError("this profile is recorded already: make another one")
        recorder.start()
        try:
            self._owner._begin_profile(self)
        except BaseException:
            recorder.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._recorder is not None
        self._owner._end_profile(self)
        self._recorder.stop()
        self._owner = None

    def _observe(self, inner: Any) -> ProfiledRun:
        """The observer of a run that this profile records, around the one that it would have otherwise, or None."""
        assert self._recorder is not None
        made = ProfiledRun(self._recorder, inner)
        made.own = Profile(self._recorder, None, made.threads)
        return made

    def _note_program(self, filename: str, source: str | bytes, parse: float, compile: float, cached: bool) -> None:
        """A run begins; seconds of the parser and of the compiler."""
        if self._recorder is not None:
            self._recorder.note_program(filename, source, parse, compile, cached)

    def _use_cache(self, cache: Any) -> None:
        """The cache whose hits count."""
        if self._recorder is not None:
            stats = cache.stats()
            self._recorder.cache_before = cache, stats.hits, stats.misses

    # ---- what there is ---------------------------------------------------------------------------------------
    @property
    def data(self) -> dict[str, Any]:
        """The profile as plain dictionaries and lists: the schema of docs/profiling.md."""
        if self._data is not None:
            return self._data
        from .building import build

        assert self._recorder is not None
        data = build(self._recorder, None if self._threads is None else frozenset(self._threads))
        if not self._recorder.running:
            self._data = data
        return data

    @property
    def seconds(self) -> float:
        """Seconds of all samples together."""
        return float(self.data["sampled_seconds"])

    def function(self, name: str) -> dict[str, Any]:
        """The row of ``by_function`` for a function by its name, or its qualified name. Raises KeyError when no sample has it."""
        for row in self.data["by_function"]:
            if name in (row["function"], row["function"].rpartition(".")[2]):
                return row  # type: ignore[no-any-return]
        raise KeyError(name)

    def line(self, number: int, file: str | None = None) -> dict[str, Any]:
        """The row of ``by_line`` for a line: zeros when no sample has it. file: None for any of the guest's."""
        for row in self.data["by_line"]:
            if row["line"] == number and (row["file"] == file or file is None and row["file"] in self.data["sources"]):
                return row  # type: ignore[no-any-return]
        return {"file": file or "", "line": number, "seconds": 0.0, "cpu_seconds": 0.0, "native_seconds": 0.0, "share": 0.0,
                "samples": 0, "times_about": None, "allocated": 0, "source": ""}

    def hottest_line(self) -> int:
        """The line of the guest's own program with most of the time; 0 when there are no samples."""
        for row in self.data["by_line"]:
            if row["file"] in self.data["sources"]:
                return int(row["line"])
        return 0

    def samples_in(self, name: str) -> int:
        """Samples with a function anywhere on the stack; ``<host: name>`` and ``<native: name>`` are such names too."""
        from .aggregates import frames_of

        data = self.data
        wanted = {number for number, each in enumerate(data["functions"]) if each["name"] == name}
        return sum(any(data["frames"][frame]["function"] in wanted for frame in frames_of(data, sample["stack"]))
                   for sample in data["samples"])

    # ---- forms -----------------------------------------------------------------------------------------------
    def report(self) -> str:
        """The profile as text, for people."""
        return self.format("text")

    def format(self, kind: str) -> str:
        """The profile as text in one of the formats but "pprof", which is bytes: see ``encode``."""
        return self.encode(kind).decode("utf-8")

    def encode(self, kind: str) -> bytes:
        """The profile as the contents of a file.

        Args:
            kind: "json", "text", "collapsed" (one stack a line, for flamegraph.pl), "speedscope", "pprof" (gzipped) or "html".

        Raises:
            ValueError: there is no such format.
        """
        from . import formats

        if kind not in FORMATS:
            raise ValueError(f"the format must be one of {', '.join(FORMATS)}, not {kind!r}")
        made: str | bytes = getattr(formats, "as_" + kind)(self.data)
        return made if isinstance(made, bytes) else made.encode("utf-8", "backslashreplace")

    def save(self, path: str | PathLike[str], kind: str | None = None) -> None:
        """Writes the profile into a file. kind: a format; None to go by the ending of the name (``ENDINGS``).

        Raises:
            ValueError: there is no such format, or the ending is that of none.
            OSError: the file cannot be written.
        """
        import os

        name = os.fspath(path)
        if kind is None:
            kind = kind_of(name)
        contents = self.encode(kind)
        with open(name, "wb") as file:
            file.write(contents)

    def show(self, console: Any = None) -> None:
        """Prints a summary with colours and tables. console: of ``rich``; None for one on standard error.

        Raises ImportError when rich is missing (pip install 'kimi-runtime[profile]').
        """
        from .summary import show

        show(self.data, console)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Profile:
        """Reads a profile that was saved as JSON.

        Raises:
            OSError: the file cannot be read.
            ValueError: it is none, or of a version that this one does not know.
        """
        import json

        from .building import FORMAT, VERSION

        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f"{path}: not a profile of kimi_runtime")
        if data.get("version") != VERSION:
            raise ValueError(f"{path}: a profile of version {data.get('version')}, and this reads version {VERSION}")
        return cls(data=data)

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_data, (self.data,)

    def __repr__(self) -> str:
        if self._recorder is not None and self._recorder.running:
            return "<Profile: recording>"
        return f"<Profile: {len(self.data['samples']):,} samples, {self.seconds:.3f} s>"


def _from_data(data: dict[str, Any]) -> Profile:
    return Profile(data=data)


#: What the ending of a file's name stands for; longer ones first.
ENDINGS = {".speedscope.json": "speedscope", ".json": "json", ".html": "html", ".htm": "html", ".collapsed": "collapsed",
           ".folded": "collapsed", ".pb.gz": "pprof", ".pprof": "pprof", ".txt": "text"}


def kind_of(name: str) -> str:
    """The format that the ending of a file's name stands for. Raises ValueError when it is none of ``ENDINGS``."""
    for ending, kind in ENDINGS.items():
        if name.lower().endswith(ending):
            return kind
    known = ", ".join(f"{ending} ({kind})" for ending, kind in ENDINGS.items())
    raise ValueError(f"the ending of {name!r} names no format: give one, or a name that ends in {known}")


def new_profile(owner: Any, interval: float, memory: bool, counts: bool) -> Profile:
    """A profile that records when its block begins. Raises TypeError, ValueError for an interval that is none."""
    if isinstance(interval, bool) or not isinstance(interval, (int, float)):
        raise TypeError(f"interval must be a number of seconds, not {type(interval).__name__}")
    if not 0 < interval < 3600:
        raise ValueError(f"interval must be positive and less than an hour, not {interval!r}")
    return Profile(Recorder(float(interval), memory=memory, counts=counts), owner)
