"""``Runtime(allocator=...)``: runs whose memory comes from a chosen allocator."""
from __future__ import annotations

from typing import Any

from . import checked, engine
from .allocator import prepare, using
from .limits import DEFAULT, Limits
from .memory.heap import Heap
from .runtime import Runtime
from .session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from .result import Result

__all__ = ["AllocatedRuntime"]


class AllocatedRuntime(Runtime):
    """A ``Runtime`` with an allocator for its runs; made by ``Runtime(allocator=...)``."""

    __slots__ = ("_allocator",)

    def __init__(self, *, allocator: str, **settings: Any) -> None:
        super().__init__(**settings)
        self._allocator = allocator
        prepare(allocator)
        self._check(self._limits)

    def run(self, source: str | bytes, inputs: Any = None, *, filename: str = "<guest>", check: bool = False,
            limits: Limits | None = DEFAULT, on_stdout: Any = None, on_stderr: Any = None, files: Any = None,
            mounts: Any = None) -> Result:
        """Runs a program: see ``Runtime.run``."""
        checked.program(source, filename, inputs)
        given = self._limits if limits is DEFAULT else checked.limits(limits)
        with self._allocating():
            context = self._new_context(given, on_stdout, on_stderr)
            if files is not None or mounts is not None:
                context.files = checked.files(files, self._files, mounts)
            return engine.perform(context, self._cache, source, filename, given, check, engine.execute, self._new_meter(given),
                                  inputs)

    async def run_async(self, source: str | bytes, inputs: Any = None, *, filename: str = "<guest>", check: bool = False,
                        limits: Limits | None = DEFAULT, on_stdout: Any = None, on_stderr: Any = None, files: Any = None,
                        mounts: Any = None) -> Result:
        """Runs a program while the event loop goes on: see ``Runtime.run_async``."""
        with self.session(inputs, limits=limits, on_stdout=on_stdout, on_stderr=on_stderr, files=files, mounts=mounts) as session:
            return await session.run_async(source, filename=filename, check=check)

    def session(self, inputs: Any = None, *, limits: Limits | None = DEFAULT, total: Limits | None = None, on_stdout: Any = None,
                on_stderr: Any = None, files: Any = None, mounts: Any = None, functions: Any = None) -> Session:
        """A guest that keeps its names: see ``Runtime.session``."""
        given = self._limits if limits is DEFAULT else self._check(checked.limits(limits))
        context = self._new_context(given, on_stdout, on_stderr)
        if files is not None or mounts is not None:
            context.files = checked.files(files, self._files, mounts)
        if functions is not None:
            context.functions = {**(self._functions or {}), **(checked.functions(functions) or {})} or None
        with self._allocating():
            made = AllocatedSession(context, self._cache, inputs, given, None if total is None else checked.limits(total))
        made._mode = self._mode()
        return made

    def _mode(self) -> str | None:
        """The thread's allocator for a run; None where the run has a heap of its own."""
        return None if self._allocator == "guest" else self._allocator

    def _allocating(self) -> AbstractContextManager[None]:
        return using(self._mode())

    def _new_meter(self, limits: Limits) -> Any:
        return engine.make_meter(self._check(limits), Heap() if self._allocator == "guest" else None)

    def _check(self, limits: Limits) -> Limits:
        if self._allocator != "guest" and limits.memory is not None:
            raise ValueError(f"allocator={self._allocator!r} cannot keep the limit memory={limits.memory:,}, which the heaps of "
                             "guests count: use allocator='guest', Limits(memory=None), or isolation='process'")
        return limits


class AllocatedSession(Session):
    """A ``Session`` with an allocator for its runs."""

    __slots__ = ("_mode",)

    _mode: str | None

    def run(self, *args: Any, **settings: Any) -> Result:
        """Runs a program: see ``Session.run``."""
        with using(self._mode):
            return super().run(*args, **settings)

    def _perform(self, begun: Any, source: str | bytes, check: bool) -> Result:
        with using(self._mode):
            return super()._perform(begun, source, check)
