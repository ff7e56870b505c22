import typing
from typing import (Annotated, Any, Callable, ClassVar, Dict, Final, ForwardRef, Generic, List, Literal, NamedTuple, NewType, NoReturn,
                    Optional, Protocol, Tuple, Type, TypedDict, TypeVar, Union, cast, get_args, get_origin, get_type_hints, overload,
                    runtime_checkable, ParamSpec, Concatenate, TypeGuard, Self, Never, assert_never, reveal_type, Required, NotRequired)

print(Optional[int], Union[int, str, None], Union[int, int], List[int], Dict[str, List[int]], Tuple[int, ...], Callable[[int], str], Callable[..., Any], Type[int], Literal[1, "a"], Any, ClassVar[int], Final[int], Annotated[int, "meta"])
print(int | None, list[int] | str, get_origin(List[int]), get_args(Dict[str, int]), get_origin(Optional[int]), get_args(Callable[[int, str], bool]), get_origin(Annotated[int, 1]), get_args(Literal["a", "b"]))
print(Optional[int] == Union[None, int], List[int] is List[int], hash(List[int]) == hash(List[int]), Union[int, str] == Union[str, int])
T = TypeVar("T")
K = TypeVar("K", bound=int)
S = TypeVar("S", int, str)
P = ParamSpec("P")


class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: list[T] = []

    def push(self, item: T) -> None:
        self.items.append(item)

    def pop(self) -> T:
        return self.items.pop()


s = Stack[int]()
s.push(3)
print(s.pop(), Stack[int], Stack.__parameters__, Stack[int].__args__, Stack[T][str], s.__orig_class__, T, K.__bound__, S.__constraints__)


class Pair(Generic[T, K]):
    pass


print(Pair[int, bool], Pair.__parameters__, get_args(Pair[str, int]))
for f in (lambda: Stack[int, str], lambda: List[int, str], lambda: Optional[1, 2], lambda: Union[()], lambda: Pair[int], lambda: Generic[int], lambda: isinstance([], List[int])):
    try:
        print(f())
    except TypeError as error:
        print("TypeError", error)


@runtime_checkable
class Closer(Protocol):
    def close(self) -> None: ...


class Thing:
    def close(self):
        pass


print(isinstance(Thing(), Closer), isinstance(3, Closer), issubclass(Thing, Closer))


class Shape(Protocol):
    def area(self) -> float: ...


try:
    Shape()
except TypeError as error:
    print(error)
try:
    isinstance(3, Shape)
except TypeError as error:
    print(error)


class Employee(NamedTuple):
    """Somebody."""
    name: str
    id: int = 3

    def hello(self):
        return f"hi {self.name}"


e = Employee("Guido")
print(e, e.id, e.hello(), Employee._field_defaults, Employee.__annotations__, Employee.__doc__, e._replace(id=4))


class Movie(TypedDict, total=False):
    title: Required[str]
    year: int


m: Movie = {"title": "x"}
print(m, Movie.__annotations__, Movie.__total__, Movie.__required_keys__, Movie.__optional_keys__, Movie(title="q"), type(Movie(title="q")))
UserId = NewType("UserId", int)
print(UserId(5), UserId.__name__, UserId.__supertype__, cast(int, "x"))


class Node:
    next: "Optional[Node]"
    value: "int" = 0

    def link(self, other: "Node", *rest: int, flag: bool = False) -> "list[Node]":
        return []


print(get_type_hints(Node), get_type_hints(Node.link), Node.__annotations__)


def func(a: "int", b: Optional[str] = None, *args: Any, **kw: "Dict[str, int]") -> None: ...


print(get_type_hints(func), func.__annotations__)


def ann(x: Annotated[int, "pos"]) -> Annotated[str, 1]: ...


print(get_type_hints(ann), get_type_hints(ann, include_extras=True))
try:
    get_type_hints(lambda: 0)
    def bad(x: "Nope"): ...
    get_type_hints(bad)
except NameError as error:
    print(error)


@overload
def over(x: int) -> int: ...
@overload
def over(x: str) -> str: ...
def over(x):
    return x


print(len(typing.get_overloads(over)), over(3))
print(Callable[P, int], Callable[Concatenate[int, P], T], P.args, P.kwargs, Callable[P, T][[int, str], bool])
print(ForwardRef("X"), NoReturn, Never, Self, TypeGuard[int], typing.TYPE_CHECKING)
print(typing.Iterable[int], typing.Mapping[str, T][int], typing.DefaultDict[str, int]().default_factory, typing.Deque[int], typing.Counter[str]("aab"))
print(isinstance({}, typing.Mapping), issubclass(list, typing.Sequence), isinstance(3, Union[int, str]), isinstance("x", int | str))
print(typing.get_type_hints(Employee), typing.is_typeddict(Movie), List.__origin__, typing.List[T].__parameters__)
x: Final = 3
print(__annotations__)
print(list[T][int], dict[str, T].__parameters__, tuple[int, ...], type[int])
