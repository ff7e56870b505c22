"""The program under the checker: its tree, whose block every node is in, and what every name of a block is bound to."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ..analysis.scope_views import describe
from ..syntax.parser import parse
from .findings import RULES, Finding

FUNCTIONS = ("FunctionDef", "AsyncFunctionDef")
COMPREHENSIONS = ("ListComp", "SetComp", "DictComp", "GeneratorExp")
LOAD, STORE, DELETE = range(3)      # the contexts of a name
ALWAYS_THERE = frozenset({"__name__", "__doc__", "__builtins__", "__file__", "__loader__", "__package__", "__spec__",
                          "__annotations__", "__debug__", "__class__"})


def kind(node: Any) -> str:
    """The name of a node's class."""
    return type(node).__name__


def children(node: Any) -> Iterator[Any]:
    """The nodes directly below one."""
    for field in node._fields:
        value = getattr(node, field)
        if isinstance(value, list):
            for item in value:
                if hasattr(item, "_fields"):
                    yield item
        elif hasattr(value, "_fields"):
            yield value


class Program:
    """A program that compiles.

    Attributes:
        tree: its Module.
        blocks, type_blocks: the ``ScopeView`` of each node that has a block, and that of its type parameters.
        findings: what was found so far.
        bindings: by block and name, the nodes that bind it.
        known: names of builtins and of what the host hands over.
    """

    def __init__(self, source: str, filename: str, known: Iterable[str] = ()) -> None:
        self.known = frozenset(known)
        self.filename = filename
        self.lines = source.split("\n")
        self.tree = parse(source, filename, "exec")
        self.blocks, self.type_blocks = describe(self.tree, filename)
        self.top = self.blocks[self.tree]
        self.findings: list[Finding] = []
        self.nodes: list[tuple[Any, Any]] = list(self._walk())
        self.bindings: dict[tuple[int, str], list[Any]] = {}
        self._find_bindings()

    def report(self, rule: str, message: str, node: Any, hint: str | None = None, end: Any = None) -> None:
        """Adds a finding about a node, or about all from it to the node `end`."""
        end = node if end is None else end
        self.findings.append(Finding(
            rule, message, self.filename, node.lineno, self.column(node.lineno, node.col_offset),
            end.end_lineno, self.column(end.end_lineno, end.end_col_offset), RULES[rule][0], hint))

    def column(self, line: int, offset: int) -> int:
        """The column, from 1 and in characters, of an offset in bytes."""
        if not 0 < line <= len(self.lines):
            return offset + 1
        text = self.lines[line - 1]
        if not text.isascii():
            offset = len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace"))
        return offset + 1

    # ---- blocks ------------------------------------------------------------------------------------------
    def _walk(self) -> Iterator[tuple[Any, Any]]:
        """All nodes with the block that each is evaluated in, in the order of the text as far as blocks allow."""
        waiting: list[tuple[Any, Any]] = [(self.tree, self.top)]
        while waiting:
            node, block = waiting.pop()
            yield node, block
            waiting.extend(reversed(list(self.parts(node, block))))

    def parts(self, node: Any, block: Any) -> Iterator[tuple[Any, Any]]:
        """The nodes directly below one, each with its block."""
        inner = self.blocks.get(node)
        typed = self.type_blocks.get(node, block)
        what = kind(node)
        if what in FUNCTIONS:
            for each in node.decorator_list:
                yield each, block
            for each in node.type_params:
                yield each, typed
            arguments = node.args
            for each in (*arguments.defaults, *(value for value in arguments.kw_defaults if value is not None)):
                yield each, block
            for each in parameters(arguments):
                if each.annotation is not None:
                    yield each.annotation, typed
            if node.returns is not None:
                yield node.returns, typed
            for each in node.body:
                yield each, inner
        elif what == "Lambda":
            arguments = node.args
            for each in (*arguments.defaults, *(value for value in arguments.kw_defaults if value is not None)):
                yield each, block
            yield node.body, inner
        elif what == "ClassDef":
            for each in node.decorator_list:
                yield each, block
            for each in node.type_params:
                yield each, typed
            for each in (*node.bases, *node.keywords):
                yield each, typed
            for each in node.body:
                yield each, inner
        elif what in COMPREHENSIONS and inner is not None:
            first = node.generators[0]
            yield first.iter, block
            for generator in node.generators:
                yield generator.target, inner
                if generator is not first:
                    yield generator.iter, inner
                for each in generator.ifs:
                    yield each, inner
            if what == "DictComp":
                yield node.key, inner
                yield node.value, inner
            else:
                yield node.elt, inner
        elif what == "TypeAlias":
            yield node.name, block
            for each in node.type_params:
                yield each, typed
            yield node.value, inner or typed
        elif what in ("TypeVar", "ParamSpec", "TypeVarTuple"):
            for each in children(node):
                yield each, self.type_blocks.get(node, inner or block)
        else:
            for each in children(node):
                yield each, block

    def home(self, name: str, block: Any) -> Any:
        """The block whose variable a name is that `block` reads or binds: the module's for global names."""
        return block.home(name) or self.top

    # ---- bindings ----------------------------------------------------------------------------------------
    def _find_bindings(self) -> None:
        for node, block in self.nodes:
            for name in bound_names(node):
                self.bindings.setdefault((id(self.home(name, block)), block.mangled(name)), []).append(node)
            if kind(node) in (*FUNCTIONS, "Lambda"):
                inner = self.blocks[node]
                for each in parameters(node.args):
                    self.bindings.setdefault((id(inner), inner.mangled(each.arg)), []).append(each)

    def bindings_of(self, name: str, block: Any) -> list[Any]:
        """The nodes that bind the name that `block` reads."""
        return self.bindings.get((id(self.home(name, block)), block.mangled(name)), [])

    def only_binding(self, name: str, block: Any) -> Any:
        """The node that binds the name that `block` reads, when there is just one such."""
        found = self.bindings_of(name, block)
        return found[0] if len(found) == 1 else None


def parameters(arguments: Any) -> list[Any]:
    """The parameters of a function, of all kinds."""
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return found + [each for each in (arguments.vararg, arguments.kwarg) if each is not None]


def is_star_import(node: Any) -> bool:
    """Whether it is ``from m import *``, which may bind any name."""
    return kind(node) == "ImportFrom" and node.names[0].name == "*"


def catches(handler: Any, names: Collection[str]) -> bool:
    """Whether an ``except`` clause takes exceptions of classes with these names: it names one, or takes all."""
    if handler.type is None:
        return True
    types = handler.type.elts if kind(handler.type) == "Tuple" else [handler.type]
    return any(kind(each) == "Name" and each.id in names for each in types)


def bound_names(node: Any) -> tuple[str, ...]:
    """The names that a node itself binds or deletes in its block; not those below it."""
    what = kind(node)
    if what == "Name":
        return (node.id,) if node.ctx != LOAD else ()
    if what in (*FUNCTIONS, "ClassDef"):
        return (node.name,)
    if what == "Import":
        return tuple(each.asname or each.name.partition(".")[0] for each in node.names)
    if what == "ImportFrom":
        return tuple(each.asname or each.name for each in node.names if each.name != "*")
    if what in ("ExceptHandler", "MatchAs", "MatchStar", "TypeVar", "ParamSpec", "TypeVarTuple"):
        return (node.name,) if node.name else ()
    if what == "MatchMapping":
        return (node.rest,) if node.rest else ()
    return ()
