import enum
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto, unique, member, nonmember, global_enum, verify, CONTINUOUS


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1

    @property
    def pretty(self):
        return self.name.title()

    @classmethod
    def default(cls):
        return cls.GREEN


print(Color.RED, repr(Color.RED), Color(2), Color["BLUE"], list(Color), Color.CRIMSON is Color.RED, Color.RED.pretty, Color.default())
print(Color.__members__, len(Color), Color.RED in Color, Color.RED == 1, isinstance(Color.RED, Color), hash(Color.RED) == hash("RED"), type(Color))
for f in (lambda: Color(9), lambda: Color["X"], lambda: setattr(Color, "RED", 5), lambda: Color.RED < Color.GREEN, lambda: Color.PURPLE):
    try:
        f()
    except Exception as error:
        print(type(error).__name__, error)
try:
    class More(Color):
        PINK = 5
except TypeError as error:
    print(error)
try:
    @unique
    class Twice(Enum):
        A = 1
        B = 1
except ValueError as error:
    print(error)


class Planet(Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.42e23, 3.39e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    def gravity(self):
        return round(6.67e-11 * self.mass / self.radius ** 2, 2)


print(Planet.EARTH.gravity(), Planet.MARS.mass, Planet((5.97e24, 6.37e6)))


class Auto(Enum):
    def _generate_next_value_(name, start, count, last):
        return name.lower() + str(count)
    A = auto()
    B = auto()


print([a.value for a in Auto])


class Number(IntEnum):
    ONE = 1
    TWO = 2


print(Number.ONE + 1, Number.TWO > Number.ONE, Number.TWO == 2, f"{Number.ONE}", "%d" % Number.TWO, sorted([Number.TWO, Number.ONE]), {Number.ONE: "x"}[1], repr(Number.ONE), str(Number.ONE))


class Text(StrEnum):
    HELLO = auto()
    BYE = "good bye"


print(Text.HELLO, Text.BYE.upper(), Text.HELLO == "hello", f"{Text.BYE:>10}", repr(Text.HELLO))


class Permission(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W


print(Permission.R | Permission.X, Permission.RW, ~Permission.R, Permission.R & Permission.W, bool(Permission.R & Permission.W), Permission.R in Permission.RW, list(Permission.RW), Permission(7), Permission(0), Permission.R ^ Permission.RW, len(Permission.RW))
try:
    Permission(16)
except ValueError as error:
    print(error)


class Bits(IntFlag):
    A = 1
    B = 2


print(Bits.A | 8, Bits(3), Bits.A + 1, ~Bits.A, repr(Bits.A | Bits.B), Bits.A | Bits.B == 3)
Animal = Enum("Animal", "CAT DOG", start=10)
print(list(Animal), Animal.CAT.value, Enum("E", {"X": "x"}).X, Enum("F", [("P", 1)]).P)


class Mixed(Enum):
    f = nonmember(5)

    @member
    def g():
        return 1

    class Inner(Enum):
        X = 1

    def __str__(self):
        return "mixed " + self.name

    @classmethod
    def _missing_(cls, value):
        return cls.g if value == "any" else None


print(Mixed.f, str(Mixed.g), Mixed("any"))
match Color.GREEN:
    case Color.RED:
        print("red")
    case Color.GREEN:
        print("green!")
import copy
print(copy.copy(Color.RED) is Color.RED, copy.deepcopy([Color.RED])[0] is Color.RED, Color.RED.__class__.__name__, Color.__name__, Color.RED.name, dir(Color)[:3])
