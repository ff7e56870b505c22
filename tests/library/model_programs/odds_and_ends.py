# things people do
import doctest, io, sys, unittest
def square(x):
    """
    >>> square(3)
    9
    >>> square(2)
    5
    """
    return x * x
r = doctest.testmod(verbose=False)
print(r)
import inspect
print(inspect.getsource(square).splitlines()[0])
class C:
    def m(self):
        return 1
print(inspect.getsource(C.m), inspect.getsourcelines(square)[1])
try:
    print(inspect.getsource(C).splitlines()[0])
except Exception as e: print(type(e).__name__, e)
import logging
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s %(name)s %(funcName)s %(lineno)d %(message)s")
def f(): logging.getLogger("x").warning("hello %s", 1)
f()
import argparse
p = argparse.ArgumentParser(prog="p"); p.add_argument("-n", type=int, default=3); print(p.parse_args([]).n)
import collections, dataclasses, enum, typing
from typing import get_type_hints
@dataclasses.dataclass
class D:
    x: "int"
    y: "typing.Optional[D]" = None
print(get_type_hints(D))
print(__name__, sys.modules["__main__"].__name__, D.__module__, sys.modules["__main__"].D is D)
import operator
print(type(operator.attrgetter("x")), operator.attrgetter("x"))
print(type(print), type(len), type(D), type(f), type(f.__code__), isinstance(print, type(len)))
import types
print(isinstance(print, types.BuiltinFunctionType), isinstance(len, types.BuiltinFunctionType), inspect.isbuiltin(print), inspect.isbuiltin(getattr), callable(print))
print(inspect.signature(print) if sys.version_info >= (3, 12) else "")
import asyncio
print(inspect.iscoroutinefunction(asyncio.sleep), asyncio.iscoroutinefunction(f))
print(vars(enum.Enum).keys() >= {"name"}, len(dir(collections)) > 10)
print(help if False else "", f.__globals__ is globals())
def g(a, *, b: int = 3): ...
print(g.__kwdefaults__, g.__annotations__, g.__code__.co_varnames)
exec("def h(): return 5"); print(h())
class Meta(type):
    def __prepare__(name, bases): return {}
print(types.new_class("X", (), {"metaclass": Meta}).__name__)
print(sys.getsizeof([]) > 0, sys.getrecursionlimit() > 100, sys.version_info[:2] >= (3, 11), sys.platform == "linux", sys.maxsize > 2**32)
import random; random.seed(1); print(random.random(), random.sample(range(10), 3))
if __name__ == "__main__":
    unittest.main(argv=["x"], exit=False, module=types.ModuleType("empty"), testRunner=unittest.TextTestRunner(stream=io.StringIO()))


# ---- isinstance asks __class__ every time
import weakref
from unittest.mock import Mock


class Thing:
    pass


def is_thing(o):
    return isinstance(o, Thing)


thing = Thing()
proxy = weakref.proxy(thing)
print([is_thing(proxy) for _ in range(3)], [is_thing(Mock(spec=Thing)) for _ in range(3)], [is_thing(3) for _ in range(3)])
print([inspect.isbuiltin(print) for _ in range(3)], [isinstance(proxy, (int, Thing)) for _ in range(3)])
