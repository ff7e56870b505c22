"""Blocks of seeded random programs about the library's core and the types of the language; a part of `WideParts`."""

from __future__ import annotations

LARGE = ("10**40", "-10**25", "2**200 + 1", "(2**127 - 1)", "-2**64", "3**80", "(1 << 333)", "12345678901234567890123", "10**18", "2**63", "2**53 + 1")
WORDS = ("'hello world'", "'a,b,,c'", "' pad '", "'ABCabc'", "'éßİ'", "'12.5'", "''", "'x' * 5", "'tab\\tnew\\nline'", "'ab' 'cd'", "s", "t")

REPLACEMENTS = ("'-'", r"r'<\g<0>>'", "lambda g: g.group().upper()", r"r'\2'")

DOCUMENTS = ('[1, 2.5, null]', '{', '{"a": [true]}', '1e5', '"x\\u00e9"', '[1,]', 'NaN', '')


class LibraryParts:
    """Makes blocks; it needs the expressions of `Parts` and `uses` of `WideParts`."""

    # ---- classes of the library ---------------------------------------------------------------------------
    def make_data_class(self) -> str:
        """A data class with options, and one that inherits from it."""
        r, name = self.rng, self.fresh("DC")
        options = ", ".join(f"{o}=True" for o in ("frozen", "order", "slots", "kw_only", "unsafe_hash") if r.random() < 0.25)
        if r.random() < 0.2:
            options += (", " if options else "") + r.choice(("eq=False", "repr=False", "init=False", "match_args=False"))
        fields = []
        for field in r.sample(("a", "b", "c", "d", "e"), r.randint(1, 4)):
            fields.append(field + r.choice((": int", f": int = {self.integer(0)}", ": list = field(default_factory=list)", ": str = field(default='d', repr=False)", ": int = field(default=1, compare=False)", ": ClassVar[int] = 5", ": InitVar[int] = 2",
                                            ": int = field(init=False, default=3)", ": 'text' = None", ": int = field(kw_only=True, default=4)", ": dict = field(default_factory=dict, hash=False)", ": list = []")))
        if r.random() < 0.6:
            fields.sort(key=lambda f: "=" in f)
        extra = r.choice(("", "", "\n    def __post_init__(self, *init): show('post', init)", "\n    def total(self): return (self.a, i)", "\n    def __eq__(self, o): return NotImplemented", "\n    _: KW_ONLY\n    z: int = 0", "\n    @property\n    def p(self): return 'p'"))
        code = f"class {name}:\n    " + "\n    ".join(fields) + extra
        decorated = f"@dataclass({options})\n{code}" if options or r.random() < 0.5 else f"@dataclass\n{code}"
        second = f"@dataclass{r.choice(('', '(frozen=True)', '(order=True)'))}\nclass {name}S({name}):\n    a: int = 7\n    y: list = field(default_factory=lambda: [1])"
        arguments = lambda: r.choice(("", "1", "1, 2", "1, 2, 3", "a=1", "a=1, b=2", f"{self.any(0)}, b=[1]", "e=5, d=4", "1, 2, 3, 4", "a=1, b=2, c=3, d=4, e=5"))  # noqa: E731
        made = f"d1 = {name}({arguments()})"
        return (f"from dataclasses import *\nfrom typing import ClassVar\ntry:\n{self.indented(decorated)}\n    {made}\nexcept Exception as err:\n    show('!', err)\n    @dataclass\n    class {name}:\n        a: int = 1\n        b: list = field(default_factory=list)\n    d1 = {name}()\n"
                + f"try:\n{self.indented(second)}\n    d2 = {name}S()\nexcept Exception as err:\n    show('!', err)\n    d2 = d1\n"
                + self.uses(["show(repr(d1), repr(d2))", f"show({name}({arguments()}) == d1, d1 == d2, d1 != d1)", "show(d1 < d2, d1 <= d1)", "show(asdict(d1), astuple(d2))", f"show(repr(replace(d1, a={self.integer(0)})))", f"show([(f.name, str(f.type), f.init, f.repr, f.default is MISSING) for f in fields({name}) if f])",
                             "show(hash(d1) == hash(d1))", f"d1.a = {self.any(0)}; show(repr(d1))", "del d1.a; show(repr(d1))", "d1.new = 1", f"show({name}.__match_args__)", f"match d1:\n    case {name}(a=1): show('a1')\n    case {name}(x, y): show(x, y)\n    case {name}(): show('other')", "show(is_dataclass(d1), is_dataclass(int))",
                             f"show(repr({name}S({arguments()})))", f"show(sorted({name}.__annotations__))", f"show(sorted([{name}(), {name}()]) == [])", "show(d1.total())", f"show(repr(make_dataclass('MD', ['x', ('y', int, 5)])({self.integer(0)})))", f"show({name}.b)", "show(sorted(vars(d1)))",
                             "import copy; show(repr(copy.copy(d1)), copy.deepcopy(d2) == d2)", f"show({name}.__doc__)", f"show(getattr({name}, '__slots__', None))"], 4, 9))

    def make_enumeration(self) -> str:
        """An enumeration of one of the kinds."""
        r, name = self.rng, self.fresh("En")
        base = r.choice(("Enum", "Enum", "IntEnum", "Flag", "IntFlag", "str, Enum", "StrEnum", "int, Enum", "float, Enum", "tuple, Enum"))
        value = (lambda: r.choice(("auto()", "1", "2", "4", "8", "3", "1 | 2"))) if "lag" in base else (lambda: r.choice(("'a'", "'bc'", "auto()"))) if "tr" in base else (
            lambda: r.choice(("(1, 2)", "(3,)"))) if "tuple" in base else lambda: r.choice(("auto()", "1", "2", "3", "5", "-1") + (("'a'", "(1, 2)", "None", "1.5") if base == "Enum" else ()))
        members = [f"{member} = {value()}" for member in ("RED", "BLUE", "GREEN", "ALIAS")[:r.randint(1, 4)]]
        extra = r.choice(("", "", "\n    def m(self): return (self.name, self.value)", "\n    @property\n    def p(self): return self.name.lower()", "\n    def __str__(self): return 'str ' + self.name", "\n    @classmethod\n    def _missing_(cls, v): return cls.RED if v == 99 else None",
                          "\n    def _generate_next_value_(name, start, count, last): return name.lower()", "\n    _ignore_ = ['q']\n    q = 5", "\n    def __init__(self, *v): self.extra = v", "\n    x = property(lambda self: 3)"))
        if "_generate" in extra:
            code = f"class {name}({base}):{extra}\n    " + "\n    ".join(members)
        else:
            code = f"class {name}({base}):\n    " + "\n    ".join(members) + extra
        unique = r.choice(("", "", "@unique\n"))
        return (f"from enum import *\ntry:\n{self.indented(unique + code)}\nexcept Exception as err:\n    show('!', err)\n    class {name}(Enum):\n        RED = 1\n        BLUE = 2\n"
                + self.uses([f"show([(v.name, v.value) for v in {name}])", f"show(repr({name}.RED), str({name}.RED), f'{{{name}.RED}}')", f"show({name}({r.choice(('1', '2', '3', '7', '99', repr('a'), repr('red'), '-1', '0', '(3,)'))}).name)", f"show({name}[{r.choice(('RED', 'BLUE', 'ZZ'))!r}].value)",
                             f"show({name}.RED is {name}.ALIAS, {name}.RED == {name}.BLUE)", f"show({name}.RED == 1, {name}.RED in {name}, len({name}))", f"show({name}.RED < {name}.BLUE)", f"show(list({name}.__members__))", f"{name}.RED = 5", f"{name}.NEW = 5; show({name}.NEW)", f"del {name}.RED",
                             f"class Sub({name}): pass", f"show({name}.RED | {name}.BLUE, repr({name}.RED | {name}.BLUE))", f"show(~{name}.RED)", f"show(repr({name}.RED & {name}.BLUE), bool({name}.RED))", f"show({name}.RED ^ 1)", f"show({name}.RED + 1)", f"show({name}.RED.m())", f"show({name}.RED.p)", f"show({name}.RED.extra)",
                             f"match {name}.RED:\n    case {name}.BLUE: show('blue')\n    case {name}.RED: show('red')", f"show({{v: v.name for v in {name}}} == {{}})", f"show(isinstance({name}.RED, int), type({name}.RED).__name__)", f"show(hash({name}.RED) == hash({name}.RED))", f"show('%s %r' % ({name}.RED, {name}.RED))",
                             "show(repr(Enum('Fn', 'A B', start=3).B), [v.value for v in IntEnum('G', ['X', 'Y'])])", f"show(sorted({name}, key=lambda v: v.name)[0].name)", f"import copy; show(copy.deepcopy({name}.RED) is {name}.RED)", f"show({name}.__name__, {name}.RED.__class__.__name__, repr({name}))", f"show([v.name for v in reversed({name})])",
                             f"show({name}.RED.RED)", f"show(format({name}.RED, '>10'))", f"show(list({name}.RED))", f"show(dir({name}.RED)[-2:])"], 4, 10))

    def make_named_tuple(self) -> str:
        """A named tuple, a typed one, and a simple namespace."""
        r, name = self.rng, self.fresh("NT")
        code = r.choice((f"{name} = namedtuple({name!r}, {r.choice((repr('a b'), repr(['a', 'b']), repr('a, b, c') + ', defaults=(1, 2)', repr('a def a _x') + ', rename=True', repr('a a'), repr('a if')))})",
                         f"class {name}(NamedTuple):\n    a: int\n    b: list = {self.any(0)}\n    def m(self): return self.a", f"class {name}(namedtuple('Base', 'a b')):\n    __slots__ = ()\n    def __new__(cls, a=1, b=2): return super().__new__(cls, a, b)\n    @property\n    def p(self): return self.b"))
        return (f"from collections import namedtuple\nfrom typing import NamedTuple\nfrom types import SimpleNamespace\ntry:\n{self.indented(code)}\nexcept Exception as err:\n    show('!', err)\n    {name} = namedtuple({name!r}, 'a b')\n" + f"n1 = None\ntry: n1 = {name}(1, 2)\nexcept Exception as err: show('!', err)\n"
                + self.uses([f"show({name}({r.choice(('1', '1, 2', 'a=1, b=2', '1, 2, 3', 'b=1', '*[1, 2]'))}))", "show(repr(n1), n1.a, n1[1], n1[-1:])", "show(n1._asdict(), n1._fields)", f"show(repr(n1._replace(a={self.any(0)})))", "show(n1 == (1, 2), n1 < (1, 3), hash(n1) == hash((1, 2)))", "a, b = n1; show(a, b)", "n1.a = 5",
                             f"show({name}._make([3, 4]), {name}._field_defaults)", "show(n1.m())", "show(n1.p)", f"match n1:\n    case {name}(a, b): show(a, b)\n    case _: show('no')", "show(n1 + (3,), n1 * 2, len(n1), n1.count(1), n1.index(2))", f"ns = SimpleNamespace(a=1, b={self.any(0)}); ns.c = 2; show(repr(ns.a), vars(ns)); del ns.a; ns.a",
                             "show(SimpleNamespace(a=1) == SimpleNamespace(a=1), repr(SimpleNamespace(z=1, y='b')))", f"show(sorted([{name}(2, 1), {name}(1, 2)])[0])"], 4, 8))

    def make_slots(self) -> str:
        """Classes with slots, layouts that conflict, and weak references to instances."""
        r, name = self.rng, self.fresh("Sl")
        return (f"class {name}:\n    __slots__ = {r.choice((repr(('a', 'b')), repr(['a', '__dict__']), repr('a'), repr({'a': 'doc'}), '()', repr(('a', '__weakref__')), repr(('__a', 'b')), 'iter([' + repr('a') + ', ' + repr('b') + '])'))}\n    def __init__(self, v=1): self.a = v\n"
                f"class {name}S({name}):\n    {r.choice(('pass', '__slots__ = ()', '__slots__ = (' + repr('c') + ',)', '__slots__ = (' + repr('a') + ',)', 'a = 5'))}\ndef mk(c):\n    try: return c()\n    except Exception as e: show('!', e); return object()\no1, o2 = mk({name}), mk({name}S)\n"
                + self.uses(["show(o1.a, o2.a)", "o1.b = 1; show(o1.b)", "o1.zz = 1", "o2.zz = 1; show(o2.zz, vars(o2))", "del o1.a; show(o1.a)", "del o1.a; del o1.a", f"show({name}.a.__get__(o1), type({name}.a).__name__)", f"show({name}.__slots__ if not hasattr({name}.__slots__, '__next__') else 0)", "import weakref; show(weakref.ref(o1)() is o1)",
                             f"{name}.a = 3; show(o1.a)", f"class X({name}, {name}S): pass", f"class X({name}S, {name}): pass\nshow(X().a)", f"class Y:\n    __slots__ = 'q'\nclass Z({name}, Y): pass", "show(hasattr(o1, '__dict__'), hasattr(o2, '__dict__'))", "class W:\n    __slots__ = ('a',)\n    a = 1", "class W(int):\n    __slots__ = ('a',)",
                             "class W:\n    __slots__ = (1,)", "class W:\n    __slots__ = ('a b',)", f"o1.__class__ = {name}S; show(type(o1).__name__)", "import copy; show(copy.copy(o1).a)", "show(sorted(n for n in dir(o1) if n[0] != '_'))"], 4, 9))

    def make_descriptors(self) -> str:
        """Descriptors of every kind, cached properties, properties by hand."""
        r, name = self.rng, self.fresh("Ds")
        parts = ["def __get__(self, o, t=None):\n        if o is None: return self\n        show('get', self.n)\n        return o.__dict__.get(self.n, 'default')"]
        parts += [p for p in ("def __set__(self, o, v):\n        show('set', v)\n        o.__dict__[self.n] = v", "def __delete__(self, o): show('del'); del o.__dict__[self.n]", "def __set_name__(self, t, n): self.n = n; show('name', t, n)", "def __call__(self, *a): return ('called', a)") if r.random() < 0.6]
        return (f"import functools\nclass {name}:\n    n = 'n'\n    " + "\n    ".join(parts) + f"\nclass {name}C:\n    a = {name}()\n    b = c = {name}()\n    @functools.cached_property\n    def cp(self):\n        show('cp')\n        return {self.any(0)}\n    def get_h(self): return 'h'\n    def set_h(self, v): show('h', v)\n    h = property(get_h, set_h, None, 'doc')\n"
                f"    m = functools.partialmethod(lambda self, v, w: (v, w), 5)\n    @staticmethod\n    def st(*a): return a\n    @classmethod\n    def cl(cls, *a): return (cls, a)\n    @classmethod\n    @property\n    def cp2(cls): return cls.__name__\n    lam = lambda self: 'lam'\n    bound = len\n    cls_call = str\nclass {name}S({name}C):\n    @property\n    def a(self): return super().a\n    @{name}C.h.getter\n    def h(self): return 'sub h'\no1, o2 = {name}C(), {name}S()\n"
                + self.uses(["show(o1.a)", f"o1.a = {self.any(0)}; show(o1.a)", "del o1.a; show(o1.a)", "o1.__dict__['a'] = 'own'; show(o1.a)", "show(o1.cp, o1.cp); del o1.cp; show(o1.cp)", "show(o1.h); o1.h = 1; del o1.h", "show(o2.a, o2.h)", "o2.a = 5", "o2.h = 5", "show(o1.m(6), o1.m(w=7))", "show(o1.st(1), o1.cl(2), o2.cl())", "show(o1.cp2)", "show(o1.lam(), o1.bound([1]), o1.cls_call(5))",
                             f"show({name}C.a is {name}C.__dict__['a'], {name}C.h.__doc__, {name}C.h.fdel)", f"{name}C.a = 1; show(o1.a)", "show(o1.b, o1.c); o1.b = 1; show(o1.c)", f"{name}C.new = {name}(); show(o1.new)", "show(o1.st is o1.st, o1.cl == o1.cl)", f"show({name}C.cl.__self__ is {name}C, {name}C.lam.__qualname__)", f"show(super({name}S, o2).a)", "show(o1.a())",
                             "show(property(lambda s: 1).__get__(5), property().__get__)if 0 else show(property(lambda s: 1).__get__(5))", "show(len.__get__(5) is len) if 0 else show((lambda s: s).__get__(5)())", "class P(property): pass\nclass Q:\n    x = P(lambda s: 3)\nshow(Q().x); Q().x = 1"], 4, 10))

    def make_decorators(self) -> str:
        """Decorators with arguments, stacked, as classes, of the library."""
        r, name = self.rng, self.fresh("dec")
        stack = "\n".join("@" + r.choice(("twice", "add(2)", "Count", "logged", "logged", "functools.lru_cache", "functools.lru_cache(maxsize=2)", "functools.cache", "(lambda f: f)", "keep[0]", "functools.partial(wrap, 'p')", "x if False else logged")) for _ in range(r.randint(1, 3)))
        return (f"import functools\ndef twice(f): return lambda *a, **d: (f(*a, **d), f(*a, **d))\ndef logged(f):\n    @functools.wraps(f)\n    def wrapper(*a, **d):\n        show('log', f.__name__, a)\n        return f(*a, **d)\n    return wrapper\ndef add(n):\n    def deco(f):\n        def inner(*a, **d): return (n, f(*a, **d))\n        return inner\n    return deco\n"
                f"class Count:\n    def __init__(self, f): self.f, self.n = f, 0\n    def __call__(self, *a, **d): self.n += 1; return (self.n, self.f(*a, **d))\n    def __get__(self, o, t=None): return functools.partial(self, o)\ndef wrap(tag, f): return lambda *a, **d: (tag, f(*a, **d))\nkeep = [logged]\n"
                f"try:\n{self.indented(stack)}\n    def {name}(a=1, *b, c=2): return (a, b, c)\nexcept Exception as err:\n    show('!', err)\n    def {name}(*a): return a\n"
                + self.uses([f"show({name}({self.call_arguments()}))", f"show({name}(1), {name}(1))", f"show(getattr({name}, '__name__', None), getattr({name}, '__wrapped__', None) is None)", f"show({name}.cache_info()[:3])", "class K1:\n    @Count\n    def m(self, v): return v\n    @logged\n    @staticmethod\n    def s(v): return v\n    @classmethod\n    @logged\n    def c(cls, v): return v\nshow(K1().m(1), K1().m(2)); show(K1.c(3)); show(K1.s(4))",
                             f"@functools.singledispatch\ndef sd(v): return 'any'\n@sd.register\ndef _(v: int): return 'int'\n@sd.register(list)\ndef _(v): return 'list'\n@sd.register(type(None))\ndef _(v): return 'none'\nshow(sd({self.any(0)}), sd([]), sd(True), sd(None), sd('x'))",
                             f"@functools.total_ordering\nclass TO:\n    def __init__(self, v): self.v = v\n    def __eq__(self, o): return self.v == o.v\n    def __lt__(self, o): return self.v < o.v\nshow(TO(1) <= TO({self.integer(0)}), TO(1) >= TO(1), TO(1) > TO(0), sorted([TO(2), TO(1)])[0].v)",
                             f"show(functools.reduce(lambda a, b: small(a * 2 + b), {self.list(0)}, {self.integer(0)}))", f"p = functools.partial({name}, 1, c=3); show(p(), p(2), p.args, p.keywords)", f"def cd(cls):\n    cls.extra = {self.any(0)}\n    return cls\n@cd\nclass K2: pass\nshow(K2.extra)",
                             "@functools.lru_cache(None)\ndef fib(v): return v if v < 2 else fib(v - 1) + fib(v - 2)\nshow(fib(30), fib.cache_info()); fib.cache_clear(); show(fib.cache_info()); show(fib([]))", "show(sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a)))"], 3, 7))

    # ---- texts and numbers ----------------------------------------------------------------------------------
    def format_spec(self) -> str:
        """Return a format specification, mostly valid."""
        r = self.rng
        return (r.choice(("", "", "*", "é", "0", "<")) * (r.random() < 0.6) + r.choice(("", "<", ">", "^", "=")) + r.choice(("", "", "+", "-", " ")) + r.choice(("", "", "#")) + r.choice(("", "", "0")) + r.choice(("", str(r.randint(1, 14)), "8"))
                + r.choice(("", "", ",", "_")) + r.choice(("", "", f".{r.randint(0, 9)}")) + r.choice(("", "d", "x", "b", "o", "X", "c", "n", "f", "e", "g", "G", "%", "s", "r", "F", "E")))

    def make_formatting(self) -> str:
        """Formatting in all its forms."""
        r = self.rng
        value = lambda: r.choice((self.integer(0), self.float(0), self.text(0), r.choice(LARGE), self.any(0), "-3", "1234567.891", "True", "None", "1e300", "0.1", "255", "1j"))  # noqa: E731
        percent = lambda: "%" + r.choice(("", "", "-", "0", "+", " ", "#")) + r.choice(("", str(r.randint(1, 12)), "*")) + r.choice(("", "", f".{r.randint(0, 8)}", ".*")) + r.choice("dixXofeEgGcrsa%ZF")  # noqa: E731
        field = lambda: "{" + r.choice(("", "", "0", "1", "a", "a.real", "a[0]", "0[1]", "0.imag", "b.zz", "2", "9", "-1", "a[k]")) + r.choice(("", "", "!r", "!s", "!a", "!z")) + r.choice(("", ":" + self.format_spec(), ":{}", ":{1}", ":{a}")) + "}"  # noqa: E731
        quoted = lambda text: text.replace("\\", "").replace("'", "")  # noqa: E731
        return self.uses([lambda: f"show(format({value()}, {self.format_spec()!r}))", lambda: f"show(format({value()}, {self.format_spec()!r}))", lambda: f"show({(percent() + '|' + percent())!r} % ({value()}, {value()}))", lambda: f"show({percent()!r} % {value()})", lambda: f"show({percent()!r} % ({r.randint(0, 9)}, {value()}))",
                          lambda: f"show({(field() + field() + '{{}}')!r}.format({value()}, {value()}, a={value()}, b=k))", lambda: f"show(f'{{i:{quoted(self.format_spec())}}}|{{u:{quoted(self.format_spec())}}}|{{s!r:{quoted(self.format_spec())}}}')", lambda: f"w, p = {r.randint(0, 12)}, {r.randint(0, 6)}; show(f'{{u:{{w}}.{{p}}f}}|{{i:>{{w}}}}|{{s:*^{{w}}}}')",
                          "show(f'{i=}|{u = :.2f}|{s=!s}|{l[0]=}')", lambda: "show(f'{{}}{i}{ {1: 2}[1] }{(lambda v: v)(3)}{s if i else t}')", lambda: f"show('%(a)s %(b)05d' % {{'a': {value()}, 'b': {value()}}})", lambda: f"show('{{0:{{1}}}}'.format({value()}, {self.format_spec()!r}))", lambda: f"show('{{a}}'.format_map({{'a': {value()}}}))",
                          lambda: f"show(str({value()}), repr({value()}), ascii({value()}))", lambda: f"show(round({value()}, {r.randint(-3, 5)}))", lambda: f"show(f'{{{c}:,}}')" if "'" not in (c := self.integer(1)) else f"show(str({c}))", lambda: f"show(bin({self.integer(0)}), oct({self.integer(0)}), hex({self.integer(0)}))",
                          lambda: f"show(b'%d %s %r' % ({value()}, b'x', {value()}))", "show(f'{1}' '{2}' f'{3}', rf'{i}\\n', f\"{s!r}\" + f'''{t}''')", lambda: f"from string import Template; show(Template('$a ${{b}} $$ $c').safe_substitute(a={value()}, b=1))"], 5, 12)

    def make_big_integers(self) -> str:
        """Arithmetic on big integers."""
        r = self.rng
        a = lambda: r.choice((*LARGE, self.integer(0), self.integer(1)))  # noqa: E731
        return "import math\n" + self.uses([lambda: f"show(({a()} {r.choice(('+', '-', '*', '//', '%', '&', '|', '^'))} {a()}))", lambda: f"show(divmod({a()}, {a()}))", lambda: f"show(pow({a()}, {r.randint(0, 12)}, {a()}))", lambda: f"show(pow({a()}, -1, {a()}))", lambda: f"show({a()} >> {r.randint(0, 130)}, {a()} << {r.randint(0, 90)})", lambda: f"show(({a()}).bit_length(), ({a()}).bit_count())",
                                           lambda: f"show(({a()}).to_bytes({r.randint(1, 30)}, {r.choice(('big', 'little'))!r}, signed={r.random() < 0.6}))", lambda: f"show(int.from_bytes(b'\\xff\\x01\\x80' * {r.randint(0, 9)}, 'little', signed={r.random() < 0.5}))", lambda: f"show(len(str({a()})), str({a()})[:9])", lambda: f"show(int(str({a()})) , int('ff' * {r.randint(1, 20)}, 16))", lambda: f"show(math.gcd({a()}, {a()}), math.isqrt(abs({a()})))",
                                           lambda: f"show({a()} / {a()})", lambda: f"show(float({a()}), {a()} + 0.5)", lambda: f"show({a()} {r.choice(('<', '==', '>=', '!='))} {r.choice((a(), self.float(0)))})", lambda: f"show(hash({a()}) == hash(float({a()})), ~{a()}, -{a()}, abs({a()}))", lambda: f"show(int({r.choice(('0x1f', '1_000', ' 7 ', '1__0', '0b11', 'z', '', '-0', '+5', '٣'))!r}, {r.choice((0, 10, 16, 36, 37, 2))}))",
                                           lambda: f"x = {a()}\nfor q in range({r.randint(1, 6)}): x = x * x % {a()} + q\nshow(x)", lambda: f"x = {r.randint(1, 9)}\nfor q in range({r.randint(10, 80)}): x *= {r.choice(('3', '-2', '10', 'q + 1'))}\nshow(x, x % 1000007)", lambda: f"show(round({a()}, {r.randint(-30, 2)}))", lambda: f"show(math.factorial({r.randint(0, 30)}), math.comb({r.randint(0, 60)}, {r.randint(0, 9)}))",
                                           lambda: f"show([v * 2**62 for v in range(-3, 4)], sum([2**62] * {r.randint(1, 5)}))", lambda: f"i = 2**63 - {r.randint(0, 3)}\nwhile tick() and i < 2**63 + 2: i += 1\nshow(i); i -= 2**63; show(i)", lambda: f"show(({a()}).as_integer_ratio(), (2.5).as_integer_ratio())"], 5, 10)

    def make_numbers(self) -> str:
        """Floats, complex numbers, and the modules of numbers."""
        r = self.rng
        f = lambda: r.choice((self.float(0), self.float(1), "0.1", "1e308", "-5e-324", "nan", "inf", "-inf", "1/3", "2.675", "1e22", "123456789.125"))  # noqa: E731
        return "import math, cmath, statistics\nfrom fractions import Fraction\nfrom decimal import Decimal\nnan, inf = math.nan, math.inf\n" + self.uses([lambda: f"show({f()} {r.choice(('+', '-', '*', '/', '//', '%', '**'))} {f()})", lambda: f"show(divmod({f()}, {f()}))", lambda: f"show(round({f()}, {r.randint(-2, 4)}), round({f()}))", lambda: f"show(math.{r.choice(('floor', 'ceil', 'trunc', 'sqrt', 'exp', 'log', 'sin', 'atan', 'isnan', 'frexp', 'modf', 'degrees', 'fabs', 'log2', 'gamma'))}({f()}))",
                                                                    lambda: f"show(float({f()}).hex(), ({f()}).is_integer())", lambda: f"show(complex({f()}, {f()}) {r.choice('+-*/')} {r.choice(('1j', '(2-1j)', '3', '0'))})", lambda: f"show(abs({f()} + 1j), (1+2j) ** {r.randint(-2, 3)})", lambda: f"show({f()} {r.choice(('<', '<=', '==', '!='))} {r.choice((f(), self.integer(0)))})", lambda: f"show(sorted([{f()}, {f()}, 1, {self.integer(0)}]))", lambda: f"show(min({f()}, {f()}), max({f()}, nan), [nan] == [nan], nan in [nan])",
                                                                    lambda: f"show(str(Fraction({r.randint(-9, 9)}, {r.randint(0, 9)}) {r.choice('+-*/')} Fraction({r.randint(1, 9)}, 7)))", lambda: f"show(str(Decimal('{r.randint(-99, 99)}.{r.randint(0, 99)}') {r.choice('+-*/%')} Decimal('{r.randint(-3, 9)}.5')))", lambda: f"show(int({f()}))", lambda: f"show(float({r.choice(('1e5', ' nan', '1_0', 'inf', 'x', '', '-0', '0x1'))!r}))", lambda: f"show(math.fsum([0.1] * {r.randint(1, 10)}), sum([0.1] * {r.randint(1, 10)}))", lambda: f"show(str(statistics.mean([1, 2, {self.integer(0)}])))",
                                                                    lambda: f"show({f()} if {f()} else 'falsy', not {f()}, bool(-0.0))", lambda: f"show(math.hypot({f()}, 3), math.copysign(1, {f()}), math.isclose({f()}, {f()}))", lambda: f"show(math.prod([{f()}, {self.integer(0)}]), math.dist([1, 2], [3, {f()}]))", lambda: f"show(repr({f()}), '%.3g' % {f()}, f'{{{f()}:.3e}}')", lambda: f"u = {f()}\nfor q in range(5): u = u * 1.5 - q\nshow(u)"], 5, 10)

    def make_texts(self) -> str:
        """Methods of strings."""
        r = self.rng
        s = lambda: r.choice((r.choice(WORDS), self.text(1), self.text(0)))  # noqa: E731
        n = lambda: r.choice((str(r.randint(-4, 12)), "i"))  # noqa: E731
        return self.uses([lambda: f"show(({s()}).{r.choice(('upper', 'lower', 'title', 'capitalize', 'swapcase', 'casefold', 'strip', 'lstrip', 'rstrip', 'split', 'rsplit', 'splitlines', 'isalpha', 'isdigit', 'isspace', 'isidentifier', 'istitle', 'isascii', 'encode', 'isprintable', 'expandtabs', 'islower'))}())",
                          lambda: f"show(({s()}).{r.choice(('split', 'rsplit', 'partition', 'rpartition', 'find', 'index', 'count', 'startswith', 'endswith', 'strip', 'removeprefix', 'removesuffix', 'join', 'rfind', '__contains__', '__add__', 'center'))}({s()}))", lambda: f"show(({s()}).{r.choice(('center', 'ljust', 'rjust', 'zfill', 'expandtabs'))}({n()}))", lambda: f"show(({s()}).replace({s()}, {s()}, {n()}))",
                          lambda: f"show(({s()}).split({r.choice(('None', repr(','), repr(' '), repr('')))}, {n()}))", lambda: f"show(({s()}).find({s()}, {n()}, {n()}))", lambda: f"show(({s()}).startswith(({s()}, 'h'), {n()}))", lambda: f"show(({s()}).translate(str.maketrans('abc', 'xyz', 'l')))", lambda: f"show({s()} * ({n()} % 5) + {s()})", lambda: f"show({s()} {r.choice(('<', '==', 'in', '>=', 'not in', 'is not'))} {s()})",
                          lambda: f"show([*{s()}][:5], {{*{s()}}}, sorted({s()})[:3])", lambda: f"show(({s()})[{n()}])", lambda: f"show(({s()}).encode({r.choice(('utf-8', 'ascii', 'latin-1', 'utf-16-le', 'zz'))!r}, {r.choice(('strict', 'ignore', 'replace', 'backslashreplace'))!r}))", lambda: f"show(', '.join(map(str, {self.list(0)})), '-'.join([{self.any(0)}]))", lambda: f"show(chr({self.integer(0)} % 1200), [ord(c) for c in {s()}][:4])",
                          lambda: f"import textwrap; show(textwrap.fill({s()}, {r.randint(1, 9)}), textwrap.dedent('  a\\n  b'))", lambda: f"x = ''\nfor c in {s()}: x = c + x if c != 'a' else x + c\nshow(x)", lambda: f"s = {s()}\ns += {s()}; s *= 2; t = s[:7]\nshow(s, t, s is s[:], hash(s) == hash(s + ''))"], 5, 12)

    def make_byte_strings(self) -> str:
        """Bytes, arrays of bytes, and views of them."""
        r = self.rng
        b = lambda: r.choice(("b'abc'", "b''", "bytes(range(5))", "bytearray(b'xyz')", "b'\\xff\\x00a'", "bytes([65, 66])", "bytearray(3)", "s.encode()", "memoryview(b'abcd')[1:]"))  # noqa: E731
        n = lambda: r.choice((str(r.randint(-4, 6)), "i"))  # noqa: E731
        return self.uses([lambda: f"show(bytes({b()} + {b()}), {b()} == {b()})", lambda: f"show({b()}[{n()}], bytes({b()}[{self.slice_text()}]))", lambda: f"y = bytearray({b()}); y.{r.choice(('append(65)', 'append(256)', 'extend(b' + repr('q') + ')', 'pop()', 'insert(1, 7)', 'reverse()', 'remove(97)', 'clear()'))}; show(bytes(y))", lambda: f"y = bytearray(b'abcdef'); y[{self.slice_text()}] = {b()}; show(bytes(y))",
                          lambda: f"y = bytearray(b'abcdef'); del y[{self.slice_text()}]; show(bytes(y))", lambda: f"show({b()}.{r.choice(('hex', 'upper', 'decode', 'split', 'strip', 'isalpha', 'title'))}())", lambda: f"show({b()}.{r.choice(('find', 'count', 'split', 'startswith', 'join', 'replace', 'index'))}({b()}))", lambda: f"show(list({b()}), sum({b()}), 97 in {b()}, b'b' in {b()})", lambda: f"show(bytes({r.choice((self.list(0), '5', repr('a'), '-1', '[256]', 'None', '2.5'))}))",
                          lambda: f"show(bytes.fromhex({r.choice(('ff 00', 'f', 'zz', '4142'))!r}), b'%x' % {self.integer(0)})", lambda: f"m1 = memoryview(bytearray(b'abcd')); m1[{n()}] = {self.integer(0)} % 256; show(m1.tobytes(), len(m1), m1.tolist(), m1.readonly)", lambda: "y = bytearray(b'ab'); m1 = memoryview(y); y.append(1)", lambda: f"import struct; show(struct.pack({r.choice(('<i', '>hB', '4s', 'd', 'Q'))!r}, *[{self.integer(0)}][:1]))",
                          lambda: f"import array; y = array.array({r.choice('bBhild')!r}, [1, 2]); y.append({self.integer(0)}); show(y.tolist(), repr(y))", lambda: "import base64, binascii, zlib; show(base64.b64encode(b'abc'), binascii.crc32(b'x'), zlib.decompress(zlib.compress(b'q' * 9)))"], 4, 9)

    def make_patterns_of_text(self) -> str:
        """Regular expressions and JSON."""
        r = self.rng
        p = lambda: r.choice((r"\w+", r"(a)(b)?", r"[a-c]+", r"(?P<n>\d+)", r"^.*$", r"a|b", r"(", r"\s*", r"(?i)A", r"(\w)\1", r"a{1,2}?", r"(?<=a)b", r"(?!x)", r"[^a]", r".", r"\bx"))  # noqa: E731
        t = lambda: r.choice((*WORDS, "'aabbcc 12 xyz'", "'a1b22'"))  # noqa: E731
        return "import re, json\n" + self.uses([lambda: f"show(re.findall({p()!r}, {t()}))", lambda: f"y = re.search({p()!r}, {t()}); show(y and y.group(), y and y.span(), y and y.groups())", lambda: f"show(re.sub({p()!r}, {r.choice(REPLACEMENTS)}, {t()}, {r.randint(0, 3)}))", lambda: f"show(re.split({p()!r}, {t()}))", lambda: f"show([y.start() for y in re.finditer({p()!r}, {t()})])", lambda: f"show(re.fullmatch({p()!r}, {t()}) is None)",
                                                lambda: f"show(re.match({p()!r}, {t()}, re.{r.choice('IMSX')}).groupdict())", lambda: f"show(re.escape({t()}))", lambda: f"show(json.dumps({self.any(1)}))", lambda: f"show(json.dumps({{'a': {self.list(0)}, 'b': {self.text(0)}, 'c': None}}, indent={r.choice(('None', '1'))}, sort_keys=True))", lambda: f"show(json.loads({r.choice(DOCUMENTS)!r}))",
                                                lambda: f"show(json.loads(json.dumps({{'a': {self.list(0)}}})) == {{'a': {self.list(0)}}})"], 4, 9)

    # ---- containers --------------------------------------------------------------------------------------
    def make_slices(self) -> str:
        """Slices of everything."""
        r = self.rng
        seq = lambda: r.choice(("l", "m", "s", "(1, 2, 3, 4)", "range(1, 20, 3)", "b'abcdef'", "'hello'", "list(range(7))", "[[1], 2]", "k", "i", "range(5, 0, -2)"))  # noqa: E731
        return ("class Sli:\n    def __getitem__(self, key): return key if not isinstance(key, slice) else (key.start, key.stop, key.step)\n    def __setitem__(self, key, v): show('set', text(key) if not isinstance(key, slice) else key.indices(5), v)\n    def __delitem__(self, key): show('del', type(key).__name__)\nsl = Sli()\n"
                + self.uses([lambda: f"x = {seq()}[{self.slice_text()}]; show(x if not isinstance(x, range) else [*x])", lambda: f"x = {seq()}[{self.slice_text()}][{self.slice_text()}]; show(x if not isinstance(x, range) else [*x])", lambda: f"y = list(range(8)); y[{self.slice_text()}] = {self.list(0)}; show(y)", lambda: f"y = list(range(8)); del y[{self.slice_text()}]; show(y)", lambda: f"y = [1, 2, 3]; y[{self.slice_text()}] = {self.any(0)}; show(y)",
                             lambda: f"y = [1, 2, 3]; y[{self.slice_text()}] += [9]; show(y)", lambda: f"show(sl[{self.slice_text()}], sl[1, 2:3] is None, sl[...])", lambda: f"sl[{self.slice_text()}] = {self.any(0)}; del sl[1:2, ::3]", lambda: f"show(slice({r.randint(-5, 5)}, {r.randint(-5, 9)}, {r.choice(('None', '2', '-1', '0'))}).indices({r.randint(0, 9)}))", lambda: f"show({seq()}[{self.integer(0)}:{self.integer(0)}] == {seq()})",
                             "show(slice(1, 2) == slice(1, 2), slice(1, 2) < slice(1, 3), repr(slice(None, 2, 'a')))", "hash(slice(1))", lambda: f"y = l[:]; y.insert({r.randint(-9, 9)}, 0); y.reverse(); show(y, y.index(0), y.count(0))", lambda: "y = l; y[:] = y + y; show(l is y, l); del l[4:]", lambda: f"show(l[{self.any(0)}])"], 5, 10))

    def make_containers(self) -> str:
        """The containers of `collections`, heaps and sets."""
        r = self.rng
        n, a = (lambda: self.integer(0)), (lambda: self.any(0))
        return "import collections, heapq, bisect\nfrom collections import *\n" + self.uses([
            lambda: f"d = deque({self.list(0)}, {r.choice(('None', '3', '0'))}); d.{r.choice((f'append({n()})', f'appendleft({n()})', 'rotate(2)', 'pop()', 'popleft()', 'extendleft([1, 2])', 'insert(1, 5)', 'remove(1)', 'reverse()'))}; show(list(d), d.maxlen, len(d))", lambda: "d = deque([1, 2, 3])\nfor v in d: d.append(v)", lambda: f"c = Counter({self.text(1)}); c.update('ab'); show(c.most_common(2), c['zz'], c.total())", lambda: f"show(dict(Counter('aab') {r.choice('+-&|')} Counter('abc')))",
            lambda: f"d = defaultdict({r.choice(('int', 'list', 'lambda: 5', 'None'))}); d['a'] += {r.choice(('1', '[1]'))}; show(d['a'], dict(d), d.get('q'))", lambda: "d = OrderedDict(a=1, b=2); d.move_to_end('a'); show(list(d), d.popitem(last=False), repr(d), d == {'a': 1})", lambda: f"d = ChainMap({{'a': {a()}}}, k); d['n'] = 1; show(d['a'], d.get('b'), sorted(d), d.maps[0])", lambda: f"h = []\nfor v in {self.list(1)}: heapq.heappush(h, v)\nshow([heapq.heappop(h) for _ in range(len(h))], heapq.nsmallest(2, l))",
            lambda: f"y = sorted({self.list(0)}); bisect.insort(y, {n()}); show(y, bisect.bisect_left(y, {n()}))", lambda: f"y = {{*{self.list(0)}}}; z = {{*{self.list(0)}, 1}}; show(y {r.choice('|&-^')} z, y {r.choice(('<', '<=', '==', '>'))} z, y.isdisjoint(z))", lambda: f"y = {{1, 2}}; y.{r.choice((f'add({a()})', 'remove(9)', 'discard(9)', 'update([3], (4,))', 'pop(); y.pop(); y.pop()', 'intersection_update([1])', 'clear()', 'symmetric_difference_update([1, 7])'))}; show(y)",
            lambda: f"d = dict({r.choice(('a=1, b=2', '[(1, 2), (3, 4)]', 'k, z=1', '[1]', '[(1, 2, 3)]', 'zip(l, m)'))}); show(d, list(reversed(d)), d.items() & {{('a', 1)}}, d.keys() | {{5}})", lambda: f"d = {{}}; d[{a()}] = 1; d[{a()}] = 2; show(d, len(d), d.pop({a()}, 'none'), d.popitem())", lambda: "for v in k: k[v + 'x'] = 1", lambda: "k = {'a': 1, 'b': 2}\nfor v in list(k): del k[v]\nshow(k); k = {'a': 1}", lambda: f"show(k | {{'c': {n()}}}, {{**k, 'a': 2}}, k.get('zz', 0), 'a' in k, k == {{'a': 1}})",
            lambda: f"y = frozenset({self.list(0)}); show(y, hash(y) == hash(frozenset(y)), {{y: 1}}[y])", "for v in {1, 2}: {1, 2}.add(v)\ny = {1}\nfor v in y: y.add(v + 1)", lambda: f"y = [[]] * 2; y[0].append({n()}); show(y, y[0] is y[1]); z = [[] for _ in y]; z[0].append(1); show(z)", lambda: "y = [1]; y.append(y); show(repr(y)); d = {}; d['d'] = d; show(repr(d))", lambda: f"show(dict.fromkeys({self.list(0)}, {a()}), dict.fromkeys('ab'))", lambda: "x = UserDict(a=1); x['b'] = 2; show(dict(x)); y = UserList([1]); y += [2]; show(list(y))"], 5, 10)

    def make_comprehensions(self) -> str:
        """Comprehensions, nested and with assignment expressions."""
        r = self.rng

        def clauses(names: list[str]) -> str:
            text = ""
            for index, name in enumerate(names):
                source = r.choice((self.list(0), "range(3)", "s", "k.items()", f"[{names[index - 1]}, 2]" if index else "m", f"range(whole({names[index - 1]}) % 4)" if index else "l[:3]", "(0, 1)", "enumerate(t)"))
                target = f"{name}, _{name}" if "items()" in source or "enumerate" in source else name
                text += f" for {target} in {source}"
                while r.random() < 0.35:
                    text += " if " + r.choice((name, f"{name} != 1", self.condition(0), f"(w := {name})", f"{name} in [0, 1, 'a']", f"not {name} == {names[0]}"))
            return text

        def item(names: list[str], depth: int = 2) -> str:
            name = r.choice(names)
            return r.choice((name, f"({', '.join(names)},)", f"{name} * 2", f"(q := {name})", f"[{name}]", f"(lambda: {name})()", f"f'{{{name}}}'", f"({name} if {names[0]} else {self.integer(0)})", f"{{{name!r}: {name}}}", self.comprehension_text(clauses, item, depth - 1) if depth else name, "i", f"isinstance({name}, int) and {name} + 1"))

        self_text = lambda: self.comprehension_text(clauses, item, 2)  # noqa: E731
        return self.uses([lambda: f"show({self_text()})", lambda: f"show({self_text()})", lambda: f"x = {self_text()}; show(x, i, j)", lambda: f"def fc(v=2): return {self_text()}\nshow(fc())", lambda: f"class KC:\n    a = 2\n    b = [a, *[v for v in range(2)]]\n    c = [v for v in [a]]\n    d = {self_text().replace('(w :=', '(').replace('(q :=', '(')}\nshow(KC.b, KC.c, KC.d)", "show(w, q)", lambda: f"def gc():\n    yield {self_text()}\n    return [v for v in (yield 5)]\ndrive(gc(), [('next', None), ('next', None), ('send', [1])])",
                          lambda: "fs = [lambda a=v: (v, a) for v in range(3)]; show([f1() for f1 in fs])", lambda: f"async def ac():\n    return [await Pause(v) for v in range(2)] + [v async for v in AsyncItems({self.list(0)}[:3]) if {self.condition(0)}]\nshow(complete(ac()))"], 4, 9)

    def comprehension_text(self, clauses, item, depth: int) -> str:
        """Return a comprehension of one of the four kinds."""
        r = self.rng
        names = r.sample(("a", "b", "c", "d"), r.choice((1, 1, 1, 2, 2, 3)))
        tail, value = clauses(names), item(names, depth)
        return r.choice((lambda: f"[{value}{tail}][:9]", lambda: f"[{value}{tail}]", lambda: f"{{{names[0]}: {value}{tail}}}", lambda: f"{{text({value}){tail}}}", lambda: f"list(take(({value}{tail}), 9))", lambda: f"sum(1{tail})", lambda: f"tuple({value}{tail})", lambda: f"any({value}{tail})", lambda: f"dict(({names[0]}, {value}){tail})"))()

    def make_iteration(self) -> str:
        """Iterators of the language and of `itertools`."""
        r = self.rng
        it = lambda: r.choice((self.list(0), "iter(l)", "s", "(v * 2 for v in range(4))", "range(5)", "map(str, l)", "zip(l, s)", "enumerate(t)", "reversed([1, 2])", "k", "k.items()", "filter(None, [0, 1])", "Source([1, 2])", "iter([3, 4, None].pop, None)", "iter(range(3))", "5"))  # noqa: E731
        return "import itertools, operator\nfrom itertools import *\n" + self.uses([lambda: f"show(list(take({r.choice(('chain', 'zip', 'zip_longest', 'product'))}({it()}, {it()}), 7)))", lambda: f"show(list(take({r.choice(('accumulate', 'cycle', 'pairwise', 'permutations', 'groupby', 'enumerate', 'count', 'reversed', 'starmap', 'tee'))}({it()}), 5)))", lambda: f"show(list(islice({it()}, {r.choice(('2', '1, 3', '0, None, 2', '-1', 'None'))})))", lambda: f"show([(a, list(b)) for a, b in groupby({it()}, key=lambda v: v in (1, 2, 'a'))])",
                                                                              lambda: f"show(list(takewhile(lambda v: v != 2, {it()})), list(dropwhile(bool, {it()})))", lambda: f"show(list(compress({it()}, [1, 0, 1])), list(combinations({it()}, 2))[:4])", lambda: f"y = iter({it()}); show(next(y), next(y, 'd'), list(y), next(y, 'e'))", lambda: f"a, *b = {it()}; show(a, b)", lambda: f"*a, b, c = {it()}; show(a, b, c)", lambda: f"a, (b, *c), d = {it()}", lambda: f"show(max({it()}), min({it()}, key=text, default=0))", lambda: f"show(list(map(lambda *v: v, {it()}, {it()})))",
                                                                              lambda: f"show(sum({it()}), any({it()}), all({it()}), len(list({it()})))", lambda: f"for v in {it()}:\n    if v == 1: continue\n    show(v)\n    if v == 2: break\nelse: show('no break')", lambda: f"show(list(zip({it()}, {it()}, strict=True)))", lambda: f"show(1 in {it()}, {r.choice(('a', 'b'))!r} in {it()})", lambda: f"y = tee({it()}); show(list(y[0]), list(y[1]))", lambda: f"show(sorted({it()}, key=text, reverse={r.random() < 0.5}))", lambda: f"y = {it()}\nfor a in take(y, 2):\n    for b in take(y, 2): show(a, b)",
                                                                              lambda: f"def gi(*a): show(a)\ngi(*{it()}, *{it()})", lambda: f"show([*{it()}, *{it()}], {{*take({it()}, 2)}})", lambda: f"show(list(accumulate({self.list(0)}, operator.{r.choice(('mul', 'add', 'sub', 'xor'))}, initial={self.integer(0)}))[:6])", lambda: "y = iter(l); l.append(5); show(list(y)); del l[3:]; show(list(y), operator.length_hint(y))", lambda: f"show(operator.itemgetter(0, -1)({self.list(0)}), operator.attrgetter('real')({self.integer(0)}), operator.methodcaller('upper')({self.text(0)}))"], 5, 11)

    def make_sorting(self) -> str:
        """Sorting with keys that fail, change the list, or compare oddly."""
        r = self.rng
        return ("class Ord:\n    def __init__(self, v): self.v = v\n    def __lt__(self, o):\n        if not enter(): return False\n        " + r.choice(("return self.v < o.v", "show('lt', self.v, o.v); return self.v < o.v", "if o.v == 2: raise Stop(self.v)\n        return self.v > o.v", "return 'x' if self.v else ''", "return NotImplemented"))
                + "\n    def __repr__(self): return f'<{self.v}>'\n    def __eq__(self, o): return isinstance(o, Ord) and self.v == o.v\n    def __hash__(self): return self.v % 2\n" + self.uses([lambda: f"y = [Ord(whole(v)) for v in {self.list(0)}]; y.sort(reverse={r.random() < 0.4}); show(repr(y))", lambda: f"show(repr(max(Ord(1), Ord({r.randint(0, 4)}))), repr(min([Ord(2), Ord(1)])))", lambda: f"show(sorted({self.list(1)}, key=lambda v: {r.choice(('-v', 'v % 3', 'text(v)', '1 // (v - 1)', '(v % 2, v)', 'None', 'Ord(v)'))}))",
                                                                                        "y = [3, 1, 2]; y.sort(key=lambda v: y.append(v) or v); show(y)", "y = [3, 1, 2]\ndef ky(v): y.clear(); return v\ny.sort(key=ky); show(y)", lambda: f"show(sorted([{self.any(0)}, {self.any(0)}]))", lambda: f"show(len({{Ord(1), Ord(1), Ord(3), Ord({r.randint(0, 9)})}}), Ord(1) in [Ord(1)], {{Ord(1): 2}}[Ord(1)])", lambda: f"show([Ord(1), Ord(2)] < [Ord(1), Ord({r.randint(0, 3)})], (1, Ord(1)) == (1, Ord(1)))", "show(repr(sorted([Ord(v % 3) for v in range(7)])))", lambda: f"show(sorted(k.items(), key=lambda kv: {r.choice(('kv[1]', 'kv[::-1]', '-kv[1]', 'kv.zz'))}))",
                                                                                        lambda: f"show([1, 'a'].index({self.any(0)}), [Ord(1)].count(Ord(1)))"], 3, 7))

    def make_copies(self) -> str:
        """Shallow and deep copies, with hooks."""
        r, name = self.rng, self.fresh("Cp")
        hooks = r.choice(("", "\n    def __copy__(self): show('copy'); return self", "\n    def __deepcopy__(self, memo): show('deep'); return type(self)()", "\n    def __reduce__(self): return (type(self), (5,))", "\n    def __getstate__(self): return {'p': 'state'}", "\n    def __setstate__(self, st): show('setstate', st); self.p = 1", "\n    def __reduce__(self): return 'x'", "\n    def __getnewargs__(self): return (7,)"))
        return (f"import copy\nclass {name}{r.choice(('', '(list)', '(dict)', '(int)'))}:\n    def __init__(self, *a): self.p = [1]{hooks}\no1 = {name}()\n" + self.uses(["o2 = copy.copy(o1); show(o2 is o1, o2.p is o1.p, o2.p)", "o2 = copy.deepcopy(o1); show(o2 is o1, o2.p is o1.p, o2.p)", "o1.self = o1; o2 = copy.deepcopy(o1); show(o2.self is o2)", "y = [l, l, {'a': l}]; z = copy.deepcopy(y); show(z, z[0] is z[1], z[0] is l, z[2]['a'] is z[0])", f"y = copy.copy({self.any(0)}); show(y)", f"show(copy.deepcopy([{self.any(0)}]))", "show(copy.deepcopy((1, [2])), copy.copy(show) is show, copy.deepcopy(int) is int)", "show(copy.replace(o1, p=1))", "y = iter([1, 2]); next(y); show(list(copy.copy(y)), list(y))"], 3, 7))

    # ---- calls and evaluation -----------------------------------------------------------------------------
    def make_star_call(self) -> str:
        """Calls and definitions with every kind of argument."""
        r, name = self.rng, self.fresh("sa")
        parameters = r.choice(("a, b=1, /, c=2, *, d=3, **e", "a, /, *b, c", "*a, b=1, **c", "a, b, c", "a=1, *, b", "a, *b", "**a", "a, b=[], /", "a, *, b=1, c", "*, a, **b", "a, /", "a, b=1, *c, d, e=2, **f"))
        names = [p.split("=")[0].strip().lstrip("*") for p in parameters.split(",")]
        shown = ", ".join(n for n in names if n.isidentifier())
        values = lambda: r.choice(("1", "*[1, 2]", "*()", "*'ab'", "a=1", "b=2", "c=3", "**{'a': 1}", "**{'d': 4, 'e': 5}", "**k", "*l[:2]", self.any(0), "*range(2)", "**{}", "*k", "d=9", "zz=1", "**{1: 2}", "*5", "**5", "*(v for v in 'x')", "**{'a b': 1}"))  # noqa: E731

        def call() -> str:
            parts = [values() for _ in range(r.randint(0, 4))]
            plain = [p for p in parts if not p.startswith("*") and "=" not in p.split("(")[0][:3]]
            stars = [p for p in parts if p.startswith("*") and not p.startswith("**")]
            rest = list(dict.fromkeys(p for p in parts if p not in plain and p not in stars))
            rest.sort(key=lambda p: p.startswith("**") and r.random() < 0.7)
            head = plain + stars
            r.shuffle(head)
            return ", ".join(head + rest)

        return (f"def {name}({parameters}): return ({shown},)\nclass {name}C:\n    def __init__(self, {parameters}): self.v = ({shown},)\n    def m(self, *p, **q): return {name}(*p, **q)\n    @classmethod\n    def c(cls, {parameters}): return ({shown},)\n    def __call__(self, {parameters}): return ({shown},)\n"
                + self.uses([lambda: f"show({name}({call()}))", lambda: f"show({name}({call()}))", lambda: f"show({name}C({call()}).v)", lambda: f"show({name}C.c({call()}))", lambda: f"show({name}C.m(1, {call()}))", lambda: f"show((lambda {parameters}: ({shown},))({call()}))", lambda: f"y = [1]\n{name}.__defaults__ = {r.choice(('(7,)', 'None', '(1, 2, 3)', '()'))}; show({name}({call()}))", lambda: f"{name}.__kwdefaults__ = {{'d': 8, 'c': 9}}; show({name}({call()}))", lambda: f"show({r.choice(('int', 'str', 'dict', 'max', 'print', 'sorted', 'list', 'len', 'range', 'type', 'isinstance', 'round', 'pow', 'sum', 'zip', 'bytes', 'enumerate'))}({call()}))",
                             f"import inspect; show(str(inspect.signature({name})))", f"show({name}.__name__, {name}.__defaults__, {name}.__kwdefaults__)", lambda: f"class BB:\n    def __init_subclass__(cls, **d): show(d)\nclass DD(BB, **{{'x': 1}}, y={self.integer(0)}): pass"], 5, 10))

    def make_evaluation(self) -> str:
        """`eval`, `exec`, `compile`, and attributes by name."""
        r = self.rng
        return self.uses([lambda: f"show(eval({self.integer(1)!r}))", lambda: f"exec({('i = small(' + self.integer(1) + ')')!r}); show(i)", lambda: f"d = {{'a': {self.any(0)}}}; exec('b = a; c = [a for _ in range(2)]', d); show(d['b'], d['c'], sorted(n for n in d if n[0] != '_'))", lambda: f"show(eval('v + 1', {{'v': {self.any(0)}}}))", lambda: "def ev(v):\n    w = 3\n    return eval('v + w') + eval('i')\nshow(ev(1))", lambda: f"show(eval(compile({self.text(1)!r}, 'f', 'eval')))", lambda: f"eval({r.choice(('1 +', 'x = 1', '', '(', 'return', '1 2', 'yield', 'def f(): pass', 'i.', '*l', 'lambda: (yield)'))!r})",
                          lambda: f"exec({r.choice(('if 1:', 'break', 'return 1', 'x = = 2', 'def f(:', 'class', 'await x', 'for i in l: pass', 'import zzz', 'nonlocal q', 'del i; show(i)', 'global i; i = 5', 'a b', 'f(**k, *l)', chr(9) + 'x', 'try: pass', 'x: int = 5; show(x)', 'match 1:' + chr(10) + ' case 1: show(7)', 'def g(a, a): pass', '5 = x', 'f() = 1', 'None = 1', 'x +=', '{**k', chr(34) * 3))!r})",
                          lambda: f"show(getattr({self.any(0)}, {r.choice(('real', 'upper', 'append', '__class__', 'zz', '__len__', '__doc__'))!r}, None) is None)", lambda: "class Z: pass\nz = Z(); setattr(z, 'a b', 1); show(vars(z), hasattr(z, 'a b')); delattr(z, 'a b'); delattr(z, 'a b')", lambda: f"T = type('T', ({r.choice(('', 'int,', 'list,', 'Custom,', 'bool,', 'type(None),'))}), {{'p': {self.any(0)}, 'm': lambda self: 'm'}}); show(T.__name__, T.p, T().m(), T.__mro__[0] is T)", "show(type(5).__name__, type(type), isinstance(int, type), type.__call__(int, '5'))",
                          "show(__name__, __builtins__ is not None)", "import sys; show('x' in globals(), sys.version_info[0], callable(eval))", "show((lambda: 1).__name__, show.__module__)", lambda: f"show(isinstance({self.any(0)}, (int, (str, list))), issubclass(bool, int), isinstance({self.any(0)}, int | str))", lambda: f"isinstance(1, {self.any(0)})", "show(dir()[-1] in globals(), sorted(vars().keys() & {'i', 'j'}))", "show(isinstance(l, (int, float)) or id(l) == id(l), hash(1) == hash(1.0) == hash(True))"], 4, 9)

    def make_attributes(self) -> str:
        """Attribute hooks, class attributes that change, multiple inheritance."""
        r, name = self.rng, self.fresh("At")
        return (f"class {name}M(type):\n    def __setattr__(cls, n, v): show('meta set', n); super().__setattr__(n, v)\n    def __getattr__(cls, n): return ('meta', n) if n == 'zz' else super().__getattribute__(n)\n    def __prepare__(name, bases, **d): return {r.choice(('{}', 'dict(prep=1)', '5'))}\n    __prepare__ = {r.choice(('classmethod', 'staticmethod'))}(lambda *a, **d: dict(prep=1))\n    def __or__(cls, o): return 'or'\n    def __iter__(cls): return iter('it')\n"
                f"class {name}A(metaclass={name}M):\n    count = 0\n    def __init__(self, v=1): type(self).count += 1; self.v = v\n    def m(self): return ('A', self.v)\n    def __getattr__(self, n):\n        if n[0] == '_': raise AttributeError(n)\n        return n * 2\nclass {name}B({name}A):\n    def m(self): return ('B', super().m())\nclass {name}C({name}A):\n    def m(self): return ('C', super().m())\n    count = property(lambda self: 'prop')\nclass {name}D({name}B, {name}C):\n    def m(self): return ('D', super().m())\no1, o2 = {name}A(), {name}B(2)\n"
                + self.uses([f"show({name}D({self.integer(0)}).m())", f"show([c.__name__ for c in {name}D.__mro__], {name}D.__bases__ == ({name}B, {name}C))", f"show({name}A.count, {name}B.count, {name}A.prep)", "show(o1.foo, o1.v)", f"{name}A.x = {self.any(0)}; show(o2.x)", f"show({name}A.zz, {name}A | 1, list({name}A))", f"{name}A.m = lambda self: 'new'; show(o1.m(), {name}D(1).m())", f"del {name}B.m; show(o2.m())", f"o2.__class__ = {name}C; show(o2.m())", f"{name}B.__bases__ = ({name}C,); show({name}B(1).m())",
                             f"class X({name}A, {name}B): pass", "class X(int, str): pass", "o1.m = lambda: 'own'; show(o1.m()); del o1.m; show(o1.m())", "show(vars(o1), o1.__dict__ is vars(o1)); o1.__dict__ = {'v': 9}; show(o1.v)", f"show(isinstance(o2, {name}A), issubclass({name}D, {name}C), {name}A.__subclasses__() != []) if 0 else show(isinstance(o2, {name}A))", f"show({name}A.m(o1), {name}A.m.__qualname__)", f"show(super({name}B, o2).m()) if isinstance(o2, {name}B) else 0", f"class Y({name}A):\n    def __new__(cls, *a): return {r.choice(('5', 'super().__new__(cls)', 'object.__new__(' + name + 'A)'))}\nshow(type(Y()).__name__)",
                             "class Abs(__import__('abc').ABC):\n    @__import__('abc').abstractmethod\n    def f(self): pass\nclass Con(Abs):\n    def f(self): return 1\nshow(Con().f()); Abs()", f"show(object.__getattribute__(o1, 'v'), {name}A.__dict__['count'])", "o1.__init__(5); show(o1.v)", "show(o1.__missing__)"], 4, 10))

    def make_match_classes(self) -> str:
        """Match statements on classes, mappings and sequences with captured rests."""
        r, name = self.rng, self.fresh("Mc")
        subjects = [f"{name}(1, 2)", f"{name}([1], {name}(0, 'z'))", "{'a': 1, 'b': [2, 3]}", "[1, [2, 3], 4]", "(1,)", "'text'", "b'x'", "{}", "None", "2.0", "True", "range(3)", "{1, 2}", f"{name}S(3, 4)", "deque([1, 2])", self.any(1), "-1", "1j"]
        names = lambda: (lambda v: (r.shuffle(v), v)[1])(["pa", "pb", "pc", "pd"])  # noqa: E731

        def case() -> str:
            bound = names()
            pattern = r.choice((lambda: f"{name}({bound[0]}, {bound[1]})", lambda: f"{name}(a={self.pattern(1, bound)})", lambda: f"{name}(1 | 2 as {bound[0]}, b={bound[1]})", lambda: f"{name}S(b=4)", lambda: f"{name}({name}() as {bound[0]}, _)", lambda: f"{{'a': {bound[0]}, **{bound[1]}}}", lambda: f"{{'b': [*{bound[0]}]}}", lambda: f"[{bound[0]}, *{bound[1]}, {bound[2]}]", lambda: f"[int({bound[0]}), [_, {bound[1]}], *_]", lambda: f"({bound[0]},)", lambda: f"str({bound[0]}) | bytes({bound[0]})", lambda: "1 | 2.0 | -1 | 1j", lambda: "[]",
                                lambda: "{}", lambda: f"bool() as {bound[0]}", lambda: "Cn.one | Cn.two", lambda: f"[[*{bound[0]}], *_]", lambda: self.pattern(2, bound), lambda: f"{name}(1, 2, 3)", lambda: "int | str", lambda: f"object(real={bound[0]})", lambda: "-1 | 2-3j | 1.5"))()
            return f"    case {pattern}{r.choice(('', '', ' if i', ' if ' + self.condition(0)))}: show({r.randint(1, 99)}, *[v for n, v in sorted(globals().items()) if n in ('pa', 'pb', 'pc', 'pd')])"

        body = "\n".join(case() for _ in range(r.randint(2, 6))).replace("case int | str:", "case int() | str():").replace("case int | str if", "case int() | str() if")
        return (f"from collections import deque\nclass {name}:\n    __match_args__ = {r.choice((repr(('a', 'b')), repr(('b', 'a')), repr(('a',)), '5', repr(['a']), repr(('a', 'a')), repr(('a', 1))))}\n    def __init__(self, a, b): self.a, self.b = a, b\nclass {name}S({name}): pass\nclass Cn: one, two = 1, 'text'\n"
                f"for subject in [{', '.join(r.sample(subjects, 8))}]:\n    pa = pb = pc = pd = None\n    try:\n        match subject:\n{self.indented(self.indented(body))}\n    except Exception as err: show('!', err)")

    def make_dispatch(self) -> str:
        """Operators between classes of the program and of the language, reflected and not."""
        r, name = self.rng, self.fresh("Op")
        operators = ("add", "sub", "mul", "truediv", "mod", "and", "or", "xor", "lshift", "matmul", "eq", "lt", "ge", "floordiv")
        signs = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "mod": "%", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "matmul": "@", "eq": "==", "lt": "<", "ge": ">=", "floordiv": "//"}

        def methods(tag: str) -> str:
            found = []
            for op in r.sample(operators, r.randint(2, 6)):
                prefix = r.choice(("", "r", "i")) if op not in ("eq", "lt", "ge") else ""
                found.append(f"def __{prefix}{op}__(self, o): return {r.choice(('NotImplemented', repr((tag, prefix + op)), '(show(' + repr(tag + prefix + op) + '), self)[1]', 'text(o)', '1 / 0'))}")
            return "\n    ".join(found)

        base = r.choice(("", "(int)", "(list)", "(str)", "(float)", "(tuple)"))
        return (f"class {name}{base}:\n    {methods('P')}\n    __hash__ = None\nclass {name}S({name}):\n    {methods('S')}\nclass {name}O:\n    {methods('O')}\np, q, o = {name}(), {name}S(), {name}O()\n"
                + self.uses([lambda: f"show({r.choice('pqo')} {signs[r.choice(operators)]} {r.choice(('p', 'q', 'o', self.any(0), '2', '[1]', repr('s')))})", lambda: f"show({r.choice(('2', '[1]', repr('s'), '2.5', 'None', '(1,)', '{1}'))} {signs[r.choice(operators)]} {r.choice('pqo')})", lambda: f"x = {r.choice('pqo')}; x {signs[r.choice(operators[:10])]}= {r.choice(('p', 'q', 'o', '2', '[1]'))}; show(x)", lambda: f"show({r.choice('pqo')} in [p, q, o], [p, q].index(q), (p, o) == (p, o))", lambda: "show(sum([p, q]), max(p, q))", "hash(p)", lambda: f"show({r.choice('pqo')} {r.choice(('!=', '<=', '>', 'is', 'and', 'or'))} {r.choice('pqo')})"], 6, 14))

    def make_async_mix(self) -> str:
        """Coroutines by hand: async generators that are left, closed and thrown into, contexts, awaitables that fail."""
        r, name = self.rng, self.fresh("am")
        body = lambda: r.choice(("yield await Pause(1)", "x = yield 2\n        show('sent', x)", "raise Stop(3)", "return", "await Pause('p')", "async with AsyncManager(True): raise Stop", "yield [v async for v in AsyncItems([1, 2])]", "for q in range(2): yield q", "try: yield 5\n        finally: show('inner', await Pause('f'))", "yield {v: await Pause(v) for v in 'ab'}", "await 5"))  # noqa: E731
        return (f"async def {name}(v=1):\n    if not enter(): return\n    try:\n        {body()}\n        {body()}\n    except {r.choice(('Stop', 'GeneratorExit', 'BaseException', 'Custom', 'ValueError'))} as e:\n        show('am', e)\n        {r.choice(('raise', 'yield 9', 'await Pause(2)', 'return', 'pass'))}\n    finally:\n        show('am end')\n        {r.choice(('pass', 'await Pause(3)', 'yield 7'))}\n    yield v\n"
                f"async def {name}u():\n    {r.choice((f'async for v in {name}(): show(v)', f'async for v in {name}(): break', f'show([v async for v in {name}()])', f'a = keep({name}()); show(await anext(a), await anext(a, 8)); await a.aclose()', f'a = keep({name}()); show(await a.__anext__()); show(await a.athrow(Stop(4)))', f'await drain({name}(), {self.actions()})'))}\n    return 'u'\n"
                + self.uses([f"show(complete({name}u()))", f"drive({name}u(), {self.actions()})", f"show(complete(drain({name}(), {self.actions()})))", f"c = {name}u(); show(c.cr_frame is None, c.cr_running, c.cr_await); c.close(); c.send(None)", f"a = {name}().asend(5); a.send(None)", "async def bad(): await None\ncomplete(bad())", f"async def tr():\n    try: return await Pause(1)\n    finally: show('tr'); {r.choice(('return 2', 'await Pause(3)', 'raise Stop'))}\ndrive(tr(), {self.actions()})", "class Aw:\n    def __await__(self): return 5\nasync def aw(): await Aw()\ncomplete(aw())", "async def ret(): return i\nc = ret()\ntry: c.send(5)\nexcept TypeError as e: show(e)\nc.close()"], 2, 6))
