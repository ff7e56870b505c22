from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, UserString, defaultdict, deque, namedtuple
from collections.abc import Mapping, MutableMapping, Sequence, Set, Iterable, Hashable, Callable

Point = namedtuple("Point", "x y", defaults=(0,))
p = Point(3)
print(p, p.x, p._replace(y=9), p._asdict(), Point._fields, Point._field_defaults, Point.__doc__)
print(Point._make([1, 2]), p == (3, 0), hash(p) == hash((3, 0)), isinstance(p, tuple))
for bad in ("x x", "class", "_x", "1a"):
    try:
        namedtuple("Bad", bad)
    except ValueError as error:
        print(type(error).__name__, error)
print(namedtuple("R", ["a", "class", "a"], rename=True)._fields)
try:
    p.x = 5
except AttributeError as error:
    print(error)
try:
    Point(1, 2, 3)
except TypeError as error:
    print(error)


class Named(namedtuple("Named", "a b")):
    __slots__ = ()

    def total(self):
        return self.a + self.b


print(Named(1, 2).total(), Named(1, 2), Named.__mro__[1].__name__)

counts = Counter("abracadabra")
print(counts, counts.most_common(2), counts["zz"], sorted(counts.elements()))
print(counts + Counter("abc"), counts - Counter("aaaa"), counts & Counter("aab"), counts | Counter("zz"), +Counter(a=-1, b=2))
counts.update(a=2)
counts.subtract("ab")
print(counts, counts.total(), Counter(a=1) == Counter(a=1, b=0), Counter(a=1) <= Counter(a=2))

d = deque([1, 2, 3], maxlen=4)
d.extend([4, 5])
d.appendleft(0)
d.rotate(2)
print(d, d.maxlen, d.index(3), d.count(1), list(reversed(d)), d == deque(list(d), 4))
try:
    d.index(99)
except ValueError as error:
    print(error)
try:
    for item in d:
        d.append(item)
except RuntimeError as error:
    print(error)

groups = defaultdict(list)
for word in "apple avocado banana blueberry cherry".split():
    groups[word[0]].append(word)
print(groups, groups.default_factory, dict(groups), groups.get("q"))
nested = defaultdict(lambda: defaultdict(int))
nested["a"]["b"] += 1
print(nested["a"], len(nested))
try:
    defaultdict(None)["x"]
except KeyError as error:
    print("KeyError", error)

od = OrderedDict(a=1, b=2, c=3)
od.move_to_end("a")
print(od, od.popitem(last=False), list(reversed(od)), od == {"c": 3, "a": 1}, od == OrderedDict(c=3, a=1), od == OrderedDict(a=1, c=3))

cm = ChainMap({"a": 1}, {"a": 2, "b": 3})
cm["c"] = 4
print(cm, cm["a"], cm["b"], sorted(cm), len(cm), cm.new_child({"a": 9})["a"], cm.parents)
try:
    cm["nope"]
except KeyError as error:
    print("KeyError", error)


class Lower(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)


low = Lower(ABC=1)
low["XyZ"] = 2
print(low, "abc" in low, low.data, low | {"Q": 1}, low.pop("xyz"))
print(UserList([3, 1, 2]) + [4], sorted(UserList([3, 1])), UserString("hello").upper(), UserString("a") + "b", UserString("x") in {"x": 1})


class Ring(Sequence):
    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


r = Ring(1, 2, 3, 2)
print(2 in r, r.index(3), r.count(2), list(reversed(r)), list(r), isinstance(r, Iterable))


class Grid(MutableMapping):
    def __init__(self):
        self.cells = {}

    def __getitem__(self, key):
        return self.cells[key]

    def __setitem__(self, key, value):
        self.cells[key] = value

    def __delitem__(self, key):
        del self.cells[key]

    def __iter__(self):
        return iter(self.cells)

    def __len__(self):
        return len(self.cells)


g = Grid()
g.update({(0, 0): "a"}, b=2)
print(g.setdefault("b", 5), g.pop("b"), dict(g), g.get("q", 7), list(g.items()), g == {(0, 0): "a"}, (0, 0) in g.keys())
try:
    Sequence()
except TypeError as error:
    print(error)
print([isinstance(x, Hashable) for x in (1, [], (), {}, print)], isinstance(len, Callable), issubclass(dict, Mapping), issubclass(set, Set))


class Duck:
    def __len__(self):
        return 0

    def __iter__(self):
        return iter(())

    def __contains__(self, item):
        return False


from collections.abc import Collection, Sized
print(isinstance(Duck(), Collection), isinstance(Duck(), Sized), isinstance(Duck(), Sequence))
match Point(1, 2):
    case Point(x=1, y=b):
        print("matched", b)
match deque([1, 2]):
    case [a, b]:
        print("sequence", a, b)
match Counter("aab"):
    case {"a": n}:
        print("mapping", n)
