"""What the flow of control says: statements that are never reached, and variables that have no value yet.

Each block is followed statement by statement with the set of its variables that may have a value there. A loop's body begins
with all that it may assign itself, and a handler with all that its try may: so a name is reported only when on no way it can
have a value. (The analysis of "definite assignment" of Java's language specification, chapter 16, the other way round.)
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .names import forgiven
from .program import COMPREHENSIONS, FUNCTIONS, LOAD, Program, bound_names, children, is_star_import, kind, parameters

# The names that may have a value; None where nothing gets to.
State = set[str] | None


def look(program: Program) -> None:
    """Reports statements that are never reached, and variables that have no value where they are read."""
    reached_from_inside = _reached_from_inside(program)
    tried = forgiven(program)
    for node, block in list(program.blocks.items()):
        if block.kind in ("module", "function"):
            _Flow(program, block, reached_from_inside, tried, None).begin(node.body, _parameters_of(node))


def _parameters_of(node: Any) -> set[str]:
    if kind(node) not in FUNCTIONS:
        return set()
    return {each.arg for each in parameters(node.args)}


def _reached_from_inside(program: Program) -> set[tuple[int, str]]:
    """Variables, by block, that functions inside it bind: when that happens nobody knows."""
    found: set[tuple[int, str]] = set()
    for block in program.blocks.values():
        found.update((id(program.top), name) for name in block.globals)
        for name in block.reaching:
            owner = block.home(name)
            if owner is not None:
                found.add((id(owner), name))
    return found


class _Flow:
    """One block that is followed; a class body inside it is followed by another one at its place."""

    def __init__(
        self, program: Program, block: Any, loose: set[tuple[int, str]], tried: set[int], outer: _Flow | None
    ) -> None:
        self.program = program
        self.block = block
        self.loose = loose
        self.tried = tried      # names whose NameError the program takes itself
        self.outer = outer
        self.names = {name for name in block.own if (id(block), name) not in loose}
        self.state: State = set()
        self.breaks: list[list[set[str]]] = []
        self.assigned: dict[int, set[str]] = {}
        self.reported: set[str] = set()

    def begin(self, body: list[Any], given: set[str]) -> None:
        self.state = {self.block.mangled(name) for name in given}
        if any(map(is_star_import, body)):
            self.names = set()
        self.statements(body)

    # ---- statements --------------------------------------------------------------------------------------
    def statements(self, body: list[Any]) -> None:
        """Follows a suite from self.state; leaves the state behind it there."""
        for node in body:
            if self.state is None:
                if not _makes_generator(node):
                    self.program.report("unreachable-code", "this code is never reached", node, end=body[-1])
                return
            self.statement(node)

    def statement(self, node: Any) -> None:
        what = kind(node)
        handler = getattr(self, "_" + what, None)
        if handler is not None:
            handler(node)
        elif what in FUNCTIONS:
            self.outside_of_function(node)
            self.bind(node)
        else:
            for each in children(node):
                self.expression(each)
            self.bind(node)

    def _Assign(self, node: Any) -> None:
        self.expression(node.value)
        for each in node.targets:
            self.expression(each)

    def _AugAssign(self, node: Any) -> None:
        if kind(node.target) == "Name":
            self.read(node.target)
        else:
            self.expression(node.target)
        self.expression(node.value)
        self.bind_names(bound_names(node.target))

    def _AnnAssign(self, node: Any) -> None:
        if node.value is not None:
            self.expression(node.value)
            self.expression(node.target)
        elif kind(node.target) != "Name":
            self.expression(node.target)

    def _Delete(self, node: Any) -> None:
        for each in node.targets:
            if kind(each) == "Name":
                self.read(each)
                if self.state is not None:
                    self.state.discard(self.block.mangled(each.id))
            else:
                self.expression(each)

    def _Return(self, node: Any) -> None:
        if node.value is not None:
            self.expression(node.value)
        self.state = None

    def _Raise(self, node: Any) -> None:
        for each in children(node):
            self.expression(each)
        self.state = None

    def _Expr(self, node: Any) -> None:
        self.expression(node.value)
        if self._exits(node.value):
            self.state = None

    def _exits(self, node: Any) -> bool:
        """Whether the expression is a call that ends the program."""
        if kind(node) != "Call":
            return False
        function = node.func
        if kind(function) == "Name":
            return (function.id in ("exit", "quit") and function.id in self.program.known
                    and self.program.home(function.id, self.block) is self.program.top
                    and not self.program.bindings_of(function.id, self.block))
        return (kind(function) == "Attribute" and function.attr == "exit" and kind(function.value) == "Name"
                and function.value.id == "sys" and kind(self.program.only_binding("sys", self.block)) == "Import")

    def _Break(self, node: Any) -> None:
        if self.breaks and self.state is not None:
            self.breaks[-1].append(self.state)
        self.state = None

    def _Continue(self, node: Any) -> None:
        self.state = None

    def _If(self, node: Any) -> None:
        ends: list[State] = []
        while True:     # not a call of itself: chains of elif are long
            self.expression(node.test)
            truth = _truth(node.test)
            before = self.state
            if truth is not False:
                self.state = _copy(before)
                self.statements(node.body)
                ends.append(self.state)
            self.state = None if truth is True else before
            orelse = node.orelse
            if truth is True or not orelse:
                break
            if len(orelse) == 1 and kind(orelse[0]) == "If":
                node = orelse[0]
                continue
            self.statements(orelse)
            break
        self.state = _join([*ends, self.state])

    def _loop(self, node: Any, endless: bool, never: bool, target: Any) -> None:
        before = self.state
        inside = _copy(before)
        if inside is not None:
            inside |= self.assigns(node.body) | (self.assigns([target]) if target is not None else set())
        after = _copy(inside)
        self.breaks.append([])
        if not never:
            self.state = inside
            if target is not None:
                self.expression(target)
            self.statements(node.body)
        broken = self.breaks.pop()
        self.state = None if endless else before if never else after
        if not endless:
            self.statements(node.orelse)
        self.state = _join([self.state, *broken])

    def _While(self, node: Any) -> None:
        truth = _truth(node.test)
        if self.state is not None:
            before, self.state = self.state, self.state | self.assigns(node.body)   # it is looked at after the body, too
            self.expression(node.test)
            self.state = before | self.assigns([node.test])
        self._loop(node, truth is True, truth is False, None)

    def _For(self, node: Any) -> None:
        self.expression(node.iter)
        self._loop(node, False, False, node.target)

    _AsyncFor = _For

    def _With(self, node: Any) -> None:
        for each in node.items:
            self.expression(each.context_expr)
            if each.optional_vars is not None:
                self.expression(each.optional_vars)
        before = _copy(self.state)
        self.statements(node.body)
        if before is not None:      # the manager may take an exception, and the program goes on behind it
            self.state = before | self.assigns(node.body)

    _AsyncWith = _With

    def _Try(self, node: Any) -> None:
        before = _copy(self.state) or set()
        raised = before | self.assigns(node.body)
        self.statements(node.body)
        if self.state is not None or not node.orelse:
            self.statements(node.orelse)
        else:
            self.program.report("unreachable-code", "this code is never reached", node.orelse[0], end=node.orelse[-1])
        ends = [self.state]
        for each in node.handlers:
            self.state = set(raised)
            if each.type is not None:
                self.expression(each.type)
            self.bind(each)
            self.statements(each.body)
            if each.name and self.state is not None:
                self.state.discard(self.block.mangled(each.name))
            ends.append(self.state)
        self.state = _join(ends)
        if node.finalbody:
            through = self.state is not None
            everything = raised | self.assigns(node.orelse)
            for each in node.handlers:
                everything |= self.assigns(each.body) | {self.block.mangled(name) for name in bound_names(each)}
            self.state = everything
            self.statements(node.finalbody)
            if not through:
                self.state = None

    _TryStar = _Try

    def _Match(self, node: Any) -> None:
        self.expression(node.subject)
        ends: list[State] = []
        for case in node.cases:
            before = _copy(self.state)
            self.expression(case.pattern)
            if case.guard is not None:
                self.expression(case.guard)
            self.statements(case.body)
            ends.append(self.state)
            self.state = before
            if before is not None:
                self.state = before | self.assigns([case.pattern])
            if case.guard is None and _takes_all(case.pattern):
                self.state = None
                break
        self.state = _join([*ends, self.state])

    def _ClassDef(self, node: Any) -> None:
        for each in (*node.decorator_list, *node.bases, *(each.value for each in node.keywords)):
            self.expression(each)
        inner = _Flow(self.program, self.program.blocks[node], self.loose, self.tried, self)
        inner.names -= {"__module__", "__qualname__", "__annotations__", "__class__"}
        inner.begin(node.body, set())
        self.bind(node)

    def _Global(self, node: Any) -> None:
        pass

    _Nonlocal = _Global

    def _TypeAlias(self, node: Any) -> None:
        self.bind_names(bound_names(node.name))     # its value is evaluated later

    # ---- expressions -------------------------------------------------------------------------------------
    def expression(self, root: Any) -> None:
        """Follows an expression: names that it reads, and those that it binds."""
        waiting = [root]
        while waiting:
            node = waiting.pop()
            what = kind(node)
            if what == "Name":
                if node.ctx == LOAD:
                    self.read(node)
                else:
                    self.bind(node)
            elif what == "Lambda":
                waiting.extend(reversed([*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]))
            elif what in COMPREHENSIONS:
                self.comprehension(node)
            else:
                if bound_names(node):
                    self.bind(node)
                parts = list(children(node))
                if what == "NamedExpr":
                    parts.reverse()
                elif what == "Dict":
                    parts = [each for pair in zip(node.keys, node.values) for each in pair if each is not None]
                waiting.extend(reversed(parts))

    def comprehension(self, node: Any) -> None:
        """Its first iterable is read at once; of the rest what belongs to this block, unless it is a generator's."""
        self.expression(node.generators[0].iter)
        if kind(node) == "GeneratorExp" or self.program.blocks.get(node) is None:
            self.bind_names(self.assigns([node]))
            return
        waiting = [(each, block) for each, block in self.program.parts(node, self.block) if each is not node.generators[0].iter]
        self.bind_names(self.assigns([node]))
        while waiting:
            each, block = waiting.pop()
            if kind(each) in ("Lambda", "GeneratorExp"):
                continue
            if kind(each) == "Name" and each.ctx == LOAD and block is not None and block.mangled(each.id) not in block.own:
                self.read(each, block)
            waiting.extend(self.program.parts(each, block))

    def outside_of_function(self, node: Any) -> None:
        """What a definition evaluates at once: its decorators and defaults."""
        for each in (*node.decorator_list, *node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)):
            self.expression(each)

    def read(self, node: Any, block: Any = None) -> None:
        """A name is read here: reported when it is a variable of a block at work that has no value."""
        block = self.block if block is None else block
        name = block.mangled(node.id)
        owner = self.program.home(node.id, block)
        flow: _Flow | None = self
        while flow is not None and flow.block is not owner:
            flow = flow.outer
        if flow is None or flow.state is None or name not in flow.names or name in flow.state:
            return
        if owner.kind in ("module", "class") and (node.id in self.program.known or (
                owner.kind == "class" and self._outside(node.id))):
            return
        if name in flow.reported or id(node) in self.tried:
            return
        flow.reported.add(name)
        if owner.kind == "function":
            message = f"cannot access local variable {node.id!r} where it is not associated with a value"
            hint = None
            if node.id in self.program.top.own:
                hint = f"it is assigned in this function and so a variable of its own: declare it by `global {node.id}`"
        else:
            message, hint = f"name {node.id!r} is not defined", "it gets its value further down"
        self.program.report("unbound-name", message, node, hint)

    def _outside(self, name: str) -> bool:
        """Whether a class body finds the name outside of it: its own variables may have the names of others."""
        return name in self.program.top.own or self.block.parent is not None and self.block.parent.home(name) is not None

    # ---- what is bound -----------------------------------------------------------------------------------
    def bind(self, node: Any) -> None:
        self.bind_names(bound_names(node))

    def bind_names(self, names: Iterable[str]) -> None:
        if self.state is not None:
            self.state.update(self.block.mangled(name) for name in names)

    def assigns(self, nodes: list[Any]) -> set[str]:
        """The names of this block that the nodes may bind."""
        found: set[str] = set()
        for node in nodes:
            known = self.assigned.get(id(node))
            if known is None:
                known = self.assigned[id(node)] = self._assigned_in(node)
            found |= known
        return found

    def _assigned_in(self, root: Any) -> set[str]:
        found: set[str] = set()
        waiting = [root]
        while waiting:
            node = waiting.pop()
            found.update(self.block.mangled(name) for name in bound_names(node))
            if kind(node) in FUNCTIONS or kind(node) in ("Lambda", "ClassDef"):
                continue
            waiting.extend(children(node))
        return found


def _copy(state: State) -> State:
    return None if state is None else set(state)


def _join(states: list[State]) -> State:
    """What may have a value where several ways meet."""
    found = [each for each in states if each is not None]
    return set().union(*found) if found else None


def _truth(test: Any) -> bool | None:
    """The value of a test that is a constant, else None."""
    return bool(test.value) if kind(test) == "Constant" else None


def _takes_all(pattern: Any) -> bool:
    """Whether a pattern takes every subject."""
    if kind(pattern) == "MatchOr":
        return any(map(_takes_all, pattern.patterns))
    return kind(pattern) == "MatchAs" and (pattern.pattern is None or _takes_all(pattern.pattern))


def _makes_generator(node: Any) -> bool:
    """`return` and then `yield` makes a function a generator that yields nothing: it is meant so."""
    return kind(node) == "Expr" and kind(node.value) in ("Yield", "YieldFrom")
