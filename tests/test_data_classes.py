"""What is data although its class is somebody's code: as inputs, arguments, results, in both directions and both isolations."""
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import pathlib
import types
import uuid
import zoneinfo
from typing import ClassVar, NamedTuple

import pytest

import kimi_runtime as kr


@dataclasses.dataclass
class Line:
    name: str
    price: decimal.Decimal = decimal.Decimal(2)


@dataclasses.dataclass
class Order:
    number: int
    lines: list = dataclasses.field(default_factory=list)
    kind: ClassVar[str] = "order"
    start: dataclasses.InitVar[int] = 0
    total: int = dataclasses.field(default=0, init=False)

    def __post_init__(self, start):
        self.total = start

    def secret(self):
        return "secret"


@dataclasses.dataclass(slots=True, frozen=True)
class Slotted:
    x: int
    y: tuple


class Color(enum.Enum):
    RED = "red"
    PAIR = (1, [2])


class Level(enum.IntEnum):
    LOW = 1


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


class Point(NamedTuple):
    x: int
    y: int


def moment(zone):
    return datetime.datetime(2024, 7, 1, 12, 30, tzinfo=zone)


SUMMER = datetime.timezone(datetime.timedelta(hours=2), "CEST")
# (value of the host, what the guest gets as its repr, what comes back)
VALUES = [
    (Line("pear"), "Line(name='pear', price=Decimal('2'))", None),
    (Order(1, [Line("a"), Line("b")], 7), "Order(number=1, lines=[Line(name='a', price=Decimal('2')), Line(name='b', price=Decimal('2'))], total=7)", None),
    (Slotted(1, (2, [3])), "Slotted(x=1, y=(2, [3]))", None),
    (Color.RED, "'red'", "red"), (Color.PAIR, "(1, [2])", (1, [2])), (Level.LOW, "1", 1), (Rights.READ | Rights.WRITE, "3", 3),
    (Point(1, 2), "(1, 2)", (1, 2)), (uuid.UUID(int=255), "'00000000-0000-0000-0000-0000000000ff'", str(uuid.UUID(int=255))),
    (fractions.Fraction(-6, 4), "Fraction(-3, 2)", fractions.Fraction(-3, 2)), (pathlib.PurePosixPath("/a/b.txt"), "'/a/b.txt'", "/a/b.txt"),
    (pathlib.Path("x"), "'x'", "x"), (moment(zoneinfo.ZoneInfo("Europe/Berlin")), repr(moment(SUMMER)), moment(SUMMER)),
    (moment(datetime.UTC), repr(moment(datetime.UTC)), moment(datetime.UTC)),
    (datetime.time(1, 2, fold=1), "datetime.time(1, 2, fold=1)", datetime.time(1, 2, fold=1)), (datetime.date(2024, 2, 29), "datetime.date(2024, 2, 29)", datetime.date(2024, 2, 29)),
    (datetime.timedelta(1, 2, 3), repr(datetime.timedelta(1, 2, 3)), datetime.timedelta(1, 2, 3)), (decimal.Decimal("1.10"), "Decimal('1.10')", decimal.Decimal("1.10")),
    (collections.deque([1, [2]], 5), "deque([1, [2]], maxlen=5)", collections.deque([1, [2]], 5)), (collections.OrderedDict(b=1, a=2), repr(collections.OrderedDict(b=1, a=2)), collections.OrderedDict(b=1, a=2)),
    (slice(1, [2], None), "slice(1, [2], None)", slice(1, [2], None)), (NotImplemented, "NotImplemented", NotImplemented), (int, "<class 'int'>", int),
    (collections.Counter("aab"), "{'a': 2, 'b': 1}", {"a": 2, "b": 1}), (complex(1, 2), "(1+2j)", complex(1, 2)), (memoryview(b"ab"), "b'ab'", b"ab"),
]


@pytest.mark.parametrize("value, shown, back", VALUES, ids=[type(each[0]).__name__ for each in VALUES])
def test_into_the_guest_and_back(rt, value, shown, back):
    result = rt.run("(repr(v), f(v), v)", {"v": value, "f": lambda given: [given]}, check=True).value
    assert result[0] == shown
    for given in (result[2], result[1][0]):
        if back is None:
            assert type(given) is kr.Record
            assert repr(given) == shown
        else:
            assert given == back
            assert type(given) is type(back)


def test_record_in_the_guest(rt):
    result = rt.run("""
import copy
def attempt(f):
    try: return f()
    except Exception as e: return type(e).__name__, str(e)
o.lines.append(1)
(o.number, o.total, o._asdict(), o == o, o != 3, o == copy.deepcopy(o), copy.copy(o) is o, getattr(o, 'other', 5), hasattr(o, 'kind'),
 hash(s) == hash(s), s == s, s == o, attempt(lambda: hash(o)), [each for each in dir(o) if not each.startswith('__')],
 attempt(lambda: setattr(o, 'number', 2)), attempt(lambda: delattr(o, 'number')), attempt(lambda: o.secret()), attempt(lambda: type(o)()),
 attempt(lambda: vars(o)), attempt(lambda: type(o).__new__(type(o))), attempt(lambda: object.__setattr__(o, 'number', 2)), type(o).__mro__[1:] == (object,))
""", {"o": Order(1), "s": Slotted(1, (2,))}, check=True).value
    assert result[:12] == (1, 0, {"number": 1, "lines": [1], "total": 0}, True, True, True, True, 5, False, True, True, False)
    assert result[12][0] == "TypeError"
    assert result[13] == ["_asdict", "lines", "number", "total"]
    assert result[14:17] == (("AttributeError", "'Order' records are read-only"),) * 2 + (("AttributeError", "'Order' record has no attribute 'secret'"),)
    assert [each[0] for each in result[17:21]] == ["TypeError"] * 3 + ["AttributeError"] or result[20][0] == "TypeError"
    assert result[21] is True


def test_match_by_attributes(rt):
    source = "match o:\n    case object(number=n, lines=[x]): r = n, x\n    case _: r = None\nr"
    assert rt.run(source, {"o": Order(4, ["l"])}, check=True).value == (4, "l")


def test_by_value(rt):
    """Nothing that a guest does to a record's parts changes the host's object; shared parts stay shared."""
    order = Order(1, [[]])
    result = rt.run("a.lines[0].append(1); a.lines.append(2); a is b, a.lines, a", {"a": order, "b": order}, check=True).value
    assert result[:2] == (True, [[1], 2])
    assert result[1] is result[2].lines
    assert order.lines == [[]]


def test_record_that_holds_itself(rt):
    order = Order(1)
    order.lines.append(order)
    given = rt.run("o.lines[0] is o, repr(o), o", {"o": order}, check=True).value
    assert given[:2] == (True, "Order(number=1, lines=[Order(...)], total=0)")
    assert given[2].lines[0] is given[2]


def test_record_of_the_host():
    record = kr.run("o", {"o": Order(1, [2])}).value
    assert isinstance(record, kr.Record)
    assert (record.number, record._asdict()) == (1, {"number": 1, "lines": [2], "total": 0})
    assert Line(**kr.run("o", {"o": Line("x")}).value._asdict()) == Line("x")
    assert record == kr.run("o", {"o": Order(1, [2])}).value
    with pytest.raises(AttributeError, match="read-only"):
        record.number = 2
    with pytest.raises(TypeError):
        kr.Record()
    assert kr.run("r.number", {"r": record}).value == 1


GUESTS = [
    ("import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\n    y: list\n    def area(self): return 5\nP(1, [P(2, [])])", "P(x=1, y=[P(x=2, y=[])])"),
    ("import dataclasses\n@dataclasses.dataclass(slots=True, frozen=True)\nclass P:\n    x: int\nP(1)", "P(x=1)"),
    ("import dataclasses\nfrom typing import ClassVar\n@dataclasses.dataclass\nclass P:\n    x: int\n    c: ClassVar[int] = 3\nP(1)", "P(x=1)"),
    ("import dataclasses\ndataclasses.make_dataclass('P', ['a', 'b'])(1, 2)", "P(a=1, b=2)"),
    ("import enum\nclass C(enum.Enum): A = 'a'\n[C.A]", "['a']"), ("import enum\nclass C(enum.IntEnum): A = 3\nC.A", "3"), ("import enum\nclass C(enum.Flag): A = 1; B = 2\nC.A | C.B", "3"),
    ("import enum\nclass C(enum.StrEnum): A = 'a'\nC.A", "'a'"), ("import collections\ncollections.namedtuple('P', 'x y')(1, 2)", "(1, 2)"),
    ("import uuid\nuuid.UUID(int=5)", "'00000000-0000-0000-0000-000000000005'"), ("import fractions\nfractions.Fraction(6, 4)", "Fraction(3, 2)"),
    ("import pathlib\npathlib.PurePosixPath('/a', 'b')", "'/a/b'"),
    ("import datetime, zoneinfo\ndatetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin'))", repr(datetime.datetime(2024, 7, 1, tzinfo=SUMMER))),
]


@pytest.mark.parametrize("source, shown", GUESTS)
def test_out_of_the_guest(rt, source, shown):
    assert repr(rt.run(source, check=True).value) == shown
    given = []
    head, _, last = source.rpartition("\n")
    rt.run(f"{head}\nf({last})", {"f": given.append}, check=True)
    assert repr(given[0]) == shown


HOSTILE = """
import dataclasses, enum
@dataclasses.dataclass
class P:
    x: int
    {method}
p = P(1)
{attack}
p
"""


@pytest.mark.parametrize("method, attack", [
    ("def __getattribute__(self, name): ran.append(name); return 'forged'", ""),
    ("__dict__ = property(lambda self: ran.append('dict'))", ""),
    ("__class__ = property(lambda self: ran.append('class'))", ""),
    ("__repr__ = __eq__ = __hash__ = __reduce_ex__ = __iter__ = lambda *args: ran.append('special')", ""),
    ("", "del p.x"), ("", "P.__dataclass_fields__ = {'x': 3}"), ("", "P.__dataclass_fields__ = 5"),
    ("", "class D(dict):\n    def items(self): ran.append('items'); return []\nP.__dataclass_fields__ = D(x=1)"),
    ("", "class F:\n    _field_type = property(lambda self: ran.append('field'))\nP.__dataclass_fields__ = {'x': F()}"),
    ("", "class S(str):\n    def __eq__(self, o): ran.append('eq'); return True\n    __hash__ = str.__hash__\nP.__dataclass_fields__ = {S('x'): P.__dataclass_fields__['x']}"),
    ("", "p.__dict__['y'] = p"), ("", "P.__name__ = 'A' * 100"),
])
def test_no_code_of_the_guest_runs(method, attack):
    """Reading a guest's data class reads storage."""
    session = kr.Runtime().session()
    session.run("ran = []", check=True)
    result = session.run(HOSTILE.format(method=method, attack=attack))
    before = session.run("ran[:]").value
    assert type(session["p"]) in (kr.Record, kr.GuestObject), result.error
    assert session.run("len(ran)").value == len(before)
    if isinstance(result.value, kr.Record):
        assert result.value._asdict().get("x", 1) == 1
    assert "forged" not in repr(session.run("0").value)
    session.close()


def test_callables_stay_functions(rt):
    @dataclasses.dataclass
    class Adder:
        n: int

        def __call__(self, x):
            return self.n + x

    assert rt.run("f(2)", {"f": Adder(40)}).value == 42
    assert rt.run("f(3)._asdict()", {"f": Line}).value == {"name": 3, "price": decimal.Decimal(2)}


def test_exposed_classes_stay_proxies(rt):
    @kr.expose_class(attrs=["n"])
    @dataclasses.dataclass
    class Seen:
        n: int

    value = Seen(1)
    assert rt.run("v.n, v", {"v": value}).value == (1, value)


def test_models():
    """Classes of pydantic and attrs declare their fields otherwise."""
    class Model:
        __pydantic_fields__ = {"a": None, "b": None}

        def __init__(self):
            self.a, self.b, self.extra = 1, [2], 3

    class Attrs:
        __attrs_attrs__ = (types.SimpleNamespace(name="a"),)
        __slots__ = ("a",)

        def __init__(self):
            self.a = 1

    assert kr.run("repr(m), repr(a)", {"m": Model(), "a": Attrs()}).value == ("Model(a=1, b=[2])", "Attrs(a=1)")


def test_paths_in_errors():
    with pytest.raises(TypeError, match=r"o\.lines\[0\]\.name cannot go to the guest: it is an object"):
        kr.run("1", {"o": Order(1, [Line(object())])})
    with pytest.raises(TypeError, match=r"t\.tzinfo cannot go to the guest: it is a ZoneInfo; make the time one of a datetime.timezone"):
        kr.run("1", {"t": datetime.time(1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin"))})
    assert "tzinfo" in kr.run("import datetime\nclass Z(datetime.tzinfo): pass\ndatetime.datetime(2024, 1, 1, tzinfo=Z())").error.message


def test_result_size_counts_records():
    source = "import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: str\np = P('y' * 1000)\n[p] * 1000"
    assert kr.run(source, limits=kr.Limits(result_size="100KB")).error.limit == "result_size"
    assert len(kr.run(source).value) == 1000
