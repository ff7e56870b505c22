# The same sites call class methods and static methods of many classes, through classes and instances, and see them change.
class Base:
    made = 0

    @classmethod
    def make(cls, n=1):
        cls.made += n
        return cls.__name__, cls.made

    @staticmethod
    def twice(n):
        return 2 * n

    @classmethod
    def chain(cls):
        return cls.make(2), cls.twice(3)


class Left(Base):
    pass


class Right(Base):
    @staticmethod
    def twice(n):
        return -n


class Meta(type):
    def twice(cls, n):
        return "by the metaclass", n


class Odd(metaclass=Meta):
    make = classmethod(len)


def each(things):
    for thing in things:
        print(thing.make(), thing.twice(5), thing.chain())


for turn in range(3):
    each([Base, Left, Right, Base(), Left(), Right()])
print(Odd.twice(1))
try:
    Odd.make()
except TypeError as error:
    print(error)

one, other = Left(), Left()
one.twice = lambda n: ("of the instance", n)
each([one, other, one])
Left.twice = staticmethod(lambda n: ("new", n))
each([Left, other])
static = Base.__dict__["twice"]
static.__init__(lambda n: ("initialized anew", n))
each([Base, Base(), Right])
Base.make = lambda self=None, n=0: ("plain", n)
each([Base, Base(), Left])
del Left.twice
each([Left, other])


class Sub(staticmethod):
    def __get__(self, instance, owner):
        return lambda: ("own __get__", instance is None, owner.__name__)


class Uses:
    make = Sub(lambda: "not this")


for _ in range(3):
    print(Uses.make(), Uses().make())


class Chained:
    @classmethod
    @property
    def name(cls):
        return lambda: cls.__name__


text, items, pair = "hello world", list(range(10)), (1, 2, 3, 4)


def cut(start, stop):
    return text[start:stop], items[start:stop], pair[start:stop], text[start:], items[:stop], pair[:], b"bytes"[start:stop], range(9)[start:stop]


for start, stop in ((0, 3), (2, -1), (-3, None), (None, None), (5, 2), (-100, 100), (True, 4), (10**30, 10**40), (-10**30, 5)):
    print(cut(start, stop))
for wrong in ("a", 1.5, [1]):
    try:
        print(items[wrong:2])
    except TypeError as error:
        print(error)
copied = items[:]
copied.append(1)
print(len(items), copied is items, text[:] is text, pair[:] is pair)
for name in ("missing", "real", "imag"):
    print(getattr(5, name, "none"), getattr(1.5, name, None), hasattr(5, name))


class Asks:
    def __getattr__(self, name):
        if name == "bad":
            raise ValueError(name)
        raise AttributeError(name)


print(getattr(Asks(), "x", 3))
try:
    getattr(Asks(), "bad", 3)
except ValueError as error:
    print("ValueError", error)
