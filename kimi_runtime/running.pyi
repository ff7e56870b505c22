from collections.abc import Callable, Mapping
from contextvars import Context, ContextVar
from typing import Any, TypeVar

from .cache.parse_cache import ParseCache
from .errors import GuestError
from .limits import Limits
from .memory.heap import Heap
from .objects.context import RunContext
from .result import Result
from .runtime import Runtime

S = TypeVar("S", bound="SessionCore")
Outcome = tuple[Any, GuestError | None, BaseException | None]

FRESH_NAMES: frozenset[str]

def connect(
    program: Any, cell: Any, end: Any, description: Any, after_cell: Any, after_program: Any
) -> None: ...
def default_cache() -> ParseCache: ...
def new_namespace(context: RunContext) -> dict[str, Any]: ...
def make_meter(limits: Limits, heap: Heap | None = None) -> Any: ...
def execute(
    context: RunContext, code: Any, figures: list[Any], limits: Limits, meter: Any, inputs: Mapping[str, Any] | None
) -> Outcome: ...
def execute_cell(
    context: RunContext, code: Any, figures: list[Any], limits: Limits, meter: Any, namespace: dict[str, Any],
    variables: Context
) -> Outcome: ...
def execute_end(
    context: RunContext, limits: Limits, meter: Any, namespace: dict[str, Any], variables: Context
) -> Outcome: ...
def execute_metered(
    variables: Context, context: RunContext, meter: Any, limits: Limits, program: Any, *args: Any
) -> Outcome: ...
def perform(
    context: RunContext, cache: ParseCache | None, source: str | bytes, filename: str, limits: Limits, check: bool,
    program: Any, *args: Any
) -> Result: ...
def end_guest_threads(context: RunContext) -> None: ...
def end_cell(context: RunContext) -> None: ...
def end_program(context: RunContext) -> bool: ...
def guest_variables() -> Context: ...
def is_decimal_context(variable: ContextVar[Any]) -> bool: ...
def reraise_interrupt(raised: BaseException) -> None: ...
def refused(limit: str, limits: Limits, text: str | None = None) -> GuestError: ...

class Runner:
    def run_known(self, runtime: Runtime, source: str, filename: str, limits: Limits) -> Result | None: ...

def open_session(cls: type[S], runtime: Runtime) -> S: ...

class SessionCore:
    _context: RunContext
    _cache: ParseCache | None
    _limits: Limits
    _total: Limits | None
    _meter: Any
    _driver: Any
    _variables: Context
    _step: Any
    _given: Any
    _namespace: dict[str, Any] | None
    _heap: Heap
    _cells: int
    _stopped: bool
    _idle_seconds: float | None
    _ended_idle: bool
    @property
    def _used(self) -> dict[str, Any]: ...
    @property
    def _is_new(self) -> bool: ...
    def _take_idle(self) -> bool: ...
    def _give_back(self) -> None: ...
    def _touch(self) -> None: ...
    def _cull(self) -> float | None: ...
    def _note_cell(self, filename: str, source: str | bytes) -> None: ...
    def _renew_variables(self) -> None: ...
    def run(
        self,
        source: str | bytes,
        inputs: Mapping[str, Any] | None = None,
        *,
        filename: str | None = None,
        check: bool = False,
        limits: Limits | None = ...,
        on_stdout: Callable[[str], object] | None = None,
        on_stderr: Callable[[str], object] | None = None,
    ) -> Result: ...
