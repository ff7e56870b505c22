"""Figures of a runtime for monitoring: Prometheus text and OpenTelemetry spans. A runtime that nobody asks counts nothing."""
from __future__ import annotations

import time
from _thread import get_ident
from contextlib import contextmanager, nullcontext

from ..bridge.functions import watch_calls
from ..memory.heap import figures
from .observer import Wrapper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

__all__ = ["Measured", "MeasuredSession", "Metrics", "begin", "export_spans"]

SECONDS = (0.00001, 0.0001, 0.001, 0.01, 0.1, 1.0, 10.0)
EXTRA = "needs the package {0}: pip install 'kimi-runtime[{1}]'"


class Metrics:
    """The figures of one runtime.

    Args:
        runtime: whose runs count from now on.

    Raises:
        ImportError: prometheus-client is missing.
    """

    def __init__(self, runtime: Any) -> None:
        try:
            from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
        except ImportError:
            raise ImportError("Runtime.metrics() " + EXTRA.format("prometheus-client", "metrics")) from None
        registry = self.registry = CollectorRegistry()
        self.runs = Counter("kimi_runs", "Runs that have ended.", ["outcome"], registry=registry)
        self.stops = Counter("kimi_limit_stops", "Runs that a limit has ended.", ["limit"], registry=registry)
        self.seconds = Histogram("kimi_run_seconds", "Wall time of runs in the interpreter.", buckets=SECONDS, registry=registry)
        self.stages = Counter("kimi_stage_seconds", "Time in the stages before the interpreter.", ["stage"], registry=registry)
        self.instructions = Counter("kimi_instructions", "Bytecode instructions executed.", registry=registry)
        self.host_calls = Counter("kimi_host_calls", "Calls of functions of the host.", ["function"], registry=registry)
        self.host_seconds = Counter("kimi_host_seconds", "Time in functions of the host.", ["function"], registry=registry)
        self.active = Gauge("kimi_active_runs", "Runs under way.", registry=registry)
        self.peak = Gauge("kimi_peak_memory_bytes", "The most memory that a run has held.", registry=registry)
        self.cache = {name: Gauge(f"kimi_cache_{name}", f"Parse cache: {name}.", registry=registry)
                      for name in ("hits", "misses", "entries", "weight")}
        self.memory = {name: Gauge(f"kimi_guest_memory_{name}_bytes", f"Memory of all guests of the process: {name}.",
                                   registry=registry) for name in ("committed", "kept", "orphans")}
        self.most = 0
        self.runtime = runtime

    def count(self, result: Any) -> None:
        """A run has ended."""
        stats = result.stats
        self.runs.labels("ok" if result.ok else "limit" if result.error.limit is not None else "error").inc()
        if not result.ok and result.error.limit is not None:
            self.stops.labels(result.error.limit).inc()
        self.seconds.observe(stats.run_seconds)
        self.stages.labels("parse").inc(stats.parse_seconds)
        self.stages.labels("compile").inc(stats.compile_seconds)
        self.instructions.inc(stats.instructions)
        if stats.peak_memory > self.most:
            self.most = stats.peak_memory
            self.peak.set(self.most)

    def text(self) -> str:
        """All figures in Prometheus' text format."""
        from prometheus_client import generate_latest

        from ..running import default_cache

        stats = (self.runtime._cache or default_cache()).stats()
        for name, gauge in self.cache.items():
            gauge.set(getattr(stats, name))
        held = figures()
        for name, gauge in self.memory.items():
            gauge.set(held[name])
        text: str = generate_latest(self.registry).decode()
        return text


class Watch:
    """What is done around the runs of a runtime: figures, spans, or both."""

    def __init__(self) -> None:
        self.metrics: Metrics | None = None
        self.tracer: Any = None

    @contextmanager
    def watching(self, name: str) -> Iterator[Callable[[Any], None]]:
        """The block around a run, which hands the result over to what this gives, unless it raises something."""
        metrics, tracer = self.metrics, self.tracer     # either may come while the run goes on
        results: list[Any] = []
        span, start = None, time.time_ns()
        current: AbstractContextManager[Any] = nullcontext()
        if tracer is not None:
            from opentelemetry import trace

            span = tracer.start_span("kimi.run", attributes={"kimi.filename": name})
            current = trace.use_span(span, end_on_exit=False, record_exception=False, set_status_on_exception=False)
        if metrics is not None:
            metrics.active.inc()
        try:
            with current:
                yield results.append
        except BaseException as error:
            if span is not None:
                span.record_exception(error)
            raise
        finally:
            if metrics is not None:
                metrics.active.dec()
                for result in results:
                    metrics.count(result)
            if span is not None:
                for result in results:
                    self.stages(span, start, result)
                span.end()

    def stages(self, span: Any, start: int, result: Any) -> None:
        """Spans of what came before the interpreter, and what the run was."""
        from opentelemetry import trace
        from opentelemetry.trace import StatusCode

        stats = result.stats
        inside = trace.set_span_in_context(span)
        at = start
        for name, seconds in (("kimi.parse", stats.parse_seconds), ("kimi.compile", stats.compile_seconds)):
            if seconds:
                part = self.tracer.start_span(name, context=inside, start_time=at)
                at += int(seconds * 1e9)
                part.end(end_time=at)
        span.set_attribute("kimi.instructions", stats.instructions)
        span.set_attribute("kimi.cached", stats.cached)
        span.set_attribute("kimi.peak_memory", stats.peak_memory)
        if not result.ok:
            span.set_status(StatusCode.ERROR, f"{result.error.type}: {result.error.message}")
            if result.error.limit is not None:
                span.set_attribute("kimi.limit", result.error.limit)


def place_of(call: int | None) -> tuple[str, int]:
    """Where calls of the host end in the order in which they were begun last."""
    return ("thread", get_ident()) if call is None else ("call", call)


class CallWatcher(Wrapper):
    """The observer of a run whose calls of the host are counted, or become spans.

    Args:
        watch: of the runtime.
        inner: see ``Wrapper``.
    """

    def __init__(self, watch: Watch, inner: Any = None) -> None:
        super().__init__(inner)
        self.watch = watch
        self.calls: dict[tuple[str, int], list[Any]] = {}       # spans of those under way: see place_of
        self.within: Any = None
        if watch.tracer is not None:
            from opentelemetry import context

            self.within = context.get_current()     # a session's runs have the context variables of when it was made

    def called(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: int | None = None) -> None:
        if self.watch.tracer is not None:
            self.calls.setdefault(place_of(call), []).append(self.watch.tracer.start_span(
                "kimi.host_call", context=self.within, attributes={"kimi.function": function.__name__}))
        super().called(function, args, kwargs, call)

    def returned(self, function: Any, nanoseconds: int, call: int | None = None) -> None:
        spans = self.calls.get(place_of(call))
        if spans:
            spans.pop().end()
        metrics = self.watch.metrics
        if metrics is not None:
            metrics.host_calls.labels(function.__name__).inc()
            metrics.host_seconds.labels(function.__name__).inc(nanoseconds / 1e9)
        super().returned(function, nanoseconds, call)


class Measured:
    """The part of a runtime that somebody watches: a class of such a runtime has this one before its own."""

    __slots__ = ()
    _watch: Watch

    def run(self, source: Any, inputs: Any = None, **settings: Any) -> Any:
        check = settings.pop("check", False)
        with self._watch.watching(settings.get("filename", "<guest>")) as ended:
            result = super().run(source, inputs, **settings)  # type: ignore[misc]
            ended(result)
        if check:
            result.unwrap()
        return result

    async def run_async(self, source: Any, inputs: Any = None, **settings: Any) -> Any:
        check = settings.pop("check", False)
        with self._watch.watching(settings.get("filename", "<guest>")) as ended:
            result = await super().run_async(source, inputs, **settings)  # type: ignore[misc]
            ended(result)
        if check:
            result.unwrap()
        return result

    def session(self, *args: Any, **settings: Any) -> Any:
        made = super().session(*args, **settings)  # type: ignore[misc]
        made.__class__ = _class_of(MeasuredSession, type(made), self._watch)
        return made

    def _new_context(self, *args: Any) -> Any:
        context = super()._new_context(*args)  # type: ignore[misc]
        if context.functions is not None:
            context.watch(lambda inner: CallWatcher(self._watch, inner))
        return context


class MeasuredSession:
    """The same for a session."""

    __slots__ = ()
    _watch: Watch

    def run(self, source: Any, inputs: Any = None, **settings: Any) -> Any:
        check = settings.pop("check", False)
        with self._watch.watching(settings.get("filename") or "<cell>") as ended:
            result = super().run(source, inputs, **settings)  # type: ignore[misc]
            ended(result)
        if check:
            result.unwrap()
        return result


def _class_of(part: type, kind: type, watch: Watch) -> type:
    if issubclass(kind, part):
        return kind
    return type(kind.__name__, (part, kind), {"__slots__": (), "_watch": watch, "__module__": kind.__module__})


def _watch_of(runtime: Any) -> Watch:
    """The watch of a runtime, which has one from now on."""
    if isinstance(runtime, Measured):
        return runtime._watch
    watch = Watch()
    runtime.__class__ = _class_of(Measured, type(runtime), watch)
    watch_calls(1)
    return watch


def begin(runtime: Any) -> Metrics:
    """The figures of a runtime, which counts from the first call on. Raises ImportError when prometheus-client is missing."""
    watch = _watch_of(runtime)
    if watch.metrics is None:
        watch.metrics = Metrics(runtime)
    return watch.metrics


def export_spans(runtime: Any, tracer: Any = None) -> None:
    """From now on each run of a runtime is a span, and its stages and calls of the host are spans in it.

    Args:
        runtime: the runtime.
        tracer: of OpenTelemetry; None for the one that the process has set up.

    Raises:
        ImportError: opentelemetry is missing.
    """
    if tracer is None:
        try:
            from opentelemetry import trace
        except ImportError:
            raise ImportError("export_spans() " + EXTRA.format("opentelemetry-api", "telemetry")) from None
        tracer = trace.get_tracer("kimi_runtime")
    _watch_of(runtime).tracer = tracer
