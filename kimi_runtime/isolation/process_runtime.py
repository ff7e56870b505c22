"""``Runtime(isolation="process")``: the public class over a pool of workers."""
from __future__ import annotations

import warnings
from typing import Any

from .. import checked, engine
from ..async_runs import wait_in_thread
from ..errors import IsolationWarning
from ..limits import DEFAULT, Limits
from ..objects.module_sources import SourceMap
from ..result import Result
from ..runtime import Runtime
from . import launcher, protocol
from .codec import CannotCross
from .file_server import FileServer, files_to_value
from .handles import Handles
from .pool import Pool, default_workers
from .runs import Output, Run, check_crossing, checked_result, failed_result, run_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..session import Session

__all__ = ["ProcessRuntime"]


def quietly() -> warnings.catch_warnings[None]:
    """A context in which missing layers are no warnings: for what reports them itself."""
    return warnings.catch_warnings(action="ignore", category=IsolationWarning)


class ProcessRuntime(Runtime):
    """The ``Runtime`` whose guests run in worker processes; made by ``Runtime(isolation="process")``."""

    __slots__ = ("_pool", "_fresh", "_handles", "__weakref__")

    def __init__(self, *, workers: int | None = None, fresh: bool = False, require: Iterable[str] = (), **settings: Any) -> None:
        super().__init__(**settings)
        launcher.supported()
        if self._host_modules:
            raise ValueError("host_modules cannot be used with isolation='process': modules of the host are not in the worker; "
                             "give functions instead")
        if self._cache is not None:
            raise ValueError("cache cannot be used with isolation='process': each worker has a cache of its own")
        if self._park_after is not None:
            raise ValueError("park_after cannot be used with isolation='process', which has no async functions")
        if self._jit is not None:
            raise ValueError("jit cannot be used with isolation='process': workers have no compiler")
        if workers is None:
            workers = default_workers()
        if isinstance(workers, bool) or not isinstance(workers, int):
            raise TypeError(f"workers must be an int, not {type(workers).__name__}")
        if workers < 1:
            raise ValueError(f"workers must be at least 1, not {workers}")
        if isinstance(require, str):
            require = (require,)
        required = frozenset(require)
        unknown = required - launcher.LAYERS.keys()
        if unknown:
            raise ValueError(f"require: there is no layer {sorted(unknown)[0]!r}; the layers are {', '.join(launcher.LAYERS)}")
        self._fresh = bool(fresh)
        sources = self._modules_source
        settings = {
            "modules_source": dict(sources) if isinstance(sources, SourceMap) else None if sources is None else ...,
            "modules": self._modules,
            "argv": self._argv,
            "stdin": self._stdin if self._stdin is None or isinstance(self._stdin, str) else ...,
            "limits": protocol.limits_to_value(self._limits),
            "policy": None if self._policy is None else self._policy.to_value(),
            "files": files_to_value(self._files),
        }
        self._handles = Handles()
        functions = self._callable(self._functions)
        try:
            self._handles.frame(protocol.CONFIGURE, None, functions)
        except CannotCross:
            for name, value in functions.items():
                check_crossing(f"functions: {name}", value, Handles())
            raise
        self._pool = Pool(settings, functions, self._handles, workers, required)
        missing = launcher.template().missing
        self._pool.check_layers(missing)
        if missing:
            warnings.warn("isolation='process' lacks layers that this kernel refuses: "
                          + "; ".join(f"{name} ({reason})" for name, reason in missing.items())
                          + ". `kimi-cli doctor` says more; require=(...) makes it an error", IsolationWarning, stacklevel=2)

    def run(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str = "<guest>",
        check: bool = False,
        limits: Limits | None = DEFAULT,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
        files: Mapping[str, Any] | None = None,
        mounts: Iterable[Any] | None = None,
    ) -> Result:
        """Runs a program in a worker: see ``Runtime.run``.

        Raises:
            TypeError: an input cannot cross into another process; the message names it.
            IsolationError: there is no worker, and there cannot be one.
        """
        output = self._output(on_stdout, on_stderr)
        run, message = self._prepared(source, inputs, filename, limits, output, files, mounts)
        if message is None:
            return checked_result(failed_result(engine.refused("source_size", run.limits)), check)
        return self._perform(run, message, len(source) > protocol.LONG_SOURCE, check)

    async def run_async(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str = "<guest>",
        check: bool = False,
        limits: Limits | None = DEFAULT,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
        files: Mapping[str, Any] | None = None,
        mounts: Iterable[Any] | None = None,
    ) -> Result:
        """Runs a program in a worker, while the event loop goes on: see ``Runtime.run_async``."""
        output = self._output(on_stdout, on_stderr)
        run, message = self._prepared(source, inputs, filename, limits, output, files, mounts, True)
        if message is None:
            return checked_result(failed_result(engine.refused("source_size", run.limits)), check)
        return await wait_in_thread(run.cancel, self._perform, run, message, len(source) > protocol.LONG_SOURCE, check)

    def session(
        self,
        inputs: Mapping[str, Any] | None = None,
        *,
        limits: Limits | None = DEFAULT,
        total: Limits | None = None,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
        files: Mapping[str, Any] | None = None,
        mounts: Iterable[Any] | None = None,
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> Session:
        """A guest in a worker process of its own that keeps its names from run to run: see ``Runtime.session``.

        It does not count for ``workers``.
        """
        from .process_session import ProcessSession

        given = self._limits if limits is DEFAULT else checked.limits(limits)
        output = self._output(on_stdout, on_stderr)
        more = self._callable(checked.functions(functions))
        return self._watched(ProcessSession(self, inputs, given, None if total is None else checked.limits(total), output,
                                            self._given_files(files, mounts), more))

    def _given_files(self, files: Any, mounts: Any) -> Any:
        """The files of a run or session."""
        return self._files if files is None and mounts is None else checked.files(files, self._files, mounts)

    @staticmethod
    def _callable(functions: dict[str, Any] | None) -> dict[str, Any]:
        """Functions that a worker can call. Raises TypeError for one that would have to be awaited."""
        for name, function in (functions or {}).items():
            if getattr(function, "awaited", None) is not None:
                raise TypeError(f"functions: {name} is async or batched, which isolation='process' cannot await: give a function "
                                "that waits for it, for example by asyncio.run_coroutine_threadsafe(...).result()")
        return functions or {}

    def _prepared(
        self, source: str | bytes, inputs: Mapping[str, Any] | None, filename: str, limits: Limits | None, output: Output,
        files: Any = None, mounts: Any = None, may_await: bool = False
    ) -> tuple[Run, bytes | None]:
        """A run, and its message; None when the source is longer than its limits allow."""
        given = self._limits if limits is DEFAULT else checked.limits(limits)
        checked.program(source, filename, inputs)
        if given.source_size is not None and len(source) > given.source_size:
            return Run(self, given, output, self._handles, FileServer(None)), None
        given_limits = ... if limits is DEFAULT else protocol.limits_to_value(given)
        handles = Handles(self._handles)
        has_own = files is not None or mounts is not None
        given_files = self._given_files(files, mounts)
        message = run_frame(filename, given_limits, False, output, source, inputs, handles, self._displays,
                            files_to_value(given_files) if has_own else ..., may_await)
        return Run(self, given, output, handles, FileServer(given_files), source=source), message

    def _output(self, on_stdout: Callable[[str], object] | None, on_stderr: Callable[[str], object] | None) -> Output:
        """Where the output of a run goes."""
        checked.callbacks(on_stdout, on_stderr)
        return Output(*self._callbacks, self._stdout, self._stderr).with_callbacks(on_stdout, on_stderr)

    def _perform(self, run: Run, message: bytes, is_long: bool, check: bool) -> Result:
        """Has a worker do a run."""
        pool = self._pool
        worker = pool.acquire(run.limits, self._fresh)
        again = None
        try:
            result = run.exchange(worker, message, is_long)
        finally:
            if run.clean and not self._fresh:
                again = worker
            if again is None:
                worker.process.let_go()
            pool.give_back(worker, again)
        return checked_result(result, check)

    def start_worker(self) -> None:
        """Starts a worker that waits for the next run, so that it finds one.

        Raises:
            IsolationError: there cannot be one.
        """
        worker = self._pool.start(self._limits)
        self._pool.give_back(None, worker)

    def close(self) -> None:
        """Ends the workers. Runs that are going on in other threads end with an error."""
        self._pool.close()

    def __del__(self) -> None:
        pool = getattr(self, "_pool", None)
        if pool is not None:
            pool.close()
