"""Bound methods and classes that are called as attributes of modules and objects, and builtins that take a tuple, at one place."""
import types
import traceback


class Counter:
    def __init__(self, start=0, *, step=1):
        self.value, self.step = start, step

    def add(self, n=1, *rest, factor=1):
        self.value += n * self.step * factor + sum(rest)
        return self.value

    def each(self, n):
        for i in range(n):
            yield self.value + i

    def fail(self):
        raise ValueError("from fail")


class WithNew:
    def __new__(cls, *args):
        return args if args and args[0] == "other" else super().__new__(cls)

    def __init__(self, *args):
        self.args = args


class BadInit:
    def __init__(self, n):
        yield n


class ReturnsSomething:
    def __init__(self):
        return 3


class Small(int):
    def __init__(self, value):
        self.seen = value


class Meta(type):
    def __call__(cls, *args):
        return cls.__name__, args


class Called(metaclass=Meta):
    pass


holder = types.SimpleNamespace(Counter=Counter, WithNew=WithNew, BadInit=BadInit, Wrong=ReturnsSomething, Small=Small, Called=Called)
counter = Counter(10, step=2)
holder.add, holder.each, holder.fail = counter.add, counter.each, counter.fail
holder.number = (3).__add__


def attempt(function):
    try:
        return function()
    except Exception as error:
        lines = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
        return type(error).__name__, str(error), lines


def deep(n):
    made = holder.Counter(n)
    return deep(n - 1) + made.value if n else made.value


def generator():
    for i in range(3):
        made = holder.Counter(i, step=3)
        yield holder.add(i), made.add(1)
        yield list(holder.each(2))


for _ in range(3):
    print(holder.add(), holder.add(2), holder.add(1, 2, 3), holder.add(1, factor=5), holder.add(*(1, 2), **{"factor": 2}))
    print(list(holder.each(3)), [holder.Counter(i).value for i in range(3)], holder.Counter(step=4, start=3).add())
    print(attempt(lambda: holder.fail()), attempt(lambda: holder.add(factor=1, n=2, m=3)), attempt(lambda: holder.each()))
    print(holder.WithNew("other", 1), holder.WithNew(1, 2).args, attempt(lambda: holder.BadInit(1)), attempt(lambda: holder.Wrong()))
    print(holder.Small(7) + 1, holder.Small(8).seen, holder.Called(1), holder.number(4), attempt(lambda: holder.Counter(1, 2, 3)))
    print(deep(50), list(generator()))

# The class at one place turns into another, and its __init__ into another one.
for cls in (Counter, WithNew, Small, Called, dict, Counter):
    holder.made = cls
    print(attempt(lambda: type(holder.made(5)).__name__))
Counter.__init__ = lambda self, *args: setattr(self, "value", args)
print(holder.Counter(1, 2).value)
del Counter.__init__
print(attempt(lambda: holder.Counter(1)), type(holder.Counter()).__name__)

# Builtins whose C functions take a tuple.
for args in ((), ("l",), ("l", 3), ("l", 3, 4), ("o", None, 5), (7,), ("l", "x"), ("l", 1, 2, 3)):
    print(args, [attempt(lambda: method(*args)) for method in ("hello world".find, "hello world".count, "hello".rindex)])
for text in ("hello", "", "héllo", "日本語"):
    for part in ("h", "", "hello", "hello!", "hé", "日本", "語", "o", ("x", "h"), (), ("日",), 3, b"h", None, "\udc80"):
        print(attempt(lambda: text.startswith(part)), attempt(lambda: text.endswith(part)), attempt(lambda: text.find(part)))
        print(attempt(lambda: text.startswith(part, 1)), attempt(lambda: text.endswith(part, 0, 1)), attempt(lambda: text.count(part, 1)))


class Text(str):
    def startswith(self, *args):
        return "mine", args


class Plain(str):
    pass


for text in ("abc", Text("abc"), Plain("abc"), b"abc", bytearray(b"abc")):
    for part in ("a", Plain("a"), Plain("c"), b"a"):
        print(attempt(lambda: text.startswith(part)), attempt(lambda: text.endswith(part)), attempt(lambda: str.startswith(text, part)))
print(attempt(lambda: str.startswith("abc")), attempt(lambda: "abc".startswith()), attempt(lambda: "abc".endswith(prefix="a")))

made = [type(name, (Counter,), {"name": name}) for name in ("A", "B")]
made += [type.__new__(type, name, (), {"name": name, "__module__": "m"}) for name in ("C", "D")]
print([(each.__name__, each.name, each.__module__) for each in made], [type.__new__(type, "E", (), {}).__module__ for _ in range(2)])
print([object.__new__(Counter).__class__.__name__ for _ in range(3)], attempt(lambda: object.__new__(Counter, 1)), attempt(lambda: object.__new__(3)))
