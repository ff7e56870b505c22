"""Calls that do not fit the parameters of the function, and coroutines that nobody awaits."""
from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from .program import FUNCTIONS, Program, is_star_import, kind

#: Functions of asyncio whose call makes a coroutine, which does nothing until it is awaited.
COROUTINES = frozenset({"sleep", "wait_for", "wait", "to_thread", "open_connection", "start_server"})


class Parameters:
    """What a function takes.

    Attributes:
        name: as messages show it.
        positional: names of the parameters that take positional arguments, in order.
        only: how many of these take no keyword.
        optional: names of parameters with a default.
        keywords: names of the keyword-only parameters.
        extra_positional, extra_keywords: whether it has ``*args`` and ``**kwargs``.
        skipped: positional parameters that the call itself fills (``self``).
    """

    def __init__(self, name: str, positional: list[str], only: int, optional: set[str], keywords: list[str],
                 extra_positional: bool, extra_keywords: bool, skipped: int = 0) -> None:
        self.name = name
        self.positional = positional
        self.only = only
        self.optional = optional
        self.keywords = keywords
        self.extra_positional = extra_positional
        self.extra_keywords = extra_keywords
        self.skipped = skipped

    def mismatch(self, call: Any) -> str | None:
        """What is wrong with a call, in the words of its TypeError; None when it fits, or when nobody can tell."""
        starred = any(kind(each) == "Starred" for each in call.args)
        doubled = any(each.arg is None for each in call.keywords)
        count = sum(kind(each) != "Starred" for each in call.args) + self.skipped
        given = [each.arg for each in call.keywords if each.arg is not None]
        by_keyword = set(self.positional[self.only:]) | set(self.keywords)
        filled = set(self.positional[:count])
        for name in given:
            if name in filled and name in by_keyword:
                return f"{self.name}() got multiple values for argument {name!r}"
            if name not in by_keyword and not self.extra_keywords:
                if name in self.positional[:self.only]:
                    return (f"{self.name}() got some positional-only arguments passed as keyword arguments: {name!r}")
                return f"{self.name}() got an unexpected keyword argument {name!r}"
        if count > len(self.positional) and not self.extra_positional:
            return self._too_many(count, given)
        if starred or doubled:
            return None
        missing = [each for each in self.positional[count:] if each not in self.optional and each not in given]
        if missing:
            return self._missing(missing, "positional")
        missing = [each for each in self.keywords if each not in self.optional and each not in given]
        return self._missing(missing, "keyword-only") if missing else None

    def _too_many(self, count: int, given: list[str]) -> str:
        takes = len(self.positional)
        least = sum(each not in self.optional for each in self.positional)
        amount = f"from {least} to {takes}" if least != takes else str(takes)
        plural = "" if takes == 1 and least == takes else "s"
        extra = sum(each in self.keywords for each in given)
        also = ""
        if extra:
            also = (f" positional argument{'s' if count != 1 else ''} (and {extra} keyword-only "
                    f"argument{'s' if extra != 1 else ''})")
        verb = "was" if count == 1 and not extra else "were"
        return f"{self.name}() takes {amount} positional argument{plural} but {count}{also} {verb} given"

    def _missing(self, names: list[str], what: str) -> str:
        quoted = [repr(each) for each in names]
        if len(quoted) > 2:
            text = ", ".join(quoted[:-1]) + ", and " + quoted[-1]
        else:
            text = " and ".join(quoted)
        return f"{self.name}() missing {len(names)} required {what} argument{'s' if len(names) > 1 else ''}: {text}"


def of_definition(node: Any, name: str, skipped: int = 0) -> Parameters:
    """The parameters of a function of the program."""
    arguments = node.args
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    optional = set(positional[len(positional) - len(arguments.defaults):] if arguments.defaults else ())
    optional |= {each.arg for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if default is not None}
    return Parameters(name, positional, len(arguments.posonlyargs), optional, [each.arg for each in arguments.kwonlyargs],
                      arguments.vararg is not None, arguments.kwarg is not None, skipped)


def of_signature(name: str, function: Any) -> Parameters | None:
    """The parameters of a function of the host or a builtin one; None when it does not tell."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    positional = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    return Parameters(
        name, [each.name for each in positional], sum(each.kind is each.POSITIONAL_ONLY for each in positional),
        {each.name for each in parameters if each.default is not each.empty},
        [each.name for each in parameters if each.kind is each.KEYWORD_ONLY],
        any(each.kind is each.VAR_POSITIONAL for each in parameters), any(each.kind is each.VAR_KEYWORD for each in parameters))


def look(program: Program, functions: Mapping[str, Any], builtins: Mapping[str, Any]) -> None:
    """Reports calls of functions that are known: those that the program defines once, the host's, and builtin ones."""
    if any(is_star_import(node) for node, _ in program.nodes):
        builtins = {}   # it may have others of the same names
    for node, block in program.nodes:
        if kind(node) == "Call" and kind(node.func) == "Name":
            found = _parameters_of(program, node.func.id, block, functions, builtins)
            message = found.mismatch(node) if found is not None else None
            if message is not None:
                program.report("wrong-arguments", message, node)
        elif kind(node) == "Expr" and kind(node.value) == "Call":
            name = _coroutine(program, node.value.func, block, functions)
            if name is not None:
                inside = block.kind == "function" and kind(block.node) == "AsyncFunctionDef"
                call = f"{name}(...)"
                program.report("missing-await", f"coroutine '{name}' was never awaited", node.value,
                               f"write await {call}" if inside else f"run it by asyncio.run({call})")


def _parameters_of(
    program: Program, name: str, block: Any, functions: Mapping[str, Any], builtins: Mapping[str, Any]
) -> Parameters | None:
    if program.bindings_of(name, block):
        node = program.only_binding(name, block)
        owner = program.home(name, block)
        if node is None or name in program.known - builtins.keys():
            return None
        if kind(node) in FUNCTIONS and not node.decorator_list:
            return of_definition(node, _qualified(program, node, owner))
        return _constructor(program, node, owner) if kind(node) == "ClassDef" else None
    if name in functions:
        return of_signature(name, functions[name])
    if name in program.known - builtins.keys():
        return None
    return of_signature(name, builtins[name]) if type(builtins.get(name)).__name__ == "builtin_function_or_method" else None


def _qualified(program: Program, node: Any, owner: Any) -> str:
    """The qualified name of a definition, which messages show."""
    parts = [node.name]
    while owner.parent is not None:
        if owner.kind == "function":
            parts += ["<locals>", owner.node.name]
        elif owner.kind == "class":
            parts.append(owner.node.name)
        owner = owner.parent
    return ".".join(reversed(parts))


def _constructor(program: Program, node: Any, owner: Any) -> Parameters | None:
    """What a plain class takes: one without bases, decorators and __new__."""
    if node.decorator_list or node.keywords or any(kind(each) != "Name" or each.id != "object" for each in node.bases):
        return None
    block = program.blocks[node]
    bound = {name: program.bindings.get((id(block), name), []) for name in ("__init__", "__new__")}
    if bound["__new__"] or len(bound["__init__"]) > 1:
        return None
    if not bound["__init__"]:
        return None
    init = bound["__init__"][0]
    if kind(init) != "FunctionDef" or init.decorator_list or not (init.args.posonlyargs or init.args.args):
        return None
    return of_definition(init, f"{_qualified(program, node, owner)}.__init__", 1)


def _coroutine(program: Program, function: Any, block: Any, functions: Mapping[str, Any]) -> str | None:
    """The name of the coroutine function that is called, or None."""
    if kind(function) == "Name":
        if program.bindings_of(function.id, block):
            node = program.only_binding(function.id, block)
            if kind(node) == "AsyncFunctionDef" and not node.decorator_list and not _is_generator(program, node):
                return str(function.id)
            return None
        given = functions.get(function.id)
        return str(function.id) if given is not None and inspect.iscoroutinefunction(given) else None
    if kind(function) == "Attribute" and function.attr in COROUTINES and kind(function.value) == "Name":
        node = program.only_binding(function.value.id, block)
        if kind(node) == "Import" and any(each.name == "asyncio" for each in node.names):
            return f"{function.value.id}.{function.attr}"
    return None


def _is_generator(program: Program, node: Any) -> bool:
    block = program.blocks[node]
    waiting = [(each, block) for each in node.body]
    while waiting:
        each, inside = waiting.pop()
        if inside is not block:
            continue
        if kind(each) in ("Yield", "YieldFrom"):
            return True
        waiting.extend(program.parts(each, inside))
    return False
