"""Looking at a program without running it: ``check``."""
from __future__ import annotations

from . import checked
from .checker.findings import RULES, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike
    from types import ModuleType
    from typing import Any

    from .objects.context import RunContext

__all__ = ["RULES", "Finding", "check"]


def check(
    source: str | bytes,
    inputs: Iterable[str] | Mapping[str, Any] = (),
    *,
    functions: Mapping[str, Callable[..., Any]] | None = None,
    modules: Iterable[str] | None = None,
    host_modules: Mapping[str, ModuleType] | None = None,
    modules_source: Mapping[str, str] | str | PathLike[str] | None = None,
    filename: str = "<guest>",
    types: bool = False,
    type_timeout: float = 30.0,
) -> list[Finding]:
    """Looks at a program and says what is wrong with it, without running anything of it.

        >>> import kimi_runtime as kr
        >>> for finding in kr.check("def price(n): return n * rate\\nprice(1, 2)", functions={"rates": dict}):
        ...     print(finding)
        <guest>:1:26: error: name 'rate' is not defined (did you mean 'rates'?) [undefined-name]
        <guest>:2:1: error: price() takes 1 positional argument but 2 were given [wrong-arguments]

    Only what is certain is reported: a name that one way through the program defines is not "undefined".

    Args:
        source: the program's text.
        inputs: names that it finds as globals, or a mapping with their values.
        functions: functions of the host by name, whose parameters calls are compared with.
        modules, host_modules, modules_source: what it may import, as for ``Runtime``.
        filename: the name that findings show.
        types: also run the type checker ``ty`` (extra ``types``) over the program and stubs made from `functions` and the values
            of `inputs`.
        type_timeout: seconds that it may take.

    Returns:
        The findings, in the order of the text; empty when nothing is wrong. ``RULES`` tells the rules.

    Raises:
        TypeError, ValueError: an argument is not what it must be.
        ImportError: types is true, and ty is not installed.
        TimeoutError: the type checker took too long.
    """
    from .objects.context import RunContext
    from .objects.module_sources import find_sources

    if functions is not None:
        checked.names(functions, "functions")
        for name, function in functions.items():
            if not callable(function):
                raise TypeError(f"functions: {name!r} is {type(function).__name__}, which cannot be called")
    context = RunContext(None, None, ("",), None if modules_source is None else find_sources(modules_source),
                         checked.host_modules(host_modules), None if modules is None else checked.library_modules(modules))
    return check_in(context, inputs, functions, source, filename, types, type_timeout)


def check_in(
    context: RunContext, inputs: Iterable[str] | Mapping[str, Any], functions: Mapping[str, Any] | None, source: str | bytes,
    filename: str, types: bool, type_timeout: float
) -> list[Finding]:
    """The same for a guest that has a context."""
    from .checker.all_rules import check_program

    if isinstance(inputs, str):
        raise TypeError(f"inputs must be names or a mapping of names to values, not the string {inputs!r}")
    names = dict.fromkeys(inputs)
    names.pop("__builtins__", None)
    checked.names(names)
    seen = {name: as_seen(function) for name, function in (functions or {}).items()}
    return check_program(source, context, seen, inputs, filename, types, type_timeout)


def as_seen(function: Any) -> Any:
    """A function with the signature that guests see, which is async when they must await its calls."""
    import inspect

    from .bridge.functions import HostFunction, callable_behind, is_coroutine_function

    signature = None
    if type(function) is HostFunction:
        awaited = function.awaited is not None and not function.suspends
        if function.batched:
            signature = inspect.Signature([inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
                                           inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)])
        name, doc, function = function.__name__, function.__doc__, callable_behind(function)
    else:
        awaited = is_coroutine_function(function)
        name, doc = getattr(function, "__name__", type(function).__name__), getattr(function, "__doc__", None)
    if signature is None:
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):     # it does not tell
            return function

    if awaited:
        async def stand_in(*args: Any, **kwargs: Any) -> None:
            """Has a signature."""
    else:
        def stand_in(*args: Any, **kwargs: Any) -> None:  # type: ignore[misc]
            """Has a signature."""
    stand_in.__name__, stand_in.__doc__ = name, doc
    stand_in.__signature__ = signature  # type: ignore[attr-defined]
    return stand_in
