"""Symbol tables: the first walk over the tree, and the resolution of every name.

``build`` walks the tree once, makes a Scope per block and records how each name is used, and then resolves the names
from the outside in.  It raises the SyntaxErrors that CPython's symbol-table stage raises, with the same positions.
The bytecode generator calls ``Scope.finish`` before it generates a block.
"""
cimport cython
from cpython.unicode cimport PyUnicode_READ_CHAR

from kimi_runtime.syntax.alarm cimport look_at_alarm
from kimi_runtime.syntax.nodes cimport *

cdef extern from "stack.h":
    char *k_thread_stack_floor() noexcept
    char *k_stack_here() noexcept

DEF MAX_LEVEL = 6000

include "scope_errors.pxi"
include "scope_resolution.pxi"
include "scope_awaits.pxi"


@cython.final
@cython.freelist(64)
@cython.no_gc
cdef class Symbol:
    """How one name is used in one scope."""

    def __repr__(self):
        return f"<Symbol flags={self.flags:#x} scope={self.scope} reg={self.reg}>"


cdef str mangle(str private, str name):
    """The name as stored: private names in a class body get the class name in front."""
    if private is None or len(name) < 3 or PyUnicode_READ_CHAR(name, 0) != u"_" or PyUnicode_READ_CHAR(name, 1) != u"_":
        return name
    if name.endswith("__") or "." in name:
        return name
    stripped = private.lstrip("_")
    if not stripped:
        return name
    return intern_str("_" + stripped + name)


cdef inline str intern_str(str text):
    return _intern(text)


@cython.final
cdef class Scope:
    """The names of one block; see the header file for the fields."""

    cdef bint is_function(self) noexcept:
        return self.kind >= SCOPE_FUNCTION

    cdef Scope frame(self):
        """The scope that owns the registers: this one, or the one an inlined comprehension runs in."""
        cdef Scope scope = self
        while scope.inlined:
            scope = scope.parent
        return scope

    cdef Symbol symbol(self, str name):
        """The symbol that a (mangled) name means in this scope, or None when it is not used here."""
        cdef Scope scope = self
        while scope.inlined:
            found = scope.symbols.get(name)
            if found is not None:
                return <Symbol>found
            scope = scope.parent
        return <Symbol>scope.symbols.get(name)

    cdef int finish(self) except -1:
        """Gives every local a register and every free variable its index; once all names are resolved."""
        cdef Symbol sym
        cdef int reg = 0
        cdef str name
        cdef list names = []
        if self.finished:
            return 0
        self.finished = True
        self.cell_regs = []
        if self.is_function():
            for name in self.params:
                sym = self.symbols[name]
                sym.reg = reg
                names.append(name)
                if sym.scope == NAME_CELL:
                    self.cell_regs.append(reg)
                reg += 1
            for item in self.symbols.items():
                sym = <Symbol>(<tuple>item)[1]
                if (sym.scope == NAME_LOCAL or sym.scope == NAME_CELL) and not sym.flags & DEF_PARAM:
                    sym.reg = reg
                    names.append((<tuple>item)[0])
                    if sym.scope == NAME_CELL:
                        self.cell_regs.append(reg)
                    reg += 1
        if self.needs_class_cell:
            self.class_cell = reg
            self.cell_regs.append(reg)
            names.append("__class__")
            reg += 1
        if self.needs_classdict:
            self.classdict_cell = reg
            self.cell_regs.append(reg)
            names.append("__classdict__")
            reg += 1
        self.match_reg = len(names)
        for reg in range(self.max_match):
            names.append(f".0match{reg}")         # no name, also without its dot
        self.local_names = names
        if self.inlined_children is not None:
            self.hide(self.inlined_children, {})
        if self.free is not None:
            self.free_names = sorted(self.free)
            for reg in range(len(self.free_names)):
                self.free[self.free_names[reg]] = reg
            for item in self.symbols.items():
                sym = <Symbol>(<tuple>item)[1]
                if sym.scope == NAME_FREE:
                    sym.reg = self.free[(<tuple>item)[0]]
        else:
            self.free_names = []
        return 0

    cdef int hide(self, list children, dict used) except -1:
        """Hidden registers for the iteration variables of inlined comprehensions.

        Comprehensions that do not enclose one another share registers of the same name, so that a long module needs
        few of them.
        """
        cdef Scope child
        cdef Symbol sym
        for child in children:
            for item in child.symbols.items():
                sym = <Symbol>(<tuple>item)[1]
                name = (<tuple>item)[0]
                key = (name, sym.scope, child.depth)
                reg = used.get(key)
                if reg is None:
                    reg = used[key] = len(self.local_names)
                    self.local_names.append("." + name)
                sym.reg = reg
            if child.inlined_children is not None:
                self.hide(child.inlined_children, used)
        return 0


cdef class SymbolTable:
    """All scopes of one compilation unit."""


@cython.final
cdef class Walker(SymbolTable):
    """The walk that fills a symbol table."""

    # -- scopes --------------------------------------------------------------------------------
    cdef Scope enter(self, int kind, str name, Node node, dict registry):
        cdef Scope scope = Scope.__new__(Scope)
        cdef Scope parent = self.cur
        scope.kind = kind
        scope.name = name
        scope.node = node
        scope.parent = parent
        scope.symbols = {}
        scope.params = []
        scope.class_cell = scope.classdict_cell = -1
        if parent is not None:
            scope.private = parent.private
            scope.nested = parent.nested or parent.is_function()
            scope.in_iterable = parent.in_iterable
        registry[node] = scope
        self.cur = scope
        self.order.append(scope)
        return scope

    cdef Symbol define(self, Scope scope, str name, unsigned int flags):
        cdef Symbol sym
        found = scope.symbols.get(name)
        if found is not None:
            sym = <Symbol>found
            sym.flags |= flags
            return sym
        sym = Symbol.__new__(Symbol)
        sym.flags = flags
        scope.symbols[name] = sym
        return sym

    cdef int add(self, str name, unsigned int flags, Node at) except -1:
        """Records a binding or use of a name as written in the source."""
        cdef Scope scope = self.cur
        cdef Symbol sym
        name = mangle(scope.private, name)
        while scope.inlined:
            found = scope.symbols.get(name)
            if found is not None:
                sym = <Symbol>found
                sym.flags |= flags
                return 0
            scope = scope.parent
        found = scope.symbols.get(name)
        if found is not None:
            sym = <Symbol>found
            if flags & DEF_PARAM and sym.flags & DEF_PARAM:
                self.fail(f"duplicate argument '{name}' in function definition", at)
            if flags & DEF_TYPE_PARAM and sym.flags & DEF_TYPE_PARAM:
                self.fail(f"duplicate type parameter '{name}'", at)
            sym.flags |= flags
        else:
            self.define(scope, name, flags)
        if flags & DEF_PARAM:
            scope.params.append(name)
        elif flags & DEF_GLOBAL and scope is not self.top:
            self.define(self.top, name, DEF_GLOBAL)
        return 0

    cdef unsigned int flags_of(self, str name):
        cdef Symbol sym = self.cur.symbol(mangle(self.cur.private, name))
        return sym.flags if sym is not None else 0

    cdef int fail(self, str message, Node at) except -1:
        raise located("symbols", message, self.filename, self.source, at)

    cdef int deeper(self) except -1:
        self.level += 1
        if self.level > MAX_LEVEL or k_stack_here() < k_thread_stack_floor():
            raise RecursionError("maximum recursion depth exceeded during compilation")
        return 0

    # -- statements ----------------------------------------------------------------------------
    cdef int statements(self, list body) except -1:
        cdef Node node
        self.deeper()
        for node in body:
            self.statement(node)
        self.level -= 1
        return 0

    cdef int statement(self, Node s) except -1:
        cdef int k = s.kind
        cdef Node child
        cdef str text
        look_at_alarm()
        if k != K_ImportFrom and k != K_Expr:
            self.future_done = True
        if k == K_Expr:
            child = (<Expr>s).value
            if not (child.kind == K_Constant and type((<Constant>child).value) is str and self.cur is self.top
                    and not self.docstring_seen):
                self.future_done = True
            self.docstring_seen = True
            self.expression(child)
        elif k == K_Assign:
            self.expression_list((<Assign>s).targets)
            self.expression((<Assign>s).value)
        elif k == K_AugAssign:
            self.expression((<AugAssign>s).target)
            self.expression((<AugAssign>s).value)
        elif k == K_AnnAssign:
            self.annotated(<AnnAssign>s)
        elif k == K_Return:
            if (<Return>s).value is not None:
                self.expression((<Return>s).value)
        elif k == K_If:
            self.expression((<If>s).test)
            self.statements((<If>s).body)
            self.statements((<If>s).orelse)
        elif k == K_For:
            self.expression((<For>s).target)
            self.expression((<For>s).iter)
            self.statements((<For>s).body)
            self.statements((<For>s).orelse)
        elif k == K_AsyncFor:
            self.suspends(self.cur)
            self.expression((<AsyncFor>s).target)
            self.expression((<AsyncFor>s).iter)
            self.statements((<AsyncFor>s).body)
            self.statements((<AsyncFor>s).orelse)
        elif k == K_While:
            self.expression((<While>s).test)
            self.statements((<While>s).body)
            self.statements((<While>s).orelse)
        elif k == K_FunctionDef:
            self.function(s, (<FunctionDef>s).name, (<FunctionDef>s).args, (<FunctionDef>s).body,
                          (<FunctionDef>s).decorator_list, (<FunctionDef>s).returns, (<FunctionDef>s).type_params, False)
        elif k == K_AsyncFunctionDef:
            self.function(s, (<AsyncFunctionDef>s).name, (<AsyncFunctionDef>s).args, (<AsyncFunctionDef>s).body,
                          (<AsyncFunctionDef>s).decorator_list, (<AsyncFunctionDef>s).returns,
                          (<AsyncFunctionDef>s).type_params, True)
        elif k == K_ClassDef:
            self.class_definition(<ClassDef>s)
        elif k == K_Try:
            self.try_statement((<Try>s).body, (<Try>s).handlers, (<Try>s).orelse, (<Try>s).finalbody)
        elif k == K_TryStar:
            self.try_statement((<TryStar>s).body, (<TryStar>s).handlers, (<TryStar>s).orelse, (<TryStar>s).finalbody)
        elif k == K_With:
            self.with_items((<With>s).items)
            self.statements((<With>s).body)
        elif k == K_AsyncWith:
            self.suspends(self.cur)
            self.with_items((<AsyncWith>s).items)
            self.statements((<AsyncWith>s).body)
        elif k == K_Raise:
            if (<Raise>s).exc is not None:
                self.expression((<Raise>s).exc)
                if (<Raise>s).cause is not None:
                    self.expression((<Raise>s).cause)
        elif k == K_Assert:
            self.expression((<Assert>s).test)
            if (<Assert>s).msg is not None:
                self.expression((<Assert>s).msg)
        elif k == K_Delete:
            self.expression_list((<Delete>s).targets)
        elif k == K_Import:
            for child in (<Import>s).names:
                self.imported(<alias>child)
        elif k == K_ImportFrom:
            self.import_from(<ImportFrom>s)
        elif k == K_Global:
            for text in (<Global>s).names:
                self.declare(text, DEF_GLOBAL, s)
        elif k == K_Nonlocal:
            for text in (<Nonlocal>s).names:
                self.declare(text, DEF_NONLOCAL, s)
        elif k == K_Match:
            self.match_statement(<Match>s)
        elif k == K_TypeAlias:
            self.type_alias(<TypeAlias>s)
        return 0

    cdef int annotated(self, AnnAssign s) except -1:
        cdef unsigned int flags
        cdef Node target = s.target
        if target.kind == K_Name:
            flags = self.flags_of((<Name>target).id)
            if flags & (DEF_GLOBAL | DEF_NONLOCAL) and self.cur is not self.top and s.simple:
                which = "global" if flags & DEF_GLOBAL else "nonlocal"
                self.fail(f"annotated name '{(<Name>target).id}' can't be {which}", s)
            if s.simple:
                self.add((<Name>target).id, DEF_ANNOT | DEF_LOCAL, target)
            elif s.value is not None:
                self.add((<Name>target).id, DEF_LOCAL, target)
        else:
            self.expression(target)
        if self.cur.kind <= SCOPE_CLASS:
            self.cur.annotated = True
        self.annotation(s.annotation)
        if s.value is not None:
            self.expression(s.value)
        return 0

    cdef int annotation(self, Node e) except -1:
        """Visits an annotation; postponed ones are only text, so their names do not count."""
        if e is None:
            return 0
        if self.future_annotations:
            check_annotation(self, e)
            return 0
        return self.expression(e)

    cdef int declare(self, str name, unsigned int flag, Node s) except -1:
        cdef unsigned int flags = self.flags_of(name)
        cdef str which = "global" if flag == DEF_GLOBAL else "nonlocal"
        cdef Scope scope = self.cur
        if flags & (DEF_PARAM | DEF_LOCAL | DEF_USE | DEF_ANNOT | DEF_IMPORT):
            if flags & DEF_PARAM:
                self.fail(f"name '{name}' is parameter and {which}", s)
            if flags & DEF_USE:
                self.fail(f"name '{name}' is used prior to {which} declaration", s)
            if flags & DEF_ANNOT:
                self.fail(f"annotated name '{name}' can't be {which}", s)
            self.fail(f"name '{name}' is assigned to before {which} declaration", s)
        self.add(name, flag, s)
        if scope.directives is None:
            scope.directives = {}
        scope.directives.setdefault(mangle(scope.private, name), s)
        return 0

    cdef int imported(self, alias item) except -1:
        cdef str name = item.asname
        if name is None:
            name = item.name.partition(".")[0] if "." in item.name else item.name
        if name == "*":
            if self.cur.kind != SCOPE_MODULE:
                self.fail("import * only allowed at module level", item)
            return 0
        return self.add(name, DEF_IMPORT, item)

    cdef int import_from(self, ImportFrom s) except -1:
        cdef alias item
        if s.module == "__future__" and s.level == 0:
            if self.cur is not self.top or self.future_done:
                raise located("compiler", "from __future__ imports must occur at the beginning of the file", self.filename, self.source, s)
            self.docstring_seen = True
            for item in s.names:
                check_future(self, item.name, s)
                if item.name == "annotations":
                    self.future_annotations = True
        else:
            self.future_done = True
        for item in s.names:
            self.imported(item)
        return 0

    cdef int try_statement(self, list body, list handlers, list orelse, list final) except -1:
        cdef ExceptHandler handler
        self.statements(body)
        for handler in handlers:
            if handler.type is not None:
                self.expression(handler.type)
            if handler.name is not None:
                self.add(handler.name, DEF_LOCAL | DEF_DELETED, handler)
            self.statements(handler.body)
        self.statements(orelse)
        self.statements(final)
        return 0

    cdef int with_items(self, list items) except -1:
        cdef withitem item
        for item in items:
            self.expression(item.context_expr)
            if item.optional_vars is not None:
                self.expression(item.optional_vars)
        return 0

    cdef int match_statement(self, Match s) except -1:
        cdef match_case case
        cdef Scope scope = self.cur
        scope.match_depth += 1
        if scope.match_depth > scope.max_match:
            scope.max_match = scope.match_depth
        self.expression(s.subject)
        for case in s.cases:
            self.pattern(case.pattern)
            if case.guard is not None:
                self.expression(case.guard)
            self.statements(case.body)
        scope.match_depth -= 1
        return 0

    cdef int pattern(self, Node p) except -1:
        cdef int k
        cdef Node child
        if p is None:
            return 0
        k = p.kind
        self.deeper()
        if k == K_MatchValue:
            self.expression((<MatchValue>p).value)
        elif k == K_MatchSequence:
            for child in (<MatchSequence>p).patterns:
                self.pattern(child)
        elif k == K_MatchMapping:
            self.expression_list((<MatchMapping>p).keys)
            for child in (<MatchMapping>p).patterns:
                self.pattern(child)
            if (<MatchMapping>p).rest is not None:
                self.add((<MatchMapping>p).rest, DEF_LOCAL, p)
        elif k == K_MatchClass:
            self.expression((<MatchClass>p).cls)
            for child in (<MatchClass>p).patterns:
                self.pattern(child)
            for child in (<MatchClass>p).kwd_patterns:
                self.pattern(child)
        elif k == K_MatchStar:
            if (<MatchStar>p).name is not None:
                self.add((<MatchStar>p).name, DEF_LOCAL, p)
        elif k == K_MatchAs:
            self.pattern((<MatchAs>p).pattern)
            if (<MatchAs>p).name is not None:
                self.add((<MatchAs>p).name, DEF_LOCAL, p)
        elif k == K_MatchOr:
            for child in (<MatchOr>p).patterns:
                self.pattern(child)
        self.level -= 1
        return 0

    # -- functions and classes -----------------------------------------------------------------
    cdef int function(self, Node s, str name, arguments args, list body, list decorators, Node returns,
                      list type_params, bint is_async) except -1:
        cdef Scope outer
        cdef Scope scope
        self.add(name, DEF_LOCAL, s)
        self.expression_list(args.defaults)
        self.expression_list(args.kw_defaults)
        self.expression_list(decorators)
        outer = self.cur
        if type_params:
            scope = self.enter_type_params(s, name, type_params)
            if args.defaults:
                self.add(".defaults", DEF_PARAM, s)
            if has_kwdefaults(args):
                self.add(".kwdefaults", DEF_PARAM, s)
        self.annotations(args, returns)
        scope = self.enter(SCOPE_FUNCTION, name, s, self.scopes)
        scope.in_iterable = False
        scope.coroutine = is_async
        self.parameters(args)
        self.statements(body)
        self.cur = outer
        return 0

    cdef int annotations(self, arguments args, Node returns) except -1:
        cdef arg item
        for group in (args.posonlyargs, args.args):
            for item in <list>group:
                self.annotation(item.annotation)
        if args.vararg is not None:
            self.annotation((<arg>args.vararg).annotation)
        for item in args.kwonlyargs:
            self.annotation(item.annotation)
        if args.kwarg is not None:
            self.annotation((<arg>args.kwarg).annotation)
        return self.annotation(returns)

    cdef int parameters(self, arguments args) except -1:
        cdef arg item
        for item in args.posonlyargs:
            self.add(item.arg, DEF_PARAM, item)
        for item in args.args:
            self.add(item.arg, DEF_PARAM, item)
        for item in args.kwonlyargs:
            self.add(item.arg, DEF_PARAM, item)
        if args.vararg is not None:
            self.add((<arg>args.vararg).arg, DEF_PARAM, args.vararg)
        if args.kwarg is not None:
            self.add((<arg>args.kwarg).arg, DEF_PARAM, args.kwarg)
        return 0

    cdef int class_definition(self, ClassDef s) except -1:
        cdef Scope outer = self.cur
        cdef Scope scope
        cdef keyword item
        self.add(s.name, DEF_LOCAL, s)
        self.expression_list(s.decorator_list)
        if s.type_params:
            scope = self.enter_type_params(s, s.name, s.type_params)
            scope.private = s.name
            self.define(scope, ".generic_base", DEF_LOCAL | DEF_USE)
        self.expression_list(s.bases)
        for item in s.keywords:
            self.expression(item.value)
        scope = self.enter(SCOPE_CLASS, s.name, s, self.scopes)
        scope.private = s.name
        scope.in_iterable = False
        if s.type_params:
            self.define(scope, ".type_params", DEF_USE)
        self.statements(s.body)
        self.cur = outer
        return 0

    cdef Scope enter_type_params(self, Node s, str name, list params):
        cdef Scope parent = self.cur
        cdef Scope scope = self.enter(SCOPE_TYPE_PARAMS, f"<generic parameters of {name}>", s, self.type_scopes)
        cdef Node item
        scope.sees_class = parent.kind == SCOPE_CLASS
        self.define(scope, ".type_params", DEF_LOCAL | DEF_USE)
        for item in params:
            if item.kind == K_TypeVar:
                self.add((<TypeVar>item).name, DEF_LOCAL | DEF_TYPE_PARAM, item)
                self.type_value((<TypeVar>item).bound, (<TypeVar>item).name, item, self.scopes)
                self.type_value((<TypeVar>item).default_value, (<TypeVar>item).name, item, self.type_scopes)
            elif item.kind == K_ParamSpec:
                self.add((<ParamSpec>item).name, DEF_LOCAL | DEF_TYPE_PARAM, item)
                self.type_value((<ParamSpec>item).default_value, (<ParamSpec>item).name, item, self.type_scopes)
            else:
                self.add((<TypeVarTuple>item).name, DEF_LOCAL | DEF_TYPE_PARAM, item)
                self.type_value((<TypeVarTuple>item).default_value, (<TypeVarTuple>item).name, item, self.type_scopes)
        return scope

    cdef int type_value(self, Node value, str name, Node key, dict registry) except -1:
        """The scope in which a bound, default or alias value is evaluated when it is asked for."""
        cdef Scope outer = self.cur
        cdef Scope scope
        if value is None:
            return 0
        scope = self.enter(SCOPE_TYPE_VALUE, name, key, registry)
        scope.sees_class = outer.sees_class or outer.kind == SCOPE_CLASS
        self.expression(value)
        self.cur = outer
        return 0

    cdef int type_alias(self, TypeAlias s) except -1:
        cdef Scope outer = self.cur
        cdef str name = (<Name>s.name).id
        self.expression(s.name)
        if s.type_params:
            self.enter_type_params(s, name, s.type_params)
        self.type_value(s.value, name, s, self.scopes)
        self.cur = outer
        return 0

    # -- expressions ---------------------------------------------------------------------------
    cdef int expression_list(self, list nodes) except -1:
        cdef Node node
        for node in nodes:
            if node is not None:
                self.expression(node)
        return 0

    cdef int expression(self, Node e) except -1:
        cdef int k = e.kind
        cdef Node child
        look_at_alarm()
        if k == K_Name:
            if (<Name>e).ctx == CTX_Load:
                self.add((<Name>e).id, DEF_USE, e)
                if (<Name>e).id == "super" and SCOPE_FUNCTION <= self.cur.frame().kind < SCOPE_TYPE_PARAMS:
                    self.define(self.cur.frame(), "__class__", DEF_USE)
            elif (<Name>e).ctx == CTX_Store:
                self.add((<Name>e).id, DEF_LOCAL, e)
            else:
                self.add((<Name>e).id, DEF_LOCAL | DEF_DELETED, e)
            return 0
        if k == K_Constant:
            return 0
        self.deeper()
        if k == K_Attribute:
            self.expression((<Attribute>e).value)
        elif k == K_Call:
            self.expression((<Call>e).func)
            if len((<Call>e).args) == 1 and (<Node>(<Call>e).args[0]).kind == K_GeneratorExp and is_consumer(<Call>e):
                self.consumed_argument(<Call>e)
            else:
                for child in (<Call>e).args:
                    self.expression(child)
            for child in (<Call>e).keywords:
                self.expression((<keyword>child).value)
        elif k == K_BinOp:
            self.expression((<BinOp>e).left)
            self.expression((<BinOp>e).right)
        elif k == K_Subscript:
            self.expression((<Subscript>e).value)
            self.expression((<Subscript>e).slice)
        elif k == K_Compare:
            self.expression((<Compare>e).left)
            self.expression_list((<Compare>e).comparators)
        elif k == K_Tuple:
            self.expression_list((<Tuple>e).elts)
        elif k == K_List:
            self.expression_list((<List>e).elts)
        elif k == K_Set:
            self.expression_list((<Set>e).elts)
        elif k == K_Dict:
            self.expression_list((<Dict>e).keys)
            self.expression_list((<Dict>e).values)
        elif k == K_BoolOp:
            self.expression_list((<BoolOp>e).values)
        elif k == K_UnaryOp:
            self.expression((<UnaryOp>e).operand)
        elif k == K_IfExp:
            self.expression((<IfExp>e).test)
            self.expression((<IfExp>e).body)
            self.expression((<IfExp>e).orelse)
        elif k == K_JoinedStr:
            self.expression_list((<JoinedStr>e).values)
        elif k == K_FormattedValue:
            self.expression((<FormattedValue>e).value)
            if (<FormattedValue>e).format_spec is not None:
                self.expression((<FormattedValue>e).format_spec)
        elif k == K_Starred:
            self.expression((<Starred>e).value)
        elif k == K_Slice:
            if (<Slice>e).lower is not None:
                self.expression((<Slice>e).lower)
            if (<Slice>e).upper is not None:
                self.expression((<Slice>e).upper)
            if (<Slice>e).step is not None:
                self.expression((<Slice>e).step)
        elif k == K_Lambda:
            self.lambda_expression(<Lambda>e)
        elif k == K_ListComp:
            self.comprehension(e, SCOPE_LISTCOMP, "<listcomp>", (<ListComp>e).generators, (<ListComp>e).elt, None)
        elif k == K_SetComp:
            self.comprehension(e, SCOPE_SETCOMP, "<setcomp>", (<SetComp>e).generators, (<SetComp>e).elt, None)
        elif k == K_DictComp:
            self.comprehension(e, SCOPE_DICTCOMP, "<dictcomp>", (<DictComp>e).generators, (<DictComp>e).key,
                               (<DictComp>e).value)
        elif k == K_GeneratorExp:
            self.comprehension(e, SCOPE_GENEXP, "<genexpr>", (<GeneratorExp>e).generators, (<GeneratorExp>e).elt, None)
        elif k == K_NamedExpr:
            self.walrus(<NamedExpr>e)
        elif k == K_Yield:
            check_yield(self, e)
            if (<Yield>e).value is not None:
                self.expression((<Yield>e).value)
            self.cur.frame().generator = True
        elif k == K_YieldFrom:
            check_yield(self, e)
            self.expression((<YieldFrom>e).value)
            self.cur.frame().generator = True
        elif k == K_Await:
            if self.cur.kind >= SCOPE_TYPE_PARAMS:
                self.fail(f"await expression cannot be used within {type_scope_name(self.cur)}", e)
            self.expression((<Await>e).value)
            self.suspends(self.cur)
        self.level -= 1
        return 0

    cdef int lambda_expression(self, Lambda e) except -1:
        cdef Scope outer = self.cur
        self.expression_list(e.args.defaults)
        self.expression_list(e.args.kw_defaults)
        self.enter(SCOPE_LAMBDA, "<lambda>", e, self.scopes)
        self.parameters(e.args)
        self.expression(e.body)
        self.cur = outer
        return 0

    cdef int comprehension(self, Node e, int kind, str name, list generators, Node elt, Node value) except -1:
        cdef comprehension gen = generators[0]
        cdef Scope outer = self.cur
        cdef Scope scope
        cdef bint saved = outer.in_iterable
        cdef int i
        outer.in_iterable = True
        self.expression(gen.iter)
        outer.in_iterable = saved
        scope = self.enter(kind, name, e, self.scopes if self.registry is None else self.registry)
        scope.inlined = (kind != SCOPE_GENEXP or self.registry is not None) and not apart(self, e, kind, outer)
        self.registry = None
        if scope.inlined:
            scope.depth = outer.depth + 1 if outer.inlined else 1
            if outer.inlined_children is None:
                outer.inlined_children = []
            outer.inlined_children.append(scope)
        else:
            self.define(scope, ".0", DEF_PARAM)
            scope.params.append(".0")
        for i in range(len(generators)):
            self.bind_targets((<comprehension>generators[i]).target, False)
        for i in range(len(generators)):
            gen = generators[i]
            if i:
                scope.in_iterable = True
                self.expression(gen.iter)
                scope.in_iterable = saved
            self.bind_targets(gen.target, True)
            self.expression(gen.target)
            self.expression_list(gen.ifs)
            if gen.is_async:
                self.suspends(scope)
        self.expression(elt)
        if value is not None:
            self.expression(value)
        if kind == SCOPE_GENEXP:
            scope.generator = not scope.inlined
        elif not scope.inlined and scope.coroutine:
            self.suspends(outer)
        self.cur = outer
        return 0

    cdef int suspends(self, Scope scope) except -1:
        """The scope, and what it is inlined into, waits for something asynchronous."""
        while scope.inlined:
            scope.coroutine = True
            scope = scope.parent
        scope.coroutine = True
        return 0

    cdef int consumed_argument(self, Call e) except -1:
        """A generator expression that a builtin consumes at once: two scopes, for its loop in place and for the function
        that is made when the name turns out not to mean the builtin. Not for those with functions or := inside."""
        cdef GeneratorExp gen = (<Call>e).args[0]
        cdef int scopes = len(self.order)
        cdef int walruses = self.walruses
        cdef Scope scope
        self.expression(gen)
        scope = self.scopes[gen]
        if (len(self.order) != scopes + 1 or walruses != self.walruses or scope.coroutine or self.cur.kind == SCOPE_CLASS
                or self.cur.kind >= SCOPE_TYPE_PARAMS):
            return 0
        if e.func.kind == K_Name:
            scope.consumer = (<Name>e.func).id
        scope.by_value = True
        if self.consumed is None:
            self.consumed = {}
        self.registry = self.consumed
        self.comprehension(gen, SCOPE_GENEXP, "<genexpr>", gen.generators, gen.elt, None)
        return 0

    cdef int bind_targets(self, Node target, bint reached) except -1:
        """Registers the iteration variables before the parts that may use them are visited."""
        cdef Node child
        cdef Symbol sym
        cdef str name
        if target.kind == K_Name:
            name = mangle(self.cur.private, (<Name>target).id)
            sym = self.define(self.cur, name, DEF_LOCAL | DEF_COMP_TARGET)
            if reached:
                if sym.flags & DEF_COMP_EARLY:
                    self.fail(f"comprehension inner loop cannot rebind assignment expression target '{(<Name>target).id}'", target)
                sym.flags |= DEF_COMP_REACHED
        elif target.kind == K_Tuple:
            for child in (<Tuple>target).elts:
                self.bind_targets(child, reached)
        elif target.kind == K_List:
            for child in (<List>target).elts:
                self.bind_targets(child, reached)
        elif target.kind == K_Starred:
            self.bind_targets((<Starred>target).value, reached)
        return 0

    cdef int walrus(self, NamedExpr e) except -1:
        self.walruses += 1
        return self.bind_walrus(e)

    cdef int bind_walrus(self, NamedExpr e) except -1:
        cdef Scope scope = self.cur
        cdef Scope real = None
        cdef Symbol sym
        cdef str name = mangle(scope.private, (<Name>e.target).id)
        cdef unsigned int flag
        if scope.kind >= SCOPE_TYPE_PARAMS:
            self.fail(f"named expression cannot be used within {type_scope_name(scope)}", e)
        if SCOPE_GENEXP <= scope.kind <= SCOPE_DICTCOMP:
            if scope.in_iterable:
                self.fail("assignment expression cannot be used in a comprehension iterable expression", e)
            while SCOPE_GENEXP <= scope.kind <= SCOPE_DICTCOMP:
                found = scope.symbols.get(name)
                if found is not None and (<Symbol>found).flags & DEF_COMP_TARGET:
                    sym = <Symbol>found
                    if sym.flags & DEF_COMP_REACHED:
                        self.fail("assignment expression cannot rebind comprehension iteration variable "
                                  f"'{(<Name>e.target).id}'", e.target)
                    sym.flags |= DEF_COMP_EARLY
                if not scope.inlined and real is None:
                    real = scope
                scope = scope.parent
            if scope.kind == SCOPE_CLASS:
                self.fail("assignment expression within a comprehension cannot be used in a class body", e.target)
            if scope.kind == SCOPE_MODULE:
                flag = DEF_GLOBAL
            else:
                found = scope.symbols.get(name)
                flag = DEF_GLOBAL if found is not None and (<Symbol>found).flags & DEF_GLOBAL else DEF_NONLOCAL
                if flag == DEF_NONLOCAL:
                    self.define(scope, name, DEF_LOCAL | DEF_WALRUS)
            if scope.kind == SCOPE_MODULE:
                self.define(scope, name, DEF_LOCAL | DEF_WALRUS | (DEF_GLOBAL if real is not None else 0))
            if real is not None:
                self.define(real, name, flag)
                if flag == DEF_GLOBAL:
                    self.define(self.top, name, DEF_GLOBAL)
        else:
            self.add((<Name>e.target).id, DEF_LOCAL | DEF_WALRUS, e.target)
            if scope.in_iterable:
                self.fail("assignment expression cannot be used in a comprehension iterable expression", e)
        return self.expression(e.value)


cdef bint is_consumer(Call e) except -1:
    """Whether a call with a generator expression as its only argument may be one of the builtins that consume it."""
    cdef Attribute method
    cdef keyword item
    if e.func.kind == K_Name:
        if (<Name>e.func).id == "sorted":
            for item in e.keywords:
                if item.arg is None:
                    return False
            return True
        return not e.keywords and (<Name>e.func).id in CONSUMERS
    if e.func.kind != K_Attribute or e.keywords:
        return False
    method = <Attribute>e.func
    return method.attr == "join" and method.value.kind == K_Constant and type((<Constant>method.value).value) is str


cdef bint has_kwdefaults(arguments args):
    for item in args.kw_defaults:
        if item is not None:
            return True
    return False


cdef SymbolTable build(Node tree, str filename, object source, bint future_annotations):
    """Makes and resolves the symbol tables of a Module, Interactive or Expression.

    Raises SyntaxError as CPython's symbol-table stage does, and RecursionError for trees that are nested too deeply.
    """
    cdef Walker table = Walker.__new__(Walker)
    table.filename = filename
    table.source = source
    table.scopes = {}
    table.type_scopes = {}
    table.order = []
    table.future_annotations = future_annotations
    table.top = table.enter(SCOPE_MODULE, "<module>", tree, table.scopes)
    if tree.kind == K_Module:
        table.statements((<Module>tree).body)
    elif tree.kind == K_Interactive:
        table.statements((<Interactive>tree).body)
    else:
        table.future_done = True
        table.expression((<Expression>tree).body)
    resolve_all(table)
    return table
