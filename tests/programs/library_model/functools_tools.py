import functools
import operator
from functools import cache, cached_property, lru_cache, partial, partialmethod, reduce, singledispatch, singledispatchmethod, total_ordering, wraps, cmp_to_key

calls = []


@lru_cache(maxsize=2)
def square(n):
    """Square of n."""
    calls.append(n)
    return n * n


print([square(n) for n in (1, 2, 1, 3, 2, 1)], calls, square.cache_info(), square.__name__, square.__doc__, square.__wrapped__(5))
square.cache_clear()
print(square.cache_info(), square.cache_parameters())


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(150), fib.cache_info().currsize)


@lru_cache(typed=True)
def kind(x):
    return type(x).__name__


print(kind(1), kind(1.0), kind(True), kind.cache_info())
try:
    fib([])
except TypeError as error:
    print(error)


def power(base, exponent, *, scale=1):
    return scale * base ** exponent


cube = partial(power, exponent=3)
print(cube(2), cube(2, scale=10), cube.func is power, cube.args, cube.keywords, partial(cube, 5)(), repr(partial(print, 1, sep="-")).replace(hex(id(print)), ""))
print(reduce(operator.mul, range(1, 6)), reduce(lambda a, b: a + b, [], "start"))
try:
    reduce(operator.add, [])
except TypeError as error:
    print(error)


def traced(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        """The wrapper."""
        print("call", function.__name__, args, kwargs)
        return function(*args, **kwargs)
    wrapper.extra = 1
    return wrapper


@traced
def add(a: int, b: int = 2) -> int:
    """Adds."""
    return a + b


print(add(1, b=5), add.__name__, add.__qualname__, add.__doc__, add.__annotations__, add.__module__, add.__wrapped__, add.__dict__.keys()) if False else print(add(1, b=5), add.__name__, add.__doc__, add.__annotations__, sorted(add.__dict__))


@total_ordering
class Version:
    def __init__(self, *parts):
        self.parts = parts

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts < other.parts


print(Version(1, 2) >= Version(1), Version(1) > Version(0, 9), Version(1) <= Version(1), Version.__ge__.__name__, sorted([Version(2), Version(1)])[0].parts)
try:
    Version(1) > 5
except TypeError as error:
    print(error)
try:
    @total_ordering
    class Nothing:
        pass
except ValueError as error:
    print(error)


class Circle:
    def __init__(self, r):
        self.r = r

    @cached_property
    def area(self):
        print("computing")
        return 3 * self.r ** 2

    def scaled(self, factor, unit="cm"):
        return f"{self.r * factor}{unit}"

    double = partialmethod(scaled, 2)
    meters = partialmethod(scaled, unit="m")


c = Circle(2)
print(c.area, c.area, c.__dict__, c.double(), c.meters(3), Circle.area.__class__.__name__)


@singledispatch
def show(value, indent=0):
    return f"object {value!r}"


@show.register
def _(value: int, indent=0):
    return f"int {value}"


@show.register(list)
@show.register(tuple)
def _(value, indent=0):
    return "[" + ", ".join(show(each) for each in value) + "]"


@show.register
def _(value: dict | set, indent=0):
    return f"braces {len(value)}"


from collections.abc import Mapping, Sequence
show.register(str, lambda value, indent=0: f"str {value}")
print(show([1, "a", 2.5, (True,)]), show({}), show({1}), show.dispatch(bool).__name__, sorted(k.__name__ for k in show.registry))


class Formatter:
    @singledispatchmethod
    def format(self, value):
        return "?"

    @format.register
    def _(self, value: int):
        return f"<{value}>"

    @format.register
    @classmethod
    def _(cls, value: str):
        return f"{cls.__name__}:{value}"


print(Formatter().format(1), Formatter().format("x"), Formatter().format(None))
print(sorted(["b", "A", "c"], key=cmp_to_key(lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))))
print(operator.itemgetter(1, 0)("ab"), operator.itemgetter(slice(2))([1, 2, 3]), operator.attrgetter("r")(c), operator.attrgetter("__class__.__name__", "r")(c), operator.methodcaller("scaled", 4, unit="k")(c))
print(operator.attrgetter("a.b"), operator.itemgetter(1), operator.methodcaller("m", 1, k=2))
for f, args in ((operator.attrgetter("nope"), (c,)), (operator.itemgetter("k"), ({},)), (operator.methodcaller("nope"), (c,)), (operator.concat, (1, 2)), (operator.index, (1.5,))):
    try:
        f(*args)
    except Exception as error:
        print(type(error).__name__, error)
print(operator.length_hint(iter([1, 2])), operator.indexOf("abc", "c"), operator.countOf([1, 1, 2], 1), operator.truth([]), operator.iadd([1], [2]))
