import dataclasses
from dataclasses import KW_ONLY, FrozenInstanceError, InitVar, asdict, astuple, dataclass, field, fields, is_dataclass, make_dataclass, replace
from typing import ClassVar, Generic, Optional, TypeVar
import inspect


@dataclass
class Item:
    name: str
    price: float = 1.5
    tags: list[str] = field(default_factory=list, repr=False)
    count: ClassVar[int] = 0

    def total(self) -> float:
        return self.price * 2


a, b = Item("a"), Item("a")
print(a, a == b, a != Item("b"), a.total(), a.tags is b.tags, Item.__match_args__, is_dataclass(Item), is_dataclass(a), Item.__doc__)
print([(f.name, f.type, f.default is dataclasses.MISSING) for f in fields(Item)])
print(asdict(a), astuple(a), replace(a, price=9), inspect.signature(Item))
try:
    Item()
except TypeError as error:
    print(error)
try:
    hash(a)
except TypeError as error:
    print(error)


@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0
    note: str = field(default="", compare=False)


v = Version(1, 2, "x")
print(v < Version(1, 3), v == Version(1, 2, "y"), hash(v) == hash(Version(1, 2)), sorted([Version(2), Version(1)]), max(Version(1), v))
for f in (lambda: setattr(v, "major", 3), lambda: delattr(v, "minor")):
    try:
        f()
    except FrozenInstanceError as error:
        print(type(error).__name__, error)
try:
    v < 3
except TypeError as error:
    print(error)


@dataclass
class Base:
    x: int = 1

    def __post_init__(self):
        print("post", self.x)


@dataclass
class Derived(Base):
    y: int = 2
    scale: InitVar[int] = 3
    area: int = field(init=False)

    def __post_init__(self, scale):
        super().__post_init__()
        self.area = self.x * self.y * scale


print(Derived(4, 5), Derived(x=2, scale=10).area, [f.name for f in fields(Derived)])


@dataclass(slots=True, kw_only=True)
class Slotted:
    a: int
    b: int = 5


s = Slotted(a=1)
print(s, Slotted.__slots__, hasattr(s, "__dict__"))
try:
    s.c = 1
except AttributeError as error:
    print(error)
try:
    Slotted(1)
except TypeError as error:
    print(error)


@dataclass
class Mixed:
    a: int
    _: KW_ONLY
    b: int = 2
    c: int = 3


print(Mixed(1, c=5), inspect.signature(Mixed))
try:
    @dataclass
    class Wrong:
        a: int = 1
        b: int
except TypeError as error:
    print(error)
try:
    @dataclass
    class Mutable:
        a: list = []
except ValueError as error:
    print(error)
Made = make_dataclass("Made", [("x", int), ("y", int, field(default=5))], namespace={"sum": lambda self: self.x + self.y})
print(Made(1), Made(1).sum(), Made.__name__)


@dataclass
class Node:
    value: int
    children: list["Node"] = field(default_factory=list)
    parent: Optional["Node"] = field(default=None, repr=False, compare=False)


tree = Node(1, [Node(2), Node(3, [Node(4)])])
print(tree, asdict(tree)["children"][1], tree == Node(1, [Node(2), Node(3, [Node(4)])]))
tree.children.append(tree)
print(repr(tree))
T = TypeVar("T")


@dataclass
class Box(Generic[T]):
    item: T


print(Box[int](3), Box("a") == Box("a"))
match Item("q", 2.0):
    case Item(name, price):
        print(name, price)


@dataclass(eq=False, repr=False)
class Plain:
    x: int = field(default=1, metadata={"unit": "cm"})


print(fields(Plain)[0].metadata["unit"], Plain() == Plain(), hash(Plain()) != 0)


@dataclass(unsafe_hash=True)
class Key:
    a: int
    b: tuple = ()


print({Key(1): "one"}[Key(1)], Key.__hash__ is not None)
