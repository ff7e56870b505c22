"""What the machine answers without a detour must not differ from the detour: subscripts, membership, calls, patterns."""
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import FrozenInstanceError, dataclass


# Dict subclasses: those that leave subscripts to dict, and those that do not.
class Missing(dict):
    def __missing__(self, key):
        return f"no {key!r}"


class Loud(dict):
    def __getitem__(self, key):
        return ("got", dict.get(self, key))

    def __setitem__(self, key, value):
        dict.__setitem__(self, key, ("set", value))

    def __contains__(self, key):
        return key == "always"


def subscripts(d):
    out = []
    for key in (1, "a", 2, "b", True, 1.0, 2**70, None, ("a", 1)):
        try:
            out.append(d[key])
        except KeyError as error:
            out.append(error.args)
        out.append(key in d)
        d[key] = f"value of {key!r}"
        d[key] = [d[key]]
        out.append((d[key], key in d))
    return out, len(d), list(d)


for kind in (dict, Missing, Loud, OrderedDict, lambda: defaultdict(list), Counter):
    print(subscripts(kind()))
ordered = OrderedDict.fromkeys("abc")
ordered["a"] = 1
ordered.move_to_end("a")
ordered["b"] = 2
print(list(ordered.items()))
late = Missing(x=1)
print(late["x"], late["y"])
Missing.__getitem__ = lambda self, key: "mine"
print(late["x"], late["y"])
del Missing.__getitem__
print(late["x"], late["y"])


# Sets, whose keys may have the hash of an int or a str.
class Same:
    def __init__(self, like):
        self.like = like

    def __hash__(self):
        return hash(self.like)

    def __eq__(self, other):
        return other == self.like


class Text(str):
    __slots__ = ()


def members(found):
    wanted = (0, 1, 2, -1, -2, True, 1.0, "a", "", "bc", Text("a"), 2**61 - 1, 2**61, 2**64, -(2**61 - 1), None, (1,))
    return [each in found for each in wanted]


for items in ([], [1, 2, "a"], [True, Text("bc")], [1.0, -2], [Same(1), Same("a")], [0, 2**61 - 1, 2**64], range(1000),
              [str(n) for n in range(50)] + ["a"], [-1], [-2], [i * 1024 for i in range(200)]):
    found = set(items)
    print(members(found), members(frozenset(items)))
    for each in list(found)[::2]:
        found.discard(each)
    print(members(found))
try:
    [] in {1}
except TypeError as error:
    print(error)


# Calls of builtin functions and methods, by every convention, with too few and too many arguments.
def attempt(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error).__name__, str(error)


def calls(text, numbers):
    for _ in range(3):
        print(text.upper(), text.isalpha(), text.split(" ", 1), text.replace("a", "b", 1), text.count("a"), text.zfill(7))
        print(numbers.pop(), numbers.index(2), numbers.copy(), numbers.append(5), len(numbers), numbers.extend((1, 2)))
        print(str.upper(text), str.join("-", "abc"), list.append(numbers, 7), divmod(7, 2), hash(1), ord("a"), callable(3))
        for args in ((), (1,), (1, 2), (1, 2, 3, 4, 5, 6, 7)):
            print(attempt(lambda: text.upper(*args)), attempt(lambda: numbers.append(*args)))
        for wrong in (lambda: text.upper(1), lambda: numbers.append(), lambda: numbers.append(1, 2), lambda: str.upper(3),
                      lambda: list.append((), 1), lambda: text.split(1), lambda: ord("ab"), lambda: text.replace("a"),
                      lambda: numbers.pop("x"), lambda: numbers.index(99), lambda: divmod(1), lambda: hash()):
            print(attempt(wrong))


calls("a cat", [1, 2, 3, 4])


class Stack(list):
    def append(self, item):
        super().append((item,))


for stack in ([], Stack(), deque(maxlen=2)):
    for i in range(3):
        stack.append(i)
        stack.append(str(i))
    print(list(stack))
append = [].append
for i in range(3):
    append(i)
print(append.__self__)


# Callbacks from native code into functions with defaults, too few arguments, exceptions, generators.
def keyed(x, sign=-1):
    return x * sign


print(sorted([3, 1, 2], key=keyed), sorted([3, 1, 2], key=lambda x, *rest: x), max([1, 5, 2], key=keyed))
print(attempt(lambda: sorted([1, 2], key=lambda: 0)), attempt(lambda: sorted([1, 2], key=lambda x: 1 // 0)))
print(list(map(lambda x: (yield x), [1]))[0].__next__(), sum(x for x in range(5)), "".join(c for c in "abc"))


def echo():
    got = None
    while got != "stop":
        got = yield got
    return "done"


e = echo()
print(next(e), e.send(1), e.send(2.5), e.send(None), attempt(e.send, "stop"), attempt(next, e))


# object.__setattr__ and class patterns.
@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


class Slotted:
    __slots__ = ("a",)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


class Own:
    @property
    def fixed(self):
        return 1


def sets():
    for _ in range(2):
        p = Point(1, 2)
        print(p, attempt(setattr, p, "x", 3), attempt(object.__setattr__, p, "x", 5), p.x)
        s = Slotted()
        s.a = 4
        print(s.a, attempt(object.__setattr__, s, "b", 1), attempt(object.__setattr__, Own(), "fixed", 2))
        print(attempt(object.__setattr__, Own, "x", 1), attempt(object.__setattr__, {}, "x", 1), attempt(object.__setattr__, p))
        print(attempt(object.__setattr__, p, 1, 2), attempt(object.__delattr__, p, "y"), attempt(object.__delattr__, p, "y"))
    print(object.__setattr__ is object.__setattr__, Point.__setattr__ is Own.__setattr__, Own.__setattr__ is object.__setattr__)


sets()
try:
    Point(1).x = 2
except FrozenInstanceError as error:
    print(error)


class Pretender:
    def __repr__(self):
        return "pretender"

    @property
    def __class__(self):
        return int


Pair = namedtuple("Pair", "left right")


def shape(value):
    match value:
        case bool():
            return "bool"
        case int(n):
            return "int", n
        case str() | float():
            return "text or float"
        case Point(x=0, y=0):
            return "origin"
        case Point(x, y=y):
            return "point", x, y
        case Pair(left, right):
            return "pair", left, right
        case dict(d):
            return "dict", d
        case Own():
            return "own"
    return "other"


for value in (True, 3, "x", 2.5, Point(0), Point(1, 2), Pair(1, 2), (1, 2), {"a": 1}, Missing(b=2), Own(), None, Pretender()):
    for _ in range(2):
        print(shape(value))


def wrong(value, what):
    try:
        match value:
            case what(1, 2):
                return "matched"
    except TypeError as error:
        return str(error)
    return "not"


print(wrong(1, int), wrong(Point(1, 2), Point), wrong(1, 3), wrong((1, 2), (int, str)), wrong(1, str))


# getattr() with names from variables: by caches, which must see what changes.
import math  # noqa: E402


class Base:
    shared = "of the class"
    __slots__ = ("slot", "__dict__")

    def method(self):
        return "method"

    @property
    def computed(self):
        return "computed"

    def __getattr__(self, name):
        if name == "made":
            return "made up"
        raise AttributeError(name)


def look(o, names, default="none"):
    found = []
    for _ in range(3):
        for name in names:
            try:
                got = getattr(o, name)
                found.append(got if isinstance(got, (str, int, float)) else type(got).__name__)
            except AttributeError as error:
                found.append(type(error).__name__)
            got = getattr(o, name, default)
            found.append(got if isinstance(got, (str, int, float)) else type(got).__name__)
            constant = getattr(o, "shared", default)
            o = getattr(o, "missing", o)
            found.append(constant)
    return found


wanted = ["shared", "slot", "own", "method", "computed", "made", "missing", "__class__", "".join(["sha", "red"])]
b = Base()
print(look(b, wanted))
b.slot, b.own, b.shared = 1, 2, "of the object"
print(look(b, wanted))
del b.shared
Base.shared = "changed"
Base.own = property(lambda self: "hidden")
print(look(b, wanted), look(Base, wanted), look(math, ["pi", "tau", "shared", "floor"]), look(5, ["real", "imag", "shared"]))
math.shared = "ours"
print(look(math, ["pi", "shared"]), attempt(lambda: getattr(b, 3)), attempt(lambda: getattr(b)))
del math.shared
print(look(math, ["shared"]))


def read(o, name):
    for _ in range(2):
        value = getattr(o, name)
    return value


print(read(b, "slot"))
getattr = lambda o, name: f"mine {name}"  # noqa: E731
print(read(b, "slot"))
del getattr
print(read(b, "slot"), attempt(lambda: read(b, "nothing")))
