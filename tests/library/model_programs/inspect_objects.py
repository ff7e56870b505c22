import inspect
from inspect import Parameter, Signature, signature
import functools


def f(a, b: int = 2, /, c="x", *args: str, d, e=None, **kw) -> bool:
    """Doc of f.

        Indented.
    """
    return True


async def co():
    pass


def gen():
    yield 1


async def agen():
    yield 1


class Base:
    """Base doc."""
    attr = 1

    def method(self, x, y=1):
        "Method doc."

    @classmethod
    def cm(cls, z): ...

    @staticmethod
    def sm(q, *, r): ...

    @property
    def prop(self):
        return 1


class Derived(Base):
    def method(self, x, y=1): ...

    def __call__(self, w): ...

    def __init__(self, first, second=2): ...


print(signature(f), inspect.getdoc(f), f.__doc__)
print([(p.name, p.kind.name, p.default is Parameter.empty, p.annotation) for p in signature(f).parameters.values()])
print(signature(Derived), signature(Derived(1).method), signature(Base.cm), signature(Base.sm), signature(Derived(1)), signature(lambda: 0), signature(functools.partial(f, 1, d=3)))
bound = signature(f).bind(1, 2, 3, 4, d=5, z=6)
bound.apply_defaults()
print(bound, bound.args, bound.kwargs, bound.arguments)
for args, kw in (((), {}), ((1,), {"d": 1, "a": 2}), ((1, 2), {})):
    try:
        print(signature(f).bind(*args, **kw))
    except TypeError as error:
        print(error)
print(signature(f).replace(parameters=[Parameter("n", Parameter.POSITIONAL_ONLY)], return_annotation=int), Signature([Parameter("k", Parameter.KEYWORD_ONLY, default=1)]))
print([name for name in ("isfunction", "ismethod", "isclass", "ismodule", "isbuiltin", "isgeneratorfunction", "iscoroutinefunction", "isasyncgenfunction", "isroutine", "isabstract", "ismethoddescriptor", "isdatadescriptor") for o in (f,) if getattr(inspect, name)(o)])
for o in (f, co, gen, agen, Base, Base.method, Base().method, Base.cm, len, [].append, str.join, inspect, Base.__dict__["prop"], gen(), 3):
    print([name for name in ("isfunction", "ismethod", "isclass", "ismodule", "isbuiltin", "isgenerator", "isgeneratorfunction", "iscoroutinefunction", "isasyncgenfunction", "isroutine", "isdatadescriptor") if getattr(inspect, name)(o)])
print(inspect.getdoc(Derived), inspect.getdoc(Derived.method), inspect.getmro(Derived))
print([name for name, _ in inspect.getmembers(Derived) if not name.startswith("__")], inspect.getmembers(Base(), inspect.ismethod)[0][0])
print(inspect.getfullargspec(f), inspect.getmodule(f) is not None)
print(inspect.classify_class_attrs(Base)[-1].name, [(a.name, a.kind) for a in inspect.classify_class_attrs(Base) if not a.name.startswith("__")])
g = gen()
print(inspect.getgeneratorstate(g), next(g), inspect.getgeneratorstate(g), g.close(), inspect.getgeneratorstate(g))
c = co()
print(inspect.getcoroutinestate(c), inspect.iscoroutine(c), inspect.isawaitable(c))
c.close()


def outer():
    n = 1

    def inner():
        return n + len([])
    return inner


print(inspect.getclosurevars(outer()).nonlocals, inspect.unwrap(functools.wraps(f)(lambda: 0)) is f)


def where():
    frame = inspect.currentframe()
    return frame.f_code.co_name, frame.f_lineno, frame.f_back.f_code.co_name


print(where())
print(inspect.cleandoc("  a\n    b\n  c"), inspect.indentsize("    x"), inspect.getcallargs(outer), inspect.getattr_static(Derived(1), "prop").__class__.__name__)
print(f.__code__.co_varnames, f.__code__.co_argcount, f.__code__.co_kwonlyargcount, f.__code__.co_posonlyargcount, f.__code__.co_flags & 0xc, f.__defaults__, f.__kwdefaults__)
print(signature(len), signature(print) if False else "", signature(int.__add__), signature(dict.get))
try:
    signature(3)
except TypeError as error:
    print(error)
for name in ("__name__", "__qualname__", "__module__", "__doc__", "__bases__", "__mro__", "__dict__"):
    print(name, name == "__dict__" or getattr(Derived, name))
print(sorted(vars(Base))[:4], dir(Base())[-5:], Derived.__base__, Base.method.__qualname__, outer().__qualname__)
