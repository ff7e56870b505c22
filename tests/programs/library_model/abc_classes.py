import abc
from abc import ABC, ABCMeta, abstractmethod


class Shape(ABC):
    @abstractmethod
    def area(self): ...

    @property
    @abstractmethod
    def name(self): ...

    @classmethod
    @abstractmethod
    def make(cls): ...

    def describe(self):
        return f"{self.name}: {self.area()}"


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2

    @property
    def name(self):
        return "square"

    @classmethod
    def make(cls):
        return cls(1)


class Half(Shape):
    def area(self):
        return 0


for cls in (Shape, Half):
    try:
        cls()
    except TypeError as error:
        print(error)
print(Square(3).describe(), Square.make().side, sorted(Shape.__abstractmethods__), Square.__abstractmethods__, isinstance(Square(1), Shape))


@Shape.register
class Registered:
    pass


print(issubclass(Registered, Shape), isinstance(Registered(), Shape), Shape in Registered.__mro__)


class Sized(metaclass=ABCMeta):
    @classmethod
    def __subclasshook__(cls, other):
        if cls is Sized:
            return any("__len__" in base.__dict__ for base in other.__mro__)
        return NotImplemented


print(isinstance([], Sized), isinstance(3, Sized), issubclass(str, Sized))


class Meta(ABCMeta):
    def __new__(mcls, name, bases, ns, **kw):
        cls = super().__new__(mcls, name, bases, ns)
        cls.kw = kw
        return cls


class WithMeta(metaclass=Meta, option=5):
    @abstractmethod
    def f(self): ...


print(WithMeta.kw, type(WithMeta).__name__, abc.get_cache_token() > 0)


class Done(WithMeta):
    pass


Done.f = lambda self: "later"
abc.update_abstractmethods(Done)
print(Done().f())
try:
    class Bad(ABC, metaclass=type):
        pass
except TypeError as error:
    print(error)
print(isinstance(ABC, ABCMeta), Shape.area.__isabstractmethod__, abc.ABC.__module__, Square.area.__qualname__)
