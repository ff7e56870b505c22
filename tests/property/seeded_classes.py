"""The classes of seeded random programs: inheritance, super, properties, operators, slots, descriptors, metaclasses."""

from __future__ import annotations

BASES = ("", "", "(object)", "(list)", "(dict)", "(int)", "(str)", "(Exception)", "(tuple)", "(float)")
BINARY = ("add", "sub", "mul", "floordiv", "mod", "and", "or", "matmul", "pow", "truediv", "lshift")
COMPARE = ("eq", "lt", "le", "gt", "ne", "ge")
SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "floordiv": "//", "mod": "%", "and": "&", "or": "|", "matmul": "@", "pow": "**", "truediv": "/", "lshift": "<<",
           "eq": "==", "lt": "<", "le": "<=", "gt": ">", "ne": "!=", "ge": ">="}


def indent(block: str) -> str:
    """Return a block of lines moved one level to the right."""
    return "\n".join("    " + line for line in block.split("\n"))


class ClassParts:
    """The part of `Parts` that makes classes and uses them; it needs the expressions of `Parts`."""

    def __init__(self) -> None:
        self.classes: list[str] = []
        self.instances: list[str] = []
        self.metaclasses: list[str] = []

    def class_definition(self) -> str:
        """Return a class statement under a guard, and an instance of it by a name of its own."""
        if self.chance(0.12):
            return self.metaclass()
        name, r = self.fresh("C"), self.rng
        if self.classes and self.chance(0.6):
            bases = r.sample(self.classes, min(len(self.classes), r.choice((1, 1, 1, 2, 2, 3))))
            header = f"({', '.join(bases)}{self.class_keywords()})"
        elif self.metaclasses and self.chance(0.4):
            header = f"(metaclass={r.choice(self.metaclasses)})"
        else:
            header = r.choice(BASES)
        members = [member for member in (getattr(self, "member_" + kind)() for kind in r.choices(self.MEMBERS, k=r.randint(2, 8)))]
        if self.chance(0.6):
            members.insert(0, self.member_init())
        if self.chance(0.15):
            members.insert(0, f"__slots__ = {r.choice(('()', repr(('p', 'q')), repr(['p', 'q', '__dict__']), repr('p'), repr(('r',))))}")
        if self.chance(0.5):
            members.insert(0, f"__match_args__ = {r.choice((repr(('p', 'q')), repr(('p',)), '()', repr(['p'])))}")
        body = indent("\n".join(members))
        instance = name.lower()
        code = f"try:\n    class {name}{header}:\n{indent(body)}\n    {instance} = {name}({r.choice(('', '', self.integer(0)))})\nexcept Exception as err:\n    show('!', err)\n    class {name}: p = 1\n    {instance} = {name}()"
        self.classes.append(name)
        self.instances.append(instance)
        return code

    def class_keywords(self) -> str:
        """Return keywords of a class statement, often none."""
        return ", tag=3" if self.chance(0.08) else ""

    def metaclass(self) -> str:
        """Return a metaclass."""
        name, r = self.fresh("Meta"), self.rng
        self.metaclasses.append(name)
        members = ["def __new__(mcs, name, bases, space, **extra):\n    show('meta new', name, len(bases), sorted(v for v in space if v[0] != '_'), extra)\n    return super().__new__(mcs, name, bases, space)",
                   "def __call__(cls, *args, **extra):\n    show('meta call', cls, args)\n    return super().__call__(*args, **extra)", "def __len__(cls): return 5", "def __iter__(cls): return iter([cls.__name__])",
                   "def __getattr__(cls, name):\n    if name == 'q': return 'meta q'\n    raise AttributeError(name)", "def __instancecheck__(cls, value): return value == 1", "def __contains__(cls, value): return value == 2",
                   "@property\ndef w(cls): return 'meta w'", "def __getitem__(cls, key): return ('meta item', key)", "def __add__(cls, other): return ('meta add', other)",
                   "@classmethod\ndef __prepare__(mcs, name, bases, **extra): return {'prepared': 1}", "def m(cls, v=1): return ('meta m', v)", "def __init__(cls, name, bases, space, **extra): cls.made = name"]
        return f"class {name}(type):\n" + indent("\n".join(r.sample(members, r.randint(1, 5))))

    MEMBERS = ("attribute", "attribute", "method", "method", "method", "super_method", "super_method", "property", "static", "class_method", "binary", "binary", "compare", "container", "iter", "call",
               "getattr", "setattr", "text", "convert", "context", "descriptor", "subclass_hook", "getattribute", "await_", "nested", "in_place")

    def short_body(self) -> str:
        """Return a short body of a method; names of the program are globals in it."""
        return self.rng.choice((f"return {self.any(1)}", f"show({self.any(1)})\nreturn {self.integer(0)}", f"return small({self.integer(1)})", f"return ('ret', {self.text(0)})",
                                f"if {self.condition()}: raise {self.rng.choice(('Custom', 'ValueError', 'Stop'))}({self.integer(0)})\nreturn 1"))

    def method(self, name: str, parameters: str) -> str:
        """Return a method whose calls are counted."""
        return f"def {name}({parameters}):\n    if not enter(): return 0\n{indent(self.short_body())}"

    def member_attribute(self) -> str:
        """A class attribute."""
        return f"{self.rng.choice('pqrw')} = {self.any(1)}"

    def member_init(self) -> str:
        """An `__init__` that sets attributes."""
        before = self.rng.choice(("", "super().__init__()\n", "super().__init__(v)\n"))
        return f"def __init__(self, v=1, *rest):\n{indent(before + 'self.p = v')}\n    self.q = {self.any(1)}"

    def member_method(self) -> str:
        """A method that uses its instance."""
        r = self.rng
        return f"def {r.choice(('m', 'h'))}(self, v={self.integer(0)}):\n    if not enter(): return 0\n    {r.choice(('self.p = v', 'self.q = (self.p, v)', 'v = small(v)', 'show(self.p)'))}\n    return {r.choice(('v', 'self.p', 'self', '(self.q, v)'))}"

    def member_super_method(self) -> str:
        """A method that calls that of the next class."""
        r = self.rng
        return (f"def {r.choice(('m', 'h'))}(self, v=2):\n    if not enter(): return 0\n    show({r.choice(('__class__', 'type(self)', 'v'))})\n"
                f"    return (super().{r.choice(('m', 'm', 'h', 'p', '__repr__'))}{r.choice(('(v)', '()', ''))}, 1)")

    def member_property(self) -> str:
        """A property, with or without a setter and deleter."""
        name = self.rng.choice("pqw")
        code = f"@property\n{self.method(name, 'self')}"
        if self.chance(0.5):
            code += f"\n@{name}.setter\ndef {name}(self, v):\n    show('set', v)\n    self.__dict__['r'] = v"
        if self.chance(0.3):
            code += f"\n@{name}.deleter\ndef {name}(self): show('deleted')"
        return code

    def member_static(self) -> str:
        """A static method."""
        return "@staticmethod\n" + self.method(self.rng.choice(("m", "st")), "v=1")

    def member_class_method(self) -> str:
        """A class method."""
        return f"@classmethod\ndef {self.rng.choice(('m', 'cm'))}(cls, v=1): return (cls, {self.rng.choice(('cls.p', 'v', 'cls.__name__', 'super().__repr__ is None'))})"

    def member_binary(self) -> str:
        """A binary operator, perhaps reflected."""
        name = self.rng.choice(BINARY)
        return self.method(f"__{self.rng.choice(('', '', 'r'))}{name}__", "self, other") if self.chance(0.8) else f"def __{name}__(self, other): return NotImplemented"

    def member_in_place(self) -> str:
        """An augmented assignment operator."""
        return f"def __i{self.rng.choice(('add', 'sub', 'mul', 'or'))}__(self, other):\n    show('in place', other)\n    return {self.rng.choice(('self', 'NotImplemented', '7'))}"

    def member_compare(self) -> str:
        """A comparison, with `__hash__` now and then."""
        name = self.rng.choice(COMPARE)
        code = f"def __{name}__(self, other):\n    if not enter(): return False\n    return {self.rng.choice(('True', 'False', 'NotImplemented', repr('yes'), '[]'))}"
        return code + (f"\ndef __hash__(self): return {self.rng.choice(('1', '2**70', '-1', repr('x')))}" if name == "eq" and self.chance(0.6) else "")

    def member_container(self) -> str:
        """A method of the container protocol."""
        return self.rng.choice((
            f"def __len__(self): return {self.rng.choice(('0', '3', '-1', '2**70', repr('a'), 'True'))}", self.method("__getitem__", "self, key"), "def __getitem__(self, key):\n    if key > 3: raise IndexError(key)\n    return key * 2",
            "def __setitem__(self, key, value): show('setitem', key, value)", "def __delitem__(self, key): show('delitem', key)", f"def __contains__(self, v): return {self.any(0)}",
            "def __missing__(self, key): return ('missing', key)", "def __reversed__(self): return iter('rev')", f"def __bool__(self): return {self.rng.choice(('True', 'False', '1'))}", "def __length_hint__(self): return 3"))

    def member_iter(self) -> str:
        """An `__iter__`, as a generator or by hand."""
        return self.rng.choice(("def __iter__(self):\n    yield self.p\n    yield 2", f"def __iter__(self): return iter({self.list(0)})", "def __iter__(self): return self\ndef __next__(self):\n    if not tick(): raise StopIteration\n    self.p = whole(self.p) + 1\n    if self.p > 5: raise StopIteration(self.p)\n    return self.p",
                                "__iter__ = None", f"def __iter__(self): return {self.any(0)}"))

    def member_call(self) -> str:
        """A `__call__`."""
        return self.method("__call__", "self, *args, **extra")

    def member_getattr(self) -> str:
        """A `__getattr__`."""
        return "def __getattr__(self, name):\n    if not enter(): raise AttributeError('deep')\n    if name in ('r', 'w'): return ('got', name)\n    raise AttributeError(name)"

    def member_getattribute(self) -> str:
        """A `__getattribute__`, rare since it changes everything."""
        return self.member_getattr() if self.chance(0.7) else "def __getattribute__(self, name):\n    if name == 'q': return 'caught q'\n    return super().__getattribute__(name)"

    def member_setattr(self) -> str:
        """A `__setattr__` or `__delattr__`."""
        return self.rng.choice(("def __setattr__(self, name, value):\n    show('setattr', name)\n    super().__setattr__(name, value)", "def __delattr__(self, name): show('delattr', name)",
                                "def __setattr__(self, name, value): object.__setattr__(self, name, ('set', value))"))

    def member_text(self) -> str:
        """A method that makes a string."""
        return self.rng.choice(("def __repr__(self): return f'<{type(self).__name__} repr>'", "def __str__(self): return 'a str'", "def __format__(self, spec): return 'fmt' + spec", "def __repr__(self): return 5", "def __str__(self): return super().__repr__()[:3]",
                                "def __dir__(self): return ['z', 'y']", "def __bytes__(self): return b'by'"))

    def member_convert(self) -> str:
        """A conversion."""
        return self.rng.choice(("def __index__(self): return 2", "def __int__(self): return 7", "def __float__(self): return 1.25", "def __neg__(self): return 'neg'", "def __abs__(self): return -1", "def __invert__(self): return self",
                                "def __round__(self, digits=None): return ('round', digits)", "def __complex__(self): return 1j", "def __index__(self): return 'bad'", "def __trunc__(self): return 4", "def __divmod__(self, other): return (1, other)"))

    def member_context(self) -> str:
        """A context manager."""
        return f"def __enter__(self): return ('entered', 1)\ndef __exit__(self, *error): return {self.rng.choice(('True', 'False', 'None', '[]'))}"

    def member_descriptor(self) -> str:
        """A descriptor class in the body, and an instance of it as attribute."""
        r = self.rng
        code = "class D:\n    def __get__(self, obj, kind=None):\n        return ('D', obj is None, kind is None)"
        if self.chance(0.5):
            code += "\n    def __set__(self, obj, value): show('D set', value)"
        if self.chance(0.2):
            code += "\n    def __delete__(self, obj): show('D delete')"
        if self.chance(0.4):
            code += "\n    def __set_name__(self, owner, name): show('D name', name)"
        return f"{code}\n{r.choice('pqw')} = D()"

    def member_subclass_hook(self) -> str:
        """A hook that classes run when they are subclassed or subscripted."""
        return self.rng.choice(("def __init_subclass__(cls, tag=None, **extra):\n    show('subclass', cls, tag)\n    super().__init_subclass__(**extra)", "def __class_getitem__(cls, item): return (cls, item)",
                                "def __new__(cls, *args):\n    show('new', cls, len(args))\n    return super().__new__(cls)", "def __new__(cls, *args): return super().__new__(cls, *args[:1])", "def __new__(cls, *args): return 5"))

    def member_await_(self) -> str:
        """An awaitable or an asynchronous iterator."""
        return self.rng.choice(("def __await__(self):\n    x = yield 'await'\n    return ('awaited', x)", "def __aiter__(self): return AsyncItems([1, 2])", "def __await__(self): return iter([])"))

    def member_nested(self) -> str:
        """A loop, a comprehension or a lambda in the class body."""
        return self.rng.choice(("r = [p for p in range(3)]", "for w in range(3):\n    r = w", "q = lambda self, v=1: (self.p, v)", "if i > 0:\n    p = 'positive'\nelse:\n    q = 'negative'", "global y\ny = 'from body'", "del i", "p: int = 5\nq: 'text'", "i = i\nw = i"))

    # ---- uses ------------------------------------------------------------------------------------------
    def use_class(self) -> str:
        """Return guarded uses of an instance and its class."""
        lines = []
        for _ in range(self.rng.randint(2, 7)):
            lines.append(f"try: {self.one_use()}\nexcept Exception as err: show('!', err)")
        return "\n".join(lines)

    def one_use(self) -> str:
        """Return a simple statement that uses an instance or a class."""
        r = self.rng
        if not self.instances:
            return "show(x)"
        o, c, v = r.choice(self.instances), r.choice(self.classes), self.any(1)
        name, op = r.choice("pqrw"), SYMBOLS[r.choice((*BINARY, *COMPARE))]
        return r.choice((
            lambda: f"show({o}.{name})", lambda: f"{o}.{name} = {v}", lambda: f"del {o}.{name}", lambda: f"show({o}.m({self.call_arguments()}))", lambda: f"show({o}.h())", lambda: f"show({o} {op} {v})",
            lambda: f"show({v} {op} {o})", lambda: f"show({o} {op} {r.choice(self.instances)})", lambda: f"x = {o}; x {r.choice(('+=', '-=', '*=', '|='))} {v}; show(x)", lambda: f"show(len({o}))", lambda: f"show({o}[{v}])",
            lambda: f"{o}[{v}] = 1", lambda: f"del {o}[{v}]", lambda: f"show(list(take({o})))", lambda: f"show({v} in {o})", lambda: f"show({o}({self.call_arguments()}))", lambda: f"show(bool({o}))",
            lambda: f"show({r.choice(('str', 'repr', 'int', 'float', 'abs', 'list', 'tuple', 'sorted', 'iter', 'round', 'complex', 'bytes', 'next', 'len', 'listed'))}({o})) if hasattr(type({o}), '__repr__') and type({o}).__repr__ is not object.__repr__ else show(isinstance({o}, {c}))",
            lambda: f"show(format({o}, {r.choice((repr(''), repr('x'), repr('>5')))}) if type({o}).__format__ is not object.__format__ else 1)", lambda: f"show({c}.{name})", lambda: f"show({c}.m({v}))", lambda: f"show({c}({self.call_arguments()}))",
            lambda: f"show(isinstance({o}, {c}), issubclass(type({o}), {c}))", lambda: f"show([b.__name__ for b in {c}.__mro__])", lambda: f"show(getattr({o}, {r.choice(('p', 'zz', 'm')) !r}, 'none') is None)", lambda: f"show(hasattr({o}, {name!r}))",
            lambda: f"setattr({o}, {name!r}, {v})", lambda: f"{c}.{name} = {v}", lambda: f"del {c}.{name}", lambda: f"show({c}[{self.integer(0)}])", lambda: f"show({{{o}: 1}}[{o}])", lambda: f"show(vars({o}))", lambda: f"show(-{o})", lambda: f"show(~{o})",
            lambda: f"show([0, 1, 2, 3][{o}])", lambda: f"show(divmod({o}, 2))", lambda: f"show({o}.m is {o}.m, {o}.m == {o}.m)", lambda: f"f = {o}.m; show(f({v}))", lambda: f"show(sorted([{o}, {o}, {v}]) is None)", lambda: f"raise {o}",
            lambda: f"show(f'{{{o}.p}}|{{{o}.q!r:>10.20}}' if isinstance({o}.p, (int, str)) else 0)", lambda: f"a, *b = {o}; show(a, b)", lambda: f"show(super({c}, {o}).m())", lambda: f"show([*{o}], 1) if tick() else 0", lambda: f"show(dict(**{o}))",
            lambda: f"{c}.m = lambda self, v=0: ('patched', v)", lambda: f"show({c}.__name__, {c}.__qualname__, {c}.__module__)", lambda: f"show(sorted(n for n in {c}.__dict__ if n[:2] != '__'))", lambda: f"{o}.__class__ = {c}", lambda: f"show({c}.__dict__.get('__annotations__'))",
            lambda: f"show(max({o}, {v}))", lambda: f"show({o} is {o}, {o} == {o}, {o} != {o}, hash({o}) == hash({o}))", lambda: f"show(type({o}) is {c}, {o}.__class__)", lambda: f"show(callable({o}), callable({c}))"))()
